import t, { type Static } from 'typebox'
import { Value } from 'typebox/value'
import { FINE, type FineUnits, toFine } from '../../../core/money/fine.ts'
import { ratio, smaller, UNITS_MAX, type Units, unitsOf } from '../../../core/money/units.ts'
import { AMOUNT_MAX } from '../../../core/rest/input/amounts.ts'
import type { LineTax } from '../calculation/tax-of.ts'
import { type DocumentLine, linesOfDocument, type TaxDocument } from './document.ts'

// The answer of a tax provider. A provider is a foreign system: an answer counts only if it is about exactly the lines that were sent
// and its amounts agree with each other (docs/contract/tax.md section 10).

/** A number that an amount of money can be. JSON's 1e400 is read as infinity, which no bound admits. */
const Money = t.Number({ minimum: -AMOUNT_MAX, maximum: AMOUNT_MAX })

const NAMES_MAX = 100

const Price = t.Object({
  amount_inclusive: Money,
  amount_exclusive: Money,
  total_tax: Money,
  sales_tax_summary: t.Optional(
    t.Array(t.Object({ name: t.String({ maxLength: 255 }), amount: Money }), { maxItems: NAMES_MAX }),
  ),
})
const AnsweredLine = t.Object({ id: t.String(), price: Price })
const AnsweredItem = t.Object({
  ...AnsweredLine.properties,
  wrapping: t.Optional(t.Union([AnsweredLine, t.Null()])),
})
const AnsweredDocument = t.Object({
  id: t.String(),
  items: t.Array(AnsweredItem),
  shipping: AnsweredLine,
  handling: AnsweredLine,
})
const Answered = t.Object({ id: t.String({ maxLength: 255 }), documents: t.Array(AnsweredDocument) })

/** One tax of a line, as its provider names it. */
interface NamedTax {
  name: string
  amount: FineUnits
}

/** The tax of a line of a document. */
interface AnsweredTax {
  tax: FineUnits
  taxes: readonly NamedTax[]
}

/** An answer that counts. */
export interface TaxAnswer {
  /** Names the document in later calls to the provider. */
  id: string
  /** The tax of each line, in the order of `linesOfSale`. */
  lines: readonly AnsweredTax[]
}

/** The amounts of a line may differ by this much. */
const TOLERANCE = unitsOf(0.01) * FINE

/** Reads the answer to a document. Pure. @returns undefined if it does not count */
export function readAnswer(document: TaxDocument, body: unknown): TaxAnswer | undefined {
  if (!Value.Check(Answered, body) || body.documents.length !== document.documents.length) return undefined
  const byId = new Map(body.documents.map((answered) => [answered.id, answered]))
  const lines: AnsweredTax[] = []
  for (const sent of document.documents) {
    const answered = byId.get(sent.id)
    const prices = answered && pricesOf(answered)
    const sentLines = linesOfDocument(sent)
    if (!prices || prices.size !== sentLines.length || answered.items.length !== sent.items.length) return undefined
    for (const line of sentLines) {
      const price = prices.get(keyOf(line.type, line.id))
      const tax = price && taxIn(line, price)
      if (!tax) return undefined
      lines.push(tax)
    }
  }
  return { id: body.id, lines }
}

/** The prices of a document by type and id. Two lines of one id leave fewer prices than lines. */
function pricesOf({ items, shipping, handling }: Static<typeof AnsweredDocument>): Map<string, Static<typeof Price>> {
  const prices = new Map([
    [keyOf('shipping', shipping.id), shipping.price],
    [keyOf('handling', handling.id), handling.price],
  ])
  for (const { id, price, wrapping } of items) {
    prices.set(keyOf('item', id), price)
    if (wrapping) prices.set(keyOf('wrapping', wrapping.id), wrapping.price)
  }
  return prices
}

/** Items, fees and refunds share the ids of a document. */
const keyOf = (type: DocumentLine['type'], id: string): string =>
  `${type === 'fee' || type === 'refund' ? 'item' : type} ${id}`

/** @returns undefined if the amounts contradict each other */
function taxIn({ tax_exempt, price: sent }: DocumentLine, price: Static<typeof Price>): AnsweredTax | undefined {
  const [inclusive, exclusive, tax] = [
    fineOf(price.amount_inclusive),
    fineOf(price.amount_exclusive),
    fineOf(price.total_tax),
  ]
  const gap = inclusive - exclusive - tax
  if (gap > TOLERANCE || gap < -TOLERANCE) return undefined
  if (tax_exempt && tax !== 0n) return undefined
  // Tax has the sign of its amount, and can't be more than an amount that contains it.
  const amount = toFine(unitsOf(sent.amount))
  if (amount < 0n ? tax > 0n : tax < 0n) return undefined
  if (sent.tax_inclusive && (amount < 0n ? tax < amount : tax > amount)) return undefined
  return { tax, taxes: namedTaxes(tax, price.sales_tax_summary ?? []) }
}

/** Rounded to eight decimals. */
const fineOf = (amount: number): FineUnits => BigInt(amount.toFixed(FINE_PLACES).replace('.', ''))
const FINE_PLACES = 8

/** The name of a tax without one: orders of this server had it before there were providers. */
const UNNAMED = 'Tax'

/** The taxes of a line. They add up to its tax, which is taken as it was sent; a summary of other sums gives only its first name. */
function namedTaxes(tax: FineUnits, summary: readonly { name: string; amount: number }[]): NamedTax[] {
  if (tax === 0n) return []
  const named = summary
    .map(({ name, amount }) => ({ name: name || UNNAMED, amount: fineOf(amount) }))
    .filter(({ amount }) => amount !== 0n)
  const [first = { name: UNNAMED, amount: 0n }] = named
  const gap = tax - named.reduce((sum, { amount }) => sum + amount, 0n)
  const isSum = gap <= TOLERANCE && gap >= -TOLERANCE && named.every(({ amount }) => amount > 0n === tax > 0n)
  if (named.length === 0 || !isSum) return [{ name: first.name, amount: tax }]
  return named.map((one, i) => (i === 0 ? { ...one, amount: one.amount + gap } : one))
}

/**
 * The answer in the form of a calculation by rates. The rate of a tax is its share of the amount without tax, since providers write
 * rates in different ways.
 * @param amounts of the lines, in the order of `linesOfSale`
 */
export function taxesByAnswer(
  answer: Pick<TaxAnswer, 'lines'>,
  amounts: readonly Units[],
  isInclusive: boolean,
): LineTax[] {
  return answer.lines.map(({ tax, taxes }, i) => {
    const amount = toFine(amounts[i] ?? 0n)
    const ex = isInclusive ? amount - tax : amount
    return {
      ex,
      inc: ex + tax,
      tax,
      rates: taxes.map(({ name, amount: part }) => ({
        rate: { id: 0, name, percent: percentOf(part, ex), priority: 1 },
        amount: part,
      })),
    }
  })
}

/** In ten-thousandths of a percent. A fee on a line without a price has no rate. */
const percentOf = (tax: FineUnits, base: FineUnits): Units =>
  base === 0n ? 0n : smaller(ratio(tax, HUNDRED_PERCENT, base), UNITS_MAX)
const HUNDRED_PERCENT = 1_000_000n
