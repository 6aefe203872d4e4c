import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { type EmbeddedPostgres, startEmbedded } from '../core/db/setup/embedded.ts'
import { ensureDatabase, migrate, prepareRoles, serverUrls } from '../core/db/setup/prepare.ts'
import { secretsFrom } from '../core/secrets/secrets.ts'
import { WATCH_TOKEN, watching } from '../test/harness/watch.ts'
import { readConfig } from './config.ts'
import { openInstallation } from './installation.ts'
import { start } from './main.ts'

// Passwords belong to a whole PostgreSQL server, so these tests have a server of their own.

const SECRET = 'the secret of this installation, made at random'
const OTHER = 'another secret that is not of this installation'
const WRONG_SECRET =
  'SECRET is not the one that this installation was made with. Nothing was changed (docs/operations.md section 3).'

let folder: string
let postgres: EmbeddedPostgres
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'storeward-installation-'))
  postgres = await startEmbedded({ folder, settings: { fsync: 'off', full_page_writes: 'off' } })
})
afterAll(async () => {
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
})

let databases = 0
/** An empty database. */
const empty = () => ensureDatabase(postgres.url, `installation_${databases++}`)

const settings = (DATABASE_URL: string, more: Record<string, string> = {}) =>
  readConfig({
    DATABASE_URL,
    SECRET,
    STOREWARD_DATA: join(folder, 'data'),
    PORT: '0',
    LOG_LEVEL: 'silent',
    WATCH_TOKEN,
    ...more,
  })

/** Prepares the databases like a start, and closes them. */
async function prepare(url: string, more?: Record<string, string>, options: { setsSecret?: boolean } = {}) {
  await (await openInstallation(settings(url, more), { prepares: true, ...options })).close()
}

/** Opens the databases like the command `store list`. */
async function list(url: string, more?: Record<string, string>): Promise<string[]> {
  const { directory, close } = await openInstallation(settings(url, more))
  return (await directory.list().finally(close)).map(({ hash }) => hash)
}

async function ask<Row extends pg.QueryResultRow>(url: string, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return (await client.query<Row>(text).finally(() => client.end())).rows
}

/** All data that a wrong secret could change: the roles of the server, and the tables of a database. */
const stateOf = async (url: string) => [
  await ask(url, `select rolname, rolcanlogin, rolpassword from pg_authid where rolname like 'storeward%' order by 1`),
  await ask(url, `select oid::regclass::text as name from pg_class where relkind = 'r' and oid >= 16384 order by 1`),
]

/** Resets the server to the state before its first installation. */
async function forgetRoles() {
  for (const role of ['storeward', 'storeward_system', 'storeward_fork', 'storeward_owner']) {
    const former = await ask(postgres.url, `select from pg_roles where rolname = '${role}'`)
    if (former.length > 0) await ask(postgres.url, `alter role ${role} rename to former_${role}_${databases}`)
  }
}

describe('the secret of another installation', () => {
  test('is refused by every command and every start, while a running server answers over new connections', async () => {
    const url = await empty()
    const server = await start(settings(url, { ROLE: 'api' }))
    onTestFinished(server.stop)
    const { hash } = await server.installation.directory.create({ name: 'A shop' })
    const { access_token } = await server.installation.accounts.create(hash, 'admin', ['all'])
    const before = await stateOf(url)

    const wrong = { SECRET: OTHER }
    await expect(list(url, wrong)).rejects.toThrow(
      /^PostgreSQL at (127\.0\.0\.1|\/\S+\/cluster):\d+ refuses the role "storeward_system"\. .* Or SECRET is not the one that it was prepared with\.$/,
    )
    await expect(prepare(url, wrong)).rejects.toThrow(new Error(WRONG_SECRET))
    await expect(start(settings(url, wrong))).rejects.toThrow(new Error(WRONG_SECRET))
    expect(await stateOf(url)).toEqual(before)

    await ask(url, `select pg_terminate_backend(pid) from pg_stat_activity where usename like 'storeward%'`)
    await vi.waitFor(
      async () => {
        const answer = await fetch(`${server.address}/stores/${hash}/v3/catalog/brands`, {
          headers: { 'x-auth-token': access_token },
        })
        expect(answer.status).toBe(200)
      },
      { timeout: 60_000 },
    )
    expect(await list(url)).toEqual([hash])
  })

  test('is refused if logins need no password, because the directory has the verifier', async () => {
    const url = await empty()
    await prepare(url)
    await ask(url, `update directory.installation set secret_verifier = 'that of another secret'`)
    await expect(list(url)).rejects.toThrow(new Error(WRONG_SECRET))
    await expect(prepare(url)).rejects.toThrow(new Error(WRONG_SECRET))
  })

  test('is refused for tables of an earlier version, which stored no verifier', async () => {
    const url = await empty()
    await prepare(url)
    await ask(
      url,
      `drop table directory.installation, directory.quota_windows, directory.quota_minutes, directory.failed_logins,
        directory.site_hosts, directory.deleted_stores, directory.processes, directory.operator_keys,
        directory.faults, directory.forks, directory.console_tokens, directory.person_sessions, directory.passkeys,
        directory.passkey_challenges, directory.people, directory.person_guesses,
        directory.audit_outcomes, directory.audit, directory.process_figures, directory.running_requests;
       drop function directory.delete_old_audit;
       alter table directory.stores drop column is_test, drop column snapshot_of, drop column snapshot_name,
        drop column ends_at`,
    )
    await ask(url, `delete from directory_migrations where name > '0001_stores'`)
    const before = await stateOf(url)
    await expect(prepare(url, { SECRET: OTHER })).rejects.toThrow(
      /^The role "storeward\w*" of PostgreSQL at (127\.0\.0\.1|\/\S+\/cluster):\d+ has another password than SECRET gives it\./,
    )
    expect(await stateOf(url)).toEqual(before)
    await prepare(url)
    expect(await ask(url, 'select secret_verifier from directory.installation')).toEqual([
      { secret_verifier: secretsFrom(SECRET).verifier },
    ])
  })

  test('is refused for a new database on a PostgreSQL server that another installation uses', async () => {
    const [used, fresh] = [await empty(), await empty()]
    await prepare(used)
    const before = await stateOf(fresh)
    await expect(prepare(fresh, { SECRET: OTHER })).rejects.toThrow('another installation uses that PostgreSQL')
    expect(await stateOf(fresh)).toEqual(before)
    expect(await list(used)).toEqual([])
  })

  test('is refused before any of several databases is changed', async () => {
    const [main, directory, second] = [await empty(), await empty(), await empty()]
    const several = { DIRECTORY_URL: directory, CELLS: `second=${second}` }
    await prepare(main, several)
    await prepare(main, several)
    expect(await list(main, several)).toEqual([])
    const added = await empty()
    const before = await stateOf(added)
    const wrong = { ...several, SECRET: OTHER, CELLS: `second=${second} third=${added}` }
    await expect(prepare(main, wrong)).rejects.toThrow(new Error(WRONG_SECRET))
    expect(await stateOf(added)).toEqual(before)
    // The directory has the only verifier.
    expect(await ask(main, `select to_regclass('directory.installation') as table`)).toEqual([{ table: null }])
  })
})

describe('tables of a newer version', () => {
  test.each([
    ['directory', 'directory_migrations'],
    ['cell', 'cell_migrations'],
  ])('of the %s are refused by commands and starts, which change nothing', async (_, table) => {
    const url = await empty()
    await prepare(url)
    await ask(url, `insert into ${table} (name, run_on) values ('9999_of_tomorrow', now())`)
    const before = await stateOf(url)
    const sentence =
      /^A newer version of storeward has created the tables of \S+ \(9999_of_tomorrow\)\. Run that version, or restore a backup\. Nothing was changed\.$/
    await expect(prepare(url)).rejects.toThrow(sentence)
    await expect(list(url)).rejects.toThrow(sentence)
    await expect(start(settings(url))).rejects.toThrow(sentence)
    expect(await stateOf(url)).toEqual(before)
  })
})

describe('commands', () => {
  test('open the databases without their administrator', async () => {
    const url = await empty()
    await prepare(url)
    const without = new URL(url)
    without.username = 'nobody'
    without.password = 'wrong'
    expect(await list(without.href)).toEqual([])
    await expect(prepare(without.href)).rejects.toThrow('nobody')
  })

  test('explain how to prepare an unprepared database, and create nothing', async () => {
    await forgetRoles()
    const url = await empty()
    await expect(list(url)).rejects.toThrow('Either the database is new: "storeward migrate" prepares it.')
    expect(await stateOf(url)).toEqual([[], []])
    await prepareRoles(url, secretsFrom(SECRET).rolePassword)
    await expect(list(url)).rejects.toThrow(
      /^The tables of (127\.0\.0\.1|\/\S+\/cluster):\d+\/installation_\d+ are older than this program: "storeward migrate" brings them up to date\.$/,
    )
    await migrate(url, ['directory', 'cell'])
    await expect(list(url)).rejects.toThrow('"storeward migrate"')
    await prepare(url)
    await ask(url, `delete from cell_migrations where name = '0001_ground'`)
    await expect(list(url)).rejects.toThrow('are older than this program')
  })
})

describe('a start that fails', () => {
  const WHERE = 'DATABASE_URL, DIRECTORY_URL and CELLS say where the databases are.'
  const at = (change: (url: URL) => void) => {
    const url = new URL(postgres.url)
    url.hostname = '127.0.0.1'
    change(url)
    return url.href
  }
  const failure = async (url: string) => {
    const error = await prepare(url).then(
      () => undefined,
      (error) => error,
    )
    return error instanceof Error ? error.message : undefined
  }

  test('names the mistake that the operator can correct', async () => {
    const { port } = new URL(postgres.url)
    const host = `127.0.0.1:${port}`
    await ask(postgres.url, `create role clerk login password 'clerk'`)
    expect(await failure(at((url) => (url.hostname = 'base.invalid')))).toMatch(
      new RegExp(`^PostgreSQL at base\\.invalid:${port}/postgres is not known: .* ${WHERE}$`),
    )
    expect(await failure(at((url) => (url.port = '1')))).toBe(
      `PostgreSQL at 127.0.0.1:1/postgres is not there: nothing listens at this port. ${WHERE}`,
    )
    expect(await failure(at((url) => (url.hostname = '%2Fnowhere')))).toBe(
      `PostgreSQL at /nowhere:${port}/postgres is not there: this folder has no socket of it. ${WHERE}`,
    )
    expect(await failure(at((url) => (url.pathname = '/nowhere')))).toBe(
      `PostgreSQL at ${host}/nowhere has no such database; create it first. ${WHERE}`,
    )
    const ADMINISTRATOR = 'serve and migrate prepare databases, so they need an administrator who may create roles.'
    expect(await failure(at((url) => (url.password = 'wrong')))).toBe(
      'PostgreSQL refuses the login of DATABASE_URL, DIRECTORY_URL or CELLS: ' +
        `password authentication failed for user "postgres". ${ADMINISTRATOR}`,
    )
    await forgetRoles()
    const empties = new URL(await empty()).pathname
    const ofClerk = at((url) => Object.assign(url, { username: 'clerk', password: 'clerk', pathname: empties }))
    expect(await failure(ofClerk)).toMatch(/^PostgreSQL refuses the login of .*: permission denied .* administrator/)
  })
})

describe('simultaneous first starts', () => {
  test('with one secret prepare the databases together', async () => {
    await forgetRoles()
    const [one, two] = [await empty(), await empty()]
    await Promise.all([one, two, one, two, one].map((url) => prepare(url)))
    expect([await list(one), await list(two)]).toEqual([[], []])
  })

  test('with two secrets: one creates the roles, the other is refused', async () => {
    await forgetRoles()
    const [one, two] = [await empty(), await empty()]
    const attempts = [SECRET, OTHER, SECRET, OTHER].map((secret, i) => ({ secret, url: i < 2 ? one : two }))
    const outcomes = await Promise.allSettled(attempts.map(({ secret, url }) => prepare(url, { SECRET: secret })))
    const winners = new Set(attempts.filter((_, i) => outcomes[i]?.status === 'fulfilled').map(({ secret }) => secret))
    expect(winners.size).toBe(1)
    const [winner = ''] = winners
    expect(await list(one, { SECRET: winner })).toEqual([])
    const roles = serverUrls(one, secretsFrom(winner).rolePassword)
    for (const url of [roles.api, roles.system, roles.fork])
      expect(await ask(url, 'select 1 as one')).toEqual([{ one: 1 }])
  })
})

test('manually created roles of a dump get their password, and the secret of the dump is required', async () => {
  await forgetRoles()
  const url = await empty()
  for (const role of ['storeward_owner', 'storeward', 'storeward_system', 'storeward_fork'])
    await ask(url, `create role ${role}`)
  await prepare(url)
  for (const role of ['storeward', 'storeward_system', 'storeward_fork'])
    await ask(url, `alter role ${role} nologin password null`)
  await expect(prepare(url, { SECRET: OTHER })).rejects.toThrow(new Error(WRONG_SECRET))
  await prepare(url)
  expect(await list(url)).toEqual([])
})

test('a secret is replaced when the operator requests it, and the former one is refused from then on', async () => {
  await forgetRoles()
  const url = await empty()
  const server = await start(settings(url, { ROLE: 'api' }))
  onTestFinished(server.stop)
  await prepare(url, { SECRET: OTHER }, { setsSecret: true })
  expect(await list(url, { SECRET: OTHER })).toEqual([])
  await expect(list(url)).rejects.toThrow('refuses the role')
  await expect(prepare(url)).rejects.toThrow(new Error(WRONG_SECRET))
  // A running server with the former secret reports it, although its open connections still answer.
  const readiness = async () => {
    const answer = await fetch(`${server.address}/readyz`, { headers: watching })
    return [answer.status, await answer.json()]
  }
  await expect
    .poll(readiness)
    .toEqual([503, { status: 'unavailable', database: 'refuses the password that follows from SECRET' }])
})
