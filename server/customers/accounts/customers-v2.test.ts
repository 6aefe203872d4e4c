import { beforeAll, describe, expect, test } from 'vitest'
import { openShop, type Shop, theHouse } from '../../test/fixtures/shop.ts'
import { rowsOf } from '../../test/fixtures/webhooks.ts'

// docs/contract/customers.md section 4.

const ann = { email: 'Ann@x.test', first_name: 'Ann', last_name: 'Lee' }
const MOMENT = expect.stringMatching(/^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d \+0000$/)

async function openV2() {
  const shop = await openShop()
  const call: Shop['call'] = (method, path, body, options) =>
    shop.call(method, path, body, { version: 'v2', ...options })
  return { shop, call }
}

describe('a customer of the older family', () => {
  test('is bare, and the same customer in both families', async () => {
    const { shop, call } = await openV2()
    const addresses = '/customers/1/addresses'
    const whole = {
      id: 1,
      company: '',
      ...ann,
      phone: '',
      date_created: MOMENT,
      date_modified: MOMENT,
      store_credit: '0.0000',
      registration_ip_address: '',
      customer_group_id: 0,
      notes: '',
      tax_exempt_category: '',
      accepts_marketing: false,
      addresses: { url: `http://shop.test/stores/${shop.store.hash}/v2${addresses}`, resource: addresses },
      form_fields: null,
      reset_pass_on_login: false,
    }
    const made = await call('POST', '/customers', ann)
    expect(made).toMatchObject({ status: 200, body: whole })
    expect(Object.keys(made.body).sort()).toEqual(Object.keys(whole).sort())
    expect((await call('GET', '/customers/1')).body).toEqual(whole)
    expect((await call('GET', '/customers')).body).toEqual([whole])
    expect((await shop.call('GET', '/customers')).body.data).toMatchObject([
      { ...ann, id: 1, origin_channel_id: 1, channel_ids: null },
    ])
  })

  test('changes the fields of the body, and v3 shows the changes', async () => {
    const { shop, call } = await openV2()
    await shop.call('POST', '/customers', [{ ...ann, accepts_product_review_abandoned_cart_emails: true }])
    const before = (await rowsOf(shop, 'events')).length
    const changes = {
      company: 'Lee',
      store_credit: '12.5',
      registration_ip_address: '10.0.0.1',
      reset_pass_on_login: true,
      // Ignored.
      id: 9,
      accepts_marketing: false,
      date_created: 'x',
      addresses: 5,
      form_fields: 5,
    }
    expect(await call('PUT', '/customers/1', changes)).toMatchObject({
      status: 200,
      body: { id: 1, company: 'Lee', store_credit: '12.5000', accepts_marketing: true, reset_pass_on_login: true },
    })
    expect((await shop.call('GET', '/customers?include=storecredit')).body.data).toMatchObject([
      {
        company: 'Lee',
        registration_ip_address: '10.0.0.1',
        authentication: { force_password_reset: true },
        store_credit_amounts: [{ amount: 12.5 }],
      },
    ])
    expect((await call('PUT', '/customers/1', changes)).status).toBe(200)
    const scopes = (await rowsOf(shop, 'events')).slice(before).map(({ scope }) => scope)
    expect(scopes).toEqual(['store/customer/updated'])
  })

  test('has a password that is confirmed, judged and never shown', async () => {
    const { call } = await openV2()
    const _authentication = { password: 'secret 12', password_confirmation: 'secret 12', force_reset: true }
    const made = await call('POST', '/customers', { ...ann, _authentication })
    expect(made.body).toMatchObject({ reset_pass_on_login: true })
    expect(made.text).not.toContain('secret')
    const judge = async (password: unknown, id = 1) => {
      const { status, body } = await call('POST', `/customers/${id}/validate`, { password })
      return status === 200 ? body : status
    }
    expect(await judge('secret 12')).toEqual({ success: true })
    expect(await judge('secret 13')).toEqual({ success: false })
    expect([await judge('secret 12', 7), await judge(5)]).toEqual([404, 400])
    await call('PUT', '/customers/1', { _authentication: { password: 'other 123' } })
    expect((await call('GET', '/customers/1')).body.reset_pass_on_login).toBe(false)
    expect(await judge('other 123')).toEqual({ success: true })
  })

  test('is deleted, and is nowhere then', async () => {
    const { shop, call } = await openV2()
    await call('POST', '/customers', ann)
    expect(await call('DELETE', '/customers/1')).toMatchObject({ status: 204, text: '' })
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const body = method === 'PUT' ? {} : undefined
      expect(await call(method, '/customers/1', body), method).toMatchObject({
        status: 404,
        body: [{ status: 404, message: 'The customer 1 does not exist.' }],
      })
    }
    expect((await shop.call('GET', '/customers')).body.data).toEqual([])
  })

  test.each([
    ['', { email: 'a@b.c' }, 400, { first_name: 'error.path.missing', last_name: 'error.path.missing' }],
    ['', { ...ann, email: 'a' }, 400, { email: expect.any(String) }],
    [
      '',
      { ...ann, email: 'b@x.test', customer_group_id: 7 },
      400,
      { customer_group_id: 'The customer group 7 does not exist.' },
    ],
    ['', { ...ann, email: 'ANN@x.test' }, 409, { email: 'ANN@x.test is already in use' }],
    ['/2', { email: 'ann@x.test' }, 409, { email: 'ann@x.test is already in use' }],
    ['/2', { _authentication: { password: 'short' } }, 400, { '_authentication.password': expect.any(String) }],
    [
      '/2',
      { _authentication: { password: 'secret 12', password_confirmation: 'secret 13' } },
      400,
      { '_authentication.password_confirmation': 'The password and its confirmation differ.' },
    ],
  ])('%s with %j is %i', async (path, body, status, details) => {
    const { call } = await openV2()
    await call('POST', '/customers', ann)
    await call('POST', '/customers', { ...ann, email: 'bo@x.test' })
    const answer = await call(path === '' ? 'POST' : 'PUT', `/customers${path}`, body)
    expect(answer).toMatchObject({ status, body: [{ status, details }] })
  })
})

describe('the list of the older family', () => {
  let shop: Shop
  let call: Shop['call']
  let moments: string[]
  beforeAll(async () => {
    const opened = await openV2()
    shop = opened.shop
    call = opened.call
    const { clock } = await theHouse()
    await call('POST', '/customers', {
      ...ann,
      company: 'Lee & Co',
      phone: '12',
      tax_exempt_category: 'C',
      store_credit: 5,
    })
    clock.move(3_600_000)
    await call('POST', '/customers', { email: 'bo@x.test', first_name: 'Bo', last_name: 'Lee' })
    clock.move(3_600_000)
    await call('POST', '/customers', { email: 'cy@x.test', first_name: 'Cy', last_name: 'Ek' })
    await call('PUT', '/customers/1', { notes: 'newer' })
    moments = (await call('GET', '/customers')).body.map((row: { date_created: string }) => row.date_created)
  })

  const found = async (query: string) => {
    const { status, body } = await call('GET', `/customers?${query}`)
    return status === 200 ? body.map(({ id }: { id: number }) => id) : status
  }

  test.each([
    ['first_name=BO', [2]],
    ['last_name=lee', [1, 2]],
    ['company=lee%20%26%20co', [1]],
    ['company=', [2, 3]],
    ['email=ann@X.test', [1]],
    ['phone=12', [1]],
    ['store_credit=5.0000', [1]],
    ['customer_group_id=0', [1, 2, 3]],
    ['tax_exempt_category=c', [1]],
    ['min_id=2', [2, 3]],
    ['max_id=2&min_id=2', [2]],
    ['last_name=lee&first_name=bo', [2]],
    ['last_name=nobody', 204],
    ['limit=2&page=2', [3]],
    ['limit=2&page=3', 204],
    ['colour=red', [1, 2, 3]],
    ['limit=251', 413],
    ['min_id=x', 400],
    ['min_date_created=yesterday', 400],
  ])('by %s', async (query, expected) => {
    expect(await found(query)).toEqual(expected)
    if (Array.isArray(expected) && !query.startsWith('limit')) {
      expect((await call('GET', `/customers/count?${query}`)).body).toEqual({ count: expected.length })
    }
  })

  test('by time, in the form that it answers with', async () => {
    const at = (name: string, moment = '') => found(`${name}=${encodeURIComponent(moment)}`)
    expect(await at('min_date_created', moments[1])).toEqual([2, 3])
    expect(await at('max_date_created', moments[1])).toEqual([1, 2])
    expect(await at('min_date_modified', moments[2])).toEqual([1, 3])
    expect(await at('max_date_modified', moments[1])).toEqual([2])
  })

  test('a DELETE takes those that match, without filters the 100 lowest', async () => {
    expect((await call('DELETE', '/customers?colour=red')).status).toBe(400)
    expect((await call('DELETE', '/customers?first_name=')).status).toBe(400)
    expect((await call('DELETE', '/customers?last_name=nobody')).status).toBe(204)
    expect((await call('DELETE', '/customers?last_name=LEE')).status).toBe(204)
    expect(await found('')).toEqual([3])
    for (let batch = 0; batch < 11; batch++) {
      const bodies = Array.from({ length: 10 }, (_, n) => ({ ...ann, email: `n${batch}-${n}@x.test` }))
      await shop.call('POST', '/customers', bodies)
    }
    expect(await call('GET', '/customers/count')).toMatchObject({ status: 200, body: { count: 111 } })
    expect((await call('DELETE', '/customers')).status).toBe(204)
    expect((await call('GET', '/customers/count')).body).toEqual({ count: 11 })
    expect((await found('limit=1'))[0]).toBe(103)
    await call('DELETE', '/customers')
    expect(await call('GET', '/customers')).toMatchObject({ status: 204, text: '' })
    expect((await rowsOf(shop, 'events')).filter(({ scope }) => scope === 'store/customer/deleted')).toHaveLength(113)
  })
})
