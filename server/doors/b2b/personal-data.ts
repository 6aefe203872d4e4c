import type { Db } from '../../core/db/database.ts'
import { sql } from '../../core/db/sql.ts'
import { exportedRows } from '../../customers/privacy/personal-data.ts'

// What the companion API keeps of one person, for the operator's commands (docs/operations.md, "A customer's data").

/** The company user that a customer is, the company, and the tokens of sign-ins, without what would open something. */
export async function exportBuyer(db: Db, customerId: number) {
  const users = await exportedRows(db, 'company_users', sql`customer_id = ${customerId}`)
  const companies = users.map(({ company_id }) => Number(company_id))
  return {
    company_users: users,
    companies: await db.rows(sql`
      select id, company_name from companies where store_id = ${db.store.id} and id = any(${companies}::int[])`),
    b2b_sign_ins: await db.rows(sql`
      select channel_id, begins_at, ends_at, created_at from b2b_storefront_tokens
      where store_id = ${db.store.id} and customer_id = ${customerId} order by created_at`),
  }
}

/** What an erasure leaves of companies. */
export const KEPT_COMPANIES =
  'companies: the name, the address, the telephone number and the e-mail address of a company, as its users wrote them'
