import { StorewardError } from './errors.ts'
import type { EventData } from './generated/events.ts'

/** A webhook was not sent by the server, or not now. */
export class WebhookError extends StorewardError {
  override name = 'WebhookError'
  readonly reason: 'headers' | 'clock' | 'signature' | 'body'

  constructor(reason: WebhookError['reason'], message: string) {
    super(message)
    this.reason = reason
  }
}

/** The scope of an event. Scopes of a channel have its number: `store/channel/1/order/created`. */
export type Scope = keyof EventData

/** An event as a webhook brings it. `if (event.scope === 'store/order/created')` narrows its data. */
export type WebhookEvent<S extends Scope = Scope> = {
  [Name in S]: {
    scope: Name
    /** `stores/` and the hash of the store. */
    producer: string
    /** The same for all attempts of an event, and of no other. */
    hash: string
    /** Seconds since 1970. */
    created_at: number
    store_id: string
    data: EventData[Name]
  }
}[S]

/** Headers as fetch, Node and other servers have them. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

export interface VerifyOptions {
  /** How far the clocks may differ, in seconds (300). */
  toleranceSeconds?: number
  /** The present (the clock of this machine). */
  now?: Date
}

/**
 * Verifies the signature of a webhook and reads it. An event may arrive more than once, each time with the same `webhook-id`.
 * @param body the bytes or the text of the request, before any parser has changed them
 * @param secret the client secret of the API account that made the hook
 * @throws WebhookError if it was not signed with the secret, or at another time
 */
export async function verifyWebhook<S extends Scope = Scope>(
  headers: WebhookHeaders,
  body: string | Uint8Array,
  secret: string,
  { toleranceSeconds = 300, now = new Date() }: VerifyOptions = {},
): Promise<WebhookEvent<S>> {
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    headerOf(headers, name),
  )
  if (!id || !timestamp || !signatures) {
    throw new WebhookError('headers', 'A webhook has the headers webhook-id, webhook-timestamp and webhook-signature.')
  }
  const seconds = /^\d+$/.test(timestamp) ? Number(timestamp) : Number.NaN
  const difference = Math.round(now.getTime() / 1000 - seconds)
  if (!(Math.abs(difference) <= toleranceSeconds)) {
    const minutes = Math.round(Math.abs(difference) / 60)
    const clock = Number.isNaN(difference)
      ? 'has no time'
      : `was signed ${minutes} minutes ${difference > 0 ? 'ago' : 'from now'}`
    throw new WebhookError('clock', `The webhook ${clock}. If it was just sent, set the clock of this machine.`)
  }
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body)
  const encoder = new TextEncoder()
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), { name: 'HMAC', hash: 'SHA-256' }, false, [
    'verify',
  ])
  const signed = encoder.encode(`${id}.${timestamp}.${text}`)
  const checks = signatures.split(' ').map(async (signature) => {
    const bytes = /^v1,(.+)$/.exec(signature)?.[1]
    const decoded = bytes === undefined ? undefined : fromBase64(bytes)
    return decoded !== undefined && crypto.subtle.verify('HMAC', key, decoded, signed)
  })
  if (!(await Promise.all(checks)).includes(true)) {
    throw new WebhookError(
      'signature',
      'The signature of the webhook is not that of the secret. Give the body as it arrived, not parsed.',
    )
  }
  const event = parsed(text)
  if (typeof event !== 'object' || event === null || !('scope' in event)) {
    throw new WebhookError('body', 'The body of the webhook is no event.')
  }
  return event as WebhookEvent<S>
}

function headerOf(headers: WebhookHeaders, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined
  const entry = Object.entries(headers).find(([key]) => key.toLowerCase() === name)
  const value = entry?.[1]
  return typeof value === 'string' ? value : value?.[0]
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
  } catch {
    return undefined
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
