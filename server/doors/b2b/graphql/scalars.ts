import { GraphQLError } from 'graphql'
import type { Scalars } from '../../../core/graphql/scalars.ts'

// The scalars of buyers (docs/contract/b2b-graphql.md section 2), the same in literals and in variables.

const DECIMAL = /^[+-]?(\d{1,15}(\.\d{0,10})?|\.\d{1,10})$/
const DATE = /^\d{4}-\d{2}-\d{2}$/

/** A number, or text with one. Clients send blanks for fields left empty. */
function readDecimal(value: unknown): number | null {
  if (value === '') return null
  if (typeof value === 'number' && Number.isFinite(value)) return value
  if (typeof value === 'string' && DECIMAL.test(value)) return Number(value)
  throw new GraphQLError('Decimal must be a number, or text with a number of at most 15 digits.')
}

const wholeNumber = (name: string, least: number, most: number) => (value: unknown) => {
  if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most) return value
  throw new GraphQLError(`${name} must be a whole number from ${least} to ${most}.`)
}

function readJson(value: unknown): string {
  if (typeof value !== 'string') throw new GraphQLError('JSONString must be text.')
  try {
    JSON.parse(value)
    return value
  } catch {
    throw new GraphQLError('JSONString must hold JSON.')
  }
}

function readDate(value: unknown): string | null {
  if (value === '') return null
  if (typeof value === 'string' && DATE.test(value) && !Number.isNaN(Date.parse(value))) return value
  throw new GraphQLError('Date must have the form 2026-08-21.')
}

export const scalars: Scalars = {
  Decimal: readDecimal,
  JSONString: readJson,
  Date: readDate,
  ProductQuantity: wholeNumber('ProductQuantity', 1, 1_000_000),
  CurrencyDecimalPlaces: wholeNumber('CurrencyDecimalPlaces', 0, 4),
}
