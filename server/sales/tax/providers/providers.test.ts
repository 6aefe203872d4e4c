import { beforeEach, describe, expect, test } from 'vitest'
import { openShop, type Shop, theHouse } from '../../../test/fixtures/shop.ts'
import { registerTaxProvider } from '../../../test/fixtures/tax.ts'
import { dbOf, rowsOf } from '../../../test/fixtures/webhooks.ts'
import { listTaxProviders, removeTaxProvider, setTaxProvider, type TaxProviderSettings } from './registration.ts'

let shop: Shop
beforeEach(async () => {
  shop = await openShop()
})

const call = (method: string, id: string, body?: unknown) => shop.call(method, `/tax/providers/${id}/connection`, body)
const login = { username: 'shop', password: 'a secret' }
const blank = { username: '', configured: false, profile: '', target: { country_codes: [], subdivision_codes: [] } }

describe('the connection of a tax provider', () => {
  test('is made, read and taken away, and never shows the password', async () => {
    const id = await registerTaxProvider(shop, { regions: ['us', 'CA-QC'] })
    const target = { country_codes: ['US'], subdivision_codes: ['CA-QC'] }
    expect(await call('GET', id)).toMatchObject({ status: 200, body: { data: { ...blank, target }, meta: {} } })
    expect((await call('DELETE', id)).status).toBe(404)
    expect((await call('PUT', id, { username: 'shop' })).body.data).toEqual({ ...blank, username: 'shop', target })
    const connected = { ...blank, username: 'shop', configured: true, target }
    const { status, text, body } = await call('PUT', id, { password: 'a secret' })
    expect({ status, data: body.data }).toEqual({ status: 200, data: connected })
    expect(text).not.toContain('secret')
    expect((await call('GET', id)).body.data).toEqual(connected)
    const [row] = await rowsOf(shop, 'tax_providers')
    expect(JSON.stringify(row)).not.toContain('a secret')
    expect(await call('DELETE', id)).toMatchObject({ status: 200, body: { data: { ...blank, target } } })
    expect((await call('DELETE', id)).status).toBe(404)
    const logs = (await shop.call('GET', '/store/systemlogs?type=tax')).body.data
    expect(logs.map(({ module }: { module: string }) => module)).toEqual(Array(4).fill('tax provider'))
  })

  test('needs a profile if the address holds one, and takes none if not', async () => {
    const id = await registerTaxProvider(shop, { url: 'https://tax.example.com/{profile}/v1' })
    expect((await call('PUT', id, login)).body.data).toMatchObject({ configured: false })
    expect((await call('PUT', id, { profile: 'live' })).body.data).toMatchObject({ configured: true, profile: 'live' })
    await registerTaxProvider(shop, { url: 'https://tax.example.com' })
    expect(await call('PUT', id, { profile: 'live' })).toMatchObject({
      status: 422,
      body: { errors: { profile: expect.any(String) } },
    })
  })

  test('has fields of 255 characters, and one more is 422', async () => {
    const id = await registerTaxProvider(shop, { url: 'https://tax.example.com/{profile}' })
    for (const field of ['username', 'password', 'profile']) {
      expect((await call('PUT', id, { [field]: 'x'.repeat(255) })).status).toBe(200)
      const refused = await call('PUT', id, { [field]: 'x'.repeat(256) })
      expect(refused).toMatchObject({ status: 422, body: { errors: { [field]: expect.any(String) } } })
    }
  })

  test('is 404 for a provider that is not registered in the store', async () => {
    const elsewhere = await registerTaxProvider(await openShop())
    for (const id of ['unknown', elsewhere, 'UPPER', 'x'.repeat(51)]) {
      for (const [method, body] of [['GET'], ['PUT', login], ['DELETE']] as const) {
        expect((await call(method, id, body)).status, `${method} ${id}`).toBe(404)
      }
    }
  })
})

describe('the registration of tax providers', () => {
  const set = async (settings: TaxProviderSettings, origins: string[] = []) =>
    setTaxProvider(await dbOf(shop), settings, { secrets: (await theHouse()).installation.secrets, origins })
  const url = 'https://tax.example.com/v1'

  test('has defaults, is changed in part, and lets one provider be active', async () => {
    const { urls, ...first } = await set({ id: 'one', url: `${url}/`, isActive: true, secret: 'signs' })
    expect(urls).toMatchObject({ estimate: `${url}/estimate`, commit: `${url}/commit`, void: `${url}/void` })
    expect(first).toEqual({
      provider_id: 'one',
      estimate_ms: 4_000,
      is_active: true,
      submits_orders: false,
      target: { country_codes: [], subdivision_codes: [] },
      is_configured: false,
      has_secret: true,
    })
    await set({ id: 'two', url, isActive: true, estimateMs: 500 })
    expect(await set({ id: 'one', submitsOrders: true })).toMatchObject({ is_active: false, submits_orders: true })
    const listed = async () => (await listTaxProviders(await dbOf(shop))).map((one) => [one.provider_id, one.is_active])
    expect(await listed()).toEqual([
      ['one', false],
      ['two', true],
    ])
    await call('PUT', 'two', login)
    await call('DELETE', 'two')
    expect(await listed()).toContainEqual(['two', false])
    expect(await removeTaxProvider(await dbOf(shop), 'two')).toBe(true)
    expect(await removeTaxProvider(await dbOf(shop), 'two')).toBe(false)
  })

  test.each([
    ['a new provider without an address', {}],
    ['http', { url: 'http://tax.example.com' }],
    ['another port', { url: 'https://tax.example.com:8443' }],
    ['a query', { url: `${url}?a=b` }],
    ['a user', { url: 'https://me@tax.example.com' }],
    ['no address', { url: 'tax.example.com' }],
    ['an estimate of more than 4 s', { url, estimateMs: 4_001 }],
    ['an estimate of no time', { url, estimateMs: 0 }],
    ['an unknown region', { url, regions: ['XX'] }],
    ['another id', { id: 'Two', url }],
  ])('refuses %s (C-087)', async (_, wish) => {
    await expect(set({ id: 'one', ...wish })).rejects.toThrow()
    expect(await listTaxProviders(await dbOf(shop))).toEqual([])
  })

  test.each([
    'https://127.0.0.1',
    'https://2130706433',
    'https://0x7f.1',
    'https://127.1',
    'https://0.0.0.0',
    'https://10.0.0.1',
    'https://169.254.169.254',
    'https://[::1]',
    'https://[::ffff:127.0.0.1]',
    'https://[fe80::1]',
    'https://[fc00::1]',
    'https://localhost',
    'https://localhost.',
    'https://①②⑦.⓪.⓪.①',
  ])('refuses an address inside of this network (C-087): %s', async (inward) => {
    await expect(set({ id: 'one', url: inward })).rejects.toThrow('must name a public host')
    expect(await listTaxProviders(await dbOf(shop))).toEqual([])
  })

  test('takes http and any port at origins that are freed (C-090)', async () => {
    expect((await set({ id: 'one', url: 'http://localhost:3000' }, ['http://localhost:*'])).provider_id).toBe('one')
  })
})
