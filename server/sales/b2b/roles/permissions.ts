import t, { type Static } from 'typebox'
import type { Db, Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { Id, NeededText } from '../../../core/rest/input/fields.ts'
import { refuse } from '../../../core/rest/input/mistakes.ts'
import { collection } from '../../../core/rest/lists/collection.ts'
import { lockCounter, startCounter } from '../../../core/rest/lists/counters.ts'
import { fold } from '../../../core/rest/lists/fold.ts'
import { change, insert, lock, remove } from '../../../core/rest/lists/verbs.ts'
import { invalid, notFound, Problem } from '../../../core/rest/problem.ts'
import { TextOf } from '../companies/company.ts'
import { nameOfPermission, PERMISSION_CODES } from '../shared/permissions.ts'

// Permissions of company users: the predefined ones, and those that a store defines for its own applications
// (docs/contract/companies.md section 3). The server grants nothing for the latter; applications read them from roles.

const Row = t.Object({
  id: Id,
  name: NeededText(200),
  description: NeededText(512),
  code: t.String({ pattern: '^[A-Za-z0-9_]{1,50}$' }),
  module_name: TextOf(50),
})
type PermissionRow = Static<typeof Row>

const companyPermissions = collection('company_permissions', Row, {
  noun: 'permission',
  filters: '',
  twins: ['name', 'code'],
  max: 200,
  conflicts: {
    company_permissions_name_unique: ['Another permission has this name.', 'name'],
    company_permissions_code_unique: ['Another permission has this code.', 'code'],
  },
})

/** The levels of a permission that a store defines. */
export const CUSTOM_LEVELS = [1, 2, 3]
/** Predefined permissions have the ids below. */
const LAST_PREDEFINED_ID = 1_000

export const PermissionBody = t.Object(
  {
    name: Row.properties.name,
    description: Row.properties.description,
    code: Row.properties.code,
    moduleName: t.Optional(Row.properties.module_name),
  },
  {
    title: 'CompanyPermissionBody',
    examples: [{ name: 'Export the stock', description: 'May export the stock list', code: 'export_stock' }],
  },
)
type PermissionBody = Static<typeof PermissionBody>

/** A permission in answers. */
export const Permission = t.Object(
  {
    id: t.Integer(),
    name: t.String(),
    description: t.String(),
    code: t.String(),
    moduleName: t.String(),
    isCustom: t.Boolean(),
  },
  { title: 'CompanyPermission' },
)
type Permission = Static<typeof Permission>

const PREDEFINED_PERMISSIONS: readonly Permission[] = PERMISSION_CODES.map((code, i) => ({
  id: i + 1,
  name: nameOfPermission(code),
  description: nameOfPermission(code),
  code,
  moduleName: code.split('_').slice(1).join(' '),
  isCustom: false,
}))

const permissionToAnswer = ({ id, name, description, code, module_name }: PermissionRow): Permission => ({
  id,
  name,
  description,
  code,
  moduleName: module_name,
  isCustom: true,
})

const storedPermissions = (db: Db): Promise<PermissionRow[]> =>
  db.rows<PermissionRow>(sql`
    select id, name, description, code, module_name from company_permissions
    where store_id = ${db.store.id} order by id`)

/** All permissions: the predefined ones, then those of the store. */
export const allPermissions = async (db: Db): Promise<Permission[]> => [
  ...PREDEFINED_PERMISSIONS,
  ...(await storedPermissions(db)).map(permissionToAnswer),
]

/** The ids of the permissions of the store, by code. */
export async function customPermissions(db: Db): Promise<ReadonlyMap<string, number>> {
  return new Map((await storedPermissions(db)).map(({ id, code }) => [code, id]))
}

/** Locks the permissions of the store, so that none is deleted or renamed while a role takes it. */
export async function lockPermissions(tx: Tx) {
  await startCounter(tx, companyPermissions.table, { last_id: LAST_PREDEFINED_ID, total: 0 })
  await lockCounter(tx, companyPermissions.table)
}

/** @throws Problem 422 for a name or a code in use, 403 for one permission too many */
export function createPermission(db: Db, body: PermissionBody): Promise<Permission> {
  refusePredefined(body)
  return db.transaction(async (tx) => {
    await lockPermissions(tx)
    return permissionToAnswer(await refuseUsed(() => insert(tx, companyPermissions, rowOf(body))))
  })
}

const rowOf = ({ name, description, code, moduleName = '' }: PermissionBody) => ({
  name,
  description,
  code,
  module_name: moduleName,
})

/** Changes a permission of the store. Roles that grant it keep it under its new code. @throws Problem 404, 422 */
export function changePermission(db: Db, id: number, body: PermissionBody): Promise<Permission> {
  refusePredefined(body)
  return db.transaction(async (tx) => {
    await lockPermissions(tx)
    const row = await lockPermission(tx, id)
    const changed = await refuseUsed(() => change(tx, companyPermissions, row, rowOf(body)))
    if (changed.code !== row.code) await replaceInRoles(tx, row.code, changed.code)
    return permissionToAnswer(changed)
  })
}

/** Deletes a permission of the store, also from its roles. @throws Problem 404, 422 for a predefined one */
export async function deletePermission(db: Db, id: number) {
  await db.transaction(async (tx) => {
    await lockPermissions(tx)
    const { code } = await lockPermission(tx, id)
    await replaceInRoles(tx, code, undefined)
    await remove(tx, companyPermissions, id)
  })
}

/** @throws Problem 422 for a predefined permission, 404 for an unknown one */
async function lockPermission(tx: Tx, id: number): Promise<PermissionRow> {
  if (PREDEFINED_PERMISSIONS.some((permission) => permission.id === id)) {
    throw new Problem(422, "A predefined permission can't be changed.")
  }
  if (id <= LAST_PREDEFINED_ID) throw notFound(companyPermissions.noun, id)
  return lock(tx, companyPermissions, id)
}

/** @param replacement undefined deletes the code */
async function replaceInRoles(tx: Tx, code: string, replacement: string | undefined) {
  const granted = JSON.stringify([{ code }])
  await tx.rows(sql`
    update company_roles set permissions = coalesce((
      select jsonb_agg(case when entry ->> 'code' = ${code}
        then jsonb_set(entry, '{code}', to_jsonb(${replacement ?? ''}::text)) else entry end order by position)
      from jsonb_array_elements(permissions) with ordinality as entries (entry, position)
      where ${replacement === undefined ? sql`entry ->> 'code' <> ${code}` : sql.raw('true')}
    ), '[]'::jsonb)
    where store_id = ${tx.store.id} and permissions @> ${granted} returning id`)
}

function refusePredefined({ name, code }: PermissionBody) {
  const taken = (field: 'name' | 'code', text: string) =>
    PREDEFINED_PERMISSIONS.some((permission) => fold(permission[field]) === fold(text))
  refuse({
    ...(taken('name', name) ? { name: 'Another permission has this name.' } : {}),
    ...(taken('code', code) ? { code: 'Another permission has this code.' } : {}),
  })
}

/** @throws Problem 422 for a name or a code in use; other families answer 409 */
async function refuseUsed<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Problem && error.status === 409) throw invalid(error.errors)
    throw error
  }
}
