import type { FastifyReply, FastifyRequest } from 'fastify'
import { cookieIn, cookiePath } from './cookies.ts'
import type { Logins, StorefrontCustomer } from './logins.ts'

// The session of a customer in a browser: a cookie of the storefront.

const COOKIE = 'SHOP_TOKEN'
const COOKIE_SECONDS = 7 * 24 * 3_600

/** The value of the session cookie; undefined for none. It may be invalid. */
export const sessionCookieIn = ({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined =>
  cookieIn(headers.cookie, COOKIE)

/** Sets or deletes the session cookie of a browser. */
export function setShopperCookie(
  { protocol, storefront }: Pick<FastifyRequest, 'protocol' | 'storefront'>,
  reply: FastifyReply,
  session: string | undefined,
) {
  const life = session === undefined ? 0 : COOKIE_SECONDS
  const secure = protocol === 'https' ? '; Secure' : ''
  reply.header(
    'set-cookie',
    `${COOKIE}=${session ?? ''}; Path=${cookiePath(storefront)}; Max-Age=${life}; HttpOnly; SameSite=Lax${secure}`,
  )
}

/** The customer of a browser's session; undefined for a guest. */
export async function customerOfBrowser(
  request: Pick<FastifyRequest, 'headers' | 'storefront'>,
  logins: Logins,
): Promise<StorefrontCustomer | undefined> {
  const cookie = sessionCookieIn(request)
  return cookie === undefined ? undefined : logins.customerOf(request.storefront, 'cookie', cookie)
}
