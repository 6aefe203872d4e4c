import type { FastifyRequest } from 'fastify'
import t, { type Static } from 'typebox'
import { Value } from 'typebox/value'
import { type Db, prepared } from '../../core/db/database.ts'
import { sql } from '../../core/db/sql.ts'
import { Answer } from '../../core/rest/answer.ts'
import type { Api } from '../../core/rest/api.ts'
import { unstorableTexts } from '../../core/rest/bodies/body.ts'
import { fold } from '../../core/rest/lists/fold.ts'
import { invalid, notFound, unknownId } from '../../core/rest/problem.ts'
import { ChannelId, FIRST_CHANNEL, knownChannels } from '../../shop/channels/channels.ts'
import { type Customer, customersAccess } from '../row/shape.ts'
import { countAttempt, uncountAttempt } from './attempts.ts'
import { globalLogins } from './logins.ts'
import { isPassword } from './passwords.ts'

const { write } = customersAccess

const Credentials = t.Object(
  { email: t.String({ maxLength: 255 }), password: t.String({ maxLength: 255 }), channel_id: t.Optional(ChannelId) },
  { title: 'Credentials', examples: [{ email: 'ann.lee@example.com', password: 'correct horse 7' }] },
)
const CheckedCredentials = t.Object(
  { is_valid: t.Boolean(), customer_id: t.Unsafe<number | null>({ type: ['integer', 'null'] }) },
  { title: 'CredentialsValidation' },
)

/** The outcome of an attempt: the customer, null for wrong credentials, or an unknown channel. */
type AttemptOutcome = { customer: number | null } | { unknownChannel: number }

/** An attempt to log in at a channel. */
interface LoginAttempt extends Static<typeof Credentials> {
  /** Identifies the source, whose attempts are limited. Undefined for a server with a secret, which is not limited. */
  guesser: string | undefined
}
const outcomes = new WeakMap<FastifyRequest['raw'], AttemptOutcome>()

/** Checks credentials (docs/contract/customers.md section 3). It logs nobody in and publishes nothing. */
export function credentialRoutes(api: Api) {
  api.post(
    '/customers/validate-credentials',
    {
      ...write,
      schema: {
        summary: 'Validate credentials',
        operationId: 'validateCustomerCredentials',
        description:
          'Always 200; true for an account that may log in at the channel. False answers are limited by e-mail address, calls by client: 429.',
        body: Credentials,
        response: { 200: CheckedCredentials },
      },
      // An Idempotency-Key opens a transaction around the handler, and no transaction may wait for a hash.
      async preHandler({ body, db, client, raw }) {
        if (isCredentials(body)) outcomes.set(raw, await checkCredentials(db, { ...body, guesser: client.id }))
      },
    },
    async ({ raw }) => {
      const outcome = outcomes.get(raw)
      if (!outcome) throw new Error('Credentials have passed their schema and were not checked.')
      if ('unknownChannel' in outcome) {
        throw invalid({ channel_id: unknownId('channel', outcome.unknownChannel) })
      }
      return new Answer({ is_valid: outcome.customer !== null, customer_id: outcome.customer })
    },
  )
}

/** Whether an unchecked body would pass its schema. */
const isCredentials = (body: unknown): body is Static<typeof Credentials> =>
  Value.Check(Credentials, body) && unstorableTexts({ email: body.email, password: body.password }) === undefined

/**
 * Finds the account of credentials. Every attempt costs one search and one hash, so its time reveals nothing.
 * @throws Problem 429
 */
export async function checkCredentials(
  db: Db,
  { email, password, channel_id: channel = FIRST_CHANNEL, guesser }: LoginAttempt,
): Promise<AttemptOutcome> {
  if (!(await knownChannels(db, [channel])).has(channel)) return { unknownChannel: channel }
  await countAttempt(db, email, guesser)
  const account = await accountOf(db, email, channel)
  if (!(await isPassword(db.store, password, account?.password_hash)) || !account) return { customer: null }
  await uncountAttempt(db, email)
  return { customer: account.id }
}

interface Account extends Pick<Customer, 'id' | 'channel_ids'> {
  password_hash: string | null
}

/** The account of an e-mail address at a channel. One that lists the channel precedes one with global logins. */
async function accountOf(db: Db, email: string, channel: number): Promise<Account | undefined> {
  const isGlobal = await globalLogins(db)
  const accounts = await db.rows<Account>(
    prepared(sql`
    select id, channel_ids, password_hash from customers where store_id = ${db.store.id} and email_key = ${fold(email)}`),
  )
  return (
    accounts.find(({ channel_ids }) => channel_ids?.includes(channel)) ??
    accounts.find(({ channel_ids }) => channel_ids === null && isGlobal(channel))
  )
}

/** The id of the account with which an e-mail address may log in at a channel. */
export const findAccountAt = async (db: Db, email: string, channel: number): Promise<number | undefined> =>
  (await accountOf(db, email, channel))?.id

/**
 * Whether a password is that of a customer, wherever the account may log in.
 * @param guesser as for `checkCredentials`
 * @throws Problem 404, 429
 */
export async function isPasswordOf(
  db: Db,
  id: number,
  password: string,
  guesser: string | undefined,
): Promise<boolean> {
  const [account] = await db.rows<{ email: string; password_hash: string | null }>(
    prepared(sql`select email, password_hash from customers where store_id = ${db.store.id} and id = ${id}`),
  )
  if (!account) throw notFound('customer', id)
  await countAttempt(db, account.email, guesser)
  const isRight = await isPassword(db.store, password, account.password_hash)
  if (isRight) await uncountAttempt(db, account.email)
  return isRight
}
