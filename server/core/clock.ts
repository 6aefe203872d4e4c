/** The only source of the time. Tests move it. SQL gets it as a parameter. */
export interface Clock {
  now(): Date
  /**
   * Whether all processes of a database use this clock, as they do in tests, which move it. Machines have clocks that differ, so
   * processes agree by the clock of the database otherwise, for example on leases.
   */
  isShared?: boolean
}

export const systemClock: Clock = { now: () => new Date() }
