import { expect, test } from 'vitest'
import { RateCache } from './rate-cache.ts'

const MIB = 1024 * 1024
const KIB_100 = 100 * 1024
const entry = (store: number, bytes: number, expires = 10) => ({ store, bytes, expires, value: `of ${store}` })

test('an answer is kept until it expires', () => {
  const cache = new RateCache<string>()
  cache.set('a', entry(1, 100))
  expect(cache.get('a', 9)).toBe('of 1')
  expect(cache.get('a', 10)).toBeUndefined()
  expect(cache.bytes).toBe(0)
  expect(cache.get('b', 0)).toBeUndefined()
})

test('a store has at most 1 MiB, and evicts its own oldest answers', () => {
  const cache = new RateCache<string>()
  cache.set('other', entry(2, KIB_100))
  for (let i = 0; i < 11; i++) cache.set(`a${i}`, entry(1, KIB_100))
  expect(cache.bytes).toBe(11 * KIB_100)
  expect(cache.get('a0', 0)).toBeUndefined()
  expect(cache.get('a1', 0)).toBe('of 1')
  expect(cache.get('other', 0)).toBe('of 2')
  cache.set('large', entry(3, MIB + 1))
  expect(cache.get('large', 0)).toBeUndefined()
  cache.set('a10', entry(1, 50))
  expect(cache.bytes).toBe(10 * KIB_100 + 50)
})

test('all stores have at most 16 MiB', () => {
  const cache = new RateCache<string>()
  for (let store = 1; store <= 20; store++) cache.set(`of ${store}`, entry(store, MIB))
  expect(cache.bytes).toBe(16 * MIB)
  expect(cache.get('of 4', 0)).toBeUndefined()
  expect(cache.get('of 5', 0)).toBe('of 5')
})
