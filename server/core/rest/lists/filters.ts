import t, { type TSchema } from 'typebox'
import type { Db } from '../../db/database.ts'
import { ngramsToFind } from '../../db/ngrams.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { parseDate, parseUnix, toSeconds } from '../input/dates.ts'
import { AnyInteger, ListOf } from '../input/fields.ts'
import { Problem } from '../problem.ts'
import { fold } from './fold.ts'

/** A text to compare with matches this: U+0000 is in no stored text, and PostgreSQL can't even be asked for it. */
export const NO_NUL = '^[^\\u0000]*$'
export const ComparedText = t.String({ pattern: NO_NUL })

const operators = ['min', 'max', 'greater', 'less', 'like', 'in', 'not_in'] as const
type Operator = 'equals' | (typeof operators)[number]

/** How values of a column are compared. Only `text` has a folded twin, `<column>_key`. */
type Kind = 'integer' | 'number' | 'boolean' | 'date' | 'date or Unix' | 'choice' | 'text'

/** One query name of the filter grammar, such as `name:like` (docs/contract/conventions.md section 5). */
export interface Filter {
  readonly name: string
  readonly column: string
  readonly operator: Operator
  readonly kind: Kind
}

/** The name of the folded twin of a text column. */
export const keyOf = (column: string) => `${column}_key`

/** How the values of a field of a resource's shape are compared. */
export function kindOf(schema: TSchema): Kind {
  const {
    type: types,
    format,
    isAlsoUnix,
  } = schema as {
    type?: string | string[]
    format?: string
    isAlsoUnix?: boolean
  }
  // For a field that may be null, the other type counts.
  const type = [types].flat()[0]
  if (type === 'integer' || type === 'number' || type === 'boolean') return type
  if (format === 'date-time') return isAlsoUnix ? 'date or Unix' : 'date'
  return 'enum' in schema ? 'choice' : 'text'
}

/** @param name the contract's spelling: a field, or a field and an operator */
export function filterOf(properties: Record<string, TSchema>, name: string): Filter {
  const [column = '', operator = 'equals'] = name.split(':')
  const schema = properties[column]
  if (!schema || !isOperator(operator)) throw new Error(`There is no filter "${name}".`)
  return { name, column, operator, kind: kindOf(schema) }
}

const isOperator = (name: string): name is Operator =>
  name === 'equals' || operators.some((operator) => operator === name)

/** The schema of a filter's value in a query. */
export function filterSchema({ column, kind, operator }: Filter): TSchema {
  const value =
    kind === 'integer'
      ? AnyInteger
      : kind === 'number'
        ? t.Number()
        : kind === 'boolean'
          ? t.Boolean()
          : kind === 'date'
            ? t.String({ format: 'date-time' })
            : kind === 'date or Unix'
              ? t.String({ format: 'date-time-or-unix' })
              : ComparedText
  const isList = operator === 'in' || operator === 'not_in'
  if (isList) return ListOf(value)
  return operator === 'equals' ? { ...value, description: `Only entries with this \`${column}\`` } : value
}

const comparisons = { min: '>=', max: '<=', greater: '>', less: '<' } as const

/** The conditions of all filters that a query names. */
export const conditionsOf = (filters: readonly Filter[], query: Readonly<Record<string, unknown>>): Sql[] =>
  filters.filter(({ name }) => query[name] !== undefined).map((filter) => condition(filter, query[filter.name]))

/** The condition of a filter with a value that passed its schema. */
export function condition({ column, operator, kind }: Filter, value: unknown): Sql {
  const isDate = kind === 'date' || kind === 'date or Unix'
  if (isDate && operator === 'equals') return onMoment(column, String(value))
  const compared = sql.id(kind === 'text' ? keyOf(column) : column)
  const read = (item: unknown) =>
    kind === 'text' ? fold(String(item)) : isDate ? toSeconds(momentOf(String(item)).at) : item
  switch (operator) {
    case 'equals':
      return sql`${compared} = ${read(value)}`
    case 'like':
      return contains(column, String(value))
    case 'in':
      return sql`${compared} = any(${listOf(value).map(read)})`
    case 'not_in':
      return sql`${compared} <> all(${listOf(value).map(read)})`
    default:
      return sql`${compared} ${sql.raw(comparisons[operator])} ${read(value)}`
  }
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value])

/**
 * The condition that a text column contains a text, both folded. `%`, `_` and `\` in the text stand for themselves.
 *
 * An index of trigrams finds three letters in a row. For less, PostgreSQL would read the whole index: 700 ms for 250,000 names,
 * while the names themselves take 200. `strpos` is used then, since no index serves it (docs/decisions/005-search-by-trigrams.md).
 */
export function contains(column: string, text: string): Sql {
  const [key, piece] = [sql.id(keyOf(column)), fold(text)]
  if (!THREE_LETTERS.test(piece)) return sql`strpos(${key}, ${piece}) > 0`
  return sql`${key} like ${`%${piece.replaceAll(/[\\%_]/g, '\\$&')}%`}`
}
const THREE_LETTERS = /[\p{L}\p{N}]{3}/u

/** As `contains`, for a table with a column of n-grams. A row without them was stored by an older version. */
export function containsByNgrams({ store }: { store: Pick<Db['store'], 'id'> }, column: string, text: string): Sql {
  const key = keyOf(column)
  const piece = fold(text)
  const isIn = sql`strpos(${sql.id(key)}, ${piece}) > 0`
  const ngrams = ngramsToFind({ storeId: store.id, column: key, text: piece })
  return ngrams.length === 0 ? isIn : sql`((ngrams @> ${ngrams}::int[] or ngrams is null) and ${isIn})`
}

/**
 * Refuses a blank text in the query of a DELETE of many. A client that sends one has lost the text that it meant, and much would
 * be deleted, with a search everything (docs/contract/conventions.md section 5).
 * @throws Problem 422
 */
export function refuseBlanks(query: object) {
  for (const [name, text] of Object.entries(query)) {
    if (typeof text === 'string' && fold(text) === '') {
      throw new Problem(422, `The query is not valid: ${name} must not be blank where it decides what is deleted.`)
    }
  }
}

/** A day without a time means the whole day. */
function onMoment(column: string, text: string): Sql {
  const { at, wholeDay } = momentOf(text)
  if (!wholeDay) return sql`${sql.id(column)} = ${toSeconds(at)}`
  const nextDay = new Date(at.getTime() + 86_400_000)
  return sql`(${sql.id(column)} >= ${toSeconds(at)} and ${sql.id(column)} < ${toSeconds(nextDay)})`
}

function momentOf(text: string) {
  const moment = parseDate(text) ?? parseUnix(text)
  if (!moment) throw new Error(`The schema let an unreadable date through: ${text}`)
  return moment
}
