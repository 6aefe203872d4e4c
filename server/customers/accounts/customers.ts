import t, { type Static } from 'typebox'
import type { Db } from '../../core/db/database.ts'
import { isObject } from '../../core/objects.ts'
import { answerJson, noContent } from '../../core/rest/answer.ts'
import type { Api } from '../../core/rest/api.ts'
import { Id, IdList, ListOf, nullable } from '../../core/rest/input/fields.ts'
import { type Mistakes, refuse } from '../../core/rest/input/mistakes.ts'
import { collection, envelope, type ListQuery } from '../../core/rest/lists/collection.ts'
import { ComparedText } from '../../core/rest/lists/filters.ts'
import { filteredPage } from '../../core/rest/lists/pages/filtered.ts'
import { type Inclusion, type Inclusions, withInclusions } from '../../core/rest/lists/pages/inclusions.ts'
import { findKeyed, findPage } from '../../core/rest/lists/pages.ts'
import { invalid, Problem } from '../../core/rest/problem.ts'
import { ChannelId } from '../../shop/channels/channels.ts'
import { sharedLimit } from '../../stores/quotas/concurrency-limit.ts'
import { customerAddresses, includedAddresses } from '../addresses/shape.ts'
import { attributeValues, includedAttributes } from '../attributes/shape.ts'
import { CustomerFormFieldValue, FormFieldValues, includedCustomerValues } from '../form-fields/values.ts'
import { hashesOf, hashing, passwordMistake } from '../logins/passwords.ts'
import { CUSTOMER_NAMES, type NameQuery, named, withName } from '../row/names.ts'
import { Customer, customerFacts, customersAccess } from '../row/shape.ts'
import { includedCredit, StoreCredit } from '../row/store-credit.ts'
import { includedProfileIds, includedSegmentIds } from '../segments/profiles.ts'
import { SegmentUuid } from '../segments/shape.ts'
import { changeCustomers } from './change.ts'
import { createCustomers, type NewCustomerAccount, type RequestContext } from './create.ts'
import { deleteCustomers } from './deletion.ts'
import { NewSubResources } from './sub-resources.ts'

const BATCH_MAX = 10
/** Most requests of a store that change customers at once (docs/contract/customers.md section 7). */
const CHANGES_AT_ONCE = 3

const { read, write } = customersAccess

/** Sub-resources of a customer: the name in `include`, and the field in answers. */
const parts = {
  addresses: { field: 'addresses', shape: t.Array(customerAddresses.shape), find: includedAddresses },
  attributes: { field: 'attributes', shape: t.Array(attributeValues.shape), find: includedAttributes },
  formfields: { field: 'form_fields', shape: t.Array(CustomerFormFieldValue), find: includedCustomerValues },
  storecredit: { field: 'store_credit_amounts', shape: StoreCredit, find: includedCredit },
  shopper_profile_id: { field: 'shopper_profile_id', shape: nullable(SegmentUuid), find: includedProfileIds },
  segment_ids: { field: 'segment_ids', shape: t.Array(SegmentUuid), find: includedSegmentIds },
} as const satisfies Record<string, { field: string; shape: t.TSchema; find: Inclusion }>

const shown = collection('customers', Customer, {
  ...customerFacts,
  parts: t.Partial(t.Object(Object.fromEntries(Object.values(parts).map(({ field, shape }) => [field, shape]))))
    .properties,
  queries: {
    'name:in': t.Optional(ListOf(ComparedText)),
    'name:like': t.Optional(ListOf(ComparedText)),
    include: t.Optional(t.Array(t.Enum(Object.keys(parts)))),
  },
})

const { email, first_name, last_name, company, phone, notes, tax_exempt_category, customer_group_id } =
  Customer.properties
const { accepts_product_review_abandoned_cart_emails } = Customer.properties

const Changes = t.Partial(
  t.Object({
    email,
    first_name,
    last_name,
    company,
    phone,
    notes,
    tax_exempt_category,
    customer_group_id,
    authentication: t.Partial(
      t.Object({ new_password: t.String(), force_password_reset: t.Boolean() }, { title: 'CustomerAuthentication' }),
    ),
    accepts_product_review_abandoned_cart_emails,
    store_credit_amounts: StoreCredit,
    form_fields: FormFieldValues,
    channel_ids: nullable(t.Array(ChannelId, { minItems: 1, maxItems: 1_000 })),
  }),
)
const NewCustomer = t.Object(
  {
    ...Changes.properties,
    ...NewSubResources.properties,
    email: t.String({ ...email, maxLength: 250 }),
    first_name,
    last_name,
    origin_channel_id: t.Optional(ChannelId),
    trigger_account_created_notification: t.Optional(
      t.Boolean({ description: 'Whether the customer gets the welcome mail of the channel' }),
    ),
  },
  { title: 'NewCustomer' },
)
type NewCustomer = Static<typeof NewCustomer>

const ChangesById = t.Object(
  {
    ...Changes.properties,
    id: Id,
    // A list becomes empty when its last channel is deleted. A client may send it back.
    channel_ids: t.Optional(nullable(t.Array(ChannelId, { maxItems: 1_000 }))),
  },
  { title: 'CustomerChanges' },
)

const example = {
  email: 'ann.lee@example.com',
  first_name: 'Ann',
  last_name: 'Lee',
  company: 'Lee Interiors',
  store_credit_amounts: [{ amount: 12.5 }],
  addresses: [
    {
      first_name: 'Ann',
      last_name: 'Lee',
      address1: '12 Harbour Street',
      city: 'Sydney',
      state_or_province: 'New South Wales',
      postal_code: '2000',
      country_code: 'AU',
    },
  ],
}

/** Customers in batches (docs/contract/customers.md section 2). */
export function customersRoutes(api: Api) {
  const atOnce = sharedLimit('customers: change', CHANGES_AT_ONCE)

  api.get(
    '/customers',
    {
      ...read,
      schema: {
        summary: 'List the customers',
        description: 'To read one customer, use id:in.',
        ...shown.list,
      },
    },
    ({ db, query }) => listCustomers(db, query),
  )

  api.post(
    '/customers',
    {
      ...write,
      schema: {
        summary: 'Create customers',
        description: `At most ${BATCH_MAX}. Either all are stored or none. An account without a password can't log in until one is set.`,
        body: t.Array(NewCustomer, { minItems: 1, maxItems: BATCH_MAX, examples: [[example]] }),
        response: { 200: envelope(t.Array(shown.shape)) },
      },
      preHandler: hashing(passwordsIn),
    },
    (request) => {
      const { db, body, client } = request
      refuseFaultyPasswords(body)
      const accounts = body.map((item, i) => accountOf(item, hashesOf(request)[i]))
      return db.transaction(async (tx) => {
        const created = await createCustomers(tx, accounts, { ...inBatches, clientId: client.id })
        return answerJson(`[${await show(tx, created, partsIn(body))}]`)
      })
    },
  )

  api.put(
    '/customers',
    {
      ...write,
      schema: {
        summary: 'Change customers',
        description: `At most ${BATCH_MAX}. Either all changes are stored or none. Fields that an item omits remain.`,
        body: t.Array(ChangesById, {
          minItems: 1,
          maxItems: BATCH_MAX,
          examples: [[{ id: 1, notes: 'Calls on Fridays' }]],
        }),
        response: { 200: envelope(t.Array(shown.shape)) },
      },
      preHandler: hashing(passwordsIn),
    },
    (request) => {
      const { db, body, client } = request
      refuseFaultyPasswords(body)
      const hashes = hashesOf(request)
      const changes = body.map(({ id, ...item }, i) => ({ ...fieldsOf(item, hashes[i]), id }))
      return atOnce.run(db.store, () =>
        db.transaction(async (tx) => {
          const changed = await changeCustomers(tx, changes, {
            ...inBatches,
            refuseTaken: refuseAll,
            clientId: client.id,
          })
          return answerJson(`[${await show(tx, changed, partsIn(body))}]`)
        }),
      )
    },
  )

  api.delete(
    '/customers',
    {
      ...write,
      schema: {
        summary: 'Delete customers by their ids',
        description:
          'Deletes them with all their data. Unknown ids are skipped. Without id:in, nothing is deleted: 204.',
        querystring: t.Object(
          { 'id:in': t.Optional(IdList) },
          { additionalProperties: false, examples: [{ 'id:in': '1' }] },
        ),
      },
    },
    async ({ db, query, client }) => {
      await deleteCustomers(db, query['id:in'] ?? [], client.id)
      return noContent()
    },
  )
}

/** A page of customers. If the query filters by names only, the page is read from the table of names. */
function listCustomers(db: Db, query: ListQuery) {
  const name = named(db, query as NameQuery)
  const inclusions = asked((query.include ?? []).map((part) => part))
  const isOnlyNamed = name && Object.keys(query).every((parameter) => nameQuery.has(parameter))
  return isOnlyNamed
    ? findKeyed(db, shown, query, {
        statement: filteredPage(db, shown, query, { conditions: [name], keysIn: CUSTOMER_NAMES }),
        inclusions,
      })
    : findPage(db, shown, query, { where: name && withName(db, name), inclusions })
}
const nameQuery: ReadonlySet<string> = new Set([
  'name:in',
  'name:like',
  'page',
  'limit',
  'include',
  'include_fields',
  'exclude_fields',
])

/** The inclusions by the fields of answers. @param names as in `include` */
const asked = (names: readonly string[]): Inclusions =>
  Object.fromEntries(
    Object.entries(parts).flatMap(([name, { field, find }]) => (names.includes(name) ? [[field, find]] : [])),
  )

/** The sub-resources of a body. The answer includes them. */
const partsIn = (bodies: readonly object[]) =>
  Object.entries(parts).flatMap(([name, { field }]) => (bodies.some((body) => field in body) ? [name] : []))

const show = (db: Db, rows: readonly Customer[], names: readonly string[]) =>
  withInclusions(db, rows, (row) => row, asked(names))

/** The password of each item of an unchecked body. */
function passwordsIn(body: unknown): unknown[] {
  if (!Array.isArray(body) || body.length > BATCH_MAX) return []
  return body.map((item) => child(child(item, 'authentication'), 'new_password'))
}

const child = (parent: unknown, key: string): unknown => (isObject(parent) ? parent[key] : undefined)

/** @throws Problem 422 */
function refuseFaultyPasswords(bodies: readonly { authentication?: { new_password?: string } }[]) {
  const mistakes: Mistakes = {}
  for (const [i, { authentication }] of bodies.entries()) {
    const fault = authentication?.new_password === undefined ? undefined : passwordMistake(authentication.new_password)
    if (fault !== undefined) mistakes[`${i}.authentication.new_password`] = fault
  }
  refuse(mistakes)
}

function accountOf(
  { trigger_account_created_notification: isWelcomed, email, first_name, last_name, ...given }: NewCustomer,
  password_hash: string | undefined,
): NewCustomerAccount {
  return { ...fieldsOf(given, password_hash), email, first_name, last_name, isWelcomed }
}

function fieldsOf<Body extends Static<typeof Changes>>(
  { authentication, store_credit_amounts, ...fields }: Body,
  password_hash: string | undefined,
) {
  return {
    ...fields,
    password_hash,
    force_password_reset: authentication?.force_password_reset,
    store_credit: store_credit_amounts?.[0]?.amount,
  }
}

/** The refusals of the v3 API. Clients look for the key and the words (docs/contract/customers.md section 2.3). */
const inBatches: Omit<RequestContext, 'clientId'> = {
  at: (i, field) => `${i}.${field}`,
  refuseTaken: (mistakes, taken) =>
    new Problem(422, 'Creating the customers failed.', {
      '.customer_create': Object.values(taken).join('; '),
      ...taken,
      ...mistakes,
    }),
}

const refuseAll: RequestContext['refuseTaken'] = (mistakes, taken) => invalid({ ...taken, ...mistakes })
