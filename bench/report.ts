import { cpus, loadavg, release, totalmem } from 'node:os'
import pg from 'pg'
import type { Load } from './load.ts'
import type { Bars } from './workloads.ts'

const IDLE_MEMORY_MAX_MIB = 200

/** One measured side: the figures of the load, and CPU per request in microseconds. */
interface Measurement extends Load {
  server: number
  database: number
}

export interface Measured {
  name: string
  title: string
  beside: string
  bars: Bars
  rounds: { own: Measurement; beside: Measurement }[]
}

/** Resident memory of the server process in MiB: after a few requests, and after all of them. */
interface Memory {
  idleMemory: number
  memory: number
}

interface Figures {
  facts: Record<string, string>
  measured: Measured[]
}

export type Report = Figures & Memory

export async function factsOf(url: string): Promise<Record<string, string>> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query(
    `select current_setting('server_version') as version, current_setting('fsync') as fsync`,
  )
  await client.end()
  return {
    machine: `${cpus().length} x ${cpus()[0]?.model ?? 'CPU'}, ${Math.round(totalmem() / 2 ** 30)} GiB, Linux ${release()}`,
    node: process.version,
    postgresql: `${rows[0].version}, fsync ${rows[0].fsync}`,
    load: `${loadavg()[0]?.toFixed(1)} (mean of the last minute, this run included)`,
  }
}

interface Figure {
  median: number
  lowest: number
  highest: number
}

export function figure(numbers: number[]): Figure {
  const sorted = numbers.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  const median = ((sorted[Math.ceil(middle) - 1] ?? 0) + (sorted[Math.floor(middle)] ?? 0)) / 2
  return { median, lowest: sorted[0] ?? 0, highest: sorted.at(-1) ?? 0 }
}

/** Each bar of a workload with its figure. */
function checks({ rounds, bars }: Measured) {
  const ratio = (of: 'server' | 'database') => figure(rounds.map(({ own, beside }) => own[of] / beside[of]))
  const rate = ({ requests, seconds }: Measurement) => requests / seconds
  return [
    {
      what: 'requests per second',
      figure: figure(rounds.map(({ own, beside }) => rate(own) / rate(beside))),
      bar: bars.rate,
      unit: 'x',
      atLeast: true,
    },
    { what: 'server CPU', figure: ratio('server'), bar: bars.server, unit: 'x' },
    { what: 'database CPU', figure: ratio('database'), bar: bars.database, unit: 'x' },
    {
      what: 'database CPU',
      figure: figure(rounds.map(({ own }) => own.database / 1_000)),
      bar: bars.databaseMs,
      unit: 'ms',
    },
  ].filter(({ bar, unit, atLeast }) => (unit === 'x' && !atLeast) || bar !== undefined)
}

const holds = ({ figure: { median }, bar, atLeast }: ReturnType<typeof checks>[number]) =>
  bar === undefined || (atLeast ? median >= bar : median <= bar)

/** Whether every bar was met. */
export const verdict = ({ measured, idleMemory }: Report): boolean =>
  idleMemory <= IDLE_MEMORY_MAX_MIB && measured.every((one) => checks(one).every(holds))

/** The figures, then the memory, for human readers. */
export const wholeTable = (report: Report): string => `${table(report)}\n\n${memoryLine(report)}`

export function table({ facts, measured }: Figures): string {
  const lines = Object.entries(facts).map(([name, fact]) => `${name.padEnd(12)}${fact}`)
  lines.push('', row('', 'requests', 'per s', 'p50 ms', 'p99 ms', 'server us', 'database us'))
  for (const one of measured) {
    lines.push('', one.title)
    for (const side of ['own', 'beside'] as const) {
      const measurements = one.rounds.map((round) => round[side])
      const median = (value: (one: Measurement) => number) => figure(measurements.map(value)).median
      lines.push(
        row(
          side === 'own' ? '  server' : `  ${one.beside}`,
          measurements.reduce((sum, { requests }) => sum + requests, 0).toFixed(),
          median(({ requests, seconds }) => requests / seconds).toFixed(),
          median(({ p50 }) => p50).toFixed(2),
          median(({ p99 }) => p99).toFixed(2),
          median(({ server }) => server).toFixed(1),
          median(({ database }) => database).toFixed(1),
        ),
      )
    }
    for (const check of checks(one)) {
      const { what, figure, bar, unit } = check
      const spread = `${figure.lowest.toFixed(2)} to ${figure.highest.toFixed(2)}`
      const judged = bar === undefined ? '' : `, bar ${bar}: ${holds(check) ? 'reached' : 'MISSED'}`
      lines.push(`  ${what} ${figure.median.toFixed(2)} ${unit} (${spread})${judged}`)
    }
  }
  return lines.join('\n')
}

function memoryLine({ idleMemory, memory }: Memory): string {
  const judged = idleMemory <= IDLE_MEMORY_MAX_MIB ? 'reached' : 'MISSED'
  return `memory of the server: idle ${idleMemory.toFixed()} MiB, bar ${IDLE_MEMORY_MAX_MIB}: ${judged}; at the end ${memory.toFixed()} MiB`
}

const row = (name: string, ...figures: string[]) => name.padEnd(12) + figures.map((text) => text.padStart(13)).join('')
