import { type Sql, sql } from '../../../../core/db/sql.ts'
import { GraphRefusal } from '../../../../core/graphql/refusal.ts'

// Pages of lists. A cursor is the position in its list, as public clients know it: base64 of `arrayconnection:7`, or the keys of the last row
// of a long list, which stay right while rows before it come and go.

/** The arguments of a connection. */
export interface PageArgs {
  before?: string | null
  after?: string | null
  first?: number | null
  last?: number | null
}

const LENGTH = { usual: 10, max: 50 } as const

/** A page to read. */
interface Page {
  length: number
  isBackward: boolean
  /** The cursor that the page begins behind, in its direction. */
  from: string | undefined
}

/** Public clients send an empty text for the first page, as if they gave no cursor. @throws GraphRefusal that names the argument */
function pageOf({ first, last, ...cursors }: PageArgs): Page {
  const [before, after] = [cursors.before || undefined, cursors.after || undefined]
  if (first != null && last != null) throw refusal('first and last exclude each other.')
  if (before !== undefined && after !== undefined) throw refusal('before and after exclude each other.')
  const isBackward = last != null || (before !== undefined && first == null)
  if (isBackward && after !== undefined) throw refusal('last goes with before, and not with after.')
  if (!isBackward && before !== undefined) throw refusal('first goes with after, and not with before.')
  const [name, length] = isBackward ? ['last', last] : ['first', first]
  if (length != null && (length < 0 || length > LENGTH.max)) {
    throw refusal(`${name} must be 0 to ${LENGTH.max}, not ${length}.`)
  }
  return { length: length ?? LENGTH.usual, isBackward, from: isBackward ? before : after }
}

const refusal = (sentence: string) => new GraphRefusal(sentence, 'BAD_USER_INPUT')

/** @throws GraphRefusal */
const refuseCursor = (isBackward: boolean): never => {
  throw refusal(`${isBackward ? 'before' : 'after'} is not a cursor of this list.`)
}

const POSITION = 'arrayconnection:'
const encode = (text: string) => Buffer.from(text).toString('base64')

/** One page of items that are all in memory. */
export function connectionOf<Item>(items: readonly Item[], args: PageArgs) {
  const page = pageOf(args)
  const at = page.from === undefined ? undefined : positionIn(page.from, page.isBackward)
  const [begin, end] = page.isBackward
    ? [
        Math.max(0, Math.min(at ?? items.length, items.length) - page.length),
        Math.min(at ?? items.length, items.length),
      ]
    : [at === undefined ? 0 : at + 1, Math.min(items.length, (at === undefined ? 0 : at + 1) + page.length)]
  const edges = items.slice(begin, end).map((node, i) => ({ node, cursor: encode(`${POSITION}${begin + i}`) }))
  return {
    edges,
    pageInfo: {
      hasNextPage: end < items.length,
      hasPreviousPage: begin > 0,
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
    collectionInfo: { totalItems: items.length },
  }
}

function positionIn(cursor: string, isBackward: boolean): number {
  const text = Buffer.from(cursor, 'base64').toString()
  const [, digits] = /^arrayconnection:(\d{1,9})$/.exec(text) ?? []
  return digits === undefined ? refuseCursor(isBackward) : Number(digits)
}

/** The order of a long list: columns that all rise or all fall, the last one unique. They hold whole numbers. */
export interface Order {
  columns: readonly [string, ...string[]]
  isFalling: boolean
  /** Whether the first one holds texts. */
  isText?: boolean
  /** The position of the column that holds texts, if it isn't the first one. */
  textAt?: number
}

export type Key = readonly (number | string)[]

/** The part of a statement that reads one page, with a row more that shows whether there is a next one. */
interface PagePlan {
  page: Page
  order: Order
  /** The condition of rows behind the cursor. */
  where: Sql
  /** `order by` and `limit`. */
  tail: Sql
}

/** @throws GraphRefusal */
export function planPage(args: PageArgs, order: Order): PagePlan {
  const page = pageOf(args)
  const isFalling = order.isFalling !== page.isBackward
  const key = page.from === undefined ? undefined : keyIn(page.from, order, page.isBackward)
  const columns = sql.join(order.columns.map((column) => sql.raw(column)))
  const behind =
    key && sql`(${columns}) ${sql.raw(isFalling ? '<' : '>')} (${sql.join(key.map((value) => sql`${value}`))})`
  const direction = isFalling ? ' desc' : ''
  const ordering = sql.raw(order.columns.map((column) => `${column}${direction}`).join(', '))
  return { page, order, where: behind ?? sql`true`, tail: sql`order by ${ordering} limit ${page.length + 1}` }
}

function keyIn(cursor: string, { columns, isText = false, textAt = isText ? 0 : -1 }: Order, isBackward: boolean): Key {
  const key = parsed(Buffer.from(cursor, 'base64').toString())
  const isKey =
    Array.isArray(key) &&
    key.length === columns.length &&
    key.every((part, i) =>
      i === textAt ? typeof part === 'string' && !part.includes('\0') : Number.isSafeInteger(part),
    )
  return isKey ? key : refuseCursor(isBackward)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * One page of a long list.
 * @param rows as the statement with the plan returned them
 * @param keyOf the values of the ordering columns
 */
export function keyedConnection<Row, Node>(
  { page }: Pick<PagePlan, 'page'>,
  rows: readonly Row[],
  { keyOf, nodeOf }: { keyOf(row: Row): Key; nodeOf(row: Row): Node },
) {
  const found = rows.slice(0, page.length)
  if (page.isBackward) found.reverse()
  const edges = found.map((row) => ({ node: nodeOf(row), cursor: encode(JSON.stringify(keyOf(row))) }))
  const [hasMore, cameFrom] = [rows.length > page.length, page.from !== undefined]
  return {
    edges,
    pageInfo: {
      hasNextPage: page.isBackward ? cameFrom : hasMore,
      hasPreviousPage: page.isBackward ? hasMore : cameFrom,
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
  }
}
