import { matchesZip, zipKey, zipPrefix, zipPrefixes } from '../../../core/geography/postal-codes.ts'
import { KIND_RANKS, kindOfLocation, type TaxLocation } from './locations.ts'

// Finds the zone that serves a place, without looking at all zones: by country, by state, by exact postal code, and by the beginnings
// of the postal code for patterns.

/** The part of a zone that decides which places and shoppers it serves. */
export interface SearchedZone {
  id: number
  enabled: boolean
  shopper_target_settings: { locations: readonly TaxLocation[]; customer_groups: readonly number[] }
}

/** The place and the group of a shopper; the group is 0 for guests and customers without one. */
export interface TaxPlace {
  /** Two letters, in any case. */
  country_code: string
  /** ISO 3166-2 without the country, in any case. */
  subdivision_code: string
  postal_code: string
  customer_group_id: number
}

/** A zone under a key, as the search compares it with others. */
interface Candidate {
  id: number
  /** Undefined for all. */
  groups: ReadonlySet<number> | undefined
  rank: number
}

interface Pattern {
  candidate: Candidate
  key: string
}

const ENTRY_BYTES = 120

/** The zones of a store by their places. */
export class ZoneSearch {
  /** By country, by country and state, and by country and postal code. Of the zones for all groups only the best. */
  readonly #places = new Map<string, Candidate[]>()
  /** By country and the characters before the first wildcard. */
  readonly #patterns = new Map<string, Pattern[]>()
  #entries = 0

  constructor(zones: readonly SearchedZone[]) {
    for (const { id, enabled, shopper_target_settings: target } of zones.toSorted((one, other) => one.id - other.id)) {
      if (!enabled) continue
      const groups = target.customer_groups.length > 0 ? new Set(target.customer_groups) : undefined
      for (const location of target.locations) {
        this.#addLocation({ id, groups, rank: KIND_RANKS[kindOfLocation(location)] }, location)
      }
    }
  }

  /** An estimate of the memory that it takes. */
  get bytes(): number {
    return this.#entries * ENTRY_BYTES
  }

  /** @returns undefined if no zone names the place */
  find({ country_code, subdivision_code, postal_code, customer_group_id }: TaxPlace): number | undefined {
    const country = country_code.toUpperCase()
    const zip = zipKey(postal_code)
    const candidates = [
      this.#places.get(country),
      this.#places.get(keyOfState(country, subdivision_code.toUpperCase())),
      ...(zip === '' ? [] : [this.#places.get(keyOfZip(country, zip)), this.#matching(country, zip)]),
    ]
    let best: Candidate | undefined
    for (const candidate of candidates.flatMap((list) => list ?? [])) {
      const fits = candidate.groups?.has(customer_group_id) ?? true
      if (fits && (!best || isBetter(candidate, best))) best = candidate
    }
    return best?.id
  }

  #addLocation(candidate: Candidate, { country_code, subdivision_codes, postal_codes }: TaxLocation) {
    if (subdivision_codes.length + postal_codes.length === 0) this.#add(country_code, candidate)
    for (const code of subdivision_codes) this.#add(keyOfState(country_code, code), candidate)
    for (const key of postal_codes.map(zipKey)) {
      const prefix = zipPrefix(key)
      if (prefix === key) this.#add(keyOfZip(country_code, key), candidate)
      else this.#addPattern(keyOfZip(country_code, prefix), { candidate, key })
    }
  }

  #add(key: string, candidate: Candidate) {
    this.#entries++
    const there = this.#places.get(key)
    if (!there) this.#places.set(key, [candidate])
    // The first zone for all groups, with the lowest id, hides the others.
    else if (candidate.groups || there.every(({ groups }) => groups)) there.push(candidate)
  }

  #addPattern(prefix: string, pattern: Pattern) {
    this.#entries++
    const there = this.#patterns.get(prefix)
    if (there) there.push(pattern)
    else this.#patterns.set(prefix, [pattern])
  }

  #matching(country: string, zip: string): Candidate[] {
    if (this.#patterns.size === 0) return []
    return zipPrefixes(zip)
      .flatMap((prefix) => this.#patterns.get(keyOfZip(country, prefix)) ?? [])
      .flatMap(({ candidate, key }) => (matchesZip(zip, key) ? [candidate] : []))
  }
}

/** A zone for the group before one for all, then the more exact place, then the lower id. */
function isBetter(one: Candidate, other: Candidate): boolean {
  if ((one.groups === undefined) !== (other.groups === undefined)) return one.groups !== undefined
  return one.rank === other.rank ? one.id < other.id : one.rank < other.rank
}

// A slash is in no code of a country or state.
const keyOfState = (country: string, state: string) => `${country}/${state}`
const keyOfZip = (country: string, zip: string) => `${country} ${zip}`
