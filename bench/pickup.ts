/**
 * The database cost of a search for pickup locations: 100 locations with two methods each, 100 variants, so 10,000 rows
 * of stock; alone, and besides 20 stores that hold ten times as much each. Searches for 3 and for 50 variants, within
 * and beyond reach.
 *
 * node bench/pickup.ts [--quick]
 *
 * Exits with 1 if a search for 3 variants takes more than 3 ms. Needs Linux.
 */
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type pg from 'pg'
import type { Db } from '../server/core/db/database.ts'
import { Files } from '../server/core/files/files.ts'
import { randomIds } from '../server/core/secrets/ids.ts'
import { findOptions } from '../server/goods/pickup/options.ts'
import { seed } from '../server/sandbox/demo/seed.ts'
import { cpuOfPostgres } from './cpu.ts'
import { type OwnServer, withOwnServer } from './own-server.ts'
import { figure } from './report.ts'

const LOCATIONS = 100
const VARIANTS = 100
const OTHERS = 20
const TIMES = 10
const BAR_MS = 3

const { values: options } = parseArgs({ options: { quick: { type: 'boolean', default: false } } })
const [ROUNDS, SEARCHES] = options.quick ? [3, 200] : [7, 1_000]

await withOwnServer('pickup', compare)

async function compare({ folder, directory, cell, admin, url, postmaster }: OwnServer) {
  const open = (name: string) => directory.create({ name, plan: 'unlimited' })

  const own = { ...(await open('Own')), limits: {} }
  const db = cell.api.of(own)
  const files = new Files(join(folder, 'files'), url.href, randomIds)
  await files.open()
  await seed(db, files, 'tiny', { count: VARIANTS })
  await admin.query(`update products set inventory_tracking = 'variant' where store_id = $1`, [own.id])
  const items = await admin.query<{ id: number; product_id: number; variant_id: number }>(
    `select id, product_id, coalesce(sku_id, 0) as variant_id from variants where store_id = $1 order by id limit ${VARIANTS}`,
    [own.id],
  )
  for (const table of ['stock', 'pickup_methods'])
    await admin.query(`delete from ${table} where store_id = $1`, [own.id])
  await admin.query('delete from locations where store_id = $1 and id > 1', [own.id])
  await spread(admin, own.id, LOCATIONS, items.rows)
  const variantIds = items.rows.map(({ id }) => id)

  console.log(`load ${loadavg()[0]?.toFixed(1)}; milliseconds of database CPU for a search, median (lowest to highest)`)
  await measureAll('alone', db, variantIds, postmaster)
  for (let i = 0; i < OTHERS; i++) {
    const { id } = await open(`Other ${i}`)
    const many = Array.from({ length: VARIANTS * TIMES }, (_, n) => ({ product_id: n + 1, variant_id: n + 1 }))
    await spread(admin, id, LOCATIONS, many)
  }
  await measureAll(`beside ${OTHERS} stores`, db, variantIds, postmaster)
}

/** Gives a store locations all over a square of 100 km, with two methods each and some of each item. */
async function spread(
  admin: pg.Client,
  store: number,
  locations: number,
  items: readonly { product_id: number; variant_id: number }[],
) {
  await admin.query(
    `insert into locations select made.* from locations kind, generate_series(2, $2::int) n,
       lateral jsonb_populate_record(kind, jsonb_build_object('id', n, 'code', 'L' || n, 'code_key', 'l' || n, 'address',
         jsonb_build_object('geo_coordinates', jsonb_build_object(
           'latitude', 55 + n * 37 % 100 * 0.009, 'longitude', 12 + n * 61 % 100 * 0.015)))) made
     where kind.store_id = $1 and kind.id = 1`,
    [store, locations + 1],
  )
  await admin.query(
    `insert into pickup_methods (store_id, id, location_id, name, name_key, collection_instructions,
       collection_time_description, date_created, date_modified)
     select $1, n, n / 2 + 1, 'Counter', 'counter', 'Ring twice', 'From 9 to 18', now(), now()
     from generate_series(2, $2::int * 2 + 1) n`,
    [store, locations],
  )
  await admin.query(
    `insert into stock (store_id, product_id, variant_id, location_id, on_hand, safety_stock, is_in_stock, warning_level,
       bin_picking_number, counts, is_tracked, version)
     select $1, product_id, variant_id, location_id, (product_id + variant_id + location_id) % 5, 0, true, 0, '', true, true, 1
     from unnest($2::int[], $3::int[]) item (product_id, variant_id), generate_series(2, $4::int) location_id
     on conflict do nothing`,
    [store, items.map(({ product_id }) => product_id), items.map(({ variant_id }) => variant_id), locations + 1],
  )
  await admin.query('vacuum analyze')
}

async function measureAll(beside: string, db: Db, variantIds: readonly number[], postmaster: number) {
  for (const [count, km] of [
    [3, 100],
    [3, 10],
    [50, 100],
  ] as const) {
    let found = 0
    const round = async () => {
      const before = cpuOfPostgres(postmaster)
      for (let n = 0; n < SEARCHES; n++) {
        const first = (n * 7) % (variantIds.length - count)
        const wanted = variantIds.slice(first, first + count)
        const data = await findOptions(db, {
          search_area: { coordinates: { latitude: 55.4, longitude: 12.7 }, radius: { value: km, unit: 'KM' } },
          items: wanted.map((variant_id) => ({ variant_id, quantity: 1 })),
        })
        found += data.length
      }
      return (cpuOfPostgres(postmaster) - before) / SEARCHES / 1_000
    }
    await round()
    const rounds: number[] = []
    for (let n = 0; n < ROUNDS; n++) rounds.push(await round())
    const { median, lowest, highest } = figure(rounds)
    const shown = `${median.toFixed(2)} (${lowest.toFixed(2)} to ${highest.toFixed(2)})`
    const perSearch = (found / SEARCHES / (ROUNDS + 1)).toFixed(1)
    console.log(`${beside.padEnd(20)}${count} variants within ${km} km, ${perSearch} locations found: ${shown}`)
    if (count === 3 && median > BAR_MS) process.exitCode = 1
  }
}
