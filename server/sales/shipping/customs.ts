import t, { type Static } from 'typebox'
import { type Db, prepared, type Tx } from '../../core/db/database.ts'
import { sql } from '../../core/db/sql.ts'
import { countryOf } from '../../core/geography/countries.ts'
import { answer, noContent } from '../../core/rest/answer.ts'
import type { Api } from '../../core/rest/api.ts'
import { Id, IdList, Moment } from '../../core/rest/input/fields.ts'
import { type Mistakes, missing, refuse, repeated } from '../../core/rest/input/mistakes.ts'
import { envelope } from '../../core/rest/lists/collection.ts'
import { PageMeta, pagination, paging } from '../../core/rest/lists/paging.ts'
import { unknownId } from '../../core/rest/problem.ts'
import { lockProductsShared } from '../../goods/catalog/product-row/shape.ts'
import { access } from '../../stores/accounts/scopes.ts'

const { read, write } = access('customs')

const ITEMS_MAX = 50

const HsCodes = t.Record(t.String(), t.String({ pattern: '^[0-9A-Za-z]{6,14}$' }), {
  description: 'Codes by country, or for ALL',
})
const Stored = t.Object(
  {
    product_id: Id,
    country_of_origin: t.String({ minLength: 2, maxLength: 2 }),
    commodity_description: t.String({ maxLength: 100 }),
    international_shipping: t.Boolean(),
    hs_codes: HsCodes,
    created_at: Moment,
    updated_at: Moment,
  },
  { title: 'CustomsInformation' },
)
type Stored = Static<typeof Stored>
const { created_at: _created, updated_at: _updated, ...given } = Stored.properties
const Wanted = t.Object(given)
const Body = t.Array(Wanted, {
  title: 'CustomsInformationChanges',
  minItems: 1,
  maxItems: ITEMS_MAX,
  examples: [
    [
      {
        product_id: 1,
        country_of_origin: 'DK',
        commodity_description: 'Lamp of steel',
        international_shipping: true,
        hs_codes: { ALL: '940520' },
      },
    ],
  ],
})

const Query = t.Object({ 'product_id:in': t.Optional(IdList), ...paging }, { additionalProperties: false })
const Named = t.Object({ 'product_id:in': IdList }, { additionalProperties: false, examples: [{ 'product_id:in': 1 }] })

/** The customs information of products (docs/contract/shipping.md section 6): one record for each product. */
export function customsRoutes(api: Api) {
  const path = '/shipping/products/customs-information'

  api.get(
    path,
    {
      ...read,
      schema: {
        summary: 'List the customs information of products',
        operationId: 'listCustomsInformation',
        querystring: Query,
        response: { 200: t.Object({ data: t.Array(Stored), meta: PageMeta }) },
      },
    },
    ({ db, query }) => findCustoms(db, query),
  )

  api.put(
    path,
    {
      ...write,
      schema: {
        summary: 'Store the customs information of products',
        operationId: 'updateCustomsInformation',
        description: 'Creates a record, or replaces the stored one.',
        body: Body,
        response: { 200: envelope(t.Array(Stored)) },
      },
    },
    async ({ db, body }) => answer(await db.transaction((tx) => storeCustoms(tx, body))),
  )

  api.delete(
    path,
    {
      ...write,
      schema: {
        summary: 'Delete the customs information of products',
        operationId: 'deleteCustomsInformation',
        querystring: Named,
      },
    },
    async ({ db, query }) => {
      await db.transaction((tx) => deleteCustoms(tx, query['product_id:in']))
      return noContent()
    },
  )
}

const COLUMNS = sql`product_id, country_of_origin, commodity_description, international_shipping, hs_codes, created_at, updated_at`

async function findCustoms(db: Db, query: Static<typeof Query>) {
  const { page = 1, limit = 50, 'product_id:in': ids } = query
  const where = sql`store_id = ${db.store.id} and (${ids ?? null}::int[] is null or product_id = any(${ids ?? []}))`
  const { data, counted } = await db.together(() => ({
    data: db.rows<Stored>(sql`
      select ${COLUMNS} from customs_information where ${where}
      order by product_id limit ${limit} offset ${(page - 1) * limit}`),
    counted: db.row<{ total: number }>(sql`select count(*)::int as total from customs_information where ${where}`),
  }))
  return answer(data, { pagination: pagination({ total: counted.total, count: data.length, page, limit }, query) })
}

/** @returns the records in the order of the body @throws Problem 422 by index and field */
async function storeCustoms(tx: Tx, body: readonly Static<typeof Wanted>[]): Promise<Stored[]> {
  const ids = body.map(({ product_id }) => product_id)
  const known = await lockProductsShared(tx, ids)
  const mistakes: Mistakes = {
    ...repeated(
      body,
      ({ product_id }) => String(product_id),
      (i) => `${i}.product_id`,
      'Another item has this product_id.',
    ),
    ...missing(
      ids,
      known,
      (i) => `${i}.product_id`,
      (id) => unknownId('product', id),
    ),
  }
  const rows = body.map((item, i) => {
    const country_of_origin = countryOf(item.country_of_origin) ?? ''
    if (country_of_origin === '') mistakes[`${i}.country_of_origin`] = 'country_of_origin must be a code of ISO 3166-1.'
    if (!Object.keys(item.hs_codes).every((key) => key === 'ALL' || /^[A-Za-z]{2}$/.test(key))) {
      mistakes[`${i}.hs_codes`] = 'The keys of hs_codes must be codes of ISO 3166-1, or ALL.'
    }
    return { ...item, country_of_origin, hs_codes: JSON.stringify(item.hs_codes) }
  })
  refuse(mistakes)
  const types = {
    product_id: 'int',
    country_of_origin: 'text',
    commodity_description: 'text',
    international_shipping: 'boolean',
    hs_codes: 'jsonb',
  } as const
  const stored = await tx.rows<Stored>(sql`
    insert into customs_information (store_id, product_id, country_of_origin, commodity_description,
      international_shipping, hs_codes, created_at, updated_at)
    select ${tx.store.id}, product_id, country_of_origin, commodity_description, international_shipping, hs_codes,
      ${tx.now}::timestamptz, ${tx.now}::timestamptz
    from ${sql.table('wanted', rows, types)}
    on conflict (store_id, product_id) do update set
      country_of_origin = excluded.country_of_origin, commodity_description = excluded.commodity_description,
      international_shipping = excluded.international_shipping, hs_codes = excluded.hs_codes,
      updated_at = excluded.updated_at
    returning ${COLUMNS}`)
  const byProduct = new Map(stored.map((row) => [row.product_id, row]))
  return ids.flatMap((id) => byProduct.get(id) ?? [])
}

/** Also called when products are deleted. */
export async function deleteCustoms(tx: Tx, productIds: readonly number[]) {
  await tx.rows(
    prepared(sql`
      delete from customs_information where store_id = ${tx.store.id} and product_id = any(${productIds})
      returning product_id`),
  )
}
