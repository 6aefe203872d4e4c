/** The time, from one place: tests and, later, the operator move it. SQL gets it as a parameter. */
export interface Clock {
  now(): Date
}

export const systemClock: Clock = { now: () => new Date() }
