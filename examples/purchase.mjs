// Buys two of the first product of the demo store: cart, billing address, shipping, order, payment with a test card.
// Run npm start in one terminal, node examples/purchase.mjs in another. The mailbox then shows the invoice.

import { readFile } from 'node:fs/promises'

const { base_url, store_hash, tokens } = JSON.parse(await readFile(process.argv[2] ?? 'data/sandbox.json', 'utf8'))
const store = `${base_url}/stores/${store_hash}`

async function send(method, path, { body, headers = { 'X-Auth-Token': tokens.admin } } = {}) {
  const answer = await fetch(`${store}${path}`, {
    method,
    headers: { Accept: 'application/json', ...(body ? { 'Content-Type': 'application/json' } : {}), ...headers },
    body: body && JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
  return answer.json()
}
const call = async (method, path, body) => (await send(method, `/v3${path}`, { body })).data

const [variant] = await call('GET', '/catalog/products/1/variants?limit=1')
const cart = await call('POST', '/carts', { line_items: [{ product_id: 1, variant_id: variant.id, quantity: 2 }] })
const checkout = `/checkouts/${cart.id}`

const address = {
  first_name: 'Ann',
  last_name: 'Lee',
  email: 'ann.lee@example.com',
  address1: '1 Main Street',
  city: 'Austin',
  state_or_province_code: 'TX',
  postal_code: '78701',
  country_code: 'US',
}
await call('POST', `${checkout}/billing-address`, address)

const [line] = cart.line_items.physical_items
const {
  consignments: [consignment],
} = await call('POST', `${checkout}/consignments?include=consignments.available_shipping_options`, [
  { address, line_items: [{ item_id: line.id, quantity: 2 }] },
])
const [option] = consignment.available_shipping_options
const { grand_total } = await call('PUT', `${checkout}/consignments/${consignment.id}`, {
  shipping_option_id: option.id,
})
console.log(`The cart costs ${grand_total} with ${option.description}.`)

const { id } = await call('POST', `${checkout}/orders`)
const token = await call('POST', '/payments/access_tokens', { order: { id } })
const card = {
  type: 'card',
  number: '4111111111111111',
  cardholder_name: 'Ann Lee',
  expiry_month: 12,
  expiry_year: new Date().getFullYear() + 3,
  verification_value: '123',
}
await send('POST', '/payments', {
  body: { payment: { instrument: card, payment_method_id: 'testgateway.card' } },
  headers: { Authorization: `PAT ${token.id}` },
})
const order = await send('GET', `/v2/orders/${id}`)
console.log(`Order ${id}: ${order.status}, ${order.payment_status}, ${Number(order.total_inc_tax)}.`)
