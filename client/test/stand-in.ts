import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, request, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'

/** A request as the stand-in received it. */
interface Received {
  method: string
  url: string
  headers: IncomingHttpHeaders
  body: Buffer
}

export type Reply = (received: Received, response: ServerResponse) => void | Promise<void>

/** A server that is none of ours: it answers as a test says. */
export interface StandIn {
  origin: string
  received: Received[]
  close(): void
}

/** Starts a stand-in. @param reply answers each request */
export async function standIn(reply: Reply): Promise<StandIn> {
  const received: Received[] = []
  const server = createServer(async (incoming, response) => {
    const { method = '', url = '', headers } = incoming
    const one = { method, url, headers, body: await buffer(incoming) }
    received.push(one)
    await reply(one, response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    origin: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    received,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** Answers JSON. */
export function json(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string | number> = {},
) {
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body))
}

/** Passes a request on to a server. */
async function passOn(target: string, { method, url, headers, body }: Received) {
  const passed = request(`${target}${url}`, { method, headers: { ...headers, host: new URL(target).host } })
  passed.end(body)
  const [answer] = await once(passed, 'response')
  return { status: Number(answer.statusCode), headers: Object(answer.headers), bytes: await buffer(answer) }
}

/** Passes requests on to a server, and cuts the connection instead of every so many-th answer of a write. */
export const losing = (target: string, every: number): Promise<StandIn> => {
  let writes = 0
  return standIn(async (received, response) => {
    const { status, headers, bytes } = await passOn(target, received)
    if (received.method !== 'GET') writes += 1
    if (received.method !== 'GET' && writes % every === 0) return void response.destroy()
    response.writeHead(status, { ...headers, 'content-length': bytes.length, 'transfer-encoding': [] }).end(bytes)
  })
}

/** Headers of requests that any HTTP client sends. */
const PLAIN =
  /^(host|connection|accept|accept-language|accept-encoding|user-agent|sec-fetch-mode|content-type|content-length)$/
/** Headers of answers that the hosted service sends, too. */
const SHARED = /^(content-type|content-encoding|date|x-rate-limit-[\w-]+|x-retry-after)$/

/** The names of a request's headers that not every HTTP client sends. */
export const ownHeaders = ({ headers }: Received): string[] => Object.keys(headers).filter((name) => !PLAIN.test(name))

/**
 * Passes requests on to a server as the hosted service would answer them: without headers that only our server sends. A request with a header
 * that the hosted service does not know is refused.
 */
export const hosted = (target: string): Promise<StandIn> =>
  standIn(async (received, response) => {
    const unknown = ownHeaders(received).filter((name) => !/^(x-auth-token|x-store-hash|sf-api-token)$/.test(name))
    if (unknown.length > 0) return json(response, 400, { status: 400, title: `Unknown headers: ${unknown.join(', ')}` })
    const { status, headers, bytes } = await passOn(target, received)
    const shared = Object.entries<string>(headers).filter(([name]) => SHARED.test(name))
    response
      .writeHead(status, {
        ...Object.fromEntries(shared),
        ...(bytes.length > 0 ? { 'content-length': bytes.length } : {}),
      })
      .end(bytes)
  })
