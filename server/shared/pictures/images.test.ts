import { readdir, readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { problem, wholeBrand } from '../../test/document/expected.ts'
import { type Answered, form, openShop, type Shop, theHouse } from '../../test/fixtures/shop.ts'

// docs/contract/catalog.md section 1, Image endpoint, and docs/contract/brands.md section 3. core/files/image-type.test.ts tests
// the accepted kinds of pictures.

const refused = (sentence: string) => ({
  status: 422,
  body: problem(422, 'JSON data is missing or invalid', { image_file: sentence }),
})
const ONE_PART = 'The form must have one part, the file image_file.'
const NO_PICTURE = 'The file must be a JPEG, PNG, GIF or ICO picture.'

const bytes = (...parts: (string | number[])[]) =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part))))

const jpeg = bytes([0xff, 0xd8, 0xff, 0xe0, 0, 16], 'JFIF\0', [1, 1, 0, 0, 1, 0, 1, 0, 0], [0xff, 0xd9])
const chunk = (type: string, data: number[]) =>
  bytes([0, 0, 0, data.length], type, data, [0, 0, 0, 0]).toString('latin1')
const png = bytes(
  '\x89PNG\r\n\x1a\n',
  chunk('IHDR', [0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0]),
  chunk('IDAT', [0]),
  chunk('IEND', []),
)
const icon = bytes([0, 0, 1, 0, 1, 0], [1, 1, 0, 0, 1, 0, 32, 0, 4, 0, 0, 0, 22, 0, 0, 0], [1, 2, 3, 4])
const little = (value: number) => [value & 0xff, value >> 8]
/** An animation: 13 bytes of header, 15 for each frame, one at the end. */
const gif = (frames: number, side = 1) =>
  bytes(
    'GIF89a',
    [...little(side), ...little(side), 0, 0, 0],
    Array.from({ length: frames }, () => [0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0]).flat(),
    ';',
  )

const EIGHT_MIB = 8 * 1024 * 1024
const padded = (length: number) => Buffer.concat([png, Buffer.alloc(length - png.length)])

const IMAGE = '/catalog/brands/1/image'
const boundary = 'form-of-a-test'
const part = (head: string, content: Buffer | string) =>
  Buffer.concat([Buffer.from(`--${boundary}\r\n${head}\r\n\r\n`), Buffer.from(content), Buffer.from('\r\n')])
const file = (name: string, content: Buffer | string, filename = 'a.png') =>
  part(`content-disposition: form-data; name="${name}"; filename="${filename}"`, content)
const field = (name: string, value: string) => part(`content-disposition: form-data; name="${name}"`, value)
/** A form of any parts, valid or invalid. */
const formOf = (parts: Buffer[], end = `--${boundary}--\r\n`) => ({
  payload: Buffer.concat([...parts, Buffer.from(end)]),
  headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
})

/** A store with one brand. */
async function openBrand(): Promise<Shop> {
  const shop = await openShop()
  await shop.call('POST', '/catalog/brands', { name: 'Ferm' })
  return shop
}

const upload = (shop: Shop, picture: Buffer, filename = 'a.png') =>
  shop.call('POST', IMAGE, undefined, form('image_file', filename, picture))

const brand = async (shop: Shop) => (await shop.call('GET', '/catalog/brands/1')).body.data

/** The names of all files of the store on disk, including unfinished ones. */
async function stored({ store }: Shop): Promise<string[]> {
  const { files } = await theHouse()
  return readdir(join(files.folder, store.hash)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
}

const fetchFile = async (image_url: string) => {
  const { server } = await theHouse()
  return server.inject({ url: new URL(image_url).pathname })
}

const shown = ({ status, body }: Answered) => ({ status, body })

describe('an uploaded picture', () => {
  test.each([
    ['a JPEG', jpeg, 'jpg', 'image/jpeg'],
    ['a PNG', png, 'png', 'image/png'],
    ['a GIF', gif(1), 'gif', 'image/gif'],
    ['an icon', icon, 'ico', /^image\/(x-icon|vnd\.microsoft\.icon)$/],
  ])('is %s by its content, even if its name differs, and is served unchanged', async (_, picture, extension, mime) => {
    const shop = await openBrand()
    const answered = await upload(shop, picture, 'page.html')
    const { image_url } = answered.body.data
    expect(shown(answered)).toEqual({ status: 200, body: { data: { image_url }, meta: {} } })
    expect(image_url).toMatch(new RegExp(`^http://shop\\.test/files/${shop.store.hash}/[0-9a-f]{32}\\.${extension}$`))
    expect(await brand(shop)).toEqual(wholeBrand({ image_url }))
    const served = await fetchFile(image_url)
    expect(served.statusCode).toBe(200)
    expect(served.rawPayload.equals(picture)).toBe(true)
    expect(served.headers['content-type']).toMatch(mime)
    expect(served.headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect(served.headers['x-content-type-options']).toBe('nosniff')
  })

  test('is served without a token, and no folder can be listed', async () => {
    const shop = await openBrand()
    await upload(shop, png)
    const { server } = await theHouse()
    for (const url of [
      `/files/${shop.store.hash}/`,
      `/files/${shop.store.hash}`,
      '/files/',
      '/files/../package.json',
    ]) {
      expect((await server.inject({ url })).statusCode, url).toBeGreaterThanOrEqual(403)
    }
  })

  test('replaces the former one, and its bytes are deleted', async () => {
    const shop = await openBrand()
    const first = (await upload(shop, png)).body.data.image_url
    const second = (await upload(shop, jpeg)).body.data.image_url
    expect(second).not.toBe(first)
    expect(await stored(shop)).toEqual([second.split('/').at(-1)])
    expect((await fetchFile(first)).statusCode).toBe(404)
    expect((await brand(shop)).image_url).toBe(second)
  })

  test('disappears from brand and disk after DELETE, which is 204 also without a picture', async () => {
    const shop = await openBrand()
    const { image_url } = (await upload(shop, png)).body.data
    for (let time = 0; time < 2; time++) {
      expect(await shop.call('DELETE', IMAGE)).toMatchObject({ status: 204, text: '' })
      expect((await brand(shop)).image_url).toBe('')
      expect(await stored(shop)).toEqual([])
    }
    expect((await fetchFile(image_url)).statusCode).toBe(404)
  })

  test('is deleted with its brand, by id and by name', async () => {
    const shop = await openBrand()
    await upload(shop, png)
    await shop.call('POST', '/catalog/brands', { name: 'Acme' })
    await shop.call('POST', '/catalog/brands/2/image', undefined, form('image_file', 'a', jpeg))
    expect(await stored(shop)).toHaveLength(2)
    await shop.call('DELETE', '/catalog/brands/1')
    expect(await stored(shop)).toHaveLength(1)
    await shop.call('DELETE', '/catalog/brands?name=acme')
    expect(await stored(shop)).toEqual([])
  })

  test('stays if other fields of its brand change, or if its address is sent back', async () => {
    const shop = await openBrand()
    const { image_url } = (await upload(shop, png)).body.data
    await shop.call('PUT', '/catalog/brands/1', { name: 'Other' })
    await shop.call('PUT', '/catalog/brands/1', await brand(shop))
    expect((await brand(shop)).image_url).toBe(image_url)
    expect((await fetchFile(image_url)).statusCode).toBe(200)
  })

  test('is replaced by an image_url in JSON, and by an empty one', async () => {
    const shop = await openBrand()
    for (const image_url of ['https://cdn.example.com/ferm.png', '']) {
      await upload(shop, png)
      const changed = await shop.call('PUT', '/catalog/brands/1', { image_url })
      expect(changed.body.data.image_url).toBe(image_url)
      expect(await stored(shop)).toEqual([])
    }
  })

  test('stays if the change that would replace it is refused', async () => {
    const shop = await openBrand()
    await shop.call('POST', '/catalog/brands', { name: 'Acme' })
    const { image_url } = (await upload(shop, png)).body.data
    expect((await shop.call('PUT', '/catalog/brands/1', { image_url: '', name: 'Acme' })).status).toBe(409)
    expect(await brand(shop)).toMatchObject({ name: 'Ferm', image_url })
    expect((await fetchFile(image_url)).statusCode).toBe(200)
  })

  test('is one of several simultaneous uploads, and the others leave no bytes', async () => {
    const shop = await openBrand()
    const answers = await Promise.all([jpeg, png, icon, gif(1), jpeg, png].map((picture) => upload(shop, picture)))
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200))
    const { image_url } = await brand(shop)
    expect(answers.map(({ body }) => body.data.image_url)).toContain(image_url)
    expect(await stored(shop)).toEqual([image_url.split('/').at(-1)])
  })

  test('leaves no bytes if its brand is deleted meanwhile', async () => {
    const shop = await openShop()
    for (let race = 0; race < 30; race++) {
      const { id } = (await shop.call('POST', '/catalog/brands', { name: 'Ferm' })).body.data
      const sent = shop.call('POST', `/catalog/brands/${id}/image`, undefined, form('image_file', 'a', png))
      // The upload needs a turn to write its file, so every other race gives it a head start.
      if (race % 2) await expect.poll(async () => (await stored(shop)).length, { interval: 1 }).toBeGreaterThan(0)
      const deleted = await shop.call('DELETE', `/catalog/brands/${id}`)
      expect(deleted.status).toBe(204)
      expect([200, 404]).toContain((await sent).status)
      expect(await stored(shop), `race ${race}`).toEqual([])
    }
  })

  test('is stored once under one Idempotency-Key', async () => {
    const shop = await openBrand()
    const { payload, headers } = form('image_file', 'a.png', png)
    const keyed = { payload, headers: { ...headers, 'idempotency-key': 'one' } }
    const first = await shop.call('POST', IMAGE, undefined, keyed)
    const again = await shop.call('POST', IMAGE, undefined, keyed)
    expect(shown(again)).toEqual(shown(first))
    expect(again.headers['idempotent-replayed']).toBe('true')
    expect(await stored(shop)).toHaveLength(1)
  })
})

describe('a file that is not an accepted picture', () => {
  test.each([
    ['a text', Buffer.from('Just a text, long enough to be the header of something.'), NO_PICTURE],
    ['nothing', Buffer.alloc(0), NO_PICTURE],
    ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'), NO_PICTURE],
    ['a page that ends as a picture', Buffer.concat([Buffer.from('<html><script>alert(1)</script>'), png]), NO_PICTURE],
    ['the first half of a header', png.subarray(0, 20), NO_PICTURE],
    ['a GIF of 151 frames', gif(151), 'A GIF may have at most 150 frames; this one has more.'],
    ['a GIF of 5121 x 5121', gif(1, 5_121), 'A GIF may have at most 5120 x 5120 pixels; this one has 5121 x 5121.'],
    ['half a GIF', gif(3).subarray(0, 40), 'The GIF is damaged: its blocks break off before the trailer.'],
  ])('as %s is refused (422), and the former picture stays', async (_, content, sentence) => {
    const shop = await openBrand()
    const { image_url } = (await upload(shop, png)).body.data
    expect(shown(await upload(shop, content))).toEqual(refused(sentence))
    expect((await brand(shop)).image_url).toBe(image_url)
    expect(await stored(shop)).toHaveLength(1)
  })

  test.each([
    ['150 frames', gif(150)],
    ['5120 x 5120 pixels', gif(1, 5_120)],
  ])('is not a GIF of %s', async (_, picture) => {
    expect((await upload(await openBrand(), picture)).status).toBe(200)
  })

  test('is refused above 8 MiB (413); a file of exactly 8 MiB is accepted', async () => {
    const shop = await openBrand()
    const tooLarge = await upload(shop, padded(EIGHT_MIB + 1))
    expect(shown(tooLarge)).toEqual({ status: 413, body: problem(413, 'The file image_file is too large.') })
    expect(await stored(shop)).toEqual([])
    const { status, body } = await upload(shop, padded(EIGHT_MIB))
    expect(status).toBe(200)
    const [name = ''] = await stored(shop)
    expect(body.data.image_url).toContain(name)
    const { files } = await theHouse()
    expect((await readFile(join(files.folder, shop.store.hash, name))).length).toBe(EIGHT_MIB)
  })

  test('is also answered 413 over a connection while the client is still sending', async () => {
    const shop = await openBrand()
    const { server } = await theHouse()
    const listener = createServer((request, response) => server.routing(request, response))
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
    try {
      const { payload, headers } = form('image_file', 'a.png', padded(EIGHT_MIB + 1_000_000))
      const { port } = listener.address() as AddressInfo
      const answer = await fetch(`http://127.0.0.1:${port}/stores/${shop.store.hash}/v3${IMAGE}`, {
        method: 'POST',
        headers: { ...headers, 'x-auth-token': shop.admin.access_token },
        body: new Uint8Array(payload),
      })
      expect(answer.status).toBe(413)
    } finally {
      await new Promise((resolve) => listener.close(resolve))
    }
  })
})

describe('a malformed form', () => {
  test.each([
    ['has no part', formOf([]), 422],
    ['names its part otherwise', formOf([file('image', png)]), 422],
    ['has a text where the file belongs', formOf([field('image_file', 'a text')]), 422],
    ['has a file without a name', formOf([file('image_file', png, '')]), 422],
    ['has two files', formOf([file('image_file', png), file('image_file', png)]), 422],
    ['has a second file under another name', formOf([file('image_file', png), file('other', png)]), 422],
    ['has a text beside the file', formOf([file('image_file', png), field('name', 'Ferm')]), 422],
    ['has a text before the file', formOf([field('name', 'Ferm'), file('image_file', png)]), 422],
    ['has 1,000 parts', formOf(Array.from({ length: 1_000 }, (_, i) => file(`image_${i}`, png))), 422],
    ['has 1,000 texts', formOf(Array.from({ length: 1_000 }, (_, i) => field(`field_${i}`, 'a'))), 422],
    ['has a field name of 1 MiB', formOf([file('a'.repeat(1024 * 1024), png)]), 4],
    ['has a field with a prototype for its name', formOf([field('__proto__', 'a'), file('image_file', png)]), 4],
    ['never ends', formOf([file('image_file', png)], ''), 400],
    ['ends within its file', formOf([file('image_file', png).subarray(0, 120)], ''), 400],
    ['ends within its headers', formOf([Buffer.from(`--${boundary}\r\ncontent-dispo`)], ''), 400],
    ['is empty', formOf([], ''), 4],
    ['has another boundary than its header says', formOf([file('image_file', png)].map((p) => p.subarray(3))), 4],
    [
      'holds another form',
      formOf([part('content-type: multipart/mixed; boundary=inner', '--inner\r\n\r\na\r\n--inner--')]),
      4,
    ],
    [
      'holds another form in its file',
      formOf([
        part(
          'content-disposition: form-data; name="image_file"\r\ncontent-type: multipart/mixed; boundary=inner',
          `--inner\r\ncontent-disposition: file; filename="a.png"\r\n\r\n${png.toString('latin1')}\r\n--inner--`,
        ),
      ]),
      4,
    ],
    ['has a part without a name', formOf([part('content-disposition: form-data; filename="a.png"', png)]), 4],
    ['has a part without headers', formOf([part('', png)]), 4],
  ])('because it %s is refused, and no file is left (C-063)', async (_, request, expected) => {
    const shop = await openBrand()
    const { status, body } = await shop.call('POST', IMAGE, undefined, request)
    if (expected >= 100) expect(status).toBe(expected)
    expect(Math.floor(status / 100)).toBe(4)
    expect(body).toMatchObject({ status, title: expect.any(String), errors: expect.any(Object) })
    if (status === 422) expect(Object.keys(body.errors)).toEqual(['image_file'])
    expect(await stored(shop)).toEqual([])
    expect((await brand(shop)).image_url).toBe('')
    expect((await upload(shop, png)).status, 'the next upload').toBe(200)
  })

  test('is refused with the names of missing and unexpected parts', async () => {
    const shop = await openBrand()
    const send = async (parts: Buffer[]) => shown(await shop.call('POST', IMAGE, undefined, formOf(parts)))
    expect(await send([])).toEqual(refused('error.path.missing'))
    expect(await send([file('image_file', png), file('image_file', png)])).toEqual(refused(ONE_PART))
    expect(await send([file('image', png)])).toEqual(refused(ONE_PART))
  })

  test('is 415 as JSON and 400 without a type or boundary, and JSON routes take no form', async () => {
    const shop = await openBrand()
    const { call } = shop
    const { payload, headers } = form('image_file', 'a.png', png)
    expect((await call('POST', IMAGE, { image_file: 'a' })).status).toBe(415)
    for (const [type, status] of [
      ['image/png', 415],
      ['application/octet-stream', 415],
      ['multipart/mixed; boundary=form-of-a-test', 415],
      ['multipart/form-data', 400],
      ['multipart/form-data; boundary=', 400],
    ] as const) {
      const answered = await call('POST', IMAGE, undefined, { payload, headers: { 'content-type': type } })
      expect(answered.status, type).toBe(status)
    }
    expect((await call('POST', '/catalog/brands', undefined, { payload, headers })).status).toBe(415)
    expect((await call('POST', IMAGE)).status).toBeGreaterThanOrEqual(400)
    expect(await stored(shop)).toEqual([])
  })

  test.each([70, 71, 200])('may have a boundary of up to 70 characters: %i', async (length) => {
    const shop = await openBrand()
    const long = 'b'.repeat(length)
    const { payload } = form('image_file', 'a.png', png)
    const renamed = Buffer.from(payload.toString('latin1').replaceAll('form-of-a-test', long), 'latin1')
    const { status } = await shop.call('POST', IMAGE, undefined, {
      payload: renamed,
      headers: { 'content-type': `multipart/form-data; boundary=${long}` },
    })
    expect(status).toBe(length <= 70 ? 200 : 400)
    expect(await stored(shop)).toHaveLength(length <= 70 ? 1 : 0)
  })

  test.each(['../../../etc/passwd', 'a\\b/c', '𝕏'.repeat(200), '"; name="other'])(
    'is accepted with any file name: "%s"',
    async (filename) => {
      const shop = await openBrand()
      const { status, body } = await upload(shop, png, filename.replaceAll('"', '%22'))
      expect(status).toBe(200)
      expect(await stored(shop)).toEqual([body.data.image_url.split('/').at(-1)])
    },
  )
})

describe('the image of an unknown brand', () => {
  test('is 404, and no file is left behind', async () => {
    const shop = await openBrand()
    const stranger = await openShop()
    for (const { call } of [shop, stranger]) {
      const path = call === shop.call ? '/catalog/brands/2/image' : IMAGE
      const id = call === shop.call ? 2 : 1
      const missing = { status: 404, body: problem(404, `The brand ${id} does not exist.`) }
      expect(shown(await call('POST', path, undefined, form('image_file', 'a.png', png)))).toEqual(missing)
      expect(shown(await call('DELETE', path))).toEqual(missing)
    }
    expect([...(await stored(shop)), ...(await stored(stranger))]).toEqual([])
  })
})

describe('an image_url by JSON', () => {
  test.each([
    'http://cdn.example.com/ferm.png',
    'HTTPS://cdn.example.com/Ferm%20Living.png?size=2#top',
    'https://münchen.example/ä.png',
    'http://127.0.0.1/never-fetched.png',
    `https://cdn.example.com/${'a'.repeat(2_048 - 24)}`,
    '',
  ])('is returned as given: "%s"', async (image_url) => {
    const shop = await openBrand()
    const { status, body } = await shop.call('PUT', '/catalog/brands/1', { image_url })
    expect({ status, image_url: body.data.image_url }).toEqual({ status: 200, image_url })
    expect((await brand(shop)).image_url).toBe(image_url)
    expect(await stored(shop)).toEqual([])
  })

  test.each([
    ['a path', '/ferm.png'],
    ['without a scheme', 'cdn.example.com/ferm.png'],
    ['of another scheme', 'ftp://cdn.example.com/ferm.png'],
    ['a file', 'file:///etc/passwd'],
    ['data', 'data:image/png;base64,iVBORw0KGgo='],
    ['a script', 'javascript:alert(1)'],
    ['without a host', 'https://'],
    ['of 2,049 characters', `https://cdn.example.com/${'a'.repeat(2_049 - 24)}`],
    ['a number', 7],
    ['null', null],
  ])('is refused when it is %s (422)', async (_, image_url) => {
    const shop = await openBrand()
    for (const [method, path] of [
      ['POST', '/catalog/brands'],
      ['PUT', '/catalog/brands/1'],
    ] as const) {
      const { status, body } = await shop.call(method, path, { name: 'Other', image_url })
      expect({ status, fields: Object.keys(body.errors) }, method).toEqual({ status: 422, fields: ['image_url'] })
    }
    expect(await brand(shop)).toMatchObject({ name: 'Ferm', image_url: '' })
  })
})
