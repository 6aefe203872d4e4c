import { beforeAll, describe, expect, test } from 'vitest'
import { ask, enableCompanion, makeCompany, makeMug, refused } from '../../../test/fixtures/companion.ts'
import { openShop, type Shop, theHouse } from '../../../test/fixtures/shop.ts'

// docs/contract/b2b-shopping-lists.md.

const LISTS = '/v3/io/shopping-list'
let shop: Shop
let company: { companyId: number; customerId: number }
let admin: number
let junior: number
let senior: number
let customer: number
let mug: number
let cup: { productId: number; red: number; blue: number }

const makeUser = async (email: string, role: number): Promise<number> => {
  const body = { firstName: 'Bo', lastName: 'Ek', email, companyId: company.companyId, role, channelIds: [1] }
  return (await ask(shop, 'POST', '/v3/io/users', body)).body.data.userId
}

beforeAll(async () => {
  shop = await openShop()
  await enableCompanion(shop)
  company = await makeCompany(shop, 'Acme')
  admin = (await ask(shop, 'GET', `/v3/io/users/customer/${company.customerId}`)).body.data.id
  senior = await makeUser('senior@acme.example.com', 1)
  junior = await makeUser('junior@acme.example.com', 2)
  const person = { first_name: 'Cy', last_name: 'Ng', email: 'cy@example.com' }
  customer = (await shop.call('POST', '/customers', [person])).body.data[0].id
  mug = await makeMug(shop)
  const option = (label: string) => ({ sku: label, option_values: [{ option_display_name: 'Color', label }] })
  const product = { name: 'Cup', type: 'physical', weight: 1, price: 9, variants: [option('Red'), option('Blue')] }
  const { data } = (await shop.call('POST', '/catalog/products', product)).body
  const [red, blue] = data.variants.map(({ id }: { id: number }) => id)
  cup = { productId: data.id, red, blue }
})

const make = async (body: object): Promise<number> => {
  const { status, body: made } = await ask(shop, 'POST', LISTS, { name: 'Weekly', ...body })
  expect(status, JSON.stringify(made)).toBe(200)
  return made.data.shoppingListId
}
const read = async (id: number, query = '') => (await ask(shop, 'GET', `${LISTS}/${id}${query}`)).body.data
const change = (id: number, body: object) => ask(shop, 'PUT', `${LISTS}/${id}`, body)
const logical = (sentence: string) => refused(422, 'Logical Error', sentence)

describe('a shopping list', () => {
  test('has this form', async () => {
    const optionList = { optionId: '7', optionValue: 'x' }
    const made = await ask(shop, 'POST', LISTS, {
      name: 'Weekly',
      description: 'For the office',
      status: 30,
      userId: junior,
      channelId: 1,
      items: [{ productId: mug, quantity: 2, sortOrder: 3, optionList, productNote: 'Blue ones' }],
    })
    const id = made.body.data.shoppingListId
    expect(made.body).toEqual({ code: 200, data: { shoppingListId: id }, meta: { message: 'SUCCESS' } })
    const { body } = await ask(shop, 'GET', `${LISTS}/${id}`)
    const { createdAt } = body.data
    const list = {
      id,
      name: 'Weekly',
      description: 'For the office',
      status: 30,
      companyId: company.companyId,
      userId: junior,
      customerId: expect.any(Number),
      channelId: 1,
      channelName: expect.any(String),
      createdAt: expect.any(Number),
      updatedAt: createdAt,
    }
    const item = {
      id: expect.any(Number),
      productId: mug,
      variantId: expect.any(Number),
      quantity: 2,
      sortOrder: 3,
      optionList: [optionList],
      productNote: 'Blue ones',
    }
    expect(body).toEqual({ code: 200, data: { ...list, items: [item] }, meta: { message: 'SUCCESS' } })
    const listed = (await ask(shop, 'GET', `${LISTS}?userId=${junior}`)).body
    expect(listed).toEqual({
      code: 200,
      data: [list],
      meta: { message: 'SUCCESS', pagination: { totalCount: 1, limit: 10, offset: 0 } },
    })
    const { clock } = await theHouse()
    clock.move(5_000)
    const changed = (await change(id, { name: 'Monthly' })).body
    const updatedAt = expect.any(Number)
    expect(changed).toEqual({
      code: 200,
      data: { ...list, name: 'Monthly', updatedAt },
      meta: { message: 'SUCCESS' },
    })
    expect(changed.data.updatedAt).toBeGreaterThan(createdAt)
    const [{ id: itemId }] = (await read(id)).items
    expect((await ask(shop, 'DELETE', `${LISTS}/${id}/items/${itemId}`)).body).toEqual({
      code: 200,
      data: {},
      message: 'SUCCESS',
      meta: { message: 'SUCCESS' },
    })
    expect((await ask(shop, 'DELETE', `${LISTS}/${id}/items/${itemId}`)).status).toBe(404)
    expect((await ask(shop, 'DELETE', `${LISTS}/${id}`)).body.data).toEqual({ shoppingListId: id })
    for (const [method, path, body] of [
      ['GET', '', undefined],
      ['PUT', '', { name: 'x' }],
      ['DELETE', '', undefined],
      ['DELETE', '/items/1', undefined],
    ] as const) {
      expect((await ask(shop, method, `${LISTS}/${id}${path}`, body)).status).toBe(404)
    }
  })

  test('belongs to exactly one user or customer; a customer who is a user is that user', async () => {
    for (const owner of [{}, { userId: admin, customerId: customer }]) {
      expect((await ask(shop, 'POST', LISTS, { name: 'x', ...owner })).status).toBe(422)
      const query = Object.entries(owner)
        .map(([name, id]) => `${name}=${id}`)
        .join('&')
      expect((await ask(shop, 'GET', `${LISTS}?${query}`)).status).toBe(422)
    }
    expect((await ask(shop, 'POST', LISTS, { name: 'x', userId: 99_999 })).body.data.errMsg).toEqual({
      userId: ['This user does not exist.'],
    })
    expect((await ask(shop, 'POST', LISTS, { name: 'x', customerId: 99_999 })).body.data.errMsg).toEqual({
      customerId: ['This customer does not exist.'],
    })
    const ofUser = await make({ customerId: company.customerId })
    expect(await read(ofUser)).toMatchObject({ userId: admin, companyId: company.companyId, status: 0 })
    const plain = await make({ customerId: customer })
    expect(await read(plain)).toMatchObject({ userId: 0, companyId: 0, customerId: customer })
    expect((await ask(shop, 'GET', `${LISTS}/${plain}?customerId=${customer}`)).status).toBe(200)
    for (const query of [`userId=${admin}`, 'userId=99999', 'customerId=99999']) {
      expect((await ask(shop, 'GET', `${LISTS}/${plain}?${query}`)).status).toBe(404)
    }
    expect((await change(plain, { userId: admin, name: 'x' })).status).toBe(404)
    expect((await ask(shop, 'DELETE', `${LISTS}/${plain}?userId=${admin}`)).status).toBe(404)
    await ask(shop, 'DELETE', `${LISTS}/${ofUser}?userId=${admin}`)
    expect((await ask(shop, 'GET', `${LISTS}/${ofUser}`)).status).toBe(404)
  })

  test('is moved by the seller between 0, 30 and 40 in any order', async () => {
    const id = await make({ userId: junior, status: 40 })
    for (const status of [0, 30, 40, 30, 0, 40, 40, 0]) {
      expect((await change(id, { status })).body.data.status).toBe(status)
    }
    for (const status of [20, 50, 10, 'x']) expect((await change(id, { status })).status).toBe(422)
    for (const status of [20, 50]) {
      expect((await ask(shop, 'POST', LISTS, { name: 'x', userId: junior, status })).status).toBe(422)
    }
  })

  test('is refused for a blank name, a long one and an unknown channel', async () => {
    for (const name of [' ', '', 'x'.repeat(201)]) {
      expect((await ask(shop, 'POST', LISTS, { name, userId: junior })).body.data.errMsg).toHaveProperty('name')
    }
    expect((await ask(shop, 'POST', LISTS, { name: 'x', userId: junior, channelId: 99 })).body.data.errMsg).toEqual({
      channelId: ['The channel 99 does not exist.'],
    })
    expect((await change(99_999, { name: 'x' })).status).toBe(404)
    for (const path of ['abc', '99999']) expect((await ask(shop, 'GET', `${LISTS}/${path}`)).status).toBe(404)
  })
})

describe('the items of a list', () => {
  const red = { optionId: '1', optionValue: 'red' }
  const kinds = async (id: number) =>
    (await read(id)).items.map(({ variantId, quantity }: { variantId: number; quantity: number }) => [
      variantId,
      quantity,
    ])

  test('are found by id, or by variant and options; others stay; the quantity 0 removes', async () => {
    const { productId } = cup
    const id = await make({
      userId: junior,
      items: [
        { productId, variantId: cup.red, quantity: 1 },
        { productId, variantId: cup.blue, quantity: 2 },
        { productId, variantId: cup.red, quantity: 3, optionList: [red] },
      ],
    })
    const [first, , third] = (await read(id)).items
    expect((await change(id, { items: [{ productId, variantId: cup.red, quantity: 5 }] })).status).toBe(200)
    expect(await kinds(id)).toEqual([
      [cup.red, 5],
      [cup.blue, 2],
      [cup.red, 3],
    ])
    await change(id, { items: [{ id: third.id, quantity: 4, productNote: 'Soon' }] })
    expect((await read(id)).items[2]).toEqual({ ...third, quantity: 4, productNote: 'Soon' })
    await change(id, {
      items: [
        { id: first.id, quantity: 0 },
        { productId: mug, quantity: 7 },
      ],
    })
    expect((await kinds(id)).map(([, quantity]: number[]) => quantity)).toEqual([2, 4, 7])
    await change(id, { items: [{ productId, variantId: cup.blue, quantity: 0 }] })
    await change(id, { items: [{ productId: mug, quantity: 0 }] })
    // Nothing is found, and nothing is added.
    await change(id, { items: [{ productId, variantId: cup.blue, quantity: 0 }] })
    expect(await kinds(id)).toEqual([[cup.red, 4]])
  })

  test('are refused for unknown products, variants and ids, and above 500', async () => {
    const { productId } = cup
    const id = await make({ userId: junior, items: [{ productId, variantId: cup.red, quantity: 1 }] })
    const mistakes = async (item: object) => {
      const { status, body } = await change(id, { items: [item] })
      expect(status).toBe(422)
      return body.data.errMsg
    }
    expect(await mistakes({ productId: 99_999, quantity: 1 })).toHaveProperty(['items.0.productId'])
    expect(await mistakes({ productId, quantity: 1 })).toEqual({
      'items.0.productId': [`The store has no product ${productId} without options.`],
    })
    expect(await mistakes({ productId, variantId: 99_999, quantity: 1 })).toEqual({
      'items.0.variantId': ['The variant 99999 does not exist.'],
    })
    expect(await mistakes({ productId: mug, variantId: cup.red, quantity: 1 })).toHaveProperty(['items.0.variantId'])
    expect(await mistakes({ id: 99_999, quantity: 1 })).toEqual({ 'items.0.id': ['The item 99999 does not exist.'] })
    expect(await mistakes({ productId: mug })).toEqual({ 'items.0.quantity': ['This field is required'] })
    expect(await mistakes({ quantity: 1 })).toEqual({ 'items.0.productId': ['This field is required'] })
    expect(await mistakes({ productId: mug, quantity: -1 })).toHaveProperty(['items.0.quantity'])
    const created = await ask(shop, 'POST', LISTS, {
      name: 'x',
      userId: junior,
      items: [{ productId: mug, quantity: 0 }],
    })
    expect(created.body.data.errMsg).toHaveProperty(['items.0.quantity'])
    const many = (count: number) =>
      Array.from({ length: count }, (_, i) => ({
        productId: mug,
        quantity: 1,
        optionList: { optionId: '1', optionValue: String(i) },
      }))
    expect((await change(id, { items: many(501) })).status).toBe(422)
    expect((await change(id, { items: many(500) })).body).toEqual(logical('A list can have at most 500 items.'))
    expect((await change(id, { items: many(499) })).status).toBe(200)
    expect((await read(id)).items).toHaveLength(250)
  })

  test('are paged and sorted', async () => {
    const { productId } = cup
    const id = await make({
      userId: junior,
      items: [
        { productId, variantId: cup.red, quantity: 3, sortOrder: 2 },
        { productId: mug, quantity: 1, sortOrder: 3 },
        { productId, variantId: cup.blue, quantity: 2, sortOrder: 1 },
      ],
    })
    const quantities = async (query: string) =>
      (await read(id, `?${query}`)).items.map(({ quantity }: { quantity: number }) => quantity)
    expect(await quantities('')).toEqual([2, 3, 1])
    expect(await quantities('orderBy=DESC')).toEqual([1, 3, 2])
    expect(await quantities('sortBy=quantity')).toEqual([1, 2, 3])
    expect(await quantities('sortBy=productName&orderBy=DESC')).toEqual([1, 2, 3])
    expect(await quantities('sortBy=productSku')).toEqual([1, 2, 3])
    expect(await quantities('limit=1&offset=1')).toEqual([3])
    expect((await ask(shop, 'GET', `${LISTS}/${id}?limit=251`)).status).toBe(413)
    expect((await ask(shop, 'GET', `${LISTS}/${id}?limit=0`)).status).toBe(422)
  })
})

describe('a user sees', () => {
  let own: Record<'admin' | 'senior' | 'junior', number[]>
  beforeAll(async () => {
    shop = await openShop()
    await enableCompanion(shop)
    company = await makeCompany(shop, 'Acme')
    admin = (await ask(shop, 'GET', `/v3/io/users/customer/${company.customerId}`)).body.data.id
    senior = await makeUser('senior@acme.example.com', 1)
    junior = await makeUser('junior@acme.example.com', 2)
    const ofUser = (userId: number) => Promise.all([0, 30, 40].map((status) => make({ userId, status })))
    own = { admin: await ofUser(admin), senior: await ofUser(senior), junior: await ofUser(junior) }
  })
  const find = async (query: string) => {
    const { status, body } = await ask(shop, 'GET', `${LISTS}?limit=250&${query}`)
    expect(status, JSON.stringify(body)).toBe(200)
    expect(body.meta.pagination.totalCount).toBe(body.data.length)
    return body.data.map(({ id }: { id: number }) => id).toSorted((a: number, b: number) => a - b)
  }
  const shared = (lists: number[]) => [lists[0], lists[2]]
  const sorted = (...ids: (number | undefined)[]) => ids.flatMap((id) => id ?? []).toSorted((a, b) => a - b)

  test('the own lists, and as a senior buyer or admin those that the company shares', async () => {
    expect(await find(`userId=${junior}`)).toEqual(sorted(...own.junior))
    expect(await find(`userId=${senior}`)).toEqual(sorted(...own.senior, ...shared(own.admin), ...shared(own.junior)))
    expect(await find(`userId=${admin}`)).toEqual(sorted(...own.admin, ...shared(own.senior), ...shared(own.junior)))
    expect(await find(`customerId=${company.customerId}`)).toEqual(await find(`userId=${admin}`))
    expect(await find(`userId=${admin}&createdUserId=${junior}`)).toEqual(sorted(...shared(own.junior)))
    expect(await find(`userId=${admin}&channelId=1`)).toEqual(await find(`userId=${admin}`))
    expect(await find(`userId=${admin}&channelId=2`)).toEqual([])
    const [, draft] = own.junior
    expect((await ask(shop, 'GET', `${LISTS}/${draft}?userId=${admin}`)).status).toBe(404)
    expect((await ask(shop, 'GET', `${LISTS}/${draft}?userId=${junior}`)).status).toBe(200)
    expect((await ask(shop, 'GET', `${LISTS}/${own.admin[0]}?userId=${junior}`)).status).toBe(404)
  })

  test('nothing of a deleted user, whose lists are deleted', async () => {
    await ask(shop, 'DELETE', `/v3/io/users/${junior}`)
    for (const id of own.junior) expect((await ask(shop, 'GET', `${LISTS}/${id}`)).status).toBe(404)
    expect((await ask(shop, 'GET', `${LISTS}?userId=${junior}`)).status).toBe(422)
    await ask(shop, 'DELETE', `/v3/io/companies/${company.companyId}`)
    for (const id of own.senior) expect((await ask(shop, 'GET', `${LISTS}/${id}`)).status).toBe(404)
  })
})
