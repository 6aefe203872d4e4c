import { describe, expect, test } from 'vitest'
import { operationName, tagOf } from './operation-names.ts'

describe('the name of an operation', () => {
  test.each([
    ['GET', '/catalog/brands', 'listBrands'],
    ['POST', '/catalog/brands', 'createBrand'],
    ['DELETE', '/catalog/brands', 'deleteBrands'],
    ['GET', '/catalog/brands/{brand_id}', 'getBrand'],
    ['PUT', '/catalog/brands/{brand_id}', 'updateBrand'],
    ['DELETE', '/catalog/brands/{brand_id}', 'deleteBrand'],
    ['POST', '/catalog/brands/{brand_id}/image', 'createBrandImage'],
    ['GET', '/catalog/brands/{brand_id}/metafields', 'listBrandMetafields'],
    ['PUT', '/catalog/categories/{category_id}/metafields/{metafield_id}', 'updateCategoryMetafield'],
    ['GET', '/catalog/products/{product_id}/bulk-pricing-rules', 'listProductBulkPricingRules'],
    ['GET', '/catalog/products/{product_id}/modifiers/{modifier_id}/values/{value_id}', 'getProductModifierValue'],
    ['GET', '/hooks/{webhook_id}/deliveries', 'listWebhookDeliveries'],
    ['GET', '/orders/{order_id}/shipping_addresses', 'listOrderShippingAddresses'],
    ['GET', '/tax/classes/{id}', 'getTaxClass'],
    ['GET', '/carts/settings', 'getCartSettings'],
    ['GET', '/settings/store/locale', 'getSettingsStoreLocale'],
    ['GET', '/catalog', 'getCatalog'],
  ])('%s %s is %s', (method, path, name) => {
    expect(operationName(method, path)).toBe(name)
  })

  test.each([
    ['POST', '/catalog/brands/metafields', 'createBrandMetafields'],
    ['PUT', '/catalog/products', 'updateProducts'],
  ])('%s %s with a list is %s', (method, path, name) => {
    expect(operationName(method, path, { takesMany: true })).toBe(name)
  })

  test('of another family ends in it', () => {
    expect(operationName('GET', '/brands', { family: 'v2' })).toBe('listBrandsV2')
  })
})

test.each([
  ['/catalog/brands', 'Brands'],
  ['/catalog/brands/{brand_id}/image', 'Brands'],
  ['/catalog/brands/metafields', 'Brand metafields'],
  ['/catalog/products/{product_id}/bulk-pricing-rules/{id}', 'Product bulk pricing rules'],
  ['/catalog/products/{product_id}/options/{option_id}/values', 'Option values'],
  ['/hooks/{webhook_id}/recover', 'Webhooks'],
  ['/time', 'Time'],
])('%s belongs to the group %s', (path, tag) => {
  expect(tagOf(path)).toBe(tag)
})
