import type { Db, Tx } from '../../core/db/database.ts'
import { sql } from '../../core/db/sql.ts'
import { pathOfFile } from '../../core/rest/input/picture-addresses.ts'

const FILES_AT_ONCE = 1_000

/** The column that keeps a picture, and how it is changed to `stored.url`. In the SQL, `picture` is a row of the table. */
export interface PictureHolder {
  table: string
  /** The column of the id that owns the files; `id` if not given. */
  id?: string
  present: string
  changes: string
}

/** The holders of an area's pictures, by the kind of what owns the files. */
export type PictureHolders = Readonly<Record<string, PictureHolder>>

/** The holder of a picture that has its address in a column of its own. */
export const imageUrlHolder = ({ table }: { table: string }): PictureHolder => ({
  table,
  present: 'picture.image_url',
  changes: 'image_url = stored.url',
})

/** A stored picture, and what it belongs to. */
interface StoredPicture {
  name: string
  owner_kind: string
  owner_id: number
}

/**
 * Makes rows keep the paths of stored pictures. Earlier versions kept addresses, which began with the PUBLIC_URL of the process that
 * wrote them (docs/contract/conventions.md section 16, entry 2). No date changes, and nothing is published.
 * @param holders those of all areas
 * @param signal ends it early: the next start does the rest
 * @returns how many rows it changed
 * @throws Error if files belong to a kind of things that no area names
 */
export async function keepPaths(db: Db, holders: PictureHolders, signal?: AbortSignal): Promise<number> {
  let changed = 0
  let last = ''
  while (!signal?.aborted) {
    const stored = await db.rows<StoredPicture>(sql`
      select name, owner_kind, owner_id from files where store_id = ${db.store.id} and name > ${last}
      order by name limit ${FILES_AT_ONCE}`)
    const end = stored.at(-1)
    if (!end) break
    changed += await db.transaction((tx) => keepSome(tx, holders, stored))
    last = end.name
  }
  return changed
}

async function keepSome(tx: Tx, holders: PictureHolders, stored: readonly StoredPicture[]): Promise<number> {
  let changed = 0
  for (const [kind, some] of Map.groupBy(stored, ({ owner_kind }) => owner_kind)) {
    const holder = holders[kind]
    if (!holder) throw new Error(`No area says where the addresses of pictures of the kind ${kind} stand.`)
    const { table, id = 'id', present, changes } = holder
    // A row that has got another picture meanwhile doesn't match.
    const rows = await tx.rows(sql`
      update ${sql.id(table)} picture set ${sql.raw(changes)}
      from unnest(
        ${some.map(({ owner_id }) => owner_id)}::int[],
        ${some.map(({ name }) => pathOfFile(tx.store, name))}::text[],
        ${some.map(({ name }) => `%${pathOfFile(tx.store, name)}`)}::text[]
      ) as stored (id, url, own)
      where picture.store_id = ${tx.store.id} and picture.${sql.id(id)} = stored.id
        and ${sql.raw(present)} <> stored.url and ${sql.raw(present)} like stored.own
      returning picture.${sql.id(id)}`)
    changed += rows.length
  }
  return changed
}
