import { beforeAll, describe, expect, test } from 'vitest'
import { addWrapping } from '../../../../../../sales/carts/wrappings.ts'
import { openShop, type Shop } from '../../../../../../test/fixtures/shop.ts'
import { askStorefront, makeToken } from '../../../../../../test/fixtures/storefront.ts'
import { dbOf } from '../../../../../../test/fixtures/webhooks.ts'
import { stepsBetween } from './price-ranges.ts'

let shop: Shop
let token: string
const ask = async (query: string) => {
  const { body } = await askStorefront(shop, { token, query })
  expect(body.errors, query).toBeUndefined()
  return body.data
}
const post = async (path: string, body: object) => {
  const answer = await shop.call('POST', path, body)
  expect(answer.status, answer.text).toBeLessThan(300)
  return answer.body.data
}
const product = (name: string, price: number, more: object = {}) =>
  post('/catalog/products', { name, type: 'physical', weight: 1, price, categories: [1], ...more })

beforeAll(async () => {
  shop = await openShop()
  token = await makeToken(shop, 'storefront')
  await post('/catalog/categories', { name: 'Cups', parent_id: 0 })
  await post('/catalog/categories', { name: 'Empty', parent_id: 0 })
})

test.each([
  [
    { lowest: 100_000, highest: 1_100_000 },
    1,
    [
      [10, 30],
      [30, 50],
      [50, 70],
      [70, 90],
      [90, 110],
    ],
  ],
  [
    { lowest: 104_900, highest: 129_900 },
    1,
    [
      [10, 11],
      [11, 12],
      [12, 13],
    ],
  ],
  [{ lowest: 100_000, highest: 100_000 }, 1, [[10, 10]]],
  [
    { lowest: 0, highest: 10_000 },
    150,
    [
      [0, 30],
      [30, 60],
      [60, 90],
      [90, 120],
      [120, 150],
    ],
  ],
])('ranges between %o at the rate %d', (bounds, rate, ranges) => {
  expect(stepsBetween(bounds, rate)).toEqual(ranges)
})

describe('the price ranges of a category', () => {
  const rangesOf = async (category: number, args = '') => {
    const data = await ask(`{ site { category(entityId: ${category}) { shopByPriceRanges${args} { edges { node {
      ranges { min { value currencyCode } max { value } } } } pageInfo { hasNextPage } } } } }`)
    return data.site.category.shopByPriceRanges
  }

  test('lie between the prices of products that a shopper finds, and are none without products or prices', async () => {
    await product('Small', 10)
    await product('Large', 60)
    await product('Hidden', 900, { is_visible: false })
    const { edges, pageInfo } = await rangesOf(1, '(first: 2)')
    const range = (min: number, max: number) => ({
      node: { ranges: { min: { value: min, currencyCode: 'USD' }, max: { value: max } } },
    })
    expect([edges, pageInfo]).toEqual([[range(10, 20), range(20, 30)], { hasNextPage: true }])
    expect((await rangesOf(1)).edges).toHaveLength(5)
    expect((await rangesOf(2)).edges).toEqual([])
    const hidden = await shop.call('PUT', '/settings/storefront/product', { hide_price_from_guests: true })
    expect(hidden.status, hidden.text).toBe(200)
    expect((await rangesOf(1)).edges).toEqual([])
  })
})

test('a product offers the visible wrappings of the store, a list of them, or none', async () => {
  const db = await dbOf(shop)
  const paper = await addWrapping(db, { name: 'Paper', price: '2.50', isVisible: true })
  const box = await addWrapping(db, { name: 'Box', price: '4', isVisible: true })
  await addWrapping(db, { name: 'Old', price: '1', isVisible: false })
  const any = await product('Any', 1)
  const listed = await product('Listed', 1, {
    gift_wrapping_options_type: 'list',
    gift_wrapping_options_list: [box.id, 99],
  })
  const none = await product('None', 1, { gift_wrapping_options_type: 'none' })
  const offered = async ({ id }: { id: number }) => {
    const data = await ask(`{ site { product(entityId: ${id}) { giftWrappingOptions {
      edges { node { entityId name allowComments previewImageUrl } } } } } }`)
    return data.site.product.giftWrappingOptions.edges.map(({ node }: { node: object }) => node)
  }
  const wrapping = (entityId: number, name: string) => ({ entityId, name, allowComments: true, previewImageUrl: null })
  expect(await offered(any)).toEqual([wrapping(paper.id, 'Paper'), wrapping(box.id, 'Box')])
  expect(await offered(listed)).toEqual([wrapping(box.id, 'Box')])
  expect(await offered(none)).toEqual([])
})
