import { existsSync } from 'node:fs'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import pg from 'pg'
import { type Clock, systemClock } from '../core/clock.ts'
import { Database, type Db, type Tx } from '../core/db/database.ts'
import type { DatabasePart, Engine } from '../core/db/engine/engine.ts'
import { findEmbedded, startEmbedded } from '../core/db/setup/embedded.ts'
import { isRefusedOption, withoutOptions } from '../core/db/setup/poolers.ts'
import {
  ensureDatabase,
  hostOf,
  logIn,
  migrate,
  prepareRoles,
  refuseNewer,
  refuseOtherPasswords,
  refuseUnprepared,
  serverUrls,
  storeVerifier,
  verifierOf,
  WRONG_SECRET,
} from '../core/db/setup/prepare.ts'
import { type Rehearsal, rehearse } from '../core/db/setup/rehearsal.ts'
import { sql } from '../core/db/sql.ts'
import { StoreClocks } from '../core/db/store-clocks.ts'
import { DatabaseUnavailable } from '../core/db/wire/failures.ts'
import { type Ids, randomIds } from '../core/secrets/ids.ts'
import { StoreSeeds } from '../core/secrets/row-ids.ts'
import { type Secrets, secretsFrom } from '../core/secrets/secrets.ts'
import { followPaymentOrder } from '../sales/b2b/invoices/payment-carts.ts'
import { followOrderOfCompany } from '../sales/b2b/orders/follow.ts'
import { followOrders } from '../sales/orders/row/followers.ts'
import { Accounts } from '../stores/accounts/accounts.ts'
import { ClockReader } from '../stores/clocks/clocks.ts'
import { type Cell, Directory } from '../stores/directory/directory.ts'
import { OperatorKeys } from '../stores/operators/keys.ts'
import { type Config, isDatabaseAddress } from './config.ts'

/** The databases of a server, and the objects that use them directly. */
export interface Installation {
  directory: Directory
  accounts: Accounts
  operatorKeys: OperatorKeys
  secrets: Secrets
  /** The time of the server. Stores have their own: `db.now`. */
  clock: Clock
  /** The moved clocks of test stores, which `clockReader` reads. */
  clocks: StoreClocks
  clockReader: ClockReader
  /** The test stores whose ids follow from a seed. */
  seeds: StoreSeeds
  ids: Ids
  /** Every database that the server uses, for readiness and metrics. */
  databases: Database[]
  /**
   * Opens a new connection to each database with the role of requests, and closes it. New connections may fail while open ones
   * still work.
   */
  connectAnew(): Promise<void>
  /** The database of a cell with the login of the settings. Only commands of an administrator need that. */
  urlOf(cell: string): string
  close(): Promise<void>
}

/** The patience of sandboxes and commands: they share their machine with much else, and nobody repeats what they do. */
export const PATIENCE = 10

interface Options {
  clock?: Clock
  ids?: Ids
  /** Whether to refuse an embedded database that is already running: it stops with the server that started it. */
  alone?: boolean
  /** Whether to prepare the databases first (roles, tables, the verifier of the secret). This needs the login of an administrator. */
  prepares?: boolean
  /** Whether to replace the secret of the databases by that of the settings. */
  setsSecret?: boolean
  /** As in the options of `Database`. */
  patience?: number | undefined
  /** Logs failures of the databases that reach no caller. */
  log?: Pick<FastifyBaseLogger, 'error'> | undefined
}

/**
 * Opens the databases in the settings, or the embedded one if the settings have none. An embedded database that this call starts
 * is always prepared.
 * @throws Error with a sentence for the operator, before any change: the secret belongs to another installation, or the databases
 * are not prepared
 */
export async function openInstallation(
  config: Config,
  {
    clock = systemClock,
    ids = randomIds,
    alone = false,
    prepares = false,
    setsSecret = false,
    patience,
    log,
  }: Options = {},
): Promise<Installation> {
  followOrders(async (tx, before, after) => {
    if (await followOrderOfCompany(tx, before, after)) await followPaymentOrder(tx, before, after)
  })
  const secrets = secretsFrom(config.secret ?? (await secretOfFolder(config.dataFolder)))
  const embedded = config.databaseUrl === undefined ? await embeddedServer(config.dataFolder, alone) : undefined
  const mainUrl = config.databaseUrl ?? embedded?.url ?? ''
  const cellUrls = new Map([['main', mainUrl], ...pairs(config.cells)])
  const layout = layoutOf(config, mainUrl)
  const opened: Database[] = []
  const clocks = new StoreClocks()
  let onClose = async () => {}
  const close = async () => {
    await onClose()
    await Promise.all(opened.map((database) => database.close()))
    await embedded?.stop()
  }
  try {
    if (prepares || embedded?.isStartedHere) await prepare(layout, secrets, setsSecret)
    const engines = new Map<string, Engine>()
    for (const { url, parts } of layout.databases) {
      const { system } = serverUrls(url, secrets.rolePassword)
      engines.set(url, await refuseUnprepared(system, parts, secrets.verifier))
    }
    const byUrl = new Map(
      [...engines].map(([url, engine]) => [
        url,
        openDatabase(url, secrets, { engine, clock, clocks, patience, log }, config.poolSize),
      ]),
    )
    const at = (url: string) => {
      const databases = byUrl.get(url)
      if (!databases) throw new Error('A database was not opened.')
      return databases
    }
    for (const { api, system } of byUrl.values()) opened.push(api, system)
    for (const [url, { api, system }] of byUrl) await Promise.all([api, system].map((one) => refuseUnfit(one, url)))
    const cells: Cell[] = [...cellUrls].map(([name, url]) => ({ name, ...at(url) }))
    const clockReader = new ClockReader(cells, clocks)
    await clockReader.read()
    // Without the setting no clock is moved, or the server refuses to start.
    if (config.testStores) clockReader.start()
    onClose = () => clockReader.stop()
    const directory = new Directory({
      database: at(layout.directoryUrl).system,
      cells,
      clock,
      ids,
      furnish: furnishing(ids),
      opensTestStores: config.testStores,
    })
    const accounts = new Accounts({ directory, secrets, clock, ids, deleteRows: deleteRowsOfAccount })
    return {
      directory,
      accounts,
      operatorKeys: new OperatorKeys({ database: directory.database, secrets, clock, ids }),
      secrets,
      clock,
      clocks,
      clockReader,
      seeds: new StoreSeeds(),
      ids,
      databases: opened,
      async connectAnew() {
        await Promise.all(layout.databases.map(({ url }) => logIn(serverUrls(url, secrets.rolePassword).api)))
      },
      urlOf: (cell) => cellUrls.get(cell) ?? mainUrl,
      close,
    }
  } catch (error) {
    await close()
    throw refusedLogin(error) ?? error
  }
}

/**
 * Returns PostgreSQL's refusal of the administrator's login as a sentence for the operator. Logins of the server's roles have
 * sentences elsewhere.
 */
export function refusedLogin(error: unknown): Error | undefined {
  if (!(error instanceof pg.DatabaseError) || !['28P01', '28000', '42501'].includes(error.code ?? '')) return undefined
  return new Error(
    `PostgreSQL refuses the login of DATABASE_URL, DIRECTORY_URL or CELLS: ${error.message}. ` +
      'serve and migrate prepare databases, so they need an administrator who may create roles.',
    { cause: error },
  )
}

/** Creates the rows of a new store. Its modules are loaded when a store is opened, because most processes open none. */
const furnishing = (ids: Ids) => async (tx: Tx) => {
  const { openBlogPage } = await import('../content/pages/blog-page.ts')
  const { FIRST_CHANNEL, openFirstChannel } = await import('../shop/channels/channels.ts')
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
  await openBlogPage(tx, { id: FIRST_CHANNEL, type: 'storefront' })
}

/** Its modules are loaded when an account is deleted, so that commands start without the modules of webhooks. */
async function deleteRowsOfAccount(db: Db, clientId: string) {
  const { deleteScriptsOfAccount } = await import('../content/scripts/scripts.ts')
  const { removeHooksOfAccount } = await import('../doors/webhooks/hooks/hooks-of-account.ts')
  await deleteScriptsOfAccount(db, clientId)
  await removeHooksOfAccount(db, clientId)
}

/**
 * Refuses a role that could see through the walls, and a pooler that takes no settings of sessions.
 * @throws Error with a sentence for the operator
 */
async function refuseUnfit(database: Database, url: string) {
  await database.refusePowers().catch((error: unknown) => {
    const cause = error instanceof DatabaseUnavailable ? error.cause : error
    throw isRefusedOption(cause) ? withoutOptions(hostOf(url), cause) : error
  })
  const [session] = await database.system<{ timeout: string }>(
    sql`select current_setting('statement_timeout') as timeout`,
  )
  if (session?.timeout === '0') throw withoutOptions(hostOf(url))
}

/** The databases of an installation, each once and that of the directory first, with their URLs from the settings. */
interface Layout {
  directoryUrl: string
  databases: { url: string; parts: DatabasePart[] }[]
}

/**
 * Returns the databases in the settings.
 * @param mainUrl the URL of DATABASE_URL or of the embedded database
 * @throws Error with a sentence for the operator if CELLS is malformed
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

/** Prepares the databases. All refusals come before the first change. Several processes may prepare at the same time. */
async function prepare({ directoryUrl, databases }: Layout, secrets: Secrets, replaces: boolean) {
  if (!replaces) {
    const stored = await verifierOf(directoryUrl)
    if (stored !== undefined && stored !== secrets.verifier) throw new Error(WRONG_SECRET)
    for (const { url } of databases) await refuseOtherPasswords(url, secrets.rolePassword)
  }
  for (const { url, parts } of databases) await refuseNewer(url, parts)
  // One after the other, because each creates roles and several databases may share a PostgreSQL server.
  for (const { url, parts } of databases) {
    await prepareRoles(url, secrets.rolePassword, { replaces })
    await migrate(url, parts)
  }
  await storeVerifier(directoryUrl, secrets.verifier, { replaces })
}

/** A database and the changes that a start of this program would make to it. */
export interface RehearsedDatabase {
  /** Host and name. */
  name: string
  rehearsals: Rehearsal[]
}

/**
 * Lists the changes to the databases of the settings and tries them, without changing anything. An embedded database that does not run is
 * started for it.
 * @returns an empty list if there is no database yet
 */
export async function rehearseInstallation(config: Config): Promise<RehearsedDatabase[]> {
  if (config.databaseUrl === undefined && !existsSync(join(config.dataFolder, 'postgres'))) return []
  const embedded = config.databaseUrl === undefined ? await embeddedServer(config.dataFolder, false) : undefined
  try {
    const rehearsed: RehearsedDatabase[] = []
    for (const { url, parts } of layoutOf(config, config.databaseUrl ?? embedded?.url ?? '').databases) {
      rehearsed.push({ name: `${hostOf(url)}${new URL(url).pathname}`, rehearsals: await rehearse(url, parts) })
    }
    return rehearsed
  } catch (error) {
    throw refusedLogin(error) ?? error
  } finally {
    await embedded?.stop()
  }
}

function openDatabase(
  url: string,
  secrets: Secrets,
  options: Pick<Options, 'clock' | 'patience' | 'log'> & { engine: Engine; clocks: StoreClocks },
  poolSize: number,
) {
  const urls = serverUrls(url, secrets.rolePassword)
  return {
    api: new Database(urls.api, { ...options, max: poolSize }),
    system: new Database(urls.system, { ...options, max: 4, application: 'storeward system' }),
    forkUrl: urls.fork,
    systemUrl: urls.system,
  }
}

/** Starts the embedded PostgreSQL, or finds the one that already runs in this folder, for commands beside a server. */
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

/** The URL of the embedded database of a folder, if a server is running it. */
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

/** Reads the secret of a data folder, and generates it at the first call. Only the owner may read the file. */
async function secretOfFolder(folder: string): Promise<string> {
  const path = join(folder, 'secret')
  if (existsSync(path)) return readFile(path, 'utf8')
  await mkdir(folder, { recursive: true })
  // The complete file is linked into place, so that a crash leaves no partial secret. Of two simultaneous first starts one
  // creates it and both read it.
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
