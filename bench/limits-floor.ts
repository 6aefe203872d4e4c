/**
 * The limit of a request: its own statements and nothing else. A bare Fastify route sends them over the driver of the server, in the pieces in
 * which the server sends them and behind its walls, and drops all rows.
 */
import fastify from 'fastify'
import { Database } from '../server/core/db/database.ts'
import type { Statement } from '../server/core/db/wire/exchange.ts'

/** The pieces of a request, and whether they are a transaction, which holds one connection. */
export interface RecordedRequest {
  store: number
  pieces: Statement[][]
  isTransaction: boolean
}

interface Start {
  url: string
  requests: Record<string, RecordedRequest[]>
}

async function start({ url, requests }: Start): Promise<number> {
  const database = new Database(url)
  const app = fastify()
  for (const [name, recorded] of Object.entries(requests)) {
    let turn = 0
    app.get(`/${name}`, async (_, reply) => {
      const next = recorded[turn++ % recorded.length]
      if (!next) throw new Error(`Nothing was recorded for ${name}.`)
      const { store, pieces, isTransaction } = next
      if (isTransaction) {
        await database.withConnection(database.wire, store, async (connection) => {
          for (const piece of pieces) await connection.ask(piece)
        })
      } else for (const piece of pieces) await database.wire.send(store, piece)
      return reply.type('application/json').send('{}')
    })
  }
  return Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port)
}

process.on('message', async (message: Start) => process.send?.({ port: await start(message) }))
process.on('disconnect', () => process.exit())
