import t from 'typebox'
import { GraphRefusal } from '../../../../../../core/graphql/refusal.ts'
import { itemReader } from '../../../../../../core/rest/input/validator.ts'
import {
  addToOwnWishlist,
  changeOwnWishlist,
  deleteOwnWishlists,
  removeFromOwnWishlist,
} from '../../../../../../customers/wishlists/shopper-wishlists.ts'
import { createWishlist, Wishlist } from '../../../../../../customers/wishlists/wishlists.ts'
import type { StorefrontCaller } from '../../../../caller.ts'
import type { Fields } from '../../../types.ts'
import { findCard, isId } from '../../catalog/rows/product-row.ts'
import { refusingFields, withoutNulls } from '../../result-errors.ts'

const { name, is_public: isPublic } = Wishlist.properties
const readNew = itemReader(t.Object({ name, isPublic }))
const readChanges = itemReader(t.Partial(t.Object({ name, isPublic })))

/** Public clients look for the words. @throws GraphRefusal for a guest */
function customerOf({ customer }: StorefrontCaller): number {
  if (customer) return customer.id
  throw new GraphRefusal('Please sign in to change wish lists.', 'CUSTOMER_NOT_LOGGED_IN')
}

interface WishInput {
  productEntityId: number
  variantEntityId?: number | null
}

/** @throws GraphRefusal for a product that the shopper may not see, as for an unknown one */
async function wishesOf(caller: StorefrontCaller, inputs: readonly WishInput[]) {
  const cards = await Promise.all(
    inputs.map(({ productEntityId: id }) => (isId(id) ? findCard(caller, id) : undefined)),
  )
  return inputs.map(({ productEntityId: product_id, variantEntityId }, i) => {
    if (!cards[i]) throw new GraphRefusal(`The product ${product_id} does not exist.`, 'BAD_USER_INPUT')
    return { product_id, ...(variantEntityId == null ? {} : { variant_id: variantEntityId }) }
  })
}

/** Changes of the customer's wish lists. They fail as a whole: the schema has no typed errors for them. */
export const wishlistChangeFields: Fields<'WishlistMutations'> = {
  WishlistMutations: {
    createWishlist: (_, { input: { name, isPublic, items } }, caller) =>
      refusingFields(async () => {
        const customer_id = customerOf(caller)
        const wishes = await wishesOf(caller, items ?? [])
        const list = readNew({ name, isPublic })
        return {
          result: await caller.storefront.db.transaction((tx) =>
            createWishlist(tx, { customer_id, name: list.name, is_public: list.isPublic, items: wishes }),
          ),
        }
      }),
    updateWishlist: (_, { input: { entityId, data } }, caller) =>
      refusingFields(async () => {
        const customer = customerOf(caller)
        const { name, isPublic } = readChanges(withoutNulls(data))
        return {
          result: await caller.storefront.db.transaction((tx) =>
            changeOwnWishlist(tx, customer, { id: entityId, name, is_public: isPublic }),
          ),
        }
      }),
    addWishlistItems: (_, { input: { entityId, items } }, caller) =>
      refusingFields(async () => {
        const customer = customerOf(caller)
        const wishes = await wishesOf(caller, items)
        return {
          result: await caller.storefront.db.transaction((tx) =>
            addToOwnWishlist(tx, customer, { id: entityId, wishes }),
          ),
        }
      }),
    deleteWishlistItems: (_, { input: { entityId, itemEntityIds } }, caller) =>
      refusingFields(async () => {
        const customer = customerOf(caller)
        return {
          result: await caller.storefront.db.transaction((tx) =>
            removeFromOwnWishlist(tx, customer, { id: entityId, itemIds: itemEntityIds }),
          ),
        }
      }),
    deleteWishlists: (_, { input: { entityIds } }, caller) =>
      refusingFields(async () => {
        const customer = customerOf(caller)
        await caller.storefront.db.transaction((tx) => deleteOwnWishlists(tx, customer, entityIds))
        return { result: 'success' }
      }),
  },
}
