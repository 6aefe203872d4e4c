import t, { type Static } from 'typebox'
import { type Db, prepared } from '../../../core/db/database.ts'
import { type Sql, sql } from '../../../core/db/sql.ts'
import type { Files } from '../../../core/files/files.ts'
import type { Api } from '../../../core/rest/api.ts'
import { ID_MAX } from '../../../core/rest/input/fields.ts'
import { fold } from '../../../core/rest/lists/fold.ts'
import { notFound } from '../../../core/rest/problem.ts'
import { groupNameColumn } from '../../../customers/row/groups.ts'
import { catalogsOf } from '../../../sales/b2b/companies/catalog.ts'
import {
  Company,
  type CompanyRow,
  companies,
  companyIdOf,
  companyPath,
  companyToAnswer,
  isAssignedTo,
  ListedCompany,
  refuseUnassigned,
} from '../../../sales/b2b/companies/company.ts'
import { isDependentColumn } from '../../../sales/b2b/companies/mode.ts'
import { extraFieldsIn } from '../../../sales/b2b/extra-fields/definitions.ts'
import type { ExtraField } from '../../../sales/b2b/extra-fields/field.ts'
import { havingExtraFields } from '../../../sales/b2b/extra-fields/filter.ts'
import { type CompanyCaller, mayDo } from '../../../sales/b2b/shared/caller.ts'
import { denied } from '../../../sales/b2b/shared/refusals.ts'
import { customerOfOrder } from '../../../sales/orders/row/rows.ts'
import { access } from '../../../stores/accounts/scopes.ts'
import { extraFieldRoutes } from '../extra-fields/extra-fields.ts'
import { callerOf } from '../grammar/caller.ts'
import {
  answering,
  companionAnswer,
  companionListAnswer,
  Deleted,
  listing,
  windowOf,
  windowQuery,
} from '../grammar/envelope.ts'
import { OrderBy, times, timesIn } from '../grammar/queries.ts'
import { CompanyChanges, changeCompany, changeStatus, deleteCompany, StatusChange } from './company-changes.ts'
import { createCompany, NewCompany } from './new-company.ts'

const { write } = access('b2b')

const Count = t.Integer({ minimum: 0, maximum: ID_MAX })
const Query = t.Object({
  ...windowQuery,
  q: t.Optional(t.String({ description: 'Part of the name' })),
  companyStatus: t.Optional(t.Integer({ minimum: 0, maximum: 3 })),
  customerId: t.Optional(Count),
  bcGroupId: t.Optional(Count),
  bcOrderId: t.Optional(t.Integer({ minimum: 0, maximum: ID_MAX, description: 'An order of one of its users' })),
  orderId: t.Optional(t.Integer({ minimum: 0, maximum: ID_MAX, description: 'As bcOrderId' })),
  extraFields: t.Optional(
    t.Array(t.String({ description: 'name:value; companies must have all of them' }), { maxItems: 20 }),
  ),
  extraFieldFilterType: t.Optional(
    t.Enum(['search', 'exact-match'], { description: 'Whether a part of the value is enough, which is the default' }),
  ),
  isIncludeExtraFields: t.Optional(t.Boolean()),
  ...times,
  sortBy: t.Optional(t.Enum(['companyName', 'updatedAt'])),
  orderBy: OrderBy,
})

const tag = 'Companies'
const Made = t.Object(
  { companyId: t.Integer(), customerId: t.Integer(), customerGroupId: t.Integer() },
  { title: 'CreatedCompany' },
)
export const CompanyReference = t.Object({ companyId: t.Integer() }, { title: 'CompanyReference' })

/** Companies (docs/contract/companies.md section 2). */
export function companyRoutes(api: Api, files: Files) {
  const place = '/v3/io/companies'
  const one = `${place}/:company_id`

  extraFieldRoutes(api, { kind: 'company', path: place, name: 'Company' })

  api.get(
    place,
    {
      ...write,
      schema: {
        summary: 'List the companies',
        description: 'Newest first, unless sortBy is given.',
        tag,
        querystring: Query,
        ...listing(ListedCompany),
      },
    },
    async ({ db, query, salesRep }) => {
      const window = windowOf(query)
      const where = sql.and(await conditionsOf(db, query, salesRep))
      const of = sql`from companies where store_id = ${db.store.id} and ${where}`
      const rows = await db.rows<NamedCompany>(sql`
        select ${namedColumns(db)} ${of}
        order by ${orderOf(query)} limit ${window.limit} offset ${window.offset}`)
      const { total } = await db.row<{ total: number }>(sql`select count(*)::int as total ${of}`)
      const fields = query.isIncludeExtraFields ? await extraFieldsIn(db, 'company', rows) : []
      const caller = await callerOf(db, salesRep)
      return companionListAnswer(await companiesToAnswer(db, rows, { caller, fields }), total, window)
    },
  )

  api.post(
    place,
    {
      ...write,
      schema: {
        summary: 'Create a company',
        description:
          'Also creates its first user, the admin. It is the customer with that e-mail address, which is created if none exists.',
        tag,
        body: NewCompany,
        ...answering(Made),
      },
    },
    async ({ db, body, client, salesRep }) =>
      companionAnswer(await createCompany(db, body, { clientId: client.id, salesRep })),
  )

  api.get(
    one,
    { ...write, schema: { summary: 'Get a company', tag, params: companyPath, ...answering(Company) } },
    async ({ db, params, salesRep }) => {
      const id = companyIdOf(params)
      await refuseUnassigned(db, salesRep, [id])
      const row = await db.byKey<NamedCompany>(
        prepared(sql`select ${namedColumns(db)} from companies where store_id = ${db.store.id} and id = ${id}`),
      )
      if (!row) throw notFound(companies.noun, id)
      const fields = await extraFieldsIn(db, 'company', [row])
      const caller = await callerOf(db, salesRep)
      const [company] = await companiesToAnswer(db, [row], { caller, fields })
      return companionAnswer({ ...company, bcGroupId: String(row.customer_group_id) })
    },
  )

  api.put(
    one,
    {
      ...write,
      schema: {
        summary: 'Change a company',
        description: 'Other fields stay unchanged.',
        tag,
        params: companyPath,
        body: CompanyChanges,
        ...answering(CompanyReference),
      },
    },
    async ({ db, params, body, salesRep }) => {
      const id = companyIdOf(params)
      await refuseUnassigned(db, salesRep, [id])
      await changeCompany(db, id, body)
      return companionAnswer({ companyId: id })
    },
  )

  api.put(
    `${one}/status`,
    {
      ...write,
      schema: {
        summary: 'Change the status of a company',
        tag,
        params: companyPath,
        body: StatusChange,
        ...answering(CompanyReference),
      },
    },
    async ({ db, params, body, salesRep }) => {
      const id = companyIdOf(params)
      if (salesRep !== undefined) throw denied() // Only the seller decides it.
      await changeStatus(db, id, body.companyStatus)
      return companionAnswer({ companyId: id })
    },
  )

  api.delete(
    one,
    {
      ...write,
      schema: {
        summary: 'Delete a company',
        description: 'Its users become plain customers, and their tokens end.',
        tag,
        params: companyPath,
        ...answering(Deleted),
      },
    },
    async ({ db, params, salesRep }) => {
      const id = companyIdOf(params)
      await refuseUnassigned(db, salesRep, [id])
      await deleteCompany(db, files, id)
      return companionAnswer({})
    },
  )
}

/** A company with values of other tables that its answer shows. */
interface NamedCompany extends CompanyRow {
  group_name: string | null
  parent_name: string | null
  is_dependent: boolean | null
}

const namedColumns = (db: Db): Sql =>
  sql.join([
    ...companies.columns.map(sql.id),
    sql`${groupNameColumn(db, sql.raw('companies.customer_group_id'))} as group_name`,
    sql`(
      select parent.company_name from companies parent
      where parent.store_id = ${db.store.id} and parent.id = companies.parent_id
    ) as parent_name`,
    sql`${isDependentColumn(db)} as is_dependent`,
  ])

/** Companies in answers, in the same order. A sales representative doesn't see a parent that is not assigned to it. */
async function companiesToAnswer(
  db: Db,
  rows: readonly NamedCompany[],
  { caller, fields }: { caller: CompanyCaller; fields: readonly ExtraField[] },
) {
  const { catalogs, ...names } = rows.some((row) => row.is_dependent) ? await catalogsOf(db, rows) : NO_CATALOGS
  const parentOf = ({ parent_id, parent_name }: NamedCompany) =>
    parent_name !== null && mayDo(caller, 'get_company_subsidiaries', parent_id) ? parent_name : undefined
  return rows.map((row) =>
    companyToAnswer(row, {
      ...names,
      catalog: catalogs.get(row.customer_group_id),
      fields,
      groupName: row.group_name ?? '',
      parentName: parentOf(row),
    }),
  )
}

const NO_CATALOGS: Awaited<ReturnType<typeof catalogsOf>> = {
  catalogs: new Map(),
  priceLists: new Map(),
  channels: new Map(),
}

async function conditionsOf(db: Db, query: Static<typeof Query>, salesRep: number | undefined): Promise<Sql[]> {
  const { q, companyStatus, customerId, bcGroupId, bcOrderId, orderId, extraFields } = query
  const buyers = await Promise.all([bcOrderId ?? [], orderId ?? []].flat().map((id) => customerOfOrder(db, id)))
  const customers = [customerId ?? [], buyers.map((buyer) => buyer ?? 0)].flat()
  return [
    isAssignedTo(db, salesRep, 'id'),
    ...(q === undefined ? [] : [sql`strpos(company_name_key, ${fold(q)}) > 0`]),
    ...(companyStatus === undefined ? [] : [sql`company_status = ${companyStatus}`]),
    ...(bcGroupId === undefined ? [] : [sql`customer_group_id = ${bcGroupId}`]),
    ...customers.map(
      (customer) => sql`id = any(array(
        select company_id from company_users where store_id = ${db.store.id} and customer_id = ${customer}))`,
    ),
    ...(await havingExtraFields(db, 'company', extraFields ?? [], query.extraFieldFilterType === 'exact-match')),
    ...timesIn(query),
  ]
}

function orderOf({ sortBy, orderBy = 'DESC' }: Static<typeof Query>): Sql {
  const direction = orderBy.toUpperCase() === 'ASC' ? 'asc' : 'desc'
  if (sortBy === undefined) return sql.raw(`id ${direction}`)
  return sql.raw(`${sortBy === 'companyName' ? 'company_name_key' : 'updated_at'} ${direction}, id ${direction}`)
}
