import type { Db } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import type { IdStore, StoredId } from './imports/id-map.ts'

const PIECE = 5_000

/** The id map of a store, in its database. */
export const storedIds = (db: Db): IdStore => ({
  async load() {
    const all: StoredId[] = []
    for (let last: StoredId | undefined; ; ) {
      const after: Pick<StoredId, 'kind' | 'old_id'> = last ?? { kind: '', old_id: '' }
      const piece = await db.rows<StoredId>(sql`
        select kind, old_id, new_id from import_ids
        where store_id = ${db.store.id} and (kind, old_id) > (${after.kind}, ${after.old_id})
        order by kind, old_id limit ${PIECE}`)
      all.push(...piece)
      last = piece.at(-1)
      if (piece.length < PIECE) return all
    }
  },
  async store(ids) {
    await db.transaction((tx) =>
      tx.rows(sql`
        insert into import_ids (store_id, kind, old_id, new_id)
        select ${tx.store.id}, kind, old_id, new_id
        from jsonb_to_recordset(${JSON.stringify(ids)}::jsonb) as pairs (kind text, old_id text, new_id text)
        on conflict (store_id, kind, old_id) do nothing`),
    )
  },
})

interface IdFilter {
  kind?: string | undefined
  old_id?: string | undefined
  new_id?: string | undefined
  /** The last pair of the page before. */
  after?: { kind: string; old_id: string } | undefined
  limit: number
}

/** Pairs of ids in the order of kind and former id. */
export function findImportedIds(db: Db, { kind, old_id, new_id, after, limit }: IdFilter): Promise<StoredId[]> {
  const conditions = [
    // The bundle itself.
    sql`kind <> ${BUNDLE_KIND}`,
    ...(kind === undefined ? [] : [sql`kind = ${kind}`]),
    ...(old_id === undefined ? [] : [sql`old_id = ${old_id}`]),
    ...(new_id === undefined ? [] : [sql`new_id = ${new_id}`]),
    ...(after === undefined ? [] : [sql`(kind, old_id) > (${after.kind}, ${after.old_id})`]),
  ]
  return db.rows(sql`
    select kind, old_id, new_id from import_ids where store_id = ${db.store.id} and ${sql.and(conditions)}
    order by kind, old_id limit ${limit}`)
}

/** The kind under which the bundle itself is stored. */
const BUNDLE_KIND = '$bundle'

/** The bundle that was imported into a store. */
interface ImportedBundle {
  id: string
  /** The store or the address that it comes from. */
  source: string
}

export async function findImported(db: Db): Promise<ImportedBundle | undefined> {
  const rows = await db.rows<{ field: string; value: string }>(sql`
    select old_id as field, new_id as value from import_ids where store_id = ${db.store.id} and kind = ${BUNDLE_KIND}`)
  const { id, source = '' } = Object.fromEntries(rows.map(({ field, value }) => [field, value]))
  return id === undefined ? undefined : { id, source }
}

export const storeImported = (db: Db, { id, source }: ImportedBundle): Promise<void> =>
  storedIds(db).store([
    { kind: BUNDLE_KIND, old_id: 'id', new_id: id },
    { kind: BUNDLE_KIND, old_id: 'source', new_id: source },
  ])
