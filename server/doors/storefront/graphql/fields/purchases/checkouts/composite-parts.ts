import { randomInt } from 'node:crypto'
import type { Tx } from '../../../../../../core/db/database.ts'
import { ID_MAX } from '../../../../../../core/rest/input/fields.ts'
import { Problem } from '../../../../../../core/rest/problem.ts'
import {
  type CartParts,
  type CartTarget,
  type CartWithResult,
  changeCart,
  remaining,
} from '../../../../../../sales/carts/changes/change.ts'
import {
  addConsignments,
  changeConsignment,
  newConsignmentId,
} from '../../../../../../sales/carts/checkouts/changes/consignments.ts'
import { applyCoupon } from '../../../../../../sales/carts/checkouts/coupons.ts'
import type { ChangeCheckout } from '../../../../../../sales/carts/checkouts/writes.ts'
import { offersFor } from '../../../../../../sales/carts/costs/shipping.ts'
import { evaluateCart } from '../../../../../../sales/carts/evaluation/evaluate.ts'
import type { CartDocument } from '../../../../../../sales/carts/row/document.ts'
import type { StorefrontCaller } from '../../../../caller.ts'
import type { SchemaInputs } from '../../../schema-types.ts'
import { checkedAddress, type RestAddress, toAddressInput } from './addresses.ts'
import { recommended } from './checkout.ts'
import {
  below,
  billingMistakes,
  consignmentMistake,
  consignmentMistakes,
  couponMistake,
  InputMistakes,
  type InputPlace,
} from './mistakes.ts'

// The parts of whole checkouts. Each changes the document as far as its input is right, and collects its mistakes.

/** A locked checkout whose document is changed step by step. */
export type CheckoutContext = Parameters<ChangeCheckout>[0]

interface Reporting {
  at: InputPlace
  mistakes: InputMistakes
}

export async function withBilling(
  context: CheckoutContext,
  { at, billing, mistakes }: Reporting & { billing: RestAddress },
): Promise<CartDocument> {
  const { document } = context
  const id = document.billing?.id ?? String(randomInt(1, ID_MAX))
  const read = await mistakes.of(
    () => checkedAddress(context, id, billing),
    (problem) => billingMistakes(below(at, 'billingAddress'), problem),
  )
  return read ? { ...document, billing: read } : document
}

export async function withCoupons(
  context: CheckoutContext,
  codes: readonly string[],
  { at, mistakes }: Reporting,
): Promise<CartDocument> {
  let { document } = context
  for (const [i, code] of codes.entries()) {
    const applied = await mistakes.of(
      async () => applyCoupon({ ...context, document }, code),
      (problem) => [couponMistake(below(at, 'coupons', i), problem)],
    )
    document = applied ?? document
  }
  return document
}

/** A consignment of the input, with its place in it. */
export interface ConsignmentOfInput {
  place: InputPlace
  entityId: string | undefined
  address: RestAddress | undefined
  /** Undefined for the units that are in no other consignment. */
  lines: { item_id: string; quantity: number }[] | undefined
  optionId: string | undefined
  isRecommended: boolean
}

type ConsignmentInput = SchemaInputs['ShippingConsignmentUpdateCheckoutInput']

/** Reads the consignments of an input. @param at the place of the list's parent */
export async function readConsignments(
  caller: StorefrontCaller,
  at: InputPlace,
  inputs: readonly ConsignmentInput[],
  mistakes: InputMistakes,
): Promise<ConsignmentOfInput[]> {
  const consignments: ConsignmentOfInput[] = []
  for (const [i, input] of inputs.entries()) {
    const { entityId, address: given, lineItems, shippingOptionEntityId, selectRecommendedOption } = input
    const place = below(at, 'shippingConsignments', i)
    const address = given
      ? await mistakes.of(
          () => toAddressInput(caller, given),
          (problem) => consignmentMistakes(place, problem),
        )
      : undefined
    if (!given && entityId == null) {
      const sentence = 'A new consignment needs an address.'
      mistakes.list.push(consignmentMistake(below(place, 'address'), 'MISSING_SHIPPING_ADDRESS', sentence))
    }
    if (lineItems && !lineItems.every(({ quantity }) => quantity >= 1)) {
      const sentence = 'The quantity of a line in a consignment must be 1 or more.'
      mistakes.list.push(consignmentMistake(below(place, 'lineItems'), 'SHIPPING_CONSIGNMENT_MISSING_ITEM', sentence))
    }
    consignments.push({
      place,
      entityId: entityId ?? undefined,
      address,
      lines: lineItems?.map(({ lineItemEntityId, quantity }) => ({ item_id: lineItemEntityId, quantity })),
      optionId: shippingOptionEntityId ?? undefined,
      isRecommended: selectRecommendedOption ?? false,
    })
  }
  return consignments
}

/**
 * Changes and adds consignments.
 * @returns the id of each
 */
export async function withConsignments(
  context: CheckoutContext,
  consignments: readonly ConsignmentOfInput[],
  mistakes: InputMistakes,
): Promise<(string | undefined)[]> {
  const ids: (string | undefined)[] = []
  for (const one of consignments) {
    const changed = await mistakes.of(
      () => (one.entityId === undefined ? added(context, one) : changedOne(context, one, one.entityId)),
      (problem) => consignmentMistakes(one.place, problem),
    )
    context.document = changed?.document ?? context.document
    ids.push(changed?.id)
  }
  return ids
}

async function changedOne(context: CheckoutContext, { address, lines }: ConsignmentOfInput, id: string) {
  const { document, facts } = context
  const stored = document.consignments.find((one) => one.id === id)
  const addressId = stored?.address?.id ?? newConsignmentId()
  const read = address && (await checkedAddress(context, addressId, address))
  if (stored && !read && !lines) return { document, id }
  const change = { ...(read ? { address: read } : {}), ...(lines ? { lines } : {}) }
  return { document: changeConsignment(document, evaluateCart(document, facts), id, change), id }
}

async function added(context: CheckoutContext, { address, lines }: ConsignmentOfInput) {
  if (!address) throw new Error('A consignment without an address was refused before.')
  const { document, facts } = context
  const result = evaluateCart(document, facts)
  const units = lines ?? freeUnits(document, result.lines)
  const sentence = 'No item is left that could be shipped to this address.'
  if (units.length === 0) throw new Problem(422, sentence, { line_items: sentence })
  const destination = { address: await checkedAddress(context, newConsignmentId(), address) }
  const after = addConsignments(document, result, [{ destination, lines: units }])
  return { document: after, id: after.consignments.at(-1)?.id }
}

/** The physical units that are in no consignment. */
function freeUnits(
  { consignments }: CartDocument,
  lines: readonly { id: string; quantity: number; isDigital: boolean }[],
) {
  const taken = new Map<string, number>()
  for (const { item_id, quantity } of consignments.flatMap((one) => one.lines))
    taken.set(item_id, (taken.get(item_id) ?? 0) + quantity)
  return lines.flatMap(({ id, quantity, isDigital }) => {
    const free = quantity - (taken.get(id) ?? 0)
    return isDigital || free <= 0 ? [] : [{ item_id: id, quantity: free }]
  })
}

interface OptionChoice {
  target: CartTarget
  consignments: readonly ConsignmentOfInput[]
  /** The ids of the consignments, once they are stored. */
  ids: readonly (string | undefined)[]
}

/** Chooses options of stored consignments, if the input names any. @throws InputMistakes */
export async function withOptions(
  tx: Tx,
  carts: CartParts,
  { target, consignments, ids }: OptionChoice,
  before: CartWithResult,
): Promise<CartWithResult> {
  if (!consignments.some(({ optionId, isRecommended }) => optionId !== undefined || isRecommended)) return before
  const mistakes = new InputMistakes()
  const changed = await changeCart(tx, carts, target, async ({ cart, document, facts }) => {
    const result = evaluateCart(document, facts)
    const state = { customer_id: cart.customer_id, document, result, facts }
    const offers = await offersFor(tx, state, document.consignments, target.quotes.shipping)
    let chosen = document
    for (const [i, { place, optionId, isRecommended }] of consignments.entries()) {
      const [id = '', isWanted] = [ids[i], optionId !== undefined || isRecommended]
      const offered = offers.get(id) ?? []
      const option = optionId === undefined ? recommended(offered) : offered.find((one) => one.id === optionId)
      if (isWanted && option) chosen = changeConsignment(chosen, result, id, { option })
      if (isWanted && !option) {
        const field = optionId === undefined ? 'selectRecommendedOption' : 'shippingOptionEntityId'
        const sentence =
          optionId === undefined
            ? 'There is no shipping to this address.'
            : `The consignment has no shipping option ${optionId}.`
        mistakes.list.push(consignmentMistake(below(place, field), 'INVALID_SHIPPING_OPTION', sentence))
      }
    }
    return { document: chosen }
  })
  mistakes.throwIfAny()
  return remaining(changed)
}
