import { prepared } from '../../../../../core/db/database.ts'
import { sql } from '../../../../../core/db/sql.ts'
import { Load } from '../../../../../core/graphql/loads.ts'
import { inventorySettings } from '../../../../../shop/settings/families/families.ts'
import type { StorefrontCaller } from '../../../caller.ts'
import type { Fields } from '../../types.ts'
import { connectionOf, type PageArgs } from '../connections.ts'
import { settingsFor } from '../shop.ts'
import type { ProductCard } from './rows/product-row.ts'
import type { VariantOnPage } from './rows/variant-row.ts'
import type { ConfiguredProduct } from './selection.ts'

// Stock as shoppers see it: the units for sale at all enabled locations, if the settings display them.

interface StockOfVariant {
  row: VariantOnPage
  card: ProductCard
}

declare module '../../types.ts' {
  interface Parents {
    ProductInventory: ConfiguredProduct
    VariantInventory: StockOfVariant
  }
}

/** The units for sale of a product or variant, and the level below which they are few. */
interface Level {
  level: number
  warning: number
}

export const isTracked = ({ inventory_tracking }: ProductCard) => inventory_tracking !== 'none'
export const isSellable = (card: ProductCard) => !isTracked(card) || card.inventory_level > 0

/** The level of a product, or of its chosen variant if variants are counted. */
const levelOf = ({ card, variant }: ConfiguredProduct): Level =>
  variant && card.inventory_tracking === 'variant'
    ? levelOfVariant({ row: variant, card })
    : { level: card.inventory_level, warning: card.inventory_warning_level }

const levelOfVariant = ({ row, card }: StockOfVariant): Level =>
  card.inventory_tracking === 'variant'
    ? { level: row.inventory_level ?? 0, warning: row.inventory_warning_level ?? 0 }
    : { level: card.inventory_level, warning: card.inventory_warning_level }

/** A level if the settings display it, else null. */
async function displayed(caller: StorefrontCaller, { level, warning }: Level) {
  const { stock_level_display } = (await settingsFor(caller)).of(inventorySettings)
  if (stock_level_display === 'dont_show' || (stock_level_display === 'show_when_low' && level > warning)) return null
  // Nothing is sold on backorder.
  return {
    availableToSell: level,
    warningLevel: warning,
    availableOnHand: level,
    unlimitedBackorder: false,
    availableForBackorder: null,
  }
}

export const aggregatedStock = async (caller: StorefrontCaller, card: ProductCard) =>
  isTracked(card) ? displayed(caller, { level: card.inventory_level, warning: card.inventory_warning_level }) : null

interface LocationRow {
  product_id: number
  variant_id: number
  location_id: number
  code: string
  type_id: string
  available: number
  warning_level: number
  is_in_stock: boolean
}

/** The stock at locations that shoppers see: of products, summed over their variants, or of single variants. */
const placesLoad = new Load<StorefrontCaller, number, LocationRow[], 'product' | 'variant'>(
  async ({ storefront: { db } }, ids, kind) => {
    const column = sql.id(kind === 'product' ? 'product_id' : 'variant_id')
    const rows = await db.rows<LocationRow & { owner: number }>(
      prepared(sql`
      select ${column} as owner, min(product_id) as product_id, min(variant_id) as variant_id, location_id,
        min(location.code) as code, min(location.type_id) as type_id,
        least(sum(greatest(0, on_hand - safety_stock)), 2147483647)::int as available,
        least(sum(warning_level), 2147483647)::int as warning_level, bool_or(is_in_stock) as is_in_stock
      from stock join locations location on location.store_id = ${db.store.id} and location.id = stock.location_id
        and location.enabled and location.storefront_visibility
      where stock.store_id = ${db.store.id} and ${column} = ${sql.anyOf(ids)} and is_tracked
      group by ${column}, location_id order by location_id`),
    )
    return Map.groupBy(rows, ({ owner }) => owner)
  },
)

interface PlaceArgs extends PageArgs {
  locationEntityIds: readonly number[] | null
  locationEntityCodes: readonly string[] | null
  locationEntityTypeIds: readonly string[] | null
}

async function placesOf(
  caller: StorefrontCaller,
  { card, variant }: { card: ProductCard; variant: number | undefined },
  { locationEntityIds, locationEntityCodes, locationEntityTypeIds, ...args }: PlaceArgs,
) {
  const [kind, id] =
    variant !== undefined && card.inventory_tracking === 'variant'
      ? (['variant', variant] as const)
      : (['product', card.id] as const)
  const has = <Value>(wanted: readonly Value[] | null, value: Value) => !wanted?.length || wanted.includes(value)
  const rows = ((await placesLoad.find(caller, id, kind)) ?? []).filter(
    ({ location_id, code, type_id }) =>
      has(locationEntityIds, location_id) && has(locationEntityCodes, code) && has(locationEntityTypeIds, type_id),
  )
  return connectionOf(
    rows.map(({ location_id, code, type_id, available, warning_level, is_in_stock }) => ({
      locationEntityId: location_id,
      locationEntityCode: code,
      locationEntityTypeId: type_id,
      locationEntityServiceTypeIds: [],
      availableToSell: available,
      warningLevel: warning_level,
      isInStock: is_in_stock && available > 0,
      locationDistance: null,
      backorderMessage: '',
    })),
    args,
  )
}

/** The stock of products and variants. */
export const stockFields: Fields<'ProductInventory' | 'VariantInventory'> = {
  ProductInventory: {
    isInStock: (product) => !isTracked(product.card) || levelOf(product).level > 0,
    isStockTracked: ({ card }) => isTracked(card),
    hasVariantInventory: ({ card }) => card.inventory_tracking === 'variant',
    aggregated: (product, _, caller) => (isTracked(product.card) ? displayed(caller, levelOf(product)) : null),
    byLocation: ({ card, variant }, args, caller) =>
      isTracked(card) ? placesOf(caller, { card, variant: variant?.id }, args) : null,
  },
  VariantInventory: {
    isInStock: (variant) => !isTracked(variant.card) || levelOfVariant(variant).level > 0,
    aggregated: (variant, _, caller) => (isTracked(variant.card) ? displayed(caller, levelOfVariant(variant)) : null),
    byLocation: ({ row, card }, args, caller) =>
      isTracked(card) ? placesOf(caller, { card, variant: row.id }, args) : null,
  },
}
