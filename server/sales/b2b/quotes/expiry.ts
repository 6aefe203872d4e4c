import type { Clock } from '../../../core/clock.ts'
import type { Database, Db } from '../../../core/db/database.ts'
import { prepared } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { toSeconds } from '../../../core/rest/input/dates.ts'
import { publishQuote } from './quote.ts'
import { EXPIRED } from './states.ts'

// Quotes expire at the end of their last day (docs/contract/b2b-quotes.md section 2). No quote has a job of its own, since a change would
// have to move it: one worker finds the due rows by an index. Reads and changes compare the day themselves, so a late worker misleads nobody.

const STORES_AT_ONCE = 500
const QUOTES_AT_ONCE = 200

interface Stores {
  readonly cells: readonly { readonly system: Pick<Database, 'system' | 'clocks'> }[]
  dbById(id: number): Promise<Db | undefined>
}

/**
 * Ends open quotes whose last day is over, and publishes it. Any process may do so at any time.
 * @throws AggregateError with the errors of single stores, after all other stores
 */
export async function expireQuotes(stores: Stores, clock: Clock, signal?: AbortSignal) {
  const failures: unknown[] = []
  for (const { system } of stores.cells) {
    const isPast = system.clocks.pastIn(clock.now(), (now) => sql`expires_at < ${toSeconds(now)}`)
    const due = await system.system<{ store_id: number }>(sql`
      select distinct store_id from b2b_quotes
      where status in (0, 2, 3) and ${isPast} limit ${STORES_AT_ONCE}`)
    for (const { store_id } of due) {
      try {
        const db = await stores.dbById(store_id)
        if (db) await expireQuotesOf(db, signal)
      } catch (error) {
        failures.push(error)
      }
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, 'Quotes of some stores could not be ended.')
}

/** Ends the open quotes of one store whose last day is over. */
export async function expireQuotesOf(db: Db, signal?: AbortSignal) {
  while (!signal?.aborted && (await expireSome(db, db.now)) === QUOTES_AT_ONCE) {}
}

/** @returns the number of quotes that were due */
const expireSome = (db: Db, now: Date): Promise<number> =>
  db.transaction(async (tx) => {
    const ended = await tx.rows<{ id: number; quote_uuid: string }>(
      prepared(sql`
      update b2b_quotes set status = ${EXPIRED}, updated_at = ${toSeconds(now)} where store_id = ${tx.store.id} and id = any(array(
        select id from b2b_quotes
        where store_id = ${tx.store.id} and status in (0, 2, 3) and expires_at < ${toSeconds(now)}
        order by expires_at limit ${QUOTES_AT_ONCE} for update skip locked
      )) returning id, quote_uuid`),
    )
    for (const quote of ended) {
      publishQuote(tx, 'updated', quote)
      publishQuote(tx, 'statusUpdated', quote)
    }
    return ended.length
  })
