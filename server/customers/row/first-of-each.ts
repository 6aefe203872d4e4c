import { prepared } from '../../core/db/database.ts'
import { sql } from '../../core/db/sql.ts'
import type { Collection } from '../../core/rest/lists/collection.ts'
import type { Inclusion } from '../../core/rest/lists/pages/inclusions.ts'

/** How many of each kind of parts `include` shows of a customer (docs/contract/customers.md section 2.1). */
const SHOWN_MAX = 10

/** What `include` shows of customers: the first rows of each, by id. @param parts rows with a `customer_id` and an index of it */
export const firstOfEach =
  ({ table, columns }: Collection): Inclusion =>
  async (db, ids) => {
    const rows = await db.jsonRows(
      prepared(sql`
      select item.customer_id, ${sql.join(columns.map((column) => sql`item.${sql.id(column)}`))}
      from unnest(${ids}::int[]) customer (id) cross join lateral (
        select ${sql.join(columns.map(sql.id))} from ${sql.id(table)}
        where store_id = ${db.store.id} and customer_id = customer.id order by id limit ${SHOWN_MAX}
      ) item
      order by item.customer_id, item.id`),
      columns,
    )
    const grouped = Map.groupBy(rows.takeTexts(), (_, i) => rows.before[i]?.[0] ?? 0)
    return new Map([...grouped].map(([id, texts]) => [id, `[${texts.join(',')}]`]))
  }
