/** Pieces that can hold a separator without meaning it: texts, names, bodies between dollars, comments. The rest is one character each. */
const PIECES = /'(?:[^']|'')*'|"(?:[^"]|"")*"|\$(\w*)\$[\s\S]*?\$\1\$|--[^\n]*|\/\*[\s\S]*?\*\/|[;,()]/g

/** Splits a text of SQL at a character that stands in no text, name, comment or pair of brackets. */
function split(text: string, separator: ';' | ','): string[] {
  const parts: string[] = []
  let start = 0
  let depth = 0
  for (const { 0: piece, index } of text.matchAll(PIECES)) {
    if (piece === '(') depth++
    if (piece === ')') depth--
    if (piece !== separator || depth > 0) continue
    parts.push(text.slice(start, index))
    start = index + 1
  }
  return [...parts, text.slice(start)]
}

const withoutComments = (text: string) =>
  text.replaceAll(/('(?:[^']|'')*'|\$(\w*)\$[\s\S]*?\$\2\$)|--[^\n]*|\/\*[\s\S]*?\*\//g, '$1').trim()

/**
 * The commands of a text of SQL, in order. An `alter table` that adds a constraint and does something else becomes several: Citus takes such a
 * constraint alone.
 */
export function commandsOf(text: string): string[] {
  return split(text, ';')
    .map(withoutComments)
    .filter((command) => command !== '')
    .flatMap(apart)
}

function apart(command: string): string[] {
  const table = /^alter table (?:only )?(?:\w+|"[^"]+")(?:\.(?:\w+|"[^"]+"))?/i.exec(command)?.[0]
  if (table === undefined || !/\badd constraint\b/i.test(command)) return [command]
  return split(command.slice(table.length), ',').map((action) => `${table} ${action.trim()}`)
}
