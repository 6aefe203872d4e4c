import fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { STOCK, stockBundle } from '../../../shop/themes/stock.ts'
import { openShop, type Shop, theHouse } from '../../../test/fixtures/shop.ts'
import { bundleOf, uploadTheme } from '../../../test/fixtures/themes.ts'
import { testInBrowser } from '../../../test/harness/browser.ts'
import { themePages } from './theme-pages.ts'

const EVIL = `<script>document.title='planted'</script>`
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)

let server: FastifyInstance
let base: string
let shop: Shop
let theme: string
beforeAll(async () => {
  const { installation, files } = await theHouse()
  shop = await openShop()
  const { config } = await stockBundle()
  const own = { ...config, name: `Ferns ${EVIL}`, settings: { headline: EVIL } }
  const bundle = await bundleOf({ 'config.json': JSON.stringify(own), 'schema.json': null, 'meta/shot.png': pixel })
  theme = (await uploadTheme(shop, bundle)).uuid
  server = fastify()
  themePages(server, { ...installation, files })
  base = await server.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => server.close())

test('pages for people show the themes of a store and their content as text', async () => {
  const page = async (path: string) => {
    const answer = await fetch(`${base}${path}`)
    return { status: answer.status, headers: answer.headers, text: await answer.text() }
  }
  const list = await page(`/themes/${shop.store.hash}`)
  expect([list.status, list.text.includes('<script>')]).toEqual([200, false])
  expect(list.text).toContain('Homestead</a>')
  expect(list.text).toContain('channel 1')
  const one = await page(`/themes/${shop.store.hash}/${theme}`)
  expect(one.text).toContain('templates/pages/home.html')
  expect(one.text).toContain('&#60;script&#62;')
  expect(one.text).toContain('does not render storefronts')
  expect(one.headers.get('content-security-policy')).toMatch(/img-src 'self'; base-uri 'none'/)
  const stock = await page(`/themes/${shop.store.hash}/${STOCK.uuid}`)
  expect(stock.text).toContain('The theme has none.')
  const picture = await fetch(`${base}/themes/${shop.store.hash}/${theme}/pictures/shot.png`)
  expect([picture.headers.get('content-type'), Buffer.from(await picture.arrayBuffer())]).toEqual(['image/png', pixel])
  for (const path of [
    '/themes/nowhere',
    `/themes/${shop.store.hash}/${STOCK.version_uuid}`,
    `/themes/${shop.store.hash}/${theme}/pictures/other.png`,
    `/themes/${shop.store.hash}/${theme}/pictures/config.json`,
    `/themes/${shop.store.hash}/${STOCK.uuid}/pictures/shot.png`,
  ]) {
    expect((await page(path)).status, path).toBe(404)
  }
})

testInBrowser('in a browser a theme is shown with its screenshot, and nothing in it runs', async (browser) => {
  const tab = await browser.newPage()
  const requests: string[] = []
  tab.on('request', (request) => requests.push(request.url()))
  await tab.goto(`${base}/themes/${shop.store.hash}`)
  await tab.click('text=Ferns')
  await tab.waitForURL(/[0-9a-f-]{36}$/)
  expect(await tab.title()).toBe(`Ferns ${EVIL}`)
  const seen = 'document.images.length === 1 && document.images[0].complete && document.images[0].naturalWidth > 0'
  expect(await tab.evaluate(seen)).toBe(true)
  expect(requests.filter((url) => !url.startsWith(base))).toEqual([])
  await tab.click('text=All themes')
  expect(await tab.locator('table a').count()).toBe(2)
})
