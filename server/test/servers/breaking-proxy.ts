import { connect, createServer, type Server, type Socket } from 'node:net'
import pg from 'pg'

/** Ways in which a connection breaks. */
export const BREAKS = [
  'reset',
  'end',
  'half a message',
  'a shutdown',
  'a crash',
  'no database',
  'a start',
  'a wrong password',
] as const
export type Break = (typeof BREAKS)[number]

/** The FATAL error that PostgreSQL sends before it closes a connection. */
function fatal(code: string, sentence: string): Buffer {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${code}\0M${sentence}\0\0`)
  const head = Buffer.alloc(5, 'E')
  head.writeInt32BE(fields.length + 4, 1)
  return Buffer.concat([head, fields])
}

const FATAL: Partial<Record<Break, Buffer>> = {
  'a shutdown': fatal('57P01', 'terminating connection due to administrator command'),
  'a crash': fatal('57P02', 'terminating connection because of crash of another server process'),
}
/** The database's answer to new connections after the break. */
const REFUSAL: Partial<Record<Break, Buffer>> = {
  'a start': fatal('57P03', 'the database system is starting up'),
  'a wrong password': fatal('28P01', 'password authentication failed'),
}

/**
 * A proxy in front of PostgreSQL that breaks connections. It counts the pieces in either direction; `arm` chooses the
 * piece at which the connection breaks.
 */
export class BreakingProxy {
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  readonly #target: ReturnType<typeof addressOf>
  #breaks: { at: number; how: Break } | undefined
  #passed = 0
  #refusal: Buffer | 'reset' | undefined
  url = ''

  constructor(target: string) {
    this.#target = addressOf(target)
    this.#server = createServer((client) => this.#accept(client))
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    const address = this.#server.address()
    const { user, password, database } = this.#target
    const port = typeof address === 'object' ? address?.port : 0
    this.url = `postgres://${encodeURIComponent(user)}:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`
  }

  /** Breaks the connection at the given piece, counted from now. */
  arm(at: number, how: Break) {
    this.#breaks = { at, how }
    this.#passed = 0
  }

  /** Lets all pieces pass again. @returns whether the connection was broken */
  disarm(): boolean {
    const came = this.#breaks !== undefined && this.#passed >= this.#breaks.at
    this.#breaks = undefined
    this.#refusal = undefined
    return came
  }

  async close() {
    for (const socket of this.#sockets) socket.destroy()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  #accept(client: Socket) {
    this.#sockets.add(client)
    client.on('error', () => {})
    if (this.#refusal === 'reset') return void client.resetAndDestroy()
    if (this.#refusal) return void client.end(this.#refusal)
    const { host, port } = this.#target
    const server = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host)
    this.#sockets.add(server)
    server.on('error', () => client.destroy())
    client.on('data', (bytes) => this.#pass(bytes, server, client, server))
    server.on('data', (bytes) => this.#pass(bytes, client, client, server))
    client.on('close', () => {
      this.#sockets.delete(client)
      server.destroy()
    })
    server.on('close', () => {
      this.#sockets.delete(server)
      client.end()
    })
  }

  #pass(bytes: Buffer, to: Socket, client: Socket, server: Socket) {
    const breaks = this.#breaks
    if (!breaks || ++this.#passed !== breaks.at) return void to.write(bytes)
    this.#refusal = REFUSAL[breaks.how] ?? (breaks.how === 'no database' ? 'reset' : undefined)
    const said = FATAL[breaks.how]
    if (breaks.how === 'half a message') to.write(bytes.subarray(0, bytes.length / 2))
    if (said) client.end(said)
    else if (breaks.how === 'reset') client.resetAndDestroy()
    else client.end()
    server.destroy()
    // A database that is down or starting has no connections.
    if (this.#refusal) for (const socket of this.#sockets) socket.destroy()
  }
}

function addressOf(url: string) {
  const { host, port, user = '', password, database = '' } = new pg.Client({ connectionString: url })
  return { host, port, user, password: password ?? '', database }
}
