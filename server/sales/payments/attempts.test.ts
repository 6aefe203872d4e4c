import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Db } from '../../core/db/database.ts'
import { sql } from '../../core/db/sql.ts'
import { openShop, theHouse } from '../../test/fixtures/shop.ts'
import {
  askGateway,
  callGateway,
  type FollowUpAttempt,
  findAttempt,
  type GatewayAttempt,
  type PaymentAttempt,
} from './attempts.ts'
import { approved, type Gateway, type Instrument, type Money, refused, unavailable } from './gateways/gateway.ts'
import { callbackOf, decideFollowUp, decidePayment, hundredths } from './gateways/test-gateway.ts'
import { Gateways } from './gateways.ts'
import { fromMinor, toMinor } from './minor-units.ts'
import { providerAt, providersAt } from './providers.ts'

// docs/contract/payments.md sections 5 and 6.

const usd = (amount: number): Money => ({ amountMinor: toMinor(amount, 2), currency: 'USD', decimals: 2 })
const card = (number: string): Instrument => ({
  type: 'card',
  number,
  cardholder_name: 'Ada',
  expiry_month: 12,
  expiry_year: 2030,
})
const billing = {
  first_name: 'Ada',
  last_name: 'L',
  street_1: '',
  street_2: '',
  city: '',
  state: '',
  zip: '1',
  country_iso2: 'US',
  email: 'a@b.c',
  phone: '',
}

let db: Db
let gateways: Gateways
beforeAll(async () => {
  const { installation } = await theHouse()
  const { store } = await openShop()
  const found = await installation.directory.dbById(store.id)
  if (!found) throw new Error('The store is not there.')
  db = found
  gateways = new Gateways(installation)
})

const payment = (operation: PaymentAttempt['operation'], amount: number, number = '4111111111111111') => ({
  key: `${randomUUID()}:${operation}`,
  orderId: 1,
  gateway: 'testgateway',
  channel_id: 1,
  operation,
  ...usd(amount),
  instrument: card(number),
  billing,
  saves: false,
})
const followUp = (operation: FollowUpAttempt['operation'], amount: number, reference: string): FollowUpAttempt => ({
  key: `${randomUUID()}:${operation}`,
  orderId: 1,
  gateway: 'testgateway',
  channel_id: 1,
  operation,
  ...usd(amount),
  reference,
  reason: '',
})
const book = (key: string) =>
  db.rows<{ outcome: string; amount_minor: number }>(
    sql`select outcome, amount_minor from testgateway_entries where store_id = ${db.store.id} and key = ${key}`,
  )
const paid = async (operation: PaymentAttempt['operation'], amount: number) =>
  (await callGateway(db, gateways, payment(operation, amount))).gatewayTransactionId

test.each([
  [10.5, 2, 1050],
  [10.005, 2, 1001],
  [1500, 0, 1500],
  [1.234, 3, 1234],
  [99_999_999_999.9999, 2, 10_000_000_000_000],
])('%d with %i decimals is %i of the smallest unit', (amount, decimals, minor) => {
  expect(toMinor(amount, decimals)).toBe(minor)
  expect(fromMinor(1050, 2)).toBe(10.5)
})

test('hundredths are those of the amount for any decimals of the currency', () => {
  const of = (amountMinor: number, decimals: number) => hundredths({ amountMinor, currency: 'EUR', decimals })
  expect([of(1063, 2), of(10_630, 3), of(63, 0), of(106, 1), of(9_007_199_254_740_963, 2)]).toEqual([63, 63, 0, 60, 63])
})

describe('the test gateway thinks of payments', () => {
  test.each<[Instrument | string, number, string, number]>([
    ['4111111111111111', 10, 'approved', 0],
    ['4242 4242 4242 4242', 10, 'approved', 0],
    ['4000000000000002', 10, 'declined', 30_104],
    ['4000000000009995', 10, 'declined', 30_106],
    ['4000000000000069', 10, 'declined', 30_103],
    ['4000000000000002', 10.61, 'declined', 30_104],
    ['5555555555554444', 10, 'declined', 30_102],
    [{ type: 'none' }, 10.61, 'approved', 0],
    [{ type: 'tokenized_card', token: 'any' }, 10, 'approved', 0],
    [{ type: 'stored_card', reference: 'test-card-4242' }, 10, 'approved', 0],
    [{ type: 'stored_card', reference: 'of another' }, 10, 'declined', 30_102],
    ['4111111111111111', 10.61, 'pending', 0],
    ['4111111111111111', 10.62, 'pending', 0],
    ['4111111111111111', 10.63, 'approved', 0],
    ['4111111111111111', 10.64, 'review', 0],
    ['4111111111111111', 10.65, 'review', 0],
    [{ type: 'none' }, 10.64, 'approved', 0],
  ])('%o of %d: %s, %i', (instrument, amount, outcome, code) => {
    const given = typeof instrument === 'string' ? card(instrument) : instrument
    expect(decidePayment(usd(amount), given)).toMatchObject({ outcome, code })
  })
})

describe('the test gateway decides captures, voids and refunds', () => {
  const authorized = { operation: 'authorize', outcome: 'approved', amount_minor: 10_000, currency: 'USD' } as const
  const taken = { ...authorized, operation: 'capture' } as const
  const any = { partialRefund: true, multipleRefunds: true }
  const one = [{ operation: 'refund', amount_minor: 2_000 }] as const
  test.each<[Parameters<typeof decideFollowUp>, string, string?]>([
    [[{ operation: 'capture', ...usd(100) }, authorized, [], any], 'approved'],
    [
      [{ operation: 'capture', ...usd(99.51) }, authorized, [], any],
      'declined',
      'Capture was declined by the test gateway',
    ],
    [[{ operation: 'capture', ...usd(100.01) }, authorized, [], any], 'declined'],
    [[{ operation: 'capture', ...usd(100) }, authorized, [{ operation: 'capture', amount_minor: 1 }], any], 'declined'],
    [[{ operation: 'capture', ...usd(100) }, taken, [], any], 'declined'],
    [[{ operation: 'capture', ...usd(100) }, { ...authorized, outcome: 'declined' }, [], any], 'declined'],
    [[{ operation: 'capture', ...usd(100), currency: 'EUR' }, authorized, [], any], 'declined'],
    [[{ operation: 'capture', ...usd(100) }, undefined, [], any], 'declined'],
    [[{ operation: 'void', ...usd(100) }, authorized, [], any], 'approved'],
    [[{ operation: 'void', ...usd(99.52) }, authorized, [], any], 'declined', 'Void was refused by the test gateway'],
    [[{ operation: 'void', ...usd(100) }, authorized, [{ operation: 'void', amount_minor: 1 }], any], 'declined'],
    [[{ operation: 'refund', ...usd(100) }, taken, [], any], 'approved'],
    [[{ operation: 'refund', ...usd(80) }, taken, one, any], 'approved'],
    [[{ operation: 'refund', ...usd(80.01) }, taken, one, any], 'declined'],
    [[{ operation: 'refund', ...usd(1.53) }, taken, [], any], 'declined', 'Refund was declined by the test gateway'],
    [[{ operation: 'refund', ...usd(10) }, authorized, [], any], 'declined'],
    [[{ operation: 'refund', ...usd(10) }, taken, [], { ...any, partialRefund: false }], 'declined'],
    [[{ operation: 'refund', ...usd(80) }, taken, one, { ...any, multipleRefunds: false }], 'declined'],
  ])('%o: %s', (given, outcome, message) => {
    const result = decideFollowUp(...given)
    expect(result.outcome).toBe(outcome)
    if (message !== undefined) expect(result.message).toBe(message)
  })
})

test('money is authorized, captured and refunded once for each key, and the book and the attempts agree', async () => {
  const first = payment('authorize', 100)
  const result = await callGateway(db, gateways, first)
  expect(result).toEqual(approved(expect.stringMatching(/^test_[0-9a-f]{32}$/)))
  expect(await callGateway(db, gateways, first)).toEqual(result)
  const capture = followUp('capture', 100, result.gatewayTransactionId)
  const together = await Promise.all([1, 2, 3].map(() => callGateway(db, gateways, capture)))
  expect(new Set(together.map(({ gatewayTransactionId }) => gatewayTransactionId)).size).toBe(1)
  const id = together[0]?.gatewayTransactionId ?? ''
  const refunds = await Promise.all([60, 60].map((amount) => callGateway(db, gateways, followUp('refund', amount, id))))
  expect(refunds.map(({ outcome }) => outcome).sort()).toEqual(['approved', 'declined'])
  expect(await findAttempt(db, capture.key)).toMatchObject({ outcome: 'approved', gateway_transaction_id: id })
  expect(await book(capture.key)).toEqual([{ outcome: 'approved', amount_minor: 10_000 }])
  expect(await callGateway(db, gateways, { ...capture, ...usd(1) })).toMatchObject({ outcome: 'approved' })
})

test('an answer that is lost is asked for, and nothing is sent again', async () => {
  const authorization = await paid('authorize', 20.63)
  const capture = followUp('capture', 20.63, authorization)
  expect(await callGateway(db, gateways, capture)).toMatchObject({ outcome: 'approved' })
  expect(await book(capture.key)).toEqual([{ outcome: 'approved', amount_minor: 2_063 }])
})

test('a pending payment ends when it is asked for later, one way or the other', async () => {
  const { clock } = await theHouse()
  const signal = new AbortController().signal
  const [good, bad] = [payment('purchase', 5.61), payment('purchase', 5.62)]
  for (const attempt of [good, bad]) {
    expect(await callGateway(db, gateways, attempt)).toMatchObject({ outcome: 'pending' })
    expect(await askGateway(db, gateways, attempt.key, signal)).toMatchObject({ outcome: 'pending' })
  }
  const { secrets } = (await theHouse()).installation
  expect(await callbackOf(db, good.key, secrets)).toBeUndefined()
  clock.move(2_000)
  const callback = await callbackOf(db, good.key, secrets)
  const gateway = await gateways.open(db, { gateway: 'testgateway', options: {}, credentials: '' })
  const { gateway_transaction_id } = (await findAttempt(db, good.key)) ?? {}
  expect(callback && (await gateway.parseCallback(callback.headers, callback.body))).toEqual([
    {
      eventId: `event_${gateway_transaction_id}`,
      idempotencyKey: good.key,
      gatewayTransactionId: gateway_transaction_id,
      outcome: 'approved',
      code: 0,
      message: '',
    },
  ])
  expect(callback && (await gateway.parseCallback(callback.headers, Buffer.from('{}')))).toBeUndefined()
  expect(await askGateway(db, gateways, good.key, signal)).toMatchObject({ outcome: 'approved', code: 0 })
  expect(await callGateway(db, gateways, bad)).toMatchObject({ outcome: 'declined', code: 30_104 })
})

test('without a gateway that is set up nothing is sent', async () => {
  const attempt = { ...payment('purchase', 5), gateway: 'stripe' }
  expect(await callGateway(db, gateways, attempt)).toEqual(
    refused(30_000, 'The provider stripe is not configured for this order.'),
  )
  expect(await findAttempt(db, attempt.key)).toMatchObject({ outcome: 'error', code: 30_000 })
  expect(await providerAt(db, 'stripe', { channel_id: 1, currency: 'USD' })).toBeUndefined()
  expect((await providersAt(db, { channel_id: 1, currency: 'EUR' })).map(({ gateway }) => gateway)).toEqual([
    'testgateway',
  ])
})

test('an offline gateway settles at once', async () => {
  expect(await callGateway(db, gateways, { ...followUp('refund', 3, ''), gateway: 'custom' })).toEqual(approved(''))
})

/** A gateway that does what each call is told, in their order. */
function scripted(answers: (() => Promise<unknown>)[]) {
  const sent: string[] = []
  const next = (name: string) => () => {
    sent.push(name)
    const answer = answers.shift()
    if (!answer) throw new Error('Nothing more was expected.')
    return answer() as ReturnType<Gateway['refund']>
  }
  class Scripted extends Gateways {
    override open(): Promise<Gateway> {
      const nothing = next('other')
      const gateway = { authorize: nothing, purchase: nothing, capture: nothing, void: nothing }
      return Promise.resolve({
        id: 'testgateway',
        name: 'Scripted',
        capabilities: {} as Gateway['capabilities'],
        ...gateway,
        refund: next('refund'),
        fetchStatus: next('fetchStatus'),
        parseCallback: async () => undefined,
      })
    }
  }
  return { sent, gateways: new Scripted({ secrets: { unseal: String, linkSignature: String, tokenHash: String } }) }
}

describe('requests, and their times', () => {
  const ok = async () => approved('x')
  const lost = async () => {
    throw new Error('gone')
  }
  const unheard = async () => undefined
  const busy = async () => unavailable('busy')
  test.each<[string, (() => Promise<unknown>)[], calls: string[][], outcomes: string[]]>([
    ['approved at once', [ok], [['refund'], []], ['approved', 'approved']],
    ['lost, then told', [lost, ok], [['refund', 'fetchStatus'], []], ['approved', 'approved']],
    [
      'lost, nothing told, then told',
      [lost, lost, ok],
      [['refund', 'fetchStatus'], ['fetchStatus']],
      ['error', 'approved'],
    ],
    [
      'lost and not heard of yet: asked again before it is sent again',
      [lost, unheard, unheard, ok],
      [
        ['refund', 'fetchStatus'],
        ['fetchStatus', 'refund'],
      ],
      ['error', 'approved'],
    ],
    ['busy: nothing happened, sent again', [busy, ok], [['refund'], ['refund']], ['error', 'approved']],
    [
      'busy, then lost: asked again',
      [busy, lost, lost, ok],
      [['refund'], ['refund', 'fetchStatus'], ['fetchStatus']],
      ['error', 'error', 'approved'],
    ],
  ])('%s', async (_, answers, calls, outcomes) => {
    const attempt: GatewayAttempt = followUp('refund', 1, 'parent')
    const script = scripted([...answers])
    for (const [i, outcome] of outcomes.entries()) {
      script.sent.length = 0
      expect(await callGateway(db, script.gateways, attempt)).toMatchObject({ outcome })
      expect(script.sent).toEqual(calls[i])
    }
  })
})
