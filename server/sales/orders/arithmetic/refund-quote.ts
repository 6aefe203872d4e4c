import {
  amountOf,
  larger,
  minorUnit,
  ratio,
  roundTo,
  share,
  smaller,
  sumOf,
  type Units,
  unitsOf,
} from '../../../core/money/units.ts'
import { AMOUNT_MAX } from '../../../core/rest/input/amounts.ts'
import type { ItemCheck, Mistakes } from '../../../core/rest/input/mistakes.ts'

/** The kinds of things that are refunded one by one. */
export type ComponentType = 'PRODUCT' | 'GIFT_WRAPPING' | 'SHIPPING' | 'HANDLING' | 'FEE'
type ItemType = ComponentType | 'ORDER' | 'TAX'

/** Something in an order that can be refunded, with the share that was refunded already. */
export interface Component {
  type: ComponentType
  /** The id of the order product, order address, pickup consignment or fee. */
  id: number
  /** The price after discounts. It includes tax if the prices of the order do. */
  basis: Units
  tax: Units
  /** The number of units, or the basis itself if amounts are refunded. */
  size: bigint
  /** The share of the size that was refunded. */
  done: bigint
}

/** The amounts of an earlier refund. Declined refunds don't count. */
export interface PastRefund {
  total: Units
  tax: Units
  /** The exact sum of its items, their exact tax, and both rounded. 0 if its amounts were not calculated here. */
  precise: Units
  preciseTax: Units
  itemPart: Units
  itemTax: Units
  /** The difference that the answer of a tax provider made to the exact tax. */
  correction: Units
  /** Whether it has only whole items: no amounts of the order or of tax, no adjustments, and no amounts set by the merchant. */
  isPlain: boolean
}

/** The data of an order that a quote is calculated from. */
export interface RefundableOrder {
  id: number
  decimals: number
  isInclusive: boolean
  /** The amount received. */
  captured: Units
  components: readonly Component[]
  refunds: readonly PastRefund[]
}

/** An item of a request (docs/contract/refunds.md section 1). */
export interface RefundItem {
  item_type: ItemType
  item_id: number
  quantity?: number
  amount?: number
  adjustments?: readonly { amount: number }[]
}

/** The amounts that a refund would return. */
export interface Quote extends PastRefund {
  orderLevel: Units
  /** The difference between the rounded and the exact sum. */
  rounding: Units
  /** The difference between the total and the rounded sum of the items. */
  adjustment: Units
  /** The share of each component and its amount with tax, in the order of the request. */
  moves: { component: Component; by: bigint; amount: Units }[]
}

export type QuoteOutcome = { quote: Quote } | { mistakes: Mistakes }

const isAmountBound = (type: ItemType): boolean => type !== 'PRODUCT' && type !== 'GIFT_WRAPPING'

interface QuoteLine {
  basis: Units
  tax: Units
  component: Component
  by: bigint
  isAdjusted: boolean
}

/**
 * Calculates the refund of items (docs/contract/refunds.md section 2). Pure: the same order and items always have the same quote.
 * @param correction of the tax, by the store's tax provider
 * @returns the quote, or all mistakes of the items
 */
export function quoteRefund(
  order: RefundableOrder,
  items: readonly RefundItem[],
  correction: Units = 0n,
): QuoteOutcome {
  const remaining = remainingOf(order)
  const taxLeft = taxLeftOf(order)
  const mistakes: Mistakes = {}
  const components = new Map(order.components.map((component) => [keyOf(component.type, component.id), component]))
  const seen = new Set<string>()
  const lines: QuoteLine[] = []
  let [orderLevel, taxLevel] = [0n, 0n]
  let orderAt = ''
  for (const [i, item] of items.entries()) {
    const at = (field: string) => `items.${i}.${field}`
    const key = keyOf(item.item_type, item.item_id)
    if (seen.has(key)) mistakes[at('item_id')] = 'Another item has this item_type and item_id.'
    seen.add(key)
    if (item.adjustments !== undefined && isAmountBound(item.item_type)) {
      mistakes[at('adjustments')] = `An item of the type ${item.item_type} has no adjustments.`
    }
    if (item.item_type === 'ORDER' || item.item_type === 'TAX') {
      const amount = amountIn(item, order.decimals, { at, mistakes })
      if (item.item_id !== order.id)
        mistakes[at('item_id')] = `For this type, item_id is the id of the order: ${order.id}.`
      if (item.item_type === 'ORDER') {
        orderLevel = amount
        orderAt = at('amount')
      } else {
        taxLevel = amount
        if (amount > taxLeft) mistakes[at('amount')] = tooMuch(taxLeft, 'of tax')
      }
      continue
    }
    const component = components.get(key)
    if (!component) mistakes[at('item_id')] = `The order has no ${item.item_type} with the id ${item.item_id}.`
    else lines.push(lineOf(order, component, item, { at, mistakes }))
  }

  const past = sumsOf(order.refunds)
  const gross = ({ basis, tax }: QuoteLine) => (order.isInclusive ? basis : basis + tax)
  const precise = sumOf(lines.map(gross)) + (order.isInclusive ? 0n : correction)
  const preciseTax = sumOf(lines.map(({ tax }) => tax)) + correction
  const itemPart = roundTo(past.precise + precise, order.decimals) - past.itemPart
  const itemTax = roundTo(past.preciseTax + preciseTax, order.decimals) - past.itemTax
  if (orderAt !== '' && orderLevel > remaining - itemPart - taxLevel) {
    mistakes[orderAt] ??= tooMuch(remaining - itemPart - taxLevel)
  }
  if (remaining <= 0n) mistakes.items ??= 'The whole payment was refunded already.'
  if (Object.keys(mistakes).length > 0) return { mistakes }

  const extra = orderLevel + taxLevel
  const rounded = roundTo(precise, order.decimals) + extra
  const isPlain = extra === 0n && lines.every(({ isAdjusted }) => !isAdjusted)
  const moves = lines.map((line) => ({ component: line.component, by: line.by, amount: gross(line) }))
  const isClosing = isPlain && order.refunds.every((refund) => refund.isPlain) && isEverything(order, moves)
  const total = closed(order, { total: itemPart + extra, remaining, isClosing })
  const tax = smaller(itemTax + taxLevel, taxLeft)
  return {
    quote: {
      total,
      tax,
      orderLevel,
      rounding: rounded - (precise + extra),
      adjustment: total - rounded,
      precise,
      preciseTax,
      itemPart,
      itemTax,
      correction,
      isPlain,
      moves,
    },
  }
}

/**
 * Returns the tax that was charged too much: the tax that was not refunded, less the tax of the items that were not refunded
 * (docs/contract/refunds.md section 4). It is at least 0 and at most the remaining tax in whole minor units.
 */
export function overchargedTax(order: RefundableOrder): Units {
  const left = taxLeftOf(order)
  const recorded = sumOf(order.components.map(({ tax, size, done }) => share(tax, done, size - done, size)))
  const borne = recorded - sumOf(order.refunds.map(({ correction }) => correction))
  const payable = left - (left % minorUnit(order.decimals))
  return larger(0n, smaller(roundTo(left - borne, order.decimals), payable))
}

/** The amount received less the amount refunded. */
export const remainingOf = ({ captured, refunds }: RefundableOrder): Units =>
  captured - sumOf(refunds.map(({ total }) => total))

/** The tax of the order less the refunded tax. 0 if a change has left the order with less tax than was refunded. */
const taxLeftOf = ({ components, refunds }: RefundableOrder): Units =>
  larger(0n, sumOf(components.map(({ tax }) => tax)) - sumOf(refunds.map(({ tax }) => tax)))

/**
 * Limits a total to the remaining amount. The refund of the last items also returns the remainder of earlier roundings, at most a minor
 * unit for each component.
 */
function closed(
  { components, decimals }: RefundableOrder,
  { total, remaining, isClosing }: { total: Units; remaining: Units; isClosing: boolean },
): Units {
  if (total > remaining) return remaining
  if (total < 0n) return 0n
  const left = remaining - total
  const isRest = left > 0n && left <= minorUnit(decimals) * BigInt(components.length)
  return isClosing && isRest ? remaining : total
}

function isEverything({ components }: RefundableOrder, moves: Quote['moves']): boolean {
  const by = new Map(moves.map((move) => [move.component, move.by]))
  return components.every((component) => component.done + (by.get(component) ?? 0n) === component.size)
}

/** The exact amounts of an item. */
function lineOf({ decimals }: RefundableOrder, component: Component, item: RefundItem, check: ItemCheck): QuoteLine {
  const { at, mistakes } = check
  const { basis: whole, tax: wholeTax, size, done } = component
  const left = size - done
  const by = isAmountBound(component.type) ? amountIn(item, decimals, check) : quantityIn(item, check)
  const field = at(isAmountBound(component.type) ? 'amount' : 'quantity')
  if (by > left)
    mistakes[field] ??= isAmountBound(component.type) ? tooMuch(left) : `Only ${left} can still be refunded.`
  const before = share(whole, done, by, size)
  const taken = adjustmentIn(item, before, decimals, check)
  const basis = before + taken
  const taxBefore = share(wholeTax, done, by, size)
  const isAdjusted = taken !== 0n
  const tax = isAdjusted && before !== 0n ? ratio(taxBefore, basis, before) : taxBefore
  return { basis, tax, component, by, isAdjusted }
}

function quantityIn({ quantity = 0 }: RefundItem, { at, mistakes }: ItemCheck): bigint {
  if (Number.isSafeInteger(quantity) && quantity >= 1) return BigInt(quantity)
  mistakes[at('quantity')] = 'quantity must be a whole number of at least 1.'
  return 0n
}

function amountIn({ amount = 0 }: RefundItem, decimals: number, { at, mistakes }: ItemCheck): Units {
  if (amount > 0 && isPayable(amount, decimals)) return unitsOf(amount)
  mistakes[at('amount')] = `amount must be more than 0, with at most ${decimals} decimals.`
  return 0n
}

/** The sum of the adjustments of an item: 0 or less. */
function adjustmentIn(
  { adjustments = [] }: RefundItem,
  basis: Units,
  decimals: number,
  { at, mistakes }: ItemCheck,
): Units {
  for (const [j, { amount }] of adjustments.entries()) {
    if (amount < 0 && isPayable(-amount, decimals)) continue
    mistakes[at(`adjustments.${j}.amount`)] = `amount must be less than 0, with at most ${decimals} decimals.`
    return 0n
  }
  const sum = sumOf(adjustments.map(({ amount }) => unitsOf(amount)))
  if (-sum > basis) mistakes[at('adjustments')] ??= 'The adjustments are greater than the amount of the item.'
  return sum
}

/** Whether an amount has no more decimals than its currency and is an exact number. */
export const isPayable = (amount: number, decimals: number): boolean =>
  amount <= AMOUNT_MAX && unitsOf(amount) % minorUnit(decimals) === 0n && amountOf(unitsOf(amount)) === amount

function sumsOf(refunds: readonly PastRefund[]) {
  return {
    precise: sumOf(refunds.map(({ precise }) => precise)),
    preciseTax: sumOf(refunds.map(({ preciseTax }) => preciseTax)),
    itemPart: sumOf(refunds.map(({ itemPart }) => itemPart)),
    itemTax: sumOf(refunds.map(({ itemTax }) => itemTax)),
  }
}

const keyOf = (type: ItemType, id: number) => `${type} ${id}`

const tooMuch = (left: Units, suffix = '') =>
  `Refund amount is greater than the remaining amount${suffix === '' ? '' : ` ${suffix}`}: ${amountOf(left < 0n ? 0n : left)}.`
