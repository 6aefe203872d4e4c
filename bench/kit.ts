/**
 * The test kit with many tests: forks of a store, each with a request, by several workers.
 *
 * node bench/kit.ts [--quick] [--source tiny|demo]
 *
 * Prints the time of 1,000 tests (100 with --quick) that fork the store, read and change it, and free it; of 200 workers that begin at once;
 * the stores that are left, and the server's memory before and after. Needs Linux.
 */
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { fork, type Server, startServer } from '../testing/src/index.ts'
import { childrenOf, memoryOf } from './cpu.ts'

const { values: options } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, source: { type: 'string', default: 'tiny' } },
})
const [TESTS, WORKERS, AT_ONCE] = options.quick ? [100, 4, 50] : [1_000, 4, 200]
const source = options.source === 'demo' ? 'demo' : 'tiny'
const SETTLE_MS = 10_000

const server = await startServer({
  command: [process.execPath, '--max-semi-space-size=16', join(import.meta.dirname, '../server/bin/storeward.js')],
  seeds: [source],
})
try {
  console.log(`load ${loadavg()[0]?.toFixed(1)}`)
  await tests(10)
  // The kit's watcher is the only child of this process, and the server that of the watcher.
  const [pid = 0] = childrenOf(process.pid).flatMap(childrenOf)
  const before = memoryOf(pid)
  const begin = performance.now()
  await tests(TESTS)
  console.log(
    `${TESTS} tests with a fork of ${source}, ${WORKERS} at once: ${((performance.now() - begin) / 1_000).toFixed(1)} s`,
  )
  const crowd = performance.now()
  await Promise.all(Array.from({ length: AT_ONCE }, oneTest))
  console.log(`${AT_ONCE} workers at once: ${((performance.now() - crowd) / 1_000).toFixed(1)} s`)
  await sleep(SETTLE_MS)
  console.log(`stores left: ${(await storesOf(server)) - 1}`)
  console.log(`memory of the server: ${before.toFixed(0)} MiB before, ${memoryOf(pid).toFixed(0)} MiB after`)
  console.log(`load ${loadavg()[0]?.toFixed(1)}`)
} finally {
  await server.stop()
}

async function oneTest() {
  const { store, free } = await fork(source, server)
  const [product] = (await store.products.list({ limit: 1 }).page(1)).data
  if (product?.id === undefined) throw new Error('The fork has no product.')
  await store.products.update(product.id, { price: 12 })
  await free()
}

async function tests(count: number) {
  let left = count
  const worker = async () => {
    while (left-- > 0) await oneTest()
  }
  await Promise.all(Array.from({ length: WORKERS }, worker))
}

async function storesOf({ url, operatorKey }: Server): Promise<number> {
  const answer = await fetch(`${url}/operator/v1/stores`, { headers: { Authorization: `Bearer ${operatorKey}` } })
  const { data }: { data: unknown[] } = JSON.parse(await answer.text())
  return data.length
}
