import { expect, test } from 'vitest'
import { sumOf, textOf, type Units } from '../../../core/money/units.ts'
import { type NaiveCart, type NaiveTotals, totalsOnPaper } from '../../../test/carts/naive.ts'
import { checkoutOfRandom, randomCart } from '../../../test/carts/random.ts'
import { sized } from '../../../test/document/sized.ts'
import type { CartResult, Taxed } from './result.ts'

// A second calculator, which shares no code with the evaluation: random carts cost the same by both (docs/contract/carts.md section 6).

const CARTS = sized(1_000_000, 10_000)

const evaluated = (cart: NaiveCart): CartResult => checkoutOfRandom(cart).result

const both = ({ ex, inc }: Taxed): [string, string] => [textOf(ex), textOf(inc)]

const summary = (result: CartResult): NaiveTotals => ({
  left: result.lines.map(({ left }) => textOf(left)),
  base: textOf(result.base),
  subtotal: both(result.subtotal),
  cart: both(result.cart),
  shipping: both(result.shipping),
  handling: both(result.handling),
  wrapping: both(result.wrapping),
  tax: textOf(result.taxTotal),
  grand: textOf(result.grandTotal),
})

const partsOf = ({ lines }: CartResult): Units[] => lines.map(({ parts }) => sumOf(parts.map(({ amount }) => amount)))

test('random carts cost the same by the evaluation and on paper', () => {
  for (let seed = 1; seed <= CARTS; seed++) {
    const cart = randomCart(seed)
    expect({ seed, ...summary(evaluated(cart)) }).toEqual({ seed, ...totalsOnPaper(cart) })
  }
}, 7_200_000)

test('the parts of random carts add up, and no amount is below nothing', () => {
  for (let seed = -1; seed >= -CARTS / 10; seed--) {
    const result = evaluated(randomCart(seed))
    const discounts = result.lines.flatMap(({ promotions, coupons, manual, orderShare }) => [
      manual,
      orderShare,
      ...[...promotions, ...coupons].map(({ amount }) => amount),
    ])
    const left = sumOf(result.lines.map((one) => one.left))
    expect(sumOf(result.lines.map(({ total }) => total)) - sumOf(discounts), `seed ${seed}`).toBe(left)
    expect(partsOf(result)).toEqual(result.lines.map((one) => one.left))
    expect(result.lines.every((one) => one.left >= 0n)).toBe(true)
    expect(sumOf(result.taxes.map(({ amount }) => amount))).toBe(result.taxTotal)
    const others = [...result.consignments.flatMap(({ paid, handling }) => [paid, handling]), ...result.fees]
    const parts = sumOf([result.cart, result.wrapping, ...others].map(({ inc }) => inc))
    expect(result.grandTotal).toBe(parts)
  }
})
