import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

// A service of a third party that the sandbox runs itself, to try things on: a carrier or a tax provider. It listens on this machine only.

export interface TestRequest {
  /** With the query, such as `/rate`. */
  path: string
  authorization: string | undefined
  /** Undefined if it is no JSON. */
  body: unknown
}

export interface TestService {
  /** The address before the path of a call. */
  url: string
  /** The last 100. */
  requests: readonly TestRequest[]
  close(): Promise<void>
}

const REQUESTS_MAX = 100

/** Starts a service at a free port. */
export async function startTestService(
  answer: (request: TestRequest, response: ServerResponse) => unknown,
): Promise<TestService> {
  const requests: TestRequest[] = []
  const receive = async (incoming: IncomingMessage, response: ServerResponse) => {
    const body = parsed(await textOf(incoming))
    const request = { path: incoming.url ?? '', authorization: incoming.headers.authorization, body }
    requests.push(request)
    requests.splice(0, requests.length - REQUESTS_MAX)
    await answer(request, response)
  }
  // A caller that hangs up must not end the sandbox.
  const server = createServer((incoming, response) => {
    receive(incoming, response).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`,
    requests,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

const textOf = async (request: IncomingMessage) => (await request.setEncoding('utf8').toArray()).join('')

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export const sendJson = (response: ServerResponse, body: object) =>
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))

/** Answers that every test service can give on demand, by the name of the behaviour. */
const MISBEHAVIOURS = new Map<string, (response: ServerResponse) => unknown>([
  ['hang', () => undefined],
  ['reset', (response) => response.destroy()],
  ['error', (response) => response.writeHead(500).end('{}')],
  ['redirect', (response) => response.writeHead(302, { location: '/' }).end('{}')],
  ['text', (response) => response.end('no JSON')],
  ['long', (response) => response.end(JSON.stringify('x'.repeat(2 * 1024 * 1024)))],
])

/** Answers like a broken service, if the behaviour is one of those. @returns whether it is */
export function misbehave(behaviour: string, response: ServerResponse): boolean {
  const answer = MISBEHAVIOURS.get(behaviour)
  answer?.(response)
  return answer !== undefined
}
