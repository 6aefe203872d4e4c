import t from 'typebox'
import type { Api } from '../../../core/rest/api.ts'
import { Amount } from '../../../core/rest/input/amounts.ts'
import type { CartParts } from '../changes/change.ts'
import { evaluateCart } from '../evaluation/evaluate.ts'
import { withDiscounts } from './changes/discounts.ts'
import { CHECKOUT, CheckoutVersion, changeCheckout, checkoutSchemas, ofCheckout, write } from './writes.ts'

// Discounts by hand (docs/contract/checkouts.md section 9).

const LINES_MAX = 500

const Discounts = t.Object(
  {
    cart: t.Object(
      {
        discounts: t.Optional(
          t.Array(t.Object({ discounted_amount: Amount() }, { title: 'ManualCartDiscount' }), { maxItems: LINES_MAX }),
        ),
        line_items: t.Optional(
          t.Array(
            t.Object(
              { id: t.String({ maxLength: 255 }), discounted_amount: Amount() },
              { title: 'ManualLineDiscount' },
            ),
            {
              maxItems: LINES_MAX,
            },
          ),
        ),
        version: CheckoutVersion,
      },
      { title: 'ManualDiscountsOfCart' },
    ),
  },
  { title: 'ManualDiscounts', examples: [{ cart: { discounts: [{ discounted_amount: 0 }] } }] },
)

export function discountRoutes(api: Api, parts: CartParts) {
  api.post(
    `${CHECKOUT}/discounts`,
    {
      ...write,
      schema: {
        summary: 'Discount a checkout by hand',
        operationId: 'createCheckoutDiscount',
        description:
          'Replaces all earlier discounts by hand. Automatic promotions are off until a request has only amounts of 0.',
        params: t.Object(ofCheckout),
        body: Discounts,
        ...checkoutSchemas,
      },
    },
    (request) => {
      const { cart } = request.body
      return changeCheckout(request, parts, { version: cart.version }, ({ document, facts }) =>
        withDiscounts(document, evaluateCart(document, facts), cart),
      )
    },
  )
}
