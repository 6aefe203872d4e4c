import { prepared } from '../../../../../../core/db/database.ts'
import { sql } from '../../../../../../core/db/sql.ts'
import { Load } from '../../../../../../core/graphql/loads.ts'
import type { StorefrontCaller } from '../../../../caller.ts'

// The records that the companion API keeps of orders: who placed an order for which company, under which number of its own.

/** A customer as colleagues see it. */
export interface CompanyCustomer {
  entityId: number
  firstName: string
  lastName: string
  email: string
}

interface OrderRecord {
  order_id: number
  po_number: string
  company: { entityId: number; name: string } | null
  placed_by: CompanyCustomer | null
}

/** Records by the ids of orders. Orders of stores without the companion API have none. */
export const recordLoad = new Load<StorefrontCaller, number, OrderRecord>(async ({ storefront: { db } }, ids) => {
  const rows = await db.rows<OrderRecord>(
    prepared(sql`
    select record.order_id, record.po_number,
      case when company.id is not null then
        jsonb_build_object('entityId', company.id, 'name', company.company_name) end as company,
      case when company.id is not null and person.id is not null then jsonb_build_object('entityId', person.id,
        'firstName', person.first_name, 'lastName', person.last_name, 'email', person.email) end as placed_by
    from b2b_orders record
    left join companies company on company.store_id = ${db.store.id} and company.id = record.company_id
    left join customers person on person.store_id = ${db.store.id} and person.id = record.customer_id
    where record.store_id = ${db.store.id} and record.order_id = ${sql.anyOf(ids)}`),
  )
  return new Map(rows.map((row) => [row.order_id, row]))
})
