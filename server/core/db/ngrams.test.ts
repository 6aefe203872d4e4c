import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ngramsOf, ngramsToFind } from './ngrams.ts'

const inStore = (text: string, storeId = 7) => ({ storeId, column: 'name_key', text })

describe('n-grams', () => {
  test('of a text contain those to find for each of its pieces', () => {
    const texts = fc.string({ unit: fc.constantFrom('a', 'b', 'é', ' ', '%', '茶', '🍵'), maxLength: 40 })
    fc.assert(
      fc.property(texts, fc.nat(40), fc.nat(40), (text, from, length) => {
        const piece = [...text].slice(from, from + length).join('')
        expect(ngramsOf(inStore(text))).toEqual(expect.arrayContaining(ngramsToFind(inStore(piece))))
      }),
    )
  })

  test.each([
    { piece: 'mu', count: 0 },
    { piece: 'mug', count: 1 },
    { piece: 'mugs', count: 2 },
    { piece: 'oak mug', count: 3 },
    { piece: 'abcdefghijklmnop', count: 12 },
    { piece: 'abcdefghijklmnopqrstuvwxyz 0123456789', count: 12 },
    { piece: 'aaaaaaaaaaaa', count: 1 },
  ])('to find for "$piece" are $count', ({ piece, count }) => {
    expect(ngramsToFind(inStore(piece))).toHaveLength(count)
  })

  test('of a long piece include its end', () => {
    const [end] = ngramsToFind(inStore('56789'))
    expect(ngramsToFind(inStore('abcdefghijklmnopqrstuvwxyz 0123456789'))).toContain(end)
  })

  test('of another store and of another column differ', () => {
    const here = ngramsOf(inStore('oak mug'))
    expect(here).toHaveLength(8)
    expect(ngramsOf(inStore('oak mug', 8)).filter((ngram) => here.includes(ngram))).toEqual([])
    expect(ngramsOf({ ...inStore('oak mug'), column: 'sku_key' }).filter((ngram) => here.includes(ngram))).toEqual([])
  })

  test('are the stored hashes of earlier versions', () => {
    expect(ngramsOf(inStore('mug'))).toEqual([1_601_464_582])
  })
})
