import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { expect, inject, test } from 'vitest'
import { STOCK } from '../../../shop/themes/stock.ts'
import { ensureDatabase } from './prepare.ts'

// docs/decisions/010-statements-for-several-nodes.md: an engine may have work to do between two statements of a migration.

const folder = fileURLToPath(new URL('../migrations/cell', import.meta.url))

/** The statements of a file. Quoted and dollar-quoted texts may contain semicolons. */
function statementsOf(text: string): string[] {
  const pieces = text.replaceAll(/--[^\n]*$/gm, '').match(/(?:\$\$[\s\S]*?\$\$|'[^']*'|[^;])+/g) ?? []
  return pieces.map((statement) => statement.trim()).filter((statement) => statement !== '')
}

const TABLES = `
  select c.relname, c.relkind, (select count(*)::int from pg_attribute where attrelid = c.oid) as columns
  from pg_class c where c.relnamespace = 'public'::regnamespace and c.relname not like '%migrations%' order by 1`

test('the migrations of a cell can be sent statement by statement', async () => {
  const name = `statements_${process.pid}`
  const client = await emptyCell(name)
  let count = 0
  for (const file of readdirSync(folder).sort()) {
    for (const statement of statementsOf(readFileSync(`${folder}/${file}`, 'utf8'))) {
      count++
      // A named statement is prepared, and only one command can be.
      await client.query({ name: `statement ${count}`, text: statement })
    }
  }
  expect(count).toBeGreaterThan(100)
  const { rows } = await client.query(TABLES)
  await client.end()
  const whole = await connect(inject('postgresUrl').replace(/\/[^/]*$/, '/template_cell'))
  const { rows: expected } = await whole.query(TABLES)
  await whole.end()
  const isSearch = ({ relname }: { relname: string }) => relname.endsWith('_search')
  expect(rows.filter((row) => !isSearch(row))).toEqual(expected.filter((row) => !isSearch(row)))
  await drop(name)
})

test('an existing store gets its first channel and the stock theme, also from an owner who sees no row behind the policies', async () => {
  const name = `existing_${process.pid}`
  const client = await emptyCell(name)
  const files = readdirSync(folder).sort()
  const from = files.indexOf('0020_channels.sql')
  for (const file of files.slice(0, from)) await client.query(readFileSync(`${folder}/${file}`, 'utf8'))
  // The rights of the owner of the tables if no superuser makes the roles.
  const owner = `owner_${process.pid}`
  await client.query(`reset role; create role ${owner} nologin`)
  await client.query(`grant create on database ${name} to ${owner}`)
  await client.query(`grant create, usage on schema public to ${owner}; reassign owned by storeward_owner to ${owner}`)
  for (const id of [7, 8])
    await client.query(`insert into store_profiles (store_id, name, plan) values (${id}, 'A shop', 'pro')`)
  await client.query(`set role ${owner}`)
  expect((await client.query('select from store_profiles')).rowCount).toBe(0)
  for (const file of files.slice(from)) await client.query(readFileSync(`${folder}/${file}`, 'utf8'))
  await client.query('reset role')
  expect(
    (await client.query('select store_id, id, status, name, type, platform from channels order by 1')).rows,
  ).toEqual(
    [7, 8].map((store_id) => ({
      store_id,
      id: '1',
      status: 'active',
      name: 'Storefront',
      type: 'storefront',
      platform: 'bigcommerce',
    })),
  )
  expect((await client.query(`select last_id, total from counters where resource = 'channels'`)).rows).toEqual(
    Array.from({ length: 2 }, () => ({ last_id: '664158', total: '1' })),
  )
  expect((await client.query('select store_id, uuid, version_uuid, name from themes order by 1')).rows).toEqual(
    [7, 8].map((store_id) => ({ store_id, uuid: STOCK.uuid, version_uuid: STOCK.version_uuid, name: STOCK.name })),
  )
  const { rows: variations } = await client.query(
    `select variation.uuid, configuration.uuid as configuration, name, external_id, description from theme_variations variation
     join theme_configurations configuration on variation_uuid = variation.uuid and configuration.store_id = 7
     where variation.store_id = 7 order by position`,
  )
  expect(variations).toEqual(STOCK.variations)
  expect((await client.query('select active_theme_uuid as uuid from active_themes where channel_id = 1')).rows).toEqual(
    Array.from({ length: 2 }, () => ({ uuid: STOCK.uuid })),
  )
  const { rows: open } = await client.query(
    `select relname from pg_class where relkind = 'r' and relrowsecurity and not relforcerowsecurity`,
  )
  expect(open).toEqual([])
  await client.query(`drop owned by ${owner} cascade; drop role ${owner}`)
  await client.end()
  await drop(name)
})

test('existing storefronts get their blog page at a free address, and uploaded themes a job that reads their regions', async () => {
  const name = `before_pages_${process.pid}`
  const client = await emptyCell(name)
  for (const file of readdirSync(folder).sort()) {
    if (file.startsWith('0360')) {
      const channel = (store_id: number, id: number, more: object = {}) =>
        insertBlank(client, 'channels', {
          store_id,
          id,
          name_key: `${id}`,
          type: 'storefront',
          status: 'active',
          ...more,
        })
      await channel(7, 1)
      await channel(7, 5, { status: 'deleted' })
      await channel(7, 6, { type: 'pos' })
      await channel(7, 9, { status: 'terminated' })
      await channel(8, 1)
      const url = (url_key: string) =>
        insertBlank(client, 'urls', { store_id: 8, url_key, owner_kind: 'brand', owner_id: 1 })
      await url('/blog/')
      await url('/blog-1/')
      await insertBlank(client, 'themes', { store_id: 7, uuid: 'uploaded', version_uuid: 'a', archive: 'b' })
      await insertBlank(client, 'themes', { store_id: 7, uuid: 'stock', version_uuid: 'c' })
    }
    await client.query(readFileSync(`${folder}/${file}`, 'utf8'))
  }
  await client.query('reset role')
  const all = async (query: string) => (await client.query(query)).rows.map((row) => Object.values(row).join(' '))
  expect(await all('select store_id, id, channel_id, type, name, url from pages order by 1, 2')).toEqual([
    '7 1 1 blog Blog /blog/',
    '7 2 5 blog Blog /blog/',
    '8 1 1 blog Blog /blog-2/',
  ])
  expect(await all('select store_id, url_key, channel_id, owner_kind, owner_id from urls order by 1, 2, 3')).toEqual([
    '7 /blog/ 0 page 0',
    '7 /blog/ 1 page 1',
    '7 /blog/ 5 page 2',
    '8 /blog-1/ 0 brand 1',
    '8 /blog-2/ 0 page 0',
    '8 /blog-2/ 1 page 1',
    '8 /blog/ 0 brand 1',
  ])
  expect(await all(`select store_id, last_id, total from counters where resource = 'pages' order by 1`)).toEqual([
    '7 2 2',
    '8 1 1',
  ])
  expect(await all(`select task, payload->>'theme', state from jobs`)).toEqual(['read_theme_regions uploaded waiting'])
  expect(await all('select key, task, is_new from job_lanes')).toEqual([
    'regions of theme uploaded read_theme_regions true',
  ])
  await client.end()
  await drop(name)
})

/** A new database of this name, as the owner of the tables. */
async function emptyCell(name: string): Promise<pg.Client> {
  const client = await connect(await ensureDatabase(inject('postgresUrl'), name))
  await client.query(`grant create on database ${name} to storeward_owner`)
  await client.query('grant create, usage on schema public to storeward_owner')
  await client.query('set role storeward_owner')
  await client.query('create table cell_migrations (name text)')
  return client
}

async function drop(name: string) {
  const admin = await connect(inject('postgresUrl'))
  await admin.query(`drop database ${name} with (force)`)
  await admin.end()
}

test('existing stores get their first location, and the stock that their catalogs record there', async () => {
  const name = `before_stock_${process.pid}`
  const url = await ensureDatabase(inject('postgresUrl'), name)
  const client = await connect(url)
  await client.query(`grant create on database ${name} to storeward_owner`)
  await client.query('grant create, usage on schema public to storeward_owner')
  await client.query('set role storeward_owner')
  await client.query('create table cell_migrations (name text)')
  for (const file of readdirSync(folder).sort()) {
    // Rows as servers of earlier versions have left them.
    if (file.startsWith('0050')) await insertBlank(client, 'store_profiles', { store_id: 7 })
    if (file.startsWith('0051')) {
      const product = (id: number, more: object) =>
        insertBlank(client, 'products', { store_id: 7, id, name_key: `${id}`, ...more })
      await product(1, {
        inventory_tracking: 'product',
        inventory_level: 5,
        inventory_warning_level: 2,
        base_variant_id: 1,
      })
      await product(2, { inventory_tracking: 'variant', inventory_level: 9 })
      await product(3, { inventory_tracking: 'none', bin_picking_number: 'A', base_variant_id: 4 })
      await product(4, { inventory_tracking: 'none', base_variant_id: 5 })
      const variant = (id: number, product_id: number, more: object) =>
        insertBlank(client, 'variants', { store_id: 7, id, product_id, combination: `${id}`, ...more })
      await variant(1, 1, { inventory_level: 5 })
      await variant(2, 2, { sku_id: 2, inventory_level: 9 })
      await variant(3, 2, { sku_id: 3 })
    }
    await client.query(readFileSync(`${folder}/${file}`, 'utf8'))
  }
  await client.query('reset role')
  const { rows: locations } = await client.query(
    'select l.id, code, enabled, last_id, total from locations l join counters c using (store_id) where resource = $1',
    ['locations'],
  )
  expect(locations).toEqual([{ id: 1, code: 'SVC-LOCATION-1', enabled: true, last_id: '1', total: '1' }])
  const { rows: stock } = await client.query(
    'select product_id, variant_id, on_hand, warning_level, bin_picking_number, is_tracked from stock order by 1, 2',
  )
  expect(stock.map((row) => Object.values(row))).toEqual([
    [1, 0, 5, 2, '', true],
    [2, 2, 9, 0, '', true],
    [3, 0, 0, 0, 'A', false],
  ])
  await client.end()
  const admin = await connect(inject('postgresUrl'))
  await admin.query(`drop database before_stock_${process.pid} with (force)`)
  await admin.end()
})

/** Stores a row with these values, and with an empty value in all other columns that need one. */
async function insertBlank(client: pg.Client, table: string, values: Record<string, unknown>) {
  const nothing: Record<string, unknown> = {
    boolean: false,
    text: '',
    jsonb: '[]',
    'timestamp with time zone': new Date(0),
  }
  const { rows } = await client.query<{ name: string; type: string }>(
    `select column_name as name, data_type as type from information_schema.columns
     where table_name = $1 and is_nullable = 'NO' and column_default is null`,
    [table],
  )
  const row = { ...Object.fromEntries(rows.map(({ name, type }) => [name, nothing[type] ?? 0])), ...values }
  const columns = Object.keys(row)
  await client.query('reset role')
  await client.query(
    `insert into ${table} (${columns.join()}) values (${columns.map((_, i) => `$${i + 1}`).join()})`,
    Object.values(row),
  )
  await client.query('set role storeward_owner')
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return client
}
