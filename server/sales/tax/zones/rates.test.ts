import { beforeEach, describe, expect, test } from 'vitest'
import { onlyPage } from '../../../test/document/expected.ts'
import { openShop, type Shop } from '../../../test/fixtures/shop.ts'
import { createTaxClassesUpTo } from '../../../test/fixtures/tax.ts'

let shop: Shop
beforeEach(async () => {
  shop = await openShop()
})

const call = (method: string, query: string, body?: unknown) => shop.call(method, `/tax/rates${query}`, body)
const state = { name: 'State', tax_zone_id: 1, class_rates: [{ rate: 6.25, tax_class_id: 0 }] }
const create = (...rates: unknown[]) => call('POST', '', rates)
const ids = async (query = '') => (await call('GET', query)).body.data.map(({ id }: { id: number }) => id)

describe('tax rates', () => {
  test('are created with their defaults, listed in pages and deleted', async () => {
    const city = { ...state, name: 'City', enabled: false, priority: 10 }
    const created = await create(state, city)
    expect(created).toMatchObject({ status: 200, body: { meta: {} } })
    const stored = [
      { id: 1, ...state, enabled: true, priority: 1 },
      { id: 2, ...city },
    ]
    expect(created.body.data).toEqual(stored)
    expect((await call('GET', '')).body).toEqual({ data: stored, meta: { pagination: onlyPage(2) } })
    expect(await call('DELETE', '?id:in=1,9')).toMatchObject({ status: 204, text: '' })
    expect(await ids()).toEqual([2])
  })

  test('are filtered by id and zone, and by nothing else', async () => {
    const us = { name: 'US', shopper_target_settings: { locations: [{ country_code: 'US' }] } }
    await shop.call('POST', '/tax/zones', [us])
    await create(state, { ...state, tax_zone_id: 2 }, state)
    expect(await ids('?tax_zone_id:in=2')).toEqual([2])
    expect(await ids('?tax_zone_id:in=1,2&id:in=2,3')).toEqual([2, 3])
    expect(await ids('?limit=1&page=2')).toEqual([2])
    for (const query of ['?name=State', '?id=1', '?id:in=x']) expect((await call('GET', query)).status, query).toBe(422)
    for (const query of ['', '?id:in=', '?tax_zone_id:in=1']) {
      expect((await call('DELETE', query)).status, query).toBe(422)
    }
    expect(await ids()).toEqual([1, 2, 3])
  })

  test('are changed in part, and their percentages class by class: V3', async () => {
    const two = [
      { rate: 7, tax_class_id: 0 },
      { rate: 5.5, tax_class_id: 2 },
    ]
    await create({ ...state, class_rates: two })
    const { body } = await call('PUT', '', [
      { id: 1, class_rates: [{ rate: 8, tax_class_id: 2 }], priority: 3 },
      { id: 1, class_rates: [{ rate: '1.23456', tax_class_id: 3 }], name: 'County' },
    ])
    const one = { id: 1, ...state, enabled: true, priority: 3, class_rates: [two[0], { rate: 8, tax_class_id: 2 }] }
    const other = { ...one, name: 'County', class_rates: [...one.class_rates, { rate: 1.2346, tax_class_id: 3 }] }
    expect(body.data).toEqual([one, other])
    expect((await call('GET', '')).body.data).toEqual([other])
  })

  test.each([
    ['no name', { ...state, name: undefined }, '0.name'],
    ['a blank name', { ...state, name: ' ' }, '0.name'],
    ['a name of 256 characters', { ...state, name: 'n'.repeat(256) }, '0.name'],
    ['no zone', { ...state, tax_zone_id: undefined }, '0.tax_zone_id'],
    ['an unknown zone', { ...state, tax_zone_id: 2 }, '0.tax_zone_id'],
    ['no class rates', { ...state, class_rates: undefined }, '0.class_rates'],
    ['an unknown class', { ...state, class_rates: [{ rate: 1, tax_class_id: 4 }] }, '0.class_rates.0.tax_class_id'],
    ['a class past 255', { ...state, class_rates: [{ rate: 1, tax_class_id: 256 }] }, '0.class_rates.0.tax_class_id'],
    [
      'a class twice',
      { ...state, class_rates: [...state.class_rates, ...state.class_rates] },
      '0.class_rates.1.tax_class_id',
    ],
    ['a negative rate', { ...state, class_rates: [{ rate: -0.0001, tax_class_id: 0 }] }, '0.class_rates.0.rate'],
    ['a rate over 100', { ...state, class_rates: [{ rate: 100.0001, tax_class_id: 0 }] }, '0.class_rates.0.rate'],
    ['a rate that is no number', { ...state, class_rates: [{ rate: 'NaN', tax_class_id: 0 }] }, '0.class_rates.0.rate'],
    ['no rate', { ...state, class_rates: [{ tax_class_id: 0 }] }, '0.class_rates.0.rate'],
    ['priority 0', { ...state, priority: 0 }, '0.priority'],
    ['priority 11', { ...state, priority: 11 }, '0.priority'],
    ['null', { ...state, enabled: null }, '0.enabled'],
  ])('are refused with 422 for %s', async (_, body, field) => {
    expect(await create(body)).toMatchObject({ status: 422, body: { errors: { [field]: expect.any(String) } } })
  })

  test('are stored all or not at all', async () => {
    await create(state)
    expect((await create(state, { ...state, tax_zone_id: 9 })).body.errors).toEqual({
      '1.tax_zone_id': expect.any(String),
    })
    expect((await call('PUT', '', [{ id: 1, name: 'Other' }, { id: 2 }])).body.errors).toEqual({
      '1.id': expect.any(String),
    })
    expect((await call('GET', '')).body.data).toMatchObject([{ name: 'State' }])
    expect((await create()).status).toBe(422)
    expect((await create(...Array(101).fill(state))).status).toBe(413)
    const bounds = [0, 100].map((rate, tax_class_id) => ({ rate, tax_class_id }))
    expect((await create({ ...state, class_rates: bounds })).body.data[0].class_rates).toEqual(bounds)
    expect((await create({ ...state, class_rates: [] })).body.data[0].class_rates).toEqual([])
  })

  test('are 5,000 in a store, and one more is 403', async () => {
    for (let i = 0; i < 49; i++) await create(...Array(100).fill(state))
    expect((await create(...Array(100).fill(state))).status).toBe(200)
    expect((await create(state)).status).toBe(403)
    await call('DELETE', '?id:in=1')
    expect((await create(state)).body.data[0].id).toBe(5_001)
  })

  test('have 50,000 percentages in a store, and one more is 403', async () => {
    await createTaxClassesUpTo(shop, 253)
    const class_rates = Array.from({ length: 250 }, (_, tax_class_id) => ({ rate: 1, tax_class_id }))
    for (let i = 0; i < 2; i++) expect((await create(...Array(100).fill({ ...state, class_rates }))).status).toBe(200)
    expect((await create(state)).status).toBe(403)
    const more = [{ rate: 2, tax_class_id: 250 }]
    expect((await call('PUT', '', [{ id: 1, class_rates: more }])).status).toBe(403)
  })
})
