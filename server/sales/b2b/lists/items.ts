import t, { type Static } from 'typebox'
import type { Db, Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { ID_MAX, Id } from '../../../core/rest/input/fields.ts'
import { type Mistakes, refuse } from '../../../core/rest/input/mistakes.ts'
import { collection } from '../../../core/rest/lists/collection.ts'
import { lockCounters } from '../../../core/rest/lists/counters.ts'
import { insertAll, removeAll, takeIds } from '../../../core/rest/lists/verbs.ts'
import { Problem, unknownId } from '../../../core/rest/problem.ts'
import { type CartItem, findCartItems } from '../../../goods/catalog/product-row/cart-items.ts'
import { TextOf } from '../companies/company.ts'

// The items of shopping lists (docs/contract/b2b-shopping-lists.md section 4).

const ITEMS_MAX = 500

const ListOption = t.Object(
  { optionId: t.String({ maxLength: 20 }), optionValue: t.String({ maxLength: 1_000 }) },
  { title: 'ShoppingListOption' },
)
type ListOption = Static<typeof ListOption>

const Row = t.Object({
  id: Id,
  list_id: Id,
  product_id: Id,
  variant_id: Id,
  quantity: t.Integer(),
  sort_order: t.Integer(),
  options: t.Array(ListOption),
  product_note: TextOf(1_000),
})
export type ListItemRow = Static<typeof Row>

export const listItems = collection('b2b_shopping_list_items', Row, { noun: 'item', filters: '' })

const columns = sql.join(listItems.columns.map(sql.id))

const written = {
  productId: t.Optional(Id),
  variantId: t.Optional(Id),
  sortOrder: t.Optional(t.Integer({ minimum: 0, maximum: ID_MAX })),
  optionList: t.Optional(t.Union([ListOption, t.Array(ListOption, { maxItems: 250 })])),
  productNote: t.Optional(TextOf(1_000)),
}
export const NewListItems = t.Array(
  t.Object(
    { ...written, productId: Id, quantity: t.Integer({ minimum: 1, maximum: ID_MAX }) },
    { title: 'NewShoppingListItem' },
  ),
  { maxItems: ITEMS_MAX },
)
export const ListItemChanges = t.Array(
  t.Object(
    {
      ...written,
      id: t.Optional(Id),
      quantity: t.Optional(t.Integer({ minimum: 0, maximum: ID_MAX, description: '0 removes the item' })),
    },
    { title: 'ShoppingListItemChanges' },
  ),
  { maxItems: ITEMS_MAX },
)
export type WrittenItem = Static<typeof ListItemChanges>[number]

/** An item in answers. */
export const ShoppingListItem = t.Object(
  {
    id: Id,
    productId: Id,
    variantId: Id,
    quantity: t.Integer(),
    sortOrder: t.Integer(),
    optionList: t.Array(ListOption),
    productNote: t.String(),
  },
  { title: 'ShoppingListItem' },
)

const itemToAnswer = (row: ListItemRow): Static<typeof ShoppingListItem> => ({
  id: row.id,
  productId: row.product_id,
  variantId: row.variant_id,
  quantity: row.quantity,
  sortOrder: row.sort_order,
  optionList: row.options,
  productNote: row.product_note,
})

/** The items of a list, in the order of the list. */
export const itemsOfList = (db: Db, listId: number): Promise<ListItemRow[]> =>
  db.rows<ListItemRow>(sql`
    select ${columns} from b2b_shopping_list_items
    where store_id = ${db.store.id} and list_id = ${listId} order by sort_order, id limit ${ITEMS_MAX}`)

/** The orders of items. */
export const ITEM_ORDERS = ['quantity', 'productName', 'productSku', 'sortOrder'] as const
type ItemOrder = (typeof ITEM_ORDERS)[number]

/** A part of the items of a list in an order: a list is small enough to be sorted here. */
export async function listItemsToAnswer(
  db: Db,
  listId: number,
  { limit, offset, sortBy = 'sortOrder', isAscending = true }: ItemWindow,
): Promise<Static<typeof ShoppingListItem>[]> {
  const rows = await itemsOfList(db, listId)
  const items =
    sortBy === 'productName' || sortBy === 'productSku'
      ? await findCartItems(db, { variants: rows.map((row) => row.variant_id), products: [], customFields: false })
      : new Map<number, CartItem>()
  const key = (row: ListItemRow): number | string => {
    if (sortBy === 'quantity') return row.quantity
    if (sortBy === 'sortOrder') return row.sort_order
    const item = items.get(row.variant_id)
    return (sortBy === 'productName' ? item?.name : item?.sku)?.toLowerCase() ?? ''
  }
  const direction = isAscending ? 1 : -1
  const sorted = rows
    .map((row) => ({ row, key: key(row) }))
    .sort((a, b) => direction * (a.key < b.key ? -1 : a.key > b.key ? 1 : a.row.id - b.row.id))
  return sorted.slice(offset, offset + limit).map(({ row }) => itemToAnswer(row))
}

interface ItemWindow {
  limit: number
  offset: number
  sortBy?: ItemOrder | undefined
  isAscending?: boolean
}

/** Options as they are compared and stored: in the order of their ids. */
export const optionsOfItem = ({ optionList = [] }: Pick<WrittenItem, 'optionList'>): ListOption[] =>
  [optionList].flat().toSorted((a, b) => (a.optionId < b.optionId ? -1 : a.optionId > b.optionId ? 1 : 0))

/** The same for all items that are one. */
export const keyOfItem = (variantId: number, options: readonly ListOption[]) =>
  JSON.stringify([variantId, options.map(({ optionId, optionValue }) => [optionId, optionValue])])

/**
 * Applies written items to a locked list. An item with an id is that row; another one is found by its variant and options, and added
 * if there is none. The quantity 0 removes an item. Other items stay.
 * @throws Problem 422 with all mistakes
 */
export async function writeItems(tx: Tx, listId: number, items: readonly WrittenItem[]) {
  if (items.length === 0) return
  const rows = new Map((await itemsOfList(tx, listId)).map((row) => [row.id, row]))
  const variants = await variantsOf(tx, items, rows)
  const mistakes: Mistakes = {}
  const changed = new Map<string, Omit<ListItemRow, 'id'> & { id?: number }>()
  for (const row of rows.values()) changed.set(keyOfItem(row.variant_id, row.options), row)
  for (const [i, item] of items.entries()) {
    const at = (field: string) => `items.${i}.${field}`
    const row = item.id === undefined ? undefined : rows.get(item.id)
    if (item.id !== undefined && !row) {
      mistakes[at('id')] = unknownId('item', item.id)
      continue
    }
    const variant = variantFor(item, row, { variants, mistakes, at })
    if (!variant) continue
    const options = item.optionList === undefined && row ? row.options : optionsOfItem(item)
    const key = keyOfItem(variant.variant_id, options)
    const same = changed.get(key)
    const before = row ?? same
    const quantity = item.quantity ?? before?.quantity
    if (quantity === undefined) {
      mistakes[at('quantity')] = 'This field is required'
      continue
    }
    if (row && same && same.id !== row.id)
      mistakes[at('variantId')] = 'Another item has this variant and these options.'
    if (row) changed.delete(keyOfItem(row.variant_id, row.options))
    if (quantity === 0) {
      changed.delete(key)
      continue
    }
    changed.set(key, {
      ...(before?.id === undefined ? {} : { id: before.id }),
      list_id: listId,
      product_id: variant.product_id,
      variant_id: variant.variant_id,
      quantity,
      sort_order: item.sortOrder ?? before?.sort_order ?? 0,
      options,
      product_note: item.productNote ?? before?.product_note ?? '',
    })
  }
  refuse(mistakes)
  if (changed.size > ITEMS_MAX) throw new Problem(422, `A list can have at most ${ITEMS_MAX} items.`)
  await storeItems(tx, rows, [...changed.values()])
}

/** The variants that items name, and the base variants of products of items without one. */
const variantsOf = (tx: Tx, items: readonly WrittenItem[], rows: ReadonlyMap<number, ListItemRow>) =>
  findCartItems(tx, {
    variants: items.flatMap(({ id, variantId }) => variantId ?? rows.get(id ?? 0)?.variant_id ?? []),
    products: items.flatMap(({ productId, variantId }) => (variantId === undefined ? (productId ?? []) : [])),
    customFields: false,
  })

interface VariantParts {
  variants: ReadonlyMap<number, CartItem>
  mistakes: Mistakes
  at: (field: string) => string
}

/** @returns undefined with a mistake */
function variantFor(
  { productId, variantId }: WrittenItem,
  row: ListItemRow | undefined,
  { variants, mistakes, at }: VariantParts,
): Pick<ListItemRow, 'product_id' | 'variant_id'> | undefined {
  const isSame =
    (productId ?? row?.product_id) === row?.product_id && (variantId ?? row?.variant_id) === row?.variant_id
  if (row && isSame) return row
  const product = productId ?? row?.product_id
  if (product === undefined) {
    mistakes[at('productId')] = 'This field is required'
    return undefined
  }
  const found =
    variantId === undefined
      ? [...variants.values()].find((item) => item.product_id === product && item.options.length === 0)
      : variants.get(variantId)
  if (found?.product_id === product) return found
  if (variantId === undefined) mistakes[at('productId')] = `The store has no product ${product} without options.`
  else mistakes[at('variantId')] = unknownId('variant', variantId)
  return undefined
}

/** Stores the items of a list in their new form. */
async function storeItems(
  tx: Tx,
  before: ReadonlyMap<number, ListItemRow>,
  after: readonly (Omit<ListItemRow, 'id'> & { id?: number })[],
) {
  const kept = new Set(after.map(({ id }) => id))
  const gone = [...before.keys()].filter((id) => !kept.has(id))
  const added = after.filter(({ id }) => id === undefined)
  await lockCounters(tx, [listItems.table])
  const ids = await takeIds(tx, [[listItems, added.length]])
  if (gone.length > 0) await removeAll(tx, listItems, sql`id = any(${gone})`)
  await changeItems(
    tx,
    after.filter((row): row is ListItemRow => row.id !== undefined && before.get(row.id) !== row),
  )
  const first = ids.next(listItems, added.length)
  await insertAll(
    tx,
    listItems,
    added.map((row, i) => ({ ...row, id: first + i })),
  )
}

/** Changes all these items with one statement. */
async function changeItems(tx: Tx, rows: readonly ListItemRow[]) {
  if (rows.length === 0) return
  const texts = rows.map((row) => ({ ...row, options: JSON.stringify(row.options) }))
  const changed = sql.table('changed', texts, {
    id: 'int',
    product_id: 'int',
    variant_id: 'int',
    quantity: 'int',
    sort_order: 'int',
    options: 'text',
    product_note: 'text',
  })
  await tx.rows(sql`
    update b2b_shopping_list_items item set product_id = changed.product_id, variant_id = changed.variant_id,
      quantity = changed.quantity, sort_order = changed.sort_order, options = changed.options::jsonb,
      product_note = changed.product_note
    from ${changed} where item.store_id = ${tx.store.id} and item.id = changed.id returning item.id`)
}

/** Deletes one item of a locked list. @returns whether it was there */
export async function deleteItem(tx: Tx, listId: number, itemId: number): Promise<boolean> {
  const gone = await removeAll(tx, listItems, sql`list_id = ${listId} and id = ${itemId}`)
  return gone.length > 0
}

/** Deletes all items of lists. */
export const deleteItemsOf = (tx: Tx, listIds: readonly number[]) =>
  removeAll(tx, listItems, sql`list_id = any(${[...listIds]})`)
