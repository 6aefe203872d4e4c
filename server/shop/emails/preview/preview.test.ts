import { mkdir } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openShop, type Shop, theHouse } from '../../../test/fixtures/shop.ts'
import { dbOf } from '../../../test/fixtures/webhooks.ts'
import { testInBrowser } from '../../../test/harness/browser.ts'
import { Renderers } from '../../templates/renderers.ts'
import { EMAIL_TYPES, type EmailType } from '../contents/contexts.ts'
import { previewOf } from './preview.ts'

const sites = { domain: 'shop.test', publicUrl: 'http://shop.test', allowsPorts: false }
const renderers = new Renderers()
let shop: Shop
beforeAll(async () => {
  shop = await openShop({ name: 'Lamps & Co' })
})
afterAll(() => renderers.close())

async function preview(type: EmailType, { channel = 0, locale = 'en' } = {}) {
  const { installation } = await theHouse()
  const outcome = await previewOf(
    await dbOf(shop),
    type,
    { channel, locale },
    { renderers, clock: installation.clock, sites },
  )
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.faults))
  return outcome.mail
}

test.each(EMAIL_TYPES)('%s is rendered with its sample', async (type) => {
  const { html, text, subject } = await preview(type)
  expect(html).toContain('Lamps &amp; Co')
  expect(text).not.toBe('')
  expect(subject).not.toBe('')
})

test('a preview takes the template of the channel, in the language', async () => {
  const path = '/marketing/email-templates/createaccount_email?channel_id=1'
  const translations = [
    { locale: 'en', keys: { hi: 'Hello' } },
    { locale: 'de', keys: { hi: 'Hallo' } },
  ]
  const template = { subject: "{{lang 'hi'}}", body: "<b>{{lang 'hi'}}</b>", translations }
  expect((await shop.call('PUT', path, template)).status).toBe(200)
  expect((await preview('createaccount_email', { channel: 1 })).html).toBe('<b>Hello</b>')
  expect((await preview('createaccount_email', { channel: 1, locale: 'de-AT' })).html).toBe('<b>Hallo</b>')
  expect((await preview('createaccount_email')).html).toContain('Welcome to')
})

/** The folder for pictures of the e-mails, which people look at. Without it none are taken. */
const PICTURES = process.env.PICTURES

testInBrowser('a phone shows each e-mail without scrolling sideways, and asks no other host', async (browser) => {
  const tab = await browser.newPage()
  const requests: string[] = []
  tab.on('request', (request) => requests.push(request.url()))
  if (PICTURES) await mkdir(PICTURES, { recursive: true })
  for (const type of EMAIL_TYPES) {
    await tab.setContent((await preview(type)).html)
    if (PICTURES) {
      await tab.setViewportSize({ width: 1000, height: 1200 })
      await tab.screenshot({ path: `${PICTURES}/${type}.png`, fullPage: true })
    }
    await tab.setViewportSize({ width: 375, height: 800 })
    expect(await tab.evaluate('document.documentElement.scrollWidth'), type).toBeLessThanOrEqual(375)
    if (PICTURES) await tab.screenshot({ path: `${PICTURES}/${type}-phone.png`, fullPage: true })
  }
  expect(requests.filter((url) => !url.startsWith('data:image/svg+xml'))).toEqual([])
})
