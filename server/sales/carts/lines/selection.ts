import { parseDate, parseUnix } from '../../../core/rest/input/dates.ts'
import type { Mistakes } from '../../../core/rest/input/mistakes.ts'
import type { ModifierFacts } from '../../../goods/catalog/choices/modifier-facts.ts'
import type { PricedProduct, PricedVariant } from '../../../goods/catalog/product-row/priced.ts'
import type { CatalogLine } from '../row/document.ts'
import type { NewCartLine, OptionValue, SelectionInput } from './bodies.ts'

// Finds the variant and the modifiers that a new line selects (docs/contract/carts.md section 4). Pure. Options and modifiers count their
// ids apart: if the line names its variant, a selection that fits both is of the modifier, else of the option.

/** The catalog facts of a new line. */
export interface SelectedProduct {
  product: PricedProduct
  modifiers: readonly ModifierFacts[]
}

type Selected = Pick<CatalogLine, 'variant_id' | 'modifiers' | 'texts'>

const NEEDS_VARIANT = 'This product has options; variant ID is required'
const NEEDS_TEXT = 'Please create some text for the API option'

/**
 * @param at the path of a field of the line
 * @returns undefined with a mistake
 */
export function selectItem(
  { variant_id, option_selections = [] }: NewCartLine,
  { product, modifiers }: SelectedProduct,
  mistakes: Mistakes,
  at: (field: string) => string,
): Selected | undefined {
  const before = Object.keys(mistakes).length
  const named = variant_id ? product.variants.find(({ id }) => id === variant_id) : undefined
  if (variant_id && !named) mistakes[at('variant_id')] = `The product ${product.id} has no variant ${variant_id}.`
  const chosen = new Map<number, number>()
  const texts: Selected['texts'] = []
  const ofModifiers = new Map<number, Selected['modifiers'][number]>()
  for (const [i, selection] of option_selections.entries()) {
    const place = (field: string) => at(`option_selections.${i}.${field}`)
    const { option_id, name = null, value = null } = selection
    const valueId = idIn(selection.option_value)
    const modifier = modifiers.find(({ id }) => id === option_id)
    const isOption = product.optionValues.some(([option, one]) => option === option_id && one === valueId)
    const fitsModifier = modifier !== undefined && (!named || isChoice(modifier, valueId))
    if (isOption && !chosen.has(option_id) && !(named && fitsModifier)) {
      if (named && !hasValue(named, option_id, valueId)) {
        mistakes[place('option_value')] = `The variant ${named.id} has another value for the option ${option_id}.`
      }
      chosen.set(option_id, valueId)
      if (name !== null || value !== null) texts.push({ option_id, name, value })
    } else if (modifier) {
      const found = modifierChoice(modifier, selection, mistakes, place('option_value'))
      if (found) ofModifiers.set(option_id, found)
    } else {
      const isKnown = product.optionValues.some(([option]) => option === option_id)
      if (isKnown) mistakes[place('option_value')] = `The option ${option_id} has no such value.`
      else mistakes[place('option_id')] = `The product ${product.id} has no option ${option_id}.`
    }
  }
  const variant = named ?? variantOf(product, chosen)
  if (!variant && !variant_id) {
    const isIncomplete = chosen.size === 0
    mistakes[at(isIncomplete ? 'variant_id' : 'option_selections')] = isIncomplete
      ? NEEDS_VARIANT
      : `The product ${product.id} has no variant with these options.`
  }
  // After the variant: the title of a refusal is its first mistake, and clients look for the sentence about variants.
  refuseMissing(modifiers, ofModifiers, mistakes, at)
  if (!variant || Object.keys(mistakes).length > before) return undefined
  return {
    variant_id: variant.id,
    texts,
    modifiers: modifiers.flatMap(({ id }) => ofModifiers.get(id) ?? []),
  }
}

/** The id that a value names; 0 for none. */
const idIn = (value: OptionValue): number => {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? value : 0
  return typeof value === 'string' && /^[1-9]\d{0,9}$/.test(value) ? Number(value) : 0
}

const isChoice = ({ values }: ModifierFacts, valueId: number) =>
  values.length === 0 || values.some(({ id }) => id === valueId)

const hasValue = ({ values }: PricedVariant, option: number, value: number) =>
  values.some(([ofOption, one]) => ofOption === option && one === value)

function variantOf({ base_variant_id, variants }: PricedProduct, chosen: ReadonlyMap<number, number>) {
  if (base_variant_id !== null) return variants.find(({ id }) => id === base_variant_id)
  if (chosen.size === 0) return undefined
  return variants.find(
    ({ values }) => values.length === chosen.size && values.every(([option, value]) => chosen.get(option) === value),
  )
}

function refuseMissing(
  modifiers: readonly ModifierFacts[],
  chosen: ReadonlyMap<number, unknown>,
  mistakes: Mistakes,
  at: (field: string) => string,
) {
  const missing = modifiers.find(({ id, required }) => required && !chosen.has(id))
  const field = at('option_selections')
  if (!missing || Object.keys(mistakes).some((path) => path.startsWith(field))) return
  mistakes[field] = isText(missing) ? NEEDS_TEXT : `The option ${missing.display_name} of this product is required.`
}

const isText = ({ type }: ModifierFacts) => type === 'text' || type === 'multi_line_text'

/** The choice of a modifier; undefined with a mistake, or for an optional one without a value. */
function modifierChoice(
  modifier: ModifierFacts,
  { option_value, name, value }: SelectionInput,
  mistakes: Mistakes,
  place: string,
): Selected['modifiers'][number] | undefined {
  const path = typeof option_value === 'object' && 'temporaryPath' in option_value ? option_value.temporaryPath : null
  const toChoice = (text: string, value_id: number | null = null) => ({
    option_id: modifier.id,
    value_id,
    name: name ?? modifier.display_name,
    value: value ?? text,
    path,
  })
  if (modifier.values.length > 0) {
    const chosen = modifier.values.find(({ id }) => id === idIn(option_value))
    if (!chosen) mistakes[place] = `The option ${modifier.id} has no such value.`
    return chosen && toChoice(chosen.label, chosen.id)
  }
  const text = textOf(modifier, option_value)
  if (text === undefined) {
    mistakes[place] = isText(modifier) ? NEEDS_TEXT : `This is no value of the option ${modifier.display_name}.`
    return undefined
  }
  if (text === '' && !modifier.required) return undefined
  const fault = faultOf(modifier, text)
  if (fault !== undefined) mistakes[place] = fault
  return fault === undefined ? toChoice(text) : undefined
}

/** A value of a modifier without a list of values, as text; undefined if it has another type. */
function textOf({ type }: ModifierFacts, value: OptionValue): string | undefined {
  if (type === 'date') return dayOf(value)
  if (type === 'file') return typeof value === 'object' && 'originalName' in value ? value.originalName : undefined
  if (typeof value === 'object') return undefined
  return String(value)
}

/** A day as `YYYY-MM-DD`. */
function dayOf(value: OptionValue): string | undefined {
  if (typeof value === 'object') {
    if (!('day' in value)) return undefined
    const { year, month, day } = value
    const date = new Date(Date.UTC(year, month - 1, day))
    const isReal = date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
    return isReal && year > 0 ? date.toISOString().slice(0, 10) : undefined
  }
  if (value === '') return ''
  return (parseUnix(String(value)) ?? parseDate(String(value)))?.at.toISOString().slice(0, 10)
}

/** The sentence about a text that breaks the bounds of its modifier. */
function faultOf({ type, config, display_name, required }: ModifierFacts, text: string): string | undefined {
  if (required && text.trim() === '') return NEEDS_TEXT
  if (Array.isArray(config)) return undefined
  if (type === 'date') return faultOfDay(config, text, display_name)
  if (type === 'numbers_only_text') return faultOfNumber(config, text, display_name)
  const { text_characters_limited, text_min_length = 0, text_max_length = 0 } = config
  if (text_characters_limited && text.length < text_min_length) {
    return `${display_name} needs at least ${text_min_length} characters.`
  }
  if (text_characters_limited && text_max_length > 0 && text.length > text_max_length) {
    return `${display_name} can have at most ${text_max_length} characters.`
  }
  const { text_lines_limited, text_max_lines = 0 } = config
  if (text_lines_limited && text_max_lines > 0 && text.split('\n').length > text_max_lines) {
    return `${display_name} can have at most ${text_max_lines} lines.`
  }
  return undefined
}

type Config = Exclude<ModifierFacts['config'], unknown[]>

function faultOfDay(config: Config, day: string, name: string): string | undefined {
  const { date_limited, date_limit_mode: mode, date_earliest_value, date_latest_value } = config
  if (!date_limited) return undefined
  const [first, last] = [date_earliest_value?.slice(0, 10), date_latest_value?.slice(0, 10)]
  if (mode !== 'latest' && first !== undefined && day < first) return `${name} can't be before ${first}.`
  if (mode !== 'earliest' && last !== undefined && day > last) return `${name} can't be after ${last}.`
  return undefined
}

function faultOfNumber(config: Config, text: string, name: string): string | undefined {
  const value = Number(text)
  if (text.trim() === '' || !Number.isFinite(value)) return `${name} must be a number.`
  const { number_limited, number_limit_mode: mode, number_integers_only } = config
  const { number_lowest_value: lowest, number_highest_value: highest } = config
  if (number_integers_only && !Number.isInteger(value)) return `${name} must be a whole number.`
  if (!number_limited) return undefined
  if (mode !== 'highest' && lowest !== undefined && value < lowest) return `${name} must be at least ${lowest}.`
  if (mode !== 'lowest' && highest !== undefined && value > highest) return `${name} must be at most ${highest}.`
  return undefined
}
