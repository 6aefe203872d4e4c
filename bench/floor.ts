/**
 * The floor: the least cost of the same work. A bare Fastify route with `pg` sends the server's statements for this
 * workload one after the other, and nothing else: no account, no check, no log line, no wall, no transaction. Rows
 * become JSON.
 */
import fastify from 'fastify'
import pg from 'pg'

/** A statement of the server, and the positions of the values that differ between requests. */
export interface Statement {
  name?: string
  text: string
  values: unknown[]
  slots: Slot[]
}

/** The store's number, the id from the first statement, the request's key as a number, or a text around the key. */
export type Slot =
  | { at: number; is: 'store' }
  | { at: number; is: 'id' }
  | { at: number; is: 'number' }
  | { at: number; is: 'text'; before: string; after: string }

/** The name of a created row ends with its key. */
export const KEY_LENGTH = 8

interface Start {
  url: string
  statements: Record<string, Statement[]>
  /** Whether the driver's default rows are mapped to the objects of the answer. */
  mapsRows: boolean
}

async function start({ url, statements, mapsRows }: Start): Promise<number> {
  const pool = new pg.Pool({ connectionString: url, max: 8, idleTimeoutMillis: 0 })
  const app = fastify()
  for (const [workload, list] of Object.entries(statements)) {
    const query = async (store: string, key: string) => {
      const results: pg.QueryResult[] = []
      for (const { slots, values, ...statement } of list) {
        const filled = [...values]
        for (const slot of slots) {
          if (slot.is === 'store') filled[slot.at] = Number(store)
          else if (slot.is === 'id') filled[slot.at] = results[0]?.rows[0].id
          else if (slot.is === 'number') filled[slot.at] = Number(key)
          else filled[slot.at] = slot.before + key + slot.after
        }
        results.push(await pool.query({ ...statement, values: filled }))
      }
      return { rows: results[0]?.rows ?? [] }
    }
    app.get<{ Params: { store: string; key: string } }>(`/${workload}/:store/:key`, async ({ params }, reply) => {
      const { rows } = await query(params.store, params.key)
      return reply.type('application/json').send(JSON.stringify(mapsRows ? rows.map(toObject) : rows))
    })
    app.post<{ Params: { store: string }; Body: { name: string } }>(
      `/${workload}/:store`,
      async ({ params, body }, reply) => {
        const { rows } = await query(params.store, body.name.slice(-KEY_LENGTH))
        return reply.type('application/json').send(JSON.stringify(rows))
      },
    )
  }
  return Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port)
}

/** Replaces numbers that came as text, and times, by the values of the answer. */
function toObject(row: Record<string, unknown>): Record<string, unknown> {
  const object: Record<string, unknown> = {}
  for (const [field, value] of Object.entries(row)) {
    if (value instanceof Date) object[field] = value.toISOString()
    else object[field] = AMOUNTS.has(field) && value !== null ? Number(value) : value
  }
  return object
}

const AMOUNTS = new Set(
  'weight width depth height price cost_price retail_price sale_price map_price calculated_price fixed_cost_shipping_price'.split(
    ' ',
  ),
)

process.on('message', async (message: Start) => process.send?.({ port: await start(message) }))
process.on('disconnect', () => process.exit())
