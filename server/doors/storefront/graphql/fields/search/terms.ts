import { prepared } from '../../../../../core/db/database.ts'
import { type Sql, sql } from '../../../../../core/db/sql.ts'
import { Load } from '../../../../../core/graphql/loads.ts'
import { containsByNgrams } from '../../../../../core/rest/lists/filters.ts'
import { fold } from '../../../../../core/rest/lists/fold.ts'
import { VALUES } from '../../../../../goods/catalog/search/values.ts'
import { wordsOf } from '../../../../../goods/catalog/search/words.ts'
import type { StorefrontCaller } from '../../../caller.ts'
import { similarWords } from './similar.ts'

// A term is looked up in the names of products and brands and in the SKUs, UPCs and search keywords of products: first as words and
// beginnings of words, then as a piece of a name or SKU, and at last with one letter changed.

const TERM_MAX = 250
const WORDS_MAX = 8
/** Behind every word that begins with another one, in the order of the C collation. */
const LAST = '\u{10FFFF}'
/** The shortest piece that has n-grams. A shorter one would be compared with every name of the store. */
const PIECE_MIN = 3

interface TermWord {
  word: string
  /** The brands with the word in their names. */
  brands: readonly number[]
}

/** A term as products are found by it. */
export type FoundTerm =
  | { kind: 'words'; text: string; words: readonly TermWord[]; corrected: string | null }
  | { kind: 'piece'; text: string; corrected: null }

/** The folded text of a term, without characters that no name has. */
const textOf = (term: string) => fold([...term.replaceAll('\0', '')].slice(0, TERM_MAX).join(''))

/** @returns undefined without a term */
export async function findTerm(
  caller: StorefrontCaller,
  term: string,
  { corrects }: { corrects: boolean },
): Promise<FoundTerm | undefined> {
  const text = textOf(term)
  if (text === '') return undefined
  const found = await byWords(caller, text, null)
  if (found.isFound) return found.term
  if ([...text].length >= PIECE_MIN) {
    const piece: FoundTerm = { kind: 'piece', text, corrected: null }
    if (await existsLoad.find(caller, JSON.stringify(piece), undefined)) return piece
  }
  const corrected = corrects ? await correctedText(caller, text) : undefined
  if (corrected === undefined) return found.term
  const second = await byWords(caller, corrected, corrected)
  return second.isFound ? second.term : found.term
}

async function byWords(caller: StorefrontCaller, text: string, corrected: string | null) {
  const words = wordsOf(text).slice(0, WORDS_MAX)
  const brands = await Promise.all(words.map((word) => brandLoad.find(caller, word, undefined)))
  const term: FoundTerm = {
    kind: 'words',
    text,
    words: words.map((word, i) => ({ word, brands: brands[i] ?? [] })),
    corrected,
  }
  return { term, isFound: (await existsLoad.find(caller, JSON.stringify(term), undefined)) ?? false }
}

/** The brands with words that begin with a word. A store has at most 30,000. */
const brandLoad = new Load<StorefrontCaller, string, number[]>(async ({ storefront: { db } }, words) => {
  const rows = await db.rows<{ word: string; id: number }>(
    prepared(sql`
    select word, id from unnest(${words}::text[]) word
    join brands on store_id = ${db.store.id} and strpos(' ' || translate(name_key, '-_./&+(),''’', '           '), ' ' || word) > 0
    order by id`),
  )
  const found = Map.groupBy(rows, ({ word }) => word)
  return new Map([...found].map(([word, brands]) => [word, brands.map(({ id }) => id)]))
})

/** Whether any product of the channel is found by a term. */
const existsLoad = new Load<StorefrontCaller, string, boolean>(async ({ storefront: { db, channel } }, terms) => {
  const found = await Promise.all(
    terms.map((term) =>
      db.row<{ is_found: boolean }>(sql`
        select exists (
          select from (${termRows(db.store.id, JSON.parse(term), { isGrouped: false })}) term join search_rows hit
            on hit.store_id = ${db.store.id} and hit.product_id = term.product_id and hit.channel_id = ${channel}
        ) as is_found`),
    ),
  )
  return new Map(terms.map((term, i) => [term, found[i]?.is_found ?? false]))
})

/** The term with each unknown word replaced by one that differs in a letter; undefined if there is none. */
async function correctedText(caller: StorefrontCaller, text: string): Promise<string | undefined> {
  const words = wordsOf(text).slice(0, WORDS_MAX)
  const similar = await Promise.all(words.map((word) => similarWords(caller, word)))
  const replaced = words.map((word, i) => similar[i] ?? word)
  const corrected = replaced.join(' ')
  return corrected === words.join(' ') ? undefined : corrected
}

/** The products of a term as a table of `product_id`, `is_named` (all words are in the name) and `has_code`. */
export const termTable = (store: number, term: FoundTerm): Sql => sql`(
    select product_id, bool_or(is_named) as is_named, bool_or(has_code) as has_code
    from (${termRows(store, term, { isGrouped: true })}) found group by product_id)`

/** As the table, with products more than once. @param options ungrouped words can end with the first product */
function termRows(store: number, term: FoundTerm, options: { isGrouped: boolean }): Sql {
  const { text } = term
  // A SKU or UPC is found as a whole, also that of a variant.
  const codes = sql`
    select id as product_id, false as is_named, true as has_code from products
      where store_id = ${store} and sku_key = ${text}
    union all select id, false, true from products where store_id = ${store} and upc_key = ${text}
    union all select product_id, false, true from variants where store_id = ${store} and sku_key = ${text}
    union all select product_id, false, true from variants where store_id = ${store} and upc_key = ${text}`
  return sql`${codes} union all ${term.kind === 'piece' ? pieces(store, text) : words(store, term.words, options)}`
}

const pieces = (store: number, text: string): Sql => {
  const has = (column: string) => containsByNgrams({ store: { id: store } }, column, text)
  return sql`
    select id, false, false from product_names where store_id = ${store} and (${has('name')} or ${has('sku')})`
}

/** The products that have all words. */
function words(store: number, list: readonly TermWord[], { isGrouped }: { isGrouped: boolean }): Sql {
  if (list.length === 0) return sql`select null::int, false, false where false`
  const found = list.map(({ word, brands }, i) => {
    // One letter begins too many words.
    const isWord = [...word].length === 1 ? sql`word = ${word}` : sql`word >= ${word} and word < ${word + LAST}`
    const ofBrands = sql`
      union all select product_id, false from product_facets
      where store_id = ${store} and value = any(${brands.map((id) => VALUES.brand + id)}::bigint[])`
    const rows = sql`
      select product_id, in_name and word = ${word} as is_named from search_words where store_id = ${store} and ${isWord}
      ${brands.length > 0 ? ofBrands : sql.empty}`
    const grouped = sql`select product_id, bool_or(is_named) as is_named from (${rows}) one group by product_id`
    return sql`(${isGrouped ? grouped : rows}) ${sql.raw(`word${i}`)}`
  })
  const named = sql.raw(list.map((_, i) => `word${i}.is_named`).join(' and '))
  const [first = sql.empty, ...others] = found
  const joined = others.map((one) => sql` join ${one} using (product_id)`)
  return sql`select product_id, ${named}, false from ${sql.join([first, ...joined], '')}`
}

/** The rank of a hit, the best first: the name has all words, begins with the term, or a code is the term; then all others. */
export const rankOf = ({ text }: FoundTerm): Sql => sql`(case when term.is_named then 0
  when hit.name_key >= ${text} and hit.name_key < ${text + LAST} then 1 when term.has_code then 2 else 3 end)`
