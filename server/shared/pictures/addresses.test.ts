import { pino } from 'pino'
import { expect, test } from 'vitest'
import { sql } from '../../core/db/sql.ts'
import { Files } from '../../core/files/files.ts'
import { withAddresses } from '../../core/rest/input/picture-addresses.ts'
import { randomIds } from '../../core/secrets/ids.ts'
import { catalogPictures } from '../../goods/catalog/pictures.ts'
import { createApp } from '../../process/app.ts'
import { readConfig } from '../../process/config.ts'
import { form, openShop, type Shop, theHouse } from '../../test/fixtures/shop.ts'
import { dbOf, rowsOf } from '../../test/fixtures/webhooks.ts'
import { SECRET } from '../../test/harness/postgres.ts'
import { convertToPaths } from './addresses.ts'

// docs/contract/conventions.md section 16, entry 2: rows store paths of pictures, and answers have their addresses.

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

/** A shop with two of every resource that can have a picture: one with a stored picture, one with an external one. */
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

/** All picture addresses in the answers of a shop, stored pictures first. */
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

/** Reads a shop from a process with another PUBLIC_URL on the same database. */
async function shownBy(publicUrl: string, shop: Shop): Promise<{ shop: Shop; close(): Promise<void> }> {
  const { installation, files } = await theHouse()
  const elsewhere = new Files(files.folder, publicUrl, randomIds)
  const parts = { ...installation, files: elsewhere, log: pino({ level: 'silent' }) }
  const { server } = await createApp(parts, readConfig({ SECRET }), publicUrl)
  return {
    shop: {
      ...shop,
      async call(method, path) {
        const { statusCode, headers, body } = await server.inject({
          method: method === 'GET' ? 'GET' : 'POST',
          url: `/stores/${shop.store.hash}/v3${path}`,
          headers: { 'x-auth-token': shop.admin.access_token },
        })
        return { status: statusCode, headers, body: JSON.parse(body), text: body }
      },
    },
    close: () => server.close(),
  }
}

/** Writes rows like an earlier version, with the PUBLIC_URL of its process. */
async function writeAddresses(shop: Shop, publicUrl: string) {
  const { store } = shop
  const db = await dbOf(shop)
  const url = sql`${publicUrl}::text`
  await db.transaction(async (tx) => {
    for (const table of ['brands', 'categories', 'variants', 'product_images']) {
      await tx.rows(sql`
        update ${sql.id(table)} set image_url = ${url} || image_url
        where store_id = ${store.id} and image_url like '/files/%'`)
    }
    await tx.rows(sql`
      update product_images set url_zoom = image_url, url_standard = image_url, url_thumbnail = image_url, url_tiny = image_url
      where store_id = ${store.id} and image_file <> ''`)
    await tx.rows(sql`
      update modifier_values
      set adjusters = jsonb_set(adjusters, '{image_url}', to_jsonb(${url} || (adjusters->>'image_url')))
      where store_id = ${store.id} and adjusters->>'image_url' like '/files/%'`)
  })
}

test('each process answers with its own PUBLIC_URL and does not affect the others', async () => {
  const shop = await openPictured()
  const before = await addressesOf(shop)
  const { data: product } = (await shop.call('GET', `${PRODUCT}?include=images,variants,modifiers,primary_image`)).body
  const other = await shownBy('https://new.example.com:8443/shop', shop)
  expect(await convertToPaths(await dbOf(shop), catalogPictures)).toBe(0)
  const seen = await addressesOf(other.shop)
  const moved = (value: object) =>
    JSON.parse(JSON.stringify(value).replaceAll('http://shop.test/', 'https://new.example.com:8443/shop/'))
  expect(seen).toEqual(moved(before))
  expect(seen.brands[0]).toMatch(/^https:\/\/new\.example\.com:8443\/shop\/files\/[a-z0-9]+\/[0-9a-f]{32}\.png$/)
  const { body } = await other.shop.call('GET', `${PRODUCT}?include=images,variants,modifiers,primary_image`)
  expect(body.data).toEqual(moved(product))
  expect(await addressesOf(shop)).toEqual(before)
  await other.close()
})

test('an answer repeated for an Idempotency-Key has the current address', async () => {
  const shop = await openPictured()
  const { payload, headers } = form('image_file', 'a.png', png)
  const key = { 'idempotency-key': 'one' }
  const path = `/stores/${shop.store.hash}/v3/catalog/brands/1/image`
  const first = await shop.call('POST', '/catalog/brands/1/image', undefined, {
    payload,
    headers: { ...headers, ...key },
  })
  const { installation, files } = await theHouse()
  const parts = { ...installation, files, log: pino({ level: 'silent' }) }
  const { server } = await createApp(parts, readConfig({ SECRET }), 'http://new.test')
  const again = await server.inject({
    method: 'POST',
    url: path,
    payload,
    headers: { ...headers, ...key, 'x-auth-token': shop.admin.access_token },
  })
  expect(again.json().data.image_url).toBe(first.body.data.image_url.replace('http://shop.test/', 'http://new.test/'))
  await server.close()
})

test('rows of earlier versions are shown unchanged, then converted to paths', async () => {
  const [shop, other] = [await openPictured(), await openPictured()]
  const db = await dbOf(shop)
  const before = await addressesOf(shop)
  await writeAddresses(shop, 'http://old.test')
  expect((await addressesOf(shop)).brands[0]).toMatch(/^http:\/\/old\.test\/files\//)
  const { data: product } = (await shop.call('GET', PRODUCT)).body
  const events = await rowsOf(shop, 'events')
  expect(await convertToPaths(db, catalogPictures)).toBe(5)
  expect(await addressesOf(shop)).toEqual(before)
  // Nothing else changes, and no event is published.
  expect((await shop.call('GET', PRODUCT)).body.data).toEqual(product)
  expect(await rowsOf(shop, 'events')).toEqual(events)
  expect(await convertToPaths(db, catalogPictures)).toBe(0)
  expect(await convertToPaths(await dbOf(other), catalogPictures)).toBe(0)
})

test('a row with a new address keeps it', async () => {
  const shop = await openPictured()
  await writeAddresses(shop, 'http://old.test')
  await shop.call('PUT', '/catalog/brands/1', { image_url: ELSEWHERE })
  await shop.call('PUT', `${PRODUCT}/variants/1`, { image_url: '' })
  expect(await convertToPaths(await dbOf(shop), catalogPictures)).toBe(3)
  const { brands, variants } = await addressesOf(shop)
  expect({ brands, variants }).toEqual({ brands: [ELSEWHERE, ELSEWHERE], variants: ['', ELSEWHERE] })
})

test('a picture stays if a client sends back its address from any process', async () => {
  const shop = await openPictured()
  const { call } = shop
  const [before, kept] = [await addressesOf(shop), await rowsOf(shop, 'files')]
  const fromElsewhere = (data: object) =>
    JSON.parse(JSON.stringify(data).replaceAll('http://shop.test/', 'https://old.example.com/'))
  const back = async (path: string) => {
    const { data } = (await call('GET', path)).body
    const { status, body } = await call('PUT', path, fromElsewhere(data))
    expect({ status, body }, path).toEqual({ status: 200, body: { data, meta: {} } })
  }
  for (const path of ['/catalog/brands/1', '/catalog/categories/1', `${PRODUCT}/variants/1`, `${PRODUCT}/images/2`]) {
    await back(path)
  }
  const { data: images } = (await call('GET', `${PRODUCT}/images`)).body
  expect((await call('PUT', PRODUCT, { images: fromElsewhere(images) })).body.data.images).toEqual(images)
  const image_url = before.values[0]?.replace('http://shop.test/', 'https://old.example.com/')
  await call('PUT', `${PRODUCT}/modifiers/1/values/1`, { adjusters: { image_url } })
  expect(await rowsOf(shop, 'files')).toEqual(kept)
  expect(await addressesOf(shop)).toEqual(before)
  // The address of another file is another picture.
  const [stored] = before.brands
  const other = stored?.replace(/[0-9a-f]{32}/, '0'.repeat(32))
  expect((await call('PUT', '/catalog/brands/1', { image_url: other })).body.data.image_url).toBe(other)
  expect(await rowsOf(shop, 'files')).toHaveLength(4)
})

test('texts of clients are never mistaken for pictures', async () => {
  const shop = await openPictured()
  const path = `/files/${shop.store.hash}/${'0'.repeat(32)}.png`
  for (const text of [path, `"image_url":"${path}"`, `"image_url": "${path}`]) {
    const brand = { name: text, page_title: text, meta_keywords: [text] }
    const json = Buffer.from(JSON.stringify(brand))
    expect(withAddresses(json, shop.store, 'http://shop.test')).toBe(json)
  }
  const row = `{"name":"a","image_url":"${path}","adjusters":{"price": null, "image_url": "${path}"},"url_tiny":"${path}"}`
  const whole = row.replaceAll('/files/', 'http://shop.test/files/')
  expect(withAddresses(Buffer.from(row), shop.store, 'http://shop.test').toString()).toBe(whole)
})

test('more pictures than fit in one step are converted', async () => {
  const shop = await openPictured()
  const db = await dbOf(shop)
  // Copies of the image with files of their own.
  await db.transaction(async (tx) => {
    await tx.rows(sql`
      -- of a test
      insert into product_images select copy.* from product_images image, generate_series(3, 2500) n,
        jsonb_populate_record(null::product_images, to_jsonb(image) || jsonb_build_object('id', n,
          'is_thumbnail', false, 'image_file', lpad(n::text, 32, '0') || '.png',
          'image_url', ${`/files/${shop.store.hash}/`}::text || lpad(n::text, 32, '0') || '.png')) copy
      where image.store_id = ${shop.store.id} and image.id = 2`)
    await tx.rows(sql`
      -- of a test
      insert into files (store_id, name, owner_kind, owner_id)
      select store_id, image_file, 'product_image', id from product_images where store_id = ${shop.store.id} and id > 2`)
    await tx.rows(sql`
      update counters set last_id = 2500, total = 2500
      where store_id = ${shop.store.id} and resource = 'product_images'`)
  })
  await writeAddresses(shop, 'http://old.test')
  expect(await convertToPaths(db, catalogPictures)).toBe(5 + 2_498)
  const rows = await rowsOf(shop, 'product_images')
  const others = rows.filter(({ image_url }) => !String(image_url).startsWith(`/files/${shop.store.hash}/`))
  expect(others.map(({ image_url }) => image_url)).toEqual([ELSEWHERE])
})
