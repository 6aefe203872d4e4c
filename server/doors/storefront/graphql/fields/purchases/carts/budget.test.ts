import { expect, test } from 'vitest'
import { ann, checkoutOf, createCart, openWithShipping } from '../../../../../../test/carts/checkouts.ts'
import { askStorefront, makeToken } from '../../../../../../test/fixtures/storefront.ts'
import { isOfGate, overhear } from '../../../../../../test/harness/overhear.ts'

// The operation of the page of a cart, as the public shop asks for it: cart, checkout, options, countries and settings.

const M = '{ value currencyCode }'
const CART_PAGE = `query ($id: String) { site {
  settings { url { checkoutUrl } giftCertificates { isEnabled } locales { code isDefault } }
  cart(entityId: $id) { entityId version currencyCode discountedAmount ${M} lineItems { totalQuantity
    physicalItems { entityId name brand sku quantity image { url: urlTemplate } productEntityId variantEntityId url
      extendedListPrice ${M} extendedSalePrice ${M} originalPrice ${M} listPrice ${M}
      selectedOptions { __typename entityId name ... on CartSelectedMultipleChoiceOption { value valueEntityId } } }
    digitalItems { entityId name quantity } giftCertificates { entityId name amount ${M} } } }
  checkout(entityId: $id) { entityId subtotal ${M} grandTotal ${M} outstandingBalance ${M} taxTotal ${M} shippingCostTotal ${M}
    handlingCostTotal ${M} coupons { code discountedAmount ${M} } giftCertificates { code balance ${M} }
    shippingConsignments { entityId address { city countryCode stateOrProvince postalCode }
      availableShippingOptions { entityId description cost ${M} } selectedShippingOption { entityId description cost ${M} } } } }
  geography { countries { code name statesOrProvinces { entityId name abbreviation } } } }`

test('the page of a cart with five lines takes at most 14 statements in at most 8 round trips', async () => {
  const shop = await openWithShipping()
  for (const name of ['Cup', 'Bowl']) {
    await shop.call('POST', '/catalog/products', { name, type: 'physical', weight: 1, price: 4 })
  }
  const id = await createCart(shop, { 1: 2, 2: 1, 3: 1, 4: 1, 5: 3 })
  const checkout = checkoutOf(shop, id)
  const items = Object.entries(await checkout.lines())
    .filter(([product]) => product !== '3')
    .map(([, item_id]) => ({ item_id, quantity: 1 }))
  await checkout.call('POST', '/consignments', [{ address: ann, line_items: items }])
  const token = await makeToken(shop, 'private')
  const ask = () => askStorefront(shop, { token, query: CART_PAGE, variables: { id } })
  await ask()
  const heard = overhear()
  const { body } = await ask()
  heard.stop()
  expect(body.errors).toBeUndefined()
  expect(body.data.site.checkout.shippingConsignments[0].availableShippingOptions).toHaveLength(2)
  const isFrame = ({ text }: { text: string }) => text === 'begin' || text === 'commit'
  const statements = heard.statements.filter((one) => !isOfGate(one) && !isFrame(one) && !one.dropsRows)
  const trips = heard.pieces.filter((piece) => piece.some((one) => !isOfGate(one)))
  expect(statements.length, statements.map(({ text }) => text.slice(0, 90)).join('\n')).toBeLessThanOrEqual(14)
  expect(trips.length).toBeLessThanOrEqual(8)
})
