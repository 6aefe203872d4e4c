import { beforeEach, describe, expect, test } from 'vitest'
import { invalid, problem } from '../../test/document/expected.ts'
import { sized } from '../../test/document/sized.ts'
import { openShop, type Shop, theHouse } from '../../test/fixtures/shop.ts'
import { rowsOf } from '../../test/fixtures/webhooks.ts'

// docs/contract/channels.md section 4.

const CHANNEL = 664_159
const LISTINGS = `/channels/${CHANNEL}/listings`
const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
const dates = { date_created: moment, date_modified: moment }
const silent = { external_id: '', name: '', description: '' }

let shop: Shop
let call: Shop['call']
/** A channel, and the products 1 and 2 with the variants 1 and 2, 3 and 4. */
beforeEach(async () => {
  shop = await openShop()
  call = shop.call
  await call('POST', '/channels', { name: 'Bay', type: 'marketplace', platform: 'ebay' })
  for (const name of ['Mug', 'Bowl']) await call('POST', '/catalog/products', productOf(name))
})

const productOf = (name: string) => ({
  name,
  type: 'physical',
  weight: 1,
  price: 10,
  variants: ['S', 'L'].map((label) => ({
    sku: `${name}-${label}`,
    option_values: [{ option_display_name: 'Size', label }],
  })),
})

const variant = (variant_id: number, fields: object = {}) => ({
  variant_id,
  product_id: Math.ceil(variant_id / 2),
  state: 'active',
  ...fields,
})
const listing = (product_id: number, fields: object = {}) => ({ product_id, state: 'active', variants: [], ...fields })
const send = async (method: string, body: unknown, path = LISTINGS) => {
  const { status, body: answer } = await call(method, path, body)
  return { status, body: answer }
}
const read = async (query = '') => (await call('GET', `${LISTINGS}${query}`)).body
const pagination = { per_page: 50, current_page: 1, links: { current: '?limit=50' } }

describe('new listings', () => {
  test('are answered complete in the order of the body, and listed by their ids', async () => {
    const bowl = listing(2, { state: 'queued', name: 'A bowl', description: '<b>Deep</b>', external_id: 'e-2' })
    const mug = listing(1, { variants: [variant(2, { name: 'Large', state: 'pending' }), variant(1)] })
    const shown = (id: number, { variants: _, ...fields }: typeof bowl) => ({
      channel_id: CHANNEL,
      listing_id: id,
      ...silent,
      ...fields,
      ...dates,
    })
    const bowlShown = { ...shown(1, bowl), variants: [] }
    const ofMug = { channel_id: CHANNEL, ...silent, ...dates }
    const variants = [
      { ...ofMug, ...variant(1) },
      { ...ofMug, ...variant(2), name: 'Large', state: 'pending' },
    ]
    const data = [bowlShown, { ...shown(2, mug), variants }]
    expect(await send('POST', [bowl, mug])).toEqual({
      status: 200,
      body: { data, meta: { pagination: { total: 2, count: 2, total_pages: 1, ...pagination } } },
    })
    expect(await read()).toEqual({
      data,
      meta: { pagination: { total: 2, count: 2, total_pages: 1, ...pagination } },
    })
    expect((await call('GET', `${LISTINGS}/2`)).body).toEqual({ data: data[1], meta: {} })
    expect((await rowsOf(shop, 'events')).filter(({ scope }) => /listing/i.test(String(scope)))).toEqual([])
  })

  test('of a listed product change its listing, and only the sent fields', async () => {
    const { clock } = await theHouse()
    await send('POST', [listing(1, { name: 'A mug', variants: [variant(1, { name: 'Small' })] })])
    const [before] = (await read()).data
    clock.move(5_000)
    expect((await send('POST', [listing(1, { name: 'A mug' })])).body.data).toEqual([before])
    const { body } = await send('POST', [listing(1, { state: 'disabled', variants: [variant(2)] })])
    expect(body.data).toMatchObject([
      {
        listing_id: 1,
        state: 'disabled',
        name: 'A mug',
        variants: [{ variant_id: 1, name: 'Small' }, { variant_id: 2 }],
      },
    ])
    const [changed] = body.data
    expect(changed.date_created).toBe(before.date_created)
    expect(changed.date_modified > before.date_modified).toBe(true)
    expect(changed.variants[0]).toEqual(before.variants[0])
  })

  test('need an existing product, a state and variants of the product', async () => {
    expect(await send('POST', [{}])).toEqual({
      status: 422,
      body: invalid({
        '0.product_id': 'error.path.missing',
        '0.state': 'error.path.missing',
        '0.variants': 'error.path.missing',
      }),
    })
    expect(await send('POST', [listing(1, { variants: [{}] })])).toEqual({
      status: 422,
      body: invalid({
        '0.variants.0.variant_id': 'error.path.missing',
        '0.variants.0.product_id': 'error.path.missing',
        '0.variants.0.state': 'error.path.missing',
      }),
    })
    const wrong = listing(1, {
      state: 'open',
      name: 'x'.repeat(256),
      external_id: 5,
      variants: [variant(1, { state: 'partially_rejected' })],
    })
    expect(Object.keys((await send('POST', [wrong])).body.errors).sort()).toEqual([
      '0.external_id',
      '0.name',
      '0.state',
      '0.variants.0.state',
    ])
  })

  test.each([
    ['a product that is not there', [listing(1), listing(9)], { '1.product_id': 'There is no product 9.' }],
    ['a product twice', [listing(1), listing(1)], { '1.product_id': 'Another item has this product_id.' }],
    [
      'variants of another product, or of none',
      [
        listing(1, {
          variants: [variant(1), variant(3), variant(4, { product_id: 1 }), variant(9, { product_id: 1 })],
        }),
      ],
      {
        '0.variants.1.product_id': 'The listing is one of the product 1.',
        '0.variants.1.variant_id': 'The product 1 has no variant 3.',
        '0.variants.2.variant_id': 'The product 1 has no variant 4.',
        '0.variants.3.variant_id': 'The product 1 has no variant 9.',
      },
    ],
    [
      'a variant twice',
      [listing(1, { variants: [variant(1), variant(1)] })],
      { '0.variants.1.variant_id': 'Another item has this variant_id.' },
    ],
  ])('with %s are refused, and nothing is saved', async (_, body, errors) => {
    const title = `0 of ${body.length} listings were saved. Invalid fields: ${Object.keys(errors).join(', ')}.`
    expect(await send('POST', body)).toEqual({ status: 422, body: problem(422, title, errors) })
    expect((await read()).data).toEqual([])
  })

  test('are 50 at most (413), with at most 600 variants each (422)', async () => {
    const many = (count: number) => Array.from({ length: count }, (_, i) => listing(i + 1))
    expect((await send('POST', many(51))).status).toBe(413)
    expect((await send('POST', many(50))).status).toBe(422)
    expect((await send('POST', [])).status).toBe(422)
    const variants = Array.from({ length: 601 }, (_, i) => variant(i + 1))
    expect((await send('POST', [listing(1, { variants })])).body.errors).toEqual({
      '0.variants': 'variants must hold at most 600.',
    })
  })

  test('can be made at once, once for each product', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => send('POST', [listing(2), listing(1)])))
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200))
    expect((await read()).meta.pagination.total).toBe(2)
  })
})

describe('a change of listings', () => {
  beforeEach(async () => {
    await send('POST', [listing(1, { name: 'A mug', variants: [variant(1)] }), listing(2)])
  })

  test('merges the sent fields, and skips unknown listings', async () => {
    await call('POST', '/channels', { name: 'River', type: 'marketplace', platform: 'amazon' })
    await send('POST', [listing(1)], `/channels/${CHANNEL + 1}/listings`)
    const { status, body } = await send('PUT', [
      { listing_id: 9, state: 'deleted' },
      { listing_id: 3, state: 'deleted' },
      { listing_id: 2, product_id: 1, state: 'error' },
      { listing_id: 1, description: 'New', variants: [variant(2), { variant_id: 1, name: 'S' }] },
    ])
    expect(status).toBe(200)
    expect(body.data).toMatchObject([
      { listing_id: 2, product_id: 2, state: 'error' },
      {
        listing_id: 1,
        state: 'active',
        name: 'A mug',
        description: 'New',
        variants: [
          { variant_id: 1, name: 'S', state: 'active' },
          { variant_id: 2, name: '' },
        ],
      },
    ])
    expect((await send('PUT', [{ listing_id: 9, state: 'deleted' }])).body).toEqual({
      data: [],
      meta: { pagination: { total: 0, count: 0, total_pages: 0, ...pagination } },
    })
    expect((await call('GET', `/channels/${CHANNEL + 1}/listings`)).body.data).toMatchObject([{ state: 'active' }])
  })

  test('without a difference updates no date', async () => {
    const { clock } = await theHouse()
    const { data } = await read()
    clock.move(5_000)
    expect((await send('PUT', data)).body.data).toEqual(data)
  })

  test('needs a listing_id of at least 1', async () => {
    const sentence = 'A listing_id must be at least 1.'
    expect(await send('PUT', [{ listing_id: 0 }, { listing_id: 1 }])).toEqual({
      status: 422,
      body: problem(422, '0 of 2 listings were saved. Invalid fields: group_id, 0.listing_id.', {
        group_id: sentence,
        '0.listing_id': sentence,
      }),
    })
    expect((await send('PUT', [{ state: 'active' }])).body.errors).toEqual({ '0.listing_id': 'error.path.missing' })
    expect((await send('PUT', [{ listing_id: 9_007_199_254_740_991 }])).body.data).toEqual([])
  })

  test.each([
    [
      'a new variant without a state',
      [{ listing_id: 1, variants: [{ variant_id: 2 }] }],
      { '0.variants.0.state': 'error.path.missing' },
    ],
    [
      'a variant of another product',
      [{ listing_id: 1, variants: [variant(3)] }],
      {
        '0.variants.0.product_id': 'The listing is one of the product 1.',
        '0.variants.0.variant_id': 'The product 1 has no variant 3.',
      },
    ],
    [
      'a listing twice',
      [{ listing_id: 1 }, { listing_id: 1 }],
      { '1.listing_id': 'Another item has this listing_id.' },
    ],
  ])('is refused for %s', async (_, body, errors) => {
    expect(await send('PUT', body)).toMatchObject({ status: 422, body: { errors } })
  })
})

describe('the list', () => {
  const page = async (query: string) => {
    const { data, meta } = await read(query)
    return { ids: data.map(({ listing_id }: { listing_id: number }) => listing_id), ...meta.pagination }
  }
  beforeEach(async () => {
    await call('POST', '/catalog/products', productOf('Plate'))
    const { clock } = await theHouse()
    await send('POST', [listing(1), listing(2)])
    clock.move(2 * 86_400_000)
    await send('POST', [listing(3), listing(1, { name: 'Now' })])
  })

  test('goes from listing to listing', async () => {
    const counted = { total: 3, per_page: 2, current_page: 1, total_pages: 2 }
    const first = { ids: [1, 2], count: 2, ...counted, links: { current: '?limit=2', next: '?after=2&limit=2' } }
    expect(await page('?limit=2')).toEqual(first)
    expect(await page('?limit=2&after=0')).toEqual(first)
    expect(await page('?after=2&limit=2')).toEqual({
      ids: [3],
      count: 1,
      ...counted,
      links: { current: '?after=2&limit=2' },
    })
    expect(await page('?page=2&limit=2')).toEqual({
      ids: [3],
      count: 1,
      ...counted,
      current_page: 2,
      links: { current: '?page=2&limit=2' },
    })
    expect((await page('?page=2&limit=1&after=1')).ids).toEqual([3])
    expect((await page('?after=3')).ids).toEqual([])
    expect((await page('?product_id:in=2,3&limit=1')).links).toEqual({
      current: '?product_id%3Ain=2%2C3&limit=1',
      next: '?product_id%3Ain=2%2C3&after=2&limit=1',
    })
  })

  test('is filtered by products and dates', async () => {
    const between = new Date((await theHouse()).clock.now().getTime() - 86_400_000).toISOString().slice(0, 10)
    for (const [query, ids] of [
      ['product_id:in=3,1,9', [1, 3]],
      ['date_created:min=DAY', [3]],
      ['date_created:max=DAY', [1, 2]],
      ['date_modified:min=DAY', [1, 3]],
      ['date_modified:max=DAY', [2]],
      ['date_created=2001-01-01', []],
      ['date_modified=2001-01-01', []],
    ] as const) {
      expect((await page(`?${query.replace('DAY', between)}`)).ids, query).toEqual(ids)
    }
    for (const query of ['page=0', 'state=active', 'limit=a', 'after=-1', 'product_id:in=x']) {
      expect((await call('GET', `${LISTINGS}?${query}`)).status, query).toBe(422)
    }
  })
})

describe('a listing', () => {
  beforeEach(async () => {
    await send('POST', [listing(1, { variants: [variant(1), variant(2)] }), listing(2, { variants: [variant(3)] })])
  })

  test('is not found in another channel, and an unknown channel has none', async () => {
    expect((await call('GET', '/channels/1/listings/1')).body).toEqual(problem(404, 'The listing 1 does not exist.'))
    expect((await call('GET', `${LISTINGS}/3`)).status).toBe(404)
    for (const channel of ['5', '9007199254740991']) {
      const path = `/channels/${channel}/listings`
      expect((await call('GET', path)).body).toEqual({
        data: [],
        meta: { pagination: { total: 0, count: 0, total_pages: 0, ...pagination } },
      })
      const refusal = { status: 422, body: problem(422, `There is no channel ${channel} in this store.`) }
      expect(await send('POST', [listing(1)], path)).toEqual(refusal)
      expect(await send('PUT', [{ listing_id: 1 }], path)).toEqual(refusal)
    }
  })

  test('is deleted with its product, and its part about a variant with the variant', async () => {
    await call('DELETE', '/catalog/products/1/variants/2')
    expect((await read()).data).toMatchObject([{ variants: [{ variant_id: 1 }] }, { variants: [{ variant_id: 3 }] }])
    await call('DELETE', '/catalog/products/1')
    expect((await read()).data).toMatchObject([{ listing_id: 2 }])
    await call('DELETE', '/catalog/products?id:in=2')
    expect([await rowsOf(shop, 'listings'), await rowsOf(shop, 'listing_variants')]).toEqual([[], []])
  })

  test('does not outlive a product or a variant that goes while it is made (C-012)', async () => {
    for (let race = 0; race < sized(1_000, 12); race++) {
      const { body } = await call('POST', '/catalog/products', productOf(`Race ${race}`))
      const { id, variants } = body.data
      const ofVariants = variants.map(({ id: variant_id }: { id: number }) => variant(variant_id, { product_id: id }))
      const path = race % 2 ? `/catalog/products/${id}` : `/catalog/products/${id}/variants/${variants[0].id}`
      const [listed, , gone] = await Promise.all([
        send('POST', [listing(id, { variants: ofVariants })]),
        send('PUT', [{ listing_id: 2, name: `Race ${race}` }]),
        call('DELETE', path),
      ])
      expect([200, 422]).toContain(listed.status)
      expect(gone.status).toBe(204)
    }
    const left = new Set((await rowsOf(shop, 'products')).map(({ id }) => id))
    const variantsLeft = new Set((await rowsOf(shop, 'variants')).map(({ id }) => id))
    expect((await rowsOf(shop, 'listings')).filter(({ product_id }) => !left.has(product_id))).toEqual([])
    expect((await rowsOf(shop, 'listing_variants')).filter(({ variant_id }) => !variantsLeft.has(variant_id))).toEqual(
      [],
    )
  })
})
