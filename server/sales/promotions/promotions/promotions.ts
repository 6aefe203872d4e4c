import t, { type Static } from 'typebox'
import type { Db } from '../../../core/db/database.ts'
import { type Sql, sql } from '../../../core/db/sql.ts'
import { Answer, answer, noContent } from '../../../core/rest/answer.ts'
import type { Api } from '../../../core/rest/api.ts'
import { Id, idSegment, ListOf } from '../../../core/rest/input/fields.ts'
import { envelope, type ListQuery } from '../../../core/rest/lists/collection.ts'
import { ComparedText, contains, NO_NUL } from '../../../core/rest/lists/filters.ts'
import { fold } from '../../../core/rest/lists/fold.ts'
import { offsetOf, orderOf } from '../../../core/rest/lists/pages/order.ts'
import { findRows } from '../../../core/rest/lists/pages.ts'
import { PageMeta, paging } from '../../../core/rest/lists/paging.ts'
import { findOne } from '../../../core/rest/lists/verbs.ts'
import { Problem } from '../../../core/rest/problem.ts'
import { ChannelId } from '../../../shop/channels/channels.ts'
import { access } from '../../../stores/accounts/scopes.ts'
import { sharedLimit } from '../../../stores/quotas/concurrency-limit.ts'
import { deletePromotion } from './deletion.ts'
import { changePromotion, createPromotion, NewPromotion, PromotionChanges } from './saving.ts'
import { PromotionAnswer, type PromotionRow, promotions, toAnswers } from './shape.ts'

const { read, write } = access('marketing')

const ListFilters = t.Object({
  id: t.Optional(Id),
  name: t.Optional(ComparedText),
  code: t.Optional(t.String({ pattern: NO_NUL, description: 'A whole code' })),
  currency_code: t.Optional(ComparedText),
  redemption_type: t.Optional(t.Enum(['automatic', 'coupon'])),
  status: t.Optional(t.Enum(['ENABLED', 'DISABLED', 'INVALID'])),
  channels: t.Optional(ListOf(ChannelId)),
  query: t.Optional(t.String({ pattern: NO_NUL, description: 'A part of the name or of a code' })),
})
type ListFilters = Static<typeof ListFilters>

const ListedPromotions = t.Unsafe<ListQuery & ListFilters>(
  t.Object(
    {
      ...ListFilters.properties,
      sort: t.Optional(t.Enum(['id', 'name', 'priority', 'start_date'])),
      direction: t.Optional(t.Enum(['asc', 'desc'])),
      ...paging,
    },
    { additionalProperties: false, table: promotions.table },
  ),
)

/** Lists, creations and changes of promotions that a store runs at the same time. */
const PARALLEL_MAX = 40
/** Bytes of the promotions of a page. */
const PAGE_MAX = 16 * 1_024 * 1_024

/** Promotions (docs/contract/promotions.md section 2). */
export function promotionRoutes(api: Api) {
  const all = '/promotions'
  const one = `${all}/${idSegment('id')}`
  const params = t.Object({ id: Id })
  const slots = sharedLimit('promotions', PARALLEL_MAX)
  const response = { 200: envelope(PromotionAnswer) }

  api.get(
    all,
    {
      ...read,
      schema: {
        summary: 'List the promotions',
        querystring: ListedPromotions,
        response: { 200: t.Object({ data: t.Array(PromotionAnswer), meta: PageMeta }) },
      },
    },
    ({ db, query }) =>
      slots.run(db.store, async () => {
        const where = sql.and(conditionsOf(db.store.id, query))
        await refuseLargePage(db, query, where)
        const { data, meta } = await findRows(db, promotions, query, where)
        // Without a selection of fields each row is whole.
        return answer(await toAnswers(db, data as PromotionRow[]), meta)
      }),
  )

  api.post(
    all,
    {
      ...write,
      schema: {
        summary: 'Create a promotion',
        description: 'A rule that would repeat without end makes the promotion INVALID: it is stored and does not run.',
        body: NewPromotion,
        response: { 201: envelope(PromotionAnswer) },
      },
    },
    ({ db, body }) =>
      slots.run(db.store, async () => {
        const data = await db.transaction(async (tx) => toAnswers(tx, [await createPromotion(tx, body)]))
        return new Answer({ data: data[0], meta: {} }, 201)
      }),
  )

  api.get(one, { ...read, schema: { summary: 'Get a promotion', params, response } }, async ({ db, params }) => {
    const [data] = await toAnswers(db, [await findOne(db, promotions, params.id)])
    return answer(data)
  })

  api.put(
    one,
    {
      ...write,
      schema: {
        summary: 'Change a promotion',
        description: 'Fields that the body leaves out stay. Lists are replaced as a whole.',
        params,
        body: PromotionChanges,
        response,
      },
    },
    ({ db, params, body }) =>
      slots.run(db.store, async () => {
        const [data] = await db.transaction(async (tx) => toAnswers(tx, [await changePromotion(tx, params.id, body)]))
        return answer(data)
      }),
  )

  api.delete(
    one,
    {
      ...write,
      schema: { summary: 'Delete a promotion', description: 'A promotion that has codes is refused.', params },
    },
    async ({ db, params }) => {
      await db.transaction((tx) => deletePromotion(tx, params.id))
      return noContent()
    },
  )
}

/** @throws Problem 413 for a page whose promotions are too large together */
async function refuseLargePage(db: Db, query: ListQuery, where: Sql) {
  const { bytes } = await db.row<{ bytes: number }>(sql`
    select coalesce(sum(bytes), 0)::bigint as bytes from (
      select bytes from promotions where store_id = ${db.store.id} and ${where}
      order by ${orderOf(promotions, query).by()} limit ${query.limit} offset ${offsetOf(query)}
    ) page`)
  if (bytes <= PAGE_MAX) return
  throw new Problem(413, `The promotions of a page can have at most ${PAGE_MAX} bytes: ask for fewer with limit.`)
}

function conditionsOf(store: number, query: ListFilters): Sql[] {
  const { code, currency_code, redemption_type, status, channels, query: text } = query
  // A promotion can have a million codes.
  const withCode = (condition: Sql) => sql`
    id = any(array(
      select distinct promotion_id from coupons where store_id = ${store} and promotion_id is not null and ${condition}))`
  return [
    ...(code === undefined ? [] : [withCode(sql`code_key = ${fold(code)}`)]),
    ...(currency_code === undefined ? [] : [sql`currency_code = ${currency_code.toUpperCase()}`]),
    ...(redemption_type === undefined ? [] : [sql`redemption_type = ${redemption_type.toUpperCase()}`]),
    ...(status === undefined ? [] : [sql`status = ${status}`]),
    ...(channels === undefined ? [] : [inChannels(channels)]),
    ...(text === undefined ? [] : [sql`(${contains('name', text)} or ${withCode(contains('code', text))})`]),
  ]
}

/** Promotions for all channels match always. */
const inChannels = (ids: readonly number[]): Sql =>
  sql`(channels = '[]' or exists (
    select 1 from jsonb_array_elements(channels) channel where (channel ->> 'id')::bigint = any(${ids}::bigint[])
  ))`
