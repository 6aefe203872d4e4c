// A search for a piece of a text looks its n-grams up: the runs of 3 and of 5 characters of each stored text, each as a hash of the
// run with its store and its column, in an inverted index (docs/decisions/067-search-by-ngrams.md).

const SHORT = 3
const LONG = 5
/** More look-ups would find hardly fewer rows. */
const LOOKED_UP_MAX = 12

/** A folded text with the store and the column that it is stored in: texts of others have other n-grams. */
export interface SearchedText {
  storeId: number
  column: string
  text: string
}

/** All n-grams of a text, each once, for the column `ngrams`. A text of less than three characters has none. */
export const ngramsOf = (searched: SearchedText): number[] => [
  ...new Set([...hashes(searched, SHORT), ...hashes(searched, LONG)]),
]

/**
 * N-grams that every text with this piece has, spread over the piece: the longest ones, since a store has the fewest of those, and as
 * many as cover it. More of them overlap, and each costs a look-up for every row that the others find. A piece of less than three
 * characters has none.
 */
export function ngramsToFind(piece: SearchedText): number[] {
  const long = hashes(piece, LONG)
  const [found, size] = long.length > 0 ? [long, LONG] : [hashes(piece, SHORT), SHORT]
  const count = Math.min(found.length, LOOKED_UP_MAX, 1 + Math.ceil((found.length - 1) / size))
  const step = (found.length - 1) / Math.max(1, count - 1)
  const spread = Array.from({ length: count }, (_, i) => found[Math.round(i * step)] ?? 0)
  return [...new Set(spread)]
}

/**
 * Two of the n-grams that every text with this piece has, probably the rarest ones, which do not overlap: common ones are look-ups that
 * exclude no row. A piece of less than six characters has fewer.
 */
export function rarestToFind(piece: SearchedText): number[] {
  const found = hashes(piece, LONG)
  const points = runsOf(piece.text, LONG).map(rarityOf)
  // The later one of equals: the beginnings of names and numbers are common.
  const best = (isFree: (i: number) => boolean) =>
    points.reduce<number>((at, value, i) => (isFree(i) && value >= (points[at] ?? -1) ? i : at), -1)
  const first = best(() => true)
  const second = best((i) => Math.abs(i - first) >= LONG)
  return [first, second].flatMap((i) => found[i] ?? [])
}

/** Digits above 0 are rarer than letters in names and numbers, and repeated characters are common. */
const rarityOf = (run: string): number =>
  [...new Set(run)].reduce((sum, character) => sum + (/[1-9]/.test(character) ? 2 : /[ 0]/.test(character) ? 0 : 1), 0)

/** An `int[]` as text, for an `unnest` of arrays of different lengths. */
export const arrayText = (ngrams: readonly number[]): string => `{${ngrams.join(',')}}`

function hashes({ storeId, column, text }: SearchedText, size: number): number[] {
  const begin = hash(`${storeId} ${column} `, FNV_BASIS)
  return runsOf(text, size).map((run) => hash(run, begin))
}

/** All runs of so many characters, in their order. */
function runsOf(text: string, size: number): string[] {
  const characters = [...text]
  const count = Math.max(0, characters.length - size + 1)
  return Array.from({ length: count }, (_, i) => characters.slice(i, i + size).join(''))
}

// 32-bit FNV-1a over UTF-16 code units. The hashes are stored: another function would need new n-grams for every row.
const FNV_BASIS = 0x811c9dc5
const FNV_PRIME = 0x01000193

function hash(text: string, begin: number): number {
  let value = begin
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), FNV_PRIME)
  return value | 0
}
