import { beforeAll, describe, expect, test } from 'vitest'
import type { Db } from '../../../../core/db/database.ts'
import { sql } from '../../../../core/db/sql.ts'
import { unknownId } from '../../../../core/rest/problem.ts'
import { ask, enableCompanion, makeCompany } from '../../../../test/fixtures/companion.ts'
import { openShop, type Shop, theHouse } from '../../../../test/fixtures/shop.ts'
import { dbOf, rowsOf } from '../../../../test/fixtures/webhooks.ts'
import { countPaidOrders } from '../../../orders/reading/paid-orders.ts'
import type { Buyer, CompanyCaller } from '../../shared/caller.ts'
import { PREDEFINED } from '../../shared/permissions.ts'
import { markOrdered } from '../checkout.ts'
import { markRead, messagesToAnswer } from '../messages.ts'
import { findQuote } from '../quote.ts'
import { changeQuote } from '../quote-changes.ts'
import { type AskedQuote, type AskingParts, askForQuote, type QuoteAsker } from './asking.ts'
import { checkOutForBuyer } from './checkout.ts'
import { FaultyLines } from './problem.ts'
import { writeToSeller } from './writing.ts'

// docs/contract/b2b-quotes.md section 10.

const sites = { domain: 'shop.test', publicUrl: 'http://shop.test', allowsPorts: false }
const rep = { name: 'Rae Rep', email: 'rae@staff.example.com' }
let shop: Shop
let db: Db
let company: { companyId: number; customerId: number; customerGroupId: number }
let userId: number
let mug: number
beforeAll(async () => {
  shop = await openShop()
  await enableCompanion(shop)
  db = await dbOf(shop)
  const group = await shop.call(
    'POST',
    '/customer_groups',
    { name: 'Trade', discount_rules: [{ type: 'all', method: 'percent', amount: '10.0000' }] },
    { version: 'v2' },
  )
  company = await makeCompany(shop, 'Acme', { customerGroupId: group.body.id })
  userId = (await ask(shop, 'GET', `/v3/io/users?companyId=${company.companyId}`)).body.data[0].id
  mug = await makeProduct({ price: 40 })
})

const makeProduct = async (more: object): Promise<number> => {
  const name = `Thing ${Math.random()}`
  const product = { name, type: 'physical', weight: 1, price: 10, ...more }
  return (await shop.call('POST', '/catalog/products', product)).body.data.id
}
const buyerWith = (grants = PREDEFINED.Admin, more: Partial<Buyer> = {}): Buyer => ({
  kind: 'buyer',
  userId,
  companyId: company.companyId,
  subsidiaries: new Set(),
  grants,
  ...more,
})
const ada = (more: Partial<QuoteAsker> = {}): QuoteAsker => ({
  caller: buyerWith(),
  companyId: company.companyId,
  customerId: company.customerId,
  name: 'Ada Admin',
  ...more,
})
const guest: QuoteAsker = { caller: { kind: 'guest', quote: '' }, companyId: 0, customerId: 0, name: 'Gil Guest' }
const parts: AskingParts = {
  rep,
  expiryDays: 30,
  takesUnavailable: false,
  visibleProducts: async (_, ids) => new Set(ids),
}
const request = (more: Partial<AskedQuote> = {}): AskedQuote => ({
  contact: { name: 'Ada Admin', email: 'ann@acme.example.com' },
  lines: [{ productId: mug, quantity: 2, basePrice: 36, offeredPrice: 36 }],
  ...more,
})
const refusalOf = async (work: Promise<unknown>) => {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof Error) || !('status' in error) || !('errors' in error)) throw error ?? new Error('No refusal.')
  return { status: error.status, errors: error.errors }
}
/** The oldest first. */
const mailsTo = async (address: string) =>
  (await rowsOf(shop, 'mails'))
    .filter(({ recipient }) => recipient === address)
    .sort((one, other) => Date.parse(String(one.created_at)) - Date.parse(String(other.created_at)))

describe('a buyer asks for a quote', () => {
  test('at the price of the group of its company (P1)', async () => {
    const before = (await mailsTo(rep.email)).length
    const quote = await askForQuote(db, ada(), request({ message: 'Soon, please' }), parts)
    expect(quote).toMatchObject({
      quote_number: expect.stringMatching(/^QN\d{6}$/),
      status: 0,
      company_id: company.companyId,
      company_name: 'Acme',
      user_id: userId,
      customer_id: company.customerId,
      created_by: 'Ada Admin',
      sales_rep: 'Rae Rep',
      subtotal: 72,
      discount: 0,
      grand_total: 72,
      total_amount: 72,
      history: [{ by: 'buyer', role: 'Ada Admin', message: 'Soon, please', date: expect.any(Number) }],
    })
    expect(quote.lines).toMatchObject([{ basePrice: 36, offeredPrice: 36, quantity: 2, purchasedHandled: false }])
    const days = (Date.parse(quote.expires_at) - Date.parse(quote.created_at)) / 86_400_000
    expect(Math.floor(days)).toBe(30)
    expect((await mailsTo(rep.email)).length).toBe(before + 1)
    const events = (await rowsOf(shop, 'events')).map(({ scope, data }) => `${scope} ${JSON.stringify(data)}`)
    expect(
      events.filter((event) => event.startsWith('store/quote/created') && event.includes(quote.quote_uuid)),
    ).toHaveLength(1)
    // The seller sees it as a new one.
    const { data } = (await ask(shop, 'GET', `/v3/io/rfq/${quote.id}`)).body
    expect(data).toMatchObject({ status: 0, grandTotal: 72, createdBy: 'Ada Admin' })
  })

  test('and names no price (P2)', async () => {
    const count = async () => (await rowsOf(shop, 'b2b_quotes')).length
    const before = await count()
    const line = { productId: mug, quantity: 1 }
    const sentence = 'This is not the price of the shop.'
    for (const field of ['basePrice', 'offeredPrice']) {
      for (const price of [30, 35.98, 36.02, 0]) {
        const asked = request({ lines: [{ ...line, [field]: price }] })
        expect(await refusalOf(askForQuote(db, ada(), asked, parts))).toEqual({
          status: 422,
          errors: { [`productList.0.${field}`]: sentence },
        })
      }
    }
    expect(await count()).toBe(before)
    for (const price of [35.99, 36.01, undefined]) {
      const asked = request({ lines: [{ ...line, ...(price === undefined ? {} : { offeredPrice: price }) }] })
      expect((await askForQuote(db, ada(), asked, parts)).grand_total).toBe(36)
    }
  })

  test('at the price of its quantity', async () => {
    const bulk = await makeProduct({
      price: 10,
      bulk_pricing_rules: [{ quantity_min: 5, quantity_max: 0, type: 'percent', amount: 50 }],
    })
    const lines = [
      { productId: bulk, quantity: 2 },
      { productId: bulk, quantity: 3 },
    ]
    const ofGuest = { ...guest, caller: { kind: 'guest', quote: '' } as const }
    expect((await askForQuote(db, ofGuest, request({ lines }), parts)).grand_total).toBe(25)
    expect((await askForQuote(db, ofGuest, request({ lines: lines.slice(0, 1) }), parts)).grand_total).toBe(20)
  })

  test('only of products that it may see', async () => {
    const hidden = { ...parts, visibleProducts: async () => new Set<number>() }
    const unknown = await refusalOf(
      askForQuote(db, ada(), request({ lines: [{ productId: 999_999, quantity: 1 }] }), parts),
    )
    const unseen = await refusalOf(askForQuote(db, ada(), request(), hidden))
    expect(unknown).toEqual({
      status: 422,
      errors: { 'productList.0.productId': unknownId('product', 999_999) },
    })
    expect(unseen).toEqual({
      status: 422,
      errors: { 'productList.0.productId': unknownId('product', mug) },
    })
  })

  test("and learns the lines that can't be bought", async () => {
    const gone = await makeProduct({ availability: 'disabled', name: 'Gone' })
    const lines = [
      { productId: mug, quantity: 1 },
      { productId: gone, quantity: 1 },
    ]
    const error = await askForQuote(db, ada(), request({ lines }), parts).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(FaultyLines)
    expect(error).toMatchObject({
      status: 422,
      lines: [{ line: 1, productId: gone, productName: 'Gone', code: 'NON_PURCHASABLE' }],
    })
    const taken = await askForQuote(db, ada(), request({ lines }), { ...parts, takesUnavailable: true })
    expect(taken.lines.map(({ purchasedHandled }) => purchasedHandled)).toEqual([false, true])
  })

  test('within the rights of its role, and of an approved company', async () => {
    const mayNot = ada({ caller: buyerWith([{ code: 'get_quotes', permissionLevel: 2 }]) })
    expect(await refusalOf(askForQuote(db, mayNot, request(), parts))).toEqual({ status: 403, errors: {} })
    const other = await makeCompany(shop, 'Other')
    expect((await refusalOf(askForQuote(db, ada({ companyId: other.companyId }), request(), parts))).status).toBe(403)
    const withSubsidiary = buyerWith([{ code: 'create_quote', permissionLevel: 3 }], {
      subsidiaries: new Set([other.companyId]),
    })
    const forOther = ada({ caller: withSubsidiary, companyId: other.companyId })
    expect(
      (await askForQuote(db, forOther, request({ lines: [{ productId: mug, quantity: 1 }] }), parts)).company_name,
    ).toBe('Other')
    await ask(shop, 'PUT', `/v3/io/companies/${other.companyId}/status`, { companyStatus: 3 })
    expect((await refusalOf(askForQuote(db, forOther, request(), parts))).status).toBe(422)
  })

  test.each<[string, Partial<AskedQuote>, string]>([
    ['no line', { lines: [] }, 'lines'],
    ['501 lines', { lines: Array.from({ length: 501 }, () => ({ productId: 1, quantity: 1 })) }, 'lines'],
    ['no unit', { lines: [{ productId: 1, quantity: 0 }] }, 'lines.0.quantity'],
    ['1,000,001 units', { lines: [{ productId: 1, quantity: 1_000_001 }] }, 'lines.0.quantity'],
    ['a message of 1,001 characters', { message: 'x'.repeat(1_001) }, 'message'],
    ['a contact without an address', { contact: { name: 'Ada', email: 'nobody' } }, 'contact.email'],
    ['an unknown channel', { channelId: 99 }, 'channelId'],
    ['an unknown currency', { currencyCode: 'XTS' }, 'currency.currencyCode'],
  ])('not with %s', async (_, more, field) => {
    const { status, errors } = await refusalOf(askForQuote(db, ada(), request(more), parts))
    expect(status).toBe(422)
    expect(Object.keys(errors as object)).toEqual([field])
  })

  test('as a customer without a company, or as a guest', async () => {
    const shopper = await shop.call('POST', '/customers', [
      { first_name: 'Cus', last_name: 'Tomer', email: 'cus@example.com' },
    ])
    const customerId = shopper.body.data[0].id
    const asCustomer: QuoteAsker = {
      caller: { kind: 'customer', customerId },
      companyId: 0,
      customerId,
      name: 'Cus Tomer',
    }
    const lines = [{ productId: mug, quantity: 1, offeredPrice: 40 }]
    const own = await askForQuote(db, asCustomer, request({ lines }), parts)
    const ofGuest = await askForQuote(db, guest, request({ lines }), parts)
    expect([own.customer_id, own.company_id, own.user_id]).toEqual([customerId, 0, 0])
    expect([ofGuest.customer_id, ofGuest.company_id, ofGuest.grand_total]).toEqual([0, 0, 40])
    expect(
      (await refusalOf(askForQuote(db, { ...guest, companyId: company.companyId }, request({ lines }), parts))).status,
    ).toBe(422)

    const now = new Date()
    const mayRead = async (caller: CompanyCaller, id: number) =>
      findQuote(db, caller, { id, now }).then(
        () => true,
        () => false,
      )
    const asGuest = (quote: string) => ({ kind: 'guest', quote }) as const
    expect(await mayRead(asCustomer.caller, own.id)).toBe(true)
    expect(await mayRead(asCustomer.caller, ofGuest.id)).toBe(false)
    expect(await mayRead({ kind: 'customer', customerId: company.customerId }, own.id)).toBe(false)
    expect(await mayRead(asGuest(ofGuest.quote_uuid), ofGuest.id)).toBe(true)
    expect(await mayRead(asGuest(ofGuest.quote_uuid.toUpperCase()), ofGuest.id)).toBe(false)
    expect(await mayRead(asGuest(''), ofGuest.id)).toBe(false)
    // The UUID of a quote with a customer or a company opens nothing.
    expect(await mayRead(asGuest(own.quote_uuid), own.id)).toBe(false)
    const ofCompany = await askForQuote(db, ada(), request(), parts)
    expect(await mayRead(asGuest(ofCompany.quote_uuid), ofCompany.id)).toBe(false)
    expect(await mayRead({ kind: 'customer', customerId: company.customerId }, ofCompany.id)).toBe(false)
    expect(await mayRead(buyerWith(), ofGuest.id)).toBe(false)
  })
})

describe('messages', () => {
  const write = (id: number, message: string, caller: CompanyCaller = buyerWith()) =>
    writeToSeller(db, caller, id, { writer: 'Ada Admin', message })
  const shown = async (id: number) => messagesToAnswer(await findQuote(db, buyerWith(), { id, now: new Date() }))

  test('go to and fro, with marks of reading (P3, P4)', async () => {
    const { id } = await askForQuote(db, ada(), request(), parts)
    expect((await write(id, 'Can it be 33?')).status).toBe(3)
    expect(await shown(id)).toEqual([
      { date: expect.any(Number), role: 'Ada Admin', message: 'Can it be 33?', read: false },
    ])
    // Another buyer marks nothing that buyers wrote.
    await markRead(db, await findQuote(db, buyerWith(), { id, now: new Date() }), 'buyer')
    expect((await shown(id))[0]?.read).toBe(false)

    const seen = (await ask(shop, 'GET', `/v3/io/rfq/${id}`)).body.data
    expect(seen).toMatchObject({ status: 3, trackingHistory: [{ role: 'Ada Admin', read: false }] })
    expect((await shown(id))[0]?.read).toBe(true)

    const line = { productId: mug, sku: '', basePrice: 36, discount: 3, offeredPrice: 33, quantity: 2 }
    const changed = await ask(shop, 'PUT', `/v3/io/rfq/${id}`, { productList: [line], message: 'Yes' })
    expect(changed.status, changed.text).toBe(200)
    expect(await shown(id)).toMatchObject([{}, { role: 'Sales rep: Rae Rep', message: 'Yes', read: false }])
    const quote = await findQuote(db, buyerWith(), { id, now: new Date() })
    expect([quote.status, quote.grand_total]).toEqual([2, 66])
    await markRead(db, quote, 'buyer')
    expect((await shown(id)).map(({ read }) => read)).toEqual([true, true])
  })

  test('of a buyer publish a new status, and reading publishes nothing', async () => {
    const { id, quote_uuid } = await askForQuote(db, ada(), request(), parts)
    await write(id, 'One')
    await write(id, 'Two')
    await markRead(db, await findQuote(db, { kind: 'seller' }, { id, now: new Date() }), 'seller')
    const events = (await rowsOf(shop, 'events')).filter(({ data }) => JSON.stringify(data).includes(quote_uuid))
    expect(events.map(({ scope }) => scope)).toEqual([
      'store/quote/created',
      'store/quote/updated',
      'store/quote/statusUpdated',
    ])
  })

  test('are sent by mail, at most once an hour to each side', async () => {
    const { clock } = await theHouse()
    const own = { name: 'Ria Rep', email: 'ria@staff.example.com' }
    const contact = { name: 'Ada', email: 'ada.mail@acme.example.com' }
    const { id, quote_number } = await askForQuote(db, ada(), request({ contact }), { ...parts, rep: own })
    const answer = (message: string) =>
      changeQuote(db, { kind: 'seller' }, id, { body: { message }, rep: undefined, sites })
    await write(id, '<b>One</b>')
    expect(await mailsTo(own.email)).toHaveLength(1)
    clock.move(3_601_000)
    await write(id, '<b>Two</b>')
    await write(id, 'Three')
    expect((await mailsTo(own.email)).map(({ subject }) => subject)).toEqual([
      `New quote ${quote_number}`,
      `New message about the quote ${quote_number}`,
    ])
    expect((await mailsTo(own.email))[1]).toMatchObject({ html: null, text: expect.stringContaining('<b>Two</b>') })
    await answer('Four')
    await answer('Five')
    const [mail, ...more] = await mailsTo(contact.email)
    expect(more).toEqual([])
    expect(mail?.text).toContain(`/#/quoteDetail/${id}`)
    clock.move(3_601_000)
    await answer('Six')
    expect(await mailsTo(contact.email)).toHaveLength(2)
  })

  test.each(['', 'x'.repeat(1_001)])('have 1 to 1,000 characters', async (message) => {
    const { id } = await askForQuote(db, ada(), request(), parts)
    expect((await write(id, 'x'.repeat(1_000))).history).toHaveLength(1)
    expect((await refusalOf(write(id, message))).status).toBe(422)
  })

  test('of a buyer never look like those of a sales representative', async () => {
    const { id } = await askForQuote(db, ada(), request(), parts)
    for (const writer of ['Sales rep: Rae Rep', ' sales  rep: Sales rep:Rae Rep', 'SALES REP Rae Rep']) {
      const { history } = await writeToSeller(db, buyerWith(), id, { writer, message: 'Free for you' })
      expect(history.at(-1)).toMatchObject({ role: 'Rae Rep', by: 'buyer' })
    }
  })

  test('need an open quote, and the right to write', async () => {
    const { id } = await askForQuote(db, ada(), request(), parts)
    const refused = (work: Promise<unknown>) => refusalOf(work).then(({ status }) => status)
    expect(await refused(write(id, 'Hi', buyerWith([{ code: 'get_quotes', permissionLevel: 2 }])))).toBe(404)
    expect(await refused(write(id, 'Hi', buyerWith(PREDEFINED['Junior Buyer'], { userId: userId + 1 })))).toBe(404)
    // Archived quotes and drafts are nowhere for buyers.
    await ask(shop, 'PUT', `/v3/io/rfq/${id}`, { status: 6 })
    expect(await refused(write(id, 'Hi'))).toBe(404)
    // A buyer changes nothing else.
    const changes = { body: { notes: 'mine' }, rep: undefined, sites }
    expect(await refused(changeQuote(db, buyerWith(), id, changes))).toBe(403)
  })
})

describe('a buyer checks a quote out', () => {
  const cartParts = async () => ({
    countOrders: countPaidOrders,
    sites,
    secrets: (await theHouse()).installation.secrets,
  })
  const checkOut = async (id: number, caller: CompanyCaller = buyerWith(), customerId = company.customerId) =>
    checkOutForBuyer(db, caller, { id, customerId }, await cartParts())

  test('at its prices, also after the product has another one (P6)', async () => {
    const product = await makeProduct({ price: 40 })
    const { id } = await askForQuote(db, ada(), request({ lines: [{ productId: product, quantity: 2 }] }), parts)
    await shop.call('PUT', `/catalog/products/${product}`, { price: 50 })
    const cart = await checkOut(id)
    expect(cart.checkoutUrl).toContain(`id=${cart.cartId}`)
    const { data } = (await shop.call('GET', `/carts/${cart.cartId}`)).body
    expect([data.cart_amount, data.customer_id]).toEqual([72, company.customerId])
  })

  test('unless the seller forbids it, or too few units are left (P8)', async () => {
    const scarce = await makeProduct({ inventory_tracking: 'product', inventory_level: 2, name: 'Scarce' })
    const lines = [{ productId: scarce, quantity: 3 }]
    const { id } = await askForQuote(db, ada(), request({ lines }), parts)
    const error = await checkOut(id).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(FaultyLines)
    expect(error).toMatchObject({ lines: [{ line: 0, productId: scarce, productName: 'Scarce', code: 'OOS' }] })
    await shop.call('PUT', `/catalog/products/${scarce}`, { inventory_level: 3 })
    expect((await checkOut(id)).cartId).toBeTruthy()
    await ask(shop, 'PUT', `/v3/io/rfq/${id}`, { allowCheckout: false })
    expect((await refusalOf(checkOut(id))).status).toBe(422)
    await shop.call('DELETE', `/catalog/products/${scarce}`)
    await ask(shop, 'PUT', `/v3/io/rfq/${id}`, { allowCheckout: true })
    expect(await checkOut(id).catch((thrown: unknown) => thrown)).toMatchObject({
      lines: [{ code: 'NON_PURCHASABLE' }],
    })
  })

  test('and links the order of its cart only', async () => {
    const { id } = await askForQuote(db, ada(), request(), parts)
    const { cartId } = await checkOut(id)
    const makeOrder = async (cart: string | null) => {
      const products = [{ name: 'Print', quantity: 1, price_ex_tax: 20, price_inc_tax: 20 }]
      const body = { billing_address: { zip: '1' }, products, customer_id: company.customerId, status_id: 0 }
      const made = (await shop.call('POST', '/orders', body, { version: 'v2' })).body.id
      await db.transaction((tx) =>
        tx.rows(sql`update orders set cart_id = ${cart} where store_id = ${tx.store.id} and id = ${made} returning id`),
      )
      return String(made)
    }
    const [other, own] = [await makeOrder(null), await makeOrder(cartId)]
    for (const orderId of [other, '999999', '0', 'x']) {
      expect((await refusalOf(markOrdered(db, buyerWith(), id, orderId))).status).toBe(422)
    }
    await markOrdered(db, buyerWith(), id, own)
    // The order has ended the quote: saying so again changes nothing.
    await markOrdered(db, buyerWith(), id, own)
    expect((await findQuote(db, buyerWith(), { id, now: new Date() })).status).toBe(4)
    expect((await refusalOf(checkOut(id))).status).toBe(422)
    expect((await refusalOf(writeToSeller(db, buyerWith(), id, { writer: 'Ada', message: 'Hi' }))).status).toBe(422)
  })
})
