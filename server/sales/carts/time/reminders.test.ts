import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { emailRunner } from '../../../shop/emails/sending/send.ts'
import { Renderers } from '../../../shop/templates/renderers.ts'
import { ann, checkoutOf, createCart, openWithShipping } from '../../../test/carts/checkouts.ts'
import { DAY, MINUTE, sites, wait } from '../../../test/carts/due.ts'
import { type Shop, theHouse } from '../../../test/fixtures/shop.ts'
import { pay } from '../../../test/fixtures/shopper.ts'
import { dbOf, rowsOf } from '../../../test/fixtures/webhooks.ts'
import { doJobs } from '../../../test/harness/jobs.ts'
import { nextReminders } from './schedule.ts'
import { endReminders } from './unsubscribe.ts'

// docs/contract/carts.md section 13. The clock belongs to the process of this file.

const renderers = new Renderers()
afterAll(() => renderers.close())

let shop: Shop
beforeEach(async () => {
  shop = await openWithShipping()
})

const SETTINGS = {
  enable_notification: true,
  email_customer_until_cart_is_recovered: true,
  marketing_emails_require_customer_consent: false,
  email_merchant_when_cart_is_converted: false,
  email_merchant_when_cart_is_abandoned: false,
  merchant_email_address: 'boss@example.com',
  merchant_abandoned_cart_email_frequency_type: 'individual',
  merchant_abandoned_cart_digest_email_frequency: 2,
}
const settle = async (more: object = {}) =>
  expect((await shop.call('PUT', '/abandoned-carts/settings', { ...SETTINGS, ...more })).status).toBe(200)
const reminder = async (fields: object, query = '') =>
  (await shop.call('POST', `/marketing/abandoned-cart-emails${query}`, fields)).body.data.id

/** A cart of a guest whose address is known. */
async function openCart(address: object = {}): Promise<string> {
  const id = await createCart(shop, { 1: 2 })
  await checkoutOf(shop, id).call('POST', '/billing-address', { ...ann, ...address })
  return id
}

/** The subjects of the mails that were sent since the last call of `openWithShipping`. */
async function mails() {
  const { clock } = await theHouse()
  await doJobs([emailRunner({ renderers, clock, sites, log: { warn: () => {} } })])
  return rowsOf(shop, 'mails')
}
const sent = async (id: number) => (await shop.call('GET', `/marketing/abandoned-cart-emails/${id}`)).body.data.sent_num

describe('nextReminders', () => {
  const [hour, day] = [
    { id: 1, notify_at_minutes: 60, coupon_code: '' },
    { id: 2, notify_at_minutes: 1_440, coupon_code: '' },
  ]
  const other = { ...hour, id: 3 }
  const at = (minutes: number) => new Date(minutes * MINUTE)

  test.each([
    [undefined, 60, [1, 3]],
    [59, 60, [1, 3]],
    [60, 1_440, [2]],
    [1_439, 1_440, [2]],
  ])('after %s minutes', (after, minutes, ids) => {
    const next = nextReminders(at(0), [day, hour, other], after === undefined ? undefined : at(after))
    expect(next?.at).toEqual(at(minutes))
    expect(next?.reminders.map(({ id }) => id)).toEqual(ids)
  })

  test('there is none after the last, and none without reminders', () => {
    expect(nextReminders(at(0), [hour, day], at(1_440))).toBeUndefined()
    expect(nextReminders(at(0), [], undefined)).toBeUndefined()
  })
})

test('C-140: each reminder is sent once at its minute, with the cart and a link into it', async () => {
  await settle()
  const first = await reminder({ notify_at_minutes: 60 })
  const second = await reminder({ notify_at_minutes: 120 })
  await reminder({ notify_at_minutes: 180, is_active: false })
  const id = await openCart()
  await wait(59 * MINUTE)
  expect(await mails()).toEqual([])
  await wait(2 * MINUTE)
  await wait(1)
  const [mail, ...others] = await mails()
  expect(others).toEqual([])
  expect(mail).toMatchObject({ recipient: 'ann@example.com', subject: 'Your cart at A shop is still here' })
  const text = String(mail?.text)
  expect(text).toContain('Hello Ann,')
  expect(text).toContain('Lamp')
  expect(text).toContain('$12.50')
  const [link = ''] = /https:\S+cart\.php\?action=load&id=[\w-]+&token=[0-9a-f]{64}/.exec(text) ?? []
  const { server } = await theHouse()
  const { host, pathname, search } = new URL(link)
  const visited = await server.inject({ method: 'GET', url: pathname + search, headers: { host } })
  expect(visited.statusCode).toBe(302)

  await wait(58 * MINUTE)
  expect(await mails()).toHaveLength(1)
  await wait(2 * MINUTE)
  expect(await mails()).toHaveLength(2)
  await wait(DAY)
  expect(await mails()).toHaveLength(2)
  expect([await sent(first), await sent(second)]).toEqual([1, 1])
  expect((await shop.call('GET', `/carts/${id}`)).body.data.version).toBe(2)
})

test('the link is that of the site with the token of the idle spell', async () => {
  await settle()
  await reminder({ notify_at_minutes: 60 })
  const { id } = (await shop.call('GET', '/channels/1/site')).body.data
  await shop.call('POST', `/sites/${id}/routes`, { type: 'recover_abandoned_cart', matching: '*', route: '/back' })
  const cart = await openCart()
  await wait(61 * MINUTE)
  await wait(1)
  const [, token] = /\/back\?t=([0-9a-f]{32})\b/.exec(String((await mails())[0]?.text)) ?? []
  expect((await shop.call('GET', `/abandoned-carts/${token}`)).body.data).toEqual({ cart_id: cart })
  expect(await rowsOf(shop, 'cart_redirect_tokens')).toEqual([])
})

test('a reminder has its own template and its coupon', async () => {
  await settle()
  const coupon = { name: 'Back', code: 'BACK', type: 'percentage_discount', amount: '10' }
  await shop.call('POST', '/coupons', { ...coupon, applies_to: { entity: 'categories', ids: [0] } }, { version: 'v2' })
  await reminder({
    notify_at_minutes: 60,
    coupon_code: 'BACK',
    template: {
      subject: 'Come back',
      body: '<p>{{coupon.code}} {{coupon.amount.formatted}} {{coupon.type.name}} {{#each cart.products}}{{quantity}} {{name}} {{price.value}}{{/each}}</p>',
      translations: [],
    },
  })
  await openCart()
  await wait(61 * MINUTE)
  await wait(1)
  expect(await mails()).toMatchObject([
    { subject: 'Come back', html: '<p>BACK 10 % percentage_discount 2 Lamp 12.5</p>' },
  ])
})

describe('no reminder', () => {
  beforeEach(async () => {
    await settle()
    await reminder({ notify_at_minutes: 120 })
  })
  /** The mails an hour after the cart became idle. */
  const after = async () => {
    await wait(60 * MINUTE)
    await wait(1)
    return (await mails()).filter(({ subject }) => String(subject).includes('cart'))
  }

  test('without any of the conditions it is sent', async () => {
    await openCart()
    await wait(61 * MINUTE)
    expect(await after()).toHaveLength(1)
  })

  test.each([
    ['notifications are off', () => settle({ enable_notification: false })],
    ['the type is off', () => shop.call('PUT', '/settings/email-statuses', { abandoned_cart_email: false })],
    ['consent is demanded and nobody gave it', () => settle({ marketing_emails_require_customer_consent: true })],
    [
      'the channel has none of its own',
      () => shop.call('PUT', '/marketing/abandoned-cart-emails/settings?channel_id=1', { use_global: false }),
    ],
    [
      'the shopper has ended reminders',
      async () => {
        const { secrets } = (await theHouse()).installation
        await (await dbOf(shop)).transaction((tx) => endReminders(tx, 'ANN@example.com', secrets))
      },
    ],
  ])('if %s', async (_, prepare) => {
    await prepare()
    await openCart()
    await wait(61 * MINUTE)
    expect(await after()).toEqual([])
  })

  test('after the cart was changed, deleted or ordered, and after a payment was tried', async () => {
    const [changed, deleted, ordered] = [await openCart(), await openCart(), await createCart(shop, { 3: 1 })]
    await checkoutOf(shop, ordered).call('POST', '/billing-address', ann)
    await wait(61 * MINUTE)
    await checkoutOf(shop, changed).call('PUT', '', { customer_message: 'Back again' })
    await shop.call('DELETE', `/carts/${deleted}`)
    const order = (await checkoutOf(shop, ordered).call('POST', '/orders')).body.data.id
    await pay(shop, order)
    expect(await after()).toEqual([])
    // The change begins another spell.
    await wait(61 * MINUTE)
    expect(await after()).toHaveLength(1)
  })

  test('without an address, and of a cart without products', async () => {
    await createCart(shop, { 1: 1 })
    const emptied = await openCart()
    await shop.call('DELETE', '/catalog/products/1')
    await wait(61 * MINUTE)
    expect(await after()).toEqual([])
    expect((await shop.call('GET', `/carts/${emptied}`)).status).toBe(200)
  })

  test('of two workers one sends it', async () => {
    await openCart()
    await wait(61 * MINUTE)
    ;(await theHouse()).clock.move(60 * MINUTE)
    await Promise.all([wait(0), wait(0), wait(0)])
    expect(await after()).toHaveLength(1)
  })
})

describe('consent', () => {
  beforeEach(async () => {
    await settle({ marketing_emails_require_customer_consent: true })
    await reminder({ notify_at_minutes: 60 })
  })
  const idle = async () => {
    await wait(61 * MINUTE)
    await wait(1)
    return mails()
  }

  test('of a guest is that of the subscriber', async () => {
    const subscriber = { email: 'ANN@example.com', consents: ['abandoned_cart'] }
    expect((await shop.call('POST', '/customers/subscribers', subscriber)).status).toBe(200)
    await openCart()
    await openCart({ email: 'bob@example.com' })
    expect((await idle()).map(({ recipient }) => recipient)).toEqual(['ann@example.com'])
  })

  test('of a customer is a field of the customer', async () => {
    const person = { first_name: 'Cleo', last_name: 'Lee', accepts_product_review_abandoned_cart_emails: true }
    await shop.call('POST', '/customers', [
      { ...person, email: 'cleo@example.com' },
      { ...person, email: 'dan@example.com', accepts_product_review_abandoned_cart_emails: false },
    ])
    await createCart(shop, { 1: 1 }, { customer_id: 1 })
    await createCart(shop, { 1: 1 }, { customer_id: 2 })
    const [mail, ...others] = await idle()
    expect(others).toEqual([])
    expect(mail).toMatchObject({ recipient: 'cleo@example.com', text: expect.stringContaining('Hello Cleo,') })
  })
})

test('only the first reminder is sent if the settings say so', async () => {
  await settle({ email_customer_until_cart_is_recovered: false })
  await reminder({ notify_at_minutes: 60 })
  await reminder({ notify_at_minutes: 60 })
  await reminder({ notify_at_minutes: 120 })
  await openCart()
  await wait(61 * MINUTE)
  await wait(60 * MINUTE)
  await wait(1)
  expect(await mails()).toHaveLength(1)
})

describe('e-mails to the merchant', () => {
  const toBoss = async () => (await mails()).filter(({ recipient }) => recipient === 'boss@example.com')

  test('one for each abandoned cart', async () => {
    await settle({ email_merchant_when_cart_is_abandoned: true })
    const ids = [await openCart(), await openCart()]
    await wait(61 * MINUTE)
    await wait(DAY)
    const found = await toBoss()
    expect(found.map(({ subject }) => subject)).toEqual(['A cart was abandoned', 'A cart was abandoned'])
    const texts = found.map(({ text }) => text)
    for (const id of ids) expect(texts).toContain(`The cart ${id} of a guest in channel 1 was abandoned.\n`)
    expect(await rowsOf(shop, 'cart_reports')).toEqual([])
  })

  test('a digest for as many carts as the settings say', async () => {
    await settle({
      email_merchant_when_cart_is_abandoned: true,
      merchant_abandoned_cart_email_frequency_type: 'digest',
      merchant_abandoned_cart_digest_email_frequency: 3,
    })
    await openCart()
    await openCart()
    await wait(61 * MINUTE)
    expect(await toBoss()).toEqual([])
    for (let i = 0; i < 5; i++) await openCart()
    await wait(61 * MINUTE)
    const found = await toBoss()
    expect(found.map(({ subject }) => subject)).toEqual(['3 carts were abandoned', '3 carts were abandoned'])
    expect(String(found[0]?.text).trim().split('\n')).toHaveLength(3)
    expect(await rowsOf(shop, 'cart_reports')).toHaveLength(1)
  })

  test('one for an abandoned cart that became an order, and none for another', async () => {
    await settle({ email_merchant_when_cart_is_converted: true })
    const buy = async (idle: number) => {
      const id = await createCart(shop, { 3: 1 })
      await checkoutOf(shop, id).call('POST', '/billing-address', ann)
      await wait(idle)
      const order = (await checkoutOf(shop, id).call('POST', '/orders')).body.data.id
      expect((await pay(shop, order)).status).toBe(201)
      return { id, order }
    }
    await buy(0)
    const { id, order } = await buy(61 * MINUTE)
    await wait(MINUTE)
    expect((await toBoss()).map(({ text }) => text)).toEqual([
      `The cart ${id} of a guest in channel 1 became the order ${order}.\n`,
    ])
  })

  test('none without an address and with notifications off, also later', async () => {
    await settle({ email_merchant_when_cart_is_abandoned: true, merchant_email_address: '' })
    await openCart()
    await wait(61 * MINUTE)
    await settle({ email_merchant_when_cart_is_abandoned: true, enable_notification: false })
    await openCart()
    await wait(61 * MINUTE)
    await settle({ email_merchant_when_cart_is_abandoned: true })
    await wait(MINUTE)
    expect(await toBoss()).toEqual([])
    expect(await rowsOf(shop, 'cart_reports')).toEqual([])
  })
})
