import t, { type Static } from 'typebox'
import type { Db, Tx } from '../../core/db/database.ts'
import { type Sql, sql } from '../../core/db/sql.ts'
import { answer } from '../../core/rest/answer.ts'
import type { Api } from '../../core/rest/api.ts'
import { toSeconds } from '../../core/rest/input/dates.ts'
import { Id } from '../../core/rest/input/fields.ts'
import { type Mistakes, refuse } from '../../core/rest/input/mistakes.ts'
import { CursorMeta, envelope, type ListQuery } from '../../core/rest/lists/collection.ts'
import { lockCounters } from '../../core/rest/lists/counters.ts'
import { ComparedText } from '../../core/rest/lists/filters.ts'
import { fold } from '../../core/rest/lists/fold.ts'
import { findRows } from '../../core/rest/lists/pages.ts'
import { paging } from '../../core/rest/lists/paging.ts'
import { Problem, unknownId } from '../../core/rest/problem.ts'
import { access } from '../../stores/accounts/scopes.ts'
import { sharedLimit } from '../../stores/quotas/concurrency-limit.ts'
import { customersOfAddresses, publishAddress } from '../addresses/shape.ts'
import { FormFieldType, findDefinitions } from '../form-fields/shape.ts'
import {
  AddressFormFieldValue,
  CustomerFormFieldValue,
  FormFieldValue,
  formFieldValues,
  lockFieldsShared,
  readValues,
  type StoredValue,
  type ValueOwner,
  valueRow,
  writeValues,
} from '../form-fields/values.ts'
import { lockCustomers } from '../row/shape.ts'
import { publishCustomer } from './create.ts'

const WRITTEN_MAX = 50
const AT_ONCE = 10

const { read, write } = access('customers')

const ValueAnswer = t.Union([CustomerFormFieldValue, AddressFormFieldValue])

const Filters = t.Object({
  customer_id: t.Optional(Id),
  address_id: t.Optional(Id),
  field_name: t.Optional(ComparedText),
  field_type: t.Optional(FormFieldType),
})
type Filters = Static<typeof Filters>
const ValueQuery = t.Unsafe<Filters & ListQuery>(
  t.Object(
    { ...Filters.properties, ...paging, after: t.Optional(t.String()), before: t.Optional(t.String()) },
    { additionalProperties: false },
  ),
)

const Item = t.Object(
  { ...FormFieldValue.properties, customer_id: t.Optional(Id), address_id: t.Optional(Id) },
  { title: 'FormFieldValueOfOwner', description: 'A value of either a customer or an address' },
)
type Item = Static<typeof Item>
const Body = t.Array(Item, {
  minItems: 1,
  maxItems: WRITTEN_MAX,
  examples: [[{ name: 'Nickname', value: 'Annie', customer_id: 1 }]],
})

/** Routes of the values of form fields of all customers and addresses (docs/contract/form-fields.md section 3). */
export function formFieldValueRoutes(api: Api) {
  const path = '/customers/form-field-values'
  const atOnce = sharedLimit('form field values: change', AT_ONCE)

  api.get(
    path,
    {
      ...read,
      schema: {
        summary: 'List the values of form fields',
        description: 'With customer_id, lists the values of the customer without those of the addresses.',
        querystring: ValueQuery,
        response: { 200: t.Object({ data: t.Array(ValueAnswer), meta: CursorMeta }) },
      },
    },
    async ({ db, query }) => {
      const { data, meta } = await findRows(db, formFieldValues, query, await matching(db, query))
      // Without a selection of fields each row is whole.
      return answer(
        data.map((row) => valueToAnswer(row as StoredValue)),
        meta,
      )
    },
  )

  api.put(
    path,
    {
      ...write,
      schema: {
        summary: 'Set values of form fields',
        description: 'Replaces the values of the same fields. Either all are stored or none.',
        body: Body,
        response: { 200: envelope(t.Array(ValueAnswer)) },
      },
    },
    ({ db, body }) => atOnce.run(db.store, async () => answer(await db.transaction((tx) => setValues(tx, body)))),
  )
}

const valueToAnswer = ({
  name,
  value,
  customer_id,
  address_id,
}: Omit<StoredValue, 'id'>): Static<typeof ValueAnswer> =>
  address_id === 0 ? { name, value, customer_id } : { name, value, address_id }

async function matching(db: Db, query: Filters): Promise<Sql | undefined> {
  const { customer_id, address_id, field_name, field_type } = query
  if (customer_id !== undefined && address_id !== undefined) {
    throw new Problem(422, 'The query is not valid: customer_id and address_id must not be sent together.')
  }
  const conditions: Sql[] = []
  if (customer_id !== undefined) conditions.push(sql`customer_id = ${customer_id} and address_id = 0`)
  if (address_id !== undefined) conditions.push(sql`address_id = ${address_id}`)
  if (field_name !== undefined || field_type !== undefined) {
    const fields = (await findDefinitions(db)).filter(
      ({ name, type }) =>
        (field_name === undefined || fold(name) === fold(field_name)) &&
        (field_type === undefined || type === field_type),
    )
    conditions.push(sql`field_id = any(${fields.map(({ id }) => id)})`)
  }
  return conditions.length > 0 ? sql.and(conditions) : undefined
}

/** Sets values of customers and addresses, all or none. @throws Problem 422 with all mistakes */
export async function setValues(tx: Tx, body: readonly Item[]): Promise<Static<typeof ValueAnswer>[]> {
  await lockCounters(tx, [formFieldValues.table])
  const before = await ownersOf(tx, body)
  const customers = await lockCustomers(
    tx,
    before.flatMap((owner) => owner?.customer_id ?? []),
  )
  // Again with the customers locked: an address may have been deleted meanwhile.
  const owners = await ownersOf(tx, body)
  const fields = { customer: await lockFieldsShared(tx, 'customer'), address: await lockFieldsShared(tx, 'address') }
  const mistakes: Mistakes = {}
  const rows = new Map<string, Omit<StoredValue, 'id'>>()
  for (const [i, item] of body.entries()) {
    const owner = owners[i]
    if (!owner || !customers.has(owner.customer_id)) {
      Object.assign(mistakes, ownerMistakes(item, i))
      continue
    }
    const ofKind = fields[item.address_id === undefined ? 'customer' : 'address']
    const read = readValues([item], ofKind, (_, part) => `${i}.${part}`)
    Object.assign(mistakes, read.mistakes)
    for (const value of read.values) {
      const key = `${owner.customer_id} ${owner.address_id} ${value.field.id}`
      // The last of two values counts, at its own position.
      rows.delete(key)
      rows.set(key, valueRow(owner, value))
    }
  }
  refuse(mistakes)
  await publishOwners(tx, await writeValues(tx, [...rows.values()]))
  return [...rows.values()].map(valueToAnswer)
}

/** The owner of each item: a customer, existing or not, or an existing address; undefined for any other item. */
async function ownersOf(tx: Tx, body: readonly Item[]): Promise<(ValueOwner | undefined)[]> {
  const addressIds = body.flatMap(({ address_id }) => address_id ?? [])
  const customerOf = await customersOfAddresses(tx, addressIds)
  return body.map(({ customer_id, address_id }) => {
    if (customer_id !== undefined) return address_id === undefined ? { customer_id, address_id: 0 } : undefined
    const owner = customerOf.get(address_id ?? 0)
    return owner === undefined ? undefined : { customer_id: owner, address_id: address_id ?? 0 }
  })
}

/** The mistakes of an item without an existing owner. */
function ownerMistakes({ customer_id, address_id }: Item, i: number): Mistakes {
  if (customer_id !== undefined && address_id !== undefined) {
    return { [`${i}.address_id`]: 'Send either customer_id or address_id, not both.' }
  }
  if (address_id !== undefined) return { [`${i}.address_id`]: unknownId('address', address_id) }
  return {
    [`${i}.customer_id`]: customer_id === undefined ? 'error.path.missing' : unknownId('customer', customer_id),
  }
}

/** Updates the date_modified of customers and publishes the change. */
async function touchCustomers(tx: Tx, ids: readonly number[]) {
  const changed = [...new Set(ids)]
  if (changed.length === 0) return
  await tx.rows(sql`
    update customers set date_modified = ${toSeconds(tx.now)} where store_id = ${tx.store.id} and id = any(${changed})`)
  for (const id of changed) publishCustomer(tx, 'updated', id)
}

/** Publishes the changes of customers and addresses (docs/contract/webhooks.md section 6). */
async function publishOwners(tx: Tx, owners: readonly ValueOwner[]) {
  const changed = owners.filter(({ address_id }) => address_id === 0).map(({ customer_id }) => customer_id)
  await touchCustomers(tx, changed)
  const published = new Set<number>()
  for (const { customer_id, address_id } of owners) {
    if (address_id === 0 || published.has(address_id)) continue
    published.add(address_id)
    publishAddress(tx, 'updated', { id: address_id, customer_id })
  }
}
