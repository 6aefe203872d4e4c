import { type Db, prepared, type Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { publish } from '../../../core/events/publish.ts'
import { toSeconds } from '../../../core/rest/input/dates.ts'
import { fold } from '../../../core/rest/lists/fold.ts'
import { newUuid } from '../../../core/secrets/row-ids.ts'
import {
  blankRow,
  FIRST_LOCATION,
  itemKey,
  STOCK_MAX,
  type StockItem,
  type StockPosition,
  type StockRow,
  stockAt,
  storeStock,
} from '../../stock/stock.ts'
import { type Product, publishProduct } from '../product-row/shape.ts'
import { updateSearchRows } from '../search/rows.ts'
import { isSummed, publishProductStock, publishSkuStock, trackedBy, type Variant } from './shape.ts'

// Stock as the catalog shows it. The levels of products and variants are the sums for sale at all enabled locations; warning
// level and bin are those of the first location (docs/contract/inventory.md section 5). All writers of stock use this file:
// the catalog for the levels in its requests, inventory and orders for the amounts that they have changed.

/** The stock fields of a catalog request. Null means no stock. */
export type Levels = Pick<Variant, 'inventory_level' | 'inventory_warning_level' | 'bin_picking_number'>

type CountedProduct = Pick<Product, 'id' | 'inventory_level' | 'inventory_tracking' | 'base_variant_id'>

const inCatalog = { cause: 'catalog' } as const

/** The stock rows of a new product or variant; none if the request has no stock fields. */
export function newStock(
  product: Pick<CountedProduct, 'id' | 'inventory_tracking' | 'base_variant_id'>,
  variant_id: number,
  { inventory_level, inventory_warning_level, bin_picking_number }: Partial<Levels>,
): StockRow[] {
  const tracked = trackedBy(product)
  const place = { product_id: product.id, variant_id, location_id: FIRST_LOCATION }
  const row = {
    ...blankRow(place, variant_id === 0 ? tracked.ofProduct : tracked.ofVariants),
    on_hand: inventory_level ?? 0,
    warning_level: inventory_warning_level ?? 0,
    bin_picking_number: bin_picking_number ?? '',
  }
  const isSaid = typeof inventory_level === 'number' || row.warning_level > 0 || row.bin_picking_number !== ''
  return isSaid ? [row] : []
}

/** The levels of a request that differ from the current ones. Clients send back the levels that they have read. */
export function changedLevels(shown: Levels, { ...given }: Partial<Levels>): Partial<Levels> {
  const other: Partial<Levels> = {}
  if (given.inventory_level !== undefined && given.inventory_level !== shown.inventory_level)
    other.inventory_level = given.inventory_level
  if (given.inventory_warning_level !== undefined && given.inventory_warning_level !== shown.inventory_warning_level)
    other.inventory_warning_level = given.inventory_warning_level
  if (given.bin_picking_number !== undefined && given.bin_picking_number !== shown.bin_picking_number)
    other.bin_picking_number = given.bin_picking_number
  return other
}

/** The result of storing the levels of a request. */
export interface StoredLevels {
  /** The levels for the row of the product or variant. */
  levels: Partial<Levels>
  /** Whether the amount at the first location has changed. */
  isMoved: boolean
}

/**
 * Stores levels of a catalog request at the first location: the level becomes the amount for sale there.
 * @param product locked
 * @param variant_id 0 for the product itself or its base variant
 * @param given only changed levels (`changedLevels`)
 */
export async function storeLevels(
  tx: Tx,
  product: Pick<CountedProduct, 'id' | 'inventory_tracking' | 'base_variant_id'>,
  variant_id: number,
  given: Partial<Levels>,
): Promise<StoredLevels> {
  const { inventory_level: level, inventory_warning_level: warning, bin_picking_number: bin } = given
  if (level === undefined && warning === undefined && bin === undefined) return { levels: {}, isMoved: false }
  const tracked = trackedBy(product)
  const place = { product_id: product.id, variant_id, location_id: FIRST_LOCATION }
  const [at] = await stockAt(tx, [place])
  if (!at) throw new Error('A stock position was not read.')
  const row = at.row ?? blankRow(place, variant_id === 0 ? tracked.ofProduct : tracked.ofVariants)
  const now = {
    ...row,
    ...(level === undefined ? {} : { on_hand: Math.min((level ?? 0) + row.safety_stock, STOCK_MAX) }),
    ...(warning === undefined ? {} : { warning_level: warning ?? 0 }),
    ...(bin === undefined ? {} : { bin_picking_number: bin ?? '' }),
  }
  const totals = await storeStock(tx, [{ ...at, now }], { ...inCatalog, transaction_id: newUuid() })
  const total = Math.min([...totals.values()][0] ?? 0, STOCK_MAX)
  return {
    levels: {
      ...given,
      ...(level === undefined ? {} : { inventory_level: level === null && total === 0 ? null : total }),
    },
    isMoved: now.on_hand !== (at.row?.on_hand ?? 0),
  }
}

/** The identity of an item in a request: exactly one of the three fields. */
export interface Identity {
  sku?: string
  variant_id?: number
  product_id?: number
}

/** An item with its locked product and the level that the catalog shows. */
export interface LockedItem extends StockItem {
  product: CountedProduct
  /** The variant in events and answers: the base variant of a product without options, and 0 for a product with options. */
  reported_variant_id: number
  level: number
  is_tracked: boolean
}

/** An item with the level of its variant; null for a product. */
type LeveledItem = StockItem & { level: number | null }

/**
 * Finds the items of identities, without regard to the tracking of their products.
 * @returns undefined for an unknown identity
 */
export async function findItems(db: Db, identities: readonly Identity[]): Promise<(LeveledItem | undefined)[]> {
  const skus = identities.flatMap(({ sku }) => (sku === undefined ? [] : [fold(sku)]))
  const ids = identities.flatMap(({ variant_id }) => variant_id ?? [])
  const [bySku, byId] = await Promise.all([
    skus.length === 0
      ? []
      : db.rows<LeveledItem & { sku_key: string }>(
          prepared(sql`
          select sku_key, product_id, variant_id, (
            select coalesce(inventory_level, 0) from variants variant
            where variant.store_id = ${db.store.id} and variant.id = skus.variant_id
          ) as level
          from skus where store_id = ${db.store.id} and sku_key = any(${skus})`),
        ),
    ids.length === 0
      ? []
      : db.rows<LeveledItem & { id: number }>(
          // A base variant has no SKU of its own.
          prepared(sql`
          select id, product_id, coalesce(sku_id, 0) as variant_id, coalesce(inventory_level, 0) as level
          from variants where store_id = ${db.store.id} and id = any(${ids})`),
        ),
  ])
  const skuOf = new Map(bySku.map(({ sku_key, ...item }) => [sku_key, item]))
  const variantOf = new Map(byId.map(({ id, ...item }) => [id, item]))
  return identities.map(({ sku, variant_id, product_id }) => {
    if (sku !== undefined) return skuOf.get(fold(sku))
    if (variant_id !== undefined) return variantOf.get(variant_id)
    return product_id === undefined ? undefined : { product_id, variant_id: 0, level: null }
  })
}

/** Finds the items of identities and locks their products, in the order of the ids. One round trip. */
function lockNamed(
  tx: Tx,
  identities: readonly Identity[],
): Promise<{ products: ReadonlyMap<number, CountedProduct>; named: (LeveledItem | undefined)[] }> {
  return tx.together(() => ({
    products: lockProductsOf(tx, identities),
    // Read after the locks, so that nobody changes the items any more. An item that has another product by then counts as missing.
    named: findItems(tx, identities),
  }))
}

/** The item that holds the stock of each variant, and whether it is tracked, by variant. */
export async function stockItemsOf(
  db: Db,
  variantIds: readonly number[],
): Promise<ReadonlyMap<number, StockItem & { is_counted: boolean }>> {
  const rows = await db.rows<StockItem & { id: number; is_counted: boolean }>(
    prepared(sql`
    select variant.id, product_id, inventory_tracking <> 'none' as is_counted,
      case inventory_tracking when 'variant' then coalesce(sku_id, 0) else 0 end as variant_id
    from variants variant
    join products product on product.store_id = ${db.store.id} and product.id = variant.product_id
    where variant.store_id = ${db.store.id} and variant.id = any(${[...new Set(variantIds)]})`),
  )
  return new Map(rows.map(({ id, ...item }) => [id, item]))
}

/**
 * Finds the items of identities and locks their products, in the order of the ids.
 * @returns for each the item, or a sentence with the reason why there is none
 */
export async function lockItems(tx: Tx, identities: readonly Identity[]): Promise<(LockedItem | string)[]> {
  const { products, named } = await lockNamed(tx, identities)
  return named.map((item, i) => {
    const identity = identities[i] ?? {}
    const product = products.get(item?.product_id ?? 0)
    if (!item || !product) return `There is no ${describeIdentity(identity)}.`
    const isOwn = item.variant_id === 0
    const level = isOwn ? product.inventory_level : item.level
    // The variant may have been deleted before the product was locked.
    if (level === null) return `There is no ${describeIdentity(identity)}.`
    if (isOwn && isSummed(product)) {
      return `The item with ${describeIdentity(identity)} is tracked by variant: use variant_id or sku of a variant.`
    }
    if (!isOwn && product.inventory_tracking === 'product') {
      return `The item with ${describeIdentity(identity)} is tracked by product: use product_id ${product.id}.`
    }
    return lockedItem(product, item.variant_id, level)
  })
}

function lockedItem(product: CountedProduct, variant_id: number, level: number): LockedItem {
  const isOwn = variant_id === 0
  const tracked = trackedBy(product)
  return {
    product,
    product_id: product.id,
    variant_id,
    reported_variant_id: isOwn ? (product.base_variant_id ?? 0) : variant_id,
    level,
    is_tracked: isOwn ? tracked.ofProduct : tracked.ofVariants,
  }
}

/** Locks the products of items with stock, tracked or not. @returns the items by `itemKey` */
export async function lockStockedItems(tx: Tx, items: readonly StockItem[]): Promise<ReadonlyMap<string, LockedItem>> {
  const products = await lockCountedProducts(
    tx,
    items.map(({ product_id }) => product_id),
  )
  const levels = await levelsOf(tx, items)
  const held = items.flatMap((item) => {
    const product = products.get(item.product_id)
    const level = item.variant_id === 0 ? product?.inventory_level : levels.get(item.variant_id)
    if (!product || level === undefined) return []
    return [lockedItem(product, item.variant_id, level)]
  })
  return new Map(held.map((item) => [itemKey(item), item]))
}

const describeIdentity = (identity: Identity) =>
  Object.entries(identity)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name} ${value}`)
    .join()

/**
 * Finds the items whose stock changes when variants are sold: the variant, or its product if that is tracked. Locks their
 * products.
 * @returns by the id of the variant, without variants that are unknown or not tracked
 */
export async function lockSoldItems(tx: Tx, variantIds: readonly number[]): Promise<ReadonlyMap<number, LockedItem>> {
  const { products, named } = await lockNamed(
    tx,
    variantIds.map((variant_id) => ({ variant_id })),
  )
  const sold = named.flatMap((item, i): [number, LockedItem][] => {
    const id = variantIds[i] ?? 0
    const product = products.get(item?.product_id ?? 0)
    if (!item || !product || product.inventory_tracking === 'none') return []
    const isOwn = item.variant_id === 0 || product.inventory_tracking === 'product'
    const level = isOwn ? product.inventory_level : item.level
    return level === null ? [] : [[id, lockedItem(product, isOwn ? 0 : item.variant_id, level)]]
  })
  return new Map(sold)
}

/** Locks the products of identities until the transaction ends, in the order of their ids. */
async function lockProductsOf(tx: Tx, identities: readonly Identity[]): Promise<ReadonlyMap<number, CountedProduct>> {
  const own = identities.flatMap(({ product_id }) => product_id ?? [])
  if (own.length === identities.length) return lockCountedProducts(tx, own)
  const rows = await tx.rows<CountedProduct>(
    prepared(sql`
    select id, inventory_level, inventory_tracking, base_variant_id from products
    where store_id = ${tx.store.id} and id = any(array(
      select product_id from variants
      where store_id = ${tx.store.id} and id = any(${identities.flatMap(({ variant_id }) => variant_id ?? [])})
      union all
      select product_id from skus
      where store_id = ${tx.store.id} and sku_key = any(${identities.flatMap(({ sku }) => (sku === undefined ? [] : [fold(sku)]))})
      union all
      select unnest(${own}::int[])
    ))
    order by id for no key update`),
  )
  return new Map(rows.map((row) => [row.id, row]))
}

/** Locks products until the transaction ends, in the order of their ids. */
export async function lockCountedProducts(
  tx: Tx,
  ids: readonly number[],
): Promise<ReadonlyMap<number, CountedProduct>> {
  const rows = await tx.rows<CountedProduct>(
    prepared(sql`
    select id, inventory_level, inventory_tracking, base_variant_id from products
    where store_id = ${tx.store.id} and id = any(${[...new Set(ids)]}) order by id for no key update`),
  )
  return new Map(rows.map((row) => [row.id, row]))
}

/** The levels of variants; 0 for a variant without stock. */
async function levelsOf(tx: Tx, named: readonly (StockItem | undefined)[]): Promise<ReadonlyMap<number, number>> {
  const ids = named.flatMap((item) => item?.variant_id || [])
  if (ids.length === 0) return new Map()
  const rows = await tx.rows<{ id: number; level: number }>(
    prepared(sql`
    select id, coalesce(inventory_level, 0) as level from variants where store_id = ${tx.store.id} and id = any(${ids})`),
  )
  return new Map(rows.map(({ id, level }) => [id, level]))
}

/** The new stock of an item. */
export interface StockUpdate {
  item: LockedItem
  /** The amount for sale at all locations. */
  total: number
  /** The settings of the first location, if they have changed. */
  settings?: Pick<StockRow, 'warning_level' | 'bin_picking_number'>
}

/**
 * Stores new stock in the rows of products and variants, and publishes it: first the product, then its stock or that of its
 * SKUs (docs/contract/inventory.md section 6).
 * @param changes of locked items, each item once
 * @param cause whether an order changed the stock
 */
export async function updateCatalogStock(tx: Tx, changes: readonly StockUpdate[], cause: 'panel' | 'order' = 'panel') {
  // A product shows the sum of its variants while they are tracked, and not its own stock.
  const levels = changes
    .filter(({ item }) => item.variant_id > 0 || !isSummed(item.product))
    .map((change) => ({ ...change, level: Math.min(change.total, STOCK_MAX) }))
  const moved = levels.filter(({ item, level }) => item.level !== level)
  const set = levels.filter(({ settings }) => settings !== undefined)
  const touched = [...new Map([...moved, ...set].map(({ item }) => [item.product_id, item.product])).values()]
  if (touched.length === 0) return
  // Events are published first, so that they can leave with these statements.
  const byProduct = Map.groupBy(moved, ({ item }) => item.product_id)
  for (const { id } of touched) {
    publishProduct(tx, 'updated', id)
    for (const { item, level } of byProduct.get(id) ?? []) {
      if (cause === 'order') publishOrderedStock(tx, item, level - item.level)
      else if (item.variant_id === 0) publishProductStock(tx, { id, inventory_level: level })
      else publishSkuStock(tx, { id: item.variant_id, product_id: id, inventory_level: level })
    }
  }
  // In this order, though in one round trip: products sum the levels of their variants.
  await tx.together(() => [
    updateVariantLevels(tx, moved),
    updateVariantSettings(tx, set),
    updateProductLevels(tx, touched, moved),
    updateProductSettings(tx, set),
  ])
}

interface Leveled {
  item: LockedItem
  level: number
}

/** Includes base variants. */
async function updateVariantLevels(tx: Tx, moved: readonly Leveled[]) {
  const some = moved.map(({ item, level }) => ({ id: item.reported_variant_id, level })).filter(({ id }) => id > 0)
  if (some.length === 0) return
  await tx.rows(
    prepared(sql`
    update variants set inventory_level = given.level
    from ${sql.table('given', some, { id: 'int', level: 'int' })}
    where variants.store_id = ${tx.store.id} and variants.id = given.id`),
  )
}

/** A product gets its own level, or the sum of its variants if they are tracked. */
async function updateProductLevels(tx: Tx, touched: readonly CountedProduct[], moved: readonly Leveled[]) {
  updateSearchRows(
    tx,
    touched.map(({ id }) => id),
    'row',
  )
  const own = new Map(moved.flatMap(({ item, level }) => (item.variant_id === 0 ? [[item.product_id, level]] : [])))
  const leveled = touched.map((product) => ({
    id: product.id,
    // Null for a product that sums its variants.
    level: isSummed(product) ? null : (own.get(product.id) ?? product.inventory_level),
  }))
  await tx.rows(
    prepared(sql`
    update products set date_modified = ${toSeconds(tx.now)}::timestamptz, inventory_level = coalesce(given.level, (
      select least(coalesce(sum(variant.inventory_level), 0), ${STOCK_MAX})::int from variants variant
      where variant.store_id = ${tx.store.id} and variant.product_id = given.id
    ))
    from ${sql.table('given', leveled, { id: 'int', level: 'int' })}
    where products.store_id = ${tx.store.id} and products.id = given.id`),
  )
}

interface Described {
  item: LockedItem
  settings?: Pick<StockRow, 'warning_level' | 'bin_picking_number'>
}

const SETTINGS_TYPES = { id: 'int', warning: 'int', bin: 'text' } as const

const settingsRow = ({ settings }: Described, id: number) => ({
  id,
  warning: settings?.warning_level ?? 0,
  bin: settings?.bin_picking_number ?? '',
})

async function updateVariantSettings(tx: Tx, set: readonly Described[]) {
  const some = set.map((one) => settingsRow(one, one.item.reported_variant_id)).filter(({ id }) => id > 0)
  if (some.length === 0) return
  await tx.rows(sql`
    update variants set inventory_warning_level = given.warning, bin_picking_number = given.bin
    from ${sql.table('given', some, SETTINGS_TYPES)}
    where variants.store_id = ${tx.store.id} and variants.id = given.id`)
}

async function updateProductSettings(tx: Tx, set: readonly Described[]) {
  const some = set.filter(({ item }) => item.variant_id === 0).map((one) => settingsRow(one, one.item.product_id))
  if (some.length === 0) return
  await tx.rows(sql`
    update products set inventory_warning_level = given.warning, bin_picking_number = given.bin
    from ${sql.table('given', some, SETTINGS_TYPES)}
    where products.store_id = ${tx.store.id} and products.id = given.id`)
}

/** store/product/inventory/order/updated or store/sku/inventory/order/updated (docs/contract/webhooks.md section 6). */
function publishOrderedStock(tx: Tx, { product_id, variant_id }: StockItem, value: number) {
  const inventory = { product_id, method: 'relative', value }
  if (variant_id === 0) {
    const data = { type: 'product', id: product_id, inventory }
    publish(tx, 'store/product/inventory/order/updated', `product ${product_id}`, data)
  } else {
    const data = { type: 'sku', id: variant_id, inventory: { ...inventory, variant_id } }
    publish(tx, 'store/sku/inventory/order/updated', `sku ${variant_id}`, data)
  }
}

type StockScope = 'stock_changed' | 'low_stock_reached' | 'out_of_stock_reached' | 'settings_changed'

/**
 * Publishes an event of a stock position (docs/contract/webhooks.md section 6). The asterisk belongs to the scope: one event
 * is for all channels.
 * @param variant_id the reported variant (`LockedItem`)
 */
export function publishPositionEvent(
  tx: Tx,
  scope: StockScope,
  { variant_id, product_id, location_id }: StockPosition,
) {
  const resource = `stock of ${product_id} ${variant_id} at location ${location_id}`
  publish(tx, `store/channel/*/inventory/product/${scope}`, resource, { variant_id, product_id, location_id })
}

/** Publishes that a catalog request changed the stock of the first location. */
export const publishFirstLocationChange = (tx: Tx, product_id: number, variant_id: number) =>
  publishPositionEvent(tx, 'stock_changed', { variant_id, product_id, location_id: FIRST_LOCATION })

/** The names of an item in answers. */
export interface ItemNames {
  sku: string
  product_id: number
  variant_id?: number
  sku_id?: number
}

/** The names of items, in their order; undefined for deleted items. */
export async function namesOf(db: Db, items: readonly StockItem[]): Promise<(ItemNames | undefined)[]> {
  const productIds = items.flatMap(({ product_id, variant_id }) => (variant_id === 0 ? product_id : []))
  const variantIds = items.flatMap(({ variant_id }) => (variant_id === 0 ? [] : variant_id))
  const [products, variants] = await Promise.all([
    db.rows<{ id: number; sku: string; base_variant_id: number | null }>(sql`
      select id, sku, base_variant_id from products where store_id = ${db.store.id} and id = any(${productIds})`),
    db.rows<{ id: number; sku: string; sku_id: number }>(sql`
      select id, sku, sku_id from variants where store_id = ${db.store.id} and id = any(${variantIds})`),
  ])
  const productOf = new Map(products.map((row) => [row.id, row]))
  const variantOf = new Map(variants.map((row) => [row.id, row]))
  return items.map(({ product_id, variant_id }) => {
    const variant = variantOf.get(variant_id)
    if (variant) return { sku: variant.sku, product_id, variant_id, sku_id: variant.sku_id }
    const product = variant_id === 0 ? productOf.get(product_id) : undefined
    if (!product) return undefined
    return { sku: product.sku, product_id, ...(product.base_variant_id ? { variant_id: product.base_variant_id } : {}) }
  })
}
