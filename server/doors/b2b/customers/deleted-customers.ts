import { sql } from '../../../core/db/sql.ts'
import { lockCounters } from '../../../core/rest/lists/counters.ts'
import { removeAll } from '../../../core/rest/lists/verbs.ts'
import type { DeleteCustomerData } from '../../../customers/accounts/cleanup.ts'
import { deleteListsOfCustomers, LIST_COUNTERS } from '../../../sales/b2b/lists/list-changes.ts'
import { deleteOrderedProducts } from '../../../sales/b2b/orders/ordered-products.ts'
import { superAdmins } from '../../../sales/b2b/super-admins/super-admin.ts'
import { companyUsers } from '../../../sales/b2b/users/user.ts'

/**
 * Deletes the company users, super admins, shopping lists and bought products of deleted customers, whose tokens are already deleted. A company may lose its last user.
 */
export const leaveCompanies: DeleteCustomerData = async (db, customers) => {
  const ofCustomers = sql`customer_id = any(${[...customers]})`
  await db.transaction(async (tx) => {
    await lockCounters(tx, [...LIST_COUNTERS, superAdmins.table, companyUsers.table])
    await deleteListsOfCustomers(tx, customers)
    await deleteOrderedProducts(tx, customers)
    await removeAll(tx, superAdmins, ofCustomers)
    await removeAll(tx, companyUsers, ofCustomers)
  })
}
