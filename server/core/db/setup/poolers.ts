import pg from 'pg'

declare module 'pg' {
  // A field that the driver's types omit.
  interface Client {
    /** The process of the session, as the other side of the connection names it. */
    readonly processID: number | null
  }
}

const PATIENCE_MS = 5_000

/** The setting to change. PgBouncer passes no time-outs on in session mode either (docs/decisions/165-no-pooler.md). */
const DIRECT =
  'Let DATABASE_URL, DIRECTORY_URL and CELLS lead to PostgreSQL itself, without the pooler: each process has a pool of its own, of POOL_SIZE connections.'

const SHARED =
  'is behind a pooler that shares sessions between clients, such as PgBouncer in transaction mode. Prepared statements, time-outs and the ' +
  'lock of the migrations need sessions of their own.'

const WITHOUT_OPTIONS =
  'is behind a pooler that takes no settings of sessions, in the parameter "options". The time-outs of statements need them.'

/** The refusal of a database whose pooler takes no settings. @param name of the database, as operators know it */
export const withoutOptions = (name: string, cause?: unknown) =>
  new Error(`PostgreSQL at ${name} ${WITHOUT_OPTIONS} ${DIRECT}`, { cause })

/** Whether a pooler refused a connection for the settings of its session. */
export const isRefusedOption = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === '08P01' && error.message.includes('startup parameter')

/**
 * Refuses a pooler that gives the session of one client to another. A pooler names processes of its own, so all others cost one statement.
 * @param client a connection without a transaction
 * @param connect opens another connection like it, unless it is open
 * @throws Error with a sentence for the operator
 */
export async function refusePooler(client: pg.Client, name: string, connect: () => Promise<pg.Client>) {
  const process = await processOf(client)
  if (process === client.processID) return
  const other = await connect()
  try {
    if (await isShared(client, process, other)) throw new Error(`PostgreSQL at ${name} ${SHARED} ${DIRECT}`)
  } finally {
    await other.end()
  }
}

/** Whether another client gets the session of an idle one, or the idle one gets another session meanwhile. */
async function isShared(client: pg.Client, process: number, other: pg.Client): Promise<boolean> {
  // A pooler without a free session lets the other client wait: then the idle one has kept its own.
  const waits = new Promise<'waits'>((resolve) => setTimeout(() => resolve('waits'), PATIENCE_MS).unref())
  const begun = await Promise.race([other.query('begin').then(() => 'begun'), waits]).catch((error: unknown) => {
    // A pooler that gives sessions for single statements refuses transactions.
    if (error instanceof pg.DatabaseError) return 'refused'
    throw error
  })
  if (begun !== 'begun') return begun === 'refused'
  return (await processOf(other)) === process || (await processOf(client)) !== process
}

async function processOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ process: number }>('select pg_backend_pid() as process')
  return rows[0]?.process ?? 0
}
