import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { Agent, createServer } from 'node:http'
import { basename } from 'node:path'
import { expect } from 'vitest'
import { packagePath } from '../server/core/package.ts'
import { document } from '../server/test/document/document.ts'
import { theHouse } from '../server/test/fixtures/shop.ts'

/** A port of the server, for clients that open connections, and an agent that keeps these. */
export interface Port {
  origin: string
  agent: Agent
  /** Ends the connections. Compares the called operations with those that are recorded for the file (docs/contract/README.md section 4). */
  close(): Promise<void>
}

/** Opens the server of the tests on a port of its own, for public clients. */
export async function openPort(): Promise<Port> {
  const { server } = await theHouse()
  const called = new Set<string>()
  const file = basename(expect.getState().testPath ?? '', '.test.ts')
  const listening = createServer((request, response) => {
    const operation = operationOf(request.method ?? '', request.url ?? '')
    response.once('finish', () => {
      if (operation !== undefined && response.statusCode < 400) called.add(operation)
    })
    server.routing(request, response)
  }).listen(0, '127.0.0.1')
  await once(listening, 'listening')
  const address = listening.address()
  const agent = new Agent({ keepAlive: true })
  return {
    origin: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    agent,
    async close() {
      agent.destroy()
      const closed = once(listening, 'close')
      listening.close()
      listening.closeAllConnections()
      await closed
      if (PUBLIC.test(file)) compare(file, [...called].sort())
    },
  }
}

/** Tests of public clients. Those of clients that are made of our own document show nothing about others. */
const PUBLIC = /^(public|other)-client/

const routes = Object.entries(document.paths).flatMap(([path, methods]) => {
  const pattern = new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}/?$`)
  return Object.keys(methods).map((method) => ({
    method: method.toUpperCase(),
    pattern,
    name: `${method.toUpperCase()} ${path.replace('/stores/{store_hash}', '')}`,
    parameters: path.split('{').length,
  }))
})

/** The operation of a request; of several that match, the one with the fewest parameters. */
function operationOf(method: string, url: string): string | undefined {
  const path = url.split('?', 1)[0] ?? ''
  return routes
    .filter((route) => route.method === method && route.pattern.test(path))
    .toSorted((one, other) => one.parameters - other.parameters)[0]?.name
}

/** With RECORD_CLIENT_CALLS the calls are stored, else they must be those that are stored. */
function compare(name: string, called: readonly string[]) {
  const file = packagePath('clientCalls')
  const stored: Record<string, readonly string[]> = JSON.parse(readFileSync(file, 'utf8'))
  if (process.env.RECORD_CLIENT_CALLS === undefined) return expect(called).toEqual(stored[name] ?? [])
  const all = Object.entries({ ...stored, [name]: called }).toSorted(([one], [other]) => (one < other ? -1 : 1))
  writeFileSync(file, `${JSON.stringify(Object.fromEntries(all), null, 2)}\n`)
}
