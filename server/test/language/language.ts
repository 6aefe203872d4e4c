import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseSync, Visitor } from 'oxc-parser'

// Measures how the tree reads: the words of comments, test titles and pages, and the names and parameters of functions.

const repository = fileURLToPath(new URL('../../..', import.meta.url))

/** A finding in a file, such as a sentence. */
export interface Place {
  file: string
  line: number
  text: string
}

/** Everything that is counted about a set of files. */
export interface Measures {
  /** Each sentence of the comments. */
  sentences: Place[]
  /** Each comment. Line comments on consecutive lines are one. */
  comments: Place[]
  titles: Place[]
  /** Each sentence of the Markdown pages. */
  pageSentences: Place[]
  /** Each name that is declared. */
  names: Place[]
  /** Each name that a file of `server/` exports, tests and generated types excluded. */
  exports: Place[]
  /** Each function with more than four positional parameters. */
  longFunctions: Place[]
}

const PARAMETERS_MAX = 4
/** Words with which a clause takes the place of a noun. */
const CLAUSE = /\b(?:what|whatever|whoever|whom)\b/i

export const hasClause = ({ text }: Place) => CLAUSE.test(text)
export const beginsWithClause = ({ text }: Place) => /^(?:what|whatever|whoever|whom)\b/i.test(text)
export const hasReportingVerb = ({ text }: Place) =>
  text.split(/(?=[A-Z])|_/).some((word) => /^(?:tell|tells|told)$/i.test(word))
export const splitsCannot = ({ text }: Place) => /\bcan not\b/i.test(text)

/** Measures the source files and Markdown pages of the repository. @param under a path that theirs must begin with */
export function measure(under = ''): Measures {
  const measures: Measures = {
    sentences: [],
    comments: [],
    titles: [],
    pageSentences: [],
    names: [],
    exports: [],
    longFunctions: [],
  }
  for (const file of filesBelow(repository)) {
    if (!file.startsWith(under)) continue
    const text = readFileSync(join(repository, file), 'utf8')
    if (file.endsWith('.md')) measures.pageSentences.push(...sentencesOf({ file, line: 1, text: withoutCode(text) }))
    else measureSource(file, text, measures)
  }
  return measures
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !['node_modules', '.git'].includes(name) && !name.startsWith('dist'))
    .flatMap((entry) => {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) return filesBelow(path)
      return /\.(?:[jt]s|mjs|md)$/.test(entry.name) ? [relative(repository, path)] : []
    })
    .sort()
}

function measureSource(file: string, source: string, measures: Measures) {
  const { program, comments } = parseSync(file, source)
  const lineOf = lineFinder(source)
  const at = (start: number, text: string): Place => ({ file, line: lineOf(start), text })
  for (const comment of joined(comments, source)) {
    const place = at(comment.start, comment.text)
    measures.comments.push(place)
    measures.sentences.push(...sentencesOf(place))
  }
  // Each GraphQL schema has a file of generated types, with the same names. Declarations repeat the names of their scripts.
  const isExporting = file.startsWith('server/') && !/\.(test|d)\.ts$|\/schema-types\.ts$|^server\/test\//.test(file)
  const countParameters = (node: { params: unknown[]; start: number }) => {
    const line = source.slice(node.start, source.indexOf('\n', node.start))
    if (node.params.length > PARAMETERS_MAX) measures.longFunctions.push(at(node.start, line))
  }
  new Visitor({
    Identifier: ({ name, start }) => void measures.names.push(at(start, name)),
    FunctionDeclaration: countParameters,
    FunctionExpression: countParameters,
    ArrowFunctionExpression: countParameters,
    CallExpression: ({ callee, arguments: [title] }) => {
      const name = /^(?:test|it|describe)\b/.test(source.slice(callee.start, callee.end))
      if (!name || title === undefined) return
      const isText = title.type === 'Literal' && typeof title.value === 'string'
      if (isText || title.type === 'TemplateLiteral') {
        measures.titles.push(at(title.start, source.slice(title.start + 1, title.end - 1)))
      }
    },
    ExportNamedDeclaration: ({ declaration, start }) => {
      if (!isExporting || !declaration) return
      if (declaration.type === 'VariableDeclaration') {
        const bound = declaration.declarations.flatMap(({ id }) => (id.type === 'Identifier' ? [id.name] : []))
        measures.exports.push(...bound.map((name) => at(start, name)))
      } else if ('id' in declaration && declaration.id?.type === 'Identifier') {
        measures.exports.push(at(start, declaration.id.name))
      }
    },
  }).visit(program)
}

interface Comment {
  type: 'Line' | 'Block'
  value: string
  start: number
  end: number
}

/** The comments with their plain text. Line comments on consecutive lines are joined, directives of tools left out. */
function joined(comments: readonly Comment[], source: string): { start: number; text: string }[] {
  const found: { start: number; end: number; isLine: boolean; text: string }[] = []
  for (const { type, value, start, end } of comments) {
    const text = value.replace(/^\s*\*+ ?/gm, '').trim()
    const last = found.at(-1)
    const follows = last?.isLine && type === 'Line' && /^[ \t]*\n[ \t]*$/.test(source.slice(last.end, start))
    if (last && follows) {
      last.text += `\n${text}`
      last.end = end
    } else if (!/^(?:biome-ignore|!|@ts-|knip)/.test(text)) {
      found.push({ start, end, isLine: type === 'Line', text })
    }
  }
  return found
}

/** Quoted code and text are not sentences of ours. */
function sentencesOf({ file, line, text }: Place): Place[] {
  let offset = 0
  return text
    .replace(/`[^`\n]*`|"[^"\n]*"/g, (quoted) => 'x'.repeat(quoted.length))
    .split(/(?<=[.!?:;|])\s+|\n\s*\n|\n(?=\s*(?:[-*#|]|\d+\.|@))/)
    .map((sentence) => {
      const start = text.indexOf(sentence.slice(0, 1), offset)
      const place = { file, line: line + lineBreaks(text.slice(0, start)), text: sentence.trim() }
      offset = start + sentence.length
      return place
    })
    .filter(({ text }) => /\p{L}{2}.*\s.*\p{L}/su.test(text))
}

const lineBreaks = (text: string) => text.split('\n').length - 1

/** A page with its blocks of code emptied, line by line. */
const withoutCode = (text: string) => text.replace(/^```.*?^```/gms, (block) => '\n'.repeat(lineBreaks(block)))

function lineFinder(source: string): (offset: number) => number {
  let [line, seen] = [1, 0]
  return (offset) => {
    if (offset < seen) [line, seen] = [1, 0]
    line += lineBreaks(source.slice(seen, offset))
    seen = offset
    return line
  }
}

/** The places of names that stand more than once. */
export function repeated(places: readonly Place[]): Place[] {
  const files = Map.groupBy(places, ({ text }) => text)
  return places.filter(({ text }) => new Set(files.get(text)?.map(({ file }) => file)).size > 1)
}
