import { beforeAll, describe, expect, test } from 'vitest'
import type { Db } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { ask, enableCompanion, makeCompany } from '../../../test/fixtures/companion.ts'
import { openShop, type Shop } from '../../../test/fixtures/shop.ts'
import { dbOf } from '../../../test/fixtures/webhooks.ts'
import type { Buyer, CompanyCaller, PlainCustomer } from '../shared/caller.ts'
import { PREDEFINED } from '../shared/permissions.ts'
import {
  addToBuyerList,
  changeBuyerItem,
  changeBuyerList,
  createBuyerList,
  duplicateBuyerList,
  type ListWriter,
} from './buyer-lists.ts'
import { itemsOfList } from './items.ts'
import { findList, listsWithin } from './list.ts'
import { deleteList, deleteListItem } from './list-changes.ts'

// docs/contract/b2b-shopping-lists.md section 5.

let shop: Shop
let db: Db
let companyId: number
let products: number[]
/** The customers of users, by the id of the user. */
let customers: number[]
let plain: number[]
beforeAll(async () => {
  shop = await openShop()
  await enableCompanion(shop)
  db = await dbOf(shop)
  const acme = await makeCompany(shop, 'Acme')
  companyId = acme.companyId
  customers = [0, acme.customerId]
  for (const firstName of ['Jo', 'Jim']) {
    const user = { firstName, lastName: 'Ek', email: `${firstName}@acme.example.com`, companyId, role: 2 }
    const { userId, bcId } = (await ask(shop, 'POST', '/v3/io/users', user)).body.data
    customers[userId] = bcId
  }
  const people = ['P', 'Q'].map((first_name) => ({ first_name, last_name: 'L', email: `${first_name}@example.com` }))
  const { data } = (await shop.call('POST', '/customers', people)).body
  plain = data.map(({ id }: { id: number }) => id)
  products = []
  for (const name of ['Mug', 'Bowl', 'Jug']) {
    const made = await shop.call('POST', '/catalog/products', { name, type: 'physical', weight: 1, price: 10 })
    products.push(made.body.data.id)
  }
})

const buyer = (userId: number, grants: Buyer['grants'], more: Partial<Buyer> = {}): Buyer => ({
  kind: 'buyer',
  userId,
  companyId,
  subsidiaries: new Set(),
  grants,
  ...more,
})
const ada = () => buyer(1, PREDEFINED.Admin)
const jo = () => buyer(2, PREDEFINED['Junior Buyer'])
const jim = () => buyer(3, PREDEFINED['Junior Buyer'])
const writer = (caller: Buyer | PlainCustomer): ListWriter =>
  caller.kind === 'buyer'
    ? { caller, companyId, customerId: customers[caller.userId] ?? 0 }
    : { caller, companyId: 0, customerId: caller.customerId }
const fields = { name: 'Weekly', channelId: 1 }
const make = (caller: Buyer | PlainCustomer, status?: number) =>
  createBuyerList(db, writer(caller), { ...fields, ...(status === undefined ? {} : { status }) })
const everything = async (_: Db, ids: readonly number[]) => new Set(ids)
const statusOf = (work: Promise<unknown>) =>
  work.then(
    () => 200,
    (error: unknown) => (error instanceof Error && 'status' in error ? error.status : error),
  )
const move = (caller: Buyer, id: number, status: number) => changeBuyerList(db, caller, id, { status })
const itemOf = (n: number, quantity = 1) => ({ productId: products[n] ?? 0, quantity })

describe('the status of a list', () => {
  test('is that of a draft for a buyer who may not approve, and moves by permission (P9)', async () => {
    const { id, status } = await make(jo(), 0)
    expect(status).toBe(30)
    expect((await move(jo(), id, 40)).status).toBe(40)
    expect(await statusOf(move(jo(), id, 0))).toBe(403)
    expect((await move(ada(), id, 0)).status).toBe(0)
  })

  test('is 0 or 30 for a buyer who may approve', async () => {
    expect((await make(ada())).status).toBe(0)
    expect((await make(ada(), 30)).status).toBe(30)
    for (const status of [20, 40, 50, 7]) expect(await statusOf(make(ada(), status))).toBe(422)
  })

  test.each([
    [30, 40],
    [40, 0],
    [40, 50],
  ])('moves from %d to %d, and never elsewhere', async (from, to) => {
    const { id } = await make(ada(), 30)
    if (from === 40) await move(ada(), id, 40)
    for (const other of [0, 20, 30, 40, 50]) {
      const isAllowed = (from === 30 && other === 40) || (from === 40 && (other === 0 || other === 50))
      if (other === from || isAllowed) continue
      expect([other, await statusOf(move(ada(), id, other))]).toEqual([other, 422])
    }
    expect((await move(ada(), id, to)).status).toBe(to)
  })

  test('0 and 40 are closed to buyers who may not approve', async () => {
    const { id } = await make(jo())
    await addToBuyerList(db, jo(), id, { items: [itemOf(0)], visibleProducts: everything })
    await move(jo(), id, 40)
    const [item] = await itemsOfList(db, id)
    const added = { items: [itemOf(1)], visibleProducts: everything }
    const place = { listId: id, itemId: item?.id ?? 0 }
    for (const work of [
      () => changeBuyerList(db, jo(), id, { name: 'Mine' }),
      () => addToBuyerList(db, jo(), id, added),
      () => changeBuyerItem(db, jo(), place, { quantity: 9 }),
      () => deleteListItem(db, jo(), id, place.itemId),
      () => deleteList(db, jo(), id),
    ]) {
      expect(await statusOf(work())).toBe(403)
    }
    expect((await changeBuyerList(db, ada(), id, { name: 'Ours' })).name).toBe('Ours')
    expect((await changeBuyerItem(db, ada(), place, { quantity: 9 })).quantity).toBe(9)
    await deleteList(db, ada(), id)
    expect(await statusOf(findList(db, ada(), { id }))).toBe(404)
  })
})

describe('a buyer sees', () => {
  const idsOf = async (caller: CompanyCaller) => {
    const rows = await db.rows<{ id: number }>(sql`
      select id from b2b_shopping_lists where store_id = ${db.store.id} and ${listsWithin(caller, 'get_shopping_lists')}`)
    return new Set(rows.map(({ id }) => id))
  }

  test('the own lists at level 1, and those of the company but the drafts of others at level 2', async () => {
    const [draft, ready, approved] = [await make(jo()), await make(jo()), await make(ada())]
    const own = await make(ada(), 30)
    await move(jo(), ready.id, 40)
    const seen = async (caller: CompanyCaller) => {
      const ids = await idsOf(caller)
      return [draft, ready, approved, own].map(({ id }) => ids.has(id))
    }
    expect(await seen(jo())).toEqual([true, true, false, false])
    expect(await seen(jim())).toEqual([false, false, false, false])
    expect(await seen(ada())).toEqual([false, true, true, true])
    expect(await seen({ kind: 'seller' })).toEqual([true, true, true, true])
    expect(await statusOf(findList(db, ada(), { id: draft.id }))).toBe(404)
    expect(await statusOf(findList(db, jim(), { id: ready.id }))).toBe(404)
    const stranger = buyer(9, PREDEFINED.Admin, { companyId: companyId + 1 })
    expect(await seen(stranger)).toEqual([false, false, false, false])
    expect(await seen({ kind: 'guest', quote: '' })).toEqual([false, false, false, false])
  })

  test('only its own lists as a customer', async () => {
    const [cus, other] = [
      { kind: 'customer', customerId: plain[0] ?? 0 },
      { kind: 'customer', customerId: plain[1] ?? 0 },
    ] as const
    const { id, status, company_id, user_id } = await make(cus, 30)
    expect([status, company_id, user_id]).toEqual([0, 0, 0])
    expect(await statusOf(findList(db, cus, { id }))).toBe(200)
    expect(await statusOf(findList(db, other, { id }))).toBe(404)
    expect(await statusOf(findList(db, ada(), { id }))).toBe(404)
    expect((await changeBuyerList(db, cus, id, { name: 'Mine', status: 40 })).status).toBe(0)
    expect(await statusOf(changeBuyerList(db, other, id, { name: 'Mine' }))).toBe(404)
    await addToBuyerList(db, cus, id, { items: [itemOf(0)], visibleProducts: everything })
    await deleteList(db, cus, id)
    expect(await statusOf(findList(db, cus, { id }))).toBe(404)
  })
})

describe('items', () => {
  test('are added with their units on top, changed and deleted', async () => {
    const { id } = await make(jo())
    const add = (...items: ReturnType<typeof itemOf>[]) =>
      addToBuyerList(db, jo(), id, {
        items: items.map((item) => ({ ...item, variantId: item.productId })),
        visibleProducts: everything,
      })
    const [first] = await add(itemOf(0, 2))
    expect(first).toMatchObject({ product_id: products[0], quantity: 2, options: [], product_note: '' })
    expect(await add(itemOf(0, 3), itemOf(1), itemOf(1))).toMatchObject([{ quantity: 5 }, { quantity: 2 }])
    const itemId = first?.id ?? 0
    const changed = await changeBuyerItem(db, jo(), { listId: id, itemId }, { quantity: 1, productNote: 'Blue' })
    expect(changed).toMatchObject({ id: itemId, quantity: 1, product_note: 'Blue' })
    expect(await statusOf(changeBuyerItem(db, jo(), { listId: id, itemId }, { quantity: 0 }))).toBe(422)
    expect(await statusOf(changeBuyerItem(db, jo(), { listId: id, itemId: 99_999 }, { quantity: 1 }))).toBe(404)
    expect(await statusOf(changeBuyerItem(db, jim(), { listId: id, itemId }, { quantity: 1 }))).toBe(404)
    await deleteListItem(db, jo(), id, itemId)
    expect(await itemsOfList(db, id)).toHaveLength(1)
    expect(await statusOf(deleteListItem(db, jo(), id, itemId))).toBe(404)
  })

  test('are products that the buyer may see', async () => {
    const { id } = await make(jo())
    const none = { items: [itemOf(0)], visibleProducts: async () => new Set<number>() }
    expect(await statusOf(addToBuyerList(db, jo(), id, none))).toBe(422)
  })

  test('go with a copy of the list, but those of hidden products', async () => {
    const { id } = await make(ada())
    const items = [itemOf(0, 2), itemOf(1), itemOf(2)]
    await addToBuyerList(db, ada(), id, { items, visibleProducts: everything })
    const visibleProducts = async () => new Set([products[0] ?? 0, products[2] ?? 0])
    const copy = await duplicateBuyerList(db, writer(ada()), id, { ...fields, name: 'Copy', visibleProducts })
    expect(copy).toMatchObject({ name: 'Copy', status: 0, user_id: 1, company_id: companyId })
    expect(await itemsOfList(db, copy.id)).toMatchObject([
      { product_id: products[0], quantity: 2 },
      { product_id: products[2], quantity: 1 },
    ])
    const list = { ...fields, visibleProducts }
    expect(await statusOf(duplicateBuyerList(db, writer(jo()), id, list))).toBe(404)
    const mayNot = buyer(4, [{ code: 'get_shopping_lists', permissionLevel: 2 }])
    expect(await statusOf(duplicateBuyerList(db, writer(mayNot), id, list))).toBe(404)
  })
})

test('a deed needs its permission', async () => {
  const reader = buyer(5, [{ code: 'get_shopping_list_detail', permissionLevel: 2 }])
  expect(await statusOf(make(reader))).toBe(403)
  const { id } = await make(ada())
  expect(await statusOf(changeBuyerList(db, reader, id, { name: 'Mine' }))).toBe(403)
  expect(await statusOf(move(reader, id, 40))).toBe(403)
  expect(await statusOf(deleteList(db, reader, id))).toBe(404)
  expect((await ask(shop, 'GET', `/v3/io/shopping-list/${id}`)).body.data.name).toBe('Weekly')
})
