import type pg from 'pg'
import type { Db } from '../server/core/db/database.ts'
import { sql } from '../server/core/db/sql.ts'
import { storeProductNames } from '../server/goods/catalog/product-row/names.ts'
import { updateSearchRows } from '../server/goods/catalog/search/rows.ts'
import { EVERY_PRODUCT, VALUES } from '../server/goods/catalog/search/values.ts'
import type { SearchedProduct } from '../server/goods/catalog/search/words.ts'

// Stores whose storefronts are searched in benches.

const LEAVES = 100
const BRANDS = 100
const AT_ONCE = 1_000
/** The currencies of the price list. */
export const CURRENCIES = ['usd', 'eur', 'gbp', 'cad']
const GLAZE = 'Amber Ash Bone Cobalt Copper Fern Moss Ochre Sand Slate Smoke Umber'.split(' ')
const MATERIAL = 'Beech Brass Ceramic Cork Enamel Glass Linen Oak Stoneware Walnut Wool'.split(' ')
const THING = 'Basket Bench Bowl Carafe Chair Clock Hook Jug Lamp Mug Plate Rug Shelf Stool Tray Vase'.split(' ')
const FILTERS = [
  ['category', '', 'Category'],
  ['brand', '', 'Brand'],
  ['product', 'field:Glaze', 'Glaze'],
  ['product', 'field:Material', 'Material'],
  ['rating', '', 'Rating'],
  ['price', '', 'Price'],
  ['other', '', 'Other'],
].map(([type, key, display_name]) => ({
  id: Buffer.from(`${type}:${key}`).toString('base64url'),
  type,
  display_name,
}))

/** Sends a POST to the API of a store. */
type Call = (path: string, payload: object) => Promise<void>

/** Gives a customer a price list that has every variant in each currency. */
export async function addPriceList({ store }: Db, admin: pg.Client, call: Call, products: number) {
  await call('/v2/customer_groups', { name: 'Trade' })
  const customer = { email: 'tom@example.com', first_name: 'Tom', last_name: 'Trade', customer_group_id: 1 }
  await call('/v3/customers', [customer])
  await call('/v3/pricelists', { name: 'Trade' })
  await call('/v3/pricelists/assignments', [{ price_list_id: 1, customer_group_id: 1 }])
  await admin.query(
    `insert into price_record_sets (store_id, price_list_id, currency, generation, total)
     select $1, 1, currency, 1, $3 from unnest($2::text[]) currency`,
    [store.id, CURRENCIES, products],
  )
  await admin.query(
    `insert into price_records select $1, 1, id, currency, 1, product_id, 3, null, null, null, 3, '[]', now(), now()
     from variants, unnest($2::text[]) currency where store_id = $1`,
    [store.id, CURRENCIES],
  )
}

/** Stores the counts of all products of a store at once. The worker would count them in steps, as it does after changes. */
export async function countAll(admin: pg.Client, store: number) {
  await admin.query(
    `insert into facet_counts (store_id, channel_id, context, value, products, in_stock)
     select store_id, channel_id, context, value, count(*), count(*) filter (where in_stock)
     from search_rows, unnest(facets) context, unnest(facets) value
     where store_id = $1 and (context = $2 or (context >= $3 and context < $4)) group by 1, 2, 3, 4`,
    [store, EVERY_PRODUCT, VALUES.category, VALUES.flag],
  )
  await admin.query('delete from uncounted_facets where store_id = $1', [store])
}

/** Fills a store with products in three levels of categories, with a brand and two custom fields, and writes their copies. */
export async function fillSearched(db: Db, admin: pg.Client, call: Call, count: number) {
  const store = db.store.id
  await call('/v3/catalog/categories', { name: 'All', parent_id: 0 })
  for (let i = 0; i < 10; i++) await call('/v3/catalog/categories', { name: `Group ${i}`, parent_id: 1 })
  for (let i = 0; i < LEAVES; i++) await call('/v3/catalog/categories', { name: `Leaf ${i}`, parent_id: (i % 10) + 2 })
  for (let i = 0; i < BRANDS; i++) await call('/v3/catalog/brands', { name: `Brand ${i}` })
  await call('/v3/catalog/products', {
    ...{ name: 'First', type: 'physical', weight: 1, price: 5, sku: 'P-000001', brand_id: 1, categories: [12] },
    custom_fields: [
      { name: 'Glaze', value: 'Ash' },
      { name: 'Material', value: 'Oak' },
    ],
  })
  const named = `(($3::text[])[n % 12 + 1] || ' ' || ($4::text[])[n % 11 + 1] || ' ' || ($5::text[])[n % 16 + 1] || ' ' || lpad(n::text, 6, '0'))`
  await admin.query(
    `with new as (
       select $1::int as store_id, n as id, ${named} as called, 'P-' || lpad(n::text, 6, '0') as code, round((n % 5000) * 0.1 + 1, 1) as costs
       from generate_series(2, $2::int) n
     ), product as (
       insert into products select made.* from new join products kind on kind.store_id = new.store_id and kind.id = 1,
         lateral jsonb_populate_record(kind, jsonb_build_object('id', new.id, 'name', called, 'name_key', lower(called),
           'sku', code, 'sku_key', lower(code), 'price', costs, 'calculated_price', costs, 'base_variant_id', new.id,
           'brand_id', new.id % ${BRANDS} + 1, 'total_sold', new.id * 7 % 1000, 'sort_order', new.id % 50,
           'reviews_count', new.id % 3, 'reviews_rating_sum', new.id % 3 * (new.id % 5 + 1),
           'categories', jsonb_build_array(new.id % ${LEAVES} + 12),
           'custom_url', jsonb_build_object('url', '/p-' || new.id || '/', 'is_customized', false))) made
     ), variant as (
       insert into variants select made.* from new join variants kind on kind.store_id = new.store_id and kind.id = 1,
         lateral jsonb_populate_record(kind, jsonb_build_object('id', new.id, 'product_id', new.id, 'sku', code,
           'sku_key', lower(code), 'calculated_price', costs)) made
     ), glaze as (
       insert into custom_fields (store_id, id, product_id, name, value)
       select store_id, id * 2, id, 'Glaze', ($3::text[])[id % 12 + 1] from new
     ), material as (
       insert into custom_fields (store_id, id, product_id, name, value)
       select store_id, id * 2 + 1, id, 'Material', ($4::text[])[id % 11 + 1] from new
     ), sold as (
       insert into product_channels (store_id, product_id, channel_id) select store_id, id, 1 from new
     )
     insert into product_categories (store_id, product_id, category_id) select store_id, id, id % ${LEAVES} + 12 from new`,
    [store, count, GLAZE, MATERIAL, THING],
  )
  await admin.query('update counters set last_id = $2, total = $2 where store_id = $1 and resource = $3', [
    store,
    count,
    'products',
  ])
  await admin.query(`insert into settings (store_id, family, channel_id, value) values ($1, 'search/filters', 0, $2)`, [
    store,
    JSON.stringify({ filters: FILTERS }),
  ])
  await admin.query('analyze')
  for (let after = 0; after < count; after += AT_ONCE) {
    await db.transaction(async (tx) => {
      const rows = await tx.rows<SearchedProduct>(sql`
        select id, name, sku, upc, search_keywords from products
        where store_id = ${store} and id > ${after} and id <= ${after + AT_ONCE} order by id`)
      await storeProductNames(tx, rows)
      updateSearchRows(
        tx,
        rows.map(({ id }) => id),
      )
    })
  }
}
