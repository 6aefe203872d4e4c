import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { VALUES } from '../../server/goods/catalog/search/values.ts'
import {
  asAdministrator,
  type Client,
  clientOf,
  figure,
  newShop,
  sized,
  startTogether,
  until,
  whenFileEnds,
} from './rig.ts'

// Stored counts of facets, while products change through two servers that are killed in turns (docs/contract/storefront-search.md).

const KILLS = sized(30, 2)
const [CLIENTS, PRODUCTS, CATEGORIES, BRANDS] = [6, 40, 5, 4]
const options = { timeout: sized(3_600_000, 300_000) }
const atEnd = whenFileEnds()

/** Counts that differ between the stored ones and those of all products. */
const DIFFERENT = `
  with stored as (
    select store_id, channel_id, context, value, products, in_stock from facet_counts
  ), counted as (
    select store_id, channel_id, context, value, count(*)::int as products, count(*) filter (where in_stock)::int as in_stock
    from search_rows, unnest(facets) context, unnest(facets) value
    where context = 0 or (context >= ${VALUES.category} and context < ${VALUES.flag})
    group by 1, 2, 3, 4
  )
  (table stored except table counted) union all (table counted except table stored)`

const one = (below: number) => 1 + Math.floor(Math.random() * below)

test(
  'stored counts of facets are those of the products after each kill -9 of one of two servers',
  options,
  async () => {
    const together = await startTogether(atEnd)
    const { folder, servers } = together
    const shop = await newShop(folder)
    await furnish(clientOf(together.at(0), shop))
    let changes = 0
    let slowest = 0
    for (let round = 0; round < KILLS; round++) {
      let [isOn, sent] = [true, 0]
      const calls = servers.map((server) => clientOf(server, shop))
      const clients = Array.from({ length: CLIENTS }, async (_, i) => {
        const call = calls[i % 2]
        while (isOn && call) {
          // A client that loses its connection has no answer.
          const answer = await change(call).catch(() => undefined)
          sent++
          if (answer?.status === 200) changes++
          else await sleep(20)
        }
      })
      await until('some products have changed', () => sent >= CLIENTS * 3)
      await sleep(Math.random() * 300)
      const victim = together.at(round)
      process.kill(victim.pid, 'SIGKILL')
      await victim.ended
      isOn = false
      await Promise.all(clients)
      // The other server counts what the killed one has left.
      const began = performance.now()
      await asAdministrator(folder, async (admin) => {
        const waiting = async () =>
          (await admin.query('select count(*)::int as rows from uncounted_facets')).rows[0]?.rows
        await until('all changes are counted', async () => (await waiting()) === 0)
        slowest = Math.max(slowest, performance.now() - began)
        expect((await admin.query(DIFFERENT)).rows).toEqual([])
        const { rows } = await admin.query('select count(*)::int as counts from facet_counts')
        expect(rows[0]?.counts).toBeGreaterThan(0)
      })
      await together.restart(round)
    }
    figure(
      'facets',
      `${KILLS} kills, ${changes} changes: no count differs; counted after ${(slowest / 1_000).toFixed(1)} s at most`,
    )
  },
)

async function furnish(call: Client) {
  const must = async (path: string, body: object) => expect((await call('POST', path, body)).status).toBe(200)
  for (let i = 1; i <= CATEGORIES; i++) {
    await must('/catalog/categories', { name: `Category ${i}`, parent_id: i > 2 ? i - 2 : 0 })
  }
  for (let i = 1; i <= BRANDS; i++) await must('/catalog/brands', { name: `Brand ${i}` })
  for (let i = 1; i <= PRODUCTS; i++) {
    const product = { name: `Mug ${i}`, type: 'physical', weight: 1, price: i, is_visible: true, brand_id: one(BRANDS) }
    await must('/catalog/products', { ...product, categories: [one(CATEGORIES)] })
  }
}

/** Changes values of a product that facets count. */
function change(call: Client) {
  const changes = [
    { brand_id: one(BRANDS) },
    { categories: [one(CATEGORIES), one(CATEGORIES)].filter((id, i, all) => all.indexOf(id) === i) },
    { is_visible: Math.random() < 0.7 },
    { is_featured: Math.random() < 0.5 },
    { inventory_tracking: 'product', inventory_level: one(2) - 1 },
  ]
  return call('PUT', `/catalog/products/${one(PRODUCTS)}`, changes[one(changes.length) - 1])
}
