/**
 * Resident memory of a sandbox before, after and a minute after a mix of requests: long lists of products, orders and
 * customers with all inclusions, searches, rows by id, creates, changes, the storefront's GraphQL and uploads of
 * pictures. The mix runs twice.
 *
 * node bench/memory.ts [--requests N]
 *
 * Exits with 1 if more than 300 MiB are resident after the mix, or more than 220 after a minute of rest. Needs Linux.
 */
import { execFile, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs, promisify } from 'node:util'
import t from 'typebox'
import { Value } from 'typebox/value'
import { memoryOf } from './cpu.ts'
import { MEMORY_ENV } from './subjects.ts'

const AFTER_MAX_MIB = 300
const RESTED_MAX_MIB = 220
const CLIENTS = 16
const ROUNDS = 2
/** Time until a changed plan counts: a client's window of 30 seconds keeps the quota that it began with. */
const PLAN_MS = 32_000
const UPLOAD_BYTES = 512 * 1024

const { values: options } = parseArgs({ options: { requests: { type: 'string', default: '4000' } } })
const requests = Number(options.requests)

const SandboxRecord = t.Object({
  base_url: t.String(),
  store_hash: t.String(),
  storefront_url: t.String(),
  storefront_token: t.String(),
  tokens: t.Object({ admin: t.String() }),
})
type SandboxRecord = t.Static<typeof SandboxRecord>

interface MixedRequest {
  path: string
  method?: string
  body?: object | FormData
}

/** One function for each workload. The number makes its requests differ. */
const mix: readonly ((n: number) => MixedRequest)[] = [
  () => ({ path: '/v3/catalog/products?limit=250' }),
  (n) => ({
    path: `/v3/catalog/products?limit=100&page=${1 + (n % 5)}&include=variants,images,custom_fields,bulk_pricing_rules,options,modifiers`,
  }),
  (n) => ({ path: `/v3/catalog/products/${1 + (n % 500)}?include=variants,images` }),
  (n) => ({ path: `/v3/catalog/products?name:like=${['lamp', 'chair', 'rug', 'vase'][n % 4]}&limit=50` }),
  () => ({ path: '/v3/catalog/variants?limit=250' }),
  () => ({ path: '/v3/catalog/brands?limit=250' }),
  () => ({ path: '/v3/catalog/trees/categories?limit=250' }),
  () => ({ path: '/v3/customers?limit=250&include=addresses,storecredit,attributes,formfields' }),
  () => ({ path: '/v2/orders?limit=250' }),
  () => ({ path: '/v2/orders?limit=250&include=consignments,consignments.line_items' }),
  (n) => ({ path: `/v2/orders/${1 + (n % 250)}/products` }),
  (n) => ({ path: '/v3/catalog/brands', method: 'POST', body: { name: `Mixed brand ${n}` } }),
  (n) => ({
    path: '/v3/catalog/products',
    method: 'POST',
    body: { name: `Mixed product ${n}`, type: 'physical', weight: 1, price: 10 },
  }),
  (n) => ({
    path: '/v3/customers',
    method: 'POST',
    body: [{ email: `mixed${n}@example.com`, first_name: 'Mi', last_name: 'Xed' }],
  }),
  () => ({
    path: '/v2/orders',
    method: 'POST',
    body: {
      billing_address: { zip: '1051' },
      products: Array.from({ length: 5 }, (_, i) => ({
        name: `Print ${i}`,
        quantity: 1,
        price_ex_tax: 20,
        price_inc_tax: 25,
      })),
    },
  }),
  (n) => ({ path: `/v3/catalog/products/${1 + (n % 500)}`, method: 'PUT', body: { description: 'x'.repeat(20_000) } }),
  (n) => ({ path: `/v3/catalog/products/${1 + (n % 50)}/images`, method: 'POST', body: pictureOf() }),
]

/** A form with a PNG of half a MiB, most of it padding. */
function pictureOf(): FormData {
  const form = new FormData()
  const bytes = new Uint8Array(UPLOAD_BYTES)
  bytes.set(
    Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    ),
  )
  form.set('image_file', new Blob([bytes], { type: 'image/png' }), 'padded.png')
  return form
}

const QUERY = '{ site { settings { storeName status url { vanityUrl } } } }'

async function ask({ base_url, store_hash, tokens, ...storefront }: SandboxRecord, n: number): Promise<number> {
  const make = mix[n % (mix.length + 1)]
  if (!make) {
    const answer = await fetch(`${storefront.storefront_url}/graphql`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${storefront.storefront_token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ query: `${QUERY} # ${n % 3_000}` }),
    })
    await answer.arrayBuffer()
    return answer.status
  }
  const { path, method = 'GET', body } = make(n)
  const isForm = body instanceof FormData
  const answer = await fetch(`${base_url}/stores/${store_hash}${path}`, {
    method,
    headers: { 'X-Auth-Token': tokens.admin, ...(body && !isForm ? { 'Content-Type': 'application/json' } : {}) },
    ...(body ? { body: isForm ? body : JSON.stringify(body) } : {}),
  })
  await answer.arrayBuffer()
  return answer.status
}

/** Sends the mix. @returns the number of answers with each status */
async function send(record: SandboxRecord, first: number): Promise<Map<number, number>> {
  const statuses = new Map<number, number>()
  let next = first
  const client = async () => {
    while (next < first + requests) {
      const status = await ask(record, next++)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, client))
  return statuses
}

const folder = await mkdtemp(join(tmpdir(), 'storeward-memory-'))
const program = join(import.meta.dirname, '../server/bin/storeward.js')
const env = { ...process.env, ...MEMORY_ENV, STOREWARD_DATA: folder, PORT: '0' }
const server = spawn(process.execPath, ['--max-semi-space-size=16', program, 'sandbox'], {
  env,
  stdio: ['ignore', 'pipe', 'inherit'],
})
const over = new Promise((resolve) => server.once('close', resolve))
try {
  for await (const line of createInterface(server.stdout)) if (line.includes('All of this')) break
  server.stdout.resume()
  const change = ['store', 'change', 'demostore', '--plan', 'unlimited']
  await promisify(execFile)(process.execPath, [program, ...change], { env })
  await sleep(PLAN_MS)
  const record = Value.Parse(SandboxRecord, JSON.parse(await readFile(join(folder, 'sandbox.json'), 'utf8')))
  const memory = () => memoryOf(server.pid ?? 0)
  const report = (what: string) => console.log(`${what.padEnd(24)}${memory().toFixed().padStart(6)} MiB`)
  console.log(`load ${loadavg()[0]?.toFixed(1)}; ${ROUNDS} rounds of ${requests} requests, ${CLIENTS} at once`)
  report('before')
  for (let round = 0; round < ROUNDS; round++) {
    const statuses = await send(record, round * requests)
    report(`after round ${round + 1}`)
    console.log([...statuses].map(([status, count]) => `${count} x ${status}`).join(', '))
  }
  const after = memory()
  await sleep(30_000)
  report('after 30 s of rest')
  await sleep(30_000)
  report('after 60 s of rest')
  process.exitCode = after <= AFTER_MAX_MIB && memory() <= RESTED_MAX_MIB ? 0 : 1
} finally {
  server.kill('SIGINT')
  await over
  await rm(folder, { recursive: true, force: true })
}
