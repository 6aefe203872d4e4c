import { beforeAll, describe, expect, test } from 'vitest'
import { document } from '../../../test/document/document.ts'
import {
  ask,
  askBare,
  backendToken,
  enableCompanion,
  makeCompany,
  makeCompanyOrder,
  makeInvoice,
  makeMug,
  makeQuote,
  newQuote,
  refused,
} from '../../../test/fixtures/companion.ts'
import { openShop, type Shop } from '../../../test/fixtures/shop.ts'

// The walls between companies (docs/contract/companies.md section 5): every operation, called by a sales representative with ids of an
// assigned company, of another company, of its subsidiary, of a deleted one, and with ids that never existed. A new operation needs a rule here.

const COMPANIES = '/v3/io/companies'
const ROLES = `${COMPANIES}/roles`
const USERS = '/v3/io/users'
const IP = '/v3/io/ip'
const SUPER_ADMINS = '/v3/io/super-admins'
const newSuperAdmin = { firstName: 'Eva', lastName: 'Holm', email: 'eva@agency.example.com' }
const RFQ = '/v3/io/rfq'
const ORDERS = '/v3/io/orders'
const LIST = '/v3/io/shopping-list'
let mug: number

/** The resources of one company. */
interface Resources {
  company: number
  address: number
  customer: number
  user: number
  staff: number
  invoice: number
  payment: number
  receipt: number
  line: number
  quote: number
  order: number
  /** The record of the order. */
  record: number
  list: number
  item: number
}

/** The credentials are in the request itself, so a backend token changes nothing. */
const open = 'open'
/** The answer is the same for every caller. */
const shared = 'shared'
/** The list omits other companies and their resources. */
const filtered = 'filtered'
/** Refused for every company: only the seller does it. */
interface OfSeller {
  seller: (ids: Resources) => [path: string, body?: unknown]
}
/** Refused for all but assigned companies. The path and the body of the request. */
type OfCompany = (ids: Resources) => [path: string, body?: unknown]

const newUser = (companyId: number) => ({
  firstName: 'Bo',
  lastName: 'Ek',
  email: `bo${companyId}@example.com`,
  companyId,
  role: 2,
  channelIds: [1],
})
const newAddress = (companyId: number) => ({
  firstName: 'Ann',
  lastName: 'Lee',
  addressLine1: `${companyId} Pier`,
  city: 'Aarhus',
  countryCode: 'DK',
  companyId,
})
const balance = { code: 'USD', value: 5 }
const payment = ({ company, invoice }: Resources) => ({
  lineItems: [{ invoiceId: invoice, amount: 1 }],
  currency: 'USD',
  details: {},
  customerId: String(company),
})

const RULES: Readonly<Record<string, typeof open | typeof shared | typeof filtered | OfSeller | OfCompany>> = {
  'post /io/auth/backend': open,
  'get /io/auth/storefront': open,
  'post /v2/login': open,
  'post /io/auth/customers': open,
  'delete /io/auth/customers/storefront': open,
  'get /v3/io/channels': shared,
  'get /v3/io/channels/{channel_id}': shared,
  'get /v3/io/companies/permissions': shared,
  'get /v3/io/companies/extra-fields': shared,
  'get /v3/io/users/extra-fields': shared,
  'get /v3/io/addresses/extra-fields': shared,
  'get /v3/io/ip/invoices/extra-fields': shared,
  'get /v3/io/rfq/extra-fields': shared,
  'get /v3/io/rfq/custom/shipping-methods': shared,
  'get /v3/io/companies/roles': shared,
  'get /v3/io/companies/roles/{role_id}': shared,
  'get /io/backend/tokens': filtered,
  'get /v3/io/companies': filtered,
  'get /v3/io/users': filtered,
  'get /v3/io/sales-staffs': filtered,
  'post /io/auth/customers/storefront': ({ customer }) => ['/io/auth/customers/storefront', { customerId: customer }],
  'post /v3/io/companies/roles': { seller: () => [ROLES, { name: 'Mine', permissions: [] }] },
  'put /v3/io/companies/roles/{role_id}': { seller: () => [`${ROLES}/1`, { name: 'Mine', permissions: [] }] },
  'delete /v3/io/companies/roles/{role_id}': { seller: () => [`${ROLES}/1`] },
  'get /v3/io/companies/{company_id}': ({ company }) => [`${COMPANIES}/${company}`],
  'put /v3/io/companies/{company_id}': ({ company }) => [`${COMPANIES}/${company}`, { city: 'Perth' }],
  'put /v3/io/companies/{company_id}/status': {
    seller: ({ company }) => [`${COMPANIES}/${company}/status`, { companyStatus: 1 }],
  },
  // A company can't be its own parent.
  'post /v3/io/companies/{company_id}/parent': ({ company }) => [
    `${COMPANIES}/${company}/parent`,
    { parentCompanyId: company },
  ],
  'get /v3/io/companies/{company_id}/subsidiaries': ({ company }) => [`${COMPANIES}/${company}/subsidiaries`],
  'get /v3/io/companies/{company_id}/hierarchy': ({ company }) => [`${COMPANIES}/${company}/hierarchy`],
  'delete /v3/io/companies/{company_id}/subsidiaries/{child_company_id}': ({ company }) => [
    `${COMPANIES}/${company}/subsidiaries/${company}`,
  ],
  'post /v3/io/companies/permissions': {
    seller: () => [`${COMPANIES}/permissions`, { name: 'Mine', description: 'Mine', code: 'mine' }],
  },
  'put /v3/io/companies/permissions/{permission_id}': {
    seller: () => [`${COMPANIES}/permissions/1`, { name: 'Mine', description: 'Mine', code: 'mine' }],
  },
  'delete /v3/io/companies/permissions/{permission_id}': { seller: () => [`${COMPANIES}/permissions/1`] },
  'get /v3/io/countries': shared,
  'get /v3/io/states': shared,
  'get /v3/io/addresses': filtered,
  'post /v3/io/addresses': ({ company }) => ['/v3/io/addresses', newAddress(company)],
  'post /v3/io/addresses/bulk': ({ company }) => ['/v3/io/addresses/bulk', [newAddress(company)]],
  'get /v3/io/addresses/{address_id}': ({ address }) => [`/v3/io/addresses/${address}`],
  'put /v3/io/addresses/{address_id}': ({ address }) => [`/v3/io/addresses/${address}`, { city: 'Perth' }],
  'delete /v3/io/addresses/{address_id}': ({ address }) => [`/v3/io/addresses/${address}`],
  'post /v3/io/users/bulk': ({ company }) => [
    `${USERS}/bulk`,
    [{ ...newUser(company), email: `bulk${company}@example.com` }],
  ],
  'put /v3/io/companies/bulk': ({ company }) => [`${COMPANIES}/bulk`, [{ companyId: company, city: 'Perth' }]],
  // It creates companies, as the operation for one.
  'post /v3/io/companies/bulk': filtered,
  'put /v3/io/companies/{company_id}/catalogs': {
    seller: ({ company }) => [`${COMPANIES}/${company}/catalogs`, { catalogId: '1' }],
  },
  'post /v3/io/customer-groups/{customer_group_id}/companies': {
    seller: () => [
      '/v3/io/customer-groups/1/companies',
      {
        companyName: 'Mine',
        companyEmail: 'mine@example.com',
        companyPhone: '1',
        country: 'Denmark',
        adminFirstName: 'Ann',
        adminLastName: 'Lee',
        adminEmail: 'mine@example.com',
      },
    ],
  },
  'post /v3/io/super-admins': { seller: () => [SUPER_ADMINS, newSuperAdmin] },
  'post /v3/io/super-admins/bulk': { seller: () => [`${SUPER_ADMINS}/bulk`, [newSuperAdmin]] },
  'get /v3/io/super-admins/companies': filtered,
  'get /v3/io/super-admins/info/{super_admin_id}': { seller: () => [`${SUPER_ADMINS}/info/1`] },
  'put /v3/io/super-admins/info/{super_admin_id}': { seller: () => [`${SUPER_ADMINS}/info/1`, { phone: '1' }] },
  'put /v3/io/super-admins/{super_admin_id}': {
    seller: ({ company }) => [`${SUPER_ADMINS}/1`, { companies: [{ companyId: company, isAssigned: true }] }],
  },
  'get /v3/io/super-admins/{super_admin_id}/companies': { seller: () => [`${SUPER_ADMINS}/1/companies`] },
  'get /v3/io/companies/super-admins': { seller: () => [`${COMPANIES}/super-admins`] },
  'get /v3/io/companies/{company_id}/super-admins': ({ company }) => [`${COMPANIES}/${company}/super-admins`],
  'put /v3/io/companies/{company_id}/super-admins': {
    seller: ({ company }) => [
      `${COMPANIES}/${company}/super-admins`,
      { superAdmins: [{ superAdminId: 1, isAssigned: true }] },
    ],
  },
  'post /v3/io/users': ({ company }) => [USERS, newUser(company)],
  'get /v3/io/users/{user_id}': ({ user }) => [`${USERS}/${user}`],
  'put /v3/io/users/{user_id}': ({ user }) => [`${USERS}/${user}`, { firstName: 'X' }],
  'get /v3/io/users/customer/{customer_id}': ({ customer }) => [`${USERS}/customer/${customer}`],
  'get /v3/io/sales-staffs/{sales_staff_id}': ({ staff }) => [`/v3/io/sales-staffs/${staff}`],
  'put /v3/io/sales-staffs/{sales_staff_id}': {
    seller: ({ staff, company }) => [`/v3/io/sales-staffs/${staff}`, [{ companyId: company, assignStatus: true }]],
  },
  // tokens.test.ts tests the token of another person, and sales-reps.test.ts an admin that existed before.
  'delete /io/auth/backend': filtered,
  'post /v3/io/companies': filtered,
  'get /v3/io/payments': shared,
  'get /v3/io/companies/{company_id}/payments': ({ company }) => [`${COMPANIES}/${company}/payments`],
  'put /v3/io/companies/{company_id}/payments': {
    seller: ({ company }) => [`${COMPANIES}/${company}/payments`, { payments: [{ code: 'cod', isEnabled: true }] }],
  },
  'get /v3/io/company-payment-methods': filtered,
  'get /v3/io/companies/{company_id}/attachments': ({ company }) => [`${COMPANIES}/${company}/attachments`],
  // attachments.test.ts sends forms.
  'post /v3/io/companies/{company_id}/attachments': filtered,
  'delete /v3/io/companies/{company_id}/attachments/{attachment_id}': ({ company }) => [
    `${COMPANIES}/${company}/attachments/none`,
  ],
  'get /v3/io/companies/{company_id}/credit': ({ company }) => [`${COMPANIES}/${company}/credit`],
  'put /v3/io/companies/{company_id}/credit': {
    seller: ({ company }) => [`${COMPANIES}/${company}/credit`, { creditHold: true }],
  },
  'get /v3/io/companies/{company_id}/payment-terms': ({ company }) => [`${COMPANIES}/${company}/payment-terms`],
  'put /v3/io/companies/{company_id}/payment-terms': {
    seller: ({ company }) => [`${COMPANIES}/${company}/payment-terms`, { isEnabled: true, paymentTerms: 5 }],
  },
  'get /v3/io/ip/invoices': filtered,
  'get /v3/io/ip/payments': filtered,
  'get /v3/io/ip/receipts': filtered,
  'get /v3/io/ip/receipt-lines': filtered,
  'post /v3/io/ip/invoices': ({ company }) => [
    `${IP}/invoices`,
    {
      invoiceNumber: `Wall ${company}`,
      customerId: String(company),
      originalBalance: balance,
      openBalance: balance,
    },
  ],
  'get /v3/io/ip/invoices/{invoice_id}': ({ invoice }) => [`${IP}/invoices/${invoice}`],
  'get /v3/io/ip/invoices/{invoice_id}/download-pdf': ({ invoice }) => [`${IP}/invoices/${invoice}/download-pdf`],
  'put /v3/io/ip/invoices/{invoice_id}': ({ invoice }) => [`${IP}/invoices/${invoice}`, { type: 'X' }],
  'get /v3/io/ip/payments/{payment_id}': ({ payment }) => [`${IP}/payments/${payment}`],
  'get /v3/io/ip/payments/{payment_id}/operations': ({ payment }) => [`${IP}/payments/${payment}/operations`],
  'get /v3/io/ip/receipts/{receipt_id}': ({ receipt }) => [`${IP}/receipts/${receipt}`],
  'get /v3/io/ip/receipts/{receipt_id}/lines': ({ receipt }) => [`${IP}/receipts/${receipt}/lines`],
  'get /v3/io/ip/receipts/{receipt_id}/lines/{receipt_line_id}': ({ receipt, line }) => [
    `${IP}/receipts/${receipt}/lines/${line}`,
  ],
  // A change of a payment writes other receipts, so these are deleted before.
  'delete /v3/io/ip/receipts/{receipt_id}/lines/{receipt_line_id}': ({ receipt, line }) => [
    `${IP}/receipts/${receipt}/lines/${line}`,
  ],
  'delete /v3/io/ip/receipts/{receipt_id}': ({ receipt }) => [`${IP}/receipts/${receipt}`],
  'post /v3/io/ip/payments/{payment_id}/operations': ({ payment }) => [
    `${IP}/payments/${payment}/operations`,
    { operationCode: 1 },
  ],
  'put /v3/io/ip/payments/{payment_id}/processing-status': ({ payment }) => [
    `${IP}/payments/${payment}/processing-status`,
    { processingStatus: 3 },
  ],
  'get /v3/io/ip/payments/{payment_id}/transactions': ({ payment }) => [`${IP}/payments/${payment}/transactions`],
  'post /v3/io/ip/payments/offline': (ids) => [`${IP}/payments/offline`, payment(ids)],
  'put /v3/io/ip/payments/offline/{payment_id}': (ids) => [`${IP}/payments/offline/${ids.payment}`, payment(ids)],
  'get /v3/io/orders/extra-fields': shared,
  'get /v3/io/orders': filtered,
  'post /v3/io/orders': ({ order }) => [ORDERS, { bcOrderId: order, poNumber: 'x' }],
  'get /v3/io/orders/{order_id}': ({ order }) => [`${ORDERS}/${order}`],
  'put /v3/io/orders/{order_id}': ({ order }) => [`${ORDERS}/${order}`, { poNumber: 'x' }],
  'get /v3/io/orders/{order_id}/products': ({ order }) => [`${ORDERS}/${order}/products`],
  'put /v3/io/customers/{customer_id}/orders/b2b': ({ customer }) => [`/v3/io/customers/${customer}/orders/b2b`],
  'put /v3/io/customers/{customer_id}/orders/company': {
    seller: ({ customer }) => [`/v3/io/customers/${customer}/orders/company`, { bcGroupId: 1 }],
  },
  'post /v3/io/ip/orders/{company_order_id}/invoices': ({ record }) => [`${IP}/orders/${record}/invoices`, {}],
  'get /v3/io/shopping-list': ({ user }) => [`${LIST}?userId=${user}`],
  'post /v3/io/shopping-list': ({ user }) => [LIST, { name: 'Mine', userId: user }],
  'get /v3/io/shopping-list/{shopping_list_id}': ({ list }) => [`${LIST}/${list}`],
  'put /v3/io/shopping-list/{shopping_list_id}': ({ list }) => [`${LIST}/${list}`, { name: 'Ours' }],
  'delete /v3/io/shopping-list/{shopping_list_id}/items/{item_id}': ({ list, item }) => [
    `${LIST}/${list}/items/${item}`,
  ],
  'delete /v3/io/shopping-list/{shopping_list_id}': ({ list }) => [`${LIST}/${list}`],
  'get /v3/io/rfq': filtered,
  'post /v3/io/rfq': ({ company }) => [RFQ, newQuote(mug, { companyId: company })],
  'post /v3/io/rfq/emails': ({ quote }) => [
    `${RFQ}/emails`,
    { quoteId: String(quote), email: 'ann@acme.example.com', withAttach: false, emailTemplate: 'Simple' },
  ],
  'get /v3/io/rfq/{quote_id}': ({ quote }) => [`${RFQ}/${quote}`],
  'put /v3/io/rfq/{quote_id}': ({ quote }) => [`${RFQ}/${quote}`, { notes: 'x' }],
  'post /v3/io/rfq/{quote_id}/checkout': ({ quote }) => [`${RFQ}/${quote}/checkout`, {}],
  'post /v3/io/rfq/{quote_id}/pdf-export': ({ quote }) => [`${RFQ}/${quote}/pdf-export`, {}],
  'get /v3/io/rfq/{quote_id}/shipping-rates': ({ quote }) => [`${RFQ}/${quote}/shipping-rates`],
  'put /v3/io/rfq/{quote_id}/shipping-rate': ({ quote }) => [
    `${RFQ}/${quote}/shipping-rate`,
    { customShippingMethodName: 'Van', customShippingMethodCost: 1 },
  ],
  'delete /v3/io/rfq/{quote_id}/shipping-rate': ({ quote }) => [`${RFQ}/${quote}/shipping-rate`],
  'post /v3/io/rfq/{quote_id}/ordered': ({ quote }) => [`${RFQ}/${quote}/ordered`, { orderId: '9999' }],
  // Deletions come last: the requests above need their resources.
  'delete /v3/io/rfq/{quote_id}': ({ quote }) => [`${RFQ}/${quote}`],
  'delete /v3/io/ip/payments/{payment_id}': ({ payment }) => [`${IP}/payments/${payment}`],
  'delete /v3/io/ip/invoices/{invoice_id}': ({ invoice }) => [`${IP}/invoices/${invoice}`],
  'delete /v3/io/users/{user_id}': ({ user }) => [`${USERS}/${user}`],
  'delete /v3/io/companies/{company_id}': ({ company }) => [`${COMPANIES}/${company}`],
}

/** Answers to a representative with its own ids that are no success, each with a reason. */
const REFUSED: Readonly<Record<string, number>> = {
  // A company is neither its own parent nor its own subsidiary.
  'post /v3/io/companies/{company_id}/parent': 400,
  'delete /v3/io/companies/{company_id}/subsidiaries/{child_company_id}': 400,
  // There is no such order.
  'post /v3/io/rfq/{quote_id}/ordered': 422,
  // The receipt was just deleted with its last line.
  'delete /v3/io/ip/receipts/{receipt_id}': 403,
  'delete /v3/io/companies/{company_id}/attachments/{attachment_id}': 404,
  // The payment that the requests above recorded still names it.
  'delete /v3/io/ip/invoices/{invoice_id}': 400,
}

const denied = refused(403, 'Permission denied', 'Permission denied')
/** Neither a company nor anything else has this id. */
const UNKNOWN = 9_999

let shop: Shop
let rep: string
let own: Resources
let foreign: Resources
let deleted: Resources
/** A subsidiary of the assigned company, which is not assigned itself. */
let subsidiary: Resources

const asRep = (method: string, path: string, body?: unknown) => askBare(method, path, body, { authtoken: rep })
const read = async (path: string) => (await ask(shop, 'GET', path)).body.data

async function resourcesOf(name: string, staff: number): Promise<Resources> {
  const { companyId: company, customerId: customer } = await makeCompany(shop, name)
  // A second user, because the last one of a company can't be deleted.
  const { body } = await ask(shop, 'POST', USERS, { ...newUser(company), email: `second@${name}.example.com` })
  const invoice = await makeInvoice(shop, company)
  const { addressId: address } = (await ask(shop, 'POST', '/v3/io/addresses', newAddress(company))).body.data
  const ids = { company, address, customer, user: body.data.userId, staff, invoice }
  const paid = await ask(
    shop,
    'POST',
    `${IP}/payments/offline`,
    payment({ ...ids, payment: 0, receipt: 0, line: 0, order: 0, record: 0, quote: 0, list: 0, item: 0 }),
  )
  const [line] = await read(`${IP}/receipt-lines`)
  const quote = await makeQuote(shop, { companyId: company, quoteTitle: `Quote of ${name}` })
  const made = { name: `List of ${name}`, userId: ids.user, items: [{ productId: mug, quantity: 1 }] }
  const { shoppingListId: list } = (await ask(shop, 'POST', LIST, made)).body.data
  const [{ id: item }] = (await read(`${LIST}/${list}`)).items
  const order = await makeCompanyOrder(shop, customer)
  const { id: record } = await read(`${ORDERS}/${order}`)
  return {
    ...ids,
    order,
    record,
    payment: paid.body.data.paymentId,
    receipt: line.receiptId,
    line: line.id,
    quote,
    list,
    item,
  }
}

beforeAll(async () => {
  shop = await openShop()
  await enableCompanion(shop)
  mug = await makeMug(shop)
  rep = await backendToken(shop, true)
  await backendToken(shop, true)
  const [mine, colleague] = (await read('/v3/io/sales-staffs?sortBy=email&orderBy=ASC')).map(
    ({ id }: { id: number }) => id,
  )
  own = await resourcesOf('Acme', mine)
  foreign = await resourcesOf('Beta', colleague)
  deleted = await resourcesOf('Gone', UNKNOWN)
  subsidiary = await resourcesOf('Below', colleague)
  await ask(shop, 'POST', `${COMPANIES}/${subsidiary.company}/parent`, { parentCompanyId: own.company })
  await ask(shop, 'PUT', `/v3/io/sales-staffs/${mine}`, [
    { companyId: own.company, assignStatus: true },
    { companyId: deleted.company, assignStatus: true },
  ])
  await ask(shop, 'DELETE', `${COMPANIES}/${deleted.company}`)
})

test('every operation has a rule', () => {
  const operations = Object.entries(document.paths)
    .filter(([path]) => path.startsWith('/b2b/api/'))
    .flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method} ${path.slice('/b2b/api'.length)}`))
  expect(Object.keys(RULES).sort()).toEqual(operations.sort())
})

describe('a sales representative', () => {
  test.each(Object.entries(RULES))('calls %s within its companies only', async (operation, rule) => {
    const [method = '', path = ''] = operation.split(' ')
    if (typeof rule === 'function') {
      const unknown = Object.fromEntries(Object.keys(foreign).map((name) => [name, UNKNOWN])) as unknown as Resources
      const answers = await Promise.all(
        [foreign, unknown, deleted, subsidiary].map(async (ids) => {
          const [place, body] = rule(ids)
          const { status, text } = await asRep(method.toUpperCase(), place, body)
          return { status, body: JSON.parse(text), text }
        }),
      )
      for (const answer of answers) expect(answer).toEqual({ status: 403, body: denied, text: answers[0]?.text })
      const [place, body] = rule(own)
      const { status, text } = await asRep(method.toUpperCase(), place, body)
      expect([REFUSED[operation] ?? 200, 201, 204], text).toContain(status)
    }
    if (typeof rule === 'object') {
      for (const ids of [own, foreign]) {
        const [place, body] = rule.seller(ids)
        expect((await asRep(method.toUpperCase(), place, body)).body).toEqual(denied)
      }
    }
    if (rule === filtered && method === 'get') {
      const { code, data, meta } = (await asRep('GET', `${path}?limit=250`)).body
      expect(code).toBe(200)
      expect(JSON.stringify(data)).not.toMatch(/beta|gone|below/i)
      expect(meta.pagination.totalCount).toBe(data.length)
    }
  })

  test.each([
    [`${COMPANIES}?customerId=CUSTOMER`],
    [`${COMPANIES}?q=Beta`],
    [`${USERS}?companyId=COMPANY`],
    [`${USERS}?q=beta`],
    ['/v3/io/addresses?companyId=COMPANY'],
    ['/v3/io/company-payment-methods?companyId=COMPANY'],
    [`${IP}/invoices?customerId=COMPANY`],
    [`${IP}/invoices?customerName=Beta`],
    [`${IP}/invoices?q=INVOICE&searchBy=customerId`],
    [`${RFQ}?company=Beta`],
    [`${RFQ}?q=quote of beta`],
    [`${RFQ}?quoteTitle=Beta`],
    [`${IP}/payments?invoiceId=INVOICE`],
    [`${IP}/payments?customerName=Beta`],
    [`${IP}/receipts?q=COMPANY&searchBy=customerId`],
    [`${IP}/receipt-lines?q=INVOICE&searchBy=invoiceId`],
  ])('finds nothing of other companies by %s', async (query) => {
    const path = query
      .replace('CUSTOMER', String(foreign.customer))
      .replace('COMPANY', String(foreign.company))
      .replace('INVOICE', String(foreign.invoice))
    const { body } = await asRep('GET', path)
    expect([body.data, body.meta.pagination.totalCount]).toEqual([[], 0])
  })

  test('can pay no invoice of another company for an assigned one: it is refused as an unknown one', async () => {
    const { companyId } = await makeCompany(shop, 'Delta')
    await ask(shop, 'PUT', `/v3/io/sales-staffs/${own.staff}`, [{ companyId, assignStatus: true }])
    const pay = async (invoice: number) =>
      (await asRep('POST', `${IP}/payments/offline`, payment({ ...own, company: companyId, invoice }))).text
    const text = await pay(foreign.invoice)
    const blind = (answer: string, id: number) => answer.replaceAll(new RegExp(`\\b${id}\\b`, 'g'), '#')
    expect(blind(text, foreign.invoice)).toBe(blind(await pay(UNKNOWN), UNKNOWN))
    expect(text).toContain('does not exist')
  })

  test('sees neither subsidiaries nor parents that are not assigned', async () => {
    const { companyId } = await makeCompany(shop, 'Zeta')
    const { companyId: child } = await makeCompany(shop, 'Eta')
    await ask(shop, 'POST', `${COMPANIES}/${child}/parent`, { parentCompanyId: companyId })
    const assign = (id: number, assignStatus: boolean) =>
      ask(shop, 'PUT', `/v3/io/sales-staffs/${own.staff}`, [{ companyId: id, assignStatus }])
    await assign(companyId, true)
    const top = { companyId, companyName: 'Zeta', companyStatus: 1, subsidiaries: [] }
    expect((await asRep('GET', `${COMPANIES}/${companyId}/hierarchy`)).body.data).toEqual([top])
    expect((await asRep('GET', `${COMPANIES}/${companyId}/subsidiaries`)).body.meta.pagination.totalCount).toBe(0)
    await assign(companyId, false)
    await assign(child, true)
    expect((await asRep('GET', `${COMPANIES}/${child}`)).body.data.parentCompany).toBe(null)
    expect((await read(`${COMPANIES}/${child}`)).parentCompany).toEqual({ id: companyId, name: 'Zeta' })
    await assign(child, false)
  })

  test('loses a company with its assignment, at once', async () => {
    const { companyId } = await makeCompany(shop, 'Epsilon')
    const invoice = await makeInvoice(shop, companyId)
    const assign = (assignStatus: boolean) =>
      ask(shop, 'PUT', `/v3/io/sales-staffs/${own.staff}`, [{ companyId, assignStatus }])
    await assign(true)
    expect((await asRep('GET', `${IP}/invoices/${invoice}`)).status).toBe(200)
    await assign(false)
    expect((await asRep('GET', `${IP}/invoices/${invoice}`)).body).toEqual(denied)
  })
})
