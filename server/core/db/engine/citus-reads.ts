import type { Statement } from '../wire/exchange.ts'
import { isOutage } from '../wire/failures.ts'
import { Wire } from '../wire/wire.ts'
import { GROUP } from './citus-nodes.ts'
import type { NodeConnections, ReadRoutes, Reads } from './engine.ts'

/** How long a process believes where a store is. A node answers for stores that have moved away, too; it only takes longer. */
const BELIEVED_MS = 30_000
/** How long a node that has failed gets no reads. */
const AWAY_MS = 5_000

interface Place {
  /** Undefined for a store on the coordinator. */
  node: ReadNode | undefined
  until: number
}

/**
 * The reads of each store leave to the node that has its rows: there Citus runs a statement without a second connection. Transactions leave to the
 * coordinator, so that advisory locks are in one place. The first reads of a store go there as well, until its node is known.
 */
export class NodeReads implements ReadRoutes {
  readonly #connections: NodeConnections
  readonly #nodes = new Map<string, ReadNode>()
  readonly #places = new Map<number, Place>()

  constructor(connections: NodeConnections) {
    this.#connections = connections
  }

  of(store: number): Reads {
    const place = this.#places.get(store)
    const now = performance.now()
    if (place === undefined || place.until < now) {
      // One question at a time for each store.
      this.#places.set(store, { node: place?.node, until: now + BELIEVED_MS })
      void this.#learn(store)
    }
    return place?.node?.isAway(now) === false ? place.node : this.#connections.wire
  }

  /** If the coordinator does not say where the store is, reads go on as before, and it is asked again later. */
  async #learn(store: number) {
    const rows = await this.#connections.wire
      .ask<{ host: string; port: string }>(
        `select n.nodename as host, n.nodeport as port from pg_dist_placement p
         join pg_dist_node n on n.groupid = p.groupid and n.noderole = 'primary' and n.groupid > 0
         where p.shardid = get_shard_id_for_distribution_column('${GROUP}', ${store | 0})`,
      )
      .catch(() => undefined)
    if (rows === undefined) return
    const [found] = rows
    this.#places.set(store, {
      node: found && this.#nodeAt(found.host, Number(found.port)),
      until: performance.now() + BELIEVED_MS,
    })
  }

  #nodeAt(host: string, port: number): ReadNode {
    const name = `${host}:${port}`
    const known = this.#nodes.get(name)
    if (known) return known
    const { config, max, patience } = this.#connections
    const url = new URL(config.connectionString ?? '')
    url.host = name
    const node = new ReadNode(new Wire({ ...config, connectionString: url.href }, max, patience))
    this.#nodes.set(name, node)
    return node
  }

  async close() {
    await Promise.all([...this.#nodes.values()].map((node) => node.close()))
  }
}

/** The connections to a node. After a failure the coordinator gets its reads for a while. */
class ReadNode implements Reads {
  readonly #wire: Wire
  #awayUntil = 0

  constructor(wire: Wire) {
    this.#wire = wire
  }

  isAway(now: number): boolean {
    return now < this.#awayUntil
  }

  send(store: number, statements: readonly Statement[], end?: Statement) {
    return this.#heard(this.#wire.send(store, statements, end))
  }

  sendShared(store: number, statements: readonly Statement[], end?: Statement) {
    return this.#heard(this.#wire.sendShared(store, statements, end))
  }

  async #heard<T>(answer: Promise<T>): Promise<T> {
    try {
      return await answer
    } catch (error) {
      if (isOutage(error)) this.#awayUntil = performance.now() + AWAY_MS
      throw error
    }
  }

  close() {
    return this.#wire.close()
  }
}
