import { statesOf } from '../../../core/geography/states.ts'
import { amountOf, sumOf, unitsOf } from '../../../core/money/units.ts'
import type { Mistakes } from '../../../core/rest/input/mistakes.ts'
import type { SoldProduct } from '../../../goods/catalog/sold.ts'
import type { ResultConsignment, ResultFee, Taxed } from '../../carts/evaluation/result.ts'
import type { CartAddress } from '../../carts/row/document.ts'
import type { LineTax } from '../../tax/calculation/tax-of.ts'
import { DEFAULT_CLASS } from '../../tax/classes/classes.ts'
import { INCOMPLETE } from '../arithmetic/order-status.ts'
import { billOf } from '../calculation/bill.ts'
import type { FeeDraft } from '../calculation/charges.ts'
import { BLANK_ADDRESS, changedAddress } from '../calculation/postal-address.ts'
import type { OrderBillingAddress, OrderRow } from '../row/rows.ts'
import type { PickupDraft } from '../writing/pickup-draft.ts'
import type { CostTax, NewOrderDraft } from '../writing/store.ts'
import { couponDiscountOf, couponsOf, lineDiscountsOf } from './discounts.ts'
import { linesOfCheckout } from './lines.ts'
import type { ReadyCheckout } from './ready.ts'
import { roundedRates, withRest } from './rounding.ts'

// The order of a checkout. Pure. Its totals are those of the checkout, to the smallest unit of the currency
// (docs/contract/orders.md section 10).

interface DraftParts {
  /** A blank order in the currency of the cart. */
  blank: OrderRow
  sold: ReadonlyMap<number, SoldProduct>
  /** The pickup of a checkout that is collected. */
  pickup: PickupDraft | undefined
  /** The form fields of addresses, by whose names orders keep the values. */
  fields: readonly { id: number; name: string }[]
}

/** @param mistakes gets a sentence for each line that the catalog doesn't offer any more */
export function draftOfCheckout(
  checkout: ReadyCheckout,
  { blank, sold, pickup, fields }: DraftParts,
  mistakes: Mistakes,
): NewOrderDraft {
  const { cart, result, facts } = checkout
  const { document } = cart
  const shipped = result.consignments.filter(({ input }) => input.address !== null)
  const places = new Map(shipped.map(({ input: { id } }, i) => [id, i]))
  const lines = linesOfCheckout(checkout, sold, places, mistakes)
  const coupons = couponDiscountOf(checkout)
  const charges: OrderRow = {
    ...blank,
    ...costsOfCheckout(checkout),
    discount_amount: amountOf(lineDiscountsOf(checkout) - coupons),
    coupon_discount: amountOf(coupons),
  }
  const fees = result.fees.map(feeOfCheckout)
  const bill = billOf(charges, lines, fees, mistakes)
  const billed = withRest(bill.lines, result)
  const billing = addressOf(document.billing, fields)
  const { subtotal_ex_tax, subtotal_inc_tax } = bill.totals
  const base = amountOf(result.base)
  const after: OrderRow = {
    ...charges,
    status_id: INCOMPLETE,
    cart_id: cart.id,
    customer_id: cart.customer_id,
    channel_id: cart.channel_id,
    subtotal_ex_tax: result.isInclusive ? subtotal_ex_tax : base,
    subtotal_inc_tax: result.isInclusive ? base : subtotal_inc_tax,
    total_ex_tax: amountOf(result.grandTotal - result.taxTotal),
    total_inc_tax: amountOf(result.grandTotal),
    billing_address: billing,
    email: billing.email,
    customer_message: document.message,
    customer_locale: document.locale,
    tax_provider_id: facts.provided?.provider ?? '',
    items_total: lines.reduce((sum, { quantity }) => sum + quantity, 0),
    order_is_digital: lines.every(({ type }) => type !== 'physical'),
  }
  return {
    after,
    lines: billed,
    addresses: shipped.map((consignment) => shippingAddressOf(consignment, blank, fields)),
    pickup,
    fees,
    taxes: taxesOfCosts(checkout, places, billed),
    coupons: couponsOf(checkout),
  }
}

/** Shipping is after the discounts by coupons; its base cost is before them. */
function costsOfCheckout({ result }: ReadyCheckout) {
  const { consignments, handling, wrapping } = result
  return {
    base_shipping_cost: amountOf(sumOf(consignments.map(({ cost }) => cost))),
    shipping_cost_ex_tax: amountOf(sumOf(consignments.map(({ paid }) => paid.ex))),
    shipping_cost_inc_tax: amountOf(sumOf(consignments.map(({ paid }) => paid.inc))),
    base_handling_cost: amountOf(handling.ex),
    handling_cost_ex_tax: amountOf(handling.ex),
    handling_cost_inc_tax: amountOf(handling.inc),
    base_wrapping_cost: amountOf(wrapping.ex),
    wrapping_cost_ex_tax: amountOf(wrapping.ex),
    wrapping_cost_inc_tax: amountOf(wrapping.inc),
  }
}

const feeOfCheckout = ({ input, ex, inc }: ResultFee): FeeDraft => ({
  type: 'custom_fee',
  display_name_customer: input.display_name,
  display_name_merchant: input.name,
  source: input.source,
  cost_ex_tax: amountOf(ex),
  cost_inc_tax: amountOf(inc),
  tax_class_id: input.tax_class_id,
})

/** An address of a checkout as orders store it. */
function addressOf(address: CartAddress | null, fields: DraftParts['fields']): OrderBillingAddress {
  if (!address) return BLANK_ADDRESS
  const { country_code, state_or_province, state_or_province_code } = address
  const state = state_or_province || nameOfState(country_code, state_or_province_code)
  const input = {
    first_name: address.first_name,
    last_name: address.last_name,
    company: address.company,
    street_1: address.address1,
    street_2: address.address2,
    city: address.city,
    state,
    zip: address.postal_code,
    country_iso2: country_code,
    phone: address.phone,
    email: address.email,
    form_fields: address.custom_fields.map(({ field_id, field_value }) => ({
      name: fields.find(({ id }) => String(id) === field_id)?.name ?? field_id,
      value: field_value,
    })),
  }
  return changedAddress(BLANK_ADDRESS, input, { at: (field) => field, mistakes: {} })
}

/** The name of a state; its code if the country has no such state. */
const nameOfState = (country: string, code: string): string =>
  statesOf(country.toUpperCase())?.find((state) => state.code === code.toUpperCase())?.name ?? code

function shippingAddressOf(
  { input: { address, option }, paid, cost, handling }: ResultConsignment,
  order: OrderRow,
  fields: DraftParts['fields'],
): NewOrderDraft['addresses'][number] {
  return {
    ...addressOf(address, fields),
    shipping_method: option?.description ?? '',
    base_cost: amountOf(cost),
    cost_ex_tax: amountOf(paid.ex),
    cost_inc_tax: amountOf(paid.inc),
    cost_tax_class_id: order.shipping_cost_tax_class_id,
    base_handling_cost: amountOf(handling.ex),
    handling_cost_ex_tax: amountOf(handling.ex),
    handling_cost_inc_tax: amountOf(handling.inc),
    handling_cost_tax_class_id: order.handling_cost_tax_class_id,
    shipping_zone_id: option?.zone_id ?? 0,
    shipping_zone_name: option?.zone_name ?? '',
    shipping_quote: option && {
      uuid: option.id,
      timestamp: order.date_created,
      method_id: option.method_id,
      provider_code: option.type,
      description: option.description,
      cost: option.cost,
    },
  }
}

/** The named taxes on shipping, handling, wrapping and fees. */
function taxesOfCosts(
  { result, facts }: ReadyCheckout,
  places: ReadonlyMap<string, number>,
  lines: NewOrderDraft['lines'],
): CostTax[] {
  const { shipping, handling, wrapping } = facts.tax.costClasses
  const named = (
    line_item_type: CostTax['line_item_type'],
    { tax, cost }: { tax: LineTax; cost: Taxed },
    { tax_class_id, place = -1, line = -1 }: { tax_class_id: number; place?: number; line?: number },
  ): CostTax[] => {
    const rates = roundedRates(tax, cost.inc - cost.ex, result.decimals)
    return rates.flatMap(({ rate, amount }) => {
      if (amount === 0n) return []
      const ofPriority = rates.filter(({ rate: { priority } }) => priority === rate.priority)
      return [
        {
          line_item_type,
          tax_rate_id: rate.id,
          tax_class_id,
          name: rate.name,
          class: facts.tax.classNames.get(tax_class_id) ?? '',
          rate: amountOf(rate.percent),
          priority: rate.priority,
          priority_amount: amountOf(sumOf(ofPriority.map((one) => one.amount))),
          line_amount: amountOf(amount),
          place,
          line,
        },
      ]
    })
  }
  // Lines of the order are the parts of the lines of the checkout, in their order.
  const parts = result.lines.flatMap((line) => line.parts)
  return [
    ...lines.flatMap((line, i) => {
      const tax = parts[i]?.wrapping?.tax
      const cost = { ex: unitsOf(line.wrapping_cost_ex_tax), inc: unitsOf(line.wrapping_cost_inc_tax) }
      const at = { tax_class_id: wrapping, place: line.place ?? -1, line: i }
      return tax ? named('gift-wrapping', { tax, cost }, at) : []
    }),
    ...result.consignments.flatMap(({ input: { id }, paid, handling: cost, shippingTax, handlingTax }) => {
      const place = places.get(id) ?? -1
      return [
        ...named('shipping', { tax: shippingTax, cost: paid }, { tax_class_id: shipping, place }),
        ...named('handling', { tax: handlingTax, cost }, { tax_class_id: handling, place }),
      ]
    }),
    ...result.fees.flatMap(({ input, tax, ...cost }) =>
      named('fee', { tax, cost }, { tax_class_id: input.tax_class_id ?? DEFAULT_CLASS }),
    ),
  ]
}

/** The gift certificates that an order of a checkout sells. */
export const certificatesOf = ({ result: { certificates } }: ReadyCheckout) =>
  certificates.map(({ recipient, sender, amount, theme, message }) => ({
    to_name: recipient.name,
    to_email: recipient.email,
    from_name: sender.name,
    from_email: sender.email,
    amount: amountOf(unitsOf(amount)),
    template: `${theme.toLowerCase().replace(/\.html$/, '')}.html`,
    message,
  }))
