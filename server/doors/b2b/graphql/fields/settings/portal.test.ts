import { describe, expect, test } from 'vitest'
import { addExtraField } from '../../../../../sales/b2b/extra-fields/definitions.ts'
import { setPortalSetting } from '../../../../../sales/b2b/portal/settings.ts'
import { ADMIN, codeOf, dataOf, openBuyers, tokenAt } from '../../../../../test/buyers.ts'
import { dbOf } from '../../../../../test/fixtures/webhooks.ts'

// docs/contract/b2b-graphql.md section 6.

const CONFIGS =
  'query ($s: String!, $k: [String]) { storefrontConfigs(storeHash: $s, keys: $k) { key value extraFields } }'

describe('settings of the portal', () => {
  test('have defaults with which every menu entry shows (first failures 2)', async () => {
    const { shop } = await openBuyers()
    const s = shop.store.hash
    const keys = ['shopping_list_on_product_page', 'company_auto_approval', 'quote_logo', 'PROJECT-1.words', 'unknown']
    const { storefrontConfigs } = await dataOf(CONFIGS, { variables: { s, k: keys } })
    expect(storefrontConfigs).toEqual([
      { key: 'shopping_list_on_product_page', value: '1', extraFields: { b2b: true, b2c: true, guest: false } },
      { key: 'company_auto_approval', value: '0', extraFields: {} },
      { key: 'quote_logo', value: '', extraFields: {} },
      { key: 'PROJECT-1.words', value: 'false', extraFields: {} },
    ])
    const query = `{
      storefrontConfig(storeHash: "${s}") { configId config { buyAgain dashboard orders messages invoice { enabledStatus value } } }
      storeBasicInfo(storeHash: "${s}", bcChannelId: 1) { storeName multiStorefrontEnabled
        storeSites { channelId b3ChannelId b2bEnabled translationVersion urls } timeFormat { display offset } }
      currencies(storeHash: "${s}", channelId: "1") { currencies { id currency_code token_location is_default }
        channelCurrencies enteredInclusiveTax }
      storefrontDefaultLanguage(storeHash: "${s}", channelId: 1) { language }
      addressConfig(storeHash: "${s}") { key isEnabled }
      storefrontSettings(storeHash: "${s}") { backorderDisplaySettings { showBackorderMessage } }
      storefrontProductSettings(storeHash: "${s}") { hidePriceFromGuests showProductPrice }
      quoteConfig(storeHash: "${s}") { switchStatus { key isEnabled } }
      storeLimitations(storeHash: "${s}", limitationType: 1) { canCreate }
      autoLoader(storeHash: "${s}") { storefrontUrl }
      storefrontScript(storeHash: "${s}") { channelId script }
    }`
    const data = await dataOf(query)
    expect(data.storefrontConfig).toEqual({
      configId: 1,
      config: {
        buyAgain: true,
        dashboard: true,
        orders: true,
        messages: false,
        invoice: { enabledStatus: true, value: true },
      },
    })
    const [url] = data.storeBasicInfo.storeSites[0].urls
    expect(data.storeBasicInfo).toEqual({
      storeName: expect.any(String),
      multiStorefrontEnabled: false,
      storeSites: [{ channelId: 1, b3ChannelId: 1, b2bEnabled: true, translationVersion: 0, urls: [url] }],
      timeFormat: { display: 'jS M Y', offset: 0 },
    })
    expect(data.autoLoader).toEqual({ storefrontUrl: url })
    expect(data.currencies).toEqual({
      currencies: [{ id: '1', currency_code: 'USD', token_location: 'left', is_default: true }],
      channelCurrencies: { channel_id: 1, enabled_currencies: ['USD'], default_currency: 'USD' },
      enteredInclusiveTax: false,
    })
    expect(data.storefrontDefaultLanguage).toEqual({ language: 'en' })
    expect(data.addressConfig).toContainEqual({ key: 'address_book', isEnabled: '1' })
    expect(data.addressConfig.length).toBe(4)
    expect(data.storefrontSettings.backorderDisplaySettings).toEqual({ showBackorderMessage: false })
    expect(data.storefrontProductSettings).toEqual({ hidePriceFromGuests: false, showProductPrice: true })
    expect(data.quoteConfig.switchStatus).toContainEqual({ key: 'quote_for_b2b', isEnabled: '1' })
    expect(data.storeLimitations).toEqual({ canCreate: true })
    expect(data.storefrontScript).toEqual({ channelId: 1, script: '' })
  })

  test('are changed for the store and for a channel, whose value wins', async () => {
    const { shop } = await openBuyers()
    const db = await dbOf(shop)
    const set = (key: string, given: string, channel = 0) => setPortalSetting(db, { key, given, channel })
    await set('quote_for_guest', 'on')
    await set('portal_style', '{"primaryColor": "#000000"}')
    await set('portal_style', '{"primaryColor": "#ffffff"}', 1)
    await set('quotes', 'off')
    const s = shop.store.hash
    const { storefrontConfigs } = await dataOf(CONFIGS, { variables: { s, k: ['quote_for_guest', 'portal_style'] } })
    expect(storefrontConfigs).toEqual([
      { key: 'quote_for_guest', value: '1', extraFields: {} },
      {
        key: 'portal_style',
        value: '1',
        extraFields: { primaryColor: '#ffffff', backgroundColor: expect.any(String) },
      },
    ])
    const { storefrontConfig } = await dataOf(`{ storefrontConfig(storeHash: "${s}") { config { quotes } } }`)
    expect(storefrontConfig.config).toEqual({ quotes: false })
    await expect(set('nothing', 'on')).rejects.toThrow('There is no setting nothing.')
    await expect(set('A-1.switch', 'on')).rejects.toThrow('There is no setting')
    await expect(set('quotes', 'perhaps')).rejects.toThrow('quotes is on or off.')
    await expect(set('quotes', 'on', 99)).rejects.toThrow('The store has no channel 99.')
    await expect(set('quote_expiration_days', '0')).rejects.toThrow('The days are 1 to 999.')
    await expect(set('quote_expiration_days', '1000')).rejects.toThrow('The days are 1 to 999.')
    expect(await set('quote_expiration_days', '999')).toMatchObject({ value: '999' })
  })

  test('are those of the store of the token, and guests name a store', async () => {
    const { shop } = await openBuyers()
    const other = await openBuyers()
    const token = await tokenAt(shop, ADMIN)
    const query = (hash: string) => `{ storefrontConfig(storeHash: "${hash}") { configId } }`
    expect(await codeOf(query(other.shop.store.hash), { token })).toBe(401)
    expect(await codeOf(query('zzzzzz'))).toBe(404)
    expect(await codeOf(query(other.shop.store.hash))).toBeUndefined()
    const status = '{ storeConfigSwitchStatus(key: "account_hierarchy") { key isEnabled } }'
    expect(await codeOf(status)).toBe(401)
    expect(await dataOf(status, { token })).toEqual({
      storeConfigSwitchStatus: { key: 'account_hierarchy', isEnabled: '1' },
    })
    expect(await dataOf('{ storeConfigSwitchStatus(key: "junior_place_order") { isEnabled } }', { token })).toEqual({
      storeConfigSwitchStatus: { isEnabled: '0' },
    })
    expect(await dataOf('{ storeConfigSwitchStatus(key: "nothing") { isEnabled } }', { token })).toEqual({
      storeConfigSwitchStatus: null,
    })
  })
})

test('forms list the fields of a registration and the visible extra fields', async () => {
  const { shop } = await openBuyers()
  const db = await dbOf(shop)
  const field = (kind: 'company' | 'quote', name: string, isVisible: boolean) =>
    addExtraField(db, {
      kind,
      name,
      type: 'text',
      isRequired: true,
      isUnique: false,
      isVisible,
      defaultValue: '',
      maximumLength: 40,
      rows: undefined,
      maximumValue: undefined,
      values: [],
    })
  await field('company', 'Tax id', true)
  await field('company', 'Rating', false)
  await field('quote', 'Project', true)
  const s = shop.store.hash
  const data = await dataOf(`{
    companyExtraFields(storeHash: "${s}") { fieldName fieldType isRequired maximumLength visibleToEnduser labelName }
    addressExtraFields(storeHash: "${s}") { fieldName }
    quoteExtraFieldsConfig(storeHash: "${s}") { id fieldName isUnique }
    accountFormFields(storeHash: "${s}", formType: 2) { fieldId fieldName groupId isRequired custom fieldType }
    customer: accountFormFields(storeHash: "${s}", formType: 1) { fieldName }
  }`)
  expect(data.companyExtraFields).toEqual([
    {
      fieldName: 'Tax id',
      fieldType: 0,
      isRequired: true,
      maximumLength: '40',
      visibleToEnduser: true,
      labelName: 'Tax id',
    },
  ])
  expect(data.addressExtraFields).toEqual([])
  expect(data.quoteExtraFieldsConfig).toEqual([{ id: expect.any(String), fieldName: 'Project', isUnique: false }])
  expect(data.accountFormFields).toContainEqual({
    fieldId: expect.any(String),
    fieldName: 'Tax id',
    groupId: 3,
    isRequired: true,
    custom: true,
    fieldType: 'text',
  })
  const names = data.accountFormFields.map(({ fieldName }: { fieldName: string }) => fieldName)
  expect(names).toEqual(expect.arrayContaining(['first_name', 'company_name', 'country', 'password']))
  expect(names).not.toContain('Rating')
  expect(data.customer).toContainEqual({ fieldName: 'postal_code' })
  const token = await tokenAt(shop, ADMIN)
  expect(await dataOf('{ userExtraFields { fieldName } }', { token })).toEqual({ userExtraFields: [] })
  expect(await codeOf('{ userExtraFields { fieldName } }')).toBe(401)
})
