import type { Db, Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { toSeconds } from '../../../core/rest/input/dates.ts'
import { type Mistakes, refuse } from '../../../core/rest/input/mistakes.ts'
import { insertAll, type NewIds } from '../../../core/rest/lists/verbs.ts'
import { Problem, unknownId } from '../../../core/rest/problem.ts'
import { changeCustomers } from '../../../customers/accounts/change.ts'
import { createCustomers, type RequestContext } from '../../../customers/accounts/create.ts'
import { findCustomerByEmail } from '../../../customers/accounts/lookup.ts'
import type { CompanionCaller, CompanyRow } from '../../../sales/b2b/companies/company.ts'
import { companyUsers, isEmailTaken, publishUser, USERS_MAX, type UserRow } from '../../../sales/b2b/companies/user.ts'
import type { ExtraField } from '../../../sales/b2b/extra-fields/field.ts'
import { claimUniqueValues } from '../../../sales/b2b/extra-fields/unique.ts'
import type { ExtraValues } from '../../../sales/b2b/extra-fields/values.ts'
import { FIRST_CHANNEL, knownChannels, storefronts } from '../../../shop/channels/channels.ts'
import { recordCreator, refuseForeignCustomer } from './created-customers.ts'

/** The input of a new company user. */
export interface NewUser {
  email: string
  firstName: string
  lastName: string
  phoneNumber: string
  roleId: number
  uuid: string
  originChannel: number
  channels: number[]
  /** Whether a new customer receives the welcome mail. */
  isWelcomed: boolean
  extra: { fields: readonly ExtraField[]; values: ExtraValues }
}

/** The fields of a customer by their names in the body. */
export type FieldNames = Readonly<Record<'email' | 'first_name' | 'last_name', string>>

/**
 * Creates a company user for the customer with the e-mail address, which is created if none exists. The caller has locked the
 * counters of users and logins, and the company.
 * @throws Problem 422 for the address of another user, 403 for a sales representative that did not create the customer
 */
export async function createUser(
  tx: Tx,
  ids: NewIds,
  company: Pick<CompanyRow, 'id' | 'company_name' | 'customer_group_id'>,
  { user, names, caller }: { user: NewUser; names: FieldNames; caller: CompanionCaller },
): Promise<UserRow> {
  if (await isEmailTaken(tx, user.email)) refuse({ [names.email]: `${user.email} is already a user of a company.` })
  const existing = await findCustomerByEmail(tx, user.email, user.originChannel)
  if (existing !== undefined) await refuseForeignCustomer(tx, caller.salesRep, existing, names.email)
  const customerId = await linkCustomer(tx, company, user, { existing, context: contextOf(names, caller.clientId) })
  if (existing === undefined && caller.salesRep !== undefined) await recordCreator(tx, caller.salesRep, customerId)
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
      extra_values: user.extra.values,
      created_at: now,
      updated_at: now,
    },
  ])
  if (!stored) throw new Error('A user was not stored.')
  await claimUniqueValues(tx, companyUsers.table, user.extra.fields, [stored])
  publishUser(tx, 'created', stored)
  return stored
}

async function linkCustomer(
  tx: Tx,
  { company_name, customer_group_id }: Pick<CompanyRow, 'company_name' | 'customer_group_id'>,
  { email, firstName: first_name, lastName: last_name, originChannel, channels, isWelcomed }: NewUser,
  { existing, context }: { existing: number | undefined; context: RequestContext },
): Promise<number> {
  if (existing !== undefined) {
    await changeCustomers(tx, [{ id: existing, customer_group_id }], context)
    return existing
  }
  const account = { email, first_name, last_name, company: company_name, customer_group_id, channel_ids: channels }
  const [created] = await createCustomers(tx, [{ ...account, origin_channel_id: originChannel, isWelcomed }], context)
  if (!created) throw new Error('A customer was not stored.')
  return created.id
}

/** The context of customer changes: bodies of this API have other field names. */
export const contextOf = (names: FieldNames, clientId: string): RequestContext => ({
  at: (_i, field) => (Object.hasOwn(names, field) ? names[field as keyof FieldNames] : field),
  refuseTaken: (mistakes, taken) =>
    new Problem(422, "The user can't be stored.", {
      ...mistakes,
      ...Object.fromEntries(Object.values(taken).map((sentence) => [names.email, sentence])),
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
 * The origin channel of a user and the channels at which it may sign in: those of the body, or the store's only storefront.
 * @param fallback the channel for stores with several storefronts; undefined refuses a body without channels
 * @throws Problem 422
 */
export async function channelsOfUser(
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
    mistakes.originChannelId = unknownId('channel', originChannelId)
  }
  refuse(mistakes)
  return { originChannel, channels: [...new Set(channels)].sort((one, other) => one - other) }
}
