import { type Db, prepared } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { matchesZip, zipKey, zipPrefixes } from '../../../core/geography/postal-codes.ts'
import type { ZoneRow } from '../zones.ts'

/** A place that a consignment goes to. Codes are in capitals. */
export interface Destination {
  country_iso2: string
  state_iso2: string
  zip: string
}

interface Candidate {
  zone_id: number
  type: ZoneRow['type']
  state_iso2: string
  zip_key: string
}

/** The most exact type first. */
const RANKS: readonly ZoneRow['type'][] = ['zip', 'state', 'country', 'global']

/**
 * The zone that serves a place (docs/contract/shipping.md section 2): of the enabled zones with the place the one of the most exact
 * type, then the one with the lowest id. One statement reads the locations whose literal beginning the postal code has.
 * @returns undefined if no zone serves it
 */
export async function zoneAt(db: Db, destination: Destination): Promise<number | undefined> {
  const key = zipKey(destination.zip)
  // An array as parameter would be planned each time.
  const prefixes = zipPrefixes(key).map((prefix) => sql`${prefix}`)
  const candidates = await db.rows<Candidate>(
    prepared(sql`
      select zone_id, zone.type, state_iso2, zip_key
      from shipping_zone_locations location
      join shipping_zones zone on zone.store_id = location.store_id and zone.id = location.zone_id
      where location.store_id = ${db.store.id} and location.country_iso2 = ${destination.country_iso2}
        and location.zip_prefix in (${sql.join(prefixes)}) and zone.enabled
      union all
      select id, type, '', '' from shipping_zones where store_id = ${db.store.id} and type = 'global' and enabled`),
  )
  const serving = candidates.filter((candidate) => serves(candidate, destination.state_iso2, key))
  const [first] = serving.sort(
    (one, other) => RANKS.indexOf(one.type) - RANKS.indexOf(other.type) || one.zone_id - other.zone_id,
  )
  return first?.zone_id
}

function serves({ type, state_iso2, zip_key }: Candidate, state: string, key: string): boolean {
  if (type === 'zip') return matchesZip(key, zip_key)
  return type !== 'state' || state_iso2 === state
}
