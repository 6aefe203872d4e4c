import t from 'typebox'
import { itemReader } from '../../../../../core/rest/input/validator.ts'
import { fold } from '../../../../../core/rest/lists/fold.ts'
import { SubscriberNames } from '../../../../../customers/subscribers.ts'
import { addShopperReview, ShopperReviewFields } from '../../../../../goods/catalog/sub-resources/reviews.ts'
import type { StorefrontCaller } from '../../../caller.ts'
import type { Fields } from '../../types.ts'
import { findCard, isId } from '../catalog/rows/product-row.ts'
import { attempt, errorOf, limitCalls, withoutNulls } from '../result-errors.ts'

declare module '../../types.ts' {
  interface Parents {
    CatalogMutations: object
  }
}

const { title, text, name: author } = ShopperReviewFields.properties
const readReview = itemReader(
  t.Object({
    title: t.String({ ...title, minLength: 1, pattern: '\\S' }),
    text: t.String({ ...text, minLength: 1, pattern: '\\S' }),
    author: t.String({ ...author, minLength: 1, pattern: '\\S' }),
    rating: t.Integer({ minimum: 1, maximum: 5 }),
    email: SubscriberNames.properties.email,
  }),
)

interface ReviewInput {
  productEntityId: number
  review: { author: string; title: string; text: string; rating: number; email?: string | null }
}

/** Stores a review. An e-mail address reviews a product once; that of a customer is the one of the account. */
async function addProductReview(caller: StorefrontCaller, { productEntityId: id, review }: ReviewInput) {
  await limitCalls(caller)
  const { customer, storefront } = caller
  if (!isId(id) || !(await findCard(caller, id))) return { errors: [unknownProduct(id)] }
  const email = review.email || customer?.email
  if (customer && email && fold(email) !== fold(customer.email)) {
    return {
      errors: [
        errorOf('NotAuthorizedToAddProductReviewError', 'The email address must be that of the account, or missing.'),
      ],
    }
  }
  const read = await attempt(async () => readReview({ ...withoutNulls(review), ...(email ? { email } : {}) }))
  if (read.problem) {
    const { errors } = read.problem
    const message = Object.values(errors).join(' ')
    return { errors: [{ ...errorOf('InvalidInputFieldsError', message), fields: Object.keys(errors) }] }
  }
  const { author: name, ...fields } = read.result
  const stored = await attempt(() => storefront.db.transaction((tx) => addShopperReview(tx, id, { ...fields, name })))
  if (stored.problem?.status === 404) return { errors: [unknownProduct(id)] }
  if (stored.problem) return { errors: [errorOf('UnexpectedAddReviewError', stored.problem.message)] }
  if (stored.result) return { errors: [] }
  return {
    errors: [errorOf('CustomerAlreadyReviewedProductError', 'This email address has reviewed the product already.')],
  }
}

const unknownProduct = (id: number) => errorOf('ProductIdNotFoundError', `The product ${id} does not exist.`)

/** Reviews by shoppers (docs/contract/storefront-graphql.md section 9). */
export const reviewFields: Fields<'CatalogMutations'> = {
  CatalogMutations: {
    addProductReview: (_, { input }, caller) => addProductReview(caller, input),
  },
}
