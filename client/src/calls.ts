// The types of calls: what a method takes besides its body, and what it returns.

/** Options of one call. */
export interface Options {
  /** Ends the call, also while it waits for its turn or for a retry. */
  signal?: AbortSignal
  /** The time of each attempt in milliseconds. */
  timeoutMs?: number
  /** The key under which the server does a write once. Each POST and PUT has a random one if it is left out. */
  idempotencyKey?: string
  /** Headers of this request only. */
  headers?: Record<string, string>
}

/** Options of a write that reads its query, too. */
export interface BodyOptions<Query> extends Options {
  query?: Query
}

/** A file for a form: a Blob or File, bytes, or bytes with a name. */
export type Upload = Blob | Uint8Array | { content: Blob | Uint8Array; filename: string }

/** An answer with all that came with it. */
export interface Answer<T> {
  /** The data without their envelope. */
  data: T
  /** The `meta` of the envelope; an empty object if there is none. */
  meta: Record<string, unknown>
  status: number
  headers: Headers
  /** The server's name of the request, for its operator. */
  requestId: string | undefined
  /** Whether the server repeated the answer of an earlier attempt. */
  isReplayed: boolean
}

/** The result of a call. Awaiting it gives the data; `whole` gives the answer with its status, headers and `meta`. */
export interface Call<T> extends Promise<T> {
  whole(): Promise<Answer<T>>
}

/** A page of a list. */
export interface ListPage<T> {
  data: T[]
  /** `pagination` and `cursor_pagination` of the server; an empty object for lists of the older family. */
  meta: Record<string, unknown>
}

/**
 * A list that is read page by page. The next page is fetched while a page is read. Lists by id or cursor have each row that stayed once,
 * even if rows come and go meanwhile.
 */
export interface Pages<T> extends AsyncIterable<T> {
  /** Reads one page. @param page counts from 1 */
  page(page: number): Promise<ListPage<T>>
  /** Reads all rows. */
  all(): Promise<T[]>
}

/** A list whose server counts its rows. */
export interface CountedPages<T> extends Pages<T> {
  /** The number of rows, by a request for a page of one row. */
  total(): Promise<number>
}

/** An event of a stream. */
export interface StreamedEvent {
  event: string
  data: string
}

/** Events of a stream, until the server ends it. */
export type EventStream = AsyncIterable<StreamedEvent>
