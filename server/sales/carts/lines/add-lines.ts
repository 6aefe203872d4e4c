import type { Db } from '../../../core/db/database.ts'
import { amountOf, ratio, unitsOf } from '../../../core/money/units.ts'
import { isObject } from '../../../core/objects.ts'
import { ID_MAX } from '../../../core/rest/input/fields.ts'
import type { Mistakes } from '../../../core/rest/input/mistakes.ts'
import { unknownId } from '../../../core/rest/problem.ts'
import { newUuid } from '../../../core/secrets/row-ids.ts'
import { findModifiers, type ModifierFacts } from '../../../goods/catalog/choices/modifier-facts.ts'
import { findCartItems } from '../../../goods/catalog/product-row/cart-items.ts'
import type { PayingCurrency } from '../../pricing/calculation/price-of.ts'
import { refuseWithTitle } from '../changes/refusal.ts'
import type { CartFacts } from '../evaluation/facts.ts'
import type { MoreFacts } from '../evaluation/gather-facts.ts'
import type { CartDocument, CatalogLine, CertificateLine, ChosenWrapping, CustomLine } from '../row/document.ts'
import { findWrappings, type StoreWrapping } from '../wrappings.ts'
import type { NewCartLine, NewCertificate, NewCustomItem, NewLines, WrappingInput } from './bodies.ts'
import { refuseQuantities } from './quantities.ts'
import { selectItem } from './selection.ts'

// Adds the lines of a request to a document (docs/contract/carts.md section 4).

/** Most lines of a cart, of all kinds together. */
export const CART_LINES_MAX = 500

/** The products and variants whose facts a request needs. */
export const moreFactsOf = ({ line_items = [] }: NewLines): MoreFacts => ({
  products: line_items.map(({ product_id }) => product_id),
  variants: line_items.flatMap(({ variant_id }) => variant_id || []),
})

/** The facts of new lines, besides those of the evaluation. */
interface LineFacts {
  facts: CartFacts
  modifiers: ReadonlyMap<number, readonly ModifierFacts[]>
  wrappings: ReadonlyMap<number, StoreWrapping>
}

/**
 * @param facts with those of `moreFactsOf`
 * @returns the document with the new lines, and the facts with their variants
 * @throws Problem 422 with all mistakes, 409 for quantities beyond the bounds of a product or its stock
 */
export async function addLines(
  db: Db,
  document: CartDocument,
  request: NewLines,
  facts: CartFacts,
): Promise<{ document: CartDocument; facts: CartFacts }> {
  const { line_items = [], custom_items = [], gift_certificates = [] } = request
  const withModifiers = line_items.flatMap(({ product_id }) =>
    facts.prices.products.get(product_id)?.modifiers.length ? [product_id] : [],
  )
  const { modifiers, wrappings } = await db.together(() => ({
    modifiers: findModifiers(db, withModifiers),
    wrappings: findWrappings(db, [...line_items, ...custom_items].flatMap(wrappingIdsOf)),
  }))
  const mistakes: Mistakes = {}
  const found: LineFacts = { facts, modifiers, wrappings }
  const lines = line_items.flatMap((line, i) => newLine(line, found, mistakes, below(`line_items.${i}`)) ?? [])
  const custom = custom_items.map((item, i) => newCustom(item, found, mistakes, below(`custom_items.${i}`)))
  const certificates = gift_certificates.flatMap((one, i) =>
    newCertificates(one, facts, mistakes, below(`gift_certificates.${i}`)),
  )
  refuseWithTitle(mistakes)
  const withItems = await withItemsOf(db, lines, facts)
  for (const [i, line] of lines.entries()) {
    const item = withItems.items.get(line.variant_id)
    if (item && !item.is_available) mistakes[`line_items.${i}.product_id`] = `${item.name} is not available.`
  }
  const added = {
    ...document,
    lines: mergeLines([...document.lines, ...lines], mistakes),
    custom: mergeLines([...document.custom, ...custom], mistakes),
    certificates: [...document.certificates, ...certificates],
  }
  const count = added.lines.length + added.custom.length + added.certificates.length
  if (count > CART_LINES_MAX) mistakes.line_items = `A cart can have at most ${CART_LINES_MAX} lines.`
  refuseWithTitle(mistakes)
  refuseQuantities(added, new Set(lines.map(({ variant_id }) => variant_id)), withItems)
  return { document: added, facts: withItems }
}

const below = (place: string) => (field: string) => `${place}.${field}`

const wrappingIdsOf = ({ gift_wrapping }: { gift_wrapping?: WrappingInput | null }): number[] =>
  gift_wrapping?.wrap_details.map(({ id }) => id) ?? []

function newLine(
  input: NewCartLine,
  { facts, modifiers, wrappings }: LineFacts,
  mistakes: Mistakes,
  at: (field: string) => string,
): CatalogLine | undefined {
  const { product_id, quantity, list_price = null, name = null } = input
  const product = facts.prices.products.get(product_id)
  if (!product) {
    mistakes[at('product_id')] = unknownId('product', product_id)
    return undefined
  }
  const selected = selectItem(input, { product, modifiers: modifiers.get(product_id) ?? [] }, mistakes, at)
  const wrapping = newWrapping(input, wrappings, mistakes, at)
  return selected && { id: newUuid(), product_id, quantity, list_price, name, ...selected, wrapping }
}

function newCustom(
  input: NewCustomItem,
  { wrappings }: LineFacts,
  mistakes: Mistakes,
  at: (field: string) => string,
): CustomLine {
  const { name, quantity, list_price, sku = '', image_url = '' } = input
  const wrapping = newWrapping(input, wrappings, mistakes, at)
  return { id: newUuid(), name, sku, quantity, list_price, image_url, wrapping }
}

/** A certificate for each unit. */
export function newCertificates(
  { name, theme, amount, quantity, sender, recipient, message = '' }: NewCertificate,
  facts: CartFacts,
  mistakes: Mistakes,
  at: (field: string) => string,
): CertificateLine[] {
  const { least, most } = certificateAmounts(facts.prices.currency)
  const units = unitsOf(amount)
  if (units < least || units > most) {
    mistakes[at('amount')] = `A gift certificate has an amount of ${amountOf(least)} to ${amountOf(most)}.`
  }
  return Array.from({ length: quantity }, () => ({ id: newUuid(), name, theme, amount, sender, recipient, message }))
}

/** The least and the highest amount of a gift certificate, in the default currency. */
const CERTIFICATE_AMOUNTS = { least: unitsOf(1), most: unitsOf(1_000) }

/** The bounds of a gift certificate that a cart sells. @param currency of the cart */
export const certificateAmounts = ({ rate, one }: Pick<PayingCurrency, 'rate' | 'one'>) => ({
  least: ratio(CERTIFICATE_AMOUNTS.least, rate, one),
  most: ratio(CERTIFICATE_AMOUNTS.most, rate, one),
})

function newWrapping(
  { quantity, gift_wrapping }: { quantity: number; gift_wrapping?: WrappingInput | null },
  wrappings: ReadonlyMap<number, StoreWrapping>,
  mistakes: Mistakes,
  at: (field: string) => string,
): ChosenWrapping | null {
  if (!gift_wrapping) return null
  const { wrap_together, wrap_details } = gift_wrapping
  if (!wrap_together && wrap_details.length > quantity) {
    mistakes[at('gift_wrapping.wrap_details')] = `At most ${quantity} units can be wrapped.`
  }
  const details = wrap_details.flatMap(({ id, message = '' }, i) => {
    const wrapping = wrappings.get(id)
    if (!wrapping) mistakes[at(`gift_wrapping.wrap_details.${i}.id`)] = unknownId('wrapping', id)
    return wrapping ? [{ id, name: wrapping.name, price: wrapping.price, message }] : []
  })
  return { together: wrap_together, details: wrap_together ? details.slice(0, 1) : details }
}

/** Merges lines that are equal but for id and quantity: their quantities add up. */
export function mergeLines<Line extends { id: string; quantity: number }>(
  lines: readonly Line[],
  mistakes: Mistakes,
): Line[] {
  const byKey = new Map<string, Line>()
  for (const line of lines) {
    const key = sortedJson({ ...line, id: '', quantity: 0 })
    const before = byKey.get(key)
    const quantity = line.quantity + (before?.quantity ?? 0)
    if (quantity > ID_MAX) mistakes.line_items = `A line can have at most ${ID_MAX} units.`
    byKey.set(key, { ...(before ?? line), quantity })
  }
  return [...byKey.values()]
}

/** JSON with the keys of each object in one order: the database returns them in its own. */
const sortedJson = (value: object): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    isObject(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1)))
      : inner,
  )

/** The facts with the variants that options have selected. */
async function withItemsOf(db: Db, lines: readonly CatalogLine[], facts: CartFacts): Promise<CartFacts> {
  const variants = lines.flatMap(({ variant_id }) => (facts.items.has(variant_id) ? [] : [variant_id]))
  if (variants.length === 0) return facts
  const { customFields } = facts.promotions.facts.lines
  const more = await findCartItems(db, { variants, products: [], customFields })
  return { ...facts, items: new Map([...facts.items, ...more]) }
}
