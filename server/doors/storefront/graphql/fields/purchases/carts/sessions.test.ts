import { beforeAll, expect, test } from 'vitest'
import { openWithGoods, stockUp } from '../../../../../../test/fixtures/goods.ts'
import type { Shop } from '../../../../../../test/fixtures/shop.ts'
import { askStorefront, makeToken, ORIGIN } from '../../../../../../test/fixtures/storefront.ts'

let shop: Shop
let token: string
const PASSWORD = 'correct horse 7'

async function ask(query: string, customerToken?: string) {
  const headers: Record<string, string> =
    customerToken === undefined ? {} : { 'x-svc-customer-access-token': customerToken }
  const { status, body } = await askStorefront(shop, { token, query, headers })
  expect([status, body.errors], query).toEqual([200, undefined])
  return body.data
}

/** A customer of its own for each test. */
async function open(name: string) {
  const email = `${name}@example.com`
  const person = { email, first_name: name, last_name: 'Lee', authentication: { new_password: PASSWORD } }
  const { body } = await shop.call('POST', '/customers', [person])
  return { id: body.data[0].id, email }
}
const CART =
  'cart { entityId version lineItems { physicalItems { productEntityId quantity } giftCertificates { name } } }'
const login = async (email: string, guest?: string) =>
  (
    await ask(
      `mutation { login(email: "${email}", password: "${PASSWORD}"${guest ? `, guestCartEntityId: "${guest}"` : ''}) { ${CART} customerAccessToken { value } } }`,
    )
  ).login
const make = async (body: object) => (await shop.call('POST', '/carts', body)).body.data.id
const idOf = async (entityId: string, customerToken?: string) =>
  (await ask(`{ site { cart(entityId: "${entityId}") { entityId } } }`, customerToken)).site.cart?.entityId ?? null

beforeAll(async () => {
  shop = (await openWithGoods()).shop
  token = await makeToken(shop, 'private')
  await stockUp(shop, { product_id: 1, quantity: 9 })
})

test('a customer without a cart takes over the one of the guest', async () => {
  const { email } = await open('ann')
  expect((await login(email)).cart).toBeNull()
  const guest = await make({ line_items: [{ product_id: 1, quantity: 2 }] })
  const { cart, customerAccessToken } = await login(email, guest)
  expect(cart).toEqual({
    entityId: guest,
    version: 2,
    lineItems: { physicalItems: [{ productEntityId: 1, quantity: 2 }], giftCertificates: [] },
  })
  expect([await idOf(guest), await idOf(guest, customerAccessToken.value)]).toEqual([null, guest])
  // The cart is the customer's own already.
  expect((await login(email, guest)).cart).toEqual(cart)
})

test('the lines of the guest are added to the cart of the customer, as far as there is stock', async () => {
  const { id, email } = await open('bo')
  const own = await make({ customer_id: id, line_items: [{ product_id: 1, quantity: 6 }] })
  const certificate = {
    name: 'For Bob',
    theme: 'General',
    amount: 5,
    quantity: 1,
    sender: { name: 'A', email: 'a@example.com' },
    recipient: { name: 'B', email: 'b@example.com' },
  }
  const guest = await make({
    line_items: [
      { product_id: 1, quantity: 5 },
      { product_id: 2, variant_id: 2, quantity: 1, option_selections: [{ option_id: 1, option_value: 1 }] },
    ],
    gift_certificates: [certificate],
  })
  const { cart } = await login(email, guest)
  expect(cart).toEqual({
    entityId: own,
    version: 2,
    lineItems: {
      physicalItems: [
        { productEntityId: 1, quantity: 9 },
        { productEntityId: 2, quantity: 1 },
      ],
      giftCertificates: [{ name: 'For Bob' }],
    },
  })
  expect((await shop.call('GET', `/carts/${guest}`)).status).toBe(404)
})

test('coupons of the guest are tried again', async () => {
  const { id, email } = await open('cy')
  for (const [code, more] of [
    ['GOOD', {}],
    ['GUESTS', { can_be_used_with_other_promotions: true }],
  ] as const) {
    const promotion = {
      name: code,
      redemption_type: 'COUPON',
      channels: [{ id: 1 }],
      rules: [{ action: { cart_value: { discount: { percentage_amount: 10 } } } }],
      can_be_used_with_other_promotions: true,
      ...more,
    }
    const { body, text, status } = await shop.call('POST', '/promotions', promotion)
    expect(status, text).toBe(201)
    await shop.call('POST', `/promotions/${body.data.id}/codes`, { code, max_uses: 0, max_uses_per_customer: 0 })
  }
  const own = await make({ customer_id: id, line_items: [{ product_id: 1, quantity: 1 }] })
  const guest = await make({ line_items: [{ product_id: 1, quantity: 1 }] })
  const applied = await shop.call('POST', `/checkouts/${guest}/coupons`, { coupon_code: 'GOOD' })
  expect(applied.status, applied.text).toBe(200)
  await login(email, guest)
  const { body } = await shop.call('GET', `/checkouts/${own}`)
  expect(body.data.coupons.map(({ code }: { code: string }) => code)).toEqual(['GOOD'])
})

test('a cart that is unknown or of somebody else is ignored by a login', async () => {
  const [{ email }, other] = [await open('di'), await open('ed')]
  const foreign = await make({ customer_id: other.id, line_items: [{ product_id: 1, quantity: 1 }] })
  expect((await login(email, foreign)).cart).toBeNull()
  expect((await login(email, 'no uuid')).cart).toBeNull()
  expect((await shop.call('GET', `/carts/${foreign}`)).body.data.customer_id).toBe(other.id)
})

test('two logins at once take a cart over once', async () => {
  const { id, email } = await open('fi')
  await make({ customer_id: id, line_items: [{ product_id: 1, quantity: 1 }] })
  const guest = await make({ line_items: [{ product_id: 1, quantity: 2 }] })
  await Promise.all([login(email, guest), login(email, guest), login(email, guest)])
  const { cart } = await login(email)
  expect(cart.lineItems.physicalItems).toEqual([{ productEntityId: 1, quantity: 3 }])
})

test('a logout gives the named cart to guests', async () => {
  const { id, email } = await open('gu')
  const own = await make({ customer_id: id, line_items: [{ product_id: 1, quantity: 1 }] })
  const { customerAccessToken } = await login(email)
  const logout = (customerToken: string, cart: string) =>
    ask(
      `mutation { logout(cartEntityId: "${cart}") { result cartUnassignResult { cart { entityId version } errors { __typename ... on Error { message } } } } }`,
      customerToken,
    )
  expect((await logout(customerAccessToken.value, own)).logout).toEqual({
    result: 'success',
    cartUnassignResult: { cart: { entityId: own, version: 2 }, errors: [] },
  })
  expect(await idOf(own)).toBe(own)
  const again = await login(email)
  const foreign = await make({ customer_id: (await open('hal')).id, line_items: [{ product_id: 1, quantity: 1 }] })
  expect((await logout(again.customerAccessToken.value, foreign)).logout.cartUnassignResult).toEqual({
    cart: null,
    errors: [{ __typename: 'CartUnassignInaccessibleError', message: 'Not Found' }],
  })
})

test('a browser has one cart, which its cookie names', async () => {
  const browserToken = await makeToken(shop, 'storefront')
  const send = (query: string, cookie = '') =>
    askStorefront(shop, { token: browserToken, query, headers: { origin: ORIGIN, ...(cookie ? { cookie } : {}) } })
  const create =
    'mutation { cart { createCart(input: { lineItems: [{ productEntityId: 1, quantity: 1 }] }) { cart { entityId } } } }'
  const made = await send(create)
  const { entityId } = made.body.data.cart.createCart.cart
  const cookie = String(made.headers['set-cookie']).split(';')[0]
  expect(made.headers['set-cookie']).toMatch(/^SHOP_CART=.*; HttpOnly; SameSite=Lax/)
  const own = '{ site { cart { entityId } } }'
  expect((await send(own, cookie)).body.data.site.cart).toEqual({ entityId })
  expect((await send(own)).body.data.site.cart).toBeNull()
  expect((await send(own, `${cookie}x`)).body.data.site.cart).toBeNull()
  expect((await send(create, cookie)).message).toBe('This session has a cart already.')
  const end = `mutation { cart { deleteCart(input: { cartEntityId: "${entityId}" }) { deletedCartEntityId } } }`
  expect((await send(end, cookie)).body.errors).toBeUndefined()
  expect((await send(own, cookie)).body.data.site.cart).toBeNull()
  expect((await send(create, cookie)).body.errors).toBeUndefined()
})

test('a channel that sells nothing refuses the carts of shoppers, and not those of the back end', async () => {
  const cart = await make({ line_items: [{ product_id: 1, quantity: 1 }] })
  await shop.call('PUT', '/carts/settings', { allow_purchasing: false })
  for (const query of [
    'mutation { cart { createCart(input: { lineItems: [{ productEntityId: 1, quantity: 1 }] }) { cart { entityId } } } }',
    `mutation { cart { addCartLineItems(input: { cartEntityId: "${cart}", data: { lineItems: [{ productEntityId: 1, quantity: 1 }] } }) { cart { entityId } } } }`,
    `mutation { checkout { updateCheckoutCustomerMessage(input: { checkoutEntityId: "${cart}", data: { message: "Hi" } }) { checkout { entityId } } } }`,
  ]) {
    expect((await askStorefront(shop, { token, query })).message).toBe('This shop takes no orders at the moment.')
  }
  expect(await make({ line_items: [{ product_id: 1, quantity: 1 }] })).toMatch(/-/)
  await shop.call('PUT', '/carts/settings', { allow_purchasing: true })
})

test('the products of the cart are read for the customer', async () => {
  const { email, id } = await open('ursula')
  const { body } = await shop.call(
    'POST',
    '/customer_groups',
    { name: 'Friends', discount_rules: [{ type: 'all', method: 'percent', amount: '10' }] },
    { version: 'v2' },
  )
  await shop.call('PUT', '/customers', [{ id, customer_group_id: body.id }])
  const guest = await make({ line_items: [{ product_id: 1, quantity: 1 }] })
  const fields = 'cart { lineItems { physicalItems { baseCatalogProduct { prices { price { value } } } } } }'
  const data = await ask(
    `mutation { login(email: "${email}", password: "${PASSWORD}", guestCartEntityId: "${guest}") { ${fields} } }`,
  )
  expect(data.login.cart.lineItems.physicalItems).toEqual([
    { baseCatalogProduct: { prices: { price: { value: 16.65 } } } },
  ])
})
