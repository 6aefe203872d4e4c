import t, { type Static } from 'typebox'
import type { Db, Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { Answer, noContent } from '../../../core/rest/answer.ts'
import type { Api } from '../../../core/rest/api.ts'
import { BatchMeta } from '../../../core/rest/batch.ts'
import { ID_MAX } from '../../../core/rest/input/fields.ts'
import { removeAll } from '../../../core/rest/lists/verbs.ts'
import { Problem, ProblemBody } from '../../../core/rest/problem.ts'
import { changeStamp } from '../../../core/stamps/stamps.ts'
import { access } from '../../../stores/accounts/scopes.ts'
import { promotions } from './shape.ts'

// Deletions of promotions. A promotion with codes stays: its codes have to be deleted first. The uses of a deleted promotion belong to
// its orders and stay with them.

const { write } = access('marketing')

const DELETED_MAX = 50

const Refusals = t.Object(
  {
    errors: t.Array(
      t.Object({
        status: t.Integer(),
        title: t.String(),
        type: t.String(),
        errors: t.Record(t.String(), t.String()),
      }),
    ),
    meta: BatchMeta,
  },
  { title: 'PromotionDeletionErrors' },
)

/** Deletes promotions by their ids (docs/contract/promotions.md section 2). */
export function promotionDeletionRoutes(api: Api) {
  api.delete(
    '/promotions',
    {
      ...write,
      schema: {
        summary: 'Delete promotions',
        description: 'Promotions with codes are refused one by one, the others are deleted.',
        querystring: t.Object(
          { 'id:in': t.Optional(t.String()) },
          { additionalProperties: false, examples: [{ 'id:in': '1' }] },
        ),
        response: { 204: t.Null(), 422: t.Union([Refusals, ProblemBody]) },
      },
    },
    async ({ db, query }) => {
      const ids = requiredIds(query['id:in'], DELETED_MAX)
      const kept = await deletePromotions(db, ids)
      return kept.size === 0 ? noContent() : new Answer(refusalOf(ids, kept), 422)
    },
  )
}

/**
 * The ids of a query that must name some.
 * @throws Problem 422 without one or for a malformed one, 413 for too many
 */
export function requiredIds(text: string | undefined, max: number): number[] {
  const ids = [...new Set((text ?? '').split(',').map((id) => id.trim()))]
  if (ids.length > max) throw new Problem(413, `At most ${max} ids may be sent at once.`)
  const isMalformed = ids.some((id) => !/^[1-9]\d{0,9}$/.test(id) || Number(id) > ID_MAX)
  if (isMalformed) throw new Problem(422, 'Parameter id:in is required')
  return ids.map(Number)
}

/** @throws Problem 422 for a promotion with codes */
export async function deletePromotion(tx: Tx, id: number) {
  await changeStamp(tx, 'promotions')
  const kept = await deleteUnlessCoded(tx, [id])
  if (kept.size > 0) throw new Problem(422, HAS_CODES)
}

/** @returns the ids of those that stay for their codes */
const deletePromotions = (db: Db, ids: readonly number[]): Promise<Set<number>> =>
  db.transaction(async (tx) => {
    await changeStamp(tx, 'promotions')
    return deleteUnlessCoded(tx, ids)
  })

async function deleteUnlessCoded(tx: Tx, ids: readonly number[]): Promise<Set<number>> {
  // A code that is created at the same moment has locked its promotion against deletion.
  await tx.rows(sql`
    select id from promotions where store_id = ${tx.store.id} and id = any(${ids}) order by id for update`)
  const coded = await tx.rows<{ id: number }>(sql`
    select wanted.id from unnest(${ids}::int[]) as wanted (id) where exists (
      select 1 from coupons where store_id = ${tx.store.id} and promotion_id = wanted.id
    )`)
  const kept = new Set(coded.map(({ id }) => id))
  const free = ids.filter((id) => !kept.has(id))
  await removeAll(tx, promotions, sql`id = any(${free})`)
  return kept
}

const HAS_CODES = 'The promotion has coupon codes: delete them first.'

const refusalOf = (ids: readonly number[], kept: ReadonlySet<number>): Static<typeof Refusals> => ({
  errors: ids.flatMap((id, i) =>
    kept.has(id)
      ? [
          {
            status: 422,
            title: `The promotion ${id} can't be deleted.`,
            type: 'about:blank',
            errors: { [`${i}.code`]: HAS_CODES },
          },
        ]
      : [],
  ),
  meta: { total: ids.length, success: ids.length - kept.size, failed: kept.size },
})
