import { beforeEach, describe, expect, test } from 'vitest'
import { ann, checkoutOf, createCart, openWithShipping } from '../../../test/carts/checkouts.ts'
import type { Shop } from '../../../test/fixtures/shop.ts'
import { rowsOf } from '../../../test/fixtures/webhooks.ts'

// docs/contract/checkouts.md section 6.

let shop: Shop
let checkout: ReturnType<typeof checkoutOf>
let lamp = ''
let vase = ''
let manual = ''
beforeEach(async () => {
  shop = await openWithShipping()
  await start({ 1: 2, 2: 1, 3: 1 })
})

async function start(quantities: Record<number, number>) {
  checkout = checkoutOf(shop, await createCart(shop, quantities))
  const lines = await checkout.lines()
  lamp = lines[1] ?? ''
  vase = lines[2] ?? ''
  manual = lines[3] ?? ''
}

const WITH_OPTIONS = '?include=consignments.available_shipping_options'
const units = (item_id: string, quantity: number) => ({ item_id, quantity })
const to = (address: object, ...line_items: object[]) => ({ address: { ...ann, ...address }, line_items })
const create = (...items: object[]) => checkout.call('POST', `/consignments${WITH_OPTIONS}`, items)
const change = (id: string, body: object) => checkout.call('PUT', `/consignments/${id}`, body)

/** Creates a consignment of all physical lines. @returns its id and its options */
async function ship() {
  const { status, body, text } = await create(to({}, units(lamp, 2), units(vase, 1)))
  if (status !== 200) throw new Error(text)
  const [{ id, available_shipping_options: options }] = body.data.consignments
  return { id, options }
}

/** The units of each consignment, as they are stored. */
async function stored() {
  const [row] = (await rowsOf(shop, 'carts')) as {
    document: { consignments: { lines: { item_id: string; quantity: number }[] }[] }
  }[]
  return row?.document.consignments.map(({ lines }) => lines.map(({ item_id, quantity }) => [item_id, quantity]))
}

/** Sends a refused request, and checks that it changes nothing. */
async function refused(method: string, path: string, body?: unknown) {
  const before = await checkout.get()
  const { status, body: answer } = await checkout.call(method, path, body)
  expect(await checkout.get()).toEqual(before)
  return { status, title: answer.title, errors: Object.keys(answer.errors ?? {}) }
}

describe('a consignment', () => {
  test('offers the options of its zone, the cheapest first', async () => {
    const { options } = await ship()
    const option = {
      id: expect.stringMatching(/^[0-9a-f]{32}$/),
      image_url: '',
      transit_time: '',
      additional_description: '',
    }
    expect(options).toEqual([
      { ...option, type: 'peritem', description: 'By item', cost: 6 },
      { ...option, type: 'perorder', description: 'Flat', cost: 7 },
    ])
    expect((await checkout.get()).consignments[0].available_shipping_options).toBeUndefined()
  })

  test('has no options where no zone serves the address', async () => {
    await shop.call('PUT', '/shipping/zones/1', { name: 'World', enabled: false }, { version: 'v2' })
    expect((await ship()).options).toEqual([])
  })

  test.each([
    ['a line of no cart', () => to({}, units('5b0c5f4e-2e0c-4f0e-9d55-0c8f2a1b3c4d', 1)), ['0.line_items.0.item_id']],
    ['a digital line', () => to({}, units(lamp, 1), units(manual, 1)), ['0.line_items.1.item_id']],
    ['more than the line has', () => to({}, units(lamp, 3)), ['0.line_items.0.quantity']],
    ['more in two entries', () => to({}, units(lamp, 1), units(lamp, 2)), ['0.line_items.1.quantity']],
    ['no unit', () => to({}, units(lamp, 0)), ['0.line_items.0.quantity']],
    ['2^31 units', () => to({}, units(lamp, 2 ** 31)), ['0.line_items.0.quantity']],
    ['no line', () => to({}), ['0.line_items']],
    ['no address', () => ({ line_items: [units(lamp, 1)] }), ['0.address']],
    ['no e-mail address', () => to({ email: undefined }, units(lamp, 1)), ['0.address.email']],
    ['an unknown country', () => to({ country_code: 'XX' }, units(lamp, 1)), ['0.address.country_code']],
    [
      'an unknown state',
      () => to({ state_or_province_code: 'ZZ' }, units(lamp, 1)),
      ['0.address.state_or_province_code'],
    ],
    [
      'address and pickup',
      () => ({ ...to({}, units(lamp, 1)), pickup_option: { pickup_method_id: 1 } }),
      ['0.address'],
    ],
    [
      'two versions',
      () => [to({}, units(lamp, 1)), to({}, units(vase, 1))].map((one, i) => ({ ...one, version: i })),
      ['0.version'],
    ],
  ])('with %s is refused', async (_, body, errors) => {
    expect(await refused('POST', '/consignments', [body()].flat())).toMatchObject({ status: 422, errors })
  })

  test('has no line of another cart', async () => {
    const other = checkoutOf(shop, await createCart(shop, { 1: 1 }))
    const { 1: foreign = '' } = await other.lines()
    expect(await refused('POST', '/consignments', [to({}, units(foreign, 1))])).toMatchObject({
      status: 422,
      errors: ['0.line_items.0.item_id'],
    })
  })

  test('takes the units of others, which are removed if they become empty', async () => {
    await create(to({}, units(lamp, 2)), to({}, units(vase, 1)))
    await create(to({ city: 'Boston' }, units(lamp, 1)))
    expect(await stored()).toEqual([[[lamp, 1]], [[vase, 1]], [[lamp, 1]]])
    const { body } = await create(to({ city: 'Chicago' }, units(lamp, 2), units(vase, 1)))
    expect(body.data.consignments).toMatchObject([{ address: { city: 'Chicago' }, line_item_ids: [lamp, vase] }])
  })

  test('is unknown in another checkout, and can be deleted', async () => {
    const { id } = await ship()
    const other = checkoutOf(shop, await createCart(shop, { 1: 1 }))
    expect((await other.call('DELETE', `/consignments/${id}`)).status).toBe(404)
    expect((await other.call('PUT', `/consignments/${id}`, { address: ann })).status).toBe(404)
    expect(await refused('DELETE', `/consignments/${id}`, { version: 1 })).toMatchObject({ status: 409 })
    expect((await checkout.call('DELETE', `/consignments/${id}`)).body.data.consignments).toEqual([])
    expect(await refused('DELETE', `/consignments/${id}`)).toMatchObject({ status: 404 })
  })

  test('is one of at most 50', async () => {
    await start({ 1: 51 })
    const fifty = Array.from({ length: 50 }, () => to({}, units(lamp, 1)))
    expect(await refused('POST', '/consignments', [...fifty, ...fifty.slice(0, 1)])).toMatchObject({ status: 422 })
    expect((await create(...fifty)).body.data.consignments).toHaveLength(50)
    expect(await refused('POST', '/consignments', fifty.slice(0, 1))).toMatchObject({ status: 422 })
  })
})

describe('the shipping of a consignment', () => {
  test('is one of its current options', async () => {
    const { id, options } = await ship()
    const { body } = await change(id, { shipping_option_id: options[1].id })
    expect(body.data.consignments[0]).toMatchObject({
      selected_shipping_option: { description: 'Flat', cost: 7 },
      shipping_cost_ex_tax: 7,
    })
    expect(body.data).toMatchObject({ shipping_cost_total_ex_tax: 7, grand_total: 57 })
    expect(await refused('PUT', `/consignments/${id}`, { shipping_option_id: 'x' })).toMatchObject({
      status: 422,
      errors: ['shipping_option_id'],
    })
  })

  test('can have a price of its own, which no zone changes', async () => {
    const { id } = await ship()
    const { body } = await change(id, { custom_shipping: { price: 3.5, description: 'By bicycle' } })
    expect(body.data.consignments[0].selected_shipping_option).toMatchObject({
      type: 'custom',
      cost: 3.5,
      description: 'By bicycle',
    })
    await shop.call('DELETE', '/shipping/zones/1', undefined, { version: 'v2' })
    expect((await checkout.call('PUT', '', { customer_message: '' })).body.data.shipping_cost_total_ex_tax).toBe(3.5)
  })

  test.each([
    ['price', [0, 99_999_999_999], [-0.01, 100_000_000_000, 'free', undefined]],
    ['description', ['a', 'a'.repeat(100)], ['', 'a'.repeat(101), undefined]],
  ])('has bounds of %s', async (field, valid, invalid) => {
    const { id } = await ship()
    const custom = { price: 1, description: 'By bicycle' }
    for (const value of valid)
      expect((await change(id, { custom_shipping: { ...custom, [field]: value } })).status).toBe(200)
    for (const value of invalid) {
      const body = { custom_shipping: { ...custom, [field]: value } }
      expect(await refused('PUT', `/consignments/${id}`, body), String(value)).toMatchObject({
        status: 422,
        errors: [`custom_shipping.${field}`],
      })
    }
  })

  test.each([
    ['an address and an option (T5)', { address: ann, shipping_option_id: 'x' }],
    ['lines and custom shipping', { line_items: [units('x', 1)], custom_shipping: { price: 1, description: 'x' } }],
    ['an option and custom shipping', { shipping_option_id: 'x', custom_shipping: { price: 1, description: 'x' } }],
    ['a pickup and an address', { address: ann, pickup_option: { pickup_method_id: 1 } }],
    ['nothing', {}],
  ])('is not changed by %s', async (_, body) => {
    const { id } = await ship()
    expect(await refused('PUT', `/consignments/${id}`, body)).toMatchObject({ status: 422, errors: [''] })
  })

  test('T6: is dropped with a new address, and with other lines', async () => {
    const { id, options } = await ship()
    await change(id, { shipping_option_id: options[0].id })
    const moved = await change(id, { address: { ...ann, city: 'Boston' } })
    expect(moved.body.data.consignments).toMatchObject([
      { id, address: { city: 'Boston' }, line_item_ids: [lamp, vase] },
    ])
    expect(moved.body.data.consignments[0].selected_shipping_option).toBeUndefined()
    await change(id, { shipping_option_id: options[0].id })
    const { body } = await change(id, { line_items: [units(lamp, 1)] })
    expect(body.data.consignments[0].selected_shipping_option).toBeUndefined()
    expect(body.data.consignments[0].line_item_ids).toEqual([lamp])
    expect(await refused('PUT', `/consignments/${id}`, { line_items: [units(lamp, 3)] })).toMatchObject({
      status: 422,
      errors: ['line_items.0.quantity'],
    })
  })

  test('follows the lines of the cart', async () => {
    const { id, options } = await ship()
    await change(id, { shipping_option_id: options[0].id })
    const item = (line: string, quantity: number) =>
      shop.call('PUT', `/carts/${checkout.id}/items/${line}`, { line_item: { quantity } })
    await item(lamp, 1)
    expect((await checkout.get()).consignments[0].selected_shipping_option).toMatchObject({ cost: 4 })
    await shop.call('DELETE', '/shipping/zones/1/methods/2', undefined, { version: 'v2' })
    expect((await checkout.get()).consignments[0].selected_shipping_option).toMatchObject({ cost: 4 })
    await item(vase, 2)
    expect((await checkout.get()).consignments[0].selected_shipping_option).toBeUndefined()
    await shop.call('DELETE', `/carts/${checkout.id}/items/${lamp}`)
    await shop.call('DELETE', `/carts/${checkout.id}/items/${vase}`)
    expect((await checkout.get()).consignments).toEqual([])
  })

  test('of several consignments can be chosen at once (T3)', async () => {
    const { body } = await create(to({}, units(lamp, 2)), to({ city: 'Boston' }, units(vase, 1)))
    const answers = await Promise.all(
      body.data.consignments.map(
        ({ id, available_shipping_options: [option] }: { id: string; available_shipping_options: { id: string }[] }) =>
          change(id, { shipping_option_id: option?.id }),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    const { version, shipping_cost_total_ex_tax } = await checkout.get()
    expect([version, shipping_cost_total_ex_tax]).toEqual([4, 6])
  })

  test('is offered for free by a promotion in its zones', async () => {
    const promotion = (zone_ids: unknown) => ({
      name: 'Free shipping',
      status: 'ENABLED',
      redemption_type: 'AUTOMATIC',
      rules: [{ action: { shipping: { free_shipping: true, zone_ids } }, apply_once: true, stop: false }],
      notifications: [],
      stop: false,
    })
    expect((await shop.call('POST', '/promotions', promotion([99]))).status).toBe(201)
    expect((await ship()).options).toHaveLength(2)
    expect((await shop.call('POST', '/promotions', promotion('*'))).status).toBe(201)
    const { id, options } = await ship()
    expect(options[0]).toMatchObject({ description: 'Free shipping', type: 'freeshipping', cost: 0 })
    const { body } = await change(id, { shipping_option_id: options[0].id })
    expect(body.data.grand_total).toBe(50)
    expect((await checkout.call('PUT', '', { customer_message: 'x' })).body.data.consignments[0]).toMatchObject({
      selected_shipping_option: { cost: 0 },
    })
  })
})

describe('a pickup', () => {
  const METHOD = { pickup_method_id: 1 }
  beforeEach(async () => {
    const address = {
      address1: '5 Dock Street',
      city: 'Seattle',
      state: 'WA',
      zip: '98101',
      email: 'dock@example.com',
      geo_coordinates: { latitude: 47.6, longitude: -122.3 },
      country_code: 'US',
    }
    const location = { code: 'DOCK', label: 'Dock', enabled: true, address }
    expect((await shop.call('POST', '/inventory/locations', [location])).status).toBe(200)
    const locations = (await shop.call('GET', '/inventory/locations')).body.data
    const { id: location_id } = locations.find(({ code }: { code: string }) => code === 'DOCK')
    const method = { location_id, display_name: 'Dock', collection_instructions: '', collection_time_description: '' }
    expect((await shop.call('POST', '/pickup/methods', [method])).status).toBeLessThan(300)
  })

  test('has no shipping', async () => {
    const { status, body } = await create({ pickup_option: METHOD, line_items: [units(lamp, 2), units(vase, 1)] })
    expect(status).toBe(200)
    expect(body.data.consignments).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f]{24}$/),
        available_shipping_options: [],
        coupon_discounts: [],
        discounts: [],
        shipping_cost_inc_tax: 0,
        shipping_cost_ex_tax: 0,
        handling_cost_inc_tax: 0,
        handling_cost_ex_tax: 0,
        line_item_ids: [lamp, vase],
        selected_pickup_option: METHOD,
      },
    ])
    const [{ id }] = body.data.consignments
    for (const changes of [{ shipping_option_id: 'x' }, { custom_shipping: { price: 1, description: 'x' } }]) {
      expect((await refused('PUT', `/consignments/${id}`, changes)).status).toBe(422)
    }
    const shipped = await change(id, { address: ann })
    expect(shipped.body.data.consignments[0].selected_pickup_option).toBeUndefined()
    expect(shipped.body.data.consignments[0].address.city).toBe('Austin')
    const collected = await change(id, { pickup_option: METHOD })
    expect(collected.body.data.consignments[0]).toMatchObject({ selected_pickup_option: METHOD })
    expect(collected.body.data.consignments[0].address).toBeUndefined()
  })

  test('is the one consignment of its checkout', async () => {
    const limited = { status: 422, title: 'Pickup method is limited to 1 consignment.' }
    const pickup = (...line_items: object[]) => ({ pickup_option: METHOD, line_items })
    expect(await refused('POST', '/consignments', [pickup(units(lamp, 1)), pickup(units(vase, 1))])).toMatchObject(
      limited,
    )
    expect(await refused('POST', '/consignments', [pickup(units(lamp, 1)), to({}, units(vase, 1))])).toMatchObject(
      limited,
    )
    const { body } = await create(to({}, units(lamp, 2)), to({}, units(vase, 1)))
    const [{ id }] = body.data.consignments
    expect(await refused('PUT', `/consignments/${id}`, { pickup_option: METHOD })).toMatchObject(limited)
    expect((await create(pickup(units(lamp, 2), units(vase, 1)))).body.data.consignments).toHaveLength(1)
    expect(await refused('POST', '/consignments', [to({}, units(vase, 1))])).toMatchObject(limited)
  })

  test('needs a method at an enabled location', async () => {
    expect(
      await refused('POST', '/consignments', [
        { pickup_option: { pickup_method_id: 9 }, line_items: [units(lamp, 1)] },
      ]),
    ).toMatchObject({ status: 422, errors: ['0.pickup_option.pickup_method_id'] })
    const locations = (await shop.call('GET', '/inventory/locations')).body.data
    const { id } = locations.find(({ code }: { code: string }) => code === 'DOCK')
    expect((await shop.call('PUT', '/inventory/locations', [{ id, enabled: false }])).status).toBe(200)
    expect(
      await refused('POST', '/consignments', [{ pickup_option: METHOD, line_items: [units(lamp, 1)] }]),
    ).toMatchObject({ status: 422, errors: ['0.pickup_option.pickup_method_id'] })
  })
})
