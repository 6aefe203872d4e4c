import type { Db } from '../core/db/database.ts'
import type { Runner } from '../core/jobs/task.ts'
import { lock } from '../core/rest/verbs.ts'
import { recordPayment } from '../orders/payment-record.ts'
import { orderRunners } from '../orders/routes.ts'
import { orders } from '../orders/rows.ts'
import { callGateway } from '../payments/attempts.ts'
import { Gateways } from '../payments/gateways.ts'
import { toMinor } from '../payments/minor-units.ts'
import { doJobs } from './jobs.ts'
import { type Shop, theHouse } from './shop.ts'
import { dbOf } from './webhooks.ts'

const theGateways = async () => new Gateways((await theHouse()).installation)

export const moneyRunners = async (): Promise<readonly Runner[]> => orderRunners({ gateways: await theGateways() })

/** Asks gateways, until nothing more is due. @returns how many attempts were for this shop: other tests may have left some */
export async function doMoney(shop?: Shop): Promise<number> {
  let attempts = 0
  const counted = (await moneyRunners()).map(({ task, run }) => ({
    task,
    run(job: Parameters<typeof run>[0]) {
      if (job.db.store.id === shop?.store.id) attempts++
      return run(job)
    },
  }))
  await doJobs(counted)
  return attempts
}

const billing = {
  first_name: 'Ida',
  last_name: 'Holm',
  street_1: 'Nyhavn 12',
  street_2: '',
  city: 'Copenhagen',
  state: '',
  zip: '1051',
  country_iso2: 'DK',
  email: 'ida@example.com',
  phone: '',
}

/**
 * Pays an order by the test gateway, as its shopper would.
 * @param amount all of it if not given
 */
export const payOrder = async (
  shop: Shop,
  id: number,
  operation: 'authorize' | 'purchase' = 'purchase',
  amount?: number,
) => payOrderIn(await dbOf(shop), await theGateways(), id, operation, amount)

/** The same in any database. */
export async function payOrderIn(
  db: Db,
  gateways: Gateways,
  id: number,
  operation: 'authorize' | 'purchase',
  amount?: number,
) {
  const order = await db.transaction((tx) => lock(tx, orders, id))
  const paid = amount ?? order.total_inc_tax
  const result = await callGateway(db, gateways, {
    key: `order ${id}:${operation}`,
    orderId: id,
    gateway: 'testgateway',
    channel_id: order.channel_id,
    currency: order.currency_code,
    decimals: order.currency_decimals,
    amountMinor: toMinor(paid, order.currency_decimals),
    operation,
    instrument: { type: 'none' },
    billing,
    saves: false,
  })
  if (result.outcome !== 'approved') throw new Error(`The payment of order ${id} was not approved: ${result.message}`)
  await db.transaction(async (tx) =>
    recordPayment(
      tx,
      await lock(tx, orders, id),
      operation === 'authorize' ? 'authorization approved' : 'purchase approved',
      {
        event: operation === 'authorize' ? 'authorization' : 'purchase',
        method: 'credit_card',
        gateway: 'testgateway',
        amount: paid,
        gateway_transaction_id: result.gatewayTransactionId,
        test: true,
      },
    ),
  )
}

/** Makes an order of its own that is refunded. @returns the id of the refund */
export async function refundedOrder(shop: Shop): Promise<number> {
  const products = [{ name: 'Print', quantity: 1, price_ex_tax: 5, price_inc_tax: 5 }]
  const order = await shop.call(
    'POST',
    '/orders',
    { billing_address: { zip: '1051' }, products, status_id: 11 },
    { version: 'v2' },
  )
  const { body } = await shop.call('POST', `/orders/${order.body.id}/payment_actions/refunds`, {
    items: [{ item_type: 'ORDER', item_id: order.body.id, amount: 5 }],
    payments: [{ provider_id: 'custom', amount: 5, offline: true }],
  })
  return body.data.id
}
