import { beforeAll, expect, test } from 'vitest'
import { addLocale } from '../../../../../shop/channels/locales.ts'
import { openShop, type Shop } from '../../../../../test/fixtures/shop.ts'
import { askStorefront, makeToken } from '../../../../../test/fixtures/storefront.ts'
import { dbOf } from '../../../../../test/fixtures/webhooks.ts'

let shop: Shop
let token: string

beforeAll(async () => {
  shop = await openShop()
  token = await makeToken(shop, 'storefront')
  const post = async (path: string, body: object) => {
    const answer = await shop.call('POST', path, body)
    expect(answer.status, answer.text).toBeLessThan(300)
  }
  await post('/catalog/categories', { name: 'Cups', parent_id: 0 })
  await post('/catalog/products', {
    name: 'Mug',
    type: 'physical',
    weight: 1,
    price: 1,
    brand_name: 'Ferm',
    categories: [1],
  })
  await post('/content/pages', { name: 'About', type: 'page', body: '' })
  await post('/content/pages', { name: 'Elsewhere', type: 'link', link: 'https://example.com/' })
})

const QUERY = `{ site {
  product(entityId: 1) { locales { edges { node { path url } } } }
  category(entityId: 1) { locales { edges { node { path } } } }
  brand(entityId: 1) { locales(first: 1) { edges { node { path } } pageInfo { hasNextPage } } }
  content { pages { edges { node { name ... on NormalPage { locales { edges { node { path } } } }
    ... on ExternalLinkPage { locales { edges { node { path } } } } } } } } } }`

const ask = async (language?: string) => {
  const headers: Record<string, string> = language === undefined ? {} : { 'accept-language': language }
  const { body } = await askStorefront(shop, { token, query: QUERY, headers })
  expect(body.errors).toBeUndefined()
  return body.data.site
}

test('a page has no other addresses while the storefront has one language', async () => {
  expect((await ask()).product.locales.edges).toEqual([])
})

test('pages have their addresses in the languages that the request did not ask for; links have none', async () => {
  const db = await dbOf(shop)
  for (const code of ['de', 'fr']) await addLocale(db, { channel: 1, standard: 'en' }, code, {})
  const { product, category, brand, content } = await ask()
  const url = `https://store-${shop.store.hash}.shop.test`
  expect(product.locales.edges.map(({ node }: { node: object }) => node)).toEqual([
    { path: '/de/mug/', url: `${url}/de/mug/` },
    { path: '/fr/mug/', url: `${url}/fr/mug/` },
  ])
  expect(category.locales.edges).toEqual([{ node: { path: '/de/cups/' } }, { node: { path: '/fr/cups/' } }])
  expect(brand.locales).toEqual({ edges: [{ node: { path: '/de/ferm/' } }], pageInfo: { hasNextPage: true } })
  const pages = Object.fromEntries(
    content.pages.edges.map(({ node }: { node: { name: string; locales?: object } }) => [node.name, node.locales]),
  )
  expect(pages).toMatchObject({
    About: { edges: [{ node: { path: '/de/about/' } }, { node: { path: '/fr/about/' } }] },
    Elsewhere: { edges: [] },
  })
  expect((await ask('fr')).category.locales.edges).toEqual([
    { node: { path: '/de/cups/' } },
    { node: { path: '/cups/' } },
  ])
})
