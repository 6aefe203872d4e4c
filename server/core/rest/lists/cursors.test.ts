import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { openShop, type Shop } from '../../../test/fixtures/shop.ts'
import { Problem } from '../problem.ts'
import { decodeCursor, encodeCursor } from './paging.ts'

// docs/contract/conventions.md section 4, on the metafields of a brand and on those of all brands.

const LISTS = ['/catalog/brands/1/metafields', '/catalog/brands/metafields']
const TOTAL = 23

let call: Shop['call']
beforeAll(async () => {
  call = (await openShop()).call
  await call('POST', '/catalog/brands', { name: 'Ferm' })
  for (let i = 1; i <= TOTAL; i++) {
    const namespace = i % 2 === 0 ? 'even' : 'odd'
    await call('POST', '/catalog/brands/1/metafields', { key: `k${i}`, value: 'v', namespace, permission_set: 'read' })
  }
})

const ids = (data: { id: number }[]) => data.map(({ id }) => id)
const list = async (query: string, path = LISTS[0]) => {
  const { status, body } = await call('GET', `${path}${query}`)
  expect(status, JSON.stringify(body)).toBe(200)
  return { ids: ids(body.data), meta: body.meta }
}

test.each(LISTS)('a page of %s has both its number and its cursors', async (path) => {
  const { ids: found, meta } = await list('?limit=5&page=2&namespace:in=odd,even', path)
  const [start_cursor, end_cursor] = [encodeCursor(6), encodeCursor(10)]
  expect(found).toEqual([6, 7, 8, 9, 10])
  expect(meta).toEqual({
    pagination: expect.objectContaining({ total: TOTAL, current_page: 2, per_page: 5 }),
    cursor_pagination: {
      count: 5,
      per_page: 5,
      start_cursor,
      end_cursor,
      links: {
        previous: `?namespace%3Ain=odd%2Ceven&before=${start_cursor}&limit=5`,
        current: '?namespace%3Ain=odd%2Ceven&page=2&limit=5',
        next: `?namespace%3Ain=odd%2Ceven&after=${end_cursor}&limit=5`,
      },
    },
  })
})

test('the first page needs no cursor and has no previous, the last has no next, and an empty list has neither', async () => {
  expect((await list('?limit=5')).meta.cursor_pagination.links).toEqual({
    current: '?limit=5',
    next: `?after=${encodeCursor(5)}&limit=5`,
  })
  expect((await list('')).meta.cursor_pagination.links).toEqual({ current: '?limit=50' })
  expect((await list('?key=none')).meta.cursor_pagination).toEqual({
    count: 0,
    per_page: 50,
    links: { current: '?key=none&limit=50' },
  })
})

test.each([
  ['after the end', `after=${encodeCursor(5)}&limit=3`, [6, 7, 8]],
  ['before the start', `before=${encodeCursor(6)}&limit=3`, [3, 4, 5]],
  ['after, from the last to the first', `after=${encodeCursor(5)}&limit=3&direction=desc`, [4, 3, 2]],
  ['before, from the last to the first', `before=${encodeCursor(6)}&limit=3&direction=desc`, [9, 8, 7]],
  ['rising when that is said', `after=${encodeCursor(5)}&limit=3&direction=asc`, [6, 7, 8]],
  ['with a filter', `after=${encodeCursor(5)}&limit=3&namespace=even`, [6, 8, 10]],
  ['with few left', `after=${encodeCursor(21)}&limit=3`, [22, 23]],
  ['with none left', `after=${encodeCursor(TOTAL)}`, []],
  ['from a place whose row is in no filter', `before=${encodeCursor(8)}&namespace=odd&limit=2`, [5, 7]],
  ['with a page, which then says nothing', `after=${encodeCursor(5)}&limit=3&page=4`, [6, 7, 8]],
])('a cursor leads %s', async (_, query, expected) => {
  for (const path of LISTS) {
    const { ids: found, meta } = await list(`?${query}`, path)
    expect(found).toEqual(expected)
    expect(Object.keys(meta)).toEqual(['cursor_pagination'])
    expect(meta.cursor_pagination.count).toBe(expected.length)
    expect(meta.cursor_pagination.links.current).not.toContain('page=')
  }
})

test('going back ends at the first, with no previous', async () => {
  const linksBefore = async (id: number) =>
    (await list(`?before=${encodeCursor(id)}&limit=3`)).meta.cursor_pagination.links
  expect(Object.keys(await linksBefore(5))).toEqual(['previous', 'current', 'next'])
  expect(Object.keys(await linksBefore(4))).toEqual(['current', 'next'])
  expect(Object.keys(await linksBefore(2))).toEqual(['current', 'next'])
  expect(Object.keys(await linksBefore(1))).toEqual(['current'])
})

const text = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

test.each([
  ['empty', ''],
  ['a word', 'abc'],
  ['an id', '5'],
  ['JSON that is no cursor', text(5)],
  ['of another version', text({ v: 2, k: null, id: 5 })],
  ['without an id', text({ v: 1, k: null })],
  ['with an id that is a text', text({ v: 1, k: null, id: '5' })],
  ['with a fraction', text({ v: 1, k: null, id: 5.5 })],
  ['with id 0', text({ v: 1, k: null, id: 0 })],
  ['with an id that no row can have', text({ v: 1, k: null, id: 2_147_483_648 })],
  ['cut off', encodeCursor(5).slice(0, -4)],
  ['with U+0000', '%00'],
  ['of 10,000 characters', 'e'.repeat(10_000)],
])('a cursor that is %s is 422', async (_, cursor) => {
  for (const name of ['before', 'after']) {
    const { status, body } = await call('GET', `${LISTS[0]}?${name}=${cursor}`)
    expect({ status, body }).toEqual({
      status: 422,
      body: {
        status: 422,
        title: expect.stringMatching(
          /^The query is not valid: (".*" is not a cursor|(before|after) must not hold U\+0000)\.$/,
        ),
        type: 'http://shop.test/docs/errors#422',
        errors: {},
      },
    })
  }
})

test('two cursors are 422, and so is one on a list of brands, which takes none', async () => {
  const both = await call('GET', `${LISTS[0]}?before=${encodeCursor(9)}&after=${encodeCursor(5)}`)
  expect(both).toMatchObject({
    status: 422,
    body: { title: 'The query is not valid: before and after must not be sent together.' },
  })
  expect((await call('GET', `/catalog/brands?after=${encodeCursor(5)}`)).status).toBe(422)
  expect((await call('GET', `${LISTS[0]}?after=${encodeCursor(5)}&limit=251`)).status).toBe(413)
})

test('links of cursors lead through the list once, forward and back, in both directions', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('', '&namespace=odd', '&id:greater=4'),
      fc.constantFrom('asc', 'desc'),
      fc.integer({ min: 4, max: 30 }),
      async (filter, direction, limit) => {
        const whole = (await list(`?direction=${direction}${filter}`)).ids
        const forward: number[][] = []
        let last: string | undefined
        for (let link = `?limit=${limit}&direction=${direction}${filter}`; link !== undefined; ) {
          const { ids: found, meta } = await list(link)
          forward.push(found)
          expect(found).not.toEqual([])
          last = link
          link = meta.cursor_pagination.links.next
        }
        expect(forward.flat()).toEqual(whole)
        const back: number[][] = []
        for (let link = last; link !== undefined; ) {
          const { ids: found, meta } = await list(link)
          expect(found).not.toEqual([])
          back.unshift(found)
          link = meta.cursor_pagination.links.previous
        }
        expect(back.flat()).toEqual(whole)
      },
    ),
    { numRuns: 30 },
  )
})

test('a cursor is read back, and any other text is refused', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2 ** 31 - 1 }), (id) => {
      expect(decodeCursor(encodeCursor(id))).toBe(id)
      expect(encodeCursor(id)).toMatch(/^[\w-]+$/)
    }),
    { numRuns: 1_000 },
  )
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.json().map((json) => Buffer.from(json).toString('base64url')),
      ),
      (cursor) => {
        expect(() => decodeCursor(cursor)).toThrow(Problem)
      },
    ),
    { numRuns: 1_000 },
  )
})
