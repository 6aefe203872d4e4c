import { open, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Static } from 'typebox'
import { Value } from 'typebox/value'

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
  /**
   * A storefront token of channel 1, for pages of this server and those that a developer serves at port 3000. Another one at each start;
   * empty while the store is closed.
   */
  storefront_token: string
  /** Who signs in at the companion API: the admin of a company. */
  b2b_user: { email: string; password: string; company: string }
  /** The client id that a storefront asks a current-customer JWT for, which the companion API takes. */
  b2b_client_id: string
  /** Of each token: its client id, and the client secret that signs the client's webhooks. */
  clients: Record<keyof Tokens, ClientOfDemo>
}

export interface ClientOfDemo {
  client_id: string
  client_secret: string
}

const Readable = t.Object({ tokens: Tokens })

/** Where the record lies. The database knows tokens only as hashes, so there is where they stay. */
export const recordPath = (folder: string) => join(folder, 'sandbox.json')

/** The tokens that the last start recorded; none if there was none, or if its file can't be read. */
export async function readTokens(path: string): Promise<Partial<Tokens>> {
  try {
    const found: unknown = JSON.parse(await readFile(path, 'utf8'))
    return Value.Check(Readable, found) ? found.tokens : {}
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    if (isMissing || error instanceof SyntaxError) return {}
    throw error
  }
}

/** For the owner's eyes only, and never half of it. */
export async function writeRecord(path: string, record: SandboxRecord) {
  const fresh = `${path}.new`
  await rm(fresh, { force: true })
  const file = await open(fresh, 'wx', 0o600)
  try {
    await file.writeFile(`${JSON.stringify(record, null, 2)}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(fresh, path)
}
