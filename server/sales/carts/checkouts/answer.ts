import t, { type Static } from 'typebox'
import { amountOf, ratio } from '../../../core/money/units.ts'
import { Id, Moment, nullable } from '../../../core/rest/input/fields.ts'
import type { CartWithResult } from '../changes/change.ts'
import type { CartResult, ResultConsignment, ResultLine } from '../evaluation/result.ts'
import type { CartAddress, ChosenOption } from '../row/document.ts'
import {
  CertificateItem,
  CustomItem,
  cartOptionsOf,
  catalogFields,
  catalogLines,
  couponNameOf,
  couponTypeOf,
  discountsByLine,
  isTaxable,
  optionsField,
  toCatalogFields,
  toCertificates,
  toCustomItems,
  wrappingOf,
} from '../views/line-items.ts'
import { CheckoutAddress } from './addresses.ts'

// The answer of checkouts: the cart with its addresses, consignments and totals (docs/contract/checkouts.md sections 2 and 3).

/** The names that `include` takes. */
export const CHECKOUT_INCLUDES = [
  'cart.line_items.physical_items.options',
  'cart.line_items.digital_items.options',
  'consignments.available_shipping_options',
  'promotions.banners',
] as const
export type CheckoutInclude = (typeof CHECKOUT_INCLUDES)[number]

const Money = t.Number()
const nullOr = <S extends t.TSchema>(schema: S) => t.Union([schema, t.Null()])

const CheckoutWrapping = t.Object(
  { name: t.String(), message: t.String(), amount: Money, amount_as_integer: t.Integer() },
  { title: 'CheckoutGiftWrapping' },
)
const itemFields = {
  ...catalogFields,
  is_taxable: t.Boolean(),
  comparison_price: Money,
  extended_comparison_price: Money,
  parent_id: nullable(t.String()),
  ...optionsField,
}
const PhysicalItem = t.Object(
  { ...itemFields, gift_wrapping: nullOr(CheckoutWrapping) },
  { title: 'CheckoutPhysicalItem' },
)
const DigitalItem = t.Object(itemFields, { title: 'CheckoutDigitalItem' })

const Coupon = t.Object(
  {
    code: t.String(),
    id: t.Integer(),
    coupon_type: t.String(),
    display_name: t.String(),
    discounted_amount: Money,
  },
  { title: 'CheckoutCoupon' },
)

const CheckoutCart = t.Object(
  {
    id: t.String(),
    customer_id: t.Integer(),
    channel_id: t.Integer(),
    email: t.String(),
    currency: t.Object({ code: t.String() }, { title: 'CheckoutCurrency' }),
    tax_included: t.Boolean(),
    base_amount: Money,
    discount_amount: Money,
    cart_amount_inc_tax: Money,
    cart_amount_ex_tax: Money,
    coupons: t.Array(Coupon),
    discounts: t.Array(t.Object({ id: t.String(), discounted_amount: Money }, { title: 'CheckoutLineDiscount' })),
    line_items: t.Object(
      {
        physical_items: t.Array(PhysicalItem),
        digital_items: t.Array(DigitalItem),
        gift_certificates: t.Array(CertificateItem),
        custom_items: t.Array(CustomItem),
      },
      { title: 'CheckoutLineItems' },
    ),
    created_time: Moment,
    updated_time: Moment,
  },
  { title: 'CheckoutCart' },
)

const Option = t.Object(
  {
    id: t.String(),
    type: t.String(),
    description: t.String(),
    image_url: t.String(),
    cost: Money,
    transit_time: t.String(),
    additional_description: t.String(),
  },
  { title: 'CheckoutShippingOption' },
)

const Consignment = t.Object(
  {
    id: t.String(),
    shippingAddress: t.Optional(CheckoutAddress),
    address: t.Optional(CheckoutAddress),
    available_shipping_options: t.Optional(t.Array(Option)),
    selected_shipping_option: t.Optional(Option),
    coupon_discounts: t.Array(t.Object({ code: t.String(), amount: Money }, { title: 'CheckoutShippingDiscount' })),
    discounts: t.Array(t.Object({ id: t.Integer() }, { title: 'CheckoutConsignmentDiscount' })),
    shipping_cost_inc_tax: Money,
    shipping_cost_ex_tax: Money,
    handling_cost_inc_tax: Money,
    handling_cost_ex_tax: Money,
    line_item_ids: t.Array(t.String()),
    selected_pickup_option: t.Optional(t.Object({ pickup_method_id: Id }, { title: 'CheckoutPickupOption' })),
  },
  { title: 'CheckoutConsignment' },
)

const Fee = t.Object(
  {
    id: t.String(),
    type: t.Literal('custom_fee'),
    name: t.String(),
    display_name: t.String(),
    cost_inc_tax: Money,
    cost_ex_tax: Money,
    source: t.String(),
    tax_class_id: nullOr(t.Integer()),
  },
  { title: 'CheckoutFee' },
)

const Banner = t.Object(
  { id: t.String(), type: t.String(), page: t.Array(t.String()), text: t.String() },
  { title: 'CheckoutBanner' },
)

const Checkout = t.Object(
  {
    id: t.String(),
    cart: CheckoutCart,
    billing_address: t.Optional(CheckoutAddress),
    consignments: t.Array(Consignment),
    taxes: t.Array(t.Object({ name: t.String(), amount: Money }, { title: 'CheckoutTax' })),
    coupons: t.Array(Coupon),
    fees: t.Array(Fee),
    order_id: nullOr(t.String()),
    shipping_cost_total_inc_tax: Money,
    shipping_cost_total_ex_tax: Money,
    handling_cost_total_inc_tax: Money,
    handling_cost_total_ex_tax: Money,
    tax_total: Money,
    subtotal_inc_tax: Money,
    subtotal_ex_tax: Money,
    grand_total: Money,
    created_time: Moment,
    updated_time: Moment,
    customer_message: t.String(),
    promotions: t.Optional(t.Array(t.Object({ banners: t.Array(Banner) }, { title: 'CheckoutPromotion' }))),
    version: t.Integer(),
  },
  { title: 'Checkout' },
)
type Checkout = Static<typeof Checkout>

const CheckoutMeta = t.Object(
  { tax_unavailable: t.Optional(t.Boolean({ description: 'The tax provider does not answer; all taxes are 0' })) },
  { title: 'CheckoutMeta' },
)
export const checkoutAnswer = { 200: t.Object({ data: Checkout, meta: CheckoutMeta }) }

/** The shipping options of consignments, by their ids. */
export type Offers = ReadonlyMap<string, readonly ChosenOption[]>

/** @param offers undefined if the query does not include them */
export function toCheckout(
  { cart, result, facts, siteUrl }: CartWithResult,
  include: readonly CheckoutInclude[],
  offers: Offers | undefined,
): Checkout {
  const { billing } = cart.document
  const coupons = couponsOf(result, facts.promotions.coupons)
  const times = { created_time: cart.created_at, updated_time: cart.updated_at }
  return {
    id: cart.id,
    cart: {
      id: cart.id,
      customer_id: cart.customer_id,
      channel_id: cart.channel_id,
      email: cart.email,
      currency: { code: cart.currency_code },
      tax_included: result.isInclusive,
      base_amount: amountOf(result.base),
      discount_amount: amountOf(result.orderDiscount),
      cart_amount_inc_tax: amountOf(result.cart.inc),
      cart_amount_ex_tax: amountOf(result.cart.ex),
      coupons,
      discounts: discountsByLine(result),
      line_items: lineItemsOf(result, siteUrl, include),
      ...times,
    },
    ...(billing ? { billing_address: addressOf(billing) } : {}),
    consignments: result.consignments.map((consignment) => consignmentOf(consignment, offers)),
    taxes: result.taxes.map(({ name, amount }) => ({ name, amount: amountOf(amount) })),
    coupons,
    fees: result.fees.map(({ input, ex, inc }) => ({
      id: input.id,
      type: 'custom_fee',
      name: input.name,
      display_name: input.display_name,
      cost_inc_tax: amountOf(inc),
      cost_ex_tax: amountOf(ex),
      source: input.source,
      tax_class_id: input.tax_class_id,
    })),
    order_id: cart.order_id === 0 ? null : String(cart.order_id),
    shipping_cost_total_inc_tax: amountOf(result.shipping.inc),
    shipping_cost_total_ex_tax: amountOf(result.shipping.ex),
    handling_cost_total_inc_tax: amountOf(result.handling.inc),
    handling_cost_total_ex_tax: amountOf(result.handling.ex),
    tax_total: amountOf(result.taxTotal),
    subtotal_inc_tax: amountOf(result.subtotal.inc),
    subtotal_ex_tax: amountOf(result.subtotal.ex),
    grand_total: amountOf(result.grandTotal),
    ...times,
    customer_message: cart.document.message,
    ...(include.includes('promotions.banners') ? { promotions: [{ banners: bannersOf(result) }] } : {}),
    version: cart.version,
  }
}

function couponsOf({ codes }: CartResult, names: Parameters<typeof couponNameOf>[1]): Static<typeof Coupon>[] {
  return codes.map((code) => ({
    code: code.code,
    id: code.id,
    coupon_type: couponTypeOf(code),
    display_name: couponNameOf(code, names),
    discounted_amount: amountOf(code.amount),
  }))
}

function lineItemsOf(
  result: CartResult,
  siteUrl: string,
  include: readonly CheckoutInclude[],
): Checkout['cart']['line_items'] {
  const [physical, digital] = [
    catalogLines(result).filter(({ isDigital }) => !isDigital),
    catalogLines(result).filter(({ isDigital }) => isDigital),
  ]
  const toItem = (line: ResultLine, withOptions: boolean): Static<typeof DigitalItem> => ({
    ...toCatalogFields(line, siteUrl),
    is_taxable: isTaxable(line),
    comparison_price: amountOf(line.comparison),
    extended_comparison_price: amountOf(line.comparison * BigInt(line.quantity)),
    parent_id: null,
    ...(withOptions ? { options: cartOptionsOf(line) } : {}),
  })
  return {
    physical_items: physical.map((line) => ({
      ...toItem(line, include.includes('cart.line_items.physical_items.options')),
      gift_wrapping: giftWrappingOf(line, result.decimals),
    })),
    digital_items: digital.map((line) => toItem(line, include.includes('cart.line_items.digital_items.options'))),
    gift_certificates: toCertificates(result),
    custom_items: toCustomItems(result),
  }
}

function giftWrappingOf(line: ResultLine, decimals: number): Static<typeof CheckoutWrapping> | null {
  const wrapping = wrappingOf(line)
  if (!wrapping || !line.wrapping) return null
  const smallest = ratio(line.wrapping.amount, 10n ** BigInt(decimals), 10_000n)
  return { ...wrapping, amount_as_integer: Number(smallest) }
}

/** A copy: the document belongs to the cart. */
const addressOf = (address: CartAddress): Static<typeof CheckoutAddress> => ({ ...address })

function consignmentOf(
  { input, lines, coupons, shipping, handling }: ResultConsignment,
  offers: Offers | undefined,
): Static<typeof Consignment> {
  const { id, address, pickup, option } = input
  return {
    id,
    ...(address ? { shippingAddress: addressOf(address), address: addressOf(address) } : {}),
    ...(offers ? { available_shipping_options: (offers.get(id) ?? []).map(optionOf) } : {}),
    ...(option ? { selected_shipping_option: optionOf(option) } : {}),
    coupon_discounts: coupons.map(({ code, amount }) => ({ code, amount: amountOf(amount) })),
    discounts: [],
    shipping_cost_inc_tax: amountOf(shipping.inc),
    shipping_cost_ex_tax: amountOf(shipping.ex),
    handling_cost_inc_tax: amountOf(handling.inc),
    handling_cost_ex_tax: amountOf(handling.ex),
    line_item_ids: lines.map(({ item_id }) => item_id),
    ...(pickup ? { selected_pickup_option: { pickup_method_id: pickup.pickup_method_id } } : {}),
  }
}

const optionOf = ({
  id,
  type,
  description,
  image_url,
  cost,
  transit_time,
  additional_description,
}: ChosenOption): Static<typeof Option> => ({
  id,
  type,
  description,
  image_url,
  cost,
  transit_time,
  additional_description,
})

const bannersOf = ({ promotions }: CartResult): Static<typeof Banner>[] =>
  promotions.banners.map(({ promotion_id, type, locations, content }) => ({
    id: String(promotion_id),
    type,
    page: [...locations],
    text: content,
  }))
