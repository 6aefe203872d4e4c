import { isDeepStrictEqual } from 'node:util'
import t, { type Static, type TSchema } from 'typebox'
import { parseDate, toSeconds } from '../../core/rest/dates.ts'
import { ID_MAX, Id, nullable } from '../../core/rest/fields.ts'
import { fold } from '../../core/rest/fold.ts'
import { refuse } from '../../core/rest/mistakes.ts'
import { NOT_BLANK } from '../../core/rest/validator.ts'

// What options and modifiers have in common, without the database: types, configuration, values and their data
// (docs/contract/catalog.md section 2, docs/contract/options.md).

/** Of one option or modifier (docs/contract/limits.md). */
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

const Text = t.String({ maxLength: 65_535 })
const Texts = t.Array(t.String({ maxLength: 255 }), { maxItems: 250 })
const Count = t.Integer({ minimum: 0, maximum: 2_147_483_647 })
const Day = t.String({ format: 'date-time' })

/** How a choice is shown and what it accepts; each type has some of these. */
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
/** Nothing of it is `[]`, as the public samples have it: clients with typed models read no `{}` there. */
export type Config = Static<typeof Fields> | never[]
export const Config = t.Unsafe<Config>({ ...Fields, type: ['object', 'array'], maxItems: 0 })

/** A field that is null is to be taken away; what stands in an array is nothing. */
export type GivenConfig = { [Field in keyof Static<typeof Fields>]: Static<typeof Fields>[Field] | null } | unknown[]
export const GivenConfig = t.Unsafe<GivenConfig>({
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

/** The configuration after a change: what is not named stays, what is null goes, and keys of other types are dropped. */
export function mergeConfig(type: ChoiceType, before: Config, given: GivenConfig = []): Config {
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

export const Name = t.String({ minLength: 1, maxLength: 255, pattern: NOT_BLANK })

/** What belongs to a value by its type: colors or image_url, product_id, or checked_value. */
export const ValueData = nullable(
  t.Partial(
    t.Object({ colors: t.Array(t.String()), image_url: t.String(), product_id: Id, checked_value: t.Boolean() }),
  ),
)
/** Judged with the type of the choice: what does not belong to it is dropped, whatever it is. Clients send `[]` here too. */
export const GivenValueData = t.Unsafe<object | null>({
  ...t.Object({}, { additionalProperties: true }),
  type: ['object', 'array', 'null'],
})

/** What a request says of a value. */
export interface GivenValue {
  id?: number
  label?: string
  sort_order?: number
  is_default?: boolean
  value_data?: object | null
  adjusters?: GivenAdjusters
}

/** A value of an option; that of a modifier has adjusters too. */
export interface Value {
  id: number
  label: string
  sort_order: number
  value_data: object | null
  is_default: boolean
  adjusters?: Adjusters
}

/** A value that has no id yet, or one that has. */
export type Draft = Omit<Value, 'id'> & { id?: number }

/** The choice whose values are judged. */
export interface Judged {
  type: ChoiceType
  /** The product that it belongs to, which can't be an item of its own list. */
  product_id: number
  /** Products of the store, as far as the request names them. */
  products: ReadonlySet<number>
  hasAdjusters: boolean
}

/** Says what is wrong with a field. */
type Refuse = (field: string, sentence: string) => void

/**
 * The values of a choice after a change of some or all of them, in no order.
 * @param path `option_values` where the request gives the whole list, so that values which it does not name are gone; empty
 *   where it gives one value and is nothing else
 * @param faults what else is wrong with the request, by path
 * @returns the given ones behind the others, in the order of the request
 * @throws Problem 422 with all faults
 */
export function mergeValues(
  choice: Judged,
  before: readonly Value[],
  given: readonly GivenValue[],
  path: '' | 'option_values',
  faults: Readonly<Record<string, string>> = {},
): Draft[] {
  const errors: Record<string, string> = { ...faults }
  const refuser =
    (index: number): Refuse =>
    (field, sentence) => {
      errors[path === '' ? field : `${path}.${index}.${field}`] ??= sentence
    }
  if (given.length > 0 && !hasValues(choice.type)) {
    errors[path] = `The type ${choice.type} has no values.`
  }

  const known = new Map(before.map((value) => [value.id, value]))
  const unnamed = path === '' ? new Map<string, Value>() : unnamedOf(before, given)
  const named = new Set<number>()
  const merged = given.map((input, i) => {
    const refuse = refuser(i)
    const old = input.id === undefined ? takeFrom(unnamed, fold(input.label ?? '')) : known.get(input.id)
    if (input.id !== undefined && !old) refuse('id', `There is no value ${input.id} here.`)
    if (old && named.has(old.id)) refuse('id', `The value ${old.id} is named twice.`)
    if (old) named.add(old.id)
    // The contract gives the values in a list of a modifier no place of their own.
    const hasPlace = old !== undefined || path === '' || !choice.hasAdjusters
    return mergeValue(choice, old, hasPlace ? input : { sort_order: i, ...input }, refuse)
  })
  const kept = path === '' ? before.filter(({ id }) => !named.has(id)).map((value): Draft => ({ ...value })) : []
  const values = [...kept, ...merged]

  const [preselected, second] = given.flatMap(({ is_default }, i) => (is_default ? [i] : []))
  if (second !== undefined) refuser(second)('is_default', 'Only one value can be the default.')
  if (preselected !== undefined) for (const value of values) value.is_default = value === merged[preselected]

  const labels = new Set(kept.map(({ label }) => fold(label)))
  for (const [i, { label }] of merged.entries()) {
    if (labels.has(fold(label))) refuser(i)('label', 'Another value here has this label.')
    labels.add(fold(label))
  }

  const checked = values.filter(isChecked).length
  if (choice.type === 'checkbox' && checked !== 1 && Object.keys(errors).length === 0) {
    const index = checked === 0 ? merged.length - 1 : merged.findLastIndex(isChecked)
    const sentence = 'Exactly one value of a checkbox is the checked one.'
    if (index < 0) errors[path] = sentence
    else refuser(index)('value_data.checked_value', sentence)
  }

  refuse(errors)
  return values
}

/** Values whose ids a list does not name, by their labels: clients that send a list without ids mean those that are there. */
function unnamedOf(before: readonly Value[], given: readonly GivenValue[]): Map<string, Value> {
  const ids = new Set(given.map(({ id }) => id))
  return new Map(before.filter(({ id }) => !ids.has(id)).map((value) => [fold(value.label), value]))
}

function takeFrom(values: Map<string, Value>, label: string): Value | undefined {
  const value = values.get(label)
  values.delete(label)
  return value
}

/** Whether there is something to choose from; the other types are filled in. */
const hasValues = (type: ChoiceType) => type === 'checkbox' || optionTypes.some((known) => known === type)

/** @param old the value as it is; a new one needs more */
function mergeValue(choice: Judged, old: Value | undefined, given: GivenValue, refuse: Refuse): Draft {
  const { label = old?.label, sort_order = old?.sort_order, is_default = old?.is_default ?? false } = given
  if (label === undefined) refuse('label', 'error.path.missing')
  if (sort_order === undefined) refuse('sort_order', 'error.path.missing')
  if (given.is_default && choice.type === 'swatch') refuse('is_default', 'A value of a swatch can not be the default.')
  // Sent back as it was read it is no change, also where the product that it names is gone by now.
  const keepsData = old && (given.value_data === undefined || isDeepStrictEqual(given.value_data, old.value_data))
  return {
    ...(old ? { id: old.id } : {}),
    label: label ?? '',
    sort_order: sort_order ?? 0,
    value_data: keepsData ? old.value_data : valueData(choice, given.value_data, refuse),
    is_default,
    ...(choice.hasAdjusters ? { adjusters: mergeAdjusters(old?.adjusters, given.adjusters, refuse) } : {}),
  }
}

/** Whether a value is the checked state of a checkbox. */
export const isChecked = ({ value_data }: Pick<Value, 'value_data'>): boolean =>
  value_data !== null && 'checked_value' in value_data && value_data.checked_value === true

/** The two states of a checkbox of which nothing else was said, as the public samples show them. */
export function checkboxValues(config: Config): GivenValue[] {
  const isOn = 'checked_by_default' in config && config.checked_by_default === true
  return [
    { label: 'Yes', sort_order: 0, value_data: { checked_value: true }, is_default: isOn },
    { label: 'No', sort_order: 1, value_data: { checked_value: false }, is_default: !isOn },
  ]
}

/** What a value of this type keeps of its data. */
function valueData({ type, product_id, products }: Judged, given: object | null = null, refuse: Refuse) {
  // Clients with typed models name all that a value may hold, and null is what they have not set.
  const said = Object.entries(given ?? {}).filter(([, item]) => item !== null)
  const { colors, image_url, product_id: item, checked_value }: Record<string, unknown> = Object.fromEntries(said)
  switch (type) {
    case 'swatch':
      return swatchData(colors, image_url, refuse)
    case 'product_list':
    case 'product_list_with_images':
      if (item === undefined) refuse('value_data', 'An item of a product list needs a product_id.')
      else if (item === product_id) refuse('value_data.product_id', 'A product can not be in its own list.')
      else if (typeof item !== 'number' || !products.has(item)) {
        refuse('value_data.product_id', `There is no product ${JSON.stringify(item)}.`)
      }
      return { product_id: item }
    case 'checkbox':
      if (checked_value === undefined) refuse('value_data', 'A value of a checkbox needs checked_value, true or false.')
      else if (typeof checked_value !== 'boolean') refuse('value_data.checked_value', 'error.expected.jsboolean')
      return { checked_value }
    default:
      return null
  }
}

const COLORS_MAX = 3
const URL_MAX = 2_048

function swatchData(colors: unknown, image_url: unknown, refuse: Refuse) {
  if ((colors === undefined) === (image_url === undefined)) {
    refuse('value_data', 'A value of a swatch needs either colors or an image_url.')
    return null
  }
  if (colors === undefined) {
    if (!isAddress(image_url)) {
      refuse('value_data.image_url', 'image_url must be an address that begins with http:// or https://.')
    }
    return { image_url }
  }
  if (!Array.isArray(colors) || colors.length < 1 || colors.length > COLORS_MAX) {
    refuse('value_data.colors', `colors must be a list of 1 to ${COLORS_MAX} colors.`)
    return null
  }
  for (const [i, color] of colors.entries()) {
    if (typeof color === 'string' && /^#(?:[0-9a-f]{3}){1,2}$/i.test(color)) continue
    refuse(`value_data.colors.${i}`, 'A color is # and 3 or 6 hexadecimal digits.')
  }
  return { colors: colors.map((color) => String(color).toUpperCase()) }
}

const isAddress = (url: unknown) =>
  typeof url === 'string' && url.length <= URL_MAX && /^https?:\/\//i.test(url) && URL.canParse(url)

/** The products that values name, to be looked for in the store. */
export function productsNamed(given: readonly GivenValue[]): number[] {
  const ids = given.map(({ value_data }) =>
    value_data && 'product_id' in value_data ? value_data.product_id : undefined,
  )
  return ids.filter((id): id is number => Number.isInteger(id) && Number(id) > 0 && Number(id) <= ID_MAX)
}

/** What choosing a value adds to the price or the weight. */
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

interface GivenAdjuster {
  adjuster?: Adjuster['adjuster'] | null
  adjuster_value?: number | null
}

interface GivenAdjusters {
  price?: GivenAdjuster | null
  weight?: GivenAdjuster | null
  image_url?: string
  purchasing_disabled?: Partial<Adjusters['purchasing_disabled']>
}

/** As the public samples show those of a value of which nothing was said. */
const noAdjusters: Adjusters = {
  price: null,
  weight: null,
  image_url: '',
  purchasing_disabled: { status: false, message: '' },
}

/** What is not named stays as it is. */
function mergeAdjusters(before = noAdjusters, given: GivenAdjusters = {}, refuse: Refuse): Adjusters {
  const { status, message } = { ...before.purchasing_disabled, ...given.purchasing_disabled }
  return {
    price: mergeAdjuster('price', before, given, refuse),
    weight: mergeAdjuster('weight', before, given, refuse),
    image_url: given.image_url ?? before.image_url,
    purchasing_disabled: { status, message },
  }
}

/** None if nothing is in it, or if its kind is null: clients send both. */
function mergeAdjuster(field: 'price' | 'weight', before: Adjusters, given: GivenAdjusters, refuse: Refuse) {
  const change = given[field]
  if (change === undefined) return before[field]
  if (change === null || change.adjuster === null) return null
  const { adjuster, adjuster_value } = { ...before[field], ...change }
  if (adjuster === undefined && adjuster_value === undefined) return null
  if (adjuster === undefined) refuse(`adjusters.${field}.adjuster`, 'error.path.missing')
  if (adjuster_value === undefined || adjuster_value === null) {
    refuse(`adjusters.${field}.adjuster_value`, 'error.path.missing')
  }
  return { adjuster: adjuster ?? 'relative', adjuster_value: adjuster_value ?? 0 }
}
