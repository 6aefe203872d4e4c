import { minorUnit, smaller, sumOf, type Units } from '../../../../core/money/units.ts'
import { type CartLine, type EvaluatedCart, type Good, goodKey, type PromotionSettings } from '../cart.ts'
import type { CompiledDiscount } from '../compile.ts'
import { type MatchedLine, toMatchedLine } from '../matchers.ts'

// The state of a cart while promotions are applied to it. Units of a line with the same amount left are one run, so that a line of a
// million units costs as much as a line of one.

/** Units of one line with the same amount left. */
export interface Run {
  count: number
  left: Units
}

/** The source of a discount: a promotion, and the code that a coupon promotion was applied with. */
export interface Source {
  promotion_id: number
  code: string | undefined
}

interface LineDiscount extends Source {
  amount: Units
}

export interface LedgerLine {
  position: number
  line: CartLine
  matched: MatchedLine
  /** Before all discounts. */
  total: Units
  /** After the discounts of items. */
  left: Units
  /** The most left first. */
  runs: Run[]
  /** Whether it counts for conditions with items, and whether its units can be discounted. */
  counts: boolean
  isInPool: boolean
  discounts: LineDiscount[]
}

/** An amount off the order, which is calculated when all items have their discounts. */
export interface PendingAmount extends Source {
  discount: CompiledDiscount
  maximum: Units | undefined
  rounds: number
}

/** Units that a promotion adds to the cart, each with a discount of its whole price. */
export interface Gift extends Source {
  good: Good
  quantity: number
  price: Units
}

export interface ShippingOffer extends Source {
  zones: '*' | readonly number[]
}

export class Ledger {
  /** The smallest amount of the currency. */
  readonly step: Units
  /** Whether percentages, order and spend are those of the price before discounts. */
  readonly isOriginal: boolean
  readonly lines: readonly LedgerLine[]
  /** Catalog and custom lines: those that amounts off the order are divided among. */
  readonly orderLines: readonly LedgerLine[]
  readonly pending: PendingAmount[] = []
  readonly gifts: Gift[] = []
  readonly offers: ShippingOffer[] = []
  readonly #manual: Units
  readonly #spendLines: readonly LedgerLine[]
  #originalSpend: Units | undefined
  readonly #stock: ReadonlyMap<string, { price: Units; available: number }>

  constructor(cart: EvaluatedCart) {
    const { settings, shopper, goods } = cart
    this.step = minorUnit(shopper.currency.decimals)
    this.isOriginal = settings.promotions_applied_on_original_product_price
    this.lines = cart.lines.map((line, position) => toLedgerLine(line, position, settings))
    this.orderLines = this.lines.filter(({ line }) => line.kind !== 'certificate' && !line.isAddedByPromotion)
    this.#manual = cart.manualDiscount ?? 0n
    this.#spendLines = this.orderLines.filter(({ counts, line }) => counts || line.kind === 'custom')
    this.#stock = new Map([...goods].map(([key, good]) => [key, { ...good }]))
  }

  /** The amount of a line or unit that percentages, order and spend depend on. */
  base(original: Units, left: Units): Units {
    return this.isOriginal ? original : left
  }

  /** Catalog and custom lines, after the discounts of items. */
  get orderLeft(): Units {
    return this.orderLines.reduce((sum, { left }) => sum + left, 0n)
  }

  /** The amount that is taken off the order by hand. It depends on the discounts of items. */
  get manual(): Units {
    return smaller(this.#manual, this.orderLeft)
  }

  /** The spend on all lines that count: custom lines do, without items. */
  get spend(): Units {
    if (!this.isOriginal) return sumOf(this.#spendLines.map(({ left }) => left))
    this.#originalSpend ??= sumOf(this.#spendLines.map(({ total }) => total))
    return this.#originalSpend
  }

  /** Units of a good that can be added, with its price. */
  stockOf(good: Good): { price: Units; available: number } | undefined {
    return this.#stock.get(goodKey(good))
  }

  /** Adds units of a good that is in stock. */
  give(source: Source, good: Good, quantity: number) {
    const stock = this.stockOf(good)
    if (!stock) return
    stock.available -= quantity
    const last = this.gifts.at(-1)
    const isSame = last?.promotion_id === source.promotion_id && goodKey(last.good) === goodKey(good)
    if (last && isSame) last.quantity += quantity
    else this.gifts.push({ ...source, good, quantity, price: stock.price })
  }

  /** Takes money off units of a line. @returns the amount */
  discount(line: LedgerLine, run: Run, count: number, each: Units): Units {
    if (count === run.count) run.left -= each
    else {
      run.count -= count
      line.runs.push({ count, left: run.left - each })
    }
    const amount = each * BigInt(count)
    line.left -= amount
    return amount
  }

  /** Records the discount of a line, and puts its runs in order again. */
  record(line: LedgerLine, source: Source, amount: Units) {
    line.runs = merged(line.runs)
    if (amount === 0n) return
    const last = line.discounts.at(-1)
    if (last?.promotion_id === source.promotion_id) last.amount += amount
    else line.discounts.push({ ...source, amount })
  }
}

function toLedgerLine(line: CartLine, position: number, settings: PromotionSettings): LedgerLine {
  const {
    promotions_apply_on_products_with_custom_product_price: withOverridden,
    promotions_triggered_by_products_with_zero_product_price: withFree,
  } = settings
  const isOpen = line.kind === 'catalog' && !line.isAddedByPromotion && (withOverridden || !line.isPriceOverridden)
  const total = line.price * BigInt(line.quantity)
  const left = total - smaller(line.manualDiscount ?? 0n, total)
  return {
    position,
    line,
    matched: toMatchedLine(line),
    total,
    left,
    runs: runsOf(left, line.quantity),
    counts: isOpen && (withFree || line.price > 0n),
    isInPool: isOpen && line.price > 0n,
    discounts: [],
  }
}

/** The units of a line, with equal amounts left as far as whole units of money can be. */
function runsOf(left: Units, quantity: number): Run[] {
  const [each, rest] = [left / BigInt(quantity), Number(left % BigInt(quantity))]
  const plain = { count: quantity - rest, left: each }
  return rest === 0 ? [plain] : [{ count: rest, left: each + 1n }, plain]
}

/** Runs with the same amount left become one; the most left first. */
function merged(runs: Run[]): Run[] {
  if (runs.length < 2) return runs
  const sorted = runs.sort((one, other) => compareUnits(other.left, one.left))
  const found: Run[] = []
  for (const run of sorted) {
    const last = found.at(-1)
    if (last?.left === run.left) last.count += run.count
    else found.push(run)
  }
  return found
}

export const compareUnits = (one: Units, other: Units): number => {
  if (one === other) return 0
  return one < other ? -1 : 1
}
