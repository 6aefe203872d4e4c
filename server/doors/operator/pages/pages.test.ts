import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import fastify from 'fastify'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { systemClock } from '../../../core/clock.ts'
import { documentApi } from '../../../core/rest/document/openapi.ts'
import { DEMO_STORE } from '../../../test/fixtures/demo-store.ts'
import { openShop, theHouse } from '../../../test/fixtures/shop.ts'
import { testInBrowser } from '../../../test/harness/browser.ts'
import { referenceRoutes } from '../reference/reference.ts'
import { inspectorRoutes } from './inspector/inspector.ts'
import { startPage } from './start-page.ts'

const emptyDocument = () => documentApi([], { version: '1', areas: {} })

const PHONE = { width: 390, height: 800 }

/** The requests and the complaints of a page, from now on. */
function overhear(page: Page) {
  const heard = { requests: [] as string[], complaints: [] as string[] }
  page.on('request', (request) => heard.requests.push(request.url()))
  page.on('console', (message) => message.type() === 'error' && heard.complaints.push(message.text()))
  page.on('pageerror', (error) => heard.complaints.push(error.message))
  return heard
}

/** Expects a page with this heading that fits the windows of a phone and of a desktop. */
async function expectReadable(page: Page, heading: string) {
  await page.setViewportSize(PHONE)
  expect(await page.evaluate('document.documentElement.scrollWidth'), page.url()).toBeLessThanOrEqual(PHONE.width)
  expect(await page.locator('h1').allTextContents()).toEqual([heading])
  await page.setViewportSize({ width: 1280, height: 900 })
  expect(await page.evaluate('document.documentElement.scrollWidth'), page.url()).toBeLessThanOrEqual(1280)
}

testInBrowser('the pages at /docs find an operation and send its request, and ask nobody else', async (browser) => {
  const shop = await openShop()
  await shop.call('POST', '/catalog/brands', { name: 'Acme' })
  const { server } = await theHouse()
  const listening = createServer(server.routing).listen(0, '127.0.0.1')
  await once(listening, 'listening')
  const origin = `http://127.0.0.1:${(listening.address() as AddressInfo).port}`
  try {
    const page = await browser.newPage()
    const { requests, complaints } = overhear(page)
    await page.goto(`${origin}/docs`)
    await expectReadable(page, 'storeward store administration API')
    await page.fill('#find', 'create a brand')
    await page.locator('#hits a').first().waitFor()
    expect(await page.locator('#hits a').allTextContents()).toContain('Create a brand')
    await page.fill('#find', 'xylophone zither')
    await page.locator('#none').waitFor()
    await page.fill('#find', '')
    await page.locator('#hits').waitFor({ state: 'hidden' })
    await page.fill('#store', shop.store.hash)
    await page.fill('#token', shop.admin.access_token)
    await page.click('main summary:has-text("Catalog")')
    await page.click('main >> text="Create a brand"')
    await page.waitForURL(`${origin}/docs/brands#createBrand`)
    await expectReadable(page, 'Brands')

    // Store and token came along.
    await page.click('#listBrands > summary')
    const list = page.locator('#listBrands form')
    await list.locator('.options > summary').click()
    await list.locator('.call > summary').click()
    await list.locator('[name="query:name:like"]').fill('acm')
    expect(await list.locator('.command').textContent()).toContain(
      `/stores/${shop.store.hash}/v3/catalog/brands?name%3Alike=acm`,
    )
    await list.locator('button').click()
    await list.locator('.answer pre').waitFor()
    expect(await list.locator('.answer').textContent()).toMatch(/^200 OK.*"name": "Acme"/s)

    const create = page.locator('#createBrand form')
    await create.locator('textarea').fill('{"name": "From the page"}')
    await create.locator('button').click()
    await create.locator('.answer pre').waitFor()
    expect(await create.locator('.answer').textContent()).toContain('"name": "From the page"')
    expect((await shop.call('GET', '/catalog/brands?name=From the page')).body.data).toHaveLength(1)

    await page.click('#createBrand summary:has-text("Refusals")')
    await page.click('#createBrand a[href="/docs/errors#422"]')
    await expectReadable(page, 'Errors')
    expect(await page.locator('section:target h2').textContent()).toMatch(/^422 /)
    for (const href of await page.locator('a').evaluateAll((links) => links.map((link) => link.getAttribute('href')))) {
      const { status } = await fetch(new URL(href ?? '', page.url()))
      expect(status, href ?? '').toBe(200)
    }
    expect(requests.filter((url) => !url.startsWith(origin) && !url.startsWith('data:'))).toEqual([])
    expect(complaints).toEqual([])
  } finally {
    listening.close()
    listening.closeAllConnections()
  }
})

testInBrowser('in a sandbox the pages are filled in, and the inspector reads on a phone', async (browser) => {
  const server = fastify()
  referenceRoutes(server, { makeDocument: emptyDocument, docsBase: '/docs', findDemoStore: () => DEMO_STORE })
  inspectorRoutes(server, { clock: systemClock, secretsOf: async () => [] })
  const origin = await server.listen({ host: '127.0.0.1', port: 0 })
  try {
    await fetch(`${origin}/inspect/demo`, {
      method: 'POST',
      headers: { 'x-long': 'a'.repeat(500) },
      body: JSON.stringify({ scope: 'store/category/created', words: 'b'.repeat(500) }),
    })
    const page = await browser.newPage()
    const { requests } = overhear(page)
    await page.goto(`${origin}/inspect/demo?still`)
    await expectReadable(page, 'Webhooks sent to /inspect/demo')
    expect(await page.locator('article').count()).toBe(1)

    await page.goto(`${origin}/docs`)
    await expect.poll(() => page.locator('#store').inputValue()).toBe(DEMO_STORE.store_hash)
    expect(await page.locator('#token').inputValue()).toBe(DEMO_STORE.token)
    expect(requests.filter((url) => !url.startsWith(origin))).toEqual([])
  } finally {
    server.server.closeAllConnections()
    await server.close()
  }
})

testInBrowser(
  'the start page shows tokens to a browser on this machine, and to no other page in it',
  async (browser) => {
    const { directory } = (await theHouse()).installation
    const server = fastify()
    const sites = { domain: 'localhost', publicUrl: 'http://127.0.0.1:1', allowsPorts: false }
    startPage(server, { directory, sites, docsBase: '', findDemoStore: () => DEMO_STORE })
    referenceRoutes(server, { makeDocument: emptyDocument, docsBase: '/docs', findDemoStore: () => DEMO_STORE })
    const stranger = fastify()
    stranger.get('/', (_request, reply) =>
      reply
        .type('text/html')
        .send(`<!doctype html><a href="${origin}/">storeward</a><iframe src="${origin}/"></iframe>`),
    )
    const origin = await server.listen({ host: '127.0.0.1', port: 0 })
    const elsewhere = await stranger.listen({ host: '127.0.0.1', port: 0 })
    const token = 'text=READONLY_TOKEN'
    try {
      const page = await browser.newPage()
      const { requests, complaints } = overhear(page)
      for (const [path, heading] of [
        ['/', 'storeward'],
        ['/b2b', 'Companion API'],
        ['/storefront/demostore', 'Storefront of demostore'],
      ] as const) {
        await page.goto(origin + path)
        await expectReadable(page, heading)
      }
      await page.click('text="Start page"')
      await page.waitForURL(`${origin}/`)
      await page.click(token)
      expect(await page.evaluate('getSelection().toString()')).toBe('READONLY_TOKEN')
      expect(complaints).toEqual([])
      expect(requests.filter((url) => !url.startsWith(origin) && !url.startsWith('data:'))).toEqual([])

      // A script of the server's own pages reads no token but the one that it fills in.
      await page.goto(`${origin}/docs`)
      const read = await page.evaluate(
        `fetch('/', { headers: { accept: 'text/html' } }).then((answer) => answer.text())`,
      )
      expect(read).toContain('storeward')
      expect(read).not.toContain('_TOKEN')

      // Neither a page of another port nor a name that was made to lead here gets a token.
      await page.goto(elsewhere)
      expect(await page.frames().at(-1)?.locator(token).count()).toBe(0)
      await page.click('a')
      await page.waitForURL(`${origin}/`)
      expect(await page.locator('h1').textContent()).toBe('storeward')
      expect(await page.locator(token).count()).toBe(0)
      await page.goto(`${origin.replace('127.0.0.1', 'rebound.localhost')}/`)
      expect(await page.locator('h1').textContent()).toBe('storeward')
      expect(await page.locator(token).count()).toBe(0)
    } finally {
      for (const one of [server, stranger]) {
        one.server.closeAllConnections()
        await one.close()
      }
    }
  },
)
