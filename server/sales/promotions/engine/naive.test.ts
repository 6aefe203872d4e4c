import { describe, expect, test } from 'vitest'
import { sumOf } from '../../../core/money/units.ts'
import { sized } from '../../../test/document/sized.ts'
import { run } from '../../../test/promotions/carts.ts'
import { calculate, type NaiveResult } from '../../../test/promotions/naive.ts'
import { randomCase } from '../../../test/promotions/random.ts'
import { goodKey } from './cart.ts'

// A second calculator, which moves single units and shares no code with the engine: random carts cost the same by both.

const CARTS = sized(1_000_000, 10_000)
/** Random carts whose properties are checked. */
const PROPERTIES = sized(20_000, 1_000)

type Result = ReturnType<typeof run>

const add = (amounts: Record<string, number>, key: string | number, amount: bigint | number) => {
  if (Number(amount) > 0) amounts[key] = (amounts[key] ?? 0) + Number(amount)
}

/** The result of the engine in the form of the other calculator. Discounts of items by coupons are in `codes`. */
function summary({ lines, order, codes, shipping, gifts, freeShipping, promotions }: Result): NaiveResult {
  const found: NaiveResult = {
    items: {},
    left: lines.map(({ left }) => Number(left)),
    order: {},
    codes: {},
    shipping: Number(sumOf(shipping.map(({ amount }) => amount))),
    gifts: {},
    offers: freeShipping.map(({ promotion_id }) => promotion_id),
    applied: promotions
      .filter(({ reason }) => reason === undefined)
      .map(({ promotion_id }) => promotion_id)
      .sort((one, other) => one - other),
  }
  for (const [i, line] of lines.entries()) {
    for (const { promotion_id, amount } of line.promotions) add(found.items, `${i} ${promotion_id} `, amount)
  }
  for (const { promotion_id, amount } of order) add(found.order, promotion_id, amount)
  for (const { code, amount } of codes) add(found.codes, code, amount)
  for (const { promotion_id, good, quantity } of gifts) add(found.gifts, `${promotion_id} ${goodKey(good)}`, quantity)
  return found
}

const byAutomatic = (items: Record<string, number>) =>
  Object.fromEntries(Object.entries(items).filter(([key]) => key.endsWith(' ')))

test('C-134: random carts have the same discounts by the engine and by moving single units', () => {
  for (let seed = 1; seed <= CARTS; seed++) {
    const { promotions, cart, coupons } = randomCase(seed)
    const naive = calculate(promotions, cart, coupons)
    expect({ seed, ...summary(run(promotions, cart)) }).toEqual({ seed, ...naive, items: byAutomatic(naive.items) })
  }
}, 7_200_000)

describe('random carts', () => {
  const cases = Array.from({ length: PROPERTIES }, (_, i) => ({ seed: -1 - i, ...randomCase(-1 - i) }))

  test('never have less than nothing left, and their parts add up', () => {
    for (const { seed, promotions, cart } of cases) {
      const { lines, order, codes, shipping } = run(promotions, cart)
      const parts = lines.map(({ promotions: ofItems, orderShare, coupons, left }) =>
        sumOf([...ofItems.map(({ amount }) => amount), orderShare, ...coupons.map(({ amount }) => amount), left]),
      )
      expect({ seed, parts }).toEqual({
        seed,
        parts: cart.lines.map(({ price, quantity }) => price * BigInt(quantity)),
      })
      const amounts = lines.flatMap(({ promotions: ofItems, orderShare, coupons, left }) => [
        left,
        orderShare,
        ...[...ofItems, ...coupons].map(({ amount }) => amount),
      ])
      expect({ seed, negative: amounts.filter((amount) => amount < 0n) }).toEqual({ seed, negative: [] })
      expect(sumOf(lines.map(({ orderShare }) => orderShare))).toBe(sumOf(order.map(({ amount }) => amount)))
      const ofCodes = [...lines.flatMap(({ coupons }) => coupons), ...shipping]
      expect(sumOf(ofCodes.map(({ amount }) => amount))).toBe(sumOf(codes.map(({ amount }) => amount)))
      for (const { id, cost } of cart.consignments) {
        const off = sumOf(shipping.filter(({ consignment_id }) => consignment_id === id).map(({ amount }) => amount))
        expect(off <= cost).toBe(true)
      }
    }
  })

  test('have the same result twice', () => {
    for (const { promotions, cart } of cases.slice(0, 200)) expect(run(promotions, cart)).toEqual(run(promotions, cart))
  })

  // Equal prices are settled by the order of the lines, and shares of lines are rounded in their order.
  test('have the same totals in another order of their lines', () => {
    for (const { seed, promotions, cart } of cases) {
      const settings = { ...cart.settings, promotions_applied_on_original_product_price: true }
      const lines = cart.lines.map((line, i) => ({
        ...line,
        price: line.price > 0n ? line.price * 100n + BigInt(i) : 0n,
      }))
      const codes = cart.codes.filter(({ of }) => typeof of === 'number')
      const totals = (ordered: typeof lines) => {
        const { lines: found, uses } = run(promotions, { ...cart, settings, codes, lines: ordered })
        return { seed, left: sumOf(found.map(({ left }) => left)), uses }
      }
      expect(totals(lines.toReversed())).toEqual(totals(lines))
    }
  })

  test("have one promotion only, if it can't be used with others", () => {
    let exclusive = 0
    for (const { promotions, cart } of cases) {
      const { uses } = run(promotions, cart)
      const isAlone = promotions.some(
        ({ id, can_be_used_with_other_promotions }) =>
          !can_be_used_with_other_promotions && uses.promotions.includes(id),
      )
      if (!isAlone) continue
      exclusive++
      expect(uses.promotions).toHaveLength(1)
      expect(uses.codes.length).toBeLessThan(2)
    }
    expect(exclusive).toBeGreaterThan(20)
  })
})
