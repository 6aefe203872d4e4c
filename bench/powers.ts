/**
 * The cost of powers: a request with its row in the request log, and forks and deletions of the demo store.
 *
 * node bench/powers.ts [--quick]
 *
 * Prints microseconds of CPU of the server and the database for a GET of a product, by the level of the log, in turns; and milliseconds of
 * forks and deletions, with the CPU of the database. Clients are processes of their own. Needs Linux.
 */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { pino } from 'pino'
import { Files } from '../server/core/files/files.ts'
import { createApp } from '../server/process/app.ts'
import { readConfig } from '../server/process/config.ts'
import { openInstallation } from '../server/process/installation.ts'
import { setUpTestGateway } from '../server/sales/payments/providers-command.ts'
import { fillDemoStore } from '../server/sandbox/demo/demo.ts'
import { STORE_HASH } from '../server/sandbox/demo/record.ts'
import { deleteStore } from '../server/stores/directory/deletion.ts'
import { forkStore } from '../server/stores/forks/forks.ts'
import { costOf } from './cpu.ts'
import { figure } from './report.ts'

const { values: options } = parseArgs({ options: { quick: { type: 'boolean', default: false } } })
const [ROUNDS, REQUESTS, FORKS] = options.quick ? [3, 1_000, 3] : [7, 5_000, 20]
const LEVELS = ['off', 'lines', 'bodies'] as const

/** Sends requests for one product over eight connections, from a process of its own. */
const CLIENT = `
const [url, token, count] = process.argv.slice(1)
let left = Number(count)
const reader = async () => {
  while (left-- > 0) {
    const answer = await fetch(url, { headers: { 'x-auth-token': token } })
    if (answer.status !== 200) throw new Error('The server answers with ' + answer.status)
    await answer.arrayBuffer()
  }
}
await Promise.all(Array.from({ length: 8 }, reader))`

const folder = await mkdtemp(join(tmpdir(), 'storeward-powers-'))
const config = { ...readConfig({ STOREWARD_DATA: folder, TEST_STORES: 'true' }), port: 0 }
const installation = await openInstallation(config, { alone: true, prepares: true })
try {
  const { directory, accounts } = installation
  const files = new Files(join(folder, 'files'), 'http://127.0.0.1', installation.ids)
  await files.open()
  const postmaster = Number.parseInt(await readFile(join(folder, 'postgres/cluster/postmaster.pid'), 'utf8'), 10)
  const store = await directory.create({ name: 'Demo', hash: STORE_HASH, plan: 'unlimited', isTest: true })
  const db = await directory.dbById(store.id)
  if (!db) throw new Error('There is no store.')
  await setUpTestGateway(db)
  const admin = await accounts.create(STORE_HASH, 'admin', ['all'])
  const other = await accounts.create(STORE_HASH, 'other', ['all'])
  const tokens = { admin: admin.access_token, otherclient: other.access_token, readonly: '', noscope: '' }
  await fillDemoStore(installation, files, tokens)
  console.log(`load ${loadavg()[0]?.toFixed(1)}`)
  await measureLog()
  await measureForks()

  async function measureLog() {
    const app = await createApp({ ...installation, files, log: pino({ level: 'silent' }) }, config, 'http://127.0.0.1')
    const base = await app.server.listen({ host: '127.0.0.1', port: 0 })
    const { key } = await installation.operatorKeys.create('bench')
    const level = async (level: string) => {
      const answer = await fetch(`${base}/operator/v1/stores/${STORE_HASH}/request-log`, {
        method: 'PUT',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ level }),
      })
      if (!answer.ok) throw new Error(await answer.text())
    }
    const products = await fetch(`${base}/stores/${STORE_HASH}/v3/catalog/products?limit=1`, {
      headers: { 'x-auth-token': admin.access_token },
    })
    const [, id] = /"id":(\d+)/.exec(await products.text()) ?? []
    const url = `${base}/stores/${STORE_HASH}/v3/catalog/products/${id}`
    const run = promisify(execFile)
    const ask = () =>
      run(process.execPath, ['--input-type=module', '-e', CLIENT, url, admin.access_token, String(REQUESTS)])
    await ask()
    const rounds = new Map(LEVELS.map((level) => [level, [] as { server: number; database: number }[]]))
    for (let round = 0; round < ROUNDS; round++) {
      for (const name of LEVELS) {
        await level(name)
        const { server, database } = await costOf(process.pid, postmaster, ask)
        rounds.get(name)?.push({ server: (server / REQUESTS) * 1_000, database: (database / REQUESTS) * 1_000 })
      }
    }
    console.log(`${'GET of a product, level'.padEnd(30)}${'server us'.padStart(24)}${'database us'.padStart(24)}`)
    const sums = new Map<string, number>()
    for (const [name, measured] of rounds) {
      const [server, database] = [measured.map(({ server }) => server), measured.map(({ database }) => database)]
      sums.set(name, figure(server).median + figure(database).median)
      console.log(`${name.padEnd(30)}${text(server).padStart(24)}${text(database).padStart(24)}`)
    }
    const off = sums.get('off') ?? Number.NaN
    for (const name of ['lines', 'bodies']) {
      console.log(`${name}: ${(((sums.get(name) ?? Number.NaN) / off - 1) * 100).toFixed(1)} % more CPU`)
    }
    await app.server.close()
  }

  async function measureForks() {
    const parts = { ...installation, files, openGateway: setUpTestGateway }
    const [forks, deletions]: [number[], number[]] = [[], []]
    let [forkCpu, deletionCpu] = [0, 0]
    for (let i = 0; i < FORKS; i++) {
      let hash = ''
      const forked = await costOf(process.pid, postmaster, async () => {
        hash = (await forkStore(parts, STORE_HASH)).hash
      })
      const deleted = await costOf(process.pid, postmaster, () => deleteStore(parts, hash))
      forks.push(forked.ms)
      deletions.push(deleted.ms)
      forkCpu += forked.database
      deletionCpu += deleted.database
    }
    console.log(`first fork ${Math.round(forks[0] ?? 0)} ms, first deletion ${Math.round(deletions[0] ?? 0)} ms`)
    console.log(`later forks ${text(forks.slice(1))} ms, database CPU of all ${Math.round(forkCpu / FORKS)} ms each`)
    console.log(
      `later deletions ${text(deletions.slice(1))} ms, database CPU of all ${Math.round(deletionCpu / FORKS)} ms each`,
    )
  }
} finally {
  await installation.close()
  await rm(folder, { recursive: true, force: true })
}

function text(values: readonly number[]): string {
  const { median, lowest, highest } = figure([...values])
  return `${Math.round(median)} (${Math.round(lowest)} to ${Math.round(highest)})`
}
