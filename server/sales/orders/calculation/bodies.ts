import t, { type Static } from 'typebox'
import { Amount } from '../../../core/rest/input/amounts.ts'
import { ID_MAX, Id, Line, nullable, Text } from '../../../core/rest/input/fields.ts'
import { ChannelId } from '../../../shop/channels/channels.ts'
import { OrderFormField } from '../row/rows.ts'

// Bodies of requests about orders (docs/contract/orders.md section 4). Amounts are numbers, or texts with a number.

/** Most lines of one order. */
export const LINES_MAX = 500
const FEES_MAX = 50
const OPTIONS_MAX = 100

const IdOrNone = t.Integer({ minimum: 0, maximum: ID_MAX })
const Quantity = t.Integer({ minimum: 0, maximum: 1_000_000_000 })
const Money = Amount()
/** The contract has 64 bits. A JSON number holds 53 of them exactly. */
const MethodId = t.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })

const address = {
  first_name: Line,
  last_name: Line,
  company: Line,
  street_1: Line,
  street_2: Line,
  city: Line,
  state: Line,
  zip: t.String({ maxLength: 50 }),
  country: Line,
  country_iso2: t.String({ pattern: '^([A-Za-z]{2})?$' }),
  phone: Line,
  email: Line,
  form_fields: t.Array(OrderFormField, { maxItems: 100 }),
}
const AddressChanges = t.Partial(t.Object(address))
export type AddressInput = Static<typeof AddressChanges>
const NewBilling = t.Object({ ...AddressChanges.properties, zip: address.zip }, { title: 'NewOrderBillingAddress' })

export const ShippingAddressChanges = t.Object(
  { ...AddressChanges.properties, shipping_method: t.Optional(t.String({ maxLength: 250 })) },
  { title: 'OrderShippingAddressChanges', examples: [{ street_1: 'Nyhavn 14' }] },
)
export type ShippingAddressInput = Static<typeof ShippingAddressChanges>

const LineChoice = t.Object(
  {
    id: Id,
    product_option_id: t.Optional({
      ...Id,
      description: 'As in answers. It takes precedence over id, which numbers the options of the line in answers',
    }),
    value: t.String({ maxLength: 4_000 }),
    display_name: t.Optional(Line),
    display_name_customer: t.Optional(Line),
    display_name_merchant: t.Optional(Line),
    display_value: t.Optional(Text),
    display_value_customer: t.Optional(Text),
    display_value_merchant: t.Optional(Text),
  },
  { title: 'NewOrderProductOption' },
)
export type LineChoice = Static<typeof LineChoice>

const line = t.Partial(
  t.Object({
    product_id: IdOrNone,
    variant_id: IdOrNone,
    name: t.String({ minLength: 1, maxLength: 250 }),
    name_customer: Line,
    name_merchant: Line,
    sku: Line,
    upc: Line,
    quantity: Quantity,
    price_ex_tax: Money,
    price_inc_tax: Money,
    product_options: t.Array(LineChoice, { maxItems: OPTIONS_MAX }),
    wrapping_id: IdOrNone,
    wrapping_name: nullable(Line),
    wrapping_message: Text,
    wrapping_cost_ex_tax: Money,
    wrapping_cost_inc_tax: Money,
  }),
).properties
const NewLine = t.Object(line, {
  title: 'NewOrderProduct',
  description: 'A product of the catalog by its product_id, or a custom product with a name and both prices',
})
export type NewLine = Static<typeof NewLine>
const LineChanges = t.Object(
  { id: t.Optional(Id), ...line },
  {
    title: 'OrderProductChanges',
    description: 'With an id, changes a line; without, adds one. Quantity 0 removes a line',
  },
)
export type LineChanges = Static<typeof LineChanges>

const pickupPlace = t.Partial(
  t.Object({
    name: Line,
    code: t.String({ maxLength: 50 }),
    address_line_1: Line,
    address_line_2: Line,
    city: Line,
    state: Line,
    postal_code: t.String({ maxLength: 50 }),
    country_alpha2: t.String({ pattern: '^([A-Za-z]{2})?$' }),
    email: Line,
    phone: t.String({ maxLength: 125 }),
  }),
)
const pickup = {
  pickup_method_display_name: t.Optional(t.String({ maxLength: 250 })),
  collection_instructions: t.Optional(Text),
  collection_time_description: t.Optional(t.String({ maxLength: 250 })),
  location: t.Optional(pickupPlace),
}
const NewPickup = t.Object(
  { pickup_method_id: MethodId, ...pickup, line_items: t.Array(NewLine, { minItems: 1, maxItems: LINES_MAX }) },
  { title: 'NewOrderPickupConsignment' },
)
export type NewPickup = Static<typeof NewPickup>
const PickupChanges = t.Object(
  {
    id: Id,
    pickup_method_id: t.Optional(MethodId),
    ...pickup,
    line_items: t.Optional(t.Array(LineChanges, { maxItems: LINES_MAX })),
  },
  { title: 'OrderPickupConsignmentChanges' },
)

const fee = {
  type: t.Optional(t.Enum(['custom_fee'])),
  display_name_customer: t.Optional(Line),
  display_name_merchant: t.Optional(Line),
  source: t.Optional(Line),
  cost_ex_tax: t.Optional(Money),
  cost_inc_tax: t.Optional(Money),
  cost_tax: t.Optional(Money),
  tax_class_id: t.Optional(nullable(IdOrNone)),
}
const NewFee = t.Object(fee, { title: 'NewOrderFee' })
const FeeChanges = t.Object({ id: t.Optional(Id), ...fee }, { title: 'OrderFeeChanges' })
export type FeeInput = Static<typeof FeeChanges>

const Fields = t.Partial(
  t.Object({
    status_id: t.Integer({ minimum: 0, maximum: 14 }),
    customer_id: IdOrNone,
    channel_id: ChannelId,
    customer_message: Text,
    staff_notes: Text,
    discount_amount: Money,
    base_shipping_cost: Money,
    shipping_cost_ex_tax: Money,
    shipping_cost_inc_tax: Money,
    base_handling_cost: Money,
    handling_cost_ex_tax: Money,
    handling_cost_inc_tax: Money,
    base_wrapping_cost: Money,
    wrapping_cost_ex_tax: Money,
    wrapping_cost_inc_tax: Money,
    subtotal_ex_tax: Money,
    subtotal_inc_tax: Money,
    total_ex_tax: Money,
    total_inc_tax: Money,
    payment_method: t.String({ maxLength: 100 }),
    payment_provider_id: t.Unsafe<string | number | null>({ type: ['string', 'number', 'null'], maxLength: 255 }),
    ip_address: t.String({ maxLength: 30 }),
    ip_address_v6: t.String({ maxLength: 39 }),
    geoip_country: Line,
    geoip_country_iso2: t.String({ pattern: '^([A-Za-z]{2})?$' }),
    ebay_order_id: Line,
    external_source: nullable(Line),
    external_merchant_id: nullable(Line),
    external_order_id: nullable(Line),
    tax_provider_id: Line,
    customer_locale: t.String({ maxLength: 64 }),
  }),
)
/** Fields of the order itself, which creating and changing share. */
export type OrderFields = Static<typeof Fields>

export const NewOrder = t.Object(
  {
    ...Fields.properties,
    billing_address: NewBilling,
    date_created: t.Optional(t.String({ format: 'date-time' })),
    payment_status: t.Optional(
      t.Unknown({ description: 'authorized or captured. Ignored unless payment_method is "Test Payment Gateway"' }),
    ),
    default_currency_code: t.Optional(t.String({ minLength: 3, maxLength: 3 })),
    products: t.Optional(t.Array(NewLine, { minItems: 1, maxItems: LINES_MAX })),
    shipping_addresses: t.Optional(t.Array(ShippingAddressChanges, { maxItems: 1 })),
    consignments: t.Optional(t.Object({ pickups: t.Array(NewPickup, { minItems: 1, maxItems: 1 }) })),
    fees: t.Optional(t.Array(NewFee, { maxItems: FEES_MAX })),
  },
  {
    title: 'NewOrder',
    examples: [
      {
        channel_id: 1,
        billing_address: {
          first_name: 'Ida',
          last_name: 'Holm',
          street_1: 'Nyhavn 12',
          city: 'Copenhagen',
          state: 'Hovedstaden',
          zip: '1051',
          country_iso2: 'DK',
          email: 'ida@example.com',
        },
        products: [
          { name: 'Engraving', quantity: 2, price_ex_tax: 30, price_inc_tax: 37.5 },
          { name: 'Case', quantity: 1, price_ex_tax: 12, price_inc_tax: 15 },
        ],
        fees: [{ display_name_customer: 'Gift box', cost_ex_tax: 4, cost_inc_tax: 5 }],
      },
    ],
  },
)
export type NewOrder = Static<typeof NewOrder>

export const OrderChanges = t.Object(
  {
    ...Fields.properties,
    status: t.Optional(t.Unknown({ description: 'Read-only: write status_id' })),
    is_deleted: t.Optional(t.Boolean({ description: 'true archives the order' })),
    billing_address: t.Optional(AddressChanges),
    products: t.Optional(t.Array(LineChanges, { maxItems: LINES_MAX })),
    shipping_addresses: t.Optional(
      t.Array(t.Object({ ...ShippingAddressChanges.properties, id: t.Optional(Id) }), { maxItems: 1 }),
    ),
    consignments: t.Optional(t.Object({ pickups: t.Array(PickupChanges, { maxItems: 1 }) })),
    fees: t.Optional(t.Array(FeeChanges, { maxItems: FEES_MAX })),
  },
  { title: 'OrderChanges', examples: [{ status_id: 9, staff_notes: 'Packed' }] },
)
export type OrderChanges = Static<typeof OrderChanges>
