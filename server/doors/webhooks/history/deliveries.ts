import t, { type Static } from 'typebox'
import type { Db, Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { append } from '../../../core/events/publish.ts'
import { isEventScope, sampleEventData, samples } from '../../../core/events/scopes.ts'
import { Answer, answer } from '../../../core/rest/answer.ts'
import type { Api, Client } from '../../../core/rest/api.ts'
import { Id, idSegment } from '../../../core/rest/input/fields.ts'
import { envelope } from '../../../core/rest/lists/collection.ts'
import { PageMeta, pagination, paging } from '../../../core/rest/lists/paging.ts'
import { invalid, notFound, Problem } from '../../../core/rest/problem.ts'
import { access } from '../../../stores/accounts/scopes.ts'
import { findHook, lockHookOf } from '../hooks/hooks.ts'
import { TEST_RESOURCE } from '../queue/dispatcher.ts'
import { unpark } from '../queue/hook-state.ts'
import { queue } from '../queue/lanes.ts'
import { listening } from '../queue/scopes.ts'
import { eventId } from '../sending/event-id.ts'

const { read, write } = access('webhooks')

/** An attempt at a callback. Its outcome is null while it is sent, and stays null if the process died meanwhile. */
const Delivery = t.Object(
  {
    id: t.String({ description: 'The number of the event in the store, and of the attempt' }),
    event_id: t.Union([t.String(), t.Null()], {
      description: 'webhook-id; null if the event is no longer kept',
    }),
    scope: t.Union([t.String(), t.Null()]),
    attempt: t.Integer(),
    started_at: t.Integer({ description: 'Unix seconds' }),
    duration_ms: t.Union([t.Integer(), t.Null()]),
    status_code: t.Union([t.Integer(), t.Null()]),
    outcome: t.Union([t.String(), t.Null()], { description: '`delivered`, or the reason of the failure' }),
    error: t.Union([t.String(), t.Null()]),
    excerpt: t.Union([t.String(), t.Null()], { description: 'The beginning of the answer' }),
    next_attempt_at: t.Union([t.Integer(), t.Null()], { description: 'Unix seconds' }),
  },
  { title: 'WebhookDelivery' },
)
type Delivery = Static<typeof Delivery>

interface Page {
  page: number
  limit: number
}

const list = {
  querystring: t.Unsafe<Page>(t.Object(paging, { additionalProperties: false })),
  response: { 200: t.Object({ data: t.Array(Delivery), meta: PageMeta }) },
}
const Test = t.Object(
  { scope: t.Optional(t.String({ minLength: 1 })) },
  { title: 'WebhookTest', examples: [{ scope: 'store/order/created' }] },
)
const Recovery = t.Object(
  { since: t.Integer({ minimum: 0, maximum: 9_999_999_999, description: 'Unix seconds' }) },
  { title: 'WebhookRecovery', examples: [{ since: 1_561_479_335 }] },
)
const eventAccepted = { response: { 202: envelope(t.Object({ event_id: t.String() }, { title: 'AcceptedEvent' })) } }
const recoveryAccepted = {
  response: { 202: envelope(t.Object({ recovered: t.Integer() }, { title: 'AcceptedRecovery' })) },
}

/** The deliveries of a hook, and how to send them again (docs/contract/webhooks.md sections 5 and 7). */
export function deliveryRoutes(app: Api) {
  const hook = `/hooks/${idSegment('webhook_id')}`
  const one = `${hook}/deliveries/:did`
  const params = t.Object({ webhook_id: Id })
  const underHook = t.Object({ webhook_id: Id, did: t.String() })

  app.get(
    `${hook}/deliveries`,
    { ...read, schema: { summary: 'List the deliveries of a webhook', params, ...list } },
    async ({ db, client, params, query }) => {
      const { id } = await findHook(db, client, params.webhook_id)
      return findDeliveries(db, id, query)
    },
  )

  app.get(
    one,
    {
      ...read,
      schema: {
        summary: 'Get a delivery of a webhook',
        params: underHook,
        response: { 200: envelope(Delivery) },
      },
    },
    async ({ db, client, params }) => {
      const { id } = await findHook(db, client, params.webhook_id)
      return answer(toAnswer(await findDelivery(db, id, params.did)))
    },
  )

  app.post(
    `${one}/resend`,
    {
      ...write,
      schema: {
        summary: 'Resend a delivery',
        operationId: 'resendWebhookDelivery',
        description: 'The event keeps its id, so a receiver can recognize it.',
        params: underHook,
        ...eventAccepted,
      },
    },
    async ({ db, client, params }) =>
      db.transaction(async (tx) => {
        const { id } = await lockActive(tx, client, params.webhook_id)
        return accepted({ event_id: await resend(tx, id, await findDelivery(tx, id, params.did)) })
      }),
  )

  app.post(
    `${hook}/recover`,
    {
      ...write,
      schema: {
        summary: 'Recover missed deliveries',
        operationId: 'recoverWebhook',
        params,
        body: Recovery,
        ...recoveryAccepted,
      },
    },
    async ({ db, client, params, body }) => {
      // A hook may have missed a million events, so each piece is a transaction of its own. If the hook is deactivated meanwhile,
      // the rest stays parked.
      const unparkPiece = (after: number) =>
        db.transaction(async (tx) => {
          const { id } = await lockActive(tx, client, params.webhook_id)
          return unpark(tx, id, new Date(body.since * 1_000), after)
        })
      let piece = await unparkPiece(0)
      let recovered = piece.count
      while (piece.next !== undefined) {
        piece = await unparkPiece(piece.next)
        recovered += piece.count
      }
      return accepted({ recovered })
    },
  )

  app.post(
    `${hook}/test`,
    {
      ...write,
      schema: {
        summary: 'Send a webhook a test event',
        operationId: 'testWebhook',
        params,
        body: Test,
        ...eventAccepted,
      },
    },
    async ({ db, client, params, body }) =>
      db.transaction(async (tx) => {
        const { id, scope: subscribed } = await lockActive(tx, client, params.webhook_id)
        const scope = body.scope ?? concreteOf(subscribed)
        if (!isEventScope(scope)) throw invalid({ scope: 'No event has this scope.' })
        if (!listening(scope).includes(subscribed))
          throw invalid({ scope: `The webhook listens to ${subscribed} only.` })
        const event = {
          scope,
          resource: TEST_RESOURCE,
          data: JSON.stringify(sampleEventData(scope)),
          client_id: client.id,
        }
        const [written] = await append(tx, [event])
        if (!written) throw new Error('The event was not written.')
        await queue(tx, [{ hook_id: id, resource: `test ${written.seq}`, seq: written.seq, slot: written.slot }])
        return accepted({ event_id: eventId(written) })
      }),
  )
}

interface AttemptRow extends Omit<Delivery, 'id' | 'event_id'> {
  seq: number
  event_slot: number
  /** Null if the event is no longer kept, like ms and nonce. */
  resource: string | null
  ms: number | null
  nonce: number | null
}

/** The public columns of an attempt. */
const columns = sql`seq, event_slot, attempt, floor(extract(epoch from started_at))::bigint as started_at, duration_ms,
  status_code, outcome, error, excerpt, extract(epoch from next_attempt_at)::bigint as next_attempt_at`
const newestFirst = sql`order by attempts.started_at desc, seq desc, attempt desc`

/** Joins the event of an attempt. It is looked up row by row, in its own partition. */
const itsEvent = (db: Db) => sql`left join lateral (
  select scope, resource, ms, nonce from events
  where store_id = ${db.store.id} and seq = attempt.seq and slot = attempt.event_slot limit 1) event on true`

const toAnswer = ({ seq, event_slot: _, resource: __, ms, nonce, ...attempt }: AttemptRow): Delivery => ({
  id: `${seq}-${attempt.attempt}`,
  event_id: ms === null || nonce === null ? null : eventId({ ms, seq, nonce }),
  ...attempt,
})

/** A page of attempts, newest first. For the attempts of other pages only an index is read. */
async function findDeliveries(db: Db, hookId: number, { page, limit }: Page) {
  const here = sql`store_id = ${db.store.id} and hook_id = ${hookId}`
  const found = await db.rows<AttemptRow & { total: number; nr: number }>(sql`
    with page as materialized (
      select row_number() over (${newestFirst}) as nr, ${columns} from attempts where ${here}
      ${newestFirst} limit ${limit} offset ${(page - 1) * limit}
    )
    select (select count(*) from attempts where ${here})::int as total, attempt.*, event.*
    from (values (1)) one left join page attempt on true ${itsEvent(db)} order by nr`)
  const data = found.flatMap(({ total: _, nr: __, ...attempt }) =>
    attempt.attempt === null ? [] : [toAnswer(attempt)],
  )
  return answer(data, { pagination: pagination({ total: found[0]?.total ?? 0, count: data.length, page, limit }, {}) })
}

/** @throws Problem 404 */
async function findDelivery(db: Db, hookId: number, did: string): Promise<AttemptRow> {
  const [, seq, attempt] = /^([1-9]\d{0,14})-([1-9]\d{0,8})$/.exec(did) ?? []
  const found =
    seq === undefined
      ? undefined
      : await db.maybeRow<AttemptRow>(sql`
          select attempt.*, event.* from (
            select ${columns} from attempts
            where store_id = ${db.store.id} and hook_id = ${hookId} and seq = ${seq} and attempt = ${attempt}
            ${newestFirst} limit 1
          ) attempt ${itsEvent(db)}`)
  if (!found) throw notFound('delivery', did)
  return found
}

/** Locks an active hook. Deliveries of an inactive one would be parked at once. @throws Problem 404, 409 */
async function lockActive(tx: Tx, client: Client, id: number) {
  const hook = await lockHookOf(tx, client, id)
  if (!hook.is_active) throw new Problem(409, 'The webhook is not active: set is_active to true first.')
  return hook
}

/** Queues one attempt outside the schedule, under the next number. A scheduled retry of the event continues with the number after it. */
async function resend(tx: Tx, hookId: number, { seq, event_slot, resource, ms, nonce }: AttemptRow): Promise<string> {
  if (ms === null || nonce === null) throw new Problem(409, 'The event of this delivery is no longer kept.')
  const here = sql`store_id = ${tx.store.id} and hook_id = ${hookId} and seq = ${seq}`
  const { attempted } = await tx.row<{ attempted: number }>(
    sql`select max(attempt) as attempted from attempts where ${here}`,
  )
  await tx.rows(sql`update deliveries set attempted = attempted + 1 where ${here} and resource !~ '^(resend|test) '`)
  const kind = resource === TEST_RESOURCE ? 'test' : 'resend'
  await queue(tx, [{ hook_id: hookId, resource: `${kind} ${seq}`, seq, slot: event_slot, attempted }])
  return eventId({ ms, seq, nonce })
}

const accepted = <Data>(data: Data) => new Answer({ data, meta: {} }, 202)

/** The scope of an event that a hook with this scope receives: the same, or the first of its family. */
function concreteOf(subscribed: string): string {
  const channel = /^store\/channel\/(\d+)\//.exec(subscribed)?.[1] ?? '1'
  const scopes = [...samples.keys()].map((scope) => scope.replace('{channel_id}', channel))
  return scopes.find((scope) => listening(scope).includes(subscribed)) ?? subscribed
}
