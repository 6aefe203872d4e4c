import {
  type ColumnForm,
  type ColumnWriter,
  isShort,
  MADE_MAX,
  type NumberReader,
  nullOf,
  numberReaderOf,
  SHORT_MAX,
  writerOf,
} from './json-columns.ts'

/**
 * A part of the JSON of a field: JSON as it is, a column, or short JSON that is made from numbers. Amounts come as ten-thousandths,
 * truths as 0 or 1, nulls as 0.
 */
export type JsonPiece =
  | string
  | { readonly column: string; readonly as: ColumnForm }
  | { readonly columns: readonly string[]; readonly json: (...numbers: number[]) => string }

/** The JSON object that a row becomes, field by field. */
export interface Template {
  /** The last columns of the statement, in their order. Fields show any of them, any number of times. */
  readonly columns: readonly string[]
  readonly fields: Readonly<Record<string, readonly JsonPiece[]>>
}

/** A template with one field for each column, under its name. */
const templateOf = (columns: readonly string[]): Template => ({
  columns,
  fields: Object.fromEntries(columns.map((column) => [column, [{ column, as: 'value' }]])),
})

/** A column that JSON is made from. */
export interface Operand {
  column: number
  read: NumberReader
}

/** A place in the JSON that is filled for each row, and the JSON in front of it. */
type Place =
  | { before: Uint8Array; column: number; write: ColumnWriter; ofNull: Uint8Array }
  | { before: Uint8Array; make: (...numbers: number[]) => string; from: readonly Operand[] }

/** A template whose columns have positions and types. */
export interface CompiledTemplate {
  /** The number of columns that stand before those of the object. */
  readonly first: number
  readonly places: readonly Place[]
  /** JSON behind the last place. */
  readonly end: Uint8Array
  /** The most bytes of the JSON of a row, without its long columns. */
  readonly bytes: number
  /** Long columns that are shown again, once for each time. */
  readonly repeated: readonly number[]
}

const compiled = new WeakMap<readonly string[] | Template, { types: readonly number[]; template: CompiledTemplate }>()

/**
 * The template for the columns of a statement. It is kept for the next statement with columns of the same types.
 * @param json a template, or the names of the last columns as fields
 * @param types of all columns of the statement, in order
 */
export function compiledFor(json: readonly string[] | Template, types: readonly number[]): CompiledTemplate {
  const kept = compiled.get(json)
  if (kept?.types.length === types.length && types.every((type, i) => type === kept.types[i])) return kept.template
  const template = compile('fields' in json ? json : templateOf(json), types)
  compiled.set(json, { types, template })
  return template
}

function compile({ columns, fields }: Template, types: readonly number[]): CompiledTemplate {
  const first = types.length - columns.length
  const positions = new Map(columns.map((name, i) => [name, first + i]))
  const positionOf = (name: string) => {
    const column = positions.get(name)
    if (column === undefined) throw new Error(`A template shows the column ${name}, which it does not have.`)
    return { column, type: types[column] ?? 0 }
  }
  const places: Place[] = []
  const long: number[] = []
  let text = '{'
  const takeText = () => {
    const before = Buffer.from(text)
    text = ''
    return before
  }
  const addPiece = (piece: JsonPiece) => {
    if (typeof piece === 'string') text += piece
    else if ('column' in piece) {
      const { column, type } = positionOf(piece.column)
      if (!isShort(type)) long.push(column)
      places.push({ before: takeText(), column, write: writerOf(piece.as, type), ofNull: nullOf(piece.as) })
    } else {
      const from = piece.columns.map(positionOf).map(({ column, type }) => ({ column, read: numberReaderOf(type) }))
      places.push({ before: takeText(), make: piece.json, from })
    }
  }
  for (const [i, [name, pieces]] of Object.entries(fields).entries()) {
    text += `${i === 0 ? '' : ','}${JSON.stringify(name)}:`
    for (const piece of pieces) addPiece(piece)
  }
  text += '}'
  const end = takeText()
  const bytes = places.reduce(
    (sum, place) => sum + place.before.length + ('make' in place ? MADE_MAX : SHORT_MAX),
    end.length + 1,
  )
  return { first, places, end, bytes, repeated: long.filter((column, i) => long.indexOf(column) < i) }
}
