import { beforeEach, describe, expect, test } from 'vitest'
import { sql } from '../../../../../../core/db/sql.ts'
import { createCart, openWithShipping } from '../../../../../../test/carts/checkouts.ts'
import { shopperOf } from '../../../../../../test/carts/storefront-checkout.ts'
import { doMoney } from '../../../../../../test/fixtures/orders.ts'
import type { Shop } from '../../../../../../test/fixtures/shop.ts'
import { askToken, BAD_CARD, payWith } from '../../../../../../test/fixtures/shopper.ts'
import { dbOf } from '../../../../../../test/fixtures/webhooks.ts'

// docs/contract/storefront-purchases.md section 8: gift certificates and store credit pay checkouts.

let shop: Shop
let shopper: Awaited<ReturnType<typeof shopperOf>>
/** A checkout of one download for 5.00, ready for its order. */
let id: string
beforeEach(async () => {
  shop = await openWithShipping()
  shopper = await shopperOf(shop)
  id = await createCart(shop, { 3: 1 })
  await bill(id)
})

const bill = (checkout: string) =>
  shop.call('POST', `/checkouts/${checkout}/billing-address`, {
    first_name: 'Ann',
    last_name: 'Lee',
    email: 'ann@example.com',
    address1: '1 Mill Road',
    city: 'Austin',
    state_or_province_code: 'TX',
    country_code: 'US',
    postal_code: '78701',
  })

const v2 = (method: string, path: string, body?: unknown) => shop.call(method, path, body, { version: 'v2' })
const people = { to_name: 'Ann Lee', to_email: 'ann@example.com', from_name: 'Bo Ek', from_email: 'bo@example.com' }

/** Creates a certificate. @returns its id */
async function give(amount: number | string, code: string, more: object = {}): Promise<number> {
  const { status, body } = await v2('POST', '/gift_certificates', { ...people, amount, code, ...more })
  expect(status).toBe(201)
  return body.id
}
const balanceOf = async (certificate: number) => (await v2('GET', `/gift_certificates/${certificate}`)).body.balance
const order = async (number: number) => (await v2('GET', `/orders/${number}`)).body
const transactionsOf = async (number: number) =>
  ((await shop.call('GET', `/orders/${number}/transactions`)).body?.data ?? []).map(
    ({ method, amount, status }: { method: string; amount: number; status: string }) => [method, amount, status],
  )

const MONEY = '{ currencyCode value }'
const SUMS = `grandTotal { value } outstandingBalance { value } giftCertificates { code used { value } remaining { value } }`
const apply = (giftCertificateCode: string, fields = SUMS) =>
  shopper.step(id, 'applyCheckoutGiftCertificate', { data: { giftCertificateCode } }, fields)

describe('a gift certificate', () => {
  test('is applied with all its fields, once, in any case, and removed', async () => {
    const certificate = await give('3.5079', 'GIFT-1')
    const money = (value: number) => ({ currencyCode: 'USD', value })
    const fields = ['balance', 'remaining', 'used'].map((name) => `${name} ${MONEY} ${name}InDisplayCurrency ${MONEY}`)
    const whole = `version giftCertificates { entityId code ${fields.join(' ')} purchaseDate { utc } }
      grandTotal ${MONEY} outstandingBalance ${MONEY} outstandingBalanceInDisplayCurrency ${MONEY}`
    expect(await apply(' gift-1 ', whole)).toEqual({
      version: 3,
      giftCertificates: [
        {
          entityId: certificate,
          code: 'GIFT-1',
          balance: money(3.51),
          balanceInDisplayCurrency: money(3.51),
          // Fractions of a cent can't pay.
          used: money(3.5),
          usedInDisplayCurrency: money(3.5),
          remaining: money(0.01),
          remainingInDisplayCurrency: money(0.01),
          purchaseDate: { utc: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) },
        },
      ],
      grandTotal: money(5),
      outstandingBalance: money(1.5),
      outstandingBalanceInDisplayCurrency: money(1.5),
    })
    expect((await apply('GIFT-1')).giftCertificates).toHaveLength(1)
    const removed = await shopper.step(
      id,
      'unapplyCheckoutGiftCertificate',
      { data: { giftCertificateCode: 'gift-1' } },
      SUMS,
    )
    expect(removed).toEqual({ grandTotal: { value: 5 }, outstandingBalance: { value: 5 }, giftCertificates: [] })
    expect(await balanceOf(certificate)).toBe('3.5079')
  })

  test.each([
    ['unknown', undefined, 'There is no gift certificate GIFT.'],
    ['pending', { status: 'pending' }, 'The gift certificate GIFT can not be used.'],
    ['disabled', { status: 'disabled' }, 'The gift certificate GIFT can not be used.'],
    ['expired', { status: 'expired' }, 'The gift certificate GIFT has expired.'],
    ['empty', { balance: 0 }, 'The gift certificate GIFT has no balance.'],
  ])('that is %s is refused with the words that clients look for', async (_, more, sentence) => {
    if (more) await give(10, 'GIFT', more)
    expect(await shopper.refusal(id, 'applyCheckoutGiftCertificate', { data: { giftCertificateCode: 'GIFT' } })).toBe(
      `Incorrect or mismatch: ${sentence}`,
    )
    expect((await shopper.read(id, SUMS)).giftCertificates).toEqual([])
  })

  test('is refused in another currency, beyond ten, by an old version, and with a code that nobody stores', async () => {
    await v2('POST', '/currencies', {
      currency_code: 'EUR',
      name: 'Euro',
      currency_exchange_rate: '0.9',
      token: '€',
      token_location: 'left',
      decimal_token: '.',
      thousands_token: ',',
      decimal_places: 2,
      enabled: true,
      is_transactional: true,
    })
    await give(10, 'EURO', { currency_code: 'EUR' })
    const refuse = (giftCertificateCode: string, more: object = {}) =>
      shopper.refusal(id, 'applyCheckoutGiftCertificate', { data: { giftCertificateCode }, ...more })
    expect(await refuse('EURO')).toBe('Incorrect or mismatch: The gift certificate EURO pays orders in EUR.')
    expect(await refuse('\u0000')).toContain('Incorrect or mismatch: ')
    for (let i = 1; i <= 11; i += 1) await give(1, `C${i}`)
    expect(await refuse('C1', { version: 1 })).toContain('The cart was changed')
    for (let i = 1; i <= 10; i += 1) await apply(`C${i}`)
    expect(await refuse('C11')).toBe('Incorrect or mismatch: A checkout can have at most 10 gift certificates.')
    const gone = await shopper.refusal(id, 'unapplyCheckoutGiftCertificate', { data: { giftCertificateCode: 'C11' } })
    expect(gone).toBe('This checkout has no gift certificate C11.')
  })

  test('of another store is unknown', async () => {
    const other = await openWithShipping()
    await other.call('POST', '/gift_certificates', { ...people, amount: 5, code: 'THERE' }, { version: 'v2' })
    expect(await shopper.refusal(id, 'applyCheckoutGiftCertificate', { data: { giftCertificateCode: 'THERE' } })).toBe(
      'Incorrect or mismatch: There is no gift certificate THERE.',
    )
  })
})

describe('an order', () => {
  test('is paid by a certificate and a card together', async () => {
    const certificate = await give(3, 'PART')
    await apply('PART')
    const { orderEntityId, paymentAccessToken } = await shopper.complete(id)
    expect(await balanceOf(certificate)).toBe('3.0000')
    // A decline gives the certificate its money back, and the token remains usable.
    expect((await payWith(shop, paymentAccessToken, BAD_CARD)).status).toBe(422)
    expect(await balanceOf(certificate)).toBe('3.0000')
    expect(await order(orderEntityId)).toMatchObject({ status_id: 0, gift_certificate_amount: '0.0000' })
    expect((await payWith(shop, paymentAccessToken)).status).toBe(201)
    expect(await balanceOf(certificate)).toBe('0.0000')
    expect(await order(orderEntityId)).toMatchObject({
      status_id: 10,
      payment_status: 'captured',
      total_inc_tax: '5.0000',
      gift_certificate_amount: '3.0000',
    })
    expect(await transactionsOf(orderEntityId)).toEqual([
      ['credit_card', 2, 'error'],
      ['gift_certificate', 3, 'ok'],
      ['credit_card', 2, 'ok'],
    ])
  })

  test('is placed at once by certificates that cover it', async () => {
    const [one, two] = [await give(2, 'ONE'), await give(10, 'TWO')]
    await apply('ONE')
    expect((await apply('TWO')).outstandingBalance).toEqual({ value: 0 })
    const { orderEntityId, paymentAccessToken, errors } = await shopper.complete(id)
    expect([paymentAccessToken, errors]).toEqual([null, []])
    expect(await order(orderEntityId)).toMatchObject({
      status_id: 10,
      payment_status: 'paid',
      gift_certificate_amount: '5.0000',
    })
    expect([await balanceOf(one), await balanceOf(two)]).toEqual(['0.0000', '7.0000'])
    expect(await transactionsOf(orderEntityId)).toEqual([
      ['gift_certificate', 2, 'ok'],
      ['gift_certificate', 3, 'ok'],
    ])
    expect(await shopper.read(id, 'entityId')).toBeNull()
  })

  test('that costs nothing is placed at once', async () => {
    await shop.call('PUT', '/catalog/products/3', { price: 0 })
    const { orderEntityId, paymentAccessToken } = await shopper.complete(id)
    expect(paymentAccessToken).toBeNull()
    // A download has nothing to be shipped.
    expect(await order(orderEntityId)).toMatchObject({ status_id: 10, total_inc_tax: '0.0000' })
  })

  test('buys no gift certificates with gift certificates (C11)', async () => {
    const sold = { name: 'Gift', theme: 'General', amount: 2, quantity: 1 }
    const person = { name: 'Bo', email: 'bo@example.com' }
    await shop.call('POST', `/carts/${id}/items`, {
      gift_certificates: [{ ...sold, sender: person, recipient: person }],
    })
    await give(40, 'MUCH')
    expect(await apply('MUCH')).toEqual({
      grandTotal: { value: 7 },
      outstandingBalance: { value: 2 },
      giftCertificates: [{ code: 'MUCH', used: { value: 5 }, remaining: { value: 35 } }],
    })
    const { orderEntityId, paymentAccessToken } = await shopper.complete(id)
    expect((await payWith(shop, paymentAccessToken)).status).toBe(201)
    expect(await order(orderEntityId)).toMatchObject({ gift_certificate_amount: '5.0000', payment_status: 'captured' })
  })

  test('is refused if another purchase has spent the certificate meanwhile, and charges nothing', async () => {
    const certificate = await give(3, 'RACE')
    await apply('RACE')
    const first = await shopper.complete(id)
    const other = await createCart(shop, { 3: 1 })
    await bill(other)
    await shopper.step(other, 'applyCheckoutGiftCertificate', { data: { giftCertificateCode: 'RACE' } })
    const second = await shopper.complete(other)
    expect((await payWith(shop, second.paymentAccessToken)).status).toBe(201)
    const late = await payWith(shop, first.paymentAccessToken)
    expect([late.status, late.body.title]).toEqual([
      422,
      'The order has changed since the token was issued: create a new one.',
    ])
    expect(await balanceOf(certificate)).toBe('0.0000')
    expect(await transactionsOf(first.orderEntityId)).toEqual([])
    // A new token asks for the whole amount.
    const { body } = await askToken(shop, first.orderEntityId)
    expect((await payWith(shop, body.data.id)).status).toBe(201)
    expect(await transactionsOf(first.orderEntityId)).toEqual([['credit_card', 5, 'ok']])
  })

  test('gives certificates back after an authorization is voided', async () => {
    const certificate = await give(3, 'VOID')
    await apply('VOID')

    await (await dbOf(shop)).transaction((tx) =>
      tx.rows(sql`update payment_providers set mode = 'authorize' where store_id = ${tx.store.id} returning gateway`),
    )
    const { orderEntityId, paymentAccessToken } = await shopper.complete(id)
    expect((await payWith(shop, paymentAccessToken)).status).toBe(201)
    expect(await balanceOf(certificate)).toBe('0.0000')
    expect(await order(orderEntityId)).toMatchObject({ payment_status: 'authorized', status_id: 7 })
    await shop.call('POST', `/orders/${orderEntityId}/payment_actions/void`)
    await doMoney()
    expect(await order(orderEntityId)).toMatchObject({ payment_status: 'void' })
    expect(await balanceOf(certificate)).toBe('3.0000')
  })
})

test('the certificates of a cart end when it is given to somebody else', async () => {
  await give(3, 'MINE')
  await apply('MINE')
  const { body } = await shop.call('POST', '/customers', [
    { email: 'bo@example.com', first_name: 'Bo', last_name: 'Ek' },
  ])
  const customer = body.data[0].id
  await shop.call('PUT', `/carts/${id}`, { customer_id: customer })
  const bo = await shopperOf(shop, customer)
  expect((await bo.read(id, SUMS)).giftCertificates).toEqual([])
})
