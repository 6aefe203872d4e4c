import { beforeAll, expect, test } from 'vitest'
import { sql } from '../../../core/db/sql.ts'
import { openShop, type Shop, theHouse } from '../../../test/fixtures/shop.ts'
import { dbOf } from '../../../test/fixtures/webhooks.ts'

let shop: Shop

async function get(query = '', of = shop) {
  const { server } = await theHouse()
  const answer = await server.inject({
    url: `/xmlsitemap.php${query}`,
    headers: { host: `store-${of.store.hash}.shop.test` },
  })
  return { status: answer.statusCode, headers: answer.headers, text: answer.body }
}
const paths = (text: string) =>
  [...text.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, address = '']) =>
    address.replace(`https://store-${shop.store.hash}.shop.test`, ''),
  )
const pathsOf = async (type: string, page = 1) => paths((await get(`?type=${type}&page=${page}`)).text)

beforeAll(async () => {
  shop = await openShop()
  const post = async (path: string, body: object, version: 'v2' | 'v3' = 'v3') =>
    expect((await shop.call('POST', path, body, { version })).status).toBeLessThan(300)
  await post('/catalog/categories', { name: 'Cups', parent_id: 0 })
  await post('/catalog/categories', { name: 'Hidden', parent_id: 0, is_visible: false })
  await post('/catalog/brands', { name: 'Café & <Söhne>' })
  const product = { type: 'physical', weight: 1, price: 5 }
  await post('/catalog/products', { ...product, name: 'Mug' })
  await post('/catalog/products', { ...product, name: 'Secret', is_visible: false })
  await post('/catalog/products', { ...product, name: 'Plate' })
  await post('/content/pages', { name: 'About', type: 'page' })
  await post('/content/pages', { name: 'Members', type: 'page', is_customers_only: true })
  await post('/content/pages', { name: 'Elsewhere', type: 'link', link: 'https://a.example/' })
  await post('/content/pages', { name: 'Apart', type: 'page', is_visible: false })
  const article = {
    title: 'Spring',
    body: 'x',
    is_published: true,
    published_date: '2020-01-01T00:00:00Z',
    url: '/spring/',
  }
  await post('/blog/posts', article, 'v2')
  await post('/blog/posts', { ...article, url: '/draft/', is_published: false }, 'v2')
})

test('the index names a part for each kind that has objects', async () => {
  const { status, headers, text } = await get()
  expect([status, headers['content-type'], headers['cache-control']]).toEqual([
    200,
    'application/xml; charset=utf-8',
    'public, max-age=300',
  ])
  const location = (type: string) =>
    `<sitemap><loc>https://store-${shop.store.hash}.shop.test/xmlsitemap.php?type=${type}&amp;page=1</loc></sitemap>`
  expect(text).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${['products', 'categories', 'brands', 'pages', 'posts'].map(location).join('\n')}
</sitemapindex>
`)
  const other = await openShop()
  expect(paths((await get('', other)).text)).toHaveLength(1)
})

test('each part has the addresses that guests may open', async () => {
  expect(await pathsOf('products')).toEqual(['/mug/', '/plate/'])
  expect(await pathsOf('categories')).toEqual(['/cups/'])
  expect(await pathsOf('brands')).toEqual([expect.stringMatching(/^\/[!-~]+\/$/)])
  expect(await pathsOf('pages')).toEqual(['/blog/', '/about/'])
  expect(await pathsOf('posts')).toEqual(['/spring/'])
  expect((await get('?type=brands')).text).toMatch(
    /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<urlset xmlns="[^"]+">\n<url><loc>[^<>]+<\/loc><\/url>\n<\/urlset>\n$/,
  )
})

test('a part has the objects of one range of ids', async () => {
  const db = await dbOf(shop)
  for (const id of [25_000, 25_001, 27_500]) {
    const brand = (await shop.call('POST', '/catalog/brands', { name: `B${id}` })).body.data
    await db.transaction((tx) =>
      tx.rows(sql`update brands set id = ${id} where store_id = ${tx.store.id} and id = ${brand.id} returning id`),
    )
  }
  expect((await get()).text).toContain('type=brands&amp;page=2')
  expect((await pathsOf('brands')).slice(1)).toEqual(['/b25000/'])
  expect(await pathsOf('brands', 2)).toEqual(['/b25001/', '/b27500/'])
  expect(await pathsOf('brands', 3)).toEqual([])
})

test('other parts are 404', async () => {
  for (const query of ['?type=orders', '?type=__proto__', '?type=', '?type=products&page=0', '?type=products&page=x']) {
    expect((await get(query)).status, query).toBe(404)
  }
})

test('the index of a shop with a server of its own names parts at the address of this server', async () => {
  const own = await openShop()
  const moved = await own.call('PUT', '/channels/1/site', { url: 'https://shop.example.com' })
  expect(moved.status, moved.text).toBe(200)
  const here = `https://store-${own.store.hash}.shop.test`
  expect((await get('', own)).text).toContain(`<loc>${here}/xmlsitemap.php?type=pages&amp;page=1</loc>`)
  expect((await get('?type=pages', own)).text).toContain('<loc>https://shop.example.com/blog/</loc>')
})
