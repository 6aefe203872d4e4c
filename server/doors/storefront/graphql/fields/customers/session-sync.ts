import type { StorefrontCustomer } from '../../../sessions/logins.ts'
import type { SyncFault, VisitFacts } from '../../../sessions/session-sync.ts'
import type { SchemaInputs } from '../../schema-types.ts'
import type { Fields } from '../../types.ts'
import { type CartView, findShopperCart } from '../purchases/carts/cart.ts'

/** The session of a link that was validated. */
interface SyncedSession {
  customer: StorefrontCustomer | null
  customerAccessToken: { value: string; expiresAt: string } | null
  cart: CartView | null
  analytics: ReturnType<typeof toAnalytics> | null
  redirectTo: string
}

declare module '../../types.ts' {
  interface Parents {
    SessionSyncJwtContent: SyncedSession
  }
}

type SyncMutations = Pick<Fields<'Mutation'>['Mutation'], 'generateSessionSyncJwt' | 'validateSessionSyncJwt'>

/** Links that carry a session to other pages of the storefront (docs/contract/storefront-tokens.md section 9). */
export const sessionSyncMutations: SyncMutations = {
  async generateSessionSyncJwt(_, args, caller) {
    const { customer, logins, storefront } = caller
    const { redirectTo, cartId, ipAddress } = args
    const cart = cartId == null ? null : await findShopperCart(caller, cartId)
    if (cartId != null && !cart) {
      const message = 'Not Found'
      return { result: null, errors: [{ __typename: 'GenerateSessionSyncTokenCartNotFound' as const, message }] }
    }
    const visit = visitOf(args)
    const { token, path } = await logins.syncLink(storefront, {
      customer_id: customer?.id ?? 0,
      redirect_to: redirectTo,
      ...(cart ? { cart_id: cart.cart.id } : {}),
      ...(ipAddress == null ? {} : { request_ip: ipAddress }),
      ...(visit ? { visit } : {}),
    })
    return { result: { token, url: storefront.origin + storefront.path + path }, errors: [] }
  },
  async validateSessionSyncJwt(_, { jwt }, caller) {
    const { isBrowser, logins, storefront, address } = caller
    const read = await logins.bySync(storefront, jwt, address)
    if ('fault' in read) return { content: null, errors: [errorFor(read.fault)] }
    const { content, customer } = read
    // The fields below the result are read for this customer.
    if (customer) caller.customer = customer
    const session = customer && (await logins.open(storefront, customer, isBrowser ? 'cookie' : 'token'))
    if (session && isBrowser) caller.setCookie(session.value)
    const { value, expiresAt } = session ?? {}
    const synced: SyncedSession = {
      customer: customer ?? null,
      customerAccessToken:
        value !== undefined && expiresAt && !isBrowser ? { value, expiresAt: expiresAt.toISOString() } : null,
      cart: content.cart_id === undefined ? null : await findShopperCart(caller, content.cart_id),
      analytics: content.visit ? toAnalytics(content.visit) : null,
      redirectTo: content.redirect_to,
    }
    return { content: synced, errors: [] }
  },
}

type LinkInput = {
  visitorId?: string | null
  visitId?: string | null
  analytics?: SchemaInputs['AnalyticsCommonEventInput'] | null
}

/** The facts of the visit; undefined if the shop sends none. */
function visitOf({ visitorId, visitId, analytics }: LinkInput): VisitFacts | undefined {
  const { initiator, request, consent } = analytics ?? {}
  const texts = {
    visitorId: initiator?.visitorId ?? visitorId,
    visitId: initiator?.visitId ?? visitId,
    url: request?.url,
    ip: request?.ip,
    userAgent: request?.userAgent,
    referer: request?.refererUrl,
    acceptLanguage: request?.acceptLanguage,
  }
  const known = Object.entries(texts).flatMap(([name, text]) => (text == null ? [] : [[name, text.slice(0, 2_048)]]))
  if (known.length === 0 && !consent) return undefined
  const none = { targeting: false, analytics: false, functional: false }
  return { ...Object.fromEntries(known), consent: consent ?? none }
}

function toAnalytics({ consent, ...facts }: VisitFacts) {
  const { url, ip, userAgent, referer, acceptLanguage } = facts
  const initiator = { visitorId: facts.visitorId ?? null, visitId: facts.visitId ?? null }
  return {
    ...initiator,
    initiator,
    request: {
      url: url ?? null,
      ip: ip ?? null,
      userAgent: userAgent ?? null,
      referer: referer ?? null,
      acceptLanguage: acceptLanguage ?? null,
    },
    consent,
  }
}

const MESSAGES: Readonly<Record<Exclude<SyncFault, 'expired'>, string>> = {
  'other store': 'The link is for another store.',
  'other address': 'The link is for another address.',
  invalid: 'The link is not valid.',
}
const TYPES = { 'other store': 'STORE_ID_MISMATCH', 'other address': 'SHOPPER_IP_MISMATCH', invalid: 'OTHER' } as const

function errorFor(fault: SyncFault) {
  if (fault === 'expired') {
    return { __typename: 'JwtTokenExpiredError' as const, message: 'The link was used before, or has expired.' }
  }
  return {
    __typename: 'InvalidSessionSyncJwtError' as const,
    errorType: TYPES[fault],
    message: MESSAGES[fault],
  }
}
