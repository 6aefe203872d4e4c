import type { Tx } from '../../core/db/database.ts'
import { publish } from '../../core/events/publish.ts'
import { lockAll } from '../../core/rest/batch.ts'
import { toSeconds } from '../../core/rest/input/dates.ts'
import { type Mistakes, missing, repeatedIds } from '../../core/rest/input/mistakes.ts'
import { lockCounters } from '../../core/rest/lists/counters.ts'
import { fold } from '../../core/rest/lists/fold.ts'
import { change, differences } from '../../core/rest/lists/verbs.ts'
import { unknownId } from '../../core/rest/problem.ts'
import {
  type FormFieldValue,
  formFieldValues,
  lockFieldsShared,
  readValues,
  valueRow,
  writeValues,
} from '../form-fields/values.ts'
import { globalLogins, LOGINS, type Login, takenLogins } from '../logins/logins.ts'
import { storeCustomerNames } from '../row/names.ts'
import { type Customer, customers } from '../row/shape.ts'
import { creditsOf, writeCreditChanges } from '../row/store-credit.ts'
import {
  type CustomerFields,
  publishCustomer,
  type RequestContext,
  refuseMistakes,
  sortedChannels,
  unknownChannels,
  unknownGroups,
} from './create.ts'

/** Changes of a customer. Undefined fields remain. */
export interface AccountChanges extends CustomerFields {
  id: number
  form_fields?: FormFieldValue[] | undefined
}

/**
 * Changes customers, all or none. A customer without a difference is not changed, and no event is published.
 * @returns the stored customers in the order of the changes
 * @throws Problem 422 with all mistakes, or the refusal of `context` for e-mail addresses that are taken
 */
export async function changeCustomers(
  tx: Tx,
  accounts: readonly AccountChanges[],
  context: RequestContext,
): Promise<Customer[]> {
  const { at } = context
  const place = (i: number) => at(i, 'id')
  const movesLogins = accounts.some(({ email, channel_ids }) => email !== undefined || channel_ids !== undefined)
  const hasFormFields = accounts.some(({ form_fields = [] }) => form_fields.length > 0)
  await lockCounters(tx, [...(movesLogins ? [LOGINS] : []), ...(hasFormFields ? [formFieldValues.table] : [])])
  const wanted = accounts.map(({ id }) => id)
  const groupMistakes = await unknownGroups(tx, accounts, at)
  const before = await lockAll(tx, customers, wanted)
  const formFields = hasFormFields ? await readFormFields(tx, accounts, at) : { values: [], mistakes: {} }
  const mistakes = {
    ...repeatedIds(accounts, place),
    ...missing(wanted, before, place, (id) => unknownId('customer', id)),
    ...(await unknownChannels(
      tx,
      accounts,
      at,
      wanted.map((id) => before.get(id)?.channel_ids ?? []),
    )),
    ...emptied(accounts, before, at),
    ...groupMistakes,
    ...formFields.mistakes,
  }
  refuseMistakes(mistakes, movesLogins ? await takenBy(tx, accounts, before, context) : {}, context)

  const credits = accounts.some(({ store_credit }) => store_credit !== undefined)
    ? await creditsOf(tx, wanted)
    : new Map<number, number>()
  const refilled = new Set((await writeValues(tx, formFields.values)).map(({ customer_id }) => customer_id))
  const changed: Customer[] = []
  for (const account of accounts) {
    const customer = before.get(account.id)
    const has = { credit: credits.get(account.id) ?? 0, isRefilled: refilled.has(account.id) }
    if (customer) changed.push(await changeCustomer(tx, customer, account, has))
  }
  const { clientId } = context
  const creditChanges = accounts.map(({ id, store_credit }) => {
    const credit = credits.get(id) ?? 0
    return { customer_id: id, before: credit, after: store_credit ?? credit }
  })
  await writeCreditChanges(tx, creditChanges, 'api', clientId)
  return changed
}

async function changeCustomer(
  tx: Tx,
  customer: Customer,
  { id: _, form_fields: _f, force_password_reset, password_hash, store_credit, channel_ids, ...fields }: AccountChanges,
  { credit, isRefilled }: { credit: number; isRefilled: boolean },
): Promise<Customer> {
  // A new password ends a forced reset.
  const isForced = force_password_reset ?? (password_hash === undefined ? undefined : false)
  const changes = differences(customer, {
    ...fields,
    channel_ids: channel_ids === undefined ? undefined : sortedChannels(channel_ids, null),
    authentication: isForced === undefined ? undefined : { force_password_reset: isForced },
    password_hash,
    store_credit: store_credit === credit ? undefined : store_credit,
  })
  if (Object.keys(changes).length === 0 && !isRefilled) return customer
  const now = await change(tx, customers, customer, { ...changes, date_modified: toSeconds(tx.now) })
  if ('first_name' in changes || 'last_name' in changes) await storeCustomerNames(tx, [now])
  publishCustomer(tx, 'updated', now.id)
  if ('channel_ids' in changes) {
    publish(tx, 'store/customer/channel/login/access/updated', `customer ${now.id}`, {
      customer_id: now.id,
      channel_ids: now.channel_ids ?? [],
    })
  }
  return now
}

/** A mistake for each account that would lose all its channels. Only the deletion of the last channel empties a list. */
function emptied(
  accounts: readonly AccountChanges[],
  before: ReadonlyMap<number, Customer>,
  at: RequestContext['at'],
): Mistakes {
  return Object.fromEntries(
    accounts.flatMap(({ id, channel_ids }, i) =>
      channel_ids?.length === 0 && before.get(id)?.channel_ids?.length !== 0
        ? [[at(i, 'channel_ids'), 'channel_ids must hold at least 1.']]
        : [],
    ),
  )
}

/** Reads the values of form fields of accounts, and their mistakes. */
async function readFormFields(tx: Tx, accounts: readonly AccountChanges[], at: RequestContext['at']) {
  const fields = await lockFieldsShared(tx, 'customer')
  const read = accounts.map(({ id, form_fields = [] }, i) => {
    const { values, mistakes } = readValues(form_fields, fields, (j, part) => at(i, `form_fields.${j}.${part}`))
    return { values: values.map((value) => valueRow({ customer_id: id, address_id: 0 }, value)), mistakes }
  })
  return {
    values: read.flatMap(({ values }) => values),
    mistakes: Object.assign({}, ...read.map(({ mistakes }) => mistakes)),
  }
}

/** Mistakes of accounts that change their e-mail address or channels and conflict with another account. */
async function takenBy(
  tx: Tx,
  accounts: readonly AccountChanges[],
  before: ReadonlyMap<number, Customer>,
  { at }: RequestContext,
) {
  const logins = accounts.flatMap(({ id, email, channel_ids }, i): Login[] => {
    const customer = before.get(id)
    if (!customer) return []
    const login = { id, email: email ?? customer.email, channel_ids: sortedChannels(channel_ids, customer.channel_ids) }
    const isMoved = JSON.stringify(login.channel_ids) !== JSON.stringify(customer.channel_ids)
    const isRenamed = fold(login.email) !== fold(customer.email)
    const blamed = isRenamed ? at(i, 'email') : isMoved ? at(i, 'channel_ids') : undefined
    return [{ ...login, blamed }]
  })
  return takenLogins(tx, logins, await globalLogins(tx))
}
