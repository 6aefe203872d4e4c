import { GraphRefusal } from '../../../../core/graphql/refusal.ts'
import { epochSeconds } from '../../../../sales/b2b/companies/company.ts'
import type { Window } from '../../../../sales/b2b/shared/pages.ts'

// Pages of lists. A cursor is a position in its list, as base64 of `arrayconnection:7`.

/** The arguments of a connection. */
interface PageArgs {
  offset?: number | null
  before?: string | null
  after?: string | null
  first?: number | null
  last?: number | null
}

const LENGTH = { usual: 10, max: 250 } as const
const OFFSET_MAX = 1_000_000_000

const refusal = (sentence: string) => new GraphRefusal(sentence, 422)

/** The part of a list that a connection shows. @throws GraphRefusal */
export function windowOfPage({ offset, before, after, first, last }: PageArgs): Window {
  if (first != null && last != null) throw refusal('first and last exclude each other.')
  if (last != null && before == null) throw refusal('last goes with before.')
  const length = first ?? last ?? LENGTH.usual
  if (length < 1 || length > LENGTH.max) throw refusal(`A page has 1 to ${LENGTH.max} items, not ${length}.`)
  if (offset != null && (offset < 0 || offset > OFFSET_MAX)) throw refusal('offset must not be negative or too large.')
  if (before != null) {
    const end = positionIn(before)
    const begin = Math.max(0, end - length)
    return { offset: begin, limit: end - begin }
  }
  return { offset: (offset ?? 0) + (after == null ? 0 : positionIn(after) + 1), limit: length }
}

function positionIn(cursor: string): number {
  const [, digits] = /^arrayconnection:(\d{1,9})$/.exec(Buffer.from(cursor, 'base64').toString()) ?? []
  if (digits === undefined) throw refusal('The cursor is not one of this list.')
  return Number(digits)
}

/** A page of a list. @param total the number of all items that meet the filters */
export function buyerConnection<Node>(nodes: readonly Node[], total: number, { offset }: Window) {
  const edges = nodes.map((node, i) => ({
    node,
    cursor: Buffer.from(`arrayconnection:${offset + i}`).toString('base64'),
  }))
  return {
    edges,
    totalCount: total,
    pageInfo: {
      hasNextPage: offset + nodes.length < total,
      hasPreviousPage: offset > 0,
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
  }
}

const INT_MAX = 2 ** 31 - 1

/** Unix seconds as an Int of GraphQL: later moments are 2038-01-19, the last that it holds. */
export const intSeconds = (moment: string): number => Math.min(INT_MAX, epochSeconds(moment))
