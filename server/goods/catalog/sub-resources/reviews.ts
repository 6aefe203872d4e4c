import t, { type Static } from 'typebox'
import type { Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { MAIL_ADDRESS } from '../../../core/mail/outbox.ts'
import { answer, dated, noContent } from '../../../core/rest/answer.ts'
import type { Api } from '../../../core/rest/api.ts'
import { parseDate, toSeconds } from '../../../core/rest/input/dates.ts'
import { Id, idSegment, Moment } from '../../../core/rest/input/fields.ts'
import { collection } from '../../../core/rest/lists/collection.ts'
import { fold } from '../../../core/rest/lists/fold.ts'
import { findPage } from '../../../core/rest/lists/pages.ts'
import {
  change,
  differences,
  findBelow,
  findOne,
  insertAll,
  lock,
  pick,
  remove,
  takeIds,
} from '../../../core/rest/lists/verbs.ts'
import { catalogSettings } from '../../../shop/settings/families/families.ts'
import { settingsOf } from '../../../shop/settings/families/family.ts'
import { access } from '../../../stores/accounts/scopes.ts'
import { products, touchProduct } from '../product-row/shape.ts'
import { updateSearchRows } from '../search/rows.ts'
import { lockSubResource } from './sub-resource.ts'

const { read, write } = access('catalog')

const Review = t.Object({
  id: Id,
  title: t.String({ maxLength: 255 }),
  text: t.String({ maxLength: 65_535 }),
  status: t.Enum(['approved', 'pending', 'disapproved']),
  rating: t.Integer({ minimum: 0, maximum: 5 }),
  email: t.String({ maxLength: 255 }),
  name: t.String({ maxLength: 255 }),
  date_reviewed: Moment,
  date_created: Moment,
  date_modified: Moment,
})
type Review = Static<typeof Review>

const { title, text, status, rating, name, date_reviewed } = Review.properties
const email = t.Union([t.Literal(''), t.String({ maxLength: 255, pattern: MAIL_ADDRESS })])
const Changes = t.Partial(t.Object({ title, text, status, rating, email, name, date_reviewed }), {
  title: 'ReviewChanges',
  examples: [{ status: 'approved' }],
})
const NewReview = t.Object(
  { ...Changes.properties, title, date_reviewed },
  {
    title: 'NewReview',
    examples: [{ title: 'Lovely', rating: 5, status: 'approved', date_reviewed: '2026-11-20T12:00:00Z' }],
  },
)

export type NewReview = Static<typeof NewReview>

/** The fields that a shopper fills in. */
export const ShopperReviewFields = t.Pick(Review, ['title', 'text', 'email', 'name'])

export const reviews = collection('reviews', Review, {
  noun: 'review',
  filters: '',
  hidden: ['product_id', 'email_key'],
  queries: { status: t.Optional(t.Integer({ minimum: 0, maximum: 1 })) },
})

/** The five operations of a product's reviews (docs/contract/product-parts.md section 6). */
export function reviewRoutes(app: Api) {
  const list = `/catalog/products/${idSegment('product_id')}/reviews`
  const one = `${list}/${idSegment('review_id')}`
  const ofProduct = t.Object({ product_id: Id })
  const params = t.Object({ product_id: Id, review_id: Id })

  app.get(
    list,
    { ...read, schema: { summary: 'List the reviews of a product', params: ofProduct, ...reviews.list } },
    async ({ db, params, query }) => {
      const { id } = await findOne(db, products, params.product_id)
      const approved = query.status === undefined ? sql`true` : sql`(status = 'approved') = ${query.status === 1}`
      return findPage(db, reviews, query, { where: sql`product_id = ${id} and ${approved}` })
    },
  )

  app.post(
    list,
    { ...write, schema: { summary: 'Create a review', params: ofProduct, body: NewReview, ...reviews.answersOne } },
    async ({ db, params, body }) =>
      answer(
        await db.transaction(async (tx) => {
          const product = await lock(tx, products, params.product_id)
          const [review] = await createReviews(tx, [{ product_id: product.id, body }])
          if (!review) throw new Error('No row was stored.')
          await touchProduct(tx, product)
          return review
        }),
      ),
  )

  app.get(
    one,
    { ...read, schema: { summary: 'Get a review', params, ...reviews.one } },
    async ({ db, params: { product_id, review_id }, query }) => {
      const review = await findBelow(db, reviews, { product_id }, review_id)
      return dated(pick(reviews, review, query), review.date_modified)
    },
  )

  app.put(
    one,
    { ...write, schema: { summary: 'Change a review', params, body: Changes, ...reviews.answersOne } },
    async ({ db, params: { product_id, review_id }, body }) =>
      answer(
        await db.transaction(async (tx) => {
          const [product, review] = await lockSubResource(tx, reviews, product_id, review_id)
          const changes = differences(review, inUtc(body))
          if (Object.keys(changes).length === 0) return review
          const changed = await change(tx, reviews, review, {
            ...changes,
            ...(body.email === undefined ? {} : { email_key: fold(body.email) }),
            date_modified: toSeconds(tx.now),
          })
          await recount(tx, [score(product_id, review, -1), score(product_id, changed, 1)])
          await touchProduct(tx, product)
          return changed
        }),
      ),
  )

  app.delete(
    one,
    { ...write, schema: { summary: 'Delete a review', params } },
    async ({ db, params: { product_id, review_id } }) => {
      await db.transaction(async (tx) => {
        const [product, review] = await lockSubResource(tx, reviews, product_id, review_id)
        await remove(tx, reviews, review.id)
        await recount(tx, [score(product_id, review, -1)])
        await touchProduct(tx, product)
      })
      return noContent()
    },
  )
}

/** A review by a shopper. The settings of the store decide whether it is shown at once. */
export type ShopperReview = Pick<Review, 'title' | 'text' | 'rating' | 'email' | 'name'>

/**
 * Stores the review of a shopper, unless one with the same e-mail address is there. The product is locked, so of two equal requests the
 * second finds the review of the first.
 * @returns false if the address has reviewed the product
 * @throws Problem 404
 */
export async function addShopperReview(tx: Tx, productId: number, review: ShopperReview): Promise<boolean> {
  const product = await lock(tx, products, productId)
  const [former] = await tx.rows(sql`
    select id from reviews where store_id = ${tx.store.id} and product_id = ${productId}
      and email_key = ${fold(review.email)} limit 1`)
  if (former) return false
  await createReviews(tx, [{ product_id: productId, body: { ...review, date_reviewed: tx.now.toISOString() } }])
  await touchProduct(tx, product)
  return true
}

/** Stores reviews and counts them, each in one statement. @param given reviews of locked or new products */
export async function createReviews(
  tx: Tx,
  given: readonly { product_id: number; body: NewReview }[],
): Promise<Review[]> {
  const taken = await takeIds(tx, [[reviews, given.length]])
  const status = given.some(({ body }) => body.status === undefined) ? await statusOfNew(tx) : 'pending'
  const now = toSeconds(tx.now)
  const stored = await insertAll(
    tx,
    reviews,
    given.map(({ product_id, body }) => ({
      text: '',
      status,
      rating: 0,
      email: '',
      name: '',
      ...inUtc(body),
      email_key: fold(body.email ?? ''),
      id: taken.next(reviews),
      product_id,
      date_created: now,
      date_modified: now,
    })),
  )
  await recount(
    tx,
    stored.map((review, i) => score(given[i]?.product_id ?? 0, review, 1)),
  )
  return stored
}

/** The status of a review without one: approved if the store's settings say so (docs/contract/settings.md section 6). */
async function statusOfNew(tx: Tx): Promise<Review['status']> {
  const { auto_approve_reviews } = await settingsOf(tx, catalogSettings)
  return auto_approve_reviews ? 'approved' : 'pending'
}

/** Converts the day of a review to its stored form. */
function inUtc<C extends { date_reviewed?: string }>(values: C): C {
  const moment = parseDate(values.date_reviewed ?? '')
  return moment ? { ...values, date_reviewed: toSeconds(moment.at) } : values
}

/** The amounts that a review adds to the totals of its product. */
interface Score {
  product_id: number
  count: number
  rating: number
}

const score = (product_id: number, { status, rating }: Review, sign: 1 | -1): Score => ({
  product_id,
  ...(status === 'approved' ? { count: sign, rating: sign * rating } : { count: 0, rating: 0 }),
})

/**
 * Adds approved reviews to the totals of their products, which are locked. A recount would take 60 ms of each change for a
 * product with 200,000 reviews.
 */
async function recount(tx: Tx, scores: readonly Score[]) {
  updateSearchRows(
    tx,
    scores.map(({ product_id }) => product_id),
    'row',
  )
  await tx.rows(sql`
    update products product set
      reviews_count = reviews_count + changed.count, reviews_rating_sum = reviews_rating_sum + changed.rating
    from (
      select product_id, sum(count)::int as count, sum(rating)::int as rating
      from ${sql.table('score', scores, { product_id: 'int', count: 'int', rating: 'int' })} group by product_id
    ) changed
    where product.store_id = ${tx.store.id} and product.id = changed.product_id
      and (changed.count <> 0 or changed.rating <> 0)`)
}
