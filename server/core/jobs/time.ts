import { type Clock, systemClock } from '../clock.ts'
import { type Sql, sql } from '../db/sql.ts'

/**
 * The time of the queue: that of the database, so that processes whose clocks differ by an hour agree on what is due and on
 * whose lease has ended. It moves as far as the given clock was moved from this machine's own, which tests do.
 */
export function queueTime(clock: Clock): Sql {
  const system = systemClock.now().getTime()
  return sql`now() + make_interval(secs => ${(clock.now().getTime() - system) / 1_000})`
}
