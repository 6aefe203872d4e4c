import { beforeAll, expect, test } from 'vitest'
import { widgetClient } from '../../../../../test/fixtures/content/widgets.ts'
import { openShop, type Shop } from '../../../../../test/fixtures/shop.ts'
import { askStorefront, makeToken } from '../../../../../test/fixtures/storefront.ts'
import { rowsOf } from '../../../../../test/fixtures/webhooks.ts'
import { globalId } from '../global-ids.ts'

let shop: Shop
let token: string
let customer: number
const pages: Record<string, number> = {}

async function ask(query: string, as?: number) {
  const headers: Record<string, string> = as === undefined ? {} : { 'x-svc-customer-id': String(as) }
  const { status, body } = await askStorefront(shop, { token, query, headers })
  expect([status, body.errors], query).toEqual([200, undefined])
  return body.data
}
async function send(method: string, path: string, body: object, version: 'v2' | 'v3' = 'v3') {
  const answer = await shop.call(method, path, body, { version })
  expect(answer.status, answer.text).toBeLessThan(300)
  return version === 'v2' ? answer.body : answer.body.data
}

beforeAll(async () => {
  shop = await openShop()
  token = await makeToken(shop, 'impersonation')
  customer = (await send('POST', '/customers', [{ email: 'a@example.com', first_name: 'A', last_name: 'B' }]))[0].id
  const page = async (name: string, type: string, more: object = {}) => {
    pages[name] = (await send('POST', '/content/pages', { name, type, ...more })).id
  }
  await page('About', 'page', {
    body: '<h1>About</h1><p>We make &amp; sell <b>cups</b>.</p><script>alert(1)</script>',
    meta_title: 'About us',
    meta_description: 'Who we are',
    meta_keywords: 'cups',
    sort_order: 5,
  })
  await page('History', 'page', { parent_id: pages.About, sort_order: 2 })
  await page('Since 1900', 'page', { parent_id: pages.History, is_visible: false })
  await page('Data', 'raw', { body: '{"a":1}', content_type: 'application/json' })
  await page('Write', 'contact_form', {
    body: '<p>Hello</p>',
    email: 'shop@example.com',
    contact_fields: 'fullname,orderno',
  })
  await page('Elsewhere', 'link', { link: 'https://a.example/b', parent_id: pages.About, sort_order: 1 })
  await page('Members', 'page', { is_customers_only: true })
  const post = (title: string, day: string, more: object = {}) =>
    send(
      'POST',
      '/blog/posts',
      { title, published_date: day, is_published: true, body: `<p>${title}</p>`, ...more },
      'v2',
    )
  await post('Spring', '2020-03-01T00:00:00Z', {
    tags: ['News', 'Cups'],
    author: 'Ann',
    body: `<p>Spring &lt;3</p><img src="a.png" alt="x"><p>${'long '.repeat(60)}</p>`,
    meta_description: 'In spring',
    thumbnail_path: 'https://cdn.example.com/spring.png',
  })
  await post('Summer', '2020-06-01T00:00:00Z', { tags: ['News'] })
  await post('Draft', '2020-07-01T00:00:00Z', { is_published: false })
  await post('Future', '2999-01-01T00:00:00Z')
})

const PAGE = `__typename entityId parentEntityId name isVisibleInNavigation seo { pageTitle metaDescription metaKeywords }
  ... on NormalPage { id path } ... on RawHtmlPage { id path } ... on ContactPage { id path contactFields } ... on ExternalLinkPage { link }
  ... on BlogIndexPage { id path }`
const names = (connection: { edges: { node: { name: string } }[] }) => connection.edges.map(({ node }) => node.name)

test('the pages of a storefront in three orders, with filters', async () => {
  const list = async (args: string, as?: number) =>
    names((await ask(`{ site { content { pages${args} { edges { node { name } } } } } }`, as)).site.content.pages)
  const byId = ['Blog', 'About', 'History', 'Since 1900', 'Data', 'Write', 'Elsewhere']
  expect(await list('')).toEqual(byId)
  expect(await list('', customer)).toEqual([...byId, 'Members'])
  expect(await list('(sortBy: SORT_ORDER, first: 2)')).toEqual(['Blog', 'Since 1900'])
  expect(await list('(sortBy: PARENT_ID_AND_SORT_ORDER_AND_TITLE)')).toEqual([
    'Blog',
    'Data',
    'Write',
    'About',
    'Elsewhere',
    'History',
    'Since 1900',
  ])
  expect(await list('(filters: { pageType: LINK })')).toEqual(['Elsewhere'])
  expect(await list(`(filters: { entityIds: [${pages.Data}, 999], pageType: RAW })`)).toEqual(['Data'])
  expect(await list(`(filters: { parentEntityIds: [${pages.About}] })`)).toEqual(['History', 'Elsewhere'])
  expect(await list('(filters: { isVisibleInNavigation: false })')).toEqual(['Since 1900'])
  expect(await list('(filters: { parentEntityIds: [0], entityIds: [] })')).toEqual([])
})

test('pages one by one, forwards and backwards, in the order with texts', async () => {
  const read = async (args: string) =>
    (
      await ask(`{ site { content { pages(sortBy: PARENT_ID_AND_SORT_ORDER_AND_TITLE, ${args}) {
        pageInfo { hasNextPage hasPreviousPage startCursor endCursor } edges { node { name } } } } } }`)
    ).site.content.pages
  const whole = names(await read('first: 50'))
  for (const forward of [true, false]) {
    const found: string[] = []
    for (let cursor = ''; ; ) {
      const page = await read(
        forward ? `first: 2${cursor && `, after: "${cursor}"`}` : `last: 2${cursor && `, before: "${cursor}"`}`,
      )
      if (forward) found.push(...names(page))
      else found.unshift(...names(page))
      if (!(forward ? page.pageInfo.hasNextPage : page.pageInfo.hasPreviousPage)) break
      cursor = forward ? page.pageInfo.endCursor : page.pageInfo.startCursor
    }
    expect(found).toEqual(whole)
  }
})

test('each kind of page by its address, its id and its global id', async () => {
  const about = {
    __typename: 'NormalPage',
    id: globalId('NormalPage', pages.About ?? 0),
    entityId: pages.About,
    parentEntityId: null,
    name: 'About',
    path: '/about/',
    isVisibleInNavigation: true,
    seo: { pageTitle: 'About us', metaDescription: 'Who we are', metaKeywords: 'cups' },
  }
  const { site, node } =
    await ask(`{ site { content { page(entityId: ${pages.About}) { ${PAGE} } unknown: page(entityId: 999) { name } }
    route(path: "/about/") { node { ... on WebPage { ${PAGE} } ... on NormalPage { htmlBody plainTextSummary(characterLimit: 18)
      breadcrumbs(depth: 5) { edges { node { entityId name path } } }
      children(sortBy: SORT_ORDER) { edges { node { ${PAGE} } } } } } } }
    node(id: "${about.id}") { ... on WebPage { ${PAGE} } } }`)
  expect(site.content.page).toEqual(about)
  expect(site.content.unknown).toBeNull()
  expect(node).toEqual(about)
  const { htmlBody, plainTextSummary, breadcrumbs, children, ...rest } = site.route.node
  expect(rest).toEqual(about)
  expect(htmlBody).toContain('<script>alert(1)</script>')
  expect(plainTextSummary).toBe('About We make & se')
  expect(breadcrumbs.edges.map((edge: { node: object }) => edge.node)).toEqual([
    { entityId: pages.About, name: 'About', path: '/about/' },
  ])
  expect(children.edges.map((edge: { node: object }) => edge.node)).toMatchObject([
    { __typename: 'ExternalLinkPage', name: 'Elsewhere', link: 'https://a.example/b', parentEntityId: pages.About },
    { __typename: 'NormalPage', name: 'History' },
  ])

  const of = async (path: string, as?: number) =>
    (
      await ask(
        `{ site { route(path: "${path}") { node { __typename ... on WebPage { name } ... on Blog { name } } } } }`,
        as,
      )
    ).site.route.node
  expect(await of('/data/')).toEqual({ __typename: 'RawHtmlPage', name: 'Data' })
  expect(await of('/since-1900/')).toEqual({ __typename: 'NormalPage', name: 'Since 1900' })
  expect(await of('/members/')).toBeNull()
  expect(await of('/members/', customer)).toEqual({ __typename: 'NormalPage', name: 'Members' })
  expect(await of('/blog/')).toEqual({ __typename: 'Blog', name: 'Blog' })
  const deep = await ask(`{ site { route(path: "/since-1900/") { node { ... on NormalPage {
    breadcrumbs(depth: 2) { edges { node { name } } } parentEntityId } } } } }`)
  expect(names(deep.site.route.node.breadcrumbs)).toEqual(['History', 'Since 1900'])
  const wrong = globalId('RawHtmlPage', pages.About ?? 0)
  expect(await ask(`{ node(id: "${wrong}") { __typename } }`)).toEqual({ node: null })
  const link = globalId('ExternalLinkPage', pages.Elsewhere ?? 0)
  expect(await ask(`{ node(id: "${link}") { __typename } }`)).toEqual({ node: null })
  expect(await ask(`{ node(id: "${globalId('BlogIndexPage', 1)}") { __typename } }`)).toEqual({
    node: { __typename: 'BlogIndexPage' },
  })
})

test('the blog shows published posts, the newest first', async () => {
  const { site } = await ask(`{ site { content { blog { id name description path isVisibleInNavigation
    posts { collectionInfo { totalItems } edges { node { id entityId name tags path htmlBody plainTextSummary(characterLimit: 20)
      publishedDate { utc } author thumbnailImage { urlOriginal altText } seo { pageTitle metaDescription metaKeywords } } } }
    oldest: posts(sort: OLDEST, first: 1) { pageInfo { hasNextPage } edges { node { name } } }
    cups: posts(filters: { tags: ["cups"] }) { edges { node { name } } }
    none: posts(filters: { entityIds: [3], tags: ["news"] }) { edges { node { name } } collectionInfo { totalItems } }
    post(entityId: 1) { name } draft: post(entityId: 3) { name } future: post(entityId: 4) { name } } } } }`)
  const { posts, oldest, cups, none, post, draft, future, ...blog } = site.content.blog
  expect(blog).toEqual({
    id: globalId('Blog', 1),
    name: 'Blog',
    description: '',
    path: '/blog/',
    isVisibleInNavigation: true,
  })
  expect(posts.collectionInfo).toEqual({ totalItems: 2 })
  expect(names(posts)).toEqual(['Summer', 'Spring'])
  expect(posts.edges[1].node).toEqual({
    id: globalId('BlogPost', 1),
    entityId: 1,
    name: 'Spring',
    tags: ['News', 'Cups'],
    path: expect.stringMatching(/^\/.*spring\/$/),
    htmlBody: expect.stringContaining('Spring &lt;3'),
    plainTextSummary: 'Spring <3 long long ',
    publishedDate: { utc: '2020-03-01T00:00:00.000Z' },
    author: 'Ann',
    thumbnailImage: { urlOriginal: 'https://cdn.example.com/spring.png', altText: 'Spring' },
    seo: { pageTitle: 'Spring', metaDescription: 'In spring', metaKeywords: '' },
  })
  expect([names(oldest), oldest.pageInfo.hasNextPage]).toEqual([['Spring'], true])
  expect(names(cups)).toEqual(['Spring'])
  expect(none).toEqual({ edges: [], collectionInfo: { totalItems: 0 } })
  expect([post.name, draft, future]).toEqual(['Spring', null, null])
  const path = posts.edges[1].node.path
  const { site: there } = await ask(
    `{ site { route(path: "${path}") { node { __typename ... on BlogPost { name } } } } }`,
  )
  expect(there.route.node).toEqual({ __typename: 'BlogPost', name: 'Spring' })
})

test('scripts come back as stored, narrowed by filters', async () => {
  const html = '<script>console.log("a < b")</script>'
  const script = (name: string, more: object) => send('POST', '/content/scripts', { name, ...more })
  const src = 'https://cdn.example.com/a.js'
  await script('Src', { src, integrity_hashes: ['sha256-abc='], consent_category: 'analytics', location: 'head' })
  await script('Inline', { html, kind: 'script_tag', visibility: 'all_pages', consent_category: 'essential' })
  await script('Off', { src, enabled: false })
  const list = async (args: string) =>
    (
      await ask(`{ site { content { scripts${args} { edges { node { __typename entityId consentCategory visibility location
        integrityHashes { hash } ... on SrcScript { src } ... on InlineScript { scriptTag } } } } } } }`)
    ).site.content.scripts.edges.map((edge: { node: object }) => edge.node)
  const [first, second] = [
    {
      __typename: 'SrcScript',
      entityId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      consentCategory: 'ANALYTICS',
      visibility: 'STOREFRONT',
      location: 'HEAD',
      integrityHashes: [{ hash: 'sha256-abc=' }],
      src,
    },
    {
      __typename: 'InlineScript',
      entityId: expect.any(String),
      consentCategory: 'ESSENTIAL',
      visibility: 'ALL_PAGES',
      location: 'FOOTER',
      integrityHashes: [],
      scriptTag: html,
    },
  ]
  expect(await list('')).toEqual([first, second])
  expect(await list('(filters: { location: HEAD })')).toEqual([first])
  expect(await list('(filters: { visibilities: [ALL_PAGES, CHECKOUT] })')).toEqual([second])
  expect(await list('(filters: { consentCategories: [UNKNOWN] })')).toEqual([])
})

test('banners of each page, while they are shown', async () => {
  await send('POST', '/catalog/categories', { name: 'Cups', parent_id: 0 })
  const banner = (name: string, page: string, more: object = {}) =>
    send(
      'POST',
      '/banners',
      { name, content: `<b>${name}</b>`, page, location: 'top', date_type: 'always', ...more },
      'v2',
    )
  await banner('Home', 'home_page')
  await banner('Hidden', 'home_page', { visible: '0' })
  await banner('Past', 'home_page', { date_type: 'custom', date_from: 1_000, date_to: 2_000 })
  await banner('Now', 'search_page', {
    date_type: 'custom',
    date_from: 1_000,
    date_to: 32_000_000_000,
    location: 'bottom',
  })
  await banner('Cups', 'category_page', { item_id: '1' })
  const BANNER = '{ edges { node { id entityId name content location } } }'
  const { banners } = (
    await ask(`{ site { content { banners { homePage ${BANNER} searchPage ${BANNER} categoryPage(categoryEntityId: 1) ${BANNER}
      other: categoryPage(categoryEntityId: 2) ${BANNER} brandPage(brandEntityId: 1) ${BANNER} } } } }`)
  ).site.content
  expect(banners.homePage.edges.map((edge: { node: object }) => edge.node)).toEqual([
    { id: globalId('Banner', 1), entityId: 1, name: 'Home', content: '<b>Home</b>', location: 'TOP' },
  ])
  expect(banners.searchPage.edges[0].node).toMatchObject({ name: 'Now', location: 'BOTTOM' })
  expect(names(banners.categoryPage)).toEqual(['Cups'])
  expect([banners.other.edges, banners.brandPage.edges]).toEqual([[], []])
})

test('the widgets of a page, rendered by region', async () => {
  const client = widgetClient(shop)
  const template = await client.template({ template: '<i>{{text}}</i>' })
  const place = async (text: string, fields: object) => {
    const widget = await client.widget({ widget_template_uuid: template.uuid, widget_configuration: { text } })
    expect((await client.placement({ widget_uuid: widget.uuid, status: 'active', ...fields })).status).toBe(200)
  }
  await place('One & only', { region: 'top' })
  await place('Two', { region: 'top', sort_order: 1 })
  await place('Bottom', { region: 'bottom' })
  await place('Off', { region: 'top', status: 'inactive' })
  await place('All pages', { region: 'top', template_file: 'pages/page' })
  await place('About', { region: 'top', template_file: 'pages/page', entity_id: String(pages.About), sort_order: 2 })
  await place('Data', { region: 'top', template_file: 'pages/page', entity_id: String(pages.Data) })
  const { content, route } = (
    await ask(`{ site { content {
      home: renderedRegionsByPageType(pageType: HOME) { regions { name html } }
      wishlists: renderedRegionsByPageType(pageType: ACCOUNT_WISHLISTS) { regions { name html } }
      about: renderedRegionsByPageTypeAndEntityId(entityPageType: PAGE, entityId: ${pages.About}) { regions { name html } } }
      route(path: "/about/") { node { ... on NormalPage { renderedRegions { regions { name html } } } } } } }`)
  ).site
  expect(content.home.regions).toEqual([
    { name: 'bottom', html: '<i>Bottom</i>' },
    { name: 'top', html: '<i>One &amp; only</i><i>Two</i>' },
  ])
  expect(content.wishlists.regions).toEqual([])
  const about = [{ name: 'top', html: '<i>All pages</i><i>About</i>' }]
  expect([content.about.regions, route.node.renderedRegions.regions]).toEqual([about, about])
})

test('a message of a contact page becomes a mail of plain text', async () => {
  const submit = async (page: number | undefined, data: object) =>
    (
      await askStorefront(shop, {
        token,
        query: `mutation Send($input: SubmitContactUsInput!) { submitContactUs(input: $input) {
          errors { ... on ValidationError { path message } } } }`,
        variables: { input: { pageEntityId: page, data } },
      })
    ).body.data.submitContactUs.errors
  const data = {
    email: 'ann@example.com',
    comments: 'Where is <b>my cup</b>?',
    fullName: 'Ann',
    orderNumber: '17',
    phoneNumber: '555',
  }
  expect(await submit(pages.Write, data)).toEqual([])
  expect(await rowsOf(shop, 'mails')).toMatchObject([
    {
      recipient: 'shop@example.com',
      subject: 'Write: message of ann@example.com',
      text: 'E-mail: ann@example.com\nName: Ann\nOrder: 17\n\nWhere is <b>my cup</b>?',
      html: null,
    },
  ])
  expect(await submit(pages.Write, { email: 'none', comments: ' ', fullName: 'x'.repeat(256) })).toEqual([
    { path: ['input', 'data', 'email'], message: expect.any(String) },
    { path: ['input', 'data', 'comments'], message: expect.any(String) },
    { path: ['input', 'data', 'fullName'], message: expect.any(String) },
  ])
  for (const page of [pages.About, 999]) {
    expect(await submit(page, data)).toEqual([
      { path: ['input', 'pageEntityId'], message: `The page ${page} is not a contact page.` },
    ])
  }
  pages.Bare = (await send('POST', '/content/pages', { name: 'Bare', type: 'contact_form' })).id
  expect(await submit(pages.Bare, data)).toEqual([
    { path: ['input', 'pageEntityId'], message: 'The store has no address for messages.' },
  ])
  await send('PUT', '/settings/store/profile', { store_email: 'owner@example.com' })
  expect(await submit(pages.Bare, data)).toEqual([])
  expect(await rowsOf(shop, 'mails')).toHaveLength(2)
})
