import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { form, openShop, type Shop, theHouse } from '../../../test/fixtures/shop.ts'
import { dbOf, rowsOf } from '../../../test/fixtures/webhooks.ts'
import { doJobs } from '../../../test/harness/jobs.ts'
import { Renderers } from '../../templates/renderers.ts'
import { EMAIL_TYPES, type EmailType } from '../contents/contexts.ts'
import { sampleData } from '../contents/samples.ts'
import { emailRunner, isSwitchedOn, type NewEmail, sendEmail } from './send.ts'

const sites = { domain: 'shop.test', publicUrl: 'http://shop.test', allowsPorts: false }
const renderers = new Renderers()
afterAll(() => renderers.close())

let shop: Shop
let warnings: unknown[]
beforeEach(async () => {
  shop = await openShop({ name: 'Lamps & Co' })
  warnings = []
})

const owe = async <T extends EmailType>(type: T, email: Partial<NewEmail<T>> = {}) => {
  const db = await dbOf(shop)
  const whole = { to: 'robin@example.com', channel: 1, locale: 'en', context: sampleData(type), ...email }
  return db.transaction((tx) => sendEmail(tx, type, whole))
}
const deliver = async () => {
  const { clock } = await theHouse()
  const log = { warn: (...said: unknown[]) => void warnings.push(said) }
  return doJobs([emailRunner({ renderers, clock, sites, log })])
}
const mails = async () => rowsOf(shop, 'mails')
const settle = (path: string, body: object) => shop.call('PUT', `/settings/${path}`, body)
const put = (path: string, body: object) => shop.call('PUT', `/marketing/email-templates/${path}`, body)

test.each(EMAIL_TYPES)('an %s is made of its built-in template', async (type) => {
  await owe(type)
  expect(await mails()).toEqual([])
  await settle('email-statuses', { product_review_email: true })
  await deliver()
  const [mail, ...more] = await mails()
  expect(more).toEqual([])
  expect(mail).toMatchObject({ recipient: 'robin@example.com', subject: expect.stringMatching(/\S/) })
  const { subject, html, text } = mail ?? {}
  for (const part of [subject, html, text]) expect(part).not.toMatch(/\{\{|\}\}|\[object|undefined|NaN/)
  // Every phrase of a built-in template has its words, and every argument its value.
  expect(String(text).replaceAll(/https?:\S+/g, '')).not.toMatch(/\b[a-z]+_[a-z_]+\b|\{\w+\}/)
  expect(String(html)).toContain('Lamps &amp; Co')
  expect(String(text)).toContain('Lamps & Co')
  expect(await rowsOf(shop, 'owed_emails')).toEqual([])
  expect(warnings).toEqual([])
})

test('an e-mail is made of the template of its channel, in the locale of who gets it', async () => {
  const translations = [
    { locale: 'en', keys: { hi: 'Hello {name}' } },
    { locale: 'de', keys: { hi: 'Hallo {name}' } },
  ]
  await put('createaccount_email?channel_id=1', {
    subject: "{{lang 'hi' name=customer.first_name}}",
    body: '<p>{{lang \'hi\' name=customer.first_name}}</p><a href="{{store.path}}">{{store.name}}</a>{{store.language.direction}}{{misc.year}}',
    translations,
  })
  const context = sampleData('createaccount_email')
  const named = { ...context, customer: { ...context.customer, first_name: 'Zoë & <i>\r\nBcc: eve@example.com' } }
  await owe('createaccount_email', { locale: 'de-AT', context: named })
  await deliver()
  const path = `https://store-${shop.store.hash}.shop.test/`
  const [mail] = await mails()
  expect(mail?.subject).toBe('Hallo Zoë & <i> Bcc: eve@example.com')
  expect(mail?.html).toMatch(
    new RegExp(
      `^<p>Hallo Zoë &amp; &lt;i&gt;\\r\\nBcc: eve@example.com</p><a href="${path}">Lamps &amp; Co</a>ltr20\\d\\d$`,
    ),
  )
  expect(mail?.text).toContain(`Lamps & Co (${path})`)

  await owe('createaccount_email', { channel: 0, locale: 'de-AT' })
  await deliver()
  expect((await mails()).map(({ subject }) => subject)).toContain('Welcome to Lamps & Co')
})

test('an e-mail is owed by the transaction of its change: rolled back, there is none', async () => {
  const db = await dbOf(shop)
  const context = sampleData('createaccount_email')
  const broken = db.transaction(async (tx) => {
    await sendEmail(tx, 'createaccount_email', { to: 'robin@example.com', channel: 1, locale: 'en', context })
    throw new Error('no')
  })
  await expect(broken).rejects.toThrow('no')
  expect(await rowsOf(shop, 'owed_emails')).toEqual([])
  expect(await rowsOf(shop, 'jobs')).toEqual([])
})

test('an e-mail is sent once, though its job runs twice', async () => {
  await owe('createaccount_email')
  const [job] = await rowsOf(shop, 'jobs')
  const { clock } = await theHouse()
  const runner = emailRunner({
    renderers,
    clock,
    sites,
    log: { warn() {} },
  })
  const run = async () =>
    runner.run({
      id: 'x',
      db: await dbOf(shop),
      payload: job?.payload,
      attempt: 1,
      signal: new AbortController().signal,
    })
  await Promise.all([run(), run()])
  await run()
  expect(await mails()).toHaveLength(1)
})

test.each([['a@example.com, b@example.com'], ['a@example.com\r\nBcc: b@example.com'], ['']])(
  'an e-mail is not owed to %j',
  async (to) => {
    await expect(owe('createaccount_email', { to })).rejects.toThrow('A mail needs an address to go to.')
  },
)

test('an e-mail without the data of its type is refused', async () => {
  const { customer } = sampleData('invoice_email')
  const broken: object = { customer }
  const context = broken as ReturnType<typeof sampleData<'invoice_email'>>
  await expect(owe('invoice_email', { context })).rejects.toThrow()
  expect(await rowsOf(shop, 'owed_emails')).toEqual([])
})

test('a disabled e-mail is deleted and not sent, and a channel may differ from the store', async () => {
  const statuses = (await shop.call('GET', '/settings/email-statuses')).body.data
  await settle('email-statuses', { invoice_email: false })
  await owe('invoice_email')
  await owe('invoice_email', { channel: 0 })
  await deliver()
  expect(await mails()).toEqual([])
  expect(await rowsOf(shop, 'owed_emails')).toEqual([])
  await settle('email-statuses?channel_id=1', statuses)
  await owe('invoice_email')
  await owe('invoice_email', { channel: 0 })
  await deliver()
  expect(await mails()).toHaveLength(1)
})

test('only requests for reviews are switched off where nothing is settled', async () => {
  const db = await dbOf(shop)
  const off = await Promise.all(EMAIL_TYPES.map(async (type) => ((await isSwitchedOn(db, 1, type)) ? [] : [type])))
  expect(off.flat()).toEqual(['product_review_email'])
})

test('each type has a switch of its own, but for forgotten passwords', async () => {
  const db = await dbOf(shop)
  const statuses = Object.keys((await shop.call('GET', '/settings/email-statuses')).body.data)
  const switched = []
  for (const status of statuses) {
    await settle('email-statuses', Object.fromEntries(statuses.map((name) => [name, name !== status])))
    for (const type of EMAIL_TYPES) if (!(await isSwitchedOn(db, 1, type))) switched.push(type)
  }
  expect(switched.toSorted()).toEqual(EMAIL_TYPES.filter((type) => type !== 'account_reset_password_email'))
})

test('an e-mail shows the profile, logo and site of its channel', async () => {
  await settle('store/profile', { store_address: '1 Elm Row' })
  const own = { store_address: '2 Oak Row', store_email: '', store_name: 'Oak', store_phone: '' }
  await settle('store/profile?channel_id=1', own)
  await settle('logo', { logo_text: 'Light' })
  const body = '{{store.name}}|{{store.address}}|{{store.logo.title}}|{{store.logo.url}}|{{store.domain_name}}'
  await shop.call('PUT', '/sites/1000', { url: `https://${shop.store.hash}.example.com/` })
  await put('createaccount_email', { subject: 'x', body })
  await owe('createaccount_email')
  await owe('createaccount_email', { channel: 0 })
  await deliver()
  const bodies = (await mails()).map(({ html }) => html)
  const host = `${shop.store.hash}.example.com`
  expect(bodies.toSorted()).toEqual([`Lamps &amp; Co|1 Elm Row|Light||${host}`, `Oak|2 Oak Row|Light||${host}`])
})

test('an e-mail names the image of a logo by its address', async () => {
  const pixel = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  )
  await shop.call('POST', '/settings/logo/image', undefined, form('LogoFile', 'a.png', pixel))
  await settle('logo', { type: 'image' })
  await put('createaccount_email', { subject: 'x', body: '{{store.logo.url}}' })
  await owe('createaccount_email')
  await deliver()
  const { logo_image_url } = (await shop.call('GET', '/settings/logo')).body.data
  expect(logo_image_url).toMatch(/^http:\/\/shop\.test\/files\//)
  expect((await mails()).map(({ html }) => html)).toEqual([logo_image_url])
})

describe('a template that fails when it matters', () => {
  test('is replaced by the built-in one, and the log has its type but not its content', async () => {
    // With the sample it is small; with this cart it prints too much.
    await put('abandoned_cart_email', { subject: 'x', body: `{{#each cart.products}}${'x'.repeat(60_000)}{{/each}}` })
    const context = sampleData('abandoned_cart_email')
    const products = Array.from({ length: 300 }, () => context.cart.products).flat()
    await owe('abandoned_cart_email', { context: { ...context, cart: { products } } })
    await deliver()
    const [mail] = await mails()
    expect(mail?.subject).toBe('Your cart at Lamps & Co is still here')
    expect(String(mail?.html).match(/Reading lamp/g)).toHaveLength(300)
    expect((await shop.call('GET', '/store/systemlogs')).body.data).toMatchObject([
      {
        type: 'notification',
        module: 'email message',
        severity: 'warnings',
        summary: 'The template abandoned_cart_email could not be rendered',
        message: expect.stringMatching(/^The built-in template took its place\. body: /),
      },
    ])
    expect(warnings).toEqual([
      [
        { store: shop.store.id, type: 'abandoned_cart_email' },
        'a template could not be rendered: the built-in one took its place',
      ],
    ])
  })
})
