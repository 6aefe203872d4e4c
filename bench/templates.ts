/**
 * Hostile e-mail templates: the time until each is refused, and the delay of other stores, which read a brand by its
 * id. Measured in turns: quiet, beside the templates, quiet, ...
 *
 * node bench/templates.ts [--seconds <n>] [--rounds <n>]
 *
 * Figures: docs/decisions/014-templates-in-processes.md.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { readConfig } from '../server/process/config.ts'
import { openInstallation } from '../server/process/installation.ts'
import { startServer } from './subjects.ts'

const AUTHORS = 2
const READERS = 4
const PAUSE_MS = 2

const { values: options } = parseArgs({
  options: { seconds: { type: 'string', default: '4' }, rounds: { type: 'string', default: '4' } },
})
const [seconds, rounds] = [Number(options.seconds), Number(options.rounds)]

const templates: Record<string, string> = {
  '12 loops in one another': `${'{{#each @root.order.products}}'.repeat(12)}x${'{{/each}}'.repeat(12)}`,
  '2,000 nested blocks': `${'{{#if a}}'.repeat(2_000)}${'{{/if}}'.repeat(2_000)}`,
  '5,000 parentheses': `{{lang ${'('.repeat(5_000)}a${')'.repeat(5_000)}}}`,
  'parentheses hidden behind a brace': `{{lang '}' a=${"(lang 'x' a=".repeat(4_000)}b${')'.repeat(4_000)}}}`,
}

interface Store {
  hash: string
  token: string
}

const folder = await mkdtemp(join(tmpdir(), 'storeward-templates-'))
const server = await startServer(folder, [])
try {
  const [author, reader] = await openStores()
  await ask(reader, 'POST', '/catalog/brands', { name: 'Ferm' })
  const refusals = new Map(Object.keys(templates).map((name) => [name, [] as number[]]))
  await write(author, refusals, 1)
  for (const times of refusals.values()) times.length = 0
  const quiet: number[] = []
  const beside: number[] = []
  for (let round = 0; round < rounds; round++) {
    quiet.push(...(await read(reader, seconds)))
    const [times] = await Promise.all([read(reader, seconds), write(author, refusals, seconds)])
    beside.push(...times)
  }
  console.log(`load ${loadavg()[0]?.toFixed(1)} (mean of the last minute, this run included)`)
  for (const [name, times] of refusals) console.log(`${name.padEnd(36)} refused ${summary(times)}`)
  console.log(`${'another store, quiet'.padEnd(36)} answered ${summary(quiet)}`)
  console.log(`${'another store, beside them'.padEnd(36)} answered ${summary(beside)}`)
} finally {
  await server.stop()
  await rm(folder, { recursive: true, force: true })
}

async function openStores(): Promise<[Store, Store]> {
  const { directory, accounts, close } = await openInstallation(readConfig({ STOREWARD_DATA: folder }))
  const open = async (name: string) => {
    const { hash } = await directory.create({ name, plan: 'unlimited' })
    return { hash, token: (await accounts.create(hash, 'bench', ['all'])).access_token }
  }
  const stores: [Store, Store] = [await open('Author'), await open('Reader')]
  await close()
  return stores
}

/** Saves templates in turn, two at a time, and records the time of each refusal. */
async function write(store: Store, refusals: Map<string, number[]>, length: number) {
  const deadline = performance.now() + length * 1_000
  const author = async () => {
    while (performance.now() < deadline) {
      for (const [name, body] of Object.entries(templates)) {
        const began = performance.now()
        const status = await ask(store, 'PUT', '/marketing/email-templates/invoice_email', { subject: 'x', body })
        if (status !== 422) throw new Error(`"${name}" is answered with ${status}.`)
        refusals.get(name)?.push(performance.now() - began)
      }
    }
  }
  await Promise.all(Array.from({ length: AUTHORS }, author))
}

/** Reads one brand again and again, with a pause in between: without it the client would measure its own queue. */
async function read(store: Store, length: number): Promise<number[]> {
  const times: number[] = []
  const deadline = performance.now() + length * 1_000
  const reader = async () => {
    while (performance.now() < deadline) {
      const began = performance.now()
      await ask(store, 'GET', '/catalog/brands/1')
      times.push(performance.now() - began)
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    }
  }
  await Promise.all(Array.from({ length: READERS }, reader))
  return times
}

async function ask({ hash, token }: Store, method: string, path: string, body?: object): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${server.port}/stores/${hash}/v3${path}`, {
    method,
    headers: { 'x-auth-token': token, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  await answer.arrayBuffer()
  return answer.status
}

function summary(times: readonly number[]): string {
  const sorted = times.toSorted((one, other) => one - other)
  const at = (share: number) => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(1)
  return `${times.length} times, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`
}
