import type { Db } from '../../../core/db/database.ts'
import { prepared } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { findWhere } from '../../../core/rest/lists/verbs.ts'
import { customers } from '../../../customers/row/shape.ts'
import type { Sale } from './sale.ts'

/** The facts about customer and products that tax providers ask for, besides the sale itself. */
export interface SaleFacts {
  customer: Sale['customer']
  /** Tax properties of products, by id. Products without any are missing. */
  productProperties: ReadonlyMap<number, Readonly<Record<string, string>>>
}

interface PropertiesRow {
  id: number
  properties: Record<string, string>
}

/** Reads the facts of a sale. @param customerId 0 for a guest */
export async function saleFacts(
  db: Db,
  { customerId, productIds }: { customerId: number; productIds: readonly number[] },
): Promise<SaleFacts> {
  const { found, ofCustomer, ofProducts } = await db.together(() => ({
    found: findWhere(db, customers, sql`id = ${customerId}`),
    ofCustomer: db.rows<PropertiesRow>(
      prepared(sql`
        select customer_id as id, jsonb_object_agg(code, value order by code) as properties
        from customer_tax_properties one
        join tax_properties property on property.store_id = ${db.store.id} and property.id = property_id
        where one.store_id = ${db.store.id} and customer_id = ${customerId} group by customer_id`),
    ),
    ofProducts: db.rows<PropertiesRow>(
      prepared(sql`
        select product_id as id, jsonb_object_agg(code, value order by code) as properties
        from product_tax_properties one
        join tax_properties property on property.store_id = ${db.store.id} and property.id = property_id
        where one.store_id = ${db.store.id} and product_id = any(${productIds}) group by product_id`),
    ),
  }))
  const [customer] = found
  return {
    customer: {
      id: customer?.id ?? 0,
      group_id: customer?.customer_group_id ?? 0,
      taxability_code: customer?.tax_exempt_category ?? '',
      tax_properties: ofCustomer[0]?.properties ?? {},
    },
    productProperties: new Map(ofProducts.map(({ id, properties }) => [id, properties])),
  }
}
