import t, { type Static } from 'typebox'
import type { Tx } from '../../core/db/database.ts'
import { lockIdsShared } from '../../core/rest/batch.ts'
import { Id, Moment, NeededLine } from '../../core/rest/input/fields.ts'
import { collection } from '../../core/rest/lists/collection.ts'
import type { Problem, ProblemBody } from '../../core/rest/problem.ts'

/**
 * A price list: prices of variants that replace those of the catalog. Its records have the prices, one for each variant and currency.
 * Its assignments say which groups of customers pay them, and in which channels. An inactive list counts as unassigned.
 */
export const PriceList = t.Object({
  id: Id,
  date_created: Moment,
  date_modified: Moment,
  name: NeededLine,
  active: t.Boolean(),
})
export type PriceList = Static<typeof PriceList>

export const priceLists = collection('price_lists', PriceList, {
  noun: 'price list',
  filters: `name name:like id:in date_created date_created:min date_created:max
    date_modified date_modified:min date_modified:max`,
  cursors: 'without page',
  conflicts: { price_lists_name_unique: ['A price list with this name already exists.', 'name'] },
})

/** Keeps price lists from being deleted until the transaction ends. @returns the ids of those that are there */
export const lockPriceListsShared = (tx: Tx, ids: readonly number[]): Promise<Set<number>> =>
  lockIdsShared(tx, priceLists, ids)

const Degraded = t.Object(
  {
    error: t.Object({
      code: t.String(),
      message: t.String(),
      details: t.String(),
      retry_after_seconds: t.Integer(),
      timestamp: Moment,
    }),
  },
  { title: 'ServiceDegraded' },
)
/** The answers of such a deletion. */
export const degradableAnswers = { response: { 204: t.Null(), 503: Degraded } }

/** The body of a 503 of those deletions that may be large (docs/contract/price-lists.md section 1). */
export const degradable = {
  errorBody: (refusal: ProblemBody, _request: unknown, { headers }: Pick<Problem, 'headers'>): object =>
    refusal.status === 503
      ? {
          error: {
            code: 'SERVICE_DEGRADED',
            message: refusal.title,
            details: 'Send the request again later.',
            retry_after_seconds: Number(headers['retry-after'] ?? 1),
            timestamp: new Date().toISOString(),
          },
        }
      : refusal,
}
