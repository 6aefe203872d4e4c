import { type Db, prepared } from '../../../../../core/db/database.ts'
import { sql } from '../../../../../core/db/sql.ts'
import { textOf, unitsOf } from '../../../../../core/money/units.ts'
import { addressOfPicture } from '../../../../../core/rest/input/picture-addresses.ts'
import { findWhere } from '../../../../../core/rest/lists/verbs.ts'
import { findCartItems } from '../../../../../goods/catalog/product-row/cart-items.ts'
import { companyOrdersToAnswer } from '../../../../../sales/b2b/orders/answers.ts'
import type { CompanyOrderRow } from '../../../../../sales/b2b/orders/company-order.ts'
import { statusName } from '../../../../../sales/orders/arithmetic/order-status.ts'
import { shipments, shipmentToAnswer } from '../../../../../sales/orders/fulfilment/shipments-v2.ts'
import { lineColumns, showOrder } from '../../../../../sales/orders/reading/lists.ts'
import type { OrderV2 } from '../../../../../sales/orders/reading/shapes-v2.ts'
import { addressV2, lineTemplate, linksTo } from '../../../../../sales/orders/reading/show.ts'
import { lines, orderAddresses, orderCoupons } from '../../../../../sales/orders/row/rows.ts'
import { rowsOfOrders } from '../../../../../sales/orders/row/sub-resources.ts'
import { statusChangesOf } from '../../../../../sales/orders/writing/status/status-change.ts'
import { currencies } from '../../../../../shop/channels/currencies/shape.ts'
import { siteUrlOf } from '../../../../../shop/channels/sites/shape.ts'
import type { BuyerCaller } from '../../caller.ts'
import { intSeconds } from '../connections.ts'
import { companyInfoOf } from '../users.ts'

/** A line of orders v2, as far as the pictures need it. */
interface LineV2 {
  id: number
  product_id: number
  variant_id: number
}

/** One order in the names of orders v2, with its parts as the portal reads them (docs/contract/b2b-graphql.md section 11). */
export async function orderToBuyer(caller: BuyerCaller, db: Db, record: CompanyOrderRow) {
  const { publicUrl, sites } = caller.parts
  const links = linksTo(publicUrl, db.store.hash)
  const { json } = await showOrder(db, record.order_id, {}, links)
  const order: OrderV2 = JSON.parse(textOfJson(json))
  const ids = [record.order_id]
  const rows = await rowsOfOrders(db, lines, ids)
  const inclusive = sql`${order.is_tax_inclusive_pricing}::boolean`
  const products = (
    await db.jsonRows(
      prepared(sql`
      select ${lineColumns(inclusive)} from order_products
      where store_id = ${db.store.id} and order_id = ${record.order_id} order by id`),
      lineTemplate,
    )
  )
    .takeEach()
    .map((bytes): LineV2 => JSON.parse(bytes.toString()))
  const items = await findCartItems(db, {
    variants: products.map(({ variant_id }) => variant_id).filter((id) => id > 0),
    products: [],
    customFields: false,
  })
  const addresses = await rowsOfOrders(db, orderAddresses, ids)
  const site = await siteUrlOf(db, order.channel_id, sites)
  const [currency] = await findWhere(db, currencies, sql`currency_code = ${order.currency_code}`)
  const [head] = await companyOrdersToAnswer(db, [record], { withExtraFields: true })
  const invoice = await db.maybeRow<{ id: number }>(sql`
    select id from b2b_invoices where store_id = ${db.store.id} and order_id = ${record.order_id} and order_id <> 0 limit 1`)
  const changes = await statusChangesOf(db, record.order_id)
  const company = await companyInfoOf(db, [record.company_id])
  const { billing_address } = order
  const shipping = addresses.map((address) => filled(addressV2(address, rows, links)))
  return {
    id: String(order.id),
    companyName: company.get(record.company_id)?.companyName ?? '',
    firstName: billing_address.first_name,
    lastName: billing_address.last_name,
    status: order.status,
    customerId: order.customer_id,
    customStatus: order.status,
    dateCreated: order.date_created,
    dateModified: order.date_modified,
    dateShipped: order.date_shipped,
    statusId: order.status_id,
    subtotalExTax: order.subtotal_ex_tax,
    subtotalIncTax: order.subtotal_inc_tax,
    subtotalTax: order.subtotal_tax,
    baseShippingCost: order.base_shipping_cost,
    shippingCostExTax: order.shipping_cost_ex_tax,
    shippingCostIncTax: order.shipping_cost_inc_tax,
    shippingCostTax: order.shipping_cost_tax,
    shippingCostTaxClassId: String(order.shipping_cost_tax_class_id),
    baseHandlingCost: order.base_handling_cost,
    handlingCostExTax: order.handling_cost_ex_tax,
    handlingCostIncTax: order.handling_cost_inc_tax,
    handlingCostTax: order.handling_cost_tax,
    handlingCostTaxClassId: order.handling_cost_tax_class_id,
    baseWrappingCost: order.base_wrapping_cost,
    wrappingCostExTax: order.wrapping_cost_ex_tax,
    wrappingCostIncTax: order.wrapping_cost_inc_tax,
    wrappingCostTax: order.wrapping_cost_tax,
    wrappingCostTaxClassId: order.wrapping_cost_tax_class_id,
    totalExTax: order.total_ex_tax,
    totalIncTax: order.total_inc_tax,
    totalTax: order.total_tax,
    itemsTotal: order.items_total,
    itemsShipped: order.items_shipped,
    paymentMethod: order.payment_method,
    paymentProviderId: order.payment_provider_id,
    paymentStatus: order.payment_status,
    refundedAmount: order.refunded_amount,
    orderIsDigital: order.order_is_digital,
    storeCreditAmount: order.store_credit_amount,
    giftCertificateAmount: order.gift_certificate_amount,
    ipAddress: '',
    geoipCountry: '',
    geoipCountryIso2: '',
    currencyId: order.currency_id,
    currencyCode: order.currency_code,
    currencyExchangeRate: order.currency_exchange_rate,
    defaultCurrencyId: order.default_currency_id,
    defaultCurrencyCode: order.default_currency_code,
    // Notes of the staff are not for buyers.
    staffNotes: '',
    customerMessage: order.customer_message,
    discountAmount: order.discount_amount,
    couponDiscount: order.coupon_discount,
    shippingAddressCount: order.shipping_address_count,
    isDeleted: order.is_deleted,
    ebayOrderId: order.ebay_order_id,
    cartId: order.cart_id,
    ipAddressV6: '',
    isEmailOptIn: order.is_email_opt_in,
    poNumber: record.po_number,
    storeDefaultCurrencyCode: order.store_default_currency_code,
    storeDefaultToTransactionalExchangeRate: order.store_default_to_transactional_exchange_rate,
    customerLocale: order.customer_locale,
    channelId: String(order.channel_id),
    orderSource: order.order_source,
    externalSource: order.external_source,
    creditCardType: null,
    externalId: order.external_id,
    externalMerchantId: order.external_merchant_id,
    taxProviderId: order.tax_provider_id,
    canReturn: false,
    createdEmail: billing_address.email,
    products: products.map((line) => {
      const item = items.get(line.variant_id)
      const image = item && item.image_url !== '' ? addressOfPicture(publicUrl, item.image_url) : ''
      return { ...line, imageUrl: image, variantImageUrl: image, productUrl: item ? `${site}${item.path}` : '' }
    }),
    coupons: (await rowsOfOrders(db, orderCoupons, ids)).map((row) => ({
      ...row,
      amount: textOf(unitsOf(row.amount)),
    })),
    extraFields: head?.extraFields ?? [],
    billingAddress: filled(billing_address),
    shippingAddresses: shipping,
    shippingAddress: shipping.length > 0 ? shipping : false,
    shipments: (await rowsOfOrders(db, shipments, ids)).map(shipmentToAnswer),
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
    extraInfo: {},
    money: currency
      ? {
          currency_location: currency.token_location,
          currency_token: currency.token,
          decimal_token: currency.decimal_token,
          decimal_places: currency.decimal_places,
          thousands_token: currency.thousands_token,
          currency_exchange_rate: order.currency_exchange_rate,
        }
      : null,
    referenceNumber: '',
    isInvoiceOrder: invoice ? 1 : 0,
    updatedAt: String(intSeconds(record.updated_at)),
    externalOrderId: order.external_order_id,
    ipStatus: invoice ? 1 : 0,
    invoiceId: invoice?.id ?? null,
    orderHistoryEvent: [
      { id: 0, status: statusName(changes[0] ? 0 : order.status_id), at: record.created_at },
      ...changes.map(({ nr, status_id, changed_at }) => ({ id: nr, status: statusName(status_id), at: changed_at })),
    ].map(({ id, status, at }) => ({ id, eventType: 1, status, extraFields: {}, createdAt: intSeconds(at) })),
    companyInfo: company.get(record.company_id) ?? null,
  }
}

/** Clients call functions of texts on every field of an address. */
const filled = (address: object) =>
  Object.fromEntries(Object.entries(address).map(([name, value]) => [name, value ?? '']))

const textOfJson = (json: { bytes: Buffer } | unknown): string =>
  typeof json === 'object' && json !== null && 'bytes' in json ? String(json.bytes) : String(json)
