import type { Tx } from '../../../core/db/database.ts'
import { addToBuyerList, changeBuyerList, createBuyerList } from '../../../sales/b2b/lists/buyer-lists.ts'
import { deleteList } from '../../../sales/b2b/lists/list-changes.ts'
import { APPROVED_LIST, DELETED_LIST, DRAFT_LIST, READY_LIST, REJECTED_LIST } from '../../../sales/b2b/lists/states.ts'
import type { NamedUser } from '../../../sales/b2b/users/user.ts'
import { FIRST_CHANNEL } from '../../../shop/channels/channels.ts'
import { asBuyer } from './quotes.ts'

const LISTS = 30
/** The lists take turns. */
const TURNS = [APPROVED_LIST, DRAFT_LIST, READY_LIST, REJECTED_LIST, DELETED_LIST, APPROVED_LIST] as const
const NAMES = ['Weekly', 'Kitchen', 'Opening', 'Summer', 'Spare parts'] as const

/** Shopping lists of users in every state. */
export async function writeLists(tx: Tx, users: readonly NamedUser[], products: readonly number[]) {
  for (let i = 0; i < LISTS; i++) {
    const user = users[i % users.length]
    if (!user) return
    const caller = asBuyer(user)
    const writer = { caller, companyId: user.company_id, customerId: user.customer_id }
    const name = `${NAMES[i % NAMES.length]} ${i + 1}`
    const turn = TURNS[i % TURNS.length]
    const status = turn === APPROVED_LIST ? APPROVED_LIST : DRAFT_LIST
    const { id } = await createBuyerList(tx, writer, { name, status, channelId: FIRST_CHANNEL })
    const items = Array.from({ length: (i % 4) + 1 }, (_, n) => ({
      productId: products[(i + 5 * n) % products.length] ?? 0,
      quantity: n + 1,
    }))
    await addToBuyerList(tx, caller, id, { items, visibleProducts: async (_, ids) => new Set(ids) })
    if (turn === READY_LIST || turn === REJECTED_LIST) await changeBuyerList(tx, caller, id, { status: READY_LIST })
    if (turn === REJECTED_LIST) await changeBuyerList(tx, caller, id, { status: REJECTED_LIST })
    if (turn === DELETED_LIST) await deleteList(tx, caller, id)
  }
}
