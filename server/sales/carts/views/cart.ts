import t, { type Static } from 'typebox'
import { amountOf } from '../../../core/money/units.ts'
import { Id, Moment } from '../../../core/rest/input/fields.ts'
import { ChannelId } from '../../../shop/channels/channels.ts'
import type { CartWithResult } from '../changes/change.ts'
import type { CartResult, ResultLine } from '../evaluation/result.ts'
import {
  CertificateItem,
  COUPON_TYPES,
  CustomItem,
  cartOptionsOf,
  catalogFields,
  catalogLines,
  couponNameOf,
  couponTypeOf,
  discountsByLine,
  GiftWrapping,
  isTaxable,
  LineCoupon,
  optionsField,
  toCatalogFields,
  toCertificates,
  toCustomItems,
  wrappingOf,
} from './line-items.ts'
import { RedirectUrls } from './redirect-urls.ts'

// The cart as its resource shows it (docs/contract/carts.md section 2).

const lineFields = {
  ...catalogFields,
  taxable: t.Boolean(),
  coupons: t.Array(LineCoupon),
  gift_wrapping: t.Optional(GiftWrapping),
  ...optionsField,
}
const PhysicalItem = t.Object(lineFields, { title: 'CartPhysicalItem' })
const DigitalItem = t.Object(
  {
    ...lineFields,
    download_file_urls: t.Array(t.String()),
    download_page_url: t.String(),
    download_size: t.String(),
  },
  { title: 'CartDigitalItem' },
)

const AppliedCoupon = t.Object(
  {
    code: t.String(),
    id: t.String(),
    coupon_type: t.Enum(['0', '1', '2', '3', '4', '5']),
    discounted_amount: t.Number(),
    display_name: t.String(),
  },
  { title: 'CartCoupon' },
)

export const Banner = t.Object(
  { id: t.String(), type: t.String(), page: t.Array(t.String()), text: t.String() },
  { title: 'PromotionBanner' },
)

/** A cart on the wire. */
export const CartResource = t.Object(
  {
    id: t.String({ format: 'uuid' }),
    customer_id: t.Integer({ description: '0 for a guest' }),
    channel_id: ChannelId,
    email: t.String(),
    currency: t.Object({ code: t.String() }, { title: 'CartCurrency' }),
    tax_included: t.Boolean(),
    base_amount: t.Number(),
    discount_amount: t.Number(),
    manual_discount_amount: t.Number(),
    cart_amount: t.Number(),
    coupons: t.Array(AppliedCoupon),
    discounts: t.Array(t.Object({ id: t.String(), discounted_amount: t.Number() }, { title: 'CartDiscount' })),
    line_items: t.Object(
      {
        physical_items: t.Array(PhysicalItem),
        digital_items: t.Array(DigitalItem),
        gift_certificates: t.Array(CertificateItem),
        custom_items: t.Array(CustomItem),
      },
      { title: 'CartLineItems' },
    ),
    created_time: Moment,
    updated_time: Moment,
    locale: t.String(),
    promotions: t.Optional(t.Object({ banners: t.Array(Banner) }, { title: 'CartPromotions' })),
    redirect_urls: t.Optional(RedirectUrls),
    version: Id,
  },
  { title: 'Cart' },
)

const INCLUDES = [
  'redirect_urls',
  'line_items.physical_items.options',
  'line_items.digital_items.options',
  'promotions.banners',
] as const

/** The query of every route that answers with a cart. */
export const CartQuery = t.Object({
  include: t.Optional(t.Array(t.Enum([...INCLUDES]), { description: 'Parts of the cart that are left out otherwise' })),
})
export type CartQuery = Static<typeof CartQuery>

/** Converts a cart to its wire form. */
export function toCart({ cart, result, facts, siteUrl }: CartWithResult, { include = [] }: CartQuery) {
  const lines = catalogLines(result)
  const ofKind = (isDigital: boolean, name: CartQuery['include']) =>
    lines
      .filter((line) => line.isDigital === isDigital)
      .map((line) => toLine(line, { siteUrl, withOptions: name?.every((one) => include.includes(one)) ?? false }))
  const files = { download_file_urls: [], download_page_url: '', download_size: '' }
  const { base, orderDiscount, manualDiscount } = result
  return {
    id: cart.id,
    customer_id: cart.customer_id,
    channel_id: cart.channel_id,
    email: cart.email,
    currency: { code: cart.currency_code },
    tax_included: result.isInclusive,
    base_amount: amountOf(base),
    discount_amount: amountOf(orderDiscount),
    manual_discount_amount: amountOf(manualDiscount),
    cart_amount: amountOf(result.isInclusive ? result.cart.inc : result.cart.ex),
    coupons: result.codes.map((code) => ({
      code: code.code,
      id: String(code.id),
      coupon_type: String(COUPON_TYPES.indexOf(couponTypeOf(code))),
      discounted_amount: amountOf(code.amount),
      display_name: couponNameOf(code, facts.promotions.coupons),
    })),
    discounts: discountsByLine(result),
    line_items: {
      physical_items: ofKind(false, ['line_items.physical_items.options']),
      digital_items: ofKind(true, ['line_items.digital_items.options']).map((line) => ({ ...line, ...files })),
      gift_certificates: toCertificates(result),
      custom_items: toCustomItems(result),
    },
    created_time: cart.created_at,
    updated_time: cart.updated_at,
    locale: cart.document.locale,
    ...(include.includes('promotions.banners') ? { promotions: { banners: bannersOf(result) } } : {}),
    version: cart.version,
  }
}

function toLine(line: ResultLine, { siteUrl, withOptions }: { siteUrl: string; withOptions: boolean }) {
  const wrapping = wrappingOf(line)
  return {
    ...toCatalogFields(line, siteUrl),
    taxable: isTaxable(line),
    coupons: line.coupons.map(({ code, amount }) => ({ code, discounted_amount: amountOf(amount) })),
    ...(wrapping ? { gift_wrapping: wrapping } : {}),
    ...(withOptions ? { options: cartOptionsOf(line) } : {}),
  }
}

/** The banners of promotions. */
const bannersOf = ({ promotions }: CartResult): Static<typeof Banner>[] =>
  promotions.banners.map(({ promotion_id, type, locations, content }) => ({
    id: String(promotion_id),
    type,
    page: [...locations],
    text: content,
  }))
