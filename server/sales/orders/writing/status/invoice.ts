import type { Tx } from '../../../../core/db/database.ts'
import { MAIL_ADDRESS } from '../../../../core/mail/outbox.ts'
import { amountOf, unitsOf } from '../../../../core/money/units.ts'
import type { ContextOf } from '../../../../shop/emails/contents/contexts.ts'
import { isSwitchedOn, sendEmail } from '../../../../shop/emails/sending/send.ts'
import { offlineInstructions } from '../../../payments/providers.ts'
import { AWAITING_PAYMENT } from '../../arithmetic/order-status.ts'
import {
  type FeeRow,
  fees,
  type LineRow,
  lines,
  type OrderAddressRow,
  type OrderBillingAddress,
  type OrderRow,
  orderAddresses,
  pickupConsignments,
} from '../../row/rows.ts'
import { rowsOfOrders } from '../../row/sub-resources.ts'
import { invoiceCopies } from '../../settings/settings.ts'
import { mailedDay, mailedMethods, moneyFormat } from './mail-data.ts'

const INVOICE = 'invoice_email'
type Invoice = ContextOf<typeof INVOICE>['order']

/**
 * Enqueues the invoice of a placed order to its shopper, and a copy to each address that the settings of orders name for placed orders
 * (docs/contract/orders.md section 1).
 * @returns whether the shopper gets it
 */
export async function sendInvoice(tx: Tx, order: OrderRow): Promise<boolean> {
  if (!(await isSwitchedOn(tx, order.channel_id, INVOICE))) return false
  const copies = await invoiceCopies(tx, order.channel_id)
  const isAddress = new RegExp(MAIL_ADDRESS, 'u')
  const recipients = [...new Set([order.email, ...copies])].filter((address) => isAddress.test(address))
  if (recipients.length === 0) return false
  const { first_name, last_name } = order.billing_address
  const full_name = [first_name, last_name].filter((name) => name !== '').join(' ')
  const context = {
    customer: { first_name, full_name, email: order.email, group: [] },
    order: await invoiceOf(tx, order),
  }
  for (const to of recipients) {
    await sendEmail(tx, INVOICE, { to, channel: order.channel_id, locale: order.customer_locale, context })
  }
  return recipients.includes(order.email)
}

async function invoiceOf(tx: Tx, order: OrderRow): Promise<Invoice> {
  const { ofLines, addresses, pickups, ofFees } = await tx.together(() => ({
    ofLines: rowsOfOrders(tx, lines, [order.id]),
    addresses: rowsOfOrders(tx, orderAddresses, [order.id]),
    pickups: rowsOfOrders(tx, pickupConsignments, [order.id]),
    ofFees: rowsOfOrders(tx, fees, [order.id]),
  }))
  const [address] = addresses
  const money = mailedMoney(order)
  const methods = addresses.map(({ shipping_method }) => shipping_method).filter((method) => method !== '')
  return {
    id: order.id,
    customer_message: order.customer_message,
    customer_id: order.customer_id,
    date_placed: { value: order.date_created, formatted: mailedDay(order.date_created) },
    // There is no storefront page to link to.
    account_order_status_url: '',
    pickup_methods: await mailedMethods(
      tx,
      pickups.map(({ pickup_method_id }) => pickup_method_id),
    ),
    shipping: { methods: [...new Set(methods)], ...(address ? { address: mailedAddress(address) } : {}) },
    products: ofLines.map((line) => invoiceLine(line, addresses, money)),
    payment: {
      is_test: false,
      provider_name: order.payment_method,
      offline_payment_message: await instructionsOf(tx, order),
      gateway_amount: money(
        amountOf(
          unitsOf(order.total_inc_tax) - unitsOf(order.store_credit_amount) - unitsOf(order.gift_certificate_amount),
        ),
      ),
      payment_method: order.payment_method,
      provider: { name: order.payment_method },
    },
    billing: { address: mailedAddress(order.billing_address) },
    total_rows: totalRows(order, ofFees, money),
    total_cost: money(order.total_inc_tax),
    meta: {},
  }
}

/** How to pay an order that waits for its payment by an offline method; empty for any other. */
const instructionsOf = async (
  tx: Tx,
  { status_id, channel_id, currency_code: currency, payment_method: name }: OrderRow,
) => (status_id === AWAITING_PAYMENT ? offlineInstructions(tx, { channel_id, currency, name }) : '')

type Formatted = (amount: number) => { value: number; formatted: string }

function mailedMoney(order: OrderRow): Formatted {
  const format = moneyFormat(order)
  return (amount) => ({ value: amount, formatted: format(amount) })
}

function mailedAddress(address: OrderBillingAddress | OrderAddressRow) {
  const { email, phone, first_name, last_name, company, country, city, state, zip, street_1, street_2 } = address
  return {
    ...{ email, phone, first_name, last_name, company, country, city, state, zip },
    address_lines: [street_1, street_2].filter((line) => line !== ''),
    custom_fields: address.form_fields.map(({ name, value }) => ({
      label: name,
      value: Array.isArray(value) ? value.join(', ') : String(value),
    })),
  }
}

/** A line without tax, as the subtotal below the lines. */
function invoiceLine(
  line: LineRow,
  addresses: readonly OrderAddressRow[],
  money: Formatted,
): Invoice['products'][number] {
  const { name_customer: name, quantity, sku, brand, type, order_address_id, price_ex_tax, total_ex_tax } = line
  const address = addresses.find(({ id }) => id === order_address_id)
  const total = total_ex_tax ?? amountOf(unitsOf(price_ex_tax) * BigInt(quantity))
  const attribute_lines = line.product_options.map((option) => ({
    name: option.display_name_customer,
    value: option.display_value_customer,
  }))
  return {
    ...{ name, quantity, sku, brand, type, attribute_lines },
    address_id: order_address_id,
    address_lines: address ? mailedAddress(address).address_lines : [],
    options: Object.fromEntries(attribute_lines.map(({ name, value }) => [name, value])),
    thumbnail: '',
    price: money(price_ex_tax),
    total: money(total),
    configurable_fields: [],
  }
}

/** The amounts between the lines and the total. Amounts without tax, so that they add up with the tax. */
function totalRows(order: OrderRow, ofFees: readonly FeeRow[], money: Formatted): Invoice['total_rows'] {
  const row = (label: string, amount: number) => ({ label, price: money(amount), shipping_discounts: [] })
  const others = [
    row('Discount', -order.discount_amount),
    row('Coupons', -order.coupon_discount),
    row('Shipping', order.shipping_cost_ex_tax),
    row('Handling', order.handling_cost_ex_tax),
    row('Gift wrapping', order.wrapping_cost_ex_tax),
    ...ofFees.map(({ display_name_customer, cost_ex_tax }) => row(display_name_customer, cost_ex_tax)),
    row('Tax', amountOf(unitsOf(order.total_inc_tax) - unitsOf(order.total_ex_tax))),
  ]
  return [row('Subtotal', order.subtotal_ex_tax), ...others.filter(({ price }) => price.value !== 0)]
}
