import { beforeEach, describe, expect, test } from 'vitest'
import { invalid, onlyPage, problem } from '../test/document/expected.ts'
import { openShop, type Shop, theHouse } from '../test/fixtures/shop.ts'
import { rowsOf } from '../test/fixtures/webhooks.ts'

let shop: Shop
beforeEach(async () => {
  shop = await openShop()
})

const call = (method: string, path: string, body?: unknown) => shop.call(method, `/customers/subscribers${path}`, body)
const create = (body: object) => call('POST', '', body)
const ids = async (query: string) => (await call('GET', query)).body.data.map(({ id }: { id: number }) => id)
const published = async () =>
  (await rowsOf(shop, 'events'))
    .sort((one, other) => Number(one.seq) - Number(other.seq))
    .map(({ scope, data }) => [scope, JSON.parse(String(data))])
const event = (deed: string, id: number) => [`store/subscriber/${deed}`, { type: 'subscriber', id }]

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
const ann = {
  id: 1,
  email: 'Ann@x.test',
  first_name: '',
  last_name: '',
  source: 'custom',
  order_id: null,
  channel_id: 1,
  consents: ['marketing_newsletter'],
  date_modified: TIME,
  date_created: TIME,
}

describe('a subscriber', () => {
  test('is created with 200, read, changed in part and deleted, each with an event', async () => {
    const { status, body } = await create({ email: 'Ann@x.test' })
    expect({ status, body }).toEqual({ status: 200, body: { data: ann, meta: {} } })
    const bo = {
      email: 'bo@x.test',
      first_name: 'Bo',
      last_name: 'Lind',
      source: 'fair in May',
      order_id: 2_147_483_647,
      channel_id: 1,
      consents: [],
    }
    const stored = { ...ann, ...bo, id: 2 }
    expect((await create({ ...bo, id: 9, colour: 'red' })).body.data).toEqual(stored)
    const { clock } = await theHouse()
    clock.move(60_000)
    const changed = await call('PUT', '/2', { order_id: null, consents: ['abandoned_cart', 'abandoned_cart'] })
    expect(changed.body).toEqual({ data: { ...stored, order_id: null, consents: ['abandoned_cart'] }, meta: {} })
    expect(changed.body.data.date_modified).not.toBe(changed.body.data.date_created)
    // A change without a difference changes no date and publishes nothing.
    expect((await call('PUT', '/2', changed.body.data)).body).toEqual(changed.body)
    expect((await call('GET', '/2')).body).toEqual(changed.body)
    expect((await call('GET', '/2?include_fields=email')).body.data).toEqual({ id: 2, email: 'bo@x.test' })
    expect(await call('DELETE', '/2')).toMatchObject({ status: 204, text: '' })
    for (const [method, sent] of [['GET'], ['PUT', {}], ['DELETE']] as const) {
      const gone = await call(method, '/2', sent)
      expect(gone).toMatchObject({ status: 404, body: problem(404, 'The subscriber 2 does not exist.') })
    }
    expect((await call('GET', '')).body).toEqual({ data: [ann], meta: { pagination: onlyPage(1) } })
    expect(await published()).toEqual([
      event('created', 1),
      event('created', 2),
      event('updated', 2),
      event('deleted', 2),
    ])
  })

  test('has an address that no other has, compared without case, and no customer is meant by it', async () => {
    await shop.call('POST', '/customers', [{ email: 'ann@x.test', first_name: 'Ann', last_name: 'Lee' }])
    await create({ email: 'Ann@x.test' })
    await create({ email: 'bo@x.test' })
    const taken = problem(409, expect.any(String), { email: expect.any(String) })
    expect(await create({ email: 'aNN@X.test' })).toMatchObject({ status: 409, body: taken })
    expect(await call('PUT', '/2', { email: 'ANN@x.test' })).toMatchObject({ status: 409, body: taken })
    expect((await call('PUT', '/1', { email: 'ANN@x.test' })).body.data.email).toBe('ANN@x.test')
    await shop.call('DELETE', '/customers?id:in=1')
    expect(await ids('')).toEqual([1, 2])
  })

  test('is one, however many ask for the same address at once', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => create({ email: 'many@x.test' })))
    expect(Object.groupBy(answers, ({ status }) => status)).toMatchObject({ 200: { length: 1 }, 409: { length: 49 } })
    expect(await ids('?email=many@x.test')).toHaveLength(1)
    expect(await published()).toHaveLength(1)
  })

  test.each([
    [{}, { email: 'error.path.missing' }],
    [{ email: 'x@' }, { email: expect.any(String) }],
    [{ email: 'two words@x.test' }, { email: expect.any(String) }],
    [{ email: 'two@at@x.test' }, { email: expect.any(String) }],
    [{ email: `${'a'.repeat(249)}@x.test` }, { email: expect.any(String) }],
    [{ email: 'a@x.test', first_name: 'a'.repeat(256) }, { first_name: expect.any(String) }],
    [{ email: 'a@x.test', source: 'a'.repeat(256) }, { source: expect.any(String) }],
    [{ email: 'a@x.test', order_id: 0 }, { order_id: expect.any(String) }],
    [{ email: 'a@x.test', order_id: 2_147_483_648 }, { order_id: expect.any(String) }],
    [{ email: 'a@x.test', channel_id: 99 }, { channel_id: 'The channel 99 does not exist.' }],
    [{ email: 'a@x.test', consents: ['post'] }, { 'consents.0': expect.any(String) }],
  ])('%j is refused', async (body, errors) => {
    expect(await create(body)).toMatchObject({ status: 422, body: invalid(errors) })
  })

  test('with an address of 255 characters and a source of none is taken', async () => {
    const email = `${'a'.repeat(248)}@x.test`
    expect((await create({ email, source: '' })).body.data).toMatchObject({ email, source: '' })
    expect((await call('PUT', '/1', { channel_id: 99 })).body).toEqual(
      invalid({ channel_id: 'The channel 99 does not exist.' }),
    )
  })

  test('whose channel is deleted is sent back as it was read', async () => {
    const { body } = await shop.call('POST', '/channels', {
      name: 'Gone',
      type: 'storefront',
      platform: 'custom',
      status: 'active',
    })
    await create({ email: 'a@x.test', channel_id: body.data.id })
    await shop.call('PUT', `/channels/${body.data.id}`, { status: 'deleted' })
    expect((await call('PUT', '/1', { channel_id: body.data.id, first_name: 'Ann' })).status).toBe(200)
  })
})

describe('several subscribers', () => {
  const several = async () => {
    const { clock } = await theHouse()
    await create({ email: 'ann@x.test', first_name: 'Ann', last_name: 'Lee', source: 'storefront' })
    await create({ email: 'bo@x.test', first_name: 'Bo', last_name: 'Lee', source: 'order', order_id: 7 })
    clock.move(2 * 86_400_000)
    await create({ email: 'cy@x.test', first_name: 'Cy', last_name: 'Lind', order_id: 8 })
    await call('PUT', '/1', { consents: [] })
    return {
      today: clock.now().toISOString().slice(0, 10),
      cut: new Date(clock.now().getTime() - 86_400_000).toISOString(),
    }
  }

  test('are listed by each filter', async () => {
    const { today, cut } = await several()
    const cases: [string, number[]][] = [
      ['?email=ANN@x.test', [1]],
      ['?first_name=bo', [2]],
      ['?last_name=lee', [1, 2]],
      ['?source=Order', [2]],
      ['?order_id=8', [3]],
      ['?id=2', [2]],
      ['?id:in=3,1,99', [1, 3]],
      [`?date_created=${today}`, [3]],
      [`?date_created:min=${cut}`, [3]],
      [`?date_created:max=${cut}`, [1, 2]],
      [`?date_modified=${today}`, [1, 3]],
      [`?date_modified:min=${cut}`, [1, 3]],
      [`?date_modified:max=${cut}`, [2]],
      ['?last_name=lee&source=order', [2]],
      ['?limit=2&page=2', [3]],
    ]
    for (const [query, expected] of cases) expect(await ids(query), query).toEqual(expected)
    expect((await call('GET', '?consents=x')).status).toBe(422)
    expect((await call('GET', '?limit=251')).status).toBe(413)
  })

  test.each([
    ['?email=ANN@x.test', [2, 3]],
    ['?first_name=bo', [1, 3]],
    ['?last_name=lee', [3]],
    ['?source=storefront', [2, 3]],
    ['?order_id=8', [1, 2]],
    ['?date_created=today', [1, 2]],
    ['?date_modified=today', [2]],
    ['?last_name=lee&order_id=8', [1, 2, 3]],
    ['', []],
  ])('DELETE %s leaves %j, and tells of each that went', async (query, left) => {
    const { today } = await several()
    const seen = (await published()).length
    expect(await call('DELETE', query.replace('today', today))).toMatchObject({ status: 204, text: '' })
    expect(await ids('')).toEqual(left)
    const gone = [1, 2, 3].filter((id) => !left.some((kept) => kept === id))
    expect((await published()).slice(seen)).toEqual(gone.map((id) => event('deleted', id)))
  })

  test('are not deleted by names that are no filters here, nor by blanks', async () => {
    await several()
    for (const query of [
      '?id:in=1',
      '?id=1',
      '?emial=ann@x.test',
      '?email=',
      '?source=%20',
      '?date_created:min=2020-01-01',
    ]) {
      expect((await call('DELETE', query)).status, query).toBe(422)
    }
    expect(await ids('')).toEqual([1, 2, 3])
  })
})
