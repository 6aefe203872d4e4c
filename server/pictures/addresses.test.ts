import { expect, test } from 'vitest'
import { catalogPictures } from '../catalog/pictures.ts'
import { sql } from '../core/db/sql.ts'
import { Files } from '../core/files/files.ts'
import { randomIds } from '../core/ids.ts'
import { form, openShop, type Shop, theHouse } from '../test/shop.ts'
import { dbOf, rowsOf } from '../test/webhooks.ts'
import { renamePictures } from './addresses.ts'

// docs/contract/conventions.md section 16, entry 2: what becomes of the addresses of stored pictures when PUBLIC_URL is another
// one at the next start.

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const ELSEWHERE = 'https://cdn.example.com/files/mug.png'
const PRODUCT = '/catalog/products/1'
const places = [
  '/catalog/brands/1/image',
  '/catalog/categories/1/image',
  `${PRODUCT}/variants/1/image`,
  `${PRODUCT}/images`,
  `${PRODUCT}/modifiers/1/values/1/image`,
]

/** A shop in which everything that can have a picture is there twice: once with a stored one, once with one elsewhere. */
async function openPictured(): Promise<Shop> {
  const shop = await openShop()
  const { call } = shop
  const made = async (path: string, body: unknown) => expect((await call('POST', path, body)).status).toBe(200)
  for (const name of ['Stored', 'Elsewhere']) {
    const image_url = name === 'Stored' ? '' : ELSEWHERE
    await made('/catalog/brands', { name, image_url })
    await made('/catalog/categories', { name, parent_id: 0, image_url })
  }
  const variant = (label: string, more: object) => ({
    sku: label,
    option_values: [{ option_display_name: 'Size', label }],
    ...more,
  })
  await made('/catalog/products', {
    name: 'Mug',
    type: 'physical',
    weight: 1,
    price: 9,
    images: [{ image_url: ELSEWHERE }],
    variants: [variant('S', {}), variant('L', { image_url: ELSEWHERE })],
  })
  await made(`${PRODUCT}/modifiers`, {
    display_name: 'Box',
    type: 'dropdown',
    required: false,
    option_values: [
      { label: 'Gift', sort_order: 0 },
      { label: 'Plain', sort_order: 1, adjusters: { image_url: ELSEWHERE } },
    ],
  })
  for (const path of places) {
    expect((await call('POST', path, undefined, form('image_file', 'a.png', png))).status, path).toBe(200)
  }
  return shop
}

/** All addresses of pictures that a shop answers with, those of the stored ones first. */
async function addressesOf({ call }: Shop) {
  const data = async (path: string) => (await call('GET', path)).body.data
  const urls = (rows: { image_url: string }[]) => rows.map(({ image_url }) => image_url)
  const images = await data(`${PRODUCT}/images`)
  const [{ option_values: values }] = await data(`${PRODUCT}/modifiers`)
  const { url_zoom, url_standard, url_thumbnail, url_tiny } = images[1]
  return {
    brands: urls(await data('/catalog/brands')),
    categories: urls(await data('/catalog/categories')),
    variants: urls(await data(`${PRODUCT}/variants`)),
    values: urls(values.map(({ adjusters }: { adjusters: object }) => adjusters)),
    images: urls(images).reverse(),
    sizes: [...new Set([url_zoom, url_standard, url_thumbnail, url_tiny])],
  }
}

/** The files as a server has them that was started with another PUBLIC_URL. */
async function startedAs(url: string) {
  return new Files((await theHouse()).files.folder, url, randomIds)
}

test('stored pictures are called as the server is now; those that lie elsewhere stay as they are', async () => {
  const shop = await openPictured()
  const db = await dbOf(shop)
  const before = await addressesOf(shop)
  const { data: product } = (await shop.call('GET', PRODUCT)).body
  const events = await rowsOf(shop, 'events')
  expect(await renamePictures(db, await startedAs('http://shop.test'), catalogPictures)).toBe(0)

  expect(await renamePictures(db, await startedAs('https://new.example.com:8443/shop'), catalogPictures)).toBe(5)
  const stored = expect.stringMatching(
    new RegExp(`^https://new\\.example\\.com:8443/shop/files/${shop.store.hash}/[0-9a-f]{32}\\.png$`),
  )
  const pair = [stored, ELSEWHERE]
  const now = await addressesOf(shop)
  expect(now).toEqual({
    brands: pair,
    categories: pair,
    variants: pair,
    values: pair,
    images: pair,
    sizes: [now.images[0]],
  })
  // Nothing else is otherwise, and nobody is told.
  expect((await shop.call('GET', PRODUCT)).body.data).toEqual(product)
  expect(await rowsOf(shop, 'events')).toEqual(events)

  expect(await renamePictures(db, await startedAs('http://shop.test'), catalogPictures)).toBe(5)
  expect(await addressesOf(shop)).toEqual(before)
})

test('an address that took the place of a stored picture is not called by its file', async () => {
  const shop = await openPictured()
  await shop.call('PUT', '/catalog/brands/1', { image_url: ELSEWHERE })
  await shop.call('PUT', `${PRODUCT}/variants/1`, { image_url: '' })
  expect(await renamePictures(await dbOf(shop), await startedAs('http://new.test'), catalogPictures)).toBe(3)
  const { brands, variants } = await addressesOf(shop)
  expect({ brands, variants }).toEqual({ brands: [ELSEWHERE, ELSEWHERE], variants: ['', ELSEWHERE] })
})

test('who sends back an address that it read before keeps the picture, and finds the present one', async () => {
  const shop = await openPictured()
  const { call } = shop
  const [before, kept] = [await addressesOf(shop), await rowsOf(shop, 'files')]
  const back = async (path: string) => {
    const { data } = (await call('GET', path)).body
    const read = JSON.parse(JSON.stringify(data).replaceAll('http://shop.test/', 'https://old.example.com/'))
    const { status, body } = await call('PUT', path, read)
    expect({ status, body }, path).toEqual({ status: 200, body: { data, meta: {} } })
  }
  for (const path of ['/catalog/brands/1', '/catalog/categories/1', `${PRODUCT}/variants/1`, `${PRODUCT}/images/2`]) {
    await back(path)
  }
  const { data: images } = (await call('GET', `${PRODUCT}/images`)).body
  const read = JSON.parse(JSON.stringify(images).replaceAll('http://shop.test/', 'https://old.example.com/'))
  expect((await call('PUT', PRODUCT, { images: read })).body.data.images).toEqual(images)
  expect(await addressesOf(shop)).toEqual(before)
  // The value of a modifier shows what was sent, until the next start.
  const image_url = before.values[0]?.replace('http://shop.test/', 'https://old.example.com/')
  await call('PUT', `${PRODUCT}/modifiers/1/values/1`, { adjusters: { image_url } })
  expect(await rowsOf(shop, 'files')).toEqual(kept)
  expect(await renamePictures(await dbOf(shop), await startedAs('http://shop.test'), catalogPictures)).toBe(1)
  expect(await addressesOf(shop)).toEqual(before)
  // That of another file is another picture.
  const [stored] = before.brands
  const other = stored?.replace(/[0-9a-f]{32}/, '0'.repeat(32))
  expect((await call('PUT', '/catalog/brands/1', { image_url: other })).body.data.image_url).toBe(other)
  expect(await rowsOf(shop, 'files')).toHaveLength(4)
})

test('a store with more pictures than one step takes has them all renamed, and another store none', async () => {
  const [shop, other] = [await openPictured(), await openPictured()]
  const db = await dbOf(shop)
  const { files } = await theHouse()
  // Copies of the one image with files of their own.
  const path = files.addressOf(shop.store, '')
  await db.transaction(async (tx) => {
    await tx.rows(sql`
      -- of a test
      insert into product_images select copy.* from product_images image, generate_series(3, 2500) n,
        jsonb_populate_record(null::product_images, to_jsonb(image) || jsonb_build_object('id', n,
          'is_thumbnail', false, 'image_file', lpad(n::text, 32, '0') || '.png',
          'image_url', ${path}::text || lpad(n::text, 32, '0') || '.png')) copy
      where image.store_id = ${shop.store.id} and image.id = 2`)
    await tx.rows(sql`
      -- of a test
      insert into files (store_id, name, owner_kind, owner_id)
      select store_id, image_file, 'product_image', id from product_images where store_id = ${shop.store.id} and id > 2`)
    await tx.rows(sql`
      update counters set last_id = 2500, total = 2500
      where store_id = ${shop.store.id} and resource = 'product_images'`)
  })
  const before = await addressesOf(other)
  expect(await renamePictures(db, await startedAs('http://new.test'), catalogPictures)).toBe(5 + 2_498)
  const rows = await rowsOf(shop, 'product_images')
  const old = rows.filter(({ image_url }) => !String(image_url).startsWith('http://new.test/'))
  expect(old.map(({ image_url }) => image_url)).toEqual([ELSEWHERE])
  expect(await addressesOf(other)).toEqual(before)
})
