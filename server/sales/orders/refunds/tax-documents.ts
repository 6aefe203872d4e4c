import type { Db } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { runner } from '../../../core/jobs/task.ts'
import { findOne } from '../../../core/rest/lists/verbs.ts'
import { findLocation } from '../../../goods/inventory/locations/location-shape.ts'
import { FIRST_LOCATION } from '../../../goods/stock/stock.ts'
import { taxTables } from '../../tax/calculation/tables.ts'
import { documentOf } from '../../tax/estimates/document.ts'
import { saleFacts } from '../../tax/estimates/facts.ts'
import { originOf } from '../../tax/estimates/sale.ts'
import { type SubmissionParts, submissionTask, submit, type WantedDocument } from '../../tax/submissions/submission.ts'
import { documentNeed } from '../arithmetic/tax-document.ts'
import { fees, lines, orderAddresses, orders, pickupConsignments } from '../row/rows.ts'
import { rowsOfOrders } from '../row/sub-resources.ts'
import { findRepayments, refunds } from './rows.ts'
import { type OrderToSubmit, saleOfOrder } from './sale-of-order.ts'

/** Brings the document of an order at the store's tax provider up to date. It may run twice. */
export const taxDocumentRunner = (parts: SubmissionParts) =>
  runner(submissionTask, ({ db, payload: { order_id }, attempt }) =>
    submit(db, parts, { order_id, attempt, wanted: () => wantedDocument(db, order_id) }),
  )

async function wantedDocument(db: Db, order_id: number): Promise<WantedDocument> {
  const { tables, whole } = await db.together(() => ({ tables: taxTables(db), whole: findWhole(db, order_id) }))
  return {
    need: documentNeed(whole.order, tables.settings.document_submission_strategy),
    document: documentOf(saleOfOrder(whole), tables),
  }
}

async function findWhole(db: Db, order_id: number): Promise<OrderToSubmit> {
  const ids = [order_id]
  const rows = await db.together(() => ({
    order: findOne(db, orders, order_id),
    lines: rowsOfOrders(db, lines, ids),
    addresses: rowsOfOrders(db, orderAddresses, ids),
    pickups: rowsOfOrders(db, pickupConsignments, ids),
    fees: rowsOfOrders(db, fees, ids),
    all: rowsOfOrders(db, refunds, ids),
    waiting: findRepayments(db, sql`order_id = ${order_id} and state = 'waiting'`),
    location: findLocation(db, FIRST_LOCATION),
  }))
  const { all, waiting, location, ...parts } = rows
  const facts = await saleFacts(db, {
    customerId: parts.order.customer_id,
    productIds: parts.lines.map(({ product_id }) => product_id),
  })
  return {
    ...parts,
    refunds: all.filter(({ id, is_declined }) => !is_declined && !waiting.some(({ refund_id }) => refund_id === id)),
    facts,
    origin: originOf(location?.address),
  }
}
