import t, { type Static } from 'typebox'
import { type Db, prepared, type Tx } from '../../core/db/database.ts'
import { type Sql, sql } from '../../core/db/sql.ts'
import { amountOf, type Units } from '../../core/money/units.ts'
import { toSeconds } from '../../core/rest/input/dates.ts'
import { Id } from '../../core/rest/input/fields.ts'
import { insertAll, takeIds } from '../../core/rest/lists/verbs.ts'
import { recordChange } from './certificate-balance.ts'
import { type CertificateRow, certificates, newCertificateCode } from './certificates.ts'

// Gift certificates that an order sells (docs/contract/marketing.md section 1). They are created with the order and pending until it is paid. A
// certificate of an order that is cancelled before is disabled. Both happen once: a merchant who changes the status of a certificate
// decides. A refund of the sale takes the certificate back: its unspent balance ends with the refund, and it is disabled. If the refund is
// declined, the certificate returns to what it was, or to what the payment or the end of its order has made of the others meanwhile.

/** A certificate that a shopper buys. */
export type PurchasedCertificate = Pick<
  CertificateRow,
  'to_name' | 'to_email' | 'from_name' | 'from_email' | 'amount' | 'template' | 'message'
>

interface SellingOrder {
  id: number
  customer_id: number
  currency_code: string
}

/** Creates the certificates that an order sells. @returns their ids, in their order */
export async function sellCertificates(
  tx: Tx,
  order: SellingOrder,
  purchased: readonly PurchasedCertificate[],
): Promise<number[]> {
  if (purchased.length === 0) return []
  const ids = await takeIds(tx, [[certificates, purchased.length]])
  const rows = purchased.map((certificate) => ({
    ...certificate,
    id: ids.next(certificates),
    code: newCertificateCode(),
    status: 'pending' as const,
    customer_id: order.customer_id,
    order_id: order.id,
    balance: certificate.amount,
    currency_code: order.currency_code,
    purchase_date: toSeconds(tx.now),
    expiry_date: null,
  }))
  await insertAll(tx, certificates, rows)
  await tx.together(() => rows.map((row) => recordChange(tx, row, { before: 0, cause: 'created' })))
  return rows.map(({ id }) => id)
}

/** A certificate that has become active. */
export type ActivatedCertificate = Pick<
  CertificateRow,
  'code' | 'to_name' | 'to_email' | 'from_name' | 'from_email' | 'amount'
>

/**
 * Activates the pending certificates of an order that is paid.
 * @param ids undefined for all of them
 * @returns those that have become active, in the order of their ids
 */
export async function activateCertificates(
  tx: Tx,
  order_id: number,
  ids?: readonly number[],
): Promise<ActivatedCertificate[]> {
  return tx.rows<ActivatedCertificate>(
    prepared(sql`
    with active as (
      update gift_certificates set status = 'active'
      where store_id = ${tx.store.id} and id in (${pendingOf(tx, order_id, ids)})
      returning id, code, to_name, to_email, from_name, from_email, amount
    )
    select code, to_name, to_email, from_name, from_email, amount from active order by id`),
  )
}

/** Disables the pending certificates of an order that is cancelled before it was paid. @param ids undefined for all of them */
export async function disableCertificates(tx: Tx, order_id: number, ids?: readonly number[]) {
  await tx.rows(
    prepared(sql`
    update gift_certificates set status = 'disabled'
    where store_id = ${tx.store.id} and id in (${pendingOf(tx, order_id, ids)}) returning id`),
  )
}

/** Locks the pending certificates of an order, in the order of their ids. */
const pendingOf = ({ store }: Tx, order_id: number, ids: readonly number[] | undefined): Sql => sql`
  select id from gift_certificates
  where store_id = ${store.id} and order_id = ${order_id} and status = 'pending'
    and (${ids ?? null}::int[] is null or id = any(${ids ?? null})) order by id for update`

/** A balance that can still be spent. */
interface UnspentBalance {
  id: number
  balance: number
  /** null for a certificate that was deleted: then it is the balance of its last moment. */
  currency_code: string | null
}

/** Reads the balances of certificates, deleted ones included. */
export async function unspentBalances(db: Db, ids: readonly number[]): Promise<UnspentBalance[]> {
  if (ids.length === 0) return []
  return db.rows<UnspentBalance>(
    prepared(sql`
    select id, balance, currency_code from gift_certificates where store_id = ${db.store.id} and id = any(${ids})
    union all
    select certificate_id, -change, null from gift_certificate_changes
    where store_id = ${db.store.id} and certificate_id = any(${ids}) and cause = 'deleted'`),
  )
}

/** Locks certificates, in the order of their ids, so that nobody spends them meanwhile. */
export const lockCertificates = (tx: Tx, ids: readonly number[]) =>
  tx.rows<{ id: number; status: CertificateRow['status'] }>(
    prepared(sql`
    select id, status from gift_certificates
    where store_id = ${tx.store.id} and id = any(${ids}) order by id for update`),
  )

/** A certificate that a refund has taken back. */
export const TakenCertificate = t.Object({
  id: Id,
  /** The amount that was taken from its balance. */
  amount: t.Number(),
  /** The status that it had before. */
  status: t.String(),
  /** Whether it was pending because its order was not paid. */
  is_unpaid: t.Optional(t.Boolean()),
})
type TakenCertificate = Static<typeof TakenCertificate>

/**
 * Takes amounts from the balances of certificates and disables them. Deleted ones are left out.
 * @param order `wasPaid` if it is paid, or was before its current status
 * @param shares amounts by id; at most the unspent balances, of locked certificates
 */
export async function takeBackCertificates(
  tx: Tx,
  order: Pick<SellingOrder, 'id'> & { wasPaid: boolean },
  shares: ReadonlyMap<number, Units>,
): Promise<TakenCertificate[]> {
  if (shares.size === 0) return []
  const locked = await lockCertificates(tx, [...shares.keys()])
  const taken = locked.map(({ id, status }) => ({
    id,
    amount: amountOf(shares.get(id) ?? 0n),
    status,
    is_unpaid: status === 'pending' && !order.wasPaid,
  }))
  const rows = taken.map(({ id, amount }) => ({ id, amount: -amount, status: 'disabled', only_from: '' }))
  await moveSold(tx, order, rows, 'taken back')
  return taken
}

/** Returns certificates to what they were before a refund took them back. A status that was changed meanwhile stays. */
export const restoreCertificates = (tx: Tx, order: Pick<SellingOrder, 'id'>, taken: readonly TakenCertificate[]) =>
  moveSold(
    tx,
    order,
    taken.map((certificate) => ({ ...certificate, only_from: 'disabled' })),
    'restored',
  )

interface SoldMove {
  id: number
  /** Added to the balance. */
  amount: number
  status: string
  /** The only status that is changed; empty for each. */
  only_from: string
}

async function moveSold(
  tx: Tx,
  order: Pick<SellingOrder, 'id'>,
  moves: readonly SoldMove[],
  cause: 'taken back' | 'restored',
) {
  if (moves.length === 0) return
  await tx.rows(
    prepared(sql`
    with moved as (
      update gift_certificates certificate set
        balance = balance + move.amount,
        status = case when move.only_from in ('', certificate.status) then move.status else certificate.status end,
        changes = changes + case when move.amount = 0 then 0 else 1 end
      from ${sql.table('move', moves, { id: 'int', amount: 'numeric', status: 'text', only_from: 'text' })}
      where certificate.store_id = ${tx.store.id} and certificate.id = move.id
      returning certificate.store_id, certificate.id, certificate.changes, certificate.balance, move.amount
    )
    insert into gift_certificate_changes (store_id, certificate_id, version, change, balance, cause, order_id, changed_at)
    select ${tx.store.id}::int, id, changes, amount, balance, ${cause}, ${order.id}::int, ${tx.now}::timestamptz from moved
    where amount <> 0 returning version`),
  )
}
