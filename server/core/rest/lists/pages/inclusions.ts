import { type Db, prepared } from '../../../db/database.ts'
import { sql } from '../../../db/sql.ts'
import type { Collection, RowWithId } from '../collection.ts'
import { selection } from '../columns.ts'

/**
 * Finds sub-resources of rows, such as the images of products, by one statement for all rows of a page. Returns a JSON array for
 * each id, and nothing for ids without sub-resources (docs/contract/conventions.md section 6, include).
 */
export type Inclusion = (db: Db, ids: readonly number[]) => Promise<ReadonlyMap<number, string>>

/** Inclusions by the field that they add to the row. */
export type Inclusions = Readonly<Record<string, Inclusion>>

/**
 * Includes the rows of another collection, in its order. Its column `owner` has the id of the row that includes them. Prepared: the
 * index that begins with the owner is the right one for every store (docs/decisions/008-lists-planned-once.md).
 */
export const included =
  (collection: Collection, owner: string): Inclusion =>
  async (db, ids) => {
    const { columns, order = 'id' } = collection
    const rows = await db.jsonRows(
      prepared(sql`
        select ${sql.id(owner)}, ${selection(columns)} from ${sql.id(collection.table)} item
        where store_id = ${db.store.id} and ${sql.id(owner)} = any(${ids})
        order by ${sql.id(owner)}, ${sql.id(order)}, id`),
      columns,
    )
    const grouped = Map.groupBy(rows.takeTexts(), (_, i) => rows.before[i]?.[0] ?? 0)
    return new Map([...grouped].map(([id, texts]) => [id, `[${texts.join(',')}]`]))
  }

/**
 * Appends sub-resources to the JSON of each row.
 * @param rows objects as JSON, of at least one field
 * @param ids of the rows, in their order
 */
export async function appendInclusions(
  db: Db,
  rows: readonly string[],
  ids: readonly number[],
  inclusions: Inclusions,
): Promise<string[]> {
  const found = await db.together(() =>
    Object.entries(inclusions).map(async ([field, find]) => ({ field, texts: await find(db, ids) })),
  )
  const partsOf = (id: number) => found.map(({ field, texts }) => `,${JSON.stringify(field)}:${texts.get(id) ?? '[]'}`)
  return rows.map((row, i) => `${row.slice(0, -1)}${partsOf(ids[i] ?? 0).join('')}}`)
}

/** The JSON of rows that a handler has read, each with its sub-resources. @param toAnswer without sub-resources */
export const withInclusions = <R extends RowWithId>(
  db: Db,
  rows: readonly R[],
  toAnswer: (row: R) => object,
  inclusions: Inclusions,
): Promise<string[]> =>
  appendInclusions(
    db,
    rows.map((row) => JSON.stringify(toAnswer(row))),
    rows.map(({ id }) => id),
    inclusions,
  )
