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
import type { Mistakes } from '../../../core/rest/input/mistakes.ts'

/** What of an order can be given back by itself. */
export type ComponentType = 'PRODUCT' | 'GIFT_WRAPPING' | 'SHIPPING' | 'HANDLING' | 'FEE'
type ItemType = ComponentType | 'ORDER' | 'TAX'

/** A part of an order, with what of it was given back already. */
export interface Component {
  type: ComponentType
  /** Of the order product, order address, pickup consignment or fee. */
  id: number
  /** What was paid for it, after discounts: without tax, or with it where prices include it. */
  basis: Units
  tax: Units
  /** How many there are: units of a product, or the basis itself where amounts are given back. */
  size: bigint
  /** How much of the size was given back. */
  done: bigint
}

/** What earlier refunds of an order have recorded. Declined ones don't count. */
export interface PastRefund {
  total: Units
  tax: Units
  /** The exact sum of its items, their exact tax, and what both were rounded to; 0 where its amounts were not calculated here. */
  precise: Units
  preciseTax: Units
  itemPart: Units
  itemTax: Units
  /** Whether it was nothing but whole items: no amount of the order, of tax, no adjustment and no amounts from outside. */
  isPlain: boolean
}

/** An order as far as a refund looks at it. */
export interface RefundableOrder {
  id: number
  decimals: number
  isInclusive: boolean
  /** What was received. */
  captured: Units
  components: readonly Component[]
  refunds: readonly PastRefund[]
}

/** An entry of a request (docs/contract/refunds.md section 1). */
export interface RefundItem {
  item_type: ItemType
  item_id: number
  quantity?: number
  amount?: number
  adjustments?: readonly { amount: number }[]
}

/** What would be given back. */
export interface Quote extends PastRefund {
  orderLevel: Units
  /** What brings the exact sum to the decimals of the currency. */
  rounding: Units
  /** What more or less is given back than the items come to. */
  adjustment: Units
  /** How much of each component, and what it comes to with its tax, in the order of the request. */
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
 * What giving items back comes to (docs/contract/refunds.md section 2). Pure: the same order and items always give the same quote.
 * @returns the quote, or all that is wrong with the items by their places
 */
export function quoteRefund(order: RefundableOrder, items: readonly RefundItem[]): QuoteOutcome {
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
    if (seen.has(key)) mistakes[at('item_id')] = 'Another item is about the same thing.'
    seen.add(key)
    if (item.adjustments !== undefined && isAmountBound(item.item_type)) {
      mistakes[at('adjustments')] = `An item of the type ${item.item_type} has no adjustments.`
    }
    if (item.item_type === 'ORDER' || item.item_type === 'TAX') {
      const amount = amountIn(item, order.decimals, at, mistakes)
      if (item.item_id !== order.id) mistakes[at('item_id')] = `Of this type it must be the order itself: ${order.id}.`
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
    else lines.push(lineOf(order, component, item, at, mistakes))
  }

  const past = sumsOf(order.refunds)
  const gross = ({ basis, tax }: QuoteLine) => (order.isInclusive ? basis : basis + tax)
  const precise = sumOf(lines.map(gross))
  const preciseTax = sumOf(lines.map(({ tax }) => tax))
  const itemPart = roundTo(past.precise + precise, order.decimals) - past.itemPart
  const itemTax = roundTo(past.preciseTax + preciseTax, order.decimals) - past.itemTax
  if (orderAt !== '' && orderLevel > remaining - itemPart - taxLevel) {
    mistakes[orderAt] ??= tooMuch(remaining - itemPart - taxLevel)
  }
  if (remaining <= 0n) mistakes.items ??= 'Everything that was paid has been given back.'
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
      isPlain,
      moves,
    },
  }
}

/**
 * What of tax was charged too much: tax not given back, without that of what is still sold, as far as it can be paid (docs/contract/refunds.md
 * section 4). Never less than none, nor more than the tax that is left.
 */
export function overchargedTax(order: RefundableOrder): Units {
  const left = taxLeftOf(order)
  const borne = sumOf(order.components.map(({ tax, size, done }) => share(tax, done, size - done, size)))
  const payable = left - (left % minorUnit(order.decimals))
  return larger(0n, smaller(roundTo(left - borne, order.decimals), payable))
}

/** What was received and not given back. */
export const remainingOf = ({ captured, refunds }: RefundableOrder): Units =>
  captured - sumOf(refunds.map(({ total }) => total))

/** The tax that the order has recorded and that was not given back: none where an order has less tax now than was given back of it. */
const taxLeftOf = ({ components, refunds }: RefundableOrder): Units =>
  larger(0n, sumOf(components.map(({ tax }) => tax)) - sumOf(refunds.map(({ tax }) => tax)))

/** Never more than remains; and with the last of everything what rounding has left over, at most a minor unit for each component. */
function closed(
  { components, decimals }: RefundableOrder,
  { total, remaining, isClosing }: { total: Units; remaining: Units; isClosing: boolean },
): Units {
  if (total > remaining) return remaining
  const left = remaining - total
  const isRest = left > 0n && left <= minorUnit(decimals) * BigInt(components.length)
  return isClosing && isRest ? remaining : total
}

function isEverything({ components }: RefundableOrder, moves: Quote['moves']): boolean {
  const by = new Map(moves.map((move) => [move.component, move.by]))
  return components.every((component) => component.done + (by.get(component) ?? 0n) === component.size)
}

/** What an item of a component comes to, without rounding to the currency. */
function lineOf(
  { decimals }: RefundableOrder,
  component: Component,
  item: RefundItem,
  at: (field: string) => string,
  mistakes: Mistakes,
): QuoteLine {
  const { basis: whole, tax: wholeTax, size, done } = component
  const left = size - done
  const by = isAmountBound(component.type) ? amountIn(item, decimals, at, mistakes) : quantityIn(item, at, mistakes)
  const field = at(isAmountBound(component.type) ? 'amount' : 'quantity')
  if (by > left)
    mistakes[field] ??= isAmountBound(component.type) ? tooMuch(left) : `Only ${left} can still be refunded.`
  const before = share(whole, done, by, size)
  const taken = adjustmentIn(item, before, decimals, at, mistakes)
  const basis = before + taken
  const taxBefore = share(wholeTax, done, by, size)
  const isAdjusted = taken !== 0n
  const tax = isAdjusted && before !== 0n ? ratio(taxBefore, basis, before) : taxBefore
  return { basis, tax, component, by, isAdjusted }
}

function quantityIn({ quantity = 0 }: RefundItem, at: (field: string) => string, mistakes: Mistakes): bigint {
  if (Number.isSafeInteger(quantity) && quantity >= 1) return BigInt(quantity)
  mistakes[at('quantity')] = 'quantity must be a whole number of at least 1.'
  return 0n
}

function amountIn(
  { amount = 0 }: RefundItem,
  decimals: number,
  at: (field: string) => string,
  mistakes: Mistakes,
): Units {
  if (amount > 0 && isPayable(amount, decimals)) return unitsOf(amount)
  mistakes[at('amount')] = `amount must be more than 0, with at most ${decimals} decimals.`
  return 0n
}

/** What is kept back of an item: 0 or less. */
function adjustmentIn(
  { adjustments = [] }: RefundItem,
  basis: Units,
  decimals: number,
  at: (field: string) => string,
  mistakes: Mistakes,
): Units {
  for (const [j, { amount }] of adjustments.entries()) {
    if (amount < 0 && isPayable(-amount, decimals)) continue
    mistakes[at(`adjustments.${j}.amount`)] = `amount must be less than 0, with at most ${decimals} decimals.`
    return 0n
  }
  const sum = sumOf(adjustments.map(({ amount }) => unitsOf(amount)))
  if (-sum > basis) mistakes[at('adjustments')] ??= 'More is kept back than the item comes to.'
  return sum
}

/** Whether an amount has no more decimals than its currency, and no more digits than a number holds. */
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

const tooMuch = (left: Units, what = '') =>
  `Refund amount is greater than the remaining amount${what === '' ? '' : ` ${what}`}: ${amountOf(left < 0n ? 0n : left)}.`
