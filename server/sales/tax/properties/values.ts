import t, { type TSchema } from 'typebox'
import type { Db, Tx } from '../../../core/db/database.ts'
import { type Sql, sql } from '../../../core/db/sql.ts'
import { answer, noContent } from '../../../core/rest/answer.ts'
import type { Api } from '../../../core/rest/api.ts'
import { Id, IdList, nullable } from '../../../core/rest/input/fields.ts'
import { type Mistakes, refuse } from '../../../core/rest/input/mistakes.ts'
import { envelope } from '../../../core/rest/lists/collection.ts'
import { offsetOf } from '../../../core/rest/lists/pages/order.ts'
import { PageMeta, pagination, paging } from '../../../core/rest/lists/paging.ts'
import { unknownId } from '../../../core/rest/problem.ts'
import { badQueryIs400, lockPropertiesShared, type PropertyType } from './properties.ts'

const { read, write } = badQueryIs400

const WRITTEN_MAX = 100

/** Things that have values of tax properties. */
export interface PropertyOwner {
  noun: 'customer' | 'product'
  path: string
  /** Whether a list needs a filter. */
  needsFilter: boolean
  type: PropertyType
  table: 'customer_tax_properties' | 'product_tax_properties'
  /** Keeps things from being deleted until the transaction ends. @returns the ids of those that exist */
  lockShared(tx: Tx, ids: readonly number[]): Promise<{ has(id: number): boolean }>
}

/** The values of one thing by the codes of their properties; null takes a value away. */
type Values = Readonly<Record<string, string | null>>

interface OwnerValues {
  id: number
  tax_properties: Values
}

/** Values of tax properties (docs/contract/tax.md section 8). */
export function propertyValueRoutes(api: Api, owner: PropertyOwner) {
  const { noun, path } = owner
  const idField = `${noun}_id`
  const filter = `${idField}:in`
  const title = noun === 'customer' ? 'Customer' : 'Product'
  const Answered = t.Unsafe<object>(
    t.Object({ [idField]: Id, tax_properties: t.Record(t.String(), t.String()) }, { title: `${title}TaxProperties` }),
  )
  const Given = t.Unsafe<{ tax_properties: Values }>(
    t.Object(
      { [idField]: Id, tax_properties: t.Record(t.String(), nullable(t.String({ maxLength: 255 }))) },
      { title: `${title}TaxPropertyChanges` },
    ),
  )
  const queryOf = (named: TSchema, more: object = {}) =>
    t.Unsafe<ValueQuery>(
      t.Object(
        { [filter]: named, ...more },
        { additionalProperties: false, table: owner.table, examples: [{ [filter]: '1' }] },
      ),
    )
  const toAnswer = ({ id, tax_properties }: OwnerValues) => ({ [idField]: id, tax_properties })
  const ids = (query: ValueQuery) => query[`${noun}_id:in`]

  api.get(
    path,
    {
      ...read,
      schema: {
        summary: `List the tax properties of ${noun}s`,
        description: `Only ${noun}s that have values are listed.`,
        operationId: `list${title}TaxProperties`,
        querystring: queryOf(owner.needsFilter ? IdList : t.Optional(IdList), paging),
        response: { 200: t.Object({ data: t.Array(Answered), meta: PageMeta }) },
      },
    },
    async ({ db, query }) => {
      const { total, rows } = await findOwners(db, owner, ids(query), query)
      const meta = { pagination: pagination({ total, count: rows.length, ...query }, query) }
      return answer(rows.map(toAnswer), meta)
    },
  )

  api.put(
    path,
    {
      ...write,
      schema: {
        summary: `Set tax properties of ${noun}s`,
        description: 'All are stored, or none. Values of codes that are not sent stay; null takes a value away.',
        operationId: `set${title}TaxProperties`,
        body: t.Array(Given, {
          minItems: 1,
          maxItems: WRITTEN_MAX,
          examples: [[{ [idField]: 1, tax_properties: {} }]],
        }),
        response: { 200: envelope(t.Array(Answered)) },
      },
    },
    async ({ db, body }) => {
      const given = body.map((entry) => ({
        id: Number(new Map(Object.entries(entry)).get(idField)),
        tax_properties: entry.tax_properties,
      }))
      return answer((await db.transaction((tx) => setValues(tx, owner, given))).map(toAnswer))
    },
  )

  api.delete(
    path,
    {
      ...write,
      schema: {
        summary: `Take all tax properties from ${noun}s`,
        operationId: `delete${title}TaxProperties`,
        querystring: queryOf(IdList),
      },
    },
    async ({ db, query }) => {
      await db.transaction((tx) => deleteValues(tx, owner, ids(query) ?? []))
      return noContent()
    },
  )
}

interface ValueQuery {
  page: number
  limit: number
  'customer_id:in'?: number[]
  'product_id:in'?: number[]
}

async function findOwners(
  db: Db,
  { table, noun }: PropertyOwner,
  ids: readonly number[] | undefined,
  query: Pick<ValueQuery, 'page' | 'limit'>,
): Promise<{ total: number; rows: OwnerValues[] }> {
  const owner = sql.id(`${noun}_id`)
  const where: Sql = ids === undefined ? sql`true` : sql`${owner} = any(${ids})`
  const { total, rows } = await db.row<{ total: number; rows: OwnerValues[] }>(sql`
    with owners as (
      select distinct ${owner} as id from ${sql.id(table)} where store_id = ${db.store.id} and ${where}
    ), page as (
      select id from owners order by id limit ${query.limit} offset ${offsetOf(query)}
    ), whole as (
      select ${owner} as id, jsonb_object_agg(code, value) as tax_properties
      from ${sql.id(table)} owned join tax_properties property on property.id = owned.property_id
      where owned.store_id = ${db.store.id} and property.store_id = ${db.store.id}
        and ${owner} = any(array(select id from page))
      group by ${owner}
    )
    select (select count(*)::int from owners) as total,
      (select coalesce(jsonb_agg(jsonb_build_object('id', id, 'tax_properties', tax_properties) order by id), '[]')
        from whole) as rows`)
  return { total, rows }
}

/** Stores values in the order of the body, in which a thing may occur twice. @throws Problem 422 with all mistakes */
async function setValues(tx: Tx, owner: PropertyOwner, body: readonly OwnerValues[]): Promise<OwnerValues[]> {
  const { noun, type } = owner
  const known = await owner.lockShared(
    tx,
    body.map(({ id }) => id),
  )
  const codes = body.flatMap(({ tax_properties }) => Object.keys(tax_properties))
  const properties = await lockPropertiesShared(tx, type, codes)
  const mistakes: Mistakes = {}
  for (const [i, { id, tax_properties }] of body.entries()) {
    if (!known.has(id)) mistakes[`${i}.${noun}_id`] = unknownId(noun, id)
    for (const code of Object.keys(tax_properties)) {
      if (!properties.has(code)) {
        mistakes[`${i}.tax_properties.${code}`] = `There is no tax property ${code} of the type ${type}.`
      }
    }
  }
  refuse(mistakes)
  const wished = new Map<string, { owner_id: number; property_id: number; value: string | null }>()
  for (const { id, tax_properties } of body) {
    for (const [code, value] of Object.entries(tax_properties)) {
      const property_id = properties.get(code) ?? 0
      wished.set(`${id} ${property_id}`, { owner_id: id, property_id, value })
    }
  }
  await storeValues(tx, owner, [...wished.values()])
  const ids = [...new Set(body.map(({ id }) => id))]
  const { rows } = await findOwners(tx, owner, ids, { page: 1, limit: WRITTEN_MAX })
  const stored = new Map(rows.map((row) => [row.id, row.tax_properties]))
  return body.map(({ id }) => ({ id, tax_properties: stored.get(id) ?? {} }))
}

async function storeValues(
  tx: Tx,
  { table, noun }: PropertyOwner,
  wished: readonly { owner_id: number; property_id: number; value: string | null }[],
) {
  const owner = sql.id(`${noun}_id`)
  const given = sql.table('given', wished, { owner_id: 'int', property_id: 'int', value: 'text' })
  await tx.rows(sql`
    delete from ${sql.id(table)} stored using ${given}
    where stored.store_id = ${tx.store.id} and stored.${owner} = given.owner_id
      and stored.property_id = given.property_id and given.value is null`)
  await tx.rows(sql`
    insert into ${sql.id(table)} (store_id, ${owner}, property_id, value)
    select ${tx.store.id}, owner_id, property_id, value from ${given} where value is not null
    on conflict (store_id, ${owner}, property_id) do update set value = excluded.value`)
}

const deleteValues = (tx: Tx, { table, noun }: Pick<PropertyOwner, 'table' | 'noun'>, ids: readonly number[]) =>
  tx.rows(sql`
    delete from ${sql.id(table)} where store_id = ${tx.store.id} and ${sql.id(`${noun}_id`)} = any(${ids})`)

/** Deletes the values of products that are deleted. Those of customers are deleted by the database. */
export async function deleteTaxPropertiesOfProducts(tx: Tx, ids: readonly number[]) {
  await deleteValues(tx, { table: 'product_tax_properties', noun: 'product' }, ids)
}
