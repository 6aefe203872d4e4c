import { beforeAll, describe, expect, test } from 'vitest'
import type { Db } from '../../../core/db/database.ts'
import { Problem } from '../../../core/rest/problem.ts'
import { doMoney } from '../../../test/fixtures/orders.ts'
import { openShop, type Shop, theHouse } from '../../../test/fixtures/shop.ts'
import { askToken, GOOD_CARD, openUnpaid, pay } from '../../../test/fixtures/shopper.ts'
import { dbOf, rowsOf } from '../../../test/fixtures/webhooks.ts'
import { doJobs } from '../../../test/harness/jobs.ts'
import type { Gateway } from '../../payments/gateways/gateway.ts'
import { callbackOf } from '../../payments/gateways/test-gateway.ts'
import { Gateways } from '../../payments/gateways.ts'
import type { Provider } from '../../payments/providers.ts'
import { setProvider } from '../../payments/providers-command.ts'
import { orderRunners } from '../routes.ts'
import { receiveCallback } from './callbacks.ts'
import { processPayment } from './process.ts'

// Payments that were given up, since the gateway denied them, and arrived there after all (docs/contract/payments.md section 3).

let shop: Shop
let db: Db
beforeAll(async () => {
  shop = await openShop()
  db = await dbOf(shop)
})

type Call = Parameters<Gateway['purchase']>[0]

/** Gateways that lose every payment on its way and keep the call. */
class LosingGateways extends Gateways {
  lost: { gateway: Gateway; call: Call } | undefined

  override async open(at: Db, provider: Pick<Provider, 'gateway' | 'options' | 'credentials'>): Promise<Gateway> {
    const gateway = await super.open(at, provider)
    const lose = async (call: Call): Promise<never> => {
      this.lost = { gateway, call }
      throw new Error('The connection broke.')
    }
    return { ...gateway, authorize: lose, purchase: lose }
  }
}

/**
 * Pays an order by a request that gets lost, until the server gives the payment up.
 * @returns a function that lets the request arrive and returns the gateway's callback
 */
async function payInVain(id: number, operation: 'purchase' | 'authorize' = 'purchase') {
  const { installation, clock } = await theHouse()
  const gateways = new LosingGateways(installation)
  const { body } = await askToken(shop, id)
  const claims = JSON.parse(Buffer.from(body.data.id.split('.')[1], 'base64url').toString())
  const instrument = {
    type: 'card' as const,
    number: GOOD_CARD,
    cardholder_name: 'Ida',
    expiry_month: 12,
    expiry_year: 2099,
  }
  const given = { instrument, payment_method_id: 'testgateway.card' }
  const parts = { gateways, secrets: installation.secrets }
  const token = { ...claims.data, jti: claims.jti }
  await expect(processPayment(db, parts, { token, input: given })).rejects.toBeInstanceOf(Problem)
  clock.move(61_000)
  await doJobs(orderRunners({ gateways }))
  const [payment] = (await rowsOf(shop, 'payments')).filter((row) => row.order_id === id)
  expect(payment).toMatchObject({ state: 'failed' })
  return async () => {
    const { lost } = gateways
    if (!lost) throw new Error('Nothing was sent.')
    await lost.gateway[operation](lost.call)
    clock.move(3_000)
    const callback = await callbackOf(db, lost.call.idempotencyKey, installation.secrets)
    if (!callback) throw new Error('The gateway has nothing to say.')
    return callback
  }
}

/** Delivers a callback as the gateway does, then runs the jobs. */
async function deliver({ headers, body }: { headers: Record<string, string>; body: Buffer }) {
  const { server } = await theHouse()
  const url = `/gateways/testgateway/callbacks/${shop.store.hash}`
  const type = { 'content-type': 'application/json' }
  const { statusCode } = await server.inject({ method: 'POST', url, headers: { ...headers, ...type }, payload: body })
  expect(statusCode).toBe(200)
  await doMoney(shop)
}

const read = async (id: number) => (await shop.call('GET', `/orders/${id}`, undefined, { version: 'v2' })).body
const listed = async (id: number) => (await shop.call('GET', `/orders/${id}/transactions`)).body?.data ?? []
const quote = (id: number, amount: number) =>
  shop.call('POST', `/orders/${id}/payment_actions/refund_quotes`, {
    items: [{ item_type: 'ORDER', item_id: id, amount }],
  })

describe('a payment that arrives after it was given up', () => {
  test('pays its order, and is reported in the log once', async () => {
    const id = await openUnpaid(shop, 25)
    const callback = await (await payInVain(id))()
    const lines: unknown[] = []
    const log = { warn: (...line: unknown[]) => lines.push(line) }
    const gateways = new Gateways((await theHouse()).installation)
    for (let i = 0; i < 2; i++) await receiveCallback(db, gateways, { gateway: 'testgateway', ...callback }, log)
    expect(await read(id)).toMatchObject({ payment_status: 'captured', status_id: 11 })
    expect(await listed(id)).toMatchObject([{ event: 'purchase', status: 'ok', amount: 25 }])
    expect(lines).toEqual([
      [
        expect.objectContaining({ store: shop.store.id, order: id, amount: 25, state: 'approved' }),
        'a payment was made after it had been given up: it was recorded and its order settled',
      ],
    ])
  })

  test('is returned if the order was paid again meanwhile', async () => {
    const id = await openUnpaid(shop, 25)
    const arrive = await payInVain(id)
    expect((await pay(shop, id)).status).toBe(201)
    await deliver(await arrive())
    expect(await read(id)).toMatchObject({
      payment_status: 'captured',
      status_id: 11,
      refunded_amount: '0.0000',
      staff_notes: "A payment of 25 was made after it had been given up. The order doesn't need it, so it is returned.",
    })
    const [, late, back] = await listed(id)
    expect([late, back]).toMatchObject([
      { event: 'purchase', status: 'ok', amount: 25 },
      { event: 'refund', status: 'ok', amount: 25, reference_transaction_id: late.id },
    ])
    expect((await quote(id, 25)).status).toBe(201)
    expect((await quote(id, 25.01)).status).toBe(422)
    await deliver(await arrive())
    expect(await listed(id)).toHaveLength(3)
  })

  test('is given back if the order was cancelled meanwhile', async () => {
    const id = await openUnpaid(shop, 25)
    const arrive = await payInVain(id)
    await shop.call('PUT', `/orders/${id}`, { status_id: 5 }, { version: 'v2' })
    await deliver(await arrive())
    expect(await read(id)).toMatchObject({ payment_status: '', status_id: 5 })
    expect(await listed(id)).toMatchObject([
      { event: 'purchase', status: 'ok' },
      { event: 'refund', status: 'ok' },
    ])
    expect((await quote(id, 25)).status).toBe(422)
  })

  test('stays with the order if the gateway does not take it back: it can be refunded outside', async () => {
    const id = await openUnpaid(shop, 25.53)
    const arrive = await payInVain(id)
    await shop.call('PUT', `/orders/${id}`, { status_id: 5 }, { version: 'v2' })
    await deliver(await arrive())
    expect(await listed(id)).toMatchObject([
      { event: 'purchase', status: 'ok' },
      { event: 'refund', status: 'error', message: 'Refund was declined by the test gateway' },
    ])
    const items = [{ item_type: 'ORDER', item_id: id, amount: 25.53 }]
    const payments = [{ provider_id: 'custom', amount: 25.53, offline: true }]
    expect((await shop.call('POST', `/orders/${id}/payment_actions/refunds`, { items, payments })).status).toBe(201)
    await doMoney(shop)
    expect(await read(id)).toMatchObject({ payment_status: 'refunded', status_id: 4 })
  })

  test('is voided if it is an authorization that the order does not need', async () => {
    const wish = { gateway: 'testgateway', channel: 0, currency: '', mode: 'authorize', options: [] } as const
    await setProvider(db, wish, (await theHouse()).installation.secrets)
    const id = await openUnpaid(shop, 25)
    const arrive = await payInVain(id, 'authorize')
    expect((await pay(shop, id)).status).toBe(201)
    await deliver(await arrive())
    expect(await read(id)).toMatchObject({ payment_status: 'authorized', status_id: 7 })
    const [first, late, back] = await listed(id)
    expect([late, back]).toMatchObject([
      { event: 'authorization', status: 'ok' },
      { event: 'void', status: 'ok', reference_transaction_id: late.id },
    ])
    await shop.call('POST', `/orders/${id}/payment_actions/capture`)
    await doMoney(shop)
    expect((await listed(id)).at(-1)).toMatchObject({ event: 'capture', reference_transaction_id: first.id })
  })
})
