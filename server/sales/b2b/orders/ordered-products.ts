import { createHash } from 'node:crypto'
import type { Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { fold } from '../../../core/rest/lists/fold.ts'
import { type LineOption, lines, type OrderRow } from '../../orders/row/rows.ts'
import { rowsOfOrders } from '../../orders/row/sub-resources.ts'

// The products that a company, each of its buyers and each customer without a company has bought: how often, and when last. The
// transaction that places an order adds its lines, so that a list never adds up orders.

/** A product that was bought with the same options. */
export interface OrderedProductRow {
  company_id: number
  customer_id: number
  variant_id: number
  options_key: string
  product_id: number
  name: string
  brand: string
  sku: string
  options: LineOption[]
  ordered_times: number
  first_ordered_at: string
  last_ordered_at: string
  last_quantity: number
  order_product_id: number
  channel_id: number
}

/** Deletes the products that customers have bought themselves. The sums of their companies stay. */
export const deleteOrderedProducts = (tx: Tx, customers: readonly number[]) =>
  tx.rows(sql`
    delete from b2b_ordered_products where store_id = ${tx.store.id} and customer_id = any(${[...customers]}::int[])
    returning customer_id`)

/** Adds the lines of an order that is placed now, for the company, if any, and the customer. Custom lines and gift certificates have no product. */
export async function recordOrderedProducts(tx: Tx, companyId: number, order: OrderRow) {
  const owners = new Set([...(companyId === 0 ? [] : [0]), order.customer_id])
  const bought = (await rowsOfOrders(tx, lines, [order.id])).filter(({ product_id }) => product_id > 0)
  const added = new Map<string, { last_quantity: number; [column: string]: unknown }>()
  for (const line of bought) {
    for (const customer_id of owners) {
      const options_key = keyOfOptions(line.product_options)
      const key = `${customer_id} ${line.variant_id} ${options_key}`
      added.set(key, {
        company_id: companyId,
        customer_id,
        variant_id: line.variant_id,
        options_key,
        product_id: line.product_id,
        name: line.name,
        name_key: fold(`${line.name} ${line.sku}`),
        brand: line.brand,
        sku: line.sku,
        options: line.product_options,
        last_quantity: (added.get(key)?.last_quantity ?? 0) + line.quantity,
        order_product_id: line.id,
        channel_id: order.channel_id,
      })
    }
  }
  if (added.size === 0) return
  // In one order, so that two orders of a company don't wait for each other.
  const rows = [...added].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row)
  await tx.rows(sql`
    insert into b2b_ordered_products as known (store_id, company_id, customer_id, variant_id, options_key, product_id, name,
      name_key, brand, sku, options, ordered_times, first_ordered_at, last_ordered_at, last_quantity, order_product_id, channel_id)
    select ${tx.store.id}, company_id, customer_id, variant_id, options_key, product_id, name, name_key, brand, sku, options, 1,
      ${order.date_created}, ${order.date_created}, last_quantity, order_product_id, channel_id
    from jsonb_populate_recordset(null::b2b_ordered_products, ${JSON.stringify(rows)})
    on conflict (store_id, company_id, customer_id, variant_id, options_key) do update set
      name = excluded.name, name_key = excluded.name_key, brand = excluded.brand, sku = excluded.sku,
      ordered_times = known.ordered_times + 1,
      first_ordered_at = least(known.first_ordered_at, excluded.first_ordered_at),
      last_ordered_at = greatest(known.last_ordered_at, excluded.last_ordered_at),
      last_quantity = excluded.last_quantity, order_product_id = excluded.order_product_id
    returning variant_id`)
}

/** Equal choices have one key. */
const keyOfOptions = (options: readonly LineOption[]): string => {
  if (options.length === 0) return ''
  const chosen = options.map(({ product_option_id, value }) => [product_option_id, value])
  return createHash('sha256').update(JSON.stringify(chosen)).digest('base64url').slice(0, 22)
}
