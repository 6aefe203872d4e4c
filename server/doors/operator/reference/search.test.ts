import { gzipSync } from 'node:zlib'
import { beforeAll, expect, test } from 'vitest'
import { theHouse } from '../../../test/fixtures/shop.ts'
import type { Entry } from './search-index.ts'
import { search } from './search-script.js'

// Questions of newcomers find their page within the first three hits.

let entries: Entry[]
let bytes: Buffer
beforeAll(async () => {
  const { server } = await theHouse()
  const answer = await server.inject('/docs/search.json')
  entries = answer.json()
  bytes = answer.rawPayload
})

test.each([
  ['refund part of an order', /guides\/refunds|payment-action-refunds#/],
  ['filter orders by status', /orders-v2#listOrdersV2/],
  ['pagination', /guides\/conventions/],
  ['graphql', /guides\/storefront-graphql/],
  ['list orders since yesterday', /#listOrdersV2/],
  ['verify a webhook', /guides\/webhooks|#testWebhook/],
  ['which scope reads inventory', /inventory/],
  ['upload a picture', /Image/],
  ['what does 409 mean', /errors#409/],
  ['change a price list', /#updatePricelist/i],
  ["get a customer's token", /storefront-tokens|#.*[Tt]oken/],
  ['make a channel', /#createChannel/],
  ['order created event', /guides\/webhooks/],
  ['rate limits', /guides\/(limits|auth)|errors#429/],
  ['idempotency', /guides\/conventions/],
  ['add a product to a cart', /cart-items#/],
  ['coupon codes', /coupons|promotion-codes/],
  ['create shipping zones', /shipping-zones/],
  ['gift certificates', /gift-certificates/],
  ['import redirects', /redirects#/],
])('%s', (question, address) => {
  const hits = search(entries, question, 3)
  expect(
    hits.map((hit) => hit.address).some((one) => address.test(one)),
    JSON.stringify(hits),
  ).toBe(true)
})

test('nonsense finds nothing', () => {
  expect(search(entries, 'xylophone zither')).toEqual([])
})

test('the index is loaded when it is used, and has at most 200 kB compressed', () => {
  expect(gzipSync(bytes).length).toBeLessThan(200_000)
  expect(entries.length).toBeGreaterThan(900)
})

test('every address of the index leads to a page', async () => {
  const { server } = await theHouse()
  const pages = new Set(entries.map(([, , address]) => address.split('#')[0] ?? ''))
  for (const page of pages) expect((await server.inject(page)).statusCode, page).toBe(200)
})
