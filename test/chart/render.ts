import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse, stringify } from 'yaml'

// Renders the chart as Helm does, with the part of its language that the chart uses. Anything else is refused, so that the chart stays within it
// (docs/decisions/172-the-chart.md).

/** A part of a template. */
type Node =
  | { kind: 'text'; text: string }
  | { kind: 'value'; expression: string }
  | { kind: 'if'; expression: string; body: Node[]; otherwise: Node[] }
  | { kind: 'range'; key: string; value: string; expression: string; body: Node[] }
  | { kind: 'define'; name: string; body: Node[] }

/** The root of all values, and the variables of the ranges around. */
interface Scope {
  root: unknown
  variables: ReadonlyMap<string, unknown>
}

type Definitions = Map<string, Node[]>

/** The objects of a chart. @param values those that differ from values.yaml @throws Error for a missing value, as Helm does */
export function renderChart(
  folder: string,
  values: Record<string, unknown>,
  release = 'shop',
): Record<string, unknown>[] {
  const read = (file: string) => readFileSync(join(folder, file), 'utf8')
  const chart: { version: string; appVersion: string; name: string } = parse(read('Chart.yaml'))
  const root = {
    Values: merged(parse(read('values.yaml')), values),
    Release: { Name: release, Service: 'Helm', Namespace: 'default' },
    Chart: { Name: chart.name, Version: chart.version, AppVersion: chart.appVersion },
  }
  const files = readdirSync(join(folder, 'templates')).sort()
  const definitions: Definitions = new Map()
  const parsed = files.map((file) => parseTemplate(read(join('templates', file)), file))
  for (const node of parsed.flat()) if (node.kind === 'define') definitions.set(node.name, node.body)
  return files.flatMap((file, i) => {
    if (file.startsWith('_')) return []
    const text = render(parsed[i] ?? [], { root, variables: new Map() }, definitions)
    const documents = text.split(/^---$/m).map((document): unknown => parse(document))
    return documents.filter((one): one is Record<string, unknown> => typeof one === 'object' && one !== null)
  })
}

/** Values with those of another map in their place, map by map. */
function merged(values: unknown, others: unknown): unknown {
  if (!isMap(values) || !isMap(others)) return others ?? values
  const names = [...new Set([...Object.keys(values), ...Object.keys(others)])]
  return Object.fromEntries(names.map((name) => [name, merged(values[name], others[name])]))
}

const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const ACTION = /\{\{(-?)\s*([\s\S]*?)\s*(-?)\}\}/g

function parseTemplate(text: string, file: string): Node[] {
  const top: Node[] = []
  /** The blocks that are open, each with the list that its nodes go to. */
  const open: { node?: Node; into: Node[] }[] = [{ into: top }]
  const into = () => open.at(-1)?.into ?? top
  let start = 0
  let trims = false
  const addText = (end: number, trimsEnd: boolean) => {
    let piece = text.slice(start, end)
    if (trims) piece = piece.trimStart()
    if (trimsEnd) piece = piece.trimEnd()
    if (piece !== '') into().push({ kind: 'text', text: piece })
  }
  const block = (node: Node, inner: Node[]) => {
    into().push(node)
    open.push({ node, into: inner })
  }
  for (const { 0: action, 1: left, 2: content = '', 3: right, index } of text.matchAll(ACTION)) {
    addText(index, left === '-')
    start = index + action.length
    trims = right === '-'
    const [word = '', rest = ''] = /^(\w+)\s+([\s\S]+)$/.exec(content)?.slice(1) ?? [content]
    if (word === 'if') {
      const node: Node = { kind: 'if', expression: rest, body: [], otherwise: [] }
      block(node, node.body)
    } else if (word === 'else' && rest === '') {
      const last = open.at(-1)
      if (last?.node?.kind !== 'if') throw new Error(`${file}: else without if`)
      last.into = last.node.otherwise
    } else if (word === 'range') {
      const [, key = '', value = '', expression = ''] = /^(\$\w+), (\$\w+) := (.+)$/.exec(rest) ?? []
      if (key === '') throw new Error(`${file}: a range needs a key and a value: ${content}`)
      const node: Node = { kind: 'range', key, value, expression, body: [] }
      block(node, node.body)
    } else if (word === 'define') {
      const node: Node = { kind: 'define', name: rest.replaceAll('"', ''), body: [] }
      block(node, node.body)
    } else if (content === 'end') {
      if (open.length === 1) throw new Error(`${file}: end without a block`)
      open.pop()
    } else into().push({ kind: 'value', expression: content })
  }
  addText(text.length, false)
  if (open.length > 1) throw new Error(`${file}: a block has no end`)
  return top
}

function render(nodes: readonly Node[], scope: Scope, definitions: Definitions): string {
  const rendered = nodes.map((node) => renderNode(node, scope, definitions))
  return rendered.join('')
}

function renderNode(node: Node, scope: Scope, definitions: Definitions): string {
  const value = (expression: string) => evaluate(expression, scope, definitions)
  switch (node.kind) {
    case 'text':
      return node.text
    case 'value':
      return toText(value(node.expression))
    case 'if':
      return render(isTrue(value(node.expression)) ? node.body : node.otherwise, scope, definitions)
    case 'range': {
      const map = value(node.expression)
      // Go goes through a map in the order of its keys.
      const entries = isMap(map) ? Object.entries(map).sort(([one], [other]) => (one < other ? -1 : 1)) : []
      return entries
        .map(([key, one]) => {
          const variables = new Map([...scope.variables, [node.key, key], [node.value, one]])
          return render(node.body, { ...scope, variables }, definitions)
        })
        .join('')
    }
    case 'define':
      return ''
  }
}

/** A pipeline: the result of a command is the last argument of the next one. */
function evaluate(expression: string, scope: Scope, definitions: Definitions): unknown {
  let piped: unknown[] = []
  for (const command of splitOutside(expression, '|')) {
    const [head = '', ...args] = splitOutside(command, ' ').filter((word) => word !== '')
    const given = [...args.map((word) => operand(word, scope)), ...piped]
    piped = [/^[a-z]/i.test(head) ? call(head, given, scope, definitions) : operand(head, scope)]
    if (!/^[a-z]/i.test(head) && args.length > 0) throw new Error(`This takes no arguments: ${command}`)
  }
  return piped[0]
}

/** The parts of a text between separators that stand in no quotes. */
function splitOutside(text: string, separator: string): string[] {
  const parts = ['']
  let isQuoted = false
  for (const letter of text) {
    if (letter === '"') isQuoted = !isQuoted
    if (letter === separator && !isQuoted) parts.push('')
    else parts.push(`${parts.pop()}${letter}`)
  }
  return parts.map((part) => part.trim())
}

function operand(word: string, { root, variables }: Scope): unknown {
  if (/^".*"$/.test(word)) return word.slice(1, -1)
  if (/^\d+$/.test(word)) return Number(word)
  if (word === '.') return root
  if (variables.has(word)) return variables.get(word)
  if (/^(\.\w+)+$/.test(word)) {
    return word
      .slice(1)
      .split('.')
      .reduce<unknown>((value, name) => (isMap(value) ? value[name] : undefined), root)
  }
  throw new Error(`The renderer does not know ${word}.`)
}

function call(name: string, args: unknown[], scope: Scope, definitions: Definitions): unknown {
  const [first, last] = [args[0], args.at(-1)]
  const indented = () =>
    toText(last)
      .split('\n')
      .map((line) => ' '.repeat(Number(first)) + line)
      .join('\n')
  switch (name) {
    case 'quote':
      return JSON.stringify(toText(last))
    case 'default':
      return isTrue(last) ? last : first
    case 'required':
      if (last === undefined || last === '') throw new Error(`${first} is missing.`)
      return last
    case 'not':
      return !isTrue(last)
    case 'toYaml':
      return stringify(last).trimEnd()
    case 'toJson':
      return JSON.stringify(last)
    case 'sha256sum':
      return createHash('sha256').update(toText(last)).digest('hex')
    case 'nindent':
      return `\n${indented()}`
    case 'include': {
      const body = definitions.get(String(first))
      if (body === undefined) throw new Error(`There is no definition of ${first}.`)
      return render(body, scope, definitions)
    }
    default:
      throw new Error(`The renderer does not know the function ${name}.`)
  }
}

/** As in Go's templates: empty texts, lists and maps, 0, false and missing values are false. */
const isTrue = (value: unknown): boolean =>
  Array.isArray(value) ? value.length > 0 : isMap(value) ? Object.keys(value).length > 0 : Boolean(value)

const toText = (value: unknown): string => (value === undefined || value === null ? '' : String(value))
