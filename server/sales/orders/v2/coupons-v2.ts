import t from 'typebox'
import { textOf, unitsOf } from '../../../core/money/units.ts'
import type { Api } from '../../../core/rest/api.ts'
import { Amount } from '../../../core/rest/input/amounts.ts'
import { Id } from '../../../core/rest/input/fields.ts'
import { collection } from '../../../core/rest/lists/collection.ts'
import { listV2 } from '../../../core/rest/v2.ts'
import { access } from '../../../stores/accounts/scopes.ts'
import { ofOrder, pageOfOrder, subResourceList } from './parts-v2.ts'

const { read } = access('orders')

/** A coupon of an order. Orders that are created by the API have none (docs/contract/orders.md section 7). */
const Coupon = t.Object({
  id: Id,
  order_id: Id,
  coupon_id: t.Integer(),
  code: t.String(),
  amount: Amount(),
  type: t.Integer({ minimum: 0, maximum: 5 }),
  discount: Amount(),
})

const coupons = collection('order_coupons', Coupon, { noun: 'coupon', filters: '' })

const CouponV2 = t.Object({ ...Coupon.properties, amount: t.String() }, { title: 'OrderCoupon' })

export function orderCouponRoutesV2(api: Api) {
  api.get(
    `${ofOrder}/coupons`,
    { ...read, schema: subResourceList('List the coupons of an order', CouponV2) },
    async ({ db, params, query }) => {
      const rows = await pageOfOrder(db, coupons, params.order_id, query)
      return listV2(rows.map((row) => ({ ...row, amount: textOf(unitsOf(row.amount)) })))
    },
  )
}
