import { OPERATIONS } from './generated/operations.ts'
import { groupsOf } from './groups.ts'

/** An operation of the API. */
export interface Row {
  /** Its method: `products.list`. */
  name: string
  verb: string
  /** With `{}` for each parameter: `v3/catalog/products/{}`. */
  path: string
  /** The number of parameters of its path. */
  params: number
  /** `d`: the result is in the envelope. */
  isWrapped: boolean
  /** `n`: its success has no body. */
  isEmpty: boolean
  /** `b`: its next argument is the body; `q`: it is the query. */
  hasBody: boolean
  hasQuery: boolean
  /** `f`: its body is always a form. */
  isForm: boolean
  /** `t` for a text, `e` for a stream of events. */
  media: 'json' | 'text' | 'events'
  /** How its list is read: `k` by ids, `c` by cursor, `m` by ids of the older family, `o` by offsets, `p` by numbers of pages. */
  pages: 'k' | 'c' | 'm' | 'o' | 'p' | undefined
  /** The maximum of a page. */
  limit: number
}

const VERBS: Record<string, string> = { G: 'GET', P: 'POST', U: 'PUT', D: 'DELETE' }

/** A line of the table: a path, its groups behind `=` if the path doesn't name them, and its methods with their marks. */
function parse(line: string): Row[] {
  const [path = '', ...entries] = line.split(' ')
  const groups = entries[0]?.startsWith('=') ? entries.shift()?.slice(1) : groupsOf(path).join('.')
  return entries.map((entry) => {
    const [method = '', marks = ''] = entry.split(':')
    const has = (mark: string) => marks.includes(mark)
    return {
      name: `${groups}.${method.slice(1)}`,
      verb: VERBS[method.charAt(0)] ?? '',
      path,
      params: path.split('{}').length - 1,
      isWrapped: has('d'),
      isEmpty: has('n'),
      hasBody: has('b'),
      hasQuery: has('q'),
      isForm: has('f'),
      media: has('t') ? 'text' : has('e') ? 'events' : 'json',
      pages: (['k', 'c', 'm', 'o', 'p'] as const).find(has),
      limit: Number(/\d+/.exec(marks)?.[0] ?? 250),
    }
  })
}

/** All operations of the API. */
export const TABLE: readonly Row[] = OPERATIONS.trim().split('\n').flatMap(parse)
