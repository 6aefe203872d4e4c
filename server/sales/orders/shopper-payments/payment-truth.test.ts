import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Db } from '../../../core/db/database.ts'
import type { Outcome } from '../../../core/jobs/task.ts'
import type { Secrets } from '../../../core/secrets/secrets.ts'
import { sized } from '../../../test/document/sized.ts'
import { failEach, switchedDb, type Through } from '../../../test/fixtures/faults.ts'
import { doMoney, payOrder } from '../../../test/fixtures/orders.ts'
import { openShop, type Shop, theHouse } from '../../../test/fixtures/shop.ts'
import { dbOf, rowsOf } from '../../../test/fixtures/webhooks.ts'
import { interleave, ordersOfSteps } from '../../../test/interleaving.ts'
import { Gateways } from '../../payments/gateways.ts'
import { listUses } from '../../promotions/uses/uses.ts'
import { authorizationTask } from '../captures/captures.ts'
import { refundTask } from '../refunds/repayments.ts'
import { orderRunners } from '../routes.ts'
import { processPayment } from './process.ts'

// Money moves once, whoever dies or comes second (docs/reliability.md section 4), and orders say what a model says that is written
// from docs/contract/order-payments.md and docs/contract/refunds.md alone.

const LIMIT_MS = sized(3_600_000, 120_000)
const UNITS = 4
const PRICE = 10

/** An order of four prints, and of something else, that is authorized at the test gateway. */
async function openAuthorized(shop: Shop, extra = 1) {
  const id = await openOrder(shop, extra)
  await payOrder(shop, id, 'authorize')
  return id
}

async function openOrder(shop: Shop, extra = 1): Promise<number> {
  const products = [
    { name: 'Print', quantity: UNITS, price_ex_tax: PRICE, price_inc_tax: PRICE },
    { name: 'Tube', quantity: 1, price_ex_tax: extra, price_inc_tax: extra },
  ]
  const billing_address = { zip: '1051', email: 'ida@example.com' }
  const made = await shop.call('POST', '/orders', { billing_address, products, status_id: 0 }, { version: 'v2' })
  return made.body.id
}

const orderOf = async (shop: Shop, id: number) =>
  (await shop.call('GET', `/orders/${id}`, undefined, { version: 'v2' })).body

interface RefundItem {
  item_type: string
  item_id: number
  quantity?: number
  amount?: number
}

const act = (shop: Shop, id: number, action: string, body?: unknown) =>
  shop.call('POST', `/orders/${id}/payment_actions/${action}`, body)

/** Quotes a refund, and asks for it by the gateway. @returns the status of the answer */
async function refund(shop: Shop, id: number, items: RefundItem[]): Promise<number> {
  const quoted = await act(shop, id, 'refund_quotes', { items })
  if (quoted.status !== 201) return quoted.status
  const methods: { provider_id: string }[][] = quoted.body.data.refund_methods
  const payments = methods.find((method) => method.some(({ provider_id }) => provider_id === 'testgateway'))
  return (await act(shop, id, 'refunds', { items, payments: payments ?? [] })).status
}

const TEN_OFF = [{ action: { cart_value: { discount: { percentage_amount: '10' } } } }]

describe('C-122: the money of an order matches a model', () => {
  type Command = { deed: 'capture' | 'void' | 'do jobs' } | { deed: 'units' | 'amount'; value: number }

  const command: fc.Arbitrary<Command> = fc.oneof(
    { weight: 2, arbitrary: fc.constant({ deed: 'capture' as const }) },
    { weight: 1, arbitrary: fc.constant({ deed: 'void' as const }) },
    { weight: 3, arbitrary: fc.constant({ deed: 'do jobs' as const }) },
    { weight: 3, arbitrary: fc.record({ deed: fc.constant('units' as const), value: fc.integer({ min: 1, max: 5 }) }) },
    // In cents. The test gateway declines refunds that end with 53.
    {
      weight: 3,
      arbitrary: fc.record({ deed: fc.constant('amount' as const), value: fc.constantFrom(1, 500, 553, 2_000, 4_500) }),
    },
  )

  const HAS_MONEY = ['captured', 'partially refunded']

  /** One order, in cents, as the contract has it. */
  class Model {
    readonly total: number
    status = 'authorized'
    status_id = 7
    units = UNITS
    readonly refunds: { amount: number; units: number; state: 'waiting' | 'settled' | 'declined' }[] = []

    constructor(extra: number) {
      this.total = UNITS * PRICE * 100 + extra
    }

    /** The amounts of refunds in one of these states. */
    given = (...states: string[]) =>
      this.refunds.reduce((sum, { amount, state }) => (states.includes(state) ? sum + amount : sum), 0)

    /** @returns the status of the answer; undefined where nothing is asked */
    do(command: Command): number | undefined {
      if (!('value' in command)) {
        const { deed } = command
        if (deed === 'do jobs') return this.#settle()
        if (this.status !== 'authorized') return 422
        this.status = `${deed} pending`
        return 201
      }
      const { deed, value } = command
      const left = this.total - this.given('waiting', 'settled')
      const isTooMuch = value > (deed === 'units' ? this.units : left)
      if (!HAS_MONEY.includes(this.status) || left === 0 || isTooMuch) return 422
      const units = deed === 'units' ? value : 0
      const amount = deed === 'units' ? Math.min(units * PRICE * 100, left) : value
      this.units -= units
      this.refunds.push({ amount, units, state: 'waiting' })
      return 201
    }

    #settle(): undefined {
      const cents = this.total % 100
      if (this.status === 'capture pending') this.#move(cents === 51 ? ['authorized', 7] : ['captured', 11])
      if (this.status === 'void pending') this.#move(cents === 52 ? ['authorized', 7] : ['void', 5])
      for (const refund of this.refunds.filter(({ state }) => state === 'waiting')) {
        refund.state = refund.amount % 100 === 53 ? 'declined' : 'settled'
        if (refund.state === 'declined') this.units += refund.units
        else this.#move(this.given('settled') === this.total ? ['refunded', 4] : ['partially refunded', 14])
      }
    }

    #move([status, status_id]: [string, number]) {
      this.status = status
      this.status_id = status_id
    }
  }

  const send = (shop: Shop, id: number, line: number, command: Command) => {
    const { deed } = command
    if (deed === 'do jobs') return doMoney(shop).then(() => undefined)
    if (deed === 'units') return refund(shop, id, [{ item_type: 'PRODUCT', item_id: line, quantity: command.value }])
    if (deed === 'amount') return refund(shop, id, [{ item_type: 'ORDER', item_id: id, amount: command.value / 100 }])
    return act(shop, id, deed).then(({ status }) => status)
  }

  test('any requests, in any order', { timeout: LIMIT_MS }, async () => {
    const shop = await openShop()
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(10, 51, 52),
        fc.array(command, { minLength: 5, maxLength: 12 }),
        async (extra, commands) => {
          const id = await openAuthorized(shop, extra / 100)
          const [line] = (await shop.call('GET', `/orders/${id}/products`, undefined, { version: 'v2' })).body
          const model = new Model(extra)
          const done: Command[] = []
          for (const command of [...commands, { deed: 'do jobs' } as const]) {
            done.push(command)
            const name = JSON.stringify(done)
            expect(await send(shop, id, line.id, command), name).toBe(model.do(command))
          }
          const name = JSON.stringify(done)
          expect(await orderOf(shop, id), name).toMatchObject({
            payment_status: model.status,
            status_id: model.status_id,
            refunded_amount: (model.given('settled') / 100).toFixed(4),
          })
          const [after] = (await shop.call('GET', `/orders/${id}/products`, undefined, { version: 'v2' })).body
          expect(after.quantity_refunded, name).toBe(UNITS - model.units)
          const { body } = await refundsOf(shop, id)
          expect(
            body.data.map(({ total_amount, payments: [payment] }: FoundRefund) => [
              Math.round(total_amount * 100),
              payment?.is_declined,
            ]),
            name,
          ).toEqual(model.refunds.map(({ amount, state }) => [amount, state === 'declined']))
        },
      ),
      { numRuns: sized(1_000, 8) },
    )
  })

  interface FoundRefund {
    total_amount: number
    payments: { is_declined: boolean }[]
  }
  const refundsOf = (shop: Shop, id: number) => shop.call('GET', `/orders/${id}/payment_actions/refunds`)
})

/** The gateways of a store, each call of which goes through a switch. Their own entries are not. */
class SwitchedGateways extends Gateways {
  readonly #db: Db
  readonly #through: Through

  constructor(parts: Pick<Gateways, 'secrets'>, db: Db, through: Through) {
    super(parts)
    this.#db = db
    this.#through = through
  }

  override async open(_: Db, provider: Parameters<Gateways['open']>[1]) {
    const gateway = await super.open(this.#db, provider)
    return {
      ...gateway,
      purchase: (call: Parameters<typeof gateway.purchase>[0]) => this.#through(() => gateway.purchase(call)),
      capture: (call: Parameters<typeof gateway.capture>[0]) => this.#through(() => gateway.capture(call)),
      void: (call: Parameters<typeof gateway.void>[0]) => this.#through(() => gateway.void(call)),
      refund: (call: Parameters<typeof gateway.refund>[0]) => this.#through(() => gateway.refund(call)),
      fetchStatus: (query: Parameters<typeof gateway.fetchStatus>[0]) =>
        this.#through(() => gateway.fetchStatus(query)),
    }
  }
}

const OPERATIONS = ['capture', 'void', 'refund'] as const
type Operation = (typeof OPERATIONS)[number]

const ends = {
  purchase: { payment_status: 'captured', status_id: 11 },
  capture: { payment_status: 'captured', status_id: 11 },
  void: { payment_status: 'void', status_id: 5 },
  refund: { payment_status: 'partially refunded', status_id: 14, refunded_amount: '20.0000' },
} as const

describe('jobs that move money', () => {
  let shop: Shop
  let db: Db
  let secrets: Secrets
  beforeAll(async () => {
    shop = await openShop()
    db = await dbOf(shop)
    secrets = (await theHouse()).installation.secrets
  })

  /** Asks for something that a job does. @returns the order, and a run of that job */
  async function ask(operation: Operation) {
    const id = await openAuthorized(shop)
    if (operation === 'refund') {
      await act(shop, id, 'capture')
      await doMoney(shop)
      await refund(shop, id, [{ item_type: 'ORDER', item_id: id, amount: 20 }])
    } else await act(shop, id, operation)
    const name = operation === 'refund' ? refundTask.name : authorizationTask.name
    const job = (await rowsOf(shop, 'jobs')).find(
      ({ task, payload }) => task === name && (payload as { order_id?: number }).order_id === id,
    )
    if (!job) throw new Error('No job was left.')
    const run = (through: Through): Promise<Outcome> => {
      return runJob(name, job.payload, through)
    }
    return { id, run }
  }

  function runJob(name: string, payload: unknown, through: Through): Promise<Outcome> {
    const runners = orderRunners({ gateways: new SwitchedGateways({ secrets }, db, through) })
    const runner = runners.find(({ task }) => task.name === name)
    if (!runner) throw new Error('Nothing does the job.')
    const { signal } = new AbortController()
    return runner.run({ id: '1', db: switchedDb(db, through), payload, attempt: 1, signal })
  }

  /** Runs a job as its next attempts do, a few at most. */
  async function runToEnd(run: () => Promise<Outcome>) {
    for (let attempt = 0; attempt < 3 && (await run()).kind !== 'done'; attempt++);
  }

  /** The money moved once: in the gateway's book, in ours, in what was told. */
  async function expectOnce(id: number, operation: keyof typeof ends, name: string) {
    expect(await orderOf(shop, id), name).toMatchObject(ends[operation])
    const attempts = (await rowsOf(shop, 'payment_attempts')).filter((row) => row.order_id === id)
    const keys = attempts.filter((row) => row.operation === operation).map(({ key }) => key)
    const book = (await rowsOf(shop, 'testgateway_entries')).filter(({ key }) => keys.includes(key))
    expect(
      book.map(({ outcome }) => outcome),
      name,
    ).toEqual(['approved'])
    const written = (await rowsOf(shop, 'order_transactions')).filter(
      ({ order_id, event }) => order_id === id && event === operation,
    )
    expect(
      written.map(({ status }) => status),
      name,
    ).toEqual(['ok'])
    const published = (await rowsOf(shop, 'events')).filter(
      ({ scope, data }) =>
        scope === 'store/order/transaction/created' &&
        JSON.parse(String(data)).transaction_id === String(written[0]?.id),
    )
    expect(published.length, name).toBe(1)
  }

  test.each(OPERATIONS)(
    'C-124: two workers at one %s, step by step in any order: it is done once',
    async (operation) => {
      const all = ordersOfSteps(4)
      const some = all.filter((_, i) => i % sized(1, 9) === 0)
      for (const order of some) {
        const { id, run } = await ask(operation)
        await interleave(order, [run, run])
        await expectOnce(id, operation, order.join(''))
      }
    },
  )

  test.each(OPERATIONS)(
    'C-126: a %s whose every commit and every call fails once, before it or after it, is done once by the next attempt',
    async (operation) => {
      const points = await failEach(async (fails, name) => {
        const { id, run } = await ask(operation)
        await run(fails).catch(() => undefined)
        await runToEnd(() => run((work) => work()))
        await expectOnce(id, operation, name)
      })
      // The attempt that is recorded, the call, its answer, what it means for the order.
      expect(points).toBeGreaterThanOrEqual(8)
    },
  )

  test('C-126: the same of a payment and its use of a promotion, which its rescue or the next try of the shopper ends', async () => {
    const instrument = {
      type: 'card' as const,
      number: '4111111111111111',
      cardholder_name: 'Ida',
      expiry_month: 12,
      expiry_year: 2030,
    }
    const given = { instrument, payment_method_id: 'testgateway.card' } as const
    const points = await failEach(async (fails, name) => {
      const id = await openOrder(shop)
      const once = { redemption_type: 'COUPON', name: 'Once', max_uses: 1, rules: TEN_OFF }
      const promotion = (await shop.call('POST', '/promotions', once)).body.data.id
      const uses = { customer: { customer_id: 0, email: '' }, promotions: [promotion], coupons: [] }
      await db.transaction((tx) => listUses(tx, { ...uses, order_id: id }))
      const { data } = (await shop.call('POST', '/payments/access_tokens', { order: { id } })).body
      const claims = JSON.parse(Buffer.from(data.id.split('.')[1], 'base64url').toString())
      const pay = (through: Through) =>
        processPayment(
          switchedDb(db, through),
          { gateways: new SwitchedGateways({ secrets }, db, through), secrets },
          { token: { ...claims.data, jti: claims.jti }, input: given },
        )
      await pay(fails).catch(() => undefined)
      const [made] = (await rowsOf(shop, 'payments')).filter(({ order_id }) => order_id === id)
      if (made) await runToEnd(() => runJob('rescue_payment', { payment: made.id }, (work) => work()))
      if ((await orderOf(shop, id)).payment_status !== 'captured') await pay((work) => work())
      await expectOnce(id, 'purchase', name)
      const [used] = (await rowsOf(shop, 'promotions')).filter((row) => row.id === promotion)
      expect([used?.current_uses, used?.reserved_uses], name).toEqual([1, 0])
    })
    // The plan, and the four commits above.
    expect(points).toBeGreaterThanOrEqual(10)
  })
})
