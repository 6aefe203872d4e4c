import { type Answered, openShop, type Shop } from './shop.ts'
import { rowsOf } from './webhooks.ts'

// What tests of orders begin with: a customer, goods, and requests of the older family.

export const ida = {
  first_name: 'Ida',
  last_name: 'Holm',
  street_1: 'Nyhavn 12',
  city: 'Copenhagen',
  state: 'Hovedstaden',
  zip: '1051',
  country_iso2: 'dk',
  email: 'ida@example.com',
}
/** An order of these products. */
export const goods = (...products: object[]) => ({ billing_address: ida, products })
/** A product that the catalog does not know. */
export const custom = (price_ex_tax: number, price_inc_tax: number, quantity = 1, more: object = {}) => ({
  name: 'Engraving',
  quantity,
  price_ex_tax,
  price_inc_tax,
  ...more,
})

export type V2 = (method: string, path: string, body?: unknown) => Promise<Answered>
export const speak =
  (shop: Shop): V2 =>
  (method, path, body) =>
    shop.call(method, path, body, { version: 'v2' })

/** A store with a mug (product 1), and a shirt in two sizes with an engraving to choose (product 2, variants 2 and 3). */
export async function openWithGoods() {
  const shop = await openShop()
  await shop.call('POST', '/catalog/products', [
    {
      name: 'Mug',
      type: 'physical',
      weight: 0.4,
      price: 18.5,
      cost_price: 7,
      sku: 'MUG',
      inventory_tracking: 'product',
    },
    {
      name: 'Shirt',
      type: 'physical',
      weight: 0.2,
      price: 25,
      variants: ['S', 'M'].map((label) => ({
        sku: `SHIRT-${label}`,
        option_values: [{ option_display_name: 'Size', label }],
      })),
    },
  ])
  await shop.call('POST', '/catalog/products/2/modifiers', {
    display_name: 'Print',
    type: 'dropdown',
    required: true,
    option_values: [
      { label: 'None', sort_order: 0 },
      { label: 'Name', sort_order: 1, adjusters: { price: { adjuster: 'relative', adjuster_value: 5 } } },
      { label: 'Picture', sort_order: 2, adjusters: { price: { adjuster: 'percentage', adjuster_value: 10 } } },
    ],
  })
  return { shop, v2: speak(shop) }
}

export const stockUp = (shop: Shop, ...items: object[]) =>
  shop.call('PUT', '/inventory/adjustments/absolute', { items: items.map((item) => ({ location_id: 1, ...item })) })
export const onHand = async (shop: Shop) =>
  (await rowsOf(shop, 'stock')).map((row) => [row.product_id, row.variant_id, row.location_id, row.on_hand])

/** What was told of orders, without what they begin with. */
export const told = async (shop: Shop, after = 0) =>
  (await rowsOf(shop, 'events'))
    .slice(after)
    .filter(({ scope }) => /\/(order|shipment)\//.test(String(scope)) && !/inventory/.test(String(scope)))
    .map(({ scope, data }) => [scope, JSON.parse(String(data))])

/** The body of T1 of docs/contract/orders.md section 3. */
export const t1 = {
  ...goods(
    { product_id: 1, quantity: 2, price_ex_tax: 12.5, price_inc_tax: 13.5 },
    custom(30, 32.4, 1, {
      wrapping_id: 3,
      wrapping_name: 'Paper',
      wrapping_cost_ex_tax: 3,
      wrapping_cost_inc_tax: '3.24',
    }),
  ),
  discount_amount: '5.5000',
  shipping_cost_ex_tax: 10,
  shipping_cost_inc_tax: 10.8,
  handling_cost_ex_tax: 2,
  handling_cost_inc_tax: 2.16,
  fees: [{ display_name_customer: 'Gift box', cost_ex_tax: 4, cost_tax: 0.32 }],
}
