import { amountOf, unitsOf } from '../../../core/money/units.ts'
import type { ItemCheck, Mistakes } from '../../../core/rest/input/mistakes.ts'
import type { FeeRow, OrderRow } from '../row/rows.ts'
import type { FeeInput, OrderFields } from './bodies.ts'
import { refuseIncompletePair } from './lines.ts'

// Reads the costs, totals and fees of an order from a body (docs/contract/orders.md section 4).

const PAIRS = ['shipping_cost', 'handling_cost', 'wrapping_cost', 'subtotal', 'total'] as const

/** Refuses an amount with tax that comes without the amount before tax, and the reverse. */
export function refuseIncompletePairs(body: OrderFields, mistakes: Mistakes) {
  const check: ItemCheck = { at: (field) => field, mistakes }
  for (const pair of PAIRS) refuseIncompletePair(pair, body[`${pair}_ex_tax`], body[`${pair}_inc_tax`], check)
}

/** The costs in a body. A base cost equals the cost without tax unless the body sets it. */
export function costsOf(body: OrderFields): Partial<OrderRow> {
  const { shipping_cost_ex_tax, shipping_cost_inc_tax, handling_cost_ex_tax, handling_cost_inc_tax } = body
  const { wrapping_cost_ex_tax, wrapping_cost_inc_tax } = body
  return defined({
    shipping_cost_ex_tax,
    shipping_cost_inc_tax,
    handling_cost_ex_tax,
    handling_cost_inc_tax,
    wrapping_cost_ex_tax,
    wrapping_cost_inc_tax,
    base_shipping_cost: body.base_shipping_cost ?? shipping_cost_ex_tax,
    base_handling_cost: body.base_handling_cost ?? handling_cost_ex_tax,
    base_wrapping_cost: body.base_wrapping_cost ?? wrapping_cost_ex_tax,
  })
}

/** The totals in a body. They replace the calculated ones. */
export const totalsIn = ({ subtotal_ex_tax, subtotal_inc_tax, total_ex_tax, total_inc_tax }: OrderFields) =>
  defined({ subtotal_ex_tax, subtotal_inc_tax, total_ex_tax, total_inc_tax })

/** Drops the undefined values, also from the type. */
export const defined = <Values extends object>(
  values: Values,
): { [Field in keyof Values]?: Exclude<Values[Field], undefined> } =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [Field in keyof Values]?: Exclude<Values[Field], undefined>
  }

/** The columns of the order in a body, except amounts. */
export function fieldsIn(body: OrderFields): Partial<OrderRow> {
  const { payment_provider_id: provider, external_order_id } = body
  return defined({
    status_id: body.status_id,
    customer_id: body.customer_id,
    channel_id: body.channel_id,
    customer_message: body.customer_message,
    staff_notes: body.staff_notes,
    payment_method: body.payment_method,
    payment_provider_id: provider === undefined || provider === null ? provider : String(provider),
    geoip_country: body.geoip_country,
    geoip_country_iso2: body.geoip_country_iso2?.toUpperCase(),
    ebay_order_id: body.ebay_order_id,
    external_source: body.external_source,
    external_merchant_id: body.external_merchant_id,
    external_order_id: external_order_id === null ? '' : external_order_id,
    tax_provider_id: body.tax_provider_id,
    customer_locale: body.customer_locale,
  })
}

/** A fee to store. A new one has no id. */
export type FeeDraft = Omit<FeeRow, 'id' | 'order_id'> & { id?: number }

/** Reads a fee from a body. Two of its three costs are enough. @param before the fee that it changes */
export function feeOf(input: FeeInput, before: FeeRow | undefined, { at, mistakes }: ItemCheck): FeeDraft {
  const { display_name_customer, display_name_merchant } = { ...before, ...defined(input) }
  if (!display_name_customer && !display_name_merchant) mistakes[at('display_name_customer')] = 'error.path.missing'
  const { cost_ex_tax, cost_inc_tax } = feeCosts(input, before, { at, mistakes })
  const { tax_class_id = before?.tax_class_id ?? null } = input
  return {
    ...(before ? { id: before.id } : {}),
    type: 'custom_fee',
    display_name_customer: display_name_customer || (display_name_merchant ?? ''),
    display_name_merchant: display_name_merchant || (display_name_customer ?? ''),
    source: input.source ?? before?.source ?? '',
    cost_ex_tax,
    cost_inc_tax,
    tax_class_id,
  }
}

function feeCosts(input: FeeInput, before: FeeRow | undefined, { at, mistakes }: ItemCheck) {
  const { cost_ex_tax, cost_inc_tax, cost_tax } = input
  const count = [cost_ex_tax, cost_inc_tax, cost_tax].filter((cost) => cost !== undefined).length
  if (count === 0 && before) return before
  if (count < 2) {
    mistakes[at('cost_ex_tax')] = 'A fee needs two of cost_ex_tax, cost_inc_tax and cost_tax.'
    return { cost_ex_tax: 0, cost_inc_tax: 0 }
  }
  const tax = cost_tax === undefined ? unitsOf(cost_inc_tax ?? 0) - unitsOf(cost_ex_tax ?? 0) : unitsOf(cost_tax)
  const ex = cost_ex_tax === undefined ? unitsOf(cost_inc_tax ?? 0) - tax : unitsOf(cost_ex_tax)
  const inc = cost_inc_tax === undefined ? ex + tax : unitsOf(cost_inc_tax)
  if (ex < 0n || tax < 0n || ex + tax !== inc) {
    mistakes[at('cost_tax')] = 'cost_ex_tax and cost_tax must add up to cost_inc_tax, and none may be negative.'
  }
  return { cost_ex_tax: amountOf(ex), cost_inc_tax: amountOf(inc) }
}
