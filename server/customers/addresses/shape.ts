import { hash } from 'node:crypto'
import t, { type Static } from 'typebox'
import { type Db, prepared, type Tx } from '../../core/db/database.ts'
import { sql } from '../../core/db/sql.ts'
import { publish } from '../../core/events/publish.ts'
import { countryOf, hasPostalCodes, nameOfCountry } from '../../core/geography/countries.ts'
import { stateByName, statesOf } from '../../core/geography/states.ts'
import { Id, Line, ListOf, NeededLine } from '../../core/rest/input/fields.ts'
import type { Mistakes } from '../../core/rest/input/mistakes.ts'
import { collection } from '../../core/rest/lists/collection.ts'
import { ComparedText } from '../../core/rest/lists/filters.ts'
import { fold } from '../../core/rest/lists/fold.ts'
import { insertAll, type NewIds } from '../../core/rest/lists/verbs.ts'
import { Problem } from '../../core/rest/problem.ts'
import { AddressFormFieldValue, FormFieldValues } from '../form-fields/values.ts'
import { firstOfEach } from '../row/first-of-each.ts'

const ADDRESSES_MAX = 1_000

export const CustomerAddress = t.Object({
  id: Id,
  customer_id: Id,
  first_name: NeededLine,
  last_name: NeededLine,
  company: Line,
  address1: NeededLine,
  address2: Line,
  city: t.String({ maxLength: 100 }),
  state_or_province: t.String({ maxLength: 100, description: 'The full name, where the country has a list of states' }),
  postal_code: t.String({ maxLength: 30 }),
  country_code: t.String({ minLength: 2, maxLength: 2, description: 'Code of ISO 3166-1' }),
  country: t.String({ description: 'The name of the country in English; follows from country_code' }),
  phone: t.String({ maxLength: 50 }),
  address_type: t.Enum(['residential', 'commercial']),
})
export type CustomerAddress = Static<typeof CustomerAddress>

const { id: _id, customer_id, country: _country, ...written } = CustomerAddress.properties
export const AddressChanges = t.Partial(t.Object({ ...written, form_fields: FormFieldValues }))
const { company, address2, phone, address_type, state_or_province, postal_code, form_fields } =
  AddressChanges.properties
const optional = { company, address2, phone, address_type, form_fields }

export const NewAddress = t.Object({ ...written, ...optional, customer_id }, { title: 'NewCustomerAddress' })
/** An address in the body of a new customer. */
export const NestedAddress = t.Object(
  { ...written, ...optional, state_or_province, postal_code },
  { title: 'AddressOfNewCustomer' },
)
export type NestedAddress = Static<typeof NestedAddress>

export const customerAddresses = collection('customer_addresses', CustomerAddress, {
  noun: 'customer address',
  filters: 'id:in company:in customer_id:in',
  queries: {
    'name:in': t.Optional(ListOf(ComparedText)),
    include: t.Optional(t.Array(t.Enum(['formfields']))),
  },
  parts: { form_fields: t.Optional(t.Array(AddressFormFieldValue)) },
  hidden: ['name_key', 'fingerprint'],
  counted: true,
})

const blank = { company: '', address2: '', phone: '', state_or_province: '', postal_code: '' }

/**
 * Checks country, state and postal code of an address that has passed its schema
 * (docs/contract/customer-addresses.md section 2).
 * @param at the path of a field
 */
export function placeMistakes(
  place: Pick<NestedAddress, 'country_code' | 'state_or_province' | 'postal_code'>,
  at: (field: 'country_code' | 'state_or_province' | 'postal_code') => string,
): Mistakes {
  const { country_code, state_or_province = '', postal_code = '' } = place
  const code = countryOf(country_code)
  if (code === undefined) return { [at('country_code')]: `There is no country with the code ${country_code}.` }
  const mistakes: Mistakes = {}
  const country = nameOfCountry(code)
  if (statesOf(code) && !stateByName(code, state_or_province)) {
    const given = state_or_province === '' ? 'nothing' : JSON.stringify(state_or_province)
    mistakes[at('state_or_province')] = `Give the full name of a state of ${country}, not ${given}.`
  }
  if (postal_code.trim() === '' && hasPostalCodes(code)) {
    mistakes[at('postal_code')] = `Addresses in ${country} have a postal code.`
  }
  return mistakes
}

/** A valid address without its id and its customer. */
export type NewFields = Omit<CustomerAddress, 'id' | 'customer_id'>

/** Completes a valid address: countries and states get the spelling of the lists. */
export function completeAddress({
  address_type = 'residential',
  ...given
}: Omit<NestedAddress, 'form_fields'>): NewFields {
  const address = { ...blank, ...given, address_type }
  const country_code = countryOf(address.country_code) ?? ''
  const state = stateByName(country_code, address.state_or_province)
  return {
    ...address,
    country_code,
    country: nameOfCountry(country_code),
    state_or_province: state?.name ?? address.state_or_province,
  }
}

/** A digest that only equal addresses share (docs/contract/customer-addresses.md section 3). */
function fingerprintOf(address: NewFields): string {
  const { first_name, last_name, company, phone, address_type } = address
  const { address1, address2, city, country_code, state_or_province, postal_code } = address
  const compared = [first_name, last_name, company, phone, address_type, address1, address2, city, country_code]
  return hash('sha256', JSON.stringify([...compared, state_or_province, postal_code]), 'base64url')
}

/** A new address without its id. */
export type CustomerAddressRow = ReturnType<typeof addressRow>

export const addressRow = (customer_id: number, address: NewFields) => ({
  ...address,
  customer_id,
  name_key: fold(`${address.first_name} ${address.last_name}`),
  fingerprint: fingerprintOf(address),
})

/** Stores new addresses that differ from all others of their customers. @param ids taken for them @returns them in the same order */
export async function insertAddresses(
  tx: Tx,
  rows: readonly CustomerAddressRow[],
  ids: NewIds,
): Promise<CustomerAddress[]> {
  const stored = await insertAll(
    tx,
    customerAddresses,
    rows.map((row) => ({ ...row, id: ids.next(customerAddresses) })),
  )
  for (const address of stored) publishAddress(tx, 'created', address)
  return stored
}

/** @throws Problem 403 for a customer who would have too many addresses */
export function refuseTooManyAddresses(customerId: number, count: number) {
  if (count > ADDRESSES_MAX) {
    throw new Problem(403, `The customer ${customerId} can have at most ${ADDRESSES_MAX} addresses.`)
  }
}

/** Publishes an event of an address with its customer as the subject. */
export function publishAddress(
  tx: Tx,
  action: 'created' | 'updated' | 'deleted',
  { id, customer_id }: Pick<CustomerAddress, 'id' | 'customer_id'>,
) {
  publish(tx, `store/customer/address/${action}`, `customer ${customer_id}`, {
    type: 'customer',
    id,
    address: { customer_id },
  })
}

/** The customers of existing addresses, by the ids of the addresses. */
export async function customersOfAddresses(db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, number>> {
  if (ids.length === 0) return new Map()
  const rows = await db.rows<Pick<CustomerAddress, 'id' | 'customer_id'>>(
    prepared(sql`
    select id, customer_id from customer_addresses where store_id = ${db.store.id} and id = any(${[...new Set(ids)]})`),
  )
  return new Map(rows.map(({ id, customer_id }) => [id, customer_id]))
}

/** The addresses for `include=addresses`. */
export const includedAddresses = firstOfEach(customerAddresses)
