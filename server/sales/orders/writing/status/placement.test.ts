import { beforeEach, describe, expect, test } from 'vitest'
import { lock } from '../../../../core/rest/lists/verbs.ts'
import { openShop, type Shop } from '../../../../test/fixtures/shop.ts'
import { openUnpaid, pay } from '../../../../test/fixtures/shopper.ts'
import { dbOf, rowsOf } from '../../../../test/fixtures/webhooks.ts'
import { sellCertificates } from '../../../promotions/purchased-certificates.ts'
import { orders } from '../../row/rows.ts'

// The effects of a placed order (docs/contract/orders.md section 1). Uses: shopper-payments/uses.test.ts.

let shop: Shop
beforeEach(async () => {
  shop = await openShop()
})

const v2 = (method: string, path: string, body?: object) => shop.call(method, path, body, { version: 'v2' })
const setStatus = (id: number, status_id: number) => v2('PUT', `/orders/${id}`, { status_id })

interface OwedMail {
  type_id: string
  recipient: string
  // biome-ignore lint/suspicious/noExplicitAny: a test compares the data of a template
  context: any
}
const mails = async (type: string) =>
  ((await rowsOf(shop, 'owed_emails')) as unknown as OwedMail[])
    .filter(({ type_id }) => type_id === type)
    .sort((one, other) => one.recipient.localeCompare(other.recipient))
const invoices = async () => (await mails('invoice_email')).map(({ recipient }) => recipient)

describe('the invoice', () => {
  const ida = {
    first_name: 'Ida',
    last_name: 'Holm',
    street_1: 'Nyhavn 12',
    city: 'Copenhagen',
    zip: '1051',
    country_iso2: 'DK',
    email: 'ida@example.com',
  }

  test('shows lines, addresses and the rows that add up to the total', async () => {
    const order = {
      billing_address: ida,
      products: [{ name: 'Cup', quantity: 2, price_ex_tax: 10, price_inc_tax: 12.5 }],
      discount_amount: 4,
      shipping_cost_ex_tax: 5,
      shipping_cost_inc_tax: 6.25,
      fees: [{ display_name_customer: 'Gift box', cost_ex_tax: 4, cost_inc_tax: 5 }],
      customer_message: 'Ring twice',
      status_id: 0,
    }
    await v2('POST', '/orders', order)
    await setStatus(1, 11)
    const [mail] = await mails('invoice_email')
    expect(await mails('combined_order_status_email')).toEqual([])
    const usd = (value: number, formatted: string) => ({ value, formatted })
    const address = expect.objectContaining({
      first_name: 'Ida',
      address_lines: ['Nyhavn 12'],
      city: 'Copenhagen',
      country: 'Denmark',
      custom_fields: [],
    })
    expect(mail).toMatchObject({ recipient: 'ida@example.com', context: { customer: { full_name: 'Ida Holm' } } })
    expect(mail?.context.order).toEqual({
      id: 1,
      customer_message: 'Ring twice',
      customer_id: 0,
      date_placed: { value: expect.any(String), formatted: expect.any(String) },
      account_order_status_url: '',
      pickup_methods: [],
      shipping: { methods: [], address },
      products: [
        {
          name: 'Cup',
          quantity: 2,
          sku: '',
          brand: '',
          type: 'physical',
          attribute_lines: [],
          address_id: 1,
          address_lines: ['Nyhavn 12'],
          options: {},
          thumbnail: '',
          price: usd(10, '$10.00'),
          total: usd(20, '$20.00'),
          configurable_fields: [],
        },
      ],
      payment: {
        is_test: false,
        provider_name: '',
        offline_payment_message: '',
        gateway_amount: usd(31.25, '$31.25'),
        payment_method: '',
        provider: { name: '' },
      },
      billing: { address },
      total_rows: [
        ['Subtotal', 20, '$20.00'],
        ['Discount', -4, '-$4.00'],
        ['Shipping', 5, '$5.00'],
        ['Gift box', 4, '$4.00'],
        ['Tax', 6.25, '$6.25'],
      ].map(([label, value, formatted]) => ({ label, price: { value, formatted }, shipping_discounts: [] })),
      total_cost: usd(31.25, '$31.25'),
      meta: {},
    })
  })

  test('is sent when a payment places the order, once, and not when an order is created placed', async () => {
    await v2('POST', '/orders', {
      billing_address: ida,
      products: [{ name: 'Cup', quantity: 1, price_ex_tax: 1, price_inc_tax: 1 }],
      status_id: 11,
    })
    const id = await openUnpaid(shop, 20)
    for (const status of [5, 0, 6, 0]) await setStatus(id, status)
    expect(await invoices()).toEqual([])
    expect((await pay(shop, id)).status).toBe(201)
    expect(await invoices()).toEqual(['ida@example.com'])
    for (const status of [0, 11, 5, 7]) await setStatus(id, status)
    expect(await invoices()).toEqual(['ida@example.com'])
  })

  test('is copied to the addresses of both lists, of the channel or else of the store', async () => {
    const notify = (...email_addresses: string[]) => ({
      notifications: { order_placed: { email_addresses }, forward_invoice: { email_addresses: ['books@example.com'] } },
    })
    await shop.call('PUT', '/orders/settings', notify('shop@example.com', 'ida@example.com'))
    await setStatus(await openUnpaid(shop, 20), 11)
    const ofStore = ['books@example.com', 'ida@example.com', 'shop@example.com']
    expect(await invoices()).toEqual(ofStore)
    await shop.call('PUT', '/orders/settings/channels/1', notify('channel@example.com', 'books@example.com'))
    await setStatus(await openUnpaid(shop, 20), 11)
    const ofChannel = ['books@example.com', 'channel@example.com', 'ida@example.com']
    expect(await invoices()).toEqual([...ofStore, ...ofChannel].sort())
  })

  test('is not sent to nobody, for migrated orders, or if the channel has switched it off', async () => {
    await setStatus(await openUnpaid(shop, 20, { billing_address: { zip: '1' } }), 11)
    await setStatus(await openUnpaid(shop, 20, { external_source: 'M-MIG' }), 11)
    const statuses = (await shop.call('GET', '/settings/email-statuses')).body.data
    await shop.call('PUT', '/settings/email-statuses', { ...statuses, invoice_email: false })
    await setStatus(await openUnpaid(shop, 20), 11)
    expect(await invoices()).toEqual([])
    // Without the invoice the e-mail about the status confirms the order.
    expect(await mails('combined_order_status_email')).toHaveLength(1)
  })
})

describe('the gift certificates that an order sells', () => {
  const certificate = (to_email: string) => ({
    to_name: 'Ann',
    to_email,
    from_name: 'Ida',
    from_email: 'ida@example.com',
    amount: 25,
    template: 'general.html',
    message: '',
  })

  /** An order with two certificates. */
  async function sell(): Promise<number> {
    const id = await openUnpaid(shop, 50)
    const db = await dbOf(shop)
    await db.transaction(async (tx) => {
      const order = await lock(tx, orders, id)
      await sellCertificates(tx, order, [certificate('ann@example.com'), certificate('bo@example.com')])
    })
    return id
  }
  const statuses = async () => (await rowsOf(shop, 'gift_certificates')).map(({ status }) => status)
  const mailed = async () => (await mails('giftcertificate_email')).map(({ recipient }) => recipient)

  test('are pending with a history, active when the order is paid, and mailed once', async () => {
    const id = await sell()
    expect(await rowsOf(shop, 'gift_certificates')).toMatchObject([
      { id: 1, order_id: id, status: 'pending', amount: 25, balance: 25, currency_code: 'USD' },
      { id: 2, order_id: id, status: 'pending' },
    ])
    expect((await rowsOf(shop, 'gift_certificate_changes')).map(({ balance, cause }) => [balance, cause])).toEqual([
      [25, 'created'],
      [25, 'created'],
    ])
    await setStatus(id, 7)
    expect([await statuses(), await mailed()]).toEqual([['pending', 'pending'], []])
    for (const status of [11, 7, 11]) await setStatus(id, status)
    expect([await statuses(), await mailed()]).toEqual([
      ['active', 'active'],
      ['ann@example.com', 'bo@example.com'],
    ])
    const [mail] = await mails('giftcertificate_email')
    expect(mail?.context).toEqual({
      customer: { first_name: 'Ann', full_name: 'Ann', email: 'ann@example.com', group: [] },
      certificate: {
        code: expect.stringMatching(/^\w{3}-\w{3}-\w{3}-\w{3}$/),
        to_name: 'Ann',
        to_email: 'ann@example.com',
        from_name: 'Ida',
        from_email: 'ida@example.com',
        amount: '$25.00',
        redeem_link: '',
      },
    })
  })

  test('are disabled if the order is cancelled before it is paid, and stay active if it is cancelled later', async () => {
    const [one, other] = [await sell(), await sell()]
    await setStatus(one, 5)
    await setStatus(one, 11)
    await setStatus(other, 11)
    await setStatus(other, 5)
    expect(await statuses()).toEqual(['disabled', 'disabled', 'active', 'active'])
    expect(await mailed()).toEqual(['ann@example.com', 'bo@example.com'])
  })
})
