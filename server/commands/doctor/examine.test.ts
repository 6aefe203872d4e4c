import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test, vi } from 'vitest'
import { secretsFrom } from '../../core/secrets/secrets.ts'
import { readConfig } from '../../process/config.ts'
import { start } from '../../process/main.ts'
import { theHouse } from '../../test/fixtures/shop.ts'
import { command } from '../../test/harness/command.ts'
import { SECRET } from '../../test/harness/postgres.ts'
import { examine, type Finding } from './examine.ts'

// `storeward doctor` (docs/operations.md section 1) for installations that are broken, each in one way.

const name = `doctor_${process.pid}`
let folder: string
let url: string
let admin: pg.Client
let taken: Server
let takenPort: number
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'storeward-doctor-'))
  await writeFile(join(folder, 'file'), '')
  await mkdir(join(folder, 'open'))
  await writeFile(join(folder, 'open/secret'), 'x'.repeat(64), { mode: 0o644 })
  admin = await connect(inject('postgresUrl'))
  await admin.query(`create database ${name} template template_all`)
  url = inject('postgresUrl').replace(/[^/]*$/, name)
  const client = await connect(url)
  await client.query('insert into directory.installation (secret_verifier) values ($1)', [secretsFrom(SECRET).verifier])
  await client.end()
  taken = createServer((socket) => socket.end()).listen(0, '127.0.0.1')
  await vi.waitUntil(() => taken.listening, 60_000)
  const address = taken.address()
  takenPort = typeof address === 'object' && address !== null ? address.port : 0
})
afterAll(async () => {
  await admin.query(`drop database ${name} with (force)`)
  await admin.end()
  taken.close()
  await rm(folder, { recursive: true, force: true })
})

async function connect(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  return client
}

/** The findings with these settings besides valid ones. */
const find = (settings: Record<string, string> = {}) =>
  examine({ DATABASE_URL: url, SECRET, STOREWARD_DATA: join(folder, 'data'), PORT: '0', ...settings })
const of = (findings: Finding[], state: Finding['state']) =>
  findings.filter((finding) => finding.state === state).map(({ says }) => says)

test('a valid installation has no problems, and missing options are listed', async () => {
  const findings = await find()
  expect(of(findings, 'mend')).toEqual([])
  expect(of(findings, 'ok')).toEqual([
    expect.stringMatching(/^Node \d+ runs this command\.$/),
    'All settings can be read.',
    'Its tables are up to date, and SECRET matches.',
    expect.stringMatching(/^It is PostgreSQL \d+\.$/),
    expect.stringMatching(/^It takes \d+ connections; each process needs 19\.$/),
    'Its clock agrees with ours.',
    expect.stringMatching(/data can be written and has [\d.]+ GiB left\.$/),
    'PORT=0 takes any free port.',
  ])
  expect(of(findings, 'look')).toEqual([
    // The PostgreSQL of the tests does not wait for the disk.
    expect.stringMatching(/^fsync, full_page_writes, synchronous_commit is off: /),
    expect.stringMatching(/^PUBLIC_URL and TRUST_PROXY are empty: /),
    expect.stringMatching(/^SMTP_URL is empty: /),
  ])
})

test('processes that disagree about PUBLIC_URL are named', async () => {
  const run = (PUBLIC_URL: string, more: Record<string, string> = {}) =>
    start(
      readConfig({ DATABASE_URL: url, SECRET, STOREWARD_DATA: join(folder, 'data'), PORT: '0', PUBLIC_URL, ...more }),
    )
  const of = async (settings: Record<string, string> = {}) =>
    (await find(settings)).filter((finding) => finding.of === 'processes').map(({ state, says }) => [state, says])
  expect(await of()).toEqual([])
  const one = await run('https://shop.example.com')
  const two = await run('https://shop.example.com', { ROLE: 'api' })
  const same = 'All running processes have the same PUBLIC_URL: https://shop.example.com.'
  const listed = async () => {
    const client = await connect(url)
    const { rows } = await client.query('select from directory.processes')
    await client.end()
    return rows.length
  }
  await expect.poll(listed).toBe(2)
  expect(await of(https)).toEqual([['ok', same]])
  expect(await of({ PUBLIC_URL: 'https://other.example.com' })).toEqual([
    [
      'mend',
      expect.stringMatching(/; these settings have https:\/\/other\.example\.com\. Set the same one for all\.$/),
    ],
  ])
  const three = await run('http://localhost:18083', { ROLE: 'worker' })
  await expect.poll(listed).toBe(3)
  const [[state, says] = []] = await of()
  expect(state).toBe('mend')
  expect(says).toContain(`process ${process.pid} of ${hostname()} (worker) has http://localhost:18083`)
  expect(says).toContain(`process ${process.pid} of ${hostname()} (api) has https://shop.example.com`)
  await three.stop()
  expect(await of()).toEqual([['ok', same]])
  await Promise.all([one.stop(), two.stop()])
  expect(await of()).toEqual([])
})

const https = { PUBLIC_URL: 'https://shop.example.com' }

test.each<[string, () => Record<string, string>, RegExp[]]>([
  [
    'malformed settings',
    () => ({ PORT: 'http', LOG_LEVEL: 'loud' }),
    [/^PORT must be a whole number/, /^LOG_LEVEL must be/],
  ],
  [
    'a short secret',
    () => ({ SECRET: 'abc' }),
    [/^SECRET must have at least 32 characters\.$/, /^It can.t be examined without SECRET/],
  ],
  [
    'a placeholder',
    () => ({ SECRET: 'ab'.repeat(20) }),
    [/^SECRET looks like a placeholder/, /has another password than SECRET/],
  ],
  ['powers of the sandbox', () => ({ FAILED_LOGINS_MAX: '0' }), [/^FAILED_LOGINS_MAX=0 lets tokens be guessed/]],
  ['another secret', () => ({ SECRET: `${SECRET}!` }), [/has another password than SECRET gives it/]],
  ['no database', () => ({ DATABASE_URL: url.replace(name, 'nowhere') }), [/has no such database; create it first/]],
  [
    'nothing at the port',
    () => ({ DATABASE_URL: 'postgres://a:pass-word@127.0.0.1:1/x' }),
    [/is not there: nothing listens at this port/],
  ],
  [
    'a wrong login',
    () => ({ DATABASE_URL: url.replace(/:[^:@/]*@/, ':pass-word@') }),
    [/^PostgreSQL refuses the login of DATABASE_URL/],
  ],
  ['malformed cells', () => ({ CELLS: 'second' }), [/^CELLS: "second" is not name=url\./]],
  ['a greedy pool', () => ({ POOL_SIZE: '500' }), [/connections, and POOL_SIZE=500 needs 511 for each process/]],
  [
    'a file instead of a folder',
    () => ({ STOREWARD_DATA: join(folder, 'file/data') }),
    [/^STOREWARD_DATA: .*file can't be used \(ENOTDIR\)/],
  ],
  [
    'a secret that others can read',
    () => ({ STOREWARD_DATA: join(folder, 'open') }),
    [/^Others can read .*secret: chmod 600 it\.$/],
  ],
  [
    'a missing bucket',
    () => ({ S3_BUCKET: 'none', S3_ENDPOINT: 'http://127.0.0.1:1', S3_ACCESS_KEY: 'k', S3_SECRET_KEY: 'pass-word' }),
    [/^The bucket none of S3_BUCKET cannot be reached/],
  ],
  ['https without TRUST_PROXY', () => https, [/^PUBLIC_URL is https, .* Set TRUST_PROXY/]],
  ['a redirect to nowhere', () => ({ REQUIRE_HTTPS: 'true' }), [/^REQUIRE_HTTPS=true sends clients to PUBLIC_URL/]],
  ['a proxy without an address', () => ({ TRUST_PROXY: '1' }), [/^TRUST_PROXY is set and PUBLIC_URL is not/]],
  ['a port that is taken', () => ({ PORT: String(takenPort) }), [/is taken by another program\. Set PORT/]],
  [
    'an address of another machine',
    () => ({ HOST: '192.0.2.1', PORT: '8080' }),
    [/^This machine does not have the address 192\.0\.2\.1\. Set HOST/],
  ],
  [
    'a missing mail server',
    () => ({ SMTP_URL: 'smtp://user:pass-word@127.0.0.1:1' }),
    [/^The mail server of SMTP_URL can't be used \(ESOCKET\)/],
  ],
])('%s is reported with the name of its setting', async (_, settings, expected) => {
  const findings = await find(settings())
  const faults = of(findings, 'mend')
  expect(faults).toEqual(expected.map((says) => expect.stringMatching(says)))
  const output = JSON.stringify(findings)
  for (const secret of [SECRET, 'pass-word', new URL(url).password]) expect(output).not.toContain(secret)
})

test.each<[string, Record<string, string>, Finding['state'], RegExp]>([
  [
    'a configured proxy',
    { ...https, TRUST_PROXY: '10.0.0.0/8' },
    'ok',
    /curl -si https:\/\/shop\.example\.com\/stores\/none/,
  ],
  [
    'a proxy that others can bypass',
    { ...https, TRUST_PROXY: '1', HOST: '0.0.0.0' },
    'look',
    /nobody must reach the server but through/,
  ],
  ['plain http in the open', { PUBLIC_URL: 'http://shop.example.com' }, 'look', /tokens can be read on their way/],
  ['a server for this machine', { PUBLIC_URL: 'http://127.0.0.1:8080' }, 'ok', /is an address of this machine/],
])('%s', async (_, settings, state, says) => {
  const [finding] = (await find(settings)).filter((finding) => finding.of === 'proxy')
  expect(finding).toMatchObject({ state, says: expect.stringMatching(says) })
})

describe('a database', () => {
  /** Changes the database for one test. */
  async function change(there: string, back: string) {
    const client = await connect(url)
    await client.query(there)
    onTestFinished(async () => {
      await client.query(back)
      await client.end()
    })
  }

  test.each([
    [
      'older than the program',
      "update cell_migrations set name = 'kept' where name = '0001_ground'; delete from cell_migrations where name = '0002_catalog'",
      "update cell_migrations set name = '0001_ground' where name = 'kept'; insert into cell_migrations (name, run_on) values ('0002_catalog', now())",
      /newer version of storeward has created the tables \(kept\)/,
    ],
    [
      'with missing tables',
      "delete from cell_migrations where name = '0002_catalog'",
      "insert into cell_migrations (name, run_on) values ('0002_catalog', now())",
      /are older than this program: "storeward migrate" brings them up to date/,
    ],
    [
      'of another installation',
      "update directory.installation set secret_verifier = 'another'",
      `update directory.installation set secret_verifier = '${secretsFrom(SECRET).verifier}'`,
      /^SECRET is not the one that this installation was made with/,
    ],
  ])('%s', async (_, there, back, says) => {
    await change(there, back)
    expect(of(await find(), 'mend')).toEqual([expect.stringMatching(says)])
  })

  test('with a login that may not prepare it', async () => {
    const role = `powerless_${process.pid}`
    await change(`create role ${role} login password 'pass-word'`, `drop role ${role}`)
    const powerless = new URL(url)
    powerless.username = role
    powerless.password = 'pass-word'
    expect(of(await find({ DATABASE_URL: powerless.href }), 'mend')).toEqual([
      expect.stringMatching(/^The login must be a superuser, or have createrole and own the database/),
    ])
  })
})

test('the command ends with 1 while there are problems, and changes nothing', async () => {
  await theHouse()
  const settings = { DATABASE_URL: url, SECRET, STOREWARD_DATA: join(folder, 'none'), PORT: '0' }
  const sound = await command(['doctor'], settings)
  expect([sound.code, sound.err]).toEqual([0, ''])
  expect(sound.out).toMatch(/^STATE {2}OF .* SAYS\nok .*\n/)
  const broken = await command(['doctor', '--json'], { ...settings, PUBLIC_URL: 'https://shop.example.com' })
  expect([broken.code, broken.err]).toEqual([1, 'There is 1 problem to fix.\n'])
  expect(JSON.parse(broken.out)).toContainEqual({
    state: 'mend',
    of: 'proxy',
    says: expect.stringMatching(/^PUBLIC_URL/),
  })
  // The embedded database is neither created nor started.
  const embedded = await command(['doctor'], { STOREWARD_DATA: join(folder, 'none'), PORT: '0' })
  expect([embedded.code, embedded.err]).toEqual([0, ''])
  await expect(rm(join(folder, 'none'))).rejects.toThrow('ENOENT')
})

test('a name that looks like a misspelt setting is reported', async () => {
  expect(of(await find({ POLL_SIZE: '4' }), 'look')).toContain('POLL_SIZE is not a setting. Did you mean POOL_SIZE?')
})
