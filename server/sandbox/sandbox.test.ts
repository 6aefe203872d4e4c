import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import pg from 'pg'
import { Agent, ProxyAgent, request } from 'undici'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { sql } from '../core/db/sql.ts'
import { callOf, readGuides } from '../doors/operator/reference/guides.ts'
import { readConfig } from '../process/config.ts'
import { askCatalog, expectDemoCatalog, expectDemoStore } from '../test/fixtures/content/demo-expectations.ts'
import { theHouse } from '../test/fixtures/shop.ts'
import { command } from '../test/harness/command.ts'
import { SECRET } from '../test/harness/postgres.ts'
import { TEST_CERTIFICATE, TEST_KEY } from '../test/servers/certificate.ts'
import { end, type Started, startProgram } from '../test/servers/started.ts'
import { openDemoStore } from './demo/demo.ts'
import type { SandboxRecord } from './demo/record.ts'
import { refusePowers } from './powers.ts'

const cli = fileURLToPath(new URL('../bin/storeward.js', import.meta.url))
const root = fileURLToPath(new URL('../..', import.meta.url))
const run = promisify(execFile)
const hasPython = () => spawnSync('python3', ['--version']).status === 0

/** A picture of one pixel, for the files of forms. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

function formOf(parts: readonly { name: string; value: string; isFile: boolean }[]): FormData {
  const form = new FormData()
  for (const { name, value, isFile } of parts) {
    if (isFile) form.append(name, new Blob([PIXEL]), value)
    else form.append(name, value)
  }
  return form
}

/** The receivers that guides name: a host that only a connected machine knows, and the sandbox at its usual port. */
const RECEIVER = /https:\/\/receiver\.example\.com\/|http:\/\/127\.0\.0\.1:8080\/inspect\//
/** The body that the first steps send to show a refusal. */
const REFUSED_IN_A_GUIDE = '{"page_title":"No name"}'

// Each test starts whole servers with databases of their own, on a machine that may be busy.
const patient = { timeout: 300_000 }

let folder: string
const children: ChildProcess[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'storeward-sandbox-'))
})
afterEach(async () => {
  await Promise.all(children.splice(0).map((child) => end(child, 'SIGKILL')))
})
afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }))

describe('the sandbox', patient, () => {
  let first: SandboxRecord

  test('makes a demo store at its first start, and says and writes where everything is', async () => {
    const { output, child } = await startSandbox()
    first = await record()

    const aClient = {
      client_id: expect.stringMatching(/^[a-z0-9]{31}$/),
      client_secret: expect.stringMatching(/^[a-z0-9]{64}$/),
    }
    expect(first).toEqual({
      base_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      storefront_url: `${first.base_url}/storefront/demostore`,
      b2b_url: `${first.base_url}/b2b`,
      console_url: expect.stringMatching(/^http:\/\/localhost:\d+\/console\/invitation#[a-z0-9]{64}$/),
      store_hash: 'demostore',
      tokens: {
        admin: expect.stringMatching(/^[a-z0-9]{31}$/),
        readonly: expect.stringMatching(/^[a-z0-9]{31}$/),
        noscope: expect.stringMatching(/^[a-z0-9]{31}$/),
        otherclient: expect.stringMatching(/^[a-z0-9]{31}$/),
      },
      operator_key: expect.stringMatching(/^[a-z0-9]{64}$/),
      storefront_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      shop: { domain: expect.stringMatching(/^localhost:\d+$/), trusted_file: join(folder, 'https', 'authority.pem') },
      b2b_user: {
        email: 'ann.lee@harbour.example.com',
        password: expect.stringMatching(/^[a-zA-Z0-9]{20,}$/),
        company: 'Harbour Cafes',
      },
      b2b_users: Object.fromEntries(
        ['admin', 'senior', 'junior', 'custom', 'super_admin', 'other_company'].map((role) => [
          role,
          { email: expect.any(String), password: first.b2b_user.password, company: expect.any(String) },
        ]),
      ),
      b2b_client_id: expect.stringMatching(/^[a-z0-9]{31}$/),
      clients: { admin: aClient, readonly: aClient, noscope: aClient, otherclient: aClient },
    })
    const answer = await fetch(`${first.base_url}/operator/v1/stores/demostore`, {
      headers: { authorization: `Bearer ${first.operator_key}` },
    })
    expect(await answer.json()).toMatchObject({ data: { hash: 'demostore', is_test: true } })
    expect(output).not.toContain('"level"')
    expect((await stat(join(folder, 'sandbox.json'))).mode & 0o777).toBe(0o600)
    for (const said of [
      first.base_url,
      first.storefront_url,
      first.storefront_token,
      ...Object.values(first.tokens),
      join(folder, 'sandbox.json'),
      first.console_url,
    ]) {
      expect(output).toContain(said)
    }
    await expectAddresses(first, output)

    await expectDemoStore(first)
    await expectSecureShop(first, output)
    const tier = (minimum: number, maximum: number, percent: number) =>
      expect.objectContaining({ minimum, maximum, discount_type: 'percent', discount_amount: percent })
    const offers = (...names: string[]) => ({
      pickup_options: names.map((name) => ({
        pickup_method: expect.objectContaining({ name }),
        available_items: [{ variant_id: 3, quantity: 1 }],
      })),
    })
    const nearCopenhagen = [offers('At the counter', 'Into your car'), offers('At the gate')]
    expect(await replies(output)).toEqual([
      {
        data: Array.from({ length: 3 }, () =>
          expect.objectContaining({
            name: expect.stringMatching(/lamp/),
            images: expect.arrayContaining([expect.objectContaining({ is_thumbnail: true })]),
            variants: expect.arrayContaining([expect.objectContaining({ sku: expect.stringMatching(/./) })]),
          }),
        ),
        meta: expect.anything(),
      },
      {
        data: expect.arrayContaining([expect.objectContaining({ name: 'Cindermoss Lamps' })]),
        meta: expect.anything(),
      },
      { data: expect.objectContaining({ id: 241, name: 'My brand 241' }), meta: {} },
      { data: expect.arrayContaining([expect.objectContaining({ namespace: 'reviews' })]), meta: expect.anything() },
      { data: nearCopenhagen, results: nearCopenhagen, meta: {} },
      expect.objectContaining({ payment_status: 'captured', status_id: 11, payment_provider_id: 'testgateway' }),
      { data: [expect.objectContaining({ product_id: 1 })], meta: {} },
      {
        data: [expect.objectContaining({ product_id: 1, bulk_pricing: [tier(10, 49, 5), tier(50, 0, 12)] })],
        meta: {},
      },
      {
        data: {
          site: {
            settings: { storeName: expect.any(String), status: 'LAUNCHED', url: { vanityUrl: expect.any(String) } },
          },
        },
      },
      { code: 200, data: { name: 'storefront token', token: expect.any(String) }, meta: { message: 'SUCCESS' } },
      {
        code: 200,
        data: [expect.objectContaining({ companyStatus: '3' }), expect.objectContaining({ companyStatus: '0' })],
        meta: { message: 'SUCCESS', pagination: { totalCount: 6, limit: 2, offset: 0 } },
      },
      {
        data: expect.objectContaining({ scope: 'store/category/*', destination: `${first.base_url}/inspect/demo` }),
        meta: {},
      },
      { data: expect.objectContaining({ name: expect.stringMatching(/^My category \d+$/) }), meta: {} },
    ])
    expect(await firstWebhook(first)).toMatchObject({ signature: 'valid', attempt: '1', answer: '204' })
    for (const [example, program] of Object.entries({ 'webhook.mjs': process.execPath, 'webhook.py': 'python3' })) {
      if (program === 'python3' && !hasPython()) {
        console.warn(`NOT TESTED, for there is no python3 on this machine: examples/${example}`)
        continue
      }
      const { stdout } = await run(program, [join(root, 'examples', example), join(folder, 'sandbox.json')])
      expect(stdout).toMatch(/^Made product (\d+)\.\nHeard and verified: store\/product\/created \1\n$/)
    }
    const { stdout } = await run(process.execPath, [
      join(root, 'examples', 'purchase.mjs'),
      join(folder, 'sandbox.json'),
    ])
    const [, cost, paid] =
      /^The cart costs (\d+\.\d\d) with .+\nOrder \d+: Awaiting Fulfillment, captured, (.+)\.\n$/.exec(stdout) ?? []
    expect(cost, stdout).toBe(paid)
    expect(await purchaseOfReadme(first)).toMatch(/^\d+(\.\d+)?\n\{"id":".+"status":"success"/)
    await expectFixedHost(first)
    expect(await end(child, 'SIGTERM')).toBe(0)
  })

  test('keeps the data and the tokens at its second start, and has the powers of a sandbox', async () => {
    const pictures = join(folder, 'files', 'demostore')
    const kept = (await readdir(pictures)).sort()
    const stray = join(pictures, `${'0'.repeat(32)}.png`)
    await writeFile(stray, 'left behind by a crash')
    for (const name of await readdir(pictures)) await utimes(join(pictures, name), 0, 0)
    const { output, child } = await startSandbox()
    await vi.waitFor(() => expect(stat(stray)).rejects.toThrow('ENOENT'), { timeout: 60_000 })
    expect((await readdir(pictures)).sort()).toEqual(kept)
    const second = await record()
    expect(second.tokens).toEqual(first.tokens)
    // It listens at another port now, and that is where the pictures are.
    const { port } = new URL(second.base_url)
    const picturesOf = async () => {
      const { body } = await askCatalog(second, second.tokens.admin, '/products?include=primary_image&limit=250')
      return body.data.flatMap(({ primary_image }: { primary_image: { image_url: string } | null }) =>
        primary_image ? [primary_image.image_url] : [],
      )
    }
    await vi.waitFor(
      async () =>
        expect(new Set((await picturesOf()).map((url: string) => new URL(url).port))).toEqual(new Set([port])),
      { timeout: 60_000 },
    )
    const [picture] = await picturesOf()
    expect((await fetch(picture)).status).toBe(200)
    const [, , created] = await replies(output)
    expect(created).toMatchObject({ data: { id: 242, name: 'My brand 242' } })

    const { admin, readonly, noscope, otherclient } = second.tokens
    const status = async (token: string, method = 'GET', body?: object) =>
      (await askCatalog(second, token, '/brands', { method, ...(body ? { body } : {}) })).status
    expect([await status(admin), await status(readonly), await status(noscope)]).toEqual([200, 200, 403])
    expect([await status(readonly, 'POST', { name: 'A' }), await status(otherclient, 'POST', { name: 'A' })]).toEqual([
      403, 200,
    ])
    const { headers } = await askCatalog(second, admin, '/brands')
    expect(headers.get('x-rate-limit-requests-quota')).toBe('1500')
    const strangers = await Promise.all(Array.from({ length: 150 }, () => status('nobody')))
    expect(new Set(strangers)).toEqual(new Set([401]))

    for (let id = 1; id <= 243; id++) await askCatalog(second, admin, `/brands/${id}`, { method: 'DELETE' })
    expect(await end(child, 'SIGTERM')).toBe(0)
  })

  test('makes new accounts in place of those whose tokens are lost, and nothing that a user has deleted', async () => {
    await rm(join(folder, 'sandbox.json'))
    const { output } = await startSandbox()
    const third = await record()
    for (const [name, token] of Object.entries(first.tokens)) {
      expect(Object.values(third.tokens), name).not.toContain(token)
      expect((await askCatalog(third, token, '/brands')).status, name).toBe(401)
    }
    expect((await askCatalog(third, third.tokens.admin, '/brands')).body.data).toEqual([])
    const { out } = await command(['account', 'list', 'demostore', '--json'], environment({}))
    expect(JSON.parse(out)).toHaveLength(4)
    const found = await replies(output)
    expect(found.slice(1, 4)).toMatchObject([{ data: [] }, { data: { name: 'My brand 244' } }, { data: [] }])
    expect(found.at(-1)).toMatchObject({ data: { name: expect.stringMatching(/^My category/) } })
    expect(await firstWebhook(third)).toMatchObject({ signature: 'valid' })

    // Another start beside this one is refused, and leaves the record as it is.
    expect(await failure(['sandbox'])).toMatch(/^The database in .* is in use by another server \(.*\)\.\n$/)
    expect(await record()).toEqual(third)
  })

  test('answers each call of the guides as they promise', async () => {
    await startSandbox()
    const { base_url, tokens, storefront_token, storefront_url } = await record()
    const places = { STORE: `${base_url}/stores/demostore`, B2B: `${base_url}/b2b`, SHOP: storefront_url }
    const wrong: string[] = []
    for (const { name, text } of await readGuides()) {
      for (const call of text.split('\n').flatMap((line) => callOf(line) ?? [])) {
        const answer = await fetch(`${places[call.side]}${call.path}`, {
          method: call.method,
          headers: {
            'x-store-hash': 'demostore',
            ...(call.side === 'SHOP'
              ? { authorization: `Bearer ${storefront_token}` }
              : { 'x-auth-token': tokens.admin }),
            ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
          },
          ...(call.body === undefined ? {} : { body: call.body.replace(RECEIVER, `${base_url}/inspect/`) }),
          ...(call.parts.length === 0 ? {} : { body: formOf(call.parts) }),
        })
        const said = await answer.text()
        const isAsPromised = call.body === REFUSED_IN_A_GUIDE ? answer.status === 422 : answer.ok
        if (!isAsPromised) wrong.push(`${name}: ${call.method} ${call.path} is answered with ${answer.status}: ${said}`)
      }
    }
    expect(wrong).toEqual([])
  })
})

test(
  'starts that are killed, the first while it makes the store, the next its accounts, the next its catalog, are made good',
  patient,
  async () => {
    const url = await newDatabase(`sandbox_${process.pid}`)
    const settings = { DATABASE_URL: url, SECRET, STOREWARD_DATA: join(folder, 'killed') }
    const [holder, watcher] = [await connected(url), await connected(url)]
    const others = `from pg_stat_activity where datname = current_database() and usename like 'storeward%'`
    for (const table of ['store_profiles', 'api_accounts', 'metafields']) {
      await holder.query(`begin; lock table ${table} in exclusive mode`)
      const { child } = launch(['sandbox'], settings)
      while ((await watcher.query(`select ${others} and wait_event_type = 'Lock'`)).rowCount === 0) {
        expect(child.exitCode, `exit code before it has to wait for ${table}`).toBeNull()
        await sleep(10)
      }
      await end(child, 'SIGKILL')
      await watcher.query(`select pg_terminate_backend(pid) ${others}`)
      await holder.query('rollback')
    }

    await startSandbox(settings)
    await expectDemoCatalog(await record(settings.STOREWARD_DATA))
    expect((await watcher.query('select from api_accounts')).rowCount).toBe(4)
    expect((await watcher.query('select from store_profiles')).rowCount).toBe(1)
    await Promise.all([holder.end(), watcher.end()])
  },
)

test('a store that a crash left without its profile is finished once by the next creation', async () => {
  const { installation } = await theHouse()
  const { directory } = installation
  const opened = await directory.create({ name: 'Before' })
  const { system } = directory.cellOf(opened)
  await system.system(sql`delete from store_profiles where store_id = ${opened.id}`)
  await directory.setState(opened.hash, 'upgrading')

  const again = await Promise.allSettled([
    directory.create({ hash: opened.hash, name: 'After' }),
    directory.create({ hash: opened.hash, name: 'After' }),
  ])
  expect(again.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  expect(await directory.find(opened.hash)).toMatchObject({ id: opened.id, state: 'active' })
})

test('a demo store is not made beside other stores', async () => {
  const { installation } = await theHouse()
  await installation.directory.create({ name: 'Real' })
  await expect(openDemoStore(installation, {})).rejects.toThrow(
    /^This database holds other stores already .* and no demo store/,
  )
})

test('a port that is taken is said in one sentence', patient, async () => {
  const holder = createServer().listen(0, '127.0.0.1')
  await once(holder, 'listening')
  const address = holder.address()
  const port = typeof address === 'object' ? String(address?.port) : ''
  const before = await record()
  expect(await failure(['sandbox'], { PORT: port })).toBe(
    `Port ${port} of 127.0.0.1 is taken. Set PORT to another one, or to 0.\n`,
  )
  expect(await record()).toEqual(before)
  holder.close()
})

test('production refuses the powers of the sandbox, and says which (C-104)', patient, async () => {
  expect(await refusal(['serve'], { FAILED_LOGINS_MAX: '0', SECRET: 'x'.repeat(64) })).toBe(
    'FAILED_LOGINS_MAX=0 lets tokens be guessed without end, which only the sandbox may. Set 1 or more.\n' +
      'SECRET looks like a placeholder. Set one that was made at random.\n',
  )
  expect(() => refusePowers(readConfig({ SECRET: randomBytes(16).toString('hex') }))).not.toThrow()
})

test('production has none of the powers, also in the folder of a sandbox', patient, async () => {
  const port = await freePort()
  const { output } = await launch(['serve'], { PORT: String(port) }).says(/listens at/)
  expect(output).toContain(`http://127.0.0.1:${port}`)
  const there = { ...(await record()), base_url: `http://127.0.0.1:${port}` }
  for (const [method, path] of [
    ['GET', '/inspect/demo'],
    ['POST', '/inspect/demo'],
    ['PUT', '/inspect/demo/script'],
  ]) {
    expect((await fetch(`${there.base_url}${path}`, { method })).status).toBe(404)
  }
  const page = await (await fetch(`${there.base_url}/`, { headers: { accept: 'text/html' } })).text()
  expect(page).toContain('store create')
  for (const token of Object.values(there.tokens)) expect(page).not.toContain(token)
  const ready = await (await fetch(`${there.base_url}/readyz`)).json()
  expect(ready).not.toHaveProperty('outgoing_subnets')
  expect(ready).not.toHaveProperty('webhook_origins')
  const statuses: number[] = []
  for (let i = 0; i < 101; i++) statuses.push((await askCatalog(there, 'nobody', '/brands')).status)
  expect(statuses.indexOf(429)).toBe(100)
})

/** Each address in the record and each page that is printed answers a browser. The start page shows the printed text. */
async function expectAddresses(record: SandboxRecord, output: string) {
  const opened = { accept: 'text/html,*/*;q=0.8', 'sec-fetch-site': 'none', 'sec-fetch-dest': 'document' }
  const show = async (url: string) => {
    const answer = await fetch(url, { headers: opened })
    expect([url, answer.status, answer.headers.get('content-type')]).toEqual([url, 200, 'text/html; charset=utf-8'])
    return (await answer.text()).replaceAll(/&#(\d+);/g, (_, code) => String.fromCharCode(code))
  }
  const inRecord = Object.values(record).filter((value) => typeof value === 'string' && value.startsWith('http'))
  expect(inRecord).toHaveLength(4)
  for (const address of inRecord) await show(address)
  expect(await show(record.storefront_url)).toContain(record.storefront_token)
  expect(await show(record.b2b_url)).toContain(record.b2b_user.password)

  const text = await show(record.base_url)
  const pages = [...text.matchAll(/<a href="([^"]+)">/g)].map(([, href = '']) => href)
  expect(pages).toHaveLength(6)
  for (const page of pages) await show(page)
  const [, ...lines] = output.slice(output.indexOf('storeward ')).split('\n')
  for (const word of lines.join('\n').split(/\s{2,}|\n/)) expect(text).toContain(word)

  const icon = await fetch(`${record.base_url}/favicon.ico`)
  expect(icon.status).toBe(204)
  const demo = await fetch(`${record.base_url}/docs/demo-store`, { headers: { 'sec-fetch-site': 'same-origin' } })
  expect(await demo.json()).toEqual({ store_hash: record.store_hash, token: record.tokens.admin })
}

/** A public shop with the printed settings gets its answers by https, and pictures; nothing else is trusted through the authority. */
async function expectSecureShop({ shop, store_hash }: SandboxRecord, output: string) {
  const settings = Object.fromEntries(
    [...output.matchAll(/^([A-Z_]+)=(.+)$/gm)].map(([, name = '', value = '']) => [name, value]),
  )
  expect(settings).toMatchObject({
    BIGCOMMERCE_STORE_HASH: store_hash,
    BIGCOMMERCE_CHANNEL_ID: '1',
    BIGCOMMERCE_GRAPHQL_API_DOMAIN: shop.domain,
    NEXT_PUBLIC_BIGCOMMERCE_CDN_HOSTNAME: shop.domain,
    NODE_EXTRA_CA_CERTS: shop.trusted_file,
  })
  const written = await command(['shop-settings', '--store', store_hash], environment({}))
  expect(written.out).toContain(`BIGCOMMERCE_GRAPHQL_API_DOMAIN=${shop.domain}\n`)
  expect(written.out).toContain(`NODE_EXTRA_CA_CERTS=${shop.trusted_file}\n`)
  // The first start writes the record last.
  await rename(join(folder, 'sandbox.json'), join(folder, 'later.json'))
  const early = await command(['shop-settings', '--store', store_hash], environment({}))
  await rename(join(folder, 'later.json'), join(folder, 'sandbox.json'))
  expect(early).toMatchObject({ code: 1, out: '', err: expect.stringContaining('still starting') })
  expect((await stat(join(folder, 'https', 'authority-key.pem'))).mode & 0o777).toBe(0o600)

  const port = new URL(`https://${shop.domain}`).port
  const here = { lookup: (_name: string, _options: object, done: LookupDone) => done(null, [LOOPBACK]) }
  const agent = new Agent({ connect: { ca: await readFile(shop.trusted_file, 'utf8'), ...here } })
  const query =
    '{ site { settings { url { vanityUrl checkoutUrl cdnUrl } } products(first: 1) { edges { node { defaultImage { url(width: 64) } } } } } }'
  for (const host of [`store-${store_hash}-1.localhost`, `store-${store_hash}.localhost`]) {
    const answer = await request(`https://${host}:${port}/graphql`, {
      method: 'POST',
      dispatcher: agent,
      headers: { authorization: `Bearer ${settings.BIGCOMMERCE_STOREFRONT_TOKEN}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    })
    expect(await answer.body.json()).toEqual({
      data: {
        site: {
          settings: {
            url: {
              vanityUrl: 'http://localhost:3000',
              checkoutUrl: `https://store-${store_hash}.${shop.domain}`,
              cdnUrl: shop.domain,
            },
          },
          products: {
            edges: [{ node: { defaultImage: { url: expect.stringContaining(`https://${shop.domain}/`) } } }],
          },
        },
      },
    })
  }
  const refused = request(`https://shop.example.com:${port}/`, { dispatcher: agent })
  await expect(refused).rejects.toMatchObject({ code: 'ERR_TLS_CERT_ALTNAME_INVALID' })
  const untrusting = new Agent({ connect: here })
  await expect(request(`https://localhost:${port}/`, { dispatcher: untrusting })).rejects.toThrow(/certificate/)
  await Promise.all([agent.close(), untrusting.close()])
}

const LOOPBACK = { address: '127.0.0.1', family: 4 }
type LookupDone = (error: null, addresses: (typeof LOOPBACK)[]) => void

/** Runs the printed examples as they are printed. */
async function replies(output: string) {
  const lines = output.split('\n').filter((line) => line.startsWith('curl '))
  expect(lines).toHaveLength(13)
  const answers: unknown[] = []
  for (const line of lines) {
    // A 503 of a busy machine asks for a second try.
    const { stdout } = await run('/bin/sh', ['-c', line.replace('curl ', 'curl --retry 5 ')])
    answers.push(JSON.parse(stdout))
  }
  return answers
}

/** A client that knows one host asks it through the proxy of examples/, and the demo store answers (docs/fixed-hosts.md). */
async function expectFixedHost({ tokens, store_hash }: SandboxRecord) {
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
  await Promise.all([writeFile(key, TEST_KEY), writeFile(certificate, TEST_CERTIFICATE)])
  const child = spawn(process.execPath, [join(root, 'examples', 'fixed-host.mjs'), 'receiver.test', key, certificate], {
    env: { SANDBOX: join(folder, 'sandbox.json'), TLS_PORT: '0', PROXY_PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(child)
  const [said] = await once(child.stdout.setEncoding('utf8'), 'data')
  const [, uri = ''] = /HTTPS_PROXY=(\S+),/.exec(said) ?? []
  const proxy = new ProxyAgent({ uri, requestTls: { ca: TEST_CERTIFICATE } })
  const answer = await request(`https://receiver.test/stores/${store_hash}/v3/catalog/brands?limit=1`, {
    dispatcher: proxy,
    headers: { 'x-auth-token': tokens.admin },
  })
  expect([answer.statusCode, await answer.body.json()]).toMatchObject([200, { data: [{ id: 1 }] }])
  await proxy.close()
}

/** Runs the calls of the README that buy something. @returns their output, without the envelope of the payment */
async function purchaseOfReadme({ base_url, tokens }: SandboxRecord): Promise<string> {
  const [, script = ''] = /```sh\n(STORE=http.+?)```/s.exec(await readFile(join(root, 'README.md'), 'utf8')) ?? []
  const own = script.replace('http://127.0.0.1:8080', base_url).replace('ADMIN_TOKEN', tokens.admin)
  const { stdout } = await run('bash', ['-c', own])
  return stdout.replace('{"data":', '')
}

/** The first webhook in the bin of the examples. */
async function firstWebhook({ base_url }: SandboxRecord): Promise<unknown> {
  for (;;) {
    const { data } = (await (await fetch(`${base_url}/inspect/demo/requests`)).json()) as { data: unknown[] }
    if (data.length > 0) return data.at(-1)
    await sleep(10)
  }
}

const record = async (place = folder): Promise<SandboxRecord> =>
  JSON.parse(await readFile(join(place, 'sandbox.json'), 'utf8'))

async function newDatabase(name: string): Promise<string> {
  const url = new URL(inject('postgresUrl'))
  const admin = await connected(url.href)
  await admin.query(`create database ${name} template template_all`)
  await admin.end()
  url.pathname = `/${name}`
  return url.href
}

async function connected(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  return client
}

const startSandbox = (settings: Record<string, string> = {}) => launch(['sandbox'], settings).says(/My category.*\n/)

function launch(args: string[], settings: Record<string, string> = {}): Started {
  const started = startProgram(args, { env: environment(settings) })
  children.push(started.child)
  return started
}

/** The output of a command that must fail before it starts anything. */
async function refusal(args: string[], settings: Record<string, string>): Promise<string> {
  const { code, err } = await command(args, environment(settings))
  expect(code, err).toBe(1)
  return err
}

/** The output of a start that must fail. Logs go to the other stream. */
async function failure(args: string[], settings: Record<string, string> = {}): Promise<string> {
  const failing = run(process.execPath, [cli, ...args], { env: environment(settings) })
  const { code, stderr } = await failing.then(
    () => ({ code: 0, stderr: '' }),
    (error) => error,
  )
  expect(code, stderr).toBe(1)
  return stderr
}

const environment = (settings: Record<string, string>) => ({
  PATH: process.env.PATH ?? '',
  STOREWARD_DATA: folder,
  PORT: '0',
  ...settings,
})

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  return typeof address === 'object' && address ? address.port : 0
}
