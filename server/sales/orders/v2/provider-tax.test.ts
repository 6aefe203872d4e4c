import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { openShop, type Shop, theHouse } from '../../../test/fixtures/shop.ts'
import { connectTaxProvider } from '../../../test/fixtures/tax.ts'
import { dbOf, rowsOf } from '../../../test/fixtures/webhooks.ts'
import { eightPercent, TaxServer, type TaxServerMode } from '../../../test/servers/tax-server.ts'
import { setCostClasses } from '../../tax/classes/cost-classes.ts'

const server = await new TaxServer().open()
afterAll(() => server.close())

let shop: Shop
let product: number
beforeEach(async () => {
  server.mode = undefined
  shop = await openShop()
  const { body } = await shop.call('POST', '/catalog/products', {
    name: 'Lamp',
    type: 'physical',
    weight: 1,
    price: 40,
    sku: 'L1',
  })
  product = body.data.id
})

const connect = async (more: object = {}) => {
  await connectTaxProvider(shop, server.url, more)
  server.calls.length = 0
}
const settings = (changes: object) => shop.call('PUT', '/tax/settings', changes)
const address = { first_name: 'Ida', zip: '90210', state: 'California', country_iso2: 'US' }
const order = (more: object = {}, headers: Record<string, string> = {}) =>
  shop.call(
    'POST',
    '/orders',
    { billing_address: address, products: [{ product_id: product, quantity: 2 }], ...more },
    { version: 'v2', headers },
  )
const change = (id: number, changes: object) => shop.call('PUT', `/orders/${id}`, changes, { version: 'v2' })
const taxesOf = async (id: number) =>
  (await shop.call('GET', `/orders/${id}/taxes?details=true`, undefined, { version: 'v2' })).body
const broken: TaxServerMode = (response) => response.writeHead(500).end()

describe('an order of a store with a tax provider', () => {
  test('has the tax of the provider, with its name', async () => {
    await connect()
    const { status, body } = await order({ shipping_cost_ex_tax: 10, shipping_cost_inc_tax: 10 })
    expect([status, body.subtotal_ex_tax, body.total_tax, body.total_inc_tax]).toEqual([
      200,
      '80.0000',
      '6.4000',
      '96.4000',
    ])
    expect(body.tax_provider_id).toBe(`tax-${shop.store.hash}`)
    expect(server.calls).toHaveLength(1)
    expect(server.calls[0]?.document).toMatchObject({
      id: 'new-order',
      documents: [
        {
          destination_address: { region_code: 'CA', postal_code: '90210' },
          items: [{ item_reference: 'L1', quantity: 2, price: { amount: 80, tax_inclusive: false } }],
          shipping: { price: { amount: 10 } },
        },
      ],
    })
    expect(await taxesOf(body.id)).toMatchObject([{ name: 'State', rate: '8.0000', line_amount: '6.4000' }])
  })

  test('has exactly the tax that was sent, after discounts, and of prices that contain it', async () => {
    await settings({ tax_entered_with_prices: true })
    await connect()
    const { body } = await order({ discount_amount: 20 })
    // 60.00 contain 4.44.
    expect([body.total_ex_tax, body.total_tax, body.total_inc_tax]).toEqual(['55.5600', '4.4400', '60.0000'])
    expect(server.calls[0]?.document.documents[0]?.items).toMatchObject([
      { price: { amount: 60, tax_inclusive: true } },
    ])
  })

  test('is asked about again when it changes, and not for changes without amounts', async () => {
    await connect()
    const { body } = await order()
    await change(body.id, { staff_notes: 'Gift' })
    expect(server.calls).toHaveLength(1)
    const [{ id }] = (await shop.call('GET', `/orders/${body.id}/products`, undefined, { version: 'v2' })).body
    const changed = await change(body.id, { products: [{ id, quantity: 3 }] })
    expect(changed.body.total_tax).toBe('9.6000')
    expect(server.calls).toHaveLength(2)
    expect(server.calls[1]?.document.id).toBe(String(body.id))
  })

  test('is asked about again when it goes elsewhere, with its new addresses', async () => {
    await connect()
    const { body } = await order({ shipping_addresses: [address] })
    const { id } = body
    server.taxOfLine = (line) => ({
      ...line.price,
      total_tax: line.price.amount / 20,
      amount_exclusive: line.price.amount,
      amount_inclusive: line.price.amount * 1.05,
    })
    await change(id, { billing_address: { phone: '12345678' } })
    await change(id, { shipping_addresses: [{ ...address, phone: '12345678' }] })
    expect(server.calls).toHaveLength(1)
    const moved = await change(id, { shipping_addresses: [{ ...address, state: 'New York', zip: '10001' }] })
    expect([moved.status, moved.body.total_tax, moved.body.total_inc_tax]).toEqual([200, '4.0000', '84.0000'])
    expect(server.calls[1]?.document).toMatchObject({
      id: String(id),
      documents: [{ destination_address: { region_code: 'NY', postal_code: '10001' } }],
    })
    await change(id, { billing_address: { zip: '94105' } })
    expect(server.calls[2]?.document.documents).toMatchObject([
      { billing_address: { postal_code: '94105' }, destination_address: { region_code: 'NY' } },
    ])
    server.taxOfLine = eightPercent
  })

  test('keeps its tax under other addresses if the rates of the store have taxed it', async () => {
    await shop.call('POST', '/tax/rates', [
      { name: 'Own', tax_zone_id: 1, class_rates: [{ rate: 5, tax_class_id: 0 }] },
    ])
    const { body } = await order()
    await connect()
    const moved = await change(body.id, { billing_address: { state: 'New York', zip: '10001' } })
    expect([moved.body.total_tax, server.calls]).toEqual(['4.0000', []])
  })

  test('names the classes that the operator has set for its costs', async () => {
    await connect()
    await setCostClasses(await dbOf(shop), { shipping: 1, wrapping: 0 })
    const costs = {
      shipping_cost_ex_tax: 10,
      shipping_cost_inc_tax: 10,
      handling_cost_ex_tax: 2,
      handling_cost_inc_tax: 2,
    }
    const wrapping = { wrapping_id: 1, wrapping_cost_ex_tax: 1, wrapping_cost_inc_tax: 1 }
    const products = [{ product_id: product, quantity: 2, ...wrapping }]
    expect((await order({ ...costs, products })).status).toBe(200)
    expect(server.calls[0]?.document.documents[0]).toMatchObject({
      items: [{ wrapping: { tax_class: { class_id: '0', name: 'Default Tax Class' } } }],
      shipping: { tax_class: { class_id: '1', name: 'Non-Taxable Products' } },
      handling: { tax_class: { class_id: '2', name: 'Shipping' } },
    })
  })

  test('is not asked about if all prices are given, or outside of the regions', async () => {
    await connect({ regions: ['US-NY'] })
    expect((await order()).body.total_tax).toBe('0.0000')
    await connect({ regions: ['US-CA'] })
    const given = { name: 'Lamp', quantity: 1, price_ex_tax: 10, price_inc_tax: 11 }
    expect((await order({ products: [given] })).body.total_tax).toBe('1.0000')
    expect(server.calls).toEqual([])
    expect((await order()).body.total_tax).toBe('6.4000')
  })

  test('is created once under an Idempotency-Key, and asked about outside of its transaction', async () => {
    await connect()
    const headers = { 'idempotency-key': 'order' }
    const [first, again] = [await order({}, headers), await order({}, headers)]
    expect(again.body).toEqual(first.body)
    expect(await rowsOf(shop, 'orders')).toHaveLength(1)
    expect(server.calls).toHaveLength(1)
  })

  test('is asked about again, at most twice, if it changes meanwhile; then the fall-back applies', async () => {
    await connect()
    let price = 40
    server.mode = async (response, answer) => {
      await shop.call('PUT', `/catalog/products/${product}`, { price: ++price })
      response.end(JSON.stringify(answer))
    }
    const { body } = await order()
    expect(server.calls.map(({ document }) => document.documents[0]?.items[0]?.price.amount)).toEqual([80, 82, 84])
    // FIXED: 10 % of 2 x 43.
    expect([body.subtotal_ex_tax, body.total_tax]).toEqual(['86.0000', '8.6000'])
  })
})

describe('without an answer of the provider', () => {
  test('X6: FIXED adds 10 % to the lines; shipping comes with its tax', async () => {
    await connect()
    server.mode = broken
    const { body } = await order({ shipping_cost_ex_tax: 10, shipping_cost_inc_tax: 11 })
    expect([body.total_ex_tax, body.total_tax, body.tax_provider_id]).toEqual(['90.0000', '9.0000', ''])
    expect((await taxesOf(body.id)).map((tax: { line_amount: string }) => tax.line_amount)).toEqual([
      '8.0000',
      '1.0000',
    ])
  })

  test('X7: FIXED takes the tax out of prices that contain it', async () => {
    await settings({ tax_entered_with_prices: true })
    await shop.call('PUT', `/catalog/products/${product}`, { price: 55 })
    await connect()
    server.mode = broken
    const { body } = await order()
    expect([body.total_tax, body.total_inc_tax]).toEqual(['10.0000', '110.0000'])
  })

  test('V6: BASIC applies the rates of the store, and a 401 is in the system log', async () => {
    await shop.call('POST', '/tax/rates', [
      { name: 'Own', tax_zone_id: 1, class_rates: [{ rate: 5, tax_class_id: 0 }] },
    ])
    await settings({ fallback_strategy: 'BASIC' })
    await connect()
    server.mode = (response) => response.writeHead(401).end()
    const { body } = await order()
    expect(body.total_tax).toBe('4.0000')
    expect(await taxesOf(body.id)).toMatchObject([{ name: 'Own', rate: '5.0000' }])
    const { data } = (await shop.call('GET', '/store/systemlogs?type=tax')).body
    expect(data.at(-1).summary).toBe(`The tax provider tax-${shop.store.hash} refused the user name or the password.`)
  })

  test('V7: DISABLE refuses the order of a slow provider after 4 s', async () => {
    const { clock } = await theHouse()
    await settings({ fallback_strategy: 'DISABLE' })
    await connect()
    let ended = false
    const answered = await new Promise<ReturnType<typeof order>[]>((resolve) => {
      const ordered = order().finally(() => {
        ended = true
      })
      server.mode = () => resolve([ordered])
    })
    clock.move(3_000)
    await shop.call('GET', '/tax/settings')
    expect(ended).toBe(false)
    clock.move(1_000)
    const [{ status, body } = await order()] = await Promise.all(answered)
    expect([status, body]).toEqual([
      503,
      [{ status: 503, message: 'The tax provider of this store does not answer. Please try again later.' }],
    ])
    expect(await rowsOf(shop, 'orders')).toEqual([])
  })

  test('V8: an answer that is off by 0.02 does not count', async () => {
    await connect()
    server.mode = (response, answer) =>
      response.end(JSON.stringify(answer).replace('"total_tax":6.4', '"total_tax":6.42'))
    expect((await order()).body.total_tax).toBe('8.0000')
  })
})
