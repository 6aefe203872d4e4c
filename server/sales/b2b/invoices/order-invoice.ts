import type { Db, Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { roundTo, textOf, unitsOf } from '../../../core/money/units.ts'
import { toSeconds } from '../../../core/rest/input/dates.ts'
import { change, findOne, insert } from '../../../core/rest/lists/verbs.ts'
import { notFound, Problem } from '../../../core/rest/problem.ts'
import { type LineRow, lines, type OrderRow, orders } from '../../orders/row/rows.ts'
import { rowsOfOrders } from '../../orders/row/sub-resources.ts'
import { termsOf } from '../credit/payment-terms.ts'
import { companyOrders, lockCompanyOrder } from '../orders/company-order.ts'
import type { CompanyCaller } from '../shared/caller.ts'
import { invoiceStatus } from './balances.ts'
import { type InvoiceRow, invoices } from './invoice.ts'
import { DAY_MS, NO_DETAILS, storeInvoiceTexts } from './invoice-changes.ts'

// Invoices of orders (docs/contract/b2b-invoices.md section 3).

/**
 * Creates the invoice of an order with the total of the order. An order has one invoice.
 * @param recordId the id of the record of the order
 * @throws Problem 400 for an order with an invoice, 403, 404 also for an order without a company
 */
export function createInvoiceOfOrder(db: Db, caller: CompanyCaller, recordId: number): Promise<InvoiceRow> {
  return db.transaction(async (tx) => {
    // The lock of the record lets one of two requests at once create the invoice.
    const record = await lockCompanyOrder(tx, caller, { recordId })
    if (record.company_id === 0) throw notFound(companyOrders.noun, recordId)
    await refuseInvoiced(tx, record.order_id)
    const order = await findOne(tx, orders, record.order_id)
    const { paymentTerms } = await termsOf(tx, record.company_id)
    const now = toSeconds(tx.now)
    const open = isPaid(order) ? 0 : order.total_inc_tax
    const stored = await insert(tx, invoices, {
      ...NO_DETAILS,
      // Replaced below: the number is made of the id.
      invoice_number: `order ${order.id}`,
      company_id: record.company_id,
      order_id: order.id,
      order_number: String(order.id),
      purchase_order_number: record.po_number,
      channel_id: order.channel_id,
      currency_code: order.currency_code,
      original_balance: order.total_inc_tax,
      open_balance: open,
      status: invoiceStatus({ original: unitsOf(order.total_inc_tax), open: unitsOf(open) }),
      details: detailsOf(order, await rowsOfOrders(tx, lines, [order.id])),
      extra_values: {},
      issued_at: now,
      due_at: toSeconds(new Date(tx.now.getTime() + paymentTerms * DAY_MS)),
      created_at: now,
      updated_at: now,
    })
    const numbered = await change(tx, invoices, stored, { invoice_number: await freeNumber(tx, stored.id) })
    await storeInvoiceTexts(tx, numbered)
    return numbered
  })
}

async function refuseInvoiced(tx: Tx, orderId: number) {
  const found = await tx.rows(sql`
    select id from b2b_invoices where store_id = ${tx.store.id} and order_id = ${orderId} and order_id <> 0`)
  if (found.length > 0) throw new Problem(400, 'The order has an invoice.')
}

/** An order that was paid at the checkout is not owed again. */
const isPaid = ({ payment_status }: OrderRow): boolean => payment_status === 'captured' || payment_status === 'paid'

/** The id in 8 digits; with a suffix if a client has given this number to another invoice. */
async function freeNumber(tx: Tx, id: number): Promise<string> {
  const plain = String(id).padStart(8, '0')
  const used = await tx.rows<{ invoice_number: string }>(sql`
    select invoice_number from b2b_invoices
    where store_id = ${tx.store.id} and invoice_number_key >= ${plain} and invoice_number_key < ${`${plain}.`}
    order by invoice_number_key limit ${NUMBERS_MAX}`)
  const numbers = new Set(used.map(({ invoice_number }) => invoice_number))
  for (let i = 0; i <= NUMBERS_MAX; i++) {
    const number = i === 0 ? plain : `${plain}-${i}`
    if (!numbers.has(number)) return number
  }
  throw new Error('An invoice has no free number.')
}

const NUMBERS_MAX = 100
/** Lines of the details of an invoice. An order may have more. */
const LINES_MAX = 500

function detailsOf(order: OrderRow, products: readonly LineRow[]): InvoiceRow['details'] {
  const { first_name, last_name, street_1, street_2, city, state, zip, country } = order.billing_address
  const money = (amount: number) => ({
    code: order.currency_code,
    value: textOf(roundTo(unitsOf(amount), order.currency_decimals)),
  })
  return {
    type: 'order',
    header: {
      orderDate: Date.parse(order.date_created) / 1_000,
      billingAddress: {
        firstName: first_name,
        lastName: last_name,
        street1: street_1,
        street2: street_2,
        city,
        state,
        zipCode: zip,
        country,
      },
      costLines: [
        { description: 'Subtotal', amount: money(order.subtotal_inc_tax) },
        { description: 'Shipping', amount: money(order.shipping_cost_inc_tax) },
      ],
    },
    details: {
      lineItems: products.slice(0, LINES_MAX).map((line) => ({
        sku: line.sku.slice(0, 255),
        type: line.type,
        quantity: String(line.quantity),
        unitPrice: money(line.price_inc_tax),
        description: line.name.slice(0, 1_000),
      })),
    },
  }
}
