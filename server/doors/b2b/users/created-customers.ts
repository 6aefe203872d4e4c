import type { Db, Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { hasAny } from '../../../core/rest/input/mistakes.ts'
import { denied, MessageProblem, PERMISSION_DENIED } from '../../../sales/b2b/shared/refusals.ts'

// The customers that a sales representative may change (docs/contract/companies.md section 5). A customer record is a login for the
// whole store: a representative who could link any customer to a company, or change its e-mail address, could sign in as any shopper.

/**
 * Records the sales representative that created customers. Only this one may link them or change their addresses.
 * @param salesRep undefined for callers without this limit
 */
export async function recordCreator(tx: Tx, salesRep: number | undefined, customers: readonly number[]) {
  const [first, ...others] = customers.map((customer_id) => ({
    store_id: tx.store.id,
    customer_id,
    staff_id: salesRep,
  }))
  if (salesRep === undefined || !first) return
  await tx.rows(sql`insert into b2b_made_customers ${sql.rows([first, ...others])} returning customer_id`)
}

/** A customer that a body names by the field with its e-mail address. */
export interface NamedCustomer {
  id: number
  field: string
}

/**
 * Refuses customers that the sales representative did not create.
 * @param salesRep undefined for callers without this limit
 * @throws MessageProblem 403
 */
export async function refuseForeignCustomers(
  db: Db,
  salesRep: number | undefined,
  customers: readonly NamedCustomer[],
) {
  if (salesRep === undefined || customers.length === 0) return
  const rows = await db.rows<{ customer_id: number }>(sql`
    select customer_id from b2b_made_customers
    where store_id = ${db.store.id} and customer_id = any(${customers.map(({ id }) => id)}) and staff_id = ${salesRep}`)
  const created = new Set(rows.map(({ customer_id }) => customer_id))
  const sentence = 'You did not create this customer: only the store can link it or change its e-mail address.'
  const mistakes = Object.fromEntries(
    customers.flatMap(({ id, field }) => (created.has(id) ? [] : [[field, sentence]])),
  )
  if (hasAny(mistakes)) throw new MessageProblem(403, PERMISSION_DENIED, mistakes)
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
