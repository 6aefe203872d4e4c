import { beforeEach, describe, expect, test } from 'vitest'
import { setProvider } from '../../../sales/payments/providers-command.ts'
import { addFault } from '../../../stores/faults/faults.ts'
import { createCart, openWithShipping } from '../../../test/carts/checkouts.ts'
import { follow, linkOfCustomer, visit } from '../../../test/carts/plain-browser.ts'
import { type Shop, theHouse } from '../../../test/fixtures/shop.ts'
import { BAD_CARD, GOOD_CARD, payWith } from '../../../test/fixtures/shopper.ts'
import { askStorefront, makeToken } from '../../../test/fixtures/storefront.ts'
import { dbOf, rowsOf } from '../../../test/fixtures/webhooks.ts'

// docs/contract/checkout-page.md

let shop: Shop
let id: string
beforeEach(async () => {
  shop = await openWithShipping()
  id = await createCart(shop, { 1: 2, 3: 1 })
})

const ADDRESS = {
  phone: '',
  firstName: 'Ann',
  lastName: 'Lee',
  addressLine1: '1 Mill Road',
  city: 'Austin',
  countryCode: 'US',
  provinceCode: 'TX',
  postCode: '78701',
}
const CARD = { ccNumber: GOOD_CARD, ccExpiry: '12/99', ccName: 'Ann Lee', ccCvv: '123' }

/** Goes to the payment. */
async function toPayment(page: Awaited<ReturnType<typeof visit>>) {
  await page.submit({ email: 'ann@example.com' })
  await page.submit({ ...ADDRESS, sameBilling: '1' })
  await page.submit({})
}
const orderOf = async (order: number) => (await shop.call('GET', `/orders/${order}`, undefined, { version: 'v2' })).body

test('a shopper goes through all steps to a paid order, which a reload shows again', async () => {
  const page = await visit(shop, id)
  expect(page.title()).toBe('Checkout – A shop')
  expect(page.buttons()).toBe(1)
  await page.submit({ email: 'ann@example.com' })
  expect(page.openStep()).toBe('shipping')
  expect(page.text()).toContain('ann@example.com')
  await page.submit({ ...ADDRESS, sameBilling: '1' })
  expect(page.openStep()).toBe('options')
  expect(page.text()).toMatch(/By item: \$4\.00/)
  await page.submit({})
  expect(page.openStep()).toBe('payment')
  expect(page.text()).toMatch(/Subtotal\s*\$30\.00\s*Shipping\s*\$4\.00\s*Total\s*\$34\.00/)
  await page.submit({ ...CARD, message: 'Ring twice' })
  expect([page.status(), page.path()]).toEqual([200, '/checkout/order-confirmation'])
  const order = page.order()
  expect(await orderOf(order)).toMatchObject({
    status_id: 11,
    total_inc_tax: '34.0000',
    customer_message: 'Ring twice',
    cart_id: id,
    ip_address: '127.0.0.1',
    billing_address: { first_name: 'Ann', state: 'Texas', email: 'ann@example.com' },
  })
  expect(page.text()).toContain('Your order is paid.')
  expect(page.text()).toMatch(/Lamp Quantity: 2 \$25\.00 Manual Quantity: 1 \$5\.00 Total \$34\.00/)
  await page.open('/checkout/order-confirmation')
  expect(page.order()).toBe(order)
  // The checkout itself leads to the confirmation of its order.
  await page.open('/checkout')
  expect([page.path(), page.order()]).toEqual(['/checkout/order-confirmation', order])
  const { clock } = await theHouse()
  clock.move(3_600_000)
  await page.open('/checkout/order-confirmation')
  expect(page.status()).toBe(404)
})

test('the page has strict headers, and neither token nor id in its addresses', async () => {
  const page = await visit(shop, id)
  expect(page.headers()).toMatchObject({
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'content-security-policy': expect.stringMatching(
      /^default-src 'none'; style-src 'sha256-[^']+' 'sha256-[^']+'; img-src 'self' data:; base-uri 'none'; form-action 'self'; frame-ancestors 'self' https:/,
    ),
  })
  expect(page.body()).not.toContain(id)
  expect(page.body()).not.toMatch(/<script| on\w+=|https?:\/\/(?!store-)/)
  expect(Buffer.byteLength(page.body())).toBeLessThan(60_000)
  expect(page.cookies()).toMatch(/^SHOP_CART=/)
})

describe('mistakes are next to their fields', () => {
  test('of the e-mail address', async () => {
    const page = await visit(shop, id)
    await page.submit({ email: 'nobody' })
    expect([page.status(), page.faults()]).toEqual([422, ['email']])
    expect(page.text()).toContain('Please enter an e-mail address')
    for (const email of ['', 'ann@example', 'ann@example..com', 'ann@example.com.', 'ann@127.0.0.1']) {
      await page.submit({ email })
      expect(page.faults(), email).toEqual(['email'])
    }
  })
  test('of an address, whose values remain', async () => {
    const page = await visit(shop, id)
    await page.submit({ email: 'ann@example.com' })
    await page.submit({
      ...ADDRESS,
      lastName: '',
      provinceCode: '',
      phone: 'call me',
      postCode: '',
      addressLine1: '<b>1 Mill Road</b>',
    })
    expect([page.status(), page.faults()]).toEqual([422, ['lastName', 'postCode', 'provinceCode', 'phone']])
    expect(page.body()).toContain('value="&#60;b&#62;1 Mill Road&#60;/b&#62;"')
    await page.submit({ ...ADDRESS, countryCode: 'XX' })
    expect(page.faults()).toContain('countryCode')
    await page.submit({ ...ADDRESS, provinceCode: 'BY' })
    expect(page.faults()).toEqual(['provinceCode'])
    await page.submit({ ...ADDRESS, city: 'x'.repeat(256) })
    expect(page.faults()).toEqual(['city'])
    expect((await shop.call('GET', `/carts/${id}`)).body.data.version).toBe(2)
  })
  test('of a card, which is never shown again', async () => {
    const page = await visit(shop, id)
    await toPayment(page)
    await page.submit({ ccNumber: '4111 1111', ccExpiry: '13/29', ccName: '', ccCvv: 'x' })
    const all = ['ccNumber', 'ccExpiry', 'ccCvv', 'ccName']
    expect([page.status(), page.faults()]).toEqual([422, all])
    // One mistake empties all fields, and each says so.
    const again = 'Please enter this again.'
    const isWrong = async (mistake: object, sentence: string) => {
      await page.submit({ ...CARD, ...mistake })
      expect([page.status(), page.faults()]).toEqual([422, all])
      expect([page.text().includes(sentence), page.text().split(again).length - 1]).toEqual([true, 3])
    }
    await isWrong({ ccNumber: '4111 1111 1111 1112' }, 'Please check the number of your card.')
    await isWrong({ ccExpiry: '01/20' }, 'The card has expired.')
    await isWrong({ ccExpiry: '129' }, 'Please enter month and year')
    expect(await rowsOf(shop, 'orders')).toEqual([])
    // A card is valid until its month ends, and its date needs no slash.
    const [, year, month] = /^..(..)-(..)/.exec((await theHouse()).clock.now().toISOString()) ?? []
    await page.submit({ ...CARD, ccNumber: BAD_CARD, ccExpiry: `${month}${year}` })
    expect([page.status(), page.text().includes('The payment was declined.')]).toEqual([422, true])
    await page.submit({ ...CARD, ccNumber: BAD_CARD })
    expect([page.status(), page.text().includes('The payment was declined.')]).toEqual([422, true])
    expect(page.body()).not.toContain(BAD_CARD)
    // The order of the declined payment is paid by the next card.
    await page.submit(CARD)
    expect(page.path()).toBe('/checkout/order-confirmation')
    expect((await rowsOf(shop, 'orders')).map(({ status_id }) => status_id)).toEqual([11])
    for (const table of ['payments', 'payment_attempts', 'carts', 'orders', 'events']) {
      expect(JSON.stringify(await rowsOf(shop, table)), table).not.toMatch(new RegExp(`${GOOD_CARD}|${BAD_CARD}`))
    }
  })
  test('of a coupon', async () => {
    await shop.call(
      'POST',
      '/coupons',
      {
        name: 'Tenth',
        code: 'SAVE',
        type: 'percentage_discount',
        amount: '10',
        enabled: true,
        applies_to: { entity: 'categories', ids: [0] },
      },
      { version: 'v2' },
    )
    const page = await visit(shop, id)
    await page.submit({ couponCode: 'NOTHING' }, 'coupon')
    expect([page.status(), page.faults()]).toEqual([422, ['couponCode']])
    await page.submit({ couponCode: 'save' }, 'coupon')
    expect(page.text()).toMatch(/Coupon Tenth\s*-\$3\.00/)
    await page.submit({ remove: 'save' }, 'coupon')
    expect(page.text()).not.toContain('Tenth')
  })
})

describe('a form that does not fit', () => {
  test('of another cart, another step, or without a token changes nothing', async () => {
    const page = await visit(shop, id)
    const other = await visit(shop, await createCart(shop, { 1: 1 }))
    for (const token of ['', 'x', other.token()]) {
      await page.post({ step: 'customer', token, version: '1', email: 'eve@example.com' })
      expect(page.status()).toBe(403)
    }
    await page.open('/checkout')
    await page.post({ step: 'payment', token: page.token(), version: '1' })
    expect(page.status()).toBe(403)
    expect((await shop.call('GET', `/carts/${id}`)).body.data).toMatchObject({ version: 1, email: '' })
  })
  test('from before a change shows the current state', async () => {
    const page = await visit(shop, id)
    await shop.call('PUT', `/checkouts/${id}`, { customer_message: 'Hello' })
    await page.submit({ email: 'ann@example.com' })
    expect([page.status(), page.text().includes('Your cart was changed in the meantime.')]).toEqual([409, true])
    await page.submit({ email: 'ann@example.com' })
    expect(page.openStep()).toBe('shipping')
  })
  test('with a total that has changed since is not paid', async () => {
    const page = await visit(shop, id)
    await toPayment(page)
    await shop.call('PUT', '/catalog/products/1', { price: 15 })
    await page.submit(CARD)
    expect([page.status(), page.text().includes('The total of your order has changed.')]).toEqual([422, true])
    expect(await rowsOf(shop, 'payments')).toEqual([])
    await page.submit(CARD)
    expect(page.path()).toBe('/checkout/order-confirmation')
    expect((await orderOf(page.order())).total_inc_tax).toBe('39.0000')
  })
  test('that is too large, or has too many fields', async () => {
    const page = await visit(shop, id)
    await page.post({ step: 'customer', email: 'x'.repeat(40_000) })
    expect(page.status()).toBe(413)
    await page.post(Object.fromEntries(Array.from({ length: 201 }, (_, i) => [`field${i}`, 'x'])))
    expect(page.status()).toBe(413)
  })
})

test('a double click and two tabs are one order and one charge', async () => {
  const page = await visit(shop, id)
  await toPayment(page)
  const [one, two] = [page.copy(), page.copy()]
  await two.open('/checkout')
  await Promise.all([one.submit(CARD), page.submit(CARD), two.submit(CARD)])
  await page.open('/checkout')
  expect(page.path()).toBe('/checkout/order-confirmation')
  const orders = await rowsOf(shop, 'orders')
  expect(orders.filter(({ status_id }) => status_id === 11).length).toBe(1)
  expect((await rowsOf(shop, 'order_transactions')).length).toBe(1)
})

test('the last piece is sold to one of two shoppers', async () => {
  await shop.call('PUT', '/catalog/products/1', { inventory_tracking: 'product' })
  await shop.call('PUT', '/inventory/adjustments/absolute', { items: [{ location_id: 1, product_id: 1, quantity: 2 }] })
  const pages = await Promise.all([visit(shop, id), createCart(shop, { 1: 2 }).then((other) => visit(shop, other))])
  for (const page of pages) await toPayment(page)
  await Promise.all(pages.map((page) => page.submit(CARD)))
  expect(pages.map((page) => page.path()).sort()).toEqual(['/checkout', '/checkout/order-confirmation'])
  const loser = pages.find((page) => page.path() === '/checkout')
  expect(loser?.text()).toContain('Some items are not available in this quantity any more.')
  expect((await rowsOf(shop, 'order_transactions')).length).toBe(1)
})

test('ten refused payments of a cart are followed by a pause', async () => {
  const page = await visit(shop, id)
  await toPayment(page)
  for (let i = 0; i < 10; i++) {
    await page.submit({ ...CARD, ccNumber: BAD_CARD })
    expect(page.text(), String(i)).toContain('The payment was declined.')
  }
  await page.submit(CARD)
  expect(page.text()).toContain('Too many payments were refused.')
  const { clock } = await theHouse()
  clock.move(3_600_000)
  await page.submit(CARD)
  expect(page.path()).toBe('/checkout/order-confirmation')
})

test('a payment without an answer of the gateway does not count as refused', async () => {
  const patient = await openWithShipping({ isTest: true })
  const { installation } = await theHouse()
  await addFault(installation.directory.database, patient.store.id, { port: 'gateway', outcome: 'timed_out', next: 1 })
  const page = await visit(patient, await createCart(patient, { 3: 1 }))
  await page.submit({ email: 'ann@example.com' })
  await page.submit(ADDRESS)
  for (let i = 0; i < 12; i++) {
    await page.submit(CARD)
    expect(page.text(), String(i)).toContain('The payment provider has not answered yet.')
  }
})

test('an offline method places the order without a payment', async () => {
  const instructions = 'Account DK50 <1>,\nwith your order number.'
  const wish = {
    gateway: 'bankdeposit',
    channel: 0,
    currency: '',
    mode: 'purchase' as const,
    options: [`instructions=${instructions}`],
  }
  const { secrets } = (await theHouse()).installation
  const db = await dbOf(shop)
  await setProvider(db, wish, secrets)
  for (const options of [['instructions='], ['partialRefund=true'], [`instructions=${'x'.repeat(2_001)}`]]) {
    expect(() => setProvider(db, { ...wish, options }, secrets)).toThrow('an offline method has instructions')
  }
  const page = await visit(shop, id)
  await toPayment(page)
  const escaped = 'Account DK50 &#60;1&#62;,\nwith your order number.'
  expect(page.body()).toContain(escaped)
  await page.submit({ method: 'bankdeposit' })
  expect(page.body()).toContain(escaped)
  expect(page.text()).toContain('The shop is waiting for your payment: Bank deposit')
  expect(await orderOf(page.order())).toMatchObject({ status_id: 7, payment_method: 'Bank deposit' })
  const payment = expect.objectContaining({ offline_payment_message: instructions })
  expect(await rowsOf(shop, 'owed_emails')).toContainEqual(
    expect.objectContaining({
      type_id: 'invoice_email',
      context: expect.objectContaining({ order: expect.objectContaining({ payment }) }),
    }),
  )
})

test('an address begins with the country of the shop, and lists the countries that it ships to', async () => {
  const v2 = (method: string, path: string, body: object) =>
    shop.call(method, `/shipping/zones${path}`, body, { version: 'v2' })
  const page = await visit(shop, id)
  const options = () => [...page.body().matchAll(/<option value="([A-Z]{2})"( selected)?>/g)]
  const chosen = () => options().flatMap(([, code, isChosen]) => (isChosen ? [code] : []))
  const countries = () =>
    options()
      .filter(([, code]) => ['US', 'DK', 'SE', 'NO'].includes(code ?? ''))
      .map(([, code]) => code)
  await page.submit({ email: 'ann@example.com' })
  expect([chosen(), countries()]).toEqual([['US'], ['DK', 'NO', 'SE', 'US']])
  expect(page.body()).toContain('<option value="TX">Texas</option>')
  expect((await v2('PUT', '/1', { name: 'World', type: 'global', enabled: false })).status).toBe(200)
  // Without a zone the shopper can enter an address, and hears that the shop does not ship to it.
  await page.open('/checkout')
  expect([chosen(), countries()]).toEqual([['US'], ['DK', 'NO', 'SE', 'US']])
  const zone = { name: 'Danish', type: 'country', locations: [{ country_iso2: 'DK' }] }
  expect((await v2('POST', '', zone)).status).toBe(201)
  await page.open('/checkout')
  expect([chosen(), countries()]).toEqual([['DK'], ['DK']])
  await v2('POST', '', { ...zone, name: 'Swedish', locations: [{ country_iso2: 'SE' }] })
  await page.open('/checkout')
  expect([chosen(), countries()]).toEqual([[], ['DK', 'SE']])
  // A country that is not listed any more can be sent, and has no options.
  await page.submit({ ...ADDRESS, sameBilling: '' })
  expect(page.text()).toContain('We cannot ship to this address.')
  await page.open('/checkout?step=shipping')
  expect([chosen(), countries()]).toEqual([
    ['US', 'TX'],
    ['DK', 'SE', 'US'],
  ])
})

test('a digital cart skips shipping, and an order without costs needs no payment', async () => {
  const page = await visit(shop, await createCart(shop, { 3: 1 }))
  await shop.call('PUT', '/catalog/products/3', { price: 0 })
  await page.open('/checkout')
  await page.submit({ email: 'ann@example.com' })
  expect(page.openStep()).toBe('billing')
  await page.submit(ADDRESS)
  expect([page.openStep(), page.text().includes('Card number')]).toEqual(['payment', false])
  await page.submit({})
  expect((await orderOf(page.order())).status_id).toBe(10)
})

test('a customer has its name, its saved addresses, and its language', async () => {
  const { body } = await shop.call('POST', '/customers', [
    {
      email: 'cy@example.com',
      first_name: 'Cy',
      last_name: 'Lee',
      addresses: [
        {
          first_name: 'Cy',
          last_name: 'Lee',
          address1: '9 Low St',
          city: 'Waco',
          country_code: 'US',
          state_or_province: 'Texas',
          postal_code: '76701',
        },
      ],
    },
  ])
  const { id } = body.data[0]
  const cart = await createCart(shop, { 1: 1 }, { customer_id: id, locale: 'de' })
  const page = await follow(shop, await linkOfCustomer(shop, cart, id))
  expect(page.title()).toBe('Kasse – A shop')
  expect(page.text()).toContain('Sie sind angemeldet als cy@example.com')
  await page.submit({})
  await page.open(page.link('9 Low St'))
  expect(page.body()).toContain('value="9 Low St"')
  expect(page.body()).toContain('<option value="TX" selected>')
  // Countries have the names and the order of the language.
  const names = [...page.body().matchAll(/<option value="[A-Z]{2}"[^>]*>([^<]+)</g)].map(([, country]) => country)
  expect(names).toContain('Vereinigte Staaten')
  expect(names.indexOf('Österreich')).toBeLessThan(names.indexOf('Panama'))
})

test('links that were used, and carts of other browsers, show nothing of a shopper', async () => {
  const page = await visit(shop, id)
  await page.submit({ email: 'ann@example.com' })
  const again = page.copy()
  again.clear()
  await again.open(page.link())
  expect([again.status(), again.text().includes('ann@example.com')]).toEqual([404, false])
  await again.open('/checkout')
  expect([again.status(), again.text().includes('This checkout does not exist any more')]).toEqual([404, true])
  await shop.call('DELETE', `/carts/${id}`)
  await page.open('/checkout')
  expect(page.status()).toBe(404)
})

test('a channel that sells nothing shows no checkout, and takes no payment', async () => {
  const page = await visit(shop, id)
  await toPayment(page)
  const paying = page.copy()
  await shop.call('PUT', '/carts/settings/channels/1', { allow_purchasing: false })
  await paying.submit(CARD)
  expect([paying.status(), paying.title()]).toEqual([403, 'This shop takes no orders at the moment – A shop'])
  await page.open('/checkout')
  expect([page.status(), page.buttons()]).toEqual([403, 0])
  expect([await rowsOf(shop, 'payments'), await rowsOf(shop, 'orders')]).toEqual([[], []])
  await shop.call('PUT', '/carts/settings/channels/1', { allow_purchasing: null })
  await page.open('/checkout')
  await page.submit(CARD)
  expect(page.path()).toBe('/checkout/order-confirmation')
  // The confirmation of an order does not end with the sale.
  await shop.call('PUT', '/carts/settings/channels/1', { allow_purchasing: false })
  await page.open('/checkout')
  expect(page.path()).toBe('/checkout/order-confirmation')
})

describe('of shoppers on the page and by GraphQL, one gets', () => {
  /** Pays a checkout that is ready. @returns whether it was paid */
  type Pay = () => Promise<boolean>

  /** Goes to the payment on the page. */
  async function onPage(cart: string, code?: string): Promise<Pay> {
    const page = await visit(shop, cart)
    await toPayment(page)
    if (code !== undefined) await page.submit({ couponCode: code }, 'coupon')
    return async () => {
      await page.submit(CARD)
      return page.path() === '/checkout/order-confirmation'
    }
  }

  /** The same by GraphQL, after the steps on the page. */
  async function byGraphql(cart: string, code?: string): Promise<Pay> {
    await onPage(cart, code)
    const token = await makeToken(shop, 'private')
    const query = `mutation { checkout { completeCheckout(input: { checkoutEntityId: "${cart}" }) {
      paymentAccessToken errors { __typename } } } }`
    return async () => {
      const { body } = await askStorefront(shop, { token, query })
      const { paymentAccessToken, errors } = body.data.checkout.completeCheckout
      if (paymentAccessToken === null) expect(errors).toHaveLength(1)
      return paymentAccessToken !== null && (await payWith(shop, paymentAccessToken)).status === 201
    }
  }

  const PAIRS = [
    ['page and page', onPage, onPage],
    ['page and GraphQL', onPage, byGraphql],
    ['GraphQL and GraphQL', byGraphql, byGraphql],
  ] as const

  test.each(PAIRS)('the last piece: %s', async (_, first, second) => {
    await shop.call('PUT', '/catalog/products/1', { inventory_tracking: 'product' })
    const items = [{ location_id: 1, product_id: 1, quantity: 2 }]
    await shop.call('PUT', '/inventory/adjustments/absolute', { items })
    const shoppers = [await first(id), await second(await createCart(shop, { 1: 2 }))]
    expect((await Promise.all(shoppers.map((pay) => pay()))).sort()).toEqual([false, true])
    expect((await rowsOf(shop, 'order_transactions')).length).toBe(1)
  })

  test.each(PAIRS)('the last use of a coupon: %s', async (_, first, second) => {
    const coupon = { name: 'Once', code: 'ONCE', type: 'percentage_discount', amount: '10', enabled: true, max_uses: 1 }
    await shop.call(
      'POST',
      '/coupons',
      { ...coupon, applies_to: { entity: 'categories', ids: [0] } },
      { version: 'v2' },
    )
    const shoppers = [await first(id, 'ONCE'), await second(await createCart(shop, { 1: 2 }), 'ONCE')]
    expect((await Promise.all(shoppers.map((pay) => pay()))).sort()).toEqual([false, true])
    expect((await rowsOf(shop, 'order_transactions')).length).toBe(1)
    const { body } = await shop.call('GET', '/coupons', undefined, { version: 'v2' })
    expect(body[0].num_uses).toBe(1)
  })
})
