import { Problem } from '../../../core/rest/problem.ts'
import type { CartItem } from '../../../goods/catalog/product-row/cart-items.ts'
import type { CartFacts } from '../evaluation/facts.ts'
import type { CartDocument } from '../row/document.ts'

/** A variant whose quantity is refused, with the sentence. */
interface WrongQuantity {
  product_id: number
  variant_id: number
  sentence: string
}

/** The refusal of quantities: the title is about the first of them. */
export class QuantityProblem extends Problem {
  readonly wrong: readonly WrongQuantity[]

  constructor(wrong: readonly [WrongQuantity, ...WrongQuantity[]]) {
    const [{ sentence }] = wrong
    super(409, sentence, { quantity: sentence })
    this.wrong = wrong
  }
}

/**
 * Checks the quantities of variants against the bounds of their products and the stock (docs/contract/carts.md section 4). Carts reserve
 * no stock.
 * @param touched the variants that the request adds or changes; the others were checked before
 * @throws QuantityProblem 409 about all of them
 */
export function refuseQuantities(document: CartDocument, touched: ReadonlySet<number>, { items }: CartFacts) {
  const [first, ...others] = [...touched].flatMap((variant_id): WrongQuantity[] => {
    const item = items.get(variant_id)
    if (!item) return []
    const { product_id } = item
    const ofProduct = unitsOf(document, (line) => line.product_id === product_id)
    const ofVariant = unitsOf(document, (line) => line.variant_id === variant_id)
    const sentence = faultOf(item, { ofProduct, ofVariant })
    return sentence === undefined ? [] : [{ product_id, variant_id, sentence }]
  })
  if (first) throw new QuantityProblem([first, ...others])
}

const unitsOf = ({ lines }: CartDocument, isSame: (line: CartDocument['lines'][number]) => boolean): number =>
  lines.filter(isSame).reduce((sum, { quantity }) => sum + quantity, 0)

function faultOf(
  { name, order_quantity_minimum: least, order_quantity_maximum: most, variant_stock, product_stock }: CartItem,
  { ofProduct, ofVariant }: { ofProduct: number; ofVariant: number },
): string | undefined {
  if (most > 0 && ofProduct > most) return `You can only purchase a maximum of ${most} of the ${name} per order`
  if (ofProduct > 0 && ofProduct < least) return `You need to purchase a minimum of ${least} of the ${name} per order`
  if (variant_stock !== null && ofVariant > variant_stock) return notEnoughStock(name, variant_stock)
  if (product_stock !== null && ofProduct > product_stock) return notEnoughStock(name, product_stock)
  return undefined
}

/** Public clients remove the first words, and show the rest to shoppers. */
export const notEnoughStock = (name: string, stock: number): string =>
  stock > 0 ? `Not enough stock: Only ${stock} of ${name} are left.` : `Not enough stock: ${name} is sold out.`
