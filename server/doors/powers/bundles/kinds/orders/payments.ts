import { TRANSACTION_FIELDS } from '../../../../../sales/orders/refunds/imported-money.ts'
import type { Row } from '../../bundle.ts'
import { type BundleKind, only, type Refs, rowsIn } from '../kind.ts'

/**
 * The money that orders have moved: transactions and refunds, as they were. An import records them and pays nothing
 * (`sales/orders/refunds/imported-money.ts`). Cards are in it as answers show them, with six and four digits.
 */

const REFUND = [
  'id',
  'order_id',
  'created',
  'reason',
  'total_amount',
  'total_tax',
  'uses_merchant_override_values',
  'payments',
] as const

const ITEM = ['item_type', 'quantity', 'requested_amount', 'reason', 'adjustments'] as const

/** The field with the line or the fee that an item names. Other items are about the order or its one consignment. */
const ITEM_IDS: Readonly<Record<string, string>> = {
  PRODUCT: 'order_product_id',
  GIFT_WRAPPING: 'order_product_id',
  FEE: 'fee_id',
}

/** References of the items of a refund. */
export const REFUND_ITEMS: Refs = { 'items[].order_product_id': 'order-lines', 'items[].fee_id': 'order-fees' }

export const paymentKinds: readonly BundleKind[] = [
  {
    name: 'order-transactions',
    area: 'orders',
    list: '/v3/orders/{under}/transactions',
    paging: 'pages',
    under: { kind: 'orders', when: hasMoney },
    refs: { reference_transaction_id: 'order-transactions' },
    toBundle: (row) => only(row, ['$under', ...TRANSACTION_FIELDS]),
    create: { path: '', by: 'payments' },
  },
  {
    name: 'refunds',
    area: 'orders',
    list: '/v3/orders/payment_actions/refunds',
    paging: 'pages',
    refs: { order_id: 'orders', ...REFUND_ITEMS, 'payments[].transaction_id': 'order-transactions' },
    toBundle: (row) => ({ ...only(row, REFUND), items: rowsIn(row.items).map(itemToBundle) }),
    create: { path: '', by: 'with another kind' },
  },
]

/** Whether an order may have transactions. */
export function hasMoney({
  payment_status,
  payment_provider_id,
  store_credit_amount,
  gift_certificate_amount,
}: Row): boolean {
  const isTouched = (payment_status ?? '') !== '' || (payment_provider_id ?? '') !== ''
  return isTouched || Number(store_credit_amount) > 0 || Number(gift_certificate_amount) > 0
}

function itemToBundle(item: Row): Row {
  const field = ITEM_IDS[String(item.item_type)]
  return { ...only(item, ITEM), ...(field === undefined ? {} : { [field]: item.item_id }) }
}
