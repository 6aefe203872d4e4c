import pg from 'pg'

/** The database can't answer now: 503 for the client, and the next request tries again. */
export class DatabaseUnavailable extends Error {
  constructor(cause: unknown, sentence = 'The database is not available.') {
    super(sentence, { cause })
  }
}

/**
 * The database ended a statement that took too long, or waited too long for a lock. 503 as well, since the next try may be
 * faster; but it points at a slow statement, not at an outage, so it is logged by its own name.
 */
export class StatementTimeout extends DatabaseUnavailable {
  constructor(cause: unknown) {
    super(cause, 'A statement took too long.')
  }
}

/** The cause of a request that waited for a connection for too long: the server is busy, and the database answers. */
export const ALL_IN_USE = 'All connections were in use for too long.'

/** Whether the database is gone, and not only slow or busy. */
export const isOutage = (error: unknown): error is DatabaseUnavailable =>
  error instanceof DatabaseUnavailable && !(error instanceof StatementTimeout) && error.cause !== ALL_IN_USE

/** A time-out of statements or locks, or a transaction in which nothing was sent for too long. */
const TIMEOUT = /^(57014|55P03|25P03)$/

// Connections that fail, wrong logins (a password that was changed meanwhile), no such database, resources that are used up,
// a server that shuts down or recovers.
const UNAVAILABLE = /^(08|28|3D000|53|57P)/

/** A distributed PostgreSQL moves the rows of a statement at this moment, or has lost the node that has them. */
const OF_NODES = /^(could not find valid entry for shard |SSL SYSCALL error|server closed the connection unexpectedly)/

/**
 * The meaning of an error of the driver. Other errors are returned as they are: a bug of ours, or a rule that the statement
 * broke.
 * @param isLost whether the connection is gone, which the driver reports in many words and without a code
 */
export function failureOf(error: unknown, isLost: boolean): unknown {
  if (error instanceof pg.DatabaseError) {
    const { code = '' } = error
    if (TIMEOUT.test(code)) return new StatementTimeout(error)
    return UNAVAILABLE.test(code) || OF_NODES.test(error.message) ? new DatabaseUnavailable(error) : error
  }
  return isLost ? new DatabaseUnavailable(error) : error
}

/** Deadlock or serialization failure: the whole transaction may simply run again. */
export const isConflict = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && (error.code === '40001' || error.code === '40P01')

/** A failure of the transaction as a whole: any of its statements could have been the one that reports it. */
export const isOfTransaction = (error: unknown): boolean => error instanceof DatabaseUnavailable || isConflict(error)

/** The refusal of a statement because an earlier one of its transaction has failed. */
export const isInFailedTransaction = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === '25P02'

/**
 * The name of the unique rule that a statement broke; undefined for other errors. A distributed PostgreSQL names it in the sentence only, and
 * appends the number of a shard.
 */
export const brokenUnique = (error: unknown): string | undefined =>
  error instanceof pg.DatabaseError && error.code === '23505'
    ? (error.constraint ?? /"([^"]+)"/.exec(error.message)?.[1])?.replace(/_\d+$/, '')
    : undefined
