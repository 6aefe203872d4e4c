import t, { type Static } from 'typebox'
import type { Db, Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { textOf, type Units } from '../../../core/money/units.ts'
import { invalid, Problem } from '../../../core/rest/problem.ts'
import { currencyPair, defaultCurrency } from '../../../shop/channels/currencies/shape.ts'
import { readAmount } from '../shared/exact-money.ts'

/**
 * The credit of a company: the amount for which it may still buy by purchase order.
 *
 * It has no credit until the seller enables it. `limitPurchases` refuses purchase orders above the available credit, and `creditHold`
 * stops all purchases. The operator can switch the feature off for a whole store.
 */
const fields = {
  creditEnabled: t.Boolean({ description: 'Whether the company may buy on credit' }),
  creditCurrency: t.String({ minLength: 3, maxLength: 3, description: 'The code of a currency of the store' }),
  availableCredit: t.Number({ minimum: 0, maximum: 99_999_999_999, description: 'At most two decimals' }),
  limitPurchases: t.Boolean({ description: 'Whether purchase orders above availableCredit are refused' }),
  creditHold: t.Boolean({ description: 'Whether all orders of the company are refused' }),
}
export const Credit = t.Object(
  { ...fields, availableCredit: t.Number({ description: 'Two decimals; orders may make it negative' }) },
  { title: 'CompanyCredit' },
)
export const CreditChanges = t.Object(t.Partial(t.Object(fields)).properties, {
  title: 'CompanyCreditChanges',
  minProperties: 1,
  examples: [{ creditEnabled: true, availableCredit: 500 }],
})

interface CreditRow {
  is_enabled: boolean
  currency_code: string
  available: number
  limit_purchases: boolean
  is_on_hold: boolean
}

const creditToAnswer = (row: CreditRow): Static<typeof Credit> => ({
  creditEnabled: row.is_enabled,
  creditCurrency: row.currency_code,
  availableCredit: Math.round(row.available * 100) / 100,
  limitPurchases: row.limit_purchases,
  creditHold: row.is_on_hold,
})

/** Switches the credit of all companies of a store on or off. Their values stay. */
export async function setCreditFeature(db: Db, hasCredit: boolean) {
  await db.transaction((tx) =>
    tx.rows(sql`
      insert into b2b_settings (store_id, is_enabled, has_credit) values (${tx.store.id}, false, ${hasCredit})
      on conflict (store_id) do update set has_credit = excluded.has_credit returning store_id`),
  )
}

/** @throws Problem 400 for a store without the feature */
async function refuseWithoutFeature(db: Db) {
  const settings = await db.maybeRow<{ has_credit: boolean }>(sql`
    select has_credit from b2b_settings where store_id = ${db.store.id}`)
  if (!settings?.has_credit) throw new Problem(400, 'The store does not use company credit.')
}

/** The credit of an existing company. @throws Problem 400 for a store without the feature */
export async function creditOf(db: Db, companyId: number): Promise<Static<typeof Credit>> {
  await refuseWithoutFeature(db)
  return creditToAnswer(await creditRow(db, companyId))
}

async function creditRow(db: Db, companyId: number): Promise<CreditRow> {
  const row = await db.maybeRow<CreditRow>(sql`
    select is_enabled, currency_code, available, limit_purchases, is_on_hold from b2b_credits
    where store_id = ${db.store.id} and company_id = ${companyId}`)
  if (row) return row
  const { currency_code } = await defaultCurrency(db)
  return { is_enabled: false, currency_code, available: 0, limit_purchases: false, is_on_hold: false }
}

/**
 * Changes the credit of a company whose row is locked; other fields stay unchanged.
 * @throws Problem 400 for a store without the feature, 422
 */
export async function changeCredit(tx: Tx, companyId: number, body: Static<typeof CreditChanges>) {
  await refuseWithoutFeature(tx)
  const before = await creditRow(tx, companyId)
  const { wanted } = await currencyPair(tx, body.creditCurrency ?? before.currency_code)
  if (!wanted) throw invalid({ creditCurrency: 'The store does not have this currency.' })
  const row: CreditRow = {
    is_enabled: body.creditEnabled ?? before.is_enabled,
    currency_code: wanted.currency_code,
    available: body.availableCredit ?? before.available,
    limit_purchases: body.limitPurchases ?? before.limit_purchases,
    is_on_hold: body.creditHold ?? before.is_on_hold,
  }
  if (body.availableCredit !== undefined) refuseFraction(body.availableCredit, row.currency_code)
  const stored = { store_id: tx.store.id, company_id: companyId, ...row }
  await tx.rows(sql`
    insert into b2b_credits ${sql.rows([stored])}
    on conflict (store_id, company_id) do update set ${sql.set({ ...row })} returning company_id`)
  return creditToAnswer(row)
}

/** @throws Problem 422 for more than two decimals */
function refuseFraction(amount: number, currency: string) {
  const units = readAmount(amount, currency)
  if (typeof units === 'string') throw invalid({ availableCredit: units })
  if (!textOf(units).endsWith('00')) throw invalid({ availableCredit: 'The credit has at most two decimals.' })
}

/** Locks the credit of a company that has one in use. @returns undefined without, and for a store without the feature */
export async function lockCredit(tx: Tx, companyId: number): Promise<CreditRow | undefined> {
  const [row] = await tx.rows<CreditRow>(sql`
    select is_enabled, currency_code, available, limit_purchases, is_on_hold from b2b_credits
    where store_id = ${tx.store.id} and company_id = ${companyId} and is_enabled and exists (
      select from b2b_settings where store_id = ${tx.store.id} and has_credit
    ) for update`)
  return row
}

/** Takes an amount from a locked credit, or gives it back if the amount is negative. */
export async function takeCredit(tx: Tx, companyId: number, amount: Units) {
  await tx.rows(sql`
    update b2b_credits set available = available - ${textOf(amount)}::numeric
    where store_id = ${tx.store.id} and company_id = ${companyId} returning company_id`)
}
