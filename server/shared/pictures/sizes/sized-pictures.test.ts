import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { beforeAll, expect, test } from 'vitest'
import { form, openShop, type Shop, theHouse } from '../../../test/fixtures/shop.ts'
import { askStorefront, makeToken } from '../../../test/fixtures/storefront.ts'
import { SizedFolder } from './sized-folder.ts'
import { SizedPictures } from './sized-pictures.ts'
import { LADDER } from './sizes.ts'

let shop: Shop
/** The address of each picture with `{:size}` in it. */
const templates: Record<string, string> = {}

/** A picture whose upper half is red. @param orientation as in its metadata: 6 is turned by a quarter */
async function drawing(width: number, height: number, type: 'jpeg' | 'png', orientation = 1) {
  const red = { create: { width, height: Math.floor(height / 2), channels: 3, background: '#ff0000' } } as const
  const blue = { create: { width, height, channels: 3, background: '#0000ff' } } as const
  return sharp(blue)
    .composite([{ input: await sharp(red).png().toBuffer(), top: 0, left: 0 }])
    .withMetadata({ orientation, exif: { IFD0: { Copyright: 'Somebody' } } })
    .toFormat(type)
    .toBuffer()
}
const GIF = Buffer.from('R0lGODlhAQABAIAAAAAAAP///ywAAAAAAQABAAACAUwAOw==', 'base64')

async function get(address: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') {
  const { server } = await theHouse()
  const { pathname, search } = new URL(address)
  return server.inject({ method, url: pathname + search, headers })
}
const at = (name: string, size: string) => (templates[name] ?? '').replace('{:size}', size)
const measured = async (name: string, size: string) => sharp((await get(at(name, size))).rawPayload).metadata()

beforeAll(async () => {
  shop = await openShop()
  await shop.call('POST', '/catalog/products', { name: 'Mug', type: 'physical', weight: 1, price: 5 })
  const pictures = {
    'wide.jpg': await drawing(1_000, 500, 'jpeg'),
    'turned.jpg': await drawing(800, 400, 'jpeg', 6),
    'small.png': await drawing(30, 20, 'png'),
    'moving.gif': GIF,
    'damaged.png': (await drawing(60, 60, 'png')).subarray(0, 120),
  }
  for (const [name, bytes] of Object.entries(pictures)) {
    const answer = await shop.call('POST', '/catalog/products/1/images', undefined, form('image_file', name, bytes))
    expect(answer.status, answer.text).toBe(200)
  }
  const { body } = await askStorefront(shop, {
    token: await makeToken(shop, 'storefront'),
    query: '{ site { product(entityId: 1) { images { edges { node { urlTemplate(lossy: false) } } } } } }',
  })
  const edges: { node: { urlTemplate: string } }[] = body.data.site.product.images.edges
  for (const [i, name] of Object.keys(pictures).entries()) templates[name] = edges[i]?.node.urlTemplate ?? ''
})

test('the addresses of a picture', async () => {
  const { body } = await askStorefront(shop, {
    token: await makeToken(shop, 'storefront'),
    query: `{ site { product(entityId: 1) { defaultImage { urlOriginal urlTemplate(lossy: true) width: url(width: 640)
      box: url(width: 100, height: 80, lossy: true) beyond: url(width: 9999) one: url(width: 1) } } } }`,
  })
  const base = `http://shop.test/s-${shop.store.hash}/images/stencil`
  const [, file] = /([^/]+)$/.exec(templates['wide.jpg'] ?? '') ?? []
  expect(file).toMatch(/^[0-9a-f]{32}\.jpg$/)
  expect(body.data.site.product.defaultImage).toEqual({
    urlOriginal: `${base}/original/products/1/1/${file}`,
    urlTemplate: `${base}/{:size}/products/1/1/${file}?compression=lossy`,
    width: `${base}/640w/products/1/1/${file}`,
    box: `${base}/100x80/products/1/1/${file}?compression=lossy`,
    beyond: `${base}/3840w/products/1/1/${file}`,
    one: `${base}/1w/products/1/1/${file}`,
  })
})

test.each([
  ['wide.jpg', '640w', 640, 320],
  ['wide.jpg', '600w', 640, 320],
  ['wide.jpg', '1w', 16, 8],
  ['wide.jpg', '3840w', 1_000, 500],
  ['wide.jpg', '640x100', 256, 128],
  ['wide.jpg', '100x640', 128, 64],
  // The width of a turned picture is its stored height.
  ['turned.jpg', '256w', 256, 512],
  ['turned.jpg', '3840x256', 128, 256],
  ['small.png', '16w', 16, 11],
  ['small.png', '640w', 30, 20],
])('%s in the size %s has %i by %i pixels', async (name, size, width, height) => {
  expect(await measured(name, size)).toMatchObject({ width, height })
})

test('orientation is kept and metadata is dropped', async () => {
  const { orientation, exif } = await measured('turned.jpg', '256w')
  expect([orientation ?? 1, exif]).toEqual([1, undefined])
  // The upper half was red: turned by a quarter, the right one is.
  const { data, info } = await sharp((await get(at('turned.jpg', '256w'))).rawPayload)
    .raw()
    .toBuffer({ resolveWithObject: true })
  const colorAt = (x: number, y: number) => {
    const [red = 0, , blue = 0] = data.subarray((y * info.width + x) * info.channels)
    return red > blue ? 'red' : 'blue'
  }
  expect([colorAt(200, 50), colorAt(200, 450), colorAt(50, 50), colorAt(50, 450)]).toEqual([
    'red',
    'red',
    'blue',
    'blue',
  ])
})

test('headers: immutable, with a tag, and in ranges', async () => {
  const address = at('wide.jpg', '320w')
  const whole = await get(address)
  expect(whole.statusCode).toBe(200)
  expect(whole.headers).toMatchObject({
    'content-type': 'image/jpeg',
    'cache-control': 'public, max-age=31536000, immutable',
    'accept-ranges': 'bytes',
    'access-control-allow-origin': '*',
    'x-content-type-options': 'nosniff',
    'content-length': String(whole.rawPayload.length),
  })
  const tag = String(whole.headers.etag)
  expect((await get(address, { 'if-none-match': tag })).statusCode).toBe(304)
  const part = await get(address, { range: 'bytes=0-9' })
  expect([part.statusCode, part.rawPayload]).toEqual([206, whole.rawPayload.subarray(0, 10)])
  expect((await get(at('wide.jpg', '384w'))).headers.etag).not.toBe(tag)
  const head = await get(address, {}, 'HEAD')
  expect([head.statusCode, head.headers['content-length'], head.body]).toEqual([
    200,
    String(whole.rawPayload.length),
    '',
  ])
})

test('WebP for lossy addresses, if the client accepts it', async () => {
  const lossy = `${at('wide.jpg', '640w')}?compression=lossy`
  const accepts = { accept: 'text/html,image/avif,image/webp;q=0.9,*/*' }
  const webp = await get(lossy, accepts)
  expect(webp.headers).toMatchObject({ 'content-type': 'image/webp', vary: 'Accept' })
  expect(await sharp(webp.rawPayload).metadata()).toMatchObject({ format: 'webp', width: 640 })
  const plain = await get(lossy, { accept: '*/*' })
  expect(plain.headers).toMatchObject({ 'content-type': 'image/jpeg', vary: 'Accept' })
  expect((await get(at('wide.jpg', '640w'), accepts)).headers['content-type']).toBe('image/jpeg')
})

test('the original for `original`, for animations, and for a picture that cannot be read', async () => {
  expect(await measured('wide.jpg', 'original')).toMatchObject({ width: 1_000, exif: expect.anything() })
  expect((await get(at('moving.gif', '640w'))).rawPayload).toEqual(GIF)
  for (const size of ['32w', '32x32', '32w']) {
    const damaged = await get(at('damaged.png', size))
    expect([damaged.statusCode, damaged.rawPayload.length], size).toEqual([200, 120])
  }
})

test('addresses that name nothing are 404', async () => {
  const other = await openShop()
  const wide = at('wide.jpg', '640w')
  const file = /([^/]+)$/.exec(wide)?.[1] ?? ''
  for (const address of [
    at('wide.jpg', '3841w'),
    at('wide.jpg', '0w'),
    at('wide.jpg', '640'),
    at('wide.jpg', '{:size}'),
    wide.replace(file, `${'0'.repeat(32)}.jpg`),
    wide.replace(file, 'config.json'),
    wide.replace(shop.store.hash, other.store.hash),
    wide.replace(shop.store.hash, 'nobody'),
    wide.replace(shop.store.hash, '..'),
  ]) {
    const answer = await get(address)
    expect([answer.statusCode, answer.headers['cache-control']], address).toEqual([404, 'no-store'])
  }
  // The middle of the address changes nothing.
  expect((await get(wide.replace('products/1/1/', 'anything/'))).statusCode).toBe(200)
})

test('a deleted picture is gone in all sizes', async () => {
  const address = at('small.png', '16w')
  expect((await get(address)).statusCode).toBe(200)
  const { data } = (await shop.call('GET', '/catalog/products/1/images')).body
  const file = /([^/]+)$/.exec(address)?.[1] ?? ''
  const image = data.find(({ url_zoom }: { url_zoom: string }) => url_zoom.endsWith(file))
  expect((await shop.call('DELETE', `/catalog/products/1/images/${image.id}`)).status).toBe(204)
  expect((await get(address)).statusCode).toBe(404)
})

test('all sizes of a picture make twenty files, each once, however many ask at the same time', async () => {
  const { files, installation } = await theHouse()
  const folder = `${files.folder}-counted`
  const stored: string[] = []
  class CountingFolder extends SizedFolder {
    override async store(store: { hash: string }, name: string, bytes: Uint8Array) {
      stored.push(name)
      await super.store(store, name, bytes)
    }
  }
  const pictures = new SizedPictures(files, new CountingFolder(folder, 1e9), installation.directory)
  const { hash } = shop.store
  const name = /([^/]+)$/.exec(templates['turned.jpg'] ?? '')?.[1] ?? ''
  const sizes = LADDER.flatMap((step) => [step - 1, step, step, step]).filter((width) => width > 0)
  await Promise.all(sizes.map((width) => pictures.find({ hash, name }, { width, height: undefined }, false)))
  for (let height = 100; height <= 3_800; height += 100) {
    await pictures.find({ hash, name }, { width: 3_840, height }, false)
  }
  expect(stored.length).toBe(20)
  expect((await readdir(join(folder, hash))).length).toBe(20)
})
