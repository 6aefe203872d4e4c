import t from 'typebox'
import type { Clock } from '../../../core/clock.ts'
import { Answer } from '../../../core/rest/answer.ts'
import type { Api } from '../../../core/rest/api.ts'
import { Problem } from '../../../core/rest/problem.ts'
import type { Directory } from '../../../stores/directory/directory.ts'
import { StorePath } from '../../powers/found-stores.ts'
import { callbacksOfStore, eventsOfStore } from '../../webhooks/history/events-of-store.ts'
import { trigger } from '../../webhooks/history/trigger.ts'
import { why } from '../../webhooks/history/why.ts'
import { hooksOfStore } from '../../webhooks/hooks/hooks-of-store.ts'
import { payloadOf } from '../../webhooks/sending/payload.ts'
import { CorrelationId, dbOf, entryOf, S, text } from './found-store.ts'

const EventQuery = t.Object({
  correlation_id: t.Optional(CorrelationId),
  scope: t.Optional(text(200, 1)),
  resource: t.Optional(text(200, 1)),
  before: t.Optional(t.Integer({ minimum: 1, maximum: 999_999_999_999_999 })),
  limit: t.Optional(t.Integer({ minimum: 1, maximum: 250 })),
})

/** Webhooks of all accounts, and the events of a store. */
export function eventRoutes(api: Api, { directory, clock }: { directory: Directory; clock: Clock }) {
  api.get(
    `${S}/hooks`,
    { schema: { summary: 'List the webhooks of all accounts of a store', params: StorePath } },
    async ({ params }) => {
      const db = await dbOf(directory, await entryOf(directory, params.store_hash))
      return new Answer({ data: await hooksOfStore(db), meta: {} })
    },
  )

  api.get(
    `${S}/events`,
    {
      schema: { summary: 'List the events of a store, the newest first', params: StorePath, querystring: EventQuery },
    },
    async ({ params, query: { limit = 50, ...filters } }) => {
      const db = await dbOf(directory, await entryOf(directory, params.store_hash))
      return new Answer({ data: await eventsOfStore(db, filters, limit), meta: {} })
    },
  )

  api.get(
    `${S}/callbacks`,
    {
      schema: {
        summary: 'List the callbacks that follow from a request, the newest first',
        params: StorePath,
        querystring: t.Object({ correlation_id: CorrelationId, limit: EventQuery.properties.limit }),
      },
    },
    async ({ params, query: { correlation_id, limit = 50 } }) => {
      const db = await dbOf(directory, await entryOf(directory, params.store_hash))
      return new Answer({ data: await callbacksOfStore(db, correlation_id, limit), meta: {} })
    },
  )

  api.get(
    `${S}/events/:event_id`,
    {
      schema: {
        summary: 'Explain the outcome of an event at each webhook',
        params: t.Object({ store_hash: t.String(), event_id: text(100) }),
      },
    },
    async ({ params }) => {
      const db = await dbOf(directory, await entryOf(directory, params.store_hash))
      const found = await why(db, params.event_id, clock.now())
      if (!found) throw new Problem(404, 'The store keeps no such event. Events are kept for 30 days.')
      const { id, scope, at, data } = found.event
      const { store } = db
      const event = { id, storeId: store.id, storeHash: store.hash, ms: Date.parse(at), scope, data }
      return new Answer({ data: { ...found, payload: payloadOf(event) }, meta: {} })
    },
  )

  api.post(
    `${S}/events`,
    {
      config: { hasClosedBody: true },
      schema: {
        summary: 'Publish a sample event to the webhooks of its scope',
        params: StorePath,
        body: t.Object({
          scope: text(200, 1),
          channel_id: t.Optional(t.Integer({ minimum: 1, maximum: 2_147_483_647 })),
        }),
      },
    },
    async ({ params, body: { scope, channel_id = 1 } }) => {
      const entry = await entryOf(directory, params.store_hash)
      if (!entry.is_test) throw new Problem(403, 'This is a real store. Sample events are for test stores.')
      const event = await trigger(await dbOf(directory, entry), scope, String(channel_id)).catch((error) => {
        throw error instanceof Error ? new Problem(422, error.message, { scope: error.message }) : error
      })
      return new Answer({ data: event, meta: {} }, 201)
    },
  )
}
