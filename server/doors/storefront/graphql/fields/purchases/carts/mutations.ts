import type { Tx } from '../../../../../../core/db/database.ts'
import { withPreparations } from '../../../../../../core/rest/preparation.ts'
import { Problem } from '../../../../../../core/rest/problem.ts'
import { changeCustomer, createCart, endCart } from '../../../../../../sales/carts/carts.ts'
import {
  type CartTarget,
  type CartWithResult,
  changeCart,
  remaining,
} from '../../../../../../sales/carts/changes/change.ts'
import { changeCurrency } from '../../../../../../sales/carts/currency.ts'
import { addCartItems, changeCartItem, deleteCartItem } from '../../../../../../sales/carts/items.ts'
import { lockCart } from '../../../../../../sales/carts/row/cart.ts'
import { issueRedirectUrls } from '../../../../../../sales/carts/views/redirect-urls.ts'
import { cartSettings } from '../../../../../../shop/settings/carts/cart-settings.ts'
import type { StorefrontCaller } from '../../../../caller.ts'
import type { SchemaInputs } from '../../../schema-types.ts'
import type { Fields } from '../../../types.ts'
import { localesFor } from '../../settings/locales.ts'
import { currenciesFor, settingsFor } from '../../shop.ts'
import { unknownCart, withSentences } from '../refusals.ts'
import { type CartView, findShopperCart, viewCart, viewerOf } from './cart.ts'
import { toNewCertificate, toNewLines } from './input.ts'
import { cartMetafieldMutations } from './metafields.ts'

// Mutations of carts (docs/contract/storefront-purchases.md section 3). Each is one transaction, and answers with the cart after its commit.

declare module '../../../types.ts' {
  interface Parents {
    CartMutations: object
  }
}

/** The work of a mutation on a cart that exists. */
type Work = (tx: Tx, target: CartTarget) => Promise<CartWithResult | undefined>

/**
 * Changes a cart of the shopper.
 * @returns null if the change has ended the cart
 * @throws Problem with a sentence for shoppers
 */
export async function changeFor(
  caller: StorefrontCaller,
  { id, version }: { id: string; version?: number | null | undefined },
  work: Work,
): Promise<CartView | null> {
  const { selling, storefront } = caller
  await refuseSellingNothing(caller)
  const target: CartTarget = { id, version, quotes: selling.carts.quotesOf(caller), viewer: viewerOf(caller) }
  const changed = await withSentences(id, () =>
    withPreparations(storefront.db, () => storefront.db.transaction((tx) => work(tx, target))),
  )
  return changed ? viewCart(caller, changed) : null
}

/** @throws Problem 403 while the channel sells nothing. The back end is not bound by it */
export async function refuseSellingNothing(caller: StorefrontCaller) {
  const settings = await settingsFor(caller)
  if (settings.of(cartSettings).allow_purchasing) return
  throw new Problem(403, 'This shop takes no orders at the moment.')
}

/** Lets mutations have `cart` as the property of their results. */
const asCart = async (changed: Promise<CartView | null>) => ({ cart: await changed })

/** @throws Problem 400 for a currency that the storefront doesn't have, or that nobody pays in */
export async function refuseCurrency(caller: StorefrontCaller, code: string) {
  const { enabled } = await currenciesFor(caller)
  const found = enabled.find(({ currency_code }) => currency_code === code.toUpperCase())
  if (!found?.is_transactional) throw new Problem(400, `Shoppers can't pay in the currency ${code} in this store.`)
}

export const LOCALE = /^[A-Za-z]{2}(-[A-Za-z]{2})?$/

const needsCustomer = (caller: StorefrontCaller): number => {
  if (caller.customer) return caller.customer.id
  throw new Problem(401, 'Please sign in to change the customer of a cart.')
}

export const cartMutationFields: Fields<'CartMutations'> = {
  CartMutations: {
    async createCart(_, { input }, caller) {
      const { selling, storefront, customer } = caller
      const { currencyCode, locale } = input
      await refuseSellingNothing(caller)
      // A browser has one cart.
      if (caller.isBrowser && (await findShopperCart(caller, undefined)))
        throw new Problem(409, 'This session has a cart already.')
      if (currencyCode != null) await refuseCurrency(caller, currencyCode)
      if (locale != null && !LOCALE.test(locale)) throw new Problem(422, `${locale} is no locale.`)
      const made = await withSentences(undefined, async () => {
        const body = {
          ...(await toNewLines(caller, input)),
          channel_id: storefront.channel,
          customer_id: customer?.id ?? 0,
          ...(currencyCode == null ? {} : { currency: { code: currencyCode } }),
          ...(locale == null ? {} : { locale }),
        }
        return storefront.db.transaction((tx) => createCart(tx, selling.carts, body))
      })
      caller.setSessionCart(made.cart.id)
      return { cart: await viewCart(caller, made) }
    },
    async deleteCart(_, { input: { cartEntityId: id } }, caller) {
      await changeFor(caller, { id }, async (tx) => {
        await endCart(tx, id, viewerOf(caller))
        return undefined
      })
      return { deletedCartEntityId: id }
    },
    async addCartLineItems(_, { input: { cartEntityId: id, data, version } }, caller) {
      const lines = await withSentences(undefined, () => toNewLines(caller, data))
      return asCart(
        changeFor(caller, { id, version }, (tx, target) => addCartItems(tx, caller.selling.carts, target, lines)),
      )
    },
    async updateCartLineItem(_, { input: { cartEntityId: id, lineItemEntityId, data, version } }, caller) {
      const change = await withSentences(undefined, () => toChange(caller, data))
      return asCart(
        changeFor(caller, { id, version }, (tx, target) =>
          changeCartItem(tx, caller.selling.carts, target, { id: lineItemEntityId, change }),
        ),
      )
    },
    async deleteCartLineItem(_, { input: { cartEntityId: id, lineItemEntityId, version } }, caller) {
      const cart = await changeFor(caller, { id, version }, (tx, target) =>
        deleteCartItem(tx, caller.selling.carts, target, lineItemEntityId),
      )
      return { deletedLineItemEntityId: lineItemEntityId, cart, deletedCartEntityId: cart ? null : id }
    },
    async updateCartCurrency(_, { input: { cartEntityId: id, data } }, caller) {
      await refuseCurrency(caller, data.currencyCode)
      return asCart(
        changeFor(caller, { id }, (tx, target) => changeCurrency(tx, caller.selling.carts, target, data.currencyCode)),
      )
    },
    assignCartToCustomer(_, { input: { cartEntityId: id, version } }, caller) {
      const customer = needsCustomer(caller)
      return asCart(
        changeFor(caller, { id, version }, async (tx, target) => {
          const { cart } = await lockCart(tx, id, version, target.viewer)
          // A cart that is the customer's own keeps its coupons and addresses.
          return changeCustomer(tx, caller.selling.carts, target, cart.customer_id === customer ? undefined : customer)
        }),
      )
    },
    unassignCartFromCustomer(_, { input: { cartEntityId: id, version } }, caller) {
      needsCustomer(caller)
      return asCart(
        changeFor(caller, { id, version }, async (tx, target) => {
          const { cart } = await lockCart(tx, id, version, target.viewer)
          return changeCustomer(tx, caller.selling.carts, target, cart.customer_id === 0 ? undefined : 0)
        }),
      )
    },
    ...cartMetafieldMutations,
    async createCartRedirectUrls(_, { input }, caller) {
      const { selling, storefront } = caller
      const notFound = { redirectUrls: null, errors: [{ __typename: 'NotFoundError' as const, message: 'Not Found' }] }
      const id = input?.cartEntityId ?? (await findShopperCart(caller, undefined))?.cart.id
      if (id === undefined) return notFound
      const query_params = (input?.queryParams ?? []).map(({ key, value }) => ({ key, value }))
      try {
        const urls = await withSentences(id, () =>
          storefront.db.transaction(async (tx) => {
            const { cart } = await lockCart(tx, id, undefined, viewerOf(caller))
            const customer_id = caller.customer?.id ?? 0
            return issueRedirectUrls(tx, cart, selling.redirects, { query_params, customer_id })
          }),
        )
        const { checkout_url, embedded_checkout_url } = urls
        return {
          redirectUrls: {
            redirectedCheckoutUrl: checkout_url,
            embeddedCheckoutUrl: embedded_checkout_url,
            externalCheckoutUrl: checkout_url,
          },
          errors: [],
        }
      } catch (error) {
        if (error instanceof Problem && error.message === unknownCart().message) return notFound
        throw error
      }
    },
    async updateCartLocale(_, { input: { cartEntityId: id, data } }, caller) {
      const { locale } = data
      const known = await localesFor(caller)
      if (!known.some(({ code }) => code.toLowerCase() === locale.toLowerCase())) {
        const message = `The storefront has no locale ${locale}.`
        return { cart: null, errors: [{ __typename: 'LocaleInvalidError' as const, message }] }
      }
      try {
        const cart = await changeFor(caller, { id }, async (tx, target) =>
          remaining(
            await changeCart(tx, caller.selling.carts, { ...target, isUpdated: true }, ({ document }) => ({
              document: document.locale === locale ? document : { ...document, locale },
            })),
          ),
        )
        return { cart, errors: [] }
      } catch (error) {
        if (!(error instanceof Problem) || error.message !== unknownCart().message) throw error
        return { cart: null, errors: [{ __typename: 'NotFoundError' as const, message: error.message }] }
      }
    },
  },
}

type LineChange = SchemaInputs['UpdateCartLineItemDataInput']

/** @throws Problem 422 */
async function toChange(caller: StorefrontCaller, { lineItem, giftCertificate }: LineChange) {
  if (giftCertificate) {
    await toNewLines(caller, { giftCertificates: [giftCertificate] })
    return { gift_certificates: [toNewCertificate(giftCertificate)] }
  }
  if (!lineItem) throw new Problem(422, 'A change needs a lineItem or a giftCertificate.')
  const { quantity, productEntityId, variantEntityId } = lineItem
  // As in a new line, 0 is no quantity: there is a mutation that deletes lines.
  if (quantity < 1)
    throw new Problem(422, `The quantity must be 1 or more, not ${quantity}.`, { 'line_items.0.quantity': '' })
  return {
    line_item: {
      quantity,
      ...(productEntityId == null ? {} : { product_id: productEntityId }),
      ...(variantEntityId == null ? {} : { variant_id: variantEntityId }),
    },
  }
}
