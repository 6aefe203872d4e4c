import { expect, test } from 'vitest'
import { amountOf, unitsOf } from '../../../core/money/units.ts'
import {
  NO_CREDIT_FOR_GUESTS,
  type PaymentOption,
  paymentMistakes,
  refundMethods,
  type Tender,
} from './refund-methods.ts'

// The worked examples of docs/contract/refunds.md section 6 that are about ways to give money back.

const tender = (provider_id: string, captured: number, refunded = 0, whyOffline?: string): Tender => ({
  provider_id,
  captured: unitsOf(captured),
  refunded: unitsOf(refunded),
  ...(whyOffline === undefined ? {} : { whyOffline: () => whyOffline }),
})
const shown = (methods: readonly (readonly PaymentOption[])[]) =>
  methods.map((method) =>
    method.map(({ provider_id, amount, offline }) => `${provider_id} ${amountOf(amount)}${offline ? ' offline' : ''}`),
  )
const split = (refundedBank = 0, refundedCredit = 0) => ({
  tenders: [tender('storecredit', 39, refundedCredit), tender('bankdeposit', 80.35, refundedBank)],
  mayHaveStoreCredit: true,
})
const card = { tenders: [tender('testgateway', 20.83)], mayHaveStoreCredit: false }

test.each([
  [
    'R18: split tender, all of it',
    split(),
    119.35,
    [['storecredit 119.35'], ['custom 119.35 offline'], ['bankdeposit 80.35 offline', 'storecredit 39']],
  ],
  ['R19: a part of it', split(), 50, [['storecredit 50'], ['custom 50 offline'], ['bankdeposit 50 offline']]],
  [
    'R20: the rest of it',
    split(50),
    69.35,
    [['storecredit 69.35'], ['custom 69.35 offline'], ['bankdeposit 30.35 offline', 'storecredit 39']],
  ],
  [
    'R21: more went to store credit than came from it',
    split(0, 100),
    19.35,
    [['storecredit 19.35'], ['custom 19.35 offline'], ['bankdeposit 19.35 offline']],
  ],
  ['a guest has no store credit', card, 20.83, [['custom 20.83 offline'], ['testgateway 20.83']]],
  [
    'of two gateways the second is booked by hand',
    { tenders: [tender('testgateway', 10), tender('stripe', 10)], mayHaveStoreCredit: false },
    15,
    [['custom 15 offline'], ['testgateway 10', 'stripe 5 offline']],
  ],
  [
    'gift certificates come after the gateway and before store credit',
    {
      tenders: [tender('storecredit', 5), tender('giftcertificate', 5), tender('testgateway', 5)],
      mayHaveStoreCredit: false,
    },
    12,
    [['custom 12 offline'], ['testgateway 5', 'giftcertificate 5', 'storecredit 2']],
  ],
  [
    'what is paid outside is not listed twice',
    { tenders: [tender('custom', 9)], mayHaveStoreCredit: false },
    9,
    [['custom 9 offline']],
  ],
])('%s', (_, paid, total, methods) => {
  expect(shown(refundMethods(paid, unitsOf(total)))).toEqual(methods)
})

test('a refund that a gateway does not support has a reason, and can be recorded by hand', () => {
  const paid = {
    tenders: [tender('testgateway', 20, 0, 'Partial refunds are not supported by this provider.')],
    mayHaveStoreCredit: false,
  }
  expect(refundMethods(paid, unitsOf(5))).toEqual([
    [
      {
        provider_id: 'custom',
        amount: unitsOf(5),
        offline: true,
        offline_provider: true,
        offline_reason: 'This is an offline payment provider.',
      },
    ],
    [
      {
        provider_id: 'testgateway',
        amount: unitsOf(5),
        offline: true,
        offline_provider: false,
        offline_reason: 'Partial refunds are not supported by this provider.',
      },
    ],
  ])
})

test.each([
  ['R22: another sum than quoted', card, [{ provider_id: 'testgateway', amount: 20, offline: false }], false],
  ['the quoted one', card, [{ provider_id: 'testgateway', amount: 20.83 }], true],
  ['the quoted one, booked by hand', card, [{ provider_id: 'testgateway', amount: 20.83, offline: true }], true],
  ['online where the quote says offline', card, [{ provider_id: 'custom', amount: 20.83, offline: false }], false],
  ['by hand', card, [{ provider_id: 'custom', amount: 20.83, offline: true }], true],
  [
    'a split of the client',
    card,
    [
      { provider_id: 'testgateway', amount: 10 },
      { provider_id: 'custom', amount: 10.83, offline: true },
    ],
    false,
  ],
  ['nothing', card, [], false],
])('%s', (_, paid, payments, isTaken) => {
  const mistakes = paymentMistakes(paid, refundMethods(paid, unitsOf(20.83)), payments)
  expect(Object.keys(mistakes)).toEqual(isTaken ? [] : ['payments'])
})

test('R23: a guest gets no store credit', () => {
  const payments = [{ provider_id: 'storecredit', amount: 20.83 }]
  expect(paymentMistakes(card, refundMethods(card, unitsOf(20.83)), payments)).toEqual({
    payments: NO_CREDIT_FOR_GUESTS,
  })
})

test('all payments of a method are made, in any order', () => {
  const methods = refundMethods(split(), unitsOf(119.35))
  const [bank, credit] = [
    { provider_id: 'bankdeposit', amount: 80.35, offline: true },
    { provider_id: 'storecredit', amount: 39 },
  ]
  expect(paymentMistakes(split(), methods, [credit, bank])).toEqual({})
  expect(paymentMistakes(split(), methods, [bank])).toHaveProperty('payments')
})
