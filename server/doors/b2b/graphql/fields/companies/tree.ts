import type { Db } from '../../../../../core/db/database.ts'
import { sql } from '../../../../../core/db/sql.ts'
import { GraphRefusal } from '../../../../../core/graphql/refusal.ts'
import { fold } from '../../../../../core/rest/lists/fold.ts'
import { findOne } from '../../../../../core/rest/lists/verbs.ts'
import { APPROVED, companies } from '../../../../../sales/b2b/companies/company.ts'
import { treeBelow } from '../../../../../sales/b2b/companies/hierarchy.ts'
import { beginMasquerade, endMasquerade } from '../../../../../sales/b2b/portal/masquerades.ts'
import { portalSettingsOf } from '../../../../../sales/b2b/portal/settings.ts'
import { mayDo } from '../../../../../sales/b2b/shared/caller.ts'
import { when } from '../../../../../sales/b2b/shared/pages.ts'
import { type BuyerCaller, buyerOf, signedIn } from '../../caller.ts'
import type { MutationFields, QueryFields } from '../../types.ts'
import { given } from '../companies.ts'
import { buyerConnection, windowOfPage } from '../connections.ts'
import { companyInfoToAnswer, companyToBuyer } from '../users.ts'

// Companies below the own one, and acting for them (docs/contract/b2b-graphql.md section 7).

const TREE = 'get_company_subsidiaries'

export const treeQueries: QueryFields<
  'companySubsidiaries' | 'userMasqueradingCompany' | 'superAdminCompanies' | 'superAdminMasquerading'
> = {
  async companySubsidiaries(_, _args, caller) {
    const { db, companyId, subsidiaries } = buyerOf(caller)
    // Clients ask for everybody at sign-in, and an error would end it.
    if (!maySeeTree(caller) || !(await hasHierarchy(db))) return []
    // A super admin acts for the company alone.
    const tree = (await treeBelow(db, companyId)).filter(({ id }) => id === companyId || subsidiaries.has(id))
    const names = new Map(tree.map(({ id, company_name }) => [id, company_name]))
    const selling = await companiesAt(db, [...names.keys()], signedIn(caller).channel)
    return tree.map(({ id, company_name, parent_id }) => ({
      companyId: id,
      companyName: company_name,
      // A company learns nothing of those above it.
      parentCompanyId: id === companyId ? null : parent_id,
      parentCompanyName: id === companyId ? null : (names.get(parent_id) ?? null),
      channelFlag: selling.has(id),
    }))
  },
  async userMasqueradingCompany(_, _args, caller) {
    const { db, companyId, acting } = buyerOf(caller)
    return acting === companyId ? null : companyInfoToAnswer(await findOne(db, companies, acting))
  },
  async superAdminCompanies(_, { superAdminId, search, orderBy, ...page }, caller) {
    const { db } = signedIn(caller)
    if (superAdminOf(caller) !== superAdminId) throw new GraphRefusal('Only your own companies can be read.', 403)
    const window = windowOfPage(page)
    const where = sql.and([
      sql`a.store_id = ${db.store.id}`,
      sql`a.super_admin_id = ${superAdminId}`,
      sql`c.company_status = ${APPROVED}`,
      ...when(
        given(search),
        (text) =>
          sql`(strpos(c.company_name_key, ${fold(text)}) > 0 or strpos(c.company_email_key, ${fold(text)}) > 0)`,
      ),
    ])
    const from = sql`
      from b2b_super_admin_companies a join companies c on c.store_id = ${db.store.id} and c.id = a.company_id
      where ${where}`
    const order = sql.raw(ORDERS[orderBy ?? ''] ?? 'c.id desc')
    const rows = await db.rows<AssignedCompany>(sql`
      select c.id, c.company_name, c.company_email, (
        select name from customer_groups g where g.store_id = ${db.store.id} and g.id = c.customer_group_id
      ) as group_name, (
        select concat_ws(' ', p.first_name, p.last_name) from company_users u
        join customers p on p.store_id = ${db.store.id} and p.id = u.customer_id
        where u.store_id = ${db.store.id} and u.company_id = c.id order by u.company_role_id, u.id limit 1
      ) as admin_name
      ${from} order by ${order} limit ${window.limit} offset ${window.offset}`)
    const { total } = await db.row<{ total: number }>(sql`select count(*)::int as total ${from}`)
    const nodes = rows.map((row) => ({
      id: String(row.id),
      companyId: row.id,
      companyName: row.company_name,
      bcGroupName: row.group_name ?? '',
      companyAdminName: row.admin_name ?? '',
      companyEmail: row.company_email,
      extraFields: [],
    }))
    return buyerConnection(nodes, total, window)
  },
  async superAdminMasquerading(_, { customerId }, caller) {
    superAdminOf(caller)
    const { db, customer, buyer } = signedIn(caller)
    if (customerId !== customer.id) throw new GraphRefusal('Only your own masquerade can be read.', 403)
    return buyer ? companyToBuyer(db, await findOne(db, companies, buyer.acting)) : null
  },
}

export const treeMutations: MutationFields<
  | 'userMasqueradingCompanyBegin'
  | 'userMasqueradingCompanyEnd'
  | 'superAdminBeginMasquerade'
  | 'superAdminEndMasquerade'
> = {
  async userMasqueradingCompanyBegin(_, { companyId }, caller) {
    const buyer = buyerOf(caller)
    const { db, customer } = signedIn(caller)
    const isBelow = companyId !== buyer.companyId && mayDo(buyer, TREE, companyId)
    if (!isBelow || !(await hasHierarchy(db))) throw new GraphRefusal(REFUSED, 403)
    const company = await findOne(db, companies, companyId)
    if (company.company_status !== APPROVED) throw new GraphRefusal(REFUSED, 403)
    await beginMasquerade(db, customer.id, companyId)
    return { userMasqueradingCompanyBegin: companyInfoToAnswer(company) }
  },
  async userMasqueradingCompanyEnd(_, _args, caller) {
    const { db, customer } = signedIn(caller)
    await endMasquerade(db, customer.id)
    return { message: 'Success' }
  },
  async superAdminBeginMasquerade(_, { companyId }, caller) {
    const superAdmin = superAdminOf(caller)
    const { db, customer } = signedIn(caller)
    const assigned = await db.rows(sql`
      select from b2b_super_admin_companies a
      join companies c on c.store_id = ${db.store.id} and c.id = a.company_id and c.company_status = ${APPROVED}
      where a.store_id = ${db.store.id} and a.super_admin_id = ${superAdmin} and a.company_id = ${companyId}`)
    if (assigned.length === 0) throw new GraphRefusal(REFUSED, 403)
    await beginMasquerade(db, customer.id, companyId)
    const { email, firstName, lastName } = customer
    return { userInfo: { email, firstName, lastName, phoneNumber: '' } }
  },
  async superAdminEndMasquerade(_, { companyId }, caller) {
    superAdminOf(caller)
    const { db, customer, buyer } = signedIn(caller)
    if (buyer?.acting !== companyId) throw new GraphRefusal('You do not act for this company.', 422)
    await endMasquerade(db, customer.id)
    return { message: 'Success' }
  },
}

/** One refusal for an unknown company and for one that the caller may not act for. */
const REFUSED = 'You may not act for this company.'

interface AssignedCompany {
  id: number
  company_name: string
  company_email: string
  group_name: string | null
  admin_name: string | null
}

const ORDERS: Readonly<Record<string, string>> = {
  companyName: 'c.company_name_key, c.id',
  '-companyName': 'c.company_name_key desc, c.id desc',
  companyEmail: 'c.company_email_key, c.id',
  '-companyEmail': 'c.company_email_key desc, c.id desc',
  id: 'c.id',
}

/** @throws GraphRefusal 403 */
function superAdminOf(caller: BuyerCaller): number {
  const { superAdmin } = signedIn(caller)
  if (superAdmin === undefined) throw new GraphRefusal('Only super admins may do this.', 403)
  return superAdmin
}

const hasHierarchy = async (db: Db) => (await portalSettingsOf(db, 0)).isOn('account_hierarchy')

/** Companies with a user who may sign in at a channel. */
async function companiesAt(db: Db, ids: readonly number[], channel: number): Promise<ReadonlySet<number>> {
  const rows = await db.rows<{ company_id: number }>(sql`
    select distinct company_id from company_users
    where store_id = ${db.store.id} and company_id = any(${[...ids]}) and channel_ids @> ${JSON.stringify([channel])}`)
  return new Set(rows.map(({ company_id }) => company_id))
}

/** Whether the role of the caller shows the companies below, whatever company it acts for. */
function maySeeTree(caller: BuyerCaller): boolean {
  const { grants, superAdmin } = signedIn(caller)
  return superAdmin !== undefined || grants.some(({ code }) => code === 'get_company_subsidiaries')
}
