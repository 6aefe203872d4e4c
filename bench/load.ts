/**
 * The load: a process of its own, so that its CPU isn't counted. Each connection sends its next request when it has the
 * whole answer to the last one. A plain socket and the few bytes of HTTP that the subjects need (every answer has a
 * Content-Length) leave more of the machine to the subject than an HTTP client would.
 */
import { connect, type Socket } from 'node:net'

export interface LoadPlan {
  port: number
  connections: number
  /** The load ends at the first limit that it reaches. */
  seconds: number
  requests: number
  /** Sent in turn. Runs of eight `#` become a new number each time. */
  messages: string[]
  /** The first number. */
  first: number
}

export interface Load {
  requests: number
  seconds: number
  p50: number
  p99: number
}

const HASHES = '########'
const sockets = new Map<number, Socket[]>()

async function run({ port, connections, seconds, requests, messages, first }: LoadPlan): Promise<Load> {
  const open = await connectionsTo(port, connections)
  const latencies: number[] = []
  const begin = performance.now()
  const deadline = begin + seconds * 1_000
  let sent = 0
  const next = () => {
    if (sent >= requests || performance.now() >= deadline) return undefined
    const message = messages[sent % messages.length] ?? ''
    const number = String(first + sent++).padStart(HASHES.length, '0')
    return message.includes(HASHES) ? message.replaceAll(HASHES, number) : message
  }
  await Promise.all(open.map((socket) => keepAsking(socket, next, latencies)))
  latencies.sort((a, b) => a - b)
  const percentile = (share: number) => latencies[Math.floor(latencies.length * share)] ?? 0
  return {
    requests: latencies.length,
    seconds: (performance.now() - begin) / 1_000,
    p50: percentile(0.5),
    p99: percentile(0.99),
  }
}

/** Connections are kept from one plan to the next, unless the subject has closed them. */
async function connectionsTo(port: number, count: number): Promise<Socket[]> {
  const open = (sockets.get(port) ?? []).filter(({ readyState }) => readyState === 'open')
  sockets.set(port, open)
  while (open.length < count) {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject))
    open.push(socket)
  }
  return open.slice(0, count)
}

function keepAsking(socket: Socket, next: () => string | undefined, latencies: number[]): Promise<void> {
  return new Promise((resolve, reject) => {
    let sentAt = 0
    let received: Buffer = Buffer.alloc(0)
    const ask = () => {
      const message = next()
      if (message === undefined) return finish()
      sentAt = performance.now()
      socket.write(message)
    }
    const hear = (chunk: Buffer) => {
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
      const end = received.indexOf('\r\n\r\n')
      if (end < 0) return
      const head = received.toString('latin1', 0, end)
      const [, length] = /^content-length: (\d+)/im.exec(head) ?? []
      if (!head.startsWith('HTTP/1.1 20') || length === undefined) return finish(new Error(received.toString()))
      if (received.length < end + 4 + Number(length)) return
      received = Buffer.alloc(0)
      latencies.push(performance.now() - sentAt)
      ask()
    }
    const fail = () => finish(new Error('The subject closed the connection.'))
    const finish = (error?: Error) => {
      socket.off('data', hear).off('close', fail)
      if (error) reject(error)
      else resolve()
    }
    socket.on('data', hear).on('close', fail)
    ask()
  })
}

process.on('message', async (plan: LoadPlan) => {
  try {
    process.send?.(await run(plan))
  } catch (error) {
    process.send?.({ error: String(error) })
  }
})
process.on('disconnect', () => process.exit())
