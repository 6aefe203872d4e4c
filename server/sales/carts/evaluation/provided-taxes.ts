import { toFine } from '../../../core/money/fine.ts'
import { ratio, type Units } from '../../../core/money/units.ts'
import type { LineTax } from '../../tax/calculation/tax-of.ts'

// Taxes by a tax provider in place of those by rates (docs/contract/tax.md section 10). Pure.

/** The tax of an amount, as its provider has answered. */
export interface ProvidedTax {
  amount: Units
  tax: LineTax
}

export interface ProvidedTaxes {
  /** By the key of the taxed part. */
  taxes: ReadonlyMap<string, ProvidedTax>
  /** The id of the provider; undefined for its fall-back. */
  provider: string | undefined
}

/** The keys of taxed parts. A part of a line has the id of its consignment; undefined for units without one. */
export const taxKeys = {
  part: (line: string, consignment: string | undefined) => `part ${line} ${consignment ?? ''}`,
  wrapping: (line: string, consignment: string | undefined) => `wrapping ${line} ${consignment ?? ''}`,
  shipping: (consignment: string) => `shipping ${consignment}`,
  handling: (consignment: string) => `handling ${consignment}`,
  fee: (id: string) => `fee ${id}`,
}

/** The tax of another amount of the same part, such as its price before discounts: in proportion. */
export function scaledTax({ amount: asked, tax }: ProvidedTax, amount: Units, isInclusive: boolean): LineTax {
  if (amount === asked) return tax
  const scaled = (part: bigint) => (asked === 0n ? 0n : ratio(part, amount, asked))
  const fine = toFine(amount)
  const taxed = scaled(tax.tax)
  return {
    ex: isInclusive ? fine - taxed : fine,
    inc: isInclusive ? fine : fine + taxed,
    tax: taxed,
    rates: tax.rates.map(({ rate, amount: part }) => ({ rate, amount: scaled(part) })),
  }
}
