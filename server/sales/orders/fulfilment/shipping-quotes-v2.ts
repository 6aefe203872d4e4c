import t, { type Static } from 'typebox'
import { textOf, unitsOf } from '../../../core/money/units.ts'
import { Answer, noContent } from '../../../core/rest/answer.ts'
import type { Api } from '../../../core/rest/api.ts'
import { Id, idSegment } from '../../../core/rest/input/fields.ts'
import { findBelow } from '../../../core/rest/lists/verbs.ts'
import { access } from '../../../stores/accounts/scopes.ts'
import { orderAddresses, type ShippingQuote } from '../row/rows.ts'
import { ofOrder } from '../v2/parts-v2.ts'

const { read } = access('orders')

const QuoteV2 = t.Object(
  {
    id: t.String(),
    uuid: t.String(),
    timestamp: t.String({ format: 'date-time' }),
    shipping_provider_id: t.String(),
    shipping_provider_quote: t.Array(t.Object({ description: t.String(), cost: t.String() })),
    provider_code: t.String(),
    carrier_code: t.String(),
    rate_code: t.String(),
    rate_id: t.String(),
    method_id: t.Integer(),
  },
  { title: 'OrderShippingQuote' },
)

/**
 * The option that the shopper has chosen for an address in the checkout. Orders that are created with products name their own costs, so
 * they have no quote and the answer is 204 (docs/contract/orders.md section 7).
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
          tag: 'Order shipping quotes',
          params: t.Object({ order_id: Id, address_id: Id }),
          response: { 200: QuoteV2, 204: t.Null() },
        },
      },
      async ({ db, params: { order_id, address_id } }) => {
        const { id, shipping_quote } = await findBelow(db, orderAddresses, { order_id }, address_id)
        return shipping_quote ? new Answer(toQuoteV2(id, shipping_quote)) : noContent()
      },
    )
  }
}

const toQuoteV2 = (
  id: number,
  { uuid, timestamp, method_id, provider_code, description, cost }: ShippingQuote,
): Static<typeof QuoteV2> => ({
  id: String(id),
  uuid,
  timestamp,
  shipping_provider_id: provider_code,
  shipping_provider_quote: [{ description, cost: textOf(unitsOf(cost)) }],
  provider_code,
  carrier_code: provider_code,
  rate_code: uuid,
  rate_id: uuid,
  method_id: method_id ?? 0,
})
