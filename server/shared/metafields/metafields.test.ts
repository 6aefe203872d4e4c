import { beforeAll, describe, expect, test } from 'vitest'
import { toSeconds } from '../../core/rest/input/dates.ts'
import type { CreatedAccount } from '../../stores/accounts/accounts.ts'
import { invalid, onlyPage, problem } from '../../test/document/expected.ts'
import { sized } from '../../test/document/sized.ts'
import { bin, brand, ids, kinds, MOMENT, named, openStock } from '../../test/fixtures/metafields.ts'
import { openStaffedShop, theHouse } from '../../test/fixtures/shop.ts'

// docs/contract/catalog.md section 3 and docs/contract/brands.md sections 5 to 9: operations 7 to 11 and 14 to 17 of brands,
// and the same nine of categories. Batches are in batches.test.ts.

const text = (length: number) => 'a'.repeat(length)

describe.each(kinds)('a new metafield of a $kind', (the) => {
  const { kind, path } = the

  test('is answered complete, with the defaults of missing fields', async () => {
    const { call, admin } = await openStock(the)
    const { clock } = await theHouse()
    const before = clock.now().getTime()
    const { status, body } = await call('POST', `${path}/2/metafields`, bin)
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        data: {
          id: 1,
          key: 'bin',
          value: '4',
          namespace: 'wh',
          permission_set: 'write',
          description: '',
          resource_type: kind,
          resource_id: 2,
          date_created: MOMENT,
          date_modified: MOMENT,
          owner_client_id: admin.client_id,
        },
        meta: {},
      },
    })
    expect(body.data.date_modified).toBe(body.data.date_created)
    // Answers have whole seconds.
    expect(Date.parse(body.data.date_created)).toBeGreaterThan(before - 1_000)
    expect(Date.parse(body.data.date_created)).toBeLessThanOrEqual(clock.now().getTime())
  })

  test('has the same form in all routes', async () => {
    const { call } = await openStock(the)
    const { data } = (await call('POST', `${path}/2/metafields`, { ...bin, description: 'Where it lies' })).body
    expect(data.description).toBe('Where it lies')
    const one = await call('GET', `${path}/2/metafields/1`)
    expect(one.body).toEqual({ data, meta: {} })
    expect(one.headers['last-modified']).toBe(new Date(data.date_modified).toUTCString())
    const cursor = Buffer.from('{"v":1,"k":null,"id":1}').toString('base64url')
    const list = {
      data: [data],
      meta: {
        pagination: onlyPage(1),
        cursor_pagination: {
          count: 1,
          per_page: 50,
          start_cursor: cursor,
          end_cursor: cursor,
          links: { current: '?limit=50' },
        },
      },
    }
    expect((await call('GET', `${path}/2/metafields`)).body).toEqual(list)
    expect((await call('GET', `${path}/metafields`)).body).toEqual(list)
    expect((await call('GET', `${path}/1/metafields`)).body.data).toEqual([])
  })

  test('needs an existing resource of this store (404)', async () => {
    const { call } = await openStock(the)
    const other = await openStock(the)
    await other.call('POST', path, the.parent('Four'))
    for (const id of [4, 99, 2_147_483_647]) {
      const { status, body } = await call('POST', `${path}/${id}/metafields`, bin)
      expect({ status, body }).toEqual({ status: 404, body: problem(404, `The ${kind} ${id} does not exist.`) })
      expect((await call('GET', `${path}/${id}/metafields`)).body).toEqual(body)
    }
    expect((await call('POST', `${path}/2147483648/metafields`, bin)).status).toBe(404)
  })
})

// All kinds share one function for the following.

describe('a new metafield', () => {
  const the = brand
  const { kind, path } = the

  test.each([
    ['key', 1],
    ['key', 64],
    ['namespace', 1],
    ['namespace', 64],
    ['value', 1],
    ['value', 65_535],
    ['description', 0],
    ['description', 255],
  ])('may have a %s of %i characters', async (field, length) => {
    const { call } = await openStock(the)
    const metafield = { ...bin, [field]: text(length) }
    expect(await call('POST', `${path}/1/metafields`, metafield)).toMatchObject({
      status: 200,
      body: { data: metafield },
    })
    expect((await call('PUT', `${path}/1/metafields/1`, metafield)).status).toBe(200)
    const batch = [{ ...metafield, resource_id: 2 }]
    expect(await call('POST', `${path}/metafields`, batch)).toMatchObject({ status: 200, body: { data: batch } })
  })

  test.each([
    ['an empty key', 'key', '', 'key must have at least 1 character.'],
    ['a key of 65 characters', 'key', text(65), 'key must have at most 64 characters, not 65.'],
    ['null for its key', 'key', null, 'error.expected.jsstring'],
    ['an empty namespace', 'namespace', '', 'namespace must have at least 1 character.'],
    ['a namespace of 65 characters', 'namespace', text(65), 'namespace must have at most 64 characters, not 65.'],
    ['an empty value', 'value', '', 'value must have at least 1 character.'],
    ['a value of 65,536 characters', 'value', text(65_536), 'value must have at most 65535 characters, not 65536.'],
    ['a number for its value', 'value', 4, 'error.expected.jsstring'],
    ['an object for its value', 'value', { a: 1 }, 'error.expected.jsstring'],
    ['a value with U+0000', 'value', 'a\0b', expect.stringContaining('U+0000')],
    ['a description of 256', 'description', text(256), 'description must have at most 255 characters, not 256.'],
    ['null for its description', 'description', null, 'error.expected.jsstring'],
    [
      'an unknown permission_set',
      'permission_set',
      'public',
      'permission_set must be one of app_only, read, write, read_and_sf_access, write_and_sf_access, not "public".',
    ],
    ['a permission_set in capitals', 'permission_set', 'Write', expect.stringContaining('"Write"')],
    ['a number for its permission_set', 'permission_set', 7, 'error.expected.jsstring'],
  ])('must not have %s, alone or in a batch', async (_, field, value, sentence) => {
    const { call } = await openStock(the)
    await call('POST', `${path}/1/metafields`, named('before'))
    const wrong = { ...bin, [field]: value }
    for (const [method, url, body, at] of [
      ['POST', `${path}/1/metafields`, wrong, ''],
      ['PUT', `${path}/1/metafields/1`, { [field]: value }, ''],
      [
        'POST',
        `${path}/metafields`,
        [
          { ...named('fine'), resource_id: 1 },
          { ...wrong, resource_id: 1 },
        ],
        '1.',
      ],
      [
        'PUT',
        `${path}/metafields`,
        [
          { id: 1, value: 'fine' },
          { id: 1, [field]: value },
        ],
        '1.',
      ],
    ] as const) {
      const answered = await call(method, url, body)
      expect({ status: answered.status, body: answered.body }, `${method} ${url}`).toEqual({
        status: 422,
        body: invalid({ [at + field]: sentence }),
      })
    }
    expect((await call('GET', `${path}/metafields`)).body.data).toMatchObject([named('before')])
  })

  test('needs its four fields, and the answer names all missing ones', async () => {
    const { call } = await openStock(the)
    const missing = ['key', 'value', 'namespace', 'permission_set']
    const single = await call('POST', `${path}/1/metafields`, { description: 'Nothing' })
    expect({ status: single.status, body: single.body }).toEqual({
      status: 422,
      body: invalid(Object.fromEntries(missing.map((field) => [field, 'error.path.missing']))),
    })
    const batch = await call('POST', `${path}/metafields`, [{}])
    expect({ status: batch.status, body: batch.body }).toEqual({
      status: 422,
      body: invalid(
        Object.fromEntries([...missing, 'resource_id'].map((field) => [`0.${field}`, 'error.path.missing'])),
      ),
    })
    const changes = await call('PUT', `${path}/metafields`, [{ value: '5' }, {}])
    expect(changes.body).toEqual(invalid({ '0.id': 'error.path.missing', '1.id': 'error.path.missing' }))
    expect((await call('POST', `${path}/1/metafields`)).status).toBe(400)
  })

  test('is a duplicate only of a metafield with the same namespace and key, of this client and resource', async () => {
    const { call, otherclient } = await openStock(the)
    expect((await call('POST', `${path}/1/metafields`, bin)).status).toBe(200)
    const { status, body } = await call('POST', `${path}/1/metafields`, { ...bin, value: 'other' })
    expect({ status, body }).toEqual({
      status: 409,
      body: problem(409, 'This client already has a metafield with this namespace and key here.'),
    })
    expect((await call('POST', `${path}/1/metafields`, { ...bin, key: 'Bin' })).status).toBe(200)
    expect((await call('POST', `${path}/1/metafields`, { ...bin, namespace: 'WH' })).status).toBe(200)
    expect((await call('POST', `${path}/1/metafields`, { ...bin, key: 'bin ' })).status).toBe(200)
    expect((await call('POST', `${path}/2/metafields`, bin)).status).toBe(200)
    expect((await call('POST', `${path}/1/metafields`, bin, { as: otherclient })).status).toBe(200)
    expect((await call('PUT', `${path}/1/metafields/3`, { namespace: 'wh' })).body).toEqual(body)
  })

  test('ignores read-only fields on every write (C-073)', async () => {
    const { call, admin } = await openStock(the)
    const smuggled = {
      id: 77,
      resource_type: 'product',
      resource_id: 3,
      owner_client_id: 'somebody',
      date_created: '2001-01-01T00:00:00Z',
      date_modified: '2001-01-01T00:00:00Z',
      store_id: 1,
      key_key: 'x',
    }
    const kept = { id: 1, resource_type: kind, resource_id: 1, owner_client_id: admin.client_id }
    const created = await call('POST', `${path}/1/metafields`, { ...smuggled, ...bin })
    expect(created.body.data).toEqual({
      ...kept,
      ...bin,
      description: '',
      date_created: expect.stringMatching(/^20[2-9]/),
      date_modified: expect.stringMatching(/^20[2-9]/),
    })
    expect((await call('PUT', `${path}/1/metafields/1`, smuggled)).body.data).toEqual(created.body.data)
    expect((await call('PUT', `${path}/metafields`, [{ ...smuggled, id: 1 }])).body.data).toEqual([created.body.data])
    const { resource_id: _, ...rest } = smuggled
    const batch = await call('POST', `${path}/metafields`, [{ ...rest, ...named('other'), resource_id: 2 }])
    expect(batch.body.data).toMatchObject([{ ...kept, id: 2, resource_id: 2 }])
    expect(batch.body.data[0].date_created).toMatch(/^20[2-9]/)
  })
})

describe('the lists of metafields', () => {
  const the = brand
  const { path, other } = the
  let shop: Awaited<ReturnType<typeof openStock>>
  let times: string[]

  beforeAll(async () => {
    shop = await openStock(the)
    const { call, otherclient } = shop
    const { clock } = await theHouse()
    times = []
    const post = async (resource: number, body: object, as = shop.admin) => {
      clock.move(3_600_000)
      times.push((await call('POST', `${path}/${resource}/metafields`, body, { as })).body.data.date_created)
    }
    await post(1, { ...bin, key: 'Bin', namespace: 'WH' })
    await post(1, { ...bin, key: 'shelf' })
    await post(1, { ...bin, namespace: 'shop' }, otherclient)
    await post(2, { ...bin, key: 'Straße', namespace: 'shop' })
    await post(1, named('hidden', 'app_only'), otherclient)
    await post(1, named('mine', 'app_only'))
    clock.move(3_600_000)
    times.push((await call('PUT', `${path}/1/metafields/2`, { value: '5' })).body.data.date_modified)
    // Metafields that must not appear: of the other kind, and of another store.
    const elsewhere = kinds.find((one) => one.path === other) ?? the
    await call('POST', other, elsewhere.parent('Elsewhere'))
    await call('POST', `${other}/1/metafields`, bin)
    const stranger = await openStock(the)
    await stranger.call('POST', `${path}/1/metafields`, bin)
  })

  const at = (index: number) => encodeURIComponent(times[index] ?? '')

  test.each([
    ['', [1, 2, 3, 6]],
    ['id=2', [2]],
    ['id=4', []],
    ['id=5', []],
    ['id:in=1,3,4,5', [1, 3]],
    ['id:not_in=1,3', [2, 6]],
    ['id:min=3', [3, 6]],
    ['id:max=2', [1, 2]],
    ['id:greater=3', [6]],
    ['id:less=2', [1]],
    ['key=BIN', [1, 3]],
    ['key=bi', []],
    ['key:in=shelf, MINE', [2, 6]],
    ['namespace=wh', [1, 2, 6]],
    ['namespace:in=shop,none', [3]],
    ['key=bin&namespace=wh', [1]],
    ['direction=desc', [6, 3, 2, 1]],
    ['limit=2&page=2', [3, 6]],
  ])('of one has exactly the metafields of ?%s', async (query, expected) => {
    const { status, body } = await shop.call('GET', `${path}/1/metafields?${query}`)
    expect({ status, ids: ids(body.data) }).toEqual({ status: 200, ids: expected })
    if (!query.includes('page=')) expect(body.meta.pagination.total).toBe(expected.length)
  })

  test.each([
    ['', [1, 2, 3, 4, 6]],
    ['key=bin', [1, 3]],
    ['key=STRASSE', []],
    ['key=STRA%C3%9FE', [4]],
    ['key:in=bin,straße', [1, 3, 4]],
    ['namespace=Shop', [3, 4]],
    ['namespace:in=wh', [1, 2, 6]],
    ['key:in=bin,shelf&namespace=wh', [1, 2]],
    ['direction=desc&limit=2', [6, 4]],
    ['direction=desc&limit=2&page=3', [1]],
  ])('of all has exactly the metafields of ?%s', async (query, expected) => {
    const { status, body } = await shop.call('GET', `${path}/metafields?${query}`)
    expect({ status, ids: ids(body.data) }).toEqual({ status: 200, ids: expected })
  })

  test('filter dates at both ends, which are included', async () => {
    const of = async (query: string) => [
      ids((await shop.call('GET', `${path}/1/metafields?${query}`)).body.data),
      ids((await shop.call('GET', `${path}/metafields?${query}`)).body.data),
    ]
    expect(await of(`date_created:min=${at(1)}`)).toEqual([
      [2, 3, 6],
      [2, 3, 4, 6],
    ])
    expect(await of(`date_created:max=${at(1)}`)).toEqual([
      [1, 2],
      [1, 2],
    ])
    expect(await of(`date_created:min=${at(1)}&date_created:max=${at(3)}`)).toEqual([
      [2, 3],
      [2, 3, 4],
    ])
    expect(await of(`date_modified:min=${at(6)}`)).toEqual([[2], [2]])
    expect(await of(`date_modified:max=${at(2)}`)).toEqual([
      [1, 3],
      [1, 3],
    ])
    expect(await of(`date_modified:min=${at(4)}&date_modified:max=${at(5)}`)).toEqual([[6], [6]])
    expect(await of(`date_created:min=${at(3)}&date_created:max=${at(1)}`)).toEqual([[], []])
    const oneSecondOn = encodeURIComponent(toSeconds(new Date(Date.parse(times[1] ?? '') + 1_000)))
    expect(await of(`date_created:min=${oneSecondOn}`)).toEqual([
      [3, 6],
      [3, 4, 6],
    ])
    expect(await of('date_created:max=2001-01-01')).toEqual([[], []])
    expect(await of('date_created:min=Mon,%2001%20Jan%202001%2000:00:00%20%2B0000')).toEqual([
      [1, 2, 3, 6],
      [1, 2, 3, 4, 6],
    ])
  })

  test('have the requested fields and always the id, like a single metafield', async () => {
    const { call } = shop
    for (const [query, expected] of [
      ['include_fields=key,resource_id', { id: 2, key: 'shelf', resource_id: 1 }],
      ['include_fields=key,value&exclude_fields=value,id', { id: 2, key: 'shelf' }],
      ['include_fields=owner,__proto__,key.length', { id: 2 }],
    ] as const) {
      expect((await call('GET', `${path}/1/metafields?id=2&${query}`)).body.data).toEqual([expected])
      expect((await call('GET', `${path}/metafields?key=shelf&${query}`)).body.data).toEqual([expected])
      expect((await call('GET', `${path}/1/metafields/2?${query}`)).body.data).toEqual(expected)
    }
  })

  test('refuse unknown parameters and malformed values', async () => {
    for (const [query, status] of [
      ['limit=251', 413],
      [`key:in=${Array.from({ length: 251 }, (_, i) => `k${i}`)}`, 413],
      ['limit=0', 422],
      ['sort=id', 422],
      ['key:like=b', 422],
      ['value=4', 422],
      ['resource_id=1', 422],
      ['permission_set=read', 422],
      ['key:in=', 422],
      ['direction=up', 422],
      ['date_created=2025-01-01', 422],
      ['date_created:min=yesterday', 422],
      ['key=%00', 422],
      ['after=x', 422],
      ['before=', 422],
    ] as const) {
      for (const url of [`${path}/1/metafields`, `${path}/metafields`]) {
        const answered = await shop.call('GET', `${url}?${query}`)
        expect(answered, `${url}?${query}`).toMatchObject({ status, body: problem(status, expect.any(String)) })
      }
    }
    expect((await shop.call('GET', `${path}/metafields?id=1`)).status).toBe(422)
  })

  test('show hidden metafields only to their owner and to a client with full access', async () => {
    const { call, otherclient, readonly, full } = shop
    const seen = async (as: CreatedAccount) => [
      ids((await call('GET', `${path}/1/metafields`, undefined, { as })).body.data),
      (await call('GET', `${path}/metafields?limit=1`, undefined, { as })).body.meta.pagination.total,
    ]
    expect(await seen(shop.admin)).toEqual([[1, 2, 3, 6], 5])
    expect(await seen(otherclient)).toEqual([[1, 2, 3, 5], 5])
    expect(await seen(readonly)).toEqual([[1, 2, 3], 4])
    expect(await seen(full)).toEqual([[1, 2, 3, 5, 6], 6])
  })
})

describe('cursors (docs/contract/conventions.md section 4)', () => {
  let shop: Awaited<ReturnType<typeof openStock>>
  beforeAll(async () => {
    shop = await openStock(brand)
    for (let n = 1; n <= 7; n++) await shop.call('POST', `/catalog/brands/${(n % 2) + 1}/metafields`, named(`key ${n}`))
  })
  const cursor = (id: unknown) => Buffer.from(JSON.stringify({ v: 1, k: null, id })).toString('base64url')

  test('lead through a whole list and back, to each metafield once', async () => {
    for (const [list, all] of [
      ['/catalog/brands/metafields', [1, 2, 3, 4, 5, 6, 7]],
      ['/catalog/brands/2/metafields', [1, 3, 5, 7]],
      ['/catalog/brands/metafields?namespace=WH&direction=desc', [7, 6, 5, 4, 3, 2, 1]],
    ] as const) {
      const [path, query = ''] = list.split('?')
      const forth: number[] = []
      let last = (await shop.call('GET', `${path}?${query}&limit=2`)).body
      for (;;) {
        forth.push(...ids(last.data))
        const { next } = last.meta.cursor_pagination.links
        if (next === undefined) break
        last = (await shop.call('GET', path + next)).body
        expect(last.meta.pagination).toBeUndefined()
      }
      expect(forth, list).toEqual(all)
      const back = ids(last.data)
      for (;;) {
        const { previous } = last.meta.cursor_pagination.links
        if (previous === undefined) break
        last = (await shop.call('GET', path + previous)).body
        back.unshift(...ids(last.data))
      }
      expect(back, `${list} back`).toEqual(all)
    }
  })

  test('stand beside the pages, and alone once a cursor was used', async () => {
    const first = await shop.call('GET', '/catalog/brands/metafields?limit=3&namespace=wh')
    expect(first.body.meta).toEqual({
      pagination: {
        total: 7,
        count: 3,
        per_page: 3,
        current_page: 1,
        total_pages: 3,
        links: { current: '?namespace=wh&page=1&limit=3', next: '?namespace=wh&page=2&limit=3' },
      },
      cursor_pagination: {
        count: 3,
        per_page: 3,
        start_cursor: cursor(1),
        end_cursor: cursor(3),
        links: { current: '?namespace=wh&limit=3', next: `?namespace=wh&after=${cursor(3)}&limit=3` },
      },
    })
    const second = await shop.call('GET', `/catalog/brands/metafields?limit=3&page=7&namespace=wh&after=${cursor(3)}`)
    expect(ids(second.body.data)).toEqual([4, 5, 6])
    expect(second.body.meta).toEqual({
      cursor_pagination: {
        count: 3,
        per_page: 3,
        start_cursor: cursor(4),
        end_cursor: cursor(6),
        links: {
          previous: `?namespace=wh&before=${cursor(4)}&limit=3`,
          current: `?namespace=wh&after=${cursor(3)}&limit=3`,
          next: `?namespace=wh&after=${cursor(6)}&limit=3`,
        },
      },
    })
  })

  test('lead to the metafields directly before or after theirs, in the order of the list', async () => {
    const of = async (query: string) => ids((await shop.call('GET', `/catalog/brands/metafields?${query}`)).body.data)
    expect(await of(`before=${cursor(6)}&limit=2`)).toEqual([4, 5])
    expect(await of(`after=${cursor(2)}&limit=2&direction=desc`)).toEqual([1])
    expect(await of(`before=${cursor(2)}&limit=2&direction=desc`)).toEqual([4, 3])
    expect(await of(`after=${cursor(7)}`)).toEqual([])
    expect(await of(`after=${cursor(2_147_483_647)}`)).toEqual([])
  })

  test('still work after the deletion of the metafield that they name', async () => {
    const { call } = await openStock(brand)
    const list = '/catalog/brands/1/metafields'
    for (let n = 1; n <= 4; n++) await call('POST', list, named(`key ${n}`))
    await call('DELETE', `${list}/2`)
    expect(ids((await call('GET', `${list}?after=${cursor(2)}`)).body.data)).toEqual([3, 4])
  })

  test.each([
    `before=${cursor(3)}&after=${cursor(1)}`,
    `after=${cursor(9_007_199_254_740_991)}`,
    `after=${cursor(2_147_483_648)}`,
    `after=${cursor(-1)}`,
    `after=${cursor(1.5)}`,
    `after=${cursor('1')}`,
    `after=${Buffer.from('{"v":2,"k":null,"id":1}').toString('base64url')}`,
    `after=${Buffer.from('null').toString('base64url')}`,
    'after=',
    'before=%00',
  ])('are refused with 422 when they are none: ?%s', async (query) => {
    const { status, body } = await shop.call('GET', `/catalog/brands/metafields?${query}`)
    expect({ status, body }).toEqual({ status: 422, body: problem(422, expect.any(String)) })
  })
})

/** Rights by permission set (the table of docs/contract/catalog.md section 3): the answers to a client that did not create the metafield. */
const permissions = [
  { set: 'app_only', sees: 404, changes: 404, identity: 404, deletes: 404 },
  { set: 'read', sees: 200, changes: 403, identity: 403, deletes: 403 },
  { set: 'write', sees: 200, changes: 200, identity: 403, deletes: 403 },
  { set: 'read_and_sf_access', sees: 200, changes: 403, identity: 403, deletes: 403 },
  { set: 'write_and_sf_access', sees: 200, changes: 200, identity: 403, deletes: 403 },
] as const

const identities = [{ key: 'other' }, { namespace: 'other' }, { permission_set: 'other' }] as const

describe('permissions on a metafield', () => {
  const the = brand
  const { path } = the
  const one = `${path}/1/metafields/1`

  test.each(permissions)('of another client with permission_set $set (C-074)', async ({ set, ...may }) => {
    const { call, otherclient } = await openStock(the)
    const other = { as: otherclient }
    const before = (await call('POST', `${path}/1/metafields`, named('bin', set))).body.data
    const expectStatus = async (status: number, method: string, body?: unknown) => {
      const answered = await call(method, one, body, other)
      expect(answered.status, `${method} ${JSON.stringify(body)}`).toBe(status)
      if (status === 404) expect(answered.body).toEqual(problem(404, 'The metafield 1 does not exist.'))
      if (status === 403)
        expect(answered.body).toEqual(problem(403, expect.stringMatching(/only the client that created/i)))
    }
    await expectStatus(may.sees, 'GET')
    const listed = await call('GET', `${path}/1/metafields`, undefined, other)
    expect(ids(listed.body.data)).toEqual(may.sees === 200 ? [1] : [])
    await expectStatus(may.changes, 'PUT', { value: '5' })
    await expectStatus(may.changes, 'PUT', { description: 'other' })
    // The clock may have moved to the next second between the creation and the change.
    const { date_modified } = (await call('GET', one)).body.data
    const changed = may.changes === 200 ? { value: '5', description: 'other', date_modified } : {}
    for (const identity of identities) {
      const change = 'permission_set' in identity ? { permission_set: set === 'read' ? 'write' : 'read' } : identity
      await expectStatus(may.identity, 'PUT', change)
      await expectStatus(may.identity, 'PUT', { ...change, value: '6' })
    }
    await expectStatus(may.deletes, 'DELETE')
    expect((await call('GET', one)).body.data).toEqual({ ...before, ...changed })
  })

  test.each(permissions)('of a client with full access with permission_set $set', async ({ set }) => {
    const { call, full, admin } = await openStock(the)
    await call('POST', `${path}/1/metafields`, named('bin', set))
    const as = { as: full }
    expect((await call('GET', one, undefined, as)).status).toBe(200)
    expect(await call('PUT', one, { value: '5', description: 'full' }, as)).toMatchObject({
      status: 200,
      body: { data: { value: '5', description: 'full', owner_client_id: admin.client_id } },
    })
    for (const identity of identities) {
      const change = 'permission_set' in identity ? { permission_set: set === 'read' ? 'write' : 'read' } : identity
      expect((await call('PUT', one, change, as)).status).toBe(403)
    }
    expect((await call('DELETE', one, undefined, as)).status).toBe(204)
    expect((await call('GET', one)).status).toBe(404)
  })

  test.each(permissions)('of its owner with permission_set $set: everything is allowed', async ({ set }) => {
    const { call } = await openStock(the)
    await call('POST', `${path}/1/metafields`, named('bin', set))
    for (const { set: next } of permissions) {
      const change = { value: next, description: next, key: next, namespace: next, permission_set: next }
      expect((await call('PUT', one, change)).body.data).toMatchObject(change)
    }
    expect((await call('DELETE', one)).status).toBe(204)
  })

  test('an identity field with its current value is not a change, so every client may send it', async () => {
    const { call, otherclient } = await openStock(the)
    const { data } = (await call('POST', `${path}/1/metafields`, named('bin', 'read'))).body
    for (const body of [{}, named('bin', 'read'), data]) {
      expect((await call('PUT', one, body, { as: otherclient })).body).toEqual({ data, meta: {} })
    }
    expect((await call('PUT', one, { ...named('bin', 'read'), key: 'BIN' }, { as: otherclient })).status).toBe(403)
  })

  test('a change updates date_modified, and a request without a difference does not', async () => {
    const { call } = await openStock(the)
    const { clock } = await theHouse()
    const { data } = (await call('POST', `${path}/1/metafields`, bin)).body
    clock.move(60_000)
    for (const body of [{}, bin, data]) expect((await call('PUT', one, body)).body.data).toEqual(data)
    expect((await call('PUT', `${path}/metafields`, [{ id: 1, ...bin }])).body.data).toEqual([data])
    const changed = (await call('PUT', one, { value: '5' })).body.data
    expect(changed).toEqual({ ...data, value: '5', date_modified: MOMENT })
    expect(Date.parse(changed.date_modified)).toBeGreaterThanOrEqual(Date.parse(data.date_modified) + 60_000)
  })

  test('an unmodified metafield is 304 (docs/contract/conventions.md section 8)', async () => {
    const { call } = await openStock(the)
    const { clock } = await theHouse()
    await call('POST', `${path}/1/metafields`, bin)
    const read = async (since: string) =>
      (await call('GET', one, undefined, { headers: { 'if-modified-since': since } })).status
    const modified = String((await call('GET', one)).headers['last-modified'])
    expect(await read(modified)).toBe(304)
    expect(await read('Mon, 01 Jan 2001 00:00:00 GMT')).toBe(200)
    expect(await read('some day')).toBe(200)
    clock.move(60_000)
    await call('PUT', one, { value: '5' })
    expect(await read(modified)).toBe(200)
  })

  test('the worked example of docs/contract/catalog.md section 7', async () => {
    const { call, otherclient } = await openStock(the)
    for (let n = 4; n <= 12; n++) await call('POST', path, the.parent(`Number ${n}`))
    for (let n = 1; n <= 7; n++) await call('POST', `${path}/1/metafields`, named(`key ${n}`))
    const list = `${path}/12/metafields`
    const b = { as: otherclient }
    expect(await call('POST', list, bin)).toMatchObject({ status: 200, body: { data: { id: 8 } } })
    expect((await call('POST', list, bin)).status).toBe(409)
    expect(await call('POST', list, bin, b)).toMatchObject({ status: 200, body: { data: { id: 9 } } })
    expect((await call('PUT', `${list}/8`, { value: '5' }, b)).status).toBe(200)
    expect((await call('PUT', `${list}/8`, { value: '5', key: 'bin' }, b)).status).toBe(200)
    expect((await call('PUT', `${list}/8`, { permission_set: 'read' }, b)).status).toBe(403)
    expect((await call('DELETE', `${list}/8`, undefined, b)).status).toBe(403)
    expect((await call('PUT', `${list}/8`, { permission_set: 'app_only' })).status).toBe(200)
    expect((await call('GET', `${list}/8`, undefined, b)).status).toBe(404)
  })

  test('a metafield is found only below its own parent and in its own store (C-065, C-066)', async () => {
    const { call } = await openStock(the)
    const stranger = await openStock(the)
    const elsewhere = kinds.find((kind) => kind.path === the.other) ?? the
    await call('POST', the.other, elsewhere.parent('Elsewhere'))
    const { data } = (await call('POST', `${path}/1/metafields`, bin)).body
    const nowhere = [`${path}/2/metafields/1`, `${path}/99/metafields/1`, `${the.other}/1/metafields/1`]
    const asked = [...nowhere.map((url) => ({ url, by: call })), { url: one, by: stranger.call }]
    for (const { url, by } of asked) {
      for (const [method, body] of [['GET'], ['PUT', { value: '5' }], ['DELETE']] as const) {
        const answered = await by(method, url, body)
        expect({ status: answered.status, body: answered.body }, `${method} ${url}`).toEqual({
          status: 404,
          body: problem(404, 'The metafield 1 does not exist.'),
        })
      }
    }
    expect((await call('GET', one)).body.data).toEqual(data)
    const deleted = await call('DELETE', one)
    expect(deleted).toMatchObject({ status: 204, text: '' })
    expect((await call('DELETE', one)).status).toBe(404)
  })
})

describe.each(kinds)('250 metafields of one client on a $kind', (the) => {
  const { kind, path } = the

  test('are never exceeded, even by many simultaneous requests (C-020)', async () => {
    const { call, otherclient } = await openStock(the)
    const items = (from: number, count: number) =>
      Array.from({ length: count }, (_, i) => ({ ...named(`key ${from + i}`), resource_id: 1 }))
    for (let from = 0; from < 240; from += 10) await call('POST', `${path}/metafields`, items(from, 10))
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) => call('POST', `${path}/1/metafields`, named(`more ${i}`))),
    )
    const refused = answers.filter(({ status }) => status !== 200)
    expect(refused).toHaveLength(40)
    const full = problem(403, `A client can have at most 250 metafields on one ${kind}.`)
    for (const { body } of refused) expect(body).toEqual(full)
    const list = await call('GET', `${path}/1/metafields?limit=250`)
    expect([list.body.meta.pagination.total, list.body.data.length]).toEqual([250, 250])

    const [first] = list.body.data
    expect((await call('POST', `${path}/1/metafields`, named(first.key))).status).toBe(409)
    const batch = await call('POST', `${path}/metafields`, [
      { ...named('one more'), resource_id: 1 },
      { ...named('one more'), resource_id: 2 },
    ])
    expect(batch).toMatchObject({ status: 422, body: { errors: [{ status: 403, errors: { 0: 'limit' } }] } })
    expect(batch.body.data).toMatchObject([{ resource_id: 2 }])
    expect((await call('POST', `${path}/1/metafields`, bin, { as: otherclient })).status).toBe(200)
    await call('DELETE', `${path}/1/metafields/${first.id}`)
    expect((await call('POST', `${path}/1/metafields`, named('in its place'))).status).toBe(200)
    expect((await call('POST', `${path}/1/metafields`, named('one too many'))).status).toBe(403)
  })
})

describe('the metafields that the plan of a store allows', () => {
  test('limit a batch: one more is 507, alone and among its items', async () => {
    const { call } = await openStaffedShop({ limits: { metafields: 2 } })
    await call('POST', '/catalog/brands', { name: 'One' })
    const items = ['one', 'two', 'three'].map((key) => ({ ...named(key), resource_id: 1 }))
    const { status, body } = await call('POST', '/catalog/brands/metafields', items)
    expect({ status, body }).toEqual({
      status: 422,
      body: {
        data: [expect.objectContaining({ key: 'one' }), expect.objectContaining({ key: 'two' })],
        errors: [problem(507, 'The plan of this store allows 2 metafields.', { 2: 'limit' })],
        meta: { total: 3, success: 2, failed: 1 },
      },
    })
    const alone = await call('POST', '/catalog/brands/1/metafields', named('four'))
    expect({ status: alone.status, body: alone.body }).toEqual({
      status: 507,
      body: problem(507, 'The plan of this store allows 2 metafields.'),
    })
    expect((await call('GET', '/catalog/brands/metafields')).body.meta.pagination.total).toBe(2)
  })
})

describe('at once', () => {
  test('a brand is deleted while metafields are created on it, and none is left (C-012)', async () => {
    const { call, otherclient } = await openStock(brand)
    const seen = new Set<string>()
    for (let race = 0; race < sized(1_000, 40); race++) {
      const { id } = (await call('POST', '/catalog/brands', { name: `Race ${race}` })).body.data
      const list = `/catalog/brands/${id}/metafields`
      const destroy = () => call('DELETE', race % 2 ? `/catalog/brands/${id}` : `/catalog/brands?name=race%20${race}`)
      const early = race % 4 < 2 ? destroy() : undefined
      const creates = [
        call('POST', list, named('a')),
        call('POST', list, named('a'), { as: otherclient }),
        call('POST', '/catalog/brands/metafields', [
          { ...named('b'), resource_id: id },
          { ...named('c'), resource_id: id },
        ]),
      ]
      // A body takes time to read: only a create with an answer surely came before.
      if (!early) await Promise.race(creates)
      const gone = await (early ?? destroy())
      expect(gone.status).toBe(204)
      for (const { status } of await Promise.all(creates)) {
        expect([200, 404, 422]).toContain(status)
        seen.add(status === 200 ? 'before' : 'after')
      }
    }
    expect(seen).toEqual(new Set(['before', 'after']))
    expect((await call('GET', '/catalog/brands/metafields')).body.meta.pagination.total).toBe(0)
  })

  test('batches change the same rows in opposite order, and all get answers (C-024)', async () => {
    const { call } = await openStock(brand)
    const list = '/catalog/brands/metafields'
    const rising = Array.from({ length: 9 }, (_, i) => i + 1)
    const falling = rising.toReversed()
    await call(
      'POST',
      list,
      rising.map((n) => ({ ...named(`key ${n}`), resource_id: (n % 3) + 1 })),
    )
    for (let round = 0; round < 20; round++) {
      const answers = await Promise.all(
        [rising, falling, rising, falling].map((order, i) =>
          call(
            'PUT',
            list,
            order.map((id) => ({ id, value: `${round} ${i}` })),
          ),
        ),
      )
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
      const values = (await call('GET', list)).body.data.map(({ value }: { value: string }) => value)
      expect(new Set(values).size, 'one batch is the last for all rows').toBe(1)
    }
    const posts = await Promise.all(
      [
        [1, 2, 3],
        [3, 2, 1],
        [2, 3, 1],
      ].map((order, i) =>
        call(
          'POST',
          list,
          order.map((resource_id) => ({ ...named(`new ${i}`), resource_id })),
        ),
      ),
    )
    expect(posts.map(({ status }) => status)).toEqual([200, 200, 200])
    const deletes = await Promise.all([rising, falling].map((order) => call('DELETE', list, order)))
    expect(deletes.map(({ status }) => status).sort()).toEqual([200, 422])
    expect(deletes.map(({ body }) => body.meta.success).sort()).toEqual([0, 9])
    expect((await call('GET', list)).body.meta.pagination.total).toBe(9)
  })

  test('a metafield is created twice, and one of the two is a duplicate', async () => {
    const { call } = await openStock(brand)
    for (let round = 0; round < 10; round++) {
      const answers = await Promise.all(
        Array.from({ length: 4 }, () => call('POST', '/catalog/brands/1/metafields', named(`key ${round}`))),
      )
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409])
    }
  })
})
