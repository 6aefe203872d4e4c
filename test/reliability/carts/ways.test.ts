import { expect, test } from 'vitest'
import { visit } from '../../../server/test/carts/plain-browser.ts'
import { annsAddress, shopperOf } from '../../../server/test/carts/storefront-checkout.ts'
import { openShop, type Shop } from '../../../server/test/fixtures/shop.ts'
import { figure, seedsOf } from '../rig.ts'
import { grandTotalOf, type ModelState, outcomesOf, type View, viewOf, type Write, withIds } from './model.ts'

// Random writes of one cart, each by REST, by GraphQL or on the checkout page. The three show the same cart after each, and it is that of a model.

const [FIRST, END] = seedsOf(10_000, 8)
const WRITES = 12
const options = { timeout: 3 * 3_600_000 }

/** Numbers that a seed determines: a sequence that fails can be run again. */
function numbersFrom(seed: number) {
  let state = seed
  return (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}
type Draw = ReturnType<typeof numbersFrom>

async function furnish(): Promise<Shop> {
  const shop = await openShop()
  for (const [name, price] of [
    ['Lamp', 12.5],
    ['Vase', 20],
  ]) {
    const made = await shop.call('POST', '/catalog/products', { name, price, type: 'physical', weight: 1 })
    expect(made.status, made.text).toBe(200)
  }
  const coupon = { name: 'Two', code: 'TWO', type: 'per_total_discount', amount: '2' }
  const applies_to = { entity: 'categories', ids: [0] }
  expect((await shop.call('POST', '/coupons', { ...coupon, applies_to }, { version: 'v2' })).status).toBeLessThan(300)
  return shop
}

const addressIn = (city: string) => ({ ...annsAddress, city, stateOrProvinceCode: undefined })
const restAddress = (city: string, email: string) => ({ email, country_code: 'US', city })

type Shopper = Awaited<ReturnType<typeof shopperOf>>
type Page = Awaited<ReturnType<typeof visit>>

/** A cart and the three ways to it. */
interface Ways {
  shop: Shop
  id: string
  shopper: Shopper
  page: Page
}

/** Makes a write. @returns whether it was accepted; undefined if this way doesn't have it */
type Way = (ways: Ways, write: Write, seen: View) => Promise<boolean | undefined>

const byRest: Way = async ({ shop, id }, write) => {
  const [own, checkout] = [`/carts/${id}`, `/checkouts/${id}`]
  const send = async (method: string, path: string, body?: object) => (await shop.call(method, path, body)).status < 300
  switch (write.kind) {
    case 'add': {
      const { product, quantity } = write
      if (product > 0) return send('POST', `${own}/items`, { line_items: [{ product_id: product, quantity }] })
      return send('POST', `${own}/items`, { custom_items: [{ name: 'Engraving', quantity, list_price: 3 }] })
    }
    case 'quantity':
      return send('PUT', `${own}/items/${write.item}`, { line_item: { quantity: write.quantity } })
    case 'remove':
      return send('DELETE', `${own}/items/${write.item}`, {})
    case 'message':
      return send('PUT', checkout, { customer_message: write.text })
    case 'billing': {
      const body = restAddress('Austin', write.email)
      if (write.id === undefined) return send('POST', `${checkout}/billing-address`, body)
      return send('PUT', `${checkout}/billing-address/${write.id}`, body)
    }
    case 'consign': {
      const line_items = [{ item_id: write.item, quantity: write.quantity }]
      return send('POST', `${checkout}/consignments`, [
        { address: restAddress(write.city, 'a@example.com'), line_items },
      ])
    }
    case 'ship': {
      const custom_shipping = { price: write.price, description: 'Van' }
      return send('PUT', `${checkout}/consignments/${write.consignment}`, { custom_shipping })
    }
    case 'unconsign':
      return send('DELETE', `${checkout}/consignments/${write.consignment}`, {})
    case 'coupon':
      return send('POST', `${checkout}/coupons`, { coupon_code: 'TWO' })
    case 'uncoupon':
      return send('DELETE', `${checkout}/coupons/TWO`, {})
    case 'discount':
      return send('POST', `${checkout}/discounts`, { cart: { discounts: [{ discounted_amount: write.amount }] } })
    case 'fee': {
      const fee = { type: 'custom_fee', name: 'box', display_name: 'Box', source: 'shop', cost: write.cost }
      return send('POST', `${checkout}/fees`, { fees: [fee] })
    }
    default:
      return undefined
  }
}

const byGraph: Way = async ({ id, shopper }, write) => {
  const mutate = async (noun: 'cart' | 'checkout', name: string, input: object) => {
    const type = `${name[0]?.toUpperCase()}${name.slice(1)}Input!`
    const own = noun === 'cart' ? { cartEntityId: id } : { checkoutEntityId: id }
    const query = `mutation ($input: ${type}) { ${noun} { ${name}(input: $input) { __typename } } }`
    return (await shopper.ask(query, { input: { ...own, ...input } })).errors === undefined
  }
  switch (write.kind) {
    case 'add': {
      const { product: productEntityId, quantity } = write
      if (productEntityId === 0) return undefined
      return mutate('cart', 'addCartLineItems', { data: { lineItems: [{ productEntityId, quantity }] } })
    }
    case 'quantity': {
      const { item, quantity } = write
      return quantity === 0
        ? undefined
        : mutate('cart', 'updateCartLineItem', { lineItemEntityId: item, data: { lineItem: { quantity } } })
    }
    case 'remove':
      return mutate('cart', 'deleteCartLineItem', { lineItemEntityId: write.item })
    case 'message':
      return mutate('checkout', 'updateCheckoutCustomerMessage', { data: { message: write.text } })
    case 'billing': {
      const data = { address: { ...addressIn('Austin'), email: write.email } }
      if (write.id === undefined) return mutate('checkout', 'addCheckoutBillingAddress', { data })
      return mutate('checkout', 'updateCheckoutBillingAddress', { addressEntityId: write.id, data })
    }
    case 'consign': {
      const lineItems = [{ lineItemEntityId: write.item, quantity: write.quantity }]
      const consignments = [{ address: addressIn(write.city), lineItems }]
      return mutate('checkout', 'addCheckoutShippingConsignments', { data: { consignments } })
    }
    case 'unconsign':
      return mutate('checkout', 'deleteCheckoutConsignment', { consignmentEntityId: write.consignment })
    case 'coupon':
      return mutate('checkout', 'applyCheckoutCoupon', { data: { couponCode: 'TWO' } })
    case 'uncoupon':
      return mutate('checkout', 'unapplyCheckoutCoupon', { data: { couponCode: 'TWO' } })
    default:
      return undefined
  }
}

const byPage: Way = async ({ page }, write, seen) => {
  await page.open('/checkout')
  switch (write.kind) {
    case 'billing':
      // The first step sets the e-mail address and leaves the rest.
      await page.open('/checkout?step=customer')
      if (page.openStep() !== 'customer') return undefined
      await page.submit({ email: write.email }, 'customer')
      return page.status() === 200
    case 'coupon':
      if (seen.codes.length > 0) return undefined
      await page.submit({ couponCode: 'TWO' }, 'coupon')
      return page.status() === 200
    case 'uncoupon':
      if (seen.codes.length === 0) return undefined
      await page.submit({}, 'coupon')
      return page.status() === 200
    default:
      return undefined
  }
}

const WAYS = { REST: byRest, GraphQL: byGraph, page: byPage }

function drawWrite(draw: Draw, seen: View): Write {
  const one = <T>(list: readonly T[]): T | undefined => list[draw(list.length)]
  const nothing = '5b0c5f4e-2e0c-4f0e-9d55-0c8f2a1b3c4d'
  const item = one(seen.lines)?.id ?? nothing
  const consignment = one(seen.checkout.consignments)?.id ?? nothing.replaceAll('-', '').slice(0, 24)
  const writes: (() => Write)[] = [
    () => ({ kind: 'add', product: draw(3), quantity: 1 + draw(3) }),
    () => ({ kind: 'quantity', item, quantity: 1 + draw(4) }),
    () => (draw(3) === 0 ? { kind: 'remove', item } : { kind: 'message', text: `Ring ${draw(9)} times` }),
    () => ({ kind: 'billing', id: seen.checkout.billing, email: `a${draw(3)}@example.com` }),
    () => ({ kind: 'consign', item, quantity: 1 + draw(2), city: ['Austin', 'Boston'][draw(2)] ?? '' }),
    () => ({ kind: 'ship', consignment, price: draw(9) }),
    () => ({ kind: 'unconsign', consignment }),
    () => ({ kind: 'coupon' }),
    () => ({ kind: 'uncoupon' }),
    () => ({ kind: 'discount', amount: draw(2) }),
    () => ({ kind: 'fee', cost: draw(5) }),
  ]
  return writes[draw(writes.length)]?.() ?? { kind: 'coupon' }
}

const FIELDS = `version billingAddress { entityId email } customerMessage grandTotal { value } coupons { code }
  cart { lineItems { physicalItems { entityId productEntityId quantity } customItems { entityId quantity } } }
  shippingConsignments { entityId address { city } lineItemIds selectedShippingOption { cost { value } } }
  fees { id cost { value } } manualDiscountTotal { value }`

/** The cart as GraphQL shows it, in the form of the model; undefined if it ended. */
async function readGraph({ id, shopper }: Ways) {
  const found = await shopper.read(id, FIELDS)
  if (!found) return undefined
  const { physicalItems, customItems } = found.cart.lineItems
  type Item = { entityId: string; productEntityId?: number; quantity: number }
  const lines = [...physicalItems, ...customItems].map(({ entityId, productEntityId = 0, quantity }: Item) => ({
    id: entityId,
    product: productEntityId,
    quantity,
  }))
  type Shipped = {
    entityId: string
    address: { city: string }
    lineItemIds: string[]
    selectedShippingOption: { cost: { value: number } } | null
  }
  const view: View = {
    version: found.version,
    customer: 0,
    email: found.billingAddress?.email ?? '',
    lines,
    codes: found.coupons.map(({ code }: { code: string }) => code),
    manual: found.manualDiscountTotal.value,
    checkout: {
      billing: found.billingAddress?.entityId,
      message: found.customerMessage ?? '',
      consignments: found.shippingConsignments.map((one: Shipped) => ({
        id: one.entityId,
        city: one.address.city,
        lines: one.lineItemIds.toSorted(),
        price: one.selectedShippingOption?.cost.value ?? null,
      })),
      fees: found.fees.map(({ id, cost }: { id: string; cost: { value: number } }) => ({ id, cost: cost.value })),
    },
  }
  return { view, total: found.grandTotal.value }
}

const byId = <T extends { id: string }>(list: readonly T[]) =>
  list.toSorted((one, other) => (one.id < other.id ? -1 : 1))
const sorted = (view: View) => ({ ...view, lines: byId(view.lines) })

/** Compares the three views of a cart with the model. @returns the state with the ids of new things */
async function compare(ways: Ways, after: ModelState, story: string): Promise<ModelState> {
  const { shop, id, page } = ways
  const read = await readGraph(ways)
  const rest = await shop.call('GET', `/checkouts/${id}`)
  await page.open('/checkout')
  if (after.isGone) {
    expect([read, rest.status, page.status()], story).toEqual([undefined, 404, 404])
    return after
  }
  if (!read) throw new Error(`The cart is gone: ${story}`)
  const named = withIds(after, read.view)
  expect(sorted(read.view), story).toEqual(sorted(viewOf(named)))
  const { version, grand_total } = rest.body.data
  const [, shown] = / Total \$([\d,.]+)/.exec(page.text()) ?? []
  expect([version, grand_total, Number(shown?.replaceAll(',', ''))], story).toEqual([
    named.version,
    read.total,
    read.total,
  ])
  const total = grandTotalOf(named)
  if (total !== undefined) expect(read.total, story).toBe(total)
  return named
}

const EMPTY: ModelState = {
  isGone: false,
  version: 1,
  customer: 0,
  billing: null,
  message: '',
  lines: [],
  consignments: [],
  codes: [],
  fees: [],
  manual: 0,
}

test('REST, GraphQL and the page in turn write and show one cart, as a model does', options, async () => {
  const shop = await furnish()
  const shopper = await shopperOf(shop)
  const counts: Record<string, number> = { REST: 0, GraphQL: 0, page: 0 }
  for (let seed = FIRST + 1; seed <= END; seed++) {
    const draw = numbersFrom(seed)
    const line_items = [
      { product_id: 1, quantity: 3 },
      { product_id: 2, quantity: 2 },
    ]
    const { id } = (await shop.call('POST', '/carts', { line_items })).body.data
    const ways: Ways = { shop, id, shopper, page: await visit(shop, id) }
    const begin = await readGraph(ways)
    let state: ModelState = { ...EMPTY, lines: begin?.view.lines ?? [] }
    const story: string[] = [`sequence ${seed}`]
    for (let i = 0; i < WRITES && !state.isGone; i++) {
      const seen = viewOf(state)
      const write = drawWrite(draw, seen)
      const names = Object.keys(WAYS) as (keyof typeof WAYS)[]
      const name = names[draw(names.length)] ?? 'REST'
      let isDone = await WAYS[name](ways, write, seen)
      const used = isDone === undefined ? 'REST' : name
      isDone ??= await byRest(ways, write, seen)
      counts[used] = (counts[used] ?? 0) + 1
      story.push(`${used} ${JSON.stringify(write)} ${isDone}`)
      const outcomes = outcomesOf(state, write)
      const expected = outcomes.find((one) => (typeof one !== 'number') === isDone)
      if (expected === undefined) throw new Error(`The model answers otherwise: ${story.join('\n')}`)
      state = await compare(ways, typeof expected === 'number' ? state : expected, story.join('\n'))
    }
  }
  const writes = Object.entries(counts).map(([name, count]) => `${count} by ${name}`)
  figure('C-121', `${END - FIRST} sequences, writes: ${writes.join(', ')}; all views agree with the model`)
})
