import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { startEmbedded } from '../../core/db/setup/embedded.ts'
import { ensureDatabase, migrate, prepareRoles } from '../../core/db/setup/prepare.ts'
import { CITUS_URL, dropCitusDatabases, nodesOf } from '../citus/cluster.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The administrator's URL of the run's PostgreSQL. */
    postgresUrl: string
    /** The ports of the nodes of a cluster. */
    nodePorts: number[]
    folder: string
  }
}

const urlOf = (url: string, database: string) => url.replace(/[^/]*$/, database)

async function query(url: string, text: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(text)
  await client.end()
}

/** The secret of every test server. */
export const SECRET = 'a secret for tests, as long as it has to be'

/** Starts the run's PostgreSQL without the settings for durable data, and creates the templates to clone. */
export default async function setUp(project: TestProject) {
  const folder = await mkdtemp(join(tmpdir(), 'storeward-test-'))
  const postgres = await (CITUS_URL === undefined ? startPlain(folder) : findCluster(CITUS_URL))
  const { secretsFrom } = await import('../../core/secrets/secrets.ts')
  await prepareRoles(postgres.url, secretsFrom(SECRET).rolePassword)
  await migrate(await ensureDatabase(postgres.url, 'template_directory'), ['directory'])
  await migrate(await ensureDatabase(postgres.url, 'template_cell'), ['cell'])
  await query(postgres.url, 'create database template_all template template_cell')
  await migrate(urlOf(postgres.url, 'template_all'), ['directory'])
  project.provide('postgresUrl', postgres.url)
  project.provide('nodePorts', postgres.nodePorts)
  project.provide('folder', folder)
  return async () => {
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

async function startPlain(folder: string) {
  const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '300' }
  return { ...(await startEmbedded({ folder, settings })), nodePorts: [] }
}

/** A cluster that runs. The templates are ordinary databases of its coordinator; databases with stores are made for each worker. */
async function findCluster(url: string) {
  const ofRun = /^(template_(directory|cell|all)|w\d+_\w+)$/
  await dropCitusDatabases(url, ofRun)
  const nodes = await nodesOf(url)
  return { url, nodePorts: nodes.map(({ port }) => port), stop: () => dropCitusDatabases(url, ofRun) }
}
