import t from 'typebox'
import type { Db } from '../../core/db/database.ts'
import { sql } from '../../core/db/sql.ts'
import { answer, noContent } from '../../core/rest/answer.ts'
import type { Api } from '../../core/rest/api.ts'
import { Id, IdList } from '../../core/rest/input/fields.ts'
import { envelope } from '../../core/rest/lists/collection.ts'
import { fold } from '../../core/rest/lists/fold.ts'
import { findPage } from '../../core/rest/lists/pages.ts'
import { Problem } from '../../core/rest/problem.ts'
import { access } from '../../stores/accounts/scopes.ts'
import { sharedLimit } from '../../stores/quotas/concurrency-limit.ts'
import { type FormFieldValue, includedAddressValues } from '../form-fields/values.ts'
import { changeAddresses, createAddresses, deleteAddresses } from './operations.ts'
import { AddressChanges, type CustomerAddress, customerAddresses, NewAddress } from './shape.ts'

const WRITTEN_MAX = 50
const CREATED_AT_ONCE = 10
const CHANGED_AT_ONCE = 3

const { read, write } = access('customers')

const NewAddresses = t.Array(NewAddress, {
  minItems: 1,
  maxItems: WRITTEN_MAX,
  examples: [
    [
      {
        customer_id: 1,
        first_name: 'Ann',
        last_name: 'Lee',
        address1: '12 Harbour Street',
        city: 'Sydney',
        state_or_province: 'New South Wales',
        postal_code: '2000',
        country_code: 'AU',
      },
    ],
  ],
})
const ChangesById = t.Array(t.Object({ ...AddressChanges.properties, id: Id }, { title: 'CustomerAddressChanges' }), {
  minItems: 1,
  maxItems: WRITTEN_MAX,
  examples: [[{ id: 1, phone: '555 0100' }]],
})
const GoneQuery = t.Object(
  { 'id:in': t.Optional(IdList) },
  { additionalProperties: false, examples: [{ 'id:in': '1' }] },
)
const written = { response: { 200: envelope(t.Array(customerAddresses.shape)) } }

/** Routes of addresses (docs/contract/customer-addresses.md). */
export function addressRoutes(api: Api) {
  const path = '/customers/addresses'
  const [creating, changing] = [
    sharedLimit('customer addresses: create', CREATED_AT_ONCE),
    sharedLimit('customer addresses: change', CHANGED_AT_ONCE),
  ]

  api.get(
    path,
    { ...read, schema: { summary: 'List the addresses of customers', ...customerAddresses.list } },
    ({ db, query }) => {
      const { 'name:in': names, include = [] } = query
      const where = Array.isArray(names) ? sql`name_key = any(${names.map(String).map(fold)})` : undefined
      return findPage(db, customerAddresses, query, {
        where,
        inclusions: include.length > 0 ? { form_fields: includedAddressValues } : {},
      })
    },
  )

  api.post(
    path,
    {
      ...write,
      schema: {
        summary: 'Create addresses of customers',
        description: 'Either all are stored or none. The answer omits addresses that the customer has already.',
        body: NewAddresses,
        ...written,
      },
    },
    ({ db, body }) =>
      creating.run(db.store, async () =>
        answer(await db.transaction(async (tx) => addressesToAnswer(tx, body, await createAddresses(tx, body)))),
      ),
  )

  api.put(
    path,
    {
      ...write,
      schema: {
        summary: 'Change addresses of customers',
        description:
          'Either all are stored or none. The answer omits addresses that would become equal to another of their customer.',
        body: ChangesById,
        ...written,
      },
    },
    ({ db, body }) =>
      changing.run(db.store, async () =>
        answer(await db.transaction(async (tx) => addressesToAnswer(tx, body, await changeAddresses(tx, body)))),
      ),
  )

  api.delete(
    path,
    { ...write, schema: { summary: 'Delete addresses of customers', querystring: GoneQuery } },
    async ({ db, query: { 'id:in': ids } }) => {
      if (!ids) throw new Problem(422, 'A DELETE of addresses needs id:in in its query.')
      await db.transaction((tx) => deleteAddresses(tx, ids))
      return noContent()
    },
  )
}

/** The stored addresses in the order of the bodies, with form fields if their body has some. */
async function addressesToAnswer(
  db: Db,
  bodies: readonly { form_fields?: FormFieldValue[] }[],
  stored: readonly (CustomerAddress | undefined)[],
) {
  const asked = stored.filter((address, i) => address && bodies[i]?.form_fields).flatMap((address) => address?.id ?? [])
  const values = asked.length > 0 ? await includedAddressValues(db, asked) : new Map<number, string>()
  return stored.flatMap((address) => {
    if (!address) return []
    if (!asked.includes(address.id)) return [address]
    return [{ ...address, form_fields: JSON.parse(values.get(address.id) ?? '[]') }]
  })
}
