import t, { type Static } from 'typebox'
import type { Db, Tx } from '../../core/db/database.ts'
import { sql } from '../../core/db/sql.ts'
import { noContent } from '../../core/rest/answer.ts'
import type { Api } from '../../core/rest/api.ts'
import { removeAll } from '../../core/rest/lists/verbs.ts'
import { Problem } from '../../core/rest/problem.ts'
import type { Secrets } from '../../core/secrets/secrets.ts'
import { access } from '../../stores/accounts/scopes.ts'
import { shippingMethods } from './methods-row.ts'

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

/** Connections of a store to carriers (docs/contract/shipping.md section 4). They are encrypted and never answered. */
export function carrierConnectionRoutes(api: Api, { secrets }: { secrets: Pick<Secrets, 'seal'> }) {
  const path = '/shipping/carrier/connection'
  const store = async (db: Db, body: Static<typeof Connection>) => {
    await db.transaction((tx) => storeConnection(tx, body, secrets))
    return noContent()
  }

  api.post(
    path,
    {
      ...write,
      schema: {
        summary: 'Connect a carrier',
        description: 'Stores the connection. Add a method to a zone to offer the carrier.',
        operationId: 'createCarrierConnection',
        tag: 'Shipping',
        body: Connection,
      },
    },
    ({ db, body }) => store(db, body),
  )

  api.put(
    path,
    {
      ...write,
      schema: {
        summary: 'Change the connection of a carrier',
        description: 'Creates the connection if there is none.',
        operationId: 'updateCarrierConnection',
        tag: 'Shipping',
        body: Connection,
      },
    },
    ({ db, body }) => store(db, body),
  )

  api.delete(
    path,
    {
      ...write,
      schema: {
        summary: 'Disconnect a carrier',
        description: 'Deletes the methods of the carrier too.',
        operationId: 'deleteCarrierConnection',
        tag: 'Shipping',
        body: OfCarrier,
      },
    },
    async ({ db, body }) => {
      await db.transaction((tx) => deleteConnection(tx, body.carrier_id))
      return noContent()
    },
  )
}

/** @throws Problem 400 for a missing key, or for more than 16 KiB */
async function storeConnection(
  tx: Tx,
  { carrier_id, connection }: Static<typeof Connection>,
  secrets: Pick<Secrets, 'seal'>,
) {
  const { pass_phrase, ...others } = connection
  const given: Record<string, unknown> = pass_phrase === undefined ? others : { passphrase: pass_phrase, ...others }
  const missing = (KEYS[carrier_id] ?? []).filter((key) => given[key] === undefined || given[key] === '')
  if (missing.length > 0) throw new Problem(400, `Required fields missing [${missing.join(', ')}]`)
  const text = JSON.stringify(given)
  if (Buffer.byteLength(text) > CONNECTION_BYTES_MAX) {
    throw new Problem(400, `connection can have at most ${CONNECTION_BYTES_MAX} bytes.`)
  }
  const row = { store_id: tx.store.id, carrier_id, connection: secrets.seal(text), is_valid: true, updated_at: tx.now }
  await tx.rows(sql`
    insert into carrier_connections ${sql.rows([row])}
    on conflict (store_id, carrier_id) do update
      set connection = excluded.connection, is_valid = excluded.is_valid, updated_at = excluded.updated_at`)
}

async function deleteConnection(tx: Tx, carrier: string) {
  await tx.rows(
    sql`delete from carrier_connections where store_id = ${tx.store.id} and carrier_id = ${carrier} returning carrier_id`,
  )
  await removeAll(tx, shippingMethods, sql`type = ${carrier}`)
}

/** Whether a store has a connection to a carrier. Keeps it until the transaction ends. */
export async function isConnected(tx: Tx, carrier: string): Promise<boolean> {
  const found = await tx.rows(sql`
    select carrier_id from carrier_connections
    where store_id = ${tx.store.id} and carrier_id = ${carrier} for key share`)
  return found.length > 0
}
