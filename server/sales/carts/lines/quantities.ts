import { Problem } from '../../../core/rest/problem.ts'
import type { CartItem } from '../../../goods/catalog/product-row/cart-items.ts'
import type { CartFacts } from '../evaluation/facts.ts'
import type { CartDocument } from '../row/document.ts'

/**
 * Checks the quantities of variants against the bounds of their products and the stock (docs/contract/carts.md section 4). Carts reserve
 * no stock.
 * @param touched the variants that the request adds or changes; the others were checked before
 * @throws Problem 409 about the first of them
 */
export function refuseQuantities(document: CartDocument, touched: ReadonlySet<number>, { items }: CartFacts) {
  for (const variant of touched) {
    const item = items.get(variant)
    if (!item) continue
    const ofProduct = unitsOf(document, ({ product_id }) => product_id === item.product_id)
    const ofVariant = unitsOf(document, ({ variant_id }) => variant_id === variant)
    if (ofProduct > 0) refuseBounds(item, ofProduct)
    refuseStock(item, item.variant_stock, ofVariant)
    refuseStock(item, item.product_stock, ofProduct)
  }
}

const unitsOf = ({ lines }: CartDocument, isSame: (line: CartDocument['lines'][number]) => boolean): number =>
  lines.filter(isSame).reduce((sum, { quantity }) => sum + quantity, 0)

function refuseBounds({ name, order_quantity_minimum: least, order_quantity_maximum: most }: CartItem, units: number) {
  if (most > 0 && units > most) refuseQuantity(`You can only purchase a maximum of ${most} of the ${name} per order`)
  if (units < least) refuseQuantity(`You need to purchase a minimum of ${least} of the ${name} per order`)
}

function refuseStock({ name }: CartItem, stock: number | null, wanted: number) {
  if (stock !== null && wanted > stock) {
    refuseQuantity(notEnoughStock(name, stock))
  }
}

/** Public clients remove the first words, and show the rest to shoppers. */
export const notEnoughStock = (name: string, stock: number): string =>
  stock > 0 ? `Not enough stock: Only ${stock} of ${name} are left.` : `Not enough stock: ${name} is sold out.`

function refuseQuantity(sentence: string): never {
  throw new Problem(409, sentence, { quantity: sentence })
}
