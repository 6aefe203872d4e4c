import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ADMIN, dataOf, openBuyers, tokenAt } from '../../../test/buyers.ts'
import { ask, enableCompanion, makeCompany, makeInvoice } from '../../../test/fixtures/companion.ts'
import { openShop, type Shop } from '../../../test/fixtures/shop.ts'
import { isFrame, isOfCompanionGate, isOfGate, overhear } from '../../../test/harness/overhear.ts'

// The statements of large requests of companies and buyers. No number of lines, items or companies adds one.

const LINES = 50
const ITEMS = 250

let shop: Shop
let companyId: number
let ada: string
let products: { productId: number; variantId: number }[]
beforeAll(async () => {
  ;({ shop, companyId } = await openBuyers())
  products = []
  for (let first = 1; first <= ITEMS; first += 10) {
    const bodies = Array.from({ length: 10 }, (_, i) => first + i).map((n) => ({
      name: `Mug ${n}`,
      sku: `MUG-${n}`,
      type: 'physical',
      weight: 1,
      price: 10,
      is_visible: true,
    }))
    for (const body of bodies) {
      const { data } = (await shop.call('POST', '/catalog/products', body)).body
      products.push({ productId: data.id, variantId: data.base_variant_id })
    }
  }
  const assignments = products.map(({ productId }) => ({ product_id: productId, channel_id: 1 }))
  await shop.call('PUT', '/catalog/products/channel-assignments', assignments)
  ada = await tokenAt(shop, ADMIN)
})

let heard: ReturnType<typeof overhear>
beforeEach(() => {
  heard = overhear()
})
afterEach(() => heard.stop())

/** A statement of a timer, or of a transaction that is tried again, can fall into a request: the smallest of the counts is that of the request. */
const COUNTS = 3

/** Expects that a request sends at most so many statements without those of its gates and the frames of transactions. */
async function within(max: number, request: () => Promise<unknown>) {
  await request()
  const counts: string[][] = []
  for (let i = 0; i < COUNTS; i++) {
    heard.statements.length = 0
    await request()
    const sent = heard.statements.filter((one) => !isOfGate(one) && !isOfCompanionGate(one) && !isFrame(one))
    counts.push(sent.map(({ text }) => text.slice(0, 120)))
  }
  const [sent = []] = counts.sort((one, other) => one.length - other.length)
  expect(sent.length, sent.join('\n')).toBeLessThanOrEqual(max)
  expect(sent.length).toBeGreaterThan(0)
}

const quoteOf = (count: number) => ({
  companyId,
  subtotal: 10 * count,
  discount: 0,
  grandTotal: 10 * count,
  expiredAt: '12/31/2099',
  contactInfo: { name: 'Ann Lee', email: ADMIN },
  productList: products.slice(0, count).map(({ productId }, i) => ({
    productId,
    sku: `MUG-${i + 1}`,
    basePrice: 10,
    discount: 0,
    offeredPrice: 10,
    quantity: 1,
  })),
})

describe('REST', () => {
  test('creates a quote of 50 lines with at most 12 statements', () =>
    within(12, async () => {
      const made = await ask(shop, 'POST', '/v3/io/rfq', quoteOf(LINES))
      expect(made.status, made.text).toBe(200)
    }))

  test('records a payment of 10 invoices with at most 8 statements', async () => {
    const ids: number[] = []
    for (let i = 0; i < 10; i++) ids.push(await makeInvoice(shop, companyId))
    await within(8, async () => {
      const made = await ask(shop, 'POST', '/v3/io/ip/payments/offline', {
        lineItems: ids.map((invoiceId) => ({ invoiceId, amount: '10' })),
        currency: 'USD',
        details: {},
        customerId: String(companyId),
      })
      expect(made.status, made.text).toBe(200)
    })
  })

  test('reads the hierarchy of a tree of companies with at most 2 statements', async () => {
    const other = await openShop()
    await enableCompanion(other)
    const top = await makeCompany(other, 'Top')
    for (let i = 0; i < 12; i++) {
      const { companyId: below } = await makeCompany(other, `Below${i}`)
      await ask(other, 'POST', `/v3/io/companies/${below}/parent`, { parentCompanyId: top.companyId })
    }
    await within(2, async () => {
      const read = await ask(other, 'GET', `/v3/io/companies/${top.companyId}/hierarchy`)
      expect(read.body.data[0].subsidiaries).toHaveLength(12)
    })
  })
})

describe('GraphQL', () => {
  test('reads a page of 10 quotes with at most 6 statements', async () => {
    for (let i = 0; i < 10; i++) await ask(shop, 'POST', '/v3/io/rfq', quoteOf(1))
    await within(6, () =>
      dataOf(
        `{ quotes(first: 10, offset: 0, orderBy: "-createdAt") { totalCount pageInfo { hasNextPage } edges { node {
          id quoteNumber quoteTitle createdAt createdBy updatedAt expiredAt status totalAmount grandTotal salesRep currency companyId {
            id companyName } } } } }`,
        { token: ada },
      ),
    )
  })

  test('reads a quote of 50 lines with at most 8 statements', async () => {
    const { quoteId, quoteUrl } = (await ask(shop, 'POST', '/v3/io/rfq', quoteOf(LINES))).body.data
    expect(quoteUrl).toBeDefined()
    const { body } = await ask(shop, 'GET', `/v3/io/rfq/${quoteId}`)
    await within(8, () =>
      dataOf(
        `{ quote(id: ${quoteId}, storeHash: "${shop.store.hash}", date: "${body.data.createdAt}") { id quoteNumber grandTotal
          productsList { productId sku basePrice offeredPrice quantity productName } trackingHistory storefrontAttachFiles { id }
          shippingAddress billingAddress contactInfo } }`,
        { token: ada },
      ),
    )
  })

  test('reads a list of 250 items with prices with at most 8 statements', async () => {
    const made = await dataOf(
      `mutation { shoppingListsCreate(shoppingListData: {name: "Many", description: "", status: 0}) { shoppingList { id } } }`,
      { token: ada },
    )
    const id = Number(made.shoppingListsCreate.shoppingList.id)
    const items = products.map(
      ({ productId, variantId }) => `{productId: ${productId}, variantId: ${variantId}, quantity: 1}`,
    )
    await dataOf(
      `mutation { shoppingListsItemsCreate(shoppingListId: ${id}, items: [${items}]) { shoppingListsItems { id } } }`,
      { token: ada },
    )
    await within(8, async () => {
      const { shoppingList } = await dataOf(
        `{ shoppingList(id: ${id}) { id grandTotal products(first: 250) { totalCount edges { node {
          id productId quantity basePrice productName } } } } }`,
        { token: ada },
      )
      expect(shoppingList.products.edges).toHaveLength(ITEMS)
    })
  })
})
