import { beforeAll, expect, test } from 'vitest'
import { openShop, type Shop } from '../../../../../../test/fixtures/shop.ts'
import { askStorefront, makeToken } from '../../../../../../test/fixtures/storefront.ts'

let shop: Shop
let token: string
const people: number[] = []

async function send(field: string, input: string, customer?: number) {
  const { status, body } = await askStorefront(shop, {
    token,
    query: `mutation { wishlist { ${field}(input: ${input}) { result ${field === 'deleteWishlists' ? '' : LIST} } } }`,
    headers: customer === undefined ? {} : { 'x-svc-customer-id': String(customer) },
  })
  expect(status).toBe(200)
  return body.errors ? body.errors[0].message : body.data.wishlist[field].result
}
const LIST = '{ entityId name isPublic token items { edges { node { entityId productEntityId variantEntityId } } } }'
const itemsOf = (list: { items: { edges: { node: object }[] } }) => list.items.edges.map(({ node }) => node)

beforeAll(async () => {
  shop = await openShop()
  token = await makeToken(shop, 'impersonation')
  const { data } = (
    await shop.call('POST', '/customers', [
      { email: 'ann@example.com', first_name: 'Ann', last_name: 'Lee' },
      { email: 'bo@example.com', first_name: 'Bo', last_name: 'Lee' },
    ])
  ).body
  people.push(...data.map(({ id }: { id: number }) => id))
  for (const [name, is_visible] of [
    ['Mug', true],
    ['Cup', true],
    ['Secret', false],
  ] as const) {
    await shop.call('POST', '/catalog/products', { name, is_visible, type: 'physical', weight: 1, price: 5 })
  }
})

test('a customer makes, changes, fills, empties and deletes a list', async () => {
  const [ann] = people
  const made = await send(
    'createWishlist',
    '{ name: "Kitchen", isPublic: false, items: [{ productEntityId: 1 }] }',
    ann,
  )
  expect(made).toEqual({
    entityId: expect.any(Number),
    name: 'Kitchen',
    isPublic: false,
    token: expect.stringMatching(/^[0-9a-f-]{36}$/),
    items: { edges: [{ node: { entityId: expect.any(Number), productEntityId: 1, variantEntityId: 1 } }] },
  })
  const entityId = made.entityId
  const renamed = await send('updateWishlist', `{ entityId: ${entityId}, data: { name: "Bath", isPublic: true } }`, ann)
  expect(renamed).toEqual({ ...made, name: 'Bath', isPublic: true })
  expect(await send('updateWishlist', `{ entityId: ${entityId}, data: { name: null } }`, ann)).toEqual(renamed)
  const items = '[{ productEntityId: 1, variantEntityId: 1 }, { productEntityId: 2 }]'
  const filled = await send('addWishlistItems', `{ entityId: ${entityId}, items: ${items} }`, ann)
  expect(itemsOf(filled)).toMatchObject([{ productEntityId: 1 }, { productEntityId: 2 }])
  const [first] = itemsOf(made) as [{ entityId: number }]
  const removal = `{ entityId: ${entityId}, itemEntityIds: [${first.entityId}, 777] }`
  expect(itemsOf(await send('deleteWishlistItems', removal, ann))).toMatchObject([{ productEntityId: 2 }])
  expect(await send('deleteWishlists', `{ entityIds: [${entityId}] }`, ann)).toBe('success')
  expect((await shop.call('GET', '/wishlists')).body.data).toEqual([])
})

test('refusals: guests, lists of others, products that nobody may see, names', async () => {
  const [ann, bo] = people
  const { entityId } = await send('createWishlist', '{ name: "Hers", isPublic: true }', ann)
  const gone = `The wishlist ${entityId} does not exist.`
  for (const [field, input] of [
    ['updateWishlist', `{ entityId: ${entityId}, data: { name: "His" } }`],
    ['addWishlistItems', `{ entityId: ${entityId}, items: [{ productEntityId: 1 }] }`],
    ['deleteWishlistItems', `{ entityId: ${entityId}, itemEntityIds: [1] }`],
    ['deleteWishlists', `{ entityIds: [${entityId}] }`],
  ] as const) {
    expect(await send(field, input, bo)).toBe(gone)
    expect(await send(field, input)).toBe('Please sign in to change wish lists.')
  }
  expect(await send('createWishlist', '{ name: "X", isPublic: true }')).toContain('Please sign in')
  const add = (item: string) => send('addWishlistItems', `{ entityId: ${entityId}, items: [${item}] }`, ann)
  for (const id of [3, 77, -1])
    expect(await add(`{ productEntityId: ${id} }`)).toBe(`The product ${id} does not exist.`)
  expect(await add('{ productEntityId: 1, variantEntityId: 2 }')).toBe('The product 1 has no variant 2.')
  expect(await send('createWishlist', '{ name: " ", isPublic: true }', ann)).toContain('name')
  expect(await send('createWishlist', `{ name: "${'x'.repeat(256)}", isPublic: true }`, ann)).toContain('name')
  const { data } = (await shop.call('GET', '/wishlists')).body
  expect(data).toMatchObject([{ id: entityId, name: 'Hers', items: [] }])
})
