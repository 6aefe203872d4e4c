import { type Sql, sql } from '../../../../core/db/sql.ts'
import { fold } from '../../../../core/rest/lists/fold.ts'
import { findOne } from '../../../../core/rest/lists/verbs.ts'
import { notFound } from '../../../../core/rest/problem.ts'
import { allPermissions } from '../../../../sales/b2b/roles/permissions.ts'
import { companyRoles, grantsOf, type RoleRow } from '../../../../sales/b2b/roles/roles.ts'
import { findWindow, when } from '../../../../sales/b2b/shared/pages.ts'
import { companyUsers, countUsers, findUsers } from '../../../../sales/b2b/users/user.ts'
import { buyerOf } from '../caller.ts'
import type { QueryFields } from '../types.ts'
import { given, refuseCompany } from './companies.ts'
import { buyerConnection, windowOfPage } from './connections.ts'
import { usersToBuyers } from './users.ts'

/** Queries about the users and roles of a company. */
export const colleagueQueries: QueryFields<'users' | 'user' | 'companyRoles' | 'companyRole'> = {
  async users(_, args, caller) {
    const { db } = buyerOf(caller)
    const { companyId, email, firstName, lastName, role, companyRoleId, search } = args
    refuseCompany(caller, 'get_users', companyId)
    const window = windowOfPage(args)
    const where = sql.and([
      sql`u.company_id = ${companyId}`,
      ...when(given(email), (text) => containing([sql`p.email_key`], text)),
      ...when(given(firstName), (text) => containing([sql`p.first_name_key`], text)),
      ...when(given(lastName), (text) => containing([sql`p.last_name_key`], text)),
      ...when(given(search), (text) => containing(SEARCHED, text)),
      // Custom roles have the number of the last predefined one.
      ...when(given(role), (number) => sql`least(u.company_role_id, 3) - 1 = ${number}::numeric`),
      ...when(given(companyRoleId), (id) => sql`u.company_role_id = ${id}::numeric`),
    ])
    const rest = sql`order by u.id desc limit ${window.limit} offset ${window.offset}`
    const rows = await findUsers(db, where, rest)
    return buyerConnection(await usersToBuyers(db, rows), await countUsers(db, where), window)
  },
  async user(_, { companyId, userId }, caller) {
    const { db } = buyerOf(caller)
    refuseCompany(caller, 'get_user_detail', companyId)
    const rows = await findUsers(db, sql`u.id = ${userId} and u.company_id = ${companyId}`)
    const [user] = await usersToBuyers(db, rows)
    if (!user) throw notFound(companyUsers.noun, userId)
    return user
  },
  async companyRoles(_, args, caller) {
    const { db, companyId } = buyerOf(caller)
    refuseCompany(caller, 'get_roles', args.companyId ?? companyId)
    const window = windowOfPage(args)
    const { rows, total } = await findWindow<RoleRow>(
      db,
      {
        table: companyRoles.table,
        columns: sql`id, name, role_type, permissions`,
        where: when(given(args.search), (text) => sql`strpos(name_key, ${fold(text)}) > 0`),
        order: sql`id`,
      },
      window,
    )
    return buyerConnection(rows.map(roleToAnswer), total, window)
  },
  async companyRole(_, { companyId, roleId }, caller) {
    const buyer = buyerOf(caller)
    refuseCompany(caller, 'get_roles', companyId ?? buyer.companyId)
    const role = await findOne(buyer.db, companyRoles, roleId)
    const known = new Map((await allPermissions(buyer.db)).map((permission) => [permission.code, permission]))
    return {
      ...roleToAnswer(role),
      permissions: grantsOf(role).map(({ code, permissionLevel }) => ({
        id: String(known.get(code)?.id ?? ''),
        name: known.get(code)?.name ?? '',
        isCustom: known.get(code)?.isCustom ?? false,
        code,
        permissionLevel,
      })),
    }
  },
}

const SEARCHED = [sql`p.email_key`, sql`p.first_name_key`, sql`p.last_name_key`]

const containing = (columns: readonly Sql[], text: string): Sql =>
  sql`(${sql.join(
    columns.map((column) => sql`strpos(${column}, ${fold(text)}) > 0`),
    ' or ',
  )})`

/** `roleLevel` counts the predefined roles from 0. Custom roles have the last number. */
const roleToAnswer = ({ id, name, role_type }: RoleRow) => ({
  id: String(id),
  name,
  roleType: role_type,
  roleLevel: Math.min(id, 3) - 1,
})
