import type { FastifyBaseLogger } from 'fastify'
import type { Customer, Logins } from './sessions/logins.ts'
import type { Storefront } from './storefronts.ts'
import { type Claims, KINDS, type Scope } from './tokens/tokens.ts'

/** What a request asks the engine for. */
export interface AskedOperation {
  query: string
  variables: Record<string, unknown>
  operationName: string | undefined
}

/** Who asks a storefront for something, and with which rights. */
export interface Asker {
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
  /** Gives the browser the cookie of a session; undefined takes it away. */
  keep(session: string | undefined): void
}

/** A refusal inside an answer, with the code that clients look for. */
export class GraphRefusal extends Error {
  readonly extensions: Readonly<Record<string, unknown>>

  constructor(sentence: string, code: string, more: Record<string, unknown> = {}) {
    super(sentence)
    this.extensions = { code, ...more }
  }
}

/** @throws GraphRefusal if a private token lacks one of the scopes that a field needs */
export function refuseScope({ claims }: Asker, scopes: readonly Scope[]) {
  if (claims.token_type !== KINDS.private || scopes.every((scope) => claims.scopes?.includes(scope))) return
  const sentence = `The token lacks a scope that this field needs: ${scopes.join(', ')}.`
  throw new GraphRefusal(sentence, 'INSUFFICIENT_ACCESS_SCOPE', { requiredScopes: scopes })
}
