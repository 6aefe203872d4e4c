/** The store and the purchases of the benches of shoppers. */

const LINES = 5
const PRODUCTS = 50
const PROMOTIONS = 20

const PLACE = {
  firstName: 'Ann',
  lastName: 'Lee',
  email: 'ann@example.com',
  address1: '1 Mill Road',
  city: 'Austin',
  stateOrProvinceCode: 'TX',
  countryCode: 'US',
  postalCode: '78701',
  shouldSaveAddress: false,
}
/** Sends a request to the management API of a store. */
type Send = (method: 'POST', path: string, body: object) => Promise<unknown>

/** Gives a store products, automatic promotions, a shipping zone with a method, and a tax. */
export async function furnish(call: Send) {
  for (let i = 1; i <= PRODUCTS; i++) {
    await call('POST', '/v3/catalog/products', { name: `Mug ${i}`, type: 'physical', weight: 1, price: 10 + i })
  }
  for (let i = 1; i <= PROMOTIONS; i++) {
    const rules = [{ action: { cart_items: { discount: { percentage_amount: '1' }, items: { products: [i] } } } }]
    await call('POST', '/v3/promotions', { redemption_type: 'AUTOMATIC', name: `Promotion ${i}`, rules })
  }
  await call('POST', '/v2/shipping/zones', { name: 'World', type: 'global' })
  await call('POST', '/v2/shipping/zones/1/methods', { name: 'Flat', type: 'perorder', settings: { rate: 7 } })
  const class_rates = [0, 1, 2, 3].map((tax_class_id) => ({ tax_class_id, rate: 8 }))
  await call('POST', '/v3/tax/rates', [{ tax_zone_id: 1, name: 'Tax', enabled: true, priority: 1, class_rates }])
}

/** The lines of a new cart by REST. */
export const LINE_ITEMS = Array.from({ length: LINES }, (_, i) => ({ product_id: i + 1, quantity: 2 }))

/** The same cart with addresses and an option by GraphQL. */
export const NEW_CHECKOUT = {
  lineItems: LINE_ITEMS.map(({ product_id, quantity }) => ({ productEntityId: product_id, quantity })),
  billingAddress: PLACE,
  shippingConsignments: [{ address: PLACE, selectRecommendedOption: true }],
}

export const CREATE = `mutation ($input: CreateCheckoutInput!) { checkout { createCheckout(input: $input) { checkout { entityId } errors { ... on Error { message } } } } }`
export const COMPLETE = `mutation ($id: String!) { checkout { completeCheckout(input: { checkoutEntityId: $id }) {
  orderEntityId paymentAccessToken errors { ... on Error { message } } } } }`

/** A payment with a card that the test gateway takes. */
export const CARD_PAYMENT = {
  payment: {
    instrument: {
      type: 'card',
      number: '4111111111111111',
      cardholder_name: 'Ann',
      expiry_month: 12,
      expiry_year: 2099,
    },
    payment_method_id: 'testgateway.card',
  },
}
