import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Static } from 'typebox'
import { Value } from 'typebox/value'
import { replaceFile } from '../https/replace-file.ts'
import type { DemoBuyer } from './companies/companies.ts'

/** The hash of the demo store. */
export const STORE_HASH = 'demostore'

const token = t.Optional(t.String())
const Tokens = t.Object({ admin: token, readonly: token, noscope: token, otherclient: token })
export type Tokens = Required<Static<typeof Tokens>>

/** The content of `data/sandbox.json`: everything that a client or a test suite needs to begin. */
export interface SandboxRecord {
  base_url: string
  storefront_url: string
  b2b_url: string
  console_url: string
  store_hash: string
  tokens: Tokens
  /** Opens the operator's API, /operator/v1. */
  operator_key: string
  /**
   * A storefront token of channel 1, for pages of this server and those that a developer serves at port 3000. Another one at each start;
   * empty while the store is closed.
   */
  storefront_token: string
  /** The host, with its port, at which a public shop connects by https, and the certificate that it has to trust. */
  shop: Static<typeof ShopHost>
  /** Who signs in at the companion API: the admin of a company. */
  b2b_user: DemoBuyer
  /** People who sign in at the portal of buyers, by their role. */
  b2b_users: Readonly<Record<string, DemoBuyer>>
  /** The client id that a storefront asks a current-customer JWT for, which the companion API takes. */
  b2b_client_id: string
  /** Of each token: its client id, and the client secret that signs the client's webhooks. */
  clients: Record<keyof Tokens, ClientOfDemo>
}

export interface ClientOfDemo {
  client_id: string
  client_secret: string
}

const ShopHost = t.Object({ domain: t.String(), trusted_file: t.String() })
/** The secrets of the last start. */
const Secrets = t.Object({ tokens: Tokens, operator_key: token })
const WithShop = t.Object({ shop: ShopHost })

/** Where the record lies. The database knows tokens only as hashes, so there is where they stay. */
export const recordPath = (folder: string) => join(folder, 'sandbox.json')

/** The tokens and the operator key that the last start recorded; none if there was none, or if its file can't be read. */
export async function readSecrets(path: string): Promise<Static<typeof Secrets>> {
  const found = await readRecord(path)
  return Value.Check(Secrets, found) ? found : { tokens: {} }
}

/**
 * The host for public shops that the last start of a sandbox recorded; undefined if the folder belongs to no sandbox.
 * @throws Error during the first start, which makes the certificates before it knows what to record
 */
export async function readShopHost(folder: string): Promise<Static<typeof ShopHost> | undefined> {
  const found = await readRecord(recordPath(folder))
  if (found === undefined && existsSync(join(folder, 'https')))
    throw new Error(
      'The sandbox of this folder is still starting. Run the command again when it has printed its addresses.',
    )
  return Value.Check(WithShop, found) ? found.shop : undefined
}

async function readRecord(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'))
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    if (isMissing || error instanceof SyntaxError) return undefined
    throw error
  }
}

/** For the owner's eyes only, and never half of it. */
export const writeRecord = (path: string, record: SandboxRecord) =>
  replaceFile(path, `${JSON.stringify(record, null, 2)}\n`, 0o600)
