import t, { type Static } from 'typebox'
import type { Db, Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { MAIL_ADDRESS } from '../../../core/mail/outbox.ts'
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
import { clear, park, reactivate, secondsOf } from '../queue/hook-state.ts'
import { DELIVERY_EXCEPTION } from '../queue/reports.ts'
import { isScope, listening } from '../queue/scopes.ts'
import { hostOf, type Policy, refusal } from '../sending/destination.ts'
import { type OwnHeaders, refuseHeaders } from '../sending/headers.ts'
import { BLOCK_MS } from '../sending/success-ratio.ts'

const HOOKS_ON_SCOPE_MAX = 10
const EMAILS_MAX = 10

const { read, write } = access('webhooks')

/** A webhook as its client sees it. */
const Hook = t.Object({
  id: Id,
  client_id: t.String(),
  store_hash: t.String(),
  scope: t.String({ minLength: 1 }),
  destination: t.String({ minLength: 1, maxLength: 2_048, format: 'uri' }),
  headers: t.Unsafe<OwnHeaders | null>({ type: ['object', 'null'], patternProperties: { '': t.String() } }),
  is_active: t.Boolean(),
  events_history_enabled: t.Boolean(),
  created_at: t.Integer({ description: 'Unix seconds' }),
  updated_at: t.Integer({ description: 'Unix seconds' }),
})
const Status = t.Enum(['active', 'inactive', 'deactivated'])

/** A webhook as it is stored: with its headers sealed and the host of its destination, without the hash of the store. */
const Row = t.Object({
  ...t.Omit(Hook, ['store_hash']).properties,
  headers: t.String(),
  status: Status,
  host: t.String(),
})
type Row = Static<typeof Row>

const { scope, headers, is_active, events_history_enabled } = Hook.properties
// Its format is checked by the policy, whose sentences say what to change.
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
const shown = collection('hooks', Hook, facts)
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
  /** Own headers often hold secrets. */
  secrets: Pick<Secrets, 'seal' | 'unseal'>
  policy: Policy
}

/** Webhooks and what their clients are told of them (docs/contract/webhooks.md section 1). */
export function hookRoutes(app: Api, { secrets, policy }: HookParts) {
  const one = `/hooks/${idSegment('webhook_id')}`
  const params = t.Object({ webhook_id: Id })

  const show = ({ store }: Db, { status: _, host: __, headers, ...row }: Partial<Row>) => ({
    ...row,
    store_hash: store.hash,
    ...(headers === undefined ? {} : { headers: open(headers) }),
  })
  const seal = (headers: unknown) => secrets.seal(JSON.stringify(headers))
  const open = (headers: string): unknown => JSON.parse(secrets.unseal(headers))

  // Looking a host up can take seconds, and an Idempotency-Key opens a transaction around the handler. So the host is looked up
  // before it, and what is wrong with it is kept here until the handler knows what else is wrong.
  const refusals = new WeakMap<object, string>()
  const lookUp = async (request: { body: unknown }) => {
    const destination = destinationIn(request.body)
    const sentence = destination === undefined ? undefined : await refusal(destination, policy)
    if (sentence !== undefined) refusals.set(request, sentence)
  }
  const refuse = (request: { body: Static<typeof Changes> }) => {
    const { headers, scope } = request.body
    const mistakes: Record<string, string> = { ...(headers ? refuseHeaders(headers) : {}) }
    if (scope !== undefined && !isScope(scope)) mistakes.scope = 'There is no such scope.'
    const sentence = refusals.get(request)
    if (sentence !== undefined) mistakes.destination = sentence
    if (Object.keys(mistakes).length > 0) throw invalid(mistakes)
  }

  app.get(
    '/hooks',
    { ...read, schema: { summary: 'List the webhooks', ...shown.list } },
    async ({ db, client, query }) => {
      const { data, meta } = await findRows(db, hooks, query, of(client))
      return answer(
        data.map((row) => pick(shown, show(db, row), query)),
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
        ...shown.answersOne,
      },
      preHandler: lookUp,
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
            host: hostOf(destination),
            headers: seal(headers),
            is_active,
            events_history_enabled,
            created_at: now,
            updated_at: now,
            status: is_active ? 'active' : 'inactive',
          })
          await refuseTooMany(tx, hook)
          return show(tx, hook)
        }),
      )
    },
  )

  app.get(
    '/hooks/admin',
    {
      ...read,
      schema: {
        summary: 'Get who is told of trouble, and which webhooks have some',
        querystring: adminQuery,
        ...adminAnswer,
      },
    },
    async ({ db, client, query }) => {
      const { data, meta } = await findRows(db, hooks, query, of(client))
      return answer(
        {
          emails: await emailsOf(db, client),
          hooks_list: data.map((row) => ({ ...show(db, row), status: row.status })),
          blocked_domains: await blocksOf(db, client, app.clock.now()),
        },
        meta,
      )
    },
  )

  app.put(
    '/hooks/admin',
    { ...write, schema: { summary: 'Change who is told of trouble with webhooks', body: AdminChanges } },
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
    { ...read, schema: { summary: 'Get a webhook', params, ...shown.one } },
    async ({ db, client, params, query }) =>
      answer(pick(shown, show(db, await findHook(db, client, params.webhook_id)), query)),
  )

  app.put(
    one,
    {
      ...write,
      schema: { summary: 'Change a webhook', params, body: Changes, ...shown.answersOne },
      preHandler: lookUp,
    },
    async (request) => {
      refuse(request)
      const { db, client, params, body } = request
      return answer(
        await db.transaction(async (tx) => {
          const row = await lockHook(tx, client, params.webhook_id)
          const changes = differences(show(tx, row), body)
          if ('headers' in changes) changes.headers = seal(changes.headers)
          return show(tx, await rewrite(tx, row, changes, body.is_active))
        }),
      )
    },
  )

  app.delete(
    one,
    { ...write, schema: { summary: 'Delete a webhook', params, ...shown.answersOne } },
    async ({ db, client, params }) =>
      answer(
        await db.transaction(async (tx) => {
          const row = await lockHook(tx, client, params.webhook_id)
          await removeHook(tx, row.id)
          return show(tx, row)
        }),
      ),
  )
}

/** The destination in a body that is not validated yet. */
const destinationIn = (body: unknown): string | undefined =>
  typeof body === 'object' && body !== null && 'destination' in body && typeof body.destination === 'string'
    ? body.destination
    : undefined

const of = (client: Client) => sql`client_id = ${client.id}`

const notFound = (id: number) => new Problem(404, `Webhook with id ${id} not found`)

/** A client's own hook. @throws Problem 404, also for a hook of another client */
export async function findHook(db: Db, client: Client, id: number): Promise<Row> {
  const row = await db.byKey<Row>({ ...hooks.byId, values: [db.store.id, id] })
  if (row?.client_id !== client.id) throw notFound(id)
  return row
}

/** As findHook, and locks the hook until the transaction ends. @throws Problem 404 */
export async function lockHook(tx: Tx, client: Client, id: number): Promise<Row> {
  const row = await tx.byKey<Row>({
    name: 'hooks lock',
    text: `${hooks.byId.text} for update`,
    values: [tx.store.id, id],
  })
  if (row?.client_id !== client.id) throw notFound(id)
  return row
}

/** Deletes a hook with what waits for it. @returns whether more waits than one transaction removes: workers remove the rest */
export async function removeHook(tx: Tx, id: number): Promise<boolean> {
  await remove(tx, hooks, id)
  return clear(tx, id)
}

/** Changes a hook. @param isActive as the client sent it: true resets its failures, even if nothing else changes */
async function rewrite(tx: Tx, row: Row, changes: object, isActive: boolean | undefined): Promise<Row> {
  if (isActive) await reactivate(tx, row.id)
  if (Object.keys(changes).length === 0) return row
  const isElsewhere = 'scope' in changes || 'destination' in changes
  // Hooks are added and moved to another scope one after another.
  if (isElsewhere) await lockCounter(tx, hooks.table)
  const isSwitchedOff = row.is_active && isActive === false
  const host = hostOf('destination' in changes ? String(changes.destination) : row.destination)
  const hook = await change(tx, hooks, row, {
    ...changes,
    host,
    ...(isSwitchedOff ? { status: 'inactive' } : {}),
    updated_at: secondsOf(tx.now),
  })
  if (host !== row.host) await redirect(tx, row.id, host)
  if (isSwitchedOff) await park(tx, row.id)
  if (isElsewhere) await refuseTooMany(tx, hook)
  return hook
}

/** The scopes under which a client hears that its hooks fail. */
const TELLS_OF_HOOKS = listening(DELIVERY_EXCEPTION)

/**
 * What must hold among the hooks of a client once this one is as it is (docs/contract/webhooks.md sections 1 and 4). The
 * caller holds the counter, so the count stays true until the commit.
 */
async function refuseTooMany(tx: Tx, { client_id, scope, destination }: Row) {
  const tells = TELLS_OF_HOOKS.includes(scope)
  const { on_scope, telling, clashing } = await tx.row<{ on_scope: number; telling: number; clashing: number }>(sql`
    select count(*) filter (where scope = ${scope})::int as on_scope,
      count(*) filter (where scope = any(${TELLS_OF_HOOKS}))::int as telling,
      count(*) filter (where destination = ${destination} and (scope = any(${TELLS_OF_HOOKS})) <> ${tells})::int as clashing
    from hooks where store_id = ${tx.store.id} and client_id = ${client_id}`)
  if (tells && telling > 1) {
    const sentence = 'A client can have one webhook that tells of its webhooks.'
    throw new Problem(409, sentence, { scope: sentence })
  }
  if (clashing > 0) {
    const sentence = `The destination of the webhook for ${DELIVERY_EXCEPTION} must differ from that of every other.`
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

/** The hosts that this client's hooks send nothing to at present. */
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
