import { prepared } from '../../../../../core/db/database.ts'
import { sql } from '../../../../../core/db/sql.ts'
import { Load } from '../../../../../core/graphql/loads.ts'
import { GraphRefusal } from '../../../../../core/graphql/refusal.ts'
import type { Location } from '../../../../../goods/inventory/locations/location-shape.ts'
import { distanceMm, UNITS } from '../../../../../goods/pickup/distance.ts'
import type { StorefrontCaller } from '../../../caller.ts'
import type { Fields } from '../../types.ts'
import { connectionOf, type PageArgs } from '../connections.ts'
import { metafieldConnection } from '../metafields.ts'

// The locations of the store that shoppers see: the enabled ones that are visible in storefronts. A store has at most 100 of them, so all
// are read, and filters choose among them.

type LocationRow = Pick<
  Location,
  'id' | 'code' | 'label' | 'description' | 'type_id' | 'operating_hours' | 'special_hours' | 'time_zone' | 'address'
> & { distance_mm: number | null }

type ShownLocation = LocationRow & { unit: keyof typeof LENGTHS }

declare module '../../types.ts' {
  interface Parents {
    Inventory: object
    InventoryLocation: ShownLocation
  }
}

const LENGTHS = { Kilometres: UNITS.KM, Miles: UNITS.MI } as const

interface DistanceFilter {
  radius: number
  longitude: number
  latitude: number
  lengthUnit: keyof typeof LENGTHS
}
interface LocationArgs extends PageArgs {
  entityIds: readonly number[] | null
  codes: readonly string[] | null
  typeIds: readonly string[] | null
  serviceTypeIds: readonly string[] | null
  distanceFilter?: DistanceFilter | null
  countryCodes: readonly string[] | null
  states: readonly string[] | null
  cities: readonly string[] | null
}

const locationLoad = new Load<StorefrontCaller, 'all', LocationRow[], { latitude: number; longitude: number } | null>(
  async ({ storefront: { db } }, _, point) => {
    const [latitude, longitude] = ['latitude', 'longitude'].map(
      (axis) => sql`(address #>> ${`{geo_coordinates,${axis}}`}::text[])::float8`,
    )
    const distance = point && latitude && longitude ? distanceMm(point, latitude, longitude) : sql`null::float8`
    const rows = await db.rows<LocationRow>(
      prepared(sql`
      select id, code, label, description, type_id, operating_hours, special_hours, time_zone, address,
        ${distance} as distance_mm
      from locations where store_id = ${db.store.id} and enabled and storefront_visibility order by id`),
    )
    return new Map([['all', rows]])
  },
)

/** @throws GraphRefusal for a point that isn't on the globe */
async function locationConnection(caller: StorefrontCaller, { distanceFilter, ...filters }: LocationArgs) {
  const { radius = 0, latitude = 0, longitude = 0, lengthUnit: unit = 'Kilometres' } = distanceFilter ?? {}
  if (radius < 0) throw new GraphRefusal('radius must not be negative.', 'BAD_USER_INPUT')
  if (Math.abs(latitude) > 90) throw new GraphRefusal('latitude must be -90 to 90.', 'BAD_USER_INPUT')
  if (Math.abs(longitude) > 180) throw new GraphRefusal('longitude must be -180 to 180.', 'BAD_USER_INPUT')
  const point = distanceFilter ? { latitude, longitude } : null
  const rows = (await locationLoad.find(caller, 'all', point)) ?? []
  const found = rows.filter(
    (row) =>
      isChosen(row, filters) && (!point || (row.distance_mm !== null && row.distance_mm <= radius * LENGTHS[unit])),
  )
  if (point) found.sort((one, other) => (one.distance_mm ?? 0) - (other.distance_mm ?? 0) || one.id - other.id)
  return connectionOf(
    found.map((row) => ({ ...row, unit })),
    filters,
  )
}

type Filters = Omit<LocationArgs, 'distanceFilter' | keyof PageArgs>

/** Texts of places are compared without regard to case. No location has a type of service. */
function isChosen({ id, code, type_id, address }: LocationRow, filters: Filters): boolean {
  const has = <Value>(wanted: readonly Value[] | null, value: Value) => !wanted?.length || wanted.includes(value)
  const hasText = (wanted: readonly string[] | null, value = '') =>
    !wanted?.length || wanted.some((text) => text.toLowerCase() === value.toLowerCase())
  return (
    has(filters.entityIds, id) &&
    has(filters.codes, code) &&
    has(filters.typeIds, type_id) &&
    !filters.serviceTypeIds?.length &&
    hasText(filters.countryCodes, address?.country_code) &&
    hasText(filters.states, address?.state) &&
    hasText(filters.cities, address?.city)
  )
}

type SpecialDay = Location['special_hours'][number]

/** A special day with its moments: those of this year for a day that returns each year. Null while the location is closed. */
function specialHour({ label, open, date, annual, all_day, opening, closing }: SpecialDay, zone: string, now: Date) {
  const day = annual ? `${now.getUTCFullYear()}${date.slice(4)}` : date
  const at = (time: string) => (open ? momentAt(day, time, zone) : null)
  return { label, open, opening: at(all_day ? '00:00' : opening), closing: at(all_day ? '24:00' : closing) }
}

/** The moment at which the clocks of a zone show a time of a day. @param time 24:00 is the midnight at its end */
function momentAt(day: string, time: string, zone: string): string {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  const shown = Date.parse(`${day}T00:00:00Z`) + (hours * 60 + minutes) * 60_000
  const clock = new Intl.DateTimeFormat('sv', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' })
  const offsetAt = (moment: number) => Date.parse(`${clock.format(moment).replace(' ', 'T')}Z`) - moment
  // The offset of the second guess counts: the first one may lie on the other side of a change of the clocks.
  return new Date(shown - offsetAt(shown - offsetAt(shown))).toISOString()
}

/** Locations of the store. */
export const storeLocationFields: Fields<'Inventory' | 'InventoryLocation'> = {
  Inventory: { locations: (_, args, caller) => locationConnection(caller, args) },
  InventoryLocation: {
    entityId: ({ id }) => id,
    typeId: ({ type_id }) => type_id,
    serviceTypeIds: () => [],
    description: ({ description }) => description || null,
    address: ({ id, code, label, description, address }) =>
      address && {
        entityId: id,
        code,
        label,
        description: description || null,
        address1: address.address1,
        address2: address.address2,
        city: address.city,
        stateOrProvince: address.state,
        countryCode: address.country_code,
        postalCode: address.zip,
        phone: address.phone,
        email: address.email,
        latitude: address.geo_coordinates.latitude,
        longitude: address.geo_coordinates.longitude,
      },
    operatingHours: ({ operating_hours }) => operating_hours,
    distance: ({ distance_mm, unit }) =>
      distance_mm === null ? null : { value: distance_mm / LENGTHS[unit], lengthUnit: unit },
    // Special days on which the location is closed.
    blackoutHours: ({ special_hours, time_zone }, _, { now }) =>
      special_hours.filter(({ open }) => !open).map((day) => specialHour(day, time_zone, now)),
    specialHours: ({ special_hours, time_zone }, _, { now }) =>
      special_hours.map((day) => specialHour(day, time_zone, now)),
    timeZone: ({ time_zone }) => time_zone,
    metafields: ({ id }, args, caller) => metafieldConnection(caller, { kind: 'location', id }, args),
  },
}
