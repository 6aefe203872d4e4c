import { beforeEach, describe, expect, test } from 'vitest'
import { sql } from '../../../core/db/sql.ts'
import { sized } from '../../../test/document/sized.ts'
import { openShop, type Shop, theHouse } from '../../../test/fixtures/shop.ts'
import { dbOf, rowsOf } from '../../../test/fixtures/webhooks.ts'
import { deleteCurrenciesOfChannel } from '../currencies/assignments.ts'
import { SiteHosts, setHosts } from './hosts.ts'
import { deleteSiteOfChannel } from './sites.ts'

let shop: Shop
let outlet: number
beforeEach(async () => {
  shop = await openShop()
  outlet = await channel('Outlet')
})

async function channel(name: string, of: Shop = shop): Promise<number> {
  const made = await of.call('POST', '/channels', { name, type: 'storefront', platform: 'custom' })
  return made.body.data.id
}

/** A host that no other test has. */
const at = (name: string) => `https://${name}-${shop.store.hash}.example.com`
const post = (url: unknown, channel_id: unknown = outlet) => shop.call('POST', '/sites', { url, channel_id })
const scopes = async () =>
  (await rowsOf(shop, 'events'))
    .map(({ scope, data }) => [scope, data])
    .filter(([scope]) => scope !== 'store/channel/created')
const eventOf = (action: string, id: number, of = outlet) => [
  `store/channel/${of}/settings/${action}`,
  `{"site_id":${id}}`,
]
const claims = async () =>
  (await theHouse()).installation.directory.database.system<{ host: string }>(
    sql`select host from directory.site_hosts where store_id = ${shop.store.id} order by host`,
  )

const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const dates = { created_at: moment, updated_at: moment }
const site = (id: number, channel_id: number, url: string, checkout?: string) => ({
  id,
  url,
  channel_id,
  ...dates,
  ssl_status: 'shared',
  urls: [
    { url: url.replace(/\/$/, ''), type: 'primary', ...dates },
    {
      url: `https://store-${shop.store.hash}${channel_id === 1 ? '' : `-${channel_id}`}.shop.test`,
      type: 'canonical',
      ...dates,
    },
    ...(checkout ? [{ url: checkout, type: 'checkout', ...dates }] : []),
  ],
  is_checkout_url_customized: checkout !== undefined,
})
const first = () => site(1000, 1, `https://store-${shop.store.hash}.shop.test`)

describe('sites', () => {
  test('begin with that of channel 1, at the address that the server gives it', async () => {
    const list = (await shop.call('GET', '/sites')).body
    expect(list.data).toEqual([first()])
    expect(list.meta.pagination).toMatchObject({ total: 1, per_page: 50 })
    expect((await shop.call('GET', '/sites/1000')).body).toEqual({ data: first(), meta: {} })
  })

  test('are created, changed and deleted; events tell of each, and a free host can be had again', async () => {
    const made = await post(`${at('a')}/`)
    expect(made.status).toBe(201)
    expect(made.body).toEqual({ data: site(1001, outlet, `${at('a')}/`), meta: {} })
    expect(made.headers.location).toBe(`/stores/${shop.store.hash}/v3/sites/1001`)
    const changed = await shop.call('PUT', '/sites/1001', { url: at('b'), channel_id: 1 })
    expect(changed).toMatchObject({ status: 200, body: { data: site(1001, outlet, at('b')), meta: {} } })
    expect((await shop.call('PUT', '/sites/1001', { url: at('b') })).body).toEqual(changed.body)
    expect((await shop.call('PUT', '/sites/1001', {})).body).toEqual(changed.body)
    expect((await claims()).map(({ host }) => host)).toEqual([at('b').slice(8)])
    expect(await shop.call('DELETE', '/sites/1001')).toMatchObject({ status: 204, text: '' })
    expect((await shop.call('GET', '/sites/1001')).status).toBe(404)
    expect(await claims()).toEqual([])
    expect(await scopes()).toEqual(Array(3).fill(eventOf('site/updated', 1001)))
    expect((await post(at('b'))).body.data.id).toBe(1002)
  })

  test('of channel 1 can be changed, which the store tells of, and not deleted', async () => {
    expect((await shop.call('PUT', '/sites/1000', { url: at('main') })).body.data).toEqual(site(1000, 1, at('main')))
    expect(await scopes()).toEqual([
      eventOf('site/updated', 1000, 1),
      ['store/information/updated', '{"type":"store"}'],
    ])
    for (const path of ['/sites/1000', '/channels/1/site']) expect((await shop.call('DELETE', path)).status).toBe(409)
    expect((await post(at('b'), 1)).body).toMatchObject({ status: 409, title: 'The channel has a site already.' })
  })

  test('are listed by channel and by the kinds of their addresses', async () => {
    const pop = await channel('Pop')
    await post(at('a'))
    await post(at('b'), pop)
    await shop.call('PUT', `/channels/${pop}/site/checkout-url`, { url: at('pay') })
    const ids = async (query: string) =>
      (await shop.call('GET', `/sites?${query}`)).body.data.map(({ id }: { id: number }) => id)
    expect(await ids('')).toEqual([1000, 1001, 1002])
    expect(await ids(`channel_id=${pop}`)).toEqual([1002])
    expect(await ids(`channel_id:in=1,${pop},7`)).toEqual([1000, 1002])
    expect(await ids('url_type:in=checkout')).toEqual([1002])
    expect(await ids('url_type:in=primary')).toEqual([1000, 1001, 1002])
    expect(await ids('url_type:in=canonical,checkout&limit=1&page=2')).toEqual([1001])
    for (const bad of ['url_type:in=other', 'url=x', 'channel_id=x', 'url_type:in=']) {
      expect((await shop.call('GET', `/sites?${bad}`)).status).toBe(422)
    }
    expect((await shop.call('GET', '/sites?limit=251')).status).toBe(413)
  })

  test('say when they were changed', async () => {
    const { headers } = await shop.call('GET', '/sites/1000')
    const same = { headers: { 'if-modified-since': String(headers['last-modified']) } }
    expect((await shop.call('GET', '/sites/1000', undefined, same)).status).toBe(304)
  })

  test.each([
    ['nothing', {}, 422, ['url', 'channel_id']],
    ['no channel', { url: 'https://a.example.com' }, 422, ['channel_id']],
    ['a channel that is not there', { url: 'https://a.example.com', channel_id: 77 }, 422, ['channel_id']],
    ['an address without scheme', { url: 'a.example.com', channel_id: 1 }, 422, ['url']],
    ['another port', { url: 'https://a.example.com:8443', channel_id: 1 }, 400, ['url']],
    ["another store's given host", { url: 'https://store-abc12.shop.test', channel_id: 1 }, 409, ['url']],
    ['the host of the server', { url: 'https://shop.test', channel_id: 1 }, 422, ['url']],
    ['the host of the server and www', { url: 'http://WWW.shop.test:443/', channel_id: 1 }, 422, ['url']],
    ['a name below the domain of given hosts', { url: 'https://admin.shop.test', channel_id: 1 }, 422, ['url']],
    ['wrong types', { url: 7, channel_id: 'x' }, 422, ['url', 'channel_id']],
    ['2,049 characters', { url: `https://${'a'.repeat(2_041)}`, channel_id: 1 }, 422, ['url']],
  ])('are not created with %s', async (_, body, status, fields) => {
    const refused = await shop.call('POST', '/sites', body)
    expect({ status: refused.status, fields: Object.keys(refused.body.errors) }).toEqual({ status, fields })
  })
})

test("a host of the server's own becomes neither the address of a site nor that of its checkout", async () => {
  const own = 'https://shop.test'
  const refused = { status: 422, body: { errors: { url: 'The host shop.test is reserved for the server.' } } }
  expect(await shop.call('PUT', '/sites/1000', { url: own })).toMatchObject(refused)
  expect(await shop.call('PUT', '/channels/1/site', { url: own })).toMatchObject(refused)
  expect(await shop.call('POST', `/channels/${outlet}/site`, { url: own })).toMatchObject(refused)
  expect(await shop.call('PUT', '/channels/1/site/checkout-url', { url: 'shop.test' })).toMatchObject(refused)
  // The host that the server gives the site stays its own.
  const given = { url: `https://store-${shop.store.hash}.shop.test` }
  expect(await shop.call('PUT', '/sites/1000', given)).toMatchObject({ status: 200, body: { data: given } })
  expect((await claims()).filter(({ host }) => host === 'shop.test')).toEqual([])
})

describe('the site of a channel', () => {
  const path = () => `/channels/${outlet}/site`

  test('is the same site, and its answers name the path of it', async () => {
    expect((await shop.call('GET', path())).body).toMatchObject({
      status: 404,
      title: `The channel ${outlet} has no site.`,
    })
    const made = await shop.call('POST', path(), { url: at('a') })
    const here = { 'content-location': `/stores/${shop.store.hash}/v3/sites/1001` }
    expect(made).toMatchObject({ status: 200, headers: here, body: { data: site(1001, outlet, at('a')), meta: {} } })
    expect(await shop.call('GET', path())).toMatchObject({ status: 200, headers: here, body: made.body })
    const changed = await shop.call('PUT', path(), { url: at('b') })
    expect(changed).toMatchObject({ status: 200, headers: here, body: { data: { id: 1001, url: at('b') } } })
    expect((await shop.call('GET', '/sites/1001')).body).toEqual(changed.body)
    expect((await shop.call('POST', path(), { url: at('c'), channel_id: outlet })).status).toBe(409)
    expect((await claims()).map(({ host }) => host)).toEqual([at('b').slice(8)])
    expect(await shop.call('DELETE', path())).toMatchObject({ status: 204, text: '' })
    expect((await shop.call('DELETE', path())).status).toBe(404)
  })

  test('is refused for another channel than that of the path, and for none', async () => {
    expect((await shop.call('POST', path(), { url: at('a'), channel_id: 1 })).body.errors).toEqual({
      channel_id: `channel_id must be ${outlet}, as in the path, or be left out.`,
    })
    expect((await shop.call('POST', path(), {})).body.errors).toEqual({ url: 'error.path.missing' })
    for (const method of ['GET', 'POST', 'PUT', 'DELETE']) {
      const body = method === 'GET' || method === 'DELETE' ? undefined : { url: at('a') }
      expect((await shop.call(method, '/channels/77/site', body)).body).toMatchObject({
        status: 404,
        title: 'The channel 77 does not exist.',
      })
    }
  })

  test('is hidden while the channel is deleted, keeps its host, and goes when that has ended', async () => {
    await post(at('a'))
    await shop.call('PUT', `/channels/${outlet}`, { status: 'deleted' })
    for (const gone of [path(), '/sites/1001', '/sites/1001/routes', '/sites/1001/certificate']) {
      expect((await shop.call('GET', gone)).status).toBe(404)
    }
    expect((await shop.call('GET', '/sites')).body.data).toEqual([first()])
    expect((await shop.call('PUT', '/sites/1000', { url: at('a') })).status).toBe(409)
    await deleteSiteOfChannel(await dbOf(shop), outlet)
    expect(await rowsOf(shop, 'sites')).toHaveLength(1)
    expect((await shop.call('PUT', '/sites/1000', { url: at('a') })).status).toBe(200)
  })
})

describe('a host', () => {
  test('belongs to one site of all stores, with or without www, for either of its addresses', async () => {
    await post(at('a').replace('://', '://www.'))
    expect((await shop.call('PUT', '/sites/1000', { url: at('a') })).body).toMatchObject({
      status: 409,
      title: `Another site has the host ${at('a').slice(8)} already.`,
    })
    await shop.call('PUT', `/channels/${outlet}/site/checkout-url`, { url: at('pay') })
    const other = await openShop()
    for (const taken of [at('a'), at('pay'), at('a').replace('https', 'http')]) {
      expect((await other.call('PUT', '/sites/1000', { url: taken })).status).toBe(409)
    }
    await shop.call('DELETE', '/sites/1001')
    expect((await other.call('PUT', '/sites/1000', { url: at('a') })).status).toBe(200)
  })

  test('that two stores want at once goes to one of them (C-012)', async () => {
    const other = await openShop()
    for (let round = 0; round < sized(1_000, 10); round++) {
      const url = at(`race-${round}`)
      const answers = await Promise.all([shop, other].map((of) => of.call('PUT', '/sites/1000', { url })))
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    }
  })

  test('that a request has claimed and not taken is free again', async () => {
    await post(at('a'))
    expect((await post(at('b'))).status).toBe(409)
    expect((await claims()).map(({ host }) => host)).toEqual([at('a').slice(8)])
  })

  test('of another store does not block the connections of many who want it with an Idempotency-Key', async () => {
    await post(at('a'))
    const { directory } = (await theHouse()).installation
    await directory.database.system(sql`
      update directory.site_hosts set claimed_at = ${directory.database.present} - interval '1 hour'
      where store_id = ${shop.store.id} returning host`)
    const others = await Promise.all([openShop(), openShop()])
    const answers = await Promise.all(
      others.flatMap((other) =>
        Array.from({ length: 8 }, (_, i) =>
          other.call('PUT', '/sites/1000', { url: at('a') }, { headers: { 'idempotency-key': `key ${i}` } }),
        ),
      ),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([409]))
  })

  test('that another request takes from its site meanwhile is not said to be that of another site', async () => {
    const hosts = new SiteHosts((await theHouse()).installation.directory)
    const db = await dbOf(shop)
    const work = db.transaction((tx) => setHosts(tx, hosts, 1000, { needed: ['gone.example.com'], claim: undefined }))
    await expect(work).rejects.toMatchObject({
      status: 409,
      message: 'Another request has changed the addresses of this site at the same time. Send this one again.',
    })
  })

  test('that a crash has left claimed can be had by others after a minute', async () => {
    const { directory } = (await theHouse()).installation
    const host = at('left').slice(8)
    const claim = (seconds: number) =>
      directory.database.system(sql`
        insert into directory.site_hosts (host, store_id, claim, claimed_at)
        values (${host}, ${shop.store.id}, 'x', ${directory.database.present} - ${`${seconds} s`}::interval)
        on conflict (host) do update set claimed_at = excluded.claimed_at returning host`)
    const other = await openShop()
    await claim(50)
    expect((await other.call('PUT', '/sites/1000', { url: at('left') })).status).toBe(409)
    await claim(70)
    expect((await other.call('PUT', '/sites/1000', { url: at('left') })).status).toBe(200)
    expect((await shop.call('PUT', '/sites/1000', { url: at('left') })).status).toBe(409)
    await claim(70)
    // A site has it, however old its claim is.
    expect((await shop.call('PUT', '/sites/1000', { url: at('left') })).status).toBe(409)
  })
})

test('a terminated channel loses its site and its currencies, also those stored at the same time (C-012)', async () => {
  const db = await dbOf(shop)
  const path = `/channels/${outlet}`
  const restore = sql`
    update channels set status = 'active' where store_id = ${db.store.id} and id = ${outlet} returning id`
  for (let round = 0; round < sized(1_000, 10); round++) {
    const own = { enabled_currencies: ['USD'], default_currency: 'USD' }
    const answers = await Promise.all([
      post(at(`a-${round}`)),
      shop.call('PUT', `${path}/currency-assignments`, own),
      shop.call('PUT', path, { status: 'deleted' }),
      shop.call('POST', `${path}/site`, { url: at(`b-${round}`) }),
    ])
    for (const { status } of answers) expect([200, 201, 404, 409, 422]).toContain(status)
    for (const forget of [deleteSiteOfChannel, deleteCurrenciesOfChannel]) await forget(db, outlet)
    await db.transaction((tx) => tx.rows(restore))
  }
  expect(await rowsOf(shop, 'sites')).toHaveLength(1)
  for (const table of ['site_hosts', 'channel_currencies']) expect(await rowsOf(shop, table)).toEqual([])
})

describe('the checkout', () => {
  const path = (of = outlet) => `/channels/${of}/site/checkout-url`
  const put = (url: unknown) => shop.call('PUT', path(), { url })

  test('can be at an address of its own, and is at the shared one again after that', async () => {
    await post(at('a'))
    const set = await put(at('pay').slice(8))
    expect({ status: set.status, body: set.body }).toEqual({
      status: 200,
      body: { data: site(1001, outlet, at('a'), at('pay')), meta: {} },
    })
    expect((await shop.call('GET', '/sites/1001')).body.data).toEqual(set.body.data)
    await put(at('pay'))
    expect((await put(at('a'))).body.data.urls[2].url).toBe(at('a'))
    expect((await claims()).map(({ host }) => host)).toEqual([at('a').slice(8)])
    for (let i = 0; i < 2; i++) {
      expect(await shop.call('DELETE', path())).toMatchObject({ status: 200, body: { data: {}, meta: {} } })
    }
    expect((await shop.call('GET', '/sites/1001')).body.data).toEqual(site(1001, outlet, at('a')))
    expect(await scopes()).toEqual([
      eventOf('site/updated', 1001),
      ...Array(2).fill(eventOf('site/checkoutUrl/updated', 1001)),
      eventOf('site/checkoutUrl/deleted', 1001),
    ])
  })

  test('is below the registered domain of the site, which stays there', async () => {
    await post(at('a'))
    expect((await put('https://pay.other.com')).body.errors).toEqual({
      url: 'url must be below the registered domain of the primary url of the site.',
    })
    expect(await claims()).toHaveLength(1)
    await put(at('pay'))
    expect((await shop.call('PUT', '/sites/1001', { url: 'https://other.com' })).status).toBe(409)
  })

  test.each([
    [undefined, 422],
    [7, 422],
    ['https://x.example.com/pay', 422],
    ['https://x.example.com:444', 400],
  ])('is not at %s', async (url, status) => {
    await post(at('a'))
    expect((await put(url)).status).toBe(status)
  })

  test('needs a site', async () => {
    for (const id of [outlet, 77]) {
      expect((await shop.call('PUT', path(id), { url: at('pay') })).status).toBe(404)
      expect((await shop.call('DELETE', path(id))).status).toBe(404)
    }
  })
})
