import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLError,
  Kind,
  type SelectionSetNode,
} from 'graphql'

// Validation compares every field with all others of its name in one object of the answer, and every fragment with all others in one
// selection set. Its time grows with the square of their number, so a document of a few kilobytes could take a tenth of a second. The
// comparisons are counted here without making them. Counting is linear in the text of accepted documents, and stops at the limit.

const COMPARISONS_MAX = 10_000

type Fragments = ReadonlyMap<string, FragmentDefinitionNode>

/**
 * Counts the comparisons that the validation of a document takes at most.
 * @returns the count
 * @throws GraphQLError past the limit
 */
export function countComparisons({ definitions }: DocumentNode): number {
  const fragments: Fragments = new Map(
    definitions.flatMap((definition) =>
      definition.kind === Kind.FRAGMENT_DEFINITION ? [[definition.name.value, definition]] : [],
    ),
  )
  const counter = new Counter(fragments)
  for (const definition of definitions) {
    if ('selectionSet' in definition) counter.countAll(definition.selectionSet)
  }
  return counter.count
}

class Counter {
  readonly #fragments: Fragments
  count = 0

  constructor(fragments: Fragments) {
    this.#fragments = fragments
  }

  /** Counts a selection set and all those below it. Inline fragments belong to the set around them. */
  countAll(set: SelectionSetNode) {
    this.#countMerged([set])
    this.#countBelow(set)
  }

  #countBelow({ selections }: SelectionSetNode) {
    for (const selection of selections) {
      if (selection.kind === Kind.INLINE_FRAGMENT) this.#countBelow(selection.selectionSet)
      else if (selection.kind === Kind.FIELD && selection.selectionSet) this.countAll(selection.selectionSet)
    }
  }

  /** Counts selection sets whose fields belong to one object of the answer. */
  #countMerged(sets: readonly SelectionSetNode[]) {
    const fields = new Map<string, FieldNode[]>()
    const spread = new Set<string>()
    let found = 0
    const collect = ({ selections }: SelectionSetNode) => {
      for (const selection of selections) {
        this.#add(1)
        if (selection.kind === Kind.FIELD) {
          const name = (selection.alias ?? selection.name).value
          const alike = fields.get(name)
          if (alike) alike.push(selection)
          else fields.set(name, [selection])
          found++
        } else if (selection.kind === Kind.INLINE_FRAGMENT) {
          collect(selection.selectionSet)
        } else if (!spread.has(selection.name.value)) {
          spread.add(selection.name.value)
          const fragment = this.#fragments.get(selection.name.value)
          if (fragment) collect(fragment.selectionSet)
        }
      }
    }
    for (const set of sets) collect(set)
    // Each set and fragment is compared with each other, field by field.
    const others = sets.length - 1 + spread.size
    this.#add(others * (others + found))
    for (const alike of fields.values()) {
      this.#add((alike.length * (alike.length - 1)) / 2)
      const below = alike.flatMap(({ selectionSet }) => selectionSet ?? [])
      if (below.length > 1) this.#countMerged(below)
    }
  }

  #add(comparisons: number) {
    this.count += comparisons
    if (this.count > COMPARISONS_MAX) {
      throw new GraphQLError(
        `The document takes more than ${COMPARISONS_MAX} comparisons of fields. Use fewer fragment spreads and repeated fields.`,
      )
    }
  }
}
