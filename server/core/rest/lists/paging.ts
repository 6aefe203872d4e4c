import t, { type Static } from 'typebox'
import { isObject } from '../../objects.ts'
import { ID_MAX } from '../input/fields.ts'
import { Problem } from '../problem.ts'

const PAGE_DEFAULT = 50
const PAGE_MAX = 250
const PAGE_BOUNDS = { minimum: 1, maximum: 1_000_000_000_000 }

/** The query parameters of offset paging (docs/contract/conventions.md section 3). A `limit` over the maximum is 413. */
export const pagingUpTo = (maximum: number, byDefault = PAGE_DEFAULT) => ({
  page: t.Optional(t.Integer({ ...PAGE_BOUNDS, default: 1 })),
  limit: t.Optional(
    t.Integer({
      minimum: 1,
      maximum,
      default: byDefault,
      description: 'Entries of a page; more than the maximum is 413',
    }),
  ),
})

/** The paging of nearly all lists. */
export const paging = pagingUpTo(PAGE_MAX)

/** Paging without a default for `page`, for lists whose answer depends on whether the query names one. */
export const pagingWithoutDefault = { ...paging, page: t.Optional(t.Integer(PAGE_BOUNDS)) }

const Links = t.Object(
  {
    previous: t.Optional(t.String({ description: 'Missing on the first page' })),
    current: t.String({ description: 'The query of this page' }),
    next: t.Optional(t.String({ description: 'Missing on the last page' })),
  },
  { title: 'PageLinks', description: 'Query strings of this page and its neighbours, without host and path' },
)

export const Pagination = t.Object(
  {
    total: t.Integer({ description: 'The number of entries of the whole list' }),
    count: t.Integer({ description: 'The number of entries on this page' }),
    per_page: t.Integer({ description: 'The most entries of a page: the `limit` of the query' }),
    current_page: t.Integer({ description: 'The number of this page, from 1' }),
    total_pages: t.Integer({ description: 'The number of pages with this limit' }),
    links: Links,
  },
  { title: 'Pagination', description: 'The position of the page in the whole list' },
)
/** The `meta` of a list with pages. */
export const PageMeta = t.Object(
  { pagination: Pagination },
  { title: 'PageMeta', description: 'The position of the page in the whole list' },
)
export type Pagination = Static<typeof Pagination>

export const CursorPagination = t.Object(
  {
    count: t.Integer({ description: 'The number of entries on this page' }),
    per_page: t.Integer({ description: 'The most entries of a page: the `limit` of the query' }),
    start_cursor: t.Optional(t.String({ description: 'The cursor of the first entry. Pass it as `before`' })),
    end_cursor: t.Optional(t.String({ description: 'The cursor of the last entry. Pass it as `after`' })),
    links: Links,
  },
  { title: 'CursorPagination', description: 'The cursors of the page' },
)
export type CursorPagination = Static<typeof CursorPagination>

/** Query parameters that choose a page. In links they come last. */
const POSITION = new Set(['page', 'limit', 'before', 'after'])

/** A page of a list: how many rows the list has, and how many of them are on the page. */
interface PageOfList {
  total: number
  count: number
  page: number
  limit: number
}

/**
 * `meta.pagination`. Links are query strings only, percent-encoded: the request's other parameters, then page, then limit.
 */
export function pagination({ total, count, page, limit }: PageOfList, query: object): Pagination {
  const total_pages = Math.ceil(total / limit)
  const link = (target: number) => linkTo(query, { page: target, limit })
  return {
    total,
    count,
    per_page: limit,
    current_page: page,
    total_pages,
    links: {
      ...(page > 1 ? { previous: link(page - 1) } : {}),
      current: link(page),
      ...(page < total_pages ? { next: link(page + 1) } : {}),
    },
  }
}

/** A query string with the request's own parameters and another position. */
export function linkTo(query: object, position: Record<string, string | number>): string {
  const kept = Object.entries(query).filter(([name, value]) => !POSITION.has(name) && value !== undefined)
  const parts = [...kept, ...Object.entries(position)].map(
    ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`,
  )
  return `?${parts.join('&')}`
}

/**
 * An opaque position in a list (docs/contract/conventions.md section 4).
 * @param key of the row, for lists that are not in the order of ids
 */
export const encodeCursor = (id: number, key: string | null = null): string =>
  Buffer.from(JSON.stringify({ v: 1, k: key, id })).toString('base64url')

/** Returns the id of the row at a cursor. @throws Problem 422 if the text is not a cursor */
export const decodeCursor = (cursor: string): number => decodeKeyedCursor(cursor).id

/** Returns id and key of the row at a cursor. @throws Problem 422 if the text is not a cursor */
export function decodeKeyedCursor(cursor: string): { id: number; key: string } {
  try {
    const position: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
    if (isObject(position) && position.v === 1) {
      const { id } = position
      const key = typeof position.k === 'string' && !position.k.includes('\0') ? position.k : ''
      if (typeof id === 'number' && Number.isInteger(id) && id > 0 && id <= ID_MAX) return { id, key }
    }
  } catch {
    // Not JSON: refused below.
  }
  throw new Problem(422, `The query is not valid: ${JSON.stringify(cursor)} is not a cursor.`)
}
