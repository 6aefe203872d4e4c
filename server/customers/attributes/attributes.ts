import t, { type Static } from 'typebox'
import type { Db, Tx } from '../../core/db/database.ts'
import { sql } from '../../core/db/sql.ts'
import { inSteps, STEP_ROWS } from '../../core/db/steps.ts'
import { answer, noContent } from '../../core/rest/answer.ts'
import type { Api } from '../../core/rest/api.ts'
import { lockAll } from '../../core/rest/batch.ts'
import { toSeconds } from '../../core/rest/input/dates.ts'
import { IdList } from '../../core/rest/input/fields.ts'
import { type Mistakes, missing, refuse, repeated, repeatedIds } from '../../core/rest/input/mistakes.ts'
import { envelope } from '../../core/rest/lists/collection.ts'
import { lockCounter, lockCounters } from '../../core/rest/lists/counters.ts'
import { fold } from '../../core/rest/lists/fold.ts'
import { findPage } from '../../core/rest/lists/pages.ts'
import { change, insertAll, remove, removeAll, takeIds } from '../../core/rest/lists/verbs.ts'
import { Problem, unknownId } from '../../core/rest/problem.ts'
import { access } from '../../stores/accounts/scopes.ts'
import { sharedLimit } from '../../stores/quotas/concurrency-limit.ts'
import { addToCounts, countEach } from '../row/counts.ts'
import { lockCustomers } from '../row/shape.ts'
import { Attribute, type AttributeValue, attributes, attributeValues } from './shape.ts'

const WRITTEN_MAX = 50
const AT_ONCE = 3

const { read, write } = access('customers')

const { id, name, type } = Attribute.properties
const NewAttribute = t.Object({ name, type }, { title: 'NewCustomerAttribute' })
type NewAttribute = Static<typeof NewAttribute>
const Changes = t.Object({ id, name, type: t.Optional(type) }, { title: 'CustomerAttributeChanges' })
type Changes = Static<typeof Changes>
const written = { response: { 200: envelope(t.Array(attributes.shape)) } }

/** Routes of the attributes of customers (docs/contract/customer-attributes.md section 1). */
export function attributeRoutes(api: Api) {
  const path = '/customers/attributes'
  const [creating, changing] = [
    sharedLimit('customer attributes: create', AT_ONCE),
    sharedLimit('customer attributes: change', AT_ONCE),
  ]

  api.get(
    path,
    { ...read, schema: { summary: 'List the attributes of customers', ...attributes.list } },
    ({ db, query }) => findPage(db, attributes, query),
  )

  api.post(
    path,
    {
      ...write,
      schema: {
        summary: 'Create attributes of customers',
        description: 'Either all are stored or none.',
        body: t.Array(NewAttribute, {
          minItems: 1,
          maxItems: WRITTEN_MAX,
          examples: [[{ name: 'Shoe size', type: 'number' }]],
        }),
        ...written,
      },
    },
    ({ db, body }) =>
      creating.run(db.store, async () => answer(await db.transaction((tx) => createAttributes(tx, body)))),
  )

  api.put(
    path,
    {
      ...write,
      schema: {
        summary: 'Rename attributes of customers',
        description: 'Either all are stored or none. The type never changes.',
        body: t.Array(Changes, { minItems: 1, maxItems: WRITTEN_MAX, examples: [[{ id: 1, name: 'Size of shoes' }]] }),
        ...written,
      },
    },
    ({ db, body }) =>
      changing.run(db.store, async () => answer(await db.transaction((tx) => renameAttributes(tx, body)))),
  )

  api.delete(
    path,
    {
      ...write,
      schema: {
        summary: 'Delete attributes of customers',
        description: 'Deletes their values too.',
        querystring: t.Object(
          { 'id:in': t.Optional(IdList) },
          { additionalProperties: false, examples: [{ 'id:in': '1' }] },
        ),
      },
    },
    async ({ db, query: { 'id:in': ids } }) => {
      if (!ids) throw new Problem(422, 'A DELETE of attributes needs id:in in its query.')
      for (const id of ids) await deleteAttribute(db, id)
      return noContent()
    },
  )
}

/** @throws Problem 422 with all mistakes, 403 past the maximum */
export async function createAttributes(tx: Tx, bodies: readonly NewAttribute[]): Promise<Attribute[]> {
  await lockCounter(tx, attributes.table)
  refuse(await takenNames(tx, bodies))
  const ids = await takeIds(tx, [[attributes, bodies.length]])
  const now = toSeconds(tx.now)
  const rows = bodies.map((body) => ({ ...body, id: ids.next(attributes), date_created: now, date_modified: now }))
  return insertAll(tx, attributes, rows)
}

/** @throws Problem 422 with all mistakes */
async function renameAttributes(tx: Tx, bodies: readonly Changes[]): Promise<Attribute[]> {
  await lockCounter(tx, attributes.table)
  const ids = bodies.map(({ id }) => id)
  const before = await lockAll(tx, attributes, ids)
  const place = (i: number) => `${i}.id`
  const mistakes: Mistakes = {
    ...repeatedIds(bodies, place),
    ...missing(ids, before, place, (id) => unknownId('customer attribute', id)),
    ...(await takenNames(tx, bodies)),
  }
  for (const [i, { id, type }] of bodies.entries()) {
    const known = before.get(id)
    if (known && type !== undefined && type !== known.type) mistakes[`${i}.type`] = `The type stays ${known.type}.`
  }
  refuse(mistakes)
  const renamed: Attribute[] = []
  for (const { id, name } of bodies) {
    const attribute = before.get(id)
    if (!attribute) continue
    renamed.push(
      attribute.name === name
        ? attribute
        : await change(tx, attributes, attribute, { name, date_modified: toSeconds(tx.now) }),
    )
  }
  return renamed
}

/** Mistakes of names that another attribute or another item has. A name that an item gives up is free for the next request. */
async function takenNames(tx: Tx, bodies: readonly { id?: number; name: string }[]): Promise<Mistakes> {
  const keys = bodies.map(({ name }) => fold(name))
  const place = (i: number) => `${i}.name`
  const rows = await tx.rows<{ id: number; name_key: string }>(sql`
    select id, name_key from customer_attributes where store_id = ${tx.store.id} and name_key = any(${keys})`)
  const owners = new Map(rows.map(({ id, name_key }) => [name_key, id]))
  const mistakes = repeated(keys, (key) => key, place, 'Another item has this name.')
  for (const [i, { id, name }] of bodies.entries()) {
    const owner = owners.get(keys[i] ?? '')
    if (owner !== undefined && owner !== id) mistakes[place(i)] = `The attribute ${owner} has the name ${name}.`
  }
  return mistakes
}

/** Deletes an attribute with its values, in steps, since every customer may have one. An unknown id is skipped. */
const deleteAttribute = (db: Db, id: number): Promise<void> => inSteps(db, (tx) => deleteStep(tx, id))

/** Deletes values of an attribute, and the attribute after its last value. @returns whether values remain */
async function deleteStep(tx: Tx, attributeId: number): Promise<boolean> {
  await lockCounters(tx, [attributeValues.table, attributes.table])
  const found = await tx.rows<Pick<AttributeValue, 'id' | 'customer_id'>>(sql`
    select id, customer_id from customer_attribute_values
    where store_id = ${tx.store.id} and attribute_id = ${attributeId} order by id limit ${STEP_ROWS}`)
  await deleteValues(tx, found)
  // Locked after the customers, as in the writing of values. From now on no value of it is written.
  await lockAll(tx, attributes, [attributeId])
  const { isLeft } = await tx.row<{ isLeft: boolean }>(sql`
    select exists (select from customer_attribute_values
      where store_id = ${tx.store.id} and attribute_id = ${attributeId}) as "isLeft"`)
  if (!isLeft) await remove(tx, attributes, attributeId)
  return isLeft
}

/** Deletes values and updates the counts of their customers. Lock the counter of values first. */
export async function deleteValues(tx: Tx, values: readonly Pick<AttributeValue, 'id' | 'customer_id'>[]) {
  const owners = new Map(values.map(({ id, customer_id }) => [id, customer_id]))
  await lockCustomers(tx, [...owners.values()])
  const gone = await removeAll(tx, attributeValues, sql`id = any(${[...owners.keys()]})`)
  const counts = countEach(
    gone.map((id) => owners.get(id) ?? 0),
    -1,
  )
  await addToCounts(tx, 'attribute_count', counts)
}
