import type { Db } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { exportedRows } from '../../../customers/privacy/personal-data.ts'

// The personal data in the companion API, for the operator's commands (docs/operations.md, "A customer's data").

/** Exports the company user or the super admin of a customer, the company, and the sign-ins without their tokens. */
export async function exportBuyer(db: Db, customerId: number) {
  const users = await exportedRows(db, 'company_users', sql`customer_id = ${customerId}`)
  const companies = users.map(({ company_id }) => Number(company_id))
  return {
    company_users: users,
    b2b_super_admins: await exportedRows(db, 'b2b_super_admins', sql`customer_id = ${customerId}`),
    companies: await db.rows(sql`
      select id, company_name from companies where store_id = ${db.store.id} and id = any(${companies}::int[])`),
    b2b_sign_ins: await db.rows(sql`
      select channel_id, begins_at, ends_at, created_at from b2b_storefront_tokens
      where store_id = ${db.store.id} and customer_id = ${customerId} order by created_at`),
  }
}

/** The data of companies that an erasure keeps. */
export const KEPT_COMPANIES =
  'companies: the name, the address, the telephone number and the e-mail address of a company, as its users wrote them'
