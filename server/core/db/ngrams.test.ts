import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ngramsOf, ngramsToFind, rarestToFind } from './ngrams.ts'

const inStore = (text: string, storeId = 7) => ({ storeId, column: 'name_key', text })

describe('n-grams', () => {
  test('of a text contain those to find for each of its pieces', () => {
    const texts = fc.string({ unit: fc.constantFrom('a', 'b', 'é', ' ', '%', '茶', '🍵'), maxLength: 40 })
    fc.assert(
      fc.property(texts, fc.nat(40), fc.nat(40), (text, from, length) => {
        const piece = [...text].slice(from, from + length).join('')
        const stored = ngramsOf(inStore(text))
        expect(stored).toEqual(expect.arrayContaining(ngramsToFind(inStore(piece))))
        expect(stored).toEqual(expect.arrayContaining(rarestToFind(inStore(piece))))
      }),
    )
  })

  test.each([
    { piece: 'mu', count: 0 },
    { piece: 'mug', count: 1 },
    { piece: 'mugs', count: 2 },
    { piece: 'coupe', count: 1 },
    { piece: 'oak mug', count: 2 },
    { piece: 'abcdefghijklmnop', count: 4 },
    { piece: 'abcdefghijklmnopqrstuvwxyz 0123456789', count: 8 },
    { piece: Array.from({ length: 100 }, (_, i) => i).join(' '), count: 12 },
    { piece: 'aaaaaaaaaaaa', count: 1 },
  ])('to find for "$piece" are $count', ({ piece, count }) => {
    expect(ngramsToFind(inStore(piece))).toHaveLength(count)
  })

  test('of a long piece include its end', () => {
    const [end] = ngramsToFind(inStore('56789'))
    expect(ngramsToFind(inStore('abcdefghijklmnopqrstuvwxyz 0123456789'))).toContain(end)
  })

  test.each([
    { piece: 'mugs', runs: [] },
    { piece: 'oak mug', runs: ['k mug'] },
    { piece: 'firm a1d0c6e8', runs: ['0c6e8', 'm a1d'] },
    { piece: 'qn0000042', runs: ['00042'] },
    { piece: 'harbour cafes 4711', runs: ['s 471', 'arbou'] },
  ])('that are the rarest of "$piece" are those of $runs', ({ piece, runs }) => {
    expect(rarestToFind(inStore(piece))).toEqual(runs.flatMap((run) => ngramsToFind(inStore(run))))
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
