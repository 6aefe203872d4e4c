import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../../core/clock.ts'
import type { Loading } from '../../core/graphql/loads.ts'
import { GraphRefusal } from '../../core/graphql/refusal.ts'
import type { CartParts } from '../../sales/carts/changes/change.ts'
import type { RedirectParts } from '../../sales/carts/views/redirect-urls.ts'
import type { TokenParts } from '../../sales/payments/tokens.ts'
import type { Renderers } from '../../shop/templates/renderers.ts'
import type { Logins, StorefrontCustomer } from './sessions/logins.ts'
import type { Storefront } from './storefronts.ts'
import { type Claims, type StorefrontScope, TOKEN_TYPES } from './tokens/tokens.ts'

/** The parts of the sales areas that shoppers buy with. */
export interface SellingParts {
  carts: CartParts
  redirects: RedirectParts
  tokens: TokenParts
  clock: Clock
}

/** The caller of a GraphQL request with its rights. Resolvers receive it as their context. */
export interface StorefrontCaller extends Loading {
  readonly storefront: Storefront
  readonly claims: Claims
  /** Whether the request comes from a page in a browser. */
  readonly isBrowser: boolean
  /** The customer that is logged in or impersonated. A login sets it, so that the fields below its result are read for the customer. */
  customer: StorefrontCustomer | undefined
  /** The address of the shopper; undefined behind a server that doesn't prove the addresses it forwards. */
  readonly address: string | undefined
  /** The key under which costly calls and failed logins are counted, a digest of an address; undefined without a limit. */
  readonly guesser: string | undefined
  readonly logins: Logins
  readonly selling: SellingParts
  /** The header Accept-Language. */
  readonly acceptLanguage: string | undefined
  readonly log: FastifyBaseLogger
  /** When the request began. */
  readonly now: Date
  readonly renderers: Renderers
  /** The id of the cart that the browser has; undefined for servers. The cart may have ended. */
  readonly sessionCart: string | undefined
  /** Lets the browser keep its cart. Servers keep the id themselves. */
  setSessionCart(id: string): void
  /** Sets the session cookie of the browser; undefined deletes it. */
  setCookie(session: string | undefined): void
}

/** @throws GraphRefusal if a private token lacks one of the scopes that a field needs */
export function refuseScope({ claims }: StorefrontCaller, scopes: readonly StorefrontScope[]) {
  if (claims.token_type !== TOKEN_TYPES.private || scopes.every((scope) => claims.scopes?.includes(scope))) return
  const sentence = `The token lacks a scope that this field needs: ${scopes.join(', ')}.`
  throw new GraphRefusal(sentence, 'INSUFFICIENT_ACCESS_SCOPE', { requiredScopes: scopes })
}
