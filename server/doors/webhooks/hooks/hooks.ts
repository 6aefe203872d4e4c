import t, { type Static } from 'typebox'
import type { Db, Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { MAIL_ADDRESS } from '../../../core/mail/outbox.ts'
import { isObject } from '../../../core/objects.ts'
import { answer, noContent } from '../../../core/rest/answer.ts'
import type { Api, Client } from '../../../core/rest/api.ts'
import { Id, idSegment } from '../../../core/rest/input/fields.ts'
import { collection, type ListQuery } from '../../../core/rest/lists/collection.ts'
import { lockCounter } from '../../../core/rest/lists/counters.ts'
import { findRows } from '../../../core/rest/lists/pages.ts'
import { PageMeta, paging } from '../../../core/rest/lists/paging.ts'
import { change, differences, insert, pick, remove } from '../../../core/rest/lists/verbs.ts'
import { invalid, Problem } from '../../../core/rest/problem.ts'
import type { Secrets } from '../../../core/secrets/secrets.ts'
import { access } from '../../../stores/accounts/scopes.ts'
import { redirect } from '../queue/due-hooks.ts'
import { deleteQueue, park, reactivate, secondsOf } from '../queue/hook-state.ts'
import { DELIVERY_EXCEPTION } from '../queue/reports.ts'
import { isScope, listening } from '../queue/scopes.ts'
import { destinationHost, type Policy, refuseDestination } from '../sending/destination.ts'
import { type HookHeaders, refuseHeaders } from '../sending/headers.ts'
import { BLOCK_MS } from '../sending/success-ratio.ts'

const HOOKS_ON_SCOPE_MAX = 10
const EMAILS_MAX = 10

const { read, write } = access('webhooks')

/**
 * A webhook, or hook: the subscription of one API client to one scope of events, with the address that receives them.
 *
 * A client creates its hooks, and sees and changes only those. Each event of the scope that is published from then on becomes a
 * delivery to the destination, a callback signed with the client's secret. The destination must be a public https address, which
 * is checked again before each attempt. While a hook is active, the server sends; while it is inactive, nothing is sent, and
 * pending deliveries are parked for 7 days. The client switches a hook on and off with `is_active`. The server deactivates it
 * when the last attempt at a callback fails, when the receiver answers 410, or when no event matched for 90 days, and mails the
 * client's administrators. Setting `is_active` to true clears the recorded faults. A hook never receives an event twice as two
 * events: all attempts carry the same id. It is deleted with the account of its client.
 */
const Hook = t.Object({
  id: Id,
  client_id: t.String(),
  store_hash: t.String(),
  scope: t.String({ minLength: 1 }),
  destination: t.String({ minLength: 1, maxLength: 2_048, format: 'uri' }),
  headers: t.Unsafe<HookHeaders | null>({ type: ['object', 'null'], patternProperties: { '': t.String() } }),
  is_active: t.Boolean(),
  events_history_enabled: t.Boolean(),
  created_at: t.Integer({ description: 'Unix seconds' }),
  updated_at: t.Integer({ description: 'Unix seconds' }),
})
const Status = t.Enum(['active', 'inactive', 'deactivated'])

/** A webhook as it is stored: with sealed headers and the host of its destination, without the hash of the store. */
const Row = t.Object({
  ...t.Omit(Hook, ['store_hash']).properties,
  headers: t.String(),
  status: Status,
  host: t.String(),
})
type Row = Static<typeof Row>

const { scope, headers, is_active, events_history_enabled } = Hook.properties
// The policy checks the format: its sentences are better than those of a schema.
const destination = t.String({ maxLength: 2_048 })
const Changes = t.Partial(t.Object({ scope, destination, headers, is_active, events_history_enabled }), {
  minProperties: 1,
  title: 'WebhookChanges',
  examples: [{ destination: 'https://example.com/webhooks/orders', is_active: true }],
})
const NewHook = t.Object(
  { ...Changes.properties, scope, destination },
  {
    title: 'NewWebhook',
    examples: [
      {
        scope: 'store/order/*',
        destination: 'https://example.com/webhooks',
        headers: { Authorization: 'Basic ZXhhbXBsZQ==' },
      },
    ],
  },
)

const facts = { noun: 'webhook', filters: 'is_active scope destination' } as const
const publicHooks = collection('hooks', Hook, facts)
const hooks = collection('hooks', Row, {
  ...facts,
  conflicts: { hooks_unique: ['This client already has a webhook with this scope and destination.', 'destination'] },
})

const Admin = t.Object(
  {
    emails: t.Array(t.String()),
    hooks_list: t.Array(t.Object({ ...Hook.properties, status: Status }, { title: 'WebhookWithStatus' })),
    blocked_domains: t.Array(
      t.Object({
        destination: t.String(),
        time_left: t.Integer({ description: 'Seconds' }),
        reasons: t.Array(t.Object({ failure_description: t.String(), count: t.Integer(), timestamp: t.Integer() })),
      }),
    ),
  },
  { title: 'WebhookAdmin' },
)
const adminAnswer = { response: { 200: t.Object({ data: Admin, meta: PageMeta }) } }
const adminQuery = t.Unsafe<ListQuery>(
  t.Object({ is_active: t.Optional(t.Boolean()), ...paging }, { additionalProperties: false }),
)
const AdminChanges = t.Object(
  { emails: t.Optional(t.Array(t.String({ maxLength: 255, pattern: MAIL_ADDRESS }), { maxItems: EMAILS_MAX })) },
  { title: 'WebhookAdminChanges', examples: [{ emails: ['webhooks@example.com'] }] },
)

export interface HookParts {
  /** Seal headers, which often hold secrets. */
  secrets: Pick<Secrets, 'seal' | 'unseal'>
  policy: Policy
}

/** Webhooks, and the reports about them to their clients (docs/contract/webhooks.md section 1). */
export function hookRoutes(app: Api, { secrets, policy }: HookParts) {
  const one = `/hooks/${idSegment('webhook_id')}`
  const params = t.Object({ webhook_id: Id })

  const toAnswer = ({ store }: Db, { status: _, host: __, headers, ...row }: Partial<Row>) => ({
    ...row,
    store_hash: store.hash,
    ...(headers === undefined ? {} : { headers: open(headers) }),
  })
  const seal = (headers: unknown) => secrets.seal(JSON.stringify(headers))
  const open = (headers: string): unknown => JSON.parse(secrets.unseal(headers))

  // DNS can take seconds, and an Idempotency-Key opens a transaction around the handler. So the host is resolved before it, and
  // its mistake is kept here until the handler has found the others.
  const refusals = new WeakMap<object, string>()
  const checkDestination = async (request: { body: unknown }) => {
    const destination = destinationIn(request.body)
    const sentence = destination === undefined ? undefined : await refuseDestination(destination, policy)
    if (sentence !== undefined) refusals.set(request, sentence)
  }
  const refuse = (request: { body: Static<typeof Changes> }) => {
    const { headers, scope } = request.body
    const mistakes: Record<string, string> = { ...(headers ? refuseHeaders(headers) : {}) }
    if (scope !== undefined && !isScope(scope)) mistakes.scope = 'This scope does not exist.'
    const sentence = refusals.get(request)
    if (sentence !== undefined) mistakes.destination = sentence
    if (Object.keys(mistakes).length > 0) throw invalid(mistakes)
  }

  app.get(
    '/hooks',
    { ...read, schema: { summary: 'List the webhooks', ...publicHooks.list } },
    async ({ db, client, query }) => {
      const { data, meta } = await findRows(db, hooks, query, of(client))
      return answer(
        data.map((row) => pick(publicHooks, toAnswer(db, row), query)),
        meta,
      )
    },
  )

  app.post(
    '/hooks',
    {
      ...write,
      schema: {
        summary: 'Create a webhook',
        description: 'Callbacks are signed as Standard Webhooks, with the client secret.',
        body: NewHook,
        ...publicHooks.answersOne,
      },
      preHandler: checkDestination,
    },
    async (request) => {
      refuse(request)
      const { db, client, body } = request
      const { headers = null, is_active = true, events_history_enabled = false, scope, destination } = body
      return answer(
        await db.transaction(async (tx) => {
          const now = secondsOf(tx.now)
          const hook = await insert(tx, hooks, {
            client_id: client.id,
            scope,
            destination,
            host: destinationHost(destination),
            headers: seal(headers),
            is_active,
            events_history_enabled,
            created_at: now,
            updated_at: now,
            status: is_active ? 'active' : 'inactive',
          })
          await refuseTooMany(tx, hook)
          return toAnswer(tx, hook)
        }),
      )
    },
  )

  app.get(
    '/hooks/admin',
    {
      ...read,
      schema: {
        summary: 'Get the administrators and the state of webhooks',
        querystring: adminQuery,
        ...adminAnswer,
      },
    },
    async ({ db, client, query }) => {
      const { data, meta } = await findRows(db, hooks, query, of(client))
      return answer(
        {
          emails: await emailsOf(db, client),
          hooks_list: data.map((row) => ({ ...toAnswer(db, row), status: row.status })),
          blocked_domains: await blocksOf(db, client, app.clock.now()),
        },
        meta,
      )
    },
  )

  app.put(
    '/hooks/admin',
    { ...write, schema: { summary: 'Change the administrators of webhooks', body: AdminChanges } },
    async ({ db, client, body: { emails } }) => {
      if (emails === undefined) return noContent()
      await db.transaction((tx) =>
        tx.rows(sql`
        insert into hook_admins ${sql.rows([
          { store_id: tx.store.id, client_id: client.id, emails: JSON.stringify([...new Set(emails)]) },
        ])}
        on conflict (store_id, client_id) do update set emails = excluded.emails`),
      )
      return noContent()
    },
  )

  app.get(
    one,
    { ...read, schema: { summary: 'Get a webhook', params, ...publicHooks.one } },
    async ({ db, client, params, query }) =>
      answer(pick(publicHooks, toAnswer(db, await findHook(db, client, params.webhook_id)), query)),
  )

  app.put(
    one,
    {
      ...write,
      schema: { summary: 'Change a webhook', params, body: Changes, ...publicHooks.answersOne },
      preHandler: checkDestination,
    },
    async (request) => {
      refuse(request)
      const { db, client, params, body } = request
      return answer(
        await db.transaction(async (tx) => {
          const row = await lockHookOf(tx, client, params.webhook_id)
          const changes = differences(toAnswer(tx, row), body)
          if ('headers' in changes) changes.headers = seal(changes.headers)
          return toAnswer(tx, await rewrite(tx, row, changes, body.is_active))
        }),
      )
    },
  )

  app.delete(
    one,
    { ...write, schema: { summary: 'Delete a webhook', params, ...publicHooks.answersOne } },
    async ({ db, client, params }) =>
      answer(
        await db.transaction(async (tx) => {
          const row = await lockHookOf(tx, client, params.webhook_id)
          await deleteHook(tx, row.id)
          return toAnswer(tx, row)
        }),
      ),
  )
}

/** The destination in a body that is not validated yet. */
const destinationIn = (body: unknown): string | undefined =>
  isObject(body) && typeof body.destination === 'string' ? body.destination : undefined

const of = (client: Client) => sql`client_id = ${client.id}`

const notFound = (id: number) => new Problem(404, `Webhook with id ${id} not found`)

/** Finds a hook of a client. @throws Problem 404, also for a hook of another client */
export async function findHook(db: Db, client: Client, id: number): Promise<Row> {
  const row = await db.byKey<Row>({ ...hooks.byId, values: [db.store.id, id] })
  if (row?.client_id !== client.id) throw notFound(id)
  return row
}

/** Like `findHook`, and locks the hook until the transaction ends. @throws Problem 404 */
export async function lockHookOf(tx: Tx, client: Client, id: number): Promise<Row> {
  const row = await tx.byKey<Row>({
    name: 'hooks lock',
    text: `${hooks.byId.text} for update`,
    values: [tx.store.id, id],
  })
  if (row?.client_id !== client.id) throw notFound(id)
  return row
}

/** Deletes a hook with its queue. @returns whether the queue is larger than one transaction deletes; workers delete the rest */
export async function deleteHook(tx: Tx, id: number): Promise<boolean> {
  await remove(tx, hooks, id)
  return deleteQueue(tx, id)
}

/** Changes a hook. @param isActive the value in the body: true resets the failures even if nothing else changes */
async function rewrite(tx: Tx, row: Row, changes: object, isActive: boolean | undefined): Promise<Row> {
  if (isActive) await reactivate(tx, row.id)
  if (Object.keys(changes).length === 0) return row
  const isElsewhere = 'scope' in changes || 'destination' in changes
  // The counter serializes new hooks and hooks that change their scope.
  if (isElsewhere) await lockCounter(tx, hooks.table)
  const isDeactivated = row.is_active && isActive === false
  const host = destinationHost('destination' in changes ? String(changes.destination) : row.destination)
  const hook = await change(tx, hooks, row, {
    ...changes,
    host,
    ...(isDeactivated ? { status: 'inactive' } : {}),
    updated_at: secondsOf(tx.now),
  })
  if (host !== row.host) await redirect(tx, row.id, host)
  if (isDeactivated) await park(tx, row.id)
  if (isElsewhere) await refuseTooMany(tx, hook)
  return hook
}

/** The scopes under which a client receives the faults of its hooks. */
const EXCEPTION_SCOPES = listening(DELIVERY_EXCEPTION)

/**
 * Refuses a hook that breaks a limit among the hooks of its client (docs/contract/webhooks.md sections 1 and 4). The caller has
 * locked the counter, so the count stays true until the commit.
 */
async function refuseTooMany(tx: Tx, { client_id, scope, destination }: Row) {
  const isForExceptions = EXCEPTION_SCOPES.includes(scope)
  const { on_scope, on_exceptions, clashing } = await tx.row<{
    on_scope: number
    on_exceptions: number
    clashing: number
  }>(sql`
    select count(*) filter (where scope = ${scope})::int as on_scope,
      count(*) filter (where scope = any(${EXCEPTION_SCOPES}))::int as on_exceptions,
      count(*) filter (where destination = ${destination} and (scope = any(${EXCEPTION_SCOPES})) <> ${isForExceptions})::int as clashing
    from hooks where store_id = ${tx.store.id} and client_id = ${client_id}`)
  if (isForExceptions && on_exceptions > 1) {
    const sentence = `A client can have one webhook for ${DELIVERY_EXCEPTION}.`
    throw new Problem(409, sentence, { scope: sentence })
  }
  if (clashing > 0) {
    const sentence = `The destination of the webhook for ${DELIVERY_EXCEPTION} must differ from those of the other webhooks.`
    throw new Problem(409, sentence, { destination: sentence })
  }
  if (on_scope > HOOKS_ON_SCOPE_MAX) {
    throw new Problem(403, `A client can have at most ${HOOKS_ON_SCOPE_MAX} webhooks on one scope.`)
  }
}

async function emailsOf(db: Db, client: Client): Promise<string[]> {
  const admins = await db.maybeRow<{ emails: string[] }>(sql`
    select emails from hook_admins where store_id = ${db.store.id} and ${of(client)}`)
  return admins?.emails ?? []
}

/** The hosts that are blocked for this client. */
async function blocksOf(db: Db, client: Client, now: Date) {
  const blocks = await db.rows<{ host: string; blocked_until: string; reasons: object[] }>(sql`
    select host, blocked_until, reasons from host_blocks
    where store_id = ${db.store.id} and ${of(client)} and blocked_until > ${now} order by blocked_until, host`)
  return blocks.map(({ host, blocked_until, reasons }) => ({
    destination: `https://${host}`,
    // The end is stored to the second: rounded up, it would give 181 s.
    time_left: Math.min(Math.ceil((Date.parse(blocked_until) - now.getTime()) / 1_000), BLOCK_MS / 1_000),
    reasons,
  }))
}
