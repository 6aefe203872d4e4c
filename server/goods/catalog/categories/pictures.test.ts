import { readdir } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Addresses } from '../../../core/net/addresses.ts'
import { type App, createApp } from '../../../process/app.ts'
import { readConfig } from '../../../process/config.ts'
import { openShop, type Shop, theHouse } from '../../../test/fixtures/shop.ts'
import { SECRET } from '../../../test/harness/postgres.ts'

// docs/contract/categories.md section 1: if the settings say so, pictures that categories name by address are copied. The
// checks of fetched pictures are in core/net/fetch-image.test.ts.

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** A server of pictures: every address has one, except those that end in `gone.png`. */
const pictures = createServer((request, response) => {
  if (request.url?.endsWith('gone.png')) response.writeHead(404).end()
  else response.end(PNG)
})
let origin: string
let app: App
let shop: Shop

beforeAll(async () => {
  await new Promise<void>((resolve) => pictures.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(pictures.address() as AddressInfo).port}`
  const { installation, files } = await theHouse()
  const config = readConfig({ SECRET, FETCH_IMAGES: 'true', PUBLIC_URL: 'http://shop.test' })
  const policy = { addresses: new Addresses(['127.0.0.0/8']), origins: [] }
  app = await createApp({ ...installation, files, policy, log: pino({ level: 'silent' }) }, config, 'http://shop.test')
  shop = await openShop({ plan: 'unlimited' })
})
afterAll(async () => {
  await app.server.close()
  pictures.close()
})

/** Calls the server that fetches. */
const ask = async (method: 'POST' | 'PUT', path: string, body: unknown) => {
  const { statusCode, payload } = await app.server.inject({
    method,
    url: `/stores/${shop.store.hash}/v3${path}`,
    headers: { 'x-auth-token': shop.admin.access_token, 'content-type': 'application/json' },
    payload: JSON.stringify(body),
  })
  return { status: statusCode, body: JSON.parse(payload) }
}

/** The files of the store, and the addresses of its categories: the same, except for addresses elsewhere. */
const kept = async () => {
  const { files } = await theHouse()
  const stored = await readdir(join(files.folder, shop.store.hash)).catch(() => [])
  const { data } = (await shop.call('GET', '/catalog/categories?limit=250')).body
  const shown = data.flatMap(({ image_url }: { image_url: string }) => image_url || [])
  expect(shown.map((url: string) => url.split('/').at(-1)).sort()).toEqual(stored.sort())
  return stored.length
}

const COPY = /^http:\/\/shop\.test\/files\/\w+\/[0-9a-f]{32}\.png$/

describe('the picture of a category', () => {
  test('is copied when the category is created and changed, and replaced by another', async () => {
    const made = await ask('POST', '/catalog/categories', { name: 'Mugs', parent_id: 0, image_url: `${origin}/a.png` })
    expect(made).toMatchObject({ status: 200, body: { data: { image_url: expect.stringMatching(COPY) } } })
    expect(await kept()).toBe(1)
    const { id, image_url } = made.body.data
    const same = await ask('PUT', `/catalog/categories/${id}`, { image_url })
    expect(same.body.data.image_url).toBe(image_url)
    const other = await ask('PUT', `/catalog/categories/${id}`, { image_url: `${origin}/b.png` })
    expect(other.body.data.image_url).toMatch(COPY)
    expect(other.body.data.image_url).not.toBe(image_url)
    expect(await kept()).toBe(1)
    await shop.call('DELETE', `/catalog/categories/${id}`)
    expect(await kept()).toBe(0)
  })

  test('refuses the category if it cannot be fetched (400), and leaves no file if the category is not saved', async () => {
    const fields = { name: 'Mugs', parent_id: 0 }
    const gone = await ask('POST', '/catalog/categories', { ...fields, image_url: `${origin}/gone.png` })
    expect(gone).toMatchObject({ status: 400, body: { errors: { image_url: expect.any(String) } } })
    const misplaced = await ask('POST', '/catalog/categories', {
      ...fields,
      parent_id: 99,
      image_url: `${origin}/a.png`,
    })
    expect(misplaced.status).toBe(422)
    expect(await kept()).toBe(0)
  })

  test('is copied for each saved item of a batch only', async () => {
    const item = (name: string, more: object = {}) => ({
      name,
      tree_id: 1,
      parent_id: 0,
      image_url: `${origin}/${name}.png`,
      ...more,
    })
    const some = await ask('POST', '/catalog/trees/categories', [
      item('One'),
      item('Lost', { parent_id: 99 }),
      item('Two'),
    ])
    expect(some).toMatchObject({ status: 207, body: { meta: { total: 3, success: 2, failed: 1 } } })
    expect(some.body.data.map((category: { image_url: string }) => category.image_url)).toEqual([
      expect.stringMatching(COPY),
      expect.stringMatching(COPY),
    ])
    expect(await kept()).toBe(2)
    const [one, two] = some.body.data.map(({ category_id }: { category_id: number }) => category_id)
    const changed = await ask('PUT', '/catalog/trees/categories', [
      { category_id: one, image_url: `${origin}/new.png` },
      { category_id: two, parent_id: 99, image_url: `${origin}/new.png` },
    ])
    expect(changed.status).toBe(207)
    expect(await kept()).toBe(2)
    const none = await ask('POST', '/catalog/trees/categories', [item('One'), item('Lost', { tree_id: 9 })])
    expect(none.status).toBe(422)
    expect(await kept()).toBe(2)
    const unfetched = await ask('PUT', '/catalog/trees/categories', [
      { category_id: one, views: 1 },
      { category_id: two, image_url: `${origin}/gone.png` },
    ])
    expect(unfetched).toMatchObject({ status: 400, body: { errors: { '1.image_url': expect.any(String) } } })
    expect(await kept()).toBe(2)
  })
})
