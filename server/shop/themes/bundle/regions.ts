/** Most regions of a template, and characters of a name: the rest is ignored. */
const REGIONS_MAX = 1_000
const NAME_MAX = 255

/** A region in a template, or another template that it includes. */
export type RegionPart = { region: string } | { include: string }

/** The names of the regions of each page template, in the order of its file and of the templates that it includes. */
export type ThemeRegions = Readonly<Record<string, readonly string[]>>

const HELPER = /\{\{\{?~?\s{0,9}(?:region\s{1,9}([^}]{0,500})|#?>\s{0,9}["']?([\w./-]{1,255}))/g
const NAME = /(?:^|\s)name=(?:"([^"]+)"|'([^']+)')/

/** The regions and includes of a template, in their order. Comments count as empty. */
export function regionParts(template: string): RegionPart[] {
  const parts: RegionPart[] = []
  for (const [, attributes, include] of withoutComments(template).matchAll(HELPER)) {
    if (include !== undefined) parts.push({ include })
    const [, quoted, single] = NAME.exec(attributes ?? '') ?? []
    const region = quoted ?? single
    if (region !== undefined && region.length <= NAME_MAX) parts.push({ region })
  }
  return parts
}

/** Searches for ends one after another: a pattern would search from every beginning to the end of the template. */
function withoutComments(template: string): string {
  const pieces: string[] = []
  let from = 0
  for (let begin = template.indexOf('{{!'); begin >= 0; begin = template.indexOf('{{!', from)) {
    pieces.push(template.slice(from, begin))
    const end = template.startsWith('--', begin + 3) ? '--}}' : '}}'
    const found = template.indexOf(end, begin + 3)
    if (found < 0) return pieces.join('')
    from = found + end.length
  }
  return [...pieces, template.slice(from)].join('')
}

/**
 * The regions of each page template of a theme.
 * @param parts of each template, by its name without folder and ending: `pages/home`, `components/card`
 */
export function regionsOf(parts: ReadonlyMap<string, readonly RegionPart[]>): ThemeRegions {
  const names = [...parts.keys()].filter((name) => name.startsWith('pages/')).sort()
  return Object.fromEntries(names.map((name) => [name, regionsOfTemplate(name, parts)]))
}

function regionsOfTemplate(name: string, parts: ReadonlyMap<string, readonly RegionPart[]>): string[] {
  const regions = new Set<string>()
  const visited = new Set<string>()
  // A list of its own in place of recursion, because a theme may nest includes deeply.
  const left: RegionPart[] = [{ include: name }]
  for (let part = left.pop(); part !== undefined && regions.size < REGIONS_MAX; part = left.pop()) {
    if ('region' in part) regions.add(part.region)
    else if (!visited.has(part.include)) {
      visited.add(part.include)
      for (const inner of parts.get(part.include)?.toReversed() ?? []) left.push(inner)
    }
  }
  return [...regions]
}

/** The name of a template: its path without folder and ending. */
export const templateName = (path: string) => path.replace(/^templates\//, '').replace(/\.html$/, '')
