import { existsSync } from 'node:fs'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import pg from 'pg'
import { type Clock, systemClock } from '../core/clock.ts'
import { Database, type Db, type Tx } from '../core/db/database.ts'
import { findEmbedded, startEmbedded } from '../core/db/engine/embedded.ts'
import {
  type DatabasePart,
  ensureDatabase,
  logIn,
  migrate,
  prepareRoles,
  refuseOtherPasswords,
  refuseUnprepared,
  serverUrls,
  storeVerifier,
  verifierOf,
  WRONG_SECRET,
} from '../core/db/engine/prepare.ts'
import { type Ids, randomIds } from '../core/secrets/ids.ts'
import { type Secrets, secretsFrom } from '../core/secrets/secrets.ts'
import { Accounts } from '../stores/accounts/accounts.ts'
import { type Cell, Directory } from '../stores/directory/directory.ts'
import { type Config, isDatabaseAddress } from './config.ts'

/** The databases of a server with everything that stands right on them. */
export interface Installation {
  directory: Directory
  accounts: Accounts
  secrets: Secrets
  clock: Clock
  ids: Ids
  /** Every database that the server uses, for readiness and metrics. */
  databases: Database[]
  /** Opens a connection to each database as the role of requests, and closes it: new ones may be refused while old ones work. */
  connectAnew(): Promise<void>
  close(): Promise<void>
}

interface Options {
  clock?: Clock
  ids?: Ids
  /** Whether to refuse an embedded database that runs already: it stops with the server that started it. */
  alone?: boolean
  /** Whether to prepare the databases first: roles, tables, the verifier of the secret. Needs the administrator's login. */
  prepares?: boolean
  /** Whether to prepare them for the secret of the settings, whatever secret they had before. */
  setsSecret?: boolean
  /** Where the databases tell of failures that no caller hears of. */
  log?: Pick<FastifyBaseLogger, 'error'> | undefined
}

/**
 * Opens the databases that the settings name; the embedded one if they name none. An embedded database that this call starts is
 * always prepared.
 * @throws Error with a sentence for the operator, before anything is changed: the secret is not that of the installation, or
 * the databases are not prepared
 */
export async function openInstallation(
  config: Config,
  { clock = systemClock, ids = randomIds, alone = false, prepares = false, setsSecret = false, log }: Options = {},
): Promise<Installation> {
  const secrets = secretsFrom(config.secret ?? (await ownSecret(config.dataFolder)))
  const embedded = config.databaseUrl === undefined ? await embeddedServer(config.dataFolder, alone) : undefined
  const mainUrl = config.databaseUrl ?? embedded?.url ?? ''
  const cellUrls = new Map([['main', mainUrl], ...pairs(config.cells)])
  const layout = layoutOf(config, mainUrl)
  const opened: Database[] = []
  const close = async () => {
    await Promise.all(opened.map((database) => database.close()))
    await embedded?.stop()
  }
  try {
    if (prepares || embedded?.isStartedHere) await prepare(layout, secrets, setsSecret)
    for (const { url, parts } of layout.databases) {
      await refuseUnprepared(serverUrls(url, secrets.rolePassword).system, parts, secrets.verifier)
    }
    const byUrl = new Map(
      layout.databases.map(({ url }) => [url, openDatabase(url, secrets, { clock, log }, config.poolSize)]),
    )
    const at = (url: string) => {
      const databases = byUrl.get(url)
      if (!databases) throw new Error('A database was not opened.')
      return databases
    }
    for (const { api, system } of byUrl.values()) opened.push(api, system)
    await Promise.all(opened.map((database) => database.refusePowers()))
    const cells: Cell[] = [...cellUrls].map(([name, url]) => ({ name, ...at(url) }))
    const directory = new Directory(at(layout.directoryUrl).system, cells, clock, ids, furnishing(ids))
    const accounts = new Accounts(directory, secrets, clock, ids, removeHooks)
    return {
      directory,
      accounts,
      secrets,
      clock,
      ids,
      databases: opened,
      async connectAnew() {
        await Promise.all(layout.databases.map(({ url }) => logIn(serverUrls(url, secrets.rolePassword).api)))
      },
      close,
    }
  } catch (error) {
    await close()
    throw refusedLogin(error) ?? error
  }
}

/** What PostgreSQL says of the administrator's login, as a sentence for the operator; those of the server's roles have theirs. */
export function refusedLogin(error: unknown): Error | undefined {
  if (!(error instanceof pg.DatabaseError) || !['28P01', '28000', '42501'].includes(error.code ?? '')) return undefined
  return new Error(
    `PostgreSQL refuses the login of DATABASE_URL, DIRECTORY_URL or CELLS: ${error.message}. ` +
      'To prepare a database, serve and migrate need an administrator, who may create roles.',
    { cause: error },
  )
}

/** What every store has from its creation. Loaded when one is opened, as most processes open none. */
const furnishing = (ids: Ids) => async (tx: Tx) => {
  const { openFirstChannel } = await import('../shop/channels/channels.ts')
  const { openFirstCurrency } = await import('../shop/channels/currencies/shape.ts')
  const { openFirstSite } = await import('../shop/channels/sites/shape.ts')
  const { createFirstLocation } = await import('../goods/inventory/locations/location-shape.ts')
  const { openStockTheme } = await import('../shop/themes/stock.ts')
  const { openTax } = await import('../sales/tax/routes.ts')
  const { makeStorefrontPassword } = await import('../shop/settings/storefront-status.ts')
  await openFirstChannel(tx)
  await openFirstSite(tx)
  await openFirstCurrency(tx)
  await createFirstLocation(tx)
  await openTax(tx)
  await makeStorefrontPassword(tx, ids)
  await openStockTheme(tx)
}

/** Loaded when an account is deleted: commands start faster without what webhooks stand on. */
async function removeHooks(db: Db, clientId: string) {
  const { removeHooksOfAccount } = await import('../doors/webhooks/hooks/hooks-of-account.ts')
  await removeHooksOfAccount(db, clientId)
}

/** Every database of an installation once, that of the directory first, by URLs as the settings have them. */
interface Layout {
  directoryUrl: string
  databases: { url: string; parts: DatabasePart[] }[]
}

/**
 * The databases that the settings name.
 * @param mainUrl that of DATABASE_URL, or of the embedded one
 * @throws Error with a sentence for the operator if CELLS can't be read
 */
export function layoutOf(config: Config, mainUrl: string): Layout {
  const directoryUrl = config.directoryUrl ?? mainUrl
  const cellUrls = [mainUrl, ...pairs(config.cells).map(([, url]) => url)]

  const databases = [...new Set([directoryUrl, ...cellUrls])].map((url) => ({
    url,
    parts: [
      ...(url === directoryUrl ? ['directory' as const] : []),
      ...(cellUrls.includes(url) ? ['cell' as const] : []),
    ],
  }))
  return { directoryUrl, databases }
}

/** All that can be refused is refused before the first change. Several processes may do so at once. */
async function prepare({ directoryUrl, databases }: Layout, secrets: Secrets, replaces: boolean) {
  if (!replaces) {
    const known = await verifierOf(directoryUrl)
    if (known !== undefined && known !== secrets.verifier) throw new Error(WRONG_SECRET)
    for (const { url } of databases) await refuseOtherPasswords(url, secrets.rolePassword)
  }
  // One after the other: each makes roles, and several databases may be on one PostgreSQL server.
  for (const { url, parts } of databases) {
    await prepareRoles(url, secrets.rolePassword, { replaces })
    await migrate(url, parts)
  }
  await storeVerifier(directoryUrl, secrets.verifier, { replaces })
}

function openDatabase(url: string, secrets: Secrets, surroundings: Pick<Options, 'clock' | 'log'>, poolSize: number) {
  const urls = serverUrls(url, secrets.rolePassword)
  return {
    api: new Database(urls.api, { ...surroundings, max: poolSize }),
    system: new Database(urls.system, { ...surroundings, max: 4, application: 'storeward system' }),
  }
}

/** The embedded PostgreSQL: one of our own, or the one that runs in this folder already, for commands beside a server. */
async function embeddedServer(folder: string, alone: boolean) {
  const running = alone ? undefined : await runningEmbedded(folder)
  if (running !== undefined) return { url: running, isStartedHere: false, stop: async () => {} }
  const { url, stop } = await startEmbedded({ folder })
  try {
    return { url: await ensureDatabase(url, EMBEDDED_DATABASE), isStartedHere: true, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** The embedded database of a folder, if a server has it running. */
export async function runningEmbedded(folder: string): Promise<string | undefined> {
  const running = await findEmbedded(folder)
  return running && databaseUrl(running)
}

const EMBEDDED_DATABASE = 'storeward'

function databaseUrl(serverUrl: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${EMBEDDED_DATABASE}`
  return url.href
}

/** The secret of a data folder, made at the first call. Only the owner may read it. */
async function ownSecret(folder: string): Promise<string> {
  const path = join(folder, 'secret')
  if (existsSync(path)) return readFile(path, 'utf8')
  await mkdir(folder, { recursive: true })
  // Linked into place when it is written: a crash leaves no half of it. Of two first starts at once one makes it, both read it.
  const fresh = `${path}.new-${process.pid}`
  await writeFile(fresh, randomIds.clientSecret(), { mode: 0o600, flush: true })
  try {
    await link(fresh, path)
  } catch (error) {
    if (!existsSync(path)) throw error
  }
  await rm(fresh)
  return readFile(path, 'utf8')
}

function pairs(text: string | undefined): [string, string][] {
  return (text ?? '')
    .split(/\s+/)
    .filter((pair) => pair !== '')
    .map((pair) => {
      const [name = '', ...url] = pair.split('=')
      if (!/^[a-z0-9_-]+$/.test(name) || url.length === 0) throw new Error(`CELLS: "${pair}" is not name=url.`)
      if (!isDatabaseAddress(url.join('='))) throw new Error(`CELLS: "${name}" is not followed by postgres://...`)
      return [name, url.join('=')]
    })
}
