import type { Tx } from '../../../core/db/database.ts'
import { invalid } from '../../../core/rest/problem.ts'
import { commitStock, type MissingItem, releaseStock } from '../../../goods/inventory/commitments.ts'
import { inventorySettings } from '../../../shop/settings/families/families.ts'
import { ALL_CHANNELS, settingsOf } from '../../../shop/settings/families/family.ts'
import { holdOfStatus } from '../arithmetic/order-status.ts'
import type { LineDraft } from '../calculation/lines.ts'
import type { OrderRow, PickupRow } from '../row/rows.ts'

// Commits and releases the stock of orders (docs/contract/orders.md section 2).

type Holder = Pick<OrderRow, 'id' | 'status_id' | 'order_source' | 'channel_id' | 'external_source'>
type HeldLine = Pick<LineDraft, 'variant_id' | 'quantity'>

/** The external_source of orders that were imported from another system. They hold no stock. */
export const MIGRATED = 'M-MIG'

/** The prefix of the keys under which orders hold stock. The id of the order follows. */
export const ORDER_PREFIX = 'order '
const keyOf = ({ id }: Pick<Holder, 'id'>) => `${ORDER_PREFIX}${id}`

/** The settings for an order: those of the store if it was created by hand, else those of its channel. */
export const stockRulesOf = (tx: Tx, { order_source, channel_id }: Pick<Holder, 'order_source' | 'channel_id'>) =>
  settingsOf(tx, inventorySettings, order_source === 'manual' ? ALL_CHANNELS : channel_id)
export type OrderStockRules = Awaited<ReturnType<typeof stockRulesOf>>

const needsOf = (lines: readonly HeldLine[]) =>
  lines.flatMap(({ variant_id, quantity }) => (variant_id > 0 ? [{ variant_id, quantity }] : []))

const placeOf = (pickup: Pick<PickupRow, 'location'> | undefined) => (pickup ? { location_id: pickup.location.id } : {})

/**
 * Takes the stock that an order needs in its status.
 * @throws Problem 422 if too little is in stock; then nothing is taken
 */
export async function takeStock(
  tx: Tx,
  order: Holder,
  lines: readonly HeldLine[],
  { rules, pickup }: { rules: OrderStockRules; pickup?: Pick<PickupRow, 'location'> | undefined },
) {
  if (order.external_source === MIGRATED || holdOfStatus(order.status_id, rules) !== 'all') return
  const needs = needsOf(lines)
  if (needs.length === 0) return
  const taking = await commitStock(tx, { key: keyOf(order), order_id: order.id, lines: needs, ...placeOf(pickup) })
  if (taking.kind === 'short') throw invalid({ products: tooLittle(taking.missing) })
}

/** Releases all stock that an order holds. */
export const releaseHeld = (tx: Tx, order: Holder) => releaseStock(tx, { key: keyOf(order), order_id: order.id })

const tooLittle = (missing: readonly MissingItem[]) =>
  `Too little is in stock: ${missing
    .map(({ product_id, variant_id, wanted, available }) => {
      const item = variant_id > 0 ? `variant ${variant_id}` : `product ${product_id}`
      return `${wanted} of ${item} are ordered and ${available} are available`
    })
    .join('; ')}.`

/** Adjusts the stock of an order to its status and lines. If too little is in stock, the order is short of the rest. */
export async function moveStock(
  tx: Tx,
  before: Holder,
  after: Holder,
  {
    lines,
    areLinesChanged,
    pickup,
  }: { lines: readonly HeldLine[]; areLinesChanged: boolean; pickup?: PickupRow | undefined },
) {
  if (after.external_source === MIGRATED || (before.status_id === after.status_id && !areLinesChanged)) return
  const rules = await stockRulesOf(tx, after)
  const [was, is] = [before, after].map(({ status_id }) => holdOfStatus(status_id, rules))
  // A refunded order holds stock although its status says nothing about it. Cancelling the order then releases that stock.
  const isEdit = before.status_id === after.status_id || (was === is && is === 'all')
  if (is === 'as before' || (isEdit && (!areLinesChanged || is !== 'all' || !rules.edit_order_stock_adjustment))) return
  await commitStock(tx, {
    key: keyOf(after),
    order_id: after.id,
    lines: is === 'all' ? needsOf(lines) : [],
    mayOversell: true,
    cause: is === 'nothing' ? 'order_cancel' : isEdit ? 'order_edit' : 'order',
    ...placeOf(pickup),
  })
}
