import { prepared } from '../../../../../../core/db/database.ts'
import { type Sql, sql } from '../../../../../../core/db/sql.ts'
import { Load } from '../../../../../../core/graphql/loads.ts'
import type { StorefrontCaller } from '../../../../caller.ts'
import type { Fields } from '../../../types.ts'
import { isSellable } from '../../catalog/inventory.ts'
import { findCard, isId } from '../../catalog/rows/product-row.ts'
import { findVariant } from '../../catalog/rows/variant-row.ts'
import { productOf } from '../../catalog/selection.ts'
import { connectionOf, keyedConnection, type Order, type PageArgs, planPage } from '../../connections.ts'

interface WishlistRow {
  id: number
  customer_id: number
  name: string
  is_public: boolean
  token: string
}
interface ItemRow {
  id: number
  wishlist_id: number
  product_id: number
  variant_id: number
}

declare module '../../../types.ts' {
  interface Parents {
    Wishlist: WishlistRow
    PublicWishlist: WishlistRow
    WishlistItem: ItemRow
  }
}

const BY_ID: Order = { columns: ['id'], isFalling: false }
const columns = sql.raw('id, customer_id, name, is_public, token')

interface WishlistArgs extends PageArgs {
  filters?: {
    entityIds?: readonly number[] | null
    productEntityIds?: readonly number[] | null
    variantEntityIds?: readonly number[] | null
  } | null
}

/** One page of the wish lists of each customer. */
const pageLoad = new Load<StorefrontCaller, number, WishlistRow[], WishlistArgs>(
  async ({ storefront: { db } }, customers, { filters, ...args }) => {
    const plan = planPage(args, BY_ID)
    const has = (column: string, ids: readonly number[] | null | undefined): Sql =>
      ids?.length
        ? sql`exists (
            select 1 from wishlist_items item where item.store_id = ${db.store.id} and item.wishlist_id = wishlists.id
              and ${sql.raw(column)} = any(${ids.filter(isId)}))`
        : sql`true`
    const named = filters?.entityIds?.length ? sql`id = any(${filters.entityIds.filter(isId)})` : sql`true`
    const rows = await db.rows<WishlistRow>(sql`
      select found.* from unnest(${customers}::int[]) wanted (customer) cross join lateral (
        select ${columns} from wishlists
        where store_id = ${db.store.id} and customer_id = wanted.customer and ${named}
          and ${has('item.product_id', filters?.productEntityIds)} and ${has('item.variant_id', filters?.variantEntityIds)}
          and ${plan.where} ${plan.tail}
      ) found`)
    return Map.groupBy(rows, ({ customer_id }) => customer_id)
  },
)

/** One page of the wish lists of a customer. */
export async function wishlistConnection(caller: StorefrontCaller, customer: number, args: WishlistArgs) {
  const plan = planPage(args, BY_ID)
  const rows = (await pageLoad.find(caller, customer, args)) ?? []
  return keyedConnection(plan, rows, { keyOf: ({ id }) => [id], nodeOf: (row) => row })
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

const publicLoad = new Load<StorefrontCaller, string, WishlistRow>(async ({ storefront: { db } }, tokens) => {
  const rows = await db.rows<WishlistRow>(
    prepared(sql`
    select ${columns} from wishlists where store_id = ${db.store.id} and token = any(${tokens}) and is_public`),
  )
  return new Map(rows.map((row) => [row.token, row]))
})

/** A wish list by the token of its public address, while it is public. */
export const publicWishlist = async (caller: StorefrontCaller, token: string): Promise<WishlistRow | null> =>
  UUID.test(token) ? ((await publicLoad.find(caller, token, undefined)) ?? null) : null

/** The items of lists, at most 1,000 each. */
const itemLoad = new Load<StorefrontCaller, number, ItemRow[]>(async ({ storefront: { db } }, ids) => {
  const rows = await db.rows<ItemRow>(
    prepared(sql`
    select id, wishlist_id, product_id, variant_id from wishlist_items
    where store_id = ${db.store.id} and wishlist_id = any(${ids}) order by wishlist_id, id`),
  )
  return Map.groupBy(rows, ({ wishlist_id }) => wishlist_id)
})

interface ItemArgs extends PageArgs {
  hideOutOfStock?: boolean | null
  filters?: { productEntityIds?: readonly number[] | null; variantEntityIds?: readonly number[] | null } | null
}

async function itemConnection(caller: StorefrontCaller, list: number, { hideOutOfStock, filters, ...args }: ItemArgs) {
  const has = (ids: readonly number[] | null | undefined, id: number) => !ids?.length || ids.includes(id)
  let rows = ((await itemLoad.find(caller, list, undefined)) ?? []).filter(
    ({ product_id, variant_id }) =>
      has(filters?.productEntityIds, product_id) && has(filters?.variantEntityIds, variant_id),
  )
  if (hideOutOfStock) {
    const cards = await Promise.all(rows.map(({ product_id }) => findCard(caller, product_id)))
    rows = rows.filter((_, i) => cards[i] && isSellable(cards[i]))
  }
  return connectionOf(rows, args)
}

/** Wish lists of customers. */
export const wishlistFields: Fields<'Wishlist' | 'PublicWishlist' | 'WishlistItem'> = {
  Wishlist: {
    entityId: ({ id }) => id,
    isPublic: ({ is_public }) => is_public,
    items: ({ id }, args, caller) => itemConnection(caller, id, args),
  },
  PublicWishlist: {
    entityId: ({ id }) => id,
    items: ({ id }, args, caller) => itemConnection(caller, id, args),
    isOwner: ({ customer_id }, _, { customer }) => customer?.id === customer_id,
  },
  WishlistItem: {
    entityId: ({ id }) => id,
    productEntityId: ({ product_id }) => product_id,
    variantEntityId: ({ variant_id }) => (variant_id === 0 ? null : variant_id),
    async product({ product_id, variant_id }, _, caller) {
      const card = await findCard(caller, product_id)
      if (!card) return null
      const variant = variant_id === 0 ? undefined : await findVariant(caller, variant_id)
      return variant && variant.id !== card.base_variant_id ? { ...productOf(card), variant } : productOf(card)
    },
  },
}
