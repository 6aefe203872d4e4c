import { prepared, type Tx } from '../core/db/database.ts'
import { type Sql, sql } from '../core/db/sql.ts'
import type { OrderRow } from './rows.ts'

// When orders were placed, by spans of ids. Ids and dates mostly rise together, but a client may say any date_created: so a list by id
// that is about dates passes over the spans that have none of its orders, and looks at each order of the others (docs/decisions/033-lists-of-orders.md).

/** Orders of one span. */
const SPAN = 250

const firstIdOf = (id: number) => Math.floor((id - 1) / SPAN) * SPAN + 1

/** Counts a new order with its span: a row that it shares with those around it, and most often leaves as it is. */
export const noteSpan = (tx: Tx, { id, date_created }: Pick<OrderRow, 'id' | 'date_created'>) =>
  tx.rows(
    prepared(sql`
    insert into order_spans as span (store_id, first_id, last_id, earliest, latest)
    values (${tx.store.id}, ${firstIdOf(id)}, ${firstIdOf(id) + SPAN - 1}, ${date_created}, ${date_created})
    on conflict (store_id, first_id) do update set
      earliest = least(span.earliest, excluded.earliest), latest = greatest(span.latest, excluded.latest)
    where excluded.earliest < span.earliest or excluded.latest > span.latest`),
  )

/** The same for orders whose ids follow each other. */
export const noteSpans = (tx: Tx, first: number, count: number) =>
  tx.rows(
    prepared(sql`
    insert into order_spans as span (store_id, first_id, last_id, earliest, latest)
    select ${tx.store.id}, first_id, first_id + ${SPAN - 1}::int, min(date_created), max(date_created)
    from (
      select (id - 1) / ${SPAN}::int * ${SPAN}::int + 1 as first_id, date_created from orders
      where store_id = ${tx.store.id} and id between ${first} and ${first + count - 1}
    ) placed
    group by first_id order by first_id
    on conflict (store_id, first_id) do update set
      earliest = least(span.earliest, excluded.earliest), latest = greatest(span.latest, excluded.latest)`),
  )

/**
 * The condition that an order may have been placed between two dates, for a statement that joins the order with its span.
 * @param dates as rows have them; undefined where there is no bound
 */
export const spanMeets = (after: string | undefined, before: string | undefined): Sql =>
  sql.and([
    sql`orders.id between span.first_id and span.last_id`,
    ...(after === undefined ? [] : [sql`span.latest >= ${after}`]),
    ...(before === undefined ? [] : [sql`span.earliest <= ${before}`]),
  ])
