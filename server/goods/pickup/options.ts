import t, { type Static } from 'typebox'
import { type Db, prepared } from '../../core/db/database.ts'
import { type Sql, sql } from '../../core/db/sql.ts'
import { Answer } from '../../core/rest/answer.ts'
import type { Api } from '../../core/rest/api.ts'
import { Id } from '../../core/rest/input/fields.ts'
import { missing, refuse } from '../../core/rest/input/mistakes.ts'
import { Meta } from '../../core/rest/lists/collection.ts'
import { unknownId } from '../../core/rest/problem.ts'
import { access } from '../../stores/accounts/scopes.ts'
import { stockItemsOf } from '../catalog/variants/levels.ts'
import { enabledLocations } from '../inventory/locations/location-shape.ts'
import { hasAll, itemKey } from '../stock/stock.ts'
import { distanceMm, type Point, UNITS } from './distance.ts'
import { PickupMethodAnswer } from './methods.ts'

const OPTIONS_MAX = 10
/** Most items of a search. */
export const PICKUP_ITEMS_MAX = 250
const QUANTITY_MAX = 2_147_483_647
/** More than half of the circumference of the earth. */
const RADIUS_MAX_KM = 20_038

// A search changes nothing, although it is a POST (docs/contract/auth.md section 5).
const { read } = access('fulfillment')

const Item = t.Object(
  { variant_id: Id, quantity: t.Integer({ minimum: 1, maximum: QUANTITY_MAX }) },
  { title: 'PickupItem' },
)
/** The body of a search. */
export const PickupSearch = t.Object(
  {
    search_area: t.Object({
      coordinates: t.Object({
        latitude: t.Number({ minimum: -90, maximum: 90 }),
        longitude: t.Number({ minimum: -180, maximum: 180 }),
      }),
      radius: t.Object({ value: t.Number({ exclusiveMinimum: 0 }), unit: t.Enum(['KM', 'MI']) }),
    }),
    items: t.Array(Item, { minItems: 1, maxItems: PICKUP_ITEMS_MAX }),
  },
  {
    title: 'PickupSearch',
    examples: [
      {
        search_area: {
          coordinates: { latitude: 55.6798, longitude: 12.5914 },
          radius: { value: 25, unit: 'KM' },
        },
        items: [{ variant_id: 1, quantity: 1 }],
      },
    ],
  },
)
type PickupSearch = Static<typeof PickupSearch>

const Offered = t.Omit(PickupMethodAnswer, ['date_created', 'date_modified'])
/** The pickup options of a location. */
const Found = t.Object(
  {
    pickup_options: t.Array(
      t.Object({
        pickup_method: Offered,
        available_items: t.Array(Item),
      }),
    ),
  },
  { title: 'PickupOptions' },
)
const Options = t.Object({ data: t.Array(Found), results: t.Array(Found), meta: Meta })

/** Finds where a customer can collect the items of a cart (docs/contract/pickup.md section 3). */
export function pickupOptionRoutes(api: Api) {
  api.post(
    '/pickup/options',
    {
      ...read,
      schema: {
        summary: 'Find where items can be collected',
        operationId: 'findPickupOptions',
        description:
          'Finds at most ten pickup methods, nearest first, at locations that each have all items. Nothing is reserved.',
        body: PickupSearch,
        response: { 200: Options },
      },
    },
    async ({ db, body }) => {
      const found = await findOptions(db, body)
      return new Answer({ data: found, results: found, meta: {} })
    },
  )
}

/**
 * @param isForShoppers leaves out locations that storefronts don't show
 * @throws Problem 422 for unknown variants, and for a radius that is too long
 */
export async function findOptions(
  db: Db,
  { search_area, items }: PickupSearch,
  { isForShoppers = false } = {},
): Promise<Static<typeof Found>[]> {
  const { value, unit } = search_area.radius
  const radius = value * UNITS[unit]
  const variantIds = items.map(({ variant_id }) => variant_id)
  const stockItems = await stockItemsOf(db, variantIds)
  refuse({
    ...missing(
      variantIds,
      stockItems,
      (i) => `items.${i}.variant_id`,
      (id) => unknownId('variant', id),
    ),
    ...(radius > RADIUS_MAX_KM * UNITS.KM
      ? { 'search_area.radius.value': `The radius must be at most ${RADIUS_MAX_KM} km, not ${value} ${unit}.` }
      : {}),
  })
  const available_items = added(items, ({ variant_id }) => String(variant_id))
  // Variants of a product that is tracked as a whole share its stock.
  const counted = items.flatMap(({ variant_id, quantity }) => {
    const { is_counted, ...item } = stockItems.get(variant_id) ?? { is_counted: false, product_id: 0, variant_id }
    return is_counted ? [{ ...item, quantity }] : []
  })
  const area = { ...search_area.coordinates, radius: Math.round(radius) }
  const places = enabledLocations(db, isForShoppers ? sql`storefront_visibility` : undefined)
  const nearest = await nearestMethods(db, { area, places, wanted: added(counted, itemKey) })
  return [...Map.groupBy(nearest, ({ location_id }) => location_id).values()].map((methods) => ({
    pickup_options: methods.map((pickup_method) => ({ pickup_method, available_items })),
  }))
}

/** Merges items with the same key and adds their quantities. */
function added<I extends { quantity: number }>(items: readonly I[], keyOf: (item: I) => string): I[] {
  const byKey = new Map<string, I>()
  for (const item of items) {
    const key = keyOf(item)
    byKey.set(key, { ...item, quantity: item.quantity + (byKey.get(key)?.quantity ?? 0) })
  }
  return [...byKey.values()]
}

interface NearSearch {
  /** The radius is in millimetres. */
  area: Point & { radius: number }
  places: Sql
  wanted: Parameters<typeof hasAll>[1]
}

/**
 * Sorts locations before it looks at their stock and methods, so that the search can end with the tenth method.
 */
const nearestMethods = (
  db: Db,
  { area: { radius, ...center }, places, wanted }: NearSearch,
): Promise<Static<typeof Offered>[]> =>
  db.rows(
    prepared(sql`
    with place as materialized (
      select id, ${distanceMm(center, sql`latitude`, sql`longitude`)} as distance from ${places} enabled
    )
    select method.id, method.location_id, method.name, method.name as display_name,
      method.collection_instructions, method.collection_time_description
    from (select id, distance from place where distance <= ${radius}::float8 order by distance, id offset 0) near
    join pickup_methods method on method.store_id = ${db.store.id} and method.location_id = near.id
    where ${hasAll(db, wanted, sql`near.id`)}
    order by near.distance, near.id, method.id limit ${OPTIONS_MAX}`),
  )
