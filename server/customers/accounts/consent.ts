import t, { type Static } from 'typebox'
import { type Db, prepared, type Tx } from '../../core/db/database.ts'
import { sql } from '../../core/db/sql.ts'
import { Answer } from '../../core/rest/answer.ts'
import type { Api } from '../../core/rest/api.ts'
import { toSeconds } from '../../core/rest/input/dates.ts'
import { Id, idSegment, Moment } from '../../core/rest/input/fields.ts'
import { refuse } from '../../core/rest/input/mistakes.ts'
import { findOne } from '../../core/rest/lists/verbs.ts'
import { notFound } from '../../core/rest/problem.ts'
import { customers, customersAccess, lockCustomers } from '../row/shape.ts'

const { read, write } = customersAccess

const Categories = t.Array(t.Enum(['essential', 'functional', 'analytics', 'targeting']))
const Consent = t.Object(
  { allow: Categories, deny: Categories, updated_at: t.Optional(Moment) },
  { title: 'CustomerConsent' },
)
type Consent = Static<typeof Consent>
const NewConsent = t.Object(
  { allow: t.Optional(Categories), deny: t.Optional(Categories) },
  { title: 'NewCustomerConsent', examples: [{ allow: ['essential', 'analytics'], deny: ['targeting'] }] },
)

/** Routes of the consent of a customer (docs/contract/customer-data.md section 1). Both answers are bare. */
export function consentRoutes(api: Api) {
  const one = `/customers/${idSegment('customer_id')}/consent`
  const params = t.Object({ customer_id: Id })
  const answersOne = { response: { 200: Consent } }

  api.get(
    one,
    { ...read, schema: { summary: 'Get the consent of a customer', params, ...answersOne } },
    async ({ db, params: { customer_id } }) => {
      await findOne(db, customers, customer_id)
      return new Answer(await consentOf(db, customer_id))
    },
  )

  api.put(
    one,
    {
      ...write,
      schema: {
        summary: 'Change the consent of a customer',
        description: 'Replaces both lists. A list that the body omits becomes empty.',
        params,
        body: NewConsent,
        ...answersOne,
      },
    },
    async ({ db, params, body }) =>
      new Answer(await db.transaction((tx) => changeConsent(tx, params.customer_id, body))),
  )
}

/** Has no date before the first change. */
async function consentOf(db: Db, customer: number): Promise<Consent> {
  const [row] = await db.rows<Required<Consent>>(
    prepared(sql`
    select allow, deny, updated_at from customer_consents
    where store_id = ${db.store.id} and customer_id = ${customer}`),
  )
  return row ?? { allow: [], deny: [] }
}

/** @throws Problem 404, 422 for a category that is both allowed and denied */
async function changeConsent(tx: Tx, customer: number, body: Static<typeof NewConsent>): Promise<Consent> {
  const [allow, deny] = [[...new Set(body.allow)], [...new Set(body.deny)]]
  refuse(
    Object.fromEntries(
      deny.flatMap((category, i) => {
        if (category === 'essential') return [[`deny.${i}`, "essential can't be denied."]]
        return allow.includes(category) ? [[`deny.${i}`, `${category} is both allowed and denied.`]] : []
      }),
    ),
  )
  if (!(await lockCustomers(tx, [customer])).has(customer)) throw notFound(customers.noun, customer)
  const row = {
    store_id: tx.store.id,
    customer_id: customer,
    allow: JSON.stringify(allow),
    deny: JSON.stringify(deny),
    updated_at: toSeconds(tx.now),
  }
  await tx.rows(sql`
    insert into customer_consents ${sql.rows([row])}
    on conflict (store_id, customer_id) do update set
      allow = excluded.allow, deny = excluded.deny, updated_at = excluded.updated_at`)
  return consentOf(tx, customer)
}
