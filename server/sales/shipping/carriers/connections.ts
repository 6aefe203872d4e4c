import type { FastifyRequest } from 'fastify'
import t, { type Static } from 'typebox'
import { Value } from 'typebox/value'
import type { Db, Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import type { ServiceClient } from '../../../core/net/service-client.ts'
import { noContent } from '../../../core/rest/answer.ts'
import type { Api } from '../../../core/rest/api.ts'
import { refuse } from '../../../core/rest/input/mistakes.ts'
import { removeAll } from '../../../core/rest/lists/verbs.ts'
import { Problem } from '../../../core/rest/problem.ts'
import type { Secrets } from '../../../core/secrets/secrets.ts'
import { access } from '../../../stores/accounts/scopes.ts'
import { shippingMethods } from '../methods-row.ts'
import { type CarrierField, findCarrier, isMissing, missingCodes, mistakesOfValues, withDefaults } from './carriers.ts'
import { type CarrierAccount, type ConnectionCheck, checkConnection, UNCHECKED } from './check.ts'
import { logCarrier } from './messages.ts'

const { write } = access('information')

const CarrierId = t.String({ minLength: 1, maxLength: 50, pattern: '^[a-z0-9_]+$' })
const Connection = t.Object(
  {
    carrier_id: CarrierId,
    connection: t.Record(t.String({ maxLength: 100 }), t.Unknown(), {
      description: 'The account of the store with the carrier',
    }),
  },
  {
    title: 'CarrierConnection',
    examples: [{ carrier_id: 'auspost', connection: { auth_key: 'bef9b9a7', test_mode: true } }],
  },
)
const OfCarrier = t.Object(
  { carrier_id: CarrierId },
  { title: 'CarrierOfConnection', examples: [{ carrier_id: 'auspost' }] },
)

const CONNECTION_BYTES_MAX = 16 * 1024

/** The keys that a connection needs. Other carriers take any. `passphrase` may be spelled `pass_phrase`. */
const KEYS: Readonly<Record<string, readonly string[]>> = {
  auspost: ['auth_key', 'test_mode'],
  zoom2u: ['auth_key', 'test_mode'],
  endicia: ['account_id', 'passphrase'],
  fedex: ['key', 'password', 'account_number', 'meter_number'],
}

/** A connection that may be stored, with the outcome of its check. */
interface CheckedConnection {
  carrier_id: string
  account: CarrierAccount
  check: ConnectionCheck
}

interface Parts {
  services: ServiceClient
  secrets: Secrets
}

/** Connections of a store to carriers (docs/contract/shipping.md section 4). They are encrypted and never answered. */
export function carrierConnectionRoutes(api: Api, parts: Parts) {
  const path = '/shipping/carrier/connection'
  const checked = new WeakMap<FastifyRequest, CheckedConnection>()
  // The carrier is asked before the transaction, also before that of an Idempotency-Key.
  const prepare = async (request: FastifyRequest) => {
    const { db, body } = request
    if (Value.Check(Connection, body)) checked.set(request, await checkedConnection(db, body, parts))
  }
  const store = async (request: FastifyRequest) => {
    const connection = checked.get(request)
    if (!connection) throw new Error('The connection was not checked.')
    await request.db.transaction((tx) => storeConnection(tx, connection, parts.secrets))
    return noContent()
  }
  const config = { ...write.config, prepare }

  api.post(
    path,
    {
      config,
      schema: {
        summary: 'Connect a carrier',
        description: 'Stores the connection. Add a method to a zone to offer the carrier.',
        operationId: 'createCarrierConnection',
        tag: 'Carrier connections',
        body: Connection,
      },
    },
    (request) => store(request),
  )

  api.put(
    path,
    {
      config,
      schema: {
        summary: 'Change the connection of a carrier',
        description: 'Creates the connection if there is none.',
        operationId: 'updateCarrierConnection',
        tag: 'Carrier connections',
        body: Connection,
      },
    },
    (request) => store(request),
  )

  api.delete(
    path,
    {
      ...write,
      schema: {
        summary: 'Disconnect a carrier',
        description: 'Deletes the methods of the carrier too.',
        operationId: 'deleteCarrierConnection',
        tag: 'Carrier connections',
        body: OfCarrier,
      },
    },
    async ({ db, body }) => {
      await db.transaction((tx) => deleteConnection(tx, body.carrier_id))
      return noContent()
    },
  )
}

/** @throws Problem 400 for missing or invalid keys, or for more than 16 KiB */
async function checkedConnection(
  db: Db,
  { carrier_id, connection }: Static<typeof Connection>,
  parts: Parts,
): Promise<CheckedConnection> {
  const { pass_phrase, ...others } = connection
  const carrier = await findCarrier(db, carrier_id)
  const schema = carrier?.connection_schema ?? []
  const account = withDefaults(schema, pass_phrase === undefined ? others : { passphrase: pass_phrase, ...others })
  const missing = [
    ...(KEYS[carrier_id] ?? []).filter((key) => isMissing(account[key])),
    ...missingCodes(schema, account),
  ]
  if (missing.length > 0) throw new Problem(400, `Required fields missing [${[...new Set(missing)].join(', ')}]`)
  refuse(mistakesOfValues(schema, account, 'connection'))
  if (Buffer.byteLength(JSON.stringify(account)) > CONNECTION_BYTES_MAX) {
    throw new Problem(400, `connection can have at most ${CONNECTION_BYTES_MAX} bytes.`)
  }
  return { carrier_id, account, check: carrier ? await checkConnection(parts, carrier, account) : UNCHECKED }
}

/** Stores a connection that was checked, in place of another one with the carrier. */
export async function storeConnection(
  tx: Tx,
  { carrier_id, account, check }: CheckedConnection,
  secrets: Pick<Secrets, 'seal'>,
) {
  const connection = secrets.seal(JSON.stringify(account))
  const row = { store_id: tx.store.id, carrier_id, connection, is_valid: check.isValid, updated_at: tx.now }
  await tx.rows(sql`
    insert into carrier_connections ${sql.rows([row])}
    on conflict (store_id, carrier_id) do update
      set connection = excluded.connection, is_valid = excluded.is_valid, updated_at = excluded.updated_at`)
  if (check.summary !== '') {
    await logCarrier(tx, check.isValid ? 'warnings' : 'errors', check.summary, check.lines)
  }
}

async function deleteConnection(tx: Tx, carrier: string) {
  await tx.rows(
    sql`delete from carrier_connections where store_id = ${tx.store.id} and carrier_id = ${carrier} returning carrier_id`,
  )
  await removeAll(tx, shippingMethods, sql`type = ${carrier}`)
}

/** A carrier that a method may have as its type. */
export interface CarrierOfMethod {
  settings_schema: readonly CarrierField[]
}

/**
 * The carrier, if the store has a valid connection to it. Keeps the connection until the transaction ends.
 * @returns the fields of its settings: none for a carrier that is not registered
 */
export async function lockConnected(tx: Tx, carrier: string): Promise<CarrierOfMethod | undefined> {
  const [found] = await tx.rows<{ settings_schema: readonly CarrierField[] | null }>(sql`
    select (select settings_schema from carriers where store_id = ${tx.store.id} and carrier_id = ${carrier}) as settings_schema
    from carrier_connections
    where store_id = ${tx.store.id} and carrier_id = ${carrier} and is_valid for key share`)
  return found && { settings_schema: found.settings_schema ?? [] }
}
