import { fold } from '../../../../../core/rest/lists/fold.ts'
import { invalid } from '../../../../../core/rest/problem.ts'
import { readChoices } from '../../../../storefront/graphql/fields/catalog/rows/choices.ts'
import { type BuyerCaller, channelHere, signedIn, storeOf } from '../../caller.ts'
import { exportUrl } from '../../exports.ts'
import type { MutationFields } from '../../types.ts'
import { given } from '../companies.ts'
import { type ItemShopper, itemPrices, itemShopper, stockOf, visibleItems } from './items.ts'
import { quickToAnswer, variantsOfSkus } from './products.ts'

// Products of an uploaded list of SKUs (docs/contract/b2b-graphql.md section 10). The client reads the CSV file.

/** The lines of one list. One more is 422. */
const LINES_MAX = 500
const QUANTITY = /^[1-9]\d{0,5}$|^1000000$/

export const uploadMutations: MutationFields<'productUpload' | 'productAnonUpload'> = {
  async productUpload(_, { productListData: { productList, currencyCode, channelId, isToCart } }, caller) {
    const { db, customer } = signedIn(caller)
    const shopper = itemShopper(caller, db, channelHere(caller, channelId))
    const result = await uploaded(caller, shopper, { list: productList, currencyCode, isToCart })
    return { result: { ...result, stockErrorFile: await fileOf(caller, shopper, customer.id, result.stockErrorSkus) } }
  },
  async productAnonUpload(_, { productListData }, caller) {
    if (!productListData) throw invalid({ productListData: 'productListData is needed.' })
    const { productList, currencyCode, channelId, isToCart, storeHash } = productListData
    const shopper = itemShopper(caller, await storeOf(caller, storeHash), channelHere(caller, channelId))
    const result = await uploaded(caller, shopper, { list: productList, currencyCode, isToCart })
    return { result: { ...result, stockErrorFile: '' } }
  },
}

interface Uploaded {
  list: readonly ({ sku?: string | null; qty?: string | null } | null)[] | null | undefined
  currencyCode: string | null | undefined
  /** Whether the products go into a cart, for which their stock counts. */
  isToCart: boolean | null | undefined
}

async function uploaded(caller: BuyerCaller, shopper: ItemShopper, { list, currencyCode, isToCart }: Uploaded) {
  const lines = (list ?? []).map((line) => ({ sku: (line?.sku ?? '').trim(), qty: (line?.qty ?? '').trim() }))
  if (lines.length > LINES_MAX) throw invalid({ productList: `A list has at most ${LINES_MAX} lines.` })
  const ids = await variantsOfSkus(
    shopper.db,
    lines.map(({ sku }) => sku),
  )
  const items = await visibleItems(shopper, [...ids.values()])
  const list_ = [...items.values()]
  const prices = await itemPrices(
    shopper,
    list_.map(({ product_id, variant_id }) => ({ product_id, variant_id })),
    given(currencyCode),
  )
  const priceOf = new Map(list_.map((item, i) => [item.variant_id, prices[i]]))
  const choices = await readChoices(
    shopper.db,
    list_.map(({ product_id }) => product_id),
  )
  const read = lines.map(({ sku, qty }, row) => {
    const item = items.get(ids.get(fold(sku)) ?? 0)
    if (!item) return { row, sku, qty, error: 'The SKU does not exist.' }
    if (!QUANTITY.test(qty)) return { row, sku, qty, error: 'The quantity is a whole number from 1 to 1,000,000.' }
    if (!item.is_available) return { row, sku, qty, error: "The product can't be bought at the moment." }
    const answer = quickToAnswer(caller, item, priceOf.get(item.variant_id), choices.get(item.product_id) ?? [])
    const stock = stockOf(item)
    const isShort = isToCart === true && stock !== null && stock < Number(qty)
    // Clients take the text "0" for true here.
    return { row, sku, qty, isShort, products: { ...answer, purchasingDisabled: false } }
  })
  return {
    errorFile: '',
    errorProduct: read.flatMap((line) => ('error' in line ? [{ ...line, products: null }] : [])),
    validProduct: read.flatMap((line) => {
      if ('error' in line) return []
      const { isShort: _, ...rest } = line
      return [rest]
    }),
    stockErrorSkus: read.flatMap((line) => (!('error' in line) && line.isShort ? [line.sku] : [])),
  }
}

/** A file with the SKUs that lack stock, or an empty address. */
const fileOf = async (caller: BuyerCaller, { db }: ItemShopper, customer: number, skus: readonly string[]) =>
  skus.length === 0
    ? ''
    : exportUrl(caller.parts, db, { customer, text: ['sku', ...skus.map(quoted), ''].join('\r\n') })

const quoted = (sku: string) => `"${sku.replaceAll('"', '""').replace(/^[=+\-@]/, "'$&")}"`
