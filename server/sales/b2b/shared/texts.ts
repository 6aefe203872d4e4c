import { type Db, prepared, type Tx } from '../../../core/db/database.ts'
import { arrayText, ngramsOf, ngramsToFind, rarestToFind } from '../../../core/db/ngrams.ts'
import { type Sql, sql } from '../../../core/db/sql.ts'
import { fold } from '../../../core/rest/lists/fold.ts'

// Searches find quotes and invoices by pieces of their texts in a table of texts with n-grams (docs/decisions/067-search-by-ngrams.md).

export type SearchedKind = 'quote' | 'invoice'

/** The searched texts of a resource. */
export interface OwnTexts {
  id: number
  texts: readonly string[]
}

/** Stores the searched texts of new or changed resources of a kind. */
export async function storeTexts(tx: Tx, kind: SearchedKind, owners: readonly OwnTexts[]) {
  if (owners.length === 0) return
  // No folded text has a line break at its end or begin, so that no piece spans two texts by accident.
  const keys = owners.map(({ texts }) => texts.map(fold).filter(Boolean).join('\n'))
  const ngrams = keys.map((text) => ngramsOf({ storeId: tx.store.id, column: kind, text }))
  await tx.rows(
    prepared(sql`
    insert into b2b_texts (store_id, kind, id, text_key, ngrams)
    select ${tx.store.id}, ${kind}, id, text_key, ngrams::int[] from unnest(
      ${owners.map(({ id }) => id)}::int[], ${keys}::text[], ${ngrams.map(arrayText)}::text[]
    ) as owner (id, text_key, ngrams)
    on conflict (store_id, kind, id) do update set text_key = excluded.text_key, ngrams = excluded.ngrams
      where b2b_texts.text_key <> excluded.text_key`),
  )
}

/** Deletes the searched texts of a resource. */
export async function deleteTexts(tx: Tx, kind: SearchedKind, id: number) {
  await tx.rows(prepared(sql`delete from b2b_texts where store_id = ${tx.store.id} and kind = ${kind} and id = ${id}`))
}

/** Texts that are compared at once. */
const FEW = 500

/**
 * Matches rows with a piece in their texts, by the column of their id. A piece of less than three characters is compared with every
 * text of the kind.
 *
 * Two rare n-grams find few texts of most pieces. Otherwise all n-grams of the piece are looked up: the index visits the list of a common
 * n-gram once for each text that the others find (docs/decisions/162-lists-of-quotes.md).
 */
export function havingText({ store }: Pick<Db, 'store'>, kind: SearchedKind, piece: string): Sql {
  const text = fold(piece)
  const searched = { storeId: store.id, column: kind, text }
  const [all, rare] = [ngramsToFind(searched), rarestToFind(searched)]
  const having = (ngrams: readonly number[]) => sql`
    from b2b_texts where store_id = ${store.id} and kind = ${kind}
      and ${ngrams.length === 0 ? sql.raw('true') : sql`(ngrams @> ${ngrams}::int[] or ngrams is null)`}`
  const isIn = sql`strpos(text_key, ${text}) > 0`
  if (rare.length < 2) return sql`id = any(array(select id ${having(all)} and ${isIn}))`
  return sql`id = any(array(
    with near as materialized (select id, text_key ${having(rare)}),
    few as materialized (select id, text_key from near limit ${FEW + 1})
    select id from few where ${isIn} and (select count(*) from few) <= ${FEW}
    union all
    select id ${having(all)} and ${isIn} and (select count(*) from few) > ${FEW}))`
}
