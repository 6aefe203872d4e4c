import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Cluster, NodeState } from './engine.ts'

/** All tables of stores are in one group: the rows of a store are on one node, whatever the table. */
export const GROUP = 'store_profiles'

/** The number of stores that an operator is told of. */
const LARGEST = 5

export async function cluster(client: pg.Client): Promise<Cluster> {
  const { rows: versions } = await client.query<{ version: string }>(
    `select extversion as version from pg_extension where extname = 'citus'`,
  )
  const { rows: nodes } = await client.query<NodeState & { host: string; port: number }>(`
    select nodename || ':' || nodeport as name, nodename as host, nodeport as port, isactive as "isThere",
      (select count(*)::int from pg_dist_placement p join pg_dist_shard s using (shardid)
       where p.groupid = n.groupid and s.logicalrelid = to_regclass('public.${GROUP}')) as shards,
      (select coalesce(sum(shard_size), 0)::float8 from citus_shards c
       where c.nodename = n.nodename and c.nodeport = n.nodeport) as bytes
    from pg_dist_node n where noderole = 'primary' and shouldhaveshards order by groupid`)
  const { rows: undistributed } = await client.query<{ name: string }>(`
    select c.oid::regclass::text as name from pg_class c
    join pg_namespace n on n.oid = c.relnamespace and n.nspname in ('public', 'request_log')
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'store_id' and not a.attisdropped
    left join pg_dist_partition d on d.logicalrelid = c.oid and d.partmethod = 'h'
    where c.relkind in ('r', 'p') and d.logicalrelid is null order by 1`)
  const { rows: largest } = await client.query<{ store: number; rows: number }>(
    (await isThere(client))
      ? `select store_id as store, sum(total)::float8 as rows from counters group by 1 order by 2 desc limit ${LARGEST}`
      : 'select 0 as store, 0 as rows where false',
  )
  return {
    version: versions[0]?.version ?? '',
    nodes: await Promise.all(
      nodes.map(async (node) => ({ ...node, isThere: node.isThere && (await answers(client, node)) })),
    ),
    undistributed: undistributed.map(({ name }) => name),
    largest,
  }
}

const PATIENCE_MS = 2_000

/** Whether a node takes connections of this process: its stores are asked there. */
async function answers({ user, password, database, ssl }: pg.Client, { host, port }: { host: string; port: number }) {
  const node = new pg.Client({ user, password, database, ssl, host, port, connectionTimeoutMillis: PATIENCE_MS })
  node.on('error', () => {})
  const hasAnswered = await node.connect().then(
    () => true,
    () => false,
  )
  await node.end().catch(() => {})
  return hasAnswered
}

async function isThere(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ is_there: boolean }>(
    `select to_regclass('public.${GROUP}') is not null as is_there`,
  )
  return rows[0]?.is_there ?? false
}

/** A shard of the first table of the group, which stands for those of all others. */
interface Shard {
  id: string
  /** Whether it has this store alone. */
  isOwn: boolean
  host: string
  port: number
}

/**
 * Gives the store a shard of its own, unless it has one, and moves it to the node. Reads go on; writes wait, at first also those of stores
 * in the same shard. Citus can copy a shard while it is written, but not into tables with row policies.
 */
export async function place(client: pg.Client, store: number, node: string) {
  const { rows: nodes } = await client.query<{ name: string; host: string; port: number }>(`
    select nodename || ':' || nodeport as name, nodename as host, nodeport as port from pg_dist_node
    where noderole = 'primary' and isactive and shouldhaveshards order by groupid`)
  const target = nodes.find(({ name }) => name === node)
  if (!target) throw new Error(`There is no node "${node}". The nodes are ${nodes.map(({ name }) => name).join(', ')}.`)
  let shard = await shardOf(client, store)
  if (!shard.isOwn) {
    await client.query(`select isolate_tenant_to_new_shard('${GROUP}', $1::int, 'cascade', 'block_writes')`, [store])
    shard = await shardOf(client, store)
  }
  if (shard.host === target.host && shard.port === target.port) return
  const move = [shard.id, shard.host, shard.port, target.host, target.port]
  for (let attempt = 1; ; attempt++) {
    try {
      await client.query('call citus_cleanup_orphaned_resources()')
      await client.query(`select citus_move_shard_placement($1, $2, $3, $4, $5, 'block_writes')`, move)
      return
    } catch (error) {
      if (attempt === ATTEMPTS_MAX || !isLeftover(error)) throw error
      await sleep(PAUSE_MS)
    }
  }
}

const ATTEMPTS_MAX = 12
const PAUSE_MS = 5_000

/** Whether the target still has the tables of an earlier move away from it. Citus drops them in the background. */
const isLeftover = (error: unknown) =>
  error instanceof pg.DatabaseError && error.message.includes('could not be cleaned up')

async function shardOf(client: pg.Client, store: number): Promise<Shard> {
  const { rows } = await client.query<Shard>(
    `select s.shardid as id, s.shardminvalue = s.shardmaxvalue as "isOwn", n.nodename as host, n.nodeport as port
     from pg_dist_shard s join pg_dist_placement p using (shardid)
     join pg_dist_node n on n.groupid = p.groupid and n.noderole = 'primary'
     where s.shardid = get_shard_id_for_distribution_column('${GROUP}', $1::int)`,
    [store],
  )
  const [shard] = rows
  if (!shard) throw new Error(`The store ${store} has no shard: "storeward migrate" distributes the tables.`)
  return shard
}
