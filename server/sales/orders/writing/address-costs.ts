import { amountOf, share, sumOf, type Units, unitsOf } from '../../../core/money/units.ts'
import type { OrderAddressRow, OrderRow } from '../row/rows.ts'

/** The only address of an order has all of its shipping and handling costs. */
export const shippingCosts = (order: OrderRow) => ({
  base_cost: order.base_shipping_cost,
  cost_ex_tax: order.shipping_cost_ex_tax,
  cost_inc_tax: order.shipping_cost_inc_tax,
  cost_tax_class_id: order.shipping_cost_tax_class_id,
  base_handling_cost: order.base_handling_cost,
  handling_cost_ex_tax: order.handling_cost_ex_tax,
  handling_cost_inc_tax: order.handling_cost_inc_tax,
  handling_cost_tax_class_id: order.handling_cost_tax_class_id,
})

type AddressCosts = Omit<ReturnType<typeof shippingCosts>, 'cost_tax_class_id' | 'handling_cost_tax_class_id'>

/**
 * The costs of the addresses of a changed order. Several addresses share new costs in proportion to their former ones; if these were 0,
 * the first address has them. Pure.
 */
export function costsOfAddresses(
  before: OrderRow,
  after: OrderRow,
  addresses: readonly OrderAddressRow[],
): Partial<OrderAddressRow>[] {
  if (addresses.length === 1) return [shippingCosts(after)]
  const [was, is] = [shippingCosts(before), shippingCosts(after)]
  const costs = addresses.map((): Partial<OrderAddressRow> => ({}))
  for (const [base, ex, inc] of COSTS) {
    if (was[base] === is[base] && was[ex] === is[ex] && was[inc] === is[inc]) continue
    const weights = addresses.map((address) => unitsOf(address[inc]))
    const whole = sumOf(weights)
    const first: readonly Units[] = weights.map((_, i) => (i === 0 ? 1n : 0n))
    const shared = (amount: Units) => shares(amount, whole === 0n ? first : weights)
    const [bases, exs, taxes] = [
      shared(unitsOf(is[base])),
      shared(unitsOf(is[ex])),
      shared(unitsOf(is[inc]) - unitsOf(is[ex])),
    ]
    costs.forEach((cost, i) => {
      const withoutTax = exs[i] ?? 0n
      cost[base] = amountOf(bases[i] ?? 0n)
      cost[ex] = amountOf(withoutTax)
      cost[inc] = amountOf(withoutTax + (taxes[i] ?? 0n))
    })
  }
  return costs
}

const COSTS = [
  ['base_cost', 'cost_ex_tax', 'cost_inc_tax'],
  ['base_handling_cost', 'handling_cost_ex_tax', 'handling_cost_inc_tax'],
] as const satisfies readonly (readonly (keyof AddressCosts)[])[]

/** Divides an amount by weights. The shares add up to it. */
function shares(amount: Units, weights: readonly Units[]): Units[] {
  const whole = sumOf(weights)
  let before = 0n
  return weights.map((weight) => {
    const part = share(amount, before, weight, whole)
    before += weight
    return part
  })
}
