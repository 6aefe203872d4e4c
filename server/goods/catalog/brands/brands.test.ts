import { beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../../core/db/sql.ts'
import { invalid, onlyPage, problem, wholeBrand } from '../../../test/document/expected.ts'
import { copyProduct } from '../../../test/fixtures/many/products.ts'
import { openStaffedShop, type Shop, theHouse } from '../../../test/fixtures/shop.ts'
import { dbOf } from '../../../test/fixtures/webhooks.ts'

// docs/contract/catalog.md section 1 and docs/contract/brands.md. Addresses are in urls.test.ts, pictures in images.test.ts,
// metafields in metafields.test.ts.

const text = (length: number) => 'a'.repeat(length)
const ids = (data: { id: number }[]) => data.map(({ id }) => id)

const whole = {
  name: 'Ferm Living',
  page_title: 'Ferm',
  meta_keywords: ['home', '', 'home'],
  meta_description: 'Things for the home',
  search_keywords: 'ferm, home',
  image_url: 'https://cdn.example.com/ferm.png?size=2',
  custom_url: { url: '/living/ferm/', is_customized: true },
}

describe('a new brand', () => {
  test('is answered as a whole, with its defaults', async () => {
    const { call } = await openStaffedShop()
    const { status, body } = await call('POST', '/catalog/brands', { name: 'Ferm' })
    expect({ status, body }).toEqual({ status: 200, body: { data: wholeBrand(), meta: {} } })
  })

  test('keeps every field as it was sent, in every answer', async () => {
    const { call } = await openStaffedShop()
    const data = wholeBrand(whole)
    expect((await call('POST', '/catalog/brands', whole)).body).toEqual({ data, meta: {} })
    expect((await call('GET', '/catalog/brands/1')).body).toEqual({ data, meta: {} })
    expect((await call('GET', '/catalog/brands')).body).toEqual({
      data: [data],
      meta: { pagination: onlyPage(1) },
    })
  })

  test('is the worked example of docs/contract/catalog.md section 7', async () => {
    const { call } = await openStaffedShop()
    await Promise.all(Array.from({ length: 36 }, (_, i) => call('POST', '/catalog/brands', { name: `Brand ${i}` })))
    const ferm = { name: 'Ferm', custom_url: { url: '/ferm/', is_customized: true } }
    const { status, body } = await call('POST', '/catalog/brands', ferm)
    expect(status).toBe(200)
    // As text, so that the order of the fields counts.
    expect(JSON.stringify(body)).toBe(JSON.stringify({ data: wholeBrand({ id: 37, ...ferm }), meta: {} }))
    const second = await call('POST', '/catalog/brands', { name: 'ferm' })
    expect(second).toMatchObject({ status: 409, body: { errors: { name: expect.any(String) } } })
    expect((await call('DELETE', '/catalog/brands')).status).toBe(422)
    expect((await call('DELETE', '/catalog/brands?name=Ferm')).status).toBe(204)
    expect((await call('GET', '/catalog/brands/37')).status).toBe(404)
  })

  test('gets the next id of its store, and no id is used twice', async () => {
    const { call } = await openStaffedShop()
    await call('POST', '/catalog/brands', { name: 'One' })
    await call('POST', '/catalog/brands', { name: 'Two' })
    await call('DELETE', '/catalog/brands/2')
    expect((await call('POST', '/catalog/brands', { name: 'Three' })).body.data.id).toBe(3)
  })
})

describe('the bounds of a field (docs/contract/brands.md section 2)', () => {
  let shop: Shop
  beforeAll(async () => {
    shop = await openStaffedShop()
    await shop.call('POST', '/catalog/brands', { name: 'Here before' })
  })

  test.each([
    ['name', 1],
    ['name', 255],
    ['page_title', 0],
    ['page_title', 255],
    ['meta_description', 0],
    ['meta_description', 65_535],
    ['search_keywords', 0],
    ['search_keywords', 65_535],
  ])('%s may have %i characters', async (field, length) => {
    const { call } = shop
    const brand = { name: `${field} of ${length}`, [field]: text(length) }
    const { status, body } = await call('POST', '/catalog/brands', brand)
    expect({ status, data: body.data }).toMatchObject({ status: 200, data: brand })
    expect((await call('PUT', `/catalog/brands/${body.data.id}`, { [field]: text(length) })).status).toBe(200)
    await call('DELETE', `/catalog/brands/${body.data.id}`)
  })

  test.each([
    ['an empty name', 'name', '', 'name must not be blank.'],
    ['a name of 256 characters', 'name', text(256), 'name must have at most 255 characters, not 256.'],
    ['a name of blanks', 'name', ' \t\n', 'name must not be blank.'],
    ['a number for its name', 'name', 5, 'error.expected.jsstring'],
    ['null for its name', 'name', null, 'error.expected.jsstring'],
    ['a page_title of 256', 'page_title', text(256), 'page_title must have at most 255 characters, not 256.'],
    ['null for its page_title', 'page_title', null, 'error.expected.jsstring'],
    [
      'a meta_description of 65,536',
      'meta_description',
      text(65_536),
      'meta_description must have at most 65535 characters, not 65536.',
    ],
    [
      'search_keywords of 65,536',
      'search_keywords',
      text(65_536),
      'search_keywords must have at most 65535 characters, not 65536.',
    ],
    ['a list of search_keywords', 'search_keywords', ['a'], 'error.expected.jsstring'],
    ['a text for meta_keywords', 'meta_keywords', 'a', 'error.expected.jsarray'],
    ['null for meta_keywords', 'meta_keywords', null, 'error.expected.jsarray'],
    ['a text for custom_url', 'custom_url', '/ferm/', 'error.expected.jsobject'],
    ['null for custom_url', 'custom_url', null, 'error.expected.jsobject'],
  ])('do not allow %s', async (_, field, value, sentence) => {
    const { call } = shop
    for (const [method, path] of [
      ['POST', '/catalog/brands'],
      ['PUT', '/catalog/brands/1'],
    ] as const) {
      const { status, body } = await call(method, path, { name: 'Acme', [field]: value })
      expect({ status, body }, method).toEqual({ status: 422, body: invalid({ [field]: sentence }) })
    }
    expect((await call('GET', '/catalog/brands')).body.data).toMatchObject([{ name: 'Here before' }])
  })

  test('count characters as readers do, after composition (docs/contract/conventions.md section 12)', async () => {
    const { call } = shop
    for (const name of ['😀'.repeat(255), 'e\u0301'.repeat(255)]) {
      const { status, body } = await call('POST', '/catalog/brands', { name })
      expect({ status, name: body.data.name }).toEqual({ status: 200, name: name.normalize('NFC') })
      await call('DELETE', `/catalog/brands/${body.data.id}`)
    }
    expect((await call('POST', '/catalog/brands', { name: '😀'.repeat(256) })).status).toBe(422)
  })

  test('report all failing fields at once, items of a list by their number', async () => {
    const { status, body } = await shop.call('POST', '/catalog/brands', {
      page_title: 1,
      meta_keywords: ['fine', 2],
      custom_url: { url: '', is_customized: 'yes' },
      image_url: 'a picture',
    })
    expect({ status, body }).toEqual({
      status: 422,
      body: invalid({
        name: 'error.path.missing',
        page_title: 'error.expected.jsstring',
        'meta_keywords.1': 'error.expected.jsstring',
        'custom_url.url': 'url must have at least 1 character.',
        'custom_url.is_customized': 'error.expected.jsboolean',
        image_url: expect.stringContaining('"a picture"'),
      }),
    })
  })

  test.each([
    ['U+0000', 'a\0b'],
    ['half of a surrogate pair', 'a\ud800'],
  ])('refuse a text with %s at its field', async (_, name) => {
    const { status, body } = await shop.call('POST', '/catalog/brands', { name })
    expect({ status, body }).toEqual({ status: 422, body: invalid({ name: expect.any(String) }) })
  })

  test('require a body that is an object', async () => {
    const { call } = shop
    expect((await call('POST', '/catalog/brands')).status).toBe(400)
    expect((await call('PUT', '/catalog/brands/1')).status).toBe(400)
    const { status, body } = await call('POST', '/catalog/brands', [{ name: 'Acme' }])
    expect({ status, body }).toEqual({ status: 422, body: invalid({ '': 'error.expected.jsobject' }) })
  })
})

describe('the name of a brand', () => {
  test.each([
    ['the same', 'Crème'],
    ['in capitals', 'CRÈME'],
    ['with its accent apart', 'Cre\u0300me'],
    ['with blanks around it', ' Crème\n'],
  ])('is taken if it is %s', async (_, name) => {
    const { call } = await openStaffedShop()
    await call('POST', '/catalog/brands', { name: 'Crème' })
    await call('POST', '/catalog/brands', { name: 'Other' })
    const sentence = 'A brand with this name already exists.'
    for (const [method, path] of [
      ['POST', '/catalog/brands'],
      ['PUT', '/catalog/brands/2'],
    ] as const) {
      const { status, body } = await call(method, path, { name })
      expect({ status, body }, method).toEqual({ status: 409, body: problem(409, sentence, { name: sentence }) })
    }
    expect((await call('GET', '/catalog/brands')).body.data).toMatchObject([{ name: 'Crème' }, { name: 'Other' }])
  })

  test('is free without its accent, in another store, and after the brand is deleted', async () => {
    const { call } = await openStaffedShop()
    const other = await openStaffedShop()
    await call('POST', '/catalog/brands', { name: 'Crème' })
    expect((await call('POST', '/catalog/brands', { name: 'Creme' })).status).toBe(200)
    expect((await other.call('POST', '/catalog/brands', { name: 'Crème' })).status).toBe(200)
    await call('DELETE', '/catalog/brands/1')
    expect((await call('POST', '/catalog/brands', { name: 'crème' })).status).toBe(200)
  })

  test('goes to one of several clients who request it at once, in any spelling (C-017)', async () => {
    const { call, otherclient } = await openStaffedShop()
    for (let round = 0; round < 50; round++) {
      const spellings = [`Åre ${round}`, `A\u030are ${round}`, `åRE ${round}`, ` åre ${round} `]
      const answers = await Promise.all(
        spellings.map((name, i) => call('POST', '/catalog/brands', { name }, i % 2 ? { as: otherclient } : {})),
      )
      expect(answers.map(({ status }) => status).sort(), `round ${round}`).toEqual([200, 409, 409, 409])
    }
    expect((await call('GET', '/catalog/brands?limit=1')).body.meta.pagination.total).toBe(50)
  })
})

describe('the list of brands', () => {
  let shop: Shop
  beforeAll(async () => {
    shop = await openStaffedShop()
    for (const brand of [
      { name: 'Acme', page_title: 'Tools' },
      { name: 'acme Two' },
      { name: 'Ölfarben', page_title: 'tools ' },
      { name: 'Ferm Living', page_title: 'Home' },
      { name: '100% Wool_\\' },
    ]) {
      await shop.call('POST', '/catalog/brands', brand)
    }
    const other = await openStaffedShop()
    await other.call('POST', '/catalog/brands', { name: 'Acme' })
  })

  test.each([
    ['', [1, 2, 3, 4, 5]],
    ['id=2', [2]],
    ['id=99', []],
    ['id=1&id=3', [3]],
    ['id:in=1, 3,99,3', [1, 3]],
    ['id%3Ain=1,3', [1, 3]],
    ['id:not_in=1,2', [3, 4, 5]],
    ['id:min=4', [4, 5]],
    ['id:max=2', [1, 2]],
    ['id:greater=4', [5]],
    ['id:less=2', [1]],
    ['id:min=4&id:max=2', []],
    ['name=ACME', [1]],
    ['name=%20acme%20', [1]],
    ['name=acm', []],
    ['name=o%CC%88LFARBEN', [3]],
    ['name=olfarben', []],
    ['name=', []],
    ['name=%ED%A0%80', []],
    ["name='%20or%20''='", []],
    ['name:like=%ZZ', []],
    ['name:like=ACME', [1, 2]],
    ['name:like=%C3%B6l', [3]],
    ['name:like=%25', [5]],
    ['name:like=_', [5]],
    ['name:like=%5C', [5]],
    ['name:like=', [1, 2, 3, 4, 5]],
    ['page_title=tools', [1, 3]],
    ['page_title=', [2, 5]],
    ['name:like=acme&id:greater=1', [2]],
    ['direction=desc', [5, 4, 3, 2, 1]],
    ['sort=name', [5, 1, 2, 4, 3]],
    ['sort=name&direction=asc', [5, 1, 2, 4, 3]],
    ['sort=name&direction=desc', [3, 4, 2, 1, 5]],
    ['page_title=tools&direction=desc', [3, 1]],
    ['limit=2&page=2', [3, 4]],
    ['page=7', []],
  ])('for ?%s has exactly the matching brands', async (query, expected) => {
    const { status, body } = await shop.call('GET', `/catalog/brands?${query}`)
    expect({ status, ids: ids(body.data) }).toEqual({ status: 200, ids: expected })
    if (!query.includes('page=')) expect(body.meta.pagination.total).toBe(expected.length)
  })

  test('keeps the filters in its links (docs/contract/conventions.md sections 3 and 15)', async () => {
    const { body } = await shop.call('GET', '/catalog/brands?name:like=m&limit=1&page=2&include_fields=name')
    expect(body).toEqual({
      data: [{ id: 2, name: 'acme Two' }],
      meta: {
        pagination: {
          total: 3,
          count: 1,
          per_page: 1,
          current_page: 2,
          total_pages: 3,
          links: {
            previous: '?name%3Alike=m&include_fields=name&page=1&limit=1',
            current: '?name%3Alike=m&include_fields=name&page=2&limit=1',
            next: '?name%3Alike=m&include_fields=name&page=3&limit=1',
          },
        },
      },
    })
  })

  test.each([
    ['include_fields=name,page_title', { id: 1, name: 'Acme', page_title: 'Tools' }],
    ['include_fields=nonsense', { id: 1 }],
    ['include_fields=name,page_title&exclude_fields=name,id', { id: 1, page_title: 'Tools' }],
    [`exclude_fields=${Object.keys(wholeBrand()).slice(3)}`, { id: 1, name: 'Acme', page_title: 'Tools' }],
  ])('shows the fields of ?%s, and so does one brand', async (query, expected) => {
    expect((await shop.call('GET', `/catalog/brands?id=1&${query}`)).body.data).toEqual([expected])
    expect((await shop.call('GET', `/catalog/brands/1?${query}`)).body.data).toEqual(expected)
  })

  test.each([
    ['limit=251', 413, '251'],
    [`id:in=${Array.from({ length: 251 }, (_, i) => i + 1)}`, 413, 'id:in'],
    ['limit=0', 422, 'limit'],
    ['limit=abc', 422, 'abc'],
    ['page=0', 422, 'page'],
    ['page=1.5', 422, '1.5'],
    ['id=abc', 422, 'abc'],
    ['id:in=', 422, 'id:in'],
    ['id:in=1,,2', 422, 'id:in'],
    ['id:min=1,2', 422, 'id:min'],
    ['colour=red', 422, 'colour'],
    ['name:in=Acme', 422, 'name:in'],
    ['page_title:like=t', 422, 'page_title:like'],
    ['before=abc', 422, 'before'],
    ['sort=id', 422, 'sort'],
    ['sort=name:desc', 422, 'sort'],
    ['direction=up', 422, 'direction'],
    ['name=%00', 422, 'name'],
  ])('for ?%s is refused with %i and a title that says why', async (query, status, hint) => {
    const answered = await shop.call('GET', `/catalog/brands?${query}`)
    expect(answered).toMatchObject({ status, body: problem(status, expect.stringContaining(hint)) })
  })

  test.each([
    ['naem=a', 'Did you mean name?'],
    ['page_title:like=t&nam:lik=a', 'Did you mean page_title, name:like?'],
    ['colour=red', undefined],
  ])('for ?%s is refused with a similar parameter', async (query, detail) => {
    expect((await shop.call('GET', `/catalog/brands?${query}`)).body.detail).toBe(detail)
  })
})

describe('a changed brand', () => {
  test('is answered as a whole and keeps the fields that are missing in the body', async () => {
    const { call } = await openStaffedShop()
    await call('POST', '/catalog/brands', whole)
    const { status, body } = await call('PUT', '/catalog/brands/1', { page_title: '', meta_keywords: [] })
    const data = wholeBrand({ ...whole, page_title: '', meta_keywords: [] })
    expect({ status, body }).toEqual({ status: 200, body: { data, meta: {} } })
    expect((await call('PUT', '/catalog/brands/1', {})).body).toEqual({ data, meta: {} })
    expect((await call('PUT', '/catalog/brands/1', data)).body).toEqual({ data, meta: {} })
    expect((await call('GET', '/catalog/brands/1')).body).toEqual({ data, meta: {} })
  })

  test('may have its own name again, also in another spelling', async () => {
    const { call } = await openStaffedShop()
    await call('POST', '/catalog/brands', { name: 'Acme' })
    expect((await call('PUT', '/catalog/brands/1', { name: 'Acme' })).status).toBe(200)
    expect((await call('PUT', '/catalog/brands/1', { name: 'ACME ' })).body.data.name).toBe('ACME ')
    expect(ids((await call('GET', '/catalog/brands?name=acme')).body.data)).toEqual([1])
  })

  test('is found by its new values', async () => {
    const { call } = await openStaffedShop()
    await call('POST', '/catalog/brands', { name: 'Acme', page_title: 'Old' })
    await call('PUT', '/catalog/brands/1', { name: 'Ferm', page_title: 'New' })
    const found = async (query: string) => ids((await call('GET', `/catalog/brands?${query}`)).body.data)
    expect(await found('name=ferm')).toEqual([1])
    expect(await found('page_title=new')).toEqual([1])
    expect(await found('name=acme')).toEqual([])
    expect(await found('page_title=old')).toEqual([])
  })

  test('is the result of one of several concurrent changes, never a mixture (C-018)', async () => {
    const { call } = await openStaffedShop()
    await call('POST', '/catalog/brands', { name: 'Acme' })
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        call('PUT', '/catalog/brands/1', { name: `Acme ${i}`, page_title: `Acme ${i}`, search_keywords: `Acme ${i}` }),
      ),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    const { name, page_title, search_keywords, custom_url } = (await call('GET', '/catalog/brands/1')).body.data
    expect([page_title, search_keywords]).toEqual([name, name])
    expect(custom_url.url).toBe(`/${name.toLowerCase().replace(' ', '-')}/`)
  })
})

describe('a deleted brand', () => {
  test('is answered without a body, and then unknown', async () => {
    const { call } = await openStaffedShop()
    await call('POST', '/catalog/brands', { name: 'Acme' })
    const deleted = await call('DELETE', '/catalog/brands/1')
    expect(deleted).toMatchObject({ status: 204, text: '' })
    expect(deleted.headers['content-type']).toBeUndefined()
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const { status, body } = await call(method, '/catalog/brands/1', method === 'PUT' ? {} : undefined)
      expect({ status, body }, method).toEqual({ status: 404, body: problem(404, 'The brand 1 does not exist.') })
    }
  })

  test('is deleted by one of several concurrent requests', async () => {
    const { call } = await openStaffedShop()
    for (let round = 0; round < 10; round++) {
      const { id } = (await call('POST', '/catalog/brands', { name: 'Acme' })).body.data
      const byId = Array.from({ length: 3 }, () => call('DELETE', `/catalog/brands/${id}`))
      const byName = call('DELETE', '/catalog/brands?name=acme')
      const statuses = (await Promise.all(byId)).map(({ status }) => status)
      expect((await byName).status).toBe(204)
      expect(statuses.filter((status) => status === 204).length).toBeLessThanOrEqual(1)
      expect(statuses.every((status) => status === 204 || status === 404)).toBe(true)
    }
    expect((await call('GET', '/catalog/brands')).body.meta.pagination.total).toBe(0)
  })

  test('is found by its whole folded name, and by a page title if the query has one', async () => {
    const { call } = await openStaffedShop()
    for (const [name, page_title] of [
      ['Crème', 'One'],
      ['Crème fraîche', 'Two'],
      ['Other', 'Three'],
    ]) {
      await call('POST', '/catalog/brands', { name, page_title })
    }
    const left = async () => ids((await call('GET', '/catalog/brands')).body.data)
    for (const query of ['name=Cr', 'name=', 'name=Cr%C3%A8me&page_title=Two', 'name=nobody', 'name=Creme']) {
      expect((await call('DELETE', `/catalog/brands?${query}`)).status, query).toBe(204)
    }
    expect(await left()).toEqual([1, 2, 3])
    expect((await call('DELETE', '/catalog/brands?name=%20CRE%CC%80ME&page_title=one')).status).toBe(204)
    expect(await left()).toEqual([2, 3])
    expect((await call('DELETE', '/catalog/brands?name=other')).status).toBe(204)
    expect(await left()).toEqual([2])
  })

  test.each([
    ['', 'name'],
    ['?page_title=One', 'name'],
    ['?id=1', 'id'],
    ['?name=Acme&id:in=1', 'id:in'],
    ['?name=Acme&name:like=A', 'name:like'],
    ['?name=Acme&limit=1', 'limit'],
    ['?name=%00', 'name'],
  ])('is not found by the query "%s"', async (query, hint) => {
    const { call } = await openStaffedShop()
    await call('POST', '/catalog/brands', { name: 'Acme' })
    const { status, body } = await call('DELETE', `/catalog/brands${query}`)
    expect({ status, body }).toEqual({ status: 422, body: problem(422, expect.stringContaining(hint)) })
    expect((await call('GET', '/catalog/brands/1')).status).toBe(200)
  })

  test('is not deleted by its id if the query might mean something', async () => {
    const { call } = await openStaffedShop()
    await call('POST', '/catalog/brands', { name: 'Acme' })
    expect((await call('DELETE', '/catalog/brands/1?name=Other')).status).toBe(422)
    expect((await call('GET', '/catalog/brands/1')).status).toBe(200)
  })

  test('takes its metafields with it, by id and by name', async () => {
    const { call } = await openStaffedShop()
    const metafield = { key: 'bin', value: '4', namespace: 'wh', permission_set: 'read' }
    for (const name of ['One', 'Two', 'Three']) await call('POST', '/catalog/brands', { name })
    for (const id of [1, 2, 3]) await call('POST', `/catalog/brands/${id}/metafields`, metafield)
    await call('DELETE', '/catalog/brands/1')
    await call('DELETE', '/catalog/brands?name=two')
    expect((await call('GET', '/catalog/brands/metafields')).body.data).toMatchObject([{ id: 3, resource_id: 3 }])
  })
})

describe('the number of brands', () => {
  test('is limited by the plan of the store: one more is 507', async () => {
    const { call } = await openStaffedShop({ limits: { brands: 3 } })
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => call('POST', '/catalog/brands', { name: `Brand ${i}` })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, ...Array(17).fill(507)])
    const refused = answers.find(({ status }) => status === 507)
    expect(refused?.body).toEqual(problem(507, 'The plan of this store allows 3 brands.'))
    const [first] = (await call('GET', '/catalog/brands')).body.data
    expect((await call('POST', '/catalog/brands', { name: first.name })).status).toBe(409)
    await call('DELETE', `/catalog/brands/${first.id}`)
    expect((await call('POST', '/catalog/brands', { name: 'One more' })).status).toBe(200)
    expect((await call('POST', '/catalog/brands', { name: 'Two more' })).status).toBe(507)
  })

  test('is 30,000 in any store: one more is 403', async () => {
    const { call, store } = await openStaffedShop({ limits: { brands: 40_000 } })
    await fillWithBrands(store, 29_999)
    expect((await call('POST', '/catalog/brands', { name: 'The last' })).body.data.id).toBe(30_000)
    const { status, body } = await call('POST', '/catalog/brands', { name: 'One more' })
    expect({ status, body }).toEqual({ status: 403, body: problem(403, 'A store can hold at most 30000 brands.') })
    expect((await call('GET', '/catalog/brands?limit=1')).body.meta.pagination.total).toBe(30_000)
    await call('DELETE', '/catalog/brands?name=brand%207')
    expect((await call('POST', '/catalog/brands', { name: 'One more' })).status).toBe(200)
  })

  /** Through the store's own handle, so that it works in any database of a store. */
  async function fillWithBrands(store: Shop['store'], count: number) {
    const { directory } = (await theHouse()).installation
    await directory
      .cellOf(store)
      .api.of(store)
      .transaction((tx) =>
        tx.rows(sql`
        -- of a test
        with counter as (
          insert into counters (store_id, resource, last_id, total, version)
          values (${store.id}, 'brands', ${count}::int, ${count}::int, 1)
        )
        insert into brands (store_id, id, name, name_key, page_title, page_title_key, meta_keywords, meta_description,
          search_keywords, image_url, custom_url)
        select ${store.id}, n, 'Brand ' || n, 'brand ' || n, '', '', '[]', '', '', '',
          jsonb_build_object('url', '/brand-' || n || '/', 'is_customized', false)
        from generate_series(1, ${count}::int) n on conflict do nothing`),
      )
  }
})

describe('a brand of very many products', () => {
  test.each([
    ['v3', '/catalog/brands/1'],
    ['v3', '/catalog/brands?name=acme'],
    ['v2', '/brands/1'],
  ] as const)('blocks no request for long while it is removed from them: DELETE %s %s', async (version, path) => {
    const shop = await openStaffedShop()
    const { call, store } = shop
    await call('POST', '/catalog/brands', { name: 'Acme' })
    await call('POST', '/catalog/products', { name: 'Mug', type: 'physical', weight: 1, price: 1, brand_id: 1 })
    await copyProduct(shop, 2_500)
    const left = async () => (await call('GET', '/catalog/products?brand_id=1&limit=1')).body.meta.pagination.total
    let deleted: Promise<{ status: number }> | undefined
    // A lock on one of the last products blocks the deletion.
    await (await dbOf(shop)).transaction(async (tx) => {
      await tx.rows(sql`select from products where store_id = ${store.id} and id = 2300 for update`)
      deleted = call('DELETE', path, undefined, { version })
      await expect.poll(left).toBe(500)
      expect((await call('PUT', '/catalog/products/1', { price: 2 })).body.data).toMatchObject({
        price: 2,
        brand_id: 0,
      })
      expect((await call('PUT', '/catalog/brands/1', { page_title: 'Going' })).status).toBe(200)
    })
    expect((await deleted)?.status).toBe(204)
    expect((await call('GET', '/catalog/brands/1')).status).toBe(404)
    expect(await left()).toBe(0)
    expect((await call('GET', '/catalog/products/2300')).body.data.brand_id).toBe(0)
  })
})

describe('access to brands', () => {
  let shop: Shop
  let before: unknown
  const everything = async () => [
    (await shop.call('GET', '/catalog/brands')).body,
    (await shop.call('GET', '/catalog/brands/metafields')).body,
  ]
  beforeAll(async () => {
    shop = await openStaffedShop()
    await shop.call('POST', '/catalog/brands', { name: 'Acme', image_url: 'https://cdn.example.com/acme.png' })
    await shop.call('POST', '/catalog/brands/1/metafields', {
      key: 'bin',
      value: '4',
      namespace: 'wh',
      permission_set: 'write',
    })
    before = await everything()
  })

  test('does not let a store list, count or delete a brand of another store by its name', async () => {
    const stranger = await openStaffedShop()
    expect((await stranger.call('GET', '/catalog/brands?name:like=a')).body).toMatchObject({
      data: [],
      meta: { pagination: { total: 0, total_pages: 0 } },
    })
    expect((await stranger.call('DELETE', '/catalog/brands?name=Acme')).status).toBe(204)
    expect(await everything()).toEqual(before)
  })

  test('unknown and read-only fields of the body are ignored (C-073)', async () => {
    const { call } = await openStaffedShop()
    const smuggled = {
      id: 77,
      store_id: 1,
      name_key: 'x',
      version: 9,
      __proto__: { page_title: 'x' },
      constructor: { prototype: { page_title: 'x' } },
      date_created: '2001-01-01T00:00:00Z',
    }
    const data = wholeBrand({ name: 'Acme', custom_url: { url: '/acme/', is_customized: false } })
    const inside = { custom_url: { is_customized: false, owner_id: 5 } }
    expect((await call('POST', '/catalog/brands', { ...smuggled, ...inside, name: 'Acme' })).body.data).toEqual(data)
    expect((await call('PUT', '/catalog/brands/1', { ...smuggled, ...inside })).body.data).toEqual(data)
    expect((await call('GET', '/catalog/brands')).body.data).toEqual([data])
  })
})
