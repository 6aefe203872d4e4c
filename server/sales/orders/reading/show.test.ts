import type { Static } from 'typebox'
import { expect, test } from 'vitest'
import { sql } from '../../../core/db/sql.ts'
import { textOf, type Units, unitsOf } from '../../../core/money/units.ts'
import { custom, goods, openWithGoods } from '../../../test/fixtures/goods.ts'
import { dbOf } from '../../../test/fixtures/webhooks.ts'
import { statusName } from '../arithmetic/order-status.ts'
import { discountedOf } from '../calculation/bill.ts'
import { type LineRow, lines, type OrderRow, orders } from '../row/rows.ts'
import type { LineV2, OrderV2 } from './shapes-v2.ts'
import { linksTo } from './show.ts'

// The bytes of orders and lines, beside objects that are made from the same rows field by field.

const money = (amount: number) => textOf(unitsOf(amount))
const tax = (ex: number, inc: number) => textOf(unitsOf(inc) - unitsOf(ex))
const date = (moment: string) => new Date(moment).toUTCString().replace('GMT', '+0000')

const AMOUNTS = [
  0, 0.0001, -0.0001, 12.5, -12.5, 10.1234, -3.3, 99_999_999_999, 99_999_999_999.9999, -99_999_999_999.9999,
]
const DATES = ['2024-02-29T23:59:59Z', '1970-01-01T00:00:00Z', '0999-12-31T12:00:00Z', '9999-01-01T00:00:01Z', null]
const TEXTS = ['', 'Smørrebrød "fresh"', 'tab\t, bell \u0007, \\ and /', '\u2028 \u{1f9c1}', '{"a": 1}']
const QUANTITIES = [1, 0, 3, 2_147_483_647, 7]
const FORM_FIELDS = [
  [],
  [{ name: 'a, b: "c"', value: 'x: y, "z" \\' }],
  [{ name: 'n', value: [1, -2.5, 1e21, 1e-7, 123456789012, 'é'] }],
]

test('orders and lines are written as the objects of their rows would be', async () => {
  const { shop, v2 } = await openWithGoods()
  const shirt = { product_id: 2, variant_id: 3, quantity: 1, product_options: [{ id: 1, value: '2' }] }
  for (let i = 0; i < 10; i++) expect((await v2('POST', '/orders', goods(custom(10, 12), shirt))).status).toBe(200)
  const db = await dbOf(shop)
  /** Some lines were taxed by rates; the totals of the others follow from their prices. */
  const rated = (id: number, more: number) => (id % 4 === 1 ? Math.abs(pick(AMOUNTS, id + more) ?? 0) : null)
  const pick = <Item>(items: readonly Item[], at: number): Item | undefined => items[at % items.length]
  const made = await db.transaction(async (tx) => {
    for (const { id } of await tx.rows<{ id: number }>(sql`select id from orders where store_id = ${db.store.id}`)) {
      const [ex, inc] = [pick(AMOUNTS, id), pick(AMOUNTS, id * 7 + 1)]
      const [text, formFields] = [pick(TEXTS, id), JSON.stringify(pick(FORM_FIELDS, id))]
      await tx.rows(sql`
        update orders set total_ex_tax = ${ex}, total_inc_tax = ${inc}, discount_amount = ${ex}, refunded_amount = ${inc}::numeric(15, 4),
          date_shipped = ${pick(DATES, id)}, date_created = ${pick(DATES.slice(0, 4), id)}, staff_notes = ${text}, cart_id = ${text},
          status_id = ${id % 15}, is_tax_inclusive_pricing = ${id % 2 === 0},
          billing_address = jsonb_set(billing_address, '{form_fields}', ${formFields}::jsonb)
        where store_id = ${db.store.id} and id = ${id}`)
      await tx.rows(sql`
        update order_products set price_ex_tax = ${ex}, price_inc_tax = ${inc}, base_price = ${inc}, cost_price = ${ex},
          discount = ${pick(AMOUNTS, id * 3)}, discounted_tax = ${pick(AMOUNTS, id + 2)}, quantity = ${pick(QUANTITIES, id)},
          total_ex_tax = ${rated(id, 0)}, total_inc_tax = ${rated(id, 1)}, discounted_ex_tax = ${rated(id, 3)},
          quantity_refunded = 1, weight = ${inc}, wrapping_name = ${id % 3 === 0 ? text : null}, name = ${text}
        where store_id = ${db.store.id} and order_id = ${id}`)
    }
    return {
      orders: await tx.rows<OrderRow>(sql`
        select ${sql.join(orders.columns.map(sql.id))} from orders where store_id = ${db.store.id} order by id`),
      lines: await tx.rows<LineRow>(sql`
        select ${sql.join(lines.columns.map(sql.id))} from order_products where store_id = ${db.store.id} order by id`),
    }
  })
  expect(made.lines.filter(({ product_options }) => product_options.length > 0)).toHaveLength(10)
  const links = linksTo('http://shop.test', shop.store.hash)
  const linesOf = (order: OrderRow) => made.lines.filter(({ order_id }) => order_id === order.id)

  const wanted = made.orders.map((order) => JSON.stringify(orderObject(order, links)))
  expect((await v2('GET', '/orders?limit=50')).text).toBe(`[${wanted}]`)
  expect((await v2('GET', '/orders?limit=50&sort=id:desc&include=fees')).text).toBe(
    `[${wanted.toReversed().map((json) => json.replace(/"fees":\{[^}]*\}/, '"fees":[]'))}]`,
  )
  for (const order of made.orders) {
    const wantedLines = linesOf(order).map((line) => JSON.stringify(lineObject(line, order.is_tax_inclusive_pricing)))
    expect((await v2('GET', `/orders/${order.id}`)).text).toBe(JSON.stringify(orderObject(order, links)))
    expect((await v2('GET', `/orders/${order.id}/products`)).text).toBe(`[${wantedLines}]`)
    const inPlace = await v2('GET', `/orders/${order.id}?include=consignments.line_items`)
    expect(inPlace.text).toContain(`"line_items":[${wantedLines}]`)
    expect((await v2('GET', '/orders?limit=50&include=consignments.line_items')).text).toContain(inPlace.text)
  }
})

function orderObject(order: OrderRow, links: ReturnType<typeof linksTo>): OrderV2 {
  const { date_created, date_modified, date_shipped, currency_decimals: _, email: __, ...plain } = order
  const part = (name: string) => links(`/orders/${order.id}/${name}`)
  return {
    ...plain,
    date_created: date(date_created),
    date_modified: date(date_modified),
    date_shipped: date_shipped === null ? '' : date(date_shipped),
    status: statusName(order.status_id),
    subtotal_ex_tax: money(order.subtotal_ex_tax),
    subtotal_inc_tax: money(order.subtotal_inc_tax),
    subtotal_tax: tax(order.subtotal_ex_tax, order.subtotal_inc_tax),
    base_shipping_cost: money(order.base_shipping_cost),
    shipping_cost_ex_tax: money(order.shipping_cost_ex_tax),
    shipping_cost_inc_tax: money(order.shipping_cost_inc_tax),
    shipping_cost_tax: tax(order.shipping_cost_ex_tax, order.shipping_cost_inc_tax),
    base_handling_cost: money(order.base_handling_cost),
    handling_cost_ex_tax: money(order.handling_cost_ex_tax),
    handling_cost_inc_tax: money(order.handling_cost_inc_tax),
    handling_cost_tax: tax(order.handling_cost_ex_tax, order.handling_cost_inc_tax),
    base_wrapping_cost: money(order.base_wrapping_cost),
    wrapping_cost_ex_tax: money(order.wrapping_cost_ex_tax),
    wrapping_cost_inc_tax: money(order.wrapping_cost_inc_tax),
    wrapping_cost_tax: tax(order.wrapping_cost_ex_tax, order.wrapping_cost_inc_tax),
    total_ex_tax: money(order.total_ex_tax),
    total_inc_tax: money(order.total_inc_tax),
    total_tax: tax(order.total_ex_tax, order.total_inc_tax),
    refunded_amount: money(order.refunded_amount),
    store_credit_amount: money(order.store_credit_amount),
    gift_certificate_amount: money(order.gift_certificate_amount),
    store_default_currency_code: order.default_currency_code,
    store_default_to_transactional_exchange_rate: order.currency_exchange_rate,
    discount_amount: money(order.discount_amount),
    coupon_discount: money(order.coupon_discount),
    products: part('products'),
    shipping_addresses: part('shipping_addresses'),
    coupons: part('coupons'),
    consignments: part('consignments'),
    fees: part('fees'),
  }
}

function lineObject(line: LineRow, isInclusive: boolean): Static<typeof LineV2> {
  const { discount, discounted_tax: _, discounted_ex_tax: _left, taxed_by: _rates, cost_price, ...others } = line
  const { applied_discounts: _applied, gift_certificate_id, recipient_email: _recipient, ...row } = others
  const { total_ex_tax, total_inc_tax, ...plain } = row
  const times = (price: number): Units => unitsOf(price) * BigInt(line.quantity)
  const totalEx = total_ex_tax === null ? times(line.price_ex_tax) : unitsOf(total_ex_tax)
  const totalInc = total_inc_tax === null ? times(line.price_inc_tax) : unitsOf(total_inc_tax)
  return {
    ...plain,
    base_price: money(line.base_price),
    price_ex_tax: money(line.price_ex_tax),
    price_inc_tax: money(line.price_inc_tax),
    price_tax: tax(line.price_ex_tax, line.price_inc_tax),
    base_total: textOf(times(line.base_price)),
    total_ex_tax: textOf(totalEx),
    total_inc_tax: textOf(totalInc),
    total_tax: textOf(totalInc - totalEx),
    base_cost_price: money(cost_price),
    cost_price_inc_tax: money(cost_price),
    cost_price_ex_tax: money(cost_price),
    cost_price_tax: money(0),
    weight: money(line.weight),
    width: money(line.width),
    height: money(line.height),
    depth: money(line.depth),
    is_refunded: line.quantity_refunded === line.quantity,
    refund_amount: money(line.refund_amount),
    return_id: 0,
    base_wrapping_cost: money(line.wrapping_cost_ex_tax),
    wrapping_cost_ex_tax: money(line.wrapping_cost_ex_tax),
    wrapping_cost_inc_tax: money(line.wrapping_cost_inc_tax),
    wrapping_cost_tax: tax(line.wrapping_cost_ex_tax, line.wrapping_cost_inc_tax),
    event_name: null,
    event_date: null,
    fixed_shipping_cost: money(line.fixed_shipping_cost),
    ebay_item_id: '',
    ebay_transaction_id: '',
    option_set_id: null,
    parent_order_product_id: null,
    is_bundled_product: false,
    external_id: null,
    applied_discounts:
      discount === 0
        ? []
        : [{ id: 'manual-discount', code: null, name: 'Manual Discount', amount: money(discount), target: 'order' }],
    product_options: line.product_options.map((option) => ({ ...option, order_product_id: line.id })),
    configurable_fields: [],
    gift_certificate_id,
    discounted_total_inc_tax: textOf(discountedOf(line, isInclusive).inc),
  }
}
