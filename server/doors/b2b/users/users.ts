import t, { type Static } from 'typebox'
import type { Db } from '../../../core/db/database.ts'
import { type Sql, sql } from '../../../core/db/sql.ts'
import type { Api } from '../../../core/rest/api.ts'
import { ID_MAX, Id, idSegment } from '../../../core/rest/input/fields.ts'
import { itemByItem, itemReader } from '../../../core/rest/input/validator.ts'
import { fold } from '../../../core/rest/lists/fold.ts'
import { notFound, type Problem } from '../../../core/rest/problem.ts'
import { isAssignedTo, refuseUnassigned } from '../../../sales/b2b/companies/company.ts'
import { extraFieldsIn } from '../../../sales/b2b/extra-fields/definitions.ts'
import { denied } from '../../../sales/b2b/shared/refusals.ts'
import {
  CompanyUser,
  companyUsers,
  countUsers,
  findUser,
  findUserBy,
  findUsers,
  type NamedUser,
  NEW_USER,
  NewCompanyUser,
  RoleNumber,
  UserChanges,
  type UserRow,
  userToAnswer,
} from '../../../sales/b2b/users/user.ts'
import { ChannelId } from '../../../shop/channels/channels.ts'
import { access } from '../../../stores/accounts/scopes.ts'
import { extraFieldRoutes } from '../extra-fields/extra-fields.ts'
import {
  answering,
  companionAnswer,
  companionListAnswer,
  listing,
  SUCCESS_OF_USERS,
  windowOf,
  windowQuery,
} from '../grammar/envelope.ts'
import { BULK_MAX, byItem, readItems } from '../grammar/lists.ts'
import { times, timesIn } from '../grammar/queries.ts'
import { addUsers } from './new-user.ts'
import { changeUser, deleteUser, inBody, inList } from './user-changes.ts'

const { write } = access('b2b')

const Query = t.Object({
  ...windowQuery,
  companyId: t.Optional(t.Integer({ minimum: 0, maximum: ID_MAX })),
  roles: t.Optional(t.Array(RoleNumber, { maxItems: 3 })),
  email: t.Optional(t.String()),
  channelId: t.Optional(ChannelId),
  isIncludeExtraFields: t.Optional(t.Boolean()),
  q: t.Optional(t.String({ description: 'Part of a name, of the e-mail address or of the company' })),
  ...times,
})

const tag = 'Company users'
const readUser = itemReader(NewCompanyUser)
const Made = t.Object({ userId: t.Integer(), bcId: t.Integer() }, { title: 'CreatedCompanyUser' })

const madeUser = ({ id, customer_id }: UserRow) => ({ userId: id, bcId: customer_id })

/** Users of companies (docs/contract/companies.md section 4). */
export function userRoutes(api: Api) {
  const place = '/v3/io/users'
  const one = `${place}/${idSegment('user_id')}`
  const params = t.Object({ user_id: Id })

  extraFieldRoutes(api, { kind: 'user', path: place, name: 'CompanyUser', message: SUCCESS_OF_USERS })

  api.get(
    place,
    { ...write, schema: { summary: 'List the company users', tag, querystring: Query, ...listing(CompanyUser) } },
    async ({ db, query, salesRep }) => {
      const window = windowOf(query)
      const where = sql.and(conditionsOf(db, query, salesRep))
      const rows = await findUsers(db, where, sql`order by u.id desc limit ${window.limit} offset ${window.offset}`)
      const fields = query.isIncludeExtraFields ? await extraFieldsIn(db, 'user', rows) : []
      const users = rows.map((row) => userToAnswer(row, fields))
      return companionListAnswer(users, await countUsers(db, where), window, SUCCESS_OF_USERS)
    },
  )

  api.post(
    place,
    {
      ...write,
      schema: {
        summary: 'Create a company user',
        description: 'Links the customer with the e-mail address, which is created if none exists.',
        tag,
        body: NewCompanyUser,
        ...answering(Made),
      },
    },
    async ({ db, body, client, salesRep }) => {
      await refuseUnassigned(db, salesRep, [body.companyId])
      const caller = { clientId: client.id, salesRep }
      const [made] = await addUsers(db, [body], { at: inBody, caller })
      return companionAnswer(made && madeUser(made), SUCCESS_OF_USERS)
    },
  )

  api.post(
    `${place}/bulk`,
    {
      ...write,
      schema: {
        summary: 'Create up to 10 company users',
        description: 'All of them, or none.',
        operationId: 'createCompanyUsers',
        tag,
        body: itemByItem(NewCompanyUser, BULK_MAX, [[{ ...NEW_USER, email: 'cy.dahl@harbour.example.com' }]]),
        ...answering(t.Array(Made)),
      },
    },
    async ({ db, body, client, salesRep }) => {
      const bodies = readItems(body, readUser)
      await refuseUnassigned(
        db,
        salesRep,
        bodies.map(({ companyId }) => companyId),
      )
      const caller = { clientId: client.id, salesRep }
      const made = await byItem(bodies.length, () => addUsers(db, bodies, { at: inList, caller }))
      return companionAnswer(made.map(madeUser), SUCCESS_OF_USERS)
    },
  )

  api.get(
    one,
    { ...write, schema: { summary: 'Get a company user', tag, params, ...answering(CompanyUser) } },
    async ({ db, params, salesRep }) =>
      companionAnswer(await answered(db, await visible(db, params.user_id, salesRep)), SUCCESS_OF_USERS),
  )

  api.get(
    `${place}/customer/${idSegment('customer_id')}`,
    {
      ...write,
      schema: {
        summary: 'Get the company user of a customer',
        operationId: 'getCompanyUserOfCustomer',
        tag,
        params: t.Object({ customer_id: Id }),
        ...answering(CompanyUser),
      },
    },
    async ({ db, params, salesRep }) => {
      const person = await findUserBy(db, sql`u.customer_id = ${params.customer_id}`)
      if (!person) throw missing(salesRep, notFound('company user of the customer', params.customer_id))
      await refuseUnassigned(db, salesRep, [person.company_id])
      return companionAnswer(await answered(db, person), SUCCESS_OF_USERS)
    },
  )

  api.put(
    one,
    {
      ...write,
      schema: {
        summary: 'Change a company user',
        description: 'Other fields stay unchanged. Name and e-mail address are also changed in the customer.',
        tag,
        params,
        body: UserChanges,
        ...answering(CompanyUser),
      },
    },
    async ({ db, params, body, client, salesRep }) => {
      await visible(db, params.user_id, salesRep)
      await changeUser(db, params.user_id, body, { clientId: client.id, salesRep })
      return companionAnswer(await answered(db, await findUser(db, params.user_id)), SUCCESS_OF_USERS)
    },
  )

  api.delete(
    one,
    {
      ...write,
      schema: {
        summary: 'Delete a company user',
        description: "The customer stays, without a group. The last user of a company can't be deleted.",
        tag,
        params,
        ...answering(t.Object({ userId: t.Integer() }, { title: 'CompanyUserReference' })),
      },
    },
    async ({ db, params, salesRep }) => {
      await visible(db, params.user_id, salesRep)
      await deleteUser(db, params.user_id)
      return companionAnswer({ userId: params.user_id }, SUCCESS_OF_USERS)
    },
  )
}

/** A sales representative gets the same refusal for an unknown user and a user of another company. */
const missing = (salesRep: number | undefined, problem: Problem): Problem =>
  salesRep === undefined ? problem : denied()

/** A user, if the caller may see the company. @throws Problem 403, 404 */
async function visible(db: Db, id: number, salesRep: number | undefined): Promise<NamedUser> {
  const person = await findUserBy(db, sql`u.id = ${id}`)
  if (!person) throw missing(salesRep, notFound(companyUsers.noun, id))
  await refuseUnassigned(db, salesRep, [person.company_id])
  return person
}

const answered = async (db: Db, person: NamedUser) => userToAnswer(person, await extraFieldsIn(db, 'user', [person]))

function conditionsOf(db: Db, query: Static<typeof Query>, salesRep: number | undefined): Sql[] {
  const { companyId, roles, email, channelId, q } = query
  const part = (text: string) => {
    const sought = fold(text)
    const places = ['c.company_name_key', 'p.email_key', 'p.first_name_key', 'p.last_name_key']
    return sql`(${sql.join(
      places.map((place) => sql`strpos(${sql.raw(place)}, ${sought}) > 0`),
      ' or ',
    )})`
  }
  return [
    isAssignedTo(db, salesRep, 'company_id'),
    ...(companyId === undefined ? [] : [sql`u.company_id = ${companyId}`]),
    ...(roles === undefined ? [] : [sql`least(u.company_role_id, 3) - 1 = any(${roles})`]),
    ...(email === undefined ? [] : [sql`p.email_key = ${fold(email)}`]),
    ...(channelId === undefined ? [] : [sql`u.channel_ids @> ${JSON.stringify([channelId])}`]),
    ...(q === undefined ? [] : [part(q)]),
    ...timesIn(query, 'u'),
  ]
}
