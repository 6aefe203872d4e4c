import type { Tx } from '../../core/db/database.ts'
import { publish } from '../../core/events/publish.ts'
import { toSeconds } from '../../core/rest/input/dates.ts'
import { type Mistakes, missing, refuse, repeated } from '../../core/rest/input/mistakes.ts'
import { fold } from '../../core/rest/lists/fold.ts'
import { insertAll, takeIds } from '../../core/rest/lists/verbs.ts'
import { type Problem, unknownId } from '../../core/rest/problem.ts'
import { knownChannels } from '../../shop/channels/channels.ts'
import { sendEmail } from '../../shop/emails/sending/send.ts'
import { globalLogins, takenLogins } from '../logins/logins.ts'
import { lockGroupsShared } from '../row/groups.ts'
import { storeCustomerNames } from '../row/names.ts'
import { type Customer, customers } from '../row/shape.ts'
import { writeCreditChanges } from '../row/store-credit.ts'
import { defaultGroupsOf } from '../settings.ts'
import { type NewSubResources, planSubResources } from './sub-resources.ts'

/** Fields of a customer that both APIs can set. */
export type CustomerFields = Partial<
  Pick<
    Customer,
    | 'email'
    | 'first_name'
    | 'last_name'
    | 'company'
    | 'phone'
    | 'registration_ip_address'
    | 'notes'
    | 'tax_exempt_category'
    | 'customer_group_id'
    | 'accepts_product_review_abandoned_cart_emails'
    | 'channel_ids'
  >
> & {
  force_password_reset?: boolean | undefined
  /** The result of `hashPassword`. */
  password_hash?: string | undefined
  store_credit?: number | undefined
}

/** A customer to store. */
export interface NewCustomerAccount extends CustomerFields, NewSubResources {
  email: string
  first_name: string
  last_name: string
  origin_channel_id?: number | undefined
  /** Whether the customer gets the welcome mail. */
  isWelcomed?: boolean | undefined
}

/** Gives the path of a field of the nth customer in a body: `0.email`, or `email` if the body is not a list. */
export type ItemPath = (i: number, field: string) => string

/** The parts of a request that differ between the v2 and the v3 API. */
export interface RequestContext {
  at: ItemPath
  /** @param mistakes all other mistakes @param taken e-mail addresses that are taken, by field */
  refuseTaken(mistakes: Mistakes, taken: Mistakes): Problem
  /** The API account of the request. */
  clientId: string
}

const blank = {
  company: '',
  phone: '',
  registration_ip_address: '',
  notes: '',
  tax_exempt_category: '',
  accepts_product_review_abandoned_cart_emails: false,
}

/**
 * Creates customers, all or none (docs/contract/customers.md sections 2.3 and 2.5).
 * @returns the stored customers in the order of the accounts
 * @throws Problem 422 with all mistakes, or the refusal of `context` for e-mail addresses that are taken
 */
export async function createCustomers(
  tx: Tx,
  accounts: readonly NewCustomerAccount[],
  context: RequestContext,
): Promise<Customer[]> {
  const { at } = context
  const plan = planSubResources(accounts)
  // Locks the same counter as `lockLogins`.
  const ids = await takeIds(tx, [[customers, accounts.length], ...plan.wanted])
  const isGlobal = await globalLogins(tx)
  const logins = accounts.map(({ email, origin_channel_id = 1, channel_ids }, i) => ({
    email,
    channel_ids: sortedChannels(channel_ids, isGlobal(origin_channel_id) ? null : [origin_channel_id]),
    blamed: at(i, 'email'),
  }))
  const parts = await plan.read(tx, at)
  const mistakes = {
    ...(await unknownChannels(tx, accounts, at)),
    ...(await unknownGroups(tx, accounts, at)),
    ...parts.mistakes,
  }
  refuseMistakes(mistakes, { ...(await takenLogins(tx, logins, isGlobal)), ...sentTwice(accounts, at) }, context)

  const ungrouped = accounts.filter(({ customer_group_id }) => customer_group_id === undefined)
  const groups = await defaultGroupsOf(
    tx,
    ungrouped.map(({ origin_channel_id = 1 }) => origin_channel_id),
  )
  const now = toSeconds(tx.now)
  const rows = accounts.map((account, i) => {
    const { isWelcomed: _, addresses: _a, attributes: _v, form_fields: _f, ...given } = account
    const { force_password_reset = false, ...fields } = given
    return {
      ...blank,
      ...fields,
      ...plan.countsOf(i),
      id: ids.next(customers),
      origin_channel_id: fields.origin_channel_id ?? 1,
      channel_ids: logins[i]?.channel_ids ?? null,
      customer_group_id: fields.customer_group_id ?? groups.get(fields.origin_channel_id ?? 1) ?? 0,
      date_created: now,
      date_modified: now,
      authentication: { force_password_reset },
      password_hash: fields.password_hash ?? null,
      store_credit: fields.store_credit ?? 0,
    }
  })
  const created = await insertAll(tx, customers, rows)
  await storeCustomerNames(tx, created)
  const credits = rows.map(({ id, store_credit }) => ({ customer_id: id, before: 0, after: store_credit }))
  await writeCreditChanges(tx, credits, 'api', context.clientId)
  for (const { id } of created) publishCustomer(tx, 'created', id)
  await parts.store(
    created.map(({ id }) => id),
    ids,
  )
  for (const [i, customer] of created.entries()) if (accounts[i]?.isWelcomed) await welcome(tx, customer)
  return created
}

/** Sorts a list of channels and drops duplicates. */
export const sortedChannels = (
  channels: readonly number[] | null | undefined,
  otherwise: number[] | null,
): number[] | null =>
  channels === undefined ? otherwise : channels && [...new Set(channels)].sort((one, other) => one - other)

/** @throws Problem if there are mistakes */
export function refuseMistakes(mistakes: Mistakes, taken: Mistakes, { refuseTaken }: RequestContext) {
  if (Object.keys(taken).length > 0) throw refuseTaken(mistakes, taken)
  refuse(mistakes)
}

/**
 * A mistake for each channel that the store does not have. A deleted channel is unknown unless the account lists it already, so that a
 * client can send an account back as it was read.
 * @param had the lists before the change
 */
export async function unknownChannels(
  tx: Tx,
  accounts: readonly { origin_channel_id?: number | undefined; channel_ids?: number[] | null | undefined }[],
  at: ItemPath,
  had: readonly (readonly number[])[] = [],
): Promise<Mistakes> {
  const origins = accounts.map(({ origin_channel_id }) => origin_channel_id)
  const known = await knownChannels(
    tx,
    accounts.flatMap(({ origin_channel_id = [], channel_ids }) => [origin_channel_id, channel_ids ?? []].flat()),
  )
  const mistakes: Mistakes = {}
  for (const [i, { channel_ids }] of accounts.entries()) {
    const origin = origins[i]
    if (origin !== undefined && !known.has(origin)) mistakes[at(i, 'origin_channel_id')] = noChannel(origin)
    const place = (j: number) => at(i, `channel_ids.${j}`)
    const there = { has: (id: number) => known.has(id) || had[i]?.includes(id) === true }
    Object.assign(mistakes, missing(channel_ids ?? [], there, place, noChannel))
  }
  return mistakes
}

const noChannel = (id: number) => unknownId('channel', id)

/** A mistake for each unknown group. It locks the existing groups: call it before customers are locked. */
export async function unknownGroups(tx: Tx, accounts: readonly CustomerFields[], at: ItemPath): Promise<Mistakes> {
  const there = await lockGroupsShared(
    tx,
    accounts.flatMap(({ customer_group_id }) => customer_group_id || []),
  )
  return Object.fromEntries(
    accounts.flatMap(({ customer_group_id: id = 0 }, i) =>
      id === 0 || there.has(id) ? [] : [[at(i, 'customer_group_id'), unknownId('customer group', id)]],
    ),
  )
}

const sentTwice = (accounts: readonly NewCustomerAccount[], at: ItemPath) =>
  repeated(
    accounts,
    ({ email }) => fold(email),
    (i) => at(i, 'email'),
    'Another item has this e-mail address, which is then already in use.',
  )

/** Enqueues the welcome mail of the origin channel. */
function welcome(tx: Tx, { email, first_name, last_name, origin_channel_id }: Customer) {
  const full_name = `${first_name} ${last_name}`
  return sendEmail(tx, 'createaccount_email', {
    to: email,
    channel: origin_channel_id,
    locale: '',
    context: { customer: { first_name, full_name, email, group: [] } },
  })
}

/** Publishes an event of a customer (docs/contract/webhooks.md section 6). */
export function publishCustomer(tx: Tx, action: 'created' | 'updated' | 'deleted', id: number) {
  publish(tx, `store/customer/${action}`, `customer ${id}`, { type: 'customer', id })
}
