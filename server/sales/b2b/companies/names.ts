import type { Db, Tx } from '../../../core/db/database.ts'
import { type Sql, sql } from '../../../core/db/sql.ts'
import { fold } from '../../../core/rest/lists/fold.ts'
import type { CompanyRow } from './company.ts'

// Orders, quotes and invoices outlive their company. They show its current name, or the last one of a deleted company.

/** Keeps the name of a company that is deleted. */
export async function recordName(tx: Tx, { id, company_name }: Pick<CompanyRow, 'id' | 'company_name'>) {
  const row = { store_id: tx.store.id, id, company_name, company_name_key: fold(company_name) }
  await tx.rows(sql`insert into former_companies ${sql.rows([row])} returning id`)
}

/** The names of companies, deleted ones included, by id. */
export async function namesOfCompanies(db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  if (ids.length === 0) return new Map()
  const wanted = [...new Set(ids)]
  const rows = await db.rows<{ id: number; company_name: string }>(sql`
    select id, company_name from companies where store_id = ${db.store.id} and id = any(${wanted})
    union all
    select id, company_name from former_companies where store_id = ${db.store.id} and id = any(${wanted})`)
  return new Map(rows.map(({ id, company_name }) => [id, company_name]))
}

/** Matches rows of companies with this text in their names. @param company the column with the company of a row */
export const ofCompaniesNamed = (db: Db, company: Sql, text: string): Sql => sql`${company} = any(array(
    select id from companies where store_id = ${db.store.id} and strpos(company_name_key, ${fold(text)}) > 0
    union all
    select id from former_companies where store_id = ${db.store.id} and strpos(company_name_key, ${fold(text)}) > 0))`

/** The id in a text with a company, such as the `customerId` of an invoice; undefined for other text. */
export function companyIdIn(text: string): number | undefined {
  const id = /^[1-9]\d{0,9}$/.test(text) ? Number(text) : 0
  return id > 0 && id <= 2_147_483_647 ? id : undefined
}
