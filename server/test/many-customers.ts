import { type Sql, sql } from '../core/db/sql.ts'
import type { Shop } from './shop.ts'
import { dbOf } from './webhooks.ts'

/** What customers have one of: a table whose rows name them, and their count of it, if they keep one. */
interface Part {
  table: 'customer_attribute_values' | 'customer_form_field_values'
  count?: 'attribute_count'
}

/**
 * Makes so many customers of the one with the id 1, each with what he has as number 1, as rows alone: more than one statement
 * changes. Their ids begin with 10. @returns the id of the last one
 */
export async function copyCustomer(shop: Shop, count: number, { table, count: column }: Part): Promise<number> {
  const { id } = shop.store
  const last = count + 9
  const copies = (copied: string, fields: Sql) => sql`
    -- of a test
    insert into ${sql.id(copied)}
    select copy.* from ${sql.id(copied)} one, generate_series(10, ${last}::int) n,
      jsonb_populate_record(null::${sql.id(copied)}, to_jsonb(one) || ${fields}) copy
    where one.store_id = ${id} and one.id = 1`
  const db = await dbOf(shop)
  await db.transaction(async (tx) => {
    const counted = column ? sql`jsonb_build_object('id', n, ${column}::text, 1)` : sql`jsonb_build_object('id', n)`
    await tx.rows(copies('customers', counted))
    await tx.rows(copies(table, sql`jsonb_build_object('id', n, 'customer_id', n)`))
    await tx.rows(sql`
      -- of a test
      update counters set last_id = ${last}, total = total + ${count}
      where store_id = ${id} and resource = any(${['customers', table]})`)
  })
  return last
}
