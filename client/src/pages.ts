import type { CountedPages, ListPage, Options } from './calls.ts'
import { StorewardError } from './errors.ts'
import type { Row } from './table.ts'

type Query = Record<string, unknown>

/** Asks for one page of a list. */
export type AskPage = (query: Query, options: Options) => Promise<ListPage<unknown>>

/**
 * A list, read page by page. The next page is asked for while a page is read. Rows may come and go meanwhile: where the API has a filter by
 * id or a cursor, pages begin behind the last row. Other pages overlap by a row; if that row was not read before, rows have gone, and the
 * pages before are read again.
 */
export class List implements CountedPages<unknown> {
  readonly #row: Row
  readonly #query: Query
  readonly #options: Options
  readonly #ask: AskPage

  constructor(row: Row, query: Query, options: Options, ask: AskPage) {
    this.#row = row
    this.#query = query
    this.#options = options
    this.#ask = ask
  }

  async page(page: number): Promise<ListPage<unknown>> {
    if (!Number.isInteger(page) || page < 1) throw new StorewardError(`${this.#row.name}: pages count from 1.`)
    const limit = this.#limit
    const place = this.#row.pages === 'o' ? { limit, offset: (page - 1) * limit } : { limit, page }
    return this.#ask({ ...this.#query, ...place }, this.#options)
  }

  async total(): Promise<number> {
    const total = countOf(await this.#ask({ ...this.#query, limit: 1 }, this.#options))
    if (total === undefined) throw new StorewardError(`${this.#row.name}: the server did not count the rows.`)
    return total
  }

  async all(): Promise<unknown[]> {
    const rows: unknown[] = []
    for await (const row of this) rows.push(row)
    return rows
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<unknown> {
    const { pages } = this.#row
    if (pages === 'c' && !('page' in this.#query)) yield* this.#byCursor()
    else if ((pages === 'k' || pages === 'm') && !this.#isSorted) yield* this.#byId(pages === 'k' ? 'id:min' : 'min_id')
    else yield* this.#byPlace()
  }

  get #limit(): number {
    return typeof this.#query.limit === 'number' ? this.#query.limit : this.#row.limit
  }

  /** Whether the query has an order or a border of its own. */
  get #isSorted(): boolean {
    return Object.keys(this.#query).some((name) =>
      /^(sort|direction|page|id:min|id:greater|min_id|include_fields|exclude_fields)$/.test(name),
    )
  }

  async *#byId(filter: 'id:min' | 'min_id'): AsyncGenerator<unknown> {
    const ask = (from: number) =>
      ahead(this.#ask({ ...this.#query, limit: this.#limit, [filter]: from }, this.#options))
    // Only the first page can be in another order.
    const seen = new Set<unknown>()
    let last = 0
    let next = ahead(this.#ask({ ...this.#query, limit: this.#limit }, this.#options))
    for (;;) {
      const { data, meta } = await next
      const ids = data.map(idOf)
      if (!ids.every((id, i) => id !== undefined && id > (ids[i - 1] ?? last))) {
        // Another order than that of our server.
        yield* this.#byPlace(seen)
        return
      }
      last = ids.at(-1) ?? last
      const total = countOf({ data, meta })
      // A server may give smaller pages than it was asked for, so that only the count says whether rows are left.
      const isLast = data.length === 0 || (total === undefined ? data.length < this.#limit : total <= data.length)
      if (!isLast) next = ask(last + 1)
      yield* fresh(data, seen)
      if (isLast) return
    }
  }

  async *#byCursor(): AsyncGenerator<unknown> {
    let next = ahead(this.#ask({ ...this.#query, limit: this.#limit }, this.#options))
    let former: unknown
    for (let number = 1; ; number += 1) {
      const { data, meta } = await next
      const { end_cursor: cursor, links } = {
        end_cursor: undefined,
        links: undefined,
        ...Object(meta.cursor_pagination),
      }
      if (number === 1 && cursor === undefined && data.length > 0) {
        yield* this.#byPlace()
        return
      }
      const isLast = data.length === 0 || cursor === undefined || cursor === former || Object(links).next === undefined
      former = cursor
      if (!isLast) next = ahead(this.#ask({ ...this.#query, limit: this.#limit, after: cursor }, this.#options))
      yield* data
      if (isLast) return
    }
  }

  async *#byPlace(seen = new Set<unknown>()): AsyncGenerator<unknown> {
    let most = this.#limit
    let window = this.#window(0, most)
    let next = ahead(this.#ask({ ...this.#query, ...window.query }, this.#options))
    let torn = 0
    let idle = 0
    for (;;) {
      const page = await next
      const { data } = page
      const { start, size, overlap } = window
      const border = overlap === undefined ? undefined : data[overlap]
      // Rows without an id that differ each time are never found again.
      const isTorn = overlap !== undefined && torn < TORN_MAX && (border === undefined || !seen.has(identityOf(border)))
      const total = countOf(page)
      const capped = perPageOf(page)
      if (capped !== undefined && capped < size) most = capped
      const end = start + data.length
      const isLast = data.length === 0 || (total === undefined ? data.length < Math.min(size, most) : end >= total)
      if (isTorn) window = this.#window(Math.max(0, start + (overlap ?? 0) + 1 - most), most)
      else if (!isLast) window = this.#window(end, most)
      if (isTorn || !isLast) next = ahead(this.#ask({ ...this.#query, ...window.query }, this.#options))
      // Rows of a torn page come again, behind those that were missed.
      if (isTorn) {
        torn += 1
        continue
      }
      const before = seen.size
      yield* fresh(data, seen)
      idle = seen.size === before ? idle + 1 : 0
      // Pages without a new row follow when the list has gone back, at most twice as many as the rows fill. A server that gives the same page
      // for each number would give it forever.
      if (isLast || idle > IDLE_MIN + (2 * seen.size) / most) return
    }
  }

  /**
   * The page to ask for when so many rows are read. It begins before the next row where the API allows: with an offset at the last row, and
   * with numbers of pages by a size at whose border the last row is.
   */
  #window(read: number, most: number): { query: Query; start: number; size: number; overlap: number | undefined } {
    if (this.#row.pages === 'o') {
      const start = Math.max(0, read - 1)
      return { query: { limit: most, offset: start }, start, size: most, overlap: read > 0 ? 0 : undefined }
    }
    if (read === 0) return { query: { limit: most, page: 1 }, start: 0, size: most, overlap: undefined }
    if (most < OVERLAP_MIN)
      return {
        query: { limit: most, page: Math.floor(read / most) + 1 },
        start: read - (read % most),
        size: most,
        overlap: undefined,
      }
    const last = read - 1
    let best = most
    for (let size = most; size * 2 > most; size -= 1) if (size - (last % size) > best - (last % best)) best = size
    const start = last - (last % best)
    return { query: { limit: best, page: start / best + 1 }, start, size: best, overlap: last - start }
  }
}

/** Smaller pages can't overlap: none of their sizes may have a border near the last row. */
const OVERLAP_MIN = 16
/** Pages without a new row that are always read. */
const IDLE_MIN = 10
/** So often a list may have to go back. */
const TORN_MAX = 1_000

/** Begins a request whose failure is met when its page is read. */
function ahead<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {})
  return promise
}

function* fresh(rows: readonly unknown[], seen: Set<unknown>) {
  for (const row of rows) {
    const identity = identityOf(row)
    if (seen.has(identity)) continue
    seen.add(identity)
    yield row
  }
}

function idOf(row: unknown): number | undefined {
  const { id } = { id: undefined, ...Object(row) }
  return typeof id === 'number' ? id : undefined
}

/** The key of a row: its id, or all of it. */
function identityOf(row: unknown): unknown {
  const { id, uuid } = { id: undefined, uuid: undefined, ...Object(row) }
  return id ?? uuid ?? JSON.stringify(row)
}

function countOf({ meta }: ListPage<unknown>): number | undefined {
  const { total, totalCount } = { total: undefined, totalCount: undefined, ...Object(meta.pagination) }
  const count: unknown = total ?? totalCount
  return typeof count === 'number' ? count : undefined
}

function perPageOf({ meta }: ListPage<unknown>): number | undefined {
  const { per_page: size } = { per_page: undefined, ...Object(meta.pagination) }
  return typeof size === 'number' ? size : undefined
}
