import { afterAll, beforeAll, expect, test } from 'vitest'
import { openShop } from '../server/test/fixtures/shop.ts'
import { registerTaxProvider } from '../server/test/fixtures/tax.ts'
import { plainClient } from './clients.ts'
import { openPort, type Port } from './port.ts'

// The client of other-client-catalog.test.ts sets prices, taxes and shipping, and asks for the prices of a shopper.

let port: Port
beforeAll(async () => {
  port = await openPort()
})
afterAll(() => port.close())

/** A shop with products of one variant each. */
async function connect(products: number) {
  const shop = await openShop()
  for (let i = 1; i <= products; i++) {
    await shop.call('POST', '/catalog/products', { name: `Mug ${i}`, type: 'physical', weight: 1, price: 10 + i })
  }
  return { shop, client: plainClient(port, shop) }
}

test('a public client creates a price list, fills it, assigns it, and reads what a group pays', async () => {
  const { shop, client } = await connect(3)
  const { priceLists, pricing } = client
  const { priceListRecords: records, priceListAssignments: assignments } = priceLists
  const group = await shop.call('POST', '/customer_groups', { name: 'Trade' }, { version: 'v2' })
  const customer_group_id: number = group.body.id

  const list = (await priceLists.createPriceList({ name: 'Trade 2027', active: true })).data
  expect(list).toMatchObject({ id: 1, name: 'Trade 2027', active: true })
  expect((await priceLists.updatePriceList(1, { name: 'Trade' })).data).toMatchObject({ id: 1, name: 'Trade' })
  expect((await priceLists.getAllPriceLists({ name: 'Trade' })).data).toHaveLength(1)

  const tiers = [{ quantity_min: 10, quantity_max: 99, type: 'fixed', amount: 7 }]
  await records.upsertPriceListRecords(1, [
    { variant_id: 1, currency: 'usd', price: 9 },
    { variant_id: 2, currency: 'usd', price: 8, bulk_pricing_tiers: tiers },
  ])
  const third = await records.setPriceListRecordByCurrencyCode(1, 3, 'usd', { price: 7, sale_price: 6.5 })
  expect(third.data).toMatchObject({ price_list_id: 1, variant_id: 3, price: 7, calculated_price: 6.5 })
  const found = await records.getAllPriceListRecords(1, { include: ['bulk_pricing_tiers'] }, 2, 1)
  expect(found.data).toMatchObject([{ variant_id: 2, price: 8, bulk_pricing_tiers: tiers }])
  expect(found.meta.pagination).toMatchObject({ total: 3, total_pages: 3, current_page: 2 })
  expect((await records.getPriceListRecordByVariant(1, 1)).data).toMatchObject([{ currency: 'usd', price: 9 }])
  await records.deletePriceListRecordByCurrencyCode(1, 3, 'usd')
  // The client answers null for a 404.
  expect(await records.getPriceListRecordByCurrencyCode(1, 3, 'usd')).toBeNull()

  await assignments.createPriceListAssignments([{ price_list_id: 1, customer_group_id, channel_id: 1 }])
  expect((await assignments.getAllPriceListAssignments({ customer_group_id })).data).toMatchObject([
    { id: 1, price_list_id: 1, customer_group_id, channel_id: 1 },
  ])
  const pricesOf = async (more: object) => {
    const items = [1, 2, 3].map((product_id) => ({ product_id }))
    const { data } = await pricing.products.batchGetPrices({ channel_id: 1, currency_code: 'USD', items, ...more })
    return data.map((item: { calculated_price: { tax_exclusive: number } }) => item.calculated_price.tax_exclusive)
  }
  expect(await pricesOf({})).toEqual([11, 12, 13])
  expect(await pricesOf({ customer_group_id })).toEqual([9, 8, 13])
  await assignments.deletePriceListAssignments({ price_list_id: 1 })
  expect(await pricesOf({ customer_group_id })).toEqual([11, 12, 13])
  await records.deletePriceListRecords(1, { 'variant_id:in': [1] })
  expect((await records.getAllPriceListRecords(1)).data).toHaveLength(1)
  await priceLists.deleteAllPriceLists({ 'id:in': [1] })
  expect((await priceLists.getAllPriceLists()).data).toEqual([])
})

test('a public client sets up taxes, and the prices of a shopper contain them', async () => {
  const { shop, client } = await connect(1)
  const { taxClasses, taxProperties, taxProviderConnection, taxSettings } = client
  const { taxRates, taxZones } = client.taxRatesAndZones
  expect((await taxClasses.getAllTaxClasses()).map(({ name }: { name: string }) => name)).toEqual([
    'Non-Taxable Products',
    'Shipping',
    'Gift Wrapping',
  ])
  expect(await taxClasses.getTaxClass(2)).toMatchObject({ id: '2', name: 'Shipping' })

  const germany = { name: 'Germany', shopper_target_settings: { locations: [{ country_code: 'DE' }] } }
  const [zone] = (await taxZones.createTaxZones([germany])).data
  expect(zone).toMatchObject({ name: 'Germany', enabled: true })
  const rate = { name: 'MwSt', tax_zone_id: zone.id, class_rates: [{ rate: 19, tax_class_id: 0 }] }
  const [made] = (await taxRates.createTaxRates([rate])).data
  expect((await taxRates.updateTaxRates([{ id: made.id, priority: 2 }])).data).toMatchObject([{ ...rate, priority: 2 }])
  expect((await taxRates.getTaxRates({ 'tax_zone_id:in': [zone.id] })).data).toHaveLength(1)
  const asked = { channel_id: 1, currency_code: 'USD', country_code: 'DE', items: [{ product_id: 1 }] }
  const price = async () => (await client.pricing.products.batchGetPrices(asked)).data[0].price
  expect(await price()).toMatchObject({ tax_exclusive: 11, tax_inclusive: 13.09, entered_inclusive: false })

  const settings = (await taxSettings.getTaxSettings()).data
  expect(settings).toMatchObject({ tax_entered_with_prices: false })
  const changed = { ...settings, tax_entered_with_prices: true }
  expect((await taxSettings.updateTaxSettings(changed)).data).toEqual(changed)
  expect((await price()).entered_inclusive).toBe(true)

  const property = { code: 'reuse', display_name: 'Reusable', type: 'PRODUCT' }
  const [stored] = (await taxProperties.createTaxProperties([property])).data
  expect(stored).toMatchObject(property)
  const values = [{ product_id: 1, tax_properties: { reuse: 'yes' } }]
  await taxProperties.productTaxProperties.updateProductTaxProperties(values)
  const filter = { 'product_id:in': [1] }
  expect((await taxProperties.productTaxProperties.getProductTaxProperties(filter)).data).toMatchObject(values)
  await taxProperties.productTaxProperties.deleteProductTaxProperties(filter)
  await taxProperties.deleteTaxProperties({ 'id:in': [stored.id] })
  expect((await taxProperties.getTaxProperties()).data).toEqual([])

  const provider = await registerTaxProvider(shop)
  expect(await taxProviderConnection.getConnectionStatus(provider)).toMatchObject({ data: { configured: false } })
  const credentials = { username: 'shop', password: 'secret' }
  await taxProviderConnection.updateConnection(provider, credentials)
  expect(await taxProviderConnection.getConnectionStatus(provider)).toMatchObject({
    data: { username: 'shop', configured: true },
  })
  await taxProviderConnection.deleteConnection(provider)

  await taxRates.deleteTaxRates({ 'id:in': [made.id] })
  await taxZones.deleteTaxZones({ 'id:in': [zone.id] })
  expect((await taxZones.getTaxZones()).data).toHaveLength(1)
})

test('a public client sets up shipping zones, methods, a carrier and customs information', async () => {
  const { client } = await connect(1)
  const { shippingZones, shippingMethod: shippingMethods, shippingCarrier } = client.shippingV2
  const locations = [{ country_iso2: 'DK' }, { country_iso2: 'SE' }]
  const zone = await shippingZones.createShippingZone({ name: 'North', type: 'country', locations })
  expect(zone).toMatchObject({ id: 1, name: 'North', enabled: true })
  const free = { enabled: true, minimum_sub_total: '100.0000', exclude_fixed_shipping_products: false }
  expect(await shippingZones.updateShippingZone(1, { name: 'Nordic', free_shipping: free })).toMatchObject({
    name: 'Nordic',
    free_shipping: free,
  })
  expect(await shippingZones.getAllShippingZones()).toHaveLength(1)

  const flat = { name: 'Post', type: 'perorder', settings: { rate: 7 }, enabled: true }
  expect(await shippingMethods.createShippingMethod(1, flat)).toMatchObject({ id: 1, ...flat })
  expect(await shippingMethods.updateShippingMethod(1, 1, { ...flat, settings: { rate: 8 } })).toMatchObject({
    settings: { rate: 8 },
  })
  expect(await shippingMethods.getAllShippingMethodsInZone(1)).toMatchObject([{ id: 1, name: 'Post' }])

  await shippingCarrier.createCarrierConnection({
    carrier_id: 'auspost',
    connection: { auth_key: 'key', test_mode: true },
  })
  await shippingMethods.createShippingMethod(1, { name: 'Carrier', type: 'auspost', settings: { carrier_options: {} } })
  await shippingCarrier.deleteCarrierConnection('auspost')
  expect(await shippingMethods.getAllShippingMethodsInZone(1)).toHaveLength(1)

  const { customsInformation } = client.shippingV3
  const customs = {
    product_id: 1,
    country_of_origin: 'DK',
    commodity_description: 'Mug',
    international_shipping: true,
    hs_codes: { ALL: '691110' },
  }
  expect((await customsInformation.upsertCustomsInformation([customs])).data).toMatchObject([customs])
  const filter = { 'product_id:in': [1] }
  expect((await customsInformation.getCustomsInformation(filter)).data).toHaveLength(1)
  await customsInformation.deleteCustomsInformation(filter)
  expect((await customsInformation.getCustomsInformation(filter)).data).toEqual([])

  await shippingMethods.deleteShippingMethod(1, 1)
  await shippingZones.deleteShippingZone(1)
})
