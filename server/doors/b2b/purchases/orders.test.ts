import { beforeAll, describe, expect, test } from 'vitest'
import { setDependent } from '../../../sales/b2b/companies/mode.ts'
import { backfillRunner } from '../../../sales/b2b/orders/backfill.ts'
import { moveOrdersRunner } from '../../../sales/b2b/orders/new-users.ts'
import { ann, checkoutOf } from '../../../test/carts/checkouts.ts'
import { ask, enableCompanion, makeCompany, makeQuote, refused } from '../../../test/fixtures/companion.ts'
import { openShop, type Shop, theHouse } from '../../../test/fixtures/shop.ts'
import { dbOf } from '../../../test/fixtures/webhooks.ts'
import { doJobs } from '../../../test/harness/jobs.ts'

// docs/contract/b2b-orders.md. M20 and M21 are the cases of the contract.

const ORDERS = '/v3/io/orders'
let shop: Shop
let company: { companyId: number; customerId: number }
beforeAll(async () => {
  shop = await openShop()
  await enableCompanion(shop)
  company = await makeCompany(shop, 'Acme')
})

const billing_address = { first_name: 'Ann', last_name: 'Lee', street_1: '1 Mill Road', city: 'Austin', zip: '78701' }
const place = (at: Shop, more: object = {}) => {
  const products = [{ name: 'Print', quantity: 2, price_ex_tax: 30, price_inc_tax: 30 }]
  return at.call('POST', '/orders', { billing_address, products, status_id: 11, ...more }, { version: 'v2' })
}
const order = async (at: Shop, more: object = {}): Promise<number> => {
  const { status, body, text } = await place(at, more)
  expect(status, text).toBe(200)
  return body.id
}
const read = async (id: number) => (await ask(shop, 'GET', `${ORDERS}/${id}`)).body.data

describe('an order', () => {
  test('has this form', async () => {
    const id = await order(shop, { customer_id: company.customerId })
    const { body } = await ask(shop, 'GET', `${ORDERS}/${id}`)
    const listed = {
      id: expect.any(Number),
      bcOrderId: id,
      totalIncTax: 60,
      poNumber: '',
      status: 'Awaiting Fulfillment',
      customStatus: 'Awaiting Fulfillment',
      statusCode: 11,
      cartId: null,
      items: 2,
      usdIncTax: 60,
      companyId: company.companyId,
      currencyCode: 'USD',
      money: [
        { currencyLocation: 'left', currencyToken: '$', decimalToken: '.', decimalPlaces: 2, thousandsToken: ',' },
      ],
      isArchived: false,
      channelId: 1,
      channelName: expect.any(String),
      extraInt1: null,
      extraInt2: null,
      extraInt3: null,
      extraInt4: null,
      extraInt5: null,
      extraStr1: null,
      extraStr2: null,
      extraStr3: null,
      extraStr4: null,
      extraStr5: null,
      extraText: null,
      extraInfo: [],
      createdAt: expect.any(Number),
      updatedAt: expect.any(Number),
    }
    const whole = {
      ...listed,
      extraFields: [],
      isInvoiceOrder: 0,
      invoiceId: null,
      invoiceNumber: null,
      invoiceStatus: null,
    }
    expect(body).toEqual({ code: 200, data: whole, meta: { message: 'SUCCESS' } })
    const found = await ask(shop, 'GET', `${ORDERS}?bcOrderId=${id}`)
    expect(found.body.data).toEqual([listed])
    const changed = await ask(shop, 'PUT', `${ORDERS}/${id}`, { poNumber: 'PO-7', status: 'x', customerId: 9 })
    expect(changed.body).toEqual({
      code: 200,
      data: { ...whole, poNumber: 'PO-7' },
      message: 'SUCCESS',
      meta: { message: 'SUCCESS' },
    })
    const made = await ask(shop, 'POST', ORDERS, { bcOrderId: id, customerId: 1, poNumber: 'PO-8' })
    expect(made.body.data).toEqual({ ...listed, poNumber: 'PO-8', extraFields: [] })
    const products = await ask(shop, 'GET', `${ORDERS}/${id}/products`)
    expect(products.body).toMatchObject({
      data: [{ productId: 0, productName: 'Print', quantity: 2, options: [], variantSku: '' }],
      message: 'SUCCESS',
    })
  })

  test('of a guest has no company', async () => {
    expect((await read(await order(shop))).companyId).toBeNull()
  })

  test('follows its order', async () => {
    const id = await order(shop)
    const before = await read(id)
    const { clock } = await theHouse()
    clock.move(5_000)
    await shop.call('PUT', `/orders/${id}`, { status_id: 2 }, { version: 'v2' })
    const after = await read(id)
    expect(after).toMatchObject({ statusCode: 2, createdAt: before.createdAt })
    expect(after.updatedAt).toBeGreaterThan(before.updatedAt)
  })

  test('is refused if it is unknown, and for wrong fields', async () => {
    for (const path of ['99999', 'abc', '99999/products']) {
      expect((await ask(shop, 'GET', `${ORDERS}/${path}`)).status).toBe(404)
    }
    expect((await ask(shop, 'PUT', `${ORDERS}/99999`, { poNumber: 'x' })).status).toBe(404)
    expect((await ask(shop, 'POST', ORDERS, { bcOrderId: 99_999 })).body).toEqual(
      refused(400, 'API logic error', 'The order 99999 does not exist.'),
    )
    const id = await order(shop)
    expect((await ask(shop, 'PUT', `${ORDERS}/${id}`, { status: 'x' })).body).toEqual(
      refused(422, 'Logical Error', 'Send poNumber or extraFields.'),
    )
    expect((await ask(shop, 'PUT', `${ORDERS}/${id}`, { poNumber: 'x'.repeat(256) })).status).toBe(422)
    expect((await ask(shop, 'PUT', `${ORDERS}/${id}`, { poNumber: 'x'.repeat(255) })).status).toBe(200)
    const extraFields = [{ fieldName: 'x', fieldValue: 'y' }]
    expect((await ask(shop, 'PUT', `${ORDERS}/${id}`, { extraFields })).body.data.errMsg).toHaveProperty('extraFields')
  })
})

test('the list has filters and orders; old orders need a filter', async () => {
  const filled = await openShop()
  await enableCompanion(filled)
  const { companyId, customerId } = await makeCompany(filled, 'Acme')
  const { clock } = await theHouse()
  const at = () => Math.floor(clock.now().getTime() / 1_000)
  const old = await order(filled, { customer_id: customerId })
  const oldTime = at()
  clock.move(366 * 86_400_000)
  const [one, two] = [await order(filled), await order(filled, { customer_id: customerId })]
  const find = async (query: string) => {
    const { status, body } = await ask(filled, 'GET', `${ORDERS}?${query}`)
    expect(status, JSON.stringify(body)).toBe(200)
    expect(body.meta.pagination.totalCount).toBe(body.data.length)
    return body.data.map(({ bcOrderId }: { bcOrderId: number }) => bcOrderId)
  }
  expect(await find('')).toEqual([two, one])
  expect(await find('orderBy=ASC&sortBy=createdAt')).toEqual([one, two])
  expect(await find(`companyId=${companyId}`)).toEqual([two])
  expect(await find('companyId=9999')).toEqual([])
  expect(await find('minCreated=1&sortBy=updatedAt')).toEqual([two, one, old])
  expect(await find(`maxCreated=${oldTime}`)).toEqual([old])
  expect(await find(`maxModified=${oldTime}`)).toEqual([old])
  expect(await find(`minModified=${oldTime + 1}`)).toEqual([two, one])
  expect(await find(`bcOrderId=${old}`)).toEqual([old])
  expect(await find('channelIds[]=1')).toEqual([two, one])
  expect(await find('channelIds=2')).toEqual([])
  expect((await ask(filled, 'GET', `${ORDERS}?limit=251`)).status).toBe(413)
  expect((await ask(filled, 'GET', `${ORDERS}?sortBy=status`)).status).toBe(422)
})

test('orders from before the companion API are recorded by a job, and those of a new user move', async () => {
  const late = await openShop()
  const person = { first_name: 'Cy', last_name: 'Ng', email: 'cy@late.example.com' }
  const customer = (await late.call('POST', '/customers', [person])).body.data[0].id
  const ids = [await order(late, { customer_id: customer }), await order(late)]
  await enableCompanion(late)
  const list = async () => (await ask(late, 'GET', `${ORDERS}?orderBy=ASC`)).body
  expect((await list()).data).toEqual([])
  // The job waits until no process takes the store for one without the companion API.
  await doJobs([backfillRunner()])
  expect((await list()).data).toEqual([])
  ;(await theHouse()).clock.move(5_000)
  expect(await doJobs([backfillRunner()])).toBeGreaterThan(0)
  const recorded = await list()
  expect(recorded.data.map(({ bcOrderId }: { bcOrderId: number }) => bcOrderId)).toEqual(ids)
  expect(recorded.data[0].companyId).toBeNull()
  const move = (id: number) => ask(late, 'PUT', `/v3/io/customers/${id}/orders/b2b`)
  expect((await move(customer)).status).toBe(404)
  const { companyId } = await makeCompany(late, 'Late')
  const user = { firstName: 'Cy', lastName: 'Ng', email: person.email, companyId, role: 1, channelIds: [1] }
  expect((await ask(late, 'POST', '/v3/io/users', user)).status).toBe(200)
  expect((await list()).data[0].companyId).toBeNull()
  expect(await doJobs([moveOrdersRunner()])).toBeGreaterThan(0)
  expect((await list()).data.map(({ companyId }: { companyId: number }) => companyId)).toEqual([companyId, null])
  expect((await move(customer)).body).toEqual({
    code: 200,
    data: { total: 0 },
    message: 'SUCCESS',
    meta: { message: 'SUCCESS' },
  })
  // Another company learns nothing of them, unless the seller moves them.
  const { id } = (await ask(late, 'GET', `/v3/io/users?email=${person.email}`)).body.data[0]
  await ask(late, 'DELETE', `/v3/io/users/${id}`)
  const { companyId: next } = await makeCompany(late, 'Next')
  expect((await ask(late, 'POST', '/v3/io/users', { ...user, companyId: next })).status).toBe(200)
  await doJobs([moveOrdersRunner()])
  expect((await list()).data[0].companyId).toBe(companyId)
  expect((await move(customer)).body.data).toEqual({ total: 1 })
  expect((await list()).data[0].companyId).toBe(next)
  const later = await order(late, { customer_id: customer })
  expect((await ask(late, 'GET', `${ORDERS}/${later}`)).body.data.companyId).toBe(next)
})

describe('orders of a customer move to the company of a customer group', () => {
  const move = (at: Shop, id: number, body: unknown) => ask(at, 'PUT', `/v3/io/customers/${id}/orders/company`, body)

  test('in a store with dependent companies', async () => {
    const at = await openShop()
    const person = { first_name: 'Cy', last_name: 'Ng', email: 'cy@dependent.example.com' }
    const customer = (await at.call('POST', '/customers', [person])).body.data[0].id
    await enableCompanion(at)
    await setDependent(await dbOf(at), true)
    const { companyId, customerGroupId: bcGroupId } = await makeCompany(at, 'Acme')
    const [first, second] = [await order(at, { customer_id: customer }), await order(at, { customer_id: customer })]
    await order(at)
    const { status, body } = await move(at, customer, { bcGroupId })
    expect([status, body]).toEqual([
      200,
      { code: 200, data: { total: 2 }, message: 'SUCCESS', meta: { message: 'SUCCESS' } },
    ])
    const { data } = (await ask(at, 'GET', `${ORDERS}?companyId=${companyId}&orderBy=ASC&sortBy=createdAt`)).body
    expect(data.map(({ bcOrderId }: { bcOrderId: number }) => bcOrderId)).toEqual([first, second])
    expect((await move(at, customer, { bcGroupId })).body.data).toEqual({ total: 0 })
    expect((await move(at, 999_999, { bcGroupId })).status).toBe(404)
    for (const wrong of [0, 999_999]) expect((await move(at, customer, { bcGroupId: wrong })).status).toBe(404)
    for (const wrong of [{}, { bcGroupId: -1 }, { bcGroupId: 'x' }, { bcGroupId: 2 ** 31 }]) {
      expect((await move(at, customer, wrong)).status).toBe(422)
    }
  })

  test('not in one with independent companies', async () => {
    const { status, body } = await move(shop, company.customerId, { bcGroupId: 1 })
    expect([status, body]).toEqual([
      405,
      refused(405, 'The companies of this store are independent.', expect.any(String)),
    ])
  })
})

test('a placed order of the cart of a quote ends the quote', async () => {
  const sold = await openShop()
  const id = await makeQuote(sold)
  const quote = async () => (await ask(sold, 'GET', `/v3/io/rfq/${id}`)).body.data
  const { cartId } = (await ask(sold, 'POST', `/v3/io/rfq/${id}/checkout`)).body.data
  const checkout = checkoutOf(sold, cartId)
  await checkout.call('POST', '/billing-address', ann)
  const [line] = Object.values(await checkout.lines())
  const shipped = await checkout.call('POST', '/consignments', [
    { address: ann, line_items: [{ item_id: line, quantity: 1 }] },
  ])
  const custom_shipping = { price: 6, description: 'Van' }
  await checkout.call('PUT', `/consignments/${shipped.body.data.consignments[0].id}`, { custom_shipping })
  const placed = await checkout.call('POST', '/orders')
  expect(placed.status, placed.text).toBe(200)
  const orderId = placed.body.data.id
  expect(await quote()).toMatchObject({ status: 2, orderId: '' })
  await sold.call('PUT', `/orders/${orderId}`, { status_id: 11 }, { version: 'v2' })
  expect(await quote()).toMatchObject({ status: 4, orderId: String(orderId) })
  expect((await ask(sold, 'GET', `${ORDERS}/${orderId}`)).body.data).toMatchObject({ cartId, totalIncTax: 41 })
})

describe('the credit of a company', () => {
  const open = async (credit: object) => {
    const at = await openShop()
    await enableCompanion(at)
    const { companyId, customerId } = await makeCompany(at, 'Acme')
    const path = `/v3/io/companies/${companyId}/credit`
    const changed = await ask(at, 'PUT', path, { creditEnabled: true, availableCredit: 100, ...credit })
    expect(changed.status, changed.text).toBe(200)
    const available = async () => (await ask(at, 'GET', path)).body.data.availableCredit
    const buy = (more: object = {}) => place(at, { customer_id: customerId, payment_method: 'Purchase Order', ...more })
    const put = (id: number, body: object) => at.call('PUT', `/orders/${id}`, body, { version: 'v2' })
    return { at, available, buy, put, path }
  }

  test('is enough for one of two purchase orders at once (M20); a cancelled one gives it back (M21)', async () => {
    const { at, available, buy, put } = await open({ limitPurchases: true })
    const answers = await Promise.all([buy(), buy()])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400])
    expect(await available()).toBe(40)
    const id = answers.find(({ status }) => status === 200)?.body.id
    expect((await at.call('GET', '/orders', undefined, { version: 'v2' })).body).toHaveLength(1)
    expect((await put(id, { status_id: 5 })).status).toBe(200)
    expect(await available()).toBe(100)
    // Placed again, it takes the credit again.
    expect((await put(id, { status_id: 11 })).status).toBe(200)
    expect(await available()).toBe(40)
    for (const status_id of [6, 11, 4]) await put(id, { status_id })
    expect(await available()).toBe(100)
  })

  test('is not asked by other payment methods, and may become negative without a limit', async () => {
    const { available, buy } = await open({ availableCredit: 10 })
    expect((await buy({ payment_method: 'Bank deposit' })).status).toBe(200)
    expect((await buy({ status_id: 0 })).status).toBe(200)
    expect(await available()).toBe(10)
    expect((await buy()).status).toBe(200)
    expect(await available()).toBe(-50)
  })

  test('on hold refuses every purchase, unless it is disabled', async () => {
    const { at, buy, path, available } = await open({ creditHold: true })
    expect((await buy({ payment_method: 'Bank deposit' })).status).toBe(400)
    expect((await buy()).status).toBe(400)
    const incomplete = await buy({ status_id: 0 })
    expect(incomplete.status).toBe(200)
    await ask(at, 'PUT', path, { creditEnabled: false })
    expect((await buy()).status).toBe(200)
    expect(await available()).toBe(100)
  })
})
