import { beforeEach, describe, expect, test } from 'vitest'
import { invalid, onlyPage, problem } from '../../test/document/expected.ts'
import { openShop, type Shop, theHouse } from '../../test/fixtures/shop.ts'
import { rowsOf } from '../../test/fixtures/webhooks.ts'
import { degradable } from './price-list.ts'

let shop: Shop
beforeEach(async () => {
  shop = await openShop()
})

const call = (method: string, path: string, body?: unknown) => shop.call(method, `/pricelists${path}`, body)
const create = (body: object) => call('POST', '', body)
const ids = async (query: string) => (await call('GET', query)).body.data.map(({ id }: { id: number }) => id)
const published = async () =>
  (await rowsOf(shop, 'events'))
    .sort((one, other) => Number(one.seq) - Number(other.seq))
    .filter(({ scope }) => String(scope).startsWith('store/priceList'))
    .map(({ scope, data }) => [String(scope).replace('store/', ''), JSON.parse(String(data))])

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
const trade = { id: 1, date_created: TIME, date_modified: TIME, name: 'Trade', active: true }

describe('a price list', () => {
  test('is created, read, changed in part and deleted, with its events', async () => {
    expect(await create({ name: 'Trade' })).toMatchObject({ status: 200, body: { data: trade, meta: {} } })
    expect((await create({ name: 'Net', active: false })).body.data).toEqual({
      ...trade,
      id: 2,
      name: 'Net',
      active: false,
    })
    const { clock } = await theHouse()
    clock.move(60_000)
    const changed = (await call('PUT', '/1', { active: false })).body.data
    expect(changed).toEqual({ ...trade, active: false })
    expect(changed.date_modified).not.toBe(changed.date_created)
    expect((await call('PUT', '/1', { active: false })).body.data).toEqual(changed)
    expect((await call('PUT', '/1', { active: true, name: 'Trade 2' })).body.data.name).toBe('Trade 2')
    expect((await call('GET', '/2')).body.data.name).toBe('Net')
    expect(await call('DELETE', '/2')).toMatchObject({ status: 204, text: '' })
    for (const [method, sent] of [['GET'], ['PUT', {}], ['DELETE']] as const) {
      const gone = await call(method, '/2', sent)
      expect(gone).toMatchObject({ status: 404, body: problem(404, 'The price list 2 does not exist.') })
    }
    const of = (deed: string, price_list_id: number) => [`priceList/${deed}`, { price_list_id }]
    expect(await published()).toEqual([
      of('created', 1),
      of('created', 2),
      of('updated', 1),
      of('deactivated', 1),
      of('updated', 1),
      of('activated', 1),
      of('deleted', 2),
    ])
  })

  test('has a name that no other has, compared without case', async () => {
    await create({ name: 'Trade' })
    await create({ name: 'Net' })
    const taken = problem(409, expect.any(String), { name: expect.any(String) })
    expect(await create({ name: 'trade' })).toMatchObject({ status: 409, body: taken })
    expect(await call('PUT', '/2', { name: 'TRADE' })).toMatchObject({ status: 409, body: taken })
  })

  test.each([
    [{}, { name: 'error.path.missing' }],
    [{ name: ' ' }, { name: expect.any(String) }],
    [{ name: 'a'.repeat(256) }, { name: expect.any(String) }],
    [{ name: 'Trade', active: 'yes' }, { active: 'error.expected.jsboolean' }],
  ])('%j is refused', async (body, errors) => {
    expect(await create(body)).toMatchObject({ status: 422, body: invalid(errors) })
  })

  test('with a name of 255 characters is created', async () => {
    expect((await create({ name: 'a'.repeat(255) })).status).toBe(200)
  })
})

describe('price lists', () => {
  beforeEach(async () => {
    for (const name of ['Trade', 'Net', 'Staff']) await create({ name })
  })

  test.each([
    ['?name=TRADE', [1]],
    ['?name:like=t', [1, 2, 3]],
    ['?name:like=ta', [3]],
    ['?id:in=1,3,9', [1, 3]],
    ['?date_created:min=2020-01-01', [1, 2, 3]],
    ['?date_created:max=2020-01-01', []],
    ['?date_modified:min=2020-01-01', [1, 2, 3]],
    ['?date_modified:max=2020-01-01', []],
    ['?date_created=2020-01-01', []],
    ['?date_modified=2020-01-01', []],
  ])('are filtered by %s', async (query, found) => {
    expect(await ids(query)).toEqual(found)
  })

  test('are paged by pages or cursors, and each answer has the meta of its kind', async () => {
    const first = await call('GET', '?limit=2')
    expect(Object.keys(first.body.meta)).toEqual(['pagination', 'cursor_pagination'])
    expect(Object.keys((await call('GET', '')).body.meta)).toEqual(['pagination', 'cursor_pagination'])
    const byPage = await call('GET', '?page=1')
    expect(byPage.body.meta).toEqual({ pagination: { ...onlyPage(3), links: { current: '?page=1&limit=50' } } })
    const { end_cursor } = first.body.meta.cursor_pagination
    const next = await call('GET', `?limit=2&after=${end_cursor}`)
    expect(next.body.data).toHaveLength(1)
    expect(Object.keys(next.body.meta)).toEqual(['cursor_pagination'])
    expect(await ids(`?before=${next.body.meta.cursor_pagination.start_cursor}`)).toEqual([1, 2])
    expect(Object.keys((await call('GET', `?page=2&after=${end_cursor}`)).body.meta)).toEqual(['cursor_pagination'])
    expect((await call('GET', `?after=${end_cursor}&before=${end_cursor}`)).status).toBe(422)
    expect((await call('GET', '?limit=251')).status).toBe(413)
  })

  test('are deleted by a filter with one event, all of them without a filter', async () => {
    expect((await call('DELETE', '?nam=Trade')).status).toBe(422)
    expect((await call('DELETE', '?name=')).status).toBe(422)
    expect(await ids('')).toEqual([1, 2, 3])
    expect((await call('DELETE', '?name=trade')).status).toBe(204)
    expect(await ids('')).toEqual([2, 3])
    expect((await call('DELETE', '?id:in=1,9')).status).toBe(204)
    expect((await call('DELETE', '?id:in=3')).status).toBe(204)
    await create({ name: 'Trade' })
    expect((await call('DELETE', '')).status).toBe(204)
    expect((await call('DELETE', '')).status).toBe(204)
    expect(await ids('')).toEqual([])
    const deletions = (await published()).filter(([scope]) => scope === 'priceLists/deleted')
    expect(deletions.map(([, data]) => data.price_list_ids)).toEqual([[1], [3], [2, 4]])
  })

  test('tell a client that a deletion is not possible at the moment, in the words of the contract', () => {
    const closed = { status: 503, title: 'The store is in maintenance.', type: '', errors: {} }
    expect(degradable.errorBody(closed, undefined, { headers: { 'retry-after': '60' } })).toEqual({
      error: {
        code: 'SERVICE_DEGRADED',
        message: closed.title,
        details: expect.any(String),
        retry_after_seconds: 60,
        timestamp: expect.any(String),
      },
    })
    const other = { ...closed, status: 404 }
    expect(degradable.errorBody(other, undefined, { headers: {} })).toEqual(other)
  })
})
