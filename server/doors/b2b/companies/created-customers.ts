import type { Db, Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { denied, MessageProblem, PERMISSION_DENIED } from '../../../sales/b2b/shared/refusals.ts'

// The customers that a sales representative may change (docs/contract/companies.md section 5). A customer record is a login for the
// whole store: a representative who could link any customer to a company, or change its e-mail address, could sign in as any shopper.

/** Records the sales representative that created a customer. Only this one may link the customer or change its address. */
export async function recordCreator(tx: Tx, salesRep: number, customer: number) {
  const row = { store_id: tx.store.id, customer_id: customer, staff_id: salesRep }
  await tx.rows(sql`insert into b2b_made_customers ${sql.rows([row])} returning customer_id`)
}

/**
 * Refuses a customer that the sales representative did not create.
 * @param salesRep undefined for callers without this limit
 * @param field the field of the body that names the customer
 * @throws MessageProblem 403
 */
export async function refuseForeignCustomer(db: Db, salesRep: number | undefined, customer: number, field: string) {
  if (salesRep === undefined) return
  const created = await db.rows(sql`
    select customer_id from b2b_made_customers
    where store_id = ${db.store.id} and customer_id = ${customer} and staff_id = ${salesRep}`)
  if (created.length > 0) return
  const sentence = 'You did not create this customer: only the store can link it or change its e-mail address.'
  throw new MessageProblem(403, PERMISSION_DENIED, { [field]: sentence })
}

/**
 * Refuses a customer unless it is a user of a company that is assigned to the sales representative. Locks the user until the
 * transaction ends.
 * @param salesRep undefined for callers without this limit
 * @throws MessageProblem 403
 */
export async function refuseUnassignedCustomer(tx: Tx, salesRep: number | undefined, customer: number) {
  if (salesRep === undefined) return
  const users = await tx.rows(sql`
    select u.id from company_users u
    join b2b_assignments a on a.store_id = ${tx.store.id} and a.company_id = u.company_id and a.staff_id = ${salesRep}
    where u.store_id = ${tx.store.id} and u.customer_id = ${customer} for key share`)
  if (users.length === 0) throw denied()
}
