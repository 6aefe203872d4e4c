import { type Db, prepared, type Tx } from '../../../../core/db/database.ts'
import { sql } from '../../../../core/db/sql.ts'
import { MAIL_ADDRESS } from '../../../../core/mail/outbox.ts'
import type { ContextOf } from '../../../../shop/emails/contents/contexts.ts'
import { isSwitchedOn, sendEmail } from '../../../../shop/emails/sending/send.ts'
import { statusName } from '../../arithmetic/order-status.ts'
import { type LineRow, lines, type OrderRow } from '../../row/rows.ts'
import { rowsOfOrders } from '../../row/sub-resources.ts'
import { MIGRATED } from '../../stock/holds.ts'
import { mailedDay, mailedMethods, moneyFormat } from './mail-data.ts'

// Records changes of the status of orders and sends their e-mail (docs/contract/orders.md section 1).

const MAIL = 'combined_order_status_email'
type MailOrder = ContextOf<typeof MAIL>['order']

/**
 * Records a new status of an order and enqueues the e-mail about it.
 * @param after as it is stored
 * @param hasInvoice whether the shopper gets the invoice for this change, which confirms the order: a second e-mail would tell nothing new
 */
export async function recordStatusChange(tx: Tx, before: OrderRow, after: OrderRow, hasInvoice = false) {
  if (before.status_id === after.status_id) return
  await tx.rows(
    prepared(sql`
    insert into order_status_changes (store_id, order_id, nr, previous_status_id, status_id, changed_at)
    select ${tx.store.id}, ${after.id}, coalesce(max(nr), 0) + 1, ${before.status_id}::int, ${after.status_id}::int, ${tx.now}::timestamptz
    from order_status_changes where store_id = ${tx.store.id} and order_id = ${after.id}
    returning nr`),
  )
  if (hasInvoice || after.external_source === MIGRATED || !new RegExp(MAIL_ADDRESS, 'u').test(after.email)) return
  if (!(await isSwitchedOn(tx, after.channel_id, MAIL))) return
  const { first_name, last_name } = after.billing_address
  const full_name = [first_name, last_name].filter((name) => name !== '').join(' ')
  await sendEmail(tx, MAIL, {
    to: after.email,
    channel: after.channel_id,
    locale: after.customer_locale,
    context: {
      customer: { first_name, full_name, email: after.email, group: [] },
      order: await mailOrder(tx, after, full_name),
    },
  })
}

interface PickedItem {
  order_product_id: number
  quantity: number
  pickup_method_id: number
  is_collected: boolean
}

/** The data of the e-mail: the order with its shipped, unshipped, ready and collected items. */
async function mailOrder(tx: Tx, order: OrderRow, customer_name: string): Promise<MailOrder> {
  const here = sql`store_id = ${tx.store.id} and order_id = ${order.id}`
  const { ofLines, shipments, picked } = await tx.together(() => ({
    ofLines: rowsOfOrders(tx, lines, [order.id]),
    shipments: tx.rows<{ id: string; shipping_method: string; link: string }>(sql`
      select tracking_number as id, shipping_method, tracking_link as link from order_shipments
      where ${here} and tracking_number <> '' order by order_shipments.id`),
    picked: tx.rows<PickedItem>(sql`
      select item.order_product_id, item.quantity, pickup.pickup_method_id, pickup.collected_at is not null as is_collected
      from order_pickups pickup
      join order_pickup_items item on item.store_id = ${tx.store.id} and item.pickup_id = pickup.id
      where pickup.store_id = ${tx.store.id} and pickup.order_id = ${order.id}
        and (pickup.collected_at is not null or pickup.ready_at <= ${tx.now}) order by item.id`),
  }))
  const money = moneyFormat(order)
  const byId = new Map(ofLines.map((line) => [line.id, line]))
  const shown = (line: LineRow | undefined, quantity: number) =>
    line && quantity > 0
      ? [
          {
            name: line.name_customer,
            sku: line.sku,
            price: money(line.price_inc_tax),
            quantity,
            thumbnail: '',
            brand: line.brand,
            attribute_lines: line.product_options.map((option) => ({
              name: option.display_name_customer,
              value: option.display_value_customer,
            })),
          },
        ]
      : []
  const pickedAs = (isCollected: boolean) =>
    picked
      .filter((item) => item.is_collected === isCollected)
      .flatMap((item) => shown(byId.get(item.order_product_id), item.quantity))
  const toSend = ofLines.filter(({ order_address_id }) => order_address_id > 0)
  return {
    id: order.id,
    new_status: statusName(order.status_id),
    new_formatted_status: statusName(order.status_id),
    total: { value: order.total_inc_tax, formatted: money(order.total_inc_tax) },
    ...(order.refunded_amount > 0
      ? { refund: { value: order.refunded_amount, formatted: money(order.refunded_amount) } }
      : {}),
    date_placed: { value: order.date_created, formatted: mailedDay(order.date_created) },
    payment_method: order.payment_method,
    // There is no storefront page to link to.
    link: '',
    customer_name,
    downloadable_products: [],
    products: toSend.flatMap((line) => shown(line, line.quantity_shipped)),
    tracking: shipments,
    unshipped_products: toSend.flatMap((line) => shown(line, line.quantity - line.quantity_shipped)),
    ready_for_pickup_products: pickedAs(false),
    picked_up_products: pickedAs(true),
    pickup_methods: await mailedMethods(
      tx,
      picked.filter(({ is_collected }) => !is_collected).map(({ pickup_method_id }) => pickup_method_id),
    ),
  }
}

/** A change of the status of an order. */
interface PastStatus {
  nr: number
  status_id: number
  changed_at: string
}

/** The changes of the status of an order, oldest first. */
export const statusChangesOf = (db: Db, orderId: number): Promise<PastStatus[]> =>
  db.rows<PastStatus>(sql`
    select nr, status_id, changed_at from order_status_changes
    where store_id = ${db.store.id} and order_id = ${orderId} order by nr limit ${CHANGES_MAX}`)

/** The changes that are read of one order. */
const CHANGES_MAX = 250
