import { FINE, type FineUnits, roundFine, toFine } from '../../../core/money/fine.ts'
import { minorUnit, ratio, type Units } from '../../../core/money/units.ts'
import type { RateInForce, TaxTables, ZoneInForce } from './tables.ts'

// Calculates the tax of lines. Pure. Each line has one amount, after all discounts. In a store whose prices contain tax the tax is
// taken out of it, otherwise it is added. Rates of equal priority have the same base; a rate of a higher priority number also taxes
// the (rounded) taxes of the lower ones (docs/contract/tax.md section 7).

/** A line, a shipping cost, a fee. */
export interface TaxedLine {
  /** All units together, after discounts, as prices are entered: with tax or without. */
  amount: Units
  /** Undefined for things without tax, such as gift certificates. */
  classId: number | undefined
}

/** How a store calculates tax. */
export interface TaxBasis {
  /** Whether amounts contain tax. */
  isInclusive: boolean
  /** Whether the store's own tax is taken out of such amounts, and that of the shopper added. */
  subtractsStoreTax: boolean
  /** Whether the amount of each rate of a line is rounded to the currency; if not, it keeps eight decimals. */
  roundsRates: boolean
  /** The decimals of the currency. */
  decimals: number
}

/** The rates of a zone. */
export interface ZoneRates {
  id: number
  /** In the order of their priorities. */
  ratesOf(classId: number): readonly RateInForce[]
}

/** The zones that count for a shopper: that of the address, and that of the store. */
export interface TaxZones {
  shopper: ZoneRates
  store: ZoneRates
}

/** One tax of a line. */
interface RateAmount {
  rate: RateInForce
  amount: FineUnits
}

export interface LineTax {
  ex: FineUnits
  inc: FineUnits
  tax: FineUnits
  rates: readonly RateAmount[]
}

/** The tax of each line, in their order. */
export const taxOf = (lines: readonly TaxedLine[], zones: TaxZones, basis: TaxBasis): LineTax[] =>
  lines.map((line) => taxOfLine(line, zones, basis))

function taxOfLine({ amount, classId }: TaxedLine, { shopper, store }: TaxZones, basis: TaxBasis): LineTax {
  const fine = toFine(amount)
  if (classId === undefined) return { ex: fine, inc: fine, tax: 0n, rates: [] }
  const rates = shopper.ratesOf(classId)
  if (basis.isInclusive && basis.subtractsStoreTax && shopper.id !== store.id) {
    const { part, whole } = fractionOf(store.ratesOf(classId))
    return added(toFine(ratio(amount, part, whole)), rates, basis)
  }
  if (rates.length === 0) return { ex: fine, inc: fine, tax: 0n, rates: [] }
  if (!basis.isInclusive) return added(fine, rates, basis)
  const amounts = amountsOf({ amount: fine, ...fractionOf(rates) }, rates, basis)
  const tax = sumOf(amounts)
  return { ex: fine - tax, inc: fine, tax, rates: amounts }
}

function added(net: FineUnits, rates: readonly RateInForce[], basis: TaxBasis): LineTax {
  const amounts = amountsOf({ amount: net, part: 1n, whole: 1n }, rates, basis)
  const tax = sumOf(amounts)
  return { ex: net, inc: net + tax, tax, rates: amounts }
}

/** An exact amount: `amount * part / whole`. A base that tax was taken out of is rounded only with the taxes. */
interface Base {
  amount: FineUnits
  part: bigint
  whole: bigint
}

function amountsOf(
  { amount, part, whole }: Base,
  rates: readonly RateInForce[],
  { roundsRates, decimals }: TaxBasis,
): RateAmount[] {
  const step = roundsRates ? minorUnit(decimals) * FINE : 1n
  const amounts: RateAmount[] = []
  for (const rate of rates) {
    const below = sumOf(amounts.filter((one) => one.rate.priority < rate.priority))
    const base = amount * part + below * whole
    amounts.push({ rate, amount: ratio(base, rate.percent, whole * HUNDRED_PERCENT, step) })
  }
  return amounts
}

/** As rates have it: in ten-thousandths of a percent. */
const HUNDRED_PERCENT = 1_000_000n

/** The part of an amount with tax that is left without it. */
function fractionOf(rates: readonly RateInForce[]): { part: bigint; whole: bigint } {
  let [part, whole] = [1n, 1n]
  for (const group of Map.groupBy(rates, ({ priority }) => priority).values()) {
    part *= HUNDRED_PERCENT
    whole *= HUNDRED_PERCENT + group.reduce((sum, { percent }) => sum + percent, 0n)
  }
  return { part, whole }
}

const sumOf = (amounts: readonly RateAmount[]): FineUnits => amounts.reduce((sum, { amount }) => sum + amount, 0n)

/** The tax of several lines, rounded once to the currency. */
export const totalTax = (lines: readonly Pick<LineTax, 'tax'>[], decimals: number): Units =>
  roundFine(
    lines.reduce((sum, { tax }) => sum + tax, 0n),
    decimals,
  )

/** How a store calculates tax in a currency. */
export const taxBasis = ({ settings }: Pick<TaxTables, 'settings'>, decimals: number): TaxBasis => ({
  isInclusive: settings.tax_entered_with_prices,
  subtractsStoreTax: settings.should_subtract_store_tax,
  roundsRates: settings.rounding_strategy === 'RATE_ROUNDING',
  decimals,
})

/** The rates of a zone of the store. */
export const ratesOfZone = ({ zone, rates }: ZoneInForce): ZoneRates => ({
  id: zone.id,
  ratesOf: (classId) => rates.get(classId) ?? [],
})
