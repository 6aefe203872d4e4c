import { figure } from './report.ts'

/** Two works whose costs are compared. */
export interface Comparison {
  name: string
  /** The ratio that must not be exceeded; undefined if there is none. */
  bar?: number
  /** CPU that has been used so far, in microseconds. */
  cpu: () => number
  rounds: number
  /** The runs of each work in a round. */
  times: number
  own: () => Promise<unknown>
  beside: () => Promise<unknown>
}

/** Measures two works in turns and prints their costs in milliseconds, and the median of their ratios. A missed bar sets the exit code. */
export async function compareWorks({ name, bar, cpu, rounds, times, own, beside }: Comparison) {
  const costOf = async (work: () => Promise<unknown>) => {
    const before = cpu()
    for (let n = 0; n < times; n++) await work()
    return (cpu() - before) / times / 1_000
  }
  for (const work of [own, beside]) await costOf(work)
  const costs: { own: number; beside: number }[] = []
  for (let n = 0; n < rounds; n++) costs.push({ own: await costOf(own), beside: await costOf(beside) })
  const { median, lowest, highest } = figure(costs.map((round) => round.own / round.beside))
  const ofOwn = figure(costs.map((round) => round.own)).median
  const ofBeside = figure(costs.map((round) => round.beside)).median
  const range = `${lowest.toFixed(2)} to ${highest.toFixed(2)}`
  const ending = bar === undefined ? '' : `, bar ${bar}`
  console.log(
    `${name.padEnd(62)}${ofOwn.toFixed(2)} / ${ofBeside.toFixed(2)} = ${median.toFixed(2)} (${range})${ending}`,
  )
  if (bar !== undefined && median > bar) process.exitCode = 1
}
