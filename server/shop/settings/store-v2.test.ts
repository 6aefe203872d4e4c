import { expect, test } from 'vitest'
import { form, openShop } from '../../test/fixtures/shop.ts'

test('the store information comes from the settings, the default currency and the first site', async () => {
  const { store, call } = await openShop({ name: 'Lamps' })
  const v2 = { version: 'v2' } as const
  const read = async () => (await call('GET', '/store', undefined, v2)).body
  const fresh = await read()
  expect(fresh).toEqual({
    id: store.hash,
    account_uuid: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/),
    domain: expect.stringContaining(store.hash),
    secure_url: expect.stringMatching(/^https:\/\//),
    control_panel_base_url: '',
    status: 'live',
    name: 'Lamps',
    first_name: '',
    last_name: '',
    address: '',
    country: 'United States',
    country_code: 'US',
    infrastructure_region: '',
    phone: '',
    admin_email: '',
    order_email: '',
    favicon_url: '',
    timezone: {
      name: 'Etc/UTC',
      raw_offset: 0,
      dst_offset: 0,
      dst_correction: false,
      date_format: { display: 'M jS Y', export: 'M jS Y', extended_display: 'M jS Y @ g:i A' },
    },
    language: 'en',
    currency: 'USD',
    currency_symbol: '$',
    decimal_separator: '.',
    thousands_separator: ',',
    decimal_places: 2,
    currency_symbol_location: 'left',
    weight_units: 'Ounces',
    dimension_units: 'Inches',
    dimension_decimal_places: 2,
    dimension_decimal_token: '.',
    dimension_thousands_token: ',',
    plan_name: 'unlimited',
    plan_level: 'unlimited',
    plan_is_trial: false,
    industry: '',
    logo: [],
    is_price_entered_with_tax: false,
    store_id: store.id,
    default_channel_id: 1,
    default_site_id: 1000,
    active_comparison_modules: [],
    features: {
      stencil_enabled: true,
      sitewidehttps_enabled: true,
      facebook_catalog_id: '',
      checkout_type: 'optimized',
      wishlists_enabled: true,
      graphql_storefront_api_enabled: true,
      shopper_consent_tracking_enabled: false,
      multi_storefront_enabled: true,
    },
  })
  await call('PUT', '/settings/store/profile', {
    store_name: 'Light',
    store_email: 'a@example.com',
    store_address: '1 Elm Row',
  })
  await call('PUT', '/settings/store/locale', { default_shopper_language: 'de', store_country: 'Germany' })
  await call('PUT', '/settings/storefront/security', { sitewide_https_enabled: false })
  const consent = { ask_shopper_for_tracking_consent: true }
  await call('PUT', '/customers/settings', { privacy_settings: consent })
  const pixel = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  )
  await call('POST', '/settings/logo/image', undefined, form('LogoFile', 'a.png', pixel))
  expect(await read()).toEqual({
    ...fresh,
    name: 'Light',
    address: '1 Elm Row',
    admin_email: 'a@example.com',
    order_email: 'a@example.com',
    country: 'Germany',
    country_code: 'DE',
    language: 'de',
    logo: { url: expect.stringMatching(/^http:\/\/shop\.test\/files\/.*\.png$/) },
    features: { ...fresh.features, sitewidehttps_enabled: false, shopper_consent_tracking_enabled: true },
  })
  const suffixed = await call('GET', '/store.json', undefined, v2)
  expect(suffixed.body.name).toBe('Light')
  expect((await call('PUT', '/store', {}, v2)).status).toBe(405)
})

test('a store whose plan limits its storefronts says how many there may be', async () => {
  const { call } = await openShop({ limits: { storefronts: 3 } })
  expect((await call('GET', '/store', undefined, { version: 'v2' })).body.features.storefront_limits).toEqual({
    active: 3,
    total_including_inactive: 3,
  })
})
