/**
 * Evaluation of promotions for a cart, beside parsing and printing the JSON of the cart; the worst cart that the limits allow; and
 * compiling 1,000 promotions, beside parsing their JSON. Measured in turns; CPU time, so that other work on the machine matters less.
 *
 *   node --expose-gc --max-semi-space-size=16 bench/promotions.ts
 *
 * The figures of docs/decisions/077-promotions-in-runs-of-units.md come from here.
 */
import { loadavg } from 'node:os'
import { compilePromotions } from '../server/sales/promotions/engine/compile.ts'
import { evaluate } from '../server/sales/promotions/engine/evaluate.ts'
import type { PromotionRule } from '../server/sales/promotions/engine/promotion.ts'
import {
  cartOf,
  from,
  least,
  line,
  offItems,
  offOrder,
  promotion,
  rule,
  setOf,
} from '../server/test/promotions/carts.ts'

const ROUNDS = 15
const WARMING = 40
const MIB = 1024 * 1024
const moment = { at: Date.parse('2026-03-04T12:00:00Z'), timeZone: 'UTC' }

const lines = Array.from({ length: 50 }, (_, i) =>
  line(i + 1, 1 + (i % 5), 5.99 + ((i * 37) % 90), {
    categories: [i % 12, 100 + (i % 7)],
    brand_id: i % 9,
    isOnSale: i % 6 === 0,
  }),
)

/** Rules of which two of three meet their condition in the cart. */
const rules: ((i: number) => PromotionRule)[] = [
  (i) => rule(offItems({ percent: 5 + (i % 20) }, { items: { categories: [i % 12] } })),
  (i) =>
    rule(offItems({ percent: 50 }, { items: { products: [i % 60, (i % 60) + 1] }, quantity: 1 }), {
      apply_once: false,
      condition: least(2, { categories: [i % 12] }),
    }),
  (i) => rule(offOrder({ fixed: 1 + (i % 5) }), { condition: from(100 + i * 10) }),
  (i) =>
    rule(offItems({ fixed: 2 }, { items: { brands: [i % 9] }, strategy: 'MOST_EXPENSIVE', quantity: 3 }), {
      condition: least(99, { brands: [i % 9] }),
    }),
  (i) => rule(setOf(3, 20, { items: { categories: [100 + (i % 7)] } }), { condition: from(5_000) }),
]
const promotionsOf = (count: number) =>
  Array.from({ length: count }, (_, i) =>
    promotion(
      i + 1,
      Array.from({ length: 1 + (i % 3) }, (_, n) => rules[(i + n) % rules.length]).flatMap((make) => make?.(i) ?? []),
    ),
  )

/** A cart as carts are answered. */
const answer = JSON.stringify({
  data: {
    id: '01234567-89ab-cdef-0123-456789abcdef',
    currency: { code: 'USD' },
    line_items: {
      physical_items: lines.map(({ variant_id, product_id, quantity, price }, i) => ({
        id: `01234567-89ab-cdef-0123-456789abcd${i}`,
        parent_id: null,
        variant_id,
        product_id,
        sku: `SKU-${i}`,
        name: `Product number ${i}`,
        url: `https://store.example/product-${i}/`,
        quantity,
        taxable: true,
        image_url: 'https://store.example/images/products/picture.jpg',
        discounts: [{ id: 5, discounted_amount: 1.25 }],
        coupons: [],
        discount_amount: 1.25,
        coupon_amount: 0,
        original_price: Number(price) / 10_000,
        list_price: Number(price) / 10_000,
        sale_price: 11.25,
        extended_list_price: 25,
        extended_sale_price: 22.5,
        is_require_shipping: true,
        is_mutable: true,
        added_by_promotion: false,
      })),
    },
  },
})

console.log(`load ${loadavg()[0]?.toFixed(1)} (mean of the last minute)`)
const parseCart = () => JSON.stringify(JSON.parse(answer))
for (const count of [20, 100]) {
  const compiled = compilePromotions(promotionsOf(count))
  compare(`${count} promotions, 50 lines`, () => evaluate(compiled, cartOf(lines), moment), parseCart, 40)
}

const many = promotionsOf(1_000)
const text = JSON.stringify(many)
compare(
  'compiling 1,000 promotions',
  () => compilePromotions(many),
  () => JSON.parse(text),
  3,
)
const heapBefore = heap()
const kept = compilePromotions(many)
console.log(`compiled form ${((heap() - heapBefore) / MIB).toFixed(1)} MiB of ${kept.automatic.length} promotions`)

const wide = Array.from({ length: 500 }, (_, i) => line(i + 1, 1_000_000, 5.99 + i, { categories: [i % 12] }))
const everything = rule(offItems({ percent: 1 }, { items: { not: { products: [0] } }, quantity: 7 }), {
  apply_once: false,
  condition: least(2, { not: { products: [0] } }),
})
const worst = compilePromotions(
  Array.from({ length: 1_000 }, (_, i) =>
    promotion(
      i + 1,
      Array.from({ length: 50 }, () => everything),
    ),
  ),
)
for (let round = 0; round < 5; round++) {
  const before = heap()
  const began = cpu()
  const { isCutShort } = evaluate(worst, cartOf(wide), moment)
  const spent = cpu() - began
  const grown = (process.memoryUsage().heapUsed - before) / MIB
  console.log(
    `worst cart ${spent.toFixed(0)} ms of CPU, ${grown.toFixed(0)} MiB with garbage, cut short: ${isCutShort}`,
  )
}

function cpu(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

function heap(): number {
  globalThis.gc?.()
  return process.memoryUsage().heapUsed
}

/** Prints the median of the ratios of neighbouring rounds. */
function compare(title: string, run: () => unknown, floor: () => unknown, times: number) {
  const timeOf = (work: () => unknown) => {
    const began = cpu()
    for (let i = 0; i < times; i++) work()
    return (cpu() - began) / times
  }
  // A server has evaluated thousands of carts.
  for (const work of [run, floor]) for (let i = 0; i < WARMING; i++) timeOf(work)
  const rounds = Array.from({ length: ROUNDS }, () => ({ own: timeOf(run), json: timeOf(floor) }))
  const median = (values: number[]) => values.toSorted((one, other) => one - other)[values.length >> 1] ?? 0
  const own = median(rounds.map((round) => round.own))
  const json = median(rounds.map((round) => round.json))
  const ratio = median(rounds.map((round) => round.own / round.json))
  console.log(`${title}: ${own.toFixed(2)} ms, JSON ${json.toFixed(2)} ms, ratio ${ratio.toFixed(2)}`)
}
