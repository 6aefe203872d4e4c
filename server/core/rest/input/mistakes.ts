import { invalid } from '../problem.ts'

/** The mistakes of a request: sentences by the path of the field. */
export type Mistakes = Record<string, string>

/** Gives the path of a field of an item, such as `products.0.name`. */
export type FieldPath = (field: string) => string

/** The item of a body that is checked: the paths of its fields, and the mistakes of the whole request. */
export interface ItemCheck {
  at: FieldPath
  mistakes: Mistakes
}

/** @throws Problem 422 with all mistakes, if there are any */
export function refuse(mistakes: Mistakes) {
  if (hasAny(mistakes)) throw invalid(mistakes)
}

export const hasAny = (mistakes: Mistakes): boolean => Object.keys(mistakes).length > 0

/** The sentence at the place of each item that has the key of one before it. An item without a key repeats nothing. */
export function repeated<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string | undefined,
  place: (i: number) => string,
  sentence: string,
): Mistakes {
  const seen = new Set<string>()
  const mistakes: Mistakes = {}
  for (const [i, item] of items.entries()) {
    const key = keyOf(item)
    if (key === undefined) continue
    if (seen.has(key)) mistakes[place(i)] = sentence
    seen.add(key)
  }
  return mistakes
}

/** The items of a body that have the id of one before them. */
export const repeatedIds = (items: readonly { id?: number }[], place: (i: number) => string): Mistakes =>
  repeated(items, ({ id }) => id?.toString(), place, 'Another item has this id.')

/** A sentence at the path of each missing id. */
export function missing(
  ids: readonly number[],
  there: { has(id: number): boolean },
  place: (i: number) => string,
  sentence: (id: number) => string,
): Mistakes {
  return Object.fromEntries(ids.flatMap((id, i) => (there.has(id) ? [] : [[place(i), sentence(id)]])))
}
