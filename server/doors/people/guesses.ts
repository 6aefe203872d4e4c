import type { Clock } from '../../core/clock.ts'
import type { Database } from '../../core/db/database.ts'
import { sql } from '../../core/db/sql.ts'
import type { Secrets } from '../../core/secrets/secrets.ts'

/** Wrong passwords of an e-mail address in a window, as for customers (docs/contract/customers.md section 3). */
const WRONG_MAX = 10
const WINDOW_MS = 15 * 60_000

interface GuessParts {
  database: Pick<Database, 'system'>
  secrets: Pick<Secrets, 'tokenHash'>
  clock: Clock
}

/** Limits the attempts at a person's password in all processes, whatever addresses they come from. */
export class PasswordGuesses {
  readonly #parts: GuessParts

  constructor(parts: GuessParts) {
    this.#parts = parts
  }

  /**
   * Counts an attempt before its password is checked, so that parallel attempts count too. It counts as wrong until `uncount` is called.
   * @returns 0 if it was counted, else the seconds until the next attempt is allowed
   */
  async count(email: string): Promise<number> {
    const { database, clock } = this.#parts
    const now = clock.now()
    const key = this.#keyOf(email)
    const end = new Date(now.getTime() + WINDOW_MS)
    // Each attempt adds one row at most and deletes one that has ended, so the table grows with the attempts of a window only.
    await database.system(sql`
      delete from directory.person_guesses where key = (
        select key from directory.person_guesses where ends_at <= ${now} order by ends_at limit 1
      ) returning key`)
    const [counted] = await database.system(sql`
      insert into directory.person_guesses as guess (key, ends_at, used) values (${key}, ${end}, 1)
      on conflict (key) do update set
        used = case when guess.ends_at <= ${now} then 1 else guess.used + 1 end,
        ends_at = case when guess.ends_at <= ${now} then excluded.ends_at else guess.ends_at end
        where guess.ends_at <= ${now} or guess.used < ${WRONG_MAX}
      returning used`)
    if (counted) return 0
    const [barred] = await database.system<{ ends_at: string }>(
      sql`select ends_at from directory.person_guesses where key = ${key}`,
    )
    const waitMs = barred ? new Date(barred.ends_at).getTime() - now.getTime() : 0
    return Math.max(1, Math.ceil(waitMs / 1_000))
  }

  /** Uncounts an attempt with the right password. */
  async uncount(email: string) {
    await this.#parts.database.system(sql`
      update directory.person_guesses set used = used - 1 where key = ${this.#keyOf(email)} and used > 0 returning key`)
  }

  #keyOf(email: string): string {
    return this.#parts.secrets.tokenHash(email.toLowerCase())
  }
}
