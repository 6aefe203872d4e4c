import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, request, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'

/** A request as the stand-in received it. */
interface Received {
  method: string
  url: string
  headers: IncomingHttpHeaders
  body: string
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
    const one = { method, url, headers, body: await text(incoming) }
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

/** Passes requests on to a server, and cuts the connection instead of every so many-th answer of a write. */
export const losing = (target: string, every: number): Promise<StandIn> => {
  let writes = 0
  return standIn(async ({ method, url, headers, body }, response) => {
    const passed = request(`${target}${url}`, { method, headers: { ...headers, host: new URL(target).host } })
    passed.end(body)
    const [answer] = await once(passed, 'response')
    const bytes = await text(answer)
    if (method !== 'GET') writes += 1
    if (method !== 'GET' && writes % every === 0) return void response.destroy()
    response
      .writeHead(answer.statusCode, {
        ...answer.headers,
        'content-length': Buffer.byteLength(bytes),
        'transfer-encoding': [],
      })
      .end(bytes)
  })
}
