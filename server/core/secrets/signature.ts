import { timingSafeEqual } from 'node:crypto'
import { Webhook } from 'standardwebhooks'

/**
 * The headers of Standard Webhooks for one attempt to send a body. While a secret is being replaced, both secrets sign.
 * @param at the start of this attempt
 */
export function signatureHeaders(
  id: string,
  at: Date,
  body: string,
  secrets: readonly string[],
): Record<string, string> {
  const signatures = secrets.map((secret) => new Webhook(Buffer.from(secret).toString('base64')).sign(id, at, body))
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': signatures.join(' '),
  }
}

/** Compares a received signature with the right one, without revealing where they differ. */
export function isSameSignature(received: string, right: string): boolean {
  const [one, other] = [Buffer.from(received), Buffer.from(right)]
  return one.length === other.length && timingSafeEqual(one, other)
}
