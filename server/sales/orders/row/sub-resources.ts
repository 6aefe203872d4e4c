import type { Db } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import type { Collection, RowWithId } from '../../../core/rest/lists/collection.ts'
import { findWhere } from '../../../core/rest/lists/verbs.ts'

/** Reads the rows of a sub-resource of orders, for example their lines, sorted by order and id. */
export const rowsOfOrders = <Row extends RowWithId>(
  db: Db,
  collection: Collection<Row>,
  orderIds: readonly number[],
): Promise<Row[]> => findWhere(db, collection, sql`order_id = ${sql.anyOf(orderIds)}`, sql`order by order_id, id`)
