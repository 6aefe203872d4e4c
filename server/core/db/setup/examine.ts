import { readdir } from 'node:fs/promises'
import { parse } from 'node:path'
import type { Client } from 'pg'
import type { Cluster, DatabasePart } from '../engine/engine.ts'
import { engineOf } from '../engine/engine-of.ts'
import { migrations } from '../engine/migration-files.ts'
import { connected } from './prepare.ts'

/** A server process, as it listed itself. */
interface ProcessFacts {
  host: string
  pid: number
  role: string
  publicUrl: string
}

/** Facts about a database that an administrator's login can read. Changes nothing. */
export interface DatabaseFacts {
  /** Such as 15 or 18. */
  version: number
  /** Whether this login may make roles and give them rights in the database. */
  mayPrepare: boolean
  /** Whether the roles of the server exist. Without them nothing is prepared. */
  hasRoles: boolean
  /** Whether searches find names by their indexes. */
  hasSearch: boolean
  connectionsMax: number
  /** Settings that may lose acknowledged writes in a crash. */
  off: string[]
  /** The database's clock less ours, in milliseconds, give or take the time of the answer. */
  ahead: number
  /** The server processes that run. Empty if this database has no list of them. */
  processes: ProcessFacts[]
  /** The nodes of a database that has several. */
  cluster: Cluster | undefined
  /** Migrations that were applied and that this program does not know: a newer one was here. */
  unknownMigrations: string[]
}

/** @throws Error with a sentence for the operator, or PostgreSQL's own, if the login is refused */
export function examineDatabase(adminUrl: string, parts: readonly DatabasePart[]): Promise<DatabaseFacts> {
  return connected(adminUrl, async (client) => {
    const asked = Date.now()
    const { rows: times } = await client.query<{ ms: number }>(
      'select extract(epoch from clock_timestamp())::float8 * 1000 as ms',
    )
    const ahead = (times[0]?.ms ?? asked) - (asked + Date.now()) / 2
    const { rows } = await client.query<Omit<DatabaseFacts, 'ahead' | 'processes' | 'cluster' | 'unknownMigrations'>>(`
      select current_setting('server_version_num')::int / 10000 as version,
        r.rolsuper or (r.rolcreaterole and pg_has_role(d.datdba, 'member')) as "mayPrepare",
        (select count(*) = 3 from pg_roles where rolname in ('storeward', 'storeward_system', 'storeward_fork')) as "hasRoles",
        to_regclass('public.brands_search') is not null and (
          select bool_and(proleakproof) from pg_proc
          where oid in ('textlike(text, text)'::regprocedure, 'arraycontains(anyarray, anyarray)'::regprocedure)) as "hasSearch",
        current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as "connectionsMax",
        array(select name::text from pg_settings
          where name in ('fsync', 'full_page_writes', 'synchronous_commit') and setting = 'off') as off
      from pg_roles r, pg_database d where r.rolname = current_user and d.datname = current_database()`)
    const [facts] = rows
    if (!facts) throw new Error('PostgreSQL does not say which role this login has.')
    const unknownMigrations: string[] = []
    for (const part of parts) {
      const open = await client.query(
        `select has_table_privilege(to_regclass('public.${part}_migrations'), 'select') as may_read`,
      )
      // Null if the table does not exist.
      if (open.rows[0].may_read !== true) continue
      const known = new Set((await readdir(migrations(part))).map((file) => parse(file).name))
      const applied = await client.query<{ name: string }>(`select name from ${part}_migrations`)
      unknownMigrations.push(...applied.rows.map(({ name }) => name).filter((name) => !known.has(name)))
    }
    const processes = parts.includes('directory') ? await processesIn(client) : []
    const cluster = await (await engineOf(client)).cluster(client)
    return { ...facts, ahead, processes, cluster, unknownMigrations }
  })
}

async function processesIn(client: Client): Promise<ProcessFacts[]> {
  const list = await client.query(`
    select from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where nspname = 'directory' and relname = 'processes'
      and has_schema_privilege(n.oid, 'usage') and has_table_privilege(c.oid, 'select')`)
  if (list.rowCount === 0) return []
  const { rows } = await client.query<ProcessFacts>(`
    select host, pid, role, public_url as "publicUrl" from directory.processes
    where seen_at > now() - interval '3 minutes' order by host, pid limit 1000`)
  return rows
}
