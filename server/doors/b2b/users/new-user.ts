import type { Db, Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { lockIdsShared } from '../../../core/rest/batch.ts'
import { toSeconds } from '../../../core/rest/input/dates.ts'
import { type Mistakes, refuse } from '../../../core/rest/input/mistakes.ts'
import { insertAll, type NewIds, takeIds } from '../../../core/rest/lists/verbs.ts'
import { unknownId } from '../../../core/rest/problem.ts'
import type { ItemPath } from '../../../customers/accounts/create.ts'
import { lockLogins } from '../../../customers/accounts/lookup.ts'
import type { CompanyRow } from '../../../sales/b2b/companies/company.ts'
import { extraFieldsOf } from '../../../sales/b2b/extra-fields/definitions.ts'
import type { ExtraField } from '../../../sales/b2b/extra-fields/field.ts'
import { claimUniqueValues } from '../../../sales/b2b/extra-fields/unique.ts'
import { type ExtraValues, newExtraMistakes, newExtraValues } from '../../../sales/b2b/extra-fields/values.ts'
import { moveOrdersOfNewUsers } from '../../../sales/b2b/orders/new-users.ts'
import { companyRoles, roleOfNumber } from '../../../sales/b2b/roles/roles.ts'
import {
  companyUsers,
  type NewCompanyUser,
  publishUser,
  USERS_MAX,
  type UserRow,
} from '../../../sales/b2b/users/user.ts'
import { type BuyerRequest, channelsOfBuyers, customersOfBuyers, type NewBuyer, takenEmails } from './buyers.ts'

type UserCompany = Pick<CompanyRow, 'id' | 'company_name' | 'customer_group_id'>

/** The input of a new company user. */
export interface NewUser extends NewBuyer {
  company: UserCompany
  phoneNumber: string
  roleId: number
  uuid: string
  extraValues: ExtraValues
}

/**
 * Adds users to existing companies: all of them, or none.
 * @param at the paths of the fields of an item
 * @throws Problem 403, 422
 */
export async function addUsers(
  db: Db,
  bodies: readonly NewCompanyUser[],
  { at, caller }: BuyerRequest,
): Promise<UserRow[]> {
  const fields = await extraFieldsOf(db, 'user')
  refuse(mistakesIn(bodies, fields, at))
  const channels = await channelsOfBuyers(db, bodies, at, undefined)
  return db.transaction(async (tx) => {
    const ids = await takeIds(tx, [[companyUsers, bodies.length]])
    await lockLogins(tx)
    const companies = await lockCompaniesShared(tx, bodies, at)
    await lockRoles(tx, bodies, at)
    const users = bodies.map((body, i): NewUser => {
      const company = companies.get(body.companyId)
      const places = channels[i]
      if (!company || !places) throw new Error('A checked user has no company.')
      const { email, firstName, lastName, phoneNumber = '', uuid = '', acceptWelcomeEmail: isWelcomed = false } = body
      const person = { email, firstName, lastName, phoneNumber, uuid, isWelcomed }
      return {
        ...person,
        ...places,
        company,
        roleId: roleIn(body) ?? 0,
        extraValues: newExtraValues(fields, body.extraFields),
      }
    })
    const stored = await createUsers(tx, ids, users, { at, caller, fields })
    await refuseFull(tx, bodies, at)
    return stored
  })
}

function mistakesIn(bodies: readonly NewCompanyUser[], fields: readonly ExtraField[], at: ItemPath): Mistakes {
  const mistakes: Mistakes = {}
  for (const [i, body] of bodies.entries()) {
    if (roleIn(body) === undefined) mistakes[at(i, 'non_field_errors')] = 'A user must have a role.'
    const { extraFields } = newExtraMistakes(fields, body.extraFields)
    if (extraFields !== undefined) mistakes[at(i, 'extraFields')] = extraFields
  }
  return mistakes
}

/** The role id in a body; undefined without one. */
export const roleIn = ({ role, companyRoleId }: { role?: number; companyRoleId?: number }) =>
  companyRoleId ?? (role === undefined ? undefined : roleOfNumber(role))

/** Locks companies against deletion. @throws Problem 422 */
async function lockCompaniesShared(tx: Tx, bodies: readonly { companyId: number }[], at: ItemPath) {
  const wanted = [...new Set(bodies.map(({ companyId }) => companyId))]
  const rows = await tx.rows<UserCompany>(sql`
    select id, company_name, customer_group_id from companies
    where store_id = ${tx.store.id} and id = any(${wanted}) order by id for key share`)
  const companies = new Map(rows.map((row) => [row.id, row]))
  const missing = bodies.flatMap(({ companyId }, i) =>
    companies.has(companyId) ? [] : [[at(i, 'companyId'), unknownId('company', companyId)]],
  )
  refuse(Object.fromEntries(missing))
  return companies
}

/** Locks roles against deletion. @throws Problem 422 */
async function lockRoles(tx: Tx, bodies: readonly NewCompanyUser[], at: ItemPath) {
  const wanted = bodies.map((body) => roleIn(body) ?? 0)
  const there = await lockIdsShared(tx, companyRoles, wanted)
  const missing = wanted.flatMap((id, i) =>
    there.has(id) ? [] : [[at(i, 'companyRoleId'), unknownId('company role', id)]],
  )
  refuse(Object.fromEntries(missing))
}

/**
 * Creates company users for the customers with their e-mail addresses, which are created if none exist. The caller has locked the
 * counters of users and logins, and the companies.
 * @param fields the extra fields of users
 * @param isSilent whether no events of users are published
 * @throws Problem 422 for the address of another user, 403 for a sales representative that did not create the customer
 */
export async function createUsers(
  tx: Tx,
  ids: NewIds,
  users: readonly NewUser[],
  { at, caller, fields, isSilent = false }: BuyerRequest & { fields: readonly ExtraField[]; isSilent?: boolean },
): Promise<UserRow[]> {
  refuse(await takenEmails(tx, users, at))
  const customers = await customersOfBuyers(tx, users, { at, caller })
  const now = toSeconds(tx.now)
  const stored = await insertAll(
    tx,
    companyUsers,
    users.map((user, i) => ({
      id: ids.next(companyUsers),
      company_id: user.company.id,
      customer_id: customers[i] ?? 0,
      company_role_id: user.roleId,
      phone_number: user.phoneNumber,
      uuid: user.uuid,
      origin_channel_id: user.originChannel,
      channel_ids: user.channels,
      extra_values: user.extraValues,
      created_at: now,
      updated_at: now,
    })),
  )
  await claimUniqueValues(tx, companyUsers.table, fields, stored)
  await moveOrdersOfNewUsers(
    tx,
    stored.map(({ customer_id }) => customer_id),
  )
  if (!isSilent) for (const user of stored) publishUser(tx, 'created', user)
  return stored
}

/** @throws Problem 422 for companies with too many users */
async function refuseFull(tx: Tx, bodies: readonly { companyId: number }[], at: ItemPath) {
  const wanted = [...new Set(bodies.map(({ companyId }) => companyId))]
  const rows = await tx.rows<{ company_id: number }>(sql`
    select company_id from company_users where store_id = ${tx.store.id} and company_id = any(${wanted})
    group by company_id having count(*) > ${USERS_MAX}`)
  const full = new Set(rows.map(({ company_id }) => company_id))
  const mistakes = bodies.flatMap(({ companyId }, i) =>
    full.has(companyId) ? [[at(i, 'companyId'), `A company can have at most ${USERS_MAX} users.`]] : [],
  )
  refuse(Object.fromEntries(mistakes))
}
