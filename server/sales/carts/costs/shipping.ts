import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Db } from '../../../core/db/database.ts'
import { prepared } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { amountOf } from '../../../core/money/units.ts'
import { findLocation } from '../../../goods/inventory/locations/location-shape.ts'
import { FIRST_LOCATION } from '../../../goods/stock/stock.ts'
import type { ShippingOption } from '../../shipping/parcels/options.ts'
import type { OfferedOptions } from '../../shipping/parcels/shipping-options.ts'
import type { CarrierParts, ShippingQuotes } from '../../shipping/parcels/shipping-quotes.ts'
import type { CartFacts } from '../evaluation/facts.ts'
import type { CartResult } from '../evaluation/result.ts'
import type { CartAddress, CartConsignment, CartDocument, ChosenOption } from '../row/document.ts'
import { parcelOf } from './parcels.ts'

// The shipping options of a cart, and the costs of the chosen ones (docs/contract/checkouts.md section 6). The document keeps the
// chosen option of each consignment with its cost, so that a read asks nobody. Every change of cart or checkout offers the options
// again: a chosen one that still exists gets its new cost, and any other is dropped.

/** A cart whose options are offered. */
export interface CartToShip {
  customer_id: number
  document: CartDocument
  /** The evaluation of this document. */
  result: CartResult
  facts: CartFacts
}

/** A consignment that is shipped. */
type Shipped = CartConsignment & { address: CartAddress }

const isShipped = (consignment: CartConsignment): consignment is Shipped => consignment.address !== null

/**
 * The options of consignments that are shipped, by their ids. Two round trips.
 * @param wanted the consignments; those that are collected have no options
 * @throws NeedsPreparation
 */
export async function offersFor(
  db: Db,
  { customer_id, result, facts }: CartToShip,
  wanted: readonly CartConsignment[],
  quotes: ShippingQuotes,
): Promise<ReadonlyMap<string, readonly ChosenOption[]>> {
  const shipped = wanted.filter(isShipped)
  const offered = await quotes.optionsOf(
    db,
    shipped.map((consignment) => parcelOf(consignment, result, facts)),
    (outside) => carrierParts(outside, customer_id, facts.group_id),
  )
  return new Map(shipped.map(({ id }, i) => [id, optionsIn(offered[i], result)]))
}

/**
 * The document after a change of the cart: its chosen options have their new costs.
 * @throws NeedsPreparation
 */
export async function withShipping(db: Db, cart: CartToShip, quotes: ShippingQuotes): Promise<CartDocument> {
  const { document } = cart
  const chosen = document.consignments.filter(({ option }) => option !== null && option.type !== CUSTOM_SHIPPING)
  if (chosen.length === 0) return document
  const offers = await offersFor(db, cart, chosen, quotes)
  const consignments = document.consignments.map((consignment) => {
    const { id, option } = consignment
    if (!option || option.type === CUSTOM_SHIPPING) return consignment
    const offered = offers.get(id)?.find((one) => one.id === option.id) ?? null
    return isDeepStrictEqual(offered, option) ? consignment : { ...consignment, option: offered }
  })
  const isChanged = consignments.some((consignment, i) => consignment !== document.consignments[i])
  return isChanged ? { ...document, consignments } : document
}

/** The type of shipping whose price a client has set. Zones don't offer it. */
export const CUSTOM_SHIPPING = 'custom'

function optionsIn(offered: OfferedOptions | undefined, result: CartResult): ChosenOption[] {
  const zone = offered?.zone
  if (!zone) return []
  const options = offered.options.map((option) => toChosen(option, zone))
  const isFree = result.promotions.freeShipping.some(({ zones }) => zones === '*' || zones.includes(zone.id))
  return isFree ? [freeByPromotion(zone), ...options] : options
}

const toChosen = (
  { cost, handling_cost, ...option }: ShippingOption,
  zone: NonNullable<OfferedOptions['zone']>,
): ChosenOption => ({
  ...option,
  zone_id: zone.id,
  zone_name: zone.name,
  image_url: '',
  cost: amountOf(cost),
  handling_cost: amountOf(handling_cost),
})

/** The option that a promotion with free shipping adds. */
const freeByPromotion = (zone: NonNullable<OfferedOptions['zone']>): ChosenOption => ({
  id: createHash('md5').update(`${zone.id} promotion`).digest('hex'),
  method_id: 0,
  zone_id: zone.id,
  zone_name: zone.name,
  type: 'freeshipping',
  description: 'Free shipping',
  additional_description: '',
  transit_time: '',
  image_url: '',
  cost: 0,
  handling_cost: 0,
})

/** The sender and the customer of consignments, which only carriers ask for. */
export async function carrierParts(db: Db, customer_id: number, group: number): Promise<CarrierParts> {
  const { location, groups } = await db.together(() => ({
    location: findLocation(db, FIRST_LOCATION),
    groups: db.rows<{ id: number; name: string }>(
      prepared(sql`select id, name from customer_groups where store_id = ${db.store.id} and id = ${group}`),
    ),
  }))
  const address = location?.address
  const [named] = groups
  return {
    origin: {
      street_1: address?.address1 ?? '',
      street_2: address?.address2 ?? '',
      city: address?.city ?? '',
      zip: address?.zip ?? '',
      state_iso2: address?.state ?? '',
      country_iso2: address?.country_code ?? '',
    },
    customer: { id: customer_id, ...(named ? { group: named } : {}) },
  }
}
