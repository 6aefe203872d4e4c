import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pino } from 'pino'
import { expect, inject, test } from 'vitest'
import { createApp } from '../../../process/app.ts'
import { readConfig } from '../../../process/config.ts'
import { createCart, openWithShipping } from '../../../test/carts/checkouts.ts'
import { follow, linkOfCustomer, visit } from '../../../test/carts/plain-browser.ts'
import { theHouse } from '../../../test/fixtures/shop.ts'
import { BAD_CARD, GOOD_CARD } from '../../../test/fixtures/shopper.ts'
import { dumpOf, spellings } from '../../../test/harness/administrator.ts'
import { SECRET } from '../../../test/harness/postgres.ts'

/** Not a number of any card. */
const MISTYPED = '4111111111111112'
const SHORT = '41111111'

test('C-097: no card number that was typed on the page is in the database, the logs, the files or a later page', async () => {
  const shop = await openWithShipping()
  const { installation, files } = await theHouse()
  const lines: string[] = []
  const log = pino({ level: 'trace' }, { write: (line) => void lines.push(line) })
  const config = readConfig({ SECRET, FAILED_LOGINS_MAX: '0', PUBLIC_URL: 'http://shop.test', REQUEST_LOG: 'bodies' })
  const { server } = await createApp({ ...installation, files, log }, config, 'http://shop.test')
  const page = await visit(shop, await createCart(shop, { 3: 1 }), server)
  await page.submit({ email: 'ann@example.com' })
  await page.submit({
    firstName: 'Ann',
    lastName: 'Lee',
    addressLine1: '1 Mill Road',
    city: 'Austin',
    countryCode: 'US',
    provinceCode: 'TX',
    postCode: '78701',
  })
  expect(page.openStep()).toBe('payment')
  const card = { ccExpiry: '12/99', ccName: 'Ann Lee', ccCvv: '123' }
  const pages: string[] = []
  for (const ccNumber of [SHORT, MISTYPED, BAD_CARD, GOOD_CARD.replace(/(.{4})(?=.)/g, '$1 ')]) {
    // A number in a wrong field is refused there.
    await page.submit({ ...card, ccNumber, ccExpiry: ccNumber })
    pages.push(page.body())
    await page.submit({ ...card, ccNumber })
    pages.push(page.body())
  }
  expect(page.path()).toBe('/checkout/order-confirmation')
  await server.close()
  const database = await dumpOf(shop.store.id, installation.directory.cells)
  const stored = await readFiles(inject('folder'))
  // The searches find texts.
  expect(database).toContain('ann@example.com')
  expect(lines.length).toBeGreaterThan(10)
  const places = { database, logs: lines.join(''), pages: pages.join(''), files: stored }
  for (const number of [SHORT, MISTYPED, BAD_CARD, GOOD_CARD]) {
    const spaced = number.replace(/(.{4})(?=.)/g, '$1 ')
    for (const [place, text] of Object.entries(places)) {
      expect(
        [...spellings(number), spaced].filter((spelling) => text.includes(spelling)),
        place,
      ).toEqual([])
    }
  }
})

test('C-103: no token of a link, a visit, a session, a checkout or a payment is in the database or the logs, and none in a later page', async () => {
  const shop = await openWithShipping()
  const { installation, files } = await theHouse()
  const lines: string[] = []
  const log = pino({ level: 'trace' }, { write: (line) => void lines.push(line) })
  const config = readConfig({ SECRET, FAILED_LOGINS_MAX: '0', PUBLIC_URL: 'http://shop.test', REQUEST_LOG: 'bodies' })
  const { server } = await createApp({ ...installation, files, log }, config, 'http://shop.test')
  const person = { email: 'cy@example.com', first_name: 'Cy', last_name: 'Lee' }
  const { id: customer } = (await shop.call('POST', '/customers', [person])).body.data[0]
  const cart = await createCart(shop, { 3: 1 }, { customer_id: customer })
  const link = await linkOfCustomer(shop, cart, customer)
  const page = await follow(shop, link, server)
  const spent = await follow(shop, await linkOfCustomer(shop, cart, customer), server)
  const issued = await shop.call('POST', `/checkouts/${cart}/token`, { maxUses: 1 })
  // The amounts that were shown are no secret.
  const secretCookies = () =>
    page
      .cookies()
      .split('; ')
      .filter((cookie) => !cookie.startsWith('SHOP_SEEN='))
      .map((cookie) => cookie.slice(cookie.indexOf('=') + 1))
  const cookies = secretCookies()
  expect(cookies).toHaveLength(2)
  await page.submit({})
  await page.submit({
    firstName: 'Cy',
    lastName: 'Lee',
    addressLine1: '1 Mill Road',
    city: 'Austin',
    countryCode: 'US',
    provinceCode: 'TX',
    postCode: '78701',
  })
  expect(page.openStep()).toBe('payment')
  // A second visit of the link.
  await page.open(`${new URL(link).pathname}${new URL(link).search}`)
  await page.open('/checkout')
  await page.submit({ ccNumber: GOOD_CARD, ccExpiry: '12/99', ccName: 'Cy Lee', ccCvv: '123' })
  expect(page.path()).toBe('/checkout/order-confirmation')
  const order = page.order()
  const done = secretCookies()
  await server.close()
  const places = {
    database: await dumpOf(shop.store.id, installation.directory.cells),
    logs: lines.join(''),
    pages: page.body() + spent.body(),
  }
  expect(order).toBeGreaterThan(0)
  expect(places.database).toContain('cy@example.com')
  expect(lines.length).toBeGreaterThan(10)
  const secrets = [new URL(link).searchParams.get('token') ?? '', issued.body.checkoutToken, ...cookies, ...done]
  for (const secret of new Set(secrets)) {
    expect(secret.length).toBeGreaterThan(20)
    for (const [place, text] of Object.entries(places)) expect(text.includes(secret), `${place}: ${secret}`).toBe(false)
  }
})

/** The uploaded files of all test workers. */
async function readFiles(folder: string): Promise<string> {
  const folders = (await readdir(folder)).filter((name) => name.endsWith('-files'))
  const texts = folders.map(async (name) => {
    const entries = await readdir(join(folder, name), { recursive: true, withFileTypes: true })
    const contents = entries
      .filter((entry) => entry.isFile())
      .map((entry) => readFile(join(entry.parentPath, entry.name), 'latin1'))
    return (await Promise.all(contents)).join('')
  })
  return (await Promise.all(texts)).join('')
}
