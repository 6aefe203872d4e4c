import { prepared, type Tx } from '../../core/db/database.ts'
import { type Sql, sql } from '../../core/db/sql.ts'
import { toSeconds } from '../../core/rest/input/dates.ts'
import { insertAll, takeIds } from '../../core/rest/lists/verbs.ts'
import { recordChange } from './certificate-balance.ts'
import { type CertificateRow, certificates, newCertificateCode } from './certificates.ts'

// Gift certificates that an order sells (docs/contract/marketing.md section 1). They are created with the order and pending until it is paid. A
// certificate of an order that is cancelled before is disabled. Both happen once: a merchant who changes the status of a certificate
// decides.

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

/** Activates the pending certificates of an order that is paid. @returns those that have become active, in the order of their ids */
export async function activateCertificates(tx: Tx, order_id: number): Promise<ActivatedCertificate[]> {
  return tx.rows<ActivatedCertificate>(
    prepared(sql`
    with active as (
      update gift_certificates set status = 'active'
      where store_id = ${tx.store.id} and id in (${pendingOf(tx, order_id)})
      returning id, code, to_name, to_email, from_name, from_email, amount
    )
    select code, to_name, to_email, from_name, from_email, amount from active order by id`),
  )
}

/** Disables the pending certificates of an order that is cancelled before it was paid. */
export async function disableCertificates(tx: Tx, order_id: number) {
  await tx.rows(
    prepared(sql`
    update gift_certificates set status = 'disabled'
    where store_id = ${tx.store.id} and id in (${pendingOf(tx, order_id)}) returning id`),
  )
}

/** Locks the pending certificates of an order, in the order of their ids. */
const pendingOf = ({ store }: Tx, order_id: number): Sql => sql`
  select id from gift_certificates
  where store_id = ${store.id} and order_id = ${order_id} and status = 'pending' order by id for update`
