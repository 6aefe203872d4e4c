import t, { type Static } from 'typebox'
import { prepared, type Tx } from '../../core/db/database.ts'
import { sql } from '../../core/db/sql.ts'
import { answer, noContent } from '../../core/rest/answer.ts'
import type { Api } from '../../core/rest/api.ts'
import { toSeconds } from '../../core/rest/input/dates.ts'
import { IdList } from '../../core/rest/input/fields.ts'
import { type Mistakes, missing, refuse } from '../../core/rest/input/mistakes.ts'
import { envelope } from '../../core/rest/lists/collection.ts'
import { lockCounters } from '../../core/rest/lists/counters.ts'
import { fold } from '../../core/rest/lists/fold.ts'
import { findPage } from '../../core/rest/lists/pages.ts'
import { findWhere, takeIds } from '../../core/rest/lists/verbs.ts'
import { Problem, unknownId } from '../../core/rest/problem.ts'
import { access } from '../../stores/accounts/scopes.ts'
import { sharedLimit } from '../../stores/quotas/concurrency-limit.ts'
import { addToCounts, countEach } from '../row/counts.ts'
import { lockCustomers } from '../row/shape.ts'
import { deleteValues } from './attributes.ts'
import {
  AttributeValue,
  attributeMistake,
  attributeValues,
  insertAttributeValues,
  lockAttributesShared,
} from './shape.ts'

const WRITTEN_MAX = 500
const CUSTOMERS_MAX = 10
const AT_ONCE = 3

const { read, write } = access('customers')

const { id, customer_id, attribute_id, attribute_value } = AttributeValue.properties
const Item = t.Object(
  {
    id: t.Optional(id),
    customer_id,
    attribute_id,
    value: t.Optional(attribute_value),
    attribute_value: t.Optional(t.String({ ...attribute_value, description: 'Another name of value' })),
  },
  { title: 'AttributeValueChanges' },
)
type Item = Static<typeof Item>

/** Routes of the values of attributes (docs/contract/customer-attributes.md section 2). */
export function attributeValueRoutes(api: Api) {
  const path = '/customers/attribute-values'
  const atOnce = sharedLimit('customer attribute values: change', AT_ONCE)

  api.get(
    path,
    { ...read, schema: { summary: 'List the attribute values of customers', ...attributeValues.list } },
    ({ db, query }) => {
      const { name } = query
      const ofName =
        name === undefined
          ? undefined
          : sql`attribute_id = any(array(
              select id from customer_attributes where store_id = ${db.store.id} and name_key = ${fold(String(name))}))`
      return findPage(db, attributeValues, query, { where: ofName })
    },
  )

  api.put(
    path,
    {
      ...write,
      schema: {
        summary: 'Set attribute values of customers',
        description: `Values of at most ${CUSTOMERS_MAX} customers. Either all are stored or none. Existing values are replaced.`,
        body: t.Array(Item, {
          minItems: 1,
          maxItems: WRITTEN_MAX,
          examples: [[{ customer_id: 1, attribute_id: 1, value: '42' }]],
        }),
        response: { 200: envelope(t.Array(attributeValues.shape)) },
      },
    },
    ({ db, body }) => {
      if (new Set(body.map(({ customer_id }) => customer_id)).size > CUSTOMERS_MAX) {
        throw new Problem(413, `Values of at most ${CUSTOMERS_MAX} customers may be sent at once.`)
      }
      return atOnce.run(db.store, async () => answer(await db.transaction((tx) => setValues(tx, body))))
    },
  )

  api.delete(
    path,
    {
      ...write,
      schema: {
        summary: 'Delete attribute values of customers',
        querystring: t.Object(
          { 'id:in': t.Optional(IdList) },
          { additionalProperties: false, examples: [{ 'id:in': '1' }] },
        ),
      },
    },
    async ({ db, query: { 'id:in': ids } }) => {
      if (!ids) throw new Problem(422, 'A DELETE of attribute values needs id:in in its query.')
      await db.transaction(async (tx) => {
        await lockCounters(tx, [attributeValues.table])
        const found = await tx.rows<Pick<AttributeValue, 'id' | 'customer_id'>>(sql`
          select id, customer_id from customer_attribute_values where store_id = ${tx.store.id} and id = any(${ids})`)
        await deleteValues(tx, found)
      })
      return noContent()
    },
  )
}

/**
 * Stores values in place of those that are there; of two for one customer and attribute the last.
 * @returns them in the order of the body
 * @throws Problem 422 with all that is wrong
 */
async function setValues(tx: Tx, body: readonly Item[]): Promise<AttributeValue[]> {
  await lockCounters(tx, [attributeValues.table])
  const customerIds = body.map(({ customer_id }) => customer_id)
  const attributeIds = body.map(({ attribute_id }) => attribute_id)
  const customers = await lockCustomers(tx, customerIds)
  const attributes = await lockAttributesShared(tx, attributeIds)
  const before = await findValues(tx, customerIds)
  const mistakes: Mistakes = {
    ...missing(
      customerIds,
      customers,
      (i) => `${i}.customer_id`,
      (id) => unknownId('customer', id),
    ),
    ...missing(
      attributeIds,
      attributes,
      (i) => `${i}.attribute_id`,
      (id) => unknownId('customer attribute', id),
    ),
  }
  const wished = new Map<string, Pick<AttributeValue, 'customer_id' | 'attribute_id' | 'attribute_value'>>()
  for (const [i, item] of body.entries()) {
    const { id, customer_id, attribute_id, value = item.attribute_value, attribute_value = value } = item
    const attribute = attributes.get(attribute_id)
    if (value === undefined || attribute_value === undefined) mistakes[`${i}.value`] = 'error.path.missing'
    else if (value !== attribute_value)
      mistakes[`${i}.attribute_value`] = 'value and attribute_value are two names of one.'
    else {
      const reason = attribute && attributeMistake(attribute, value)
      if (reason !== undefined) mistakes[`${i}.value`] = reason
      // The last of two values counts, at its own position.
      wished.delete(keyOf(item))
      wished.set(keyOf(item), { customer_id, attribute_id, attribute_value: value })
    }
    if (id !== undefined && before.get(keyOf(item))?.id !== id) {
      mistakes[`${i}.id`] = `The customer ${customer_id} has no value ${id} of the attribute ${attribute_id}.`
    }
  }
  refuse(mistakes)
  const after = new Map(before)
  for (const row of await storeValues(tx, [...wished.values()], before)) after.set(keyOf(row), row)
  return [...wished.keys()].flatMap((key) => after.get(key) ?? [])
}

const keyOf = ({ customer_id, attribute_id }: Pick<AttributeValue, 'customer_id' | 'attribute_id'>) =>
  `${customer_id} ${attribute_id}`

/**
 * All values of some customers, by customer and attribute. They are few. With a condition on the attribute, PostgreSQL might read the
 * values of all customers.
 */
async function findValues(tx: Tx, customerIds: readonly number[]) {
  const rows = await findWhere(tx, attributeValues, sql`customer_id = any(${[...new Set(customerIds)]})`)
  return new Map(rows.map((row) => [keyOf(row), row]))
}

/** @returns the values that are new or have changed */
async function storeValues(
  tx: Tx,
  wished: readonly Pick<AttributeValue, 'customer_id' | 'attribute_id' | 'attribute_value'>[],
  before: ReadonlyMap<string, AttributeValue>,
): Promise<AttributeValue[]> {
  const fresh = wished.filter((row) => !before.has(keyOf(row)))
  const ids = await takeIds(tx, [[attributeValues, fresh.length]])
  const inserted = await insertAttributeValues(tx, fresh, ids)
  await addToCounts(
    tx,
    'attribute_count',
    countEach(
      fresh.map(({ customer_id }) => customer_id),
      1,
    ),
  )
  const date_modified = toSeconds(tx.now)
  const changed = wished.flatMap((row) => {
    const known = before.get(keyOf(row))
    return known && known.attribute_value !== row.attribute_value ? [{ ...known, ...row, date_modified }] : []
  })
  if (changed.length > 0) {
    const values = changed.map(({ id, attribute_value }) => ({ id, value: attribute_value }))
    await tx.rows(
      prepared(sql`
      update customer_attribute_values stored set attribute_value = new.value, date_modified = ${date_modified}
      from ${sql.table('new', values, { id: 'int', value: 'text' })}
      where stored.store_id = ${tx.store.id} and stored.id = any(${values.map(({ id }) => id)}) and stored.id = new.id`),
    )
  }
  return [...inserted, ...changed]
}
