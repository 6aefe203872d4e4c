import { couponPromotion, offOrder, rule } from '../promotions/carts.ts'
import { Dice } from '../promotions/random.ts'
import { certificate, consignment, evaluatedCart, line, option, rate, uuid } from './facts.ts'
import type { NaiveCart, NaiveRate } from './naive.ts'

// Random carts. A seed always makes the same one.

export function randomCart(seed: number): NaiveCart {
  const dice = new Dice(seed)
  const decimals = dice.pick(2, 2, 0, 3)
  const amount = (most: number) => Number((dice.next() * most).toFixed(decimals))
  const rates = (): NaiveRate[] =>
    dice
      .list(dice.whole(0, 3), () => ({
        percent: dice.pick(5, 8.25, 9.975, 20, 0.125),
        priority: dice.whole(1, 2),
      }))
      .sort((one, other) => one.priority - other.priority)
  const consignments = dice.list(dice.whole(0, 3), () => ({
    country: dice.pick('FR', 'DE', 'US'),
    cost: dice.isLikely(0.7) ? amount(20) : 0,
    handling: dice.isLikely(0.3) ? amount(3) : 0,
  }))
  const lines = dice.list(dice.whole(1, 6), () => {
    const quantity = dice.whole(1, 7)
    let free = quantity
    const units = consignments.map(() => {
      const taken = dice.whole(0, free)
      free -= taken
      return taken
    })
    return {
      price: dice.isLikely(0.3) ? Number((dice.next() * 9).toFixed(4)) : amount(90),
      quantity,
      manual: dice.isLikely(0.3) ? amount(60) : 0,
      wrapping: dice.isLikely(0.2) ? quantity * dice.whole(1, 5) : 0,
      units,
    }
  })
  return {
    isInclusive: dice.isLikely(0.5),
    subtractsStoreTax: dice.isLikely(0.5),
    roundsRates: dice.isLikely(0.6),
    decimals,
    rates: { '*': rates(), FR: rates(), DE: rates() },
    lines,
    order: dice.isLikely(0.5) ? amount(80) : 0,
    coupon: dice.isLikely(0.4) ? dice.pick(5, 10, 33.33) : 0,
    certificates: dice.list(dice.small(0, 2), () => amount(50)),
    consignments,
    fees: dice.list(dice.small(0, 2), () => amount(9)),
  }
}

/** The same cart, evaluated by the server. */
export function checkoutOfRandom(cart: NaiveCart): ReturnType<typeof evaluatedCart> {
  const { lines, consignments, rates, coupon } = cart
  const toRates = (of: readonly NaiveRate[] = []) =>
    of.map(({ percent, priority }, i) => rate(percent, { id: i + 1, name: `Rate ${i}`, priority }))
  return evaluatedCart(
    {
      prices: Object.fromEntries(lines.map(({ price }, i) => [i + 1, price])),
      rates: Object.fromEntries(Object.entries(rates).map(([country, of]) => [country, toRates(of)])),
      settings: {
        tax_entered_with_prices: cart.isInclusive,
        should_subtract_store_tax: cart.subtractsStoreTax,
        rounding_strategy: cart.roundsRates ? 'RATE_ROUNDING' : 'NO_ROUNDING',
      },
      currency: { decimals: cart.decimals, rate: 1n, one: 1n },
      isOnRest: true,
      promotions: coupon > 0 ? [couponPromotion(1, [rule(offOrder({ percent: coupon }))])] : [],
      codes: [{ code: 'CODE', of: 1, isUsedUp: false }],
    },
    {
      lines: lines.map(({ quantity, price, wrapping }, i) =>
        line(i + 1, quantity, {
          list_price: price,
          wrapping:
            wrapping > 0
              ? { together: true, details: [{ id: 1, name: 'Paper', price: wrapping / quantity, message: '' }] }
              : null,
        }),
      ),
      codes: coupon > 0 ? ['CODE'] : [],
      manual: {
        lines: lines.map(({ manual }, i) => ({ id: uuid(i + 1), amount: manual })),
        order: cart.order,
      },
      certificates: cart.certificates.map((amount, i) => certificate(100 + i, amount)),
      consignments: consignments.map(({ country, cost, handling }, i) =>
        consignment(
          i,
          country,
          lines.flatMap(({ units }, n) => ((units[i] ?? 0) > 0 ? [[n + 1, units[i] ?? 0] as const] : [])),
          option(cost, handling),
        ),
      ),
      fees: cart.fees.map((cost, i) => ({
        id: uuid(200 + i),
        name: 'fee',
        display_name: 'Fee',
        source: 'test',
        cost,
        tax_class_id: null,
      })),
    },
  )
}
