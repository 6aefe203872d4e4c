import type { Tx } from '../../../../../../core/db/database.ts'
import { withPreparations } from '../../../../../../core/rest/preparation.ts'
import { Problem } from '../../../../../../core/rest/problem.ts'
import { createCart } from '../../../../../../sales/carts/carts.ts'
import {
  type CartTarget,
  type CartWithResult,
  changeCart,
  remaining,
} from '../../../../../../sales/carts/changes/change.ts'
import { withMessage } from '../../../../../../sales/carts/checkouts/checkouts.ts'
import { unapplyCoupon } from '../../../../../../sales/carts/checkouts/coupons.ts'
import { moreFactsOf } from '../../../../../../sales/carts/lines/add-lines.ts'
import { replaceLines } from '../../../../../../sales/carts/lines/replace-lines.ts'
import { isEmptyDocument } from '../../../../../../sales/carts/row/document.ts'
import { keyOfCode } from '../../../../../../sales/promotions/evaluation/cart-codes.ts'
import type { StorefrontCaller } from '../../../../caller.ts'
import type { SchemaInputs } from '../../../schema-types.ts'
import { type CartView, findShopperCart, viewCart, viewerOf } from '../carts/cart.ts'
import { toNewLines } from '../carts/input.ts'
import { LOCALE, refuseCurrency, refuseSellingNothing } from '../carts/mutations.ts'
import { unknownCart, withSentences } from '../refusals.ts'
import { toAddressInput } from './addresses.ts'
import {
  type CheckoutContext,
  type ConsignmentOfInput,
  readConsignments,
  withBilling,
  withConsignments,
  withCoupons,
  withOptions,
} from './composite-parts.ts'
import type { CheckoutRefusal } from './errors.ts'
import { below, billingMistakes, cartMistake, InputMistakes, type InputPlace, lineMistakes } from './mistakes.ts'

// Whole checkouts in one request (docs/contract/storefront-purchases.md section 7). All mistakes are reported together, and then nothing is
// stored.

interface CompositeResult<Refusal> {
  checkout: CartView | null
  errors: Refusal[]
}

type CreateInput = SchemaInputs['CreateCheckoutInput']
type UpdateInput = SchemaInputs['UpdateCheckoutInput']
type UpdateData = UpdateInput['data']
/** `createCheckout` has no type of its own for billing addresses. */
type CreateRefusal = Exclude<CheckoutRefusal, { __typename: 'CheckoutBillingAddressError' }>

/** Creates a cart with its addresses, coupons and shipping. */
export async function createCheckout(
  caller: StorefrontCaller,
  input: CreateInput,
): Promise<CompositeResult<CreateRefusal>> {
  await refuseSellingNothing(caller)
  const made = await reported(async (mistakes) => {
    const parts = await readNew(caller, input, mistakes)
    mistakes.throwIfAny()
    const { db } = caller.storefront
    return withPreparations(db, () => db.transaction((tx) => storeNew(tx, caller, input, parts)))
  })
  if ('errors' in made) return { checkout: null, errors: made.errors.map(ofCreation) }
  caller.setSessionCart(made.result.cart.id)
  return { checkout: await viewCart(caller, made.result), errors: [] }
}

function ofCreation(refusal: CheckoutRefusal): CreateRefusal {
  if (refusal.__typename !== 'CheckoutBillingAddressError') return refusal
  return { ...refusal, __typename: 'CartError', code: 'CART_CONSISTENCY_ERROR' }
}

/** Does the work of a request. A transaction that throws its mistakes is undone. */
async function reported<Result>(
  work: (mistakes: InputMistakes) => Promise<Result>,
): Promise<{ result: Result } | { errors: CheckoutRefusal[] }> {
  try {
    return { result: await work(new InputMistakes()) }
  } catch (error) {
    if (error instanceof InputMistakes) return { errors: error.list }
    throw error
  }
}

type NewParts = Awaited<ReturnType<typeof readNew>>

const rootOf = (value: unknown): InputPlace => ({ path: '$', value })

async function readNew(caller: StorefrontCaller, input: CreateInput, mistakes: InputMistakes) {
  const at = rootOf(input)
  const { currencyCode, locale, billingAddress } = input
  if (caller.isBrowser && (await findShopperCart(caller, undefined)))
    mistakes.list.push(cartMistake(at, 'CART_ALREADY_EXISTS', 'This session has a cart already.'))
  if (currencyCode != null) {
    await mistakes.of(
      () => refuseCurrency(caller, currencyCode),
      ({ message }) => [cartMistake(below(at, 'currencyCode'), 'CURRENCY_NOT_TRANSACTIONAL', message)],
    )
  }
  if (locale != null && !LOCALE.test(locale))
    mistakes.list.push(cartMistake(below(at, 'locale'), 'CART_CONSISTENCY_ERROR', `${locale} is no locale.`))
  const lines = await mistakes.of(
    () => toNewLines(caller, input),
    (problem) => lineMistakes(at, problem),
  )
  const billing =
    billingAddress &&
    (await mistakes.of(
      () => toAddressInput(caller, billingAddress),
      (problem) => billingMistakes(below(at, 'billingAddress'), problem),
    ))
  const consignments = await readConsignments(caller, at, input.shippingConsignments ?? [], mistakes)
  return { lines, billing, consignments }
}

/** @throws InputMistakes */
async function storeNew(
  tx: Tx,
  caller: StorefrontCaller,
  input: CreateInput,
  { lines = {}, billing, consignments }: NewParts,
): Promise<CartWithResult> {
  const { selling, storefront, customer } = caller
  const { currencyCode, locale, coupons } = input
  const mistakes = new InputMistakes()
  const at = rootOf(input)
  const codes = coupons ?? []
  const body = {
    ...lines,
    channel_id: storefront.channel,
    customer_id: customer?.id ?? 0,
    ...(currencyCode == null ? {} : { currency: { code: currencyCode } }),
    ...(locale == null ? {} : { locale }),
  }
  const made = await mistakes.of(
    () => createCart(tx, selling.carts, body),
    (problem) => lineMistakes(at, problem, { lines: lines.line_items }),
  )
  if (!made) throw mistakes
  if (!billing && consignments.length === 0 && codes.length === 0) return made
  const target: CartTarget = { id: made.cart.id, quotes: selling.carts.quotesOf(caller) }
  let ids: readonly (string | undefined)[] = []
  const changed = await changeCart(tx, selling.carts, { ...target, more: { codes } }, async (before) => {
    const context: CheckoutContext = { ...before, tx, quotes: target.quotes }
    if (billing) context.document = await withBilling(context, { at, billing, mistakes })
    ids = await withConsignments(context, consignments, mistakes)
    context.document = await withCoupons(context, codes, { at, mistakes })
    return context
  })
  mistakes.throwIfAny()
  return withOptions(tx, selling.carts, { target, consignments, ids }, remaining(changed))
}

/** Replaces the given parts of a checkout. Lists replace the stored ones: entries with an id are changed, those without are created. */
export async function updateCheckout(
  caller: StorefrontCaller,
  input: UpdateInput,
): Promise<CompositeResult<CheckoutRefusal>> {
  await refuseSellingNothing(caller)
  const { selling, storefront } = caller
  const { db } = storefront
  const { checkoutEntityId: id, data, version } = input
  const target: CartTarget = { id, version, quotes: selling.carts.quotesOf(caller), viewer: viewerOf(caller) }
  const changed = await reported(async (mistakes) => {
    const parts = await readUpdate(caller, data, mistakes)
    mistakes.throwIfAny()
    const found = await mistakes.of(
      () =>
        withSentences(id, () =>
          withPreparations(db, () => db.transaction((tx) => storeUpdate(tx, caller, { target, data, parts }))),
        ),
      (problem) => [cartMistakeOf(problem, rootOf(input))],
    )
    if (!found) throw mistakes
    return found
  })
  if ('errors' in changed) return { checkout: null, errors: changed.errors }
  return { checkout: await viewCart(caller, changed.result), errors: [] }
}

/** The refusal of the whole checkout. */
function cartMistakeOf({ message, errors }: Problem, at: InputPlace): CheckoutRefusal {
  if (message === unknownCart().message) return cartMistake(below(at, 'checkoutEntityId'), 'CART_NOT_FOUND', message)
  if ('version' in errors) return cartMistake(below(at, 'version'), 'CART_CONFLICT', message)
  return cartMistake(at, 'CART_CONSISTENCY_ERROR', message)
}

type UpdateParts = Awaited<ReturnType<typeof readUpdate>>

async function readUpdate(caller: StorefrontCaller, data: UpdateData, mistakes: InputMistakes) {
  const at: InputPlace = { path: '$.data', value: data }
  const items = (data.lineItems ?? []).map((line, i) => ({ line, i }))
  const added = items.filter(({ line }) => line.entityId == null)
  const kept = items.flatMap(({ line: { entityId, quantity }, i }) =>
    entityId == null ? [] : [{ id: entityId, quantity, i }],
  )
  for (const { quantity, i } of kept.filter(({ quantity }) => quantity < 1)) {
    const sentence = `The quantity must be 1 or more, not ${quantity}.`
    mistakes.list.push(...lineMistakes(at, new Problem(422, sentence, { [`line_items.${i}.quantity`]: sentence })))
  }
  const positions = added.map(({ i }) => i)
  const lines = await mistakes.of(
    () => toNewLines(caller, { lineItems: added.map(({ line }) => line) }),
    (problem) => lineMistakes(at, problem, { positions }),
  )
  const { billingAddress } = data
  const billing =
    billingAddress &&
    (await mistakes.of(
      () => toAddressInput(caller, billingAddress),
      (problem) => billingMistakes(below(at, 'billingAddress'), problem),
    ))
  const consignments = await readConsignments(caller, at, data.shippingConsignments ?? [], mistakes)
  return { at, kept, lines, positions, billing, consignments }
}

/** @throws InputMistakes */
async function storeUpdate(
  tx: Tx,
  caller: StorefrontCaller,
  { target, data, parts }: { target: CartTarget; data: UpdateData; parts: UpdateParts },
): Promise<CartWithResult> {
  const { at, billing, consignments, lines = {} } = parts
  const { carts } = caller.selling
  const { lineItems, customerMessage, shippingConsignments, coupons } = data
  const mistakes = new InputMistakes()
  const codes = coupons ?? []
  const request = { ...target, more: { ...moreFactsOf(lines), codes }, isUpdated: lineItems != null }
  let ids: readonly (string | undefined)[] = []
  const changed = await changeCart(tx, carts, request, async (before) => {
    const context: CheckoutContext = { ...before, tx, quotes: target.quotes }
    if (lineItems != null) await withLines(context, parts, mistakes)
    if (billing) context.document = await withBilling(context, { at, billing, mistakes })
    if (customerMessage != null) {
      const changed = await mistakes.of(
        async () => withMessage(context.document, customerMessage),
        ({ message }) => [cartMistake(below(at, 'customerMessage'), 'CART_CONSISTENCY_ERROR', message)],
      )
      context.document = changed ?? context.document
    }
    if (shippingConsignments != null) {
      context.document = withoutOthers(context, consignments)
      ids = await withConsignments(context, consignments, mistakes)
    }
    if (coupons != null) {
      const isWanted = (code: string) => codes.some((one) => keyOfCode(one) === keyOfCode(code))
      const others = context.document.codes.filter((code) => !isWanted(code))
      context.document = others.reduce(unapplyCoupon, context.document)
      context.document = await withCoupons(context, codes, { at, mistakes })
    }
    return context
  })
  mistakes.throwIfAny()
  const { version: _, ...current } = target
  return withOptions(tx, carts, { target: current, consignments, ids }, remaining(changed))
}

/** Replaces the lines of a checkout. */
async function withLines(
  context: CheckoutContext,
  { at, kept, lines = {}, positions }: UpdateParts,
  mistakes: InputMistakes,
) {
  const { tx, document, facts } = context
  const how = { facts, at: (i: number, field: string) => `line_items.${kept[i]?.i ?? i}.${field}` }
  const replaced = await mistakes.of(
    () => replaceLines(tx, document, { kept, added: lines }, how),
    (problem) => lineMistakes(at, problem, { lines: lines.line_items, positions }),
  )
  if (!replaced) return
  Object.assign(context, replaced)
  if (isEmptyDocument(replaced.document)) {
    const sentence = 'A checkout needs at least one line.'
    mistakes.list.push(cartMistake(below(at, 'lineItems'), 'EMPTY_CART_CREATION', sentence))
  }
}

/** The document without consignments that are not named. Goods that are collected stay. */
const withoutOthers = ({ document }: CheckoutContext, named: readonly ConsignmentOfInput[]) => ({
  ...document,
  consignments: document.consignments.filter(
    ({ id, pickup }) => pickup !== null || named.some(({ entityId }) => entityId === id),
  ),
})
