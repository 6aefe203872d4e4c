import t from 'typebox'
import { sql } from '../../../core/db/sql.ts'
import { slotOf } from '../../../core/events/slots.ts'
import { answer } from '../../../core/rest/answer.ts'
import type { Api } from '../../../core/rest/api.ts'
import { Id } from '../../../core/rest/input/fields.ts'
import { PageMeta, pagination, paging } from '../../../core/rest/lists/paging.ts'
import { access } from '../../../stores/accounts/scopes.ts'
import { TEST_RESOURCE } from '../queue/dispatcher.ts'
import { eventId } from '../sending/event-id.ts'
import { payloadOf } from '../sending/payload.ts'

const DAY_MS = 86_400_000
const SECONDS_MAX = 9_999_999_999

const { read } = access('webhooks')

/** A payload as it was sent, with its hook and its status. */
const PastEvent = t.Object(
  {
    scope: t.String(),
    store_id: t.String(),
    data: t.Unknown(),
    hash: t.String(),
    created_at: t.Integer({ description: 'Unix seconds' }),
    producer: t.String(),
    event_id: t.String({ description: 'webhook-id' }),
    hook_id: Id,
    status: t.Enum(['failed', 'delivered']),
  },
  { title: 'PastEvent' },
)

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
  response: { 200: t.Object({ data: t.Array(PastEvent), meta: PageMeta }) },
}

interface Row {
  total: number
  seq: number | null
  hook_id: number
  is_delivered: boolean
  ms: number
  nonce: number
  scope: string
  data: string
}

/**
 * The events of a client's hooks that were never received, and all events of hooks that keep a history
 * (docs/contract/webhooks.md section 5).
 * @param days the days that the list covers
 */
export function historyRoutes(app: Api, days: number) {
  app.get(
    '/hooks/events',
    { ...read, schema: { summary: 'List the events of the last days', ...list } },
    async ({ db, client, query }) => {
      const { page, limit, 'created_at:min': min, 'created_at:max': max } = query
      // Attempts have real time.
      const now = app.clock.now().getTime()
      const hooks = await db.rows<{ id: number; events_history_enabled: boolean }>(sql`
      select id, events_history_enabled from hooks where store_id = ${db.store.id} and client_id = ${client.id}`)
      const keeping = hooks.filter(({ events_history_enabled }) => events_history_enabled)
      // Only the partitions of these days are read.
      const slots = Array.from({ length: days + 1 }, (_, i) => slotOf(now - i * DAY_MS))
      const recent = sql`attempts.store_id = ${db.store.id} and attempts.slot = any(${slots})
      and attempts.started_at >= ${new Date(now - days * DAY_MS)}`
      const received = sql`exists (
      select from attempts where ${recent} and hook_id = sent.hook_id and seq = sent.seq and outcome = 'delivered')`
      // The event is looked up row by row, in its own partition.
      const itsEvent = sql`lateral (
      select ms, nonce, scope, data from events
      where store_id = ${db.store.id} and seq = sent.seq and slot = event_slot and resource <> ${TEST_RESOURCE}
        and ms >= ${(min ?? 0) * 1_000} and ms < ${((max ?? SECONDS_MAX) + 1) * 1_000} limit 1) event`
      // Failures have an index of their own. Successes are read only for hooks that keep a history.
      const found = await db.rows<Row>(sql`
      with sent as materialized (
        select hook_id, seq, event_slot from attempts
        where ${recent} and hook_id = any(${hooks.map(({ id }) => id)}) and outcome <> 'delivered'
        union select hook_id, seq, event_slot from attempts
        where ${recent} and hook_id = any(${keeping.map(({ id }) => id)}) and outcome = 'delivered'
      ), past as materialized (
        select sent.*, event.* from sent cross join ${itsEvent}
        where hook_id = any(${keeping.map(({ id }) => id)}) or not ${received}
      ), page as (
        select * from past order by seq, hook_id limit ${limit} offset ${(page - 1) * limit}
      )
      select (select count(*) from past)::int as total, sent.*, ${received} as is_delivered
      from (values (1)) one left join page sent on true order by seq, hook_id`)
      const data = found.flatMap(({ total: _, seq, hook_id, is_delivered, ...event }) => {
        if (seq === null) return []
        const id = eventId({ ...event, seq })
        const payload = payloadOf({ ...event, id, storeId: db.store.id, storeHash: db.store.hash })
        return [{ ...JSON.parse(payload), event_id: id, hook_id, status: is_delivered ? 'delivered' : 'failed' }]
      })
      return answer(data, {
        pagination: pagination({ total: found[0]?.total ?? 0, count: data.length, page, limit }, query),
      })
    },
  )
}
