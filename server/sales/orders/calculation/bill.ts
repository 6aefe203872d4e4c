import { amountOf, larger, ratio, sumOf, UNITS_MAX, type Units, unitsOf } from '../../../core/money/units.ts'
import type { Mistakes } from '../../../core/rest/input/mistakes.ts'
import { addUp, type Cost, type LineTotal, totalsOf } from '../arithmetic/totals.ts'
import type { FeeRow, OrderRow, TaxedBy, TaxRow } from '../row/rows.ts'
import type { LineDraft } from './lines.ts'
import { taxByRates } from './taxed-by.ts'

// Calculates the totals and taxes of an order from its lines and costs (docs/contract/orders.md section 3).

/** The amounts of an order besides its lines. */
export type Charges = Pick<
  OrderRow,
  | 'discount_amount'
  | 'coupon_discount'
  | 'shipping_cost_ex_tax'
  | 'shipping_cost_inc_tax'
  | 'handling_cost_ex_tax'
  | 'handling_cost_inc_tax'
  | 'wrapping_cost_ex_tax'
  | 'wrapping_cost_inc_tax'
  | 'is_tax_inclusive_pricing'
  | 'currency_decimals'
>

export type OrderTotals = Pick<OrderRow, 'subtotal_ex_tax' | 'subtotal_inc_tax' | 'total_ex_tax' | 'total_inc_tax'>

/** The sentence about an amount that no column can hold. */
export const TOO_EXPENSIVE = `An order can cost at most ${amountOf(UNITS_MAX)}.`

/** Most units of an order, all lines together. */
const ITEMS_MAX = 2_147_483_647

const costOf = (ex: number, inc: number): Cost => ({ ex: unitsOf(ex), inc: unitsOf(inc) })

/** The wrapping costs of all lines together. */
export function wrappingOfLines(lines: readonly Pick<LineDraft, 'wrapping_cost_ex_tax' | 'wrapping_cost_inc_tax'>[]) {
  const { ex, inc } = addUp(
    lines.map(({ wrapping_cost_ex_tax, wrapping_cost_inc_tax }) => costOf(wrapping_cost_ex_tax, wrapping_cost_inc_tax)),
  )
  return { wrapping_cost_ex_tax: amountOf(ex), wrapping_cost_inc_tax: amountOf(inc) }
}

/**
 * Calculates the totals of an order, and the discount and the tax of each line. Pure.
 * @param mistakes gets a sentence if the discount or a sum is out of bounds
 */
export function billOf<Line extends LineDraft>(
  charges: Charges,
  lines: readonly Line[],
  fees: readonly Pick<FeeRow, 'cost_ex_tax' | 'cost_inc_tax'>[],
  mistakes: Mistakes,
): { totals: OrderTotals; lines: Line[] } {
  const discount = unitsOf(charges.discount_amount) + unitsOf(charges.coupon_discount)
  const costs = [
    costOf(charges.shipping_cost_ex_tax, charges.shipping_cost_inc_tax),
    costOf(charges.handling_cost_ex_tax, charges.handling_cost_inc_tax),
    costOf(charges.wrapping_cost_ex_tax, charges.wrapping_cost_inc_tax),
    ...fees.map(({ cost_ex_tax, cost_inc_tax }) => costOf(cost_ex_tax, cost_inc_tax)),
  ]
  const { is_tax_inclusive_pricing: isInclusive, currency_decimals: decimals } = charges
  const bill = {
    lines: lines.map(({ price_ex_tax, price_inc_tax, quantity, base_price, taxed_by, applied_discounts, discount }) => {
      const ownDiscount = applied_discounts === null ? undefined : unitsOf(discount)
      return taxed_by
        ? {
            ownDiscount,
            entered: unitsOf(base_price) * BigInt(quantity),
            tax: (amount: Units) => taxByRates(amount, taxed_by, decimals),
          }
        : { price: costOf(price_ex_tax, price_inc_tax), quantity, ownDiscount }
    }),
    discount,
    costs,
    isInclusive,
    decimals,
  }
  const { lines: billed, entered, subtotal, total } = totalsOf(bill)
  if (lines.reduce((sum, { quantity }) => sum + quantity, 0) > ITEMS_MAX) {
    mistakes.products = `An order can have at most ${ITEMS_MAX} items.`
  }
  if (discount > entered)
    mistakes.discount_amount = `The discount is greater than the price of the products: ${amountOf(entered)}.`
  if (larger(entered, larger(subtotal.inc, total.inc)) > UNITS_MAX) {
    mistakes.total_inc_tax = TOO_EXPENSIVE
    return { totals: NOTHING, lines: [] }
  }
  return {
    totals: {
      subtotal_ex_tax: amountOf(subtotal.ex),
      subtotal_inc_tax: amountOf(subtotal.inc),
      total_ex_tax: amountOf(total.ex),
      total_inc_tax: amountOf(total.inc),
    },
    lines: lines.map((line, i) => ({ ...line, ...totalColumns(line, billed[i]) })),
  }
}

function totalColumns({ taxed_by }: LineDraft, total: LineTotal | undefined): Partial<LineDraft> {
  if (!total) return {}
  const { ex, inc, discount, left, rates } = total
  const columns = { discount: amountOf(discount), discounted_tax: amountOf(left.inc - left.ex) }
  if (!taxed_by) return columns
  return {
    ...columns,
    total_ex_tax: amountOf(ex),
    total_inc_tax: amountOf(inc),
    discounted_ex_tax: amountOf(left.ex),
    taxed_by: {
      ...taxed_by,
      rates: taxed_by.rates.map((rate, i) => ({ ...rate, amount: amountOf(rates[i] ?? 0n) })),
    },
  }
}

const NOTHING: OrderTotals = { subtotal_ex_tax: 0, subtotal_inc_tax: 0, total_ex_tax: 0, total_inc_tax: 0 }

/** A billed line with its id. */
type BilledLine = Pick<
  LineDraft,
  | 'order_address_id'
  | 'order_pickup_method_id'
  | 'price_ex_tax'
  | 'price_inc_tax'
  | 'quantity'
  | 'discount'
  | 'discounted_tax'
  | 'discounted_ex_tax'
  | 'taxed_by'
  | 'wrapping_cost_ex_tax'
  | 'wrapping_cost_inc_tax'
> & { id: number }

/**
 * Returns the tax rows of an order: a row for each rate of a line, or one for a tax that was given. Lines and costs without tax have no
 * row (docs/contract/orders.md section 7). Pure.
 */
export function taxesOf(
  charges: Charges,
  lines: readonly BilledLine[],
  fees: readonly Pick<FeeRow, 'cost_ex_tax' | 'cost_inc_tax'>[],
): Omit<TaxRow, 'id' | 'order_id'>[] {
  const rows: Omit<TaxRow, 'id' | 'order_id'>[] = []
  const ofOrder = {
    order_address_id: lines.find(({ order_address_id }) => order_address_id > 0)?.order_address_id ?? 0,
    order_pickup_method_id: lines[0]?.order_pickup_method_id ?? 0,
  }
  const add = (line_item_type: TaxRow['line_item_type'], cost: Cost, more: Partial<TaxRow> = {}) => {
    const tax = cost.inc - cost.ex
    if (tax <= 0n) return
    const amount = amountOf(tax)
    rows.push({
      ...ofOrder,
      order_product_id: 0,
      line_item_type,
      tax_rate_id: 0,
      tax_class_id: null,
      name: 'Tax',
      class: 'API Tax Override',
      rate: rateOf(tax, cost.ex),
      priority: 1,
      priority_amount: amount,
      line_amount: amount,
      ...more,
    })
  }
  for (const line of lines) {
    const ofLine = {
      order_product_id: line.id,
      order_address_id: line.order_address_id,
      order_pickup_method_id: line.order_pickup_method_id,
    }
    const { taxed_by } = line
    if (taxed_by) rows.push(...rateRows(taxed_by).map((row) => ({ ...ofOrder, ...row, ...ofLine })))
    else add('item', discountedOf(line, charges.is_tax_inclusive_pricing), ofLine)
    add('gift-wrapping', costOf(line.wrapping_cost_ex_tax, line.wrapping_cost_inc_tax), ofLine)
  }
  // The wrapping cost of the order includes that of its lines, which have rows already.
  const wrapping = wrappingOfLines(lines)
  const remainder = {
    ex: unitsOf(charges.wrapping_cost_ex_tax) - unitsOf(wrapping.wrapping_cost_ex_tax),
    inc: unitsOf(charges.wrapping_cost_inc_tax) - unitsOf(wrapping.wrapping_cost_inc_tax),
  }
  if (remainder.ex >= 0n) add('gift-wrapping', remainder)
  add('shipping', costOf(charges.shipping_cost_ex_tax, charges.shipping_cost_inc_tax))
  add('handling', costOf(charges.handling_cost_ex_tax, charges.handling_cost_inc_tax))
  for (const { cost_ex_tax, cost_inc_tax } of fees) add('fee', costOf(cost_ex_tax, cost_inc_tax))
  return rows
}

const rateRows = ({ class_id, class: name, rates }: TaxedBy) =>
  rates
    .filter(({ amount }) => amount > 0)
    .map((rate) => ({
      line_item_type: 'item' as const,
      tax_rate_id: rate.id,
      tax_class_id: class_id,
      name: rate.name,
      class: name,
      rate: rate.rate,
      priority: rate.priority,
      priority_amount: amountOf(
        sumOf(rates.filter(({ priority }) => priority === rate.priority).map(({ amount }) => unitsOf(amount))),
      ),
      line_amount: rate.amount,
    }))

/** The price of a line after discounts. */
export function discountedOf(
  line: Pick<
    LineDraft,
    'price_ex_tax' | 'price_inc_tax' | 'quantity' | 'discount' | 'discounted_tax' | 'discounted_ex_tax'
  >,
  isInclusive: boolean,
): Cost {
  if (line.discounted_ex_tax !== null) {
    const ex = unitsOf(line.discounted_ex_tax)
    return { ex, inc: ex + unitsOf(line.discounted_tax) }
  }
  const exact = unitsOf(isInclusive ? line.price_inc_tax : line.price_ex_tax) * BigInt(line.quantity)
  const [left, tax] = [exact - unitsOf(line.discount), unitsOf(line.discounted_tax)]
  return isInclusive ? { ex: left - tax, inc: left } : { ex: left, inc: left + tax }
}

/** Returns a rate in percent. */
const rateOf = (tax: Units, base: Units): number => {
  const percent = base === 0n ? 0n : ratio(tax, unitsOf(100), base)
  return amountOf(percent > UNITS_MAX ? UNITS_MAX : percent)
}
