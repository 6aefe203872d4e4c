import t from 'typebox'
import type { Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import type { Api } from '../../../core/rest/api.ts'
import { Id, idSegment } from '../../../core/rest/input/fields.ts'
import { type Mistakes, refuse, repeated } from '../../../core/rest/input/mistakes.ts'
import { lockCounter } from '../../../core/rest/lists/counters.ts'
import { fold } from '../../../core/rest/lists/fold.ts'
import { change, findOne, insert, lock, remove } from '../../../core/rest/lists/verbs.ts'
import { invalid, Problem } from '../../../core/rest/problem.ts'
import { CUSTOM_LEVELS, customPermissions, lockPermissions } from '../../../sales/b2b/roles/permissions.ts'
import { companyRoles, grantsOf, RoleName, type RoleRow } from '../../../sales/b2b/roles/roles.ts'
import { Grant, levelsOf, PERMISSION_CODES } from '../../../sales/b2b/shared/permissions.ts'
import { denied } from '../../../sales/b2b/shared/refusals.ts'
import { access } from '../../../stores/accounts/scopes.ts'
import {
  answering,
  companionAnswer,
  companionListAnswer,
  Deleted,
  listing,
  windowOf,
  windowQuery,
} from '../grammar/envelope.ts'

const { write } = access('b2b')

const RoleSummary = { id: Id, name: t.String(), roleType: t.Integer(), roleLevel: t.Integer() }
const Role = t.Object(
  { ...RoleSummary, permissions: t.Array(t.Object({ id: t.Integer(), ...Grant.properties })) },
  { title: 'CompanyRole' },
)
const role = { name: RoleName, permissions: t.Array(Grant, { maxItems: 200 }) }
const example = { name: 'Bookkeeper', permissions: [{ code: 'get_invoices', permissionLevel: 2 }] }
const NewRole = t.Object(role, { title: 'NewCompanyRole', examples: [example] })
const RoleChanges = t.Object(role, { title: 'CompanyRoleChanges', examples: [example] })

const tag = 'Company roles'

/** Roles of company users and their permissions (docs/contract/companies.md section 3). */
export function roleRoutes(api: Api) {
  const path = '/v3/io/companies/roles'
  const params = t.Object({ role_id: Id })

  api.get(
    path,
    {
      ...write,
      schema: {
        summary: 'List the company roles',
        tag,
        querystring: t.Object({ q: t.Optional(t.String()), ...windowQuery }),
        ...listing(t.Object(RoleSummary, { title: 'CompanyRoleSummary' })),
      },
    },
    async ({ db, query }) => {
      const window = windowOf(query)
      const where = sql`store_id = ${db.store.id} and ${query.q ? sql`strpos(name_key, ${fold(query.q)}) > 0` : sql.raw('true')}`
      const rows = await db.rows<RoleRow>(sql`
        select id, name, role_type, permissions from company_roles where ${where}
        order by id limit ${window.limit} offset ${window.offset}`)
      const { total } = await db.row<{ total: number }>(
        sql`select count(*)::int as total from company_roles where ${where}`,
      )
      return companionListAnswer(rows.map(summaryOf), total, window)
    },
  )

  api.post(
    path,
    { ...write, schema: { summary: 'Create a company role', tag, body: NewRole, ...answering(Role) } },
    async ({ db, body, salesRep }) => {
      refuseSalesRep(salesRep)
      const stored = await db.transaction(async (tx) => {
        await lockPermissions(tx)
        refuseGrants(body.permissions, await customPermissions(tx))
        return refuseUsedName(() => insert(tx, companyRoles, { ...body, role_type: 2 }))
      })
      return companionAnswer(roleOf(stored, await customPermissions(db)))
    },
  )

  api.get(
    `${path}/${idSegment('role_id')}`,
    { ...write, schema: { summary: 'Get a company role', tag, params, ...answering(Role) } },
    async ({ db, params }) =>
      companionAnswer(roleOf(await findOne(db, companyRoles, params.role_id), await customPermissions(db))),
  )

  api.put(
    `${path}/${idSegment('role_id')}`,
    {
      ...write,
      schema: {
        summary: 'Change a company role',
        description: 'The permissions replace the former ones. The first three roles are fixed.',
        tag,
        params,
        body: RoleChanges,
        ...answering(Role),
      },
    },
    async ({ db, params, body, salesRep }) => {
      refuseSalesRep(salesRep)
      const stored = await db.transaction(async (tx) => {
        await lockPermissions(tx)
        const row = await lockCustom(tx, params.role_id)
        refuseGrants(body.permissions, await customPermissions(tx))
        return refuseUsedName(() => change(tx, companyRoles, row, body))
      })
      return companionAnswer(roleOf(stored, await customPermissions(db)))
    },
  )

  api.delete(
    `${path}/${idSegment('role_id')}`,
    { ...write, schema: { summary: 'Delete a company role', tag, params, ...answering(Deleted) } },
    async ({ db, params, salesRep }) => {
      refuseSalesRep(salesRep)
      await db.transaction(async (tx) => {
        await lockCounter(tx, companyRoles.table)
        const { id } = await lockCustom(tx, params.role_id)
        const users = await tx.rows(sql`
          select id from company_users where store_id = ${tx.store.id} and company_role_id = ${id} limit 1`)
        if (users.length > 0) throw new Problem(422, 'Users have this role. Give them another role first.')
        await remove(tx, companyRoles, id)
      })
      return companionAnswer({})
    },
  )
}

/** A role belongs to all companies of the store, so a sales representative only reads roles. @throws MessageProblem 403 */
function refuseSalesRep(salesRep: number | undefined) {
  if (salesRep !== undefined) throw denied()
}

async function lockCustom(tx: Tx, id: number): Promise<RoleRow> {
  const row = await lock(tx, companyRoles, id)
  if (row.role_type === 1) throw new Problem(422, `The role ${row.name} is predefined and can't be changed.`)
  return row
}

/** @throws Problem 422 for a name in use; other families answer 409 */
async function refuseUsedName<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Problem && error.status === 409) throw invalid({ name: 'Another role has this name.' })
    throw error
  }
}

/** @throws Problem 422 */
function refuseGrants(grants: readonly Grant[], custom: ReadonlyMap<string, number>) {
  const mistakes: Mistakes = repeated(
    grants,
    ({ code }) => code,
    (i) => `permissions.${i}.code`,
    'Another entry has this code.',
  )
  for (const [i, { code, permissionLevel }] of grants.entries()) {
    const levels = custom.has(code) ? CUSTOM_LEVELS : levelsOf(code)
    if (levels.length === 0) mistakes[`permissions.${i}.code`] = 'This permission code does not exist.'
    else if (!levels.includes(permissionLevel)) {
      mistakes[`permissions.${i}.permissionLevel`] = `${code} has the levels ${levels.join(', ')}.`
    }
  }
  refuse(mistakes)
}

const summaryOf = ({ id, name, role_type }: RoleRow) => ({ id, name, roleType: role_type, roleLevel: 1 })

/** @param custom the ids of the permissions of the store, by code */
const roleOf = (row: RoleRow, custom: ReadonlyMap<string, number>) => ({
  ...summaryOf(row),
  permissions: grantsOf(row).map((grant) => ({
    id: custom.get(grant.code) ?? PERMISSION_CODES.indexOf(grant.code) + 1,
    ...grant,
  })),
})
