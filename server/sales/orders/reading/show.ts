import type { Static, TObject } from 'typebox'
import type { JsonPiece, Template } from '../../../core/db/database.ts'
import { amountOf, textOf, type Units, unitsOf } from '../../../core/money/units.ts'
import { commaSeparated, type JsonPieces } from '../../../core/rest/answer.ts'
import { mailDate, moneyText } from '../../../core/rest/v2.ts'
import { statusName } from '../arithmetic/order-status.ts'
import {
  type FeeRow,
  LineRow,
  lines,
  type OrderAddressRow,
  OrderRow,
  orders,
  type PickupRow,
  type TaxRow,
} from '../row/rows.ts'
import type { AddressV2, FeeV2, Resource, TaxV2 } from './shapes-v2.ts'

// Converts rows to the shapes of shapes-v2.ts. Long lists of orders and lines are written as JSON by templates, without objects. The other
// sub-resources are few and become objects first.

/** Makes links to sub-resources of orders. */
export interface Links {
  /** The part of the address before the path. */
  base: string
  (path: string): Resource
}

/** @param publicUrl of the server */
export function linksTo(publicUrl: string, hash: string): Links {
  const base = `${publicUrl}/stores/${hash}/v2`
  return Object.assign((path: string): Resource => ({ url: base + path, resource: path }), { base })
}

const money = (amount: number): string => amount.toFixed(4)
/** The tax in a pair of costs. */
const taxIn = (ex: number, inc: number): Units => unitsOf(inc) - unitsOf(ex)
const taxText = (ex: number, inc: number): string => textOf(taxIn(ex, inc))

/** An amount as JSON. */
const quoted = (units: number | Units): string => `"${textOf(units)}"`

/** The difference of two columns as money. */
const taxOf = (ex: string, inc: string): JsonPiece[] => [{ columns: [ex, inc], json: (ex, inc) => quoted(inc - ex) }]

/**
 * The fields of a row that answers have under the same name: amounts as texts, documents without blanks.
 * @param others columns that answers omit or have in another form
 */
function plainFields({ properties }: TObject, others: readonly string[]): Record<string, JsonPiece[]> {
  const columns = Object.entries(properties).filter(([column]) => !others.includes(column))
  return Object.fromEntries(
    columns.map(([column, schema]) => {
      if ('isAmount' in schema) return [column, [moneyText(column)]]
      const isDocument = 'type' in schema && (schema.type === 'array' || schema.type === 'object')
      return [column, [{ column, as: isDocument ? 'compact' : 'value' }]]
    }),
  )
}

/** The column of the order template with the base of its links. */
const LINK_BASE = 'link_base'
const id: JsonPiece = { column: 'id', as: 'value' }
const base: JsonPiece = { column: LINK_BASE, as: 'within text' }
const link = (part: string): JsonPiece[] => [
  '{"url":"',
  base,
  '/orders/',
  id,
  `/${part}","resource":"/orders/`,
  id,
  `/${part}"}`,
]

/** An order without `consignments` and `fees`, which are links or, if the request includes them, the sub-resources. */
export const orderTemplate: Template = {
  columns: [...orders.columns, LINK_BASE],
  fields: {
    ...plainFields(OrderRow, ['date_created', 'date_modified', 'date_shipped', 'currency_decimals', 'email']),
    date_created: [mailDate('date_created')],
    date_modified: [mailDate('date_modified')],
    date_shipped: [mailDate('date_shipped')],
    status: [{ columns: ['status_id'], json: (status) => JSON.stringify(statusName(status)) }],
    subtotal_tax: taxOf('subtotal_ex_tax', 'subtotal_inc_tax'),
    shipping_cost_tax: taxOf('shipping_cost_ex_tax', 'shipping_cost_inc_tax'),
    handling_cost_tax: taxOf('handling_cost_ex_tax', 'handling_cost_inc_tax'),
    wrapping_cost_tax: taxOf('wrapping_cost_ex_tax', 'wrapping_cost_inc_tax'),
    total_tax: taxOf('total_ex_tax', 'total_inc_tax'),
    store_default_currency_code: [{ column: 'default_currency_code', as: 'value' }],
    store_default_to_transactional_exchange_rate: [{ column: 'currency_exchange_rate', as: 'value' }],
    products: link('products'),
    shipping_addresses: link('shipping_addresses'),
    coupons: link('coupons'),
  },
}
/** An order whose sub-resources are all links. */
export const linkedOrderTemplate: Template = {
  ...orderTemplate,
  fields: { ...orderTemplate.fields, consignments: link('consignments'), fees: link('fees') },
}

/** A price multiplied by the quantity, as money. */
const timesQuantity = (price: string): JsonPiece[] => [
  { columns: [price, 'quantity'], json: (price, quantity) => quoted(multiplied(price, quantity)) },
]
/** A price multiplied by a quantity, plus another amount. Exact beyond the safe integers of JavaScript too. */
function multiplied(price: number, quantity: number, other = 0): number | Units {
  const all = price * quantity
  const sum = all + other
  return Number.isSafeInteger(all) && Number.isSafeInteger(sum) ? sum : BigInt(price) * BigInt(quantity) + BigInt(other)
}

/** The column of the line template that is 1 if the prices of its order include tax. */
const IS_INCLUSIVE = 'is_inclusive'
const costPrice = [moneyText('cost_price')]

/** Totals that only lines with rates have. The statement has UNRATED for those of other lines. */
export const RATED_TOTALS: ReadonlySet<string> = new Set(['total_ex_tax', 'total_inc_tax', 'discounted_ex_tax'])
export const UNRATED = -1

/** The columns of the line template that are stored. */
export const LINE_COLUMNS = lines.columns.filter((column) => column !== 'taxed_by')

/** A stored total of a line, or the price multiplied by the quantity. */
const totalOf = (total: string, price: string): JsonPiece[] => [
  {
    columns: [total, price, 'quantity'],
    json: (total, price, quantity) => quoted(total < 0 ? multiplied(price, quantity) : total),
  },
]

export const lineTemplate: Template = {
  columns: [...LINE_COLUMNS, IS_INCLUSIVE],
  fields: {
    ...plainFields(LineRow, [
      'discount',
      'discounted_tax',
      'cost_price',
      'taxed_by',
      'applied_discounts',
      'gift_certificate_id',
      'recipient_email',
      ...RATED_TOTALS,
    ]),
    price_tax: taxOf('price_ex_tax', 'price_inc_tax'),
    base_total: timesQuantity('base_price'),
    total_ex_tax: totalOf('total_ex_tax', 'price_ex_tax'),
    total_inc_tax: totalOf('total_inc_tax', 'price_inc_tax'),
    total_tax: [
      {
        columns: ['total_ex_tax', 'total_inc_tax', 'price_ex_tax', 'price_inc_tax', 'quantity'],
        json: (...[totalEx = 0, totalInc = 0, ex = 0, inc = 0, quantity = 0]) =>
          quoted(totalEx < 0 ? multiplied(inc - ex, quantity) : totalInc - totalEx),
      },
    ],
    base_cost_price: costPrice,
    cost_price_inc_tax: costPrice,
    cost_price_ex_tax: costPrice,
    cost_price_tax: ['"0.0000"'],
    is_refunded: [
      { columns: ['quantity', 'quantity_refunded'], json: (quantity, refunded) => String(quantity === refunded) },
    ],
    return_id: ['0'],
    base_wrapping_cost: [moneyText('wrapping_cost_ex_tax')],
    wrapping_cost_tax: taxOf('wrapping_cost_ex_tax', 'wrapping_cost_inc_tax'),
    event_name: ['null'],
    event_date: ['null'],
    ebay_item_id: ['""'],
    ebay_transaction_id: ['""'],
    option_set_id: ['null'],
    parent_order_product_id: ['null'],
    is_bundled_product: ['false'],
    external_id: ['null'],
    applied_discounts: [{ column: 'applied_discounts', as: 'compact' }],
    configurable_fields: ['[]'],
    gift_certificate_id: [{ column: 'gift_certificate_id', as: 'value' }],
    discounted_total_inc_tax: [
      {
        columns: [
          'discounted_ex_tax',
          'discounted_tax',
          'price_ex_tax',
          'price_inc_tax',
          'quantity',
          'discount',
          IS_INCLUSIVE,
        ],
        json: (...[left = 0, tax = 0, ex = 0, inc = 0, quantity = 0, discount = 0, isInclusive = 0]) => {
          if (left >= 0) return quoted(left + tax)
          return quoted(isInclusive ? multiplied(inc, quantity, -discount) : multiplied(ex, quantity, tax - discount))
        },
      },
    ],
  },
}

/** The columns that consignments need to find and count their lines. */
export type CountedLine = Pick<
  LineRow,
  'id' | 'order_id' | 'order_address_id' | 'order_pickup_method_id' | 'quantity' | 'quantity_shipped'
>

/** The units of lines, and how many of them were shipped. */
const countsOf = (lines: readonly CountedLine[]) => ({
  items_total: lines.reduce((sum, { quantity }) => sum + quantity, 0),
  items_shipped: lines.reduce((sum, { quantity_shipped }) => sum + quantity_shipped, 0),
})

/** @param lines of the order */
export function addressV2(
  { shipping_quote: _, ...address }: OrderAddressRow,
  lines: readonly CountedLine[],
  links: Links,
): Static<typeof AddressV2> {
  return {
    ...address,
    ...countsOf(lines.filter(({ order_address_id }) => order_address_id === address.id)),
    base_cost: money(address.base_cost),
    cost_ex_tax: money(address.cost_ex_tax),
    cost_inc_tax: money(address.cost_inc_tax),
    cost_tax: taxText(address.cost_ex_tax, address.cost_inc_tax),
    base_handling_cost: money(address.base_handling_cost),
    handling_cost_ex_tax: money(address.handling_cost_ex_tax),
    handling_cost_inc_tax: money(address.handling_cost_inc_tax),
    handling_cost_tax: taxText(address.handling_cost_ex_tax, address.handling_cost_inc_tax),
    shipping_quotes: links(`/orders/${address.order_id}/shipping_addresses/${address.id}/shipping_quotes`),
  }
}

export const feeV2 = ({ order_id: _, ...fee }: FeeRow): Static<typeof FeeV2> => ({
  ...fee,
  base_cost: money(fee.cost_ex_tax),
  cost_ex_tax: money(fee.cost_ex_tax),
  cost_inc_tax: money(fee.cost_inc_tax),
  cost_tax: taxText(fee.cost_ex_tax, fee.cost_inc_tax),
})

/** @param isDetailed whether the answer has the fields of the taxed item */
export function taxV2(tax: TaxRow, isDetailed: boolean): Static<typeof TaxV2> {
  const { order_product_id, line_item_type, ...plain } = tax
  return {
    ...plain,
    rate: money(tax.rate),
    priority_amount: money(tax.priority_amount),
    line_amount: money(tax.line_amount),
    ...(isDetailed ? { order_product_id: String(order_product_id), line_item_type, sales_tax_id: '' } : {}),
  }
}

/** A line in a consignment. */
export interface ConsignmentLine extends CountedLine {
  /** The line, or a link to it. */
  json: JsonPieces
}

/** The data of an order's consignments. */
export interface ConsignmentParts {
  lines: readonly ConsignmentLine[]
  addresses: readonly OrderAddressRow[]
  pickups: readonly PickupRow[]
  /** The e-mail address for downloads. */
  email: string
  /** The e-mail addresses that gift certificates are sent to, by line. */
  recipients: ReadonlyMap<number, string>
}

/** The consignments of an order. */
export function consignmentsV2(parts: ConsignmentParts, links: Links): JsonPieces {
  const itemsOfLines = (lines: readonly ConsignmentLine[]): JsonPieces => [
    '"line_items":[',
    ...commaSeparated(lines.map(({ json }) => json)),
    ']',
  ]
  const pickups = parts.pickups.map(({ order_id: _, ...pickup }) => {
    const lines = parts.lines.filter(({ order_pickup_method_id }) => order_pickup_method_id === pickup.id)
    return [`{${membersOf(pickup)},`, ...itemsOfLines(lines), '}']
  })
  const shipping = parts.addresses.map(({ order_id, shipping_quote: _, ...address }) => {
    const lines = parts.lines.filter(({ order_address_id }) => order_address_id === address.id)
    const fields = {
      ...address,
      ...countsOf(lines),
      cost_tax: amountOf(taxIn(address.cost_ex_tax, address.cost_inc_tax)),
      handling_cost_tax: amountOf(taxIn(address.handling_cost_ex_tax, address.handling_cost_inc_tax)),
    }
    const quotes = links(`/orders/${order_id}/consignments/shipping/${address.id}/shipping_quotes`)
    return [`{${membersOf(fields)},`, ...itemsOfLines(lines), `,${membersOf({ shipping_quotes: quotes })}}`]
  })
  const digital = parts.lines.filter((line) => isUnplaced(line) && !parts.recipients.has(line.id))
  const downloads =
    digital.length === 0 ? [] : [`{${membersOf({ recipient_email: parts.email })},`, ...itemsOfLines(digital), '}']
  const byMail = parts.lines
    .filter(({ id }) => parts.recipients.has(id))
    .map((line) => [`{${membersOf({ recipient_email: parts.recipients.get(line.id) })},`, ...itemsOfLines([line]), '}'])
  return [
    '{"pickups":[',
    ...commaSeparated(pickups),
    '],"shipping":[',
    ...commaSeparated(shipping),
    '],"downloads":[',
    ...downloads,
    '],"email":{"gift_certificates":[',
    ...commaSeparated(byMail),
    ']}}',
  ]
}

/** Whether a line is neither shipped nor picked up: a download or a gift certificate. */
export const isUnplaced = ({ order_address_id, order_pickup_method_id }: CountedLine): boolean =>
  order_address_id === 0 && order_pickup_method_id === 0

/** The JSON of an object, without the braces. */
const membersOf = (object: object): string => JSON.stringify(object).slice(1, -1)
