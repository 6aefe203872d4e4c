import { type FineUnits, roundFine, toFine } from '../../../core/money/fine.ts'
import { amountOf, ratio, type Units, unitsOf } from '../../../core/money/units.ts'
import type { RateInForce, TaxTables } from '../../tax/calculation/tables.ts'
import { type LineTax, type TaxZones, taxBasis, taxOf } from '../../tax/calculation/tax-of.ts'
import type { LineRate, TaxedBy } from '../row/rows.ts'

// The taxes of a line by rates. A line stores the rates that were in force when it was priced, and every later calculation uses these.
// Pure.

/** The rates of a class for the place that a line goes to, with the way in which the store calculates tax. */
export function ratesInForce(tables: TaxTables, { shopper, store }: TaxZones, class_id: number): TaxedBy {
  const { isInclusive, subtractsStoreTax, roundsRates } = taxBasis(tables, 0)
  const isStoreTaxSubtracted = isInclusive && subtractsStoreTax && shopper.id !== store.id
  return {
    class_id,
    class: tables.classNames.get(class_id) ?? '',
    is_inclusive: isInclusive,
    rounds_rates: roundsRates,
    store_rates: isStoreTaxSubtracted ? store.ratesOf(class_id).map(toLineRate) : null,
    rates: shopper.ratesOf(class_id).map((rate) => ({ ...toLineRate(rate), amount: 0 })),
  }
}

const toLineRate = ({ id, name, percent, priority }: RateInForce): LineRate => ({
  id,
  name,
  rate: amountOf(percent),
  priority,
})

const toRateInForce = ({ id, name, rate, priority }: LineRate): RateInForce => ({
  id,
  name,
  percent: unitsOf(rate),
  priority,
})

/** Calculates the tax of an amount as it was entered, by the stored rates. @param decimals of the currency */
export function taxByRates(entered: Units, taxed: TaxedBy, decimals: number): LineTax {
  if (taxed.quoted_for !== undefined) return taxAsQuoted(entered, unitsOf(taxed.quoted_for), taxed)
  const { rates, store_rates, ...taxedBy } = taxed
  const [ofShopper, ofStore] = [rates.map(toRateInForce), (store_rates ?? []).map(toRateInForce)]
  const zones = {
    shopper: { id: 1, ratesOf: () => ofShopper },
    store: { id: store_rates === null ? 1 : 2, ratesOf: () => ofStore },
  }
  const [tax] = taxOf([{ amount: entered, classId: taxedBy.class_id }], zones, {
    isInclusive: taxedBy.is_inclusive,
    subtractsStoreTax: store_rates !== null,
    roundsRates: taxedBy.rounds_rates,
    decimals,
  })
  if (!tax) throw new Error('An amount has no tax.')
  return tax
}

/** The share of an amount in the tax that a provider has calculated for another one. */
function taxAsQuoted(entered: Units, quotedFor: Units, { is_inclusive, rates }: TaxedBy): LineTax {
  const amounts = rates.map((rate) => {
    const quoted = toFine(unitsOf(rate.quoted ?? 0))
    // The tax of a line that costs nothing is a fee.
    return { rate: toRateInForce(rate), amount: quotedFor === 0n ? quoted : ratio(quoted, entered, quotedFor) }
  })
  const tax = amounts.reduce((sum: FineUnits, { amount }) => sum + amount, 0n)
  const ex = is_inclusive ? toFine(entered) - tax : toFine(entered)
  return { ex, inc: ex + tax, tax, rates: amounts }
}

/** The taxes of a line as its provider has calculated them. @param quotedFor the amount that it was asked about */
export const taxedAsQuoted = (before: TaxedBy, quotedFor: Units, { rates }: LineTax): TaxedBy => ({
  ...before,
  store_rates: null,
  quoted_for: amountOf(quotedFor),
  rates: rates.map(({ rate, amount }) => ({
    ...toLineRate(rate),
    amount: 0,
    quoted: amountOf(roundFine(amount, DECIMALS)),
  })),
})

/** The prices of one unit. They have four decimals: the currency rounds only the taxes of all units. */
export function unitPrices(entered: Units, taxedBy: TaxedBy) {
  const { ex, inc } = taxByRates(entered, { ...taxedBy, rounds_rates: false }, DECIMALS)
  return {
    base_price: amountOf(entered),
    price_ex_tax: amountOf(roundFine(ex, DECIMALS)),
    price_inc_tax: amountOf(roundFine(inc, DECIMALS)),
  }
}

const DECIMALS = 4
