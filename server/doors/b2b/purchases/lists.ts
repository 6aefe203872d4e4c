import t from 'typebox'
import { sql } from '../../../core/db/sql.ts'
import type { Api } from '../../../core/rest/api.ts'
import { Id, idSegment } from '../../../core/rest/input/fields.ts'
import { Problem } from '../../../core/rest/problem.ts'
import { ITEM_ORDERS, listItemsToAnswer, ShoppingListItem } from '../../../sales/b2b/lists/items.ts'
import {
  findList,
  findOwner,
  findReader,
  listsToAnswer,
  listsWithin,
  ShoppingList,
  type ShoppingListRow,
  seenBy,
  shoppingLists,
} from '../../../sales/b2b/lists/list.ts'
import {
  changeList,
  createList,
  deleteList,
  deleteListItem,
  NewShoppingList,
  ShoppingListChanges,
} from '../../../sales/b2b/lists/list-changes.ts'
import { findWindow, when } from '../../../sales/b2b/shared/pages.ts'
import { ChannelId } from '../../../shop/channels/channels.ts'
import { access } from '../../../stores/accounts/scopes.ts'
import { callerOf, companyReaderOf } from '../grammar/caller.ts'
import { answering, companionAnswer, companionListAnswer, listing, windowOf, windowQuery } from '../grammar/envelope.ts'
import { OrderBy } from '../grammar/queries.ts'
import { messageAnswer, messaging } from './message.ts'

const { write } = access('b2b')

const tag = 'Shopping lists'
const Owner = { userId: t.Optional(Id), customerId: t.Optional(Id) }
const ListQuery = t.Object(
  {
    ...windowQuery,
    ...Owner,
    channelId: t.Optional(ChannelId),
    createdUserId: t.Optional(Id),
  },
  { examples: [{ userId: 1 }] },
)
const ITEMS_PAGE = 250
const ItemsQuery = t.Object({
  ...windowQuery,
  ...Owner,
  limit: t.Optional(t.Integer({ minimum: 1, maximum: ITEMS_PAGE, default: ITEMS_PAGE })),
  sortBy: t.Optional(t.Enum([...ITEM_ORDERS])),
  orderBy: OrderBy,
})
const ListWithItems = t.Object(
  { ...ShoppingList.properties, items: t.Array(ShoppingListItem) },
  { title: 'ShoppingListWithItems' },
)
const Reference = t.Object({ shoppingListId: Id }, { title: 'ShoppingListReference' })

/** Shopping lists (docs/contract/b2b-shopping-lists.md). */
export function shoppingListRoutes(api: Api) {
  const place = '/v3/io/shopping-list'
  const one = `${place}/${idSegment('shopping_list_id')}`
  const params = t.Object({ shopping_list_id: Id })

  api.get(
    place,
    {
      ...write,
      schema: {
        summary: 'List the shopping lists of a buyer',
        operationId: 'listShoppingLists',
        description: 'Needs userId or customerId. The newest comes first.',
        tag,
        querystring: ListQuery,
        ...listing(ShoppingList),
      },
    },
    async ({ db, query, salesRep }) => {
      const window = windowOf(query)
      const caller = companyReaderOf(db, salesRep)
      const owner = await findOwner(db, caller, query)
      if (!owner) throw new Problem(422, 'Send userId or customerId.')
      const { rows, total } = await findWindow<ShoppingListRow>(
        db,
        {
          table: shoppingLists.table,
          columns: sql.join(shoppingLists.columns.map(sql.id)),
          where: [
            listsWithin(caller, 'get_shopping_lists'),
            seenBy(owner),
            ...when(query.channelId, (id) => sql`channel_id = ${id}`),
            ...when(query.createdUserId, (id) => sql`user_id = ${id}`),
          ],
          order: sql`id desc`,
        },
        window,
      )
      return companionListAnswer(await listsToAnswer(db, rows), total, window)
    },
  )

  api.post(
    place,
    {
      ...write,
      schema: {
        summary: 'Create a shopping list',
        operationId: 'createShoppingList',
        description: 'Needs userId or customerId. It is approved, unless the body says otherwise.',
        tag,
        body: NewShoppingList,
        ...answering(Reference),
      },
    },
    async ({ db, body, salesRep }) => {
      const { id } = await createList(db, await callerOf(db, salesRep), body)
      return companionAnswer({ shoppingListId: id })
    },
  )

  api.get(
    one,
    {
      ...write,
      schema: {
        summary: 'Get a shopping list',
        operationId: 'getShoppingList',
        description: 'With its items, by sortOrder unless sortBy is given.',
        tag,
        params,
        querystring: ItemsQuery,
        ...answering(ListWithItems),
      },
    },
    async ({ db, params, query, salesRep }) => {
      const caller = await callerOf(db, salesRep)
      const owner = await findReader(db, caller, params.shopping_list_id, query)
      const row = await findList(db, caller, { id: params.shopping_list_id, owner })
      const [list] = await listsToAnswer(db, [row])
      const { limit = ITEMS_PAGE, offset = 0, sortBy, orderBy } = query
      const isAscending = (orderBy ?? 'ASC').toUpperCase() === 'ASC'
      const items = await listItemsToAnswer(db, row.id, { limit, offset, sortBy, isAscending })
      return companionAnswer({ ...list, items })
    },
  )

  api.put(
    one,
    {
      ...write,
      schema: {
        summary: 'Change a shopping list',
        operationId: 'updateShoppingList',
        description: 'Other fields and items stay unchanged. The quantity 0 removes an item.',
        tag,
        params,
        body: ShoppingListChanges,
        ...answering(ShoppingList),
      },
    },
    async ({ db, params, body, salesRep }) => {
      const row = await changeList(db, await callerOf(db, salesRep), params.shopping_list_id, body)
      const [list] = await listsToAnswer(db, [row])
      return companionAnswer(list)
    },
  )

  api.delete(
    one,
    {
      ...write,
      schema: {
        summary: 'Delete a shopping list',
        operationId: 'deleteShoppingList',
        tag,
        params,
        querystring: t.Object({ userId: t.Optional(Id) }, { examples: [{}] }),
        ...answering(Reference),
      },
    },
    async ({ db, params, query, salesRep }) => {
      await deleteList(db, await callerOf(db, salesRep), params.shopping_list_id, query.userId)
      return companionAnswer({ shoppingListId: params.shopping_list_id })
    },
  )

  api.delete(
    `${one}/items/${idSegment('item_id')}`,
    {
      ...write,
      schema: {
        summary: 'Delete an item of a shopping list',
        operationId: 'deleteShoppingListItem',
        tag,
        params: t.Object({ shopping_list_id: Id, item_id: Id }),
        ...messaging(t.Object({})),
      },
    },
    async ({ db, params, salesRep }) => {
      await deleteListItem(db, await callerOf(db, salesRep), params.shopping_list_id, params.item_id)
      return messageAnswer({})
    },
  )
}
