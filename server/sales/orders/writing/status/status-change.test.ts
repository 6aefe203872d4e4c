import { expect, test } from 'vitest'
import { openShop, type Shop } from '../../../../test/fixtures/shop.ts'
import { rowsOf } from '../../../../test/fixtures/webhooks.ts'

// docs/contract/orders.md section 1: what a change of the status leads to beside stock and events.

const ida = { first_name: 'Ida', last_name: 'Holm', zip: '1051', country_iso2: 'DK', email: 'ida@example.com' }
const cups = { name: 'Cup', quantity: 3, price_ex_tax: 10, price_inc_tax: 12.5 }

const speak = (shop: Shop) => (method: string, path: string, body?: unknown) =>
  shop.call(method, path, body, { version: 'v2' })

const changesOf = async (shop: Shop) =>
  (await rowsOf(shop, 'order_status_changes')).map((row) => [
    row.order_id,
    row.nr,
    row.previous_status_id,
    row.status_id,
  ])
const mailsOf = async (shop: Shop) =>
  (await rowsOf(shop, 'owed_emails'))
    .map(({ recipient, context }) => ({ recipient, ...(context as { order: { id: number; new_status: string } }) }))
    .sort((one, other) => one.order.new_status.localeCompare(other.order.new_status))

test('each change of a status is recorded once, from any cause', async () => {
  const shop = await openShop()
  const v2 = speak(shop)
  for (let n = 0; n < 2; n++) await v2('POST', '/orders', { billing_address: ida, products: [cups], status_id: 11 })
  await v2('PUT', '/orders/1', { status_id: 9 })
  await v2('PUT', '/orders/1', { status_id: 9, staff_notes: 'Packed' })
  await v2('PUT', '/orders/2', { status_id: 5 })
  await v2('POST', '/orders/1/shipments', { items: [{ order_product_id: 1, quantity: 1 }] })
  await v2('POST', '/orders/1/shipments', {})
  expect(await changesOf(shop)).toEqual([
    [1, 1, 11, 9],
    [1, 2, 9, 3],
    [1, 3, 3, 2],
    [2, 1, 11, 5],
  ])
})

test('the customer gets the mail about a status, with shipped and collectable items, if the store sends such mails', async () => {
  const shop = await openShop()
  const v2 = speak(shop)
  await shop.call('POST', '/pickup/methods', [
    { location_id: 1, display_name: 'Counter', collection_instructions: 'Ring' },
  ])
  await v2('POST', '/orders', { billing_address: ida, products: [cups], status_id: 11, customer_locale: 'da' })
  expect(await mailsOf(shop)).toEqual([])
  const items = [{ order_product_id: 1, quantity: 1 }]
  const tracking = {
    tracking_number: 'DK1',
    shipping_method: 'Parcel',
    tracking_link: 'https://parcel.example.com/DK1',
  }
  await v2('POST', '/orders/1/shipments', { ...tracking, items })
  const [mail] = await mailsOf(shop)
  const product = { name: 'Cup', sku: '', price: '$12.50', thumbnail: '', brand: '', attribute_lines: [] }
  expect(mail).toEqual({
    recipient: 'ida@example.com',
    customer: { first_name: 'Ida', full_name: 'Ida Holm', email: 'ida@example.com', group: [] },
    order: {
      id: 1,
      new_status: 'Partially Shipped',
      new_formatted_status: 'Partially Shipped',
      total: { value: 37.5, formatted: '$37.50' },
      date_placed: { value: expect.any(String), formatted: expect.stringMatching(/^\w+ \d+, \d{4}$/) },
      payment_method: '',
      link: '',
      customer_name: 'Ida Holm',
      downloadable_products: [],
      products: [{ ...product, quantity: 1 }],
      tracking: [{ id: 'DK1', shipping_method: 'Parcel', link: 'https://parcel.example.com/DK1' }],
      unshipped_products: [{ ...product, quantity: 2 }],
      ready_for_pickup_products: [],
      picked_up_products: [],
      pickup_methods: [],
    },
  })

  const pickup = { order_id: 1, pickup_method_id: 1, pickup_items: items }
  await shop.call('POST', '/orders/pickups', [
    { ...pickup, ready_at: '2026-01-01T09:00:00Z' },
    { ...pickup, ready_at: '2026-01-01T09:00:00Z', collected_at: '2026-01-01T10:00:00Z' },
    { ...pickup, ready_at: '2099-01-01T09:00:00Z' },
  ])
  await v2('PUT', '/orders/1', { status_id: 8 })
  const [ready] = await mailsOf(shop)
  expect(ready?.order).toMatchObject({
    new_status: 'Awaiting Pickup',
    ready_for_pickup_products: [{ ...product, quantity: 1 }],
    picked_up_products: [{ ...product, quantity: 1 }],
    pickup_methods: [{ id: 1, name: 'Counter', instructions: 'Ring', location: { id: 1, name: 'Default location' } }],
  })

  const owed = async () => (await rowsOf(shop, 'owed_emails')).length
  expect(await owed()).toBe(2)
  for (const more of [{ external_source: 'M-MIG' }, { billing_address: { zip: '1', email: 'nobody' } }]) {
    await v2('POST', '/orders', { billing_address: ida, products: [cups], status_id: 11, ...more })
    const [{ id }] = (await v2('GET', '/orders?sort=id:desc&limit=1')).body
    expect((await v2('PUT', `/orders/${id}`, { status_id: 10 })).status).toBe(200)
  }
  await shop.call('PUT', '/settings/email-statuses', { combined_order_status_email: false })
  await v2('PUT', '/orders/1', { status_id: 10 })
  expect(await owed()).toBe(2)
})
