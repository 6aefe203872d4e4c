import type { FastifyBaseLogger } from 'fastify'
import type { Directory } from '../../../stores/directory/directory.ts'
import { claimHook } from '../queue/claims.ts'
import { type DueHook, dueHooks } from '../queue/due-hooks.ts'
import type { Pacer } from '../sending/pacer.ts'
import type { LaneSender } from './lane-sender.ts'

const CLAIMS_SIDE_BY_SIDE = 4

interface ClaimParts {
  directory: Directory
  pacer: Pacer
  lanes: LaneSender
  log: Pick<FastifyBaseLogger, 'error'>
}

/** Claims due hooks, as many as there is room for, and has their lanes sent. */
export class DueClaims {
  readonly #parts: ClaimParts
  /** Whether hooks may be due that there was no room for. */
  isMoreDue = true

  constructor(parts: ClaimParts) {
    this.#parts = parts
  }

  /** @returns how many lanes were claimed */
  async claimAll(): Promise<number> {
    const { directory, pacer } = this.#parts
    let claimed = 0
    this.isMoreDue = false
    for (const { system } of directory.cells) {
      const filter = pacer.filter()
      const due = await system.everywhere<DueHook>(dueHooks(system.present, filter), { skipsFailed: true })
      this.isMoreDue ||= due.length > 0 || filter.full.length > 0 || filter.onlyKnown !== undefined
      while (due.length > 0) {
        // The room is read again for each batch: the hooks before may have filled the host.
        const next = takeWhere(due, CLAIMS_SIDE_BY_SIDE, ({ host }) => host === '' || pacer.room(host) > 0)
        const counts = await Promise.all(next.map((hook) => this.#claimOrLog(hook)))
        claimed += counts.reduce((sum, count) => sum + count, 0)
      }
    }
    return claimed
  }

  /** If a hook fails, it is logged, and the other hooks continue. */
  async #claimOrLog(due: DueHook): Promise<number> {
    try {
      return await this.#claim(due)
    } catch (error) {
      const { store_id: store, hook_id: hook } = due
      this.#parts.log.error({ err: error, store, hook }, 'a webhook could not be processed')
      return 0
    }
  }

  /** @returns how many lanes of the hook were claimed */
  async #claim(due: DueHook): Promise<number> {
    const { directory, lanes, pacer } = this.#parts
    const db = await directory.dbById(due.store_id)
    if (!db) return 0
    const began = performance.now()
    const claim = await db.transaction((tx) => claimHook(tx, due.hook_id, (host) => pacer.room(host)))
    if (!claim) return 0
    await lanes.offer(db, claim, began)
    return claim.lanes.length
  }
}

/** Removes the first `max` accepted items from a list, and the refused items before them. */
function takeWhere<T>(list: T[], max: number, accepts: (item: T) => boolean): T[] {
  const taken: T[] = []
  while (list.length > 0 && taken.length < max) {
    const [item] = list.splice(0, 1)
    if (item !== undefined && accepts(item)) taken.push(item)
  }
  return taken
}
