import { hash, timingSafeEqual } from 'node:crypto'
import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { spellings } from '../../core/rest/input/spellings.ts'
import type { Secrets } from '../../core/secrets/secrets.ts'

/** The server of a shop sends the address of its shopper in the first of these headers. */
const ADDRESS_HEADERS = ['x-forwarded-for', 'true-client-ip']

/**
 * Makes the function that returns the address of the shopper behind the server of a shop. Everybody can send such headers, so they count
 * only beside the secret of the store (docs/contract/storefront-tokens.md section 5).
 * @returns undefined without the secret or without a valid address
 */
export function shopperAddressReader({
  headerPrefix,
  secrets,
}: {
  headerPrefix: string
  secrets: Pick<Secrets, 'proxySecret'>
}) {
  const names = spellings(headerPrefix, 'trusted-proxy-secret')
  return ({ headers, db }: Pick<FastifyRequest, 'headers' | 'db'>): string | undefined => {
    const sent = names.map((name) => headers[name]).find((value) => value !== undefined)
    if (sent === undefined || !isEqual(String(sent), secrets.proxySecret(db.store.hash))) return undefined
    const addresses = ADDRESS_HEADERS.map(
      (name) =>
        String(headers[name] ?? '')
          .split(',')[0]
          ?.trim() ?? '',
    )
    return addresses.find((address) => isIP(address) !== 0)
  }
}

const isEqual = (one: string, other: string) =>
  timingSafeEqual(hash('sha256', one, 'buffer'), hash('sha256', other, 'buffer'))
