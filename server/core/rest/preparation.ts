import type { Db } from '../db/database.ts'

/** Most preparations of one kind, such as the calls of tax providers, that the work of one request asks for. */
export const PREPARATIONS_MAX = 3
/** Kinds of preparations that one request can need: tax providers and carriers. */
const KINDS = 2

/**
 * Work throws it in its transaction if it needs the answer of another system, such as a tax provider, about data that only the transaction
 * has read. The transaction is rolled back, the preparation runs outside of any, and the work runs again. So no transaction waits for the
 * network, not even that of an Idempotency-Key. Work counts its preparations, and does without after `PREPARATIONS_MAX`.
 */
export class NeedsPreparation extends Error {
  /** @param db in no transaction */
  readonly prepare: (db: Db) => Promise<void>

  constructor(prepare: (db: Db) => Promise<void>) {
    super('This work has to be prepared outside of its transaction.')
    this.prepare = prepare
  }
}

/** Runs work, and runs it again after each preparation that it asks for. @param db in no transaction */
export async function withPreparations<T>(db: Db, work: () => Promise<T>): Promise<T> {
  for (let left = KINDS * PREPARATIONS_MAX; ; left--) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof NeedsPreparation) || left === 0) throw error
      await error.prepare(db)
    }
  }
}
