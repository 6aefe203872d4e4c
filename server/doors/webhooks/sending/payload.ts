import { createHash } from 'node:crypto'

/** An event and its store, as its payload needs them. */
export interface PayloadEvent {
  id: string
  storeId: number
  storeHash: string
  /** Milliseconds since 1970. */
  ms: number
  scope: string
  /** Compact JSON, its keys in the order of the contract. */
  data: string
}

/**
 * The body of a callback, the same bytes for every attempt (docs/contract/webhooks.md section 2). The hash also covers the event's
 * id, so no two events have the same hash: a receiver that drops equal hashes keeps a second change within the same second.
 */
export function payloadOf({ id, storeId, storeHash, ms, scope, data }: PayloadEvent): string {
  const producer = `"producer":${JSON.stringify(`stores/${storeHash}`)}`
  const rest = `"created_at":${Math.floor(ms / 1_000)},"store_id":"${storeId}","scope":${JSON.stringify(scope)},"data":${data}`
  const hash = createHash('sha1').update(`${id}.{${producer},${rest}}`).digest('hex')
  return `{${producer},"hash":"${hash}",${rest}}`
}
