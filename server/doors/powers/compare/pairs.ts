import { isObject } from '../../../core/objects.ts'
import type { StoredId } from '../bundles/imports/id-map.ts'

/**
 * Ids of the left store with those of the same rows in the right one: from the id map of an import, and from rows that both stores have
 * created at the same request. A row without a pair has the same id in both, as in a fork.
 */
export class IdPairs {
  readonly #right = new Map<string, string>()

  constructor(pairs: readonly StoredId[] = []) {
    for (const { kind, old_id, new_id } of pairs) this.#right.set(`${kind} ${old_id}`, new_id)
  }

  /** Remembers the row that both stores have created. @param path of the request */
  learn(path: string, left: unknown, right: unknown) {
    const kind = listOf(segmentsOf(path))
    const [leftRows, rightRows] = [rowsIn(left), rowsIn(right)]
    for (const [i, row] of leftRows.entries()) {
      const [leftId, rightId] = [idOf(row), idOf(rightRows[i])]
      if (leftId !== undefined && rightId !== undefined) this.#right.set(`${kind} ${leftId}`, rightId)
    }
  }

  /** A path with its query, with the ids of the right store. */
  pathFor(path: string): string {
    const [place = '', query] = path.split('?', 2)
    const segments = place.split('/')
    const mapped = segments.map((segment, i) =>
      isIdSegment(segment) ? this.#find(listOf(segments.slice(0, i)), segment) : segment,
    )
    const list = listOf(segments)
    return query === undefined ? mapped.join('/') : `${mapped.join('/')}?${this.#queryFor(query, list)}`
  }

  /** A body with the ids of the right store. */
  bodyFor(path: string, body: unknown): unknown {
    return this.#mapped(body, listOf(segmentsOf(path)))
  }

  #queryFor(query: string, list: string): string {
    const parameters = new URLSearchParams(query)
    for (const [name, value] of [...parameters]) {
      const kind = /^id(:|$)/.test(name) ? list : kindOfField(name.split(':', 1)[0] ?? '')
      if (kind === undefined) continue
      parameters.set(
        name,
        value
          .split(',')
          .map((id) => this.#find(kind, id))
          .join(','),
      )
    }
    return parameters.toString().replaceAll('%3A', ':').replaceAll('%2C', ',')
  }

  #mapped(value: unknown, list: string): unknown {
    if (Array.isArray(value)) return value.map((each) => this.#mapped(each, list))
    if (!isObject(value)) return value
    const entries = Object.entries(value).map(([name, each]) => {
      const kind = name === 'id' ? list : kindOfField(name)
      if (kind === undefined) return [name, this.#mapped(each, list)]
      return [name, Array.isArray(each) ? each.map((id) => this.#likeWritten(kind, id)) : this.#likeWritten(kind, each)]
    })
    return Object.fromEntries(entries)
  }

  #likeWritten(kind: string, id: unknown): unknown {
    if (typeof id === 'number') return Number(this.#find(kind, String(id)))
    return typeof id === 'string' ? this.#find(kind, id) : id
  }

  #find = (kind: string, id: string): string => this.#right.get(`${kind} ${id}`) ?? id
}

/** Segments of paths and names of fields that stand for a kind of another name in the id map. */
const KINDS: Readonly<Record<string, string>> = {
  pricelists: 'price-lists',
  customer_groups: 'customer-groups',
  tax_classes: 'tax-classes',
  values: 'option-values',
}

const kindOf = (segment: string): string => KINDS[segment] ?? segment.replaceAll('_', '-')

/** The kind of the last list of a path. Zones are those of shipping or of taxes. */
function listOf(segments: readonly string[]): string {
  const at = segments.findLastIndex((segment) => !isIdSegment(segment))
  const name = segments[at] ?? ''
  return name === 'zones' ? `${segments[at - 1]}-zones` : kindOf(name)
}

/** The kind of `product_id` and `categories`; undefined for a field that has no ids. */
function kindOfField(name: string): string | undefined {
  const [, singular] = /^(\w+?)_ids?$/.exec(name) ?? []
  if (singular !== undefined) return SINGULARS[singular] ?? kindOf(pluralOf(singular))
  return LISTS.has(name) ? kindOf(name) : undefined
}

/** Fields with lists of ids. */
const LISTS: ReadonlySet<string> = new Set([
  'brands',
  'categories',
  'channels',
  'products',
  'variants',
  'related_products',
])

/** Fields whose names are not those of their kind. */
const SINGULARS: Readonly<Record<string, string>> = {
  parent: 'categories',
  tree: 'trees',
  tax_class: 'tax-classes',
  price_list: 'price-lists',
  order_address: 'order-addresses',
  order_product: 'order-lines',
}

const pluralOf = (noun: string): string =>
  noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : noun.endsWith('ss') ? `${noun}es` : `${noun}s`

const segmentsOf = (path: string): string[] => (path.split('?', 1)[0] ?? '').split('/').filter((part) => part !== '')

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Whether a segment of a path names a row. */
export const isIdSegment = (segment: string): boolean => /^\d+$/.test(segment) || UUID.test(segment)

const idOf = (row: unknown): string | undefined => {
  if (!isObject(row)) return undefined
  const id = row.id ?? row.uuid ?? row.category_id
  return typeof id === 'number' || typeof id === 'string' ? String(id) : undefined
}

function rowsIn(body: unknown): unknown[] {
  const data = isObject(body) && 'data' in body ? body.data : body
  return Array.isArray(data) ? data : [data]
}
