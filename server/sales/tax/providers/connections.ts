import type { FastifyRequest } from 'fastify'
import t, { type Static } from 'typebox'
import type { Db, Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { answer } from '../../../core/rest/answer.ts'
import type { Api } from '../../../core/rest/api.ts'
import { Line } from '../../../core/rest/input/fields.ts'
import { refuse } from '../../../core/rest/input/mistakes.ts'
import { envelope } from '../../../core/rest/lists/collection.ts'
import { NeedsPreparation } from '../../../core/rest/preparation.ts'
import { notFound } from '../../../core/rest/problem.ts'
import type { Secrets } from '../../../core/secrets/secrets.ts'
import { changeStamp } from '../../../core/stamps/stamps.ts'
import { writeSystemLog } from '../../../shop/settings/system-logs.ts'
import { access } from '../../../stores/accounts/scopes.ts'
import { findTaxProvider, isConfigured, needsProfile, PROFILE, type TaxProvider } from './providers.ts'

const { read, write } = access('information')

const Connection = t.Object(
  {
    username: t.String(),
    configured: t.Boolean({ description: 'Whether it has all that its calls need' }),
    profile: t.String(),
    target: t.Object({ country_codes: t.Array(t.String()), subdivision_codes: t.Array(t.String()) }),
  },
  { title: 'TaxProviderConnection' },
)
const Changes = t.Partial(t.Object({ username: Line, password: Line, profile: Line }), {
  title: 'TaxProviderConnectionChanges',
  examples: [{ username: 'shop', password: 'a secret' }],
})

interface ConnectionParts {
  secrets: Pick<Secrets, 'seal'>
  tryConnection: TryConnection
}

/** The login of a store at its tax providers (docs/contract/tax.md section 9). */
export function taxConnectionRoutes(api: Api, parts: ConnectionParts) {
  const trials = new WeakMap<FastifyRequest, ConnectionTrial>()
  const path = '/tax/providers/:provider_id(^[a-z0-9][a-z0-9_-]{0,49}$)/connection'
  const params = t.Object({ provider_id: t.String() })
  const response = { 200: envelope(Connection) }

  api.get(
    path,
    { ...read, schema: { summary: 'Get the connection of a tax provider', params, response } },
    async ({ db, params: { provider_id } }) => {
      const provider = await findTaxProvider(db, provider_id)
      if (!provider) throw notFound('tax provider', provider_id)
      return answer(toAnswer(provider))
    },
  )

  api.put(
    path,
    {
      ...write,
      schema: {
        summary: 'Connect a tax provider',
        description: 'Fields that are not sent stay. The password is never answered.',
        params,
        body: Changes,
        response,
      },
    },
    async (request) => {
      const { db, params, body } = request
      const trial = trials.get(request) ?? { outcome: undefined }
      trials.set(request, trial)
      return answer(await db.transaction((tx) => connect(tx, { id: params.provider_id, ...body }, trial, parts)))
    },
  )

  api.delete(
    path,
    {
      ...write,
      schema: {
        summary: 'Disconnect a tax provider',
        description: "If it was active, the store's own rates apply again.",
        params,
        response,
      },
    },
    async ({ db, params: { provider_id } }) => answer(await db.transaction((tx) => disconnect(tx, provider_id))),
  )
}

const toAnswer = (provider: TaxProvider): Static<typeof Connection> => ({
  username: provider.username ?? '',
  configured: isConfigured(provider),
  profile: provider.profile ?? '',
  target: provider.target,
})

/** Tries a login by an estimate. @returns `ok`, or why there is no answer */
export type TryConnection = (db: Db, provider: TaxProvider) => Promise<string>

/** The outcome of the estimate that tries a new login; undefined before it. */
interface ConnectionTrial {
  outcome: string | undefined
}

/**
 * Stores a login. If it is complete, one estimate tries it. The login is kept in any case, and the system log has the outcome.
 * @throws Problem 404, 422
 */
async function connect(
  tx: Tx,
  { id, username, password, profile }: Static<typeof Changes> & { id: string },
  trial: ConnectionTrial,
  { secrets, tryConnection }: ConnectionParts,
) {
  const provider = await lockTaxProvider(tx, id)
  if (profile !== undefined && !needsProfile(provider)) {
    refuse({ profile: `The addresses of the tax provider ${id} have no ${PROFILE}.` })
  }
  const after: TaxProvider = {
    ...provider,
    username: username ?? provider.username ?? '',
    password: password ? secrets.seal(password) : (password ?? provider.password ?? ''),
    profile: profile ?? provider.profile ?? '',
  }
  if (isConfigured(after) && trial.outcome === undefined) {
    throw new NeedsPreparation(async (outside) => {
      trial.outcome = await tryConnection(outside, after)
    })
  }
  await storeLogin(tx, after)
  await log(tx, id, 'connected')
  if (trial.outcome !== undefined && trial.outcome !== 'ok') await logFailedTrial(tx, id, trial.outcome)
  return toAnswer(after)
}

const logFailedTrial = (tx: Tx, id: string, reason: string) =>
  writeSystemLog(tx, {
    type: 'tax',
    module: 'tax provider',
    severity: 'warnings',
    summary: `The tax provider ${id} did not pass its connection test: ${reason}.`,
    message: 'The login is stored. Until estimates succeed the fall-back of the tax settings applies.',
  })

/** @throws Problem 404 if it is unknown or not connected */
async function disconnect(tx: Tx, id: string) {
  const provider = await lockTaxProvider(tx, id)
  if (provider.username === null) throw notFound('connection of the tax provider', id)
  const after = { ...provider, username: null, password: null, profile: null, is_active: false }
  await storeLogin(tx, after)
  await log(tx, id, 'disconnected')
  return toAnswer(after)
}

/** Locks a provider, to change its connection. @throws Problem 404 */
export async function lockTaxProvider(tx: Tx, id: string): Promise<TaxProvider> {
  await changeStamp(tx, 'tax')
  const provider = await findTaxProvider(tx, id, sql`for update`)
  if (!provider) throw notFound('tax provider', id)
  return provider
}

/** Stores the login of a provider that is locked, and whether it is active. */
export const storeLogin = (tx: Tx, { provider_id, username, password, profile, is_active }: TaxProvider) =>
  tx.rows(sql`
    update tax_providers set ${sql.set({ username, password, profile, is_active })}
    where store_id = ${tx.store.id} and provider_id = ${provider_id}`)

const log = (tx: Tx, id: string, outcome: string) =>
  writeSystemLog(tx, {
    type: 'tax',
    module: 'tax provider',
    severity: 'success',
    summary: `The tax provider ${id} was ${outcome}.`,
    message: '',
  })
