/**
 * The floor of a storefront request: a bare Fastify route that verifies the signature of the token and sends the
 * server's statements one after the other, and nothing else: no claims, no CORS, no GraphQL, no wall. Rows become JSON.
 */
import fastify from 'fastify'
import { compactVerify, importJWK, type JWK } from 'jose'
import pg from 'pg'
import type { FloorStatement } from './storefront.ts'

/** The configuration of the floor: its path, the key and the statements. */
export interface Start {
  url: string
  key: JWK
  statements: Record<string, FloorStatement[]>
}

async function start({ url, key, statements }: Start): Promise<number> {
  const pool = new pg.Pool({ connectionString: url, max: 8, idleTimeoutMillis: 0 })
  const app = fastify()
  const publicKey = await importJWK(key, 'ES256')
  for (const [name, list] of Object.entries(statements)) {
    app.post(`/${name}/graphql`, async ({ headers }, reply) => {
      const token = String(headers.authorization).slice('Bearer '.length)
      const { payload } = await compactVerify(token, publicKey, { algorithms: ['ES256'] })
      const { jti }: { jti: string } = JSON.parse(new TextDecoder().decode(payload))
      const results: pg.QueryResult[] = []
      for (const { jtiAt, values, ...statement } of list) {
        const filled = values.map((value, i) => (i === jtiAt ? jti : value))
        results.push(await pool.query({ ...statement, values: filled }))
      }
      return reply.type('application/json').send(JSON.stringify({ data: results.at(-1)?.rows }))
    })
  }
  return Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port)
}

process.on('message', async (message: Start) => process.send?.({ port: await start(message) }))
process.on('disconnect', () => process.exit())
