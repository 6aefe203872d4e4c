import t from 'typebox'
import { sql } from '../../core/db/sql.ts'
import { Answer } from '../../core/rest/answer.ts'
import type { Api } from '../../core/rest/api.ts'
import { Problem } from '../../core/rest/problem.ts'
import type { Directory } from '../../stores/directory/directory.ts'
import { LOG_LEVELS, type LogLevel } from '../../stores/requests/levels.ts'
import type { RequestRecorder } from '../../stores/requests/recorder.ts'
import { findRequest, findRequests } from '../../stores/requests/search.ts'
import { pathValue } from '../people/gate.ts'
import { findStore, StorePath } from './found-stores.ts'

interface RequestParts {
  directory: Directory
  recorder: RequestRecorder
  /** The level of stores that have chosen none. */
  requestLog: LogLevel
}

const RequestId = t.String({ pattern: '^[0-9a-f]{32}$' })
const Uuid = t.String({ pattern: '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$' })
const Time = t.String({ format: 'date-time' })
const text = (maxLength: number) => t.String({ minLength: 1, maxLength, pattern: '^[^\\u0000]*$' })

const Filters = t.Object({
  request_id: t.Optional(RequestId),
  correlation_id: t.Optional(Uuid),
  operation: t.Optional(text(255)),
  client_id: t.Optional(text(64)),
  person: t.Optional(text(254)),
  changes: t.Optional(t.Boolean()),
  status: t.Optional(t.Integer({ minimum: 100, maximum: 599 })),
  errors: t.Optional(t.Boolean()),
  path: t.Optional(text(255)),
  since: t.Optional(Time),
  until: t.Optional(Time),
  before: t.Optional(RequestId),
  limit: t.Optional(t.Integer({ minimum: 1, maximum: 250 })),
})

const LIMIT = 50

/** The log of the requests of a store (docs/powers.md). */
export function requestRoutes(api: Api, { directory, recorder, requestLog }: RequestParts) {
  const store = '/stores/:store_hash'
  const findCell = async (hash: string) => {
    const found = await findStore(directory, hash)
    return { id: found.id, cell: directory.cellOf(found) }
  }
  const levelOf = async (id: number, cell: { system: Pick<Directory['database'], 'system'> }) => {
    const [profile] = await cell.system.system<{ request_log: LogLevel | null }>(
      sql`select request_log from store_profiles where store_id = ${id}`,
    )
    const chosen = profile?.request_log ?? null
    return { level: chosen ?? requestLog, chosen }
  }

  api.get(
    `${store}/requests`,
    { schema: { summary: 'List the newest requests of a store', params: StorePath, querystring: Filters } },
    async ({ params, query: { limit = LIMIT, ...filters } }) => {
      const { id, cell } = await findCell(params.store_hash)
      // The caller's own requests are there, too.
      await recorder.flush()
      const data = await findRequests(cell, id, filters, limit)
      const before = data.length === limit ? data.at(-1)?.request_id : undefined
      return new Answer({ data, meta: before === undefined ? {} : { before } })
    },
  )

  api.get(
    `${store}/requests/:request_id`,
    {
      schema: {
        summary: 'Get a request of a store with its bodies',
        params: t.Object({ store_hash: t.String(), request_id: RequestId }),
      },
    },
    async ({ params }) => {
      const { id, cell } = await findCell(params.store_hash)
      await recorder.flush()
      const found = await findRequest(cell, id, params.request_id)
      if (!found) throw new Problem(404, 'The log has no such request.')
      return new Answer({ data: found, meta: {} })
    },
  )

  api.get(
    `${store}/request-log`,
    { schema: { summary: 'Get the level of the request log of a store', params: StorePath } },
    async ({ params }) => {
      const { id, cell } = await findCell(params.store_hash)
      return new Answer({ data: await levelOf(id, cell), meta: {} })
    },
  )

  api.put(
    `${store}/request-log`,
    {
      config: {
        hasClosedBody: true,
        async readObject(request) {
          const { id, cell } = await findCell(pathValue(request, 'store_hash'))
          return levelOf(id, cell)
        },
      },
      schema: {
        summary: 'Choose the level of the request log of a store',
        params: StorePath,
        body: t.Object({ level: t.Union([t.Enum([...LOG_LEVELS]), t.Null()]) }),
      },
    },
    async ({ params, body: { level } }) => {
      const { id, cell } = await findCell(params.store_hash)
      await cell.system.system(
        sql`update store_profiles set request_log = ${level} where store_id = ${id} returning store_id`,
      )
      await recorder.readLevels()
      return new Answer({ data: await levelOf(id, cell), meta: {} })
    },
  )
}
