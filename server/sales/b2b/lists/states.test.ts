import { expect, test } from 'vitest'
import { LIST_STATUSES, type ListDeed, mayMoveList } from './states.ts'

// docs/contract/b2b-shopping-lists.md section 2. Every other pair is refused.
const moves: Record<ListDeed, readonly (readonly [from: number, to: number])[]> = {
  set: [0, 30, 40].flatMap((from) => [0, 30, 40].map((to) => [from, to] as const)),
  submit_shopping_list_for_approval: [[30, 40]],
  approve_draft_shopping_list: [
    [40, 0],
    [40, 50],
  ],
}

test.each(
  Object.entries(moves).flatMap(([deed, allowed]) =>
    LIST_STATUSES.flatMap((from) =>
      LIST_STATUSES.map(
        (to) => [deed as ListDeed, from, to, allowed.some(([a, b]) => a === from && b === to)] as const,
      ),
    ),
  ),
)('%s moves a list from %d to %d: %s', (deed, from, to, expected) => {
  expect(mayMoveList(deed, from, to)).toBe(expected)
})
