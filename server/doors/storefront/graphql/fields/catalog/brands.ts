import { prepared } from '../../../../../core/db/database.ts'
import { sql } from '../../../../../core/db/sql.ts'
import { Load } from '../../../../../core/graphql/loads.ts'
import type { CustomUrl } from '../../../../../goods/catalog/addresses/urls.ts'
import { EVERY_PRODUCT, KIND_SIZE, literal, VALUES } from '../../../../../goods/catalog/search/values.ts'
import type { StorefrontCaller } from '../../../caller.ts'
import type { Fields } from '../../types.ts'
import { connectionOf, keyedConnection, type Order, type PageArgs, planPage } from '../connections.ts'
import { globalId } from '../global-ids.ts'
import { metafieldConnection } from '../metafields.ts'
import { localeAlternates } from '../settings/alternates.ts'
import { productsOfBrand } from './lists.ts'
import { isId } from './rows/product-row.ts'
import { isVisibleProduct, visibilityFor } from './rows/visibility.ts'

interface BrandRow {
  id: number
  name: string
  page_title: string
  meta_keywords: string[]
  meta_description: string
  search_keywords: string
  image_url: string
  custom_url: CustomUrl
}

declare module '../../types.ts' {
  interface Parents {
    Brand: BrandRow
  }
}

const columns = sql.raw('id, name, page_title, meta_keywords, meta_description, search_keywords, image_url, custom_url')

export const brandLoad = new Load<StorefrontCaller, number, BrandRow>(async ({ storefront: { db } }, ids) => {
  const rows = await db.rows<BrandRow>(
    prepared(sql`select ${columns} from brands where store_id = ${db.store.id} and id = ${sql.anyOf(ids)}`),
  )
  return new Map(rows.map((row) => [row.id, row]))
})

export const findBrand = async (caller: StorefrontCaller, id: number): Promise<BrandRow | null> =>
  isId(id) ? ((await brandLoad.find(caller, id, undefined)) ?? null) : null

const BY_ID: Order = { columns: ['id'], isFalling: false }

interface BrandArgs extends PageArgs {
  productEntityIds: readonly number[] | null
  entityIds: readonly number[] | null
}

/** A page of brands. Each list of an operation has arguments of its own. */
const pageLoad = new Load<StorefrontCaller, 'all', BrandRow[], BrandArgs>(
  async (caller, _, { productEntityIds, entityIds, ...args }) => {
    const plan = planPage(args, BY_ID)
    const { db } = caller.storefront
    const conditions = [plan.where]
    if (entityIds?.length) conditions.push(sql`id = any(${entityIds.filter(isId)})`)
    if (productEntityIds?.length) {
      const visible = isVisibleProduct(await visibilityFor(caller), 'alone')
      conditions.push(sql`id in (
        select brand_id from products
        where products.store_id = ${db.store.id} and products.id = any(${productEntityIds.filter(isId)}) and ${visible})`)
    }
    const rows = await db.rows<BrandRow>(
      sql`select ${columns} from brands where store_id = ${db.store.id} and ${sql.join(conditions, ' and ')} ${plan.tail}`,
    )
    return new Map([['all', rows]])
  },
)

/** Brands by id, those of products that the shopper may see, or all. */
export async function brandConnection(caller: StorefrontCaller, args: BrandArgs) {
  const plan = planPage(args, BY_ID)
  const rows = (await pageLoad.find(caller, 'all', args)) ?? []
  return keyedConnection(plan, rows, { keyOf: ({ id }) => [id], nodeOf: (row) => row })
}

const POPULAR_MAX = 50

/** The brands with the most products that shoppers of the channel may see. */
const popularLoad = new Load<StorefrontCaller, 'all', { id: number; name: string; url: string; products: number }[]>(
  async (caller) => {
    const { db, channel } = caller.storefront
    const { hidesSoldOut } = await visibilityFor(caller)
    const counted = sql.raw(hidesSoldOut.inLists ? 'in_stock' : 'products')
    const rows = await db.rows<{ id: number; name: string; url: string; products: number }>(sql`
      select brands.id, brands.name, brands.custom_url ->> 'url' as url, counted.${counted} as products
      from facet_counts counted join brands on brands.store_id = ${db.store.id}
        and brands.id = counted.value - ${literal(VALUES.brand)}
      where counted.store_id = ${db.store.id} and counted.channel_id = ${channel} and counted.context = ${EVERY_PRODUCT}
        and counted.value > ${literal(VALUES.brand)} and counted.value < ${literal(VALUES.brand + KIND_SIZE)}
        and counted.${counted} > 0
      order by counted.${counted} desc, brands.id limit ${POPULAR_MAX}`)
    return new Map([['all', rows]])
  },
)

/** The brands with the most products, at most 50. */
export async function popularBrands(caller: StorefrontCaller, args: PageArgs) {
  const rows = (await popularLoad.find(caller, 'all', undefined)) ?? []
  return connectionOf(
    rows.map(({ id, name, url, products }) => ({ entityId: id, count: products, name, path: url })),
    args,
  )
}

/** Brands of products. */
export const brandFields: Fields<'Brand'> = {
  Brand: {
    id: ({ id }) => globalId('Brand', id),
    entityId: ({ id }) => id,
    path: ({ custom_url }) => custom_url.url,
    defaultImage: ({ image_url, name }) =>
      image_url === '' ? null : { kept: image_url, altText: name, isDefault: true },
    pageTitle: ({ page_title }) => page_title,
    metaDesc: ({ meta_description }) => meta_description,
    metaKeywords: ({ meta_keywords }) => meta_keywords,
    seo: ({ name, page_title, meta_description, meta_keywords }) => ({
      pageTitle: page_title || name,
      metaDescription: meta_description,
      metaKeywords: meta_keywords.join(', '),
    }),
    searchKeywords: ({ search_keywords }) =>
      search_keywords
        .split(',')
        .map((word) => word.trim())
        .filter((word) => word !== ''),
    products: ({ id }, args, caller) => productsOfBrand(caller, id, args),
    metafields: ({ id }, args, caller) => metafieldConnection(caller, { kind: 'brand', id }, args),
    locales: ({ custom_url }, args, caller) => localeAlternates(caller, custom_url.url, args),
  },
}
