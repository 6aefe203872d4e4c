import t from 'typebox'
import { sql } from '../core/db/sql.ts'
import { answer } from '../core/rest/answer.ts'
import type { Api } from '../core/rest/api.ts'
import { Id } from '../core/rest/fields.ts'
import { Pagination, pagination, paging } from '../core/rest/paging.ts'
import { access } from '../stores/scopes.ts'
import { TEST_RESOURCE } from './dispatcher.ts'
import { eventId } from './event-id.ts'
import { payloadOf } from './payload.ts'

const DAY_MS = 86_400_000
const SECONDS_MAX = 9_999_999_999

const { read } = access('webhooks')

/** A payload as it was sent, and beside it which hook it was for and what became of it. */
const PastEvent = t.Object({
  scope: t.String(),
  store_id: t.String(),
  data: t.Unknown(),
  hash: t.String(),
  created_at: t.Integer({ description: 'Unix seconds' }),
  producer: t.String(),
  event_id: t.String({ description: 'webhook-id' }),
  hook_id: Id,
  status: t.Enum(['failed', 'delivered']),
})

interface HistoryQuery {
  'created_at:min'?: number
  'created_at:max'?: number
  page: number
  limit: number
}

const Seconds = t.Optional(t.Integer({ minimum: 0, maximum: SECONDS_MAX, description: 'Unix seconds' }))
const list = {
  querystring: t.Unsafe<HistoryQuery>(
    t.Object({ 'created_at:min': Seconds, 'created_at:max': Seconds, ...paging }, { additionalProperties: false }),
  ),
  response: { 200: t.Object({ data: t.Array(PastEvent), meta: t.Object({ pagination: Pagination }) }) },
}

interface Row {
  total: number
  seq: number | null
  ms: number
  nonce: number
  scope: string
  data: string
  hook_id: number
  is_delivered: boolean
}

/**
 * What was sent to the client's hooks and never received, and of hooks that keep a history all that was sent
 * (docs/contract/webhooks.md section 5).
 * @param days how far it looks back
 */
export function historyRoutes(app: Api, days: number) {
  app.get('/hooks/events', { ...read, schema: list }, async ({ db, client, query }) => {
    const { page, limit, 'created_at:min': min = 0, 'created_at:max': max = SECONDS_MAX } = query
    const store = sql`store_id = ${db.store.id}`
    // Failures have an index of their own: what went well is not read unless a hook keeps a history.
    const found = await db.rows<Row>(sql`
      with hook as (
        select id, events_history_enabled from hooks where ${store} and client_id = ${client.id}
      ), tried as (
        select distinct hook_id, seq, event_slot from hook join attempts on ${store} and hook_id = id
        where started_at >= ${new Date(app.clock.now().getTime() - days * DAY_MS)}
          and (outcome <> 'delivered' or events_history_enabled and outcome is not null)
      ), judged as (
        select hook_id, seq, ms, nonce, scope, data, exists (
          select from attempts a where a.store_id = ${db.store.id} and a.hook_id = tried.hook_id and a.seq = tried.seq
            and outcome = 'delivered') as is_delivered
        from tried join events using (seq)
        where ${store} and slot = event_slot and resource <> ${TEST_RESOURCE} and ms >= ${min * 1_000} and ms < ${(max + 1) * 1_000}
      ), found as materialized (
        select judged.* from judged join hook on id = hook_id where events_history_enabled or not is_delivered
      ), page as (
        select * from found order by seq, hook_id limit ${limit} offset ${(page - 1) * limit}
      )
      select (select count(*) from found)::int as total, page.* from (values (1)) one left join page on true
      order by seq, hook_id`)
    const data = found.flatMap(({ total: _, seq, hook_id, is_delivered, ...event }) => {
      if (seq === null) return []
      const id = eventId({ ...event, seq })
      const payload = payloadOf({ ...event, id, storeId: db.store.id, storeHash: db.store.hash })
      return [{ ...JSON.parse(payload), event_id: id, hook_id, status: is_delivered ? 'delivered' : 'failed' }]
    })
    return answer(data, { pagination: pagination(found[0]?.total ?? 0, data.length, page, limit, query) })
  })
}
