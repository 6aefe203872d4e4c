import fc from 'fast-check'
import t from 'typebox'
import { beforeAll, describe, expect, test } from 'vitest'
import { problem } from '../../../test/document/expected.ts'
import { openShop, type Shop, theRoutes } from '../../../test/fixtures/shop.ts'
import { queryReader } from '../input/validator.ts'
import { linkTo, pagination } from './paging.ts'

// docs/contract/conventions.md sections 3 and 15.

const ids = (data: { id: number }[]) => data.map(({ id }) => id)

async function shopWith(names: string[]): Promise<Shop> {
  const shop = await openShop()
  for (const name of names) await shop.call('POST', '/catalog/brands', { name })
  return shop
}

test('page 2 of 3 has the data, totals and links of the worked example', async () => {
  const { call } = await shopWith(['new a', 'New b', 'renewed', 'old', 'NEW d', 'newest'])
  const { status, body } = await call('GET', '/catalog/brands?name:like=new&limit=2&page=2')
  expect(status).toBe(200)
  expect(body.data.map(({ name }: { name: string }) => name)).toEqual(['renewed', 'NEW d'])
  expect(body.meta).toEqual({
    pagination: {
      total: 5,
      count: 2,
      per_page: 2,
      current_page: 2,
      total_pages: 3,
      links: {
        previous: '?name%3Alike=new&page=1&limit=2',
        current: '?name%3Alike=new&page=2&limit=2',
        next: '?name%3Alike=new&page=3&limit=2',
      },
    },
  })
})

describe('a page', () => {
  let call: Shop['call']
  const metaOf = async (query: string) => {
    const { status, body } = await call('GET', `/catalog/brands${query}`)
    expect(status).toBe(200)
    return { ids: ids(body.data), ...body.meta.pagination }
  }
  beforeAll(async () => {
    call = (await shopWith(Array.from({ length: 60 }, (_, i) => `brand ${i + 1}`))).call
  })

  test('is the first and has 50 unless the request says otherwise', async () => {
    expect(await metaOf('')).toEqual({
      ids: Array.from({ length: 50 }, (_, i) => i + 1),
      total: 60,
      count: 50,
      per_page: 50,
      current_page: 1,
      total_pages: 2,
      links: { current: '?page=1&limit=50', next: '?page=2&limit=50' },
    })
  })

  test('that is the last has the remaining rows, and no next', async () => {
    expect(await metaOf('?page=4&limit=19')).toEqual({
      ids: [58, 59, 60],
      total: 60,
      count: 3,
      per_page: 19,
      current_page: 4,
      total_pages: 4,
      links: { previous: '?page=3&limit=19', current: '?page=4&limit=19' },
    })
    expect((await metaOf('?page=3&limit=20')).links).not.toHaveProperty('next')
  })

  test('after the last is empty, and a loop ends there without an error', async () => {
    for (const page of [3, 99, 2_147_483_648, 1_000_000_000_000]) {
      expect(await metaOf(`?page=${page}`)).toEqual({
        ids: [],
        total: 60,
        count: 0,
        per_page: 50,
        current_page: page,
        total_pages: 2,
        links: { previous: `?page=${page - 1}&limit=50`, current: `?page=${page}&limit=50` },
      })
    }
  })

  test('of nothing has 0 pages', async () => {
    expect(await metaOf('?name=nobody')).toEqual({
      ids: [],
      total: 0,
      count: 0,
      per_page: 50,
      current_page: 1,
      total_pages: 0,
      links: { current: '?name=nobody&page=1&limit=50' },
    })
  })

  test('has 250 at most: one more is 413 (C-060)', async () => {
    expect((await metaOf('?limit=250')).per_page).toBe(250)
    for (const limit of ['251', '1000000000', '99999999999999999999']) {
      const { status, body } = await call('GET', `/catalog/brands?limit=${limit}`)
      const title = `The query is not valid: limit must be at most 250, not ${Number(limit)}.`
      expect({ status, body }).toEqual({ status: 413, body: problem(413, title) })
    }
  })

  test.each([
    ['limit=0', 'limit must be at least 1, not 0'],
    ['limit=-1', 'limit must be at least 1, not -1'],
    ['limit=abc', 'limit must be an integer, not "abc"'],
    ['limit=1e9', 'limit must be an integer, not "1e9"'],
    ['limit=2.5', 'limit must be an integer, not "2.5"'],
    ['limit=0x10', 'limit must be an integer, not "0x10"'],
    ['limit=', 'limit must be an integer, not ""'],
    ['limit=%2B5', 'limit must be an integer, not "+5"'],
    ['limit=5%00', 'limit must be an integer, not "5\\u0000"'],
    ['page=0', 'page must be at least 1, not 0'],
    ['page=-1', 'page must be at least 1, not -1'],
    ['page=x', 'page must be an integer, not "x"'],
    ['page=1000000000001', 'page must be at most 1000000000000, not 1000000000001'],
    ['limit=5&limit=six', 'limit must be an integer, not "six"'],
    ['page=0&limit=0', 'page must be at least 1, not 0; limit must be at least 1, not 0'],
    // 413 is for too large values and nothing else.
    ['page=0&limit=251', 'page must be at least 1, not 0; limit must be at most 250, not 251'],
  ])('%s is 422, and the error names it', async (query, reason) => {
    const { status, body } = await call('GET', `/catalog/brands?${query}`)
    expect(status).toBe(422)
    const reasons = body.title.replace('The query is not valid: ', '').replace(/\.$/, '').split('; ').toSorted()
    expect({ ...body, title: reasons }).toEqual({ ...problem(422, ''), title: reason.split('; ').toSorted() })
  })

  test('whose number or size is repeated has the last one', async () => {
    expect(await metaOf('?limit=5&page=3&limit=7&page=2')).toMatchObject({ per_page: 7, current_page: 2 })
    expect((await metaOf('?limit=five&limit=7')).per_page).toBe(7)
  })

  test('is requested with the names of the request, in its order, percent-encoded', async () => {
    const said =
      '?sort=name&name%3Alike=a%26b%20%C3%A9%3D%23%2B&limit=1&include_fields=name,page_title&direction=desc&page=2'
    const kept = 'sort=name&name%3Alike=a%26b%20%C3%A9%3D%23%2B&include_fields=name%2Cpage_title&direction=desc'
    expect((await metaOf(said)).links).toEqual({
      previous: `?${kept}&page=1&limit=1`,
      current: `?${kept}&page=2&limit=1`,
    })
    const plus = await metaOf('?name:like=d+1&id:not_in=1,2&exclude_fields=name&limit=2')
    expect(plus.links.next).toBe('?name%3Alike=d%201&id%3Anot_in=1%2C2&exclude_fields=name&page=2&limit=2')
    expect(plus.ids).toEqual([10, 11])
    expect((await metaOf(plus.links.next)).ids).toEqual([12, 13])
  })
})

test('rows that sort alike keep the order of their ids, in both directions', async () => {
  const { call } = await openShop()
  const odd: number[] = []
  const even: number[] = []
  for (let id = 1; id <= 40; id++) {
    await call('POST', '/catalog/categories', { parent_id: 0, name: `c${id}`, sort_order: id % 2 })
    if (id % 2 === 0) even.push(id)
    else odd.push(id)
  }
  const listed = async (query: string) => {
    const pages = [1, 2, 3, 4, 5, 6].map((page) => call('GET', `/catalog/categories?limit=7&page=${page}&${query}`))
    return ids((await Promise.all(pages)).flatMap(({ body }) => body.data))
  }
  expect(await listed('sort=sort_order')).toEqual([...even, ...odd])
  expect(await listed('sort=sort_order&direction=desc')).toEqual([...odd, ...even])
})

test('links lead through all pages once, forward and back, for any total and limit', () => {
  fc.assert(
    fc.property(fc.nat(2_000), fc.integer({ min: 1, max: 250 }), (total, limit) => {
      const at = (page: number) => {
        const count = Math.max(0, Math.min(limit, total - (page - 1) * limit))
        return pagination({ total, count, page, limit }, { name: 'x' })
      }
      const follow = (link: string) => Number(/^\?name=x&page=(\d+)&limit=\d+$/.exec(link)?.[1])
      const forward = [at(1)]
      for (let here = forward[0]; here?.links.next; here = forward.at(-1)) forward.push(at(follow(here.links.next)))
      expect(forward.map(({ current_page }) => current_page)).toEqual(forward.map((_, i) => i + 1))
      expect(forward.length).toBe(Math.max(1, at(1).total_pages))
      expect(forward.reduce((sum, { count }) => sum + count, 0)).toBe(total)

      const back = [at(forward.length)]
      for (let here = back[0]; here?.links.previous; here = back.at(-1)) back.push(at(follow(here.links.previous)))
      expect(back).toEqual(forward.toReversed())
    }),
    { numRuns: 1_000 },
  )
})

test('a link has the meaning of the request, with any parameters', async () => {
  const list = (await theRoutes()).find(({ url, method }) => url.endsWith('/catalog/brands') && method === 'GET')
  const schema = list?.schema?.querystring
  if (!t.IsSchema(schema)) throw new Error('The list of brands has no query.')
  const read = queryReader(schema)
  const text = fc.string({ unit: 'grapheme' }).filter((value) => !value.includes('\0'))
  const numbers = fc.array(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }), { minLength: 1, maxLength: 5 })
  const query = fc.record(
    {
      name: text,
      'name:like': text,
      page_title: text,
      id: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }).map(String),
      'id:in': numbers.map(String),
      'id:not_in': numbers.map((list) => list.join(' , ')),
      include_fields: fc.array(text).map(String),
      exclude_fields: text,
      sort: fc.constant('name'),
      direction: fc.constantFrom('asc', 'desc'),
      page: fc.integer({ min: 1, max: 1_000 }).map(String),
      limit: fc.integer({ min: 1, max: 250 }).map(String),
    },
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(query, (texts) => {
      const meant = read(texts)
      const link = linkTo(meant, { page: 7, limit: 3 })
      expect(link).toMatch(/^\?[\w.~!*'()%&=-]*$/)
      expect(read(Object.fromEntries(new URLSearchParams(link)))).toEqual({ ...meant, page: 7, limit: 3 })
    }),
    { numRuns: 1_000 },
  )
})

test('the links of a list lead to each of its rows, once and in order', async () => {
  const total = 43
  const { call } = await shopWith(Array.from({ length: total }, (_, i) => `n${(i * 7) % total}`))
  const whole = async (query: string) => ids((await call('GET', `/catalog/brands?limit=250&${query}`)).body.data)
  const filters = ['', 'name:like=1', 'id:greater=20', 'id:in=3,1,40,99', 'sort=name', 'name=nobody']
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...filters),
      fc.constantFrom('', '&direction=asc', '&direction=desc'),
      fc.integer({ min: 5, max: 50 }),
      async (filter, direction, limit) => {
        const query = `${filter}${direction}`
        const found: number[] = []
        let link: string | undefined = `?limit=${limit}&${query}`
        while (link !== undefined) {
          const { body } = await call('GET', `/catalog/brands${link}`)
          found.push(...ids(body.data))
          link = body.meta.pagination.links.next
        }
        expect(found).toEqual(await whole(query))
      },
    ),
    { numRuns: 60 },
  )
  expect(await whole('')).toHaveLength(total)
  expect(await whole('sort=name&direction=desc')).toEqual((await whole('sort=name')).toReversed())
})
