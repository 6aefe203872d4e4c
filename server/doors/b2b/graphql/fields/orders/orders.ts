import { type Db, prepared } from '../../../../../core/db/database.ts'
import { type Sql, sql } from '../../../../../core/db/sql.ts'
import { fold } from '../../../../../core/rest/lists/fold.ts'
import { findWhere } from '../../../../../core/rest/lists/verbs.ts'
import { notFound } from '../../../../../core/rest/problem.ts'
import { companyOrdersToAnswer, orderProductsToAnswer } from '../../../../../sales/b2b/orders/answers.ts'
import {
  type CompanyOrderRow,
  companyOrders,
  findCompanyOrder,
  ordersWithin,
} from '../../../../../sales/b2b/orders/company-order.ts'
import { setCompanyOrder } from '../../../../../sales/b2b/orders/order-changes.ts'
import { SELLER } from '../../../../../sales/b2b/shared/caller.ts'
import { findWindow, type Window, when } from '../../../../../sales/b2b/shared/pages.ts'
import { ORDER_STATUSES } from '../../../../../sales/orders/arithmetic/order-status.ts'
import { orders } from '../../../../../sales/orders/row/rows.ts'
import { type BuyerCaller, buyerOf, signedIn } from '../../caller.ts'
import type { MutationFields, QueryFields } from '../../types.ts'
import { companiesFor, given } from '../companies.ts'
import { buyerConnection, intSeconds, windowOfPage } from '../connections.ts'
import { companyInfoOf } from '../users.ts'
import { orderToBuyer } from './detail.ts'
import { orderedProductPage } from './ordered-products.ts'

// Orders of companies and customers (docs/contract/b2b-graphql.md section 11).

export const orderQueries: QueryFields<
  | 'allOrders'
  | 'customerOrders'
  | 'order'
  | 'customerOrder'
  | 'orderProducts'
  | 'orderedProducts'
  | 'orderStatuses'
  | 'bcOrderStatuses'
> = {
  async allOrders(_, args, caller) {
    const buyer = buyerOf(caller)
    const wanted = companiesFor(caller, 'get_orders', args.companyIds)
    const where = [sql`company_id = any(${wanted}::int[])`, ordersWithin(buyer, 'get_orders')]
    return orderPage(caller, buyer.db, args, where)
  },
  async customerOrders(_, args, caller) {
    const { db, customer } = signedIn(caller)
    const where = [
      sql`customer_id = ${customer.id}`,
      ...when(args.channelId ?? undefined, (channel) => sql`channel_id = ${channel}`),
    ]
    return orderPage(caller, db, args, where)
  },
  async order(_, { id }, caller) {
    const buyer = buyerOf(caller)
    return orderToBuyer(caller, buyer.db, await findCompanyOrder(buyer.db, buyer, { orderId: id }))
  },
  async customerOrder(_, { id }, caller) {
    const { db } = signedIn(caller)
    return orderToBuyer(caller, db, await ownOrder(caller, id))
  },
  async orderProducts(_, { bcOrderId }, caller) {
    const buyer = buyerOf(caller)
    const record = await findCompanyOrder(buyer.db, buyer, { orderId: bcOrderId })
    return (await orderProductsToAnswer(buyer.db, record)).map((line) => ({
      notes: '',
      quantity: String(line.quantity),
      productId: String(line.productId),
      variantId: String(line.variantId),
      optionList: optionText(line.options),
    }))
  },
  orderedProducts: (_, args, caller) => orderedProductPage(args, caller),
  orderStatuses: () => STATUSES,
  bcOrderStatuses: () => STATUSES,
}

export const orderMutations: MutationFields<'createOrder'> = {
  async createOrder(_, { createData }, caller) {
    const { db } = signedIn(caller)
    const { bcOrderId, poNumber, extraFields } = createData
    // A buyer completes only what it has ordered itself.
    await ownOrder(caller, bcOrderId)
    const record = await setCompanyOrder(db, SELLER, {
      bcOrderId,
      ...(poNumber == null ? {} : { poNumber: poNumber.slice(0, PO_NUMBER_MAX) }),
      extraFields: readExtraFields(extraFields),
    })
    return { orderId: record.order_id }
  },
}

const PO_NUMBER_MAX = 255

const STATUSES = ORDER_STATUSES.map(({ id, name }) => ({
  systemLabel: name,
  customLabel: name,
  statusCode: String(id),
}))

/** The chosen options of a line, as clients parse them. */
const optionText = (options: readonly { product_option_id: number; value: string }[]): string =>
  JSON.stringify(
    options.map(({ product_option_id, value }) => ({
      option_id: `attribute[${product_option_id}]`,
      option_value: value,
    })),
  )

function readExtraFields(value: unknown): { fieldName: string; fieldValue: string }[] {
  if (!Array.isArray(value)) return []
  return value.flatMap((field) =>
    typeof field === 'object' && field !== null && 'fieldName' in field && 'fieldValue' in field
      ? [{ fieldName: String(field.fieldName), fieldValue: String(field.fieldValue) }]
      : [],
  )
}

/** An order of the customer itself. @throws Problem 404 */
async function ownOrder(caller: BuyerCaller, orderId: number): Promise<CompanyOrderRow> {
  const { db, customer } = signedIn(caller)
  const record = await findCompanyOrder(db, SELLER, { orderId })
  if (record.customer_id !== customer.id) throw notFound(companyOrders.noun, orderId)
  return record
}

/** The filters of a list of orders. */
interface OrderArgs {
  offset?: number | null
  before?: string | null
  after?: string | null
  first?: number | null
  last?: number | null
  q?: string | null
  search?: string | null
  status?: string | null
  bcOrderId?: number | null
  poNumber?: string | null
  companyId?: number | null
  companyName?: string | null
  beginDateAt?: string | null
  endDateAt?: string | null
  email?: string | null
  createdBy?: string | null
  isShowMy?: string | null
  orderBy?: string | null
}

const ORDERS: Readonly<Record<string, string>> = {
  orderId: 'order_id',
  bcOrderId: 'order_id',
  id: 'order_id',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
  poNumber: 'po_number',
  companyName: 'company_id',
}

async function orderPage(caller: BuyerCaller, db: Db, args: OrderArgs, within: readonly Sql[]) {
  const window: Window = windowOfPage(args)
  const { customer } = signedIn(caller)
  const where = [
    ...within,
    ...when(given(args.search) ?? given(args.q), (text) => searchedBy(db, text)),
    ...when(statusesNamed(given(args.status)), (ids) => {
      return sql`exists (
        select from orders o where o.store_id = ${db.store.id} and o.id = b2b_orders.order_id and o.status_id = any(${ids}::int[]))`
    }),
    ...when(given(args.bcOrderId), (id) => sql`order_id = ${id}::numeric`),
    ...when(given(args.poNumber), (text) => sql`strpos(lower(po_number), ${text.toLowerCase()}) > 0`),
    ...when(given(args.companyId), (id) => sql`company_id = ${id}::numeric`),
    ...when(given(args.companyName), (text) => ofCompanyNamed(db, text)),
    ...when(given(args.beginDateAt), (day) => sql`created_at >= ${`${day}T00:00:00Z`}::timestamptz`),
    ...when(given(args.endDateAt), (day) => sql`created_at < ${`${day}T00:00:00Z`}::timestamptz + interval '1 day'`),
    ...when(given(args.email), (text) => ofCustomer(db, sql`p.email_key = ${fold(text)}`)),
    ...when(given(args.createdBy), (text) =>
      ofCustomer(db, sql`strpos(concat_ws(' ', p.first_name_key, p.last_name_key, p.email_key), ${fold(text)}) > 0`),
    ),
    ...when(args.isShowMy === '1' || undefined, () => sql`customer_id = ${customer.id}`),
  ]
  const name = (args.orderBy ?? '').replace(/^-/, '')
  const direction = ORDERS[name] !== undefined && !args.orderBy?.startsWith('-') ? 'asc' : 'desc'
  const column = ORDERS[name] ?? 'created_at'
  const { rows, total } = await findWindow<CompanyOrderRow>(
    db,
    {
      table: companyOrders.table,
      columns: sql.join(companyOrders.columns.map(sql.id)),
      where,
      order: sql.raw(`${column} ${direction}, id ${direction}`),
      foundOnceBy: column,
    },
    window,
  )
  return buyerConnection(await ordersToBuyers(db, rows), total, window)
}

const searchedBy = (db: Db, text: string): Sql => sql`(
  order_id::text = ${text.replace(/^#/, '')} or strpos(lower(po_number), ${text.toLowerCase()}) > 0 or ${ofCompanyNamed(db, text)})`

const ofCompanyNamed = (db: Db, text: string): Sql => sql`exists (
  select from companies c where c.store_id = ${db.store.id} and c.id = b2b_orders.company_id
    and strpos(c.company_name_key, ${fold(text)}) > 0)`

const ofCustomer = (db: Db, condition: Sql): Sql => sql`exists (
  select from customers p where p.store_id = ${db.store.id} and p.id = b2b_orders.customer_id and ${condition})`

/** Clients send the number of a status, or its name. Another text finds none, and words such as `undefined` are not given. */
function statusesNamed(text: string | undefined): number[] | undefined {
  if (text === undefined || text === 'undefined' || text === 'null') return undefined
  if (/^\d+(,\d+)*$/.test(text))
    return text
      .split(',')
      .map(Number)
      .filter((id) => id < 1_000)
  const found = ORDER_STATUSES.filter(({ name }) => name.toLowerCase() === text.toLowerCase())
  return found.map(({ id }) => id)
}

/** Customers with their users. */
const peopleOf = (db: Db, ids: readonly number[]) =>
  db.rows<{ id: number; email: string; first_name: string; last_name: string; user_id: number | null }>(
    prepared(sql`
    select p.id, p.email, p.first_name, p.last_name, u.id as user_id from customers p
    left join company_users u on u.store_id = ${db.store.id} and u.customer_id = p.id
    where p.store_id = ${db.store.id} and p.id = any(${ids}::int[])`),
  )

/** Orders of a page, in the same order. */
async function ordersToBuyers(db: Db, records: readonly CompanyOrderRow[]) {
  const ids = records.map(({ order_id }) => order_id)
  const found = await db.together(() => ({
    answers: companyOrdersToAnswer(db, records, { withExtraFields: false }),
    infos: companyInfoOf(
      db,
      records.map(({ company_id }) => company_id),
    ),
    // As the answers read them, so it is sent once.
    rows: findWhere(db, orders, sql`id = any(${ids})`),
    people: peopleOf(db, [...new Set(records.map(({ customer_id }) => customer_id))]),
    invoices: db.rows<{ id: number; order_id: number; invoice_number: string; status: number }>(
      prepared(sql`
      select id, order_id, invoice_number, status from b2b_invoices
      where store_id = ${db.store.id} and order_id = any(${ids}::int[]) and order_id <> 0`),
    ),
  }))
  const { infos } = found
  const answers = new Map(found.answers.map((one) => [one.id, one]))
  const rows = new Map(found.rows.map((row) => [row.id, row]))
  const people = new Map(found.people.map((row) => [row.id, row]))
  const invoices = new Map(found.invoices.map((row) => [row.order_id, row]))
  return records.flatMap((record) => {
    const answer = answers.get(record.id)
    const row = rows.get(record.order_id)
    if (!answer || !row) return []
    const person = people.get(record.customer_id)
    const invoice = invoices.get(record.order_id)
    const info = infos.get(record.company_id) ?? null
    const [money] = answer.money
    const { first_name, last_name } = row.billing_address
    return {
      id: String(record.id),
      createdAt: intSeconds(record.created_at),
      updatedAt: intSeconds(record.updated_at),
      bcOrderId: record.order_id,
      orderId: String(record.order_id),
      bcCustomerId: record.customer_id,
      companyId: null,
      totalIncTax: answer.totalIncTax,
      currencyCode: answer.currencyCode,
      usdIncTax: answer.usdIncTax,
      // Clients parse it twice.
      money: JSON.stringify(
        JSON.stringify({
          currency_location: money?.currencyLocation ?? 'left',
          currency_token: money?.currencyToken ?? '',
          decimal_token: money?.decimalToken ?? '.',
          decimal_places: money?.decimalPlaces ?? 2,
          thousands_token: money?.thousandsToken ?? ',',
          currency_exchange_rate: row.currency_exchange_rate,
        }),
      ),
      items: answer.items,
      cartId: answer.cartId,
      userId: person?.user_id ?? 0,
      poNumber: record.po_number,
      referenceNumber: '',
      status: answer.status,
      customStatus: answer.customStatus,
      statusCode: answer.statusCode,
      isArchived: answer.isArchived,
      isInvoiceOrder: invoice ? ('A_1' as const) : ('A_0' as const),
      invoiceId: invoice ? String(invoice.id) : null,
      invoiceNumber: invoice?.invoice_number ?? null,
      invoiceStatus: invoice ? String(invoice.status) : null,
      ipStatus: invoice ? ('A_1' as const) : ('A_0' as const),
      flag: 'A_0' as const,
      billingName: `${first_name} ${last_name}`.trim(),
      merchantEmail: person?.email ?? row.email,
      extraInt1: null,
      extraInt2: null,
      extraInt3: null,
      extraInt4: null,
      extraInt5: null,
      extraStr1: null,
      extraStr2: null,
      extraStr3: null,
      extraStr4: null,
      extraStr5: null,
      extraText: null,
      extraInfo: null,
      bcOrderInfos: '{}',
      shippingAddress: '{}',
      shipments: '{}',
      products: '[]',
      customer: '{}',
      createdFrom: 'A_0' as const,
      customOrderStatus: answer.customStatus,
      companyName: info?.companyName ?? '',
      orderStatus: answer.status,
      firstName: person?.first_name ?? first_name,
      lastName: person?.last_name ?? last_name,
      channelId: answer.channelId,
      channelName: answer.channelName,
      companyInfo: info,
    }
  })
}
