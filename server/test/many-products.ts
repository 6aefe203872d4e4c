import { sql } from '../core/db/sql.ts'
import type { Shop } from './shop.ts'
import { dbOf } from './webhooks.ts'

/** Makes so many products of the one that a shop has, as rows alone: more than one statement changes. */
export async function copyProduct(shop: Shop, count: number) {
  const db = await dbOf(shop)
  await db.transaction(async (tx) => {
    await tx.rows(sql`
      -- of a test
      with product as (
        select * from products where store_id = ${db.store.id} and id = 1
      ), copies as (
        select copy.* from product, generate_series(2, ${count}::int) n, jsonb_populate_record(null::products,
          to_jsonb(product) || jsonb_build_object('id', n, 'name', 'Copy ' || n, 'name_key', 'copy ' || n)) copy
      )
      insert into products select * from copies`)
    await tx.rows(sql`
      update counters set last_id = ${count}, total = ${count} where store_id = ${db.store.id} and resource = 'products'`)
  })
}
