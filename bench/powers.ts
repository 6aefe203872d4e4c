/**
 * The cost of powers: a request with its row in the request log, with a fault rule in another store, and with a moved clock.
 *
 * node bench/powers.ts [--quick]
 *
 * Prints microseconds of CPU of the server and the database for a GET of a product, by the level of the log and by the power, in turns.
 * Clients are processes of their own. Needs Linux. `bench/forks.ts` measures copies of stores, and `bench/bundles.ts` bundles.
 */
import { execFile } from 'node:child_process'
import { loadavg } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs, promisify } from 'node:util'
import { setUpTestGateway } from '../server/sales/payments/providers-command.ts'
import { fillDemoStore } from '../server/sandbox/demo/demo.ts'
import { STORE_HASH } from '../server/sandbox/demo/record.ts'
import { clearClock } from '../server/stores/clocks/clocks.ts'
import { costOf } from './cpu.ts'
import { withOwnApp } from './own-server.ts'
import { figure } from './report.ts'

const { values: options } = parseArgs({ options: { quick: { type: 'boolean', default: false } } })
const [ROUNDS, REQUESTS] = options.quick ? [3, 1_000] : [9, 5_000]

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

await withOwnApp('powers', async ({ installation, files, base, postmaster }) => {
  const { directory, accounts } = installation
  const store = await directory.create({ name: 'Demo', hash: STORE_HASH, plan: 'unlimited', isTest: true })
  const db = await directory.dbById(store.id)
  if (!db) throw new Error('There is no store.')
  await setUpTestGateway(db)
  const admin = await accounts.create(STORE_HASH, 'admin', ['all'])
  const other = await accounts.create(STORE_HASH, 'other', ['all'])
  const tokens = { admin: admin.access_token, otherclient: other.access_token, readonly: '', noscope: '' }
  await fillDemoStore(installation, files, tokens)
  console.log(`load ${loadavg()[0]?.toFixed(1)}`)
  const neighbour = await directory.create({ name: 'Neighbour', plan: 'unlimited', isTest: true })
  const { key } = await installation.operatorKeys.create('bench')
  const operate = async (method: string, path: string, body?: object) => {
    const answer = await fetch(`${base}/operator/v1/stores/${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    if (!answer.ok) throw new Error(await answer.text())
  }
  const level = (level: string) => operate('PUT', `${STORE_HASH}/request-log`, { level })

  /** The states in which a request is measured. The first one is that of a store without any power. */
  const states: { name: string; begin(): Promise<unknown>; end?(): Promise<unknown> }[] = [
    { name: 'log off', begin: () => level('off') },
    { name: 'log lines (5 %)', begin: () => level('lines'), end: () => level('off') },
    { name: 'log bodies (10 %)', begin: () => level('bodies'), end: () => level('off') },
    {
      name: 'a fault elsewhere (1 %)',
      begin: () => operate('POST', `${neighbour.hash}/faults`, { status: 503 }),
      end: () => operate('DELETE', `${neighbour.hash}/faults`),
    },
    {
      name: 'a moved clock (1 %)',
      begin: () => operate('POST', `${STORE_HASH}/clock/advance`, { seconds: 60 }),
      end: () => clearClock(db),
    },
  ]
  await measureStates()

  async function measureStates() {
    const products = await fetch(`${base}/stores/${STORE_HASH}/v3/catalog/products?limit=1`, {
      headers: { 'x-auth-token': admin.access_token },
    })
    const [, id] = /"id":(\d+)/.exec(await products.text()) ?? []
    const url = `${base}/stores/${STORE_HASH}/v3/catalog/products/${id}`
    const run = promisify(execFile)
    const ask = () =>
      run(process.execPath, ['--input-type=module', '-e', CLIENT, url, admin.access_token, String(REQUESTS)])
    await ask()
    const rounds = states.map(() => [] as { server: number; database: number }[])
    for (let round = 0; round < ROUNDS; round++) {
      for (const [i, { begin, end }] of states.entries()) {
        await begin()
        // Processes follow a change within a second.
        await sleep(1_500)
        const { server, database } = await costOf(process.pid, postmaster, ask)
        rounds[i]?.push({ server: (server / REQUESTS) * 1_000, database: (database / REQUESTS) * 1_000 })
        await end?.()
      }
    }
    console.log(
      `${'GET of a product'.padEnd(30)}${'server us'.padStart(24)}${'database us'.padStart(24)}${'more CPU'.padStart(24)}`,
    )
    const [plain = []] = rounds
    for (const [i, measured] of rounds.entries()) {
      // Each round is compared with itself: the load of the machine changes between rounds.
      const more = measured.map((one, round) => (sumOf(one) / sumOf(plain[round])) * 100 - 100)
      const { median, lowest, highest } = figure(more)
      const [server, database] = [measured.map(({ server }) => server), measured.map(({ database }) => database)]
      console.log(
        `${(states[i]?.name ?? '').padEnd(30)}${text(server).padStart(24)}${text(database).padStart(24)}` +
          `${median.toFixed(1)} % (${lowest.toFixed(1)} to ${highest.toFixed(1)})`.padStart(28),
      )
    }
    console.log(`load ${loadavg()[0]?.toFixed(1)}`)
  }
})

function text(values: readonly number[]): string {
  const { median, lowest, highest } = figure([...values])
  return `${Math.round(median)} (${Math.round(lowest)} to ${Math.round(highest)})`
}

// A function: the work above runs before constants at the end of the module are there.
function sumOf(cost: { server: number; database: number } | undefined): number {
  return cost ? cost.server + cost.database : Number.NaN
}
