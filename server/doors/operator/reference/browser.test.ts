import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import axe from 'axe-core'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { expect } from 'vitest'
import { openShop, theHouse } from '../../../test/fixtures/shop.ts'
import { testInBrowser } from '../../../test/harness/browser.ts'

/** A page of each kind, and the longest ones. */
const PAGES = [
  '/docs',
  '/docs/errors',
  '/docs/events',
  '/docs/guides',
  '/docs/guides/webhook-steps',
  '/docs/guides/products',
  '/docs/product-images',
  '/docs/orders-v2',
  '/docs/graphql/storefront',
  '/docs/graphql/buyers',
  '/docs/graphql/storefront/Product',
]

const DESKTOP = { width: 1280, height: 900 }
const VIEWS: readonly [name: string, options: BrowserContextOptions & { viewport: typeof DESKTOP }][] = [
  ['light', { viewport: DESKTOP, colorScheme: 'light' }],
  ['dark', { viewport: DESKTOP, colorScheme: 'dark' }],
  ['phone', { viewport: { width: 390, height: 800 }, colorScheme: 'light' }],
]

const SCREENS_MAX = 10

/** Serves the app to browsers while some work goes on. */
async function served(work: (origin: string) => Promise<void>) {
  const { server } = await theHouse()
  const listening = createServer(server.routing).listen(0, '127.0.0.1')
  await once(listening, 'listening')
  try {
    await work(`http://127.0.0.1:${(listening.address() as AddressInfo).port}`)
  } finally {
    listening.close()
    listening.closeAllConnections()
  }
}

const faultsOf = async (page: Page): Promise<unknown> => {
  await page.evaluate(axe.source)
  const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
  return page.evaluate(
    `axe.run(document, { runOnly: ${JSON.stringify(tags)} }).then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes[0].html]))`,
  )
}

/** @returns what is wrong with a page, closed and with its first folds open */
async function checkPage(page: Page, address: string, { width, height }: typeof DESKTOP): Promise<unknown[]> {
  await page.goto(address)
  const tall = Number(await page.evaluate('document.documentElement.scrollHeight'))
  await page.evaluate(
    `for (const fold of [...document.querySelectorAll('main details')].slice(0, 20)) fold.open = true`,
  )
  const wide = Number(await page.evaluate('document.documentElement.scrollWidth'))
  return [
    ...(width === DESKTOP.width && tall > SCREENS_MAX * height ? [`${tall} pixels tall`] : []),
    ...(wide > width ? [`${wide} pixels wide`] : []),
    ...[await faultsOf(page)].flat(),
  ]
}

async function newPage(browser: Browser, options: BrowserContextOptions) {
  // axe-core needs scripts in the page.
  const context = await browser.newContext({ ...options, bypassCSP: true })
  const page = await context.newPage()
  const heard = { requests: [] as string[], complaints: [] as string[] }
  page.on('request', (request) => heard.requests.push(request.url()))
  page.on('console', (message) => message.type() === 'error' && heard.complaints.push(message.text()))
  page.on('pageerror', (error) => heard.complaints.push(error.message))
  return { page, heard, close: () => context.close() }
}

testInBrowser('every kind of page is accessible, fits its window, and asks nobody else', (browser) =>
  served(async (origin) => {
    for (const [view, options] of VIEWS) {
      const { page, heard, close } = await newPage(browser, options)
      const faults: unknown[] = []
      for (const path of PAGES) {
        const found = await checkPage(page, `${origin}${path}`, options.viewport)
        faults.push(...found.map((fault) => [view, path, fault]))
      }
      expect(faults).toEqual([])
      expect(heard.requests.filter((url) => !url.startsWith(origin) && !url.startsWith('data:'))).toEqual([])
      expect(heard.complaints).toEqual([])
      await close()
    }
  }),
)

testInBrowser('the keyboard reaches the search, the content and the groups', (browser) =>
  served(async (origin) => {
    const { page, close } = await newPage(browser, { viewport: DESKTOP })
    await page.goto(`${origin}/docs/brands`)
    const focused = () => page.evaluate('document.activeElement.textContent')
    await page.keyboard.press('Tab')
    expect(await focused()).toBe('Skip to the content')
    await page.keyboard.press('Tab')
    expect(await focused()).toBe('Skip to the groups')
    await page.keyboard.press('/')
    expect(await page.locator('#find:focus').count()).toBe(1)
    await page.keyboard.type('verify a webhook')
    await page.locator('#hits a').first().waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(`${origin}/docs/guides/webhook-steps**`)

    // The groups are beside the page, and on phones below it.
    const boxes = async () => ({
      groups: await page.locator('#groups').boundingBox(),
      main: await page.locator('main').boundingBox(),
    })
    const wide = await boxes()
    expect(wide.groups?.x).toBeLessThan(Number(wide.main?.x))
    await page.setViewportSize({ width: 390, height: 800 })
    const narrow = await boxes()
    expect(narrow.groups?.y).toBeGreaterThan(Number(narrow.main?.y))
    await close()
  }),
)

testInBrowser('forms send a picture of their own, a key, and shapes open where they are used', (browser) =>
  served(async (origin) => {
    const shop = await openShop()
    const { body } = await shop.call('POST', '/catalog/brands', { name: 'Acme' })
    const { page, close } = await newPage(browser, { viewport: DESKTOP })
    await page.goto(`${origin}/docs/brands`)
    await page.fill('#store', shop.store.hash)
    await page.fill('#token', shop.admin.access_token)
    await page.click('#createBrandImage > summary')
    const form = page.locator('#createBrandImage form')
    await expect.poll(() => form.locator('[name="path:brand_id"]').inputValue()).toBe(String(body.data.id))
    await form.locator('[name="header:Idempotency-Key"]').fill('a picture')
    for (const sent of ['the first', 'the second']) {
      await form.locator('button').click()
      await form.locator('.answer pre').waitFor()
      expect(await form.locator('.answer').textContent(), sent).toMatch(/^200 OK.*"image_url": "http/s)
    }
    await form.locator('.call > summary').click()
    const codes: Record<string, RegExp> = {
      curl: /^curl -X POST .*-F 'image_file=@sample\.png'$/s,
      fetch: /new Blob\(\[await readFile\("sample\.png"\)\]\)/,
      python: /files=\{"image_file": open\("sample\.png", "rb"\)\}/,
      client: /store\.brands\.image\.create\(1, \{ "image_file": \{ content: await readFile\("sample\.png"\)/,
    }
    for (const [language, code] of Object.entries(codes)) {
      await form.locator('.language').selectOption(language)
      expect(await form.locator('.command').textContent()).toMatch(code)
    }

    const shape = page.locator('#createBrandImage a[href="#shape-ImageAddress"]')
    await shape.click()
    expect(await page.locator('#createBrandImage [data-of="shape-ImageAddress"]').textContent()).toContain('image_url')
    await shape.click()
    expect(await page.locator('#createBrandImage [data-of="shape-ImageAddress"]').count()).toBe(0)
    await close()
  }),
)

testInBrowser('a form waits for its ids, and a step for the one before it, and both say why', (browser) =>
  served(async (origin) => {
    const shop = await openShop()
    await shop.call('POST', '/catalog/brands', { name: 'Acme' })
    const { page, close } = await newPage(browser, { viewport: DESKTOP })
    const listed = Promise.withResolvers<void>()
    await page.route('**/v3/catalog/brands', async (route) => {
      await listed.promise
      await route.continue()
    })
    await page.goto(`${origin}/docs/brands`)
    await page.fill('#store', shop.store.hash)
    await page.fill('#token', shop.admin.access_token)
    await page.click('#getBrand > summary')
    const form = page.locator('#getBrand form')
    const reason = form.locator('.wait')
    await expect.poll(() => reason.textContent()).toBe('Looks for ids in the store.')
    expect(await form.locator('button').isDisabled()).toBe(true)
    listed.resolve()
    await expect.poll(() => form.locator('button').isDisabled()).toBe(false)
    expect(await form.locator('[name="path:brand_id"]').inputValue()).toBe('1')
    expect(await reason.textContent()).toBe('')

    await page.goto(`${origin}/docs/guides/shopper-steps`)
    const signIn = page.locator('#sign-the-customer-in-in-a-browser form')
    expect(await signIn.locator('.wait').textContent()).toBe('First send the call of Create a customer.')
    expect(await signIn.locator('button').isDisabled()).toBe(true)
    const create = page.locator('#create-a-customer form')
    await create.locator('button').click()
    await create.locator('.answer pre').waitFor()
    await expect.poll(() => signIn.locator('button').isDisabled()).toBe(false)
    // The step stays done while the window is open.
    await page.reload()
    expect(await signIn.locator('button').isDisabled()).toBe(false)
    await close()
  }),
)
