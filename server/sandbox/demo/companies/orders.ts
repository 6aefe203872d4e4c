import type { Tx } from '../../../core/db/database.ts'
import { toSeconds } from '../../../core/rest/input/dates.ts'
import { changeCompanyOrder } from '../../../sales/b2b/orders/order-changes.ts'
import { SELLER } from '../../../sales/b2b/shared/caller.ts'
import type { NamedUser } from '../../../sales/b2b/users/user.ts'
import { COMPLETED } from '../../../sales/orders/arithmetic/order-status.ts'
import { createOrder } from '../../../sales/orders/writing/create.ts'

const ORDERS = 24
const DAY_MS = 86_400_000
const [SHIPPED, CANCELLED, AWAITING_SHIPMENT, AWAITING_FULFILMENT] = [2, 5, 9, 11]
/** The orders take turns. */
const TURNS = [COMPLETED, AWAITING_FULFILMENT, COMPLETED, SHIPPED, AWAITING_SHIPMENT, COMPLETED, CANCELLED] as const

interface DemoOrders {
  /** Users of approved companies. */
  users: readonly NamedUser[]
  products: readonly number[]
}

/**
 * Orders of users of companies in the last weeks, every second with a purchase order number. They were imported from another shop, so
 * their stock left long ago.
 * @returns their ids by company, oldest first
 */
export async function writeOrders(tx: Tx, { users, products }: DemoOrders): Promise<Map<number, number[]>> {
  const written = new Map<number, number[]>()
  for (let i = 0; i < ORDERS; i++) {
    const user = users[i % users.length]
    if (!user) break
    const order = await createOrder(tx, {
      status_id: TURNS[i % TURNS.length] ?? COMPLETED,
      customer_id: user.customer_id,
      external_source: 'M-MIG',
      date_created: toSeconds(new Date(tx.now.getTime() - (ORDERS - i) * DAY_MS)),
      payment_method: i % 3 === 0 ? 'Credit Card' : 'Bank Deposit',
      billing_address: {
        first_name: user.first_name,
        last_name: user.last_name,
        email: user.email,
        street_1: '1 Market Square',
        city: 'Sydney',
        state: 'New South Wales',
        zip: '2000',
        country_iso2: 'AU',
      },
      products: [0, 1, 2].slice(0, (i % 3) + 1).map((n) => ({
        product_id: products[(i + 7 * n) % products.length] ?? 0,
        quantity: 2 + ((i + n) % 5),
      })),
    })
    if (i % 2 === 0) await changeCompanyOrder(tx, SELLER, order.id, { poNumber: `PO-${5_000 + i}` })
    written.set(user.company_id, [...(written.get(user.company_id) ?? []), order.id])
  }
  return written
}
