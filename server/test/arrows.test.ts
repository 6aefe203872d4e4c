import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

// Imports point down: main -> app -> areas -> stores -> core (docs/architecture.md, Rooms).

const root = fileURLToPath(new URL('..', import.meta.url))

const isTest = (file: string) => file.endsWith('.test.ts') || file.startsWith('test/')

/** Every source file of the server, with the files of ours that it imports: as values, as types, and at run time. */
const files = new Map(
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.[jt]s$/.test(file) && !file.includes('node_modules/'))
    .map((file) => [file, importsOf(file)]),
)

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

const LAYERS = ['core', 'stores', 'areas', 'ground', 'app', 'main'] as const

/** What stands at the top of the folder, and the folders that are no areas. Every other folder is an area. */
const ROOMS: Record<string, (typeof LAYERS)[number]> = {
  core: 'core',
  stores: 'stores',
  // What a server is opened with: the app and those above it take it from there, nobody below does.
  'config.ts': 'ground',
  'installation.ts': 'ground',
  'connections.ts': 'ground',
  'app.ts': 'app',
  'background.ts': 'app',
  'main.ts': 'main',
  'cli.ts': 'main',
  bin: 'main',
  sandbox: 'main',
  tools: 'main',
}

const room = (file: string) => file.split('/')[0] ?? ''
const layer = (file: string) => ROOMS[room(file)] ?? (file.includes('/') ? 'areas' : undefined)

const ours = [...files].filter(([file]) => !isTest(file))
const arrows = ours.flatMap(([from, targets]) => targets.map((to) => ({ from, to })))
const drawn = ({ from, to }: { from: string; to: string }) => `${from} -> ${to}`

test('every file is in a room, and the arrows between them have been found', () => {
  expect(ours.filter(([file]) => layer(file) === undefined).map(([file]) => file)).toEqual([])
  expect(arrows.filter(({ to }) => !files.has(to)).map(drawn)).toEqual([])
  expect(arrows.length).toBeGreaterThan(ours.length)
  expect(arrows.map(drawn)).toEqual(
    expect.arrayContaining(['main.ts -> app.ts', 'catalog/brands.ts -> core/db/sql.ts', 'bin/storeward.js -> cli.ts']),
  )
})

test('imports point down: main -> app -> areas -> stores -> core', () => {
  const height = (file: string) => LAYERS.indexOf(layer(file) ?? 'main')
  expect(arrows.filter(({ from, to }) => height(to) > height(from)).map(drawn)).toEqual([])
})

test('no file that runs imports a test or what tests are made with', () => {
  expect(arrows.filter(({ to }) => isTest(to)).map(drawn)).toEqual([])
})

test('no file imports itself by a circle', () => {
  expect(circles(new Map(ours))).toEqual([])
})

test('no area uses another that uses it, directly or by way of others', () => {
  const areas = new Map<string, string[]>()
  for (const { from, to } of arrows) {
    if (layer(from) !== 'areas' || layer(to) !== 'areas' || room(from) === room(to)) continue
    areas.set(room(from), [...(areas.get(room(from)) ?? []), room(to)])
  }
  expect(circles(areas)).toEqual([])
})

test('inside core everything may use the database, which uses nothing of it but the clock', () => {
  const place = (file: string) => (file.startsWith('core/') ? file.split('/')[1] : undefined)
  const out = arrows.filter(({ from, to }) => place(from) === 'db' && place(to) !== 'db' && to !== 'core/clock.ts')
  expect(out.map(drawn)).toEqual([])
})

test('the environment is read where the process starts, and nowhere else', () => {
  const readers = ours
    .map(([file]) => file)
    .filter((file) => /\bprocess\.env\b/.test(readFileSync(join(root, file), 'utf8')))
  expect(readers).toEqual(['cli.ts'])
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

/** Ways along arrows that come back to where they began; one for each arrow that closes a circle. */
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
