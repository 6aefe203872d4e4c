import { isDeepStrictEqual } from 'node:util'
import t, { type Static, type TSchema } from 'typebox'
import { parseDate, toSeconds } from '../../../core/rest/input/dates.ts'
import { ID_MAX, Id, NeededLine, nullable, Text } from '../../../core/rest/input/fields.ts'
import { hasAny, type Mistakes, refuse } from '../../../core/rest/input/mistakes.ts'
import { isSamePicture } from '../../../core/rest/input/picture-addresses.ts'
import { fold } from '../../../core/rest/lists/fold.ts'

// The rules of options and modifiers that need no database: types, configuration, values and their data
// (docs/contract/catalog.md section 2, docs/contract/options.md).

/** Values of one option or modifier (docs/contract/limits.md section 2). */
export const VALUES_MAX = 250

export const optionTypes = [
  'radio_buttons',
  'rectangles',
  'dropdown',
  'product_list',
  'product_list_with_images',
  'swatch',
] as const
export const modifierTypes = [
  'date',
  'checkbox',
  'file',
  'text',
  'multi_line_text',
  'numbers_only_text',
  ...optionTypes,
] as const
export type ChoiceType = (typeof modifierTypes)[number]

const Texts = t.Array(t.String({ maxLength: 255 }), { maxItems: 250 })
const Count = t.Integer({ minimum: 0, maximum: 2_147_483_647 })
const Day = t.String({ format: 'date-time' })

/** The configuration of a choice: its presentation and its bounds. Each type has some of these fields. */
const Fields = t.Partial(
  t.Object({
    default_value: Text,
    checked_by_default: t.Boolean(),
    checkbox_label: Text,
    date_limited: t.Boolean(),
    date_limit_mode: t.Enum(['earliest', 'range', 'latest']),
    date_earliest_value: Day,
    date_latest_value: Day,
    file_types_mode: t.Enum(['specific', 'all']),
    file_types_supported: Texts,
    file_types_other: Texts,
    file_max_size: Count,
    text_characters_limited: t.Boolean(),
    text_min_length: Count,
    text_max_length: Count,
    text_lines_limited: t.Boolean(),
    text_max_lines: Count,
    number_limited: t.Boolean(),
    number_limit_mode: t.Enum(['lowest', 'highest', 'range']),
    number_lowest_value: t.Number(),
    number_highest_value: t.Number(),
    number_integers_only: t.Boolean(),
    product_list_adjusts_inventory: t.Boolean(),
    product_list_adjusts_pricing: t.Boolean(),
    product_list_shipping_calc: t.Enum(['none', 'weight', 'package']),
  }),
)
/** An empty configuration is `[]`, as in the public samples: clients with typed models can't read `{}` there. */
export type ChoiceConfig = Static<typeof Fields> | never[]
export const ChoiceConfig = t.Unsafe<ChoiceConfig>({ ...Fields, type: ['object', 'array'], maxItems: 0 })

/** A null removes a field. An array of any content means no configuration. */
export type ChoiceConfigInput =
  | { [Field in keyof Static<typeof Fields>]: Static<typeof Fields>[Field] | null }
  | unknown[]
export const ChoiceConfigInput = t.Unsafe<ChoiceConfigInput>({
  ...Fields,
  properties: Object.fromEntries(Object.entries(Fields.properties).map(([field, schema]) => [field, orNull(schema)])),
  type: ['object', 'array'],
})

function orNull(schema: TSchema): TSchema {
  const { type, enum: choices }: { type?: string; enum?: unknown[] } = schema
  return { ...schema, ...(type && { type: [type, 'null'] }), ...(choices && { enum: [...choices, null] }) }
}

const dateConfig = ['default_value', 'date_limited', 'date_limit_mode', 'date_earliest_value', 'date_latest_value']
const fileConfig = ['file_types_mode', 'file_types_supported', 'file_types_other', 'file_max_size']
const textConfig = ['default_value', 'text_characters_limited', 'text_min_length', 'text_max_length']
const numberConfig = [
  'default_value',
  'number_limited',
  'number_limit_mode',
  'number_lowest_value',
  'number_highest_value',
  'number_integers_only',
]
const listConfig = ['product_list_adjusts_inventory', 'product_list_adjusts_pricing', 'product_list_shipping_calc']

const configOf: Readonly<Record<ChoiceType, readonly string[]>> = {
  date: dateConfig,
  checkbox: ['checked_by_default', 'checkbox_label'],
  file: fileConfig,
  text: textConfig,
  multi_line_text: [...textConfig, 'text_lines_limited', 'text_max_lines'],
  numbers_only_text: numberConfig,
  radio_buttons: [],
  rectangles: [],
  dropdown: [],
  product_list: listConfig,
  product_list_with_images: listConfig,
  swatch: [],
}

/**
 * Merges a request into the configuration. Missing fields stay, null removes a field, and fields of other types are dropped.
 */
export function mergeConfig(type: ChoiceType, before: ChoiceConfig, given: ChoiceConfigInput = []): ChoiceConfig {
  const merged = Object.entries({ ...before, ...given })
  const kept = merged.filter(([key, value]) => configOf[type].includes(key) && value !== undefined && value !== null)
  if (kept.length === 0) return []
  return Object.fromEntries(kept.map(([key, value]) => [key, isDay(key) ? inUtc(String(value)) : value]))
}

const isDay = (key: string) => key === 'date_earliest_value' || key === 'date_latest_value'

function inUtc(text: string) {
  const moment = parseDate(text)
  return moment ? toSeconds(moment.at) : text
}

export const Name = NeededLine

/** The data of a value, by the type of the choice: colors or image_url, product_id, or checked_value. */
export const ValueData = nullable(
  t.Partial(
    t.Object({ colors: t.Array(t.String()), image_url: t.String(), product_id: Id, checked_value: t.Boolean() }),
  ),
)
/** Checked by the type of the choice: fields of other types are dropped unread. Clients also send `[]` here. */
export const ValueDataInput = t.Unsafe<object | null>({
  ...t.Object({}, { additionalProperties: true }),
  type: ['object', 'array', 'null'],
})

/** The fields of a value in a request. */
export interface ValueInput {
  id?: number
  label?: string
  sort_order?: number
  is_default?: boolean
  value_data?: object | null
  adjusters?: AdjustersInput
}

/** A value of an option or modifier. Only modifiers have adjusters. */
export interface ChoiceValue {
  id: number
  label: string
  sort_order: number
  value_data: object | null
  is_default: boolean
  adjusters?: Adjusters
}

/** A value to be stored. A new one has no id. */
export type ValueDraft = Omit<ChoiceValue, 'id'> & { id?: number }

/** The data against which values are checked: their choice, and the existing products. */
export interface ValueRules {
  type: ChoiceType
  /** The product that the choice belongs to. It can't be an item of its own list. */
  product_id: number
  /** Ids of the products that the request names and that the store has. */
  products: ReadonlySet<number>
  hasAdjusters: boolean
}

/** Records a mistake at a field of one value. Only the first mistake of a field is kept. */
type Report = (field: string, sentence: string) => void

/** A value in a request, and the stored value that it changes, if any. */
interface ValueItem {
  input: ValueInput
  old: ChoiceValue | undefined
  report: Report
}

/**
 * The values of a choice after a request that gives the whole list of them. Stored values that it does not name are left out.
 * @param mistakes further mistakes of the request, reported together with those of the values
 * @returns the values in the order of the request
 * @throws Problem 422 with all mistakes
 */
export function replaceValues(
  rules: ValueRules,
  before: readonly ChoiceValue[],
  inputs: readonly ValueInput[],
  mistakes: Mistakes = {},
): ValueDraft[] {
  const found = { ...mistakes }
  if (inputs.length > 0 && !hasValues(rules.type)) found.option_values = noValues(rules)
  const items = itemsOf(rules, before, inputs, found)
  const values = mergeItems(rules, [], items)
  if (!hasAny(found) && !isCheckedOnce(rules, values)) {
    const last = items.at(-1)
    const checked = items[values.findLastIndex(isChecked)]
    const culprit = checked ?? last
    if (culprit) culprit.report('value_data.checked_value', CHECKED_ONCE)
    else found.option_values = CHECKED_ONCE
  }
  refuse(found)
  return values
}

/**
 * The values of a choice after a request for one of them: a new value, or with an id the change of a current one.
 * @returns the other values, then the one of the request
 * @throws Problem 422 with all mistakes
 */
export function putValue(rules: ValueRules, before: readonly ChoiceValue[], input: ValueInput): ValueDraft[] {
  const found: Mistakes = {}
  const report: Report = (field, sentence) => {
    found[field] ??= sentence
  }
  if (!hasValues(rules.type)) found[''] = noValues(rules)
  const old = before.find(({ id }) => id === input.id)
  if (input.id !== undefined && !old) report('id', `There is no value ${input.id} here.`)
  const others = before.filter((value) => value !== old)
  const values = mergeItems(rules, others, [{ input, old, report }])
  if (!hasAny(found) && !isCheckedOnce(rules, values)) report('value_data.checked_value', CHECKED_ONCE)
  refuse(found)
  return values
}

const noValues = ({ type }: ValueRules) => `The type ${type} has no values.`
const CHECKED_ONCE = 'A checkbox needs exactly one checked value.'

const isCheckedOnce = ({ type }: ValueRules, values: readonly ValueDraft[]) =>
  type !== 'checkbox' || values.filter(isChecked).length === 1

/** The items of a list, each with the stored value that it names: by its id, or by its label if it has no id. */
function itemsOf(
  { hasAdjusters }: ValueRules,
  before: readonly ChoiceValue[],
  inputs: readonly ValueInput[],
  mistakes: Mistakes,
): ValueItem[] {
  const known = new Map(before.map((value) => [value.id, value]))
  const unnamed = unnamedOf(before, inputs)
  const named = new Set<number>()
  return inputs.map((input, i) => {
    const report: Report = (field, sentence) => {
      mistakes[`option_values.${i}.${field}`] ??= sentence
    }
    const old = input.id === undefined ? takeFrom(unnamed, fold(input.label ?? '')) : known.get(input.id)
    if (input.id !== undefined && !old) report('id', `There is no value ${input.id} here.`)
    if (old && named.has(old.id)) report('id', `The value ${old.id} is repeated.`)
    if (old) named.add(old.id)
    // A new value in the list of a modifier defaults its sort_order to its position.
    const isPlaced = hasAdjusters && old === undefined
    return { input: isPlaced ? { sort_order: i, ...input } : input, old, report }
  })
}

/** Merges items with the values that they change, and checks them together with the others. @returns the others, then the items */
function mergeItems(rules: ValueRules, others: readonly ChoiceValue[], items: readonly ValueItem[]): ValueDraft[] {
  const merged = items.map((item) => mergeValue(rules, item))
  const values = [...others.map((value): ValueDraft => ({ ...value })), ...merged]

  const [preselected, second] = items.flatMap(({ input }, i) => (input.is_default ? [i] : []))
  if (second !== undefined) items[second]?.report('is_default', 'Only one value can be the default.')
  if (preselected !== undefined) for (const value of values) value.is_default = value === merged[preselected]

  const labels = new Set(others.map(({ label }) => fold(label)))
  for (const [i, { label }] of merged.entries()) {
    if (labels.has(fold(label))) items[i]?.report('label', 'Another value here has this label.')
    labels.add(fold(label))
  }
  return values
}

/** The stored values whose ids a list does not name, by their labels. A client that sends a list without ids means these. */
function unnamedOf(before: readonly ChoiceValue[], given: readonly ValueInput[]): Map<string, ChoiceValue> {
  const ids = new Set(given.map(({ id }) => id))
  return new Map(before.filter(({ id }) => !ids.has(id)).map((value) => [fold(value.label), value]))
}

function takeFrom(values: Map<string, ChoiceValue>, label: string): ChoiceValue | undefined {
  const value = values.get(label)
  values.delete(label)
  return value
}

/** Whether shoppers choose from values. They fill in other types, such as texts and dates. */
const hasValues = (type: ChoiceType) => type === 'checkbox' || optionTypes.some((known) => known === type)

/** Fields that the request leaves out stay as they are. A new value needs a label and a sort_order. */
function mergeValue(rules: ValueRules, { input, old, report }: ValueItem): ValueDraft {
  const { label = old?.label, sort_order = old?.sort_order, is_default = old?.is_default ?? false } = input
  if (label === undefined) report('label', 'error.path.missing')
  if (sort_order === undefined) report('sort_order', 'error.path.missing')
  if (input.is_default && rules.type === 'swatch') report('is_default', 'A value of a swatch cannot be the default.')
  // Data that is sent back as it was read is no change, even if the product that it names was deleted since.
  const keepsData = old && (input.value_data === undefined || isDeepStrictEqual(input.value_data, old.value_data))
  return {
    ...(old ? { id: old.id } : {}),
    label: label ?? '',
    sort_order: sort_order ?? 0,
    value_data: keepsData ? old.value_data : valueData(rules, input.value_data, report),
    is_default,
    ...(rules.hasAdjusters ? { adjusters: mergeAdjusters(old?.adjusters, input.adjusters, report) } : {}),
  }
}

/** Whether a value is the checked state of a checkbox. */
export const isChecked = ({ value_data }: Pick<ChoiceValue, 'value_data'>): boolean =>
  value_data !== null && 'checked_value' in value_data && value_data.checked_value === true

/** The two values of a checkbox whose request names none, as the public samples show them. */
export function checkboxValues(config: ChoiceConfig): ValueInput[] {
  const isOn = 'checked_by_default' in config && config.checked_by_default === true
  return [
    { label: 'Yes', sort_order: 0, value_data: { checked_value: true }, is_default: isOn },
    { label: 'No', sort_order: 1, value_data: { checked_value: false }, is_default: !isOn },
  ]
}

/** The data of a value, checked and reduced to the fields of the type. */
function valueData({ type, product_id, products }: ValueRules, given: object | null = null, report: Report) {
  // Clients with typed models send every field that a value may have, and null for those that they did not set.
  const set = Object.entries(given ?? {}).filter(([, item]) => item !== null)
  const { colors, image_url, product_id: item, checked_value }: Record<string, unknown> = Object.fromEntries(set)
  switch (type) {
    case 'swatch':
      return swatchData(colors, image_url, report)
    case 'product_list':
    case 'product_list_with_images':
      if (item === undefined) report('value_data', 'An item of a product list needs a product_id.')
      else if (item === product_id) report('value_data.product_id', 'A product cannot be in its own list.')
      else if (typeof item !== 'number' || !products.has(item)) {
        report('value_data.product_id', `There is no product ${JSON.stringify(item)}.`)
      }
      return { product_id: item }
    case 'checkbox':
      if (checked_value === undefined) report('value_data', 'A value of a checkbox needs checked_value, true or false.')
      else if (typeof checked_value !== 'boolean') report('value_data.checked_value', 'error.expected.jsboolean')
      return { checked_value }
    default:
      return null
  }
}

const COLORS_MAX = 3
const URL_MAX = 2_048

function swatchData(colors: unknown, image_url: unknown, report: Report) {
  if ((colors === undefined) === (image_url === undefined)) {
    report('value_data', 'A value of a swatch needs either colors or an image_url.')
    return null
  }
  if (colors === undefined) {
    if (!isAddress(image_url)) {
      report('value_data.image_url', 'image_url must be an address that begins with http:// or https://.')
    }
    return { image_url }
  }
  if (!Array.isArray(colors) || colors.length < 1 || colors.length > COLORS_MAX) {
    report('value_data.colors', `colors must be a list of 1 to ${COLORS_MAX} colors.`)
    return null
  }
  for (const [i, color] of colors.entries()) {
    if (typeof color === 'string' && /^#(?:[0-9a-f]{3}){1,2}$/i.test(color)) continue
    report(`value_data.colors.${i}`, 'A color is # and 3 or 6 hexadecimal digits.')
  }
  return { colors: colors.map((color) => String(color).toUpperCase()) }
}

const isAddress = (url: unknown) =>
  typeof url === 'string' && url.length <= URL_MAX && /^https?:\/\//i.test(url) && URL.canParse(url)

/** The ids of the products that values name, known or not. */
export function productsNamed(given: readonly ValueInput[]): number[] {
  const ids = given.map(({ value_data }) =>
    value_data && 'product_id' in value_data ? value_data.product_id : undefined,
  )
  return ids.filter((id): id is number => Number.isInteger(id) && Number(id) > 0 && Number(id) <= ID_MAX)
}

/** The amount that a value adds to the price or weight. */
interface Adjuster {
  adjuster: 'relative' | 'percentage'
  adjuster_value: number
}

interface Adjusters {
  price: Adjuster | null
  weight: Adjuster | null
  image_url: string
  purchasing_disabled: { status: boolean; message: string }
}

interface AdjusterInput {
  adjuster?: Adjuster['adjuster'] | null
  adjuster_value?: number | null
}

interface AdjustersInput {
  price?: AdjusterInput | null
  weight?: AdjusterInput | null
  image_url?: string
  purchasing_disabled?: Partial<Adjusters['purchasing_disabled']>
}

/** The adjusters of a value whose request names none, as the public samples show them. */
const noAdjusters: Adjusters = {
  price: null,
  weight: null,
  image_url: '',
  purchasing_disabled: { status: false, message: '' },
}

/** Adjusters that the request leaves out stay as they are. */
function mergeAdjusters(before = noAdjusters, given: AdjustersInput = {}, report: Report): Adjusters {
  const { status, message } = { ...before.purchasing_disabled, ...given.purchasing_disabled }
  const { image_url = before.image_url } = given
  return {
    price: mergeAdjuster('price', before, given, report),
    weight: mergeAdjuster('weight', before, given, report),
    image_url: isSamePicture(image_url, before.image_url) ? before.image_url : image_url,
    purchasing_disabled: { status, message },
  }
}

/** Null if the request clears the adjuster: clients send null, an object with a null `adjuster`, or an empty one. */
function mergeAdjuster(field: 'price' | 'weight', before: Adjusters, given: AdjustersInput, report: Report) {
  const change = given[field]
  if (change === undefined) return before[field]
  if (change === null || change.adjuster === null) return null
  const { adjuster, adjuster_value } = { ...before[field], ...change }
  if (adjuster === undefined && adjuster_value === undefined) return null
  if (adjuster === undefined) report(`adjusters.${field}.adjuster`, 'error.path.missing')
  if (adjuster_value === undefined || adjuster_value === null) {
    report(`adjusters.${field}.adjuster_value`, 'error.path.missing')
  }
  return { adjuster: adjuster ?? 'relative', adjuster_value: adjuster_value ?? 0 }
}
