import { pino } from 'pino'
import { Connection } from '../server/core/db/wire/connection.ts'
import type { Statement as Sent } from '../server/core/db/wire/exchange.ts'
import { Files } from '../server/core/files/files.ts'
import { Addresses } from '../server/core/net/addresses.ts'
import { createApp } from '../server/process/app.ts'
import { readConfig } from '../server/process/config.ts'
import type { Installation } from '../server/process/installation.ts'
import type { OpenStore } from './data.ts'
import type { Slot, Statement } from './floor.ts'
import type { Workload } from './workloads.ts'

// Eight digits that no row of the load has.
const NEW_KEYS = ['77777777', '77777778']

/**
 * The statements that the server sends for each workload, recorded between a server in this process and its driver. So
 * the floor always measures the server's current statements. Walls, begin and commit are left out.
 */
export async function record(
  installation: Installation,
  folder: string,
  stores: readonly OpenStore[],
  workloads: readonly Workload[],
): Promise<Record<string, Statement[]>> {
  const files = new Files(folder, 'http://127.0.0.1', installation.ids)
  const log = pino({ level: 'silent' })
  const policy = { addresses: new Addresses([]), origins: [] }
  const { server } = await createApp({ ...installation, files, policy, log }, readConfig({}), 'http://127.0.0.1')
  const overheard: Sent[] = []
  const { send } = Connection.prototype
  Connection.prototype.send = function (statements, onAnswer) {
    overheard.push(...statements.filter(({ dropsRows }) => !dropsRows))
    return send.call(this, statements, onAnswer)
  }
  try {
    const statements: Record<string, Statement[]> = {}
    for (const workload of workloads) {
      const store = stores[workload.stores === 'big' ? 0 : 1]
      if (!store) throw new Error('There is no store to ask.')
      const ask = async (key: string) => {
        overheard.length = 0
        const { statusCode, body } = await server.inject({
          method: workload.body ? 'POST' : 'GET',
          url: `/stores/${store.hash}/v3${workload.path(key)}`,
          headers: { 'x-auth-token': store.token },
          ...(workload.body ? { payload: workload.body(key) } : {}),
        })
        const id: unknown = workload.body ? JSON.parse(body).data?.id : undefined
        if (statusCode === 200) return id
        throw new Error(`The server answers "${workload.title}" with ${statusCode}: ${body}`)
      }
      const [warm = '', key = ''] = workload.body ? NEW_KEYS : [workload.keys[0], workload.keys.at(-1)]
      // The first request also finds its account; later ones don't.
      await ask(warm)
      const id = await ask(key)
      if (overheard.length === 0) throw new Error(`The server sends nothing for "${workload.title}".`)
      statements[workload.name] = overheard.map(({ text, name, values }) => ({
        text,
        ...(name ? { name } : {}),
        values: [...values],
        slots: slotsOf(values, store.id, key, id),
      }))
    }
    return statements
  } finally {
    Connection.prototype.send = send
    await server.close()
  }
}

/** The positions of the store, the key and the new row's id among the values. */
function slotsOf(values: readonly unknown[], store: number, key: string, id: unknown): Slot[] {
  return values.flatMap((value, at): Slot[] => {
    if (value === store) return [{ at, is: 'store' }]
    if (value === id) return [{ at, is: 'id' }]
    if (key === '') return []
    if (value === Number(key)) return [{ at, is: 'number' }]
    const [before = '', after, ...more] = typeof value === 'string' ? value.split(key) : []
    if (more.length > 0) throw new Error(`The key stands in "${value}" more than once.`)
    return after === undefined ? [] : [{ at, is: 'text', before, after }]
  })
}
