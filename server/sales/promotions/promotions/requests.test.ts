import { beforeEach, describe, expect, test } from 'vitest'
import { openShop, type Shop } from '../../../test/fixtures/shop.ts'

// Promotions under repeated, foreign and hostile requests.

let shop: Shop
beforeEach(async () => {
  shop = await openShop()
})

const rules = [{ action: { cart_value: { discount: { fixed_amount: '1' } } } }]
const sale = { redemption_type: 'AUTOMATIC', name: 'Sale', rules }
const bulk = { redemption_type: 'COUPON', coupon_type: 'BULK', name: 'Bulk', rules }
const headers = (key: string) => ({ headers: { 'idempotency-key': key } })
const promotions = async (of: Shop = shop) => (await of.call('GET', '/promotions')).body.data

describe('an Idempotency-Key', () => {
  test('that many requests have at once creates one promotion and one batch of codes (C-013)', async () => {
    const created = await Promise.all(
      Array.from({ length: 20 }, () => shop.call('POST', '/promotions', bulk, headers('one'))),
    )
    for (const { status } of created) expect([201, 409]).toContain(status)
    expect(await promotions()).toHaveLength(1)
    const generate = () => shop.call('POST', '/promotions/1/codegen', { batch_size: 3 }, headers('codes'))
    const generated = await Promise.all(Array.from({ length: 20 }, generate))
    const [first, ...others] = generated.filter(({ status }) => status === 201).map(({ text }) => text)
    for (const other of others) expect(other).toBe(first)
    expect((await shop.call('GET', '/promotions/1/codes')).body.data).toHaveLength(3)
  })

  test('of another body is refused, in another store it is another key, and a refusal leaves it free (C-014, C-015, C-016)', async () => {
    expect((await shop.call('POST', '/promotions', { ...sale, name: '' }, headers('two'))).status).toBe(422)
    expect((await shop.call('POST', '/promotions', sale, headers('two'))).status).toBe(201)
    expect((await shop.call('POST', '/promotions', { ...sale, name: 'Other' }, headers('two'))).status).toBe(422)
    const replayed = await shop.call('POST', '/promotions', sale, headers('two'))
    expect([replayed.status, replayed.body.data.id]).toEqual([201, 1])
    const other = await openShop()
    expect((await other.call('POST', '/promotions', sale, headers('two'))).status).toBe(201)
    expect([await promotions(), await promotions(other)].map(({ length }) => length)).toEqual([1, 1])
  })
})

test('changes and deletions of the same promotions in opposite order are all answered (C-024)', async () => {
  for (let i = 0; i < 6; i++) await shop.call('POST', '/promotions', { ...sale, name: `Sale ${i}` })
  for (let round = 0; round < 10; round++) {
    const answers = await Promise.all([
      ...[1, 2, 3].map((id) => shop.call('PUT', `/promotions/${id}`, { name: `Round ${round}` })),
      shop.call('DELETE', '/promotions?id:in=4,5,6'),
      shop.call('DELETE', '/promotions?id:in=6,5,4'),
      shop.call('PUT', '/promotions/4', { name: 'Late' }),
    ])
    for (const { status, text } of answers) expect([200, 204, 404], text).toContain(status)
  }
  expect(await promotions()).toHaveLength(3)
})

test('codes are found and deleted below their own promotion only, and nothing of another store (C-066, C-067)', async () => {
  const other = await openShop()
  for (const one of [shop, other]) {
    for (let i = 0; i < 2; i++) await one.call('POST', '/promotions', bulk)
    for (const promotion of [1, 2, 2]) await one.call('POST', `/promotions/${promotion}/codegen`, { batch_size: 2 })
  }
  for (let i = 0; i < 3; i++) await other.call('POST', '/promotions', sale)
  const codes = async (of: Shop, promotion: number) =>
    (await of.call('GET', `/promotions/${promotion}/codes`)).body.data.map(({ id }: { id: number }) => id)
  expect((await shop.call('DELETE', '/promotions/1/codes?id:in=3,4,99')).status).toBe(204)
  expect((await shop.call('DELETE', '/promotions/1/codes/5')).status).toBe(204)
  expect((await shop.call('DELETE', '/promotions?id:in=3,4,5')).status).toBe(204)
  expect([await codes(shop, 1), await codes(shop, 2)]).toEqual([
    [1, 2],
    [3, 4, 5, 6],
  ])
  expect([await codes(other, 2), (await promotions(other)).length]).toEqual([[3, 4, 5, 6], 5])
})

describe('texts', () => {
  test.each([
    ['emoji of four bytes', '🧁'.repeat(127)],
    ['right to left', '\u202eabc\u0301 שלום'],
    ['combining marks', 'e\u0301'.repeat(100)],
  ])('of %s are answered as they were sent (C-080)', async (_, text) => {
    const sent = { ...sale, name: text, display_name: text }
    const { status, body } = await shop.call('POST', '/promotions', sent)
    // Names are stored in one Unicode form.
    const name = text.normalize('NFC')
    expect([status, body.data?.name, body.data?.display_name]).toEqual([201, name, name])
    const banner = { name: text, content: text, page: 'home_page', location: 'top', date_type: 'always' }
    const { content } = (await shop.call('POST', '/banners', banner, { version: 'v2' })).body
    expect(content.normalize('NFC')).toBe(name)
  })

  test.each([
    ['U+0000', 'a\u0000b'],
    ['a half of a pair', 'a\ud800b'],
    ['256 characters', 'x'.repeat(256)],
  ])('with %s are refused (C-080)', async (_, name) => {
    expect((await shop.call('POST', '/promotions', { ...sale, name })).status).toBe(422)
  })
})

test.each(['1e400', 'NaN', 'Infinity', '-0.01', '', '12345678901234567890', '0x10', ' '])(
  'an amount of "%s" is refused, and names its field (C-081)',
  async (amount) => {
    const off = (discount: object) => [{ action: { cart_value: { discount } } }]
    const spend = { ...rules[0], condition: { cart: { minimum_spend: amount } } }
    for (const bad of [off({ fixed_amount: amount }), off({ percentage_amount: amount }), [spend]]) {
      const { status, body } = await shop.call('POST', '/promotions', { ...sale, rules: bad })
      expect([status, Object.keys(body.errors ?? {})[0]]).toEqual([422, expect.stringMatching(/^rules\.0\./)])
    }
  },
)
