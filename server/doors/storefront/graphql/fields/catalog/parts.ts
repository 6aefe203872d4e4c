import { prepared } from '../../../../../core/db/database.ts'
import { sql } from '../../../../../core/db/sql.ts'
import { Load } from '../../../../../core/graphql/loads.ts'
import type { StorefrontCaller } from '../../../caller.ts'
import { keyedConnection, type Order, type PageArgs, planPage } from '../connections.ts'
import type { ShopPicture } from '../pictures.ts'
import { accessRows } from '../shop.ts'
import { isInStock, isOpenProduct, visibilityFor } from './rows/visibility.ts'

// Parts of products. A list of products asks for the parts of all its products with one statement.

interface ImageRow {
  product_id: number
  id: number
  image_url: string
  url_zoom: string
  description: string
  is_thumbnail: boolean
}

const pictureOf = ({ product_id, id, image_url, url_zoom, description, is_thumbnail }: ImageRow): ShopPicture => ({
  kept: url_zoom || image_url,
  altText: description,
  isDefault: is_thumbnail,
  place: `products/${product_id}/${id}`,
})

/** The pictures of products, in their order. A product has at most 1,000. */
export const imageLoad = new Load<StorefrontCaller, number, ShopPicture[]>(async ({ storefront: { db } }, ids) => {
  const rows = await db.rows<ImageRow>(
    prepared(sql`
    select product_id, id, image_url, url_zoom, description, is_thumbnail from product_images
    where store_id = ${db.store.id} and product_id = ${sql.anyOf(ids)} order by product_id, sort_order, id`),
  )
  const byProduct = Map.groupBy(rows, ({ product_id }) => product_id)
  return new Map([...byProduct].map(([id, some]) => [id, some.map(pictureOf)]))
})

interface PickedImageRow extends ImageRow {
  is_sellable: boolean
}

/** The default pictures of products that a shopper may open apart from their stock. @param customer 0 for a guest */
const pickedImageLoad = new Load<StorefrontCaller, number, PickedImageRow, { customer: number }>(
  async ({ storefront }, ids, { customer }) => {
    const { db } = storefront
    const rows = await db.rows<PickedImageRow>(
      prepared(sql`
      select picture.product_id, picture.id, picture.image_url, picture.url_zoom, picture.description, picture.is_thumbnail,
        ${isInStock} as is_sellable
      from products join product_images picture
        on picture.store_id = ${db.store.id} and picture.product_id = products.id and picture.is_thumbnail
      cross join ${accessRows(storefront, customer)} access
      where products.store_id = ${db.store.id} and products.id = ${sql.anyOf(ids)} and ${isOpenProduct(storefront)}`),
    )
    return new Map(rows.map((row) => [row.product_id, row]))
  },
)

/** The default picture of a product that a choice picks; undefined for a product that the shopper may not see. */
export async function pickedImage(caller: StorefrontCaller, product: number): Promise<ShopPicture | undefined> {
  const [row, { hidesSoldOut }] = await Promise.all([
    pickedImageLoad.find(caller, product, { customer: caller.customer?.id ?? 0 }),
    visibilityFor(caller),
  ])
  return row && (row.is_sellable || !hidesSoldOut.alone) ? pictureOf(row) : undefined
}

interface CustomFieldRow {
  product_id: number
  id: number
  name: string
  value: string
}

/** The custom fields of products, at most 200 each. */
export const customFieldLoad = new Load<StorefrontCaller, number, CustomFieldRow[]>(
  async ({ storefront: { db } }, ids) =>
    Map.groupBy(
      await db.rows<CustomFieldRow>(
        prepared(sql`
        select product_id, id, name, value from custom_fields
        where store_id = ${db.store.id} and product_id = ${sql.anyOf(ids)} order by product_id, id`),
      ),
      ({ product_id }) => product_id,
    ),
)

interface VideoRow {
  product_id: number
  title: string
  video_id: string
}

/** The videos of products, at most 250 each. */
export const videoLoad = new Load<StorefrontCaller, number, VideoRow[]>(async ({ storefront: { db } }, ids) =>
  Map.groupBy(
    await db.rows<VideoRow>(
      prepared(sql`
      select product_id, title, video_id from product_videos
      where store_id = ${db.store.id} and product_id = ${sql.anyOf(ids)} order by product_id, sort_order, id`),
    ),
    ({ product_id }) => product_id,
  ),
)

interface ReviewRow {
  product_id: number
  id: number
  title: string
  text: string
  rating: number
  name: string
  date_reviewed: string
  reviewed: number
}

type ReviewSort = 'HIGHEST_RATING' | 'LOWEST_RATING' | 'NEWEST' | 'OLDEST'
interface ReviewArgs extends PageArgs {
  sort?: ReviewSort | null
  filters?: { rating?: { minRating?: number | null; maxRating?: number | null } | null } | null
}

const ORDERS: Readonly<Record<ReviewSort, Order>> = {
  NEWEST: { columns: ['reviewed', 'id'], isFalling: true },
  OLDEST: { columns: ['reviewed', 'id'], isFalling: false },
  HIGHEST_RATING: { columns: ['rating', 'id'], isFalling: true },
  LOWEST_RATING: { columns: ['rating', 'id'], isFalling: false },
}

/** One page of the approved reviews of each product. */
const reviewLoad = new Load<StorefrontCaller, number, ReviewRow[], ReviewArgs>(
  async ({ storefront: { db } }, ids, { sort, filters, ...args }) => {
    const plan = planPage(args, ORDERS[sort ?? 'NEWEST'])
    const { minRating, maxRating } = filters?.rating ?? {}
    const rows = await db.rows<ReviewRow>(sql`
      select found.* from unnest(${ids}::int[]) wanted (id) cross join lateral (
        select * from (
          select product_id, id, title, text, rating, name, date_reviewed,
            extract(epoch from date_reviewed)::bigint as reviewed
          from reviews where store_id = ${db.store.id} and product_id = wanted.id and status = 'approved'
            and rating between ${minRating ?? 0} and ${maxRating ?? 5}
        ) review where ${plan.where} ${plan.tail}
      ) found`)
    return Map.groupBy(rows, ({ product_id }) => product_id)
  },
)

export async function reviewConnection(caller: StorefrontCaller, product: number, args: ReviewArgs) {
  const order = ORDERS[args.sort ?? 'NEWEST']
  const plan = planPage(args, order)
  const rows = (await reviewLoad.find(caller, product, args)) ?? []
  return keyedConnection(plan, rows, {
    keyOf: ({ id, rating, reviewed }) => [order.columns[0] === 'rating' ? rating : reviewed, id],
    nodeOf: ({ id, title, text, rating, name, date_reviewed }) => ({
      entityId: id,
      author: { name },
      title,
      text,
      rating,
      createdAt: { utc: new Date(date_reviewed).toISOString() },
    }),
  })
}
