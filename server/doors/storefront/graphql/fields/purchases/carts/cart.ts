import { Load } from '../../../../../../core/graphql/loads.ts'
import type { Units } from '../../../../../../core/money/units.ts'
import { withPreparations } from '../../../../../../core/rest/preparation.ts'
import { Problem } from '../../../../../../core/rest/problem.ts'
import { type CartWithResult, readCart } from '../../../../../../sales/carts/changes/change.ts'
import type { ResultLine } from '../../../../../../sales/carts/evaluation/result.ts'
import { type CartViewer, findNewestCart } from '../../../../../../sales/carts/row/cart.ts'
import { catalogLines, discountsByLine, toCustomItems } from '../../../../../../sales/carts/views/line-items.ts'
import type { Currency } from '../../../../../../shop/channels/currencies/shape.ts'
import type { StorefrontCaller } from '../../../../caller.ts'
import type { Fields } from '../../../types.ts'
import { globalId } from '../../global-ids.ts'
import { uuidMetafieldConnection } from '../../metafields.ts'
import { moneyToAnswer } from '../../money/money.ts'
import { currenciesFor } from '../../shop.ts'

// Carts of shoppers (docs/contract/storefront-purchases.md section 3). A cart that ended or belongs to somebody else is null, as is one that
// never was.

/** A cart with its amounts in the form of its currency. */
export interface CartView extends CartWithResult {
  currency: Currency
  money(amount: Units | number): ReturnType<typeof moneyToAnswer>
}

/** A line of the catalog in its cart. */
export interface LineInView {
  line: ResultLine
  view: CartView
}

declare module '../../../types.ts' {
  interface Parents {
    Cart: CartView
    CartPhysicalItem: LineInView
    CartDigitalItem: LineInView
  }
}

/** The shopper of a request. */
export const viewerOf = ({ storefront, customer }: StorefrontCaller): CartViewer => ({
  channel_id: storefront.channel,
  customer_id: customer?.id ?? 0,
})

/** @throws Problem 422 for a currency that the store doesn't have any more */
export async function viewCart(caller: StorefrontCaller, found: CartWithResult): Promise<CartView> {
  const { all } = await currenciesFor(caller)
  const currency = all.find(({ currency_code }) => currency_code === found.cart.currency_code)
  if (!currency) throw new Problem(422, 'The currency of this cart is not available any more.')
  return { ...found, currency, money: (amount) => moneyToAnswer(currency, amount) }
}

/** Carts by id. The empty id is the newest cart of the customer. */
const cartLoad = new Load<StorefrontCaller, string, CartWithResult>(async (caller, ids) => {
  const found = await Promise.all(ids.map(async (id) => [id, await readFor(caller, id)] as const))
  return new Map(found.flatMap(([id, cart]) => (cart ? [[id, cart] as const] : [])))
})

async function readFor(caller: StorefrontCaller, named: string): Promise<CartWithResult | undefined> {
  const { selling, storefront } = caller
  const { db } = storefront
  const [viewer, at] = [viewerOf(caller), db.now]
  const id = named || (await findNewestCart(db, viewer, at))
  if (id === undefined) return undefined
  const quotes = selling.carts.quotesOf(caller)
  try {
    return await withPreparations(db, () => readCart(db, selling.carts, { id, quotes, at, viewer }))
  } catch (error) {
    // Shops ask with every page: a cart that can't be shown is none.
    if (error instanceof Problem && error.status < 500) return undefined
    throw error
  }
}

/** The cart with an id; without one that of the browser's session, else the newest one of the customer. Null if the shopper has none. */
export async function findShopperCart(
  caller: StorefrontCaller,
  id: string | null | undefined,
): Promise<CartView | null> {
  const named = id?.toLowerCase() ?? caller.sessionCart
  if (named === '') return null
  const ofSession = named === undefined ? undefined : await cartLoad.find(caller, named, undefined)
  const isOpen = id == null && caller.customer !== undefined
  const found = ofSession ?? (isOpen ? await cartLoad.find(caller, '', undefined) : undefined)
  return found ? viewCart(caller, found) : null
}

/** Gives each amount its twin in the display currency, which is the currency of the cart. */
export function withTwins<Parent, Name extends string, Amount>(
  fields: Readonly<Record<Name, (parent: Parent) => Amount>>,
): Readonly<Record<Name | `${Name}InDisplayCurrency`, (parent: Parent) => Amount>>
export function withTwins(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const twins = Object.entries(fields).map(([name, read]) => [`${name}InDisplayCurrency`, read])
  return { ...fields, ...Object.fromEntries(twins) }
}

/** An amount with its twin, as properties. */
export function bothOf<Name extends string, Amount>(
  name: Name,
  amount: Amount,
): Readonly<Record<Name | `${Name}InDisplayCurrency`, Amount>>
export function bothOf(name: string, amount: unknown): Readonly<Record<string, unknown>> {
  return { [name]: amount, [`${name}InDisplayCurrency`]: amount }
}

const amounts = withTwins({
  baseAmount: ({ result, money }: CartView) => money(result.base),
  discountedAmount: ({ result, money }: CartView) => money(result.orderDiscount),
  amount: ({ result, money }: CartView) => money(result.isInclusive ? result.cart.inc : result.cart.ex),
})

export const discountOf = (
  view: CartView,
  { id, discounted_amount }: { id: string | number; discounted_amount: number },
) => ({
  entityId: String(id),
  ...bothOf('discountedAmount', view.money(discounted_amount)),
})

/** Themes of gift certificates as the schema names them. */
const THEMES = ['BIRTHDAY', 'BOY', 'CELEBRATION', 'CHRISTMAS', 'GENERAL', 'GIRL'] as const
/** The theme of a gift certificate by its name in any case. */
export const themeOf = (theme: string) => THEMES.find((one) => one === theme.toUpperCase()) ?? ('GENERAL' as const)

function lineItemsOf(view: CartView) {
  const { result, cart } = view
  const lines = catalogLines(result).map((line): LineInView => ({ line, view }))
  const custom = toCustomItems(result)
  return {
    physicalItems: lines.filter(({ line }) => !line.isDigital),
    digitalItems: lines.filter(({ line }) => line.isDigital),
    giftCertificates: cart.document.certificates.map(({ id, name, theme, amount, sender, recipient, message }) => ({
      entityId: id,
      name,
      theme: themeOf(theme),
      ...bothOf('amount', view.money(amount)),
      isTaxable: false,
      sender,
      recipient,
      message: message || null,
    })),
    customItems: custom.map(({ id, sku, name, quantity, list_price, extended_list_price }) => ({
      entityId: id,
      sku: sku || null,
      name,
      quantity,
      ...bothOf('listPrice', view.money(list_price)),
      ...bothOf('extendedListPrice', view.money(extended_list_price)),
    })),
    totalQuantity:
      [...lines.map(({ line }) => line), ...custom].reduce((sum, { quantity }) => sum + quantity, 0) +
      cart.document.certificates.length,
  }
}

export const cartFields: Fields<'Cart'> = {
  Cart: {
    id: ({ cart }) => globalId('Cart', cart.id),
    entityId: ({ cart }) => cart.id,
    currencyCode: ({ cart }) => cart.currency_code,
    displayCurrencyCode: ({ cart }) => cart.currency_code,
    isTaxIncluded: ({ result }) => result.isInclusive,
    ...amounts,
    discounts: (view) => discountsByLine(view.result).map((discount) => discountOf(view, discount)),
    lineItems: lineItemsOf,
    createdAt: ({ cart }) => ({ utc: inUtc(cart.created_at) }),
    updatedAt: ({ cart }) => ({ utc: inUtc(cart.updated_at) }),
    locale: ({ cart }) => cart.document.locale,
    version: ({ cart }) => cart.version,
    metafields: ({ cart }, args, caller) => uuidMetafieldConnection(caller, { kind: 'cart', uuid: cart.id }, args),
  },
}

export const inUtc = (moment: string) => new Date(moment).toISOString()
