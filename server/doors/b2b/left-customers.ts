import { sql } from '../../core/db/sql.ts'
import { removeAll } from '../../core/rest/lists/verbs.ts'
import type { DeleteCustomerData } from '../../customers/accounts/cleanup.ts'
import { companyUsers } from './row/user.ts'

/** Customers who are gone are users of no company; their tokens went with them. A company may be left without users. */
export const leaveCompanies: DeleteCustomerData = async (db, customers) => {
  await db.transaction((tx) => removeAll(tx, companyUsers, sql`customer_id = any(${[...customers]})`))
}
