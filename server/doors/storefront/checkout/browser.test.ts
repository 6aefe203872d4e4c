import axe from 'axe-core'
import { pino } from 'pino'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { expect } from 'vitest'
import { createApp } from '../../../process/app.ts'
import { readConfig } from '../../../process/config.ts'
import { setProvider } from '../../../sales/payments/providers-command.ts'
import { createCart, openWithShipping } from '../../../test/carts/checkouts.ts'
import { theHouse } from '../../../test/fixtures/shop.ts'
import { GOOD_CARD } from '../../../test/fixtures/shopper.ts'
import { dbOf } from '../../../test/fixtures/webhooks.ts'
import { testInBrowser } from '../../../test/harness/browser.ts'
import { SECRET } from '../../../test/harness/postgres.ts'

// The checkout page in a real browser. The fields are found by the names that browser tests of public shops use.

/** The hands of a shopper. */
interface Hands {
  type(selector: string, text: string): Promise<void>
  /** Chooses an option of a list by its text. */
  choose(selector: string, text: string): Promise<void>
  /** Chooses a radio button by its label. */
  pick(label: string): Promise<void>
  next(): Promise<void>
}

const byPointer = (page: Page): Hands => ({
  type: (selector, text) => page.fill(selector, text),
  choose: async (selector, text) => void (await page.selectOption(selector, { label: text })),
  pick: (label) => page.locator(label).first().click(),
  async next() {
    const buttons = page.locator('button[type=submit]:visible')
    expect(await buttons.count()).toBe(1)
    await buttons.click()
  },
})

/** Reaches everything by the tab key. */
function byKeys(page: Page): Hands {
  const reach = async (selector: string) => {
    const wanted = page.locator(`${selector}:focus`)
    for (let i = 0; i < 60 && (await wanted.count()) === 0; i++) await page.keyboard.press('Tab')
    expect(await wanted.count(), selector).toBe(1)
  }
  return {
    async type(selector, text) {
      await reach(selector)
      await page.keyboard.type(text)
    },
    async choose(selector, text) {
      await reach(selector)
      await page.keyboard.type(text)
    },
    async pick(label) {
      const id = await page.locator(label).first().getAttribute('for')
      const radio = page.locator(`#${id}`)
      // The tab key reaches the chosen button of a group, and the arrows the others.
      const name = await radio.getAttribute('name')
      await reach(`[name="${name}"]:checked`)
      for (let i = 0; i < 10 && !(await radio.isChecked()); i++) await page.keyboard.press('ArrowDown')
      expect(await radio.isChecked()).toBe(true)
    },
    async next() {
      await reach('button.main')
      await page.keyboard.press('Enter')
    },
  }
}

/** Looks for faults of accessibility. axe-core needs scripts in the page. */
async function checkAccess(page: Page) {
  await page.evaluate(axe.source)
  const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
  const found = await page.evaluate(
    `axe.run(document, { runOnly: ${JSON.stringify(tags)} }).then(({ violations, passes }) => ({
      faults: violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)]),
      isChecked: passes.length > 10,
    }))`,
  )
  expect(found).toEqual({ faults: [], isChecked: true })
}

/** Goes through all steps. @param look at each page @returns the number of the order */
async function buy(page: Page, hands: Hands, method: string, look: () => Promise<void>) {
  await look()
  // An empty field: its fault has the focus.
  await hands.next()
  await page.waitForSelector('[aria-invalid=true]')
  await look()
  expect(await page.locator('#emailInput:focus').count()).toBe(1)
  await hands.type('#emailInput', 'ann@example.com')
  await hands.next()
  await page.waitForSelector('#firstNameInput')
  // The browser goes to the step, past the summary and the steps before it.
  expect(await page.locator('#open-step:target #firstNameInput').count()).toBe(1)
  await look()
  for (const [selector, text] of [
    ['#firstNameInput', 'Ann'],
    ['#lastNameInput', 'Lee'],
    ['#addressLine1Input', '1 Mill Road'],
    ['#cityInput', 'Austin'],
    ['#postCodeInput', '78701'],
  ] as const) {
    await hands.type(selector, text)
  }
  const locale = await page.evaluate<string>('navigator.language')
  await hands.choose('#countryCodeInput', new Intl.DisplayNames([locale], { type: 'region' }).of('US') ?? '')
  // The list of the country of the shop.
  await hands.choose('#provinceCodeInput', 'Texas')
  await hands.next()
  await page.waitForSelector('label[for*=shippingOptionRadio]')
  await look()
  await hands.pick('label[for*=shippingOptionRadio]')
  await hands.next()
  await page.waitForSelector(`label[for=${method}]`)
  await look()
  await hands.pick(`label[for=${method}]`)
  // The fields of a card are there for cards only.
  expect(await page.locator('#ccNumber').isVisible()).toBe(method === 'radio-bigpaypay')
  if (method === 'radio-bigpaypay') {
    await hands.type('#ccNumber', GOOD_CARD)
    await hands.type('#ccExpiry', '12/99')
    await hands.type('#ccCvv', '123')
    await hands.type('#ccName', 'Ann Lee')
  }
  await hands.next()
  await page.waitForURL('**/checkout/order-confirmation')
  await look()
  return page.locator('#orderNumber').textContent()
}

interface Walk {
  name: string
  options: BrowserContextOptions
  /** The heading of the page. */
  heading: string
  hands?: (page: Page) => Hands
  method?: string
}

const PHONE = { width: 360, height: 740 }
const WALKS: Walk[] = [
  { name: 'with scripts', options: { locale: 'en-US' }, heading: 'Checkout' },
  {
    name: 'without scripts, by keyboard',
    options: { locale: 'en-US', javaScriptEnabled: false },
    heading: 'Checkout',
    hands: byKeys,
  },
  { name: "at a phone's width, in German", options: { locale: 'de-DE', viewport: PHONE }, heading: 'Kasse' },
  {
    name: 'in French, by bank transfer',
    options: { locale: 'fr-FR' },
    heading: 'Commande',
    method: 'radio-bankdeposit',
  },
  {
    name: "at a phone's width, in Spanish",
    options: { locale: 'es-ES', viewport: PHONE },
    heading: 'Finalizar compra',
  },
]

for (const { name, options, heading, hands = byPointer, method = 'radio-bigpaypay' } of WALKS) {
  testInBrowser(`a shopper buys ${name}, and the page asks no other host`, async (browser) => {
    const { installation, files } = await theHouse()
    const shop = await openWithShipping()
    const deposit = { gateway: 'bankdeposit', channel: 0, currency: '', mode: 'purchase' as const, options: [] }
    await setProvider(await dbOf(shop), deposit, installation.secrets)
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
    expect(await page.locator('h1').textContent()).toBe(heading)
    const look = async () => {
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
      if (options.javaScriptEnabled !== false) await checkAccess(page)
    }
    const order = await buy(page, hands(page), method, look)
    const { body } = await shop.call('GET', `/orders/${order}`, undefined, { version: 'v2' })
    expect(body).toMatchObject({ status_id: method === 'radio-bigpaypay' ? 11 : 7, total_inc_tax: '34.0000' })
    expect([...asked].filter((origin) => origin !== address && origin !== 'null')).toEqual([])
    await context.close()
    await server.close()
  })
}
