import type { Through } from './fixtures/faults.ts'

// A scheduler for races: workers take one step at a time, in an order that the test decides.

/** All orders of the steps of two workers, of which the first begins: who goes next, 0 or 1. */
export function ordersOfSteps(steps: number): number[][] {
  const all: number[][] = []
  const grow = (order: number[], left: readonly [number, number]) => {
    if (left[0] + left[1] === 0) all.push(order)
    if (left[0] > 0) grow([...order, 0], [left[0] - 1, left[1]])
    if (left[1] > 0) grow([...order, 1], [left[0], left[1] - 1])
  }
  grow([0], [steps - 1, steps])
  return all
}

/** Runs works side by side, of which one at a time takes one step; who comes next is told. Behind that, the first that can. */
export async function interleave(order: readonly number[], works: ((through: Through) => Promise<unknown>)[]) {
  type Stage = 'running' | 'ended' | (() => void)
  const stages: Stage[] = works.map(() => 'running')
  let look = () => {}
  const move = (i: number, stage: Stage) => {
    stages[i] = stage
    look()
  }
  const ended = works.map((work, i) =>
    work((step) => new Promise<void>((go) => move(i, go)).then(step)).finally(() => move(i, 'ended')),
  )
  const allStand = async () => {
    while (stages.includes('running')) {
      await new Promise<void>((resolve) => {
        look = resolve
        if (!stages.includes('running')) resolve()
      })
    }
  }
  for (const next of [...order, ...Array<number>(works.length * 20).fill(0)]) {
    await allStand()
    const i = typeof stages[next] === 'function' ? next : stages.findIndex((stage) => typeof stage === 'function')
    const go = stages[i]
    if (typeof go !== 'function') break
    stages[i] = 'running'
    go()
  }
  await Promise.all(ended)
}
