import type { Db } from '../../../../../core/db/database.ts'
import { sql } from '../../../../../core/db/sql.ts'
import { addressOfPicture } from '../../../../../core/rest/input/picture-addresses.ts'
import { fold } from '../../../../../core/rest/lists/fold.ts'
import { invalid } from '../../../../../core/rest/problem.ts'
import { matchesSearch, searchCondition } from '../../../../../goods/catalog/product-row/names.ts'
import { variantsOfProducts } from '../../../../../goods/catalog/variants/references.ts'
import { siteUrlOf } from '../../../../../shop/channels/sites/shape.ts'
import { type ChoiceRow, readChoices } from '../../../../storefront/graphql/fields/catalog/rows/choices.ts'
import { isVisibleProduct, shopperVisibility } from '../../../../storefront/graphql/fields/catalog/rows/visibility.ts'
import { type BuyerCaller, channelHere, storeOf } from '../../caller.ts'
import type { QueryFields } from '../../types.ts'
import { given } from '../companies.ts'
import {
  type ItemPrice,
  type ItemShopper,
  isRowId,
  itemPrices,
  itemShopper,
  type PricedConfiguration,
  stockOf,
  type VisibleItem,
  visibleItems,
  visibleProducts,
} from './items.ts'

// Products for buyers (docs/contract/b2b-graphql.md section 10).

/** The items of one request. */
const ITEMS_MAX = 250
/** The products of a search. */
const FOUND = { usual: 50, max: 100 } as const

export const productQueries: QueryFields<
  | 'productsSearch'
  | 'variantSku'
  | 'priceProducts'
  | 'productPurchasable'
  | 'productsLoad'
  | 'productsInventory'
  | 'productVariantsInfo'
  | 'validateProduct'
  | 'validateProducts'
> = {
  async productsSearch(_, args, caller) {
    const shopper = await shopperFor(caller, args)
    const ids = (args.productIds ?? []).flatMap((id) => id ?? [])
    refuseMany(ids.length)
    const limit = Math.min(FOUND.max, Math.max(1, args.limit ?? FOUND.usual))
    const found =
      ids.length > 0 ? ids : await searched(shopper, given(args.search), { limit, offset: args.offset ?? 0 })
    return productsToAnswer(caller, shopper, found, given(args.currencyCode))
  },
  async variantSku(_, { storeHash, variantSkus, currencyCode, channelId }, caller) {
    const shopper = await shopperFor(caller, { storeHash, channelId })
    const skus = variantSkus.flatMap((sku) => sku ?? [])
    refuseMany(skus.length)
    const ids = await variantsOfSkus(shopper.db, skus)
    const items = await visibleItems(shopper, [...ids.values()])
    const list = [...items.values()]
    const prices = await itemPrices(shopper, list.map(configurationOf), given(currencyCode))
    const choices = await readChoices(
      shopper.db,
      list.map(({ product_id }) => product_id),
    )
    return list.map((item, i) => quickToAnswer(caller, item, prices[i], choices.get(item.product_id) ?? []))
  },
  async priceProducts(_, { storeHash, channelId, currencyCode, items }, caller) {
    const shopper = await shopperFor(caller, { storeHash, channelId })
    const wanted = items.flatMap((item) => item ?? [])
    refuseMany(wanted.length)
    const visible = await visibleProducts(
      shopper,
      wanted.map(({ productId }) => productId),
    )
    const configurations = wanted
      .filter(({ productId }) => visible.get(productId)?.is_price_hidden === false)
      .map(
        ({ productId, variantId, options }): PricedConfiguration => ({
          product_id: productId,
          ...(variantId ? { variant_id: variantId } : {}),
          options: (options ?? []).flatMap((option) =>
            option?.optionId && option.valueId != null
              ? [{ option_id: option.optionId, value_id: option.valueId }]
              : [],
          ),
        }),
      )
    const prices = await itemPrices(shopper, configurations, given(currencyCode))
    return prices.flatMap((price) => (price ? [priceToAnswer(price)] : []))
  },
  async productPurchasable(_, { storeHash, productId, sku, isProduct }, caller) {
    const shopper = await shopperFor(caller, { storeHash })
    const [item] = await itemsOf(shopper, { productId: productId ?? 0, sku: given(sku), isProduct: isProduct ?? true })
    if (!item) return null
    const stock = stockOf(item)
    return {
      availability: item.is_available ? 'available' : 'disabled',
      inventoryLevel: stock ?? 0,
      inventoryTracking: item.inventory_tracking,
      purchasingDisabled: !item.is_available,
      availableToSell: stock ?? 0,
      unlimitedBackorder: false,
    }
  },
  async productsLoad(_, { currencyCode, productList }, caller) {
    const shopper = await shopperFor(caller, {})
    const wanted = productList.flatMap((product) => product ?? [])
    refuseMany(wanted.length)
    const items = [
      ...(
        await visibleItems(
          shopper,
          wanted.map(({ variantId }) => variantId),
        )
      ).values(),
    ]
    const prices = await itemPrices(shopper, items.map(configurationOf), given(currencyCode))
    const choices = await readChoices(
      shopper.db,
      items.map(({ product_id }) => product_id),
    )
    return items.map((item, i) => ({
      productId: item.product_id,
      variantId: item.variant_id,
      companyId: caller.shopper?.buyer?.acting ?? null,
      channelId: [shopper.channel],
      storeHash: shopper.db.store.hash,
      sku: item.sku,
      imageUrl: pictureOf(caller, item),
      hasPriceList: false,
      bulkPrices: [],
      purchasingDisabled: !item.is_available,
      costPrice: '0',
      inventoryLevel: stockOf(item) ?? 0,
      modifiers: modifiersOf(choices.get(item.product_id) ?? []),
      isAvailable: item.is_available,
      calculatedPrice: priceText(item, prices[i]),
      currencyCode,
      optionValues: item.options.map(optionValueOf),
      availability: item.is_available ? 'available' : 'disabled',
      isPriceHidden: item.is_price_hidden,
    }))
  },
  async productsInventory(_, { products }, caller) {
    const shopper = await shopperFor(caller, {})
    const wanted = products.flatMap((product) => product ?? [])
    refuseMany(wanted.length)
    const bases = await visibleProducts(
      shopper,
      wanted.map(({ productId }) => productId),
    )
    const variantOf = ({ productId, variantId }: { productId: number; variantId?: number | null }) =>
      variantId ?? bases.get(productId)?.base_variant_id ?? 0
    const items = await visibleItems(shopper, wanted.map(variantOf))
    const choices = await readChoices(shopper.db, [...bases.keys()])
    return wanted.flatMap((one) => {
      const item = items.get(variantOf(one))
      if (!item) return []
      return {
        productId: item.product_id,
        variantId: item.variant_id,
        quantity: one.quantity ?? 0,
        modifiers: modifiersOf(choices.get(item.product_id) ?? []),
        productInventoryTracking: item.inventory_tracking,
        productInventoryLevel: item.product_stock ?? 0,
        productInventoryWarningLevel: 0,
        variantInventoryLevel: item.variant_stock ?? item.product_stock ?? 0,
        variantInventoryWarningLevel: 0,
        purchasingDisabled: !item.is_available,
        isVisible: true,
      }
    })
  },
  async productVariantsInfo(_, { productId }, caller) {
    const shopper = await shopperFor(caller, {})
    const id = /^\d{1,9}$/.test(productId) ? Number(productId) : 0
    const items = await itemsOf(shopper, { productId: id, sku: undefined, isProduct: false })
    return items.map(({ sku, variant_id }) => ({ sku, variantId: variant_id }))
  },
  async validateProduct(_, { storeHash, channelId, target, ...product }, caller) {
    const shopper = await shopperFor(caller, { storeHash, channelId })
    const [outcome] = await validated(shopper, [product], target)
    return outcome ?? null
  },
  async validateProducts(_, { storeHash, channelId, target, products }, caller) {
    const shopper = await shopperFor(caller, { storeHash, channelId })
    const wanted = products.flatMap((product) => product ?? [])
    refuseMany(wanted.length)
    const outcomes = await validated(shopper, wanted, target)
    return { isValid: outcomes.every(({ responseType }) => responseType === 'SUCCESS'), products: outcomes }
  },
}

async function shopperFor(
  caller: BuyerCaller,
  { storeHash, channelId }: { storeHash?: string | null; channelId?: number | null },
): Promise<ItemShopper> {
  return itemShopper(caller, await storeOf(caller, storeHash), channelHere(caller, channelId))
}

/** @throws Problem 422 */
function refuseMany(count: number) {
  if (count > ITEMS_MAX) throw invalid({ items: `At most ${ITEMS_MAX} items may be asked for at once.` })
}

const configurationOf = ({ product_id, variant_id }: VisibleItem): PricedConfiguration => ({ product_id, variant_id })

/** The ids of visible products whose name or SKU contains a text. */
async function searched(
  { db, channel, customer }: ItemShopper,
  text: string | undefined,
  { limit, offset }: { limit: number; offset: number },
): Promise<number[]> {
  if (text === undefined) return []
  const search = searchCondition(db, { keyword: text })
  if (!search) return []
  const visibility = await shopperVisibility({ db, channel }, customer)
  const rows = await db.rows<{ id: number }>(sql`
    select id from products where store_id = ${db.store.id} and ${matchesSearch(db, search)}
      and ${isVisibleProduct(visibility, 'inLists')}
    order by sort_order, id limit ${limit} offset ${Math.max(0, offset)}`)
  return rows.map(({ id }) => id)
}

/** The variants with SKUs, by the folded SKU. The SKU of a product without options is that of its base variant. */
export async function variantsOfSkus(db: Db, skus: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const keys = [...new Set(skus.map(fold))].filter((key) => key !== '')
  if (keys.length === 0) return new Map()
  const rows = await db.rows<{ key: string; id: number }>(sql`
    select sku_key as key, variant_id as id from skus
    where store_id = ${db.store.id} and sku_key = any(${keys}) and variant_id > 0
    union all
    select skus.sku_key, product.base_variant_id from skus join products product
      on product.store_id = ${db.store.id} and product.id = skus.product_id and product.base_variant_id is not null
    where skus.store_id = ${db.store.id} and skus.sku_key = any(${keys}) and skus.variant_id = 0`)
  return new Map(rows.map(({ key, id }) => [key, id]))
}

/** The variants of one product, or the one with a SKU. */
async function itemsOf(
  shopper: ItemShopper,
  { productId, sku, isProduct }: { productId: number; sku: string | undefined; isProduct: boolean },
): Promise<VisibleItem[]> {
  const { db } = shopper
  if (sku !== undefined) {
    const ids = await variantsOfSkus(db, [sku])
    const found = [...(await visibleItems(shopper, [...ids.values()])).values()]
    return found.filter(({ product_id }) => productId === 0 || product_id === productId)
  }
  if (!isRowId(productId)) return []
  const rows = await db.rows<{ id: number }>(sql`${variantsOfProducts(db, [productId])} order by id limit ${ITEMS_MAX}`)
  const items = [
    ...(
      await visibleItems(
        shopper,
        rows.map(({ id }) => id),
      )
    ).values(),
  ]
  return isProduct ? items.slice(0, 1) : items
}

/** Products with their variants, in the order of the ids. */
async function productsToAnswer(
  caller: BuyerCaller,
  shopper: ItemShopper,
  ids: readonly number[],
  currency: string | undefined,
) {
  const { db, channel } = shopper
  const products = await visibleProducts(shopper, ids)
  const known = [...new Set(ids)].filter((id) => products.has(id))
  const variants = await db.rows<{ id: number }>(sql`
    ${variantsOfProducts(db, known)} order by product_id, id limit ${VARIANTS_MAX}`)
  const items = await visibleItems(
    shopper,
    variants.map(({ id }) => id),
  )
  const list = [...items.values()].sort((one, other) => one.variant_id - other.variant_id)
  const prices = await itemPrices(shopper, list.map(configurationOf), currency)
  const priceOf = new Map(list.map((item, i) => [item.variant_id, prices[i]]))
  const ofProduct = Map.groupBy(list, ({ product_id }) => product_id)
  const choices = await readChoices(db, known)
  const url = await siteUrlOf(db, channel, caller.parts.sites)
  return known.flatMap((id) => {
    const product = products.get(id)
    const own = ofProduct.get(id) ?? []
    if (!product) return []
    const rows = choices.get(id) ?? []
    const options = rows.filter(({ isOption }) => isOption)
    const stock = product.inventory_tracking === 'none' ? 0 : product.inventory_level
    return {
      id,
      name: product.name,
      sku: product.sku,
      costPrice: '0',
      inventoryLevel: stock,
      inventoryTracking: product.inventory_tracking,
      availability: product.availability,
      orderQuantityMinimum: product.order_quantity_minimum,
      orderQuantityMaximum: product.order_quantity_maximum,
      variants: own.map((item) => variantToAnswer(caller, item, priceOf.get(item.variant_id))),
      currencyCode: currency ?? '',
      imageUrl: own[0] ? pictureOf(caller, own[0]) : '',
      modifiers: modifiersOf(rows),
      options: options.map((option, position) => ({
        option_id: option.id,
        display_name: option.display_name,
        sort_order: position,
        is_required: true,
      })),
      optionsV3: options.map((option, position) => choiceToAnswer(option, position)),
      channelId: [channel],
      productUrl: `${url}${product.path}`,
      taxClassId: product.tax_class_id,
      isPriceHidden: product.is_price_hidden,
      availableToSell: stock,
      unlimitedBackorder: false,
      totalOnHand: stock,
      backorderMessage: '',
    }
  })
}

/** The variants of one answer. */
const VARIANTS_MAX = 2_000

export const pictureOf = ({ parts }: BuyerCaller, { image_url }: Pick<VisibleItem, 'image_url'>): string =>
  image_url === '' ? '' : addressOfPicture(parts.publicUrl, image_url)

const optionValueOf = ({ option_id, name, value_id, value }: VisibleItem['options'][number]) => ({
  id: value_id,
  label: value,
  option_id,
  option_display_name: name,
})

function variantToAnswer(caller: BuyerCaller, item: VisibleItem, price: ItemPrice | undefined) {
  const stock = stockOf(item) ?? 0
  return {
    variant_id: item.variant_id,
    product_id: item.product_id,
    sku: item.sku,
    option_values: item.options.map(optionValueOf),
    calculated_price: visiblePrice(item, price)?.calculated_price.as_entered ?? 0,
    image_url: pictureOf(caller, item),
    has_price_list: false,
    bulk_prices: visiblePrice(item, price)?.bulk_pricing ?? [],
    purchasing_disabled: !item.is_available,
    cost_price: 0,
    inventory_level: stock,
    available_to_sell: stock,
    unlimited_backorder: false,
    total_on_hand: stock,
    backorder_message: '',
    bc_calculated_price: visiblePrice(item, price)?.calculated_price ?? NO_PRICE,
  }
}

const NO_PRICE = { as_entered: 0, tax_inclusive: 0, tax_exclusive: 0, entered_inclusive: false }

/** The price of an item, unless it is hidden. */
const visiblePrice = ({ is_price_hidden }: VisibleItem, price: ItemPrice | undefined) =>
  is_price_hidden ? undefined : price

export const priceText = (item: VisibleItem, price: ItemPrice | undefined): string =>
  String(visiblePrice(item, price)?.calculated_price.as_entered ?? '')

export function quickToAnswer(
  caller: BuyerCaller,
  item: VisibleItem,
  price: ItemPrice | undefined,
  choices: readonly ChoiceRow[],
) {
  const stock = stockOf(item)
  return {
    isStock: stock === null ? '0' : '1',
    stock: stock ?? 0,
    calculatedPrice: priceText(item, price),
    imageUrl: pictureOf(caller, item),
    productId: String(item.product_id),
    variantId: String(item.variant_id),
    baseSku: item.sku,
    productName: item.name,
    categories: item.categories.map((id) => JSON.stringify(id)),
    option: item.options.map(optionValueOf),
    isVisible: '1',
    minQuantity: item.order_quantity_minimum,
    maxQuantity: item.order_quantity_maximum,
    modifiers: modifiersOf(choices),
    purchasingDisabled: item.is_available ? '0' : '1',
    variantSku: item.sku,
    inventoryTracking: item.inventory_tracking,
    availableToSell: stock ?? 0,
    unlimitedBackorder: false,
    totalOnHand: stock ?? 0,
    backorderMessage: '',
  }
}

const modifiersOf = (choices: readonly ChoiceRow[]) =>
  choices.filter(({ isOption }) => !isOption).map((choice, position) => choiceToAnswer(choice, position))

const choiceToAnswer = (choice: ChoiceRow, position: number) => ({
  id: choice.id,
  product_id: choice.product_id,
  name: choice.display_name,
  display_name: choice.display_name,
  type: choice.type,
  required: choice.required,
  sort_order: position,
  config: choice.config,
  option_values: choice.values.map(({ id, label, is_default, value_data }, i) => ({
    id,
    label,
    sort_order: i,
    value_data,
    is_default,
  })),
})

const taxPriceToAnswer = (price: ItemPrice['price'] | undefined) =>
  price
    ? {
        asEntered: price.as_entered,
        enteredInclusive: price.entered_inclusive,
        taxExclusive: price.tax_exclusive,
        taxInclusive: price.tax_inclusive,
      }
    : null

const rangeToAnswer = (range: ItemPrice['price_range']) =>
  range ? { minimum: taxPriceToAnswer(range.minimum), maximum: taxPriceToAnswer(range.maximum) } : null

function priceToAnswer(price: ItemPrice) {
  const options = price.options.map(({ option_id, value_id }) => ({ optionId: option_id, valueId: value_id }))
  const { reference_request: asked } = price
  return {
    productId: price.product_id,
    variantId: price.variant_id ?? null,
    options,
    referenceRequest: {
      productId: asked.product_id,
      variantId: asked.variant_id ?? null,
      options: (asked.options ?? []).map(({ option_id, value_id }) => ({ optionId: option_id, valueId: value_id })),
    },
    retailPrice: taxPriceToAnswer(price.retail_price),
    salePrice: taxPriceToAnswer(price.sale_price),
    minimumAdvertisedPrice: taxPriceToAnswer(price.minimum_advertised_price),
    saved: taxPriceToAnswer(price.saved),
    price: taxPriceToAnswer(price.price),
    calculatedPrice: taxPriceToAnswer(price.calculated_price),
    priceRange: rangeToAnswer(price.price_range),
    retailPriceRange: rangeToAnswer(price.retail_price_range),
    bulkPricing: price.bulk_pricing.map((tier) => ({
      minimum: tier.minimum,
      maximum: tier.maximum,
      discountAmount: tier.discount_amount,
      discountType: tier.discount_type,
      taxDiscountAmount: tier.tax_discount_amount.map(taxPriceToAnswer),
    })),
  }
}

interface WantedProduct {
  productId: number
  variantId: number
  quantity: number
  productOptions?: readonly unknown[] | null
}

/** Whether products can be put into a cart, or into a quote, for which their stock does not count. */
async function validated(shopper: ItemShopper, wanted: readonly WantedProduct[], target: string | null | undefined) {
  const items = await visibleItems(
    shopper,
    wanted.map(({ variantId }) => variantId),
  )
  return wanted.map(({ productId, variantId, quantity }) => {
    const item = items.get(variantId)
    const found = item?.product_id === productId ? item : undefined
    const stock = found ? stockOf(found) : null
    const product = {
      productId,
      variantId,
      sku: found?.sku ?? '',
      availableToSell: stock ?? 0,
      unlimitedBackorder: false,
    }
    const fault = faultOf(found, quantity, target)
    return fault
      ? { responseType: 'ERROR', ...fault, product }
      : { responseType: 'SUCCESS', message: '', errorCode: null, product }
  })
}

function faultOf(item: VisibleItem | undefined, quantity: number, target: string | null | undefined) {
  if (!item) return { errorCode: 'OTHER', message: 'The product does not exist.' }
  if (!item.is_available)
    return { errorCode: 'NON_PURCHASABLE', message: `${item.name} can't be bought at the moment.` }
  const { order_quantity_minimum: least, order_quantity_maximum: most } = item
  if (quantity < Math.max(1, least) || (most > 0 && quantity > most)) {
    return { errorCode: 'INVALID_FIELDS', message: `The quantity of ${item.name} is out of its bounds.` }
  }
  const stock = stockOf(item)
  if (target !== 'QUOTE' && stock !== null && stock < quantity) {
    return { errorCode: 'OOS', message: `${item.name} does not have enough stock.` }
  }
  return undefined
}
