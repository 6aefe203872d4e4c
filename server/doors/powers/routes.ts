import t from 'typebox'
import { Answer } from '../../core/rest/answer.ts'
import type { Api } from '../../core/rest/api.ts'
import { Problem } from '../../core/rest/problem.ts'
import type { Directory, StoreRecord } from '../../stores/directory/directory.ts'

interface PowerParts {
  directory: Directory
}

const StorePath = t.Object({ store_hash: t.String() })

/** The API of the operator, below `/operator/v1` (docs/powers.md). */
export function powerRoutes(api: Api, { directory }: PowerParts) {
  api.get('/stores', { schema: { summary: 'List the stores' } }, async () =>
    listed((await directory.list()).map(toAnswer)),
  )

  api.get(
    '/stores/:store_hash',
    { schema: { summary: 'Get a store', params: StorePath } },
    async ({ params }) => new Answer({ data: toAnswer(await findStore(directory, params.store_hash)), meta: {} }),
  )
}

const listed = (data: readonly object[]) => new Answer({ data, meta: {} })

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
