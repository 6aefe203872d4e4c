import { randomUUID } from 'node:crypto'
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { Problem, problemBody } from '../core/rest/problem.ts'
import { REQUEST_LINE_MAX } from '../stores/gate/gate.ts'

// Where HTTP ends: what is answered before there is a request that the framework could answer.

export const newRequestId = () => randomUUID().replaceAll('-', '')

/** Connections on which an ambiguous request was refused. Nothing else is read from them. */
const refused = new WeakSet<Socket>()

/**
 * Refuses requests that another reader of HTTP, such as a proxy in front, could take for something else: then what one of the two
 * takes for a body is a request to the other. They are 400, and whatever comes behind them on the connection is ignored.
 */
export function refuseAmbiguous(server: Server, docsBase: string) {
  const handlers = server.listeners('request')
  server.removeAllListeners('request')
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (refused.has(request.socket)) return
    if (isAmbiguous(request)) {
      refused.add(request.socket)
      const { headers, body } = refusalOf(400, docsBase)
      response.writeHead(400, headers).end(body)
      return
    }
    // Nothing else is spoken here, which HTTP allows a server to decide: Java's client asks for h2c with its first request. But the
    // parser drops what was sent behind the question. The connection closes, so that the client knows.
    if (request.headers.upgrade !== undefined) response.shouldKeepAlive = false
    for (const handle of handlers) handle.call(server, request, response)
  })
}

/** A body in another coding than chunks, which we can't tell where it ends, or a second address. */
function isAmbiguous({ headers, rawHeaders }: IncomingMessage): boolean {
  const coding = headers['transfer-encoding']
  if (coding !== undefined && coding.trim().toLowerCase() !== 'chunked') return true
  return rawHeaders.filter((text, i) => i % 2 === 0 && text.toLowerCase() === 'host').length > 1
}

/**
 * The address with U+FFFD in place of U+0000 in its path: such a path leads nowhere, as any other name that nothing has. PostgreSQL
 * refuses a statement with U+0000, so no route may look it up.
 */
export function withoutNul(url: string): string {
  if (!url.includes('%00')) return url
  const [path = '', ...query] = url.split('?')
  return [path.replaceAll('%00', '%EF%BF%BD'), ...query].join('?')
}

/** What is no HTTP that we could route: an unknown verb is 501 like those that we know and do not support. */
export function refuseUnreadable(
  error: Error & { code?: string; rawPacket?: unknown },
  socket: Socket,
  docsBase: string,
) {
  // The parser may find a fault in the same head, for example an unknown transfer coding. The refusal closes the connection.
  if (refused.has(socket)) return
  if (error.code === 'ECONNRESET' || !socket.writable) return socket.destroy()
  if (error.code === 'HPE_INVALID_METHOD') return endWith(socket, 501, docsBase)
  if (error.code === 'HPE_HEADER_OVERFLOW') return endWith(socket, hasLongLine(error.rawPacket) ? 414 : 431, docsBase)
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return endWith(socket, 408, docsBase)
  return endWith(socket, 400, docsBase)
}

/** Node counts the request line as a part of the headers: one that fills them alone is what is too long. */
function hasLongLine(packet: unknown): boolean {
  return packet instanceof Uint8Array && !Buffer.from(packet).subarray(0, REQUEST_LINE_MAX).includes('\r\n')
}

/** Answers where there is no request, and closes the connection. */
export function endWith(socket: Socket, status: number, docsBase: string) {
  const { headers, body } = refusalOf(status, docsBase)
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n'))
}

function refusalOf(status: number, docsBase: string) {
  const body = JSON.stringify(problemBody(new Problem(status, STATUS_CODES[status] ?? ''), docsBase))
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'x-request-id': newRequestId(),
    connection: 'close',
  }
  return { headers, body }
}
