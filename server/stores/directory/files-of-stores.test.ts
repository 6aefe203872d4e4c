import { mkdir, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { form, openShop, type Shop, theHouse } from '../../test/fixtures/shop.ts'
import { rowsOf } from '../../test/fixtures/webhooks.ts'
import { clearStrayFiles } from './files-of-stores.ts'

// Files that a crash between the disk and the database leaves behind (docs/operations.md section 8).

const DAY_MS = 86_400_000
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const named = (n: number, ending = 'png') => `${n.toString(16).padStart(32, '0')}.${ending}`
const now = () => new Date(Date.now() + DAY_MS / 2)

const folderOf = async (hash: string) => join((await theHouse()).files.folder, hash)
const filesOf = async ({ store }: Shop) => (await readdir(await folderOf(store.hash))).sort()
/** Writes a file without a row, as a crash leaves it, this long before `now`. */
async function leave(hash: string, name: string, age: number) {
  const folder = await folderOf(hash)
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, name), png)
  const at = new Date(now().getTime() - age)
  await utimes(join(folder, name), at, at)
}
const clear = async () => {
  const { installation, files } = await theHouse()
  return clearStrayFiles({ directory: installation.directory, files }, now())
}

/** A shop with an old picture of a brand. */
async function openPictured() {
  const shop = await openShop()
  await shop.call('POST', '/catalog/brands', { name: 'Ferm' })
  const { status } = await shop.call('POST', '/catalog/brands/1/image', undefined, form('image_file', 'a.png', png))
  expect(status).toBe(200)
  const [name = ''] = await filesOf(shop)
  await leave(shop.store.hash, name, 9 * DAY_MS)
  return { ...shop, name }
}

afterEach(async () => {
  const { files } = await theHouse()
  for (const hash of await files.hashes()) await rm(join(files.folder, hash), { recursive: true })
})

test('files without rows are removed when they are a day old, and no others', async () => {
  const shop = await openPictured()
  const { hash } = shop.store
  const old = [named(1), named(2, 'gif'), named(3, 'jpg.part')]
  for (const name of old) await leave(hash, name, DAY_MS + 1_000)
  const kept = [named(4), named(5, 'png.part')]
  for (const name of kept) await leave(hash, name, DAY_MS - 60_000)
  // A file of another program.
  for (const name of ['README', 'a.png']) await leave(hash, name, 9 * DAY_MS)
  expect(await clear()).toBe(3)
  expect(await filesOf(shop)).toEqual([...kept, shop.name, 'README', 'a.png'].sort())
  expect(await readFile(join(await folderOf(hash), shop.name))).toEqual(png)
  expect(await rowsOf(shop, 'files')).toMatchObject([{ name: shop.name }])
  expect(await clear()).toBe(0)
})

test('a row of another store does not protect a file', async () => {
  const [one, other] = [await openPictured(), await openPictured()]
  await leave(other.store.hash, one.name, 2 * DAY_MS)
  expect(await clear()).toBe(1)
  expect([await filesOf(one), await filesOf(other)]).toEqual([[one.name], [other.name]])
})

test('all files are checked, even if there are many', async () => {
  const shop = await openPictured()
  for (let n = 1; n <= 1_100; n++) await leave(shop.store.hash, named(n), 2 * DAY_MS)
  expect(await clear()).toBe(1_100)
  expect(await filesOf(shop)).toEqual([shop.name])
})

test('the folder of an unknown store stays untouched', async () => {
  await leave('stranger', named(1), 9 * DAY_MS)
  expect(await clear()).toBe(0)
  expect(await readdir(await folderOf('stranger'))).toEqual([named(1)])
})
