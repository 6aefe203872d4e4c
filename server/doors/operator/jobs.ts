import { Counter, Gauge, type Registry } from 'prom-client'
import type { JobBacklog, TaskBacklog } from '../../core/jobs/backlog.ts'
import type { JobWorker } from '../../core/jobs/worker.ts'

type Backlog = Pick<JobBacklog, 'look'>

/** A job that is due for longer than this without a start causes a warning. */
const WAITING_SECONDS_MAX = 60

/**
 * Registers metrics of jobs, by task. Each scrape counts due and failed jobs in the databases, so these agree in all processes;
 * attempts are those of this process.
 * @param worker undefined in a process that runs no jobs
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
  counted('storeward_jobs_due', 'Jobs that are due and not started, in all stores.', ({ due }) => due)
  counted(
    'storeward_jobs_oldest_due_seconds',
    'Time since the oldest due job became due. A job that waits for its retry is not due.',
    ({ oldestSeconds }) => oldestSeconds,
  )
  counted(
    'storeward_jobs_failed',
    'Permanently failed jobs that are still stored, in all stores.',
    ({ failed }) => failed,
  )
  counted('storeward_jobs_held', 'Failed jobs that keep later jobs of their key waiting.', ({ held }) => held)
  if (!worker) return
  new Gauge({
    name: 'storeward_jobs_running',
    help: 'Jobs that run in this process.',
    labelNames: ['task'],
    registers,
    collect() {
      for (const [task, count] of worker.running()) this.set({ task }, count)
    },
  })
  new Counter({
    name: 'storeward_job_attempts_total',
    help: 'Attempts of this process by outcome.',
    labelNames: ['task', 'outcome'],
    registers,
    collect() {
      this.reset()
      for (const { task, outcome, count } of worker.attempts()) this.inc({ task, outcome }, count)
    },
  })
}

/**
 * Returns a sentence if jobs need the operator.
 * @param parked tasks that this installation was not set up for: their jobs may wait
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
