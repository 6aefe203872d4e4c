import t, { type Static } from 'typebox'
import { Answer } from '../../../core/rest/answer.ts'
import type { Api } from '../../../core/rest/api.ts'
import { ID_MAX } from '../../../core/rest/input/fields.ts'
import { notFound } from '../../../core/rest/problem.ts'
import { access } from '../../../stores/accounts/scopes.ts'
import { findStatus, ORDER_STATUSES, type OrderStatus } from '../arithmetic/order-status.ts'

const { read } = access('orders')

const StatusV2 = t.Object(
  {
    id: t.Integer(),
    name: t.String(),
    system_label: t.String(),
    custom_label: t.String(),
    system_description: t.String(),
    order: t.Integer(),
  },
  { title: 'OrderStatus' },
)

/** Statuses can't be renamed, so all labels are the name. */
const statusToAnswer = (status: OrderStatus): Static<typeof StatusV2> => ({
  ...status,
  system_label: status.name,
  custom_label: status.name,
})

/** The statuses that orders have (docs/contract/orders.md section 1). */
export function statusRoutesV2(api: Api) {
  api.get(
    '/order_statuses',
    { ...read, schema: { summary: 'List the statuses of orders', response: { 200: t.Array(StatusV2) } } },
    () => new Answer(ORDER_STATUSES.map(statusToAnswer)),
  )

  api.get(
    // 0 is the id of a status.
    '/order_statuses/:status_id(^\\d{1,9}$)',
    {
      ...read,
      schema: {
        summary: 'Get a status of orders',
        operationId: 'getOrderStatusV2',
        params: t.Object({ status_id: t.Integer({ minimum: 0, maximum: ID_MAX }) }),
        response: { 200: StatusV2 },
      },
    },
    ({ params }) => {
      const status = findStatus(params.status_id)
      if (!status) throw notFound('order status', params.status_id)
      return new Answer(statusToAnswer(status))
    },
  )
}
