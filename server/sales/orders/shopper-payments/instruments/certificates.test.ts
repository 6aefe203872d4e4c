import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { sql } from '../../../../core/db/sql.ts'
import { problem } from '../../../../test/document/expected.ts'
import { doMoney } from '../../../../test/fixtures/orders.ts'
import { openShop, type Shop, theHouse } from '../../../../test/fixtures/shop.ts'
import { dbOf } from '../../../../test/fixtures/webhooks.ts'

// Gift certificates as money: docs/contract/marketing.md section 1, payments.md section 3, refunds.md section 3.

let shop: Shop
beforeEach(async () => {
  shop = await openShop()
})

afterAll(async () => {
  const { clock } = await theHouse()
  clock.move(60_000)
  await doMoney()
})

const v2 = (method: string, path: string, body?: unknown) => shop.call(method, path, body, { version: 'v2' })
const people = { to_name: 'Ann Lee', to_email: 'ann@example.com', from_name: 'Bo Ek', from_email: 'bo@example.com' }

/** Creates a certificate. @returns its id */
async function give(amount: number | string, code: string, more: object = {}): Promise<number> {
  const { status, body } = await v2('POST', '/gift_certificates', { ...people, amount, code, ...more })
  expect(status).toBe(201)
  return body.id
}
const balanceOf = async (id: number) => (await v2('GET', `/gift_certificates/${id}`)).body.balance

/** Places an order that its shopper can pay, of this total. */
async function open(total: number, more: object = {}): Promise<number> {
  const products = [{ name: 'Print', quantity: 1, price_ex_tax: total, price_inc_tax: total }]
  const billing_address = { first_name: 'Ida', last_name: 'Holm', zip: '1051', email: 'ida@example.com' }
  return (await v2('POST', '/orders', { billing_address, products, status_id: 0, ...more })).body.id
}
const read = async (id: number) => (await v2('GET', `/orders/${id}`)).body
const transactionsOf = async (id: number) => (await shop.call('GET', `/orders/${id}/transactions`)).body?.data ?? []
const methodsOf = async (id: number): Promise<string[]> =>
  (await shop.call('GET', `/payments/methods?order_id=${id}`)).body.data.map((method: { id: string }) => method.id)

const tokenFor = async (id: number): Promise<string> =>
  (await shop.call('POST', '/payments/access_tokens', { order: { id } })).body.data?.id

async function pay(
  id: number,
  instrument: object,
  payment_method_id: string,
  { token, key }: { token?: string; key?: string } = {},
) {
  const { server, clock } = await theHouse()
  // Slowly enough that no request is refused by the quota.
  clock.move(100)
  const answer = await server.inject({
    method: 'POST',
    url: `/stores/${shop.store.hash}/payments`,
    headers: {
      authorization: `PAT ${token ?? (await tokenFor(id))}`,
      accept: 'application/vnd.svc.v1+json',
      'content-type': 'application/json',
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    },
    payload: JSON.stringify({ payment: { instrument, payment_method_id } }),
  })
  return { status: answer.statusCode, body: answer.json() }
}
const byCertificate = (id: number, gift_certificate_code: string, more?: { token?: string; key?: string }) =>
  pay(id, { type: 'gift_certificate', gift_certificate_code }, 'svc.gift_certificate', more)
const byCard = (id: number, number = '4111111111111111') =>
  pay(id, { type: 'card', number, cardholder_name: 'Ida', expiry_month: 12, expiry_year: 2099 }, 'testgateway.card')

const quote = (id: number, amount: number) =>
  shop.call('POST', `/orders/${id}/payment_actions/refund_quotes`, {
    items: [{ item_type: 'ORDER', item_id: id, amount }],
  })
const refund = (id: number, amount: number, payments: object[]) =>
  shop.call('POST', `/orders/${id}/payment_actions/refunds`, {
    items: [{ item_type: 'ORDER', item_id: id, amount }],
    payments,
  })
const toCertificate = (amount: number, offline = false) => ({ provider_id: 'giftcertificate', amount, offline })

/** The last way of a quote: back to the tenders that were received. */
const originalMethod = async (id: number, amount: number) =>
  (await quote(id, amount)).body.data.refund_methods
    .at(-1)
    .map((one: { provider_id: string; amount: number; offline: boolean; offline_reason: string }) => [
      one.provider_id,
      one.amount,
      one.offline,
      one.offline_reason,
    ])

const historyOf = async (id: number) =>
  (
    await (
      await dbOf(shop)
    ).rows<{ change: number; balance: number; cause: string; order_id: number }>(sql`
      select change, balance, cause, order_id from gift_certificate_changes
      where store_id = ${shop.store.id} and certificate_id = ${id} order by version`)
  ).map(({ change, balance, cause, order_id }) => [change, balance, cause, order_id])

const setMode = async (mode: string) =>
  (await dbOf(shop)).transaction((tx) =>
    tx.rows(sql`update payment_providers set mode = ${mode} where store_id = ${tx.store.id} returning gateway`),
  )

describe('a payment by gift certificate', () => {
  test('covers an order, with its transaction, its history and the amount of the order', async () => {
    const certificate = await give(30, 'GIFT-1')
    const id = await open(25)
    expect(await methodsOf(id)).toEqual(['testgateway.card', 'svc.gift_certificate'])
    const paid = await byCertificate(id, ' gift-1 ')
    expect([paid.status, paid.body]).toEqual([
      201,
      { data: { id: expect.any(String), transaction_type: 'purchase', status: 'success' }, meta: {} },
    ])
    expect(await read(id)).toMatchObject({
      status_id: 11,
      payment_status: 'paid',
      total_inc_tax: '25.0000',
      gift_certificate_amount: '25.0000',
      store_credit_amount: '0.0000',
      payment_provider_id: 'giftcertificate',
    })
    expect(await transactionsOf(id)).toEqual([
      {
        id: 1,
        order_id: String(id),
        event: 'purchase',
        method: 'gift_certificate',
        amount: 25,
        currency: 'USD',
        gateway: 'giftcertificate',
        gateway_transaction_id: '',
        test: false,
        status: 'ok',
        fraud_review: false,
        reference_transaction_id: null,
        payment_method_id: 'svc.gift_certificate',
        date_created: expect.any(String),
        message: null,
        offline: null,
        custom: null,
        credit_card: null,
        store_credit: null,
        gift_certificate: {
          code: 'GIFT-1',
          original_balance: 30,
          starting_balance: 30,
          remaining_balance: 5,
          status: 'active',
        },
        avs_result: null,
        cvv_result: null,
        payment_instrument_token: null,
        provider_instrument_token: null,
        provider_customer_id: null,
        custom_provider_field_result: null,
      },
    ])
    expect(await historyOf(certificate)).toEqual([
      [30, 30, 'created', 0],
      [-25, 5, 'payment', id],
    ])
  })

  test('pays a part; other certificates and a card pay the rest', async () => {
    const [one, two] = [await give(10, 'ONE'), await give('7.5079', 'TWO')]
    const id = await open(25)
    expect((await byCertificate(id, 'ONE')).status).toBe(201)
    expect(await read(id)).toMatchObject({ status_id: 1, payment_status: '', gift_certificate_amount: '10.0000' })
    expect((await byCertificate(id, 'TWO')).status).toBe(201)
    expect(await read(id)).toMatchObject({ status_id: 1, gift_certificate_amount: '17.5000' })
    // Fractions of a cent can't pay.
    expect([await balanceOf(one), await balanceOf(two)]).toEqual(['0.0000', '0.0079'])
    expect((await byCertificate(id, 'TWO')).status).toBe(422)
    expect((await byCard(id, '4000000000000002')).status).toBe(422)
    expect(await read(id)).toMatchObject({ status_id: 1, payment_status: 'declined' })
    expect((await byCard(id)).status).toBe(201)
    expect(await read(id)).toMatchObject({
      status_id: 11,
      payment_status: 'captured',
      gift_certificate_amount: '17.5000',
    })
    expect(
      (await transactionsOf(id)).map((row: { method: string; amount: number }) => [row.method, row.amount]),
    ).toEqual([
      ['gift_certificate', 10],
      ['gift_certificate', 7.5],
      ['credit_card', 7.5],
      ['credit_card', 7.5],
    ])
  })

  test('is made once for an Idempotency-Key', async () => {
    const certificate = await give(10, 'ONCE')
    const id = await open(25)
    const same = { token: await tokenFor(id), key: 'key-1' }
    const answers = [await byCertificate(id, 'ONCE', same), await byCertificate(id, 'ONCE', same)]
    expect(answers.map(({ status }) => status)).toEqual([201, 201])
    expect(answers[1]?.body).toEqual(answers[0]?.body)
    expect(await historyOf(certificate)).toHaveLength(2)
  })

  test.each([
    ['unknown', {}, 'OTHER', 'There is no gift certificate OTHER.'],
    ['pending', { status: 'pending' }, 'GIFT', 'The gift certificate GIFT is pending.'],
    ['disabled', { status: 'disabled' }, 'GIFT', 'The gift certificate GIFT is disabled.'],
    ['marked as expired', { status: 'expired' }, 'GIFT', 'The gift certificate GIFT has expired.'],
    ['empty', { balance: 0 }, 'GIFT', 'The gift certificate GIFT has no balance.'],
    ['below a cent', { balance: '0.0099' }, 'GIFT', 'The gift certificate GIFT has no balance.'],
  ])('is refused for a certificate that is %s', async (_, more, code, sentence) => {
    const certificate = await give(10, 'GIFT', more)
    const id = await open(25)
    const { status, body } = await byCertificate(id, code)
    expect([status, body]).toEqual([
      422,
      {
        ...problem(422, expect.any(String), { 'payment.instrument.gift_certificate_code': sentence }),
        code: 10_001,
      },
    ])
    expect(await transactionsOf(id)).toEqual([])
    expect(await historyOf(certificate)).toHaveLength(1)
    expect((await byCard(id)).status).toBe(201)
  })

  test('is refused for a certificate of another store', async () => {
    await give(10, 'HERE')
    const other = await openShop()
    const certificate = { ...people, amount: 10, code: 'THERE' }
    expect((await other.call('POST', '/gift_certificates', certificate, { version: 'v2' })).status).toBe(201)
    const { status, body } = await byCertificate(await open(25), 'THERE')
    expect([status, Object.values(body.errors)]).toEqual([422, ['There is no gift certificate THERE.']])
  })

  test('needs a code, even if only the method names certificates', async () => {
    const id = await open(25)
    const { status, body } = await pay(id, { type: 'store_credit' }, 'svc.gift_certificate')
    expect([status, body.errors]).toEqual([422, { 'payment.instrument.gift_certificate_code': 'error.path.missing' }])
  })

  test('ends at the second of the expiry date', async () => {
    const { clock } = await theHouse()
    const expiry_date = Math.floor(clock.now().getTime() / 1_000) + 3_600
    const certificate = await give(30, 'HOUR', { expiry_date })
    const [one, two] = [await open(10), await open(10)]
    // The clock runs on, so a slow machine needs some time.
    clock.move(expiry_date * 1_000 - clock.now().getTime() - 600_000)
    expect(await methodsOf(one)).toContain('svc.gift_certificate')
    expect((await byCertificate(one, 'HOUR')).status).toBe(201)
    clock.move(expiry_date * 1_000 - clock.now().getTime())
    expect(await methodsOf(two)).not.toContain('svc.gift_certificate')
    const { status, body } = await byCertificate(two, 'HOUR')
    expect([status, Object.values(body.errors)]).toEqual([422, ['The gift certificate HOUR has expired.']])
    expect(await balanceOf(certificate)).toBe('20.0000')
    // Money goes back to it nevertheless; the merchant can give it more time.
    await refund(one, 10, [toCertificate(10)])
    await doMoney()
    expect(await balanceOf(certificate)).toBe('30.0000')
    expect((await transactionsOf(one)).at(-1).gift_certificate).toMatchObject({ status: 'expired' })
    await v2('PUT', `/gift_certificates/${certificate}`, { expiry_date: 0 })
    expect((await byCertificate(two, 'HOUR')).status).toBe(201)
  })

  test('is offered and taken in the currency of the certificate only', async () => {
    const made = await v2('POST', '/currencies', {
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
    expect(made.status, made.text).toBeLessThan(300)
    const certificate = await give(50, 'EURO', { currency_code: 'EUR' })
    const [dollars, euros] = [await open(10), await open(10, { default_currency_code: 'EUR' })]
    expect(await methodsOf(dollars)).toEqual(['testgateway.card'])
    expect(await methodsOf(euros)).toContain('svc.gift_certificate')
    const { body } = await byCertificate(dollars, 'EURO')
    expect(Object.values(body.errors)).toEqual(['The gift certificate EURO pays orders in EUR.'])
    expect((await byCertificate(euros, 'EURO')).status).toBe(201)
    // After a change of its currency, nothing can be given back to it.
    await v2('PUT', `/gift_certificates/${certificate}`, { currency_code: 'USD' })
    expect(await originalMethod(euros, 10)).toEqual([
      ['giftcertificate', 10, true, 'The gift certificate was deleted, or its currency was changed.'],
    ])
  })
})

describe('money of a gift certificate', () => {
  test('goes back to it after the gateway, in parts', async () => {
    const certificate = await give(10, 'BACK')
    const id = await open(25)
    await byCertificate(id, 'BACK')
    await byCard(id)
    expect(await originalMethod(id, 18)).toEqual([
      ['testgateway', 15, false, ''],
      ['giftcertificate', 3, false, ''],
    ])
    const payments = [{ provider_id: 'testgateway', amount: 15 }, toCertificate(3)]
    const made = await refund(id, 18, payments)
    expect([made.status, made.body.data.payments]).toMatchObject([201, [{ offline: false }, { offline: false }]])
    // Until the job has run, the money is reserved.
    expect(await originalMethod(id, 7)).toEqual([['giftcertificate', 7, false, '']])
    expect((await quote(id, 7.01)).status).toBe(422)
    expect(await balanceOf(certificate)).toBe('0.0000')
    await doMoney()
    expect(await balanceOf(certificate)).toBe('3.0000')
    expect(await read(id)).toMatchObject({ payment_status: 'partially refunded', refunded_amount: '18.0000' })
    expect((await transactionsOf(id)).at(-1)).toMatchObject({
      event: 'refund',
      method: 'gift_certificate',
      gateway: 'giftcertificate',
      amount: 3,
      status: 'ok',
      reference_transaction_id: 1,
      gift_certificate: { code: 'BACK', original_balance: 10, starting_balance: 0, remaining_balance: 3 },
    })
    await refund(id, 7, [toCertificate(7)])
    await doMoney()
    expect(await read(id)).toMatchObject({ status_id: 4, payment_status: 'refunded', refunded_amount: '25.0000' })
    expect(await historyOf(certificate)).toEqual([
      [10, 10, 'created', 0],
      [-10, 0, 'payment', id],
      [3, 3, 'refund', id],
      [7, 10, 'refund', id],
    ])
  })

  test('of two certificates goes back to one that paid enough, else to both', async () => {
    const [one, two] = [await give(4, 'ONE'), await give(8, 'TWO')]
    const id = await open(12)
    await byCertificate(id, 'ONE')
    await byCertificate(id, 'TWO')
    expect(await read(id)).toMatchObject({ payment_status: 'paid', gift_certificate_amount: '12.0000' })
    await refund(id, 5, [toCertificate(5)])
    await doMoney()
    expect([await balanceOf(one), await balanceOf(two)]).toEqual(['0.0000', '5.0000'])
    await refund(id, 7, [toCertificate(7)])
    await doMoney()
    expect([await balanceOf(one), await balanceOf(two)]).toEqual(['4.0000', '8.0000'])
    expect((await transactionsOf(id)).at(-1)).toMatchObject({
      amount: 7,
      gift_certificate: null,
      message: 'Returned to 2 gift certificates.',
    })
    expect(await read(id)).toMatchObject({ payment_status: 'refunded' })
  })

  test('is only recorded if the refund is sent as offline', async () => {
    const certificate = await give(10, 'HAND')
    const id = await open(10)
    await byCertificate(id, 'HAND')
    await refund(id, 10, [toCertificate(10, true)])
    await doMoney()
    expect(await balanceOf(certificate)).toBe('0.0000')
    expect(await read(id)).toMatchObject({ payment_status: 'refunded' })
  })

  test('goes back when the rest of the payment is voided', async () => {
    const certificate = await give(10, 'VOID')
    await setMode('authorize')
    const id = await open(25)
    await byCertificate(id, 'VOID')
    await byCard(id)
    expect(await read(id)).toMatchObject({ payment_status: 'authorized' })
    expect((await shop.call('POST', `/orders/${id}/payment_actions/void`)).status).toBe(201)
    await doMoney()
    expect(await read(id)).toMatchObject({ payment_status: 'void', status_id: 5 })
    expect((await transactionsOf(id)).slice(2)).toMatchObject([
      { event: 'void', method: 'credit_card', amount: 15 },
      { event: 'refund', method: 'gift_certificate', amount: 10, gift_certificate: { remaining_balance: 10 } },
    ])
    expect((await historyOf(certificate)).at(-1)).toEqual([10, 10, 'void', id])
    expect((await quote(id, 1)).status).toBe(422)
  })

  test('goes back when a card is declined after it was pending', async () => {
    const certificate = await give(10, 'LATE')
    const id = await open(25.62)
    await byCertificate(id, 'LATE')
    expect((await byCard(id)).body.data.status).toBe('pending')
    expect(await balanceOf(certificate)).toBe('0.0000')
    const { clock } = await theHouse()
    clock.move(10_000)
    await doMoney()
    expect(await read(id)).toMatchObject({ payment_status: 'declined', status_id: 6 })
    expect(await historyOf(certificate)).toEqual([
      [10, 10, 'created', 0],
      [-10, 0, 'payment', id],
      [10, 10, 'void', id],
    ])
  })
})

describe('a deleted gift certificate', () => {
  test('leaves its orders and its history, and its money is refunded in other ways', async () => {
    const certificate = await give(10, 'GONE')
    const id = await open(10)
    await byCertificate(id, 'GONE')
    expect((await v2('DELETE', `/gift_certificates/${certificate}`)).status).toBe(204)
    expect(await read(id)).toMatchObject({ gift_certificate_amount: '10.0000', payment_status: 'paid' })
    expect((await transactionsOf(id))[0].gift_certificate).toMatchObject({ code: 'GONE', remaining_balance: 0 })
    expect(await historyOf(certificate)).toEqual([
      [10, 10, 'created', 0],
      [-10, 0, 'payment', id],
      [0, 0, 'deleted', 0],
    ])
    expect(await originalMethod(id, 10)).toEqual([
      ['giftcertificate', 10, true, 'The gift certificate was deleted, or its currency was changed.'],
    ])
    expect((await refund(id, 4, [toCertificate(4)])).status).toBe(422)
    expect((await refund(id, 4, [{ provider_id: 'custom', amount: 4 }])).status).toBe(201)
    expect((await refund(id, 6, [toCertificate(6, true)])).status).toBe(201)
    await doMoney()
    expect(await read(id)).toMatchObject({ payment_status: 'refunded' })
  })

  test('takes nothing that another certificate of the order can take', async () => {
    const [one, two] = [await give(4, 'ONE'), await give(8, 'TWO')]
    const id = await open(12)
    await byCertificate(id, 'ONE')
    await byCertificate(id, 'TWO')
    await v2('DELETE', `/gift_certificates/${one}`)
    expect(await originalMethod(id, 8)).toEqual([['giftcertificate', 8, false, '']])
    expect(await originalMethod(id, 8.01)).toMatchObject([['giftcertificate', 8.01, true, expect.any(String)]])
    await refund(id, 8, [toCertificate(8)])
    await doMoney()
    expect(await balanceOf(two)).toBe('8.0000')
    expect(await originalMethod(id, 4)).toMatchObject([['giftcertificate', 4, true, expect.any(String)]])
  })

  test('declines a refund that was accepted before, which can then be made again', async () => {
    const certificate = await give(10, 'SOON')
    const id = await open(10)
    await byCertificate(id, 'SOON')
    expect((await refund(id, 10, [toCertificate(10)])).status).toBe(201)
    await v2('DELETE', '/gift_certificates')
    await doMoney()
    const [payment] = (await shop.call('GET', `/orders/${id}/payment_actions/refunds`)).body.data[0].payments
    expect(payment).toMatchObject({
      is_declined: true,
      declined_message: 'The gift certificate was deleted, or its currency was changed.',
    })
    expect((await transactionsOf(id)).at(-1)).toMatchObject({ event: 'refund', status: 'error' })
    expect(await read(id)).toMatchObject({ payment_status: 'paid', refunded_amount: '0.0000' })
    expect((await refund(id, 10, [toCertificate(10, true)])).status).toBe(201)
    expect((await historyOf(certificate)).at(-1)).toEqual([0, 0, 'deleted', 0])
  })

  test('leaves its money with an order whose card is voided', async () => {
    const certificate = await give(10, 'VOID')
    await setMode('authorize')
    const id = await open(25)
    await byCertificate(id, 'VOID')
    await byCard(id)
    await v2('DELETE', `/gift_certificates/${certificate}`)
    await shop.call('POST', `/orders/${id}/payment_actions/void`)
    await doMoney()
    expect((await transactionsOf(id)).at(-1)).toMatchObject({ event: 'refund', amount: 10, status: 'error' })
    expect((await refund(id, 10, [{ provider_id: 'custom', amount: 10 }])).status).toBe(201)
    await doMoney()
    expect(await read(id)).toMatchObject({ payment_status: 'refunded' })
  })
})

describe('one certificate in many hands (C-136)', () => {
  test('pays 20 orders at once, with refunds and changes in between, and never more than there is', async () => {
    const certificate = await give(50, 'RACE')
    const ids: number[] = []
    for (let i = 0; i < 20; i++) ids.push(await open(7))
    const paid = await Promise.all(ids.map((id) => byCertificate(id, 'RACE')))
    expect(paid.filter(({ status }) => status === 201)).toHaveLength(8)
    expect(paid.every(({ status }) => status === 201 || status === 422)).toBe(true)
    expect(await balanceOf(certificate)).toBe('0.0000')
    const takers = ids.filter((_, i) => paid[i]?.status === 201)
    const others = ids.filter((_, i) => paid[i]?.status !== 201)
    await Promise.all([
      ...takers.map(async (id) => {
        const { gift_certificate_amount } = await read(id)
        await refund(id, Number(gift_certificate_amount), [toCertificate(Number(gift_certificate_amount))])
        await doMoney()
      }),
      ...others.map((id) => byCertificate(id, 'RACE')),
    ])
    await doMoney()
    const history = await historyOf(certificate)
    const sums = { payment: 0, refund: 0 }
    for (const [change, balance, cause] of history) {
      expect(balance).toBeGreaterThanOrEqual(0)
      if (cause === 'payment' || cause === 'refund') sums[cause] += Math.round(Number(change) * 100)
    }
    expect(sums.refund).toBe(5_000)
    const taken = (await Promise.all(ids.map(transactionsOf))).flat()
    const of = (event: string) =>
      taken
        .filter((row) => row.event === event && row.status === 'ok')
        .reduce((sum, { amount }) => sum + Math.round(amount * 100), 0)
    expect([of('purchase'), of('refund')]).toEqual([-sums.payment, sums.refund])
    expect(Math.round(Number(await balanceOf(certificate)) * 100)).toBe(5_000 + sums.payment + sums.refund)
  })

  test('C-022: ten refunds at once of twice what it paid give back at most that, one after another', async () => {
    const certificate = await give(50, 'RACE')
    const id = await open(7)
    expect((await byCertificate(id, 'RACE')).status).toBe(201)
    const refunds = await Promise.all(Array.from({ length: 10 }, () => refund(id, 1.4, [toCertificate(1.4)])))
    await doMoney()
    expect(refunds.map(({ status }) => status).sort()).toEqual([...Array(5).fill(201), ...Array(5).fill(422)])
    const { body } = await shop.call('GET', `/orders/${id}/payment_actions/refunds`)
    const listed = body.data.map((one: { id: number; total_amount: number }) => [one.id, one.total_amount])
    expect(listed).toEqual(listed.toSorted(([one = 0]: number[], [other = 0]: number[]) => one - other))
    expect(listed.map(([, amount]: number[]) => amount)).toEqual([1.4, 1.4, 1.4, 1.4, 1.4])
    expect(await balanceOf(certificate)).toBe('50.0000')
    expect(await historyOf(certificate)).toEqual([
      [50, 50, 'created', 0],
      [-7, 43, 'payment', id],
      ...[44.4, 45.8, 47.2, 48.6, 50].map((balance) => [1.4, balance, 'refund', id]),
    ])
  })

  test('is deleted while orders pay with it: each payment is whole, or refused', async () => {
    const certificate = await give(30, 'RACE')
    const ids = [await open(7), await open(7), await open(7), await open(7)]
    const [deleted, ...paid] = await Promise.all([
      v2('DELETE', `/gift_certificates/${certificate}`),
      ...ids.map((id) => byCertificate(id, 'RACE')),
    ])
    expect(deleted.status).toBe(204)
    const made = paid.filter(({ status }) => status === 201).length
    expect(await historyOf(certificate)).toEqual([
      [30, 30, 'created', 0],
      ...Array.from({ length: made }, (_, i) => [-7, 30 - 7 * (i + 1), 'payment', expect.any(Number)]),
      [7 * made - 30, 0, 'deleted', 0],
    ])
    for (const [i, { status }] of paid.entries()) {
      expect([201, 422]).toContain(status)
      const amount = (await read(ids[i] ?? 0)).gift_certificate_amount
      expect(amount).toBe(status === 201 ? '7.0000' : '0.0000')
    }
  })
})
