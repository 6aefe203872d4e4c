import t from 'typebox'
import { NGRAM_COLUMNS } from '../../core/db/copies/copied-tables.ts'
import type { Tx } from '../../core/db/database.ts'
import { arrayText, ngramsOf } from '../../core/db/ngrams.ts'
import { sql } from '../../core/db/sql.ts'
import { enqueue } from '../../core/jobs/enqueue.ts'
import { done, runner, task, tryAgain } from '../../core/jobs/task.ts'

// Copies have no n-grams, because their hashes include the number of the store. Searches read the texts of such rows, so they find the
// same, and a job computes the n-grams.

const ROWS_AT_ONCE = 500

const computeTask = task('compute_ngrams', t.Object({}), {
  maxMs: 60_000,
  retryDelay: (failures) => (failures <= 100 ? 5_000 : undefined),
})

export const computeNgramsLater = (tx: Tx) => enqueue(tx, computeTask, { payload: {} })

/** May run twice: a row that has its n-grams stays. */
export const ngramRunner = () =>
  runner(computeTask, async ({ db, signal }) => {
    for (const table of Object.keys(NGRAM_COLUMNS)) {
      while (await db.transaction((tx) => computeSome(tx, table))) {
        if (signal.aborted) return tryAgain('More rows need their n-grams.')
      }
    }
    return done
  })

interface SearchedRow {
  id: number
  /** Empty for tables whose key is the id. */
  kind: string
  texts: Record<string, string>
}

/** The key of a table besides the id, and its searched texts by the names under which they are searched. */
const SEARCHED: Readonly<Record<string, { kind: string; order: string; texts: string }>> = {
  product_names: { kind: `''`, order: 'id', texts: `jsonb_build_object('name_key', name_key, 'sku_key', sku_key)` },
  customer_names: { kind: `''`, order: 'id', texts: `jsonb_build_object('name_key', name_key)` },
  b2b_texts: { kind: 'kind', order: 'kind, id', texts: 'jsonb_build_object(kind, text_key)' },
}

/** @returns whether there may be more */
async function computeSome(tx: Tx, table: string): Promise<boolean> {
  const searched = SEARCHED[table]
  if (!searched) throw new Error(`Nobody says which texts of ${table} are searched.`)
  const kind = sql.raw(searched.kind)
  const rows = await tx.rows<SearchedRow>(sql`
    select id, ${kind} as kind, ${sql.raw(searched.texts)} as texts from ${sql.id(table)}
    where store_id = ${tx.store.id} and ngrams is null order by ${sql.raw(searched.order)} limit ${ROWS_AT_ONCE} for update`)
  const ngrams = rows.map(({ texts }) =>
    Object.entries(texts).flatMap(([column, text]) => ngramsOf({ storeId: tx.store.id, column, text })),
  )
  const computed = sql.table(
    'computed',
    rows.map(({ id, kind }, i) => ({ id, kind, ngrams: arrayText(ngrams[i] ?? []) })),
    { id: 'int', kind: 'text', ngrams: 'text' },
  )
  const isSame = [sql`stored.id = computed.id`, ...(searched.kind === 'kind' ? [sql`stored.kind = computed.kind`] : [])]
  await tx.rows(sql`
    update ${sql.id(table)} stored set ngrams = computed.ngrams::int[] from ${computed}
    where stored.store_id = ${tx.store.id} and ${sql.and(isSame)}`)
  return rows.length === ROWS_AT_ONCE
}
