import type { Db } from '../../../core/db/database.ts'
import { toSeconds } from '../../../core/rest/input/dates.ts'
import { hasAny, type Mistakes, refuse } from '../../../core/rest/input/mistakes.ts'
import { change, differences, insertAll, lock, takeIds } from '../../../core/rest/lists/verbs.ts'
import type { Problem } from '../../../core/rest/problem.ts'
import { changeCustomers } from '../../../customers/accounts/change.ts'
import { lockLogins } from '../../../customers/accounts/lookup.ts'
import { extraFieldsOf } from '../../../sales/b2b/extra-fields/definitions.ts'
import { changedExtraValues, newExtraMistakes, newExtraValues } from '../../../sales/b2b/extra-fields/values.ts'
import {
  findSuperAdmin,
  type NewSuperAdmin,
  publishSuperAdmin,
  type SuperAdminChanges,
  type SuperAdminRow,
  superAdmins,
} from '../../../sales/b2b/super-admins/super-admin.ts'
import { type BuyerRequest, channelsOfBuyers, contextOf, customersOfBuyers, takenEmails } from '../users/buyers.ts'
import { inBody } from '../users/user-changes.ts'

/**
 * Creates super admins: all of them, or none. Customers with their addresses become super admins; others are created.
 * @param refuseTaken makes the refusal 400 of the addresses of users and super admins
 * @throws Problem 400, 422
 */
export async function createSuperAdmins(
  db: Db,
  bodies: readonly NewSuperAdmin[],
  { at, caller, refuseTaken }: BuyerRequest & { refuseTaken: (taken: Mistakes) => Problem },
): Promise<SuperAdminRow[]> {
  const fields = await extraFieldsOf(db, 'user')
  const mistakes = bodies.flatMap(({ extraFields }, i) =>
    Object.entries(newExtraMistakes(fields, extraFields)).map(([field, sentence]) => [at(i, field), sentence]),
  )
  refuse(Object.fromEntries(mistakes))
  const channels = await channelsOfBuyers(db, bodies, at, undefined)
  return db.transaction(async (tx) => {
    const ids = await takeIds(tx, [[superAdmins, bodies.length]])
    await lockLogins(tx)
    const taken = await takenEmails(tx, bodies, at)
    if (hasAny(taken)) throw refuseTaken(taken)
    const people = bodies.map(({ email, firstName, lastName }, i) => ({
      email,
      firstName,
      lastName,
      originChannel: channels[i]?.originChannel ?? 0,
      channels: channels[i]?.channels ?? [],
      isWelcomed: false,
    }))
    const customers = await customersOfBuyers(tx, people, { at, caller })
    const now = toSeconds(tx.now)
    const stored = await insertAll(
      tx,
      superAdmins,
      bodies.map(({ phone = '', uuid = '', extraFields }, i) => ({
        id: ids.next(superAdmins),
        customer_id: customers[i] ?? 0,
        phone,
        uuid,
        origin_channel_id: people[i]?.originChannel ?? 0,
        channel_ids: people[i]?.channels ?? [],
        extra_values: newExtraValues(fields, extraFields),
        created_at: now,
        updated_at: now,
      })),
    )
    for (const { id } of stored) publishSuperAdmin(tx, 'created', id)
    return stored
  })
}

/** Changes a super admin; other fields stay unchanged. Its name is also changed in the customer. @throws Problem 404, 422 */
export async function changeSuperAdmin(
  db: Db,
  id: number,
  body: SuperAdminChanges,
  caller: BuyerRequest['caller'],
): Promise<void> {
  const { firstName, lastName, phone, uuid, channelIds, extraFields } = body
  const definitions = extraFields ? await extraFieldsOf(db, 'user') : []
  const channels = channelIds && (await channelsOfBuyers(db, [{ channelIds }], inBody, undefined))[0]?.channels
  await db.transaction(async (tx) => {
    const row = await lock(tx, superAdmins, id)
    const before = await findSuperAdmin(tx, id)
    const person = { first_name: firstName, last_name: lastName }
    const extra_values = extraFields && changedExtraValues(definitions, row.extra_values, extraFields)
    const fields = { phone, uuid, channel_ids: channels, extra_values }
    if (Object.keys(differences(before, { ...person, ...fields })).length === 0) return
    if (firstName !== undefined || lastName !== undefined) {
      await changeCustomers(tx, [{ id: row.customer_id, ...person }], contextOf(inBody, caller, []))
    }
    await change(tx, superAdmins, row, { ...fields, updated_at: toSeconds(tx.now) })
    publishSuperAdmin(tx, 'updated', id)
  })
}
