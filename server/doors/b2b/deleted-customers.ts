import { sql } from '../../core/db/sql.ts'
import { removeAll } from '../../core/rest/lists/verbs.ts'
import type { DeleteCustomerData } from '../../customers/accounts/cleanup.ts'
import { companyUsers } from '../../sales/b2b/companies/user.ts'

/** Deletes the company users of deleted customers, whose tokens are already deleted. A company may lose its last user. */
export const leaveCompanies: DeleteCustomerData = async (db, customers) => {
  await db.transaction((tx) => removeAll(tx, companyUsers, sql`customer_id = any(${[...customers]})`))
}
