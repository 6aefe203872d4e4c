import t, { type Static } from 'typebox'
import { Value } from 'typebox/value'
import type { Db } from '../../../core/db/database.ts'
import { amountOf, unitsOf } from '../../../core/money/units.ts'
import { Amount } from '../../../core/rest/input/amounts.ts'
import { currencyPair } from '../../../shop/channels/currencies/shape.ts'
import type { CarrierDesk } from '../carriers/quotes.ts'
import type { Consignment } from '../consignment.ts'
import { shippingOptions } from './shipping-options.ts'

// A parcel that an operator describes in a file, to see its options and to explain a price.

const Address = t.Object({
  country_iso2: t.String({ pattern: '^[A-Z]{2}$' }),
  state_iso2: t.Optional(t.String({ maxLength: 3 })),
  zip: t.Optional(t.String({ maxLength: 20 })),
})
const Parcel = t.Object({
  destination: Address,
  origin: t.Optional(Address),
  channel_id: t.Optional(t.Integer({ minimum: 1 })),
  currency: t.Optional(t.String({ pattern: '^[A-Z]{3}$' })),
  lines: t.Array(
    t.Object({
      quantity: t.Integer({ minimum: 1, maximum: 1_000_000 }),
      /** Of one unit. */
      weight: t.Optional(Amount()),
      /** Of the whole line, after discounts. */
      value: Amount(),
      is_free_shipping: t.Optional(t.Boolean()),
      fixed_cost_shipping_price: t.Optional(Amount()),
      name: t.Optional(t.String()),
      sku: t.Optional(t.String()),
    }),
    { minItems: 1, maxItems: 500 },
  ),
})

/** The options of a parcel as an operator sees them. */
export interface ParcelOptions {
  zone: { id: number; name: string } | undefined
  currency: string
  options: {
    method_id: number
    type: string
    description: string
    transit_time: string
    cost: number
    handling_cost: number
  }[]
}

/**
 * The shipping options of a parcel.
 * @param text the file, as JSON
 * @throws Error with a sentence for the operator
 */
export async function explainParcel(db: Db, desk: CarrierDesk, text: string): Promise<ParcelOptions> {
  const parcel: unknown = JSON.parse(text)
  if (!Value.Check(Parcel, parcel)) {
    const [first] = Value.Errors(Parcel, parcel)
    throw new Error(`The file describes no parcel: ${first?.instancePath || '/'} ${first?.message}.`)
  }
  const { wanted } = await currencyPair(db, parcel.currency)
  if (!wanted) throw new Error(`The store does not have the currency ${parcel.currency}.`)
  const currency = wanted.currency_code
  const { zone, options } = await shippingOptions(db, desk, consignmentOf(parcel, currency))
  return {
    zone: zone && { id: zone.id, name: zone.name },
    currency,
    options: options.map(({ method_id, type, description, transit_time, cost, handling_cost }) => ({
      method_id,
      type,
      description,
      transit_time,
      cost: amountOf(cost),
      handling_cost: amountOf(handling_cost),
    })),
  }
}

function consignmentOf(
  { lines, destination, origin, channel_id }: Static<typeof Parcel>,
  currency: string,
): Consignment {
  const address = { zip: '', state_iso2: '' }
  return {
    lines: lines.map(({ quantity, value, ...line }) => ({
      quantity,
      value: unitsOf(value),
      weight: line.weight ?? 0,
      is_free_shipping: line.is_free_shipping ?? false,
      fixed_cost: unitsOf(line.fixed_cost_shipping_price ?? 0),
      product_id: 0,
      variant_id: 0,
      sku: line.sku ?? '',
      name: line.name ?? '',
      length: 0,
      width: 0,
      height: 0,
      list_price: unitsOf(Number((value / quantity).toFixed(4))),
    })),
    channel: channel_id ?? 1,
    cart_id: '',
    origin: { ...address, ...(origin ?? { country_iso2: destination.country_iso2 }) },
    destination: { ...address, ...destination },
    customer: { id: 0 },
    currency,
  }
}
