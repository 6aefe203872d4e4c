import { AsyncLocalStorage } from 'node:async_hooks'

/** The statements that a request has sent to the database, with those of its transactions and walls, and the time that they took. */
export interface StatementUse {
  statements: number
  ms: number
}

/** The use of the request that code works for. Without one, nothing is counted. */
export const statementUse = new AsyncLocalStorage<StatementUse>()

/**
 * Counts statements that leave in one piece.
 * @returns called when their answer has come; undefined if nobody counts
 */
export function beginUse(statements: number): (() => void) | undefined {
  const use = statementUse.getStore()
  if (use === undefined) return undefined
  use.statements += statements
  const began = performance.now()
  return () => {
    use.ms += performance.now() - began
  }
}
