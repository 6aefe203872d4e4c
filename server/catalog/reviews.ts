import t, { type Static } from 'typebox'
import type { Tx } from '../core/db/database.ts'
import { sql } from '../core/db/sql.ts'
import { MAIL_ADDRESS } from '../core/mail/outbox.ts'
import { answer, noContent } from '../core/rest/answer.ts'
import type { Api } from '../core/rest/api.ts'
import { collection } from '../core/rest/collection.ts'
import { parseDate, toSeconds } from '../core/rest/dates.ts'
import { Id, idSegment, Moment } from '../core/rest/fields.ts'
import { findPage } from '../core/rest/pages.ts'
import { change, differences, findBelow, findOne, insert, lock, lockBelow, pick, remove } from '../core/rest/verbs.ts'
import { access } from '../stores/scopes.ts'
import { type Product, products, touch } from './product.ts'

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
  examples: [{ status: 'approved' }],
})
const NewReview = t.Object(
  { ...Changes.properties, title, date_reviewed },
  { examples: [{ title: 'Lovely', rating: 5, status: 'approved', date_reviewed: '2026-11-20T12:00:00Z' }] },
)

export const reviews = collection('reviews', Review, {
  noun: 'review',
  filters: '',
  hidden: ['product_id'],
  queries: { status: t.Optional(t.Integer({ minimum: 0, maximum: 1 })) },
})

/** The five operations of a product's reviews (docs/contract/product-parts.md section 6). */
export function reviewRoutes(app: Api) {
  const list = `/catalog/products/${idSegment('product_id')}/reviews`
  const one = `${list}/${idSegment('review_id')}`
  const ofProduct = t.Object({ product_id: Id })
  const params = t.Object({ product_id: Id, review_id: Id })

  app.get(list, { ...read, schema: { params: ofProduct, ...reviews.list } }, async ({ db, params, query }) => {
    const { id } = await findOne(db, products, params.product_id)
    const approved = query.status === undefined ? sql`true` : sql`(status = 'approved') = ${query.status === 1}`
    return findPage(db, reviews, query, sql`product_id = ${id} and ${approved}`)
  })

  app.post(
    list,
    { ...write, schema: { params: ofProduct, body: NewReview, ...reviews.answersOne } },
    async ({ db, params, body }) =>
      answer(
        await db.transaction(async (tx) => {
          const product = await lock(tx, products, params.product_id)
          const now = toSeconds(tx.now)
          const review = await insert(tx, reviews, {
            text: '',
            status: 'pending',
            rating: 0,
            email: '',
            name: '',
            ...inUtc(body),
            product_id: product.id,
            date_created: now,
            date_modified: now,
          })
          await recount(tx, product, undefined, review)
          await touch(tx, product)
          return review
        }),
      ),
  )

  app.get(
    one,
    { ...read, schema: { params, ...reviews.one } },
    async ({ db, params: { product_id, review_id }, query }) =>
      answer(pick(reviews, await findBelow(db, reviews, { product_id }, review_id), query)),
  )

  app.put(
    one,
    { ...write, schema: { params, body: Changes, ...reviews.answersOne } },
    async ({ db, params: { product_id, review_id }, body }) =>
      answer(
        await db.transaction(async (tx) => {
          const product = await lock(tx, products, product_id)
          const review = await lockBelow(tx, reviews, { product_id }, review_id)
          const changes = differences(review, inUtc(body))
          if (Object.keys(changes).length === 0) return review
          const changed = await change(tx, reviews, review, { ...changes, date_modified: toSeconds(tx.now) })
          await recount(tx, product, review, changed)
          await touch(tx, product)
          return changed
        }),
      ),
  )

  app.delete(one, { ...write, schema: { params } }, async ({ db, params: { product_id, review_id } }) => {
    await db.transaction(async (tx) => {
      const product = await lock(tx, products, product_id)
      const review = await lockBelow(tx, reviews, { product_id }, review_id)
      await remove(tx, reviews, review.id)
      await recount(tx, product, review, undefined)
      await touch(tx, product)
    })
    return noContent()
  })
}

/** With the day of the review as it is stored, whatever spelling it came in. */
function inUtc<C extends { date_reviewed?: string }>(values: C): C {
  const moment = parseDate(values.date_reviewed ?? '')
  return moment ? { ...values, date_reviewed: toSeconds(moment.at) } : values
}

/**
 * The approved reviews are counted and added up in the product, which is locked. Not counted anew: with 200,000 reviews that
 * took 60 ms of each change.
 */
async function recount(tx: Tx, product: Product, before: Review | undefined, after: Review | undefined) {
  const [gone, come] = [scoreOf(before), scoreOf(after)]
  await change(tx, products, product, {
    reviews_count: product.reviews_count - gone.count + come.count,
    reviews_rating_sum: product.reviews_rating_sum - gone.rating + come.rating,
  })
}

const scoreOf = (review: Review | undefined) =>
  review?.status === 'approved' ? { count: 1, rating: review.rating } : { count: 0, rating: 0 }
