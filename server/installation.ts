import { existsSync } from 'node:fs'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from './config.ts'
import { type Clock, systemClock } from './core/clock.ts'
import { Database } from './core/db/database.ts'
import { findEmbedded, startEmbedded } from './core/db/embedded.ts'
import { ensureDatabase, migrate, prepareRoles } from './core/db/prepare.ts'
import { type Ids, randomIds } from './core/ids.ts'
import { type Secrets, secretsFrom } from './core/secrets.ts'
import { Accounts } from './stores/accounts.ts'
import { type Cell, Directory } from './stores/directory.ts'

/** The databases of a server with everything that stands right on them. */
export interface Installation {
  directory: Directory
  accounts: Accounts
  secrets: Secrets
  clock: Clock
  ids: Ids
  /** Every database that the server uses, for readiness and metrics. */
  databases: Database[]
  close(): Promise<void>
}

interface Surroundings {
  clock?: Clock
  ids?: Ids
  /** Whether to refuse an embedded database that runs already: it stops with the server that started it. */
  alone?: boolean
}

/**
 * Opens the databases that the settings name, brought up to date: the embedded one if they name none.
 * @throws Error with a sentence for the operator
 */
export async function openInstallation(
  config: Config,
  { clock = systemClock, ids = randomIds, alone = false }: Surroundings = {},
) {
  const secrets = secretsFrom(config.secret ?? (await ownSecret(config.dataFolder)))
  const server = config.databaseUrl === undefined ? await embeddedServer(config.dataFolder, alone) : undefined
  const main = config.databaseUrl ?? (server ? await ensureDatabase(server.url, 'storeward') : '')
  const directoryUrl = config.directoryUrl ?? main
  const cellUrls = new Map([['main', main], ...pairs(config.cells)])

  const open = async (url: string) => {
    const urls = await prepareRoles(url, secrets.rolePassword)
    await migrate(url, [
      ...(url === directoryUrl ? (['directory'] as const) : []),
      ...([...cellUrls.values()].includes(url) ? (['cell'] as const) : []),
    ])
    const api = new Database(urls.api, { clock, max: config.poolSize })
    const system = new Database(urls.system, { clock, max: 4, application: 'storeward system' })
    return { api, system }
  }
  // One after the other: each prepares roles, and several databases may be on one PostgreSQL server.
  const opened = new Map<string, { api: Database; system: Database }>()
  for (const url of new Set([directoryUrl, ...cellUrls.values()])) opened.set(url, await open(url))
  const at = (url: string) => {
    const databases = opened.get(url)
    if (!databases) throw new Error('A database was not opened.')
    return databases
  }
  const databases = [...opened.values()].flatMap(({ api, system }) => [api, system])
  await Promise.all(databases.map((database) => database.refusePowers()))

  const cells: Cell[] = [...cellUrls].map(([name, url]) => ({ name, ...at(url) }))
  const directory = new Directory(at(directoryUrl).system, cells, clock, ids)
  return {
    directory,
    accounts: new Accounts(directory, secrets, clock, ids),
    secrets,
    clock,
    ids,
    databases,
    async close() {
      await Promise.all(databases.map((database) => database.close()))
      await server?.stop()
    },
  } satisfies Installation
}

/** The embedded PostgreSQL: one of our own, or the one that runs in this folder already, for commands beside a server. */
async function embeddedServer(folder: string, alone: boolean): Promise<{ url: string; stop(): Promise<void> }> {
  const running = alone ? undefined : await findEmbedded(folder)
  return running ? { url: running, stop: async () => {} } : startEmbedded({ folder })
}

/** The generated secret of a data folder, for the owner's eyes only. */
async function ownSecret(folder: string): Promise<string> {
  const path = join(folder, 'secret')
  if (existsSync(path)) return readFile(path, 'utf8')
  await mkdir(folder, { recursive: true })
  // Whole or not there, also after a crash: every token hangs on it. Of two first starts at once one makes it, both read it.
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
      return [name, url.join('=')]
    })
}
