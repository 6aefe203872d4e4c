import type { Db } from '../../../core/db/database.ts'
import { type Sql, sql } from '../../../core/db/sql.ts'
import { type CompanyCaller, type CompanyReader, SELLER } from '../../../sales/b2b/shared/caller.ts'

/**
 * The caller of a request, for the functions below the doors.
 * @param salesRep the staff id of a sales representative; undefined for other callers
 */
export async function callerOf(db: Db, salesRep: number | undefined): Promise<CompanyCaller> {
  if (salesRep === undefined) return SELLER
  const assigned = assignedTo(db, salesRep)
  const companies = await db.rows<{ company_id: number }>(assigned)
  return { kind: 'staff', companies: new Set(companies.map(({ company_id }) => company_id)), assigned }
}

/** The same for a list. It reads nothing. */
export const companyReaderOf = (db: Db, salesRep: number | undefined): CompanyReader =>
  salesRep === undefined ? SELLER : { kind: 'staff', assigned: assignedTo(db, salesRep) }

const assignedTo = ({ store }: Db, salesRep: number): Sql => sql`
  select company_id from b2b_assignments where store_id = ${store.id} and staff_id = ${salesRep}`
