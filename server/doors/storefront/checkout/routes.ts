import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Tx } from '../../../core/db/database.ts'
import { html } from '../../../core/markup.ts'
import { withPreparations } from '../../../core/rest/preparation.ts'
import { complaintOf, Problem, toProblem } from '../../../core/rest/problem.ts'
import type { Definition } from '../../../customers/form-fields/shape.ts'
import { countCall } from '../../../customers/logins/attempts.ts'
import {
  type CartQuotes,
  type CartWithResult,
  type ChangeContext,
  changeCart,
  withTaxes,
} from '../../../sales/carts/changes/change.ts'
import { balancesOfCheckout } from '../../../sales/carts/checkouts/balances.ts'
import { withMessage } from '../../../sales/carts/checkouts/checkouts.ts'
import { type Cart, findCart } from '../../../sales/carts/row/cart.ts'
import { shippedCountriesOf } from '../../../sales/shipping/zones.ts'
import { addressOfRoute } from '../../../shop/channels/sites/site-routes.ts'
import { cartSettings } from '../../../shop/settings/carts/cart-settings.ts'
import { readSettings } from '../../../shop/settings/families/family.ts'
import { STOREFRONT_PREFIXES, type Storefront } from '../storefronts.ts'
import { textsIn } from '../visits/pages.ts'
import { cartOfVisit } from '../visits/visits.ts'
import { CONFIRMATION, confirmOrder, placedOrderOf, showConfirmation } from './confirmation.ts'
import { readFace } from './face/face.ts'
import { sendCheckoutPage } from './face/shell.ts'
import { certificateStep, creditStep, isAboutCertificate } from './forms/balances.ts'
import { FORM_MAX, type Form, parseForm, refuseForeignForm, textIn } from './forms/form.ts'
import { haveAmountsMoved, haveOptionsMoved, haveSeenAmounts, isOptionGone, rememberAmounts } from './forms/notices.ts'
import {
  billingStep,
  couponStep,
  customerStep,
  isAboutCoupon,
  optionsStep,
  type StepOutcome,
  shippingStep,
} from './forms/steps.ts'
import { methodsFor } from './methods.ts'
import { checkoutContent, OPEN_STEP, type ShownCheckout } from './page.ts'
import type { PageParts } from './parts.ts'
import { payStep } from './payment.ts'
import { addressDefinitions, type CheckoutState, isSignedInAs, readState, STEPS } from './state.ts'

/** The address of the page, which the visit of a link leads to. */
const CHECKOUT_PAGE = '/checkout'

/**
 * The checkout page (docs/contract/checkout-page.md). Its cart is that of the visit. A form that was accepted leads back to the page by 303,
 * so that a reload sends nothing again.
 */
export function checkoutPageRoutes(door: FastifyInstance, parts: PageParts) {
  door.register(async (pages) => {
    pages.removeAllContentTypeParsers()
    pages.addContentTypeParser(
      'application/x-www-form-urlencoded',
      (request: FastifyRequest, payload: IncomingMessage) =>
        pages.bodies.read(request, payload, { max: FORM_MAX, parse: parseForm }),
    )
    pages.setErrorHandler(async (error, request, reply) => {
      const problem = toProblem(error)
      if (problem.status >= 500 && !(error instanceof Problem)) request.log.error({ err: error }, complaintOf(error))
      return sendCheckoutRefusal(request, reply.headers(problem.headers), problem)
    })
    for (const prefix of STOREFRONT_PREFIXES) {
      pages.get(prefix + CHECKOUT_PAGE, (request, reply) => show(request, reply, parts))
      pages.post(prefix + CHECKOUT_PAGE, (request, reply) => send(request, reply, parts))
      for (const path of [CONFIRMATION, `${CONFIRMATION}/:order`]) {
        pages.get(prefix + path, (request, reply) => showConfirmation(request, reply, parts))
      }
    }
  })
}

/** Answers with the reason why there is no checkout, without details, and with a way back to the shop. */
export async function sendCheckoutRefusal(request: FastifyRequest, reply: FastifyReply, { status }: Problem) {
  // Before the storefront is found there is no face of a shop.
  if (!request.storefront) return reply.status(status).type('text/plain').send('There is no shop at this address.')
  const { storefront } = request
  const face = await readFace(storefront, request.headers['accept-language'])
  const { texts } = face.language
  const isGone = status < 500
  const content = html`<p>${isGone ? texts.goneText : texts.failedText}</p>`
  const title = isGone ? texts.gone : texts.failed
  return sendCheckoutPage(reply, { storefront, face, status }, { title, content })
}

/** Answers while the channel sells nothing. The cart stays as it is. */
function sendClosed({ storefront }: FastifyRequest, reply: FastifyReply, { face }: CheckoutState) {
  const { texts } = face.language
  const content = html`<p>${texts.closedText}</p>`
  return sendCheckoutPage(reply, { storefront, face, status: 403 }, { title: texts.closed, content })
}

/** The cart of the visit. @throws Problem 404 */
function cartIn(request: FastifyRequest, parts: PageParts): string {
  const id = cartOfVisit(request, parts)
  if (id === undefined) throw new Problem(404, 'There is no cart here.')
  return id
}

/** Reads the checkout of the visit; undefined if it has become an order, whose confirmation is the answer. */
async function stateOrOrder(request: FastifyRequest, parts: PageParts): Promise<CheckoutState | { order: number }> {
  const id = cartIn(request, parts)
  try {
    return await readState(request, { ...parts, at: request.storefront.db.now, id })
  } catch (error) {
    const order =
      error instanceof Problem && error.status === 404 ? await placedOrderOf(request.storefront.db, id) : undefined
    if (order === undefined) throw error
    return { order }
  }
}

async function show(request: FastifyRequest, reply: FastifyReply, parts: PageParts) {
  const state = await stateOrOrder(request, parts)
  if ('order' in state) return confirmOrder(request, reply, state.order, parts)
  if (!state.face.isSelling) return sendClosed(request, reply, state)
  const { step, address, notice: named } = textsIn(request.query)
  const [known] = NOTICES.filter((name) => name === named)
  const notice = known ?? (haveAmountsMoved(request, { ...state.found, ...state }) ? 'totalChanged' : undefined)
  const wanted = STEPS.find((one) => one === step)
  const isOpen = wanted && state.steps.includes(wanted) && state.steps.indexOf(wanted) < state.steps.indexOf(state.next)
  const saved = state.addresses.find(({ id }) => String(id) === address)
  const openStep = isOpen ? wanted : state.next
  return render(request, reply, parts, { state, openStep, saved, notice })
}

/** Notices that an accepted form leads to. */
const NOTICES = ['totalChanged', 'optionGone'] as const

type Shown = Omit<ShownCheckout, 'methods' | 'signInUrl' | 'shippedCountries'> & { status?: number }

async function render(
  request: FastifyRequest,
  reply: FastifyReply,
  parts: PageParts,
  { status = 200, ...shown }: Shown,
) {
  const { storefront } = request
  const { db } = storefront
  const { face } = shown.state
  const [methods, signInUrl, shippedCountries] = await Promise.all([
    methodsFor(db, parts, shown.state),
    signInUrlOf(storefront, parts),
    shown.openStep === 'shipping' ? shippedCountriesOf(db) : undefined,
  ])
  const content = checkoutContent(
    { ...shown, methods, signInUrl, shippedCountries },
    { secrets: parts.secrets, store: db.store },
  )
  rememberAmounts(request, reply, { ...shown.state.found, ...shown.state })
  return sendCheckoutPage(reply, { storefront, face, status }, { title: face.language.texts.checkout, content })
}

/** The page of the shop at which customers sign in. */
async function signInUrlOf({ db, channel, url }: Storefront, { carts: { sites } }: PageParts): Promise<string> {
  return (await addressOfRoute(db, { channel, type: 'login', tokens: {} }, sites)) ?? `${url}/login`
}

/** Accepts a form. A step reads the cart alone: the rest of the checkout is read only if its page is shown again. */
async function send(request: FastifyRequest, reply: FastifyReply, parts: PageParts) {
  const form = request.body instanceof Map ? (request.body as Form) : new Map<string, string>()
  const step = textIn(form, 'step')
  if (step === 'payment') return sendPayment(request, reply, parts, form)
  const { storefront } = request
  const { db } = storefront
  const side = SIDES.find((one) => one === step)
  const named = STEPS.find((one) => one === step)
  const again = async (more: Partial<Shown>, opens: 'same' | 'next' = 'same') => {
    const state = await stateOrOrder(request, parts)
    if ('order' in state) return confirmOrder(request, reply, state.order, parts)
    if (!state.face.isSelling) return sendClosed(request, reply, state)
    const openStep = opens === 'next' || side || named === undefined ? state.next : named
    return render(request, reply, parts, { state, openStep, form, side, status: 422, ...more })
  }
  const changedMeanwhile = () => again({ form: undefined, notice: 'changed', status: 409 }, 'next')
  const brief = await readBriefly(request, parts, { hasAddress: step === 'shipping' || step === 'billing' })
  // The cart has become an order or is gone, or nothing is sold.
  if (!brief?.isSelling) return changedMeanwhile()
  const { cart, definitions } = brief
  refuseForeignForm(parts.secrets, form, { store: db.store, cartId: cart.id, step })
  const version = Number(textIn(form, 'version'))
  if (version !== cart.version) return changedMeanwhile()
  const outcome = outcomeOf(form, step, { cart, definitions })
  if ('errors' in outcome) return again({ errors: outcome.errors })
  if (side === 'certificate' && !(await mayTryCode(request, parts)))
    return again({ notice: 'tooManyCodes', form: undefined })
  if (side === 'credit' && textIn(form, 'useCredit') !== '' && !(await isSignedInAs(request, cart, parts))) {
    return again({ notice: 'creditNeedsLogin', status: 403 })
  }
  const { change, codes } = outcome
  const quotes = parts.carts.quotesOf(request)
  const target = { id: cart.id, quotes, version, ...(codes ? { more: { codes } } : {}) }
  let haveMoved = false
  let changed: CartWithResult | undefined
  try {
    changed = await withPreparations(db, () =>
      db.transaction((tx) =>
        changeCart(tx, parts.carts, target, async (context) => {
          haveMoved = await haveMovedBefore(request, tx, context, quotes)
          return { document: await change({ ...context, tx, quotes }) }
        }),
      ),
    )
  } catch (error) {
    if (!(error instanceof Problem) || error.status >= 500) throw error
    if (isAboutCoupon(error)) return again({ errors: { couponCode: 'badCoupon' } })
    if (isAboutCertificate(error)) return again({ errors: { certificateCode: 'badCertificate' } })
    return changedMeanwhile()
  }
  // A shipping address and the options of shipping are chosen by their steps themselves.
  const isGone = step !== 'shipping' && changed !== undefined && isOptionGone(cart.document, changed.cart.document)
  // A notice stands at the top of the page. Without one the browser goes to the open step.
  const landing = isGone ? '?notice=optionGone' : haveMoved ? '?notice=totalChanged' : `#${OPEN_STEP}`
  return reply.redirect(`${storefront.path}${CHECKOUT_PAGE}${landing}`, 303)
}

/** The facts by which a step is accepted; undefined if the visit has no open cart. */
async function readBriefly(request: FastifyRequest, parts: PageParts, { hasAddress }: { hasAddress: boolean }) {
  const { storefront } = request
  const { db, channel } = storefront
  const id = cartIn(request, parts)
  try {
    const { found, settings, definitions } = await db.together(() => ({
      found: findCart(db, id, db.now),
      settings: readSettings(db, [cartSettings], channel),
      definitions: hasAddress ? addressDefinitions(db) : [],
    }))
    if (found.cart.channel_id !== channel) return undefined
    return { cart: found.cart, definitions, isSelling: settings.of(cartSettings).allow_purchasing }
  } catch (error) {
    if (error instanceof Problem && error.status === 404) return undefined
    throw error
  }
}

/** Whether the amounts of a locked cart differ from those that the browser has shown. */
async function haveMovedBefore(
  request: FastifyRequest,
  tx: Tx,
  { cart, facts }: ChangeContext,
  quotes: CartQuotes,
): Promise<boolean> {
  if (!haveSeenAmounts(request, cart)) return false
  const { document } = cart
  const { result } = await withTaxes(tx, cart, { document, facts }, quotes)
  return haveAmountsMoved(request, { cart, result, balances: await balancesOfCheckout(tx, { cart, result }, tx.now) })
}

const SIDES = ['coupon', 'certificate', 'credit'] as const

/** Counts the try of a code, which could be guessed. @returns false if the shopper has to wait */
async function mayTryCode({ storefront, ip }: FastifyRequest, { secrets }: PageParts): Promise<boolean> {
  try {
    await countCall(storefront.db, `shopper ${secrets.tokenHash(ip)}`)
    return true
  } catch (error) {
    if (error instanceof Problem && error.status === 429) return false
    throw error
  }
}

/** The facts of a step that its form alone does not have. */
interface StepFacts {
  cart: Cart
  /** The store's own fields of addresses. */
  definitions: readonly Definition[]
}

function outcomeOf(form: Form, step: string, { cart, definitions }: StepFacts): StepOutcome {
  const { billing, consignments } = cart.document
  const email = billing?.email ?? cart.email
  switch (step) {
    case 'customer':
      return customerStep(form, cart.customer_id > 0 ? cart.email : '')
    case 'shipping':
      return shippingStep(form, { email, definitions })
    case 'options':
      return optionsStep(
        form,
        consignments.flatMap(({ id, address }) => (address ? [id] : [])),
      )
    case 'billing':
      return billingStep(form, { email, definitions })
    case 'coupon':
      return couponStep(form)
    case 'certificate':
      return certificateStep(form)
    case 'credit':
      return creditStep(form)
    default:
      throw new Problem(404, 'There is no such step.')
  }
}

/** Accepts the form of the payment. */
async function sendPayment(request: FastifyRequest, reply: FastifyReply, parts: PageParts, form: Form) {
  const state = await stateOrOrder(request, parts)
  if ('order' in state) return confirmOrder(request, reply, state.order, parts)
  if (!state.face.isSelling) return sendClosed(request, reply, state)
  const { cart } = state.found
  const { store } = request.storefront.db
  refuseForeignForm(parts.secrets, form, { store, cartId: cart.id, step: 'payment' })
  if (Number(textIn(form, 'version')) !== cart.version)
    return render(request, reply, parts, { state, openStep: state.next, notice: 'changed', status: 409 })
  return pay(request, reply, parts, { state, form })
}

async function pay(
  request: FastifyRequest,
  reply: FastifyReply,
  parts: PageParts,
  { state, form }: { state: CheckoutState; form: Form },
) {
  const { db } = request.storefront
  const again = (more: Partial<Shown>) =>
    render(request, reply, parts, { state, openStep: 'payment', form: withoutCard(form), status: 422, ...more })
  if (state.next !== 'payment') return again({ openStep: state.next, form: undefined, notice: 'changed' })
  const { cart } = state.found
  if (cart.document.uses_credit === true && !state.isSignedIn) return again({ notice: 'creditNeedsLogin', status: 403 })
  const methods = await methodsFor(db, parts, state)
  const quotes = parts.carts.quotesOf(request)
  if (haveOptionsMoved(state)) {
    // Any change offers the options again.
    const target = { id: cart.id, quotes, version: cart.version }
    await withPreparations(db, () =>
      db.transaction((tx) => changeCart(tx, parts.carts, target, ({ document }) => ({ document }))),
    )
    const fresh = await stateOrOrder(request, parts)
    if ('order' in fresh) return confirmOrder(request, reply, fresh.order, parts)
    const isGone = isOptionGone(cart.document, fresh.found.cart.document)
    const notice = isGone ? 'optionGone' : 'totalChanged'
    return again({ state: fresh, openStep: fresh.next, notice, status: 409 })
  }
  const message = textIn(form, 'message')
  let { version } = cart
  if (message !== cart.document.message) {
    const target = { id: cart.id, quotes, version }
    const changed = await withPreparations(db, () =>
      db.transaction((tx) =>
        changeCart(tx, parts.carts, target, ({ document }) => ({
          document: withMessage(document, message.slice(0, 2_000)),
        })),
      ),
    )
    version = changed?.cart.version ?? version
  }
  const source = createHash('sha256').update(`${db.store.hash} ${request.ip}`).digest('base64url')
  const purchase = {
    id: cart.id,
    quotes,
    version,
    total: textIn(form, 'total'),
    nonce: textIn(form, 'nonce').slice(0, 40),
    shopperAddress: request.ip,
    source,
  }
  const outcome = await payStep(db, parts, { form, methods, purchase })
  if ('order' in outcome) return confirmOrder(request, reply, outcome.order, parts)
  const fresh = await stateOrOrder(request, parts)
  if ('order' in fresh) return confirmOrder(request, reply, fresh.order, parts)
  if ('errors' in outcome) return again({ state: fresh, errors: outcome.errors })
  return again({ state: fresh, notice: outcome.notice })
}

/** The form as it may be shown again. */
const withoutCard = (form: Form): Form => new Map([...form].filter(([name]) => !name.startsWith('cc')))
