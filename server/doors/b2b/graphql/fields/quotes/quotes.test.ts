import { beforeAll, describe, expect, test } from 'vitest'
import { randomIds } from '../../../../../core/secrets/ids.ts'
import { setPortalSetting } from '../../../../../sales/b2b/portal/settings.ts'
import {
  ADMIN,
  askGraph,
  codeOf,
  dataOf,
  makeBelow,
  makeSuper,
  makeUser,
  openBuyers,
  refusal,
  tokenAt,
} from '../../../../../test/buyers.ts'
import { ask, makeCompany } from '../../../../../test/fixtures/companion.ts'
import { type Shop, theHouse } from '../../../../../test/fixtures/shop.ts'
import { dbOf, rowsOf } from '../../../../../test/fixtures/webhooks.ts'
import { createStaff } from '../../../staff/staff.ts'

// docs/contract/b2b-graphql.md section 13.

let shop: Shop
let companyId: number
let customerId: number
let mug: number
let ada: string
beforeAll(async () => {
  ;({ shop, companyId, customerId } = await openBuyers())
  const group = await shop.call(
    'POST',
    '/customer_groups',
    { name: 'Trade', discount_rules: [{ type: 'all', method: 'percent', amount: '10.0000' }] },
    { version: 'v2' },
  )
  await ask(shop, 'PUT', `/v3/io/companies/${companyId}`, { customerGroupId: group.body.id })
  const rep = { email: 'rae@staff.example.com', name: 'Rae Rep', role: 'owner', isSalesRep: false } as const
  await createStaff(await dbOf(shop), randomIds, rep)
  mug = await makeProduct({ price: 40 })
  ada = await tokenAt(shop, ADMIN)
})

let products = 0
async function makeProduct(more: object): Promise<number> {
  const name = `Thing ${++products}`
  const product = { name, type: 'physical', weight: 1, price: 10, is_visible: true, sku: `T-${products}`, ...more }
  const { id } = (await shop.call('POST', '/catalog/products', product)).body.data
  await shop.call('PUT', '/catalog/products/channel-assignments', [{ product_id: id, channel_id: 1 }])
  return id
}

const variantOf = async (product: number): Promise<number> =>
  (await shop.call('GET', `/catalog/products/${product}/variants`)).body.data[0].id

const CREATE =
  'mutation ($quoteData: QuoteInputType!) { quoteCreate(quoteData: $quoteData) { quote { id createdAt uuid } } }'

/** The request as the portal sends it: with blanks for fields left empty. */
async function requestOf(more: object = {}, line: object = {}) {
  const productId = mug
  const blank = {
    country: '',
    state: '',
    city: '',
    zipCode: '',
    address: '',
    apartment: '',
    firstName: '',
    lastName: '',
  }
  return {
    message: '',
    referenceNumber: '',
    userEmail: ADMIN,
    quoteTitle: '',
    subtotal: '72',
    grandTotal: '72.00',
    totalAmount: '',
    discount: '0.00',
    taxTotal: '',
    shippingTotal: '',
    shippingAddress: { ...blank, phoneNumber: '', label: '', addressId: 0, extraFields: [] },
    billingAddress: { ...blank, phoneNumber: '', label: '', addressId: 0, extraFields: [] },
    contactInfo: { name: 'Ada Admin', email: ADMIN, companyName: '', phoneNumber: '' },
    storeHash: shop.store.hash,
    currency: {
      currencyExchangeRate: '1.0000000000',
      token: '$',
      location: 'left',
      decimalToken: '.',
      decimalPlaces: 2,
      thousandsToken: ',',
      currencyCode: 'USD',
    },
    fileList: [],
    extraFields: [],
    recipients: [],
    channelId: 1,
    ...more,
    productList: [
      {
        productId,
        sku: 'T-1',
        basePrice: '36.00',
        discount: '0.00',
        offeredPrice: '36.00',
        quantity: 2,
        variantId: await variantOf(mug),
        imageUrl: '',
        productName: 'Thing 1',
        itemId: 'line-1',
        options: [],
        ...line,
      },
    ],
  }
}

/** Asks for a quote. @returns its id, the second of its creation and its UUID */
async function make(token: string | undefined = ada, more: object = {}, line: object = {}) {
  const variables = { quoteData: await requestOf(more, line) }
  const { quote } = (await dataOf(CREATE, { token, variables })).quoteCreate
  return { id: Number(quote.id), date: String(quote.createdAt), uuid: quote.uuid as string }
}

const refusedOf = async (token: string | undefined, more: object, line: object = {}) =>
  (await askGraph(CREATE, { token, variables: { quoteData: await requestOf(more, line) } })).body

const DETAIL = `{ id status salesRepStatus customerStatus quoteNumber quoteTitle referenceNumber createdBy createdByEmail userEmail bcCustomerId
  subtotal discount grandTotal totalAmount shippingTotal taxTotal currency contactInfo trackingHistory extraFields { fieldName fieldValue }
  notes legalTerms allowCheckout displayDiscount company companyInfo { companyId companyName } salesRep salesRepEmail orderId
  productsList { productId sku basePrice discount offeredPrice quantity variantId productName options costPrice purchaseHandled }
  storefrontAttachFiles { id fileName fileType fileUrl createdBy } storeInfo { storeName } quoteUrl channelId channelName uuid expiredAt createdAt }`
const quote = ({ id, date = '', uuid }: { id: number; date?: string; uuid?: string }, fields = DETAIL) =>
  `{ quote(id: ${id}, storeHash: "${shop.store.hash}", date: "${date}"${uuid === undefined ? '' : `, uuid: "${uuid}"`}) ${fields} }`
const read = async (token: string | undefined, at: { id: number; date?: string; uuid?: string }, fields = DETAIL) =>
  (await dataOf(quote(at, fields), { token })).quote
const say = (id: number, message: string) =>
  `mutation { quoteUpdate(id: ${id}, quoteData: {storeHash: "${shop.store.hash}", userEmail: "${ADMIN}", message: "${message}"}) {
    quote { status salesRepStatus trackingHistory } } }`
const checkout = (id: number, uuid = '') =>
  `mutation { quoteCheckout(id: ${id}, storeHash: "${shop.store.hash}", uuid: "${uuid}") { quoteCheckout { checkoutUrl cartId cartUrl } } }`
const numbers = async (token: string, args: string) => {
  const { quotes } = await dataOf(`{ quotes(${args}) { totalCount edges { node { quoteNumber } } } }`, { token })
  return quotes.edges.map(({ node }: { node: { quoteNumber: string } }) => node.quoteNumber)
}

describe('a quote of a company', () => {
  test('P1: has the prices of its group, and is open for the buyer', async () => {
    const at = await make(ada, { quoteTitle: 'Mugs', referenceNumber: 'R-7' })
    const answer = await read(ada, at)
    const places = { country: '', state: '', city: '', zipCode: '', address: '', apartment: '' }
    expect(answer).toEqual({
      id: String(at.id),
      status: 1,
      salesRepStatus: 0,
      customerStatus: 1,
      quoteNumber: 'QN000001',
      quoteTitle: 'Mugs',
      referenceNumber: 'R-7',
      createdBy: 'Ann Lee',
      createdByEmail: ADMIN,
      userEmail: ADMIN,
      bcCustomerId: customerId,
      subtotal: '72.00',
      discount: '0.00',
      grandTotal: '72.00',
      totalAmount: '72.00',
      shippingTotal: '0.00',
      taxTotal: '0.00',
      currency: expect.objectContaining({ currencyCode: 'USD', currencyExchangeRate: '1' }),
      contactInfo: { name: 'Ada Admin', email: ADMIN, companyName: '', phoneNumber: '' },
      trackingHistory: [],
      extraFields: [],
      notes: '',
      legalTerms: '',
      allowCheckout: true,
      displayDiscount: true,
      company: 'Acme',
      companyInfo: { companyId: String(companyId), companyName: 'Acme' },
      salesRep: 'Rae Rep',
      salesRepEmail: 'rae@staff.example.com',
      orderId: '',
      productsList: [
        {
          productId: String(mug),
          sku: 'T-1',
          basePrice: '36.00',
          discount: '0.00',
          offeredPrice: '36.00',
          quantity: 2,
          variantId: await variantOf(mug),
          productName: 'Thing 1',
          options: [],
          costPrice: '0',
          purchaseHandled: false,
        },
      ],
      storefrontAttachFiles: [],
      storeInfo: { storeName: expect.any(String) },
      quoteUrl: expect.stringMatching(new RegExp(`/#/quoteDetail/${at.id}$`)),
      channelId: 1,
      channelName: expect.any(String),
      uuid: at.uuid,
      expiredAt: expect.any(Number),
      createdAt: Number(at.date),
    })
    const days = (answer.expiredAt - answer.createdAt) / 86_400
    expect([days > 29, days < 31.1]).toEqual([true, true])
    const address = await read(ada, at, '{ shippingAddress billingAddress }')
    expect(address.shippingAddress).toMatchObject(places)
    expect((await ask(shop, 'GET', `/v3/io/rfq/${at.id}`)).body.data.status).toBe(0)
  })

  test('is asked for with an itemId in each line, and blanks for all that is left empty (row 6)', async () => {
    const blanks = { subtotal: '', grandTotal: '', discount: '', taxTotal: '', shippingTotal: '', totalAmount: '' }
    const at = await make(ada, blanks, { basePrice: '', offeredPrice: '', discount: '', itemId: 'line-7' })
    expect(await read(ada, at, '{ grandTotal productsList { offeredPrice quantity } }')).toEqual({
      grandTotal: '72.00',
      productsList: [{ offeredPrice: '36.00', quantity: 2 }],
    })
  })

  test('P2: has no price of the buyer', async () => {
    const before = (await rowsOf(shop, 'b2b_quotes')).length
    const { data, errors } = await refusedOf(ada, {}, { offeredPrice: '30' })
    expect(data).toEqual({ quoteCreate: null })
    expect(errors[0].extensions.code).toBe(422)
    expect((await rowsOf(shop, 'b2b_quotes')).length).toBe(before)
  })

  test('P3, P4: has messages of both sides with marks of reading', async () => {
    const { id } = await make()
    const first = (await dataOf(say(id, 'Can it be 33?'), { token: ada })).quoteUpdate.quote
    const own = { date: expect.any(Number), role: 'Ann Lee', message: 'Can it be 33?', read: false }
    expect(first).toEqual({ status: 1, salesRepStatus: 3, trackingHistory: [own] })
    expect((await ask(shop, 'GET', `/v3/io/rfq/${id}`)).body.data).toMatchObject({ status: 3, trackingHistory: [own] })
    const line = { productId: mug, sku: 'T-1', basePrice: 36, discount: 3, offeredPrice: 33, quantity: 2 }
    const changed = await ask(shop, 'PUT', `/v3/io/rfq/${id}`, { productList: [line], message: 'Yes' })
    expect(changed.status, changed.text).toBe(200)
    const seen = await read(ada, { id }, '{ salesRepStatus grandTotal discount trackingHistory }')
    expect(seen).toMatchObject({
      salesRepStatus: 2,
      grandTotal: '66.00',
      discount: '6.00',
      trackingHistory: [
        { ...own, read: true },
        { role: 'Sales rep: Rae Rep', message: 'Yes', read: false },
      ],
    })
    const again = await read(ada, { id }, '{ trackingHistory }')
    expect(again.trackingHistory[1].read).toBe(true)
  })

  test('P5: of another user is unknown at level 1, and is read at level 2', async () => {
    const { id } = await make()
    const jo = await makeUser(shop, companyId, 2)
    const sen = await makeUser(shop, companyId, 1)
    const foreign = (await askGraph(quote({ id }), { token: jo.token })).body
    const unknown = (await askGraph(quote({ id: 999_999 }), { token: jo.token })).body
    expect(foreign.errors).toEqual([refusal('quote', 404)])
    expect(JSON.stringify(unknown).replaceAll('999999', String(id))).toBe(JSON.stringify(foreign))
    expect((await read(sen.token, { id }, '{ id }')).id).toBe(String(id))
    for (const query of [say(id, 'Hi'), checkout(id)]) expect(await codeOf(query, { token: jo.token })).toBe(404)
    // Without the code at all it is forbidden, whether it exists or not.
    const none = await makeUser(shop, companyId, { get_users: 2 })
    for (const at of [{ id }, { id: 999_999 }]) expect(await codeOf(quote(at), { token: none.token })).toBe(403)
    expect((await refusedOf(none.token, {})).errors[0].extensions.code).toBe(403)
  })

  test('P6, P7: is checked out at its prices, and ends with its order', async () => {
    const product = await makeProduct({ price: 40 })
    const line = { productId: product, variantId: await variantOf(product), basePrice: '36', offeredPrice: '' }
    const { id } = await make(ada, {}, line)
    await shop.call('PUT', `/catalog/products/${product}`, { price: 50 })
    const { quoteCheckout } = (await dataOf(checkout(id), { token: ada })).quoteCheckout
    expect(quoteCheckout.checkoutUrl).toContain(quoteCheckout.cartId)
    const { data } = (await shop.call('GET', `/carts/${quoteCheckout.cartId}`)).body
    expect([data.cart_amount, data.customer_id]).toEqual([72, customerId])
    const order = await shop.call(
      'POST',
      '/orders',
      {
        billing_address: { zip: '1' },
        products: [{ name: 'Print', quantity: 1, price_ex_tax: 20, price_inc_tax: 20 }],
        customer_id: customerId,
        status_id: 0,
      },
      { version: 'v2' },
    )
    const ordered = (
      orderId: number,
    ) => `mutation { quoteOrdered(id: ${id}, orderedData: {orderId: "${orderId}", storeHash: "${shop.store.hash}",
      shippingTotal: "0", taxTotal: "0", shippingMethod: {
        id: "", type: "", description: "", imageUrl: "", transitTime: "", cost: 0, additionalDescription: ""
      }}) { message } }`
    // It is not the order of its cart.
    expect(await codeOf(ordered(order.body.id), { token: ada })).toBe(422)
    expect((await ask(shop, 'POST', `/v3/io/rfq/${id}/ordered`, { orderId: order.body.id })).status).toBe(200)
    expect(await read(ada, { id }, '{ status orderId bcOrderId }')).toEqual({
      status: 4,
      orderId: String(order.body.id),
      bcOrderId: String(order.body.id),
    })
    expect(await codeOf(say(id, 'Late'), { token: ada })).toBe(422)
    expect(await codeOf(checkout(id), { token: ada })).toBe(422)
  })

  test('P8: is not checked out with too little stock', async () => {
    const scarce = await makeProduct({ inventory_tracking: 'product', inventory_level: 2, name: 'Scarce', price: 10 })
    const variantId = await variantOf(scarce)
    const { id } = await make(ada, {}, { productId: scarce, variantId, quantity: 3, basePrice: '9', offeredPrice: '9' })
    const { data, errors } = (await askGraph(checkout(id), { token: ada })).body
    expect(data).toEqual({ quoteCheckout: null })
    expect(errors[0].extensions).toEqual({
      code: 422,
      productValidationErrors: [
        { itemId: '0', productId: scarce, variantId, responseType: 'ERROR', code: 'OOS', productName: 'Scarce' },
      ],
    })
    const gone = await makeProduct({ availability: 'disabled', name: 'Gone', price: 10 })
    const faulty = { productId: gone, variantId: await variantOf(gone), basePrice: '9', offeredPrice: '9' }
    expect((await refusedOf(ada, {}, faulty)).errors[0].extensions.productValidationErrors).toMatchObject([
      { itemId: 'line-1', productId: gone, responseType: 'ERROR', code: 'NON_PURCHASABLE' },
    ])
  })

  test('that is archived or a draft is nowhere, and an expired one is shown as such', async () => {
    const { id } = await make(ada, { quoteTitle: 'Old' })
    const { clock } = await theHouse()
    await ask(shop, 'PUT', `/v3/io/rfq/${id}`, { status: 6 })
    expect(await codeOf(quote({ id }), { token: ada })).toBe(404)
    expect(await numbers(ada, 'quoteTitle: "Old"')).toEqual([])
    const late = await make(ada, { quoteTitle: 'Late' })
    clock.move(40 * 86_400_000)
    const token = await tokenAt(shop, ADMIN)
    expect(await read(token, late, '{ status allowCheckout }')).toEqual({ status: 5, allowCheckout: false })
    expect(await codeOf(checkout(late.id), { token })).toBe(422)
    expect(await numbers(token, 'quoteTitle: "Late", status: "5"')).toHaveLength(1)
    expect(await numbers(token, 'quoteTitle: "Late", status: "1"')).toEqual([])
    ada = token
  })
})

describe('quotes', () => {
  test('are listed, filtered, sorted and paged', async () => {
    const { shop: own, companyId: company } = await openBuyers()
    const token = await tokenAt(own, ADMIN)
    const before = shop
    shop = own
    try {
      mug = await makeProduct({ price: 36 })
      for (const quoteTitle of ['Alpha', 'Beta', 'Gamma']) await make(token, { quoteTitle })
    } finally {
      shop = before
    }
    const list = `{ quotes(first: 2) { totalCount pageInfo { hasNextPage hasPreviousPage endCursor } edges { cursor node {
      id quoteNumber quoteTitle createdBy company status grandTotal currency channelId trackingHistory productsList { sku } companyInfo { companyId } } } } }`
    const { quotes } = await dataOf(list, { token })
    const node = (n: number, quoteTitle: string) => ({
      id: expect.any(String),
      quoteNumber: `QN00000${n}`,
      quoteTitle,
      createdBy: 'Ann Lee',
      company: 'Acme',
      status: 1,
      grandTotal: '72.00',
      currency: expect.objectContaining({ currencyCode: 'USD' }),
      channelId: 1,
      trackingHistory: [],
      productsList: [],
      companyInfo: { companyId: String(company) },
    })
    expect(quotes).toMatchObject({
      totalCount: 3,
      pageInfo: { hasNextPage: true, hasPreviousPage: false },
      edges: [{ node: node(3, 'Gamma') }, { node: node(2, 'Beta') }],
    })
    const all = ['QN000003', 'QN000002', 'QN000001']
    const rows: [string, string[]][] = [
      ['', all],
      ['orderBy: "createdAt"', all.toReversed()],
      ['orderBy: "-quoteTitle"', all],
      ['orderBy: "nonsense"', all],
      ['search: "alph"', ['QN000001']],
      ['search: ""', all],
      ['quoteTitle: "BET"', ['QN000002']],
      ['quoteNumber: "000003"', ['QN000003']],
      ['createdBy: "ann"', all],
      ['createdBy: "bob"', []],
      ['company: "acm"', all],
      ['salesRep: "nobody"', []],
      ['salesRep: ""', all],
      [`email: "${ADMIN.toUpperCase()}"`, all],
      ['email: "other@example.com"', []],
      ['status: "1"', all],
      ['status: 1', all],
      ['status: ""', all],
      ['status: 4', []],
      ['status: 0', []],
      ['status: 6', []],
      ['dateCreatedBeginAt: "2000-01-01", dateCreatedEndAt: "2200-01-01"', all],
      ['dateCreatedEndAt: "2000-01-01"', []],
      ['dateUpdatedBeginAt: "2200-01-01"', []],
      ['dateExpiredBeginAt: "2000-01-01", dateExpiredEndAt: ""', all],
      [`after: "${quotes.pageInfo.endCursor}"`, ['QN000001']],
      ['offset: 9', []],
    ]
    for (const [args, expected] of rows) {
      expect(await numbers(token, args === '' ? 'first: 250' : args), args).toEqual(expected)
    }
    for (const args of ['first: 0', 'first: 251', 'first: -1', 'offset: -1']) {
      expect(await codeOf(`{ quotes(${args}) { totalCount } }`, { token }), args).toBe(422)
    }
    mug = await makeProduct({ price: 40 })
  })

  test('of other companies are nowhere: neither in lists, by id, nor as a subsidiary without acting for it', async () => {
    const { id } = await make()
    const { companyId: rival } = await makeCompany(shop, 'RivalOfQuotes')
    const eve = await makeUser(shop, rival, 0)
    const lower = await makeBelow(shop, 'LowerQuotes', companyId)
    const below = await make(lower.token, {}, { basePrice: '40', offeredPrice: '40' })
    expect(await numbers(eve.token, 'first: 250')).toEqual([])
    for (const token of [eve.token, lower.token]) {
      expect(await codeOf(quote({ id }), { token })).toBe(404)
      expect(await codeOf(say(id, 'Hi'), { token })).toBe(404)
      expect(await codeOf(checkout(id), { token })).toBe(404)
    }
    expect(await codeOf(quote(below), { token: ada })).toBe(404)
    // A code at level 3 reaches it.
    const cem = await makeUser(shop, companyId, { get_company_subsidiaries: 3, get_quotes: 3, get_quote_detail: 3 })
    expect((await read(cem.token, below, '{ company }')).company).toBe('LowerQuotes')
    await dataOf(
      `mutation { userMasqueradingCompanyBegin(companyId: ${lower.companyId}) { userMasqueradingCompanyBegin { companyId } } }`,
      { token: cem.token },
    )
    expect(await numbers(cem.token, 'first: 250')).toHaveLength(1)
    // Nobody asks in the name of another company.
    expect((await refusedOf(eve.token, { companyId })).errors[0].extensions.code).toBe(403)
    expect((await refusedOf(eve.token, { companyId: 999_999 })).errors[0].extensions.code).toBe(403)
  })

  test('of a super admin belong to the company that it acts for', async () => {
    const rae = await makeSuper(shop, [companyId])
    expect((await refusedOf(rae.token, {})).errors[0].extensions.code).toBe(403)
    await dataOf(`mutation { superAdminBeginMasquerade(companyId: ${companyId}) { userInfo { email } } }`, {
      token: rae.token,
    })
    const { id } = await make(rae.token)
    expect(await read(ada, { id }, '{ createdBy company }')).toEqual({ createdBy: 'Rae Holm', company: 'Acme' })
  })
})

describe('a customer without a company', () => {
  test('asks if the store takes it, and reaches the own quotes only', async () => {
    const plain = await tokenAt(shop, 'plain@example.com')
    const line = { basePrice: '40', offeredPrice: '40' }
    const db = await dbOf(shop)
    expect((await refusedOf(plain, {}, line)).errors[0].extensions.code).toBe(403)
    await setPortalSetting(db, { key: 'quote_for_individual_customer', given: 'on', channel: 0 })
    const own = await make(plain, {}, line)
    const ofCompany = await make()
    expect(await read(plain, own, '{ createdBy grandTotal companyInfo { companyId } }')).toEqual({
      createdBy: 'P L',
      grandTotal: '80.00',
      companyInfo: null,
    })
    const list = '{ customerQuotes(first: 10) { totalCount edges { node { id } } } }'
    expect((await dataOf(list, { token: plain })).customerQuotes).toEqual({
      totalCount: 1,
      edges: [{ node: { id: String(own.id) } }],
    })
    expect((await dataOf(list, { token: ada })).customerQuotes.totalCount).toBe(0)
    expect(await codeOf(quote(ofCompany), { token: plain })).toBe(404)
    expect(await codeOf(quote(own), { token: ada })).toBe(404)
    expect(await codeOf('{ quotes { totalCount } }', { token: plain })).toBe(403)
    expect((await dataOf(say(own.id, 'Hi'), { token: plain })).quoteUpdate.quote.salesRepStatus).toBe(3)
  })
})

describe('a guest', () => {
  const line = { basePrice: '40', offeredPrice: '40' }
  test('asks if the store takes it, and opens the own quote with date and UUID', async () => {
    const db = await dbOf(shop)
    expect((await refusedOf(undefined, {}, line)).errors[0].extensions.code).toBe(403)
    await setPortalSetting(db, { key: 'quote_for_guest', given: 'on', channel: 0 })
    const variables = { quoteData: await requestOf({}, line) }
    const { quote: made } = (await dataOf(CREATE, { variables })).quoteCreate
    const at = { id: Number(made.id), date: String(made.createdAt), uuid: String(made.uuid) }
    expect(at.uuid).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
    expect(await read(undefined, at, '{ createdBy status company }')).toEqual({
      createdBy: 'Ada Admin',
      status: 1,
      company: '',
    })
    const ofCompany = await make()
    for (const wrong of [
      { ...at, uuid: ofCompany.uuid },
      { ...at, date: '1' },
      { ...at, date: '' },
      { id: at.id, date: at.date },
      { ...at, id: ofCompany.id },
      ofCompany,
    ]) {
      expect(await codeOf(quote(wrong)), JSON.stringify(wrong)).toBe(404)
    }
    expect(await codeOf(say(at.id, 'Hi'))).toBe(401)
    expect(await codeOf(checkout(at.id, 'zzz'))).toBe(404)
    expect((await dataOf(checkout(at.id, at.uuid))).quoteCheckout.quoteCheckout.cartId).toBeTruthy()
    // 20 wrong guesses in a minute end in 429, also for the right one.
    for (let i = 0; i < 13; i++) expect(await codeOf(quote({ ...at, date: '1' }))).toBe(404)
    expect(await codeOf(quote({ ...at, date: '1' }))).toBe(429)
    expect(await codeOf(quote(at))).toBe(429)
    const { clock } = await theHouse()
    clock.move(61_000)
    expect(await codeOf(quote(at))).toBeUndefined()
  })
})

describe('files of a quote', () => {
  const upload = async (token: string, bytes: string) => {
    const { server } = await theHouse()
    const boundary = 'xyz'
    const payload = [
      `--${boundary}\r\nContent-Disposition: form-data; name="requestType"\r\n\r\nquoteAttachedFile\r\n`,
      `--${boundary}\r\nContent-Disposition: form-data; name="mediaFile"; filename="plan.pdf"\r\nContent-Type: application/pdf\r\n\r\n`,
      `${bytes}\r\n--${boundary}--\r\n`,
    ].join('')
    const answer = await server.inject({
      method: 'POST',
      url: '/b2b/api/v2/media/upload',
      headers: { 'content-type': `multipart/form-data; boundary=${boundary}`, authtoken: token },
      payload,
    })
    return answer.json().data.fileUrl as string
  }
  const attach = (id: number, fileUrl: string) =>
    `mutation { quoteAttachFileCreate(quoteId: ${id}, fileList: [{fileUrl: "${fileUrl}", fileName: "plan.pdf", fileType: "application/pdf"}]) {
      attachFiles { id fileName fileType fileUrl createdBy } } }`
  const PDF = '%PDF-1.4\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n'

  test('are uploads of the caller, downloaded by their secret, and deleted', async () => {
    const { server } = await theHouse()
    const { id } = await make()
    const fileUrl = await upload(ada, PDF)
    const { attachFiles } = (await dataOf(attach(id, fileUrl), { token: ada })).quoteAttachFileCreate
    expect(attachFiles).toEqual([
      { id: 1, fileName: 'plan.pdf', fileType: 'application/pdf', fileUrl, createdBy: 'Ann Lee' },
    ])
    expect((await read(ada, { id }, '{ storefrontAttachFiles { id fileUrl } }')).storefrontAttachFiles).toEqual([
      { id: 1, fileUrl },
    ])
    // The seller sees them too.
    expect((await ask(shop, 'GET', `/v3/io/rfq/${id}`)).body.data).toMatchObject({
      storefrontAttachFiles: [{ id: 1, fileName: 'plan.pdf', fileType: 'application/pdf', fileUrl }],
      backendAttachFiles: [],
    })
    const { clock } = await theHouse()
    clock.move(2 * 86_400_000)
    ada = await tokenAt(shop, ADMIN)
    // It does not end after a day, as uploads do that nothing has taken.
    const file = await server.inject({ url: new URL(fileUrl).pathname })
    expect([file.statusCode, file.headers['content-disposition'], file.body]).toEqual([200, 'attachment', PDF])
    // An upload is taken once, by its owner.
    expect(await codeOf(attach(id, fileUrl), { token: ada })).toBe(422)
    const other = await makeUser(shop, companyId, 0)
    expect(await codeOf(attach(id, await upload(other.token, PDF)), { token: ada })).toBe(422)
    const { companyId: rival } = await makeCompany(shop, 'RivalOfFiles')
    const eve = await makeUser(shop, rival, 0)
    const remove = `mutation { quoteAttachFileDelete(quoteId: ${id}, fileId: 1) { message } }`
    expect(await codeOf(attach(id, await upload(eve.token, PDF)), { token: eve.token })).toBe(404)
    expect(await codeOf(remove, { token: eve.token })).toBe(404)
    // A senior reads the quotes of colleagues, and asks only for itself.
    const sen = await makeUser(shop, companyId, 1)
    expect(await codeOf(attach(id, await upload(sen.token, PDF)), { token: sen.token })).toBe(404)
    expect(await codeOf(remove, { token: sen.token })).toBe(404)
    expect(await dataOf(remove, { token: ada })).toEqual({ quoteAttachFileDelete: { message: 'Success' } })
    expect(await codeOf(remove, { token: ada })).toBe(404)
    expect((await server.inject({ url: new URL(fileUrl).pathname })).statusCode).toBe(404)
  })

  test('come with the request for the quote', async () => {
    const fileUrl = await upload(ada, PDF)
    const fileList = [{ fileUrl, fileName: 'plan.pdf', fileType: 'application/pdf', fileSize: 10 }]
    const { id } = await make(ada, { fileList })
    expect((await read(ada, { id }, '{ storefrontAttachFiles { fileName } }')).storefrontAttachFiles).toEqual([
      { fileName: 'plan.pdf' },
    ])
    const before = (await rowsOf(shop, 'b2b_quotes')).length
    expect((await refusedOf(ada, { fileList })).errors[0].extensions.code).toBe(422)
    expect((await rowsOf(shop, 'b2b_quotes')).length).toBe(before)
  })
})

describe('documents of a quote', () => {
  test('are a PDF by a link', async () => {
    const { server } = await theHouse()
    const at = await make()
    const query = `mutation { quoteFrontendPdf(quoteId: ${at.id}, storeHash: "${shop.store.hash}", createdAt: ${at.date}, lang: "en", isPreview: false) { url content } }`
    const { quoteFrontendPdf } = await dataOf(query, { token: ada })
    const { pathname, search } = new URL(quoteFrontendPdf.url)
    const file = await server.inject({ url: pathname + search })
    expect([file.statusCode, file.headers['content-type'], file.body.slice(0, 5)]).toEqual([
      200,
      'application/pdf',
      '%PDF-',
    ])
    const jo = await makeUser(shop, companyId, 2)
    expect(await codeOf(query, { token: jo.token })).toBe(404)
    const other = `mutation { quotePdfExport(quoteId: ${at.id}, storeHash: "${shop.store.hash}", currency: {currencyExchangeRate: "2"}) { url } }`
    expect((await dataOf(other, { token: ada })).quotePdfExport.url).toContain('.pdf')
    expect(await codeOf(other, { token: jo.token })).toBe(404)
  })

  test('are sent to people of the quote only', async () => {
    const { id } = await make()
    const send = (email: string) =>
      `mutation { quoteEmail(emailData: {email: "${email}", quoteId: ${id}}) { message } }`
    expect(await dataOf(send(ADMIN), { token: ada })).toEqual({ quoteEmail: { message: 'Success' } })
    expect(await codeOf(send('stranger@example.com'), { token: ada })).toBe(422)
    expect(await codeOf(send('not an address'), { token: ada })).toBe(422)
    const mails = await rowsOf(shop, 'mails')
    expect(mails.filter(({ recipient }) => recipient === 'stranger@example.com')).toEqual([])
    expect(
      mails.some(({ recipient, text }) => recipient === ADMIN && String(text).includes(`/#/quoteDetail/${id}`)),
    ).toBe(true)
  })
})
