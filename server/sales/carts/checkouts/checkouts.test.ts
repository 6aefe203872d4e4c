import { beforeEach, describe, expect, test } from 'vitest'
import { ann, checkoutOf, createCart, openWithShipping } from '../../../test/carts/checkouts.ts'
import type { Shop } from '../../../test/fixtures/shop.ts'
import { rowsOf } from '../../../test/fixtures/webhooks.ts'

// docs/contract/checkouts.md, except for consignments.

let shop: Shop
let checkout: ReturnType<typeof checkoutOf>
beforeEach(async () => {
  shop = await openWithShipping()
  checkout = checkoutOf(shop, await createCart(shop, { 1: 2, 3: 1 }))
})

const UUID = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/)
const MOMENT = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
const eventsAfter = async (count: number) => (await rowsOf(shop, 'events')).slice(count).map(({ scope }) => scope)
const countEvents = async () => (await rowsOf(shop, 'events')).length

/** Sends a refused request, and checks that it changes nothing. */
async function refused(method: string, path: string, body?: unknown) {
  const before = await checkout.get()
  const { status, body: answer } = await checkout.call(method, path, body)
  expect(await checkout.get()).toEqual(before)
  return { status, title: answer.title, detail: answer.detail, errors: Object.keys(answer.errors ?? {}) }
}

describe('a checkout', () => {
  test('is answered whole', async () => {
    await checkout.call('POST', '/billing-address', ann)
    const { 1: lamp } = await checkout.lines()
    await checkout.call('POST', '/consignments', [{ address: ann, line_items: [{ item_id: lamp, quantity: 2 }] }])
    const [consignment] = (await checkout.get('consignments.available_shipping_options')).consignments
    const option = consignment.available_shipping_options[0]
    await checkout.call('PUT', `/consignments/${consignment.id}`, { shipping_option_id: option.id })
    await checkout.call('PUT', '', { customer_message: 'Ring twice' })
    const { status, body } = await checkout.call('GET', '')
    const address = {
      id: expect.any(String),
      ...ann,
      company: '',
      address2: '',
      phone: '',
      state_or_province: 'Texas',
      custom_fields: [],
    }
    const item = {
      id: UUID,
      sku: '',
      image_url: '',
      discounts: [],
      discount_amount: 0,
      coupon_amount: 0,
      is_mutable: true,
      is_taxable: true,
      added_by_promotion: false,
      parent_id: null,
    }
    const times = { created_time: MOMENT, updated_time: MOMENT }
    expect(status).toBe(200)
    expect(body).toEqual({
      data: {
        id: checkout.id,
        cart: {
          id: checkout.id,
          customer_id: 0,
          channel_id: 1,
          email: 'ann@example.com',
          currency: { code: 'USD' },
          tax_included: false,
          base_amount: 30,
          discount_amount: 0,
          cart_amount_inc_tax: 30,
          cart_amount_ex_tax: 30,
          coupons: [],
          discounts: [
            { id: UUID, discounted_amount: 0 },
            { id: UUID, discounted_amount: 0 },
          ],
          line_items: {
            physical_items: [
              {
                ...item,
                id: lamp,
                variant_id: 1,
                product_id: 1,
                name: 'Lamp',
                url: expect.stringMatching(/\/lamp\/$/),
                quantity: 2,
                original_price: 12.5,
                list_price: 12.5,
                sale_price: 12.5,
                extended_list_price: 25,
                extended_sale_price: 25,
                comparison_price: 12.5,
                extended_comparison_price: 25,
                is_require_shipping: true,
                gift_wrapping: null,
              },
            ],
            digital_items: [
              {
                ...item,
                variant_id: 3,
                product_id: 3,
                name: 'Manual',
                url: expect.stringMatching(/\/manual\/$/),
                quantity: 1,
                original_price: 5,
                list_price: 5,
                sale_price: 5,
                extended_list_price: 5,
                extended_sale_price: 5,
                comparison_price: 5,
                extended_comparison_price: 5,
                is_require_shipping: false,
              },
            ],
            gift_certificates: [],
            custom_items: [],
          },
          ...times,
        },
        billing_address: address,
        consignments: [
          {
            id: consignment.id,
            shippingAddress: address,
            address,
            selected_shipping_option: option,
            coupon_discounts: [],
            discounts: [],
            shipping_cost_inc_tax: 4,
            shipping_cost_ex_tax: 4,
            handling_cost_inc_tax: 0,
            handling_cost_ex_tax: 0,
            line_item_ids: [lamp],
          },
        ],
        taxes: [],
        coupons: [],
        fees: [],
        order_id: null,
        shipping_cost_total_inc_tax: 4,
        shipping_cost_total_ex_tax: 4,
        handling_cost_total_inc_tax: 0,
        handling_cost_total_ex_tax: 0,
        tax_total: 0,
        subtotal_inc_tax: 30,
        subtotal_ex_tax: 30,
        grand_total: 34,
        ...times,
        customer_message: 'Ring twice',
        version: 5,
      },
      meta: {},
    })
  })

  test('has options, shipping options and banners only if the query includes them', async () => {
    const plain = await checkout.get()
    const { promotions, ...others } = await checkout.get(
      'cart.line_items.physical_items.options,cart.line_items.digital_items.options,promotions.banners',
    )
    expect(plain.promotions).toBeUndefined()
    expect(plain.cart.line_items.physical_items[0].options).toBeUndefined()
    expect(promotions).toEqual([{ banners: [] }])
    expect(others.cart.line_items.physical_items[0].options).toEqual([])
    expect(others.cart.line_items.digital_items[0].options).toEqual([])
    expect((await shop.call('GET', `/checkouts/${checkout.id}?includes=promotions.banners`)).status).toBe(200)
  })

  test('is unknown without a cart', async () => {
    for (const id of ['5b0c5f4e-2e0c-4f0e-9d55-0c8f2a1b3c4d', 'cart']) {
      expect((await shop.call('GET', `/checkouts/${id}`)).status, id).toBe(404)
    }
    await shop.call('DELETE', `/carts/${checkout.id}`)
    expect((await checkout.call('GET', '')).status).toBe(404)
    expect((await checkout.call('PUT', '', { customer_message: '' })).status).toBe(404)
  })

  test('has a message of up to 2,000 characters', async () => {
    for (const customer_message of ['', 'a'.repeat(2_000)]) {
      const { status, body } = await checkout.call('PUT', '', { customer_message })
      expect([status, body.data.customer_message]).toEqual([200, customer_message])
    }
    for (const customer_message of ['a'.repeat(2_001), null, 1, undefined]) {
      expect(await refused('PUT', '', { customer_message })).toMatchObject({
        status: 422,
        errors: ['customer_message'],
      })
    }
  })

  test.each([
    ['PUT', '', { customer_message: 'Hello' }],
    ['POST', '/billing-address', ann],
    ['POST', '/coupons', { coupon_code: 'SPRING' }],
    ['POST', '/fees', { fees: [] }],
  ])('%s %s is a 409 with another version', async (method, path, body) => {
    if (path === '/fees') Object.assign(body, { fees: [{ ...fee, cost: 1 }] })
    for (const version of [0, 2, 7]) {
      expect((await refused(method, path, { ...body, version })).status).toBe(409)
    }
  })

  test('counts each write, and publishes nothing for most', async () => {
    const count = await countEvents()
    expect((await checkout.get()).version).toBe(1)
    expect((await checkout.call('PUT', '', { customer_message: 'Hello', version: 1 })).body.data.version).toBe(2)
    expect((await shop.call('GET', `/carts/${checkout.id}`)).body.data.version).toBe(2)
    expect(await eventsAfter(count)).toEqual([])
  })
})

describe('a billing address', () => {
  const set = (fields: object) => checkout.call('POST', '/billing-address', { ...ann, ...fields })

  test('is replaced by the next one, and keeps its id', async () => {
    const { id } = (await set({ company: 'Fern' })).body.data.billing_address
    expect((await set({})).body.data.billing_address).toMatchObject({ id, company: '' })
    const changed = await checkout.call('PUT', `/billing-address/${id}`, { email: 'b@x.test', country_code: 'de' })
    expect(changed.body.data.billing_address).toEqual({
      id,
      first_name: '',
      last_name: '',
      email: 'b@x.test',
      company: '',
      address1: '',
      address2: '',
      city: '',
      state_or_province: '',
      state_or_province_code: '',
      country_code: 'DE',
      postal_code: '',
      phone: '',
      custom_fields: [],
    })
    expect(await refused('PUT', '/billing-address/7', ann)).toMatchObject({ status: 404 })
  })

  test('gives the cart its e-mail address, which is published', async () => {
    const count = await countEvents()
    expect((await set({})).body.data.cart.email).toBe('ann@example.com')
    await set({ company: 'Fern' })
    expect(await eventsAfter(count)).toEqual(['store/cart/updated', 'store/channel/1/cart/updated'])
  })

  test.each([
    [{ state_or_province_code: 'ca', state_or_province: 'Texas' }, { state_or_province: 'California' }],
    [{ state_or_province_code: '', state_or_province: 'texas' }, { state_or_province_code: 'TX' }],
    [{ state_or_province_code: '', state_or_province: 'TX' }, { state_or_province: 'Texas' }],
    [{ country_code: 'DK', state_or_province_code: 'any', state_or_province: 'Any' }, { state_or_province: 'Any' }],
    [{ phone: '030 123-456 x12' }, { phone: '030 123-456 x12' }],
    [{ phone: '' }, { phone: '' }],
  ])('with %j has %j', async (given, expected) => {
    expect((await set(given)).body.data.billing_address).toMatchObject(expected)
  })

  const long = (length: number) => 'a'.repeat(length)
  test.each([
    ['email', [`a@${long(63)}.test`], ['', 'no address', `${long(250)}@x.test`, undefined]],
    ['country_code', ['us'], ['XX', 'USA', '', undefined]],
    ['state_or_province_code', ['NY', ''], ['ZZ', 'Texas']],
    ['first_name', ['', long(255)], [long(256), 7]],
    ['postal_code', [long(30)], [long(31)]],
    ['phone', ['+1 (512) 555-0100', '5'], ['call me', '+', `1${'0'.repeat(50)}`]],
  ])('has bounds of %s', async (field, valid, invalid) => {
    for (const value of valid) expect((await set({ [field]: value })).status, String(value)).toBe(200)
    for (const value of invalid) {
      const body: Record<string, unknown> = { ...ann, [field]: value }
      expect(await refused('POST', '/billing-address', body), String(value)).toMatchObject({
        status: 422,
        errors: [field],
      })
    }
  })

  test('names a state that its country does not have', async () => {
    const body = { ...ann, state_or_province_code: '', state_or_province: 'Bavaria' }
    expect(await refused('POST', '/billing-address', body)).toMatchObject({
      status: 422,
      errors: ['state_or_province'],
    })
  })

  test('has values of form fields of addresses, at most 50', async () => {
    await shop.call('PUT', '/settings/form-fields', {
      customer: [{ name: 'Nickname', type: 'text' }],
      address: [{ name: 'Floor', type: 'text' }],
    })
    const fields = (await rowsOf(shop, 'customer_form_fields')).map(({ id, kind }) => [kind, id])
    const { address, customer } = Object.fromEntries(fields)
    const value = { field_id: address, field_value: '3rd' }
    const { body } = await set({ custom_fields: [value, { field_id: String(address), field_value: ['a', 'b'] }] })
    expect(body.data.billing_address.custom_fields).toEqual([
      { field_id: String(address), field_value: '3rd' },
      { field_id: String(address), field_value: ['a', 'b'] },
    ])
    for (const field_id of [customer, 99, 'Floor']) {
      expect(
        await refused('POST', '/billing-address', { ...ann, custom_fields: [value, { ...value, field_id }] }),
      ).toMatchObject({ status: 422, errors: ['custom_fields.1.field_id'] })
    }
    expect((await set({ custom_fields: Array(50).fill(value) })).status).toBe(200)
    expect(await refused('POST', '/billing-address', { ...ann, custom_fields: Array(51).fill(value) })).toMatchObject({
      status: 422,
      errors: ['custom_fields'],
    })
  })
})

const fee = { type: 'custom_fee', name: 'service', display_name: 'Service', cost: 4, source: 'an app' }

describe('fees', () => {
  const add = (...fees: object[]) => checkout.call('POST', '/fees', { fees })

  test('are created, replaced and deleted', async () => {
    const [one, two] = (await add(fee, { ...fee, cost: '2.5', tax_class_id: 1 })).body.data.fees
    expect(one).toEqual({
      id: UUID,
      type: 'custom_fee',
      name: 'service',
      display_name: 'Service',
      cost_inc_tax: 4,
      cost_ex_tax: 4,
      source: 'an app',
      tax_class_id: null,
    })
    expect(two).toMatchObject({ cost_ex_tax: 2.5, tax_class_id: 1 })
    expect((await checkout.get()).grand_total).toBe(36.5)
    const changed = await checkout.call('PUT', '/fees', { fees: [{ ...fee, id: two.id, cost: 1, name: 'other' }] })
    expect(changed.body.data.fees).toEqual([
      one,
      { ...two, name: 'other', cost_inc_tax: 1, cost_ex_tax: 1, tax_class_id: null },
    ])
    expect((await checkout.call('DELETE', '/fees', { ids: [one.id] })).body.data.fees).toMatchObject([{ id: two.id }])
  })

  test('T7: the sixth is refused, and none of the request is stored', async () => {
    expect(await refused('POST', '/fees', { fees: Array(6).fill(fee) })).toMatchObject({
      status: 422,
      errors: ['fees'],
    })
    expect((await add(fee, fee, fee, fee, fee)).body.data.fees).toHaveLength(5)
    expect(await refused('POST', '/fees', { fees: [fee] })).toMatchObject({ status: 422, errors: ['fees'] })
  })

  test('have to exist', async () => {
    const [{ id }] = (await add(fee)).body.data.fees
    const unknown = '5b0c5f4e-2e0c-4f0e-9d55-0c8f2a1b3c4d'
    expect(await refused('DELETE', '/fees', { ids: [id, unknown] })).toMatchObject({ status: 422, errors: ['ids.1'] })
    expect(await refused('DELETE', '/fees', { ids: [] })).toMatchObject({ status: 422 })
    const changes = { fees: [{ ...fee, id: unknown }] }
    expect(await refused('PUT', '/fees', changes)).toMatchObject({ status: 422, errors: ['fees.0.id'] })
  })

  test.each([
    ['type', ['custom_fee'], ['fee', undefined]],
    ['name', ['a'.repeat(50)], ['', ' ', 'a'.repeat(51), undefined]],
    ['display_name', ['a'.repeat(200)], ['', 'a'.repeat(201)]],
    ['source', ['a'.repeat(50)], ['', 'a'.repeat(51)]],
    ['cost', [0, 99_999_999_999], [-0.01, 100_000_000_000, 'free', undefined]],
    ['tax_class_id', [null, 0], [99, -1]],
  ])('have bounds of %s', async (field, valid, invalid) => {
    for (const value of valid) {
      const { status, body } = await add({ ...fee, [field]: value })
      expect(status, String(value)).toBe(200)
      await checkout.call('DELETE', '/fees', { ids: body.data.fees.map(({ id }: { id: string }) => id) })
    }
    for (const value of invalid) {
      expect(await refused('POST', '/fees', { fees: [{ ...fee, [field]: value }] }), String(value)).toMatchObject({
        status: 422,
        errors: [`fees.0.${field}`],
      })
    }
  })

  test('are no number beyond all bounds', async () => {
    const payload = JSON.stringify({ fees: [{ ...fee, cost: 0 }] }).replace('"cost":0', '"cost":1e400')
    const headers = { 'content-type': 'application/json' }
    const { status, body } = await shop.call('POST', `/checkouts/${checkout.id}/fees`, undefined, { payload, headers })
    expect([status, Object.keys(body.errors)]).toEqual([422, ['fees.0.cost']])
  })
})

describe('discounts by hand', () => {
  const discount = (cart: object) => checkout.call('POST', '/discounts', { cart })

  test('replace each other, and are off with zeros', async () => {
    const { 1: lamp } = await checkout.lines()
    const first = await discount({ discounts: [{ discounted_amount: 2 }, { discounted_amount: 1 }] })
    expect(first.body.data.cart).toMatchObject({ discount_amount: 3, base_amount: 30, cart_amount_ex_tax: 27 })
    const second = await discount({ line_items: [{ id: lamp, discounted_amount: 5 }] })
    expect(second.body.data.cart.discount_amount).toBe(0)
    expect(second.body.data.cart.line_items.physical_items[0]).toMatchObject({
      discounts: [{ id: 'manual-discount', discounted_amount: 5 }],
      discount_amount: 5,
      sale_price: 10,
      extended_sale_price: 20,
    })
    expect(second.body.data.grand_total).toBe(25)
    expect((await discount({ discounts: [{ discounted_amount: 0 }] })).body.data.grand_total).toBe(30)
  })

  test('C13: of a line and of the cart', async () => {
    checkout = checkoutOf(shop, await createCart(shop, { 1: 4, 2: 3 }))
    const { 1: lamp } = await checkout.lines()
    const { body } = await discount({
      discounts: [{ discounted_amount: 9 }],
      line_items: [{ id: lamp, discounted_amount: 10 }],
    })
    expect(body.data.cart).toMatchObject({ base_amount: 110, discount_amount: 9, cart_amount_ex_tax: 91 })
  })

  test('are at most the price', async () => {
    const { 1: lamp } = await checkout.lines()
    expect((await discount({ line_items: [{ id: lamp, discounted_amount: 25 }] })).status).toBe(200)
    expect((await discount({ discounts: [{ discounted_amount: 30 }] })).body.data.grand_total).toBe(0)
    await discount({ discounts: [{ discounted_amount: 0 }] })
    for (const [cart, field] of [
      [{ line_items: [{ id: lamp, discounted_amount: 25.01 }] }, 'cart.line_items.0.discounted_amount'],
      [{ line_items: [{ id: lamp, discounted_amount: -1 }] }, 'cart.line_items.0.discounted_amount'],
      [{ line_items: [{ id: 'x', discounted_amount: 1 }] }, 'cart.line_items.0.id'],
      [{ discounts: [{ discounted_amount: 30.01 }] }, 'cart.discounts'],
      [{ discounts: [{ discounted_amount: 6 }], line_items: [{ id: lamp, discounted_amount: 25 }] }, 'cart.discounts'],
      [{ discounts: [], line_items: [] }, 'cart'],
      [{}, 'cart'],
      [undefined, 'cart'],
    ] as const) {
      expect(await refused('POST', '/discounts', { cart })).toMatchObject({ status: 422, errors: [field] })
    }
    expect(
      (await refused('POST', '/discounts', { cart: { discounts: [{ discounted_amount: 1 }], version: 1 } })).status,
    ).toBe(409)
  })
})

describe('coupons', () => {
  const apply = (coupon_code: string) => checkout.call('POST', '/coupons', { coupon_code })
  const percent = (code: string, more: object = {}) =>
    shop.call(
      'POST',
      '/coupons',
      {
        name: code,
        code,
        type: 'percentage_discount',
        amount: '10',
        applies_to: { entity: 'categories', ids: [0] },
        ...more,
      },
      { version: 'v2' },
    )

  test('are applied once, in any case, and removed', async () => {
    expect((await percent('SPRING')).status).toBe(201)
    const count = await countEvents()
    const { status, body } = await apply(' spring ')
    expect([status, body.data.coupons]).toEqual([
      200,
      [
        {
          code: 'spring',
          id: expect.any(Number),
          coupon_type: 'percentage_discount',
          display_name: 'SPRING',
          discounted_amount: 3,
        },
      ],
    ])
    expect(body.data.cart.coupons).toEqual(body.data.coupons)
    expect(body.data).toMatchObject({ grand_total: 27, subtotal_ex_tax: 30, version: 2 })
    expect(await eventsAfter(count)).toEqual(['store/cart/couponApplied', 'store/channel/1/cart/couponApplied'])
    expect((await apply('SPRING')).body.data).toMatchObject({ version: 3, grand_total: 27 })
    expect(await eventsAfter(count)).toHaveLength(2)
    const removed = await checkout.call('DELETE', '/coupons/SPRing')
    expect(removed.body.data).toMatchObject({ coupons: [], grand_total: 30, version: 4 })
    expect(await eventsAfter(count)).toHaveLength(2)
    expect(await refused('DELETE', '/coupons/SPRING')).toMatchObject({ status: 404 })
    expect(await refused('DELETE', '/coupons/SPRING', { version: 1 })).toMatchObject({ status: 409 })
  })

  test('are refused with a name for the reason', async () => {
    await percent('OFF', { enabled: false })
    await percent('MIN', { min_purchase: '30.01' })
    await percent('FINE')
    await percent('MORE')
    for (const [code, detail] of [
      ['unknown', 'COUPON_INVALID'],
      ['', 'COUPON_INVALID'],
      ['  ', 'COUPON_INVALID'],
      ['a'.repeat(51), 'COUPON_INVALID'],
      ['OFF', 'COUPON_EXPIRED'],
      ['MIN', 'COUPON_MIN_PURCHASE'],
    ] as const) {
      expect(await refused('POST', '/coupons', { coupon_code: code }), code).toMatchObject({
        status: 422,
        detail,
        errors: ['coupon_code'],
      })
    }
    expect(await refused('POST', '/coupons', {})).toMatchObject({ status: 422, detail: 'COUPON_INVALID' })
    await apply('FINE')
    expect(await refused('POST', '/coupons', { coupon_code: 'MORE' })).toMatchObject({
      status: 422,
      detail: 'COUPON_INELIGIBLE',
    })
  })

  test('are as many as the settings allow, five at most', async () => {
    const settings = {
      promotions_apply_on_products_with_custom_product_price: false,
      promotions_triggered_by_products_with_zero_product_price: false,
      number_of_coupons_allowed_at_checkout: 5,
      promotions_applied_on_original_product_price: false,
    }
    expect((await shop.call('PUT', '/promotions/settings', settings)).status).toBe(200)
    const codes = ['A', 'B', 'C', 'D', 'E']
    for (const code of codes) {
      await percent(code)
      expect((await apply(code)).status, code).toBe(200)
    }
    await percent('F')
    expect(await refused('POST', '/coupons', { coupon_code: 'F' })).toMatchObject({
      status: 422,
      detail: 'COUPON_INELIGIBLE',
      title: 'This checkout has as many coupons as it can have.',
    })
    expect((await apply('A')).body.data.coupons.map(({ code }: { code: string }) => code)).toEqual(codes)
  })

  test('and discounts by hand exclude each other on a line', async () => {
    await percent('SPRING')
    await apply('SPRING')
    const { 1: lamp } = await checkout.lines()
    expect(
      await refused('POST', '/discounts', { cart: { line_items: [{ id: lamp, discounted_amount: 1 }] } }),
    ).toMatchObject({ status: 422, errors: ['cart.line_items.0.id'] })
    await checkout.call('DELETE', '/coupons/SPRING')
    await checkout.call('POST', '/discounts', { cart: { discounts: [{ discounted_amount: 1 }] } })
    expect(await refused('POST', '/coupons', { coupon_code: 'SPRING' })).toMatchObject({
      status: 422,
      detail: 'COUPON_MODIFICATION_NOT_ALLOWED',
    })
  })
})
