import { createHash, createHmac, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../../core/db/sql.ts'
import { deleteStore } from '../../../stores/directory/deletion.ts'
import { problem } from '../../../test/document/expected.ts'
import { doMoney } from '../../../test/fixtures/orders.ts'
import { type Answered, openShop, type Shop, theHouse } from '../../../test/fixtures/shop.ts'
import { dbOf, rowsOf } from '../../../test/fixtures/webhooks.ts'
import { pollDelay, rescueLater } from './jobs.ts'

// docs/contract/payments.md.

const billing_address = { first_name: 'Ida', last_name: 'Holm', zip: '1051', email: 'ida@example.com' }

let shop: Shop
beforeAll(async () => {
  shop = await openShop()
})

// Files of tests share a server: what waits here is not to be done in the next.
afterAll(async () => {
  const { clock } = await theHouse()
  clock.move(60_000)
  await doMoney()
})

/** An order that its shopper can pay, of this total. */
async function open(total = 25, more: object = {}): Promise<number> {
  const products = [{ name: 'Print', quantity: 1, price_ex_tax: total, price_inc_tax: total }]
  const body = { billing_address, products, status_id: 0, ...more }
  return (await shop.call('POST', '/orders', body, { version: 'v2' })).body.id
}
const read = async (id: number) => (await shop.call('GET', `/orders/${id}`, undefined, { version: 'v2' })).body
const askToken = (id: number) => shop.call('POST', '/payments/access_tokens', { order: { id } })
const tokenFor = async (id: number): Promise<string> => (await askToken(id)).body.data.id

const card = (number = '4111111111111111') => ({
  type: 'card',
  number,
  cardholder_name: 'Ida Holm',
  expiry_month: 12,
  expiry_year: 2030,
  verification_value: '123',
})
const byCard = (number?: string, more: object = {}) => ({
  payment: { instrument: card(number), payment_method_id: 'testgateway.card', ...more },
})

interface Request {
  headers?: Record<string, string>
  payload?: string
  hash?: string
  atOnce?: boolean
}

/** The body of a shopper's request. */
async function send(token: string, body: unknown = byCard(), { headers = {}, payload, hash, atOnce }: Request = {}) {
  const { server, clock } = await theHouse()
  // Slowly enough that none has to wait.
  if (!atOnce) clock.move(100)
  const answer = await server.inject({
    method: 'POST',
    url: `/stores/${hash ?? shop.store.hash}/payments`,
    headers: {
      authorization: `PAT ${token}`,
      accept: 'application/vnd.svc.v1+json',
      'content-type': 'application/json',
      ...headers,
    },
    payload: payload ?? JSON.stringify(body),
  })
  return { status: answer.statusCode, headers: answer.headers, body: answer.json(), text: answer.body }
}

const coded = (status: number, code: number, title: unknown = expect.any(String), errors: object = {}) => ({
  ...problem(status, title, errors),
  code,
})
const refusedWith = (answer: Pick<Answered, 'status' | 'body'>) => [answer.status, answer.body.code]
const success = (transaction_type = 'purchase', status = 'success') => ({
  data: { id: expect.stringMatching(/^[0-9a-f-]{36}$/), transaction_type, status },
  meta: {},
})

/** Sets the store's only provider up anew. */
async function setUp(target: Shop, mode: string, options: object = {}, more: object = {}) {
  const row = { gateway: 'testgateway', channel_id: 0, currency: '', mode, is_test: true, credentials: '', ...more }
  await (await dbOf(target)).transaction((tx) =>
    tx.rows(
      sql`insert into payment_providers ${sql.rows([
        { store_id: tx.store.id, ...row, options: JSON.stringify(options), updated_at: tx.now },
      ])} on conflict (store_id, gateway, channel_id, currency) do update set mode = excluded.mode`,
    ),
  )
}

const transactionsOf = async (id: number) => (await shop.call('GET', `/orders/${id}/transactions`)).body?.data ?? []

describe('a token', () => {
  const claimsOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())

  test('has its order and amount in its claims, for an hour', async () => {
    const id = await open(25.5)
    const { status, body } = await askToken(id)
    expect([status, Object.keys(body)]).toEqual([201, ['data', 'meta']])
    const claims = claimsOf(body.data.id)
    expect(claims).toEqual({
      iss: 'http://shop.test',
      sub: shop.store.hash,
      jti: expect.any(String),
      iat: claims.nbf,
      nbf: expect.any(Number),
      exp: claims.nbf + 3_600,
      data: { store_id: shop.store.id, order_id: id, amount: 2_550, currency: 'USD' },
    })
  })

  test('of a deleted store is 401', async () => {
    const { installation, files } = await theHouse()
    const gone = await openShop()
    const products = [{ name: 'Print', quantity: 1, price_ex_tax: 5, price_inc_tax: 5 }]
    const body = { billing_address, products, status_id: 0 }
    const { id } = (await gone.call('POST', '/orders', body, { version: 'v2' })).body
    const token = (await gone.call('POST', '/payments/access_tokens', { order: { id } })).body.data.id
    await deleteStore({ ...installation, files }, gone.store.hash)
    expect(await send(token, byCard(), { hash: gone.store.hash })).toMatchObject({ status: 401 })
  })

  test('is made for an order that can be paid, and no other', async () => {
    expect((await shop.call('POST', '/payments/access_tokens', { order: { id: 99_999 } })).status).toBe(404)
    expect((await shop.call('POST', '/payments/access_tokens', {})).status).toBe(422)
    for (const more of [{ status_id: 1 }, { status_id: 11 }]) {
      const { status, body } = await askToken(await open(5, more))
      expect([status, body.title]).toEqual([409, expect.stringContaining('incomplete')])
    }
    expect((await askToken(await open(0))).body).toEqual(problem(409, 'Nothing is left to pay for this order.'))
    const archived = await open()
    await shop.call('DELETE', `/orders/${archived}`, undefined, { version: 'v2' })
    expect((await askToken(archived)).status).toBe(404)
    const byHand = await open()
    await (await dbOf(shop)).transaction((tx) =>
      tx.rows(
        sql`update orders set order_source = 'manual' where store_id = ${tx.store.id} and id = ${byHand} returning id`,
      ),
    )
    expect((await askToken(byHand)).status).toBe(409)
  })

  test('that is none, forged, of another store, of another purpose or too old opens nothing', async () => {
    const token = await tokenFor(await open())
    const [head = '', claims = ''] = token.split('.')
    const forged = createHmac('sha256', 'a guess').update(`${head}.${claims}`).digest('base64url')
    const bare = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')
    const others = claimsOf(token)
    const changed = Buffer.from(JSON.stringify({ ...others, data: { ...others.data, amount: 1 } })).toString(
      'base64url',
    )
    const other = await openShop()
    const expected = problem(401, 'A payment access token that is valid for this store is required.')
    const wrong = [
      `${head}.${claims}.${forged}`,
      `${bare}.${claims}.`,
      token.replace(claims, changed),
      'x',
      '',
      shop.admin.access_token,
    ]
    for (const bad of wrong) {
      const answer = await send(bad)
      expect([answer.status, answer.body, answer.headers['www-authenticate']]).toEqual([401, expected, 'PAT'])
    }
    expect((await send(token, byCard(), { headers: { authorization: `Bearer ${token}` } })).status).toBe(401)
    expect((await send(token, byCard(), { hash: other.store.hash })).body).toEqual(expected)
    expect((await send(token, byCard(), { hash: 'nowhere' })).body).toEqual(expected)
    const { clock } = await theHouse()
    clock.move(3_600_000)
    expect((await send(token)).body).toEqual(expected)
    expect(await rowsOf(shop, 'payments')).toEqual([])
  })

  test('is spent by a success, which ends the others of its order too', async () => {
    const id = await open()
    const [one, other] = [await tokenFor(id), await tokenFor(id)]
    expect((await send(one)).status).toBe(201)
    expect([(await send(one)).status, (await send(other)).status]).toEqual([401, 401])
    expect((await transactionsOf(id)).length).toBe(1)
  })

  test('lasts for five declines, and is good for none of another amount', async () => {
    const id = await open()
    const token = await tokenFor(id)
    for (let i = 0; i < 5; i++)
      expect(refusedWith(await send(token, byCard('4000000000000002')))).toEqual([422, 30_104])
    expect((await send(token)).status).toBe(401)
    expect(await read(id)).toMatchObject({ payment_status: 'declined', status_id: 0 })
    const before = await tokenFor(id)
    await shop.call('PUT', `/orders/${id}`, { discount_amount: 5 }, { version: 'v2' })
    expect((await send(before)).body).toEqual(
      coded(422, 30_004, 'The order has changed since the token was issued: create a new one.'),
    )
    expect(await send(await tokenFor(id))).toMatchObject({ status: 201, body: success() })
    expect(await read(id)).toMatchObject({ payment_status: 'captured', status_id: 11 })
  })
})

describe('a payment', () => {
  test('that is approved is a transaction that shows no number, and the order goes on', async () => {
    const id = await open(40)
    const { status, body, headers } = await send(await tokenFor(id))
    expect([status, body, headers['content-type'], headers['cache-control']]).toEqual([
      201,
      success(),
      'application/json',
      'no-store',
    ])
    expect(await read(id)).toMatchObject({
      payment_status: 'captured',
      status_id: 11,
      payment_method: 'Test Payment Gateway',
      payment_provider_id: 'testgateway',
    })
    expect(await transactionsOf(id)).toEqual([
      expect.objectContaining({
        event: 'purchase',
        method: 'credit_card',
        amount: 40,
        gateway: 'testgateway',
        gateway_transaction_id: expect.stringMatching(/^test_/),
        test: true,
        status: 'ok',
        payment_method_id: 'testgateway.card',
        credit_card: {
          card_type: 'visa',
          card_iin: '411111',
          card_last4: '1111',
          card_expiry_month: 12,
          card_expiry_year: 2030,
        },
      }),
    ])
    for (const table of [
      'payments',
      'payment_attempts',
      'testgateway_entries',
      'order_transactions',
      'events',
      'jobs',
    ]) {
      expect(JSON.stringify(await rowsOf(shop, table))).not.toMatch(/4111111111111111|"123"/)
    }
  })

  test.each([
    ['4000000000000002', 30_104],
    ['4000000000009995', 30_106],
    ['4000000000000069', 30_103],
    ['5555555555554444', 30_102],
  ])('by the card %s is declined with %i', async (number, code) => {
    const id = await open()
    expect((await send(await tokenFor(id), byCard(number))).body).toEqual(coded(422, code))
    expect(await read(id)).toMatchObject({ payment_status: 'declined', status_id: 0 })
    expect(await transactionsOf(id)).toMatchObject([
      { event: 'purchase', status: 'error', message: expect.any(String) },
    ])
  })

  test.each<[string, unknown, status: number, code: number, errors?: object]>([
    ['no body', {}, 422, 10_001, { payment: 'error.path.missing' }],
    [
      'a card without its fields',
      { payment: { instrument: { type: 'card', number: '4111111111111111' }, payment_method_id: 'testgateway.card' } },
      422,
      10_001,
      {
        'payment.instrument.cardholder_name': 'error.path.missing',
        'payment.instrument.expiry_month': 'error.path.missing',
        'payment.instrument.expiry_year': 'error.path.missing',
      },
    ],
    [
      'letters in its number',
      byCard('4111abcd11111111'),
      422,
      10_001,
      { 'payment.instrument.number': expect.any(String) },
    ],
    [
      'a month that is none',
      { payment: { instrument: { ...card(), expiry_month: 13 }, payment_method_id: 'testgateway.card' } },
      422,
      10_001,
      { 'payment.instrument.expiry_month': expect.any(String) },
    ],
    ['a method that is not there', byCard(undefined, { payment_method_id: 'stripe.card' }), 422, 30_000, {}],
    ['a method of another kind', byCard(undefined, { payment_method_id: 'testgateway.wallet' }), 422, 30_000, {}],
    [
      'a stored card that is not there',
      {
        payment: {
          instrument: { type: 'stored_card', token: 'a'.repeat(64) },
          payment_method_id: 'testgateway.card',
        },
      },
      422,
      30_051,
      {},
    ],
    ['a card to be saved for a guest', byCard(undefined, { save_instrument: true }), 422, 30_002, {}],
    [
      'a gift certificate',
      {
        payment: {
          instrument: { type: 'gift_certificate', gift_certificate_code: 'ABC' },
          payment_method_id: 'svc.gift_certificate',
        },
      },
      422,
      10_001,
      { 'payment.instrument.gift_certificate_code': 'There is no gift certificate ABC.' },
    ],
    [
      'store credit of a guest',
      { payment: { instrument: { type: 'store_credit' }, payment_method_id: 'svc.store_credit' } },
      422,
      10_001,
      { 'payment.instrument.type': 'A guest has no store credit.' },
    ],
  ])('with %s is refused, and costs no try', async (...[, body, status, code, errors = {}]) => {
    const id = await open()
    const token = await tokenFor(id)
    for (let i = 0; i < 6; i++) {
      const { text: _text, headers: _headers, ...answer } = await send(token, body)
      expect(answer).toEqual({
        status,
        body: {
          ...coded(status, code, expect.any(String), errors),
          ...(code === 10_001 ? { detail: answer.body.detail } : {}),
        },
      })
      if (answer.body.detail === undefined) delete answer.body.detail
    }
    expect((await send(token)).status).toBe(201)
  })

  test('that is malformed, or asks for another media type, is refused as everywhere', async () => {
    const token = await tokenFor(await open())
    expect(refusedWith(await send(token, {}, { payload: '{' }))).toEqual([400, 10_001])
    expect((await send(token, {}, { headers: { accept: 'text/html' } })).status).toBe(406)
    expect((await send(token, {}, { headers: { 'content-type': 'text/plain' } })).status).toBe(415)
    expect((await send(token, byCard(), { headers: { accept: 'application/json' } })).status).toBe(201)
  })

  test('of an order that went on, was archived or is paid is refused', async () => {
    const [moved, archived] = [await open(), await open()]
    const [one, other] = [await tokenFor(moved), await tokenFor(archived)]
    await shop.call('PUT', `/orders/${moved}`, { status_id: 11 }, { version: 'v2' })
    await shop.call('DELETE', `/orders/${archived}`, undefined, { version: 'v2' })
    expect(refusedWith(await send(one))).toEqual([422, 30_101])
    expect((await send(other)).body).toEqual(coded(404, 30_003, `The order ${archived} does not exist.`))
  })

  test('is made once, however many ask for it at once, and once for each Idempotency-Key', async () => {
    const id = await open()
    const tokens = [await tokenFor(id), await tokenFor(id), await tokenFor(id)]
    const answers = await Promise.all(tokens.map((token) => send(token)))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    for (const answer of answers) if (answer.status !== 201) expect([401, 409, 422]).toContain(answer.status)
    expect(await transactionsOf(id)).toHaveLength(1)
    const second = await open()
    const token = await tokenFor(second)
    const headers = { 'idempotency-key': 'one' }
    const first = await send(token, byCard(), { headers })
    const again = await send(token, byCard(), { headers })
    expect([again.status, again.body, again.headers['idempotent-replayed']]).toEqual([201, first.body, 'true'])
    expect(refusedWith(await send(token, byCard('4242424242424242'), { headers }))).toEqual([422, 10_001])
    expect(refusedWith(await send(token, byCard(), { headers: { 'idempotency-key': 'é' } }))).toEqual([422, 10_001])
    expect(await transactionsOf(second)).toHaveLength(1)
    // The digest of a request is keyed: a plain one would tell a card number to whoever tries them all.
    const { jti } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
    const plain = createHash('sha256')
      .update(`${jti} ${JSON.stringify(byCard().payment)}`)
      .digest('base64url')
    const hashes = (await rowsOf(shop, 'payments')).map(({ request_hash }) => request_hash)
    expect(hashes).toEqual(expect.arrayContaining(['', expect.stringMatching(/^[\w-]{43}$/)]))
    expect(hashes).not.toContain(plain)
  })

  test('whose answer is lost is asked for, and made once', async () => {
    const id = await open(10.63)
    expect((await send(await tokenFor(id))).body).toEqual(success())
    expect(await transactionsOf(id)).toHaveLength(1)
  })

  test.each([
    [10.61, 'pending', 7, 'captured', 11, ['ok', 'ok']],
    [10.62, 'pending', 7, 'declined', 6, ['error', 'error']],
    [10.64, 'held for review', 12, 'captured', 11, ['ok', 'ok']],
    [10.65, 'held for review', 12, 'void', 5, ['error', 'error']],
  ])(
    'of %d is %s (%i) until the gateway calls back, then %s',
    async (...[total, waits, status, payment_status, status_id, statuses]) => {
      const { clock } = await theHouse()
      const id = await open(total)
      const token = await tokenFor(id)
      expect(await send(token)).toMatchObject({ status: 201, body: success('purchase', 'pending') })
      expect(await read(id)).toMatchObject({ payment_status: waits, status_id: status })
      expect(await transactionsOf(id)).toMatchObject([{ event: 'pending', fraud_review: waits === 'held for review' }])
      expect((await send(token)).status).toBe(401)
      await doMoney()
      expect((await read(id)).payment_status).toBe(waits)
      clock.move(2_000)
      await doMoney()
      expect(await read(id)).toMatchObject({ payment_status, status_id })
      expect(await transactionsOf(id)).toMatchObject([
        { event: 'pending', status: statuses[0] },
        { event: 'purchase', status: statuses[1] },
      ])
      clock.move(3_600_000)
      await doMoney()
      expect(await transactionsOf(id)).toHaveLength(2)
    },
  )
})

test('a payment whose process died before the answer is found out by a job', async () => {
  const { clock, installation } = await theHouse()
  const id = await open(12)
  const token = await tokenFor(id)
  const made = await send(token)
  // As it was when the answer was on its way.
  await (await dbOf(shop)).transaction(async (tx) => {
    const here = sql`store_id = ${tx.store.id}`
    const payment = made.body.data.id
    await tx.rows(sql`update payments set state = 'open' where ${here} and id = ${payment} returning id`)
    await tx.rows(
      sql`update payment_attempts set outcome = null where ${here} and key = ${`${payment}:purchase`} returning key`,
    )
    await tx.rows(sql`delete from order_transactions where ${here} and order_id = ${id} returning id`)
    await tx.rows(
      sql`update counters set total = total - 1 where ${here} and resource = 'order_transactions' returning total`,
    )
    await tx.rows(sql`update orders set payment_status = '', status_id = 0 where ${here} and id = ${id} returning id`)
    await tx.rows(sql`update payment_tokens set is_spent = false where ${here} and order_id = ${id} returning jti`)
  })
  expect(refusedWith(await send(token))).toEqual([409, 30_105])
  clock.move(60_000)
  await doMoney()
  expect(await read(id)).toMatchObject({ payment_status: 'captured', status_id: 11 })
  expect((await send(token)).status).toBe(401)
  expect(installation.clock).toBe(clock)
})

test('a payment whose process died before it sent anything is not made, and another one can be', async () => {
  const { clock } = await theHouse()
  const id = await open(13)
  const token = await tokenFor(id)
  const order = await read(id)
  await (await dbOf(shop)).transaction(async (tx) => {
    const row = { id: 'x', order_id: id, jti: '', attempt_key: 'x:purchase', payment_method_id: 'testgateway.card' }
    const more = { operation: 'purchase', amount: 13, instrument: '{}', state: 'open', transaction_id: null }
    const request = { idempotency_key: '', request_hash: '', created_at: tx.now }
    await tx.rows(sql`insert into payments ${sql.rows([{ store_id: tx.store.id, ...row, ...more, ...request }])}`)
    await rescueLater(tx, 'x')
  })
  expect(refusedWith(await send(token))).toEqual([409, 30_105])
  clock.move(60_000)
  await doMoney()
  expect(await read(id)).toEqual(order)
  expect((await send(token)).status).toBe(201)
})

test('a payment that its gateway is unable to make is refused with a reason, costs no try, and leaves the order as it was', async () => {
  const before = shop
  shop = await openShop()
  await setUp(shop, 'purchase', {}, { gateway: 'stripe', credentials: 'not sealed by this server' })
  const id = await open()
  const token = await tokenFor(id)
  const order = await read(id)
  const body = byCard(undefined, { payment_method_id: 'stripe.card' })
  for (let i = 0; i < 6; i++) expect(refusedWith(await send(token, body))).toEqual([422, 30_001])
  expect(await read(id)).toEqual(order)
  shop = before
})

test('a provider that authorizes only leaves the order waiting for its capture, which works', async () => {
  const before = shop
  shop = await openShop()
  await setUp(shop, 'authorize')
  const id = await open(30)
  expect((await send(await tokenFor(id))).body).toEqual(success('authorization'))
  expect(await read(id)).toMatchObject({ payment_status: 'authorized', status_id: 7 })
  expect((await shop.call('POST', `/orders/${id}/payment_actions/capture`)).status).toBe(201)
  await doMoney()
  expect(await read(id)).toMatchObject({ payment_status: 'captured', status_id: 11 })
  const attempts = await rowsOf(shop, 'payment_attempts')
  const book = await rowsOf(shop, 'testgateway_entries')
  const facts = (row: Record<string, unknown>) => [row.key, row.operation, row.amount_minor, row.outcome]
  expect(attempts.map(facts).sort()).toEqual(book.map(facts).sort())
  shop = before
})

test('store credit pays as much as there is, a card the rest; a saved card pays again', async () => {
  const [customer] = (
    await shop.call('POST', '/customers', [
      {
        first_name: 'Ann',
        last_name: 'Lee',
        email: `${randomUUID()}@example.com`,
        store_credit_amounts: [{ amount: 10 }],
      },
    ])
  ).body.data
  const id = await open(25, { customer_id: customer.id })
  const methods = async () => (await shop.call('GET', `/payments/methods?order_id=${id}`)).body.data
  expect((await methods()).map((method: { id: string }) => method.id)).toEqual(['testgateway.card', 'svc.store_credit'])
  const credit = { payment: { instrument: { type: 'store_credit' }, payment_method_id: 'svc.store_credit' } }
  expect((await send(await tokenFor(id), credit)).body).toEqual(success())
  expect(await read(id)).toMatchObject({ payment_status: '', status_id: 1, store_credit_amount: '10.0000' })
  expect(refusedWith(await send(await tokenFor(id), credit))).toEqual([422, 10_001])
  const rest = await send(await tokenFor(id), byCard(undefined, { save_instrument: true }))
  expect(rest.body).toEqual(success())
  expect(await read(id)).toMatchObject({ payment_status: 'captured', status_id: 11 })
  expect(await transactionsOf(id)).toMatchObject([
    { method: 'store_credit', amount: 10, store_credit: { remaining_balance: 0 } },
    { method: 'credit_card', amount: 15 },
  ])
  const [stored] = (await methods())[0].stored_instruments
  expect(stored).toEqual({
    type: 'stored_card',
    token: expect.stringMatching(/^[0-9a-f]{64}$/),
    is_default: true,
    brand: 'VISA',
    expiry_month: 12,
    expiry_year: 2030,
    issuer_identification_number: '411111',
    last_4: '1111',
  })
  const again = {
    payment: { instrument: { type: 'stored_card', token: stored.token }, payment_method_id: 'testgateway.card' },
  }
  expect(refusedWith(await send(await tokenFor(await open(5)), again))).toEqual([422, 30_051])
  const next = await open(5, { customer_id: customer.id })
  expect((await send(await tokenFor(next), again)).status).toBe(201)
  expect(await transactionsOf(next)).toMatchObject([{ credit_card: { card_last4: '1111', card_type: 'visa' } }])
  const whole = await open(3, { customer_id: customer.id })
  await shop.call('PUT', '/customers', [{ id: customer.id, store_credit_amounts: [{ amount: 4 }] }])
  expect((await send(await tokenFor(whole), credit)).status).toBe(201)
  expect(await read(whole)).toMatchObject({ payment_status: 'paid', status_id: 11 })
})

test('fractions of the smallest unit of the currency are neither owed, paid nor refunded', async () => {
  const paid = await open(25.0049, {
    payment_method: 'Test Payment Gateway',
    payment_status: 'captured',
    status_id: 11,
  })
  expect(await transactionsOf(paid)).toMatchObject([{ event: 'purchase', amount: 25 }])
  const [{ id: item_id }] = (await shop.call('GET', `/orders/${paid}/products`, undefined, { version: 'v2' })).body
  const items = [{ item_type: 'PRODUCT', item_id, quantity: 1 }]
  const quoted = await shop.call('POST', `/orders/${paid}/payment_actions/refund_quotes`, { items })
  expect(quoted.body.data).toMatchObject({ total_refund_amount: 25, rounding: -0.0049, adjustment: 0 })

  const { body } = await shop.call('POST', '/customers', [
    {
      first_name: 'Ann',
      last_name: 'Lee',
      email: `${randomUUID()}@example.com`,
      store_credit_amounts: [{ amount: 10.0079 }],
    },
  ])
  const customer_id = body.data[0].id
  const id = await open(25.0051, { customer_id })
  const credit = { payment: { instrument: { type: 'store_credit' }, payment_method_id: 'svc.store_credit' } }
  expect((await send(await tokenFor(id), credit)).body).toEqual(success())
  expect(refusedWith(await send(await tokenFor(id), credit))).toEqual([422, 10_001])
  expect((await send(await tokenFor(id))).body).toEqual(success())
  expect(await transactionsOf(id)).toMatchObject([
    { method: 'store_credit', amount: 10, store_credit: { remaining_balance: 0.0079 } },
    { method: 'credit_card', amount: 15.01 },
  ])
  expect(await read(id)).toMatchObject({ payment_status: 'captured', status_id: 11 })
})

test('methods are those of the channel and currency of the order', async () => {
  const id = await open()
  const { body } = await shop.call('GET', `/payments/methods?order_id=${id}`)
  expect(body).toEqual({
    data: [
      {
        id: 'testgateway.card',
        name: 'Test Payment Gateway',
        type: 'card',
        test_mode: true,
        supported_instruments: ['VISA', 'MASTERCARD', 'DISCOVER', 'AMEX', 'DINERS_CLUB', 'JCB', 'STORED_CARD'].map(
          (instrument_type) => ({ instrument_type, verification_value_required: false }),
        ),
        stored_instruments: [],
      },
    ],
    meta: {},
  })
  expect((await shop.call('GET', '/payments/methods')).body).toEqual(
    expect.objectContaining({ status: 422, errors: { order_id: 'error.path.missing' } }),
  )
  expect((await shop.call('GET', '/payments/methods?checkout_id=x')).status).toBe(404)
  expect((await shop.call('GET', '/payments/methods?order_id=99999')).status).toBe(404)
  const v2 = (path: string) => shop.call('GET', path, undefined, { version: 'v2' })
  expect((await v2('/payments/methods')).body).toEqual([
    { code: 'testgateway', name: 'Test Payment Gateway', test_mode: true },
  ])
  expect((await v2('/payments/methods?page=2')).status).toBe(204)
})

test('callbacks are believed for their signature, and change nothing twice', async () => {
  const { server } = await theHouse()
  const call = (gateway: string, hash: string, payload: string, headers = {}) =>
    server.inject({ method: 'POST', url: `/gateways/${gateway}/callbacks/${hash}`, payload, headers })
  expect((await call('testgateway', shop.store.hash, '{}', { 'content-type': 'application/json' })).json()).toEqual(
    problem(401, 'The signature is not that of the gateway.'),
  )
  expect((await call('stripe', shop.store.hash, '{}')).statusCode).toBe(404)
  expect((await call('testgateway', 'nowhere', '{}')).statusCode).toBe(404)
})

test.each([
  ['authorized', 'authorization', 9],
  ['captured', 'purchase', 0],
])(
  'an order for the test gateway that is created as %s is so, and keeps its status',
  async (payment_status, event, status_id) => {
    const payment_method = 'Test Payment Gateway'
    const headers = { 'idempotency-key': payment_status }
    const products = [{ name: 'Print', quantity: 1, price_ex_tax: 20.63, price_inc_tax: 20.63 }]
    const body = { billing_address, products, status_id, payment_method, payment_status }
    const made = await shop.call('POST', '/orders', body, { version: 'v2', headers })
    expect(made.body).toMatchObject({ payment_status, status_id, payment_provider_id: 'testgateway' })
    expect(await transactionsOf(made.body.id)).toMatchObject([
      { event, amount: 20.63, gateway: 'testgateway', test: true },
    ])
  },
)

test('any other body says nothing about its payment', async () => {
  for (const more of [
    { payment_status: 'captured' },
    { payment_method: 'Cash', payment_status: 'captured' },
    { payment_method: 'Test Payment Gateway', payment_status: 'refunded' },
    { payment_method: 'Test Payment Gateway', payment_status: 7 },
  ]) {
    const id = await open(5, more)
    expect((await read(id)).payment_status).toBe('')
    expect(await transactionsOf(id)).toEqual([])
  }
  const free = await open(0, { payment_method: 'Test Payment Gateway', payment_status: 'captured' })
  expect((await read(free)).payment_status).toBe('')
})

test('of a store more than 50 payments in 4 seconds have to wait', async () => {
  const before = shop
  shop = await openShop()
  const id = await open()
  const token = await tokenFor(id)
  const statuses: number[] = []
  for (let i = 0; i < 51; i++) statuses.push((await send(token, {}, { atOnce: true })).status)
  expect([...new Set(statuses.slice(0, 50))]).toEqual([422])
  expect(statuses[50]).toBe(429)
  const { clock } = await theHouse()
  clock.move(4_000)
  expect((await send(token)).status).toBe(201)
  shop = before
})

test('a store that is closed takes no payments', async () => {
  const token = await tokenFor(await open())
  const { directory } = (await theHouse()).installation
  await directory.setState(shop.store.hash, 'maintenance')
  const answer = await send(token)
  expect([answer.status, answer.body.code, answer.headers['retry-after']]).toEqual([503, 10_000, '60'])
  await directory.setState(shop.store.hash, 'active')
  expect((await send(token)).status).toBe(201)
})

test('a gateway is asked after 30 seconds, 2 and 10 minutes, then hourly for 7 days', () => {
  const delays = Array.from({ length: 200 }, (_, i) => pollDelay(i + 1))
  expect(delays.slice(0, 5)).toEqual([30_000, 120_000, 600_000, 3_600_000, 3_600_000])
  expect(delays.filter((delay) => delay !== undefined)).toHaveLength(172)
})

test('a payment of more than 16 KiB is 413', async () => {
  const token = await tokenFor(await open())
  const body = JSON.stringify(byCard())
  const fill = (size: number) => body + ' '.repeat(size - body.length)
  expect((await send(token, undefined, { payload: fill(16_385) })).status).toBe(413)
  expect((await send(token, undefined, { payload: fill(16_384) })).body).toEqual(success())
})
