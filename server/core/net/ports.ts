import type { Store } from '../db/database.ts'

/** The ways out of a store to other systems, which can be made to fail in test stores (stores/faults/ports.ts). */
export const PORTS = ['gateway', 'mail', 'files', 'pictures'] as const
export type Port = (typeof PORTS)[number]

/**
 * The outcomes of a failing port. `fails` is a refusal of the other system, and `timed_out` means that nothing arrived there. The test
 * gateway also answers `declined` and `pending`, or does the work and loses its answer (`answer_lost`). A `full_disk` takes no file.
 */
export const OUTCOMES = {
  gateway: ['declined', 'pending', 'timed_out', 'answer_lost'],
  mail: ['fails', 'timed_out'],
  files: ['fails', 'full_disk'],
  pictures: ['fails', 'timed_out'],
} as const
export type PortOutcome = (typeof OUTCOMES)[Port][number]

export interface PortFaults {
  /**
   * Lets the first fault of a port occur that has its occasion; waits first if it has a delay. For a real store it does nothing.
   * @returns its outcome; undefined if the port works
   */
  occur(store: Store, port: Port): Promise<PortOutcome | undefined>
}

/** Ports that never fail. */
export const noPortFaults: PortFaults = { occur: async () => undefined }
