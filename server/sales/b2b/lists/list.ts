import t, { type Static } from 'typebox'
import type { Db, Tx } from '../../../core/db/database.ts'
import { type Sql, sql } from '../../../core/db/sql.ts'
import { Id, Moment, NeededText } from '../../../core/rest/input/fields.ts'
import { collection } from '../../../core/rest/lists/collection.ts'
import { notFound, Problem } from '../../../core/rest/problem.ts'
import { ChannelId, channelsById } from '../../../shop/channels/channels.ts'
import { epochSeconds, TextOf } from '../companies/company.ts'
import { companyRoles, grantsOf, type RoleRow } from '../roles/roles.ts'
import { type CompanyCaller, type CompanyReader, reachableBy, unreachable } from '../shared/caller.ts'
import { denied } from '../shared/refusals.ts'
import { DELETED_LIST, DRAFT_LIST, SHARED_LISTS } from './states.ts'

/**
 * A shopping list: products that a buyer wants to buy again.
 *
 * It belongs to one user of a company, or to one customer without a company. A list of a user is a draft until it is submitted, and is
 * shared with the company once it is approved or waits for approval. A list has at most 500 items, each a variant with chosen options;
 * a second item of the same kind changes the quantity of the first. A deleted list keeps its row and loses its items. The lists of a
 * user end with the user.
 */
const Row = t.Object({
  id: Id,
  company_id: t.Integer(),
  user_id: t.Integer(),
  customer_id: Id,
  name: NeededText(200),
  description: TextOf(2_000),
  status: t.Integer(),
  channel_id: ChannelId,
  created_at: Moment,
  updated_at: Moment,
})
export type ShoppingListRow = Static<typeof Row>

export const shoppingLists = collection('b2b_shopping_lists', Row, { noun: 'shopping list', filters: '' })

const columns = sql.join(shoppingLists.columns.map(sql.id))

/** The person whose lists a request reads or writes. */
export interface ListOwner {
  company_id: number
  user_id: number
  customer_id: number
  /** Whether the role shows the shared lists of the company. */
  seesCompany: boolean
}

/** The names of a person in a request. */
export interface NamedOwner {
  userId?: number
  customerId?: number
}

interface OwnerRow {
  id: number
  company_id: number
  customer_id: number
  role: Pick<RoleRow, 'name' | 'role_type' | 'permissions'> | null
}

/**
 * Finds the user or the customer that a request names. A customer who is a user of a company is that user.
 * @returns undefined for a request that names nobody
 * @throws Problem 422 for both, an unknown user and an unknown customer; 403 for a person outside the companies of a representative
 */
export async function findOwner(
  db: Db,
  caller: CompanyReader,
  { userId, customerId }: NamedOwner,
): Promise<ListOwner | undefined> {
  if (userId === undefined && customerId === undefined) return undefined
  if (userId !== undefined && customerId !== undefined) throw new Problem(422, 'Send either userId or customerId.')
  const who = userId === undefined ? sql`u.customer_id = ${customerId}` : sql`u.id = ${userId}`
  const user = await db.maybeRow<OwnerRow>(sql`
    select u.id, u.company_id, u.customer_id, (
      select jsonb_build_object('name', role.name, 'role_type', role.role_type, 'permissions', role.permissions)
      from ${sql.id(companyRoles.table)} role where role.store_id = ${db.store.id} and role.id = u.company_role_id
    ) as role
    from company_users u where u.store_id = ${db.store.id} and ${who}
      and ${reachableBy(caller, 'get_shopping_lists', sql`u.company_id`, sql`u.id`)}`)
  if (user) {
    const { id: user_id, company_id, customer_id, role } = user
    const level = role ? grantsOf(role).find(({ code }) => code === 'get_shopping_lists')?.permissionLevel : undefined
    return { user_id, company_id, customer_id, seesCompany: (level ?? 0) > 1 }
  }
  if (caller.kind !== 'seller') throw denied()
  if (userId !== undefined) throw new Problem(422, '', { userId: 'This user does not exist.' })
  const customer = await db.maybeRow(sql`
    select id from customers where store_id = ${db.store.id} and id = ${customerId ?? 0}`)
  if (!customer) throw new Problem(422, '', { customerId: 'This customer does not exist.' })
  return { user_id: 0, company_id: 0, customer_id: customerId ?? 0, seesCompany: false }
}

/**
 * As `findOwner`, for a request with one list: a person who doesn't exist may not see it.
 * @throws Problem 404, 403, 422 for both names
 */
export async function findReader(db: Db, caller: CompanyCaller, listId: number, named: NamedOwner) {
  try {
    return await findOwner(db, caller, named)
  } catch (error) {
    const isUnknown = error instanceof Problem && error.status === 422 && Object.keys(error.errors).length > 0
    throw isUnknown ? notFound(shoppingLists.noun, listId) : error
  }
}

/** The lists that a person sees: the own ones, and those that the company shares. */
export const seenBy = ({ company_id, user_id, customer_id, seesCompany }: ListOwner): Sql => {
  const own = user_id === 0 ? sql`(customer_id = ${customer_id} and user_id = 0)` : sql`user_id = ${user_id}`
  return seesCompany ? sql`(${own} or company_id = ${company_id} and status = any(${[...SHARED_LISTS]}::int[]))` : own
}

/** The lists that a caller may read. Deleted ones are nowhere, and drafts of a colleague are nowhere for a buyer. */
export function listsWithin(caller: CompanyReader, code: string): Sql {
  const isThere = sql`status <> ${DELETED_LIST}`
  if (caller.kind === 'customer')
    return sql`${isThere} and user_id = 0 and company_id = 0 and customer_id = ${caller.customerId}`
  const isInReach = sql`${isThere} and ${reachableBy(caller, code, sql`company_id`, sql`user_id`)}`
  return caller.kind === 'buyer'
    ? sql`${isInReach} and (user_id = ${caller.userId} or status <> ${DRAFT_LIST})`
    : isInReach
}

/** A list by its id. */
export interface WantedList {
  id: number
  /** The person in whose name the request reads it; undefined for any list. */
  owner?: ListOwner | undefined
  /** The permission that a buyer needs. */
  code?: string
}

/** @throws Problem 404 also for a list that the person may not see, 403 */
export const findList = (db: Db, caller: CompanyCaller, wanted: WantedList) =>
  reachableList(db, caller, wanted, sql.empty)

/** Locks a list for a change. @throws Problem 404, 403 */
export const lockList = (tx: Tx, caller: CompanyCaller, wanted: WantedList) =>
  reachableList(tx, caller, wanted, sql`for update`)

async function reachableList(
  db: Db,
  caller: CompanyCaller,
  { id, owner, code = 'get_shopping_list_detail' }: WantedList,
  tail: Sql,
): Promise<ShoppingListRow> {
  const found = await db.maybeRow<ShoppingListRow>(sql`
    select ${columns} from b2b_shopping_lists
    where store_id = ${db.store.id} and id = ${id} and ${listsWithin(caller, code)}
      and ${owner ? seenBy(owner) : sql.raw('true')} ${tail}`)
  if (!found) throw unreachable(caller, notFound(shoppingLists.noun, id))
  return found
}

/** A list in answers (docs/contract/b2b-shopping-lists.md section 3). */
export const ShoppingList = t.Object(
  {
    id: Id,
    name: t.String(),
    description: t.String(),
    status: t.Integer({ description: '0 approved, 30 draft, 40 ready for approval, 50 rejected' }),
    companyId: t.Integer({ description: '0 without a company' }),
    userId: t.Integer({ description: '0 without a company' }),
    customerId: Id,
    channelId: ChannelId,
    channelName: t.String(),
    createdAt: t.Integer({ description: 'Unix seconds' }),
    updatedAt: t.Integer({ description: 'Unix seconds' }),
  },
  { title: 'ShoppingList' },
)

/** Lists in answers, in the same order. */
export async function listsToAnswer(db: Db, rows: readonly ShoppingListRow[]): Promise<Static<typeof ShoppingList>[]> {
  const channels = await channelsById(
    db,
    rows.map(({ channel_id }) => channel_id),
  )
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    description: row.description,
    status: row.status,
    companyId: row.company_id,
    userId: row.user_id,
    customerId: row.customer_id,
    channelId: row.channel_id,
    channelName: channels.get(row.channel_id)?.name ?? '',
    createdAt: epochSeconds(row.created_at),
    updatedAt: epochSeconds(row.updated_at),
  }))
}
