import t from 'typebox'
import type { Clock } from '../../core/clock.ts'
import type { Files } from '../../core/files/files.ts'
import { Answer } from '../../core/rest/answer.ts'
import type { Api } from '../../core/rest/api.ts'
import { Problem } from '../../core/rest/problem.ts'
import { setUpTestGateway } from '../../sales/payments/providers-command.ts'
import type { Accounts } from '../../stores/accounts/accounts.ts'
import { deleteStore } from '../../stores/directory/deletion.ts'
import { type Directory, HASH_PATTERN, HashTaken, type StoreRecord } from '../../stores/directory/directory.ts'
import { isPlan, plans } from '../../stores/directory/plans.ts'
import { addFault, clearFaults, FaultRefusal, FaultRule, faultsOf } from '../../stores/faults/faults.ts'

/** A request to delete a store is answered after this time. The upkeep of the servers does the rest. */
const DELETION_MS = 30_000

interface PowerParts {
  directory: Directory
  accounts: Accounts
  files: Files
  clock: Clock
  /** The operations of the server, such as `GET /v3/catalog/brands`. */
  operations(): ReadonlySet<string>
}

const StorePath = t.Object({ store_hash: t.String() })

const NewTestStore = t.Object({
  name: t.String({ minLength: 1, maxLength: 255, pattern: '^[^\\u0000]*$' }),
  hash: t.Optional(t.String({ pattern: HASH_PATTERN })),
  plan: t.Optional(t.Enum(Object.keys(plans))),
})

/** The API of the operator, below `/operator/v1` (docs/powers.md). */
export function powerRoutes(api: Api, parts: PowerParts) {
  const { directory, accounts } = parts
  faultRoutes(api, parts)

  api.get('/stores', { schema: { summary: 'List the stores' } }, async () => {
    const stores = await directory.list()
    return new Answer({ data: stores.map(toAnswer), meta: {} })
  })

  api.get('/stores/:store_hash', { schema: { summary: 'Get a store', params: StorePath } }, async ({ params }) => {
    const store = await findStore(directory, params.store_hash)
    return new Answer({ data: toAnswer(store), meta: {} })
  })

  api.post(
    '/stores',
    { config: { hasClosedBody: true }, schema: { summary: 'Create a test store', body: NewTestStore } },
    async ({ body: { name, hash, plan = 'standard' } }) => {
      const chosen = isPlan(plan) ? plan : 'standard'
      const store = await directory.create({ name, hash, plan: chosen, isTest: true }).catch((error) => {
        throw error instanceof HashTaken ? new Problem(409, error.message) : error
      })
      const db = await directory.dbById(store.id)
      if (db) await setUpTestGateway(db)
      const { client_id, client_secret, access_token } = await accounts.create(store.hash, 'operator', ['all'])
      return new Answer(
        { data: { ...toAnswer(store), account: { client_id, client_secret, access_token } }, meta: {} },
        201,
      )
    },
  )

  api.delete(
    '/stores/:store_hash',
    { schema: { summary: 'Delete a test store', params: StorePath } },
    async ({ params }) => {
      const { hash, is_test } = await findStore(directory, params.store_hash)
      if (!is_test) throw new Problem(403, 'This is a real store. Only "storeward store delete" deletes it.')
      const signal = AbortSignal.timeout(DELETION_MS)
      await deleteStore(parts, hash, { signal })
      return new Answer(undefined, signal.aborted ? 202 : 204)
    },
  )
}

/** The faults of a test store. */
function faultRoutes(api: Api, { directory, operations }: PowerParts) {
  const { database } = directory
  const path = '/stores/:store_hash/faults'

  api.get(path, { schema: { summary: 'List the faults of a test store', params: StorePath } }, async ({ params }) => {
    const { id } = await findTestStore(directory, params.store_hash)
    return new Answer({ data: await faultsOf(database, id), meta: {} })
  })

  api.post(
    path,
    {
      config: { hasClosedBody: true },
      schema: { summary: 'Add a fault to a test store', params: StorePath, body: FaultRule },
    },
    async ({ params, body }) => {
      const { id } = await findTestStore(directory, params.store_hash)
      if (body.operation !== undefined && !operations().has(body.operation)) {
        throw new Problem(422, `There is no operation "${body.operation}".`)
      }
      const added = await addFault(database, id, body).catch((error) => {
        throw error instanceof FaultRefusal ? new Problem(422, error.message) : error
      })
      return new Answer({ data: added, meta: {} }, 201)
    },
  )

  api.delete(
    path,
    { schema: { summary: 'Clear the faults of a test store', params: StorePath } },
    async ({ params }) => {
      const { id } = await findTestStore(directory, params.store_hash)
      await clearFaults(database, id)
      return new Answer(undefined, 204)
    },
  )
}

/** @throws Problem 404, 403 for a real store */
async function findTestStore(directory: Directory, hash: string): Promise<StoreRecord> {
  const store = await findStore(directory, hash)
  if (store.is_test) return store
  throw new Problem(403, 'This is a real store. Only test stores can have faults.')
}

const toAnswer = ({ hash, name, state, plan, limits, is_test }: StoreRecord) => ({
  hash,
  name,
  state,
  plan,
  limits,
  is_test,
})

/** @throws Problem 404 */
async function findStore(directory: Directory, hash: string): Promise<StoreRecord> {
  const store = (await directory.list()).find((store) => store.hash === hash)
  if (!store) throw new Problem(404, 'There is no such store.')
  return store
}
