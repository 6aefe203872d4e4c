import { beforeAll, expect, test } from 'vitest'
import {
  ask,
  enableCompanion,
  makeCompany,
  makeCompanyOrder,
  makeInvoice,
  makeMug,
  makeStaff,
  newQuote,
} from '../../../test/fixtures/companion.ts'
import { openShop, type Shop, theHouse } from '../../../test/fixtures/shop.ts'
import { dispatchAll, noProblems } from '../../../test/fixtures/webhooks.ts'
import { Worker } from '../../webhooks/worker/worker.ts'

// The events of the companion API as hooks receive them: each row of the contract in order, and nothing for its last row.

const DESTINATION = 'https://receiver.example.com/companion'
const SCOPES = ['store/company/*', 'store/superadmin/*', 'store/quote/*', 'store/customer/*']
let shop: Shop
let worker: Worker
const received: string[] = []

beforeAll(async () => {
  shop = await openShop()
  await enableCompanion(shop)
  await makeStaff(shop)
  for (const scope of SCOPES) await shop.call('POST', '/hooks', { scope, destination: DESTINATION })
  const house = await theHouse()
  worker = new Worker({
    ...house.installation,
    jitter: 0,
    log: noProblems,
    sender: {
      async send({ destination, body }) {
        const payload: { scope: string } = JSON.parse(body)
        if (destination === DESTINATION) received.push(payload.scope)
        return { ok: true, status: 204, excerpt: '' }
      },
    },
  })
})

/** Sends all events. @returns the scopes that the hooks received since the last call, in order */
async function heard(): Promise<string[]> {
  for (let more = true; more; ) {
    await dispatchAll()
    more = await worker.sendDue()
    await worker.idle()
  }
  return received.splice(0)
}
/** Those below a scope: hooks of different scopes are sent apart. */
const below = (scopes: readonly string[], start: string) => scopes.filter((scope) => scope.startsWith(start))
const must = async (method: string, path: string, body?: unknown) => {
  const reply = await ask(shop, method, `/v3/io/${path}`, body)
  expect(reply.status, reply.text).toBeLessThan(300)
  return reply.body?.data
}

test('a hook receives the events of each row in order', async () => {
  const { companyId, customerId } = await makeCompany(shop, 'Acme')
  let scopes = await heard()
  // Events of different things have no order.
  expect(below(scopes, 'store/company/').sort()).toEqual(['store/company/created', 'store/company/user/created'])
  expect(below(scopes, 'store/customer/')).toEqual(['store/customer/created'])

  await must('PUT', `companies/${companyId}`, { companyPhone: '555 9' })
  await must('PUT', `companies/${companyId}/status`, { companyStatus: 0 })
  await must('PUT', `companies/${companyId}/status`, { companyStatus: 0 })
  await must('PUT', `companies/${companyId}/status`, { companyStatus: 1 })
  expect(below(await heard(), 'store/company/')).toEqual([
    'store/company/updated',
    'store/company/updated',
    'store/company/statusUpdated',
    'store/company/updated',
    'store/company/statusUpdated',
  ])

  const { companyId: child } = await makeCompany(shop, 'Child')
  await heard()
  await must('POST', `companies/${child}/parent`, { parentCompanyId: companyId })
  await must('DELETE', `companies/${companyId}/subsidiaries/${child}`)
  expect(below(await heard(), 'store/company/')).toEqual(['store/company/updated', 'store/company/updated'])

  const admin = { firstName: 'Eva', lastName: 'Holm', email: 'eva@hooks.example.com' }
  const { userId: superAdmin } = await must('POST', 'super-admins', admin)
  await must('PUT', `super-admins/${superAdmin}`, { companies: [{ companyId, isAssigned: true }] })
  scopes = await heard()
  expect(below(scopes, 'store/superadmin/')).toEqual([
    'store/superadmin/created',
    'store/superadmin/assignmentUpdated',
    'store/superadmin/updated',
  ])
  expect(below(scopes, 'store/company/')).toEqual(['store/company/superadmin/assignmentUpdated'])
  expect(below(scopes, 'store/customer/')).toEqual(['store/customer/created'])

  const person = { firstName: 'Bo', lastName: 'Ek', email: 'bo@hooks.example.com', companyId, role: 1, channelIds: [1] }
  const { userId } = await must('POST', 'users', person)
  await must('PUT', `users/${userId}`, { phoneNumber: '1' })
  await must('DELETE', `users/${userId}`)
  expect(below(await heard(), 'store/company/')).toEqual([
    'store/company/user/created',
    'store/company/user/updated',
    'store/company/user/deleted',
  ])

  const address = { firstName: 'A', lastName: 'B', addressLine1: '1 Mill', city: 'Oslo', countryCode: 'NO', companyId }
  const { addressId } = await must('POST', 'addresses', address)
  await must('PUT', `addresses/${addressId}`, { city: 'Bergen' })
  await must('DELETE', `addresses/${addressId}`)
  expect(below(await heard(), 'store/company/')).toEqual([
    'store/company/address/created',
    'store/company/address/updated',
    'store/company/address/deleted',
  ])

  const mug = await makeMug(shop)
  const { quoteId } = await must('POST', 'rfq', newQuote(mug, { companyId }))
  await must('PUT', `rfq/${quoteId}`, { notes: 'Fragile' })
  await must('PUT', `rfq/${quoteId}`, { message: 'Hello' })
  await must('PUT', `rfq/${quoteId}`, { status: 6 })
  await must('DELETE', `rfq/${quoteId}`)
  expect(below(await heard(), 'store/quote/')).toEqual([
    'store/quote/created',
    'store/quote/updated',
    'store/quote/updated',
    'store/quote/statusUpdated',
    'store/quote/deleted',
  ])

  const rights = { name: 'Reader', permissions: [{ code: 'get_orders', permissionLevel: 2 }] }
  const role = await must('POST', 'companies/roles', rights)
  await must('PUT', `companies/roles/${role.id}`, { ...rights, name: 'Readers' })
  const invoice = await makeInvoice(shop, companyId)
  const paid = await must('POST', 'ip/payments/offline', {
    lineItems: [{ invoiceId: invoice, amount: 40 }],
    currency: 'USD',
    details: {},
    customerId: String(companyId),
  })
  await must('PUT', `ip/payments/${paid.paymentId}/processing-status`, { processingStatus: 4 })
  const items = [{ productId: mug, quantity: 1 }]
  await must('POST', 'shopping-list', { name: 'Weekly', customerId, items })
  await must('PUT', `orders/${await makeCompanyOrder(shop, customerId)}`, { poNumber: 'PO-7' })
  await must('PUT', `companies/${companyId}/payment-terms`, { isEnabled: true, paymentTerms: 15 })
  // Rows without events: roles, invoices, payments, receipts, lists, order numbers and terms.
  expect(await heard()).toEqual([])

  await must('DELETE', `companies/${child}`)
  expect(below(await heard(), 'store/company/')).toContain('store/company/deleted')
})
