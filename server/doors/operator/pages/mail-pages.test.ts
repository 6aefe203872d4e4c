import { mkdir } from 'node:fs/promises'
import fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sendMail } from '../../../core/mail/outbox.ts'
import { EMAIL_TYPES } from '../../../shop/emails/contents/contexts.ts'
import { sampleData } from '../../../shop/emails/contents/samples.ts'
import { emailRunner, sendEmail } from '../../../shop/emails/sending/send.ts'
import { Renderers } from '../../../shop/templates/renderers.ts'
import { openShop, type Shop, theHouse } from '../../../test/fixtures/shop.ts'
import { dbOf, rowsOf } from '../../../test/fixtures/webhooks.ts'
import { testInBrowser } from '../../../test/harness/browser.ts'
import { doJobs } from '../../../test/harness/jobs.ts'
import { mailPages } from './mail-pages.ts'

const EVIL = `"><script>document.title='planted'</script><img src=x onerror="document.title='planted'"><a href="javascript:document.title='planted'">go</a>`
const sites = { domain: 'shop.test', publicUrl: 'http://shop.test', allowsPorts: false }
const renderers = new Renderers()
let server: FastifyInstance
let base: string
let shop: Shop

beforeAll(async () => {
  const { installation } = await theHouse()
  shop = await openShop({ name: 'Lamps & Co' })
  server = fastify()
  mailPages(server, { ...installation, renderers, sites })
  base = await server.listen({ host: '127.0.0.1', port: 0 })
  const db = await dbOf(shop)
  const context = sampleData('invoice_email')
  await db.transaction((tx) =>
    sendEmail(tx, 'invoice_email', { to: 'robin@example.com', channel: 1, locale: 'en', context }),
  )
  const { clock } = installation
  await doJobs([emailRunner({ renderers, clock, sites, log: { warn() {} } })])
  await db.transaction((tx) =>
    sendMail(tx, { to: 'eve@example.com', subject: EVIL, text: EVIL, html: `<p>Hi</p>${EVIL}` }),
  )
  await db.transaction((tx) => sendMail(tx, { to: 'ann@example.com', subject: 'Only text', text: 'One\nTwo' }))
})
afterAll(async () => {
  renderers.close()
  server.server.closeAllConnections()
  await server.close()
})

const ask = (path: string) => fetch(`${base}${path}`)
const page = async (path: string) => (await ask(path)).text()
const mailOf = async (recipient: string) => {
  const mail = (await rowsOf(shop, 'mails')).find((one) => one.recipient === recipient)
  return `/mailbox/${shop.store.hash}/${mail?.id}`
}

test('both lists begin with the stores', async () => {
  for (const path of ['/mailbox', '/emails']) expect(await page(path)).toContain(`href="${path}/${shop.store.hash}"`)
})

test('the mailbox lists the mails of one store, and shows each whole', async () => {
  const list = await page(`/mailbox/${shop.store.hash}`)
  expect(list).toContain('Your order 1042 at Lamps &#38; Co')
  expect(list.match(/<tr>/g)).toHaveLength(4)
  const mail = await page(await mailOf('robin@example.com'))
  for (const part of ['robin@example.com', '@storeward&#62;', 'sandbox=""', 'Thank you for your order'])
    expect(mail).toContain(part)
  const text = await page(await mailOf('ann@example.com'))
  expect(text).toContain('One\nTwo')
  expect(text).not.toContain('<iframe')
  expect(await page(`/mailbox/${(await openShop()).store.hash}`)).toContain('There are no mails yet.')
})

test.each(EMAIL_TYPES)('the preview of %s shows it about its sample', async (type) => {
  const shown = await page(`/emails/${shop.store.hash}/${type}`)
  expect(shown).toContain('As HTML')
  const html = await page(`/emails/${shop.store.hash}/${type}/html`)
  expect(html).toContain('Lamps &amp; Co')
})

test('a preview takes the template of the channel and the language that are asked for', async () => {
  const path = '/marketing/email-templates/createaccount_email?channel_id=1'
  const translations = [
    { locale: 'en', keys: { hi: 'Hello' } },
    { locale: 'de', keys: { hi: 'Hallo' } },
  ]
  expect(
    (await shop.call('PUT', path, { subject: "{{lang 'hi'}}", body: "<b>{{lang 'hi'}}</b>", translations })).status,
  ).toBe(200)
  const html = (query: string) => page(`/emails/${shop.store.hash}/createaccount_email/html${query}`)
  expect(await html('?channel_id=1')).toBe('<b>Hello</b>')
  expect(await html('?channel_id=1&locale=de-AT')).toBe('<b>Hallo</b>')
  expect(await html('?channel_id=x&locale=%3Cb%3E')).toContain('Welcome to')
  await shop.call('DELETE', path)
})

test.each([['/mailbox/nowhere'], ['/emails/nowhere'], ['/emails/HASH/no_email'], ['/mailbox/HASH/1']])(
  '%s is 404',
  async (path) => {
    const answer = await ask(path.replace('HASH', shop.store.hash))
    expect(answer.status).toBe(404)
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
  },
)

describe('the content of a mail', () => {
  test('is text on the page, and belongs to no origin in its frame (C-086)', async () => {
    const path = await mailOf('eve@example.com')
    for (const shown of [await page(path), await page(`/mailbox/${shop.store.hash}`)]) {
      expect(shown).not.toMatch(/<(script|img)/)
      expect(shown).toContain('&#60;script&#62;')
    }
    const framed = await ask(`${path}/html`)
    expect(framed.headers.get('content-security-policy')).toBe(
      "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'",
    )
    expect(framed.headers.get('x-content-type-options')).toBe('nosniff')
    expect((await ask(path)).headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/]{43}='; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
    )
  })
})

/** Where pictures of the pages are put for people to look at, if anywhere. */
const PICTURES = process.env.PICTURES

testInBrowser('in a browser mailbox and previews are shown, and nothing in them runs', async (browser) => {
  const tab = await browser.newPage({ viewport: { width: 1000, height: 1200 } })
  const requests: string[] = []
  tab.on('request', (request) => requests.push(request.url()))
  tab.on('dialog', () => requests.push('a dialog'))

  await tab.goto(`${base}/mailbox/${shop.store.hash}`)
  await tab.click('text=Your order 1042')
  await tab.waitForURL(/\/mailbox\/\w+\/[\w-]+$/)
  const framed = tab.frameLocator('iframe')
  expect(await framed.locator('h1').textContent()).toBe('Thank you for your order')
  const colour = "getComputedStyle(document.querySelector('.button')).backgroundColor"
  expect(await tab.frames()[1]?.evaluate(colour)).toBe('rgb(29, 78, 216)')
  const seen = 'document.images.length > 0 && [...document.images].every((image) => image.naturalWidth > 0)'
  expect(await tab.frames()[1]?.evaluate(seen)).toBe(true)

  await tab.goto(`${base}${await mailOf('eve@example.com')}`)
  expect(await tab.title()).toBe(EVIL)
  await tab.frameLocator('iframe').locator('a').click()
  await tab.goto(`${base}${await mailOf('eve@example.com')}/html`)
  expect(await tab.title()).not.toBe('planted')

  if (PICTURES) await mkdir(PICTURES, { recursive: true })
  await tab.goto(`${base}/emails/${shop.store.hash}/${EMAIL_TYPES[0]}`)
  expect(await tab.frameLocator('iframe').locator('h1').count()).toBe(1)
  for (const type of EMAIL_TYPES) {
    const page = `${base}/emails/${shop.store.hash}/${type}/html`
    if (PICTURES) {
      await tab.setViewportSize({ width: 1000, height: 1200 })
      await tab.goto(page)
      await tab.screenshot({ path: `${PICTURES}/${type}.png`, fullPage: true })
    }
    // A phone shows it without scrolling sideways.
    await tab.setViewportSize({ width: 375, height: 800 })
    await tab.goto(page)
    expect(await tab.evaluate('document.documentElement.scrollWidth'), type).toBeLessThanOrEqual(375)
    if (PICTURES) await tab.screenshot({ path: `${PICTURES}/${type}-phone.png`, fullPage: true })
  }
  const own = (url: string) => url.startsWith(base) || url.startsWith('data:image/svg+xml')
  expect(requests.filter((url) => !own(url))).toEqual([])
})
