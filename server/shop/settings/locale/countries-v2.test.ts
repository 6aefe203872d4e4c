import { beforeAll, describe, expect, test } from 'vitest'
import { openStaffedShop, type StaffedShop } from '../../../test/fixtures/shop.ts'

let shop: StaffedShop
beforeAll(async () => {
  shop = await openStaffedShop()
})

const call: StaffedShop['call'] = (method, path, body, options) =>
  shop.call(method, path, body, { version: 'v2', ...options })
const get = (path: string) => call('GET', path)

const unitedStates = () => ({
  id: 226,
  country: 'United States',
  country_iso2: 'US',
  country_iso3: 'USA',
  states: {
    url: `http://shop.test/stores/${shop.store.hash}/v2/countries/226/states`,
    resource: '/countries/226/states',
  },
})
const alabama = { id: 1, state: 'Alabama', state_abbreviation: 'AL', country_id: 226 }

describe('countries', () => {
  test('are answered whole, alone and in the list', async () => {
    expect(await get('/countries/226')).toMatchObject({ status: 200, body: unitedStates() })
    expect((await get('/countries?country_iso2=US')).body).toEqual([unitedStates()])
    expect((await get('/countries/226.json')).body).toEqual(unitedStates())
  })

  test('come by number, 50 a page', async () => {
    const first = await get('/countries')
    expect(first.body.length).toBe(50)
    expect(first.body[0]).toMatchObject({ id: 1, country: 'Afghanistan' })
    const second = await get('/countries?page=2&limit=2')
    expect(second.body).toMatchObject([{ id: 3 }, { id: 4 }])
    const all = await get('/countries?limit=250')
    expect(all.body.map(({ id }: { id: number }) => id)).toEqual(Array.from({ length: 249 }, (_, i) => i + 1))
    expect((await get('/countries?limit=251')).status).toBe(413)
    expect((await get('/countries?limit=0')).status).toBe(400)
    expect((await get('/countries?page=6')).status).toBe(204)
  })

  test.each([
    ['country=australia', [13]],
    ['country_iso2=au', [13]],
    ['country_iso3=Aus', [13]],
    ['country=Australia&country_iso2=AU', [13]],
    ['unknown=1&country=Albania', [2]],
  ])('are found by %s', async (query, ids) => {
    expect((await get(`/countries?${query}`)).body.map(({ id }: { id: number }) => id)).toEqual(ids)
  })

  test.each(['country=Austral', 'country=Australia&country_iso2=US', 'country_iso2=USA'])(
    'without a match for %s are 204',
    async (query) => {
      expect((await get(`/countries?${query}`)).status).toBe(204)
    },
  )

  test('are counted', async () => {
    expect((await get('/countries/count')).body).toEqual({ count: 249 })
  })

  test.each([0, 250, 2_147_483_648])('%i is unknown', async (id) => {
    expect((await get(`/countries/${id}`)).status).toBe(404)
    expect((await get(`/countries/${id}/states`)).status).toBe(404)
    expect((await get(`/countries/${id}/states/count`)).status).toBe(404)
  })

  test('can only be read', async () => {
    expect((await call('HEAD', '/countries')).status).toBe(200)
    for (const method of ['POST', 'PUT', 'DELETE']) {
      expect((await call(method, '/countries', method === 'DELETE' ? undefined : {})).status).toBe(405)
    }
  })

  test('need a scope of information', async () => {
    expect((await call('GET', '/countries', undefined, { as: shop.noscope })).status).toBe(403)
    expect((await call('GET', '/countries', undefined, { as: shop.readonly })).status).toBe(200)
  })
})

describe('states', () => {
  test('are answered whole, alone and in the list', async () => {
    expect(await get('/countries/226/states/1')).toMatchObject({ status: 200, body: alabama })
    const { body } = await get('/countries/226/states?limit=250')
    expect([body[0], body.length]).toEqual([alabama, 62])
    expect((await get('/countries/13/states')).body[0]).toMatchObject({ id: 208, state_abbreviation: 'ACT' })
    expect((await get('/countries/13/states?page=2&limit=3')).body).toMatchObject([
      { id: 211 },
      { id: 212 },
      { id: 213 },
    ])
  })

  test.each([
    ['state=new york', ['NY']],
    ['state_abbreviation=ny', ['NY']],
    ['state=New York&state_abbreviation=NY', ['NY']],
  ])('are found by %s', async (query, codes) => {
    const { body } = await get(`/countries/226/states?${query}`)
    expect(body.map((state: { state_abbreviation: string }) => state.state_abbreviation)).toEqual(codes)
  })

  test('of a country that has none, or without a match, are 204', async () => {
    expect((await get('/countries/1/states')).status).toBe(204)
    expect((await get('/countries/226/states?state=Quebec')).status).toBe(204)
    expect((await get('/countries/1/states/count')).body).toEqual({ count: 0 })
  })

  test('of another country are 404', async () => {
    expect((await get('/countries/226/states/208')).status).toBe(404)
    expect((await get('/countries/226/states/737')).status).toBe(404)
  })

  test('of all countries are listed and counted, though the path looks like a country', async () => {
    const { body } = await get('/countries/states?limit=2')
    expect(body).toMatchObject([alabama, { id: 2, state: 'Alaska' }])
    expect((await get('/countries/states?page=4&limit=245')).body[0]).toMatchObject({ id: 736, country_id: 197 })
    expect((await get('/countries/states/count')).body).toEqual({ count: 736 })
    expect((await get('/countries/226/states/count')).body).toEqual({ count: 62 })
  })
})
