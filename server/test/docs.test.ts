import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { command } from './harness/command.ts'

// The links, files and commands that README.md and docs/ name. Readers paste these, so a stale one is a bug.

const repository = fileURLToPath(new URL('../..', import.meta.url))

const inRepository = (path: string) => existsSync(join(repository, path))

const pages = new Map(
  [
    'README.md',
    ...readdirSync(join(repository, 'docs'), { recursive: true, encoding: 'utf8' }).map((file) => `docs/${file}`),
  ]
    .filter((file) => file.endsWith('.md'))
    .map((file) => [file, readFileSync(join(repository, file), 'utf8')] as const),
)

const withoutCode = (text: string) => text.replace(/^```.*?^```/gms, '').replace(/`[^`\n]*`/g, '')

/** The anchors of a page: its headings as the Markdown viewers of code hosts spell them. */
function anchorsOf(text: string): Set<string> {
  const headings = [...text.replace(/^```.*?^```/gms, '').matchAll(/^#{1,6} +(.+)$/gm)].map(
    ([, heading = '']) => heading,
  )
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  )
}

/** Each match of a pattern in a page, by its first group. */
const matches = (pattern: RegExp, textOf = (text: string) => text) =>
  [...pages].flatMap(([file, text]) => [...textOf(text).matchAll(pattern)].map(([, found = '']) => ({ file, found })))

/** A file that a recipe makes. */
const isExample = (path: string) => path.includes('glaz')

const place = ({ file, found }: { file: string; found: string }) => `${file}: ${found}`

describe('README.md and docs', () => {
  const links = matches(/\]\(([^()\s]+)\)/g, withoutCode).filter(({ found }) => !/^[a-z]+:/.test(found))

  test('link to files that exist', () => {
    const targetOf = ({ file, found }: (typeof links)[number]) => join(dirname(file), found.replace(/#.*/, ''))
    expect(links.length).toBeGreaterThan(200)
    expect(links.filter((link) => !link.found.startsWith('#') && !inRepository(targetOf(link))).map(place)).toEqual([])
  })

  test('link to headings that exist', () => {
    const broken = links.filter(({ file, found }) => {
      const [path = '', anchor] = found.split('#')
      const target = path === '' ? file : join(dirname(file), path)
      return anchor !== undefined && !anchorsOf(pages.get(target) ?? '').has(anchor)
    })
    expect(broken.map(place)).toEqual([])
  })

  test('cite sections that exist', () => {
    const cited = [...pages].flatMap(([file, text]) =>
      [...text.matchAll(/\[[\w-]+\.md\]\(([^()\s#]+\.md)\)[ \n]section (\d+)/g)].map(([, path = '', section = '']) => {
        return {
          file,
          found: `${path} section ${section}`,
          target: pages.get(join(dirname(file), path)) ?? '',
          section,
        }
      }),
    )
    expect(cited.length).toBeGreaterThan(100)
    expect(cited.filter(({ target, section }) => !target.includes(`\n## ${section}. `)).map(place)).toEqual([])
  })

  test('name files that exist', () => {
    const files = matches(/`((?:server|test|bench|examples|deploy|docs|node-24|\.ci)\/[\w./-]+)`/g)
    expect(files.length).toBeGreaterThan(30)
    expect(files.filter(({ found }) => !isExample(found) && !inRepository(found)).map(place)).toEqual([])
  })

  test('name source files that exist, with a part of their path', () => {
    const sources = readdirSync(join(repository, 'server'), { recursive: true, encoding: 'utf8' })
      .filter((file) => !file.includes('node_modules'))
      .map((file) => `/${file}`)
    const named = matches(/`((?:[\w-]+\/)+[\w.-]+\.(?:ts|sql|graphql))`/g)
    const isThere = (path: string) => inRepository(path) || sources.some((file) => file.endsWith(`/${path}`))
    expect(named.filter(({ found }) => !isExample(found) && !isThere(found)).map(place)).toEqual([])
  })

  test('run tests that exist', () => {
    const paths = matches(/\bnpx vitest run ([^`\n]+)/g).flatMap(({ file, found }) =>
      found.split(' ').map((path) => ({ file, found: path.replace(/\.$/, '') })),
    )
    expect(paths.length).toBeGreaterThan(8)
    expect(
      paths.filter(({ found }) => /^(?:server|test)/.test(found) && !isExample(found) && !inRepository(found)),
    ).toEqual([])
  })

  test('run scripts of package.json', () => {
    const { scripts } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'))
    const named = matches(/\bnpm run (?:-s |--silent )?([a-z][a-z:0-9-]*)/g)
    expect(named.length).toBeGreaterThan(30)
    expect(named.filter(({ found }) => !(found in scripts)).map(place)).toEqual([])
  })
})

describe('the commands in README.md and docs', () => {
  const used = [
    ...matches(/\bnpm run -s storeward -- ([a-z][^`\n]+)/g),
    ...matches(/(?:`|^|\s)storeward ((?:[a-z][\w-]* ?)+(?:--[^`\n]+)?)`/gm),
  ].map(({ file, found }) => ({ file, found, words: found.trim().split(/\s+/) }))
  const help = new Map<string, string>()

  /** The help text of a command, of which the first line is its usage. */
  async function helpOf(words: readonly string[]): Promise<string> {
    const name = words.join(' ')
    const text = help.get(name) ?? (await command([...words, '--help'], {})).out
    help.set(name, text)
    return text
  }

  /** The command that a line runs, with its help. The rest of the line are arguments and options. */
  async function commandOf([group = '', name = '']: readonly string[]): Promise<{ words: string[]; text: string }> {
    const text = await helpOf([group])
    const isGroup = /^Usage: .*\[command\]/.test(text)
    return isGroup && /^[a-z]/.test(name)
      ? { words: [group, name], text: await helpOf([group, name]) }
      : { words: [group], text }
  }

  test('exist with their options', async () => {
    expect(used.length).toBeGreaterThan(30)
    const unknown: string[] = []
    for (const { file, found, words } of used) {
      const { words: name, text } = await commandOf(words)
      const options = words.filter((word) => /^--\w/.test(word))
      const isKnown =
        text.startsWith(`Usage: storeward ${name.join(' ')} `) && options.every((option) => text.includes(option))
      if (!isKnown) unknown.push(place({ file, found }))
    }
    expect(unknown).toEqual([])
  })
})
