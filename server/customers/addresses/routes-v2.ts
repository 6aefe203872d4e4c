import t, { type Static } from 'typebox'
import type { Tx } from '../../core/db/database.ts'
import { sql } from '../../core/db/sql.ts'
import { codeOfCountry } from '../../core/geography/countries.ts'
import { Answer, noContent } from '../../core/rest/answer.ts'
import type { Api } from '../../core/rest/api.ts'
import { Id, idSegment } from '../../core/rest/input/fields.ts'
import type { RowWithId } from '../../core/rest/lists/collection.ts'
import { findRows } from '../../core/rest/lists/pages.ts'
import { paging } from '../../core/rest/lists/paging.ts'
import { findBelow, findOne } from '../../core/rest/lists/verbs.ts'
import { invalid, locating } from '../../core/rest/problem.ts'
import { pageV2 } from '../../core/rest/v2.ts'
import { access } from '../../stores/accounts/scopes.ts'
import { customers } from '../row/shape.ts'
import { changeAddresses, createAddresses, deleteAddresses, findEqual } from './operations.ts'
import {
  type AddressChanges,
  addressRow,
  CustomerAddress,
  completeAddress,
  customerAddresses,
  type NewAddress as NewInV3,
} from './shape.ts'

const { read, write } = access('customers')

const { id, customer_id, first_name, last_name, company, address1, address2, ...others } = CustomerAddress.properties
const { city, state_or_province, postal_code, country: _, phone, address_type } = others
const needed = {
  first_name,
  last_name,
  street_1: address1,
  city,
  state: t.String({ ...state_or_province, description: 'The full name; empty or blank without a state' }),
  zip: postal_code,
  country: t.String({ description: 'The full name in English' }),
  phone,
}
const further = { company, street_2: address2, address_type }
const AddressAnswer = t.Object(
  { id, customer_id, ...needed, ...further, country_iso2: t.String() },
  { title: 'CustomerAddressV2' },
)
const NewAddress = t.Object(
  { ...needed, ...t.Partial(t.Object(further)).properties },
  {
    title: 'NewCustomerAddressV2',
    examples: [
      {
        first_name: 'Ann',
        last_name: 'Lee',
        street_1: '12 Harbour Street',
        city: 'Sydney',
        state: 'New South Wales',
        zip: '2000',
        country: 'Australia',
        phone: '555 0100',
      },
    ],
  },
)
const Changes = t.Partial(t.Object({ ...needed, ...further }), {
  title: 'CustomerAddressChangesV2',
  examples: [{ phone: '555 0199' }],
})

/** Routes of the addresses of a customer in the v2 API (docs/contract/customer-addresses.md section 5). */
export function addressRoutesV2(api: Api) {
  const all = `/customers/${idSegment('customer_id')}/addresses`
  const one = `${all}/${idSegment('customer_address_id')}`
  const ofCustomer = t.Object({ customer_id: Id })
  const params = t.Object({ customer_id: Id, customer_address_id: Id })
  const below = ({ customer_id }: { customer_id: number }) => sql`customer_id = ${customer_id}`

  api.get(
    all,
    {
      ...read,
      schema: {
        summary: 'List the addresses of a customer',
        params: ofCustomer,
        querystring: pageV2,
        response: { 200: t.Array(AddressAnswer), 204: t.Null() },
      },
    },
    async ({ db, params, query }) => {
      await findOne(db, customers, params.customer_id)
      const { data } = await findRows(db, customerAddresses, query, below(params))
      // Without a selection of fields each row is whole.
      return data.length === 0 ? noContent() : new Answer(data.map((row) => addressToAnswer(row as CustomerAddress)))
    },
  )

  api.post(
    all,
    {
      ...write,
      schema: {
        summary: 'Create an address of a customer',
        description: 'If the customer has an equal address, the answer is that one.',
        params: ofCustomer,
        body: NewAddress,
        response: { 200: AddressAnswer },
      },
    },
    async ({ db, params, body }) => {
      const { street_1: address1, street_2: address2 = '', state, zip: postal_code, country, ...same } = body
      const place = { state_or_province: stateOf(state), postal_code, country_code: codeOf(country) }
      const given = { ...same, address1, address2, ...place, customer_id: params.customer_id }
      const address = await naming(() => db.transaction((tx) => createOrFind(tx, given)))
      return new Answer(addressToAnswer(address))
    },
  )

  api.delete(
    all,
    {
      ...write,
      schema: {
        summary: 'Delete all addresses of a customer',
        description: 'Deletes all of them. page and limit are ignored.',
        params: ofCustomer,
        querystring: t.Object(paging, { additionalProperties: false, examples: [{ limit: 50 }] }),
      },
    },
    async ({ db, params }) => {
      await findOne(db, customers, params.customer_id)
      await db.transaction(async (tx) => {
        const found = await tx.rows<RowWithId>(
          sql`select id from customer_addresses where store_id = ${tx.store.id} and ${below(params)}`,
        )
        await deleteAddresses(
          tx,
          found.map(({ id }) => id),
        )
      })
      return noContent()
    },
  )

  api.get(
    `${all}/count`,
    {
      ...read,
      schema: {
        summary: 'Count the addresses of a customer',
        params: ofCustomer,
        response: { 200: t.Object({ count: t.Integer() }, { title: 'CountV2' }) },
      },
    },
    async ({ db, params }) => {
      const { address_count } = await findOne(db, customers, params.customer_id)
      return new Answer({ count: address_count })
    },
  )

  api.get(
    one,
    { ...read, schema: { summary: 'Get an address of a customer', params, response: { 200: AddressAnswer } } },
    async ({ db, params: { customer_id, customer_address_id } }) =>
      new Answer(addressToAnswer(await findBelow(db, customerAddresses, { customer_id }, customer_address_id))),
  )

  api.put(
    one,
    {
      ...write,
      schema: {
        summary: 'Change an address of a customer',
        description: 'If the customer has an equal address, nothing changes.',
        params,
        body: Changes,
        response: { 200: AddressAnswer },
      },
    },
    async ({ db, params: { customer_id, customer_address_id }, body }) => {
      const changes = asInV3(body)
      const address = await naming(() =>
        db.transaction(async (tx) => {
          const before = await findBelow(tx, customerAddresses, { customer_id }, customer_address_id)
          const [changed] = await changeAddresses(tx, [{ ...changes, id: customer_address_id }])
          return changed ?? before
        }),
      )
      return new Answer(addressToAnswer(address))
    },
  )

  api.delete(
    one,
    { ...write, schema: { summary: 'Delete an address of a customer', params } },
    async ({ db, params: { customer_id, customer_address_id } }) => {
      await db.transaction(async (tx) => {
        await findBelow(tx, customerAddresses, { customer_id }, customer_address_id)
        await deleteAddresses(tx, [customer_address_id])
      })
      return noContent()
    },
  )
}

const addressToAnswer = ({
  id,
  customer_id,
  first_name,
  last_name,
  ...address
}: CustomerAddress): Static<typeof AddressAnswer> => ({
  id,
  customer_id,
  first_name,
  last_name,
  company: address.company,
  street_1: address.address1,
  street_2: address.address2,
  city: address.city,
  state: address.state_or_province,
  zip: address.postal_code,
  country: address.country,
  country_iso2: address.country_code,
  phone: address.phone,
  address_type: address.address_type,
})

/** The fields of a body under the names of the v3 API. @throws Problem 400 for an unknown country */
function asInV3({
  street_1,
  street_2,
  state,
  zip,
  country,
  ...same
}: Static<typeof Changes>): Static<typeof AddressChanges> {
  return {
    ...same,
    ...(street_1 === undefined ? {} : { address1: street_1 }),
    ...(street_2 === undefined ? {} : { address2: street_2 }),
    ...(state === undefined ? {} : { state_or_province: stateOf(state) }),
    ...(zip === undefined ? {} : { postal_code: zip }),
    ...(country === undefined ? {} : { country_code: codeOf(country) }),
  }
}

const stateOf = (state: string): string => (state.trim() === '' ? '' : state)

function codeOf(country: string): string {
  const code = codeOfCountry(country)
  if (code !== undefined) return code
  throw invalid({ country: `There is no country ${JSON.stringify(country)}: give its full name in English.` })
}

/** Runs work on one address. Its refusal has the field names of the v2 API. */
const naming = <T>(work: () => Promise<T>): Promise<T> =>
  locating((field) => {
    const name = field.replace(/^0\./, '')
    return NAMES[name] ?? name
  }, work)
const NAMES: Readonly<Record<string, string>> = { state_or_province: 'state', postal_code: 'zip' }

/** @throws Problem 404 */
async function createOrFind(tx: Tx, given: Static<typeof NewInV3>): Promise<CustomerAddress> {
  await findOne(tx, customers, given.customer_id)
  const [created] = await createAddresses(tx, [given])
  if (created) return created
  const row = addressRow(given.customer_id, completeAddress(given))
  const [equal = 0] = (await findEqual(tx, [row])).values()
  return findOne(tx, customerAddresses, equal)
}
