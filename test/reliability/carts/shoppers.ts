import { ask, type Client, clientOf, type Reply, type ServerProcess, type Shop } from '../rig.ts'

// Shoppers of downloads at a server of its own: by the checkout page, and by the storefront's GraphQL.

const GOOD_CARD = '4111111111111111'
const address = {
  first_name: 'Ann',
  last_name: 'Lee',
  address1: '1 Mill Road',
  city: 'Austin',
  country_code: 'US',
  state_or_province_code: 'TX',
  postal_code: '78701',
}

/** The outcome of a purchase: an order, or the sentence of the refusal. */
type Bought = { order: number } | { refused: string }

/** A shopper with a cart that is ready to be paid. */
export interface Shopper {
  cart: string
  /** The last click. It may be repeated after a lost answer. */
  pay(): Promise<Bought>
}

/** Creates a cart with a download, its billing address, and codes. */
export async function readyCart(call: Client, email: string, { coupon = '' } = {}): Promise<string> {
  const { body } = await must(call('POST', '/carts', { line_items: [{ product_id: 1, quantity: 1 }] }))
  const { id } = body.data
  await must(call('POST', `/checkouts/${id}/billing-address`, { ...address, email }))
  if (coupon !== '') await must(call('POST', `/checkouts/${id}/coupons`, { coupon_code: coupon }))
  return id
}

async function must(request: Promise<Reply>): Promise<Reply> {
  const reply = await request
  if (reply.status >= 300) throw new Error(`${reply.status} ${reply.text}`)
  return reply
}

/** A browser without scripts at the checkout page. */
export async function shopperOnPage(server: ServerProcess, shop: Shop, cart: string): Promise<Shopper> {
  const { body } = await must(clientOf(server, shop)('POST', `/carts/${cart}/redirect_urls`))
  const cookies = new Map<string, string>()
  let shown = ''

  async function go(path: string, form?: URLSearchParams): Promise<string> {
    const answer = await fetch(`${server.url}${path}`, {
      method: form ? 'POST' : 'GET',
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form ? { body: form } : {}),
    })
    for (const cookie of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      cookies.set(name, value)
    }
    const location = answer.headers.get('location')
    shown = await answer.text()
    if (answer.status >= 500) throw new Error(`${path}: ${answer.status}`)
    return location === null ? shown : go(location)
  }

  const checkout = `/storefront/${shop.hash}/checkout`
  const { search } = new URL(body.data.checkout_url)
  await go(`/storefront/${shop.hash}/cart.php${search}`)
  return {
    cart,
    async pay() {
      // A reload: after a lost answer it shows the order, if there is one.
      await go(checkout)
      for (let tries = 0; tries < 3 && orderIn(shown) === undefined; tries++) {
        await go(checkout, paymentForm(shown))
        if (!shown.includes('has changed')) break
      }
      const order = orderIn(shown)
      return order === undefined ? { refused: noticeIn(shown) } : { order }
    },
  }
}

const orderIn = (page: string): number | undefined => {
  const [, order] = /id="orderNumber">(\d+)/.exec(page) ?? []
  return order === undefined ? undefined : Number(order)
}
const noticeIn = (page: string) => /id="notice">([^<]*)/.exec(page)?.[1] ?? page.slice(0, 500)

/** The form of the payment, filled in. */
function paymentForm(page: string): URLSearchParams {
  const form = page.split('<form ').find((text) => text.includes('name="step" value="payment"')) ?? ''
  const fields = new URLSearchParams()
  for (const [tag] of form.split('</form>')[0]?.matchAll(/<input type="hidden" [^>]*>/g) ?? []) {
    const of = (name: string) => new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1] ?? ''
    fields.set(of('name'), of('value'))
  }
  fields.set('method', 'testgateway.card')
  for (const [name, value] of [
    ['ccNumber', GOOD_CARD],
    ['ccExpiry', '12/99'],
    ['ccName', 'Ann Lee'],
    ['ccCvv', '123'],
  ]) {
    fields.set(name ?? '', value ?? '')
  }
  return fields
}

/** A client of the storefront's GraphQL with a token of a server. */
export async function graphOf(server: ServerProcess, shop: Shop) {
  const wish = { channel_id: 1, expires_at: Math.floor(Date.now() / 1_000) + 86_400, scopes: ['Unauthenticated'] }
  const { body } = await must(clientOf(server, shop)('POST', '/storefront/api-token-private', wish))
  return async (query: string, variables: object = {}) => {
    const reply = await ask(server.url, 'POST', `/storefront/${shop.hash}/1/graphql`, {
      headers: { authorization: `Bearer ${body.token}` },
      body: { query, variables },
    })
    if (reply.status !== 200) throw new Error(`${reply.status} ${reply.text}`)
    return reply.body
  }
}
type Graph = Awaited<ReturnType<typeof graphOf>>

const COMPLETE = `mutation ($id: String!) { checkout { completeCheckout(input: { checkoutEntityId: $id }) {
  orderEntityId paymentAccessToken errors { ... on Error { message } } } } }`
const APPLY = `mutation ($input: ApplyCheckoutGiftCertificateInput!) { checkout { applyCheckoutGiftCertificate(input: $input) { checkout { version } } } }`

/** A shop that buys for its shopper by GraphQL. */
export function shopperByGraph(server: ServerProcess, shop: Shop, graph: Graph, cart: string): Shopper {
  let made: { order: number; token: string | null } | undefined
  return {
    cart,
    async pay() {
      if (!made) {
        const { data } = await graph(COMPLETE, { id: cart })
        const { orderEntityId, paymentAccessToken, errors } = data.checkout.completeCheckout
        if (orderEntityId === null) return { refused: errors[0].message }
        made = { order: orderEntityId, token: paymentAccessToken }
      }
      if (made.token === null) return { order: made.order }
      const card = { type: 'card', number: GOOD_CARD, cardholder_name: 'Ann', expiry_month: 12, expiry_year: 2099 }
      const reply = await ask(server.url, 'POST', `/stores/${shop.hash}/payments`, {
        body: { payment: { instrument: card, payment_method_id: 'testgateway.card' } },
        headers: { authorization: `PAT ${made.token}`, accept: 'application/vnd.svc.v1+json' },
      })
      if (reply.status === 201) return { order: made.order }
      // The amount of an order changes when a payment that never arrived gives its certificate back. Its token stays refused.
      if (reply.status === 422) made = undefined
      return { refused: `${reply.status} ${reply.body?.title ?? ''}` }
    },
  }
}

/** Applies a gift certificate. */
export async function applyCertificate(graph: Graph, cart: string, giftCertificateCode: string) {
  const { errors } = await graph(APPLY, { input: { checkoutEntityId: cart, data: { giftCertificateCode } } })
  if (errors) throw new Error(errors[0].message)
}
