import { nameOfCountry } from '../../../../../../core/geography/countries.ts'
import { stateByName } from '../../../../../../core/geography/states.ts'
import { amountOf, unitsOf } from '../../../../../../core/money/units.ts'
import type { LineRow, OrderAddressRow, PickupRow, PostalAddress } from '../../../../../../sales/orders/row/rows.ts'
import type { StorefrontCaller } from '../../../../caller.ts'
import type { Fields } from '../../../types.ts'
import { imageLoad } from '../../catalog/parts.ts'
import { findCard } from '../../catalog/rows/product-row.ts'
import { productOf, selectProduct } from '../../catalog/selection.ts'
import { connectionOf } from '../../connections.ts'
import { addressLoad, lineLoad, pickupLoad, shipmentLoad } from './parts.ts'
import { displayAmount, type OrderLineView, type OrderView } from './view.ts'

// The consignments of an order: goods that are shipped, downloads, gift certificates by e-mail, and pickups.

interface ShippedView {
  address: OrderAddressRow
  view: OrderView
}

interface PickedUpView {
  pickup: PickupRow
  view: OrderView
}

/** Lines of one kind with their order. */
interface SomeLines {
  recipientEmail: string
  lines: readonly LineRow[]
  view: OrderView
}

declare module '../../../types.ts' {
  interface Parents {
    OrderConsignments: OrderView
    OrderEmailConsignments: OrderView
    OrderDownloadConsignment: SomeLines
    OrderGiftCertificateConsignment: SomeLines
    OrderShippingConsignment: ShippedView
    OrderPickupConsignment: PickedUpView
  }
}

const linesOf = async (caller: StorefrontCaller, { order }: OrderView, type: LineRow['type']) =>
  ((await lineLoad.find(caller, order.id, undefined)) ?? []).filter((line) => line.type === type)

const views = (view: OrderView, lines: readonly LineRow[]) => lines.map((line): OrderLineView => ({ line, view }))

export const postalAddressOf = (address: PostalAddress) => ({
  firstName: address.first_name || null,
  lastName: address.last_name || null,
  company: address.company || null,
  address1: address.street_1 || null,
  address2: address.street_2 || null,
  city: address.city || null,
  stateOrProvince: address.state || null,
  stateOrProvinceCode: stateByName(address.country_iso2.toUpperCase(), address.state)?.code ?? null,
  country: address.country || nameOfCountry(address.country_iso2.toUpperCase()),
  countryCode: address.country_iso2.toUpperCase(),
  postalCode: address.zip,
  phone: address.phone || null,
  email: address.email || null,
})

const lineFields = {
  entityId: ({ line }: OrderLineView) => line.id,
  productEntityId: ({ line }: OrderLineView) => line.product_id,
  variantEntityId: ({ line }: OrderLineView) => line.variant_id || null,
  name: ({ line }: OrderLineView) => line.name_customer || line.name,
  sku: ({ line }: OrderLineView) => line.sku,
  quantity: ({ line }: OrderLineView) => line.quantity,
  refundedQuantity: ({ line }: OrderLineView) => line.quantity_refunded,
  brand: ({ line }: OrderLineView) => line.brand || null,
  subTotalListPrice: ({ line, view }: OrderLineView) => view.money(totalOf(view, line)),
  subTotalSalePrice: ({ line, view }: OrderLineView) =>
    view.money(amountOf(unitsOf(totalOf(view, line)) - unitsOf(line.discount))),
  productOptions: ({ line }: OrderLineView) =>
    line.product_options.map(
      ({ display_name_customer, display_name, display_value_customer, display_value, ...option }) => ({
        name: display_name_customer || display_name,
        value: display_value_customer || display_value,
        productAttributeEntityId: option.option_id,
        productAttributeValueEntityId: null,
      }),
    ),
  async image({ line }: OrderLineView, _: object, caller: StorefrontCaller) {
    const pictures = (await imageLoad.find(caller, line.product_id, undefined)) ?? []
    return pictures.find(({ isDefault }) => isDefault) ?? null
  },
  async baseCatalogProduct({ line }: OrderLineView, _: object, caller: StorefrontCaller) {
    const card = await findCard(caller, line.product_id)
    return card ? productOf(card) : null
  },
  catalogProductWithOptionSelections: ({ line }: OrderLineView, _: object, caller: StorefrontCaller) =>
    selectProduct(caller, { variantEntityId: line.variant_id, optionValueIds: null }, () => undefined),
}

/** All units before discounts. */
const totalOf = (view: OrderView, { total_ex_tax, total_inc_tax, price_ex_tax, price_inc_tax, quantity }: LineRow) =>
  displayAmount(view, total_ex_tax ?? price_ex_tax * quantity, total_inc_tax ?? price_inc_tax * quantity)

export const orderConsignmentFields: Fields<
  | 'OrderConsignments'
  | 'OrderEmailConsignments'
  | 'OrderDownloadConsignment'
  | 'OrderGiftCertificateConsignment'
  | 'OrderShippingConsignment'
  | 'OrderPickupConsignment'
  | 'OrderPhysicalLineItem'
  | 'OrderDigitalLineItem'
> = {
  OrderConsignments: {
    async downloads(view, _, caller) {
      const lines = await linesOf(caller, view, 'digital')
      return lines.length === 0 ? [] : [{ recipientEmail: view.order.email, lines, view }]
    },
    email: (view) => view,
    async pickups(view, args, caller) {
      const rows = (await pickupLoad.find(caller, view.order.id, undefined)) ?? []
      return connectionOf(
        rows.map((pickup) => ({ pickup, view })),
        args,
      )
    },
    async shipping(view, args, caller) {
      const rows = (await addressLoad.find(caller, view.order.id, undefined)) ?? []
      return connectionOf(
        rows.map((address) => ({ address, view })),
        args,
      )
    },
  },
  OrderEmailConsignments: {
    async giftCertificates(view, args, caller) {
      const byRecipient = Map.groupBy(
        await linesOf(caller, view, 'giftcertificate'),
        ({ recipient_email }) => recipient_email,
      )
      return connectionOf(
        [...byRecipient].map(([recipientEmail, lines]) => ({ recipientEmail, lines, view })),
        args,
      )
    },
  },
  OrderDownloadConsignment: { lineItems: ({ lines, view }, args) => connectionOf(views(view, lines), args) },
  OrderGiftCertificateConsignment: {
    lineItems: ({ lines, view }, args) =>
      connectionOf(
        lines.map((line) => ({
          entityId: line.id,
          name: line.name,
          salePrice: view.money(displayAmount(view, line.price_ex_tax, line.price_inc_tax)),
          refundedQuantity: line.quantity_refunded,
        })),
        args,
      ),
  },
  OrderShippingConsignment: {
    entityId: ({ address }) => address.id,
    shippingAddress: ({ address }) => postalAddressOf(address),
    async lineItems({ address, view }, args, caller) {
      const lines = await linesOf(caller, view, 'physical')
      return connectionOf(
        views(
          view,
          lines.filter(({ order_address_id }) => order_address_id === address.id),
        ),
        args,
      )
    },
    shippingCost: ({ address, view }) => view.money(displayAmount(view, address.cost_ex_tax, address.cost_inc_tax)),
    handlingCost: ({ address, view }) =>
      view.money(displayAmount(view, address.handling_cost_ex_tax, address.handling_cost_inc_tax)),
    async shipments({ address, view }, args, caller) {
      const rows = (await shipmentLoad.find(caller, view.order.id, undefined)) ?? []
      return connectionOf(rows.filter(({ order_address_id }) => order_address_id === address.id).map(shipmentOf), args)
    },
    shippingCostBeforeDiscount: ({ address, view }) => view.money(address.base_cost),
    comparisonShippingCost: ({ address, view }) => view.money(address.base_cost),
    nonCouponDiscounts: () => [],
  },
  OrderPickupConsignment: {
    entityId: ({ pickup }) => pickup.id,
    pickupMethodName: ({ pickup }) => pickup.pickup_method_display_name,
    collectionInstructions: ({ pickup }) => pickup.collection_instructions,
    collectionTimeDescription: ({ pickup }) => pickup.collection_time_description,
    locationName: ({ pickup }) => pickup.location.name,
    address: ({ pickup: { location } }) => ({
      address1: location.address_line_1,
      address2: location.address_line_2 || null,
      city: location.city,
      stateOrProvince: location.state || null,
      country: nameOfCountry(location.country_alpha2),
      countryCode: location.country_alpha2,
      postalCode: location.postal_code,
      email: location.email,
      phone: location.phone || null,
    }),
    async lineItems({ view }, args, caller) {
      return connectionOf(views(view, await linesOf(caller, view, 'physical')), args)
    },
  },
  OrderPhysicalLineItem: {
    ...lineFields,
    parentLineItemEntityId: () => null,
    wrapping: ({ line, view }) =>
      line.wrapping_name === null || line.wrapping_name === ''
        ? null
        : {
            name: line.wrapping_name,
            cost: view.money(displayAmount(view, line.wrapping_cost_ex_tax, line.wrapping_cost_inc_tax)),
          },
    backorderedQuantity: () => 0,
    backorderMessage: () => null,
  },
  OrderDigitalLineItem: { ...lineFields, downloadFileUrls: () => [], downloadPageUrl: () => null },
}

interface ShipmentRow {
  id: number
  date_created: string
  shipping_provider: string
  shipping_method: string
  tracking_number: string
  tracking_link: string
  items: readonly { order_product_id: number; quantity: number }[]
}

const shipmentOf = ({ id, date_created, shipping_provider, shipping_method, items, ...tracked }: ShipmentRow) => ({
  entityId: id,
  shippedAt: { utc: new Date(date_created).toISOString() },
  shippingProviderName: shipping_provider,
  shippingMethodName: shipping_method,
  tracking: trackingOf(tracked),
  items: items.map(({ order_product_id, quantity }) => ({ lineItemId: order_product_id, quantity })),
})

function trackingOf({
  tracking_number: number,
  tracking_link: url,
}: Pick<ShipmentRow, 'tracking_number' | 'tracking_link'>) {
  if (url !== '' && number !== '') return { __typename: 'OrderShipmentNumberAndUrlTracking' as const, number, url }
  if (url !== '') return { __typename: 'OrderShipmentUrlOnlyTracking' as const, url }
  return number === '' ? null : { __typename: 'OrderShipmentNumberOnlyTracking' as const, number }
}
