import t, { type Static } from 'typebox'
import { prepared, type Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { answer, noContent } from '../../../core/rest/answer.ts'
import type { Api } from '../../../core/rest/api.ts'
import { lockAll } from '../../../core/rest/batch.ts'
import { toSeconds } from '../../../core/rest/input/dates.ts'
import { Id, IdList, Moment, NeededLine, Text } from '../../../core/rest/input/fields.ts'
import { type Mistakes, missing, refuse, repeated } from '../../../core/rest/input/mistakes.ts'
import { collection, envelope } from '../../../core/rest/lists/collection.ts'
import { lockCounter } from '../../../core/rest/lists/counters.ts'
import { findPage } from '../../../core/rest/lists/pages.ts'
import { change, differences, insertAll, removeAll, takeIds } from '../../../core/rest/lists/verbs.ts'
import { Problem, unknownId } from '../../../core/rest/problem.ts'
import { access } from '../../../stores/accounts/scopes.ts'

// A tax property is a question of a tax provider about customers or products, such as an exemption code. Their answers (`values.ts`)
// go to the provider; the store's own rates ignore them.

const information = access('information')
/** Queries of this family that are not valid are 400. */
export const badQueryIs400 = {
  read: { config: { ...information.read.config, invalidQuery: 400 } },
  write: { config: { ...information.write.config, invalidQuery: 400 } },
} as const
const { read, write } = badQueryIs400

const WRITTEN_MAX = 100
const PROPERTIES_OF_TYPE_MAX = 1_000

const PropertyType = t.Enum(['PRODUCT', 'CUSTOMER'])
export type PropertyType = Static<typeof PropertyType>

const TaxProperty = t.Object({
  id: Id,
  code: NeededLine,
  display_name: NeededLine,
  description: Text,
  created_at: Moment,
  updated_at: Moment,
  type: PropertyType,
})
type TaxProperty = Static<typeof TaxProperty>

/** Codes are unique in a store, and compared as they are. */
const taxProperties = collection('tax_properties', TaxProperty, {
  noun: 'tax property',
  filters: 'id:in type:in',
})

const { id, code, display_name, description, type } = TaxProperty.properties
const NewTaxProperty = t.Object(
  { code, display_name, description: t.Optional(description), type },
  { title: 'NewTaxProperty' },
)
type NewTaxProperty = Static<typeof NewTaxProperty>
const Changes = t.Object(
  { id, code: t.Optional(code), display_name: t.Optional(display_name), description: t.Optional(description) },
  { title: 'TaxPropertyChanges' },
)
type Changes = Static<typeof Changes>

const response = { 200: envelope(t.Array(taxProperties.shape)) }

/** Tax properties (docs/contract/tax.md section 8). */
export function taxPropertyRoutes(api: Api) {
  const path = '/tax/properties'

  api.get(path, { ...read, schema: { summary: 'List the tax properties', ...taxProperties.list } }, ({ db, query }) => {
    const types = query['type:in']
    const inCapitals = Array.isArray(types) ? { 'type:in': types.map((one) => String(one).toUpperCase()) } : {}
    return findPage(db, taxProperties, { ...query, ...inCapitals })
  })

  api.post(
    path,
    {
      ...write,
      schema: {
        summary: 'Create tax properties',
        description: 'All are stored, or none.',
        body: t.Array(NewTaxProperty, {
          minItems: 1,
          maxItems: WRITTEN_MAX,
          examples: [[{ code: 'ENTITY_USE', display_name: 'Entity use', type: 'CUSTOMER' }]],
        }),
        response,
      },
    },
    async ({ db, body }) => answer(await db.transaction((tx) => createProperties(tx, body))),
  )

  api.put(
    path,
    {
      ...write,
      schema: {
        summary: 'Change tax properties',
        description: 'All are stored, or none. The type never changes.',
        body: t.Array(Changes, {
          minItems: 1,
          maxItems: WRITTEN_MAX,
          examples: [[{ id: 1, display_name: 'Use of the goods' }]],
        }),
        response,
      },
    },
    async ({ db, body }) => answer(await db.transaction((tx) => changeProperties(tx, body))),
  )

  api.delete(
    path,
    {
      ...write,
      schema: {
        summary: 'Delete tax properties',
        description: 'None is deleted if a customer or product has a value of one of them.',
        querystring: t.Object({ 'id:in': IdList }, { additionalProperties: false, examples: [{ 'id:in': '1' }] }),
      },
    },
    async ({ db, query: { 'id:in': ids } }) => {
      await db.transaction(async (tx) => {
        await lockAll(tx, taxProperties, ids)
        await refuseUsed(tx, ids)
        await removeAll(tx, taxProperties, sql`id = any(${ids})`)
      })
      return noContent()
    },
  )
}

/** @throws Problem 422 with all mistakes, 403 past the properties of a type */
async function createProperties(tx: Tx, bodies: readonly NewTaxProperty[]): Promise<TaxProperty[]> {
  await lockCounter(tx, taxProperties.table)
  refuse(await takenCodes(tx, bodies))
  const ids = await takeIds(tx, [[taxProperties, bodies.length]])
  const now = toSeconds(tx.now)
  const rows = bodies.map((body) => ({
    description: '',
    ...body,
    id: ids.next(taxProperties),
    created_at: now,
    updated_at: now,
  }))
  const stored = await insertAll(tx, taxProperties, rows)
  await refuseTooMany(tx)
  return stored
}

/** Changes properties in the order of the body, in which one may occur twice. @throws Problem 422 with all mistakes */
async function changeProperties(tx: Tx, bodies: readonly Changes[]): Promise<TaxProperty[]> {
  await lockCounter(tx, taxProperties.table)
  const ids = bodies.map(({ id }) => id)
  const known = new Map(await lockAll(tx, taxProperties, ids))
  refuse({
    ...missing(
      ids,
      known,
      (i) => `${i}.id`,
      (id) => unknownId('tax property', id),
    ),
    ...(await takenCodes(tx, bodies)),
  })
  const changed: TaxProperty[] = []
  for (const { id, ...changes } of bodies) {
    const before = known.get(id)
    if (!before) continue
    const isSame = Object.keys(differences(before, changes)).length === 0
    const after = isSame
      ? before
      : await change(tx, taxProperties, before, { ...changes, updated_at: toSeconds(tx.now) })
    known.set(id, after)
    changed.push(after)
  }
  return changed
}

/** Codes of other properties, or of other entries. A code that an entry gives up is free in the next request. */
async function takenCodes(tx: Tx, bodies: readonly { id?: number; code?: string }[]): Promise<Mistakes> {
  const codes = bodies.flatMap(({ code }) => code ?? [])
  const place = (i: number) => `${i}.code`
  const rows = await tx.rows<{ id: number; code: string }>(sql`
    select id, code from tax_properties where store_id = ${tx.store.id} and code = any(${codes})`)
  const owners = new Map(rows.map(({ id, code }) => [code, id]))
  const mistakes = repeated(bodies, ({ code }) => code, place, 'Another entry has this code.')
  for (const [i, { id, code }] of bodies.entries()) {
    const owner = owners.get(code ?? '')
    if (owner !== undefined && owner !== id) mistakes[place(i)] = `The tax property ${owner} has the code ${code}.`
  }
  return mistakes
}

/** @throws Problem 403 */
async function refuseTooMany(tx: Tx) {
  const counts = await tx.rows<{ type: string; count: number }>(sql`
    select type, count(*)::int as count from tax_properties where store_id = ${tx.store.id} group by type`)
  if (counts.every(({ count }) => count <= PROPERTIES_OF_TYPE_MAX)) return
  throw new Problem(403, `A store can hold at most ${PROPERTIES_OF_TYPE_MAX} tax properties of each type.`)
}

/** @throws Problem 409 */
async function refuseUsed(tx: Tx, ids: readonly number[]) {
  const used = await tx.rows<{ id: number }>(sql`
    select id from tax_properties property
    where store_id = ${tx.store.id} and id = any(${ids}) and (
      exists (select from customer_tax_properties
        where store_id = ${tx.store.id} and property_id = property.id)
      or exists (select from product_tax_properties
        where store_id = ${tx.store.id} and property_id = property.id))
    order by id`)
  if (used.length === 0) return
  const sentence = `Customers or products have values of these tax properties: ${used.map(({ id }) => id).join(', ')}.`
  throw new Problem(409, sentence)
}

/** The ids of the properties of a type by code. They are kept from being deleted until the transaction ends. */
export async function lockPropertiesShared(
  tx: Tx,
  type: PropertyType,
  codes: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await tx.rows<Pick<TaxProperty, 'id' | 'code'>>(
    prepared(sql`
    select id, code from tax_properties
    where store_id = ${tx.store.id} and type = ${type} and code = any(${[...new Set(codes)]}) order by id for key share`),
  )
  return new Map(rows.map(({ id, code }) => [code, id]))
}
