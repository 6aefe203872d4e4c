import { afterAll, beforeAll, expect, test } from 'vitest'
import { openShop } from '../server/test/fixtures/shop.ts'
import { plainClient } from './clients.ts'
import { openPort, type Port } from './port.ts'

// A client with a method for each operation works with the content of a shop.

let port: Port
beforeAll(async () => {
  port = await openPort()
})
afterAll(() => port.close())

test('a client creates pages, changes them and deletes them', async () => {
  const { pages } = plainClient(port, await openShop())
  const about = { type: 'page', name: 'About us', body: '<h1>Us</h1>' }
  expect((await pages.createPage(about, { include: 'body' })).data).toMatchObject({
    id: 2,
    ...about,
    url: '/about-us/',
  })
  const form = { type: 'contact_form', name: 'Contact', contact_fields: 'fullname,phone' }
  expect((await pages.createPage(form)).data).toMatchObject({ id: 3, ...form })
  expect((await pages.updatePage(2, { name: 'We' })).data).toMatchObject({ name: 'We', url: '/about-us/' })
  expect(
    (
      await pages.updatePages([
        { id: 2, sort_order: 2 },
        { id: 3, parent_id: 2 },
      ])
    ).data,
  ).toMatchObject([
    { id: 2, sort_order: 2 },
    { id: 3, parent_id: 2 },
  ])
  expect((await pages.getPage(3, { channel_id: 1 })).data).toMatchObject({ name: 'Contact' })
  // The client answers a 404 with null.
  expect(await pages.getPage(3, { channel_id: 2 })).toBeNull()
  const listed = await pages.getPages({ 'name:like': 'us' }, 1, 10)
  expect(listed.data.map(({ id }: { id: number }) => id)).toEqual([2])
  // The blog is the first page of the type blog in an unfiltered list.
  expect((await pages.getPages()).data.find(({ type }: { type: string }) => type === 'blog')).toMatchObject({
    url: '/blog/',
  })
  await pages.deletePage(3)
  await pages.deletePages({ 'id:in': '2' })
  expect((await pages.getPages()).data).toHaveLength(1)
})

test('a client uses pages and posts of the older family, and redirects to them', async () => {
  const { storeContent, redirects } = plainClient(port, await openShop())
  const { blogPosts, blogTags, pages } = storeContent
  const returns = { type: 'page', name: 'Returns', body: '<p>30 days</p>' }
  expect(await pages.createPage(returns)).toMatchObject({ id: 2, ...returns, layout_file: 'page.html' })
  expect(await pages.updatePage(2, { name: 'Return' })).toMatchObject({ name: 'Return' })
  expect(await pages.getAllPages()).toHaveLength(1)

  const post = { title: 'Spring', body: '<p>Cups</p>', tags: ['News'], is_published: true }
  expect(await blogPosts.createBlogPost(post)).toMatchObject({ id: 1, ...post, summary: 'Cups', url: '/blog/spring/' })
  expect(await blogPosts.getAllBlogPosts({ is_published: true })).toHaveLength(1)
  expect(await blogPosts.updateBlogPost(1, { title: 'New' })).toMatchObject({ title: 'New', is_published: false })
  expect(await blogPosts.getBlogPostsCount()).toEqual({ count: 1 })
  expect(await blogTags.getAllBlogTags()).toEqual([{ tag: 'News', post_ids: [1] }])

  const toPost = { from_path: '/old', site_id: 1_000, to: { type: 'post', entity_id: 1 } }
  await redirects.upsertRedirects([toPost])
  expect((await redirects.getRedirects({ keyword: 'old' })).data).toMatchObject([{ id: 1, ...toPost }])
  await blogPosts.deleteBlogPosts()
  expect((await redirects.getRedirects()).data).toEqual([])
  await pages.deletePage(2)
})

test('a client gives pages templates of their own', async () => {
  const { customTemplateAssociations: associations } = plainClient(port, await openShop())
  const about = { channel_id: 1, entity_type: 'page', entity_id: 1, file_name: 'about.html' }
  await associations.upsertCustomTemplateAssociations([about])
  expect((await associations.getCustomTemplateAssociations({ type: 'page', is_valid: true })).data).toMatchObject([
    { id: 1, ...about, is_valid: true },
  ])
  await associations.deleteCustomTemplateAssociations({ 'entity_id:in': '1', type: 'page' })
  expect((await associations.getCustomTemplateAssociations()).data).toEqual([])
})

test('a client reads countries with their states', async () => {
  const { geography } = plainClient(port, await openShop())
  const { countries, states } = geography
  expect(await countries.getCountry(13)).toMatchObject({ country: 'Australia', country_iso2: 'AU' })
  expect(await countries.getAllCountries({ country_iso2: 'US' })).toMatchObject([{ id: 226 }])
  expect(await countries.getCountriesCount()).toEqual({ count: 249 })
  expect(await states.getAllCountryStates(226, { state: 'Alabama' })).toMatchObject([{ id: 1, country_id: 226 }])
  expect(await states.getCountryState(13, 208)).toMatchObject({ state_abbreviation: 'ACT' })
})
