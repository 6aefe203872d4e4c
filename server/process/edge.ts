import { randomUUID } from 'node:crypto'
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { Problem, problemBody } from '../core/rest/problem.ts'
import { REQUEST_LINE_MAX } from '../stores/gate/gate.ts'

// Answers to connections before the framework has a request.

/** 32 hexadecimal digits: the time in milliseconds, then 80 random bits. So ids have the order of requests, which the request log uses. */
export const newRequestId = () => Date.now().toString(16).padStart(12, '0') + randomUUID().replaceAll('-', '').slice(12)

/** Connections with a refusedSockets ambiguous request. Nothing more is read from them. */
const refusedSockets = new WeakSet<Socket>()

/**
 * Refuses requests that another HTTP parser, such as a proxy in front, could read differently: a body for one parser is a request
 * for the other. They get 400, and all later bytes of the connection are ignored.
 */
export function refuseAmbiguous(server: Server, docsBase: string) {
  const handlers = server.listeners('request')
  server.removeAllListeners('request')
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (refusedSockets.has(request.socket)) return
    if (isAmbiguous(request)) {
      refusedSockets.add(request.socket)
      const { headers, body } = refusalOf(400, docsBase)
      response.writeHead(400, headers).end(body)
      return
    }
    // The server ignores upgrades, as HTTP allows: for example, Java clients offer h2c with their first request. The parser drops
    // the bytes behind such a request, so the connection closes and the client notices.
    if (request.headers.upgrade !== undefined) response.shouldKeepAlive = false
    for (const handle of handlers) handle.call(server, request, response)
  })
}

/** Whether a request has a transfer coding other than chunked, which hides the end of its body, or a second Host header. */
function isAmbiguous({ headers, rawHeaders }: IncomingMessage): boolean {
  const coding = headers['transfer-encoding']
  if (coding !== undefined && coding.trim().toLowerCase() !== 'chunked') return true
  return rawHeaders.filter((text, i) => i % 2 === 0 && text.toLowerCase() === 'host').length > 1
}

/**
 * Replaces U+0000 in the path by U+FFFD, so that the path leads to 404. PostgreSQL refuses statements with U+0000, so no route
 * may look up such a path.
 */
export function withoutNul(url: string): string {
  if (!url.includes('%00')) return url
  const [path = '', ...query] = url.split('?')
  return [path.replaceAll('%00', '%EF%BF%BD'), ...query].join('?')
}

/** Answers malformed HTTP. An unknown method is 501, like the known methods that the server does not support. */
export function refuseUnreadable(
  error: Error & { code?: string; rawPacket?: unknown },
  socket: Socket,
  docsBase: string,
) {
  // The parser may report a fault in the same head, for example an unknown transfer coding. The refusal closes the connection.
  if (refusedSockets.has(socket)) return
  if (error.code === 'ECONNRESET' || !socket.writable) return socket.destroy()
  if (error.code === 'HPE_INVALID_METHOD') return endWith(socket, 501, docsBase)
  if (error.code === 'HPE_HEADER_OVERFLOW') return endWith(socket, hasLongLine(error.rawPacket) ? 414 : 431, docsBase)
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return endWith(socket, 408, docsBase)
  return endWith(socket, 400, docsBase)
}

/** Whether the request line alone is too long. Node counts it as a part of the headers. */
function hasLongLine(packet: unknown): boolean {
  return packet instanceof Uint8Array && !Buffer.from(packet).subarray(0, REQUEST_LINE_MAX).includes('\r\n')
}

/** Answers on a connection without a request, and closes it. */
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
