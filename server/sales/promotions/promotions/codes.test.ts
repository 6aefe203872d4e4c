import { beforeEach, describe, expect, test } from 'vitest'
import { openShop, type Shop } from '../../../test/fixtures/shop.ts'

let shop: Shop
let call: Shop['call']
beforeEach(async () => {
  shop = await openShop()
  call = shop.call
  const rules = [{ action: { cart_value: { discount: { percentage_amount: '10' } } } }]
  await call('POST', '/promotions', { redemption_type: 'COUPON', name: 'Single', rules })
  await call('POST', '/promotions', { redemption_type: 'COUPON', name: 'Bulk', coupon_type: 'BULK', rules })
  await call('POST', '/promotions', { redemption_type: 'AUTOMATIC', name: 'Automatic', rules })
})

const create = (code: string, promotion = 1, fields: object = {}) =>
  call('POST', `/promotions/${promotion}/codes`, { code, ...fields })
const generate = (fields: object = {}, promotion = 2) =>
  call('POST', `/promotions/${promotion}/codegen`, { batch_size: 3, ...fields })
const codesOf = async (query = '', promotion = 2) =>
  (await call('GET', `/promotions/${promotion}/codes${query}`)).body.data.map(({ code }: { code: string }) => code)

describe('a code', () => {
  test('is answered whole, and found by its text in any case', async () => {
    const { status, body } = await create(' Summer 5 ', 1, { max_uses: 7 })
    const data = {
      id: 1,
      code: 'Summer 5',
      current_uses: 0,
      max_uses: 7,
      max_uses_per_customer: 0,
      created: expect.stringMatching(/Z$/),
    }
    expect([status, body]).toEqual([201, { data, meta: {} }])
    expect((await call('GET', '/promotions/codes?code=sUMMER%205')).body.data).toEqual([body.data])
    expect((await call('GET', '/promotions/codes?code=winter')).body.data).toEqual([])
    expect((await call('GET', '/promotions/codes')).status).toBe(422)
  })

  test('that differs only in case or blanks is a conflict, with another promotion too (U6)', async () => {
    await create('SUMMER')
    expect((await create('summer', 2)).status).toBe(409)
    expect((await create(' Summer ', 2)).status).toBe(409)
    expect((await create('summer2', 2)).status).toBe(201)
  })

  test.each([
    ['', 422],
    ['   ', 422],
    ['a'.repeat(50), 201],
    ['a'.repeat(51), 422],
    ['a.b', 422],
    ['a_b-c 1', 201],
  ])('"%s" is %i', async (code, status) => {
    expect((await create(code)).status).toBe(status)
  })

  test('has at most 100,000 uses', async () => {
    expect((await create('A', 1, { max_uses: 100_000, max_uses_per_customer: 0 })).status).toBe(201)
    expect((await create('B', 1, { max_uses: 100_001 })).body.errors).toHaveProperty('max_uses')
    expect((await create('C', 1, { max_uses_per_customer: -1 })).body.errors).toHaveProperty('max_uses_per_customer')
  })

  test('belongs to a coupon promotion', async () => {
    expect((await create('A', 3)).status).toBe(422)
    expect((await call('GET', '/promotions/3/codes')).body.data).toEqual([])
    expect((await create('A', 9)).status).toBe(404)
    expect((await call('GET', '/promotions/9/codes')).status).toBe(404)
  })

  test('is deleted by id, by ids and by text; unknown ones are 204', async () => {
    for (const code of ['A', 'B', 'C', 'D']) await create(code)
    await create('E', 2)
    expect((await call('DELETE', '/promotions/1/codes/1')).status).toBe(204)
    expect((await call('DELETE', '/promotions/1/codes/1')).status).toBe(204)
    expect((await call('DELETE', '/promotions/1/codes?id:in=2,5,77')).status).toBe(204)
    expect((await call('DELETE', '/promotions/codes?code=c')).status).toBe(204)
    expect((await call('DELETE', '/promotions/codes?code=c')).status).toBe(204)
    expect((await call('DELETE', '/promotions/codes')).status).toBe(422)
    expect([await codesOf('', 1), await codesOf()]).toEqual([['D'], ['E']])
    expect((await call('DELETE', '/promotions/1/codes')).status).toBe(422)
    expect(
      (await call('DELETE', `/promotions/1/codes?id:in=${Array.from({ length: 251 }, (_, i) => i + 1)}`)).status,
    ).toBe(413)
  })

  test('can be created once by many at the same time (C-017)', async () => {
    for (let round = 0; round < 20; round++) {
      const code = `Race ${round}`
      const answers = await Promise.all([create(code), create(code.toUpperCase(), 2), create(` ${code.toLowerCase()}`)])
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409])
    }
  })
})

describe('the list of codes', () => {
  beforeEach(async () => {
    for (const code of ['A', 'B', 'C']) await create(code, 2)
    await create('D')
  })

  test('has pages and cursors if the query asks for neither', async () => {
    const { data, meta } = (await call('GET', '/promotions/2/codes?limit=2')).body
    expect(data.map(({ code }: { code: string }) => code)).toEqual(['A', 'B'])
    expect(meta.pagination).toMatchObject({ total: 3, count: 2, current_page: 1 })
    expect(meta.cursor_pagination).toMatchObject({ count: 2, per_page: 2 })
    const next = (await call('GET', `/promotions/2/codes${meta.cursor_pagination.links.next}`)).body
    expect([next.data.map(({ code }: { code: string }) => code), Object.keys(next.meta)]).toEqual([
      ['C'],
      ['cursor_pagination'],
    ])
    const page = (await call('GET', '/promotions/2/codes?page=2&limit=2')).body
    expect([page.data, Object.keys(page.meta)]).toEqual([next.data, ['pagination']])
    const both = (await call('GET', `/promotions/2/codes?page=5&after=${meta.cursor_pagination.end_cursor}`)).body
    expect([both.data, Object.keys(both.meta)]).toEqual([next.data, ['cursor_pagination']])
    const { start_cursor, end_cursor } = meta.cursor_pagination
    expect((await call('GET', `/promotions/2/codes?before=${end_cursor}&after=${start_cursor}`)).status).toBe(422)
  })

  test('is filtered by a whole code', async () => {
    expect(await codesOf('?code=b')).toEqual(['B'])
    expect((await call('GET', '/promotions/2/codes?limit=251')).status).toBe(413)
  })
})

describe('generated codes', () => {
  test('have their affixes, and are answered without ids (M20)', async () => {
    const { status, body } = await generate({ prefix: 'VIP', delimiter: '-', code_length: 8, suffix: 'X' })
    expect([status, body]).toEqual([
      201,
      {
        data: {
          created: expect.stringMatching(/Z$/),
          max_uses: 1,
          max_uses_per_customer: 1,
          batch_size: 3,
          codes: Array.from({ length: 3 }, () => ({ code: expect.stringMatching(/^VIP-[A-Z0-9]{8}-X$/) })),
        },
        meta: {},
      },
    ])
    expect(body.data.codes[0].code).toHaveLength(14)
    expect(await codesOf()).toEqual(body.data.codes.map(({ code }: { code: string }) => code))
  })

  test('have 16 characters and no delimiter without affixes', async () => {
    const { codes } = (await generate({ delimiter: '-', batch_size: 250, exclude_characters: ['0', 'O'] })).body.data
    expect(codes).toHaveLength(250)
    expect(new Set(codes.map(({ code }: { code: string }) => code)).size).toBe(250)
    for (const { code } of codes) expect(code).toMatch(/^[A-NP-Z1-9]{16}$/)
  })

  test('skip codes that exist', async () => {
    const exclude_characters = [...'CDEFGHIJKLMNOPQRSTUVWXYZ0123456789']
    const form = { batch_size: 6, code_length: 6, exclude_characters }
    for (let batch = 0; batch < 8; batch++) expect((await generate(form)).status).toBe(201)
    const codes = await codesOf('?limit=100')
    expect([codes.length, new Set(codes).size]).toEqual([48, 48])
    const total = (await call('GET', '/promotions/2/codes')).body.meta.pagination.total
    expect(total).toBe(48)
  })

  test('are for BULK promotions only (U5)', async () => {
    expect((await generate({}, 1)).status).toBe(405)
    expect((await generate({}, 3)).status).toBe(405)
    expect((await generate({}, 9)).status).toBe(404)
  })

  test.each<[string, object, string]>([
    ['a batch of 251 (U5)', { batch_size: 251 }, 'batch_size'],
    ['a batch of 0', { batch_size: 0 }, 'batch_size'],
    ['5 characters', { code_length: 5 }, 'code_length'],
    ['17 characters', { code_length: 17 }, 'code_length'],
    ['a prefix in lower case', { prefix: 'vip' }, 'prefix'],
    ['a prefix of 21 characters', { prefix: 'A'.repeat(21) }, 'prefix'],
    ['a delimiter of two', { delimiter: '--' }, 'delimiter'],
    ['a prefix and suffix that leave no room', { prefix: 'A'.repeat(20), suffix: 'B'.repeat(20) }, 'code_length'],
    ['all characters excluded', { exclude_characters: ['ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'] }, 'exclude_characters'],
    [
      'too few codes possible',
      { code_length: 6, exclude_characters: [...'CDEFGHIJKLMNOPQRSTUVWXYZ0123456789'], batch_size: 7 },
      'exclude_characters',
    ],
    ['too many uses', { max_uses: 100_001 }, 'max_uses'],
  ])('are refused with %s', async (_, fields, field) => {
    const { status, body } = await generate(fields)
    expect([status, Object.keys(body.errors)]).toEqual([422, [field]])
  })
})
