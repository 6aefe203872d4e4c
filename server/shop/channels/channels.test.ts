import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../core/db/sql.ts'
import { invalid, onlyPage, problem } from '../../test/document/expected.ts'
import { openShop, type Shop, theHouse } from '../../test/fixtures/shop.ts'
import { dbOf, rowsOf } from '../../test/fixtures/webhooks.ts'
import { PLATFORMS } from './channels.ts'

// docs/contract/channels.md sections 1, 2, 7 and 8. deletion.test.ts tests deletion and termination.

const first = {
  id: 1,
  external_id: '',
  is_listable_from_ui: true,
  is_enabled: true,
  is_visible: true,
  status: 'active',
  name: 'Storefront',
  type: 'storefront',
  platform: 'bigcommerce',
  date_created: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
  date_modified: expect.any(String),
  icon_url: '',
}
const second = 664_159
const till = { name: 'Pop-Up', type: 'pos', platform: 'square' }

let shop: Shop
let call: Shop['call']
beforeAll(async () => {
  shop = await openShop()
  call = shop.call
})

const create = async (body: object, { call: ask } = shop) => {
  const { status, body: answer } = await ask('POST', '/channels', body)
  return { status, body: answer }
}
let count = 0
/** A channel that differs from all others where it must. */
const channelWith = (fields: object) => ({ ...till, name: `channel-${++count}`, ...fields })
const made = async (fields: object = {}): Promise<number> => (await create(channelWith(fields))).body.data.id
const change = async (id: number, body: object) => {
  const { status, body: answer } = await call('PUT', `/channels/${id}`, body)
  return { status, body: answer }
}

test('every store has one channel from the start', async () => {
  const fresh = await openShop()
  expect((await fresh.call('GET', '/channels')).body).toEqual({
    data: [first],
    meta: { pagination: onlyPage(1) },
  })
  expect((await fresh.call('GET', '/channels/1')).body).toEqual({ data: first, meta: {} })
})

test('a channel that did not change since is 304', async () => {
  const { headers } = await call('GET', '/channels/1')
  const since = { 'if-modified-since': String(headers['last-modified']) }
  expect((await call('GET', '/channels/1', undefined, { headers: since })).status).toBe(304)
})

test('a channel and the list show the currencies in force, which change without the channel: it is never 304 then', async () => {
  const currencies = { channel_id: 1, enabled_currencies: ['USD'], default_currency: 'USD' }
  const { headers } = await call('GET', '/channels/1')
  const since = { 'if-modified-since': String(headers['last-modified']) }
  const one = await call('GET', '/channels/1?include=currencies', undefined, { headers: since })
  expect(one.body.data).toEqual({ ...first, currencies })
  expect((await call('GET', '/channels?include=currencies&limit=1')).body.data).toEqual([{ ...first, currencies }])
  expect(one.headers['last-modified']).toBeUndefined()
})

describe('a new channel', () => {
  test('is answered complete, with the defaults of missing fields', async () => {
    const fresh = await openShop()
    const data = { ...first, ...till, id: second, status: 'connected' }
    expect(await create(till, fresh)).toEqual({ status: 200, body: { data, meta: {} } })
    expect((await fresh.call('GET', `/channels/${second}`)).body.data).toEqual(data)
    expect((await create(channelWith({}), fresh)).body.data.id).toBe(second + 1)
    expect((await rowsOf(fresh, 'events')).map(({ scope, data }) => [scope, JSON.parse(String(data))])).toEqual(
      [second, second + 1].map((id) => ['store/channel/created', { type: 'channel', id }]),
    )
  })

  test('keeps every field as it was sent', async () => {
    const fields = channelWith({
      external_id: 'cph-1',
      status: 'disconnected',
      is_visible: false,
      is_listable_from_ui: false,
    })
    expect((await create(fields)).body.data).toEqual({ ...first, ...fields, id: expect.any(Number), is_enabled: false })
  })

  test('has the platforms of the contract page to choose from', () => {
    const page = readFileSync(new URL('../../../docs/contract/channels.md', import.meta.url), 'utf8')
    const rows = page.matchAll(/^\| (storefront|pos|marketplace|marketing) \| ([a-z_ ]+) \|$/gm)
    expect(PLATFORMS).toEqual(Object.fromEntries([...rows].map(([, type, names]) => [type, names?.split(' ')])))
  })

  test.each(Object.entries(PLATFORMS))('of the type %s has one of its platforms', async (type, platforms) => {
    for (const platform of platforms) {
      expect(await create(channelWith({ type, platform }))).toMatchObject({
        status: 200,
        body: { data: { type, platform, status: type === 'storefront' ? 'prelaunch' : 'connected', is_enabled: true } },
      })
    }
  })

  test.each([
    ['storefront', 'square'],
    ['pos', 'bigcommerce'],
    ['marketplace', 'google_shopping'],
    ['marketing', 'amazon'],
    ['marketing', ''],
    ['marketplace', 'Amazon'],
  ])('of the type %s does not have the platform %j', async (type, platform) => {
    expect(await create(channelWith({ type, platform }))).toEqual({
      status: 422,
      body: problem(422, `A channel of the type ${type} can't have the platform ${JSON.stringify(platform)}.`),
    })
  })

  test('needs a name, a type and a platform, all of them of their kind', async () => {
    expect(await create({})).toEqual({
      status: 422,
      body: invalid({ name: 'error.path.missing', type: 'error.path.missing', platform: 'error.path.missing' }),
    })
    const wrong = {
      name: 5,
      type: 'shop',
      platform: [],
      status: 'open',
      external_id: 'a'.repeat(256),
      is_visible: null,
    }
    const { status, body } = await create(wrong)
    expect({ status, fields: Object.keys(body.errors).sort() }).toEqual({
      status: 422,
      fields: Object.keys(wrong).sort(),
    })
  })

  test.each(['a', 'A-Z_09', '-', 'x'.repeat(255)])('can have the name %j', async (name) => {
    expect((await create({ ...till, name })).body.data.name).toBe(name)
  })

  test.each(['', 'Pop Up', 'Grüße', 'a.b', 'ab\n', 'x'.repeat(256)])('cannot have the name %j', async (name) => {
    const title = 'The name of a channel is made of 1 to 255 letters A to Z and a to z, digits, dashes and underscores.'
    expect(await create({ ...till, name })).toEqual({ status: 422, body: problem(422, title) })
  })

  test.each([
    ['storefront', 'prelaunch active inactive archived'],
    ['marketplace', 'connected disconnected archived'],
  ])('of the type %s can have the statuses %s, and no others', async (type, statuses) => {
    for (const status of 'prelaunch active inactive connected disconnected archived deleted terminated'.split(' ')) {
      const answer = await create(channelWith({ type, platform: 'custom', status }))
      if (statuses.split(' ').includes(status)) expect(answer.body.data.status).toBe(status)
      else
        expect(answer).toMatchObject({
          status: 422,
          body: { errors: { status: expect.stringContaining(statuses.split(' ').join(', ')) } },
        })
    }
  })

  test('has a name of its own among those of its type and platform, compared without case (409)', async () => {
    const named = { ...till, name: 'The-One' }
    await create(named)
    const sentence = 'A channel with this name, type and platform already exists.'
    expect(await create({ ...named, name: 'THE-ONE' })).toEqual({
      status: 409,
      body: problem(409, sentence, { name: sentence }),
    })
    expect((await create({ ...named, platform: 'stripe' })).status).toBe(200)
    const id = await made()
    expect((await change(id, { name: 'the-one' })).status).toBe(409)
    expect((await change(id, { name: 'The-Other' })).status).toBe(200)
  })

  test('is refused if the store has 1,000 channels that are not terminated (403), and its id stays unused', async () => {
    const full = await openShop()
    const db = await dbOf(full)
    await db.transaction(async (tx) => {
      await tx.rows(sql`
        insert into channels select kind.store_id, n, '', true, true, true, case when n <= 20 then 'terminated' else 'deleted' end, 'x', 'x', 'pos', 'custom',
          kind.date_created, kind.date_modified, ''
        from generate_series(11, 1018) n, channels kind where kind.store_id = ${full.store.id} and kind.id = 1 returning id`)
      await tx.rows(
        sql`update counters set total = 1009 where store_id = ${full.store.id} and resource = 'channels' returning total`,
      )
    })
    expect((await create(till, full)).body.data.id).toBe(second)
    const refused = { status: 403, body: problem(403, 'A store can hold at most 1000 channels.') }
    expect(await create(channelWith({}), full)).toEqual(refused)
    // A conflict is reported before a limit.
    expect((await create(till, full)).status).toBe(409)
  })

  test('is refused beyond the storefronts of the plan (507), which other channels do not count to', async () => {
    const small = await openShop({ limits: { storefronts: 2 } })
    const shopFront = { name: 'Two', type: 'storefront', platform: 'catalyst' }
    const { body } = await create(shopFront, small)
    expect(await create({ ...shopFront, name: 'Three' }, small)).toEqual({
      status: 507,
      body: problem(507, 'The plan of this store allows 2 storefronts.'),
    })
    expect((await create(till, small)).status).toBe(200)
    await small.call('PUT', `/channels/${body.data.id}`, { status: 'deleted' })
    expect((await create({ ...shopFront, name: 'Three' }, small)).status).toBe(200)
  })
})

describe('a change', () => {
  test('of some fields leaves the others, and publishes one event', async () => {
    const [{ clock }, fresh] = [await theHouse(), await openShop()]
    await create(till, fresh)
    clock.move(5_000)
    const fields = {
      name: 'Kiosk',
      external_id: 'k-1',
      status: 'archived',
      is_listable_from_ui: false,
      is_visible: false,
    }
    const put = async (body: object) => (await fresh.call('PUT', `/channels/${second}`, body)).body.data
    let known = { ...first, ...till, id: second, status: 'connected' }
    for (const [field, value] of Object.entries(fields)) {
      known = { ...known, [field]: value, ...(field === 'status' ? { is_enabled: false } : {}) }
      expect(await put({ [field]: value })).toEqual(known)
    }
    const changed = await put({ ...fields, unknown: 1, date_created: '2001-01-01T00:00:00Z', is_enabled: true })
    expect(changed).toEqual(known)
    expect(changed.date_modified > changed.date_created).toBe(true)
    expect((await rowsOf(fresh, 'events')).map(({ scope, data }) => [scope, JSON.parse(String(data))])).toEqual([
      ['store/channel/created', { type: 'channel', id: second }],
      ...Object.keys(fields).map(() => ['store/channel/updated', { type: 'channel', id: second }]),
    ])
  })

  test('without a difference updates no date and publishes nothing', async () => {
    const { clock } = await theHouse()
    const id = await made({ type: 'storefront', platform: 'next' })
    const { data } = (await call('GET', `/channels/${id}`)).body
    const before = (await rowsOf(shop, 'events')).length
    clock.move(5_000)
    // As it was read, with the status that can't be given back.
    expect(await change(id, data)).toEqual({ status: 200, body: { data, meta: {} } })
    expect(await rowsOf(shop, 'events')).toHaveLength(before)
  })

  test('of type or platform is refused, each by its name', async () => {
    const id = await made()
    const title = "The type and the platform of a channel can't be changed."
    expect(await change(id, { type: 'marketing', platform: 5, name: 'New' })).toEqual({
      status: 422,
      body: problem(422, title, {
        type: "The type of a channel can't be changed.",
        platform: "The platform of a channel can't be changed.",
      }),
    })
    expect((await change(id, { platform: 'stripe' })).body.errors).toEqual({
      platform: "The platform of a channel can't be changed.",
    })
  })

  test.each([
    ['storefront', 'active inactive archived'],
    ['marketing', 'connected disconnected archived'],
  ])('gives a channel of the type %s one of the statuses %s, and none besides', async (type, statuses) => {
    for (const status of 'prelaunch active inactive connected disconnected archived terminated'.split(' ')) {
      const id = await made({ type, platform: 'custom', status: type === 'storefront' ? 'inactive' : 'disconnected' })
      const answer = await change(id, { status })
      if (statuses.split(' ').includes(status)) expect(answer.body.data.status).toBe(status)
      else expect(answer).toMatchObject({ status: 422, body: { errors: { status: expect.any(String) } } })
    }
  })

  test.each(['deleted', 'archived'])('does not make the first channel %s', async (status) => {
    expect(await change(1, { status })).toEqual({
      status: 422,
      body: problem(422, `The first channel of a store can't be ${status}.`),
    })
  })

  test.each([
    ['a name with a blank', { name: 'a b' }],
    ['a number as a name', { name: 5 }],
    ['null', { is_visible: null }],
    ['an external id of 256 characters', { external_id: 'x'.repeat(256) }],
  ])('does not take %s', async (_, body) => {
    expect((await change(1, body)).status).toBe(422)
  })

  test('of an unknown channel is 404, and there is no DELETE', async () => {
    expect((await change(664_158, { name: 'New' })).status).toBe(404)
    expect((await call('GET', '/channels/664158')).status).toBe(404)
    expect(await call('DELETE', '/channels/1')).toMatchObject({
      status: 405,
      headers: { allow: 'GET, HEAD, PUT, OPTIONS' },
    })
  })
})

describe('the list', () => {
  let ids: Record<string, number>
  let listed: Shop
  beforeAll(async () => {
    listed = await openShop()
    const { clock } = await theHouse()
    ids = { first: 1 }
    for (const [name, type, platform, status] of [
      ['web', 'storefront', 'catalyst', 'prelaunch'],
      ['old-web', 'storefront', 'custom', 'inactive'],
      ['till', 'pos', 'square', 'connected'],
      ['bay', 'marketplace', 'ebay', 'disconnected'],
      ['ads', 'marketing', 'google', 'archived'],
      ['gone', 'pos', 'custom', 'connected'],
    ] as const) {
      ids[name] = (await create({ name, type, platform, status }, listed)).body.data.id
    }
    clock.move(3 * 86_400_000)
    await listed.call('PUT', `/channels/${ids.gone}`, { status: 'deleted' })
  })

  test.each([
    ['', 'first web old-web till bay ads'],
    ['available=true', 'first web old-web till'],
    ['available=0', 'bay ads gone'],
    ['status:in=deleted', 'gone'],
    ['status:in=connected,deleted,terminated', 'till gone'],
    ['status:in=connected&available=false', ''],
    ['type:in=pos', 'till'],
    ['type:in=pos,marketing&status:in=deleted,archived', 'ads gone'],
    ['platform:in=custom,ebay', 'old-web bay'],
    ['platform:in=facebook%20by%20meta', ''],
    ['direction=desc&limit=2', 'ads bay'],
    ['limit=2&page=2', 'old-web till'],
    ['date_modified:min=DAY&available=false', 'gone'],
    ['date_created:min=DAY&available=false', ''],
    ['date_created:max=DAY&type:in=pos&available=false', 'gone'],
    ['date_created=2001-01-01', ''],
  ])('?%s shows %s', async (query, expected) => {
    // After the test's channels were made, and before one was deleted.
    const between = new Date((await theHouse()).clock.now().getTime() - 86_400_000).toISOString().slice(0, 10)
    const { status, body, text } = await listed.call('GET', `/channels?${query.replace('DAY', between)}`)
    expect(status, text).toBe(200)
    const names = Object.fromEntries(Object.entries(ids).map(([name, id]) => [id, name]))
    expect(body.data.map(({ id }: { id: number }) => names[id]).join(' ')).toBe(expected)
  })

  test.each(['colour=red', 'available=maybe', 'name=web', 'date_created=soon', 'sort=name', 'include=routes'])(
    '?%s is refused',
    async (query) => {
      expect((await listed.call('GET', `/channels?${query}`)).status).toBe(422)
    },
  )
})
