import { beforeAll, expect, test } from 'vitest'
import { amountOf, minorUnit, share, sumOf, textOf, type Units, unitsOf } from '../../../core/money/units.ts'
import { currencyPair } from '../../../shop/channels/currencies/shape.ts'
import { checkoutOfRandom, randomCart } from '../../../test/carts/random.ts'
import { sold } from '../../../test/carts/sold.ts'
import { sized } from '../../../test/document/sized.ts'
import { openShop } from '../../../test/fixtures/shop.ts'
import { dbOf } from '../../../test/fixtures/webhooks.ts'
import { Dice } from '../../../test/promotions/random.ts'
import { quoteRefund, type RefundableOrder, type RefundItem, remainingOf } from '../arithmetic/refund-quote.ts'
import { refundableComponents } from '../refunds/refundable.ts'
import type { OrderRow } from '../row/rows.ts'
import { blankOrder } from '../writing/create.ts'
import { rowsOfDraft } from '../writing/store.ts'
import { draftOfCheckout } from './draft.ts'

// Orders of random checkouts (docs/contract/orders.md section 10): they have the amounts of the checkout, their parts and taxes add up to
// them, and all of their parts can be refunded, in any order, until exactly nothing is left (docs/contract/refunds.md section 6).

const CARTS = sized(100_000, 1_000)

let blank: OrderRow
beforeAll(async () => {
  const db = await dbOf(await openShop())
  blank = await db.transaction(async (tx) => ({
    ...blankOrder(tx, await currencyPair(tx, 'USD'), { shipping: 0, handling: 0, wrapping: 0 }),
    order_source: 'checkout_api',
    is_tax_inclusive_pricing: false,
  }))
})

/** The rows of the order of a random checkout. */
function orderOf(seed: number) {
  const checkout = checkoutOfRandom(randomCart(seed))
  const { result } = checkout
  const inCurrency = { ...blank, currency_decimals: result.decimals, is_tax_inclusive_pricing: result.isInclusive }
  const products = new Map(result.lines.map(({ product_id }) => [product_id, sold(product_id)]))
  const mistakes = {}
  const draft = draftOfCheckout(
    checkout,
    { blank: inCurrency, sold: products, pickup: undefined, fields: [] },
    mistakes,
  )
  if (Object.keys(mistakes).length > 0) throw new Error(`Seed ${seed}: ${JSON.stringify(mistakes)}`)
  let last = 0
  const { order, lines, addresses, fees, taxes } = rowsOfDraft(draft, () => ++last)
  return { result, row: order, parts: { lines, addresses, fees, pickups: [] }, taxes }
}

const sum = (amounts: readonly number[]): Units => sumOf(amounts.map(unitsOf))

test('orders have the amounts of their checkouts, and their taxes add up', () => {
  const faults: object[] = []
  for (let seed = 1; seed <= CARTS; seed++) {
    const { result, row, parts, taxes } = orderOf(seed)
    const components = refundableComponents(row, parts, [])
    const paid = sumOf(components.map(({ basis, tax }) => (result.isInclusive ? basis : basis + tax)))
    const tax = unitsOf(row.total_inc_tax) - unitsOf(row.total_ex_tax)
    const found = [
      unitsOf(row.total_inc_tax) - result.grandTotal,
      tax - result.taxTotal,
      sum(taxes.map(({ line_amount }) => line_amount)) - result.taxTotal,
      sumOf(components.map((component) => component.tax)) - result.taxTotal,
    ]
    const isPaid = abs(paid - unitsOf(row.total_inc_tax)) < minorUnit(result.decimals)
    if (!isPaid || found.some((gap) => gap !== 0n)) faults.push({ seed, found, paid })
  }
  expect(faults).toEqual([])
}, 3_600_000)

const abs = (amount: Units): Units => (amount < 0n ? -amount : amount)

test('all parts of an order can be refunded, and nothing is left of its money and its tax', () => {
  const faults: object[] = []
  for (let seed = -1; seed >= -CARTS; seed--) {
    const { result, row, parts } = orderOf(seed)
    const dice = new Dice(seed)
    const { decimals, isInclusive } = result
    let order: RefundableOrder = {
      id: row.id,
      decimals,
      isInclusive,
      captured: result.grandTotal,
      components: refundableComponents(row, parts, []),
      refunds: [],
    }
    for (let round = 0; remainingOf(order) > 0n; round++) {
      const open = order.components.filter(({ done, size }) => done < size)
      if (open.length === 0)
        throw new Error(`Seed ${seed}: ${textOf(remainingOf(order))} of the money can't be refunded.`)
      const wanted = round > 20 ? open : open.filter(() => dice.isLikely(0.4))
      if (wanted.length === 0) continue
      const items = wanted.map(({ type, id, size, done }): RefundItem => {
        const left = size - done
        if (type === 'PRODUCT' || type === 'GIFT_WRAPPING') {
          return { item_type: type, item_id: id, quantity: round > 20 ? Number(left) : dice.whole(1, Number(left)) }
        }
        const units = left / minorUnit(decimals)
        const part = round > 20 || units === 0n ? left : BigInt(dice.whole(1, Number(units))) * minorUnit(decimals)
        return { item_type: type, item_id: id, amount: amountOf(part) }
      })
      const outcome = quoteRefund(order, items)
      if ('mistakes' in outcome) throw new Error(`Seed ${seed}: ${JSON.stringify(outcome.mistakes)}`)
      const { quote } = outcome
      order = {
        ...order,
        refunds: [...order.refunds, quote],
        components: order.components.map((component) => ({
          ...component,
          done: component.done + sumOf(quote.moves.filter((move) => move.component === component).map(({ by }) => by)),
        })),
      }
    }
    // A coin at most may be left of the parts, since the parts of an order may exceed its rounded total by less than a coin.
    const rest = sumOf(order.components.map(({ basis, done, size }) => share(basis, done, size - done, size)))
    const tax = sumOf(order.refunds.map((refund) => refund.tax))
    if (rest > minorUnit(decimals) || tax !== result.taxTotal)
      faults.push({ seed, rest, tax, expected: result.taxTotal })
  }
  expect(faults).toEqual([])
}, 3_600_000)
