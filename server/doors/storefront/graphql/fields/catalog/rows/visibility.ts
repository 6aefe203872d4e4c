import type { Static } from 'typebox'
import { prepared } from '../../../../../../core/db/database.ts'
import { type Sql, sql } from '../../../../../../core/db/sql.ts'
import { literal, VALUES } from '../../../../../../goods/catalog/search/values.ts'
import { inventorySettings } from '../../../../../../shop/settings/families/families.ts'
import {
  type SettingsColumns,
  settingsColumns,
  settingsReader,
} from '../../../../../../shop/settings/families/family.ts'
import type { StorefrontCaller } from '../../../../caller.ts'
import type { Storefront } from '../../../../storefronts.ts'
import { type Access, accessRows, rulesFor } from '../../shop.ts'

// The one function that decides which products and categories a shopper may see (docs/contract/storefront-graphql.md section 6).

type Place = Pick<Storefront, 'db' | 'channel'>

/** The rules by which a shopper sees the catalog. */
export interface Visibility {
  channel: number
  store: number
  access: Access
  /** Whether products that are sold out are missing in lists, and by themselves. */
  hidesSoldOut: { inLists: boolean; alone: boolean }
}

export async function visibilityFor(caller: StorefrontCaller): Promise<Visibility> {
  const { access, settings } = await rulesFor(caller)
  return rulesOf(caller.storefront, access, settings.of(inventorySettings))
}

/** The rules for guests, outside of GraphQL. */
export const guestVisibility = (place: Place): Promise<Visibility> => shopperVisibility(place, 0)

/** The rules for a customer, outside of the storefront. @param customer 0 for a guest */
export async function shopperVisibility(place: Place, customer: number): Promise<Visibility> {
  const { db, channel } = place
  const { levels, name, ...access } = await db.row<Access & SettingsColumns>(
    prepared(sql`
    select access.*, ${settingsColumns(db, [inventorySettings], channel)} from ${accessRows(place, customer)} access`),
  )
  return rulesOf(place, access, settingsReader({ levels, name }, channel).of(inventorySettings))
}

function rulesOf(
  { db, channel }: Place,
  access: Access,
  { product_out_of_stock_behavior: behavior }: Static<typeof inventorySettings.shape>,
): Visibility {
  return {
    channel,
    store: db.store.id,
    access,
    hidesSoldOut: {
      inLists: behavior !== 'do_nothing',
      alone: behavior === 'hide_product' || behavior === 'hide_product_and_redirect',
    },
  }
}

/** The condition that units of a product are for sale, or need not be. The table is `products`. */
export const isInStock: Sql = sql`(products.inventory_tracking = 'none' or products.inventory_level > 0)`

/** The condition that a shopper may see a row of `products`. @param place in a list, or alone */
export function isVisibleProduct(
  { channel, store, access, hidesSoldOut }: Visibility,
  place: 'inLists' | 'alone',
): Sql {
  const { access_type, group_id } = access
  if (access_type === 'none') return sql`false`
  const ofGroup =
    access_type === 'specific'
      ? sql` and exists (
          select 1 from product_categories place join customer_group_categories allowed
            on allowed.store_id = ${store} and allowed.group_id = ${group_id} and allowed.category_id = place.category_id
          where place.store_id = ${store} and place.product_id = products.id)`
      : sql.empty
  return sql`(products.is_visible and exists (
      select 1 from product_channels place
      where place.store_id = ${store} and place.channel_id = ${channel} and place.product_id = products.id
    )${hidesSoldOut[place] ? sql` and ${isInStock}` : sql.empty}${ofGroup})`
}

/** The part of the condition that doesn't depend on stock, for a shopper whose access the statement reads as a table named `access`. */
export const isOpenProduct = ({ db, channel }: Place): Sql => sql`(products.is_visible and exists (
    select 1 from product_channels place
    where place.store_id = ${db.store.id} and place.channel_id = ${channel} and place.product_id = products.id
  ) and case access.access_type when 'none' then false when 'specific' then exists (
    select 1 from product_categories place join customer_group_categories allowed
      on allowed.store_id = ${db.store.id} and allowed.group_id = access.group_id and allowed.category_id = place.category_id
    where place.store_id = ${db.store.id} and place.product_id = products.id
  ) else true end)`

/** The condition that a shopper finds a row of `search_rows`, the copies of visible products in their channels, named `hit`. */
export function isVisibleHit({ channel, store, access, hidesSoldOut }: Visibility): Sql {
  const { access_type, group_id } = access
  const ofGroup =
    access_type === 'specific'
      ? sql` and exists (
          select 1 from product_facets place join customer_group_categories allowed
            on allowed.store_id = ${store} and allowed.group_id = ${group_id}
            and place.value = ${literal(VALUES.category)} + allowed.category_id
          where place.store_id = ${store} and place.product_id = hit.product_id)`
      : sql.empty
  return sql`hit.store_id = ${store} and hit.channel_id = ${channel}${
    hidesSoldOut.inLists ? sql` and hit.in_stock` : sql.empty
  }${access_type === 'none' ? sql` and false` : ofGroup}`
}

/** The condition that a shopper may see a row of `categories`, apart from its tree and from categories above it. */
export function isVisibleCategory({ store, access: { access_type, group_id } }: Visibility): Sql {
  if (access_type === 'none') return sql`false`
  if (access_type !== 'specific') return sql`categories.is_visible`
  return sql`(categories.is_visible and exists (
    select 1 from customer_group_categories allowed
    where allowed.store_id = ${store} and allowed.group_id = ${group_id} and allowed.category_id = categories.id))`
}
