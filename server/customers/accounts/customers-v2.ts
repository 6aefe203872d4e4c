import Big from 'big.js'
import type { FastifyRequest } from 'fastify'
import t, { type Static } from 'typebox'
import { Value } from 'typebox/value'
import type { Db } from '../../core/db/database.ts'
import { type Sql, sql } from '../../core/db/sql.ts'
import { isObject } from '../../core/objects.ts'
import { Answer, noContent } from '../../core/rest/answer.ts'
import type { Api } from '../../core/rest/api.ts'
import { unstorableTexts } from '../../core/rest/bodies/body.ts'
import { Amount } from '../../core/rest/input/amounts.ts'
import { Id, idSegment } from '../../core/rest/input/fields.ts'
import { collection } from '../../core/rest/lists/collection.ts'
import { readCounters } from '../../core/rest/lists/counters.ts'
import { conditionsOf, filterOf, filterSchema, refuseBlanks } from '../../core/rest/lists/filters.ts'
import { findRows } from '../../core/rest/lists/pages.ts'
import { paging } from '../../core/rest/lists/paging.ts'
import { findWhere } from '../../core/rest/lists/verbs.ts'
import { notFound, Problem } from '../../core/rest/problem.ts'
import { dateV2 } from '../../core/rest/v2.ts'
import { formFieldsV2 } from '../form-fields/values.ts'
import { isPasswordOf } from '../logins/credentials.ts'
import { hashesOf, hashing, passwordMistake } from '../logins/passwords.ts'
import { Customer, customerFacts, customersAccess } from '../row/shape.ts'
import { changeCustomers } from './change.ts'
import { type CustomerFields, createCustomers, type RequestContext } from './create.ts'
import { deleteCustomers } from './deletion.ts'

const DELETED_AT_ONCE = 100

const { read, write } = customersAccess

/** A customer with the columns of the v2 API. */
const Row = t.Object({ ...Customer.properties, store_credit: Amount() }, { title: 'CustomerRow' })
type Row = Static<typeof Row>
const rows = collection('customers', Row, {
  ...customerFacts,
  filters: '',
  twins: ['email', 'first_name', 'last_name', 'company', 'phone', 'tax_exempt_category', 'registration_ip_address'],
})

const { first_name, last_name, email, company, phone, notes, tax_exempt_category, customer_group_id } =
  Customer.properties
const { registration_ip_address } = Customer.properties
const Resource = t.Object({ url: t.String(), resource: t.String() }, { title: 'ResourceLinkV2' })

const CustomerAnswer = t.Object(
  {
    id: Id,
    company,
    first_name,
    last_name,
    email,
    phone,
    date_created: t.String({ description: 'RFC 2822' }),
    date_modified: t.String({ description: 'RFC 2822' }),
    store_credit: t.String({ description: 'With four places' }),
    registration_ip_address,
    customer_group_id,
    notes,
    tax_exempt_category,
    accepts_marketing: t.Boolean(),
    addresses: Resource,
    form_fields: t.Union([t.Array(t.Object({ name: t.String(), value: t.String() })), t.Null()]),
    reset_pass_on_login: t.Boolean(),
  },
  { title: 'CustomerV2' },
)

const Changes = t.Partial(
  t.Object({
    _authentication: t.Partial(
      t.Object(
        { password: t.String(), password_confirmation: t.String(), force_reset: t.Boolean() },
        { title: 'CustomerAuthenticationV2' },
      ),
    ),
    company,
    first_name,
    last_name,
    email,
    phone,
    store_credit: Amount(),
    registration_ip_address,
    customer_group_id,
    notes,
    tax_exempt_category,
    reset_pass_on_login: t.Boolean(),
  }),
  { title: 'CustomerChangesV2', examples: [{ notes: 'Calls on Fridays' }] },
)
type Changes = Static<typeof Changes>
const NewCustomer = t.Object(
  { ...Changes.properties, first_name, last_name, email },
  {
    title: 'NewCustomerV2',
    examples: [{ email: 'bo.ek@example.com', first_name: 'Bo', last_name: 'Ek', store_credit: '5.0000' }],
  },
)
const Password = t.Object(
  { password: t.String({ maxLength: 255 }) },
  { title: 'CustomerPassword', examples: [{ password: 'correct horse 7' }] },
)

/** Filters under the names of the v2 API (docs/contract/customers.md section 4). */
const filters = [
  ...[
    'first_name',
    'last_name',
    'company',
    'email',
    'phone',
    'store_credit',
    'customer_group_id',
    'tax_exempt_category',
  ].map((name) => filterOf(Row.properties, name)),
  ...['id', 'date_created', 'date_modified'].flatMap((field) =>
    ['min', 'max'].map((end) => ({ ...filterOf(Row.properties, `${field}:${end}`), name: `${end}_${field}` })),
  ),
]
const Filters = t.Object(Object.fromEntries(filters.map((filter) => [filter.name, t.Optional(filterSchema(filter))])))
const ListQuery = t.Object({ ...Filters.properties, ...paging })
const DeletedQuery = t.Object(Filters.properties, { additionalProperties: false, examples: [{ min_id: '1000000' }] })

/** The condition of a query; undefined without filters. */
function matching(query: Readonly<Record<string, unknown>>): Sql | undefined {
  const conditions = conditionsOf(filters, query)
  return conditions.length > 0 ? sql.and(conditions) : undefined
}

export interface CustomerPartsV2 {
  /** The address of this server, for links. */
  publicUrl: string
}

/** Routes of customers in the v2 API: one by one, bare, in lists without meta (docs/contract/customers.md section 4). */
export function customersRoutesV2(api: Api, { publicUrl }: CustomerPartsV2) {
  const one = `/customers/${idSegment('customer_id')}`
  const params = t.Object({ customer_id: Id })
  const preHandler = hashing((body) => [child(child(body, '_authentication'), 'password')])
  const show = async (db: Db, found: readonly Row[]) => {
    const ids = found.map(({ id }) => id)
    const formFields = await formFieldsV2(db, ids)
    const base = `${publicUrl}/stores/${db.store.hash}/v2`
    return found.map((row) => customerToAnswer(row, formFields.get(row.id) ?? null, base))
  }
  const answerOne = async (db: Db, id: number) => {
    const [customer] = await show(db, [await findRow(db, id)])
    return new Answer(customer)
  }

  api.get(
    '/customers',
    {
      ...read,
      schema: {
        summary: 'List the customers',
        querystring: ListQuery,
        response: { 200: t.Array(CustomerAnswer), 204: t.Null() },
      },
    },
    async ({ db, query: { page = 1, limit = 50, ...asked } }) => {
      const { data } = await findRows(db, rows, { page, limit }, matching(asked))
      // Without a selection of fields each row is whole.
      return data.length === 0 ? noContent() : new Answer(await show(db, data as Row[]))
    },
  )

  api.get(
    '/customers/count',
    {
      ...read,
      schema: {
        summary: 'Count the customers',
        operationId: 'countCustomersV2',
        querystring: Filters,
        response: { 200: t.Object({ count: t.Integer() }, { title: 'CountV2' }) },
      },
    },
    async ({ db, query }) => new Answer({ count: await countCustomers(db, matching(query)) }),
  )

  api.post(
    '/customers',
    {
      ...write,
      preHandler,
      schema: { summary: 'Create a customer', body: NewCustomer, response: { 200: CustomerAnswer } },
    },
    (request) => {
      const { db, body } = request
      const { email, first_name, last_name } = body
      const account = { ...fieldsOf(request), email, first_name, last_name }
      return db.transaction(async (tx) => {
        const [created] = await createCustomers(tx, [account], contextOf(request))
        return answerOne(tx, created?.id ?? 0)
      })
    },
  )

  api.delete(
    '/customers',
    {
      ...write,
      schema: {
        summary: 'Delete customers by a filter',
        description: `At most ${DELETED_AT_ONCE} in one call, those with the lowest ids. Without a filter all match.`,
        querystring: DeletedQuery,
      },
    },
    async ({ db, query, client }) => {
      refuseBlanks(query)
      const matched = await db.rows<{ id: number }>(sql`
        select id from customers where store_id = ${db.store.id} and ${matching(query) ?? sql`true`}
        order by id limit ${DELETED_AT_ONCE}`)
      await deleteCustomers(
        db,
        matched.map(({ id }) => id),
        client.id,
      )
      return noContent()
    },
  )

  api.get(
    one,
    { ...read, schema: { summary: 'Get a customer', params, response: { 200: CustomerAnswer } } },
    ({ db, params }) => answerOne(db, params.customer_id),
  )

  api.put(
    one,
    {
      ...write,
      preHandler,
      schema: { summary: 'Change a customer', params, body: Changes, response: { 200: CustomerAnswer } },
    },
    (request) => {
      const { db, params } = request
      const changes = { ...fieldsOf(request), id: params.customer_id }
      return db.transaction(async (tx) => {
        await findRow(tx, params.customer_id)
        await changeCustomers(tx, [changes], contextOf(request))
        return answerOne(tx, params.customer_id)
      })
    },
  )

  api.delete(
    one,
    { ...write, schema: { summary: 'Delete a customer', params } },
    async ({ db, params: { customer_id }, client }) => {
      const gone = await deleteCustomers(db, [customer_id], client.id)
      if (gone === 0) throw notFound(rows.noun, customer_id)
      return noContent()
    },
  )

  const judged = new WeakMap<FastifyRequest['raw'], boolean>()
  api.post(
    `${one}/validate`,
    {
      ...write,
      schema: {
        summary: 'Validate the password of a customer',
        operationId: 'validateCustomerPasswordV2',
        description:
          'Checks the password for every channel where the customer may log in. Attempts are limited, together with those of v3: 429.',
        params,
        body: Password,
        response: { 200: t.Object({ success: t.Boolean() }, { title: 'PasswordValidation' }) },
      },
      // An Idempotency-Key opens a transaction around the handler, and no transaction may wait for a hash.
      async preHandler({ raw, db, params, body, client }) {
        if (!Value.Check(Password, body) || unstorableTexts(body) !== undefined) return
        judged.set(raw, await isPasswordOf(db, params.customer_id, body.password, client.id))
      },
    },
    async ({ raw }) => new Answer({ success: judged.get(raw) === true }),
  )
}

/**
 * `findOne` would prepare a statement with the name of the table, but two collections of the table have different columns.
 * @throws Problem 404
 */
async function findRow(db: Db, id: number): Promise<Row> {
  const [row] = await findWhere(db, rows, sql`id = ${id}`)
  if (!row) throw notFound(rows.noun, id)
  return row
}

const child = (parent: unknown, key: string): unknown => (isObject(parent) ? parent[key] : undefined)

/** @param base of the paths below this store */
function customerToAnswer(
  row: Row,
  form_fields: Static<typeof CustomerAnswer>['form_fields'],
  base: string,
): Static<typeof CustomerAnswer> {
  const addresses = `/customers/${row.id}/addresses`
  return {
    id: row.id,
    company: row.company,
    first_name: row.first_name,
    last_name: row.last_name,
    email: row.email,
    phone: row.phone,
    date_created: dateV2(row.date_created),
    date_modified: dateV2(row.date_modified),
    store_credit: new Big(row.store_credit).toFixed(4),
    registration_ip_address: row.registration_ip_address,
    customer_group_id: row.customer_group_id,
    notes: row.notes,
    tax_exempt_category: row.tax_exempt_category,
    accepts_marketing: row.accepts_product_review_abandoned_cart_emails,
    addresses: { url: `${base}${addresses}`, resource: addresses },
    form_fields,
    reset_pass_on_login: row.authentication.force_password_reset,
  }
}

async function countCustomers(db: Db, where: Sql | undefined): Promise<number> {
  if (!where) return (await readCounters(db)).get(rows.table)?.total ?? 0
  const { count } = await db.row<{ count: number }>(
    sql`select count(*) as count from customers where store_id = ${db.store.id} and ${where}`,
  )
  return count
}

/** Reads the fields of a body. @throws Problem 400 for an invalid password or a different confirmation */
function fieldsOf(request: Pick<FastifyRequest, 'raw'> & { body: Changes }): CustomerFields {
  const { _authentication = {}, reset_pass_on_login, ...fields } = request.body
  const { password, password_confirmation = password, force_reset = reset_pass_on_login } = _authentication
  const fault = password === undefined ? undefined : passwordMistake(password)
  if (fault !== undefined) throw new Problem(400, fault, { '_authentication.password': fault })
  if (password !== password_confirmation) {
    const sentence = 'The password and its confirmation differ.'
    throw new Problem(400, sentence, { '_authentication.password_confirmation': sentence })
  }
  return { ...fields, password_hash: hashesOf(request)[0], force_password_reset: force_reset }
}

const contextOf = ({ client }: Pick<FastifyRequest, 'client'>): RequestContext => ({
  at: (_, field) => field,
  refuseTaken: (_, taken) => new Problem(409, 'Another customer has this e-mail address.', taken),
  clientId: client.id,
})
