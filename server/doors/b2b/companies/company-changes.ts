import t, { type Static } from 'typebox'
import type { Db, Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import type { Files } from '../../../core/files/files.ts'
import { toSeconds } from '../../../core/rest/input/dates.ts'
import { lockCounters } from '../../../core/rest/lists/counters.ts'
import { change, differences, lock, remove, removeAll } from '../../../core/rest/lists/verbs.ts'
import { moveToGroup } from '../../../customers/accounts/lookup.ts'
import { removeGroup } from '../../../customers/groups-v2.ts'
import { groups } from '../../../customers/row/groups.ts'
import { companyAddresses, deleteAddressesOf } from '../../../sales/b2b/addresses/address.ts'
import { detachAll } from '../../../sales/b2b/companies/attachment.ts'
import { refuseUnknownLists } from '../../../sales/b2b/companies/catalog.ts'
import {
  APPROVED,
  COMPANY_PENDING,
  type CompanyRow,
  companies,
  PriceLists,
  publishCompany,
  Status,
} from '../../../sales/b2b/companies/company.ts'
import { detachSubsidiaries } from '../../../sales/b2b/companies/hierarchy.ts'
import { isDependent } from '../../../sales/b2b/companies/mode.ts'
import { recordName } from '../../../sales/b2b/companies/names.ts'
import { mailApproval } from '../../../sales/b2b/emails/registration-mail.ts'
import { extraFieldsOf } from '../../../sales/b2b/extra-fields/definitions.ts'
import { claimUniqueValues } from '../../../sales/b2b/extra-fields/unique.ts'
import { changedExtraValues } from '../../../sales/b2b/extra-fields/values.ts'
import { deleteListsOfCompany, LIST_COUNTERS } from '../../../sales/b2b/lists/list-changes.ts'
import { companyUsers } from '../../../sales/b2b/users/user.ts'
import { assignments } from '../../../sales/pricing/assignments/shape.ts'
import { deleteListsOfGroup } from '../../../sales/pricing/deletion.ts'
import { endTokensOf } from '../tokens/storefront-tokens.ts'
import { columnsOf, companyFields, lockGroupShared } from './new-company.ts'

export const CompanyChanges = t.Object(
  t.Partial(t.Object({ ...companyFields, priceListAssign: PriceLists })).properties,
  {
    title: 'BuyingCompanyChanges',
    examples: [{ companyPhone: '+61 2 5550 9876' }],
  },
)
export const StatusChange = t.Object(
  { companyStatus: Status },
  { title: 'CompanyStatusChange', examples: [{ companyStatus: 3 }] },
)

/** Changes a company. A new group also moves the customers of its users. @throws Problem 404, 409, 422 */
export async function changeCompany(db: Db, id: number, body: Static<typeof CompanyChanges>) {
  const fields = body.extraFields ? await extraFieldsOf(db, 'company') : []
  await db.transaction(async (tx) => {
    const dependent = await isDependent(tx)
    const customerGroupId = dependent ? undefined : body.customerGroupId
    if (customerGroupId !== undefined) await lockGroupShared(tx, customerGroupId)
    const price_lists = dependent ? body.priceListAssign : undefined
    if (price_lists) await refuseUnknownLists(tx, price_lists)
    const row = await lock(tx, companies, id)
    const extra_values = body.extraFields && changedExtraValues(fields, row.extra_values, body.extraFields)
    const changed = await store(tx, row, {
      ...columnsOf({ ...body, customerGroupId }),
      extra_values,
      price_lists,
    })
    await claimUniqueValues(tx, companies.table, fields, [changed])
    const { customer_group_id: group } = changed
    if (group !== row.customer_group_id) await moveToGroup(tx, await customersOf(tx, id), group)
  })
}

/** @throws Problem 404 */
export async function changeStatus(db: Db, id: number, company_status: number) {
  await db.transaction(async (tx) => {
    const row = await lock(tx, companies, id)
    const { company_status: status } = await store(tx, row, { company_status })
    if (status !== row.company_status) publishCompany(tx, 'statusUpdated', id)
    if (row.company_status === COMPANY_PENDING && status === APPROVED) await mailApproval(tx, row)
  })
}

async function store(tx: Tx, row: CompanyRow, changes: object): Promise<CompanyRow> {
  const differing = differences(row, changes)
  if (Object.keys(differing).length === 0) return row
  publishCompany(tx, 'updated', row.id)
  return change(tx, companies, row, { ...differing, updated_at: toSeconds(tx.now) })
}

/** Deletes a company. Its users become plain customers without a group, and their tokens end. @throws Problem 404 */
export async function deleteCompany(db: Db, files: Pick<Files, 'removeOwner'>, id: number) {
  await db.transaction(async (tx) => {
    const dependent = await isDependent(tx)
    const counters = [...LIST_COUNTERS, companies.table, companyAddresses.table, companyUsers.table]
    await lockCounters(tx, dependent ? [...counters, groups.table, assignments.table] : counters)
    const company = await lock(tx, companies, id)
    const customers = await customersOf(tx, id)
    await endTokensOf(tx, customers)
    await deleteListsOfCompany(tx, id)
    await removeAll(tx, companyUsers, sql`company_id = ${id}`)
    await deleteAddressesOf(tx, id)
    await detachAll(tx, files, id)
    await recordName(tx, company)
    await detachSubsidiaries(tx, id)
    await remove(tx, companies, id)
    publishCompany(tx, 'deleted', id)
    await moveToGroup(tx, customers, 0)
    if (dependent && company.customer_group_id > 0)
      await removeGroup(tx, company.customer_group_id, { deleteListsOfGroup })
  })
}

async function customersOf(tx: Tx, companyId: number): Promise<number[]> {
  const users = await tx.rows<{ customer_id: number }>(sql`
    select customer_id from company_users where store_id = ${tx.store.id} and company_id = ${companyId} order by id`)
  return users.map(({ customer_id }) => customer_id)
}
