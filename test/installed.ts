/**
 * The packed files as npm installs them: npm run test:installed [-- --only image|readme|pages]
 *
 * It packs server, client and test kit, runs the install step of the image's recipe with and without the embedded database, starts both as the
 * recipe does (as another user, who may only read the files), follows the pages of docs/testing in a project with the runners that they name,
 * and prints sizes and times. npm needs its registry or a filled cache: without both it says NOT RUN.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { pack } from '../deploy/pack.ts'
import { LIBRARIES, packLibrary } from '../deploy/pack-library.ts'
import { startEmbedded } from '../server/core/db/setup/embedded.ts'
import { ensureDatabase } from '../server/core/db/setup/prepare.ts'
import { readPage, writePage } from '../testing/test/pages.ts'

const { values: options } = parseArgs({ options: { only: { type: 'string' } } })
const run = promisify(execFile)
const root = join(import.meta.dirname, '..')
const NOBODY = 65_534
/** Errors of npm without a registry. */
const OFFLINE =
  /npm error code (ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ENOTCACHED)/
const MEGABYTE = 1_000_000
/** Megabytes of an install: with the embedded database, and without it. */
const MOST = { dev: 136, optional: 80 }

/** Variables that npm needs to reach its registry. */
const OF_NETWORK =
  /^(NODE_EXTRA_CA_CERTS|SSL_CERT_(FILE|DIR)|(HTTPS?|NO)_PROXY|npm_config_(cache|cafile|registry|userconfig))$/i

/** The environment of a user with the Node of this process. */
const environment = (more: Record<string, string> = {}) => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => OF_NETWORK.test(name))),
  PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
  HOME: process.env.HOME ?? '',
  NO_COLOR: '1',
  // Without a registry npm would try for minutes.
  npm_config_fetch_retries: '1',
  ...more,
})

class NoRegistry extends Error {}

const folder = await mkdtemp(join(tmpdir(), 'storeward-installed-'))
// Also for the user of the image.
await chmod(folder, 0o755)
const children = new Set<ChildProcess>()
/** Sizes that are too large. The rest is tried, too. */
const misses: string[] = []
try {
  console.log(`load ${loadavg()[0]?.toFixed(1)}`)
  const packed = join(folder, 'packed')
  const server = pack(packed)
  const libraries = LIBRARIES.map((name) => packLibrary(name, packed))
  const isWanted = (part: string) => options.only === undefined || options.only === part
  if (isWanted('readme')) await startAsReadme(server)
  if (isWanted('image')) {
    const recipe = await readFile(join(root, 'deploy/Dockerfile'), 'utf8')
    const whole = await image(recipe, server, 'dev')
    const external = await image(recipe, server, 'optional')
    await startAsRecipe(recipe, whole, {})
    await startOnPostgres(recipe, external)
  }
  if (isWanted('pages')) await followPages([server, ...libraries])
  if (misses.length > 0) throw new Error(misses.join('\n'))
} catch (error) {
  if (!(error instanceof NoRegistry)) throw error
  console.log('NOT RUN: npm reaches no registry, and its cache lacks packages')
} finally {
  for (const child of children) await end(child)
  await rm(folder, { recursive: true, force: true, maxRetries: 10 })
}

/** Runs the install step of the recipe in a folder. @returns the folder */
async function image(text: string, server: string, omit: 'dev' | 'optional'): Promise<string> {
  const app = join(folder, `image-${omit}`)
  await mkdir(app)
  await copyFile(server, join(app, 'storeward.tgz'))
  const [, step] = /^RUN (npm install .*)$/m.exec(text) ?? []
  if (step === undefined) throw new Error('The recipe has no install step.')
  const ms = await timed(() =>
    shell(step.replace('npm install', 'npm install --prefer-offline'), app, { OMIT: omit, MORE: '' }),
  )
  const size = await sizeOf(app)
  const packages = (await shell('ls -d node_modules/*/package.json node_modules/@*/*/package.json | wc -l', app)).trim()
  console.log(
    `image, --omit=${omit}: ${(size / MEGABYTE).toFixed(0)} MB, ${packages} packages, ${seconds(ms)} to install, ` +
      `${((await compressed(app)) / MEGABYTE).toFixed(0)} MB compressed without its Node`,
  )
  if (size > MOST[omit] * MEGABYTE) misses.push(`An install with --omit=${omit} has more than ${MOST[omit]} MB.`)
  return app
}

/** Starts the command of the recipe as a user who owns nothing but the data, and asks its health check. */
async function startAsRecipe(text: string, app: string, settings: Record<string, string>) {
  const instruction = (name: string): string[] =>
    JSON.parse(new RegExp(`^${name} (?:.*CMD )?(\\[.*\\])$`, 'm').exec(text)?.[1] ?? '[]')
  const [, ...command] = instruction('CMD')
  const [, ...check] = instruction('HEALTHCHECK')
  const data = join(folder, `data-${basename(app)}-${settings.ROLE ?? 'all'}`)
  await mkdir(data)
  const user = await anotherUser()
  if (user.uid !== undefined) await chown(data, NOBODY, NOBODY)
  const env = environment({
    HOME: data,
    HOST: '127.0.0.1',
    PORT: '0',
    STOREWARD_DATA: data,
    LOG_LEVEL: 'error',
    ...settings,
  })
  const child = spawn(process.execPath, command, { cwd: app, env, stdio: ['ignore', 'pipe', 'inherit'], ...user })
  children.add(child)
  const address = new URL(await addressOf(child))
  await run(process.execPath, check, { env: environment({ PORT: address.port }), ...user })
  await end(child)
  console.log(
    `${basename(app)}${settings.ROLE ? `, ${settings.ROLE}` : ''}: starts as another user, is healthy and ends`,
  )
}

/** A user who owns nothing, if this process may become one and that user may run its Node. */
async function anotherUser(): Promise<{ uid?: number; gid?: number }> {
  const nobody = { uid: NOBODY, gid: NOBODY }
  if (process.getuid?.() !== 0) return {}
  const isAble = await run(process.execPath, ['--version'], { ...nobody, cwd: '/' }).then(
    () => true,
    () => false,
  )
  if (!isAble) console.log('NOT RUN as another user, who may not run the Node of this process')
  return isAble ? nobody : {}
}

/** The image without the embedded database, as the compose file runs it. */
async function startOnPostgres(text: string, app: string) {
  const postgres = await startEmbedded({ folder: join(folder, 'postgres'), settings: { fsync: 'off' } })
  try {
    const url = await ensureDatabase(postgres.url, 'storeward')
    const settings = { DATABASE_URL: url, SECRET: 'a secret of this run, which is long enough' }
    for (const role of ['api', 'worker']) await startAsRecipe(text, app, { ...settings, ROLE: role })
  } finally {
    await postgres.stop()
  }
}

/** The first line of the README: an empty folder, the packed file, and the sandbox. */
async function startAsReadme(server: string) {
  const project = join(folder, 'first')
  await mkdir(project)
  await shell('npm init -y', project)
  const install = await timed(() => shell(`npm install --prefer-offline --no-audit --no-fund ${server}`, project))
  const starts: number[] = []
  for (let i = 0; i < 2; i++) {
    // The program of `npx storeward`. npx itself does not pass a signal on.
    const child = spawn(join(project, 'node_modules/.bin/storeward'), {
      cwd: project,
      env: environment({ PORT: '0', LOG_LEVEL: 'error' }),
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    children.add(child)
    const begin = performance.now()
    const address = await addressOf(child)
    const answer = await fetch(`${address}/readyz`)
    if (!answer.ok) throw new Error(`The sandbox answers ${answer.status}.`)
    starts.push(performance.now() - begin)
    await end(child)
  }
  console.log(
    `install ${seconds(install)}, first start ${seconds(starts[0])}, warm start ${seconds(starts[1])}, to the first answer`,
  )
}

/** Follows the pages of the test kit, each with its own runner. */
async function followPages(files: readonly string[]) {
  const project = join(folder, 'tests')
  await mkdir(project)
  await writeFile(join(project, 'package.json'), '{ "private": true }')
  const { devDependencies } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  const runners = [`vitest@${devDependencies.vitest}`, 'jest@30', '@jest/globals@30', '@playwright/test@1']
  await shell(`npm install --prefer-offline --no-audit --no-fund ${files.join(' ')} ${runners.join(' ')}`, project)
  await mkdir(join(project, 'python'))
  await copyFile(join(root, 'testing/python/storeward_testing.py'), join(project, 'python/storeward_testing.py'))
  const hasPytest = await shell('python3 -c "import pytest"', project).then(
    () => true,
    () => false,
  )
  for (const name of ['vitest', 'node-test', 'jest', 'playwright', 'pytest']) {
    if (name === 'pytest' && !hasPytest) {
      console.log('NOT RUN: the page of pytest needs python3 with pytest')
      continue
    }
    const page = readPage(name)
    const own = join(project, name)
    await mkdir(own)
    await writePage(page, own)
    const output = await shell(page.command, own, { PYTHONPATH: join(project, 'python'), PYTHONDONTWRITEBYTECODE: '1' })
    if (!/(2|1) passed|pass 2/.test(output))
      throw new Error(`The tests of the page ${name} have not passed:\n${output}`)
    console.log(`docs/testing/${name}.md: its tests pass with the packed files`)
  }
}

/** Runs a line of a shell. @returns its output @throws Error with it; NoRegistry if npm reaches none */
async function shell(line: string, cwd: string, more: Record<string, string> = {}): Promise<string> {
  const options = { cwd, env: environment(more), maxBuffer: 64 * MEGABYTE }
  return run('sh', ['-c', line], options).then(
    ({ stdout, stderr }) => `${stdout}${stderr}`,
    ({ stdout, stderr, message }) => {
      if (OFFLINE.test(stderr)) throw new NoRegistry(stderr)
      throw new Error(`${line}\n${message}\n${stdout}\n${stderr}`)
    },
  )
}

/** Waits for the address that a server prints. */
async function addressOf(child: ChildProcess): Promise<string> {
  let output = ''
  const ended = once(child, 'close').then(() => true)
  for (;;) {
    const [address] = /https?:\/\/(?:localhost|127\.0\.0\.1):\d+/.exec(output) ?? []
    if (address !== undefined) return address
    const said = await Promise.race([ended, once(child.stdout ?? child, 'data')])
    if (said === true) throw new Error(`A server has ended:\n${output}`)
    output += String(Array.isArray(said) ? said[0] : '')
  }
}

async function end(child: ChildProcess) {
  children.delete(child)
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGTERM')
  await once(child, 'close')
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begin = performance.now()
  await work()
  return performance.now() - begin
}

/** The bytes of a folder. */
async function sizeOf(path: string): Promise<number> {
  return Number((await shell('du -s --block-size=1 --apparent-size .', path)).split('\t')[0])
}

async function compressed(path: string): Promise<number> {
  return Number(await shell('tar cz . | wc -c', path))
}

function seconds(ms = Number.NaN): string {
  return `${(ms / 1_000).toFixed(1)} s`
}
