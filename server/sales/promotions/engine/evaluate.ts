import { sumOf } from '../../../core/money/units.ts'
import { Budget } from './calculation/budget.ts'
import { applyCouponV2 } from './calculation/coupons-v2.ts'
import { ineligibility, type PromotionMoment } from './calculation/eligibility.ts'
import type { Ledger } from './calculation/ledger.ts'
import { type OrderAmount, orderAmounts } from './calculation/order.ts'
import {
  type CodeOutcome,
  type Evaluation,
  type PromotionBanner,
  type Reason,
  refusalFor,
} from './calculation/outcome.ts'
import { type SettledLine, settleOrder } from './calculation/settlement.ts'
import type { CouponV2, EvaluatedCart } from './cart.ts'
import type { CompiledPromotion, CompiledPromotions } from './compile.ts'
import { type PromotionReport, PromotionRun } from './promotion-run.ts'

// Evaluates the promotions of a store for a cart: which ones run, and everything they change. Pure: the same promotions, cart and
// moment always have the same result (docs/contract/promotions.md sections 4 and 5).

/** A code with the promotion or the coupon that it belongs to. */
interface CodePlan {
  code: string
  reason: Reason | undefined
  promotion: CompiledPromotion | undefined
  coupon: CouponV2 | undefined
}

export function evaluate(compiled: CompiledPromotions, cart: EvaluatedCart, moment: PromotionMoment): Evaluation {
  const plans = planCodes(compiled, cart)
  const run = new PromotionRun(cart, moment, new Budget())
  run.runList(compiled.automatic.map((promotion) => ({ promotion, code: undefined })))
  run.runList(
    plans.flatMap(({ code, promotion, reason }) => (promotion && reason === undefined ? { promotion, code } : [])),
  )

  const { ledger } = run
  const amounts = orderAmounts(ledger)
  const lines = settleOrder(ledger, amounts)
  const shipping: Evaluation['shipping'] = []
  const effective = sourcesOf(ledger, amounts)
  // A promotion that takes money off the order only is not applied if the others left nothing of it.
  const reasonOf = (id: number, report: PromotionReport): Reason | undefined =>
    report.reason ?? (effective.has(id) ? undefined : 'nothingLeft')
  const reports = new Map(
    [...run.reports].map(([id, report]) => [id, { ...report, reason: reasonOf(id, report) }] as const),
  )
  const context = { cart, moment, ledger, lines, shipping, subtotal: subtotalOf(ledger) }
  const codes = plans.map(({ code, promotion, coupon, reason: planned }): CodeOutcome => {
    let reason = planned
    if (!reason && promotion) reason = reports.get(promotion.promotion.id)?.reason
    if (!reason && coupon) reason = run.isEnded ? 'afterExclusive' : applyCouponV2(context, code, coupon)
    return { code, amount: 0n, reason, refusal: refusalFor(reason) }
  })
  for (const outcome of codes) outcome.amount = amountOfCode(outcome.code, lines, shipping)

  const isActive = (promotion: CompiledPromotion) => ineligibility(promotion, cart, moment) === undefined
  const all = [...compiled.automatic, ...compiled.coupons.values()]
  const promotions = all.map(({ promotion: { id } }) => {
    const report = reports.get(id)
    const refused = plans.find(({ promotion, reason }) => promotion?.promotion.id === id && reason)?.reason
    return { promotion_id: id, reason: report ? report.reason : (refused ?? ('noCode' as const)) }
  })
  return {
    lines: lines.map(({ promotions, orderShare, coupons, left }) => ({ promotions, orderShare, coupons, left })),
    manual: ledger.manual,
    order: amounts.filter(({ code, amount }) => code === undefined && amount > 0n),
    gifts: ledger.gifts,
    freeShipping: ledger.offers,
    shipping,
    banners: all.flatMap((promotion) => bannersOf(promotion, reports.get(promotion.promotion.id), isActive)),
    promotions,
    codes,
    uses: {
      promotions: promotions.filter(({ reason }) => reason === undefined).map(({ promotion_id }) => promotion_id),
      codes: codes.filter(({ reason }) => reason === undefined).map(({ code }) => code),
    },
    isCutShort: run.isCutShort,
  }
}

/** Finds the promotion or coupon of each code. Only the first code of a promotion counts. */
function planCodes({ coupons }: CompiledPromotions, { codes }: EvaluatedCart): CodePlan[] {
  const planned = new Set<number>()
  return codes.map(({ code, of, isUsedUp }) => {
    const promotion = typeof of === 'number' ? coupons.get(of) : undefined
    const coupon = typeof of === 'object' ? of : undefined
    const plan = { code, promotion, coupon }
    if (!promotion && !coupon) return { ...plan, reason: of === undefined ? 'unknownCode' : 'inactive' }
    const id = promotion?.promotion.id
    if (id !== undefined && planned.has(id)) return { ...plan, reason: 'repeatedCode' }
    if (isUsedUp) return { ...plan, reason: 'usedUp' }
    if (id !== undefined) planned.add(id)
    return { ...plan, reason: undefined }
  })
}

/** The promotions that have an effect. */
const sourcesOf = ({ lines, gifts, offers }: Ledger, amounts: readonly OrderAmount[]): ReadonlySet<number> =>
  new Set([
    ...lines.flatMap(({ discounts }) => discounts.map(({ promotion_id }) => promotion_id)),
    ...amounts.filter(({ amount }) => amount > 0n).map(({ promotion_id }) => promotion_id),
    ...[...gifts, ...offers].map(({ promotion_id }) => promotion_id),
  ])

/** Lines after the automatic discounts of items, with gift certificates. */
const subtotalOf = ({ lines }: Ledger) =>
  sumOf(
    lines.map(
      ({ total, discounts }) =>
        total - sumOf(discounts.filter(({ code }) => code === undefined).map(({ amount }) => amount)),
    ),
  )

const amountOfCode = (code: string, lines: readonly SettledLine[], shipping: Evaluation['shipping']) =>
  sumOf(
    [...lines.flatMap(({ coupons }) => coupons), ...shipping]
      .filter((discount) => discount.code === code)
      .map(({ amount }) => amount),
  )

function bannersOf(
  compiled: CompiledPromotion,
  report: PromotionReport | undefined,
  isActive: (promotion: CompiledPromotion) => boolean,
): PromotionBanner[] {
  const { id, notifications } = compiled.promotion
  return notifications
    .filter(({ type }) => (type === 'PROMOTION' ? isActive(compiled) : report?.banners.has(type)))
    .map(({ type, locations, content }) => ({ promotion_id: id, type, locations, content }))
}
