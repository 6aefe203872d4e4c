import type { Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { countryOf } from '../../../core/geography/countries.ts'
import { type Mistakes, repeated } from '../../../core/rest/input/mistakes.ts'
import { fold } from '../../../core/rest/lists/fold.ts'
import { FIRST_LOCATION } from '../../stock/stock.ts'
import { hoursMistakes } from './hours.ts'
import type { Location, LocationAddress, LocationChanges } from './location-shape.ts'

// The checks of a location beyond its schema (docs/contract/locations.md section 1).

/** The mistakes of a body that matches its schema. @param before the current values of missing fields */
export function mistakesIn(
  body: LocationChanges & { id?: number },
  before: Pick<Location, 'type_id' | 'address'>,
  at: (field: string) => string,
): Mistakes {
  const { time_zone, address, type_id, enabled, operating_hours, special_hours } = body
  const mistakes = hoursMistakes(operating_hours, special_hours, at)
  if (time_zone !== undefined && !isTimeZone(time_zone)) {
    mistakes[at('time_zone')] = `time_zone must be a name of the IANA database, not ${time_zone}.`
  }
  if (body.id === FIRST_LOCATION && enabled === false) mistakes[at('enabled')] = 'The first location stays enabled.'
  const isNew = body.id === undefined
  const isPhysical = (type_id ?? before.type_id) === 'PHYSICAL'
  const kept = address === null ? null : before.address
  const whole = address || kept ? { ...kept, ...address } : undefined
  // The first location has no address at first, and clients send it back as they have read it.
  const isAsBefore = !isNew && before.address === null && before.type_id === 'PHYSICAL'
  if (isPhysical && !whole && !isAsBefore) mistakes[at('address')] = 'error.path.missing'
  if (whole)
    Object.assign(
      mistakes,
      addressMistakes(whole, (field) => at(`address.${field}`)),
    )
  return mistakes
}

function addressMistakes(address: Partial<LocationAddress>, at: (field: string) => string): Mistakes {
  const needed = ['address1', 'city', 'state', 'zip', 'email', 'geo_coordinates', 'country_code'] as const
  const mistakes: Mistakes = Object.fromEntries(
    needed.filter((field) => address[field] === undefined).map((field) => [at(field), 'error.path.missing']),
  )
  const { country_code } = address
  if (country_code !== undefined && countryOf(country_code) === undefined) {
    mistakes[at('country_code')] = `${country_code} is not a country of ISO 3166-1.`
  }
  return mistakes
}

/** The stored form of a valid address. */
export const toStoredAddress = (given: Partial<LocationAddress>) => ({
  address1: given.address1 ?? '',
  address2: given.address2 ?? '',
  city: given.city ?? '',
  state: given.state ?? '',
  zip: given.zip ?? '',
  email: given.email ?? '',
  phone: given.phone ?? '',
  geo_coordinates: given.geo_coordinates ?? { latitude: 0, longitude: 0 },
  country_code: countryOf(given.country_code ?? '') ?? '',
})

/** Accepts other names of a zone, such as `US/Pacific`, but no offset. */
function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

/** Codes of another location or of another item of the body. A code that an item gives up is free in the next request. */
export async function takenCodes(tx: Tx, bodies: readonly { id?: number; code?: string }[]): Promise<Mistakes> {
  const keys = bodies.map(({ code }) => (code === undefined ? undefined : fold(code)))
  const place = (i: number) => `${i}.code`
  const owners = await ownersOf(
    tx,
    keys.filter((key) => key !== undefined),
  )
  const mistakes = repeated(keys, (key) => key, place, 'Another item has this code.')
  for (const [i, { id, code }] of bodies.entries()) {
    const owner = owners.get(keys[i] ?? '')
    if (owner !== undefined && owner !== id) mistakes[place(i)] = `The location ${owner} has the code ${code}.`
  }
  return mistakes
}

/** The ids of the locations with these codes. */
async function ownersOf(tx: Tx, keys: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const rows = await tx.rows<{ id: number; code_key: string }>(sql`
    select id, code_key from locations where store_id = ${tx.store.id} and code_key = any(${keys})`)
  return new Map(rows.map(({ id, code_key }) => [code_key, id]))
}

/** `LOC-7`, or if another location has that code `LOC-7-2` and so on. @param own keys of the codes in the request */
export async function freeCode(tx: Tx, id: number, own: ReadonlySet<string>): Promise<string> {
  for (let n = 1; ; n++) {
    const code = n === 1 ? `LOC-${id}` : `LOC-${id}-${n}`
    if (!own.has(fold(code)) && (await ownersOf(tx, [fold(code)])).size === 0) return code
  }
}
