import type { Units } from '../../../core/money/units.ts'

const AMOUNT = /^(\d{1,20})(?:\.(\d{1,30}))?$/
const PLACES = 4

/** The units of an amount or percentage of a promotion, rounded to four places, half up; undefined if the text is no amount. */
export function unitsOfText(text: string): Units | undefined {
  const [, whole, fraction = ''] = AMOUNT.exec(text) ?? []
  if (whole === undefined) return undefined
  const units = BigInt(whole + fraction.slice(0, PLACES).padEnd(PLACES, '0'))
  return fraction.charAt(PLACES) >= '5' ? units + 1n : units
}
