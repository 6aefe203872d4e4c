import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../../../core/clock.ts'
import type { Store } from '../../../core/db/database.ts'
import type { Secrets } from '../../../core/secrets/secrets.ts'
import { isSameSignature } from '../../../core/secrets/signature.ts'
import { isUuid } from '../../../sales/carts/row/cart.ts'
import { cookieIn, cookiePath } from '../sessions/cookies.ts'

// A visit: a browser that came into a cart by one of its links (docs/contract/carts.md section 12). The link is spent then. From there on a
// cookie names the cart, so that neither its id nor the token remains in the address.

const COOKIE = 'SHOP_CART'
const VISIT_SECONDS = 24 * 3_600

/** The parts of the server that visits need. */
export interface VisitParts {
  secrets: Pick<Secrets, 'linkSignature'>
  clock: Clock
}

/** Begins the visit of a cart: sets the cookie that names it for a day. */
export function visitCart(
  request: Pick<FastifyRequest, 'protocol' | 'storefront'>,
  reply: FastifyReply,
  cartId: string,
  { secrets }: VisitParts,
) {
  const { protocol, storefront } = request
  const until = Math.floor(storefront.db.now.getTime() / 1_000) + VISIT_SECONDS
  const value = `${cartId}.${until}.${signatureOf(storefront.db.store, cartId, until, secrets)}`
  const secure = protocol === 'https' ? '; Secure' : ''
  reply.header(
    'set-cookie',
    `${COOKIE}=${value}; Path=${cookiePath(storefront)}; Max-Age=${VISIT_SECONDS}; HttpOnly; SameSite=Lax${secure}`,
  )
}

/** The id of the cart that a browser visits; undefined without a valid cookie. The cart may have ended. */
export function cartOfVisit(
  { headers, storefront }: Pick<FastifyRequest, 'headers' | 'storefront'>,
  { secrets }: VisitParts,
): string | undefined {
  const [id = '', until = '', signature = ''] = (cookieIn(headers.cookie, COOKIE) ?? '').split('.')
  if (!isUuid(id) || !/^\d{1,12}$/.test(until)) return undefined
  if (Number(until) * 1_000 <= storefront.db.now.getTime()) return undefined
  return isSameSignature(signature, signatureOf(storefront.db.store, id, Number(until), secrets)) ? id : undefined
}

const signatureOf = ({ hash }: Store, id: string, until: number, { linkSignature }: VisitParts['secrets']) =>
  linkSignature(`visit of a cart ${hash} ${id} ${until}`)
