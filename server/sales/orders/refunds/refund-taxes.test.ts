import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { openShop, type Shop } from '../../../test/fixtures/shop.ts'
import { connectTaxProvider } from '../../../test/fixtures/tax.ts'
import { rowsOf } from '../../../test/fixtures/webhooks.ts'
import { TaxServer, type TaxServerMode } from '../../../test/servers/tax-server.ts'

// Refunds of orders that the store's tax provider has taxed (docs/contract/refunds.md section 2).

const server = await new TaxServer().open()
afterAll(() => server.close())

let shop: Shop
let product: number
beforeEach(async () => {
  server.mode = undefined
  tax(8)
  shop = await openShop()
  const lamp = { name: 'Lamp', type: 'physical', weight: 1, price: 40, sku: 'L1' }
  product = (await shop.call('POST', '/catalog/products', lamp)).body.data.id
  await connectTaxProvider(shop, server.url)
  server.calls.length = 0
})

/** Makes the provider tax all lines by a percentage. */
function tax(percent: number) {
  server.taxOfLine = ({ price: { amount, tax_inclusive } }) => {
    const total_tax = Math.round(tax_inclusive ? (amount * percent * 100) / (100 + percent) : amount * percent) / 100
    const [exclusive, inclusive] = tax_inclusive ? [amount - total_tax, amount] : [amount, amount + total_tax]
    return { total_tax, amount_exclusive: exclusive, amount_inclusive: inclusive }
  }
}

const v2 = (method: string, path: string, body?: unknown) => shop.call(method, path, body, { version: 'v2' })
/** Creates an order of lamps that counts as paid. @returns its id and that of its line */
async function order(quantity = 2, more: object = {}) {
  const billing_address = { first_name: 'Ida', zip: '90210', state: 'California', country_iso2: 'US' }
  const products = [{ product_id: product, quantity }]
  const { body } = await v2('POST', '/orders', { status_id: 11, billing_address, products, ...more })
  const [{ id: line }] = (await v2('GET', `/orders/${body.id}/products`)).body
  server.calls.length = 0
  return { id: body.id, line }
}
const units = (line: number, quantity = 1) => ({ items: [{ item_type: 'PRODUCT', item_id: line, quantity }] })
const quote = (id: number, body: object) => shop.call('POST', `/orders/${id}/payment_actions/refund_quotes`, body)
const refund = (id: number, amount: number, body: object, headers: Record<string, string> = {}) => {
  const payments = [{ provider_id: 'custom', amount, offline: true }]
  return shop.call('POST', `/orders/${id}/payment_actions/refunds`, { ...body, payments }, { headers })
}
const amounts = ({ body: { data } }: Awaited<ReturnType<typeof quote>>) => [
  data.total_refund_amount,
  data.total_refund_tax_amount,
]
const broken: TaxServerMode = (response) => response.writeHead(500).end()

describe('a refund of an order that a provider has taxed', () => {
  test('asks about the rest, and pays back the recorded tax if that is the answer', async () => {
    const { id, line } = await order()
    expect(amounts(await quote(id, units(line)))).toEqual([43.2, 3.2])
    expect(server.calls).toHaveLength(1)
    expect(server.calls[0]).toMatchObject({
      call: 'estimate',
      document: { id: String(id), documents: [{ items: [{ quantity: 1, price: { amount: 40 } }] }] },
    })
  })

  test.each<[string, number, number[], number[]]>([
    ['less', 5, [44.4, 4.4], [42, 2]],
    ['more', 20, [38.4, -1.6], [48, 8]],
  ])('pays back the difference if the rest bears %s tax', async (_, percent, first, second) => {
    const { id, line } = await order()
    tax(percent)
    expect(amounts(await quote(id, units(line)))).toEqual(first)
    const { status, body } = await refund(id, first[0] ?? 0, units(line))
    expect([status, body.data.total_tax]).toEqual([201, first[1]])
    // Nothing is left that a provider could tax.
    server.mode = broken
    expect(amounts(await quote(id, units(line)))).toEqual(second)
    expect((await quote(id, { tax_adjustment_amount: 1 })).body.errors).toEqual({
      tax_adjustment_amount: 'The tax that was charged too much is 0.',
    })
    expect((await refund(id, second[0] ?? 0, units(line))).status).toBe(201)
  })

  test('counts the differences of earlier refunds once', async () => {
    const { id, line } = await order(3)
    tax(5)
    // 9.60 were charged; 4.00 remain for two units, 2.00 for one.
    expect((await refund(id, 45.6, units(line))).body.data.total_tax).toBe(5.6)
    expect(amounts(await quote(id, units(line)))).toEqual([42, 2])
    expect((await refund(id, 42, units(line))).status).toBe(201)
    expect(amounts(await quote(id, units(line)))).toEqual([42, 2])
  })

  test('leaves the amount alone if prices contain tax', async () => {
    await shop.call('PUT', '/tax/settings', { tax_entered_with_prices: true })
    const { id, line } = await order()
    tax(20)
    // 80.00 contain 5.93; of the rest 6.67 are tax.
    expect(amounts(await quote(id, units(line)))).toEqual([40, -0.74])
  })

  test('is 503 without an answer, and nothing is stored', async () => {
    const { id, line } = await order()
    server.mode = broken
    const away = {
      status: 503,
      body: { title: 'The tax provider of this store does not answer. Please try again later.' },
    }
    expect(await quote(id, units(line))).toMatchObject(away)
    expect(await refund(id, 43.2, units(line))).toMatchObject(away)
    expect(await rowsOf(shop, 'order_refunds')).toEqual([])
    server.mode = undefined
    expect((await refund(id, 43.2, units(line), { 'idempotency-key': 'once' })).status).toBe(201)
    expect((await refund(id, 43.2, units(line), { 'idempotency-key': 'once' })).status).toBe(201)
    expect(await rowsOf(shop, 'order_refunds')).toHaveLength(1)
  })

  test('asks nothing for an amount of the order, for amounts of the merchant, and once the provider is not active', async () => {
    const { id, line } = await order(4)
    server.mode = broken
    expect(amounts(await quote(id, { items: [{ item_type: 'ORDER', item_id: id, amount: 5 }] }))).toEqual([5, 0])
    const override = { ...units(line), merchant_calculated_override: { total_amount: 10, total_tax: 1 } }
    expect((await refund(id, 10, override)).status).toBe(201)
    await connectTaxProvider(shop, server.url, { isActive: false })
    server.calls.length = 0
    expect(amounts(await quote(id, units(line)))).toEqual([43.2, 3.2])
    expect(server.calls).toEqual([])
  })

  test('asks nothing for an order with given prices', async () => {
    const given = { name: 'Lamp', quantity: 2, price_ex_tax: 10, price_inc_tax: 11 }
    const { id, line } = await order(1, { products: [given] })
    server.mode = broken
    expect(amounts(await quote(id, units(line)))).toEqual([11, 1])
  })
})

describe('quotes of several orders', () => {
  const quotes = (...body: object[]) => shop.call('POST', '/orders/payment_actions/refund_quotes', body)

  test('ask about all of them at once', async () => {
    const [one, other] = [await order(2), await order(3)]
    const [first, second] = [
      { order_id: one.id, ...units(one.line) },
      { order_id: other.id, ...units(other.line, 2) },
    ]
    const { status, body } = await quotes(first, second, first)
    expect([status, body.data.map((data: { total_refund_amount: number }) => data.total_refund_amount)]).toEqual([
      201,
      [43.2, 86.4, 43.2],
    ])
    // Equal documents are one call.
    expect(server.calls.map(({ document }) => document.id)).toEqual([String(one.id), String(other.id)])
  })

  test('name those without an answer: 207 beside others, 503 if it is all of them', async () => {
    const [one, other] = [await order(2), await order(1)]
    server.mode = broken
    const [asked, whole] = [
      { order_id: one.id, ...units(one.line) },
      { order_id: other.id, ...units(other.line) },
    ]
    const error = { order_id: one.id, status: 503, error: expect.stringContaining('tax provider') }
    expect(await quotes(asked, whole)).toMatchObject({ status: 207, body: { data: [{}], errors: [error] } })
    expect(await quotes(asked)).toMatchObject({
      status: 503,
      body: { data: [], errors: [error], meta: { failure: 1 } },
    })
    expect((await quotes(asked, { order_id: 99, ...units(1) })).status).toBe(422)
  })
})
