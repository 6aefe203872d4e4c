import { constants, inflateSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { ask, enableCompanion, makeCompany, makeInvoice, makeMug, newQuote } from '../../../test/fixtures/companion.ts'
import { openShop, type Shop, theHouse } from '../../../test/fixtures/shop.ts'

// docs/contract/b2b-quotes.md section 9 and b2b-invoices.md section 3.

const RFQ = '/v3/io/rfq'
const INVOICES = '/v3/io/ip/invoices'
let shop: Shop
let company: number
let mug: number
beforeAll(async () => {
  shop = await openShop()
  await enableCompanion(shop)
  company = (await makeCompany(shop, 'Acme')).companyId
  mug = await makeMug(shop)
})

const open = async (url: string) => {
  const { server } = await theHouse()
  const answer = await server.inject({ url: url.slice(new URL(url).origin.length) })
  return { status: answer.statusCode, headers: answer.headers, bytes: answer.rawPayload }
}

/** The texts of a file: its glyphs, by the tables of its fonts. A word is written in pieces where letters are kerned. */
function textsIn(file: Buffer): string {
  const source = file.toString('latin1')
  const objects = [...source.matchAll(/stream\r?\n([\s\S]*?)\r?\nendstream/g)].map(([, bytes = '']) => {
    try {
      // The last byte of a stream can be a carriage return, which looks like a part of the line end.
      return inflateSync(Buffer.from(bytes, 'latin1'), { finishFlush: constants.Z_SYNC_FLUSH }).toString('latin1')
    } catch {
      return ''
    }
  })
  const maps = objects.filter((text) => text.includes('beginbfrange')).map(glyphsIn)
  const shown = objects.filter((text) => text.includes('TJ'))
  const decode = (glyphs: Map<string, string>) =>
    shown
      .flatMap((text) =>
        [...text.matchAll(/\[(.*?)\] TJ/g)].map(([, pieces = '']) =>
          [...pieces.matchAll(/<([0-9a-f]+)>/g)]
            .flatMap(([, hex = '']) => hex.match(/.{4}/g) ?? [])
            .map((glyph) => glyphs.get(glyph) ?? '')
            .join(''),
        ),
      )
      .join('\n')
  return maps.map(decode).join('\n')
}

function glyphsIn(map: string): Map<string, string> {
  const glyphs = new Map<string, string>()
  for (const [, first = '', values = ''] of map.matchAll(/<([0-9a-f]{4})> <[0-9a-f]{4}> \[(.*?)\]/g)) {
    for (const [i, [, text = '']] of [...values.matchAll(/<([0-9a-f ]*)>/g)].entries()) {
      const glyph = (Number.parseInt(first, 16) + i).toString(16).padStart(4, '0')
      const units = text.split(' ').map((unit) => Number.parseInt(unit, 16))
      glyphs.set(glyph, String.fromCharCode(...units))
    }
  }
  return glyphs
}

const yen = {
  currency_code: 'JPY',
  currency_exchange_rate: '150.1',
  name: 'Yen',
  token: '¥',
  token_location: 'left',
  decimal_token: '.',
  thousands_token: ',',
  decimal_places: 0,
  enabled: true,
}

const makeQuote = async (more: object = {}): Promise<number> =>
  (await ask(shop, 'POST', RFQ, newQuote(mug, { companyId: company, ...more }))).body.data.quoteId
const exportPdf = (id: number, body: object = {}) => ask(shop, 'POST', `${RFQ}/${id}/pdf-export`, body)
const textOfQuote = async (id: number, body: object = {}) =>
  textsIn((await open((await exportPdf(id, body)).body.data.url)).bytes)

describe('the PDF of a quote', () => {
  test('is a link for 24 hours', async () => {
    const id = await makeQuote()
    const { status, body } = await exportPdf(id)
    expect([status, body]).toEqual([
      200,
      {
        code: 200,
        data: { url: expect.stringContaining(`/b2b/documents/${shop.store.hash}/quote-${id}.pdf?`) },
        message: 'SUCCESS',
        meta: { message: 'SUCCESS' },
      },
    ])
    const { headers, bytes, status: opened } = await open(body.data.url)
    expect(opened).toBe(200)
    expect(headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': `attachment; filename="quote-${id}.pdf"`,
      'x-content-type-options': 'nosniff',
    })
    expect(bytes.subarray(0, 5).toString()).toBe('%PDF-')
    const { clock } = (await theHouse()).installation
    const expires = Number(new URL(body.data.url).searchParams.get('expires'))
    expect(Math.abs(expires * 1_000 - clock.now().getTime() - 86_400_000)).toBeLessThan(60_000)
  })

  test('has the texts of the quote as they are, and none of another quote', async () => {
    const other = await makeQuote({ quoteTitle: 'Zebra' })
    const id = await makeQuote({ quoteTitle: '<b>Übergröße</b>', notes: 'First\nΩμέγα & Москва', legalTerms: 'None' })
    const text = await textOfQuote(id)
    expect(text).toContain('<b>Übergröße</b>')
    for (const part of ['First', 'Ωμέγα & Москва', 'None', 'Acme', '$35.00', `QN${String(id).padStart(6, '0')}`]) {
      expect(text).toContain(part)
    }
    expect(text).not.toContain('Zebra')
    expect(await textOfQuote(other)).toContain('Zebra')
  })

  test('is bounded: 500 lines, and notes without a space or of line breaks', async () => {
    const line = { productId: mug, sku: 'MUG', basePrice: 40, discount: 5, offeredPrice: 35, quantity: 1 }
    const id = await makeQuote({
      productList: Array.from({ length: 500 }, () => line),
      grandTotal: 17_500,
      notes: 'W'.repeat(65_535),
      legalTerms: 'a\n'.repeat(32_000),
    })
    const { bytes } = await open((await exportPdf(id)).body.data.url)
    expect(bytes.length).toBeLessThan(500_000)
    expect(bytes.toString('latin1').match(/\/Type \/Page\b/g)?.length).toBeLessThan(80)
  })

  test('converts its amounts to another currency', async () => {
    const id = await makeQuote()
    const currency = { token: '€', location: 'right', currencyCode: 'USD', currencyExchangeRate: '2' }
    expect(await textOfQuote(id, { currency })).toContain('35.00€')
    await shop.call('POST', '/currencies', yen, { version: 'v2' })
    expect(await textOfQuote(id, { currency: { currencyCode: 'JPY' } })).toContain('¥5,254')
    const twice = { currencyCode: 'JPY', currencyExchangeRate: '100' }
    expect(await textOfQuote(id, { currency: twice })).toContain('¥3,500')
    const unknown = await exportPdf(id, { currency: { currencyCode: 'XAF' } })
    expect([unknown.status, unknown.body.data.errMsg]).toEqual([
      422,
      { 'currency.currencyCode': ['The store does not have this currency.'] },
    ])
    const free = await exportPdf(id, { currency: { currencyExchangeRate: '0' } })
    expect(free.status).toBe(422)
    expect((await exportPdf(id, { currency: { currencyExchangeRate: '1e9' } })).status).toBe(422)
  })

  test('has no link without a signature, for another quote, or after a deletion', async () => {
    const [id, other] = [await makeQuote(), await makeQuote()]
    const { url } = (await exportPdf(id)).body.data
    expect((await open(url.replace(`quote-${id}.pdf`, `quote-${other}.pdf`))).status).toBe(403)
    expect((await open(url.replace(/expires=\d+/, 'expires=9999999999'))).status).toBe(403)
    expect((await open(url.replace(/signature=.*/, 'signature='))).status).toBe(403)
    await ask(shop, 'DELETE', `${RFQ}/${id}`)
    expect((await open(url)).status).toBe(404)
    expect((await exportPdf(id)).status).toBe(404)
    expect((await ask(shop, 'POST', `${RFQ}/abc/pdf-export`, {})).status).toBe(404)
  })
})

describe('the PDF of an invoice', () => {
  test('is a link, beside the address of another system', async () => {
    const externalPdfUrl = 'https://erp.example.com/7.pdf'
    const id = await makeInvoice(shop, company, '100', { invoiceNumber: 'A-7', externalPdfUrl, termsConditions: 'Net' })
    const { status, body } = await ask(shop, 'GET', `${INVOICES}/${id}/download-pdf`)
    expect([status, body]).toEqual([
      200,
      {
        code: 200,
        data: { url: expect.stringContaining(`/invoice-${id}.pdf?`), externalPdfUrl },
        meta: { message: 'SUCCESS' },
      },
    ])
    const text = textsIn((await open(body.data.url)).bytes)
    for (const part of ['Invoice A-7', 'Acme', '$100.00', 'Net']) expect(text).toContain(part)
    expect((await ask(shop, 'GET', `${INVOICES}/9999/download-pdf`)).status).toBe(404)
    expect((await ask(shop, 'GET', `${INVOICES}/abc/download-pdf`)).status).toBe(404)
  })
})
