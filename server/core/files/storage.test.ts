import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import fastify from 'fastify'
import S3rver from 's3rver'
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { openShop, type Shop } from '../../test/fixtures/shop.ts'
import { dbOf } from '../../test/fixtures/webhooks.ts'
import { randomIds } from '../secrets/ids.ts'
import { Files } from './files.ts'
import { FolderStorage } from './folder.ts'
import { openS3 } from './s3.ts'
import { pictureFiles, rangeOf } from './serve.ts'
import type { Storage } from './storage.ts'

// Files in a folder and in a store that speaks S3: the same tests for both (docs/architecture.md, Files).

const BUCKET = 'uploads'
const DAY_MS = 86_400_000
let s3: { server: S3rver; address: AddressInfo } | undefined

/** A server that speaks S3, in this process. */
async function startS3(folder: string) {
  const server = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory: folder,
    configureBuckets: [{ name: BUCKET }],
  })
  const address: AddressInfo = await server.run()
  s3 = { server, address }
  return address.port
}
afterAll(() => s3?.server.close())

const kinds: [string, (folder: string) => Promise<Storage>][] = [
  ['a folder', async (folder) => new FolderStorage(folder)],
  [
    'a store that speaks S3',
    async (folder) => {
      const port = await startS3(join(inject('folder'), `s3-${process.pid}`))
      const keys = { accessKey: 'S3RVER', secretKey: 'S3RVER' }
      const endpoint = `http://127.0.0.1:${port}`
      return openS3({ bucket: BUCKET, endpoint, region: 'us-east-1', prefix: 'house/', ...keys }, folder)
    },
  ],
]

async function* chunks(...texts: string[]) {
  for (const text of texts) yield Buffer.from(text)
}

describe.each(kinds)('files in %s', (_, open) => {
  let folder: string
  let files: Files
  let storage: Storage
  let shop: Shop
  beforeAll(async () => {
    folder = await mkdtemp(join(inject('folder'), 'storage-'))
    storage = await open(folder)
    files = new Files(folder, 'http://shop.test', randomIds, { storage })
    await files.open()
    shop = await openShop()
  })
  const all = async () => {
    const names: string[] = []
    for await (const some of storage.list(shop.store.hash)) names.push(...some)
    return names.sort()
  }
  const read = async (name: string, range?: { first: number; last: number }) =>
    (await buffer(await files.read(shop.store, name, range))).toString()
  const store = { id: 0, hash: '', limits: {} }
  beforeAll(() => Object.assign(store, { id: shop.store.id, hash: shop.store.hash }))

  test('content is named by its digest, stored once, and read whole, in part and as a local file', async () => {
    const name = '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824.zip'
    for (const draft of [
      await files.draft(store, chunks('hel', 'lo'), 'zip'),
      await files.draft(store, chunks('hello'), 'zip'),
    ]) {
      expect({ name: draft.name, size: draft.size }).toEqual({ name, size: 5 })
      await draft.keep()
    }
    expect(await all()).toEqual([name])
    expect(await files.find(store, name)).toEqual({ size: 5, writtenAt: expect.any(Date) })
    expect([await read(name), await read(name, { first: 1, last: 3 })]).toEqual(['hello', 'ell'])
    expect(await files.lend(store, name, async (path) => (await readFile(path)).toString())).toBe('hello')
    expect(await files.hashes()).toEqual([shop.store.hash])
    await files.discard(store, name)
    expect([await files.find(store, name), await all()]).toEqual([undefined, []])
    await expect(files.read(store, name)).rejects.toThrow()
    await expect(files.lend(store, name, async () => {})).rejects.toThrow()
    // Nothing is left of the unfinished upload.
    expect((await readdir(folder, { recursive: true })).filter((entry) => entry.endsWith('.part'))).toEqual([])
  })

  test('a file is shared with a copy of the store, and remains there when the store deletes it', async () => {
    const draft = await files.draft(store, chunks('shared'), 'zip')
    await draft.keep()
    const other = `copy${process.pid}`
    for (const _ of ['first', 'again']) expect(await storage.share(store.hash, draft.name, other)).toBe(true)
    await files.discard(store, draft.name)
    expect(await files.find(store, draft.name)).toBeUndefined()
    expect((await buffer(await files.read({ hash: other }, draft.name))).toString()).toBe('shared')
    expect(await storage.share(store.hash, draft.name, other)).toBe(false)
    await files.removeAll({ hash: other }, {})
  })

  test('a write that breaks off or is discarded leaves nothing', async () => {
    async function* broken() {
      yield Buffer.from('half')
      throw new Error('The client has gone.')
    }
    await expect(files.draft(store, broken(), 'zip')).rejects.toThrow('The client has gone.')
    await (await files.draft(store, chunks('unwanted'), 'zip')).discard()
    expect(await all()).toEqual([])
    expect((await readdir(folder, { recursive: true })).filter((entry) => entry.endsWith('.part'))).toEqual([])
  })

  test('a full disk is 507, and leaves nothing (C-010)', async () => {
    const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
    async function* filling() {
      yield Buffer.from('first')
      throw full
    }
    await expect(files.draft(store, filling(), 'zip')).rejects.toMatchObject({ status: 507 })
    const draft = await files.draft(store, chunks('x'), 'zip')
    const keep = vi.spyOn(storage, 'keep').mockRejectedValueOnce(full)
    await expect(draft.keep()).rejects.toMatchObject({
      status: 507,
      message: 'The server has no space left for files.',
    })
    keep.mockRestore()
    expect((await readdir(folder, { recursive: true })).filter((entry) => entry.endsWith('.part'))).toEqual([])
    // With space again it works again.
    const name = await files.write(store, Buffer.from('x'), 'png')
    await files.discard(store, name)
  })

  test('strays are deleted when they are a day old, and files with an owner stay', async () => {
    const db = await dbOf(shop)
    const [owned, stray] = [
      await files.draft(store, chunks('owned'), 'zip'),
      await files.draft(store, chunks('stray'), 'zip'),
    ]
    await owned.keep()
    await stray.keep()
    await db.transaction((tx) => files.addOwner(tx, 'somebody', owned.name))
    const picture = await files.write(store, Buffer.from('picture'), 'png')
    expect(await files.clearStrays(db, new Date())).toBe(0)
    expect(await files.clearStrays(db, new Date(Date.now() + DAY_MS + 5_000))).toBe(2)
    expect(await all()).toEqual([owned.name])
    await files.discard(store, owned.name)
    expect(await all()).not.toContain(picture)
  })

  test('pictures are served to everybody, in parts too, and archives to nobody', async () => {
    const server = fastify()
    pictureFiles(server, files, 'http://shop.test/docs')
    const name = await files.write(store, Buffer.from('0123456789'), 'png')
    const get = (path: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
      server.inject({ url: `/files/${store.hash}/${path}`, headers, method })
    const whole = await get(name)
    expect([whole.statusCode, whole.body]).toEqual([200, '0123456789'])
    expect(whole.headers).toMatchObject({
      'content-type': 'image/png',
      'content-length': '10',
      'accept-ranges': 'bytes',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'",
      etag: `"${name}"`,
    })
    const head = await get(name, {}, 'HEAD')
    expect([head.statusCode, head.body, head.headers['content-length']]).toEqual([200, '', '10'])
    const part = await get(name, { range: 'bytes=2-4' })
    expect([part.statusCode, part.body, part.headers['content-range']]).toEqual([206, '234', 'bytes 2-4/10'])
    const beyond = await get(name, { range: 'bytes=10-' })
    expect([beyond.statusCode, beyond.headers['content-range']]).toEqual([416, 'bytes */10'])
    expect((await get(name, { range: 'bytes=2-4', 'if-range': '"other"' })).statusCode).toBe(200)
    expect((await get(name, { 'if-none-match': `"${name}"` })).statusCode).toBe(304)
    const since = String(whole.headers['last-modified'])
    expect((await get(name, { 'if-modified-since': since })).statusCode).toBe(304)
    const archive = await files.draft(store, chunks('PK'), 'zip')
    await archive.keep()
    for (const path of [archive.name, 'nothing.png', `${'0'.repeat(32)}.png`, `%2e%2e%2f${name}`]) {
      expect((await get(path)).statusCode, path).toBe(404)
    }
    for (const gone of [archive.name, name]) await files.discard(store, gone)
    await server.close()
  })
})

test('a process that starts leaves the upload of another one, and deletes the remains of a crash', async () => {
  const folder = await mkdtemp(join(inject('folder'), 'shared-'))
  const files = new Files(folder, '', randomIds)
  await files.open()
  const crashed = join(folder, `${'0'.repeat(32)}.zip.part`)
  await writeFile(crashed, 'half')
  const hoursAgo = new Date(Date.now() - 2 * 3_600_000)
  await utimes(crashed, hoursAgo, hoursAgo)
  async function* slow() {
    yield Buffer.from('first half, ')
    const start = `
      import { Files } from ${JSON.stringify(import.meta.resolve('./files.ts'))}
      import { randomIds } from ${JSON.stringify(import.meta.resolve('../secrets/ids.ts'))}
      await new Files(${JSON.stringify(folder)}, '', randomIds).open()`
    await promisify(execFile)(process.execPath, ['--input-type=module', '-e', start])
    yield Buffer.from('second half')
  }
  const store = { id: 1, hash: 'shop1', limits: {} }
  const draft = await files.draft(store, slow(), 'zip')
  await draft.keep()
  expect((await buffer(await files.read(store, draft.name))).toString()).toBe('first half, second half')
  await expect(stat(crashed)).rejects.toThrow('ENOENT')
})

test('a missing bucket is reported at the start', async () => {
  if (!s3) throw new Error('The store does not run.')
  const endpoint = `http://127.0.0.1:${s3.address.port}`
  const keys = { accessKey: 'S3RVER', secretKey: 'S3RVER' }
  const storage = await openS3({ bucket: 'nowhere', endpoint, region: 'us-east-1', prefix: '', ...keys }, '/tmp')
  await expect(storage.open()).rejects.toThrow('The bucket nowhere of S3_BUCKET cannot be reached')
})

test('a file of a folder that is written again while it is cleared away stays', async () => {
  const folder = await mkdtemp(join(inject('folder'), 'race-'))
  const storage = new FolderStorage(folder)
  const files = new Files(folder, '', randomIds, { storage })
  const store = { id: 1, hash: 'shop1', limits: {} }
  const draft = await files.draft(store, chunks('content'), 'zip')
  await draft.keep()
  const path = join(folder, 'shop1', draft.name)
  await utimes(path, new Date(0), new Date(0))
  const again = await files.draft(store, chunks('content'), 'zip')
  // Between the check and the deletion.
  vi.spyOn(storage, 'find').mockImplementationOnce(async () => {
    await again.keep()
    return { size: 7, writtenAt: new Date(0) }
  })
  expect(await storage.removeIfOlder('shop1', draft.name, new Date(Date.now() - DAY_MS))).toBe(false)
  expect((await readFile(path)).toString()).toBe('content')
  await mkdir(folder, { recursive: true })
})

test.each([
  [undefined, undefined],
  ['bytes=0-3', { first: 0, last: 3 }],
  ['bytes=7-', { first: 7, last: 9 }],
  ['bytes=-3', { first: 7, last: 9 }],
  ['bytes=-30', { first: 0, last: 9 }],
  ['bytes=3-99', { first: 3, last: 9 }],
  ['bytes=10-', 'beyond'],
  ['bytes=-0', 'beyond'],
  ['bytes=4-3', undefined],
  ['bytes=-', undefined],
  ['bytes=0-1,3-4', undefined],
  ['lines=0-1', undefined],
] as const)('of ten bytes %s are %j', (header, range) => {
  expect(rangeOf(header, 10)).toEqual(range)
})
