import type { Db, Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { toSeconds } from '../../../core/rest/input/dates.ts'
import { refuse } from '../../../core/rest/input/mistakes.ts'
import { lockCounters } from '../../../core/rest/lists/counters.ts'
import { change, differences, lock, remove, takeIds } from '../../../core/rest/lists/verbs.ts'
import { invalid, Problem, unknownId } from '../../../core/rest/problem.ts'
import { changeCustomers } from '../../../customers/accounts/change.ts'
import { lockLogins, moveToGroup } from '../../../customers/accounts/lookup.ts'
import type { CompanionCaller, CompanyRow } from '../../../sales/b2b/companies/company.ts'
import { lockRoleShared, roleOfNumber } from '../../../sales/b2b/companies/roles.ts'
import {
  companyUsers,
  findUser,
  isEmailTaken,
  type NewCompanyUser,
  publishUser,
  type UserChanges,
  type UserRow,
} from '../../../sales/b2b/companies/user.ts'
import { extraFieldsOf } from '../../../sales/b2b/extra-fields/definitions.ts'
import { claimUniqueValues } from '../../../sales/b2b/extra-fields/unique.ts'
import { changedExtraValues, newExtraValues } from '../../../sales/b2b/extra-fields/values.ts'
import { endTokensOf } from '../tokens/storefront-tokens.ts'
import { refuseForeignCustomer } from './created-customers.ts'
import { channelsOfUser, contextOf, createUser, refuseFull } from './new-user.ts'

const names = { email: 'email', first_name: 'firstName', last_name: 'lastName' }

/** Adds a user to an existing company. @throws Problem 403, 422 */
export async function addUser(db: Db, body: NewCompanyUser, caller: CompanionCaller): Promise<UserRow> {
  const fields = await extraFieldsOf(db, 'user')
  const values = newExtraValues(fields, body.extraFields)
  const role = roleIn(body)
  if (role === undefined) throw invalid({ non_field_errors: 'A user must have a role.' })
  const { originChannel, channels } = await channelsOfUser(db, body, undefined)
  return db.transaction(async (tx) => {
    const ids = await takeIds(tx, [[companyUsers, 1]])
    await lockLogins(tx)
    const company = await lockCompanyShared(tx, body.companyId)
    await lockRoleShared(tx, role)
    const { email, firstName, lastName, phoneNumber = '', uuid = '', acceptWelcomeEmail: isWelcomed = false } = body
    const person = { email, firstName, lastName, phoneNumber }
    const user = { ...person, uuid, roleId: role, originChannel, channels, isWelcomed, extra: { fields, values } }
    const stored = await createUser(tx, ids, company, { user, names, caller })
    await refuseFull(tx, company.id)
    return stored
  })
}

/** The role id in a body; undefined without one. */
const roleIn = ({ role, companyRoleId }: { role?: number; companyRoleId?: number }) =>
  companyRoleId ?? (role === undefined ? undefined : roleOfNumber(role))

async function lockCompanyShared(tx: Tx, id: number) {
  const [company] = await tx.rows<Pick<CompanyRow, 'id' | 'company_name' | 'customer_group_id'>>(sql`
    select id, company_name, customer_group_id from companies
    where store_id = ${tx.store.id} and id = ${id} for key share`)
  if (!company) throw invalid({ companyId: unknownId('company', id) })
  return company
}

/** @throws Problem 403, 404, 422 */
export async function changeUser(db: Db, id: number, body: UserChanges, caller: CompanionCaller) {
  const { email, firstName, lastName, phoneNumber, uuid, channelIds } = body
  const definitions = body.extraFields ? await extraFieldsOf(db, 'user') : []
  const channels = channelIds && (await channelsOfUser(db, { channelIds }, undefined)).channels
  const role = roleIn(body)
  await db.transaction(async (tx) => {
    if (email !== undefined) await lockLogins(tx)
    const user = await lock(tx, companyUsers, id)
    if (role !== undefined) await lockRoleShared(tx, role)
    const before = await findUser(tx, id)
    if (email !== undefined && email !== before.email) {
      await refuseForeignCustomer(tx, caller.salesRep, before.customer_id, names.email)
    }
    if (email !== undefined && (await isEmailTaken(tx, email, id))) {
      refuse({ email: `${email} is already a user of a company.` })
    }
    const person = { email, first_name: firstName, last_name: lastName }
    const extra_values = body.extraFields && changedExtraValues(definitions, user.extra_values, body.extraFields)
    const fields = { phone_number: phoneNumber, uuid, company_role_id: role, channel_ids: channels, extra_values }
    if (Object.keys(differences(before, { ...person, ...fields })).length === 0) return
    if (Object.values(person).some((value) => value !== undefined)) {
      await changeCustomers(tx, [{ id: user.customer_id, ...person }], contextOf(names, caller.clientId))
    }
    const changed = await change(tx, companyUsers, user, { ...fields, updated_at: toSeconds(tx.now) })
    await claimUniqueValues(tx, companyUsers.table, definitions, [changed])
    publishUser(tx, 'updated', user)
  })
}

/** Deletes a user. The customer stays, without a group; the tokens end. @throws Problem 404, 422 for the last of a company */
export async function deleteUser(db: Db, id: number) {
  await db.transaction(async (tx) => {
    await lockCounters(tx, [companyUsers.table])
    const { customer_id, company_id } = await lock(tx, companyUsers, id)
    const others = await tx.rows(sql`
      select id from company_users where store_id = ${tx.store.id} and company_id = ${company_id} and id <> ${id} limit 1`)
    if (others.length === 0) throw new Problem(422, "The last user of a company can't be deleted.")
    await endTokensOf(tx, [customer_id])
    await remove(tx, companyUsers, id)
    publishUser(tx, 'deleted', { id, company_id })
    await moveToGroup(tx, [customer_id], 0)
  })
}
