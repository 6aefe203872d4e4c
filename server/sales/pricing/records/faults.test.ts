import { expect, test } from 'vitest'
import { DatabaseUnavailable } from '../../../core/db/database.ts'
import { failEach, withSwitch } from '../../../test/fixtures/faults.ts'
import { type Answered, openShop, type Shop } from '../../../test/fixtures/shop.ts'
import { rowsOf } from '../../../test/fixtures/webhooks.ts'

// Each commit of a write of prices, taxes or shipping fails once: before it does anything, or after, with its answer lost. Rows and events
// are then those of before the write or those of after it, and a repeated write ends with the same rows (C-126).

const TABLES = [
  ...['price_lists', 'price_records', 'price_record_sets', 'price_list_assignments'],
  ...['tax_classes', 'tax_zones', 'tax_rates', 'tax_settings', 'shipping_zones', 'shipping_methods', 'counters'],
]

type Write = [method: string, path: string, body: unknown, version?: 'v2']

const RECORD = { variant_id: 1, currency: 'usd', price: 8 }
const WRITES: Record<string, Write> = {
  'a new list': ['POST', '/pricelists', { name: 'Net' }],
  'a changed list': ['PUT', '/pricelists/1', { name: 'Wholesale', active: false }],
  'a deleted list': ['DELETE', '/pricelists/1', undefined],
  'all lists': ['DELETE', '/pricelists', undefined],
  'a record': ['PUT', '/pricelists/1/records/1/usd', { price: 7 }],
  'a deleted record': ['DELETE', '/pricelists/1/records/2/usd', undefined],
  'a batch of records': ['PUT', '/pricelists/1/records', [RECORD, { ...RECORD, variant_id: 2, price: 3 }]],
  'a batch of two lists': ['PUT', '/pricelists/records', [1, 2].map((id) => ({ ...RECORD, price_list_id: id }))],
  'records by a filter': ['DELETE', '/pricelists/1/records?variant_id:in=2', undefined],
  'all records': ['DELETE', '/pricelists/1/records', undefined],
  'an assignment': ['PUT', '/pricelists/1/assignments', { customer_group_id: 1, channel_id: 1 }],
  'assignments by a filter': ['DELETE', '/pricelists/assignments?price_list_id=1', undefined],
  'tax classes': ['PUT', '/tax/classes', [{ id: 1, name: 'Default' }]],
  'a tax zone': ['PUT', '/tax/zones', [{ id: 2, name: 'Danmark' }]],
  'tax rates': ['PUT', '/tax/rates', [{ id: 1, class_rates: [{ rate: 20, tax_class_id: 0 }] }]],
  'tax settings': ['PUT', '/tax/settings', { tax_entered_with_prices: true }],
  'a shipping zone': ['POST', '/shipping/zones', { name: 'World', type: 'global' }, 'v2'],
  'a shipping method': ['PUT', '/shipping/zones/1/methods/1', { name: 'Truck' }, 'v2'],
}

async function openPriced(): Promise<Shop> {
  const shop = await openShop()
  const done = async (method: string, path: string, body: unknown, version?: 'v2') => {
    const { status, text } = await shop.call(method, path, body, version ? { version } : {})
    expect(status, `${path}: ${text}`).toBeLessThan(300)
  }
  const mug = (n: number) => ({ name: `Mug ${n}`, type: 'physical', weight: 1, price: 10 })
  await done('POST', '/catalog/products', [mug(1), mug(2)])
  for (const name of ['Trade', 'Staff']) await done('POST', '/pricelists', { name })
  await done('PUT', '/pricelists/1/records', [RECORD, { ...RECORD, variant_id: 2 }])
  await done('POST', '/customer_groups', { name: 'Trade' }, 'v2')
  await done('POST', '/pricelists/assignments', [{ price_list_id: 1, customer_group_id: 1 }])
  const denmark = { name: 'Denmark', shopper_target_settings: { locations: [{ country_code: 'DK' }] } }
  await done('POST', '/tax/zones', [denmark])
  await done('POST', '/tax/rates', [{ name: 'Moms', tax_zone_id: 2, class_rates: [{ rate: 25, tax_class_id: 0 }] }])
  await done('POST', '/shipping/zones', { name: 'DK', type: 'country', locations: [{ country_iso2: 'DK' }] }, 'v2')
  await done('POST', '/shipping/zones/1/methods', { name: 'Post', type: 'perorder', settings: { rate: 7 } }, 'v2')
  return shop
}

/** Rows without their store and their times. */
async function contentOf(shop: Shop): Promise<{ rows: unknown[]; events: unknown[] }> {
  const rows: unknown[] = []
  for (const table of TABLES) {
    const all = await rowsOf(shop, table)
    rows.push(
      all
        .map(({ store_id: _, ...row }) => JSON.stringify(row).replaceAll(/\d{4}-\d\d-\d\d[T ][\d:.+Z]+/g, 'a time'))
        .toSorted(),
    )
  }
  const events = (await rowsOf(shop, 'events')).map(({ scope, data }) => [scope, data])
  return { rows, events }
}

const send = (shop: Shop, [method, path, body, version]: Write): Promise<Answered> =>
  shop.call(method, path, body, version ? { version } : {})

test.each(Object.entries(WRITES))('C-126: %s is stored wholly or not at all, with its events', async (_, write) => {
  const twin = await openPriced()
  const before = await contentOf(twin)
  const { status, text } = await send(twin, write)
  expect(status, text).toBeLessThan(300)
  const after = await contentOf(twin)
  expect(after.rows).not.toEqual(before.rows)
  const points = await failEach(
    async (fails, name, fault) => {
      const shop = await openPriced()
      const answer = await withSwitch(shop.store.id, fails, () => send(shop, write))
      if (!fault.hasFailed) return expect(answer.status, name).toBe(status)
      expect([answer.status, answer.headers['retry-after']], name).toEqual([503, expect.any(String)])
      expect(await contentOf(shop), name).toEqual(fault.at === 'before' ? before : after)
      await send(shop, write)
      expect((await contentOf(shop)).rows, name).toEqual(after.rows)
    },
    (sentence) => new DatabaseUnavailable(sentence),
  )
  expect(points).toBe(2)
})
