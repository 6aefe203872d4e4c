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
  const [kind, ids] = 'products' in deleted ? ['products', deleted.products] : ['variants', deleted.variants]
  const found = await tx.rows<{ id: number }>(
    prepared(sql`
    select id from promotions
    where store_id = ${tx.store.id} and gifts <> '{"products": [], "variants": []}' and status <> 'INVALID'
      and exists (select 1 from jsonb_array_elements(gifts -> ${kind}) gift where gift::int = any(${[...ids]}::int[]))`),
  )
  if (found.length === 0) return
  await changeStamp(tx, 'promotions')
  await tx.rows(sql`
    update promotions set status = 'INVALID' where store_id = ${tx.store.id} and id = any(${found.map(({ id }) => id)})`)
}
