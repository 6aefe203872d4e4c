import { ratio, roundTo, sumOf, unitsOf } from '../../../../../../core/money/units.ts'
import { addressOfPicture } from '../../../../../../core/rest/input/picture-addresses.ts'
import { isTaxable, toCatalogFields, wrappingOf } from '../../../../../../sales/carts/views/line-items.ts'
import type { StorefrontCaller } from '../../../../caller.ts'
import type { Fields } from '../../../types.ts'
import { findBrand } from '../../catalog/brands.ts'
import { choicesOf } from '../../catalog/rows/choices.ts'
import { findCard } from '../../catalog/rows/product-row.ts'
import { productOf, selectProduct } from '../../catalog/selection.ts'
import { bothOf, discountOf, type LineInView, withTwins } from './cart.ts'
import { selectedOption } from './selected-options.ts'

const wire = ({ line, view }: LineInView) => toCatalogFields(line, view.siteUrl)

const amounts = withTwins({
  discountedAmount: (parent: LineInView) => parent.view.money(wire(parent).discount_amount),
  couponAmount: (parent: LineInView) => parent.view.money(wire(parent).coupon_amount),
  listPrice: ({ line, view }: LineInView) => view.money(line.price),
  originalPrice: ({ line, view }: LineInView) => view.money(line.original),
  salePrice: ({ line, view }: LineInView) => view.money(ratio(line.sale, 1n, BigInt(line.quantity))),
  extendedListPrice: ({ line, view }: LineInView) => view.money(line.total),
  extendedSalePrice: ({ line, view }: LineInView) => view.money(line.sale),
  comparisonPrice: ({ line, view }: LineInView) => view.money(line.comparison),
  extendedComparisonPrice: ({ line, view }: LineInView) => view.money(line.comparison * BigInt(line.quantity)),
  retailPrice: ({ line, view: { facts, money } }: LineInView) => {
    const { currency, products } = facts.prices
    return money(ratio(unitsOf(products.get(line.product_id)?.retail_price ?? 0), currency.rate, currency.one))
  },
  taxTotal: ({ line, view: { result, money } }: LineInView) => {
    // Parts have eight places.
    const fine = sumOf(line.parts.map(({ tax }) => tax.inc - tax.ex))
    return money(roundTo(ratio(fine, 1n, 10_000n), result.decimals))
  },
})

/** The fields that lines of both kinds have. */
const lineFields = {
  ...amounts,
  entityId: ({ line }: LineInView) => line.id,
  parentEntityId: () => null,
  productEntityId: ({ line }: LineInView) => line.product_id,
  variantEntityId: ({ line }: LineInView) => line.variant_id,
  sku: ({ line }: LineInView) => line.item?.sku || null,
  name: ({ line }: LineInView) => line.name,
  url: ({ line, view }: LineInView) => `${view.siteUrl}${line.item?.path ?? ''}`,
  path: ({ line }: LineInView) => line.item?.path ?? '',
  imageUrl: ({ line }: LineInView, _: object, { storefront }: StorefrontCaller) =>
    line.item?.image_url ? addressOfPicture(storefront.picturesUrl, line.item.image_url) : null,
  image: ({ line }: LineInView) =>
    line.item?.image_url ? { kept: line.item.image_url, altText: line.name, isDefault: true } : null,
  brand: async ({ line }: LineInView, _: object, caller: StorefrontCaller) =>
    (await findBrand(caller, line.item?.brand_id ?? 0))?.name ?? null,
  quantity: ({ line }: LineInView) => line.quantity,
  isTaxable: ({ line }: LineInView) => isTaxable(line),
  isMutable: ({ line }: LineInView) => line.promotion_id === undefined,
  discounts: (parent: LineInView) => wire(parent).discounts.map((discount) => discountOf(parent.view, discount)),
  async selectedOptions({ line }: LineInView, _: object, caller: StorefrontCaller) {
    const chosen = line.input && 'modifiers' in line.input ? line.input : undefined
    const modifiers = chosen?.modifiers ?? []
    const types = modifiers.length > 0 ? await choicesOf(caller, line.product_id) : []
    return [
      ...(line.item?.options ?? []).map(({ option_id, name, value_id, value }) => {
        const texts = chosen?.texts.find((one) => one.option_id === option_id)
        const option = { option_id, name: texts?.name ?? name, value: texts?.value ?? value, value_id }
        return selectedOption('dropdown', option)
      }),
      ...modifiers.map((modifier) => {
        const type = types.find(({ id, isOption }) => !isOption && id === modifier.option_id)?.type
        return selectedOption(type ?? 'text', modifier)
      }),
    ]
  },
  addedByAttributeId: () => null,
  stockPosition: ({ line: { item, quantity } }: LineInView) => {
    const stock = item?.variant_stock ?? item?.product_stock ?? null
    if (stock === null) return null
    const quantityOnHand = Math.min(stock, quantity)
    return {
      quantityOnHand,
      quantityBackordered: 0,
      quantityOutOfStock: quantity - quantityOnHand,
      backorderMessage: null,
    }
  },
  baseCatalogProduct: async ({ line }: LineInView, _: object, caller: StorefrontCaller) => {
    const card = await findCard(caller, line.product_id)
    return card ? productOf(card) : null
  },
  async catalogProductWithOptionSelections({ line }: LineInView, _: object, caller: StorefrontCaller) {
    const modifiers = line.input && 'modifiers' in line.input ? line.input.modifiers : []
    const optionValueIds = modifiers.flatMap(({ option_id, value_id }) =>
      value_id === null ? [] : [{ optionEntityId: option_id, valueEntityId: value_id }],
    )
    return selectProduct(caller, { variantEntityId: line.variant_id, optionValueIds }, () => undefined)
  },
  bulkPrice: () => null,
}

export const cartLineFields: Fields<'CartPhysicalItem' | 'CartDigitalItem'> = {
  CartPhysicalItem: {
    ...lineFields,
    // The inputs of lines take no wrapping.
    allowGiftWrapping: () => false,
    isShippingRequired: () => true,
    giftWrapping({ line, view }) {
      const wrapping = wrappingOf(line)
      return (
        (wrapping && {
          name: wrapping.name,
          message: wrapping.message || null,
          ...bothOf('amount', view.money(wrapping.amount)),
        }) ??
        null
      )
    },
  },
  CartDigitalItem: lineFields,
}
