import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { FastifyInstance } from 'fastify'

type Failure = 'cut' | { status: number; headers?: Record<string, string> } | undefined

/** This server in the role of the hosted one, behind a port that fails as a test wants it. */
export interface HostedPort {
  readonly address: string
  /** Method and path of each request that arrived. */
  requests: string[]
  /** The failure of a request: the number of requests until it, and its path. */
  fails: (request: number, path: string) => Failure
  /** Headers of each answer. */
  headers: Record<string, string>
  reset(): void
  close(): void
}

const METHODS = ['GET', 'POST', 'PUT', 'DELETE'] as const

export async function openHostedPort(server: Pick<FastifyInstance, 'inject'>): Promise<HostedPort> {
  const listener = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  const { port: number } = listener.address() as AddressInfo
  const port: HostedPort = {
    address: `http://127.0.0.1:${number}`,
    requests: [],
    fails: () => undefined,
    headers: {},
    reset() {
      Object.assign(port, { requests: [], fails: () => undefined, headers: {} })
    },
    close() {
      listener.closeAllConnections()
      listener.close()
    },
  }

  async function answer(request: IncomingMessage, response: ServerResponse) {
    const path = request.url ?? ''
    port.requests.push(`${request.method} ${path}`)
    const failure = port.fails(port.requests.length, path)
    if (failure === 'cut') return void request.socket.destroy()
    if (failure) return void response.writeHead(failure.status, failure.headers).end('{}')
    const { 'x-auth-token': token = '', 'x-store-hash': hash = '', 'content-type': type } = request.headers
    const body = await buffer(request)
    const answered = await server.inject({
      method: METHODS.find((method) => method === request.method) ?? 'GET',
      url: path,
      headers: { 'x-auth-token': token, 'x-store-hash': hash, ...(type === undefined ? {} : { 'content-type': type }) },
      ...(body.byteLength > 0 ? { payload: body } : {}),
    })
    // Pictures are at the address of the port.
    const sent = /json/.test(String(answered.headers['content-type']))
      ? Buffer.from(answered.body.replaceAll('http://shop.test/', `${port.address}/`))
      : answered.rawPayload
    response.writeHead(answered.statusCode, port.headers).end(sent)
  }
  return port
}
