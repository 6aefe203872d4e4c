import t, { type Static, type TSchema } from 'typebox'

export const ID_MAX = 2_147_483_647

/** An id as the server gives it; read-only, so it is no part of any input. */
export const Id = t.Integer({ minimum: 1, maximum: ID_MAX })

/** An integer to compare with a column of 4 bytes. */
export const AnyInteger = t.Integer({ minimum: -ID_MAX - 1, maximum: ID_MAX })

/** A time as the server gives it: UTC, to the second. */
export const Moment = t.String({ format: 'date-time' })

/** The same of a kind of things whose filters also take Unix seconds (docs/contract/customers.md section 2.2). */
export const TimeOfRecord = t.String({ format: 'date-time', isAlsoUnix: true })

/** A text as long as most fields of the contract may be. */
export const Line = t.String({ maxLength: 255 })

/** Pattern of a text that needs more than blanks. */
export const NOT_BLANK = '\\S'

/** A text that must not be blank. */
export const NeededText = (maxLength: number) => t.String({ minLength: 1, maxLength, pattern: NOT_BLANK })

/** As `Line`, and not blank. */
export const NeededLine = NeededText(255)

/** A long text, such as a description. */
export const Text = t.String({ maxLength: 65_535 })

/** How many values one list names in a query (docs/contract/limits.md section 1). */
const NAMED_MAX = 250

/** Values in a query or a body that name things. */
export const ListOf = <S extends TSchema>(value: S) => t.Array(value, { minItems: 1, maxItems: NAMED_MAX })

export const IdList = ListOf(Id)

/** The place of a thing among others, as clients give it. */
export const SortOrder = t.Integer({ minimum: -2_147_483_648, maximum: 2_147_483_647 })

/** The bytes of a file that came in a form. */
export const FileBytes = t.Unsafe<Buffer>({ contentMediaType: 'application/octet-stream' })

/** The path segment of an id. Any other segment is a 404 (docs/contract/conventions.md section 11). */
export const idSegment = (name: string) => `:${name}(^[1-9]\\d{0,9}$)`

/** As the schema, or null. */
export const nullable = <S extends TSchema & { type: string }>(schema: S) =>
  t.Unsafe<Static<S> | null>({ ...schema, type: [schema.type, 'null'] })
