import t from 'typebox'
import { textOf, unitsOf } from '../../../core/money/units.ts'
import type { Api } from '../../../core/rest/api.ts'
import { listV2 } from '../../../core/rest/v2.ts'
import { access } from '../../../stores/accounts/scopes.ts'
import { CouponRow, orderCoupons } from '../row/rows.ts'
import { ofOrder, pageOfOrder, subResourceList } from './parts-v2.ts'

const { read } = access('orders')

const CouponV2 = t.Object({ ...CouponRow.properties, amount: t.String() }, { title: 'OrderCoupon' })

export function orderCouponRoutesV2(api: Api) {
  api.get(
    `${ofOrder}/coupons`,
    { ...read, schema: subResourceList('List the coupons of an order', CouponV2) },
    async ({ db, params, query }) => {
      const rows = await pageOfOrder(db, orderCoupons, params.order_id, query)
      return listV2(rows.map((row) => ({ ...row, amount: textOf(unitsOf(row.amount)) })))
    },
  )
}
