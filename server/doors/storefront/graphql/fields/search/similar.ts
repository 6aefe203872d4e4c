import { prepared } from '../../../../../core/db/database.ts'
import { sql } from '../../../../../core/db/sql.ts'
import { Load } from '../../../../../core/graphql/loads.ts'
import { containsByNgrams } from '../../../../../core/rest/lists/filters.ts'
import { wordsOf } from '../../../../../goods/catalog/search/words.ts'
import type { StorefrontCaller } from '../../../caller.ts'

// A word with one wrong letter has a right half: the words that begin with its first half are read off the index of words, and those
// that have its second half are in names with the n-grams of that half.

const LETTERS_MIN = 4
const WORDS_READ = 500
const NAMES_READ = 200
/** The shortest second half: shorter pieces have no n-grams. */
const PIECE_MIN = 3
const LAST = '\u{10FFFF}'

/** The most similar word of each word that no product has; undefined for a word that products have, or that nothing is similar to. */
const similarLoad = new Load<StorefrontCaller, string, string>(async (caller, words) => {
  const found = await Promise.all(
    words.map(async (word): Promise<[string, string][]> => {
      const candidates = await candidatesFor(caller, word)
      if (candidates.some((candidate) => candidate.startsWith(word))) return []
      const similar = candidates.filter((candidate) => isOneLetterOff(word, candidate)).sort()
      return similar[0] === undefined ? [] : [[word, similar[0]]]
    }),
  )
  return new Map(found.flat())
})

export const similarWords = (caller: StorefrontCaller, word: string): Promise<string | undefined> =>
  [...word].length < LETTERS_MIN ? Promise.resolve(undefined) : similarLoad.find(caller, word, undefined)

async function candidatesFor({ storefront: { db } }: StorefrontCaller, word: string): Promise<string[]> {
  const letters = [...word]
  const half = Math.floor(letters.length / 2)
  const [begin, end] = [letters.slice(0, half).join(''), letters.slice(half).join('')]
  const above = begin + LAST
  // Jumps from word to word: a common word has very many rows.
  const beginning = db.rows<{ word: string }>(
    prepared(sql`
    with recursive found as (
      (select word from search_words where store_id = ${db.store.id} and word >= ${begin} and word < ${above} order by word limit 1)
      union all
      select (select next.word from search_words next where next.store_id = ${db.store.id} and next.word > found.word
        and next.word < ${above} order by next.word limit 1)
      from found where found.word is not null
    )
    select word from found where word is not null limit ${WORDS_READ}`),
  )
  const names =
    letters.length - half < PIECE_MIN
      ? []
      : db.rows<{ name_key: string }>(sql`
          select name_key from product_names where store_id = ${db.store.id} and ${containsByNgrams(db, 'name', end)}
          limit ${NAMES_READ}`)
  const [first, second] = await Promise.all([beginning, names])
  return [...new Set([...first.map((row) => row.word), ...second.flatMap(({ name_key }) => wordsOf(name_key))])]
}

/** Whether two words differ in one letter: another one, one more, one less, or two neighbours exchanged. */
export function isOneLetterOff(one: string, other: string): boolean {
  const [a, b] = [[...one], [...other]]
  if (Math.abs(a.length - b.length) > 1) return false
  let start = 0
  while (start < a.length && start < b.length && a[start] === b[start]) start++
  let end = 0
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end++
  const [left, right] = [a.slice(start, a.length - end), b.slice(start, b.length - end)]
  if (left.length + right.length === 0) return false
  if (left.length <= 1 && right.length <= 1) return true
  return left.length === 2 && right.length === 2 && left[0] === right[1] && left[1] === right[0]
}
