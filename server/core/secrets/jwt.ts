import type { CryptoKey, JWK } from 'jose'
import { isObject } from '../objects.ts'

// JSON Web Tokens (RFC 7515 and 7519), by jose. The caller chooses the keys that verify a token, never the token: keys in its
// header (jku, x5u, jwk, x5c) are ignored.

/** Loaded at the first token: it takes 14 MiB, and a server that only administers stores needs none. */
const jose = () => import('jose')

export type Algorithm = 'ES256' | 'HS256' | 'HS512'

export interface Jwt {
  readonly header: Readonly<Record<string, unknown>>
  readonly claims: Readonly<Record<string, unknown>>
}

/** A key pair for ES256, as JSON Web Keys. */
export interface KeyPair {
  publicKey: JWK
  privateKey: JWK
}

const LEEWAY_SECONDS = 30

/** Whether a text has the three parts of a token. */
export const hasThreeParts = (text: string) => text.split('.').length === 3

/**
 * Reads a token without verifying it.
 * @returns undefined if header or claims are no JSON objects, in base64url of the one form that their bytes have, or if a text has U+0000
 */
export function readJwt(text: string): Jwt | undefined {
  const [header = '', claims = ''] = text.split('.')
  if (!isCanonical(header) || !isCanonical(claims)) return undefined
  const [head, body] = [objectIn(header), objectIn(claims)]
  return head && body && { header: head, claims: body }
}

const bytesOf = (part: string) => Buffer.from(part, 'base64url')
const isCanonical = (part: string) => bytesOf(part).toString('base64url') === part

/** The escape, and no backslash followed by `u0000`. */
const NUL = /(?<!\\)(?:\\\\)*\\u0000/

function objectIn(part: string): Record<string, unknown> | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytesOf(part))
    // Claims are looked up before the signature is checked, and PostgreSQL refuses a statement with U+0000.
    if (NUL.test(text)) return undefined
    const value: unknown = JSON.parse(text)
    return isObject(value) ? { ...value } : undefined
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return undefined
    throw error
  }
}

/**
 * Whether one of the keys has signed a token. Times are not checked.
 * @param keys texts for HS256 and HS512, public JSON Web Keys for ES256
 * @param algorithms the allowed ones; all others are refused, `none` among them
 */
export async function isSigned(
  token: string,
  keys: readonly (string | JWK)[],
  algorithms: readonly Algorithm[],
): Promise<boolean> {
  // Tokens of ours have no extensions. One of the known extensions changes the signed bytes (RFC 7797).
  if (!isCanonical(token.split('.')[2] ?? '') || readJwt(token)?.header.crit !== undefined) return false
  const { compactVerify, errors } = await jose()
  for (const key of keys) {
    try {
      await compactVerify(token, await keyOf(key), { algorithms: [...algorithms] })
      return true
    } catch (error) {
      // A key of another kind than the algorithm's is a TypeError.
      if (!(error instanceof errors.JOSEError || error instanceof TypeError)) throw error
    }
  }
  return false
}

/** @param key text for HS256, a private JSON Web Key for ES256 */
export async function signJwt(
  claims: Readonly<Record<string, unknown>>,
  key: string | JWK,
  header: { alg: Algorithm; kid?: string },
): Promise<string> {
  const { CompactSign } = await jose()
  const payload = new TextEncoder().encode(JSON.stringify(claims))
  return new CompactSign(payload).setProtectedHeader({ typ: 'JWT', ...header }).sign(await keyOf(key))
}

export async function newKeyPair(): Promise<KeyPair> {
  const { exportJWK, generateKeyPair } = await jose()
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true })
  return { publicKey: await exportJWK(publicKey), privateKey: await exportJWK(privateKey) }
}

async function keyOf(key: string | JWK): Promise<Uint8Array | CryptoKey> {
  if (typeof key === 'string') return new TextEncoder().encode(key)
  const { importJWK } = await jose()
  return importJWK(key, 'ES256')
}

/** Unix seconds, as claims have them. */
export const unixSeconds = (time: Date) => Math.floor(time.getTime() / 1_000)

/** Whether a time of a token has passed, by clocks that may differ by half a minute. @param seconds Unix seconds */
export const isPast = (seconds: number, now: Date) => unixSeconds(now) >= seconds + LEEWAY_SECONDS

/** Whether a time of a token is still to come, by clocks that may differ by half a minute. @param seconds Unix seconds */
export const isToCome = (seconds: number, now: Date) => seconds > unixSeconds(now) + LEEWAY_SECONDS
