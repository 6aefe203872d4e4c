import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

// Imports point down, along one list of rooms (docs/architecture.md, Rooms).

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

/**
 * The rooms, each with what may stand in it: a folder, or a file at the top. A file imports only from its own room and from those
 * before it. Rooms of one line don't know each other, but for the last, which is the process itself.
 */
const ROOMS: readonly (readonly string[])[] = [
  ['core'],
  ['stores'],
  ['metafields', 'pictures'],
  ['channels'],
  ['settings'],
  ['emails'],
  ['themes'],
  ['stock'],
  ['catalog'],
  ['inventory'],
  ['pickup'],
  ['customers'],
  ['payments'],
  ['orders'],
  ['storefront'],
  ['b2b'],
  ['webhooks'],
  ['operator'],
  // What a server is opened with: the app and those above it take it from there, nobody below does.
  ['config.ts', 'connections.ts', 'edge.ts'],
  ['installation.ts', 'files.ts'],
  ['app.ts', 'background.ts'],
  ['main.ts'],
  ['sandbox'],
  ['commands'],
  ['tools', 'cli.ts'],
  ['bin'],
]

describe('docs/architecture.md', () => {
  const page = readFileSync(join(root, '../docs/architecture.md'), 'utf8')

  test('has every room that is a folder, in the order of the list', () => {
    const [, plan = ''] = /## Rooms\n\n```\nserver\/\n(.*?)\n```/s.exec(page) ?? []
    const named = [...plan.matchAll(/^ {2}(\w+)\/ /gm)].map(([, name = '']) => name).filter((name) => name !== 'test')
    expect(named).toEqual(ROOMS.flat().filter((name) => !name.endsWith('.ts')))
  })

  test('names files that are there', () => {
    const named = [...page.matchAll(/`((?:[\w-]+\/)*[\w.-]+\.ts)`/g)].map(([, path = '']) => path)
    const ours = [...files.keys()].map((file) => `/server/${file}`)
    const isThere = (path: string) =>
      existsSync(join(root, '..', path)) || ours.some((file) => file.endsWith(`/${path}`))
    // Those of the recipes are to be made.
    expect(named.filter((path) => !path.includes('glaz') && !isThere(path))).toEqual([])
    expect(named.length).toBeGreaterThan(100)
  })
})

/** Rooms that know some of those before them only. */
const ONLY: Readonly<Record<string, readonly string[]>> = {
  webhooks: ['core', 'stores'],
}

const room = (file: string) => file.split('/')[0] ?? ''
const place = (file: string) => ROOMS.findIndex((rooms) => rooms.includes(room(file)))

const ours = [...files].filter(([file]) => !isTest(file))
const arrows = ours.flatMap(([from, targets]) => targets.map((to) => ({ from, to })))
const drawn = ({ from, to }: { from: string; to: string }) => `${from} -> ${to}`

test('every file is in a room, and the arrows between them have been found', () => {
  expect(ours.filter(([file]) => place(file) < 0).map(([file]) => file)).toEqual([])
  expect(arrows.filter(({ to }) => !files.has(to)).map(drawn)).toEqual([])
  expect(arrows.length).toBeGreaterThan(ours.length)
  expect(arrows.map(drawn)).toEqual(
    expect.arrayContaining([
      'main.ts -> app.ts',
      'catalog/brands/brands.ts -> core/db/sql.ts',
      'bin/storeward.js -> cli.ts',
    ]),
  )
})

test('a room imports from those before it in the list', () => {
  const upwards = arrows.filter(({ from, to }) => room(from) !== room(to) && place(to) >= place(from))
  expect(upwards.map(drawn)).toEqual([])
})

test('what stands beside the others knows only what it stands on', () => {
  const beyond = arrows.filter(
    ({ from, to }) => room(from) !== room(to) && !(ONLY[room(from)]?.includes(room(to)) ?? true),
  )
  expect(beyond.map(drawn)).toEqual([])
})

test('no file that runs imports a test or what tests are made with', () => {
  expect(arrows.filter(({ to }) => isTest(to)).map(drawn)).toEqual([])
})

test('no file imports itself by a circle', () => {
  expect(circles(new Map(ours))).toEqual([])
})

test('no folder of a room uses another that uses it, directly or by way of others', () => {
  const folder = (file: string) => file.split('/').slice(0, 2).join('/')
  const folders = new Map<string, string[]>()
  for (const { from, to } of arrows) {
    if (room(from) !== room(to) || folder(from) === folder(to)) continue
    folders.set(folder(from), [...(folders.get(folder(from)) ?? []), folder(to)])
  }
  expect(folders.size).toBeGreaterThan(0)
  expect(circles(folders)).toEqual([])
})

test('inside core everything may use the database, which uses nothing of it but the clock', () => {
  const inDb = (file: string) => file.startsWith('core/db/')
  const out = arrows.filter(({ from, to }) => inDb(from) && !inDb(to) && to !== 'core/clock.ts')
  expect(out.map(drawn)).toEqual([])
})

test('the environment is read where the process starts, and nowhere else', () => {
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
