import t from 'typebox'
import type { Tx } from '../../../core/db/database.ts'
import type { Api } from '../../../core/rest/api.ts'
import { ID_MAX } from '../../../core/rest/input/fields.ts'
import type { Mistakes } from '../../../core/rest/input/mistakes.ts'
import { Problem } from '../../../core/rest/problem.ts'
import { newNumberId } from '../../../core/secrets/row-ids.ts'
import type { CartParts } from '../changes/change.ts'
import { refuseWithTitle } from '../changes/refusal.ts'
import type { CartDocument } from '../row/document.ts'
import { addressInput, type CheckoutAddressInput, findAddressFields, toCartAddress } from './addresses.ts'
import { CHECKOUT, CheckoutVersion, changeCheckout, checkoutSchemas, ofCheckout, write } from './writes.ts'

// The billing address of a checkout. There is one at most; a second one replaces it (docs/contract/checkouts.md section 5).

const BillingAddress = t.Object(
  { ...addressInput, version: CheckoutVersion },
  {
    title: 'CheckoutBillingAddress',
    examples: [
      {
        first_name: 'Ann',
        last_name: 'Lee',
        email: 'ann@example.com',
        address1: '1 Mill Road',
        city: 'Austin',
        state_or_province_code: 'TX',
        country_code: 'US',
        postal_code: '78701',
      },
    ],
  },
)

export function billingRoutes(api: Api, parts: CartParts) {
  const path = `${CHECKOUT}/billing-address`

  api.post(
    path,
    {
      ...write,
      schema: {
        summary: 'Set the billing address of a checkout',
        operationId: 'createCheckoutBillingAddress',
        description: 'A checkout has one; another one replaces it.',
        params: t.Object(ofCheckout),
        body: BillingAddress,
        ...checkoutSchemas,
      },
    },
    (request) => {
      const { version, ...input } = request.body
      return changeCheckout(request, parts, { version }, ({ tx, document }) =>
        withBilling(tx, document, document.billing?.id ?? String(newNumberId(ID_MAX)), input),
      )
    },
  )

  api.put(
    `${path}/:address_id`,
    {
      ...write,
      schema: {
        summary: 'Change the billing address of a checkout',
        operationId: 'updateCheckoutBillingAddress',
        description: 'All fields are replaced.',
        params: t.Object({ ...ofCheckout, address_id: t.String() }),
        body: BillingAddress,
        ...checkoutSchemas,
      },
    },
    (request) => {
      const { version, ...input } = request.body
      const { address_id } = request.params
      return changeCheckout(request, parts, { version }, ({ tx, document }) => {
        if (document.billing?.id !== address_id) {
          throw new Problem(404, `This checkout has no billing address ${address_id}.`)
        }
        return withBilling(tx, document, address_id, input)
      })
    },
  )
}

/** @throws Problem 422 with all mistakes */
async function withBilling(
  tx: Tx,
  document: CartDocument,
  id: string,
  input: CheckoutAddressInput,
): Promise<CartDocument> {
  const mistakes: Mistakes = {}
  const fields = await findAddressFields(tx, [input])
  const billing = toCartAddress(id, input, fields, { at: (field) => field, mistakes })
  refuseWithTitle(mistakes)
  return { ...document, billing }
}
