import { type Sql, sql } from '../../../core/db/sql.ts'

// The values by which products are searched and counted, as whole numbers below 2^53: the kind in the high bits, and behind it the id of
// a brand or category, or a hash of the name and label of an option or custom field. A number needs no dictionary to be written, and the
// values of one kind are one range of an index.

const KIND = 2 ** 48

/** The first number of each kind. */
export const VALUES = {
  brand: KIND,
  /** The categories of a product. */
  category: 2 * KIND,
  /** The categories of a product and all categories above them. */
  tree: 3 * KIND,
  flag: 4 * KIND,
  /** The whole stars of the average rating, from 1. */
  rating: 5 * KIND,
  /** The values of options and custom fields: every number from here. */
  attribute: 2 ** 52,
} as const

/** Numbers of a kind are less than this above its first one. */
export const KIND_SIZE = KIND

/** Every product has this value. */
export const EVERY_PRODUCT = 0

export const FLAGS = { featured: VALUES.flag + 1, freeShipping: VALUES.flag + 2, inStock: VALUES.flag + 3 } as const

/** A number of the table above in a statement: a parameter would be taken for an `int`. */
export const literal = (value: number): Sql => sql.raw(`${value}::bigint`)

/** A text as options and custom fields are compared: two that differ in case are one. @param text an expression */
export const attributeKey = (text: Sql): Sql => sql`lower(btrim(normalize(${text}, nfc)) collate "default")`

/** The number of a value of an option or custom field. @param name, label expressions of folded texts */
export const attributeValue = (name: Sql, label: Sql): Sql => sql`(${literal(VALUES.attribute)}
  + ('x' || left(encode(sha256(convert_to(${name} || chr(31) || ${label}, 'UTF8')), 'hex'), 13))::bit(52)::bigint)`
