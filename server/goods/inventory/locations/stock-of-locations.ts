import t from 'typebox'
import type { Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { STEP_ROWS } from '../../../core/db/steps.ts'
import { enqueue } from '../../../core/jobs/enqueue.ts'
import { done, runner, task, tryAgain } from '../../../core/jobs/task.ts'
import { newUuid } from '../../../core/secrets/row-ids.ts'
import {
  type LockedItem,
  lockCountedProducts,
  lockStockedItems,
  updateCatalogStock,
} from '../../catalog/variants/levels.ts'
import {
  type ChangeOrigin,
  itemKey,
  itemsAt,
  removeStock,
  STOCK_MAX,
  type StockItem,
  type StockRow,
  stockAt,
  storeStock,
} from '../../stock/stock.ts'

// Changes of stock that follow from a change of its location: the stock of a disabled location is not for sale, and that of a
// deleted one is deleted.

/** Sorts before every item. */
export const NO_ITEM: StockItem = { product_id: 0, variant_id: 0 }

/** Updates the stock of a large location step by step. */
const recountTask = task('recount_location', t.Object({ location_id: t.Integer() }), {
  maxMs: 60_000,
  // Each run continues where the previous one stopped.
  retryDelay: (failures) => (failures <= 100 ? 5_000 : undefined),
})

/**
 * Updates the stock of locations that were enabled or disabled. The first items change in this transaction; a job changes the
 * others.
 * @param locations locked
 */
export async function recountLocations(tx: Tx, locations: readonly { id: number; enabled: boolean }[]) {
  const found = await itemsOf(tx, locations, STEP_ROWS + 1)
  for (const { id, enabled, items } of found) {
    await change(tx, { location_id: id, items: items.slice(0, STEP_ROWS) }, { counts: enabled }, 'absolute')
    if (items.length > STEP_ROWS) {
      await enqueue(tx, recountTask, { key: `location ${id}`, payload: { location_id: id } })
    }
  }
}

/** May run twice: items that are up to date are skipped. */
export const recountRunner = () =>
  runner(recountTask, async ({ db, payload: { location_id }, signal }) => {
    let after: StockItem | undefined = NO_ITEM
    while (after) {
      if (signal.aborted) return tryAgain('More items must be counted.')
      const from: StockItem = after
      after = await db.transaction((tx) => recountStep(tx, location_id, from))
    }
    return done
  })

/** @returns the last item of the step, if there may be more */
async function recountStep(tx: Tx, location_id: number, after: StockItem): Promise<StockItem | undefined> {
  const location = await tx.maybeRow<{ enabled: boolean }>(sql`
    select enabled from locations where store_id = ${tx.store.id} and id = ${location_id} for share`)
  if (!location) return undefined
  const items = await itemsAt(tx, location_id, { after, counts: !location.enabled, limit: STEP_ROWS })
  await change(tx, { location_id, items }, { counts: location.enabled }, 'absolute')
  return items.length === STEP_ROWS ? items.at(-1) : undefined
}

/** Deletes all stock of locations that are being deleted. @param locations locked */
export async function deleteAllStock(tx: Tx, locations: readonly { id: number }[]) {
  for (const { id, items } of await itemsOf(tx, locations, STOCK_MAX)) await deleteStockAt(tx, id, items)
}

/** Deletes the stock of items at a location. */
export async function deleteStockAt(tx: Tx, location_id: number, items: readonly StockItem[]) {
  await change(tx, { location_id, items }, { on_hand: 0, counts: false }, 'location_delete')
  await removeStock(tx, location_id, items)
}

/**
 * The first items of locations, with their products locked in one order.
 * @param locations with `enabled`: only items that do not match it yet
 */
async function itemsOf<L extends { id: number; enabled?: boolean }>(tx: Tx, locations: readonly L[], limit: number) {
  const found: (L & { items: StockItem[] })[] = []
  for (const location of locations) {
    const { id, enabled } = location
    const items = await itemsAt(tx, id, {
      after: NO_ITEM,
      limit,
      ...(enabled === undefined ? {} : { counts: !enabled }),
    })
    found.push({ ...location, items })
  }
  await lockCountedProducts(
    tx,
    found.flatMap(({ items }) => items.map(({ product_id }) => product_id)),
  )
  return found
}

/** Changes the rows of items at a location, and updates the catalog. */
async function change(
  tx: Tx,
  { location_id, items }: { location_id: number; items: readonly StockItem[] },
  changes: Partial<StockRow>,
  cause: ChangeOrigin['cause'],
) {
  if (items.length === 0) return
  const held = await lockStockedItems(tx, items)
  const stock = await stockAt(
    tx,
    items.map((item) => ({ ...item, location_id })),
  )
  const rows = stock.flatMap((at) => (at.row ? [{ ...at, now: { ...at.row, ...changes } }] : []))
  const totals = await storeStock(tx, rows, { transaction_id: newUuid(), cause })
  const shown: LockedItem[] = rows.flatMap(({ position }) => held.get(itemKey(position)) ?? [])
  await updateCatalogStock(
    tx,
    shown.map((item) => ({ item, total: totals.get(itemKey(item)) ?? 0 })),
  )
}
