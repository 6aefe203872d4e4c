import { beforeAll, describe, expect, test } from 'vitest'
import { invalid } from '../../../test/document/expected.ts'
import { openShop, type Shop, theHouse } from '../../../test/fixtures/shop.ts'

// docs/contract/product-parts.md section 6. The rules of all sub-resources are in sub-resources.test.ts.

const text = (length: number) => 'a'.repeat(length)

const PRODUCT = '/catalog/products/1'
const REVIEWS = `${PRODUCT}/reviews`
const DAY = '2026-11-01T12:00:00Z'

async function openProduct(): Promise<Shop> {
  const shop = await openShop()
  await shop.call('POST', '/catalog/products', { name: 'Mug', type: 'physical', weight: 0.4, price: 18.5 })
  return shop
}

const answered = async ({ call }: Shop, method: string, path: string, body?: unknown) => {
  const { status, body: found } = await call(method, path, body)
  return { status, body: found }
}
const SECOND = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/

test('a review needs a title and its day, and is pending by default', async () => {
  const shop = await openProduct()
  const whole = {
    status: 200,
    body: {
      data: {
        id: 1,
        title: 'Lovely',
        text: '',
        status: 'pending',
        rating: 0,
        email: '',
        name: '',
        date_reviewed: DAY,
        date_created: expect.stringMatching(SECOND),
        date_modified: expect.stringMatching(SECOND),
      },
      meta: {},
    },
  }
  const made = await answered(shop, 'POST', REVIEWS, { title: 'Lovely', date_reviewed: DAY, date_created: 'x', id: 5 })
  expect(made).toEqual(whole)
  expect(await answered(shop, 'GET', `${REVIEWS}/1`)).toEqual(made)
  ;(await theHouse()).clock.move(2_000)
  const changes = {
    title: '',
    text: 'Holds the tea warm.',
    status: 'approved',
    rating: 5,
    email: 'ada@example.com',
    name: 'Ada',
    date_reviewed: '2026-10-31T09:30:00Z',
  }
  const changed = await answered(shop, 'PUT', `${REVIEWS}/1`, changes)
  expect(changed.body.data).toEqual({ ...made.body.data, ...changes, date_modified: expect.stringMatching(SECOND) })
  expect(changed.body.data.date_modified > made.body.data.date_modified).toBe(true)
  expect(await answered(shop, 'GET', `${REVIEWS}/1`)).toEqual(changed)
})

test.each([
  ['2026-11-01', '2026-11-01T00:00:00Z'],
  ['2026-11-01T12:00:00+02:00', '2026-11-01T10:00:00Z'],
  ['2026-11-01T12:00:00.999Z', '2026-11-01T12:00:00Z'],
  ['Sun, 01 Nov 2026 12:00:00 GMT', '2026-11-01T12:00:00Z'],
])('the day %s is %s', async (date_reviewed, kept) => {
  const shop = await openProduct()
  expect((await shop.call('POST', REVIEWS, { title: 'A', date_reviewed })).body.data.date_reviewed).toBe(kept)
  expect((await shop.call('GET', `${REVIEWS}/1`)).body.data.date_reviewed).toBe(kept)
  expect((await shop.call('PUT', `${REVIEWS}/1`, { date_reviewed })).body.data.date_reviewed).toBe(kept)
})

describe('the bounds of a review', () => {
  let shop: Shop
  beforeAll(async () => {
    shop = await openProduct()
    await shop.call('POST', REVIEWS, { title: 'Here before', date_reviewed: DAY })
  })

  test.each([
    ['title', ''],
    ['title', text(255)],
    ['text', text(65_535)],
    ['name', text(255)],
    ['rating', 0],
    ['rating', 5],
    ['email', ''],
    ['email', `${text(243)}@example.com`],
    ['status', 'disapproved'],
  ])('allow %s at its bound', async (field, value) => {
    const { status, body } = await shop.call('POST', REVIEWS, { title: 'A', date_reviewed: DAY, [field]: value })
    expect({ status, data: body.data }).toMatchObject({ status: 200, data: { [field]: value } })
  })

  test.each([
    ['title', text(256)],
    ['title', null],
    ['text', text(65_536)],
    ['name', text(256)],
    ['rating', -1],
    ['rating', 6],
    ['rating', 4.5],
    ['rating', '5'],
    ['email', 'nobody'],
    ['email', `${text(244)}@example.com`],
    ['email', 'a@example.com\nb@example.com'],
    ['status', 'spam'],
    ['status', 1],
    ['date_reviewed', 'yesterday'],
    ['date_reviewed', '2026-02-30'],
    ['date_reviewed', ''],
  ])('refuse %s past its bound in both writes: %j', async (field, value) => {
    for (const [method, path] of [
      ['POST', REVIEWS],
      ['PUT', `${REVIEWS}/1`],
    ] as const) {
      const { status, body } = await shop.call(method, path, { title: 'A', date_reviewed: DAY, [field]: value })
      expect({ status, fields: Object.keys(body.errors) }, method).toEqual({ status: 422, fields: [field] })
    }
    expect((await shop.call('GET', `${REVIEWS}/1`)).body.data.title).toBe('Here before')
  })

  test('report all missing fields at once', async () => {
    expect(await answered(shop, 'POST', REVIEWS, { rating: 9 })).toEqual({
      status: 422,
      body: invalid({
        title: 'error.path.missing',
        date_reviewed: 'error.path.missing',
        rating: 'rating must be at most 5, not 9.',
      }),
    })
  })
})

test('a list is filtered by reviews that are approved, or that are not', async () => {
  const shop = await openProduct()
  for (const status of ['approved', 'pending', 'disapproved', 'approved']) {
    await shop.call('POST', REVIEWS, { title: status, status, date_reviewed: DAY })
  }
  const list = async (query: string) => {
    const { status, body } = await shop.call('GET', `${REVIEWS}${query}`)
    return { status, ids: body.data?.map(({ id }: { id: number }) => id), total: body.meta?.pagination.total }
  }
  expect(await list('')).toEqual({ status: 200, ids: [1, 2, 3, 4], total: 4 })
  expect(await list('?status=1')).toEqual({ status: 200, ids: [1, 4], total: 2 })
  expect(await list('?status=0')).toEqual({ status: 200, ids: [2, 3], total: 2 })
  expect(await list('?status=1&limit=1&page=2')).toEqual({ status: 200, ids: [4], total: 2 })
  for (const wrong of ['2', '-1', 'approved', '']) expect((await list(`?status=${wrong}`)).status).toBe(422)
})

describe('the score of a product', () => {
  const score = async ({ call }: Shop) => {
    const { reviews_count, reviews_rating_sum } = (await call('GET', PRODUCT)).body.data
    return [reviews_count, reviews_rating_sum]
  }
  const add = ({ call }: Shop, rating: number, status = 'approved') =>
    call('POST', REVIEWS, { title: 'A', date_reviewed: DAY, rating, status })

  test('follows its approved reviews, one by one', async () => {
    const shop = await openProduct()
    expect(await score(shop)).toEqual([0, 0])
    await add(shop, 4)
    await add(shop, 5, 'pending')
    await add(shop, 3, 'disapproved')
    expect(await score(shop)).toEqual([1, 4])
    await shop.call('PUT', `${REVIEWS}/2`, { status: 'approved' })
    expect(await score(shop)).toEqual([2, 9])
    await shop.call('PUT', `${REVIEWS}/2`, { rating: 1 })
    expect(await score(shop)).toEqual([2, 5])
    await shop.call('PUT', `${REVIEWS}/1`, { status: 'disapproved' })
    expect(await score(shop)).toEqual([1, 1])
    await shop.call('DELETE', `${REVIEWS}/3`)
    expect(await score(shop)).toEqual([1, 1])
    await shop.call('DELETE', `${REVIEWS}/2`)
    expect(await score(shop)).toEqual([0, 0])
  })

  test('is exact after concurrent requests', async () => {
    const shop = await openProduct()
    await Promise.all([5, 4, 3, 2, 1, 5, 4, 3].map((rating, i) => add(shop, rating, i % 3 ? 'approved' : 'pending')))
    await Promise.all([
      shop.call('PUT', `${REVIEWS}/1`, { status: 'approved' }),
      shop.call('PUT', `${REVIEWS}/2`, { status: 'pending' }),
      shop.call('PUT', `${REVIEWS}/3`, { rating: 0 }),
      shop.call('DELETE', `${REVIEWS}/4`),
      add(shop, 2),
    ])
    const approved = (await shop.call('GET', `${REVIEWS}?status=1`)).body.data
    const sum = approved.reduce((all: number, { rating }: { rating: number }) => all + rating, 0)
    expect(await score(shop)).toEqual([approved.length, sum])
  })
})

test('a review without a status is approved if the store approves reviews automatically', async () => {
  const shop = await openProduct()
  const review = { title: 'Lovely', date_reviewed: DAY }
  await shop.call('PUT', '/settings/catalog', { auto_approve_reviews: true })
  expect((await shop.call('POST', REVIEWS, review)).body.data.status).toBe('approved')
  expect((await shop.call('POST', REVIEWS, { ...review, status: 'pending' })).body.data.status).toBe('pending')
})
