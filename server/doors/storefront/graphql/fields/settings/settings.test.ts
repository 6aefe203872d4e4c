import { beforeAll, describe, expect, test } from 'vitest'
import { ALL_COUNTRIES } from '../../../../../core/geography/countries.ts'
import { CURRENCY_CODES } from '../../../../../shop/channels/currencies/iso-4217.ts'
import { addLocale } from '../../../../../shop/channels/locales.ts'
import { editSocialLinks } from '../../../../../shop/settings/families/social-links.ts'
import { openShop, type Shop } from '../../../../../test/fixtures/shop.ts'
import { askStorefront, makeToken } from '../../../../../test/fixtures/storefront.ts'
import { dbOf, rowsOf } from '../../../../../test/fixtures/webhooks.ts'
import { overhear } from '../../../../../test/harness/overhear.ts'

let shop: Shop
let token: string
beforeAll(async () => {
  shop = await openShop({ name: 'Fern & Co' })
  token = await makeToken(shop, 'storefront')
})

/** Asks for fields of the settings. */
async function settingsOf(fields: string, headers: Record<string, string> = {}) {
  const { status, body } = await askStorefront(shop, { token, query: `{ site { settings { ${fields} } } }`, headers })
  expect([status, body.errors]).toEqual([200, undefined])
  return body.data.site.settings
}
const older: Shop['call'] = (method, path, body) => shop.call(method, path, body, { version: 'v2' })

async function put(path: string, body: object) {
  const answer = await shop.call('PUT', path, body)
  expect(answer.status, answer.text).toBeLessThan(300)
}

const WHOLE = `storeName storeHash storeCountryCode status statusMessage channelId faviconUrl robotsTxt isGoogleAiPredictionEnabled
  logo { title image { url(width: 10) urlOriginal urlTemplate altText isDefault } }
  logoV2 { __typename ... on StoreTextLogo { text } ... on StoreImageLogo { image { urlTemplate altText } } }
  contact { address country addressType email phone }
  url { vanityUrl cdnUrl checkoutUrl }
  display { shortDateFormat extendedDateFormat showProductRating }
  tax { pdp plp } search { productFilteringEnabled defaultSearchProductSort }
  storefront { catalog { productComparisonsEnabled } }
  inventory { productOutOfStockBehavior optionOutOfStockBehavior stockLevelDisplay defaultOutOfStockMessage hideInProductFiltering
    showPreOrderStockLevels showOutOfStockMessage updateStockBehavior showQuantityOnBackorder showQuantityOnHand showBackorderMessage
    showBackorderAvailabilityPrompt backorderAvailabilityPrompt showDefaultShippingExpectationPrompt defaultShippingExpectationPrompt }
  reCaptcha { siteKey isEnabledOnStorefront isEnabledOnCheckout failedLoginLockoutDurationSeconds }
  customers { passwordComplexitySettings { minimumPasswordLength requireLowerCase requireUpperCase requireNumbers minimumNumbers
    requireSpecialCharacters minimumSpecialCharacters } }
  locales { code isDefault fullPath path }
  webAnalytics { ga4 { tagId } metaPixel { pixelId } segment { writeKey } }
  currency { defaultCurrency } seo { pageTitle metaDescription metaKeywords }
  security { customCspHeader xFrameOptions hsts { hstsOnStorefrontEnabled hstsInPreloadEnabled hstsInSubdomainsEnabled hstsMaxAgeDurationSeconds } }
  privacy { cookieConsentEnabled privacyPolicyUrl } reviews { enabled onlyAcceptPreviousCustomerReviews }
  newsletter { showNewsletterSignup newsletterCheckedByDefault } checkout { reCaptchaEnabled persistentCartEnabled termsAndConditionsEnabled termsAndConditionsType termsAndConditionsUrl termsAndConditionsTextarea }
    socialMediaLinks { name }
  giftCertificates { isEnabled } inactivity { shopperInactivityDurationSeconds }`

const whole = () => {
  const host = `https://store-${shop.store.hash}.shop.test`
  return {
    storeName: 'Fern & Co',
    storeHash: shop.store.hash,
    storeCountryCode: 'US',
    status: 'LAUNCHED',
    statusMessage: null,
    channelId: 1,
    faviconUrl: null,
    robotsTxt: expect.stringMatching(/^User-agent: \*\n/),
    isGoogleAiPredictionEnabled: false,
    logo: {
      title: 'Fern & Co',
      image: { url: '', urlOriginal: '', urlTemplate: '', altText: 'Fern & Co', isDefault: true },
    },
    logoV2: { __typename: 'StoreTextLogo', text: 'Fern & Co' },
    contact: { address: '', country: 'United States', addressType: 'Home Office', email: '', phone: '' },
    url: { vanityUrl: host, cdnUrl: expect.stringMatching(/^[^/]+$/), checkoutUrl: host },
    display: { shortDateFormat: 'M jS Y', extendedDateFormat: 'M jS Y @ g:i A', showProductRating: true },
    tax: { pdp: 'EX', plp: 'EX' },
    search: { productFilteringEnabled: true, defaultSearchProductSort: 'BEST_SELLING' },
    storefront: { catalog: { productComparisonsEnabled: true } },
    inventory: {
      productOutOfStockBehavior: 'DO_NOTHING',
      optionOutOfStockBehavior: 'DO_NOTHING',
      stockLevelDisplay: 'DONT_SHOW',
      defaultOutOfStockMessage: '',
      hideInProductFiltering: false,
      showPreOrderStockLevels: false,
      showOutOfStockMessage: false,
      updateStockBehavior: 'ORDER_PLACED',
      showQuantityOnBackorder: false,
      showQuantityOnHand: false,
      showBackorderMessage: false,
      showBackorderAvailabilityPrompt: false,
      backorderAvailabilityPrompt: '',
      showDefaultShippingExpectationPrompt: false,
      defaultShippingExpectationPrompt: '',
    },
    reCaptcha: {
      siteKey: '',
      isEnabledOnStorefront: false,
      isEnabledOnCheckout: false,
      failedLoginLockoutDurationSeconds: null,
    },
    customers: {
      passwordComplexitySettings: {
        minimumPasswordLength: 7,
        requireLowerCase: false,
        requireUpperCase: false,
        requireNumbers: true,
        minimumNumbers: 1,
        requireSpecialCharacters: false,
        minimumSpecialCharacters: 0,
      },
    },
    locales: [{ code: 'en', isDefault: true, fullPath: host, path: '' }],
    webAnalytics: { ga4: null, metaPixel: null, segment: null },
    currency: { defaultCurrency: 'USD' },
    seo: { pageTitle: 'Fern & Co', metaDescription: '', metaKeywords: '' },
    security: {
      customCspHeader: null,
      xFrameOptions: null,
      hsts: {
        hstsOnStorefrontEnabled: false,
        hstsInPreloadEnabled: false,
        hstsInSubdomainsEnabled: false,
        hstsMaxAgeDurationSeconds: 0,
      },
    },
    privacy: { cookieConsentEnabled: false, privacyPolicyUrl: null },
    reviews: { enabled: true, onlyAcceptPreviousCustomerReviews: false },
    newsletter: { showNewsletterSignup: true, newsletterCheckedByDefault: false },
    checkout: {
      reCaptchaEnabled: false,
      persistentCartEnabled: true,
      termsAndConditionsEnabled: false,
      termsAndConditionsType: null,
      termsAndConditionsUrl: null,
      termsAndConditionsTextarea: null,
    },
    socialMediaLinks: [],
    giftCertificates: { isEnabled: true },
    inactivity: null,
  }
}

test('the settings of a new store, all of them with two statements in one round trip', async () => {
  const everything = `${WHOLE} formFields { customer { entityId } shippingAddress { entityId } }
    shipping { supportedShippingDestinations { countries { code } } }`
  await settingsOf(everything)
  const heard = overhear()
  const found = await settingsOf(everything)
  heard.stop()
  expect(found).toMatchObject(whole())
  const sent = heard.statements.filter(({ text }) => /levels|form_fields/.test(text))
  expect(sent.length).toBe(2)
  expect(await settingsOf(WHOLE)).toEqual(whole())
})

describe('gift certificates', () => {
  const certificates = async (more = '') =>
    (
      await settingsOf(`giftCertificates${more} { __typename currencyCode isEnabled expiry { value }
        ... on CustomAmountGiftCertificateSettings { minimumAmount { value currencyCode } maximumAmount { formattedV2 } } }`)
    ).giftCertificates

  test('have the bounds of carts, in the default currency and in others', async () => {
    expect(await certificates()).toEqual({
      __typename: 'CustomAmountGiftCertificateSettings',
      currencyCode: 'USD',
      isEnabled: true,
      expiry: null,
      minimumAmount: { value: 1, currencyCode: 'USD' },
      maximumAmount: { formattedV2: '$1,000.00' },
    })
    const euro = {
      currency_code: 'EUR',
      name: 'Euro',
      country_iso2: 'DE',
      is_default: false,
      is_transactional: true,
      enabled: true,
      auto_update: false,
      currency_exchange_rate: '0.9',
      token: '€',
      token_location: 'right',
      decimal_token: ',',
      thousands_token: '.',
      decimal_places: 2,
    }
    const { body } = await older('POST', '/currencies', euro)
    expect(await certificates('(currencyCode: EUR)')).toMatchObject({
      currencyCode: 'EUR',
      isEnabled: true,
      minimumAmount: { value: 0.9, currencyCode: 'EUR' },
      maximumAmount: { formattedV2: '900,00€' },
    })
    expect(await certificates('(currencyCode: CHF)')).toBeNull()
    // Nobody pays in a currency that prices are only shown in.
    await older('PUT', `/currencies/${body.id}`, { is_transactional: false })
    expect(await certificates('(currencyCode: EUR)')).toMatchObject({ isEnabled: false })
    await older('DELETE', `/currencies/${body.id}`)
  })
  test('are not sold while the channel sells nothing', async () => {
    await put('/carts/settings/channels/1', { allow_purchasing: false })
    expect((await certificates()).isEnabled).toBe(false)
    await put('/carts/settings/channels/1', { allow_purchasing: null })
  })
})

test('social links are those that the operator has set, in their order', async () => {
  const db = await dbOf(shop)
  const links = ['X=https://x.com/fern', 'Instagram=https://www.instagram.com/fern?a=b']
  await editSocialLinks(db, 1, { set: links })
  const found = async () => (await settingsOf('socialMediaLinks { name url }')).socialMediaLinks
  const both = [
    { name: 'X', url: 'https://x.com/fern' },
    { name: 'Instagram', url: 'https://www.instagram.com/fern?a=b' },
  ]
  expect(await found()).toEqual(both)
  expect(await editSocialLinks(db, 1, {})).toEqual(both)
  const scopes = (await rowsOf(shop, 'events')).map(({ scope }) => scope)
  expect(scopes).toContain('store/channel/1/socialMediaLinks/updated')
  for (const [set, sentence] of [
    [['X'], 'must begin with http'],
    [['X=javascript:alert(1)'], 'must begin with http'],
    [['=https://x.com'], 'A name has 1 to 255'],
    [[`X=https://x.com/${'x'.repeat(2_048)}`], 'at most 2048'],
    [Array.from({ length: 51 }, (_, i) => `N${i}=https://x.com/`), 'at most 50'],
  ] as const) {
    await expect(editSocialLinks(db, 1, { set: [...set] })).rejects.toThrow(sentence)
  }
  await expect(editSocialLinks(db, 7, { clear: true })).rejects.toThrow('channel_id 7 is no channel')
  await editSocialLinks(db, 1, { clear: true })
  expect(await found()).toEqual([])
})

describe('the settings of a channel', () => {
  test('win over those of the store, and changed values appear', async () => {
    const channel = '?channel_id=1'
    await put('/settings/store/profile', { store_name: 'Fern Ltd', store_phone: '555', store_address: '1 Low St' })
    await put('/settings/store/locale', { default_shopper_language: 'de', store_country: 'Austria' })
    await put(`/settings/storefront/seo${channel}`, {
      page_title: 'Ferns',
      meta_description: 'All ferns',
      meta_keywords: 'fern, moss',
      www_redirect: 'none',
    })
    await put('/settings/storefront/security', {
      csp_header: { enabled: true, header_value: "default-src 'self'" },
      hsts: { enabled: true, include_preload: true, include_subdomains: true, max_age: 'one_year' },
      x_frame_options_header: { enabled: true, setting: 'allow_from_url', allowed_url: 'https://a.example' },
    })
    await put('/settings/inventory', {
      stock_level_display: 'show_when_low',
      product_out_of_stock_behavior: 'hide_product',
    })
    await put('/customers/settings', {
      privacy_settings: { ask_shopper_for_tracking_consent: true, policy_url: 'https://a.example/privacy' },
    })
    await put('/settings/analytics/1?channel_id=1', { code: 'G-0123456789', enabled: true })
    await put('/settings/analytics/2?channel_id=1', { code: 'P-1', enabled: false })
    await put('/checkouts/settings/channels/1', {
      is_order_terms_and_conditions_enabled: true,
      order_terms_and_conditions_type: 'link',
      order_terms_and_conditions_link: 'https://a.example/terms',
    })
    const found = await settingsOf(WHOLE)
    expect(found).toMatchObject({
      checkout: {
        termsAndConditionsEnabled: true,
        termsAndConditionsType: 'link',
        termsAndConditionsUrl: 'https://a.example/terms',
        termsAndConditionsTextarea: null,
      },
      storeName: 'Fern Ltd',
      storeCountryCode: 'AT',
      contact: { address: '1 Low St', country: 'Austria', phone: '555' },
      seo: { pageTitle: 'Ferns', metaDescription: 'All ferns', metaKeywords: 'fern, moss' },
      security: {
        customCspHeader: "default-src 'self'",
        xFrameOptions: 'ALLOW-FROM https://a.example',
        hsts: { hstsOnStorefrontEnabled: true, hstsInPreloadEnabled: true, hstsMaxAgeDurationSeconds: 31_536_000 },
      },
      inventory: { stockLevelDisplay: 'SHOW_WHEN_LOW', productOutOfStockBehavior: 'HIDE_PRODUCT' },
      privacy: { cookieConsentEnabled: true, privacyPolicyUrl: 'https://a.example/privacy' },
      webAnalytics: { ga4: { tagId: 'G-0123456789' }, metaPixel: null },
      locales: [{ code: 'de', isDefault: true }],
    })
  })

  test('say why a closed storefront is closed', async () => {
    const { data: second } = (
      await shop.call('POST', '/channels', { name: 'Two', type: 'storefront', platform: 'custom', status: 'prelaunch' })
    ).body
    await shop.call('POST', '/sites', { channel_id: second.id, url: 'https://www.two.example' })
    const own = await makeToken(shop, 'storefront', { channel_ids: [second.id] })
    const { body } = await askStorefront(shop, {
      token: own,
      host: 'www.two.example',
      query: '{ site { settings { status statusMessage } } channel { entityId } store { entityId } }',
    })
    expect(body.data).toEqual({
      site: { settings: { status: 'PRE_LAUNCH', statusMessage: expect.stringContaining('opens soon') } },
      channel: { entityId: second.id },
      store: { entityId: shop.store.id },
    })
  })
})

test('the built-in form fields have fixed ids, and those of the store ids from 26 up', async () => {
  await put('/settings/form-fields', {
    customer: [
      { name: 'Pets', type: 'checkboxes', options: ['Cat', 'Dog'], required: true },
      { name: 'Born', type: 'date', label: 'Date of birth' },
    ],
    address: [{ name: 'Gate code', type: 'text' }],
  })
  const fields = `__typename entityId label sortOrder isBuiltIn isRequired builtInFieldId`
  const { formFields } = await settingsOf(`formFields {
    customer { ${fields} ... on CheckboxesFormField { options { entityId label } } }
    own: customer(filters: { isBuiltIn: false }) { entityId }
    needed: shippingAddress(filters: { isRequired: true }) { label }
    named: billingAddress(filters: { entityIds: [13, 4, 7777] }, sortBy: SORT_ORDER) { entityId builtInFieldId }
    shippingAddress { entityId ... on PicklistFormField { choosePrefix options { entityId label } } }
  }`)
  expect(formFields.customer.map(({ entityId }: { entityId: number }) => entityId)).toEqual([1, 2, 3, 24, 25, 26, 27])
  expect(formFields.customer[0]).toEqual({
    __typename: 'TextFormField',
    entityId: 1,
    label: 'Email Address',
    sortOrder: 1,
    isBuiltIn: true,
    isRequired: true,
    builtInFieldId: 'EmailAddress',
  })
  expect(formFields.customer[5]).toEqual({
    __typename: 'CheckboxesFormField',
    entityId: 26,
    label: 'Pets',
    sortOrder: 26,
    isBuiltIn: false,
    isRequired: true,
    builtInFieldId: null,
    options: [
      { entityId: 1, label: 'Cat' },
      { entityId: 2, label: 'Dog' },
    ],
  })
  expect(formFields.own).toEqual([{ entityId: 26 }, { entityId: 27 }])
  expect(formFields.needed.map(({ label }: { label: string }) => label)).toEqual([
    'First Name',
    'Last Name',
    'Address Line 1',
    'Suburb/City',
    'Country',
  ])
  expect(formFields.named).toEqual([
    { entityId: 4, builtInFieldId: 'FirstName' },
    { entityId: 13, builtInFieldId: 'Zip' },
  ])
  expect(formFields.shippingAddress.map(({ entityId }: { entityId: number }) => entityId)).toEqual([
    4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 28,
  ])
  expect(formFields.shippingAddress[7].options.length).toBe(ALL_COUNTRIES.length)
})

describe('currencies', () => {
  const FIELDS = `entityId code name flagImage isActive isTransactional isDefault exchangeRate
    display { symbol symbolPlacement decimalToken thousandsToken decimalPlaces }`
  const euro = { country_iso2: 'DE', currency_code: 'EUR', name: 'Euro', currency_exchange_rate: '0.9', token: '€' }

  test('of the channel, with the form of their amounts', async () => {
    const made = await older('POST', '/currencies', {
      ...euro,
      auto_update: false,
      token_location: 'right',
      decimal_token: ',',
      thousands_token: '.',
      decimal_places: 2,
      enabled: true,
    })
    expect([200, 201], made.text).toContain(made.status)
    const ask = async (query: string) => (await askStorefront(shop, { token, query })).body
    const { data } = await ask(`{ site { currencies { edges { node { ${FIELDS} } cursor } pageInfo { hasNextPage } }
      currency(currencyCode: EUR) { code } none: currency(currencyCode: CHF) { code } } }`)
    const dollar = {
      entityId: 1,
      code: 'USD',
      name: 'US Dollar',
      flagImage: null,
      isActive: true,
      isTransactional: true,
      isDefault: true,
      exchangeRate: 1,
      display: { symbol: '$', symbolPlacement: 'LEFT', decimalToken: '.', thousandsToken: ',', decimalPlaces: 2 },
    }
    const { edges, pageInfo } = data.site.currencies
    expect(edges[0]).toEqual({ node: dollar, cursor: Buffer.from('arrayconnection:0').toString('base64') })
    expect(edges[1].node).toMatchObject({
      code: 'EUR',
      exchangeRate: 0.9,
      isDefault: false,
      display: { symbol: '€', symbolPlacement: 'RIGHT', decimalToken: ',', thousandsToken: '.', decimalPlaces: 2 },
    })
    expect([edges.length, pageInfo, data.site.currency, data.site.none]).toEqual([
      2,
      { hasNextPage: false },
      { code: 'EUR' },
      null,
    ])
    await put('/channels/1/currency-assignments', { enabled_currencies: ['EUR'], default_currency: 'EUR' })
    const only = await ask(
      '{ site { currencies { edges { node { code isDefault } } } settings { currency { defaultCurrency } } } }',
    )
    expect(only.data.site).toEqual({
      currencies: { edges: [{ node: { code: 'EUR', isDefault: true } }] },
      settings: { currency: { defaultCurrency: 'EUR' } },
    })
  })

  test('that a store can have are all in the schema', async () => {
    const { body } = await askStorefront(shop, {
      token,
      query: '{ __type(name: "currencyCode") { enumValues { name } } }',
    })
    const known = new Set(body.data.__type.enumValues.map(({ name }: { name: string }) => name))
    expect([...CURRENCY_CODES].filter((code) => !known.has(code))).toEqual([])
  })
})

test('countries have their states, and are found by code and by name', async () => {
  const { body } = await askStorefront(shop, {
    token,
    query: `{ geography {
      all: countries { entityId code name iso3 }
      one: countries(filters: { code: "au" }) { name stateRequired statesOrProvinces { entityId name abbreviation } }
      named: countries(filters: { name: "germany" }) { code }
      none: countries(filters: { code: "XX", name: "Germany" }) { code }
    } }`,
  })
  const { all, one, named, none } = body.data.geography
  expect(all.length).toBe(ALL_COUNTRIES.length)
  expect(all).toContainEqual({ entityId: expect.any(Number), code: 'DE', name: 'Germany', iso3: 'DEU' })
  expect([one.length, one[0].name, one[0].stateRequired]).toEqual([1, 'Australia', true])
  expect(one[0].statesOrProvinces).toContainEqual({
    entityId: expect.any(Number),
    name: 'New South Wales',
    abbreviation: 'NSW',
  })
  expect([named, none]).toEqual([[{ code: 'DE' }], []])
})

test('the countries that the store ships to are those of its enabled zones, and all with a global zone', async () => {
  const countries = async () =>
    (await settingsOf('shipping { supportedShippingDestinations { countries { code } } }')).shipping
      .supportedShippingDestinations.countries
  const zone = async (body: object) => {
    const made = await older('POST', '/shipping/zones', body)
    expect([200, 201], made.text).toContain(made.status)
  }
  expect(await countries()).toEqual([])
  await zone({ name: 'Near', type: 'country', locations: [{ country_iso2: 'AT' }, { country_iso2: 'DE' }] })
  await zone({ name: 'Off', type: 'country', locations: [{ country_iso2: 'FR' }], enabled: false })
  const codes = (await countries()).map(({ code }: { code: string }) => code)
  expect(codes.toSorted()).toEqual(['AT', 'DE'])
  await zone({ name: 'World', type: 'global' })
  expect((await countries()).length).toBe(ALL_COUNTRIES.length)
})

test('the language of a request is the first accepted one that the storefront has', async () => {
  const db = await dbOf(shop)
  const resolved = async (accepted?: string) => {
    const headers: Record<string, string> = accepted === undefined ? {} : { 'accept-language': accepted }
    const { body } = await askStorefront(shop, {
      token,
      query: '{ shopperPreferences { locale { resolved } } }',
      headers,
    })
    return body.data.shopperPreferences.locale.resolved
  }
  await addLocale(db, { channel: 1, standard: 'en' }, 'fr-CA', {})
  await addLocale(db, { channel: 1, standard: 'en' }, 'es', { isActive: false })
  expect(await resolved()).toBe('en')
  expect(await resolved('fr;q=0.5, en;q=0.4')).toBe('fr-CA')
  expect(await resolved('es, fr-fr')).toBe('fr-CA')
  expect(await resolved('zz, ;;; , q=1')).toBe('en')
  expect(await settingsOf('locales { code isDefault path }')).toEqual({
    locales: [
      { code: 'en', isDefault: true, path: '' },
      { code: 'fr-CA', isDefault: false, path: '/fr-CA' },
    ],
  })
})

test('each country has a currency of ISO 4217, with its name and symbol', async () => {
  const query = '{ geography { countries { code currency { code name symbol } } } }'
  const { body } = await askStorefront(shop, { token, query })
  expect(body.errors).toBeUndefined()
  const { countries }: { countries: { code: string; currency: { code: string } }[] } = body.data.geography
  expect(countries).toHaveLength(ALL_COUNTRIES.length)
  expect(countries.filter(({ currency }) => !CURRENCY_CODES.has(currency.code))).toEqual([])
  expect(countries).toEqual(
    expect.arrayContaining([
      { code: 'AT', currency: { code: 'EUR', name: 'Euro', symbol: '€' } },
      { code: 'CH', currency: { code: 'CHF', name: 'Swiss Franc', symbol: 'CHF' } },
      { code: 'JP', currency: { code: 'JPY', name: 'Japanese Yen', symbol: '¥' } },
      { code: 'US', currency: { code: 'USD', name: 'US Dollar', symbol: '$' } },
    ]),
  )
})
