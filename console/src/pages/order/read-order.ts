import type { StoreApi } from '../../api/store.ts'

export interface Order {
  id: number
  status: string
  status_id: number
  payment_status: string
  payment_method: string
  currency_code: string
  total_inc_tax: string
  total_tax: string
  subtotal_inc_tax: string
  shipping_cost_inc_tax: string
  handling_cost_inc_tax: string
  wrapping_cost_inc_tax: string
  refunded_amount: string
  date_created: string
  staff_notes: string
  customer_message: string
  customer_id: number
  billing_address: Record<string, string>
}

export interface Line {
  id: number
  name: string
  sku: string
  quantity: number
  quantity_shipped: number
  quantity_refunded: number
  price_inc_tax: string
  total_inc_tax: string
  order_address_id: number
}

export interface Address {
  id: number
  first_name: string
  last_name: string
  street_1: string
  city: string
  zip: string
  country: string
}

interface Shipment {
  id: number
  date_created: string
  tracking_number: string
  items: { order_product_id: number; quantity: number }[]
}

export interface Transaction {
  id: number
  event: string
  method: string
  amount: number
  currency: string
  gateway: string | null
  status: string
  date_created: string
}

export interface Refund {
  id: number
  total_amount: number
  reason: string
  created: string
  payments: {
    provider_id: string
    amount: number
    offline: boolean
    is_declined: boolean
    declined_message?: string
    transaction_id: string | null
  }[]
}

/** An order with everything that its page shows. */
export async function readOrder(api: StoreApi, id: string) {
  const v2 = async <T>(path: string) => (await api.call<T>('GET', path)).body
  const list = async <T>(path: string) => (await v2<T[] | undefined>(path)) ?? []
  const [order, lines, addresses, shipments, transactions, refunds, statuses] = await Promise.all([
    v2<Order>(`/v2/orders/${id}`),
    list<Line>(`/v2/orders/${id}/products?limit=250`),
    list<Address>(`/v2/orders/${id}/shipping_addresses?limit=250`),
    list<Shipment>(`/v2/orders/${id}/shipments?limit=250`),
    api.data<Transaction[]>(`/v3/orders/${id}/transactions`).catch(() => []),
    api.data<Refund[]>(`/v3/orders/${id}/payment_actions/refunds`).catch(() => []),
    list<{ id: number; name: string }>('/v2/order_statuses'),
  ])
  return { order, lines, addresses, shipments, transactions, refunds, statuses }
}

/** Whether money of the order is under way. */
export const isSettling = ({ order, refunds }: Awaited<ReturnType<typeof readOrder>>) =>
  / pending$/.test(order.payment_status) ||
  refunds.some(({ payments }) => payments.some((one) => !one.is_declined && !one.transaction_id))
