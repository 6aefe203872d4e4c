import { type Db, prepared } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import type { Collection, RowWithId } from '../../../core/rest/lists/collection.ts'

/** Reads the rows of a sub-resource of orders, for example their lines, sorted by order and id. */
export const rowsOfOrders = <Row extends RowWithId>(
  db: Db,
  { table, columns }: Collection<Row>,
  orderIds: readonly number[],
): Promise<Row[]> =>
  db.rows<Row>(
    prepared(sql`
    select ${sql.join(columns.map(sql.id))} from ${sql.id(table)}
    where store_id = ${db.store.id} and order_id = any(${orderIds}) order by order_id, id`),
  )
