import { execFileSync, fork, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createWriteStream, readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { readConfig } from '../server/process/config.ts'
import { openInstallation } from '../server/process/installation.ts'
import { freePort } from '../server/process/main.ts'
import { pack } from '../server/shop/themes/bundle/pack.ts'
import { stockFiles } from '../server/shop/themes/stock.ts'
import { childrenOf, cpuOf, memoryOf } from './cpu.ts'
import { ask, type Shop, type Uploads, upload } from './uploads.ts'

// The cost of theme uploads: npm run bench:themes. A bundle of 20 MiB goes to a server process, from the first byte to
// the end of its job, beside `unzip -t` on the same file and a copy of it. Then ten go at once while another client
// reads. On few processors clients, database and measurement compete: the floor is the time of reads beside ten clients
// that send the same bytes to a server that only writes them to the disk.

const { values: options } = parseArgs({ options: { quick: { type: 'boolean', default: false } } })
const [ROUNDS, TURNS, SECONDS] = options.quick ? [3, 3, 6] : [7, 5, 8]
const MIB = 1024 * 1024
const AT_ONCE = 10
const READS_A_SECOND = 100

const folder = await mkdtemp(join(tmpdir(), 'storeward-themes-'))
const bundle = join(folder, 'bundle.zip')
await makeBundle()
const installation = await openInstallation(readConfig({ STOREWARD_DATA: folder }), { prepares: true })
const shops = await Promise.all(
  Array.from({ length: AT_ONCE + 1 }, async (_, i) => {
    const { hash } = await installation.directory.create({ name: `Bench ${i}`, plan: 'unlimited' })
    return { hash, token: (await installation.accounts.create(hash, 'bench', ['all'])).access_token }
  }),
)
await installation.close()
const port = await freePort('127.0.0.1')
const server = spawn(
  process.execPath,
  ['--max-semi-space-size=16', fileURLToPath(new URL('../server/bin/storeward.js', import.meta.url)), 'serve'],
  {
    env: { ...process.env, STOREWARD_DATA: folder, PORT: String(port), LOG_LEVEL: 'warn', DRAIN_SECONDS: '0' },
    stdio: ['ignore', 'inherit', 'inherit'],
  },
)
try {
  await measure()
} finally {
  server.kill('SIGTERM')
  await once(server, 'exit')
  await rm(folder, { recursive: true, force: true })
}

/** The stock theme with incompressible pictures and compressible scripts: about 20 MiB packed and 45 MiB unpacked. */
async function makeBundle() {
  const picture = (i: number) => ({ path: `assets/img/${i}.png`, open: async () => randomBytes(300_000) })
  const script = (i: number) => {
    const text = Array.from(
      { length: 6_000 },
      (_, n) => `export const value${n} = '${randomBytes(12).toString('hex')}'\n`,
    )
    return { path: `assets/js/${i}.js`, open: async () => Buffer.from(text.join('')) }
  }
  const many = <T>(count: number, make: (i: number) => T) => Array.from({ length: count }, (_, i) => make(i))
  const files = [...(await stockFiles()), ...many(40, picture), ...many(90, script)]
  await pipeline(Readable.from(pack(files)), createWriteStream(bundle))
}

async function measure() {
  await until(() =>
    ask(port, '/themes', shops[0] ?? { hash: '', token: '' }).then(
      () => true,
      () => false,
    ),
  )
  const bytes = new Blob([new Uint8Array(await readFile(bundle))])
  const [reader, ...uploaders] = shops
  if (!reader || !uploaders[0]) throw new Error('There are no stores.')
  await upload(port, uploaders[0], bytes)
  console.log(
    `load ${loadavg()[0]?.toFixed(1)}; ${(bytes.size / MIB).toFixed(1)} MiB; milliseconds, median (lowest to highest)`,
  )
  const beside: number[] = []
  const own: number[] = []
  const cpu: Record<'beside' | 'own', number[]> = { beside: [], own: [] }
  for (let round = 0; round < ROUNDS; round++) {
    const began = performance.now()
    const times = execFileSync('bash', [
      '-c',
      `unzip -tq ${bundle} > /dev/null; cp ${bundle} ${bundle}.copy; times`,
    ]).toString()
    beside.push(performance.now() - began)
    const [, ofChildren = ''] = times.trim().split('\n')
    cpu.beside.push(
      [...ofChildren.matchAll(/(\d+)m([\d.]+)s/g)].reduce(
        (sum, [, m, s]) => sum + Number(m) * 60_000 + Number(s) * 1_000,
        0,
      ),
    )
    const before = cpuOfAll()
    own.push(await upload(port, uploaders[0], bytes))
    cpu.own.push(cpuOfAll() - before)
  }
  console.log(`unzip -t and cp       ${shown(beside)}, of CPU ${shown(cpu.beside)}`)
  console.log(`upload and its job    ${shown(own)}, of CPU ${shown(cpu.own)}`)
  const times = (one: readonly number[], other: readonly number[]) => (median(one) / median(other)).toFixed(2)
  console.log(
    `                      ${times(beside, own)} times the speed (aim: 0.5), ${times(cpu.beside, cpu.own)} times by CPU`,
  )

  const memory = memoryOfAll()
  let most = memory
  const watch = setInterval(() => (most = Math.max(most, memoryOfAll())), 20)
  const floor = fork(new URL('./uploads-floor.ts', import.meta.url), [folder])
  const [{ port: floorPort }] = await once(floor, 'message')
  const p99: Record<'alone' | 'uploads' | 'floor', number[]> = { alone: [], uploads: [], floor: [] }
  let uploads = 0
  for (let turn = 0; turn < TURNS; turn++) {
    p99.alone.push(await reads(reader))
    const meanwhile = await readsBeside({ port, bundle, shops: uploaders, everyMs: 0 }, reader)
    p99.uploads.push(meanwhile.p99)
    uploads += meanwhile.count
    // The pace that the server reached.
    const everyMs = (SECONDS * 1_000 * AT_ONCE) / meanwhile.count
    p99.floor.push((await readsBeside({ port: floorPort, bundle, shops: uploaders, everyMs }, reader)).p99)
  }
  floor.disconnect()
  clearInterval(watch)
  console.log(
    `ten at once (${uploads})     memory ${memory.toFixed(0)} MiB before, ${most.toFixed(0)} at most (aim: 100 more)`,
  )
  const beneath = `${times(p99.floor, p99.alone)} times`
  console.log(
    `other requests' p99   ${shown(p99.alone)} alone, ${shown(p99.uploads)} meanwhile, ${times(p99.uploads, p99.alone)} times (aim: 1.3); ` +
      `${shown(p99.floor)} beside the floor, ${beneath}`,
  )
  console.log(`load ${loadavg()[0]?.toFixed(1)} in the end`)
}

/** In MiB. */
function memoryOfAll(): number {
  return processes().reduce((sum, pid) => sum + memoryOf(pid), 0)
}

/** In milliseconds. */
function cpuOfAll(): number {
  return processes().reduce((sum, pid) => sum + cpuOf(pid), 0) / 1_000
}

/**
 * The server, and the process in which it validates bundles. The database is a child of the server too, and is left
 * out.
 */
function processes(): number[] {
  const pid = server.pid ?? 0
  return [
    pid,
    ...childrenOf(pid).filter((child) => readFileSync(`/proc/${child}/cmdline`, 'latin1').includes('/bundle/')),
  ]
}

/** As `reads`, while clients upload. @returns also the number of uploaded themes */
async function readsBeside(uploads: Uploads, reader: Shop): Promise<{ p99: number; count: number }> {
  const clients = fork(new URL('./uploads.ts', import.meta.url))
  clients.send(uploads)
  const p99 = await reads(reader)
  clients.send('end')
  const [{ count }] = await once(clients, 'message')
  return { p99, count }
}

/** Reads at a fixed pace. @returns the p99 in milliseconds */
async function reads(shop: Shop): Promise<number> {
  const times: Promise<number>[] = []
  const start = performance.now()
  for (let i = 0; i < SECONDS * READS_A_SECOND; i++) {
    const due = start + (i * 1_000) / READS_A_SECOND
    await sleep(Math.max(0, due - performance.now()))
    times.push(ask(port, '/catalog/brands?limit=5', shop).then(() => performance.now() - due))
  }
  const all = (await Promise.all(times)).toSorted((one, other) => one - other)
  return all[Math.floor(all.length * 0.99)] ?? 0
}

function median(times: readonly number[]): number {
  return times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] ?? 0
}

function shown(times: readonly number[]): string {
  return `${median(times).toFixed(0)} (${Math.min(...times).toFixed(0)} to ${Math.max(...times).toFixed(0)})`
}

async function until(holds: () => Promise<boolean>) {
  for (let i = 0; i < 300 && !(await holds()); i++) await sleep(100)
}
