import { beforeAll, expect, test } from 'vitest'
import { ann, checkoutOf, createCart, openWithShipping } from '../../../../../../test/carts/checkouts.ts'
import { openShop, type Shop, theHouse } from '../../../../../../test/fixtures/shop.ts'
import { askToken, BAD_CARD, pay } from '../../../../../../test/fixtures/shopper.ts'
import { askStorefront, makeToken } from '../../../../../../test/fixtures/storefront.ts'

let shop: Shop
let token: string
let customer: number
let other: number
/** The ids of an order of the customer and of one of a guest, and the cart of the guest. */
let own: number
let guest: number
let cart: string

async function ask(query: string, as?: number) {
  const headers: Record<string, string> = as === undefined ? {} : { 'x-svc-customer-id': String(as) }
  const { status, body } = await askStorefront(shop, { token, query, headers })
  expect([status, body.errors], query).toEqual([200, undefined])
  return body.data
}

/** Buys two lamps and a manual with a gift certificate, by the custom shipping of 6. */
async function buy(id: string): Promise<number> {
  const checkout = checkoutOf(shop, id)
  const lines = await checkout.lines()
  await checkout.call('POST', '/billing-address', ann)
  const { body } = await checkout.call('POST', '/consignments', [
    { address: ann, line_items: [{ item_id: lines[1], quantity: 2 }] },
  ])
  await checkout.call('PUT', `/consignments/${body.data.consignments[0].id}`, {
    custom_shipping: { price: 6, description: 'Van' },
  })
  const order = await checkout.call('POST', '/orders')
  expect(order.status, order.text).toBe(200)
  await pay(shop, order.body.data.id)
  return order.body.data.id
}

beforeAll(async () => {
  shop = await openWithShipping()
  token = await makeToken(shop, 'impersonation')
  const people = [ann.email, 'bo@example.com'].map((email) => ({ email, first_name: 'Ann', last_name: 'Lee' }))
  ;[customer, other] = (await shop.call('POST', '/customers', people)).body.data.map(({ id }: { id: number }) => id)
  const person = { name: 'Bob', email: 'bob@example.com' }
  const gift_certificates = [
    { name: 'For Bob', theme: 'General', amount: 25, quantity: 1, sender: person, recipient: person },
  ]
  own = await buy(await createCart(shop, { 1: 2, 3: 1 }, { customer_id: customer, gift_certificates }))
  cart = await createCart(shop, { 1: 2 })
  guest = await buy(cart)
  // An incomplete order is not shown.
  const left = checkoutOf(shop, await createCart(shop, { 3: 1 }, { customer_id: customer }))
  await left.call('POST', '/billing-address', ann)
  await left.call('POST', '/orders')
  const { body: products } = await shop.call('GET', `/orders/${own}/products`, undefined, { version: 'v2' })
  const lamp = products.find(({ product_id }: { product_id: number }) => product_id === 1)
  const shipped = await shop.call(
    'POST',
    `/orders/${own}/shipments`,
    {
      order_address_id: lamp.order_address_id,
      tracking_number: 'T1',
      shipping_provider: '',
      items: [{ order_product_id: lamp.id, quantity: 1 }],
    },
    { version: 'v2' },
  )
  expect(shipped.status, shipped.text).toBe(201)
})

const M = '{ value currencyCode }'
const LINE = `entityId productEntityId variantEntityId name sku quantity refundedQuantity brand subTotalListPrice ${M} subTotalSalePrice ${M}
  productOptions { name value } image { altText } baseCatalogProduct { entityId } catalogProductWithOptionSelections { entityId }`
const WHOLE = `id entityId orderedAt { utc } updatedAt { utc } status { value label } isTaxIncluded
  billingAddress { firstName lastName company address1 address2 city stateOrProvince stateOrProvinceCode country countryCode postalCode phone email }
  subTotal ${M} discountedSubTotal ${M} discounts { nonCouponDiscountTotal ${M} couponDiscounts { couponCode } totalDiscount ${M} }
  wrappingCostTotal ${M} shippingCostTotal ${M} handlingCostTotal ${M} taxTotal ${M} taxes { name } totalIncTax ${M} comparisonShippingCost ${M}
  customerMessage totalProductQuantity fees { displayName } permalink reference poNumber company { name } history { id } invoice { id }
  metafields(namespace: "a") { edges { node { key } } } cartMetafields(namespace: "a") { edges { node { key } } }
  consignments {
    downloads { recipientEmail lineItems { edges { node { ${LINE} downloadFileUrls downloadPageUrl } } } }
    email { giftCertificates { edges { node { recipientEmail lineItems { edges { node { name salePrice ${M} refundedQuantity } } } } } } }
    pickups { edges { node { entityId } } }
    shipping { edges { node { entityId shippingAddress { firstName city countryCode } shippingCost ${M} handlingCost ${M}
      lineItems { edges { node { ${LINE} wrapping { name } backorderedQuantity } } }
      shipments { edges { node { shippingProviderName tracking { __typename ... on OrderShipmentNumberOnlyTracking { number } } items { quantity } } } } } } }
  }`
const usd = (value: number) => ({ value, currencyCode: 'USD' })
const nodes = (...list: object[]) => ({ edges: list.map((node) => ({ node })) })

test('an order has the whole shape', async () => {
  const { site } = await ask(
    `{ site { order(filter: { entityId: ${own} }) { ${WHOLE} payments { edges { node { paymentMethodId paymentMethodName amount ${M} detail {
      ... on CreditCardPaymentInstrument { brand last4 } ... on GiftCertificatePaymentInstrument { code } } } } } } } }`,
    customer,
  )
  const utc = { utc: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z$/) }
  const line = {
    entityId: expect.any(Number),
    sku: '',
    refundedQuantity: 0,
    brand: null,
    productOptions: [],
    image: null,
  }
  expect(site.order).toEqual({
    id: Buffer.from(`Order:${own}`).toString('base64'),
    entityId: own,
    orderedAt: utc,
    updatedAt: utc,
    status: { value: 'PARTIALLY_SHIPPED', label: 'Partially Shipped' },
    isTaxIncluded: false,
    billingAddress: {
      firstName: 'Ann',
      lastName: 'Lee',
      company: null,
      address1: '1 Mill Road',
      address2: null,
      city: 'Austin',
      stateOrProvince: 'Texas',
      stateOrProvinceCode: 'TX',
      country: 'United States',
      countryCode: 'US',
      postalCode: '78701',
      phone: null,
      email: ann.email,
    },
    subTotal: usd(55),
    discountedSubTotal: usd(55),
    discounts: { nonCouponDiscountTotal: usd(0), couponDiscounts: [], totalDiscount: usd(0) },
    wrappingCostTotal: usd(0),
    shippingCostTotal: usd(6),
    handlingCostTotal: usd(0),
    taxTotal: usd(0),
    taxes: [],
    totalIncTax: usd(61),
    comparisonShippingCost: usd(6),
    customerMessage: null,
    totalProductQuantity: 4,
    fees: [],
    permalink: null,
    reference: null,
    poNumber: null,
    company: null,
    history: [],
    invoice: null,
    metafields: nodes(),
    cartMetafields: nodes(),
    payments: nodes({
      paymentMethodId: 'testgateway.card',
      paymentMethodName: 'Test Payment Gateway',
      amount: usd(61),
      detail: { brand: 'visa', last4: '1111' },
    }),
    consignments: {
      downloads: [
        {
          recipientEmail: ann.email,
          lineItems: nodes({
            ...line,
            productEntityId: 3,
            variantEntityId: 3,
            name: 'Manual',
            quantity: 1,
            subTotalListPrice: usd(5),
            subTotalSalePrice: usd(5),
            baseCatalogProduct: { entityId: 3 },
            catalogProductWithOptionSelections: { entityId: 3 },
            downloadFileUrls: [],
            downloadPageUrl: null,
          }),
        },
      ],
      email: {
        giftCertificates: nodes({
          recipientEmail: 'bob@example.com',
          lineItems: nodes({ name: 'For Bob', salePrice: usd(25), refundedQuantity: 0 }),
        }),
      },
      pickups: nodes(),
      shipping: nodes({
        entityId: expect.any(Number),
        shippingAddress: { firstName: 'Ann', city: 'Austin', countryCode: 'US' },
        shippingCost: usd(6),
        handlingCost: usd(0),
        lineItems: nodes({
          ...line,
          productEntityId: 1,
          variantEntityId: 1,
          name: 'Lamp',
          quantity: 2,
          subTotalListPrice: usd(25),
          subTotalSalePrice: usd(25),
          baseCatalogProduct: { entityId: 1 },
          catalogProductWithOptionSelections: { entityId: 1 },
          wrapping: null,
          backorderedQuantity: 0,
        }),
        shipments: nodes({
          shippingProviderName: '',
          tracking: { __typename: 'OrderShipmentNumberOnlyTracking', number: 'T1' },
          items: [{ quantity: 1 }],
        }),
      }),
    },
  })
})

test('a customer lists its orders, the newest first, by status and date', async () => {
  const second = await buy(await createCart(shop, { 1: 2 }, { customer_id: customer }))
  const list = async (args: string, as = customer) =>
    (
      await ask(
        `{ customer { orders${args} { edges { node { entityId status { value } } } collectionInfo { totalItems } pageInfo { hasNextPage } } } }`,
        as,
      )
    ).customer.orders
  const found = await list('')
  expect(found).toMatchObject({ collectionInfo: null, pageInfo: { hasNextPage: false } })
  expect(found.edges.map(({ node }: { node: { entityId: number } }) => node.entityId)).toEqual([second, own])
  expect((await list('(first: 1)')).pageInfo.hasNextPage).toBe(true)
  expect((await list('(filters: { status: AWAITING_FULFILLMENT })')).edges).toEqual([
    { node: { entityId: second, status: { value: 'AWAITING_FULFILLMENT' } } },
  ])
  expect(
    (await list('(filters: { dateRange: { from: "2000-01-01T00:00:00Z", to: "2001-01-01T00:00:00Z" } })')).edges,
  ).toEqual([])
  expect((await list('(filters: { dateRange: { from: "2000-01-01T00:00:00Z" } })')).edges.length).toBe(2)
  expect((await list('', other)).edges).toEqual([])
})

test('an order is shown to its customer, and that of a guest to those who know its cart', async () => {
  const find = async (entityId: number, cartEntityId?: string, as?: number) => {
    const filter = `entityId: ${entityId}${cartEntityId === undefined ? '' : `, cartEntityId: "${cartEntityId}"`}`
    return (await ask(`{ site { order(filter: { ${filter} }) { entityId } } }`, as)).site.order?.entityId ?? null
  }
  expect([await find(own, undefined, customer), await find(guest, cart), await find(guest, cart, customer)]).toEqual([
    own,
    guest,
    guest,
  ])
  expect([
    await find(own),
    await find(own, undefined, other),
    await find(guest),
    await find(guest, undefined, customer),
  ]).toEqual([null, null, null, null])
  const { body } = await shop.call('GET', `/orders/${own}`, undefined, { version: 'v2' })
  expect([
    await find(own, body.cart_id),
    await find(guest, 'another'),
    await find(999, cart),
    await find(-1, cart),
  ]).toEqual([null, null, null, null])
  const elsewhere = await openShop()
  const answer = await askStorefront(elsewhere, {
    token: await makeToken(elsewhere, 'impersonation'),
    query: `{ site { order(filter: { entityId: ${guest}, cartEntityId: "${cart}" }) { entityId } } }`,
  })
  expect(answer.body).toEqual({ data: { site: { order: null } } })
})

test('payments are found by their status, and a balance is named', async () => {
  const id = await createCart(shop, { 3: 2 })
  const checkout = checkoutOf(shop, id)
  await checkout.call('POST', '/billing-address', ann)
  const order = (await checkout.call('POST', '/orders')).body.data.id
  await pay(shop, order, BAD_CARD)
  const person = { to_name: 'Ann', to_email: ann.email, from_name: 'Bo', from_email: 'bo@example.com' }
  await shop.call('POST', '/gift_certificates', { ...person, amount: 4, code: 'FOUR' }, { version: 'v2' })
  const { server } = await theHouse()
  const token = (await askToken(shop, order)).body.data.id
  const paid = await server.inject({
    method: 'POST',
    url: `/stores/${shop.store.hash}/payments`,
    headers: { authorization: `PAT ${token}`, 'content-type': 'application/json' },
    payload: {
      payment: {
        instrument: { type: 'gift_certificate', gift_certificate_code: 'FOUR' },
        payment_method_id: 'svc.gift_certificate',
      },
    },
  })
  expect(paid.statusCode, paid.body).toBe(201)
  const list = async (filters: string) =>
    (
      await ask(`{ site { order(filter: { entityId: ${order}, cartEntityId: "${id}" }) { payments${filters} { edges { node {
        paymentMethodName amount ${M} detail { ... on GiftCertificatePaymentInstrument { code } } } } } } } }`)
    ).site.order.payments
  expect(await list('(filters: { status: SUCCESS })')).toEqual(
    nodes({ paymentMethodName: 'Gift certificate', amount: usd(4), detail: { code: 'FOUR' } }),
  )
  expect((await list('(filters: { status: FAILURE })')).edges).toEqual([
    { node: { paymentMethodName: 'Test Payment Gateway', amount: usd(10), detail: {} } },
  ])
  // Public shops list them as the ways in which the order was paid.
  expect(await list('')).toEqual(await list('(filters: { status: SUCCESS })'))
  expect((await list('(first: 0)')).edges.length).toBe(0)
  expect((await list('(filters: { status: PENDING })')).edges).toEqual([])
})
