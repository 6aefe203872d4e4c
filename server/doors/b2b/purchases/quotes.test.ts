import { beforeAll, describe, expect, test } from 'vitest'
import { expireQuotes } from '../../../sales/b2b/quotes/expiry.ts'
import { changeQuoteSettings } from '../../../sales/b2b/quotes/settings.ts'
import { checkoutOf } from '../../../test/carts/checkouts.ts'
import {
  ask,
  enableCompanion,
  makeCompany,
  makeMug,
  makeQuote,
  makeStaff,
  newQuote,
  refused,
} from '../../../test/fixtures/companion.ts'
import { openShop, type Shop, theHouse } from '../../../test/fixtures/shop.ts'
import { dbOf, rowsOf } from '../../../test/fixtures/webhooks.ts'

// docs/contract/b2b-quotes.md. M16 to M19 are the cases of the contract.

const RFQ = '/v3/io/rfq'
let shop: Shop
let company: number
let mug: number
beforeAll(async () => {
  shop = await openShop()
  await enableCompanion(shop)
  company = (await makeCompany(shop, 'Acme')).companyId
  mug = await makeMug(shop)
})

const read = async (id: number) => (await ask(shop, 'GET', `${RFQ}/${id}`)).body.data
const change = (id: number, body: object) => ask(shop, 'PUT', `${RFQ}/${id}`, body)
const statusOf = async (id: number) => (await read(id)).status
const logical = (sentence: string) => refused(422, 'Logical Error', sentence)
const line = (more: object = {}) => ({
  productId: mug,
  sku: 'MUG',
  basePrice: 40,
  discount: 5,
  offeredPrice: 35,
  quantity: 1,
  ...more,
})
const mistakesOf = async (more: object) => {
  const { status, body } = await ask(shop, 'POST', RFQ, newQuote(mug, more))
  expect(status, JSON.stringify(body)).toBe(422)
  return body.data.errMsg
}
const makeOrder = async (fields: object = {}): Promise<number> => {
  const order = {
    status_id: 11,
    billing_address: { ...billing },
    products: [{ product_id: mug, quantity: 1 }],
    ...fields,
  }
  return (await shop.call('POST', '/orders', order, { version: 'v2' })).body.id
}
const eventsOf = async (of: Shop) =>
  (await rowsOf(of, 'events')).map(({ scope, data }) => ({ scope: String(scope), data: String(data) }))
const billing = {
  first_name: 'Ann',
  last_name: 'Lee',
  street_1: '1 Mill Road',
  city: 'Austin',
  state: 'Texas',
  zip: '78701',
  country: 'United States',
  email: 'ann@acme.example.com',
}

describe('a quote', () => {
  test('has this form', async () => {
    const { email, name } = await makeStaff(shop)
    const address = {
      address: '1 Mill Road',
      city: 'Austin',
      state: 'Texas',
      zipCode: '78701',
      country: 'United States',
    }
    const made = await ask(shop, 'POST', RFQ, {
      ...newQuote(mug),
      quoteTitle: 'Mugs for May',
      referenceNumber: 'R-1',
      currency: { token: 'US$' },
      notes: 'Fragile',
      legalTerms: 'None',
      displayDiscount: false,
      allowCheckout: false,
      discountType: 1,
      discountValue: 5,
      shippingTotal: 4,
      taxTotal: '3.10',
      grandTotal: 42.1,
      totalAmount: 42.1,
      shippingAddress: address,
      billingAddress: address,
      message: 'Hello',
      userEmail: email,
      recipients: ['bo@acme.example.com'],
      companyId: company,
    })
    const id = made.body.data.quoteId
    const quoteUrl = expect.stringMatching(new RegExp(`^https?://.*/#/quoteDetail/${id}$`))
    expect(made.body).toEqual({
      code: 200,
      data: { quoteId: id, quoteUrl },
      message: 'SUCCESS',
      meta: { message: 'SUCCESS' },
    })
    const answer = (await ask(shop, 'GET', `${RFQ}/${id}?date=1790000000`)).body
    const { createdAt } = answer.data
    const store = { storeName: expect.any(String), storeAddress: expect.any(String), storeCountry: '', storeLogo: '' }
    const head = {
      quoteId: id,
      quoteNumber: `QN${String(id).padStart(6, '0')}`,
      quoteTitle: 'Mugs for May',
      referenceNumber: 'R-1',
      status: 2,
      bcOrderId: '',
      orderId: '',
      channelId: 1,
      channelName: expect.any(String),
      createdBy: name,
      subtotal: 35,
      discount: 5,
      grandTotal: 42.1,
      totalAmount: 42.1,
      currency: {
        token: 'US$',
        location: 'left',
        currencyCode: 'USD',
        decimalToken: '.',
        decimalPlaces: 2,
        thousandsToken: ',',
        currencyExchangeRate: 1,
      },
      extraFields: [],
      createdAt,
      updatedAt: createdAt,
      expiredAt: Date.UTC(2099, 11, 31, 23, 59, 59) / 1_000,
    }
    expect(answer).toEqual({
      code: 200,
      data: {
        ...head,
        quoteUuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
        notes: 'Fragile',
        legalTerms: 'None',
        displayDiscount: false,
        allowCheckout: false,
        productList: [
          {
            productId: mug,
            productName: 'Mug',
            variantId: expect.any(Number),
            sku: 'MUG',
            basePrice: 40,
            discount: 5,
            offeredPrice: 35,
            quantity: 1,
            orderQuantityMaximum: 0,
            orderQuantityMinimum: 0,
            imageUrl: '',
            options: [],
            costPrice: 0,
            inventoryTracking: 'none',
            inventoryLevel: 0,
            purchasedHandled: false,
            type: 'physical',
            isFreeShipping: false,
            availability: true,
            isPriceHidden: false,
            purchasingDisabled: 'available',
            foundInBc: true,
            hasInvalidOptions: false,
            productUrl: expect.stringMatching(/\/mug\/$/),
          },
        ],
        shippingAddress: address,
        billingAddress: address,
        contactInfo: { name: 'Ann Lee', email: 'ann@acme.example.com' },
        discountType: 1,
        discountValue: 5,
        shippingTotal: 4,
        taxTotal: 3.1,
        quoteLogo: '',
        shippingMethod: {},
        storeInfo: store,
        companyInfo: {
          companyId: company,
          companyName: 'Acme',
          companyAddress: '',
          companyCity: '',
          companyState: '',
          companyZipCode: '',
          companyCountry: 'Australia',
          companyphoneNumber: '555 1234',
        },
        salesRepInfo: { salesRepName: name, salesRepEmail: email, salesRepPhoneNumber: '' },
        storefrontAttachFiles: [],
        backendAttachFiles: [],
        trackingHistory: [{ date: createdAt, role: `Sales rep: ${name}`, message: 'Hello', read: false }],
        extraFieldsInfo: [],
        recipients: ['bo@acme.example.com'],
      },
      meta: { message: 'SUCCESS' },
    })
    const listed = (await ask(shop, 'GET', `${RFQ}?quoteTitle=mugs for may`)).body
    expect(listed).toEqual({
      code: 200,
      data: [{ ...head, company: 'Acme', salesRep: name }],
      message: 'SUCCESS',
      meta: { message: 'SUCCESS', pagination: { totalCount: 1, limit: 10, offset: 0 } },
    })
  })

  test('has the defaults of the store; a store default of legal terms does not exist', async () => {
    const db = await dbOf(shop)
    await changeQuoteSettings(db, { showsDiscount: false, allowsCheckout: false })
    expect(await read(await makeQuote(shop))).toMatchObject({
      displayDiscount: false,
      allowCheckout: false,
      legalTerms: '',
      totalAmount: 35,
      companyInfo: { companyId: 0, companyName: '' },
    })
    await changeQuoteSettings(db, { showsDiscount: true, allowsCheckout: true })
    expect(await read(await makeQuote(shop))).toMatchObject({ displayDiscount: true, allowCheckout: true })
  })

  test.each([
    [44.98, 200],
    [52.08, 200],
    [44.99, 200],
    [48.98, 422],
    [45, 422],
  ])('with the grand total %d is answered %d (M16, M17)', async (grandTotal, expected) => {
    const productList = [line({ offeredPrice: 19.99, quantity: 2 }), line({ offeredPrice: '5.00' })]
    const body = newQuote(mug, { productList, grandTotal, shippingTotal: 4, taxTotal: 3.1 })
    const { status, body: answered } = await ask(shop, 'POST', RFQ, body)
    expect(status).toBe(expected)
    if (expected === 422) {
      expect(answered).toEqual(logical('The grand total must be the sum of the lines, or that with shipping and tax.'))
    }
  })

  test('refuses amounts that are none, and fractions of yen', async () => {
    for (const value of ['', ' 1', '1e3', 'NaN', '1'.repeat(40), -1]) {
      expect(await mistakesOf({ subtotal: value })).toEqual({ subtotal: [expect.any(String)] })
    }
    expect(await mistakesOf({ productList: [line({ offeredPrice: '1,5' })] })).toHaveProperty([
      'productList.0.offeredPrice',
    ])
    await shop.call('POST', '/currencies', yen, { version: 'v2' })
    const currency = { currencyCode: 'JPY' }
    expect(await mistakesOf({ currency, grandTotal: 35.5 })).toEqual({
      grandTotal: ['Amounts in JPY have no decimals.'],
    })
    const id = await makeQuote(shop, { currency })
    expect(await read(id)).toMatchObject({ grandTotal: 35, currency: { currencyCode: 'JPY', decimalPlaces: 0 } })
  })

  test('is refused for missing and unknown things', async () => {
    const empty = (await ask(shop, 'POST', RFQ, {})).body.data.errMsg
    const required = ['This field is required']
    expect(empty).toEqual({
      subtotal: required,
      discount: required,
      grandTotal: required,
      expiredAt: required,
      contactInfo: required,
      productList: required,
    })
    expect(await mistakesOf({ productList: [] })).toHaveProperty('productList')
    expect(await mistakesOf({ productList: Array.from({ length: 501 }, () => line()) })).toHaveProperty('productList')
    expect(await mistakesOf({ productList: [line({ quantity: 0 })] })).toHaveProperty(['productList.0.quantity'])
    expect(await mistakesOf({ productList: [line({ productId: 99_999 })] })).toHaveProperty(['productList.0.productId'])
    expect(await mistakesOf({ productList: [line({ variantId: 99_999 })] })).toEqual({
      'productList.0.variantId': ['The variant 99999 does not exist.'],
    })
    expect(await mistakesOf({ expiredAt: '2026-12-31' })).toEqual({ expiredAt: ['Send a day as month/day/year.'] })
    expect(await mistakesOf({ expiredAt: '1/1/2020' })).toEqual({ expiredAt: ['This day is over.'] })
    expect(await mistakesOf({ companyId: 99_999 })).toEqual({ companyId: ['The company 99999 does not exist.'] })
    expect(await mistakesOf({ channelId: 99_999 })).toEqual({ channelId: ['The storefront 99999 does not exist.'] })
    expect(await mistakesOf({ userEmail: 'nobody@example.com' })).toHaveProperty('userEmail')
    expect(await mistakesOf({ currency: { currencyCode: 'XXX' } })).toHaveProperty(['currency.currencyCode'])
    expect(await mistakesOf({ contactInfo: { name: 'Ann', email: 'a@b\nbcc: c@d' } })).toHaveProperty([
      'contactInfo.email',
    ])
    expect(await mistakesOf({ extraFields: [{ fieldName: 'x', fieldValue: 'y' }] })).toHaveProperty('extraFields')
    const lines = Array.from({ length: 500 }, () => line({ offeredPrice: 1 }))
    expect(await makeQuote(shop, { productList: lines, grandTotal: 500 })).toEqual(expect.any(Number))
    for (const path of ['abc', '99999']) expect((await ask(shop, 'GET', `${RFQ}/${path}`)).status).toBe(404)
    expect((await change(99_999, {})).status).toBe(404)
    expect((await ask(shop, 'DELETE', `${RFQ}/99999`)).status).toBe(404)
  })

  test('needs the channel if the store has several storefronts', async () => {
    const other = await openShop()
    const product = await makeMug(other)
    await enableCompanion(other)
    const second = { type: 'storefront', platform: 'custom', name: 'Second' }
    const { id } = (await other.call('POST', '/channels', second)).body.data
    const { body } = await ask(other, 'POST', RFQ, newQuote(product))
    expect(body.data.errMsg).toEqual({ channelId: ['The store has several storefronts. Send the channel.'] })
    expect((await ask(other, 'POST', RFQ, newQuote(product, { channelId: id }))).status).toBe(200)
  })

  test('needs the options of its variant', async () => {
    const made = await shop.call('POST', '/catalog/products', {
      name: 'Cup',
      type: 'physical',
      weight: 1,
      price: 9,
      variants: [{ sku: 'CUP-R', option_values: [{ option_display_name: 'Color', label: 'Red' }] }],
    })
    const { id: productId, variants } = made.body.data
    const [{ id: variantId, option_values }] = variants
    const [{ option_id: optionId, id: value }] = option_values
    const cup = { productId, variantId, sku: 'CUP-R', offeredPrice: 35 }
    expect(await mistakesOf({ productList: [line({ productId })] })).toEqual({
      'productList.0.productId': [`The store has no product ${productId} without options.`],
    })
    const needed = { 'productList.0.options': ['The variant has options. Send the value of each of them.'] }
    expect(await mistakesOf({ productList: [line(cup)] })).toEqual(needed)
    expect(await mistakesOf({ productList: [line({ ...cup, options: [{ optionId, optionValue: '0' }] })] })).toEqual(
      needed,
    )
    const options = [{ optionId, optionValue: String(value), optionLabel: 'Red', optionName: 'Color' }]
    const id = await makeQuote(shop, { productList: [line({ ...cup, options })] })
    expect((await read(id)).productList[0]).toMatchObject({ variantId, options, hasInvalidOptions: false })
    const { status, body } = await ask(shop, 'POST', `${RFQ}/${id}/checkout`)
    expect(status, JSON.stringify(body)).toBe(200)
  })

  test('takes disabled products as custom items, if the store does', async () => {
    const blocked = { name: 'Old mug', type: 'physical', weight: 1, price: 9, availability: 'disabled' }
    const { id: productId } = (await shop.call('POST', '/catalog/products', blocked)).body.data
    const id = await makeQuote(shop, { productList: [line({ productId, productName: 'Retired mug' })] })
    expect((await read(id)).productList[0]).toMatchObject({ purchasedHandled: true, purchasingDisabled: 'disabled' })
    const { cartId } = (await ask(shop, 'POST', `${RFQ}/${id}/checkout`)).body.data
    const { line_items } = (await shop.call('GET', `/carts/${cartId}`)).body.data
    expect(line_items.custom_items).toMatchObject([{ name: 'Retired mug', list_price: 35, quantity: 1 }])
    const db = await dbOf(shop)
    await changeQuoteSettings(db, { takesCustomItems: false })
    expect(await mistakesOf({ productList: [line({ productId })] })).toEqual({
      'productList.0.productId': ["Old mug can't be bought."],
    })
    await changeQuoteSettings(db, { takesCustomItems: true })
  })
})

const yen = {
  currency_code: 'JPY',
  name: 'Yen',
  currency_exchange_rate: '150',
  decimal_places: 0,
  decimal_token: '.',
  thousands_token: ',',
  token: '¥',
  token_location: 'left',
  enabled: true,
  is_transactional: true,
}

describe('a change of a quote', () => {
  test('changes the named fields, and replaces lines as a whole', async () => {
    const id = await makeQuote(shop, { companyId: company, notes: 'Old' })
    const { clock } = await theHouse()
    clock.move(5_000)
    const before = await read(id)
    const productList = [line({ quantity: 2 }), line({ offeredPrice: 10 })]
    const body = { productList, companyId: 99_999, createdAt: 1, quoteTitle: 'Two', message: 'Done' }
    expect((await change(id, body)).body.data).toEqual({ quoteId: id, quoteUrl: expect.any(String) })
    const after = await read(id)
    expect(after.updatedAt).toBeGreaterThan(before.updatedAt)
    expect(after).toEqual({
      ...before,
      quoteTitle: 'Two',
      updatedAt: after.updatedAt,
      grandTotal: 80,
      totalAmount: 80,
      productList: [
        { ...before.productList[0], quantity: 2 },
        { ...before.productList[0], offeredPrice: 10 },
      ],
      trackingHistory: [
        { date: after.updatedAt, role: expect.stringMatching(/^Sales rep(: .+)?$/), message: 'Done', read: false },
      ],
    })
  })

  test('is refused for another channel, other totals and another currency without its lines', async () => {
    const id = await makeQuote(shop)
    expect((await change(id, { channelId: 2 })).body.data.errMsg).toEqual({
      channelId: ['A quote stays at its channel.'],
    })
    expect((await change(id, { channelId: 1 })).status).toBe(200)
    expect((await change(id, { grandTotal: 34 })).status).toBe(422)
    expect((await change(id, { shippingTotal: 4, grandTotal: 39 })).status).toBe(200)
    expect(await read(id)).toMatchObject({ shippingTotal: 4, grandTotal: 39, totalAmount: 39 })
    expect((await change(id, { currency: { currencyCode: 'JPY' } })).status).toBe(422)
    expect((await change(id, { status: 2 })).body.data.errMsg).toEqual({
      status: ['A quote can only be archived: send 6 or archived.'],
    })
    expect((await change(id, { expiredAt: '1/1/2020' })).status).toBe(422)
  })

  test.each([6, '6', 'archived'])('with the status %s archives, and nothing changes it again', async (status) => {
    const id = await makeQuote(shop)
    expect((await change(id, { status })).status).toBe(200)
    expect(await statusOf(id)).toBe(6)
    const archived = logical('An archived quote never changes again.')
    for (const body of [{}, { notes: 'x' }, { status: 6 }, { expiredAt: '12/31/2099' }]) {
      expect((await change(id, body)).body).toEqual(archived)
    }
    expect((await ask(shop, 'POST', `${RFQ}/${id}/checkout`)).body).toEqual(archived)
    expect((await ask(shop, 'POST', `${RFQ}/${id}/ordered`, { orderId: String(await makeOrder()) })).body).toEqual(
      archived,
    )
    const custom = { customShippingMethodName: 'Van', customShippingMethodCost: 1 }
    expect((await ask(shop, 'PUT', `${RFQ}/${id}/shipping-rate`, custom)).body).toEqual(archived)
    expect((await ask(shop, 'DELETE', `${RFQ}/${id}`)).status).toBe(200)
    expect((await ask(shop, 'GET', `${RFQ}/${id}`)).status).toBe(404)
  })
})

describe('an order of a quote', () => {
  test('ends it: it is frozen, and neither can be linked again', async () => {
    const [id, other] = [await makeQuote(shop), await makeQuote(shop)]
    const orderId = String(await makeOrder())
    expect((await ask(shop, 'POST', `${RFQ}/${id}/ordered`, { orderId })).body).toMatchObject({
      data: {},
      message: 'SUCCESS',
    })
    expect(await read(id)).toMatchObject({ status: 4, bcOrderId: orderId, orderId })
    const frozen = logical('An ordered quote never changes again.')
    for (const body of [{}, { notes: 'x' }, { status: 6 }, { expiredAt: '12/31/2099' }]) {
      expect((await change(id, body)).body).toEqual(frozen)
    }
    expect((await ask(shop, 'POST', `${RFQ}/${id}/checkout`)).body).toEqual(frozen)
    expect((await ask(shop, 'POST', `${RFQ}/${id}/ordered`, { orderId: String(await makeOrder()) })).body).toEqual(
      frozen,
    )
    expect((await ask(shop, 'DELETE', `${RFQ}/${id}/shipping-rate`)).status).toBe(422)
    expect((await ask(shop, 'DELETE', `${RFQ}/${id}`)).body).toEqual(logical("An ordered quote can't be deleted."))
    expect((await ask(shop, 'POST', `${RFQ}/${other}/ordered`, { orderId })).body.data.errMsg).toEqual({
      orderId: ['Another quote is linked to this order.'],
    })
    for (const unknown of ['99999', 'abc', '0']) {
      const { status, body } = await ask(shop, 'POST', `${RFQ}/${other}/ordered`, { orderId: unknown })
      expect([status, Object.keys(body.data.errMsg)]).toEqual([422, ['orderId']])
    }
    expect(await statusOf(other)).toBe(2)
  })
})

describe('the cart of a quote', () => {
  test('has the quoted prices, which no promotion and no coupon changes (M18); each checkout makes another (M19)', async () => {
    const priced = await openShop()
    const id = await makeQuote(priced)
    const rule = { discount: { percentage_amount: '10' }, apply_once: false }
    const promotion = {
      name: 'Ten percent',
      redemption_type: 'AUTOMATIC',
      rules: [{ action: { cart_value: { discount: rule.discount } } }],
    }
    expect((await priced.call('POST', '/promotions', promotion)).status).toBe(201)
    const coupon = { name: 'C', code: 'OFF', type: 'percentage_discount', amount: '10' }
    const off = { ...coupon, applies_to: { entity: 'categories', ids: [0] } }
    await priced.call('POST', '/coupons', off, { version: 'v2' })
    const first = (await ask(priced, 'POST', `${RFQ}/${id}/checkout`)).body
    expect(first).toEqual({
      code: 200,
      data: {
        cartId: expect.any(String),
        cartUrl: expect.stringContaining('action=load&'),
        checkoutUrl: expect.stringContaining('action=loadInCheckout&'),
      },
      message: 'SUCCESS',
      meta: { message: 'SUCCESS' },
    })
    const { cartId } = first.data
    const checkout = checkoutOf(priced, cartId)
    expect(await checkout.get()).toMatchObject({ grand_total: 35 })
    const cart = (await priced.call('GET', `/carts/${cartId}`)).body.data
    expect(cart).toMatchObject({ cart_amount: 35, discount_amount: 0 })
    expect((await checkout.call('POST', '/coupons', { coupon_code: 'OFF' })).status).toBe(422)
    const second = (await ask(priced, 'POST', `${RFQ}/${id}/checkout`)).body.data.cartId
    expect(second).not.toBe(cartId)
    expect((await ask(priced, 'GET', `${RFQ}/${id}`)).body.data.status).toBe(2)
    // The same product without a quote has the promotion.
    const line_items = [{ product_id: await makeMug(priced), quantity: 1 }]
    const plain = (await priced.call('POST', '/carts', { line_items })).body.data.id
    expect((await checkoutOf(priced, plain).get()).grand_total).toBe(36)
  })

  test('is refused for too little stock, and for a company that may not buy', async () => {
    const few = { name: 'Rare', type: 'physical', weight: 1, price: 9, order_quantity_maximum: 1 }
    const { id: productId } = (await shop.call('POST', '/catalog/products', few)).body.data
    const id = await makeQuote(shop, { productList: [line({ productId, quantity: 2 })], grandTotal: 70 })
    expect((await ask(shop, 'POST', `${RFQ}/${id}/checkout`)).status).toBe(422)
    const { companyId } = await makeCompany(shop, 'Idle')
    const other = await makeQuote(shop, { companyId })
    await ask(shop, 'PUT', `/v3/io/companies/${companyId}/status`, { companyStatus: 3 })
    expect((await ask(shop, 'POST', `${RFQ}/${other}/checkout`)).body).toEqual(
      logical('The company of the quote may not buy.'),
    )
  })
})

describe('shipping of a quote', () => {
  test('is a rate of the store or a custom one; the totals follow', async () => {
    const shipping = await openShop()
    const v2 = (path: string, body: object) => shipping.call('POST', path, body, { version: 'v2' })
    await v2('/shipping/zones', { name: 'World', type: 'global' })
    await v2('/shipping/zones/1/methods', { name: 'Flat', type: 'perorder', settings: { rate: 7 } })
    const id = await makeQuote(shipping, { taxTotal: 1, grandTotal: 36 })
    const rates = async () => (await ask(shipping, 'GET', `${RFQ}/${id}/shipping-rates`)).body.data
    const put = (body: object) => ask(shipping, 'PUT', `${RFQ}/${id}/shipping-rate`, body)
    const readIt = async () => (await ask(shipping, 'GET', `${RFQ}/${id}`)).body.data
    expect(await rates()).toEqual([])
    await ask(shipping, 'PUT', `${RFQ}/${id}`, { shippingAddress: { country: 'United States', state: 'Texas' } })
    const [rate] = await rates()
    expect(rate).toEqual({
      shippingMethodId: expect.stringMatching(/^[0-9a-f]{32}$/),
      type: 'shipping_perorder',
      description: 'Flat',
      cost: 7,
    })
    expect((await put({ shippingMethodId: rate.shippingMethodId })).body).toEqual({
      code: 200,
      data: {},
      meta: { message: 'SUCCESS' },
    })
    expect(await readIt()).toMatchObject({
      shippingTotal: 7,
      grandTotal: 43,
      totalAmount: 43,
      shippingMethod: { id: rate.shippingMethodId, type: 'shipping_perorder', isCustom: false, cost: 7 },
    })
    expect((await put({ shippingMethodId: 'other' })).body.data.errMsg).toEqual({
      shippingMethodId: ['This shipping method is not offered.'],
    })
    const either = 'Send either shippingMethodId, or customShippingMethodName with customShippingMethodCost.'
    expect((await put({})).body).toEqual(logical(either))
    expect((await put({ shippingMethodId: 'x', customShippingMethodName: 'y' })).body).toEqual(logical(either))
    expect((await put({ customShippingMethodName: 'Van' })).body.data.errMsg).toHaveProperty('customShippingMethodCost')
    expect((await put({ customShippingMethodName: 'Van', customShippingMethodCost: -1 })).status).toBe(422)
    expect((await put({ customShippingMethodName: 'Van', customShippingMethodCost: 2.5 })).status).toBe(200)
    expect(await readIt()).toMatchObject({
      grandTotal: 38.5,
      shippingMethod: { type: 'custom', isCustom: true, description: 'Van', cost: 2.5 },
    })
    const remove = () => ask(shipping, 'DELETE', `${RFQ}/${id}/shipping-rate`)
    expect((await remove()).status).toBe(204)
    expect(await readIt()).toMatchObject({ grandTotal: 36, shippingTotal: 0, shippingMethod: {} })
    expect((await remove()).body).toEqual(logical('The quote has no shipping.'))
    const names = () => ask(shipping, 'GET', `${RFQ}/custom/shipping-methods`)
    const db = await dbOf(shipping)
    expect((await names()).body.data).toEqual([])
    await changeQuoteSettings(db, { shippingMethods: ['Van'] })
    expect((await names()).body.data).toEqual([{ customShippingMethodName: 'Van' }])
    await changeQuoteSettings(db, { takesCustomShipping: false })
    const off = logical('The store does not use custom shipping.')
    expect((await names()).body).toEqual(off)
    expect((await put({ customShippingMethodName: 'Van', customShippingMethodCost: 2.5 })).body).toEqual(off)
    for (const path of ['99999', 'abc']) {
      expect((await ask(shipping, 'GET', `${RFQ}/${path}/shipping-rates`)).status).toBe(404)
    }
    expect((await ask(shipping, 'GET', `${RFQ}/${id}/shipping-rate`)).status).toBe(405)
    expect((await ask(shipping, 'PUT', `${RFQ}/${id}/shipping-rates`, {})).status).toBe(405)
  })
})

describe('the list of quotes', () => {
  let filled: Shop
  beforeAll(async () => {
    filled = await openShop()
    await enableCompanion(filled)
    const [one, two] = [await makeCompany(filled, 'Acme'), await makeCompany(filled, 'Beta')]
    const [ann, bo] = [await makeStaff(filled), await makeStaff(filled)]
    const { clock } = await theHouse()
    for (const [i, { companyId }] of [one, two, one].entries()) {
      const contactInfo = { name: `Buyer ${i}`, email: `buyer${i}@example.com` }
      const userEmail = (i === 0 ? ann : bo).email
      const quoteTitle = `Title ${i}`
      await makeQuote(filled, { companyId, contactInfo, userEmail, quoteTitle, expiredAt: `12/${20 + i}/2099` })
      clock.move(2_000)
    }
    await ask(filled, 'PUT', `${RFQ}/1`, { status: 6 })
  })
  const find = async (query: string) => {
    const { status, body } = await ask(filled, 'GET', `${RFQ}?${query}`)
    expect(status, JSON.stringify(body)).toBe(200)
    expect(body.meta.pagination.totalCount).toBeGreaterThanOrEqual(body.data.length)
    return body.data.map(({ quoteId }: { quoteId: number }) => quoteId)
  }

  test.each<[query: string, expected: number[]]>([
    ['', [1, 3, 2]],
    ['limit=1&offset=2', [2]],
    ['offset=3', []],
    ['sortBy=createdAt', [3, 2, 1]],
    ['sortBy=createdAt&orderBy=asc', [1, 2, 3]],
    ['sortBy=updatedAt&orderBy=ASC', [2, 3, 1]],
    ['sortBy=company', [2, 3, 1]],
    ['sortBy=status', [1, 3, 2]],
    ['sortBy=salesRep&orderBy=asc', [1, 2, 3]],
    ['sortBy=expiredAt', [3, 2, 1]],
    ['status=2', [3, 2]],
    ['status=6', [1]],
    ['status=5', []],
    ['quoteNumber=qn000002', [2]],
    ['quoteNumber=2', [2]],
    ['company=ACM', [1, 3]],
    ['salesRep=staff', [1, 3, 2]],
    ['quoteTitle=title 1', [2]],
    ['createdBy=nobody', []],
    ['q=buyer 2', [3]],
    ['q=BUYER1@', [2]],
    ['q=QN00000', [1, 3, 2]],
    ['q=beta', [2]],
    ['q=be', [2]],
    ['q=unheard of', []],
    ['q=', [1, 3, 2]],
    ['q=QN00000&sortBy=createdAt&orderBy=asc', [1, 2, 3]],
    ['company=ACM&sortBy=company&orderBy=asc', [1, 3]],
    // A piece may not span two texts.
    ['company=acme&quoteTitle=title 2', [3]],
    ['company=title', []],
    ['channelIds=1', [1, 3, 2]],
    ['channelIds[]=1,2', [1, 3, 2]],
    ['channelIds=2', []],
    ['minCreated=9999999999', []],
    ['maxCreated=9999999999', [1, 3, 2]],
    ['minModified=9999999999', []],
    ['maxModified=1', []],
    [`minExpired=${Date.UTC(2099, 11, 22, 23, 59, 59) / 1_000}`, [3]],
    [`maxExpired=${Date.UTC(2099, 11, 20, 23, 59, 59) / 1_000}`, [1]],
    ['name=x&search=y', [1, 3, 2]],
  ])('answers %s', async (query, expected) => {
    expect(await find(query)).toEqual(expected)
  })

  test.each<[query: string, expected: number[], total: number]>([
    ['limit=1&offset=1', [3], 3],
    ['offset=3', [], 3],
    ['q=QN00000&limit=1&offset=1', [3], 3],
    ['q=QN00000&offset=3', [], 3],
    ['company=ACM&limit=1', [1], 2],
    ['q=unheard of&offset=3', [], 0],
  ])('answers %s with the total', async (query, expected, total) => {
    const { body } = await ask(filled, 'GET', `${RFQ}?${query}`)
    expect(body.data.map(({ quoteId }: { quoteId: number }) => quoteId)).toEqual(expected)
    expect(body.meta.pagination.totalCount).toBe(total)
  })

  test.each([
    ['limit=251', 413],
    ['limit=0', 422],
    ['offset=-1', 422],
    ['sortBy=name', 422],
    ['status=1', 422],
    ['status=8', 422],
    ['channelIds=a', 400],
  ])('refuses %s with %d', async (query, expected) => {
    const { status, body } = await ask(filled, 'GET', `${RFQ}?${query}`)
    expect(status).toBe(expected)
    if (expected === 400) {
      expect(body).toMatchObject({ data: { errMsg: { channel_id_list: [expect.any(String)] } } })
    }
  })
})

describe('a quote whose last day is over', () => {
  test('is expired at each read, ends by the job, and is renewed by a later day', async () => {
    const old = await openShop()
    const { clock, installation } = await theHouse()
    const today = clock.now()
    const day = (date: Date) => `${date.getUTCMonth() + 1}/${date.getUTCDate()}/${date.getUTCFullYear()}`
    const [id, archived, renewed] = [
      await makeQuote(old, { expiredAt: day(today) }),
      await makeQuote(old, { expiredAt: day(today) }),
      await makeQuote(old, { expiredAt: day(today) }),
    ]
    clock.move(86_400_000)
    const readIt = async (quote: number) => (await ask(old, 'GET', `${RFQ}/${quote}`)).body.data.status
    const listed = async (status: number) =>
      (await ask(old, 'GET', `${RFQ}?status=${status}`)).body.meta.pagination.totalCount
    expect([await readIt(id), await listed(5), await listed(2)]).toEqual([5, 3, 0])
    const expired = logical('The status of the quote does not allow this.')
    const put = (quote: number, body: object) => ask(old, 'PUT', `${RFQ}/${quote}`, body)
    expect((await put(id, { notes: 'x' })).body).toEqual(expired)
    expect((await ask(old, 'POST', `${RFQ}/${id}/checkout`)).body).toEqual(expired)
    expect((await ask(old, 'POST', `${RFQ}/${id}/ordered`, { orderId: '1' })).body).toEqual(expired)
    expect((await put(archived, { status: 6 })).status).toBe(200)
    expect((await put(renewed, { expiredAt: day(clock.now()) })).status).toBe(200)
    expect(await readIt(renewed)).toBe(2)
    const after = (await eventsOf(old)).length
    await expireQuotes(installation.directory, clock)
    const events = (await eventsOf(old)).slice(after)
    expect(events.map(({ scope, data }) => [scope, JSON.parse(data).quote_id])).toEqual([
      ['store/quote/updated', id],
      ['store/quote/statusUpdated', id],
    ])
    expect([await readIt(id), await listed(5), await listed(6)]).toEqual([5, 1, 1])
    expect((await put(id, { expiredAt: '12/31/2099', notes: 'Again' })).status).toBe(200)
    expect(await readIt(id)).toBe(2)
  })
})

test('changes publish these events, in this order', async () => {
  const watched = await openShop()
  const after = async () => (await eventsOf(watched)).filter(({ scope }) => scope.startsWith('store/quote')).length
  const id = await makeQuote(watched)
  const uuid = (await ask(watched, 'GET', `${RFQ}/${id}`)).body.data.quoteUuid
  const events = async (from: number) =>
    (await eventsOf(watched))
      .filter(({ scope }) => scope.startsWith('store/quote'))
      .slice(from)
      .map(({ scope, data }) => {
        expect(JSON.parse(data)).toEqual({ quote_id: id, quote_uuid: uuid })
        return scope.replace('store/quote/', '')
      })
  expect(await events(0)).toEqual(['created'])
  for (const [method, path, body, expected] of [
    ['PUT', '', { notes: 'x' }, ['updated']],
    ['PUT', '', { notes: 'x' }, []],
    ['PUT', '', { message: 'Hello' }, []],
    ['PUT', '/shipping-rate', { customShippingMethodName: 'Van', customShippingMethodCost: 1 }, ['updated']],
    ['DELETE', '/shipping-rate', undefined, ['updated']],
    ['POST', '/checkout', {}, []],
    ['PUT', '', { status: 6 }, ['updated', 'statusUpdated']],
    ['DELETE', '', undefined, ['deleted']],
  ] as const) {
    const from = await after()
    await ask(watched, method, `${RFQ}/${id}${path}`, body)
    expect([path, body, await events(from)]).toEqual([path, body, expected])
  }
})
