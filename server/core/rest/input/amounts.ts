import Big from 'big.js'
import t, { type TSchema } from 'typebox'
import { isObject } from '../../objects.ts'
import { nullable } from './fields.ts'

const PLACES = 4
/** 15 digits with the four places: the precision of a JavaScript number. */
export const AMOUNT_MAX = 99_999_999_999
const NUMERIC = /^-?\d{1,30}(?:\.\d{1,30})?$/

interface Bounds {
  minimum?: number
  maximum?: number
}

/**
 * Money, a weight or a measure: a number, or in a body also the same as text, kept to four places, half up, in a column of
 * the type `amount` (docs/contract/conventions.md section 12, docs/contract/products.md section 2). At least 0 if not said
 * otherwise.
 */
export const Amount = (bounds: Bounds = {}) => t.Number({ minimum: 0, maximum: AMOUNT_MAX, ...bounds, isAmount: true })

/** As `Amount`, or null for no amount of its own. */
export const NullableAmount = (bounds: Bounds = {}) => nullable(Amount(bounds))

/** The nearest amount of four places; halves go up, away from zero. Texts that are no number stay, and so do other types. */
export function toAmount(value: unknown): unknown {
  if (typeof value === 'number') {
    if (Number.isInteger(value)) return value + 0 // Never -0.
    return Number.isFinite(value) ? round(String(value)) : value
  }
  return typeof value === 'string' && NUMERIC.test(value) ? round(value) : value
}

const round = (text: string): number => Number(new Big(text).round(PLACES, Big.roundHalfUp)) + 0

/** The parts of a schema that concern amounts. */
interface SchemaFacts {
  properties?: Record<string, SchemaFacts>
  items?: SchemaFacts
  isAmount?: boolean
}

/**
 * Converts everything in a body that its schema calls an amount, in place and before the body is checked: bounds hold for the
 * stored value. Undefined if the schema has no amount.
 */
export function amountReader(schema: TSchema): ((body: unknown) => void) | undefined {
  return readerOf(schema)
}

function readerOf({ properties = {}, items }: SchemaFacts): ((value: unknown) => void) | undefined {
  const ofItem = items && readerOf(items)
  if (ofItem) return (value) => Array.isArray(value) && value.forEach(ofItem)
  const amounts = Object.keys(properties).filter((name) => properties[name]?.isAmount)
  const inner = Object.entries(properties).flatMap(([name, property]) => {
    const read = readerOf(property)
    return read ? [{ name, read }] : []
  })
  if (amounts.length + inner.length === 0) return undefined
  return (value) => {
    if (!isObject(value)) return
    for (const name of amounts) if (value[name] !== undefined) value[name] = toAmount(value[name])
    for (const { name, read } of inner) read(value[name])
  }
}
