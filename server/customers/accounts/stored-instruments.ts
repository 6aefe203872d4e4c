import { randomBytes } from 'node:crypto'
import t, { type Static } from 'typebox'
import { type Db, prepared, type Tx } from '../../core/db/database.ts'
import { sql } from '../../core/db/sql.ts'
import { publish } from '../../core/events/publish.ts'
import { Answer } from '../../core/rest/answer.ts'
import type { Api } from '../../core/rest/api.ts'
import { Id, idSegment } from '../../core/rest/input/fields.ts'
import { collection } from '../../core/rest/lists/collection.ts'
import { paging } from '../../core/rest/lists/paging.ts'
import { findOne, insertAll, remove, takeIds } from '../../core/rest/lists/verbs.ts'
import { notFound, Problem } from '../../core/rest/problem.ts'
import { access } from '../../stores/accounts/scopes.ts'
import { customers, lockCustomers } from '../row/shape.ts'

// Stored payment instruments of customers (docs/contract/customer-data.md section 2). Clients only read them; payments write them with the
// functions below. Card numbers are never stored.

const INSTRUMENTS_MAX = 100

const { read } = access('storedInstruments')

const Text = t.String()
const BillingAddress = t.Partial(
  t.Object({
    first_name: Text,
    last_name: Text,
    email: Text,
    company: Text,
    address1: Text,
    address2: Text,
    city: Text,
    postal_code: Text,
    state_or_province: Text,
    state_or_province_code: Text,
    country_code: Text,
    phone: Text,
  }),
  { title: 'StoredBillingAddress' },
)

const cardDetails = {
  brand: Text,
  expiry_month: t.Integer({ minimum: 1, maximum: 12 }),
  expiry_year: t.Integer(),
  issuer_identification_number: Text,
  last_4: Text,
  billing_address: BillingAddress,
}
const paypalDetails = { email: Text }
const bankDetails = { masked_account_number: Text, issuer: Text }

const token = t.String({ pattern: '^[0-9a-f]{64}$' })
const is_default = t.Boolean()
const Card = t.Object({ type: t.Literal('stored_card'), token, is_default, ...cardDetails }, { title: 'StoredCard' })
const PaypalAccount = t.Object(
  { type: t.Literal('stored_paypal_account'), token, is_default, ...paypalDetails },
  { title: 'StoredPaypalAccount' },
)
const BankAccount = t.Object(
  { type: t.Literal('stored_bank_account'), token, is_default, ...bankDetails },
  { title: 'StoredBankAccount' },
)
const Instrument = t.Union([Card, PaypalAccount, BankAccount])
type Instrument = Static<typeof Instrument>

/** An instrument to store. Its token is created here. */
export type NewInstrument =
  | Omit<Static<typeof Card>, 'token' | 'is_default'>
  | Omit<Static<typeof PaypalAccount>, 'token' | 'is_default'>
  | Omit<Static<typeof BankAccount>, 'token' | 'is_default'>

const Row = t.Object({
  id: Id,
  customer_id: Id,
  token,
  type: t.Enum(['stored_card', 'stored_paypal_account', 'stored_bank_account']),
  is_default,
  details: t.Object({}, { additionalProperties: true }),
})
type Row = Static<typeof Row>

export const storedInstruments = collection('stored_instruments', Row, { noun: 'stored instrument', filters: '' })

export function storedInstrumentRoutes(api: Api) {
  api.get(
    `/customers/${idSegment('customer_id')}/stored-instruments`,
    {
      ...read,
      schema: {
        summary: 'List the stored instruments of a customer',
        description: 'The default comes first, then the newest.',
        params: t.Object({ customer_id: Id }),
        querystring: t.Object(paging, { additionalProperties: false }),
        response: { 200: t.Array(Instrument) },
      },
    },
    async ({ db, params: { customer_id } }) => {
      await findOne(db, customers, customer_id)
      return new Answer((await instrumentsOf(db, customer_id)).map(instrumentToAnswer))
    },
  )
}

const instrumentsOf = (db: Db, customer: number): Promise<Row[]> =>
  db.rows<Row>(
    prepared(sql`
    select id, customer_id, token, type, is_default, details from stored_instruments
    where store_id = ${db.store.id} and customer_id = ${customer} order by is_default desc, id desc`),
  )

/** A stored instrument has the details of its type. */
const instrumentToAnswer = ({ type, token, is_default, details }: Row) =>
  ({ type, token, is_default, ...details }) as Instrument

/**
 * Stores an instrument of a customer. The first one of a customer becomes the default.
 * @returns its token
 * @throws Problem 404 for the customer, 403 past the maximum
 */
export async function storeInstrument(
  tx: Tx,
  customer: number,
  { type, ...details }: NewInstrument,
  isDefault = false,
): Promise<string> {
  const held = await lockInstruments(tx, customer)
  if (held.length >= INSTRUMENTS_MAX) {
    throw new Problem(403, `A customer can have at most ${INSTRUMENTS_MAX} stored instruments.`)
  }
  const ids = await takeIds(tx, [[storedInstruments, 1]])
  const token = randomBytes(32).toString('hex')
  const row = { id: ids.next(storedInstruments), customer_id: customer, token, type, is_default: false, details }
  await insertAll(tx, storedInstruments, [row])
  if (isDefault || held.length === 0) await makeDefault(tx, customer, row.id)
  return token
}

/** Makes one of a customer's instruments the default. @throws Problem 404 */
export async function setDefaultInstrument(tx: Tx, customer: number, token: string) {
  const row = mustHave(await lockInstruments(tx, customer), token)
  if (!row.is_default) await makeDefault(tx, customer, row.id)
}

/** Deletes an instrument. If it was the default, the newest of the others becomes it. @throws Problem 404 */
export async function removeInstrument(tx: Tx, customer: number, token: string) {
  const held = await lockInstruments(tx, customer)
  const row = mustHave(held, token)
  await remove(tx, storedInstruments, row.id)
  if (!row.is_default) return
  const next = held.find(({ id }) => id !== row.id)
  if (next) await makeDefault(tx, customer, next.id)
  else publishDefault(tx, customer)
}

/** Locks a customer and reads the instruments. @throws Problem 404 */
async function lockInstruments(tx: Tx, customer: number): Promise<Row[]> {
  if (!(await lockCustomers(tx, [customer])).has(customer)) throw notFound(customers.noun, customer)
  return instrumentsOf(tx, customer)
}

function mustHave(rows: readonly Row[], token: string): Row {
  const row = rows.find((held) => held.token === token)
  if (!row) throw new Problem(404, 'The customer has no such stored instrument.')
  return row
}

/** Clears the previous default first, since a customer has at most one. */
async function makeDefault(tx: Tx, customer: number, id: number) {
  const here = sql`store_id = ${tx.store.id} and customer_id = ${customer}`
  await tx.rows(sql`update stored_instruments set is_default = false where ${here} and is_default`)
  await tx.rows(sql`update stored_instruments set is_default = true where ${here} and id = ${id}`)
  publishDefault(tx, customer)
}

/** Publishes a new default (docs/contract/webhooks.md section 6). */
function publishDefault(tx: Tx, id: number) {
  publish(tx, 'store/customer/payment/instrument/default/updated', `customer ${id}`, { type: 'customer', id })
}
