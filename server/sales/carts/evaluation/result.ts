import type { FineUnits } from '../../../core/money/fine.ts'
import type { Units } from '../../../core/money/units.ts'
import type { CartItem } from '../../../goods/catalog/product-row/cart-items.ts'
import type { Evaluation } from '../../promotions/engine/calculation/outcome.ts'
import type { CartCode } from '../../promotions/engine/cart.ts'
import type { LineTax } from '../../tax/calculation/tax-of.ts'
import type { CartConsignment, CartFee, CatalogLine, CertificateLine, CustomLine } from '../row/document.ts'

// The result of an evaluation (docs/contract/carts.md section 6). Amounts are in the currency of the cart.

/** An amount without tax and with tax, rounded to the currency. */
export interface Taxed {
  ex: Units
  inc: Units
}

/** The same with eight places, before it is rounded. */
export interface FineTaxed {
  ex: FineUnits
  inc: FineUnits
}

/** One tax by its name. */
export interface NamedTax {
  name: string
  amount: Units
}

/** A line before discounts. */
export interface PricedLine {
  id: string
  kind: 'catalog' | 'custom'
  /** The input of the line; a line that a promotion added has none. */
  input: CatalogLine | CustomLine | undefined
  /** 0 for custom lines, as the variant. */
  product_id: number
  variant_id: number
  item: CartItem | undefined
  name: string
  quantity: number
  /** Undefined for custom lines and lines of the shopper. */
  promotion_id: number | undefined
  isDigital: boolean
  isOverridden: boolean
  isOnSale: boolean
  /** One unit, before discounts. */
  price: Units
  /** The default price of the product. */
  original: Units
  /** The price that a lower one is compared with: the regular price of the item, at least `price`. */
  comparison: Units
  classId: number
  wrapping: LineWrapping | undefined
}

export interface LineWrapping {
  name: string
  message: string
  /** All units together. */
  amount: Units
}

/** Units of a line that go to one place. */
export interface LinePart {
  /** Undefined for digital lines, and for units without a consignment. */
  consignment_id: string | undefined
  quantity: number
  /** After all discounts, as prices are entered. */
  amount: Units
  tax: LineTax
  wrapping: { amount: Units; tax: LineTax } | undefined
}

/** A line after all discounts, before tax. */
export interface DiscountedLine extends PricedLine {
  /** Price times quantity. */
  total: Units
  promotions: Evaluation['lines'][number]['promotions']
  /** The discount of the line by hand. */
  manual: Units
  /** `total` after promotions of items and the discount by hand. */
  sale: Units
  /** The line's share of the discounts of the order. */
  orderShare: Units
  coupons: Evaluation['lines'][number]['coupons']
  /** After all discounts, as prices are entered. */
  left: Units
}

export interface ResultLine extends DiscountedLine {
  /** `total` without tax and with tax. */
  taxedTotal: FineTaxed
  /** `sale` without tax and with tax. */
  taxedSale: FineTaxed
  /** In the order of the consignments. */
  parts: LinePart[]
}

/** A code with its effect. */
export interface ResultCode {
  code: string
  /** 0 for a code that doesn't exist any more. */
  id: number
  of: CartCode['of']
  /** All discounts by this code. */
  amount: Units
  reason: Evaluation['codes'][number]['reason']
  refusal: Evaluation['codes'][number]['refusal']
}

export interface ResultConsignment {
  input: CartConsignment
  /** The units of the consignment, with those that promotions added. */
  lines: { item_id: string; quantity: number }[]
  /** Before discounts, as prices are entered. */
  cost: Units
  /** Before discounts. */
  shipping: Taxed
  /** Discounts of shipping by coupons. */
  coupons: { code: string; amount: Units }[]
  /** After discounts. */
  paid: Taxed
  handling: Taxed
  shippingTax: LineTax
  handlingTax: LineTax
}

export interface ResultFee extends Taxed {
  input: CartFee
  tax: LineTax
}

export interface CartResult {
  /** Whether prices contain tax. */
  isInclusive: boolean
  /** Decimals of the currency. */
  decimals: number
  lines: ResultLine[]
  certificates: readonly CertificateLine[]
  consignments: ResultConsignment[]
  fees: ResultFee[]
  codes: ResultCode[]
  /** Lines and certificates before all discounts, as prices are entered. */
  base: Units
  /** Discounts of the order: automatic ones and those by hand. */
  orderDiscount: Units
  /** The part of them that was given by hand. */
  manualDiscount: Units
  /** Lines after discounts of items, and certificates. */
  subtotal: Taxed
  /** Lines after all discounts, and certificates. */
  cart: Taxed
  /** Before discounts. */
  shipping: Taxed
  handling: Taxed
  wrapping: Taxed
  taxTotal: Units
  taxes: NamedTax[]
  grandTotal: Units
  /** Evaluation by the promotions: banners, offers of free shipping, uses that an order counts. */
  promotions: Pick<Evaluation, 'banners' | 'freeShipping' | 'uses' | 'promotions' | 'isCutShort' | 'order'>
}
