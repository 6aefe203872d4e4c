import pg from 'pg'
import { migrate } from '../server/core/db/setup/prepare.ts'
import type { Installation } from '../server/process/installation.ts'
import type { OpenStore } from './data.ts'

export const PRODUCTS = 250_000
const PRODUCTS_OF_OTHERS = 20

const GLAZE = 'Amber Ash Bone Cobalt Copper Fern Moss Ochre Sand Slate Smoke Umber'.split(' ')
const MATERIAL = 'Beech Brass Ceramic Cork Enamel Glass Linen Oak Stoneware Walnut Wool'.split(' ')
const THING = 'Basket Bench Bowl Carafe Chair Clock Hook Jug Lamp Mug Plate Rug Shelf Stool Tray Vase'.split(' ')

/** Pieces of three or more letters of names and SKUs. Each matches some hundreds to some ten thousands of products. */
export const PIECES = [
  'walnut',
  'oak ch',
  'cobalt glass',
  'vase 0',
  'p-01',
  'moss stoneware mug',
  'lin',
  'smoke wool rug 1',
]

/**
 * Fills stores that hold one product each, created by the server itself, with copies: many in the first, some in each of
 * the others. SQL inserts them, since the speed of creates isn't measured here.
 */
export async function loadProducts(url: string, stores: readonly Pick<OpenStore, 'id'>[], products = PRODUCTS) {
  await asAdministrator(url, async (admin) => {
    const numbers = [stores.map(({ id }) => id), stores.map((_, i) => (i === 0 ? products : PRODUCTS_OF_OTHERS))]
    const named = `(($3::text[])[n % 12 + 1] || ' ' || ($4::text[])[n % 11 + 1] || ' ' || ($5::text[])[n % 16 + 1] || ' ' || lpad(n::text, greatest(6, length(n::text)), '0'))`
    await admin.query(
      `with new as (
       select store_id, n as id, ${named} as called, 'P-' || lpad(n::text, greatest(6, length(n::text)), '0') as code, round((n % 5000) * 0.1 + 1, 1) as costs
       from unnest($1::int[], $2::int[]) store (store_id, count), generate_series(2, count) n
     ), product as (
       insert into products select made.* from new join products kind on kind.store_id = new.store_id and kind.id = 1,
         lateral jsonb_populate_record(kind, jsonb_build_object('id', new.id, 'name', called, 'name_key', lower(called),
           'sku', code, 'sku_key', lower(code), 'price', costs, 'calculated_price', costs, 'base_variant_id', new.id,
           'custom_url', jsonb_build_object('url', '/p-' || new.id || '/', 'is_customized', false))) made
     ), names as (
       insert into product_names (store_id, id, name_key, sku_key) select store_id, id, lower(called), lower(code) from new
     ), variant as (
       insert into variants select made.* from new join variants kind on kind.store_id = new.store_id and kind.id = 1,
         lateral jsonb_populate_record(kind, jsonb_build_object('id', new.id, 'product_id', new.id, 'sku', code,
           'sku_key', lower(code), 'calculated_price', costs)) made
     ), image as (
       insert into product_images select made.* from new join product_images kind on kind.store_id = new.store_id and kind.id = 1,
         lateral jsonb_populate_record(kind, jsonb_build_object('id', new.id, 'product_id', new.id)) made
     ), field as (
       insert into custom_fields select made.* from new join custom_fields kind on kind.store_id = new.store_id and kind.id = 1,
         lateral jsonb_populate_record(kind, jsonb_build_object('id', new.id, 'product_id', new.id)) made
     ), sku as (
       insert into skus (store_id, sku_key, product_id, variant_id) select store_id, lower(code), id, 0 from new
     ), address as (
       insert into urls (store_id, url_key, owner_kind, owner_id)
       select store_id, '/p-' || id || '/', 'product', id from new
     )
     update counters set last_id = count, total = count
     from unnest($1::int[], $2::int[]) store (store, count)
     where counters.store_id = store and resource in ('products', 'variants', 'product_images', 'custom_fields')`,
      [...numbers, GLAZE, MATERIAL, THING],
    )
    // Computes the n-grams of the names.
    await migrate(url, ['cell'])
  })
}

/** Opens further stores with the rows of the second one. */
export async function moreStores({ directory }: Installation, url: string, model: number, count: number) {
  const made: number[] = []
  for (let i = 0; i < count; i++) made.push((await directory.create({ name: `More ${i}`, plan: 'unlimited' })).id)
  await asAdministrator(url, async (admin) => {
    for (const table of [
      'products',
      'product_names',
      'variants',
      'product_images',
      'custom_fields',
      'skus',
      'urls',
      'counters',
    ]) {
      const { rows } = await admin.query<{ name: string }>(
        `select quote_ident(attname) as name from pg_attribute
       where attrelid = $1::regclass and attnum > 0 and not attisdropped and attname <> 'store_id'`,
        [table],
      )
      const columns = rows.map(({ name }) => name)
      await admin.query(
        `insert into ${table} (store_id, ${columns.join(', ')})
       select store, ${columns.map((name) => `kind.${name}`).join(', ')}
       from unnest($1::int[]) store, ${table} kind where kind.store_id = $2 on conflict do nothing`,
        [made, model],
      )
    }
  })
}

/** Does work as an administrator, then vacuums the tables as in a server that has been running for a while. */
async function asAdministrator(url: string, work: (admin: pg.Client) => Promise<void>) {
  const admin = new pg.Client({ connectionString: url })
  await admin.connect()
  try {
    await work(admin)
    await admin.query('vacuum analyze')
    await admin.query('checkpoint')
  } finally {
    await admin.end()
  }
}
