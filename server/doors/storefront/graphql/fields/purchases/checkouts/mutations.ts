import { randomInt } from 'node:crypto'
import { ID_MAX } from '../../../../../../core/rest/input/fields.ts'
import { Problem } from '../../../../../../core/rest/problem.ts'
import { changeCart, remaining } from '../../../../../../sales/carts/changes/change.ts'
import {
  addConsignments,
  changeConsignment,
  newConsignmentId,
  removeConsignment,
} from '../../../../../../sales/carts/checkouts/changes/consignments.ts'
import { withCertificate, withoutCertificate } from '../../../../../../sales/carts/checkouts/changes/redemptions.ts'
import { withMessage } from '../../../../../../sales/carts/checkouts/checkouts.ts'
import { findOption } from '../../../../../../sales/carts/checkouts/consignments.ts'
import { applyCoupon, unapplyCoupon } from '../../../../../../sales/carts/checkouts/coupons.ts'
import type { ChangeCheckout } from '../../../../../../sales/carts/checkouts/writes.ts'
import { evaluateCart } from '../../../../../../sales/carts/evaluation/evaluate.ts'
import type { MoreFacts } from '../../../../../../sales/carts/evaluation/gather-facts.ts'
import { findCertificates } from '../../../../../../sales/promotions/certificate-balance.ts'
import type { StorefrontCaller } from '../../../../caller.ts'
import type { SchemaInputs } from '../../../schema-types.ts'
import type { Fields } from '../../../types.ts'
import { limitCalls } from '../../result-errors.ts'
import type { CartView } from '../carts/cart.ts'
import { changeFor } from '../carts/mutations.ts'
import { checkedAddress, toAddressInput } from './addresses.ts'
import { completeCheckout } from './completion.ts'
import { createCheckout, updateCheckout } from './composite.ts'

// The steps of a checkout (docs/contract/storefront-purchases.md section 6). Each is one transaction, and answers with the checkout after its
// commit.

declare module '../../../types.ts' {
  interface Parents {
    CheckoutMutations: object
  }
}

/** The checkout of a mutation, with the version that the client has read. */
interface Target {
  checkoutEntityId: string
  version?: number | null
}

async function stepFor(
  caller: StorefrontCaller,
  { checkoutEntityId: id, version }: Target,
  change: ChangeCheckout,
  more: MoreFacts = {},
): Promise<{ checkout: CartView | null }> {
  const checkout = await changeFor(caller, { id, version }, async (tx, target) =>
    remaining(
      await changeCart(tx, caller.selling.carts, { ...target, more }, async (context) => ({
        document: await change({ ...context, tx, quotes: target.quotes }),
      })),
    ),
  )
  return { checkout }
}

type ConsignmentInput = SchemaInputs['CheckoutShippingConsignmentInput']

function unitsIn({ lineItems }: ConsignmentInput) {
  for (const { quantity } of lineItems) {
    if (quantity < 1) throw new Problem(422, `The quantity must be 1 or more, not ${quantity}.`)
  }
  if (lineItems.length === 0 || lineItems.length > LINES_MAX) {
    throw new Problem(422, `A consignment has 1 to ${LINES_MAX} lines.`)
  }
  return lineItems.map(({ lineItemEntityId, quantity }) => ({ item_id: lineItemEntityId, quantity }))
}

const LINES_MAX = 500

export const checkoutMutationFields: Fields<'CheckoutMutations'> = {
  CheckoutMutations: {
    createCheckout: (_, { input }, caller) => createCheckout(caller, input),
    updateCheckout: (_, { input }, caller) => updateCheckout(caller, input),
    async addCheckoutBillingAddress(_, { input }, caller) {
      const address = await toAddressInput(caller, input.data.address)
      return stepFor(caller, input, async (context) => {
        const id = context.document.billing?.id ?? String(randomInt(1, ID_MAX))
        return { ...context.document, billing: await checkedAddress(context, id, address) }
      })
    },
    async updateCheckoutBillingAddress(_, { input }, caller) {
      const address = await toAddressInput(caller, input.data.address)
      return stepFor(caller, input, async (context) => {
        const { addressEntityId: id } = input
        if (context.document.billing?.id !== id) throw new Problem(404, `This checkout has no billing address ${id}.`)
        return { ...context.document, billing: await checkedAddress(context, id, address) }
      })
    },
    updateCheckoutCustomerMessage: (_, { input }, caller) =>
      stepFor(caller, input, ({ document }) => withMessage(document, input.data.message)),
    async addCheckoutShippingConsignments(_, { input }, caller) {
      const { consignments } = input.data
      if (consignments.length === 0) throw new Problem(422, 'Send at least one consignment.')
      const named = await Promise.all(
        consignments.map(async (one) => ({ input: await toAddressInput(caller, one.address), lines: unitsIn(one) })),
      )
      return stepFor(caller, input, async (context) => {
        const { document, facts } = context
        const added = []
        for (const { input, lines } of named) {
          added.push({ destination: { address: await checkedAddress(context, newConsignmentId(), input) }, lines })
        }
        return addConsignments(document, evaluateCart(document, facts), added)
      })
    },
    async updateCheckoutShippingConsignment(_, { input }, caller) {
      const { consignmentEntityId: id, data } = input
      const address = await toAddressInput(caller, data.consignment.address)
      const lines = unitsIn(data.consignment)
      return stepFor(caller, input, async (context) => {
        const { document, facts } = context
        const stored = document.consignments.find((one) => one.id === id)
        const change = {
          address: await checkedAddress(context, stored?.address?.id ?? newConsignmentId(), address),
          lines,
        }
        return changeConsignment(document, evaluateCart(document, facts), id, change)
      })
    },
    deleteCheckoutConsignment: (_, { input }, caller) =>
      stepFor(caller, input, ({ document }) => removeConsignment(document, input.consignmentEntityId)),
    selectCheckoutShippingOption: (_, { input }, caller) =>
      stepFor(caller, input, async (context) => {
        const { document, facts } = context
        const { consignmentEntityId: id, data } = input
        const option = await findOption(context, id, data.shippingOptionEntityId)
        return changeConsignment(document, evaluateCart(document, facts), id, { option })
      }),
    applyCheckoutCoupon(_, { input }, caller) {
      const code = input.data.couponCode.trim()
      return stepFor(caller, input, (context) => applyCoupon(context, code), { codes: [code] }).catch(incorrect)
    },
    unapplyCheckoutCoupon: (_, { input }, caller) =>
      stepFor(caller, input, ({ document }) => unapplyCoupon(document, input.data.couponCode)),
    async applyCheckoutGiftCertificate(_, { input }, caller) {
      const code = input.data.giftCertificateCode
      await limitCalls(caller)
      return stepFor(caller, input, async ({ tx, document, cart: { currency_code } }) => {
        const [found] = await findCertificates(tx, code.includes('\0') ? [] : [code], tx.now)
        return withCertificate(document, found, { code, currency_code })
      }).catch(incorrect)
    },
    unapplyCheckoutGiftCertificate: (_, { input }, caller) =>
      stepFor(caller, input, ({ document }) => withoutCertificate(document, input.data.giftCertificateCode)),
    // The store asks no captcha of its shoppers: its counters of calls take that place.
    applyCheckoutSpamProtection: (_, { input }, caller) => stepFor(caller, input, ({ document }) => document),
    completeCheckout: (_, { input }, caller) => completeCheckout(caller, input.checkoutEntityId),
  },
}

/** Public clients look for these words. */
function incorrect(error: unknown): never {
  const isCode =
    error instanceof Problem && (error.detail?.startsWith('COUPON_') || 'gift_certificate_code' in error.errors)
  if (!isCode) throw error
  throw new Problem(error.status, `Incorrect or mismatch: ${error.message}`, error.errors, { detail: error.detail })
}
