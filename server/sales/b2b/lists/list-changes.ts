import t, { type Static } from 'typebox'
import { type Db, prepared, type Tx } from '../../../core/db/database.ts'
import { type Sql, sql } from '../../../core/db/sql.ts'
import { withoutUndefined } from '../../../core/objects.ts'
import { toSeconds } from '../../../core/rest/input/dates.ts'
import { Id, NeededText } from '../../../core/rest/input/fields.ts'
import { lockCounter, lockCounters } from '../../../core/rest/lists/counters.ts'
import { change, insert, removeAll } from '../../../core/rest/lists/verbs.ts'
import { invalid, notFound, Problem, unknownId } from '../../../core/rest/problem.ts'
import { ChannelId, FIRST_CHANNEL, knownChannels } from '../../../shop/channels/channels.ts'
import { TextOf } from '../companies/company.ts'
import { type CompanyCaller, isOfSeller, refuseDeed, unreachable } from '../shared/caller.ts'
import { denied } from '../shared/refusals.ts'
import {
  deleteItem,
  deleteItemsOf,
  ListItemChanges,
  listItems,
  NewListItems,
  type WrittenItem,
  writeItems,
} from './items.ts'
import { findOwner, findReader, lockList, type ShoppingListRow, shoppingLists } from './list.ts'
import { APPROVED_LIST, DELETED_LIST, mayMoveList, SELLER_LISTS, SHARED_LISTS } from './states.ts'

const fields = {
  description: t.Optional(TextOf(2_000)),
  status: t.Optional(t.Enum([...SELLER_LISTS], { description: '0 approved, 30 draft, 40 ready for approval' })),
  userId: t.Optional(Id),
  customerId: t.Optional(Id),
}
const example = { name: 'Weekly', userId: 1, items: [{ productId: 1, variantId: 1, quantity: 2 }] }
export const NewShoppingList = t.Object(
  { ...fields, name: NeededText(200), channelId: t.Optional(ChannelId), items: t.Optional(NewListItems) },
  { title: 'NewShoppingList', examples: [example] },
)
export const ShoppingListChanges = t.Object(
  { ...fields, name: t.Optional(NeededText(200)), items: t.Optional(ListItemChanges) },
  { title: 'ShoppingListChanges', examples: [{ name: 'Monthly' }] },
)

/** Lists of one user or customer. */
const LISTS_MAX = 1_000

/**
 * Creates a list of the user or the customer that the body names.
 * @throws Problem 422, 403 for a person outside the companies of a representative
 */
export async function createList(
  db: Db,
  caller: CompanyCaller,
  body: Static<typeof NewShoppingList>,
): Promise<ShoppingListRow> {
  const owner = await findOwner(db, caller, body)
  if (!owner) throw new Problem(422, 'Send userId or customerId.')
  const { channelId = FIRST_CHANNEL, status = APPROVED_LIST, description = '' } = body
  if (!(await knownChannels(db, [channelId])).has(channelId))
    throw invalid({ channelId: unknownId('channel', channelId) })
  const fields = { name: body.name, description, status, channel_id: channelId }
  return db.transaction((tx) => insertList(tx, owner, fields, body.items ?? []))
}

/**
 * Stores a new list with its items.
 * @throws Problem 422 for one list too many, for wrong items, and for an owner who was deleted meanwhile
 */
export async function insertList(
  tx: Tx,
  { company_id, user_id, customer_id }: Pick<ShoppingListRow, 'company_id' | 'user_id' | 'customer_id'>,
  fields: Pick<ShoppingListRow, 'name' | 'description' | 'status' | 'channel_id'>,
  items: readonly WrittenItem[],
): Promise<ShoppingListRow> {
  await lockLists(tx)
  await refuseGoneOwner(tx, { company_id, user_id, customer_id })
  const now = toSeconds(tx.now)
  const times = { created_at: now, updated_at: now }
  const row = await insert(tx, shoppingLists, { company_id, user_id, customer_id, ...fields, ...times })
  // The counter of the store is locked, so no other request adds a list meanwhile.
  const { count } = await tx.row<{ count: number }>(sql`
    select count(*)::int as count from b2b_shopping_lists
    where store_id = ${tx.store.id} and customer_id = ${customer_id} and user_id = ${user_id} and status <> ${DELETED_LIST}`)
  if (count > LISTS_MAX) throw new Problem(422, `A buyer can have at most ${LISTS_MAX} lists.`)
  await writeItems(tx, row.id, items)
  return row
}

/** The counters are locked, as those that delete an owner lock them too. @throws Problem 422 */
async function refuseGoneOwner(
  tx: Tx,
  { company_id, user_id, customer_id }: Pick<ShoppingListRow, 'company_id' | 'user_id' | 'customer_id'>,
) {
  const found = await tx.rows(
    prepared(sql`
    select id from customers where store_id = ${tx.store.id} and id = ${customer_id}
      and (${company_id}::int = 0 or exists (
        select from companies where store_id = ${tx.store.id} and id = ${company_id}
      )) and (${user_id}::int = 0 or exists (
        select from company_users where store_id = ${tx.store.id} and id = ${user_id}
      ))`),
  )
  if (found.length === 0) throw new Problem(422, 'The owner of the list was deleted.')
}

/**
 * Changes a list; other fields and items stay unchanged.
 * @throws Problem 403, 404 also for a list that the named person may not see, 422
 */
export async function changeList(
  db: Db,
  caller: CompanyCaller,
  id: number,
  body: Static<typeof ShoppingListChanges>,
): Promise<ShoppingListRow> {
  if (!isOfSeller(caller)) throw denied()
  const owner = await findReader(db, caller, id, body)
  return db.transaction(async (tx) => {
    await lockCounters(tx, [listItems.table])
    const row = await lockList(tx, caller, { id, owner, code: 'update_shopping_list' })
    const { name, description, status, items } = body
    if (status !== undefined && !mayMoveList('set', row.status, status)) {
      throw new Problem(422, 'The status of the list does not allow this.')
    }
    await writeItems(tx, id, items ?? [])
    const changes = withoutUndefined({ name, description, status })
    return change(tx, shoppingLists, row, { ...changes, updated_at: toSeconds(tx.now) })
  })
}

/**
 * Refuses the change of a list that the company shares to a buyer who may not approve lists.
 * @throws MessageProblem 403
 */
export function refuseShared(caller: CompanyCaller, { company_id, status }: ShoppingListRow) {
  if (caller.kind !== 'buyer' || !SHARED_LISTS.includes(status)) return
  refuseDeed(caller, 'approve_draft_shopping_list', company_id)
}

/** Deletes a list: its row stays as deleted, its items go. @throws Problem 403, 404 */
export async function deleteList(db: Db, caller: CompanyCaller, id: number, userId?: number) {
  const owner = await findReader(db, caller, id, userId === undefined ? {} : { userId })
  await db.transaction(async (tx) => {
    await lockCounters(tx, [listItems.table])
    const row = await lockList(tx, caller, { id, owner, code: 'delete_shopping_list' })
    refuseShared(caller, row)
    await deleteItemsOf(tx, [id])
    await change(tx, shoppingLists, row, { status: DELETED_LIST, updated_at: toSeconds(tx.now) })
  })
}

/** Deletes an item. @throws Problem 403, 404 */
export async function deleteListItem(db: Db, caller: CompanyCaller, id: number, itemId: number) {
  await db.transaction(async (tx) => {
    await lockCounters(tx, [listItems.table])
    const row = await lockList(tx, caller, { id, code: 'delete_shopping_list_item' })
    refuseShared(caller, row)
    if (!(await deleteItem(tx, id, itemId))) throw unreachable(caller, notFound(listItems.noun, itemId))
    await change(tx, shoppingLists, row, { updated_at: toSeconds(tx.now) })
  })
}

/** The counters that a deletion of lists locks: a deletion of more locks them together with its own. */
export const LIST_COUNTERS = [listItems.table, shoppingLists.table]

/** Locks the counters of lists, and creates a missing one: the first list of a store and the deletion of its owner wait for each other too. */
async function lockLists(tx: Tx) {
  const locked = await lockCounters(tx, LIST_COUNTERS)
  if (!locked.includes(shoppingLists.table)) await lockCounter(tx, shoppingLists.table)
}

/** Deletes the lists of users that are deleted. @param userIds never 0 */
export async function deleteListsOfUsers(tx: Tx, userIds: readonly number[]) {
  await deleteLists(tx, sql`user_id = any(${[...userIds]})`)
}

/** Deletes the lists of the users of a company that is deleted. */
export async function deleteListsOfCompany(tx: Tx, companyId: number) {
  await deleteLists(tx, sql`company_id = ${companyId}`)
}

/** Deletes the lists of customers that are deleted. */
export async function deleteListsOfCustomers(tx: Tx, customerIds: readonly number[]) {
  await deleteLists(tx, sql`customer_id = any(${[...customerIds]})`)
}

async function deleteLists(tx: Tx, where: Sql) {
  await lockLists(tx)
  const found = await tx.rows<{ id: number }>(sql`
    select id from b2b_shopping_lists where store_id = ${tx.store.id} and ${where} order by id for update`)
  if (found.length === 0) return
  const ids = found.map(({ id }) => id)
  await deleteItemsOf(tx, ids)
  await removeAll(tx, shoppingLists, sql`id = any(${ids})`)
}
