import type { Db } from '../../../core/db/database.ts'
import type { Mistakes } from '../../../core/rest/input/mistakes.ts'
import { unknownId } from '../../../core/rest/problem.ts'
import { type CartItem, findCartItems } from '../../../goods/catalog/product-row/cart-items.ts'
import type { AmountReader } from './amounts.ts'
import type { NewQuoteLine } from './bodies.ts'
import type { QuoteLine } from './quote.ts'

/** The variants of lines. Lines without a variant name products with a base variant. */
export const itemsOfLines = (
  db: Db,
  lines: readonly { productId: number; variantId?: number }[],
): Promise<ReadonlyMap<number, CartItem>> =>
  findCartItems(db, {
    variants: lines.flatMap(({ variantId }) => variantId ?? []),
    products: lines.flatMap(({ productId, variantId }) => (variantId === undefined ? [productId] : [])),
    customFields: false,
  })

/** Settings that lines depend on. */
interface LineRules {
  /** Whether products that can't be bought become custom items. */
  takesCustomItems: boolean
  readAmount: AmountReader
}

/**
 * Reads the lines of a body. A line whose product can't be bought becomes a custom item if the store allows it.
 * @param mistakes gets a sentence for each unknown product or variant, missing option and malformed amount
 */
export function readLines(
  written: readonly NewQuoteLine[],
  items: ReadonlyMap<number, CartItem>,
  { takesCustomItems, readAmount }: LineRules,
  mistakes: Mistakes,
): QuoteLine[] {
  const bases = new Map(
    [...items.values()].flatMap((item) => (item.options.length === 0 ? [[item.product_id, item]] : [])),
  )
  return written.flatMap((line, i) => {
    const at = (field: string) => `productList.${i}.${field}`
    const { productId, variantId, options = [] } = line
    const item = variantId === undefined ? bases.get(productId) : items.get(variantId)
    const amounts = {
      basePrice: readAmount(line.basePrice, at('basePrice')),
      discount: readAmount(line.discount, at('discount')),
      offeredPrice: readAmount(line.offeredPrice, at('offeredPrice')),
    }
    if (item?.product_id !== productId) {
      mistakes[at(variantId === undefined ? 'productId' : 'variantId')] =
        variantId === undefined
          ? `The store has no product ${productId} without options.`
          : unknownId('variant', variantId)
      return []
    }
    if (!hasOptions(item, options)) mistakes[at('options')] = 'The variant has options. Send the value of each of them.'
    if (!item.is_available && !takesCustomItems) mistakes[at('productId')] = `${item.name} can't be bought.`
    return {
      productId,
      variantId: item.variant_id,
      productName: line.productName ?? item.name,
      sku: line.sku,
      ...amounts,
      quantity: line.quantity,
      orderQuantityMinimum: line.orderQuantityMinimum ?? item.order_quantity_minimum,
      orderQuantityMaximum: line.orderQuantityMaximum ?? item.order_quantity_maximum,
      imageUrl: line.imageUrl ?? '',
      options,
      purchasedHandled: !item.is_available,
    }
  })
}

/** Whether a line names the value of each option of its variant. */
export const hasOptions = (item: Pick<CartItem, 'options'>, options: QuoteLine['options']): boolean =>
  item.options.every(({ option_id, value_id }) =>
    options.some(({ optionId, optionValue }) => optionId === option_id && optionValue === String(value_id)),
  )
