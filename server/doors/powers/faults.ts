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
      const { operation, ...rule } = body
      const named = operation === undefined ? {} : { operation: operationOf(operation, operations()) }
      const added = await addFault(database, id, { ...rule, ...named }).catch((error) => {
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

/**
 * The operation that a rule names. Its parameters may have other names: `GET /v3/catalog/brands/{id}` or `/:id`.
 * @throws Problem 422 for an unknown one, with the operation of a path with ids
 */
function operationOf(text: string, known: ReadonlySet<string>): string {
  if (known.has(text)) return text
  const parts = partsOf(text)
  const isSame = (operation: string, isParameter: (part: string) => boolean) => {
    const own = partsOf(operation)
    return (
      own.length === parts.length &&
      own.every((part, i) => (part.startsWith('{') ? isParameter(parts[i] ?? '') : part === parts[i]))
    )
  }
  const operations = [...known]
  const found = operations.find((operation) => isSame(operation, (part) => /^\{.+\}$|^:./.test(part)))
  if (found !== undefined) return found
  const near = operations.find((operation) => isSame(operation, (part) => part !== ''))
  const hint = near === undefined ? '' : ` A fault is for all ids: "${near}".`
  throw new Problem(422, `There is no operation "${text}".${hint}`)
}

const partsOf = (operation: string): string[] => operation.split(/[ /]/)
