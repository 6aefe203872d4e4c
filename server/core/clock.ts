/** The time, from one place: tests and, later, the operator move it. SQL gets it as a parameter. */
export interface Clock {
  now(): Date
  /**
   * Whether all processes that work on one database go by this clock, as in tests, which move it. The clocks of machines
   * differ: what several processes must agree on, such as leases, then goes by the clock of the database.
   */
  isShared?: boolean
}

export const systemClock: Clock = { now: () => new Date() }
