import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, realpath, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pack } from '../deploy/pack.ts'
import { PACKAGE_PATHS, packagePath } from '../server/core/package.ts'
import { themeBundle } from '../server/test/fixtures/themes.ts'

// The package as npm installs it, without npm and without network: the packed file is unpacked below `node_modules` of an empty
// folder, beside links to the packages that its manifest names. A package that the manifest forgets is missing.

const run = promisify(execFile)
const root = join(import.meta.dirname, '..')
const server = join(root, 'server')
const names = Object.keys(PACKAGE_PATHS) as (keyof typeof PACKAGE_PATHS)[]

let project: string
let installed: string
let sandbox: ChildProcess | undefined
/** The address of the sandbox, which `seed` writes into the addresses of pictures. */
let sandboxUrl = 'http://localhost:8080'

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'storeward-package-'))
  installed = join(project, 'node_modules/storeward')
  await mkdir(installed, { recursive: true })
  execFileSync('tar', ['xzf', pack(project), '-C', installed, '--strip-components=1'])
  for (const name of [...Object.keys(manifest().dependencies), ...Object.keys(manifest().optionalDependencies)]) {
    const link = join(project, 'node_modules', name)
    const target = [server, root].map((folder) => join(folder, 'node_modules', name)).find(existsSync)
    if (target === undefined) continue // PostgreSQL of another platform
    await mkdir(dirname(link), { recursive: true })
    await symlink(await realpath(target), link)
  }
})
afterAll(async () => {
  if (sandbox && sandbox.exitCode === null) {
    sandbox.kill('SIGKILL')
    await once(sandbox, 'close')
  }
  await rm(project, { recursive: true, force: true, maxRetries: 10 })
})

const manifest = () => JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
const data = () => join(project, 'data')
const environment = () => ({
  PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
  STOREWARD_DATA: data(),
  PORT: '0',
  LOG_LEVEL: 'silent',
})

/** Runs the installed command in the project. */
const storeward = (...args: string[]) =>
  run(process.execPath, [join(installed, manifest().bin.storeward), ...args], {
    cwd: project,
    env: { ...environment(), PUBLIC_URL: sandboxUrl },
  })

describe.each(names)('the path of %s', (name) => {
  test('is in the repository and in the package', async () => {
    const packed: typeof import('../server/core/package.ts') = await import(
      pathToFileURL(join(installed, 'core/package.js')).href
    )
    expect(existsSync(packagePath(name))).toBe(true)
    expect(existsSync(packed.packagePath(name))).toBe(true)
    expect(packed.packagePath(name).startsWith(installed)).toBe(true)
  })
})

test('no other module of the server finds files by its own address: add the file to PACKAGE_PATHS', () => {
  const finders = globSync('**/*.{ts,js}', { cwd: server, exclude: ['**/node_modules/**', 'test/**', '**/*.test.ts'] })
    .filter((path) => {
      const source = readFileSync(join(server, path), 'utf8')
      return /import\.meta\.(dirname|filename)|\bnew URL\([^)]*import\.meta\.url/.test(source)
    })
    .sort()
  // The command names the folder of its cache, and the generator is no part of the package.
  expect(finders).toEqual(['bin/storeward.js', 'core/package.ts', 'process/write-openapi.ts'])
})

test('the package has JavaScript without tests and tools, line by line as the source', () => {
  const files = globSync('**/*', { cwd: installed, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(installed.length + 1))
  expect(files.filter((path) => /\.ts$|\.test\.|^test\/|write-openapi|harness|fixtures/.test(path))).toEqual([])
  expect(files.length).toBeGreaterThan(500)
  const lines = (path: string) => readFileSync(path, 'utf8').split('\n').length
  const shifted = files
    .filter((path) => path.endsWith('.js') && !path.startsWith('console/'))
    .filter((path) => {
      const source = [path, path.replace(/\.js$/, '.ts')].map((name) => join(server, name)).find(existsSync)
      return source === undefined || lines(source) !== lines(join(installed, path))
    })
  expect(shifted).toEqual([])
})

test('the manifest names the Node that the server needs, and no tool', () => {
  expect(manifest()).toMatchObject({ name: 'storeward', engines: { node: '>=24.7' } })
  expect(manifest()).not.toHaveProperty('devDependencies')
  const missing = Object.keys(manifest().dependencies).filter(
    (name) => !existsSync(join(project, 'node_modules', name)),
  )
  expect(missing).toEqual([])
})

test('the command prints its version', async () => {
  expect((await storeward('--version')).stdout).toBe(`${manifest().version}\n`)
})

test('the installed package runs the sandbox, e-mails, themes, migrate, seed and doctor', {
  timeout: 300_000,
}, async () => {
  // Without arguments, as `npx storeward`.
  sandbox = spawn(process.execPath, [join(installed, manifest().bin.storeward)], {
    cwd: project,
    env: environment(),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  sandbox.stdout?.setEncoding('utf8').on('data', (text) => {
    output += text
  })
  const record = join(data(), 'sandbox.json')
  while (!output.includes('My category')) {
    if (sandbox.exitCode !== null) throw new Error(`The sandbox has ended: ${output}`)
    await sleep(50)
  }
  const { base_url, store_hash, tokens } = JSON.parse(readFileSync(record, 'utf8'))
  sandboxUrl = base_url
  const api = `${base_url}/stores/${store_hash}/v3`
  const headers = { 'X-Auth-Token': tokens.admin, Accept: 'application/json' }
  const read = async (path: string) => JSON.parse(await (await fetch(`${api}${path}`, { headers })).text())

  expect((await read('/catalog/products?limit=1')).meta.pagination.total).toBe(500)

  // A bundle is checked by a child process.
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(await themeBundle())]), 'theme.zip')
  const upload = await fetch(`${api}/themes`, { method: 'POST', headers, body: form })
  expect(upload.status).toBe(201)
  const { job_id } = JSON.parse(await upload.text())
  await expect.poll(async () => (await read(`/themes/jobs/${job_id}`)).data?.status).toBe('COMPLETED')

  for (const page of ['/docs', '/docs/script.js', '/openapi.json', '/']) {
    expect((await fetch(`${base_url}${page}`, { headers: { Accept: 'text/html' } })).status, page).toBe(200)
  }

  // Commands run beside the sandbox. A mail is rendered by a child process.
  expect((await storeward('emails', 'preview', store_hash, 'invoice_email')).stdout).toContain('<html')
  expect((await storeward('migrate')).stdout).toBe('The databases are up to date.\n')
  await storeward('store', 'create', '--hash', 'second', '--name', 'Second')
  expect((await storeward('seed', '--store', 'second', '--size', 'tiny')).stdout).toContain(
    'Store second has 12 products',
  )
  expect((await storeward('doctor')).stdout).toContain('All settings can be read.')

  sandbox.kill('SIGTERM')
  expect(await once(sandbox, 'close')).toEqual([0, null])
})
