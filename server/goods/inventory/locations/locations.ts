import { isDeepStrictEqual } from 'node:util'
import t, { type Static } from 'typebox'
import type { Tx } from '../../../core/db/database.ts'
import { type Sql, sql } from '../../../core/db/sql.ts'
import { inSteps, STEP_ROWS } from '../../../core/db/steps.ts'
import { publish } from '../../../core/events/publish.ts'
import type { Api } from '../../../core/rest/api.ts'
import { lockAll } from '../../../core/rest/batch.ts'
import { toSeconds } from '../../../core/rest/input/dates.ts'
import { IdList, ListOf } from '../../../core/rest/input/fields.ts'
import { type Mistakes, missing, refuse, repeatedIds } from '../../../core/rest/input/mistakes.ts'
import { ComparedText } from '../../../core/rest/lists/filters.ts'
import { fold } from '../../../core/rest/lists/fold.ts'
import { findPage } from '../../../core/rest/lists/pages.ts'
import { PageMeta, pagingUpTo } from '../../../core/rest/lists/paging.ts'
import { change, insertAll, removeAll, takeIds } from '../../../core/rest/lists/verbs.ts'
import { notFound, Problem, unknownId } from '../../../core/rest/problem.ts'
import { deleteMetafieldsOf, type MetafieldOwner, metafieldRoutes } from '../../../shared/metafields/metafields.ts'
import { access } from '../../../stores/accounts/scopes.ts'
import { sharedLimit } from '../../../stores/quotas/concurrency-limit.ts'
import { FIRST_LOCATION, itemsAt } from '../../stock/stock.ts'
import { answerTransaction, newTransactionId, transactionAnswers } from '../transaction.ts'
import { closedAllWeek, specialDays, withDays } from './hours.ts'
import { freeCode, mistakesIn, takenCodes, toStoredAddress } from './location-mistakes.ts'
import {
  blankLocation,
  Location,
  type LocationChanges,
  LocationChangesById,
  locations,
  lockLocationCounter,
  NewLocation,
} from './location-shape.ts'
import { deleteAllStock, deleteStockAt, NO_ITEM, recountLocations } from './stock-of-locations.ts'

const WRITTEN_MAX = 50
const LISTED_MAX = 1_000
const ACTIVE_MAX = 100
const AT_ONCE = 50

const { read, write } = access('locations')

const example = {
  code: 'HARBOUR',
  label: 'Shop at the harbour',
  time_zone: 'Europe/Copenhagen',
  address: {
    address1: 'Nyhavn 12',
    city: 'Copenhagen',
    state: 'Hovedstaden',
    zip: '1051',
    email: 'harbour@example.com',
    geo_coordinates: { latitude: 55.6798, longitude: 12.5914 },
    country_code: 'DK',
  },
  operating_hours: { monday: { open: true, opening: '09:00', closing: '18:00' } },
}

/** The query of the list. Its parameters have other names than the fields (docs/contract/locations.md section 2). */
const ListQuery = t.Object(
  {
    'location_id:in': t.Optional(IdList),
    'location_code:in': t.Optional(ListOf(ComparedText)),
    is_default: t.Optional(t.Boolean()),
    'type_id:in': t.Optional(t.Array(Location.properties.type_id, { minItems: 1 })),
    managed_by_external_source: t.Optional(t.Boolean()),
    is_active: t.Optional(t.Boolean()),
    storefront_visibility: t.Optional(t.Boolean()),
    ...pagingUpTo(LISTED_MAX),
  },
  { additionalProperties: false },
)
const GoneQuery = t.Object(
  { 'location_id:in': IdList },
  { additionalProperties: false, examples: [{ 'location_id:in': '2' }] },
)

const locationMetafields: MetafieldOwner = {
  kind: 'location',
  resources: locations,
  path: '/inventory/locations',
  access: { read, write },
  scope: 'store/inventory/location',
}

/** Functions of areas above that handle deleted locations. Inventory must not import those areas, so `app.ts` passes them. */
export interface LocationDependencies {
  /** Deletes the pickup methods of locations, in the transaction that deletes the locations and with the locations locked. */
  deleteMethodsAt(tx: Tx, ids: readonly number[]): Promise<void>
  /** The number of orders with open units at each location, without locations that have none. */
  countOpenOrders(tx: Tx, ids: readonly number[]): Promise<ReadonlyMap<number, number>>
}

/** The locations of a store, and their metafields (docs/contract/locations.md). */
export function locationRoutes(api: Api, parts: LocationDependencies) {
  const all = '/inventory/locations'
  const atOnce = sharedLimit('locations', AT_ONCE)

  api.get(
    all,
    {
      ...read,
      schema: {
        summary: 'List the locations',
        querystring: ListQuery,
        response: { 200: t.Object({ data: t.Array(locations.shape), meta: PageMeta }) },
      },
    },
    ({ db, query: { page = 1, limit = 50, ...filters } }) =>
      atOnce.run(db.store, () => findPage(db, locations, { ...filters, page, limit }, { where: matching(filters) })),
  )

  api.post(
    all,
    {
      ...write,
      schema: {
        summary: 'Create locations',
        description:
          'All locations are stored, or none. The answer has no ids: find the locations by location_code:in.',
        body: t.Array(NewLocation, { minItems: 1, maxItems: WRITTEN_MAX, examples: [[example]] }),
        ...transactionAnswers,
      },
    },
    ({ db, body }) =>
      atOnce.run(db.store, async () => {
        await db.transaction((tx) => createLocations(tx, body))
        return answerTransaction(newTransactionId())
      }),
  )

  api.put(
    all,
    {
      ...write,
      schema: {
        summary: 'Change locations',
        description:
          'All changes are stored, or none. A day in operating_hours replaces that day, and special_hours replaces the whole list.',
        body: t.Array(LocationChangesById, {
          minItems: 1,
          maxItems: WRITTEN_MAX,
          examples: [[{ id: 1, label: 'Main warehouse' }]],
        }),
        ...transactionAnswers,
      },
    },
    ({ db, body }) =>
      atOnce.run(db.store, async () => {
        await db.transaction((tx) => changeLocations(tx, body))
        return answerTransaction(newTransactionId())
      }),
  )

  api.delete(
    all,
    {
      ...write,
      schema: {
        summary: 'Delete locations',
        description: 'Deletes their stock and pickup methods too. All locations are deleted, or none.',
        querystring: GoneQuery,
        ...transactionAnswers,
      },
    },
    ({ db, query: { 'location_id:in': ids } }) =>
      atOnce.run(db.store, async () => {
        await inSteps(db, (tx) => emptyLargeLocation(tx, parts, ids))
        await db.transaction((tx) => deleteLocations(tx, parts, ids))
        return answerTransaction(newTransactionId())
      }),
  )

  metafieldRoutes(api, locationMetafields)
}

function matching(query: Static<typeof ListQuery>): Sql {
  const codes = query['location_code:in']?.map(fold)
  const isFirst = sql`(id = ${FIRST_LOCATION})`
  const conditions = [
    query['location_id:in'] && sql`id = any(${query['location_id:in']})`,
    codes && sql`code_key = any(${codes})`,
    query['type_id:in'] && sql`type_id = any(${query['type_id:in']})`,
    query.is_default !== undefined && sql`${isFirst} = ${query.is_default}`,
    query.managed_by_external_source !== undefined &&
      sql`managed_by_external_source = ${query.managed_by_external_source}`,
    query.is_active !== undefined && sql`enabled = ${query.is_active}`,
    query.storefront_visibility !== undefined && sql`storefront_visibility = ${query.storefront_visibility}`,
  ].filter((condition) => condition !== undefined && condition !== false)
  return conditions.length > 0 ? sql.and(conditions) : sql`true`
}

/**
 * Creates locations, all or none.
 * @returns the stored locations
 * @throws Problem 422 with all mistakes, 403 for too many enabled locations
 */
export async function createLocations(tx: Tx, bodies: readonly NewLocation[]): Promise<Location[]> {
  await lockLocationCounter(tx)
  refuse({
    ...Object.assign({}, ...bodies.map((body, i) => mistakesIn(body, blankLocation, (field) => `${i}.${field}`))),
    ...(await takenCodes(tx, bodies)),
  })
  const ids = await takeIds(tx, [[locations, bodies.length]])
  const now = toSeconds(tx.now)
  const rows: Location[] = []
  const own = new Set(bodies.flatMap(({ code }) => (code === undefined ? [] : [fold(code)])))
  for (const { operating_hours, address, special_hours = [], ...given } of bodies) {
    const id = ids.next(locations)
    rows.push({
      ...blankLocation,
      ...given,
      id,
      code: given.code ?? (await freeCode(tx, id, own)),
      operating_hours: withDays(closedAllWeek, operating_hours),
      created_at: now,
      updated_at: now,
      address: address ? toStoredAddress(address) : null,
      special_hours: specialDays(special_hours),
    })
  }
  const created = await insertAll(tx, locations, rows)
  await refuseTooManyActive(tx)
  for (const { id } of created) publishLocation(tx, 'created', id)
  return created
}

/** Changes locations, all or none. @throws Problem 422 with all mistakes, 403 for too many enabled locations */
export async function changeLocations(tx: Tx, bodies: readonly LocationChangesById[]) {
  await lockLocationCounter(tx)
  const wanted = bodies.map(({ id }) => id)
  const before = await lockAll(tx, locations, wanted)
  const place = (i: number) => `${i}.id`
  const mistakes: Mistakes = {
    ...repeatedIds(bodies, place),
    ...missing(wanted, before, place, (id) => unknownId('location', id)),
    ...(await takenCodes(tx, bodies)),
  }
  for (const [i, body] of bodies.entries()) {
    const location = before.get(body.id)
    if (location)
      Object.assign(
        mistakes,
        mistakesIn(body, location, (field) => `${i}.${field}`),
      )
  }
  refuse(mistakes)
  const switched: Location[] = []
  for (const { id, ...changes } of bodies) {
    const location = before.get(id)
    if (!location) continue
    const now = await changeLocation(tx, location, changes)
    if (now.enabled !== location.enabled) switched.push(now)
  }
  await refuseTooManyActive(tx)
  await recountLocations(tx, switched)
}

async function changeLocation(
  tx: Tx,
  location: Location,
  { operating_hours, address, special_hours, ...own }: LocationChanges,
) {
  const before = new Map<string, unknown>(Object.entries(location))
  const wished = Object.entries({
    ...own,
    operating_hours: operating_hours && withDays(location.operating_hours, operating_hours),
    address: address && toStoredAddress({ ...location.address, ...address }),
    special_hours: special_hours && specialDays(special_hours),
  })
  // PostgreSQL returns the keys of an object in its own order.
  const changed = wished.filter(([field, value]) => value !== undefined && !isDeepStrictEqual(value, before.get(field)))
  if (changed.length === 0) return location
  const now = await change(tx, locations, location, { ...Object.fromEntries(changed), updated_at: toSeconds(tx.now) })
  publishLocation(tx, 'updated', location.id)
  return now
}

/**
 * Deletes a step of the stock of a large location before the location is deleted: one transaction would take too long.
 * @returns whether there may be another step
 * @throws Problem as `deleteLocations`
 */
async function emptyLargeLocation(tx: Tx, parts: LocationDependencies, ids: readonly number[]): Promise<boolean> {
  await refuseBusy(tx, parts, await lockDeletable(tx, ids))
  for (const id of ids) {
    const first = await itemsAt(tx, id, { after: NO_ITEM, limit: STEP_ROWS + 1 })
    if (first.length <= STEP_ROWS) continue
    await deleteStockAt(tx, id, first.slice(0, STEP_ROWS))
    return true
  }
  return false
}

/** Deletes locations with all rows that belong to them. Publishes no event. @throws Problem 404, 422 for the first location */
async function deleteLocations(tx: Tx, parts: LocationDependencies, ids: readonly number[]) {
  const found = await lockDeletable(tx, ids)
  await parts.deleteMethodsAt(tx, ids)
  // After the methods are locked too: an order for pickup locks its method until it is stored.
  await refuseBusy(tx, parts, found)
  await deleteAllStock(
    tx,
    ids.map((id) => ({ id })),
  )
  await deleteMetafieldsOf(tx, locationMetafields, ids)
  await removeAll(tx, locations, sql`id = any(${ids})`)
}

async function lockDeletable(tx: Tx, ids: readonly number[]): Promise<ReadonlyMap<number, Location>> {
  await lockLocationCounter(tx)
  const found = await lockAll(tx, locations, ids)
  for (const id of ids) if (!found.has(id)) throw notFound(locations.noun, id)
  const first = found.get(FIRST_LOCATION)
  if (first)
    throw new Problem(422, `${first.label} sends the orders of the store: the location ${first.id} cannot be deleted.`)
  return found
}

/** @throws Problem 422 for a location with open orders */
async function refuseBusy(tx: Tx, parts: LocationDependencies, found: ReadonlyMap<number, Location>) {
  const open = await parts.countOpenOrders(tx, [...found.keys()])
  for (const { id, label } of found.values()) {
    const count = open.get(id) ?? 0
    if (count > 0)
      throw new Problem(
        422,
        `${label} has ${count} open ${count === 1 ? 'order' : 'orders'}: the location ${id} cannot be deleted.`,
      )
  }
}

/** @throws Problem 403 */
async function refuseTooManyActive(tx: Tx) {
  const { count } = await tx.row<{ count: number }>(sql`
    select count(*)::int as count from locations where store_id = ${tx.store.id} and enabled`)
  if (count > ACTIVE_MAX) throw new Problem(403, `A store can have at most ${ACTIVE_MAX} active locations.`)
}

/** Publishes store/inventory/location/created or updated (docs/contract/webhooks.md section 6). */
function publishLocation(tx: Tx, action: 'created' | 'updated', location_id: number) {
  publish(tx, `store/inventory/location/${action}`, `location ${location_id}`, { location_id })
}
