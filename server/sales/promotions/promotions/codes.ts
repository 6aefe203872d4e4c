import t, { type Static } from 'typebox'
import type { Db, Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { Answer, noContent } from '../../../core/rest/answer.ts'
import type { Api } from '../../../core/rest/api.ts'
import { lockIdsShared } from '../../../core/rest/batch.ts'
import { toSeconds } from '../../../core/rest/input/dates.ts'
import { Id, idSegment } from '../../../core/rest/input/fields.ts'
import { CursorMeta, envelope } from '../../../core/rest/lists/collection.ts'
import { ComparedText, NO_NUL } from '../../../core/rest/lists/filters.ts'
import { fold } from '../../../core/rest/lists/fold.ts'
import { findPage } from '../../../core/rest/lists/pages.ts'
import { pagination, pagingWithoutDefault } from '../../../core/rest/lists/paging.ts'
import { findOne, findWhere, insert, removeAll } from '../../../core/rest/lists/verbs.ts'
import { invalid, notFound, ProblemBody } from '../../../core/rest/problem.ts'
import { access } from '../../../stores/accounts/scopes.ts'
import { sharedLimit } from '../../../stores/quotas/concurrency-limit.ts'
import { CouponCode, PromotionCode, promotionCodes } from '../coupon-row.ts'
import { GeneratedCodes, generateCodes, NewCodes } from './code-generation.ts'
import { requiredIds } from './deletion.ts'
import { type PromotionRow, promotions } from './shape.ts'

// The codes of coupon promotions. A code can't be changed: clients delete it and create another.

const { read, write } = access('marketing')

const DELETED_MAX = 250
/** Lists of codes and generations that run at the same time for a store. */
const PARALLEL_MAX = 10

const Uses = t.Integer({ minimum: 0, maximum: 100_000, description: '0 for no maximum' })
const NewCode = t.Object(
  { code: CouponCode, max_uses: t.Optional(Uses), max_uses_per_customer: t.Optional(Uses) },
  { title: 'NewPromotionCode', examples: [{ code: 'SUMMER', max_uses: 100 }] },
)

const CodeQuery = t.Object(
  { code: t.String({ minLength: 1, pattern: NO_NUL }) },
  { additionalProperties: false, examples: [{ code: 'SUMMER' }] },
)
const listed = { 200: t.Object({ data: t.Array(PromotionCode), meta: CursorMeta }) }

/** Coupon codes (docs/contract/promotions.md section 6). */
export function codeRoutes(api: Api) {
  const ofPromotion = `/promotions/${idSegment('promotion_id')}`
  const all = `${ofPromotion}/codes`
  const params = t.Object({ promotion_id: Id })
  const codeParams = t.Object({ promotion_id: Id, code_id: Id })
  const slots = sharedLimit('promotion codes', PARALLEL_MAX)

  api.get(
    '/promotions/codes',
    {
      ...read,
      schema: {
        summary: 'Find a coupon code',
        operationId: 'findPromotionCode',
        querystring: CodeQuery,
        response: listed,
      },
    },
    async ({ db, query }) => {
      const data = await findWhere(db, promotionCodes, hasCode(query.code))
      return new Answer({ data, meta: onePage(data, query) })
    },
  )

  api.delete(
    '/promotions/codes',
    {
      ...write,
      schema: {
        summary: 'Delete a coupon code by its text',
        operationId: 'deletePromotionCodeByText',
        querystring: CodeQuery,
      },
    },
    async ({ db, query }) => {
      await db.transaction((tx) => removeAll(tx, promotionCodes, hasCode(query.code)))
      return noContent()
    },
  )

  api.get(
    all,
    {
      ...read,
      schema: {
        summary: 'List the codes of a promotion',
        params,
        querystring: t.Object(
          {
            code: t.Optional(ComparedText),
            before: t.Optional(t.String()),
            after: t.Optional(t.String()),
            ...pagingWithoutDefault,
          },
          { additionalProperties: false, table: promotionCodes.table },
        ),
        response: listed,
      },
    },
    ({ db, params: { promotion_id }, query }) =>
      slots.run(db.store, async () => {
        await findOne(db, promotions, promotion_id)
        return findPage(db, promotionCodes, { limit: 50, ...query }, { where: sql`promotion_id = ${promotion_id}` })
      }),
  )

  api.post(
    all,
    {
      ...write,
      schema: {
        summary: 'Create a code of a promotion',
        params,
        body: NewCode,
        response: { 201: envelope(PromotionCode) },
      },
    },
    async ({ db, params, body }) => {
      const data = await db.transaction((tx) => createCode(tx, params.promotion_id, body))
      return new Answer({ data, meta: {} }, 201)
    },
  )

  api.delete(
    all,
    {
      ...write,
      schema: {
        summary: 'Delete codes of a promotion',
        description: 'Ids of codes of other promotions are skipped.',
        params,
        querystring: t.Object(
          { 'id:in': t.Optional(t.String()) },
          { additionalProperties: false, examples: [{ 'id:in': '1' }] },
        ),
      },
    },
    async ({ db, params, query }) => {
      const ids = requiredIds(query['id:in'], DELETED_MAX)
      await deleteCodes(db, params.promotion_id, ids)
      return noContent()
    },
  )

  api.delete(
    `${all}/${idSegment('code_id')}`,
    { ...write, schema: { summary: 'Delete a code of a promotion', params: codeParams } },
    async ({ db, params }) => {
      await deleteCodes(db, params.promotion_id, [params.code_id])
      return noContent()
    },
  )

  api.post(
    `${ofPromotion}/codegen`,
    {
      ...write,
      schema: {
        summary: 'Generate codes of a promotion',
        operationId: 'generatePromotionCodes',
        description: 'For promotions of the coupon_type BULK. The codes are listed without their ids.',
        params,
        body: NewCodes,
        response: { 201: envelope(GeneratedCodes), 405: ProblemBody },
      },
    },
    ({ db, params, body }) =>
      slots.run(db.store, async () => {
        const data = await db.transaction(async (tx) =>
          generateCodes(tx, await lockedPromotion(tx, params.promotion_id), body),
        )
        return new Answer({ data, meta: {} }, 201)
      }),
  )
}

/** Codes of promotions with a text; coupons of the older family are none. */
const hasCode = (code: string) => sql`code_key = ${fold(code)} and promotion_id is not null`

const onePage = (data: readonly PromotionCode[], query: Static<typeof CodeQuery>) => ({
  pagination: pagination({ total: data.length, count: data.length, page: 1, limit: 50 }, query),
})

/** A promotion that stays until the transaction ends. @throws Problem 404 */
async function lockedPromotion(tx: Tx, id: number): Promise<PromotionRow> {
  const found = await lockIdsShared(tx, promotions, [id])
  if (!found.has(id)) throw notFound(promotions.noun, id)
  return findOne(tx, promotions, id)
}

/** @throws Problem 404, 409 for a code that is taken, 422 for an automatic promotion */
export async function createCode(tx: Tx, promotion_id: number, body: Static<typeof NewCode>): Promise<PromotionCode> {
  const { redemption_type } = await lockedPromotion(tx, promotion_id)
  if (redemption_type !== 'COUPON')
    throw invalid({ promotion_id: 'Only promotions with redemption_type COUPON have codes.' })
  const code = body.code.trim()
  if (code === '') throw invalid({ code: 'code must not be blank.' })
  return insert(tx, promotionCodes, {
    max_uses: 0,
    max_uses_per_customer: 0,
    ...body,
    code,
    promotion_id,
    current_uses: 0,
    created: toSeconds(tx.now),
  })
}

const deleteCodes = (db: Db, promotion: number, ids: readonly number[]) =>
  db.transaction((tx) => removeAll(tx, promotionCodes, sql`promotion_id = ${promotion} and id = any(${ids})`))
