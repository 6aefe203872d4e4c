import type { Clock } from '../clock.ts'
import type { Database } from '../db/database.ts'
import { sql } from '../db/sql.ts'

/** Counting in a cell stops here, for each kind. */
const COUNTED_MAX = 10_000
/** More frequent calls get the same answer. */
const KEPT_MS = 5_000

/** The jobs of one task that need somebody, over all stores. */
export interface TaskBacklog {
  /** Due, and not begun by a worker. Jobs that wait for a retry are not due. */
  due: number
  /** The age of the oldest of these in seconds; 0 if there is none. */
  oldestSeconds: number
  /** Failed permanently, and still kept. */
  failed: number
  /** Failed jobs that block others of their key. */
  held: number
}

/** Counts waiting and failed jobs when metrics or readiness ask. */
export class JobBacklog {
  readonly #cells: readonly { readonly system: Pick<Database, 'system' | 'present'> }[]
  readonly #clock: Clock
  #last: { at: number; tasks: Promise<Map<string, TaskBacklog>> } | undefined

  constructor(
    { cells }: { readonly cells: readonly { readonly system: Pick<Database, 'system' | 'present'> }[] },
    clock: Clock,
  ) {
    this.#cells = cells
    this.#clock = clock
  }

  /** @throws DatabaseUnavailable */
  look(): Promise<Map<string, TaskBacklog>> {
    const at = this.#clock.now().getTime()
    if (this.#last && Math.abs(at - this.#last.at) < KEPT_MS) return this.#last.tasks
    const tasks = this.#count()
    this.#last = { at, tasks }
    tasks.catch(() => {
      this.#last = undefined
    })
    return tasks
  }

  async #count(): Promise<Map<string, TaskBacklog>> {
    const tasks = new Map<string, TaskBacklog>()
    for (const { system } of this.#cells) {
      const now = system.present
      const rows = await system.system<TaskBacklog & { task: string }>(sql`
        select task, count(*) filter (where kind = 'due') as due, count(*) filter (where kind <> 'due') as failed,
          count(*) filter (where kind = 'held') as held,
          greatest(0, coalesce(extract(epoch from ${now} - min(due_at)), 0)) as "oldestSeconds"
        from (
          (select lanes.task, 'due' as kind, lanes.due_at from job_queues queues join job_lanes lanes
            on lanes.store_id = queues.store_id and lanes.task = queues.task and lanes.due_at <= ${now} and not lanes.is_new
            where queues.due_at <= ${now} limit ${COUNTED_MAX})
          union all (select task, 'due', due_at from job_lanes where is_new and due_at <= ${now} limit ${COUNTED_MAX})
          union all (select task, state, null from jobs where state in ('failed', 'held') limit ${COUNTED_MAX})
        ) job group by task`)
      for (const { task, ...counted } of rows) {
        const of = tasks.get(task) ?? { due: 0, oldestSeconds: 0, failed: 0, held: 0 }
        tasks.set(task, {
          due: of.due + counted.due,
          oldestSeconds: Math.max(of.oldestSeconds, counted.oldestSeconds),
          failed: of.failed + counted.failed,
          held: of.held + counted.held,
        })
      }
    }
    return tasks
  }
}
