import pg from 'pg'

declare module 'pg' {
  // Methods that the driver's types omit.
  interface Client {
    ref(): void
    unref(): void
  }
}

/** A store of 10,000 products takes seconds, one of a million minutes. */
const STATEMENT_MAX = '30min'

/** Lends a connection, and keeps it for a minute if the work succeeds. If the work fails, its transaction ends with the connection. */
export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = idle.take(url) ?? (await connect(url))
  try {
    const result = await work(client)
    idle.give(url, client)
    return result
  } catch (error) {
    await client.end().catch(() => {})
    throw error
  }
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'storeward forks',
    options: `-c statement_timeout=${STATEMENT_MAX} -c idle_in_transaction_session_timeout=10s -c max_parallel_workers_per_gather=0`,
    keepAlive: true,
  })
  // A connection that is lost fails its statement, too.
  client.on('error', () => idle.drop(client))
  await client.connect()
  return client
}

/**
 * A new connection reads the catalog of all tables and their policies at its first copy, which takes longer than to copy a small store. So
 * connections wait for the next copy.
 */
const IDLE_MS = 60_000

class IdleClients {
  readonly #clients = new Map<string, { client: pg.Client; timer: NodeJS.Timeout }>()

  /** At most one of each database waits. It doesn't keep the process running. */
  give(url: string, client: pg.Client) {
    if (this.#clients.has(url)) return void client.end().catch(() => {})
    client.unref()
    const timer = setTimeout(
      () =>
        this.take(url)
          ?.end()
          .catch(() => {}),
      IDLE_MS,
    ).unref()
    this.#clients.set(url, { client, timer })
  }

  take(url: string): pg.Client | undefined {
    const known = this.#clients.get(url)
    if (!known) return undefined
    clearTimeout(known.timer)
    this.#clients.delete(url)
    known.client.ref()
    return known.client
  }

  drop(lost: pg.Client) {
    for (const [url, { client, timer }] of this.#clients) {
      if (client !== lost) continue
      clearTimeout(timer)
      this.#clients.delete(url)
    }
  }
}

const idle = new IdleClients()
