import type { Db, Tx } from '../../core/db/database.ts'
import { sql } from '../../core/db/sql.ts'
import { pathOfFile } from '../../core/rest/input/picture-addresses.ts'

const FILES_AT_ONCE = 1_000

/** A column with the address of a picture, and the SQL that sets it to `stored.url`. In the SQL, `picture` is a row of the table. */
export interface PictureColumn {
  table: string
  /** The column with the id of the owner of the files; the default is `id`. */
  id?: string
  present: string
  changes: string
}

/** The picture columns of an area, by the kind of owner of the files. */
export type PictureColumns = Readonly<Record<string, PictureColumn>>

/** The column of a picture with the name `image_url`. */
export const imageUrlColumn = ({ table }: { table: string }): PictureColumn => ({
  table,
  present: 'picture.image_url',
  changes: 'image_url = stored.url',
})

/** A stored picture and its owner. */
interface StoredPicture {
  name: string
  owner_kind: string
  owner_id: number
}

/**
 * Converts addresses of stored pictures to paths. Earlier versions stored addresses, which began with the PUBLIC_URL of their
 * process (docs/contract/conventions.md section 16, entry 2). Dates do not change, and no event is published.
 * @param columns the picture columns of all areas
 * @param signal ends the conversion early; the next start continues it
 * @returns the number of changed rows
 * @throws Error for files of a kind of owner that no area names
 */
export async function convertToPaths(db: Db, columns: PictureColumns, signal?: AbortSignal): Promise<number> {
  let changed = 0
  let last = ''
  while (!signal?.aborted) {
    const stored = await db.rows<StoredPicture>(sql`
      select name, owner_kind, owner_id from files where store_id = ${db.store.id} and name > ${last}
      order by name limit ${FILES_AT_ONCE}`)
    const end = stored.at(-1)
    if (!end) break
    changed += await db.transaction((tx) => convertSome(tx, columns, stored))
    last = end.name
  }
  return changed
}

async function convertSome(tx: Tx, columns: PictureColumns, stored: readonly StoredPicture[]): Promise<number> {
  let changed = 0
  for (const [kind, some] of Map.groupBy(stored, ({ owner_kind }) => owner_kind)) {
    const column = columns[kind]
    if (!column) throw new Error(`No area names the column with the pictures of the kind ${kind}.`)
    const { table, id = 'id', present, changes } = column
    const paths = some.map(({ owner_id, name }) => ({ id: owner_id, url: pathOfFile(tx.store, name) }))
    // A row with another picture by now does not match.
    const rows = await tx.rows(sql`
      update ${sql.id(table)} picture set ${sql.raw(changes)}
      from ${sql.table('stored', paths, { id: 'int', url: 'text' })}
      where picture.store_id = ${tx.store.id} and picture.${sql.id(id)} = stored.id
        and ${sql.raw(present)} <> stored.url and ${sql.raw(present)} like '%' || stored.url
      returning picture.${sql.id(id)}`)
    changed += rows.length
  }
  return changed
}
