import { cpuOf, cpuOfPostgres } from './cpu.ts'
import type { OpenStore } from './data.ts'
import type { LoadPlan } from './load.ts'
import type { Measured } from './report.ts'
import type { Generator, Subject } from './subjects.ts'
import { messages, type Workload } from './workloads.ts'

export const CONNECTIONS = 16
const REQUESTS_MAX = 10_000
const WARM_UP_TURNS = 10

/** The number of rounds, the seconds of each for each side, and the requests before them. */
interface Pace {
  rounds: number
  seconds: number
  warmUp: Pick<LoadPlan, 'requests' | 'seconds'>
}
// V8 compiles code that is called often, so the warmth of a side depends on its requests: 15,000 of them for a list. If
// the database answers only 400 a second, a short time would compare a server that is being compiled with a finished
// floor.
export const quickly: Pace = { rounds: 3, seconds: 0.7, warmUp: { requests: 20_000, seconds: 8 } }
export const thoroughly: Pace = { rounds: 5, seconds: 1, warmUp: { requests: 30_000, seconds: 40 } }

// Numbers that no earlier request had.
let nextKey = 0

/** The parties of a measurement. */
export interface House {
  server: Subject
  floor: Subject
  generator: Generator
  postmaster: number
  stores: OpenStore[]
}

/**
 * Measures a workload and its other side in turns: A B A B.
 * @param all the workloads, for those whose other side is another workload
 */
export async function measure(
  house: House,
  workload: Workload,
  all: readonly Workload[],
  { rounds: count, seconds: length, warmUp }: Pace,
): Promise<Measured> {
  const { connections = CONNECTIONS } = workload
  const other = all.find(({ name }) => name === workload.beside)
  const own = { subject: house.server, sent: messages(workload, 'server', house.stores) }
  const beside = other
    ? { subject: house.server, sent: messages(other, 'server', house.stores) }
    : { subject: house.floor, sent: messages(workload, 'floor', house.stores) }
  const part = async ({ subject, sent }: typeof own, { requests: most, seconds }: Pace['warmUp']) => {
    const before = [cpuOf(subject.pid), cpuOfPostgres(house.postmaster)]
    const plan = { port: subject.port, connections, seconds, requests: most, messages: sent, first: nextKey }
    const { requests, ...load } = await house.generator.run(plan)
    nextKey += requests
    const [server = 0, database = 0] = [cpuOf(subject.pid), cpuOfPostgres(house.postmaster)].map(
      (after, i) => (after - (before[i] ?? 0)) / requests,
    )
    return { ...load, requests, server, database }
  }
  // In turns too: V8 discards the compiled code of a side that waits for half a minute.
  const turn = { requests: warmUp.requests / WARM_UP_TURNS, seconds: warmUp.seconds / WARM_UP_TURNS }
  for (let i = 0; i < WARM_UP_TURNS; i++) for (const side of [own, beside]) await part(side, turn)
  const rounds: Measured['rounds'] = []
  const round = { requests: REQUESTS_MAX, seconds: length }
  for (let i = 0; i < count; i++) {
    rounds.push({ own: await part(own, round), beside: await part(beside, round) })
  }
  const { name, title, bars = {} } = workload
  return { name, title, beside: workload.beside, bars, rounds }
}
