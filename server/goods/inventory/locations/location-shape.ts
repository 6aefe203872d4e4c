import t, { type Static } from 'typebox'
import { type Db, prepared, type Tx } from '../../../core/db/database.ts'
import { type Sql, sql } from '../../../core/db/sql.ts'
import { toSeconds } from '../../../core/rest/input/dates.ts'
import { Id, Line, Moment, NeededLine, nullable } from '../../../core/rest/input/fields.ts'
import { collection } from '../../../core/rest/lists/collection.ts'
import { lockCounter, startCounter } from '../../../core/rest/lists/counters.ts'
import { insertOne } from '../../../core/rest/lists/verbs.ts'
import { FIRST_LOCATION } from '../../stock/stock.ts'
import { closedAllWeek, OperatingHours, OperatingHoursInput, SpecialDay, SpecialHoursInput } from './hours.ts'

// A location is a place where a store keeps goods, from which orders are sent and at which they can be collected. Every store
// has its first location from its creation; clients create others, up to 100 enabled ones. Its code is unique in the store.
// Requests change its address, hours and visibility. A disabled location keeps its stock, but that stock is not for sale: the
// levels in the catalog change. The first location can neither be disabled nor deleted, because the catalog shows its
// stock and orders are sent from it. A location with open orders cannot be deleted either. A deleted location takes its
// stock, pickup methods and metafields with it; the recorded changes of its stock stay. Changes of a
// location never change the amount of its stock (docs/contract/locations.md).

export const LocationAddress = t.Object(
  {
    address1: NeededLine,
    address2: Line,
    city: NeededLine,
    state: Line,
    zip: Line,
    email: t.String({ format: 'email', maxLength: 255 }),
    phone: Line,
    geo_coordinates: t.Object({
      latitude: t.Number({ minimum: -90, maximum: 90 }),
      longitude: t.Number({ minimum: -180, maximum: 180 }),
    }),
    country_code: t.String({
      minLength: 2,
      maxLength: 3,
      description: 'ISO 3166-1; answers have two letters',
    }),
  },
  { title: 'LocationAddress' },
)
export type LocationAddress = Static<typeof LocationAddress>
const { address2, phone } = LocationAddress.properties
const NewAddress = t.Object(
  { ...LocationAddress.properties, address2: t.Optional(address2), phone: t.Optional(phone) },
  { title: 'NewLocationAddress' },
)
const AddressChanges = t.Partial(LocationAddress, { title: 'LocationAddressChanges' })

export const Location = t.Object({
  id: Id,
  code: NeededLine,
  label: NeededLine,
  description: t.String({ maxLength: 2_000 }),
  managed_by_external_source: t.Boolean(),
  type_id: t.Enum(['PHYSICAL', 'VIRTUAL']),
  enabled: t.Boolean(),
  operating_hours: OperatingHours,
  time_zone: t.String({ maxLength: 64 }),
  created_at: Moment,
  updated_at: Moment,
  address: nullable(LocationAddress),
  storefront_visibility: t.Boolean(),
  special_hours: t.Array(SpecialDay),
})
export type Location = Static<typeof Location>

export const LocationChanges = t.Partial(
  t.Object({
    ...t.Omit(Location, ['id', 'created_at', 'updated_at']).properties,
    operating_hours: OperatingHoursInput,
    address: nullable(AddressChanges),
    special_hours: SpecialHoursInput,
  }),
)
export type LocationChanges = Static<typeof LocationChanges>
export const NewLocation = t.Object(
  { ...LocationChanges.properties, label: NeededLine, address: t.Optional(nullable(NewAddress)) },
  { title: 'NewLocation' },
)
export type NewLocation = Static<typeof NewLocation>
export const LocationChangesById = t.Object({ ...LocationChanges.properties, id: Id }, { title: 'LocationChanges' })
export type LocationChangesById = Static<typeof LocationChangesById>

/** Codes are unique in a store, and compared folded (docs/contract/locations.md section 1). */
export const locations = collection('locations', Location, { noun: 'location', filters: '', twins: ['code'] })

/** The defaults of a new location. */
export const blankLocation: Omit<Location, 'id' | 'code' | 'label' | 'created_at' | 'updated_at'> = {
  description: '',
  managed_by_external_source: false,
  type_id: 'PHYSICAL',
  enabled: true,
  operating_hours: closedAllWeek,
  time_zone: 'Etc/UTC',
  address: null,
  storefront_visibility: true,
  special_hours: [],
}

/** Creates the first location of a new store, unless it exists. */
export async function createFirstLocation(tx: Tx) {
  if (!(await startCounter(tx, locations.table, { last_id: 1, total: 1 }))) return
  const now = toSeconds(tx.now)
  const first = { id: FIRST_LOCATION, code: 'SVC-LOCATION-1', label: 'Default location' }
  await insertOne(tx, locations, { ...blankLocation, ...first, created_at: now, updated_at: now })
}

/**
 * Locks locations against changes until the transaction ends. Several transactions can share the lock.
 * @returns the existing ones, by id
 */
export const lockLocationsShared = (tx: Tx, ids: readonly number[]) =>
  lockShared(tx, sql`id = any(${[...new Set(ids)]})`)

/** Locks these locations and all enabled ones, like `lockLocationsShared`. @returns them by id, in the order of their ids */
export const lockEnabledLocationsShared = (tx: Tx, ids: readonly number[]) =>
  lockShared(tx, sql`(enabled or id = any(${[...new Set(ids)]}))`)

async function lockShared(tx: Tx, which: Sql): Promise<ReadonlyMap<number, Pick<Location, 'id' | 'enabled'>>> {
  const rows = await tx.rows<Pick<Location, 'id' | 'enabled'>>(
    prepared(sql`
    select id, enabled from locations where store_id = ${tx.store.id} and ${which} order by id for share`),
  )
  return new Map(rows.map((row) => [row.id, row]))
}

/** The current location; undefined if it is unknown. */
export const findLocation = (db: Db, id: number): Promise<Location | undefined> =>
  db.byKey<Location>({ ...locations.byId, values: [db.store.id, id] })

/** The enabled locations with an address, as a table of `id`, `latitude` and `longitude` in degrees. */
export const enabledLocations = ({ store }: Db, where: Sql = sql`true`): Sql => sql`(
  select id, (address #>> '{geo_coordinates,latitude}')::float8 as latitude,
    (address #>> '{geo_coordinates,longitude}')::float8 as longitude
  from locations where store_id = ${store.id} and enabled and address is not null and ${where})`

/**
 * Locks the counter of locations until the transaction ends, so that requests write locations one after another: a check of codes
 * or of the number of enabled locations stays true.
 */
export const lockLocationCounter = (tx: Tx) => lockCounter(tx, locations.table)
