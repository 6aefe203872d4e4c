import { AsyncLocalStorage } from 'node:async_hooks'

/** The statements that a request has sent to the database, with those of its transactions and walls, and the time that they took. */
export interface StatementUse {
  statements: number
  ms: number
  /** The correlation id of the request, or the id of a request without one. A job has that of the request that has enqueued it. */
  origin?: string | undefined
  /** The ids of new rows, if the store of the request has a seed. */
  ids?: { next(): Buffer } | undefined
}

/** The use of the request that code works for. Without one, nothing is counted. */
export const statementUse = new AsyncLocalStorage<StatementUse>()

/** The correlation id of the request or job that code works for. */
export const originOfWork = (): string | null => statementUse.getStore()?.origin ?? null

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
