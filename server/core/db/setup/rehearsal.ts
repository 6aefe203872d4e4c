import { readdir, readFile } from 'node:fs/promises'
import { join, parse } from 'node:path'
import type pg from 'pg'
import { commandsOf } from '../engine/commands.ts'
import type { DatabasePart } from '../engine/engine.ts'
import { engineOf } from '../engine/engine-of.ts'
import { migrations } from '../engine/migration-files.ts'
import { connected, OWNER, SERVER_ROLES } from './prepare.ts'

/** A migration that a database does not have yet. */
interface Change {
  name: string
  /** Its commands, in their order and without comments. */
  commands: string[]
}

/** The work of others that waits for a lock: reads and writes of the table, its writes, or writes of the rows that a migration has changed. */
type Waiting = 'reads and writes' | 'writes' | 'writes of changed rows'

/** The strongest lock of a table that exists already. */
export interface HeldLock {
  table: string
  waits: Waiting
  /** From the command that takes it until all changes of its part are made. */
  ms: number
  /** The rows of the table by the statistics of the database; undefined for one that was never counted. */
  rows: number | undefined
}

/** The migrations that a database would get, and the result of a trial. */
export interface Rehearsal {
  part: DatabasePart
  /** Whether it has no tables yet, so that nobody can wait. */
  isNew: boolean
  changes: Change[]
  /** Undefined if the changes were not tried: `reason` says why. */
  trial: { ms: number; locks: HeldLock[] } | undefined
  reason: 'nothing to change' | 'new' | 'in use' | 'several nodes' | undefined
}

/** A trial that waits longer than this for a lock ends: somebody uses the database. */
const LOCK_SECONDS = 5

/**
 * Lists the migrations that a database does not have, and tries them: in a transaction that is taken back, with the locks that they would hold.
 * A database with servers is not tried, because their requests would wait. Changes nothing.
 * @throws Error with a sentence for the operator if a migration fails
 */
export const rehearse = (adminUrl: string, parts: readonly DatabasePart[]): Promise<Rehearsal[]> =>
  connected(adminUrl, async (client) => {
    const rehearsals: Rehearsal[] = []
    for (const part of parts) rehearsals.push(await rehearsePart(client, part))
    return rehearsals
  })

async function rehearsePart(client: pg.Client, part: DatabasePart): Promise<Rehearsal> {
  const { applied, isNew } = await appliedTo(client, part)
  const files = (await readdir(migrations(part))).sort()
  const missing = files.filter((file) => !applied.has(parse(file).name))
  const changes: Change[] = []
  for (const file of missing) {
    const commands = commandsOf(await readFile(join(migrations(part), file), 'utf8'))
    changes.push({ name: parse(file).name, commands })
  }
  const reason = await reasonAgainst(client, { isNew, count: changes.length })
  return { part, isNew, changes, reason, trial: reason === undefined ? await tryOut(client, changes) : undefined }
}

/** The names of the migrations that a database has. */
async function appliedTo(client: pg.Client, part: DatabasePart) {
  const table = `${part}_migrations`
  const { rows: found } = await client.query<{ has_table: boolean }>(
    'select to_regclass($1) is not null as has_table',
    [`public.${table}`],
  )
  if (!found[0]?.has_table) return { applied: new Set<string>(), isNew: true }
  const { rows } = await client.query<{ name: string }>(`select name from ${table}`)
  return { applied: new Set(rows.map(({ name }) => name)), isNew: rows.length === 0 }
}

async function reasonAgainst(
  client: pg.Client,
  { isNew, count }: { isNew: boolean; count: number },
): Promise<Rehearsal['reason']> {
  if (count === 0) return 'nothing to change'
  if (isNew) return 'new'
  if (!(await engineOf(client)).migratesAtOnce) return 'several nodes'
  const { rows } = await client.query<{ is_used: boolean }>(
    `select exists (select from pg_stat_activity where datname = current_database() and usename = any ($1)) as is_used`,
    [SERVER_ROLES],
  )
  return rows[0]?.is_used ? 'in use' : undefined
}

/** Locks from the weakest to the strongest. Others keep nobody waiting. */
const LOCKS: readonly [mode: string, waits: Waiting][] = [
  ['RowExclusiveLock', 'writes of changed rows'],
  ['ShareLock', 'writes'],
  ['ShareRowExclusiveLock', 'writes'],
  ['ExclusiveLock', 'writes'],
  ['AccessExclusiveLock', 'reads and writes'],
]
const strengthOf = (mode: string) => LOCKS.findIndex(([name]) => name === mode)

/** Makes the changes in a transaction that is taken back. */
async function tryOut(client: pg.Client, changes: readonly Change[]) {
  const { rows: tables } = await client.query<{ oid: string; name: string; rows: number }>(
    `select oid::text, oid::regclass::text as name, reltuples::float8 as rows from pg_class
     where relkind in ('r', 'p') and relnamespace::regnamespace::text !~ '^(pg_|information_schema)'`,
  )
  const existing = new Map(tables.map((table) => [table.oid, table]))
  const held = new Map<string, { mode: string; since: number }>()
  const begin = performance.now()
  await client.query(`begin; set local lock_timeout = '${LOCK_SECONDS}s'; set local role ${OWNER}`)
  try {
    for (const { name, commands } of changes) {
      for (const command of commands) {
        const since = performance.now()
        await client.query(command).catch((error: Error) => {
          throw new Error(`The migration ${name} would fail: ${error.message}. Nothing was changed.`, { cause: error })
        })
        for (const { oid, mode } of await locksOf(client)) {
          const before = held.get(oid)
          if (!existing.has(oid) || (before && strengthOf(before.mode) >= strengthOf(mode))) continue
          held.set(oid, { mode, since })
        }
      }
    }
  } finally {
    await client.query('rollback')
  }
  const end = performance.now()
  const locks = [...held].map(([oid, { mode, since }]) => {
    const { name = '', rows = -1 } = existing.get(oid) ?? {}
    const [, waits] = LOCKS[strengthOf(mode)] ?? LOCKS[0] ?? ['', 'writes' as const]
    return { table: name, waits, ms: end - since, rows: rows < 0 ? undefined : rows }
  })
  return { ms: end - begin, locks: locks.sort((one, other) => other.ms - one.ms) }
}

async function locksOf(client: pg.Client) {
  const { rows } = await client.query<{ oid: string; mode: string }>(
    `select relation::text as oid, mode from pg_locks
     where pid = pg_backend_pid() and locktype = 'relation' and granted and mode = any ($1)`,
    [LOCKS.map(([mode]) => mode)],
  )
  return rows
}
