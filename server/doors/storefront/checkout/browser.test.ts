import { pino } from 'pino'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { createApp } from '../../../process/app.ts'
import { readConfig } from '../../../process/config.ts'
import { createCart, openWithShipping } from '../../../test/carts/checkouts.ts'
import { theHouse } from '../../../test/fixtures/shop.ts'
import { GOOD_CARD } from '../../../test/fixtures/shopper.ts'
import { testInBrowser } from '../../../test/harness/browser.ts'
import { SECRET } from '../../../test/harness/postgres.ts'

// The checkout page in a real browser. The fields are found by the names that browser tests of public shops use.

/** Fills in the open step. @param keys whether only the keyboard is used */
async function buy(page: Page, keys: boolean) {
  const next = async () => {
    const buttons = page.locator('button[type=submit]:visible')
    expect(await buttons.count()).toBe(1)
    if (keys) await buttons.press('Enter')
    else await buttons.click()
  }
  await page.fill('input[name=email]', 'ann@example.com')
  await next()
  await page.fill('#firstNameInput', 'Ann')
  await page.fill('#lastNameInput', 'Lee')
  await page.fill('#addressLine1Input', '1 Mill Road')
  await page.fill('#cityInput', 'Austin')
  await page.selectOption('#countryCodeInput', 'US')
  await page.fill('#provinceInput', 'Texas')
  await page.fill('#postCodeInput', '78701')
  await next()
  await page.locator('label[for*=shippingOptionRadio]').first().click()
  await next()
  await page.locator('label[for=radio-bigpaypay]').click()
  await page.fill('#ccNumber', GOOD_CARD)
  await page.fill('#ccExpiry', '12/99')
  await page.fill('#ccName', 'Ann Lee')
  await page.fill('#ccCvv', '123')
  await next()
  await page.waitForURL('**/checkout/order-confirmation')
  return page.locator('#orderNumber').textContent()
}

for (const { name, options, keys } of [
  { name: 'with scripts', options: { locale: 'en-US' }, keys: false },
  { name: 'without scripts, by keyboard', options: { locale: 'en-US', javaScriptEnabled: false }, keys: true },
  {
    name: "at a phone's width, in German",
    options: { locale: 'de-DE', viewport: { width: 360, height: 740 } },
    keys: false,
  },
]) {
  testInBrowser(`a shopper buys ${name}, and the page asks no other host`, async (browser) => {
    const { installation, files } = await theHouse()
    const shop = await openWithShipping()
    const { server } = await createApp(
      { ...installation, files, log: pino({ level: 'silent' }) },
      readConfig({ SECRET, FAILED_LOGINS_MAX: '0' }),
      'http://shop.test',
    )
    const address = await server.listen({ host: '127.0.0.1', port: 0 })
    const link = await shop.call('POST', `/carts/${await createCart(shop, { 1: 2, 3: 1 })}/redirect_urls`)
    const { pathname, search } = new URL(link.body.data.checkout_url)
    const context = await browser.newContext(options)
    const page = await context.newPage()
    const asked = new Set<string>()
    page.on('request', (request) => asked.add(new URL(request.url()).origin))
    await page.goto(`${address}/storefront/${shop.store.hash}${pathname}${search}`)
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    const order = await buy(page, keys)
    const { body } = await shop.call('GET', `/orders/${order}`, undefined, { version: 'v2' })
    expect(body).toMatchObject({ status_id: 11, total_inc_tax: '34.0000' })
    expect([...asked].filter((origin) => origin !== address && origin !== 'null')).toEqual([])
    await context.close()
    await server.close()
  })
}
