import { smaller, sumOf, unitsOf } from '../../../core/money/units.ts'
import type { Evaluation } from '../../promotions/engine/calculation/outcome.ts'
import type { CartLine, EvaluatedCart } from '../../promotions/engine/cart.ts'
import { evaluate as evaluatePromotions } from '../../promotions/engine/evaluate.ts'
import { keyOfCode } from '../../promotions/evaluation/cart-codes.ts'
import type { CartDocument } from '../row/document.ts'
import type { CartFacts } from './facts.ts'
import { countriesOf } from './places.ts'
import { addedLines, goodsOf, priceCartLines } from './priced-lines.ts'
import type { CartResult, DiscountedLine, PricedLine, ResultCode } from './result.ts'
import { totalsOfCart } from './totals.ts'

// Evaluates a cart: prices, discounts, taxes and totals (docs/contract/carts.md section 6). Pure: the same document and facts always have
// the same result.

export function evaluateCart(document: CartDocument, facts: CartFacts): CartResult {
  const { priced, cart, evaluation } = promotionsOfCart(document, facts)
  const lines = [
    ...priced.map((line, i) => discounted(line, cart.lines[i], evaluation.lines[i])),
    ...addedLines(evaluation.gifts, document, facts).map(givenAway),
  ]
  const { shipping, manual, order, banners, freeShipping, uses, isCutShort } = evaluation
  return {
    ...totalsOfCart(document, lines, { facts, shipping }),
    codes: codesOf(cart, evaluation),
    orderDiscount: manual + sumOf(order.map(({ amount }) => amount)),
    manualDiscount: manual,
    promotions: { banners, freeShipping, uses, promotions: evaluation.promotions, isCutShort, order },
  }
}

/** Prices the lines of a cart and evaluates its promotions. Discounts by hand and the prices of a quote exclude the automatic ones. */
export function promotionsOfCart(document: CartDocument, facts: CartFacts) {
  const priced = priceCartLines(document, facts)
  const cart = promotionCart(document, priced, facts)
  const { promotions } = facts
  const inForce = document.manual || document.quote_id !== undefined ? { ...promotions, automatic: [] } : promotions
  const evaluation = evaluatePromotions(inForce, cart, { at: facts.at.getTime(), timeZone: TIME_ZONE })
  return { priced, cart, evaluation }
}

/** Stores keep the time of UTC, and no other. */
const TIME_ZONE = 'UTC'

/** The cart as promotions see it. Lines that they added before are left out: they are added again. */
function promotionCart(document: CartDocument, priced: readonly PricedLine[], facts: CartFacts): EvaluatedCart {
  const { channel_id, currency_code, group_id, segments, orders, usedUp, prices } = facts
  const manual = new Map(document.manual?.lines.map(({ id, amount }) => [id, unitsOf(amount)]))
  return {
    lines: [...priced.map((line) => promotionLine(line, manual.get(line.id))), ...document.certificates.map(forGift)],
    shopper: {
      channel_id,
      currency: { code: currency_code, decimals: prices.currency.decimals },
      group_id,
      segments,
      orders,
      countries: countriesOf(document),
    },
    settings: facts.promotions.settings,
    codes: document.codes.map((code) => ({
      of: undefined,
      isUsedUp: false,
      ...facts.codes.get(keyOfCode(code)),
      code,
    })),
    consignments: document.consignments.map(({ id, option }) => ({
      id,
      cost: unitsOf(option?.cost ?? 0),
      method_id: option && (option.method_id ?? 0),
    })),
    goods: goodsOf(priced, facts),
    usedUp,
    manualDiscount: unitsOf(document.manual?.order ?? 0),
  }
}

const promotionLine = (line: PricedLine, manualDiscount = 0n): CartLine => ({
  kind: line.kind,
  product_id: line.product_id,
  variant_id: line.variant_id,
  quantity: line.quantity,
  price: line.price,
  isOnSale: line.isOnSale,
  isPriceOverridden: line.isOverridden,
  isAddedByPromotion: false,
  manualDiscount,
  ...(line.item
    ? {
        brand_id: line.item.brand_id,
        categories: line.item.categories,
        options: line.item.options,
        customFields: line.item.customFields,
      }
    : {}),
})

const forGift = ({ amount }: CartDocument['certificates'][number]): CartLine => ({
  kind: 'certificate',
  product_id: 0,
  variant_id: 0,
  quantity: 1,
  price: unitsOf(amount),
  isOnSale: false,
  isPriceOverridden: false,
  isAddedByPromotion: false,
})

function discounted(
  line: PricedLine,
  { manualDiscount = 0n }: Pick<CartLine, 'manualDiscount'> = {},
  { promotions, orderShare, coupons, left }: Evaluation['lines'][number] = NOTHING_OFF,
): DiscountedLine {
  const total = line.price * BigInt(line.quantity)
  const manual = smaller(manualDiscount, total)
  const sale = total - manual - sumOf(promotions.map(({ amount }) => amount))
  return { ...line, total, promotions, manual, sale, orderShare, coupons, left }
}

const NOTHING_OFF: Evaluation['lines'][number] = { promotions: [], orderShare: 0n, coupons: [], left: 0n }

/** A line that a promotion added costs nothing. */
function givenAway(line: PricedLine): DiscountedLine {
  const total = line.price * BigInt(line.quantity)
  const promotions = line.promotion_id === undefined ? [] : [{ promotion_id: line.promotion_id, amount: total }]
  return { ...line, total, promotions, manual: 0n, sale: 0n, orderShare: 0n, coupons: [], left: 0n }
}

const codesOf = ({ codes }: EvaluatedCart, evaluation: Evaluation): ResultCode[] =>
  evaluation.codes.map((outcome, i) => ({ ...outcome, id: codes[i]?.id ?? 0, of: codes[i]?.of }))
