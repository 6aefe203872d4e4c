import { prepared } from '../../core/db/database.ts'
import { sql } from '../../core/db/sql.ts'
import type { Collection } from '../../core/rest/lists/collection.ts'
import type { Inclusion } from '../../core/rest/lists/pages/inclusions.ts'

/** Most rows of a sub-resource of a customer in answers with `include` (docs/contract/customers.md section 2.1). */
const SHOWN_MAX = 10

/** The first rows of each customer by id, for `include`. The table needs an index by `customer_id`. */
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
