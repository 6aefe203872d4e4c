import { readFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

// What the server itself needs beside its clients: databases, files, listeners.
const OWN_HANDLES = 256
// An answer is in memory until its reader has taken all of it. Small ones fit into the socket.
const SMALL_ANSWER = 64 * 1024
const UNREAD_MAX = 64 * 1024 * 1024
// A body that is not wanted any more: what is left of a small one is read, so that the connection can be kept.
const SMALL_BODY = 64 * 1024
const DRAIN_CHECK_MS = 100

export interface Connections {
  /** Whether the server stops: what is on its way is finished, and nothing new is begun. */
  readonly isDraining: boolean
}

/** Bounds what clients may hold of the server: connections, answers they don't read, bodies that nobody wants. */
export function boundConnections(app: FastifyInstance, connectionsMax: number): Connections {
  const max = Math.min(connectionsMax, handlesMax() - OWN_HANDLES)
  if (max < connectionsMax) {
    app.log.warn({ max }, 'the limit of open files of this process allows fewer connections than CONNECTIONS_MAX')
  }
  app.server.maxConnections = max

  const connections = { isDraining: false }
  const unread = new Unread()
  app.addHook('onSend', (request, reply, payload, done) => {
    if (typeof payload === 'string' && payload.length > SMALL_ANSWER) unread.add(reply.raw, payload.length)
    const leavesBody = !request.raw.complete && isLarge(request.raw.headers)
    if (leavesBody || connections.isDraining) reply.header('connection', 'close')
    done()
  })
  app.addHook('preClose', (done) => {
    connections.isDraining = true
    done()
  })
  closeWhenDrained(app)
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

/** The large answers on their way. When they are too many bytes, those who have been reading longest are cut off. */
class Unread {
  readonly #answers = new Map<ServerResponse, number>()
  #bytes = 0

  add(answer: ServerResponse, bytes: number) {
    this.#answers.set(answer, bytes)
    this.#bytes += bytes
    answer.once('close', () => this.#forget(answer))
    for (const [oldest] of this.#answers) {
      if (this.#bytes <= UNREAD_MAX || oldest === answer) break
      this.#forget(oldest)
      oldest.destroy()
    }
  }

  #forget(answer: ServerResponse) {
    this.#bytes -= this.#answers.get(answer) ?? 0
    this.#answers.delete(answer)
  }
}

const isLarge = ({ 'content-length': length, 'transfer-encoding': encoding }: Record<string, unknown>) =>
  encoding !== undefined || Number(length ?? 0) > SMALL_BODY

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
