import { createHash } from 'node:crypto'
import { Webhook } from 'standardwebhooks'

/** What a payload is made of: an event and its store. */
export interface CallbackEvent {
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
 * The body of a callback, the same bytes for every attempt (docs/contract/webhooks.md section 2). The hash covers the event's
 * id too, so two events never share one: a receiver that drops equal hashes never drops a second change of the same second.
 */
export function payloadOf({ id, storeId, storeHash, ms, scope, data }: CallbackEvent): string {
  const producer = `"producer":${JSON.stringify(`stores/${storeHash}`)}`
  const rest = `"created_at":${Math.floor(ms / 1_000)},"store_id":"${storeId}","scope":${JSON.stringify(scope)},"data":${data}`
  const hash = createHash('sha1').update(`${id}.{${producer},${rest}}`).digest('hex')
  return `{${producer},"hash":"${hash}",${rest}}`
}

/**
 * The headers of Standard Webhooks for an attempt. While a secret is being replaced there are two secrets, and a signature by each.
 * @param at when this attempt starts
 */
export function signatureHeaders(
  id: string,
  at: Date,
  payload: string,
  secrets: readonly string[],
): Record<string, string> {
  const signatures = secrets.map((secret) => new Webhook(Buffer.from(secret).toString('base64')).sign(id, at, payload))
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': signatures.join(' '),
  }
}
