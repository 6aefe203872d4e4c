import { Load } from '../../../../../../core/graphql/loads.ts'
import type { Collection, RowWithId } from '../../../../../../core/rest/lists/collection.ts'
import { shipments } from '../../../../../../sales/orders/fulfilment/shipments-v2.ts'
import {
  fees,
  lines,
  orderAddresses,
  orderCoupons,
  pickupConsignments,
  taxes,
} from '../../../../../../sales/orders/row/rows.ts'
import { rowsOfOrders } from '../../../../../../sales/orders/row/sub-resources.ts'
import { transactions } from '../../../../../../sales/orders/transactions/transactions.ts'
import type { StorefrontCaller } from '../../../../caller.ts'

/** Loads the sub-resources of all orders of an operation with one statement for each kind. */
const loadOf = <Row extends RowWithId & { order_id: number }>(collection: Collection<Row>) =>
  new Load<StorefrontCaller, number, Row[]>(async ({ storefront: { db } }, ids) =>
    Map.groupBy(await rowsOfOrders(db, collection, ids), ({ order_id }) => order_id),
  )

export const lineLoad = loadOf(lines)
export const addressLoad = loadOf(orderAddresses)
export const shipmentLoad = loadOf(shipments)
export const pickupLoad = loadOf(pickupConsignments)
export const couponLoad = loadOf(orderCoupons)
export const taxLoad = loadOf(taxes)
export const feeLoad = loadOf(fees)
export const transactionLoad = loadOf(transactions)
