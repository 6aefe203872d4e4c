import { hasAny, type Mistakes } from '../../../core/rest/input/mistakes.ts'
import { Problem } from '../../../core/rest/problem.ts'
import { ListMistakes } from './envelope.ts'

// Lists in bodies, whose refusals have the mistakes of each item in its place (docs/contract/b2b.md section 2).

/** The items of a list. */
export const BULK_MAX = 10

/**
 * Reads the items of a list.
 * @param read throws Problem 422 for the mistakes of an item
 * @param check returns further mistakes of an item
 * @throws ListMistakes
 */
export function readItems<Item>(
  items: readonly unknown[],
  read: (item: unknown) => Item,
  check: (item: Item) => Mistakes = () => ({}),
): Item[] {
  const found = items.map((item) => {
    try {
      const value = read(item)
      return { values: [value], mistakes: check(value) }
    } catch (error) {
      if (!(error instanceof Problem) || error.status !== 422) throw error
      return { values: [], mistakes: error.errors }
    }
  })
  refuseItems(found.map(({ mistakes }) => mistakes))
  return found.flatMap(({ values }) => values)
}

/** @throws ListMistakes if an item has mistakes */
function refuseItems(mistakes: readonly Mistakes[]) {
  if (mistakes.some(hasAny)) throw new ListMistakes(mistakes)
}

/** The mistakes of each item, from fields such as `0.email`. */
const mistakesByItem = (errors: Mistakes, count: number): Mistakes[] =>
  Array.from({ length: count }, (_, i) =>
    Object.fromEntries(
      Object.entries(errors).flatMap(([field, sentence]) => {
        const prefix = `${i}.`
        return field.startsWith(prefix) ? [[field.slice(prefix.length), sentence]] : []
      }),
    ),
  )

/** Refuses a list by item if the work refuses fields such as `0.email`. @param count the number of items */
export async function byItem<T>(count: number, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Problem && (error.status === 422 || error.status === 409)) {
      const items = mistakesByItem(error.errors, count)
      if (items.some(hasAny)) throw new ListMistakes(items, 'errMsg', error.status)
    }
    throw error
  }
}

/** Gives the refusals of lists a form of their own (docs/contract/b2b.md section 2). */
export async function inForm<T>(form: ListMistakes['form'], work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof ListMistakes ? new ListMistakes(error.items, form, error.status) : error
  }
}
