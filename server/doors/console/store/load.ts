import t from 'typebox'
import { sql } from '../../../core/db/sql.ts'
import { Answer } from '../../../core/rest/answer.ts'
import type { Api } from '../../../core/rest/api.ts'
import { type Cell, type Directory, HASH_PATTERN, type StoreEntry } from '../../../stores/directory/directory.ts'
import { requestLoads } from '../../../stores/requests/search.ts'

const HOUR_MS = 3_600_000
/** Stores of one request, as many as a page of the console shows. */
const STORES_MAX = 50
/** Most jobs and callbacks that are counted for a store. */
const COUNTED_MAX = 1_000

const LoadQuery = t.Object({
  stores: t.String({
    pattern: `^${HASH_PATTERN.slice(1, -1)}(,${HASH_PATTERN.slice(1, -1)}){0,${STORES_MAX - 1}}$`,
    description: 'Hashes of stores, separated by commas',
  }),
})

interface Backlog {
  store_id: number
  jobs_waiting: number
  callbacks_waiting: number
}

/** The load of stores: requests and errors of the last hour, and the work that waits. No number goes beyond 1,000. */
export function loadRoutes(api: Api, { directory }: { directory: Directory }) {
  api.get(
    '/load',
    { schema: { summary: 'Get requests, errors and backlog of stores', querystring: LoadQuery } },
    async ({ query, signedIn }) => {
      const own = signedIn?.person.stores ?? null
      const hashes = [...new Set(query.stores.split(','))].filter((hash) => own === null || own.includes(hash))
      const entries = (await Promise.all(hashes.map((hash) => directory.find(hash)))).filter(
        (entry) => entry !== undefined,
      )
      const byCell = Map.groupBy(entries, (entry) => directory.cellOf(entry))
      const data = await Promise.all([...byCell].map(([cell, stores]) => loadIn(cell, stores)))
      return new Answer({ data: data.flat(), meta: {} })
    },
  )
}

async function loadIn(cell: Cell, stores: readonly StoreEntry[]) {
  const ids = stores.map(({ id }) => id)
  const [requests, backlogs] = await Promise.all([
    // The log has the ids of requests in real time, whatever the clock of the server.
    requestLoads(cell, ids, new Date(Date.now() - HOUR_MS)),
    cell.system.everywhere<Backlog>(sql`
      select store_id,
        (select count(*) from (
          select 1 from jobs where jobs.store_id = chosen.store_id and state = 'waiting' limit ${COUNTED_MAX}
        ) counted)::int as jobs_waiting,
        (select count(*) from (
          select 1 from deliveries where deliveries.store_id = chosen.store_id limit ${COUNTED_MAX}
        ) counted)::int as callbacks_waiting
      from store_profiles chosen where store_id = any(${ids}::int[])`),
  ])
  return stores.map(({ id, hash, cell }) => {
    const counted = requests.find(({ store_id }) => store_id === id)
    const backlog = backlogs.find(({ store_id }) => store_id === id)
    return {
      store_hash: hash,
      cell,
      requests: counted?.requests ?? 0,
      errors: counted?.errors ?? 0,
      jobs_waiting: backlog?.jobs_waiting ?? 0,
      callbacks_waiting: backlog?.callbacks_waiting ?? 0,
    }
  })
}
