import type { CartFacts } from '../evaluation/facts.ts'
import type { CartResult } from '../evaluation/result.ts'
import type { AddedLine, CartDocument } from '../row/document.ts'

// Keeps the parts of a document in step with its lines. Pure.

/** Drops lines whose product or variant was deleted. */
export function withoutMissing(document: CartDocument, { items }: Pick<CartFacts, 'items'>): CartDocument {
  const lines = document.lines.filter(({ product_id, variant_id }) => items.get(variant_id)?.product_id === product_id)
  return lines.length === document.lines.length ? document : tidied({ ...document, lines })
}

/**
 * Removes references to lines that the cart doesn't have any more, and units of consignments beyond those of their lines. Consignments
 * without a line are removed.
 */
export function tidied(document: CartDocument): CartDocument {
  const left = new Map([
    ...[...document.lines, ...document.custom, ...document.added].map(({ id, quantity }) => [id, quantity] as const),
  ])
  const consignments = document.consignments.map((consignment) => ({
    ...consignment,
    lines: consignment.lines.flatMap(({ item_id, quantity: wanted }) => {
      const quantity = Math.min(wanted, left.get(item_id) ?? 0)
      left.set(item_id, (left.get(item_id) ?? 0) - quantity)
      return quantity > 0 ? [{ item_id, quantity }] : []
    }),
  }))
  const ids = new Set([...document.lines, ...document.custom].map(({ id }) => id))
  const { manual } = document
  return {
    ...document,
    consignments: consignments.filter(({ lines }) => lines.length > 0),
    manual: manual && { ...manual, lines: manual.lines.filter(({ id }) => ids.has(id)) },
  }
}

/** The document with the lines that the evaluation found that promotions add. */
export function withAddedLines(document: CartDocument, { lines }: CartResult): CartDocument {
  const added = lines.flatMap(({ id, promotion_id, product_id, variant_id, quantity }): AddedLine[] =>
    promotion_id === undefined ? [] : [{ id, promotion_id, product_id, variant_id, quantity }],
  )
  return tidied({ ...document, added })
}
