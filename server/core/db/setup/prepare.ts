import { readdir } from 'node:fs/promises'
import { parse } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { NEVER_COPIED } from '../copies/copied-tables.ts'
import type { DatabasePart, Engine } from '../engine/engine.ts'
import { engineOf } from '../engine/engine-of.ts'
import { migrations } from '../engine/migration-files.ts'
import { ngramsOf } from '../ngrams.ts'
import { refusePooler } from './poolers.ts'

export type { DatabasePart } from '../engine/engine.ts'

/** The roles that the server runs as; they own nothing. Another one, `storeward_owner`, owns the tables and can't log in. */
export interface ServerUrls {
  /** Requests: `storeward`, behind the walls. */
  api: string
  /** Directory, account look-up and background work: `storeward_system`, with a policy of its own on the tables it needs. */
  system: string
  /** Copies of stores: `storeward_fork`, which reads one store and only inserts rows of another. */
  fork: string
}

/** The role that owns all tables. */
export const OWNER = 'storeward_owner'
export const SERVER_ROLES = ['storeward', 'storeward_system', 'storeward_fork'] as const
const PREPARE_LOCK = 7_241_865_001
const ATTEMPTS_MAX = 20

/** The URLs under which the server connects to a database, made from any URL of that database. */
export const serverUrls = (url: string, password: string): ServerUrls => ({
  api: withLogin(url, 'storeward', password),
  system: withLogin(url, 'storeward_system', password),
  fork: withLogin(url, 'storeward_fork', password),
})

/**
 * Refuses a PostgreSQL server whose roles `storeward` and `storeward_system` have another password: another installation uses
 * them, or the secret is wrong. Changes nothing. A role that is missing or can't log in is fine: `prepareRoles` gives it the
 * password.
 * @throws Error with a sentence for the operator
 */
export async function refuseOtherPasswords(adminUrl: string, password: string) {
  await connected(adminUrl, (client) => rolesToPrepare(client, adminUrl, password))
}

/**
 * Refuses a database whose tables a newer version of this program has made. Changes nothing.
 * @throws Error with a sentence for the operator
 */
export async function refuseNewer(adminUrl: string, parts: readonly DatabasePart[]) {
  await connected(adminUrl, async (client) => {
    for (const part of parts) {
      const { rows } = await client.query('select to_regclass($1) is not null as has_table', [
        `public.${part}_migrations`,
      ])
      if (!rows[0].has_table) continue
      // An administrator who does not have the roles yet may not read: `refuseUnprepared` follows.
      const applied = await client
        .query(`set role ${OWNER}`)
        .then(() => appliedTo(client, part))
        .catch((error) => {
          if (!(error instanceof pg.DatabaseError)) throw error
        })
      if (applied) refuseUnknown(applied, await namesOf(part), adminUrl)
      await client.query('reset role')
    }
  })
}

/** The names of the migrations that a database has. */
async function appliedTo(client: pg.Client, part: DatabasePart): Promise<ReadonlySet<string>> {
  const { rows } = await client.query<{ name: string }>(`select name from ${part}_migrations`)
  return new Set(rows.map(({ name }) => name))
}

/** The names of the migrations of this program. */
const namesOf = async (part: DatabasePart) => (await readdir(migrations(part))).map((file) => parse(file).name)

/** @throws Error with a sentence for the operator if a database has a migration that this program does not know */
function refuseUnknown(applied: ReadonlySet<string>, known: readonly string[], url: string) {
  const [unknown] = [...applied].filter((name) => !known.includes(name)).sort()
  if (unknown === undefined) return
  throw new Error(
    `A newer version of storeward has created the tables of ${hostOf(url)}${new URL(url).pathname} (${unknown}). ` +
      'Run that version, or restore a backup. Nothing was changed.',
  )
}

/**
 * Creates the roles of the server at this URL of an administrator, and sets the password of the server's two roles if they have
 * none. Any number of processes may run it at once, any number of times.
 * @param replaces whether to replace a password that differs. Servers that know only the former one are locked out
 * @throws Error with a sentence for the operator if a role has another password, which stays
 */
export async function prepareRoles(adminUrl: string, password: string, { replaces = false } = {}) {
  await connected(adminUrl, async (client) => {
    for (let attempt = 1; ; attempt++) {
      try {
        // Read again at each attempt: another start may have created the roles with another secret.
        const roles = replaces ? SERVER_ROLES : await rolesToPrepare(client, adminUrl, password)
        await makeRoles(client, roles, password, replaces)
        return
      } catch (error) {
        if (attempt === ATTEMPTS_MAX || !isRace(error)) throw error
        await sleep(Math.random() * 20 * attempt)
      }
    }
  })
}

/** The server's roles that refuse this password because they are missing or can't log in. */
async function rolesToPrepare(client: pg.Client, url: string, password: string): Promise<string[]> {
  const { rows } = await client.query<{ rolname: string }>(
    'select rolname from pg_roles where rolcanlogin and rolname = any ($1)',
    [SERVER_ROLES],
  )
  const existing = rows.map(({ rolname }) => rolname)
  for (const role of existing) {
    try {
      await logIn(withLogin(url, role, password))
    } catch (error) {
      if (!isWrongPassword(error)) throw error
      throw new Error(
        `The role "${role}" of PostgreSQL at ${hostOf(url)} has another password than SECRET gives it. ` +
          'SECRET is wrong, or another installation uses that PostgreSQL. Nothing was changed ' +
          '(docs/operations.md section 3).',
      )
    }
  }
  return SERVER_ROLES.filter((role) => !existing.includes(role))
}

async function makeRoles(client: pg.Client, serverRoles: readonly string[], password: string, replaces: boolean) {
  const { rows } = await client.query(
    'select rolsuper or rolbypassrls as may_bypass from pg_roles where rolname = current_user',
  )
  // Copies and dumps of a store need every row. If the administrator can't grant that, everything else still works.
  const { ownerPowers } = await engineOf(client)
  await makeRole(client, OWNER, `${ownerPowers}${rows[0].may_bypass ? ' bypassrls' : ''}`, true)
  for (const role of serverRoles) {
    await makeRole(client, role, `login noinherit password ${pg.escapeLiteral(password)}`, replaces)
  }
  await client.query(`grant ${OWNER} to current_user`)
}

/** @throws RoleAppeared if another start has made the role meanwhile, whose password may be another one */
async function makeRole(client: pg.Client, role: string, powers: string, replaces: boolean) {
  const { rows } = await client.query<{ rolcanlogin: boolean }>('select rolcanlogin from pg_roles where rolname = $1', [
    role,
  ])
  if (rows[0]?.rolcanlogin && !replaces) throw new RoleAppeared(`The role "${role}" was made meanwhile.`)
  await client.query(`${rows[0] ? 'alter' : 'create'} role ${role} with ${powers}`)
}

class RoleAppeared extends Error {}

/**
 * Whether another start was creating the same roles. No lock excludes that: roles belong to the whole PostgreSQL server, advisory
 * locks to one of its databases. PostgreSQL reports "tuple concurrently updated" or an existing role.
 */
const isRace = (error: unknown) =>
  error instanceof RoleAppeared ||
  (error instanceof pg.DatabaseError && ['XX000', '23505', '42710'].includes(error.code ?? ''))

/**
 * Brings the tables of the directory, of a cell, or of both up to date. Each part is one transaction under a lock: a kill at any
 * point leaves nothing half done, and a second process waits and then finds nothing to do.
 */
export async function migrate(adminUrl: string, parts: readonly DatabasePart[]) {
  await connected(adminUrl, async (client) => {
    await client.query(`select pg_advisory_lock(${PREPARE_LOCK})`)
    const { rows } = await client.query('select quote_ident(current_database()) as name')
    await client.query(`grant create on database ${rows[0].name} to ${OWNER}`)
    await client.query(`grant create, usage on schema public to ${OWNER}`)
    const engine = await engineOf(client)
    const searches = parts.includes('cell') && (await prepareSearch(client, engine))
    await client.query(`set role ${OWNER}`)
    for (const part of parts) {
      if (part === 'directory') await client.query('create schema if not exists directory')
      await engine.migrate(client, part)
    }
    if (searches) await makeSearchIndexes(client, engine)
    if (parts.includes('cell')) {
      await openToCopies(client, engine)
      await computeNgrams(client)
    }
  })
}

/**
 * Lets the role of copies read one store and insert rows of another, in each table that copies have. Here and not in migrations, so that
 * no new table is left out.
 */
async function openToCopies(client: pg.Client, engine: Engine) {
  const { rows } = await client.query<{ name: string }>(
    `select c.relname as name from pg_class c
     join pg_attribute a on a.attrelid = c.oid and a.attname = 'store_id' and not a.attisdropped
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition and c.relname <> all ($1)
       and not exists (select from pg_policy where polrelid = c.oid and polname = 'copy_target')`,
    [Object.keys(NEVER_COPIED)],
  )
  const store = (setting: string) => `store_id = nullif(current_setting('app.${setting}', true), '')::int`
  const commands = rows.flatMap(({ name }) => {
    const table = pg.escapeIdentifier(name)
    return [
      `create policy copy_source on ${table} for select to storeward_fork using (${store('source')})`,
      `create policy copy_target on ${table} for insert to storeward_fork with check (${store('store')})`,
      `grant select, insert on ${table} to storeward_fork`,
    ]
  })
  await engine.change(client, commands)
}

/**
 * Prepares the database for the indexes of searches, if the administrator is a superuser. Without an index a search reads every name
 * of the store (docs/operations.md section 2).
 *
 * Under row policies PostgreSQL uses an index only for operators that are marked leakproof. A superuser may mark them, for this
 * database alone. Brands are found by `like`, whose error says nothing of a row: it fails only for a pattern that ends in an escape
 * character (docs/decisions/005-search-by-trigrams.md). Its cost is raised as well: PostgreSQL takes `like` for as cheap as comparing
 * two numbers, and would read all names rather than use the index. Products and customers are found by `@>` of `int[]`, which fails
 * for no value (docs/decisions/067-search-by-ngrams.md).
 * @returns whether the index of brands can be made
 */
async function prepareSearch(client: pg.Client, engine: Engine): Promise<boolean> {
  const { rows } = await client.query(`
    select rolsuper as is_superuser,
      (select count(*) = 2 from pg_available_extensions where name in ('pg_trgm', 'btree_gin')) as is_available,
      (select count(*) = 2 from pg_extension where extname in ('pg_trgm', 'btree_gin'))
        and (select proleakproof from pg_proc where oid = 'textlike(text, text)'::regprocedure) as is_prepared,
      (select proleakproof from pg_proc where oid = 'arraycontains(anyarray, anyarray)'::regprocedure) as finds_ngrams
    from pg_roles where rolname = current_user`)
  if (rows[0].is_superuser && !rows[0].finds_ngrams) {
    await engine.onEveryNode(client, 'alter function pg_catalog.arraycontains(anyarray, anyarray) leakproof')
  }
  // A superuser may have prepared it by hand for an administrator with fewer rights.
  if (rows[0].is_prepared) return true
  if (!rows[0].is_superuser || !rows[0].is_available) return false
  await client.query(`create schema if not exists extensions; grant usage on schema extensions to ${OWNER}`)
  for (const extension of ['pg_trgm', 'btree_gin']) {
    await client.query(`create extension if not exists ${extension} with schema extensions`)
  }
  await engine.onEveryNode(client, 'alter function pg_catalog.textlike(text, text) leakproof cost 100')
  return true
}

/** Keeps the list of pending entries short: every search reads all of it, for any store. */
async function makeSearchIndexes(client: pg.Client, engine: Engine) {
  await engine.change(client, [
    `create index if not exists brands_search on brands
      using gin (store_id, name_key extensions.gin_trgm_ops) with (gin_pending_list_limit = 128)`,
    `create index if not exists coupons_search on coupons
      using gin (store_id, code_key extensions.gin_trgm_ops) with (gin_pending_list_limit = 128)
      where promotion_id is not null`,
  ])
}

/** The searched columns of each table with n-grams. */
const SEARCHED = { product_names: ['name_key', 'sku_key'], customer_names: ['name_key'] }
const NGRAMS_AT_ONCE = 1_000

/**
 * Computes the n-grams of rows that an older version stored, in steps that others need not wait for. An owner that sees no row behind
 * the policies leaves them: searches read the texts of rows without n-grams.
 */
async function computeNgrams(client: pg.Client) {
  for (const [table, columns] of Object.entries(SEARCHED)) {
    const texts = columns.join(', ')
    for (let isMore = true; isMore; ) {
      const { rows } = await client.query(
        `select store_id, id, ${texts} from ${table} where ngrams is null limit ${NGRAMS_AT_ONCE}`,
      )
      for (const [store, texts] of Map.groupBy(rows, ({ store_id }) => Number(store_id))) {
        const computed = texts.map((row) => ({
          ...row,
          ngrams: columns.flatMap((column) => ngramsOf({ storeId: store, column, text: row[column] })),
        }))
        // A row that has changed meanwhile has its n-grams, or comes again in the next step.
        await client.query(
          `update ${table} name set ngrams = computed.ngrams
           from jsonb_to_recordset($2) as computed (id int, ngrams int[], ${columns.map((column) => `${column} text`)})
           where name.store_id = $1 and name.id = computed.id and name.ngrams is null
             and ${columns.map((column) => `name.${column} = computed.${column}`).join(' and ')}`,
          [store, JSON.stringify(computed)],
        )
      }
      isMore = rows.length === NGRAMS_AT_ONCE
    }
  }
}

/** The verifier of the installation's secret. Undefined if the directory has none yet. */
export function verifierOf(adminUrl: string): Promise<string | undefined> {
  return connected(adminUrl, async (client) => {
    const { rowCount } = await client.query(
      `select from pg_class c join pg_namespace n on n.oid = relnamespace
       where nspname = 'directory' and relname = 'installation'`,
    )
    if (!rowCount) return undefined
    await client.query(`set role ${OWNER}`)
    const { rows } = await client.query('select secret_verifier from directory.installation')
    return rows[0]?.secret_verifier
  })
}

/** Stores the verifier of the secret in the directory. @param replaces whether to replace the verifier of another secret */
export async function storeVerifier(adminUrl: string, verifier: string, { replaces = false } = {}) {
  await connected(adminUrl, async (client) => {
    await client.query(`set role ${OWNER}`)
    await client.query(
      `insert into directory.installation (secret_verifier) values ($1)
       on conflict (only_row) do ${replaces ? 'update set secret_verifier = excluded.secret_verifier' : 'nothing'}`,
      [verifier],
    )
  })
}

/**
 * Refuses a database that a server can't work with: a role without access, tables that are missing, or older or newer than this
 * program, or a secret other than the installation's. Needs no administrator.
 * @returns the engine of the database
 * @throws Error with a sentence for the operator
 */
export async function refuseUnprepared(
  systemUrl: string,
  parts: readonly DatabasePart[],
  verifier: string,
): Promise<Engine> {
  const { pathname, username } = new URL(systemUrl)
  const host = hostOf(systemUrl)
  const isReady = async (client: pg.Client) => {
    for (const part of parts) {
      const [applied, known] = [await appliedTo(client, part), await namesOf(part)]
      refuseUnknown(applied, known, systemUrl)
      if (known.some((name) => !applied.has(name))) return false
    }
    if (!parts.includes('directory')) return true
    const { rows } = await client.query('select secret_verifier from directory.installation')
    if (rows[0]?.secret_verifier === verifier) return true
    if (rows[0] === undefined) return false
    throw new Error(WRONG_SECRET)
  }
  let engine: Engine | undefined
  try {
    engine = await connected(systemUrl, async (client) => ((await isReady(client)) ? engineOf(client) : undefined))
  } catch (error) {
    if (isWrongPassword(error)) {
      throw new Error(
        `PostgreSQL at ${host} refuses the role "${username}". Either the database is new: "storeward migrate" prepares it. ` +
          'Or SECRET is not the one that it was prepared with.',
      )
    }
    if (!isMissing(error)) throw error
  }
  if (engine) return engine
  throw new Error(
    `The tables of ${host}${pathname} are older than this program: "storeward migrate" brings them up to date.`,
  )
}

export const WRONG_SECRET =
  'SECRET is not the one that this installation was made with. Nothing was changed (docs/operations.md section 3).'

/** Opens a connection with the login of this URL, and closes it. */
export const logIn = (url: string): Promise<void> => connected(url, async () => {})

/** Whether PostgreSQL refused a login for its password or its role. It reports both in the same way. */
export const isWrongPassword = (error: unknown) => error instanceof pg.DatabaseError && error.code === '28P01'

/** Whether a table is missing, or one that this role may not read yet. */
const isMissing = (error: unknown) =>
  error instanceof pg.DatabaseError && ['42P01', '3F000', '42501'].includes(error.code ?? '')

/** Creates a database at this URL of an administrator unless it exists, and returns its URL. */
export async function ensureDatabase(adminUrl: string, name: string): Promise<string> {
  await connected(adminUrl, async (client) => {
    await client.query(`select pg_advisory_lock(${PREPARE_LOCK})`)
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name])
    if (!rowCount) await client.query(`create database ${pg.escapeIdentifier(name)}`)
  })
  const url = new URL(adminUrl)
  url.pathname = `/${name}`
  return url.href
}

/** A busy machine may take longer than ten to start a process of the database. */
const CONNECT_SECONDS = 30

/** Opens a connection for one use. @throws Error with a sentence for the operator if there is none */
export async function connected<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = await connect(url)
  try {
    await refusePooler(client, hostOf(url), () => connect(url))
    return await work(client)
  } finally {
    await client.end()
  }
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_SECONDS * 1_000 })
  await client.connect().catch((error) => {
    throw unreached(url, error) ?? error
  })
  return client
}

const UNREACHED: Readonly<Record<string, string>> = {
  ENOTFOUND: 'is not known: no name server has this host',
  EAI_AGAIN: 'is not known: the name server does not answer',
  ECONNREFUSED: 'is not there: nothing listens at this port',
  ENOENT: 'is not there: this folder has no socket of it',
  EHOSTUNREACH: 'is not there: no network leads to it',
  ENETUNREACH: 'is not there: no network leads to it',
  ETIMEDOUT: `does not answer within ${CONNECT_SECONDS} seconds`,
  '3D000': 'has no such database; create it first',
}

/** The reason why PostgreSQL can't be reached, as a sentence for the operator; undefined for other failures. */
function unreached(url: string, error: unknown): Error | undefined {
  // For a host with several addresses the error has one of each.
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error
  if (!(first instanceof Error)) return undefined
  const code = 'code' in first ? String(first.code) : first.message.includes('timeout') ? 'ETIMEDOUT' : ''
  return UNREACHED[code] === undefined
    ? undefined
    : new Error(
        `PostgreSQL at ${hostOf(url)}${new URL(url).pathname} ${UNREACHED[code]}. DATABASE_URL, DIRECTORY_URL and CELLS say where the databases are.`,
        { cause: error },
      )
}

/** The server of PostgreSQL for people: its host, or the folder of its socket, and its port. */
export const hostOf = (url: string): string => decodeURIComponent(new URL(url).host)

function withLogin(url: string, user: string, password: string): string {
  const changed = new URL(url)
  changed.username = user
  changed.password = password
  return changed.href
}
