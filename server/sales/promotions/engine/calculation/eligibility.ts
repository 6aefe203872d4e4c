import type { EvaluatedCart } from '../cart.ts'
import type { CompiledPromotion } from '../compile.ts'
import { isScheduled } from './schedule.ts'

/** The moment of an evaluation, on the clock of a store. */
export interface PromotionMoment {
  /** Milliseconds since 1970. */
  at: number
  timeZone: string
}

/** The reason that a promotion can't run for a cart. */
export type Ineligibility =
  | 'disabled'
  | 'invalid'
  | 'notStarted'
  | 'ended'
  | 'notScheduled'
  | 'usedUp'
  | 'channel'
  | 'currency'
  | 'group'
  | 'orders'
  | 'segment'
  | 'noAddress'
  | 'address'

/** Returns the first reason that a promotion can't run, undefined if it is eligible. Source: docs/contract/promotions.md section 4. */
export function ineligibility(
  { promotion, inSegments, inCountry }: CompiledPromotion,
  { shopper, usedUp }: EvaluatedCart,
  { at, timeZone }: PromotionMoment,
): Ineligibility | undefined {
  const { status, starts_at, ends_at, schedule, channels, currency_code, customer } = promotion
  if (status !== 'ENABLED') return status === 'DISABLED' ? 'disabled' : 'invalid'
  if (at < starts_at) return 'notStarted'
  if (ends_at !== null && at > ends_at) return 'ended'
  if (schedule && !isScheduled(schedule, starts_at, at, timeZone)) return 'notScheduled'
  const max = promotion.max_uses ?? 0
  if ((max > 0 && promotion.current_uses >= max) || usedUp.has(promotion.id)) return 'usedUp'
  if (channels.length > 0 && !channels.includes(shopper.channel_id)) return 'channel'
  if (currency_code !== '*' && currency_code !== shopper.currency.code) return 'currency'
  const { group_ids, excluded_group_ids, minimum_order_count } = customer
  if (group_ids.length > 0 && !group_ids.includes(shopper.group_id)) return 'group'
  if (excluded_group_ids.includes(shopper.group_id)) return 'group'
  if (shopper.orders < minimum_order_count) return 'orders'
  if (inSegments && !inSegments(shopper.segments)) return 'segment'
  if (inCountry) {
    if (shopper.countries.length === 0) return 'noAddress'
    if (!shopper.countries.every(inCountry)) return 'address'
  }
  return undefined
}
