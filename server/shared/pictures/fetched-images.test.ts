import { readdir, readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Addresses } from '../../core/net/addresses.ts'
import { createApp } from '../../process/app.ts'
import { readConfig } from '../../process/config.ts'
import { openShop, type Shop, theHouse } from '../../test/fixtures/shop.ts'
import { rowsOf } from '../../test/fixtures/webhooks.ts'
import { SECRET } from '../../test/harness/postgres.ts'

// Pictures by their address with FETCH_IMAGES: docs/contract/product-parts.md section 5 (C-088, C-089).
// core/net/fetch-image.test.ts tests the addresses that may be fetched.

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const gif = Buffer.from('R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs=', 'base64')
const huge = Buffer.from(png)
huge.writeUInt32BE(50_000, 16)
huge.writeUInt32BE(50_000, 20)
const EIGHT_MIB = 8 * 1024 * 1024

/** The answers of the receiver by path. */
const pages: Record<string, Buffer> = {
  '/mug.png': png,
  '/mug.gif': gif,
  '/page.png': Buffer.from('<!doctype html><script>alert(1)</script>'),
  '/drawing.svg': Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
  '/polyglot.gif': Buffer.concat([Buffer.from('<!-- -->'), gif]),
  '/huge.png': huge,
  '/large.png': Buffer.concat([png, Buffer.alloc(EIGHT_MIB - png.length)]),
  '/too-large.png': Buffer.concat([png, Buffer.alloc(EIGHT_MIB - png.length + 1)]),
  '/empty.png': Buffer.alloc(0),
}
const asked: string[] = []
const NO_PICTURE = 'The file must be a JPEG, PNG, GIF or ICO picture.'
const NOT_PUBLIC = 'The host of the address must resolve to a public address.'

let server: FastifyInstance
let receiver: Server
let cdn: string

beforeAll(async () => {
  const { installation, files } = await theHouse()
  receiver = createServer(({ url = '' }: IncomingMessage, response: ServerResponse) => {
    asked.push(url)
    const page = pages[url]
    if (page) response.setHeader('content-type', 'image/png').end(page)
    else response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  const address = receiver.address()
  cdn = `http://cdn.test:${typeof address === 'object' ? address?.port : 0}`
  const resolve = async (host: string) => (host === 'cdn.test' ? ['127.0.0.1'] : ['10.0.0.1'])
  const policy = { addresses: new Addresses(['127.0.0.0/8'], resolve), origins: [] }
  const config = readConfig({ SECRET, FETCH_IMAGES: 'true' })
  const app = await createApp(
    { ...installation, files, policy, log: pino({ level: 'silent' }) },
    config,
    'http://shop.test',
  )
  server = app.server
})
afterAll(async () => {
  await server.close()
  receiver.closeAllConnections()
  receiver.close()
})

/** Sends a request to the server that fetches. */
async function call(shop: Shop & { headers?: Record<string, string> }, method: string, path: string, body?: unknown) {
  const answer = await server.inject({
    method: method as 'GET',
    url: `/stores/${shop.store.hash}/v3${path}`,
    headers: { 'x-auth-token': shop.admin.access_token, ...shop.headers },
    ...(body === undefined ? {} : { payload: body as object }),
  })
  return { status: answer.statusCode, body: answer.body === '' ? undefined : answer.json() }
}
const stored = async ({ store }: Shop) => readdir(join((await theHouse()).files.folder, store.hash)).catch(() => [])
const fileOf = async ({ store }: Shop, name: string) =>
  readFile(join((await theHouse()).files.folder, store.hash, name))
const at = ({ store }: Shop, name: string) => `http://shop.test/files/${store.hash}/${name}`
const refusal = (errors: object) => ({
  status: 400,
  title: 'A picture could not be fetched.',
  type: 'http://shop.test/docs/errors#400',
  errors,
})

const mug = { name: 'Mug', type: 'physical', weight: 0.4, price: 18.5 }
async function openProduct(): Promise<Shop> {
  const shop = await openShop()
  await shop.call('POST', '/catalog/products', mug)
  return shop
}
const IMAGES = '/catalog/products/1/images'

describe('the image of a product', () => {
  test('is fetched, stored by its content, and shown at its new address', async () => {
    const shop = await openProduct()
    const { status, body } = await call(shop, 'POST', IMAGES, { image_url: `${cdn}/mug.png`, description: 'A mug' })
    const [name = ''] = await stored(shop)
    const url = at(shop, name)
    expect(name).toMatch(/^[0-9a-f]{32}\.png$/)
    expect({ status, data: body.data }).toMatchObject({
      status: 200,
      data: { id: 1, description: 'A mug', image_file: name, image_url: url, url_zoom: url, url_tiny: url },
    })
    expect(await fileOf(shop, name)).toEqual(png)
    expect(await rowsOf(shop, 'files')).toMatchObject([{ name, owner_kind: 'product_image', owner_id: 1 }])
  })

  test('is replaced by another image, stays when its address is sent back, and can be deleted', async () => {
    const shop = await openProduct()
    await call(shop, 'POST', IMAGES, { image_url: `${cdn}/mug.png` })
    const image = (await call(shop, 'GET', `${IMAGES}/1`)).body.data
    const before = asked.length
    expect((await call(shop, 'PUT', `${IMAGES}/1`, image)).body.data).toEqual(image)
    expect((await call(shop, 'PUT', `${IMAGES}/1`, { sort_order: 1 })).status).toBe(200)
    expect(asked).toHaveLength(before)
    const changed = (await call(shop, 'PUT', `${IMAGES}/1`, { image_url: `${cdn}/mug.gif` })).body.data
    expect(changed.image_file).toMatch(/\.gif$/)
    expect(await stored(shop)).toEqual([changed.image_file])
    expect((await call(shop, 'DELETE', `${IMAGES}/1`)).status).toBe(204)
    expect(await stored(shop)).toEqual([])
  })

  test.each([
    ['a page', '/page.png', NO_PICTURE],
    ['SVG', '/drawing.svg', NO_PICTURE],
    ['a page before a picture', '/polyglot.gif', NO_PICTURE],
    ['nothing', '/empty.png', NO_PICTURE],
    ['too many pixels', '/huge.png', 'A picture may have at most 50000000 pixels; this one has 50000 x 50000.'],
    ['more than 8 MiB', '/too-large.png', `The picture is larger than ${EIGHT_MIB} bytes.`],
    ['not there', '/none.png', 'The address answered with 404.'],
  ])('is refused if it is %s (400), and nothing is stored', async (_, path, sentence) => {
    const shop = await openProduct()
    const image_url = `${cdn}${path}`
    await call(shop, 'POST', IMAGES, { image_url: `${cdn}/mug.png` })
    const before = (await call(shop, 'GET', IMAGES)).body.data
    for (const [method, place] of [
      ['POST', IMAGES],
      ['PUT', `${IMAGES}/1`],
      ['POST', '/catalog/brands'],
    ] as const) {
      expect(await call(shop, method, place, { name: 'Acme', image_url }), `${method} ${place}`).toEqual({
        status: 400,
        body: refusal({ image_url: sentence }),
      })
    }
    expect((await call(shop, 'GET', IMAGES)).body.data).toEqual(before)
    expect((await call(shop, 'GET', '/catalog/brands')).body.data).toEqual([])
    expect(await stored(shop)).toHaveLength(1)
  })

  test('of 8 MiB is fetched', async () => {
    const shop = await openProduct()
    expect((await call(shop, 'POST', IMAGES, { image_url: `${cdn}/large.png` })).status).toBe(200)
    const [name = ''] = await stored(shop)
    expect(await fileOf(shop, name)).toHaveLength(EIGHT_MIB)
  })

  test.each([
    'http://10.0.0.1/a.png',
    'http://169.254.169.254/latest/meta-data/',
    'http://private.test/a.png',
    'http://[::1]/a.png',
    'http://0.0.0.0/a.png',
  ])('is not asked of %s', async (image_url) => {
    const shop = await openProduct()
    const before = asked.length
    expect(await call(shop, 'POST', IMAGES, { image_url })).toEqual({
      status: 400,
      body: refusal({ image_url: NOT_PUBLIC }),
    })
    expect(asked).toHaveLength(before)
  })

  test('is not fetched if its address is malformed, and other mistakes are reported first', async () => {
    const shop = await openProduct()
    const before = asked.length
    for (const image_url of ['file:///etc/passwd', 'ftp://cdn.test/a.png', 'gopher://cdn.test/', 'data:,a', 7, null]) {
      const { status, body } = await call(shop, 'POST', IMAGES, { image_url })
      expect({ status, fields: Object.keys(body.errors) }, String(image_url)).toEqual({
        status: 422,
        fields: ['image_url'],
      })
    }
    expect(asked).toHaveLength(before)
    expect(await call(shop, 'POST', IMAGES, { image_url: `${cdn}/none.png`, sort_order: 'a' })).toMatchObject({
      status: 422,
      body: { errors: { sort_order: 'error.expected.jsnumber' } },
    })
    expect((await call(shop, 'POST', '/catalog/products/9/images', { image_url: `${cdn}/mug.png` })).status).toBe(404)
    expect(await stored(shop)).toEqual([])
  })

  test('is stored once under one Idempotency-Key', async () => {
    const shop = await openProduct()
    const body = { image_url: `${cdn}/mug.png` }
    const first = await call({ ...shop, headers: { 'idempotency-key': 'one' } }, 'POST', IMAGES, body)
    const again = await call({ ...shop, headers: { 'idempotency-key': 'one' } }, 'POST', IMAGES, body)
    expect(first.status).toBe(200)
    expect(again).toEqual(first)
    expect(await stored(shop)).toHaveLength(1)
  })
})

describe('the images in the body of products', () => {
  test('are fetched together, and each is stored for its own image', async () => {
    const shop = await openShop()
    const images = [{ image_url: `${cdn}/mug.png` }, { image_url: `${cdn}/mug.gif`, is_thumbnail: true }]
    const { status, body } = await call(shop, 'POST', '/catalog/products', [
      { ...mug, images },
      { ...mug, name: 'Bowl', images: [{ image_url: `${cdn}/mug.gif` }] },
    ])
    expect(status).toBe(200)
    const [first, second] = body.data
    for (const [image, picture] of [
      [first.images[0], png],
      [first.images[1], gif],
      [second.images[0], gif],
    ] as const) {
      expect(image.image_url).toBe(at(shop, image.image_file))
      expect(await fileOf(shop, image.image_file)).toEqual(picture)
    }
    expect((await rowsOf(shop, 'files')).map(({ owner_id }) => owner_id).sort()).toEqual([1, 2, 3])

    const kept = first.images[0]
    const changed = await call(shop, 'PUT', '/catalog/products/1', {
      images: [kept, { id: first.images[1].id, image_url: `${cdn}/mug.png` }, { image_url: `${cdn}/mug.gif` }],
    })
    expect(changed.status).toBe(200)
    const names = (await call(shop, 'GET', IMAGES)).body.data.map(
      ({ image_file }: { image_file: string }) => image_file,
    )
    expect(names[0]).toBe(kept.image_file)
    expect((await stored(shop)).sort()).toEqual([...names, second.images[0].image_file].sort())
    expect((await call(shop, 'DELETE', '/catalog/products/1')).status).toBe(204)
    expect(await stored(shop)).toEqual([second.images[0].image_file])
  })

  test('that fail to load are reported by field, and nothing of the request is stored', async () => {
    const shop = await openShop()
    const images = [{ image_url: `${cdn}/mug.png` }, { image_url: `${cdn}/page.png` }]
    expect(await call(shop, 'POST', '/catalog/products', { ...mug, images })).toEqual({
      status: 400,
      body: refusal({ 'images.1.image_url': NO_PICTURE }),
    })
    expect(await call(shop, 'POST', '/catalog/products', [mug, { ...mug, name: 'Bowl', images }])).toEqual({
      status: 400,
      body: refusal({ '1.images.1.image_url': NO_PICTURE }),
    })
    expect((await call(shop, 'GET', '/catalog/products')).body.data).toEqual([])
    expect(await stored(shop)).toEqual([])
    // A conflict is found after all pictures were fetched and written.
    await call(shop, 'POST', '/catalog/products', mug)
    expect((await call(shop, 'POST', '/catalog/products', { ...mug, images: [images[0]] })).status).toBe(409)
    expect(await stored(shop)).toEqual([])
  })

  test('are at most ten in one request', async () => {
    const shop = await openProduct()
    const images = (length: number) => ({ images: Array.from({ length }, () => ({ image_url: `${cdn}/mug.png` })) })
    const before = asked.length
    expect(await call(shop, 'PUT', '/catalog/products/1', images(11))).toEqual({
      status: 400,
      body: refusal({ 'images.10.image_url': 'One request can name at most 10 pictures by their address.' }),
    })
    expect(asked.length - before).toBe(10)
    expect((await call(shop, 'PUT', '/catalog/products/1', images(10))).status).toBe(200)
    expect(await stored(shop)).toHaveLength(10)
  })
})

describe.each([
  ['brand', '/catalog/brands', { name: 'Ferm' }],
  ['category', '/catalog/categories', { name: 'Mugs', parent_id: 0 }],
])('the image of a %s', (kind, path, body) => {
  test('is fetched when a body names it, replaced and deleted', async () => {
    const shop = await openShop()
    const made = await call(shop, 'POST', path, { ...body, image_url: `${cdn}/mug.png` })
    expect(made.status).toBe(200)
    const { id, image_url } = made.body.data
    const [first = ''] = await stored(shop)
    expect(image_url).toBe(at(shop, first))
    expect(await rowsOf(shop, 'files')).toMatchObject([{ name: first, owner_kind: kind, owner_id: id }])
    const before = asked.length
    expect((await call(shop, 'PUT', `${path}/${id}`, made.body.data)).body.data.image_url).toBe(image_url)
    expect(asked).toHaveLength(before)
    const changed = await call(shop, 'PUT', `${path}/${id}`, { image_url: `${cdn}/mug.gif` })
    const [second = ''] = await stored(shop)
    expect(changed.body.data.image_url).toBe(at(shop, second))
    expect(await stored(shop)).toEqual([second])
    expect(second).toMatch(/\.gif$/)
    expect((await call(shop, 'PUT', `${path}/${id}`, { image_url: '' })).body.data.image_url).toBe('')
    expect(await stored(shop)).toEqual([])
  })

  test('is deleted if its request is refused', async () => {
    const shop = await openShop()
    await call(shop, 'POST', path, body)
    expect((await call(shop, 'POST', path, { ...body, image_url: `${cdn}/mug.png` })).status).toBe(409)
    expect((await call(shop, 'PUT', `${path}/9`, { image_url: `${cdn}/mug.png` })).status).toBe(404)
    expect(await stored(shop)).toEqual([])
    expect((await call(shop, 'PUT', `${path}/1`, { image_url: `${cdn}/page.png` })).body).toEqual(
      refusal({ image_url: NO_PICTURE }),
    )
  })
})

test('every other image_url is stored unchanged, even if there are many, and nothing is fetched', async () => {
  const shop = await openShop()
  const before = asked.length
  const image_url = `${cdn}/mug.png`
  const values = Array.from({ length: 12 }, (_, i) => ({ label: `${i}`, sort_order: i, value_data: { image_url } }))
  const put = async (method: string, path: string, body: unknown) => {
    const answered = await call(shop, method, `/catalog/products${path}`, body)
    expect(answered.status, JSON.stringify(answered.body)).toBe(200)
    return answered.body.data
  }
  const option_values = [{ option_display_name: 'Size', label: 'S' }]
  const made = await put('POST', '?include=variants', { ...mug, variants: [{ sku: 'S', option_values, image_url }] })
  expect(made.variants[0].image_url).toBe(image_url)
  expect((await put('PUT', '/1/variants/1', { image_url: `${image_url}?2` })).image_url).toBe(`${image_url}?2`)
  const option = await put('POST', '/1/options', {
    display_name: 'Glaze',
    type: 'swatch',
    image_url,
    option_values: values,
  })
  expect(option).toMatchObject({ image_url, option_values: values })
  const adjusted = values.map((value) => ({ ...value, adjusters: { image_url } }))
  const modifier = { display_name: 'Lid', type: 'swatch', required: false, option_values: adjusted }
  expect(await put('POST', '/1/modifiers', modifier)).toMatchObject(modifier)
  expect((await put('POST', '/1/complex-rules', { image_url, conditions: [] })).image_url).toBe(image_url)
  expect({ asked: asked.length - before, stored: await stored(shop) }).toEqual({ asked: 0, stored: [] })
})
