import { beforeEach, describe, expect, test } from 'vitest'
import { sql } from '../../../../../../core/db/sql.ts'
import { createCart, openWithShipping } from '../../../../../../test/carts/checkouts.ts'
import { annsAddress, shopperOf } from '../../../../../../test/carts/storefront-checkout.ts'
import type { Shop } from '../../../../../../test/fixtures/shop.ts'
import { payWith } from '../../../../../../test/fixtures/shopper.ts'
import { askStorefront, makeToken, ORIGIN } from '../../../../../../test/fixtures/storefront.ts'
import { dbOf } from '../../../../../../test/fixtures/webhooks.ts'

// docs/contract/storefront-purchases.md section 7: createCheckout and updateCheckout.

let shop: Shop
let shopper: Awaited<ReturnType<typeof shopperOf>>
beforeEach(async () => {
  shop = await openWithShipping()
  shopper = await shopperOf(shop)
})

async function coupon(code: string, more: object = {}) {
  const off = { name: code, code, type: 'percentage_discount', amount: '10', enabled: true, ...more }
  const made = await shop.call(
    'POST',
    '/coupons',
    { ...off, applies_to: { entity: 'categories', ids: [0] } },
    { version: 'v2' },
  )
  expect(made.status, made.text).toBeLessThan(300)
}

const STATE = `entityId version customerMessage cart { locale lineItems { physicalItems { entityId productEntityId quantity } digitalItems { productEntityId quantity } giftCertificates { name } } }
  billingAddress { firstName stateOrProvince email } coupons { code status }
  shippingConsignments { entityId address { city countryCode } lineItemIds selectedShippingOption { description } availableShippingOptions { entityId description } }
  grandTotal { value }`

describe('createCheckout', () => {
  test('makes a cart with addresses, coupon and option in one request, and its order can be paid', async () => {
    await coupon('TEN')
    const { checkout, errors } = await shopper.create(
      {
        lineItems: [
          { productEntityId: 1, quantity: 2 },
          { productEntityId: 3, quantity: 1 },
        ],
        locale: 'en',
        billingAddress: annsAddress,
        shippingConsignments: [{ address: annsAddress, selectRecommendedOption: true }],
        coupons: ['ten'],
      },
      STATE,
    )
    expect(errors).toEqual([])
    const [line] = checkout.cart.lineItems.physicalItems
    expect(checkout).toEqual({
      entityId: expect.any(String),
      version: 3,
      customerMessage: null,
      cart: {
        locale: 'en',
        lineItems: {
          physicalItems: [{ entityId: line.entityId, productEntityId: 1, quantity: 2 }],
          digitalItems: [{ productEntityId: 3, quantity: 1 }],
          giftCertificates: [],
        },
      },
      billingAddress: { firstName: 'Ann', stateOrProvince: 'Texas', email: 'ann@example.com' },
      coupons: [{ code: 'ten', status: 'APPLIED' }],
      shippingConsignments: [
        {
          entityId: expect.any(String),
          address: { city: 'Austin', countryCode: 'US' },
          lineItemIds: [line.entityId],
          // The cheaper one.
          selectedShippingOption: { description: 'By item' },
          availableShippingOptions: [
            { entityId: expect.any(String), description: 'By item' },
            { entityId: expect.any(String), description: 'Flat' },
          ],
        },
      ],
      grandTotal: { value: 31 },
    })
    const { orderEntityId, paymentAccessToken } = await shopper.complete(checkout.entityId)
    expect((await payWith(shop, paymentAccessToken)).status).toBe(201)
    const order = (await shop.call('GET', `/orders/${orderEntityId}`, undefined, { version: 'v2' })).body
    expect(order).toMatchObject({ status_id: 11, total_inc_tax: '31.0000' })
  })

  test('belongs to the customer of the request, and needs nothing but lines', async () => {
    const { body } = await shop.call('POST', '/customers', [
      { email: 'bo@example.com', first_name: 'Bo', last_name: 'Ek' },
    ])
    const customer = await shopperOf(shop, body.data[0].id)
    const { checkout, errors } = await customer.create({ lineItems: [{ productEntityId: 2, quantity: 1 }] })
    expect(errors).toEqual([])
    expect(await shopper.read(checkout.entityId, 'entityId')).toBeNull()
    expect(await customer.read(checkout.entityId, 'entityId version')).toEqual({
      entityId: checkout.entityId,
      version: 1,
    })
  })

  test('reports all mistakes of its input with their paths, and stores nothing', async () => {
    const answer = await shopper.create({
      lineItems: [
        { productEntityId: 1, quantity: 0 },
        { productEntityId: 999, quantity: 1 },
        { sku: 'NOWHERE', quantity: 1 },
        { quantity: 1 },
      ],
      currencyCode: 'XXX',
      locale: 'english',
      billingAddress: { ...annsAddress, email: 'no address' },
      shippingConsignments: [{ address: { ...annsAddress, phone: 'call me' } }],
    })
    expect(answer).toEqual({
      checkout: null,
      errors: [
        {
          __typename: 'CartError',
          cart: 'CURRENCY_NOT_TRANSACTIONAL',
          message: "Shoppers can't pay in the currency XXX in this store.",
          at: [{ field: '$.currencyCode', value: 'XXX' }],
        },
        {
          __typename: 'CartError',
          cart: 'CART_CONSISTENCY_ERROR',
          message: 'english is no locale.',
          at: [{ field: '$.locale', value: 'english' }],
        },
        {
          __typename: 'CartLineItemError',
          line: 'INVALID_ITEM_QUANTITY',
          message: 'The quantity must be 1 to 2147483647, not 0.',
          at: [{ field: '$.lineItems[0].quantity', value: '0' }],
        },
        {
          __typename: 'CartLineItemError',
          line: 'INVALID_PRODUCT',
          message: 'The product 999 does not exist.',
          at: [{ field: '$.lineItems[1].productEntityId', value: '999' }],
        },
        {
          __typename: 'CartLineItemError',
          line: 'SKU_NOT_FOUND',
          message: 'There is no product with the SKU NOWHERE.',
          at: [{ field: '$.lineItems[2].sku', value: 'NOWHERE' }],
        },
        {
          __typename: 'CartLineItemError',
          line: 'INVALID_PRODUCT',
          message: 'A line needs a productEntityId or a sku.',
          at: [{ field: '$.lineItems[3].productEntityId', value: null }],
        },
        {
          __typename: 'CartError',
          cart: 'CART_CONSISTENCY_ERROR',
          message: expect.any(String),
          at: [{ field: '$.billingAddress.email', value: 'no address' }],
        },
        {
          __typename: 'CheckoutShippingConsignmentError',
          shipping: 'INCOMPLETE_SHIPPING_ADDRESS',
          message: expect.any(String),
          at: [{ field: '$.shippingConsignments[0].address.phone', value: 'call me' }],
        },
      ],
    })
    expect(await openCarts()).toEqual([])
  })

  test('reports mistakes that the cart shows together, and stores nothing', async () => {
    await shop.call('PUT', '/catalog/products/1', { inventory_tracking: 'product', inventory_level: 1 })
    await shop.call('PUT', '/catalog/products/2', { order_quantity_maximum: 2 })
    const lines = [
      { productEntityId: 3, quantity: 1 },
      { productEntityId: 1, quantity: 2 },
      { productEntityId: 2, quantity: 3 },
    ]
    const short = await shopper.create({ lineItems: lines })
    expect(short).toEqual({
      checkout: null,
      errors: [
        {
          __typename: 'CartLineItemError',
          line: 'INSUFFICIENT_STOCK',
          message: 'Not enough stock: Only 1 of Lamp are left.',
          at: [{ field: '$.lineItems[1].quantity', value: '2' }],
        },
        {
          __typename: 'CartLineItemError',
          line: 'MAXIMUM_QUANTITY_EXCEEDED',
          message: 'You can only purchase a maximum of 2 of the Vase per order',
          at: [{ field: '$.lineItems[2].quantity', value: '3' }],
        },
      ],
    })
    await coupon('BIG', { min_purchase: '1000' })
    const unknown = { ...annsAddress, countryCode: 'XX' }
    const refused = await shopper.create({
      lineItems: [{ productEntityId: 1, quantity: 1 }],
      shippingConsignments: [{ address: unknown }, { address: annsAddress }, { address: annsAddress }],
      coupons: ['BIG', 'NOTHING'],
    })
    expect(refused).toEqual({
      checkout: null,
      errors: [
        {
          __typename: 'CheckoutShippingConsignmentError',
          shipping: 'INCOMPLETE_SHIPPING_ADDRESS',
          message: 'There is no country with the code XX.',
          at: [{ field: '$.shippingConsignments[0].address.countryCode', value: 'XX' }],
        },
        {
          __typename: 'CheckoutShippingConsignmentError',
          shipping: 'SHIPPING_CONSIGNMENT_MISSING_ITEM',
          message: 'No item is left that could be shipped to this address.',
          at: [{ field: '$.shippingConsignments[2].lineItems', value: null }],
        },
        {
          __typename: 'CheckoutCouponError',
          coupon: 'COUPON_MIN_PURCHASE',
          message: 'The checkout is below the minimum purchase of this coupon.',
          at: [{ field: '$.coupons[0]', value: 'BIG' }],
        },
        {
          __typename: 'CheckoutCouponError',
          coupon: 'COUPON_INVALID',
          message: 'There is no such coupon code.',
          at: [{ field: '$.coupons[1]', value: 'NOTHING' }],
        },
      ],
    })
    expect(await openCarts()).toEqual([])
  })

  test('is refused to a browser that has a cart, and while the channel sells nothing', async () => {
    const token = await makeToken(shop, 'storefront')
    const query = `mutation ($input: CreateCheckoutInput!) { checkout { createCheckout(input: $input) { checkout { entityId } errors { __typename ... on CartError { code } } } } }`
    const variables = { input: { lineItems: [{ productEntityId: 1, quantity: 1 }] } }
    const browser = { token, query, variables, headers: { origin: ORIGIN, cookie: '' } }
    const first = await askStorefront(shop, browser)
    expect(first.body.data.checkout.createCheckout.errors).toEqual([])
    const cookie = String(first.headers['set-cookie']).split(';')[0] ?? ''
    const second = await askStorefront(shop, { ...browser, headers: { origin: ORIGIN, cookie } })
    expect(second.body.data.checkout.createCheckout).toEqual({
      checkout: null,
      errors: [{ __typename: 'CartError', code: 'CART_ALREADY_EXISTS' }],
    })
    await shop.call('PUT', '/carts/settings', { allow_purchasing: false })
    const closed = await askStorefront(shop, { ...browser, headers: {} })
    expect(closed.message).toBe('This shop takes no orders at the moment.')
  })
})

const openCarts = async () => {
  return (await dbOf(shop)).rows(sql`select id from carts where store_id = ${shop.store.id}`)
}

describe('updateCheckout', () => {
  let id: string
  beforeEach(async () => {
    id = await createCart(shop, { 1: 2, 3: 1 })
  })
  const lineOf = async (product: number): Promise<string> => {
    const { cart } = await shopper.read(
      id,
      'cart { lineItems { physicalItems { entityId productEntityId } digitalItems { entityId productEntityId } } }',
    )
    const { physicalItems, digitalItems } = cart.lineItems
    return [...physicalItems, ...digitalItems].find(
      ({ productEntityId }: { productEntityId: number }) => productEntityId === product,
    ).entityId
  }

  test('replaces the given lists and leaves the rest', async () => {
    await coupon('ONE')
    await coupon('TWO')
    const first = await shopper.update(
      id,
      {
        lineItems: [
          { entityId: await lineOf(1), quantity: 3 },
          { productEntityId: 2, quantity: 1 },
        ],
        shippingConsignments: [{ address: annsAddress, selectRecommendedOption: true }],
        billingAddress: annsAddress,
        customerMessage: 'Ring twice.',
        coupons: ['ONE'],
      },
      { fields: STATE, version: 1 },
    )
    expect(first.errors).toEqual([])
    expect(first.checkout).toMatchObject({
      version: 3,
      customerMessage: 'Ring twice.',
      cart: {
        lineItems: {
          physicalItems: [
            { productEntityId: 1, quantity: 3 },
            { productEntityId: 2, quantity: 1 },
          ],
          digitalItems: [],
        },
      },
      coupons: [{ code: 'ONE' }],
      shippingConsignments: [{ selectedShippingOption: { description: 'Flat' } }],
    })
    const [consignment] = first.checkout.shippingConsignments
    const vase = await lineOf(2)
    const other = { ...annsAddress, city: 'Dallas' }
    const second = await shopper.update(
      id,
      {
        shippingConsignments: [
          { entityId: consignment.entityId, shippingOptionEntityId: consignment.availableShippingOptions[1].entityId },
          { address: other, lineItems: [{ lineItemEntityId: vase, quantity: 1 }] },
        ],
        coupons: ['TWO'],
      },
      { fields: STATE },
    )
    expect(second.errors).toEqual([])
    expect(second.checkout).toMatchObject({
      customerMessage: 'Ring twice.',
      coupons: [{ code: 'TWO' }],
      shippingConsignments: [
        {
          entityId: consignment.entityId,
          lineItemIds: [await lineOf(1)],
          selectedShippingOption: { description: 'By item' },
        },
        { address: { city: 'Dallas' }, lineItemIds: [vase], selectedShippingOption: null },
      ],
    })
    const third = await shopper.update(id, { shippingConsignments: [], coupons: [] }, { fields: STATE })
    expect(third.checkout).toMatchObject({ shippingConsignments: [], coupons: [] })
  })

  test('reports all mistakes with their paths, and changes nothing', async () => {
    const lamp = await lineOf(1)
    const refused = await shopper.update(id, {
      lineItems: [
        { entityId: lamp, quantity: 1 },
        { entityId: lamp, quantity: 2 },
        { entityId: '00000000-0000-4000-8000-000000000000', quantity: 1 },
      ],
      billingAddress: { ...annsAddress, stateOrProvinceCode: 'ZZ' },
      customerMessage: 'x'.repeat(2_001),
      shippingConsignments: [{ entityId: 'none', address: annsAddress }],
      coupons: ['NOTHING'],
    })
    expect(refused.checkout).toBeNull()
    expect(
      refused.errors.map(
        ({ __typename: _, message, at, ...code }: { __typename: string; message: string; at: { field: string }[] }) => [
          at[0]?.field,
          Object.values(code)[0],
          message,
        ],
      ),
    ).toEqual([
      ['$.data.lineItems[1].entityId', 'INVALID_PRODUCT', 'Another item has this id.'],
      ['$.data.lineItems[2].entityId', 'ITEM_NOT_FOUND', 'The cart has no line 00000000-0000-4000-8000-000000000000.'],
      ['$.data.billingAddress.stateOrProvinceCode', 'INCOMPLETE_BILLING_ADDRESS', 'The country US has no state ZZ.'],
      ['$.data.customerMessage', 'CART_CONSISTENCY_ERROR', expect.any(String)],
      ['$.data.shippingConsignments[0].entityId', 'CONSIGNMENT_NOT_FOUND', 'This checkout has no consignment none.'],
      ['$.data.coupons[0]', 'COUPON_INVALID', 'There is no such coupon code.'],
    ])
    expect(await shopper.read(id, 'version billingAddress { city }')).toEqual({ version: 1, billingAddress: null })
  })

  test.each([
    ['no line at all', { lineItems: [] }, '$.data.lineItems', 'EMPTY_CART_CREATION'],
    [
      'a consignment without an address',
      { shippingConsignments: [{ selectRecommendedOption: true }] },
      '$.data.shippingConsignments[0].address',
      'MISSING_SHIPPING_ADDRESS',
    ],
    [
      'a consignment of no units',
      { shippingConsignments: [{ address: annsAddress, lineItems: [{ lineItemEntityId: 'x', quantity: 0 }] }] },
      '$.data.shippingConsignments[0].lineItems',
      'SHIPPING_CONSIGNMENT_MISSING_ITEM',
    ],
    [
      'an unknown option',
      { shippingConsignments: [{ address: annsAddress, shippingOptionEntityId: 'x' }] },
      '$.data.shippingConsignments[0].shippingOptionEntityId',
      'INVALID_SHIPPING_OPTION',
    ],
    [
      'a quantity of 0',
      { lineItems: [{ entityId: 'x', quantity: 0 }] },
      '$.data.lineItems[0].quantity',
      'INVALID_ITEM_QUANTITY',
    ],
  ])('refuses %s', async (_, data, field, code) => {
    const { checkout, errors } = await shopper.update(id, data)
    expect(checkout).toBeNull()
    const [{ __typename, message, at, ...codes }] = errors
    expect([at[0].field, Object.values(codes)[0], errors.length]).toEqual([field, code, 1])
    expect(message).toMatch(/^[A-Z].*\.$/)
    expect((await shopper.read(id, 'version')).version).toBe(1)
  })

  test('refuses a version that is not the current one, and a checkout that does not exist', async () => {
    const old = await shopper.update(id, { customerMessage: 'Hello' }, { version: 7 })
    expect(old.errors).toMatchObject([{ cart: 'CART_CONFLICT', at: [{ field: '$.version', value: '7' }] }])
    const unknown = '00000000-0000-4000-8000-000000000000'
    const none = await shopper.update(unknown, { customerMessage: 'Hello' })
    expect(none).toEqual({
      checkout: null,
      errors: [
        {
          __typename: 'CartError',
          cart: 'CART_NOT_FOUND',
          message: 'Not Found',
          at: [{ field: '$.checkoutEntityId', value: unknown }],
        },
      ],
    })
    const { body } = await shop.call('POST', '/customers', [
      { email: 'bo@example.com', first_name: 'Bo', last_name: 'Ek' },
    ])
    const own = await createCart(shop, { 1: 1 }, { customer_id: body.data[0].id })
    expect((await shopper.update(own, { customerMessage: 'Hello' })).errors).toMatchObject([{ cart: 'CART_NOT_FOUND' }])
  })
})
