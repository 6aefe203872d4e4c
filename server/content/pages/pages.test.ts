import { beforeEach, describe, expect, test } from 'vitest'
import { sql } from '../../core/db/sql.ts'
import { onlyPage } from '../../test/document/expected.ts'
import { sized } from '../../test/document/sized.ts'
import { openStaffedShop, type StaffedShop } from '../../test/fixtures/shop.ts'
import { dbOf, rowsOf } from '../../test/fixtures/webhooks.ts'
import { deletePagesOfChannel } from './deletion.ts'

let shop: StaffedShop
beforeEach(async () => {
  shop = await openStaffedShop()
})

const path = '/content/pages'
const post = (body: unknown, query = '') => shop.call('POST', `${path}${query}`, body as object)
const create = async (fields: object = {}): Promise<number> => {
  const { status, body } = await post({ type: 'page', name: 'About us', ...fields })
  expect(status, JSON.stringify(body)).toBe(201)
  return body.data.id
}
const get = (id: number, query = '') => shop.call('GET', `${path}/${id}${query}`)
const put = (id: number, body: object) => shop.call('PUT', `${path}/${id}`, body)
const listed = async (query = ''): Promise<number[]> =>
  (await shop.call('GET', `${path}${query}`)).body.data.map(({ id }: { id: number }) => id)
const eventsOf = async () =>
  (await rowsOf(shop, 'events')).filter(({ scope }) => String(scope).includes('/page/')).map(({ scope }) => scope)
const storefront = async (name: string): Promise<number> =>
  (await shop.call('POST', '/channels', { name, type: 'storefront', platform: 'custom' })).body.data.id
const createBrand = async (name: string): Promise<{ id: number; custom_url: { url: string } }> =>
  (await shop.call('POST', '/catalog/brands', { name })).body.data

const about = {
  id: 2,
  channel_id: 1,
  name: 'About us',
  is_visible: true,
  parent_id: 0,
  sort_order: 0,
  type: 'page',
  is_homepage: false,
  is_customers_only: false,
  url: '/about-us/',
  meta_title: '',
  meta_keywords: '',
  meta_description: '',
  search_keywords: '',
}
const blog = { ...about, id: 1, name: 'Blog', type: 'blog', url: '/blog/' }

describe('a page', () => {
  test('is created with 201, read, changed and deleted', async () => {
    const created = await post({ type: 'page', name: 'About us', body: '<h1>Us</h1>' })
    expect(created.status).toBe(201)
    expect(created.body).toEqual({ data: about, meta: {} })
    expect((await get(2)).body).toEqual(created.body)
    expect((await get(2, '?include=body')).body.data).toEqual({ ...about, body: '<h1>Us</h1>' })
    const list = await shop.call('GET', path)
    expect(list.body).toEqual({ data: [blog, about], meta: { pagination: onlyPage(2) } })
    const changed = await put(2, { name: 'We', is_visible: false, sort_order: 4, meta_title: 'We', id: 9 })
    expect(changed.status).toBe(200)
    expect(changed.body.data).toEqual({ ...about, name: 'We', is_visible: false, sort_order: 4, meta_title: 'We' })
    expect((await get(2)).body).toEqual(changed.body)
    expect((await shop.call('DELETE', `${path}/2?anything=1`)).status).toBe(204)
    expect((await get(2)).status).toBe(404)
    expect((await shop.call('DELETE', `${path}/2`)).status).toBe(404)
    expect(await listed()).toEqual([1])
  })

  test.each([
    ['contact_form', { email: 'a@b.example', contact_fields: 'phone, rma,phone' }, { contact_fields: 'phone,rma' }],
    ['contact_form', { contact_fields: '' }, { email: '', contact_fields: null }],
    ['contact_form', { contact_fields: null, email: null }, { email: '', contact_fields: null }],
  ])('of the type %s has the fields %o', async (type, fields, expected) => {
    const { body } = await post({ type, name: 'About us', ...fields })
    expect(body.data).toEqual({ ...about, type, email: '', ...fields, ...expected })
  })

  test('of the type raw has content and its type', async () => {
    const raw = { type: 'raw', name: 'App', body: '{}', content_type: 'application/json', meta_title: 'ignored' }
    const { body } = await post(raw, '?include=body')
    const { meta_title: _, meta_keywords: __, meta_description: ___, ...common } = about
    expect(body.data).toEqual({
      ...common,
      name: 'App',
      type: 'raw',
      url: '/app/',
      content_type: 'application/json',
      body: '{}',
    })
    expect((await post({ type: 'raw', name: 'Empty', body: null })).body.data.content_type).toBe('text/html')
    expect((await post({ type: 'raw', name: 'None' })).body.errors).toEqual({ body: 'error.path.missing' })
  })

  test('of the type link has no address of its own', async () => {
    const { status, body } = await post({ type: 'link', name: 'Shop', link: 'https://shop.example/', url: '/shop/' })
    const {
      url: _,
      meta_title: __,
      meta_keywords: ___,
      meta_description: ____,
      search_keywords: _____,
      ...common
    } = about
    expect([status, body.data]).toEqual([201, { ...common, name: 'Shop', type: 'link', link: 'https://shop.example/' }])
    expect((await post({ type: 'link', name: 'None' })).body.errors).toEqual({ link: 'error.path.missing' })
    for (const link of [
      '/path',
      'javascript:a',
      '//host',
      'https://a b.example',
      `https://a.example/${'x'.repeat(2_040)}`,
    ]) {
      expect((await post({ type: 'link', name: 'Bad', link })).status, link).toBe(422)
    }
  })

  test('of the type blog comes with its storefront and is never created', async () => {
    expect((await post({ type: 'blog', name: 'Second' })).status).toBe(422)
    const channel = await storefront('Second')
    const [second] = (await shop.call('GET', `${path}?channel_id=${channel}`)).body.data
    expect(second).toEqual({ ...blog, id: 2, channel_id: channel })
    await shop.call('POST', '/channels', { name: 'Till', type: 'pos', platform: 'custom' })
    expect(await listed()).toEqual([1, 2])
    expect(await eventsOf()).toEqual([])
    const id = await create()
    expect((await put(id, { type: 'blog' })).body.errors).toEqual({ type: 'No other page can become the blog.' })
    expect((await put(1, { type: 'blog', name: 'Journal' })).status).toBe(200)
    expect((await put(1, { type: 'page' })).body.data.type).toBe('page')
  })

  test('loses the fields that its new type does not have', async () => {
    const id = await create({ type: 'contact_form', email: 'a@b.example', contact_fields: 'phone' })
    await put(id, { type: 'link', link: 'https://a.example' })
    expect((await put(id, { type: 'contact_form' })).body.data).toMatchObject({
      email: '',
      contact_fields: null,
      url: '/about-us/',
    })
  })

  test.each([
    ['a missing name', { name: undefined }, 'name'],
    ['a missing type', { type: undefined }, 'type'],
    ['an unknown type', { type: 'wiki' }, 'type'],
    ['a blank name', { name: ' ' }, 'name'],
    ['a name of 101 characters', { name: 'x'.repeat(101) }, 'name'],
    ['a name that is a number', { name: 5 }, 'name'],
    ['a name with a lone surrogate', { name: 'a\ud800' }, 'name'],
    ['an unknown channel', { channel_id: 99 }, 'channel_id'],
    ['an unknown parent', { parent_id: 99 }, 'parent_id'],
    ['a negative parent', { parent_id: -1 }, 'parent_id'],
    ['an unknown contact field', { type: 'contact_form', contact_fields: 'phone,fax' }, 'contact_fields'],
    ['an email of 256 characters', { type: 'contact_form', email: 'x'.repeat(256) }, 'email'],
    ['an unknown content_type', { type: 'raw', body: '', content_type: 'text/css' }, 'content_type'],
    ['a text that is no truth', { is_visible: 'yes' }, 'is_visible'],
  ])('with %s is 422 with the reason in detail', async (_, fields, field) => {
    const { status, headers, body } = await post({ type: 'page', name: 'About us', ...fields })
    expect([status, Object.keys(body.errors)]).toEqual([422, [field]])
    expect(body.detail).toEqual(expect.stringMatching(/\w/))
    expect(headers['content-type']).toContain('application/problem+json')
    expect(await listed()).toEqual([1])
  })

  test('has a name of 1 to 100 characters and an email of 255', async () => {
    await create({ name: 'x' })
    await create({ name: 'y'.repeat(100), type: 'contact_form', email: 'x'.repeat(255) })
  })

  test('has a name that is unique on its channel, without case (C-017)', async () => {
    await create()
    const { status, body } = await post({ type: 'page', name: ' ABOUT US' })
    expect([status, Object.keys(body.errors)]).toEqual([422, ['name']])
    const other = await create({ name: 'Other' })
    expect((await put(other, { name: 'about us' })).status).toBe(422)
    expect((await put(other, { name: 'OTHER' })).status).toBe(200)
    const channel = await storefront('Second')
    await create({ channel_id: channel })
  })

  test('gets a name that several ask for at once only once (C-017)', async () => {
    for (let round = 0; round < sized(500, 15); round++) {
      const names = [`Åre ${round}`, `A\u030are ${round}`, `åRE ${round}`]
      const answers = await Promise.all(names.map((name) => post({ type: 'page', name })))
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 422, 422])
    }
  })

  test('has a body of at most 1 MiB', async () => {
    expect((await post({ type: 'page', name: 'Long', body: 'x'.repeat(1_048_576) })).status).toBe(201)
    expect((await post({ type: 'page', name: 'Longer', body: `${'x'.repeat(1_048_575)}ä` })).status).toBe(413)
    expect((await put(2, { body: 'x'.repeat(1_048_577) })).status).toBe(413)
  })

  test('never changes its channel', async () => {
    const channel = await storefront('Second')
    const id = await create()
    expect((await put(id, { channel_id: 1 })).status).toBe(200)
    expect((await put(id, { channel_id: channel })).body.errors).toEqual({ channel_id: 'A page stays on its channel.' })
  })

  test('is the only home page of its channel', async () => {
    const channel = await storefront('Second')
    const first = await create({ is_homepage: true })
    const elsewhere = await create({ channel_id: channel, is_homepage: true })
    const second = await create({ name: 'Home', is_homepage: true })
    const homes = async () =>
      (await shop.call('GET', path)).body.data.flatMap((page: { id: number; is_homepage: boolean }) =>
        page.is_homepage ? [page.id] : [],
      )
    expect(await homes()).toEqual([elsewhere, second])
    await put(first, { is_homepage: true })
    expect(await homes()).toEqual([first, elsewhere])
  })
})

describe('parents of pages', () => {
  test('are pages of the same channel, and never the page itself or one below it', async () => {
    const channel = await storefront('Second')
    const elsewhere = await create({ name: 'Elsewhere', channel_id: channel })
    const top = await create({ name: 'Top' })
    const middle = await create({ name: 'Middle', parent_id: top })
    const bottom = await create({ name: 'Bottom', parent_id: middle })
    for (const parent_id of [top, middle, bottom]) {
      expect(Object.keys((await put(top, { parent_id })).body.errors)).toEqual(['parent_id'])
    }
    expect((await put(bottom, { parent_id: elsewhere })).status).toBe(422)
    expect((await put(bottom, { parent_id: 0 })).status).toBe(200)
    expect((await put(top, { parent_id: bottom })).status).toBe(200)
    const circle = await shop.call('PUT', path, [
      { id: bottom, parent_id: middle },
      { id: middle, parent_id: 0 },
    ])
    expect([circle.status, Object.keys(circle.body.errors)]).toEqual([422, ['0.parent_id']])
  })

  test('can be 200 levels deep, and are deleted with all below them', async () => {
    let parent_id = 0
    for (const part of [0, 50, 100, 150]) {
      for (let level = part; level < part + 50; level++) parent_id = await create({ name: `Level ${level}`, parent_id })
    }
    expect((await put(2, { parent_id })).status).toBe(422)
    expect((await shop.call('DELETE', `${path}?id:in=2&delete_children=true`)).status).toBe(204)
    expect(await listed()).toEqual([1])
  })

  test('leave their children at the top and invisible', async () => {
    const top = await create({ name: 'Top' })
    const child = await create({ name: 'Child', parent_id: top })
    const grandchild = await create({ name: 'Grandchild', parent_id: child })
    expect((await shop.call('DELETE', `${path}/${top}`)).status).toBe(204)
    expect((await get(child)).body.data).toMatchObject({ parent_id: 0, is_visible: false })
    expect((await get(grandchild)).body.data).toMatchObject({ parent_id: child, is_visible: true })
  })

  test('lose no child that is created while they are deleted (C-012)', async () => {
    for (let round = 0; round < sized(1_000, 20); round++) {
      const top = await create({ name: `Top ${round}` })
      const [, born] = await Promise.all([
        shop.call('DELETE', `${path}/${top}`),
        post({ type: 'page', name: `Child ${round}`, parent_id: top }),
      ])
      expect((await get(top)).status).toBe(404)
      if (born.status === 201) expect((await get(born.body.data.id)).body.data.parent_id).toBe(0)
      else expect(born.status).toBe(422)
    }
  })
})

test('a body is stored as sent, and never an answer of another type than JSON (C-141)', async () => {
  const body = '<script>alert(1)</script><img src=x onerror=alert(1)>{{#each a}}\u2028</body></html>'
  const id = await create({ type: 'raw', name: 'Raw', body, content_type: 'text/html' })
  for (const [place, version] of [
    [`${path}/${id}?include=body`, 'v3'],
    [`/pages/${id}`, 'v2'],
  ] as const) {
    const answer = await shop.call('GET', place, undefined, { version, headers: { accept: '*/*' } })
    expect((answer.body.data ?? answer.body).body).toBe(body)
    expect(answer.headers['content-type']).toBe('application/json')
  }
})

describe('the address of a page', () => {
  test.each([
    '/no space/',
    '//host',
    'relative',
    '/',
    '/%00',
    '/%zz',
    '/%ff',
    `/${'x'.repeat(2_048)}`,
    '/a\\b',
    '/a\nb',
  ])('%j is malformed: the page gets another one, and the answer is 207', async (url) => {
    const { status, body } = await post({ type: 'page', name: 'About us', url })
    expect([status, body.data]).toEqual([207, about])
    expect(body.errors).toMatchObject({ status: 409, errors: { url: expect.stringContaining('not allowed') } })
  })

  test('has at most 65,535 characters even in the request', async () => {
    expect((await post({ type: 'page', name: 'About us', url: `/${'x'.repeat(65_535)}` })).status).toBe(422)
  })

  test('gets a slash at its end and may be encoded', async () => {
    expect((await post({ type: 'page', name: 'Cafe', url: '/caf%C3%A9' })).body.data.url).toBe('/caf%C3%A9/')
  })

  test('is unique among the pages of its channel', async () => {
    await create({ url: '/us/' })
    const taken = await post({ type: 'page', name: 'Second', url: '/US' })
    expect([taken.status, taken.body.data.url]).toEqual([207, '/second/'])
    expect(taken.body.errors.errors).toEqual({ url: 'The address /US/ is taken.' })
    const channel = await storefront('Second')
    const elsewhere = await post({ type: 'page', name: 'Second', url: '/us/', channel_id: channel })
    expect([elsewhere.status, elsewhere.body.data.url]).toEqual([201, '/us/'])
    const kept = await put(3, { url: '/us/' })
    expect([kept.status, kept.body.data.url]).toEqual([207, '/second/'])
    expect((await put(3, { url: '/second' })).status).toBe(200)
    expect((await put(3, { name: 'Renamed' })).body.data.url).toBe('/second/')
  })

  test('made from a name gets the first free number', async () => {
    await create({ url: '/returns/' })
    await create({ name: 'Taken', url: '/returns-1/' })
    expect((await post({ type: 'page', name: 'Returns' })).body.data.url).toBe('/returns-2/')
    expect((await post({ type: 'page', name: '返品' })).body.data.url).toBe('/page-5/')
  })

  test('is refused if a brand, category or product has it, and is refused to them', async () => {
    await createBrand('Ferm')
    const taken = await post({ type: 'page', name: 'Ferm' })
    expect([taken.status, taken.body.data.url]).toEqual([201, '/ferm-1/'])
    expect((await post({ type: 'page', name: 'Wish', url: '/ferm/' })).status).toBe(207)
    const channel = await storefront('Second')
    await create({ name: 'Muuto', channel_id: channel })
    expect((await createBrand('Muuto')).custom_url.url).toBe('/muuto-1/')
    const wished = await shop.call('POST', '/catalog/brands', { name: 'Hay', custom_url: { url: '/muuto/' } })
    expect([wished.status, wished.body.data.custom_url.url]).toEqual([207, '/hay/'])
    const category = { name: 'Muuto', parent_id: 0, custom_url: { url: '/muuto/', is_customized: true } }
    expect((await shop.call('POST', '/catalog/categories', category)).body.data?.custom_url.url).not.toBe('/muuto/')
    const product = {
      name: 'Muuto',
      type: 'physical',
      weight: 1,
      price: 1,
      custom_url: { url: '/muuto/', is_customized: true },
    }
    expect((await shop.call('POST', '/catalog/products', product)).status).toBe(409)
  })

  test('is free again when the last page with it is gone', async () => {
    const channel = await storefront('Second')
    const one = await create({ name: 'Hay' })
    const other = await create({ name: 'Hay', channel_id: channel })
    await shop.call('DELETE', `${path}/${one}`)
    expect((await createBrand('Hay')).custom_url.url).toBe('/hay-1/')
    await put(other, { url: '/straw/' })
    const { body } = await shop.call('PUT', '/catalog/brands/1', { custom_url: { url: '/hay/' } })
    expect(body.data.custom_url.url).toBe('/hay/')
    await put(other, { type: 'link', link: 'https://a.example' })
    expect(await rowsOf(shop, 'urls')).toHaveLength(4)
  })

  test('goes to a page or to a brand when both ask for it at once', async () => {
    for (let round = 0; round < sized(500, 10); round++) {
      const [page, brand] = await Promise.all([
        post({ type: 'page', name: `Race ${round}` }),
        shop.call('POST', '/catalog/brands', { name: `Race ${round}` }),
      ])
      const urls = [page.body.data.url, brand.body.data.custom_url.url].sort()
      expect(urls).toEqual([`/race-${round}-1/`, `/race-${round}/`])
    }
  })
})

describe('a list', () => {
  test('has filters', async () => {
    const channel = await storefront('Second')
    const one = await create({ name: 'Returns', body: 'Within 30 days' })
    const two = await create({ name: 'Days of rest', channel_id: channel })
    const three = await create({ name: 'Rest' })
    expect(await listed(`?channel_id=${channel}`)).toEqual([2, two])
    expect(await listed(`?id:in=${one},${three},99`)).toEqual([one, three])
    expect(await listed('?name=RETURNS')).toEqual([one])
    expect(await listed('?name:like=days')).toEqual([one, two])
    expect(await listed('?name:like=re&channel_id=1')).toEqual([one, three])
    expect(await listed('?limit=2&page=2')).toEqual([one, two])
    expect((await shop.call('GET', `${path}?limit=251`)).status).toBe(413)
  })

  test('searches the first 65,536 characters of a body', async () => {
    const id = await create({ body: `${'x'.repeat(65_532)}last` })
    await create({ name: 'Other', body: `${'x'.repeat(65_533)}last` })
    expect(await listed('?name:like=last')).toEqual([id])
  })

  test('refuses unknown parameters with 400, and lists malformed values', async () => {
    const unknown = await shop.call('GET', `${path}?sort=name`)
    expect([unknown.status, unknown.body.detail]).toEqual([400, expect.stringContaining('sort')])
    expect(unknown.headers['content-type']).toContain('application/problem+json')
    const malformed = await shop.call('GET', `${path}?channel_id=abc&page=x`)
    expect([malformed.status, malformed.body.errors]).toEqual([422, ['abc', 'x']])
    expect((await shop.call('GET', `${path}?include=all`)).body.errors).toEqual(['all'])
  })

  test('has at most 16 MiB of bodies', async () => {
    const body = 'x'.repeat(1_048_576)
    for (let i = 0; i < 17; i++) await create({ name: `Page ${i}`, body })
    expect((await shop.call('GET', `${path}?include=body&limit=17`)).status).toBe(200)
    const { status, body: refusal } = await shop.call('GET', `${path}?include=body&limit=18`)
    expect([status, refusal.title]).toEqual([413, expect.stringContaining('limit')])
    expect((await shop.call('GET', '/pages?limit=17', undefined, { version: 'v2' })).status).toBe(413)
    expect((await shop.call('GET', '/pages?limit=16', undefined, { version: 'v2' })).status).toBe(200)
  })
})

describe('one page', () => {
  test('is 404 if it does not match the query (C-066)', async () => {
    const id = await create()
    expect((await get(id, '?channel_id=1&name=about us')).status).toBe(200)
    for (const query of ['?channel_id=2', '?name=Other', '?name:like=other', '?id:in=1']) {
      expect((await get(id, query)).status, query).toBe(404)
    }
    expect((await get(id, '?sort=name')).status).toBe(400)
  })

  test.each([
    ['abc', 422],
    ['1.5', 422],
    ['0', 404],
    ['-1', 404],
    ['99', 404],
    ['99999999999', 404],
  ])('%s is %i', async (id, status) => {
    const answer = await shop.call('GET', `${path}/${id}`)
    expect(answer.status).toBe(status)
    if (status === 422) expect(answer.body.errors).toEqual([id])
    expect((await shop.call('PUT', `${path}/${id}`, {})).status).toBe(404)
    expect((await shop.call('DELETE', `${path}/${id}`)).status).toBe(404)
  })

  test('refuses unknown parameters of a PUT with 400', async () => {
    expect((await shop.call('PUT', `${path}/1?channel_id=1`, {})).status).toBe(400)
    expect((await shop.call('PUT', `${path}/1?include=body`, {})).body.data.body).toBeNull()
  })
})

describe('a POST of a list', () => {
  const page = (name: string, more: object = {}) => ({ type: 'page', name, ...more })

  test('answers a list', async () => {
    const { status, body } = await post([page('About us')])
    expect([status, body]).toEqual([201, { data: [about], meta: {} }])
  })

  test('saves the valid pages and is 422 if others are not valid', async () => {
    const { status, headers, body } = await post([page('About us'), { type: 'raw', name: 'x' }, page('About us'), 5])
    expect(status).toBe(422)
    expect(headers['content-type']).toContain('application/problem+json')
    expect(body).toEqual({
      status: 422,
      title: 'Some pages are not valid.',
      type: expect.stringContaining('#422'),
      detail: 'error.path.missing',
      errors: {
        '1.body': 'error.path.missing',
        '2.name': 'A page of this channel has this name already.',
        '3.': 'error.expected.jsobject',
      },
      data: [about],
      meta: { total: 4, success: 1, failed: 3 },
    })
    expect(await listed()).toEqual([1, 2])
  })

  test('is 207 if an address was not saved', async () => {
    const { status, body } = await post([page('One'), page('Two', { url: '/one/' })])
    expect([status, Object.keys(body.errors.errors), body.data[1].url]).toEqual([207, ['1.url'], '/two/'])
  })

  test('has 1 to 50 pages', async () => {
    expect((await post([])).status).toBe(422)
    expect((await post(Array.from({ length: 50 }, (_, i) => page(`Page ${i}`)))).status).toBe(201)
    expect((await post(Array.from({ length: 51 }, (_, i) => page(`More ${i}`)))).status).toBe(413)
  })

  test('creates a page once for an Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'one' }
    const first = await shop.call('POST', path, [page('One'), page('One')], { headers })
    const second = await shop.call('POST', path, [page('One'), page('One')], { headers })
    expect([first.status, second.body]).toEqual([422, first.body])
    expect(await listed()).toEqual([1, 2])
  })
})

describe('a PUT of the collection', () => {
  test('answers a list, also to one page', async () => {
    const id = await create()
    const one = await shop.call('PUT', path, { id, sort_order: 1 })
    expect(one.body).toEqual({ data: [{ ...about, sort_order: 1 }], meta: {} })
    const two = await shop.call('PUT', `${path}?include=body`, [{ id }, { id: 1, body: 'b' }])
    expect(two.body.data.map(({ id, body }: { id: number; body: string }) => [id, body])).toEqual([
      [id, null],
      [1, 'b'],
    ])
  })

  test('saves all or nothing, also with an unknown id (C-002, C-067)', async () => {
    const id = await create()
    const invalid = await shop.call('PUT', path, [
      { id, sort_order: 1 },
      { id: 1, parent_id: 99 },
    ])
    expect([invalid.status, Object.keys(invalid.body.errors)]).toEqual([422, ['1.parent_id']])
    expect((await shop.call('PUT', path, [{ id, sort_order: 1 }, { id: 99 }])).status).toBe(404)
    expect((await shop.call('PUT', path, [{ id }, { id }])).status).toBe(422)
    expect((await get(id)).body.data).toEqual(about)
    expect(await eventsOf()).toEqual(['store/channel/1/page/created'])
  })
})

describe('a DELETE of the collection', () => {
  test('needs id:in', async () => {
    const { status, body } = await shop.call('DELETE', path)
    expect([status, body.detail]).toEqual([422, expect.stringContaining('id:in')])
    expect((await shop.call('DELETE', `${path}?id:in=1&name=a`)).status).toBe(422)
  })

  test('deletes the known pages and is 404 for the others', async () => {
    const id = await create()
    const { status, body } = await shop.call('DELETE', `${path}?id:in=${id},98,99`)
    expect([status, body.title]).toEqual([404, 'The page 98, 99 does not exist.'])
    expect(await listed()).toEqual([1])
  })
})

describe('below /v2', () => {
  const call = (method: string, below = '', body?: object) =>
    shop.call(method, `/pages${below}`, body, { version: 'v2' })
  const older = { ...about, body: 'b', mobile_body: '', has_mobile_version: false, layout_file: 'page.html' }

  test('pages are the same rows, without those of the type blog', async () => {
    expect((await call('GET')).status).toBe(204)
    const created = await call('POST', '', {
      type: 'page',
      name: 'About us',
      body: 'b',
      mobile_body: 'x',
      layout_file: 'y',
    })
    expect([created.status, created.body]).toEqual([200, older])
    expect((await call('GET')).body).toEqual([older])
    expect((await call('GET', '/2')).body).toEqual(older)
    expect((await call('GET', '/count')).body).toEqual({ count: 1 })
    expect((await get(2)).body.data).toEqual(about)
    expect((await call('PUT', '/2', { name: 'We' })).body).toEqual({ ...older, name: 'We' })
    for (const method of ['GET', 'PUT', 'DELETE']) {
      expect((await call(method, '/1', method === 'PUT' ? {} : undefined)).status).toBe(404)
    }
    expect((await call('DELETE', '/2')).status).toBe(204)
    expect((await call('DELETE', '/2')).status).toBe(404)
    expect((await call('DELETE')).status).toBe(405)
    expect((await call('GET', '?sort=name')).status).toBe(204)
    expect(await eventsOf()).toEqual(['store/channel/1/page/created', 'store/channel/1/page/updated'])
  })

  test('pages of every channel are deleted', async () => {
    const id = await create({ channel_id: await storefront('Second') })
    expect((await call('DELETE', `/${id}`)).status).toBe(204)
  })

  test('refusals have the statuses of the family', async () => {
    const page = { type: 'page', name: 'About us', body: '' }
    await call('POST', '', page)
    expect((await call('POST', '', page)).status).toBe(409)
    expect((await call('POST', '', { type: 'blog', name: 'x' })).status).toBe(400)
    expect((await call('POST', '', { type: 'raw', name: 'x' })).status).toBe(400)
    expect((await call('POST', '', { ...page, name: 'x', body: 'x'.repeat(1_048_577) })).status).toBe(413)
    expect((await call('PUT', '/2', { channel_id: await storefront('Second') })).status).toBe(400)
    const { status, body } = await call('PUT', '/2', { url: '//' })
    expect([status, body]).toEqual([207, { ...older, body: '', errors: expect.objectContaining({ status: 409 }) }])
  })
})

describe('pages', () => {
  test('are at most 4,000 in a store', async () => {
    const db = await dbOf(shop)
    const counter = (total: number) =>
      db.transaction((tx) =>
        tx.rows(sql`update counters set total = ${total} where store_id = ${tx.store.id} and resource = 'pages'`),
      )
    await counter(3_999)
    await create()
    expect((await post({ type: 'page', name: 'One more' })).status).toBe(403)
    const batch = await post([{ type: 'page', name: 'One more' }])
    expect([batch.status, batch.body.errors]).toEqual([422, { '0': 'A store can hold at most 4000 pages.' }])
    const channel = await storefront('Second')
    expect(await listed(`?channel_id=${channel}`)).toHaveLength(1)
    await counter((await listed()).length)
  })

  test('publish an event for each change and none for a request that changes nothing', async () => {
    const id = await create({ body: 'b' })
    await put(id, { name: 'About us', body: 'b' })
    expect(await eventsOf()).toEqual(['store/channel/1/page/created'])
    await put(id, { body: 'c' })
    const [, event] = (await rowsOf(shop, 'events')).filter(({ scope }) => String(scope).includes('/page/'))
    expect(event).toMatchObject({ scope: 'store/channel/1/page/updated', data: JSON.stringify({ page_id: id }) })
    await shop.call('DELETE', `${path}/${id}`)
    expect(await eventsOf()).toHaveLength(2)
  })

  test('are deleted with the redirects that lead to them', async () => {
    const id = await create()
    const put = await shop.call('PUT', '/storefront/redirects', [
      { from_path: '/old', site_id: 1_000, to: { type: 'page', entity_id: id } },
    ])
    expect(put.status).toBe(201)
    const { body } = await shop.call('GET', '/storefront/redirects?include=to_url')
    expect(body.data[0].to_url).toMatch(/^https:.*\/about-us\/$/)
    await shop.call('DELETE', `${path}/${id}`)
    expect((await shop.call('GET', '/storefront/redirects')).body.data).toEqual([])
  })

  test('of a deleted channel are hidden, and deleted when it ends', async () => {
    const channel = await storefront('Second')
    const id = await create({ channel_id: channel })
    expect((await shop.call('PUT', `/channels/${channel}`, { status: 'deleted' })).status).toBe(200)
    expect(await listed()).toEqual([1])
    expect((await get(id)).status).toBe(404)
    expect((await put(id, {})).status).toBe(404)
    expect((await shop.call('DELETE', `${path}?id:in=${id}`)).status).toBe(404)
    const db = await dbOf(shop)
    await deletePagesOfChannel({ deleteRowsOfPages: async () => {} })(db, channel)
    expect(await rowsOf(shop, 'pages')).toHaveLength(1)
    expect(await rowsOf(shop, 'urls')).toHaveLength(2)
  })

  test('need a scope of content', async () => {
    expect((await shop.call('GET', path, undefined, { as: shop.noscope })).status).toBe(403)
    expect((await shop.call('GET', path, undefined, { as: shop.readonly })).status).toBe(200)
    expect((await shop.call('POST', path, { type: 'page', name: 'x' }, { as: shop.readonly })).status).toBe(403)
  })
})
