import t from 'typebox'
import { type Db, prepared, type Tx } from '../../core/db/database.ts'
import { sql } from '../../core/db/sql.ts'
import { Amount } from '../../core/rest/input/amounts.ts'

// What a store owes a customer, in its default currency. Each change is a row of a history that names the customer by number only.

/** As answers and bodies of v3 have it: a list of one amount at most (docs/contract/customers.md section 2.1). */
export const StoreCredit = t.Array(t.Object({ amount: Amount() }, { title: 'StoreCreditAmount' }), { maxItems: 1 })

/** Why it changed: a request of the API, the end of the customer, an order that was paid by it, or one that was given back. */
type Cause = 'api' | 'deletion' | 'payment' | 'refund' | 'void'

export interface CreditChange {
  customer_id: number
  before: number
  after: number
}

/**
 * Writes down changes of store credit, each behind the ones before it. To be called with the customers locked, or just stored.
 * @param clientId of the API account that asked for it; null for the store itself
 */
export async function writeCreditChanges(
  tx: Tx,
  changes: readonly CreditChange[],
  cause: Cause,
  clientId: string | null,
) {
  const some = changes.filter(({ before, after }) => before !== after)
  if (some.length === 0) return
  await tx.rows(
    prepared(sql`
    insert into store_credit_changes
      (store_id, customer_id, version, amount_before, amount_after, cause, client_id, changed_at)
    select ${tx.store.id}, change.customer_id, 1 + coalesce((
        select max(version) from store_credit_changes
        where store_id = ${tx.store.id} and customer_id = change.customer_id
      ), 0), amount_before, amount_after, ${cause}, ${clientId}, ${tx.now}
    from unnest(
      ${some.map(({ customer_id }) => customer_id)}::int[],
      ${some.map(({ before }) => before)}::amount[],
      ${some.map(({ after }) => after)}::amount[]
    ) as change (customer_id, amount_before, amount_after)
    returning customer_id`),
  )
}

/**
 * Gives a customer store credit or takes it, never more than there is, and writes it down. The customer is locked until the
 * transaction ends.
 * @param by in the default currency of the store, as text with four places; below 0 takes
 * @returns the balance then; undefined, and nothing changed, if there is no such customer or too little
 */
export async function moveCredit(
  tx: Tx,
  customer_id: number,
  by: string,
  cause: Extract<Cause, 'payment' | 'refund' | 'void'>,
  clientId: string | null = null,
): Promise<number | undefined> {
  const [moved] = await tx.rows<Omit<CreditChange, 'customer_id'>>(
    prepared(sql`
    update customers set store_credit = store_credit + ${by}::numeric
    where store_id = ${tx.store.id} and id = ${customer_id} and store_credit + ${by}::numeric >= 0
    returning store_credit - ${by}::numeric as before, store_credit as after`),
  )
  if (moved) await writeCreditChanges(tx, [{ customer_id, ...moved }], cause, clientId)
  return moved?.after
}

/** The store credit of customers, by id. */
export async function creditsOf(db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, number>> {
  const rows = await db.rows<{ id: number; store_credit: number }>(
    prepared(sql`select id, store_credit from customers where store_id = ${db.store.id} and id = any(${ids})`),
  )
  return new Map(rows.map(({ id, store_credit }) => [id, store_credit]))
}

/** An `Inclusion`: of each customer the list of its one amount. */
export async function includedCredit(db: Db, ids: readonly number[]) {
  const credits = await creditsOf(db, ids)
  return new Map([...credits].map(([id, amount]) => [id, JSON.stringify([{ amount }])]))
}
