import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { withPreparations } from '../../../core/rest/preparation.ts'
import { complaintOf, Problem, toProblem } from '../../../core/rest/problem.ts'
import type { Secrets } from '../../../core/secrets/secrets.ts'
import { readCart } from '../../../sales/carts/changes/change.ts'
import { cartPartsOf, type QuotingParts } from '../../../sales/carts/changes/parts.ts'
import { spendRedirectToken } from '../../../sales/carts/views/redirect-tokens.ts'
import { addressOfRoute } from '../../../shop/channels/sites/site-routes.ts'
import { customerOfBrowser, setShopperCookie } from '../sessions/browser-session.ts'
import type { Logins } from '../sessions/logins.ts'
import { STOREFRONT_PREFIXES } from '../storefronts.ts'
import { cartPage } from './cart-page.ts'
import { sendRefusal, textsIn } from './pages.ts'
import { unsubscribeRoutes } from './unsubscribe.ts'
import { cartOfVisit, type VisitParts, visitCart } from './visits.ts'

/** The page of carts, and of the links into them. */
const CART_PAGE = '/cart.php'
/** The page that a link into the checkout leads to. */
const CHECKOUT_PAGE = '/checkout'

/** Parts of other areas that visits of carts need. */
export interface CartVisitParts extends VisitParts, QuotingParts {
  logins: Logins
  secrets: Pick<Secrets, 'linkSignature' | 'tokenHash'>
}

/** The checkout's answer to links that lead nowhere. */
interface CheckoutRefusal {
  sendCheckoutRefusal(request: FastifyRequest, reply: FastifyReply, problem: Problem): Promise<FastifyReply>
}

/**
 * Redirect URLs of carts, and the plain page of a cart (docs/contract/carts.md section 12). A link is spent by its first visit, which sets a
 * cookie and leads to the page of the site, or to the plain page.
 */
export function cartVisitRoutes(door: FastifyInstance, parts: CartVisitParts & CheckoutRefusal) {
  const cartParts = cartPartsOf(parts)

  const visit = async (request: FastifyRequest, reply: FastifyReply) => {
    const { action, id, token, embedded: _, ...others } = textsIn(request.query)
    if (action === undefined) return show(request, reply)
    // Programs that look at links, and browsers that guess the next page, must not use up the visit of the shopper. Browsers repeat a
    // prefetch that fails as an ordinary request.
    if (request.method === 'HEAD') return reply.type('text/html; charset=utf-8').send('')
    if (isPrefetch(request)) throw new Problem(503, 'The link is opened by a visit only.')
    if (action !== 'load' && action !== 'loadInCheckout') throw new Problem(404, 'There is nothing at this address.')
    const { storefront } = request
    const cart = await storefront.db.transaction((tx) =>
      spendRedirectToken(tx, { id: id ?? '', token: token ?? '' }, parts),
    )
    if (cart.login > 0 && (await customerOfBrowser(request, parts.logins))?.id !== cart.login) {
      const session = await parts.logins.openByLink(storefront, cart.login)
      if (session) setShopperCookie(request, reply, session.value)
    }
    visitCart(request, reply, cart.id, parts)
    reply.header('referrer-policy', 'no-referrer')
    if (action === 'loadInCheckout') return reply.redirect(storefront.path + CHECKOUT_PAGE, 302)
    const route = { channel: cart.channel_id, type: 'cart', tokens: { id: cart.id } } as const
    const page = await addressOfRoute(storefront.db, route, parts.sites)
    if (page === undefined) return reply.redirect(storefront.path + CART_PAGE, 302)
    return reply.redirect(
      `${page}${page.includes('?') ? '&' : '?'}${new URLSearchParams({ id: cart.id, ...others })}`,
      302,
    )
  }

  const show = async (request: FastifyRequest, reply: FastifyReply) => {
    const id = cartOfVisit(request, parts)
    if (id === undefined) throw new Problem(404, 'There is no cart here. Please use the link that the shop gave you.')
    const { db, path } = request.storefront
    const quotes = cartParts.quotesOf(request)
    const found = await withPreparations(db, () => readCart(db, cartParts, { id, quotes, at: db.now }))
    return cartPage(reply, found, path + CHECKOUT_PAGE)
  }

  // Answers are pages here.
  door.register(async (pages) => {
    pages.setErrorHandler((error, request, reply) => {
      const problem = toProblem(error)
      if (problem.status >= 500 && !(error instanceof Problem)) request.log.error({ err: error }, complaintOf(error))
      reply.headers(problem.headers)
      const { action } = textsIn(request.query)
      if (action === 'loadInCheckout') return parts.sendCheckoutRefusal(request, reply, problem)
      return sendRefusal(request, reply, problem)
    })
    for (const prefix of STOREFRONT_PREFIXES) pages.get(prefix + CART_PAGE, visit)
    unsubscribeRoutes(pages, parts)
  })
}

const isPrefetch = ({ headers }: FastifyRequest): boolean =>
  [headers['sec-purpose'], headers.purpose, headers['x-moz'], headers['x-purpose']].some((purpose) =>
    /prefetch|preview|prerender/i.test(String(purpose ?? '')),
  )
