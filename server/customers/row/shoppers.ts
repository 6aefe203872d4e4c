import { type Db, prepared } from '../../core/db/database.ts'
import { type Sql, sql } from '../../core/db/sql.ts'
import { withAncestors } from '../../goods/catalog/product-row/priced.ts'
import { storedValues } from '../../shop/settings/families/family.ts'
import type { NewRule } from './groups.ts'

// Shoppers as prices see them: the group that they belong to, and its discounts.

/** A shopper as a request names one. 0 for none. */
export interface NamedShopper {
  channel_id: number
  customer_group_id: number
  customer_id: number
}

/** The group of a shopper. */
export interface ShopperGroup {
  /** 0 for none. */
  group_id: number
  has_group: boolean
  has_customer: boolean
  has_discounts: boolean
}

/**
 * A query for the group of a shopper, one row of `ShopperGroup`: the named group, else that of the named customer, else that of guests
 * in the channel, else that of guests in the store.
 */
export function shopperGroup(db: Pick<Db, 'store'>, { channel_id, customer_group_id, customer_id }: NamedShopper): Sql {
  const { id: store } = db.store
  // A statement for each case: PostgreSQL plans a statement with all cases anew each time, since most of them fall away by its values.
  const isThere = (table: 'customer_groups' | 'customers', id: number): Sql =>
    id === 0 ? sql`true` : sql`exists (select 1 from ${sql.id(table)} where store_id = ${store} and id = ${id})`
  return sql`
    select group_id, ${isThere('customer_groups', customer_group_id)} as has_group, ${isThere('customers', customer_id)} as has_customer,
      exists (select 1 from customer_group_rules rule where rule.store_id = ${store} and rule.group_id = found.group_id)
        as has_discounts
    from (select ${groupOf(db, { channel_id, customer_group_id, customer_id })} as group_id) found`
}

function groupOf(db: Pick<Db, 'store'>, { channel_id, customer_group_id, customer_id }: NamedShopper): Sql {
  const { id: store } = db.store
  if (customer_group_id > 0) return sql`${customer_group_id}::int`
  if (customer_id > 0)
    return sql`coalesce((select customer_group_id from customers where store_id = ${store} and id = ${customer_id}), 0)`
  return sql`coalesce(
    (${storedValues(db, { path: 'customers' }, channel_id)} ->> 'guest_customer_group_id')::int,
    (select id from customer_groups where store_id = ${store} and is_group_for_guests), 0)`
}

/** A discount rule of a group. */
export interface GroupDiscount {
  type: Exclude<NewRule['type'], 'price_list'>
  method: 'percent' | 'price' | 'fixed'
  amount: number
  product_id: number | null
  /** The categories of products that a rule for a category covers: the category itself, and those below it. */
  categories: readonly number[] | null
}

/** The discounts of a group for some products. */
export const findDiscounts = (
  db: Db,
  group: number,
  { products, categories }: { products: readonly number[]; categories: readonly number[] },
): Promise<GroupDiscount[]> =>
  db.rows<GroupDiscount>(
    prepared(sql`
    with covered as materialized (${withAncestors(db, categories)})
    select type, method, amount, product_id, (
      select jsonb_agg(leaf) from covered where covered.id = rule.category_id
    ) as categories
    from customer_group_rules rule
    where rule.store_id = ${db.store.id} and rule.group_id = ${group} and (
      type = 'all' or product_id = ${sql.anyOf(products)} or category_id in (select id from covered)
    )
    order by position`),
  )

/** The e-mail address and the first postal address of a customer. */
export interface ShopperContact {
  email: string
  address: { country_code: string; state: string; postal_code: string } | null
}

/** A query for the contact of a customer as JSON; null for an unknown one. @param customer the SQL of the id */
export const contactOf = ({ store }: Pick<Db, 'store'>, customer: Sql): Sql => sql`
  select jsonb_build_object('email', customer.email, 'address', (
    select jsonb_build_object('country_code', country_code, 'state', state_or_province, 'postal_code', postal_code)
    from customer_addresses where store_id = ${store.id} and customer_id = customer.id order by id limit 1
  )) from customers customer where customer.store_id = ${store.id} and customer.id = ${customer}`

/** The UUIDs of the segments that a customer belongs to. */
export async function segmentsOf(db: Db, customer: number): Promise<string[]> {
  const rows = await db.rows<{ uuid: string }>(
    prepared(sql`
    select segment.uuid from shopper_profiles profile
    join segment_members member on member.store_id = ${db.store.id} and member.profile_id = profile.id
    join segments segment on segment.store_id = ${db.store.id} and segment.id = member.segment_id
    where profile.store_id = ${db.store.id} and profile.customer_id = ${customer}`),
  )
  return rows.map(({ uuid }) => uuid)
}
