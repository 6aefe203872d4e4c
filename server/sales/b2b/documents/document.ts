import { roundTo, type Units } from '../../../core/money/units.ts'
import { type AmountForm, formatAmount } from '../../../shop/channels/currencies/amounts.ts'

// A document that people print, as data. `pdf.ts` draws it. All texts are plain: nothing in them is markup.

export interface PrintedDocument {
  /** Such as `Quote QN000001`. */
  title: string
  /** Name and value, such as the day on which it expires. */
  facts: readonly Pair[]
  /** Seller, buyer and addresses, side by side. */
  parties: readonly Party[]
  /** The headings of the columns behind the name. */
  headings: readonly string[]
  lines: readonly PrintedLine[]
  totals: readonly Pair[]
  /** Notes and terms. */
  texts: readonly { heading: string; text: string }[]
}

type Pair = readonly [name: string, value: string]

interface Party {
  heading: string
  lines: readonly string[]
}

export interface PrintedLine {
  name: string
  /** Its SKU and options. */
  note: string
  /** A value for each heading. */
  values: readonly string[]
}

/** The texts that are not empty. */
export const present = (...texts: readonly (string | undefined)[]): string[] =>
  texts.flatMap((text) => (text === undefined || text.trim() === '' ? [] : [text.trim()]))

/** Writes an amount in the currency of a document. */
export type AmountWriter = (amount: Units) => string

const DECIMALS_MAX = 4

export const amountWriter =
  ({ decimals, ...form }: AmountForm & { decimals: number }): AmountWriter =>
  (amount) => {
    const places = Math.min(decimals, DECIMALS_MAX)
    return formatAmount(form, roundTo(amount, places), places)
  }

/** The day of a moment, by the clock of the store. */
export const printedDay = (moment: string): string =>
  new Date(moment).toLocaleDateString('en', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })
