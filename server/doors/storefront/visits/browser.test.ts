import { pino } from 'pino'
import { expect } from 'vitest'
import { createApp } from '../../../process/app.ts'
import { readConfig } from '../../../process/config.ts'
import { unsubscribeLink, wantsNoReminders } from '../../../sales/carts/time/unsubscribe.ts'
import { createCart } from '../../../test/carts/checkouts.ts'
import { sites } from '../../../test/carts/due.ts'
import { openShop, theHouse } from '../../../test/fixtures/shop.ts'
import { dbOf } from '../../../test/fixtures/webhooks.ts'
import { testInBrowser } from '../../../test/harness/browser.ts'
import { SECRET } from '../../../test/harness/postgres.ts'

testInBrowser('a link leads into the cart once, and a page with a button ends reminders', async (browser) => {
  const { installation, files } = await theHouse()
  const shop = await openShop({ name: 'Fern & Co' })
  const { server } = await createApp(
    { ...installation, files, log: pino({ level: 'silent' }) },
    readConfig({ SECRET, FAILED_LOGINS_MAX: '0' }),
    'http://shop.test',
  )
  const api = await server.listen({ host: '127.0.0.1', port: 0 })
  const home = `${api}/storefront/${shop.store.hash}`
  const cart = await createCart(shop, {}, { custom_items: [{ name: 'Engraving', quantity: 2, list_price: 3 }] })
  const urls = (await shop.call('POST', `/carts/${cart}/redirect_urls`)).body.data
  const link = `${home}/cart.php${new URL(urls.cart_url).search}`

  const tab = await (await browser.newContext()).newPage()
  const foreign: string[] = []
  tab.on('request', (request) => void (request.url().startsWith(api) || foreign.push(request.url())))
  await tab.goto(link)
  expect(tab.url()).toBe(`${home}/cart.php`)
  expect(await tab.locator('tbody tr').allInnerTexts()).toEqual(['Engraving\t2\t$3.00\t$6.00'])
  expect(await tab.locator('tfoot tr').last().textContent()).toBe('Total$6.00')
  await tab.reload()
  expect(await tab.locator('h1').textContent()).toBe('Your cart')
  await tab.getByRole('link', { name: 'Checkout' }).click()
  expect(tab.url()).toBe(`${home}/checkout`)
  expect(await tab.locator('#emailInput').count()).toBe(1)

  const other = await (await browser.newContext()).newPage()
  expect((await other.goto(link))?.status()).toBe(404)
  expect(await other.locator('h1').textContent()).toBe('This page does not work any more')
  expect(await other.locator('body').textContent()).not.toContain('Engraving')

  const db = await dbOf(shop)
  const { secrets } = installation
  const ending = await unsubscribeLink(db, { channel_id: 1, email: 'ann@example.com' }, { secrets, sites })
  await tab.goto(`${home}${new URL(ending).pathname}${new URL(ending).search}`)
  expect(await wantsNoReminders(db, 'ann@example.com', secrets)).toBe(false)
  await tab.getByRole('button', { name: 'Stop reminders' }).click()
  expect(await tab.locator('h1').textContent()).toBe('Reminders are stopped')
  expect(await wantsNoReminders(db, 'ann@example.com', secrets)).toBe(true)
  expect(foreign).toEqual([])
  await server.close()
})
