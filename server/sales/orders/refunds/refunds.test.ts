import { describe, expect, test } from 'vitest'
import { lock } from '../../../core/rest/lists/verbs.ts'
import { doMoney, payOrder } from '../../../test/fixtures/orders.ts'
import { type Answered, openShop, type Shop, theHouse } from '../../../test/fixtures/shop.ts'
import { dbOf, rowsOf } from '../../../test/fixtures/webhooks.ts'
import { orders } from '../row/rows.ts'
import { recordPayment } from '../transactions/payment-record.ts'
import type { NewTransaction } from '../transactions/transactions.ts'

// docs/contract/refunds.md, with the numbers of section 6 as far as they concern requests. The calculation has its own table.

const billing_address = {
  first_name: 'Ida',
  last_name: 'Holm',
  street_1: 'Nyhavn 12',
  city: 'Copenhagen',
  zip: '1051',
  email: 'ida@example.com',
}
const line = (ex: number, inc: number, quantity = 1, more = {}) => ({
  name: 'Print',
  quantity,
  price_ex_tax: ex,
  price_inc_tax: inc,
  ...more,
})

class Till {
  readonly shop: Shop
  readonly id: number
  constructor(shop: Shop, id: number) {
    this.shop = shop
    this.id = id
  }
  call = (method: string, path: string, body?: unknown, more = {}) =>
    this.shop.call(method, `/orders/${this.id}/payment_actions${path}`, body, more)
  quote = (items: unknown): Promise<Answered> => this.call('POST', '/refund_quotes', { items })
  refund = (items: unknown, payments: unknown, more = {}): Promise<Answered> =>
    this.call('POST', '/refunds', { items, payments, ...more })
  /** Makes a quoted refund by one of its methods, and runs the jobs. */
  async give(items: unknown, method = 0) {
    const quoted = (await this.quote(items)).body.data
    const done = await this.refund(items, quoted.refund_methods[method])
    expect([done.status, done.body.data?.total_amount]).toEqual([201, quoted.total_refund_amount])
    await doMoney()
    return { quoted, refund: done.body.data }
  }
  order = async () => (await this.shop.call('GET', `/orders/${this.id}`, undefined, { version: 'v2' })).body
  products = async () => (await this.shop.call('GET', `/orders/${this.id}/products`, undefined, { version: 'v2' })).body
  transactions = async () => (await this.shop.call('GET', `/orders/${this.id}/transactions`)).body?.data ?? []
  async state() {
    const { status_id, payment_status, refunded_amount } = await this.order()
    return [status_id, payment_status, refunded_amount]
  }
}

async function openOrder(body: object, shop?: Shop, paid: 'by card' | 'outside' | 'not' = 'outside') {
  const own = shop ?? (await openShop())
  const status_id = paid === 'outside' ? 11 : 0
  const made = await own.call('POST', '/orders', { billing_address, status_id, ...body }, { version: 'v2' })
  expect(made.status, made.text).toBe(200)
  if (paid === 'by card') await payOrder(own, made.body.id)
  return new Till(own, made.body.id)
}
const product = (item_id: number, quantity: number, more = {}) => ({ item_type: 'PRODUCT', item_id, quantity, ...more })
const amountOf = (item_type: string, item_id: number, amount: number | string) => ({ item_type, item_id, amount })
const custom = (amount: number) => [{ provider_id: 'custom', amount, offline: true }]
const figures = ({ data }: Answered['body']) => [
  data.total_refund_amount,
  data.total_refund_tax_amount,
  data.rounding,
  data.adjustment,
]

test('R1: a product and its shipping, quoted and refunded at the gateway that was paid', async () => {
  const till = await openOrder(
    { products: [line(10, 10.83)], shipping_cost_ex_tax: 10, shipping_cost_inc_tax: 10 },
    undefined,
    'by card',
  )
  const items = [product(1, 1, { reason: 'Broken' }), amountOf('SHIPPING', 1, '10.00')]
  const quoted = await till.quote(items)
  expect([quoted.status, quoted.body]).toEqual([
    201,
    {
      data: {
        order_id: 1,
        total_refund_amount: 20.83,
        total_refund_tax_amount: 0.83,
        order_level_refund_amount: 0,
        rounding: 0,
        adjustment: 0,
        tax_inclusive: false,
        is_tax_included: false,
        refund_methods: [
          [
            {
              provider_id: 'custom',
              provider_description: 'Manual payment',
              amount: 20.83,
              offline: true,
              offline_provider: true,
              offline_reason: 'This is an offline payment provider.',
            },
          ],
          [
            {
              provider_id: 'testgateway',
              provider_description: 'Test Payment Gateway',
              amount: 20.83,
              offline: false,
              offline_provider: false,
              offline_reason: '',
            },
          ],
        ],
      },
      meta: {},
    },
  ])
  const events = (await rowsOf(till.shop, 'events')).length
  // R22: other payments than those of a method.
  const wrong = await till.refund(items, [{ provider_id: 'testgateway', amount: 20 }])
  expect([wrong.status, wrong.body.title, wrong.body.errors]).toEqual([
    422,
    'Refund payments do not match an available refund method',
    { payments: 'Refund payments do not match an available refund method: custom 20.83, or testgateway 20.83.' },
  ])
  expect(await rowsOf(till.shop, 'order_refunds')).toEqual([])

  const made = await till.refund(items, quoted.body.data.refund_methods[1], { reason: 'Sorry' })
  const refund = {
    id: 1,
    order_id: 1,
    user_id: 0,
    created: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    reason: 'Sorry',
    total_amount: 20.83,
    total_tax: 0.83,
    uses_merchant_override_values: false,
    items: [
      { item_type: 'PRODUCT', item_id: 1, quantity: 1, requested_amount: null, reason: 'Broken', adjustments: [] },
      { item_type: 'SHIPPING', item_id: 1, quantity: null, requested_amount: 10, reason: '', adjustments: [] },
    ],
    payments: [
      {
        id: 1,
        provider_id: 'testgateway',
        amount: 20.83,
        offline: false,
        is_declined: false,
        declined_message: '',
        transaction_id: null,
      },
    ],
  }
  expect([made.status, made.body]).toEqual([201, { data: refund, meta: {} }])
  // Accepted: units count at once, money when it is there.
  expect(await till.products()).toMatchObject([{ quantity_refunded: 1, is_refunded: true, refund_amount: '10.8300' }])
  expect(await till.state()).toEqual([11, 'captured', '0.0000'])
  await doMoney()
  expect(await till.state()).toEqual([4, 'refunded', '20.8300'])
  expect(await till.transactions()).toMatchObject([
    { id: 1, event: 'purchase' },
    {
      id: 2,
      event: 'refund',
      status: 'ok',
      amount: 20.83,
      reference_transaction_id: 1,
      gateway: 'testgateway',
      method: 'credit_card',
    },
  ])
  const settled = { ...refund, payments: [{ ...refund.payments[0], transaction_id: '2' }] }
  expect((await till.shop.call('GET', '/orders/payment_actions/refunds/1')).body).toEqual({ data: settled, meta: {} })
  expect((await till.call('GET', '/refunds')).body).toMatchObject({
    data: [settled],
    meta: { pagination: { total: 1, total_pages: 1 } },
  })
  const published = (await rowsOf(till.shop, 'events')).slice(events).map(({ scope }) => scope)
  expect(published).toEqual([
    'store/order/refund/created',
    'store/channel/1/order/refund/created',
    'store/order/transaction/created',
    'store/order/updated',
    'store/order/statusUpdated',
    'store/channel/1/order/updated',
    'store/channel/1/order/statusUpdated',
  ])
  expect((await till.quote(items)).body.errors).toEqual({
    payment_status: 'the whole payment was refunded already',
  })
})

type Step = [items: object[], figures: number[], status_id: number, payment_status: string]
const worked: [string, object, Step[]][] = [
  [
    'R2: one of three, then two',
    { products: [line(19.99, 21.59, 3)] },
    [
      [[product(1, 1)], [21.59, 1.6, 0, 0], 14, 'partially refunded'],
      [[product(1, 2)], [43.18, 3.2, 0, 0], 4, 'refunded'],
    ],
  ],
  [
    'R4: an order discount is in the lines',
    {
      products: [line(30, 33, 2), line(40, 44)],
      discount_amount: 10,
      shipping_cost_ex_tax: 5,
      shipping_cost_inc_tax: 5.5,
    },
    [
      [[product(1, 1)], [29.7, 2.7, 0, 0], 14, 'partially refunded'],
      [[product(2, 1), amountOf('SHIPPING', 1, 5)], [45.1, 4.1, 0, 0], 14, 'partially refunded'],
      [[product(1, 1)], [29.7, 2.7, 0, 0], 4, 'refunded'],
    ],
  ],
  [
    'R6: an amount of the order',
    { products: [line(100, 108)] },
    [
      [[amountOf('ORDER', 1, 15)], [15, 0, 0, 0], 14, 'partially refunded'],
      [[product(1, 1)], [93, 8, 0, -15], 4, 'refunded'],
    ],
  ],
  [
    'R7: gift wrapping',
    { products: [line(25, 26.25, 2, { wrapping_id: 1, wrapping_cost_ex_tax: 2.76, wrapping_cost_inc_tax: 2.9 })] },
    [
      [
        [product(1, 1), { item_type: 'GIFT_WRAPPING', item_id: 1, quantity: 1 }],
        [29.15, 1.39, 0, 0],
        14,
        'partially refunded',
      ],
      [[product(1, 1), { item_type: 'GIFT_WRAPPING', item_id: 1, quantity: 1 }], [29.15, 1.39, 0, 0], 4, 'refunded'],
    ],
  ],
  [
    'R8: something is kept back',
    { products: [line(100, 110)] },
    [
      [
        [product(1, 1, { adjustments: [{ amount: -10.2, description: 'Scratched' }] })],
        [98.78, 8.98, 0, 0],
        14,
        'partially refunded',
      ],
      [[amountOf('ORDER', 1, 11.22)], [11.22, 0, 0, 0], 4, 'refunded'],
    ],
  ],
  [
    'R9: a fee and handling',
    {
      products: [line(30, 33)],
      fees: [{ type: 'custom_fee', display_name_customer: 'Rush', cost_ex_tax: 4, cost_inc_tax: 4.4 }],
      handling_cost_ex_tax: 2.5,
      handling_cost_inc_tax: 2.7,
    },
    [
      [[amountOf('FEE', 1, 4), amountOf('HANDLING', 1, 1)], [5.48, 0.48, 0, 0], 14, 'partially refunded'],
      [[product(1, 1), amountOf('HANDLING', 1, 1.5)], [34.62, 3.12, 0, 0], 4, 'refunded'],
    ],
  ],
  [
    'R10: tax alone',
    { products: [line(50, 54)] },
    [
      [[amountOf('TAX', 1, 4)], [4, 4, 0, 0], 14, 'partially refunded'],
      [[product(1, 1)], [50, 0, 0, -4], 4, 'refunded'],
    ],
  ],
  [
    'R12: prices of four places',
    { products: [line(0.3333, 0.3333, 7)] },
    [
      [[product(1, 3)], [1, 0, 0.0001, 0], 14, 'partially refunded'],
      [[product(1, 4)], [1.33, 0, -0.0032, 0], 4, 'refunded'],
    ],
  ],
  [
    'R13: shipping in three pieces',
    { products: [line(100, 108)], shipping_cost_ex_tax: 10, shipping_cost_inc_tax: 10.8 },
    [
      [[amountOf('SHIPPING', 1, 3.33)], [3.6, 0.27, 0.0036, 0], 14, 'partially refunded'],
      [[amountOf('SHIPPING', 1, 3.33)], [3.59, 0.26, 0.0036, -0.01], 14, 'partially refunded'],
      [[amountOf('SHIPPING', 1, 3.34)], [3.61, 0.27, 0.0028, 0], 14, 'partially refunded'],
      [[product(1, 1)], [108, 8, 0, 0], 4, 'refunded'],
    ],
  ],
  [
    'R15c: the total was set by hand',
    { products: [line(30, 30, 2), line(40, 40)], total_ex_tax: 100.02, total_inc_tax: 100.02 },
    [
      [[product(1, 1)], [30, 0, 0, 0], 14, 'partially refunded'],
      [[product(1, 1), product(2, 1)], [70.02, 0, 0, 0.02], 4, 'refunded'],
    ],
  ],
]
test('the worked examples, through requests: later quotes continue from the stored ones', async () => {
  const shop = await openShop()
  for (const [name, body, steps] of worked) {
    const till = await openOrder(body, shop)
    const ids = new Map((await till.products()).map((one: { id: number }, i: number) => [i + 1, one.id]))
    const [address] =
      (await shop.call('GET', `/orders/${till.id}/shipping_addresses`, undefined, { version: 'v2' })).body ?? []
    const [fee] = (await shop.call('GET', `/orders/${till.id}/fees`, undefined, { version: 'v2' })).body || []
    const own = (item: { item_type?: string; item_id?: number }) => {
      if (item.item_type === 'ORDER' || item.item_type === 'TAX') return { ...item, item_id: till.id }
      if (item.item_type === 'FEE') return { ...item, item_id: fee.id }
      if (item.item_type === 'PRODUCT' || item.item_type === 'GIFT_WRAPPING')
        return { ...item, item_id: ids.get(item.item_id ?? 0) }
      return { ...item, item_id: address?.id }
    }
    for (const [items, expected, status_id, payment_status] of steps) {
      const mine = items.map(own)
      const { body } = await till.quote(mine)
      expect(figures(body), name).toEqual(expected)
      await till.give(mine)
      expect((await till.state()).slice(0, 2), name).toEqual([status_id, payment_status])
    }
    // An outside payment becomes a transaction with its first refund.
    expect((await till.transactions())[0], name).toMatchObject({
      event: 'purchase',
      method: 'offline',
      gateway: 'custom',
    })
    expect((await till.order()).refunded_amount, name).toBe(Number((await till.transactions())[0].amount).toFixed(4))
  }
})

describe('refused', () => {
  test('R16, R17, R29 and all that a request can get wrong, with nothing stored', async () => {
    const till = await openOrder({ products: [line(19.99, 21.59, 3)] })
    const errorsOf = async (body: object) => {
      const { status, body: answer } = await till.call('POST', '/refunds', { payments: custom(1), ...body })
      return [status, answer.errors]
    }
    const refusals: [object, string[]][] = [
      [{ items: [product(1, 4)] }, ['items.0.quantity']],
      [{ items: [amountOf('ORDER', 1, 64.78)] }, ['items.0.amount']],
      [{ items: [amountOf('ORDER', 2, 1)] }, ['items.0.item_id']],
      [{ items: [product(9, 1), product(1, 1), product(1, 1)] }, ['items.0.item_id', 'items.2.item_id']],
      [{ items: [amountOf('ORDER', 1, 1.001)] }, ['items.0.amount']],
      [{ items: [amountOf('ORDER', 1, 0.1 + 0.2)] }, ['items.0.amount']],
      [{ items: [amountOf('ORDER', 1, 1e-7)] }, ['items.0.amount']],
      [{ items: [amountOf('ORDER', 1, -0)] }, ['items.0.amount']],
      [{ items: [amountOf('ORDER', 1, '12345678901234567890')] }, ['items.0.amount']],
      [{ items: [amountOf('ORDER', 1, 1e300)] }, ['items.0.amount']],
      [{ items: [] }, ['items']],
      [{}, ['items']],
      [{ items: [product(1, 1)], tax_adjustment_amount: 1 }, ['items']],
      [{ tax_adjustment_amount: 1 }, ['tax_adjustment_amount']],
      [{ items: [product(1, 1, { reason: 'x'.repeat(1_001) })] }, ['items.0.reason']],
      [{ items: [product(1, 1)], reason: 'x'.repeat(1_001) }, ['reason']],
      [{ items: [{ ...product(1, 1), item_type: 'CART' }] }, ['items.0.item_type']],
      [{ items: [product(1, 1)], payments: undefined }, ['payments']],
      [{ items: [product(1, 1)], payments: [{ provider_id: 'custom', amount: 1e300 }] }, ['payments.0.amount']],
      [
        { items: [product(1, 1)], merchant_calculated_override: { total_amount: 64.78, total_tax: 0 } },
        ['merchant_calculated_override.total_amount'],
      ],
      [
        { items: [product(1, 1)], merchant_calculated_override: { total_amount: 0, total_tax: 0.001 } },
        ['merchant_calculated_override.total_amount', 'merchant_calculated_override.total_tax'],
      ],
      [
        { items: [product(1, 1)], merchant_calculated_override: { total_amount: 1, total_tax: -4.81 } },
        ['merchant_calculated_override.total_tax'],
      ],
      [
        { items: [product(1, 1)], merchant_calculated_override: { total_amount: 1 } },
        ['merchant_calculated_override.total_tax'],
      ],
    ]
    for (const [body, fields] of refusals) {
      const [status, errors] = await errorsOf(body)
      expect([status, Object.keys(errors).sort()], JSON.stringify(body)).toEqual([422, fields])
    }
    const huge = await till.shop.call('POST', `/orders/${till.id}/payment_actions/refund_quotes`, undefined, {
      payload: '{"items":[{"item_type":"ORDER","item_id":1,"amount":1e400}]}',
      headers: { 'content-type': 'application/json' },
    })
    expect(huge.status).toBe(422)
    expect(await rowsOf(till.shop, 'order_refunds')).toEqual([])
    expect(
      (await till.shop.call('POST', '/orders/99/payment_actions/refunds', { items: [product(1, 1)] })).status,
    ).toBe(404)
    expect(
      (await till.shop.call('POST', '/orders/99/payment_actions/refund_quotes', { items: [product(1, 1)] })).status,
    ).toBe(404)
    // Missing fields are refused before the order is read.
    for (const path of ['refunds', 'refund_quotes']) {
      expect((await till.shop.call('POST', `/orders/99/payment_actions/${path}`, {})).status).toBe(422)
    }
    expect((await till.shop.call('GET', '/orders/99/payment_actions/refunds')).status).toBe(404)
    expect((await till.shop.call('GET', '/orders/payment_actions/refunds/99')).status).toBe(404)

    const open = await openOrder({ products: [line(20, 20)] }, till.shop, 'not')
    const item = product(2, 1)
    const unpaid = { payment_status: 'payment must be captured before it can be refunded' }
    expect((await open.quote([item])).body.errors).toEqual(unpaid)
    await payOrder(open.shop, open.id, 'authorize')
    expect((await open.quote([item])).body.errors).toEqual(unpaid)
    expect((await open.refund([item], custom(20))).body.errors).toEqual(unpaid)
    await till.shop.call('DELETE', `/orders/${till.id}`, undefined, { version: 'v2' })
    expect((await till.quote([product(1, 1)])).status).toBe(404)
    expect((await till.refund([product(1, 1)], custom(21.59))).status).toBe(404)
  })

  test('R28: of two refunds at the same moment the one that is too much', async () => {
    const till = await openOrder({ products: [line(19.99, 21.59, 3)] })
    const both = await Promise.all([1, 2].map(() => till.refund([product(1, 2)], custom(43.18))))
    expect(both.map(({ status }) => status).sort()).toEqual([201, 422])
    expect(both.find(({ status }) => status === 422)?.body.errors).toHaveProperty('items.0.quantity')
    await doMoney()
    expect(await till.products()).toMatchObject([
      { quantity_refunded: 2, is_refunded: false, refund_amount: '43.1800' },
    ])
  })
})

/** An order of 119.35, of which 80.35 came by a bank and the rest of store credit. */
async function openSplit(shop: Shop) {
  const ann = { first_name: 'Ann', last_name: 'Lee', email: 'ann@example.com' }
  await shop.call('POST', '/customers', [{ ...ann, store_credit_amounts: [{ amount: 1 }] }])
  const till = await openOrder({ products: [line(119.35, 119.35)], customer_id: 1 }, shop, 'not')
  const record = async (transaction: NewTransaction) =>
    (await dbOf(shop)).transaction(async (tx) =>
      recordPayment(tx, await lock(tx, orders, till.id), 'paid without a gateway', transaction),
    )
  await record({ event: 'purchase', method: 'offline', gateway: 'bankdeposit', amount: 80.35 })
  await record({ event: 'purchase', method: 'store_credit', gateway: 'storecredit', amount: 39 })
  return till
}
const methods = ({ body }: Answered) =>
  body.data.refund_methods.map((method: { provider_id: string; amount: number; offline: boolean }[]) =>
    method.map(({ provider_id, amount, offline }) => `${provider_id} ${amount}${offline ? ' offline' : ''}`),
  )

test('a refund to store credit that is sent as offline is only recorded', async () => {
  const till = await openSplit(await openShop())
  const items = [amountOf('ORDER', till.id, 20)]
  const given = await till.refund(items, [{ provider_id: 'storecredit', amount: 20, offline: true }])
  expect(given.status).toBe(201)
  await doMoney()
  expect(await till.state()).toEqual([14, 'partially refunded', '20.0000'])
  const last = (await till.transactions()).at(-1)
  expect(last).toMatchObject({ event: 'refund', method: 'offline', gateway: 'storecredit', amount: 20 })
  const [ann] = (await till.shop.call('GET', '/customers?include=storecredit')).body.data
  expect(ann.store_credit_amounts).toEqual([{ amount: 1 }])
})

test('R18, R19, R20: a split payment goes back where it came from, or as store credit with its history', async () => {
  const till = await openSplit(await openShop())
  const part = (amount: number) => [amountOf('ORDER', till.id, amount)]
  expect(methods(await till.quote(part(119.35)))).toEqual([
    ['storecredit 119.35'],
    ['custom 119.35 offline'],
    ['bankdeposit 80.35 offline', 'storecredit 39'],
  ])
  expect(methods(await till.quote(part(50)))[2]).toEqual(['bankdeposit 50 offline'])
  await till.give(part(50), 2)
  expect(methods(await till.quote(part(69.35)))[2]).toEqual(['bankdeposit 30.35 offline', 'storecredit 39'])
  // Of an offline provider there is nothing to say about offline, so it may be left out.
  const both = [
    { provider_id: 'bankdeposit', amount: 30.35 },
    { provider_id: 'storecredit', amount: 39 },
  ]
  expect((await till.refund(part(69.35), [{ ...both[0], offline: false }, both[1]])).status).toBe(422)
  const given = await till.refund(part(69.35), both)
  expect(given.body.data.payments).toMatchObject([{ offline: true }, { offline: false }])
  await doMoney()
  expect(await till.state()).toEqual([4, 'refunded', '119.3500'])
  const [ann] = (await till.shop.call('GET', '/customers?include=storecredit')).body.data
  expect(ann.store_credit_amounts).toEqual([{ amount: 40 }])
  expect((await rowsOf(till.shop, 'store_credit_changes')).at(-1)).toMatchObject({
    amount_before: 1,
    amount_after: 40,
    cause: 'refund',
  })
  expect((await till.transactions()).slice(2)).toMatchObject([
    { event: 'refund', amount: 50, gateway: 'bankdeposit', method: 'offline', reference_transaction_id: 1 },
    { event: 'refund', amount: 30.35, gateway: 'bankdeposit' },
    {
      event: 'refund',
      amount: 39,
      gateway: 'storecredit',
      store_credit: { remaining_balance: 40 },
      reference_transaction_id: 2,
    },
  ])
})

test('R21, R23: after store credit for most of it; a guest gets none', async () => {
  const till = await openSplit(await openShop())
  await till.give([amountOf('ORDER', till.id, 100)], 0)
  expect(methods(await till.quote([amountOf('ORDER', till.id, 19.35)]))[2]).toEqual(['bankdeposit 19.35 offline'])
  const guest = await openOrder({ products: [line(20.83, 20.83)] }, till.shop)
  const item = product(2, 1)
  expect(methods(await guest.quote([item]))).toEqual([['custom 20.83 offline']])
  const { status, body } = await guest.refund([item], [{ provider_id: 'storecredit', amount: 20.83 }])
  expect([status, body.title]).toEqual([422, 'Unable to provide store credit for a guest customer.'])
})

test('R24 to R26: amounts of the merchant, and the tax that was charged too much then', async () => {
  const till = await openOrder({ products: [line(100, 108)] })
  const override = { total_amount: '100.00', total_tax: 0 }
  const made = await till.refund([product(1, 1)], custom(100), { merchant_calculated_override: override })
  expect([made.status, made.body.data]).toMatchObject([
    201,
    { total_amount: 100, total_tax: 0, uses_merchant_override_values: true },
  ])
  await doMoney()
  expect(await till.state()).toEqual([14, 'partially refunded', '100.0000'])
  expect(await till.order()).toMatchObject({ total_tax: '8.0000', total_inc_tax: '108.0000' })
  expect((await till.quote([product(1, 1)])).body.errors).toHaveProperty('items.0.quantity')
  const tax = (tax_adjustment_amount: number, more = {}) =>
    till.call('POST', '/refunds', { tax_adjustment_amount, payments: custom(tax_adjustment_amount), ...more })
  expect((await tax(5)).body.errors).toEqual({ tax_adjustment_amount: 'The tax that was charged too much is 8.' })
  const quoted = await till.call('POST', '/refund_quotes', { tax_adjustment_amount: 8 })
  expect(figures(quoted.body)).toEqual([8, 8, 0, 0])
  // There is one tender: no payments need to be named.
  const given = await tax(8, { payments: undefined })
  expect([given.status, given.body.data]).toMatchObject([201, { total_amount: 8, total_tax: 8, items: [] }])
  await doMoney()
  expect(await till.state()).toEqual([4, 'refunded', '108.0000'])
})

test('R27: a refund that the gateway declines gives everything free again', async () => {
  const till = await openOrder({ products: [line(20.53, 20.53)] }, undefined, 'by card')
  const items = [product(1, 1)]
  const made = await till.refund(items, [{ provider_id: 'testgateway', amount: 20.53 }])
  expect([made.status, (await till.quote(items)).body.errors]).toMatchObject([
    201,
    { 'items.0.quantity': 'Only 0 can still be refunded.' },
  ])
  await doMoney()
  const { data } = (await till.shop.call('GET', '/orders/payment_actions/refunds/1')).body
  const message = 'Refund was declined by the test gateway'
  expect(data.payments).toMatchObject([{ is_declined: true, declined_message: message, transaction_id: '2' }])
  expect(await till.state()).toEqual([11, 'captured', '0.0000'])
  expect((await till.transactions())[1]).toMatchObject({ event: 'refund', status: 'error', message })
  expect(await till.products()).toMatchObject([{ quantity_refunded: 0, is_refunded: false, refund_amount: '0.0000' }])
  expect((await till.quote(items)).body.data.total_refund_amount).toBe(20.53)
  // Booked as done elsewhere it goes.
  await till.refund(items, [{ provider_id: 'testgateway', amount: 20.53, offline: true }])
  await doMoney()
  expect(await till.state()).toEqual([4, 'refunded', '20.5300'])
})

test('a refund that fails after the gateway has approved it counts as declined, and the order goes back', async () => {
  const till = await openOrder({ products: [line(20, 20), line(5, 5)] }, undefined, 'by card')
  await till.refund([product(1, 1)], [{ provider_id: 'testgateway', amount: 20 }])
  await till.refund([product(2, 1)], [{ provider_id: 'testgateway', amount: 5 }])
  await doMoney()
  expect(await till.state()).toEqual([4, 'refunded', '25.0000'])
  const before = (await rowsOf(till.shop, 'events')).length
  const message = 'The bank has sent it back.'
  /** The gateway calls back, as it does of what it decides later. */
  const callBack = async (key: string, event_id: string, outcome: string) => {
    const { server, installation } = await theHouse()
    const { hash } = till.shop.store
    const payload = JSON.stringify({ event_id, key, id: 'test_late', outcome, code: 30_104, message })
    const signature = installation.secrets.linkSignature(`testgateway callback ${hash} ${payload}`)
    const headers = { 'x-testgateway-signature': signature, 'content-type': 'application/json' }
    const url = `/gateways/testgateway/callbacks/${hash}`
    expect((await server.inject({ method: 'POST', url, headers, payload })).statusCode).toBe(200)
  }
  await callBack('1:refund', 'late 1', 'declined')
  expect(await till.state()).toEqual([14, 'partially refunded', '5.0000'])
  expect(await till.products()).toMatchObject([{ quantity_refunded: 0 }, { quantity_refunded: 1 }])
  const [first] = (await till.shop.call('GET', '/orders/1/payment_actions/refunds')).body.data
  expect(first.payments).toMatchObject([{ is_declined: true, declined_message: message, transaction_id: '2' }])
  expect((await till.transactions())[1]).toMatchObject({ event: 'refund', status: 'error', message })
  const published = (await rowsOf(till.shop, 'events')).slice(before).map(({ scope }) => scope)
  expect(published.filter((scope) => String(scope).startsWith('store/order/'))).toEqual([
    'store/order/transaction/updated',
    'store/order/updated',
    'store/order/statusUpdated',
  ])

  // Told once more, or told to be good after all: it stays. The rest is refunded again.
  await callBack('1:refund', 'late 1', 'declined')
  await callBack('1:refund', 'late 2', 'approved')
  expect(await till.state()).toEqual([14, 'partially refunded', '5.0000'])
  await callBack('2:refund', 'late 3', 'declined')
  expect(await till.state()).toEqual([11, 'captured', '0.0000'])
  const { body } = await till.shop.call('GET', '/orders/1', undefined, { version: 'v2' })
  expect(body.staff_notes).toBe(`The refund of 20 failed: ${message}\nThe refund of 5 failed: ${message}`)
  expect((await till.quote([product(1, 1)])).body.data.total_refund_amount).toBe(20)
})

test('R30: quotes of several orders say which of them can be, and all of none are refused', async () => {
  const shop = await openShop()
  const one = await openOrder({ products: [line(10, 10.83)] }, shop)
  const two = await openOrder({ products: [line(100, 108)] }, shop)
  const good = { order_id: one.id, items: [product(1, 1)] }
  const bad = { order_id: two.id, items: [amountOf('ORDER', two.id, 200)] }
  const quote = (body: unknown) => shop.call('POST', '/orders/payment_actions/refund_quotes', body)
  const error = 'Refund amount is greater than the remaining amount: 108.'
  const mixed = await quote([good, bad])
  expect([mixed.status, mixed.body]).toMatchObject([
    207,
    {
      data: [{ order_id: one.id, total_refund_amount: 10.83 }],
      errors: [{ order_id: two.id, status: 422, error }],
      meta: { total: 2, success: 1, failure: 1 },
    },
  ])
  const none = await quote([bad])
  expect([none.status, none.body]).toEqual([
    422,
    { data: [], errors: [{ order_id: two.id, status: 422, error }], meta: { total: 1, success: 0, failure: 1 } },
  ])
  // Nobody is waited for: while somebody else holds the order, it is quoted all the same.
  const all = await (await dbOf(shop)).transaction(async (tx) => {
    await lock(tx, orders, one.id)
    return quote([good, good])
  })
  expect([all.status, all.body.meta]).toEqual([201, { total: 2, success: 2, failure: 0 }])
  expect((await quote([{ ...good, order_id: 99 }])).body.errors).toEqual([
    { order_id: 99, status: 404, error: 'Order with id [99] not found' },
  ])
  expect((await quote([])).status).toBe(422)
  expect((await quote([{ items: good.items }])).status).toBe(422)
  expect((await quote(Array(101).fill(good))).status).toBe(413)
  expect(await rowsOf(shop, 'order_refunds')).toEqual([])
})

test('refunds are listed over all orders, by each filter', async () => {
  const shop = await openShop()
  const tills = [
    await openOrder({ products: [line(10, 10)] }, shop),
    await openOrder({ products: [line(20, 20)] }, shop),
  ]
  for (const till of [tills[0], tills[1], tills[0]]) {
    await till?.refund([amountOf('ORDER', till.id, 1)], custom(1))
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  await doMoney()
  const list = async (query: string) => {
    const { status, body } = await shop.call('GET', `/orders/payment_actions/refunds${query}`)
    return status === 200 ? body.data.map(({ id }: { id: number }) => id) : status
  }
  const { data, meta } = (await shop.call('GET', '/orders/payment_actions/refunds')).body
  expect(meta.pagination.total).toBe(3)
  const [, second] = data
  const at = encodeURIComponent(second.created)
  const [payment] = second.payments
  for (const [query, expected] of [
    ['', [1, 2, 3]],
    ['?order_id:in=1', [1, 3]],
    ['?order_id:in=1,2&id:in=2,3', [2, 3]],
    ['?id:in=9', []],
    [`?created:min=${at}`, [2, 3]],
    [`?created:max=${at}`, [1, 2]],
    [`?created:min=${at}&created:max=${at}`, [2]],
    [`?transaction_id=${payment.transaction_id}`, [2]],
    ['?transaction_id=999', []],
    ['?transaction_id=2147483648', 422],
    ['?transaction_id=x', 422],
    ['?limit=1&page=2', [2]],
    ['?created:min=yesterday', 422],
    ['?order_id:in=x', 422],
    ['?colour=red', 422],
    ['?limit=251', 413],
  ] as const) {
    expect(await list(query), query).toEqual(expected)
  }
  const of = async (query: string) =>
    (await shop.call('GET', `/orders/1/payment_actions/refunds${query}`)).body.data.map(({ id }: { id: number }) => id)
  const first = data[0].payments[0].transaction_id
  expect([await of(''), await of(`?transaction_id=${first}`), await of('?transaction_id=999')]).toEqual([
    [1, 3],
    [1],
    [],
  ])
})

test('a refund under an Idempotency-Key is made once', async () => {
  const till = await openOrder({ products: [line(20, 20, 2)] })
  const body = { items: [product(1, 1)], payments: custom(20) }
  const send = (sent: object) => till.call('POST', '/refunds', sent, { headers: { 'idempotency-key': 'once' } })
  const first = await send(body)
  const again = await send(body)
  expect([first.status, again.status, again.body, again.headers['idempotent-replayed']]).toEqual([
    201,
    201,
    first.body,
    'true',
  ])
  expect((await send({ ...body, reason: 'Another' })).status).toBe(422)
  expect(await rowsOf(till.shop, 'order_refunds')).toHaveLength(1)
})

test('a refund moves no stock, and remains when a line changes', async () => {
  const shop = await openShop()
  await shop.call('POST', '/catalog/products', [
    {
      name: 'Mug',
      type: 'physical',
      weight: 1,
      price: 10,
      sku: 'MUG',
      inventory_tracking: 'product',
      inventory_level: 5,
    },
  ])
  const till = await openOrder({ products: [{ product_id: 1, quantity: 3 }] }, shop)
  const level = async () => (await shop.call('GET', '/catalog/products/1')).body.data.inventory_level
  const before = await level()
  await till.give([product(1, 3)])
  expect([await level(), (await till.state())[0]]).toEqual([before, 4])
  const less = await shop.call('PUT', `/orders/${till.id}`, { products: [{ id: 1, quantity: 1 }] }, { version: 'v2' })
  expect(less.status).toBe(400)
  // A cancellation then releases the remaining stock.
  await shop.call('PUT', `/orders/${till.id}`, { status_id: 5 }, { version: 'v2' })
  expect(await level()).toBe(5)
})
