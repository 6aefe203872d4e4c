import { beforeAll, expect, test } from 'vitest'
import { openShop, type Shop } from '../../../../../test/fixtures/shop.ts'
import { askStorefront, makeToken } from '../../../../../test/fixtures/storefront.ts'

let shop: Shop
let token: string
let ann: number

beforeAll(async () => {
  shop = await openShop()
  token = await makeToken(shop, 'impersonation')
  const people = [{ email: 'ann@example.com', first_name: 'Ann', last_name: 'Lee' }]
  ann = (await shop.call('POST', '/customers', people)).body.data[0].id
  for (const [name, is_visible] of [
    ['Mug', true],
    ['Cup', true],
    ['Secret', false],
  ] as const) {
    await shop.call('POST', '/catalog/products', { name, is_visible, type: 'physical', weight: 1, price: 5 })
  }
})

const review = { author: 'Ann', title: 'Nice', text: 'Good <b>mug</b>', rating: 4, email: 'guest@example.com' }

async function send(product: number, more: object = {}, customer?: number) {
  const { status, body } = await askStorefront(shop, {
    token,
    query: `mutation Add($input: AddProductReviewInput!) { catalog { addProductReview(input: $input) {
      errors { __typename ... on Error { message } ... on InvalidInputFieldsError { fields } } } } }`,
    variables: { input: { productEntityId: product, review: { ...review, ...more } } },
    headers: customer === undefined ? {} : { 'x-svc-customer-id': String(customer) },
  })
  expect([status, body.errors]).toEqual([200, undefined])
  return body.data.catalog.addProductReview.errors
}
const stored = async (product: number) => (await shop.call('GET', `/catalog/products/${product}/reviews`)).body.data

test('a review waits for its approval, or is shown at once', async () => {
  expect(await send(1)).toEqual([])
  expect(await stored(1)).toMatchObject([
    {
      name: 'Ann',
      title: 'Nice',
      text: 'Good <b>mug</b>',
      rating: 4,
      email: 'guest@example.com',
      status: 'pending',
    },
  ])
  await shop.call('PUT', '/settings/catalog', { auto_approve_reviews: true })
  expect(await send(2)).toEqual([])
  expect((await stored(2))[0].status).toBe('approved')
  const { body } = await askStorefront(shop, {
    token,
    query: `{ site { product(entityId: 2) { reviewSummary { numberOfReviews } reviews { edges { node { title text author { name } } } } } } }`,
  })
  expect(body.data.site.product).toEqual({
    reviewSummary: { numberOfReviews: 1 },
    reviews: { edges: [{ node: { title: 'Nice', text: 'Good <b>mug</b>', author: { name: 'Ann' } } }] },
  })
})

test('an address reviews a product once, whatever its case, also in two requests at once', async () => {
  const already = [
    {
      __typename: 'CustomerAlreadyReviewedProductError',
      message: 'This email address has reviewed the product already.',
    },
  ]
  expect(await send(1, { email: 'GUEST@example.com' })).toEqual(already)
  const both = await Promise.all([send(1, { email: 'bo@example.com' }), send(1, { email: 'bo@example.com' })])
  expect(both.filter((errors) => errors.length === 0)).toHaveLength(1)
  expect(await send(2, { email: 'bo@example.com' })).toEqual([])
  expect(await send(1, { email: null }, ann)).toEqual([])
  expect(await send(1, { email: 'Ann@example.com' }, ann)).toEqual(already)
})

test('refusals: the address of somebody else, unknown products, invalid fields', async () => {
  expect(await send(2, { email: 'eve@example.com' }, ann)).toEqual([
    {
      __typename: 'NotAuthorizedToAddProductReviewError',
      message: 'The email address must be that of the account, or missing.',
    },
  ])
  for (const id of [3, 77, -1]) {
    expect(await send(id)).toEqual([
      { __typename: 'ProductIdNotFoundError', message: `The product ${id} does not exist.` },
    ])
  }
  for (const [field, value] of [
    ['email', null],
    ['email', 'none'],
    ['rating', 0],
    ['rating', 6],
    ['title', ' '],
    ['text', ''],
    ['author', 'x'.repeat(256)],
  ] as const) {
    expect(await send(2, { [field]: value }), field).toEqual([
      { __typename: 'InvalidInputFieldsError', message: expect.stringMatching(/\S/), fields: [field] },
    ])
  }
})
