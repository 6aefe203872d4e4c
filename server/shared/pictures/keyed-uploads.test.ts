import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { form, openShop, type Shop, theHouse } from '../../test/fixtures/shop.ts'

// An Idempotency-Key opens a transaction around the handler. Uploads are written before, so that a slow disk or bucket occupies
// no database connection (docs/architecture.md, A transaction waits for the database only).

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
/** The number of connections of a process, POOL_SIZE. */
const CONNECTIONS = 8

afterEach(() => {
  vi.restoreAllMocks()
})

function upload({ call }: Shop, path: string, part: string, key: string) {
  const { payload, headers } = form(part, 'dot.png', png)
  return call('POST', path, undefined, { payload, headers: { ...headers, 'idempotency-key': key } })
}

const storedBy = async ({ store }: Shop) =>
  readdir(join((await theHouse()).files.folder, store.hash)).catch((): string[] => [])

test('other stores get answers while uploads with keys wait for their storage', async () => {
  const { files } = await theHouse()
  const [one, two, other] = [await openShop(), await openShop(), await openShop()]
  for (const shop of [one, two]) {
    await shop.call('POST', '/catalog/brands', { name: 'Ferm' })
    await shop.call('POST', '/catalog/products', { name: 'Mug', type: 'physical', weight: 1, price: 9 })
  }
  const write = files.write.bind(files)
  const isSlow = Promise.withResolvers<void>()
  let writing = 0
  vi.spyOn(files, 'write').mockImplementation(async (...file) => {
    writing++
    await isSlow.promise
    return write(...file)
  })
  const places = [
    ['/catalog/brands/1/image', 'image_file'],
    ['/catalog/products/1/images', 'image_file'],
    ['/catalog/products/1/variants/1/image', 'image_file'],
    ['/settings/logo/image', 'LogoFile'],
  ] as const
  const uploads = [one, two].flatMap((shop) => places.map(([path, part]) => upload(shop, path, part, path)))
  await expect.poll(() => writing).toBe(CONNECTIONS)

  expect((await other.call('GET', '/catalog/brands')).status).toBe(200)
  expect((await other.call('POST', '/catalog/brands', { name: 'Muuto' })).status).toBe(200)

  isSlow.resolve()
  const statuses = (await Promise.all(uploads)).map(({ status }) => status)
  expect(statuses).toEqual([one, two].flatMap(() => [200, 200, 200, 204]))
})

test('an upload with a key leaves no file if it is refused or answered by the stored answer', async () => {
  const shop = await openShop()
  expect((await upload(shop, '/catalog/brands/1/image', 'image_file', 'a')).status).toBe(404)
  expect(await storedBy(shop)).toEqual([])
  await shop.call('POST', '/catalog/brands', { name: 'Ferm' })
  expect((await upload(shop, '/catalog/brands/1/image', 'image_file', 'a')).status).toBe(200)
  const stored = await storedBy(shop)
  expect(stored).toHaveLength(1)
  const { files } = await theHouse()
  const write = vi.spyOn(files, 'write')
  expect((await upload(shop, '/catalog/brands/1/image', 'image_file', 'a')).headers).toHaveProperty(
    'idempotent-replayed',
  )
  expect(write).not.toHaveBeenCalled()
  // Several simultaneous requests with one key write their files, and only one retains its file.
  const many = await Promise.all(
    Array.from({ length: 6 }, () => upload(shop, '/settings/logo/image', 'LogoFile', 'logo')),
  )
  expect(many.map(({ status }) => status).filter((status) => status !== 409 && status !== 204)).toEqual([])
  expect(await storedBy(shop)).toHaveLength(2)
})
