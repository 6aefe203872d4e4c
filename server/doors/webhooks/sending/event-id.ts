const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const NONCE_BITS = 31n

export interface EventKey {
  /** Milliseconds since 1970, never decreasing within a store. */
  ms: number
  seq: number
  nonce: number
}

/**
 * The public id of an event: `evt_` and a ULID of its time, its number and its nonce. It is the same for all attempts and all
 * hooks, and rises within a store (docs/contract/webhooks.md section 3).
 */
export function eventId({ ms, seq, nonce }: EventKey): string {
  const random = (BigInt(seq) << NONCE_BITS) | BigInt(nonce)
  return `evt_${base32(BigInt(ms), 10)}${base32(random, 16)}`
}

/** The key of an event id; undefined if malformed. */
export function parseEventId(id: string): EventKey | undefined {
  const match = /^evt_([0-9A-HJKMNP-TV-Z]{10})([0-9A-HJKMNP-TV-Z]{16})$/.exec(id)
  if (!match) return undefined
  const [, time = '', rest = ''] = match
  const random = number(rest)
  return {
    ms: Number(number(time)),
    seq: Number(random >> NONCE_BITS),
    nonce: Number(random & ((1n << NONCE_BITS) - 1n)),
  }
}

function base32(value: bigint, length: number): string {
  let text = ''
  for (let rest = value; text.length < length; rest >>= 5n) text = CROCKFORD[Number(rest & 31n)] + text
  return text
}

const number = (text: string): bigint =>
  [...text].reduce((sum, digit) => sum * 32n + BigInt(CROCKFORD.indexOf(digit)), 0n)
