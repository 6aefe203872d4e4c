import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { invalid, problem } from '../../../test/document/expected.ts'
import { sized } from '../../../test/document/sized.ts'
import { form, openShop, type Shop, theHouse } from '../../../test/fixtures/shop.ts'
import { rowsOf } from '../../../test/fixtures/webhooks.ts'

// docs/contract/product-parts.md section 5. The rules of all sub-resources are in sub-resources.test.ts, accepted pictures in
// core/files/image-type.test.ts, fetched ones in fetched-images.test.ts.

const text = (length: number) => 'a'.repeat(length)

const PRODUCT = '/catalog/products/1'
const IMAGES = `${PRODUCT}/images`
const EIGHT_MIB = 8 * 1024 * 1024
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const gif = Buffer.from('R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs=', 'base64')
const padded = (length: number) => Buffer.concat([png, Buffer.alloc(length - png.length)])

async function openProduct(): Promise<Shop> {
  const shop = await openShop()
  await shop.call('POST', '/catalog/products', { name: 'Mug', type: 'physical', weight: 0.4, price: 18.5 })
  return shop
}

const answered = async ({ call }: Shop, method: string, path: string, body?: unknown) => {
  const { status, body: found } = await call(method, path, body)
  return { status, body: found }
}
const boundary = 'form-of-a-test'
const part = (head: string, content: Buffer | string) =>
  Buffer.concat([Buffer.from(`--${boundary}\r\n${head}\r\n\r\n`), Buffer.from(content), Buffer.from('\r\n')])
const file = (content: Buffer, name = 'image_file', filename = 'a.png') =>
  part(`content-disposition: form-data; name="${name}"; filename="${filename}"`, content)
const field = (name: string, content: string) => part(`content-disposition: form-data; name="${name}"`, content)
const formOf = (...parts: Buffer[]) => ({
  payload: Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)]),
  headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
})
const send = async ({ call }: Shop, method: string, path: string, ...parts: Buffer[]) => {
  const { status, body } = await call(method, path, undefined, formOf(...parts))
  return { status, body }
}
const images = async ({ call }: Shop) => (await call('GET', IMAGES)).body.data
const stored = async ({ store }: Shop) => readdir(join((await theHouse()).files.folder, store.hash)).catch(() => [])
const fetchFile = async (url: string, headers: Record<string, string> = {}) =>
  (await theHouse()).server.inject({ url: new URL(url).pathname, headers })

const CDN = 'https://cdn.example.com/mug.png'
const lying = (url: string) => ({
  image_url: url,
  url_zoom: url,
  url_standard: url,
  url_thumbnail: url,
  url_tiny: url,
})
const blank = {
  id: 1,
  product_id: 1,
  is_thumbnail: true,
  sort_order: 0,
  description: '',
  image_file: '',
  ...lying(CDN),
  date_modified: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
}

describe('an image by its address', () => {
  test('is shown at that address, in one size', async () => {
    const shop = await openProduct()
    const whole = { status: 200, body: { data: blank, meta: {} } }
    const sent = { image_url: CDN, product_id: 9, url_zoom: 'ignored', date_modified: 'ignored', image_file: 'ignored' }
    expect(await answered(shop, 'POST', IMAGES, sent)).toEqual(whole)
    expect(await answered(shop, 'GET', `${IMAGES}/1`)).toEqual(whole)
    const changes = { image_url: 'http://cdn.example.com/2.png', description: 'Two', sort_order: -3 }
    const changed = { status: 200, body: { data: { ...blank, ...changes, ...lying(changes.image_url) }, meta: {} } }
    expect(await answered(shop, 'PUT', `${IMAGES}/1`, changes)).toEqual(changed)
    expect(await answered(shop, 'GET', `${IMAGES}/1`)).toEqual(changed)
    expect(await stored(shop)).toEqual([])
  })

  describe('has bounds', () => {
    let shop: Shop
    beforeAll(async () => {
      shop = await openProduct()
      await shop.call('POST', IMAGES, { image_url: CDN })
    })

    test.each([
      ['image_url', `https://cdn.example.com/${text(231)}`],
      ['image_url', 'HTTPS://münchen.example/ä.png?size=2#top'],
      ['description', text(65_535)],
      ['sort_order', -2_147_483_648],
      ['sort_order', 2_147_483_647],
    ])('%s may be at its bound', async (name, value) => {
      const { status, body } = await shop.call('POST', IMAGES, { image_url: CDN, [name]: value })
      expect({ status, data: body.data }).toMatchObject({ status: 200, data: { [name]: value } })
    })

    test.each([
      ['image_url', `https://cdn.example.com/${text(232)}`],
      ['image_url', ''],
      ['image_url', null],
      ['image_url', '/mug.png'],
      ['image_url', 'ftp://cdn.example.com/mug.png'],
      ['image_url', 'file:///etc/passwd'],
      ['image_url', 'data:image/png;base64,iVBORw0KGgo='],
      ['image_url', 'gopher://cdn.example.com/mug.png'],
      ['is_thumbnail', 'true'],
      ['is_thumbnail', 1],
      ['description', text(65_536)],
      ['sort_order', 2_147_483_648],
      ['sort_order', '1'],
    ])('%s past its bound is refused in both writes: %j', async (name, value) => {
      const before = await images(shop)
      for (const [method, path] of [
        ['POST', IMAGES],
        ['PUT', `${IMAGES}/1`],
      ] as const) {
        const { status, body } = await shop.call(method, path, { image_url: CDN, [name]: value })
        expect({ status, fields: Object.keys(body.errors) }, method).toEqual({ status: 422, fields: [name] })
      }
      expect(await images(shop)).toEqual(before)
    })

    test('a new one has an address or a file, and all mistakes are reported at once', async () => {
      expect(await answered(shop, 'POST', IMAGES, { sort_order: 'a', image_file: 'no file' })).toEqual({
        status: 422,
        body: invalid({
          sort_order: 'error.expected.jsnumber',
          image_url: 'error.path.missing',
          image_file: 'error.path.missing',
        }),
      })
    })
  })
})

describe('an image by form', () => {
  test('is stored, and every address is that of the stored copy', async () => {
    const shop = await openProduct()
    const { status, body } = await shop.call('POST', IMAGES, undefined, form('image_file', 'mug.gif', png))
    const [name = ''] = await stored(shop)
    const url = `http://shop.test/files/${shop.store.hash}/${name}`
    expect({ status, body }).toEqual({
      status: 200,
      body: { data: { ...blank, image_file: name, ...lying(url) }, meta: {} },
    })
    expect(name).toMatch(/^[0-9a-f]{32}\.png$/)
    expect((await images(shop))[0]).toEqual(body.data)
    expect((await fetchFile(url)).rawPayload).toEqual(png)
  })

  test('takes texts before and after the file, in NFC', async () => {
    const shop = await openProduct()
    const described = [field('description', 'Cre\u0300me'), field('sort_order', '-7')]
    const more = [field('is_thumbnail', 'true'), field('unknown', 'ignored')]
    expect((await send(shop, 'POST', IMAGES, ...described, file(png), ...more)).status).toBe(200)
    expect(await send(shop, 'POST', IMAGES, file(png), field('is_thumbnail', '1'))).toMatchObject({
      status: 200,
      body: { data: { id: 2, is_thumbnail: true } },
    })
    expect(await send(shop, 'POST', IMAGES, file(png), field('is_thumbnail', '0'))).toMatchObject({ status: 200 })
    for (const word of ['True', 'False', '']) {
      expect(await send(shop, 'POST', IMAGES, file(png), field('is_thumbnail', word)), word).toMatchObject({
        status: 200,
        body: { data: { is_thumbnail: word === 'True', sort_order: 0 } },
      })
    }
    expect(await images(shop)).toMatchObject([
      { id: 1, description: 'Crème', sort_order: -7, is_thumbnail: false },
      { id: 2, description: '', sort_order: 0, is_thumbnail: false },
      { id: 3, is_thumbnail: false },
      { id: 4, is_thumbnail: true },
      { id: 5, is_thumbnail: false },
      { id: 6, is_thumbnail: false },
    ])
    expect(await send(shop, 'PUT', `${IMAGES}/1`, field('sort_order', ''), field('description', ''))).toMatchObject({
      status: 200,
      body: { data: { sort_order: -7, description: '' } },
    })
  })

  test('replaces the picture of an image, or changes its texts only', async () => {
    const shop = await openProduct()
    await send(shop, 'POST', IMAGES, file(png), field('description', 'A mug'))
    const [before] = await images(shop)
    expect(await send(shop, 'PUT', `${IMAGES}/1`, field('sort_order', '4'))).toMatchObject({
      status: 200,
      body: { data: { ...before, sort_order: 4, date_modified: expect.any(String) } },
    })
    expect(await stored(shop)).toEqual([before.image_file])
    const { body } = await send(shop, 'PUT', `${IMAGES}/1`, file(gif))
    expect(body.data).toMatchObject({ description: 'A mug', sort_order: 4, is_thumbnail: true })
    expect(await stored(shop)).toEqual([body.data.image_file])
    expect(body.data.image_file).toMatch(/\.gif$/)
    expect((await fetchFile(before.image_url)).statusCode).toBe(404)
    const elsewhere = await shop.call('PUT', `${IMAGES}/1`, { image_url: CDN })
    expect(elsewhere.body.data).toMatchObject({ image_file: '', ...lying(CDN) })
    expect(await stored(shop)).toEqual([])
  })

  test('stays while it is sent back as it was read, and goes with DELETE', async () => {
    const shop = await openProduct()
    await send(shop, 'POST', IMAGES, file(png))
    const [image] = await images(shop)
    expect(await answered(shop, 'PUT', `${IMAGES}/1`, image)).toEqual({ status: 200, body: { data: image, meta: {} } })
    expect(await stored(shop)).toEqual([image.image_file])
    expect((await shop.call('DELETE', `${IMAGES}/1`)).status).toBe(204)
    expect(await stored(shop)).toEqual([])
    expect(await rowsOf(shop, 'files')).toEqual([])
  })

  test.each([
    ['no file', [field('description', 'A')], ['image_file', 'image_url']],
    ['two files', [file(png), file(png)], ['image_file']],
    ['a file of another name', [file(png, 'image')], ['image_file']],
    ['a file without a name', [file(png, 'image_file', '')], ['image_file']],
    ['a text for a file', [field('image_file', 'text')], ['image_file']],
    ['no picture', [file(Buffer.from('Just a text, long enough to be a header of something.'))], ['image_file']],
    [
      'SVG',
      [file(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'))],
      ['image_file'],
    ],
    ['an odd number', [file(png), field('sort_order', '1.5')], ['sort_order']],
    ['a large number', [file(png), field('sort_order', '2147483648')], ['sort_order']],
    ['an odd truth', [file(png), field('is_thumbnail', 'yes')], ['is_thumbnail']],
    ['a prototype for a truth', [file(png), field('is_thumbnail', 'toString')], ['is_thumbnail']],
    ['a long description', [file(png), field('description', '😀'.repeat(65_536))], ['description']],
    ['many texts', [file(png), ...Array.from({ length: 24 }, (_, i) => field(`t${i}`, 'a'))], ['image_file']],
    ['two mistakes', [file(png), field('sort_order', 'x'), field('is_thumbnail', 'x')], ['is_thumbnail', 'sort_order']],
  ])('with %s is refused at its fields (422), and leaves no file', async (_, parts, fields) => {
    const shop = await openProduct()
    const { status, body } = await send(shop, 'POST', IMAGES, ...parts)
    expect({ status, fields: Object.keys(body.errors ?? {}).sort() }).toEqual({ status: 422, fields: fields.sort() })
    expect(await stored(shop)).toEqual([])
    expect(await images(shop)).toEqual([])
  })

  test('may have 8 MiB and no byte more (413)', async () => {
    const shop = await openProduct()
    expect(await send(shop, 'POST', IMAGES, file(padded(EIGHT_MIB + 1)))).toEqual({
      status: 413,
      body: problem(413, 'The file image_file is too large.'),
    })
    expect(await stored(shop)).toEqual([])
    const { status, body } = await send(shop, 'POST', IMAGES, file(padded(EIGHT_MIB)))
    expect(status).toBe(200)
    const path = join((await theHouse()).files.folder, shop.store.hash, body.data.image_file)
    expect((await readFile(path)).length).toBe(EIGHT_MIB)
  })

  test('is refused when its header says more than 50 million pixels', async () => {
    const shop = await openProduct()
    const huge = Buffer.from(png)
    huge.writeUInt32BE(50_000, 16)
    huge.writeUInt32BE(1_001, 20)
    expect(await send(shop, 'POST', IMAGES, file(huge))).toEqual({
      status: 422,
      body: invalid({ image_file: 'A picture may have at most 50000000 pixels; this one has 50000 x 1001.' }),
    })
    huge.writeUInt32BE(1_000, 20)
    expect((await send(shop, 'POST', IMAGES, file(huge))).status).toBe(200)
  })

  test('has one of two content types: others are 415', async () => {
    const shop = await openProduct()
    for (const type of ['image/png', 'text/plain', 'application/octet-stream']) {
      const { status } = await shop.call('POST', IMAGES, undefined, { payload: png, headers: { 'content-type': type } })
      expect(status, type).toBe(415)
    }
    expect((await shop.call('POST', IMAGES)).status).toBe(400)
  })

  test('is stored once under one Idempotency-Key, and leaves no file for an unknown product', async () => {
    const shop = await openProduct()
    const { payload, headers } = formOf(file(png))
    const keyed = { payload, headers: { ...headers, 'idempotency-key': 'one' } }
    const first = await shop.call('POST', IMAGES, undefined, keyed)
    const again = await shop.call('POST', IMAGES, undefined, keyed)
    expect(again.body).toEqual(first.body)
    expect(again.headers['idempotent-replayed']).toBe('true')
    expect(await stored(shop)).toHaveLength(1)
    expect((await send(shop, 'POST', '/catalog/products/2/images', file(png))).status).toBe(404)
    expect((await send(shop, 'PUT', `${IMAGES}/9`, file(png))).status).toBe(404)
    expect(await stored(shop)).toHaveLength(1)
  })
})

test('a picture leaves no bytes when its product is deleted meanwhile (C-012)', async () => {
  const shop = await openShop()
  for (let race = 1; race <= sized(1_000, 20); race++) {
    const product = { name: `Mug ${race}`, type: 'physical', weight: 0.4, price: 18.5 }
    const { id } = (await shop.call('POST', '/catalog/products', product)).body.data
    const sent = send(shop, 'POST', `/catalog/products/${id}/images`, file(png))
    // The upload writes its file first, so every other race gives it that head start.
    if (race % 2) await expect.poll(async () => (await stored(shop)).length, { interval: 1 }).toBeGreaterThan(0)
    expect((await shop.call('DELETE', `/catalog/products/${id}`)).status).toBe(204)
    expect([200, 404]).toContain((await sent).status)
    expect(await stored(shop), `race ${race}`).toEqual([])
  }
  expect(await rowsOf(shop, 'files')).toEqual([])
})

describe('the thumbnail of a product', () => {
  const crowned = async (shop: Shop) =>
    (await images(shop))
      .filter((image: { is_thumbnail: boolean }) => image.is_thumbnail)
      .map(({ id }: { id: number }) => id)
  const add = ({ call }: Shop, values: object = {}) => call('POST', IMAGES, { image_url: CDN, ...values })

  test('is the first image, until another one is requested', async () => {
    const shop = await openProduct()
    expect((await add(shop, { is_thumbnail: false })).body.data.is_thumbnail).toBe(true)
    expect((await add(shop)).body.data.is_thumbnail).toBe(false)
    expect(await crowned(shop)).toEqual([1])
    expect((await add(shop, { is_thumbnail: true })).body.data.is_thumbnail).toBe(true)
    expect(await crowned(shop)).toEqual([3])
    expect((await shop.call('PUT', `${IMAGES}/2`, { is_thumbnail: true })).body.data.is_thumbnail).toBe(true)
    expect(await crowned(shop)).toEqual([2])
  })

  test('passes to the next image in the order of the list when it is deleted or given up', async () => {
    const shop = await openProduct()
    for (const sort_order of [1, 5, 3, 3]) await add(shop, { sort_order })
    expect(await crowned(shop)).toEqual([1])
    await shop.call('DELETE', `${IMAGES}/1`)
    expect(await crowned(shop)).toEqual([3])
    expect((await shop.call('PUT', `${IMAGES}/3`, { is_thumbnail: false })).body.data.is_thumbnail).toBe(false)
    expect(await crowned(shop)).toEqual([4])
    await shop.call('DELETE', `${IMAGES}/2`)
    expect(await crowned(shop)).toEqual([4])
    await shop.call('DELETE', `${IMAGES}/4`)
    expect(await crowned(shop)).toEqual([3])
    const only = await answered(shop, 'PUT', `${IMAGES}/3`, { is_thumbnail: false })
    expect(only).toMatchObject({ status: 200, body: { data: { is_thumbnail: true } } })
    await shop.call('DELETE', `${IMAGES}/3`)
    expect(await images(shop)).toEqual([])
    expect((await add(shop)).body.data.is_thumbnail).toBe(true)
  })

  test('is always exactly one, also after concurrent requests', async () => {
    const shop = await openProduct()
    for (let round = 0; round < 6; round++) {
      const there = (await images(shop)).map(({ id }: { id: number }) => id)
      const answers = await Promise.all([
        add(shop, { is_thumbnail: true }),
        add(shop),
        ...there
          .slice(0, 3)
          .map((id: number) => shop.call('PUT', `${IMAGES}/${id}`, { is_thumbnail: round % 2 === 0 })),
        ...there.slice(-2).map((id: number) => shop.call('DELETE', `${IMAGES}/${id}`)),
      ])
      for (const { status } of answers) expect([200, 204, 404]).toContain(status)
      expect(await crowned(shop), `round ${round}`).toHaveLength(1)
    }
  })
})

test('images are listed by sort_order, then by id', async () => {
  const shop = await openProduct()
  for (const sort_order of [5, -1, 5, 0]) await shop.call('POST', IMAGES, { image_url: CDN, sort_order })
  expect((await images(shop)).map(({ id }: { id: number }) => id)).toEqual([2, 4, 1, 3])
})

test('a product has at most 1,000 images (403), also after concurrent requests', async () => {
  const shop = await openProduct()
  const put = (length: number) => ({ images: Array.from({ length }, (_, i) => ({ image_url: `${CDN}?${i}` })) })
  expect((await shop.call('PUT', PRODUCT, put(1_001))).status).toBe(422)
  expect((await shop.call('PUT', PRODUCT, put(998))).status).toBe(200)
  const answers = await Promise.all([1, 2, 3, 4].map(() => shop.call('POST', IMAGES, { image_url: CDN })))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 403, 403])
  const [refused] = answers.filter(({ status }) => status === 403)
  expect(refused?.body).toEqual(problem(403, 'A product can have at most 1000 images.'))
  expect((await shop.call('GET', IMAGES)).body.meta.pagination.total).toBe(1_000)
  expect((await send(shop, 'POST', IMAGES, file(png))).status).toBe(403)
  expect(await stored(shop)).toEqual([])
})

describe('a list in the body of a product', () => {
  const put = (shop: Shop, list: unknown) => answered(shop, 'PUT', PRODUCT, { images: list })
  const shown = async (shop: Shop) =>
    (await images(shop)).map(
      ({ id, is_thumbnail, image_url }: { id: number; is_thumbnail: boolean; image_url: string }) => ({
        id,
        is_thumbnail,
        image_url,
      }),
    )
  const at = (n: number) => `https://cdn.example.com/${n}.png`

  test('creates the images of a new product; the last that asks for it is the thumbnail, else the first', async () => {
    const { call } = await openShop()
    const product = { name: 'Mug', type: 'physical', weight: 0.4, price: 18.5 }
    const { status, body } = await call('POST', '/catalog/products', {
      ...product,
      images: [
        { image_url: at(1), is_thumbnail: true },
        { image_url: at(2), is_thumbnail: true, description: 'Two' },
        { image_url: at(3), id: 77 },
      ],
    })
    expect({ status, images: body.data.images }).toMatchObject({
      status: 200,
      images: [
        { id: 1, image_url: at(1), is_thumbnail: false },
        { id: 2, image_url: at(2), is_thumbnail: true, description: 'Two' },
        { id: 3, image_url: at(3), is_thumbnail: false },
      ],
    })
    const second = await call('POST', '/catalog/products', {
      ...product,
      name: 'Bowl',
      images: [
        { image_url: at(1), sort_order: 5 },
        { image_url: at(2), sort_order: 1 },
      ],
    })
    expect(second.body.data.images).toMatchObject([
      { id: 5, is_thumbnail: true, sort_order: 1 },
      { id: 4, is_thumbnail: false, sort_order: 5 },
    ])
  })

  test('replaces all images, one of which is the thumbnail', async () => {
    const shop = await openProduct()
    await put(shop, [{ image_url: at(1) }, { image_url: at(2) }, { image_url: at(3) }])
    expect(await shown(shop)).toEqual([
      { id: 1, is_thumbnail: true, image_url: at(1) },
      { id: 2, is_thumbnail: false, image_url: at(2) },
      { id: 3, is_thumbnail: false, image_url: at(3) },
    ])
    await put(shop, [{ image_url: at(4) }, { id: 3, is_thumbnail: true }, { id: 2, image_url: at(9) }])
    expect(await shown(shop)).toEqual([
      { id: 2, is_thumbnail: false, image_url: at(9) },
      { id: 3, is_thumbnail: true, image_url: at(3) },
      { id: 4, is_thumbnail: false, image_url: at(4) },
    ])
    await put(shop, [{ id: 2 }, { id: 4 }])
    expect(await shown(shop)).toEqual([
      { id: 2, is_thumbnail: true, image_url: at(9) },
      { id: 4, is_thumbnail: false, image_url: at(4) },
    ])
    await put(shop, [{ id: 2, is_thumbnail: false }, { id: 4 }])
    expect(await shown(shop)).toMatchObject([{ id: 2 }, { id: 4 }])
    expect((await shown(shop)).filter(({ is_thumbnail }: { is_thumbnail: boolean }) => is_thumbnail)).toHaveLength(1)
  })

  test('keeps stored pictures of named images, and deletes the others', async () => {
    const shop = await openProduct()
    for (const picture of [png, gif, png]) await send(shop, 'POST', IMAGES, file(picture))
    const [first, , third] = await images(shop)
    expect((await put(shop, [first, { id: 3, image_url: CDN }])).status).toBe(200)
    expect(await stored(shop)).toEqual([first.image_file])
    expect(await images(shop)).toMatchObject([first, { id: 3, image_file: '', image_url: CDN }])
    expect((await fetchFile(third.image_url)).statusCode).toBe(404)
    expect(await put(shop, [{ id: 9 }, { description: 'Nothing' }])).toEqual({
      status: 422,
      body: invalid({ 'images.1.image_url': 'error.path.missing' }),
    })
    expect(await put(shop, [{ id: 9 }])).toEqual({
      status: 422,
      body: invalid({ 'images.0.id': 'This product has none with the id 9.' }),
    })
    expect(await stored(shop)).toEqual([first.image_file])
  })
})

describe('a stored picture', () => {
  test('is served with its type for a year, and not again to clients that have it', async () => {
    const shop = await openProduct()
    for (const [picture, type] of [
      [png, 'image/png'],
      [gif, 'image/gif'],
    ] as const) {
      const { body } = await send(shop, 'POST', IMAGES, file(picture))
      const { statusCode, headers, rawPayload } = await fetchFile(body.data.url_standard)
      expect({ statusCode, headers }).toMatchObject({
        statusCode: 200,
        headers: {
          'content-type': type,
          'cache-control': 'public, max-age=31536000, immutable',
          'x-content-type-options': 'nosniff',
          'content-security-policy': "default-src 'none'",
        },
      })
      expect(rawPayload).toEqual(picture)
      const { etag } = headers
      expect(etag).toMatch(/^(W\/)?"[^"]+"$/)
      const again = await fetchFile(body.data.url_standard, { 'if-none-match': String(etag) })
      expect({ status: again.statusCode, bytes: again.rawPayload.length }).toEqual({ status: 304, bytes: 0 })
    }
  })

  test('is served from its own path only: no other file and no folder', async () => {
    const shop = await openProduct()
    const { body } = await send(shop, 'POST', IMAGES, file(png))
    const { url_standard, image_file } = body.data
    const folder = `http://shop.test/files/${shop.store.hash}`
    const other = await openShop()
    for (const url of [
      folder,
      `${folder}/`,
      `http://shop.test/files/`,
      `${url_standard}.part`,
      `${folder}/..%2f${shop.store.hash}%2f${image_file}`,
      `${folder}/%2e%2e/${image_file}`,
      `http://shop.test/files/${other.store.hash}/${image_file}`,
      `${folder}/${image_file.replace('.png', '.gif')}`,
    ]) {
      expect((await fetchFile(url)).statusCode, url).toBeGreaterThanOrEqual(400)
    }
  })
})
