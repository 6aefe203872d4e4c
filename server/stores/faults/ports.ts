import { setTimeout as sleep } from 'node:timers/promises'
import type { Store } from '../../core/db/database.ts'
import type { Port, PortFaults, PortOutcome } from '../../core/net/ports.ts'
import { type FaultDatabase, faultsOf, nextOccasion } from './faults.ts'

/** The faults of the ports of test stores: calls of the gateway, the mail server, the storage of files, and hosts of pictures. */
export class StorePortFaults implements PortFaults {
  readonly #database: FaultDatabase

  constructor(database: FaultDatabase) {
    this.#database = database
  }

  async occur(store: Store, port: Port): Promise<PortOutcome | undefined> {
    if (!store.isTest) return undefined
    const faults = await faultsOf(this.#database, store.id)
    const matching = faults.filter(({ rule }) => rule.port === port)
    const fault = await nextOccasion(matching, { database: this.#database, store: store.id })
    if (fault?.rule.delay_ms !== undefined) await sleep(fault.rule.delay_ms, undefined, { ref: false })
    return fault?.rule.outcome
  }
}
