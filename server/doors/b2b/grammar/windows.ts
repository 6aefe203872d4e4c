import type { FastifyReply } from 'fastify'
import { type Db, prepared } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { Problem } from '../../../core/rest/problem.ts'
import { type Plan, UNLIMITED } from '../../../stores/directory/plans.ts'

// The rate limit of a store (docs/contract/b2b.md section 3). All processes share its count in the database. At 150 requests a minute
// no other way is cheaper.

const WINDOW_SECONDS = 60

interface Use {
  used: number
  /** The rest of the window. */
  seconds: number
}

/**
 * Counts a request of a store, and sets the headers of the limit. A refused request is not counted.
 * @returns the refusal, or undefined
 */
export async function chargeMinute(db: Db, plan: Plan, reply: FastifyReply): Promise<Problem | undefined> {
  const max = plan.window
  const { used, seconds } = max === UNLIMITED ? { used: 0, seconds: WINDOW_SECONDS } : await count(db, max)
  const left = max === UNLIMITED ? UNLIMITED : Math.max(0, max - used)
  reply.header('x-requests-allocated', `${max} times/${WINDOW_SECONDS} s`)
  reply.header('x-requests-window-length', `${WINDOW_SECONDS} s`)
  reply.header('x-requests-remaining', `${left} times`)
  reply.header('x-request-window-resets-after', `${seconds.toFixed(1)} s`)
  if (used <= max) return undefined
  return new Problem(429, 'Too many requests', {}, { headers: { 'x-retry-after': String(Math.ceil(seconds)) } })
}

/**
 * Counts a call of an operation with a limit of its own, beside that of the store.
 * @throws Problem 429
 */
export async function refuseTooOften(db: Db, operation: string, max: number) {
  await db.transaction(async (tx) => {
    const counted = await tx.rows(sql`
      insert into b2b_slow_windows as counting (store_id, operation, ends_at, used)
      values (${tx.store.id}, ${operation}, ${tx.present} + ${WINDOW_SECONDS} * interval '1 s', 1)
      on conflict (store_id, operation) do update set
        used = case when counting.ends_at <= ${tx.present} then 1 else counting.used + 1 end,
        ends_at = case when counting.ends_at <= ${tx.present} then excluded.ends_at else counting.ends_at end
        where counting.ends_at <= ${tx.present} or counting.used < ${max}
      returning used`)
    if (counted.length === 0) throw new Problem(429, `At most ${max} of these requests a minute are allowed.`)
  })
}

/** @returns one more than the maximum for a refused request */
const count = (db: Db, max: number): Promise<Use> =>
  db.transaction(async (tx) => {
    const left = sql`extract(epoch from ends_at - ${tx.present})::numeric as seconds`
    const [counted] = await tx.rows<Use>(
      prepared(sql`
      insert into b2b_request_windows as counting (store_id, ends_at, used)
      values (${tx.store.id}, ${tx.present} + ${WINDOW_SECONDS} * interval '1 s', 1)
      on conflict (store_id) do update set
        used = case when counting.ends_at <= ${tx.present} then 1 else counting.used + 1 end,
        ends_at = case when counting.ends_at <= ${tx.present} then excluded.ends_at else counting.ends_at end
        where counting.ends_at <= ${tx.present} or counting.used < ${max}
      returning used, ${left}`),
    )
    if (counted) return { used: counted.used, seconds: Number(counted.seconds) }
    const { seconds } = await tx.row<Use>(
      sql`select used, ${left} from b2b_request_windows where store_id = ${tx.store.id}`,
    )
    return { used: max + 1, seconds: Math.max(0.1, Number(seconds)) }
  })
