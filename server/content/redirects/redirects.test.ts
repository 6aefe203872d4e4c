import { beforeEach, describe, expect, test } from 'vitest'
import { invalid, onlyPage } from '../../test/document/expected.ts'
import { sized } from '../../test/document/sized.ts'
import { openStaffedShop, type StaffedShop } from '../../test/fixtures/shop.ts'
import { rowsOf } from '../../test/fixtures/webhooks.ts'

let shop: StaffedShop
beforeEach(async () => {
  shop = await openStaffedShop()
})

const path = '/storefront/redirects'
const manual = (from_path: string, url = '/new', site_id = 1_000) => ({ from_path, site_id, to: { type: 'url', url } })
const dynamic = (from_path: string, type: string, entity_id: number) => ({
  from_path,
  site_id: 1_000,
  to: { type, entity_id },
})
const put = (...items: object[]) => shop.call('PUT', path, items)
const list = async (query = ''): Promise<Record<string, unknown>[]> =>
  (await shop.call('GET', `${path}${query}`)).body.data
const paths = async (query: string) => (await list(query)).map(({ from_path }) => from_path)
const eventsOf = async () =>
  (await rowsOf(shop, 'events'))
    .filter(({ scope }) => scope === 'store/redirects/updated')
    .map(({ data }) => JSON.parse(String(data)))
const secondSite = async () => {
  const channel = await shop.call('POST', '/channels', { name: 'Second', type: 'storefront', platform: 'custom' })
  const url = `https://second-${shop.store.hash}.example.com`
  const site = await shop.call('POST', '/sites', { url, channel_id: channel.body.data.id })
  return { id: site.body.data.id, channel: channel.body.data.id, url }
}
const some = expect.any(String)

describe('redirects', () => {
  test('are created with 201, listed, overwritten under their id and deleted', async () => {
    const created = await put({ from_path: '/old', site_id: 1_000, to: { type: 'url', entity_id: null, url: '/new' } })
    const old = { id: 1, site_id: 1_000, from_path: '/old', to: { type: 'url', entity_id: 0, url: '/new' } }
    expect(created).toMatchObject({ status: 201, body: { data: [old], meta: {} } })
    expect(created.body).toEqual({ data: [old], meta: {} })
    expect((await shop.call('GET', path)).body).toEqual({ data: [old], meta: { pagination: onlyPage(1) } })
    const again = await put(manual('/OLD/', 'https://other.example/'), manual('/other'))
    expect(again.body.data).toEqual([
      { ...old, from_path: '/OLD/', to: { ...old.to, url: 'https://other.example/' } },
      { ...old, id: 2, from_path: '/other' },
    ])
    expect(await list()).toEqual(again.body.data)
    expect(await shop.call('DELETE', `${path}?id:in=1,99`)).toMatchObject({ status: 204, text: '' })
    expect(await paths('')).toEqual(['/other'])
  })

  test('publish one event for each created or changed row, and none when deleted', async () => {
    await put(manual('/a'), manual('/b'))
    await put(manual('/a'), manual('/b', '/newer'))
    await shop.call('DELETE', `${path}?id:in=1`)
    expect(await eventsOf()).toEqual([
      { id: 1, site_id: 1_000, from_path: '/a', to: { url: '/new', entity_id: 0, type: 'url' } },
      { id: 2, site_id: 1_000, from_path: '/b', to: { url: '/new', entity_id: 0, type: 'url' } },
      { id: 2, site_id: 1_000, from_path: '/b', to: { url: '/newer', entity_id: 0, type: 'url' } },
    ])
  })

  test('keep the target that a body omits', async () => {
    expect((await put({ from_path: '/a', site_id: 1_000 })).body).toEqual(invalid({ '0.to': 'error.path.missing' }))
    await put(manual('/a'))
    const kept = await put({ from_path: '/A', site_id: 1_000 })
    expect(kept.body.data).toMatchObject([{ id: 1, from_path: '/A', to: { url: '/new' } }])
  })

  test('of one pair in a body: the last wins', async () => {
    const { body } = await put(manual('/a', '/one'), manual('/b'), manual('/A', '/two'))
    expect(body.data.map(({ id, to }: { id: number; to: { url: string } }) => [id, to.url])).toEqual([
      [1, '/two'],
      [2, '/new'],
      [1, '/two'],
    ])
  })

  test('take the type of a target from its url', async () => {
    const { body } = await put({ from_path: '/a', site_id: 1_000, to: { url: '/new' } })
    expect(body.data[0].to.type).toBe('url')
  })

  test('lead to themselves byte for byte only if that is refused', async () => {
    expect((await put(manual('/new'))).body).toEqual(invalid({ '0.to.url': some }))
    expect((await put(manual('/New'), manual('/new/'))).status).toBe(201)
  })

  test('follow the present address of their target, and are deleted with it', async () => {
    const { body: brand } = await shop.call('POST', '/catalog/brands', { name: 'Ferm' })
    const { body: category } = await shop.call('POST', '/catalog/categories', { name: 'Lamps', parent_id: 0 })
    const { body: product } = await shop.call('POST', '/catalog/products', {
      name: 'Mug',
      type: 'physical',
      weight: 1,
      price: 1,
    })
    await put(
      dynamic('/b', 'brand', brand.data.id),
      dynamic('/c', 'category', category.data.id),
      dynamic('/p', 'product', product.data.id),
      manual('/m', '/new'),
      manual('/w', 'https://other.example/x'),
    )
    await shop.call('PUT', `/catalog/brands/${brand.data.id}`, { custom_url: { url: '/makers/ferm/' } })
    const { body: site } = await shop.call('GET', '/sites/1000')
    const [{ url: primary }] = site.data.urls
    const targets = async () => (await list('?include=to_url')).map(({ to_url }) => to_url)
    expect(await targets()).toEqual([
      `${primary}/makers/ferm/`,
      `${primary}/lamps/`,
      `${primary}/mug/`,
      `${primary}/new`,
      'https://other.example/x',
    ])
    expect((await list())[0]).toEqual({
      id: 1,
      site_id: 1_000,
      from_path: '/b',
      to: { type: 'brand', entity_id: brand.data.id, url: '' },
    })
    await shop.call('DELETE', `/catalog/brands/${brand.data.id}`)
    expect(await paths('')).toEqual(['/c', '/p', '/m', '/w'])
    await shop.call('DELETE', `/catalog/categories/${category.data.id}`)
    expect(await paths('')).toEqual(['/p', '/m', '/w'])
    await shop.call('DELETE', `/catalog/products/${product.data.id}`)
    expect((await shop.call('GET', path)).body.meta.pagination.total).toBe(2)
  })

  test('are deleted with their site, also those that are stored meanwhile (C-012)', async () => {
    const channel = await shop.call('POST', '/channels', { name: 'Outlet', type: 'storefront', platform: 'custom' })
    for (let round = 0; round < sized(300, 10); round++) {
      const url = `https://outlet-${round}-${shop.store.hash}.example.com`
      const { id } = (await shop.call('POST', '/sites', { url, channel_id: channel.body.data.id })).body.data
      const [deleted, ...stored] = await Promise.all([
        shop.call('DELETE', `/sites/${id}`),
        put(manual('/a', '/new', id)),
        put(manual('/b', '/new', id), manual('/c', '/new', 1_000)),
      ])
      expect(deleted.status).toBe(204)
      for (const { status } of stored) expect([201, 422]).toContain(status)
      expect((await rowsOf(shop, 'redirects')).filter(({ site_id }) => site_id === id)).toEqual([])
    }
  })

  test('are deleted with their site, and hidden while its channel is deleted', async () => {
    const site = await secondSite()
    const { status } = await put(manual('/a'), manual('/a', '/new', site.id), manual(`${site.url}/b`, '/new', site.id))
    expect(status).toBe(201)
    expect(await paths(`?site_id=${site.id}`)).toEqual(['/a', '/b'])
    await shop.call('PUT', `/channels/${site.channel}`, { status: 'deleted' })
    expect(await paths('')).toEqual(['/a'])
    expect((await put(manual('/c', '/new', site.id))).status).toBe(422)
    await shop.call('PUT', `/channels/${site.channel}`, { status: 'active' })
    const other = await openStaffedShop()
    expect((await other.call('GET', path)).body.data).toEqual([])
  })

  test('of a deleted site are deleted', async () => {
    const site = await secondSite()
    await put(manual('/a'), manual('/b', '/new', site.id))
    expect((await shop.call('DELETE', `/sites/${site.id}`)).status).toBe(204)
    expect((await rowsOf(shop, 'redirects')).map(({ from_path }) => from_path)).toEqual(['/a'])
  })
})

describe('redirects are refused', () => {
  test.each<[string, object, object]>([
    ['without a path', { from_path: undefined }, { '0.from_path': 'error.path.missing' }],
    ['without a site', { site_id: undefined }, { '0.site_id': 'error.path.missing' }],
    ['with an unknown site', { site_id: 99 }, { '0.site_id': 'The site 99 does not exist.' }],
    ['with a reserved path', { from_path: '/admin' }, { '0.from_path': some }],
    ['with a foreign host', { from_path: 'https://other.example/a' }, { '0.from_path': some }],
    ['with a path of 2,049 characters', { from_path: `/${'a'.repeat(2_048)}` }, { '0.from_path': some }],
    ['with an empty target', { to: {} }, { '0.to.type': 'error.path.missing' }],
    ['with a script as target', { to: { url: 'javascript:alert(1)' } }, { '0.to.url': some }],
    ['with a target on another scheme', { to: { url: '//other.example' } }, { '0.to.url': some }],
    ['with a target of 2,049 characters', { to: { url: `/${'a'.repeat(2_048)}` } }, { '0.to.url': some }],
    ['without the id of a target', { to: { type: 'product' } }, { '0.to.entity_id': 'error.path.missing' }],
    ['with an unknown product', { to: { type: 'product', entity_id: 9 } }, { '0.to.entity_id': some }],
    ['with an unknown page', { to: { type: 'page', entity_id: 9 } }, { '0.to.entity_id': some }],
    ['with an unknown post', { to: { type: 'post', entity_id: 9 } }, { '0.to.entity_id': some }],
    ['with an unknown type', { to: { type: 'cart' } }, { '0.to.type': some }],
  ])('%s', async (_, fields, errors) => {
    expect(await put({ ...manual('/old'), ...fields })).toMatchObject({ status: 422, body: invalid(errors) })
    expect(await list()).toEqual([])
  })

  test('all of them for one, and beyond 1,000', async () => {
    const many = Array.from({ length: 1_001 }, (_, i) => manual(`/old-${i}`))
    expect((await put(...many)).status).toBe(413)
    expect((await put(manual('/a'), manual('/b', 'x'))).body).toEqual(invalid({ '1.to.url': some }))
    expect(await list()).toEqual([])
    expect((await put(...many.slice(1))).status).toBe(201)
    expect((await put(...many.slice(1))).body.data.at(-1).id).toBe(1_000)
    expect((await eventsOf()).length).toBe(1_000)
  })

  test('by a DELETE without a filter', async () => {
    await put(manual('/a'))
    expect((await shop.call('DELETE', path)).status).toBe(422)
    expect((await shop.call('DELETE', `${path}?id:in=1&site_id=1001`)).status).toBe(204)
    expect(await paths('')).toEqual(['/a'])
    expect((await shop.call('DELETE', `${path}?site_id=1000`)).status).toBe(204)
    expect(await paths('')).toEqual([])
  })
})

test('the list of redirects is filtered and sorted', async () => {
  const { body: brand } = await shop.call('POST', '/catalog/brands', { name: 'Ferm' })
  await put(manual('/royal-blue'), manual('/Blue-shirt'), dynamic('/zebra', 'brand', brand.data.id))
  for (const keyword of ['blue', '/blue', 'BLUE-']) expect(await paths(`?keyword=${keyword}`)).toEqual(['/Blue-shirt'])
  expect(await paths('?keyword=%25')).toEqual([])
  expect(await paths('?sort=from_path')).toEqual(['/Blue-shirt', '/royal-blue', '/zebra'])
  expect(await paths('?sort=type')).toEqual(['/zebra', '/royal-blue', '/Blue-shirt'])
  expect(await paths('?sort=site_id&direction=desc')).toEqual(['/royal-blue', '/Blue-shirt', '/zebra'])
  expect(await paths('?sort=id&direction=desc')).toEqual(['/zebra', '/Blue-shirt', '/royal-blue'])
  expect(await paths('?id:in=1,3')).toEqual(['/royal-blue', '/zebra'])
  expect(await paths('?id:min=2&id:max=2')).toEqual(['/Blue-shirt'])
  expect(await paths('?site_id=1001')).toEqual([])
  expect(await paths('?limit=1&page=2')).toEqual(['/Blue-shirt'])
  expect((await shop.call('GET', `${path}?from_path=/a`)).status).toBe(422)
  expect((await shop.call('GET', `${path}?limit=251`)).status).toBe(413)
})

describe('below /v2', () => {
  const call = (method: string, below = '', body?: object) =>
    shop.call(method, `/redirects${below}`, body, { version: 'v2' })
  const older = { path: '/old', forward: { type: 'manual', ref: '/new' } }

  test('redirects of the first site are the same rows', async () => {
    const site = await secondSite()
    await put(manual('/elsewhere', '/new', site.id))
    const created = await call('POST', '', older)
    expect(created).toMatchObject({
      status: 200,
      body: { id: 2, ...older, url: expect.stringMatching(/^https:.*\/new$/) },
    })
    expect((await call('GET', '/2')).body).toEqual(created.body)
    expect((await call('GET')).body).toEqual([created.body])
    expect((await call('GET', '/count')).body).toEqual({ count: 1 })
    expect(await paths('?site_id=1000')).toEqual(['/old'])
    for (const method of ['GET', 'PUT', 'DELETE']) {
      expect((await call(method, '/1', method === 'PUT' ? older : undefined)).status).toBe(404)
    }
    expect((await call('DELETE')).status).toBe(204)
    expect((await call('GET')).status).toBe(204)
    expect(await paths('')).toEqual(['/elsewhere'])
  })

  test('a redirect is replaced under its id, and never by a POST', async () => {
    const { body: brand } = await shop.call('POST', '/catalog/brands', { name: 'Ferm' })
    await call('POST', '', older)
    expect((await call('POST', '', { ...older, path: '/OLD/' })).status).toBe(409)
    const forward = { type: 'brand', ref: String(brand.data.id) }
    const moved = await call('PUT', '/1', { path: '/moved', forward })
    expect(moved).toMatchObject({ status: 200, body: { id: 1, path: '/moved', forward: { ref: brand.data.id } } })
    await call('POST', '', older)
    expect((await call('PUT', '/1', { path: '/Old', forward })).status).toBe(409)
    expect((await call('PUT', '/1', { path: '/Moved', forward })).body.path).toBe('/Moved')
    expect((await call('DELETE', '/1')).status).toBe(204)
    expect((await call('DELETE', '/1')).status).toBe(404)
  })

  test.each([
    ['a missing forward', { path: '/a' }, 'forward'],
    ['a bad address', { path: '/a', forward: { type: 'manual', ref: 'javascript:a' } }, 'forward.ref'],
    ['an unknown product', { path: '/a', forward: { type: 'product', ref: 99 } }, 'forward.ref'],
    ['a text as id', { path: '/a', forward: { type: 'product', ref: 'x' } }, 'forward.ref'],
    ['an unknown type', { path: '/a', forward: { type: 'url', ref: '/new' } }, 'forward.type'],
    ['a reserved path', { path: '/', forward: { type: 'manual', ref: '/new' } }, 'path'],
  ])('%s is 400', async (_, body, field) => {
    const { status, body: refusal } = await call('POST', '', body)
    expect([status, Object.keys(refusal[0].details)]).toEqual([400, [field]])
  })
})

test('redirects need a scope of content', async () => {
  expect((await shop.call('GET', path, undefined, { as: shop.noscope })).status).toBe(403)
  expect((await shop.call('GET', path, undefined, { as: shop.readonly })).status).toBe(200)
  expect((await shop.call('PUT', path, [manual('/a')], { as: shop.readonly })).status).toBe(403)
})
