import type { Db } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { exportedRows } from '../../../customers/privacy/personal-data.ts'

// Personal data in uses of promotions for the operator's commands (docs/operations.md, "A customer's data").

/** The uses of promotions and coupons by orders, by order. */
export const exportUses = async (db: Db, orderIds: readonly number[]): Promise<Map<unknown, object[]>> =>
  Map.groupBy(
    await exportedRows(db, 'promotion_uses', sql`order_id = any(${orderIds}::int[])`),
    ({ order_id }) => order_id,
  )

/** The data that an erasure does not delete. */
export const KEPT_USES =
  'promotion_uses: uses of promotions and coupons, which name the customer by number, and a guest by the e-mail address of the order'
