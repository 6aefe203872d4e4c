import { expect, test } from 'vitest'
import { doMoney, payOrder } from '../../../test/fixtures/orders.ts'
import { openShop } from '../../../test/fixtures/shop.ts'
import { attempt, delivered, dispatchAll } from '../../../test/fixtures/webhooks.ts'

test('W9: a hook on store/order/* receives the events of a refund under concrete scopes', async () => {
  const shop = await openShop()
  const hook = { scope: 'store/order/*', destination: 'https://hooks.example.com/orders', is_active: true }
  const { id } = (await shop.call('POST', '/hooks', hook)).body.data
  const products = [{ name: 'Print', quantity: 1, price_ex_tax: 5, price_inc_tax: 5 }]
  await shop.call('POST', '/orders', { billing_address: { zip: '1051' }, products, status_id: 0 }, { version: 'v2' })
  await payOrder(shop, 1)
  const received = async () => {
    await dispatchAll()
    const lanes = await attempt(shop, id, delivered)
    return lanes.flatMap(({ deliveries }) =>
      deliveries.flatMap(({ event }) => (event ? [{ scope: event.scope, data: JSON.parse(event.data) }] : [])),
    )
  }
  await received()
  const { status, text } = await shop.call('POST', '/orders/1/payment_actions/refunds', {
    items: [{ item_type: 'PRODUCT', item_id: 1, quantity: 1 }],
    payments: [{ provider_id: 'testgateway', amount: 5 }],
  })
  expect(status, text).toBe(201)
  await doMoney()
  const heard = await received()
  expect(heard.map(({ scope }) => scope)).toEqual([
    'store/order/refund/created',
    'store/order/transaction/created',
    'store/order/updated',
    'store/order/statusUpdated',
  ])
  expect(heard.at(-1)?.data).toEqual({
    type: 'order',
    id: 1,
    status: { previous_status_id: 11, new_status_id: 4 },
  })
})
