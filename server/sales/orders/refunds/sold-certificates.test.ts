import { beforeEach, describe, expect, test } from 'vitest'
import { checkoutOf, createCart } from '../../../test/carts/checkouts.ts'
import { doMoney, payOrder } from '../../../test/fixtures/orders.ts'
import { openShop, type Shop, theHouse } from '../../../test/fixtures/shop.ts'
import { openUnpaid, pay } from '../../../test/fixtures/shopper.ts'
import { rowsOf } from '../../../test/fixtures/webhooks.ts'

// Refunds of orders that have sold a gift certificate (docs/contract/refunds.md section 1).

let shop: Shop
beforeEach(async () => {
  shop = await openShop()
})

const v2 = (method: string, path: string, body?: object) => shop.call(method, path, body, { version: 'v2' })
const ida = { first_name: 'Ida', last_name: 'Holm', address1: 'Nyhavn 12', city: 'Copenhagen', postal_code: '1051' }
const billing = { ...ida, country_code: 'DK', email: 'ida@example.com' }
const people = { sender: { name: 'Ida', email: 'ida@example.com' }, recipient: { name: 'Bo', email: 'bo@example.com' } }

/** An unpaid order of a custom item for 10.00 (line 1) and a certificate for 25.00 (line 2, certificate 1). */
async function openOrder(): Promise<number> {
  const cart = await createCart(
    shop,
    {},
    {
      custom_items: [{ name: 'Engraving', quantity: 1, list_price: 10 }],
      gift_certificates: [{ name: 'Gift', theme: 'Birthday', amount: 25, quantity: 1, ...people }],
    },
  )
  const { call } = checkoutOf(shop, cart)
  await call('POST', '/billing-address', billing)
  const { line_items } = (await call('GET', '')).body.data.cart
  const item_id = line_items.custom_items[0].id
  const { body } = await call('POST', '/consignments', [{ address: billing, line_items: [{ item_id, quantity: 1 }] }])
  const custom_shipping = { price: 0, description: 'Free' }
  await call('PUT', `/consignments/${body.data.consignments[0].id}`, { custom_shipping })
  const made = await call('POST', '/orders')
  expect(made.status, made.text).toBe(200)
  return made.body.data.id
}

/** The same, paid by card. */
async function sell(): Promise<number> {
  const id = await openOrder()
  expect((await pay(shop, id)).status).toBe(201)
  return id
}

const lineOf = async (id: number, type: string): Promise<number> =>
  (await v2('GET', `/orders/${id}/products`)).body.find((line: { type: string }) => line.type === type).id
const item = async (id: number, type = 'giftcertificate') => ({
  item_type: 'PRODUCT',
  item_id: await lineOf(id, type),
  quantity: 1,
})
const certificate = async (id = 1) => {
  const { status, balance } = (await v2('GET', `/gift_certificates/${id}`)).body
  return [status, balance]
}
const history = async () =>
  (await rowsOf(shop, 'gift_certificate_changes'))
    .filter(({ certificate_id }) => certificate_id === 1)
    .sort((one, other) => Number(one.version) - Number(other.version))
    .map(({ cause, change, balance, order_id }) => [cause, Number(change), Number(balance), order_id])
const path = (id: number, of: string) => `/orders/${id}/payment_actions/${of}`
const refund = (id: number, items: object[], amount: number, more: object = {}) =>
  shop.call('POST', path(id, 'refunds'), {
    items,
    payments: [{ provider_id: 'testgateway', amount }],
    ...more,
  })

/** Spends of the certificate, by an order of its own that it pays. */
async function spend(amount: number) {
  const order = await openUnpaid(shop, amount)
  const { code } = (await v2('GET', '/gift_certificates/1')).body
  const { body } = await shop.call('POST', '/payments/access_tokens', { order: { id: order } })
  const { server, clock } = await theHouse()
  clock.move(100)
  const answer = await server.inject({
    method: 'POST',
    url: `/stores/${shop.store.hash}/payments`,
    headers: { authorization: `PAT ${body.data.id}`, 'content-type': 'application/json' },
    payload: {
      payment: {
        instrument: { type: 'gift_certificate', gift_certificate_code: code },
        payment_method_id: 'svc.gift_certificate',
      },
    },
  })
  return answer.statusCode
}

describe('the refund of a certificate', () => {
  test('takes it back with the acceptance, so that nobody can spend it', async () => {
    const id = await sell()
    expect(await certificate()).toEqual(['active', '25.0000'])
    const items = [await item(id)]
    const quoted = await shop.call('POST', path(id, 'refund_quotes'), { items })
    expect(quoted.body.data).toMatchObject({ total_refund_amount: 25, total_refund_tax_amount: 0, adjustment: 0 })
    expect(await certificate()).toEqual(['active', '25.0000'])
    const { status, body, text } = await refund(id, items, 25)
    expect([status, body.data?.total_amount], text).toEqual([201, 25])
    expect(body.data.items[0]).not.toHaveProperty('certificates')
    expect(body.data).not.toHaveProperty('certificates')
    expect(await certificate()).toEqual(['disabled', '0.0000'])
    expect(await history()).toEqual([
      ['created', 25, 25, 0],
      ['taken back', -25, 0, id],
    ])
    expect(await spend(5)).toBe(422)
    await doMoney(shop)
    expect((await v2('GET', `/orders/${id}`)).body).toMatchObject({ status_id: 14, refunded_amount: '25.0000' })
    expect((await refund(id, items, 25)).body.errors).toEqual({ 'items.0.quantity': 'Only 0 can still be refunded.' })
  })

  test('is limited to its unspent balance', async () => {
    const id = await sell()
    expect(await spend(12)).toBe(201)
    const items = [await item(id)]
    const quoted = await shop.call('POST', path(id, 'refund_quotes'), { items })
    expect(quoted.body.data).toMatchObject({ total_refund_amount: 13, adjustment: 0 })
    const several = await shop.call('POST', '/orders/payment_actions/refund_quotes', [{ order_id: id, items }])
    expect(several.body.data[0].total_refund_amount).toBe(13)
    expect((await refund(id, items, 25)).status).toBe(422)
    expect(await certificate()).toEqual(['active', '13.0000'])
    const { body } = await refund(id, items, 13)
    expect(body.data.items).toMatchObject([
      { quantity: 1, adjustments: [{ amount: -12, description: 'The spent part of the gift certificate' }] },
    ])
    expect(await certificate()).toEqual(['disabled', '0.0000'])
    await doMoney(shop)
    expect((await v2('GET', `/orders/${id}`)).body).toMatchObject({ status_id: 14, refunded_amount: '13.0000' })
  })

  test('is refused if nothing of it is left, and is possible with other items', async () => {
    const id = await sell()
    expect(await spend(25)).toBe(201)
    const items = [await item(id)]
    const refused = await refund(id, items, 25)
    expect([refused.status, refused.body.errors]).toEqual([
      422,
      { items: 'The total of these items is 0: there is nothing to refund.' },
    ])
    expect(await certificate()).toEqual(['active', '0.0000'])
    expect((await refund(id, [...items, await item(id, 'physical')], 10)).status).toBe(201)
    expect(await certificate()).toEqual(['disabled', '0.0000'])
    expect((await history()).map(([cause]) => cause)).toEqual(['created', 'payment'])
  })

  test('that the merchant has deleted returns the balance that it had then', async () => {
    const id = await sell()
    expect(await spend(12)).toBe(201)
    expect((await v2('DELETE', '/gift_certificates/1')).status).toBe(204)
    expect((await refund(id, [await item(id)], 13)).status).toBe(201)
  })

  test('with another currency or a higher balance returns nothing, or the price', async () => {
    const id = await sell()
    expect((await v2('PUT', '/gift_certificates/1', { balance: 40 })).status).toBe(200)
    expect((await refund(id, [await item(id)], 25)).status).toBe(201)
    expect(await certificate()).toEqual(['disabled', '15.0000'])
  })

  test('leaves other orders alone', async () => {
    const [id, other] = [await sell(), await sell()]
    expect((await refund(id, [await item(id, 'physical')], 10)).status).toBe(201)
    expect([await certificate(1), await certificate(2)]).toEqual([
      ['active', '25.0000'],
      ['active', '25.0000'],
    ])
    expect((await refund(other, [await item(other)], 25)).status).toBe(201)
    expect([await certificate(1), await certificate(2)]).toEqual([
      ['active', '25.0000'],
      ['disabled', '0.0000'],
    ])
  })
})

describe('the refund of all that is left', () => {
  test('takes the certificates back, whatever its items are', async () => {
    const id = await sell()
    const order = (amount: number) => [{ item_type: 'ORDER', item_id: id, amount }]
    expect((await refund(id, order(20), 20)).status).toBe(201)
    expect(await certificate()).toEqual(['active', '25.0000'])
    expect((await refund(id, order(15), 15)).status).toBe(201)
    expect(await certificate()).toEqual(['disabled', '0.0000'])
    await doMoney(shop)
    expect((await v2('GET', `/orders/${id}`)).body).toMatchObject({ status_id: 4, payment_status: 'refunded' })
  })

  test('with amounts of the merchant too', async () => {
    const id = await sell()
    const items = [await item(id, 'physical')]
    const merchant_calculated_override = { total_amount: 35, total_tax: 0 }
    expect((await refund(id, items, 35, { merchant_calculated_override })).status).toBe(201)
    expect(await certificate()).toEqual(['disabled', '0.0000'])
  })
})

describe('a declined refund', () => {
  // The test gateway declines refunds whose amount ends with 53.
  const items = async (id: number) => [await item(id)]

  test('returns the certificate as it was', async () => {
    const id = await sell()
    await v2('PUT', '/gift_certificates/1', { balance: 20.53 })
    const made = await refund(id, await items(id), 20.53)
    expect(made.status, made.text).toBe(201)
    expect(await certificate()).toEqual(['disabled', '0.0000'])
    await doMoney(shop)
    const [{ payments }] = (await shop.call('GET', path(id, 'refunds'))).body.data
    expect(payments[0].is_declined).toBe(true)
    expect(await certificate()).toEqual(['active', '20.5300'])
    expect((await history()).slice(-2)).toEqual([
      ['taken back', -20.53, 0, id],
      ['restored', 20.53, 20.53, id],
    ])
    expect(await spend(3)).toBe(201)
  })

  test('leaves the status that a merchant has set meanwhile', async () => {
    const id = await sell()
    await v2('PUT', '/gift_certificates/1', { balance: 20.53 })
    await refund(id, await items(id), 20.53)
    await v2('PUT', '/gift_certificates/1', { status: 'pending' })
    await doMoney(shop)
    expect(await certificate()).toEqual(['pending', '20.5300'])
  })
})

describe('a declined refund of a certificate that waits for the payment of its order', () => {
  /** An order whose money was captured while the merchant verifies it, with a certificate that is refunded. */
  async function refundUnpaid(): Promise<number> {
    const id = await openOrder()
    await payOrder(shop, id, 'authorize')
    await setStatus(id, 12)
    expect((await shop.call('POST', path(id, 'capture'))).status).toBe(201)
    await doMoney(shop)
    expect(await certificate()).toEqual(['pending', '25.0000'])
    await v2('PUT', '/gift_certificates/1', { balance: 20.53 })
    const made = await refund(id, [await item(id)], 20.53)
    expect(made.status, made.text).toBe(201)
    expect(await certificate()).toEqual(['disabled', '0.0000'])
    return id
  }
  const setStatus = async (id: number, status_id: number) => {
    const { status, text } = await v2('PUT', `/orders/${id}`, { status_id })
    expect(status, text).toBe(200)
  }
  const mailed = async () =>
    (await rowsOf(shop, 'owed_emails')).filter(({ type_id }) => type_id === 'giftcertificate_email')

  test('returns it as it was', async () => {
    await refundUnpaid()
    await doMoney(shop)
    expect(await certificate()).toEqual(['pending', '20.5300'])
    expect(await mailed()).toEqual([])
  })

  test('activates it, with its e-mail, if the order was paid meanwhile', async () => {
    const id = await refundUnpaid()
    await setStatus(id, 11)
    expect(await certificate()).toEqual(['disabled', '0.0000'])
    await doMoney(shop)
    expect(await certificate()).toEqual(['active', '20.5300'])
    expect(await mailed()).toMatchObject([{ recipient: 'bo@example.com' }])
    await setStatus(id, 12)
    await setStatus(id, 11)
    expect(await mailed()).toHaveLength(1)
  })

  test('leaves it disabled if the order was cancelled meanwhile', async () => {
    const id = await refundUnpaid()
    await setStatus(id, 5)
    await doMoney(shop)
    expect(await certificate()).toEqual(['disabled', '20.5300'])
  })

  test('leaves it pending if the merchant has made it so after the payment', async () => {
    const id = await sell()
    await v2('PUT', '/gift_certificates/1', { balance: 20.53, status: 'pending' })
    expect((await refund(id, [await item(id)], 20.53)).status).toBe(201)
    await doMoney(shop)
    expect(await certificate()).toEqual(['pending', '20.5300'])
  })
})

test('a certificate is spent or refunded, never both', async () => {
  const rounds = 8
  for (let round = 1; round <= rounds; round++) {
    shop = await openShop()
    const id = await sell()
    const items = [await item(id)]
    const [paid, refunded] = await Promise.all([spend(25), refund(id, items, 25)])
    expect([paid === 201, refunded.status === 201].filter(Boolean), `${paid} ${refunded.status}`).toHaveLength(1)
    expect((await certificate())[1]).toBe('0.0000')
  }
})
