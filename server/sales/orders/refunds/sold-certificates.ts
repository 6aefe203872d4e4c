import type { Db, Tx } from '../../../core/db/database.ts'
import { amountOf, minorUnit, smaller, type Units, unitsOf } from '../../../core/money/units.ts'
import { lockCertificates, takeBackCertificates, unspentBalances } from '../../promotions/purchased-certificates.ts'
import { type Quote, type RefundableOrder, remainingOf } from '../arithmetic/refund-quote.ts'
import type { LineRow, OrderRow } from '../row/rows.ts'
import { wasPaid } from '../writing/status/placement.ts'
import type { NewQuote, NewRefund } from './bodies.ts'

// Refunds of gift certificates that an order has sold (docs/contract/refunds.md section 1). The refund of such a line returns the unspent part of
// its price, as an adjustment of the item, and takes the certificate back in the same transaction.

/** The certificate of an order line. */
export interface SoldCertificate {
  id: number
  price: Units
  /** The part of the price that is left, in whole minor units. */
  unspent: Units
}

/** An order with the certificates that it sells, by the ids of their lines. */
interface SellingOrder {
  row: OrderRow
  order: RefundableOrder
  parts: { lines: readonly LineRow[] }
  sold: ReadonlyMap<number, SoldCertificate>
}

type SellingLine = Pick<LineRow, 'id' | 'order_id' | 'gift_certificate_id' | 'price_inc_tax' | 'quantity_refunded'>

/**
 * Reads the certificates that orders have sold. Those that were refunded are left out, and one whose currency was changed has nothing unspent.
 * @returns by order, then by line
 */
export async function soldCertificates(
  db: Db,
  orders: readonly Pick<OrderRow, 'id' | 'currency_code' | 'currency_decimals'>[],
  lines: readonly SellingLine[],
): Promise<Map<number, Map<number, SoldCertificate>>> {
  const selling = lines.flatMap(({ gift_certificate_id, ...line }) =>
    gift_certificate_id === null || line.quantity_refunded > 0 ? [] : [{ ...line, certificate: gift_certificate_id }],
  )
  const ids = selling.map(({ certificate }) => certificate)
  const balances = new Map((await unspentBalances(db, ids)).map((balance) => [balance.id, balance]))
  return new Map(
    orders.map(({ id, currency_code, currency_decimals }) => {
      const sold = selling
        .filter(({ order_id }) => order_id === id)
        .map((line): [number, SoldCertificate] => {
          const price = unitsOf(line.price_inc_tax)
          const found = balances.get(line.certificate)
          const isPossible = found !== undefined && (found.currency_code ?? currency_code) === currency_code
          const left = isPossible ? smaller(unitsOf(found.balance), price) : 0n
          return [line.id, { id: line.certificate, price, unspent: left - (left % minorUnit(currency_decimals)) }]
        })
      return [id, new Map(sold)]
    }),
  )
}

/** The certificates of a locked order, which nobody can spend until the transaction ends. */
export async function lockSold(tx: Tx, { row, parts, sold }: SellingOrder): Promise<SellingOrder['sold']> {
  if (sold.size === 0) return sold
  await lockCertificates(
    tx,
    [...sold.values()].map(({ id }) => id),
  )
  return (await soldCertificates(tx, [row], parts.lines)).get(row.id) ?? sold
}

/** Adds an adjustment to the items of certificates that were spent. */
export function withSpent<Body extends NewQuote | NewRefund>({ sold }: Pick<SellingOrder, 'sold'>, body: Body): Body {
  if (!body.items || sold.size === 0) return body
  const items = body.items.map((item) => {
    const certificate = item.item_type === 'PRODUCT' ? sold.get(item.item_id) : undefined
    const spent = certificate ? certificate.price - certificate.unspent : 0n
    if (spent === 0n) return item
    const adjustment = { amount: amountOf(-spent), description: 'The spent part of the gift certificate' }
    return { ...item, adjustments: [...(item.adjustments ?? []), adjustment] }
  })
  return { ...body, items }
}

/**
 * Takes the certificates of a refund back: those of its items, and all that are left if it returns the rest of the money of the order.
 * @param refundable its certificates are locked
 */
export async function takeBackSold(tx: Tx, { row, order, sold }: SellingOrder, quote: Quote) {
  const isRest = quote.total >= remainingOf(order)
  const lines = new Set(quote.moves.flatMap(({ component: { type, id } }) => (type === 'PRODUCT' ? [id] : [])))
  const taken = [...sold].filter(([line]) => isRest || lines.has(line))
  if (taken.length === 0) return []
  const shares = new Map(taken.map(([, { id, unspent }]) => [id, unspent]))
  return takeBackCertificates(tx, { id: row.id, wasPaid: await wasPaid(tx, row) }, shares)
}
