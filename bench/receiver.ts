/**
 * Receives webhooks, in a process of its own, so that its work isn't counted and no kill of the server reaches it. For
 * the server, each of its ports is a host. The last one never answers.
 */
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'

/**
 * One callback: the hook, the event and the time of its first byte, by the monotonic clock that all processes share.
 */
export interface Receipt {
  /** Path of the destination. */
  path: string
  hook: number
  id: string
  at: number
}

let receipts: Receipt[] = []

const answering: RequestListener = ({ headers, url = '' }, response) => {
  receipts.push({
    path: url,
    hook: Number(headers['x-svc-hook-id']),
    id: String(headers['webhook-id']),
    at: monotonic(),
  })
  response.writeHead(204).end()
}

const monotonic = () => Number(process.hrtime.bigint()) / 1e6

async function listen(listener: RequestListener): Promise<number> {
  const server = createServer({ keepAliveTimeout: 60_000 }, listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('There is no free port on 127.0.0.1.')
  return address.port
}

process.on('message', async ({ ports }: { ports?: number }) => {
  if (ports !== undefined) {
    const answers = await Promise.all(Array.from({ length: ports }, () => listen(answering)))
    process.send?.({ ports: answers, silent: await listen(() => {}) })
    return
  }
  const gathered = receipts
  receipts = []
  process.send?.({ receipts: gathered })
})
process.on('disconnect', () => process.exit())
