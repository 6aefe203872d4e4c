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
import type { ItemCheck } from '../../../core/rest/input/mistakes.ts'
import { unknownId } from '../../../core/rest/problem.ts'
import type { Selection, SoldModifier, SoldProduct, SoldVariant, WantedThing } from '../../../goods/catalog/sold.ts'
import type { PayingCurrency } from '../../pricing/calculation/price-of.ts'
import type { LineOption, LineRow } from '../row/rows.ts'
import type { LineChoice, NewLine } from './bodies.ts'

/** A line of an order to store. A new one has no id. */
export type LineDraft = Omit<LineRow, 'id' | 'order_id'> & { id?: number }

/** The variant and the modifier values of a line, which decide about its price. */
interface LineSelection {
  variantId: number
  /** By modifier. */
  values: ReadonlyMap<number, number>
}

/** A line whose input is valid. With a selection its prices are still to be calculated. */
export interface CheckedLine {
  line: LineDraft
  selection?: LineSelection
}

/** The product to look up for a line; undefined for a custom product. */
export function thingOf({ product_id = 0, variant_id = 0, product_options = [] }: NewLine): WantedThing | undefined {
  if (product_id === 0) return undefined
  return {
    product_id,
    variant_id,
    choices: product_options.map((choice) => ({ id: optionIdOf(choice), value: choice.value })),
  }
}

/** Converts the costs of products to the currency of an order, rounded to its decimals. Prices are calculated by `prices.ts`. */
export function inCurrency(
  sold: ReadonlyMap<number, SoldProduct>,
  { rate, one, decimals }: PayingCurrency,
): ReadonlyMap<number, SoldProduct> {
  if (rate === one) return sold
  // No total includes these amounts, so no check of a total refuses one that its column can't hold.
  const exchanged = (amount: number) =>
    amountOf(smaller(ratio(unitsOf(amount), rate, one, minorUnit(decimals)), UNITS_MAX))
  return new Map(
    [...sold].map(([id, product]) => [
      id,
      {
        ...product,
        variants: product.variants.map((variant) => ({
          ...variant,
          cost_price: exchanged(variant.cost_price),
          fixed_cost_shipping_price: exchanged(variant.fixed_cost_shipping_price),
        })),
      },
    ]),
  )
}

/** The columns of a line whose prices are given. */
const GIVEN = { taxed_by: null, total_ex_tax: null, total_inc_tax: null, discounted_ex_tax: null } as const

const blank = {
  order_address_id: 0,
  order_pickup_method_id: 0,
  quantity_shipped: 0,
  quantity_refunded: 0,
  discount: 0,
  discounted_tax: 0,
  ...GIVEN,
  refund_amount: 0,
  wrapping_id: 0,
  wrapping_name: null,
  wrapping_message: '',
  wrapping_cost_ex_tax: 0,
  wrapping_cost_inc_tax: 0,
  applied_discounts: null,
  gift_certificate_id: null,
  recipient_email: '',
} as const

/** The columns that a custom product does not take from the catalog. */
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
 * Makes a new line; undefined if it has a mistake.
 * @param sold the product that it names
 */
export function newLine(input: NewLine, sold: SoldProduct | undefined, check: ItemCheck): CheckedLine | undefined {
  const { at, mistakes } = check
  const before = Object.keys(mistakes).length
  const quantity = input.quantity ?? (input.product_id ? 1 : 0)
  if (quantity === 0) mistakes[at('quantity')] = input.quantity === undefined ? MISSING : 'quantity must be at least 1.'
  refuseIncompletePair('price', input.price_ex_tax, input.price_inc_tax, check)
  const wrapping = wrappingOf(input, { ...blank, quantity }, quantity, check)
  const item = input.product_id ? catalogItem(input, sold, check) : customItem(input, check)
  if (Object.keys(mistakes).length > before || !item) return undefined
  const { columns } = item
  return {
    line: { ...blank, ...columns, ...namesOf(input, columns), ...givenPrices(input), ...wrapping, quantity },
    ...unlessPriced(input, item),
  }
}

/**
 * Applies changes to a line; undefined if they have a mistake.
 * @param sold the product that it becomes, if the changes name another one
 */
export function changedLine(
  line: LineRow,
  input: NewLine,
  sold: SoldProduct | undefined,
  check: ItemCheck,
): CheckedLine | undefined {
  const { at, mistakes } = check
  const before = Object.keys(mistakes).length
  const quantity = input.quantity ?? line.quantity
  const least = Math.max(line.quantity_shipped, line.quantity_refunded)
  if (quantity < least) mistakes[at('quantity')] = `${least} of it were shipped or refunded already.`
  refuseIncompletePair('price', input.price_ex_tax, input.price_inc_tax, check)
  const wrapping = wrappingOf(input, line, quantity, check)
  const isReplaced = namesAnotherItem(line, input)
  if (isReplaced && least > 0) mistakes[at('product_id')] = USED
  const item = isReplaced ? catalogItem(input, sold, check) : undefined
  if (Object.keys(mistakes).length > before) return undefined
  const columns = item?.columns ?? {}
  // Prices that are sent back as they were read leave a line with its taxes.
  const isPriceChanged = PRICES.some((price) => input[price] !== undefined && input[price] !== line[price])
  return {
    line: {
      ...line,
      ...columns,
      ...namesOf(input, { ...line, ...columns }, line),
      ...(item || isPriceChanged ? { ...givenPrices(input), ...GIVEN } : {}),
      ...wrapping,
      ...(item || isPriceChanged || quantity !== line.quantity ? discountsDropped(line) : {}),
      quantity,
    },
    ...(item ? unlessPriced(input, item) : {}),
  }
}

/** A changed line loses its own discounts. A share of the discounts of the order is calculated again. */
const discountsDropped = ({ applied_discounts }: LineRow) =>
  applied_discounts === null ? {} : { applied_discounts: [], discount: 0 }

const PRICES = ['price_ex_tax', 'price_inc_tax'] as const

/** Whether changes name another product, variant or options. A client may send a line back as it was read. */
export function namesAnotherItem(line: LineRow, { product_id, variant_id, product_options }: NewLine): boolean {
  return (
    (product_id !== undefined && product_id !== line.product_id) ||
    (variant_id !== undefined && variant_id !== line.variant_id) ||
    (product_options !== undefined && !areSameOptions(product_options, line.product_options))
  )
}

/** Whether choices have the values and the display names that the line has. */
const areSameOptions = (choices: readonly LineChoice[], options: readonly LineOption[]): boolean =>
  choices.length === options.length &&
  choices.every((choice) =>
    options.some(
      (option) =>
        option.product_option_id === optionIdOf(choice) &&
        option.value === choice.value &&
        DISPLAY_NAMES.every((name) => choice[name] === undefined || choice[name] === option[name]),
    ),
  )

const DISPLAY_NAMES = [
  'display_name',
  'display_name_customer',
  'display_name_merchant',
  'display_value',
  'display_value_customer',
  'display_value_merchant',
] as const

/** The product option of a choice. In answers it is `product_option_id`, and `id` numbers the options of the line. */
const optionIdOf = ({ id, product_option_id = id }: LineChoice): number => product_option_id

/** The reason why a line can't be replaced or removed. */
export const USED = 'It was shipped or refunded already.'
const MISSING = 'error.path.missing'

/**
 * Refuses one amount of a pair without the other, and an amount with tax that is less than the one without
 * (docs/contract/orders.md section 4).
 * @param pair the name of both amounts without `_ex_tax` and `_inc_tax`
 */
export function refuseIncompletePair(
  pair: string,
  ex: number | undefined,
  inc: number | undefined,
  { at, mistakes }: ItemCheck,
) {
  if (ex === undefined && inc === undefined) return
  const [exField, incField] = [`${pair}_ex_tax`, `${pair}_inc_tax`]
  if (ex === undefined) mistakes[at(exField)] = `Send ${exField} and ${incField} together.`
  else if (inc === undefined) mistakes[at(incField)] = `Send ${exField} and ${incField} together.`
  else if (inc < ex) mistakes[at(incField)] = `${incField} must not be less than ${exField}.`
}

function customItem({ name, price_ex_tax, price_inc_tax, sku = '', upc = '' }: NewLine, { at, mistakes }: ItemCheck) {
  if (name === undefined) mistakes[at('name')] = MISSING
  if (price_ex_tax === undefined) mistakes[at('price_ex_tax')] ??= MISSING
  if (price_inc_tax === undefined) mistakes[at('price_inc_tax')] ??= MISSING
  return { columns: { ...custom, product_options: [], name: name ?? '', sku, upc }, selection: undefined }
}

/** The columns that a line takes from the catalog, and its selection. */
function catalogItem(input: NewLine, sold: SoldProduct | undefined, check: ItemCheck) {
  const { at, mistakes } = check
  if (!sold) {
    mistakes[at('product_id')] = unknownId('product', input.product_id ?? 0)
    return undefined
  }
  const choices = (input.product_options ?? []).map((choice) => ({ ...choice, id: optionIdOf(choice) }))
  const variant = variantOf(input, sold, choices)
  if (!variant) {
    if (input.variant_id) mistakes[at('variant_id')] = `The product has no variant ${input.variant_id}.`
    else mistakes[at('product_options')] = 'Send the variant_id, or a value for each option of the product.'
    return undefined
  }
  const isVariantNamed = (input.variant_id ?? 0) > 0
  const { modified, values } = modifiersOf(variant, sold, { choices, isVariantNamed }, check)
  const { option_values, fixed_cost_shipping_price, ...rest } = variant
  const options = option_values.map((value) => {
    const choice = choices.find(({ id }) => id === value.option_id)
    const option = {
      id: value.option_id,
      name: value.option_display_name,
      type: sold.optionTypes.get(value.option_id) ?? '',
    }
    return optionOf(option, { value: String(value.id), label: value.label }, choice)
  })
  const columns = {
    ...rest,
    fixed_shipping_cost: fixed_cost_shipping_price,
    product_options: [...options, ...modified].map((option, i) => ({ ...option, id: i + 1 })),
  }
  return { columns, selection: { variantId: variant.variant_id, values } }
}

function variantOf({ variant_id = 0 }: NewLine, { variants }: SoldProduct, choices: readonly Selection[]) {
  if (variant_id > 0) return variants.find((variant) => variant.variant_id === variant_id)
  const isChosen = ({ option_values }: SoldVariant) =>
    option_values.every((value) =>
      choices.some((choice) => choice.id === value.option_id && choice.value === String(value.id)),
    )
  // A product without options has one variant, which has no values.
  return variants.filter(isChosen).sort((one, other) => other.option_values.length - one.option_values.length)[0]
}

/**
 * The modifiers of a line, and their chosen values. An option and a modifier can have the same id. A choice that fits both is for the
 * option if the choices select the variant, and for the modifier if the body names the variant.
 */
function modifiersOf(
  { option_values }: SoldVariant,
  { modifiers }: SoldProduct,
  { choices, isVariantNamed }: { choices: readonly LineChoice[]; isVariantNamed: boolean },
  { at, mistakes }: ItemCheck,
) {
  const ofOptions = new Set(
    option_values.map(({ id, option_id }) =>
      choices.findIndex((choice) => choice.id === option_id && choice.value === String(id)),
    ),
  )
  const modified: LineOption[] = []
  const values = new Map<number, number>()
  const done = new Set<number>()
  for (const [i, choice] of choices.entries()) {
    const modifier = modifiers.find(({ id }) => id === choice.id)
    if (ofOptions.has(i) && !(isVariantNamed && modifier && accepts(modifier, choice))) continue
    const field = (name: string) => at(`product_options.${i}.${name}`)
    if (!modifier) {
      mistakes[field('id')] = `The product has no option ${choice.id} with this value.`
      continue
    }
    if (done.has(modifier.id)) mistakes[field('id')] = 'Another entry is about this option.'
    done.add(modifier.id)
    const value = modifier.values.find(({ id }) => String(id) === choice.value)
    if (!value && !hasFreeText(modifier)) {
      mistakes[field('value')] = `${modifier.display_name} has no value ${choice.value}.`
      continue
    }
    if (value) values.set(modifier.id, value.id)
    const option = { id: modifier.id, name: modifier.display_name, type: modifier.type }
    modified.push(optionOf(option, { value: choice.value, label: value?.label ?? choice.value }, choice))
  }
  const unchosen = modifiers.filter(({ id, required }) => required && !done.has(id))
  if (unchosen.length > 0) {
    mistakes[at('product_options')] ??= `Required: ${unchosen.map(({ display_name }) => display_name).join(', ')}.`
  }
  return { modified, values }
}

const accepts = (modifier: SoldModifier, { value }: Selection) =>
  hasFreeText(modifier) || modifier.values.some(({ id }) => String(id) === value)

/** Whether the customer enters a text instead of selecting a value. */
const hasFreeText = ({ type }: SoldModifier) => FREE_TEXT_TYPES.has(type)
const FREE_TEXT_TYPES = new Set(['date', 'file', 'text', 'multi_line_text', 'numbers_only_text'])

/** Names of the types of options in the v2 API. */
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

/** The names of a line. A new name is also the name for customer and merchant, unless the input has others. */
function namesOf(
  { name, name_customer, name_merchant, upc, sku }: NewLine,
  item: { name: string; upc: string; sku: string; product_id: number },
  before?: LineRow,
) {
  const newName = name ?? item.name
  const isSame = before !== undefined && newName === before.name
  return {
    name: newName,
    name_customer: name_customer ?? (isSame ? before.name_customer : newName),
    name_merchant: name_merchant ?? (isSame ? before.name_merchant : newName),
    upc: upc ?? item.upc,
    // The catalog alone decides the SKU of its products.
    sku: item.product_id > 0 ? item.sku : (sku ?? item.sku),
  }
}

/** The prices of the input. Without them they are 0 until they are calculated. */
const givenPrices = ({ price_ex_tax = 0, price_inc_tax = 0 }: NewLine) => ({
  base_price: price_ex_tax,
  price_ex_tax,
  price_inc_tax,
})

/** The selection of a line without given prices. */
const unlessPriced = ({ price_ex_tax }: NewLine, { selection }: { selection: LineSelection | undefined }) =>
  price_ex_tax === undefined && selection ? { selection } : {}

/** The wrapping of a line. Bodies have its cost for a unit, rows for all units (docs/contract/orders.md section 4). */
function wrappingOf(
  input: NewLine,
  before: Pick<LineDraft, 'quantity' | 'wrapping_id' | 'wrapping_name' | 'wrapping_message'> & WrappingCost,
  quantity: number,
  check: ItemCheck,
) {
  const { at, mistakes } = check
  const { wrapping_cost_ex_tax: ex, wrapping_cost_inc_tax: inc } = input
  const id = input.wrapping_id ?? before.wrapping_id
  refuseIncompletePair('wrapping_cost', ex, inc, check)
  if (id === 0) {
    if ((ex ?? 0) > 0 || (inc ?? 0) > 0) mistakes[at('wrapping_id')] = MISSING
    const { wrapping_id, wrapping_name, wrapping_message, wrapping_cost_ex_tax, wrapping_cost_inc_tax } = blank
    return { wrapping_id, wrapping_name, wrapping_message, wrapping_cost_ex_tax, wrapping_cost_inc_tax }
  }
  if (before.wrapping_id === 0 && ex === undefined) {
    mistakes[at('wrapping_cost_ex_tax')] = 'Wrapping needs wrapping_cost_ex_tax and wrapping_cost_inc_tax.'
  }
  const all = (perUnit: number | undefined, storedCost: number): Units =>
    perUnit === undefined
      ? ratio(unitsOf(storedCost), BigInt(quantity), BigInt(Math.max(1, before.quantity)))
      : unitsOf(perUnit) * BigInt(quantity)
  const [allEx, allInc] = [all(ex, before.wrapping_cost_ex_tax), all(inc, before.wrapping_cost_inc_tax)]
  if (larger(allEx, allInc) > UNITS_MAX) {
    mistakes[at('wrapping_cost_inc_tax')] = `The wrapping of a product can cost at most ${amountOf(UNITS_MAX)}.`
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
