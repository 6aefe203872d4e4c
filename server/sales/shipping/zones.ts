import t, { type Static } from 'typebox'
import { type Db, prepared, type Tx } from '../../core/db/database.ts'
import { type Sql, sql } from '../../core/db/sql.ts'
import { countryOf } from '../../core/geography/countries.ts'
import { zipKey, zipPrefix } from '../../core/geography/postal-codes.ts'
import { statesOf } from '../../core/geography/states.ts'
import { textOf, unitsOf } from '../../core/money/units.ts'
import { Answer, noContent } from '../../core/rest/answer.ts'
import type { Api } from '../../core/rest/api.ts'
import { Amount } from '../../core/rest/input/amounts.ts'
import { Id, idSegment } from '../../core/rest/input/fields.ts'
import { type Mistakes, refuse } from '../../core/rest/input/mistakes.ts'
import { collection } from '../../core/rest/lists/collection.ts'
import { lockCounter } from '../../core/rest/lists/counters.ts'
import { change, findOne, insert, insertAll, lock, remove, removeAll, takeIds } from '../../core/rest/lists/verbs.ts'
import { Problem } from '../../core/rest/problem.ts'
import { listV2, pageV2, rowsV2 } from '../../core/rest/v2.ts'
import { access } from '../../stores/accounts/scopes.ts'
import { shippingMethods } from './methods-row.ts'
import { refuseWrittenId, Unwritable } from './unwritable.ts'

/**
 * A shipping zone is a set of places that a store ships to at the same costs: postal codes, states, countries, or the rest of the world.
 * The merchant creates it and adds methods, each of which calculates a cost. Zones may overlap; one zone serves a consignment, the
 * one with the most exact location (`matching.ts`). A disabled zone serves nobody. A zone can charge for handling, and offer free
 * shipping from a subtotal on. It has its methods: they are deleted with it. It never changes the shipping of an order that was placed.
 */

const { read, write } = access('information')

const ZIPS_MAX = 40_000

const FreeShipping = t.Object({
  enabled: t.Boolean(),
  minimum_sub_total: Amount(),
  exclude_fixed_shipping_products: t.Boolean(),
})

/** Either a fixed amount or a percentage. */
const Fees = t.Object({
  fixed_surcharge: t.Optional(Amount()),
  percentage_surcharge: t.Optional(Amount({ maximum: 100 })),
  display_separately: t.Optional(t.Boolean()),
})

const Row = t.Object({
  id: Id,
  name: t.String({ minLength: 1, maxLength: 255, pattern: '\\S' }),
  type: t.Enum(['zip', 'state', 'country', 'global']),
  enabled: t.Boolean(),
  free_shipping: FreeShipping,
  handling_fees: Fees,
})
export type ZoneRow = Static<typeof Row>

export const shippingZones = collection('shipping_zones', Row, {
  noun: 'shipping zone',
  filters: '',
  max: 1_000,
  conflicts: { shipping_zones_one_global: ['The store has a global zone already.', 'type'] },
})

/** The codes of the countries that a store ships to, as a column of any statement; null if it ships everywhere. */
export const shippedCountries = ({ store }: Pick<Db, 'store'>): Sql => sql`(
  select coalesce(jsonb_agg(distinct place.country_iso2), '[]') from shipping_zones zone
  join shipping_zone_locations place on place.store_id = ${store.id} and place.zone_id = zone.id
  where zone.store_id = ${store.id} and zone.enabled and not exists (
    select 1 from shipping_zones world where world.store_id = ${store.id} and world.enabled and world.type = 'global'
  )
  having not exists (
    select 1 from shipping_zones world where world.store_id = ${store.id} and world.enabled and world.type = 'global'
  )
)`

/** The codes of the countries that a store ships to; undefined if it ships everywhere, or has no zone. */
export async function shippedCountriesOf(db: Db): Promise<ReadonlySet<string> | undefined> {
  const [row] = await db.rows<{ codes: string[] | null }>(prepared(sql`select ${shippedCountries(db)} as codes`))
  return row?.codes?.length ? new Set(row.codes) : undefined
}

const LocationRow = t.Object({
  id: Id,
  country_iso2: t.String(),
  state_iso2: t.String(),
  zip: t.String(),
})
type LocationRow = Static<typeof LocationRow>

const locations = collection('shipping_zone_locations', LocationRow, {
  noun: 'location',
  filters: '',
  hidden: ['zone_id', 'zip_key', 'zip_prefix'],
})

const Money = t.String({ description: 'An amount with four decimals' })
const Location = t.Object(
  {
    id: Id,
    zip: t.Optional(t.String()),
    country_iso2: t.String(),
    state_iso2: t.Optional(t.String()),
  },
  { title: 'ShippingZoneLocation' },
)
const Zone = t.Object(
  {
    id: Id,
    name: Row.properties.name,
    type: Row.properties.type,
    locations: t.Array(Location),
    free_shipping: t.Object({ ...FreeShipping.properties, minimum_sub_total: Money }),
    handling_fees: t.Object({
      fixed_surcharge: t.Optional(Money),
      percentage_surcharge: t.Optional(Money),
      display_separately: t.Boolean(),
    }),
    enabled: t.Boolean(),
  },
  { title: 'ShippingZone' },
)

const NewLocation = t.Object({
  id: t.Optional({ ...Id, description: 'Ignored: each location gets a new id' }),
  zip: t.Optional(
    t.String({ minLength: 1, maxLength: 20, description: '`*` stands for any text, `?` for one character' }),
  ),
  country_iso2: t.Optional(t.String({ minLength: 2, maxLength: 3 })),
  state_iso2: t.Optional(t.String({ minLength: 1, maxLength: 3 })),
})
const Fields = {
  id: Unwritable,
  name: Row.properties.name,
  type: Row.properties.type,
  locations: t.Array(NewLocation, { maxItems: ZIPS_MAX }),
  free_shipping: t.Partial(FreeShipping),
  handling_fees: Fees,
  enabled: t.Boolean(),
}
const example = {
  name: 'Manhattan',
  type: 'zip' as const,
  locations: [{ zip: '100*', country_iso2: 'US' }],
  handling_fees: { fixed_surcharge: '2.0000', display_separately: false },
}
const NewZone = t.Object(
  { ...t.Partial(t.Object(Fields)).properties, name: Fields.name, type: Fields.type },
  { title: 'NewShippingZone', examples: [example] },
)
const Changes = t.Object(
  { ...t.Partial(t.Object(Fields)).properties, name: Fields.name },
  { title: 'ShippingZoneChanges', examples: [{ name: 'Manhattan', enabled: true }] },
)

/** The shipping zones of a store (docs/contract/shipping.md section 2). */
export function shippingZoneRoutes(api: Api) {
  const one = `/shipping/zones/${idSegment('id')}`
  const params = t.Object({ id: Id })

  api.get(
    '/shipping/zones',
    {
      ...read,
      schema: {
        summary: 'List the shipping zones',
        querystring: pageV2,
        response: { 200: t.Array(Zone), 204: t.Null() },
      },
    },
    async ({ db, query }) => listV2(await withLocations(db, await rowsV2(db, { collection: shippingZones, query }))),
  )

  api.post(
    '/shipping/zones',
    { ...write, schema: { summary: 'Create a shipping zone', body: NewZone, response: { 201: Zone } } },
    async ({ db, body }) => new Answer(await db.transaction((tx) => createShippingZone(tx, body)), 201),
  )

  api.get(
    one,
    { ...read, schema: { summary: 'Get a shipping zone', params, response: { 200: Zone } } },
    async ({ db, params }) => new Answer(await findZone(db, params.id)),
  )

  api.put(
    one,
    {
      ...write,
      schema: {
        summary: 'Change a shipping zone',
        description: 'A list of locations replaces the stored one; its locations get new ids.',
        params,
        body: Changes,
        response: { 200: Zone },
      },
    },
    async ({ db, params, body }) => new Answer(await changeZone(db, params.id, body)),
  )

  api.delete(
    one,
    { ...write, schema: { summary: 'Delete a shipping zone and its methods', params } },
    async ({ db, params }) => {
      await db.transaction((tx) => deleteZone(tx, params.id))
      return noContent()
    },
  )
}

/** @throws Problem 400, 403 at the maximum of zones or postal codes, 409 for a second global zone */
export async function createShippingZone(tx: Tx, body: Static<typeof NewZone>): Promise<Static<typeof Zone>> {
  refuseWrittenId(body)
  const zone = settled({ name: body.name, type: body.type, enabled: true, ...blank }, body)
  const places = placesOf(zone.type, body.locations ?? [])
  await lockCounter(tx, shippingZones.table)
  const row = await insert(tx, shippingZones, zone)
  return toAnswer(row, await insertLocations(tx, row.id, places))
}

const blank = {
  free_shipping: { enabled: false, minimum_sub_total: 0, exclude_fixed_shipping_products: false },
  handling_fees: { fixed_surcharge: 0, display_separately: true },
}

/** A zone with the changes of a body. @throws Problem 400 for two handling fees */
function settled(zone: Omit<ZoneRow, 'id'>, body: Partial<Static<typeof Changes>>): Omit<ZoneRow, 'id'> {
  const { name = zone.name, type = zone.type, enabled = zone.enabled, handling_fees } = body
  const free_shipping = { ...zone.free_shipping, ...body.free_shipping }
  refuse(mistakesOfFees(handling_fees))
  return { name, type, enabled, free_shipping, handling_fees: feesAfter(zone.handling_fees, handling_fees) }
}

/** Fees are either a fixed amount or a percentage. */
export const mistakesOfFees = (fees: { fixed_surcharge?: unknown; percentage_surcharge?: unknown } = {}): Mistakes =>
  fees.fixed_surcharge !== undefined && fees.percentage_surcharge !== undefined
    ? { handling_fees: 'handling_fees takes either fixed_surcharge or percentage_surcharge.' }
    : {}

/** A body that names a surcharge replaces the stored one. */
function feesAfter(stored: ZoneRow['handling_fees'], given: Static<typeof Fees> = {}): ZoneRow['handling_fees'] {
  const { display_separately = stored.display_separately ?? true, ...surcharge } = given
  const { display_separately: _, ...before } = stored
  return { ...(Object.keys(surcharge).length > 0 ? surcharge : before), display_separately }
}

/** @throws Problem 404 */
async function findZone(db: Db, id: number): Promise<Static<typeof Zone>> {
  const zone = await findOne(db, shippingZones, id)
  const [answered = toAnswer(zone, [])] = await withLocations(db, [zone])
  return answered
}

async function withLocations(db: Db, zones: readonly ZoneRow[]): Promise<Static<typeof Zone>[]> {
  const rows = await db.rows<LocationRow & { zone_id: number }>(
    prepared(sql`
      select id, country_iso2, state_iso2, zip, zone_id from shipping_zone_locations
      where store_id = ${db.store.id} and zone_id = any(${zones.map(({ id }) => id)}) order by zone_id, id`),
  )
  const byZone = Map.groupBy(rows, ({ zone_id }) => zone_id)
  return zones.map((zone) => toAnswer(zone, byZone.get(zone.id) ?? []))
}

function toAnswer(
  { free_shipping, handling_fees, ...zone }: ZoneRow,
  places: readonly LocationRow[],
): Static<typeof Zone> {
  const { fixed_surcharge, percentage_surcharge, display_separately = true } = handling_fees
  return {
    id: zone.id,
    name: zone.name,
    type: zone.type,
    locations: places.map(({ id, country_iso2, state_iso2, zip }) => ({
      id,
      ...(zip === '' ? {} : { zip }),
      country_iso2,
      ...(state_iso2 === '' ? {} : { state_iso2 }),
    })),
    free_shipping: { ...free_shipping, minimum_sub_total: textOf(unitsOf(free_shipping.minimum_sub_total)) },
    handling_fees: {
      ...(fixed_surcharge === undefined ? {} : { fixed_surcharge: textOf(unitsOf(fixed_surcharge)) }),
      ...(percentage_surcharge === undefined ? {} : { percentage_surcharge: textOf(unitsOf(percentage_surcharge)) }),
      display_separately,
    },
    enabled: zone.enabled,
  }
}

/** @throws Problem 400, 403, 404, 409 */
async function changeZone(db: Db, id: number, body: Static<typeof Changes>): Promise<Static<typeof Zone>> {
  refuseWrittenId(body)
  return db.transaction(async (tx) => {
    await lockCounter(tx, shippingZones.table)
    const before = await lock(tx, shippingZones, id)
    const after = settled(before, body)
    const isMoved = body.locations !== undefined || after.type !== before.type
    const places = isMoved ? placesOf(after.type, body.locations ?? []) : []
    const row = await change(tx, shippingZones, before, after)
    if (!isMoved) return findZone(tx, id)
    await removeAll(tx, locations, sql`zone_id = ${id}`)
    return toAnswer(row, await insertLocations(tx, id, places))
  })
}

async function deleteZone(tx: Tx, id: number) {
  await lock(tx, shippingZones, id)
  await removeAll(tx, shippingMethods, sql`zone_id = ${id}`)
  await removeAll(tx, locations, sql`zone_id = ${id}`)
  await remove(tx, shippingZones, id)
}

type Place = Omit<LocationRow, 'id'>

/** The locations of a body, checked. @throws Problem 400 by field */
function placesOf(type: ZoneRow['type'], given: readonly Static<typeof NewLocation>[]): Place[] {
  const mistakes: Mistakes = {}
  if (type === 'global' && given.length > 0) mistakes.locations = 'A global zone has no locations.'
  if (type !== 'global' && given.length === 0) mistakes.locations = `A zone of the type ${type} needs locations.`
  const places = given.map(({ zip = '', country_iso2 = '', state_iso2 = '' }, i) => {
    const field = `locations.${i}`
    const country = countryOf(country_iso2) ?? ''
    const state = state_iso2.toUpperCase()
    if (country === '') mistakes[`${field}.country_iso2`] = 'country_iso2 must be a code of ISO 3166-1.'
    if (type === 'zip' && zip.trim() === '') mistakes[`${field}.zip`] = 'zip is required in a zone of this type.'
    if (type === 'state' && !isState(country, state)) {
      mistakes[`${field}.state_iso2`] = 'state_iso2 must be the code of a state of the country.'
    }
    return {
      country_iso2: country,
      state_iso2: type === 'state' ? state : '',
      zip: type === 'zip' ? zip.trim() : '',
    }
  })
  refuse(mistakes)
  return places
}

/** A country without a list of states may have any. */
const isState = (country: string, state: string): boolean =>
  state !== '' && (statesOf(country)?.some(({ code }) => code === state) ?? true)

/** The counter of the zones is locked, so no race gets past the maximum. @throws Problem 403 */
async function insertLocations(tx: Tx, zone_id: number, places: readonly Place[]): Promise<LocationRow[]> {
  const ids = await takeIds(tx, [[locations, places.length]])
  const stored = await insertAll(
    tx,
    locations,
    places.map((place) => {
      const zip_key = zipKey(place.zip)
      return { id: ids.next(locations), ...place, zone_id, zip_key, zip_prefix: zipPrefix(zip_key) }
    }),
  )
  if (places.some(({ zip }) => zip !== '')) await refuseTooManyZips(tx)
  return stored
}

async function refuseTooManyZips(tx: Tx) {
  const { count } = await tx.row<{ count: number }>(sql`
    select count(*)::int as count from shipping_zone_locations where store_id = ${tx.store.id} and zip_key <> ''`)
  if (count > ZIPS_MAX) throw new Problem(403, `The zones of a store can have at most ${ZIPS_MAX} postal codes.`)
}
