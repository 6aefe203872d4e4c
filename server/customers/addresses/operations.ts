import type { Static } from 'typebox'
import { prepared, type Tx } from '../../core/db/database.ts'
import { sql } from '../../core/db/sql.ts'
import { lockAll } from '../../core/rest/batch.ts'
import { type Mistakes, missing, refuse, repeatedIds } from '../../core/rest/input/mistakes.ts'
import { lockCounters } from '../../core/rest/lists/counters.ts'
import { change, differences, removeAll, takeIds } from '../../core/rest/lists/verbs.ts'
import { unknownId } from '../../core/rest/problem.ts'
import {
  type FieldValue,
  type FormFieldValue,
  formFieldValues,
  insertValues,
  lockFieldsShared,
  readValues,
  valueRow,
  writeValues,
} from '../form-fields/values.ts'
import { addToCounts, countEach } from '../row/counts.ts'
import { lockCustomers } from '../row/shape.ts'
import {
  type AddressChanges,
  addressRow,
  type CustomerAddress,
  type CustomerAddressRow,
  completeAddress,
  customerAddresses,
  customersOfAddresses,
  insertAddresses,
  type NewAddress,
  placeMistakes,
  publishAddress,
  refuseTooManyAddresses,
} from './shape.ts'

// Creates, changes and deletes addresses for both APIs. Customers are locked before their addresses are read, so no two requests change
// the addresses of a customer at once.

const PLACE = ['country_code', 'state_or_province', 'postal_code'] as const

type NewBody = Static<typeof NewAddress>
type Changes = Static<typeof AddressChanges> & { id: number }

/**
 * Creates addresses, all or none. An address that its customer has already is skipped, with its form fields.
 * @returns the stored address of each body; undefined if it was skipped
 * @throws Problem 422 with all mistakes, 403 for a customer who would have too many
 */
export async function createAddresses(tx: Tx, bodies: readonly NewBody[]): Promise<(CustomerAddress | undefined)[]> {
  await lockCounters(tx, [customerAddresses.table, ...countersOfFields(bodies)])
  const owners = bodies.map(({ customer_id }) => customer_id)
  const customers = await lockCustomers(tx, owners)
  const values = await readValuesOf(tx, bodies)
  refuse({
    ...missing(
      owners,
      customers,
      (i) => `${i}.customer_id`,
      (id) => unknownId('customer', id),
    ),
    ...Object.assign({}, ...bodies.map((body, i) => placeMistakes(body, (field) => `${i}.${field}`))),
    ...values.mistakes,
  })
  const rows = bodies.map(({ customer_id, form_fields: _, ...given }) =>
    addressRow(customer_id, completeAddress(given)),
  )
  const taken = await findEqual(tx, rows)
  const fresh = rows.flatMap((row, i) => {
    if (taken.has(keyOf(row))) return []
    taken.set(keyOf(row), 0)
    return [{ i, row, values: values.of[i] ?? [] }]
  })
  const ids = await takeIds(tx, [
    [customerAddresses, fresh.length],
    [formFieldValues, fresh.flatMap(({ values }) => values).length],
  ])
  const more = countEach(
    fresh.map(({ row }) => row.customer_id),
    1,
  )
  for (const [customerId, count] of await addToCounts(tx, 'address_count', more))
    refuseTooManyAddresses(customerId, count)
  const stored = await insertAddresses(
    tx,
    fresh.map(({ row }) => row),
    ids,
  )
  const valueRows = fresh.flatMap(({ row: { customer_id }, values }, nth) =>
    values.map((value) => valueRow({ customer_id, address_id: stored[nth]?.id ?? 0 }, value)),
  )
  await insertValues(tx, valueRows, ids)
  const byBody = new Map(fresh.map(({ i }, nth) => [i, stored[nth]]))
  return bodies.map((_, i) => byBody.get(i))
}

/**
 * Changes addresses one after another, all or none. A change that would make an address equal to another of its customer is skipped,
 * with its form fields.
 * @returns the changed address of each body; undefined if the change was skipped
 * @throws Problem 422 with all mistakes
 */
export async function changeAddresses(tx: Tx, bodies: readonly Changes[]): Promise<(CustomerAddress | undefined)[]> {
  const counters = countersOfFields(bodies)
  if (counters.length > 0) await lockCounters(tx, counters)
  const ids = bodies.map(({ id }) => id)
  const owners = await customersOfAddresses(tx, ids)
  await lockCustomers(tx, [...owners.values()])
  const before = await lockAll(tx, customerAddresses, ids)
  const values = await readValuesOf(tx, bodies)
  const place = (i: number) => `${i}.id`
  const mistakes: Mistakes = {
    ...repeatedIds(bodies, place),
    ...missing(ids, before, place, (id) => unknownId('address', id)),
    ...values.mistakes,
  }
  const wished = bodies.map(({ id, form_fields: _, ...changes }, i) => {
    const address = before.get(id)
    if (!address) return undefined
    const whole = { ...address, ...changes }
    // A state that was stored with an older list of states is not checked until a change sets it.
    if (PLACE.some((field) => changes[field] !== undefined)) {
      Object.assign(
        mistakes,
        placeMistakes(whole, (field) => `${i}.${field}`),
      )
    }
    const { id: _id, customer_id, country: _country, ...given } = whole
    return { address, row: addressRow(customer_id, completeAddress(given)), values: values.of[i] ?? [] }
  })
  refuse(mistakes)

  const items = wished.filter((item) => item !== undefined)
  const taken = await findEqual(
    tx,
    items.map(({ row }) => row),
  )
  const changed: (CustomerAddress | undefined)[] = []
  for (const { address, row, values } of items) {
    const equal = taken.get(keyOf(row))
    changed.push(
      equal === undefined || equal === address.id ? await changeAddress(tx, address, row, values) : undefined,
    )
    if (equal !== undefined) continue
    taken.delete(keyOf(addressRow(address.customer_id, address)))
    taken.set(keyOf(row), address.id)
  }
  return changed
}

async function changeAddress(
  tx: Tx,
  address: CustomerAddress,
  row: CustomerAddressRow,
  values: readonly FieldValue[],
): Promise<CustomerAddress> {
  const owner = { customer_id: address.customer_id, address_id: address.id }
  const { name_key, fingerprint, ...fields } = row
  const isOther = Object.keys(differences(address, fields)).length > 0
  const changed = isOther ? await change(tx, customerAddresses, address, { ...fields, name_key, fingerprint }) : address
  const newValues = await writeValues(
    tx,
    values.map((value) => valueRow(owner, value)),
  )
  if (isOther || newValues.length > 0) publishAddress(tx, 'updated', address)
  return changed
}

/** Deletes addresses with their form fields. Unknown ids are skipped. */
export async function deleteAddresses(tx: Tx, ids: readonly number[]) {
  await lockCounters(tx, [customerAddresses.table, formFieldValues.table])
  const owners = await customersOfAddresses(tx, ids)
  await lockCustomers(tx, [...owners.values()])
  await removeAll(tx, formFieldValues, sql`address_id = any(${[...owners.keys()]})`)
  const gone = await removeAll(tx, customerAddresses, sql`id = any(${[...owners.keys()]})`)
  const deleted = gone.sort((one, other) => one - other).map((id) => ({ id, customer_id: owners.get(id) ?? 0 }))
  const fewer = countEach(
    deleted.map(({ customer_id }) => customer_id),
    -1,
  )
  await addToCounts(tx, 'address_count', fewer)
  for (const address of deleted) publishAddress(tx, 'deleted', address)
}

const keyOf = ({ customer_id, fingerprint }: Pick<CustomerAddressRow, 'customer_id' | 'fingerprint'>) =>
  `${customer_id} ${fingerprint}`

/** The ids of stored addresses that equal the given ones, by customer and fingerprint. */
export async function findEqual(
  tx: Tx,
  rows: readonly Pick<CustomerAddressRow, 'customer_id' | 'fingerprint'>[],
): Promise<Map<string, number>> {
  const found = await tx.rows<{ id: number; customer_id: number; fingerprint: string }>(
    prepared(sql`
    select id, customer_id, fingerprint from customer_addresses
    where store_id = ${tx.store.id} and customer_id = any(${[...new Set(rows.map(({ customer_id }) => customer_id))]})
      and fingerprint = any(${[...new Set(rows.map(({ fingerprint }) => fingerprint))]})`),
  )
  return new Map(found.map((row) => [keyOf(row), row.id]))
}

interface BodyWithFields {
  form_fields?: FormFieldValue[]
}

const hasFields = (bodies: readonly BodyWithFields[]) => bodies.some(({ form_fields = [] }) => form_fields.length > 0)

/** The counters to lock for the form fields of bodies. */
const countersOfFields = (bodies: readonly BodyWithFields[]) => (hasFields(bodies) ? [formFieldValues.table] : [])

/** Reads the form fields of bodies. @returns the values of each body, and the mistakes */
async function readValuesOf(tx: Tx, bodies: readonly BodyWithFields[]) {
  const mistakes: Mistakes = {}
  if (!hasFields(bodies)) return { of: [], mistakes }
  const fields = await lockFieldsShared(tx, 'address')
  const of = bodies.map(({ form_fields = [] }, i) => {
    const read = readValues(form_fields, fields, (j, part) => `${i}.form_fields.${j}.${part}`)
    Object.assign(mistakes, read.mistakes)
    return read.values
  })
  return { of, mistakes }
}
