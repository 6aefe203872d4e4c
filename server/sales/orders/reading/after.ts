import { type Db, prepared } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import type { OrderRow } from '../row/rows.ts'

type OrderHead = Pick<OrderRow, 'id' | 'customer_id' | 'channel_id' | 'date_created' | 'date_modified'>

/** The orders after an id, archived ones included, in the order of their ids. */
export const ordersAfter = (db: Db, id: number, limit: number): Promise<OrderHead[]> =>
  db.rows<OrderHead>(
    prepared(sql`
    select id, customer_id, channel_id, date_created, date_modified from orders
    where store_id = ${db.store.id} and id > ${id} order by id limit ${limit}`),
  )
