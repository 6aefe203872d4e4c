import fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openShop, type Shop, theHouse } from '../../../test/fixtures/shop.ts'
import { testInBrowser } from '../../../test/harness/browser.ts'
import { contentPages } from './content-pages.ts'

const MARKED = `Offers <script>document.title='planted'</script>`

let server: FastifyInstance
let base: string
let shop: Shop
let page: number
let script: string
let widget: string
/** Requests that reached a path which only the content of the store names. */
const reached: string[] = []

beforeAll(async () => {
  const { installation, renderers } = await theHouse()
  shop = await openShop()
  server = fastify()
  server.get('/reach/*', ({ url }) => reached.push(url))
  const rules = { domain: 'shops.example.com', publicUrl: 'http://shop.test', allowsPorts: false }
  contentPages(server, { ...installation, renderers, rules })
  base = await server.listen({ host: '127.0.0.1', port: 0 })

  const data = async (method: string, path: string, body: unknown) => (await shop.call(method, path, body)).body.data
  const call = `for (const way of [() => fetch('${base}/reach/fetch'), () => new Image().src = '${base}/reach/image',
    () => localStorage.length, () => parent.document.title = 'planted']) try { Promise.resolve(way()).catch(() => {}) } catch {}
    document.body.dataset.ran = 'yes'`
  const body = `<h2>Our offers</h2><script>${call}</script>`
  page = (await data('POST', '/content/pages', { name: MARKED, type: 'page', body, channel_id: 1 })).id
  script = (
    await data('POST', '/content/scripts', {
      name: 'Greeting',
      kind: 'script_tag',
      html: `<p>Hello</p><script>${call}</script>`,
    })
  ).uuid
  const template = await data('POST', '/content/widget-templates', { name: 'Line', template: '<b>{{text}}</b>' })
  widget = (
    await data('POST', '/content/widgets', {
      name: 'Delivery',
      widget_template_uuid: template.uuid,
      widget_configuration: { text: 'Free <i>delivery</i>' },
    })
  ).uuid
  const site = (await shop.call('GET', '/channels/1/site')).body.data
  await shop.call('PUT', '/storefront/redirects', [
    { from_path: '/old-offers', site_id: site.id, to: { type: 'page', entity_id: page } },
  ])
})
afterAll(() => server.close())

const read = async (path: string) => {
  const answer = await fetch(`${base}${path}`)
  return { status: answer.status, policy: answer.headers.get('content-security-policy'), text: await answer.text() }
}

test('pages for people list the content of a store as text', async () => {
  const { status, policy, text } = await read(`/content/${shop.store.hash}`)
  expect(status).toBe(200)
  expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[^;]+; frame-src 'self'; base-uri 'none'/)
  for (const piece of ['Offers &#60;script&#62;', '/old-offers', 'Greeting', 'Delivery']) expect(text).toContain(piece)
  expect(text).not.toContain('<script>')
})

test('the content itself comes with a policy that gives it an origin of its own and no connections', async () => {
  const at = `/content/${shop.store.hash}`
  for (const [path, piece] of [
    [`${at}/pages/${page}/body`, '<h2>Our offers</h2>'],
    [`${at}/scripts/${script}/body`, '<p>Hello</p>'],
    [`${at}/widgets/${widget}/body`, '<b>Free &lt;i&gt;delivery&lt;/i&gt;</b>'],
  ] as const) {
    const { status, policy, text } = await read(path)
    expect([status, text.includes(piece)], text).toEqual([200, true])
    expect(policy).toMatch(/^sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline';/)
  }
})

test.each([
  '/content/nowhere',
  '/pages/999',
  '/pages/x',
  '/pages/99999999999',
  '/pages/999/body',
  '/scripts/x',
  '/scripts/0c1d6a52-7d2e-4b1f-9a64-51f0c7a3e801/body',
  '/widgets/x',
  '/widgets/0c1d6a52-7d2e-4b1f-9a64-51f0c7a3e801/body',
])('an unknown one is a page that says so: %s', async (path) => {
  const { status, text } = await read(path.startsWith('/content') ? path : `/content/${shop.store.hash}${path}`)
  expect(status).toBe(404)
  expect(text).toContain('<h1>')
})

testInBrowser('in a browser content runs in a frame and reaches nothing outside it', async (browser) => {
  const tab = await browser.newPage()
  const at = `${base}/content/${shop.store.hash}`
  for (const [name, seen] of [
    [MARKED, 'Our offers'],
    ['Greeting', 'Hello'],
  ] as const) {
    await tab.goto(at)
    await tab.click(`text=${name.slice(0, 6)}`)
    await tab.frameLocator('iframe').getByText(seen).waitFor()
    expect(await tab.frameLocator('iframe').locator('body').getAttribute('data-ran')).toBe('yes')
    expect(await tab.title()).toBe(name)
  }
  await tab.goto(at)
  await tab.click('text=Delivery')
  expect(await tab.frameLocator('iframe').locator('b').textContent()).toBe('Free <i>delivery</i>')
  await tab.click('text=All content')
  await tab.waitForURL(at)
  expect(reached).toEqual([])
})
