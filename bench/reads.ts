/**
 * The cost of the wall for a read: a brand by its key, 16 readers at once in this process, in turns.
 *
 * node bench/reads.ts [--quick]
 *
 * The figures of docs/decisions/001-walls-in-one-round-trip.md come from here. Needs Linux.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { findEmbedded } from '../server/core/db/setup/embedded.ts'
import { readConfig } from '../server/process/config.ts'
import { openInstallation } from '../server/process/installation.ts'
import { cpuOfPostgres } from './cpu.ts'
import { BRANDS, load } from './data.ts'
import { figure } from './report.ts'

const READERS = 16
const { values: options } = parseArgs({ options: { quick: { type: 'boolean', default: false } } })
const [ROUNDS, READS] = options.quick ? [3, 5_000] : [7, 20_000]
const text = `select id, name, page_title, meta_keywords, meta_description, search_keywords, image_url, custom_url
  from brands where store_id = $1 and id = $2`

const folder = await mkdtemp(join(tmpdir(), 'storeward-reads-'))
const installation = await openInstallation(readConfig({ STOREWARD_DATA: folder }))
try {
  await compare()
} finally {
  await installation.close()
  await rm(folder, { recursive: true, force: true })
}

async function compare() {
  const administrator = await findEmbedded(folder)
  if (!administrator) throw new Error('The database is not running.')
  const url = new URL(administrator)
  url.pathname = '/storeward'
  const [big] = await load(installation, url.href, 1)
  const [cell] = installation.directory.cells
  if (!big || !cell) throw new Error('There is no store to read from.')
  const store = { ...big, limits: {} }
  const db = cell.api.of(store)
  const bare = new pg.Pool({ connectionString: url.href, max: 8, idleTimeoutMillis: 0 })
  const walled = new pg.Pool({ connectionString: url.href, max: 8, idleTimeoutMillis: 0, options: '-c role=storeward' })

  const ways: Record<string, (id: number) => Promise<unknown>> = {
    'bare pool query, no policy': (id) => bare.query({ name: 'brand', text, values: [store.id, id] }),
    'under the policy, one round trip': (id) => db.byKey({ name: 'brand', text, values: [store.id, id] }),
    'under the policy, three round trips': async (id) => {
      const client = await walled.connect()
      await client.query(`begin read only; set local app.store = ${store.id}`)
      await client.query({ name: 'brand', text, values: [store.id, id] })
      await client.query('commit')
      client.release()
    },
  }

  const postmaster = Number.parseInt(await readFile(join(folder, 'postgres/cluster/postmaster.pid'), 'utf8'), 10)
  const measure = async (read: (id: number) => Promise<unknown>) => {
    const [own, database] = [process.cpuUsage(), cpuOfPostgres(postmaster)]
    let left = READS
    const reader = async () => {
      while (left-- > 0) await read(((left * 7_919) % BRANDS) + 1)
    }
    await Promise.all(Array.from({ length: READERS }, reader))
    const { user, system } = process.cpuUsage(own)
    return { node: (user + system) / READS, database: (cpuOfPostgres(postmaster) - database) / READS }
  }

  const rounds = new Map(Object.keys(ways).map((way) => [way, [] as Awaited<ReturnType<typeof measure>>[]]))
  for (const read of Object.values(ways)) await measure(read)
  for (let round = 0; round < ROUNDS; round++) {
    for (const [way, read] of Object.entries(ways)) rounds.get(way)?.push(await measure(read))
  }
  console.log(`${''.padEnd(40)}${'node us'.padStart(24)}${'database us'.padStart(24)}`)
  for (const [way, measured] of rounds) {
    const [node, database] = [
      figure(measured.map(({ node }) => node)),
      figure(measured.map(({ database }) => database)),
    ]
    const show = ({ median, lowest, highest }: ReturnType<typeof figure>) =>
      `${median.toFixed(1)} (${lowest.toFixed(1)} to ${highest.toFixed(1)})`.padStart(24)
    console.log(`${way.padEnd(40)}${show(node)}${show(database)}`)
  }
  await bare.end()
  await walled.end()
}
