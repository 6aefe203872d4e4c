import { expect, test } from 'vitest'
import { cleanupRunner } from '../../../customers/accounts/cleanup.ts'
import { ask, askBare, enableCompanion, makeCompany } from '../../../test/fixtures/companion.ts'
import { openShop } from '../../../test/fixtures/shop.ts'
import { dbOf } from '../../../test/fixtures/webhooks.ts'
import { doJobs } from '../../../test/harness/jobs.ts'
import { leaveCompanies } from './deleted-customers.ts'
import { exportBuyer } from './personal-data.ts'

// docs/operations.md, "A customer's data".

test('an export has the user and the times of its tokens; deleting the customer deletes both and keeps the company', async () => {
  const shop = await openShop()
  await enableCompanion(shop)
  const { customerId } = await makeCompany(shop, 'Acme')
  const { body } = await ask(shop, 'POST', '/io/auth/customers/storefront', { customerId })
  const db = await dbOf(shop)
  const exported = await exportBuyer(db, customerId)
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
  expect(await exportBuyer(db, customerId)).toEqual({
    company_users: [],
    b2b_super_admins: [],
    companies: [],
    b2b_sign_ins: [],
  })
  expect((await ask(shop, 'GET', '/v3/io/companies')).body.data).toHaveLength(1)
  expect((await askBare('DELETE', '/io/auth/customers/storefront', { id: body.data.token[0] })).status).toBe(200)
})
