import { once } from 'node:events'
import { Agent, createServer } from 'node:http'
import { theHouse } from '../server/test/fixtures/shop.ts'

/** A port of the server, for clients that open connections, and an agent that keeps these. */
export interface Port {
  origin: string
  agent: Agent
  close(): void
}

/** Opens the server of the tests on a port of its own. */
export async function openPort(): Promise<Port> {
  const { server } = await theHouse()
  const listening = createServer(server.routing).listen(0, '127.0.0.1')
  await once(listening, 'listening')
  const address = listening.address()
  const agent = new Agent({ keepAlive: true })
  return {
    origin: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    agent,
    close() {
      agent.destroy()
      listening.close()
    },
  }
}
