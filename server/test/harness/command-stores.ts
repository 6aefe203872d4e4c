import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, expect, inject } from 'vitest'
import { command } from './command.ts'
import { SECRET } from './postgres.ts'

/** An installation for commands. */
interface CommandStores {
  /** The environment of its commands. */
  settings: Record<string, string>
  /** The folder of its data. */
  folder: string
  /** Runs a statement in its database, as an administrator. */
  query(text: string, values?: unknown[]): Promise<pg.QueryResult>
}

/** Creates an installation with stores, for the commands of one test file. It is deleted after its tests. */
export async function openCommandStores(
  purpose: string,
  hashes: readonly string[] = ['shop1'],
): Promise<CommandStores> {
  const name = `${purpose}_${process.pid}`
  const folder = await mkdtemp(join(tmpdir(), `storeward-${purpose}-`))
  const server = inject('postgresUrl')
  const url = server.replace(/[^/]*$/, name)
  await queryAt(server, `create database ${name} template template_all`)
  afterAll(async () => {
    await queryAt(server, `drop database ${name} with (force)`)
    await rm(folder, { recursive: true, force: true })
  })
  const settings = { DATABASE_URL: url, SECRET, STOREWARD_DATA: folder, PORT: '0' }
  expect((await command(['migrate'], settings)).code).toBe(0)
  for (const hash of hashes) {
    const created = await command(['store', 'create', '--hash', hash, '--name', `The ${hash}`], settings)
    expect([created.code, created.err]).toEqual([0, ''])
  }
  return { settings, folder, query: (text, values) => queryAt(url, text, values) }
}

async function queryAt(connectionString: string, text: string, values: unknown[] = []) {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    return await client.query(text, values)
  } finally {
    await client.end()
  }
}
