import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { createApp } from '../app.ts'
import type { Config } from '../config.ts'
import { Files } from '../core/files/files.ts'
import type { Installation } from '../installation.ts'
import { Callers } from '../stores/callers.ts'
import { type DemoMetafield, demoCatalog, type Maker } from './catalog.ts'
import type { RecordFiles, Tokens } from './record.ts'

export const STORE_HASH = 'demostore'
const BATCH_MAX = 10
const ATTEMPTS_MAX = 10
const ATTEMPT_PAUSE_MS = 1_000

/** The demo store's accounts, each with its preset of scopes. */
const accounts = { admin: 'all', readonly: 'read_only', noscope: 'none', otherclient: 'all' } as const

/**
 * The demo store, made at the first start and kept from then on. What a kill cut short, the next start completes.
 * @returns the tokens of its accounts
 * @throws Error with a sentence for the operator
 */
export async function openDemoStore(installation: Installation, files: RecordFiles, config: Config): Promise<Tokens> {
  const { record, isUnfinished } = await files.read()
  const isNew = (await installation.directory.find(STORE_HASH)) === undefined
  const isWanting = isNew || isUnfinished
  if (isNew) {
    await refuseRealStores(installation)
    await files.begin({ store_hash: STORE_HASH, tokens: {} })
  }
  if (isWanting) await openStore(installation)
  const tokens = await openAccounts(installation, record?.tokens ?? {})
  if (isWanting) {
    // Before the first metafield is made: its owner shall be an account whose token is known.
    await files.begin({ store_hash: STORE_HASH, tokens })
    await fill(installation, tokens, config)
  }
  return tokens
}

/** Nobody who runs a shop wants a demo store beside it because a setting pointed to the wrong database. */
async function refuseRealStores({ directory }: Installation) {
  const stores = await directory.list()
  if (stores.length === 0) return
  throw new Error(
    `This database holds stores already (${stores.length}, the first is ${stores[0]?.hash}) and no demo store; the ` +
      'sandbox makes none beside them. Set STOREWARD_DATA to a folder of its own, and no DATABASE_URL.',
  )
}

async function openStore({ directory }: Installation) {
  const store = (await directory.list()).find(({ hash }) => hash === STORE_HASH)
  // Without a profile it has no name either: what opened it was stopped on the way.
  if (store === undefined || store.name === '') {
    await directory.create({ hash: STORE_HASH, name: 'Demo store', plan: 'sandbox' })
  } else await directory.setState(STORE_HASH, 'active')
}

/** Keeps the accounts whose tokens still open the store, and makes the others anew. */
async function openAccounts(installation: Installation, known: Partial<Tokens>): Promise<Tokens> {
  const callers = new Callers(installation.directory, installation.secrets)
  const open = async (name: keyof typeof accounts) => {
    const token = known[name]
    if (token !== undefined && (await callers.find(STORE_HASH, token)).kind === 'caller') return token
    return replaceAccount(installation, `sandbox ${name}`, accounts[name])
  }
  return {
    admin: await open('admin'),
    readonly: await open('readonly'),
    noscope: await open('noscope'),
    otherclient: await open('otherclient'),
  }
}

/** The account whose token was lost goes: nobody can use it, and a store has room for 50. */
async function replaceAccount({ accounts }: Installation, name: string, scopes: string): Promise<string> {
  for (const lost of await accounts.list(STORE_HASH)) {
    if (lost.name === name) await accounts.delete(STORE_HASH, lost.client_id)
  }
  const { access_token } = await accounts.create(STORE_HASH, name, [scopes])
  return access_token
}

/**
 * Makes the demo catalog through the API, in an app of its own: that leaves the quotas and the log of the one that listens
 * as they are.
 */
async function fill(installation: Installation, tokens: Tokens, config: Config) {
  const files = new Files(join(config.dataFolder, 'files'), '', installation.ids)
  const parts = { ...installation, files, log: pino({ level: 'silent' }) }
  const { server } = await createApp(parts, { ...config, requireHttps: false }, '')
  const send: Send = async (maker, method, path, payload) => {
    const answer = await server.inject({
      method,
      url: `/stores/${STORE_HASH}/v3/catalog${path}`,
      headers: { 'x-auth-token': tokens[maker] },
      ...(payload ? { payload } : {}),
    })
    if (answer.statusCode === 200) return answer.json()
    const says = `The demo store can't be made: ${method} ${path} says ${answer.body}`
    throw answer.statusCode === 503 ? new Unavailable(says) : new Error(says)
  }
  try {
    for (let attempt = 1; ; attempt++) {
      try {
        return await makeRest(send)
      } catch (error) {
        // On a machine that has too much to do the database may seem to be gone for a moment.
        if (!(error instanceof Unavailable) || attempt === ATTEMPTS_MAX) throw error
        await sleep(ATTEMPT_PAUSE_MS)
      }
    }
  } finally {
    await server.close()
  }
}

type Send = (
  maker: Maker,
  method: 'GET' | 'POST',
  path: string,
  payload?: object,
) => Promise<{ data: { id: number }[] }>

class Unavailable extends Error {}

/** Makes what is not there yet. Ids count from 1 in each store, so the highest one says how much was made before. */
async function makeRest(send: Send) {
  const { brands, categories, metafields } = demoCatalog()
  const lastId = async (maker: Maker, path: string): Promise<number> => {
    const { data } = await send(maker, 'GET', `${path}?direction=desc&limit=1`)
    return data[0]?.id ?? 0
  }
  const makeAll = async (path: string, items: object[]) => {
    for (const item of items.slice(await lastId('admin', path))) await send('admin', 'POST', path, item)
  }
  // Both have ended before one that failed is told: nothing goes on making while the rest is counted again.
  const outcomes = await Promise.allSettled([makeAll('/categories', categories), makeAll('/brands', brands)])
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason

  const lists = kinds.map(({ maker, of }) => lastId(maker, `/${of}/metafields`))
  const made = Math.max(...(await Promise.all(lists)))
  for (const [{ maker, of }, items] of batches(metafields.slice(made))) {
    await send(maker, 'POST', `/${of}/metafields`, items)
  }
}

/** Together they hold every metafield: each client sees those that it made. */
const kinds = [
  { maker: 'admin', of: 'brands' },
  { maker: 'admin', of: 'categories' },
  { maker: 'otherclient', of: 'brands' },
  { maker: 'otherclient', of: 'categories' },
] as const

/** Runs of neighbours that one client may send in one request. */
function batches(metafields: DemoMetafield[]): [DemoMetafield, object[]][] {
  const found: [DemoMetafield, object[]][] = []
  for (const metafield of metafields) {
    const { maker, of, ...item } = metafield
    const last = found.at(-1)
    if (last && last[0].maker === maker && last[0].of === of && last[1].length < BATCH_MAX) last[1].push(item)
    else found.push([metafield, [item]])
  }
  return found
}
