import t from 'typebox'
import type { Api } from '../../../core/rest/api.ts'
import { Id, idSegment } from '../../../core/rest/input/fields.ts'
import { fold } from '../../../core/rest/lists/fold.ts'
import {
  allPermissions,
  changePermission,
  createPermission,
  deletePermission,
  Permission,
  PermissionBody,
} from '../../../sales/b2b/roles/permissions.ts'
import { denied } from '../../../sales/b2b/shared/refusals.ts'
import { access } from '../../../stores/accounts/scopes.ts'
import { answering, companionAnswer, Deleted } from '../grammar/envelope.ts'

const { write } = access('b2b')
const tag = 'Company roles'

/** Permissions of company users (docs/contract/companies.md section 3). Only the seller changes them. */
export function permissionRoutes(api: Api) {
  const place = '/v3/io/companies/permissions'
  const one = `${place}/${idSegment('permission_id')}`
  const params = t.Object({ permission_id: Id })

  api.get(
    place,
    {
      ...write,
      schema: {
        summary: 'List the permissions of company users',
        tag,
        querystring: t.Object({ q: t.Optional(t.String()) }),
        ...answering(t.Array(Permission)),
      },
    },
    async ({ db, query: { q = '' } }) => {
      const permissions = await allPermissions(db)
      return companionAnswer(permissions.filter(({ code, name }) => fold(`${code} ${name}`).includes(fold(q))))
    },
  )

  api.post(
    place,
    {
      ...write,
      schema: { summary: 'Create a permission', tag, body: PermissionBody, ...answering(Permission) },
    },
    async ({ db, body, salesRep }) => {
      if (salesRep !== undefined) throw denied()
      return companionAnswer(await createPermission(db, body))
    },
  )

  api.put(
    one,
    {
      ...write,
      schema: {
        summary: 'Change a permission',
        description: 'Predefined permissions are fixed. Roles keep the permission under its new code.',
        tag,
        params,
        body: PermissionBody,
        ...answering(Permission),
      },
    },
    async ({ db, params, body, salesRep }) => {
      if (salesRep !== undefined) throw denied()
      return companionAnswer(await changePermission(db, params.permission_id, body))
    },
  )

  api.delete(
    one,
    {
      ...write,
      schema: {
        summary: 'Delete a permission',
        description: 'Also deletes it from roles.',
        tag,
        params,
        ...answering(Deleted),
      },
    },
    async ({ db, params, salesRep }) => {
      if (salesRep !== undefined) throw denied()
      await deletePermission(db, params.permission_id)
      return companionAnswer({})
    },
  )
}
