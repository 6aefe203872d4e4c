import { expect, test } from 'vitest'
import { ask, enableCompanion } from '../../../test/fixtures/companion.ts'
import { openShop } from '../../../test/fixtures/shop.ts'

// The calls of the vendor's public training collection, one after another: each takes ids from the answers before it. The collection
// checks the messages exactly, and that no answer has `errors` at the top.

test('the calls of the training collection work in their order', async () => {
  const shop = await openShop()
  await enableCompanion(shop)
  const call = async (method: string, path: string, message: string, body?: unknown) => {
    const { status, body: answer } = await ask(shop, method, `/v3/io${path}`, body)
    expect([status, answer.code, answer.meta.message], JSON.stringify(answer)).toEqual([200, 200, message])
    expect(answer).not.toHaveProperty('errors')
    return answer.data
  }

  const company = await call('POST', '/companies', 'SUCCESS', {
    companyName: 'Lab Company',
    companyEmail: 'lab@company.example.com',
    companyPhone: '555-0100',
    country: 'United States',
    adminFirstName: 'Lab',
    adminLastName: 'Admin',
    adminEmail: 'lab.admin@company.example.com',
  })

  const roles = await call('GET', '/companies/roles', 'SUCCESS')
  const roleId = (name: string): number => roles.find((role: { name: string }) => role.name === name).id
  expect([roleId('Admin'), roleId('Senior Buyer'), roleId('Junior Buyer')]).toEqual([1, 2, 3])

  // The collection sends a role by its id alone.
  const user = await call('POST', '/users', 'Success', {
    firstName: 'Lab',
    lastName: 'Buyer',
    email: 'lab.buyer@company.example.com',
    companyId: company.companyId,
    companyRoleId: roleId('Junior Buyer'),
    channelIds: [1],
  })
  expect(await call('GET', `/users/${user.userId}`, 'Success')).toMatchObject({
    companyRoleName: 'Junior Buyer',
    role: 2,
  })

  // It names countries and states by their codes alone.
  const { addressId } = await call('POST', '/addresses', 'Success', {
    companyId: company.companyId,
    firstName: 'Lab',
    lastName: 'Buyer',
    addressLine1: '1 Lab Street',
    city: 'Austin',
    countryCode: 'US',
    stateCode: 'TX',
    zipCode: '78701',
    isShipping: true,
    isDefaultShipping: true,
  })
  expect(await call('GET', `/addresses/${addressId}`, 'Success')).toMatchObject({
    countryName: 'United States',
    stateName: 'Texas',
  })

  const order = await shop.call(
    'POST',
    '/orders',
    {
      customer_id: user.bcId,
      billing_address: { first_name: 'Lab', last_name: 'Buyer', zip: '78701' },
      products: [{ name: 'Print', quantity: 2, price_ex_tax: 20, price_inc_tax: 20 }],
    },
    { version: 'v2' },
  )
  const [ordering] = await call('GET', `/companies?bcOrderId=${order.body.id}`, 'SUCCESS')
  expect(ordering.companyId).toBe(company.companyId)

  const balance = { code: 'USD', value: 100 }
  const { invoiceId } = await call('POST', '/ip/invoices', 'SUCCESS', {
    invoiceNumber: 'LAB-1',
    orderNumber: String(order.body.id),
    customerId: String(company.companyId),
    originalBalance: balance,
    openBalance: balance,
  })
  const { paymentId } = await call('POST', '/ip/payments/offline', 'SUCCESS', {
    lineItems: [{ invoiceId, amount: '40' }],
    currency: 'USD',
    details: { memo: 'Check 7' },
    customerId: String(company.companyId),
    processingStatus: 2,
  })
  const read = async () => {
    const { openBalance, isPendingPayment, status } = await call('GET', `/ip/invoices/${invoiceId}`, 'SUCCESS')
    return [openBalance.value, isPendingPayment, status]
  }
  expect(await read()).toEqual(['100.0000', 1, 0])
  await call('PUT', `/ip/payments/${paymentId}/processing-status`, 'SUCCESS', { processingStatus: 3 })
  expect(await read()).toEqual(['60.0000', 0, 1])
  const [receipt] = await call('GET', '/ip/receipts', 'SUCCESS')
  expect(receipt).toMatchObject({ paymentId, transactionType: 'Paid', total: { code: 'USD', value: '40.0000' } })
})
