import { beforeAll, expect, test } from 'vitest'
import { openShop, type Shop } from '../../../../../test/fixtures/shop.ts'
import { askStorefront, makeToken } from '../../../../../test/fixtures/storefront.ts'
import { globalId } from '../global-ids.ts'

let shop: Shop
let token: string

async function ask(query: string) {
  const { status, body } = await askStorefront(shop, { token, query })
  expect([status, body.errors], query).toEqual([200, undefined])
  return body.data
}
async function send(method: string, path: string, body: object) {
  const answer = await shop.call(method, path, body)
  expect(answer.status, answer.text).toBeLessThan(300)
}

beforeAll(async () => {
  shop = await openShop()
  token = await makeToken(shop, 'storefront')
  await send('POST', '/catalog/categories', { name: 'Cups', parent_id: 0 })
  const product = { type: 'physical', weight: 1, price: 5, categories: [1] }
  await send('POST', '/catalog/products', { ...product, name: 'Mug', brand_name: 'Ferm' })
  await send('POST', '/catalog/products', { ...product, name: 'Secret', is_visible: false })
  await send('PUT', '/storefront/redirects', [
    { from_path: '/old-mug/', site_id: 1_000, to: { type: 'product', entity_id: 1 } },
    { from_path: '/old-secret/', site_id: 1_000, to: { type: 'product', entity_id: 2 } },
    { from_path: '/news/', site_id: 1_000, to: { type: 'url', url: '/blog/' } },
    { from_path: '/away/?a=1', site_id: 1_000, to: { type: 'url', url: 'https://a.example/b/' } },
    { from_path: '/mug/', site_id: 1_000, to: { type: 'category', entity_id: 1 } },
    { from_path: '/old-brand/', site_id: 1_000, to: { type: 'brand', entity_id: 1 } },
  ])
})

const ROUTE = `node { __typename id ... on Product { name } ... on Category { name } ... on Brand { name } }
  redirect { id fromPath toUrl to { __typename ... on ManualRedirect { url } ... on ProductRedirect { id entityId path }
    ... on CategoryRedirect { entityId path } ... on BrandRedirect { entityId path } } }`
const routeOf = async (path: string, behavior = 'IGNORE') =>
  (await ask(`{ site { route(path: ${JSON.stringify(path)}, redirectBehavior: ${behavior}) { ${ROUTE} } } }`)).site
    .route

test('a path leads to a product, a category or a brand, whatever its case, query and last slash', async () => {
  const category = { node: { __typename: 'Category', id: globalId('Category', 1), name: 'Cups' }, redirect: null }
  for (const path of ['/cups/', '/cups', '/CUPS/?page=2', '/cups#top'])
    expect(await routeOf(path), path).toEqual(category)
  expect((await routeOf('/ferm/')).node).toEqual({ __typename: 'Brand', id: globalId('Brand', 1), name: 'Ferm' })
})

test('a redirect is answered beside the node, and followed on request', async () => {
  const site = `https://store-${shop.store.hash}.shop.test`
  const mug = { __typename: 'Product', id: globalId('Product', 1), name: 'Mug' }
  const toCategory = {
    id: expect.any(String),
    fromPath: '/mug/',
    toUrl: `${site}/cups/`,
    to: { __typename: 'CategoryRedirect', entityId: 1, path: '/cups/' },
  }
  expect(await routeOf('/mug/')).toEqual({ node: mug, redirect: toCategory })
  expect(await routeOf('/mug/', 'FOLLOW')).toMatchObject({ node: { name: 'Cups' }, redirect: toCategory })
  expect((await routeOf('/old-mug')).node).toBeNull()
  expect(await routeOf('/old-mug?a=b', 'FOLLOW')).toMatchObject({
    node: mug,
    redirect: { to: { __typename: 'ProductRedirect', id: globalId('product', 1), entityId: 1, path: '/mug/' } },
  })
  expect((await routeOf('/old-brand/', 'FOLLOW')).node).toMatchObject({ name: 'Ferm' })
  for (const behavior of ['FOLLOW', 'IGNORE']) {
    expect(await routeOf('/news/', behavior)).toMatchObject({
      node: null,
      redirect: { toUrl: `${site}/blog/`, to: { __typename: 'ManualRedirect', url: '/blog/' } },
    })
  }
  expect((await routeOf('/away/?a=1')).redirect.toUrl).toBe('https://a.example/b/')
  expect((await routeOf('/away/?a=2')).redirect).toBeNull()
})

test('unknown, malformed and hidden paths and ids lead nowhere', async () => {
  const nothing = { node: null, redirect: null }
  for (const path of ['/', '/none/', '', 'cups', '/secret/', '/%', '/\u0000', `/${'a'.repeat(5_000)}`, '/ä?ö']) {
    expect(await routeOf(path), path).toEqual(nothing)
    expect(await routeOf(path, 'FOLLOW'), path).toEqual(nothing)
  }
  expect((await routeOf('/old-secret/', 'FOLLOW')).node).toBeNull()
})

test('a global id leads to its object', async () => {
  const node = async (id: string) => (await ask(`{ node(id: ${JSON.stringify(id)}) { __typename id } }`)).node
  for (const type of ['Product', 'Category', 'Brand', 'Variant']) {
    expect(await node(globalId(type, 1))).toEqual({ __typename: type, id: globalId(type, 1) })
  }
  for (const id of [
    '',
    'x',
    globalId('Product', 2),
    globalId('Variant', 2),
    globalId('Order', 1),
    globalId('Product', 99_999_999_999),
  ]) {
    expect(await node(id), id).toBeNull()
  }
})
