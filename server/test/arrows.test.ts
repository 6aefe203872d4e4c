import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

// Imports point down the list of wings and the list of areas in each wing (docs/architecture.md, Wings).

const root = fileURLToPath(new URL('..', import.meta.url))

const isTest = (file: string) => file.endsWith('.test.ts') || file.startsWith('test/')

/** Every file of the server. */
const everything = readdirSync(root, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => relative(root, join(entry.parentPath, entry.name)))
  .filter((file) => !file.includes('node_modules/'))

/** Every source file of the server with the files of ours that it imports: as values, as types or at run time. */
const files = new Map(everything.filter((file) => /\.[jt]s$/.test(file)).map((file) => [file, importsOf(file)]))

function importsOf(file: string): string[] {
  const source = readFileSync(join(root, file), 'utf8')
  const from = /^\s*(?:import|export)\b[^'"`;]*?\bfrom\s*['"](\.[^'"]+)['"]/gm
  const bare = /^\s*import\s*['"](\.[^'"]+)['"]/gm
  const later = /\bimport\(\s*['"](\.[^'"]+)['"]\s*\)/g
  return [from, bare, later]
    .flatMap((pattern) => [...source.matchAll(pattern)])
    .map(([, path = '']) => relative(root, join(root, dirname(file), path)))
    .filter((target) => target.endsWith('.ts'))
}

/**
 * The wings, in their order. A file imports only from its own wing and from wings before it. A wing with areas lists them: an area
 * imports only from areas before it in its wing.
 */
const WINGS: Readonly<Record<string, readonly string[]>> = {
  core: [],
  stores: [],
  shared: ['metafields', 'pictures'],
  shop: ['channels', 'settings', 'templates', 'emails', 'themes'],
  goods: ['stock', 'catalog', 'inventory', 'pickup'],
  customers: [],
  sales: ['tax', 'pricing', 'shipping', 'promotions', 'carts', 'payments', 'orders', 'b2b'],
  content: ['pages', 'blog', 'redirects', 'scripts', 'template-associations', 'regions', 'widgets'],
  doors: ['storefront', 'b2b', 'webhooks', 'operator', 'people', 'powers', 'console'],
  process: [],
  sandbox: [],
  commands: [],
  bin: [],
}

describe('docs/architecture.md', () => {
  const page = readFileSync(join(root, '../docs/architecture.md'), 'utf8')

  test('draws every wing with its areas, in the order of the list', () => {
    const [, plan = ''] = /## Wings\n\n```\nserver\/\n(.*?)\n```/s.exec(page) ?? []
    const drawn: Record<string, string[]> = {}
    for (const [, indent = '', name = ''] of plan.matchAll(/^( {2}| {4})([\w-]+)\/(?: |$)/gm)) {
      if (indent.length === 2) drawn[name] = []
      else Object.values(drawn).at(-1)?.push(name)
    }
    expect(Object.keys(drawn).filter((name) => name !== 'test')).toEqual(Object.keys(WINGS))
    for (const [wing, areas] of Object.entries(WINGS)) {
      if (areas.length > 0) expect(drawn[wing]).toEqual(areas)
    }
  })

  test('names files that are there', () => {
    const named = [...page.matchAll(/`((?:[\w-]+\/)*[\w.-]+\.ts)`/g)].map(([, path = '']) => path)
    const ours = [...files.keys()].map((file) => `/server/${file}`)
    const isThere = (path: string) =>
      existsSync(join(root, '..', path)) || ours.some((file) => file.endsWith(`/${path}`))
    // The recipes make these files.
    expect(named.filter((path) => !path.includes('glaz') && !isThere(path))).toEqual([])
    expect(named.length).toBeGreaterThan(100)
  })
})

/** Areas that may import only from some of the wings before them. */
const ONLY: Readonly<Record<string, readonly string[]>> = {
  'doors/webhooks': ['core', 'stores'],
}

const wing = (file: string) => file.split('/')[0] ?? ''
const area = (file: string) => file.split('/').slice(0, 2).join('/')
const wingPosition = (file: string) => Object.keys(WINGS).indexOf(wing(file))
const areaPosition = (file: string) => WINGS[wing(file)]?.indexOf(file.split('/')[1] ?? '') ?? -1

const ours = [...files].filter(([file]) => !isTest(file))
const arrows = ours.flatMap(([from, targets]) => targets.map((to) => ({ from, to })))
const drawn = ({ from, to }: { from: string; to: string }) => `${from} -> ${to}`

test('every file is in a wing, and every folder of a wing with areas is one of them', () => {
  expect(ours.filter(([file]) => wingPosition(file) < 0).map(([file]) => file)).toEqual([])
  const hasAreas = (file: string) => (WINGS[wing(file)]?.length ?? 0) > 0
  const strays = ours.filter(([file]) => hasAreas(file) && areaPosition(file) < 0)
  expect(strays.map(([file]) => file)).toEqual([])
})

test('the arrows between files are found', () => {
  expect(arrows.filter(({ to }) => !files.has(to)).map(drawn)).toEqual([])
  expect(arrows.length).toBeGreaterThan(ours.length)
  expect(arrows.map(drawn)).toEqual(
    expect.arrayContaining([
      'process/main.ts -> process/app.ts',
      'goods/catalog/brands/brands.ts -> core/db/sql.ts',
      'bin/storeward.js -> commands/cli.ts',
    ]),
  )
})

test('a wing imports from wings before it', () => {
  const upwards = arrows.filter(({ from, to }) => wingPosition(to) > wingPosition(from))
  expect(upwards.map(drawn)).toEqual([])
})

test('an area imports from areas before it in its wing', () => {
  const upwards = arrows.filter(({ from, to }) => wing(from) === wing(to) && areaPosition(to) > areaPosition(from))
  expect(upwards.map(drawn)).toEqual([])
})

test('an area that stands on some wings only imports from no other', () => {
  const beyond = arrows.filter(
    ({ from, to }) => area(from) !== area(to) && !(ONLY[area(from)]?.includes(wing(to)) ?? true),
  )
  expect(beyond.map(drawn)).toEqual([])
})

test('no folder has more than 16 entries, except for migrations and the built-in templates', () => {
  const entries = new Map<string, Set<string>>()
  for (const file of everything) {
    for (let child = file; child !== '.'; child = dirname(child)) {
      const folder = dirname(child)
      entries.set(folder, (entries.get(folder) ?? new Set()).add(child))
    }
  }
  const isData = (folder: string) =>
    folder.startsWith('core/db/migrations/') || folder === 'shop/emails/contents/builtin'
  const large = [...entries].filter(([folder, { size }]) => size > 16 && !isData(folder))
  expect(large.map(([folder, { size }]) => `${folder}: ${size}`)).toEqual([])
})

test('no file that runs imports a test, a fixture or a harness', () => {
  expect(arrows.filter(({ to }) => isTest(to)).map(drawn)).toEqual([])
})

test('no file imports itself through others', () => {
  expect(circles(new Map(ours))).toEqual([])
})

test('the entries of a folder form no circle', () => {
  const graphs = new Map<string, Map<string, string[]>>()
  for (const { from, to } of arrows) {
    const [left, right] = [from.split('/'), to.split('/')]
    const shared = left.findIndex((name, i) => name !== right[i])
    if (shared < 0) continue
    const folder = left.slice(0, shared).join('/')
    const graph = graphs.get(folder) ?? new Map<string, string[]>()
    graphs.set(folder, graph)
    const entry = left[shared] ?? ''
    graph.set(entry, [...(graph.get(entry) ?? []), right[shared] ?? ''])
  }
  expect(graphs.size).toBeGreaterThan(20)
  const found = [...graphs].flatMap(([folder, graph]) => circles(graph).map((circle) => `${folder}: ${circle}`))
  expect(found).toEqual([])
})

test('every part of core may use the database, and the database imports only the clock and paths of the package from core', () => {
  const inDb = (file: string) => file.startsWith('core/db/')
  const allowed = ['core/clock.ts', 'core/package.ts']
  const out = arrows.filter(({ from, to }) => inDb(from) && !inDb(to) && !allowed.includes(to))
  expect(out.map(drawn)).toEqual([])
})

test('only the start of the process reads the environment', () => {
  const readers = ours
    .map(([file]) => file)
    .filter((file) => /\bprocess\.env\b/.test(readFileSync(join(root, file), 'utf8')))
  expect(readers).toEqual(['commands/command.ts'])
})

describe('circles are found', () => {
  test.each([
    ['none', { a: ['b', 'c'], b: ['c'], c: [] }, []],
    ['of one', { a: ['a'] }, ['a -> a']],
    ['of two', { a: ['b'], b: ['a'] }, ['a -> b -> a']],
    ['behind a way in', { a: ['b'], b: ['c'], c: ['d'], d: ['b'] }, ['b -> c -> d -> b']],
  ])('%s', (_, graph: Record<string, string[]>, expected) => {
    expect(circles(new Map(Object.entries(graph)))).toEqual(expected)
  })
})

/** Paths along arrows that return to their start, one for each arrow that closes a circle. */
function circles(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const found: string[] = []
  const done = new Set<string>()
  const walk = (node: string, way: readonly string[]) => {
    if (way.includes(node)) return found.push([...way.slice(way.indexOf(node)), node].join(' -> '))
    if (done.has(node)) return
    for (const next of graph.get(node) ?? []) walk(next, [...way, node])
    done.add(node)
  }
  for (const node of graph.keys()) walk(node, [])
  return found
}
