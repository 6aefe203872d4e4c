import { randomUUID } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import { OperationBudget } from '../../../core/graphql/cost/operation-budget.ts'
import type { GraphEngine } from '../../../core/graphql/engine.ts'
import { LoadTurns } from '../../../core/graphql/loads.ts'
import { openedOnce } from '../../../core/graphql/opening.ts'
import type { GraphRequest } from '../../../core/graphql/request.ts'
import { unixSeconds } from '../../../core/secrets/jwt.ts'
import type { Secrets } from '../../../core/secrets/secrets.ts'
import type { Renderers } from '../../../shop/templates/renderers.ts'
import type { SellingParts, StorefrontCaller } from '../caller.ts'
import { findCustomer, type LoginParts, Logins } from '../sessions/logins.ts'
import type { Storefront, Storefronts } from '../storefronts.ts'
import { TOKEN_TYPES } from '../tokens/tokens.ts'

/** The engine of the storefronts' schema. It is opened with the first request (docs/decisions/034-graphql-in-the-first-request.md). */
export class StorefrontEngine {
  readonly #open: () => Promise<GraphEngine<StorefrontCaller>>

  /** @param introspection whether clients may ask for the schema */
  constructor(introspection: boolean) {
    this.#open = openedOnce(async () => (await import('./open.ts')).openStorefrontEngine({ introspection }))
  }

  async run(request: GraphRequest, caller: StorefrontCaller) {
    return (await this.#open()).run(request, caller)
  }
}

export interface ShopGraphParts extends LoginParts {
  secrets: Secrets
  engine: StorefrontEngine
  storefronts: Storefronts
  selling: SellingParts
  renderers: Renderers
}

/** The shopper for whom another door asks a storefront. */
interface AskedFor {
  storefront: Storefront
  /** The id of the customer; undefined for a guest. */
  customer: number | undefined
  address: string
  acceptLanguage: string | undefined
  log: FastifyBaseLogger
}

/**
 * Asks the GraphQL of a storefront from inside the server, for a shopper whom another door has identified. No cookie is read or set: the
 * shopper is the customer of the other door, and nobody else.
 */
export class ShopGraph {
  readonly #parts: ShopGraphParts
  readonly #logins: Logins

  constructor(parts: ShopGraphParts) {
    this.#parts = parts
    this.#logins = new Logins(parts)
  }

  /** @throws Problem 404, 503 for a store that is not active */
  storefrontOf(hash: string, channel: number): Promise<Storefront> {
    return this.#parts.storefronts.of(hash, channel)
  }

  /** The storefront of a host; undefined if there is none. */
  storefrontAt(host: string): Promise<Storefront | undefined> {
    return this.#parts.storefronts.at(host)
  }

  async run(request: GraphRequest, { storefront, customer, address, acceptLanguage, log }: AskedFor) {
    const { engine, secrets, selling, renderers } = this.#parts
    const { now } = storefront.db
    const budget = new OperationBudget()
    return engine.run(request, {
      budget,
      turns: new LoadTurns(budget, (begin) => storefront.db.together(begin)),
      storefront,
      claims: {
        iss: 'SVC',
        iat: unixSeconds(now),
        eat: 0,
        sid: storefront.db.store.id,
        cid: [storefront.channel],
        sub: 'buyers',
        token_type: TOKEN_TYPES.storefront,
        jti: randomUUID(),
      },
      isBrowser: false,
      customer: customer === undefined ? undefined : await findCustomer(storefront.db, customer),
      address,
      guesser: `shopper ${secrets.tokenHash(address)}`,
      logins: this.#logins,
      selling,
      acceptLanguage,
      log,
      now,
      renderers,
      sessionCart: undefined,
      setSessionCart: () => {},
      setCookie: () => {},
    })
  }
}
