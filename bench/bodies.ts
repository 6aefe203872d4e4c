/**
 * Hostile bodies: the cost of refusing each, and the delay of another store while ten of them arrive at once.
 *
 * node bench/bodies.ts [--json] [body...]
 *
 * Figures: docs/decisions/012-bodies-are-counted-first.md. Needs Linux: CPU time and memory are read from /proc.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { readConfig } from '../server/process/config.ts'
import { openInstallation } from '../server/process/installation.ts'
import { cpuOf } from './cpu.ts'
import { type Subject, startServer } from './subjects.ts'

const MIB = 1024 * 1024
const BODY_BYTES = 4 * MIB
const ROUNDS = 5
const AT_ONCE = 10

const { values: options, positionals: names } = parseArgs({
  options: { json: { type: 'boolean', default: false } },
  allowPositionals: true,
})

interface Hostile {
  name: string
  method: 'POST' | 'PUT'
  path: string
  body: string
}

/** A list of a text, repeated to fill the bytes. */
const listOf = (item: string, bytes: number) =>
  `[${`${item},`.repeat(Math.floor(bytes / (item.length + 1)) - 2)}${item}]`
const brand = (fields: string) => ({ method: 'POST' as const, path: '/catalog/brands', body: `{"name":"x",${fields}}` })
const products = (body: string) => ({ method: 'PUT' as const, path: '/catalog/products', body })

const bodies: Hostile[] = [
  { name: 'numbers', ...products(listOf('1', BODY_BYTES)) },
  { name: 'few-numbers', ...products(listOf('1', 500_000)) },
  { name: 'lists', ...products(listOf('[]', BODY_BYTES)) },
  { name: 'keys', ...brand(Array.from({ length: 100_000 }, (_, i) => `"k${i}":0`).join()) },
  { name: 'levels', ...brand(`"a":${'['.repeat(BODY_BYTES - 20)}`) },
  { name: 'mistakes', ...brand(`"meta_keywords":${listOf('1', 500_000)}`) },
  { name: 'texts', ...brand(`"meta_keywords":${listOf('"\\u0000"', 2_500_000)}`) },
  { name: 'marks', ...brand(`"page_title":"${`x${'\u0300\u0323'.repeat(15)}`.repeat(65_000)}"`) },
  { name: 'accents', ...brand(`"page_title":"${'e\u0301'.repeat(1_380_000)}"`) },
  {
    name: 'objects',
    method: 'PUT',
    path: '/catalog/products/category-assignments',
    body: listOf('{"product_id":1,"category_id":"a"}', 3_300_000),
  },
]
const chosen = bodies.filter(({ name }) => names.length === 0 || names.includes(name))

interface Measured {
  name: string
  mib: number
  status: number
  /** Milliseconds of server CPU for each MiB: the least and the most of the rounds. */
  cpu: [number, number]
  /** The longest read of another store's brand, alone and while ten bodies arrive. */
  quietMs: number
  besideMs: number
  peakMib: number
}

const folder = await mkdtemp(join(tmpdir(), 'storeward-bodies-'))
const server = await startServer(folder, [])
try {
  const [attacker, other] = await openStores()
  const measured: Measured[] = []
  for (const hostile of chosen) measured.push(await measure(hostile, attacker, other))
  if (options.json) console.log(JSON.stringify({ load: loadavg(), measured }, null, 2))
  else print(measured)
} finally {
  await server.stop()
  await rm(folder, { recursive: true, force: true })
}

interface Store {
  hash: string
  token: string
}

async function openStores(): Promise<[Store, Store]> {
  const { directory, accounts, close } = await openInstallation(readConfig({ STOREWARD_DATA: folder }))
  const open = async (name: string) => {
    const { hash } = await directory.create({ name, plan: 'unlimited' })
    return { hash, token: (await accounts.create(hash, 'bench', ['all'])).access_token }
  }
  const stores: [Store, Store] = [await open('Attacker'), await open('Other')]
  await close()
  await ask(server, stores[1], new Agent(), { method: 'POST', path: '/catalog/brands', body: '{"name":"Ferm"}' })
  return stores
}

async function measure(hostile: Hostile, attacker: Store, other: Store): Promise<Measured> {
  const agent = new Agent({ keepAlive: true })
  const mib = Buffer.byteLength(hostile.body) / MIB
  let status = await ask(server, attacker, agent, hostile)
  const costs: number[] = []
  for (let i = 0; i < ROUNDS; i++) {
    const before = cpuOf(server.pid)
    status = await ask(server, attacker, agent, hostile)
    costs.push((cpuOf(server.pid) - before) / 1_000 / mib)
  }
  const quiet = await waits(other, sleep(1_000))
  const ten = Promise.all(Array.from({ length: AT_ONCE }, () => ask(server, attacker, new Agent(), hostile)))
  const beside = await waits(other, ten)
  agent.destroy()
  return {
    name: hostile.name,
    mib,
    status,
    cpu: [Math.min(...costs), Math.max(...costs)],
    quietMs: quiet,
    besideMs: beside,
    peakMib: await peakOf(server.pid),
  }
}

/** Reads a brand again and again until something ends. @returns the longest time of a read, in milliseconds */
async function waits(store: Store, something: Promise<unknown>): Promise<number> {
  const agent = new Agent({ keepAlive: true })
  let isOver = false
  something.finally(() => {
    isOver = true
  })
  let longest = 0
  while (!isOver) {
    const began = performance.now()
    await ask(server, store, agent, { method: 'GET', path: '/catalog/brands/1' })
    longest = Math.max(longest, performance.now() - began)
  }
  await something
  agent.destroy()
  return longest
}

function ask(
  { port }: Subject,
  { hash, token }: Store,
  agent: Agent,
  { method, path, body = '' }: { method: string; path: string; body?: string },
): Promise<number> {
  const bytes = Buffer.from(body)
  const headers = {
    'x-auth-token': token,
    ...(bytes.length > 0 ? { 'content-type': 'application/json', 'content-length': bytes.length } : {}),
  }
  return new Promise((resolve, reject) => {
    request({ port, agent, method, path: `/stores/${hash}/v3${path}`, headers }, (answer) => {
      answer.resume().once('end', () => resolve(answer.statusCode ?? 0))
    })
      .once('error', reject)
      .end(bytes)
  })
}

/** The highest memory of a process so far. */
async function peakOf(pid: number): Promise<number> {
  const [, kilobytes = '0'] = /^VmHWM:\s+(\d+)/m.exec(await readFile(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) / 1_024
}

function print(measured: readonly Measured[]) {
  const row = (...cells: string[]) =>
    console.log(cells.map((cell, i) => (i === 0 ? cell.padEnd(14) : cell.padStart(22))).join(''))
  row('', 'MiB', 'status', 'CPU ms a MiB', 'another store, quiet', 'beside ten', 'most memory so far')
  for (const { name, mib, status, cpu, quietMs, besideMs, peakMib } of measured) {
    const [least, most] = cpu.map((ms) => ms.toFixed(0))
    row(
      name,
      mib.toFixed(2),
      String(status),
      `${least} to ${most}`,
      `${quietMs.toFixed(0)} ms`,
      `${besideMs.toFixed(0)} ms`,
      `${peakMib.toFixed(0)} MiB`,
    )
  }
  console.log(`load ${loadavg().map((load) => load.toFixed(1))}`)
}
