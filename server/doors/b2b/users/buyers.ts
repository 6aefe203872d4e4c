import type { Db, Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { type Mistakes, refuse, repeated } from '../../../core/rest/input/mistakes.ts'
import { fold } from '../../../core/rest/lists/fold.ts'
import { Problem, unknownId } from '../../../core/rest/problem.ts'
import { changeCustomers } from '../../../customers/accounts/change.ts'
import { createCustomers, type ItemPath, type RequestContext } from '../../../customers/accounts/create.ts'
import { customerNames, findCustomersByEmail } from '../../../customers/accounts/lookup.ts'
import type { CompanionCaller } from '../../../sales/b2b/companies/company.ts'
import { FIRST_CHANNEL, knownChannels, storefronts } from '../../../shop/channels/channels.ts'
import { recordCreator, refuseForeignCustomers } from './created-customers.ts'

// The customers behind company users and super admins. A customer is one user of one company, or one super admin.

/** A customer who becomes a user or a super admin. */
export interface NewBuyer {
  email: string
  firstName: string
  lastName: string
  originChannel: number
  channels: number[]
  /** Whether a new customer receives the welcome mail. */
  isWelcomed: boolean
  /** The company of a user. */
  company?: { company_name: string; customer_group_id: number }
}

/** The names of fields in a body: the path of `email` of its first item, for example. */
export interface BuyerRequest {
  at: ItemPath
  caller: CompanionCaller
}

/**
 * Finds the customers of buyers, and creates missing ones. Existing ones move to the groups of their companies. The caller has locked
 * the logins (`lockLogins`) and refused addresses of other buyers (`takenEmails`).
 * @returns the ids of the customers, in the order of the buyers
 * @throws Problem 422, 403 for a sales representative that did not create a customer
 */
export async function customersOfBuyers(
  tx: Tx,
  buyers: readonly NewBuyer[],
  { at, caller }: BuyerRequest,
): Promise<number[]> {
  const existing = await findCustomersByEmail(
    tx,
    buyers.map(({ email, originChannel }) => ({ email, channel: originChannel })),
  )
  const indexed = buyers.map((buyer, i) => ({ buyer, i, id: existing[i] }))
  const linked = indexed.flatMap(({ buyer, i, id }) => (id === undefined ? [] : [{ buyer, i, id }]))
  await refuseForeignCustomers(
    tx,
    caller.salesRep,
    linked.map(({ id, i }) => ({ id, field: at(i, 'email') })),
  )
  const moved = linked.flatMap(({ buyer: { company }, i, id }) =>
    company ? [{ i, account: { id, customer_group_id: company.customer_group_id } }] : [],
  )
  if (moved.length > 0) {
    const accounts = moved.map(({ account }) => account)
    await changeCustomers(tx, accounts, contextOf(at, caller, moved))
  }
  const missing = indexed.filter(({ id }) => id === undefined)
  const created =
    missing.length > 0 ? await createCustomers(tx, missing.map(accountOf), contextOf(at, caller, missing)) : []
  await recordCreator(
    tx,
    caller.salesRep,
    created.map(({ id }) => id),
  )
  const made = new Map(missing.map(({ i }, n) => [i, created[n]?.id]))
  return indexed.map(({ i, id }) => id ?? made.get(i) ?? 0)
}

const accountOf = ({ buyer }: { buyer: NewBuyer }) => ({
  email: buyer.email,
  first_name: buyer.firstName,
  last_name: buyer.lastName,
  channel_ids: buyer.channels,
  origin_channel_id: buyer.originChannel,
  isWelcomed: buyer.isWelcomed,
  ...(buyer.company && {
    company: buyer.company.company_name,
    customer_group_id: buyer.company.customer_group_id,
  }),
})

/** The context of customer changes. @param items the items of the body that the changes belong to */
export const contextOf = (
  at: ItemPath,
  { clientId }: CompanionCaller,
  items: readonly { i: number }[],
): RequestContext => ({
  at: (n, field) => at(items[n]?.i ?? n, field),
  refuseTaken: (mistakes, taken) => new Problem(422, "The user can't be stored.", { ...mistakes, ...taken }),
  clientId,
})

/** Refusals of e-mail addresses that have a user or a super admin. */
const TAKEN = {
  user: (email: string) => `${email} is already a user of a company.`,
  'super admin': (email: string) => `${email} is already a super admin.`,
} as const

/**
 * The mistakes of e-mail addresses that stand twice in a body, or have a user or a super admin.
 * @param exceptCustomer the customer that keeps or changes its own address
 */
export async function takenEmails(
  tx: Tx,
  buyers: readonly { email: string }[],
  at: ItemPath,
  exceptCustomer = 0,
): Promise<Mistakes> {
  const keys = buyers.map(({ email }) => fold(email))
  const buyersIn = (table: string, kind: string) => sql`
    select p.email_key, ${kind}::text as kind from ${sql.id(table)} b join ${customerNames(tx)} p on p.id = b.customer_id
    where b.store_id = ${tx.store.id} and b.customer_id <> ${exceptCustomer} and p.email_key = any(${keys})`
  const rows = await tx.rows<{ email_key: string; kind: keyof typeof TAKEN }>(sql`
    ${buyersIn('company_users', 'user')} union all ${buyersIn('b2b_super_admins', 'super admin')}`)
  const kinds = new Map(rows.map(({ email_key, kind }) => [email_key, kind]))
  const mistakes = repeated(
    buyers,
    ({ email }) => fold(email),
    (i) => at(i, 'email'),
    'Another item has this e-mail address.',
  )
  for (const [i, { email }] of buyers.entries()) {
    const kind = kinds.get(fold(email))
    if (kind) mistakes[at(i, 'email')] = TAKEN[kind](email)
  }
  return mistakes
}

/** The channels in a body. */
interface WrittenChannels {
  originChannelId?: number | undefined
  channelIds?: number[] | undefined
}

/**
 * The origin channels of buyers and the channels at which they may sign in: those of the body, or the store's only storefront.
 * @param fallback the channel for stores with several storefronts; undefined refuses a body without channels
 * @throws Problem 422
 */
export async function channelsOfBuyers(
  db: Db,
  bodies: readonly WrittenChannels[],
  at: ItemPath,
  fallback: number | undefined,
) {
  const [first, second] = await storefronts(db)
  const only = second === undefined ? (first?.id ?? FIRST_CHANNEL) : fallback
  const wanted = bodies.map(({ originChannelId, channelIds }) => {
    const channels = channelIds ?? [originChannelId ?? only ?? []].flat()
    return { originChannel: originChannelId ?? channels[0] ?? FIRST_CHANNEL, channels }
  })
  const known = await knownChannels(
    db,
    wanted.flatMap(({ originChannel, channels }) => [originChannel, ...channels]),
  )
  const mistakes: Mistakes = {}
  for (const [i, { channels, originChannel }] of wanted.entries()) {
    const missing = channels.filter((id) => !known.has(id))
    if (channels.length === 0)
      mistakes[at(i, 'channelIds')] = 'The store has several storefronts: name those of the user.'
    if (missing.length > 0) mistakes[at(i, 'channelIds')] = `These channels do not exist: ${missing.join(', ')}.`
    if (bodies[i]?.originChannelId !== undefined && !known.has(originChannel)) {
      mistakes[at(i, 'originChannelId')] = unknownId('channel', originChannel)
    }
  }
  refuse(mistakes)
  return wanted.map(({ originChannel, channels }) => ({
    originChannel,
    channels: [...new Set(channels)].sort((one, other) => one - other),
  }))
}
