import { createHash } from 'node:crypto'
import type { Db, Tx } from '../../core/db/database.ts'
import { sql } from '../../core/db/sql.ts'
import { sweep } from '../../core/db/steps.ts'
import { fold } from '../../core/rest/lists/fold.ts'
import { Problem } from '../../core/rest/problem.ts'

// Limits attempts at passwords (docs/contract/customers.md section 3). The counts are rows in the database, so that they cover all processes.
// Their cost is small next to the 28 ms of a core that each attempt takes.

const WRONG: Limit = { max: 10, seconds: 15 * 60 }
const CALLS: Limit = { max: 60, seconds: 60 }
const RESETS: Limit = { max: 5, seconds: 3_600 }
const LOOK_UPS: Limit = { max: 20, seconds: 60 }
const UPLOADS: Limit = { max: 10, seconds: 3_600 }
const PAYMENTS_OF_CART: Limit = { max: 10, seconds: 3_600 }
const PAYMENTS_OF_SOURCE: Limit = { max: 30, seconds: 3_600 }
interface Limit {
  max: number
  seconds: number
}

/**
 * Counts an attempt at the password of an e-mail address before the password is checked, so that parallel attempts count too. It counts as
 * wrong until `uncountAttempt` is called.
 * @param guesser the source, a client or a shopper's address; undefined for one that is not limited
 * @throws Problem 429 past the limit of the e-mail address or the source
 */
export async function countAttempt(db: Db, email: string, guesser: string | undefined) {
  const waits = await db.transaction(async (tx) => {
    const ofClient = guesser === undefined ? 0 : await count(tx, 'client', guesser, CALLS)
    const ofEmail = ofClient > 0 ? 0 : await count(tx, 'email', keyOf(email), WRONG)
    await sweep(tx, { table: 'password_guesses', key: ['kind', 'key'], moment: 'ends_at', until: tx.present })
    return Math.max(ofClient, ofEmail)
  })
  refuseWaiting(waits)
}

/**
 * Counts a costly call of a shopper who has no token, apart from attempts at passwords.
 * @param caller the shopper's address, as a digest
 * @throws Problem 429 past the limit of the caller
 */
export async function countCall(db: Db, caller: string) {
  const waits = await db.transaction(async (tx) => {
    await sweep(tx, { table: 'password_guesses', key: ['kind', 'key'], moment: 'ends_at', until: tx.present })
    return count(tx, 'call', caller, CALLS)
  })
  refuseWaiting(waits)
}

/**
 * Counts a look-up that could be used to guess: of an e-mail address, or of a thing that a link of two secrets opens.
 * @param caller the address of the caller, as a digest
 * @throws Problem 429 past 20 a minute
 */
export async function countLookUp(db: Db, caller: string) {
  refuseWaiting(await db.transaction((tx) => count(tx, 'look-up', caller, LOOK_UPS)))
}

/** Counts the upload of a file by somebody without an account. @throws Problem 429 past 10 an hour and address */
export async function countUpload(db: Db, caller: string) {
  refuseWaiting(await db.transaction((tx) => count(tx, 'upload', caller, UPLOADS)))
}

/**
 * Counts a request for a link to a new password, whether or not the e-mail address has an account.
 * @throws Problem 429 past the limit of the address
 */
export async function countReset(db: Db, email: string) {
  refuseWaiting(await db.transaction((tx) => count(tx, 'reset', keyOf(email), RESETS)))
}

/** A payment on the checkout page. */
interface PaymentTry {
  /** The id of the cart. */
  cart: string
  /** The address of the shopper, as a digest. */
  source: string
}

/**
 * Counts a payment before the gateway is called. It counts as refused until `uncountPaymentTry` is called.
 * @throws Problem 429 past the limit of the cart or the source
 */
export async function countPaymentTry(db: Db, { cart, source }: PaymentTry) {
  const waits = await db.transaction(async (tx) => {
    const ofCart = await count(tx, 'cart', cart, PAYMENTS_OF_CART)
    return ofCart > 0 ? ofCart : count(tx, 'payer', source, PAYMENTS_OF_SOURCE)
  })
  refuseWaiting(waits)
}

/** Uncounts a payment that was not refused. */
export async function uncountPaymentTry(db: Db, { cart, source }: PaymentTry) {
  await db.transaction(async (tx) => {
    await uncount(tx, 'cart', cart)
    await uncount(tx, 'payer', source)
  })
}

/** Uncounts a look-up that was no guess. */
export const uncountLookUp = (db: Db, caller: string) => uncount(db, 'look-up', caller)

async function uncount(db: Db, kind: string, key: string) {
  await db.transaction((tx) =>
    tx.rows(sql`
      update password_guesses set used = used - 1
      where store_id = ${tx.store.id} and kind = ${kind} and key = ${key} and used > 0 returning key`),
  )
}

function refuseWaiting(seconds: number) {
  if (seconds > 0) throw new Problem(429, 'Too many requests', {}, { headers: { 'x-retry-after': String(seconds) } })
}

/** Uncounts an attempt with the right password. */
export const uncountAttempt = (db: Db, email: string) => uncount(db, 'email', keyOf(email))

/** Deletes the count of an e-mail address. */
export async function deleteAttempts(tx: Tx, email: string) {
  await tx.rows(sql`
    delete from password_guesses where store_id = ${tx.store.id} and kind = 'email' and key = ${keyOf(email)} returning key`)
}

/** The address is hashed, so that no table has the addresses of attempts. */
const keyOf = (email: string) => createHash('sha256').update(fold(email)).digest('base64url')

/** @returns 0 if it was counted, else the seconds until the next attempt is allowed */
async function count(tx: Tx, kind: string, key: string, { max, seconds }: Limit): Promise<number> {
  const end = sql`${tx.present} + ${seconds} * interval '1 s'`
  const [counted] = await tx.rows(sql`
    insert into password_guesses as guess (store_id, kind, key, ends_at, used)
    values (${tx.store.id}, ${kind}, ${key}, ${end}, 1)
    on conflict (store_id, kind, key) do update set
      used = case when guess.ends_at <= ${tx.present} then 1 else guess.used + 1 end,
      ends_at = case when guess.ends_at <= ${tx.present} then excluded.ends_at else guess.ends_at end
      where guess.ends_at <= ${tx.present} or guess.used < ${max}
    returning used`)
  if (counted) return 0
  const { wait } = await tx.row<{ wait: number }>(sql`
    select least(${seconds}, greatest(1, ceil(extract(epoch from ends_at - ${tx.present}))))::int as wait from password_guesses
    where store_id = ${tx.store.id} and kind = ${kind} and key = ${key}`)
  return wait
}
