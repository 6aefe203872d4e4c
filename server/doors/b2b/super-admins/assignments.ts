import t from 'typebox'
import { sql } from '../../../core/db/sql.ts'
import type { Api } from '../../../core/rest/api.ts'
import { Id, idSegment } from '../../../core/rest/input/fields.ts'
import { findOne } from '../../../core/rest/lists/verbs.ts'
import {
  type CompanyRow,
  companies,
  companyIdOf,
  companyPath,
  isAssignedTo,
  refuseUnassigned,
} from '../../../sales/b2b/companies/company.ts'
import {
  assignToCompany,
  assignToSuperAdmin,
  CompaniesOfSuperAdmin,
  companiesOfSuperAdmin,
  SuperAdminsOfCompany,
} from '../../../sales/b2b/super-admins/assignments.ts'
import { listSuperAdmins, SuperAdmin, superAdminsToAnswer } from '../../../sales/b2b/super-admins/super-admin.ts'
import { access } from '../../../stores/accounts/scopes.ts'
import {
  answering,
  companionAnswer,
  companionListAnswer,
  Deleted,
  listing,
  SUCCESS_OF_USERS,
  windowOf,
  windowQuery,
} from '../grammar/envelope.ts'
import { OrderBy } from '../grammar/queries.ts'
import { refuseSalesRep, SuperAdminQuery, superAdminConditions, superAdminOrder } from './super-admins.ts'

const { write } = access('b2b')
const tag = 'Super admins'

const CountedCompany = t.Object(
  {
    companyId: Id,
    companyName: t.String(),
    companyEmail: t.String(),
    description: t.String({ description: 'Always empty' }),
    addressLine1: t.String(),
    addressLine2: t.String(),
    city: t.String(),
    state: t.String(),
    country: t.String(),
    zipCode: t.String(),
    catalogId: t.Union([t.String(), t.Null()]),
    superAdminCount: t.Integer(),
  },
  { title: 'CompanyWithSuperAdmins' },
)
const AssignedCompany = t.Object(
  { companyId: Id, companyName: t.String(), companyEmail: t.String() },
  { title: 'CompanyOfSuperAdmin' },
)

/** The companies of super admins (docs/contract/b2b-super-admins.md section 3). */
export function superAdminAssignmentRoutes(api: Api) {
  const place = '/v3/io/super-admins'
  const one = `${place}/${idSegment('super_admin_id')}`
  const ofCompany = '/v3/io/companies/:company_id/super-admins'
  const params = t.Object({ super_admin_id: Id })

  api.get(
    `${place}/companies`,
    {
      ...write,
      schema: {
        summary: 'List the companies with the number of their super admins',
        description: 'Most super admins first, unless orderBy is ASC.',
        operationId: 'listCompaniesWithSuperAdmins',
        tag,
        querystring: t.Object({ ...windowQuery, orderBy: OrderBy }),
        ...listing(CountedCompany),
      },
    },
    async ({ db, query, salesRep }) => {
      const window = windowOf(query)
      const direction = sql.raw(query.orderBy?.toUpperCase() === 'ASC' ? 'asc' : 'desc')
      const from = sql`from companies where store_id = ${db.store.id} and ${isAssignedTo(db, salesRep, 'id')}`
      const rows = await db.rows<CompanyRow & { count: number }>(sql`
        select ${sql.join(companies.columns.map(sql.id))}, (
          select count(*)::int from b2b_super_admin_companies a where a.store_id = ${db.store.id} and a.company_id = companies.id
        ) as count ${from} order by count ${direction}, id ${direction} limit ${window.limit} offset ${window.offset}`)
      const { total } = await db.row<{ total: number }>(sql`select count(*)::int as total ${from}`)
      return companionListAnswer(rows.map(countedToAnswer), total, window, SUCCESS_OF_USERS)
    },
  )

  api.put(
    one,
    {
      ...write,
      schema: {
        summary: 'Assign companies to a super admin',
        description: 'Changes only the listed companies: all of them, or none.',
        operationId: 'assignSuperAdmin',
        tag,
        params,
        body: CompaniesOfSuperAdmin,
        ...answering(Deleted),
      },
    },
    async ({ db, params, body, salesRep }) => {
      refuseSalesRep(salesRep)
      await assignToSuperAdmin(db, params.super_admin_id, body)
      return companionAnswer({}, SUCCESS_OF_USERS)
    },
  )

  api.get(
    `${one}/companies`,
    {
      ...write,
      schema: {
        summary: 'List the companies of a super admin',
        operationId: 'listCompaniesOfSuperAdmin',
        tag,
        params,
        querystring: t.Object(windowQuery),
        ...listing(AssignedCompany),
      },
    },
    async ({ db, params, query, salesRep }) => {
      refuseSalesRep(salesRep)
      const window = windowOf(query)
      const { rows, total } = await companiesOfSuperAdmin(db, params.super_admin_id, window)
      const assigned = rows.map(({ id, company_name, company_email }) => ({
        companyId: id,
        companyName: company_name,
        companyEmail: company_email,
      }))
      return companionListAnswer(assigned, total, window, SUCCESS_OF_USERS)
    },
  )

  api.get(
    ofCompany,
    {
      ...write,
      schema: {
        summary: 'List the super admins of a company',
        operationId: 'listSuperAdminsOfCompany',
        tag,
        params: companyPath,
        querystring: SuperAdminQuery,
        ...listing(SuperAdmin),
      },
    },
    async ({ db, params, query, salesRep }) => {
      const id = companyIdOf(params)
      await refuseUnassigned(db, salesRep, [id])
      await findOne(db, companies, id)
      const window = windowOf(query)
      const isAssigned = sql`s.id = any(array(
        select super_admin_id from b2b_super_admin_companies where store_id = ${db.store.id} and company_id = ${id}))`
      const where = sql.and([isAssigned, ...superAdminConditions(query)])
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

  api.put(
    ofCompany,
    {
      ...write,
      schema: {
        summary: 'Assign super admins to a company',
        description: 'Changes only the listed super admins: all of them, or none.',
        operationId: 'assignSuperAdminsOfCompany',
        tag,
        params: companyPath,
        body: SuperAdminsOfCompany,
        ...answering(Deleted),
      },
    },
    async ({ db, params, body, salesRep }) => {
      const id = companyIdOf(params)
      refuseSalesRep(salesRep)
      await assignToCompany(db, id, body)
      return companionAnswer({}, SUCCESS_OF_USERS)
    },
  )
}

const countedToAnswer = (row: CompanyRow & { count: number }) => ({
  companyId: row.id,
  companyName: row.company_name,
  companyEmail: row.company_email,
  description: '',
  addressLine1: row.address_line1,
  addressLine2: row.address_line2,
  city: row.city,
  state: row.state,
  country: row.country,
  zipCode: row.zip_code,
  catalogId: null,
  superAdminCount: row.count,
})
