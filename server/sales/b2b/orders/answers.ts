import t, { type Static } from 'typebox'
import type { Db } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { amountOf, ratio, roundTo, unitsOf } from '../../../core/money/units.ts'
import { Id, nullable } from '../../../core/rest/input/fields.ts'
import { findWhere } from '../../../core/rest/lists/verbs.ts'
import { ChannelId, channelsById } from '../../../shop/channels/channels.ts'
import { type Currency, currencies } from '../../../shop/channels/currencies/shape.ts'
import { statusName } from '../../orders/arithmetic/order-status.ts'
import { LineOption, lines, type OrderRow, orders } from '../../orders/row/rows.ts'
import { rowsOfOrders } from '../../orders/row/sub-resources.ts'
import { payingIn } from '../../pricing/gather.ts'
import { epochSeconds } from '../companies/company.ts'
import { extraFieldsIn } from '../extra-fields/definitions.ts'
import { ExtraFieldValues, extraValuesToAnswer } from '../extra-fields/values.ts'
import type { CompanyOrderRow } from './company-order.ts'

// Orders in answers (docs/contract/b2b-orders.md section 2).

const NoNumber = nullable(t.Integer({ description: 'Always null' }))
const NoText = nullable(t.String({ description: 'Always null' }))
const AMOUNT_FORMAT = t.Object(
  {
    currencyLocation: t.String(),
    currencyToken: t.String(),
    decimalToken: t.String(),
    decimalPlaces: t.Integer(),
    thousandsToken: t.String(),
  },
  { title: 'OrderMoney' },
)
const fields = {
  id: Id,
  bcOrderId: Id,
  totalIncTax: t.Number(),
  poNumber: t.String(),
  status: t.String(),
  customStatus: t.String(),
  statusCode: t.Integer(),
  cartId: nullable(t.String()),
  items: t.Integer({ description: 'The units of all lines' }),
  usdIncTax: nullable(t.Number()),
  companyId: nullable(Id),
  currencyCode: t.String(),
  money: t.Array(AMOUNT_FORMAT),
  isArchived: t.Boolean(),
  channelId: ChannelId,
  channelName: t.String(),
  extraInt1: NoNumber,
  extraInt2: NoNumber,
  extraInt3: NoNumber,
  extraInt4: NoNumber,
  extraInt5: NoNumber,
  extraStr1: NoText,
  extraStr2: NoText,
  extraStr3: NoText,
  extraStr4: NoText,
  extraStr5: NoText,
  extraText: NoText,
  extraInfo: t.Array(t.Null(), { maxItems: 0 }),
  createdAt: t.Integer({ description: 'Unix seconds' }),
  updatedAt: t.Integer({ description: 'Unix seconds' }),
}
export const ListedCompanyOrder = t.Object(
  { ...fields, extraFields: t.Optional(ExtraFieldValues) },
  { title: 'ListedCompanyOrder' },
)
export const CompanyOrder = t.Object(
  {
    ...fields,
    extraFields: ExtraFieldValues,
    isInvoiceOrder: t.Integer({ description: '1 with an invoice' }),
    invoiceId: nullable(Id),
    invoiceNumber: nullable(t.String()),
    invoiceStatus: nullable(t.Integer()),
  },
  { title: 'CompanyOrder' },
)

const NONE = {
  extraInt1: null,
  extraInt2: null,
  extraInt3: null,
  extraInt4: null,
  extraInt5: null,
  extraStr1: null,
  extraStr2: null,
  extraStr3: null,
  extraStr4: null,
  extraStr5: null,
  extraText: null,
}

/** Orders of a list, in the same order. */
export async function companyOrdersToAnswer(
  db: Db,
  records: readonly CompanyOrderRow[],
  { withExtraFields }: { withExtraFields: boolean },
): Promise<Static<typeof ListedCompanyOrder>[]> {
  const ids = records.map(({ order_id }) => order_id)
  const { rows, channels, known, definitions } = await db.together(() => ({
    rows: findWhere(db, orders, sql`id = any(${ids})`),
    channels: channelsById(
      db,
      records.map(({ channel_id }) => channel_id),
    ),
    known: findWhere(db, currencies, sql.raw('true')),
    definitions: withExtraFields ? extraFieldsIn(db, 'order', records) : [],
  }))
  const found = new Map(rows.map((row) => [row.id, row]))
  const formats = new Map(known.map((one) => [one.currency_code, one]))
  const dollar = formats.get('USD')
  return records.flatMap((record) => {
    const order = found.get(record.order_id)
    if (!order) return []
    return {
      id: record.id,
      bcOrderId: record.order_id,
      totalIncTax: order.total_inc_tax,
      poNumber: record.po_number,
      status: statusName(order.status_id),
      customStatus: statusName(order.status_id),
      statusCode: order.status_id,
      cartId: order.cart_id,
      items: order.items_total,
      usdIncTax: dollar ? inDollars(order, dollar) : null,
      companyId: record.company_id === 0 ? null : record.company_id,
      currencyCode: order.currency_code,
      money: moneyOfOrder(formats.get(order.currency_code)),
      isArchived: order.is_deleted,
      channelId: order.channel_id,
      channelName: channels.get(order.channel_id)?.name ?? '',
      ...NONE,
      extraInfo: [],
      createdAt: epochSeconds(record.created_at),
      updatedAt: epochSeconds(record.updated_at),
      ...(withExtraFields ? { extraFields: extraValuesToAnswer(definitions, record.extra_values) } : {}),
    }
  })
}

const moneyOfOrder = (currency: Currency | undefined) =>
  currency === undefined
    ? []
    : [
        {
          currencyLocation: currency.token_location,
          currencyToken: currency.token,
          decimalToken: currency.decimal_token,
          decimalPlaces: currency.decimal_places,
          thousandsToken: currency.thousands_token,
        },
      ]

/** The total of an order in US dollars, by the rate of the order and the current one of the dollar. */
function inDollars(order: OrderRow, dollar: Currency): number {
  if (order.currency_code === dollar.currency_code) return order.total_inc_tax
  const own = payingIn({ ...dollar, currency_exchange_rate: order.currency_exchange_rate })
  const other = payingIn(dollar)
  return amountOf(roundTo(ratio(unitsOf(order.total_inc_tax), other.rate * own.one, own.rate * other.one), 2))
}

/** One order with its invoice. */
export async function companyOrderToAnswer(db: Db, record: CompanyOrderRow) {
  const [order] = await companyOrdersToAnswer(db, [record], { withExtraFields: true })
  const invoice = await db.maybeRow<{ id: number; invoice_number: string; status: number }>(sql`
    select id, invoice_number, status from b2b_invoices
    where store_id = ${db.store.id} and order_id = ${record.order_id} and order_id <> 0`)
  return {
    ...order,
    isInvoiceOrder: invoice ? 1 : 0,
    invoiceId: invoice?.id ?? null,
    invoiceNumber: invoice?.invoice_number ?? null,
    invoiceStatus: invoice?.status ?? null,
  }
}

export const CompanyOrderProduct = t.Object(
  {
    id: Id,
    productId: t.Integer(),
    variantId: t.Integer(),
    productName: t.String(),
    variantSku: t.String(),
    productBrandName: t.String(),
    quantity: t.Integer(),
    options: t.Array(t.Object(LineOption.properties, { title: 'CompanyOrderOption' })),
    createdAt: t.Integer({ description: 'Unix seconds' }),
    updatedAt: t.Integer({ description: 'Unix seconds' }),
  },
  { title: 'CompanyOrderProduct' },
)

/** The lines of an order. */
export async function orderProductsToAnswer(
  db: Db,
  record: CompanyOrderRow,
): Promise<Static<typeof CompanyOrderProduct>[]> {
  const rows = await rowsOfOrders(db, lines, [record.order_id])
  return rows.map((line) => ({
    id: line.id,
    productId: line.product_id,
    variantId: line.variant_id,
    productName: line.name,
    variantSku: line.sku,
    productBrandName: line.brand,
    quantity: line.quantity,
    options: line.product_options,
    createdAt: epochSeconds(record.created_at),
    updatedAt: epochSeconds(record.updated_at),
  }))
}
