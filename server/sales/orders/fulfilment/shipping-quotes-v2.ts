import t from 'typebox'
import { noContent } from '../../../core/rest/answer.ts'
import type { Api } from '../../../core/rest/api.ts'
import { Id, idSegment } from '../../../core/rest/input/fields.ts'
import { findBelow } from '../../../core/rest/lists/verbs.ts'
import { access } from '../../../stores/accounts/scopes.ts'
import { orderAddresses } from '../row/rows.ts'
import { ofOrder } from '../v2/parts-v2.ts'

const { read } = access('orders')

/**
 * The offers of carriers for an address before its order was placed. Orders that are created by the API name their own price, so there are
 * no quotes and the answer is 204 (docs/contract/orders.md section 7).
 */
export function shippingQuoteRoutesV2(api: Api) {
  for (const [place, noun, operationId] of [
    ['shipping_addresses', 'a shipping address', 'getOrderAddressQuotesV2'],
    ['consignments/shipping', 'a shipping consignment', 'getOrderConsignmentQuotesV2'],
  ] as const) {
    api.get(
      `${ofOrder}/${place}/${idSegment('address_id')}/shipping_quotes`,
      {
        ...read,
        schema: {
          summary: `Get the shipping quotes of ${noun} of an order`,
          operationId,
          tag: 'Order shipping quotes (v2)',
          params: t.Object({ order_id: Id, address_id: Id }),
          response: { 204: t.Null() },
        },
      },
      async ({ db, params: { order_id, address_id } }) => {
        await findBelow(db, orderAddresses, { order_id }, address_id)
        return noContent()
      },
    )
  }
}
