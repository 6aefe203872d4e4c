import { beforeEach, describe, expect, test } from 'vitest'
import { onlyPage } from '../../../test/document/expected.ts'
import { openShop, type Shop, theHouse } from '../../../test/fixtures/shop.ts'

let shop: Shop
beforeEach(async () => {
  shop = await openShop()
})

const call = (method: string, query: string, body?: unknown) => shop.call(method, `/tax/properties${query}`, body)
const property = (code: string, type = 'CUSTOMER') => ({ code, display_name: `Name of ${code}`, type })
const create = (...properties: unknown[]) => call('POST', '', properties)
const codes = async (query = '') => (await call('GET', query)).body.data.map(({ code }: { code: string }) => code)

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)

describe('tax properties', () => {
  test('are created, listed, changed in part and deleted', async () => {
    const created = await create(property('USE'), { ...property('HS', 'PRODUCT'), description: 'Six digits' })
    const use = { ...property('USE'), id: 1, description: '', created_at: TIME, updated_at: TIME }
    const hs = { ...use, ...property('HS', 'PRODUCT'), id: 2, description: 'Six digits' }
    expect(created).toMatchObject({ status: 200, body: { data: [use, hs], meta: {} } })
    expect((await call('GET', '')).body).toEqual({ data: [use, hs], meta: { pagination: onlyPage(2) } })

    const { clock } = await theHouse()
    clock.move(60_000)
    const { body } = await call('PUT', '', [
      { id: 1, display_name: 'Use', type: 'PRODUCT' },
      { id: 2, code: 'HS' },
      { id: 1, code: 'ENTITY' },
    ])
    const renamed = { ...use, display_name: 'Use' }
    expect(body.data).toEqual([renamed, hs, { ...renamed, code: 'ENTITY' }])
    expect(body.data[0].updated_at).not.toBe(body.data[0].created_at)
    expect(body.data[1]).toEqual(created.body.data[1])
    expect(await call('DELETE', '?id:in=1,7')).toMatchObject({ status: 204, text: '' })
    expect(await codes()).toEqual(['HS'])
  })

  test('are filtered by id and type, in any case', async () => {
    await create(property('A'), property('B', 'PRODUCT'), property('C'))
    expect(await codes('?type:in=customer')).toEqual(['A', 'C'])
    expect(await codes('?type:in=Product,CUSTOMER&id:in=2,3')).toEqual(['B', 'C'])
    expect(await codes('?limit=1&page=2')).toEqual(['B'])
    for (const query of ['?id=1', '?code=A', '?id:in=x', '?page=0']) {
      expect((await call('GET', query)).status, query).toBe(400)
    }
    expect((await call('GET', '?limit=251')).status).toBe(413)
    for (const query of ['', '?id:in=', '?id:in=x', '?type:in=CUSTOMER']) {
      expect((await call('DELETE', query)).status, query).toBe(400)
    }
    expect(await codes()).toHaveLength(3)
  })

  test.each([
    ['no code', { ...property('A'), code: undefined }, 'code'],
    ['a blank code', property(' '), 'code'],
    ['a code of 256 characters', property('c'.repeat(256)), 'code'],
    ['no name', { ...property('A'), display_name: undefined }, 'display_name'],
    ['a name of 256 characters', { ...property('A'), display_name: 'n'.repeat(256) }, 'display_name'],
    ['no type', { ...property('A'), type: undefined }, 'type'],
    ['an unknown type', property('A', 'customer'), 'type'],
    ['a taken code', property('THERE'), 'code'],
  ])('are refused with 422 for %s', async (_, body, field) => {
    await create(property('THERE'))
    const refused = await create(property('B'), body)
    expect(refused).toMatchObject({ status: 422, body: { errors: { [`1.${field}`]: expect.any(String) } } })
    expect(await codes()).toEqual(['THERE'])
  })

  test('have codes that differ in case, and none twice in a batch', async () => {
    expect((await create(property('a'), property('A'))).status).toBe(200)
    expect((await create(property('B'), property('B'))).body.errors).toEqual({ '1.code': expect.any(String) })
    expect((await call('PUT', '', [{ id: 1, code: 'A' }])).body.errors).toEqual({ '0.code': expect.any(String) })
    expect((await call('PUT', '', [{ id: 9 }])).body.errors).toEqual({ '0.id': expect.any(String) })
  })

  test('are 1,000 of each type, and one more is 403', async () => {
    const many = (from: number, count: number, type?: string) =>
      create(...Array.from({ length: count }, (_, i) => property(`${type} ${from + i}`, type)))
    for (let from = 0; from < 900; from += 100) await many(from, 100)
    expect((await many(900, 101)).status).toBe(413)
    expect((await many(900, 100)).status).toBe(200)
    expect((await many(1_000, 1)).status).toBe(403)
    expect((await many(0, 1, 'PRODUCT')).status).toBe(200)
    expect((await create()).status).toBe(422)
  })
})

describe.each([
  ['customers', '/tax/customers', 'customer_id', 'CUSTOMER'],
  ['products', '/tax/products/properties', 'product_id', 'PRODUCT'],
])('the tax properties of %s', (noun, path, idField, type) => {
  const otherType = type === 'PRODUCT' ? 'CUSTOMER' : 'PRODUCT'

  beforeEach(async () => {
    await create(property('A', type), property('B', type), property('X', otherType))
    for (const name of ['One', 'Two']) {
      if (noun === 'products')
        await shop.call('POST', '/catalog/products', { name, type: 'physical', weight: 1, price: 1 })
      else await shop.call('POST', '/customers', [{ email: `${name}@x.test`, first_name: name, last_name: 'Lee' }])
    }
  })

  const put = (...entries: [id: number, values: object][]) =>
    shop.call(
      'PUT',
      path,
      entries.map(([id, tax_properties]) => ({ [idField]: id, tax_properties })),
    )
  const list = (query = `?${idField}:in=1,2`) => shop.call('GET', `${path}${query}`)
  const entry = (id: number, tax_properties: object) => ({ [idField]: id, tax_properties })

  test('are added to, overwritten and taken away, in the order of the body', async () => {
    const { status, body } = await put([2, { A: 'a' }], [1, { A: '1', B: '' }], [2, { B: 'b', A: null }])
    const stored = [entry(1, { A: '1', B: '' }), entry(2, { B: 'b' })]
    expect({ status, body }).toEqual({ status: 200, body: { data: [stored[1], stored[0], stored[1]], meta: {} } })
    expect((await list()).body).toMatchObject({ data: stored, meta: { pagination: { total: 2 } } })
    expect((await put([1, { B: 'x'.repeat(255) }])).body.data).toEqual([entry(1, { A: '1', B: 'x'.repeat(255) })])
    expect((await put([1, { A: null, B: null }])).body.data).toEqual([entry(1, {})])
    expect((await list()).body.data).toEqual([stored[1]])
    expect((await list(`?${idField}:in=2,1&limit=1&page=2`)).body.data).toEqual([])
  })

  test('follow a code that is renamed, and keep their property from being deleted', async () => {
    await put([1, { A: 'a' }])
    expect((await call('DELETE', '?id:in=2,1')).status).toBe(409)
    await call('PUT', '', [{ id: 1, code: 'NEW' }])
    expect((await list()).body.data).toEqual([entry(1, { NEW: 'a' })])
    expect((await shop.call('DELETE', `${path}?${idField}:in=1,9`)).status).toBe(204)
    expect((await list()).body.data).toEqual([])
    expect((await call('DELETE', '?id:in=2,1')).status).toBe(204)
  })

  test('are deleted with their owner', async () => {
    await put([1, { A: 'a' }], [2, { A: 'b' }])
    await shop.call('DELETE', noun === 'products' ? '/catalog/products/1' : '/customers?id:in=1')
    expect((await list()).body.data).toEqual([entry(2, { A: 'b' })])
  })

  test.each([
    ['an unknown code', [1, { C: 'x' }], 'tax_properties.C'],
    ['a code of the other type', [1, { X: 'x' }], 'tax_properties.X'],
    ['an unknown owner', [9, { A: 'x' }], idField],
    ['a number', [1, { A: 5 }], 'tax_properties.A'],
    ['a text of 256 characters', [1, { A: 'x'.repeat(256) }], 'tax_properties.A'],
  ] as const)('are refused with 422 for %s', async (_, given, field) => {
    const refused = await put([2, { A: 'kept out' }], [...given])
    expect(refused).toMatchObject({ status: 422, body: { errors: { [`1.${field}`]: expect.any(String) } } })
    expect((await list()).body.data).toEqual([])
  })

  test('need a filter where the contract asks for one: V2', async () => {
    expect((await list('')).status).toBe(noun === 'products' ? 400 : 200)
    for (const query of ['', `?${idField}:in=`, `?${idField}:in=x`, '?nam=x']) {
      expect((await shop.call('DELETE', `${path}${query}`)).status, query).toBe(400)
    }
    expect((await list(`?${idField}:in=1&name=x`)).status).toBe(400)
    expect((await put()).status).toBe(422)
    expect((await put(...Array(101).fill([1, {}]))).status).toBe(413)
    expect((await put(...Array(100).fill([1, {}]))).status).toBe(200)
  })
})
