import type pg from 'pg'
import type { Statement } from '../wire/exchange.ts'
import type { Wire } from '../wire/wire.ts'

/** The content of a database: the directory of all stores, their rows, or both. */
export type DatabasePart = 'directory' | 'cell'

/** Settings of the database for one transaction. */
export type TxSettings = Readonly<Record<string, string>>

/** The node that has the rows of a store, and the forms that statements have there. */
export interface StorePlace {
  /** The connections to the node. */
  readonly wire: Wire
  /** The wall of a read: nothing can be written behind it. It leaves before the read, in the same piece. */
  wallToRead(store: number): readonly Statement[]
  /** The wall of a transaction with its settings. */
  wall(store: number, settings?: TxSettings): readonly Statement[]
  /** Whether the node has the rows of all stores, in the same tables. */
  readonly hasAll: boolean
  /** The URL of the node, for the role of a URL of the database. */
  urlFor(url: string): string
  /** The name that a table of the store has at the node. */
  tableOf(name: string): string
  /** Statements of a store, with these names. */
  inForm(statements: readonly Statement[]): readonly Statement[]
}

/** A node, for statements about all stores that it has. */
export interface Node {
  readonly wire: Wire
  /** The statement as it leaves, behind those that make sure that it finds each store once. */
  inForm(statement: Statement): readonly Statement[]
}

/** The places of all stores of a database. */
export interface StorePlaces {
  of(store: number): StorePlace | Promise<StorePlace>
  /** All nodes. Each store is at one of them. */
  nodes(): readonly Node[] | Promise<readonly Node[]>
  /** The connections to the nodes, by host and port, besides those to the database that the URL names. */
  readonly wires: ReadonlyMap<string, Wire>
  /** Evicts the nodes, after a failure that may come from a move. */
  evictNodes(): void
  /** Evicts the place of a store, after a failure that may come from its move. */
  evict(store: number): void
  close(): Promise<void>
}

/** The connections of a process to the database that its URL names. */
export interface NodeConnections {
  config: pg.ClientConfig
  /** Connections to each node that are used by one request at a time. */
  max: number
  patience: number
  wire: Wire
}

/** The state of a node. */
export interface NodeState {
  /** Host and port. */
  name: string
  /** Whether it is in use, and takes connections of this process. */
  isThere: boolean
  shards: number
  bytes: number
}

/** Facts for an operator about a database with several nodes. */
export interface Cluster {
  version: string
  nodes: NodeState[]
  /** Tables of stores that are on the coordinator only. */
  undistributed: string[]
  /** The stores with the most rows. */
  largest: { store: number; rows: number }[]
}

/**
 * The engine of a database. The two files beside this one are all that differs between plain PostgreSQL and Citus, where the tables of stores
 * are spread over several machines by `store_id` (docs/decisions/138-two-engines.md). Nobody else asks which engine it is.
 */
export interface Engine {
  readonly name: 'PostgreSQL' | 'Citus'
  /** Finds the places of stores. */
  places(connections: NodeConnections): StorePlaces
  /** The functions of a table's name that return its bytes: those of its rows, and those of all its files. */
  readonly bytes: { readonly ofRows: string; readonly ofAll: string }
  /** Powers of the role that owns the tables. */
  readonly ownerPowers: string
  /** Whether `migrate` is one transaction, which can be tried and taken back. */
  readonly migratesAtOnce: boolean
  /** Runs the migrations of a part that the database does not have. The role is the owner of the tables. */
  migrate(client: pg.Client, part: DatabasePart): Promise<void>
  /** Asks for the nodes of the database. Undefined if it has only one. */
  cluster(client: pg.Client): Promise<Cluster | undefined>
  /**
   * Moves a store to a node, as the administrator, while it is in use.
   * @param node host and port
   * @throws Error with a sentence for the operator
   */
  place(client: pg.Client, store: number, node: string): Promise<void>
  /** Runs commands that change tables, all or none. */
  change(client: pg.Client, commands: readonly string[]): Promise<void>
  /** Runs a command of an administrator that is about one node on all of them. */
  onEveryNode(client: pg.Client, command: string): Promise<void>
}
