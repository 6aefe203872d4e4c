import { unitsOf } from '../../../core/money/units.ts'
import { type LineTax, type TaxBasis, taxOf, type ZoneRates } from '../calculation/tax-of.ts'
import type { CostClasses } from '../classes/cost-classes.ts'
import { linesOfSale, type Sale } from './sale.ts'

const FIXED_PERCENT = 10

const fixedZone: ZoneRates = {
  id: 0,
  ratesOf: () => [{ id: 0, name: 'Tax', percent: unitsOf(FIXED_PERCENT), priority: 1 }],
}

/** The tax of a sale by the strategy FIXED: 10 % of every taxable line, in the order of `linesOfSale`. */
export const fixedTaxOf = (sale: Sale, basis: Omit<TaxBasis, 'isInclusive'>, classes: CostClasses): LineTax[] =>
  taxOf(
    linesOfSale(sale, classes),
    { shopper: fixedZone, store: fixedZone },
    { ...basis, isInclusive: sale.isInclusive },
  )
