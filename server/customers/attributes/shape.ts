import t, { type Static } from 'typebox'
import type { Tx } from '../../core/db/database.ts'
import { sql } from '../../core/db/sql.ts'
import { toSeconds } from '../../core/rest/input/dates.ts'
import { Id, NeededLine, TimeOfRecord } from '../../core/rest/input/fields.ts'
import { collection } from '../../core/rest/lists/collection.ts'
import { ComparedText } from '../../core/rest/lists/filters.ts'
import { findWhere, insertAll, type NewIds } from '../../core/rest/lists/verbs.ts'
import { isDate } from '../form-fields/values.ts'
import { firstOfEach } from '../row/first-of-each.ts'

const ATTRIBUTES_MAX = 50

export const Attribute = t.Object({
  id: Id,
  name: NeededLine,
  type: t.Enum(['string', 'number', 'date']),
  date_created: TimeOfRecord,
  date_modified: TimeOfRecord,
})
export type Attribute = Static<typeof Attribute>

/** Names are unique in a store, compared without case (docs/contract/customer-attributes.md section 1). */
export const attributes = collection('customer_attributes', Attribute, {
  noun: 'customer attribute',
  filters: `name name:like type date_created date_created:min date_created:max
    date_modified date_modified:min date_modified:max`,
  max: ATTRIBUTES_MAX,
})

export const AttributeValue = t.Object({
  id: Id,
  attribute_id: Id,
  attribute_value: t.String({ maxLength: 255 }),
  customer_id: Id,
  date_created: TimeOfRecord,
  date_modified: TimeOfRecord,
})
export type AttributeValue = Static<typeof AttributeValue>

export const attributeValues = collection('customer_attribute_values', AttributeValue, {
  noun: 'attribute value',
  filters: `customer_id:in attribute_id:in date_created date_created:min date_created:max
    date_modified date_modified:min date_modified:max`,
  queries: { name: t.Optional(t.String({ ...ComparedText, description: 'The name of the attribute' })) },
  counted: true,
})

const { attribute_id, attribute_value } = AttributeValue.properties
/** A value in the body of a new customer. */
export const NestedValue = t.Object({ attribute_id, attribute_value }, { title: 'AttributeOfNewCustomer' })
export type NestedValue = Static<typeof NestedValue>

/**
 * Locks attributes against deletion until the transaction ends. Lock the customers first.
 * @returns the existing ones, by id
 */
export async function lockAttributesShared(tx: Tx, ids: readonly number[]): Promise<ReadonlyMap<number, Attribute>> {
  const rows = await findWhere(tx, attributes, sql`id = any(${[...new Set(ids)]})`, sql`order by id for key share`)
  return new Map(rows.map((row) => [row.id, row]))
}

/** Returns the mistake of a value; undefined if it is valid (docs/contract/customer-attributes.md section 2). */
export function attributeMistake({ name, type }: Attribute, value: string): string | undefined {
  // An empty text removes the value of an attribute of any type.
  if (value === '' || type === 'string') return undefined
  if (type === 'number') return DECIMAL.test(value) ? undefined : `${name} must be a number such as 12.5.`
  return isDate(value) ? undefined : `${name} must be a date such as 2026-05-14.`
}
const DECIMAL = /^[+-]?(\d+(\.\d*)?|\.\d+)$/

/** Stores new values. @param ids taken for them */
export function insertAttributeValues(
  tx: Tx,
  rows: readonly Pick<AttributeValue, 'customer_id' | 'attribute_id' | 'attribute_value'>[],
  ids: NewIds,
): Promise<AttributeValue[]> {
  const now = toSeconds(tx.now)
  return insertAll(
    tx,
    attributeValues,
    rows.map((row) => ({ ...row, id: ids.next(attributeValues), date_created: now, date_modified: now })),
  )
}

/** The values for `include=attributes`. */
export const includedAttributes = firstOfEach(attributeValues)
