import { beforeEach, describe, expect, test } from 'vitest'
import { sql } from '../../core/db/sql.ts'
import { invalid, onlyPage, problem } from '../../test/document/expected.ts'
import { openShop, type Shop } from '../../test/fixtures/shop.ts'
import { dbOf, rowsOf } from '../../test/fixtures/webhooks.ts'

// docs/contract/customer-addresses.md. The older family is in addresses-v2.test.ts.

const PATH = '/customers/addresses'
const sydney = {
  first_name: 'Ann',
  last_name: 'Lee',
  address1: '12 Harbour Street',
  city: 'Sydney',
  state_or_province: 'New South Wales',
  postal_code: '2000',
  country_code: 'AU',
}
const home = { customer_id: 1, ...sydney }
const whole = {
  id: 1,
  ...home,
  company: '',
  address2: '',
  country: 'Australia',
  phone: '',
  address_type: 'residential',
}

let shop: Shop
let call: Shop['call']
const customers = async (count = 2) => {
  const bodies = Array.from({ length: count }, (_, i) => ({ email: `c${i}@x.test`, first_name: 'C', last_name: 'D' }))
  expect((await call('POST', '/customers', bodies)).status).toBe(200)
}
const countOf = async (id: number) => (await call('GET', `/customers?id:in=${id}`)).body.data[0].address_count
const idsAt = async (query: string) =>
  (await call('GET', `${PATH}?${query}`)).body.data.map(({ id }: { id: number }) => id)
const events = async () =>
  (await rowsOf(shop, 'events'))
    .filter(({ scope }) => String(scope).startsWith('store/customer/address/'))
    .map(({ scope, data, resource }) => [String(scope).split('/').at(-1), resource, JSON.parse(String(data))])

beforeEach(async () => {
  shop = await openShop()
  call = shop.call
  await customers()
})

describe('an address', () => {
  test('is answered whole, counted with its customer, told of, changed and deleted', async () => {
    expect(await call('POST', PATH, [home])).toMatchObject({ status: 200, body: { data: [whole], meta: {} } })
    expect((await call('GET', PATH)).body).toEqual({ data: [whole], meta: { pagination: onlyPage(1) } })
    expect(await countOf(1)).toBe(1)
    const full = {
      ...home,
      first_name: 'Bo',
      last_name: 'Li',
      company: 'Li & Co',
      address1: '1 Rue Neuve',
      address2: 'b',
      city: 'Paris',
      state_or_province: 'Ile-de-France',
      postal_code: '75001',
      country_code: 'fr',
      phone: '+33 1',
      address_type: 'commercial',
    }
    // The customer stays; the country is written as the list has it.
    const changed = { ...full, id: 1, customer_id: 1, country_code: 'FR', country: 'France' }
    expect((await call('PUT', PATH, [{ ...full, id: 1, customer_id: 2 }])).body).toEqual({ data: [changed], meta: {} })
    expect((await call('PUT', PATH, [{ id: 1, city: 'Paris' }])).body.data).toEqual([changed])
    expect((await call('GET', PATH)).body.data).toEqual([changed])
    expect((await call('DELETE', `${PATH}?id:in=1,77`)).status).toBe(204)
    expect((await call('GET', PATH)).body.data).toEqual([])
    expect(await countOf(1)).toBe(0)
    const data = { type: 'customer', id: 1, address: { customer_id: 1 } }
    expect(await events()).toEqual(['created', 'updated', 'deleted'].map((deed) => [deed, 'customer 1', data]))
    expect((await rowsOf(shop, 'events')).map(({ scope }) => scope)).not.toContain('store/customer/updated')
  })

  test('is written as the list of states has it, and free text elsewhere', async () => {
    const states = async (fields: object) =>
      (await call('POST', PATH, [{ ...home, ...fields }])).body.data[0].state_or_province
    expect(await states({ state_or_province: 'new south wales', address2: 'a' })).toBe('New South Wales')
    expect(await states({ country_code: 'CA', state_or_province: 'Québec' })).toBe('Quebec')
    expect(await states({ country_code: 'DK', state_or_province: 'Hovedstaden' })).toBe('Hovedstaden')
    expect(await states({ country_code: 'DK', state_or_province: '' })).toBe('')
    expect(await states({ country_code: 'HK', state_or_province: '', postal_code: '' })).toBe('')
  })
})

describe('an equal address', () => {
  test('of the same customer is left out, in a body too, and nothing changes', async () => {
    await call('POST', PATH, [home])
    const nfd = { ...home, first_name: 'Zoé'.normalize('NFD') }
    const composed = { ...home, first_name: 'Zoé' }
    expect((await call('POST', PATH, [home, { ...home, company: '', phone: '' }])).body).toEqual({ data: [], meta: {} })
    const two = await call('POST', PATH, [nfd, composed, { ...home, customer_id: 2 }])
    expect(two.body.data.map(({ id, customer_id }: typeof whole) => [id, customer_id])).toEqual([
      [2, 1],
      [3, 2],
    ])
    expect([await countOf(1), await countOf(2)]).toEqual([2, 1])
    expect((await events()).map(([, resource]) => resource)).toEqual(['customer 1', 'customer 1', 'customer 2'])
  })

  test.each([
    ['first_name', 'ann'],
    ['last_name', 'lee'],
    ['company', 'X'],
    ['phone', '1'],
    ['address_type', 'commercial'],
    ['address1', '12 harbour street'],
    ['address2', 'x'],
    ['city', 'sydney'],
    ['postal_code', '2001'],
    ['state_or_province', 'Victoria'],
    ['country_code', 'DK'],
  ])('is none that differs in %s', async (field, value) => {
    await call('POST', PATH, [home])
    expect((await call('POST', PATH, [{ ...home, [field]: value }])).body.data).toHaveLength(1)
  })

  test('is not made by a change, which then changes nothing; items are worked through in their order', async () => {
    await call('POST', PATH, [home, { ...home, city: 'Perth' }, { ...home, city: 'Darwin' }])
    const cities = async () => (await call('GET', PATH)).body.data.map(({ city }: typeof whole) => city)
    expect((await call('PUT', PATH, [{ id: 2, city: 'Sydney' }])).body).toEqual({ data: [], meta: {} })
    expect(await cities()).toEqual(['Sydney', 'Perth', 'Darwin'])
    // The place that the first gives up is free for the second, and what the second takes is taken for the third.
    const moved = await call('PUT', PATH, [
      { id: 1, city: 'Hobart' },
      { id: 2, city: 'Sydney' },
      { id: 3, city: 'Sydney' },
    ])
    expect(moved.body.data.map(({ id }: typeof whole) => id)).toEqual([1, 2])
    expect(await cities()).toEqual(['Hobart', 'Sydney', 'Darwin'])
    expect((await events()).filter(([deed]) => deed === 'updated')).toHaveLength(2)
  })
})

test('addresses are found by every filter, in the order of their ids', async () => {
  await call('POST', PATH, [
    { ...home, company: 'Acme' },
    { ...home, customer_id: 2, first_name: 'Bo', company: 'Acme Ltd' },
    { ...home, last_name: 'Moe' },
  ])
  for (const [query, ids] of [
    ['', [1, 2, 3]],
    ['id:in=3,1,99', [1, 3]],
    ['customer_id:in=1', [1, 3]],
    ['customer_id:in=1,2', [1, 2, 3]],
    ['customer_id:in=9', []],
    ['company:in=acme', [1]],
    ['company:in=acme,acme ltd', [1, 2]],
    ['name:in=ann lee', [1]],
    ['name:in=Bo Lee,Ann Moe', [2, 3]],
    ['name:in=Ann', []],
    ['name:in=ann moe&customer_id:in=2', []],
    ['limit=2', [1, 2]],
    ['limit=2&page=2', [3]],
  ] as const) {
    expect([query, await idsAt(query)]).toEqual([query, ids])
  }
  for (const name of ['customer_id=1', 'id=1', 'name=x', 'sort=id', 'include=customers', 'id:in=abc', 'id:in=']) {
    const { status, body } = await call('GET', `${PATH}?${name}`)
    expect([name, status, body.errors]).toEqual([name, 422, {}])
  }
  expect((await call('GET', `${PATH}?customer_id=1`)).body.title).toContain('customer_id')
  expect((await call('GET', `${PATH}?id:in=abc`)).body.title).toContain('id:in')
  expect((await call('GET', `${PATH}?limit=251`)).status).toBe(413)
})

describe('is refused, and nothing is saved:', () => {
  const MISSING = 'error.path.missing'
  test('bodies of addresses', async () => {
    const refused = async (method: 'POST' | 'PUT', body: unknown) => {
      const { status, body: answer } = await call(method, PATH, body)
      return status === 422 ? answer.errors : status
    }
    expect(await refused('POST', {})).toEqual({ '': 'error.expected.jsarray' })
    expect(await refused('POST', [])).toEqual({ '': expect.any(String) })
    expect(await refused('PUT', [])).toEqual({ '': expect.any(String) })
    expect(await refused('POST', [{}])).toEqual(
      Object.fromEntries(Object.keys(home).map((field) => [`0.${field}`, MISSING])),
    )
    expect(await refused('PUT', [{ city: 'X' }])).toEqual({ '0.id': MISSING })
    const long = (length: number) => 'x'.repeat(length)
    for (const [field, value] of [
      ['first_name', ''],
      ['first_name', ' '],
      ['first_name', long(256)],
      ['last_name', ''],
      ['last_name', long(256)],
      ['address1', ''],
      ['address1', long(256)],
      ['address2', long(256)],
      ['company', long(256)],
      ['phone', long(51)],
      ['city', long(101)],
      ['state_or_province', long(101)],
      ['state_or_province', 'NSW'],
      ['state_or_province', ''],
      ['postal_code', long(31)],
      ['postal_code', ''],
      ['country_code', 'A'],
      ['country_code', 'AUS'],
      ['country_code', 'XX'],
      ['address_type', 'office'],
      ['customer_id', 9],
      ['customer_id', '1'],
    ] as const) {
      const sent = [home, { ...home, [field]: value }]
      expect([field, value, await refused('POST', sent)]).toEqual([
        field,
        value,
        { [`1.${field}`]: expect.any(String) },
      ])
    }
    expect((await call('POST', PATH, [{ ...home, state_or_province: 'NSW', postal_code: '' }])).body).toEqual(
      invalid({
        '0.state_or_province': 'Give the full name of a state of Australia, not "NSW".',
        '0.postal_code': 'Addresses in Australia have a postal code.',
      }),
    )
    expect(await idsAt('')).toEqual([])

    // The bounds themselves.
    const widest = {
      ...home,
      country_code: 'DK',
      first_name: long(255),
      last_name: long(255),
      address1: long(255),
      address2: long(255),
      company: long(255),
      phone: long(50),
      city: long(100),
      state_or_province: long(100),
      postal_code: long(30),
    }
    expect((await call('POST', PATH, [widest])).body.data).toEqual([
      { ...whole, ...widest, country: 'Denmark', id: expect.any(Number) },
    ])
    const { id } = (await call('GET', PATH)).body.data[0]
    expect(await refused('PUT', [{ id: 99 }, { id, city: 'X' }])).toEqual({ '0.id': 'The address 99 does not exist.' })
    expect(await refused('PUT', [{ id }, { id }])).toEqual({ '1.id': expect.any(String) })
    // A change is checked together with the stored fields.
    expect(await refused('PUT', [{ id, country_code: 'AU' }])).toEqual({ '0.state_or_province': expect.any(String) })
    expect(await refused('PUT', [{ id, postal_code: ' ' }])).toEqual({ '0.postal_code': expect.any(String) })
    expect((await call('GET', PATH)).body.data).toHaveLength(1)
  })

  test('more than 50 items, more than 1,000 addresses of a customer', async () => {
    const many = (count: number, from = 0) =>
      Array.from({ length: count }, (_, i) => ({ ...home, address2: `${from + i}` }))
    expect((await call('POST', PATH, many(51))).status).toBe(413)
    expect(
      (
        await call(
          'PUT',
          PATH,
          Array.from({ length: 51 }, (_, i) => ({ id: i + 1 })),
        )
      ).status,
    ).toBe(413)
    expect((await call('POST', PATH, many(50))).body.data).toHaveLength(50)
    const db = await dbOf(shop)
    await db.transaction((tx) =>
      tx.rows(sql`update customers set address_count = 999 where store_id = ${shop.store.id} and id = 1`),
    )
    expect((await call('POST', PATH, many(2, 50))).body).toEqual(
      problem(403, 'The customer 1 can have at most 1000 addresses.'),
    )
    expect((await call('POST', PATH, many(1, 50))).status).toBe(200)
    // One that is there already makes none more.
    expect((await call('POST', PATH, many(1, 50))).body.data).toEqual([])
    expect((await call('POST', PATH, many(1, 51))).status).toBe(403)
  })

  test('a DELETE without ids, with too many, or with another name', async () => {
    await call('POST', PATH, [home])
    const ids = Array.from({ length: 251 }, (_, i) => i + 1)
    for (const [query, status] of [
      ['', 422],
      ['?id:in=', 422],
      ['?customer_id:in=1', 422],
      [`?id:in=${ids}`, 413],
    ] as const) {
      expect([query, (await call('DELETE', `${PATH}${query}`)).status]).toEqual([query, status])
    }
    expect(await idsAt('')).toEqual([1])
  })
})

describe('form fields of an address', () => {
  test('are written with it, shown where they were sent or asked for, and go with it', async () => {
    await call('PUT', '/settings/form-fields', {
      address: [
        { name: 'Note', type: 'text' },
        { name: 'Bell', type: 'numbers' },
      ],
    })
    const note = (value: string) => [{ name: 'Note', value }]
    const created = await call('POST', PATH, [
      { ...home, form_fields: note('Ring twice') },
      { ...home, city: 'Perth' },
    ])
    const shown = { name: 'Note', value: 'Ring twice', address_id: 1 }
    expect(created.body.data).toEqual([
      { ...whole, form_fields: [shown] },
      { ...whole, id: 2, city: 'Perth' },
    ])
    expect((await call('GET', `${PATH}?include=formfields`)).body.data).toEqual([
      { ...whole, form_fields: [shown] },
      { ...whole, id: 2, city: 'Perth', form_fields: [] },
    ])
    expect((await call('GET', PATH)).body.data[0]).toEqual(whole)
    // An equal address is left out with its form fields.
    await call('POST', PATH, [{ ...home, form_fields: note('No') }])
    await call('PUT', PATH, [{ id: 2, city: 'Sydney', form_fields: note('No') }])
    const values = async () => (await call('GET', '/customers/form-field-values')).body.data
    expect(await values()).toEqual([shown])
    const changed = await call('PUT', PATH, [{ id: 1, form_fields: [...note('Knock'), { name: 'Bell', value: 3 }] }])
    const both = [
      { name: 'Note', value: 'Knock', address_id: 1 },
      { name: 'Bell', value: 3, address_id: 1 },
    ]
    expect(changed.body.data).toEqual([{ ...whole, form_fields: both }])
    await call('PUT', PATH, [{ id: 1, form_fields: note('Knock') }])
    expect((await events()).map(([deed]) => deed)).toEqual(['created', 'created', 'updated'])
    const refused = await call('PUT', PATH, [
      {
        id: 1,
        form_fields: [
          { name: 'note', value: 'x' },
          { name: 'Bell', value: 'x' },
        ],
      },
    ])
    expect(refused.body).toEqual(
      invalid({
        '0.form_fields.0.name': 'There is no form field "note" here.',
        '0.form_fields.1.value': 'error.expected.jsnumber',
      }),
    )
    await call('DELETE', `${PATH}?id:in=1`)
    expect(await values()).toEqual([])
  })
})

test('the same new address sent 50 times at once is one', async () => {
  const answers = await Promise.all(Array.from({ length: 50 }, () => call('POST', PATH, [home])))
  const stored = answers.filter(({ status }) => status === 200)
  // Some may have waited too long for their turn.
  expect(answers.every(({ status }) => status === 200 || status === 429)).toBe(true)
  expect(stored.flatMap(({ body }) => body.data)).toEqual([whole])
  expect(await countOf(1)).toBe(1)
  expect((await call('GET', PATH)).body.meta.pagination.total).toBe(1)
})

test('addresses go with their customer, also with those that are sent meanwhile, and nothing is told of them', async () => {
  await call('POST', PATH, [home, { ...home, customer_id: 2 }])
  const before = (await events()).length
  const bodies = Array.from({ length: 10 }, (_, i) => [{ ...home, address2: `${i}` }])
  const [gone, ...others] = await Promise.all([
    call('DELETE', '/customers?id:in=1'),
    ...bodies.map((body) => call('POST', PATH, body)),
  ])
  expect(gone.status).toBe(204)
  for (const { status } of others) expect([200, 422, 429]).toContain(status)
  expect(await idsAt('')).toEqual([2])
  expect((await call('GET', PATH)).body.meta.pagination.total).toBe(1)
  expect((await events()).filter(([deed]) => deed === 'deleted')).toEqual([])
  expect((await events()).length - before).toBe(others.filter(({ status }) => status === 200).length)
})
