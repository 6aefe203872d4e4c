import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { pino } from 'pino'
import { findEmbedded } from '../server/core/db/setup/embedded.ts'
import { Files } from '../server/core/files/files.ts'
import { createApp } from '../server/process/app.ts'
import { readConfig } from '../server/process/config.ts'
import { type Installation, openInstallation } from '../server/process/installation.ts'

/** An installation with a database of its own, for measurements. */
export interface OwnServer {
  folder: string
  directory: Installation['directory']
  cell: Installation['directory']['cells'][number]
  /** A connection with all rights. */
  admin: pg.Client
  url: URL
  /** The process id of the database. */
  postmaster: number
}

/** Does work with an installation in a folder of its own, which is deleted afterwards. */
export async function withOwnServer(name: string, work: (server: OwnServer) => Promise<void>) {
  const folder = await mkdtemp(join(tmpdir(), `storeward-${name}-`))
  const installation = await openInstallation(readConfig({ STOREWARD_DATA: folder }))
  try {
    const administrator = await findEmbedded(folder)
    const [cell] = installation.directory.cells
    if (!administrator || !cell) throw new Error('The database is not running.')
    const url = new URL(administrator)
    url.pathname = '/storeward'
    const admin = new pg.Client({ connectionString: url.href })
    await admin.connect()
    // The database stops if something fails; that failure is reported then.
    admin.on('error', () => {})
    const postmaster = await postmasterOf(folder)
    await work({ folder, directory: installation.directory, cell, admin, url, postmaster })
    await admin.end()
  } finally {
    await installation.close()
    await rm(folder, { recursive: true, force: true })
  }
}

/** The process id of the database in the folder of an installation. */
const postmasterOf = async (folder: string) =>
  Number.parseInt(await readFile(join(folder, 'postgres/cluster/postmaster.pid'), 'utf8'), 10)

/** A whole server of test stores in this process. */
export interface OwnApp {
  folder: string
  installation: Installation
  files: Files
  app: Awaited<ReturnType<typeof createApp>>
  /** Its address, without a slash at the end. */
  base: string
  /** The address of the database, with all rights. */
  administrator: string
  /** The process id of the database. */
  postmaster: number
}

/** Does work with a server in a folder of its own, which is deleted afterwards. */
export async function withOwnApp(name: string, work: (own: OwnApp) => Promise<void>) {
  const folder = await mkdtemp(join(tmpdir(), `storeward-${name}-`))
  const config = { ...readConfig({ STOREWARD_DATA: folder, TEST_STORES: 'true' }), port: 0 }
  const installation = await openInstallation(config, { alone: true, prepares: true })
  try {
    const files = new Files(join(folder, 'files'), 'http://127.0.0.1', installation.ids)
    await files.open()
    const administrator = new URL((await findEmbedded(folder)) ?? '')
    administrator.pathname = '/storeward'
    const app = await createApp({ ...installation, files, log: pino({ level: 'silent' }) }, config, 'http://127.0.0.1')
    const base = await app.server.listen({ host: '127.0.0.1', port: 0 })
    const postmaster = await postmasterOf(folder)
    await work({ folder, installation, files, app, base, administrator: administrator.href, postmaster })
    await app.server.close()
  } finally {
    await installation.close()
    await rm(folder, { recursive: true, force: true })
  }
}
