/**
 * Measures load beside its floor. Starts the server as in production, on an embedded PostgreSQL of its own, and
 * measures each workload in turns with the floor of the same run: machines and their other work differ, the ratio
 * doesn't.
 *
 * node bench/run.ts [--quick] [--json] [--strict] [--profile <folder>] [workload...]
 *
 * --quick measures shorter and colder, too cold for the bars of a slow list; --json prints JSON, --strict exits with 1
 * if a bar is missed, --profile writes a CPU profile of the server. Needs Linux: CPU time is read from /proc.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { findEmbedded } from '../server/core/db/setup/embedded.ts'
import { readConfig } from '../server/process/config.ts'
import { openInstallation } from '../server/process/installation.ts'
import { memoryOf } from './cpu.ts'
import { load, type OpenStore } from './data.ts'
import { CONNECTIONS, measure, quickly, thoroughly } from './measure.ts'
import { record } from './record.ts'
import { factsOf, type Measured, type Report, verdict, wholeTable } from './report.ts'
import { type Generator, type Subject, startFloor, startLoad, startServer } from './subjects.ts'
import { messages, workloads } from './workloads.ts'

const { values: options, positionals: names } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    strict: { type: 'boolean', default: false },
    profile: { type: 'string' },
  },
  allowPositionals: true,
})
const pace = options.quick ? quickly : thoroughly

const unknown = names.filter((name) => !workloads.some((workload) => workload.name === name))
if (unknown.length > 0)
  throw new Error(`There is no workload ${unknown}; there are ${workloads.map(({ name }) => name)}.`)
const chosen = workloads.filter(({ name }) => names.length === 0 || names.includes(name))

const folder = await mkdtemp(join(tmpdir(), 'storeward-bench-'))
const running: { stop(): Promise<void> }[] = []
try {
  const report = await measureAll()
  console.log(options.json ? JSON.stringify(report, null, 2) : wholeTable(report))
  if (options.strict && !verdict(report)) process.exitCode = 1
} finally {
  for (const subject of running.toReversed()) await subject.stop()
  await rm(folder, { recursive: true, force: true })
}

async function measureAll(): Promise<Report> {
  const flags = options.profile ? ['--cpu-prof', `--cpu-prof-dir=${resolve(options.profile)}`] : []
  const server = started(await startServer(folder, flags))
  const postmaster = Number.parseInt(await readFile(join(folder, 'postgres/cluster/postmaster.pid'), 'utf8'), 10)
  const installation = await openInstallation(readConfig({ STOREWARD_DATA: folder }))
  const administrator = await findEmbedded(folder)
  if (!administrator) throw new Error('The database of the server is not running.')
  const url = new URL(administrator)
  url.pathname = '/storeward'
  const stores = await load(installation, url.href, CONNECTIONS + 1)
  const withFloor = chosen.filter(({ beside }) => beside === 'floor')
  const statements = await record(installation, join(folder, 'files'), stores, withFloor)
  await installation.close()

  const generator = started(startLoad())
  await warmUp(server, generator, stores)
  const idleMemory = memoryOf(server.pid)
  const floor = started(await startFloor(url.href, statements))
  const house = { server, floor, generator, postmaster, stores }
  const measured: Measured[] = []
  for (const workload of chosen) measured.push(await measure(house, workload, workloads, pace))
  return { facts: await factsOf(url.href), idleMemory, memory: memoryOf(server.pid), measured }
}

/** Sends the few requests that an idle server in production has answered too. */
async function warmUp(server: Subject, generator: Generator, stores: OpenStore[]) {
  const sent = workloads
    .filter(({ body }) => !body)
    .flatMap((workload) => messages(workload, 'server', stores).slice(0, 5))
  const { port } = server
  await generator.run({ port, connections: 1, seconds: 5, requests: sent.length, messages: sent, first: 0 })
}

function started<S extends { stop(): Promise<void> }>(subject: S): S {
  running.push(subject)
  return subject
}
