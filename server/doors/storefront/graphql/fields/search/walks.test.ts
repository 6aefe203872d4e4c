import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sized } from '../../../../../test/document/sized.ts'
import { openShop } from '../../../../../test/fixtures/shop.ts'
import { askStorefront, makeToken } from '../../../../../test/fixtures/storefront.ts'

// A walk through all pages shows each product that does not change exactly once, in its order, while others are added, changed and removed.

const PRODUCTS = sized(1_000, 200)
/** Every third product stays as it is. */
const STILL = 3
const LENGTH = sized(50, 13)
const SORTS = 'FEATURED NEWEST BEST_SELLING A_TO_Z Z_TO_A LOWEST_PRICE HIGHEST_PRICE BEST_REVIEWED RELEVANCE'.split(' ')

const drawnProduct = fc.record({
  // The word of the search is in all names, so that relevance depends on the place.
  word: fc.constantFrom('oak', 'oaken', 'an oak', 'elm oak'),
  price: fc.integer({ min: 1, max: 5 }),
  total_sold: fc.integer({ min: 0, max: 4 }),
  sort_order: fc.integer({ min: -2, max: 2 }),
  is_visible: fc.constantFrom(true, true, true, false),
})
type DrawnProduct = typeof drawnProduct extends fc.Arbitrary<infer Drawn> ? Drawn : never

const bodyOf = ({ word, ...body }: DrawnProduct, nr: number) => ({
  ...{ name: `${word} ${nr}`, type: 'physical', weight: 1, ...body },
})

test.each(SORTS)('%s', { timeout: 600_000 }, async (sort) => {
  const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)
  const shop = await openShop()
  const token = await makeToken(shop, 'storefront')
  const send = async (method: string, path: string, body?: object) => {
    const answer = await shop.call(method, path, body)
    expect(answer.status, answer.text).toBeLessThan(300)
    return answer.body?.data
  }
  const drawn = fc.sample(drawnProduct, { numRuns: PRODUCTS, seed })
  const bodies = drawn.map((one, i) => bodyOf(i % STILL === 0 ? { ...one, is_visible: true } : one, i))
  for (let i = 0; i < PRODUCTS; i += 100) await send('POST', '/catalog/products', bodies.slice(i, i + 100))
  const rated = drawn.flatMap(({ total_sold }, i) => (total_sold > 2 ? i + 1 : [])).slice(0, 30)
  for (const id of rated) {
    const review = { title: 'x', text: 'x', name: 'A', status: 'approved', date_reviewed: '2026-01-01T00:00:00Z' }
    await send('POST', `/catalog/products/${id}/reviews`, { ...review, rating: (id % 4) + 1 })
  }
  const isStill = (id: number) => id <= PRODUCTS && (id - 1) % STILL === 0
  const moving = drawn.flatMap((_, i) => (isStill(i + 1) ? [] : i + 1))
  const changes = fc.sample(fc.tuple(fc.nat(), fc.constantFrom('change', 'change', 'delete', 'add'), drawnProduct), {
    numRuns: PRODUCTS,
    seed: seed + 1,
  })
  let changed = 0
  /** Changes, deletes or adds a product. */
  const disturb = async () => {
    const [place, action, one] = changes[changed % changes.length] ?? [0, 'add', drawn[0]]
    const nr = PRODUCTS + changed++
    const [id] = moving.slice(place % moving.length)
    if (action === 'add' || id === undefined || !one) {
      moving.push((await send('POST', '/catalog/products', one ? bodyOf(one, nr) : {})).id)
    } else if (action === 'delete') {
      moving.splice(moving.indexOf(id), 1)
      await send('DELETE', `/catalog/products/${id}`)
    } else {
      await send('PUT', `/catalog/products/${id}`, bodyOf(one, nr))
    }
  }
  const pageOf = async (args: string) => {
    const term = sort === 'RELEVANCE' ? 'searchTerm: "oak"' : ''
    const { status, body } = await askStorefront(shop, {
      token,
      query: `{ site { search { searchProducts(filters: {${term}}, sort: ${sort}) { products(${args}) {
        edges { node { entityId } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } } } } }`,
    })
    expect([status, body.errors], `seed ${seed}`).toEqual([200, undefined])
    const { edges, pageInfo } = body.data.site.search.searchProducts.products
    return { ids: edges.map(({ node }: { node: { entityId: number } }): number => node.entityId), pageInfo }
  }
  const walk = async (isBackward: boolean) => {
    const seen: number[] = []
    const [size, behind] = isBackward ? ['last', 'before'] : ['first', 'after']
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { ids, pageInfo } = await pageOf(`${size}: ${LENGTH}${cursor === '' ? '' : `, ${behind}: "${cursor}"`}`)
      seen.push(...(isBackward ? ids.toReversed() : ids))
      if (isBackward) cursor = pageInfo.hasPreviousPage ? pageInfo.startCursor : null
      else cursor = pageInfo.hasNextPage ? pageInfo.endCursor : null
      await disturb()
    }
    return seen.filter(isStill)
  }
  const still = drawn.flatMap((_, i) => (isStill(i + 1) ? i + 1 : []))
  const [forwards, backwards] = [await walk(false), await walk(true)]
  expect(
    forwards.toSorted((a, b) => a - b),
    `seed ${seed}`,
  ).toEqual(still)
  expect(backwards.toReversed(), `seed ${seed}`).toEqual(forwards)
})
