import t, { type Static } from 'typebox'
import { amountOf, ratio, sumOf, type Units } from '../../../core/money/units.ts'
import { Id, nullable } from '../../../core/rest/input/fields.ts'
import { NON_TAXABLE_CLASS } from '../../tax/classes/classes.ts'
import type { CartResult, ResultCode, ResultLine } from '../evaluation/result.ts'

// The lines of a cart as both views show them (docs/contract/carts.md section 3). The views name a few fields differently.

const Discount = t.Object(
  { id: t.Union([t.String(), t.Integer()]), discounted_amount: t.Number() },
  { title: 'CartLineDiscount' },
)

export const LineCoupon = t.Object({ code: t.String(), discounted_amount: t.Number() }, { title: 'CartLineCoupon' })

const LineOption = t.Object(
  {
    name: t.String(),
    nameId: Id,
    value: t.String(),
    valueId: nullable(Id),
    temporaryPath: t.Optional(t.String()),
  },
  { title: 'CartLineOption' },
)

export const GiftWrapping = t.Object(
  { name: t.String(), message: t.String(), amount: t.Number() },
  { title: 'CartGiftWrapping' },
)

/** The fields of a catalog line that both views have under the same names. */
export const catalogFields = {
  id: t.String(),
  variant_id: Id,
  product_id: Id,
  sku: t.String(),
  name: t.String(),
  url: t.String(),
  quantity: t.Integer(),
  image_url: t.String(),
  discounts: t.Array(Discount),
  discount_amount: t.Number(),
  coupon_amount: t.Number(),
  original_price: t.Number(),
  list_price: t.Number(),
  sale_price: t.Number(),
  extended_list_price: t.Number(),
  extended_sale_price: t.Number(),
  is_require_shipping: t.Boolean(),
  is_mutable: t.Boolean(),
  added_by_promotion: t.Boolean(),
}

/** Options of a line, which a query has to include. */
export const optionsField = { options: t.Optional(t.Array(LineOption)) }

const Person = t.Object({ name: t.String(), email: t.String() }, { title: 'GiftCertificatePerson' })

export const CertificateItem = t.Object(
  {
    id: t.String(),
    name: t.String(),
    theme: t.String(),
    amount: t.Number(),
    taxable: t.Boolean(),
    sender: Person,
    recipient: Person,
    message: t.String(),
  },
  { title: 'CartGiftCertificate' },
)

export const CustomItem = t.Object(
  {
    id: t.String(),
    sku: t.String(),
    name: t.String(),
    quantity: t.Integer(),
    list_price: t.Number(),
    extended_list_price: t.Number(),
    image_url: t.String(),
  },
  { title: 'CartCustomItem' },
)

/** The id of discounts that were given by hand. */
const MANUAL_DISCOUNT = 'manual-discount'

/** The lines of the catalog, with the fields of both views. */
export const catalogLines = ({ lines }: CartResult): ResultLine[] => lines.filter(({ kind }) => kind === 'catalog')

export function toCatalogFields(line: ResultLine, siteUrl: string) {
  const { item, quantity, sale } = line
  const coupons = sumOf(line.coupons.map(({ amount }) => amount))
  return {
    id: line.id,
    variant_id: line.variant_id,
    product_id: line.product_id,
    sku: item?.sku ?? '',
    name: line.name,
    url: `${siteUrl}${item?.path ?? ''}`,
    quantity,
    image_url: item?.image_url ?? '',
    discounts: discountsOf(line, coupons),
    discount_amount: amountOf(line.total - sale),
    coupon_amount: amountOf(coupons),
    original_price: amountOf(line.original),
    list_price: amountOf(line.price),
    sale_price: amountOf(ratio(sale, 1n, BigInt(quantity))),
    extended_list_price: amountOf(line.total),
    extended_sale_price: amountOf(sale),
    is_require_shipping: !line.isDigital,
    is_mutable: line.promotion_id === undefined,
    added_by_promotion: line.promotion_id !== undefined,
  } satisfies { [Field in keyof typeof catalogFields]: Static<(typeof catalogFields)[Field]> }
}

function discountsOf({ promotions, manual }: ResultLine, coupons: Units): Static<typeof Discount>[] {
  const byHand = manual > 0n ? [{ id: MANUAL_DISCOUNT, discounted_amount: amountOf(manual) }] : []
  const byCoupons = coupons > 0n ? [{ id: 'coupon', discounted_amount: amountOf(coupons) }] : []
  return [
    ...byHand,
    ...promotions.map(({ promotion_id, amount }) => ({ id: promotion_id, discounted_amount: amountOf(amount) })),
    ...byCoupons,
  ]
}

/** Whether a line is of a class that anybody pays tax for. */
export const isTaxable = ({ classId }: ResultLine): boolean => classId !== NON_TAXABLE_CLASS

/** Options and modifiers of a line, with the texts that the back end has set. */
export function cartOptionsOf({ item, input }: ResultLine): Static<typeof LineOption>[] {
  const chosen = input && 'modifiers' in input ? input : undefined
  const textsOf = (id: number) => chosen?.texts.find(({ option_id }) => option_id === id)
  return [
    ...(item?.options ?? []).map(({ option_id, name, value_id, value }) => ({
      name: textsOf(option_id)?.name ?? name,
      nameId: option_id,
      value: textsOf(option_id)?.value ?? value,
      valueId: value_id,
    })),
    ...(chosen?.modifiers ?? []).map(({ option_id, value_id, name, value, path }) => ({
      name,
      nameId: option_id,
      value,
      valueId: value_id,
      ...(path === null ? {} : { temporaryPath: path }),
    })),
  ]
}

export const wrappingOf = ({ wrapping }: ResultLine): Static<typeof GiftWrapping> | undefined =>
  wrapping && { name: wrapping.name, message: wrapping.message, amount: amountOf(wrapping.amount) }

export const toCertificates = ({ certificates }: CartResult): Static<typeof CertificateItem>[] =>
  certificates.map(({ id, name, theme, amount, sender, recipient, message }) => ({
    id,
    name,
    theme,
    amount,
    taxable: false,
    sender,
    recipient,
    message,
  }))

export const toCustomItems = ({ lines }: CartResult): Static<typeof CustomItem>[] =>
  lines.flatMap(({ kind, input, price, total }) => {
    if (kind !== 'custom' || !input || !('image_url' in input)) return []
    const { id, sku, name, quantity, image_url } = input
    return [{ id, sku, name, quantity, list_price: amountOf(price), extended_list_price: amountOf(total), image_url }]
  })

/** The types of coupons as checkouts name them; carts have their positions. */
export const COUPON_TYPES = [
  'per_item_discount',
  'percentage_discount',
  'per_total_discount',
  'shipping_discount',
  'free_shipping',
  'promotion',
] as const

export const couponTypeOf = ({ of }: Pick<ResultCode, 'of'>): (typeof COUPON_TYPES)[number] =>
  typeof of === 'object' ? of.type : 'promotion'

/** The name of a code: that of its promotion or coupon. */
export const couponNameOf = (
  { of, code }: Pick<ResultCode, 'of' | 'code'>,
  names: ReadonlyMap<number, { promotion: { name: string } }>,
): string => {
  if (typeof of === 'object') return of.name || code
  return (of === undefined ? undefined : names.get(of)?.promotion.name) ?? code
}

/** Shares of the order's discounts and of coupons, by line. */
export const discountsByLine = ({ lines }: CartResult) =>
  lines.map(({ id, orderShare, coupons }) => ({
    id,
    discounted_amount: amountOf(orderShare + sumOf(coupons.map(({ amount }) => amount))),
  }))
