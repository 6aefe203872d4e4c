import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sql } from '../../core/db/sql.ts'
import { openShop, type Shop, theHouse } from '../../test/fixtures/shop.ts'
import { dbOf, rowsOf } from '../../test/fixtures/webhooks.ts'
import { faultyRules, type NewRule } from './groups.ts'

let shop: Shop
const open = async () => {
  shop = await openShop()
}

const call: Shop['call'] = (method, path, body, options) =>
  shop.call(method, `/customer_groups${path}`, body, { version: 'v2', ...options })
const create = (body: object) => call('POST', '', body)
const made = async (body: object): Promise<number> => (await create(body)).body.id
const get = async (id: number) => (await call('GET', `/${id}`)).body
const ids = async (query: string) => ((await call('GET', query)).body ?? []).map(({ id }: { id: number }) => id)
const refused = (status: number, details?: object) => [
  { status, message: expect.any(String), ...(details === undefined ? {} : { details }) },
]
const product = async (name: string) =>
  (await shop.call('POST', '/catalog/products', { name, type: 'physical', weight: 1, price: 10 })).body.data.id
const category = async (name: string) =>
  (await shop.call('POST', '/catalog/categories', { name, parent_id: 0 })).body.data.id
const customer = async (email: string, customer_group_id: number) =>
  (await shop.call('POST', '/customers', [{ email, first_name: 'Ann', last_name: 'Lee', customer_group_id }])).body
    .data[0]

const DATE = expect.stringMatching(/^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d \+0000$/)
const plain = {
  is_default: false,
  category_access: { type: 'all' },
  discount_rules: [],
  date_created: DATE,
  date_modified: DATE,
  is_group_for_guests: false,
}

describe('a customer group', () => {
  beforeEach(open)

  test('is created with 200, read, changed in part, counted and deleted; nothing tells of it', async () => {
    const [mug, cups] = [await product('Mug'), await category('Cups')]
    const price_list_id = (await shop.call('POST', '/pricelists', { name: 'Trade' })).body.data.id
    const ofOthers = async () =>
      (await rowsOf(shop, 'events')).filter(({ scope }) => !String(scope).includes('priceList/assignment'))
    const seen = (await ofOthers()).length
    const bare = await create({ name: 'Bare' })
    expect({ status: bare.status, body: bare.body }).toEqual({ status: 200, body: { id: 1, name: 'Bare', ...plain } })
    const rules = [
      { type: 'product', product_id: mug, method: 'price', amount: 2.5 },
      { type: 'all', method: 'percent', amount: '5' },
      { type: 'category', category_id: cups, method: 'fixed', amount: '9.00005' },
    ]
    const body = {
      name: 'Trade',
      category_access: { type: 'specific', categories: [cups, cups] },
      discount_rules: rules,
    }
    const trade = await create(body)
    const stored = {
      id: 2,
      name: 'Trade',
      ...plain,
      category_access: { type: 'specific', categories: [cups] },
      discount_rules: [
        { type: 'product', product_id: mug, method: 'price', amount: '2.5000' },
        { type: 'all', method: 'percent', amount: '5.0000' },
        { type: 'category', category_id: cups, method: 'fixed', amount: '9.0001' },
      ],
    }
    expect({ status: trade.status, body: trade.body }).toEqual({ status: 200, body: stored })
    const one = await call('GET', '/2?name=ignored&is_default=true')
    expect(one.body).toEqual(stored)
    const since = { 'if-modified-since': String(one.headers['last-modified']) }
    expect((await call('GET', '/2', undefined, { headers: since })).status).toBe(304)
    expect((await call('GET', '')).body).toEqual([{ id: 1, name: 'Bare', ...plain }, stored])
    expect((await call('GET', '/count')).body).toEqual({ count: 2 })
    // A rule or a name of its own does not touch the rest; discount_rules is all of the rules.
    expect((await call('PUT', '/2', { name: 'Dealers' })).body).toEqual({ ...stored, name: 'Dealers' })
    const list = [{ type: 'price_list', price_list_id }]
    const changed = { ...stored, name: 'Dealers', discount_rules: list }
    expect((await call('PUT', '/2', { discount_rules: list })).body).toEqual(changed)
    const none = { category_access: { type: 'none' }, discount_rules: [] }
    expect((await call('PUT', '/2', none)).body).toEqual({ ...changed, ...none })
    expect(await call('DELETE', '/2')).toMatchObject({ status: 204, text: '' })
    for (const [method, sent] of [['GET'], ['PUT', { name: 'X' }], ['DELETE']] as const) {
      expect(await call(method, '/2', sent)).toMatchObject({ status: 404, body: refused(404) })
    }
    expect(await call('DELETE', '/1')).toMatchObject({ status: 204 })
    expect(await call('GET', '')).toMatchObject({ status: 204, text: '' })
    expect(await ofOthers()).toHaveLength(seen)
  })

  test('keeps its time where a PUT changes nothing', async () => {
    const id = await made({ name: 'Same', discount_rules: [{ type: 'all', method: 'price', amount: '1.5' }] })
    const { clock } = await theHouse()
    const before = await get(id)
    clock.move(60_000)
    const same = { ...before, date_modified: undefined, category_access: { type: 'all' } }
    expect((await call('PUT', `/${id}`, same)).body).toEqual(before)
    expect((await call('PUT', `/${id}`, { discount_rules: [] })).body.date_modified).not.toBe(before.date_modified)
  })

  test('has a name that no other has, compared without case: 409 at once or later', async () => {
    const id = await made({ name: 'Gold' })
    const other = await made({ name: 'Silver' })
    expect(await create({ name: ' gOLD ' })).toMatchObject({
      status: 409,
      body: refused(409, { name: expect.any(String) }),
    })
    expect((await call('PUT', `/${other}`, { name: 'GOLD' })).status).toBe(409)
    expect((await call('PUT', `/${id}`, { name: 'GOLD' })).body.name).toBe('GOLD')
  })

  test('takes itself from its members, from channels that name it and from the marks', async () => {
    const id = await made({ name: 'Members', is_default: true, is_group_for_guests: true })
    const stays = await made({ name: 'Others' })
    const [ann, bo] = [await customer('ann@x.test', id), await customer('bo@x.test', stays)]
    const own = { customer_group_settings: { guest_customer_group_id: id, default_customer_group_id: stays } }
    await shop.call('PUT', '/customers/settings/channels/1', own)
    const seen = (await rowsOf(shop, 'events')).length
    await call('DELETE', `/${id}`)
    const { body } = await shop.call('GET', `/customers?id:in=${ann.id},${bo.id}`)
    expect(body.data).toEqual([{ ...ann, customer_group_id: 0 }, bo])
    const left = { guest_customer_group_id: null, default_customer_group_id: stays }
    const { data } = (await shop.call('GET', '/customers/settings/channels/1')).body
    expect(data.customer_group_settings).toEqual(left)
    expect((await shop.call('GET', '/customers/settings')).body.data.customer_group_settings).toEqual({
      guest_customer_group_id: 0,
      default_customer_group_id: 0,
    })
    // Of the members nothing is told, of the channel that guests have no group there any more.
    const published = (await rowsOf(shop, 'events')).slice(seen).map(({ scope }) => scope)
    expect(published).toEqual(['store/channel/1/settings/defaultCustomerGroup/updated'])
  })

  test('loses the rules on products and categories that are deleted, and the categories that it may see', async () => {
    const [mug, plate, cups] = [await product('A mug'), await product('A plate'), await category('Some cups')]
    const rule = (fields: object) => ({ method: 'percent', amount: '1.0000', ...fields })
    const kept = [rule({ type: 'product', product_id: plate }), rule({ type: 'all' })]
    const id = await made({
      name: 'Losing',
      category_access: { type: 'specific', categories: [cups] },
      discount_rules: [
        rule({ type: 'category', category_id: cups }),
        rule({ type: 'product', product_id: mug }),
        ...kept,
      ],
    })
    await shop.call('DELETE', `/catalog/products?id:in=${mug}`)
    await shop.call('DELETE', `/catalog/categories/${cups}`)
    const left = { category_access: { type: 'specific', categories: [] }, discount_rules: kept }
    expect(await get(id)).toMatchObject(left)
    await shop.call('DELETE', `/catalog/products/${plate}`)
    expect((await get(id)).discount_rules).toEqual([kept[1]])
    expect((await call('PUT', `/${id}`, { discount_rules: [] })).body.discount_rules).toEqual([])
  })
})

describe('of the groups of a store', () => {
  beforeEach(open)

  const marks = async () =>
    ((await call('GET', '')).body ?? []).map((group: Record<string, unknown>) => [
      group.name,
      group.is_default,
      group.is_group_for_guests,
    ])

  test('one is the default and one that of guests: who gets a mark takes it from the other', async () => {
    const [first, second] = [
      await made({ name: 'First', is_default: true, is_group_for_guests: true }),
      await made({ name: 'Second', is_default: true }),
    ]
    expect(await marks()).toEqual([
      ['First', false, true],
      ['Second', true, false],
    ])
    await call('PUT', `/${second}`, { is_group_for_guests: true })
    // One that has no mark has none to give away.
    await call('PUT', `/${first}`, { is_default: false })
    expect(await marks()).toEqual([
      ['First', false, false],
      ['Second', true, true],
    ])
    await call('PUT', `/${second}`, { is_default: false })
    expect(await marks()).toEqual([
      ['First', false, false],
      ['Second', false, true],
    ])
  })

  test('never two are the default, however many are made so at once', async () => {
    const several = await Promise.all(
      Array.from({ length: 8 }, (_, i) =>
        made({ name: `At once ${i}`, is_default: i % 2 === 0, is_group_for_guests: true }),
      ),
    )
    await Promise.all(several.map((id) => call('PUT', `/${id}`, { is_default: true })))
    const rows = await marks()
    expect(rows.filter(([, isDefault]: boolean[]) => isDefault)).toHaveLength(1)
    expect(rows.filter(([, , isForGuests]: boolean[]) => isForGuests)).toHaveLength(1)
    await Promise.all(several.map((id) => call('DELETE', `/${id}`)))
    expect(await marks()).toEqual([])
  })

  test('a list shows those that a filter means, and ignores names that it does not know', async () => {
    const { clock } = await theHouse()
    const early = await made({ name: 'Éarly birds', is_default: true })
    clock.move(2 * 86_400_000)
    const late = await made({ name: 'Late risers', is_group_for_guests: true })
    await call('PUT', `/${early}`, { category_access: { type: 'none' } })
    const cut = encodeURIComponent(new Date(clock.now().getTime() - 86_400_000).toISOString())
    const cases: [string, number[]][] = [
      ['', [early, late]],
      ['?name=late%20RISERS', [late]],
      ['?name:like=BIRD', [early]],
      ['?is_default=true', [early]],
      ['?is_default=false', [late]],
      ['?is_group_for_guests=true', [late]],
      [`?date_created:min=${cut}`, [late]],
      [`?date_created:max=${cut}`, [early]],
      [`?date_modified:min=${cut}`, [early, late]],
      [`?date_modified:max=${cut}`, []],
      [`?date_created=${clock.now().toISOString().slice(0, 10)}`, [late]],
      [`?date_modified=${clock.now().toISOString().slice(0, 10)}`, [early, late]],
      ['?limit=1&page=2', [late]],
      ['?colour=red', [early, late]],
    ]
    for (const [query, expected] of cases) {
      expect(await ids(query), query).toEqual(expected)
      if (query.includes('limit')) continue
      expect((await call('GET', `/count${query}`)).body, query).toEqual({ count: expected.length })
    }
    expect(await call('GET', '?limit=251')).toMatchObject({ status: 413 })
    expect(await call('GET', '?is_default=perhaps')).toMatchObject({ status: 400, body: refused(400) })
    expect(await call('DELETE', '')).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD, POST, OPTIONS' } })
    expect(await call('DELETE', `/${early}?force=true`)).toMatchObject({ status: 400 })
  })

  test('one with very many members is left in steps, and its rules stand in order', async () => {
    const id = await made({ name: 'Crowd' })
    await customer('one@crowd.test', id)
    const db = await dbOf(shop)
    // Copies of one customer: making 5,000 through the front door would take half a minute.
    const { columns } = await db.row<{ columns: string }>(sql`-- of a test
      select string_agg(quote_ident(column_name), ', ') as columns from information_schema.columns
      where table_name = 'customers' and column_name not in ('store_id', 'id')`)
    await db.transaction(async (tx) => {
      await tx.rows(sql`
        insert into customers (store_id, id, ${sql.raw(columns)})
        select store_id, id + number, ${sql.raw(columns)} from customers, generate_series(1, 2100) number
        where store_id = ${db.store.id} and customer_group_id = ${id} returning id`)
      await tx.rows(sql`
        update counters set last_id = last_id + 2100, total = total + 2100
        where store_id = ${db.store.id} and resource = 'customers'`)
    })
    await call('DELETE', `/${id}`)
    const { members } = await db.row<{ members: number }>(sql`
      select count(*)::int as members from customers where store_id = ${db.store.id} and customer_group_id = ${id}`)
    expect(members).toBe(0)
  })
})

describe('refused is', () => {
  beforeAll(open)

  const missing = 'error.path.missing'
  test.each<[string, object, object]>([
    ['a group without a name', {}, { name: missing }],
    ['a blank name', { name: '  ' }, { name: expect.any(String) }],
    ['a name of 256 characters', { name: 'a'.repeat(256) }, { name: expect.any(String) }],
    [
      'an access that there is not',
      { name: 'A', category_access: { type: 'some' } },
      { 'category_access.type': expect.any(String) },
    ],
    [
      'an access without a type',
      { name: 'A', category_access: { categories: [1] } },
      { 'category_access.type': missing },
    ],
    [
      'categories beside the access to all',
      { name: 'A', category_access: { type: 'all', categories: [] } },
      { 'category_access.categories': expect.any(String) },
    ],
    [
      'a specific access without categories',
      { name: 'A', category_access: { type: 'specific' } },
      { 'category_access.categories': missing },
    ],
    [
      'an access to categories that are not there',
      { name: 'A', category_access: { type: 'specific', categories: [98, 99] } },
      {
        'category_access.categories.0': 'There is no category 98.',
        'category_access.categories.1': 'There is no category 99.',
      },
    ],
    [
      'rules on what is not there',
      {
        name: 'A',
        discount_rules: [
          { type: 'category', category_id: 99, method: 'price', amount: 1 },
          { type: 'product', product_id: 99, method: 'price', amount: 1 },
        ],
      },
      {
        'discount_rules.0.category_id': 'There is no category 99.',
        'discount_rules.1.product_id': 'There is no product 99.',
      },
    ],
    [
      'an amount below 0',
      { name: 'A', discount_rules: [{ type: 'all', method: 'price', amount: '-0.0001' }] },
      { 'discount_rules.0.amount': expect.any(String) },
    ],
    [
      'a way that there is not',
      { name: 'A', discount_rules: [{ type: 'all', method: 'half', amount: 1 }] },
      { 'discount_rules.0.method': expect.any(String) },
    ],
    [
      '1,001 rules',
      { name: 'A', discount_rules: Array.from({ length: 1_001 }, () => ({ type: 'all', method: 'price', amount: 1 })) },
      { discount_rules: expect.any(String) },
    ],
  ])('%s: 400', async (_, body, details) => {
    expect(await create(body)).toMatchObject({ status: 400, body: refused(400, details) })
  })

  test('1,000 categories, a name of 255 characters and an amount of 0 are taken', async () => {
    const name = 'a'.repeat(255)
    const group = await create({ name, discount_rules: [{ type: 'all', method: 'fixed', amount: 0 }] })
    expect(group).toMatchObject({ status: 200, body: { name, discount_rules: [{ amount: '0.0000' }] } })
    const categories = Array.from({ length: 1_000 }, (_, i) => i + 1_000)
    const unknown = await call('PUT', `/${group.body.id}`, { category_access: { type: 'specific', categories } })
    expect(Object.keys(unknown.body[0].details)).toHaveLength(1_000)
    categories.push(1)
    const more = await call('PUT', `/${group.body.id}`, { category_access: { type: 'specific', categories } })
    expect(more.body).toEqual(refused(400, { 'category_access.categories': expect.any(String) }))
  })
})

describe('of rules it is wrong', () => {
  const discount = { method: 'percent', amount: 5 } as const
  const missing = 'error.path.missing'
  const some = expect.any(String)
  test.each<[string, NewRule[], object]>([
    ['nothing with one price list', [{ type: 'price_list', price_list_id: 2 }], {}],
    [
      'nothing with one for all, and any for categories and products',
      [
        { type: 'all', ...discount },
        { type: 'category', category_id: 1, ...discount },
        { type: 'category', category_id: 2, ...discount },
        { type: 'product', product_id: 1, method: 'fixed', amount: 500 },
      ],
      {},
    ],
    ['to name no list', [{ type: 'price_list' }], { 'discount_rules.0.price_list_id': missing }],
    [
      'to name two lists',
      [
        { type: 'price_list', price_list_id: 2 },
        { type: 'price_list', price_list_id: 3 },
      ],
      { discount_rules: some },
    ],
    [
      'to mix a list with discounts',
      [
        { type: 'price_list', price_list_id: 2 },
        { type: 'all', ...discount },
      ],
      { discount_rules: some },
    ],
    [
      'to have two for all',
      [
        { type: 'all', ...discount },
        { type: 'all', ...discount },
      ],
      { 'discount_rules.1.type': some },
    ],
    [
      'to have two for one category or product',
      [
        { type: 'category', category_id: 1, ...discount },
        { type: 'product', product_id: 1, ...discount },
        { type: 'category', category_id: 1, ...discount },
        { type: 'product', product_id: 1, ...discount },
      ],
      { 'discount_rules.2.type': some, 'discount_rules.3.type': some },
    ],
    [
      'to leave out what a type needs',
      [{ type: 'category', amount: 1 }],
      { 'discount_rules.0.category_id': missing, 'discount_rules.0.method': missing },
    ],
    [
      'to bring what a type has not',
      [{ type: 'all', ...discount, product_id: 1 }],
      { 'discount_rules.0.product_id': some },
    ],
    [
      'to take off more than all',
      [{ type: 'all', method: 'percent', amount: 100.0001 }],
      { 'discount_rules.0.amount': some },
    ],
    ['nothing to take off all', [{ type: 'all', method: 'percent', amount: 100 }], {}],
  ])('%s', (_, rules, mistakes) => {
    expect(faultyRules(rules)).toEqual(mistakes)
  })
})
