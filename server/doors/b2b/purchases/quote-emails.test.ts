import { beforeAll, describe, expect, test } from 'vitest'
import { mailRunner } from '../../../core/mail/outbox.ts'
import { EMAIL_DESIGNS } from '../../../sales/b2b/emails/designs.ts'
import { EMAIL_LANGUAGES } from '../../../sales/b2b/emails/words.ts'
import { ask, enableCompanion, makeCompany, makeMug, newQuote } from '../../../test/fixtures/companion.ts'
import { openShop, type Shop } from '../../../test/fixtures/shop.ts'
import { rowsOf } from '../../../test/fixtures/webhooks.ts'
import { doJobs } from '../../../test/harness/jobs.ts'

// docs/contract/b2b-quotes.md section 11.

const EMAILS = '/v3/io/rfq/emails'
const ann = 'ann@acme.example.com'
let shop: Shop
let quote: number
let mug: number
beforeAll(async () => {
  shop = await openShop()
  await enableCompanion(shop)
  const { companyId } = await makeCompany(shop, 'Acme')
  mug = await makeMug(shop)
  quote = await make({
    companyId,
    notes: '<script>alert(1)</script>',
    contactInfo: { name: 'Ann <b>Lee</b>', email: ann },
  })
})
const make = async (more: object): Promise<number> =>
  (await ask(shop, 'POST', '/v3/io/rfq', newQuote(mug, more))).body.data.quoteId
const send = (more: object = {}) =>
  ask(shop, 'POST', EMAILS, {
    quoteId: String(quote),
    email: ann,
    withAttach: false,
    emailTemplate: 'Simple',
    ...more,
  })
const mails = () => rowsOf(shop, 'mails')

/** The mails that a request has sent. */
async function sent(more: object) {
  const before = new Set((await mails()).map(({ id }) => id))
  const reply = await send(more)
  expect(reply.status, reply.text).toBe(200)
  return (await mails()).filter(({ id }) => !before.has(id))
}

describe('an e-mail of a quote', () => {
  test('is sent to the buyer, with the texts of people as text, and changes nothing', async () => {
    const read = async () => (await ask(shop, 'GET', `/v3/io/rfq/${quote}`)).body.data
    const [before, events] = [await read(), (await rowsOf(shop, 'events')).length]
    const reply = await send()
    expect(reply.body).toEqual({ code: 200, data: {}, message: 'SUCCESS', meta: { message: 'SUCCESS' } })
    const [mail] = await mails()
    expect(mail).toMatchObject({ recipient: ann, subject: expect.stringContaining('Quote QN'), attachment: null })
    expect(mail?.html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
    expect(mail?.html).toContain('Ann &lt;b&gt;Lee&lt;/b&gt;')
    expect(mail?.html).not.toContain('<script>')
    expect(mail?.text).toContain('1 x Mug, MUG: $35.00')
    expect(await read()).toEqual(before)
    expect((await rowsOf(shop, 'events')).length).toBe(events)
  })

  test.each(EMAIL_DESIGNS)('has the design %s', async (emailTemplate) => {
    const [mail] = await sent({ emailTemplate })
    const isLinked = emailTemplate.includes('with checkout')
    expect(String(mail?.html).includes(`#/quoteDetail/${quote}`)).toBe(isLinked)
    expect(String(mail?.html)).toMatch(/^<!doctype html>/)
  })

  test.each(EMAIL_LANGUAGES)('has the language %s', async (emailLang) => {
    const [mail] = await sent({ emailLang })
    expect(String(mail?.html)).toContain(`<html lang="${emailLang}">`)
  })

  test('can have the PDF of the quote, which reaches the mail server', async () => {
    const [mail] = await sent({ withAttach: true })
    expect(mail?.attachment_name).toMatch(/^QN\d{6}\.pdf$/)
    const handed: unknown[] = []
    const transport = {
      async send(one: { id: string; attachment?: { name: string; content: Buffer } }) {
        if (one.id === mail?.id) handed.push(one.attachment?.name, one.attachment?.content.subarray(0, 5).toString())
      },
    }
    await doJobs([mailRunner(transport)])
    expect(handed).toEqual([mail?.attachment_name, '%PDF-'])
  })

  test('goes to each copy by itself, and once to each address', async () => {
    const copies = await sent({ ccTo: ['bo@acme.example.com', ann, 'bo@acme.example.com'] })
    expect(copies.map(({ recipient }) => recipient).sort()).toEqual([ann, 'bo@acme.example.com'])
  })

  test('needs the design, the address of the buyer, and known values', async () => {
    const count = (await mails()).length
    for (const more of [
      { emailTemplate: undefined },
      { emailTemplate: 'simple' },
      { email: undefined },
      { email: 'bo@acme.example.com' },
      { withAttach: undefined },
      { emailLang: 'da' },
      { quoteId: 'abc' },
      { ccTo: ['bo@acme.example.com\nBcc: x@example.com'] },
      { ccTo: Array.from({ length: 11 }, (_, i) => `copy${i}@example.com`) },
    ]) {
      expect([more, (await send(more)).status]).toEqual([more, 422])
    }
    expect((await send({ quoteId: '999999' })).status).toBe(404)
    expect((await send({ ccTo: Array.from({ length: 10 }, (_, i) => `copy${i}@example.com`) })).status).toBe(200)
    expect((await mails()).length).toBe(count + 11)
  })
})
