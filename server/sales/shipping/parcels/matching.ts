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

interface Candidate {
  zone_id: number
  type: ZoneRow['type']
  state_iso2: string
  zip_key: string
}

interface FoundZones {
  candidates: Candidate[]
  /** Some of the candidates with their methods. */
  zones: Omit<ZoneFacts, 'currencies'>[]
  currencies: Currency[]
}

/** The most exact type first. */
const RANKS: readonly ZoneRow['type'][] = ['zip', 'state', 'country', 'global']
/** Candidates whose zones are read before one of them is chosen. */
const READ_AT_ONCE_MAX = 4

/**
 * The zone that serves a place (docs/contract/shipping.md section 2): of the enabled zones with the place the one of the most exact
 * type, then the one with the lowest id. One statement reads the locations whose literal beginning the postal code has, and their zones
 * with their methods; only if many locations name the place, the chosen zone may need another.
 * @returns undefined if no zone serves it
 */
export async function zoneAt(db: Db, destination: Destination): Promise<ZoneFacts | undefined> {
  const { id: store } = db.store
  const key = zipKey(destination.zip)
  // An array as parameter would be planned each time.
  const prefixes = zipPrefixes(key).map((prefix) => sql`${prefix}`)
  const { candidates, zones, currencies } = await db.row<FoundZones>(
    prepared(sql`
      with candidate as materialized (
        select zone_id, zone.type, state_iso2, zip_key
        from shipping_zone_locations location
        join shipping_zones zone on zone.store_id = location.store_id and zone.id = location.zone_id
        where location.store_id = ${store} and location.country_iso2 = ${destination.country_iso2}
          and location.zip_prefix in (${sql.join(prefixes)}) and zone.enabled
        union all
        select id, type, '', '' from shipping_zones where store_id = ${store} and type = 'global' and enabled
      )
      select (select coalesce(json_agg(candidate), '[]') from candidate) as candidates,
        (select coalesce(json_agg(json_build_object('zone', zone, 'methods', (${methodsOf(store, sql`zone.id`)}))), '[]')
          from shipping_zones zone where store_id = ${store}
            and id = any(array(select zone_id from candidate limit ${READ_AT_ONCE_MAX}))) as zones,
        (${currenciesOf(store)}) as currencies`),
  )
  const serving = candidates.filter((candidate) => serves(candidate, destination.state_iso2, key))
  const [first] = serving.sort(
    (one, other) => RANKS.indexOf(one.type) - RANKS.indexOf(other.type) || one.zone_id - other.zone_id,
  )
  if (!first) return undefined
  const found = zones.find(({ zone }) => zone.id === first.zone_id)
  return found ? { ...found, currencies } : readZone(db, first.zone_id)
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
