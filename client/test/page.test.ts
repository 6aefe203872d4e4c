import { execFile, execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { packLibrary } from '../../deploy/pack-library.ts'
import { openShop } from '../../server/test/fixtures/shop.ts'
import { openPort, type Port } from '../../test/port.ts'

// The packed client in a project of its own: the program of docs/client.md compiles there, and runs as written.

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')
const tsc = join(root, 'node_modules/.bin/tsc')

let project: string
let installed: string
let port: Port
beforeAll(async () => {
  port = await openPort()
  project = mkdtempSync(join(tmpdir(), 'storeward-client-'))
  installed = join(project, 'node_modules/@storeward/client')
  mkdirSync(installed, { recursive: true })
  execFileSync('tar', ['xzf', packLibrary('client', project), '-C', installed, '--strip-components=1'])
  mkdirSync(join(project, 'node_modules/@types'))
  symlinkSync(realpathSync(join(root, 'node_modules/@types/node')), join(project, 'node_modules/@types/node'))
  writeFileSync(join(project, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(project, 'page.ts'), examples('docs/client.md'))
  const compilerOptions = {
    strict: true,
    target: 'es2022',
    module: 'nodenext',
    types: ['node'],
    lib: ['esnext', 'dom', 'dom.asynciterable'],
  }
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['page.ts'] }))
}, 120_000)
afterAll(() => {
  port.close()
  rmSync(project, { recursive: true, force: true })
})

/** The examples of a page as one program. */
const examples = (path: string) =>
  [...readFileSync(join(root, path), 'utf8').matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code]) => code).join('\n')

test('the package has declarations, no dependency, and at most 15 KB of code', () => {
  const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
  expect(manifest).toMatchObject({ name: '@storeward/client', exports: { '.': './index.js' } })
  expect(Object.keys(manifest)).not.toContain('dependencies')
  const listed = execFileSync('find', [installed, '-name', '*.js'], { encoding: 'utf8' }).trim().split('\n')
  const code = listed.map((path) => readFileSync(path, 'utf8')).join('')
  expect(gzipSync(code, { level: 9 }).length).toBeLessThanOrEqual(15 * 1024)
})

test('the examples of the page compile, and run on each Node, Deno and Bun that is installed', {
  timeout: 120_000,
}, async () => {
  const compiled = await run(tsc, ['--project', project]).catch((failure: { stdout: string }) => failure)
  expect(compiled.stdout).toBe('')
  for (const [runtime, ...args] of [[process.execPath], ...olderNodes().map((node) => [node]), ...otherRuntimes()]) {
    const shop = await openShop()
    const env = {
      STOREWARD_URL: port.origin,
      STOREWARD_STORE: shop.store.hash,
      STOREWARD_TOKEN: shop.admin.access_token,
    }
    const { stdout } = await run(runtime ?? '', [...args, join(project, 'page.js')], { env })
    // Deno and Bun print texts of lists with other quotes.
    expect(stdout.replaceAll('"', "'").split('\n'), runtime).toEqual([
      'Order 1: 2 items',
      '200 Floor lamp string',
      'Floor lamp: 1 variant',
      '1 1 1',
      "[ 'name' ]",
      'A shop',
      '',
    ])
  }
})

/** Other versions of Node in the path. */
function olderNodes(): string[] {
  const found = execFileSync('which', ['-a', 'node'], { encoding: 'utf8' }).trim().split('\n')
  return [...new Set(found.map((path) => realpathSync(path)))].filter((path) => !path.includes('node_modules'))
}

/** Deno and Bun, each with the arguments that run a file, if they are in the path. */
function otherRuntimes(): string[][] {
  const pathOf = (name: string) => spawnSync('which', [name], { encoding: 'utf8' }).stdout.trim()
  const commands = [
    [pathOf('deno'), 'run', '--allow-all'],
    [pathOf('bun'), 'run'],
  ]
  return commands.filter(([path]) => path !== '')
}
