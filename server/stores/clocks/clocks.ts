import { setTimeout as sleep } from 'node:timers/promises'
import { type Database, type Db, prepared, type Tx } from '../../core/db/database.ts'
import { sql } from '../../core/db/sql.ts'
import type { StoreClocks } from '../../core/db/store-clocks.ts'

const READ_MS = 500
/** Two years. */
export const AHEAD_MAX_S = 2 * 366 * 86_400
const WAIT_MS = 30_000
const LOOK_MS = 50

interface Cells {
  readonly cells: readonly { readonly system: Pick<Database, 'everywhere'> }[]
}

/** Reads the clocks of all stores from the databases, twice a second. */
export class ClockReader {
  readonly #cells: Cells['cells']
  readonly #clocks: StoreClocks
  #timer: NodeJS.Timeout | undefined
  #reading: Promise<void> | undefined

  constructor(cells: Cells['cells'], clocks: StoreClocks) {
    this.#cells = cells
    this.#clocks = clocks
  }

  start() {
    // A database that does not answer: the last clocks remain, and requests fail for themselves.
    const round = () => {
      if (this.#reading === undefined) this.read().catch(() => {})
    }
    this.#timer = setInterval(round, READ_MS).unref()
  }

  async stop() {
    clearInterval(this.#timer)
    await this.#reading?.catch(() => {})
  }

  /** Reads them, each time anew: a reading that has begun may not have the clock that the caller moved. */
  async read(): Promise<void> {
    const reading = (this.#reading ?? Promise.resolve()).catch(() => {}).then(() => this.#read())
    this.#reading = reading
    try {
      await reading
    } finally {
      if (this.#reading === reading) this.#reading = undefined
    }
  }

  async #read() {
    const clocks = (await Promise.all(this.#cells.map(({ system }) => differingClocks(system)))).flat()
    this.#clocks.replace(
      new Map(
        clocks.map(({ store_id, clock_ahead_s, clock_stands_at: at }) => [
          store_id,
          { aheadMs: clock_ahead_s * 1_000, standsAt: at === null ? undefined : new Date(at) },
        ]),
      ),
    )
  }
}

const differingClocks = (system: Pick<Database, 'everywhere'>) =>
  system.everywhere<{ store_id: number; clock_ahead_s: number; clock_stands_at: string | null }>(
    prepared(sql`
    select store_id, clock_ahead_s, clock_stands_at from store_profiles
    where clock_ahead_s > 0 or clock_stands_at is not null`),
  )

/** The work of an area that waits for the clock of a store. */
export interface WaitingWork {
  readonly name: string
  /** Moves its times earlier. @param ms milliseconds */
  advance(tx: Tx, ms: number): Promise<void>
  /** The work that is due now, and not done yet. */
  countDue(tx: Tx): Promise<number>
}

export interface ClockParts {
  clockReader: Pick<ClockReader, 'read'>
  waiting: readonly WaitingWork[]
  /** Deletes and ends what has expired in the store. */
  upkeep(db: Db): Promise<void>
}

/** The clock of a store after it was moved. */
interface MovedClock {
  /** Seconds by which it was moved on. */
  ahead_seconds: number
  time: string
  /** Whether it stands until it is moved on. */
  stands: boolean
  /** Work that is due and not done after 30 s, by its kind. Empty if all is done. */
  left: Record<string, number>
}

/** A move that no clock can make. */
export class ClockRefusal extends Error {}

/**
 * Moves the clock of a test store on. All work that waits for it, such as retries of callbacks and jobs, is due by as much earlier, in the
 * same transaction. Then expired rows are deleted, and the call waits until the due work is done, 30 s at most. Every process follows
 * within a second.
 * @param seconds at least 1; the clock is at most two years ahead
 * @throws ClockRefusal with a sentence for the operator
 */
export async function advanceClock(
  db: Db,
  seconds: number,
  { clockReader, waiting, upkeep }: ClockParts,
  waitMs = WAIT_MS,
): Promise<MovedClock> {
  if (!db.store.isTest) throw new ClockRefusal('This is a real store. Only the clocks of test stores can be moved.')
  if (!Number.isInteger(seconds) || seconds < 1)
    throw new ClockRefusal('A clock moves on by whole seconds, at least 1.')
  await db.transaction(async (tx) => {
    const [moved] = await tx.rows(sql`
      update store_profiles set clock_ahead_s = clock_ahead_s + ${seconds}
      where store_id = ${tx.store.id} and clock_ahead_s <= ${AHEAD_MAX_S - seconds}::bigint returning store_id`)
    if (!moved) throw new ClockRefusal('A clock is at most two years ahead.')
    for (const work of waiting) await work.advance(tx, seconds * 1_000)
  })
  await clockReader.read()
  const until = performance.now() + waitMs
  await upkeep(db)
  let left = await countLeft(db, waiting)
  while (Object.keys(left).length > 0 && performance.now() < until) {
    await sleep(LOOK_MS)
    left = await countLeft(db, waiting)
  }
  return { ...(await clockOf(db)), left }
}

/** Some times are stored as seconds in four bytes. They end in January 2038, and a clock can be moved on by two years. */
const STANDING_END = new Date('2036-01-01T00:00:00.000Z')

/**
 * The time at which the clock of a fork stands.
 * @throws ClockRefusal for a time that is past, because clocks never go back, and from 2036 on
 */
export function standingTime(text: string, now: Date): Date {
  const time = new Date(text)
  if (time > now && time < STANDING_END) return time
  throw new ClockRefusal(`A clock stands at a time that is later than now, and before ${STANDING_END.toISOString()}.`)
}

/** The clock of a store. */
export async function clockOf(db: Db): Promise<Omit<MovedClock, 'left'>> {
  const { ahead, stands } = await db.row<{ ahead: number; stands: boolean }>(sql`
    select clock_ahead_s as ahead, clock_stands_at is not null as stands from store_profiles where store_id = ${db.store.id}`)
  return { ahead_seconds: ahead, time: db.now.toISOString(), stands }
}

const countLeft = (db: Db, waiting: readonly WaitingWork[]): Promise<Record<string, number>> =>
  db.transaction(async (tx) => {
    const counts: Record<string, number> = {}
    for (const { name, countDue } of waiting) {
      const due = await countDue(tx)
      if (due > 0) counts[name] = due
    }
    return counts
  })

/** Sets the clock of a store back to that of the server. Its rows keep their times, so this is for stores that are no longer used. */
export const clearClock = (db: Db): Promise<unknown> =>
  db.transaction((tx) =>
    tx.rows(
      sql`update store_profiles set clock_ahead_s = 0, clock_stands_at = null where store_id = ${tx.store.id} returning store_id`,
    ),
  )

/** A span such as `90d` or `1h30m`. */
export function spanOf(seconds: number): string {
  const units = [
    ['d', 86_400],
    ['h', 3_600],
    ['m', 60],
    ['s', 1],
  ] as const
  let left = seconds
  const parts = units.map(([unit, size]) => {
    const count = Math.floor(left / size)
    left -= count * size
    return count > 0 ? `${count}${unit}` : ''
  })
  return parts.join('') || '0s'
}

/** Seconds of a span such as `90d` or `1h30m`. Undefined for another text. */
export function secondsIn(text: string): number | undefined {
  const [, d, h, m, s] = /^(?=.)(?:(\d{1,4})d)?(?:(\d{1,6})h)?(?:(\d{1,7})m)?(?:(\d{1,9})s)?$/.exec(text) ?? []
  if ([d, h, m, s].every((part) => part === undefined)) return undefined
  return Number(d ?? 0) * 86_400 + Number(h ?? 0) * 3_600 + Number(m ?? 0) * 60 + Number(s ?? 0)
}
