import { isObject } from '../../../core/objects.ts'
import type { Row } from './bundle.ts'
import type { BundleKind } from './kinds/kind.ts'
import type { StoreApi } from './store-api.ts'

const PAGE = 250
/** Rows that a page of a list that is read from its end has in common with the page before. */
const OVERLAP = 50

/** A list that answered with an error. */
class ListFault extends Error {}

/** The id of a row; undefined for a kind without ids. */
export function idOf({ key = 'id' }: Pick<BundleKind, 'key'>, row: Row): string | number | undefined {
  const id = key === null ? undefined : row[key]
  return typeof id === 'number' || typeof id === 'string' ? id : undefined
}

/** A list of the API: how its rows are read. */
type Listed = Pick<BundleKind, 'list' | 'paging' | 'limit' | 'rowsIn' | 'key' | 'isOptional' | 'absent' | 'under'>

/**
 * Reads all rows of a kind, each id once.
 * @param from owners: ids of the owners, for a list below them; after: the id behind which a list begins
 */
export async function* readAll(
  api: StoreApi,
  kind: Listed,
  { owners = [], after = 0 }: { owners?: readonly (string | number)[] | undefined; after?: string | number } = {},
): AsyncGenerator<Row> {
  if (!kind.under) return yield* readList(api, kind, { path: kind.list, after })
  for (const owner of owners) {
    const path = kind.list.replace('{under}', String(owner))
    for await (const row of readList(api, kind, { path, after: 0 })) yield { $under: owner, ...row }
  }
}

async function* readList(
  api: StoreApi,
  kind: Listed,
  { path, after }: { path: string; after: string | number },
): AsyncGenerator<Row> {
  if (kind.paging === 'whole' || kind.paging === 'object') {
    yield* rowsOf(kind, await get(api, kind, path))
    return
  }
  if (kind.paging === 'newest first') return yield* readFromEnd(api, kind, path)
  // To find the rows after an id, the server counts all of them. So a list that does not change is asked for by page number.
  const paging = kind.paging === 'ids' && api.isStill ? 'pages' : kind.paging
  const limit = kind.limit ?? PAGE
  const seen = new Set<unknown>()
  let last = after
  for (let page = 1; ; page++) {
    const positions = {
      ids: `id:greater=${last}`,
      pages: `page=${page}`,
      v2: `page=${page}`,
      offsets: `offset=${(page - 1) * limit}`,
    }
    const body = await get(api, kind, withQuery(path, `${positions[paging]}&limit=${limit}`))
    const rows = rowsOf(kind, body)
    for (const row of rows) {
      const id = idOf(kind, row)
      // A row that moved to a later page while the list was read is written once.
      if (id !== undefined && paging !== 'ids' && seen.size < seen.add(id).size) yield row
      else if (id === undefined || paging === 'ids') yield row
      if (id !== undefined) last = id
    }
    if (rows.length < limit) return
  }
}

const withQuery = (path: string, query: string) => `${path}${path.includes('?') ? '&' : '?'}${query}`

/**
 * Reads a list that has its newest row first from its end, so rows come in the order in which they were created. Pages overlap, so a list
 * that grows or shrinks by a few rows meanwhile loses none.
 */
async function* readFromEnd(api: StoreApi, kind: Listed, path: string): AsyncGenerator<Row> {
  const pageAt = (offset: number, limit: number) => get(api, kind, withQuery(path, `offset=${offset}&limit=${limit}`))
  const seen = new Set<unknown>()
  let offset = totalOf(await pageAt(0, 1))
  while (offset > 0) {
    offset = Math.max(0, offset - PAGE + OVERLAP)
    for (const row of rowsOf(kind, await pageAt(offset, PAGE)).reverse())
      if (seen.size < seen.add(idOf(kind, row)).size) yield row
  }
}

/** The number of rows of a list, as an answer of the companion API has it. */
function totalOf(body: unknown): number {
  const meta = isObject(body) && isObject(body.meta) ? body.meta : {}
  return isObject(meta.pagination) ? Number(meta.pagination.totalCount) : 0
}

/** The rows of an answer of `/v3` or `/v2`; none of an empty answer. */
export function rowsOf(kind: Pick<BundleKind, 'rowsIn'>, body: unknown): Row[] {
  const listed = isObject(body) && kind.rowsIn ? kind.rowsIn(body) : body
  const data = isObject(listed) && 'data' in listed ? listed.data : listed
  if (data === undefined || data === null || data === '') return []
  return (Array.isArray(data) ? data : [data]).filter(isObject)
}

async function get(api: StoreApi, kind: Listed, path: string): Promise<unknown> {
  const { status, body } = await api.send({ method: 'GET', path })
  const isAbsent = status === 404 && (kind.isOptional || kind.under)
  if (status === 204 || isAbsent || kind.absent?.includes(status)) return undefined
  if (status !== 200) throw new ListFault(`GET ${path} was answered with ${status}: ${errorSentence(body)}`)
  return body
}

/** The sentence of an error. */
export function errorSentence(body: unknown): string {
  const first: unknown = Array.isArray(body) ? body[0] : body
  if (!isObject(first)) return ''
  const errors = isObject(first.errors) ? Object.entries(first.errors).map(([at, text]) => `${at}: ${text}`) : []
  const said = [first.title ?? first.message ?? first.detail ?? '', ...errors].join(' ').trim()
  return (said === '' ? JSON.stringify(body) : said).slice(0, 500)
}
