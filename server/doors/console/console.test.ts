import { createRequire } from 'node:module'
import { pino } from 'pino'
import type { BrowserContext, Page } from 'playwright-core'
import { expect } from 'vitest'
import { createApp } from '../../process/app.ts'
import { readConfig } from '../../process/config.ts'
import { openShop, theHouse } from '../../test/fixtures/shop.ts'
import { testInBrowser } from '../../test/harness/browser.ts'
import { SECRET } from '../../test/harness/postgres.ts'
import { People } from '../people/people.ts'
import { ConsoleBuild } from './build.ts'

const PHONE = { width: 360, height: 740 }
const DESKTOP = { width: 1280, height: 900 }
/** A busy machine takes this long for a page. */
const PATIENCE_MS = 100_000
const PASSWORD = 'correct horse 7'
const MARKUP = '<img src=x onerror="document.title=1"><script>document.title=1</script>'
const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

/** Requests to other hosts and complaints of the browser, from now on. */
function overhear(context: BrowserContext, origin: string) {
  const heard = { foreign: [] as string[], complaints: [] as string[] }
  context.on('request', (request) => {
    if (!request.url().startsWith(origin) && !/^(data|blob|about):/.test(request.url()))
      heard.foreign.push(request.url())
  })
  context.on('console', (message) => {
    // The browser reports refused requests, which the console shows to the person.
    if (message.type() === 'error' && !/status of 4\d\d/.test(message.text())) heard.complaints.push(message.text())
  })
  context.on('weberror', (error) => heard.complaints.push(error.error().message))
  return heard
}

/** Expects that the page has no fault that axe-core finds, in light and dark, and doesn't scroll sideways on a phone. */
async function expectAccessible(page: Page) {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.addScriptTag({ path: axe }).catch(() => {})
    const faults = await page.evaluate<
      string[]
    >(`axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'] })
      .then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 200)).join(' | ')))`)
    expect(faults, `${page.url()} in ${colorScheme}`).toEqual([])
  }
  await page.setViewportSize(PHONE)
  // Plots follow the width of the window in the next frame.
  await expect
    .poll(() => page.evaluate('document.documentElement.scrollWidth'), { message: page.url() })
    .toBeLessThanOrEqual(PHONE.width)
  await page.setViewportSize(DESKTOP)
}

/** The console of a server of its own, at a name that browsers accept cookies for. */
async function openConsole() {
  const { installation, files } = await theHouse()
  const build = new ConsoleBuild(true)
  await build.look()
  await build.wait()
  expect(await build.look(), build.failure).toBe('ready')
  const config = readConfig({ SECRET, TEST_STORES: 'true' })
  const app = await createApp({ ...installation, files, log: pino({ level: 'silent' }) }, config, 'http://127.0.0.1')
  const address = await app.server.listen({ host: '127.0.0.1', port: 0 })
  return { origin: address.replace('127.0.0.1', 'localhost'), close: () => app.server.close() }
}

/** A store whose texts are markup, with a paid order. */
async function openBakery() {
  const shop = await openShop({ name: `Bakery ${MARKUP}`, isTest: true })
  await shop.call('POST', '/catalog/brands', { name: MARKUP })
  for (let i = 0; i < 3; i++) await shop.call('POST', '/catalog/brands', { name: `Brand ${i}` })
  const address = { first_name: 'Ada', last_name: MARKUP, country: 'Germany', email: 'ada@example.com', zip: '10115' }
  const order = await shop.call(
    'POST',
    '/orders',
    {
      billing_address: address,
      products: [{ name: 'Print', quantity: 2, price_ex_tax: 10, price_inc_tax: 12 }],
      status_id: 11,
      payment_method: 'Test Payment Gateway',
      payment_status: 'captured',
    },
    { version: 'v2' },
  )
  return { ...shop, order: Number(order.body.id) }
}

let invited = 0

/** Invites an owner. */
async function invite() {
  const { installation } = await theHouse()
  const people = new People({ ...installation, database: installation.directory.database })
  return people.invite({ email: `console${++invited}.${process.pid}@example.com`, role: 'owner' })
}

/** Accepts an invitation in a browser. */
async function acceptInvitation(page: Page, origin: string, token: string) {
  await page.goto(`${origin}/console/invitation#${token}`)
  await page.getByLabel('Your name').fill('Ada')
  await page.locator('input[type=password]').fill(PASSWORD)
  await page.getByRole('button', { name: 'Accept the invitation' }).click()
  await page.getByRole('heading', { name: 'Stores' }).waitFor()
}

testInBrowser('the console signs a person in, shows lists and records, and refunds a line', async (browser) => {
  const { origin, close } = await openConsole()
  const shop = await openBakery()
  const { hash } = shop.store
  const { token, email } = await invite()
  const context = await browser.newContext({ viewport: DESKTOP })
  context.setDefaultTimeout(PATIENCE_MS)
  const { foreign, complaints } = overhear(context, origin)
  try {
    const page = await context.newPage()
    await acceptInvitation(page, origin, token)
    await page.getByRole('button', { name: 'Account of Ada' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByLabel('E-mail address').fill(email)
    await page.locator('input[type=password]').fill('wrong 1234')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('alert').getByText('The e-mail address or the password is wrong.').waitFor()
    await page.locator('input[type=password]').fill(PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Stores' }).waitFor()

    await page.goto(`${origin}/console/stores/${hash}/lists/listBrands?name%3Alike=Brand&sort=name&direction=desc`)
    await page.getByRole('link', { name: '4', exact: true }).waitFor()
    expect(await page.getByRole('row').count()).toBe(4)
    await page.getByRole('link', { name: '3', exact: true }).click()
    await page.getByLabel('name', { exact: true }).fill('Renamed')
    await page.getByRole('button', { name: 'Review the changes' }).click()
    await page.getByText('These fields will change').waitFor()
    await page.getByRole('button', { name: 'Save these changes' }).click()
    await page.getByRole('heading', { name: 'Brands: Renamed' }).waitFor()
    expect((await shop.call('GET', '/catalog/brands/3')).body.data.name).toBe('Renamed')

    await page.goto(`${origin}/console/stores/${hash}/orders/${shop.order}`)
    await page.getByRole('button', { name: 'Refund' }).click()
    await page.getByLabel('Units of Print').fill('1')
    await page.getByRole('button', { name: 'Get a quote' }).click()
    await page.getByRole('status').getByText('12').waitFor()
    await page.getByRole('button', { name: /^Refund / }).click()
    await page.getByText('The refund is stored').waitFor()
    const refunds = await shop.call('GET', `/orders/${shop.order}/payment_actions/refunds`)
    expect(refunds.body.data).toEqual([expect.objectContaining({ total_amount: 12 })])

    expect(await page.title()).not.toBe('1')
    expect(complaints).toEqual([])
    expect(foreign).toEqual([])
  } finally {
    await close()
  }
})

testInBrowser('the pages of the console are accessible, and show the texts of a store as text', async (browser) => {
  const { origin, close } = await openConsole()
  const { store, order } = await openBakery()
  const { hash } = store
  // The policy of the console forbids the script of the check.
  const context = await browser.newContext({ viewport: DESKTOP, bypassCSP: true })
  context.setDefaultTimeout(PATIENCE_MS)
  const { foreign, complaints } = overhear(context, origin)
  try {
    const page = await context.newPage()
    await acceptInvitation(page, origin, (await invite()).token)
    for (const [path, heading] of [
      ['', 'Stores'],
      ['/people', 'People'],
      ['/audit', 'Audit'],
      ['/server', 'Server'],
      ['/me', 'Password and sessions'],
      [`/stores/${hash}`, `Bakery ${MARKUP}`],
      [`/stores/${hash}/accounts`, 'API accounts'],
      [`/stores/${hash}/webhooks`, 'Webhooks and events'],
      [`/stores/${hash}/jobs`, 'Jobs'],
      [`/stores/${hash}/mails`, 'E-mails'],
      [`/stores/${hash}/lists/listBrands`, 'Brands'],
      [`/stores/${hash}/lists/listBrands/1`, `Brands: ${MARKUP}`],
      [`/stores/${hash}/orders/${order}`, `Order ${order}`],
    ] as const) {
      await page.goto(`${origin}/console${path}`)
      await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor()
      await expectAccessible(page)
    }
    expect(await page.title()).not.toBe('1')
    expect(complaints).toEqual([])
    expect(foreign).toEqual([])
  } finally {
    await close()
  }
})
