import t, { type Static } from 'typebox'
import type { Db, Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import type { Api } from '../../../core/rest/api.ts'
import { ID_MAX, Id, idSegment } from '../../../core/rest/input/fields.ts'
import { type Mistakes, refuse } from '../../../core/rest/input/mistakes.ts'
import { invalid, notFound, unknownId } from '../../../core/rest/problem.ts'
import { groupNames } from '../../../customers/row/groups.ts'
import { assignCompanies, epochSeconds } from '../../../sales/b2b/companies/company.ts'
import { denied } from '../../../sales/b2b/shared/refusals.ts'
import { access } from '../../../stores/accounts/scopes.ts'
import { answering, companionAnswer, companionListAnswer, listing, windowOf, windowQuery } from '../grammar/envelope.ts'
import { OrderBy, Seconds } from '../grammar/queries.ts'
import { staff } from './staff.ts'

const { write } = access('b2b')
const tag = 'Sales staff'

const Listed = t.Object(
  { id: Id, email: t.String(), salesRepName: t.String(), roleName: t.String(), companyCount: t.Integer() },
  { title: 'ListedSalesStaff' },
)
const Member = t.Object(
  {
    id: Id,
    email: t.String(),
    name: t.String(),
    phoneNumber: t.String(),
    assignedCompanies: t.Array(
      t.Object(
        {
          id: Id,
          bcId: t.String(),
          companyName: t.String(),
          bcGroupName: t.String(),
          assignedAt: t.Integer({ description: 'Unix seconds' }),
        },
        { title: 'AssignedCompany' },
      ),
    ),
  },
  { title: 'SalesStaff' },
)
const Assignments = t.Array(
  t.Object(
    { companyId: Id, assignStatus: t.Boolean({ description: 'Whether the company is assigned from now on' }) },
    { title: 'CompanyAssignment' },
  ),
  {
    maxItems: 100,
    examples: [[{ companyId: 1, assignStatus: true }]],
  },
)

/** Sales representatives and their assigned companies (docs/contract/companies.md section 5). */
export function salesStaffRoutes(api: Api) {
  const place = '/v3/io/sales-staffs'
  const one = `${place}/${idSegment('sales_staff_id')}`
  const params = t.Object({ sales_staff_id: Id })

  api.get(
    place,
    {
      ...write,
      schema: {
        summary: 'List the sales staff',
        tag,
        querystring: t.Object({
          ...windowQuery,
          companyId: t.Optional(t.Integer({ minimum: 0, maximum: ID_MAX })),
          minModified: t.Optional(Seconds),
          sortBy: t.Optional(t.Enum(['updated_at', 'email'])),
          orderBy: OrderBy,
        }),
        ...listing(Listed),
      },
    },
    async ({ db, query, salesRep }) => {
      const { companyId, minModified, sortBy, orderBy = 'DESC' } = query
      const window = windowOf(query)
      const order = sql.raw(`${sortBy === 'email' ? 'email_key' : 'updated_at'} ${orderBy.toUpperCase()}, id`)
      const of = sql`from b2b_staff where store_id = ${db.store.id} and ${sql.and([
        sql`is_sales_rep`,
        ...(salesRep === undefined ? [] : [sql`id = ${salesRep}`]),
        ...(minModified === undefined ? [] : [sql`updated_at >= ${new Date(minModified * 1_000)}`]),
        ...(companyId === undefined
          ? []
          : [
              sql`id = any(array(
                select staff_id from b2b_assignments where store_id = ${db.store.id} and company_id = ${companyId}))`,
            ]),
      ])}`
      const rows = await db.rows<Static<typeof Listed>>(sql`
        select id, email, name as "salesRepName", role as "roleName", (
          select count(*)::int from b2b_assignments a where a.store_id = ${db.store.id} and a.staff_id = b2b_staff.id
        ) as "companyCount" ${of} order by ${order} limit ${window.limit} offset ${window.offset}`)
      const { total } = await db.row<{ total: number }>(sql`select count(*)::int as total ${of}`)
      return companionListAnswer(rows, total, window)
    },
  )

  api.get(
    one,
    { ...write, schema: { summary: 'Get a sales representative', tag, params, ...answering(Member) } },
    async ({ db, params: { sales_staff_id }, salesRep }) => {
      if (salesRep !== undefined && salesRep !== sales_staff_id) throw denied()
      return companionAnswer(await memberOf(db, sales_staff_id))
    },
  )

  api.put(
    one,
    {
      ...write,
      schema: {
        summary: 'Assign companies to a sales representative',
        description: 'Changes only the listed companies: all of them, or none.',
        operationId: 'assignSalesStaff',
        tag,
        params,
        body: Assignments,
        ...answering(Member),
      },
    },
    async ({ db, params, body, salesRep }) => {
      // A representative could assign itself every company.
      if (salesRep !== undefined) throw denied()
      await db.transaction((tx) => assign(tx, params.sales_staff_id, body))
      return companionAnswer(await memberOf(db, params.sales_staff_id))
    },
  )
}

/** @throws Problem 404 */
async function memberOf(db: Db, id: number): Promise<Static<typeof Member>> {
  const member = await db.maybeRow<{ id: number; email: string; name: string }>(sql`
    select id, email, name from b2b_staff where store_id = ${db.store.id} and id = ${id} and is_sales_rep`)
  if (!member) throw notFound(staff.noun, id)
  const companies = await db.rows<{ id: number; name: string; group: number; assigned_at: string }>(sql`
    select c.id, c.company_name as name, c.customer_group_id as "group", a.assigned_at
    from b2b_assignments a join companies c on c.store_id = ${db.store.id} and c.id = a.company_id
    where a.store_id = ${db.store.id} and a.staff_id = ${id} order by c.id`)
  const groups = await groupNames(
    db,
    companies.map(({ group }) => group),
  )
  return {
    ...member,
    phoneNumber: '',
    assignedCompanies: companies.map(({ id, name, group, assigned_at }) => ({
      id,
      bcId: String(group),
      companyName: name,
      bcGroupName: groups.get(group) ?? '',
      assignedAt: epochSeconds(assigned_at),
    })),
  }
}

/** @throws Problem 422, also for unknown representatives and companies */
async function assign(tx: Tx, staffId: number, body: Static<typeof Assignments>) {
  const members = await tx.rows(sql`
    select id from b2b_staff where store_id = ${tx.store.id} and id = ${staffId} and is_sales_rep for update`)
  if (members.length === 0) throw invalid({ salesStaffId: unknownId('sales staff', staffId) })
  const wanted = body.map(({ companyId }) => companyId)
  const there = await tx.rows<{ id: number }>(sql`
    select id from companies where store_id = ${tx.store.id} and id = any(${wanted}) order by id for key share`)
  const known = new Set(there.map(({ id }) => id))
  const mistakes: Mistakes = {}
  for (const [i, id] of wanted.entries()) {
    if (!known.has(id)) mistakes[`${i}.companyId`] = unknownId('company', id)
  }
  refuse(mistakes)
  // The last entry for a company counts.
  const wishes = new Map(body.map(({ companyId, assignStatus }) => [companyId, assignStatus]))
  const dropped = [...wishes].flatMap(([id, isAssigned]) => (isAssigned ? [] : [id]))
  await tx.rows(sql`
    delete from b2b_assignments
    where store_id = ${tx.store.id} and staff_id = ${staffId} and company_id = any(${dropped}) returning company_id`)
  await assignCompanies(
    tx,
    staffId,
    [...wishes].flatMap(([id, isAssigned]) => (isAssigned ? [id] : [])),
  )
}
