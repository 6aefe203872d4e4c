import { type CompanyHouse, openCompanyStore } from './company-data.ts'

/** Opens another store, whose categories the server in a process of its own is asked for. @returns a read, which takes so many milliseconds */
export async function openReading(house: CompanyHouse): Promise<() => Promise<number>> {
  const { hash, token, call } = await openCompanyStore(house, 'Reading')
  await call('POST', '/v3/catalog/categories', { name: 'Cups', parent_id: 0 })
  const url = `http://127.0.0.1:${house.server.port}/stores/${hash}/v3/catalog/categories`
  return async () => {
    const began = performance.now()
    const answer = await fetch(url, { headers: { 'x-auth-token': token } })
    await answer.arrayBuffer()
    if (!answer.ok) throw new Error(`A read is answered with ${answer.status}.`)
    return performance.now() - began
  }
}

/** Reads one after another. @returns milliseconds */
export async function readQuietly(read: () => Promise<number>, count: number): Promise<number[]> {
  const times: number[] = []
  for (let n = 0; n < count; n++) times.push(await read())
  return times
}

/** Reads one after another until some work ends. @param watch is called after each read @returns milliseconds, and the result of the work */
export async function readDuring<T>(read: () => Promise<number>, work: Promise<T>, watch: () => void = () => {}) {
  let isOver = false
  const end = work.finally(() => {
    isOver = true
  })
  const times: number[] = []
  while (!isOver) {
    times.push(await read())
    watch()
  }
  return { times, result: await end }
}

/** Prints the p99 of reads beside that of quiet ones. A missed bar sets the exit code. */
export function compareP99(name: string, during: readonly number[], quiet: readonly number[], bar?: number) {
  const ratio = p99(during) / p99(quiet)
  const figures = `p99 ${p99(during).toFixed(1)} ms (${during.length} reads) / ${p99(quiet).toFixed(1)} ms = ${ratio.toFixed(2)}`
  console.log(`${name}, beside quiet ones: ${figures}${bar === undefined ? '' : `, bar ${bar}`}`)
  if (bar !== undefined && ratio > bar) process.exitCode = 1
}

const p99 = (times: readonly number[]) => times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0
