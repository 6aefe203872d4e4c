import pg from 'pg'
import { pino } from 'pino'
import { createApp } from '../server/app.ts'
import { readConfig } from '../server/config.ts'
import { Files } from '../server/core/files/files.ts'
import { Addresses } from '../server/core/net/addresses.ts'
import type { Installation } from '../server/installation.ts'
import type { OpenStore } from './data.ts'
import type { Slot, Statement } from './floor.ts'
import type { Workload } from './workloads.ts'

// Eight digits that no row of the load has.
const NEW_KEYS = ['77777777', '77777778']

/**
 * The statement that the server sends for each workload, overheard between a server in this process and its driver. So
 * the floor never measures another statement than the one the server has today.
 */
export async function record(
  installation: Installation,
  folder: string,
  stores: readonly OpenStore[],
  workloads: readonly Workload[],
): Promise<Record<string, Statement>> {
  const files = new Files(folder, 'http://127.0.0.1', installation.ids)
  const log = pino({ level: 'silent' })
  const policy = { addresses: new Addresses([]), origins: [] }
  const { server } = await createApp({ ...installation, files, policy, log }, readConfig({}), 'http://127.0.0.1')
  const overheard: pg.QueryConfig[] = []
  const query = pg.Client.prototype.query
  pg.Client.prototype.query = function (this: pg.Client, ...given: unknown[]) {
    const [config] = given
    if (typeof config === 'object' && config !== null && 'text' in config) overheard.push(config as pg.QueryConfig)
    return Reflect.apply(query, this, given)
  }
  try {
    const statements: Record<string, Statement> = {}
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
        if (statusCode !== 200) throw new Error(`The server answers "${workload.title}" with ${statusCode}: ${body}`)
      }
      const [warm = '', key = ''] = workload.body ? NEW_KEYS : [workload.keys[0], workload.keys.at(-1)]
      // The first request also looks its account up, which the next ones do not.
      await ask(warm)
      await ask(key)
      const [statement, ...others] = overheard
      if (!statement || others.length > 0) {
        throw new Error(`The server sends ${overheard.length} statements for "${workload.title}"; a floor sends one.`)
      }
      const { text, name, values = [] } = statement
      statements[workload.name] = { text, ...(name ? { name } : {}), values, slots: slotsOf(values, store.id, key) }
    }
    return statements
  } finally {
    pg.Client.prototype.query = query
    await server.close()
  }
}

/** Where the store and the key stand among the values. */
function slotsOf(values: readonly unknown[], store: number, key: string): Slot[] {
  return values.flatMap((value, at): Slot[] => {
    if (value === store) return [{ at, is: 'store' }]
    if (key === '') return []
    if (value === Number(key)) return [{ at, is: 'number' }]
    const [before = '', after, ...more] = typeof value === 'string' ? value.split(key) : []
    if (more.length > 0) throw new Error(`The key stands in "${value}" more than once.`)
    return after === undefined ? [] : [{ at, is: 'text', before, after }]
  })
}
