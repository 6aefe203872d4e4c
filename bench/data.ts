import pg from 'pg'
import type { Installation } from '../server/process/installation.ts'

export const BRANDS = 30_000
const STORES = 200
const BRANDS_OF_OTHERS = 100
const CHANNELS = 1_000

export interface OpenStore {
  id: number
  hash: string
  token: string
}

const FIRST = 'Acme Alder Aspen Birch Cedar Cobalt Copper Ferm Fjord Globe Harbor Iris Juniper Lark Linden Maple'.split(
  ' ',
)
const SECOND =
  'Atelier Bros Craft Design Foods Garden Goods Home House Kitchen Lab Living Outfitters Studio Works'.split(' ')

/** Patterns for `name:like`: parts of names that match from a few to thousands of them. */
export const PATTERNS = [
  'ferm',
  'ac',
  'cobalt lab',
  'garden 0',
  'iris works 1',
  'fjord living',
  'al',
  'x',
  'kitchen 012',
]

/**
 * Opens 200 stores, and an account in each of the first `accounts`. The first store has 30,000 brands and 1,000
 * channels, each with currencies of its own. SQL inserts them, since the speed of creates isn't measured here.
 * @returns the stores with an account, the big one first
 */
export async function load({ directory, accounts }: Installation, url: string, count: number): Promise<OpenStore[]> {
  const open: OpenStore[] = []
  for (let i = 0; i < STORES; i++) {
    const store = await directory.create({ name: `Bench ${i}`, plan: 'unlimited' })
    if (i >= count) continue
    const { access_token } = await accounts.create(store.hash, 'bench', ['all'])
    open.push({ id: store.id, hash: store.hash, token: access_token })
  }
  const admin = new pg.Client({ connectionString: url })
  await admin.connect()
  await admin.query(
    `with new as (
       select s.id as store_id, n as id,
         ($1::text[])[n % 16 + 1] || ' ' || ($2::text[])[n % 15 + 1] || ' ' || lpad(n::text, 5, '0') as name
       from directory.stores s, generate_series(1, case when s.id = $3 then $4::int else $5 end) n
     ), brand as (
       insert into brands (store_id, id, name, name_key, page_title, page_title_key, meta_keywords, meta_description,
         search_keywords, image_url, custom_url)
       select store_id, id, name, lower(name), 'All of ' || name, lower('all of ' || name), '["modern", "clean"]',
         'What ' || name || ' makes, in one place.', name || ', new', '',
         jsonb_build_object('url', '/' || replace(lower(name), ' ', '-') || '/', 'is_customized', false)
       from new
     ), address as (
       insert into urls (store_id, url_key, owner_kind, owner_id)
       select store_id, '/' || replace(lower(name), ' ', '-') || '/', 'brand', id from new
     )
     insert into counters (store_id, resource, last_id, total, version)
     select store_id, 'brands', max(id), count(*), 1 from new group by store_id`,
    [FIRST, SECOND, open[0]?.id, BRANDS, BRANDS_OF_OTHERS],
  )
  await admin.query(
    `insert into channels (store_id, id, external_id, is_listable_from_ui, is_enabled, is_visible, status, name, name_key,
       type, platform, date_created, date_modified, icon_url)
     select $1, 664157 + n, '', true, true, true, 'connected', 'Shop-' || n, 'shop-' || n, 'pos', 'square', now(), now(), ''
     from generate_series(2, $2::int) n`,
    [open[0]?.id, CHANNELS],
  )
  await admin.query(
    `insert into channel_currencies (store_id, channel_id, enabled_currencies, default_currency)
     select store_id, id, '["USD", "EUR", "JPY"]', 'USD' from channels where store_id = $1`,
    [open[0]?.id],
  )
  await admin.query('vacuum analyze')
  await admin.query('checkpoint')
  await admin.end()
  return open
}
