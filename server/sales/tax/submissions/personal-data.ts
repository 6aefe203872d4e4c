import type { Db } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { exportedRows } from '../../../customers/privacy/personal-data.ts'

// Personal data in tax documents for the operator's commands (docs/operations.md, "A customer's data").

/** The tax documents of orders, by order. A call that waits for its answer has its body: address and customer of the order. */
export const exportTaxDocuments = async (db: Db, orderIds: readonly number[]): Promise<Map<unknown, object[]>> =>
  Map.groupBy(
    await exportedRows(db, 'tax_documents', sql`order_id = any(${orderIds}::int[])`),
    ({ order_id }) => order_id,
  )

/** The data that an erasure does not delete. */
export const KEPT_TAX_DOCUMENTS =
  'tax_documents: calls to the tax provider that wait for an answer, with the addresses of the order; an answered call is deleted'
