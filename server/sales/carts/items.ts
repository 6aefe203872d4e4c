import t from 'typebox'
import type { Tx } from '../../core/db/database.ts'
import { answer, noContent } from '../../core/rest/answer.ts'
import type { Api } from '../../core/rest/api.ts'
import type { Mistakes } from '../../core/rest/input/mistakes.ts'
import { envelope } from '../../core/rest/lists/collection.ts'
import { Problem } from '../../core/rest/problem.ts'
import { access } from '../../stores/accounts/scopes.ts'
import { CART_PATH, CartParams, created } from './carts.ts'
import {
  type CartParts,
  type CartTarget,
  type CartWithResult,
  type ChangeContext,
  changeCart,
  remaining,
} from './changes/change.ts'
import { refuseField, refuseWithTitle } from './changes/refusal.ts'
import { tidied } from './changes/tidy.ts'
import type { CartFacts } from './evaluation/facts.ts'
import { addLines, moreFactsOf, newCertificates } from './lines/add-lines.ts'
import { CartItemChange, type LineChange, NewItems, type NewLines, Version } from './lines/bodies.ts'
import { refuseQuantities } from './lines/quantities.ts'
import type { CartDocument, CatalogLine } from './row/document.ts'
import { CartQuery, CartResource, toCart } from './views/cart.ts'

const { write } = access('carts')

const ItemParams = t.Object({ ...CartParams.properties, item_id: t.String() })

/** Routes of the lines of a cart (docs/contract/carts.md section 4). */
export function cartItemRoutes(api: Api, parts: CartParts) {
  const all = `${CART_PATH}/items`
  const one = `${all}/:item_id`

  api.post(
    all,
    {
      ...write,
      schema: {
        summary: 'Add lines to a cart',
        description: 'A line that equals one of the cart adds its quantity to that line.',
        params: CartParams,
        querystring: CartQuery,
        body: NewItems,
        response: { 201: envelope(CartResource) },
      },
    },
    async (request) => {
      const { db, body, query } = request
      const { version, ...lines } = body
      const target = { ...wanted(request, parts), version }
      return created(toCart(await db.transaction((tx) => addCartItems(tx, parts, target, lines)), query))
    },
  )

  api.put(
    one,
    {
      ...write,
      schema: {
        summary: 'Change a line of a cart',
        description: 'Changes quantity and list_price of a line with a product. The quantity 0 deletes the line.',
        params: ItemParams,
        querystring: CartQuery,
        body: CartItemChange,
        response: { 200: envelope(CartResource), 204: t.Null() },
      },
    },
    async (request) => {
      const { body, db, params, query } = request
      const { version, ...change } = body
      const target = { ...wanted(request, parts), version }
      return toAnswer(
        await db.transaction((tx) => changeCartItem(tx, parts, target, { id: params.item_id, change })),
        query,
      )
    },
  )

  api.delete(
    one,
    {
      ...write,
      config: { ...write.config, isBodyOptional: true },
      schema: {
        summary: 'Delete a line of a cart',
        description: 'The last line takes the cart with it: the answer is 204.',
        params: ItemParams,
        querystring: t.Object(CartQuery.properties, { examples: [{ include: 'promotions.banners' }] }),
        body: Version,
        response: { 200: envelope(CartResource), 204: t.Null() },
      },
    },
    async (request) => {
      const { body, db, params, query } = request
      const target = { ...wanted(request, parts), version: body.version }
      return toAnswer(await db.transaction((tx) => deleteCartItem(tx, parts, target, params.item_id)), query)
    },
  )
}

const toAnswer = (changed: CartWithResult | undefined, query: CartQuery) =>
  changed ? answer(toCart(changed, query)) : noContent()

/** The cart that a request changes. */
const wanted = (request: { params: { cart_id: string } }, { quotesOf }: CartParts) => ({
  id: request.params.cart_id,
  quotes: quotesOf(request),
})

/** Adds lines to a cart. @throws Problem 404, 409, 422 */
export async function addCartItems(
  tx: Tx,
  parts: CartParts,
  target: CartTarget,
  lines: NewLines,
): Promise<CartWithResult> {
  const { line_items = [], custom_items = [], gift_certificates = [] } = lines
  if (line_items.length + custom_items.length + gift_certificates.length === 0) {
    refuseField('line_items', 'Missing line_items in request body')
  }
  const how = { ...target, more: moreFactsOf(lines), isUpdated: true }
  const changed = await changeCart(tx, parts, how, ({ document, facts }) => addLines(tx, document, lines, facts))
  return remaining(changed)
}

/** Deletes a line of any kind. @returns undefined if it was the last one, which ends the cart. @throws Problem 404, 409 */
export const deleteCartItem = (
  tx: Tx,
  parts: CartParts,
  target: CartTarget,
  id: string,
): Promise<CartWithResult | undefined> =>
  changeCart(tx, parts, { ...target, deletesEmpty: true }, ({ document }) => ({ document: withoutItem(document, id) }))

/**
 * Changes a line.
 * @returns undefined if it was deleted as the last one, which ends the cart
 * @throws Problem 404, 409, 422
 */
export async function changeCartItem(
  tx: Tx,
  parts: CartParts,
  target: CartTarget,
  { id: item_id, change }: { id: string; change: Omit<CartItemChange, 'version'> },
): Promise<CartWithResult | undefined> {
  const { gift_certificates, line_item, line_items } = change
  if (line_items && line_items.length !== 1) refuseField('line_items', 'Send exactly one line.')
  const line = line_item ?? line_items?.[0]
  return changeCart(tx, parts, { ...target, deletesEmpty: true }, (context) => {
    const { document, facts } = context
    const { lines, custom, added, certificates } = document
    const stored = lines.find(({ id }) => id === item_id)
    if (stored) return { document: withLine(document, changedLine(stored, line), facts) }
    if (certificates.some(({ id }) => id === item_id)) {
      return { document: withCertificate(context, item_id, gift_certificates) }
    }
    if (custom.some(({ id }) => id === item_id)) refuseField('line_item', 'Custom items cannot be changed.')
    if (added.some(({ id }) => id === item_id)) {
      refuseField('line_item', 'Lines that a promotion has added cannot be changed.')
    }
    throw noSuchLine(item_id)
  })
}

const noSuchLine = (id: string) => new Problem(404, `The cart has no line ${id}.`)

/** Only quantity and price can change. */
function changedLine(stored: CatalogLine, change: LineChange | undefined): CatalogLine | { id: string; quantity: 0 } {
  if (!change) return refuseField('line_item', 'Missing line_item in request body')
  for (const field of ['product_id', 'variant_id'] as const) {
    const given = change[field]
    if (given !== undefined && given !== null && given !== stored[field]) {
      refuseField(`line_item.${field}`, `The line has the ${field} ${stored[field]}. Delete it and add another one.`)
    }
  }
  const { quantity = stored.quantity, list_price = stored.list_price } = change
  return quantity === 0 ? { id: stored.id, quantity } : { ...stored, quantity, list_price }
}

function withLine(
  document: CartDocument,
  line: CatalogLine | { id: string; quantity: 0 },
  facts: CartFacts,
): CartDocument {
  if (!('product_id' in line)) return withoutItem(document, line.id)
  const changed = tidied({ ...document, lines: document.lines.map((one) => (one.id === line.id ? line : one)) })
  refuseQuantities(changed, new Set([line.variant_id]), facts)
  return changed
}

/** Replaces a gift certificate. It keeps its id. */
function withCertificate(
  { document, facts }: ChangeContext,
  id: string,
  [input, ...others]: CartItemChange['gift_certificates'] = [],
): CartDocument {
  if (!input || others.length > 0 || input.quantity !== 1) {
    return refuseField('gift_certificates', 'Send exactly one gift certificate with the quantity 1.')
  }
  const mistakes: Mistakes = {}
  const [replacement] = newCertificates(input, facts, mistakes, (field) => `gift_certificates.0.${field}`)
  refuseWithTitle(mistakes)
  return {
    ...document,
    certificates: document.certificates.map((one) => (one.id === id && replacement ? { ...replacement, id } : one)),
  }
}

/** Removes a line of any kind. @throws Problem 404 */
function withoutItem(document: CartDocument, item_id: string): CartDocument {
  const isOther = ({ id }: { id: string }) => id !== item_id
  const { lines, custom, certificates, added, removals } = document
  const isAdded = !added.every(isOther)
  const after = {
    ...document,
    lines: lines.filter(isOther),
    custom: custom.filter(isOther),
    certificates: certificates.filter(isOther),
    added: added.filter(isOther),
    removals: removals + Number(isAdded),
  }
  const count = ({ lines, custom, certificates, added }: CartDocument) =>
    lines.length + custom.length + certificates.length + added.length
  if (count(after) === count(document)) throw noSuchLine(item_id)
  return tidied(after)
}
