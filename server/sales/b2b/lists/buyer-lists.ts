import t, { type Static } from 'typebox'
import type { Db, Tx } from '../../../core/db/database.ts'
import { withoutUndefined } from '../../../core/objects.ts'
import { toSeconds } from '../../../core/rest/input/dates.ts'
import { ID_MAX } from '../../../core/rest/input/fields.ts'
import { itemReader } from '../../../core/rest/input/validator.ts'
import { lockCounters } from '../../../core/rest/lists/counters.ts'
import { change, differences } from '../../../core/rest/lists/verbs.ts'
import { invalid, notFound, Problem, unknownId } from '../../../core/rest/problem.ts'
import { type Buyer, mayDo, type PlainCustomer, refuseDeed } from '../shared/caller.ts'
import {
  itemsOfList,
  keyOfItem,
  ListItemChanges,
  type ListItemRow,
  listItems,
  NewListItems,
  optionsOfItem,
  type WrittenItem,
  writeItems,
} from './items.ts'
import { findList, lockList, type ShoppingListRow, shoppingLists } from './list.ts'
import { insertList, NewShoppingList, refuseShared } from './list-changes.ts'
import { APPROVED_LIST, DRAFT_LIST, mayMoveList } from './states.ts'

// Shopping lists by their buyers (docs/contract/b2b-shopping-lists.md section 5). A buyer needs a permission for each deed; a customer
// without a company has lists of its own, which are approved.

/** The person who writes. */
export interface ListWriter {
  caller: Buyer | PlainCustomer
  /** The company that a buyer acts for; 0 for a customer. */
  companyId: number
  customerId: number
}

/** Reads the products of these that the writer may see. Others are not found. */
export type VisibleProducts = (db: Db, ids: readonly number[]) => Promise<ReadonlySet<number>>

const SUBMIT = 'submit_shopping_list_for_approval'
const APPROVE = 'approve_draft_shopping_list'

const { properties } = NewShoppingList
const readFields = itemReader(
  t.Object({ name: t.Optional(properties.name), description: properties.description }, { title: 'BuyerListFields' }),
)

/** A new list of a buyer. */
export interface NewBuyerList {
  name: string
  description?: string
  /** 0 or 30. A buyer who may submit lists, and not approve them, has drafts only. */
  status?: number
  channelId: number
}

/** @throws Problem 422, 403 */
export async function createBuyerList(db: Db, writer: ListWriter, list: NewBuyerList): Promise<ShoppingListRow> {
  const { caller, companyId } = writer
  if (caller.kind === 'buyer') refuseDeed(caller, 'create_shopping_list', companyId, caller.userId)
  const fields = { ...fieldsOf(list), status: firstStatus(writer, list.status) }
  return db.transaction((tx) => insertList(tx, ownerOf(writer), fields, []))
}

const ownerOf = ({ caller, companyId, customerId }: ListWriter) => ({
  company_id: companyId,
  user_id: caller.kind === 'buyer' ? caller.userId : 0,
  customer_id: customerId,
})

function fieldsOf({ name, description = '', channelId }: NewBuyerList) {
  readFields({ name, description })
  return { name, description, channel_id: channelId }
}

/** @throws Problem 422 */
function firstStatus({ caller, companyId }: ListWriter, wanted = APPROVED_LIST): number {
  if (caller.kind === 'customer') return APPROVED_LIST
  if (mayDo(caller, SUBMIT, companyId, caller.userId) && !mayDo(caller, APPROVE, companyId)) return DRAFT_LIST
  if (wanted === APPROVED_LIST || wanted === DRAFT_LIST) return wanted
  throw invalid({ status: 'A new list has the status 0 or 30.' })
}

/**
 * Changes the name, the description or the status of a list. A submission needs the permission to submit, an approval or a rejection
 * the permission to approve, and other changes that to update lists.
 * @throws Problem 404, 403, 422 for a status that the list can't have next
 */
export async function changeBuyerList(
  db: Db,
  caller: ListWriter['caller'],
  id: number,
  { name, description, status }: { name?: string; description?: string; status?: number },
): Promise<ShoppingListRow> {
  readFields(withoutUndefined({ name, description }))
  return db.transaction(async (tx) => {
    const row = await lockList(tx, caller, { id, code: 'get_shopping_list_detail' })
    const isMoved = status !== undefined && status !== row.status && caller.kind === 'buyer'
    const next = isMoved ? nextStatus(caller, row, status) : row.status
    const texts = withoutUndefined({ name, description })
    const isRewritten = Object.keys(differences(row, texts)).length > 0
    if (caller.kind === 'buyer' && (isRewritten || !isMoved)) {
      refuseDeed(caller, 'update_shopping_list', row.company_id, row.user_id)
      refuseShared(caller, row)
    }
    return change(tx, shoppingLists, row, { ...texts, status: next, updated_at: toSeconds(tx.now) })
  })
}

/** @throws Problem 403, 422 */
function nextStatus(caller: Buyer, row: ShoppingListRow, status: number): number {
  const deed = mayMoveList(SUBMIT, DRAFT_LIST, status) ? SUBMIT : APPROVE
  refuseDeed(caller, deed, row.company_id, deed === SUBMIT ? row.user_id : undefined)
  if (!mayMoveList(deed, row.status, status)) throw new Problem(422, 'The status of the list does not allow this.')
  return status
}

/** A new item of a buyer. */
type NewBuyerItem = Static<typeof NewListItems>[number]
const readItems = itemReader(NewListItems)

/**
 * Adds items to a list. Items that the list has already get the units on top.
 * @returns the added or changed items
 * @throws Problem 404, 403, 422 for products that are unknown or hidden
 */
export async function addToBuyerList(
  db: Db,
  caller: ListWriter['caller'],
  id: number,
  { items, visibleProducts }: { items: readonly NewBuyerItem[]; visibleProducts: VisibleProducts },
): Promise<ListItemRow[]> {
  const added = readItems(structuredClone(items))
  return db.transaction(async (tx) => {
    await lockCounters(tx, [listItems.table])
    const row = await lockChangeable(tx, caller, id, 'create_shopping_list_item')
    await refuseHidden(tx, added, visibleProducts)
    const before = await itemsOfList(tx, id)
    await writeItems(tx, id, withUnitsOnTop(added, before))
    await change(tx, shoppingLists, row, { updated_at: toSeconds(tx.now) })
    const unchanged = new Map(before.map((item) => [item.id, JSON.stringify(item)]))
    return (await itemsOfList(tx, id)).filter((item) => unchanged.get(item.id) !== JSON.stringify(item))
  })
}

/** Adds the units of items that the list has already, and of those that the request names twice. */
function withUnitsOnTop(added: readonly NewBuyerItem[], before: readonly ListItemRow[]): WrittenItem[] {
  const units = new Map(before.map(({ variant_id, options, quantity }) => [keyOfItem(variant_id, options), quantity]))
  return added.map((item) => {
    if (item.variantId === undefined) return item
    const key = keyOfItem(item.variantId, optionsOfItem(item))
    const quantity = Math.min(ID_MAX, (units.get(key) ?? 0) + item.quantity)
    units.set(key, quantity)
    return { ...item, quantity }
  })
}

/** @throws Problem 422 */
async function refuseHidden(tx: Tx, items: readonly { productId?: number }[], visibleProducts: VisibleProducts) {
  const ids = items.flatMap(({ productId }) => productId ?? [])
  const visible = await visibleProducts(tx, ids)
  const hidden = ids.findIndex((id) => !visible.has(id))
  if (hidden >= 0) throw invalid({ [`items.${hidden}.productId`]: unknownId('product', ids[hidden] ?? 0) })
}

const ItemChanges = t.Object(
  { ...ListItemChanges.items.properties, quantity: t.Optional(t.Integer({ minimum: 1, maximum: ID_MAX })) },
  { title: 'BuyerListItemChanges' },
)
const readItemChanges = itemReader(ItemChanges)

/**
 * Changes an item of a list.
 * @throws Problem 404 also for an unknown item, 403, 422
 */
export async function changeBuyerItem(
  db: Db,
  caller: ListWriter['caller'],
  { listId, itemId }: { listId: number; itemId: number },
  changes: Omit<WrittenItem, 'id' | 'productId'>,
): Promise<ListItemRow> {
  const { variantId, quantity, sortOrder, optionList, productNote } = readItemChanges(structuredClone(changes))
  return db.transaction(async (tx) => {
    await lockCounters(tx, [listItems.table])
    const row = await lockChangeable(tx, caller, listId, 'update_shopping_list_item')
    const before = (await itemsOfList(tx, listId)).find(({ id }) => id === itemId)
    if (!before) throw notFound(listItems.noun, itemId)
    const wanted = withoutUndefined({ variantId, quantity, sortOrder, optionList, productNote })
    await writeItems(tx, listId, [{ ...wanted, id: itemId }])
    await change(tx, shoppingLists, row, { updated_at: toSeconds(tx.now) })
    return (await itemsOfList(tx, listId)).find(({ id }) => id === itemId) ?? before
  })
}

async function lockChangeable(tx: Tx, caller: ListWriter['caller'], id: number, code: string) {
  const row = await lockList(tx, caller, { id, code })
  refuseShared(caller, row)
  return row
}

/**
 * Copies a list that the writer may see into a new one of the writer. Items of hidden products stay behind.
 * @throws Problem 404, 403, 422
 */
export async function duplicateBuyerList(
  db: Db,
  writer: ListWriter,
  id: number,
  { visibleProducts, ...list }: Omit<NewBuyerList, 'status'> & { visibleProducts: VisibleProducts },
): Promise<ShoppingListRow> {
  const { caller, companyId } = writer
  await findList(db, caller, { id, code: 'deplicate_shopping_list' })
  if (caller.kind === 'buyer') refuseDeed(caller, 'deplicate_shopping_list', companyId, caller.userId)
  const rows = await itemsOfList(db, id)
  const visible = await visibleProducts(
    db,
    rows.map(({ product_id }) => product_id),
  )
  const items = rows
    .filter(({ product_id }) => visible.has(product_id))
    .map((row) => ({
      productId: row.product_id,
      variantId: row.variant_id,
      quantity: row.quantity,
      sortOrder: row.sort_order,
      optionList: row.options,
      productNote: row.product_note,
    }))
  const fields = { ...fieldsOf(list), status: firstStatus(writer) }
  return db.transaction((tx) => insertList(tx, ownerOf(writer), fields, items))
}
