import { hash as digest } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import t from 'typebox'
import { Value } from 'typebox/value'
import type { Db, Store } from '../../core/db/database.ts'
import { type GraphClient, WorkBudget } from '../../core/graphql/cost/budget.ts'
import { OperationBudget } from '../../core/graphql/cost/operation-budget.ts'
import { LoadTurns } from '../../core/graphql/loads.ts'
import { GraphRefusal } from '../../core/graphql/refusal.ts'
import { readGraphRequest } from '../../core/graphql/request.ts'
import { parseJson } from '../../core/rest/bodies/body.ts'
import { spellings } from '../../core/rest/input/spellings.ts'
import { ComparedText } from '../../core/rest/lists/filters.ts'
import { complaintOf, Problem, toProblem } from '../../core/rest/problem.ts'
import type { Secrets } from '../../core/secrets/secrets.ts'
import type { Gateways } from '../../sales/payments/gateways.ts'
import type { Renderers } from '../../shop/templates/renderers.ts'
import type { Directory } from '../../stores/directory/directory.ts'
import { ConcurrencyLimit } from '../../stores/quotas/concurrency-limit.ts'
import { BriefCache } from './cache.ts'
import type { SellingParts, StorefrontCaller } from './caller.ts'
import { checkoutPageRoutes, sendCheckoutRefusal } from './checkout/routes.ts'
import { signCurrentCustomer } from './graphql/current-customer.ts'
import type { StorefrontEngine } from './graphql/shop-graph.ts'
import { pickupSearchRoutes } from './pickup/pickup-search.ts'
import { customerOfBrowser, sessionCookieIn, setShopperCookie } from './sessions/browser-session.ts'
import { findCustomer, LOGOUT, type LoginParts, Logins, type StorefrontCustomer } from './sessions/logins.ts'
import { isSessionSync } from './sessions/session-sync.ts'
import { shopperAddressReader } from './shopper-address.ts'
import { STOREFRONT_PREFIXES, type Storefront, Storefronts } from './storefronts.ts'
import { type Claims, readSigned, TOKEN_TYPES, verifyToken } from './tokens/tokens.ts'
import { type CartVisitParts, cartVisitRoutes } from './visits/cart-php.ts'
import { sitemapRoutes } from './visits/sitemap.ts'
import { cartOfVisit, type VisitParts, visitCart } from './visits/visits.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The storefront of the request. */
    storefront: Storefront
    /** The token of a GraphQL request. */
    claims: Claims
  }
}

export interface DoorParts extends LoginParts, Omit<CartVisitParts, 'logins'> {
  secrets: Secrets
  docsBase: string
  directory: Directory
  headerPrefix: string
  requireHttps: boolean
  /** Whether a storefront token may come from a server, which sends no Origin. */
  tokensFromServers: boolean
  engine: StorefrontEngine
  /** Whether another handler answers `GET /graphql` of all hosts, as the page of a sandbox does. */
  hasQueryPage: boolean
  selling: SellingParts
  renderers: Renderers
  gateways: Gateways
}

const BODY_MAX = 256 * 1024
/** Concurrent GraphQL requests of a store in a process. Others wait up to a second for their turn. */
const AT_ONCE = 40
const PREFLIGHT_SECONDS = 600

/** Finds the storefront of a request by its host or its path (docs/contract/storefront-tokens.md section 5). */
export function guardStorefronts(
  door: FastifyInstance,
  parts: Pick<DoorParts, 'directory' | 'sites' | 'requireHttps'> & { picturesUrl: string },
) {
  const storefronts = new Storefronts(parts.directory, parts.sites, parts.picturesUrl)
  door.decorateRequest('db')
  door.decorateRequest('client')
  door.decorateRequest('storefront')
  door.decorateRequest('claims')
  door.addHook('onRequest', async (request, reply) => {
    reply.header('cache-control', 'no-store')
    if (parts.requireHttps && request.protocol === 'http') {
      return reply.redirect(`https://${request.host}${request.url}`, 301)
    }
    request.storefront = await storefronts.find(request)
    request.db = request.storefront.db
  })
}

/** Reads bodies as JSON, and answers errors in the form of GraphQL. */
export function speakGraphql(door: FastifyInstance) {
  door.removeAllContentTypeParsers()
  door.addContentTypeParser('application/json', (request: FastifyRequest, payload: IncomingMessage) =>
    door.bodies.read(request, payload, { max: BODY_MAX, parse: parseJson }),
  )
  door.setErrorHandler((error, request, reply) => {
    const problem = toProblem(error)
    if (problem.status >= 500 && !(error instanceof Problem)) request.log.error({ err: error }, complaintOf(error))
    const message = [problem.message, problem.detail].filter((sentence) => sentence !== undefined).join(' ')
    // `data: null` marks answers to repeat: clients take any other answer for the store's own.
    const isToRetry = problem.status >= 500 || problem.status === 429
    return reply
      .status(problem.status)
      .headers(problem.headers)
      .send({ ...(isToRetry ? { data: null } : {}), errors: [{ message }] })
  })
}

/** The requests of storefronts and their shoppers (docs/contract/storefront-tokens.md sections 5 to 8). */
export function storefrontDoor(door: FastifyInstance, parts: DoorParts) {
  const logins = new Logins(parts)
  graphRoutes(door, logins, parts)
  currentCustomerRoutes(door, logins, parts)
  loginRoutes(door, logins, parts)
  pickupSearchRoutes(door, parts)
  cartVisitRoutes(door, { ...parts, logins, sendCheckoutRefusal })
  sitemapRoutes(door)
  checkoutPageRoutes(door, { ...parts, ...parts.selling, logins })
}

function graphRoutes(door: FastifyInstance, logins: Logins, parts: DoorParts) {
  const { headerPrefix, engine, hasQueryPage } = parts
  const checkToken = tokenCheck(parts)
  const identify = callerReader(logins, parts)
  const atOnce = new ConcurrencyLimit(AT_ONCE)
  const budget = new WorkBudget()

  const preflight = (request: FastifyRequest, reply: FastifyReply) => {
    reply.header('allow', 'POST, OPTIONS').status(204)
    if (request.headers.origin !== undefined) {
      allowOrigin(reply, request.headers.origin)
      const tokenHeaders = spellings(headerPrefix, 'customer-access-token')
      reply.header('access-control-allow-methods', 'POST, OPTIONS')
      reply.header(
        'access-control-allow-headers',
        ['authorization', 'content-type', 'x-correlation-id', ...tokenHeaders].join(', '),
      )
      reply.header('access-control-max-age', PREFLIGHT_SECONDS)
    }
    return reply.send()
  }
  const ask = async (request: FastifyRequest, reply: FastifyReply) => {
    const operation = readGraphRequest(request.body)
    const { claims, ip } = request
    const isServer = claims.token_type !== TOKEN_TYPES.storefront
    const client: GraphClient = { store: request.db.store.id, id: `${claims.jti} ${ip}`, isServer }
    budget.admit(client, performance.now())
    return atOnce.run(request.db.store, async () => {
      const caller = await identify(request, reply)
      if (caller instanceof GraphRefusal) {
        return { data: null, errors: [{ message: caller.message, extensions: caller.extensions }] }
      }
      const { body, cost, work } = await engine.run(operation, caller)
      budget.charge(client, work, performance.now())
      if (cost !== undefined) reply.header(`${headerPrefix}-graphql-complexity`, cost)
      return typeof body === 'string' ? reply.type('application/json; charset=utf-8').send(body) : body
    })
  }
  for (const prefix of STOREFRONT_PREFIXES) {
    const url = `${prefix}/graphql`
    door.options(url, preflight)
    door.post(url, { onRequest: checkToken }, ask)
    door.route({
      method: prefix === '' && hasQueryPage ? ['PUT', 'DELETE'] : ['GET', 'HEAD', 'PUT', 'DELETE'],
      url,
      handler() {
        throw new Problem(405, 'GraphQL requests use POST.', {}, { headers: { allow: 'POST, OPTIONS' } })
      },
    })
  }
}

/**
 * The checks 1 to 9 of docs/contract/storefront-tokens.md section 5, before a byte of the body is read.
 * @returns a hook that throws Problem 401, or 403 for a server's token in a browser
 */
function tokenCheck({ headerPrefix, tokensFromServers }: DoorParts) {
  const cache = new BriefCache<Awaited<ReturnType<typeof readSigned>>>()
  const read = (db: Db, token: string) =>
    // The key is a digest, so that no token stays in memory.
    cache.find(`${db.store.id} ${digest('sha256', token, 'base64url')}`, () => readSigned(db, token))
  const exposed = [`${headerPrefix}-graphql-complexity`, 'x-request-id', 'retry-after', 'x-retry-after'].join(', ')

  return async (request: FastifyRequest, reply: FastifyReply) => {
    const { authorization, origin } = request.headers
    const [, token] = /^Bearer +(\S+)$/i.exec(authorization ?? '') ?? []
    if (token === undefined)
      throw new Problem(401, 'Credentials are missing: no token was sent as Authorization: Bearer.')
    const { channel, origin: siteOrigin } = request.storefront
    const claims = await verifyToken(request.db, token, { channel, now: request.db.now, read })
    request.claims = claims
    request.client = { id: claims.sub, scopes: new Set() }
    if (claims.token_type !== TOKEN_TYPES.storefront) {
      if (!isFromBrowser(request)) return
      const kind = claims.token_type === TOKEN_TYPES.private ? 'Private' : 'Customer impersonation'
      throw new Problem(403, `${kind} tokens are not allowed from a browser script.`)
    }
    if (origin === undefined) {
      if (tokensFromServers) return
      throw new Problem(401, 'Storefront tokens are for browsers: the Origin header is missing.')
    }
    if (origin !== siteOrigin && !claims.cors?.includes(origin)) {
      throw new Problem(401, "The Origin header does not match the token's origins.")
    }
    allowOrigin(reply, origin)
    reply.header('access-control-expose-headers', exposed)
  }
}

function allowOrigin(reply: FastifyReply, origin: string) {
  reply.header('access-control-allow-origin', origin)
  reply.header('access-control-allow-credentials', 'true')
  reply.header('vary', 'Origin')
}

/** Headers that only browsers send. `Sec-Fetch-Mode` is missing: the `fetch` of Node sends it too. */
const BROWSER_HEADERS = ['origin', 'sec-fetch-site', 'sec-fetch-dest']

/** Whether a browser sent the request. */
const isFromBrowser = ({ headers }: FastifyRequest) =>
  BROWSER_HEADERS.some((name) => headers[name] !== undefined) || sessionCookieIn({ headers }) !== undefined

/**
 * Makes the function that finds the caller of a request: the check 10 of docs/contract/storefront-tokens.md section 5. It throws
 * Problem 401, and returns a GraphRefusal for a bad token if the client asks for errors.
 */
function callerReader(logins: Logins, parts: DoorParts) {
  const { headerPrefix, secrets, renderers, selling } = parts
  const [ids, tokens, wishes] = [
    spellings(headerPrefix, 'customer-id'),
    spellings(headerPrefix, 'customer-access-token'),
    spellings(headerPrefix, 'error-on-invalid-customer-access-token'),
  ]
  const forwardedAddress = shopperAddressReader({ headerPrefix, secrets })
  return async (request: FastifyRequest, reply: FastifyReply): Promise<StorefrontCaller | GraphRefusal> => {
    const { claims, storefront, headers, ip, log } = request
    const isBrowser = headers.origin !== undefined
    const isSecret = claims.token_type !== TOKEN_TYPES.storefront
    const address = isBrowser ? ip : forwardedAddress(request)
    // A server acts for many shoppers, and its token is secret: without their addresses nothing is counted.
    const counted = address ?? (isSecret ? undefined : ip)
    const budget = new OperationBudget()
    const turns = new LoadTurns(budget, (begin) => storefront.db.together(begin))
    const callerOf = (customer: StorefrontCustomer | undefined): StorefrontCaller => ({
      budget,
      turns,
      storefront,
      claims,
      isBrowser,
      customer,
      address,
      guesser: counted === undefined ? undefined : `shopper ${secrets.tokenHash(counted)}`,
      logins,
      selling,
      acceptLanguage: headers['accept-language'],
      log,
      now: storefront.db.now,
      renderers,
      sessionCart: isBrowser ? cartOfVisit(request, parts) : undefined,
      setSessionCart: (id) => {
        if (isBrowser) visitCart(request, reply, id, parts)
      },
      setCookie: (session) => void setShopperCookie(request, reply, session),
    })
    const id = header(headers, ids)
    if (claims.token_type === TOKEN_TYPES.impersonation)
      return callerOf(id === undefined ? undefined : await customerNamed(request.db, id, `${headerPrefix}-Customer-Id`))
    if (isBrowser) {
      return callerOf(await customerOfBrowser(request, logins))
    }
    const value = header(headers, tokens)
    const customer = value === undefined ? undefined : await logins.customerOf(storefront, 'token', value)
    if (value !== undefined && !customer && header(headers, wishes) === 'true') {
      return new GraphRefusal('The customer access token is invalid or expired.', 'INVALID_CUSTOMER_ACCESS_TOKEN')
    }
    return callerOf(customer)
  }
}

/** @param header that names the customer. @throws Problem 401 */
async function customerNamed(db: Db, text: string, header: string): Promise<StorefrontCustomer> {
  const customer =
    /^[1-9]\d{0,9}$/.test(text) && Number(text) < 2 ** 31 ? await findCustomer(db, Number(text)) : undefined
  if (!customer) throw new Problem(401, `The customer of the header ${header} does not exist.`)
  return customer
}

function header(headers: FastifyRequest['headers'], names: readonly string[]): string | undefined {
  const found = names.map((name) => headers[name]).find((value) => value !== undefined)
  return found === undefined ? undefined : String(found)
}

const AppClient = t.Object({ app_client_id: t.Optional(ComparedText), 'app-client-id': t.Optional(ComparedText) })

/** Proves the current customer to an application (docs/contract/storefront-tokens.md section 7). */
function currentCustomerRoutes(door: FastifyInstance, logins: Logins, { accounts, secrets }: DoorParts) {
  const { companionApplication: companion } = secrets
  const secretsOf = (store: Store, clientId: string) =>
    clientId === companion.clientId ? [companion.clientSecret] : accounts.secretsOf(store, clientId)

  for (const prefix of STOREFRONT_PREFIXES) {
    door.get(`${prefix}/customer/current.jwt`, async (request, reply) => {
      const { query, db } = request
      const { app_client_id, 'app-client-id': dashed } = Value.Check(AppClient, query) ? query : {}
      const clientId = app_client_id ?? dashed
      const customer = await customerOfBrowser(request, logins)
      const [secret] = customer && clientId !== undefined ? await secretsOf(db.store, clientId) : []
      if (!customer || clientId === undefined || secret === undefined) {
        throw new Problem(404, 'No customer is logged in, or the client is unknown.')
      }
      const { id, email, customer_group_id } = customer
      const jwt = await signCurrentCustomer(
        { id, email, group_id: String(customer_group_id) },
        { storeHash: db.store.hash, clientId, secret, now: db.now },
      )
      return reply.type('text/plain; charset=utf-8').header('x-content-type-options', 'nosniff').send(jwt)
    })
  }
}

/** Logs a shopper in by the JWT of an application (docs/contract/storefront-tokens.md section 8). */
function loginRoutes(door: FastifyInstance, logins: Logins, parts: VisitParts) {
  /** Takes over the session that a shop's server has put into a link. */
  const followSync = async (request: FastifyRequest, reply: FastifyReply, jwt: string) => {
    const { storefront, ip } = request
    const read = await logins.bySync(storefront, jwt, ip)
    if ('fault' in read) throw new Problem(422, `The link of a session is ${read.fault}.`)
    const { content, customer } = read
    if (customer) setShopperCookie(request, reply, (await logins.open(storefront, customer, 'cookie')).value)
    if (content.cart_id !== undefined) visitCart(request, reply, content.cart_id, parts)
    reply.header('referrer-policy', 'no-referrer')
    return reply.redirect(storefront.path + content.redirect_to, 302)
  }

  for (const prefix of STOREFRONT_PREFIXES) {
    door.get(`${prefix}/login/token/:jwt`, async (request, reply) => {
      const { storefront, params, ip, log } = request
      const { jwt = '' }: { jwt?: string } = params ?? {}
      try {
        if (isSessionSync(jwt)) return await followSync(request, reply, jwt)
        const { customer, redirectTo } = await logins.byJwt(storefront, jwt, ip)
        if (redirectTo === LOGOUT) {
          await logins.end(storefront, customer)
          setShopperCookie(request, reply, undefined)
        } else setShopperCookie(request, reply, (await logins.open(storefront, customer, 'cookie')).value)
        return reply.redirect(storefront.path + redirectTo, 302)
      } catch (error) {
        if (!(error instanceof Problem)) throw error
        log.info({ reason: error.message }, 'a login by JWT is refused')
        const message = encodeURIComponent('We could not log you in. Please try again.')
        const path = storefront.path === '' ? '/' : storefront.path
        reply.header('set-cookie', `login_message=${message}; Path=${path}; Max-Age=60; SameSite=Lax`)
        return reply.redirect(`${storefront.path}/login.php`, 302)
      }
    })
  }
}
