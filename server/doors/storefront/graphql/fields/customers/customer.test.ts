import { beforeAll, expect, test } from 'vitest'
import { openShop, type Shop } from '../../../../../test/fixtures/shop.ts'
import { askStorefront, makeToken } from '../../../../../test/fixtures/storefront.ts'

let shop: Shop
let token: string
let ann: number
let list: { id: number; token: string }

async function ask(query: string, customer?: number) {
  const headers: Record<string, string> = customer === undefined ? {} : { 'x-svc-customer-id': String(customer) }
  const { status, body } = await askStorefront(shop, { token, query, headers })
  expect([status, body.errors], query).toEqual([200, undefined])
  return body.data
}
async function send(method: string, path: string, body: object) {
  const answer = await shop.call(method, path, body)
  expect(answer.status, answer.text).toBeLessThan(300)
  return answer.body.data
}

beforeAll(async () => {
  shop = await openShop()
  token = await makeToken(shop, 'impersonation')
  await send('PUT', '/settings/form-fields', {
    customer: [
      { name: 'Pets', type: 'checkboxes', options: ['Cat', 'Dog'] },
      { name: 'Size', type: 'radiobuttons', options: ['S', 'L'] },
      { name: 'Born', type: 'date' },
      { name: 'Shoe', type: 'numbers' },
      { name: 'Nick', type: 'text' },
      { name: 'Bio', type: 'multiline' },
    ],
    address: [{ name: 'Gate', type: 'text' }],
  })
  const people = [
    {
      email: 'ann@example.com',
      first_name: 'Ann',
      last_name: 'Lee',
      company: 'Fern',
      phone: '555',
      notes: 'Secret',
      store_credit_amounts: [{ amount: 12.5 }],
    },
    { email: 'bo@example.com', first_name: 'Bo', last_name: 'Lee' },
  ]
  ann = (await send('POST', '/customers', people))[0].id
  const address = {
    customer_id: ann,
    last_name: 'Lee',
    city: 'Sydney',
    country_code: 'AU',
    state_or_province: 'New South Wales',
    postal_code: '2000',
  }
  await send('POST', '/customers/addresses', [
    { ...address, first_name: 'Ann', address1: '1 Low St', form_fields: [{ name: 'Gate', value: '7' }] },
    { ...address, first_name: 'Office', address1: '2 High St', address_type: 'commercial', company: 'Fern' },
  ])
  const values = { Pets: ['Dog'], Size: 'L', Born: '2000-02-01', Shoe: 42.5, Nick: 'Annie', Bio: 'One\ntwo' }
  await send(
    'PUT',
    '/customers/form-field-values',
    Object.entries(values).map(([name, value]) => ({ customer_id: ann, name, value })),
  )
  const [{ id: attribute_id }] = await send('POST', '/customers/attributes', [{ name: 'Tier', type: 'string' }])
  await send('PUT', '/customers/attribute-values', [{ customer_id: ann, attribute_id, value: 'Gold' }])
  await send('POST', '/customers/subscribers', { email: 'ann@example.com', consents: ['marketing_newsletter'] })
  const product = { type: 'physical', weight: 1, price: 5, categories: [] }
  await send('POST', '/catalog/categories', { name: 'Cups', parent_id: 0 })
  for (const [name, more] of [
    ['Mug', {}],
    ['Secret', { is_visible: false }],
    ['Gone', { inventory_tracking: 'product' }],
  ] as const) {
    await send('POST', '/catalog/products', { ...product, categories: [1], name, ...more })
  }
  const items = [1, 2, 3].map((product_id) => ({ product_id }))
  list = await send('POST', '/wishlists', { customer_id: ann, name: 'Kitchen', is_public: true, items })
  await send('POST', '/wishlists', { customer_id: ann, name: 'Private', is_public: false })
})

test('a customer with the whole account', async () => {
  const { customer } = await ask(
    `{ customer { entityId company customerGroupId customerGroupName email firstName lastName notes phone taxExemptCategory addressCount
      attributeCount storeCredit { value currencyCode } isSubscribedToNewsletter notificationPreferences
      attributes { tier: attribute(entityId: 1) { entityId name value } none: attribute(entityId: 77) { name value } }
      formFields { __typename entityId name ... on CheckboxesFormFieldValue { values valueEntityIds }
        ... on MultipleChoiceFormFieldValue { value valueEntityId } ... on DateFormFieldValue { date { utc } }
        ... on NumberFormFieldValue { number } ... on TextFormFieldValue { text } ... on MultilineTextFormFieldValue { multilineText } } } }`,
    ann,
  )
  expect(customer).toEqual({
    entityId: ann,
    company: 'Fern',
    customerGroupId: 0,
    customerGroupName: null,
    email: 'ann@example.com',
    firstName: 'Ann',
    lastName: 'Lee',
    notes: '',
    phone: '555',
    taxExemptCategory: '',
    addressCount: 2,
    attributeCount: 1,
    storeCredit: [{ value: 12.5, currencyCode: 'USD' }],
    isSubscribedToNewsletter: true,
    notificationPreferences: [],
    attributes: { tier: { entityId: 1, name: 'Tier', value: 'Gold' }, none: { name: '', value: null } },
    formFields: [
      { __typename: 'CheckboxesFormFieldValue', entityId: 26, name: 'Pets', values: ['Dog'], valueEntityIds: [2] },
      { __typename: 'MultipleChoiceFormFieldValue', entityId: 27, name: 'Size', value: 'L', valueEntityId: 2 },
      { __typename: 'DateFormFieldValue', entityId: 28, name: 'Born', date: { utc: '2000-02-01T00:00:00.000Z' } },
      { __typename: 'NumberFormFieldValue', entityId: 29, name: 'Shoe', number: 42.5 },
      { __typename: 'TextFormFieldValue', entityId: 30, name: 'Nick', text: 'Annie' },
      { __typename: 'MultilineTextFormFieldValue', entityId: 31, name: 'Bio', multilineText: 'One\ntwo' },
    ],
  })
  expect(await ask('{ customer { entityId } }')).toEqual({ customer: null })
})

test('addresses page by page, with their form fields', async () => {
  const { customer } = await ask(
    `{ customer { addresses(first: 1) { collectionInfo { totalItems } pageInfo { hasNextPage } edges { node { entityId firstName lastName address1
      address2 addressType city country countryId countryCode stateOrProvince stateId phone postalCode company formFields { name } } } }
      last: addresses(last: 1) { edges { node { firstName addressType } } } } }`,
    ann,
  )
  expect(customer.addresses).toEqual({
    collectionInfo: { totalItems: 2 },
    pageInfo: { hasNextPage: true },
    edges: [
      {
        node: {
          entityId: expect.any(Number),
          firstName: 'Ann',
          lastName: 'Lee',
          address1: '1 Low St',
          address2: '',
          addressType: 'RESIDENTIAL',
          city: 'Sydney',
          country: 'Australia',
          countryId: expect.any(Number),
          countryCode: 'AU',
          stateOrProvince: 'New South Wales',
          stateId: expect.any(Number),
          phone: '',
          postalCode: '2000',
          company: '',
          formFields: [{ name: 'Gate' }],
        },
      },
    ],
  })
  expect(customer.last.edges).toEqual([{ node: { firstName: 'Office', addressType: 'COMMERCIAL' } }])
})

test('wish lists of the customer, and the public ones by their tokens', async () => {
  const LIST =
    'entityId name token items { edges { node { productEntityId variantEntityId product { name } } } collectionInfo { totalItems } }'
  const items = {
    edges: [
      { node: { productEntityId: 1, variantEntityId: 1, product: { name: 'Mug' } } },
      { node: { productEntityId: 2, variantEntityId: 2, product: null } },
      { node: { productEntityId: 3, variantEntityId: 3, product: { name: 'Gone' } } },
    ],
    collectionInfo: { totalItems: 3 },
  }
  const { customer } = await ask(
    `{ customer { wishlists { edges { node { ${LIST} isPublic } } }
      some: wishlists(filters: { productEntityIds: [1] }) { edges { node { name stocked: items(hideOutOfStock: true) { edges { node { productEntityId } } } } } }
      none: wishlists(filters: { entityIds: [777] }) { edges { node { name } } } } }`,
    ann,
  )
  const kitchen = { entityId: list.id, name: 'Kitchen', token: list.token, items }
  expect(customer.wishlists.edges[0].node).toEqual({ ...kitchen, isPublic: true })
  expect(customer.wishlists.edges).toHaveLength(2)
  expect(customer.some.edges).toEqual([
    { node: { name: 'Kitchen', stocked: { edges: [{ node: { productEntityId: 1 } }] } } },
  ])
  expect(customer.none.edges).toEqual([])
  const shared = async (token: string, customer?: number) =>
    (await ask(`{ site { publicWishlist(token: "${token}") { ${LIST} isOwner } } }`, customer)).site.publicWishlist
  expect(await shared(list.token)).toEqual({ ...kitchen, isOwner: false })
  expect((await shared(list.token, ann)).isOwner).toBe(true)
  const own = customer.wishlists.edges[1].node.token
  for (const unknown of [own, 'x', '', '00000000-0000-4000-8000-000000000000']) expect(await shared(unknown)).toBeNull()
})
