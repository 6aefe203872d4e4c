import { afterAll, beforeAll, expect, test } from 'vitest'
import { openShop } from '../server/test/fixtures/shop.ts'
import { plainClient, typedClient, typedClientV2 } from './clients.ts'
import { openPort, type Port } from './port.ts'

// The clients of public-client.test.ts and other-client-catalog.test.ts read and change the settings of a store and of
// its channel.

let port: Port
beforeAll(async () => {
  port = await openPort()
})
afterAll(() => port.close())

async function connect() {
  const shop = await openShop({ name: 'Lamps' })
  return { v2: typedClientV2(port, shop), v3: typedClient(port, shop), old: plainClient(port, shop) }
}

test('a typed client uses storefront status, locale, profile, logo and the other families', async () => {
  const { v2, v3 } = await connect()
  const query = { channel_id: 1 }
  const status = await v3.get('/settings/storefront/status')
  expect(status).toMatchObject({ prelaunch_password: expect.stringMatching(/^[a-z0-9]{10}$/) })
  const own = { down_for_maintenance_message: 'Soon', prelaunch_message: 'In May' }
  expect(await v3.put('/settings/storefront/status', { query, body: own })).toMatchObject(own)
  expect(await v3.get('/settings/storefront/status', { query })).toMatchObject(own)
  expect(await v3.get('/settings/storefront/status')).toEqual(status)

  const locale = {
    default_shopper_language: 'de',
    shopper_language_selection_method: 'browser',
    store_country: 'Germany',
  } as const
  expect(await v3.put('/settings/store/locale', { body: locale })).toMatchObject(locale)
  expect(await v3.get('/settings/store/locale')).toMatchObject(locale)
  const profile = { store_name: 'Light', store_email: 'a@example.com' }
  expect(await v3.put('/settings/store/profile', { body: profile })).toMatchObject(profile)
  expect(await v3.put('/settings/logo', { body: { logo_text: 'Light' } })).toMatchObject({
    type: 'text',
    logo_text: 'Light',
  })
  expect(await v2.get('/store')).toMatchObject({
    name: 'Light',
    admin_email: 'a@example.com',
    language: 'de',
    currency: 'USD',
  })

  expect(await v3.put('/settings/catalog', { body: { auto_approve_reviews: true } })).toMatchObject({
    enable_product_comparisons: true,
  })
  const shown = { show_pre_order_stock_levels: true, show_out_of_stock_message: true }
  expect(await v3.put('/settings/inventory', { body: { stock_level_display: 'show', ...shown } })).toMatchObject({
    product_out_of_stock_behavior: 'do_nothing',
  })
  expect(await v3.put('/settings/storefront/security', { body: { hsts: { enabled: true } } })).toMatchObject({
    hsts: { enabled: true, max_age: 'zero_seconds' },
  })
  expect(await v3.get('/settings/email-statuses', { query })).toMatchObject({ invoice_email: null })
  const [first] = (await v3.get('/settings/search/filters/available')) ?? []
  expect(await v3.put('/settings/search/filters', { body: [{ id: first?.id ?? '', type: 'category' }] })).toMatchObject(
    [{ display_name: 'Category', items_to_show: 10 }],
  )
  expect(await v3.get('/store/systemlogs')).toEqual([])
})

test('a second client uses the settings of a channel, analytics and the store information', async () => {
  const { settings, storeInformation, systemLogs } = (await connect()).old
  const channel = { channel_id: 1 }
  const own = { down_for_maintenance_message: 'Soon', prelaunch_message: 'In May' }
  const status = await settings.storefrontStatus.updateStorefrontStatusSettings(own, channel)
  expect(status.data).toMatchObject(own)
  const nothing = { down_for_maintenance_message: null, prelaunch_message: null, prelaunch_password: null }
  expect((await settings.storefrontStatus.updateStorefrontStatusSettings(nothing, channel)).data).toEqual(nothing)
  await settings.storeProfile.updateStoreProfileSettings({ store_name: 'Light', store_phone: '+1 555' })
  expect((await settings.storeProfile.getStoreProfileSettings(channel)).data).toMatchObject({ store_name: null })
  expect((await settings.emailStatuses.updateTransactionalEmailSettings({ invoice_email: false })).data).toMatchObject({
    invoice_email: false,
    create_account_email: true,
  })
  expect((await settings.analytics.getAllAnalyticsProviders(channel)).data).toHaveLength(5)
  expect(await settings.analytics.updateAnalyticsProvider(1, { code: 'G-1', enabled: true }, channel)).toMatchObject({
    id: 1,
    enabled: true,
  })
  const { data } = await settings.searchFilters.getAvailableFilters(channel)
  expect(data.map(({ type }: { type: string }) => type)).toContain('price')
  expect(await storeInformation.getStoreInformation()).toMatchObject({
    name: 'Light',
    phone: '+1 555',
    currency: 'USD',
  })
  expect((await systemLogs.getStoreLogs({ severity: 3 })).data).toEqual([])
})
