import { type Sql, sql } from '../../../../../../core/db/sql.ts'
import { GraphRefusal } from '../../../../../../core/graphql/refusal.ts'
import { amountOf, sumOf, unitsOf } from '../../../../../../core/money/units.ts'
import { toSeconds } from '../../../../../../core/rest/input/dates.ts'
import { findWhere } from '../../../../../../core/rest/lists/verbs.ts'
import { findStatus, INCOMPLETE } from '../../../../../../sales/orders/arithmetic/order-status.ts'
import { type OrderRow, orders } from '../../../../../../sales/orders/row/rows.ts'
import type { Currency } from '../../../../../../shop/channels/currencies/shape.ts'
import type { StorefrontCaller } from '../../../../caller.ts'
import type { SchemaEnums } from '../../../schema-types.ts'
import type { Fields } from '../../../types.ts'
import { connectionOf, keyedConnection, type PageArgs, planPage } from '../../connections.ts'
import { globalId } from '../../global-ids.ts'
import { metafieldConnection, uuidMetafieldConnection } from '../../metafields.ts'
import { moneyToAnswer } from '../../money/money.ts'
import { currenciesFor } from '../../shop.ts'
import { postalAddressOf } from './consignments.ts'
import { couponLoad, feeLoad, taxLoad } from './parts.ts'
import { paymentsOf } from './payments.ts'
import { recordLoad } from './records.ts'
import { displayAmount, type OrderView } from './view.ts'

// Orders of shoppers (docs/contract/storefront-purchases.md section 10). Incomplete and archived ones are not shown.

/** The statuses by their ids. */
export const STATUSES: readonly SchemaEnums['OrderStatusValue'][] = [
  'INCOMPLETE',
  'PENDING',
  'SHIPPED',
  'PARTIALLY_SHIPPED',
  'REFUNDED',
  'CANCELLED',
  'DECLINED',
  'AWAITING_PAYMENT',
  'AWAITING_PICKUP',
  'AWAITING_SHIPMENT',
  'COMPLETED',
  'AWAITING_FULFILLMENT',
  'MANUAL_VERIFICATION_REQUIRED',
  'DISPUTED',
  'PARTIALLY_REFUNDED',
]

/** The condition that shoppers see a row of `orders`. */
export const isShown = sql`not orders.is_deleted and orders.status_id <> ${INCOMPLETE}`

export async function toView(caller: StorefrontCaller, order: OrderRow): Promise<OrderView> {
  const { all } = await currenciesFor(caller)
  // The currency may have been deleted since; its amounts keep their decimals.
  const known = all.find(({ currency_code }) => currency_code === order.currency_code) ?? all[0]
  if (!known) throw new Error('The store has no currency.')
  const currency: Currency = { ...known, currency_code: order.currency_code, decimal_places: order.currency_decimals }
  return { order, money: (amount) => moneyToAnswer(currency, amount) }
}

interface OrderFilters {
  status?: SchemaEnums['OrderStatusValue'] | null
  dateRange?: { from: string; to?: string | null } | null
}

/** One page of the orders of a customer, the newest first. */
export async function orderConnection(
  caller: StorefrontCaller,
  customer: number,
  { filters, ...args }: PageArgs & { filters?: OrderFilters | null },
) {
  const plan = planPage(args, { columns: ['id'], isFalling: true })
  const conditions: Sql[] = [sql`customer_id = ${customer}`, isShown, plan.where]
  if (filters?.status != null) conditions.push(sql`status_id = ${STATUSES.indexOf(filters.status)}`)
  if (filters?.dateRange) {
    const { from, to } = filters.dateRange
    conditions.push(sql`date_created >= ${momentOf(from)}`)
    if (to != null) conditions.push(sql`date_created <= ${momentOf(to)}`)
  }
  const rows = await findWhere(caller.storefront.db, orders, sql.join(conditions, ' and '), plan.tail)
  const views = await Promise.all(rows.map((row) => toView(caller, row)))
  return {
    ...keyedConnection(plan, views, { keyOf: ({ order }) => [order.id], nodeOf: (view) => view }),
    // Public clients expect no total here.
    collectionInfo: null,
  }
}

/** @throws GraphRefusal */
export function momentOf(text: string): string {
  const at = new Date(text)
  if (Number.isNaN(at.getTime())) throw new GraphRefusal(`${text} is no date.`, 'BAD_USER_INPUT')
  return toSeconds(at)
}

/** An order of the customer of the request; with the id of its cart one of a guest. Null for any other. */
export async function findShopperOrder(
  caller: StorefrontCaller,
  filter: { entityId: number; cartEntityId?: string | null } | null | undefined,
): Promise<OrderView | null> {
  if (!filter || filter.entityId < 1) return null
  const { entityId, cartEntityId } = filter
  const owner =
    cartEntityId != null
      ? sql`customer_id = 0 and cart_id = ${cartEntityId.replaceAll('\0', '').toLowerCase()}`
      : sql`customer_id = ${caller.customer?.id ?? -1}`
  const { db } = caller.storefront
  const [found] = await findWhere(db, orders, sql`id = ${entityId} and ${owner} and ${isShown}`)
  return found ? toView(caller, found) : null
}

/** The newest order of a checkout, which may be incomplete; null before there is one. */
export async function orderOfCheckout(caller: StorefrontCaller, id: number): Promise<OrderView | null> {
  if (id === 0) return null
  const [found] = await findWhere(caller.storefront.db, orders, sql`id = ${id} and not is_deleted`)
  return found ? toView(caller, found) : null
}

const inUtc = (moment: string) => ({ utc: new Date(moment).toISOString() })

const orderFields = {
  entityId: ({ order }: OrderView) => order.id,
  orderedAt: ({ order }: OrderView) => inUtc(order.date_created),
  updatedAt: ({ order }: OrderView) => inUtc(order.date_modified),
  status: ({ order }: OrderView) => ({
    value: STATUSES[order.status_id] ?? null,
    label: findStatus(order.status_id)?.name ?? '',
  }),
  billingAddress: ({ order }: OrderView) => postalAddressOf(order.billing_address),
  isTaxIncluded: ({ order }: OrderView) => order.is_tax_inclusive_pricing,
  consignments: (view: OrderView) => view,
  subTotal: (view: OrderView) =>
    view.money(displayAmount(view, view.order.subtotal_ex_tax, view.order.subtotal_inc_tax)),
  discountedSubTotal: ({ order, money, ...view }: OrderView) =>
    money(
      unitsOf(displayAmount({ order, money, ...view }, order.subtotal_ex_tax, order.subtotal_inc_tax)) -
        unitsOf(order.discount_amount) -
        unitsOf(order.coupon_discount),
    ),
  async discounts({ order, money }: OrderView, _: object, caller: StorefrontCaller) {
    const coupons = (await couponLoad.find(caller, order.id, undefined)) ?? []
    return {
      nonCouponDiscountTotal: money(order.discount_amount),
      couponDiscounts: coupons.map(({ code, discount }) => ({ couponCode: code, discountedAmount: money(discount) })),
      totalDiscount: money(unitsOf(order.discount_amount) + unitsOf(order.coupon_discount)),
      orderBasedAutoDiscountTotal: null,
      manualDiscountTotal: null,
    }
  },
  wrappingCostTotal: (view: OrderView) =>
    view.money(displayAmount(view, view.order.wrapping_cost_ex_tax, view.order.wrapping_cost_inc_tax)),
  shippingCostTotal: (view: OrderView) =>
    view.money(displayAmount(view, view.order.shipping_cost_ex_tax, view.order.shipping_cost_inc_tax)),
  handlingCostTotal: (view: OrderView) =>
    view.money(displayAmount(view, view.order.handling_cost_ex_tax, view.order.handling_cost_inc_tax)),
  taxTotal: ({ order, money }: OrderView) => money(unitsOf(order.total_inc_tax) - unitsOf(order.total_ex_tax)),
  async taxes({ order, money }: OrderView, _: object, caller: StorefrontCaller) {
    const rows = (await taxLoad.find(caller, order.id, undefined)) ?? []
    const byName = Map.groupBy(rows, ({ name }) => name)
    return [...byName].map(([name, taxes]) => ({
      name,
      amount: money(amountOf(sumOf(taxes.map(({ line_amount }) => unitsOf(line_amount))))),
    }))
  },
  totalIncTax: ({ order, money }: OrderView) => money(order.total_inc_tax),
  customerMessage: ({ order }: OrderView) => order.customer_message || null,
  totalProductQuantity: ({ order }: OrderView) => order.items_total,
  backorderShippingExpectationMessage: () => null,
  comparisonShippingCost: ({ order, money }: OrderView) => money(order.base_shipping_cost),
  async fees(view: OrderView, _: object, caller: StorefrontCaller) {
    const rows = (await feeLoad.find(caller, view.order.id, undefined)) ?? []
    return rows.map(({ id, display_name_customer, source, cost_ex_tax, cost_inc_tax }) => ({
      entityId: String(id),
      feeType: 'CUSTOM_FEE' as const,
      displayName: display_name_customer,
      cost: view.money(displayAmount(view, cost_ex_tax, cost_inc_tax)),
      source,
    }))
  },
  permalink: () => null,
  reference: poNumberOf,
  poNumber: poNumberOf,
  company: async ({ order }: OrderView, _: object, caller: StorefrontCaller) =>
    (await recordLoad.find(caller, order.id, undefined))?.company ?? null,
  placedBy: async ({ order }: OrderView, _: object, caller: StorefrontCaller) =>
    (await recordLoad.find(caller, order.id, undefined))?.placed_by ?? null,
  history: () => [],
  invoice: () => null,
}

/** The number that the company gave the order. */
async function poNumberOf({ order }: OrderView, _: object, caller: StorefrontCaller): Promise<string | null> {
  return (await recordLoad.find(caller, order.id, undefined))?.po_number || null
}

type MetafieldArgs = Parameters<typeof metafieldConnection>[2]

const metafields = {
  metafields: ({ order }: OrderView, args: MetafieldArgs, caller: StorefrontCaller) =>
    metafieldConnection(caller, { kind: 'order', id: order.id }, args),
  cartMetafields: ({ order }: OrderView, args: MetafieldArgs, caller: StorefrontCaller) =>
    uuidMetafieldConnection(caller, { kind: 'cart', uuid: order.cart_id ?? '' }, args),
}

export const orderTypeFields: Fields<'Order' | 'OrderWithPayments'> = {
  Order: { id: ({ order }) => globalId('Order', order.id), ...orderFields, ...metafields },
  OrderWithPayments: {
    id: ({ order }) => globalId('Order', order.id),
    ...orderFields,
    ...metafields,
    payments: async (view, { filters, ...args }, caller) =>
      connectionOf(await paymentsOf(caller, view, filters?.status ?? undefined), args),
  },
}
