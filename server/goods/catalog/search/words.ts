import { fold } from '../../../core/rest/lists/fold.ts'

// Searches find products by the words of their texts. A word is a run of letters, digits and marks of any script; scripts without blanks
// between words have long runs, whose pieces are found by n-grams.

const LENGTH_MAX = 64
const WORDS_MAX = 250

/** The different words of a text in their order, folded and cut to 64 characters, at most 250. */
export function wordsOf(text: string): string[] {
  const found = new Set<string>()
  for (const [run] of fold(text).matchAll(/[\p{L}\p{N}\p{M}]+/gu)) {
    found.add([...run].slice(0, LENGTH_MAX).join(''))
    if (found.size === WORDS_MAX) break
  }
  return [...found]
}

/** The texts by which a product is found. */
export interface SearchedProduct {
  id: number
  name: string
  sku: string
  upc: string
  search_keywords: string
}

/** The words of a product as `product_names` has them: behind n if the name has them, else behind t. */
export function wordsOfProduct({ name, sku, upc, search_keywords }: Omit<SearchedProduct, 'id'>): string {
  const inName = wordsOf(name)
  const others = wordsOf(`${sku} ${upc} ${search_keywords}`).filter((word) => !inName.includes(word))
  return [...inName.map((word) => `n${word}`), ...others.map((word) => `t${word}`)].join(' ')
}
