import type { Db, Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { toSeconds } from '../../../core/rest/input/dates.ts'
import { type Mistakes, refuse } from '../../../core/rest/input/mistakes.ts'
import { insertAll, type NewIds } from '../../../core/rest/lists/verbs.ts'
import { Problem } from '../../../core/rest/problem.ts'
import { changeCustomers } from '../../../customers/accounts/change.ts'
import { createCustomers, type RequestContext } from '../../../customers/accounts/create.ts'
import { findCustomerByEmail } from '../../../customers/accounts/lookup.ts'
import { FIRST_CHANNEL, knownChannels, storefronts } from '../../../shop/channels/channels.ts'
import type { Asker, CompanyRow } from '../row/company.ts'
import { companyUsers, isTaken, tellOfUser, USERS_MAX, type UserRow } from '../row/user.ts'
import { recordMaker, refuseUnmade } from './made-customers.ts'

/** Somebody who is to buy for a company. */
export interface NewUser {
  email: string
  firstName: string
  lastName: string
  phoneNumber: string
  roleId: number
  uuid: string
  originChannel: number
  channels: number[]
  /** Whether a customer who is made for it is told by mail. */
  isWelcomed: boolean
}

/** The names that a body has for the fields of a customer. */
export type FieldNames = Readonly<Record<'email' | 'first_name' | 'last_name', string>>

/**
 * Makes the user of a company: the customer with the e-mail address, who is made where there is none. To be called while the counters
 * of users and of logins are held, and the company is kept.
 * @throws Problem 422 for the address of another user, 403 for a sales representative who did not make the customer
 */
export async function createUser(
  tx: Tx,
  ids: NewIds,
  company: Pick<CompanyRow, 'id' | 'company_name' | 'customer_group_id'>,
  { user, names, asker }: { user: NewUser; names: FieldNames; asker: Asker },
): Promise<UserRow> {
  if (await isTaken(tx, user.email)) refuse({ [names.email]: `${user.email} is a user of a company already.` })
  const known = await findCustomerByEmail(tx, user.email, user.originChannel)
  if (known !== undefined) await refuseUnmade(tx, asker.salesRep, known, names.email)
  const customerId = await linkCustomer(tx, company, user, { known, manner: mannerOf(names, asker.clientId) })
  if (known === undefined && asker.salesRep !== undefined) await recordMaker(tx, asker.salesRep, customerId)
  const now = toSeconds(tx.now)
  const [stored] = await insertAll(tx, companyUsers, [
    {
      id: ids.next(companyUsers),
      company_id: company.id,
      customer_id: customerId,
      company_role_id: user.roleId,
      phone_number: user.phoneNumber,
      uuid: user.uuid,
      origin_channel_id: user.originChannel,
      channel_ids: user.channels,
      created_at: now,
      updated_at: now,
    },
  ])
  if (!stored) throw new Error('A user was not stored.')
  tellOfUser(tx, 'created', stored)
  return stored
}

async function linkCustomer(
  tx: Tx,
  { company_name, customer_group_id }: Pick<CompanyRow, 'company_name' | 'customer_group_id'>,
  { email, firstName: first_name, lastName: last_name, originChannel, channels, isWelcomed }: NewUser,
  { known, manner }: { known: number | undefined; manner: RequestContext },
): Promise<number> {
  if (known !== undefined) {
    await changeCustomers(tx, [{ id: known, customer_group_id }], manner)
    return known
  }
  const account = { email, first_name, last_name, company: company_name, customer_group_id, channel_ids: channels }
  const [created] = await createCustomers(tx, [{ ...account, origin_channel_id: originChannel, isWelcomed }], manner)
  if (!created) throw new Error('A customer was not stored.')
  return created.id
}

/** How customers are spoken of in the bodies of this API. */
export const mannerOf = (names: FieldNames, clientId: string): RequestContext => ({
  at: (_i, field) => (Object.hasOwn(names, field) ? names[field as keyof FieldNames] : field),
  refuseTaken: (mistakes, taken) =>
    new Problem(422, 'The user can not be stored.', {
      ...mistakes,
      ...Object.fromEntries(Object.values(taken).map((said) => [names.email, said])),
    }),
  clientId,
})

/** @throws Problem 422 for one user too many */
export async function refuseFull(tx: Tx, companyId: number) {
  const { total } = await tx.row<{ total: number }>(sql`
    select count(*)::int as total from company_users where store_id = ${tx.store.id} and company_id = ${companyId}`)
  if (total > USERS_MAX) throw new Problem(422, `A company can have at most ${USERS_MAX} users.`)
}

/**
 * Where a new user comes from and may sign in: as the body says, or at the store's only storefront.
 * @param fallback what is taken where a store has several storefronts and the body names none; undefined refuses that
 * @throws Problem 422
 */
export async function placesOf(
  db: Db,
  { originChannelId, channelIds }: { originChannelId?: number | undefined; channelIds?: number[] | undefined },
  fallback: number | undefined,
) {
  const [first, second] = await storefronts(db)
  const only = second === undefined ? (first?.id ?? FIRST_CHANNEL) : fallback
  const channels = channelIds ?? (originChannelId === undefined ? only && [only] : [originChannelId])
  if (!channels)
    throw new Problem(422, '', { channelIds: 'The store has several storefronts: name those of the user.' })
  const originChannel = originChannelId ?? channels[0] ?? FIRST_CHANNEL
  const known = await knownChannels(db, [originChannel, ...channels])
  const mistakes: Mistakes = {}
  const missing = channels.filter((id) => !known.has(id))
  if (missing.length > 0) mistakes.channelIds = `These channels do not exist: ${missing.join(', ')}.`
  if (originChannelId !== undefined && !known.has(originChannelId)) {
    mistakes.originChannelId = `The channel ${originChannelId} does not exist.`
  }
  refuse(mistakes)
  return { originChannel, channels: [...new Set(channels)].sort((one, other) => one - other) }
}
