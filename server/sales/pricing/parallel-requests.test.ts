import { expect, test } from 'vitest'
import { problem } from '../../test/document/expected.ts'
import { openShop, type Shop } from '../../test/fixtures/shop.ts'
import { holdTable } from '../../test/harness/administrator.ts'

// docs/contract/price-lists.md section 1: the requests of a store that run at once, by operation.

const record = { price_list_id: 1, variant_id: 1, currency: 'USD', price: 5 }
const { price_list_id: _, ...ofList } = record
const one = '/pricelists/1/records/1/USD'

const OPERATIONS: readonly [method: string, path: string, max: number, body?: unknown][] = [
  ['DELETE', '/pricelists/1', 1],
  ['PUT', '/pricelists/1/assignments', 25, { customer_group_id: 1, channel_id: 1 }],
  ['POST', '/pricelists/records', 10, [record]],
  ['PUT', '/pricelists/records', 1, [record]],
  ['GET', '/pricelists/1/records', 10],
  ['POST', '/pricelists/1/records', 10, [ofList]],
  ['PUT', '/pricelists/1/records', 2, [ofList]],
  ['GET', '/pricelists/1/records/1', 40],
  ['GET', one, 50],
  ['PUT', one, 40, { price: 5 }],
  ['DELETE', one, 25],
  ['POST', '/pricing/products', 50, { channel_id: 1, currency_code: 'USD', items: [{ product_id: 1 }] }],
]

// One after another: the lock of a table ends statements after five seconds, and a busy machine needs that long for all together.
test.each(OPERATIONS)(
  '%s %s has %i requests at once; one more waits, and is refused after a second (429)',
  async (method, path, max, body) => {
    const store = await openStore()
    const releases = [await holdTable(store, 'price_lists'), await holdTable(store, 'price_records')]
    const answers = Array.from({ length: max + 1 }, () => store.call(method, path, body))
    const refused = await Promise.race(answers)
    for (const release of releases) await release()
    expect(refused).toMatchObject({ status: 429, body: problem(429, 'Too many requests') })
    // It has cost a request of the quota.
    expect(refused.headers).toHaveProperty('x-rate-limit-requests-left')
    expect((await Promise.all(answers)).filter(({ status }) => status === 429)).toHaveLength(1)
  },
)

async function openStore(): Promise<Shop> {
  const shop = await openShop()
  await shop.call('POST', '/catalog/products', { name: 'Mug', type: 'physical', weight: 1, price: 9 })
  await shop.call('POST', '/customer_groups', { name: 'Trade' }, { version: 'v2' })
  await shop.call('POST', '/pricelists', { name: 'Trade' })
  return shop
}
