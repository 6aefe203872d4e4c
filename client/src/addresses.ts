import { StorewardError } from './errors.ts'
import type { Row } from './table.ts'
import type { Settings } from './transport.ts'

/** The address of a call. @throws StorewardError for a missing id, which would name another resource */
export function addressOf(
  { url, companionUrl, storeHash }: Settings,
  row: Row,
  ids: readonly unknown[],
  query: unknown,
): string {
  let next = 0
  const path = row.path.replaceAll('{}', () => {
    const id = ids[next]
    next += 1
    if ((typeof id !== 'string' && typeof id !== 'number') || id === '') {
      throw new StorewardError(`${row.name}: argument ${next} must be an id, and is ${JSON.stringify(id)}.`)
    }
    return encodeURIComponent(id)
  })
  const base = path.startsWith('b2b/') ? `${companionUrl}/api/${path.slice(4)}` : `${url}/stores/${storeHash}/${path}`
  const asked = queryOf(query)
  return asked === '' ? base : `${base}?${asked}`
}

/** A query as the API reads it: lists separated by commas, times in ISO 8601. Names with the value undefined are left out. */
function queryOf(query: unknown): string {
  const pairs = Object.entries(Object(query)).filter(([, value]) => value !== undefined)
  return new URLSearchParams(Object.fromEntries(pairs.map(([name, value]) => [name, toText(value)]))).toString()
}

const toText = (value: unknown): string =>
  Array.isArray(value) ? value.map(toText).join(',') : value instanceof Date ? value.toISOString() : String(value)
