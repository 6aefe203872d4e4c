import { type Db, prepared } from '../../../core/db/database.ts'
import { type Sql, sql } from '../../../core/db/sql.ts'
import { matchesZip, zipKey, zipPrefixes } from '../../../core/geography/postal-codes.ts'
import type { Currency } from '../../../shop/channels/currencies/shape.ts'
import type { Method } from '../methods-row.ts'
import type { ZoneRow } from '../zones.ts'

/** A place that a consignment goes to. Codes are in capitals. */
export interface Destination {
  country_iso2: string
  state_iso2: string
  zip: string
}

/** A zone with everything that its options follow from. */
export interface ZoneFacts {
  zone: ZoneRow
  methods: Method[]
  /** Those of the store. */
  currencies: Currency[]
}

/** A location that has the place, or a global zone. */
interface Candidate {
  zone_id: number
  type: ZoneRow['type']
  state_iso2: string
  zip_key: string
}

/** The most exact type first. */
const RANKS: readonly ZoneRow['type'][] = ['zip', 'state', 'country', 'global']
/** Candidates that are read with their zones. */
const READ_AT_ONCE_MAX = 4

/**
 * The zone that serves a place (docs/contract/shipping.md section 2): of the enabled zones with the place the one of the most exact
 * type, then the one with the lowest id. One statement reads the locations whose literal beginning the postal code has, and their zones
 * with their methods. If many locations name the place, they are read without their zones, and then the chosen zone.
 * @returns undefined if no zone serves it
 */
export async function zoneAt(db: Db, destination: Destination): Promise<ZoneFacts | undefined> {
  const { id: store } = db.store
  const key = zipKey(destination.zip)
  const places = placesOf(store, destination, key)
  const zonesThere = sql`
    from (${places}) place join shipping_zones zone on zone.store_id = ${store} and zone.id = zone_id and zone.enabled`
  const some = await db.rows<Candidate & ZoneFacts>(
    prepared(sql`
    select zone_id, zone.type, state_iso2, zip_key, to_json(zone) as zone, (${methodsOf(store, sql`zone.id`)}) as methods,
      (${currenciesOf(store)}) as currencies
    ${zonesThere} limit ${sql.raw(String(READ_AT_ONCE_MAX + 1))}`),
  )
  if (some.length <= READ_AT_ONCE_MAX) return mostExact(some, destination, key)
  const all = await db.rows<Candidate>(prepared(sql`select zone_id, zone.type, state_iso2, zip_key ${zonesThere}`))
  const chosen = mostExact(all, destination, key)
  return chosen && readZone(db, chosen.zone_id)
}

/** The locations that may have a place, and the global zone. */
function placesOf(store: number, { country_iso2 }: Destination, key: string): Sql {
  // An array as parameter would be planned each time.
  const prefixes = zipPrefixes(key).map((prefix) => sql`${prefix}`)
  return sql`
    select zone_id, state_iso2, zip_key from shipping_zone_locations location
    where location.store_id = ${store} and location.country_iso2 = ${country_iso2}
      and location.zip_prefix in (${sql.join(prefixes)})
    union all
    select id, '', '' from shipping_zones where store_id = ${store} and type = 'global' and enabled`
}

/** The candidate of the most exact type that serves a place, and of those the one with the lowest id. */
function mostExact<Found extends Candidate>(
  candidates: readonly Found[],
  { state_iso2 }: Destination,
  key: string,
): Found | undefined {
  const [first] = candidates
    .filter((candidate) => serves(candidate, state_iso2, key))
    .sort((one, other) => RANKS.indexOf(one.type) - RANKS.indexOf(other.type) || one.zone_id - other.zone_id)
  return first
}

const methodsOf = (store: number, zone: Sql): Sql => sql`
  select coalesce(json_agg(method), '[]') from shipping_methods method
  where method.store_id = ${store} and method.zone_id = ${zone}`

const currenciesOf = (store: number): Sql => sql`
  select json_agg(currency) from currencies currency where store_id = ${store}`

/** A zone by its id. */
async function readZone(db: Db, id: number): Promise<ZoneFacts | undefined> {
  const { id: store } = db.store
  const [row] = await db.rows<ZoneFacts>(
    prepared(sql`
    select to_json(zone) as zone, (${methodsOf(store, sql`zone.id`)}) as methods, (${currenciesOf(store)}) as currencies
    from shipping_zones zone where store_id = ${store} and id = ${id}`),
  )
  return row
}

function serves({ type, state_iso2, zip_key }: Candidate, state: string, key: string): boolean {
  if (type === 'zip') return matchesZip(key, zip_key)
  return type !== 'state' || state_iso2 === state
}
