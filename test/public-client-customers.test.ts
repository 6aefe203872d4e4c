import { afterAll, beforeAll, expect, test } from 'vitest'
import { openShop } from '../server/test/fixtures/shop.ts'
import { plainClient, typedClient, typedClientV2 } from './clients.ts'
import { openPort, type Port } from './port.ts'

// The clients of public-client.test.ts and other-client-catalog.test.ts create customers with all sub-resources, and
// find them again in both families.

let port: Port
beforeAll(async () => {
  port = await openPort()
})
afterAll(() => port.close())

const ann = { email: 'ann@example.com', first_name: 'Ann', last_name: 'Lee' }
const address = {
  first_name: 'Ann',
  last_name: 'Lee',
  address1: '12 Harbour Street',
  city: 'Sydney',
  state_or_province: 'New South Wales',
  postal_code: '2000',
  country_code: 'AU',
}

test('a typed client uses customers, addresses, attributes, groups and credentials', async () => {
  const shop = await openShop()
  const [client, older] = [typedClient(port, shop), typedClientV2(port, shop)]
  const group = await older.post('/customer_groups', { body: { name: 'Trade' } })
  expect(group).toMatchObject({ id: 1, name: 'Trade' })
  await client.post('/customers/attributes', { body: [{ name: 'Size', type: 'number' }] })
  const made = await client.post('/customers', {
    body: [
      {
        ...ann,
        customer_group_id: 1,
        authentication: { new_password: 'correct horse 7' },
        addresses: [address],
        attributes: [{ attribute_id: 1, attribute_value: '42' }],
      },
      { email: 'bo@example.com', first_name: 'Bo', last_name: 'Ek' },
    ],
  })
  expect(made).toMatchObject([{ id: 1, customer_group_id: 1, address_count: 1, addresses: [{ id: 1 }] }, { id: 2 }])
  const found = await client.get('/customers', {
    query: { 'email:in': ['ANN@example.com'], include: ['addresses', 'attributes'] },
  })
  expect(found).toMatchObject([{ id: 1, attributes: [{ attribute_value: '42' }] }])
  expect(await client.get('/customers', { query: { 'name:like': ['nn le'] } })).toMatchObject([{ id: 1 }])
  await client.put('/customers', { body: [{ id: 2, company: 'Ek & Co' }] })
  await client.put('/customers/attribute-values', { body: [{ customer_id: 2, attribute_id: 1, value: '38' }] })
  await client.post('/customers/addresses', {
    body: [{ ...address, customer_id: 2, city: 'Perth', state_or_province: 'Western Australia' }],
  })
  expect(await older.get('/customers/{customer_id}', { path: { customer_id: 2 } })).toMatchObject({
    company: 'Ek & Co',
    store_credit: '0.0000',
  })
  expect(await older.get('/customers/{customer_id}/addresses', { path: { customer_id: 2 } })).toMatchObject([
    { city: 'Perth', country: 'Australia' },
  ])
  await expect(client.post('/customers', { body: [ann] })).rejects.toThrow(/already in use/)
  await client.delete('/customers', { query: { 'id:in': [1] } })
  expect(await client.get('/customers')).toMatchObject([{ id: 2 }])
})

test('a plain client uses both families, with credentials and passwords', async () => {
  const shop = await openShop()
  const { customersV2, customersV3 } = plainClient(port, shop)
  const { customerAddresses, customerAttributes, customerAttributeValues, validateCustomerCredentials } = customersV3
  await customersV2.customerGroups.createCustomerGroup({ name: 'Trade' })
  await customerAttributes.createCustomerAttribute([{ name: 'Size', type: 'string' }])
  const people = Array.from({ length: 12 }, (_, n) => ({
    ...ann,
    email: `n${n}@example.com`,
    customer_group_id: n % 2,
  }))
  for (const some of [people.slice(0, 10), people.slice(10)]) await customersV3.createCustomers(some)
  const all = await customersV3.getAllCustomers({ limit: 5 })
  expect(all.data.length).toBeGreaterThanOrEqual(5)
  expect(await customersV2.getCustomersCount()).toEqual({ count: 12 })
  expect(await customersV2.getAllCustomers({ customer_group_id: 1 })).toHaveLength(6)
  const made = await customersV2.createCustomer({ ...ann, store_credit: '5.0000' })
  expect(made).toMatchObject({ id: 13, store_credit: '5.0000' })
  await customersV2.updateCustomer(13, { company: 'Lee & Co' })
  await customerAddresses.createCustomerAddress([{ ...address, customer_id: 13 }])
  expect(await customersV2.customerAddresses.getAllCustomerAddresses(13)).toMatchObject([{ country_iso2: 'AU' }])
  await customerAttributeValues.upsertCustomerAttributeValue([{ customer_id: 13, attribute_id: 1, value: 'XL' }])
  const found = await customersV3.getAllCustomers({ 'company:in': 'lee & co', include: 'attributes' })
  expect(found.data).toMatchObject([{ id: 13, attribute_count: 1, attributes: [{ attribute_value: 'XL' }] }])
  await customersV3.updateCustomers([{ id: 13, authentication: { new_password: 'correct horse 7' } }])
  const guess = { email: ann.email, password: 'correct horse 7' }
  expect(await validateCustomerCredentials.validateCustomerCredentials(guess)).toEqual({
    is_valid: true,
    customer_id: 13,
  })
  expect(await customersV2.customerPasswords.validatePassword(13, 'wrong horse 7')).toMatchObject({ success: false })
  await customersV3.deleteCustomers({ 'id:in': '1,2,3' })
  expect(await customersV2.getCustomersCount()).toEqual({ count: 10 })
})
