import t from 'typebox'
import { type Db, prepared, type Tx } from '../../core/db/database.ts'
import { sql } from '../../core/db/sql.ts'
import { Amount } from '../../core/rest/input/amounts.ts'

// Store credit: money that a store owes a customer, in its default currency. Each change is a row of a history, which has only the number of
// the customer.

/** Store credit in the v3 API: a list of at most one amount (docs/contract/customers.md section 2.1). */
export const StoreCredit = t.Array(t.Object({ amount: Amount() }, { title: 'StoreCreditAmount' }), { maxItems: 1 })

/** The cause of a change: a request, the deletion of the customer, the payment of an order, a refund, or a void. */
type Cause = 'api' | 'deletion' | 'payment' | 'refund' | 'void'

export interface CreditChange {
  customer_id: number
  before: number
  after: number
}

/**
 * Appends changes of store credit to the history. Lock the customers first, or insert them in the same transaction.
 * @param clientId of the API account of the request; null for the store itself
 */
export async function writeCreditChanges(
  tx: Tx,
  changes: readonly CreditChange[],
  cause: Cause,
  clientId: string | null,
) {
  const rows = changes
    .filter(({ before, after }) => before !== after)
    .map(({ customer_id, before, after }) => ({ customer_id, amount_before: before, amount_after: after }))
  if (rows.length === 0) return
  await tx.rows(
    prepared(sql`
    insert into store_credit_changes
      (store_id, customer_id, version, amount_before, amount_after, cause, client_id, changed_at)
    select ${tx.store.id}, change.customer_id, 1 + coalesce((
        select max(version) from store_credit_changes
        where store_id = ${tx.store.id} and customer_id = change.customer_id
      ), 0), amount_before, amount_after, ${cause}, ${clientId}, ${tx.now}
    from ${sql.table('change', rows, { customer_id: 'int', amount_before: 'numeric', amount_after: 'numeric' })}
    returning customer_id`),
  )
}

/**
 * Adds store credit to a customer or subtracts it, and appends the change to the history. The customer is locked until the transaction
 * ends.
 * @param by in the default currency of the store, as text with four decimals; negative to subtract
 * @returns the new balance; undefined, without a change, for an unknown customer or too little credit
 */
export async function moveCredit(
  tx: Tx,
  customer_id: number,
  by: string,
  cause: Extract<Cause, 'payment' | 'refund' | 'void'>,
): Promise<number | undefined> {
  const [moved] = await tx.rows<Omit<CreditChange, 'customer_id'>>(
    prepared(sql`
    update customers set store_credit = store_credit + ${by}::numeric
    where store_id = ${tx.store.id} and id = ${customer_id} and store_credit + ${by}::numeric >= 0
    returning store_credit - ${by}::numeric as before, store_credit as after`),
  )
  if (moved) await writeCreditChanges(tx, [{ customer_id, ...moved }], cause, null)
  return moved?.after
}

/** The store credit of customers, by id. */
export async function creditsOf(db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, number>> {
  const rows = await db.rows<{ id: number; store_credit: number }>(
    prepared(sql`select id, store_credit from customers where store_id = ${db.store.id} and id = ${sql.anyOf(ids)}`),
  )
  return new Map(rows.map(({ id, store_credit }) => [id, store_credit]))
}

/** The inclusion of store credit: a list of one amount for each customer. */
export async function includedCredit(db: Db, ids: readonly number[]) {
  const credits = await creditsOf(db, ids)
  return new Map([...credits].map(([id, amount]) => [id, JSON.stringify([{ amount }])]))
}
