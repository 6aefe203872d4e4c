import t, { type Static } from 'typebox'
import type { Tx } from '../../core/db/database.ts'
import { answer } from '../../core/rest/answer.ts'
import type { Api, Client } from '../../core/rest/api.ts'
import { Id, IdList, Moment } from '../../core/rest/input/fields.ts'
import { hasAny, type Mistakes, repeated } from '../../core/rest/input/mistakes.ts'
import { ComparedText } from '../../core/rest/lists/filters.ts'
import { PageMeta, pagination, pagingUpTo } from '../../core/rest/lists/paging.ts'
import { Problem, unknownId } from '../../core/rest/problem.ts'
import { access } from '../../stores/accounts/scopes.ts'
import {
  findItems,
  type LockedItem,
  lockItems,
  publishPositionEvent,
  updateCatalogStock,
} from '../catalog/variants/levels.ts'
import {
  blankRow,
  type ChangeOrigin,
  changesOf,
  itemKey,
  STOCK_MAX,
  type StockAt,
  type StockChange,
  type StockPosition,
  type StockRow,
  stockAt,
  storeStock,
  sumsOfVariants,
  totalsAfter,
} from '../stock/stock.ts'
import { atMost, identityMistakes } from './identities.ts'
import { type Location, lockLocationsShared } from './locations/location-shape.ts'
import { answerTransaction, newTransactionId, transactionAnswers } from './transaction.ts'

const ITEMS_MAX = 2_000
const LISTED_MAX = 1_000

const { read, write } = access('inventory')

const named = {
  location_id: Id,
  sku: t.Optional(ComparedText),
  variant_id: t.Optional(Id),
  product_id: t.Optional(Id),
}
const reason = t.Optional(t.String({ maxLength: 255 }))
const Absolute = t.Object(
  {
    reason,
    items: t.Array(t.Object({ ...named, quantity: t.Integer({ minimum: 0, maximum: STOCK_MAX }) }), { minItems: 1 }),
  },
  {
    title: 'AbsoluteAdjustments',
    examples: [{ reason: 'Stock take', items: [{ location_id: 1, product_id: 1, quantity: 40 }] }],
  },
)
const Relative = t.Object(
  {
    reason,
    items: t.Array(t.Object({ ...named, quantity: t.Integer({ minimum: -STOCK_MAX, maximum: STOCK_MAX }) }), {
      minItems: 1,
    }),
  },
  {
    title: 'RelativeAdjustments',
    examples: [{ reason: 'Delivery', items: [{ location_id: 1, product_id: 1, quantity: 5 }] }],
  },
)
type Adjustments = Static<typeof Absolute>
type Kind = 'absolute' | 'relative'

/** A recorded change in an answer. */
const Change = t.Object(
  {
    transaction_id: t.String(),
    location_id: Id,
    product_id: Id,
    variant_id: t.Integer({ description: '0 for the product itself' }),
    cause: t.Enum(['absolute', 'relative', 'order', 'order_edit', 'order_cancel', 'catalog', 'location_delete']),
    amount_before: t.Integer(),
    amount_after: t.Integer(),
    reason: t.String(),
    client_id: t.Unsafe<string | null>({ type: ['string', 'null'] }),
    order_id: t.Unsafe<number | null>({ type: ['integer', 'null'] }),
    changed_at: Moment,
  },
  { title: 'StockChange' },
)
const ChangesQuery = t.Object(
  {
    sku: t.Optional(ComparedText),
    variant_id: t.Optional(Id),
    product_id: t.Optional(Id),
    'location_id:in': t.Optional(IdList),
    ...pagingUpTo(LISTED_MAX),
  },
  { additionalProperties: false, examples: [{ product_id: 1 }] },
)

const ALL_OR_NONE = `At most ${ITEMS_MAX} items. All items are stored, or none.`

/** Adjustments of stock, absolute and relative, and the list of changes (docs/contract/inventory.md section 3). */
export function adjustmentRoutes(api: Api) {
  const preHandler = atMost('items', ITEMS_MAX)

  api.put(
    '/inventory/adjustments/absolute',
    {
      ...write,
      preHandler,
      schema: {
        summary: 'Set amounts of stock',
        operationId: 'setStock',
        tag: 'Inventory adjustments',
        description: ALL_OR_NONE,
        body: Absolute,
        ...transactionAnswers,
      },
    },
    async ({ db, client, body }) =>
      answerTransaction(await db.transaction((tx) => adjust(tx, 'absolute', body, { client, isLast: tx.isWhole }))),
  )

  api.post(
    '/inventory/adjustments/relative',
    {
      ...write,
      preHandler,
      schema: {
        summary: 'Change amounts of stock',
        operationId: 'adjustStock',
        tag: 'Inventory adjustments',
        description: `${ALL_OR_NONE} An amount that was never set can't be changed, and none falls below the safety stock.`,
        body: Relative,
        ...transactionAnswers,
      },
    },
    async ({ db, client, body }) =>
      answerTransaction(await db.transaction((tx) => adjust(tx, 'relative', body, { client, isLast: tx.isWhole }))),
  )

  api.get(
    '/inventory/adjustments',
    {
      ...read,
      schema: {
        summary: 'List the stock changes of an item',
        operationId: 'listStockChanges',
        tag: 'Inventory adjustments',
        description: 'The query names one item by sku, variant_id or product_id. The latest change comes first.',
        querystring: ChangesQuery,
        response: { 200: t.Object({ data: t.Array(Change), meta: PageMeta }) },
      },
    },
    async ({ db, query }) => {
      const { sku, variant_id, product_id, 'location_id:in': locations, page = 1, limit = 50 } = query
      const identity = { sku, variant_id, product_id }
      if (Object.values(identity).filter((name) => name !== undefined).length !== 1) {
        throw new Problem(422, 'The query is not valid: it needs one of sku, variant_id and product_id.')
      }
      const [item] = await findItems(db, [identity])
      const { total, rows } = item ? await changesOf(db, item, locations, { page, limit }) : { total: 0, rows: [] }
      return answer(rows, { pagination: pagination({ total, count: rows.length, page, limit }, query) })
    },
  )
}

/**
 * Adjusts stock, all or none.
 * @param by the client that asks, and whether the adjustment is all of its transaction
 * @returns the id of the transaction
 * @throws Problem 422 with all mistakes
 */
export async function adjust(
  tx: Tx,
  kind: Kind,
  { items, reason }: Adjustments,
  { client, isLast = false }: { client?: Client | undefined; isLast?: boolean } = {},
): Promise<string> {
  const { held, sums } = await lockNamedStock(tx, items, 'items')
  const mistakes: Mistakes = {}
  const changes: ItemChange[] = []
  for (const [i, { item, ...at }] of held.entries()) {
    const amount = adjusted(kind, at.row, items[i]?.quantity ?? 0)
    if (typeof amount === 'string') mistakes[`items.${i}.quantity`] = amount
    else {
      const row = at.row ?? blankRow(at.position, item.is_tracked)
      changes.push({ ...at, item, now: { ...row, on_hand: amount, counts: true } })
    }
  }
  refuseWithFirst(mistakes)
  refuseOverflow(changes, sums)

  const note = { transaction_id: newTransactionId(), cause: kind, reason: reason ?? '', client_id: client?.id ?? null }
  await applyChanges(tx, changes, note, { isLast })
  return note.transaction_id
}

/**
 * The amount after an adjustment, or the reason why it is refused (docs/contract/inventory.md section 3). Pure.
 * @param row undefined if nothing was stored for the position yet
 */
export function adjusted(kind: Kind, row: Pick<StockRow, 'on_hand' | 'safety_stock'> | undefined, quantity: number) {
  if (kind === 'absolute') return quantity
  if (quantity === 0) return 'A relative quantity must not be 0.'
  if (!row) return 'This item requires absolute adjustment before relative: it was never counted here.'
  const amount = row.on_hand + quantity
  if (quantity < 0 && amount < row.safety_stock) {
    return `Only ${Math.max(0, row.on_hand - row.safety_stock)} of ${row.on_hand} can be taken; ${row.safety_stock} are safety stock.`
  }
  return amount > STOCK_MAX ? `There can be at most ${STOCK_MAX} of an item at a location.` : amount
}

/** A change of a locked item. */
export interface ItemChange extends StockChange {
  item: LockedItem
}

/**
 * Stores changes, copies them to the catalog, and publishes the changed amounts.
 * @param isLast whether the changes conclude their transaction
 */
export async function applyChanges(
  tx: Tx,
  changes: readonly ItemChange[],
  note: ChangeOrigin,
  { cause = 'panel', isLast = false }: { cause?: 'panel' | 'order'; isLast?: boolean } = {},
) {
  const isOther = ({ row, now }: StockChange) => row?.on_hand !== now.on_hand || row.counts !== now.counts
  const real = changes.filter(isOther)
  const totals = totalsAfter(real)
  const itemOf = new Map(real.map(({ item }) => [itemKey(item), item]))
  const begin = () => {
    const works = [
      storeStock(tx, real, note),
      updateCatalogStock(
        tx,
        [...itemOf.values()].map((item) => ({ item, total: totals.get(itemKey(item)) ?? 0 })),
        cause,
      ),
    ]
    for (const { item, row, now } of real) {
      if (now.on_hand !== (row?.on_hand ?? 0)) publishItemEvent(tx, 'stock_changed', item, now.location_id)
    }
    return works
  }
  await (isLast ? tx.conclude(begin) : tx.together(begin))
}

/** Publishes an inventory event of an item at a location. */
export const publishItemEvent = (
  tx: Tx,
  scope: Parameters<typeof publishPositionEvent>[1],
  { product_id, reported_variant_id }: LockedItem,
  location_id: number,
) => publishPositionEvent(tx, scope, { variant_id: reported_variant_id, product_id, location_id })

/**
 * The variants of a product may together not exceed the largest amount at a location.
 * @param sums of the variants at each location before the changes
 * @throws Problem 422
 */
function refuseOverflow(changes: readonly ItemChange[], sums: ReadonlyMap<string, number>) {
  const after = new Map(sums)
  const growth = ({ row, now }: ItemChange) => now.on_hand - (row?.on_hand ?? 0)
  for (const change of changes) {
    if (change.position.variant_id === 0) continue
    const key = sumKey(change.position)
    after.set(key, (after.get(key) ?? 0) + growth(change))
  }
  const mistakes: Mistakes = {}
  for (const [i, change] of changes.entries()) {
    const { position } = change
    if (growth(change) > 0 && (after.get(sumKey(position)) ?? 0) > STOCK_MAX) {
      mistakes[`items.${i}.quantity`] =
        `The variants of the product ${position.product_id} can have at most ${STOCK_MAX} together at a location.`
    }
  }
  refuseWithFirst(mistakes)
}

const sumKey = ({ product_id, location_id }: Pick<StockPosition, 'product_id' | 'location_id'>) =>
  `${product_id} ${location_id}`

interface NamedPosition {
  location_id: number
  sku?: string
  variant_id?: number
  product_id?: number
}

/** The stock of an item that a body names, at the location that it names. */
interface NamedStock extends StockAt {
  item: LockedItem
}

/**
 * Finds the items and locations that a body names, locks them, locations first, and reads the stock. One round trip for products, and two
 * if the body names variants.
 * @returns the stock in the order of the body, and the sums of variants by `sumKey`
 * @throws Problem 422 with all mistakes
 */
export async function lockNamedStock(
  tx: Tx,
  places: readonly NamedPosition[],
  list: string,
): Promise<{ held: NamedStock[]; sums: ReadonlyMap<string, number> }> {
  const identities = places.map(({ sku, variant_id, product_id }) => ({ sku, variant_id, product_id }))
  refuseWithFirst(identityMistakes(identities, (i) => `${list}.${i}`))
  const areProducts = places.every(({ product_id }) => product_id !== undefined)
  const ofProducts = () => places.map(({ product_id = 0, location_id }) => ({ product_id, variant_id: 0, location_id }))
  // In this order, so that locations are locked first, and the stock is read after the locks.
  const { locations, items, stock } = await tx.together(() => ({
    locations: lockLocationsShared(
      tx,
      places.map(({ location_id }) => location_id),
    ),
    items: lockItems(tx, identities),
    stock: areProducts ? stockAt(tx, ofProducts()) : [],
  }))
  const held = namedItems(places, items, locations, list)
  if (areProducts) {
    return { held: held.flatMap(({ item }, i) => (stock[i] ? [{ ...stock[i], item }] : [])), sums: new Map() }
  }
  const positions = held.map(({ item: { product_id, variant_id }, location_id }) => ({
    product_id,
    variant_id,
    location_id,
  }))
  const found = await tx.together(() => ({
    stock: stockAt(tx, positions),
    sums: sumsOfVariants(tx, [...new Set(positions.map(({ product_id }) => product_id))]),
  }))
  return {
    held: held.flatMap(({ item }, i) => (found.stock[i] ? [{ ...found.stock[i], item }] : [])),
    sums: new Map(found.sums.map((sum) => [sumKey(sum), sum.on_hand])),
  }
}

/** The items of a body with their locations. @throws Problem 422 with all mistakes */
function namedItems(
  places: readonly NamedPosition[],
  items: readonly (LockedItem | string)[],
  locations: ReadonlyMap<number, Pick<Location, 'enabled'>>,
  list: string,
): { item: LockedItem; location_id: number }[] {
  const mistakes: Mistakes = {}
  for (const [i, { location_id }] of places.entries()) {
    const location = locations.get(location_id)
    const item = items[i]
    if (!location) mistakes[`${list}.${i}.location_id`] = unknownId('location', location_id)
    else if (!location.enabled) mistakes[`${list}.${i}.location_id`] = `The location ${location_id} is disabled.`
    if (typeof item === 'string') mistakes[`${list}.${i}`] = item
  }
  const held = items.flatMap((item, i) =>
    typeof item === 'object' ? [{ item, location_id: places[i]?.location_id ?? 0 }] : [],
  )
  refuseWithFirst({
    ...mistakes,
    ...(hasAny(mistakes)
      ? {}
      : repeated(
          held,
          ({ item, location_id }) => `${itemKey(item)} ${location_id}`,
          (i) => `${list}.${i}`,
          'Another item names the same stock.',
        )),
  })
  return held
}

/** Refuses a body. The title is the first mistake (docs/contract/inventory.md section 3). @throws Problem 422 */
export function refuseWithFirst(mistakes: Mistakes) {
  const [first] = Object.values(mistakes)
  if (first !== undefined) throw new Problem(422, first, mistakes)
}
