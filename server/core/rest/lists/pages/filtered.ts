import type { Db } from '../../../db/database.ts'
import { type Sql, sql } from '../../../db/sql.ts'
import type { Collection, ListQuery } from '../collection.ts'
import { names, selection } from '../columns.ts'
import { fieldsOf } from '../verbs.ts'
import { offsetOf, orderOf } from './order.ts'

/**
 * A page of the rows for which conditions hold. Their keys are found once, from an index: total and page both come from them. Only
 * the rows of the page are read.
 *
 * Each row begins with the total, a 0 and its id, as `findPage` reads them. It is planned for its store and its values each time: a
 * plan for any pattern of `name:like` took 89 ms where the plan for this one took 12 (docs/decisions/008-lists-planned-once.md).
 * @param keysIn the table that conditions and order are about: the collection's own, or another with the same ids
 */
export function filteredPage(
  db: Db,
  collection: Collection,
  query: ListQuery,
  { conditions, keysIn }: { conditions: readonly Sql[]; keysIn: string },
): Sql {
  const { keys, by } = orderOf(collection, query)
  const fields = fieldsOf(collection, query)
  return sql`
    with found as materialized (
      select ${names(keys)} from ${sql.id(keysIn)} where store_id = ${db.store.id} and ${sql.and(conditions)}
    ), page as (
      select * from found order by ${by()} limit ${query.limit} offset ${offsetOf(query)}
    ), ${rowsOfPage(db, collection, fields)}
    select (select count(*) from found), 0, item.id, ${selection(fields)}
    from (values (1)) one left join page on true left join item on item.id = page.id
    order by ${by('page')}`
}

/**
 * The rows whose ids are in `page`, read by one scan: in a join the wall would be checked again for each of them, which costs about
 * as much as the row.
 */
export const rowsOfPage = ({ store }: Db, { table }: Collection, fields: readonly string[]): Sql =>
  sql`item as materialized (
    select ${names(fields)} from ${sql.id(table)}
    where store_id = ${store.id} and id = any(array(select id from page))
  )`
