import t from 'typebox'
import type { Api } from '../../../core/rest/api.ts'
import { Amount } from '../../../core/rest/input/amounts.ts'
import { NeededText, nullable } from '../../../core/rest/input/fields.ts'
import type { CartParts } from '../changes/change.ts'
import { addFees, removeFees, replaceFees } from './changes/fees.ts'
import { A_FEE } from './examples.ts'
import { CHECKOUT, CheckoutVersion, changeCheckout, checkoutSchemas, ofCheckout, write } from './writes.ts'

// Fees of a checkout, such as a surcharge for a service (docs/contract/checkouts.md section 8).

const fields = {
  type: t.Literal('custom_fee'),
  name: NeededText(50),
  display_name: NeededText(200),
  cost: Amount(),
  source: NeededText(50),
  tax_class_id: t.Optional(nullable(t.Integer({ minimum: 0, maximum: 2_147_483_647 }))),
}
const example = {
  type: 'custom_fee',
  name: 'service',
  display_name: 'Service fee',
  cost: 4,
  source: 'The app of the shop',
}
const NewFees = t.Object(
  {
    fees: t.Array(t.Object(fields, { title: 'NewCheckoutFee' }), { minItems: 1, maxItems: 100 }),
    version: CheckoutVersion,
  },
  { title: 'NewCheckoutFees', examples: [{ fees: [example] }] },
)
const FeeId = t.String({ maxLength: 255 })
const ChangedFees = t.Object(
  {
    fees: t.Array(t.Object({ ...fields, id: FeeId }, { title: 'CheckoutFeeChanges' }), { minItems: 1, maxItems: 100 }),
    version: CheckoutVersion,
  },
  { title: 'CheckoutFeesChanges', examples: [{ fees: [{ ...example, id: A_FEE }] }] },
)
const RemovedFees = t.Object(
  { ids: t.Array(FeeId, { minItems: 1, maxItems: 100 }), version: CheckoutVersion },
  { title: 'CheckoutFeesDeletion', examples: [{ ids: [A_FEE] }] },
)

export function feeRoutes(api: Api, parts: CartParts) {
  const path = `${CHECKOUT}/fees`
  const params = t.Object(ofCheckout)

  api.post(
    path,
    {
      ...write,
      schema: {
        summary: 'Create fees of a checkout',
        operationId: 'createCheckoutFees',
        description: 'A checkout has at most five.',
        params,
        body: NewFees,
        ...checkoutSchemas,
      },
    },
    (request) => {
      const { fees, version } = request.body
      return changeCheckout(request, parts, { version }, ({ document, facts }) =>
        addFees(document, fees, facts.tax.classNames),
      )
    },
  )

  api.put(
    path,
    {
      ...write,
      schema: {
        summary: 'Change fees of a checkout',
        operationId: 'updateCheckoutFees',
        description: 'Fees that the body does not name remain.',
        params,
        body: ChangedFees,
        ...checkoutSchemas,
      },
    },
    (request) => {
      const { fees, version } = request.body
      return changeCheckout(request, parts, { version }, ({ document, facts }) =>
        replaceFees(document, fees, facts.tax.classNames),
      )
    },
  )

  api.delete(
    path,
    {
      ...write,
      schema: {
        summary: 'Delete fees of a checkout',
        operationId: 'deleteCheckoutFees',
        params,
        body: RemovedFees,
        ...checkoutSchemas,
      },
    },
    (request) => {
      const { ids, version } = request.body
      return changeCheckout(request, parts, { version }, ({ document }) => removeFees(document, ids))
    },
  )
}
