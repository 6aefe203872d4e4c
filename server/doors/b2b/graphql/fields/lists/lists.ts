import type { Db } from '../../../../../core/db/database.ts'
import { type Sql, sql } from '../../../../../core/db/sql.ts'
import { GraphRefusal } from '../../../../../core/graphql/refusal.ts'
import { withoutUndefined } from '../../../../../core/objects.ts'
import { fold } from '../../../../../core/rest/lists/fold.ts'
import {
  addToBuyerList,
  changeBuyerItem,
  changeBuyerList,
  createBuyerList,
  duplicateBuyerList,
  type ListWriter,
} from '../../../../../sales/b2b/lists/buyer-lists.ts'
import { findList, listsWithin, type ShoppingListRow, shoppingLists } from '../../../../../sales/b2b/lists/list.ts'
import { deleteList, deleteListItem } from '../../../../../sales/b2b/lists/list-changes.ts'
import { DELETED_LIST } from '../../../../../sales/b2b/lists/states.ts'
import { mayDo } from '../../../../../sales/b2b/shared/caller.ts'
import { findWindow, type Window, when } from '../../../../../sales/b2b/shared/pages.ts'
import { type BuyerCaller, buyerOf, signedIn } from '../../caller.ts'
import type { SchemaInputs } from '../../schema-types.ts'
import type { MutationFields, QueryFields } from '../../types.ts'
import { companiesFor, given } from '../companies.ts'
import { buyerConnection, windowOfPage } from '../connections.ts'
import { itemShopper, visibleProducts } from '../products/items.ts'
import { customerListsToAnswer, itemsToAnswer, listsToBuyers } from './answers.ts'

// Shopping lists of companies and customers (docs/contract/b2b-graphql.md section 14).

export const listQueries: QueryFields<
  | 'shoppingLists'
  | 'shoppingList'
  | 'shoppingListsIdName'
  | 'customerShoppingLists'
  | 'customerShoppingList'
  | 'customerShoppingListsIdName'
> = {
  async shoppingLists(_, args, caller) {
    const buyer = buyerOf(caller)
    const wanted = companiesFor(caller, CODES.list, undefined)
    const where = [
      sql`company_id = any(${wanted}::int[])`,
      listsWithin(buyer, CODES.list),
      ...filtersOf(buyer.db, args),
    ]
    if (args.isShowMy) where.push(sql`user_id = ${buyer.userId}`)
    const { rows, total, window } = await pageOf(buyer.db, args, where)
    return buyerConnection(await listsToBuyers(caller, rows), total, window)
  },
  async shoppingList(_, { id }, caller) {
    const buyer = buyerOf(caller)
    return answerOf(caller, await findList(buyer.db, buyer, { id, code: CODES.detail }))
  },
  async shoppingListsIdName(_, _args, caller) {
    const buyer = buyerOf(caller)
    const wanted = companiesFor(caller, CODES.list, undefined)
    const where = [sql`company_id = any(${wanted}::int[])`, listsWithin(buyer, CODES.list)]
    const { rows } = await findWindow<ShoppingListRow>(buyer.db, listOf(where, undefined), WHOLE)
    return rows.map(({ id, name, status }) => ({ id: String(id), name, status }))
  },
  async customerShoppingLists(_, args, caller) {
    const { db } = signedIn(caller)
    const where = [listsWithin(customerAs(caller), CODES.list), ...filtersOf(db, args)]
    if (args.channelId != null) where.push(sql`channel_id = ${args.channelId}`)
    const { rows, total, window } = await pageOf(db, args, where)
    return buyerConnection(await customerListsToAnswer(caller, rows), total, window)
  },
  async customerShoppingList(_, { id }, caller) {
    const { db } = signedIn(caller)
    return customerAnswerOf(caller, await findList(db, customerAs(caller), { id, code: CODES.detail }))
  },
  async customerShoppingListsIdName(_, _args, caller) {
    const { db } = signedIn(caller)
    const { rows } = await findWindow<ShoppingListRow>(
      db,
      listOf([listsWithin(customerAs(caller), CODES.list)], undefined),
      WHOLE,
    )
    return rows.map(({ id, name }) => ({ id: String(id), name }))
  },
}

export const listMutations: MutationFields<
  | 'shoppingListsCreate'
  | 'shoppingListsUpdate'
  | 'shoppingListsDelete'
  | 'shoppingListsDuplicate'
  | 'shoppingListsItemsCreate'
  | 'shoppingListsItemsUpdate'
  | 'shoppingListsItemsDelete'
  | 'customerShoppingListsCreate'
  | 'customerShoppingListsUpdate'
  | 'customerShoppingListsDelete'
  | 'customerShoppingListsDuplicate'
  | 'customerShoppingListsItemsCreate'
  | 'customerShoppingListsItemsUpdate'
  | 'customerShoppingListsItemsDelete'
> = {
  async shoppingListsCreate(_, { shoppingListData: data }, caller) {
    const { db, channel } = signedIn(caller)
    const writer = buyerWriter(caller, data.companyId)
    const { name, description, status } = data
    const row = await createBuyerList(db, writer, { name, description, status, channelId: channel })
    return { shoppingList: await answerOf(caller, row) }
  },
  async shoppingListsUpdate(_, { id, shoppingListData: data }, caller) {
    if (id == null || !data) throw new GraphRefusal('id and shoppingListData are needed.', 422)
    const buyer = buyerOf(caller)
    const { name, description, status } = data
    const row = await changeBuyerList(buyer.db, buyer, id, { name, description, status })
    return { shoppingList: await answerOf(caller, row) }
  },
  async shoppingListsDelete(_, { id }, caller) {
    const buyer = buyerOf(caller)
    await deleteList(buyer.db, buyer, id)
    return DONE
  },
  async shoppingListsDuplicate(_, { sampleShoppingListId: id, shoppingListData: data }, caller) {
    const { db, channel } = signedIn(caller)
    const list = { ...data, channelId: channel, visibleProducts: visibleFor(caller) }
    return {
      shoppingList: await answerOf(caller, await duplicateBuyerList(db, buyerWriter(caller, undefined), id, list)),
    }
  },
  async shoppingListsItemsCreate(_, { items, shoppingListId }, caller) {
    const buyer = buyerOf(caller)
    return { shoppingListsItems: await added(caller, buyer, shoppingListId, items) }
  },
  async shoppingListsItemsUpdate(_, { itemData, itemId, shoppingListId }, caller) {
    const buyer = buyerOf(caller)
    return { shoppingListsItem: await changed(caller, buyer, { listId: shoppingListId, itemId }, itemData) }
  },
  async shoppingListsItemsDelete(_, { itemId, shoppingListId }, caller) {
    const buyer = buyerOf(caller)
    await deleteListItem(buyer.db, buyer, shoppingListId, itemId)
    return DONE
  },
  async customerShoppingListsCreate(_, { shoppingListData: { name, description, channelId } }, caller) {
    const { db, channel } = signedIn(caller)
    const row = await createBuyerList(db, customerWriter(caller), {
      name,
      description,
      channelId: channelId ?? channel,
    })
    return { shoppingList: await customerAnswerOf(caller, row) }
  },
  async customerShoppingListsUpdate(_, { id, shoppingListData: { name, description } }, caller) {
    const { db } = signedIn(caller)
    const row = await changeBuyerList(db, customerAs(caller), id, { name, description })
    return { shoppingList: await customerAnswerOf(caller, row) }
  },
  async customerShoppingListsDelete(_, { id }, caller) {
    await deleteList(signedIn(caller).db, customerAs(caller), id)
    return DONE
  },
  async customerShoppingListsDuplicate(_, { sampleShoppingListId: id, shoppingListData: data }, caller) {
    const { db, channel } = signedIn(caller)
    const list = { ...data, channelId: channel, visibleProducts: visibleFor(caller) }
    return {
      shoppingList: await customerAnswerOf(caller, await duplicateBuyerList(db, customerWriter(caller), id, list)),
    }
  },
  async customerShoppingListsItemsCreate(_, { items, shoppingListId }, caller) {
    if (shoppingListId == null) throw new GraphRefusal('shoppingListId is needed.', 422)
    return { shoppingListsItems: await added(caller, customerAs(caller), shoppingListId, items ?? []) }
  },
  async customerShoppingListsItemsUpdate(_, { itemData, itemId, shoppingListId }, caller) {
    const place = { listId: shoppingListId, itemId }
    return { shoppingListsItem: await changed(caller, customerAs(caller), place, itemData) }
  },
  async customerShoppingListsItemsDelete(_, { itemId, shoppingListId }, caller) {
    await deleteListItem(signedIn(caller).db, customerAs(caller), shoppingListId, itemId)
    return DONE
  },
}

const CODES = { list: 'get_shopping_lists', detail: 'get_shopping_list_detail' } as const
const DONE = { message: 'Success' }
/** A person has at most this many lists. */
const WHOLE: Window = { limit: 1_000, offset: 0 }

const customerAs = (caller: BuyerCaller) => ({ kind: 'customer', customerId: signedIn(caller).customer.id }) as const

/** @throws GraphRefusal 403 for a company that the caller neither belongs to nor acts for */
function buyerWriter(caller: BuyerCaller, named: number | null | undefined): ListWriter {
  const buyer = buyerOf(caller)
  const companyId = named || buyer.acting
  if (companyId !== buyer.acting && !mayDo(buyer, 'create_shopping_list', companyId, buyer.userId)) {
    throw new GraphRefusal('Your role does not permit this in the company.', 403)
  }
  return { caller: buyer, companyId, customerId: signedIn(caller).customer.id }
}

const customerWriter = (caller: BuyerCaller): ListWriter => ({
  caller: customerAs(caller),
  companyId: 0,
  customerId: signedIn(caller).customer.id,
})

/** The products that the caller may see. */
const visibleFor = (caller: BuyerCaller) => async (db: Db, ids: readonly number[]) => {
  const { db: own, channel } = signedIn(caller)
  return new Set((await visibleProducts({ ...itemShopper(caller, own, channel), db }, ids)).keys())
}

type ItemInput = SchemaInputs['ShoppingListsItemsInputType']

const optionsOf = (options: ItemInput['optionList']) =>
  (options ?? []).flatMap((option) =>
    option ? [{ optionId: option.optionId, optionValue: String(option.optionValue ?? '') }] : [],
  )

async function added(
  caller: BuyerCaller,
  as: ListWriter['caller'],
  listId: number,
  items: readonly (ItemInput | null)[],
) {
  const { db } = signedIn(caller)
  const wanted = items.flatMap((item) =>
    item
      ? [
          {
            productId: item.productId,
            variantId: item.variantId,
            quantity: item.quantity,
            optionList: optionsOf(item.optionList),
            ...withoutUndefined({ sortOrder: item.sortOrder ?? undefined, productNote: item.productNote ?? undefined }),
          },
        ]
      : [],
  )
  const rows = await addToBuyerList(db, as, listId, { items: wanted, visibleProducts: visibleFor(caller) })
  return itemsToAnswer(caller, rows)
}

async function changed(
  caller: BuyerCaller,
  as: ListWriter['caller'],
  place: { listId: number; itemId: number },
  data: SchemaInputs['ShoppingListsItemsUpdateInputType'],
) {
  const changes = withoutUndefined({
    variantId: data.variantId ?? undefined,
    quantity: data.quantity ?? undefined,
    sortOrder: data.sortOrder ?? undefined,
    productNote: data.productNote ?? undefined,
    optionList: data.optionList ? optionsOf(data.optionList) : undefined,
  })
  const [item] = await itemsToAnswer(caller, [await changeBuyerItem(signedIn(caller).db, as, place, changes)])
  return item ?? null
}

async function answerOf(caller: BuyerCaller, row: ShoppingListRow) {
  const [list] = await listsToBuyers(caller, [row])
  if (!list) throw new Error('A list has no answer.')
  return list
}

async function customerAnswerOf(caller: BuyerCaller, row: ShoppingListRow) {
  const [list] = await customerListsToAnswer(caller, [row])
  if (!list) throw new Error('A list has no answer.')
  return list
}

interface ListArgs {
  offset?: number | null
  before?: string | null
  after?: string | null
  first?: number | null
  last?: number | null
  search?: string | null
  status?: readonly (number | null)[] | null
  orderBy?: string | null
  createdBy?: string | null
  email?: string | null
}

const ORDERS: Readonly<Record<string, string>> = {
  id: 'id',
  name: 'lower(name)',
  status: 'status',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
}

function filtersOf(db: Db, args: ListArgs): Sql[] {
  const statuses = (args.status ?? []).flatMap((status) => status ?? []).filter((status) => status !== DELETED_LIST)
  const ofPerson = (condition: Sql) => sql`exists (
    select from customers p where p.store_id = ${db.store.id} and p.id = b2b_shopping_lists.customer_id and ${condition})`
  return [
    ...when(given(args.search), (text) => sql`strpos(lower(name), ${text.toLowerCase()}) > 0`),
    ...when(statuses.length > 0 ? statuses : undefined, (list) => sql`status = any(${list}::int[])`),
    ...when(given(args.email), (text) => ofPerson(sql`p.email_key = ${fold(text)}`)),
    ...when(given(args.createdBy), (text) =>
      ofPerson(sql`strpos(concat_ws(' ', p.first_name_key, p.last_name_key, p.email_key), ${fold(text)}) > 0`),
    ),
  ]
}

function listOf(where: readonly Sql[], orderBy: string | null | undefined) {
  const column = ORDERS[(orderBy ?? '').replace(/^-/, '')]
  const direction = column === undefined || orderBy?.startsWith('-') ? 'desc' : 'asc'
  return {
    table: shoppingLists.table,
    columns: sql.join(shoppingLists.columns.map(sql.id)),
    where,
    order: sql.raw(`${column ?? 'updated_at'} ${direction}, id ${direction}`),
  }
}

async function pageOf(db: Db, args: ListArgs, where: readonly Sql[]) {
  const window = windowOfPage(args)
  return { ...(await findWindow<ShoppingListRow>(db, listOf(where, args.orderBy), window)), window }
}
