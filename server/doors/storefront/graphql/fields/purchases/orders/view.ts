import type { LineRow, OrderRow } from '../../../../../../sales/orders/row/rows.ts'
import type { moneyToAnswer } from '../../money/money.ts'

/** An order with its amounts in the form of its currency. */
export interface OrderView {
  order: OrderRow
  money(amount: Parameters<typeof moneyToAnswer>[1]): ReturnType<typeof moneyToAnswer>
}

/** A line of an order. */
export interface OrderLineView {
  line: LineRow
  view: OrderView
}

declare module '../../../types.ts' {
  interface Parents {
    Order: OrderView
    OrderWithPayments: OrderView
    OrderPhysicalLineItem: OrderLineView
    OrderDigitalLineItem: OrderLineView
  }
}

/** An amount with tax or without, as prices were entered. */
export const displayAmount = ({ order }: OrderView, ex: number, inc: number): number =>
  order.is_tax_inclusive_pricing ? inc : ex
