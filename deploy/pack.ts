import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { parseSync } from 'oxc-parser'
import { PACKAGE_PATHS, publishedPath } from '../server/core/package.ts'
import { npmPack } from './npm-pack.ts'
import { LIBRARIES, packLibrary } from './pack-library.ts'

// Packs the server as the npm package `storeward`, and the libraries: npm run pack [-- <folder of the packed files>]. Node runs no TypeScript below
// `node_modules`, so the types are stripped. Stripping replaces them by spaces: line and column of an error stay those of the source.
// The package contains the modules that the command and its child processes import, and PACKAGE_PATHS. Tests and tools are none of them.

const root = resolve(import.meta.dirname, '..')
const server = join(root, 'server')

/** Programs that Node starts: the command, and the child processes of the server. */
const PROGRAMS = ['bin/storeward.js', ...Object.values(PACKAGE_PATHS).filter((path) => path.endsWith('.ts'))]

/** A module as the package has it, and the files of ours that it imports. */
function compile(path: string): { code: string; imports: string[] } {
  const source = readFileSync(join(server, path), 'utf8')
  const stripped = path.endsWith('.ts') ? stripTypeScriptTypes(source) : source
  const { module, errors } = parseSync('module.js', stripped)
  if (errors.length > 0) throw new Error(`${path} can't be parsed: ${errors[0]?.message}`)
  const specifiers = [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest),
    ...module.staticExports.flatMap(({ entries }) => entries.flatMap(({ moduleRequest }) => moduleRequest ?? [])),
    ...module.dynamicImports.map(({ moduleRequest }) => moduleRequest),
  ].map(({ start, end }) => ({ start, end, name: nameOf(stripped.slice(start, end), path) }))
  // A statement that exports several names has an entry for each.
  const ours = new Map(specifiers.filter(({ name }) => name.startsWith('.')).map((one) => [one.start, one]))
  let code = stripped
  for (const { start, end, name } of [...ours.values()].sort((a, b) => b.start - a.start)) {
    code = `${code.slice(0, start)}'${toJavaScript(name)}'${code.slice(end)}`
  }
  const imports = [...ours.values()].map(({ name }) => relative(server, join(server, dirname(path), name)))
  return { code, imports }
}

/** @throws Error for an import whose file is only known when it runs: it could be missing in the package */
function nameOf(specifier: string, path: string): string {
  const [, name] = /^(?:'([^'\\]*)'|"([^"\\]*)")$/.exec(specifier)?.filter((part) => part !== undefined) ?? []
  if (name === undefined) throw new Error(`${path} imports ${specifier}: the package needs the name of the file.`)
  return name
}

const toJavaScript = (path: string) => path.replace(/\.ts$/, '.js')

/** Writes the files of the package into a folder. */
export function writePackage(folder: string) {
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  const modules = new Set(PROGRAMS)
  for (const path of modules) {
    if (!/\.[jt]s$/.test(path)) {
      write(path, readFileSync(join(server, path), 'utf8'))
      continue
    }
    const { code, imports } = compile(path)
    write(toJavaScript(path), code)
    for (const file of imports) modules.add(file)
  }
  const { consoleFiles, ...paths } = PACKAGE_PATHS
  const data = Object.values(paths).filter((path) => !path.endsWith('.ts'))
  for (const path of data) cpSync(join(server, path), join(folder, publishedPath(path)), { recursive: true })
  buildConsole(join(folder, publishedPath(consoleFiles)))
  write('package.json', `${JSON.stringify(packageManifest(), null, 2)}\n`)
  for (const file of ['LICENSE', 'README.md']) cpSync(join(root, file), join(folder, file))
}

function packageManifest() {
  const { devDependencies: _, ...manifest } = JSON.parse(readFileSync(join(server, 'package.json'), 'utf8'))
  return {
    ...manifest,
    description: 'A self-hosted commerce server for many stores, on PostgreSQL',
    engines: { node: '>=24.7' },
  }
}

/** Builds the operator's console into a folder of the package. */
const buildConsole = (folder: string) =>
  execFileSync('npm', ['run', '--silent', 'build', '--', '--outDir', folder, '--emptyOutDir'], {
    cwd: join(root, 'console'),
    stdio: ['ignore', 'ignore', 'inherit'],
  })

/** Packs the server into a folder. @returns the path of the packed file */
export function pack(target: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'storeward-pack-'))
  try {
    writePackage(folder)
    return npmPack(folder, target)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

if (import.meta.main) {
  const target = process.argv[2] ?? '.'
  console.log(pack(target))
  for (const name of LIBRARIES) console.log(packLibrary(name, target))
}
