import { ratio, type Units, unitsOf } from '../../../core/money/units.ts'
import type { ConsignmentItem } from '../../shipping/consignment.ts'
import type { SentConsignment } from '../../shipping/parcels/shipping-quotes.ts'
import type { CartFacts } from '../evaluation/facts.ts'
import type { CartResult, ResultLine } from '../evaluation/result.ts'
import type { CartAddress, CartConsignment } from '../row/document.ts'

// The consignments of a cart as shipping knows them (docs/contract/checkouts.md section 6). Pure.

/** The parcel of a consignment that is shipped. */
export function parcelOf(
  { id, address }: Pick<CartConsignment, 'id'> & { address: CartAddress },
  { lines }: Pick<CartResult, 'lines'>,
  facts: CartFacts,
): SentConsignment {
  return {
    lines: lines.flatMap((line) =>
      line.parts.flatMap(({ consignment_id, quantity, amount }) =>
        consignment_id === id ? [itemOf(line, { quantity, amount }, facts)] : [],
      ),
    ),
    channel: facts.channel_id,
    cart_id: facts.cart_id,
    destination: {
      street_1: address.address1,
      street_2: address.address2,
      city: address.city,
      zip: address.postal_code,
      state_iso2: address.state_or_province_code,
      country_iso2: address.country_code,
      form_fields: Object.fromEntries(
        address.custom_fields.map(({ field_id, field_value }) => [field_id, [field_value].flat().join(', ')]),
      ),
    },
    currency: facts.currency_code,
  }
}

function itemOf(
  { product_id, variant_id, name, item, price }: ResultLine,
  { quantity, amount }: { quantity: number; amount: Units },
  facts: CartFacts,
): ConsignmentItem {
  const { rate, one } = facts.prices.currency
  // Shipping calculates in the currency of the store.
  const ofStore = (units: Units) => ratio(units, one, rate)
  return {
    product_id,
    variant_id,
    sku: item?.sku ?? '',
    name,
    quantity,
    weight: item?.weight ?? 0,
    length: item?.depth ?? 0,
    width: item?.width ?? 0,
    height: item?.height ?? 0,
    value: ofStore(amount),
    list_price: ofStore(price),
    is_free_shipping: item?.is_free_shipping ?? false,
    fixed_cost: unitsOf(item?.fixed_cost_shipping_price ?? 0),
  }
}
