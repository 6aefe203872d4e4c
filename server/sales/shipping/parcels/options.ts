import { hash } from 'node:crypto'
import { ratio, roundTo, sumOf, type Units, unitsOf } from '../../../core/money/units.ts'
import type { PayingCurrency } from '../../pricing/calculation/price-of.ts'
import type { CarrierQuotes } from '../carriers/quotes.ts'
import { type Parcel, paysByMethod } from '../consignment.ts'
import type { Method, MethodFees, MethodSettings } from '../methods-row.ts'
import type { ZoneRow } from '../zones.ts'

// The shipping options of a parcel (docs/contract/shipping.md section 5). Pure. Zones, methods and parcels have amounts in
// ten-thousandths of the store's default currency; options and quotes of carriers have the currency of the parcel.

/** A way to ship a parcel. */
export interface ShippingOption {
  /** 32 hexadecimal digits, the same for the same zone, method and service. */
  id: string
  method_id: number
  description: string
  type: string
  /** The carrier's description of the service. */
  additional_description: string
  cost: Units
  /** The handling fee of the zone, if it is shown apart; else it is part of the cost. */
  handling_cost: Units
  transit_time: string
}

type Zone = Pick<ZoneRow, 'id' | 'free_shipping' | 'handling_fees'>

/** The weight, units and value that methods calculate with: those of the lines that pay by the method. */
interface Load {
  units: bigint
  /** In ten-thousandths of the store's unit: sums of doubles would miss the limits of ranges. */
  weight: Units
  value: Units
  /** The value of all physical lines, which the zone's free shipping looks at. */
  whole: Units
  /** The shipping prices of products that have one. */
  fixed: Units
  /** Whether no line pays by the method. */
  isEmpty: boolean
}

/** @returns the options, the cheapest first, then by the id of the method */
export function optionsFor(parcel: Parcel, zone: Zone, methods: readonly Method[], quotes: CarrierQuotes = new Map()) {
  const load = loadOf(parcel)
  const offered = methods.filter(
    ({ enabled, channel_ids }) => enabled && (channel_ids?.includes(parcel.channel) ?? true),
  )
  const optionsOf = (some: readonly Method[]) =>
    some.flatMap((method) =>
      costsOf(method, load, { quotes, currency: parcel.currency }).map((priced) =>
        optionOf(parcel, zone, { method, load, priced }),
      ),
    )
  const regular = [...optionsOf(offered.filter(({ is_fallback }) => !is_fallback)), ...freeOption(parcel, zone, load)]
  const options = regular.length > 0 ? regular : optionsOf(offered.filter(({ is_fallback }) => is_fallback))
  return options.sort((one, other) => Number(one.cost - other.cost) || one.method_id - other.method_id)
}

function loadOf({ lines }: Parcel): Load {
  const paying = lines.filter(paysByMethod)
  const fixed = lines.filter(({ is_free_shipping }) => !is_free_shipping)
  return {
    units: paying.reduce((sum, { quantity }) => sum + BigInt(quantity), 0n),
    weight: sumOf(paying.map(({ quantity, weight }) => unitsOf(weight) * BigInt(quantity))),
    value: sumOf(paying.map(({ value }) => value)),
    whole: sumOf(lines.map(({ value }) => value)),
    fixed: sumOf(fixed.map(({ quantity, fixed_cost }) => fixed_cost * BigInt(quantity))),
    isEmpty: paying.length === 0,
  }
}

interface Priced {
  /** Tells the services of a carrier apart; '' for the server's own methods. */
  service: string
  description: string
  additional_description: string
  transit_time: string
  cost: Units
}

interface Payment {
  quotes: CarrierQuotes
  currency: PayingCurrency
}

function costsOf(method: Method, load: Load, { quotes, currency }: Payment): Priced[] {
  const own = (cost: Units): Priced => ({
    service: '',
    description: method.name,
    additional_description: '',
    transit_time: '',
    cost: paidIn(currency, cost),
  })
  if (load.isEmpty) return [own(0n)]
  const { settings, type } = method
  const rate = unitsOf(settings.rate ?? 0)
  if (type === 'perorder') return [own(rate)]
  if (type === 'peritem') return [own(rate * load.units)]
  if (type === 'freeshipping') return [own(0n)]
  if (type === 'weight') return rangeCost(settings, load.weight, load.value).map(own)
  if (type === 'total') return rangeCost(settings, load.value, load.value).map(own)
  return [...(quotes.get(method.id) ?? [])]
}

/** Converts an amount of the store, to four decimals. */
const paidIn = ({ rate, one }: PayingCurrency, amount: Units): Units => ratio(amount, rate, one)

/** The cost by the range that a measure falls into; of two that share a border the higher one. @returns none if no cost applies */
function rangeCost(
  { range = [], default_cost, default_cost_type }: MethodSettings,
  measure: Units,
  value: Units,
): Units[] {
  const fitting = range
    .filter(({ lower_limit, upper_limit }) => unitsOf(lower_limit) <= measure && measure <= unitsOf(upper_limit))
    .sort((one, other) => other.lower_limit - one.lower_limit)
  const [highest] = fitting
  if (highest) return [unitsOf(highest.shipping_cost)]
  if (default_cost === null || default_cost === undefined) return []
  return [default_cost_type === 'percentage_of_total' ? percentOf(value, default_cost) : unitsOf(default_cost)]
}

/** @param percent with at most four decimals */
const percentOf = (amount: Units, percent: number): Units => ratio(amount, unitsOf(percent), 1_000_000n)

type Fees = MethodFees & { display_separately?: boolean }

const feeOf = (currency: PayingCurrency, cost: Units, { fixed_surcharge, percentage_surcharge }: Fees): Units =>
  percentage_surcharge === undefined
    ? paidIn(currency, unitsOf(fixed_surcharge ?? 0))
    : percentOf(cost, percentage_surcharge)

function optionOf(
  { currency }: Parcel,
  zone: Zone,
  { method, load, priced }: { method: Method; load: Load; priced: Priced },
): ShippingOption {
  const { decimals } = currency
  const isFreeType = method.type === 'freeshipping'
  // A parcel of products with shipping prices alone costs their sum, without the fee of the method.
  const charged = load.isEmpty || isFreeType ? 0n : priced.cost + feeOf(currency, priced.cost, method.handling_fees)
  const cost = roundTo(charged + paidIn(currency, load.fixed), decimals)
  // Free options have no handling fee (docs/contract/shipping.md section 5).
  const fee = isFreeType || cost === 0n ? 0n : roundTo(feeOf(currency, cost, zone.handling_fees), decimals)
  const isApart = zone.handling_fees.display_separately ?? true
  return {
    id: idOf(zone.id, method.id, priced.service),
    method_id: method.id,
    description: priced.description,
    additional_description: priced.additional_description,
    type: method.type,
    cost: isApart ? cost : cost + fee,
    handling_cost: isApart ? fee : 0n,
    transit_time: priced.transit_time,
  }
}

/** The option that a zone offers from a subtotal on. Products with a shipping price may still have to pay it. */
function freeOption({ currency }: Parcel, { id, free_shipping }: Zone, load: Load): ShippingOption[] {
  if (!free_shipping.enabled || load.whole < unitsOf(free_shipping.minimum_sub_total)) return []
  return [
    {
      id: idOf(id, 0, 'free'),
      method_id: 0,
      description: 'Free Shipping',
      additional_description: '',
      type: 'freeshipping',
      cost: roundTo(
        free_shipping.exclude_fixed_shipping_products ? paidIn(currency, load.fixed) : 0n,
        currency.decimals,
      ),
      handling_cost: 0n,
      transit_time: '',
    },
  ]
}

const idOf = (zone: number, method: number, service: string): string => hash('md5', `${zone} ${method} ${service}`)
