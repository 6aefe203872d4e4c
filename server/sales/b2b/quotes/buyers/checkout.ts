import type { Db, Tx } from '../../../../core/db/database.ts'
import { Problem } from '../../../../core/rest/problem.ts'
import { findCartItems } from '../../../../goods/catalog/product-row/cart-items.ts'
import type { CompanyCaller } from '../../shared/caller.ts'
import { cartOfQuote, type QuoteCartParts } from '../checkout.ts'
import { lockQuote, type QuoteLine } from '../quote.ts'
import { faultOf } from './asking.ts'
import { FaultyLines } from './problem.ts'

/**
 * Checks a quote out for a buyer, into a cart of the buyer. Other than the seller, a buyer needs the permission of the seller on the
 * quote, and enough stock.
 * @param customerId the customer of the cart; 0 for a guest
 * @throws FaultyLines 422 for products that can't be bought any more, or of which too few are left
 * @throws Problem 404, 422 for a quote that is not open, or whose checkout is not allowed
 */
export function checkOutForBuyer(
  db: Db,
  caller: CompanyCaller,
  { id, customerId }: { id: number; customerId: number },
  parts: QuoteCartParts,
) {
  return db.transaction(async (tx) => {
    const quote = await lockQuote(tx, caller, id, 'checkout_with_quote')
    if (!quote.allow_checkout) throw new Problem(422, 'The seller does not allow the checkout of this quote.')
    await refuseFaulty(tx, quote.lines)
    return cartOfQuote(tx, quote, customerId, parts)
  })
}

/** Lines without a product that can be bought become custom items, which have no stock. */
async function refuseFaulty(tx: Tx, lines: readonly QuoteLine[]) {
  const bought = lines
    .map((line, position) => ({ ...line, position }))
    .filter(({ purchasedHandled }) => !purchasedHandled)
  const variants = bought.map(({ variantId }) => variantId)
  const items = await findCartItems(tx, { variants, products: [], customFields: false })
  const unitsOf = (isSame: (line: QuoteLine) => boolean) =>
    bought.filter(isSame).reduce((sum, { quantity }) => sum + quantity, 0)
  const faulty = bought.flatMap((line) => {
    const item = items.get(line.variantId)
    if (!item) {
      const { position, productId, variantId, productName } = line
      return { line: position, productId, variantId, productName, code: 'NON_PURCHASABLE' as const }
    }
    if (!item.is_available) return faultOf(item, line.position, 'NON_PURCHASABLE')
    const isShort = (stock: number | null, wanted: number) => stock !== null && stock < wanted
    const ofVariant = unitsOf(({ variantId }) => variantId === line.variantId)
    const ofProduct = unitsOf(({ productId }) => productId === line.productId)
    return isShort(item.variant_stock, ofVariant) || isShort(item.product_stock, ofProduct)
      ? faultOf(item, line.position, 'OOS')
      : []
  })
  if (faulty.length > 0) throw new FaultyLines(faulty)
}
