import { Answer } from '../../core/rest/answer.ts'
import type { Api } from '../../core/rest/api.ts'
import { Problem } from '../../core/rest/problem.ts'
import type { Directory } from '../../stores/directory/directory.ts'
import { addFault, clearFaults, FaultRefusal, FaultRule, faultsOf } from '../../stores/faults/faults.ts'
import { findTestStore, StorePath } from './found-stores.ts'

interface FaultParts {
  directory: Directory
  /** The operations of the server, such as `GET /v3/catalog/brands`. */
  operations(): ReadonlySet<string>
}

/** The faults of a test store. */
export function faultRoutes(api: Api, { directory, operations }: FaultParts) {
  const { database } = directory
  const path = '/stores/:store_hash/faults'

  api.get(path, { schema: { summary: 'List the faults of a test store', params: StorePath } }, async ({ params }) => {
    const { id } = await findTestStore(directory, params.store_hash, 'Only test stores can have faults.')
    return new Answer({ data: await faultsOf(database, id), meta: {} })
  })

  api.post(
    path,
    {
      config: { hasClosedBody: true },
      schema: { summary: 'Add a fault to a test store', params: StorePath, body: FaultRule },
    },
    async ({ params, body }) => {
      const { id } = await findTestStore(directory, params.store_hash, 'Only test stores can have faults.')
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
      const { id } = await findTestStore(directory, params.store_hash, 'Only test stores can have faults.')
      await clearFaults(database, id)
      return new Answer(undefined, 204)
    },
  )
}
