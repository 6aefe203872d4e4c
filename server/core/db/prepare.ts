import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { runner } from 'node-pg-migrate'
import pg from 'pg'

/** The two roles that the server runs as; both own nothing. The third, `storeward_owner`, owns the tables and can't log in. */
export interface ServerUrls {
  /** Requests: `storeward`, behind the walls. */
  api: string
  /** Directory, account look-up and background work: `storeward_system`, with a policy of its own on the tables it needs. */
  system: string
}

const OWNER = 'storeward_owner'
const PREPARE_LOCK = 7_241_865_001
const ATTEMPTS_MAX = 20

const migrations = (part: 'directory' | 'cell') => fileURLToPath(new URL(`./migrations/${part}`, import.meta.url))

/**
 * Makes the roles, and gives the server's two roles their password, on the PostgreSQL server of this administrator's URL.
 * May run any number of times and from several processes at once.
 * @returns the URLs under which the server connects to the same database
 */
export async function prepareRoles(adminUrl: string, password: string): Promise<ServerUrls> {
  await connected(adminUrl, async (client) => {
    for (let attempt = 1; ; attempt++) {
      try {
        await makeRoles(client, password)
        return
      } catch (error) {
        if (attempt === ATTEMPTS_MAX || !isRace(error)) throw error
        await sleep(Math.random() * 20 * attempt)
      }
    }
  })
  return { api: withLogin(adminUrl, 'storeward', password), system: withLogin(adminUrl, 'storeward_system', password) }
}

async function makeRoles(client: pg.Client, password: string) {
  const { rows } = await client.query(
    'select rolsuper or rolbypassrls as may_bypass from pg_roles where rolname = current_user',
  )
  // Copying and dumping a store needs to see every row. Where the administrator can't grant that, all else still works.
  const owner = `nologin noinherit${rows[0].may_bypass ? ' bypassrls' : ''}`
  const server = `login noinherit password ${pg.escapeLiteral(password)}`
  for (const [role, powers] of [
    [OWNER, owner],
    ['storeward', server],
    ['storeward_system', server],
  ]) {
    const { rowCount } = await client.query('select from pg_roles where rolname = $1', [role])
    await client.query(`${rowCount ? 'alter' : 'create'} role ${role} with ${powers}`)
  }
  await client.query(`grant ${OWNER} to current_user`)
}

/**
 * Whether another start was making the same roles. No lock keeps two of them apart: roles belong to the whole PostgreSQL
 * server, advisory locks to one of its databases. PostgreSQL says "tuple concurrently updated", or that the role is there.
 */
const isRace = (error: unknown) =>
  error instanceof pg.DatabaseError && ['XX000', '23505', '42710'].includes(error.code ?? '')

/**
 * Brings the tables of the directory, of a cell, or of both up to date. Each part is one transaction under a lock: a kill
 * at any point leaves nothing half done, and a second process waits and finds nothing left to do.
 */
export async function migrate(adminUrl: string, parts: readonly ('directory' | 'cell')[]) {
  await connected(adminUrl, async (client) => {
    await client.query(`select pg_advisory_lock(${PREPARE_LOCK})`)
    const { rows } = await client.query('select quote_ident(current_database()) as name')
    await client.query(`grant create on database ${rows[0].name} to ${OWNER}`)
    await client.query(`grant create, usage on schema public to ${OWNER}`)
    const searches = parts.includes('cell') && (await canSearch(client))
    await client.query(`set role ${OWNER}`)
    for (const part of parts) {
      if (part === 'directory') await client.query('create schema if not exists directory')
      await runner({
        dbClient: client,
        dir: migrations(part),
        direction: 'up',
        migrationsTable: `${part}_migrations`,
        checkOrder: true,
        singleTransaction: true,
        advisoryLockMode: 'wait',
        log: () => {},
      })
    }
    if (searches) await makeSearchIndexes(client)
  })
}

/**
 * Whether long texts can be searched by an index of their trigrams. Under row policies PostgreSQL asks an index only with
 * operators that it calls leakproof, and by default `like` is none: an administrator of the database may say that it is, for
 * this database alone. Its one failure is a pattern that ends in an escape character, and says nothing of a row
 * (docs/decisions/005-search-by-trigrams.md). And that it is work: PostgreSQL takes it for as cheap as comparing two numbers,
 * and would rather look into every name of a store than read the rows that the index finds. Without these powers a search
 * looks into every name.
 */
async function canSearch(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query(
    `select rolsuper and count(name) = 2 as can from pg_roles
     left join pg_available_extensions on name in ('pg_trgm', 'btree_gin') where rolname = current_user group by rolsuper`,
  )
  if (rows[0]?.can !== true) return false
  await client.query(`create schema if not exists extensions; grant usage on schema extensions to ${OWNER}`)
  for (const extension of ['pg_trgm', 'btree_gin']) {
    await client.query(`create extension if not exists ${extension} with schema extensions`)
  }
  await client.query('alter function pg_catalog.textlike(text, text) leakproof cost 100')
  return true
}

/** New entries are few before they are sorted in: a search reads all of those, of whatever store. */
const makeSearchIndexes = (client: pg.Client) =>
  client.query(`
    create index if not exists product_names_search on product_names
      using gin (store_id, name_key extensions.gin_trgm_ops, sku_key extensions.gin_trgm_ops) with (gin_pending_list_limit = 128)`)

/** Creates a database on the server of this administrator's URL unless it is there, and returns its URL. */
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

async function connected<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

function withLogin(url: string, user: string, password: string): string {
  const changed = new URL(url)
  changed.username = user
  changed.password = password
  return changed.href
}
