import type { Db, Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { MessageProblem } from '../grammar/envelope.ts'
import { denied, PERMISSION_DENIED } from '../row/company.ts'

// Which shoppers a sales representative may touch (docs/contract/companies.md section 5). A customer record is a login of the whole
// store: a representative who could link any of them to a company, or change its e-mail address, could sign in as any shopper.

/** Records that a sales representative made a customer, who may be linked and given another address by this representative only. */
export async function recordMaker(tx: Tx, salesRep: number, customer: number) {
  const row = { store_id: tx.store.id, customer_id: customer, staff_id: salesRep }
  await tx.rows(sql`insert into b2b_made_customers ${sql.rows([row])} returning customer_id`)
}

/**
 * Refuses a customer whom the sales representative did not make.
 * @param salesRep undefined for callers without this limit
 * @param field of the body that names the customer
 * @throws MessageProblem 403
 */
export async function refuseUnmade(db: Db, salesRep: number | undefined, customer: number, field: string) {
  if (salesRep === undefined) return
  const made = await db.rows(sql`
    select customer_id from b2b_made_customers
    where store_id = ${db.store.id} and customer_id = ${customer} and staff_id = ${salesRep}`)
  if (made.length > 0) return
  const sentence = 'This customer was not made by you: only the store can link it or change its e-mail address.'
  throw new MessageProblem(403, PERMISSION_DENIED, { [field]: sentence })
}

/**
 * Refuses a customer who is no user of a company that is assigned to the sales representative, and keeps the user until the
 * transaction ends.
 * @param salesRep undefined for callers without this limit
 * @throws MessageProblem 403
 */
export async function refuseStranger(tx: Tx, salesRep: number | undefined, customer: number) {
  if (salesRep === undefined) return
  const users = await tx.rows(sql`
    select u.id from company_users u
    join b2b_assignments a on a.store_id = ${tx.store.id} and a.company_id = u.company_id and a.staff_id = ${salesRep}
    where u.store_id = ${tx.store.id} and u.customer_id = ${customer} for key share`)
  if (users.length === 0) throw denied()
}
