import type { Db, Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { toSeconds } from '../../../core/rest/input/dates.ts'
import { refuse } from '../../../core/rest/input/mistakes.ts'
import { lockCounters } from '../../../core/rest/lists/counters.ts'
import { change, differences, lock, remove } from '../../../core/rest/lists/verbs.ts'
import { Problem } from '../../../core/rest/problem.ts'
import { changeCustomers } from '../../../customers/accounts/change.ts'
import type { ItemPath } from '../../../customers/accounts/create.ts'
import { lockLogins, moveToGroup } from '../../../customers/accounts/lookup.ts'
import type { CompanionCaller } from '../../../sales/b2b/companies/company.ts'
import { extraFieldsOf } from '../../../sales/b2b/extra-fields/definitions.ts'
import { claimUniqueValues } from '../../../sales/b2b/extra-fields/unique.ts'
import { changedExtraValues } from '../../../sales/b2b/extra-fields/values.ts'
import { deleteListsOfUsers, LIST_COUNTERS } from '../../../sales/b2b/lists/list-changes.ts'
import { endMasquerade } from '../../../sales/b2b/portal/masquerades.ts'
import { lockRoleShared } from '../../../sales/b2b/roles/roles.ts'
import { companyUsers, findUser, publishUser, type UserChanges } from '../../../sales/b2b/users/user.ts'
import { endTokensOf } from '../tokens/storefront-tokens.ts'
import { channelsOfBuyers, contextOf, takenEmails } from './buyers.ts'
import { refuseForeignCustomers } from './created-customers.ts'
import { roleIn } from './new-user.ts'

/** The fields of a customer by their names in bodies. */
const NAMES: Readonly<Record<string, string>> = { first_name: 'firstName', last_name: 'lastName' }

/** The paths of fields in a body that is no list. */
export const inBody: ItemPath = (_i, field) => NAMES[field] ?? field
/** The paths of fields in a list. */
export const inList: ItemPath = (i, field) => `${i}.${inBody(i, field)}`

/** @throws Problem 403, 404, 422 */
export async function changeUser(db: Db, id: number, body: UserChanges, caller: CompanionCaller) {
  const { email, firstName, lastName, phoneNumber, uuid, channelIds } = body
  const definitions = body.extraFields ? await extraFieldsOf(db, 'user') : []
  const channels = channelIds && (await channelsOfBuyers(db, [{ channelIds }], inBody, undefined))[0]?.channels
  const role = roleIn(body)
  await db.transaction(async (tx) => {
    if (email !== undefined) await lockLogins(tx)
    const user = await lock(tx, companyUsers, id)
    if (role !== undefined) await lockRoleShared(tx, role)
    const before = await findUser(tx, id)
    if (email !== undefined && email !== before.email) {
      await refuseForeignCustomers(tx, caller.salesRep, [{ id: before.customer_id, field: 'email' }])
    }
    if (email !== undefined) refuse(await takenEmails(tx, [{ email }], inBody, user.customer_id))
    const person = { email, first_name: firstName, last_name: lastName }
    const extra_values = body.extraFields && changedExtraValues(definitions, user.extra_values, body.extraFields)
    const fields = { phone_number: phoneNumber, uuid, company_role_id: role, channel_ids: channels, extra_values }
    if (Object.keys(differences(before, { ...person, ...fields })).length === 0) return
    if (Object.values(person).some((value) => value !== undefined)) {
      await changeCustomers(tx, [{ id: user.customer_id, ...person }], contextOf(inBody, caller, []))
    }
    const changed = await change(tx, companyUsers, user, { ...fields, updated_at: toSeconds(tx.now) })
    await claimUniqueValues(tx, companyUsers.table, definitions, [changed])
    publishUser(tx, 'updated', user)
  })
}

/**
 * Deletes a user. The customer stays, without a group; the tokens end.
 * @param check refuses the deletion; no other user of the store is deleted meanwhile
 * @throws Problem 404, 422 for the last of a company
 */
export async function deleteUser(db: Db, id: number, check?: (tx: Tx) => Promise<void>) {
  await db.transaction(async (tx) => {
    await lockCounters(tx, [...LIST_COUNTERS, companyUsers.table])
    const { customer_id, company_id } = await lock(tx, companyUsers, id)
    const others = await tx.rows(sql`
      select id from company_users where store_id = ${tx.store.id} and company_id = ${company_id} and id <> ${id} limit 1`)
    if (others.length === 0) throw new Problem(422, "The last user of a company can't be deleted.")
    await check?.(tx)
    await endTokensOf(tx, [customer_id])
    await endMasquerade(tx, customer_id)
    await deleteListsOfUsers(tx, [id])
    await remove(tx, companyUsers, id)
    publishUser(tx, 'deleted', { id, company_id })
    await moveToGroup(tx, [customer_id], 0)
  })
}
