import { type Shop, theHouse } from './shop.ts'

// A shopper at the door for payments, with a token that the shop's server has asked for.

export const GOOD_CARD = '4111111111111111'
export const BAD_CARD = '4000000000000002'
/** In place of a card. */
export const CREDIT = 'store credit'

/** An order of one custom product that its shopper can pay. */
export async function openUnpaid(shop: Shop, total: number, more: object = {}): Promise<number> {
  const products = [{ name: 'Print', quantity: 1, price_ex_tax: total, price_inc_tax: total }]
  const body = { billing_address: { zip: '1051', email: 'ida@example.com' }, products, status_id: 0, ...more }
  const { body: order } = await shop.call('POST', '/orders', body, { version: 'v2' })
  return order.id
}

/** A token for an order, or the refusal of one. */
export const askToken = (shop: Shop, id: number) => shop.call('POST', '/payments/access_tokens', { order: { id } })

/** Pays an order as its shopper does. @param by number of a card, or store credit */
export async function pay(shop: Shop, id: number, by: string = GOOD_CARD) {
  const { body } = await askToken(shop, id)
  return payWith(shop, body.data.id, by)
}

/** The same with a token. */
export async function payWith(shop: Shop, token: string, by: string = GOOD_CARD) {
  const { server, clock } = await theHouse()
  // Slowly enough that no request is refused for its pace.
  clock.move(100)
  const card = { type: 'card', number: by, cardholder_name: 'Ida Holm', expiry_month: 12, expiry_year: 2099 }
  const payment =
    by === CREDIT
      ? { instrument: { type: 'store_credit' }, payment_method_id: 'svc.store_credit' }
      : { instrument: card, payment_method_id: 'testgateway.card' }
  const answer = await server.inject({
    method: 'POST',
    url: `/stores/${shop.store.hash}/payments`,
    headers: { authorization: `PAT ${token}`, 'content-type': 'application/json' },
    payload: { payment },
  })
  return { status: answer.statusCode, body: answer.json() }
}
