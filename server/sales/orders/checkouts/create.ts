import { isIPv4, isIPv6 } from 'node:net'
import { prepared, type Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import type { Mistakes } from '../../../core/rest/input/mistakes.ts'
import { Problem } from '../../../core/rest/problem.ts'
import { findDefinitions } from '../../../customers/form-fields/shape.ts'
import { findSold } from '../../../goods/catalog/sold.ts'
import { currencyPair } from '../../../shop/channels/currencies/shape.ts'
import { type CartParts, type CartTarget, lockAndEvaluate } from '../../carts/changes/change.ts'
import { recordOrder } from '../../carts/row/conversion.ts'
import type { CartAddress, CartDocument } from '../../carts/row/document.ts'
import { sellCertificates } from '../../promotions/purchased-certificates.ts'
import { listUses } from '../../promotions/uses/uses.ts'
import { INCOMPLETE } from '../arithmetic/order-status.ts'
import type { OrderRow } from '../row/rows.ts'
import { stockRulesOf } from '../stock/holds.ts'
import { blankOrder } from '../writing/create.ts'
import { pickupOf } from '../writing/pickup-draft.ts'
import { storeOrder } from '../writing/store.ts'
import { certificatesOf, draftOfCheckout } from './draft.ts'
import { thingsOf } from './lines.ts'
import { type ReadyCheckout, refuseUnready } from './ready.ts'

// Creates the order of a checkout (docs/contract/orders.md section 10).

const INCOMPLETE_MAX = 50
const SOURCE = 'checkout_api'

/**
 * Creates the order of a checkout. The cart stays locked, so that a change of it waits until the order is stored.
 * @param shopperAddress the IP address of the shopper, if it is known
 * @throws Problem 404, 409, 422, 423, 503; NeedsPreparation
 */
export async function createOrderOfCheckout(
  tx: Tx,
  parts: CartParts,
  target: CartTarget,
  shopperAddress?: string,
): Promise<OrderRow> {
  return createCheckoutOrder(tx, await lockAndEvaluate(tx, parts, target), shopperAddress)
}

/**
 * Creates the order of a checkout, with its uses and gift certificates.
 * @param checkout of a locked cart
 * @param shopperAddress the IP address of the shopper, if it is known
 * @throws Problem 422 with all mistakes, 409 if too little is in stock
 */
export async function createCheckoutOrder(tx: Tx, checkout: ReadyCheckout, shopperAddress = ''): Promise<OrderRow> {
  const { cart, result } = checkout
  refuseUnready(checkout)
  const collected = cart.document.consignments.find(({ pickup }) => pickup !== null)?.pickup
  const mistakes: Mistakes = {}
  const at = (field: string) => `consignments.0.pickup_option.${field}`
  const hasFields = addressesIn(cart.document).some(({ custom_fields }) => custom_fields.length > 0)
  const { currency, rules, sold, pickup, fields } = await tx.together(() => ({
    currency: currencyPair(tx, cart.currency_code),
    rules: stockRulesOf(tx, { order_source: SOURCE, channel_id: cart.channel_id }),
    sold: findSold(tx, thingsOf(checkout)),
    pickup: collected ? pickupOf(tx, collected, { at, mistakes }) : undefined,
    fields: hasFields ? findDefinitions(tx) : [],
  }))
  await refuseTooMany(tx, cart.id)
  const blank = {
    ...blankOrder(tx, currency, checkout.facts.tax.costClasses),
    order_source: SOURCE,
    ...(isIPv4(shopperAddress) && { ip_address: shopperAddress }),
    ...(isIPv6(shopperAddress) && { ip_address_v6: shopperAddress }),
    is_tax_inclusive_pricing: result.isInclusive,
  }
  const draft = draftOfCheckout(checkout, { blank, sold, pickup, fields }, mistakes)
  const [first] = Object.values(mistakes)
  if (first !== undefined) throw new Problem(422, first, mistakes)
  const order = await storeOrder(tx, draft, rules)
  await listUses(tx, {
    order_id: order.id,
    customer: { customer_id: order.customer_id, email: order.email },
    promotions: result.promotions.uses.promotions,
    coupons: draft.coupons.map(({ coupon_id }) => coupon_id),
  })
  await nameCertificates(tx, order, await sellCertificates(tx, order, certificatesOf(checkout)))
  await recordOrder(tx, cart, order.id)
  return order
}

const addressesIn = ({ billing, consignments }: CartDocument): CartAddress[] =>
  [billing, ...consignments.map(({ address }) => address)].filter((address) => address !== null)

/** @throws Problem 422 for a cart with too many incomplete orders */
async function refuseTooMany(tx: Tx, cart_id: string) {
  const { count } = await tx.row<{ count: number }>(
    prepared(sql`
    select count(*)::int as count from orders
    where store_id = ${tx.store.id} and cart_id = ${cart_id} and status_id = ${INCOMPLETE}`),
  )
  if (count < INCOMPLETE_MAX) return
  throw new Problem(422, `A checkout can have at most ${INCOMPLETE_MAX} incomplete orders.`)
}

/** Stores the certificates of the lines that sell them. Both are in the order of the cart. */
async function nameCertificates(tx: Tx, { id }: OrderRow, certificateIds: readonly number[]) {
  if (certificateIds.length === 0) return
  await tx.rows(
    prepared(sql`
    update order_products line set gift_certificate_id = sold.certificate_id
    from (
      select id, row_number() over (order by id) as nr from order_products
      where store_id = ${tx.store.id} and order_id = ${id} and type = 'giftcertificate'
    ) as selling
    join unnest(${certificateIds}::int[]) with ordinality as sold (certificate_id, nr) on sold.nr = selling.nr
    where line.store_id = ${tx.store.id} and line.id = selling.id returning line.id`),
  )
}
