import type { StorefrontCaller } from '../../../caller.ts'
import type { Fields } from '../../types.ts'
import { connectionOf } from '../connections.ts'
import { globalId } from '../global-ids.ts'
import { metafieldConnection } from '../metafields.ts'
import { localeAlternates } from '../settings/alternates.ts'
import { brandLoad } from './brands.ts'
import { categoriesOfProduct } from './categories.ts'
import { type ProductPage, relatedProducts } from './lists.ts'
import { measurement } from './measurement.ts'
import { plainOptionConnection, productOptionConnection } from './options.ts'
import { customFieldLoad, imageLoad, reviewConnection, videoLoad } from './parts.ts'
import { plainText } from './plain-text.ts'
import { pricesFor } from './prices.ts'
import { textLoad } from './rows/product-row.ts'
import type { ConfiguredProduct } from './selection.ts'
import { variantConnection } from './variants.ts'
import { wrappingConnection } from './wrappings.ts'

declare module '../../types.ts' {
  interface Parents {
    Product: ConfiguredProduct
    ProductConnection: ProductPage
  }
}

/** Products as shoppers see them (docs/contract/storefront-graphql.md section 6). */
export const productFields: Fields<'Product' | 'ProductConnection'> = {
  ProductConnection: {
    collectionInfo: async ({ count }) => ({ totalItems: await count() }),
  },
  Product: {
    id: ({ card }) => globalId('Product', card.id),
    entityId: ({ card }) => card.id,
    sku: ({ card, variant }) => variant?.sku || card.sku,
    path: ({ card }) => card.custom_url.url,
    name: ({ card }) => card.name,
    description: async ({ card }, _, caller) => (await textsOf(caller, card)).description,
    async plainTextDescription({ card }, { characterLimit }, caller) {
      const { description } = await textsOf(caller, card)
      return plainText(description, Math.max(0, characterLimit ?? description.length))
    },
    warranty: async ({ card }, _, caller) => (await textsOf(caller, card)).warranty,
    minPurchaseQuantity: ({ card }) => card.order_quantity_minimum || null,
    maxPurchaseQuantity: ({ card }) => card.order_quantity_maximum || null,
    addToCartUrl: ({ card }, _, { storefront }) => `${storefront.url}/cart.php?action=add&product_id=${card.id}`,
    addToWishlistUrl: ({ card }, _, { storefront }) =>
      `${storefront.url}/wishlist.php?action=add&product_id=${card.id}`,
    isPriceHidden: ({ card }) => card.is_price_hidden,
    prices: (product, args, caller) => pricesFor(pricedItem(product), args, caller),
    async priceRanges(product, { includeTax }, caller) {
      const prices = await pricesFor(pricedItem(product), { includeTax }, caller)
      return prices && { priceRange: prices.priceRange, retailPriceRange: prices.retailPriceRange }
    },
    weight: ({ card, variant }, _, caller) => measurement(caller, variant?.weight ?? card.weight, 'weight'),
    height: ({ card, variant }, _, caller) => measurement(caller, variant?.height ?? card.height, 'length'),
    width: ({ card, variant }, _, caller) => measurement(caller, variant?.width ?? card.width, 'length'),
    depth: ({ card, variant }, _, caller) => measurement(caller, variant?.depth ?? card.depth, 'length'),
    options: ({ card }, args, caller) => plainOptionConnection(caller, card.id, args),
    productOptions: ({ card, chosen }, args, caller) => productOptionConnection(caller, card.id, chosen, args),
    reviewSummary: ({ card }) => ({
      averageRating: card.reviews_count === 0 ? 0 : card.reviews_rating_sum / card.reviews_count,
      numberOfReviews: card.reviews_count,
      summationOfRatings: card.reviews_rating_sum,
    }),
    type: ({ card }) => card.type,
    availability: ({ card }) => card.availability,
    availabilityDescription: ({ card }) => card.availability_description,
    availabilityV2({ card }) {
      const description = card.availability_description
      if (card.availability === 'available') {
        return { __typename: 'ProductAvailable', status: 'Available', description }
      }
      if (card.availability === 'disabled') {
        return { __typename: 'ProductUnavailable', status: 'Unavailable', description, message: description || null }
      }
      return {
        __typename: 'ProductPreOrder',
        status: 'Preorder',
        description,
        message: card.preorder_message || null,
        willBeReleasedAt: card.preorder_release_date === null ? null : { utc: inUtc(card.preorder_release_date) },
      }
    },
    categories: async ({ card }, args, caller) => connectionOf(await categoriesOfProduct(caller, card.id), args),
    brand: async ({ card }, _, caller) =>
      card.brand_id === 0 ? null : ((await brandLoad.find(caller, card.brand_id, undefined)) ?? null),
    variants: (product, args, caller) => variantConnection(caller, product, args),
    async customFields({ card }, { names, ...args }, caller) {
      const rows = (await customFieldLoad.find(caller, card.id, undefined)) ?? []
      const wanted = rows.filter(({ name }) => names === null || names.length === 0 || names.includes(name))
      return connectionOf(
        wanted.map(({ id, name, value }) => ({ entityId: id, name, value })),
        args,
      )
    },
    images: async ({ card }, args, caller) =>
      connectionOf((await imageLoad.find(caller, card.id, undefined)) ?? [], args),
    async defaultImage({ card, variant }, _, caller) {
      if (variant?.image_url) return { kept: variant.image_url, altText: card.name, isDefault: true }
      return (await imageLoad.find(caller, card.id, undefined))?.find(({ isDefault }) => isDefault) ?? null
    },
    giftWrappingOptions: ({ card }, args, caller) => wrappingConnection(caller, card, args),
    locales: ({ card }, args, caller) => localeAlternates(caller, card.custom_url.url, args),
    relatedProducts: ({ card }, args, caller) => relatedProducts(caller, card.id, args),
    inventory: (product) => product,
    metafields: ({ card }, args, caller) => metafieldConnection(caller, { kind: 'product', id: card.id }, args),
    upc: ({ card, variant }) => variant?.upc || card.upc || null,
    mpn: ({ card, variant }) => variant?.mpn || card.mpn || null,
    gtin: ({ card, variant }) => variant?.gtin || card.gtin || null,
    createdAt: ({ card }) => ({ utc: inUtc(card.date_created) }),
    reviews: ({ card }, args, caller) => reviewConnection(caller, card.id, args),
    async seo({ card }, _, caller) {
      const { page_title, meta_description, meta_keywords } = await textsOf(caller, card)
      return {
        pageTitle: page_title || card.name,
        metaDescription: meta_description,
        metaKeywords: meta_keywords.join(', '),
      }
    },
    condition: ({ card }) => (card.is_condition_shown ? CONDITIONS[card.condition] : null),
    showCartAction: ({ card }) => card.availability !== 'disabled' && !card.is_price_hidden,
    async videos({ card }, args, caller) {
      const rows = (await videoLoad.find(caller, card.id, undefined)) ?? []
      return connectionOf(
        rows.map(({ title, video_id }) => ({ title, url: `https://www.youtube.com/watch?v=${video_id}` })),
        args,
      )
    },
  },
}

const CONDITIONS = { New: 'NEW', Used: 'USED', Refurbished: 'REFURBISHED' } as const

const inUtc = (moment: string) => new Date(moment).toISOString()

/** @throws if the product was deleted meanwhile, which a repeated request shows */
async function textsOf(caller: StorefrontCaller, { id }: ConfiguredProduct['card']) {
  return (
    (await textLoad.find(caller, id, undefined)) ?? {
      description: '',
      warranty: '',
      page_title: '',
      meta_keywords: [],
      meta_description: '',
    }
  )
}

/** The configuration that prices are asked for: the chosen variant, else the base variant. */
function pricedItem({ card, variant, chosen }: ConfiguredProduct) {
  const options = (chosen ?? []).map(({ optionEntityId, valueEntityId }) => ({
    option_id: optionEntityId,
    value_id: valueEntityId,
  }))
  return { product_id: card.id, variant_id: variant?.id ?? card.base_variant_id ?? undefined, options }
}
