import { type Sql, sql } from '../../core/db/sql.ts'

/** A point on the globe, in degrees. */
export interface Point {
  latitude: number
  longitude: number
}

const EARTH_RADIUS_MM = 6_371_008_800
/** Millimetres per unit. */
export const UNITS = { KM: 1_000_000, MI: 1_609_344 } as const

/**
 * The great-circle distance between a point and a point in columns, on a sphere, in SQL (docs/contract/pickup.md section 3).
 * Whole millimetres: a location at exactly the radius is inside, and two locations at one address are equally far.
 */
export const distanceMm = (from: Point, latitude: Sql, longitude: Sql): Sql => sql`
  round(${2 * EARTH_RADIUS_MM}::float8 * asin(least(1, sqrt(
    power(sind((${latitude} - ${from.latitude}::float8) / 2), 2)
    + cosd(${from.latitude}::float8) * cosd(${latitude}) * power(sind((${longitude} - ${from.longitude}::float8) / 2), 2)))))`
