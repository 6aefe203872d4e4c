import { beforeAll, describe, expect, test } from 'vitest'
import {
  ADMIN,
  askGraph,
  codeOf,
  dataOf,
  makeSuper,
  makeUser,
  openBuyers,
  tokenAt,
} from '../../../../../test/buyers.ts'
import { ask, makeCompany } from '../../../../../test/fixtures/companion.ts'
import type { Shop } from '../../../../../test/fixtures/shop.ts'

// docs/contract/b2b-graphql.md section 14.

let shop: Shop
let companyId: number
let ada: string
let mug: { productId: number; variantId: number }
let pen: { productId: number; variantId: number }
beforeAll(async () => {
  ;({ shop, companyId } = await openBuyers())
  const group = await shop.call(
    'POST',
    '/customer_groups',
    { name: 'Trade', discount_rules: [{ type: 'all', method: 'percent', amount: '10.0000' }] },
    { version: 'v2' },
  )
  await ask(shop, 'PUT', `/v3/io/companies/${companyId}`, { customerGroupId: group.body.id })
  mug = await makeProduct({ name: 'Mug', sku: 'MUG-1', price: 40 })
  pen = await makeProduct({ name: 'Pen', sku: 'PEN-1', price: 2.5 })
  ada = await tokenAt(shop, ADMIN)
})

async function makeProduct(more: object) {
  const product = { type: 'physical', weight: 1, is_visible: true, ...more }
  const { id: productId } = (await shop.call('POST', '/catalog/products', product)).body.data
  await shop.call('PUT', '/catalog/products/channel-assignments', [{ product_id: productId, channel_id: 1 }])
  const variants = await shop.call('GET', `/catalog/products/${productId}/variants`)
  return { productId, variantId: variants.body.data[0].id as number }
}

const LIST = `id name description status reason approvedFlag isOwner grandTotal totalDiscount totalTax isShowGrandTotal channelId channelName
  customerInfo { firstName lastName userId email role } companyInfo { companyId companyName } createdAt updatedAt`
const ITEM = `id productId variantId quantity optionList productName itemId baseSku variantSku basePrice discount tax enteredInclusive
  productUrl primaryImage sortOrder productNote`

const create = (name: string, more = 'status: 0') =>
  `mutation { shoppingListsCreate(shoppingListData: {name: "${name}", description: "", ${more}}) { shoppingList { id status } } }`
async function make(token: string, name: string, more?: string) {
  const { shoppingList } = (await dataOf(create(name, more), { token })).shoppingListsCreate
  return { id: Number(shoppingList.id), status: shoppingList.status as number }
}
const set = (id: number, status: number, name = 'List') =>
  `mutation { shoppingListsUpdate(id: ${id}, shoppingListData: {name: "${name}", description: "", status: ${status}}) { shoppingList { id name status } } }`
const remove = (id: number) => `mutation { shoppingListsDelete(id: ${id}) { message } }`
const detail = (id: number, fields = LIST) => `{ shoppingList(id: ${id}) { ${fields} } }`
const addItems = (id: number, items: string) =>
  `mutation { shoppingListsItemsCreate(shoppingListId: ${id}, items: [${items}]) { shoppingListsItems { ${ITEM} } } }`
const item = ({ productId, variantId }: typeof mug, quantity: number, more = '') =>
  `{productId: ${productId}, variantId: ${variantId}, quantity: ${quantity} ${more}}`
const names = async (token: string, args = 'first: 250') => {
  const { shoppingLists } = await dataOf(`{ shoppingLists(${args}) { totalCount edges { node { name } } } }`, { token })
  return shoppingLists.edges.map(({ node }: { node: { name: string } }) => node.name)
}

describe('a list of a company', () => {
  test('has items with the prices of the acting company, and sums with tax', async () => {
    const { id } = await make(ada, 'Office')
    const { shoppingListsItems } = (
      await dataOf(addItems(id, `${item(mug, 2)}, ${item(pen, 4, ', productNote: "blue"')}`), { token: ada })
    ).shoppingListsItemsCreate
    const mugAnswer = {
      id: expect.any(String),
      ...mug,
      quantity: 2,
      optionList: '[]',
      productName: 'Mug',
      itemId: expect.any(Number),
      baseSku: 'MUG-1',
      variantSku: 'MUG-1',
      basePrice: '36.00',
      discount: '0',
      tax: '0.00',
      enteredInclusive: false,
      productUrl: expect.stringMatching(/^https?:\/\/.*\/mug\/$/),
      primaryImage: '',
      sortOrder: 0,
      productNote: '',
    }
    expect(shoppingListsItems).toEqual([
      mugAnswer,
      {
        ...mugAnswer,
        ...pen,
        quantity: 4,
        productName: 'Pen',
        baseSku: 'PEN-1',
        variantSku: 'PEN-1',
        basePrice: '2.25',
        productNote: 'blue',
        productUrl: expect.stringContaining('/pen/'),
      },
    ])
    expect((await dataOf(detail(id), { token: ada })).shoppingList).toEqual({
      id: String(id),
      name: 'Office',
      description: '',
      status: 0,
      reason: null,
      approvedFlag: true,
      isOwner: true,
      grandTotal: '81.00',
      totalDiscount: '0',
      totalTax: '0.00',
      isShowGrandTotal: true,
      channelId: 1,
      channelName: expect.any(String),
      customerInfo: { firstName: 'Ann', lastName: 'Lee', userId: 1, email: ADMIN, role: '0' },
      companyInfo: { companyId: String(companyId), companyName: 'Acme' },
      createdAt: expect.any(Number),
      updatedAt: expect.any(Number),
    })
    const page = async (args: string) => {
      const { products } = (
        await dataOf(detail(id, `products(${args}) { totalCount edges { node { productName } } }`), { token: ada })
      ).shoppingList
      return [
        products.totalCount,
        ...products.edges.map(({ node }: { node: { productName: string } }) => node.productName),
      ]
    }
    expect(await page('offset: 0, first: 100, search: "", orderBy: "-updatedAt"')).toEqual([2, 'Mug', 'Pen'])
    expect(await page('offset: 1, first: 1')).toEqual([2, 'Pen'])
    expect(await page('search: "pEn"')).toEqual([1, 'Pen'])
    expect(await page('search: "mug-1"')).toEqual([1, 'Mug'])
    // Units of an item that the list has already are added.
    await dataOf(addItems(id, item(mug, 1)), { token: ada })
    expect((await dataOf(detail(id, 'grandTotal'), { token: ada })).shoppingList).toEqual({ grandTotal: '117.00' })
    const [first] = (await dataOf(detail(id, 'products { edges { node { itemId } } }'), { token: ada })).shoppingList
      .products.edges
    const change = (fields: string) =>
      `mutation { shoppingListsItemsUpdate(shoppingListId: ${id}, itemId: ${first.node.itemId}, itemData: {${fields}}) { shoppingListsItem { quantity productNote } } }`
    expect((await dataOf(change('quantity: 5, productNote: "big"'), { token: ada })).shoppingListsItemsUpdate).toEqual({
      shoppingListsItem: { quantity: 5, productNote: 'big' },
    })
    const drop = (itemId: number) =>
      `mutation { shoppingListsItemsDelete(shoppingListId: ${id}, itemId: ${itemId}) { message } }`
    expect(await dataOf(drop(first.node.itemId), { token: ada })).toEqual({
      shoppingListsItemsDelete: { message: 'Success' },
    })
    expect(await codeOf(drop(first.node.itemId), { token: ada })).toBe(404)
    expect(await page('first: 250')).toEqual([1, 'Pen'])
  })

  test('shows nothing of products that are hidden, and no sum then', async () => {
    const ghost = await makeProduct({ name: 'Ghost', sku: 'GHOST-1', price: 7 })
    const { id } = await make(ada, 'Ghosts')
    await dataOf(addItems(id, `${item(ghost, 1)}, ${item(pen, 1)}`), { token: ada })
    await shop.call('PUT', `/catalog/products/${ghost.productId}`, { is_visible: false })
    const { shoppingList } = await dataOf(
      detail(id, `isShowGrandTotal grandTotal products { edges { node { ${ITEM} } } }`),
      { token: ada },
    )
    expect(shoppingList).toMatchObject({ isShowGrandTotal: false, grandTotal: '2.25' })
    expect(shoppingList.products.edges[0].node).toMatchObject({
      productName: '',
      baseSku: '',
      basePrice: '',
      productUrl: '',
    })
    expect(await codeOf(addItems(id, item(ghost, 1)), { token: ada })).toBe(422)
    const unknown = { productId: 999_999, variantId: 999_999 }
    expect(await codeOf(addItems(id, item(unknown, 1)), { token: ada })).toBe(422)
    for (const quantity of [0, 1_000_001])
      expect(await codeOf(addItems(id, item(pen, quantity)), { token: ada })).toBe(422)
  })

  test('P9: of a junior is a draft, which others approve', async () => {
    const jo = await makeUser(shop, companyId, 2)
    const { id, status } = await make(jo.token, 'Wishes')
    expect(status).toBe(30)
    expect(await codeOf(detail(id), { token: ada })).toBe(404)
    expect((await dataOf(set(id, 40), { token: jo.token })).shoppingListsUpdate.shoppingList.status).toBe(40)
    expect(await codeOf(set(id, 0), { token: jo.token })).toBe(403)
    // A list that waits is changed by those who approve only.
    expect(await codeOf(set(id, 40, 'Other'), { token: jo.token })).toBe(403)
    expect(await codeOf(addItems(id, item(pen, 1)), { token: jo.token })).toBe(403)
    expect((await dataOf(set(id, 0), { token: ada })).shoppingListsUpdate.shoppingList.status).toBe(0)
    expect(
      (await dataOf(detail(id, 'approvedFlag isOwner customerInfo { email }'), { token: ada })).shoppingList,
    ).toEqual({
      approvedFlag: true,
      isOwner: false,
      customerInfo: { email: jo.email },
    })
    expect(await codeOf(remove(id), { token: jo.token })).toBe(403)
    for (const wrong of [20, 50, 7]) expect(await codeOf(set(id, wrong), { token: ada })).toBe(422)
    expect(await codeOf(create('X', 'status: 20'), { token: ada })).toBe(422)
  })

  test('of a colleague is seen by level, and of another company never', async () => {
    const jo = await makeUser(shop, companyId, 2)
    const kim = await makeUser(shop, companyId, 2)
    const draft = await make(jo.token, `Draft of ${jo.id}`)
    expect(await names(jo.token, `search: "Draft of ${jo.id}"`)).toHaveLength(1)
    for (const token of [kim.token, ada]) expect(await names(token, `search: "Draft of ${jo.id}"`)).toEqual([])
    await dataOf(set(draft.id, 40, `Draft of ${jo.id}`), { token: jo.token })
    expect(await names(ada, `search: "Draft of ${jo.id}"`)).toHaveLength(1)
    expect(await names(kim.token, `search: "Draft of ${jo.id}"`)).toEqual([])
    const { companyId: rival } = await makeCompany(shop, 'RivalOfLists')
    const eve = await makeUser(shop, rival, 0)
    const office = await make(ada, 'Secret')
    expect(await names(eve.token)).toEqual([])
    const queries = [
      detail(office.id),
      set(office.id, 30),
      remove(office.id),
      addItems(office.id, item(pen, 1)),
      `mutation { shoppingListsDuplicate(sampleShoppingListId: ${office.id}, shoppingListData: {name: "Copy", description: ""}) { shoppingList { id } } }`,
    ]
    for (const query of queries) {
      const foreign = (await askGraph(query, { token: eve.token })).body.errors
      const unknown = (await askGraph(query.replace(String(office.id), '999999'), { token: eve.token })).body.errors
      expect(foreign[0].extensions.code, query).toBe(404)
      expect(
        JSON.stringify(unknown)
          .replaceAll('999999', String(office.id))
          .replaceAll(/"column":\d+/g, ''),
      ).toBe(JSON.stringify(foreign).replaceAll(/"column":\d+/g, ''))
    }
    expect(await codeOf(create('Mine', `status: 0, companyId: ${companyId}`), { token: eve.token })).toBe(403)
    expect(await codeOf(create('Mine', 'status: 0, companyId: 999999'), { token: eve.token })).toBe(403)
  })

  test('is duplicated with the items that the copier may see', async () => {
    const ghost = await makeProduct({ name: 'Ghost 2', sku: 'GHOST-2', price: 7 })
    const { id } = await make(ada, 'Original')
    await dataOf(addItems(id, `${item(ghost, 1)}, ${item(pen, 3)}`), { token: ada })
    await shop.call('PUT', `/catalog/products/${ghost.productId}`, { is_visible: false })
    const copy = `mutation { shoppingListsDuplicate(sampleShoppingListId: ${id}, shoppingListData: {name: "Copy", description: "d"}) {
      shoppingList { name description status products { totalCount edges { node { productName quantity } } } } } }`
    expect((await dataOf(copy, { token: ada })).shoppingListsDuplicate.shoppingList).toEqual({
      name: 'Copy',
      description: 'd',
      status: 0,
      products: { totalCount: 1, edges: [{ node: { productName: 'Pen', quantity: 3 } }] },
    })
  })
})

describe('lists', () => {
  test('are listed, filtered, sorted and paged, with the number of their items', async () => {
    const { shop: own, companyId: company } = await openBuyers()
    const before = shop
    shop = own
    const token = await tokenAt(own, ADMIN)
    const thing = await makeProduct({ name: 'Thing', sku: 'TH-1', price: 1 })
    shop = before
    const [alpha, beta] = [await make(token, 'Alpha'), await make(token, 'Beta', 'status: 30')]
    await dataOf(addItems(alpha.id, item(thing, 2)), { token })
    const query = `{ shoppingLists(first: 1, orderBy: "name") { totalCount pageInfo { hasNextPage } edges { node {
      id name status companyInfo { companyId } products { totalCount edges { node { productId quantity productSku } } } } } } }`
    expect((await dataOf(query, { token })).shoppingLists).toEqual({
      totalCount: 2,
      pageInfo: { hasNextPage: true },
      edges: [
        {
          node: {
            id: String(alpha.id),
            name: 'Alpha',
            status: 0,
            companyInfo: { companyId: String(company) },
            products: {
              totalCount: 1,
              edges: [{ node: { productId: thing.productId, quantity: 2, productSku: 'TH-1' } }],
            },
          },
        },
      ],
    })
    const past =
      '{ shoppingLists(search: "Alpha") { edges { node { products(offset: 5) { totalCount edges { cursor } } } } } }'
    expect((await dataOf(past, { token })).shoppingLists.edges[0].node.products).toEqual({ totalCount: 1, edges: [] })
    const rows: [string, string[]][] = [
      ['orderBy: "name"', ['Alpha', 'Beta']],
      ['orderBy: "-name"', ['Beta', 'Alpha']],
      ['search: "ALP"', ['Alpha']],
      ['search: ""', ['Alpha', 'Beta']],
      ['status: [30]', ['Beta']],
      ['status: 0', ['Alpha']],
      ['status: [0, 30, 20]', ['Alpha', 'Beta']],
      ['status: []', ['Alpha', 'Beta']],
      ['isShowMy: true', ['Alpha', 'Beta']],
      [`email: "${ADMIN}"`, ['Alpha', 'Beta']],
      ['email: "other@example.com"', []],
      ['createdBy: "Ann Lee"', ['Alpha', 'Beta']],
      ['createdBy: "bob"', []],
      ['offset: 2', []],
    ]
    for (const [args, expected] of rows) {
      const sorted = args.includes('orderBy') ? args : `${args}, orderBy: "name"`
      expect(await names(token, sorted), args).toEqual(expected)
    }
    expect((await dataOf('{ shoppingListsIdName { id name } }', { token })).shoppingListsIdName).toEqual(
      expect.arrayContaining([
        { id: String(alpha.id), name: 'Alpha' },
        { id: String(beta.id), name: 'Beta' },
      ]),
    )
    for (const args of ['first: 0', 'first: 251', 'offset: -1']) {
      expect(await codeOf(`{ shoppingLists(${args}) { totalCount } }`, { token }), args).toBe(422)
    }
    await dataOf(remove(alpha.id), { token })
    expect(await names(token)).toEqual(['Beta'])
    expect(await codeOf(detail(alpha.id), { token })).toBe(404)
    expect(await names(token, 'status: [20]')).toEqual(['Beta'])
  })

  test('of a super admin belong to the company that it acts for', async () => {
    const rae = await makeSuper(shop, [companyId])
    expect(await codeOf(create('R'), { token: rae.token })).toBe(403)
    await dataOf(`mutation { superAdminBeginMasquerade(companyId: ${companyId}) { userInfo { email } } }`, {
      token: rae.token,
    })
    const { id } = await make(rae.token, 'Of Rae')
    expect((await dataOf(detail(id, 'customerInfo { email } isOwner'), { token: ada })).shoppingList).toEqual({
      customerInfo: { email: rae.email },
      isOwner: false,
    })
  })
})

describe('lists of a customer without a company', () => {
  const data = '{name: "Mine", description: "d"}'
  test('are its own', async () => {
    const token = await tokenAt(shop, 'plain@example.com')
    const made = await dataOf(
      `mutation { customerShoppingListsCreate(shoppingListData: ${data}) { shoppingList { id name description channelId } } }`,
      { token },
    )
    const { id, ...list } = made.customerShoppingListsCreate.shoppingList
    expect(list).toEqual({ name: 'Mine', description: 'd', channelId: 1 })
    const add = `mutation { customerShoppingListsItemsCreate(shoppingListId: ${id}, items: [${item(mug, 2)}]) { shoppingListsItems { itemId basePrice } } }`
    const [added] = (await dataOf(add, { token })).customerShoppingListsItemsCreate.shoppingListsItems
    // The customer is in no group.
    expect(added.basePrice).toBe('40.00')
    const change = `mutation { customerShoppingListsItemsUpdate(shoppingListId: ${id}, itemId: ${added.itemId}, itemData: {quantity: 3}) { shoppingListsItem { quantity } } }`
    expect((await dataOf(change, { token })).customerShoppingListsItemsUpdate.shoppingListsItem.quantity).toBe(3)
    const one = `{ customerShoppingList(id: ${id}) { name grandTotal products { totalCount } } }`
    expect((await dataOf(one, { token })).customerShoppingList).toEqual({
      name: 'Mine',
      grandTotal: '120.00',
      products: { totalCount: 1 },
    })
    const rename = `mutation { customerShoppingListsUpdate(id: ${id}, shoppingListData: {name: "Ours", description: ""}) { shoppingList { name } } }`
    expect((await dataOf(rename, { token })).customerShoppingListsUpdate.shoppingList.name).toBe('Ours')
    const copy = `mutation { customerShoppingListsDuplicate(sampleShoppingListId: ${id}, shoppingListData: {name: "Copy", description: ""}) { shoppingList { id } } }`
    const copied = (await dataOf(copy, { token })).customerShoppingListsDuplicate.shoppingList.id
    const all =
      '{ customerShoppingLists(first: 10, channelId: 1) { totalCount edges { node { id name products { totalCount } } } } customerShoppingListsIdName { id name } }'
    const { customerShoppingLists, customerShoppingListsIdName } = await dataOf(all, { token })
    expect(customerShoppingLists.totalCount).toBe(2)
    expect(customerShoppingLists.edges).toContainEqual({ node: { id, name: 'Ours', products: { totalCount: 1 } } })
    expect(customerShoppingListsIdName).toContainEqual({ id: copied, name: 'Copy' })
    const drop = `mutation { customerShoppingListsItemsDelete(shoppingListId: ${id}, itemId: ${added.itemId}) { message } }`
    // A user of a company reaches none of them, and neither does another field.
    for (const query of [one, change, rename, copy, drop, add]) expect(await codeOf(query, { token: ada })).toBe(404)
    expect(await codeOf(detail(Number(id)), { token: ada })).toBe(404)
    expect((await dataOf(all, { token: ada })).customerShoppingLists.totalCount).toBe(0)
    expect(await codeOf('{ shoppingLists { totalCount } }', { token })).toBe(403)
    await dataOf(drop, { token })
    const gone = `mutation { customerShoppingListsDelete(id: ${id}) { message } }`
    expect(await codeOf(gone, { token: ada })).toBe(404)
    await dataOf(gone, { token })
    expect(await codeOf(one, { token })).toBe(404)
  })
})
