import t from 'typebox'
import type { Clock } from '../../core/clock.ts'
import type { Files } from '../../core/files/files.ts'
import { Answer } from '../../core/rest/answer.ts'
import type { Api } from '../../core/rest/api.ts'
import { Problem } from '../../core/rest/problem.ts'
import type { Ids } from '../../core/secrets/ids.ts'
import type { StoreSeeds } from '../../core/secrets/row-ids.ts'
import { setUpTestGateway } from '../../sales/payments/providers-command.ts'
import type { Accounts } from '../../stores/accounts/accounts.ts'
import type { ClockParts } from '../../stores/clocks/clocks.ts'
import { deleteStore } from '../../stores/directory/deletion.ts'
import { type Directory, HASH_PATTERN, HashTaken } from '../../stores/directory/directory.ts'
import { isPlan, plans } from '../../stores/directory/plans.ts'
import type { LogLevel } from '../../stores/requests/levels.ts'
import type { RequestRecorder } from '../../stores/requests/recorder.ts'
import type { PersonSessions } from '../people/sessions.ts'
import { bundleRoutes } from './bundles/routes.ts'
import type { BundleParts } from './bundles/store-bundles.ts'
import { clockRoutes } from './clock.ts'
import { copyRoutes } from './copies.ts'
import { faultRoutes } from './faults.ts'
import { endAfter, findStore, LifetimeMinutes, readStore, StorePath, storeToAnswer } from './found-stores.ts'
import { replayRoutes } from './replay.ts'
import { requestRoutes } from './requests.ts'

/** A request to delete a store is answered after this time. The upkeep of the servers does the rest. */
const DELETION_MS = 30_000

interface PowerParts extends Omit<ClockParts, 'waiting'>, Pick<BundleParts, 'callers' | 'publicUrl'> {
  directory: Directory
  accounts: Accounts
  files: Files
  clock: Clock
  ids: Ids
  seeds: StoreSeeds
  recorder: RequestRecorder
  sessions: PersonSessions
  requestLog: LogLevel
  /** The operations of the server, such as `GET /v3/catalog/brands`. */
  operations(): ReadonlySet<string>
}

const NewTestStore = t.Object({
  name: t.String({ minLength: 1, maxLength: 255, pattern: '^[^\\u0000]*$' }),
  hash: t.Optional(t.String({ pattern: HASH_PATTERN })),
  plan: t.Optional(t.Enum(Object.keys(plans))),
  lifetime_minutes: t.Optional(LifetimeMinutes),
})

/** The API of the operator, below `/operator/v1` (docs/powers.md). */
export function powerRoutes(api: Api, parts: PowerParts) {
  const { directory, accounts } = parts
  faultRoutes(api, parts)
  copyRoutes(api, parts)
  // The whole server: `api` has only the routes of the operator below its prefix.
  bundleRoutes(api, { ...parts, server: api })
  clockRoutes(api, parts)
  requestRoutes(api, parts)
  replayRoutes(api, parts)

  api.get('/stores', { schema: { summary: 'List the stores' } }, async ({ signedIn }) => {
    const stores = await directory.list()
    const open = signedIn?.person.stores ?? null
    const listed = open === null ? stores : stores.filter(({ hash }) => open.includes(hash))
    return new Answer({ data: listed.map(storeToAnswer), meta: {} })
  })

  api.get('/stores/:store_hash', { schema: { summary: 'Get a store', params: StorePath } }, async ({ params }) => {
    const store = await findStore(directory, params.store_hash)
    return new Answer({ data: storeToAnswer(store), meta: {} })
  })

  api.post(
    '/stores',
    { config: { hasClosedBody: true }, schema: { summary: 'Create a test store', body: NewTestStore } },
    async ({ body: { name, hash, plan = 'standard', lifetime_minutes } }) => {
      const chosen = isPlan(plan) ? plan : 'standard'
      const store = await directory.create({ name, hash, plan: chosen, isTest: true }).catch((error) => {
        throw error instanceof HashTaken ? new Problem(409, error.message) : error
      })
      const endsAt = endAfter(lifetime_minutes, parts.clock)
      if (endsAt) await directory.endAt(store, endsAt)
      const db = await directory.dbById(store.id)
      if (db) await setUpTestGateway(db)
      const { client_id, client_secret, access_token } = await accounts.create(store.hash, 'operator', ['all'])
      return new Answer(
        { data: { ...storeToAnswer(store), account: { client_id, client_secret, access_token } }, meta: {} },
        201,
      )
    },
  )

  api.delete(
    '/stores/:store_hash',
    {
      config: {
        needsConfirmation: true,
        readObject: (request) => readStore(directory, request),
      },
      schema: { summary: 'Delete a store', params: StorePath },
    },
    async ({ params, signedIn }) => {
      const { hash, is_test, state } = await findStore(directory, params.store_hash)
      if (!is_test && !signedIn)
        throw new Problem(403, 'This is a real store. Only a person or "storeward store delete" deletes it.')
      if (!is_test && state === 'active') throw new Problem(409, 'This is a real store. Close it before you delete it.')
      const signal = AbortSignal.timeout(DELETION_MS)
      await deleteStore(parts, hash, { signal })
      return new Answer(undefined, signal.aborted ? 202 : 204)
    },
  )
}
