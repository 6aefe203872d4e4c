import { withPreparations } from '../../../../../../core/rest/preparation.ts'
import { Problem } from '../../../../../../core/rest/problem.ts'
import { changeCustomer } from '../../../../../../sales/carts/carts.ts'
import { takeOverCart } from '../../../../../../sales/carts/lines/merge.ts'
import type { StorefrontCaller } from '../../../../caller.ts'
import { type CartView, findShopperCart, viewCart, viewerOf } from './cart.ts'
import { changeFor } from './mutations.ts'

// Carts when customers log in and out (docs/contract/storefront-purchases.md section 4).

/**
 * Takes over the cart that a customer had as a guest.
 * @param caller of the customer
 * @returns the cart of the customer; null for none
 */
export async function cartAfterLogin(
  caller: StorefrontCaller,
  guestCart: string | null | undefined,
): Promise<CartView | null> {
  const { selling, storefront } = caller
  const { db } = storefront
  const quotes = selling.carts.quotesOf(caller)
  const [guest, customer] = [guestCart ?? undefined, viewerOf(caller)]
  if (guest !== undefined) {
    const taken = await withPreparations(db, () =>
      db.transaction((tx) => takeOverCart(tx, selling.carts, { guest, customer, quotes })),
    ).catch((error: unknown) => {
      // The login itself has succeeded: a cart that can't be merged stays with the guest.
      if (error instanceof Problem && error.status < 500) return undefined
      throw error
    })
    if (taken) return viewCart(caller, taken)
  }
  return findShopperCart(caller, undefined)
}

/** Gives the cart of a customer who logs out to guests, if the client names it. */
export async function unassignCart(caller: StorefrontCaller, id: string | null | undefined) {
  if (id == null || !caller.customer) return { cart: null, errors: [] }
  try {
    const cart = await changeFor(caller, { id }, (tx, target) => changeCustomer(tx, caller.selling.carts, target, 0))
    return { cart, errors: [] }
  } catch (error) {
    if (!(error instanceof Problem) || error.status >= 500) throw error
    return { cart: null, errors: [{ __typename: 'CartUnassignInaccessibleError' as const, message: error.message }] }
  }
}
