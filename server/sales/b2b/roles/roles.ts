import t, { type Static } from 'typebox'
import type { Db, Tx } from '../../../core/db/database.ts'
import { type Sql, sql } from '../../../core/db/sql.ts'
import { lockIds } from '../../../core/rest/batch.ts'
import { Id, NeededText } from '../../../core/rest/input/fields.ts'
import { collection } from '../../../core/rest/lists/collection.ts'
import { fold } from '../../../core/rest/lists/fold.ts'
import { takeIds } from '../../../core/rest/lists/verbs.ts'
import { invalid, unknownId } from '../../../core/rest/problem.ts'
import { Grant, PREDEFINED } from '../shared/permissions.ts'

export const RoleName = NeededText(200)
const Row = t.Object({
  id: Id,
  name: RoleName,
  role_type: t.Union([t.Literal(1), t.Literal(2)]),
  permissions: t.Array(Grant),
})
export type RoleRow = Static<typeof Row>

export const companyRoles = collection('company_roles', Row, {
  noun: 'company role',
  filters: 'name',
  max: 1_000,
  conflicts: { company_roles_name_unique: ['Another role has this name.', 'name'] },
})

/** The predefined roles have the first ids, in this order. `role` of a user counts them from 0. */
const FIXED = Object.keys(PREDEFINED) as readonly (keyof typeof PREDEFINED)[]

/** The `role` of a user with a role. Custom roles have the number of the last predefined one. */
export const roleNumber = (roleId: number): number => Math.min(roleId, FIXED.length) - 1
/** The id of the predefined role with a number from 0 to 2. */
export const roleOfNumber = (role: number): number => role + 1

/** Creates the predefined roles unless they exist. */
export async function openPredefinedRoles(tx: Tx) {
  const roles = FIXED.map((name, i) => ({ id: i + 1, name, name_key: fold(name), role_type: 1, permissions: [] }))
  const made = await tx.rows(sql`
    insert into company_roles (store_id, id, name, name_key, role_type, permissions)
    select ${tx.store.id}, id, name, name_key, role_type, permissions
    from jsonb_populate_recordset(null::company_roles, ${JSON.stringify(roles)}) on conflict do nothing returning id`)
  await takeIds(tx, [[companyRoles, made.length]])
}

/** The name of a role, as a column of any statement; null for an unknown one. @param id a column */
export const roleNameColumn = ({ store }: Pick<Db, 'store'>, id: Sql): Sql =>
  sql`(select name from company_roles where store_id = ${store.id} and id = ${id})`

/** Locks a role against deletion. @throws Problem 422 for an unknown role */
export async function lockRoleShared(tx: Tx, id: number) {
  const there = await lockIds(tx, companyRoles, [id])
  if (!there.has(id)) throw invalid({ companyRoleId: unknownId('company role', id) })
}

/** The permissions of a role. */
export const grantsOf = ({ name, role_type, permissions }: Pick<RoleRow, 'name' | 'role_type' | 'permissions'>) =>
  role_type === 1 ? (PREDEFINED[FIXED.find((fixed) => fixed === name) ?? 'Junior Buyer'] ?? []) : permissions
