import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'typebox'
import type { Db } from '../server/core/db/database.ts'
import { sql } from '../server/core/db/sql.ts'
import { enqueue } from '../server/core/jobs/enqueue.ts'
import { done, runner, task } from '../server/core/jobs/task.ts'
import { JobWorker } from '../server/core/jobs/worker.ts'
import { readConfig } from '../server/process/config.ts'
import { openInstallation } from '../server/process/installation.ts'
import { cpuOf, cpuOfPostgres } from './cpu.ts'

// The cost of jobs: node bench/jobs.ts. Server and embedded PostgreSQL, with its safe settings, are on this machine.

const JOBS = 1_000
const SINGLE = 100
const STORES = 6
const IDLE_MS = 20_000

const folder = await mkdtemp(join(tmpdir(), 'storeward-bench-'))
const installation = await openInstallation({ ...readConfig({}), dataFolder: folder }, { alone: true, prepares: true })
const { directory } = installation
const postmaster = Number(readFileSync(join(folder, 'postgres/cluster/postmaster.pid'), 'utf8').split('\n')[0])
const dbs: Db[] = []
for (let i = 0; i < STORES; i++) {
  const { id } = await directory.create({ name: `Bench ${i}` })
  const db = await directory.dbById(id)
  if (db) dbs.push(db)
}

const began = new Map<string, number>()
let ended = 0
const benchTask = task('bench', t.Object({ nr: t.Integer() }), { maxMs: 10_000, retryDelay: () => undefined })
const workers = (count: number) =>
  Array.from({ length: count }, () => {
    const run = runner(benchTask, async ({ id }) => {
      began.set(id, performance.now())
      ended++
      return done
    })
    return new JobWorker({ stores: directory, runners: [run], log: console })
  })

const storeOf = (nr: number): Db => {
  const db = dbs[nr % dbs.length]
  if (!db) throw new Error('There is no store.')
  return db
}
const add = (db: Db, nr: number) => db.transaction((tx) => enqueue(tx, benchTask, { payload: { nr } }))

/** Microseconds of CPU for each of this many jobs, and jobs a second. */
async function measured(name: string, count: number, work: () => Promise<unknown>) {
  const node = cpuOf(process.pid)
  const database = cpuOfPostgres(postmaster)
  const start = performance.now()
  await work()
  const seconds = (performance.now() - start) / 1_000
  console.log(
    `${name}: ${Math.round(count / seconds)} a second, ${Math.round((cpuOfPostgres(postmaster) - database) / count)} us of database, ` +
      `${Math.round((cpuOf(process.pid) - node) / count)} us of Node for each (load ${loadavg()[0]?.toFixed(1)})`,
  )
}

async function enqueueAll(stores: number) {
  for (let nr = 0; nr < JOBS; nr += 20) {
    await Promise.all(Array.from({ length: 20 }, (_, i) => add(storeOf((nr + i) % stores), nr + i)))
  }
}

async function untilEnded(count: number) {
  while (ended < count) await sleep(5)
}

for (const { stores, many } of [
  { stores: 1, many: 1 },
  { stores: STORES, many: 1 },
  { stores: STORES, many: 6 },
]) {
  ended = 0
  await measured(`enqueue, ${stores} stores`, JOBS, () => enqueueAll(stores))
  const doing = workers(many)
  await measured(`do, ${stores} stores, ${many} workers`, JOBS, async () => {
    for (const worker of doing) worker.start()
    await untilEnded(JOBS)
    await Promise.all(doing.map((worker) => worker.idle()))
  })
  for (const worker of doing) await worker.stop()
}

const [worker] = workers(1)
worker?.start()
await sleep(2_000)
const latencies: number[] = []
for (let nr = 0; nr < SINGLE; nr++) {
  const id = await add(storeOf(nr), nr)
  const committed = performance.now()
  while (!began.has(id)) await sleep(1)
  latencies.push(Math.max(0, (began.get(id) ?? 0) - committed))
  await sleep(20)
}
latencies.sort((a, b) => a - b)
const at = (part: number) => latencies[Math.floor(latencies.length * part)]?.toFixed(1)
console.log(`from commit to run: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms (load ${loadavg()[0]?.toFixed(1)})`)

// Every job waits: the look finds due jobs, not all jobs.
const inADay = new Date(Date.now() + 86_400_000)
await storeOf(0).transaction((tx) =>
  tx.rows(sql`
    insert into job_lanes (store_id, key, head, task, due_at, last_seq, is_new)
    select ${tx.store.id}, 'k' || i, 'k' || i, 'bench', ${inADay}, 1, false from generate_series(1, 100000) i returning key`),
)
await sleep(10_000)
await measured(`idle for ${IDLE_MS / 1_000} s beside 100,000 jobs that wait, by the second`, IDLE_MS / 1_000, () =>
  sleep(IDLE_MS),
)
await worker?.stop()
await installation.close()
await rm(folder, { recursive: true })
