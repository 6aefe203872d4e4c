import { beforeAll, describe, expect, test } from 'vitest'
import { cleanupRunner } from '../../../../../customers/accounts/cleanup.ts'
import {
  ADMIN,
  askGraph,
  codeOf,
  dataOf,
  makeBelow,
  makeUser,
  openBuyers,
  PASSWORD,
  tokenAt,
} from '../../../../../test/buyers.ts'
import { ask, makeCompany } from '../../../../../test/fixtures/companion.ts'
import type { Shop } from '../../../../../test/fixtures/shop.ts'
import { rowsOf } from '../../../../../test/fixtures/webhooks.ts'
import { doJobs } from '../../../../../test/harness/jobs.ts'
import { leaveCompanies } from '../../../customers/deleted-customers.ts'

// docs/contract/b2b-graphql.md sections 8 and 11.

let shop: Shop
let companyId: number
let customerId: number
let ada: string
let jo: Awaited<ReturnType<typeof makeUser>>
let mug: number
let first: number
let second: number
beforeAll(async () => {
  ;({ shop, companyId, customerId } = await openBuyers())
  ada = await tokenAt(shop, ADMIN)
  jo = await makeUser(shop, companyId, 2)
  const product = { name: 'Mug', sku: 'MUG-1', type: 'physical', weight: 1, price: 40, is_visible: true }
  mug = (await shop.call('POST', '/catalog/products', product)).body.data.id
  await shop.call('PUT', '/catalog/products/channel-assignments', [{ product_id: mug, channel_id: 1 }])
  first = await makeOrder(customerId, { status_id: 11 })
  second = await makeOrder(jo.customerId, { status_id: 1 })
  await ask(shop, 'PUT', `/v3/io/orders/${first}`, { poNumber: 'PO-77' })
})

const address = {
  first_name: 'Ann',
  last_name: 'Lee',
  street_1: '1 Pier',
  city: 'Aarhus',
  zip: '8000',
  country_iso2: 'DK',
  email: ADMIN,
}
async function makeOrder(customer_id: number, more: object = {}): Promise<number> {
  const products = [{ product_id: mug, quantity: 2 }]
  const body = { billing_address: address, shipping_addresses: [address], products, customer_id, ...more }
  return (await shop.call('POST', '/orders', body, { version: 'v2' })).body.id
}

const numbers = async (token: string, args = 'first: 250', field = 'allOrders'): Promise<number[]> => {
  const data = await dataOf(`{ ${field}(${args}) { totalCount edges { node { bcOrderId } } } }`, { token })
  const found = data[field].edges.map(({ node }: { node: { bcOrderId: number } }) => node.bcOrderId)
  expect(data[field].totalCount).toBeGreaterThanOrEqual(found.length)
  return found
}
const detail = (id: number, fields = 'id', field = 'order') => `{ ${field}(id: ${id}) { ${fields} } }`

describe('orders of a company', () => {
  test('are listed with their buyers; money is parsed twice (row 3)', async () => {
    const fields = `id bcOrderId orderId bcCustomerId totalIncTax currencyCode money items userId poNumber status statusCode
      isInvoiceOrder invoiceId billingName merchantEmail companyName firstName lastName channelId channelName companyInfo { companyId companyName }`
    const { allOrders } = await dataOf(
      `{ allOrders(first: 1, orderBy: "bcOrderId") { totalCount pageInfo { hasNextPage } edges { node { ${fields} } } } }`,
      { token: ada },
    )
    expect(allOrders).toEqual({
      totalCount: 2,
      pageInfo: { hasNextPage: true },
      edges: [
        {
          node: {
            id: expect.any(String),
            bcOrderId: first,
            orderId: String(first),
            bcCustomerId: customerId,
            totalIncTax: 80,
            currencyCode: 'USD',
            money: expect.any(String),
            items: 2,
            userId: 1,
            poNumber: 'PO-77',
            status: 'Awaiting Fulfillment',
            statusCode: 11,
            isInvoiceOrder: 'A_0',
            invoiceId: null,
            billingName: 'Ann Lee',
            merchantEmail: ADMIN,
            companyName: 'Acme',
            firstName: 'Ann',
            lastName: 'Lee',
            channelId: 1,
            channelName: expect.any(String),
            companyInfo: { companyId: String(companyId), companyName: 'Acme' },
          },
        },
      ],
    })
    expect(JSON.parse(JSON.parse(allOrders.edges[0].node.money))).toEqual({
      currency_location: 'left',
      currency_token: '$',
      decimal_token: '.',
      decimal_places: 2,
      thousands_token: ',',
      currency_exchange_rate: expect.anything(),
    })
  })

  test('are filtered; blanks are not given, and a status is a number, a name or a list (row 8)', async () => {
    const all = [first, second]
    const rows: [string, number[]][] = [
      ['status: ""', all],
      ['status: "undefined"', all],
      ['status: "11"', [first]],
      ['status: "11,1"', all],
      ['status: "Pending"', [second]],
      ['status: "Nothing"', []],
      ['search: "po-77"', [first]],
      [`search: "${second}"`, [second]],
      ['search: "Acme"', all],
      ['search: ""', all],
      [`bcOrderId: ${first}`, [first]],
      ['bcOrderId: ""', all],
      ['poNumber: "77"', [first]],
      ['companyName: "acm"', all],
      ['companyName: "rival"', []],
      [`email: "${ADMIN}"`, [first]],
      [`createdBy: "${jo.email}"`, [second]],
      ['isShowMy: "1"', [first]],
      ['isShowMy: "0"', all],
      ['beginDateAt: "2000-01-01", endDateAt: "2200-01-01"', all],
      ['beginDateAt: "", endDateAt: ""', all],
      ['endDateAt: "2000-01-01"', []],
      [`companyIds: [${companyId}]`, all],
      ['companyIds: []', all],
      ['offset: 2', []],
    ]
    for (const [args, expected] of rows)
      expect(await numbers(ada, `${args}, orderBy: "bcOrderId"`), args).toEqual(expected)
    expect(await numbers(ada, 'orderBy: "-bcOrderId"')).toEqual(all.toReversed())
    for (const args of ['first: 0', 'first: 251', 'first: -1', 'beginDateAt: "2026-13-40"', 'bcOrderId: "1x"']) {
      expect(await codeOf(`{ allOrders(${args}) { totalCount } }`, { token: ada }), args).toBe(422)
    }
  })

  test('are those of a junior at level 1, and none of another company', async () => {
    expect(await numbers(jo.token)).toEqual([second])
    expect(await codeOf(detail(first), { token: jo.token })).toBe(404)
    const { companyId: rival } = await makeCompany(shop, 'RivalOfOrders')
    const eve = await makeUser(shop, rival, 0)
    expect(await numbers(eve.token)).toEqual([])
    const foreign = (await askGraph(detail(first), { token: eve.token })).body
    const unknown = (await askGraph(detail(9_999_999), { token: eve.token })).body
    expect(foreign.errors[0].extensions.code).toBe(404)
    expect(JSON.stringify(unknown).replaceAll('9999999', String(first))).toBe(JSON.stringify(foreign))
    expect(await codeOf(`{ allOrders(companyIds: [${companyId}]) { totalCount } }`, { token: eve.token })).toBe(403)
    expect(await codeOf(`{ orderProducts(bcOrderId: ${first}) { quantity } }`, { token: eve.token })).toBe(404)
    const bookkeeper = await makeUser(shop, companyId, { get_invoices: 2 })
    expect(await codeOf('{ allOrders { totalCount } }', { token: bookkeeper.token })).toBe(403)
  })

  test('P12b: of a company below are seen by a user who acts for it with level 3', async () => {
    const lower = await makeBelow(shop, 'LowerOfOrders', companyId)
    const below = await makeOrder(lower.customerId)
    const begin = `mutation { userMasqueradingCompanyBegin(companyId: ${lower.companyId}) { userMasqueradingCompanyBegin { companyId } } }`
    const cem = await makeUser(shop, companyId, { get_company_subsidiaries: 3, get_orders: 3, get_order_detail: 3 })
    expect(await numbers(cem.token)).toEqual([second, first])
    await dataOf(begin, { token: ada })
    await dataOf(begin, { token: cem.token })
    expect(await codeOf('{ allOrders { totalCount } }', { token: ada })).toBe(403)
    expect(await numbers(cem.token)).toEqual([below])
    expect(await numbers(cem.token, `companyIds: [${companyId}]`)).toEqual([second, first])
    expect(await codeOf(detail(below), { token: cem.token })).toBeUndefined()
    for (const { token } of [{ token: ada }, cem])
      await dataOf('mutation { userMasqueradingCompanyEnd { message } }', { token })
    expect(await numbers(lower.token)).toEqual([below])
  })
})

describe('one order', () => {
  test('has addresses as an array, texts that are never null, and lines of these addresses (row 5)', async () => {
    const fields = `id status statusId customerId companyName totalIncTax subtotalIncTax itemsTotal poNumber currencyCode staffNotes ipAddress channelId
      products billingAddress shippingAddress shipments money orderHistoryEvent { eventType status createdAt } companyInfo { companyId }`
    const { order } = await dataOf(detail(first, fields), { token: ada })
    expect(order).toMatchObject({
      id: String(first),
      status: 'Awaiting Fulfillment',
      statusId: 11,
      customerId,
      companyName: 'Acme',
      totalIncTax: '80.0000',
      itemsTotal: 2,
      poNumber: 'PO-77',
      currencyCode: 'USD',
      // Neither is for buyers.
      staffNotes: '',
      ipAddress: '',
      channelId: '1',
      billingAddress: { first_name: 'Ann', company: '', email: ADMIN },
      companyInfo: { companyId: String(companyId) },
    })
    expect(order.shippingAddress).toHaveLength(1)
    expect(order.products).toMatchObject([
      {
        order_address_id: order.shippingAddress[0].id,
        product_id: mug,
        name: 'Mug',
        quantity: 2,
        imageUrl: '',
        productUrl: expect.stringContaining('/mug/'),
      },
    ])
    for (const value of Object.values(order.billingAddress)) expect(value).not.toBeNull()
    const { orderProducts } = await dataOf(
      `{ orderProducts(bcOrderId: ${first}) { productId variantId quantity optionList } }`,
      { token: ada },
    )
    expect(orderProducts).toEqual([
      { productId: String(mug), variantId: expect.any(String), quantity: '2', optionList: '[]' },
    ])
  })

  test('gets its number from the buyer who has placed it', async () => {
    const set = (id: number) =>
      `mutation { createOrder(createData: {bcOrderId: ${id}, poNumber: "MINE-1"}) { orderId } }`
    expect(await dataOf(set(second), { token: jo.token })).toEqual({ createOrder: { orderId: second } })
    expect(await numbers(ada, 'poNumber: "mine"')).toEqual([second])
    expect(await codeOf(set(first), { token: jo.token })).toBe(404)
    expect(await codeOf(set(9_999_999), { token: jo.token })).toBe(404)
  })
})

test('a customer without a company has its own orders', async () => {
  const plain = await tokenAt(shop, 'plain@example.com')
  const [{ id }] = (await shop.call('GET', '/customers?email:in=plain@example.com')).body.data
  const own = await makeOrder(id)
  expect(await numbers(plain, 'first: 5', 'customerOrders')).toEqual([own])
  expect(await numbers(jo.token, 'first: 5', 'customerOrders')).toEqual([second])
  expect((await dataOf(detail(own, 'id totalIncTax', 'customerOrder'), { token: plain })).customerOrder).toEqual({
    id: String(own),
    totalIncTax: '80.0000',
  })
  expect(await codeOf(detail(first, 'id', 'customerOrder'), { token: plain })).toBe(404)
  expect(await codeOf(detail(own), { token: plain })).toBe(403)
  expect(await codeOf('{ allOrders { totalCount } }', { token: plain })).toBe(403)
  expect(
    (await dataOf('{ bcOrderStatuses { systemLabel statusCode } }', { token: plain })).bcOrderStatuses,
  ).toContainEqual({
    systemLabel: 'Pending',
    statusCode: '1',
  })
})

test('bought products are counted once for each order, and for whom the level shows', async () => {
  const list = async (token: string, args = 'first: 10') =>
    (
      await dataOf(
        `{ orderedProducts(${args}) { totalCount edges { node { productName variantSku orderedTimes lastOrderedItems basePrice optionList } } } }`,
        { token },
      )
    ).orderedProducts
  const own = await list(jo.token)
  expect(own).toEqual({
    totalCount: 1,
    edges: [
      {
        node: {
          productName: 'Mug',
          variantSku: 'MUG-1',
          orderedTimes: '1',
          lastOrderedItems: '2',
          basePrice: '40',
          optionList: [],
        },
      },
    ],
  })
  expect((await list(ada)).edges[0].node.orderedTimes).toBe('2')
  expect((await list(ada, 'q: "mu"')).totalCount).toBe(1)
  expect((await list(ada, 'q: "zz"')).totalCount).toBe(0)
  expect((await list(ada, 'minOrderedTimes: 3')).totalCount).toBe(0)
  expect((await list(ada, 'beginDateAt: "2200-01-01"')).totalCount).toBe(0)
})

test('a customer without a company sees the products that it has bought, until it is deleted', async () => {
  const person = { email: 'alone@example.com', first_name: 'A', last_name: 'L' }
  const made = await shop.call('POST', '/customers', [{ ...person, authentication: { new_password: PASSWORD } }])
  const [{ id: customer }] = made.body.data
  await makeOrder(customer)
  const token = await tokenAt(shop, 'alone@example.com')
  const { orderedProducts } = await dataOf(
    '{ orderedProducts(first: 10) { totalCount edges { node { orderedTimes } } } }',
    { token },
  )
  expect(orderedProducts).toEqual({ totalCount: 1, edges: [{ node: { orderedTimes: '1' } }] })
  const kept = async () =>
    (await rowsOf(shop, 'b2b_ordered_products')).filter(({ customer_id }) => customer_id === customer)
  expect(await kept()).toHaveLength(1)
  expect((await shop.call('DELETE', `/customers?id:in=${customer}`)).status).toBe(204)
  await doJobs([cleanupRunner([leaveCompanies])])
  expect(await kept()).toEqual([])
})

test('the people of a filter are an array, and for quotes an object (row 4)', async () => {
  const people = async (module: number, token = ada) =>
    (await dataOf(`{ createdByUser(companyId: ${companyId}, module: ${module}) { results } }`, { token })).createdByUser
      .results
  const names = [expect.objectContaining({ email: ADMIN }), expect.objectContaining({ email: jo.email })]
  expect(await people(0)).toEqual(expect.arrayContaining(names))
  expect(await people(1)).toEqual(expect.arrayContaining(names))
  expect(await people(2)).toEqual({ createdBy: expect.arrayContaining(names), salesRep: [] })
  expect(await people(0, jo.token)).toEqual([{ firstName: 'Jo', lastName: expect.any(String), email: jo.email }])
  expect(await codeOf(`{ createdByUser(companyId: ${companyId}, module: 3) { results } }`, { token: ada })).toBe(422)
})
