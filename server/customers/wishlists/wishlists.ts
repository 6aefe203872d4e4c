import { randomUUID } from 'node:crypto'
import t, { type Static } from 'typebox'
import { type Db, prepared, type Tx } from '../../core/db/database.ts'
import { type Sql, sql } from '../../core/db/sql.ts'
import { inSteps, STEP_ROWS } from '../../core/db/steps.ts'
import { Answer, answer, noContent } from '../../core/rest/answer.ts'
import type { Api } from '../../core/rest/api.ts'
import { Id, idSegment, NeededLine } from '../../core/rest/input/fields.ts'
import { hasAny, type Mistakes, refuse, repeatedIds } from '../../core/rest/input/mistakes.ts'
import { collection, envelope, type ListQuery } from '../../core/rest/lists/collection.ts'
import { findRows } from '../../core/rest/lists/pages.ts'
import { PageMeta, paging } from '../../core/rest/lists/paging.ts'
import { change, findOne, insertAll, insertOne, lock, removeAll, takeIds } from '../../core/rest/lists/verbs.ts'
import { notFound, Problem, unknownId } from '../../core/rest/problem.ts'
import { baseVariantsOf, lockProductsShared } from '../../goods/catalog/product-row/shape.ts'
import { productsOfVariants } from '../../goods/catalog/variants/shape.ts'
import { customersAccess, lockCustomers } from '../row/shape.ts'

// Creating or filling a list locks its customer or the list, then the products, then the counters, in the same order as the deletion of
// products and customers.

const LISTS_MAX = 100
const ITEMS_MAX = 1_000

const { read, write } = customersAccess

export const Wishlist = t.Object({
  id: Id,
  customer_id: Id,
  name: NeededLine,
  is_public: t.Boolean(),
  token: t.String({ format: 'uuid' }),
})
export type Wishlist = Static<typeof Wishlist>

export const wishlists = collection('wishlists', Wishlist, { noun: 'wishlist', filters: 'customer_id', counted: true })

/** A stored item. variant_id 0 stands for no variant. */
const Item = t.Object({ id: Id, wishlist_id: Id, product_id: Id, variant_id: t.Integer({ minimum: 0 }) })
type Item = Static<typeof Item>
export const items = collection('wishlist_items', Item, { noun: 'wishlist item', filters: '' })

const ShownItem = t.Object({ id: Id, product_id: Id, variant_id: t.Optional(Id) }, { title: 'WishlistItem' })
const Shown = t.Object({ ...Wishlist.properties, items: t.Array(ShownItem) }, { title: 'Wishlist' })
type Shown = Static<typeof Shown>

/** A wish for a product or one of its variants. */
const ProductWish = t.Object({ product_id: Id, variant_id: t.Optional(Id) }, { title: 'WishlistProduct' })
export type ProductWish = Static<typeof ProductWish>
const wish = { product_id: 1 }
const { customer_id, name, is_public } = Wishlist.properties
const NewWishlist = t.Object(
  { customer_id, name: t.Optional(name), is_public: t.Optional(is_public), items: t.Optional(t.Array(ProductWish)) },
  { title: 'NewWishlist', examples: [{ customer_id: 1, name: 'For the kitchen', is_public: true, items: [wish] }] },
)
const NewItems = t.Object({ items: t.Array(ProductWish) }, { title: 'NewWishlistItems', examples: [{ items: [wish] }] })
const Changes = t.Partial(
  t.Object({
    name,
    is_public,
    items: t.Array(t.Object({ id: Id, ...t.Partial(ProductWish).properties }, { title: 'WishlistItemChanges' }), {
      maxItems: ITEMS_MAX,
    }),
  }),
  { title: 'WishlistChanges', examples: [{ name: 'For the new kitchen' }] },
)
type Changes = Static<typeof Changes>

const ListedWishlists = t.Unsafe<ListQuery>(
  t.Object({ customer_id: t.Optional(Id), ...paging }, { additionalProperties: false }),
)

/** Routes of wishlists (docs/contract/wishlists.md). */
export function wishlistRoutes(api: Api) {
  const all = '/wishlists'
  const one = `${all}/${idSegment('wishlist_id')}`
  const params = t.Object({ wishlist_id: Id })
  const saved = { response: { 201: envelope(Shown) } }
  const answersOne = { response: { 200: envelope(Shown) } }

  api.get(
    all,
    {
      ...read,
      schema: {
        summary: 'List the wishlists',
        querystring: ListedWishlists,
        response: { 200: t.Object({ data: t.Array(Shown), meta: PageMeta }) },
      },
    },
    async ({ db, query }) => {
      const { data, meta } = await findRows(db, wishlists, query)
      // Without a selection of fields each row is whole.
      return answer(await whole(db, data as Wishlist[]), meta)
    },
  )

  api.post(
    all,
    { ...write, schema: { summary: 'Create a wishlist', body: NewWishlist, ...saved } },
    async ({ db, body }) => {
      const data = await db.transaction((tx) => createWishlist(tx, body))
      return new Answer({ data, meta: {} }, 201, { location: `/stores/${db.store.hash}/v3${all}/${data.id}` })
    },
  )

  api.get(one, { ...read, schema: { summary: 'Get a wishlist', params, ...answersOne } }, async ({ db, params }) =>
    answer(await wholeOne(db, await findOne(db, wishlists, params.wishlist_id))),
  )

  api.put(
    one,
    {
      ...write,
      schema: {
        summary: 'Change a wishlist',
        description: 'Items that the body omits remain. Other operations add and remove items.',
        params,
        body: Changes,
        ...saved,
      },
    },
    async ({ db, params, body }) => {
      const data = await db.transaction((tx) => changeWishlist(tx, params.wishlist_id, body))
      return new Answer({ data, meta: {} }, 201)
    },
  )

  api.delete(
    one,
    { ...write, schema: { summary: 'Delete a wishlist', params } },
    async ({ db, params: { wishlist_id } }) => {
      await db.transaction(async (tx) => {
        await lock(tx, wishlists, wishlist_id)
        await removeLists(tx, [wishlist_id])
      })
      return noContent()
    },
  )

  api.post(
    `${one}/items`,
    {
      ...write,
      schema: {
        summary: 'Add items to a wishlist',
        description: 'Items that the list has already are skipped.',
        params,
        body: NewItems,
        ...saved,
      },
    },
    async ({ db, params, body }) => {
      const data = await db.transaction(async (tx) => {
        const list = await lock(tx, wishlists, params.wishlist_id)
        await addItems(tx, list.id, body.items)
        return wholeOne(tx, list)
      })
      return new Answer({ data, meta: {} }, 201)
    },
  )

  api.delete(
    `${one}/items/${idSegment('item_id')}`,
    {
      ...write,
      schema: {
        summary: 'Remove an item from a wishlist',
        description: 'The answer is the remaining list.',
        params: t.Object({ wishlist_id: Id, item_id: Id }),
        ...answersOne,
      },
    },
    async ({ db, params: { wishlist_id, item_id } }) => {
      const data = await db.transaction(async (tx) => {
        const list = await lock(tx, wishlists, wishlist_id)
        const gone = await removeAll(tx, items, sql`id = ${item_id} and wishlist_id = ${wishlist_id}`)
        if (gone.length === 0) throw notFound(items.noun, item_id)
        return wholeOne(tx, list)
      })
      return answer(data)
    },
  )
}

/** @throws Problem 422 for unknown ids, 403 past the lists of a customer or the items of a list */
export async function createWishlist(tx: Tx, body: Static<typeof NewWishlist>): Promise<Shown> {
  const { customer_id, name = 'Wish List', is_public = false, items: wishes = [] } = body
  const there = await lockCustomers(tx, [customer_id])
  if (!there.has(customer_id)) refuse({ customer_id: unknownId('customer', customer_id) })
  const { lists } = await tx.row<{ lists: number }>(sql`
    select count(*)::int as lists from wishlists where store_id = ${tx.store.id} and customer_id = ${customer_id}`)
  const wanted = await resolveWishes(tx, wishes)
  if (lists >= LISTS_MAX) throw new Problem(403, `A customer can have at most ${LISTS_MAX} wishlists.`)
  const ids = await takeIds(tx, [
    [wishlists, 1],
    [items, wanted.length],
  ])
  const row = { id: ids.next(wishlists), customer_id, name, is_public, token: randomUUID() }
  await insertOne(tx, wishlists, row)
  await insertAll(
    tx,
    items,
    wanted.map((item) => ({ ...item, id: ids.next(items), wishlist_id: row.id })),
  )
  return wholeOne(tx, row)
}

/** @throws Problem 404, 422 */
async function changeWishlist(tx: Tx, id: number, { items: changes = [], ...fields }: Changes): Promise<Shown> {
  const list = await lock(tx, wishlists, id)
  if (changes.length > 0) await changeItems(tx, id, changes)
  return wholeOne(tx, await change(tx, wishlists, list, fields))
}

async function changeItems(tx: Tx, list: number, changes: NonNullable<Changes['items']>) {
  const before = new Map((await itemsOf(tx, [list])).map((item) => [item.id, item]))
  const place = (i: number) => `items.${i}.id`
  const mistakes: Mistakes = repeatedIds(changes, place)
  for (const [i, change] of changes.entries()) {
    if (!before.has(change.id)) mistakes[place(i)] ??= `The wishlist ${list} has no item ${change.id}.`
  }
  refuse(mistakes)
  // Fields that a change omits remain, except that another product gets its base variant.
  const moving = changes.flatMap(({ id, product_id, variant_id }, i) => {
    const item = before.get(id)
    if (!item) return []
    const isSame =
      (product_id ?? item.product_id) === item.product_id && (variant_id ?? item.variant_id) === item.variant_id
    return isSame ? [] : [{ i, item, wish: { product_id: product_id ?? item.product_id, variant_id } }]
  })
  const wanted = await checkWishes(
    tx,
    moving.map(({ wish }) => wish),
    (j) => moving[j]?.i ?? 0,
  )
  const after = new Map([...before].map(([id, item]) => [id, pairOf(item)]))
  for (const [j, { item }] of moving.entries()) after.set(item.id, pairOf(wanted[j] ?? item))
  const counts = Map.groupBy(after.values(), (pair) => pair)
  refuse(
    Object.fromEntries(
      moving
        .filter(({ item }) => (counts.get(after.get(item.id) ?? '')?.length ?? 0) > 1)
        .map(({ i }) => [`items.${i}`, 'Another item of the list is for the same.']),
    ),
  )
  if (moving.length === 0) return
  // They are deleted and inserted again with their ids, so that two can swap.
  const rows = moving.map(({ item }, j) => ({ ...item, ...wanted[j] }))
  await tx.rows(sql`
    delete from wishlist_items where store_id = ${tx.store.id} and id = any(${rows.map(({ id }) => id)}) returning id`)
  await insertAll(tx, items, rows)
}

/** Adds items that a list does not have yet. The list is locked or new. @throws Problem 422, 403 */
export async function addItems(tx: Tx, list: number, wishes: readonly ProductWish[]) {
  const wanted = await resolveWishes(tx, wishes)
  const before = await itemsOf(tx, [list])
  const known = new Set(before.map(pairOf))
  const added = wanted.filter((item) => !known.has(pairOf(item)))
  if (before.length + added.length > ITEMS_MAX) throw tooMany()
  const ids = await takeIds(tx, [[items, added.length]])
  await insertAll(
    tx,
    items,
    added.map((item) => ({ ...item, id: ids.next(items), wishlist_id: list })),
  )
}

const tooMany = () => new Problem(403, `A wishlist can have at most ${ITEMS_MAX} items.`)

const pairOf = ({ product_id, variant_id }: Pick<Item, 'product_id' | 'variant_id'>) => `${product_id} ${variant_id}`

/** Each wish once, with its variant. @throws Problem 422 for unknown ids, 403 for too many */
async function resolveWishes(tx: Tx, wishes: readonly ProductWish[]) {
  // Checked first, so that a body with thousands of items doesn't lock as many products.
  if (new Set(wishes.map(({ product_id, variant_id = 0 }) => pairOf({ product_id, variant_id }))).size > ITEMS_MAX) {
    throw tooMany()
  }
  return [...new Map((await checkWishes(tx, wishes, (i) => i)).map((item) => [pairOf(item), item])).values()]
}

/**
 * Adds the variants to wishes: the base variant of the product by default, or 0 if it has none. The products are locked against deletion.
 * @param index the position of a wish in the body
 * @throws Problem 422 for unknown ids
 */
async function checkWishes(
  tx: Tx,
  wishes: readonly { product_id: number; variant_id?: number | undefined }[],
  index: (i: number) => number,
) {
  if (wishes.length === 0) return []
  const productIds = wishes.map(({ product_id }) => product_id)
  const there = await lockProductsShared(tx, productIds)
  const bases = await baseVariantsOf(tx, productIds)
  const productOf = await productsOfVariants(
    tx,
    wishes.flatMap(({ variant_id }) => variant_id ?? []),
  )
  const mistakes: Mistakes = {}
  for (const [i, { product_id, variant_id }] of wishes.entries()) {
    const at = `items.${index(i)}`
    if (!there.has(product_id)) mistakes[`${at}.product_id`] = unknownId('product', product_id)
    else if (variant_id !== undefined && productOf.get(variant_id) !== product_id) {
      mistakes[`${at}.variant_id`] = `The product ${product_id} has no variant ${variant_id}.`
    }
  }
  if (hasAny(mistakes)) refuse(mistakes)
  return wishes.map(({ product_id, variant_id = bases.get(product_id) ?? 0 }) => ({ product_id, variant_id }))
}

const itemsOf = (db: Db, lists: readonly number[]): Promise<Item[]> =>
  db.rows<Item>(
    prepared(sql`
    select id, wishlist_id, product_id, variant_id from wishlist_items
    where store_id = ${db.store.id} and wishlist_id = any(${lists}) order by wishlist_id, id`),
  )

async function wholeOne(db: Db, list: Wishlist): Promise<Shown> {
  const [one] = await whole(db, [list])
  if (!one) throw notFound(wishlists.noun, list.id)
  return one
}

/** Lists with their items. A deleted variant is omitted: the item then stands for the product. */
async function whole(db: Db, lists: readonly Wishlist[]): Promise<Shown[]> {
  const found = await itemsOf(
    db,
    lists.map(({ id }) => id),
  )
  const there = await productsOfVariants(
    db,
    found.map(({ variant_id }) => variant_id).filter((id) => id !== 0),
  )
  const byList = Map.groupBy(found, ({ wishlist_id }) => wishlist_id)
  return lists.map((list) => ({
    ...list,
    items: (byList.get(list.id) ?? []).map(({ id, product_id, variant_id }) => ({
      id,
      product_id,
      ...(there.has(variant_id) ? { variant_id } : {}),
    })),
  }))
}

/** Deletes lists with their items. @param lists locked */
export async function removeLists(tx: Tx, lists: readonly number[]) {
  await removeAll(tx, items, sql`wishlist_id = any(${lists})`)
  await removeAll(tx, wishlists, sql`id = any(${lists})`)
}

/** Removes products that are on very many lists, in steps, before the transaction that deletes the products. */
export async function removePopularProducts(db: Db, productIds: readonly number[]) {
  const here = sql`product_id = any(${productIds})`
  if (await isMuch(db, here)) await removeItems(db, here)
}

/** Removes deleted products from all lists in their transaction. */
export const removeProductsFromWishlists = (tx: Tx, productIds: readonly number[]) =>
  removeItems(tx, sql`product_id = any(${productIds})`)

/** Empties large lists of customers, in steps, before the transaction that deletes the customers. */
export async function emptyLargeWishlistsOf(db: Db, customerIds: readonly number[]) {
  const here = ofCustomers(db, customerIds)
  if (await isMuch(db, here)) await removeItems(db, here)
}

/** Deletes the lists of locked customers. */
export async function deleteWishlistsOf(tx: Tx, customerIds: readonly number[]) {
  await removeItems(tx, ofCustomers(tx, customerIds))
  await removeAll(tx, wishlists, sql`customer_id = any(${customerIds})`)
}

const ofCustomers = ({ store }: Db, customerIds: readonly number[]): Sql => sql`wishlist_id = any(array(
  select id from wishlists where store_id = ${store.id} and customer_id = any(${customerIds})))`

async function isMuch(db: Db, here: Sql): Promise<boolean> {
  const { count } = await db.row<{ count: number }>(sql`
    select count(*)::int as count from (
      select id from wishlist_items where store_id = ${db.store.id} and ${here} limit ${STEP_ROWS + 1}) item`)
  return count > STEP_ROWS
}

/** Deletes in steps. Outside of a transaction each step is one. */
const removeItems = (db: Db, here: Sql) =>
  inSteps(db, async (tx) => {
    const some = sql`id = any(array(
      select id from wishlist_items where store_id = ${tx.store.id} and ${here} order by id limit ${STEP_ROWS}))`
    return (await removeAll(tx, items, some)).length === STEP_ROWS
  })
