import { beforeEach, describe, expect, test } from 'vitest'
import { ann, checkoutOf, createCart, openWithShipping } from '../../../test/carts/checkouts.ts'
import type { Shop } from '../../../test/fixtures/shop.ts'
import { askToken, BAD_CARD, pay, payWith } from '../../../test/fixtures/shopper.ts'
import { dbOf, rowsOf } from '../../../test/fixtures/webhooks.ts'
import { setCostClasses } from '../../tax/classes/cost-classes.ts'

// Orders of checkouts (docs/contract/orders.md section 10).

let shop: Shop
beforeEach(async () => {
  shop = await openWithShipping()
})

type Checkout = ReturnType<typeof checkoutOf>
const v2 = async (path: string, method = 'GET', body?: object) =>
  (await shop.call(method, path, body, { version: 'v2' })).body
const order = (id: number) => v2(`/orders/${id}`)

/** A tax of 8 % on everything. */
async function tax() {
  const zone = {
    name: 'US',
    enabled: true,
    price_display_settings: { show_inclusive: false, show_both_on_detail_view: false, show_both_on_list_view: false },
    shopper_target_settings: {
      locations: [{ country_code: 'US', subdivision_codes: [], postal_codes: [] }],
      customer_groups: [],
    },
  }
  const made = await shop.call('POST', '/tax/zones', [zone])
  if (made.status >= 300) throw new Error(made.text)
  const id = made.body.data[0].id
  const class_rates = [0, 1, 2, 3].map((tax_class_id) => ({ tax_class_id, rate: 8 }))
  const rated = await shop.call('POST', '/tax/rates', [
    { tax_zone_id: id, name: 'Sales tax', enabled: true, priority: 1, class_rates },
  ])
  if (rated.status >= 300) throw new Error(rated.text)
}

const shipTo = (more: object, ...line_items: object[]) => ({ address: { ...ann, ...more }, line_items })
const units = (item_id: string | undefined, quantity: number) => ({ item_id, quantity })

async function must(answer: Promise<{ status: number; text: string; body: { data: Record<string, never> } }>) {
  const { status, text, body } = await answer
  if (status >= 300) throw new Error(text)
  return body.data
}

/** A checkout with a billing address, whose units go to one address by custom shipping. */
async function ready(quantities: Record<number, number> = { 1: 2 }, price = 6): Promise<Checkout> {
  const checkout = checkoutOf(shop, await createCart(shop, quantities))
  await must(checkout.call('POST', '/billing-address', ann))
  const lines = await checkout.lines()
  const items = Object.entries(lines).flatMap(([product, id]) =>
    product === '3' ? [] : [units(id, quantities[Number(product)] ?? 0)],
  )
  const { consignments } = (await must(checkout.call('POST', '/consignments', [shipTo({}, ...items)]))) as unknown as {
    consignments: { id: string }[]
  }
  await must(
    checkout.call('PUT', `/consignments/${consignments[0]?.id}`, { custom_shipping: { price, description: 'Van' } }),
  )
  return checkout
}

const buy = (checkout: Checkout, headers: Record<string, string> = {}) =>
  shop.call('POST', `/checkouts/${checkout.id}/orders`, undefined, { headers })
const bought = async (checkout: Checkout): Promise<number> =>
  ((await must(buy(checkout))) as unknown as { id: number }).id

describe('an order of a checkout with two consignments, a coupon, a fee and a certificate', () => {
  async function whole() {
    await tax()
    const coupon = {
      name: 'Ten',
      code: 'TEN',
      type: 'percentage_discount',
      amount: '10',
      applies_to: { entity: 'categories', ids: [0] },
    }
    await v2('/coupons', 'POST', coupon)
    const gift = {
      name: 'Gift',
      theme: 'Birthday',
      amount: 25,
      quantity: 1,
      sender: { name: 'Ann', email: 'ann@example.com' },
      recipient: { name: 'Bo', email: 'bo@example.com' },
      message: 'Enjoy',
    }
    const checkout = checkoutOf(shop, await createCart(shop, { 1: 3, 2: 1, 3: 1 }, { gift_certificates: [gift] }))
    await must(checkout.call('POST', '/billing-address', ann))
    const lines = await checkout.lines()
    const { consignments } = (await must(
      checkout.call('POST', '/consignments', [
        shipTo({}, units(lines[1], 2)),
        shipTo(
          { first_name: 'Bo', state_or_province_code: 'CA', postal_code: '90210' },
          units(lines[1], 1),
          units(lines[2], 1),
        ),
      ]),
    )) as unknown as { consignments: { id: string }[] }
    for (const [i, { id }] of consignments.entries()) {
      await must(
        checkout.call('PUT', `/consignments/${id}`, { custom_shipping: { price: 5 + i, description: `Van ${i}` } }),
      )
    }
    await must(checkout.call('POST', '/coupons', { coupon_code: 'ten' }))
    const fee = { type: 'custom_fee', name: 'Box', display_name: 'Gift box', source: 'shop', cost: 4 }
    await must(checkout.call('POST', '/fees', { fees: [fee] }))
    await must(checkout.call('PUT', '', { customer_message: 'Ring twice' }))
    return { checkout, shown: await checkout.get() }
  }

  test('has the totals of the checkout, and all of its parts', async () => {
    const { checkout, shown } = await whole()
    const id = await bought(checkout)
    const made = await order(id)
    // 57.50 + 5.00 less 10 %, certificate 25.00, shipping 11.00, fee 4.00; 8 % on all but the certificate.
    expect(made).toMatchObject({
      status_id: 0,
      cart_id: checkout.id,
      order_source: 'checkout_api',
      customer_message: 'Ring twice',
      subtotal_ex_tax: '87.5000',
      discount_amount: '0.0000',
      coupon_discount: '6.2500',
      shipping_cost_ex_tax: '11.0000',
      shipping_cost_inc_tax: '11.8800',
      items_total: 6,
      shipping_address_count: 2,
      order_is_digital: false,
    })
    expect(Number(made.total_inc_tax)).toBe(shown.grand_total)
    expect(Number(made.total_tax)).toBe(shown.tax_total)
    expect(made.total_inc_tax).toBe('101.9500')

    const products = await v2(`/orders/${id}/products`)
    expect(
      products.map((line: Record<string, unknown>) => [line.name, line.type, line.quantity, line.order_address_id]),
    ).toEqual([
      ['Lamp', 'physical', 2, 1],
      ['Lamp', 'physical', 1, 2],
      ['Vase', 'physical', 1, 2],
      ['Manual', 'digital', 1, 0],
      ['Gift', 'giftcertificate', 1, 0],
    ])
    expect(products[0]).toMatchObject({
      price_ex_tax: '12.5000',
      price_inc_tax: '13.5000',
      total_ex_tax: '25.0000',
      discounted_total_inc_tax: '24.3000',
      applied_discounts: [{ id: 'coupon', amount: '2.5000', name: 'Ten', code: 'ten', target: 'product' }],
      gift_certificate_id: null,
    })
    expect(products[4]).toMatchObject({ gift_certificate_id: 1, price_inc_tax: '25.0000', applied_discounts: [] })

    const addresses = await v2(`/orders/${id}/shipping_addresses`)
    expect(addresses).toMatchObject([
      {
        first_name: 'Ann',
        state: 'Texas',
        country: 'United States',
        items_total: 2,
        shipping_method: 'Van 0',
        cost_ex_tax: '5.0000',
        cost_inc_tax: '5.4000',
      },
      { first_name: 'Bo', state: 'California', items_total: 2, shipping_method: 'Van 1', cost_ex_tax: '6.0000' },
    ])
    const consignments = await v2(`/orders/${id}/consignments?include=consignments.line_items`)
    expect(
      consignments.shipping.map(({ line_items }: { line_items: { name: string }[] }) =>
        line_items.map(({ name }) => name),
      ),
    ).toEqual([['Lamp'], ['Lamp', 'Vase']])
    expect(consignments.downloads).toMatchObject([
      { recipient_email: 'ann@example.com', line_items: [{ name: 'Manual' }] },
    ])
    expect(consignments.email.gift_certificates).toMatchObject([
      { recipient_email: 'bo@example.com', line_items: [{ name: 'Gift' }] },
    ])
    const taxes = await v2(`/orders/${id}/taxes?details=true`)
    expect(
      taxes.map((row: Record<string, unknown>) => [
        row.name,
        row.line_item_type,
        row.line_amount,
        row.order_address_id,
      ]),
    ).toEqual([
      ['Sales tax', 'item', '1.8000', 1],
      ['Sales tax', 'item', '0.9000', 2],
      ['Sales tax', 'item', '1.4400', 2],
      ['Sales tax', 'item', '0.3600', 0],
      ['Sales tax', 'shipping', '0.4000', 1],
      ['Sales tax', 'shipping', '0.4800', 2],
      ['Sales tax', 'fee', '0.3200', 0],
    ])
    // The rows of all parts add up to the tax of the order.
    const sum = taxes.reduce((all: number, { line_amount }: { line_amount: string }) => all + Number(line_amount), 0)
    expect(sum.toFixed(4)).toBe(made.total_tax)
    expect(taxes.map(({ tax_class_id }: { tax_class_id: number }) => tax_class_id)).toEqual([0, 0, 0, 0, 2, 2, 0])
    expect(await v2(`/orders/${id}/coupons`)).toEqual([
      { id: 1, order_id: id, coupon_id: 1, code: 'ten', amount: '10.0000', type: 1, discount: 6.25 },
    ])
    expect(await v2(`/orders/${id}/fees`)).toMatchObject([
      {
        display_name_customer: 'Gift box',
        display_name_merchant: 'Box',
        cost_ex_tax: '4.0000',
        cost_inc_tax: '4.3200',
      },
    ])
    expect(await v2(`/orders/${id}/shipping_addresses/1/shipping_quotes`)).toMatchObject({
      shipping_provider_id: 'custom',
      shipping_provider_quote: [{ description: 'Van 0', cost: '5.0000' }],
    })
    expect(await rowsOf(shop, 'gift_certificates')).toMatchObject([
      { order_id: id, status: 'pending', to_name: 'Bo', template: 'birthday.html' },
    ])
  })

  test('stores the classes of its costs, which the operator may change later', async () => {
    const db = await dbOf(shop)
    await setCostClasses(db, { shipping: 1, wrapping: 0 })
    const { checkout } = await whole()
    const id = await bought(checkout)
    await setCostClasses(db, { shipping: 2, wrapping: 3, handling: 0 })
    expect(await order(id)).toMatchObject({
      shipping_cost_tax_class_id: 1,
      handling_cost_tax_class_id: 2,
      wrapping_cost_tax_class_id: 0,
    })
    const classes = { cost_tax_class_id: 1, handling_cost_tax_class_id: 2 }
    expect(await v2(`/orders/${id}/shipping_addresses`)).toMatchObject([classes, classes])
    expect((await v2(`/orders/${id}/consignments`)).shipping).toMatchObject([classes, classes])
    const other = await v2('/orders', 'POST', {
      billing_address: { zip: '1' },
      products: [{ product_id: 1, quantity: 1, price_ex_tax: 1, price_inc_tax: 1 }],
    })
    expect(other).toMatchObject({ shipping_cost_tax_class_id: 2, handling_cost_tax_class_id: 0 })
    expect(await v2(`/orders/${other.id}/shipping_addresses`)).toMatchObject([
      { cost_tax_class_id: 2, handling_cost_tax_class_id: 0 },
    ])
  })

  test('keeps everything that a PUT does not change', async () => {
    const { checkout } = await whole()
    const id = await bought(checkout)
    const parts = ['', '/products', '/shipping_addresses', '/taxes', '/coupons', '/fees', '/consignments']
    const all = () => Promise.all(parts.map((part) => v2(`/orders/${id}${part}`)))
    const [before, ...subs] = await all()
    await v2(`/orders/${id}`, 'PUT', { staff_notes: 'Packed', shipping_addresses: [{ id: 2, company: 'Lee & Co' }] })
    const [after, ...subsAfter] = await all()
    expect({ ...after, date_modified: before.date_modified }).toEqual({ ...before, staff_notes: 'Packed' })
    subs[1][1].company = 'Lee & Co'
    subs[5].shipping[1].company = 'Lee & Co'
    expect(subsAfter).toEqual(subs)
  })

  test('shares new costs of shipping among its addresses', async () => {
    const { checkout } = await whole()
    const id = await bought(checkout)
    const costs = async () =>
      (await v2(`/orders/${id}/shipping_addresses`)).map((address: Record<string, unknown>) => [
        address.base_cost,
        address.cost_ex_tax,
        address.cost_inc_tax,
        address.handling_cost_inc_tax,
      ])
    // 11.00 were 5.00 and 6.00.
    await v2(`/orders/${id}`, 'PUT', { shipping_cost_ex_tax: 22, shipping_cost_inc_tax: 23.1 })
    expect(await costs()).toEqual([
      ['10.0000', '10.0000', '10.5000', '0.0000'],
      ['12.0000', '12.0000', '12.6000', '0.0000'],
    ])
    await v2(`/orders/${id}`, 'PUT', { handling_cost_ex_tax: 3, handling_cost_inc_tax: 3 })
    expect((await costs()).map(([, , , handling]: string[]) => handling)).toEqual(['3.0000', '0.0000'])
    expect(await order(id)).toMatchObject({ shipping_cost_inc_tax: '23.1000', handling_cost_inc_tax: '3.0000' })
  })

  test('drops the discounts of a line that is changed, and those of no other', async () => {
    const { checkout } = await whole()
    const id = await bought(checkout)
    await v2(`/orders/${id}`, 'PUT', { products: [{ id: 1, quantity: 1 }] })
    const products = await v2(`/orders/${id}/products`)
    expect(products[0]).toMatchObject({ quantity: 1, applied_discounts: [], discounted_total_inc_tax: '13.5000' })
    expect(products[1]).toMatchObject({
      applied_discounts: [{ amount: '1.2500' }],
      discounted_total_inc_tax: '12.1500',
    })
    expect(await order(id)).toMatchObject({ coupon_discount: '3.7500', shipping_cost_inc_tax: '11.8800' })
    const taxes = await v2(`/orders/${id}/taxes?details=true`)
    expect(taxes.filter(({ line_item_type }: { line_item_type: string }) => line_item_type === 'shipping').length).toBe(
      2,
    )
  })

  test('is shipped in parts by address, and its certificate is active when it is paid', async () => {
    const { checkout } = await whole()
    const id = await bought(checkout)
    expect((await pay(shop, id)).status).toBe(201)
    expect(await rowsOf(shop, 'gift_certificates')).toMatchObject([{ status: 'active' }])
    for (const order_address_id of [1, 2]) {
      const sent = await shop.call('POST', `/orders/${id}/shipments`, { order_address_id }, { version: 'v2' })
      expect(sent.status).toBe(201)
      expect(await order(id)).toMatchObject({ status_id: order_address_id === 1 ? 3 : 2 })
    }
  })
})

describe('refusals', () => {
  test('all mistakes of a checkout are in one 422', async () => {
    const checkout = checkoutOf(shop, await createCart(shop, { 1: 1 }))
    const { status, body } = await buy(checkout)
    expect([status, Object.keys(body.errors)]).toEqual([422, ['billing_address', 'consignments']])
    const lines = await checkout.lines()
    await must(checkout.call('POST', '/billing-address', { email: 'ann@example.com', country_code: 'US' }))
    await must(
      checkout.call('POST', '/consignments', [
        shipTo({ state_or_province_code: '', postal_code: '' }, units(lines[1], 1)),
      ]),
    )
    const second = await buy(checkout)
    expect(second.body.errors).toEqual({
      billing_address:
        'The billing address for this order is incomplete: first_name, last_name, address1, city, state_or_province, postal_code.',
      'consignments.0.address': 'A shipping address for this order is incomplete: state_or_province, postal_code.',
      'consignments.0.shipping_option_id': 'The consignment has no shipping option.',
    })
    expect(await rowsOf(shop, 'orders')).toEqual([])
  })

  test('T6: an address that is changed drops the selection, so there is no order', async () => {
    const checkout = await ready()
    const [consignment] = (await checkout.get()).consignments
    await must(checkout.call('PUT', `/consignments/${consignment.id}`, { address: { ...ann, city: 'Dallas' } }))
    expect((await buy(checkout)).body.errors).toHaveProperty(['consignments.0.shipping_option_id'])
  })

  test('too little stock is a 409', async () => {
    const checkout = await ready({ 1: 2 })
    await shop.call('PUT', '/catalog/products/1', { inventory_tracking: 'product', inventory_level: 1 })
    expect(await buy(checkout)).toMatchObject({
      status: 409,
      body: { title: expect.stringMatching(/^Not enough stock:/) },
    })
  })

  test('a coupon that was used up is a 422', async () => {
    const coupon = {
      name: 'Ten',
      code: 'TEN',
      type: 'percentage_discount',
      amount: '10',
      applies_to: { entity: 'categories', ids: [0] },
    }
    await v2('/coupons', 'POST', coupon)
    const checkout = await ready()
    await must(checkout.call('POST', '/coupons', { coupon_code: 'TEN' }))
    await v2('/coupons/1', 'DELETE')
    expect((await buy(checkout)).body.errors).toEqual({ 'coupons.0': expect.stringContaining('COUPON_INVALID') })
  })

  test('a cart has at most 50 incomplete orders, and an unknown cart none', async () => {
    const checkout = await ready()
    for (let i = 0; i < 50; i++) expect((await buy(checkout)).status).toBe(200)
    expect((await buy(checkout)).status).toBe(422)
    await v2('/orders/1', 'PUT', { status_id: 5 })
    expect((await buy(checkout)).status).toBe(200)
    expect((await shop.call('POST', '/checkouts/5b0c5f4e-2e0c-4f0e-9d55-0c8f2a1b3c4d/orders')).status).toBe(404)
  })
})

describe('several orders of a cart', () => {
  test('T8: the first that is paid converts the cart; the other is refused', async () => {
    const checkout = await ready()
    const before = (await checkout.get()).cart.version
    const [one, other] = [await bought(checkout), await bought(checkout)]
    expect(other).toBe(one + 1)
    const shown = await checkout.get()
    expect([shown.order_id, shown.cart.version]).toEqual([String(other), before])
    const token = (await askToken(shop, other)).body.data.id
    expect((await pay(shop, one)).status).toBe(201)
    expect((await checkout.call('GET', '')).status).toBe(404)
    expect(await payWith(shop, token)).toMatchObject({ status: 422, body: { code: 30_101 } })
    expect((await askToken(shop, other)).status).toBe(409)
    expect((await v2(`/orders?cart_id=${checkout.id}`)).map(({ id }: { id: number }) => id)).toEqual([one, other])
    const converted = (await rowsOf(shop, 'events'))
      .map(({ scope }) => String(scope))
      .filter((scope) => scope.includes('converted'))
    expect(converted).toEqual(['store/cart/converted', 'store/channel/1/cart/converted'])
  })

  test('two that are paid at once are charged once', async () => {
    const checkout = await ready()
    const orders = [await bought(checkout), await bought(checkout)]
    const tokens = await Promise.all(orders.map(async (id) => (await askToken(shop, id)).body.data.id))
    const answers = await Promise.all(tokens.map((token) => payWith(shop, token)))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422])
    expect((await rowsOf(shop, 'testgateway_entries')).length).toBe(1)
  })

  test('a declined payment leaves the cart and the other order open', async () => {
    const checkout = await ready()
    const [one, other] = [await bought(checkout), await bought(checkout)]
    expect((await pay(shop, one, BAD_CARD)).status).toBe(422)
    expect((await checkout.call('GET', '')).status).toBe(200)
    expect((await pay(shop, other)).status).toBe(201)
  })

  test('one Idempotency-Key creates one order', async () => {
    const checkout = await ready()
    const key = { 'idempotency-key': 'buy' }
    const ids = (await Promise.all(Array.from({ length: 5 }, () => buy(checkout, key)))).flatMap(
      ({ body }) => body.data?.id ?? [],
    )
    expect(new Set(ids)).toEqual(new Set([1]))
    expect((await rowsOf(shop, 'orders')).length).toBe(1)
  })
})

test('an order keeps its amounts when the cart is changed afterwards', async () => {
  const checkout = await ready()
  const id = await bought(checkout)
  const before = await order(id)
  await shop.call('POST', `/carts/${checkout.id}/items`, { line_items: [{ product_id: 2, quantity: 1 }] })
  expect(await order(id)).toEqual(before)
})

test('U8 through a checkout: the last use of a promotion is charged once', async () => {
  const rules = [{ action: { cart_value: { discount: { percentage_amount: '10' } } } }]
  await shop.call('POST', '/promotions', { redemption_type: 'AUTOMATIC', name: 'Ten off', rules, max_uses: 1 })
  const orders = [await bought(await ready()), await bought(await ready())]
  expect(await order(1)).toMatchObject({ discount_amount: '2.5000', coupon_discount: '0.0000' })
  expect((await v2('/orders/1/products'))[0].applied_discounts).toEqual([
    { id: '1', code: null, name: 'Ten off', amount: '2.5000', target: 'order' },
  ])
  expect((await pay(shop, orders[0] ?? 0)).status).toBe(201)
  expect((await pay(shop, orders[1] ?? 0)).body.errors).toEqual({ coupons: 'The promotion Ten off has no uses left.' })
  expect((await shop.call('GET', '/promotions/1')).body.data).toMatchObject({ current_uses: 1, status: 'DISABLED' })
})

test('the payment methods of a checkout are those of its channel, currency and customer', async () => {
  const checkout = await ready()
  const { body } = await shop.call('GET', `/payments/methods?checkout_id=${checkout.id}`)
  expect(body.data.map(({ id }: { id: string }) => id)).toEqual(['testgateway.card'])
  const card = { first_name: 'Ann', last_name: 'Lee', email: 'ann@example.com', store_credit_amounts: [{ amount: 50 }] }
  await shop.call('POST', '/customers', [card])
  await shop.call('PUT', `/carts/${checkout.id}`, { customer_id: 1 })
  const ofCustomer = await shop.call('GET', `/payments/methods?checkout_id=${checkout.id}`)
  expect(ofCustomer.body.data.map(({ id }: { id: string }) => id)).toEqual(['testgateway.card', 'svc.store_credit'])
  const unknown = '5b0c5f4e-2e0c-4f0e-9d55-0c8f2a1b3c4d'
  expect((await shop.call('GET', `/payments/methods?checkout_id=${unknown}`)).status).toBe(404)
})
