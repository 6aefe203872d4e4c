import { describe, expect, test } from 'vitest'
import { Problem } from '../../rest/problem.ts'
import { type GraphClient, WorkBudget } from './budget.ts'

const shopper = (id: string, store = 1): GraphClient => ({ store, id, isServer: false })
const server: GraphClient = { store: 1, id: 'server', isServer: true }

/** The wait of a client in seconds; 0 if it is admitted. */
function waitOf(budget: WorkBudget, client: GraphClient, now: number): number {
  try {
    budget.admit(client, now)
    return 0
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    expect([error.status, error.headers['x-retry-after']]).toEqual([429, error.headers['retry-after']])
    return Number(error.headers['retry-after'])
  }
}

describe('a budget of work', () => {
  test('gives a shopper 500,000 steps at once, and then 100,000 a second', () => {
    const budget = new WorkBudget()
    budget.charge(shopper('a'), 499_999, 0)
    expect(waitOf(budget, shopper('a'), 0)).toBe(0)
    budget.charge(shopper('a'), 200_001, 0)
    expect(waitOf(budget, shopper('a'), 0)).toBe(3)
    expect(waitOf(budget, shopper('a'), 1_999)).toBe(1)
    expect(waitOf(budget, shopper('a'), 2_001)).toBe(0)
    // The longest wait is the time in which a whole budget is restored.
    budget.charge(shopper('a'), 90_000_000, 10_000)
    expect(waitOf(budget, shopper('a'), 10_000)).toBe(6)
  })

  test('belongs to one client: other addresses and other stores are admitted', () => {
    const budget = new WorkBudget()
    budget.charge(shopper('a'), 900_000, 0)
    expect([shopper('a'), shopper('b'), shopper('a', 2)].map((client) => waitOf(budget, client, 0) > 0)).toEqual([
      true,
      false,
      false,
    ])
  })

  test('of a store, when used up, stops only clients that have used half of their own', () => {
    const budget = new WorkBudget()
    for (const id of ['a', 'b', 'c']) budget.charge(shopper(id), 350_000, 0)
    expect(['a', 'b', 'c', 'new'].map((id) => waitOf(budget, shopper(id), 0))).toEqual([1, 1, 1, 0])
    expect(waitOf(budget, shopper('a', 2), 0)).toBe(0)
    // 50,001 steps were restored to the store.
    expect(waitOf(budget, shopper('a'), 167)).toBe(0)
  })

  test('of a server with a secret token equals that of its store', () => {
    const budget = new WorkBudget()
    budget.charge(server, 900_000, 0)
    expect(waitOf(budget, server, 0)).toBe(0)
    budget.charge(server, 400_000, 0)
    expect(waitOf(budget, server, 0)).toBe(2)
    expect(waitOf(budget, server, 1_001)).toBe(0)
  })

  test('is kept for the last 10,000 clients', () => {
    const budget = new WorkBudget()
    budget.charge(shopper('first'), 600_000, 0)
    for (let i = 0; i < 9_999; i++) budget.charge(shopper(`${i}`, i + 2), 1, 0)
    expect(waitOf(budget, shopper('first'), 0)).toBe(2)
    for (let i = 0; i < 10_000; i++) budget.charge(shopper(`more ${i}`, i + 2), 1, 0)
    expect(waitOf(budget, shopper('first'), 0)).toBe(0)
  })
})
