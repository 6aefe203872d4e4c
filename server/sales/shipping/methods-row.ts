import t, { type Static } from 'typebox'
import { Amount } from '../../core/rest/input/amounts.ts'
import { Id } from '../../core/rest/input/fields.ts'
import { collection } from '../../core/rest/lists/collection.ts'

/** The types of methods whose costs the server calculates. Every other type is the id of a carrier. */
export const OWN_TYPES = ['perorder', 'peritem', 'weight', 'total', 'freeshipping'] as const
export type OwnType = (typeof OWN_TYPES)[number]

const CostRange = t.Object({ lower_limit: Amount(), upper_limit: Amount(), shipping_cost: Amount() })
export type CostRange = Static<typeof CostRange>

/** The settings of a method; which of them it has depends on its type (docs/contract/shipping.md section 3). */
export const MethodSettings = t.Partial(
  t.Object({
    rate: Amount(),
    default_cost: t.Unsafe<number | null>({ ...Amount(), type: ['number', 'null'] }),
    default_cost_type: t.Enum(['fixed_amount', 'percentage_of_total']),
    range: t.Array(CostRange, { maxItems: 100 }),
    carrier_options: t.Record(t.String(), t.Unknown()),
  }),
)
export type MethodSettings = Static<typeof MethodSettings>

/** Either a fixed amount or a percentage of the cost. */
export const MethodFees = t.Partial(
  t.Object({ fixed_surcharge: Amount(), percentage_surcharge: Amount({ maximum: 100 }) }),
)
export type MethodFees = Static<typeof MethodFees>

export const Method = t.Object(
  {
    id: Id,
    zone_id: Id,
    name: t.String({ minLength: 1, maxLength: 100, pattern: '\\S' }),
    type: t.String({ minLength: 1, maxLength: 50 }),
    settings: MethodSettings,
    enabled: t.Boolean(),
    handling_fees: MethodFees,
    is_fallback: t.Boolean(),
    channel_ids: t.Unsafe<number[] | null>({ type: ['array', 'null'], items: t.Integer({ minimum: 1 }) }),
  },
  { title: 'ShippingMethodRow' },
)
/** A method as it is stored: channel_ids are null for all channels. */
export type Method = Static<typeof Method>

export const shippingMethods = collection('shipping_methods', Method, {
  noun: 'shipping method',
  filters: '',
})
