import type { Budget } from './calculation/budget.ts'
import { ineligibility, type PromotionMoment } from './calculation/eligibility.ts'
import { Ledger } from './calculation/ledger.ts'
import { worthOf } from './calculation/order.ts'
import type { Reason } from './calculation/outcome.ts'
import { applyRule, type RuleOutcome } from './calculation/rule.ts'
import type { EvaluatedCart } from './cart.ts'
import type { CompiledPromotion } from './compile.ts'
import type { NotificationType } from './promotion.ts'

// Decides which promotions run (docs/contract/promotions.md section 4):
//   for p in automatic, then coupons:
//     exclusive(p) and something applied already -> skip (coupon: it may replace the others)
//     for rule in p.rules: applied = apply(rule); if applied and rule.stop: break
//     if p applied: exclusive(p) -> end of everything; p.stop -> end of its list

/** A promotion that may run, with the code of a coupon promotion. */
export interface Candidate {
  promotion: CompiledPromotion
  code: string | undefined
}

/** The outcome of a promotion. */
export interface PromotionReport {
  /** Undefined if it was applied. */
  reason: Reason | undefined
  /** The banners that its outcome shows. */
  banners: ReadonlySet<NotificationType>
}

/** Reasons from the least progress to the most. */
const PROGRESS: readonly RuleOutcome[] = ['quantity', 'spend', 'noItems', 'nothingLeft', 'noStock', 'budget', 'applied']

/** One pass over the promotions of a cart. */
export class PromotionRun {
  readonly #cart: EvaluatedCart
  readonly #moment: PromotionMoment
  readonly #budget: Budget
  /** By promotion. */
  readonly reports = new Map<number, PromotionReport>()
  /** The promotions that were applied. */
  #applied: Candidate[] = []
  #ledger: Ledger
  #isEnded = false

  constructor(cart: EvaluatedCart, moment: PromotionMoment, budget: Budget) {
    this.#cart = cart
    this.#moment = moment
    this.#budget = budget
    this.#ledger = new Ledger(cart)
  }

  get ledger(): Ledger {
    return this.#ledger
  }

  /** Whether a promotion was applied that can't be used with others. */
  get isEnded(): boolean {
    return this.#isEnded
  }

  get isCutShort(): boolean {
    return this.#budget.isSpent
  }

  /** Runs the automatic promotions or the coupon promotions, in their order. */
  runList(candidates: readonly Candidate[]) {
    let isStopped = false
    for (const candidate of candidates) {
      const { promotion } = candidate
      const skipped = ineligibility(promotion, this.#cart, this.#moment) ?? this.#skips(isStopped)
      if (skipped !== undefined) {
        this.#report(candidate, skipped)
        continue
      }
      const { can_be_used_with_other_promotions: isShared, stop } = promotion.promotion
      const report =
        !isShared && this.#applied.length > 0 ? this.#replaceWith(candidate) : this.#runOn(this.#ledger, candidate)
      this.reports.set(promotion.promotion.id, report)
      if (report.reason !== undefined) continue
      this.#applied.push(candidate)
      if (!isShared) this.#isEnded = true
      if (stop) isStopped = true
    }
  }

  #skips(isStopped: boolean): Reason | undefined {
    if (this.#isEnded) return 'afterExclusive'
    if (isStopped) return 'stopped'
    return this.#budget.isSpent ? 'budget' : undefined
  }

  #report({ promotion }: Candidate, reason: Reason) {
    this.reports.set(promotion.promotion.id, { reason, banners: new Set() })
  }

  #runOn(ledger: Ledger, { promotion, code }: Candidate): PromotionReport {
    const source = { promotion_id: promotion.promotion.id, code }
    const banners = new Set<NotificationType>()
    let best: RuleOutcome = 'quantity'
    for (const rule of promotion.rules) {
      const { outcome, hasProgress } = applyRule({ ledger, source, budget: this.#budget }, rule)
      if (PROGRESS.indexOf(outcome) > PROGRESS.indexOf(best)) best = outcome
      if (outcome === 'applied') banners.add('APPLIED')
      else if (outcome !== 'quantity' && outcome !== 'spend') banners.add('ELIGIBLE')
      else if (hasProgress) banners.add('UPSELL')
      if (this.#budget.isSpent || (outcome === 'applied' && rule.stop)) break
    }
    if (best !== 'applied') return { reason: best, banners }
    banners.delete('ELIGIBLE')
    return { reason: undefined, banners }
  }

  /** Runs a coupon that can't be used with the promotions applied before it: on a new ledger, if it may replace them. */
  #replaceWith(candidate: Candidate): PromotionReport {
    const { coupon_overrides_other_promotions, coupon_overrides_automatic_when_offering_higher_discounts } =
      candidate.promotion.promotion
    const isAutomaticOnly = this.#applied.every(({ code }) => code === undefined)
    const mustBeGreater = coupon_overrides_automatic_when_offering_higher_discounts && isAutomaticOnly
    if (candidate.code === undefined || !(coupon_overrides_other_promotions || mustBeGreater)) {
      return { reason: 'exclusive', banners: new Set() }
    }
    const ledger = new Ledger(this.#cart)
    const report = this.#runOn(ledger, candidate)
    if (report.reason !== undefined) return report
    if (!coupon_overrides_other_promotions && worthOf(ledger) <= worthOf(this.#ledger)) {
      return { reason: 'lesser', banners: new Set() }
    }
    for (const replaced of this.#applied) this.#report(replaced, 'replaced')
    this.#applied = []
    this.#ledger = ledger
    return report
  }
}
