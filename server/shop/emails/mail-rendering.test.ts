import { afterAll, describe, expect, test } from 'vitest'
import { RENDERING } from '../templates/bounds.ts'
import { Renderers } from '../templates/renderers.ts'
import { builtinTemplate } from './contents/builtin.ts'
import { sampleContext, sampleData } from './contents/samples.ts'
import { type MailWork, renderMail } from './mail-rendering.ts'

const renderers = new Renderers()
afterAll(() => renderers.close())

const render = (more: Partial<MailWork>) =>
  renderMail(renderers, 1, {
    subject: 'Hello {{name}}',
    body: '<p>{{name}}</p>',
    translations: [],
    locale: 'en',
    context: { name: 'Robin & <b>Co</b>' },
    bounds: RENDERING,
    ...more,
  })

const subject = async (text: string) => {
  const outcome = await render({
    subject: text,
    context: { name: 'R & B', text: '\r\nBcc:\u2028eve@example.com\u0000\n' },
  })
  return outcome.ok ? outcome.mail.subject : outcome.faults
}

test('a mail has a subject, HTML and text', async () => {
  expect(await render({})).toEqual({
    ok: true,
    mail: {
      subject: 'Hello Robin & <b>Co</b>',
      html: '<p>Robin &amp; &lt;b&gt;Co&lt;/b&gt;</p>',
      text: 'Robin & <b>Co</b>\n',
      phrases: [],
    },
  })
})

describe('a subject', () => {
  test.each([
    ['Hello {{name}}', 'Hello R & B'],
    ['{{#if name}}A{{/if}} {{text}}', 'A Bcc: eve@example.com'],
    ['  {{missing}} ', ''],
  ])('%s is text in one line (C-096)', async (text, expected) => {
    expect(await subject(text)).toBe(expected)
  })

  test('may not print raw', async () => {
    expect(await subject('{{{name}}}')).toEqual({ subject: 'line 1, column 1: {{{ }}} may only be used in HTML' })
  })
})

test('subject and body name phrases by helper or by locale, and their names are listed', async () => {
  const translations = [{ locale: 'en', keys: { hello: 'Hello {who}' } }]
  const body = "{{lang 'hello' who='you'}} {{translations.en.hello}}{{lang 'bye'}}"
  expect(await render({ subject: "{{lang 'hello'}}", body, translations })).toMatchObject({
    mail: { subject: 'Hello {who}', html: 'Hello you Hello {who}bye', phrases: ['hello', 'bye'] },
  })
})

test('lookup is no helper of mails', async () => {
  expect(await render({ body: '{{lookup this "name"}}' })).toEqual({
    ok: false,
    faults: { body: 'line 1, column 1: there is no helper "lookup"' },
  })
})

test('the invoice has no link that leads nowhere and no payment without a name', async () => {
  const sample = sampleContext('invoice_email')
  const { body, subject, translations } = builtinTemplate('invoice_email')
  const rendered = async (order: object) => {
    const context = { ...sample, order: { ...sampleData('invoice_email').order, ...order } }
    const outcome = await render({ subject, body, translations, context })
    return outcome.ok ? outcome.mail.html : String(outcome.faults)
  }
  const { payment } = sampleData('invoice_email').order
  expect(await rendered({})).toContain('<th>Payment</th>')
  const bare = await rendered({ account_order_status_url: '', payment: { ...payment, payment_method: '' } })
  expect(bare).toContain('<td>1042</td>')
  expect(bare).not.toMatch(/href=""|<th>Payment</)
})
