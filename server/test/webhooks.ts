import type { Db } from '../core/db/database.ts'
import { sql } from '../core/db/sql.ts'
import { publish } from '../core/events/publish.ts'
import { claim } from '../webhooks/claim.ts'
import { complete } from '../webhooks/complete.ts'
import { Dispatcher } from '../webhooks/dispatcher.ts'
import type { SendingOutcome } from '../webhooks/sender.ts'
import { type Shop, theHouse } from './shop.ts'

/** What `happen` tells of. */
export const SCOPE = 'store/category/created'

/** The database of a store, to look behind what it answers. */
export async function dbOf({ store }: Shop): Promise<Db> {
  const db = await (await theHouse()).installation.directory.dbById(store.id)
  if (!db) throw new Error('The store has no database.')
  return db
}

/** Every row that a store has in a table. */
export async function rowsOf(shop: Shop, table: string): Promise<Record<string, unknown>[]> {
  return (await dbOf(shop)).rows(sql`select * from ${sql.id(table)} where store_id = ${shop.store.id} order by 2, 3`)
}

/** Fails the test with what would be logged. */
export const noProblems = {
  error(problem: unknown) {
    throw problem
  },
}

/** Hands out the events of all stores to the hooks that listen. */
export async function handOut() {
  const dispatcher = new Dispatcher((await theHouse()).installation.directory, noProblems)
  while (await dispatcher.handOut()) {}
}

/** An event of each of these resources, handed out to the hooks that listen. */
export async function happen(shop: Shop, ...resources: string[]) {
  const db = await dbOf(shop)
  await db.transaction(async (tx) => {
    for (const resource of resources) publish(tx, SCOPE, resource, { type: 'category', id: 1 })
  })
  await handOut()
}

/** Sends what is due for a hook, as a worker does, to a receiver that answers like this. @returns what was claimed */
export async function attempt(shop: Shop, hookId: number, outcome: SendingOutcome) {
  const db = await dbOf(shop)
  const { clock } = await theHouse()
  const claimed = await db.transaction((tx) => claim(tx, hookId, () => 100))
  if (!claimed) return []
  const reports = claimed.lanes.map((lane) => ({
    hook: claimed.hook,
    slot: claimed.slot,
    lane,
    mayTell: false,
    random: 0.5,
    // Behind a failure the others wait.
    attempts: lane.deliveries
      .slice(0, outcome.ok ? lane.deliveries.length : 1)
      .map((delivery) => ({ delivery, startedAt: clock.now(), durationMs: 12.4, outcome })),
  }))
  await db.transaction((tx) => complete(tx, reports, 0))
  return claimed.lanes
}

export const delivered: SendingOutcome = { ok: true, status: 204, excerpt: '' }
export const failed: SendingOutcome = {
  ok: false,
  reason: 'refused',
  message: 'The receiver answered 500.',
  status: 500,
  excerpt: 'Oh no',
}
