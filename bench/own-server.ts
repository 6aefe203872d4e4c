import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { findEmbedded } from '../server/core/db/setup/embedded.ts'
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
    const postmaster = Number.parseInt(await readFile(join(folder, 'postgres/cluster/postmaster.pid'), 'utf8'), 10)
    await work({ folder, directory: installation.directory, cell, admin, url, postmaster })
    await admin.end()
  } finally {
    await installation.close()
    await rm(folder, { recursive: true, force: true })
  }
}
