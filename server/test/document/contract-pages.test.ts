import { readdirSync, readFileSync } from 'node:fs'
import type { TSchema } from 'typebox'
import { describe, expect, test } from 'vitest'
import { guidesOf, PAGES } from '../../doors/operator/reference/facts/contract-pages.ts'
import { marksOf } from '../../doors/operator/reference/facts/marks.ts'
import { document } from './document.ts'

const folder = new URL('../../../docs/contract/', import.meta.url)

/** Paging, envelopes and the selection of fields are described here for all routes. */
const SHARED = 'conventions'

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => {
    const below = path.replace('/stores/{store_hash}', '')
    return { name: `${method.toUpperCase()} ${below}`, below, operation }
  }),
)

/** The words of a page's tables: `name`, `name:like`, and `open_graph_use_*` for all names that begin so. */
function wordsOf(page: string): { words: Set<string>; beginnings: string[] } {
  const lines = readFileSync(new URL(`${page}.md`, folder), 'utf8').split('\n')
  const tables = lines.filter((line) => line.startsWith('|')).join('\n')
  const words = new Set(tables.match(/[\w-]+(?::\w+)?/g))
  const beginnings = [...tables.matchAll(/(\w+_)\*/g)].map(([, beginning = '']) => beginning)
  return { words, beginnings }
}

const read = new Map(
  readdirSync(folder).map((file) => [file.replace('.md', ''), wordsOf(file.replace('.md', ''))] as const),
)

const isNamed = (name: string, pages: readonly string[]) =>
  pages.some((page) => {
    const { words, beginnings } = read.get(page) ?? wordsOf(page)
    return words.has(name) || beginnings.some((beginning) => name.startsWith(beginning))
  })

/** The names of all fields in a schema and in its nested schemas. */
function fieldsOf(schema: TSchema, found = new Set<string>()): Set<string> {
  for (const [word, value] of Object.entries(schema)) {
    if (word === 'properties') for (const field of Object.keys(value)) found.add(field)
    if (word === 'properties' || word === 'patternProperties') {
      for (const part of Object.values<TSchema>(value)) fieldsOf(part, found)
    }
    if (word === 'anyOf') for (const branch of value) fieldsOf(branch, found)
    if ((word === 'items' || word === 'additionalProperties') && typeof value === 'object') fieldsOf(value, found)
  }
  return found
}

/** Names that no table has, by operation. */
function unnamed(namesOf: (operation: (typeof operations)[number]['operation']) => Iterable<string>) {
  return Object.fromEntries(
    operations.flatMap(({ name, below, operation }) => {
      const pages = [...(guidesOf(below) ?? []), SHARED]
      const lacking = [...namesOf(operation)].filter((field) => !isNamed(field, pages))
      return lacking.length > 0 ? [[`${name} (docs/contract/${pages[0]}.md)`, lacking]] : []
    }),
  )
}

describe('the tables of docs/contract', () => {
  test('have a page for every route, and every pattern matches a route', () => {
    expect(operations.filter(({ below }) => !guidesOf(below)).map(({ name }) => name)).toEqual([])
    for (const [path] of PAGES) {
      expect(
        operations.some(({ below }) => PAGES.find(([one]) => one.test(below))?.[0] === path),
        String(path),
      ).toBe(true)
    }
  })

  test('have a mark for each rule, and each page has marks', () => {
    const pages = [...new Set(PAGES.flatMap(([, ...names]) => names))]
    for (const page of pages) {
      const { spec, documented, ours, unmarked } = marksOf(readFileSync(new URL(`${page}.md`, folder), 'utf8'))
      expect(spec + documented + ours, page).toBeGreaterThan(0)
      expect(unmarked, page).toEqual([])
    }
  })

  test('name every filter and every other query parameter of a route, with its operator', () => {
    expect(
      unnamed(({ parameters }) => parameters.filter(({ in: place }) => place === 'query').map(({ name }) => name)),
    ).toEqual({})
  })

  test("name every field of a route's bodies and answers", () => {
    expect(
      unnamed(({ requestBody, responses }) => {
        const answers = Object.entries(responses).flatMap(([status, { content }]) =>
          status.startsWith('2') ? Object.values(content ?? {}) : [],
        )
        const schemas = [...Object.values(requestBody?.content ?? {}), ...answers].map(({ schema }) => schema)
        return new Set(schemas.flatMap((schema) => [...fieldsOf(schema)]))
      }),
    ).toEqual({})
  })

  test('list every operation at a glance', () => {
    const glances = new Map(
      readdirSync(folder).flatMap((file) => {
        const [, glance] = /^## At a glance\n(.*?)^## /ms.exec(readFileSync(new URL(file, folder), 'utf8')) ?? []
        return glance === undefined ? [] : [[file.replace('.md', ''), glance] as const]
      }),
    )
    const missing = operations.filter(({ name, below }) => {
      const lines = guidesOf(below)?.flatMap((page) => glances.get(page)?.split('\n') ?? []) ?? []
      const row = lines.find((line) => line.startsWith(`| \`${below}\` |`)) ?? ''
      const isElsewhere = /\/metafields/.test(below) && !below.includes('/brands')
      return lines.length > 0 && !isElsewhere && !row.includes(name.split(' ')[0] ?? '')
    })
    expect(glances.size).toBeGreaterThan(30)
    expect(missing.map(({ name, below }) => `docs/contract/${guidesOf(below)?.[0]}.md: ${name}`)).toEqual([])
  })
})
