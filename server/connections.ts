import { readFileSync } from 'node:fs'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { Server, Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

// What the server itself needs beside its clients: databases, files, listeners.
const OWN_HANDLES = 256
// What is smaller fits into the socket, and is not worth counting.
const SMALL = 64 * 1024
// An answer is in memory until its reader has taken all of it, a body until its sender has sent all of it.
const ANSWERS_MAX = 64 * 1024 * 1024
const BODIES_MAX = 256 * 1024 * 1024
const UNKNOWN_LENGTH = 4 * 1024 * 1024
const DRAIN_CHECK_MS = 100
const QUIET_WAIT_MS = 1_000

export interface Connections {
  /** Whether the server stops, at once or soon: every request is still answered, and each answer closes its connection. */
  readonly isDraining: boolean
  drain(): void
}

/** Bounds what clients may hold of the server: connections, answers that they don't read, bodies that they don't finish. */
export function boundConnections(app: FastifyInstance, connectionsMax: number): Connections {
  const max = Math.min(connectionsMax, handlesMax() - OWN_HANDLES)
  if (max < connectionsMax) {
    app.log.warn({ max }, 'the limit of open files of this process allows fewer connections than CONNECTIONS_MAX')
  }
  app.server.maxConnections = max

  const connections = {
    isDraining: false,
    drain() {
      connections.isDraining = true
    },
  }
  const answers = new MessagesUnderWay(ANSWERS_MAX, () =>
    app.log.warn('an answer that was read too slowly is cut off: too many wait'),
  )
  const bodies = new MessagesUnderWay(BODIES_MAX, () =>
    app.log.warn('a body that was sent too slowly is cut off: too many wait'),
  )
  app.addHook('preParsing', (request, _reply, payload, done) => {
    const bytes = request.raw.complete ? 0 : lengthOf(request.raw.headers)
    if (bytes > SMALL) {
      bodies.add(request.raw, bytes)
      request.raw.once('end', () => bodies.forget(request.raw))
    }
    done(null, payload)
  })
  app.addHook('onSend', (request, reply, payload, done) => {
    const bytes = typeof payload === 'string' || Buffer.isBuffer(payload) ? payload.length : 0
    if (bytes > SMALL) answers.add(reply.raw, bytes)
    // Nobody reads the rest of a large body that has its answer already.
    const leavesBody = !request.raw.complete && lengthOf(request.raw.headers) > SMALL
    if (leavesBody || connections.isDraining) reply.header('connection', 'close')
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

/** Handles that the operating system gives this process, if it says so. */
function handlesMax(): number {
  try {
    const [, soft = ''] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    return soft === '' ? Number.POSITIVE_INFINITY : Number(soft)
  } catch {
    return Number.POSITIVE_INFINITY // not Linux
  }
}

/** What is on its way and takes memory until it has arrived. When it is too much, what has been on its way longest is cut off. */
class MessagesUnderWay {
  readonly #bytesOf = new Map<IncomingMessage | ServerResponse, number>()
  readonly #max: number
  readonly #onCut: () => void
  #bytes = 0

  constructor(max: number, onCut: () => void) {
    this.#max = max
    this.#onCut = onCut
  }

  add(message: IncomingMessage | ServerResponse, bytes: number) {
    this.#bytesOf.set(message, bytes)
    this.#bytes += bytes
    message.once('close', () => this.forget(message))
    for (const [oldest] of this.#bytesOf) {
      if (this.#bytes <= this.#max || oldest === message) break
      this.forget(oldest)
      oldest.destroy()
      this.#onCut()
    }
  }

  forget(message: IncomingMessage | ServerResponse) {
    this.#bytes -= this.#bytesOf.get(message) ?? 0
    this.#bytesOf.delete(message)
  }
}

const lengthOf = ({ 'content-length': length, 'transfer-encoding': encoding }: IncomingHttpHeaders): number =>
  encoding === undefined ? Number(length ?? 0) : UNKNOWN_LENGTH

/**
 * While the server stops, a connection is closed as soon as it has no request, and one that never had any at once: browsers
 * and balancers open some ahead of need, and each would keep the server for the whole of its grace time.
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
 * Resolves in a turn of the event loop in which no connection came. When the port closes, the system resets the connections that wait to
 * be accepted, and one is accepted in a turn: with many clients the port would close on some of them.
 */
async function quietMoment(server: Server) {
  let came = true
  const note = () => {
    came = true
  }
  server.on('connection', note)
  for (const until = performance.now() + QUIET_WAIT_MS; came && performance.now() < until; ) {
    came = false
    await nextTurn()
  }
  server.off('connection', note)
}
