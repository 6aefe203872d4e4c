import type { Db, Tx } from './database.ts'

/** Rows that one step changes: more of them could take longer than a statement may. */
export const STEP_ROWS = 2_000

/**
 * Repeats a step until nothing is left to do. Each step is a transaction of its own, so that others wait for a step and not for
 * all of them; within a transaction all steps belong to it.
 * @param step does at most `STEP_ROWS` rows, and tells whether there may be more
 */
export async function inSteps(db: Db, step: (tx: Tx) => Promise<boolean>) {
  while (await db.transaction(step)) {}
}
