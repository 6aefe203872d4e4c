import { sql } from '../../../../../core/db/sql.ts'
import { withoutUndefined } from '../../../../../core/objects.ts'
import { refuse } from '../../../../../core/rest/input/mistakes.ts'
import { itemReader } from '../../../../../core/rest/input/validator.ts'
import { fold } from '../../../../../core/rest/lists/fold.ts'
import { findWhere } from '../../../../../core/rest/lists/verbs.ts'
import { notFound } from '../../../../../core/rest/problem.ts'
import { changeAddresses, createAddresses, deleteAddresses } from '../../../../../customers/addresses/operations.ts'
import {
  AddressChanges,
  type CustomerAddress,
  customerAddresses,
  customersOfAddresses,
  NewAddress,
  placeMistakes,
} from '../../../../../customers/addresses/shape.ts'
import { includedAddressValues } from '../../../../../customers/form-fields/values.ts'
import { type BuyerCaller, signedIn } from '../../caller.ts'
import type { SchemaInputs } from '../../schema-types.ts'
import type { MutationFields, QueryFields } from '../../types.ts'
import { given } from '../companies.ts'
import { buyerConnection, windowOfPage } from '../connections.ts'

// Addresses of customers without a company (docs/contract/b2b-graphql.md section 8).

const readNew = itemReader(NewAddress)
const readChanges = itemReader(AddressChanges)

export const customerAddressQueries: QueryFields<'customerAddresses' | 'customerAddress'> = {
  async customerAddresses(_, args, caller) {
    const { db, customer } = signedIn(caller)
    const window = windowOfPage(args)
    // A customer has at most 1,000 addresses.
    const all = await findWhere(db, customerAddresses, sql`customer_id = ${customer.id}`, sql`order by id desc`)
    const has = (text: string, wanted: string | null | undefined) =>
      given(wanted) === undefined || fold(text).includes(fold(wanted ?? ''))
    const found = all.filter(
      (row) =>
        has(row.first_name, args.firstName) &&
        has(row.last_name, args.lastName) &&
        has(`${row.country} ${row.country_code}`, args.country) &&
        has(row.state_or_province, args.stateOrProvince) &&
        has(row.city, args.city) &&
        has(row.company, args.company) &&
        has([row.first_name, row.last_name, row.address1, row.city, row.postal_code].join(' '), args.search),
    )
    const page = found.slice(window.offset, window.offset + window.limit)
    return buyerConnection(await addressesToAnswer(caller, page), found.length, window)
  },
  async customerAddress(_, { addressId }, caller) {
    const [address] = await addressesToAnswer(caller, [await ownAddress(caller, addressId)])
    return address ?? null
  },
}

export const customerAddressMutations: MutationFields<
  'customerAddressCreate' | 'customerAddressUpdate' | 'customerAddressDelete'
> = {
  async customerAddressCreate(_, { addressData }, caller) {
    const { db, customer } = signedIn(caller)
    const body = readNew({ ...bodyOf(addressData), customer_id: customer.id })
    refuse(placeMistakes(body, (field) => field))
    const [made] = await db.transaction((tx) => createAddresses(tx, [body]))
    // An address that the customer has already is not stored again.
    const [address] = made ? await addressesToAnswer(caller, [made]) : []
    return { address: address ?? null }
  },
  async customerAddressUpdate(_, { addressData }, caller) {
    const { db } = signedIn(caller)
    const before = await ownAddress(caller, addressData.bcAddressId)
    const changes = readChanges(bodyOf(addressData))
    refuse(placeMistakes({ ...before, ...changes }, (field) => field))
    await db.transaction((tx) => changeAddresses(tx, [{ ...changes, id: before.id }]))
    const [address] = await addressesToAnswer(caller, [await ownAddress(caller, before.id)])
    return { address: address ?? null }
  },
  async customerAddressDelete(_, { bcAddressId }, caller) {
    const { db } = signedIn(caller)
    const { id } = await ownAddress(caller, bcAddressId)
    await db.transaction((tx) => deleteAddresses(tx, [id]))
    return { message: 'Success' }
  },
}

/** @throws Problem 404 for the address of another customer */
async function ownAddress(caller: BuyerCaller, id: number): Promise<CustomerAddress> {
  const { db, customer } = signedIn(caller)
  const owner = (await customersOfAddresses(db, [id])).get(id)
  const [row] = owner === customer.id ? await findWhere(db, customerAddresses, sql`id = ${id}`) : []
  if (!row) throw notFound(customerAddresses.noun, id)
  return row
}

const bodyOf = (data: SchemaInputs['CustomerAddressInputType']) =>
  withoutUndefined({
    first_name: data.firstName,
    last_name: data.lastName,
    company: data.company ?? '',
    address1: data.address1,
    address2: data.address2 ?? '',
    city: data.city,
    phone: data.phone ?? '',
    state_or_province: data.stateOrProvince ?? '',
    postal_code: data.postalCode,
    country_code: data.countryCode,
    address_type: data.addressType === 'commercial' ? 'commercial' : 'residential',
    form_fields: (data.formFields ?? []).flatMap((field) => (field && field.value !== '' ? [field] : [])),
  })

async function addressesToAnswer(caller: BuyerCaller, rows: readonly CustomerAddress[]) {
  const { db } = signedIn(caller)
  const values = await includedAddressValues(
    db,
    rows.map(({ id }) => id),
  )
  return rows.map((row) => ({
    id: String(row.id),
    // The store does not keep these times.
    createdAt: 0,
    updatedAt: 0,
    firstName: row.first_name,
    lastName: row.last_name,
    company: row.company,
    bcAddressId: row.id,
    address1: row.address1,
    address2: row.address2,
    city: row.city,
    stateOrProvince: row.state_or_province,
    postalCode: row.postal_code,
    country: row.country,
    countryCode: row.country_code,
    phone: row.phone,
    addressType: row.address_type,
    formFields: formFieldsIn(values.get(row.id)),
  }))
}

function formFieldsIn(json: string | undefined): { name: string; value: unknown; addressId: string }[] {
  const fields: { name: string; value: unknown; address_id: number }[] = json === undefined ? [] : JSON.parse(json)
  return fields.map(({ name, value, address_id }) => ({ name, value, addressId: String(address_id) }))
}
