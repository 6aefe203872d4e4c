import { createHash } from 'node:crypto'
import type { Db, Tx } from '../../core/db/database.ts'
import { sql } from '../../core/db/sql.ts'
import { fold } from '../../core/rest/lists/fold.ts'
import { Problem } from '../../core/rest/problem.ts'

// How often passwords may be tried (docs/contract/customers.md section 3). Rows in the database, since the count is of all processes
// and no guess may slip through between them: a guess takes 28 ms of a core anyway.

const FALSE_MAX = 10
const FALSE_SECONDS = 15 * 60
const CALLS_MAX = 60
const CALLS_SECONDS = 60
/** Rows of ended windows that each guess clears away, more than it adds: the table stays bounded. */
const FORGOTTEN_AT_ONCE = 10

/**
 * Counts a guess at the password of an e-mail address before it is judged, so that many at once are counted too: as a false one,
 * until `uncountAttempt` says otherwise.
 * @param guesser who tries, a client or a shopper's address; undefined for one that is not limited
 * @throws Problem 429 if the e-mail address or the guesser has used up what it may
 */
export async function countAttempt(db: Db, email: string, guesser: string | undefined) {
  const waits = await db.transaction(async (tx) => {
    const ofClient = guesser === undefined ? 0 : await count(tx, 'client', guesser, CALLS_MAX, CALLS_SECONDS)
    const ofEmail = ofClient > 0 ? 0 : await count(tx, 'email', keyOf(email), FALSE_MAX, FALSE_SECONDS)
    await forgetEnded(tx)
    return Math.max(ofClient, ofEmail)
  })
  if (waits > 0) throw new Problem(429, 'Too many requests', {}, { headers: { 'x-retry-after': String(waits) } })
}

/** The guess was right: it doesn't count against the address. */
export async function uncountAttempt(db: Db, email: string) {
  await db.transaction((tx) =>
    tx.rows(sql`
      update password_guesses set used = used - 1
      where store_id = ${tx.store.id} and kind = 'email' and key = ${keyOf(email)} and used > 0 returning key`),
  )
}

/** Forgets the guesses at an address: nothing of it is left. */
export async function deleteAttempts(tx: Tx, email: string) {
  await tx.rows(sql`
    delete from password_guesses where store_id = ${tx.store.id} and kind = 'email' and key = ${keyOf(email)} returning key`)
}

/** No table holds the addresses that somebody has tried. */
const keyOf = (email: string) => createHash('sha256').update(fold(email)).digest('base64url')

/** @returns 0 if it is counted, or else in how many seconds it may be tried again */
async function count(tx: Tx, kind: string, key: string, max: number, seconds: number): Promise<number> {
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

async function forgetEnded(tx: Tx) {
  await tx.rows(sql`
    delete from password_guesses guess using (
      select kind, key from password_guesses where store_id = ${tx.store.id} and ends_at <= ${tx.present}
      order by ends_at limit ${FORGOTTEN_AT_ONCE} for update skip locked
    ) ended
    where guess.store_id = ${tx.store.id} and guess.kind = ended.kind and guess.key = ended.key returning guess.key`)
}
