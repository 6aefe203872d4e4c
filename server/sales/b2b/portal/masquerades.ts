import type { Db, Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { toSeconds } from '../../../core/rest/input/dates.ts'

// The company for which a user of its parent, or a super admin, acts. It is a row of the customer, so it holds for all its tokens. It
// ends with the company, the customer, the parent link and the assignment. Readers check the rights again at each request.

/** Begins to act for a company, in place of another one. The caller has checked the rights. */
export const beginMasquerade = (db: Db, customerId: number, companyId: number) =>
  db.transaction((tx) =>
    tx.rows(sql`
      insert into b2b_masquerades (store_id, customer_id, company_id, begun_at)
      values (${tx.store.id}, ${customerId}, ${companyId}, ${toSeconds(tx.now)})
      on conflict (store_id, customer_id) do update
      set company_id = excluded.company_id, begun_at = excluded.begun_at returning company_id`),
  )

/** @returns whether the customer acted for a company */
export async function endMasquerade(db: Db, customerId: number): Promise<boolean> {
  const ended = await db.transaction((tx) =>
    tx.rows(sql`
      delete from b2b_masquerades where store_id = ${tx.store.id} and customer_id = ${customerId} returning company_id`),
  )
  return ended.length > 0
}

/** Ends the masquerades of users who act for companies of a tree, and whose own company is not in it. */
export async function endMasqueradesFromAbove(tx: Tx, tree: readonly number[]) {
  await tx.rows(sql`
    delete from b2b_masquerades m using company_users u
    where m.store_id = ${tx.store.id} and m.company_id = any(${[...tree]}) and u.store_id = ${tx.store.id}
      and u.customer_id = m.customer_id and not u.company_id = any(${[...tree]}) returning m.customer_id`)
}

/** Ends the masquerades of super admins who are not assigned to their company any more. */
export async function endUnassignedMasquerades(tx: Tx, superAdmins: readonly number[]) {
  if (superAdmins.length === 0) return
  await tx.rows(sql`
    delete from b2b_masquerades m using b2b_super_admins s
    where m.store_id = ${tx.store.id} and s.store_id = ${tx.store.id} and s.customer_id = m.customer_id
      and s.id = any(${[...superAdmins]}) and not exists (
        select from b2b_super_admin_companies a
        where a.store_id = ${tx.store.id} and a.super_admin_id = s.id and a.company_id = m.company_id
      ) returning m.customer_id`)
}
