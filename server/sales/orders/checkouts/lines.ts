import { amountOf, sumOf, textOf, type Units } from '../../../core/money/units.ts'
import type { Mistakes } from '../../../core/rest/input/mistakes.ts'
import type { SoldProduct, WantedThing } from '../../../goods/catalog/sold.ts'
import { divide, placesOf } from '../../carts/evaluation/places.ts'
import type { LinePart, ResultLine, Taxed } from '../../carts/evaluation/result.ts'
import type { CatalogLine } from '../../carts/row/document.ts'
import { taxZonesOf } from '../../tax/calculation/shopper.ts'
import type { NewLine } from '../calculation/bodies.ts'
import { type LineDraft, newLine, thingOf } from '../calculation/lines.ts'
import { ratesInForce, taxedAsQuoted, unitPrices } from '../calculation/taxed-by.ts'
import type { AppliedDiscount, TaxedBy } from '../row/rows.ts'
import type { PlacedLine } from '../writing/store.ts'
import { discountsOf } from './discounts.ts'
import type { ReadyCheckout } from './ready.ts'
import { roundedWrappings } from './rounding.ts'

// The lines of an order from the lines of its checkout. Pure. A line in several consignments becomes a line for each of them.

/** The products to look up for the lines of a checkout. */
export const thingsOf = ({ result }: ReadyCheckout): WantedThing[] =>
  result.lines.flatMap((line) => thingOf(inputOf(line, line.quantity)) ?? [])

/**
 * The lines of an order. A line that the catalog doesn't offer any more is a mistake.
 * @param places the position of each consignment among the shipping addresses; missing if it is collected
 */
export function linesOfCheckout(
  checkout: ReadyCheckout,
  sold: ReadonlyMap<number, SoldProduct>,
  places: ReadonlyMap<string, number>,
  mistakes: Mistakes,
): PlacedLine[] {
  const { result, facts, cart } = checkout
  const addresses = placesOf(cart.document, facts)
  const taxedAt = (line: ResultLine, { consignment_id, amount, tax }: LinePart): TaxedBy => {
    const shopper = { address: addresses.of(consignment_id), customer_group_id: facts.group_id }
    const taxed = ratesInForce(facts.tax, taxZonesOf(facts.tax, shopper), line.classId)
    return facts.provided ? taxedAsQuoted(taxed, amount, tax) : taxed
  }
  const wrappings = roundedWrappings(result)
  let position = 0
  const bought = result.lines.flatMap((line, i) => {
    const discounts = discountsOf(checkout, line)
    const divided = discounts.map(({ amount }) => divide(amount, line.parts, line.quantity))
    return line.parts.flatMap((part, n): PlacedLine[] => {
      const wrapping = wrappings[position++]
      const check = { at: (field: string) => `line_items.${i}.${field}`, mistakes }
      const checked = newLine(inputOf(line, part.quantity), sold.get(line.product_id), check)
      if (!checked) return []
      const gross = line.price * BigInt(part.quantity)
      const discount = gross - part.amount
      const taxed_by = taxedAt(line, part)
      const place = part.consignment_id === undefined ? undefined : places.get(part.consignment_id)
      return [
        {
          ...checked.line,
          type: line.isDigital ? 'digital' : 'physical',
          ...unitPrices(line.price, taxed_by),
          taxed_by,
          discount: amountOf(discount),
          applied_discounts: withAmounts(
            discounts,
            divided.map((amounts) => amounts[n] ?? 0n),
            discount,
          ),
          ...(wrapping ? wrappingOf(line, wrapping) : {}),
          place,
          isCollected: part.consignment_id !== undefined && place === undefined,
        },
      ]
    })
  })
  return [...bought, ...certificateLines(checkout, mistakes)]
}

/** A line as a body of an order would describe it. Its prices follow. */
function inputOf({ kind, input, item, product_id, variant_id, name }: ResultLine, quantity: number): NewLine {
  const prices = { price_ex_tax: 0, price_inc_tax: 0 }
  if (kind === 'custom') return { name, quantity, sku: input && 'sku' in input ? input.sku : '', ...prices }
  const line = input && 'modifiers' in input ? input : undefined
  return { product_id, variant_id, quantity, name, product_options: line ? choicesOf(line, item) : [], ...prices }
}

/** The modifiers that the shopper has chosen, and the texts that replace those of options. */
function choicesOf({ modifiers, texts }: CatalogLine, item: ResultLine['item']): NewLine['product_options'] {
  const replaced = texts.flatMap(({ option_id, name, value }) => {
    const option = item?.options.find((one) => one.option_id === option_id)
    if (!option) return []
    return [
      {
        id: option_id,
        value: String(option.value_id),
        display_name: name ?? option.name,
        display_value: value ?? option.value,
      },
    ]
  })
  return [
    ...replaced,
    ...modifiers.map(({ option_id, value_id, name, value }) => ({
      id: option_id,
      value: value_id === null ? value : String(value_id),
      display_name: name,
      display_value: value,
    })),
  ]
}

/** The discounts of a part of a line. The last one takes the rest of the rounding, so that they add up. */
function withAmounts(
  discounts: readonly Omit<AppliedDiscount, 'amount'>[],
  amounts: readonly Units[],
  total: Units,
): AppliedDiscount[] {
  const rest = total - sumOf(amounts)
  return discounts.flatMap((discount, i) => {
    const amount = (amounts[i] ?? 0n) + (i === discounts.length - 1 ? rest : 0n)
    const { id, name, code, target } = discount
    return amount > 0n ? [{ id, amount: textOf(amount), name, code, target }] : []
  })
}

function wrappingOf({ input, wrapping }: ResultLine, { ex, inc }: Taxed): Partial<LineDraft> {
  const [detail] = input && 'wrapping' in input ? (input.wrapping?.details ?? []) : []
  if (!wrapping || !detail) return {}
  return {
    wrapping_id: detail.id,
    wrapping_name: wrapping.name,
    wrapping_message: wrapping.message,
    wrapping_cost_ex_tax: amountOf(ex),
    wrapping_cost_inc_tax: amountOf(inc),
  }
}

/** Gift certificates to buy: one line each, without tax and discounts. */
const certificateLines = ({ result }: ReadyCheckout, mistakes: Mistakes): PlacedLine[] =>
  result.certificates.flatMap(({ name, amount, recipient }, i) => {
    const input = { name, quantity: 1, price_ex_tax: amount, price_inc_tax: amount }
    const checked = newLine(input, undefined, { at: (field) => `gift_certificates.${i}.${field}`, mistakes })
    if (!checked) return []
    return [
      {
        ...checked.line,
        type: 'giftcertificate',
        applied_discounts: [],
        recipient_email: recipient.email,
        place: undefined,
        isCollected: false,
      },
    ]
  })
