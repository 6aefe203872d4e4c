import t, { type Static } from 'typebox'
import { type Db, prepared } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import type { Mistakes } from '../../../core/rest/input/mistakes.ts'

// A carrier is a service that quotes the costs of parcels. The operator registers it for a store (`registration.ts`), clients of the store
// give it their account (`connections.ts`), and methods of shipping zones offer its quotes (`quotes.ts`).

export const FIELDS_MAX = 50
const OPTIONS_MAX = 200
const DATE = /^\d{4}-\d\d-\d\d$/

/** A field of a connection, or of the settings of a method, as carriers describe them. */
export const CarrierField = t.Object({
  code: t.String({ minLength: 1, maxLength: 100 }),
  label: t.String({ maxLength: 255 }),
  type: t.Enum(['string', 'code', 'select', 'date']),
  /** Taken for a field that is not given; a field without one is required. */
  default_value: t.String({ maxLength: 255 }),
  description: t.Optional(t.String({ maxLength: 1_000 })),
  validation: t.Optional(t.String({ maxLength: 1_000 })),
  value_options: t.Optional(t.Array(t.String({ maxLength: 255 }), { maxItems: OPTIONS_MAX })),
  date_ranges: t.Optional(t.Array(t.Unknown(), { maxItems: OPTIONS_MAX })),
})
export type CarrierField = Static<typeof CarrierField>

/** A carrier as it is registered. */
export interface Carrier {
  carrier_id: string
  /** Stands before the name of a service, if the carrier quotes for itself alone. */
  name: string
  rate_url: string
  /** `''` for none. */
  check_url: string
  /** Whether it quotes for several carriers, whose services have names of their own. */
  is_multi: boolean
  connection_schema: readonly CarrierField[]
  settings_schema: readonly CarrierField[]
  rate_ms: number
  /** Encrypted; `''` for none. */
  secret: string
}

/** A carrier with the account of the store. */
export interface ConnectedCarrier extends Carrier {
  /** Encrypted JSON. */
  connection: string
}

const names = 'carrier_id name rate_url check_url is_multi connection_schema settings_schema rate_ms secret'.split(' ')
const columns = sql.join(names.map((name) => sql`carrier.${sql.id(name)}`))

export const carriersOf = (db: Db): Promise<Carrier[]> =>
  db.rows<Carrier>(
    prepared(sql`select ${columns} from carriers carrier where store_id = ${db.store.id} order by carrier_id`),
  )

/** @param locking `for update` to lock the row */
export async function findCarrier(db: Db, id: string, locking = sql.empty): Promise<Carrier | undefined> {
  const [row] = await db.rows<Carrier>(
    prepared(sql`
    select ${columns} from carriers carrier where store_id = ${db.store.id} and carrier_id = ${id} ${locking}`),
  )
  return row
}

/** The carriers among these that are registered, and whose connection is valid. */
export const connectedCarriers = (db: Db, ids: readonly string[]): Promise<ConnectedCarrier[]> =>
  db.rows<ConnectedCarrier>(
    prepared(sql`
    select ${columns}, connection.connection from carriers carrier
    join carrier_connections connection
      on connection.store_id = carrier.store_id and connection.carrier_id = carrier.carrier_id and is_valid
    where carrier.store_id = ${db.store.id} and carrier.carrier_id = any(${ids}) order by carrier.carrier_id`),
  )

/** The values with the defaults of fields that are not given. */
export function withDefaults(schema: readonly CarrierField[], values: Record<string, unknown>) {
  const defaults = schema.flatMap(({ code, default_value }) => (default_value === '' ? [] : [[code, default_value]]))
  return { ...Object.fromEntries(defaults), ...values }
}

/** The codes of the required fields that are missing. */
export const missingCodes = (schema: readonly CarrierField[], values: Record<string, unknown>): string[] =>
  schema.filter(({ code, default_value }) => default_value === '' && isMissing(values[code])).map(({ code }) => code)

export const isMissing = (value: unknown): boolean => value === undefined || value === null || value === ''

/** Mistakes of values that are given, by the path of their field. @param path such as `connection` */
export function mistakesOfValues(
  schema: readonly CarrierField[],
  values: Record<string, unknown>,
  path: string,
): Mistakes {
  const mistakes: Mistakes = {}
  for (const { code, type, value_options = [] } of schema) {
    const value = values[code]
    if (isMissing(value)) continue
    const at = `${path}.${code}`
    if (typeof value === 'object') mistakes[at] = `${at} must be a text.`
    else if (type === 'select' && !value_options.includes(String(value))) {
      mistakes[at] = `${at} must be one of ${value_options.join(', ')}.`
    } else if (type === 'date' && !DATE.test(String(value))) mistakes[at] = `${at} must be a date such as 2026-01-31.`
  }
  return mistakes
}
