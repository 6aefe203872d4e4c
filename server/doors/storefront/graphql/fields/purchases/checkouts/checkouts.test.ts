import { beforeEach, expect, test } from 'vitest'
import { ann, createCart, openWithShipping } from '../../../../../../test/carts/checkouts.ts'
import { type Shop, theHouse } from '../../../../../../test/fixtures/shop.ts'
import { payWith } from '../../../../../../test/fixtures/shopper.ts'
import { askStorefront, makeToken } from '../../../../../../test/fixtures/storefront.ts'

// docs/contract/storefront-purchases.md sections 5, 6 and 9.

let shop: Shop
let token: string
let id: string
beforeEach(async () => {
  shop = await openWithShipping()
  token = await makeToken(shop, 'private')
  id = await createCart(shop, { 1: 2, 3: 1 })
})

async function ask(query: string, variables: object = {}) {
  const { status, body } = await askStorefront(shop, { token, query, variables })
  expect(status, query).toBe(200)
  return body
}
const queryOf = (name: string, fields: string) =>
  `mutation ($input: ${name[0]?.toUpperCase()}${name.slice(1)}Input!) { checkout { ${name}(input: $input) { ${fields} } } }`

/** Runs a step of the checkout. */
async function step(name: string, more: object, fields = 'version') {
  const { data, errors } = await ask(queryOf(name, `checkout { ${fields} }`), {
    input: { checkoutEntityId: id, ...more },
  })
  expect(errors, name).toBeUndefined()
  return data.checkout[name].checkout
}
async function refusal(name: string, more: object): Promise<string> {
  const { data, errors } = await ask(queryOf(name, 'checkout { version }'), {
    input: { checkoutEntityId: id, ...more },
  })
  expect(data.checkout[name]).toBeNull()
  return errors[0].message
}
const read = async (fields: string) =>
  (await ask(`query ($id: String) { site { checkout(entityId: $id) { ${fields} } } }`, { id })).data.site.checkout
const complete = async () =>
  (
    await ask(
      queryOf(
        'completeCheckout',
        'orderEntityId paymentAccessToken errors { __typename ... on Error { message } ... on CheckoutBillingAddressError { code context { field value } } ... on CheckoutShippingConsignmentError { shipping: code } ... on CheckoutCouponError { coupon: code } ... on CartLineItemError { line: code } ... on CartError { cart: code } }',
      ),
      { input: { checkoutEntityId: id } },
    )
  ).data.checkout.completeCheckout

const address = {
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
const lampOf = async () =>
  (await read('cart { lineItems { physicalItems { entityId } } }')).cart.lineItems.physicalItems[0].entityId
const shipTo = async (more: object = {}, quantity = 2) => ({
  address: { ...address, ...more },
  lineItems: [{ lineItemEntityId: await lampOf(), quantity }],
})

const MONEY = '{ currencyCode value formattedV2 }'
const amounts = (...names: string[]) =>
  names.flatMap((name) => [name, `${name}InDisplayCurrency`].map((one) => `${one} ${MONEY}`)).join(' ')
const both = (name: string, value: number) => {
  const money = { currencyCode: 'USD', value, formattedV2: `$${value.toFixed(2)}` }
  return { [name]: money, [`${name}InDisplayCurrency`]: money }
}
const ADDRESS = `firstName lastName email company address1 address2 city stateOrProvince stateOrProvinceCode countryCode postalCode phone
  customFields { entityId }`
const OPTION = `entityId description type transitTime imageUrl image { altText } ${amounts('cost')}`
const COUPON = `entityId promotionEntityId code couponType ${amounts('discountedAmount')} displayName status hasMaxLimitReached`
const WHOLE = `id entityId currencyCode displayCurrencyCode billingAddress { entityId ${ADDRESS} } cart { entityId version }
  shippingConsignments { entityId address { ${ADDRESS} } availableShippingOptions { ${OPTION} isRecommended ${amounts('costAfterDiscount')} }
    selectedShippingOption { ${OPTION} } coupons { code } lineItemIds
    ${amounts('shippingCost', 'shippingCostBeforeDiscount', 'comparisonShippingCost', 'handlingCost')} }
  ${amounts('shippingCostTotal', 'shippingCostBeforeDiscount', 'comparisonShippingCost', 'giftWrappingCostTotal', 'handlingCostTotal', 'taxTotal', 'subtotal', 'grandTotal', 'outstandingBalance', 'totalDiscount', 'displayDiscountTotal', 'orderBasedAutoDiscountTotal', 'manualDiscountTotal')}
  taxes { name ${amounts('amount')} } createdAt { utc } updatedAt { utc } customerMessage coupons { ${COUPON} }
  giftCertificates { code } promotions { entityId } fees { id feeType name displayName ${amounts('cost')} source taxClassId } version`

async function coupon(code: string, percentage: number) {
  const off = {
    name: `${percentage} off`,
    code,
    type: 'percentage_discount',
    amount: String(percentage),
    enabled: true,
  }
  const made = await shop.call(
    'POST',
    '/coupons',
    { ...off, applies_to: { entity: 'categories', ids: [0] } },
    { version: 'v2' },
  )
  expect(made.status, made.text).toBeLessThan(300)
}

/** Goes through all steps. */
async function ready() {
  await step('addCheckoutBillingAddress', { data: { address } })
  const { shippingConsignments } = await step(
    'addCheckoutShippingConsignments',
    { data: { consignments: [await shipTo()] } },
    'shippingConsignments { entityId availableShippingOptions { entityId isRecommended } }',
  )
  const [{ entityId: consignmentEntityId, availableShippingOptions }] = shippingConsignments
  const [{ entityId: shippingOptionEntityId }] = availableShippingOptions
  await step('selectCheckoutShippingOption', { consignmentEntityId, data: { shippingOptionEntityId } })
  return { consignmentEntityId, options: availableShippingOptions }
}

test('a checkout has the whole shape, and each write raises its version', async () => {
  await coupon('SAVE', 10)
  const { consignmentEntityId, options } = await ready()
  await step('updateCheckoutCustomerMessage', { data: { message: 'Ring twice' }, version: 4 })
  await step('applyCheckoutCoupon', { data: { couponCode: ' save ' }, version: 5 })
  await shop.call('POST', `/checkouts/${id}/fees`, {
    fees: [{ type: 'custom_fee', name: 'service', display_name: 'Service', cost: 4, source: 'an app' }],
  })
  const found = await read(WHOLE)
  const place = {
    firstName: 'Ann',
    lastName: 'Lee',
    email: 'ann@example.com',
    company: null,
    address1: '1 Mill Road',
    address2: null,
    city: 'Austin',
    stateOrProvince: 'Texas',
    stateOrProvinceCode: 'TX',
    countryCode: 'US',
    postalCode: '78701',
    phone: null,
    customFields: [],
  }
  const option = (entityId: string, type: string, description: string, cost: number) => ({
    entityId,
    description,
    type,
    transitTime: null,
    imageUrl: null,
    image: null,
    ...both('cost', cost),
  })
  const [first, second] = options
  const chosen = option(first.entityId, 'peritem', 'By item', 4)
  const utc = { utc: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z$/) }
  expect(found).toEqual({
    id: Buffer.from(`Checkout:${id}`).toString('base64'),
    entityId: id,
    currencyCode: 'USD',
    displayCurrencyCode: 'USD',
    billingAddress: { entityId: expect.stringMatching(/^\d+$/), ...place },
    cart: { entityId: id, version: 7 },
    shippingConsignments: [
      {
        entityId: consignmentEntityId,
        address: place,
        availableShippingOptions: [
          { ...chosen, isRecommended: true, ...both('costAfterDiscount', 4) },
          {
            ...option(second.entityId, 'perorder', 'Flat', 7),
            isRecommended: false,
            ...both('costAfterDiscount', 7),
          },
        ],
        selectedShippingOption: chosen,
        coupons: [],
        lineItemIds: [await lampOf()],
        ...both('shippingCost', 4),
        ...both('shippingCostBeforeDiscount', 4),
        ...both('comparisonShippingCost', 4),
        ...both('handlingCost', 0),
      },
    ],
    ...both('shippingCostTotal', 4),
    ...both('shippingCostBeforeDiscount', 4),
    ...both('comparisonShippingCost', 4),
    ...both('giftWrappingCostTotal', 0),
    ...both('handlingCostTotal', 0),
    ...both('taxTotal', 0),
    ...both('subtotal', 30),
    ...both('grandTotal', 35),
    ...both('outstandingBalance', 35),
    ...both('totalDiscount', 3),
    ...both('displayDiscountTotal', 0),
    ...both('orderBasedAutoDiscountTotal', 0),
    ...both('manualDiscountTotal', 0),
    taxes: [],
    createdAt: utc,
    updatedAt: utc,
    customerMessage: 'Ring twice',
    coupons: [
      {
        entityId: expect.any(Number),
        promotionEntityId: 0,
        code: 'save',
        couponType: 'PERCENTAGE_DISCOUNT',
        ...both('discountedAmount', 3),
        displayName: '10 off',
        status: 'APPLIED',
        hasMaxLimitReached: true,
      },
    ],
    giftCertificates: [],
    promotions: [],
    fees: [
      {
        id: expect.any(String),
        feeType: 'CUSTOM_FEE',
        name: 'service',
        displayName: 'Service',
        ...both('cost', 4),
        source: 'an app',
        taxClassId: null,
      },
    ],
    version: 7,
  })
  // REST shows the same sums.
  const { body } = await shop.call('GET', `/checkouts/${id}`)
  expect([body.data.grand_total, body.data.subtotal_ex_tax, body.data.version]).toEqual([35, 30, 7])
})

test('a state is named by its id of geography, as public shops send it', async () => {
  const query = '{ geography { countries(filters: { code: "US" }) { statesOrProvinces { entityId name } } } }'
  const { body } = await askStorefront(shop, { token, query })
  const states: { entityId: number; name: string }[] = body.data.geography.countries[0].statesOrProvinces
  const { entityId } = states.find(({ name }) => name === 'Oregon') ?? { entityId: 0 }
  const { address: to, ...more } = await shipTo({ stateOrProvince: String(entityId), stateOrProvinceCode: null })
  const fields = 'shippingConsignments { address { stateOrProvince stateOrProvinceCode } }'
  expect(
    await step('addCheckoutShippingConsignments', { data: { consignments: [{ address: to, ...more }] } }, fields),
  ).toEqual({
    shippingConsignments: [{ address: { stateOrProvince: 'Oregon', stateOrProvinceCode: 'OR' } }],
  })
})

test('consignments are changed and deleted', async () => {
  const { consignmentEntityId } = await ready()
  const fields = 'shippingConsignments { entityId address { city email } selectedShippingOption { entityId } }'
  const consignment = await shipTo({ city: 'Dallas', email: null })
  const changed = await step(
    'updateCheckoutShippingConsignment',
    { consignmentEntityId, data: { consignment } },
    fields,
  )
  // Another address drops the chosen option. An estimate needs no e-mail address.
  expect(changed.shippingConsignments).toEqual([
    { entityId: consignmentEntityId, address: { city: 'Dallas', email: null }, selectedShippingOption: null },
  ])
  const billing = (await read('billingAddress { entityId }')).billingAddress.entityId
  const moved = { addressEntityId: billing, data: { address: { ...address, city: 'Waco' } } }
  expect(await step('updateCheckoutBillingAddress', moved, 'billingAddress { entityId city }')).toEqual({
    billingAddress: { entityId: billing, city: 'Waco' },
  })
  expect(await step('deleteCheckoutConsignment', { consignmentEntityId }, fields)).toEqual({ shippingConsignments: [] })
})

test('mistakes are refused with sentences, and change nothing', async () => {
  const lamp = await lampOf()
  const { version } = await read('version')
  const add = async (more: object, lineItems?: object[]) =>
    refusal('addCheckoutShippingConsignments', {
      data: { consignments: [{ ...(await shipTo(more)), ...(lineItems ? { lineItems } : {}) }] },
    })
  expect(await add({ countryCode: 'XX' })).toBe('There is no country with the code XX.')
  expect(await add({ stateOrProvinceCode: 'BY' })).toBe('The country US has no state BY.')
  expect(await add({ email: 'nobody' })).toMatch(/email/)
  expect(await add({}, [{ lineItemEntityId: lamp, quantity: 3 }])).toBe('The line has only 2.')
  expect(await add({}, [{ lineItemEntityId: lamp, quantity: 0 }])).toBe('The quantity must be 1 or more, not 0.')
  expect(await add({}, [])).toBe('A consignment has 1 to 500 lines.')
  expect(await add({}, [{ lineItemEntityId: 'none', quantity: 1 }])).toBe('This cart has no physical line none.')
  const { cart } = await read('cart { lineItems { digitalItems { entityId } } }')
  expect(await add({}, [{ lineItemEntityId: cart.lineItems.digitalItems[0].entityId, quantity: 1 }])).toBe(
    'A digital line is not shipped.',
  )
  expect(await refusal('addCheckoutShippingConsignments', { data: { consignments: [] } })).toBe(
    'Send at least one consignment.',
  )
  expect(await refusal('updateCheckoutBillingAddress', { addressEntityId: '7', data: { address } })).toBe(
    'This checkout has no billing address 7.',
  )
  expect(await refusal('addCheckoutBillingAddress', { data: { address: { ...address, phone: 'call me' } } })).toMatch(
    /phone/,
  )
  expect(await refusal('addCheckoutBillingAddress', { data: { address }, version: 9 })).toBe(
    'The cart was changed: its version is 1, and not 9.',
  )
  expect(await refusal('deleteCheckoutConsignment', { consignmentEntityId: 'none' })).toBe(
    'This checkout has no consignment none.',
  )
  expect(await refusal('updateCheckoutCustomerMessage', { data: { message: 'x'.repeat(2_001) } })).toMatch(/2,?000/)
  expect(await refusal('applyCheckoutCoupon', { data: { couponCode: 'NOTHING' } })).toBe(
    'Incorrect or mismatch: There is no such coupon code.',
  )
  expect(await refusal('unapplyCheckoutCoupon', { data: { couponCode: 'NOTHING' } })).toBe(
    'This checkout has no coupon NOTHING.',
  )
  expect((await read('version')).version).toBe(version)
  const { consignmentEntityId, options } = await ready()
  expect(
    await refusal('selectCheckoutShippingOption', { consignmentEntityId, data: { shippingOptionEntityId: 'none' } }),
  ).toBe('The consignment has no shipping option none.')
  expect(
    await refusal('selectCheckoutShippingOption', {
      consignmentEntityId: 'none',
      data: { shippingOptionEntityId: options[0].entityId },
    }),
  ).toBe('This checkout has no consignment none.')
})

test('a coupon can be applied once and removed', async () => {
  await coupon('SAVE', 10)
  expect(
    await step('applyCheckoutCoupon', { data: { couponCode: 'SAVE' } }, 'coupons { code } grandTotal { value }'),
  ).toEqual({ coupons: [{ code: 'SAVE' }], grandTotal: { value: 27 } })
  expect(await step('applyCheckoutCoupon', { data: { couponCode: 'save' } }, 'coupons { code }')).toEqual({
    coupons: [{ code: 'SAVE' }],
  })
  expect(
    await step('unapplyCheckoutCoupon', { data: { couponCode: 'save' } }, 'coupons { code } grandTotal { value }'),
  ).toEqual({ coupons: [], grandTotal: { value: 30 } })
})

test('a completed checkout is an order that its token pays, and then it is gone', async () => {
  await ready()
  const { orderEntityId, paymentAccessToken, errors } = await complete()
  expect([orderEntityId, errors]).toEqual([expect.any(Number), []])
  const { body: order } = await shop.call('GET', `/orders/${orderEntityId}`, undefined, { version: 'v2' })
  expect(order).toMatchObject({ status_id: 0, total_inc_tax: '34.0000', cart_id: id })
  expect((await payWith(shop, paymentAccessToken)).status).toBe(201)
  expect(await read('version')).toBeNull()
  expect((await complete()).errors).toEqual([{ __typename: 'CartError', message: 'Not Found', cart: 'CART_NOT_FOUND' }])
})

test('all that keeps a checkout from its order is reported together', async () => {
  expect(await complete()).toEqual({
    orderEntityId: null,
    paymentAccessToken: null,
    errors: [
      {
        __typename: 'CheckoutBillingAddressError',
        code: 'INCOMPLETE_BILLING_ADDRESS',
        message: 'The checkout has no billing address.',
        context: [{ field: '$.checkoutEntityId', value: id }],
      },
      {
        __typename: 'CheckoutShippingConsignmentError',
        shipping: 'ITEM_MISSING_SHIPPING_ADDRESS',
        message: 'Every physical item must be in a consignment.',
      },
    ],
  })
  await step('addCheckoutShippingConsignments', { data: { consignments: [await shipTo({ firstName: null })] } })
  await step('addCheckoutBillingAddress', { data: { address } })
  expect(
    (await complete()).errors.map(({ shipping, message }: { shipping: string; message: string }) => [
      shipping,
      message,
    ]),
  ).toEqual([
    ['INCOMPLETE_SHIPPING_ADDRESS', 'A shipping address for this order is incomplete: first_name.'],
    ['INVALID_SHIPPING_OPTION', 'The consignment has no shipping option.'],
  ])
})

test('a checkout of a customer exists for that customer alone', async () => {
  const { body } = await shop.call('POST', '/customers', [{ email: ann.email, first_name: 'Ann', last_name: 'Lee' }])
  await shop.call('PUT', `/carts/${id}`, { customer_id: body.data[0].id })
  expect(await read('version')).toBeNull()
  for (const [name, more] of [
    ['addCheckoutBillingAddress', { data: { address } }],
    ['updateCheckoutBillingAddress', { addressEntityId: '1', data: { address } }],
    ['updateCheckoutCustomerMessage', { data: { message: 'Hi' } }],
    [
      'addCheckoutShippingConsignments',
      { data: { consignments: [{ address, lineItems: [{ lineItemEntityId: 'x', quantity: 1 }] }] } },
    ],
    [
      'updateCheckoutShippingConsignment',
      {
        consignmentEntityId: 'x',
        data: { consignment: { address, lineItems: [{ lineItemEntityId: 'x', quantity: 1 }] } },
      },
    ],
    ['deleteCheckoutConsignment', { consignmentEntityId: 'x' }],
    ['selectCheckoutShippingOption', { consignmentEntityId: 'x', data: { shippingOptionEntityId: 'x' } }],
    ['applyCheckoutCoupon', { data: { couponCode: 'X' } }],
    ['unapplyCheckoutCoupon', { data: { couponCode: 'X' } }],
  ] as const) {
    expect(await refusal(name, more), name).toBe('Not Found')
  }
  expect((await complete()).errors).toEqual([{ __typename: 'CartError', message: 'Not Found', cart: 'CART_NOT_FOUND' }])
})

test.each([
  ['203.0.113.7', { ip_address: '203.0.113.7', ip_address_v6: '' }],
  ['2001:db8::1', { ip_address: '', ip_address_v6: '2001:db8::1' }],
])('an order has the address of its shopper that the shop proves by its secret: %s', async (shopper, expected) => {
  const { installation } = await theHouse()
  const digital = await createCart(shop, { 3: 1 })
  expect((await shop.call('POST', `/checkouts/${digital}/billing-address`, ann)).status).toBe(200)
  const complete = async (headers: Record<string, string>) => {
    const query = queryOf('completeCheckout', 'orderEntityId')
    const variables = { input: { checkoutEntityId: digital } }
    const { body } = await askStorefront(shop, { token, query, variables, headers })
    const { orderEntityId } = body.data.checkout.completeCheckout
    return (await shop.call('GET', `/orders/${orderEntityId}`, undefined, { version: 'v2' })).body
  }
  const secret = installation.secrets.proxySecret(shop.store.hash)
  const proof = { 'x-svc-trusted-proxy-secret': secret, 'x-forwarded-for': shopper }
  expect(await complete(proof)).toMatchObject(expected)
  expect(await complete({ ...proof, 'x-svc-trusted-proxy-secret': 'wrong' })).toMatchObject({
    ip_address: '',
    ip_address_v6: '',
  })
})
