import { isDeepStrictEqual } from 'node:util'
import t, { type Static } from 'typebox'
import { type Db, prepared, type Tx } from '../../core/db/database.ts'
import { sql } from '../../core/db/sql.ts'
import { parseDate } from '../../core/rest/input/dates.ts'
import { Id } from '../../core/rest/input/fields.ts'
import type { Mistakes } from '../../core/rest/input/mistakes.ts'
import { collection } from '../../core/rest/lists/collection.ts'
import type { Inclusion } from '../../core/rest/lists/pages/inclusions.ts'
import { findWhere, insertAll, type NewIds, takeIds } from '../../core/rest/lists/verbs.ts'
import { type Definition, type FormFieldKind, findDefinitions } from './shape.ts'

const VALUE_MAX = 65_535
/** Most options in a refusal. */
const NAMED_MAX = 10

/** A value in bodies and answers. Its JSON type depends on the field. */
export const FormFieldContent = t.Unsafe<string | number | string[]>({
  type: ['string', 'number', 'array'],
  items: { type: 'string', maxLength: VALUE_MAX },
  maxLength: VALUE_MAX,
})
type FormFieldContent = Static<typeof FormFieldContent>

/** A value in the body of a customer or an address. */
export const FormFieldValue = t.Object(
  { name: t.String(), value: FormFieldContent },
  { title: 'FormFieldValue', description: 'The name is that of a form field of the store (/settings/form-fields)' },
)
export type FormFieldValue = Static<typeof FormFieldValue>
export const FormFieldValues = t.Array(FormFieldValue)

/** A value in answers, with its customer or its address. */
export const CustomerFormFieldValue = t.Object(
  { ...FormFieldValue.properties, customer_id: Id },
  { title: 'CustomerFormFieldValue' },
)
export const AddressFormFieldValue = t.Object(
  { ...FormFieldValue.properties, address_id: Id },
  { title: 'AddressFormFieldValue' },
)

const StoredValue = t.Object({
  id: Id,
  customer_id: Id,
  address_id: t.Integer({ description: '0 for a value of the customer' }),
  field_id: Id,
  name: t.String(),
  type: t.String(),
  value: FormFieldContent,
})
export type StoredValue = Static<typeof StoredValue>

export const formFieldValues = collection('customer_form_field_values', StoredValue, {
  noun: 'form field value',
  filters: '',
  counted: true,
  cursors: 'first page',
})

/** The owner of a value: a customer or an address. */
export interface ValueOwner {
  customer_id: number
  /** 0 for the customer. */
  address_id: number
}

/** A valid value of an existing form field. */
export interface FieldValue {
  field: Definition
  value: FormFieldContent
}

/** Locks the form fields of a kind against changes until the transaction ends. Lock the customers first. */
export async function lockFieldsShared(tx: Tx, wanted: FormFieldKind): Promise<ReadonlyMap<string, Definition>> {
  const fields = await findDefinitions(tx, 'for key share')
  return new Map(fields.filter(({ kind }) => kind === wanted).map((field) => [field.name, field]))
}

/**
 * Checks the values in the body of a customer or an address.
 * @param at the path of a field of the jth value
 * @returns the valid values; of two for one field the last
 */
export function readValues(
  values: readonly FormFieldValue[],
  fields: ReadonlyMap<string, Definition>,
  at: (j: number, part: 'name' | 'value') => string,
): { values: FieldValue[]; mistakes: Mistakes } {
  const mistakes: Mistakes = {}
  const read = new Map<string, FieldValue>()
  for (const [j, { name, value }] of values.entries()) {
    const field = fields.get(name)
    const reason = field && contentMistake(field, value)
    if (!field) mistakes[at(j, 'name')] = `There is no form field ${JSON.stringify(name)} here.`
    else if (reason !== undefined) mistakes[at(j, 'value')] = reason
    // No request may read a password, so it is not stored.
    else read.set(name, { field, value: field.type === 'password' ? '' : value })
  }
  return { values: [...read.values()], mistakes }
}

/** Returns the mistake of a value; undefined if it is valid (docs/contract/form-fields.md section 2). */
function contentMistake({ name, type, options }: Definition, value: FormFieldContent): string | undefined {
  if (type === 'numbers') return typeof value === 'number' ? undefined : 'error.expected.jsnumber'
  const named = options.slice(0, NAMED_MAX).map((option) => JSON.stringify(option))
  const offered = `${name} offers ${named.join(', ')}${options.length > NAMED_MAX ? ' and others' : ''}.`
  if (type === 'checkboxes') {
    if (!Array.isArray(value)) return 'error.expected.jsarray'
    if (new Set(value).size < value.length) return 'No option may be named twice.'
    return value.every((option) => options.includes(option)) ? undefined : offered
  }
  if (typeof value !== 'string') return 'error.expected.jsstring'
  // An empty text removes the value of a field of any type.
  if (value === '') return undefined
  if (type === 'date') return isDate(value) ? undefined : `${name} must be a date such as 2026-05-14.`
  if (type === 'radiobuttons' || type === 'picklist') return options.includes(value) ? undefined : offered
  return undefined
}

/** Whether a text is `YYYY-MM-DD`, or a date and a time of RFC 3339. */
export const isDate = (text: string): boolean => /^\d{4}-/.test(text) && parseDate(text) !== undefined

/** A value to store, without its id. */
export const valueRow = (owner: ValueOwner, { field, value }: FieldValue): Omit<StoredValue, 'id'> => ({
  customer_id: owner.customer_id,
  address_id: owner.address_id,
  field_id: field.id,
  name: field.name,
  type: field.type,
  value,
})

/** Stores the values of new customers and addresses. @param ids taken for them */
export const insertValues = (tx: Tx, rows: readonly Omit<StoredValue, 'id'>[], ids: NewIds) =>
  insertAll(
    tx,
    formFieldValues,
    rows.map((row) => ({ ...row, id: ids.next(formFieldValues) })),
  )

/**
 * Replaces values of existing customers and addresses. Lock the counter of values and the customers first.
 * @param rows at most one for each owner and field
 * @returns the owners with a changed value
 */
export async function writeValues(tx: Tx, rows: readonly Omit<StoredValue, 'id'>[]): Promise<ValueOwner[]> {
  if (rows.length === 0) return []
  const keyOf = (row: Omit<StoredValue, 'id'>) => `${row.customer_id} ${row.address_id} ${row.field_id}`
  const present = await findWhere(
    tx,
    formFieldValues,
    sql`customer_id = any(${[...new Set(rows.map((row) => row.customer_id))]})
      and address_id = any(${[...new Set(rows.map((row) => row.address_id))]})`,
  )
  const before = new Map(present.map((row) => [keyOf(row), row]))
  const fresh = rows.filter((row) => !before.has(keyOf(row)))
  const changed = rows.flatMap((row) => {
    const known = before.get(keyOf(row))
    return known && !isDeepStrictEqual(known.value, row.value) ? [{ ...row, id: known.id }] : []
  })
  await insertValues(tx, fresh, await takeIds(tx, [[formFieldValues, fresh.length]]))
  if (changed.length > 0) {
    const values = changed.map(({ id, value }) => ({ id, value: JSON.stringify(value) }))
    await tx.rows(
      prepared(sql`
      update customer_form_field_values stored set value = new.value
      from ${sql.table('new', values, { id: 'int', value: 'jsonb' })}
      where stored.store_id = ${tx.store.id} and stored.id = new.id`),
    )
  }
  return [...fresh, ...changed]
}

/** All values of customers for `include=formfields` (docs/contract/customers.md section 2.1). */
export const includedCustomerValues: Inclusion = async (db, ids) => {
  const values = await valuesOf(db, 'customer_id', ids)
  return grouped(values, ({ name, value, customer_id }) => [customer_id, { name, value, customer_id }])
}

/** All values of addresses for `include=formfields`. */
export const includedAddressValues: Inclusion = async (db, ids) => {
  const values = await valuesOf(db, 'address_id', ids)
  return grouped(values, ({ name, value, address_id }) => [address_id, { name, value, address_id }])
}

/** The `form_fields` of customers in the v2 API: values as texts, by customer. */
export async function formFieldsV2(db: Db, customerIds: readonly number[]) {
  const values = await valuesOf(db, 'customer_id', customerIds)
  const text = (value: FormFieldContent) => (Array.isArray(value) ? value.join(', ') : String(value))
  return new Map(
    [...Map.groupBy(values, ({ customer_id }) => customer_id)].map(([id, own]) => [
      id,
      own.map(({ name, value }) => ({ name, value: text(value) })),
    ]),
  )
}

type ValueOf = Pick<StoredValue, 'customer_id' | 'address_id' | 'name' | 'value'>

/** The values of owners in the order of their ids. */
const valuesOf = (db: Db, owner: 'customer_id' | 'address_id', ids: readonly number[]) =>
  db.rows<ValueOf>(
    prepared(sql`
    select customer_id, address_id, name, value from customer_form_field_values
    where store_id = ${db.store.id} and ${sql.id(owner)} = any(${ids})
      and ${owner === 'customer_id' ? sql`address_id = 0` : sql`address_id > 0`}
    order by id`),
  )

function grouped(values: readonly ValueOf[], shown: (value: ValueOf) => [owner: number, entry: object]) {
  const entries = Map.groupBy(values.map(shown), ([owner]) => owner)
  return new Map([...entries].map(([owner, own]) => [owner, JSON.stringify(own.map(([, entry]) => entry))]))
}
