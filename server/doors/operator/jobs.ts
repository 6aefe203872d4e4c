import { Counter, Gauge, type Registry } from 'prom-client'
import type { JobBacklog, TaskBacklog } from '../../core/jobs/backlog.ts'
import type { JobWorker } from '../../core/jobs/worker.ts'

type Backlog = Pick<JobBacklog, 'look'>

/** Jobs that are due for this long and have not been begun are something to look after. */
const WAITING_SECONDS_MAX = 60

/**
 * What there is to know about jobs, by task. What waits and what failed is counted when somebody asks, in the databases that all
 * processes share; attempts are those of this process.
 * @param worker none in a process that does no jobs
 */
export function observeJobs(
  registry: Registry,
  backlog: Backlog,
  worker: Pick<JobWorker, 'attempts' | 'running'> | undefined,
) {
  const registers = [registry]
  const counted = (name: string, help: string, of: (task: TaskBacklog) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ['task'],
      registers,
      async collect() {
        this.reset()
        // Without its database a server still reports its own measurements.
        const tasks = await backlog.look().catch(() => new Map<string, TaskBacklog>())
        for (const [task, backlogOfTask] of tasks) this.set({ task }, of(backlogOfTask))
      },
    })
  counted('storeward_jobs_due', 'Jobs that are due and not begun, in all stores.', ({ due }) => due)
  counted(
    'storeward_jobs_oldest_due_seconds',
    'Time that the oldest of these has been due; what waits for its retry is not due.',
    ({ oldestSeconds }) => oldestSeconds,
  )
  counted(
    'storeward_jobs_failed',
    'Jobs that failed for good and are still kept, in all stores.',
    ({ failed }) => failed,
  )
  counted('storeward_jobs_held', 'Of these, jobs that keep others of their key waiting.', ({ held }) => held)
  if (!worker) return
  new Gauge({
    name: 'storeward_jobs_running',
    help: 'Jobs under way in this process.',
    labelNames: ['task'],
    registers,
    collect() {
      for (const [task, count] of worker.running()) this.set({ task }, count)
    },
  })
  new Counter({
    name: 'storeward_job_attempts_total',
    help: 'Attempts of this process by what came of them.',
    labelNames: ['task', 'outcome'],
    registers,
    collect() {
      this.reset()
      for (const { task, outcome, count } of worker.attempts()) this.inc({ task, outcome }, count)
    },
  })
}

/**
 * A sentence if jobs need somebody. @param parked tasks that this installation was not set up for: their jobs wait, and that is
 * no fault
 */
export async function jobWarning(backlog: Backlog, parked: readonly string[]): Promise<string | undefined> {
  const tasks = [...(await backlog.look())].filter(([task]) => !parked.includes(task)).map(([, task]) => task)
  const seconds = Math.max(0, ...tasks.map(({ oldestSeconds }) => oldestSeconds))
  const held = tasks.reduce((sum, task) => sum + task.held, 0)
  const sentences = [
    ...(seconds > WAITING_SECONDS_MAX
      ? [`Jobs have been waiting for ${Math.floor(seconds)} s: is a worker running?`]
      : []),
    ...(held > 0 ? [`${held} failed jobs keep others waiting: see storeward jobs list --state held.`] : []),
  ]
  return sentences.length > 0 ? sentences.join(' ') : undefined
}
