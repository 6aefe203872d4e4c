import { beforeEach, expect, test } from 'vitest'
import { unsubscribeLink, wantsNoReminders } from '../../../sales/carts/time/unsubscribe.ts'
import { sites } from '../../../test/carts/due.ts'
import { openShop, type Shop, theHouse } from '../../../test/fixtures/shop.ts'
import { dbOf, rowsOf } from '../../../test/fixtures/webhooks.ts'

// docs/contract/carts.md section 13.

const EMAIL = 'ann@example.com'

let shop: Shop
let link = ''
beforeEach(async () => {
  shop = await openShop()
  const { secrets } = (await theHouse()).installation
  link = await unsubscribeLink(await dbOf(shop), { channel_id: 1, email: EMAIL }, { secrets, sites })
  const person = { first_name: 'Ann', last_name: 'Lee', accepts_product_review_abandoned_cart_emails: true }
  await shop.call('POST', '/customers', [
    { ...person, email: EMAIL },
    { ...person, email: 'bob@example.com' },
  ])
  const consents = ['marketing_newsletter', 'abandoned_cart']
  await shop.call('POST', '/customers/subscribers', { email: EMAIL, consents })
})

async function visit(address: string, method: 'GET' | 'HEAD' | 'POST' = 'GET') {
  const { server } = await theHouse()
  const { host, pathname, search } = new URL(address)
  const form = method === 'POST' ? { 'content-type': 'application/x-www-form-urlencoded' } : {}
  const payload = method === 'POST' ? { payload: '' } : {}
  const answered = await server.inject({ method, url: pathname + search, headers: { host, ...form }, ...payload })
  return { status: answered.statusCode, headers: answered.headers, body: answered.body }
}
async function state() {
  const { body } = await shop.call('GET', '/customers')
  const subscribers = await shop.call('GET', '/customers/subscribers')
  const { secrets } = (await theHouse()).installation
  return {
    customers: body.data.map(
      (one: { accepts_product_review_abandoned_cart_emails: boolean }) =>
        one.accepts_product_review_abandoned_cart_emails,
    ),
    consents: subscribers.body.data[0].consents,
    ended: await wantsNoReminders(await dbOf(shop), EMAIL.toUpperCase(), secrets),
  }
}
const BEFORE = { customers: [true, true], consents: ['marketing_newsletter', 'abandoned_cart'], ended: false }

test('the link shows a page with a button, and ends nothing', async () => {
  for (const method of ['GET', 'GET', 'HEAD'] as const) {
    const { status, headers, body } = await visit(link, method)
    expect(status).toBe(200)
    expect(headers).toMatchObject({ 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' })
    if (method === 'GET') expect(body).toContain('<form method="post"><button>Stop reminders</button></form>')
  }
  expect(await state()).toEqual(BEFORE)
})

test('the button withdraws the consent of the address, as often as it is pressed', async () => {
  for (let i = 0; i < 2; i++) {
    const { status, body } = await visit(link, 'POST')
    expect(status).toBe(200)
    expect(body).toContain('This shop sends no more reminders about carts to <strong>ann@example.com</strong>.')
    expect(await state()).toEqual({ customers: [false, true], consents: ['marketing_newsletter'], ended: true })
  }
  const events = (await rowsOf(shop, 'events'))
    .map(({ scope }) => scope)
    .filter((scope) => /updated/.test(String(scope)))
  expect(events).toEqual(['store/customer/updated', 'store/subscriber/updated'])
  expect(JSON.stringify(await rowsOf(shop, 'reminder_refusals'))).not.toContain('ann')
})

test('C-139: an altered link, and that of another store, is 404', async () => {
  const other = await openShop()
  const address = Buffer.from('bob@example.com').toString('base64url')
  const bad = [
    link.replace(/address=[\w-]+/, `address=${address}`),
    link.slice(0, -1),
    link.replace(/&signature=.*/, ''),
    link.replace(shop.store.hash, other.store.hash),
  ]
  for (const url of bad) {
    expect((await visit(url)).status).toBe(404)
    expect((await visit(url, 'POST')).status).toBe(404)
  }
  expect(await state()).toEqual(BEFORE)
})
