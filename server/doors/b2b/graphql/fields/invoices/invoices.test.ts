import { beforeAll, describe, expect, test } from 'vitest'
import { ADMIN, askGraph, codeOf, dataOf, makeUser, openBuyers, tokenAt } from '../../../../../test/buyers.ts'
import { ann } from '../../../../../test/carts/checkouts.ts'
import { ask, makeCompany, makeInvoice } from '../../../../../test/fixtures/companion.ts'
import { type Shop, theHouse } from '../../../../../test/fixtures/shop.ts'

// docs/contract/b2b-graphql.md section 12.

let shop: Shop
let companyId: number
let ada: string
let open: number
let overdue: number
let completed: number
beforeAll(async () => {
  ;({ shop, companyId } = await openBuyers())
  ada = await tokenAt(shop, ADMIN)
  const { clock } = await theHouse()
  const yesterday = Math.floor(clock.now().getTime() / 1_000) - 86_400
  open = await makeInvoice(shop, companyId, '100', {
    orderNumber: 'ORD-1',
    purchaseOrderNumber: 'PO-1',
    invoiceNumber: 'A-1',
  })
  overdue = await makeInvoice(shop, companyId, '20.5', { dueDate: yesterday, invoiceNumber: '=B-2' })
  completed = await makeInvoice(shop, companyId, '50', { invoiceNumber: 'C-3' })
  await ask(shop, 'PUT', `/v3/io/ip/invoices/${completed}`, { openBalance: { code: 'USD', value: '0' } })
})

const ids = async (args: string, token = ada) => {
  const { invoices } = await dataOf(`{ invoices(${args}) { totalCount edges { node { id } } } }`, { token })
  return invoices.edges.map(({ node }: { node: { id: string } }) => Number(node.id))
}
const FIELDS = `id invoiceNumber status orderNumber purchaseOrderNumber customerId dueDate originalBalance { code value } openBalance { code value }
  notAllowedPay pendingPaymentCount storeHash companyInfo { companyId companyName } channelId`

describe('invoices', () => {
  test('are listed, filtered, sorted and paged; a status without a choice is the text undefined (row 7)', async () => {
    const { invoices } = await dataOf(
      `{ invoices(first: 1, orderBy: "id") { totalCount pageInfo { hasNextPage } edges { node { ${FIELDS} } } } }`,
      { token: ada },
    )
    const node = {
      id: String(open),
      invoiceNumber: 'A-1',
      status: 0,
      orderNumber: 'ORD-1',
      purchaseOrderNumber: 'PO-1',
      customerId: String(companyId),
      dueDate: expect.any(Number),
      originalBalance: { code: 'USD', value: '100.0000' },
      openBalance: { code: 'USD', value: '100.0000' },
      notAllowedPay: 0,
      pendingPaymentCount: 0,
      storeHash: shop.store.hash,
      companyInfo: { companyId: String(companyId), companyName: 'Acme' },
      // An invoice without an order has no channel.
      channelId: 0,
    }
    expect(invoices).toEqual({ totalCount: 3, pageInfo: { hasNextPage: true }, edges: [{ node }] })
    expect((await dataOf(`{ invoice(invoiceId: ${open}) { ${FIELDS} } }`, { token: ada })).invoice).toEqual(node)
    const all = [open, overdue, completed]
    const rows: [string, number[]][] = [
      ['status: ["undefined"]', all],
      ['status: []', all],
      ['status: ["0"]', [open, overdue]],
      ['status: ["0", "2"]', all],
      ['status: ["2"]', [completed]],
      ['search: "a-1"', [open]],
      ['search: "ORD"', [open]],
      ['search: ""', all],
      ['invoiceNumber: "c-3"', [completed]],
      ['orderNumber: "ord"', [open]],
      ['purchaseOrderNumber: "po-1"', [open]],
      [`idIn: "${open},${completed}"`, [open, completed]],
      ['idIn: ""', all],
      ['beginDateAt: "", endDateAt: ""', all],
      ['endDateAt: 1', []],
      ['beginDueDateAt: "99999999999"', []],
      [`companyIds: [${companyId}]`, all],
      ['offset: 3', []],
    ]
    for (const [args, expected] of rows) expect(await ids(`${args}, orderBy: "id"`), args).toEqual(expected)
    expect(await ids('orderBy: "-invoiceNumber"')).toEqual([completed, open, overdue])
    for (const args of ['first: 0', 'first: 251', 'offset: -1'])
      expect(await codeOf(`{ invoices(${args}) { totalCount } }`, { token: ada })).toBe(422)
  })

  test('P10: are summed up, in the currency of the store', async () => {
    const stats = async (args: string) =>
      (
        await dataOf(`{ invoiceStats(${args}) { totalBalance overDueBalance hasDueInvoice hasOverDueInvoice } }`, {
          token: ada,
        })
      ).invoiceStats
    expect(await stats('status: 0, decimalPlaces: 2')).toEqual({
      totalBalance: 120.5,
      overDueBalance: 20.5,
      hasDueInvoice: true,
      hasOverDueInvoice: true,
    })
    expect((await stats('status: 0, decimalPlaces: 0')).totalBalance).toBe(121)
    expect(await stats('status: 2')).toMatchObject({ totalBalance: 0, overDueBalance: 0 })
    expect(await codeOf('{ invoiceStats(status: 0, decimalPlaces: 5) { totalBalance } }', { token: ada })).toBe(422)
  })

  test('of another company are nowhere, and need their codes', async () => {
    const { companyId: rival } = await makeCompany(shop, 'RivalOfInvoices')
    const eve = await makeUser(shop, rival, 0)
    const jo = await makeUser(shop, companyId, 2)
    expect(await ids('first: 250', eve.token)).toEqual([])
    expect(await ids(`idIn: "${open}"`, eve.token)).toEqual([])
    const pay = (id: number) =>
      `mutation { invoiceCreateBcCart(bcCartData: {lineItems: [{invoiceId: ${id}, amount: "1"}], currency: "USD", details: {}}) { result { cartId } } }`
    const pdf = (id: number) => `mutation { invoicePdf(invoiceId: ${id}) { url } }`
    for (const query of [(id: number) => `{ invoice(invoiceId: ${id}) { id } }`, pay, pdf]) {
      const foreign = (await askGraph(query(open), { token: eve.token })).body
      const unknown = (await askGraph(query(9_999_999), { token: eve.token })).body
      expect(foreign.errors[0].extensions.code).toBe(404)
      expect(JSON.stringify(unknown).replaceAll('9999999', String(open))).toBe(JSON.stringify(foreign))
      expect(await codeOf(query(open), { token: jo.token })).toBe(403)
    }
    expect(await codeOf(`{ invoices(companyIds: [${companyId}]) { totalCount } }`, { token: eve.token })).toBe(403)
  })

  test('are exported as CSV, whose link ends after an hour, and as PDF', async () => {
    const { server, clock } = await theHouse()
    const get = async (url: string) => {
      const { pathname, search } = new URL(url)
      return server.inject({ url: pathname + search })
    }
    const { invoicesExport } = await dataOf(
      'mutation { invoicesExport(invoiceFilterData: {status: [0], orderBy: "id"}) { url } }',
      { token: ada },
    )
    const file = await get(invoicesExport.url)
    expect([file.statusCode, file.headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8'])
    const [heading, ...lines] = file.body.trim().split('\r\n')
    expect(heading).toContain('Invoice,Order,')
    expect(lines).toHaveLength(2)
    expect(lines[0]).toContain('A-1,ORD-1,PO-1')
    // A spreadsheet would run it.
    expect(lines[1]).toMatch(/^'=B-2,/)
    expect((await get(invoicesExport.url.replace(/signature=./, 'signature=_'))).statusCode).toBe(403)
    const { invoicePdf } = await dataOf(`mutation { invoicePdf(invoiceId: ${open}) { url } }`, { token: ada })
    const pdf = await get(invoicePdf.url)
    expect([pdf.statusCode, pdf.body.slice(0, 5)]).toEqual([200, '%PDF-'])
    clock.move(3_601_000)
    expect((await get(invoicesExport.url)).statusCode).toBe(403)
  })
})

describe('a payment cart', () => {
  const create = (lines: string, currency = 'USD') =>
    `mutation { invoiceCreateBcCart(bcCartData: {lineItems: [${lines}], currency: "${currency}", details: {}}) { result { cartId checkoutUrl } } }`
  const line = (invoiceId: number, amount: string) => `{invoiceId: ${invoiceId}, amount: "${amount}"}`

  test('has a custom item for each invoice (P11), at most its open balance', async () => {
    const { result } = (await dataOf(create(`${line(open, '100.00')}, ${line(overdue, '20.50')}`), { token: ada }))
      .invoiceCreateBcCart
    expect(result.checkoutUrl).toContain(result.cartId)
    const { data } = (await shop.call('GET', `/carts/${result.cartId}`)).body
    expect([data.cart_amount, data.line_items.custom_items.length]).toEqual([120.5, 2])
    for (const [lines, currency] of [
      [line(open, '0'), 'USD'],
      [line(open, '-1'), 'USD'],
      [line(open, '100.01'), 'USD'],
      [line(open, 'NaN'), 'USD'],
      [line(open, '1e2'), 'USD'],
      [line(open, '10'), 'EUR'],
      [line(completed, '1'), 'USD'],
      [`${line(open, '1')}, ${line(open, '1')}`, 'USD'],
      ['', 'USD'],
    ]) {
      expect(await codeOf(create(lines ?? '', currency), { token: ada }), lines).toBe(422)
    }
  })

  test('is neither taxed nor shipped; its paid order settles the invoices with one receipt (P11)', async () => {
    const locations = [{ country_code: 'US', subdivision_codes: [], postal_codes: [] }]
    const price_display_settings = {
      show_inclusive: false,
      show_both_on_detail_view: false,
      show_both_on_list_view: false,
    }
    const targets = { shopper_target_settings: { locations, customer_groups: [] } }
    const zones = await shop.call('POST', '/tax/zones', [
      { name: 'US', enabled: true, price_display_settings, ...targets },
    ])
    const tax = { name: 'Sales tax', enabled: true, priority: 1, class_rates: [{ tax_class_id: 0, rate: 8 }] }
    const taxed = await shop.call('POST', '/tax/rates', [{ tax_zone_id: zones.body.data[0].id, ...tax }])
    expect(taxed.status, taxed.text).toBe(200)

    const { result } = (await dataOf(create(`${line(open, '100.00')}, ${line(overdue, '20.50')}`), { token: ada }))
      .invoiceCreateBcCart
    const checkout = `/checkouts/${result.cartId}`
    expect((await shop.call('POST', `${checkout}/billing-address`, ann)).status).toBe(200)
    const placed = await shop.call('POST', `${checkout}/orders`)
    expect(placed.status, placed.text).toBe(200)
    const orderId = placed.body.data.id
    const { body: order } = await shop.call('GET', `/orders/${orderId}`, undefined, { version: 'v2' })
    expect([order.total_inc_tax, order.total_tax, order.order_is_digital]).toEqual(['120.5000', '0.0000', true])
    const balances = async () => {
      const { invoices } = await dataOf(
        `{ invoices(idIn: "${open},${overdue}") { edges { node { openBalance { value } status } } } }`,
        {
          token: ada,
        },
      )
      return invoices.edges.map(({ node }: { node: object }) => node)
    }
    const paid = await shop.call('PUT', `/orders/${orderId}`, { status_id: 11 }, { version: 'v2' })
    expect(paid.status, paid.text).toBe(200)
    const settled = { openBalance: { value: '0.0000' }, status: 2 }
    expect(await balances()).toEqual([settled, settled])
    const receipts = (await ask(shop, 'GET', '/v3/io/ip/receipts')).body.data
    expect(receipts).toMatchObject([{ transactionType: 'Paid', total: { code: 'USD', value: '120.5000' } }])
    expect((await ask(shop, 'GET', `/v3/io/ip/receipts/${receipts[0].id}/lines`)).body.data).toHaveLength(2)
  })
})
