import type { FastifyBaseLogger } from 'fastify'
import { GraphRefusal } from '../../core/graphql/refusal.ts'
import type { Customer, Logins } from './sessions/logins.ts'
import type { Storefront } from './storefronts.ts'
import { type Claims, type StorefrontScope, TOKEN_TYPES } from './tokens/tokens.ts'

/** The caller of a GraphQL request with its rights. Resolvers receive it as their context. */
export interface Caller {
  readonly storefront: Storefront
  readonly claims: Claims
  /** Whether a page in a browser asks, and not a server. */
  readonly isBrowser: boolean
  /** Who is logged in or acted for. */
  readonly customer: Customer | undefined
  /** The address that the request came from, if it is the shopper's. */
  readonly address: string | undefined
  /** Who guesses passwords, as `judgeCredentials` takes it. */
  readonly guesser: string | undefined
  readonly logins: Logins
  readonly log: FastifyBaseLogger
  /** Sets the session cookie of the browser; undefined deletes it. */
  setCookie(session: string | undefined): void
}

/** @throws GraphRefusal if a private token lacks one of the scopes that a field needs */
export function refuseScope({ claims }: Caller, scopes: readonly StorefrontScope[]) {
  if (claims.token_type !== TOKEN_TYPES.private || scopes.every((scope) => claims.scopes?.includes(scope))) return
  const sentence = `The token lacks a scope that this field needs: ${scopes.join(', ')}.`
  throw new GraphRefusal(sentence, 'INSUFFICIENT_ACCESS_SCOPE', { requiredScopes: scopes })
}
