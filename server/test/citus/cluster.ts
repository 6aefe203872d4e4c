import pg from 'pg'
import { connected } from '../../core/db/setup/prepare.ts'

/** The administrator's URL of a database on the coordinator of a cluster, if the run is one on Citus (`npm run test:citus`). */
export const CITUS_URL = process.env.TEST_CITUS_URL

/** Few shards: each of the three workers of a run prepares a database of its own, and each table of it is made once for each shard. */
const SHARDS = 2

/**
 * Options of a test's own connections. On Citus they lead to the coordinator, which takes `set local` along to the nodes, inside a block that
 * `begin` has opened.
 */
export const CLIENT_OPTIONS = CITUS_URL === undefined ? undefined : '-c citus.propagate_set_commands=local'

/** A statement with the names of tables instead of those of their shards on Citus. */
export const withoutShards = (text: string) =>
  CITUS_URL === undefined ? text : text.replaceAll(/\b([a-z]\w*)_\d{6,}(?: as "\w+")?/g, '$1')

/** The URL of the node that has a store, for the role of a URL of the database. */
export const nodeOfStore = async (url: string, store: number): Promise<string> =>
  CITUS_URL === undefined ? url : nodeInCluster(url, store)

/** The same, of a database that is known to be on a cluster. */
export const nodeInCluster = (url: string, store: number): Promise<string> =>
  connected(url, async (client) => {
    const { rows } = await client.query<{ host: string; port: number }>(
      `select nodename as host, nodeport as port from pg_dist_placement join pg_dist_node using (groupid)
       where noderole = 'primary' and shardid = get_shard_id_for_distribution_column('store_profiles', $1::int)`,
      [store],
    )
    const [node] = rows
    if (!node) throw new Error(`The store ${store} is on no node.`)
    return at(url, node, new URL(url).pathname.slice(1))
  })

/** Opens a table of a store to locks and triggers of a connection to its node. @returns its name there, in SQL */
export async function openTable(client: pg.Client, store: number, table: string): Promise<string> {
  if (CITUS_URL === undefined) return pg.escapeIdentifier(table)
  await client.query('set citus.enable_manual_changes_to_shards = on; set citus.enable_ddl_propagation = off')
  await client.query('set citus.override_table_visibility = off')
  const { rows } = await client.query<{ name: string }>(
    'select shard_name($1::regclass, get_shard_id_for_distribution_column($1::regclass, $2::int)) as name',
    [table, store],
  )
  return rows[0]?.name ?? ''
}

interface Node {
  host: string
  port: number
  isCoordinator: boolean
}

/** The nodes of a cluster. @param url a database of its coordinator */
export const nodesOf = (url: string): Promise<Node[]> =>
  connected(url, async (client) => {
    const { rows } = await client.query<Node>(`
      select nodename as host, nodeport as port, groupid = 0 as "isCoordinator" from pg_dist_node
      where noderole = 'primary' order by groupid`)
    return rows
  })

const at = (url: string, { host, port }: Pick<Node, 'host' | 'port'>, database: string): string => {
  const changed = new URL(url)
  changed.host = `${host}:${port}`
  changed.pathname = `/${database}`
  return changed.href
}

/** Creates an empty database on all nodes of a cluster. @param url a database of the coordinator @returns the URL of the new one */
export async function createCitusDatabase(url: string, name: string): Promise<string> {
  const nodes = await nodesOf(url)
  for (const node of nodes) {
    // A database without the extension: the command concerns this node only.
    await connected(at(url, node, 'postgres'), (client) => client.query(`create database ${pg.escapeIdentifier(name)}`))
    await connected(at(url, node, name), (client) => client.query('create extension citus'))
  }
  const [coordinator, ...workers] = nodes
  if (!coordinator?.isCoordinator) throw new Error('The coordinator is no node of its cluster.')
  const created = at(url, coordinator, name)
  await connected(created, async (client) => {
    await client.query(`alter database ${pg.escapeIdentifier(name)} set citus.shard_count = ${SHARDS}`)
    await client.query('select citus_set_coordinator_host($1, $2)', [coordinator.host, coordinator.port])
    for (const { host, port } of workers) await client.query('select citus_add_node($1, $2)', [host, port])
  })
  return created
}

/** Drops the databases of a run from all nodes. */
export async function dropCitusDatabases(url: string, names: RegExp) {
  for (const node of await nodesOf(url)) {
    await connected(at(url, node, 'postgres'), async (client) => {
      const { rows } = await client.query<{ datname: string }>('select datname from pg_database')
      for (const { datname } of rows) {
        if (names.test(datname)) await client.query(`drop database ${pg.escapeIdentifier(datname)} with (force)`)
      }
    })
  }
}
