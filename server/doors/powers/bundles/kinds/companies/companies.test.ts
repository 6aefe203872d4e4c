import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ask, enableCompanion, makeCompany, makeInvoice } from '../../../../../test/fixtures/companion.ts'
import { bundleParts, contentOf, exportTo, made } from '../../../../../test/fixtures/content/bundles.ts'
import { openShop, type Shop } from '../../../../../test/fixtures/shop.ts'
import { dbOf } from '../../../../../test/fixtures/webhooks.ts'
import { openBundle } from '../../bundle.ts'
import { importInto } from '../../store-bundles.ts'

const parts = await bundleParts()
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'storeward-companies-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function companionShop(): Promise<Shop> {
  const shop = await openShop({ isTest: true })
  await enableCompanion(shop)
  return shop
}

/** Sends a request to the companion API that must succeed. @returns its data */
async function did(shop: Shop, method: string, path: string, body?: unknown) {
  const { status, body: answer, text } = await ask(shop, method, `/v3/io${path}`, body)
  expect(status, `${method} ${path}: ${text}`).toBe(200)
  return answer.data
}

/** A payment of an invoice in some state. */
const pay = (
  shop: Shop,
  company: number,
  invoiceId: number,
  { amount, ...more }: { amount: string; [name: string]: unknown },
) =>
  did(shop, 'POST', '/ip/payments/offline', {
    lineItems: [{ invoiceId, amount }],
    currency: 'USD',
    details: { memo: `Cheque for ${amount}` },
    customerId: String(company),
    ...more,
  })

/** A shop with a company in whose rows everything is set, and its subsidiary. */
async function buyers(): Promise<Shop> {
  const shop = await companionShop()
  await made(shop, 'POST /customer_groups', { name: 'Other' }, 'v2')
  const group = await made(shop, 'POST /customer_groups', { name: 'Trade' }, 'v2')
  const permission = { name: 'Approve', description: 'Approves orders', code: 'approve_all', moduleName: 'Orders' }
  await did(shop, 'POST', '/companies/permissions', permission)
  const grants = [
    { code: 'get_invoices', permissionLevel: 2 },
    { code: 'approve_all', permissionLevel: 3 },
  ]
  const role = await did(shop, 'POST', '/companies/roles', { name: 'Bookkeeper', permissions: grants })
  const parent = await makeCompany(shop, 'Harbour', { customerGroupId: group.id, uuid: 'H-1', city: 'Perth' })
  const child = await makeCompany(shop, 'Quay', { customerGroupId: 0 })
  await did(shop, 'PUT', `/companies/${child.companyId}/status`, { companyStatus: 3 })
  const adopted = await ask(shop, 'POST', `/v3/io/companies/${child.companyId}/parent`, {
    parentCompanyId: parent.companyId,
  })
  expect(adopted.status).toBe(201)
  const user = { firstName: 'Bo', lastName: 'Ek', email: 'bo@harbour.example.com', companyId: parent.companyId }
  await did(shop, 'POST', '/users', { ...user, companyRoleId: role.id, phoneNumber: '7', uuid: 'U-7', channelIds: [1] })
  await did(shop, 'POST', '/users', {
    ...user,
    firstName: 'Cy',
    email: 'cy@harbour.example.com',
    role: 2,
    channelIds: [1],
  })
  const address = {
    firstName: 'Ann',
    lastName: 'Lee',
    addressLine1: '1 Pier',
    city: 'Aarhus',
    countryCode: 'DK',
    companyId: parent.companyId,
  }
  await did(shop, 'POST', '/addresses', { ...address, isBilling: true, isDefaultBilling: true, label: 'Office' })
  await did(shop, 'POST', '/addresses', { ...address, addressLine1: '2 Pier', isShipping: true, externalId: 'A-2' })
  await did(shop, 'PUT', `/companies/${parent.companyId}/credit`, {
    creditEnabled: true,
    availableCredit: 512.5,
    limitPurchases: true,
  })
  await did(shop, 'PUT', `/companies/${parent.companyId}/payment-terms`, { isEnabled: true, paymentTerms: 15 })
  await did(shop, 'PUT', `/companies/${parent.companyId}/payments`, { payments: [{ code: 'cod', isEnabled: false }] })
  await makeInvoice(shop, child.companyId, '80')
  const invoice = await makeInvoice(shop, parent.companyId, '100', { purchaseOrderNumber: 'PO 7', channelId: 1 })
  await pay(shop, parent.companyId, invoice, { amount: '40', payerName: 'Ann' })
  const refunded = await pay(shop, parent.companyId, invoice, { amount: '30' })
  await did(shop, 'PUT', `/ip/payments/${refunded.paymentId}/processing-status`, { processingStatus: 4 })
  const reverted = await pay(shop, parent.companyId, invoice, { amount: '20' })
  await did(shop, 'POST', `/ip/payments/${reverted.paymentId}/operations`, { operationCode: 1 })
  await pay(shop, parent.companyId, invoice, { amount: '10', processingStatus: 1 })
  await did(shop, 'PUT', `/ip/invoices/${invoice}`, { openBalance: { code: 'USD', value: '55' } })
  return shop
}

test('companies come back with their users, addresses, credit, invoices and payments', async () => {
  const shop = await buyers()
  const bundle = await openBundle(await exportTo(folder, shop))
  const content = await contentOf(bundle)
  const other = await companionShop()
  // Its ids differ from those of the bundle.
  await makeCompany(other, 'Former', { customerGroupId: 0 })
  const report = await importInto(parts, await dbOf(other), bundle, { overData: true })
  expect(report).toMatchObject({
    refused: [],
    dropped: {},
    rows: {
      'company-permissions': 1,
      'company-roles': 4,
      'company-role-permissions': 1,
      companies: 2,
      'company-users': 4,
      'company-addresses': 2,
      'company-credit': 1,
      'company-payment-terms': 1,
      'company-payment-methods': 1,
      invoices: 2,
      'invoice-payments': 4,
    },
  })
  await did(other, 'DELETE', '/companies/1')
  await other.call('DELETE', '/customers?id:in=1')
  expect(await contentOf(await openBundle(await exportTo(folder, other)))).toEqual(content)
  const receipts = async (of: Shop) =>
    (await did(of, 'GET', '/ip/receipts?sortBy=createdAt&orderBy=ASC')).map(
      (one: { transactionType: string; total: object }) => [one.transactionType, one.total],
    )
  expect((await receipts(other)).sort()).toEqual((await receipts(shop)).sort())
  const [, company] = await did(other, 'GET', '/companies?orderBy=ASC')
  expect(company).toMatchObject({ companyName: 'Quay', companyStatus: '3', parentCompany: { name: 'Harbour' } })
})

test('an import into a store without the companion API refuses companies, and brings the rest', async () => {
  const bundle = await openBundle(await exportTo(folder, await buyers()))
  const other = await openShop({ isTest: true })
  const report = await importInto(parts, await dbOf(other), bundle)
  expect([report.rows.customers, report.rows.companies]).toEqual([4, undefined])
  expect(report.refused).toContainEqual({
    kind: 'companies',
    id: '1',
    status: 403,
    reason: 'The business-to-business API is not enabled for this store.',
  })
})
