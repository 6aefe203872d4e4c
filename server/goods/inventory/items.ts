import t, { type Static } from 'typebox'
import type { Db, Tx } from '../../core/db/database.ts'
import { type Sql, sql } from '../../core/db/sql.ts'
import { answer } from '../../core/rest/answer.ts'
import type { Api } from '../../core/rest/api.ts'
import { Id, IdList, idSegment, ListOf } from '../../core/rest/input/fields.ts'
import type { Mistakes } from '../../core/rest/input/mistakes.ts'
import { ComparedText } from '../../core/rest/lists/filters.ts'
import { fold } from '../../core/rest/lists/fold.ts'
import { PageMeta, pagination, pagingUpTo } from '../../core/rest/lists/paging.ts'
import { findOne } from '../../core/rest/lists/verbs.ts'
import { access } from '../../stores/accounts/scopes.ts'
import { findItems, type ItemNames, namesOf, updateCatalogStock } from '../catalog/variants/levels.ts'
import {
  available,
  blankRow,
  FIRST_LOCATION,
  isOf,
  itemKey,
  itemsPage,
  rowsOfItems,
  rowsPage,
  STOCK_MAX,
  type StockItem,
  type StockRow,
  storeStock,
} from '../stock/stock.ts'
import { lockNamedStock, publishItemEvent, refuseWithFirst } from './adjustments.ts'
import { atMost } from './identities.ts'
import { locations } from './locations/location-shape.ts'
import { answerTransaction, newTransactionId, transactionAnswers } from './transaction.ts'

const SETTINGS_MAX = 2_000
const LISTED_MAX = 1_000

const { read, write } = access('inventory')

const Amount = t.Integer({ minimum: 0, maximum: STOCK_MAX })
const settings = {
  safety_stock: Amount,
  is_in_stock: t.Boolean(),
  warning_level: Amount,
  bin_picking_number: t.String({ maxLength: 255 }),
}
const Settings = t.Object(settings, { title: 'StockSettings' })
const Identity = t.Object(
  { sku: t.String(), variant_id: t.Optional(Id), product_id: Id, sku_id: t.Optional(Id) },
  { title: 'ItemIdentity' },
)
const Stock = { available_to_sell: Amount, total_inventory_onhand: Amount }
const ItemAnswer = t.Object(
  {
    identity: Identity,
    locations: t.Array(
      t.Object(
        {
          location_id: Id,
          location_code: t.String(),
          location_name: t.String(),
          ...Stock,
          location_enabled: t.Boolean(),
          settings: Settings,
        },
        { title: 'StockOfLocation' },
      ),
    ),
  },
  { title: 'InventoryItem' },
)
const ItemOfLocation = t.Object(
  { identity: Identity, ...Stock, settings: Settings },
  { title: 'InventoryItemOfLocation' },
)

const Texts = ListOf(ComparedText)
const byName = {
  'sku:in': t.Optional(Texts),
  'variant_id:in': t.Optional(IdList),
  'product_id:in': t.Optional(IdList),
}
const ItemsQuery = t.Object(
  {
    ...byName,
    'location_id:in': t.Optional(IdList),
    'location_code:in': t.Optional(Texts),
    ...pagingUpTo(LISTED_MAX),
  },
  { additionalProperties: false },
)
const ItemsOfLocationQuery = t.Object({ ...byName, ...pagingUpTo(LISTED_MAX) }, { additionalProperties: false })

const Setting = t.Object({
  identity: t.Object({ sku: t.Optional(ComparedText), variant_id: t.Optional(Id), product_id: t.Optional(Id) }),
  ...t.Partial(Settings).properties,
})
const SettingsBody = t.Object(
  { settings: t.Array(Setting, { minItems: 1 }) },
  {
    title: 'ItemSettings',
    examples: [{ settings: [{ identity: { product_id: 1 }, safety_stock: 2, warning_level: 5 }] }],
  },
)

/** The stock of a store at its locations, with its settings (docs/contract/inventory.md section 2). */
export function itemRoutes(api: Api) {
  const ofLocation = `/inventory/locations/${idSegment('location_id')}/items`
  const params = t.Object({ location_id: Id })

  api.get(
    '/inventory/items',
    {
      ...read,
      schema: {
        summary: 'List items at all locations',
        operationId: 'listInventoryItems',
        tag: 'Inventory items',
        description: 'Lists items of tracked products. A filter by location also limits the locations of each item.',
        querystring: ItemsQuery,
        response: { 200: t.Object({ data: t.Array(ItemAnswer), meta: PageMeta }) },
      },
    },
    async ({ db, query }) => {
      const { page = 1, limit = 50 } = query
      const where = sql.and([...(await matching(db, query)), ...(await atLocations(db, query))])
      const { total, items } = await itemsPage(db, where, { page, limit })
      const data = await itemsToAnswer(db, items, await atLocations(db, query))
      return answer(data, { pagination: pagination({ total, count: data.length, page, limit }, query) })
    },
  )

  api.get(
    ofLocation,
    {
      ...read,
      schema: {
        summary: 'List the items of a location',
        operationId: 'listLocationItems',
        tag: 'Inventory items',
        params,
        querystring: ItemsOfLocationQuery,
        response: { 200: t.Object({ data: t.Array(ItemOfLocation), meta: PageMeta }) },
      },
    },
    async ({ db, params, query }) => {
      const { page = 1, limit = 50 } = query
      const { id } = await findOne(db, locations, params.location_id)
      const where = sql.and([sql`location_id = ${id}`, ...(await matching(db, query))])
      const { total, rows } = await rowsPage(db, where, { page, limit })
      const names = await namesOf(db, rows)
      const data = rows.map((row, i) => ({ identity: identityOf(names[i], row), ...stockToAnswer(row) }))
      return answer(data, { pagination: pagination({ total, count: data.length, page, limit }, query) })
    },
  )

  api.put(
    ofLocation,
    {
      ...write,
      preHandler: atMost('settings', SETTINGS_MAX),
      schema: {
        summary: 'Change settings of items at a location',
        operationId: 'updateLocationItems',
        tag: 'Inventory items',
        description: `At most ${SETTINGS_MAX} items. Missing settings stay. All items are stored, or none.`,
        params,
        body: SettingsBody,
        ...transactionAnswers,
      },
    },
    async ({ db, params, body }) => {
      await findOne(db, locations, params.location_id)
      await db.transaction((tx) => changeSettings(tx, params.location_id, body.settings))
      return answerTransaction(newTransactionId())
    },
  )
}

type NameQuery = Pick<Static<typeof ItemsQuery>, 'sku:in' | 'variant_id:in' | 'product_id:in'>

/** The conditions of a query, one for each of its names. */
async function matching(db: Db, query: NameQuery): Promise<Sql[]> {
  const { 'sku:in': skus, 'variant_id:in': variantIds, 'product_id:in': productIds } = query
  const named = async (identities: readonly object[]) =>
    isOf((await findItems(db, identities)).flatMap((item) => item ?? []))
  return [
    sql`is_tracked`,
    ...(skus ? [await named(skus.map((sku) => ({ sku })))] : []),
    ...(variantIds ? [await named(variantIds.map((variant_id) => ({ variant_id })))] : []),
    ...(productIds ? [sql`product_id = any(${productIds})`] : []),
  ]
}

async function atLocations(db: Db, query: Static<typeof ItemsQuery>): Promise<Sql[]> {
  const { 'location_id:in': ids, 'location_code:in': codes } = query
  const ofCodes = codes
    ? await db.rows<{ id: number }>(sql`
        select id from locations where store_id = ${db.store.id} and code_key = any(${codes.map(fold)})`)
    : []
  return [
    ...(ids ? [sql`location_id = any(${ids})`] : []),
    ...(codes ? [sql`location_id = any(${ofCodes.map(({ id }) => id)})`] : []),
  ]
}

async function itemsToAnswer(
  db: Db,
  items: readonly StockItem[],
  where: readonly Sql[],
): Promise<Static<typeof ItemAnswer>[]> {
  const rows = await rowsOfItems(db, items, where)
  const places = await db.rows<{ id: number; code: string; label: string; enabled: boolean }>(sql`
    select id, code, label, enabled from locations
    where store_id = ${db.store.id} and id = any(${[...new Set(rows.map(({ location_id }) => location_id))]})`)
  const placeOf = new Map(places.map((place) => [place.id, place]))
  const byItem = Map.groupBy(rows, itemKey)
  const names = await namesOf(db, items)
  return items.map((item, i) => ({
    identity: identityOf(names[i], item),
    locations: (byItem.get(itemKey(item)) ?? []).map((row) => {
      const { available_to_sell, total_inventory_onhand, settings } = stockToAnswer(row)
      const place = placeOf.get(row.location_id)
      return {
        location_id: row.location_id,
        location_code: place?.code ?? '',
        location_name: place?.label ?? '',
        available_to_sell,
        total_inventory_onhand,
        location_enabled: place?.enabled ?? false,
        settings,
      }
    }),
  }))
}

/** An item that is deleted between two statements of a list has no names. */
const identityOf = (names: ItemNames | undefined, { product_id }: StockItem): ItemNames =>
  names ?? { sku: '', product_id }

const stockToAnswer = (row: StockRow) => ({
  available_to_sell: available(row),
  total_inventory_onhand: row.on_hand,
  settings: {
    safety_stock: row.safety_stock,
    is_in_stock: row.is_in_stock,
    warning_level: row.warning_level,
    bin_picking_number: row.bin_picking_number,
  },
})

/** @throws Problem 422 with all mistakes */
async function changeSettings(tx: Tx, location_id: number, given: Static<typeof SettingsBody>['settings']) {
  const mistakes: Mistakes = {}
  for (const [i, { identity: _, ...said }] of given.entries()) {
    // Without its s, like the public sample.
    if (Object.keys(said).length === 0) mistakes[`setting.${i}.settings`] = 'This item has no settings.'
  }
  refuseWithFirst(mistakes)
  const { held } = await lockNamedStock(
    tx,
    given.map(({ identity }) => ({ location_id, ...identity })),
    'settings',
  )
  const changes = held.map((at, i) => {
    const { identity: _, ...said } = given[i] ?? { identity: {} }
    return { ...at, now: { ...(at.row ?? blankRow(at.position, at.item.is_tracked)), ...said, counts: true } }
  })
  const totals = await storeStock(tx, changes, { transaction_id: newTransactionId(), cause: 'absolute' })
  await updateCatalogStock(
    tx,
    changes.map(({ item, row, now }) => {
      const before = row ?? blankRow(now, now.is_tracked)
      const isShown =
        location_id === FIRST_LOCATION &&
        (before.warning_level !== now.warning_level || before.bin_picking_number !== now.bin_picking_number)
      return { item, total: totals.get(itemKey(item)) ?? 0, ...(isShown ? { settings: now } : {}) }
    }),
  )
  for (const { item, row, now } of changes) {
    const before = row ?? blankRow(now, now.is_tracked)
    const isPublished =
      before.safety_stock !== now.safety_stock ||
      before.is_in_stock !== now.is_in_stock ||
      before.warning_level !== now.warning_level
    if (isPublished) publishItemEvent(tx, 'settings_changed', item, location_id)
  }
}
