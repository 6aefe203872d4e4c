import { expect, test } from 'vitest'
import { problem } from '../../../test/document/expected.ts'
import { openShop, type Shop } from '../../../test/fixtures/shop.ts'
import { holdTable } from '../../../test/harness/administrator.ts'

// docs/contract/promotions.md section 1: the requests of a store that run at once.

const rules = [{ action: { cart_value: { discount: { fixed_amount: '1' } } } }]
const promotion = { redemption_type: 'COUPON', coupon_type: 'BULK', name: 'Ten off', rules }

interface Group {
  max: number
  /** The table for which its requests wait. */
  table: string
  requests: readonly [method: string, path: string, body?: unknown][]
}

/** Operations that share their number, each with the requests to send: one more than run at once. */
const GROUPS: readonly Group[] = [
  {
    max: 40,
    table: 'promotions',
    requests: [
      ['GET', '/promotions'],
      ['POST', '/promotions', promotion],
      ['PUT', '/promotions/1', { name: 'Other' }],
    ],
  },
  {
    max: 10,
    table: 'coupons',
    requests: [
      ['GET', '/promotions/1/codes'],
      ['POST', '/promotions/1/codegen', { batch_size: 1 }],
    ],
  },
]

test('40 lists and changes, and 10 lists of codes and generations; one more waits, and is refused after a second', async () => {
  const stores = await Promise.all(GROUPS.map(async (group) => ({ ...group, store: await openStore() })))
  const releases: (() => Promise<void>)[] = []
  for (const { store, table } of stores) releases.push(await holdTable(store, table))
  const asked = stores.map(async ({ store, max, requests }) => {
    const answers = Array.from({ length: max + 1 }, (_, i) => {
      const [method = '', path = '', body] = requests[i % requests.length] ?? []
      return store.call(method, path, body)
    })
    const refused = await Promise.race(answers)
    expect(refused).toMatchObject({ status: 429, body: problem(429, 'Too many requests') })
    // It has cost a request of the quota.
    expect(refused.headers).toHaveProperty('x-rate-limit-requests-left')
    return answers
  })
  const groups = await Promise.all(asked)
  for (const release of releases) await release()
  const late = groups.map(async (answers) => (await Promise.all(answers)).filter(({ status }) => status === 429))
  expect((await Promise.all(late)).map(({ length }) => length)).toEqual([1, 1])
})

async function openStore(): Promise<Shop> {
  const shop = await openShop()
  await shop.call('POST', '/promotions', promotion)
  return shop
}
