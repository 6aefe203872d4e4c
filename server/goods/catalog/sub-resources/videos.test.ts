import { beforeAll, describe, expect, test } from 'vitest'
import { invalid, problem } from '../../../test/document/expected.ts'
import { openShop, type Shop } from '../../../test/fixtures/shop.ts'

// docs/contract/product-parts.md section 3. The rules of all sub-resources are in sub-resources.test.ts.

const text = (length: number) => 'a'.repeat(length)

const PRODUCT = '/catalog/products/1'
const VIDEOS = `${PRODUCT}/videos`
const TAKEN = 'This product already has this video.'
const taken = { status: 409, body: problem(409, TAKEN, { video_id: TAKEN }) }

async function openProduct(): Promise<Shop> {
  const shop = await openShop()
  await shop.call('POST', '/catalog/products', { name: 'Mug', type: 'physical', weight: 0.4, price: 18.5 })
  return shop
}

const answered = async ({ call }: Shop, method: string, path: string, body?: unknown) => {
  const { status, body: found } = await call(method, path, body)
  return { status, body: found }
}

const blank = {
  id: 1,
  product_id: 1,
  title: '',
  description: '',
  sort_order: 0,
  type: 'youtube',
  video_id: 'z3fRu9pkuXE',
  length: '',
}

test('a video needs the id of its host, and has defaults for everything else', async () => {
  const shop = await openProduct()
  const whole = { status: 200, body: { data: blank, meta: {} } }
  expect(await answered(shop, 'POST', VIDEOS, { video_id: 'z3fRu9pkuXE', length: '03:12', product_id: 9 })).toEqual(
    whole,
  )
  expect(await answered(shop, 'GET', `${VIDEOS}/1`)).toEqual(whole)
  const changes = { title: 'The film', description: 'How it is made', sort_order: -5, type: 'youtube' }
  const changed = { status: 200, body: { data: { ...blank, ...changes }, meta: {} } }
  expect(await answered(shop, 'PUT', `${VIDEOS}/1`, changes)).toEqual(changed)
  expect(await answered(shop, 'GET', `${VIDEOS}/1`)).toEqual(changed)
})

test('a change cannot name another video: the field is ignored', async () => {
  const shop = await openProduct()
  await shop.call('POST', VIDEOS, { video_id: 'one' })
  expect((await shop.call('PUT', `${VIDEOS}/1`, { video_id: 'two', title: 'A' })).body.data).toEqual({
    ...blank,
    video_id: 'one',
    title: 'A',
  })
})

test('videos are listed by sort_order, then by id', async () => {
  const shop = await openProduct()
  for (const sort_order of [5, -1, 5, 0]) await shop.call('POST', VIDEOS, { video_id: `v${Math.random()}`, sort_order })
  const ids = async (query = '') =>
    (await shop.call('GET', `${VIDEOS}${query}`)).body.data.map(({ id }: { id: number }) => id)
  expect(await ids()).toEqual([2, 4, 1, 3])
  expect(await ids('?limit=2&page=2')).toEqual([1, 3])
})

describe('the bounds of a video', () => {
  let shop: Shop
  beforeAll(async () => {
    shop = await openProduct()
    await shop.call('POST', VIDEOS, { video_id: 'here before' })
  })

  test.each([
    ['video_id', 'x'],
    ['video_id', text(25)],
    ['title', ''],
    ['title', text(255)],
    ['description', text(65_535)],
    ['sort_order', -2_147_483_648],
    ['sort_order', 2_147_483_647],
  ])('allow %s at its bound', async (field, value) => {
    const { status, body } = await shop.call('POST', VIDEOS, { video_id: 'new', [field]: value })
    expect({ status, data: body.data }).toMatchObject({ status: 200, data: { [field]: value } })
    await shop.call('DELETE', `${VIDEOS}/${body.data.id}`)
  })

  test.each([
    ['title', text(256), 'title must have at most 255 characters, not 256.'],
    ['title', null, 'error.expected.jsstring'],
    ['description', text(65_536), 'description must have at most 65535 characters, not 65536.'],
    ['sort_order', -2_147_483_649, 'sort_order must be at least -2147483648, not -2147483649.'],
    ['sort_order', 2_147_483_648, 'sort_order must be at most 2147483647, not 2147483648.'],
    ['sort_order', 1.5, 'sort_order must be a whole number, not 1.5.'],
    ['sort_order', '1', 'error.expected.jsnumber'],
    ['type', 'vimeo', 'type must be one of youtube, not "vimeo".'],
  ])('refuse %s past its bound in both writes', async (field, value, sentence) => {
    for (const [method, path] of [
      ['POST', VIDEOS],
      ['PUT', `${VIDEOS}/1`],
    ] as const) {
      expect(await answered(shop, method, path, { video_id: 'new', [field]: value }), method).toEqual({
        status: 422,
        body: invalid({ [field]: sentence }),
      })
    }
  })

  test.each([
    [{}, 'error.path.missing'],
    [{ video_id: '' }, 'video_id must not be blank.'],
    [{ video_id: ' ' }, 'video_id must not be blank.'],
    [{ video_id: text(26) }, 'video_id must have at most 25 characters, not 26.'],
    [{ video_id: 7 }, 'error.expected.jsstring'],
  ])('do not allow a new one to be %j', async (body, sentence) => {
    expect(await answered(shop, 'POST', VIDEOS, body)).toEqual({ status: 422, body: invalid({ video_id: sentence }) })
    expect((await shop.call('GET', VIDEOS)).body.data).toHaveLength(1)
  })
})

test('a video is in a product once; in other capitals it is another one', async () => {
  const shop = await openProduct()
  await shop.call('POST', '/catalog/products', { name: 'Bowl', type: 'physical', weight: 1, price: 2 })
  const answers = await Promise.all(Array.from({ length: 4 }, () => shop.call('POST', VIDEOS, { video_id: 'abc' })))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409])
  expect(await answered(shop, 'POST', VIDEOS, { video_id: 'abc' })).toEqual(taken)
  expect((await shop.call('POST', VIDEOS, { video_id: 'ABC' })).status).toBe(200)
  expect((await shop.call('POST', '/catalog/products/2/videos', { video_id: 'abc' })).status).toBe(200)
})

test('a product has at most 250 videos (403), also after concurrent requests', async () => {
  const shop = await openProduct()
  const list = (length: number) => Array.from({ length }, (_, i) => ({ video_id: `v${i}` }))
  expect(await answered(shop, 'PUT', PRODUCT, { videos: list(251) })).toEqual({
    status: 422,
    body: invalid({ videos: 'videos must hold at most 250.' }),
  })
  await shop.call('PUT', PRODUCT, { videos: list(248) })
  const answers = await Promise.all([1, 2, 3, 4].map((n) => shop.call('POST', VIDEOS, { video_id: `late ${n}` })))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 403, 403])
  const [refused] = answers.filter(({ status }) => status === 403)
  expect(refused?.body).toEqual(problem(403, 'A product can have at most 250 videos.'))
  expect((await shop.call('GET', VIDEOS)).body.meta.pagination.total).toBe(250)
})

test('a list in the body of a product replaces all videos', async () => {
  const shop = await openProduct()
  const put = (videos: unknown) => answered(shop, 'PUT', PRODUCT, { videos })
  await put([{ video_id: 'one', title: 'One' }, { video_id: 'two' }])
  expect(
    (
      await put([
        { id: 2, title: 'Second' },
        { video_id: 'three', sort_order: -1 },
      ])
    ).status,
  ).toBe(200)
  expect((await shop.call('GET', VIDEOS)).body.data).toEqual([
    { ...blank, id: 3, video_id: 'three', sort_order: -1 },
    { ...blank, id: 2, video_id: 'two', title: 'Second' },
  ])
  expect(await put([{ title: 'Nothing to see' }, { id: 2 }, { id: 9 }, { video_id: 'x' }, { video_id: 'x' }])).toEqual({
    status: 422,
    body: invalid({
      'videos.0.video_id': 'error.path.missing',
      'videos.4.video_id': 'This list already has this video.',
    }),
  })
  expect(await put([{ id: 2 }, { video_id: 'two' }])).toEqual(taken)
  expect((await shop.call('GET', VIDEOS)).body.data.map(({ id }: { id: number }) => id)).toEqual([3, 2])
})
