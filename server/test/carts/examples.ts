import type { CartDocument } from '../../sales/carts/row/document.ts'
import { couponPromotion, couponV2, offItems, offOrder, promotion, rule } from '../promotions/carts.ts'
import { certificate, consignment, customLine, type ExampleStore, line, option, rate, uuid } from './facts.ts'

// The worked examples C1 to C17 of docs/contract/carts.md section 6, with their numbers.

/** The amounts of an example that the page names. */
export interface ExpectedAmounts {
  base?: number
  subtotal?: [ex: number, inc: number]
  cart?: [ex: number, inc: number]
  shipping?: [ex: number, inc: number]
  handling?: [ex: number, inc: number]
  /** The taxes of the lines. */
  taxes?: number[]
  /** By line: after discounts of items. */
  sale?: number[]
  shares?: number[]
  coupons?: number[]
  /** By line: after all discounts. */
  left?: number[]
  orderDiscount?: number
  manual?: number
  taxTotal?: number
  grand: number
}

interface Example {
  store: ExampleStore
  document: Partial<CartDocument>
  expected: ExpectedAmounts
}

const ten = { '*': [rate(10)] }
const inclusive = (percent: number) => ({
  rates: { '*': [rate(percent)] },
  settings: { tax_entered_with_prices: true },
})
const code = (of: number) => ({ code: 'CODE', of, isUsedUp: false })

/** An order promotion of 8 or more off the order. */
const off = (amount: number) => [promotion(1, [rule(offOrder({ fixed: amount }))])]

const c8 = (rounding_strategy: 'RATE_ROUNDING' | 'NO_ROUNDING', expected: ExpectedAmounts): Example => ({
  store: {
    prices: { 1: 0.99, 2: 0.99, 3: 0.99 },
    rates: { '*': [rate(8.25)] },
    settings: { rounding_strategy },
  },
  document: { lines: [line(1, 1), line(2, 1), line(3, 1)] },
  expected,
})

const c6 = (should_subtract_store_tax: boolean, expected: ExpectedAmounts): Example => ({
  store: {
    prices: { 1: 120 },
    rates: { '*': [rate(20)], FR: [rate(10)] },
    settings: { tax_entered_with_prices: true, should_subtract_store_tax },
  },
  document: { lines: [line(1, 1)], consignments: [consignment(1, 'FR', [[1, 1]])] },
  expected,
})

const c7 = (priority: number, expected: ExpectedAmounts): Example => ({
  store: { prices: { 1: 100 }, rates: { '*': [rate(5), rate(9.975, { id: 2, name: 'Other', priority })] } },
  document: { lines: [line(1, 1)] },
  expected,
})

export const EXAMPLES: Record<string, Example> = {
  C1: {
    store: { prices: { 1: 12.5 }, rates: { '*': [rate(8)] } },
    document: {
      lines: [line(1, 2)],
      custom: [customLine(2, 1, 30)],
      consignments: [
        consignment(
          1,
          'US',
          [
            [1, 2],
            [2, 1],
          ],
          option(10),
        ),
      ],
    },
    expected: { subtotal: [55, 59.4], taxes: [2, 2.4], taxTotal: 5.2, shipping: [10, 10.8], grand: 70.2 },
  },
  C2: {
    store: {
      prices: { 1: 32, 2: 35 },
      promotions: [couponPromotion(1, [rule(offOrder({ percent: 20 }))])],
      codes: [code(1)],
    },
    document: { lines: [line(1, 1), line(2, 1)], codes: ['CODE'] },
    expected: { coupons: [6.4, 7], subtotal: [67, 67], sale: [32, 35], grand: 53.6 },
  },
  C3: {
    store: { prices: { 1: 33.33, 2: 33.33, 3: 33.34 }, rates: { '*': [rate(7)] }, promotions: off(10) },
    document: { lines: [line(1, 1), line(2, 1), line(3, 1)] },
    expected: { shares: [3.333, 3.333, 3.334], taxes: [2.1, 2.1, 2.1], cart: [90, 96.3], grand: 96.3 },
  },
  C4: {
    store: {
      prices: { 1: 60, 2: 40 },
      rates: ten,
      promotions: [
        promotion(1, [rule(offItems({ percent: 10 }, { items: { products: [1] } }))]),
        promotion(2, [rule(offOrder({ fixed: 10 }))]),
      ],
    },
    document: { lines: [line(1, 2), line(2, 1)] },
    expected: {
      sale: [108, 40],
      shares: [7.2973, 2.7027],
      taxes: [10.07, 3.73],
      base: 160,
      subtotal: [148, 162.8],
      cart: [138, 151.8],
      grand: 151.8,
    },
  },
  C5: {
    store: {
      prices: { 1: 24 },
      ...inclusive(20),
      promotions: [couponPromotion(1, [rule(offOrder({ percent: 10 }))])],
      codes: [code(1)],
    },
    document: { lines: [line(1, 2)], codes: ['CODE'], consignments: [consignment(1, 'US', [[1, 2]], option(6))] },
    expected: { left: [43.2], taxes: [7.2], cart: [36, 43.2], shipping: [5, 6], taxTotal: 8.2, grand: 49.2 },
  },
  'C6 with the tax of the store subtracted': c6(true, { cart: [100, 110], taxes: [10], grand: 110 }),
  'C6 with prices that stay': c6(false, { taxes: [10.91], grand: 120 }),
  'C7 with a second priority': c7(2, { taxTotal: 15.47, grand: 115.47 }),
  'C7 with the same priority': c7(1, { taxTotal: 14.98, grand: 114.98 }),
  'C8 with rounded rates': c8('RATE_ROUNDING', { taxTotal: 0.24, grand: 3.21 }),
  'C8 without rounding': c8('NO_ROUNDING', { taxTotal: 0.25, grand: 3.22 }),
  'C9 with the discount': {
    store: {
      prices: { 1: 333 },
      rates: ten,
      currency: { decimals: 0, rate: 1n, one: 1n },
      promotions: [promotion(1, [rule(offOrder({ percent: 5 }))])],
    },
    document: { lines: [line(1, 3)] },
    expected: { orderDiscount: 50, left: [949], taxTotal: 95, grand: 1044 },
  },
  'C9 without the discount': {
    store: { prices: { 1: 333 }, rates: ten, currency: { decimals: 0, rate: 1n, one: 1n } },
    document: { lines: [line(1, 3)] },
    expected: { grand: 1099 },
  },
  C10: {
    store: {
      prices: { 1: 80 },
      rates: ten,
      codes: [{ code: 'CODE', of: couponV2('shipping_discount', 5), isUsedUp: false }],
    },
    document: {
      lines: [line(1, 1)],
      codes: ['CODE'],
      consignments: [consignment(1, 'US', [[1, 1]], option(12, 0.6))],
    },
    expected: { shipping: [12, 13.2], handling: [0.6, 0.66], taxes: [8], taxTotal: 8.76, grand: 96.36 },
  },
  'C11 before certificates are redeemed': {
    store: { prices: { 1: 50 }, rates: ten },
    document: { lines: [line(1, 1)], certificates: [certificate(2, 25)] },
    expected: { taxTotal: 5, base: 75, subtotal: [75, 80], cart: [75, 80], grand: 80 },
  },
  C12: {
    store: { prices: { 1: 20 }, rates: { '*': [rate(8)] } },
    document: {
      lines: [
        line(1, 3, { wrapping: { together: true, details: [{ id: 1, name: 'Paper', price: 2.5, message: '' }] } }),
      ],
      fees: [{ id: uuid(9), name: 'fee', display_name: 'Fee', source: 'test', cost: 4, tax_class_id: null }],
    },
    expected: { taxes: [4.8], cart: [60, 64.8], taxTotal: 5.72, grand: 77.22 },
  },
  C13: {
    store: { prices: { 1: 40, 2: 60 }, rates: ten, promotions: off(50) },
    document: {
      lines: [line(1, 1), line(2, 1)],
      manual: { lines: [{ id: uuid(1), amount: 10 }], order: 9 },
    },
    expected: { sale: [30, 60], shares: [3, 6], manual: 9, orderDiscount: 9, cart: [81, 89.1], grand: 89.1 },
  },
  C14: {
    store: { prices: { 1: 0.3333 } },
    document: { lines: [line(1, 7, { list_price: 0.3333 })] },
    expected: { left: [2.3331], grand: 2.33 },
  },
  C15: {
    store: { prices: { 1: 10 }, rates: { FR: [rate(10)] }, promotions: off(1) },
    document: {
      lines: [line(1, 3)],
      consignments: [consignment(1, 'FR', [[1, 2]]), consignment(2, 'US', [[1, 1]])],
    },
    expected: { left: [29], taxTotal: 1.93, grand: 30.93 },
  },
  C16: {
    store: {
      prices: { 1: 50, 2: 30 },
      rates: { '*': [rate(8)] },
      promotions: [...off(8), couponPromotion(2, [rule(offOrder({ percent: 10 }))])],
      codes: [code(2)],
      isOnRest: true,
    },
    document: { lines: [line(1, 1), line(2, 1)], codes: ['CODE'] },
    expected: { shares: [5, 3], coupons: [4.5, 2.7], taxes: [3.24, 1.94], grand: 69.98 },
  },
  C17: {
    store: { prices: { 1: 19.99 }, ...inclusive(20), promotions: off(5) },
    document: { lines: [line(1, 3)], consignments: [consignment(1, 'US', [[1, 3]], option(4.99))] },
    expected: { taxes: [9.16], taxTotal: 9.99, cart: [45.81, 54.97], grand: 59.96 },
  },
}
