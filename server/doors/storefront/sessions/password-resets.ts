import { randomBytes, randomUUID } from 'node:crypto'
import t from 'typebox'
import type { Db, Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { enqueue } from '../../../core/jobs/enqueue.ts'
import { done, runner, task } from '../../../core/jobs/task.ts'
import { mailRetryDelay } from '../../../core/mail/outbox.ts'
import { Problem } from '../../../core/rest/problem.ts'
import type { Secrets } from '../../../core/secrets/secrets.ts'
import { changeCustomers } from '../../../customers/accounts/change.ts'
import { countReset, deleteAttempts } from '../../../customers/logins/attempts.ts'
import { findAccountAt } from '../../../customers/logins/credentials.ts'
import { hashPassword } from '../../../customers/logins/passwords.ts'
import { sendEmail } from '../../../shop/emails/sending/send.ts'
import type { Storefront } from '../storefronts.ts'
import { limitSessions } from './session-limit.ts'
import { passwordMark } from './sessions.ts'

// Customers who forgot their password ask for a link by e-mail (docs/contract/storefront-tokens.md section 6). A request does the same work
// for an unknown address, so nobody learns by it which accounts exist: the link is made by a job.

const VALID_MS = 3_600_000
/** Valid links of one customer. One more ends the oldest. */
const LINKS_MAX = 5
const LINKS = { table: 'password_resets', key: 'id', end: 'expires_at' }

const TOKEN = /^[0-9a-f]{64}$/

const resetTask = task(
  'send_password_reset',
  t.Object({
    request: t.String(),
    /** 0 if the address has no account. */
    customer: t.Integer(),
    channel: t.Integer(),
    locale: t.String(),
    /** The address of the page on which the customer chooses a password. */
    page: t.String(),
  }),
  { maxMs: 60_000, retryDelay: mailRetryDelay },
)

/**
 * Requests a link for the account of an e-mail address at a storefront.
 * @param page the address to which the customer and the token are added
 * @throws Problem 429 past the requests for one address
 */
export async function requestReset(
  { db, channel }: Pick<Storefront, 'db' | 'channel'>,
  { email, page, locale }: { email: string; page: string; locale: string },
) {
  await countReset(db, email)
  const customer = (await findAccountAt(db, email, channel)) ?? 0
  const payload = { request: randomUUID(), customer, channel, locale, page }
  await db.transaction((tx) => enqueue(tx, resetTask, { payload }))
}

/** Makes the link of a request, and enqueues its e-mail in the same transaction. */
export const resetRunner = ({ secrets }: { secrets: Secrets }) =>
  runner(resetTask, async ({ db, payload }) => {
    const { request, customer, channel, locale, page } = payload
    await db.transaction(async (tx) => {
      const token = randomBytes(32).toString('hex')
      const person = await storeLink(tx, { request, customer, tokenHash: secrets.tokenHash(token) })
      if (!person) return
      const { email, first_name, last_name } = person
      const link = `${page}${page.includes('?') ? '&' : '?'}c=${customer}&t=${token}`
      await sendEmail(tx, 'account_reset_password_email', {
        to: email,
        channel,
        locale,
        context: {
          customer: { first_name, full_name: `${first_name} ${last_name}`, email, group: [] },
          reset_password: { link },
          account: { reset_password_link: link },
        },
      })
    })
    return done
  })

interface Person {
  email: string
  first_name: string
  last_name: string
}

/** @returns the customer; undefined if there is none, or another run stored the link of the request */
async function storeLink(
  tx: Tx,
  { request, customer, tokenHash }: { request: string; customer: number; tokenHash: string },
): Promise<Person | undefined> {
  const expiresAt = new Date(tx.now.getTime() + VALID_MS)
  const [person] = await tx.rows<Person>(sql`
    with customer as (
      select id, email, first_name, last_name, ${passwordMark} as mark
      from customers where store_id = ${tx.store.id} and id = ${customer}
    ), stored as (
      insert into password_resets (store_id, id, token_hash, customer_id, password_mark, created_at, expires_at)
      select ${tx.store.id}, ${request}, ${tokenHash}, id, mark, ${tx.now}, ${expiresAt} from customer
      on conflict do nothing returning customer_id
    )
    select email, first_name, last_name from customer join stored on customer_id = id`)
  if (person) await limitSessions(tx, LINKS, sql`customer_id = ${customer}`, LINKS_MAX)
  return person
}

/** A password that the owner of a link chose. */
export interface NewPassword {
  customer: number
  token: string
  /** Valid by `passwordMistake`. */
  password: string
  /** The client that acts for the customer. */
  clientId: string
}

/**
 * Sets the password of a customer by the token of a link, which it spends. All sessions of the customer end.
 * @throws Problem 422 for a link that is unknown, spent or older than an hour
 */
export async function resetPassword(
  db: Db,
  secrets: Secrets,
  { customer, token, password, clientId, now }: NewPassword & { now: Date },
) {
  const tokenHash = secrets.tokenHash(token)
  // Before the hash, which costs far more than the search.
  if (!TOKEN.test(token) || !(await isValid(db, { customer, tokenHash, now }))) throw invalidLink()
  const password_hash = await hashPassword(db.store, password)
  await db.transaction(async (tx) => {
    const refuseTaken = (): Problem => {
      throw new Error('A change of a password does not change the e-mail address.')
    }
    const context = { at: (_: number, field: string) => field, refuseTaken, clientId }
    // The customer is locked first: of two requests with one token, the second finds it spent.
    const [changed] = await changeCustomers(tx, [{ id: customer, password_hash }], context)
    const spent = await tx.rows(sql`
      delete from password_resets
      where store_id = ${tx.store.id} and customer_id = ${customer} and token_hash = ${tokenHash} and expires_at > ${tx.now}
      returning id`)
    if (!changed || spent.length === 0) throw invalidLink()
    await deleteAttempts(tx, changed.email)
  })
}

const invalidLink = () => new Problem(422, 'The link is invalid or has expired. Please ask for a new one.')

async function isValid(
  db: Db,
  { customer, tokenHash, now }: { customer: number; tokenHash: string; now: Date },
): Promise<boolean> {
  const found = await db.rows(sql`
    select reset.id from password_resets reset
    join customers customer on customer.store_id = ${db.store.id} and customer.id = reset.customer_id
    where reset.store_id = ${db.store.id} and reset.customer_id = ${customer} and reset.token_hash = ${tokenHash}
      and reset.expires_at > ${now} and reset.password_mark = ${passwordMark}`)
  return found.length > 0
}
