import { type Db, prepared, type Tx } from '../../core/db/database.ts'
import { sql } from '../../core/db/sql.ts'
import { amountOf, smaller, sumOf, textOf, UNITS_MAX, type Units, unitsOf } from '../../core/money/units.ts'
import { fold } from '../../core/rest/lists/fold.ts'

// The balances of gift certificates as money (docs/contract/marketing.md section 1). Each statement that changes a balance appends a row to
// its history, so the rows of a certificate add up to its balance. The history remains after the certificate is deleted: it says which
// certificates have paid an order, and how much of that was given back.

/**
 * The cause of a change: the creation, change or deletion of the certificate, the payment of an order, a refund or a void of that payment; or the
 * refund of its own sale, and the failure of that refund.
 */
type Cause = 'created' | 'changed' | 'deleted' | 'payment' | 'refund' | 'void' | 'taken back' | 'restored'

type CertificateStatus = 'active' | 'pending' | 'disabled' | 'expired'

/** The first characters of a code, without surrounding blanks. */
export const storedCode = (code: string): string => code.trim().slice(0, 20)

/** The status of a certificate by the clock: an active one expires without a job. */
export function statusAt<Status extends string>(
  { status, expiry_date }: { status: Status; expiry_date: string | null },
  now: Date,
): Status | 'expired' {
  return status === 'active' && expiry_date !== null && new Date(expiry_date) <= now ? 'expired' : status
}

/** The part of a certificate that payments need. */
export interface PayingCertificate {
  id: number
  code: string
  status: CertificateStatus
  balance: number
  currency_code: string
}

/** Locks the certificate with a code, in any case. Its status is that of the transaction's clock. */
export async function lockCertificate(tx: Tx, code: string): Promise<PayingCertificate | undefined> {
  const [found] = await tx.rows<PayingCertificate & { expiry_date: string | null }>(
    prepared(sql`
    select id, code, status, balance, currency_code, expiry_date from gift_certificates
    where store_id = ${tx.store.id} and code_key = ${fold(storedCode(code))} for update`),
  )
  return found && { ...found, status: statusAt(found, tx.now) }
}

/** A certificate that a shopper has applied, with the time of its purchase. */
export interface AppliedCertificate extends PayingCertificate {
  purchased_at: string
}

/** Reads the certificates with some codes, in the order of the codes. Unknown ones are left out. */
export async function findCertificates(db: Db, codes: readonly string[], now: Date): Promise<AppliedCertificate[]> {
  if (codes.length === 0) return []
  const keys = codes.map((code) => fold(storedCode(code)))
  const rows = await db.rows<AppliedCertificate & { code_key: string; expiry_date: string | null }>(
    prepared(sql`
    select id, code, code_key, status, balance, currency_code, expiry_date, purchase_date as purchased_at from gift_certificates
    where store_id = ${db.store.id} and code_key = any(${keys})`),
  )
  const byKey = new Map(rows.map(({ code_key, ...row }) => [code_key, { ...row, status: statusAt(row, now) }]))
  return keys.flatMap((key) => byKey.get(key) ?? [])
}

/** Whether any certificate of a currency can pay now. */
export async function anyCanPay(db: Db, currency_code: string, now: Date): Promise<boolean> {
  const found = await db.rows(
    prepared(sql`
    select id from gift_certificates
    where store_id = ${db.store.id} and currency_code = ${currency_code} and status = 'active' and balance > 0
      and (expiry_date is null or expiry_date > ${now}::timestamptz) limit 1`),
  )
  return found.length > 0
}

/** The order that a change belongs to. */
interface PaidOrder {
  id: number
  currency_code: string
}

/** A change of a balance by an order. */
export interface CertificateMove {
  by: Units
  /** The certificate as transactions of orders name it. */
  certificate: {
    code: string
    original_balance: number
    starting_balance: number
    remaining_balance: number
    status: string
  }
}

interface MovedRow {
  code: string
  status: CertificateStatus
  expiry_date: string | null
  amount: number
  before: number
  after: number
}

/**
 * Adds to the balance of a certificate or subtracts from it, and appends the change to its history. The certificate is locked until the
 * transaction ends.
 * @param by negative for a payment
 * @returns undefined, without a change, if the certificate is unknown, has another currency than the order or too small a balance, or can't
 * pay by its status or its expiry date. Money is given back in every status
 */
export async function moveCertificate(
  tx: Tx,
  id: number,
  by: Units,
  { cause, order }: { cause: Extract<Cause, 'payment' | 'refund' | 'void'>; order: PaidOrder },
): Promise<CertificateMove | undefined> {
  const change = textOf(by)
  const [moved] = await tx.rows<MovedRow>(
    prepared(sql`
    with moved as (
      update gift_certificates set balance = balance + ${change}::numeric, changes = changes + 1
      where store_id = ${tx.store.id} and id = ${id} and currency_code = ${order.currency_code}
        and balance + ${change}::numeric between 0 and ${textOf(UNITS_MAX)}::numeric
        and (${change}::numeric > 0 or status = 'active' and (expiry_date is null or expiry_date > ${tx.now}::timestamptz))
      returning store_id, id, changes, code, status, expiry_date, amount, balance - ${change}::numeric as before, balance as after
    ), recorded as (
      insert into gift_certificate_changes (store_id, certificate_id, version, change, balance, cause, order_id, changed_at)
      select ${tx.store.id}::int, id, changes, ${change}::numeric, after, ${cause}, ${order.id}::int, ${tx.now}::timestamptz from moved
      returning version
    )
    select code, status, expiry_date, amount, before, after from moved`),
  )
  if (!moved) return undefined
  const { code, amount, before, after } = moved
  const status = statusAt(moved, tx.now)
  return {
    by,
    certificate: { code, original_balance: amount, starting_balance: before, remaining_balance: after, status },
  }
}

/** Appends a change that a merchant has made. @param certificate as it is stored now */
export async function recordChange(
  tx: Tx,
  certificate: { id: number; balance: number },
  { before, cause }: { before: number; cause: Extract<Cause, 'created' | 'changed'> },
) {
  const { id, balance } = certificate
  const change = textOf(unitsOf(balance) - unitsOf(before))
  await tx.rows(
    prepared(sql`
    with counted as (
      update gift_certificates set changes = changes + 1 where store_id = ${tx.store.id} and id = ${id} returning changes
    )
    insert into gift_certificate_changes (store_id, certificate_id, version, change, balance, cause, order_id, changed_at)
    select ${tx.store.id}, ${id}::int, changes, ${change}::numeric, ${textOf(unitsOf(balance))}::numeric, ${cause}, 0, ${tx.now}::timestamptz
    from counted returning version`),
  )
}

/** Appends the end of certificates that are about to be deleted. @param ids locked */
export const recordDeletions = (tx: Tx, ids: readonly number[]) =>
  tx.rows(
    prepared(sql`
    insert into gift_certificate_changes (store_id, certificate_id, version, change, balance, cause, order_id, changed_at)
    select ${tx.store.id}::int, id, changes + 1, -balance, 0, 'deleted', 0, ${tx.now}::timestamptz from gift_certificates
    where store_id = ${tx.store.id} and id = any(${ids}) returning version`),
  )

/** A certificate that has paid for an order. */
export interface Spending {
  order_id: number
  certificate_id: number
  /** The amount that it paid and that can be given back to it: 0 if it was deleted or its currency was changed. */
  returnable: Units
}

/** Returns the certificates that have paid for orders and were not given everything back, in the order of their ids. */
export async function spendingsOf(db: Db, orders: readonly PaidOrder[]): Promise<Spending[]> {
  if (orders.length === 0) return []
  const rows = await db.rows<{ order_id: number; certificate_id: number; spent: number; room: number }>(
    prepared(sql`
    select spending.order_id, spending.certificate_id, spending.spent,
      coalesce(${textOf(UNITS_MAX)}::numeric - certificate.balance, 0) as room
    from (
      select change.order_id, change.certificate_id, -sum(change.change) as spent, paid.currency_code
      from ${sql.table(
        'paid',
        orders.map(({ id, currency_code }) => ({ id, currency_code })),
        { id: 'int', currency_code: 'text' },
      )}
      join gift_certificate_changes change on change.store_id = ${db.store.id} and change.order_id = paid.id
        and change.order_id > 0 and change.cause in ('payment', 'refund', 'void')
      group by change.order_id, change.certificate_id, paid.currency_code
      having sum(change.change) < 0
    ) spending
    left join gift_certificates certificate on certificate.store_id = ${db.store.id}
      and certificate.id = spending.certificate_id and certificate.currency_code = spending.currency_code
    order by spending.order_id, spending.certificate_id`),
  )
  return rows.map(({ order_id, certificate_id, spent, room }) => ({
    order_id,
    certificate_id,
    returnable: smaller(unitsOf(spent), unitsOf(room)),
  }))
}

/** The amount that can be given back to certificates. */
export const returnableTo = (spendings: readonly Spending[]): Units =>
  sumOf(spendings.map(({ returnable }) => returnable))

/** Locks the certificates that have paid for an order, before some of it is given back to them. */
export async function lockSpendings(tx: Tx, order: PaidOrder): Promise<Spending[]> {
  await tx.rows(
    prepared(sql`
    select id from gift_certificates
    where store_id = ${tx.store.id} and id in (
      select certificate_id from gift_certificate_changes
      where store_id = ${tx.store.id} and order_id = ${order.id} and order_id > 0 and cause = 'payment')
    order by id for update`),
  )
  return spendingsOf(tx, [order])
}

/**
 * Gives money of an order back to the certificates that have paid it.
 * @param spendings those of the order, locked
 * @param amount at most `returnableTo(spendings)`
 */
export async function giveBack(
  tx: Tx,
  order: PaidOrder,
  spendings: readonly Spending[],
  { amount, cause }: { amount: Units; cause: 'refund' | 'void' },
): Promise<CertificateMove[]> {
  const moves: CertificateMove[] = []
  for (const { certificate_id, by } of sharesOf(spendings, amount)) {
    const move = await moveCertificate(tx, certificate_id, by, { cause, order })
    if (!move) throw new Error(`The gift certificate ${certificate_id} could not take back ${amountOf(by)}.`)
    moves.push(move)
  }
  return moves
}

/** Divides an amount: all of it to the first certificate that can take it, else to as few as their order allows. Pure. */
function sharesOf(spendings: readonly Spending[], amount: Units): { certificate_id: number; by: Units }[] {
  const whole = spendings.find(({ returnable }) => returnable >= amount)
  let left = amount
  return (whole ? [whole] : spendings).flatMap(({ certificate_id, returnable }) => {
    const by = smaller(returnable, left)
    left -= by
    return by > 0n ? [{ certificate_id, by }] : []
  })
}

/** A row of the history of a certificate, for the operator. */
interface CertificateChange {
  version: number
  change: number
  balance: number
  cause: Cause
  order_id: number
  changed_at: string
}

/** A certificate with its history. It is null after its deletion. */
export interface CertificateHistory {
  id: number
  certificate: (PayingCertificate & { amount: number; expiry_date: string | null }) | null
  changes: CertificateChange[]
}

/**
 * Reads the history of a certificate for the operator's command. Each row is a payment or an act of a merchant, so all are read.
 * @param idOrCode its id, or its code in any case. Only the id finds a deleted certificate
 * @returns undefined if the store never had it
 */
export async function historyOf(db: Db, idOrCode: string, now: Date): Promise<CertificateHistory | undefined> {
  const number = /^[1-9]\d{0,8}$/.test(idOrCode) ? Number(idOrCode) : 0
  const [found] = await db.rows<NonNullable<CertificateHistory['certificate']>>(sql`
    select id, code, status, amount, balance, currency_code, expiry_date from gift_certificates
    where store_id = ${db.store.id} and (code_key = ${fold(storedCode(idOrCode))} or id = ${number})
    order by code_key = ${fold(storedCode(idOrCode))} desc limit 1`)
  const id = found?.id ?? number
  const changes = await db.rows<CertificateChange>(sql`
    select version, change, balance, cause, order_id, changed_at from gift_certificate_changes
    where store_id = ${db.store.id} and certificate_id = ${id} order by version`)
  if (changes.length === 0) return undefined
  return { id, certificate: found ? { ...found, status: statusAt(found, now) } : null, changes }
}
