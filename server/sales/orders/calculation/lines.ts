import {
  amountOf,
  larger,
  minorUnit,
  ratio,
  smaller,
  UNITS_MAX,
  type Units,
  unitsOf,
} from '../../../core/money/units.ts'
import type { Mistakes } from '../../../core/rest/input/mistakes.ts'
import type { Selection, SoldModifier, SoldProduct, SoldVariant, WantedThing } from '../../../goods/catalog/sold.ts'
import type { LineOption, LineRow, OrderRow } from '../row/rows.ts'
import type { LineChoice, NewLine } from './bodies.ts'

/** A line of an order before it is stored: a new one has no id. */
export type LineDraft = Omit<LineRow, 'id' | 'order_id'> & { id?: number }

/** Names a field of a line in refusals. */
export type At = (field: string) => string

/** What a line asks of the catalog; undefined for a custom product. */
export function thingOf({ product_id = 0, variant_id = 0, product_options = [] }: NewLine): WantedThing | undefined {
  if (product_id === 0) return undefined
  return {
    product_id,
    variant_id,
    choices: product_options.map((choice) => ({ id: optionIdOf(choice), value: choice.value })),
  }
}

/**
 * What the catalog says, in the currency of an order: amounts are multiplied by its rate and rounded to its decimals. Pure.
 * @param sold with amounts in the default currency of the store
 */
export function inCurrency(
  sold: ReadonlyMap<number, SoldProduct>,
  { currency_exchange_rate, currency_decimals }: Pick<OrderRow, 'currency_exchange_rate' | 'currency_decimals'>,
): ReadonlyMap<number, SoldProduct> {
  const [whole = '', fraction = ''] = currency_exchange_rate.split('.')
  const [rate, one] = [BigInt(whole + fraction), 10n ** BigInt(fraction.length)]
  if (rate === one) return sold
  const exchanged = (amount: number) => ratio(unitsOf(amount), rate, one, minorUnit(currency_decimals))
  // No total tells that one of these is more than a row holds.
  const bounded = (amount: number) => amountOf(smaller(exchanged(amount), UNITS_MAX))
  return new Map(
    [...sold].map(([id, product]) => [
      id,
      {
        ...product,
        variants: product.variants.map((variant) => ({
          ...variant,
          price: amountOf(exchanged(variant.price)),
          cost_price: bounded(variant.cost_price),
          fixed_cost_shipping_price: bounded(variant.fixed_cost_shipping_price),
        })),
        modifiers: product.modifiers.map((modifier) => ({
          ...modifier,
          values: modifier.values.map((value) => {
            const { price } = value.adjusters
            if (price?.adjuster !== 'relative') return value
            return {
              ...value,
              adjusters: { price: { ...price, adjuster_value: amountOf(exchanged(price.adjuster_value)) } },
            }
          }),
        })),
      },
    ]),
  )
}

const blank = {
  order_address_id: 0,
  order_pickup_method_id: 0,
  quantity_shipped: 0,
  quantity_refunded: 0,
  discount: 0,
  discounted_tax: 0,
  refund_amount: 0,
  wrapping_id: 0,
  wrapping_name: null,
  wrapping_message: '',
  wrapping_cost_ex_tax: 0,
  wrapping_cost_inc_tax: 0,
} as const

/** What a custom product has in place of what the catalog says. */
const custom = {
  product_id: 0,
  variant_id: 0,
  type: 'physical',
  cost_price: 0,
  weight: 0,
  width: 0,
  height: 0,
  depth: 0,
  fixed_shipping_cost: 0,
  bin_picking_number: '',
  brand: '',
  product_options: [],
} as const

/**
 * A new line as it will be stored; undefined if something is wrong with it.
 * @param sold what its product is, where it names one
 */
export function newLine(
  input: NewLine,
  sold: SoldProduct | undefined,
  at: At,
  mistakes: Mistakes,
): LineDraft | undefined {
  const before = Object.keys(mistakes).length
  const quantity = input.quantity ?? (input.product_id ? 1 : 0)
  if (quantity === 0) mistakes[at('quantity')] = input.quantity === undefined ? MISSING : 'quantity must be at least 1.'
  refuseHalfPrice(input, at, mistakes)
  const wrapping = wrappingOf(input, { ...blank, quantity }, quantity, at, mistakes)
  const thing = input.product_id ? chosen(input, sold, at, mistakes) : customThing(input, at, mistakes)
  if (Object.keys(mistakes).length > before || !thing) return undefined
  const { price, ...what } = thing
  return { ...blank, ...what, ...namesOf(input, what), ...pricesOf(input, price), ...wrapping, quantity }
}

/**
 * A line as it is after a change; undefined if something is wrong with that.
 * @param sold what its product is, where the change names another thing than the line has
 */
export function changedLine(
  line: LineRow,
  input: NewLine,
  sold: SoldProduct | undefined,
  at: At,
  mistakes: Mistakes,
): LineDraft | undefined {
  const before = Object.keys(mistakes).length
  const quantity = input.quantity ?? line.quantity
  const least = Math.max(line.quantity_shipped, line.quantity_refunded)
  if (quantity < least) mistakes[at('quantity')] = `${least} of it were shipped or refunded already.`
  refuseHalfPrice(input, at, mistakes)
  const wrapping = wrappingOf(input, line, quantity, at, mistakes)
  const isOther = namesOtherThing(line, input)
  if (isOther && least > 0) mistakes[at('product_id')] = USED
  const thing = isOther ? chosen(input, sold, at, mistakes) : undefined
  if (Object.keys(mistakes).length > before) return undefined
  const { price = unitsOf(line.price_ex_tax), ...what } = thing ?? {}
  const isPriced = thing !== undefined || input.price_ex_tax !== undefined
  return {
    ...line,
    ...what,
    ...namesOf(input, { ...line, ...what }, line),
    ...(isPriced ? pricesOf(input, price) : {}),
    ...wrapping,
    quantity,
  }
}

/** Whether a change names another thing than the line has. Whoever sends back what was read names the same. */
export function namesOtherThing(line: LineRow, { product_id, variant_id, product_options }: NewLine): boolean {
  return (
    (product_id !== undefined && product_id !== line.product_id) ||
    (variant_id !== undefined && variant_id !== line.variant_id) ||
    (product_options !== undefined && !areSame(product_options, line.product_options))
  )
}

/** Whether the same was chosen, and nothing else is said of how that is called. */
const areSame = (choices: readonly LineChoice[], options: readonly LineOption[]): boolean =>
  choices.length === options.length &&
  choices.every((choice) =>
    options.some(
      (option) =>
        option.product_option_id === optionIdOf(choice) &&
        option.value === choice.value &&
        CALLED.every((name) => choice[name] === undefined || choice[name] === option[name]),
    ),
  )

/** How an option and its value are called. */
const CALLED = [
  'display_name',
  'display_name_customer',
  'display_name_merchant',
  'display_value',
  'display_value_customer',
  'display_value_merchant',
] as const

/** Which option of its product a choice is about. What is sent back as it was read says so apart: its id numbers the options of the line. */
const optionIdOf = ({ id, product_option_id = id }: LineChoice): number => product_option_id

/** Why a line can't become another thing, or go. */
export const USED = 'It was shipped or refunded already.'
const MISSING = 'error.path.missing'

/** Of prices with and without tax both are given, or none (docs/contract/orders.md section 4). */
function refuseHalfPrice({ price_ex_tax, price_inc_tax }: NewLine, at: At, mistakes: Mistakes) {
  refuseHalf('price_ex_tax', price_ex_tax, 'price_inc_tax', price_inc_tax, at, mistakes)
}

/** Refuses one amount of a pair without the other, and one with tax that is less than the one without. */
export function refuseHalf(
  exField: string,
  ex: number | undefined,
  incField: string,
  inc: number | undefined,
  at: At,
  mistakes: Mistakes,
) {
  if (ex === undefined && inc === undefined) return
  if (ex === undefined) mistakes[at(exField)] = `${exField} and ${incField} come together.`
  else if (inc === undefined) mistakes[at(incField)] = `${exField} and ${incField} come together.`
  else if (inc < ex) mistakes[at(incField)] = `${incField} must not be less than ${exField}.`
}

function customThing({ name, price_ex_tax, price_inc_tax, sku = '', upc = '' }: NewLine, at: At, mistakes: Mistakes) {
  if (name === undefined) mistakes[at('name')] = MISSING
  if (price_ex_tax === undefined) mistakes[at('price_ex_tax')] ??= MISSING
  if (price_inc_tax === undefined) mistakes[at('price_inc_tax')] ??= MISSING
  return { ...custom, product_options: [], name: name ?? '', sku, upc, price: unitsOf(price_ex_tax ?? 0) }
}

/** What of a product is sold, and what one costs. */
function chosen(input: NewLine, sold: SoldProduct | undefined, at: At, mistakes: Mistakes) {
  if (!sold) {
    mistakes[at('product_id')] = `The product ${input.product_id ?? 0} does not exist.`
    return undefined
  }
  const choices = (input.product_options ?? []).map((choice) => ({ ...choice, id: optionIdOf(choice) }))
  const variant = variantOf(input, sold, choices)
  if (!variant) {
    if (input.variant_id) mistakes[at('variant_id')] = `The product has no variant ${input.variant_id}.`
    else mistakes[at('product_options')] = 'Name the variant_id, or a value of each option of the product.'
    return undefined
  }
  const isNamed = (input.variant_id ?? 0) > 0
  const { modified, extra } = modifiersOf(variant, sold, { choices, isNamed }, at, mistakes)
  if (sold.hasPriceRules && input.price_ex_tax === undefined) {
    mistakes[at('price_ex_tax')] ??=
      'The price of this product follows from rules or from its quantity: send price_ex_tax and price_inc_tax.'
  }
  const { option_values, price, fixed_cost_shipping_price, ...rest } = variant
  const options = option_values.map((value) => {
    const choice = choices.find(({ id }) => id === value.option_id)
    const named = {
      id: value.option_id,
      name: value.option_display_name,
      type: sold.optionTypes.get(value.option_id) ?? '',
    }
    return optionOf(named, { value: String(value.id), label: value.label }, choice)
  })
  return {
    ...rest,
    // Modifiers may take more off than it costs.
    price: larger(unitsOf(price) + extra(unitsOf(price)), 0n),
    fixed_shipping_cost: fixed_cost_shipping_price,
    product_options: [...options, ...modified].map((option, i) => ({ ...option, id: i + 1 })),
  }
}

function variantOf({ variant_id = 0 }: NewLine, { variants }: SoldProduct, choices: readonly Selection[]) {
  if (variant_id > 0) return variants.find((variant) => variant.variant_id === variant_id)
  const isMeant = ({ option_values }: SoldVariant) =>
    option_values.every((value) =>
      choices.some(({ id, value: named }) => id === value.option_id && named === String(value.id)),
    )
  // A product without options has one variant, of no values.
  return variants.filter(isMeant).sort((one, other) => other.option_values.length - one.option_values.length)[0]
}

/**
 * What was chosen beside the variant, and what that adds to its price. Options and modifiers count their ids apart: where the choices
 * tell the variant, the first that fits an option is about it; where the variant is named, what fits a modifier is about that.
 */
function modifiersOf(
  { option_values }: SoldVariant,
  { modifiers }: SoldProduct,
  { choices, isNamed }: { choices: readonly LineChoice[]; isNamed: boolean },
  at: At,
  mistakes: Mistakes,
) {
  const ofOptions = new Set(
    option_values.map(({ id, option_id }) =>
      choices.findIndex((choice) => choice.id === option_id && choice.value === String(id)),
    ),
  )
  const modified: LineOption[] = []
  const extras: ((price: Units) => Units)[] = []
  const done = new Set<number>()
  for (const [i, choice] of choices.entries()) {
    const modifier = modifiers.find(({ id }) => id === choice.id)
    if (ofOptions.has(i) && !(isNamed && modifier && takes(modifier, choice))) continue
    const field = (name: string) => at(`product_options.${i}.${name}`)
    if (!modifier) {
      mistakes[field('id')] = `The product has no option ${choice.id} with this value.`
      continue
    }
    if (done.has(modifier.id)) mistakes[field('id')] = 'Another entry is about this option.'
    done.add(modifier.id)
    const value = modifier.values.find(({ id }) => String(id) === choice.value)
    if (!value && !isWritten(modifier)) {
      mistakes[field('value')] = `${modifier.display_name} has no value ${choice.value}.`
      continue
    }
    const adjuster = value?.adjusters.price
    if (adjuster) extras.push(adding(adjuster))
    const named = { id: modifier.id, name: modifier.display_name, type: modifier.type }
    modified.push(optionOf(named, { value: choice.value, label: value?.label ?? choice.value }, choice))
  }
  const unchosen = modifiers.filter(({ id, required }) => required && !done.has(id))
  if (unchosen.length > 0) {
    mistakes[at('product_options')] ??= `Needed: ${unchosen.map(({ display_name }) => display_name).join(', ')}.`
  }
  return { modified, extra: (price: Units) => extras.reduce((sum, add) => sum + add(price), 0n) }
}

const takes = (modifier: SoldModifier, { value }: Selection) =>
  isWritten(modifier) || modifier.values.some(({ id }) => String(id) === value)

/** Whether the customer writes something, in place of choosing a value. */
const isWritten = ({ type }: SoldModifier) => WRITTEN.has(type)
const WRITTEN = new Set(['date', 'file', 'text', 'multi_line_text', 'numbers_only_text'])

const PERCENT = unitsOf(100)

const adding =
  ({ adjuster, adjuster_value }: { adjuster: 'relative' | 'percentage'; adjuster_value: number }) =>
  (price: Units): Units =>
    adjuster === 'relative' ? unitsOf(adjuster_value) : ratio(price, unitsOf(adjuster_value), PERCENT)

/** How the older family calls the types of options. */
const TYPES: Readonly<Record<string, string>> = {
  checkbox: 'Checkbox',
  date: 'Date field',
  file: 'File Upload',
  multi_line_text: 'Multi-line text field',
  product_list: 'Product Pick List',
  product_list_with_images: 'Product Pick List',
  swatch: 'Swatch',
  radio_buttons: 'Multiple choice',
  rectangles: 'Multiple choice',
  dropdown: 'Multiple choice',
}
const STYLES: Readonly<Record<string, string>> = {
  radio_buttons: 'Radio Buttons',
  rectangles: 'Rectangle',
  dropdown: 'Dropdown',
}

function optionOf(
  { id, name, type }: { id: number; name: string; type: string },
  { value, label }: { value: string; label: string },
  choice: LineChoice | undefined,
): LineOption {
  const display_name = choice?.display_name ?? name
  const display_value = choice?.display_value ?? label
  return {
    id: 0,
    option_id: id,
    order_product_id: 0,
    product_option_id: id,
    display_name,
    display_value,
    value,
    type: TYPES[type] ?? 'Text field',
    name,
    display_style: STYLES[type] ?? '',
    display_name_customer: choice?.display_name_customer ?? display_name,
    display_name_merchant: choice?.display_name_merchant ?? display_name,
    display_value_customer: choice?.display_value_customer ?? display_value,
    display_value_merchant: choice?.display_value_merchant ?? display_value,
  }
}

/** The names of a line: a new name is that for customer and merchant too, unless they are told others. */
function namesOf(
  { name, name_customer, name_merchant, upc, sku }: NewLine,
  what: { name: string; upc: string; sku: string; product_id: number },
  before?: LineRow,
) {
  const called = name ?? what.name
  const kept = before !== undefined && called === before.name
  return {
    name: called,
    name_customer: name_customer ?? (kept ? before.name_customer : called),
    name_merchant: name_merchant ?? (kept ? before.name_merchant : called),
    upc: upc ?? what.upc,
    // The SKU of what the catalog sells is the catalog's.
    sku: what.product_id > 0 ? what.sku : (sku ?? what.sku),
  }
}

/** Prices as they are given, or that of the catalog, of which there is no tax yet. */
function pricesOf({ price_ex_tax, price_inc_tax }: NewLine, price: Units) {
  const ex = price_ex_tax ?? amountOf(price)
  return { base_price: ex, price_ex_tax: ex, price_inc_tax: price_inc_tax ?? ex }
}

/** Wrapping is told by what it costs for one, and stored by what it costs for all (docs/contract/orders.md section 4). */
function wrappingOf(
  input: NewLine,
  before: Pick<LineDraft, 'quantity' | 'wrapping_id' | 'wrapping_name' | 'wrapping_message'> & WrappingCost,
  quantity: number,
  at: At,
  mistakes: Mistakes,
) {
  const { wrapping_cost_ex_tax: ex, wrapping_cost_inc_tax: inc } = input
  const id = input.wrapping_id ?? before.wrapping_id
  refuseHalf('wrapping_cost_ex_tax', ex, 'wrapping_cost_inc_tax', inc, at, mistakes)
  if (id === 0) {
    if ((ex ?? 0) > 0 || (inc ?? 0) > 0) mistakes[at('wrapping_id')] = MISSING
    const { wrapping_id, wrapping_name, wrapping_message, wrapping_cost_ex_tax, wrapping_cost_inc_tax } = blank
    return { wrapping_id, wrapping_name, wrapping_message, wrapping_cost_ex_tax, wrapping_cost_inc_tax }
  }
  if (before.wrapping_id === 0 && ex === undefined) {
    mistakes[at('wrapping_cost_ex_tax')] = 'Wrapping needs wrapping_cost_ex_tax and wrapping_cost_inc_tax.'
  }
  const all = (given: number | undefined, was: number): Units =>
    given === undefined
      ? ratio(unitsOf(was), BigInt(quantity), BigInt(Math.max(1, before.quantity)))
      : unitsOf(given) * BigInt(quantity)
  const [allEx, allInc] = [all(ex, before.wrapping_cost_ex_tax), all(inc, before.wrapping_cost_inc_tax)]
  if (larger(allEx, allInc) > UNITS_MAX) {
    mistakes[at('wrapping_cost_inc_tax')] = `Wrapping of a product can cost at most ${amountOf(UNITS_MAX)}.`
  }
  return {
    wrapping_id: id,
    wrapping_name: input.wrapping_name ?? before.wrapping_name,
    wrapping_message: input.wrapping_message ?? before.wrapping_message,
    wrapping_cost_ex_tax: amountOf(allEx),
    wrapping_cost_inc_tax: amountOf(allInc),
  }
}

type WrappingCost = Pick<LineDraft, 'wrapping_cost_ex_tax' | 'wrapping_cost_inc_tax'>
