import { beforeAll, describe, expect, test } from 'vitest'
import { openShop, type Shop } from '../../../../../test/fixtures/shop.ts'
import { askStorefront, makeToken } from '../../../../../test/fixtures/storefront.ts'

// docs/contract/storefront-purchases.md section 8: certificates by their codes, and previews.

let shop: Shop
let token: string
beforeAll(async () => {
  shop = await openShop()
  token = await makeToken(shop, 'private')
})

const people = { to_name: 'Ann Lee', to_email: 'ann@example.com', from_name: 'Bo Ek', from_email: 'bo@example.com' }
async function give(fields: object) {
  const made = await shop.call('POST', '/gift_certificates', { ...people, ...fields }, { version: 'v2' })
  expect(made.status, made.text).toBe(201)
}
async function ask(query: string, variables: object = {}, of = shop, by = token) {
  const { status, body } = await askStorefront(of, { token: by, query, variables })
  expect(status).toBe(200)
  return body
}
const FIELDS = `amount { value currencyCode formattedV2 } balance { value } code currencyCode message status recipient { name email }
  sender { name email } purchasedAt { utc } expiresAt { utc } theme`
const find = async (code: string, fields = FIELDS) =>
  (await ask(`query ($code: String!) { site { giftCertificate(code: $code) { ${fields} } } }`, { code })).data.site
    .giftCertificate

describe('a gift certificate', () => {
  test('is found by its code in any case', async () => {
    await give({
      amount: 25,
      balance: 10,
      code: 'CARD-1',
      template: 'boy',
      message: 'Enjoy',
      expiry_date: 1_900_000_000,
    })
    expect(await find(' card-1 ')).toEqual({
      amount: { value: 25, currencyCode: 'USD', formattedV2: '$25.00' },
      balance: { value: 10 },
      code: 'CARD-1',
      currencyCode: 'USD',
      message: 'Enjoy',
      status: 'ACTIVE',
      recipient: { name: 'Ann Lee', email: 'ann@example.com' },
      sender: { name: 'Bo Ek', email: 'bo@example.com' },
      purchasedAt: { utc: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) },
      expiresAt: { utc: '2030-03-17T17:46:40.000Z' },
      theme: 'BOY',
    })
    const html = (await find('CARD-1', 'html')).html
    expect(html).toContain('CARD-1')
    expect(html).toContain('March 17, 2030')
  })

  test('has the status of the moment', async () => {
    for (const status of ['disabled', 'pending']) await give({ amount: 5, code: `IS-${status.toUpperCase()}`, status })
    await give({ amount: 5, code: 'IS-OVER', expiry_date: 1_000_000_000 })
    const statuses = await Promise.all(['IS-DISABLED', 'IS-PENDING', 'IS-OVER'].map((code) => find(code, 'status')))
    expect(statuses.map(({ status }) => status)).toEqual(['DISABLED', 'PENDING', 'EXPIRED'])
  })

  test('is null for another code, and for one of another store', async () => {
    const other = await openShop()
    const made = await other.call(
      'POST',
      '/gift_certificates',
      { ...people, amount: 5, code: 'THEIRS' },
      { version: 'v2' },
    )
    expect(made.status).toBe(201)
    for (const code of ['NONE', '', 'THEIRS', 'a\0b', '%']) expect(await find(code), code).toBeNull()
  })

  test('is looked for a limited number of times by a shopper', async () => {
    const browser = await makeToken(shop, 'storefront')
    const guesses = Array.from({ length: 70 }, (_, i) => `g${i}: giftCertificate(code: "GUESS-${i}") { code }`)
    const { errors } = await ask(`{ site { ${guesses.join(' ')} } }`, {}, shop, browser)
    expect(errors.length).toBeGreaterThanOrEqual(1)
    expect(errors[0].message).toBe('Too many requests')
  })
})

describe('a preview', () => {
  const PREVIEW = `mutation ($input: GiftCertificatePreviewInput!) { previewGiftCertificate(input: $input) {
    html errors { ... on ValidationError { path message } } } }`
  const input = {
    amount: 50,
    currencyCode: 'USD',
    theme: 'GENERAL',
    sender: { name: 'Bo <b>Ek</b>' },
    recipient: { name: 'Ann' },
  }
  const preview = async (more: object = {}) =>
    (await ask(PREVIEW, { input: { ...input, ...more } })).data.previewGiftCertificate

  test('is the e-mail of the certificate, and stores nothing', async () => {
    const { html, errors } = await preview()
    expect(errors).toEqual([])
    expect(html).toContain('$50.00')
    expect(html).toContain('Bo &lt;b&gt;Ek&lt;/b&gt;')
    const { body } = await shop.call('GET', '/gift_certificates?limit=250', undefined, { version: 'v2' })
    expect(body.map(({ amount }: { amount: string }) => amount)).not.toContain('50.0000')
  })

  test('names the fields that are refused', async () => {
    const refusals: [object, string[]][] = [
      [{ amount: 0 }, ['input', 'amount']],
      [{ amount: -5 }, ['input', 'amount']],
      [{ currencyCode: 'CHF' }, ['input', 'currencyCode']],
      [{ message: 'x'.repeat(201) }, ['input', 'message']],
      [{ sender: { name: ' ' } }, ['input', 'sender', 'name']],
      [{ recipient: { name: 'x'.repeat(256) } }, ['input', 'recipient', 'name']],
    ]
    for (const [more, path] of refusals) {
      const { html, errors } = await preview(more)
      expect([html, errors], JSON.stringify(more)).toEqual([null, [{ path, message: expect.any(String) }]])
    }
    expect((await preview({ message: 'x'.repeat(200), recipient: { name: 'x'.repeat(255) } })).errors).toEqual([])
  })
})
