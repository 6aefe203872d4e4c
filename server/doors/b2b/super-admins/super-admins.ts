import t, { type Static } from 'typebox'
import { type Sql, sql } from '../../../core/db/sql.ts'
import type { Api } from '../../../core/rest/api.ts'
import { Id, idSegment } from '../../../core/rest/input/fields.ts'
import type { Mistakes } from '../../../core/rest/input/mistakes.ts'
import { itemByItem, itemReader } from '../../../core/rest/input/validator.ts'
import { fold } from '../../../core/rest/lists/fold.ts'
import { Problem } from '../../../core/rest/problem.ts'
import { when } from '../../../sales/b2b/shared/pages.ts'
import { denied, MessageProblem } from '../../../sales/b2b/shared/refusals.ts'
import {
  findSuperAdmin,
  listSuperAdmins,
  NEW_SUPER_ADMIN,
  NewSuperAdmin,
  SuperAdmin,
  SuperAdminChanges,
  SuperAdminInfo,
  superAdminsToAnswer,
} from '../../../sales/b2b/super-admins/super-admin.ts'
import { access } from '../../../stores/accounts/scopes.ts'
import {
  answering,
  companionAnswer,
  companionListAnswer,
  listing,
  SUCCESS_OF_USERS,
  windowOf,
  windowQuery,
} from '../grammar/envelope.ts'
import { BULK_MAX, byItem, inForm, readItems } from '../grammar/lists.ts'
import { OrderBy, times, timesIn } from '../grammar/queries.ts'
import { inBody, inList } from '../users/user-changes.ts'
import { changeSuperAdmin, createSuperAdmins } from './changes.ts'

const { write } = access('b2b')
const tag = 'Super admins'

/** The filters of both lists of super admins. */
export const SuperAdminQuery = t.Object({
  ...windowQuery,
  orderBy: OrderBy,
  q: t.Optional(t.String({ description: 'Part of a name or of the e-mail address' })),
  isIncludeExtraFields: t.Optional(t.Boolean()),
})
const Query = t.Object({
  ...SuperAdminQuery.properties,
  uuid: t.Optional(t.String({ description: 'Empty for all' })),
  ...times,
})
const Made = t.Object({ userId: t.Integer(), customerId: t.Integer() }, { title: 'CreatedSuperAdmin' })
const ManyMade = t.Object({ superAdminIds: t.Array(t.Integer()) }, { title: 'CreatedSuperAdmins' })
const readSuperAdmin = itemReader(NewSuperAdmin)

/** Super admins (docs/contract/b2b-super-admins.md section 2). Only the seller sees and changes them all. */
export function superAdminRoutes(api: Api) {
  const place = '/v3/io/super-admins'
  const info = `${place}/info/${idSegment('super_admin_id')}`
  const params = t.Object({ super_admin_id: Id })

  api.post(
    place,
    {
      ...write,
      schema: {
        summary: 'Create a super admin',
        description: 'The customer with the e-mail address becomes one, or is created.',
        tag,
        body: NewSuperAdmin,
        ...answering(Made),
      },
    },
    async ({ db, body, client, salesRep }) => {
      refuseSalesRep(salesRep)
      const caller = { clientId: client.id }
      const refuseTaken = (taken: Mistakes) => new MessageProblem(400, 'The user already exists.', taken)
      const [made] = await createSuperAdmins(db, [body], { at: inBody, caller, refuseTaken })
      return companionAnswer(made && { userId: made.id, customerId: made.customer_id }, SUCCESS_OF_USERS)
    },
  )

  api.post(
    `${place}/bulk`,
    {
      ...write,
      schema: {
        summary: 'Create up to 10 super admins',
        description: 'All of them, or none.',
        operationId: 'createSuperAdmins',
        tag,
        body: itemByItem(NewSuperAdmin, BULK_MAX, [[{ ...NEW_SUPER_ADMIN, email: 'ole.dam@agency.example.com' }]]),
        ...answering(ManyMade),
      },
    },
    async ({ db, body, client, salesRep }) => {
      refuseSalesRep(salesRep)
      const caller = { clientId: client.id }
      const refuseTaken = (taken: Mistakes) => new Problem(400, Object.values(taken).join(' '))
      const made = await inForm('data', async () => {
        const bodies = readItems(body, readSuperAdmin)
        return byItem(bodies.length, () => createSuperAdmins(db, bodies, { at: inList, caller, refuseTaken }))
      })
      return companionAnswer({ superAdminIds: made.map(({ id }) => id) }, SUCCESS_OF_USERS)
    },
  )

  api.get(
    info,
    {
      ...write,
      schema: {
        summary: 'Get a super admin',
        tag,
        operationId: 'getSuperAdmin',
        params,
        ...answering(SuperAdminInfo),
      },
    },
    async ({ db, params, salesRep }) => {
      refuseSalesRep(salesRep)
      const row = await findSuperAdmin(db, params.super_admin_id)
      const [superAdmin] = await superAdminsToAnswer(db, [row], { withExtraFields: true })
      return companionAnswer({ ...superAdmin, customerId: row.customer_id }, SUCCESS_OF_USERS)
    },
  )

  api.put(
    info,
    {
      ...write,
      schema: {
        summary: 'Change a super admin',
        description: 'Other fields stay unchanged. The name is also changed in the customer.',
        operationId: 'updateSuperAdmin',
        tag,
        params,
        body: SuperAdminChanges,
        ...answering(SuperAdmin),
      },
    },
    async ({ db, params, body, client, salesRep }) => {
      refuseSalesRep(salesRep)
      await changeSuperAdmin(db, params.super_admin_id, body, { clientId: client.id })
      const row = await findSuperAdmin(db, params.super_admin_id)
      const [superAdmin] = await superAdminsToAnswer(db, [row], { withExtraFields: true })
      return companionAnswer(superAdmin, SUCCESS_OF_USERS)
    },
  )

  api.get(
    '/v3/io/companies/super-admins',
    {
      ...write,
      schema: {
        summary: 'List the super admins',
        operationId: 'listSuperAdmins',
        tag,
        querystring: Query,
        ...listing(SuperAdmin),
      },
    },
    async ({ db, query, salesRep }) => {
      refuseSalesRep(salesRep)
      const window = windowOf(query)
      const where = sql.and([
        ...superAdminConditions(query),
        ...when(query.uuid === '' ? undefined : query.uuid, (uuid) => sql`s.uuid = ${uuid}`),
        ...timesIn(query, 's'),
      ])
      const { rows, total } = await listSuperAdmins(db, where, superAdminOrder(query), window)
      const withExtraFields = query.isIncludeExtraFields ?? false
      return companionListAnswer(
        await superAdminsToAnswer(db, rows, { withExtraFields }),
        total,
        window,
        SUCCESS_OF_USERS,
      )
    },
  )
}

/** Super admins belong to the store, so a sales representative neither sees nor changes them. @throws MessageProblem 403 */
export function refuseSalesRep(salesRep: number | undefined) {
  if (salesRep !== undefined) throw denied()
}

type ListQuery = Static<typeof SuperAdminQuery>

/** The conditions of the filters of both lists, on super admins `s` and customers `p`. */
export const superAdminConditions = ({ q }: ListQuery): Sql[] =>
  when(q === '' ? undefined : q, (text) => {
    const columns = ['p.email_key', 'p.first_name_key', 'p.last_name_key']
    return sql`(${sql.join(
      columns.map((column) => sql`strpos(${sql.raw(column)}, ${fold(text)}) > 0`),
      ' or ',
    )})`
  })

export const superAdminOrder = ({ orderBy = 'DESC' }: ListQuery): Sql =>
  sql.raw(orderBy.toUpperCase() === 'ASC' ? 's.id asc' : 's.id desc')
