import { beforeAll, describe, expect, test } from 'vitest'
import { ask, enableCompanion, makeCompany, refused } from '../../../test/fixtures/companion.ts'
import { openShop, type Shop } from '../../../test/fixtures/shop.ts'
import { rowsOf } from '../../../test/fixtures/webhooks.ts'

// docs/contract/b2b-addresses.md.

const ADDRESSES = '/v3/io/addresses'
let shop: Shop
let company: number
beforeAll(async () => {
  shop = await openShop()
  await enableCompanion(shop)
  company = (await makeCompany(shop, 'Acme')).companyId
})

const body = (more: object = {}) => ({
  firstName: 'Ann',
  lastName: 'Lee',
  addressLine1: '12 Harbour Street',
  city: 'Sydney',
  countryCode: 'AU',
  stateCode: 'NSW',
  companyId: company,
  ...more,
})
const make = async (more: object = {}) => (await ask(shop, 'POST', ADDRESSES, body(more))).body.data.addressId
const read = async (id: number) => (await ask(shop, 'GET', `${ADDRESSES}/${id}`)).body.data
const change = (id: number, more: object) => ask(shop, 'PUT', `${ADDRESSES}/${id}`, more)
const errors = async (more: object) => {
  const answer = await ask(shop, 'POST', ADDRESSES, body(more))
  expect(answer.status).toBe(422)
  return answer.body.data.errMsg
}

test('an address is created, read, changed and deleted, each with an event', async () => {
  const heard = (await rowsOf(shop, 'events')).length
  const made = await ask(
    shop,
    'POST',
    ADDRESSES,
    body({
      phone: '555',
      zipCode: '2000',
      addressLine2: 'Floor 1',
      isBilling: true,
      label: 'Office',
      externalId: 'e1',
    }),
  )
  const { addressId } = made.body.data
  expect(made.body).toEqual({ code: 200, data: { addressId }, meta: { message: 'Success' } })
  const { createdAt, updatedAt, ...rest } = await read(addressId)
  expect(rest).toEqual({
    addressId,
    firstName: 'Ann',
    lastName: 'Lee',
    phoneNumber: '555',
    zipCode: '2000',
    addressLine1: '12 Harbour Street',
    addressLine2: 'Floor 1',
    city: 'Sydney',
    stateName: 'New South Wales',
    countryName: 'Australia',
    stateCode: 'NSW',
    countryCode: 'AU',
    companyId: company,
    isBilling: true,
    isShipping: false,
    isDefaultBilling: false,
    isDefaultShipping: false,
    label: 'Office',
    externalId: 'e1',
    extraFields: [],
  })
  expect([Number.isInteger(createdAt), updatedAt]).toEqual([true, createdAt])
  expect((await change(addressId, { city: 'Newcastle', companyId: 999 })).body.data).toEqual({ addressId })
  expect(await read(addressId)).toMatchObject({ city: 'Newcastle', companyId: company, zipCode: '2000' })
  await change(addressId, { city: 'Newcastle' })
  expect((await ask(shop, 'DELETE', `${ADDRESSES}/${addressId}`)).body).toEqual({
    code: 200,
    data: { addressId },
    meta: { message: 'Success' },
  })
  for (const method of ['GET', 'DELETE']) {
    expect((await ask(shop, method, `${ADDRESSES}/${addressId}`)).body).toEqual(
      refused(404, 'Not Found Error', `The address ${addressId} does not exist.`),
    )
  }
  const events = (await rowsOf(shop, 'events')).slice(heard)
  expect(events.map(({ scope }) => scope)).toEqual([
    'store/company/address/created',
    'store/company/address/updated',
    'store/company/address/deleted',
  ])
})

describe('the country and the state', () => {
  test.each([
    [{ countryCode: undefined, country: 'Australia', stateCode: undefined, stateName: 'victoria' }, ['AU', 'VIC']],
    [{ countryName: 'Australia', stateName: 'New South Wales' }, ['AU', 'NSW']],
    [{ countryCode: 'dk', stateCode: undefined, stateName: 'Anything' }, ['DK', '']],
  ])('of %j are completed', async (more, codes) => {
    const { countryCode, stateCode } = await read(await make(more))
    expect([countryCode, stateCode]).toEqual(codes)
  })

  test.each([
    [{ countryCode: undefined }, 'country_name'],
    [{ countryCode: 'XX' }, 'country_code'],
    [{ countryCode: undefined, countryName: 'Atlantis' }, 'country_name'],
    [{ countryName: 'Denmark' }, 'country_name'],
    [{ stateCode: undefined }, 'state_name'],
    [{ stateCode: 'TX' }, 'state_code'],
    [{ stateCode: undefined, stateName: 'Texas' }, 'state_name'],
    [{ stateName: 'Victoria' }, 'state_name'],
  ])('of %j are refused under %s', async (more, field) => {
    expect(Object.keys(await errors(more))).toEqual([field])
  })

  test('change together: a country by its code, with a state if it has a list of them', async () => {
    const id = await make()
    const fields = async (more: object) => Object.keys((await change(id, more)).body.data.errMsg)
    expect(await fields({ countryName: 'Denmark' })).toEqual(['country_name'])
    expect(await fields({ countryCode: 'US' })).toEqual(['state_name'])
    expect(await fields({ stateCode: 'TX' })).toEqual(['state_code'])
    await change(id, { stateCode: 'VIC' })
    expect(await read(id)).toMatchObject({ stateName: 'Victoria', countryCode: 'AU' })
    await change(id, { countryCode: 'DK' })
    expect(await read(id)).toMatchObject({ countryName: 'Denmark', stateName: '', stateCode: '' })
  })

  test.each([
    ['countries?q=Australia', { countryCode: 'AU', countryName: 'Australia' }],
    ['countries?q=au&searchType=1', { countryCode: 'AU', countryName: 'Australia' }],
    ['states?q=texas', { stateCode: 'TX', stateName: 'Texas' }],
    ['states?q=vic&searchType=1&country=Australia', { stateCode: 'VIC', stateName: 'Victoria' }],
  ])('are found by %s', async (path, hit) => {
    expect((await ask(shop, 'GET', `/v3/io/${path}`)).body).toEqual({
      code: 200,
      data: hit,
      meta: { message: 'Success' },
    })
  })

  test.each([
    ['countries?q=AU', 404],
    ['countries?q=XX&searchType=1', 404],
    ['states?q=Bavaria&country=Denmark', 404],
    ['states?q=Texas&country=Atlantis', 404],
    ['states?q=Texas&searchType=2', 422],
    ['countries', 422],
  ])('are not found by %s', async (path, status) => {
    expect((await ask(shop, 'GET', `/v3/io/${path}`)).status).toBe(status)
  })
})

test('a company has one default of each kind, the last one', async () => {
  const { companyId } = await makeCompany(shop, 'Defaults')
  const defaults = { companyId, isBilling: true, isDefaultBilling: true }
  const first = await make({ ...defaults, isShipping: true, isDefaultShipping: true })
  const second = await make(defaults)
  const flags = async (id: number) => {
    const { isDefaultBilling, isDefaultShipping } = await read(id)
    return [isDefaultBilling, isDefaultShipping]
  }
  expect([await flags(first), await flags(second)]).toEqual([
    [false, true],
    [true, false],
  ])
  await change(first, { isBilling: true, isDefaultBilling: true })
  expect([await flags(first), await flags(second)]).toEqual([
    [true, true],
    [false, false],
  ])
  expect(await errors({ isDefaultBilling: true })).toHaveProperty('is_default_billing')
  expect(await errors({ isDefaultShipping: true, isBilling: true })).toHaveProperty('is_default_shipping')
  expect((await change(second, { isDefaultShipping: true })).status).toBe(422)
  const { body: bulk } = await ask(shop, 'POST', `${ADDRESSES}/bulk`, [body(defaults), body(defaults)])
  expect(bulk.data.map((one: { isDefaultBilling: boolean }) => one.isDefaultBilling)).toEqual([false, true])
  expect(await flags(first)).toEqual([false, true])
})

test('a request creates up to 10 addresses, or none', async () => {
  const { body: made } = await ask(shop, 'POST', `${ADDRESSES}/bulk`, [
    body(),
    body({ city: 'Perth', stateCode: 'WA' }),
  ])
  expect(made.data.map(({ city }: { city: string }) => city)).toEqual(['Sydney', 'Perth'])
  const total = async () => (await ask(shop, 'GET', ADDRESSES)).body.meta.pagination.totalCount
  const before = await total()
  const wrong = await ask(shop, 'POST', `${ADDRESSES}/bulk`, [
    body(),
    { ...body(), city: undefined },
    body({ stateCode: 'TX' }),
  ])
  expect([wrong.status, wrong.body.data.errMsg]).toEqual([
    422,
    [{}, { city: ['This field is required'] }, { state_code: ['The country has no such state.'] }],
  ])
  const unknown = await ask(shop, 'POST', `${ADDRESSES}/bulk`, [body(), body({ companyId: 999_999 })])
  expect(unknown.body.data.errMsg).toEqual({ company_id: ['The company 999999 does not exist.'] })
  expect(await total()).toBe(before)
  const many = Array.from({ length: 11 }, () => body())
  expect((await ask(shop, 'POST', `${ADDRESSES}/bulk`, many)).status).toBe(413)
  expect((await ask(shop, 'POST', `${ADDRESSES}/bulk`, many.slice(1))).status).toBe(200)
})

test('missing and long fields are refused, and unknown extra fields', async () => {
  const { firstName: _, ...rest } = body()
  expect((await ask(shop, 'POST', ADDRESSES, rest)).body.data.errMsg).toEqual({ firstName: ['This field is required'] })
  expect(await errors({ companyId: 999_999 })).toEqual({ company_id: ['The company 999999 does not exist.'] })
  for (const [field, value] of [
    ['firstName', 'x'.repeat(256)],
    ['city', 'x'.repeat(101)],
    ['zipCode', 'x'.repeat(51)],
    ['label', 'x'.repeat(256)],
    ['isBilling', 'yes'],
  ] as const) {
    expect(Object.keys(await errors({ [field]: value }))).toEqual([field])
  }
  expect(await errors({ extraFields: [{ fieldName: 'a', fieldValue: 'b' }] })).toHaveProperty('extraFields')
})

test('the addresses of a deleted company are deleted', async () => {
  const { companyId } = await makeCompany(shop, 'Gone')
  const id = await make({ companyId })
  await ask(shop, 'DELETE', `/v3/io/companies/${companyId}`)
  expect((await ask(shop, 'GET', `${ADDRESSES}/${id}`)).status).toBe(404)
})

describe('the list of addresses', () => {
  let filled: Shop
  beforeAll(async () => {
    filled = await openShop()
    await enableCompanion(filled)
    const [one, two] = [await makeCompany(filled, 'Acme'), await makeCompany(filled, 'Beta')]
    const all = [
      { companyId: one.companyId, isBilling: true, zipCode: '2000', externalId: 'a' },
      { companyId: one.companyId, isShipping: true, firstName: 'Bo', phoneNumber: '777', externalId: 'b' },
      {
        companyId: two.companyId,
        lastName: 'Ek',
        addressLine2: 'Dock 3',
        city: 'Odense',
        countryCode: 'DK',
        stateCode: '',
      },
    ]
    for (const more of all) await ask(filled, 'POST', ADDRESSES, body(more))
  })

  test.each<[query: string, expected: number[]]>([
    ['', [3, 2, 1]],
    ['limit=1&offset=1', [2]],
    ['companyId=1', [2, 1]],
    ['isBilling=1', [1]],
    ['isShipping=true', [2]],
    ['firstName=BO', [2]],
    ['lastName=ek', [3]],
    ['address=dock', [3]],
    ['address=harbour', [3, 2, 1]],
    ['city=oden', [3]],
    ['country=denm', [3]],
    ['country=au', [2, 1]],
    ['state=nsw', [2, 1]],
    ['state=south', [2, 1]],
    ['zipCode=200', [1]],
    ['phoneNumber=77', [2]],
    ['externalId[]=a&externalId[]=b', [2, 1]],
    ['minCreated=9999999999', []],
    ['maxModified=9999999999', [3, 2, 1]],
  ])('answers %s', async (query, expected) => {
    const { body: found } = await ask(filled, 'GET', `${ADDRESSES}?${query}`)
    expect(found.data.map(({ addressId }: { addressId: number }) => addressId)).toEqual(expected)
  })

  test.each([
    ['limit=251', 413],
    ['limit=0', 422],
    ['isBilling=2', 422],
  ])('refuses %s with %d', async (query, status) => {
    expect((await ask(filled, 'GET', `${ADDRESSES}?${query}`)).status).toBe(status)
  })
})
