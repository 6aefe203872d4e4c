import Big from 'big.js'

// Discounts, taxes and totals of a cart as somebody would work them out on paper, with decimals in place of whole numbers. It shares no
// code with the server.

Big.DP = 40
const HALF_UP = Big.roundHalfUp
const ZERO = new Big(0)

export interface NaiveRate {
  percent: number
  priority: number
}

interface NaiveLine {
  price: number
  quantity: number
  /** The discount by hand. */
  manual: number
  /** Of all units. */
  wrapping: number
  /** Units by the position of the consignment; the others have no consignment. */
  units: readonly number[]
}

export interface NaiveCart {
  isInclusive: boolean
  subtractsStoreTax: boolean
  roundsRates: boolean
  decimals: number
  /** By country; `'*'` for the zone of the store and of all other countries. */
  rates: Readonly<Record<string, readonly NaiveRate[]>>
  lines: readonly NaiveLine[]
  /** Off the order, by hand. */
  order: number
  /** A coupon for the order in percent, which takes it off the amount that is left. */
  coupon: number
  certificates: readonly number[]
  consignments: readonly { country: string; cost: number; handling: number }[]
  fees: readonly number[]
}

/** Amounts with four decimals. */
export interface NaiveTotals {
  left: string[]
  base: string
  subtotal: [ex: string, inc: string]
  cart: [ex: string, inc: string]
  shipping: [ex: string, inc: string]
  handling: [ex: string, inc: string]
  wrapping: [ex: string, inc: string]
  tax: string
  grand: string
}

interface Pair {
  ex: Big
  inc: Big
}

const add = (amounts: readonly Big[]): Big => amounts.reduce((sum, amount) => sum.plus(amount), ZERO)
const lesser = (one: Big, other: Big): Big => (one.lt(other) ? one : other)

/** Divides an amount by weights, so that the rounded parts add up to it. */
function parts(amount: Big, weights: readonly Big[]): Big[] {
  const whole = add(weights)
  if (whole.eq(0)) return weights.map(() => ZERO)
  return weights.map((_, i) => {
    const until = (end: number) =>
      amount
        .times(add(weights.slice(0, end)))
        .div(whole)
        .round(4, HALF_UP)
    return until(i + 1).minus(until(i))
  })
}

export function totalsOnPaper(cart: NaiveCart): NaiveTotals {
  const { lines, decimals, consignments } = cart
  const totals = lines.map(({ price, quantity }) => new Big(price).times(quantity))
  const sales = lines.map(({ manual }, i) => (totals[i] ?? ZERO).minus(lesser(new Big(manual), totals[i] ?? ZERO)))
  const order = lesser(new Big(cart.order), add(sales))
  const shares = parts(order, sales)
  const rest = sales.map((sale, i) => sale.minus(shares[i] ?? ZERO))
  const coupon = add(rest).times(cart.coupon).div(100).round(decimals, HALF_UP)
  const byCoupon = parts(lesser(coupon, add(rest)), rest)
  const left = rest.map((amount, i) => amount.minus(byCoupon[i] ?? ZERO))

  const elsewhere = consignments[0]?.country ?? '*'
  const countries = [...consignments.map(({ country }) => country), elsewhere]
  const taxed = (amounts: readonly Big[]): Pair =>
    addPairs(
      lines.flatMap(({ quantity, units }, i) => {
        const weights = [...units, quantity - units.reduce((sum, one) => sum + one, 0)].map((one) => new Big(one))
        return parts(amounts[i] ?? ZERO, weights).map((amount, place) =>
          taxOnPaper(cart, amount, countries[place] ?? '*'),
        )
      }),
    )
  const round = ({ ex, inc }: Pair): Pair => ({ ex: ex.round(decimals, HALF_UP), inc: inc.round(decimals, HALF_UP) })
  const certificates = add(cart.certificates.map((amount) => new Big(amount)))
  const ofLines = round(taxed(left))
  const shipping = consignments.map(({ cost, country }) => round(taxOnPaper(cart, new Big(cost), country)))
  const handling = consignments.map(({ handling: cost, country }) => round(taxOnPaper(cart, new Big(cost), country)))
  const wrapping = round(taxed(lines.map(({ wrapping: amount }) => new Big(amount))))
  const fees = cart.fees.map((cost) => round(taxOnPaper(cart, new Big(cost), elsewhere)))
  const paid = addPairs([ofLines, ...shipping, ...handling, wrapping, ...fees])
  const both = ({ ex, inc }: Pair): [string, string] => [ex.toFixed(4), inc.toFixed(4)]
  const withCertificates = ({ ex, inc }: Pair): Pair => ({ ex: ex.plus(certificates), inc: inc.plus(certificates) })
  return {
    left: left.map((amount) => amount.toFixed(4)),
    base: add(totals).plus(certificates).round(decimals, HALF_UP).toFixed(4),
    subtotal: both(withCertificates(round(taxed(sales)))),
    cart: both(withCertificates(ofLines)),
    shipping: both(addPairs(shipping)),
    handling: both(addPairs(handling)),
    wrapping: both(wrapping),
    tax: paid.inc.minus(paid.ex).toFixed(4),
    grand: paid.inc.plus(certificates).toFixed(4),
  }
}

const addPairs = (pairs: readonly Pair[]): Pair => ({
  ex: add(pairs.map(({ ex }) => ex)),
  inc: add(pairs.map(({ inc }) => inc)),
})

function taxOnPaper(cart: NaiveCart, amount: Big, country: string): Pair {
  const { isInclusive, subtractsStoreTax, rates } = cart
  const own = rates['*'] ?? []
  const there = rates[country] ?? own
  const isAway = country in rates && country !== '*'
  if (isInclusive && !(subtractsStoreTax && isAway)) {
    const tax = taxes(cart, amount.div(factor(there)), there)
    return { ex: amount.minus(tax), inc: amount }
  }
  const net = isInclusive ? amount.div(factor(own)).round(4, HALF_UP) : amount
  return { ex: net, inc: net.plus(taxes(cart, net, there)) }
}

/** The tax of a base. A rate also taxes the taxes of lower priorities. */
function taxes({ roundsRates, decimals }: NaiveCart, base: Big, rates: readonly NaiveRate[]): Big {
  const found: { priority: number; amount: Big }[] = []
  for (const { percent, priority } of rates) {
    const lower = found.filter((one) => one.priority < priority)
    const taxable = base.plus(add(lower.map(({ amount }) => amount)))
    found.push({
      priority,
      amount: taxable
        .times(percent)
        .div(100)
        .round(roundsRates ? decimals : 8, HALF_UP),
    })
  }
  return add(found.map(({ amount }) => amount))
}

/** An amount with tax is this many times the one without. */
function factor(rates: readonly NaiveRate[]): Big {
  const byPriority = Map.groupBy(rates, ({ priority }) => priority)
  return [...byPriority.values()].reduce(
    (whole, group) => whole.times(add(group.map(({ percent }) => new Big(percent).div(100))).plus(1)),
    new Big(1),
  )
}
