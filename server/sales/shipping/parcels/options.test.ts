import { describe, expect, test } from 'vitest'
import { amountOf, unitsOf } from '../../../core/money/units.ts'
import type { CarrierQuotes } from '../carriers/quotes.ts'
import type { ParcelLine } from '../consignment.ts'
import type { Method } from '../methods-row.ts'
import { optionsFor } from './options.ts'

// The worked examples of docs/contract/shipping.md section 8, and one case for each rule of section 5.

const line = (value: number, fields: Partial<ParcelLine> = {}): ParcelLine => ({
  quantity: 1,
  weight: 0,
  value: unitsOf(value),
  is_free_shipping: false,
  fixed_cost: 0n,
  ...fields,
})
const free = (quantity: number) => line(10, { quantity, is_free_shipping: true })
const fixed = (price: number, quantity: number) => line(10, { quantity, fixed_cost: unitsOf(price) })

const plain = {
  id: 1,
  free_shipping: { enabled: false, minimum_sub_total: 0, exclude_fixed_shipping_products: false },
  handling_fees: { fixed_surcharge: 0, display_separately: true },
}
type Zone = typeof plain | (Omit<typeof plain, 'handling_fees'> & { handling_fees: object })
const freeFrom = (minimum_sub_total: number, exclude_fixed_shipping_products = false): Zone => ({
  ...plain,
  free_shipping: { enabled: true, minimum_sub_total, exclude_fixed_shipping_products },
})
const handling = (handling_fees: object): Zone => ({ ...plain, handling_fees })

let nextId = 1
const usd = { decimals: 2, rate: 1n, one: 1n }
const method = (type: string, settings: Method['settings'], more: Partial<Method> = {}): Method => ({
  id: nextId++,
  zone_id: 1,
  name: type,
  type,
  settings,
  enabled: true,
  handling_fees: {},
  is_fallback: false,
  channel_ids: null,
  ...more,
})
const perOrder = (rate: number, more: Partial<Method> = {}) => method('perorder', { rate }, more)
const range = (lower_limit: number, upper_limit: number, shipping_cost: number) => ({
  lower_limit,
  upper_limit,
  shipping_cost,
})
const byWeight = method('weight', {
  range: [range(0, 20, 8), range(20, 40, 12)],
  default_cost: 15,
  default_cost_type: 'fixed_amount',
})
const upToThreeTenths = method('weight', {
  range: [range(0, 0.3, 8)],
  default_cost: 15,
  default_cost_type: 'fixed_amount',
})
const byTotal = method('total', {
  range: [range(20, 49.99, 15), range(50, 100_000, 0)],
  default_cost: 12,
  default_cost_type: 'fixed_amount',
})
const percentOfTotal = method('total', { range: [], default_cost: 12, default_cost_type: 'percentage_of_total' })
const inRangesOnly = method('total', { range: [range(1, 2, 3)], default_cost: null, default_cost_type: 'fixed_amount' })

/** The costs of the options, each with its handling cost if it has one. */
function costs(lines: ParcelLine[], zone: Zone, methods: Method[], quotes?: CarrierQuotes) {
  return optionsFor({ lines, channel: 1, currency: usd }, zone, methods, quotes).map(({ cost, handling_cost }) =>
    handling_cost === 0n ? amountOf(cost) : [amountOf(cost), amountOf(handling_cost)],
  )
}

describe('the options of a parcel', () => {
  test.each<[string, ParcelLine[], Zone, Method[], unknown[]]>([
    [
      'S1: a method adds its handling fee',
      [line(50)],
      plain,
      [perOrder(7, { handling_fees: { fixed_surcharge: 3 } })],
      [10],
    ],
    [
      'S2: products with free shipping are no units',
      [line(50, { quantity: 3 }), free(2)],
      plain,
      [method('peritem', { rate: 8 })],
      [24],
    ],
    ['S3: a weight in the first range', [line(50, { weight: 10 })], plain, [byWeight], [8]],
    ['S3: a shared border belongs to the higher range', [line(50, { weight: 20 })], plain, [byWeight], [12]],
    ['S3: the upper limit belongs to a range', [line(50, { weight: 20, quantity: 2 })], plain, [byWeight], [12]],
    // 0.1 * 3 of doubles is more than 0.3.
    ['a sum of weights at a limit', [line(50, { weight: 0.1, quantity: 3 })], plain, [upToThreeTenths], [8]],
    ['S3: the default beyond all ranges', [line(50, { weight: 41 })], plain, [byWeight], [15]],
    ['S4: a total of 49.99', [line(49.99)], plain, [byTotal], [15]],
    ['S4: a total of 50.00', [line(50)], plain, [byTotal], [0]],
    ['S5: a default in percent of the total', [line(200)], plain, [percentOfTotal], [24]],
    [
      'S6: a separate handling fee of the zone',
      [line(50)],
      handling({ percentage_surcharge: 5, display_separately: true }),
      [perOrder(12)],
      [[12, 0.6]],
    ],
    [
      'S6: a handling fee inside the cost',
      [line(50)],
      handling({ percentage_surcharge: 5, display_separately: false }),
      [perOrder(12)],
      [12.6],
    ],
    ['S7: below the minimum of free shipping', [line(49)], freeFrom(50), [perOrder(7)], [7]],
    ['S7: at the minimum of free shipping', [line(50)], freeFrom(50), [perOrder(7)], [0, 7]],
    ['S8: fixed prices stay payable', [line(30), fixed(4, 2), line(20)], freeFrom(50, true), [perOrder(7)], [8, 15]],
    ['S8: fixed prices are free too', [line(30), fixed(4, 2), line(20)], freeFrom(50), [perOrder(7)], [0, 15]],
    [
      'S10: the fallback of a carrier without quotes',
      [line(50)],
      plain,
      [method('fedex', {}), perOrder(9, { is_fallback: true })],
      [9],
    ],
    ['a fallback beside another option', [line(50)], plain, [perOrder(7), perOrder(1, { is_fallback: true })], [7]],
    [
      'fixed prices alone, with the handling fee of the zone',
      [fixed(4, 2)],
      handling({ fixed_surcharge: 1 }),
      [perOrder(7)],
      [[8, 1]],
    ],
    ['products with free shipping alone', [free(3)], handling({ fixed_surcharge: 1 }), [perOrder(7)], [0]],
    [
      'a free method without handling fees',
      [line(50)],
      handling({ fixed_surcharge: 1 }),
      [method('freeshipping', {}, { handling_fees: { fixed_surcharge: 2 } })],
      [0],
    ],
    [
      'a percentage of the cost as fee',
      [line(50)],
      plain,
      [perOrder(20, { handling_fees: { percentage_surcharge: 2.5 } })],
      [20.5],
    ],
    ['no option outside of the ranges', [line(50)], plain, [inRangesOnly], []],
    ['no option of a disabled method', [line(50)], plain, [perOrder(7, { enabled: false })], []],
    ['no option of a method of another channel', [line(50)], plain, [perOrder(7, { channel_ids: [2] })], []],
    ['no option of a method without channels', [line(50)], plain, [perOrder(7, { channel_ids: [] })], []],
    ['the cheapest first, then the lowest id', [line(50)], plain, [perOrder(9), perOrder(7), perOrder(7)], [7, 7, 9]],
  ])('%s', (_, ...[lines, zone, methods, expected]) => {
    expect(costs(lines, zone, methods)).toEqual(expected)
  })

  test('are all quotes of a carrier, each with an id of its own that stays the same', () => {
    const carrier = method('fedex', {})
    const quote = (service: string, cost: number) => ({
      service,
      description: `FedEx (${service})`,
      additional_description: '',
      cost: unitsOf(cost),
      transit_time: '2 business days',
    })
    const quotes = new Map([[carrier.id, [quote('Ground', 12), quote('Express', 30)]]])
    const parcel = { lines: [line(50)], channel: 1, currency: usd }
    const options = optionsFor(parcel, plain, [carrier], quotes)
    expect(options.map(({ description, cost, transit_time }) => [description, amountOf(cost), transit_time])).toEqual([
      ['FedEx (Ground)', 12, '2 business days'],
      ['FedEx (Express)', 30, '2 business days'],
    ])
    expect(new Set(options.map(({ id }) => id)).size).toBe(2)
    expect(options[0]?.id).toMatch(/^[0-9a-f]{32}$/)
    expect(optionsFor(parcel, plain, [carrier], quotes)).toEqual(options)
  })

  test('are rounded to the decimals of the currency', () => {
    const zone = handling({ percentage_surcharge: 3.3, display_separately: true })
    const options = optionsFor({ lines: [line(50)], channel: 1, currency: { ...usd, decimals: 0 } }, zone, [
      perOrder(7.5),
    ])
    expect(options.map(({ cost, handling_cost }) => [amountOf(cost), amountOf(handling_cost)])).toEqual([[8, 0]])
  })

  test('are in the currency of the parcel: all but quotes are converted into it', () => {
    const carrier = method('fedex', {}, { handling_fees: { fixed_surcharge: 2 } })
    const quote = {
      service: 'ground',
      description: '',
      additional_description: '',
      cost: unitsOf(999),
      transit_time: '',
    }
    const yen = { decimals: 0, rate: 1505n, one: 10n }
    const zone = handling({ fixed_surcharge: 1, display_separately: true })
    const parcel = { lines: [line(50), fixed(3, 1)], channel: 1, currency: yen }
    const options = optionsFor(parcel, zone, [carrier, perOrder(7)], new Map([[carrier.id, [quote]]]))
    // 999 + 2 x 150.5 + 3 x 150.5, and 7 x 150.5 + 3 x 150.5.
    expect(options.map(({ cost, handling_cost }) => [amountOf(cost), amountOf(handling_cost)])).toEqual([
      [1505, 151],
      [1752, 151],
    ])
  })
})
