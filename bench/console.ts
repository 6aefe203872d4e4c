/**
 * The bars of the operator's console: the build, a server with nobody signed in, the first page from an empty cache, a list of
 * 1,000,000 products, and the cost of that list beside the same call by an account.
 *
 * npm run bench:console [-- --quick]
 *
 * --quick: 50,000 products and fewer rounds. It needs Chromium at /usr/bin/chromium. Exits with 1 if a bar is missed.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { type Browser, type BrowserContext, chromium } from 'playwright-core'
import { findEmbedded } from '../server/core/db/setup/embedded.ts'
import { ConsoleBuild } from '../server/doors/console/build.ts'
import { People } from '../server/doors/people/people.ts'
import { readConfig } from '../server/process/config.ts'
import { openInstallation } from '../server/process/installation.ts'
import { loadProducts } from './catalog-data.ts'
import { costOf, cpuOf, memoryOf } from './cpu.ts'
import { figure } from './report.ts'
import { startServer } from './subjects.ts'

const BARS = { build: 15_000, memory: 5, firstPage: 1_500, list: 2_000, cost: 1.1 }
const PASSWORD = 'correct horse 7'

const { values: options } = parseArgs({ options: { quick: { type: 'boolean', default: false } } })
const [PRODUCTS, ROUNDS, CALLS, IDLE_SECONDS] = options.quick ? [50_000, 3, 50, 10] : [1_000_000, 7, 200, 30]

let hasMissed = false

function report(what: string, numbers: number[], unit: string, bar?: number) {
  const { median, lowest, highest } = figure(numbers)
  const digits = unit === 'ms' ? 0 : 2
  const range = numbers.length > 1 ? ` (${lowest.toFixed(digits)} to ${highest.toFixed(digits)})` : ''
  const verdict = bar === undefined ? '' : `, bar ${bar}: ${median <= bar ? 'reached' : 'MISSED'}`
  if (bar !== undefined && median > bar) hasMissed = true
  console.log(`${what}: ${median.toFixed(digits)} ${unit}${range}${verdict}; load ${loadavg()[0]?.toFixed(1)}`)
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

/** Builds the console into a folder of its own, as the first visit in a clone does. */
async function measureBuild(folder: string) {
  const vite = fileURLToPath(new URL('../node_modules/vite/bin/vite.js', import.meta.url))
  const cwd = fileURLToPath(new URL('../console', import.meta.url))
  const ms = await timed(async () => {
    const child = spawn(process.execPath, [vite, 'build', '--outDir', join(folder, 'dist'), '--logLevel', 'error'], {
      cwd,
      env: { NODE_ENV: 'production' },
    })
    const [code] = await once(child, 'exit')
    if (code !== 0) throw new Error('The console can not be built.')
  })
  report('build', [ms], 'ms', BARS.build)
}

/** Memory in MiB and CPU in microseconds of a server that nobody uses. */
async function idle(folder: string, isOn: boolean) {
  const server = await startServer(folder, [], { CONSOLE: String(isOn) })
  await sleep(3_000)
  const before = cpuOf(server.pid)
  await sleep(IDLE_SECONDS * 1_000)
  const figures = { memory: memoryOf(server.pid), cpu: cpuOf(server.pid) - before }
  await server.stop()
  return figures
}

async function measureIdle(folder: string) {
  // The first start prepares the database.
  await idle(folder, false)
  const memory: number[] = []
  const cpu: number[] = []
  for (let round = 0; round < Math.min(3, ROUNDS); round++) {
    const [off, on] = [await idle(folder, false), await idle(folder, true)]
    memory.push(on.memory - off.memory)
    cpu.push((on.cpu - off.cpu) / IDLE_SECONDS / 1_000)
  }
  report('memory of the console with nobody signed in', memory, 'MiB', BARS.memory)
  report('its CPU', cpu, 'ms of each second')
}

/** A store with the products, and the link of an owner. */
async function openStore(folder: string, port: number) {
  const installation = await openInstallation(readConfig({ STOREWARD_DATA: folder }))
  const { id, hash } = await installation.directory.create({ name: 'Big', plan: 'unlimited' })
  const { access_token: token } = await installation.accounts.create(hash, 'bench', ['all'])
  const people = new People({ ...installation, database: installation.directory.database })
  const { token: invitation } = await people.invite({ email: 'owner@example.com', role: 'owner' })
  const answer = await fetch(`http://127.0.0.1:${port}/stores/${hash}/v3/catalog/products`, {
    method: 'POST',
    headers: { 'x-auth-token': token, 'content-type': 'application/json' },
    body: JSON.stringify({
      name: 'Amber Ash Basket 000001',
      sku: 'P-000001',
      type: 'physical',
      weight: 1,
      price: 24,
      images: [{ image_url: 'https://cdn.example.com/basket.png' }],
      custom_fields: [{ name: 'Material', value: 'Ash' }],
    }),
  })
  if (!answer.ok) throw new Error(`The first product is answered with ${answer.status}.`)
  await installation.close()
  const administrator = await findEmbedded(folder)
  if (!administrator) throw new Error('The database of the server is not running.')
  const url = new URL(administrator)
  url.pathname = '/storeward'
  await loadProducts(url.href, [{ id }], PRODUCTS)
  return { hash, token, invitation }
}

async function measureFirstPage(browser: Browser, origin: string) {
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const context = await browser.newContext()
    const page = await context.newPage()
    times.push(
      await timed(async () => {
        await page.goto(`${origin}/console/`)
        await page.getByLabel('E-mail address').fill('owner@example.com')
      }),
    )
    await context.close()
  }
  report('first page from an empty cache', times, 'ms', BARS.firstPage)
}

async function signIn(context: BrowserContext, origin: string, invitation: string) {
  const page = await context.newPage()
  await page.goto(`${origin}/console/invitation#${invitation}`)
  await page.getByLabel('Your name').fill('Ada')
  await page.locator('input[type=password]').fill(PASSWORD)
  await page.getByRole('button', { name: 'Accept the invitation' }).click()
  await page.getByRole('heading', { name: 'Stores' }).waitFor()
  return page
}

async function measureList(context: BrowserContext, origin: string, store: { hash: string; invitation: string }) {
  const page = await signIn(context, origin, store.invitation)
  const list = `${origin}/console/stores/${store.hash}/lists/listProducts`
  for (const [what, query] of [
    [`a list of ${PRODUCTS.toLocaleString('en')} products`, ''],
    ['the same, sorted by name, page 3', '?sort=name&page=3'],
    ['the same, found by a part of the name', '?name%3Alike=cobalt+glass'],
  ] as const) {
    const times: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      await page.goto('about:blank')
      times.push(
        await timed(async () => {
          await page.goto(`${list}${query}`)
          await page
            .getByRole('checkbox', { name: /^Select \d+$/ })
            .first()
            .waitFor()
        }),
      )
    }
    report(what, times, 'ms', BARS.list)
  }
}

/** The list by a token of the console and by one of an account, in turns. */
async function measureCost(
  context: BrowserContext,
  { origin, pid, postmaster }: { origin: string; pid: number; postmaster: number },
  { hash, token }: { hash: string; token: string },
) {
  const asked = await context.request.post(`${origin}/operator/v1/stores/${hash}/token`, {
    headers: { 'x-console': '1' },
    data: {},
  })
  const own: string = (await asked.json()).data.token
  const list = async (by: string) => {
    for (let call = 0; call < CALLS; call++) {
      const answer = await fetch(`${origin}/stores/${hash}/v3/catalog/products?limit=50`, {
        headers: { 'x-auth-token': by },
      })
      if ((await answer.arrayBuffer()).byteLength < 1_000) throw new Error('The list is empty.')
    }
  }
  await list(token)
  await list(own)
  const ratios: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const account = await costOf(pid, postmaster, () => list(token))
    const person = await costOf(pid, postmaster, () => list(own))
    ratios.push((person.server + person.database) / (account.server + account.database))
  }
  report('CPU of the list by the console, beside an account', ratios, 'times', BARS.cost)
}

const folder = await mkdtemp(join(tmpdir(), 'storeward-console-'))
try {
  await measureBuild(folder)
  const build = new ConsoleBuild(true)
  await build.look()
  await build.wait()
  await measureIdle(folder)
  const server = await startServer(folder, [])
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
  try {
    const origin = `http://localhost:${server.port}`
    const postmaster = Number.parseInt(await readFile(join(folder, 'postgres/cluster/postmaster.pid'), 'utf8'), 10)
    await measureFirstPage(browser, origin)
    const store = await openStore(folder, server.port)
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
    await measureList(context, origin, store)
    await measureCost(context, { origin, pid: server.pid, postmaster }, store)
  } finally {
    await browser.close()
    await server.stop()
  }
} finally {
  await rm(folder, { recursive: true, force: true })
}
if (hasMissed) process.exitCode = 1
