import { beforeAll, expect, test } from 'vitest'
import { openWithGoods, stockUp } from '../../../../../../test/fixtures/goods.ts'
import { openShop, type Shop } from '../../../../../../test/fixtures/shop.ts'
import { askStorefront, makeToken } from '../../../../../../test/fixtures/storefront.ts'
import { rowsOf } from '../../../../../../test/fixtures/webhooks.ts'

let shop: Shop
let token: string
let ann: number
let bo: number

/** Asks as a customer, or as a guest. */
async function ask(query: string, variables: object = {}, customer?: number) {
  const headers: Record<string, string> = customer === undefined ? {} : { 'x-svc-customer-id': String(customer) }
  const { status, body } = await askStorefront(shop, { token, query, variables, headers })
  expect(status, query).toBe(200)
  return body
}

/** Runs a mutation of carts. @returns its result */
async function mutate(name: string, input: object, customer?: number, fields = 'cart { entityId version }') {
  const type = `${name[0]?.toUpperCase()}${name.slice(1)}Input!`
  const query = `mutation ($input: ${type}) { cart { ${name}(input: $input) { ${fields} } } }`
  const { data, errors } = await ask(query, { input }, customer)
  expect(errors, name).toBeUndefined()
  return data.cart[name]
}

/** The message by which a mutation is refused. */
async function refusal(name: string, input: object, customer?: number): Promise<string> {
  const type = `${name[0]?.toUpperCase()}${name.slice(1)}Input!`
  const fields = name === 'deleteCart' ? 'deletedCartEntityId' : 'cart { entityId }'
  const query = `mutation ($input: ${type}) { cart { ${name}(input: $input) { ${fields} } } }`
  const { data, errors } = await ask(query, { input }, customer)
  expect(data?.cart[name] ?? null, name).toBeNull()
  return errors[0].message
}

const cartOf = async (entityId: string | null, customer?: number, fields = 'entityId version') =>
  (await ask(`query ($entityId: String) { site { cart(entityId: $entityId) { ${fields} } } }`, { entityId }, customer))
    .data.site.cart

const make = async (
  lineItems: object[] = [{ productEntityId: 1, quantity: 1 }],
  customer?: number,
  more: object = {},
) => (await mutate('createCart', { lineItems, ...more }, customer)).cart

const certificate = {
  name: 'For Bob',
  theme: 'BIRTHDAY',
  amount: 25,
  quantity: 1,
  sender: { name: 'Ann', email: 'ann@example.com' },
  recipient: { name: 'Bob', email: 'bob@example.com' },
  message: 'Enjoy',
}
/** A shirt of size M with a picture on it: the option 1 with the value 2, and the modifier 1 with the value 3. */
const shirt = {
  productEntityId: 2,
  variantEntityId: 3,
  quantity: 1,
  selectedOptions: { multipleChoices: [{ optionEntityId: 1, optionValueEntityId: 3 }] },
}

beforeAll(async () => {
  shop = (await openWithGoods()).shop
  token = await makeToken(shop, 'impersonation')
  await stockUp(shop, { product_id: 1, quantity: 9 })
  const people = ['ann', 'bo'].map((name) => ({ email: `${name}@example.com`, first_name: name, last_name: 'Lee' }))
  const { body } = await shop.call('POST', '/customers', people)
  ;[ann, bo] = body.data.map(({ id }: { id: number }) => id)
  for (const fields of [
    {
      display_name: 'Note',
      type: 'text',
      required: false,
      config: { text_characters_limited: true, text_max_length: 5 },
    },
    {
      display_name: 'Day',
      type: 'date',
      required: false,
      config: { date_limited: true, date_limit_mode: 'earliest', date_earliest_value: '2030-01-01' },
    },
    { display_name: 'Size in cm', type: 'numbers_only_text', required: false },
    { display_name: 'Poem', type: 'multi_line_text', required: false },
    { display_name: 'Box', type: 'checkbox', required: false, config: { checkbox_label: 'Yes' } },
  ]) {
    const made = await shop.call('POST', '/catalog/products/1/modifiers', fields)
    expect(made.status, made.text).toBe(200)
  }
})

const MONEY = '{ currencyCode value formattedV2 }'
const amounts = (...names: string[]) =>
  names.flatMap((name) => [name, `${name}InDisplayCurrency`].map((one) => `${one} ${MONEY}`)).join(' ')
const LINE = `entityId parentEntityId productEntityId variantEntityId sku name url imageUrl brand quantity isTaxable isMutable
  discounts { entityId ${amounts('discountedAmount')} }
  ${amounts('discountedAmount', 'couponAmount', 'listPrice', 'originalPrice', 'salePrice', 'extendedListPrice', 'extendedComparisonPrice', 'comparisonPrice', 'extendedSalePrice', 'retailPrice', 'taxTotal')}
  selectedOptions { __typename entityId name attributeId ... on CartSelectedMultipleChoiceOption { value valueEntityId }
    ... on CartSelectedCheckboxOption { value valueEntityId } ... on CartSelectedDateFieldOption { date { utc } }
    ... on CartSelectedNumberFieldOption { number } ... on CartSelectedTextFieldOption { text }
    ... on CartSelectedMultiLineTextFieldOption { text } }
  addedByAttributeId stockPosition { quantityOnHand quantityBackordered quantityOutOfStock backorderMessage } path
  image { altText } baseCatalogProduct { entityId name } catalogProductWithOptionSelections { sku } bulkPrice { basePrice { value } }`
const WHOLE = `id entityId currencyCode displayCurrencyCode isTaxIncluded ${amounts('baseAmount', 'discountedAmount', 'amount')}
  discounts { entityId ${amounts('discountedAmount')} } createdAt { utc } updatedAt { utc } locale version
  lineItems { totalQuantity
    physicalItems { ${LINE} allowGiftWrapping isShippingRequired giftWrapping { name } }
    digitalItems { ${LINE} }
    giftCertificates { entityId name theme ${amounts('amount')} isTaxable sender { name email } recipient { name email } message }
    customItems { entityId sku name quantity ${amounts('listPrice', 'extendedListPrice')} } }`

const both = (name: string, value: number) => {
  const money = { currencyCode: 'USD', value, formattedV2: `$${value.toFixed(2)}` }
  return { [name]: money, [`${name}InDisplayCurrency`]: money }
}

test('a cart has the whole shape', async () => {
  const { cart } = await mutate(
    'createCart',
    {
      lineItems: [
        {
          productEntityId: 1,
          quantity: 2,
          selectedOptions: {
            textFields: [{ optionEntityId: 2, text: 'Hello' }],
            dateFields: [{ optionEntityId: 3, date: '2031-02-03T00:00:00Z' }],
            numberFields: [{ optionEntityId: 4, number: 12.5 }],
            multiLineTextFields: [{ optionEntityId: 5, text: 'a\nb' }],
            checkboxes: [{ optionEntityId: 6, optionValueEntityId: 4 }],
          },
        },
        shirt,
      ],
      giftCertificates: [certificate],
      locale: 'en',
      currencyCode: 'usd',
    },
    undefined,
    `cart { ${WHOLE} }`,
  )
  await shop.call('POST', `/carts/${cart.entityId}/items`, {
    custom_items: [{ name: 'Engraving', quantity: 2, list_price: 4.5 }],
  })
  const found = await cartOf(cart.entityId, undefined, WHOLE)
  expect(found).toEqual({
    ...cart,
    ...both('baseAmount', 98.5),
    ...both('amount', 98.5),
    discounts: expect.arrayContaining(cart.discounts),
    version: 2,
    updatedAt: found.updatedAt,
    lineItems: {
      ...cart.lineItems,
      totalQuantity: 6,
      customItems: [
        {
          entityId: expect.stringMatching(/^[0-9a-f-]{36}$/),
          sku: null,
          name: 'Engraving',
          quantity: 2,
          ...both('listPrice', 4.5),
          ...both('extendedListPrice', 9),
        },
      ],
    },
  })
  const [mug, wearable] = cart.lineItems.physicalItems
  const utc = { utc: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z$/) }
  const line = {
    parentEntityId: null,
    imageUrl: null,
    brand: null,
    isTaxable: true,
    isMutable: true,
    discounts: [],
    ...both('discountedAmount', 0),
    ...both('couponAmount', 0),
    ...both('retailPrice', 0),
    ...both('taxTotal', 0),
    addedByAttributeId: null,
    image: null,
    bulkPrice: null,
    allowGiftWrapping: false,
    isShippingRequired: true,
    giftWrapping: null,
  }
  const priced = (price: number, quantity: number) => ({
    ...both('listPrice', price),
    ...both('salePrice', price),
    ...both('comparisonPrice', price),
    ...both('extendedListPrice', price * quantity),
    ...both('extendedSalePrice', price * quantity),
    ...both('extendedComparisonPrice', price * quantity),
  })
  const site = `https://store-${shop.store.hash}.shop.test`
  const chosen = (kind: string, entityId: number, name: string, more: object) => ({
    __typename: `CartSelected${kind}Option`,
    entityId,
    name,
    attributeId: String(entityId),
    ...more,
  })
  expect(cart).toEqual({
    id: Buffer.from(`Cart:${cart.entityId}`).toString('base64'),
    entityId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    currencyCode: 'USD',
    displayCurrencyCode: 'USD',
    isTaxIncluded: false,
    ...both('baseAmount', 89.5),
    ...both('discountedAmount', 0),
    ...both('amount', 89.5),
    discounts: [mug, wearable].map(({ entityId }) => ({ entityId, ...both('discountedAmount', 0) })),
    createdAt: utc,
    updatedAt: utc,
    locale: 'en',
    version: 1,
    lineItems: {
      totalQuantity: 4,
      physicalItems: [
        {
          ...line,
          entityId: mug.entityId,
          productEntityId: 1,
          variantEntityId: 1,
          sku: 'MUG',
          name: 'Mug',
          url: `${site}/mug/`,
          path: '/mug/',
          quantity: 2,
          ...priced(18.5, 2),
          ...both('originalPrice', 18.5),
          selectedOptions: [
            chosen('TextField', 2, 'Note', { text: 'Hello' }),
            chosen('DateField', 3, 'Day', { date: { utc: '2031-02-03T00:00:00.000Z' } }),
            chosen('NumberField', 4, 'Size in cm', { number: 12.5 }),
            chosen('MultiLineTextField', 5, 'Poem', { text: 'a\nb' }),
            chosen('Checkbox', 6, 'Box', { value: 'Yes', valueEntityId: 4 }),
          ],
          stockPosition: { quantityOnHand: 2, quantityBackordered: 0, quantityOutOfStock: 0, backorderMessage: null },
          baseCatalogProduct: { entityId: 1, name: 'Mug' },
          catalogProductWithOptionSelections: { sku: 'MUG' },
        },
        {
          ...line,
          entityId: wearable.entityId,
          productEntityId: 2,
          variantEntityId: 3,
          sku: 'SHIRT-M',
          name: 'Shirt',
          url: `${site}/shirt/`,
          path: '/shirt/',
          quantity: 1,
          ...priced(27.5, 1),
          ...both('originalPrice', 25),
          selectedOptions: [
            chosen('MultipleChoice', 1, 'Size', { value: 'M', valueEntityId: 2 }),
            chosen('MultipleChoice', 1, 'Print', { value: 'Picture', valueEntityId: 3 }),
          ],
          stockPosition: null,
          baseCatalogProduct: { entityId: 2, name: 'Shirt' },
          catalogProductWithOptionSelections: { sku: 'SHIRT-M' },
        },
      ],
      digitalItems: [],
      giftCertificates: [
        {
          entityId: cart.lineItems.giftCertificates[0].entityId,
          name: 'For Bob',
          theme: 'BIRTHDAY',
          ...both('amount', 25),
          isTaxable: false,
          sender: certificate.sender,
          recipient: certificate.recipient,
          message: 'Enjoy',
        },
      ],
      customItems: [],
    },
  })
})

test('lines are added, merged, changed and deleted, and the last one ends the cart', async () => {
  const { entityId: cartEntityId } = await make([{ sku: 'MUG', quantity: 1 }])
  const lines = 'cart { version lineItems { totalQuantity physicalItems { entityId quantity } } }'
  const add = (data: object, version?: number) =>
    mutate('addCartLineItems', { cartEntityId, data, version }, undefined, lines)
  const { cart } = await add(
    {
      lineItems: [
        { productEntityId: 1, quantity: 2 },
        { ...shirt, productEntityId: null, sku: 'shirt-m' },
      ],
    },
    1,
  )
  const [{ entityId: mug }, { entityId: other }] = cart.lineItems.physicalItems
  expect(cart).toMatchObject({
    version: 2,
    lineItems: { totalQuantity: 4, physicalItems: [{ quantity: 3 }, { quantity: 1 }] },
  })
  const change = { cartEntityId, lineItemEntityId: mug, data: { lineItem: { quantity: 5, productEntityId: 1 } } }
  expect((await mutate('updateCartLineItem', { ...change, version: 2 }, undefined, lines)).cart).toMatchObject({
    version: 3,
    lineItems: { physicalItems: [{ entityId: mug, quantity: 5 }, { entityId: other }] },
  })
  expect(await refusal('updateCartLineItem', { ...change, version: 2 })).toBe(
    'The cart was changed: its version is 3, and not 2.',
  )
  expect((await cartOf(cartEntityId)).version).toBe(3)
  const remove = (lineItemEntityId: string) =>
    mutate(
      'deleteCartLineItem',
      { cartEntityId, lineItemEntityId },
      undefined,
      'deletedLineItemEntityId deletedCartEntityId cart { version }',
    )
  expect(await remove(other)).toEqual({
    deletedLineItemEntityId: other,
    deletedCartEntityId: null,
    cart: { version: 4 },
  })
  expect(await remove(mug)).toEqual({ deletedLineItemEntityId: mug, deletedCartEntityId: cartEntityId, cart: null })
  expect(await cartOf(cartEntityId)).toBeNull()
  expect((await shop.call('GET', `/carts/${cartEntityId}`)).status).toBe(404)
})

test('a gift certificate of a cart can be replaced', async () => {
  const { entityId: cartEntityId } = await make([], undefined, { giftCertificates: [certificate] })
  const lines = 'lineItems { giftCertificates { entityId amount { value } } }'
  const [{ entityId }] = (await cartOf(cartEntityId, undefined, lines)).lineItems.giftCertificates
  const data = { giftCertificate: { ...certificate, amount: 40 } }
  const changed = await mutate(
    'updateCartLineItem',
    { cartEntityId, lineItemEntityId: entityId, data },
    undefined,
    `cart { ${lines} }`,
  )
  expect(changed.cart.lineItems.giftCertificates).toEqual([{ entityId, amount: { value: 40 } }])
})

test('a deleted cart is null everywhere', async () => {
  const { entityId } = await make()
  expect(await mutate('deleteCart', { cartEntityId: entityId }, undefined, 'deletedCartEntityId')).toEqual({
    deletedCartEntityId: entityId,
  })
  expect(await cartOf(entityId)).toBeNull()
  expect(await refusal('deleteCart', { cartEntityId: entityId })).toBe('Not Found')
})

test('mistakes are refused with sentences for shoppers', async () => {
  const { entityId: cartEntityId } = await make()
  const add = (line: object, more: object = {}) =>
    refusal('addCartLineItems', {
      cartEntityId,
      data: { lineItems: [{ productEntityId: 1, quantity: 1, ...line }], ...more },
    })
  const options = (selectedOptions: object) => add({ selectedOptions })
  expect(await add({ quantity: 0 })).toBe('The quantity must be 1 to 2147483647, not 0.')
  expect(await add({ quantity: -1 })).toBe('The quantity must be 1 to 2147483647, not -1.')
  expect(await add({ quantity: 9 })).toBe('Not enough stock: Only 9 of Mug are left.')
  expect(await add({ productEntityId: 2 })).toBe('This product has options; variant ID is required')
  expect(await add({ productEntityId: 99 })).toBe('The product 99 does not exist.')
  expect(await add({ productEntityId: null, sku: 'nothing' })).toBe('There is no product with the SKU nothing.')
  expect(await add({ productEntityId: null })).toBe('A line needs a productEntityId or a sku.')
  expect(await add({ variantEntityId: 3 })).toBe('The product 1 has no variant 3.')
  expect(await add({ productEntityId: 2, variantEntityId: 3 })).toBe('The option Print of this product is required.')
  expect(await options({ textFields: [{ optionEntityId: 2, text: 'Too long' }] })).toBe(
    'Note can have at most 5 characters.',
  )
  expect(await options({ dateFields: [{ optionEntityId: 3, date: '2029-12-31T00:00:00Z' }] })).toBe(
    "Day can't be before 2030-01-01.",
  )
  expect(await options({ checkboxes: [{ optionEntityId: 6, optionValueEntityId: 99 }] })).toBe(
    'The option 6 has no such value.',
  )
  expect(await options({ checkboxes: [{ optionEntityId: 77, optionValueEntityId: 1 }] })).toBe(
    'The product 1 has no option 77.',
  )
  expect(await options({ fileFields: [{ optionEntityId: 2, fileName: 'a.png', downloadUrl: 'b' }] })).toBe(
    'Files can not be sent to this store yet.',
  )
  expect(await refusal('addCartLineItems', { cartEntityId, data: {} })).toBe('Missing line_items in request body')
  const lines = Array.from({ length: 501 }, () => ({ productEntityId: 1, quantity: 1 }))
  expect(await refusal('addCartLineItems', { cartEntityId, data: { lineItems: lines } })).toBe(
    'A cart can have at most 500 lines.',
  )
  const sender = { name: 'Ann', email: 'nobody' }
  expect(await refusal('createCart', { giftCertificates: [{ ...certificate, sender }] })).toMatch(/email/)
  expect(await refusal('createCart', { giftCertificates: [{ ...certificate, amount: 0.5 }] })).toBe(
    'A gift certificate has an amount of 1 to 1000.',
  )
  expect(await refusal('createCart', { giftCertificates: [{ ...certificate, quantity: 0 }] })).toBe(
    'The quantity must be 1 to 2147483647, not 0.',
  )
  expect(await refusal('createCart', { lineItems: [{ productEntityId: 1, quantity: 1 }], currencyCode: 'NZD' })).toBe(
    "Shoppers can't pay in the currency NZD in this store.",
  )
  expect(await refusal('createCart', { lineItems: [{ productEntityId: 1, quantity: 1 }], locale: 'english' })).toBe(
    'english is no locale.',
  )
  const [{ entityId: line }] = (await cartOf(cartEntityId, undefined, 'lineItems { physicalItems { entityId } }'))
    .lineItems.physicalItems
  const change = (lineItem: object | undefined) =>
    refusal('updateCartLineItem', { cartEntityId, lineItemEntityId: line, data: { lineItem } })
  expect(await change({ quantity: 0 })).toBe('The quantity must be 1 or more, not 0.')
  expect(await change({ quantity: 10 })).toBe('Not enough stock: Only 9 of Mug are left.')
  expect(await change({ quantity: 1, productEntityId: 2 })).toBe(
    'The line has the product_id 1. Delete it and add another one.',
  )
  expect(await change(undefined)).toBe('A change needs a lineItem or a giftCertificate.')
  expect(await refusal('deleteCartLineItem', { cartEntityId, lineItemEntityId: 'none' })).toBe(
    'The cart has no line none.',
  )
  // A fraction is no Int.
  const fraction = await askStorefront(shop, {
    token,
    query:
      'mutation { cart { createCart(input: { lineItems: [{ productEntityId: 1, quantity: 1.5 }] }) { cart { entityId } } } }',
  })
  expect(fraction.message).toMatch(/Int cannot represent non-integer value: 1.5/)
  expect((await cartOf(cartEntityId)).version).toBe(1)
})

test('products that a shopper cannot see cannot be added', async () => {
  await shop.call('POST', '/catalog/products', {
    name: 'Secret',
    type: 'physical',
    weight: 1,
    price: 5,
    is_visible: false,
  })
  expect(await refusal('createCart', { lineItems: [{ productEntityId: 3, quantity: 1 }] })).toBe(
    'The product 3 does not exist.',
  )
})

test('a cart of a customer exists for that customer alone', async () => {
  const { entityId: id } = await make([{ productEntityId: 1, quantity: 1 }], ann)
  const data = { lineItems: [{ productEntityId: 1, quantity: 1 }] }
  const private_ = await makeToken(shop, 'private')
  const asPrivate = await askStorefront(shop, {
    token: private_,
    query: `{ site { cart(entityId: "${id}") { entityId } } }`,
  })
  expect(asPrivate.body.data.site.cart).toBeNull()
  for (const other of [undefined, bo]) {
    expect(await cartOf(id, other)).toBeNull()
    expect(await refusal('addCartLineItems', { cartEntityId: id, data, version: 1 }, other)).toBe('Not Found')
    expect(
      await refusal(
        'updateCartLineItem',
        { cartEntityId: id, lineItemEntityId: 'x', data: { lineItem: { quantity: 1 } }, version: 7 },
        other,
      ),
    ).toBe('Not Found')
    expect(await refusal('deleteCartLineItem', { cartEntityId: id, lineItemEntityId: 'x' }, other)).toBe('Not Found')
    expect(await refusal('deleteCart', { cartEntityId: id }, other)).toBe('Not Found')
    expect(await refusal('updateCartCurrency', { cartEntityId: id, data: { currencyCode: 'USD' } }, other)).toBe(
      'Not Found',
    )
    const errors = [{ message: 'Not Found' }]
    const error = 'errors { ... on Error { message } }'
    expect(
      await mutate(
        'updateCartLocale',
        { cartEntityId: id, data: { locale: 'en' } },
        other,
        `cart { version } ${error}`,
      ),
    ).toEqual({ cart: null, errors })
    expect(
      await mutate(
        'createCartRedirectUrls',
        { cartEntityId: id },
        other,
        `redirectUrls { externalCheckoutUrl } ${error}`,
      ),
    ).toEqual({ redirectUrls: null, errors })
    expect(
      await mutate(
        'createCartMetafield',
        { cartEntityId: id, data: { key: 'a', value: 'b' } },
        other,
        `metafield { id } ${error}`,
      ),
    ).toEqual({ metafield: null, errors })
  }
  expect(await refusal('assignCartToCustomer', { cartEntityId: id }, bo)).toBe('Not Found')
  expect(await refusal('unassignCartFromCustomer', { cartEntityId: id }, bo)).toBe('Not Found')
  expect(await refusal('assignCartToCustomer', { cartEntityId: id })).toBe(
    'Please sign in to change the customer of a cart.',
  )
  expect(await cartOf(id, ann)).toEqual({ entityId: id, version: 1 })
  // Without an id: the newest cart of the customer, and none for guests.
  expect(await cartOf(null, ann)).toEqual({ entityId: id, version: 1 })
  expect([await cartOf(null, bo), await cartOf(null), await cartOf('no uuid'), await cartOf('')]).toEqual([
    null,
    null,
    null,
    null,
  ])
})

test('another store and another channel have no such cart', async () => {
  const { entityId } = await make()
  const elsewhere = await openShop()
  const query = `{ site { cart(entityId: "${entityId}") { entityId } } }`
  const there = await askStorefront(elsewhere, { token: await makeToken(elsewhere, 'private'), query })
  expect(there.body).toEqual({ data: { site: { cart: null } } })
  const { body } = await shop.call('POST', '/channels', {
    name: 'Second',
    type: 'storefront',
    platform: 'custom',
    status: 'active',
  })
  await shop.call('POST', `/channels/${body.data.id}/site`, { url: 'https://second.example.com' })
  const second = await makeToken(shop, 'private', { channel_ids: [body.data.id] })
  const answer = await askStorefront(shop, {
    token: second,
    query,
    path: `/storefront/${shop.store.hash}/${body.data.id}`,
  })
  expect(answer.body).toEqual({ data: { site: { cart: null } } })
})

test('a cart can be assigned to a customer and back', async () => {
  const { entityId } = await make()
  expect((await mutate('assignCartToCustomer', { cartEntityId: entityId, version: 1 }, bo)).cart.version).toBe(2)
  expect((await mutate('assignCartToCustomer', { cartEntityId: entityId }, bo)).cart.version).toBe(3)
  expect((await shop.call('GET', `/carts/${entityId}`)).body.data.customer_id).toBe(bo)
  expect((await mutate('unassignCartFromCustomer', { cartEntityId: entityId }, bo)).cart.version).toBe(4)
  expect(await cartOf(entityId)).toEqual({ entityId, version: 4 })
})

test('locale, currency and redirect URLs', async () => {
  const { entityId } = await make()
  const error = 'errors { __typename ... on Error { message } }'
  const locale = (locale: string) =>
    mutate(
      'updateCartLocale',
      { cartEntityId: entityId, data: { locale } },
      undefined,
      `cart { locale version } ${error}`,
    )
  expect(await locale('en')).toEqual({ cart: { locale: 'en', version: 2 }, errors: [] })
  expect(await locale('fr')).toEqual({
    cart: null,
    errors: [{ __typename: 'LocaleInvalidError', message: 'The storefront has no locale fr.' }],
  })
  const eur = {
    currency_code: 'EUR',
    name: 'Euro',
    country_iso2: 'DE',
    currency_exchange_rate: '0.5',
    token: '€',
    token_location: 'right',
    decimal_token: ',',
    thousands_token: '.',
    decimal_places: 2,
    enabled: true,
    is_transactional: true,
    auto_update: false,
  }
  const added = await shop.call('POST', '/currencies', eur, { version: 'v2' })
  expect(added.status, added.text).toBe(200)
  const currency = (currencyCode: string) =>
    mutate(
      'updateCartCurrency',
      { cartEntityId: entityId, data: { currencyCode } },
      undefined,
      'cart { version amount { currencyCode value formattedV2 } }',
    )
  expect(await currency('EUR')).toEqual({
    cart: { version: 3, amount: { currencyCode: 'EUR', value: 9.25, formattedV2: '9,25€' } },
  })
  expect((await currency('EUR')).cart.version).toBe(4)
  expect(await refusal('updateCartCurrency', { cartEntityId: entityId, data: { currencyCode: 'XXX' } })).toBe(
    "Shoppers can't pay in the currency XXX in this store.",
  )
  const fixed = await make([], undefined, { giftCertificates: [certificate] })
  expect(await refusal('updateCartCurrency', { cartEntityId: fixed.entityId, data: { currencyCode: 'EUR' } })).toBe(
    'A cart with gift certificates, or with prices of the store, keeps its currency.',
  )
  const { redirectUrls } = await mutate(
    'createCartRedirectUrls',
    { cartEntityId: entityId, queryParams: [{ key: 'utm', value: 'a b' }] },
    undefined,
    `redirectUrls { redirectedCheckoutUrl embeddedCheckoutUrl externalCheckoutUrl } ${error}`,
  )
  const base = `https://store-${shop.store.hash}.shop.test/cart.php`
  const url = new RegExp(`^${base}\\?action=loadInCheckout&id=${entityId}&token=[0-9a-f]{64}&utm=a\\+b$`)
  expect(redirectUrls).toEqual({
    redirectedCheckoutUrl: expect.stringMatching(url),
    embeddedCheckoutUrl: expect.stringMatching(
      new RegExp(`^${base}\\?embedded=1&action=loadInCheckout&id=${entityId}`),
    ),
    externalCheckoutUrl: redirectUrls.redirectedCheckoutUrl,
  })
  const missing = await mutate('createCartRedirectUrls', {}, undefined, `redirectUrls { externalCheckoutUrl } ${error}`)
  expect(missing).toEqual({ redirectUrls: null, errors: [{ __typename: 'NotFoundError', message: 'Not Found' }] })
})

test('metafields of shoppers are apart from those of applications', async () => {
  const { entityId: cartEntityId } = await make()
  const error = 'errors { __typename ... on Error { message } ... on ValidationError { path } }'
  const create = (key: string, value = 'v') =>
    mutate(
      'createCartMetafield',
      { cartEntityId, data: { key, value } },
      undefined,
      `metafield { entityId key value } ${error}`,
    )
  const { metafield } = await create('note')
  expect(metafield).toEqual({ entityId: metafield.entityId, key: 'note', value: 'v' })
  expect((await create('note')).errors).toEqual([{ __typename: 'AlreadyExistsError', message: expect.any(String) }])
  expect((await create('')).errors).toEqual([
    { __typename: 'ValidationError', path: ['key'], message: expect.any(String) },
  ])
  const update = (metafieldEntityId: number, data: object) =>
    mutate(
      'updateCartMetafield',
      { cartEntityId, metafieldEntityId, data },
      undefined,
      `metafield { key value } ${error}`,
    )
  expect(await update(metafield.entityId, { value: 'w' })).toEqual({
    metafield: { key: 'note', value: 'w' },
    errors: [],
  })
  expect((await update(999, { value: 'w' })).errors).toEqual([
    { __typename: 'NotFoundError', message: expect.any(String) },
  ])
  const ofApp = await shop.call('POST', `/carts/${cartEntityId}/metafields`, {
    key: 'k',
    value: 'v',
    namespace: 'app',
    permission_set: 'write_and_sf_access',
  })
  expect((await update(ofApp.body.data.id, { value: 'w' })).errors).toEqual([
    { __typename: 'NotAuthorisedError', message: 'This metafield belongs to an application.' },
  ])
  const remove = (metafieldEntityId: number) =>
    mutate('deleteCartMetafield', { cartEntityId, metafieldEntityId }, undefined, `deletedMetafieldEntityId ${error}`)
  expect((await remove(ofApp.body.data.id)).errors[0].__typename).toBe('NotAuthorisedError')
  const list = 'metafields(namespace: "bc_storefront") { edges { node { entityId key value } } }'
  expect((await cartOf(cartEntityId, undefined, list)).metafields.edges).toEqual([
    { node: { entityId: metafield.entityId, key: 'note', value: 'w' } },
  ])
  expect(await remove(metafield.entityId)).toEqual({ deletedMetafieldEntityId: metafield.entityId, errors: [] })
  expect((await cartOf(cartEntityId, undefined, list)).metafields.edges).toEqual([])
})

test('the events of a cart are those of REST, in their order', async () => {
  const before = (await rowsOf(shop, 'events')).length
  const { entityId: cartEntityId } = await make()
  await mutate('addCartLineItems', { cartEntityId, data: { lineItems: [{ productEntityId: 1, quantity: 1 }] } })
  await mutate('deleteCart', { cartEntityId }, undefined, 'deletedCartEntityId')
  const scopes = (await rowsOf(shop, 'events'))
    .slice(before)
    .map(({ scope }) => String(scope))
    .filter((scope) => scope.startsWith('store/cart/'))
  expect(scopes).toEqual([
    'store/cart/created',
    'store/cart/updated',
    'store/cart/lineItem/created',
    'store/cart/updated',
    'store/cart/lineItem/updated',
    'store/cart/deleted',
  ])
})
