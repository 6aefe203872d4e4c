import { randomUUID } from 'node:crypto'
import Stripe from 'stripe'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Db } from '../../../core/db/database.ts'
import { openShop, type Shop, theHouse } from '../../../test/fixtures/shop.ts'
import { dbOf, rowsOf } from '../../../test/fixtures/webhooks.ts'
import { asAdministrator } from '../../../test/harness/administrator.ts'
import { openStripeServer } from '../../../test/servers/stripe-server.ts'
import { askGateway, callGateway, findAttempt, recordCallback } from '../attempts.ts'
import { Gateways } from '../gateways.ts'
import { providersAt } from '../providers.ts'
import { listProviders, type ProviderWish, removeProvider, setProvider } from '../providers-command.ts'
import { approved, type Instrument } from './gateway.ts'

// docs/contract/payments.md section 7; the commands of docs/operations.md, Payments.

let shop: Shop
let db: Db
let stripe: Awaited<ReturnType<typeof openStripeServer>>
let gateways: Gateways
const signal = new AbortController().signal

const wish = (more: Partial<ProviderWish> = {}): ProviderWish => ({
  gateway: 'stripe',
  channel: 0,
  currency: '',
  mode: 'purchase',
  options: [],
  ...more,
})
const right = JSON.stringify({ secret_key: 'sk_test_right', webhook_secret: 'whsec_right' })
const set = async (more: Partial<ProviderWish> = {}, target = db) =>
  setProvider(target, wish(more), (await theHouse()).installation.secrets)

beforeAll(async () => {
  stripe = await openStripeServer()
  shop = await openShop({}, { hasTestGateway: false })
  db = await dbOf(shop)
  gateways = new Gateways({ ...(await theHouse()).installation, stripeApi: stripe.url })
  await set({ credentials: right })
})
afterAll(() => stripe.close())

const card = (number: string): Instrument => ({
  type: 'card',
  number,
  cardholder_name: 'Ada',
  expiry_month: 12,
  expiry_year: 2030,
  verification_value: '123',
})
const billing = {
  first_name: 'Ada',
  last_name: 'L',
  street_1: 'A street',
  street_2: '',
  city: 'A city',
  state: '',
  zip: '1',
  country_iso2: 'US',
  email: 'a@example.com',
  phone: '',
}
const common = { orderId: 1, gateway: 'stripe', channel_id: 1, currency: 'USD', decimals: 2 }
const payment = (operation: 'authorize' | 'purchase', amountMinor: number, number = '4242424242424242', more = {}) => ({
  ...common,
  key: `${randomUUID()}:${operation}`,
  operation,
  amountMinor,
  instrument: card(number),
  billing,
  saves: false,
  ...more,
})
const followUp = (operation: 'capture' | 'void' | 'refund', amountMinor: number, reference: string) => ({
  ...common,
  key: `${randomUUID()}:${operation}`,
  operation,
  amountMinor,
  reference,
  reason: '',
})
const call = (attempt: Parameters<typeof callGateway>[2]) => callGateway(db, gateways, attempt)
/** The key at Stripe: with the mark of the store. */
const marked = (key: string) => expect.stringMatching(new RegExp(`^${key}:[\\w-]{16}$`))
const sentSince = (count: number) => stripe.requests.slice(count).map(({ method, path }) => `${method} ${path}`)

describe('stripe', () => {
  test('authorizes, captures and refunds, each under its own key', async () => {
    const before = stripe.requests.length
    const authorize = payment('authorize', 5_000)
    const { gatewayTransactionId: id, ...rest } = await call(authorize)
    expect([id, rest]).toEqual([
      expect.stringMatching(/^pi_/),
      expect.objectContaining({ outcome: 'approved', code: 0 }),
    ])
    const capture = followUp('capture', 5_000, id)
    expect(await call(capture)).toEqual(approved(id))
    const refund = followUp('refund', 1_200, id)
    expect(await call(refund)).toEqual(approved(expect.stringMatching(/^re_/)))
    expect(await call(refund)).toEqual(approved(expect.stringMatching(/^re_/)))
    expect(stripe.requests.slice(before)).toMatchObject([
      { path: '/v1/payment_methods', key: `${authorize.key}:method`, authorization: 'Bearer sk_test_right' },
      {
        path: '/v1/payment_intents',
        key: authorize.key,
        fields: {
          amount: '5000',
          currency: 'usd',
          capture_method: 'manual',
          confirm: 'true',
          transfer_group: authorize.key,
          'metadata[order_id]': '1',
        },
      },
      { path: `/v1/payment_intents/${id}/capture`, key: marked(capture.key), fields: { amount_to_capture: '5000' } },
      { path: '/v1/refunds', key: marked(refund.key), fields: { payment_intent: id, amount: '1200' } },
    ])
  })

  test('voids, and refuses a second void', async () => {
    const { gatewayTransactionId: id } = await call(payment('authorize', 700))
    expect(await call(followUp('void', 700, id))).toEqual(approved(id))
    expect(await call(followUp('capture', 700, id))).toMatchObject({ outcome: 'declined', code: 10_001 })
  })

  test.each([
    ['void', 'canceled', 'capture'],
    ['capture', 'succeeded', 'void'],
  ] as const)('that has done a %s already approves it, and no %s', async (operation, status, other) => {
    const { gatewayTransactionId: id } = await call(payment('authorize', 700))
    stripe.decide(id, status)
    expect(await call(followUp(operation, 700, id))).toEqual(approved(id))
    expect(await call(followUp(other, 700, id))).toMatchObject({ outcome: 'declined', code: 10_001 })
  })

  test.each([
    ['4000000000000002', 30_104],
    ['4000000000009995', 30_106],
    ['4000000000000069', 30_103],
    ['4000000000000127', 30_102],
  ])('declines the card %s with %i', async (number, code) => {
    const attempt = payment('purchase', 900, number)
    expect(await call(attempt)).toMatchObject({ outcome: 'declined', code, message: 'Your card was declined.' })
    const { gateway_transaction_id } = (await findAttempt(db, attempt.key)) ?? {}
    expect(gateway_transaction_id).toMatch(/^pi_/)
  })

  test.each([
    ['breaks the connection', 2_063],
    ['fails', 2_064],
  ])('that %s after the charge is asked, and charges once', async (_, amount) => {
    const before = stripe.requests.length
    const attempt = payment('purchase', amount)
    expect(await call(attempt)).toMatchObject({ outcome: 'approved' })
    expect(sentSince(before)).toEqual([
      'POST /v1/payment_methods',
      'POST /v1/payment_intents',
      'GET /v1/charges',
      expect.stringMatching(/^GET \/v1\/payment_intents\/pi_/),
    ])
    const { gatewayTransactionId: id } = await call(attempt)
    const refund = followUp('refund', amount, id)
    expect(await call(refund)).toMatchObject({ outcome: 'approved' })
    expect([...stripe.things.values()].filter(({ payment_intent }) => payment_intent === id)).toHaveLength(2)
  })

  test('that is busy has done nothing: the same is asked for again', async () => {
    const attempt = payment('purchase', 2_065)
    expect(await call(attempt)).toMatchObject({ outcome: 'error', retryable: true, code: 10_000 })
    expect(await call(attempt)).toMatchObject({ outcome: 'error', retryable: true })
  })

  test('decides later: it is asked, or calls back with its signature', async () => {
    const [one, other] = [payment('purchase', 2_061), payment('purchase', 2_061)]
    const ids = [(await call(one)).gatewayTransactionId, (await call(other)).gatewayTransactionId]
    expect(await findAttempt(db, one.key)).toMatchObject({ outcome: 'pending' })
    stripe.decide(ids[0] ?? '', 'succeeded')
    expect(await askGateway(db, gateways, one.key, signal)).toMatchObject({ outcome: 'approved' })

    const object = { ...stripe.things.get(ids[1] ?? ''), status: 'succeeded' }
    const payload = JSON.stringify({ id: 'evt_1', object: 'event', type: 'payment_intent.succeeded', data: { object } })
    const [provider] = await providersAt(db, common)
    const gateway = provider && (await gateways.open(db, provider))
    const header = (secret: string) => ({
      'stripe-signature': new Stripe('sk_test_x').webhooks.generateTestHeaderString({ payload, secret }),
    })
    const read = (headers: object) => gateway?.parseCallback({ ...headers }, Buffer.from(payload))
    expect(await read(header('whsec_other'))).toBeUndefined()
    expect(await read({})).toBeUndefined()
    const [event] = (await read(header('whsec_right'))) ?? []
    expect(event).toMatchObject({ eventId: 'evt_1', idempotencyKey: other.key, outcome: 'approved' })
    for (let i = 0; i < 2; i++) expect(event && (await recordCallback(db, 'stripe', event))).toBe(other.key)
    expect(await findAttempt(db, other.key)).toMatchObject({ outcome: 'approved', gateway_transaction_id: ids[1] })
    const late = event && { ...event, eventId: 'evt_0', outcome: 'pending' as const }
    expect(late && (await recordCallback(db, 'stripe', late))).toBe(other.key)
    expect(await findAttempt(db, other.key)).toMatchObject({ outcome: 'approved' })
  })

  test.each([
    ['no JSON', '{'],
    ['null', 'null'],
    ['a number', '5'],
    ['no data', '{"id":"evt_1","type":"payment_intent.succeeded"}'],
    ['no object', '{"id":"evt_1","type":"payment_intent.succeeded","data":{"object":null}}'],
    ['a payment without a status', '{"id":"evt_1","type":"payment_intent.succeeded","data":{"object":{"id":"pi_1"}}}'],
    [
      'a refund whose metadata is a list',
      '{"id":"e","type":"refund.failed","data":{"object":{"id":"r","status":"failed","metadata":[1]}}}',
    ],
    [
      'U+0000 in its id',
      '{"id":"a\\u0000","type":"payment_intent.succeeded","data":{"object":{"id":"pi_1","status":"succeeded"}}}',
    ],
    ['a thin event', '{"id":"e","object":"v2.core.event","type":"payment_intent.succeeded"}'],
  ])('a signed event that is malformed is 400: %s', async (_, payload) => {
    const [provider] = await providersAt(db, common)
    const gateway = provider && (await gateways.open(db, provider))
    const signature = new Stripe('sk_test_x').webhooks.generateTestHeaderString({ payload, secret: 'whsec_right' })
    const read = gateway?.parseCallback({ 'stripe-signature': signature }, Buffer.from(payload))
    await expect(read).rejects.toMatchObject({ status: 400 })
  })

  test('a refund that waits is asked for, one that fails is declined', async () => {
    const { gatewayTransactionId: id } = await call(payment('purchase', 5_000))
    const waiting = followUp('refund', 161, id)
    const { outcome, gatewayTransactionId } = await call(waiting)
    expect(outcome).toBe('pending')
    stripe.decide(gatewayTransactionId, 'succeeded')
    expect(await call(waiting)).toMatchObject({ outcome: 'approved' })
    expect(await call(followUp('refund', 162, id))).toMatchObject({ outcome: 'declined' })
  })

  test('tells stores apart that share an account, also where their refunds have the same number', async () => {
    const neighbour = await openShop({}, { hasTestGateway: false })
    const neighbourDb = await dbOf(neighbour)
    await set({ credentials: right }, neighbourDb)
    const refunded = async (of: Db, amount: number) => {
      const { gatewayTransactionId: reference } = await callGateway(of, gateways, payment('purchase', 5_000))
      const attempt = { ...followUp('refund', amount, reference), key: '7:refund' }
      return { attempt, result: await callGateway(of, gateways, attempt) }
    }
    const [one, other] = [await refunded(db, 161), await refunded(neighbourDb, 161)]
    expect([one.result.outcome, other.result.outcome]).toEqual(['pending', 'pending'])
    expect(one.result.gatewayTransactionId).not.toBe(other.result.gatewayTransactionId)

    // Each store hears of all that happens in the account.
    const object = { ...stripe.things.get(one.result.gatewayTransactionId), status: 'succeeded' }
    const payload = JSON.stringify({ id: 'evt_7', object: 'event', type: 'refund.updated', data: { object } })
    const secret = 'whsec_right'
    const signature = new Stripe('sk_test_x').webhooks.generateTestHeaderString({ payload, secret })
    const heardBy = async (of: Db) => {
      const [provider] = await providersAt(of, common)
      const gateway = provider && (await gateways.open(of, provider))
      return gateway?.parseCallback({ 'stripe-signature': signature }, Buffer.from(payload))
    }
    expect(await heardBy(db)).toMatchObject([{ idempotencyKey: '7:refund', outcome: 'approved' }])
    expect(await heardBy(neighbourDb)).toEqual([])

    // With another secret the store has another mark, and still finds what it has sent.
    stripe.decide(one.result.gatewayTransactionId, 'succeeded')
    await asAdministrator(shop.store, (client) =>
      client.query(
        `update payment_attempts set outcome = null, gateway_transaction_id = '' where store_id = $1 and key = '7:refund'`,
        [shop.store.id],
      ),
    )
    const { secrets } = (await theHouse()).installation
    const renewed = new Gateways({
      secrets: { ...secrets, tokenHash: (text) => secrets.tokenHash(`new ${text}`) },
      stripeApi: stripe.url,
    })
    expect(await callGateway(db, renewed, one.attempt)).toEqual(approved(one.result.gatewayTransactionId))
  })

  test('keeps a card that is to be saved, and charges it again', async () => {
    const { vaulted } = await call(payment('purchase', 800, undefined, { saves: true }))
    expect(vaulted).toEqual({
      reference: expect.stringMatching(/^cus_\d+\/pm_\d+$/),
      brand: 'VISA',
      expiry_month: 12,
      expiry_year: 2030,
      issuer_identification_number: '424242',
      last_4: '4242',
    })
    const instrument = { type: 'stored_card', reference: vaulted?.reference ?? '' }
    expect(await call(payment('purchase', 300, undefined, { instrument }))).toMatchObject({ outcome: 'approved' })
    expect(stripe.requests.at(-1)?.fields).toMatchObject({
      off_session: 'true',
      customer: expect.stringMatching(/^cus_/),
    })
  })

  test('counts as the currency does, and refuses a store that counts otherwise', async () => {
    expect(await call(payment('purchase', 100, undefined, { decimals: 3 }))).toMatchObject({
      outcome: 'error',
      code: 30_001,
      message: 'Stripe uses 2 decimals for USD, this store 3.',
    })
  })

  test('with a key that is not accepted is misconfigured, and says nothing of the key', async () => {
    const other = await openShop()
    const otherDb = await dbOf(other)
    await set({ credentials: JSON.stringify({ secret_key: 'sk_live_wrong' }) }, otherDb)
    const result = await callGateway(otherDb, gateways, payment('purchase', 100))
    expect(result).toMatchObject({ outcome: 'error', code: 30_001, retryable: false })
    expect(JSON.stringify(result)).not.toContain('sk_live')
    for (const table of ['payment_providers', 'payment_attempts']) {
      expect(JSON.stringify(await rowsOf(other, table))).not.toContain('sk_live')
    }
  })
})

describe('two accounts of a store', () => {
  const credentialsWith = (webhook_secret: string) => JSON.stringify({ secret_key: 'sk_test_right', webhook_secret })
  let second: number
  let both: Shop
  let bothDb: Db
  beforeAll(async () => {
    both = await openShop({}, { hasTestGateway: false })
    bothDb = await dbOf(both)
    const till = { name: 'Till', type: 'pos', platform: 'square', status: 'connected' }
    second = (await both.call('POST', '/channels', till)).body.data.id
    await set({ credentials: credentialsWith('whsec_of_all') }, bothDb)
    await set({ channel: second, credentials: credentialsWith('whsec_of_till') }, bothDb)
    // Sealed again, the first one differs, and is the same account.
    await set({ currency: 'USD', credentials: credentialsWith('whsec_of_all') }, bothDb)
  })

  /** The answer to an event with the signature of a secret. */
  async function callBack(event: object, secret: string): Promise<number> {
    const payload = JSON.stringify({ object: 'event', ...event })
    const signature = new Stripe('sk_test_x').webhooks.generateTestHeaderString({ payload, secret })
    const answer = await (await theHouse()).server.inject({
      method: 'POST',
      url: `/gateways/stripe/callbacks/${both.store.hash}`,
      headers: { 'stripe-signature': signature, 'content-type': 'application/json' },
      payload,
    })
    return answer.statusCode
  }

  test('call back with the signature of either', async () => {
    for (const [channel_id, secret] of [
      [1, 'whsec_of_all'],
      [second, 'whsec_of_till'],
    ] as const) {
      const attempt = payment('purchase', 2_061, undefined, { channel_id })
      const { gatewayTransactionId: id } = await callGateway(bothDb, gateways, attempt)
      const object = { ...stripe.things.get(id), status: 'succeeded' }
      const event = { id: `evt_of_${channel_id}`, type: 'payment_intent.succeeded', data: { object } }
      expect(await callBack(event, 'whsec_of_nobody')).toBe(401)
      expect(await findAttempt(bothDb, attempt.key)).toMatchObject({ outcome: 'pending' })
      expect(await callBack(event, secret)).toBe(200)
      expect(await findAttempt(bothDb, attempt.key)).toMatchObject({ outcome: 'approved' })
    }
  })

  test('are tried also if the credentials of one are unreadable', async () => {
    await asAdministrator(both.store, (client) =>
      client.query('update payment_providers set credentials = $3 where store_id = $1 and channel_id = $2', [
        both.store.id,
        second,
        'sealed with a former secret',
      ]),
    )
    const event = { id: 'evt_known', type: 'charge.succeeded', data: { object: {} } }
    expect(await callBack(event, 'whsec_of_all')).toBe(200)
    // Stripe sends an event again if it is answered with 500.
    expect(await callBack(event, 'whsec_of_till')).toBe(500)
    await set({ channel: second, credentials: credentialsWith('whsec_of_till') }, bothDb)
    expect(await callBack(event, 'whsec_of_till')).toBe(200)
  })

  test('are 20 at most', async () => {
    const many = await openShop({}, { hasTestGateway: false })
    const codes = Array.from({ length: 21 }, (_, i) => `Q${String.fromCharCode(65 + i)}A`)
    await asAdministrator(many.store, async (client) => {
      for (const code of codes) {
        await client.query(
          `insert into payment_providers (store_id, gateway, channel_id, currency, mode, is_test, options, credentials, updated_at)
           select $1, 'stripe', 0, $2, 'purchase', true, '{}', $2, now()`,
          [many.store.id, code],
        )
      }
    })
    const refusal = await set({ credentials: right }, await dbOf(many)).catch((error: Error) => error.message)
    expect(refusal).toBe('A store can have at most 20 sets of credentials for stripe.')
  })
})

describe('an operator', () => {
  test('sets providers up for all, a channel or a currency, and the one that says most counts', async () => {
    const other = await dbOf(await openShop({}, { hasTestGateway: false }))
    expect(await listProviders(other)).toEqual([])
    await set({ credentials: right }, other)
    await set({ channel: 1, mode: 'authorize', credentials: right.replace('sk_test', 'sk_live') }, other)
    await set({ gateway: 'testgateway', currency: 'USD', options: ['partialRefund=false'] }, other)
    expect(await listProviders(other)).toEqual([
      { gateway: 'stripe', channel_id: 0, currency: '', mode: 'purchase', is_test: true, options: {} },
      { gateway: 'stripe', channel_id: 1, currency: '', mode: 'authorize', is_test: false, options: {} },
      {
        gateway: 'testgateway',
        channel_id: 0,
        currency: 'USD',
        mode: 'purchase',
        is_test: true,
        options: { partialRefund: false },
      },
    ])
    const at = async (channel_id: number, currency: string) =>
      (await providersAt(other, { channel_id, currency })).map(({ gateway, mode }) => `${gateway} ${mode}`).sort()
    expect(await at(1, 'USD')).toEqual(['stripe authorize', 'testgateway purchase'])
    expect(await at(2, 'EUR')).toEqual(['stripe purchase'])
    expect(await set({ mode: 'authorize' }, other)).toMatchObject({ mode: 'authorize', is_test: true })
    expect(await removeProvider(other, wish({ channel: 1 }))).toBe(true)
    expect(await removeProvider(other, wish({ channel: 1 }))).toBe(false)
    expect(await at(1, 'USD')).toEqual(['stripe authorize', 'testgateway purchase'])
    expect(await removeProvider(other, wish())).toBe(true)
    expect(await removeProvider(other, wish({ gateway: 'testgateway', currency: 'USD' }))).toBe(true)
    // The last one is gone, and no other one takes its place.
    expect(await listProviders(other)).toEqual([])
    expect(await at(1, 'USD')).toEqual([])
  })

  test.each<[string, Partial<ProviderWish>, string]>([
    ['a gateway that is none', { gateway: 'paypal' }, 'There is no gateway "paypal"'],
    ['stripe without credentials', {}, 'needs --credentials'],
    ['credentials that are no JSON', { credentials: 'sk_live_secret' }, 'are JSON with secret_key'],
    ['credentials with more', { credentials: '{"secret_key":"sk_live_secret","x":1}' }, 'are JSON with secret_key'],
    ['credentials of an offline gateway', { gateway: 'cod', credentials: right }, 'takes no credentials'],
    ['options of stripe', { credentials: right, options: ['partialRefund=false'] }, 'has no options'],
    ['an option that is none', { gateway: 'testgateway', options: ['x=true'] }, '"x=true" is not one of'],
    ['a channel that is not there', { gateway: 'cod', channel: 7 }, 'no channel 7'],
    ['a currency that is not there', { gateway: 'cod', currency: 'DKK' }, 'no currency "DKK"'],
  ])('does not configure %s', async (_, more, sentence) => {
    const other = await dbOf(await openShop())
    const refusal = await set(more, other).catch((error: Error) => error.message)
    expect(refusal).toContain(sentence)
    expect(refusal).not.toContain('sk_live')
  })
})
