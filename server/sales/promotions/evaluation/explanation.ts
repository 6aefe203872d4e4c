import type { Db } from '../../../core/db/database.ts'
import { amountOf, sumOf, unitsOf } from '../../../core/money/units.ts'
import { factsOfLines } from '../../../goods/catalog/product-row/line-facts.ts'
import { currencyPair } from '../../../shop/channels/currencies/shape.ts'
import { payingIn } from '../../pricing/gather.ts'
import type { CouponRefusal, Evaluation, Reason } from '../engine/calculation/outcome.ts'
import { type CartLine, type EvaluatedCart, goodKey } from '../engine/cart.ts'
import type { CompiledPromotions } from '../engine/compile.ts'
import { evaluate } from '../engine/evaluate.ts'
import { usedUpPromotions } from '../uses/uses.ts'
import { type ActivePromotions, activePromotions } from './active-promotions.ts'
import { findCodes } from './cart-codes.ts'
import { type CartFile, readCartFile } from './cart-file.ts'

// Explains the promotions of a cart to operators: for each promotion and code why it was applied, skipped or without effect.

/** The promotions of a cart as an operator sees them. Without a reason they are applied. */
export interface CartExplanation {
  at: string
  currency: string
  promotions: {
    promotion_id: number
    name: string
    redemption_type: 'AUTOMATIC' | 'COUPON'
    discount: number
    /** `manual` for automatic promotions of a cart with discounts by hand, which exclude them. */
    reason: Reason | 'manual' | undefined
  }[]
  codes: {
    code: string
    /** Undefined for coupons of the older family and unknown codes. */
    promotion_id: number | undefined
    discount: number
    reason: Reason | undefined
    refusal: CouponRefusal | undefined
  }[]
}

/** Stores keep the time of UTC, and no other. */
const TIME_ZONE = 'UTC'

/**
 * Explains the promotions of a cart.
 * @param text file of the cart, as JSON
 * @param now moment for a file that names none
 * @throws Error with a sentence for the operator
 */
export async function explainPromotions(db: Db, text: string, now: Date): Promise<CartExplanation> {
  const file = readCartFile(text)
  const at = file.at ?? now
  const compiled = await activePromotions(db, at)
  const cart = await cartOf(db, file, compiled)
  return explanationOf({ promotions: compiled, cart, evaluation: evaluate(compiled, cart, momentOf(at)), at })
}

const momentOf = (at: Date) => ({ at: at.getTime(), timeZone: TIME_ZONE })

/** A cart whose promotions are evaluated. */
interface ExplainedCart {
  promotions: CompiledPromotions
  cart: EvaluatedCart
  evaluation: Evaluation
  at: Date
}

/** Lists the outcomes of an evaluation by promotion and by code. */
export function explanationOf({ promotions, cart, evaluation, at }: ExplainedCart): CartExplanation {
  const codes = evaluation.codes.map(({ amount, ...outcome }, i) => {
    const of = cart.codes[i]?.of
    return { ...outcome, promotion_id: typeof of === 'number' ? of : undefined, discount: amountOf(amount) }
  })
  const reasons = new Map(evaluation.promotions.map(({ promotion_id, reason }) => [promotion_id, reason]))
  return {
    at: at.toISOString(),
    currency: cart.shopper.currency.code,
    promotions: [...promotions.automatic, ...promotions.coupons.values()].map(
      ({ promotion: { id, name, redemption_type } }) => ({
        promotion_id: id,
        name,
        redemption_type,
        discount: amountOf(discountOf(id, evaluation, cart)),
        reason: reasons.has(id) ? reasons.get(id) : 'manual',
      }),
    ),
    codes,
  }
}

/** The amount that a promotion takes off the cart, by itself or by its codes. */
function discountOf(id: number, { lines, order, codes }: Evaluation, cart: EvaluatedCart) {
  const automatic = [...lines.flatMap(({ promotions }) => promotions), ...order].filter(
    ({ promotion_id }) => promotion_id === id,
  )
  return sumOf([...automatic, ...codes.filter((_, i) => cart.codes[i]?.of === id)].map(({ amount }) => amount))
}

/** The cart of a file. The reads are sent together. @throws Error for an unknown currency, product or variant */
async function cartOf(db: Db, file: CartFile, compiled: ActivePromotions): Promise<EvaluatedCart> {
  const { standard, wanted } = await currencyPair(db, file.currency)
  if (!wanted) throw new Error(`The store does not have the currency ${file.currency}.`)
  const named = file.lines.map(({ product_id = 0, variant_id = 0 }) => ({ product_id, variant_id }))
  const { found, codes, usedUp } = await db.together(() => ({
    found: factsOfLines(db, named, compiled.facts.lines),
    codes: findCodes(db, file.codes ?? [], standard.currency_code),
    usedUp: usedUpPromotions(db, compiled),
  }))
  const lines = file.lines.map(({ product_id, variant_id, quantity, price, is_on_sale }, i): CartLine => {
    const catalog = found.get(i)
    if (!catalog) {
      const missing = variant_id === undefined ? `product ${product_id}` : `variant ${variant_id}`
      throw new Error(`The store does not have the ${missing} of lines.${i}.`)
    }
    return {
      ...catalog,
      kind: 'catalog',
      quantity,
      price: unitsOf(price),
      isOnSale: is_on_sale ?? false,
      isPriceOverridden: false,
      isAddedByPromotion: false,
    }
  })
  return {
    lines,
    shopper: {
      channel_id: file.channel_id ?? 1,
      currency: { code: wanted.currency_code, decimals: payingIn(wanted).decimals },
      group_id: file.customer_group_id ?? 0,
      segments: file.segments ?? [],
      orders: file.paid_orders ?? 0,
      countries: file.countries ?? [],
    },
    settings: compiled.settings,
    codes,
    consignments: [],
    goods: new Map(
      (file.goods ?? []).map(({ product_id = 0, variant_id, price, available }) => [
        goodKey(variant_id === undefined ? { product_id } : { variant_id }),
        { price: unitsOf(price), available },
      ]),
    ),
    usedUp,
  }
}
