import t from 'typebox'
import type { Db } from '../../core/db/database.ts'
import { advanceJobs, countDueJobs } from '../../core/jobs/advance.ts'
import { Answer } from '../../core/rest/answer.ts'
import type { Api } from '../../core/rest/api.ts'
import { Problem } from '../../core/rest/problem.ts'
import { advanceTestGateway } from '../../sales/payments/gateways/test-gateway.ts'
import {
  AHEAD_MAX_S,
  advanceClock,
  type ClockParts,
  ClockRefusal,
  clockOf,
  type WaitingWork,
} from '../../stores/clocks/clocks.ts'
import type { Directory } from '../../stores/directory/directory.ts'
import { advanceDeliveries, countDueDeliveries } from '../webhooks/queue/advance.ts'
import { findTestStore, StorePath } from './found-stores.ts'

/** The work of all areas that waits for the clock of a store. */
export const waitingWork: readonly WaitingWork[] = [
  { name: 'jobs', advance: advanceJobs, countDue: countDueJobs },
  { name: 'callbacks', advance: advanceDeliveries, countDue: countDueDeliveries },
  { name: 'payments', advance: advanceTestGateway, countDue: async () => 0 },
]

const REASON = 'Only the clocks of test stores can be moved.'

/** The clock of a test store (docs/powers.md). */
export function clockRoutes(api: Api, parts: { directory: Directory } & Omit<ClockParts, 'waiting'>) {
  const { directory } = parts
  const path = '/stores/:store_hash/clock'

  const dbOf = async (hash: string): Promise<Db> => {
    const { id } = await findTestStore(directory, hash, REASON)
    const db = await directory.dbById(id)
    if (!db) throw new Problem(404, 'There is no such store.')
    return db
  }

  api.get(path, { schema: { summary: 'Get the clock of a test store', params: StorePath } }, async ({ params }) => {
    const db = await dbOf(params.store_hash)
    return new Answer({ data: await clockOf(db), meta: {} })
  })

  api.post(
    `${path}/advance`,
    {
      config: { hasClosedBody: true },
      schema: {
        summary: 'Move the clock of a test store on',
        params: StorePath,
        body: t.Object({ seconds: t.Integer({ minimum: 1, maximum: AHEAD_MAX_S }) }),
      },
    },
    async ({ params, body }) => {
      const db = await dbOf(params.store_hash)
      const moved = await advanceClock(db, body.seconds, { ...parts, waiting: waitingWork }).catch((error) => {
        throw error instanceof ClockRefusal ? new Problem(422, error.message) : error
      })
      return new Answer({ data: moved, meta: {} })
    },
  )
}
