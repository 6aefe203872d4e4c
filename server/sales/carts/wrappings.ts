import t, { type Static } from 'typebox'
import { type Db, prepared } from '../../core/db/database.ts'
import { sql } from '../../core/db/sql.ts'
import { Amount } from '../../core/rest/input/amounts.ts'
import { Id, NeededText } from '../../core/rest/input/fields.ts'

/**
 * A gift wrapping that a store offers for units of a cart. The operator sets it by `storeward wrapping`; no route of the API changes
 * one. A cart keeps the name and the price that a wrapping had when it was chosen.
 */
const StoreWrapping = t.Object({ id: Id, name: NeededText(100), price: Amount(), is_visible: t.Boolean() })
export type StoreWrapping = Static<typeof StoreWrapping>

/** Wrappings by their ids; unknown ones are missing. */
export async function findWrappings(db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, StoreWrapping>> {
  if (ids.length === 0) return new Map()
  const rows = await db.rows<StoreWrapping>(
    prepared(
      sql`select id, name, price, is_visible from wrappings where store_id = ${db.store.id} and id = any(${ids})`,
    ),
  )
  return new Map(rows.map((row) => [row.id, row]))
}
