import { open, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Static } from 'typebox'
import { Value } from 'typebox/value'

const token = t.Optional(t.String())
const Tokens = t.Object({ admin: token, readonly: token, noscope: token, otherclient: token })
export type Tokens = Required<Static<typeof Tokens>>

/** What `data/sandbox.json` says: everything that a client or a test suite needs to begin. */
export interface SandboxRecord {
  base_url: string
  storefront_url: string
  b2b_url: string
  console_url: string
  store_hash: string
  tokens: Tokens
}

const Readable = t.Object({ store_hash: t.String(), tokens: Tokens })
type Readable = Static<typeof Readable>

/**
 * The two files of a sandbox. The database knows tokens only as hashes, so here is where they stay. `unfinished` is there
 * while the demo store is being made: a start that finds it goes on where the last one was stopped.
 */
export class RecordFiles {
  readonly path: string
  readonly #unfinished: string

  constructor(folder: string) {
    this.path = join(folder, 'sandbox.json')
    this.#unfinished = `${this.path}.unfinished`
  }

  /** What the last start left; nothing if there was none, or if what it left can't be read. */
  async read(): Promise<{ record?: Readable | undefined; isUnfinished: boolean }> {
    const unfinished = await readRecord(this.#unfinished)
    return { record: unfinished ?? (await readRecord(this.path)), isUnfinished: unfinished !== undefined }
  }

  async begin(record: Readable) {
    await writeWhole(this.#unfinished, record)
  }

  async finish(record: SandboxRecord) {
    await writeWhole(this.path, record)
    await rm(this.#unfinished, { force: true })
  }
}

async function readRecord(path: string): Promise<Readable | undefined> {
  try {
    const found: unknown = JSON.parse(await readFile(path, 'utf8'))
    return Value.Check(Readable, found) ? found : undefined
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    if (isMissing || error instanceof SyntaxError) return undefined
    throw error
  }
}

/** For the owner's eyes only, and never half of it. */
async function writeWhole(path: string, record: object) {
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
