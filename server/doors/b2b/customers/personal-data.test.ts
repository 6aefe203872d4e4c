import { expect, test } from 'vitest'
import { cleanupRunner } from '../../../customers/accounts/cleanup.ts'
import {
  ask,
  askBare,
  enableCompanion,
  makeCompany,
  makeCompanyOrder,
  makeMug,
  newQuote,
} from '../../../test/fixtures/companion.ts'
import { openShop, theHouse } from '../../../test/fixtures/shop.ts'
import { dbOf } from '../../../test/fixtures/webhooks.ts'
import { doJobs } from '../../../test/harness/jobs.ts'
import { leaveCompanies } from './deleted-customers.ts'
import { eraseFromQuotes, exportBuyer } from './personal-data.ts'

// docs/operations.md, "A customer's data".

test('an export has the user and the times of its tokens; deleting the customer deletes both and keeps the company', async () => {
  const shop = await openShop()
  await enableCompanion(shop)
  const { customerId } = await makeCompany(shop, 'Acme')
  const { body } = await ask(shop, 'POST', '/io/auth/customers/storefront', { customerId })
  const db = await dbOf(shop)
  const exported = await exportBuyer(db, { id: customerId, email: 'ann@acme.example.com' })
  expect(exported).toMatchObject({
    company_users: [{ id: 1, company_id: 1, customer_id: customerId, phone_number: '' }],
    companies: [{ id: 1, company_name: 'Acme' }],
    b2b_sign_ins: [{ channel_id: 1 }],
  })
  expect(JSON.stringify(exported)).not.toContain(body.data.token[0])
  expect(exported.b2b_sign_ins).not.toMatchObject([{ token: expect.anything() }])

  await shop.call('DELETE', `/customers?id:in=${customerId}`)
  // This happens at once, although a job deletes the row.
  expect((await ask(shop, 'GET', '/v3/io/users')).body.data).toEqual([])
  expect((await ask(shop, 'POST', '/io/auth/customers/storefront', { customerId })).status).toBe(404)
  expect(await doJobs([cleanupRunner([leaveCompanies])])).toBeGreaterThan(0)
  expect(await exportBuyer(db, { id: customerId, email: 'ann@acme.example.com' })).toEqual({
    company_users: [],
    b2b_super_admins: [],
    companies: [],
    b2b_quotes: [],
    b2b_shopping_lists: [],
    b2b_shopping_list_items: [],
    b2b_orders: [],
    b2b_sign_ins: [],
  })
  expect((await ask(shop, 'GET', '/v3/io/companies')).body.data).toHaveLength(1)
  expect((await askBare('DELETE', '/io/auth/customers/storefront', { id: body.data.token[0] })).status).toBe(200)
})

test('an erasure deletes quotes without a company, and the person in those of a company', async () => {
  const shop = await openShop()
  await enableCompanion(shop)
  const { companyId, customerId } = await makeCompany(shop, 'Acme')
  const person = { id: customerId, email: 'ann@acme.example.com' }
  const mug = await makeMug(shop)
  const address = { address: '1 Secret Road', firstName: 'Ann' }
  const message = 'My number is 555 7777'
  const make = async (more: object) =>
    (await ask(shop, 'POST', '/v3/io/rfq', newQuote(mug, { shippingAddress: address, message, ...more }))).body.data
      .quoteId
  const [ofCompany, alone, ordered] = [await make({ companyId }), await make({}), await make({})]
  const foreign = await make({ contactInfo: { name: 'Cy', email: 'cy@other.example.com' } })
  const order = await makeCompanyOrder(shop, customerId)
  expect((await ask(shop, 'POST', `/v3/io/rfq/${ordered}/ordered`, { orderId: String(order) })).status).toBe(200)
  const list = (
    await ask(shop, 'POST', '/v3/io/shopping-list', {
      name: 'Weekly',
      customerId,
      items: [{ productId: mug, quantity: 1 }],
    })
  ).body.data
  const db = await dbOf(shop)
  const { files } = await theHouse()
  expect(await exportBuyer(db, person)).toMatchObject({
    b2b_quotes: [{ id: ofCompany }, { id: alone }, { id: ordered }],
    b2b_shopping_lists: [{ id: list.shoppingListId, name: 'Weekly' }],
    b2b_shopping_list_items: [{ product_id: mug }],
    b2b_orders: [{ order_id: order }],
  })
  expect(await eraseFromQuotes(db, files, person)).toBe(3)
  // It can be repeated after an interruption.
  expect(await eraseFromQuotes(db, files, person)).toBe(0)
  const read = async (id: number) => (await ask(shop, 'GET', `/v3/io/rfq/${id}`)).body
  for (const id of [ofCompany, ordered]) {
    const { data } = await read(id)
    expect(data).toMatchObject({
      contactInfo: { name: '', email: '' },
      shippingAddress: {},
      trackingHistory: [],
      grandTotal: 35,
      productList: [{ offeredPrice: 35 }],
    })
  }
  expect((await ask(shop, 'GET', `/v3/io/rfq/${alone}`)).status).toBe(404)
  expect((await read(foreign)).data.contactInfo.name).toBe('Cy')
  const found = async (q: string) => (await ask(shop, 'GET', `/v3/io/rfq?q=${q}`)).body.data.length
  expect(await found('ann@acme.example.com')).toBe(0)
  expect(await found('cy@other.example.com')).toBe(1)
})
