import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findEmbedded } from '../core/db/setup/embedded.ts'
import { describeSettings } from '../process/config.ts'
import type { CreatedAccount } from '../stores/accounts/accounts.ts'
import { command, type Ended } from '../test/harness/command.ts'

// On a data folder with the embedded database. Tests that start or need a server, and the first of each kind, run the command in a
// process of its own, like an operator. The others run it in this process.

const program = fileURLToPath(new URL('../bin/storeward.js', import.meta.url))
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'storeward-cli-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const environment = (settings: Record<string, string> = {}) => ({
  PATH: process.env.PATH ?? '',
  STOREWARD_DATA: folder,
  PORT: '0',
  LOG_LEVEL: 'silent',
  DRAIN_SECONDS: '0',
  ...settings,
})

function launch(args: string[], settings?: Record<string, string>): ChildProcess {
  return spawn(process.execPath, [program, ...args], { env: environment(settings) })
}

/** Runs a command in this process. */
const call = (args: string[], settings?: Record<string, string>) => command(args, environment(settings))

/** Runs a command in its own process. @param typed the input of the operator */
async function run(args: string[], settings?: Record<string, string>, typed = ''): Promise<Ended> {
  const child = launch(args, settings)
  child.stdin?.end(typed)
  const ended: Ended = { code: null, out: '', err: '' }
  child.stdout?.setEncoding('utf8').on('data', (text) => {
    ended.out += text
  })
  child.stderr?.setEncoding('utf8').on('data', (text) => {
    ended.err += text
  })
  const [code] = await once(child, 'close')
  return { ...ended, code }
}

/** The output of a command with --json. */
async function json<T>(...args: string[]): Promise<T> {
  const { code, out, err } = await call([...args, '--json'])
  expect({ code, err }).toEqual({ code: 0, err: '' })
  return JSON.parse(out)
}

const says = (out: string): Ended => ({ code: 0, out: `${out}\n`, err: '' })
const refuses = (sentence: string): Ended => ({ code: 1, out: '', err: `${sentence}\n` })

describe('without a server', () => {
  test('--help shows every command and every setting, --version the version', async () => {
    const [help, version] = [await run(['--help']), await call(['--version'])]
    expect(help.code).toBe(0)
    for (const command of [
      'serve',
      'migrate',
      'sandbox',
      'store',
      'seed',
      'account',
      'events',
      'hooks',
      'emails',
      'jobs',
    ])
      expect(help.out).toContain(`  ${command} `)
    expect(help.out).toContain(describeSettings())
    expect(version).toEqual(says('0.1.0'))
  })

  test.each([
    [['launch'], "error: unknown command 'launch'"],
    [['store', 'create'], "error: required option '--name <name>' not specified"],
    [['store', 'set-state', 'abcde', '--state', 'shut'], "argument 'shut' is invalid."],
    [['seed', '--size', 'tiny'], 'Name the store and the size of its data: --store <hash> --size tiny.'],
    [
      ['seed', '--store', 'abcde', '--size', 'huge'],
      "argument 'huge' is invalid. Allowed choices are tiny, demo, large.",
    ],
    [['account', 'create', 'abcde', '--name', 'x'], "error: required option '--scopes <scopes...>' not specified"],
  ])('storeward %j is refused before anything is started', async (args, sentence) => {
    const { code, err } = await call(args)
    expect(code).toBe(1)
    expect(err).toContain(sentence)
  })

  test('malformed settings and short secrets are refused by name', async () => {
    expect(await call(['store', 'list'], { PORT: 'http', LOG_LEVEL: 'loud' })).toEqual(
      refuses(
        'PORT must be a whole number, not "http".\nLOG_LEVEL must be one of trace, debug, info, warn, error, silent, not "loud".',
      ),
    )
    expect(await call(['store', 'list'], { SECRET: 'short' })).toEqual(
      refuses('SECRET must have at least 32 characters.'),
    )
    const limit = ['store', 'create', '--name', 'x', '--limit', 'brandz=2']
    expect((await call(limit)).err).toMatch(/^--limit: there is no limit of brandz; there are storefronts, brands, /)
    const short = await run(['serve'], { SECRET: 'abc' })
    expect([short.code, short.err]).toEqual([1, expect.stringContaining('SECRET must have at least 32 characters.')])
    const guessable = await run(['serve'], { FAILED_LOGINS_MAX: '0' })
    expect(guessable.code).toBe(1)
    expect(guessable.err).toContain('FAILED_LOGINS_MAX=0')
  })

  test('a database without its secret is refused before the first statement', async () => {
    const { code, err } = await call(['store', 'list'], { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nothing' })
    expect(code).toBe(1)
    expect(err).toMatch(/^DATABASE_URL, DIRECTORY_URL and CELLS need SECRET: /)
  })

  test('the first command creates the database and a secret that only its owner may read, and reports both', async () => {
    const create = ['store', 'create', '--name', 'First', '--hash', 'first', '--limit', 'brands=2', 'categories=3']
    const { code, out, err } = await run([...create, '--json'])
    const notice = `DATABASE_URL is not set: a new installation was created in ${folder}.\n`
    expect({ code, err }).toEqual({ code: 0, err: notice })
    expect(JSON.parse(out)).toEqual({
      id: 1,
      hash: 'first',
      state: 'active',
      cell: 'main',
      is_test: false,
      name: 'First',
      plan: 'standard',
      limits: { brands: 2, categories: 3 },
    })
    const secret = join(folder, 'secret')
    expect((await stat(secret)).mode & 0o777).toBe(0o600)
    expect(await readFile(secret, 'utf8')).toMatch(/^[a-z0-9]{64}$/)
    // The command has ended, and its database with it.
    expect(await findEmbedded(folder)).toBeUndefined()
  })
})

describe('commands beside a running server', () => {
  let server: ChildProcess
  let address: string
  beforeAll(async () => {
    server = launch(['serve'])
    if (!server.stdout) throw new Error('The server has no output.')
    const [line] = await once(createInterface(server.stdout), 'line')
    address = /^storeward 0\.1\.0 listens at (http:\/\/127\.0\.0\.1:\d+)$/.exec(line)?.[1] ?? `missing: ${line}`
  })
  afterAll(() => {
    server.kill('SIGKILL')
  })

  const ask = async (token: string, hash = 'first') => {
    const headers = { 'X-Auth-Token': token }
    return (await fetch(`${address}/stores/${hash}/v3/catalog/brands`, { headers })).status
  }

  test('an account is created, listed without its secrets, and revoked', async () => {
    const made = await json<CreatedAccount>(
      'account',
      'create',
      'first',
      '--name',
      'Sync',
      '--scopes',
      'store_v2_products,read_only',
    )
    expect(made).toMatchObject({ id: 1, name: 'Sync', scopes: expect.arrayContaining(['store_v2_products']) })
    expect(await ask(made.access_token)).toBe(200)

    const { access_token, client_secret, ...shown } = made
    expect(await json('account', 'list', 'first')).toEqual([shown])
    const plain = await call(['account', 'list', 'first'])
    expect(plain).toEqual(
      says(`CLIENT ID                        SCOPES  NAME\n${made.client_id}  ${made.scopes.length}      Sync`),
    )

    expect(await call(['account', 'delete', 'first', made.client_id])).toEqual(
      says(`The account ${made.client_id} is deleted.`),
    )
    await expect.poll(() => ask(access_token)).toBe(401)
    expect(await json('account', 'list', 'first')).toEqual([])
    expect(await call(['account', 'delete', 'first', made.client_id])).toEqual(
      refuses(`The store first has no account "${made.client_id}".`),
    )
    expect(client_secret).toHaveLength(64)
  })

  test('a store is opened, listed, closed and opened again', async () => {
    const opened = await call(['store', 'create', '--name', 'Second', '--hash', 'second', '--plan', 'pro'])
    expect(opened).toEqual(says('Store second (number 2) is open.'))
    const account = await call([
      ...['account', 'create', 'second', '--name', 'Till', '--scopes', 'all', 'store_metafield_write_all'],
    ])
    expect(await call(['store', 'list'])).toEqual(
      says(
        [
          'HASH    NUMBER  STATE   PLAN      TEST  NAME',
          'first   1       active  standard  no    First',
          'second  2       active  pro       no    Second',
        ].join('\n'),
      ),
    )
    const token = /^Access token {3}([a-z0-9]{31})$/m.exec(account.out)?.[1] ?? ''
    expect(account.out).toMatch(
      /^Client id {6}[a-z0-9]{31}\nClient secret {2}[a-z0-9]{64}\nAccess token {3}[a-z0-9]{31}\nThey are shown only once\.\n$/,
    )
    expect(await ask(token, 'second')).toBe(200)

    expect(await json('store', 'set-state', 'second', '--state', 'suspended')).toEqual({
      hash: 'second',
      state: 'suspended',
    })
    await expect.poll(() => ask(token, 'second')).toBe(503)
    expect(await call(['store', 'set-state', 'second', '--state', 'active'])).toEqual(
      says('The state of store second is active.'),
    )
    await expect.poll(() => ask(token, 'second')).toBe(200)
  })

  test("a store's e-mails are previewed", async () => {
    const preview = (...more: string[]) => call(['emails', 'preview', 'first', ...more])
    expect(await preview('createaccount_email', '--part', 'subject')).toEqual(says('Welcome to First'))
    const { code, out } = await preview('invoice_email')
    expect([code, out]).toEqual([0, expect.stringMatching(/^<!doctype html>[\s\S]*Thank you for your order/)])
    expect(await json('emails', 'preview', 'first', 'invoice_email')).toEqual({
      subject: 'Your order 1042 at First',
      html: expect.stringContaining('Reading lamp'),
      text: expect.stringContaining('Reading lamp'),
    })
    expect(await preview('no_email')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^There is no type "no_email" of e-mails\. There are abandoned_cart_email, /),
    })
    expect(await preview('invoice_email', '--channel', 'x')).toEqual(refuses('The channel must be a number, not "x".'))
    expect(await call(['emails', 'opt-in', 'first'])).toEqual(says('Store first has opted in to e-mail templates.'))
  })

  test('a store is seeded once', async () => {
    await json('store', 'create', '--name', 'Third', '--hash', 'third')
    const { access_token } = await json<CreatedAccount>(
      'account',
      'create',
      'third',
      '--name',
      'Look',
      '--scopes',
      'all',
    )
    const fill = (...more: string[]) =>
      call(['seed', '--store', 'third', '--size', 'tiny', ...more], { PUBLIC_URL: address })
    const filled = await fill()
    const [, products, variants] = /^Store third has (\d+) products, (\d+) variants, /.exec(filled.out) ?? []
    expect([filled.code, filled.err, products]).toEqual([0, '', '12'])

    const headers = { 'X-Auth-Token': access_token }
    const answer = await fetch(`${address}/stores/third/v3/catalog/products?include=images,variants`, { headers })
    const { data } = (await answer.json()) as { data: { images: { image_url: string }[]; variants: unknown[] }[] }
    expect([data.length, data.flatMap(({ variants }) => variants).length]).toEqual([12, Number(variants)])
    for (const { images } of data) expect((await fetch(images[0]?.image_url ?? '')).status).toBe(200)

    const again = await fill('--json')
    expect(again).toMatchObject({ code: 1, out: '' })
    expect(again.err).toMatch(
      /^The store third is not new: 12 products, .* Sample data goes into a new store only\.\n$/,
    )
  })

  test('a store is deleted after its name is typed, or with --yes', async () => {
    await json('store', 'create', '--name', 'Fourth shop', '--hash', 'fourth')
    const remove = ['store', 'delete', 'fourth']
    const mistaken = await run(remove, {}, 'Third shop\n')
    expect([mistaken.code, mistaken.out]).toEqual([1, ''])
    expect(mistaken.err).toMatch(
      /^This deletes the store fourth \(Fourth shop\) .*Nothing was deleted: the store is called fourth or Fourth shop\.\n$/s,
    )
    const removed = await run(remove, {}, 'Fourth shop\n')
    expect([removed.code, removed.out]).toEqual([
      0,
      expect.stringMatching(/^Store fourth is deleted, with \d+ rows and 0 files\.\n$/),
    ])
    expect(await call(remove)).toEqual(refuses('There is no store "fourth".'))
    await json('store', 'create', '--name', 'Fourth again', '--hash', 'fourth')
    expect(await json(...remove, '--yes')).toEqual({ hash: 'fourth', rows: expect.any(Number), files: 0 })
    expect(await json('store', 'list', '--deleted')).toMatchObject([
      { hash: 'fourth', name: 'Fourth shop', finished_at: expect.any(String) },
      { hash: 'fourth', name: 'Fourth again', finished_at: expect.any(String) },
    ])
    expect((await call(['store', 'list', '--deleted'])).out).toMatch(
      /^HASH {4}NUMBER {2}DELETED AT .* FINISHED AT .* NAME\n/,
    )
  })

  test.each([
    [['store', 'create', '--name', 'x', '--hash', 'first'], 'The store hash "first" is taken.'],
    [['store', 'create', '--name', 'x', '--hash', 'No'], 'A store hash has 5 to 16 lower-case letters and digits.'],
    [['store', 'create', '--name', 'x', '--limit', 'brands'], '--limit: "brands" is not resource=number.'],
    [['store', 'set-state', 'nowhere', '--state', 'active'], 'There is no store "nowhere".'],
    [['account', 'create', 'nowhere', '--name', 'x', '--scopes', 'all'], 'There is no store "nowhere".'],
    [['account', 'list', 'nowhere'], 'There is no store "nowhere".'],
    [['channel', 'restore', 'first', 'x'], 'The channel must be a number, not "x".'],
    [['channel', 'restore', 'first', '9'.repeat(16)], `The channel must be a number, not "${'9'.repeat(16)}".`],
    [['channel', 'restore', 'first', '5'], 'The channel 5 does not exist.'],
    [
      ['channel', 'social-links', 'first', '1', '--set', 'X'],
      'The address of X must begin with http:// or https://, and has at most 2048 characters.',
    ],
    [['channel', 'locales', 'first', '1.5'], 'The channel must be a number, not "1.5".'],
    [['seed', '--store', 'nowhere', '--size', 'tiny'], 'There is no store "nowhere".'],
    [
      ['seed', '--store', 'first', '--size', 'tiny'],
      'Addresses of pictures contain the address of the server: set PUBLIC_URL, or PORT to its port.',
    ],
  ])('storeward %j is refused with a sentence', async (args, sentence) => {
    expect(await call(args)).toEqual(refuses(sentence))
  })

  test('an unknown scope is refused with the names of all scopes', async () => {
    const { code, err } = await call(['account', 'create', 'first', '--name', 'x', '--scopes', 'everything'])
    expect(code).toBe(1)
    expect(err).toMatch(
      /^There is no scope "everything"\. Scopes are store_v2_default, .*; presets are all, read_only, none\.\n$/,
    )
  })

  test('a second server on the same folder is refused with a sentence', async () => {
    const { code, err } = await run(['serve'])
    expect(code).toBe(1)
    expect(err).toMatch(/^The database in .+ is in use by another server \(its PostgreSQL is process \d+\)\.\n$/)
  })

  test('an unusable data folder is refused with the name of its setting', async () => {
    const { code, err } = await call(['store', 'list'], { STOREWARD_DATA: `${process.execPath}/data` })
    expect(code).toBe(1)
    expect(err).toBe(
      `${process.execPath}/data can't be used (ENOTDIR). STOREWARD_DATA must be a folder that this user may make, read and ` +
        'write, with space left.\n',
    )
  })

  test('the databases are prepared while the server runs', async () => {
    expect(await call(['migrate'])).toEqual(says('The databases are up to date.'))
  })

  test('a dry run of migrate says that nothing would change, as text and as JSON', async () => {
    const { code, out } = await call(['migrate', '--dry-run'])
    expect(code).toBe(0)
    expect(out).toMatch(
      /^\S+\/storeward, directory\nThe tables are up to date\.\n\S+\/storeward, cell\nThe tables are up to date\.\n$/,
    )
    const upToDate = { isNew: false, changes: [], reason: 'nothing to change' }
    expect(await json('migrate', '--dry-run')).toEqual([
      {
        name: expect.stringMatching(/\/storeward$/),
        rehearsals: [
          { part: 'directory', ...upToDate },
          { part: 'cell', ...upToDate },
        ],
      },
    ])
    const empty = await call(['migrate', '--dry-run'], { STOREWARD_DATA: join(folder, 'nowhere') })
    expect(empty).toEqual(says('There is no database yet. A start makes one.'))
  })

  test('a powerful role of the server is refused', async () => {
    const admin = new pg.Client({ connectionString: await findEmbedded(folder) })
    await admin.connect()
    await admin.query('alter role storeward bypassrls')
    const refused = await call(['store', 'list'])
    await admin.query('alter role storeward nobypassrls')
    await admin.end()
    expect(refused).toEqual(
      refuses(
        'The server must not run as the database role "storeward": it is a superuser, has BYPASSRLS or owns the tables.',
      ),
    )
  })

  test('plan, limits and name of a store and scopes of an account are changed while the server runs', async () => {
    const hash = 'changes'
    await json('store', 'create', '--name', 'Before', '--hash', hash, '--limit', 'brands=1', 'categories=3')
    const account = await json<CreatedAccount>('account', 'create', hash, '--name', 'x', '--scopes', 'read_only')
    const ask = (method: string, body?: object) =>
      fetch(`${address}/stores/${hash}/v3/catalog/brands`, {
        method,
        headers: { 'x-auth-token': account.access_token, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
    expect((await ask('POST', { name: 'first' })).status).toBe(403)
    const scopes = await json('account', 'change', hash, account.client_id, '--scopes', 'store_v2_products')
    expect(scopes).toMatchObject({
      client_id: account.client_id,
      scopes: expect.arrayContaining(['store_v2_products']),
    })
    const until = (status: number, name: string) =>
      expect.poll(async () => (await ask('POST', { name })).status).toBe(status)
    await until(200, 'first')
    expect((await ask('POST', { name: 'second' })).status).toBe(507)

    const change = [
      'store',
      'change',
      hash,
      '--name',
      'After',
      '--plan',
      'pro',
      '--limit',
      'brands=2',
      'categories=none',
    ]
    expect(await call(change)).toEqual(says(`Store ${hash} (After) has the plan pro and the limits brands=2.`))
    await until(200, 'second')
    expect(await json('store', 'list')).toContainEqual(expect.objectContaining({ hash, plan: 'pro', name: 'After' }))
    expect(await call(['store', 'change', hash, '--limit', 'brands=none'])).toEqual(
      says(`Store ${hash} (After) has the plan pro and no limits.`),
    )
    expect(await call(['store', 'change', hash])).toEqual(refuses('Say what to change: --name, --plan or --limit.'))
    expect(await call(['store', 'change', 'nothere', '--plan', 'pro'])).toEqual(refuses('There is no store "nothere".'))
    expect(await call(['account', 'change', hash, 'nobody', '--scopes', 'all'])).toEqual(
      refuses(`The store ${hash} has no account "nobody".`),
    )
    expect((await call(['account', 'change', hash, account.client_id, '--scopes', 'everything'])).code).toBe(1)
    await call(['store', 'delete', hash, '--yes'])
  })

  test('the server ends with exit code 0 at SIGTERM, and its data is kept', async () => {
    server.kill('SIGTERM')
    expect(await once(server, 'close')).toEqual([0, null])
    expect(await run(['store', 'list'])).toEqual(
      says(
        [
          'HASH    NUMBER  STATE   PLAN      TEST  NAME',
          'first   1       active  standard  no    First',
          'second  2       active  pro       no    Second',
          'third   3       active  standard  no    Third',
        ].join('\n'),
      ),
    )
  })
})
