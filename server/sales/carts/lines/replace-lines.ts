import type { Tx } from '../../../core/db/database.ts'
import type { Mistakes } from '../../../core/rest/input/mistakes.ts'
import { refuseWithTitle } from '../changes/refusal.ts'
import { tidied } from '../changes/tidy.ts'
import type { CartFacts } from '../evaluation/facts.ts'
import type { CartDocument } from '../row/document.ts'
import { addLines } from './add-lines.ts'
import type { NewLines } from './bodies.ts'
import { refuseQuantities } from './quantities.ts'

/** A line that remains, with its new quantity. */
interface KeptLine {
  id: string
  quantity: number
}

/**
 * Replaces the lines of the catalog: those that are not named are removed. Custom items and gift certificates remain, as do lines that
 * promotions have added.
 * @param facts with those of the new lines
 * @param at the path of a kept line, by its position
 * @throws Problem 422 for unknown lines, 409 for quantities
 */
export async function replaceLines(
  tx: Tx,
  document: CartDocument,
  { kept, added }: { kept: readonly KeptLine[]; added: NewLines },
  { facts, at }: { facts: CartFacts; at: (i: number, field: string) => string },
): Promise<{ document: CartDocument; facts: CartFacts }> {
  const mistakes: Mistakes = {}
  const quantities = new Map<string, number>()
  for (const [i, { id, quantity }] of kept.entries()) {
    if (!document.lines.some((line) => line.id === id)) mistakes[at(i, 'id')] = `The cart has no line ${id}.`
    else if (quantities.has(id)) mistakes[at(i, 'id')] = 'Another item has this id.'
    quantities.set(id, quantity)
  }
  refuseWithTitle(mistakes)
  const lines = document.lines.flatMap((line) => {
    const quantity = quantities.get(line.id)
    return quantity === undefined ? [] : [{ ...line, quantity }]
  })
  const remaining = tidied({ ...document, lines })
  const changed = new Set(lines.map(({ variant_id }) => variant_id))
  if ((added.line_items ?? []).length === 0) {
    refuseQuantities(remaining, changed, facts)
    return { document: remaining, facts }
  }
  const after = await addLines(tx, remaining, added, facts)
  refuseQuantities(after.document, changed, after.facts)
  return after
}
