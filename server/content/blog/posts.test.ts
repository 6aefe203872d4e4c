import { beforeEach, describe, expect, test } from 'vitest'
import { sql } from '../../core/db/sql.ts'
import { openStaffedShop, type StaffedShop, theHouse } from '../../test/fixtures/shop.ts'
import { dbOf, rowsOf } from '../../test/fixtures/webhooks.ts'
import { summaryOf } from './shape.ts'

let shop: StaffedShop
beforeEach(async () => {
  shop = await openStaffedShop()
})

const call = (method: string, below = '', body?: object, as = shop.admin) =>
  shop.call(method, `/blog${below}`, body, { version: 'v2', as })
const spring = { title: 'Spring', body: '<p>New cups</p>', published_date: 'Thu, 14 May 2026 09:34:00 +0200' }
const create = async (fields: object = {}): Promise<number> => {
  const { status, body } = await call('POST', '/posts', { ...spring, ...fields })
  expect(status, JSON.stringify(body)).toBe(200)
  return body.id
}
const listed = async (query = ''): Promise<number[]> => {
  const { status, body } = await call('GET', `/posts${query}`)
  return status === 204 ? [] : body.map(({ id }: { id: number }) => id)
}

const whole = {
  id: 1,
  title: 'Spring',
  url: '/blog/spring/',
  preview_url: '/blog/spring/',
  body: '<p>New cups</p>',
  tags: [],
  summary: 'New cups',
  is_published: false,
  published_date: { date: '2026-05-14 07:34:00.000000', timezone_type: 1, timezone: '+00:00' },
  published_date_iso8601: '2026-05-14T07:34:00+00:00',
  meta_description: null,
  meta_keywords: null,
  author: null,
  thumbnail_path: null,
}

describe('a post', () => {
  test('is created with 200, read, changed and deleted', async () => {
    const created = await call('POST', '/posts', spring)
    expect([created.status, created.body]).toEqual([200, whole])
    expect((await call('GET', '/posts/1')).body).toEqual(whole)
    expect((await call('GET', '/posts')).body).toEqual([whole])
    expect((await call('GET', '/posts/count')).body).toEqual({ count: 1 })
    const fields = {
      title: 'Summer',
      body: 'Plates',
      url: '/blog/2026/summer',
      is_published: true,
      published_date: '2026-06-01T00:00:00Z',
      meta_description: 'd',
      meta_keywords: 'k',
      author: 'Ida',
      thumbnail_path: 'a.png',
      tags: ['News'],
    }
    const changed = await call('PUT', '/posts/1', fields)
    expect([changed.status, changed.body]).toEqual([
      200,
      {
        ...whole,
        ...fields,
        url: '/blog/2026/summer/',
        preview_url: '/blog/2026/summer/',
        summary: 'Plates',
        published_date: { ...whole.published_date, date: '2026-06-01 00:00:00.000000' },
        published_date_iso8601: '2026-06-01T00:00:00+00:00',
      },
    ])
    expect((await call('GET', '/posts/1')).body).toEqual(changed.body)
    expect((await call('DELETE', '/posts/1')).status).toBe(204)
    for (const method of ['GET', 'PUT', 'DELETE']) {
      expect((await call(method, '/posts/1', method === 'PUT' ? {} : undefined)).status).toBe(404)
    }
    expect((await call('GET', '/posts')).status).toBe(204)
    expect((await call('GET', '/tags')).status).toBe(204)
    expect((await rowsOf(shop, 'urls')).filter(({ owner_kind }) => owner_kind === 'post')).toEqual([])
  })

  test('goes offline after a PUT without is_published, and keeps all other fields', async () => {
    await create({ is_published: true, author: 'Ida', tags: ['News'] })
    const { body } = await call('PUT', '/posts/1', { title: 'New' })
    expect(body).toEqual({ ...whole, title: 'New', author: 'Ida', tags: ['News'], is_published: false })
    expect((await call('PUT', '/posts/1', { is_published: true, author: null })).body).toMatchObject({
      is_published: true,
      author: null,
    })
  })

  test('has the present as its date by default', async () => {
    const { clock } = await theHouse()
    const before = Math.floor(clock.now().getTime() / 1_000)
    const { body } = await call('POST', '/posts', { title: 'Now', body: '' })
    const date = Date.parse(body.published_date_iso8601) / 1_000
    expect(date).toBeGreaterThanOrEqual(before)
    expect(date).toBeLessThanOrEqual(Math.ceil(clock.now().getTime() / 1_000))
  })

  test.each([
    ['a missing title', { title: undefined }, 'title'],
    ['a blank title', { title: ' ' }, 'title'],
    ['a title of 256 characters', { title: 'x'.repeat(256) }, 'title'],
    ['a missing body', { body: undefined }, 'body'],
    ['a null body', { body: null }, 'body'],
    ['a malformed date', { published_date: 'soon' }, 'published_date'],
    ['a text for tags', { tags: 'News' }, 'tags'],
    ['a blank tag', { tags: ['a', ' '] }, 'tags.1'],
    ['a tag of 256 characters', { tags: ['x'.repeat(256)] }, 'tags.0'],
    ['51 tags', { tags: Array.from({ length: 51 }, (_, i) => `t${i}`) }, 'tags'],
    ['a text with a lone surrogate', { author: 'a\ud800' }, 'author'],
  ])('with %s is 400', async (_, fields, field) => {
    const { status, body } = await call('POST', '/posts', { ...spring, ...fields })
    expect([status, Object.keys(body[0].details)]).toEqual([400, [field]])
    expect(await listed()).toEqual([])
  })

  test('has a body of at most 1 MiB', async () => {
    await create({ body: 'x'.repeat(1_048_576) })
    expect((await call('POST', '/posts', { ...spring, body: 'x'.repeat(1_048_577) })).status).toBe(413)
    expect((await call('PUT', '/posts/1', { body: 'x'.repeat(1_048_577) })).status).toBe(413)
  })

  test.each([
    ['<h1>A</h1><p>b  c</p>', 'A b c'],
    ['a < b > <i title="x">c</i>', 'a < b > c'],
    ['a<!-- b --> c <p', 'a c'],
    ['<a'.repeat(500_000), ''],
    [`${'<a'.repeat(500_000)}>b`, 'b'],
    ['x'.repeat(400), 'x'.repeat(400)],
    ['x'.repeat(401), `${'x'.repeat(400)} [...]`],
    ['😀'.repeat(401), `${'😀'.repeat(400)} [...]`],
    ['', ''],
  ])('with the body %.50s has the summary %.50s', (body, summary) => {
    expect(summaryOf(body)).toBe(summary)
  })
})

describe('the address of a post', () => {
  test('gets a number if the title is used again', async () => {
    await create()
    expect((await call('POST', '/posts', spring)).body.url).toBe('/blog/spring-1/')
    expect((await call('POST', '/posts', { ...spring, title: '春' })).body.url).toBe('/blog/post-3/')
  })

  test.each(['/no space/', '//host', '/', '/%00', `/${'x'.repeat(2_048)}`])(
    '%j is malformed: the answer is 207 with another one',
    async (url) => {
      const { status, body } = await call('POST', '/posts', { ...spring, url })
      expect([status, body]).toEqual([207, { ...whole, errors: expect.objectContaining({ status: 409 }) }])
    },
  )

  test('is refused if a page or a brand has it, and is refused to them', async () => {
    await shop.call('POST', '/content/pages', { type: 'page', name: 'Spring', url: '/blog/spring/' })
    await shop.call('POST', '/catalog/brands', { name: 'Ferm' })
    expect((await call('POST', '/posts', spring)).body.url).toBe('/blog/spring-1/')
    const taken = await call('PUT', '/posts/1', { url: '/ferm/' })
    expect([taken.status, taken.body.url, taken.body.errors.errors]).toEqual([
      207,
      '/blog/spring-1/',
      { url: 'The address /ferm/ is taken.' },
    ])
    const page = await shop.call('POST', '/content/pages', { type: 'page', name: 'x', url: '/blog/spring-1' })
    expect([page.status, page.body.data.url]).toEqual([207, '/x/'])
    const brand = await shop.call('POST', '/catalog/brands', { name: 'y', custom_url: { url: '/blog/spring-1/' } })
    expect(brand.status).toBe(207)
  })
})

describe('the list of posts', () => {
  test('has the newest first and filters', async () => {
    const old = await create({ published_date: '2026-01-01', title: 'Old', tags: ['News', 'Cups'] })
    const late = await create({ published_date: '2026-03-03T23:59:59Z', is_published: true, tags: ['news '] })
    const same = await create({ published_date: '2026-03-03T23:59:59Z', url: '/a/' })
    expect(await listed()).toEqual([late, same, old])
    expect(await listed('?is_published=true')).toEqual([late])
    expect(await listed('?is_published=false')).toEqual([same, old])
    expect(await listed('?url=/A')).toEqual([same])
    expect(await listed('?tag=NEWS')).toEqual([late, old])
    expect(await listed('?published_date=2026-03-03')).toEqual([late, same])
    expect(await listed('?published_date=2026-03-03T01:00:00Z')).toEqual([late, same])
    expect(await listed('?published_date=2026-03-04')).toEqual([])
    expect(await listed('?limit=1&page=2')).toEqual([same])
    expect(await listed('?page=51&limit=1')).toEqual([])
    expect(await listed('?colour=red')).toHaveLength(3)
    expect((await call('GET', '/posts?is_published=maybe')).status).toBe(400)
    expect((await call('GET', '/posts?limit=251')).status).toBe(413)
  })

  test('has at most 16 MiB of bodies', async () => {
    const body = 'x'.repeat(1_048_576)
    for (let i = 0; i < 17; i++) await create({ body })
    expect((await call('GET', '/posts?limit=16')).status).toBe(200)
    const { status, body: refusal } = await call('GET', '/posts?limit=17')
    expect([status, refusal[0].message]).toEqual([413, expect.stringContaining('limit')])
  })
})

describe('a DELETE of posts', () => {
  test('deletes one page of the list', async () => {
    for (let day = 1; day <= 5; day++) await create({ published_date: `2026-01-0${day}` })
    expect((await call('DELETE', '/posts?page=2&limit=2')).status).toBe(204)
    expect(await listed()).toEqual([5, 4, 1])
    expect((await call('DELETE', '/posts?limit=51')).status).toBe(413)
    expect((await call('DELETE', '/posts?tag=a')).status).toBe(400)
    expect((await call('DELETE', '/posts')).status).toBe(204)
    expect((await call('DELETE', '/posts')).status).toBe(204)
    expect(await listed()).toEqual([])
  })

  test('deletes 50 by default', async () => {
    for (let i = 0; i < 51; i++) await create({ published_date: `2026-01-01T00:${String(i).padStart(2, '0')}:00Z` })
    await call('DELETE', '/posts')
    expect(await listed()).toEqual([1])
  })

  test('deletes the redirects that lead to them', async () => {
    const id = await create()
    const redirect = { from_path: '/old', site_id: 1_000, to: { type: 'post', entity_id: id } }
    expect((await shop.call('PUT', '/storefront/redirects', [redirect])).status).toBe(201)
    const { body } = await shop.call('GET', '/storefront/redirects?include=to_url')
    expect(body.data[0].to_url).toMatch(/^https:.*\/blog\/spring\/$/)
    await call('DELETE', `/posts/${id}`)
    expect((await shop.call('GET', '/storefront/redirects')).body.data).toEqual([])
    const unknown = await shop.call('PUT', '/storefront/redirects', [redirect])
    expect(Object.keys(unknown.body.errors)).toEqual(['0.to.entity_id'])
  })
})

describe('tags', () => {
  test('are trimmed, come once in a post, and keep their order', async () => {
    const { body } = await call('POST', '/posts', { ...spring, tags: [' Zebra ', 'apple', 'ZEBRA'] })
    expect(body.tags).toEqual(['Zebra', 'apple'])
    expect((await call('PUT', '/posts/1', { tags: [] })).body.tags).toEqual([])
  })

  test('are listed with their posts, in alphabetical order', async () => {
    await create({ tags: ['News', 'cups'] })
    await create({ tags: ['news'], is_published: true })
    expect((await call('GET', '/tags')).body).toEqual([
      { tag: 'cups', post_ids: [1] },
      { tag: 'News', post_ids: [1, 2] },
    ])
  })
})

describe('limits of the blog:', () => {
  test('10,000 posts', async () => {
    const db = await dbOf(shop)
    const counter = (total: number) =>
      db.transaction((tx) =>
        tx.rows(sql`update counters set total = ${total} where store_id = ${tx.store.id} and resource = 'blog_posts'`),
      )
    await create()
    await counter(9_999)
    await create()
    expect((await call('POST', '/posts', spring)).status).toBe(403)
    await counter(2)
  })

  test('2,000 different tags in the store, 50 in a post', async () => {
    const tags = (from: number, count: number) => Array.from({ length: count }, (_, i) => `tag ${from + i}`)
    for (let i = 0; i < 40; i++) await create({ tags: tags(i * 50, 50) })
    await create({ tags: tags(1, 49) })
    expect((await call('POST', '/posts', { ...spring, tags: ['one more'] })).status).toBe(403)
    expect((await call('PUT', '/posts/1', { tags: ['one', ...tags(1, 49)] })).status).toBe(200)
    expect((await call('GET', '/posts/count')).body).toEqual({ count: 41 })
  })
})

test('the blog needs a scope of content and publishes no events', async () => {
  await create()
  expect((await call('GET', '/posts', undefined, shop.noscope)).status).toBe(403)
  expect((await call('GET', '/posts', undefined, shop.readonly)).status).toBe(200)
  expect((await call('POST', '/posts', spring, shop.readonly)).status).toBe(403)
  expect(await rowsOf(shop, 'events')).toEqual([])
})
