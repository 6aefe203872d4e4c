import type { Statement } from '../wire/exchange.ts'
import { Wire } from '../wire/wire.ts'
import { GROUP } from './citus-nodes.ts'
import type { Node, NodeConnections, StorePlace, StorePlaces, TxSettings } from './engine.ts'
import { plainPlace } from './plain.ts'
import { shardName, withShardNames } from './shard-names.ts'

/** The connections of a process to a cluster. The coordinator itself only answers questions. */
type CoordinatorConnections = Omit<NodeConnections, 'wire'> & { wire: Pick<Wire, 'ask'> }

/**
 * All statements of a store leave to the node that has its rows, with the names that its tables have there, so that Citus has nothing to plan.
 * Each wall asks whether the rows are still there (docs/decisions/139-statements-at-the-node.md).
 */
export class CitusPlaces implements StorePlaces {
  readonly #connections: CoordinatorConnections
  readonly wires = new Map<string, Wire>()
  readonly #shards = new Map<string, Promise<ShardPlace>>()
  readonly #places = new Map<number, StorePlace | Promise<StorePlace>>()
  #all: Promise<readonly Node[]> | undefined

  constructor(connections: CoordinatorConnections) {
    this.#connections = connections
  }

  of(store: number): StorePlace | Promise<StorePlace> {
    const known = this.#places.get(store)
    if (known) return known
    const finding = this.#find(store)
    this.#places.set(store, finding)
    finding.then(
      (place) => this.#replace(store, finding, place),
      () => this.#replace(store, finding),
    )
    return finding
  }

  nodes(): Promise<readonly Node[]> {
    this.#all ??= this.#findNodes().catch((error: unknown) => {
      this.#all = undefined
      throw error
    })
    return this.#all
  }

  evictNodes() {
    this.#all = undefined
  }

  async #findNodes(): Promise<readonly Node[]> {
    const rows = await this.#connections.wire.ask<ShardRow>(
      `select logicalrelid::text as name, shard_name(logicalrelid, shardid), nodename || ':' || nodeport as node,
         case when logicalrelid = '${GROUP}'::regclass then shardid end as shard
       from pg_dist_shard join pg_dist_partition using (logicalrelid) join pg_dist_placement using (shardid)
         join pg_dist_node n using (groupid)
       where n.noderole = 'primary' and colocationid = (select colocationid from pg_dist_partition where logicalrelid = '${GROUP}'::regclass)
       order by shardid`,
    )
    return [...Map.groupBy(rows, ({ node }) => node)].map(([node, shards]) => new ShardNode(this.#wireTo(node), shards))
  }

  evict(store: number) {
    this.#places.delete(store)
  }

  /** Unless it was evicted meanwhile. */
  #replace(store: number, finding: Promise<StorePlace>, place?: StorePlace) {
    if (this.#places.get(store) !== finding) return
    if (place) this.#places.set(store, place)
    else this.#places.delete(store)
  }

  async #find(store: number): Promise<StorePlace> {
    const [found] = await this.#connections.wire.ask<{ shard: string; host: string; port: string }>(
      `select shardid as shard, n.nodename as host, n.nodeport as port
       from pg_dist_placement join pg_dist_node n using (groupid)
       where n.noderole = 'primary' and shardid = get_shard_id_for_distribution_column('${GROUP}', ${store | 0})`,
    )
    if (!found) throw new Error(`The store ${store} is on no node.`)
    const name = `${found.shard} ${found.host}:${found.port}`
    const known = this.#shards.get(name)
    if (known) return known
    const opening = this.#open(Number(found.shard), `${found.host}:${found.port}`)
    this.#shards.set(name, opening)
    opening.catch(() => this.#shards.delete(name))
    return opening
  }

  async #open(shard: number, node: string): Promise<ShardPlace> {
    const rows = await this.#connections.wire.ask<{ name: string; shard_name: string }>(
      `select logicalrelid::text as name, shard_name(logicalrelid, shardid)
       from pg_dist_shard join pg_dist_partition using (logicalrelid)
       where (colocationid, shardminvalue, shardmaxvalue) =
         (select colocationid, shardminvalue, shardmaxvalue
          from pg_dist_shard join pg_dist_partition using (logicalrelid) where shardid = ${shard})`,
    )
    const names = new Map(rows.map((row) => [row.name, row.shard_name]))
    return new ShardPlace(this.#wireTo(node), { node, shard, names })
  }

  #wireTo(node: string): Wire {
    const known = this.wires.get(node)
    if (known) return known
    const { config, max, patience } = this.#connections
    const wire = new Wire({ ...config, connectionString: atNode(node, config.connectionString ?? '') }, max, patience)
    this.wires.set(node, wire)
    return wire
  }

  async close() {
    await Promise.all([...this.wires.values()].map((wire) => wire.close()))
  }
}

function atNode(node: string, url: string): string {
  const changed = new URL(url)
  changed.host = node
  return changed.href
}

/** A shard of all tables: those of some stores, at one node. */
interface Shard {
  /** The host and port of its node. */
  node: string
  /** The number of its first table, which stands for those of all others. */
  shard: number
  /** The names of its tables, by their names. */
  names: ReadonlyMap<string, string>
}

/** A table of a shard, as the coordinator lists it. */
interface ShardRow {
  name: string
  shard_name: string
  node: string
  /** The number of the shard in its first table; null in the others. */
  shard: string | null
}

/** A node with all its shards. Each table is the union of its parts there. */
class ShardNode implements Node {
  readonly wire: Wire
  readonly #shards: readonly number[]
  readonly #check: Statement
  readonly #unions: ReadonlyMap<string, string>

  constructor(wire: Wire, rows: readonly ShardRow[]) {
    this.wire = wire
    this.#shards = rows.flatMap(({ shard }) => (shard === null ? [] : [Number(shard)]))
    this.#check = { name: 'shards', text: 'select shards_are($1::bigint[])', values: [this.#shards], dropsRows: true }
    this.#unions = new Map(
      [...Map.groupBy(rows, ({ name }) => name)].map(([name, parts]) => [
        name,
        `(${parts.map(({ shard_name }) => `select * from ${shard_name}`).join(' union all ')})`,
      ]),
    )
  }

  inForm(statement: Statement) {
    const name = statement.name && `${this.#shards.join(' ')} ${statement.name}`
    return [this.#check, { ...statement, text: withShardNames(statement.text, this.#unions), name }]
  }
}

/** A node, and one of its shards. */
class ShardPlace implements StorePlace {
  readonly wire: Wire
  readonly hasAll = false
  readonly #plain: StorePlace
  readonly #shard: Shard

  constructor(wire: Wire, shard: Shard) {
    this.wire = wire
    this.#plain = plainPlace(wire)
    this.#shard = shard
  }

  wallToRead(store: number) {
    return this.#plain.wallToRead(store).map((wall) => this.#checked(wall, 'shard_is_here'))
  }

  wall(store: number, settings?: TxSettings) {
    return this.#plain.wall(store, settings).map((wall) => this.#checked(wall, 'lock_shard'))
  }

  #checked(wall: Statement, check: string): Statement {
    const { text, name, values } = wall
    return { ...wall, text: `${text}, ${check}($2)`, name: `${name} ${check}`, values: [...values, this.#shard.shard] }
  }

  urlFor(url: string) {
    return atNode(this.#shard.node, url)
  }

  tableOf(name: string) {
    return shardName(name, this.#shard.names)
  }

  inForm(statements: readonly Statement[]) {
    return statements.map((statement) => this.#renamed(statement))
  }

  #renamed(statement: Statement): Statement {
    const { shard, names } = this.#shard
    const text = withShardNames(statement.text, names)
    if (text === statement.text) return statement
    return { ...statement, text, name: statement.name && `${shard} ${statement.name}` }
  }
}
