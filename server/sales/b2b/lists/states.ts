// The states of a shopping list (docs/contract/b2b-shopping-lists.md section 2). Pure.

export const APPROVED_LIST = 0
export const DELETED_LIST = 20
export const DRAFT_LIST = 30
export const READY_LIST = 40
export const REJECTED_LIST = 50
export const LIST_STATUSES = [APPROVED_LIST, DELETED_LIST, DRAFT_LIST, READY_LIST, REJECTED_LIST] as const

/** The lists that a company shares. */
export const SHARED_LISTS: readonly number[] = [APPROVED_LIST, READY_LIST]

/** The states that the seller sets, in any order. */
export const SELLER_LISTS: readonly number[] = [APPROVED_LIST, DRAFT_LIST, READY_LIST]

/** The callers of a change: the seller, or a buyer with one of these permissions. */
export type ListDeed = 'set' | 'submit_shopping_list_for_approval' | 'approve_draft_shopping_list'

const MOVES: Readonly<Record<ListDeed, { from: readonly number[]; to: readonly number[] }>> = {
  set: { from: SELLER_LISTS, to: SELLER_LISTS },
  submit_shopping_list_for_approval: { from: [DRAFT_LIST], to: [READY_LIST] },
  approve_draft_shopping_list: { from: [READY_LIST], to: [APPROVED_LIST, REJECTED_LIST] },
}

/** Whether a deed may move a list from one status to another. */
export const mayMoveList = (deed: ListDeed, from: number, to: number): boolean =>
  MOVES[deed].from.includes(from) && MOVES[deed].to.includes(to)
