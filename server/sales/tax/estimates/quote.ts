import type { Db } from '../../../core/db/database.ts'
import { NeedsPreparation, PREPARATIONS_MAX } from '../../../core/rest/preparation.ts'
import { Problem } from '../../../core/rest/problem.ts'
import type { TaxTables } from '../calculation/tables.ts'
import { type LineTax, taxBasis } from '../calculation/tax-of.ts'
import { findTaxProvider, isConfigured, servesRegion } from '../providers/providers.ts'
import { taxesByAnswer } from './answer.ts'
import { digestOf, documentOf, regionCodeOf, type TaxDocument } from './document.ts'
import type { Estimate, Estimates } from './estimates.ts'
import { fixedTaxOf } from './fallback.ts'
import { linesOfSale, type Sale } from './sale.ts'

/** Whether the store's tax provider calculates a sale: it has one, which serves all destinations. */
export const isServed = ({ provider }: TaxTables, { consignments }: Sale): boolean =>
  provider !== undefined &&
  consignments.every(({ destination }) =>
    servesRegion(provider, {
      country_code: destination.country_code.toUpperCase(),
      subdivision_code: regionCodeOf(destination),
    }),
  )

/** The tax of a sale. */
export interface SaleTax {
  /** In the order of `linesOfSale`. */
  lines: readonly LineTax[]
  /** That of the items by their ids. */
  byItem: ReadonlyMap<string, LineTax>
  /** Undefined for the fall-back FIXED. */
  provider: string | undefined
}

/**
 * The tax of the sales of one request by the store's provider (docs/contract/tax.md section 10). A transaction asks for the tax of its sale. If
 * there is no answer to exactly this document, `NeedsPreparation` rolls the transaction back, the provider is asked, and the transaction
 * runs again. If the document has changed meanwhile, the provider is asked again, at most twice; then the fall-back applies. Make one for
 * each request.
 */
export class TaxQuotes {
  readonly #estimates: Estimates
  readonly #asked = new Map<string, Estimate>()
  #count = 0

  constructor(estimates: Estimates) {
    this.#estimates = estimates
  }

  /**
   * @returns undefined if the rates of the store apply: without a provider for this sale, and with the fall-back BASIC
   * @throws NeedsPreparation, Problem 503 with the fall-back DISABLE
   */
  taxOf(tables: TaxTables, sale: Sale): SaleTax | undefined {
    if (!isServed(tables, sale)) return undefined
    const [answered] = this.answersTo(tables, [sale])
    return answered ?? fallback(tables, sale)
  }

  /**
   * Returns the tax of sales as the provider has answered, without a fall-back. It is asked about all of them at once.
   * @param sales that the provider serves (`isServed`)
   * @returns undefined for a sale without an answer
   * @throws NeedsPreparation
   */
  answersTo(tables: TaxTables, sales: readonly Sale[]): (SaleTax | undefined)[] {
    const wanted = sales.map((sale) => {
      const document = documentOf(sale, tables)
      return { sale, document, digest: digestOf(document) }
    })
    const missing = wanted.filter(({ digest }) => !this.#asked.has(digest))
    if (missing.length > 0 && this.#count < PREPARATIONS_MAX) {
      throw new NeedsPreparation((db) => this.#ask(db, tables, missing))
    }
    return wanted.map(({ sale, digest }) => {
      const estimate = this.#asked.get(digest)
      if (!estimate?.ok) return undefined
      const amounts = linesOfSale(sale, tables.costClasses).map(({ amount }) => amount)
      const lines = taxesByAnswer(estimate.answer, amounts, sale.isInclusive)
      return { lines, byItem: itemsOf(sale, lines), provider: tables.provider?.provider_id }
    })
  }

  async #ask(db: Db, { provider: active }: TaxTables, missing: readonly { document: TaxDocument; digest: string }[]) {
    this.#count++
    const provider = active && (await findTaxProvider(db, active.provider_id))
    // One that was removed meanwhile is not asked: the next transaction reads the tables again.
    if (!provider || !isConfigured(provider)) return
    await Promise.all(
      missing.map(async ({ document, digest }) =>
        this.#asked.set(digest, await this.#estimates.ask(db, provider, document)),
      ),
    )
  }
}

/** Returns the quotes of a request. */
export type QuotesOf = (request: object) => TaxQuotes

/** Makes the quotes of requests. The transactions of one request share them, also when they run again. */
export function quotesByRequest(estimates: Estimates): QuotesOf {
  const made = new WeakMap<object, TaxQuotes>()
  return (request) => {
    const quotes = made.get(request) ?? new TaxQuotes(estimates)
    made.set(request, quotes)
    return quotes
  }
}

/** @throws Problem 503 */
function fallback(tables: TaxTables, sale: Sale): SaleTax | undefined {
  const { fallback_strategy: strategy } = tables.settings
  if (strategy === 'DISABLE') {
    throw new Problem(503, 'The tax provider of this store does not answer. Please try again later.')
  }
  if (strategy === 'BASIC') return undefined
  const lines = fixedTaxOf(sale, taxBasis(tables, sale.decimals), tables.costClasses)
  return { lines, byItem: itemsOf(sale, lines), provider: undefined }
}

/** @param lines in the order of `linesOfSale` */
function itemsOf({ consignments }: Sale, lines: readonly LineTax[]): Map<string, LineTax> {
  const found = new Map<string, LineTax>()
  let next = 0
  for (const { items } of consignments) {
    for (const { id, wrapping } of items) {
      const tax = lines[next]
      if (tax) found.set(id, tax)
      next += wrapping ? 2 : 1
    }
    // Shipping and handling.
    next += 2
  }
  return found
}
