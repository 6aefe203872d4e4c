import type { Db } from '../../../core/db/database.ts'
import { roundFine } from '../../../core/money/fine.ts'
import { share, sumOf, type Units } from '../../../core/money/units.ts'
import { Problem } from '../../../core/rest/problem.ts'
import { findLocation } from '../../../goods/inventory/locations/location-shape.ts'
import { FIRST_LOCATION } from '../../../goods/stock/stock.ts'
import { taxTables } from '../../tax/calculation/tables.ts'
import { saleFacts } from '../../tax/estimates/facts.ts'
import { isServed, type SaleTax, type TaxQuotes } from '../../tax/estimates/quote.ts'
import type { Sale } from '../../tax/estimates/sale.ts'
import { originOf } from '../../tax/estimates/sale.ts'
import type { Component, RefundItem } from '../arithmetic/refund-quote.ts'
import { isQuoted } from '../calculation/provider-tax.ts'
import { type Refundable, refundableComponents } from './refundable.ts'
import type { RefundedItems } from './rows.ts'
import { saleOfOrder } from './sale-of-order.ts'

// An order whose tax came from the store's tax provider pays back the tax that the provider takes off. The provider is asked about the rest
// of the order, as an adjustment will have it. The tax of a refund is first a share of the recorded tax; a correction is the difference
// between the recorded tax of the rest and the provider's tax of it. There is no fall-back (docs/contract/refunds.md section 2).

/** Items of an order that are to be refunded, without mistakes. */
interface RefundToTax {
  refundable: Refundable
  items: readonly RefundItem[]
}

/** A refund whose tax the provider decides. */
interface AskedRefund {
  refundable: Refundable
  /** The order after the refund. */
  rest: Sale
  components: readonly Component[]
}

/** The provider of the store gave no answer: refunds have no fall-back. */
export const NO_TAX_ANSWER = new Problem(503, 'The tax provider of this store does not answer. Please try again later.')

/**
 * Returns the correction of each refund: 0 for an order whose tax came from elsewhere, undefined without an answer of the provider.
 * @param quotes without them no provider is asked
 * @throws NeedsPreparation, with which the answers are asked for outside of any transaction
 */
export async function taxCorrections(
  db: Db,
  quotes: TaxQuotes | undefined,
  wanted: readonly RefundToTax[],
): Promise<(Units | undefined)[]> {
  const mayBeAsked = quotes !== undefined && wanted.some(isTaxedByProvider)
  const tables = mayBeAsked ? await taxTables(db) : undefined
  if (!quotes || !tables?.provider) return wanted.map(() => 0n)
  const { provider } = tables
  const refunds = await refundsToAsk(
    db,
    wanted.map((one) =>
      isTaxedByProvider(one) && one.refundable.row.tax_provider_id === provider.provider_id ? one : undefined,
    ),
  )
  const served = refunds.map((one) => (one && isServed(tables, one.rest) ? one : undefined))
  const taxed = served.flatMap((one) => (one && hasQuotedItems(one) ? [one] : []))
  const answers = quotes.answersTo(
    tables,
    taxed.map(({ rest }) => rest),
  )
  const answerOf = new Map(taxed.map((one, i) => [one, answers[i]]))
  return served.map((one) => {
    if (!one) return 0n
    const answer = answerOf.get(one)
    return hasQuotedItems(one) && !answer ? undefined : correctionOf(one, answer)
  })
}

/** Refunds of an amount or of tax alone don't change what is taxed. */
const isTaxedByProvider = ({ refundable, items }: RefundToTax): boolean =>
  refundable.parts.lines.some(isQuoted) && items.some(({ item_type }) => item_type !== 'ORDER' && item_type !== 'TAX')

/** Reads the facts of the orders that are asked about; the others stay undefined. */
async function refundsToAsk(
  db: Db,
  wanted: readonly (RefundToTax | undefined)[],
): Promise<(AskedRefund | undefined)[]> {
  if (wanted.every((one) => one === undefined)) return wanted.map(() => undefined)
  const location = await findLocation(db, FIRST_LOCATION)
  const facts = await db.together(() => wanted.map((one) => one && factsOf(db, one.refundable)))
  const origin = originOf(location?.address)
  return wanted.map((one, i) => {
    const found = facts[i]
    if (!one || !found) return undefined
    const { refundable, items } = one
    const { row, parts, live } = refundable
    const refunds = [...live, { items: items.map(toRefunded) }]
    return {
      refundable,
      rest: saleOfOrder({ order: row, ...parts, refunds, facts: found, origin }),
      components: refundableComponents(row, parts, refunds),
    }
  })
}

const factsOf = (db: Db, { row, parts }: Refundable) =>
  saleFacts(db, { customerId: row.customer_id, productIds: parts.lines.map(({ product_id }) => product_id) })

const toRefunded = ({ item_type, item_id, quantity, amount }: RefundItem): RefundedItems['items'][number] => {
  const isCounted = item_type === 'PRODUCT' || item_type === 'GIFT_WRAPPING'
  return {
    item_type,
    item_id,
    quantity: isCounted ? (quantity ?? null) : null,
    requested_amount: isCounted ? null : (amount ?? null),
  }
}

/** Whether items remain whose tax the provider has calculated. Without any there is nothing to ask. */
const hasQuotedItems = ({ refundable, rest }: AskedRefund): boolean => {
  const quoted = new Set(refundable.parts.lines.filter(isQuoted).map(({ id }) => String(id)))
  return rest.consignments.some(({ items }) => items.some(({ id }) => quoted.has(id)))
}

/** The difference of the rest, less those that earlier refunds have paid back. */
function correctionOf({ refundable, components }: AskedRefund, answer: SaleTax | undefined): Units {
  const quoted = new Set(refundable.parts.lines.filter(isQuoted).map(({ id }) => id))
  const differences = components
    .filter(({ type, id }) => type === 'PRODUCT' && quoted.has(id))
    .map(({ id, tax, size, done }) => {
      const answered = answer?.byItem.get(String(id))?.tax ?? 0n
      return share(tax, done, size - done, size) - roundFine(answered, TAX_DECIMALS)
    })
  return sumOf(differences) - sumOf(refundable.order.refunds.map(({ correction }) => correction))
}

const TAX_DECIMALS = 4
