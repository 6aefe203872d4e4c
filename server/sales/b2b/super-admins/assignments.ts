import t, { type Static } from 'typebox'
import type { Db, Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { publish } from '../../../core/events/publish.ts'
import { lockIdsShared } from '../../../core/rest/batch.ts'
import { Id } from '../../../core/rest/input/fields.ts'
import { lock } from '../../../core/rest/lists/verbs.ts'
import { notFound } from '../../../core/rest/problem.ts'
import { type CompanyRow, companies } from '../companies/company.ts'
import { endUnassignedMasquerades } from '../portal/masquerades.ts'
import type { Window } from '../shared/pages.ts'
import { publishSuperAdmin, superAdmins } from './super-admin.ts'

// The companies of super admins (docs/contract/b2b-super-admins.md section 3).

/** The entries of a request. */
const ENTRIES_MAX = 100

export const CompaniesOfSuperAdmin = t.Object(
  {
    companies: t.Array(t.Object({ companyId: Id, isAssigned: t.Boolean() }, { title: 'SuperAdminCompanyAssignment' }), {
      maxItems: ENTRIES_MAX,
    }),
  },
  { title: 'CompaniesOfSuperAdmin', examples: [{ companies: [{ companyId: 1, isAssigned: true }] }] },
)
export const SuperAdminsOfCompany = t.Object(
  {
    superAdmins: t.Array(t.Object({ superAdminId: Id, isAssigned: t.Boolean() }, { title: 'SuperAdminAssignment' }), {
      maxItems: ENTRIES_MAX,
    }),
  },
  { title: 'SuperAdminsOfCompany', examples: [{ superAdmins: [{ superAdminId: 1, isAssigned: true }] }] },
)

/** A wanted assignment, or the end of one. */
interface Wish {
  super_admin_id: number
  company_id: number
  isAssigned: boolean
}

/** Changes the listed companies of a super admin; others stay. The last entry for a company counts. @throws Problem 404 */
export const assignToSuperAdmin = (db: Db, id: number, { companies: wishes }: Static<typeof CompaniesOfSuperAdmin>) =>
  db.transaction(async (tx) => {
    await lock(tx, superAdmins, id)
    const wanted = wishes.map(({ companyId }) => companyId)
    refuseMissing(companies.noun, wanted, await lockIdsShared(tx, companies, wanted))
    await assign(
      tx,
      wishes.map(({ companyId, isAssigned }) => ({ super_admin_id: id, company_id: companyId, isAssigned })),
    )
  })

/** Changes the listed super admins of a company; others stay. The last entry for a super admin counts. @throws Problem 404 */
export const assignToCompany = (db: Db, id: number, { superAdmins: wishes }: Static<typeof SuperAdminsOfCompany>) =>
  db.transaction(async (tx) => {
    const wanted = wishes.map(({ superAdminId }) => superAdminId)
    refuseMissing(superAdmins.noun, wanted, await lockIdsShared(tx, superAdmins, wanted))
    refuseMissing(companies.noun, [id], await lockIdsShared(tx, companies, [id]))
    await assign(
      tx,
      wishes.map(({ superAdminId, isAssigned }) => ({ super_admin_id: superAdminId, company_id: id, isAssigned })),
    )
  })

function refuseMissing(noun: string, wanted: readonly number[], there: ReadonlySet<number>) {
  const missing = wanted.find((id) => !there.has(id))
  if (missing !== undefined) throw notFound(noun, missing)
}

async function assign(tx: Tx, wishes: readonly Wish[]) {
  const last = new Map(wishes.map((wish) => [`${wish.super_admin_id} ${wish.company_id}`, wish]))
  const ofKind = (isAssigned: boolean) => [...last.values()].filter((wish) => wish.isAssigned === isAssigned)
  const rowsOf = (name: string, list: readonly Wish[]) =>
    sql.table(name, list, { super_admin_id: 'int', company_id: 'int' })
  const changed = await tx.rows<Pick<Wish, 'super_admin_id' | 'company_id'>>(sql`
    with ended as (
      delete from b2b_super_admin_companies a using ${rowsOf('wish', ofKind(false))}
      where a.store_id = ${tx.store.id} and a.super_admin_id = wish.super_admin_id and a.company_id = wish.company_id
      returning a.super_admin_id, a.company_id
    ), begun as (
      insert into b2b_super_admin_companies (store_id, super_admin_id, company_id)
      select ${tx.store.id}, super_admin_id, company_id from ${rowsOf('wish', ofKind(true))}
      order by super_admin_id, company_id on conflict do nothing returning super_admin_id, company_id
    )
    select * from ended union all select * from begun order by super_admin_id, company_id`)
  const unassigned = ofKind(false).map(({ super_admin_id }) => super_admin_id)
  await endUnassignedMasquerades(tx, [...new Set(unassigned)])
  for (const company_id of new Set(changed.map((row) => row.company_id))) {
    publish(tx, 'store/company/superadmin/assignmentUpdated', `company ${company_id}`, { company_id })
  }
  for (const id of new Set(changed.map((row) => row.super_admin_id))) {
    publishSuperAdmin(tx, 'assignmentUpdated', id)
    publishSuperAdmin(tx, 'updated', id)
  }
}

/** The companies of a super admin, by id. @throws Problem 404 */
export async function companiesOfSuperAdmin(db: Db, id: number, { limit, offset }: Window) {
  const found = await db.rows(sql`select id from b2b_super_admins where store_id = ${db.store.id} and id = ${id}`)
  if (found.length === 0) throw notFound(superAdmins.noun, id)
  const from = sql`
    from b2b_super_admin_companies a join companies c on c.store_id = ${db.store.id} and c.id = a.company_id
    where a.store_id = ${db.store.id} and a.super_admin_id = ${id}`
  const rows = await db.rows<Pick<CompanyRow, 'id' | 'company_name' | 'company_email'>>(sql`
    select c.id, c.company_name, c.company_email ${from} order by c.id limit ${limit} offset ${offset}`)
  const { total } = await db.row<{ total: number }>(sql`select count(*)::int as total ${from}`)
  return { rows, total }
}
