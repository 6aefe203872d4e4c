import t, { type Static } from 'typebox'
import type { Db, Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { Problem } from '../../../core/rest/problem.ts'

// The days in which a company pays its invoices (docs/contract/b2b-credit.md section 3).

const TERMS = [0, 5, 15, 30, 45, 60]
/** For companies without terms of their own. */
const DEFAULT_TERMS = 30

export const PaymentTerms = t.Object(
  {
    isEnabled: t.Boolean({ description: 'Whether the company has terms of its own, in place of those of the store' }),
    paymentTerms: t.Integer({ description: 'Days: 0, 5, 15, 30, 45 or 60' }),
  },
  { title: 'PaymentTerms', examples: [{ isEnabled: true, paymentTerms: 15 }] },
)
type PaymentTerms = Static<typeof PaymentTerms>

/** The terms of a company; the store's default if it has none. */
export async function termsOf(db: Db, companyId: number): Promise<PaymentTerms> {
  const found = await db.maybeRow<{ days: number; is_enabled: boolean }>(sql`
    select days, is_enabled from b2b_payment_terms where store_id = ${db.store.id} and company_id = ${companyId}`)
  return { isEnabled: found?.is_enabled ?? false, paymentTerms: found?.days ?? DEFAULT_TERMS }
}

/**
 * Sets the terms of a company whose row is locked. Terms that are not enabled are the store's default.
 * @throws Problem 400 for other days
 */
export async function setTerms(
  tx: Tx,
  companyId: number,
  { isEnabled, paymentTerms }: PaymentTerms,
): Promise<PaymentTerms> {
  if (isEnabled && !TERMS.includes(paymentTerms)) {
    throw new Problem(400, `paymentTerms must be one of ${TERMS.join(', ')}.`)
  }
  const days = isEnabled ? paymentTerms : DEFAULT_TERMS
  const row = { store_id: tx.store.id, company_id: companyId, is_enabled: isEnabled, days }
  await tx.rows(sql`
    insert into b2b_payment_terms ${sql.rows([row])}
    on conflict (store_id, company_id) do update set is_enabled = excluded.is_enabled, days = excluded.days
    returning company_id`)
  return { isEnabled, paymentTerms: days }
}
