import { beforeAll, describe, expect, test } from 'vitest'
import { setDependent } from '../../../sales/b2b/companies/mode.ts'
import { ask, enableCompanion, makeCompany, refused } from '../../../test/fixtures/companion.ts'
import { openShop, type Shop } from '../../../test/fixtures/shop.ts'
import { dbOf } from '../../../test/fixtures/webhooks.ts'

// docs/contract/companies.md section 9.

const COMPANIES = '/v3/io/companies'
const INDEPENDENT = refused(405, 'The companies of this store are independent.', expect.any(String))
const body = (name: string) => ({
  companyName: name,
  companyEmail: `office@${name}.example.com`,
  companyPhone: '1',
  country: 'Denmark',
  adminEmail: `ann@${name}.example.com`,
  adminFirstName: 'Ann',
  adminLastName: 'Lee',
  adminPhoneNumber: '2',
})
const list = async (shop: Shop, name: string): Promise<number> =>
  (await shop.call('POST', '/pricelists', { name })).body.data.id
const group = async (shop: Shop, name: string): Promise<number> =>
  (await shop.call('POST', '/customer_groups', { name }, { version: 'v2' })).body.id

describe('a store with independent companies', () => {
  let shop: Shop
  beforeAll(async () => {
    shop = await openShop()
    await enableCompanion(shop)
  })

  test('has no catalogs, and no companies of customer groups', async () => {
    const { companyId } = await makeCompany(shop, 'Acme')
    const catalog = await ask(shop, 'PUT', `${COMPANIES}/${companyId}/catalogs`, { catalogId: '1' })
    expect([catalog.status, catalog.body]).toEqual([405, INDEPENDENT])
    const id = await group(shop, 'Trade')
    const made = await ask(shop, 'POST', `/v3/io/customer-groups/${id}/companies`, body('beta'))
    expect([made.status, made.body]).toEqual([405, INDEPENDENT])
  })

  test('ignores price lists of companies', async () => {
    const { companyId } = await makeCompany(shop, 'Cargo')
    const priceListAssign = [{ channelId: 1, priceListId: await list(shop, 'Trade') }]
    expect((await ask(shop, 'PUT', `${COMPANIES}/${companyId}`, { priceListAssign })).status).toBe(200)
    const { data } = (await ask(shop, 'GET', `${COMPANIES}/${companyId}`)).body
    expect(data).toMatchObject({ catalogId: '', catalogName: '', priceListAssign: [] })
  })

  test('keeps its mode while it has companies', async () => {
    await expect(setDependent(await dbOf(shop), true)).rejects.toThrow('while the store has no companies')
  })
})

describe('a store with dependent companies', () => {
  let shop: Shop
  beforeAll(async () => {
    shop = await openShop()
    await enableCompanion(shop)
    await setDependent(await dbOf(shop), true)
  })
  const read = async (id: number) => (await ask(shop, 'GET', `${COMPANIES}/${id}`)).body.data

  test('gives each company a group of its own, which stays and ends with it', async () => {
    const [one, two] = [await makeCompany(shop, 'Acme', { customerGroupId: 77 }), await makeCompany(shop, 'Beta')]
    expect(one.customerGroupId).not.toBe(two.customerGroupId)
    expect(await read(one.companyId)).toMatchObject({
      bcGroupId: String(one.customerGroupId),
      bcGroupName: 'Acme',
      catalogId: '',
    })
    await ask(shop, 'PUT', `${COMPANIES}/${one.companyId}`, { customerGroupId: two.customerGroupId, city: 'Perth' })
    expect(await read(one.companyId)).toMatchObject({ bcGroupId: String(one.customerGroupId), city: 'Perth' })
    expect((await ask(shop, 'DELETE', `${COMPANIES}/${one.companyId}`)).status).toBe(200)
    const groups = (await shop.call('GET', '/customer_groups', undefined, { version: 'v2' })).body
    expect(groups.map(({ name }: { name: string }) => name)).toEqual(['Beta'])
    const customer = (await shop.call('GET', `/customers?id:in=${one.customerId}`)).body.data[0]
    expect(customer.customer_group_id).toBe(0)
  })

  test('sets the price list of the group as the catalog', async () => {
    const { companyId, customerGroupId } = await makeCompany(shop, 'Cargo')
    const id = await list(shop, 'Cargo prices')
    const put = (catalogId: unknown) => ask(shop, 'PUT', `${COMPANIES}/${companyId}/catalogs`, { catalogId })
    expect((await put(String(id))).body).toEqual({ code: 200, data: { companyId }, meta: { message: 'SUCCESS' } })
    expect(await read(companyId)).toMatchObject({ catalogId: String(id), catalogName: 'Cargo prices' })
    const path = `/customer_groups/${customerGroupId}`
    const { discount_rules } = (await shop.call('GET', path, undefined, { version: 'v2' })).body
    expect(discount_rules).toEqual([{ type: 'price_list', price_list_id: id }])
    for (const wrong of ['999', 'abc', 0]) {
      expect((await put(wrong)).body.data.errMsg).toEqual({ catalogId: [`The price list ${wrong} does not exist.`] })
    }
    expect((await ask(shop, 'PUT', `${COMPANIES}/999999/catalogs`, { catalogId: id })).status).toBe(404)
    const made = await makeCompany(shop, 'Delta', { catalogId: id })
    expect(await read(made.companyId)).toMatchObject({ catalogName: 'Cargo prices' })
  })

  test('stores price lists in channels', async () => {
    const { companyId } = await makeCompany(shop, 'Echo')
    const priceListId = await list(shop, 'Echo prices')
    const put = (priceListAssign: unknown) => ask(shop, 'PUT', `${COMPANIES}/${companyId}`, { priceListAssign })
    expect((await put([{ channelId: 1, priceListId }])).status).toBe(200)
    expect((await read(companyId)).priceListAssign).toEqual([
      { channelId: 1, priceListId, priceListName: 'Echo prices', channelName: expect.any(String) },
    ])
    expect((await put([{ channelId: 77, priceListId: 999 }])).body.data.errMsg).toEqual({
      'priceListAssign.0.priceListId': ['The price list 999 does not exist.'],
      'priceListAssign.0.channelId': ['The channel 77 does not exist.'],
    })
  })

  test('creates a company for a group, once', async () => {
    const id = await group(shop, 'Foxtrot trade')
    const post = (of: number, name: string) => ask(shop, 'POST', `/v3/io/customer-groups/${of}/companies`, body(name))
    const { body: made } = await post(id, 'foxtrot')
    expect(made).toEqual({ code: 200, data: { companyId: expect.any(Number) }, meta: { message: 'SUCCESS' } })
    expect(await read(made.data.companyId)).toMatchObject({ bcGroupId: String(id), bcGroupName: 'Foxtrot trade' })
    const again = await post(id, 'golf')
    expect([again.status, again.body.data.errMsg]).toEqual([400, 'The customer group belongs to another company.'])
    expect((await post(999_999, 'golf')).status).toBe(404)
  })
})
