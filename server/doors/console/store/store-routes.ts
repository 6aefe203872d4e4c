import type { FastifyRequest } from 'fastify'
import t from 'typebox'
import { JOB_STATES, listJobs, retryJob, skipJob } from '../../../core/jobs/list.ts'
import { findMail, listMails } from '../../../core/mail/kept.ts'
import { Answer } from '../../../core/rest/answer.ts'
import type { Api } from '../../../core/rest/api.ts'
import { Problem } from '../../../core/rest/problem.ts'
import type { Accounts } from '../../../stores/accounts/accounts.ts'
import { ACCOUNT_SCOPES, presets } from '../../../stores/accounts/scopes.ts'
import { type Directory, STORE_STATES } from '../../../stores/directory/directory.ts'
import { isPlan, LIMITABLE, plans } from '../../../stores/directory/plans.ts'
import { planOf } from '../../../stores/directory/profile.ts'
import type { RequestRecorder } from '../../../stores/requests/recorder.ts'
import { lastUses, summarizeRequests } from '../../../stores/requests/search.ts'
import { pathValue } from '../../people/gate.ts'
import type { PersonSessions } from '../../people/sessions.ts'
import { readStore, StorePath } from '../../powers/found-stores.ts'
import { hooksOfStore } from '../../webhooks/hooks/hooks-of-store.ts'
import { type CustomerDataParts, customerRoutesOfOperator } from './customer-routes.ts'
import { eventRoutes } from './event-routes.ts'
import { CorrelationId, dbOf, entryOf, S, text } from './found-store.ts'
import { loadRoutes } from './load.ts'
import { planRoutes, quotaOf } from './plans.ts'
import { type TemplateDraftParts, templateRoutesOfOperator } from './template-routes.ts'
import { type ThemeFileParts, themeFileRoutes } from './theme-routes.ts'

const DAY_MS = 24 * 3_600_000

interface ConsoleParts extends CustomerDataParts, TemplateDraftParts, ThemeFileParts {
  directory: Directory
  accounts: Accounts
  sessions: PersonSessions
  recorder: Pick<RequestRecorder, 'flush'>
}

const JOBS_LISTED = 100
/** Most jobs that are counted in each state. */
const JOBS_COUNTED_MAX = 1_000

const AccountPath = t.Object({ store_hash: t.String(), client_id: t.String({ pattern: '^[a-z0-9]{31}$' }) })
const JobPath = t.Object({ store_hash: t.String(), job_id: text(100) })
const MailPath = t.Object({ store_hash: t.String(), mail_id: text(100) })
const Scopes = t.Array(t.Enum([...ACCOUNT_SCOPES, ...Object.keys(presets)]), { maxItems: 200 })

/** The routes of the operator's API that the console needs for the data of one store that no API client may see (docs/console.md). */
export function consoleStoreRoutes(api: Api, parts: ConsoleParts) {
  const { directory } = parts
  storeStateRoutes(api, parts)
  accountRoutes(api, parts)
  jobRoutes(api, directory)
  mailRoutes(api, directory)
  eventRoutes(api, parts)
  customerRoutesOfOperator(api, parts)
  templateRoutesOfOperator(api, parts)
  themeFileRoutes(api, parts)
  loadRoutes(api, parts)
  planRoutes(api)
}

function storeStateRoutes(api: Api, { directory, accounts, sessions, recorder }: ConsoleParts) {
  api.put(
    S,
    {
      config: { hasClosedBody: true, readObject: (request) => readStore(directory, request) },
      schema: {
        summary: 'Change name, plan, limits or state of a store',
        params: StorePath,
        body: t.Object({
          name: t.Optional(text(255, 1)),
          plan: t.Optional(t.Enum(Object.keys(plans))),
          state: t.Optional(t.Enum([...STORE_STATES])),
          limits: t.Optional(
            t.Partial(
              t.Record(t.Enum([...LIMITABLE]), t.Union([t.Null(), t.Integer({ minimum: 0, maximum: 2_147_483_647 })])),
            ),
          ),
        }),
      },
    },
    async ({ params, body: { name, plan, limits, state } }) => {
      const { hash } = await entryOf(directory, params.store_hash)
      const chosen = plan !== undefined && isPlan(plan) ? plan : undefined
      const changed = await directory.change(hash, { name, plan: chosen, limits })
      if (state !== undefined) await directory.setState(hash, state)
      const { id: _id, cell: _cell, ...store } = { ...changed, state: state ?? changed.state }
      return new Answer({ data: store, meta: {} })
    },
  )

  api.post(
    `${S}/token`,
    {
      config: { isForPeople: true, hasClosedBody: true, isBodyOptional: true },
      schema: {
        summary: 'Create an access token of the console for a store',
        params: StorePath,
        body: t.Object({ client_id: t.Optional(t.String({ pattern: '^[a-z0-9]{31}$' })) }),
      },
    },
    async (request) => {
      const { id, hash } = await entryOf(directory, request.params.store_hash)
      const { signedIn, body } = request
      if (!signedIn) throw new Error('The route is for people.')
      const list = body.client_id === undefined ? [] : await accounts.list(hash)
      const account = list.find(({ client_id }) => client_id === body.client_id)
      if (body.client_id !== undefined && !account) throw new Problem(404, 'There is no such account.')
      return new Answer({ data: await sessions.createToken(signedIn, id, account), meta: {} }, 201)
    },
  )

  api.get(
    `${S}/overview`,
    { schema: { summary: 'Get what needs attention in a store', params: StorePath } },
    async ({ params }) => {
      const entry = await entryOf(directory, params.store_hash)
      const db = await dbOf(directory, entry)
      const cell = directory.cellOf(entry)
      // The caller sees the refusal of a moment ago, too.
      await recorder.flush()
      const [hooks, plan, today, failed, held, waiting] = await Promise.all([
        hooksOfStore(db),
        planOf(db),
        // The log has the ids of requests in real time, whatever the clock of the server.
        summarizeRequests(cell, entry.id, new Date(Date.now() - DAY_MS)),
        ...(['failed', 'held', 'waiting'] as const).map((state) =>
          listJobs(cell, { state, limit: JOBS_COUNTED_MAX, storeId: entry.id }),
        ),
      ])
      return new Answer({
        data: {
          hooks: hooks.length,
          hooks_off: hooks.filter(({ status }) => status === 'deactivated').length,
          hooks_failing: hooks.filter(({ failing_since }) => failing_since !== null).length,
          jobs_failed: failed?.length ?? 0,
          jobs_held: held?.length ?? 0,
          jobs_waiting: waiting?.length ?? 0,
          quota: isPlan(plan) ? quotaOf(plan) : null,
          today,
        },
        meta: {},
      })
    },
  )
}

function accountRoutes(api: Api, { directory, accounts }: ConsoleParts) {
  const readObject = async (request: FastifyRequest) => {
    const store = await directory.find(pathValue(request, 'store_hash'))
    const list = store ? await accounts.list(store.hash) : []
    return list.find(({ client_id }) => client_id === pathValue(request, 'client_id'))
  }
  api.get(
    `${S}/accounts`,
    { schema: { summary: 'List the API accounts of a store', params: StorePath } },
    async ({ params }) => {
      const entry = await entryOf(directory, params.store_hash)
      const [list, uses] = await Promise.all([accounts.list(entry.hash), lastUses(directory.cellOf(entry), entry.id)])
      const data = list.map((account) => ({ ...account, last_request_at: uses.get(account.client_id) ?? null }))
      return new Answer({ data, meta: { scopes: [...ACCOUNT_SCOPES], presets } })
    },
  )

  api.post(
    `${S}/accounts`,
    {
      config: { hasClosedBody: true, needsConfirmation: true },
      schema: {
        summary: 'Create an API account',
        params: StorePath,
        body: t.Object({ name: text(255, 1), scopes: Scopes }),
      },
    },
    async ({ params, body: { name, scopes } }) => {
      const { hash } = await entryOf(directory, params.store_hash)
      const created = await accounts.create(hash, name, scopes).catch((error) => {
        throw error instanceof Error ? new Problem(409, error.message) : error
      })
      return new Answer({ data: created, meta: {} }, 201)
    },
  )

  api.put(
    `${S}/accounts/:client_id`,
    {
      config: { hasClosedBody: true, readObject },
      schema: { summary: 'Replace the scopes of an account', params: AccountPath, body: t.Object({ scopes: Scopes }) },
    },
    async ({ params, body }) => {
      const { hash } = await entryOf(directory, params.store_hash)
      const changed = await accounts.setScopes(hash, params.client_id, body.scopes)
      if (!changed) throw new Problem(404, 'There is no such account.')
      return new Answer({ data: changed, meta: {} })
    },
  )

  api.post(
    `${S}/accounts/:client_id/secret`,
    {
      config: { needsConfirmation: true, readObject },
      schema: { summary: 'Replace the client secret of an account', params: AccountPath },
    },
    async ({ params }) => {
      const { hash } = await entryOf(directory, params.store_hash)
      const secret = await accounts.rotateSecret(hash, params.client_id)
      if (secret === undefined) throw new Problem(404, 'There is no such account.')
      return new Answer({ data: { client_secret: secret }, meta: {} }, 201)
    },
  )

  api.delete(
    `${S}/accounts/:client_id`,
    { config: { needsConfirmation: true, readObject }, schema: { summary: 'Revoke an account', params: AccountPath } },
    async ({ params }) => {
      const { hash } = await entryOf(directory, params.store_hash)
      if (!(await accounts.delete(hash, params.client_id))) throw new Problem(404, 'There is no such account.')
      return new Answer(undefined, 204)
    },
  )
}

function jobRoutes(api: Api, directory: Directory) {
  api.get(
    `${S}/jobs`,
    {
      schema: {
        summary: 'List the newest jobs of a store in one state',
        params: StorePath,
        querystring: t.Object({
          state: t.Optional(t.Enum([...JOB_STATES])),
          correlation_id: t.Optional(CorrelationId),
        }),
      },
    },
    async ({ params, query: { correlation_id, state = correlation_id === undefined ? 'failed' : undefined } }) => {
      const entry = await entryOf(directory, params.store_hash)
      const jobs = await listJobs(directory.cellOf(entry), {
        state,
        limit: JOBS_LISTED,
        storeId: entry.id,
        correlationId: correlation_id,
      })
      // Payloads may have personal data. The sentence says how the job stands.
      return new Answer({ data: jobs.map(({ payload: _payload, store_id: _store, ...job }) => job), meta: {} })
    },
  )

  for (const [name, change, refusal] of [
    ['retry', retryJob, 'There is no failed job with this id.'],
    ['skip', skipJob, 'There is no job with this id that keeps others waiting.'],
  ] as const) {
    api.post(
      `${S}/jobs/:job_id/${name}`,
      { schema: { summary: `${name === 'retry' ? 'Retry' : 'Skip'} a job that failed permanently`, params: JobPath } },
      async ({ params }) => {
        const db = await dbOf(directory, await entryOf(directory, params.store_hash))
        if (!(await change(db, params.job_id))) throw new Problem(404, refusal)
        return new Answer(undefined, 204)
      },
    )
  }
}

function mailRoutes(api: Api, directory: Directory) {
  api.get(
    `${S}/mails`,
    { schema: { summary: 'List the last mails of a store', params: StorePath } },
    async ({ params }) => {
      const db = await dbOf(directory, await entryOf(directory, params.store_hash))
      return new Answer({ data: await listMails(db), meta: {} })
    },
  )

  api.get(
    `${S}/mails/:mail_id`,
    { schema: { summary: 'Get a mail of a store', params: MailPath } },
    async ({ params }) => {
      const db = await dbOf(directory, await entryOf(directory, params.store_hash))
      const mail = await findMail(db, params.mail_id)
      if (!mail) throw new Problem(404, 'There is no such mail.')
      return new Answer({ data: mail, meta: {} })
    },
  )
}
