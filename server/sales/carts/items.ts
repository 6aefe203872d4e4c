import t from 'typebox'
import type { Tx } from '../../core/db/database.ts'
import { answer, noContent } from '../../core/rest/answer.ts'
import type { Api } from '../../core/rest/api.ts'
import type { Mistakes } from '../../core/rest/input/mistakes.ts'
import { envelope } from '../../core/rest/lists/collection.ts'
import { Problem } from '../../core/rest/problem.ts'
import { access } from '../../stores/accounts/scopes.ts'
import { CART_PATH, CartParams, created } from './carts.ts'
import { type CartParts, type CartWithResult, type ChangeContext, changeCart } from './changes/change.ts'
import { refuseField, refuseWithTitle } from './changes/refusal.ts'
import { tidied } from './changes/tidy.ts'
import type { CartFacts } from './evaluation/facts.ts'
import { addLines, moreFactsOf, newCertificates } from './lines/add-lines.ts'
import { CartItemChange, type LineChange, NewItems, Version } from './lines/bodies.ts'
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
      const { line_items = [], custom_items = [], gift_certificates = [] } = lines
      if (line_items.length + custom_items.length + gift_certificates.length === 0) {
        refuseField('line_items', 'Missing line_items in request body')
      }
      const how = { ...wanted(request, parts), version, more: moreFactsOf(lines), isUpdated: true }
      const changed = await db.transaction((tx) =>
        changeCart(tx, parts, how, ({ document, facts }) => addLines(tx, document, lines, facts)),
      )
      return created(toCart(remaining(changed), query))
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
    async (request) => toAnswer(await request.db.transaction((tx) => changeItem(tx, parts, request)), request.query),
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
      const { item_id } = request.params
      const how = { ...wanted(request, parts), version: request.body.version, deletesEmpty: true }
      const changed = await request.db.transaction((tx) =>
        changeCart(tx, parts, how, ({ document }) => ({ document: withoutItem(document, item_id) })),
      )
      return toAnswer(changed, request.query)
    },
  )
}

const toAnswer = (changed: CartWithResult | undefined, query: CartQuery) =>
  changed ? answer(toCart(changed, query)) : noContent()

/** A cart that the change can't have deleted. */
function remaining(changed: CartWithResult | undefined): CartWithResult {
  if (!changed) throw new Error('The change does not delete a cart.')
  return changed
}

/** The cart that a request changes. */
const wanted = (request: { params: { cart_id: string } }, { quotesOf }: CartParts) => ({
  id: request.params.cart_id,
  quotes: quotesOf(request),
})

interface ItemRequest {
  params: { cart_id: string; item_id: string }
  body: CartItemChange
}

/** @throws Problem 404, 409, 422 */
async function changeItem(tx: Tx, parts: CartParts, request: ItemRequest): Promise<CartWithResult | undefined> {
  const { body, params } = request
  const { item_id } = params
  const { version, gift_certificates, line_items } = body
  if (line_items && line_items.length !== 1) refuseField('line_items', 'Send exactly one line.')
  const line = body.line_item ?? line_items?.[0]
  return changeCart(tx, parts, { ...wanted(request, parts), version, deletesEmpty: true }, (context) => {
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
