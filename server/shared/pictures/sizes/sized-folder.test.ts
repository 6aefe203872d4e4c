import { mkdtemp, readdir, rm, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { SizedFolder } from './sized-folder.ts'

let folder: string
const store = { hash: 'abc' }
const bytes = (size: number) => new Uint8Array(size)

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sized-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const names = async () => (await readdir(join(folder, 'abc'))).sort()
/** Says that a file was last used so many hours ago. */
async function usedBefore(name: string, hours: number) {
  const then = new Date(Date.now() - hours * 3_600_000)
  await utimes(join(folder, 'abc', name), then, then)
}

test('the least recently used files are evicted first', async () => {
  const sized = new SizedFolder(folder, 1_000)
  for (const name of ['a', 'b', 'c']) await sized.store(store, name, bytes(300))
  await usedBefore('a', 9)
  await usedBefore('b', 8)
  await usedBefore('c', 7)
  // A use counts.
  expect(await sized.find(store, 'a')).toMatchObject({ size: 300 })
  await sized.store(store, 'd', bytes(300))
  expect(await names()).toEqual(['a', 'c', 'd'].filter((name) => name !== 'b'))
  expect(await sized.find(store, 'b')).toBeUndefined()
})

test('a new process counts the files that are there', async () => {
  await new SizedFolder(folder, 1_000).store(store, 'old', bytes(900))
  await usedBefore('old', 5)
  await new SizedFolder(folder, 1_000).store(store, 'new', bytes(200))
  expect(await names()).toEqual(['new'])
})

test('unfinished files of crashed processes are deleted, and those of others stay', async () => {
  const sized = new SizedFolder(folder, 10)
  await sized.store(store, 'crashed.part', bytes(5))
  await sized.store(store, 'current.part', bytes(5))
  await usedBefore('crashed.part', 2)
  await new SizedFolder(folder, 10).store(store, 'a', bytes(5))
  expect(await names()).toEqual(['a', 'current.part'])
})

test('the bytes of a file, whole and in part', async () => {
  const sized = new SizedFolder(folder, 1_000)
  await sized.store(store, 'a', Buffer.from('0123456789'))
  const read = async (range?: { first: number; last: number }) =>
    Buffer.concat(await (await sized.read(store, 'a', range)).toArray()).toString()
  expect(await read()).toBe('0123456789')
  expect(await read({ first: 2, last: 4 })).toBe('234')
})
