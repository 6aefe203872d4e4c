import { readdirSync, readFileSync } from 'node:fs'

/** The CPU time of a process so far in microseconds: all its threads, to the nanosecond and not to the tick. */
export function cpuOf(pid: number): number {
  const tasks = `/proc/${pid}/task`
  return sum(readdirSync(tasks).map((task) => onCpu(`${tasks}/${task}`)))
}

/** The running child processes of a process. */
export function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
}

/**
 * The CPU time of a whole PostgreSQL server in microseconds: the postmaster, its processes, and those that have ended.
 */
export function cpuOfPostgres(postmaster: number): number {
  return (
    ended(postmaster) + onCpu(`/proc/${postmaster}`) + sum(childrenOf(postmaster).map((pid) => onCpu(`/proc/${pid}`)))
  )
}

/** Resident memory of a process, in MiB. */
export function memoryOf(pid: number): number {
  const [, kilobytes = '0'] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) / 1_024
}

/** The first figure of `schedstat` is the time on a CPU in nanoseconds. A process that has just ended counts as 0. */
function onCpu(place: string): number {
  try {
    return Number(readFileSync(`${place}/schedstat`, 'utf8').split(' ')[0]) / 1_000
  } catch {
    return 0
  }
}

/** Time of children that have ended and been waited for: fields 16 and 17 of `stat`, in ticks of 10 ms. */
function ended(pid: number): number {
  const afterName = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1] ?? ''
  const [user = 0, system = 0] = afterName.split(' ').slice(13, 15).map(Number)
  return (user + system) * 10_000
}

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0)

/** The cost of some work, in milliseconds. */
export interface Cost {
  ms: number
  /** CPU of the server and of its database. */
  server: number
  database: number
}

export async function costOf(server: number, postmaster: number, work: () => Promise<unknown>): Promise<Cost> {
  const [own, database, began] = [cpuOf(server), cpuOfPostgres(postmaster), performance.now()]
  await work()
  return {
    ms: performance.now() - began,
    server: (cpuOf(server) - own) / 1_000,
    database: (cpuOfPostgres(postmaster) - database) / 1_000,
  }
}
