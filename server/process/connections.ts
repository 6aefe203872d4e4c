import { readFileSync } from 'node:fs'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Server, Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { BODY_BOUNDS, Bodies, type BodyBounds, senderOf } from '../core/rest/bodies/bodies.ts'
import { Holdings, warnOfCuts } from '../core/rest/bodies/holdings.ts'

// Handles of the server itself: databases, files, listeners.
const OWN_HANDLES = 256
// Smaller answers fit into the socket and are not counted.
const SMALL = 64 * 1024
// An answer stays in memory until its client has read it.
const ANSWERS_MAX = 64 * 1024 * 1024
/** Time that a connection stays open for the rest of a body that was answered before it arrived. */
const LINGER_MS = 2_000
/**
 * The rest of a body up to this size is read and dropped. If the connection closed at once, its reset would reach the client
 * before the answer, and many clients would report a broken connection in place of 429 or 422.
 */
const LINGER_BYTES = 16 * 1024 * 1024
/** The share of all connections that one address may have open without the head of a request. */
const SILENT_SHARE = 1 / 4
const SILENT_MS = 1_000
const DRAIN_CHECK_MS = 100
const QUIET_WAIT_MS = 1_000

export interface Connections {
  /** Whether the server is stopping. All requests are still answered, and each answer closes its connection. */
  readonly isDraining: boolean
  drain(): void
}

interface Bounds {
  /** Open connections. */
  connectionsMax: number
  /** Bounds of bodies that differ from `BODY_BOUNDS`. */
  bodies?: Partial<BodyBounds> | undefined
}

/** Limits the resources that clients can occupy: connections, answers that they do not read, bodies that they do not finish. */
export function boundConnections(app: FastifyInstance, { connectionsMax, bodies }: Bounds): Connections {
  const max = Math.min(connectionsMax, handlesMax() - OWN_HANDLES)
  if (max < connectionsMax) {
    app.log.warn({ max }, 'the limit of open files of this process allows fewer connections than CONNECTIONS_MAX')
  }
  app.server.maxConnections = max
  boundSilent(app, Math.ceil(max * SILENT_SHARE))

  const connections = {
    isDraining: false,
    drain() {
      connections.isDraining = true
    },
  }
  const answers = new Holdings({
    bytesMax: ANSWERS_MAX,
    onCut: warnOfCuts(app.log, 'answers that are read too slowly are cut off: too many wait'),
  })
  app.decorate('bodies', new Bodies({ ...BODY_BOUNDS, ...bodies }, app.log))
  app.addHook('onSend', (request, reply, payload, done) => {
    const bytes = typeof payload === 'string' || Buffer.isBuffer(payload) ? payload.length : 0
    if (bytes > SMALL) {
      const answer = answers.begin(senderOf(request).name)
      answer.onCut = () => reply.raw.destroy()
      reply.raw.once('close', answer.end)
      answer.grow(bytes)
    }
    const leavesBody = !request.raw.complete && lengthOf(request.raw.headers) > LINGER_BYTES
    if (leavesBody || connections.isDraining) reply.header('connection', 'close')
    done()
  })
  app.addHook('onResponse', ({ raw }, _reply, done) => {
    // Requests that tests inject have no connection and no `complete`.
    if (raw.complete === false) setTimeout(() => raw.complete || raw.socket.destroy(), LINGER_MS).unref()
    done()
  })
  app.addHook('preClose', (done) => {
    connections.drain()
    done()
  })
  closeWhenDrained(app)
  app.addHook('preClose', () => quietMoment(app.server))
  return connections
}

/** The number of handles that the operating system allows this process, if it is known. */
function handlesMax(): number {
  try {
    const [, soft = ''] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    return soft === '' ? Number.POSITIVE_INFINITY : Number(soft)
  } catch {
    return Number.POSITIVE_INFINITY // not Linux
  }
}

/**
 * Closes the oldest connection of an address that has too many without the head of a request. A new connection stays open: its
 * head may still be in the socket while a busy process accepts thousands of connections.
 */
function boundSilent(app: FastifyInstance, max: number) {
  const silent = new Map<string, Map<Socket, number>>()
  const release = (socket: Socket, address: string) => {
    const sockets = silent.get(address)
    if (sockets?.delete(socket) && sockets.size === 0) silent.delete(address)
  }
  app.server.on('connection', (socket: Socket) => {
    const { remoteAddress: address = '' } = socket
    const sockets = silent.get(address) ?? new Map()
    silent.set(address, sockets.set(socket, performance.now()))
    const [oldest] = sockets
    if (oldest && sockets.size > max && performance.now() - oldest[1] > SILENT_MS) {
      release(oldest[0], address)
      oldest[0].destroy()
    }
    socket.once('close', () => release(socket, address))
  })
  app.server.on('request', ({ socket }: IncomingMessage) => release(socket, socket.remoteAddress ?? ''))
}

const lengthOf = ({ 'content-length': length, 'transfer-encoding': encoding }: IncomingHttpHeaders): number =>
  encoding === undefined ? Number(length ?? 0) : Number.POSITIVE_INFINITY

/**
 * While the server stops, closes each connection that has no request, and at once the ones that never had any. Browsers and
 * balancers open connections in advance, and each would delay the stop by its whole grace time.
 */
function closeWhenDrained(app: FastifyInstance) {
  const open = new Set<Socket>()
  app.server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  app.addHook('preClose', (done) => {
    const check = setInterval(() => {
      app.server.closeIdleConnections()
      for (const socket of open) if (socket.bytesRead === 0) socket.destroy()
    }, DRAIN_CHECK_MS)
    app.server.once('close', () => clearInterval(check))
    done()
  })
}

/**
 * Resolves in a turn of the event loop without a new connection. When the port closes, the system resets the connections that
 * wait to be accepted. One connection is accepted in a turn, so with many clients the port would close on some of them.
 */
async function quietMoment(server: Server) {
  let hasNew = true
  const recordNew = () => {
    hasNew = true
  }
  server.on('connection', recordNew)
  for (const until = performance.now() + QUIET_WAIT_MS; hasNew && performance.now() < until; ) {
    hasNew = false
    await nextTurn()
  }
  server.off('connection', recordNew)
}
