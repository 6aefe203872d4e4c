import type { Tx } from '../../../core/db/database.ts'
import { ID_MAX } from '../../../core/rest/input/fields.ts'
import { Problem } from '../../../core/rest/problem.ts'
import { keyOfCode } from '../../promotions/evaluation/cart-codes.ts'
import { type CartParts, type CartQuotes, type CartWithResult, changeCart } from '../changes/change.ts'
import { publishCart } from '../changes/events.ts'
import { tidied } from '../changes/tidy.ts'
import { joinedCertificates } from '../checkouts/changes/redemptions.ts'
import { evaluateCart } from '../evaluation/evaluate.ts'
import type { CartFacts } from '../evaluation/facts.ts'
import { type Cart, type CartViewer, deleteCart, findNewestCart, lockCart } from '../row/cart.ts'
import { type CartDocument, isEmptyDocument } from '../row/document.ts'
import { CART_LINES_MAX, mergeLines } from './add-lines.ts'

// A customer who logs in takes over the cart that it had as a guest (docs/contract/storefront-purchases.md section 4).

/**
 * Gives a guest's cart to a customer. If the customer has a cart in this channel, the lines of the guest's are added to it, with as many
 * units as stock and bounds allow, and the guest's cart is deleted. Coupons are tried again.
 * @param guest the id of the guest's cart. One that ended or belongs to somebody is ignored
 * @returns the cart of the customer; undefined without the guest's
 */
export async function takeOverCart(
  tx: Tx,
  parts: CartParts,
  { guest, customer, quotes }: { guest: string; customer: CartViewer; quotes: CartQuotes },
): Promise<CartWithResult | undefined> {
  const { channel_id, customer_id } = customer
  const own = await findNewestCart(tx, customer, tx.now)
  if (own === guest.toLowerCase()) return undefined
  const asGuest: CartViewer = { channel_id, customer_id: 0 }
  // Every transaction locks carts in the order of their ids.
  if (own !== undefined && own < guest.toLowerCase()) await lockIfThere(tx, own, customer)
  const taken = await lockIfThere(tx, guest, asGuest)
  if (!taken) return undefined
  const before = taken.document
  const target = own !== undefined && (await lockIfThere(tx, own, customer)) ? own : undefined
  if (target === undefined) {
    const request = { id: guest, quotes, viewer: asGuest, customer_id, isUpdated: true }
    return changeCart(tx, parts, request, ({ document, facts }) => ({
      document: withCodes({ ...document, codes: [], consignments: [] }, document.codes, facts),
    }))
  }
  const more = {
    products: before.lines.map(({ product_id }) => product_id),
    variants: before.lines.map(({ variant_id }) => variant_id),
    codes: before.codes,
  }
  const request = { id: target, quotes, viewer: customer, more, isUpdated: true }
  const merged = await changeCart(tx, parts, request, ({ cart, document, facts }) => ({
    document: mergeDocuments(document, { ...taken, document: before }, { facts, currency: cart.currency_code }),
  }))
  await deleteCart(tx, taken)
  publishCart(tx, taken, 'deleted')
  return merged
}

async function lockIfThere(tx: Tx, id: string, viewer: CartViewer): Promise<Cart | undefined> {
  try {
    return (await lockCart(tx, id, undefined, viewer)).cart
  } catch (error) {
    if (error instanceof Problem && error.status === 404) return undefined
    throw error
  }
}

/** Adds a guest's cart to that of a customer. Certificates keep their amounts, so they need the same currency. Pure. */
function mergeDocuments(
  own: CartDocument,
  guest: Pick<Cart, 'document' | 'currency_code'>,
  { facts, currency }: { facts: CartFacts; currency: string },
): CartDocument {
  const { lines, custom, certificates, codes, message, redeemed = [] } = guest.document
  const isSameCurrency = guest.currency_code === currency
  const priced = lines.filter(({ list_price, variant_id }) => {
    const item = facts.items.get(variant_id)
    return item?.is_available && (isSameCurrency || list_price === null)
  })
  const others = isSameCurrency ? { custom, certificates } : { custom: [], certificates: [] }
  const document = tidied({
    ...own,
    lines: fitting(mergeLines([...own.lines, ...priced], {}), facts),
    custom: mergeLines([...own.custom, ...others.custom], {}),
    certificates: [...own.certificates, ...others.certificates],
    message: own.message || message,
    ...(isSameCurrency && redeemed.length > 0 ? { redeemed: joinedCertificates(own.redeemed ?? [], redeemed) } : {}),
  })
  return withCodes(isEmptyDocument(document) ? own : atMost(document), codes, facts)
}

/** Reduces lines to the units that stock and bounds allow, the first ones first. */
function fitting(lines: CartDocument['lines'], { items }: CartFacts): CartDocument['lines'] {
  const used = new Map<string, number>()
  const leftOf = (key: string, most: number | null) =>
    most === null ? ID_MAX : Math.max(0, most - (used.get(key) ?? 0))
  return lines.flatMap((line) => {
    const item = items.get(line.variant_id)
    const [product, variant] = [`product ${line.product_id}`, `variant ${line.variant_id}`]
    const quantity = Math.min(
      line.quantity,
      ID_MAX,
      leftOf(product, item?.product_stock ?? null),
      leftOf(product, item?.order_quantity_maximum || null),
      leftOf(variant, item?.variant_stock ?? null),
    )
    for (const key of [product, variant]) used.set(key, (used.get(key) ?? 0) + quantity)
    return quantity > 0 ? [{ ...line, quantity }] : []
  })
}

function atMost(document: CartDocument): CartDocument {
  const custom = document.custom.slice(0, Math.max(0, CART_LINES_MAX - document.lines.length))
  const room = CART_LINES_MAX - document.lines.length - custom.length
  return tidied({
    ...document,
    lines: document.lines.slice(0, CART_LINES_MAX),
    custom,
    certificates: document.certificates.slice(0, Math.max(0, room)),
  })
}

/** Applies codes that qualify, as far as the store allows. */
function withCodes(document: CartDocument, codes: readonly string[], facts: CartFacts): CartDocument {
  const most = facts.promotions.settings.number_of_coupons_allowed_at_checkout
  let after = document
  for (const code of codes) {
    const isApplied = after.codes.some((one) => keyOfCode(one) === keyOfCode(code))
    if (after.manual || isApplied || after.codes.length >= most) continue
    const tried = { ...after, codes: [...after.codes, code] }
    if (!evaluateCart(tried, facts).codes.at(-1)?.refusal) after = tried
  }
  return after
}
