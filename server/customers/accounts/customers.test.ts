import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { invalid, onlyPage, problem } from '../../test/document/expected.ts'
import { openShop, type Shop, theHouse } from '../../test/fixtures/shop.ts'
import { dbOf, rowsOf } from '../../test/fixtures/webhooks.ts'
import { emptyGroup, removeChannelFromCustomers } from './membership.ts'

// docs/contract/customers.md sections 1 to 3. Who may log in where is in logins.test.ts, the older family in customers-v2.test.ts.

const ann = { email: 'Ann@x.test', first_name: 'Ann', last_name: 'Lee' }
const bo = { email: 'bo@x.test', first_name: 'Bo', last_name: 'Ek' }
const MOMENT = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
const text = (length: number) => 'a'.repeat(length)
const ids = (data: { id: number }[]) => data.map(({ id }) => id)

const whole = {
  id: 1,
  ...ann,
  company: '',
  phone: '',
  registration_ip_address: '',
  notes: '',
  tax_exempt_category: '',
  customer_group_id: 0,
  date_modified: MOMENT,
  date_created: MOMENT,
  address_count: 0,
  attribute_count: 0,
  authentication: { force_password_reset: false },
  accepts_product_review_abandoned_cart_emails: false,
  origin_channel_id: 1,
  channel_ids: null,
}

const sent = {
  ...ann,
  company: 'Lee & Co',
  phone: '+45 12 34',
  notes: 'Calls on Fridays',
  tax_exempt_category: 'C',
  accepts_product_review_abandoned_cart_emails: true,
  channel_ids: [1],
}

/** The events of customers, in their order. */
const published = async (shop: Shop) =>
  (await rowsOf(shop, 'events'))
    .sort((one, other) => Number(one.number) - Number(other.number))
    .map(({ scope, data }) => [scope, JSON.parse(String(data))])

describe('a customer', () => {
  test('is answered whole with default values, and listed the same', async () => {
    const { call } = await openShop()
    const created = await call('POST', '/customers', [ann])
    expect(created).toMatchObject({ status: 200, body: { data: [whole], meta: {} } })
    expect(Object.keys(created.body.data[0])).toEqual(Object.keys(whole))
    const listed = await call('GET', '/customers')
    expect(listed.body.data).toEqual([whole])
    expect(listed.body.meta.pagination).toEqual(onlyPage(1))
    expect(listed.body.meta.cursor_pagination).toMatchObject({ count: 1, per_page: 50 })
  })

  test('keeps every field as it was sent, and shows the password to nobody', async () => {
    const shop = await openShop()
    const { call } = shop
    const body = {
      ...sent,
      authentication: { force_password_reset: true, new_password: 'secret 1' },
      store_credit_amounts: [{ amount: 12.34567 }],
      registration_ip_address: '10.0.0.1',
      id: 7,
    }
    const data = { ...whole, ...sent, authentication: { force_password_reset: true } }
    const withCredit = { ...data, store_credit_amounts: [{ amount: 12.3457 }] }
    expect((await call('POST', '/customers', [body])).body.data).toEqual([withCredit])
    expect((await call('GET', '/customers')).body.data).toEqual([data])
    expect((await call('GET', '/customers?include=storecredit')).body.data).toEqual([withCredit])
    expect((await call('GET', '/customers?include=cart')).status).toBe(422)
    const [row] = await rowsOf(shop, 'customers')
    expect(row?.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  })

  test('changes the fields of an item, its date and its event only if they differ', async () => {
    const shop = await openShop()
    const { call } = shop
    await call('POST', '/customers', [ann, bo])
    const before = await published(shop)
    ;(await theHouse()).clock.move(60_000)
    const put = async (item: object) => (await call('PUT', '/customers', [{ id: 1, ...item }])).body.data[0]
    expect(await put({ notes: '' })).toEqual(await put({}))
    const { date_created, date_modified } = await put({ company: 'Lee', channel_ids: null, origin_channel_id: 9 })
    expect(Date.parse(date_modified)).toBeGreaterThan(Date.parse(date_created))
    expect(await put({ channel_ids: [1] })).toEqual({ ...whole, company: 'Lee', channel_ids: [1] })
    await put({ channel_ids: null })
    const customer = { type: 'customer', id: 1 }
    expect((await published(shop)).slice(before.length)).toEqual([
      ['store/customer/updated', customer],
      ['store/customer/updated', customer],
      ['store/customer/channel/login/access/updated', { customer_id: 1, channel_ids: [1] }],
      ['store/customer/updated', customer],
      ['store/customer/channel/login/access/updated', { customer_id: 1, channel_ids: [] }],
    ])
  })

  test('is found by the new name after a change of the name', async () => {
    const { call } = await openShop()
    await call('POST', '/customers', [ann])
    await call('PUT', '/customers', [{ id: 1, last_name: 'Grün' }])
    expect(ids((await call('GET', '/customers?name:in=ann%20GRÜN')).body.data)).toEqual([1])
    expect((await call('GET', '/customers?name:like=lee')).body.data).toEqual([])
  })

  test('has a forced reset of the password until a new one is set', async () => {
    const { call } = await openShop()
    await call('POST', '/customers', [{ ...ann, authentication: { force_password_reset: true } }])
    const flag = async (authentication: object) =>
      (await call('PUT', '/customers', [{ id: 1, authentication }])).body.data[0].authentication.force_password_reset
    expect(await flag({})).toBe(true)
    expect(await flag({ new_password: 'secret 1' })).toBe(false)
    expect(await flag({ new_password: 'secret 1', force_password_reset: true })).toBe(true)
  })
})

describe('sub-resources of a customer', () => {
  const address = {
    first_name: 'Ann',
    last_name: 'Lee',
    address1: '12 Harbour Street',
    city: 'Sydney',
    state_or_province: 'New South Wales',
    postal_code: '2000',
    country_code: 'AU',
  }
  const define = async (call: Shop['call']) => {
    await call('POST', '/customers/attributes', [{ name: 'Size', type: 'number' }])
    const field = { label: '', type: 'text', required: false, options: [] }
    await call('PUT', '/settings/form-fields', {
      customer: [{ ...field, name: 'Club' }],
      address: [{ ...field, name: 'Gate' }],
    })
  }

  test('is stored with it, counted, answered if it was sent, and shown on demand', async () => {
    const shop = await openShop()
    const { call } = shop
    await define(call)
    const body = {
      ...ann,
      addresses: [{ ...address, form_fields: [{ name: 'Gate', value: '4' }] }, address, { ...address, city: 'Perth' }],
      attributes: [{ attribute_id: 1, attribute_value: '42' }],
      form_fields: [{ name: 'Club', value: 'Rowing' }],
    }
    const created = await call('POST', '/customers', [body])
    expect(created).toMatchObject({ status: 200 })
    const shown = {
      ...whole,
      address_count: 2,
      attribute_count: 1,
      addresses: [
        { ...address, id: 1, customer_id: 1, country: 'Australia' },
        { ...address, id: 2, customer_id: 1, city: 'Perth' },
      ],
      attributes: [{ id: 1, customer_id: 1, attribute_id: 1, attribute_value: '42' }],
      form_fields: [{ name: 'Club', value: 'Rowing', customer_id: 1 }],
    }
    expect(created.body.data).toMatchObject([shown])
    const include = 'addresses,attributes,formfields'
    expect((await call('GET', `/customers?include=${include}`)).body.data).toEqual(created.body.data)
    const older = await call('GET', '/customers/1', undefined, { version: 'v2' })
    expect(older.body.form_fields).toEqual([{ name: 'Club', value: 'Rowing' }])
    expect(await published(shop)).toMatchObject([
      ['store/customer/created', { id: 1 }],
      ['store/customer/address/created', { id: 1, address: { customer_id: 1 } }],
      ['store/customer/address/created', { id: 2 }],
    ])
  })

  test('is refused with its customer, who then is not stored', async () => {
    const { call } = await openShop()
    const wrong = {
      ...ann,
      addresses: [{ ...address, country_code: 'XX' }],
      attributes: [{ attribute_id: 7, attribute_value: '' }],
      form_fields: [{ name: 'None', value: 'x' }],
    }
    const { status, body } = await call('POST', '/customers', [bo, wrong])
    expect([status, Object.keys(body.errors).sort()]).toEqual([
      422,
      ['1.addresses.0.country_code', '1.attributes.0.attribute_id', '1.form_fields.0.name'],
    ])
    expect((await call('POST', '/customers', [{ ...ann, addresses: Array(11).fill(address) }])).status).toBe(422)
    expect((await call('GET', '/customers')).body.data).toEqual([])
  })

  test('is not changed with it, but for form fields', async () => {
    const shop = await openShop()
    const { call } = shop
    await define(call)
    await call('POST', '/customers', [{ ...ann, addresses: [address] }])
    const before = (await published(shop)).length
    ;(await theHouse()).clock.move(60_000)
    const put = async (item: object) => (await call('PUT', '/customers', [{ id: 1, ...item }])).body
    const form_fields = [{ name: 'Club', value: 'Chess' }]
    const changed = await put({ form_fields, addresses: [], attributes: [{ attribute_id: 1, attribute_value: '1' }] })
    expect(changed.data).toMatchObject([
      { address_count: 1, attribute_count: 0, form_fields: [{ ...form_fields[0], customer_id: 1 }] },
    ])
    expect(await put({ form_fields })).toEqual(changed)
    expect(Date.parse(changed.data[0].date_modified)).toBeGreaterThan(Date.parse(changed.data[0].date_created))
    expect((await published(shop)).slice(before)).toEqual([['store/customer/updated', { type: 'customer', id: 1 }]])
    expect((await put({ form_fields: [{ name: 'Gate', value: '1' }] })).errors).toHaveProperty(['0.form_fields.0.name'])
  })

  test('goes with it', async () => {
    const shop = await openShop()
    const { call } = shop
    await define(call)
    const form_fields = [{ name: 'Club', value: 'Chess' }]
    await call('POST', '/customers', [
      { ...ann, addresses: [address], attributes: [{ attribute_id: 1, attribute_value: '1' }], form_fields },
    ])
    await call('DELETE', '/customers?id:in=1')
    for (const table of ['customer_addresses', 'customer_attribute_values', 'customer_form_field_values']) {
      expect(await rowsOf(shop, table), table).toEqual([])
    }
  })
})

describe('store credit', () => {
  test('is changed by a list of one amount, and each change is written down, also the last', async () => {
    const shop = await openShop()
    const { call } = shop
    await call('POST', '/customers', [{ ...ann, store_credit_amounts: [{ amount: '10.50' }] }])
    const put = async (store_credit_amounts: object[]) =>
      (await call('PUT', '/customers', [{ id: 1, store_credit_amounts }])).body.data[0].store_credit_amounts
    expect(await put([])).toEqual([{ amount: 10.5 }])
    expect(await put([{ amount: 10.5 }])).toEqual([{ amount: 10.5 }])
    expect(await put([{ amount: 4 }])).toEqual([{ amount: 4 }])
    await call('DELETE', '/customers?id:in=1')
    const changes = await rowsOf(shop, 'store_credit_changes')
    expect(
      changes.map(({ version, amount_before, amount_after, cause }) => [version, amount_before, amount_after, cause]),
    ).toEqual([
      [1, 0, 10.5, 'api'],
      [2, 10.5, 4, 'api'],
      [3, 4, 0, 'deletion'],
    ])
    expect(changes[0]?.client_id).toBe(shop.admin.client_id)
  })
})

describe('a batch', () => {
  let shop: Shop
  let call: Shop['call']
  beforeEach(async () => {
    shop = await openShop()
    call = shop.call
  })

  test('is stored in its order, or not at all', async () => {
    const cy = { ...bo, email: 'cy@x.test' }
    expect(ids((await call('POST', '/customers', [bo, ann, cy])).body.data)).toEqual([1, 2, 3])
    expect(
      await call('POST', '/customers', [
        { ...cy, email: 'di@x.test' },
        { ...cy, customer_group_id: 9 },
      ]),
    ).toMatchObject({
      status: 422,
    })
    expect(ids((await call('PUT', '/customers', [{ id: 3 }, { id: 1 }])).body.data)).toEqual([3, 1])
    expect((await call('GET', '/customers')).body.meta.pagination.total).toBe(3)
    const created = (await published(shop)).map(([scope, data]) => [scope, data.id])
    expect(created).toEqual([1, 2, 3].map((id) => ['store/customer/created', id]))
  })

  test('with an address that is taken is refused in the words that clients look for', async () => {
    await call('POST', '/customers', [ann])
    const taken = await call('POST', '/customers', [bo, { ...bo, email: 'ANN@X.TEST' }])
    const sentence = 'ANN@X.TEST is already in use'
    expect(taken).toMatchObject({
      status: 422,
      body: problem(422, 'Creating the customers failed.', { '.customer_create': sentence, '1.email': sentence }),
    })
    await call('POST', '/customers', [bo])
    expect((await call('PUT', '/customers', [{ id: 2, email: 'ann@x.test' }])).body).toEqual(
      invalid({ '0.email': 'ann@x.test is already in use' }),
    )
    // Each other's addresses are free when both change.
    const swapped = [
      { id: 1, email: 'bo@x.test' },
      { id: 2, email: 'ann@x.test' },
    ]
    expect((await call('PUT', '/customers', swapped)).status).toBe(200)
  })

  test('is refused with all that is wrong', async () => {
    const wrong = [
      { email: 'nobody', first_name: ' ', last_name: 'x', authentication: { new_password: 'x' } },
      { first_name: 5, channel_ids: [], notes: null },
    ]
    expect((await call('POST', '/customers', wrong)).body).toEqual(
      invalid({
        '0.email': 'email is not well formed: "nobody".',
        '0.first_name': 'first_name must not be blank.',
        '1.email': 'error.path.missing',
        '1.last_name': 'error.path.missing',
        '1.first_name': 'error.expected.jsstring',
        '1.channel_ids': 'channel_ids must hold at least 1.',
        '1.notes': 'error.expected.jsstring',
      }),
    )
    const unknown = [
      { ...ann, customer_group_id: 4, origin_channel_id: 5, channel_ids: [1, 6] },
      { ...ann, authentication: { new_password: 'onlyletters' } },
    ]
    expect((await call('POST', '/customers', unknown)).body).toEqual(
      invalid({ '1.authentication.new_password': 'A password must have at least one letter and one digit.' }),
    )
    unknown.splice(1, 1, { ...bo, authentication: { new_password: '7 letters' } })
    expect((await call('POST', '/customers', unknown)).body).toEqual(
      invalid({
        '0.origin_channel_id': 'The channel 5 does not exist.',
        '0.channel_ids.1': 'The channel 6 does not exist.',
        '0.customer_group_id': 'The customer group 4 does not exist.',
      }),
    )
    expect((await call('GET', '/customers')).body.data).toEqual([])
  })

  test('of changes is refused with all that is wrong', async () => {
    await call('POST', '/customers', [ann])
    expect((await call('PUT', '/customers', [{ notes: 'x' }])).body).toEqual(invalid({ '0.id': 'error.path.missing' }))
    expect((await call('PUT', '/customers', [{ id: 9 }, { id: 1 }, { id: 1, channel_ids: [8] }])).body).toEqual(
      invalid({
        '0.id': 'The customer 9 does not exist.',
        '2.id': 'Another item has this id.',
        '2.channel_ids.0': 'The channel 8 does not exist.',
      }),
    )
  })

  test.each([
    ['POST', {}],
    ['POST', []],
    ['PUT', {}],
    ['PUT', []],
  ])('%s of %j is no list of customers', async (method, body) => {
    expect(await call(method, '/customers', body)).toMatchObject({
      status: 422,
      body: { errors: { '': expect.any(String) } },
    })
  })

  test.each(['POST', 'PUT'])('%s of 11 is too much', async (method) => {
    expect((await call(method, '/customers', Array(11).fill({ id: 1, ...ann }))).status).toBe(413)
  })
})

describe('the bounds of a field (docs/contract/customers.md section 2)', () => {
  let shop: Shop
  beforeAll(async () => {
    shop = await openShop()
    await shop.call('POST', '/customers', [ann])
  })
  const address = (length: number) => `${text(length - 7)}@x.test`

  test.each([
    ['email', address(10), address(250), address(251)],
    ['first_name', 'x', text(100), text(101)],
    ['last_name', 'x', text(100), text(101)],
    ['company', '', text(255), text(256)],
    ['phone', '', text(50), text(51)],
    ['notes', '', text(65_535), text(65_536)],
    ['tax_exempt_category', '', text(255), text(256)],
  ])('%s', async (field, shortest, longest, tooLong) => {
    const { call } = shop
    const next = { ...bo, email: `${field}@x.test` }
    for (const value of [shortest, longest]) {
      const { status, body } = await call('POST', '/customers', [{ ...next, [field]: value }])
      expect([status, body.data?.[0][field]]).toEqual([200, value])
      next.email = `${field}2@x.test`
    }
    const refused = await call('POST', '/customers', [{ ...next, [field]: tooLong }])
    expect(refused).toMatchObject({
      status: 422,
      body: { errors: { [`0.${field}`]: expect.stringContaining('at most') } },
    })
  })

  test('an address may be longer in a change', async () => {
    const put = async (email: string) => (await shop.call('PUT', '/customers', [{ id: 1, email }])).status
    expect([await put(address(255)), await put(address(256)), await put('a@b'), await put('a@')]).toEqual([
      200, 422, 200, 422,
    ])
  })

  test('a password, which is not repeated in the refusal', async () => {
    const put = async (new_password: string) => {
      const { status, text } = await shop.call('PUT', '/customers', [{ id: 1, authentication: { new_password } }])
      if (status !== 200) expect(text).not.toContain(new_password)
      return status
    }
    expect(await put('short1')).toBe(422)
    expect(await put('seven 7')).toBe(200)
    expect(await put(`${text(254)}1`)).toBe(200)
    expect(await put(`${text(255)}1`)).toBe(422)
    expect(await put('12345678')).toBe(422)
  })

  test('store credit', async () => {
    const put = async (store_credit_amounts: unknown) =>
      (await shop.call('PUT', '/customers', [{ id: 1, store_credit_amounts }])).status
    expect(await put([{ amount: -0.01 }])).toBe(422)
    expect(await put([{ amount: 1 }, { amount: 2 }])).toBe(422)
    expect(await put([{ amount: 99_999_999_999 }])).toBe(200)
    expect(await put([{ amount: 100_000_000_000 }])).toBe(422)
  })
})

describe('the list', () => {
  let shop: Shop
  let call: Shop['call']
  beforeAll(async () => {
    shop = await openShop()
    call = shop.call
    const { clock } = await theHouse()
    await call('POST', '/customers', [{ ...sent, last_name: 'lee' }])
    clock.move(3_600_000)
    await call('POST', '/customers', [bo])
    clock.move(3_600_000)
    await call('POST', '/customers', [{ email: 'cy@x.test', first_name: 'Cy_100%', last_name: 'Lee-Ek', phone: '1' }])
    clock.move(3_600_000)
    await call('PUT', '/customers', [{ id: 2, notes: 'x' }])
    await (await dbOf(shop)).transaction((tx) =>
      tx.rows({
        name: 'groups of a test',
        text: `update customers set customer_group_id = 7, registration_ip_address = '10.0.0.1', registration_ip_address_key = '10.0.0.1'
          where store_id = $1 and id = 3 returning id`,
        values: [shop.store.id],
      }),
    )
  })

  const found = async (query: string) => {
    const { status, body } = await call('GET', `/customers?${query}`)
    return status === 200 ? ids(body.data) : status
  }

  test.each([
    ['id:in=3,1,999', [1, 3]],
    ['id:in=999', []],
    ['company:in=LEE%20%26%20co', [1]],
    ['customer_group_id:in=7', [3]],
    ['customer_group_id:in=0', [1, 2]],
    ['email:in=ANN@x.test,cy@x.test', [1, 3]],
    ['name:in=ann%20lee,bo%20ek', [1, 2]],
    ['name:in=lee', []],
    ['name:like=ee', [1, 3]],
    ['name:like=nn%20l', [1]],
    ['name:like=_100%25', [3]],
    ['name:like=bo,ann', [1, 2]],
    ['name:like=lee&email:in=cy@x.test', [3]],
    ['name:like=lee&name:in=ann%20lee', [1]],
    ['phone:in=1', [3]],
    ['registration_ip_address:in=10.0.0.1', [3]],
    ['sort=last_name:asc', [2, 1, 3]],
    ['sort=last_name:desc', [3, 1, 2]],
    ['sort=date_created:asc', [1, 2, 3]],
    ['sort=date_created:desc', [3, 2, 1]],
    ['sort=date_modified:asc', [1, 3, 2]],
    ['sort=date_modified:desc', [2, 3, 1]],
    ['name:like=ee&sort=last_name:desc', [3, 1]],
    ['limit=2&page=2', [3]],
    ['page=9', []],
    // Unknown filters and invalid values.
    ['id=7', 422],
    ['email=ann@x.test', 422],
    ['name=ann', 422],
    ['id:in=abc', 422],
    ['id:in=', 422],
    ['sort=last_name', 422],
    ['sort=last_name:asc&direction=desc', 422],
    ['date_created=yesterday', 422],
    ['limit=251', 413],
    [`id:in=${Array.from({ length: 251 }, (_, i) => i + 1).join()}`, 413],
    ['after=x&before=x', 422],
  ])('by %s', async (query, expected) => {
    expect(await found(query)).toEqual(expected)
  })

  test('by time, also in Unix seconds', async () => {
    const { data } = (await call('GET', '/customers')).body
    const [first, second, third] = data.map((row: { date_created: string }) => row.date_created)
    const unix = (moment: string) => String(Date.parse(moment) / 1_000)
    expect(await found(`date_created=${second}`)).toEqual([2])
    expect(await found(`date_created=${unix(second)}`)).toEqual([2])
    expect(await found(`date_created:min=${unix(second)}`)).toEqual([2, 3])
    expect(await found(`date_created:max=${second}`)).toEqual([1, 2])
    expect(await found(`date_created:max=${unix(first)}&date_created:min=${unix(third)}`)).toEqual([])
    expect(await found(`date_modified:min=${third}`)).toEqual([2, 3])
    expect(await found(`date_modified:max=${unix(first)}`)).toEqual([1])
    expect(await found(`date_modified=${second}`)).toEqual([])
  })

  test('returns cursors on page 1, continues by them, and shows the inclusions', async () => {
    const first = (await call('GET', '/customers?limit=2&include=storecredit')).body
    expect(Object.keys(first.meta)).toEqual(['pagination', 'cursor_pagination'])
    const after = first.meta.cursor_pagination.end_cursor
    const rest = (await call('GET', `/customers?limit=2&include=storecredit&page=7&after=${after}`)).body
    expect(Object.keys(rest.meta)).toEqual(['cursor_pagination'])
    expect(rest.data).toMatchObject([{ id: 3, store_credit_amounts: [{ amount: 0 }] }])
    const { start_cursor } = rest.meta.cursor_pagination
    expect(ids((await call('GET', `/customers?limit=2&before=${start_cursor}`)).body.data)).toEqual([1, 2])
    expect(Object.keys((await call('GET', '/customers?limit=2&page=2')).body.meta)).toEqual(['pagination'])
    expect(await found(`name:like=lee&after=${first.meta.cursor_pagination.start_cursor}`)).toEqual([3])
  })
})

describe('a DELETE', () => {
  test('takes those that are there, and without ids none', async () => {
    const shop = await openShop()
    const { call } = shop
    await call('POST', '/customers', [ann, bo])
    expect(await call('DELETE', '/customers')).toMatchObject({ status: 204, text: '' })
    expect((await call('DELETE', '/customers?id=1')).status).toBe(422)
    expect((await call('DELETE', '/customers?id:in=x')).status).toBe(422)
    const tooMany = Array.from({ length: 251 }, (_, i) => i + 1).join()
    expect((await call('DELETE', `/customers?id:in=${tooMany}`)).status).toBe(413)
    expect((await call('GET', '/customers')).body.meta.pagination.total).toBe(2)
    expect((await call('DELETE', '/customers?id:in=2,999,1')).status).toBe(204)
    expect((await call('GET', '/customers')).body.data).toEqual([])
    for (const table of ['customers', 'customer_names']) expect(await rowsOf(shop, table)).toEqual([])
    expect((await published(shop)).slice(2).map(([scope, { id }]) => [scope, id])).toEqual([
      ['store/customer/deleted', 2],
      ['store/customer/deleted', 1],
    ])
    expect((await call('DELETE', '/customers?id:in=1')).status).toBe(204)
    // The address is free again, and the id is not given twice.
    expect((await call('POST', '/customers', [ann])).body.data[0].id).toBe(3)
  })
})

describe('changes of many customers publish no events and change no dates:', () => {
  test('a group and a channel that end', async () => {
    const shop = await openShop()
    const { call } = shop
    const db = await dbOf(shop)
    await call('POST', '/channels', { name: 'Two', type: 'storefront', platform: 'custom', status: 'active' })
    const two = 664_159
    await call('POST', '/customers', [
      { ...ann, channel_ids: [1, two] },
      { ...bo, channel_ids: [two] },
    ])
    const before = await published(shop)
    await db.transaction(async (tx) => {
      await tx.rows({
        name: 'members of a test',
        text: 'update customers set customer_group_id = 7 where store_id = $1 returning id',
        values: [shop.store.id],
      })
      await emptyGroup(tx, 7)
    })
    await removeChannelFromCustomers(db, two)
    const { data } = (await call('GET', '/customers')).body
    expect(data).toEqual([
      { ...whole, channel_ids: [1] },
      { ...whole, id: 2, ...bo, channel_ids: [] },
    ])
    expect(await published(shop)).toEqual(before)
    // An account can be sent back as it was read; a list with channels can't be emptied.
    expect(await call('PUT', '/customers', data)).toMatchObject({ status: 200, body: { data } })
    expect(
      (
        await call('PUT', '/customers', [
          { id: 1, channel_ids: [] },
          { id: 2, channel_ids: [] },
        ])
      ).body,
    ).toEqual(invalid({ '0.channel_ids': 'channel_ids must hold at least 1.' }))
    expect(await published(shop)).toEqual(before)
  })
})

test('a deleted channel stays in the list of a customer who has it, and comes into no other', async () => {
  const { call } = await openShop()
  await call('POST', '/channels', { name: 'Two', type: 'storefront', platform: 'custom', status: 'active' })
  const two = 664_159
  await call('POST', '/customers', [{ ...ann, channel_ids: [1, two] }, bo])
  await call('PUT', `/channels/${two}`, { status: 'deleted' })
  const put = (...items: object[]) => call('PUT', '/customers', items)
  expect(await put({ id: 1, notes: 'x', channel_ids: [1, two] })).toMatchObject({
    status: 200,
    body: { data: [{ notes: 'x', channel_ids: [1, two] }] },
  })
  expect((await put({ id: 1, channel_ids: [two] })).body.data[0].channel_ids).toEqual([two])
  expect((await put({ id: 2, channel_ids: [two] }, { id: 1, channel_ids: [two, 9] })).body).toEqual(
    invalid({
      '0.channel_ids.0': `The channel ${two} does not exist.`,
      '1.channel_ids.1': 'The channel 9 does not exist.',
    }),
  )
})
