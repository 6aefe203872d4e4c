import { afterAll, beforeAll, expect, test } from 'vitest'
import { exampleCertificate } from '../server/shop/channels/sites/certificates.ts'
import { openShop } from '../server/test/fixtures/shop.ts'
import { plainClient, typedClient, typedClientV2 } from './clients.ts'
import { openPort, type Port } from './port.ts'

// The clients of public-client.test.ts and other-client-catalog.test.ts give a store currencies, and a channel its own currencies
// and a site with routes, a checkout and a certificate.

let port: Port
beforeAll(async () => {
  port = await openPort()
})
afterAll(() => port.close())

const euro = {
  currency_code: 'EUR',
  currency_exchange_rate: '0.849',
  token_location: 'left',
  token: '€',
  decimal_token: ',',
  thousands_token: '.',
  decimal_places: 2,
  name: 'Euro',
}

test('a typed client uses currencies, assignments, sites and routes', async () => {
  const shop = await openShop()
  const { store } = shop
  const [v2, v3] = [typedClientV2(port, shop), typedClient(port, shop)]
  const url = `https://outlet-${store.hash}.example.com`

  expect(await v2.post('/currencies', { body: euro })).toMatchObject({ id: 2, currency_exchange_rate: '0.8490000000' })
  expect(await v2.put('/currencies/{id}', { path: { id: '2' }, body: { is_transactional: true } })).toMatchObject({
    currency_code: 'EUR',
    is_transactional: true,
  })
  expect(await v2.get('/currencies')).toMatchObject([{ currency_code: 'USD' }, { currency_code: 'EUR' }])

  const channel = await v3.post('/channels', { body: { name: 'Outlet', type: 'storefront', platform: 'custom' } })
  const path = { channel_id: channel.id ?? 0 }
  const own = { enabled_currencies: ['EUR'], default_currency: 'EUR' }
  const one = '/channels/{channel_id}/currency-assignments'
  expect(await v3.put(one, { path, body: own })).toEqual({ ...path, ...own })
  expect(await v3.get('/channels/currency-assignments')).toEqual([{ ...path, ...own }])
  expect(await v3.delete(one, { path })).toBe(channel.id)
  expect(await v3.get(one, { path })).toEqual({
    ...path,
    enabled_currencies: ['USD', 'EUR'],
    default_currency: 'USD',
  })

  const site = await v3.post('/sites', { body: { url, channel_id: path.channel_id } })
  expect(site).toMatchObject({ id: 1001, url, ssl_status: 'shared' })
  expect(await v3.get('/channels/{channel_id}/site', { path })).toEqual(site)
  const routes = '/sites/{site_id}/routes'
  const ofSite = { site_id: 1001 }
  const route = { type: 'product', matching: '*', route: '/products/{slug}' } as const
  expect(await v3.post(routes, { path: ofSite, body: route })).toEqual({ id: 1, ...route })
  expect(await v3.put(routes, { path: ofSite, body: [{ ...route, id: 1, route: '/p/{id}' }] })).toEqual([
    { ...route, id: 1, route: '/p/{id}' },
  ])
  expect(await v3.get(routes, { path: ofSite })).toHaveLength(1)
  await v3.put('/sites/{site_id}/certificate', { path: ofSite, body: { certificate: exampleCertificate } })
  expect(await v3.get('/sites/{site_id}', { path: { site_id: '1001' } })).toMatchObject({ ssl_status: 'dedicated' })
  expect(await v3.delete('/channels/{channel_id}/site', { path })).toBeNull()
  expect(await v3.get('/sites/{site_id}', { path: { site_id: '1001' } })).toBeNull()
})

test('a client with a method for each operation uses the same', async () => {
  const shop = await openShop()
  const { store } = shop
  const { channels, currencies, sites } = plainClient(port, shop)
  const at = (name: string) => `https://${name}-${store.hash}.example.com`

  expect(await currencies.createCurrency(euro)).toMatchObject({ id: 2, currency_code: 'EUR' })
  expect((await currencies.updateCurrency(2, { is_default: true })).currency_exchange_rate).toBe('1.0000000000')
  expect(await currencies.getAllCurrencies()).toHaveLength(2)

  const { id } = (await channels.createChannel({ name: 'Fair', type: 'marketplace', platform: 'etsy' })).data
  const { channelCurrencyAssignments: assignments, channelSite, channelSiteCheckoutUrl } = channels
  const own = { enabled_currencies: ['USD'], default_currency: 'USD' }
  const items = [
    { channel_id: 1, ...own },
    { channel_id: id, ...own },
  ]
  expect((await assignments.createMultipleChannelsCurrencyAssignments(items)).data).toEqual(items)
  expect((await assignments.getAllChannelsCurrencyAssignments()).data).toEqual(items)
  await assignments.deleteChannelCurrencyAssignments(id)
  expect((await assignments.getChannelCurrencyAssignments(id)).data).toMatchObject({ default_currency: 'EUR' })
  await currencies.deleteAllCurrencies()
  expect(await currencies.getAllCurrencies()).toHaveLength(2)

  expect((await channelSite.createChannelSite(id, { url: at('fair') })).data).toMatchObject({ id: 1001 })
  expect(await channelSiteCheckoutUrl.upsertSiteCheckoutUrl(id, { url: at('pay') })).toMatchObject({
    data: { is_checkout_url_customized: true },
  })
  await channelSiteCheckoutUrl.deleteSiteCheckoutUrl(id)
  expect((await sites.getAllSites({ 'channel_id:in': [id] })).data).toMatchObject([{ id: 1001, url: at('fair') }])
  const { siteRoutes, siteCertificate } = sites
  const route = { type: 'brand', matching: '7', route: '/makers/{id}' }
  expect((await siteRoutes.createSiteRoute(1001, route)).data).toEqual({ id: 1, ...route })
  expect((await siteRoutes.updateSiteRoute(1001, 1, { ...route, matching: '*' })).data.matching).toBe('*')
  expect((await siteRoutes.getSitesRoutes(1001, { type: 'brand' })).data).toHaveLength(1)
  await siteRoutes.deleteSiteRoute(1001, 1)
  await siteCertificate.upsertSiteCertificateInformation(1001, { certificate: exampleCertificate })
  expect((await siteCertificate.getSiteCertificates()).data).toMatchObject([{ common_name: 'example.com' }])
  await sites.deleteSite(1001)
  expect(await channelSite.getChannelSite(id)).toBeNull()
})
