import t from 'typebox'
import { Value } from 'typebox/value'
import type { Db } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { parseServiceAddress } from '../../../core/net/service-address.ts'
import type { Secrets } from '../../../core/secrets/secrets.ts'
import { OWN_TYPES } from '../methods-row.ts'
import { type Carrier, CarrierField, carriersOf, FIELDS_MAX, findCarrier } from './carriers.ts'

// How an operator registers carriers for a store.

const CARRIER_ID = /^[a-z0-9_]{1,50}$/
const RATE_MS_MAX = 5_000
const NAME_LENGTH_MAX = 100
const CarrierFields = t.Array(CarrierField, { maxItems: FIELDS_MAX })

/** A carrier as an operator sees it: without its secret. */
export interface CarrierSummary extends Omit<Carrier, 'secret'> {
  has_secret: boolean
}

const summaryOf = ({ secret, ...visible }: Carrier): CarrierSummary => ({ ...visible, has_secret: secret !== '' })

export const listCarriers = async (db: Db): Promise<CarrierSummary[]> => (await carriersOf(db)).map(summaryOf)

/** The settings of a carrier. Settings that are not given stay; a new carrier needs its rate address. */
export interface CarrierWish {
  id: string
  name?: string | undefined
  rateUrl?: string | undefined
  /** `''` for none. */
  checkUrl?: string | undefined
  isMulti?: boolean | undefined
  rateMs?: number | undefined
  /** Lists of fields, as JSON. */
  connectionSchema?: string | undefined
  settingsSchema?: string | undefined
  secret?: string | undefined
}

/**
 * Registers a carrier, or changes it.
 * @throws Error with a sentence for the operator
 */
export async function setCarrier(
  db: Db,
  wish: CarrierWish,
  { secrets, origins }: { secrets: Pick<Secrets, 'seal'>; origins: readonly string[] },
): Promise<CarrierSummary> {
  const { id, name, rateUrl, checkUrl, isMulti, rateMs, secret } = wish
  refuseFaultyId(id)
  if (name !== undefined && (name.trim() === '' || name.length > NAME_LENGTH_MAX)) {
    throw new Error(`The name has 1 to ${NAME_LENGTH_MAX} characters.`)
  }
  if (rateUrl !== undefined) parseServiceAddress(rateUrl, origins)
  if (checkUrl) parseServiceAddress(checkUrl, origins)
  if (rateMs !== undefined && !(Number.isInteger(rateMs) && rateMs >= 1 && rateMs <= RATE_MS_MAX)) {
    throw new Error(`The time of a request for quotes is 1 to ${RATE_MS_MAX} ms.`)
  }
  const connection = parseFields(wish.connectionSchema, 'connection')
  const settings = parseFields(wish.settingsSchema, 'settings')
  return db.transaction(async (tx) => {
    const stored = await findCarrier(tx, id, sql`for update`)
    const rate_url = rateUrl ?? stored?.rate_url
    if (rate_url === undefined) throw new Error(`The store has no carrier "${id}"; a new one needs --rate-url.`)
    const carrier: Carrier = {
      carrier_id: id,
      name: name ?? stored?.name ?? id,
      rate_url,
      check_url: checkUrl ?? stored?.check_url ?? '',
      is_multi: isMulti ?? stored?.is_multi ?? false,
      connection_schema: connection ?? stored?.connection_schema ?? [],
      settings_schema: settings ?? stored?.settings_schema ?? [],
      rate_ms: rateMs ?? stored?.rate_ms ?? RATE_MS_MAX,
      secret: secret === undefined ? (stored?.secret ?? '') : secrets.seal(secret),
    }
    const { carrier_id, ...changes } = {
      ...carrier,
      connection_schema: JSON.stringify(carrier.connection_schema),
      settings_schema: JSON.stringify(carrier.settings_schema),
    }
    await tx.rows(sql`
      insert into carriers ${sql.rows([{ store_id: tx.store.id, carrier_id, ...changes }])}
      on conflict (store_id, carrier_id) do update set ${sql.set(changes)}`)
    return summaryOf(carrier)
  })
}

/** Its connection and methods stay, and yield no options. @returns whether it was registered */
export async function removeCarrier(db: Db, id: string): Promise<boolean> {
  const gone = await db.transaction((tx) =>
    tx.rows(sql`delete from carriers where store_id = ${tx.store.id} and carrier_id = ${id} returning carrier_id`),
  )
  return gone.length > 0
}

function refuseFaultyId(id: string) {
  if (!CARRIER_ID.test(id)) throw new Error(`"${id}" is no id: 1 to 50 of a-z, 0-9 and _.`)
  if (OWN_TYPES.some((type) => type === id)) throw new Error(`"${id}" is a type of methods that the server calculates.`)
}

/** @throws Error for a text that is no list of fields, each with a code of its own */
function parseFields(text: string | undefined, noun: string): readonly CarrierField[] | undefined {
  if (text === undefined) return undefined
  const fields = Value.Clean(CarrierFields, parseJson(text))
  if (!Value.Check(CarrierFields, fields)) {
    const [first] = Value.Errors(CarrierFields, fields)
    throw new Error(`The ${noun} schema must be a list of fields: ${first?.instancePath || '/'} ${first?.message}.`)
  }
  if (new Set(fields.map(({ code }) => code)).size < fields.length) {
    throw new Error(`Two fields of the ${noun} schema have the same code.`)
  }
  return fields
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
