import { type Db, prepared, type Tx } from '../../core/db/database.ts'
import { type Sql, sql } from '../../core/db/sql.ts'
import { toSeconds } from '../../core/rest/input/dates.ts'
import { newUuid } from '../../core/secrets/row-ids.ts'

// A stock item is a variant, or a product itself. A stock position is an item at a location. Its row begins with the first
// amount or setting that is stored for it, and ends when the product, the variant or the location is deleted. The catalog,
// inventory and orders change its amount; only the catalog and inventory change its settings. The amount for sale is the
// amount on hand minus the safety stock, never below 0, and counts only while the location is enabled. Every change of an
// amount is recorded with its cause; a position keeps its 1,000 latest changes. Orders take units by commitments, which
// remember the position so that units can go back there. This file knows ids and sums only: it reads no product and publishes
// no event (docs/decisions/021-stock.md).
//
// A transaction that changes stock first locks the rows of the products, in the order of their ids. So the stock of a product
// is changed by one transaction at a time, and no two transactions wait for each other in a circle.

/** The location that every store has from its creation. The catalog shows and changes the stock of this location. */
export const FIRST_LOCATION = 1

/** The largest amount that a column holds. Larger sums are reported as this amount. */
export const STOCK_MAX = 2_147_483_647

/** The number of recorded changes that each stock position keeps. */
const CHANGES_MAX = 1_000

/** A counted item: a variant, or with `variant_id` 0 the product itself. A base variant shares the stock of its product. */
export interface StockItem {
  product_id: number
  variant_id: number
}

export interface StockPosition extends StockItem {
  location_id: number
}

/** The settings of an item at a location, which merchants change. */
interface StockSettings {
  /** Units that are not for sale. */
  safety_stock: number
  is_in_stock: boolean
  warning_level: number
  bin_picking_number: string
}

export interface StockRow extends StockPosition, StockSettings {
  on_hand: number
  /** Whether the location is enabled. */
  counts: boolean
  /** Whether the product is tracked by this item. */
  is_tracked: boolean
  /** The number of times that the amount has changed. */
  version: number
}

/** A stock position with its row, and the amount for sale of the item at all locations. */
export interface StockAt {
  position: StockPosition
  /** Undefined if nothing was stored for the position yet. */
  row: StockRow | undefined
  total: number
  /** The last recorded version of a row that was deleted, or null. A new row continues from it. */
  last_version: number | null
}

/** The cause of a change of an amount, as it is recorded. */
export interface ChangeOrigin {
  transaction_id: string
  cause: 'absolute' | 'relative' | 'order' | 'order_edit' | 'order_cancel' | 'catalog' | 'location_delete'
  reason?: string
  client_id?: string | null
  order_id?: number | null
}

const COLUMNS = [
  'product_id',
  'variant_id',
  'location_id',
  'on_hand',
  'safety_stock',
  'is_in_stock',
  'warning_level',
  'bin_picking_number',
  'counts',
  'is_tracked',
  'version',
] as const

/** The row of a position for which nothing was stored yet. */
export const blankRow = (place: StockPosition, is_tracked: boolean): StockRow => ({
  ...place,
  on_hand: 0,
  safety_stock: 0,
  is_in_stock: true,
  warning_level: 0,
  bin_picking_number: '',
  counts: true,
  is_tracked,
  version: 0,
})

/** The amount for sale at a location. */
export const available = ({ on_hand, safety_stock }: Pick<StockRow, 'on_hand' | 'safety_stock'>) =>
  Math.max(0, on_hand - safety_stock)

const availableIfCounted = (row: StockRow | undefined) => (row?.counts ? available(row) : 0)

export const itemKey = ({ product_id, variant_id }: StockItem) => `${product_id} ${variant_id}`

/** Reads stock positions. @param positions of locked products @returns in the order of the positions */
export async function stockAt(tx: Tx, positions: readonly StockPosition[]): Promise<StockAt[]> {
  if (positions.length === 0) return []
  const found = await tx.rows<StockRow & { nr: number; total: number; is_there: boolean; last_version: number | null }>(
    prepared(sql`
    select place.nr::int, row.store_id is not null as is_there, ${sql.join(COLUMNS.map((column) => sql`row.${sql.id(column)}`))},
      coalesce((
        select sum(greatest(other.on_hand - other.safety_stock, 0)) from stock other
        where other.store_id = ${tx.store.id} and other.product_id = place.product_id
          and other.variant_id = place.variant_id and other.counts
      ), 0) as total,
      case when row.store_id is null then (
        select max(version) from stock_changes change
        where change.store_id = ${tx.store.id} and change.product_id = place.product_id
          and change.variant_id = place.variant_id and change.location_id = place.location_id
      ) end as last_version
    from ${positionTable(positions)} with ordinality as place (product_id, variant_id, location_id, nr)
    left join stock row on row.store_id = ${tx.store.id} and row.product_id = place.product_id
      and row.variant_id = place.variant_id and row.location_id = place.location_id`),
  )
  const byNumber = new Map(found.map((row) => [row.nr, row]))
  return positions.map((position, i) => {
    const nothing = { nr: 0, is_there: false, total: 0, last_version: null }
    const { nr: _, is_there, total, last_version, ...row } = byNumber.get(i + 1) ?? nothing
    return { position, row: is_there && 'on_hand' in row ? row : undefined, total, last_version }
  })
}

/** Positions as a table of three columns. */
const positionTable = (positions: readonly StockPosition[]): Sql => sql`unnest(
  ${positions.map(({ product_id }) => product_id)}::int[], ${positions.map(({ variant_id }) => variant_id)}::int[],
  ${positions.map(({ location_id }) => location_id)}::int[])`

/** A stock position with its new row. */
export interface StockChange extends StockAt {
  now: StockRow
}

/**
 * Stores the new rows of positions, and records the changed amounts.
 * @param changes of positions that `stockAt` read in this transaction, each position once
 * @returns the amount for sale of each item after the changes, by `itemKey`
 */
export async function storeStock(
  tx: Tx,
  changes: readonly StockChange[],
  note: ChangeOrigin,
): Promise<ReadonlyMap<string, number>> {
  const rows = changes.map(({ row, now, last_version }) => ({
    now: { ...now, version: versionAfter(row, now, last_version) },
    before: row,
  }))
  const fresh = rows.flatMap(({ before, now }) => (before ? [] : [now]))
  const old = rows.flatMap(({ before, now }) => (before ? [{ before, now }] : []))
  await tx.together(() => [
    insertStock(tx, fresh),
    recordFirstAmounts(tx, fresh, note),
    updateStock(tx, old, note),
    deleteOldChanges(
      tx,
      rows.map(({ now }) => now),
    ),
  ])
  return totalsAfter(changes)
}

/** The amount for sale of each item at all locations after the changes. Pure. */
export function totalsAfter(changes: readonly StockChange[]): ReadonlyMap<string, number> {
  const totals = new Map<string, number>()
  for (const { position, row, now, total } of changes) {
    const before = totals.get(itemKey(position)) ?? total
    totals.set(itemKey(position), before - availableIfCounted(row) + availableIfCounted(now))
  }
  return totals
}

/**
 * Each recorded change has its own version. The versions of a position follow each other even if its row was deleted in
 * between.
 */
function versionAfter(row: StockRow | undefined, now: StockRow, last_version: number | null): number {
  if (!row) return last_version === null ? 0 : last_version + 1
  return row.on_hand === now.on_hand ? row.version : row.version + 1
}

/** Stores the rows of positions that have none. */
export async function insertStock(tx: Tx, rows: readonly StockRow[]) {
  if (rows.length === 0) return
  await tx.rows(
    prepared(sql`
    insert into stock (store_id, ${sql.join(COLUMNS.map(sql.id))})
    select ${tx.store.id}, * from ${columnsOf(rows)} on conflict do nothing`),
  )
}

/** Updates the rows of positions, and records the changed amounts in the same statement. */
async function updateStock(tx: Tx, rows: readonly { before: StockRow; now: StockRow }[], note: ChangeOrigin) {
  const changing = CHANGING.filter(({ column }) => rows.some(({ before, now }) => before[column] !== now[column]))
  if (changing.length === 0) return
  const of = <K extends keyof StockRow>(column: K) => rows.map(({ now }) => now[column])
  const columns = changing.map(({ column }) => sql.id(column))
  await tx.rows(
    prepared(sql`
    with moved as (
      update stock set ${sql.join(columns.map((column) => sql`${column} = given.${column}`))}
      from unnest(
        ${of('product_id')}::int[], ${of('variant_id')}::int[], ${of('location_id')}::int[],
        ${rows.map(({ before }) => before.on_hand)}::int[],
        ${sql.join(changing.map(({ column, type }) => sql`${of(column)}::${type}[]`))}
      ) as given (product_id, variant_id, location_id, amount_before, ${sql.join(columns)})
      where stock.store_id = ${tx.store.id} and stock.product_id = given.product_id
        and stock.variant_id = given.variant_id and stock.location_id = given.location_id
      returning stock.product_id, stock.variant_id, stock.location_id, stock.version, given.amount_before, stock.on_hand
    )
    ${insertionOfChanges(tx, note)} from moved where amount_before <> on_hand on conflict do nothing`),
  )
}

/** The columns that a change can update. */
const CHANGING = [
  { column: 'on_hand', type: sql`int` },
  { column: 'safety_stock', type: sql`int` },
  { column: 'is_in_stock', type: sql`boolean` },
  { column: 'warning_level', type: sql`int` },
  { column: 'bin_picking_number', type: sql`text` },
  { column: 'counts', type: sql`boolean` },
  { column: 'version', type: sql`int` },
] as const

/** Rows as a table, in the order of `COLUMNS`. */
const columnsOf = (rows: readonly StockRow[]): Sql => {
  const of = <K extends keyof StockRow>(column: K) => rows.map((row) => row[column])
  return sql`unnest(
    ${of('product_id')}::int[], ${of('variant_id')}::int[], ${of('location_id')}::int[], ${of('on_hand')}::int[],
    ${of('safety_stock')}::int[], ${of('is_in_stock')}::boolean[], ${of('warning_level')}::int[],
    ${of('bin_picking_number')}::text[], ${of('counts')}::boolean[], ${of('is_tracked')}::boolean[], ${of('version')}::int[])`
}

/** Records the first amounts of new rows. */
async function recordFirstAmounts(tx: Tx, fresh: readonly StockRow[], note: ChangeOrigin) {
  const some = fresh.filter(({ on_hand }) => on_hand > 0)
  if (some.length === 0) return
  await tx.rows(
    prepared(sql`
    ${insertionOfChanges(tx, note)} from (
      select product_id, variant_id, location_id, version, 0 as amount_before, on_hand
      from ${columnsOf(some)} as given (${sql.join(COLUMNS.map(sql.id))})
    ) moved on conflict do nothing`),
  )
}

/** The beginning of a statement that records changed amounts. */
const insertionOfChanges = (
  tx: Tx,
  { transaction_id, cause, reason = '', client_id = null, order_id = null }: ChangeOrigin,
): Sql => sql`
  insert into stock_changes (store_id, product_id, variant_id, location_id, version, amount_before, amount_after,
    transaction_id, cause, reason, client_id, order_id, changed_at)
  select ${tx.store.id}, product_id, variant_id, location_id, version, amount_before, on_hand,
    ${transaction_id}, ${cause}, ${reason}, ${client_id}, ${order_id}::int, ${toSeconds(tx.now)}::timestamptz`

/** Deletes the recorded changes that are too old. Each new change deletes one old change, so that no job has to. */
async function deleteOldChanges(tx: Tx, moved: readonly StockRow[]) {
  const long = moved.filter(({ version }) => version >= CHANGES_MAX)
  if (long.length === 0) return
  await tx.rows(
    prepared(sql`
    delete from stock_changes using unnest(
      ${long.map(({ product_id }) => product_id)}::int[], ${long.map(({ variant_id }) => variant_id)}::int[],
      ${long.map(({ location_id }) => location_id)}::int[], ${long.map(({ version }) => version - CHANGES_MAX)}::int[]
    ) as old (product_id, variant_id, location_id, version)
    where stock_changes.store_id = ${tx.store.id} and stock_changes.product_id = old.product_id
      and stock_changes.variant_id = old.variant_id and stock_changes.location_id = old.location_id
      and stock_changes.version = old.version`),
  )
}

/**
 * The condition that a location has all of these items for sale, each in its quantity. PostgreSQL looks rows up by their keys
 * and stops at the first that is too small (docs/decisions/022-the-search-for-a-place.md).
 * @param location_id a column
 */
export const hasAll = (
  { store }: Db,
  wanted: readonly (StockItem & { quantity: number })[],
  location_id: Sql,
): Sql => sql`not exists (
  select 1 from unnest(
    ${wanted.map(({ product_id }) => product_id)}::int[], ${wanted.map(({ variant_id }) => variant_id)}::int[],
    ${wanted.map(({ quantity }) => quantity)}::bigint[]
  ) as wanted (product_id, variant_id, quantity)
  where not coalesce((
    select is_in_stock and on_hand - safety_stock >= wanted.quantity from stock
    where store_id = ${store.id} and product_id = wanted.product_id and variant_id = wanted.variant_id
      and stock.location_id = ${location_id}
  ), false))`

/** The amount for sale of an item at all locations. */
export async function totalOf(db: Db, { product_id, variant_id }: StockItem): Promise<number> {
  const { total } = await db.row<{ total: number }>(sql`
    select coalesce(sum(greatest(on_hand - safety_stock, 0)), 0) as total from stock
    where store_id = ${db.store.id} and product_id = ${product_id} and variant_id = ${variant_id} and counts`)
  return total
}

/** Stores whether a product is tracked by itself (`ofProduct`) and by its variants (`ofVariants`). */
export async function trackStock(
  tx: Tx,
  product_id: number,
  { ofProduct, ofVariants }: { ofProduct: boolean; ofVariants: boolean },
) {
  await tx.rows(sql`
    update stock set is_tracked = case when variant_id = 0 then ${ofProduct}::boolean else ${ofVariants}::boolean end
    where store_id = ${tx.store.id} and product_id = ${product_id}`)
}

/** Sets the stock of a product itself to 0 at all locations. Its settings stay. @param product_id of a locked product */
export async function emptyProduct(tx: Tx, product_id: number) {
  const rows = await tx.rows<StockRow>(sql`
    select ${sql.join(COLUMNS.map(sql.id))} from stock
    where store_id = ${tx.store.id} and product_id = ${product_id} and variant_id = 0 and on_hand > 0`)
  if (rows.length === 0) return
  const changes = rows.map((row) => ({ position: row, row, total: 0, last_version: null, now: { ...row, on_hand: 0 } }))
  await storeStock(tx, changes, { transaction_id: newUuid(), cause: 'catalog' })
}

/** The amounts of all variants of products together, at each location. @param productIds of locked products */
export const sumsOfVariants = (tx: Tx, productIds: readonly number[]) =>
  tx.rows<{ product_id: number; location_id: number; on_hand: number }>(
    prepared(sql`
    select product_id, location_id, sum(on_hand) as on_hand from stock
    where store_id = ${tx.store.id} and product_id = any(${productIds}) and variant_id > 0
    group by product_id, location_id`),
  )

/** The first items with stock at a location after an item. @param counts only rows with this `counts`; all rows if undefined */
export const itemsAt = (
  db: Db,
  location_id: number,
  { after, counts, limit }: { after: StockItem; counts?: boolean; limit: number },
): Promise<StockItem[]> =>
  db.rows<StockItem>(sql`
    select product_id, variant_id from stock
    where store_id = ${db.store.id} and location_id = ${location_id} and ${counts === undefined ? sql`true` : sql`counts = ${counts}`}
      and (product_id, variant_id) > (${after.product_id}, ${after.variant_id})
    order by product_id, variant_id limit ${limit}`)

/** Deletes the rows of items at a location. Their recorded changes stay. */
export async function removeStock(tx: Tx, location_id: number, items: readonly StockItem[]) {
  await tx.rows(sql`
    delete from stock where store_id = ${tx.store.id} and location_id = ${location_id} and ${isOf(items)}`)
}

/** Deletes the stock, recorded changes and commitments of products and of their variants. */
export async function deleteStockOfProducts(tx: Tx, productIds: readonly number[]) {
  await deleteStock(tx, sql`product_id = any(${productIds})`)
}

/** Deletes the stock, recorded changes and commitments of variants. */
export async function deleteStockOfVariants(tx: Tx, product_id: number, variantIds: readonly number[]) {
  if (variantIds.length > 0) await deleteStock(tx, sql`product_id = ${product_id} and variant_id = any(${variantIds})`)
}

async function deleteStock(tx: Tx, which: Sql) {
  await tx.together(() => [
    tx.rows(sql`delete from stock where store_id = ${tx.store.id} and ${which}`),
    tx.rows(sql`delete from stock_changes where store_id = ${tx.store.id} and ${which}`),
    tx.rows(sql`delete from stock_commitments where store_id = ${tx.store.id} and ${which}`),
  ])
}

/** A page of a list, counted from 1. */
interface Page {
  page: number
  limit: number
}

/** The condition that a row belongs to one of these items. */
export const isOf = (items: readonly StockItem[]): Sql => sql`exists (
  select 1 from ${sql.table('named', items, { product_id: 'int', variant_id: 'int' })}
  where named.product_id = stock.product_id and named.variant_id = stock.variant_id)`

/** A page of the items with a row that matches a condition, in the order of their ids. */
export async function itemsPage(
  db: Db,
  where: Sql,
  { page, limit }: Page,
): Promise<{ total: number; items: StockItem[] }> {
  const found = await db.rows<StockItem & { total: number }>(sql`
    with found as materialized (
      select product_id, variant_id from stock where store_id = ${db.store.id} and ${where} group by product_id, variant_id
    ), page as (
      select product_id, variant_id from found order by product_id, variant_id limit ${limit} offset ${(page - 1) * limit}
    )
    select (select count(*) from found) as total, product_id, variant_id
    from (values (1)) one left join page on true order by product_id, variant_id`)
  const items = found.flatMap(({ product_id, variant_id }) => (product_id === null ? [] : [{ product_id, variant_id }]))
  return { total: found[0]?.total ?? 0, items }
}

/** The rows of items, location by location. */
export const rowsOfItems = (db: Db, items: readonly StockItem[], where: readonly Sql[]): Promise<StockRow[]> =>
  db.rows<StockRow>(sql`
    select ${sql.join(COLUMNS.map(sql.id))} from stock
    where store_id = ${db.store.id} and ${sql.and([isOf(items), ...where])}
    order by product_id, variant_id, location_id`)

/** A page of the rows that match a condition, in the order of their items. */
export async function rowsPage(
  db: Db,
  where: Sql,
  { page, limit }: Page,
): Promise<{ total: number; rows: StockRow[] }> {
  const [counted, rows] = await Promise.all([
    db.row<{ total: number }>(sql`select count(*) as total from stock where store_id = ${db.store.id} and ${where}`),
    db.rows<StockRow>(sql`
      select ${sql.join(COLUMNS.map(sql.id))} from stock where store_id = ${db.store.id} and ${where}
      order by product_id, variant_id limit ${limit} offset ${(page - 1) * limit}`),
  ])
  return { total: counted.total, rows }
}

/** A recorded change of an amount. */
export interface RecordedChange extends StockPosition, Required<ChangeOrigin> {
  amount_before: number
  amount_after: number
  changed_at: string
}

/**
 * A page of the recorded changes of an item, the latest first. Changes of a location are in the order of their versions, so
 * that each amount follows from the one before: `changed_at` is the clock of the process that made the change, read before it
 * waited for the product. Changes of different locations are merged by the latest time that a location has reached.
 */
export async function changesOf(
  db: Db,
  { product_id, variant_id }: StockItem,
  locationIds: readonly number[] | undefined,
  { page, limit }: Page,
): Promise<{ total: number; rows: RecordedChange[] }> {
  const where = sql`store_id = ${db.store.id} and product_id = ${product_id} and variant_id = ${variant_id}
    and ${locationIds ? sql`location_id = any(${locationIds})` : sql`true`}`
  const [counted, rows] = await Promise.all([
    db.row<{ total: number }>(sql`select count(*) as total from stock_changes where ${where}`),
    db.rows<RecordedChange>(sql`
      select transaction_id, location_id, product_id, variant_id, cause, amount_before, amount_after, reason, client_id,
        order_id, changed_at
      from (
        select *, max(changed_at) over (partition by location_id order by version) as reached_at
        from stock_changes where ${where}
      ) change
      order by reached_at desc, location_id, version desc limit ${limit} offset ${(page - 1) * limit}`),
  ])
  return { total: counted.total, rows }
}

/** Units of an item that an order has taken at a location. */
export interface Commitment extends StockPosition {
  quantity: number
  /** Units that were sold although the location did not have them. */
  oversold: number
}

/** The commitments of a key. */
export const commitmentsOf = (tx: Tx, key: string): Promise<Commitment[]> =>
  tx.rows<Commitment>(sql`
    select product_id, variant_id, location_id, quantity, oversold from stock_commitments
    where store_id = ${tx.store.id} and key = ${key} order by product_id, variant_id, location_id`)

/** The commitments at locations, as a table of `location_id` and `key`. */
export const commitmentsAt = ({ store }: Tx, locationIds: readonly number[]): Sql => sql`(
  select location_id, key from stock_commitments where store_id = ${store.id} and location_id = any(${locationIds}))`

/** Replaces the commitments of a key. @param before from `commitmentsOf`; nothing is deleted if it is empty */
export async function replaceCommitments(
  tx: Tx,
  key: string,
  before: readonly Commitment[],
  taken: readonly Commitment[],
) {
  if (before.length > 0) {
    await tx.rows(sql`delete from stock_commitments where store_id = ${tx.store.id} and key = ${key}`)
  }
  const [first, ...others] = taken.map((commitment) => ({ store_id: tx.store.id, key, ...commitment }))
  if (first) await tx.rows(sql`insert into stock_commitments ${sql.rows([first, ...others])}`)
}
