import type { Db } from '../../../../../core/db/database.ts'
import { type Sql, sql } from '../../../../../core/db/sql.ts'
import { GraphRefusal } from '../../../../../core/graphql/refusal.ts'
import { fold } from '../../../../../core/rest/lists/fold.ts'
import { findOne } from '../../../../../core/rest/lists/verbs.ts'
import { companies } from '../../../../../sales/b2b/companies/company.ts'
import { methodsOfCompany } from '../../../../../sales/b2b/credit/payment-methods.ts'
import { invoicePdfUrls } from '../../../../../sales/b2b/documents/pdf-files.ts'
import { findInvoice, type InvoiceRow, invoices, invoicesToAnswer } from '../../../../../sales/b2b/invoices/invoice.ts'
import { createPaymentCart } from '../../../../../sales/b2b/invoices/payment-carts.ts'
import { reachableBy } from '../../../../../sales/b2b/shared/caller.ts'
import { findWindow, when } from '../../../../../sales/b2b/shared/pages.ts'
import { channelsById } from '../../../../../shop/channels/channels.ts'
import { defaultCurrency } from '../../../../../shop/channels/currencies/shape.ts'
import { storeProfile } from '../../../../../shop/settings/families/families.ts'
import { readSettings } from '../../../../../shop/settings/families/family.ts'
import { storeLocale } from '../../../../../shop/settings/locale/locale.ts'
import { type BuyerCaller, buyerOf, signedIn } from '../../caller.ts'
import { exportUrl } from '../../exports.ts'
import type { MutationFields, QueryFields } from '../../types.ts'
import { companiesFor, given } from '../companies.ts'
import { buyerConnection, intSeconds, windowOfPage } from '../connections.ts'
import { companyInfoOf } from '../users.ts'

// Invoices of companies, and how they are paid (docs/contract/b2b-graphql.md section 12).

export const invoiceQueries: QueryFields<
  | 'invoices'
  | 'invoice'
  | 'invoiceStats'
  | 'invoiceCustomerInformation'
  | 'invoicePaymentModules'
  | 'invoiceBcOrderAllowMethods'
  | 'invoicePaymentFees'
  | 'invoicePaymentBcCart'
> = {
  async invoices(_, args, caller) {
    const { db } = buyerOf(caller)
    const window = windowOfPage(args)
    const { rows, total } = await findWindow<InvoiceRow>(
      db,
      {
        table: invoices.table,
        columns,
        where: conditionsOf(caller, args),
        order: orderOf(args.orderBy),
      },
      window,
    )
    return buyerConnection(await invoicesToBuyers(caller, rows), total, window)
  },
  async invoice(_, { invoiceId }, caller) {
    const buyer = buyerOf(caller)
    const [invoice] = await invoicesToBuyers(caller, [await findInvoice(buyer.db, buyer, invoiceId)])
    return invoice ?? null
  },
  async invoiceStats(_, { status, companyIds, decimalPlaces }, caller) {
    const { db } = buyerOf(caller)
    const places = decimalPlaces ?? 2
    if (places < 0 || places > 4) throw new GraphRefusal('decimalPlaces is 0 to 4.', 422)
    const { currency_code } = await defaultCurrency(db)
    const { now } = db
    const sums = await db.row<{ total: string; overdue: string }>(sql`
      select coalesce(sum(open_balance), 0)::text as total,
        coalesce(sum(open_balance) filter (where due_at < ${now}), 0)::text as overdue
      from b2b_invoices where store_id = ${db.store.id}
        and company_id = any(${companiesFor(caller, 'get_invoices', companyIds)}::int[])
        and currency_code = ${currency_code}
        and ${status === 0 ? sql`status <> 2` : sql`status = ${status}`}`)
    const [total, overdue] = [Number(sums.total), Number(sums.overdue)]
    return {
      totalBalance: rounded(total, places),
      overDueBalance: rounded(overdue, places),
      hasDueInvoice: total > 0,
      hasOverDueInvoice: overdue > 0,
    }
  },
  async invoiceCustomerInformation(_, _args, caller) {
    const { db, acting } = buyerOf(caller)
    const { customer } = signedIn(caller)
    const company = await findOne(db, companies, acting)
    return {
      companyId: String(company.id),
      companyName: company.company_name,
      payerId: String(customer.id),
      payerName: `${customer.firstName} ${customer.lastName}`.trim(),
    }
  },
  invoicePaymentModules: () => [{ moduleName: 'bc', value: { isEnabled: '1' } }],
  async invoiceBcOrderAllowMethods(_, _args, caller) {
    const { db, acting } = buyerOf(caller)
    const methods = await methodsOfCompany(db, acting)
    return { allowMethods: methods.filter(({ isEnabled }) => isEnabled).map(({ code }) => code) }
  },
  invoicePaymentFees: () => ({ paymentFees: [] }),
  async invoicePaymentBcCart(_, { paymentId }, caller) {
    const buyer = buyerOf(caller)
    const [cart] = await buyer.db.rows<{ cart_id: string }>(sql`
      select cart_id from b2b_payment_carts
      where store_id = ${buyer.db.store.id} and payment_id = ${paymentId} and payment_id <> 0
        and ${reachableBy(buyer, 'pay_invoice', sql`company_id`)}`)
    if (!cart) throw new GraphRefusal('There is no payment with this id.', 404)
    return { cartId: cart.cart_id, cartUrl: null }
  },
}

export const invoiceMutations: MutationFields<
  'invoicePdf' | 'invoicesExport' | 'invoiceCreateBcCart' | 'invoiceFinishBcPayment'
> = {
  async invoicePdf(_, { invoiceId }, caller) {
    const buyer = buyerOf(caller)
    const { url, externalPdfUrl } = await invoicePdfUrls(buyer.db, buyer, invoiceId, caller.parts)
    return { url: externalPdfUrl || url }
  },
  async invoicesExport(_, { invoiceFilterData }, caller) {
    const { db } = buyerOf(caller)
    const { customer } = signedIn(caller)
    const filter = invoiceFilterData ?? {}
    const rows = await db.rows<InvoiceRow>(sql`
      select ${columns} from b2b_invoices
      where ${sql.and([sql`store_id = ${db.store.id}`, ...conditionsOf(caller, filter, 'export_invoices')])}
      order by ${orderOf(invoiceFilterData?.orderBy)} limit ${EXPORT_MAX}`)
    const list = await invoicesToAnswer(db, rows, { withExtraFields: false })
    const lines = list.map((invoice) => [
      invoice.invoiceNumber,
      invoice.orderNumber,
      invoice.purchaseOrderNumber,
      invoice.customerName,
      STATES[invoice.status] ?? '',
      dayOf(Number(invoice.createdAt)),
      dayOf(invoice.dueDate),
      invoice.originalBalance.code,
      invoice.originalBalance.value,
      invoice.openBalance.value,
    ])
    const text = [HEADINGS, ...lines].map((line) => line.map(cellOf).join(',')).join('\r\n')
    return { url: await exportUrl(caller.parts, db, { customer: customer.id, text: `${text}\r\n` }) }
  },
  async invoiceCreateBcCart(_, { bcCartData }, caller) {
    const buyer = buyerOf(caller)
    const { customer, channel } = signedIn(caller)
    const { selling } = caller.parts
    const result = await createPaymentCart(
      buyer.db,
      buyer,
      {
        lines: bcCartData.lineItems.flatMap((line) => line ?? []),
        currency: bcCartData.currency,
        channel,
        payer: { id: customer.id, name: `${customer.firstName} ${customer.lastName}`.trim() },
      },
      { ...selling.carts, ...selling.redirects },
    )
    return { result }
  },
  async invoiceFinishBcPayment(_, { orderId }, caller) {
    const buyer = buyerOf(caller)
    // The order itself makes and completes the payment. Clients ask whether it has.
    const [payment] = await buyer.db.rows<{ id: number; processing_status: number }>(sql`
      select payment.id, payment.processing_status from b2b_payment_carts cart
      join orders on orders.store_id = ${buyer.db.store.id} and orders.id = ${orderId} and orders.cart_id = cart.cart_id
      join b2b_payments payment on payment.store_id = ${buyer.db.store.id} and payment.id = cart.payment_id
      where cart.store_id = ${buyer.db.store.id} and ${reachableBy(buyer, 'pay_invoice', sql`cart.company_id`)}`)
    if (!payment) throw new GraphRefusal('The order pays no invoice.', 404)
    return { result: { paymentId: payment.id, processingStatus: payment.processing_status } }
  },
}

const columns = sql.join(invoices.columns.map(sql.id))
/** The rows of one export. */
const EXPORT_MAX = 10_000
const HEADINGS = [
  'Invoice',
  'Order',
  'Purchase order',
  'Company',
  'Status',
  'Created',
  'Due',
  'Currency',
  'Total',
  'Open balance',
]
const STATES = ['Open', 'Partially paid', 'Completed'] as const

const dayOf = (seconds: number) => new Date(seconds * 1_000).toISOString().slice(0, 10)

/** A cell of a CSV file. A text that a spreadsheet would run as a formula gets an apostrophe in front. */
function cellOf(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) && !/^-?\d+(\.\d+)?$/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** Rounds half up. */
const rounded = (amount: number, places: number) => Math.round((amount + Number.EPSILON) * 10 ** places) / 10 ** places

interface InvoiceFilter {
  companyIds?: readonly (number | null)[] | null
  search?: string | null
  invoiceNumber?: string | null
  type?: string | null
  orderNumber?: string | null
  purchaseOrderNumber?: string | null
  externalCustomerId?: string | null
  externalId?: string | null
  status?: readonly (string | number | null)[] | null
  beginDateAt?: number | null
  endDateAt?: number | null
  beginDueDateAt?: number | null
  endDueDateAt?: number | null
  idIn?: string | null
}

const SEARCHED = [sql`invoice_number_key`, sql`order_number_key`, sql`purchase_order_number_key`, sql`external_id_key`]

function conditionsOf(caller: BuyerCaller, filter: InvoiceFilter, code = 'get_invoices'): Sql[] {
  const has = (column: Sql, text: string) => sql`strpos(${column}, ${fold(text)}) > 0`
  const at = (column: string, sign: string, seconds: number) =>
    sql`${sql.id(column)} ${sql.raw(sign)} to_timestamp(${seconds}::float8)`
  const statuses = (filter.status ?? []).flatMap((status) =>
    // Clients without a choice send the text `undefined`.
    status !== null && /^\d{1,2}$/.test(String(status)) ? [Number(status)] : [],
  )
  const ids = given(filter.idIn)
    ?.split(',')
    .map(Number)
    .filter((id) => Number.isInteger(id) && id > 0 && id < 2 ** 31)
  return [
    sql`company_id = any(${companiesFor(caller, code, filter.companyIds)}::int[])`,
    ...when(
      given(filter.search),
      (text) =>
        sql`(${sql.join(
          SEARCHED.map((column) => has(column, text)),
          ' or ',
        )})`,
    ),
    ...when(given(filter.invoiceNumber), (text) => has(sql`invoice_number_key`, text)),
    ...when(given(filter.type), (text) => has(sql`type_key`, text)),
    ...when(given(filter.orderNumber), (text) => has(sql`order_number_key`, text)),
    ...when(given(filter.purchaseOrderNumber), (text) => has(sql`purchase_order_number_key`, text)),
    ...when(given(filter.externalCustomerId), (text) => has(sql`external_customer_id_key`, text)),
    ...when(given(filter.externalId), (text) => sql`external_id_key = ${fold(text)}`),
    ...when(statuses.length > 0 ? statuses : undefined, (list) => sql`status = any(${list}::int[])`),
    ...when(given(filter.beginDateAt), (seconds) => at('created_at', '>=', seconds)),
    ...when(given(filter.endDateAt), (seconds) => at('created_at', '<=', seconds)),
    ...when(given(filter.beginDueDateAt), (seconds) => at('due_at', '>=', seconds)),
    ...when(given(filter.endDueDateAt), (seconds) => at('due_at', '<=', seconds)),
    ...when(ids, (list) => sql`id = any(${list}::int[])`),
  ]
}

const ORDERS: Readonly<Record<string, string>> = {
  id: 'id',
  invoiceNumber: 'invoice_number_key',
  orderNumber: 'order_number_key',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
  dueDate: 'due_at',
  status: 'status',
  originalBalance: 'original_balance',
  openBalance: 'open_balance',
}

function orderOf(orderBy: string | null | undefined): Sql {
  const column = ORDERS[(orderBy ?? '').replace(/^-/, '')]
  const direction = column === undefined || orderBy?.startsWith('-') ? 'desc' : 'asc'
  return sql.raw(`${column ?? 'id'} ${direction}, id ${direction}`)
}

/** Invoices in the same order. */
async function invoicesToBuyers(caller: BuyerCaller, rows: readonly InvoiceRow[]) {
  const { db } = buyerOf(caller)
  const answers = await invoicesToAnswer(db, rows, { withExtraFields: true })
  const infos = await companyInfoOf(
    db,
    rows.map(({ company_id }) => company_id),
  )
  const channels = await channelsById(
    db,
    rows.map(({ channel_id }) => channel_id),
  )
  const settings = await readSettings(db, [storeProfile, storeLocale], signedIn(caller).channel)
  const profile = settings.of(storeProfile)
  const users = await usersOfOrders(
    db,
    rows.map(({ order_id }) => order_id),
  )
  return rows.map((row, i) => {
    const answer = answers[i]
    if (!answer) throw new Error('An invoice has no answer.')
    return {
      id: String(row.id),
      createdAt: intSeconds(row.created_at),
      updatedAt: intSeconds(row.updated_at),
      storeHash: db.store.hash,
      customerId: String(row.company_id),
      externalId: row.external_id,
      externalCustomerId: row.external_customer_id,
      invoiceNumber: row.invoice_number,
      type: row.type,
      dueDate: intSeconds(row.due_at),
      status: row.status,
      orderNumber: row.order_number,
      purchaseOrderNumber: row.purchase_order_number,
      details: row.details,
      pendingPaymentCount: row.pending_payments,
      source: row.source,
      originalBalance: answer.originalBalance,
      openBalance: answer.openBalance,
      notAllowedPay: 0,
      bcInformation: {
        customerName: answer.customerName,
        bcId: Number(infos.get(row.company_id)?.bcId ?? 0),
        bcGroupName: '',
        bcUrl: '',
      },
      extraFields: answer.extraFields ?? [],
      timeOffset: 0,
      storeInfo: {
        name: profile.store_name,
        firstName: '',
        lastName: '',
        address: profile.store_address,
        country: settings.of(storeLocale).store_country,
        countryCode: '',
        phone: profile.store_phone,
        adminEmail: profile.store_email,
      },
      channelId: row.channel_id,
      channelName: channels.get(row.channel_id)?.name ?? '',
      companyInfo: infos.get(row.company_id) ?? null,
      orderUserId: users.get(row.order_id) ?? null,
    }
  })
}

/** The users who have placed orders. */
async function usersOfOrders(db: Db, orders: readonly number[]): Promise<ReadonlyMap<number, number>> {
  const rows = await db.rows<{ order_id: number; id: number }>(sql`
    select o.order_id, u.id from b2b_orders o
    join company_users u on u.store_id = ${db.store.id} and u.customer_id = o.customer_id
    where o.store_id = ${db.store.id} and o.order_id = any(${orders.filter((id) => id > 0)}::int[])`)
  return new Map(rows.map(({ order_id, id }) => [order_id, id]))
}
