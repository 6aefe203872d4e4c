import { prepared, type Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { changeStamp } from '../../../core/stamps/stamps.ts'

/** Deleted goods, by their ids. */
type DeletedGoods = { products: readonly number[] } | { variants: readonly number[] }

/**
 * Sets promotions to INVALID if they give away goods that are deleted (docs/contract/promotions.md section 2). It is part of the transaction
 * that deletes the goods, so a promotion that is saved at the same moment either waits for it or is found by it.
 */
export async function invalidatePromotionsOf(tx: Tx, deleted: DeletedGoods) {
  const names =
    'products' in deleted
      ? sql`gift_products && ${[...deleted.products]}::int[]`
      : sql`gift_variants && ${[...deleted.variants]}::int[]`
  const found = await tx.rows<{ id: number }>(
    prepared(sql`
    select id from promotions
    where store_id = ${tx.store.id} and (gift_products <> '{}' or gift_variants <> '{}') and ${names} and status <> 'INVALID'`),
  )
  if (found.length === 0) return
  await changeStamp(tx, 'promotions')
  await tx.rows(sql`
    update promotions set status = 'INVALID' where store_id = ${tx.store.id} and id = any(${found.map(({ id }) => id)})`)
}
