import { beforeEach, expect, test } from 'vitest'
import { openShop, type Shop } from '../../../../../test/fixtures/shop.ts'
import { askStorefront, makeToken } from '../../../../../test/fixtures/storefront.ts'
import { rowsOf } from '../../../../../test/fixtures/webhooks.ts'

let shop: Shop
let token: string

/** Sends a mutation of `customer` with its input, and returns its result. */
async function send(field: string, selection: string, input: object, customer?: number) {
  const type = `${field[0]?.toUpperCase()}${field.slice(1)}Input`
  const { status, body } = await askStorefront(shop, {
    token,
    query: `mutation Send($input: ${type}!) { customer { ${field}(input: $input) { ${selection} } } }`,
    variables: { input },
    headers: customer === undefined ? {} : { 'x-svc-customer-id': String(customer) },
  })
  expect([status, body.errors]).toEqual([200, undefined])
  return body.data.customer[field]
}

const ERRORS = 'errors { __typename ... on Error { message } ... on ValidationError { path } }'
const CUSTOMER = `customer { entityId firstName lastName email phone company
  formFields { entityId ... on CheckboxesFormFieldValue { values } ... on MultipleChoiceFormFieldValue { value }
    ... on DateFormFieldValue { date { utc } } ... on NumberFormFieldValue { number } ... on TextFormFieldValue { text } }
  addresses { edges { node { entityId city stateOrProvince formFields { entityId ... on TextFormFieldValue { text } } } } } } ${ERRORS}`
const ADDRESS = `address { entityId firstName lastName address1 address2 city company countryCode stateOrProvince phone postalCode
  formFields { entityId ... on TextFormFieldValue { text } } } ${ERRORS}`

const invalid = (path: string[], message: unknown) => ({
  __typename: 'ValidationError',
  path: ['input', ...path],
  message,
})
const ann = { firstName: 'Ann', lastName: 'Lee', email: 'ann@example.com', password: 'correct horse 7' }
const place = {
  firstName: 'Ann',
  lastName: 'Lee',
  address1: '1 Low St',
  city: 'Sydney',
  countryCode: 'AU',
  stateOrProvince: 'New South Wales',
  postalCode: '2000',
}
const fields = { texts: [{ fieldEntityId: 26, text: 'Annie' }] }
const gate = { texts: [{ fieldEntityId: 32, text: '7' }] }

const register = (more: object = {}) => send('registerCustomer', CUSTOMER, { ...ann, formFields: fields, ...more })
const registered = async (): Promise<number> => (await register()).customer.entityId

beforeEach(async () => {
  shop = await openShop()
  token = await makeToken(shop, 'impersonation')
  const answer = await shop.call('PUT', '/settings/form-fields', {
    customer: [
      { name: 'nick', label: 'Nickname', type: 'text', required: true },
      { name: 'pets', label: 'Pets', type: 'checkboxes', options: ['Cat', 'Dog'] },
      { name: 'size', label: 'Size', type: 'radiobuttons', options: ['S', 'L'] },
      { name: 'born', label: 'Born', type: 'date' },
      { name: 'shoe', label: 'Shoe', type: 'numbers' },
      { name: 'pin', label: 'Pin', type: 'password' },
    ],
    address: [{ name: 'gate', label: 'Gate', type: 'text', required: true }],
  })
  expect(answer.status).toBe(200)
})

test('a new account with an address and form fields, and a welcome mail', async () => {
  const result = await register({
    phone: '555',
    company: 'Fern',
    address: { ...place, formFields: gate },
    formFields: {
      ...fields,
      checkboxes: [
        { fieldEntityId: 27, fieldValueEntityIds: [2, 1] },
        { fieldEntityId: 25, fieldValueEntityIds: [1] },
      ],
      multipleChoices: [{ fieldEntityId: 28, fieldValueEntityId: 2 }],
      dates: [{ fieldEntityId: 29, date: '2000-02-01T10:00:00.000Z' }],
      numbers: [{ fieldEntityId: 30, number: 42.5 }],
      passwords: [{ fieldEntityId: 31, password: 'x' }],
    },
  })
  expect(result).toEqual({
    customer: {
      entityId: 1,
      firstName: 'Ann',
      lastName: 'Lee',
      email: 'ann@example.com',
      phone: '555',
      company: 'Fern',
      formFields: [
        { entityId: 26, text: 'Annie' },
        { entityId: 27, values: ['Dog', 'Cat'] },
        { entityId: 28, value: 'L' },
        { entityId: 29, date: { utc: '2000-02-01T00:00:00.000Z' } },
        { entityId: 30, number: 42.5 },
        { entityId: 31 },
      ],
      addresses: {
        edges: [
          {
            node: {
              entityId: 1,
              city: 'Sydney',
              stateOrProvince: 'New South Wales',
              formFields: [{ entityId: 32, text: '7' }],
            },
          },
        ],
      },
    },
    errors: [],
  })
  const { data } = (await shop.call('GET', '/customers')).body
  expect(data[0]).toMatchObject({ origin_channel_id: 1, accepts_product_review_abandoned_cart_emails: true })
  expect(await rowsOf(shop, 'owed_emails')).toMatchObject([
    { type_id: 'createaccount_email', recipient: 'ann@example.com' },
  ])
  const login = await askStorefront(shop, {
    token,
    query: `mutation { login(email: "ann@example.com", password: "${ann.password}") { customer { entityId } } }`,
  })
  expect(login.body.data.login.customer.entityId).toBe(1)
})

test('an address that is in use, compared without case', async () => {
  await register()
  expect(await register({ email: 'ANN@example.com' })).toEqual({
    customer: null,
    errors: [{ __typename: 'EmailAlreadyInUseError', message: 'The email address is already in use.' }],
  })
})

test('all mistakes of a new account at once, and nothing is stored', async () => {
  const { customer, errors } = await register({
    firstName: ' ',
    email: 'no address',
    password: 'short',
    phone: '5'.repeat(51),
    formFields: {
      texts: [{ fieldEntityId: 99, text: 'x' }],
      checkboxes: [{ fieldEntityId: 27, fieldValueEntityIds: [3] }],
      numbers: [{ fieldEntityId: 28, number: 1 }],
    },
    address: { ...place, countryCode: 'AU', stateOrProvince: 'Atlantis', postalCode: null },
  })
  expect(customer).toBeNull()
  expect(errors).toEqual([
    invalid(['firstName'], expect.stringContaining('firstName')),
    invalid(['email'], expect.stringContaining('email')),
    invalid(['phone'], expect.stringContaining('phone')),
    invalid(['password'], 'A password must have 7 to 255 characters.'),
    invalid(['formFields', 'checkboxes'], 'Pets has no such option.'),
    invalid(['formFields', 'numbers'], 'The values of Size do not belong to numbers.'),
    invalid(['formFields', 'texts'], 'There is no form field 99 here.'),
    invalid(['formFields'], 'Nickname is required.'),
    invalid(['address', 'stateOrProvince'], 'Give the full name of a state of Australia, not "Atlantis".'),
    invalid(['address', 'postalCode'], 'Addresses in Australia have a postal code.'),
    invalid(['address', 'formFields'], 'Gate is required.'),
  ])
  const { errors: more } = await register({ address: { ...place, city: 'x'.repeat(101), formFields: gate } })
  expect(more).toEqual([invalid(['address', 'city'], expect.stringContaining('city'))])
  expect((await shop.call('GET', '/customers')).body.data).toEqual([])
})

test('changes of an account leave the other fields', async () => {
  const id = await registered()
  const update = (input: object, customer?: number) => send('updateCustomer', CUSTOMER, input, customer)
  const { customer, errors } = await update(
    { lastName: 'Moss', phone: '1', email: null, formFields: { numbers: [{ fieldEntityId: 30, number: 40 }] } },
    id,
  )
  expect(errors).toEqual([])
  expect(customer).toMatchObject({
    firstName: 'Ann',
    lastName: 'Moss',
    email: 'ann@example.com',
    phone: '1',
    formFields: [
      { entityId: 26, text: 'Annie' },
      { entityId: 30, number: 40 },
    ],
  })
  await register({ email: 'bo@example.com' })
  expect(await update({ email: 'bo@example.com' }, id)).toEqual({
    customer: null,
    errors: [{ __typename: 'EmailAlreadyInUseError', message: 'The email address is already in use.' }],
  })
  expect(await update({ firstName: '', formFields: { texts: [{ fieldEntityId: 26, text: '' }] } }, id)).toEqual({
    customer: null,
    errors: [
      invalid(['firstName'], expect.stringContaining('firstName')),
      invalid(['formFields'], 'Nickname is required.'),
    ],
  })
  expect(await update({ firstName: 'Eve' })).toEqual({
    customer: null,
    errors: [{ __typename: 'CustomerNotLoggedInError', message: 'Please sign in.' }],
  })
})

test('addresses are added, changed and deleted by their customer alone', async () => {
  const id = await registered()
  const other = (await register({ email: 'bo@example.com' })).customer.entityId
  const add = (input: object, customer?: number) => send('addCustomerAddress', ADDRESS, input, customer)
  const update = (input: object, customer?: number) => send('updateCustomerAddress', ADDRESS, input, customer)
  const remove = (input: object, customer?: number) =>
    send('deleteCustomerAddress', 'errors { __typename ... on Error { message } }', input, customer)

  const added = await add({ ...place, formFields: gate }, id)
  expect(added).toEqual({
    address: {
      entityId: 1,
      ...place,
      address2: '',
      company: '',
      phone: '',
      formFields: [{ entityId: 32, text: '7' }],
    },
    errors: [],
  })
  expect(await add({ ...place, formFields: gate }, id)).toEqual({
    address: null,
    errors: [{ __typename: 'CustomerAddressCreationError', message: 'The account has this address already.' }],
  })
  expect((await add({ ...place, countryCode: 'QQ' }, id)).errors).toEqual([
    invalid(['countryCode'], 'There is no country with the code QQ.'),
    invalid(['formFields'], 'Gate is required.'),
  ])
  const second = (await add({ ...place, city: 'Perth', stateOrProvince: 'Western Australia', formFields: gate }, id))
    .address.entityId

  const changed = await update({ addressEntityId: 1, data: { city: 'Bondi', phone: '9', company: null } }, id)
  expect(changed).toMatchObject({
    address: { entityId: 1, city: 'Bondi', phone: '9', address1: '1 Low St' },
    errors: [],
  })
  expect(await update({ addressEntityId: 1, data: { countryCode: 'US' } }, id)).toEqual({
    address: null,
    errors: [
      invalid(['data', 'stateOrProvince'], 'Give the full name of a state of United States, not "New South Wales".'),
    ],
  })
  expect(await update({ addressEntityId: 1, data: { city: '', address1: '' } }, id)).toEqual({
    address: null,
    errors: [invalid(['data', 'address1'], expect.stringContaining('address1'))],
  })
  const same = { city: 'Perth', stateOrProvince: 'Western Australia', phone: '' }
  expect(await update({ addressEntityId: 1, data: same }, id)).toEqual({
    address: null,
    errors: [{ __typename: 'CustomerAddressUpdateError', message: 'Another address of the account is the same.' }],
  })
  for (const [addressEntityId, customer] of [
    [1, other],
    [77, id],
  ] as const) {
    expect(await update({ addressEntityId, data: { city: 'Rome' } }, customer)).toEqual({
      address: null,
      errors: [{ __typename: 'AddressDoesNotExistError', message: `The address ${addressEntityId} does not exist.` }],
    })
    expect(await remove({ addressEntityId }, customer)).toEqual({
      errors: [
        { __typename: 'CustomerAddressDeletionError', message: `The address ${addressEntityId} does not exist.` },
      ],
    })
  }
  const guest = { address: null, errors: [{ __typename: 'CustomerNotLoggedInError', message: 'Please sign in.' }] }
  expect(await add(place)).toEqual(guest)
  expect(await update({ addressEntityId: 1, data: {} })).toEqual(guest)
  expect(await remove({ addressEntityId: 1 })).toEqual({ errors: guest.errors })

  expect(await remove({ addressEntityId: 1 }, id)).toEqual({ errors: [] })
  const { data } = (await shop.call('GET', `/customers/addresses?customer_id:in=${id}`)).body
  expect(data.map((address: { id: number }) => address.id)).toEqual([second])
})
