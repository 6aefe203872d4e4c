import type { Db } from '../../../core/db/database.ts'
import { Problem } from '../../../core/rest/problem.ts'
import { segmentsOf } from '../../../customers/row/shoppers.ts'
import { findCartItems } from '../../../goods/catalog/product-row/cart-items.ts'
import { gather, type ShopperFaults } from '../../pricing/gather.ts'
import type { CartCode } from '../../promotions/engine/cart.ts'
import { type ActivePromotions, activePromotions } from '../../promotions/evaluation/active-promotions.ts'
import { findCodes, keyOfCode } from '../../promotions/evaluation/cart-codes.ts'
import { usedUpPromotions } from '../../promotions/uses/uses.ts'
import type { CartCustomer } from '../row/cart.ts'
import type { CartDocument } from '../row/document.ts'
import type { CartFacts } from './facts.ts'

// Reads the facts of an evaluation: five statements in two round trips without promotions that have a maximum of uses or ask for orders or segments, if promotions and tax tables are in memory. The first
// trip reads the shopper, the prices of products, the items, the codes and the customer's orders and segments, as far as promotions
// ask for them. The second one reads the records of the price list or the discounts of the group.

/** Counts the paid orders of a customer. @param max the count ends here */
export type CountOrders = (db: Db, customerId: number, max: number) => Promise<number>

/** Things that a request names besides those of the document. */
export interface MoreFacts {
  /** Products with their base variants. */
  products?: readonly number[]
  variants?: readonly number[]
  /** Codes of coupons. */
  codes?: readonly string[]
}

/** A cart whose facts are read. */
export interface CartToEvaluate {
  /** '' for one that is not stored yet. */
  id: string
  channel_id: number
  /** Undefined for the default currency. */
  currency_code: string | undefined
  customer_id: number
  /** Empty if it is not known. */
  email: string
  customer: CartCustomer | undefined
  document: CartDocument
  more?: MoreFacts
}

interface FactsOptions {
  at: Date
  /** The stamp of promotions that was read with the cart. */
  promotionsStamp: number | undefined
  countOrders: CountOrders
}

/** The facts, undefined without the currency, and the names of the cart that exist. */
export interface GatheredFacts {
  facts: CartFacts | undefined
  faults: ShopperFaults
}

export async function gatherFacts(
  db: Db,
  cart: CartToEvaluate,
  { at, promotionsStamp, countOrders }: FactsOptions,
): Promise<GatheredFacts> {
  const { document, channel_id, currency_code, customer_id } = cart
  const promotions = await activePromotions(db, at, promotionsStamp)
  const { goods } = promotions.facts
  const ofGoods = {
    products: goods.flatMap((good) => ('product_id' in good ? [good.product_id] : [])),
    variants: goods.flatMap((good) => ('variant_id' in good ? [good.variant_id] : [])),
  }
  const { products: moreProducts = [], variants: moreVariants = [], codes: moreCodes = [] } = cart.more ?? {}
  const { found, items, codes, usedUp, history } = await db.together(() => ({
    found: gather(
      db,
      { channel_id, currency_code, customer_id, customer_group_id: 0 },
      [...document.lines.map(({ product_id }) => product_id), ...ofGoods.products, ...moreProducts],
      { variants: [...ofGoods.variants, ...moreVariants] },
    ),
    items: findCartItems(db, {
      variants: [...document.lines.map(({ variant_id }) => variant_id), ...ofGoods.variants, ...moreVariants],
      products: [...ofGoods.products, ...moreProducts],
      customFields: promotions.facts.lines.customFields,
    }),
    codes: findCodes(db, [...document.codes, ...moreCodes], '', { customer_id, email: cart.email }),
    usedUp: usedUpPromotions(db, promotions),
    history: historyOf(db, customer_id, promotions, countOrders),
  }))
  const { gathered, faults } = found
  if (!gathered) return { facts: undefined, faults }
  const facts: CartFacts = {
    cart_id: cart.id,
    at,
    channel_id,
    currency_code: gathered.code,
    group_id: gathered.group,
    prices: gathered,
    tax: gathered.tax,
    items,
    promotions,
    codes: new Map(codes.map((code) => [keyOfCode(code.code), inDefaultCurrency(code, gathered.defaultCode)])),
    ...history,
    usedUp,
    customerAddress: cart.customer?.address,
  }
  return { facts, faults }
}

/** The currency of coupons of the older family is known only when the shopper is. */
const inDefaultCurrency = ({ of, ...code }: CartCode, currency_code: string): CartCode => ({
  ...code,
  of: typeof of === 'object' ? { ...of, currency_code } : of,
})

/** The segments and orders of a customer, as far as promotions ask for them. */
async function historyOf(
  db: Db,
  customer: number,
  { facts }: ActivePromotions,
  countOrders: CountOrders,
): Promise<Pick<CartFacts, 'segments' | 'orders'>> {
  if (customer === 0) return { segments: [], orders: 0 }
  const { segments, orders } = await db.together(() => ({
    segments: facts.segments ? segmentsOf(db, customer) : [],
    orders: facts.orders > 0 ? countOrders(db, customer, facts.orders) : 0,
  }))
  return { segments, orders }
}

/** @throws Problem 422 if the currency of a stored cart can't be paid in any more */
export function factsOf({ facts }: GatheredFacts, currency_code: string): CartFacts {
  if (facts?.currency_code === currency_code) return facts
  throw new Problem(422, `The currency ${currency_code} of this cart is not available any more.`)
}
