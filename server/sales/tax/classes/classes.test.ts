import { beforeEach, describe, expect, test } from 'vitest'
import { openShop, type Shop, theHouse } from '../../../test/fixtures/shop.ts'
import { createTaxClassesUpTo } from '../../../test/fixtures/tax.ts'
import { dbOf } from '../../../test/fixtures/webhooks.ts'
import { taxTables } from '../calculation/tables.ts'
import { setCostClasses } from './cost-classes.ts'

let shop: Shop
beforeEach(async () => {
  shop = await openShop()
})

const call = (method: string, query: string, body?: unknown) => shop.call(method, `/tax/classes${query}`, body)
const create = (...names: unknown[]) =>
  call(
    'POST',
    '',
    names.map((name) => ({ name })),
  )
const v2 = (path: string) => shop.call('GET', `/tax_classes${path}`, undefined, { version: 'v2' })
const names = async () => (await v2('')).body.map(({ id, name }: { id: string; name: string }) => `${id} ${name}`)

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
const first = ['1 Non-Taxable Products', '2 Shipping', '3 Gift Wrapping']
const refusal = (status: number, errors: unknown = expect.anything()) => ({
  status,
  body: { errors: [{ status, title: expect.any(String), type: expect.any(String), errors }], meta: {} },
})

describe('tax classes', () => {
  test('are three in a new store, and the older family reads them', async () => {
    expect(await names()).toEqual(first)
    const shipping = { id: '2', name: 'Shipping', created_at: TIME, updated_at: TIME }
    expect(await v2('/2')).toMatchObject({ status: 200, body: shipping })
    expect(await v2('/0')).toMatchObject({ status: 404 })
    expect(await v2('/4')).toMatchObject({ status: 404 })
    expect((await v2('?page=2&limit=2')).body).toHaveLength(1)
    expect(await v2('?page=2')).toMatchObject({ status: 204 })
    expect(await v2('?limit=251')).toMatchObject({ status: 413 })
    expect((await shop.call('GET', '/tax/classes')).status).toBe(405)
  })

  test('are created, renamed and deleted in a batch, and answered in the order of the body', async () => {
    const created = await create('Books', 'Food')
    expect(created).toMatchObject({ status: 200, body: { meta: {} } })
    const books = { id: 4, name: 'Books', created_at: TIME, updated_at: TIME }
    expect(created.body.data).toEqual([books, { ...books, id: 5, name: 'Food' }])

    const { clock } = await theHouse()
    clock.move(60_000)
    const renamed = await call('PUT', '', [
      { id: 5, name: 'Meals' },
      { id: 1, name: 'Exempt' },
      { id: 4, name: 'Books' },
    ])
    expect(renamed.body.data.map(({ id, name }: { id: number; name: string }) => [id, name])).toEqual([
      [5, 'Meals'],
      [1, 'Exempt'],
      [4, 'Books'],
    ])
    expect(renamed.body.data[0].updated_at).not.toBe(renamed.body.data[0].created_at)
    expect(renamed.body.data[2]).toEqual(created.body.data[0])

    expect(await call('DELETE', '?id:in=4,5')).toMatchObject({ status: 204, text: '' })
    expect(await names()).toEqual(['1 Exempt', ...first.slice(1)])
    expect((await create('Books')).body.data[0].id).toBe(6)
  })

  test('have names that are unique without case: V1', async () => {
    expect(await create('A', 'a')).toMatchObject(refusal(422, { '1.name': expect.any(String) }))
    expect(await create('New', 'SHIPPING ')).toMatchObject(refusal(409, { '1.name': expect.any(String) }))
    expect(await create('default tax class')).toMatchObject(refusal(409))
    expect(await call('PUT', '', [{ id: 2, name: 'gift wrapping' }])).toMatchObject(refusal(409))
    expect((await call('PUT', '', [{ id: 2, name: 'SHIPPING' }])).body.data[0].name).toBe('SHIPPING')
    const many = Array.from({ length: 51 }, (_, i) => `Class ${i}`)
    expect(await create(...many)).toMatchObject(refusal(413))
    expect(await names()).toEqual(['1 Non-Taxable Products', '2 SHIPPING', '3 Gift Wrapping'])
    expect((await create(...many.slice(1))).status).toBe(200)
  })

  test.each([
    ['a blank name', [{ name: ' ' }], '0.name'],
    ['an empty name', [{ name: '' }], '0.name'],
    ['a name of 101 characters', [{ name: 'n'.repeat(101) }], '0.name'],
    ...[...'<>{}();|`'].map(
      (character) => [`a name with ${character}`, [{ name: `a${character}b` }], '0.name'] as const,
    ),
    ['no name', [{}], '0.name'],
    ['a number', [{ name: 5 }], '0.name'],
    ['an unknown field', [{ name: 'Books', colour: 'red' }], '0.colour'],
    ['an object', { name: 'Books' }, ''],
    ['an empty list', [], ''],
  ] as const)('are refused with 422 for %s', async (_, body, field) => {
    expect(await call('POST', '', body)).toMatchObject(refusal(422, { [field]: expect.any(String) }))
    expect(await names()).toEqual(first)
  })

  test('of 100 characters are stored', async () => {
    expect((await create('n'.repeat(100))).status).toBe(200)
  })

  test('are renamed all or not at all', async () => {
    const good = { id: 2, name: 'Delivery' }
    expect(await call('PUT', '', [good, { id: 9, name: 'Nine' }])).toMatchObject(
      refusal(400, { '1.id': expect.anything() }),
    )
    expect(await call('PUT', '', [good, { id: 2, name: 'Two' }])).toMatchObject(
      refusal(422, { '1.id': expect.anything() }),
    )
    expect(await call('PUT', '', [good, { id: 3 }])).toMatchObject(refusal(422, { '1.name': 'error.path.missing' }))
    expect(await names()).toEqual(first)
  })

  test.each([
    ['', 404],
    ['?id:in=', 404],
    ['?id:in=four', 422],
    ['?id:in=4&name=x', 422],
    ['?id:in=1', 400],
    ['?id:in=4,9', 400],
    ['?id:in=0', 400],
    [`?id:in=${Array.from({ length: 51 }, (_, i) => i + 1)}`, 413],
  ])('are not deleted by DELETE %s: %d (V2)', async (query, status) => {
    await create('Books')
    expect(await call('DELETE', query)).toMatchObject({
      ...refusal(status),
      headers: { 'content-type': expect.stringContaining('application/problem+json') },
    })
    expect(await names()).toHaveLength(4)
  })

  test('have ids up to 255, which are never given twice', async () => {
    await createTaxClassesUpTo(shop, 253)
    expect(await create('254', '255', '256')).toMatchObject(refusal(403))
    expect((await create('254', '255')).body.data.map(({ id }: { id: number }) => id)).toEqual([254, 255])
    await call('DELETE', '?id:in=4')
    expect(await create('256')).toMatchObject(refusal(403))
  })

  test('that are deleted leave their rates, and their products are of the default class', async () => {
    await create('Books', 'Food')
    const class_rates = [4, 0, 5].map((tax_class_id) => ({ rate: 7, tax_class_id }))
    await shop.call('POST', '/tax/rates', [{ name: 'State', tax_zone_id: 1, class_rates }])
    const product = { name: 'Atlas', type: 'physical', weight: 1, price: 9, tax_class_id: 4 }
    await shop.call('POST', '/catalog/products', product)
    await shop.call('POST', '/catalog/products', { ...product, name: 'Apple', tax_class_id: 5 })
    expect((await call('DELETE', '?id:in=4')).status).toBe(204)
    const classOf = async (id: number) => (await shop.call('GET', `/catalog/products/${id}`)).body.data.tax_class_id
    expect([await classOf(1), await classOf(2)]).toEqual([0, 5])
    const [rate] = (await shop.call('GET', '/tax/rates')).body.data
    expect(rate.class_rates).toEqual(class_rates.slice(1))
  })

  test('that are deleted give their costs back to the first classes', async () => {
    await create('Freight', 'Paper')
    const db = await dbOf(shop)
    await setCostClasses(db, { shipping: 4, wrapping: 5, handling: 0 })
    const tables = async () => (await taxTables(db)).costClasses
    expect(await tables()).toEqual({ shipping: 4, wrapping: 5, handling: 0 })
    await shop.call('PUT', '/tax/settings', { rounding_strategy: 'NO_ROUNDING' })
    await call('DELETE', '?id:in=4')
    expect(await tables()).toEqual({ shipping: 2, wrapping: 5, handling: 0 })
    expect((await shop.call('GET', '/tax/settings')).body.data).not.toHaveProperty('cost_classes')
  })

  test('are looked for when a product names one: 409', async () => {
    const product = { name: 'Atlas', type: 'physical', weight: 1, price: 9 }
    const call = (method: string, path: string, body: unknown) => shop.call(method, `/catalog/products${path}`, body)
    const missing = (field: string) => ({
      status: 409,
      body: { errors: { [field]: 'The tax class 4 does not exist.' } },
    })
    expect(await call('POST', '', { ...product, tax_class_id: 4 })).toMatchObject(missing('tax_class_id'))
    expect(await call('POST', '', [product, { ...product, name: 'Map', tax_class_id: 4 }])).toMatchObject(
      missing('1.tax_class_id'),
    )
    expect((await call('POST', '', { ...product, tax_class_id: 3 })).status).toBe(200)
    expect(await call('PUT', '/1', { tax_class_id: 4 })).toMatchObject(missing('tax_class_id'))
    expect(await call('PUT', '', [{ id: 1, tax_class_id: 4 }])).toMatchObject(missing('0.tax_class_id'))
    await create('Books')
    expect((await call('PUT', '/1', { tax_class_id: 4 })).body.data.tax_class_id).toBe(4)
    expect((await call('PUT', '/1', { tax_class_id: 0 })).body.data.tax_class_id).toBe(0)
  })
})
