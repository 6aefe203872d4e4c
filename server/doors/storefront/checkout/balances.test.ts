import { beforeEach, describe, expect, test } from 'vitest'
import { setProvider } from '../../../sales/payments/providers-command.ts'
import { createCart, openWithShipping } from '../../../test/carts/checkouts.ts'
import { follow, linkOfCustomer, visit } from '../../../test/carts/plain-browser.ts'
import { type Shop, theHouse } from '../../../test/fixtures/shop.ts'
import { BAD_CARD, GOOD_CARD } from '../../../test/fixtures/shopper.ts'
import { dbOf } from '../../../test/fixtures/webhooks.ts'

// docs/contract/checkout-page.md sections 2 and 3: gift certificates, store credit, and the store's own fields of addresses.

let shop: Shop
beforeEach(async () => {
  shop = await openWithShipping()
})

const ADDRESS = {
  firstName: 'Ann',
  lastName: 'Lee',
  addressLine1: '1 Mill Road',
  city: 'Austin',
  countryCode: 'US',
  provinceCode: 'TX',
  postCode: '78701',
}
const CARD = { ccNumber: GOOD_CARD, ccExpiry: '12/99', ccName: 'Ann Lee', ccCvv: '123' }
const v2 = (method: string, path: string, body?: unknown) => shop.call(method, path, body, { version: 'v2' })
const people = { to_name: 'Ann Lee', to_email: 'ann@example.com', from_name: 'Bo Ek', from_email: 'bo@example.com' }
async function give(amount: number, code: string): Promise<number> {
  return (await v2('POST', '/gift_certificates', { ...people, amount, code })).body.id
}
const balanceOf = async (id: number) => (await v2('GET', `/gift_certificates/${id}`)).body.balance
const order = async (id: number) => (await v2('GET', `/orders/${id}`)).body

/** A visit of a cart with a download for 5.00, at the payment. */
async function atPayment(more: object = {}) {
  const page = await visit(shop, await createCart(shop, { 3: 1 }, more))
  await page.submit({ email: 'ann@example.com' })
  await page.submit(ADDRESS)
  expect(page.openStep()).toBe('payment')
  return page
}

describe('a gift certificate', () => {
  test('pays a part, and the card the rest', async () => {
    const certificate = await give(3, 'PART')
    const page = await atPayment()
    await page.submit({ certificateCode: ' part ' }, 'certificate')
    expect(page.text()).toMatch(/Total \$5\.00 Gift certificate PART -\$3\.00 Left to pay \$2\.00/)
    expect(page.text()).toContain('Pay $2.00')
    await page.submit({ ...CARD, ccNumber: BAD_CARD })
    expect(page.text()).toContain('You have not been charged.')
    expect(await balanceOf(certificate)).toBe('3.0000')
    await page.submit(CARD)
    expect(await order(page.order())).toMatchObject({ status_id: 10, gift_certificate_amount: '3.0000' })
    expect(await balanceOf(certificate)).toBe('0.0000')
  })

  test('that covers the order needs no method', async () => {
    const certificate = await give(8, 'ALL')
    const page = await atPayment()
    await page.submit({ certificateCode: 'ALL' }, 'certificate')
    expect(page.body()).not.toContain('name="ccNumber"')
    await page.submit({})
    expect(page.text()).toContain('Your order is paid.')
    expect(await order(page.order())).toMatchObject({ status_id: 10, payment_status: 'paid' })
    expect(await balanceOf(certificate)).toBe('3.0000')
  })

  test('pays a part of an order by bank transfer', async () => {
    const certificate = await give(3, 'BANK')
    const { secrets } = (await theHouse()).installation
    const wish = { gateway: 'bankdeposit', channel: 0, currency: '', mode: 'purchase' as const, options: [] }
    await setProvider(await dbOf(shop), wish, secrets)
    const page = await atPayment()
    await page.submit({ certificateCode: 'BANK' }, 'certificate')
    await page.submit({ method: 'bankdeposit' })
    expect(await order(page.order())).toMatchObject({
      status_id: 7,
      payment_status: '',
      gift_certificate_amount: '3.0000',
    })
    expect(await balanceOf(certificate)).toBe('0.0000')
  })

  test('is refused next to its field, and can be removed', async () => {
    await give(3, 'SOME')
    const page = await atPayment()
    await page.submit({ certificateCode: 'NONE' }, 'certificate')
    expect([page.status(), page.faults()]).toEqual([422, ['certificateCode']])
    expect(page.text()).toContain('This gift certificate is unknown')
    await page.submit({ certificateCode: '' }, 'certificate')
    expect(page.faults()).toEqual(['certificateCode'])
    await page.submit({ certificateCode: 'SOME' }, 'certificate')
    // The first form of the kind removes it.
    await page.submit({}, 'certificate')
    expect(page.text()).not.toContain('Left to pay')
  })

  test('that was spent meanwhile changes the rest, which the shopper is told before paying', async () => {
    const certificate = await give(3, 'TWICE')
    const page = await atPayment()
    await page.submit({ certificateCode: 'TWICE' }, 'certificate')
    await v2('PUT', `/gift_certificates/${certificate}`, { balance: 1 })
    await page.submit(CARD)
    expect([page.status(), page.openStep()]).toEqual([422, 'payment'])
    expect(page.text()).toContain('The total of your order has changed.')
    expect(page.text()).toContain('Left to pay $4.00')
    await page.submit(CARD)
    expect(await order(page.order())).toMatchObject({ gift_certificate_amount: '1.0000' })
  })
})

describe('store credit', () => {
  /** A customer with 2.00 and an address, and a cart with a download for 5.00. */
  async function open() {
    const address = { first_name: 'Bo', last_name: 'Ek', address1: '7 Low Lane', city: 'Austin', country_code: 'US' }
    const customer = {
      email: 'bo@example.com',
      first_name: 'Bo',
      last_name: 'Ek',
      store_credit_amounts: [{ amount: 2 }],
      addresses: [{ ...address, state_or_province: 'Texas', postal_code: '78701' }],
    }
    const { id } = (await shop.call('POST', '/customers', [customer])).body.data[0]
    return { id, cart: await createCart(shop, { 3: 1 }, { customer_id: id }) }
  }
  const creditOf = async (id: number) =>
    (await shop.call('GET', `/customers?id:in=${id}&include=storecredit`)).body.data[0].store_credit_amounts
  type Page = Awaited<ReturnType<typeof visit>>
  async function toPayment(page: Page) {
    await page.submit({ email: 'bo@example.com' })
    await page.submit(ADDRESS)
    expect(page.openStep()).toBe('payment')
    return page
  }

  test('is used if the customer wants it, who is signed in by the link of the storefront', async () => {
    const { id, cart } = await open()
    const page = await follow(shop, await linkOfCustomer(shop, cart, id))
    expect(page.cookies()).toContain('SHOP_TOKEN=')
    expect(page.text()).toContain('You are signed in as bo@example.com')
    await page.submit({})
    expect(page.text()).toContain('7 Low Lane')
    await page.submit(ADDRESS)
    expect(page.text()).toContain('Your store credit is $2.00')
    expect(page.text()).not.toContain('Left to pay')
    await page.submit({}, 'credit')
    expect(page.text()).toMatch(/Store credit -\$2\.00 Left to pay \$3\.00/)
    await page.submit(CARD)
    expect(await order(page.order())).toMatchObject({ store_credit_amount: '2.0000', payment_status: 'captured' })
    expect(await creditOf(id)).toEqual([{ amount: 0 }])
  })

  test('cannot be used by a link alone, which shows neither its amount nor the addresses of the customer', async () => {
    const { id, cart } = await open()
    const page = await visit(shop, cart)
    expect(page.text()).toContain('This is the cart of bo@example.com')
    await toPayment(page)
    expect(page.body()).not.toContain('7 Low Lane')
    expect(page.text()).toContain('Sign in to the shop to use store credit.')
    expect(page.text()).not.toContain('$2.00')
    const before = (await shop.call('GET', `/checkouts/${cart}`)).body
    // The token of the form that removes the credit is that of the form that uses it.
    const owner = await follow(shop, await linkOfCustomer(shop, cart, id))
    const [, token = ''] = /value="credit"><input type="hidden" name="token" value="([^"]+)"/.exec(owner.body()) ?? []
    expect(token).not.toBe('')
    const { version } = before.data
    await page.post({ step: 'credit', token, version: String(version), useCredit: '1' })
    expect([page.status(), page.openStep()]).toEqual([403, 'payment'])
    expect(page.text()).toContain('Sign in to the shop to use store credit.')
    expect((await shop.call('GET', `/checkouts/${cart}`)).body).toEqual(before)
  })

  test('that the customer has applied is not spent by somebody with a link, who can only remove it', async () => {
    const { id, cart } = await open()
    const owner = await toPayment(await follow(shop, await linkOfCustomer(shop, cart, id)))
    await owner.submit({}, 'credit')
    const page = await visit(shop, cart)
    expect(page.text()).toMatch(/Left to pay \$3\.00/)
    await page.submit(CARD)
    expect([page.status(), page.openStep()]).toEqual([403, 'payment'])
    expect(page.text()).toContain('Sign in to the shop to use store credit.')
    expect((await v2('GET', '/orders')).status).toBe(204)
    await page.submit({}, 'credit')
    expect(page.text()).not.toContain('Left to pay')
    await page.submit(CARD)
    expect(await order(page.order())).toMatchObject({ store_credit_amount: '0.0000', payment_status: 'captured' })
    expect(await creditOf(id)).toEqual([{ amount: 2 }])
  })

  test('is not for another customer who is signed in at the same browser', async () => {
    const { id, cart } = await open()
    const { body } = await shop.call('POST', '/customers', [
      { email: 'cy@example.com', first_name: 'Cy', last_name: 'Oh' },
    ])
    const other = body.data[0].id
    const own = await createCart(shop, { 3: 1 }, { customer_id: other })
    const page = await follow(shop, await linkOfCustomer(shop, own, other))
    const { data } = (await shop.call('POST', `/carts/${cart}/redirect_urls`)).body
    const { pathname, search } = new URL(data.checkout_url)
    await page.open(`${pathname}${search}`)
    expect(page.text()).toContain('This is the cart of bo@example.com')
    await toPayment(page)
    expect(page.text()).toContain('Sign in to the shop to use store credit.')
    expect(await creditOf(id)).toEqual([{ amount: 2 }])
  })

  test('needs a new login if the link is older than five minutes', async () => {
    const { id, cart } = await open()
    const { clock } = await theHouse()
    for (const [age, isSignedIn] of [
      [200_000, true],
      [300_000, false],
    ] as const) {
      const link = await linkOfCustomer(shop, cart, id)
      clock.move(age)
      const page = await follow(shop, link)
      expect(page.cookies().includes('SHOP_TOKEN='), String(age)).toBe(isSignedIn)
    }
  })

  test('does not follow a link of a cart that has got another customer', async () => {
    const { id, cart } = await open()
    const link = await linkOfCustomer(shop, cart, id)
    const { body } = await shop.call('POST', '/customers', [
      { email: 'cy@example.com', first_name: 'Cy', last_name: 'Oh' },
    ])
    expect((await shop.call('PUT', `/carts/${cart}`, { customer_id: body.data[0].id })).status).toBe(201)
    expect((await follow(shop, link)).cookies()).not.toContain('SHOP_TOKEN=')
  })

  test('is not offered to guests', async () => {
    const page = await atPayment()
    expect(page.body()).not.toContain('value="credit"')
    expect(page.text()).not.toContain('store credit')
  })
})

describe('fields of the store', () => {
  test('are asked for, checked, stored with the address, and shown again', async () => {
    const address = [
      { name: 'Gate code', type: 'numbers', required: true },
      { name: 'Floor', type: 'picklist', options: ['Ground', 'First'] },
      { name: 'Tools', type: 'checkboxes', options: ['Lift', 'Ramp'] },
      { name: 'From', type: 'date' },
    ]
    expect((await shop.call('PUT', '/settings/form-fields', { customer: [], address })).status).toBe(200)
    const page = await visit(shop, await createCart(shop, { 3: 1 }))
    await page.submit({ email: 'ann@example.com' })
    expect(page.text()).toContain('Gate code')
    await page.submit(ADDRESS)
    expect(page.faults()).toEqual(['field-1'])
    expect(page.text()).toContain('Please check these fields: Gate code')
    await page.submit({ ...ADDRESS, 'field-1': 'abc', 'field-2': 'Roof', 'field-4': '2026-02-30' })
    expect(page.faults()).toEqual(['field-1', 'field-2', 'field-4'])
    await page.submit({ ...ADDRESS, 'field-1': '12', 'field-2': 'First', 'field-3-1': '1', 'field-4': '2026-02-28' })
    expect(page.openStep()).toBe('payment')
    await page.open('/checkout?step=billing')
    expect(page.body()).toContain('value="12"')
    expect(page.body()).toMatch(/<option value="First" selected>/)
    expect(page.body()).toMatch(/id="field-3-1" name="field-3-1" value="1" checked/)
    await page.open('/checkout')
    await page.submit(CARD)
    const { form_fields } = (await order(page.order())).billing_address
    expect(form_fields).toEqual([
      { name: 'Gate code', value: '12' },
      { name: 'Floor', value: 'First' },
      { name: 'Tools', value: expect.anything() },
      { name: 'From', value: expect.any(String) },
    ])
  })
})
